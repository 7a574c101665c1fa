// Linear systems: transfer functions and state space, in continuous time, or sampled where a period
// is given (then the polynomials are in z and the matrices those of the difference equation).
//
//   transfer function, controllable canonical form, denominator s^n + a_1 s^(n-1) + ... + a_n:
//     x1' = x2, ..., xn' = u - a_n x1 - ... - a_1 xn
//     y = b_0 u + sum over k of (b_k - a_k b_0) x_(n+1-k)
//   in z the same with x_k' replaced by the value of x_k at the next instant
//
//   state space   x' = A x + B u,   y = C x + D u
#include "elements/signals/build.h"

#include <string.h>

// ---- transfer function --------------------------------------------------------------------------

enum { NUMERATOR = 1, DENOMINATOR = 2, STEADY = 3, PERIOD = 4 };

// a_k and b_k as rules: entries of the lists, highest power first, over the first of the
// denominator
static void add_a(SignalRule* r, int k) { rule_add(r, "(denominator_%d/denominator_1)", k + 1); }

static void add_b(SignalRule* r, int k) {
  const int missing = signal_count(r->b, DENOMINATOR) - signal_count(r->b, NUMERATOR);
  if (k < missing)
    rule_add(r, "0");
  else
    rule_add(r, "(numerator_%d/denominator_1)", k - missing + 1);
}

static bool order_is_right(SarSignalBuild* b) {
  const int n = signal_count(b, DENOMINATOR) - 1;
  double first;
  if (sar_expr_is_number(b->s->value[DENOMINATOR].numbers[0].expr, &first) && first == 0) {
    signal_wrong(b, DENOMINATOR, "highest power first", "the denominator begins with 0");
    return false;
  }
  if (signal_count(b, NUMERATOR) > n + 1) {
    signal_wrong(b, NUMERATOR, "its degree must not be above the denominator's",
                 "is not proper: it would differentiate its input");
    return false;
  }
  if (n + 1 >= SAR_SIGNAL_MOST) {
    signal_wrong(b, DENOMINATOR, "", "is of degree %d, more than %d", n, SAR_SIGNAL_MOST - 2);
    return false;
  }
  return true;
}

static const char* state_name(SarSignalBuild* b, int k) {
  const char* name = sar_arena_printf(&b->spec->arena, "x%d", k);
  if (!name) b->failed = true;
  return name ? name : "";
}

static void build_transfer_function(SarSignalBuild* b) {
  const bool sampled = signal_given(b, PERIOD);
  if (!signal_given(b, NUMERATOR) || !signal_given(b, DENOMINATOR) || !order_is_right(b)) return;
  const int n = signal_count(b, DENOMINATOR) - 1;
  const char* u = sampled ? "u" : "x";
  if (sampled) signal_name(b, "u");
  for (int k = 1; k <= n; k++) signal_name(b, state_name(b, k));
  if (b->failed) return;
  if (sampled) signal_sample(b, "u", "x", "0");
  for (int k = 1; k <= n; k++) {
    SignalRule rate = {.b = b};
    if (k < n) {
      rule_add(&rate, "x%d", k + 1);
    } else {
      rule_add(&rate, "%s", u);
      for (int j = 1; j <= n; j++) {
        rule_add(&rate, " - ");
        add_a(&rate, n + 1 - j);
        rule_add(&rate, "*x%d", j);
      }
    }
    // at rest: all x of s are 0 but x1 = u/a_n
    SignalRule start = {.b = b};
    if (k == 1 && signal_given(b, STEADY) && !sampled) {
      rule_add(&start, "steady*x/");
      add_a(&start, n);
    }
    if (sampled)
      signal_delay(b, state_name(b, k), rule_text(&rate), "0");
    else
      signal_state(b, state_name(b, k), rule_text(&rate), rule_text(&start));
  }
  SignalRule y = {.b = b};
  add_b(&y, 0);
  rule_add(&y, "*%s", u);
  for (int k = 1; k <= n; k++) {
    rule_add(&y, " + (");
    add_b(&y, k);
    rule_add(&y, " - ");
    add_a(&y, k);
    rule_add(&y, "*");
    add_b(&y, 0);
    rule_add(&y, ")*x%d", n + 1 - k);
  }
  signal_value(b, rule_text(&y));
}

const SarSignalKind sar_signal_transfer_function = {
    .name = "transfer_function",
    .doc = "linear system by its polynomials in s, or in z where a period is given",
    .key = {{"transfer_function", SAR_SIGNAL_NUMBER, NULL, false, "input"},
            {"numerator", SAR_SIGNAL_LIST, NULL, false, "coefficients, highest power first"},
            {"denominator", SAR_SIGNAL_LIST, NULL, false, "coefficients, highest power first"},
            {"steady", SAR_SIGNAL_NUMBER, "", false, "1: begins at rest with its input, else at 0"},
            {"period", SAR_SIGNAL_NUMBER, "", true, "time between two samples [s]"},
            {"offset", SAR_SIGNAL_NUMBER, "0", false, "time of the first sample [s]"}},
    .nkey = 6,
    .example = "{transfer_function: sin(3*t), numerator: [1, 3], denominator: [1, 2, 10]}",
    .build = build_transfer_function,
};

// ---- state space --------------------------------------------------------------------------------

enum { INPUTS, A, B, C, D, START, SPACE_PERIOD };

