// A function of the program's own as a sampled block (SarUserFunction):
//
//   (y, x+) = f(t, u, x)   at t_k = offset + k period, held between
//
// Inputs u, states x and outputs y are discrete-time states, so whatever copies, saves and lands on
// instants knows nothing of functions. A function is called between steps alone: it needs no
// derivatives, and cannot disturb a step.
#include "elements/signals/build.h"

#include <string.h>

enum { INPUTS, FUNCTION, PERIOD, OFFSET, STATES, OUTPUTS };

// A whole number of a key, from `least` on; -1 after a report.
static int whole(SarSignalBuild* b, int key, int least, int usual) {
  double n = usual;
  if (!signal_given(b, key)) return usual;
  if (sar_expr_is_number(b->s->value[key].numbers[0].expr, &n) && n == (double)(int)n &&
      n >= least && n <= SAR_CALL_MOST)
    return (int)n;
  signal_wrong(b, key, "", "%s must be a whole number from %d to %d", b->s->kind->key[key].name,
               least, SAR_CALL_MOST);
  return -1;
}

static bool take_counts(SarSignalBuild* b, SpecCall* call) {
  const SpecSignalValue* given = &b->s->value[FUNCTION];
  call->signal = b->s->name;
  call->function = (SpecName){sar_expr_name(given->numbers[0].expr), given->loc};
  call->num[SAR_CALL_INPUT] = signal_count(b, INPUTS);
  call->num[SAR_CALL_STATE] = whole(b, STATES, 0, 0);
  call->num[SAR_CALL_OUTPUT] = whole(b, OUTPUTS, 1, 1);
  if (!call->function.text) signal_wrong(b, FUNCTION, "function: pd", "expected a name");
  if (call->num[SAR_CALL_INPUT] > SAR_CALL_MOST)
    signal_wrong(b, INPUTS, "", "has %d inputs, at most %d are possible", signal_count(b, INPUTS),
                 SAR_CALL_MOST);
  return call->function.text && call->num[SAR_CALL_STATE] >= 0 && call->num[SAR_CALL_OUTPUT] >= 0 &&
         call->num[SAR_CALL_INPUT] <= SAR_CALL_MOST;
}

static void name_all(SarSignalBuild* b, const SpecCall* call) {
  static const char* const name[] = {"in%d", "x%d", "held%d"};
  for (SarCallRole role = SAR_CALL_INPUT; role <= SAR_CALL_OUTPUT; role++)
    for (int i = 0; i < call->num[role]; i++)
      signal_name(b, sar_arena_printf(&b->spec->arena, name[role], i + 1));
}

static void build_call(SarSignalBuild* b) {
  SarArena* arena = &b->spec->arena;
  SpecCall* call = SAR_ARENA_NEW(arena, SpecCall);
  if (!call) b->failed = true;
  if (!call || !take_counts(b, call)) return;
  name_all(b, call);
  if (arena->failed) return;
  SignalRule needs = {.b = b};
  for (int i = 0; i < call->num[SAR_CALL_INPUT]; i++) {
    signal_called(b, call, SAR_CALL_INPUT, i, sar_arena_printf(arena, "call_%d", i + 1));
    rule_add(&needs, i ? " + in%d" : "in%d", i + 1);
  }
  for (SarCallRole role = SAR_CALL_STATE; role <= SAR_CALL_OUTPUT; role++)
    for (int i = 0; i < call->num[role]; i++) signal_called(b, call, role, i, rule_text(&needs));
  signal_value(b, "held1");
  for (int i = 2; i <= call->num[SAR_CALL_OUTPUT]; i++)
    signal_output(b, sar_arena_printf(arena, "out%d", i), sar_arena_printf(arena, "held%d", i));
}

const SarSignalKind sar_signal_call = {
    .name = "call",
    .doc = "a function of the program's own, or of a shared object, at each instant",
    .key = {{"call", SAR_SIGNAL_LIST, NULL, false, "inputs"},
            {"function", SAR_SIGNAL_NUMBER, NULL, false,
             "its name; `mean`, of the inputs, is always there"},
            {"period", SAR_SIGNAL_NUMBER, NULL, true, "time between two calls [s]"},
            {"offset", SAR_SIGNAL_NUMBER, "0", false, "time of the first call [s]"},
            {"states", SAR_SIGNAL_NUMBER, "0", false, "numbers that it keeps, 0 at the start"},
            {"outputs", SAR_SIGNAL_NUMBER, "1", false,
             "how many: NAME is the first, NAME.out2 the second, ..."},
            {"start", SAR_SIGNAL_NUMBER, "0", false, "outputs before the first call"}},
    .nkey = 7,
    .example = "{call: [sin(3*t), t], function: mean, period: 0.02}",
    .build = build_call,
};
