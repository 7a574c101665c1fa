// Parameters of a search, and where to start (search.h).
#include "cli/search.h"

#include <math.h>
#include <string.h>

// ---- parameters ---------------------------------------------------------------------------------

double search_from_unit(const SearchAxis* a, double u) {
  if (u <= 0) return a->low;
  if (u >= 1) return a->high;
  return a->log ? a->low * pow(a->high / a->low, u) : a->low + u * (a->high - a->low);
}

double search_to_unit(const SearchAxis* a, double x) {
  return a->log ? log(x / a->low) / log(a->high / a->low) : (x - a->low) / (a->high - a->low);
}

static bool number(const char* from, const char* to, double* x) {
  char piece[80];
  const size_t n = (size_t)(to - from);
  if (n >= sizeof piece) return false;
  memcpy(piece, from, n);
  piece[n] = 0;
  return sar_parse_number(piece, x) == SAR_OK && isfinite(*x);
}

// NAME=LOW:HIGH or NAME=LOW:HIGH:log
static int read_axis(Search* s, const char* text) {
  const CliCommand* command = s->args->command;
  SearchAxis* a = &s->axis[s->count];
  const char* equals = strchr(text, '=');
  const char* colon = equals ? strchr(equals, ':') : NULL;
  const char* second = colon ? strchr(colon + 1, ':') : NULL;
  const char* end = second ? second : text + strlen(text);
  const size_t n = equals ? (size_t)(equals - text) : 0;
  if (!colon || n == 0 || n >= sizeof a->name || !number(equals + 1, colon, &a->low) ||
      !number(colon + 1, end, &a->high) || (second && strcmp(second, ":log") != 0))
    return cli_usage_error(command, "--over '%s': expected NAME=LOW:HIGH or NAME=LOW:HIGH:log",
                           text);
  memcpy(a->name, text, n);
  a->name[n] = 0;
  a->log = second;
  a->start = (double)NAN;
  if (!(a->low < a->high))
    return cli_usage_error(command, "--over '%s': the lower bound comes first, and is lower", text);
  if (a->log && !(a->low > 0))
    return cli_usage_error(command, "--over '%s': logarithmic steps need bounds above 0", text);
  for (int i = 0; i < s->count; i++)
    if (strcmp(s->axis[i].name, a->name) == 0)
      return cli_usage_error(command, "--over: '%s' stands there twice", a->name);
  for (int i = 0; i < s->args->set_count; i++)
    if (strncmp(s->args->set[i], a->name, n) == 0 && s->args->set[i][n] == '=')
      return cli_usage_error(command, "--over '%s': --set gives this parameter one value", text);
  s->count++;
  return EXIT_DONE;
}

// NAME=VALUE
static int read_start(Search* s, const char* text) {
  const CliCommand* command = s->args->command;
  const char* equals = strchr(text, '=');
  const char* names[SEARCH_MOST];
  char hint[300];
  for (int i = 0; i < s->count; i++) names[i] = s->axis[i].name;
  for (int i = 0; equals && i < s->count; i++) {
    SearchAxis* a = &s->axis[i];
    if (strlen(a->name) != (size_t)(equals - text) || strncmp(a->name, text, strlen(a->name)))
      continue;
    if (!number(equals + 1, text + strlen(text), &a->start))
      return cli_usage_error(command, "--start '%s': expected NAME=VALUE", text);
    if (!(a->start >= a->low && a->start <= a->high))
      return cli_usage_error(command, "--start '%s': outside of the bounds of --over, %.6g to %.6g",
                             text, a->low, a->high);
    return EXIT_DONE;
  }
  if (!equals) return cli_usage_error(command, "--start '%s': expected NAME=VALUE", text);
  char word[64];
  snprintf(word, sizeof word, "%.*s", (int)(equals - text), text);
  return cli_usage_error(command, "--start '%s': no such parameter in --over; %s", text,
                         sar_text_offer(hint, sizeof hint, word, names, s->count));
}

int search_read(const CliArgs* args, Search* s) {
  double threads = 0;
  int status = EXIT_DONE;
  s->args = args;
  s->job = (SimulateJob){.path = args->operand[0], .digits = 17};
  if (cli_mpi_ranks() > 1)
    return cli_usage_error(args->command,
                           "this command runs on one machine, not as an MPI job; 'sarrus sweep' "
                           "does");
  if (args->over_count == 0)
    return cli_usage_error(args->command, "over what? give --over NAME=LOW:HIGH");
  if (args->over_count > SEARCH_MOST)
    return cli_usage_error(args->command, "more than %d times --over", SEARCH_MOST);
  for (int i = 0; i < args->over_count; i++) {
    const int one = read_axis(s, args->over[i]);
    if (one != EXIT_DONE) status = one;
  }
  for (int i = 0; status == EXIT_DONE && i < args->start_count; i++)
    status = read_start(s, args->start[i]);
  if (status != EXIT_DONE) return status;
  status = simulate_options(args, &s->job);
  if (status != EXIT_DONE) return status;
  if (!cli_positive(args, "threads", &threads)) return EXIT_USAGE;
  if (threads != floor(threads) || threads > 1024)
    return cli_usage_error(args->command, "--threads: expected a whole number from 1 to 1024");
  return sar_pool_new((int)threads, &s->pool) == SAR_OK ? EXIT_DONE : EXIT_INTERNAL;
}