static int rows_of(const SarSignalBuild* b, int key) {
  return signal_given(b, key) ? signal_count(b, key) / b->s->value[key].columns : 0;
}

// False after a report.
static bool check_size(SarSignalBuild* b, int key, const char* name, int rows, int columns) {
  if (!signal_given(b, key)) return true;
  if (rows_of(b, key) == rows && b->s->value[key].columns == columns) return true;
  signal_wrong(b, key, "A: n x n, B: n x inputs, C: outputs x n, D: outputs x inputs",
               "%s has %d rows of %d numbers, expected %d of %d", name, rows_of(b, key),
               b->s->value[key].columns, rows, columns);
  return false;
}

static bool sizes_are_right(SarSignalBuild* b) {
  const int n = rows_of(b, A), inputs = signal_count(b, INPUTS), outputs = rows_of(b, C);
  bool right = check_size(b, A, "A", n, n) && check_size(b, B, "B", n, inputs) &&
               check_size(b, C, "C", outputs, n) && check_size(b, D, "D", outputs, inputs);
  if (right && signal_given(b, START) && signal_count(b, START) != n) {
    signal_wrong(b, START, "", "start has %d numbers, expected %d", signal_count(b, START), n);
    right = false;
  }
  if (right && n + inputs >= SAR_SIGNAL_MOST) {
    signal_wrong(b, A, "", "has %d states and inputs, more than %d", n + inputs,
                 SAR_SIGNAL_MOST - 1);
    right = false;
  }
  return right;
}

// Row `row` of a matrix times what `of` names: x1, x2, ... or the inputs
static void add_row(SignalRule* r, const char* matrix, int key, int row, const char* of) {
  const int columns = r->b->s->value[key].columns;
  for (int j = 1; signal_given(r->b, key) && j <= columns; j++) {
    double number;
    const SarExpr* e = r->b->s->value[key].numbers[row * columns + j - 1].expr;
    if (sar_expr_is_number(e, &number) && number == 0) continue;
    rule_add(r, "%s%s_%d*%s%d", r->count ? " + " : "", matrix, row * columns + j, of, j);
  }
}

static void name_states(SarSignalBuild* b, int n, int inputs, bool sampled) {
  for (int k = 1; k <= n; k++) signal_name(b, state_name(b, k));
  for (int k = 1; sampled && k <= inputs; k++)
    signal_name(b, sar_arena_printf(&b->spec->arena, "u%d", k));
}

static void build_state_space(SarSignalBuild* b) {
  if (!signal_given(b, A) || !signal_given(b, B) || !signal_given(b, C) ||
      !signal_given(b, INPUTS) || !sizes_are_right(b))
    return;
  const int n = rows_of(b, A), inputs = signal_count(b, INPUTS), outputs = rows_of(b, C);
  const bool sampled = signal_given(b, SPACE_PERIOD);
  const char* u = sampled ? "u" : "state_space_";
  name_states(b, n, inputs, sampled);
  if (b->failed || b->spec->arena.failed) return;
  for (int k = 1; sampled && k <= inputs; k++) {
    SignalRule rule = {.b = b};
    rule_add(&rule, "state_space_%d", k);
    signal_sample(b, b->local[n + k - 1], rule_text(&rule), "0");
  }
  for (int k = 0; k < n; k++) {
    SignalRule rate = {.b = b}, start = {.b = b};
    add_row(&rate, "A", A, k, "x");
    add_row(&rate, "B", B, k, u);
    if (signal_given(b, START)) rule_add(&start, "start_%d", k + 1);
    if (sampled)
      signal_delay(b, b->local[k], rule_text(&rate), rule_text(&start));
    else
      signal_state(b, b->local[k], rule_text(&rate), rule_text(&start));
  }
  for (int k = 0; k < outputs; k++) {
    SignalRule y = {.b = b};
    add_row(&y, "C", C, k, "x");
    add_row(&y, "D", D, k, u);
    if (outputs == 1)
      signal_value(b, rule_text(&y));
    else
      signal_output(b, sar_arena_printf(&b->spec->arena, "y%d", k + 1), rule_text(&y));
  }
}

const SarSignalKind sar_signal_state_space = {
    .name = "state_space",
    .doc = "linear system x' = A x + B u, y = C x + D u; several outputs are NAME.y1, NAME.y2, ...",
    .key = {{"state_space", SAR_SIGNAL_LIST, NULL, false, "inputs u"},
            {"A", SAR_SIGNAL_ROWS, NULL, false, "n x n"},
            {"B", SAR_SIGNAL_ROWS, NULL, false, "n x inputs"},
            {"C", SAR_SIGNAL_ROWS, NULL, false, "outputs x n"},
            {"D", SAR_SIGNAL_ROWS, "", false, "outputs x inputs; default: 0"},
            {"start", SAR_SIGNAL_LIST, "", false, "x where a run begins; default: 0"},
            {"period", SAR_SIGNAL_NUMBER, "", true,
             "time between two samples [s]: x is x at the next"},
            {"offset", SAR_SIGNAL_NUMBER, "0", false, "time of the first sample [s]"}},
    .nkey = 8,
    .example = "{state_space: [sin(3*t)], A: [[0, 1], [-10, -2]], B: [[0], [1]], C: [[3, 1]]}",
    .build = build_state_space,
};
