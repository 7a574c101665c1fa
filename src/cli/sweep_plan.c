// What --vary and --random ask for (sweep.h):
//   NAME=A:B:N[:log]   N values from A to B, both included
//   NAME=A,B,...       these
//   NAME=FILE.csv      a column of a table: that of this name, or the only one
//   NAME~N(M,S)xK      K samples, normal with mean M and standard deviation S
//   NAME~U(A,B)xK      K samples, uniform from A to B; xK once is enough
#include "cli/sweep.h"

#include "cli/files.h"

#include <math.h>
#include <string.h>
#include <strings.h>

// ---- pieces -------------------------------------------------------------------------------------

static bool complain(const CliArgs* args, const SweepAxis* a, const char* text, const char* what) {
  cli_usage_error(args->command, "--%s '%s': %s", a->option, text, what);
  return false;
}

// A number with a unit, as --set takes it, from a text that ends at `end`.
static bool number(const char* text, const char* end, double* x) {
  char piece[80];
  const size_t n = (size_t)(end - text);
  if (n >= sizeof piece) return false;
  memcpy(piece, text, n);
  piece[n] = '\0';
  return sar_parse_number(piece, x) == SAR_OK && isfinite(*x);
}

static bool whole(const char* text, const char* end, int* n) {
  double x;
  if (!sar_text_to_double(text, (size_t)(end - text), &x)) return false;
  if (!(x >= 1 && x <= SWEEP_MOST_INSTANCES) || x != floor(x)) return false;
  *n = (int)x;
  return true;
}

static bool room(SweepAxis* a, int count) {
  a->count = count;
  a->value = sar_alloc((size_t)count * sizeof *a->value);
  return a->value;
}

// The name before `sign`; what is behind it.
static const char* split_name(const char* text, char sign, SweepAxis* a) {
  const char* at = strchr(text, sign);
  const size_t n = at ? (size_t)(at - text) : 0;
  if (n == 0 || n >= sizeof a->name) return NULL;
  memcpy(a->name, text, n);
  a->name[n] = '\0';
  return at + 1;
}

// ---- axes of the grid ---------------------------------------------------------------------------

static bool range_values(const CliArgs* args, SweepAxis* a, const char* text, const char* body) {
  const char *first = strchr(body, ':'), *second = strchr(first + 1, ':');
  const char* log_word = second ? strchr(second + 1, ':') : NULL;
  const char* end = body + strlen(body);
  double from, to;
  int n;
  if (!second || !number(body, first, &from) || !number(first + 1, second, &to) ||
      !whole(second + 1, log_word ? log_word : end, &n) || (log_word && strcmp(log_word, ":log")))
    return complain(args, a, text,
                    "expected NAME=FROM:TO:COUNT, with a whole COUNT from 1, or "
                    "NAME=FROM:TO:COUNT:log");
  if (n == 1 && from != to) return complain(args, a, text, "one value cannot be at both ends");
  if (log_word && !(from * to > 0))
    return complain(args, a, text, "logarithmic steps need ends of one sign, and not 0");
  if (!room(a, n)) return complain(args, a, text, "out of memory");
  // whole multiples of the ends, so that -1:2:4 has a 0 and no 1e-16
  const int last = n > 1 ? n - 1 : 1;
  for (int i = 0; i < n; i++)
    a->value[i] =
        log_word ? from * pow(to / from, (double)i / last) : (from * (last - i) + to * i) / last;
  a->value[n - 1] = to;
  return true;
}

static bool listed_values(const CliArgs* args, SweepAxis* a, const char* text, const char* body) {
  int n = 1;
  for (const char* c = body; *c; c++) n += *c == ',';
  if (!room(a, n)) return complain(args, a, text, "out of memory");
  n = 0;
  for (const char* at = body;; n++) {
    const char* end = at + strcspn(at, ",");
    if (!number(at, end, &a->value[n]))
      return complain(args, a, text,
                      "expected NAME=FROM:TO:COUNT, NAME=VALUE,VALUE,... or NAME=FILE.csv");
    if (!*end) return true;
    at = end + 1;
  }
}

static bool table_values(const CliArgs* args, SweepAxis* a, const char* text, const char* path) {
  SarError err;
  SarTable* t = NULL;
  double x;
  sar_error_init(&err);
  cli_input(NULL, path);
  const SarStatus st = sar_table_load(path, &t, &err);
  cli_print_messages(&err);
  if (st != SAR_OK) return complain(args, a, text, "the table was not read");
  const int columns = sar_table_columns(t), rows = (int)sar_table_rows(t);
  const int column = columns == 1 ? 0 : sar_table_find(t, a->name);
  const char* head = sar_table_name(t, column < 0 ? 0 : column);
  bool good = false;
  if (sar_text_to_double(head, strlen(head), &x))
    complain(args, a, text, "the first line of the table must name its columns");
  else if (column < 0)
    complain(args, a, text, "the table has several columns, and none of this name");
  else if (rows < 1 || sar_table_rows(t) > SWEEP_MOST_INSTANCES || !room(a, rows))
    complain(args, a, text, "the table has no rows, or too many");
  else
    good = true;
  for (int i = 0; good && i < rows; i++) {
    a->value[i] = sar_table_values(t)[i * columns + column];
    if (!isfinite(a->value[i]))
      good = complain(args, a, text, "the table has values that are not finite");
  }
  sar_table_free(t);
  return good;
}

static bool is_table(const char* body) {
  const char* dot = strrchr(body, '.');
  return dot && (strcasecmp(dot, ".csv") == 0 || strcasecmp(dot, ".h5") == 0 ||
                 strcasecmp(dot, ".hdf5") == 0);
}