// ---- the model, and where to start ----------------------------------------------------

// Parameters that were not given by --start are what the file says, if that is within the bounds.
static int find_starts(Search* s) {
  SarExpression column[SEARCH_MOST];
  char name[SEARCH_MOST][32];
  int status;
  for (int i = 0; i < s->count; i++) {
    snprintf(name[i], sizeof name[i], "--over %d", i + 1);
    column[i] = (SarExpression){name[i], s->axis[i].name};
  }
  const CliLoad how = {.columns = column, .column_count = s->count};
  SarModel* m = cli_load_as(s->args, s->job.path, &how, &status);
  if (!m) return status;
  SarData* d = NULL;
  SarSim* sim = NULL;
  double* values = sar_alloc((size_t)(sar_model_count(m, SAR_ITEM_OUTPUT) + 1) * sizeof *values);
  const bool known = values && sar_data_new(m, &d, NULL) == SAR_OK &&
                     sar_sim_new(m, d, NULL, &sim, NULL) == SAR_OK &&
                     sar_outputs(sim, values) == SAR_OK;
  for (int i = 0; i < s->count; i++) {
    SearchAxis* a = &s->axis[i];
    if (!isnan(a->start)) continue;
    const double x = known ? values[sar_model_find(m, SAR_ITEM_OUTPUT, name[i])] : (double)NAN;
    a->start = x >= a->low && x <= a->high ? x : search_from_unit(a, 0.5);
  }
  sar_free(values);
  sar_sim_free(sim);
  sar_data_free(d);
  sar_model_free(m);
  return EXIT_DONE;
}

int search_load(Search* s) {
  int status = find_starts(s);
  if (status != EXIT_DONE) return status;
  SarParameter value[SEARCH_MOST];
  for (int i = 0; i < s->count; i++) value[i] = (SarParameter){s->axis[i].name, s->axis[i].start};
  const char* coordinates = cli_value(s->args, "coordinates");
  const char* formulation = cli_value(s->args, "formulation");
  if (!coordinates && formulation && cli_needs_absolute(formulation)) coordinates = "absolute";
  const CliLoad how = {.coordinates = coordinates,
                       .parameters = value,
                       .parameter_count = s->count,
                       .columns = s->column,
                       .column_count = s->columns};
  s->base = cli_load_as(s->args, s->job.path, &how, &status);
  return s->base ? EXIT_DONE : status;
}

// ---- slopes -------------------------------------------------------------------------------------
//   f'(u) = (4 D(h) - D(2h)) / 3,  D(h) = (f(u + h) - f(u - h)) / 2h
// near a bound the steps are shorter, on it they are one-sided: (4 f(h) - 3 f(0) - f(2h)) / 2h

static const double STEP = 2e-3, SHORTEST = 2e-5;  // shares of a range

static SearchStencil stencil_at(double u) {
  const double room = fmin(u, 1 - u), h = fmin(STEP, room / 2);
  if (h >= SHORTEST)
    return (SearchStencil){
        {h, -h, 2 * h, -2 * h}, {8 / (12 * h), -8 / (12 * h), -1 / (12 * h), 1 / (12 * h)}, 0, 4};
  const double d = u < 0.5 ? STEP : -STEP;
  return (SearchStencil){{d, 2 * d}, {4 / (2 * d), -1 / (2 * d)}, -3 / (2 * d), 2};
}

int search_stencils(const Search* s, const double* u, SearchStencil* stencil, double* points) {
  const int count = s->count;
  int n = 1;
  memcpy(points, u, (size_t)count * sizeof *u);
  for (int i = 0; i < count && stencil; i++) {
    stencil[i] = stencil_at(u[i]);
    for (int k = 0; k < stencil[i].points; k++, n++) {
      memcpy(points + n * count, u, (size_t)count * sizeof *u);
      points[n * count + i] += stencil[i].at[k];
    }
  }
  return n;
}

void search_free(Search* s) {
  for (int i = 0; i < s->trials; i++) sar_free(s->trial[i].value);
  sar_free(s->trial);
  sar_journal_close(s->journal);
  sar_pool_free(s->pool);
  sar_model_free(s->base);
}
