// Expressions over a whole run (objective.h). Integrals by the trapezoidal rule over the rows.
#include "cli/objective.h"

#include "expr/expr.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

typedef enum Kind { MAX, MIN, RMS, MEAN, FINAL, FIRST, INTEGRAL, KINDS } Kind;
static const char* const REDUCTIONS[KINDS] = {"max",   "min",   "rms",     "mean",
                                              "final", "first", "integral"};

// ---- text ---------------------------------------------------------------------------------------

static int kind_of(const char* word, size_t n) {
  for (int k = 0; k < KINDS; k++)
    if (strlen(REDUCTIONS[k]) == n && memcmp(REDUCTIONS[k], word, n) == 0) return k;
  return -1;
}

// From behind "(" to its ")"; NULL: there is none. *commas: between its arguments.
static const char* closing(const char* at, const char* end, int* commas) {
  int depth = 0;
  *commas = 0;
  for (; at < end; at++) {
    if (*at == '(') depth++;
    if (*at == ')' && depth-- == 0) return at;
    if (*at == ',' && depth == 0) ++*commas;
  }
  return NULL;
}

static bool add_reduction(const CliArgs* args, Objectives* o, const char* option, int kind,
                          const char* from, const char* to) {
  if (o->reductions == OBJECTIVE_MOST_REDUCTIONS) {
    cli_usage_error(args->command, "--%s: more than %d reductions", option,
                    OBJECTIVE_MOST_REDUCTIONS);
    return false;
  }
  Reduction* r = &o->reduction[o->reductions];
  r->kind = kind;
  r->column = -1;
  while (from < to && *from == ' ') from++;
  while (to > from && to[-1] == ' ') to--;
  snprintf(r->text, sizeof r->text, "%.*s", (int)(to - from), from);
  snprintf(r->name, sizeof r->name, "--objective %d", o->reductions + 1);
  o->column[o->reductions++] = (SarExpression){r->name, r->text};
  o->jumps = o->jumps || kind == MAX || kind == MIN;
  return true;
}

static bool is_name(char c) { return isalnum((unsigned char)c) || c == '_' || c == '.'; }

bool objective_read(const CliArgs* args, const char* option, const char* text, size_t n,
                    Objectives* o) {
  const char *at = text, *end = text + n;
  size_t used = 0;
  if (o->count == OBJECTIVE_MOST || n + 16 * OBJECTIVE_MOST_REDUCTIONS > OBJECTIVE_TEXT) {
    cli_usage_error(args->command, "--%s: too many, or too long", option);
    return false;
  }
  Objective* item = &o->item[o->count];
  *item = (Objective){.option = option, .given = text};
  while (at < end) {
    const char* word = at;
    while (at < end && is_name(*at)) at++;
    const char* open = at;
    while (open < end && *open == ' ') open++;
    const int kind =
        at > word && open < end && *open == '(' ? kind_of(word, (size_t)(at - word)) : -1;
    int commas = 0;
    const char* close = kind >= 0 ? closing(open + 1, end, &commas) : NULL;
    if (close && commas == 0) {
      if (!add_reduction(args, o, option, kind, open + 1, close)) return false;
      used +=
          (size_t)snprintf(item->text + used, sizeof item->text - used, "r__%d", o->reductions - 1);
      at = close + 1;
      continue;
    }
    if (at == word) at++;
    memcpy(item->text + used, word, (size_t)(at - word));
    used += (size_t)(at - word);
  }
  item->text[used] = 0;
  o->count++;
  return true;
}

// ---- numbers ------------------------------------------------------------------------------------

static double reduce(Kind kind, const SarTable* t, int column) {
  const double* x = t->values;
  const size_t n = t->rows, w = (size_t)t->columns, c = (size_t)column;
  double most = -HUGE_VAL, least = HUGE_VAL, sum = 0, squares = 0;
  for (size_t i = 0; i < n; i++) {
    const double value = x[i * w + c];
    if (!isfinite(value)) return (double)NAN;
    most = fmax(most, value);
    least = fmin(least, value);
    if (i == 0) continue;
    const double h = x[i * w] - x[(i - 1) * w], before = x[(i - 1) * w + c];
    sum += h * (value + before) / 2;
    squares += h * (value * value + before * before) / 2;
  }
  const double span = x[(n - 1) * w] - x[0];
  switch (kind) {
    case MAX: return most;
    case MIN: return least;
    case RMS: return sqrt(squares / span);
    case MEAN: return sum / span;
    case FINAL: return x[(n - 1) * w + c];
    case FIRST: return x[c];
    case INTEGRAL:
    case KINDS: break;
  }
  return sum;
}

void objective_measure(const void* objectives, const SarTable* rows, double* values) {
  const Objectives* o = objectives;
  for (int i = 0; i < o->reductions; i++) {
    int column = sar_table_find(rows, o->reduction[i].name);
    values[i] = column < 0 || rows->rows < 2 ? (double)NAN
                                             : reduce((Kind)o->reduction[i].kind, rows, column);
  }
}

// ---- the whole ----------------------------------------------------------------------------------

typedef struct Known {
  const Search* s;
  const double *p, *values;
  int reductions;
} Known;

static bool look_up(void* context, const char* name, double* value) {
  const Known* k = context;
  int index, end = 0;
  if (sscanf(name, "r__%d%n", &index, &end) == 1 && name[end] == 0 && index < k->reductions) {
    *value = k->values[index];
    return true;
  }
  for (int i = 0; i < k->s->count; i++)
    if (strcmp(k->s->axis[i].name, name) == 0) {
      *value = k->p[i];
      return true;
    }
  return false;
}

static bool evaluate(const Objectives* o, int which, const Search* s, const double* p,
                     const double* values, double* value, SarError* err) {
  const Objective* item = &o->item[which];
  Known known = {s, p, values, o->reductions};
  const char* names[SEARCH_MOST];
  char place[80];
  SarArena arena;
  sar_arena_init(&arena);
  snprintf(place, sizeof place, "--%s", item->option);
  for (int i = 0; i < s->count; i++) names[i] = s->axis[i].name;
  const SarExpr* e =
      sar_expr_parse(&arena, item->text, strlen(item->text), (SarLoc){.file = place}, err);
  const bool good = e && sar_expr_constant(e, look_up, &known, names, s->count, value, err);
  sar_arena_free(&arena);
  return good;
}

double objective_value(const Objectives* o, int which, const Search* s, const double* p,
                       const double* values) {
  SarError err;
  double value;
  sar_error_init(&err);
  return evaluate(o, which, s, p, values, &value, &err) ? value : (double)NAN;
}

bool objective_check(const CliArgs* args, const Objectives* o, int which, const Search* s,
                     const double* p, const double* values) {
  SarError err;
  double value;
  sar_error_init(&err);
  if (evaluate(o, which, s, p, values, &value, &err)) return true;
  cli_print_messages(&err);
  cli_usage_error(args->command,
                  "--%s '%s': outside of max, min, rms, mean, final, first and integral stand "
                  "numbers and parameters of --over alone, as in 'rms(hinge.q) + 0.1*k'",
                  o->item[which].option, o->item[which].given);
  return false;
}