static bool read_vary(const CliArgs* args, const char* text, SweepAxis* a) {
  a->option = "vary";
  const char* body = split_name(text, '=', a);
  if (!body || !*body)
    return complain(args, a, text,
                    "expected NAME=FROM:TO:COUNT, NAME=VALUE,VALUE,... or NAME=FILE.csv");
  if (is_table(body)) return table_values(args, a, text, body);
  return strchr(body, ':') ? range_values(args, a, text, body) : listed_values(args, a, text, body);
}

// ---- samples ------------------------------------------------------------------------------------

typedef struct Law {
  bool normal;
  double a, b;
  int samples;  // 0: not said
} Law;

static bool read_law(const CliArgs* args, const char* text, SweepAxis* a, Law* law) {
  a->option = "random";
  const char* body = split_name(text, '~', a);
  const char* comma = body ? strchr(body, ',') : NULL;
  const char* close = body ? strchr(body, ')') : NULL;
  *law = (Law){.normal = body && body[0] == 'N'};
  if (!comma || !close || comma > close || (body[0] != 'N' && body[0] != 'U') || body[1] != '(' ||
      !number(body + 2, comma, &law->a) || !number(comma + 1, close, &law->b) ||
      (close[1] && (close[1] != 'x' || !whole(close + 2, close + strlen(close), &law->samples))))
    return complain(args, a, text,
                    "expected NAME~N(MEAN,DEVIATION)xCOUNT or NAME~U(FROM,TO)xCOUNT");
  if (law->normal && !(law->b >= 0))
    return complain(args, a, text, "a standard deviation is not negative");
  if (!law->normal && !(law->b >= law->a)) return complain(args, a, text, "FROM is beyond TO");
  return true;
}

static bool draw(const CliArgs* args, const SweepPlan* plan, SweepAxis* a, const Law* law) {
  if (!room(a, plan->samples)) return complain(args, a, a->name, "out of memory");
  for (int k = 0; k < a->count; k++)
    a->value[k] = law->normal ? law->a + law->b * sweep_normal(plan->seed, a->name, k)
                              : law->a + (law->b - law->a) * sweep_uniform(plan->seed, a->name, k);
  return true;
}

static bool read_random(const CliArgs* args, SweepPlan* plan) {
  Law law[CLI_MAX_SETS];
  bool good = true;
  int samples = 0;
  for (int i = 0; i < args->random_count; i++) {
    SweepAxis* a = &plan->axis[plan->axes + i];
    if (!read_law(args, args->random[i], a, &law[i])) {
      good = false;
      continue;
    }
    if (samples && law[i].samples && law[i].samples != samples)
      good = complain(args, a, args->random[i],
                      "all --random are drawn together: give one count, or the same");
    if (law[i].samples) samples = law[i].samples;
  }
  if (good && args->random_count > 0 && samples == 0)
    good = complain(args, &plan->axis[plan->axes], args->random[0],
                    "how many samples? end it with x1000");
  plan->samples = samples ? samples : 1;
  for (int i = 0; good && i < args->random_count; i++)
    good = draw(args, plan, &plan->axis[plan->axes + i], &law[i]);
  plan->axes += args->random_count;
  return good;
}

// ---- the whole ----------------------------------------------------------------------------------

static bool names_differ(const CliArgs* args, const SweepPlan* plan) {
  bool good = true;
  for (int i = 0; i < plan->axes; i++) {
    const SweepAxis* a = &plan->axis[i];
    for (int k = 0; k < i; k++)
      if (strcmp(plan->axis[k].name, a->name) == 0)
        good = complain(args, a, a->name, "this parameter is varied twice");
    for (int k = 0; k < args->set_count; k++)
      if (strncmp(args->set[k], a->name, strlen(a->name)) == 0 &&
          args->set[k][strlen(a->name)] == '=')
        good = complain(args, a, a->name, "--set gives this parameter one value");
  }
  return good;
}

static bool count_instances(const CliArgs* args, SweepPlan* plan) {
  double n = plan->samples;
  for (int i = 0; i < plan->grid_axes; i++) n *= plan->axis[i].count;
  if (n > SWEEP_MOST_INSTANCES) {
    cli_usage_error(args->command, "%.4g instances are more than %d", n, SWEEP_MOST_INSTANCES);
    return false;
  }
  plan->instances = (int)n;
  return true;
}

int sweep_plan(const CliArgs* args, SweepPlan* plan) {
  double seed = 1;
  *plan = (SweepPlan){.samples = 1};
  if (args->vary_count + args->random_count == 0)
    return cli_usage_error(args->command, "nothing is varied: give --vary or --random");
  if (!cli_number(args, "seed", &seed)) return EXIT_USAGE;
  if (!(seed >= 0 && seed <= 0x1p53) || seed != floor(seed))
    return cli_usage_error(args->command, "--seed: expected a whole number from 0");
  plan->seed = (unsigned long long)seed;
  bool good = true;
  for (int i = 0; i < args->vary_count; i++)
    good = read_vary(args, args->vary[i], &plan->axis[plan->axes++]) && good;
  plan->grid_axes = plan->axes;
  good = read_random(args, plan) && good;
  if (!good || !names_differ(args, plan) || !count_instances(args, plan)) return EXIT_USAGE;
  return EXIT_DONE;
}

void sweep_plan_free(SweepPlan* plan) {
  for (int i = 0; i < SWEEP_MOST_AXES; i++) sar_free(plan->axis[i].value);
}

double sweep_value(const SweepPlan* plan, int axis, int instance) {
  if (axis >= plan->grid_axes) return plan->axis[axis].value[instance % plan->samples];
  int at = instance / plan->samples;
  for (int i = plan->grid_axes - 1; i > axis; i--) at /= plan->axis[i].count;
  return plan->axis[axis].value[at % plan->axis[axis].count];
}
