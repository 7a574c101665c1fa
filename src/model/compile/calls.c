// Calls of functions of the program's own (model/discrete.h): whose they are, and which
// discrete-time states they read and give.
#include "model/compile/parts.h"

#include <stdint.h>
#include <string.h>

static int call_mean(void* context, double t, const double* inputs, double* states,
                     double* outputs) {
  (void)t, (void)states;
  const int n = (int)(intptr_t)context;
  outputs[0] = 0;
  for (int i = 0; i < n; i++) outputs[0] += inputs[i] / n;
  return 0;
}

static Item item_of(const SpecCall* call) {
  return (Item){"signal", call->signal.text, call->signal.loc};
}

static bool fits(Compile* c, const SpecCall* call, const SarUserFunction* f) {
  static const char* const what[] = {"inputs", "states", "outputs"};
  const int wanted[] = {f->inputs, f->states, f->outputs};
  bool good = true;
  for (int i = 0; i < SAR_CALL_ROLES; i++) {
    if (wanted[i] < 0 || wanted[i] == call->num[i]) continue;
    good = false;
    sar_complain(c, item_of(call), call->function.loc, "", "function '%s' has %d %s, here are %d",
                 f->name, wanted[i], what[i], call->num[i]);
  }
  return good;
}

// False after a report.
static bool find_function(Compile* c, const SpecCall* call, SarUserFunction* out) {
  for (int i = 0; i < c->function_count; i++) {
    const SarUserFunction* f = &c->functions[i];
    if (!f->name || !f->call || strcmp(f->name, call->function.text) != 0) continue;
    *out = *f;
    return fits(c, call, f);
  }
  if (strcmp(call->function.text, "mean") == 0) {
    *out =
        (SarUserFunction){"mean", -1, 0, 1, call_mean, (void*)(intptr_t)call->num[SAR_CALL_INPUT]};
    return fits(c, call, out);
  }
  sar_complain(c, item_of(call), call->function.loc,
               "the program gives its functions (SarLoadOptions), or --functions names the shared "
               "object that has it",
               "there is no function '%s'", call->function.text);
  return false;
}

// Entries of the k-th call, which begin at `entry`.
static void fill_entries(SarModel* m, int k, const SpecDiscrete* const* spec) {
  SarCall* call = &m->call[k];
  call->lead = m->ndiscrete;
  for (int i = 0; i < m->ndiscrete; i++) {
    if (m->call_of[i] != k) continue;
    int at = call->entry + spec[i]->place;
    for (int role = 0; role < (int)spec[i]->role; role++) at += call->num[role];
    m->call_entry[at] = i;
    if (spec[i]->role == SAR_CALL_INPUT)
      m->call_of[i] = -1;  // it is sampled
    else if (i < call->lead)
      call->lead = i;
  }
}

static bool make_arrays(Compile* c, int entries) {
  SarModel* m = &c->m;
  m->function = SAR_ARENA_ARRAY(&c->arena, SarUserFunction, entries + 1);
  m->call = SAR_ARENA_ARRAY(&c->arena, SarCall, entries + 1);
  m->call_entry = SAR_ARENA_ARRAY(&c->arena, int, entries + 1);
  m->call_of = SAR_ARENA_ARRAY(&c->arena, int, m->ndiscrete + 1);
  return !c->arena.failed;
}

// The number of a call among those so far: a new one gets its function and room for its entries.
static int number_of(Compile* c, const SpecCall** calls, const SpecCall* call) {
  SarModel* m = &c->m;
  for (int k = 0; k < m->ncall; k++)
    if (calls[k] == call) return k;
  SarCall* made = &m->call[m->ncall];
  *made = (SarCall){.function = m->nfunction, .entry = m->ncall_entry};
  if (find_function(c, call, &m->function[m->nfunction])) m->nfunction++;
  for (int role = 0; role < SAR_CALL_ROLES; role++) {
    made->num[role] = call->num[role];
    m->ncall_entry += call->num[role];
  }
  calls[m->ncall] = call;
  return m->ncall++;
}

bool sar_define_calls(Compile* c, const SpecDiscrete* const* spec) {
  SarModel* m = &c->m;
  int entries = 0;
  for (int i = 0; i < m->ndiscrete; i++) entries += spec[i]->call != NULL;
  if (entries == 0) return true;
  const SpecCall** calls = SAR_ARENA_ARRAY(&c->arena, const SpecCall*, entries + 1);
  if (!calls || !make_arrays(c, entries)) return false;
  m->ncall_of = m->ndiscrete;
  for (int i = 0; i < m->ndiscrete; i++)
    m->call_of[i] = spec[i]->call ? number_of(c, calls, spec[i]->call) : -1;
  for (int k = 0; k < m->ncall; k++) fill_entries(m, k, spec);
  return true;
}
