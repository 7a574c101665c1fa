// Parameters for an equilibrium (static_solve.h): what --solve and --to ask for.
//
//   R(p) = 0       p: parameters
//   R = N N' Q     forces left at the position of the file (and rates of states), without
//                  conditions
//   R = left - right  of every condition, where the mechanism rests
//
// R is evaluated in static_solve_trial.c and brought to 0 in static_solve_search.c.
#include "cli/static_solve_parts.h"

#include "model/sim.h"
#include "sim/outputs.h"

#include <math.h>
#include <string.h>

static bool add_name(const CliArgs* args, CliSolved* out, const char* name) {
  if (out->count == SOLVE_MOST) {
    cli_usage_error(args->command, "--solve: more than %d parameters", SOLVE_MOST);
    return false;
  }
  for (int i = 0; i < out->count; i++)
    if (strcmp(out->parameter[i].name, name) == 0) {
      cli_usage_error(args->command, "--solve: '%s' stands there twice", name);
      return false;
    }
  out->parameter[out->count++].name = name;
  return true;
}

// k,c
static bool read_names(const CliArgs* args, CliSolved* out, char* words, size_t size) {
  const char* text = cli_value(args, "solve");
  if (strlen(text) >= size) {
    cli_usage_error(args->command, "--solve: too long");
    return false;
  }
  sar_snprintf(out->names, sizeof out->names, "%s", text);
  sar_snprintf(words, size, "%s", text);
  for (char* at = words; at;) {
    char* comma = strchr(at, ',');
    if (comma) *comma = 0;
    while (*at == ' ') at++;
    for (size_t n = strlen(at); n > 0 && at[n - 1] == ' '; n--) at[n - 1] = 0;
    if (*at == 0) {
      cli_usage_error(args->command, "--solve: expected names of parameters, as in k,c; found '%s'",
                      text);
      return false;
    }
    if (!add_name(args, out, at)) return false;
    at = comma ? comma + 1 : NULL;
  }
  return true;
}

// LEFT = RIGHT
static bool read_condition(SolveSearch* a, const char* text) {
  CliSolved* out = a->out;
  const char* equals = strchr(text, '=');
  const size_t n = equals ? (size_t)(equals - text) : 0, most = sizeof a->text[0][0];
  const bool compares = equals && (equals[1] == '=' || (n > 0 && strchr("<>!", text[n - 1])));
  if (!equals || compares || strchr(equals + 1, '=') || n == 0 || n >= most || equals[1] == 0 ||
      strlen(equals + 1) >= most) {
    cli_usage_error(a->args->command, "--to: expected an equation like 'hinge.q = 0.1', found '%s'",
                    text);
    return false;
  }
  if (out->conditions == SOLVE_MOST) {
    cli_usage_error(a->args->command, "more than %d times --to", SOLVE_MOST);
    return false;
  }
  const int i = out->conditions++;
  out->condition[i] = text;
  sar_snprintf(a->text[i][0], most, "%.*s", (int)n, text);
  sar_snprintf(a->text[i][1], most, "%s", equals + 1);
  for (int k = 0; k < 2; k++)
    sar_snprintf(a->column[i][k], sizeof a->column[i][k], "--to %d %s", i + 1,
                 k ? "right" : "left");
  return true;
}

// What the parameters are before: columns of their own.
static bool read_values(SolveSearch* a, int* status) {
  CliSolved* out = a->out;
  SarExpression columns[SOLVE_MOST];
  char name[SOLVE_MOST][32];
  SarError err;
  sar_error_init(&err);
  for (int i = 0; i < out->count; i++) {
    sar_snprintf(name[i], sizeof name[i], "--solve %d", i + 1);
    columns[i] = (SarExpression){name[i], out->parameter[i].name};
  }
  const CliLoad how = {.coordinates = cli_value(a->args, "coordinates"),
                       .columns = columns,
                       .column_count = out->count};
  SolveTrial t = {.m = cli_load_as(a->args, a->args->operand[0], &how, status)};
  if (!t.m) return false;
  SarStatus st = sar_data_new(t.m, &t.d, &err);
  if (st == SAR_OK) st = sar_sim_new(t.m, t.d, NULL, &t.s, &err);
  t.values = sar_alloc((size_t)(t.m->nchannel + 1) * sizeof(double));
  if (st == SAR_OK) st = t.values ? sar_outputs(t.s, t.values) : SAR_NO_MEMORY;
  for (int i = 0; st == SAR_OK && i < out->count; i++) {
    out->before[i] = t.values[sar_model_find(t.m, SAR_ITEM_OUTPUT, name[i])];
    a->size[i] = out->before[i] != 0 ? fabs(out->before[i]) : 1;
  }
  cli_print_messages(&err);
  if (st != SAR_OK && err.errors == 0) cli_say_status("sarrus static", a->args->operand[0], st);
  if (st != SAR_OK) *status = cli_exit_status(st);
  solve_end_trial(&t);
  return st == SAR_OK;
}

int cli_solve(const CliArgs* args, const SarStaticsOptions* o, double time, char* words,
              size_t size, CliSolved* out) {
  SolveSearch a = {.args = args, .o = o, .time = time, .out = out, .rows = -1};
  int status = EXIT_DONE;
  *out = (CliSolved){0};
  if (!cli_value(args, "solve")) {
    if (args->to_count == 0) return EXIT_DONE;
    return cli_usage_error(args->command, "--to: name the parameters to solve for, by --solve");
  }
  if (!read_names(args, out, words, size)) return EXIT_USAGE;
  for (int i = 0; i < args->to_count; i++)
    if (!read_condition(&a, args->to[i])) return EXIT_USAGE;
  if (read_values(&a, &status)) status = solve_search(&a);
  sar_free(a.q);
  sar_free(a.R);
  sar_free(a.R_new);
  sar_free(a.scale);
  sar_free(a.J);
  return status;
}
