// Runs of a search, side by side, and the journal that has them (search.h).
#include "cli/search.h"

#include "cli/interrupt.h"

#include <string.h>

// ---- runs ---------------------------------------------------------------------------------------

static bool on_stop(void* context) {
  (void)context;
  return cli_interrupted();
}

static SarStatus load(const Search* s, const double* p, SarModel** m, SarError* err) {
  CliLoading loading;
  SarParameter value[SEARCH_MOST];
  const char* coordinates = cli_value(s->args, "coordinates");
  const char* formulation = cli_value(s->args, "formulation");
  if (!coordinates && formulation && cli_needs_absolute(formulation)) coordinates = "absolute";
  for (int i = 0; i < s->count; i++) value[i] = (SarParameter){s->axis[i].name, p[i]};
  const CliLoad how = {.coordinates = coordinates,
                       .parameters = value,
                       .parameter_count = s->count,
                       .columns = s->column,
                       .column_count = s->columns};
  if (!cli_load_options(s->args, &how, &loading)) return SAR_BAD_ARGUMENT;
  loading.o.on_file = NULL;
  return sar_model_load(s->job.path, &loading.o, m, err);
}

static SarStatus compute(const Search* s, SearchTrial* t, double* value, SarError* err) {
  SarModel* m = NULL;
  SarRun* run = NULL;
  SarStatus st = load(s, t->p, &m, err);
  if (st == SAR_OK) {
    SarRunOptions o = s->job.run;
    o.sim = &s->job.sim;
    o.keep_rows = true;
    o.should_stop = on_stop;
    o.times = s->times;
    o.time_count = s->time_count;
    st = sar_run(m, &o, &run, err);
  }
  if (run && st != SAR_OK)
    snprintf(t->trouble, sizeof t->trouble, "%s", sar_run_report(run)->trouble);
  if (st == SAR_OK && cli_interrupted()) st = SAR_STOPPED;
  if (st == SAR_OK) s->measure(s->context, sar_run_table(run), value);
  sar_run_free(run);
  sar_model_free(m);
  return st;
}

static void run_trial(void* context, int index) {
  Search* s = ((void**)context)[0];
  SearchTrial** list = ((void**)context)[1];
  SearchTrial* t = list[index];
  SarError err;
  sar_error_init(&err);
  double* value = sar_alloc((size_t)(s->values + 1) * sizeof *value);
  const SarStatus st = value ? compute(s, t, value, &err) : SAR_NO_MEMORY;
  for (int i = err.count - 1; st != SAR_OK && !t->trouble[0] && i >= 0; i--)
    if (err.items[i].severity == SAR_ERROR)
      sar_error_format(&err, i, t->trouble, sizeof t->trouble);
  if (st != SAR_OK && !t->trouble[0])
    snprintf(t->trouble, sizeof t->trouble, "%s", sar_status_text(st));
  t->value = value;
  if (st == SAR_OK) return;
  sar_free(value);
  t->value = NULL;
}

// ---- the list of trials -------------------------------------------------------------------------

static int find(Search* s, const double* p) {
  const size_t size = (size_t)s->count * sizeof *p;
  for (int k = 0; k < s->trials; k++) {
    const int i = (s->hint + k) % s->trials;
    if (memcmp(s->trial[i].p, p, size) == 0) {
      s->hint = i + 1;
      return i;
    }
  }
  return -1;
}

static SearchTrial* add(Search* s, const double* p) {
  if (s->trials == s->capacity) {
    const int capacity = 2 * s->capacity + 64;
    SearchTrial* larger = sar_alloc((size_t)capacity * sizeof *larger);
    if (!larger) return NULL;
    if (s->trials) memcpy(larger, s->trial, (size_t)s->trials * sizeof *larger);
    sar_free(s->trial);
    s->trial = larger;
    s->capacity = capacity;
  }
  SearchTrial* t = &s->trial[s->trials++];
  *t = (SearchTrial){0};
  memcpy(t->p, p, (size_t)s->count * sizeof *p);
  return t;
}

// Record: parameters, 1 or 0 (it failed), and the numbers or the message.
static SarStatus keep(Search* s, const SearchTrial* t, SarError* err) {
  const size_t head = (size_t)(s->count + 1) * sizeof(double);
  const size_t tail = t->value ? (size_t)s->values * sizeof(double) : strlen(t->trouble);
  unsigned char* bytes = sar_alloc_brief(head + tail + 1);
  if (!bytes) return SAR_NO_MEMORY;
  const double good = t->value != NULL;
  memcpy(bytes, t->p, head - sizeof good);
  memcpy(bytes + head - sizeof good, &good, sizeof good);
  if (tail) memcpy(bytes + head, t->value ? (const void*)t->value : t->trouble, tail);
  const SarStatus st = sar_journal_add(s->journal, 0, bytes, head + tail, NULL, err);
  sar_free(bytes);
  return st;
}

static void take_over(void* context, uint64_t key, const void* bytes, size_t size, uint64_t place) {
  Search* s = context;
  double p[SEARCH_MOST], good;
  const size_t head = (size_t)(s->count + 1) * sizeof(double);
  (void)key, (void)place;
  if (size < head) return;
  memcpy(p, bytes, head - sizeof good);
  memcpy(&good, (const char*)bytes + head - sizeof good, sizeof good);
  const size_t tail = size - head, wanted = (size_t)s->values * sizeof(double);
  if ((good == 1 && tail != wanted) || find(s, p) >= 0) return;
  SearchTrial* t = add(s, p);
  if (!t) return;
  if (good == 1) t->value = sar_alloc(wanted + sizeof(double));
  if (good == 1 && !t->value) {
    s->trials--;
    return;
  }
  if (t->value)
    memcpy(t->value, (const char*)bytes + head, wanted);
  else
    snprintf(t->trouble, sizeof t->trouble, "%.*s", (int)tail, (const char*)bytes + head);
  s->resumed++;
}

SarStatus search_run(Search* s, int n, const double* p, const SearchTrial** out) {
  const int before = s->trials;
  SarError err;
  SarStatus st = SAR_OK;
  sar_error_init(&err);
  int* index = sar_alloc((size_t)(n + 1) * sizeof *index);
  SearchTrial** fresh = sar_alloc((size_t)(n + 1) * sizeof *fresh);
  if (!index || !fresh) st = SAR_NO_MEMORY;
  for (int i = 0; i < n && st == SAR_OK; i++) {
    index[i] = find(s, p + i * s->count);
    if (index[i] >= 0) continue;
    index[i] = s->trials;
    if (!add(s, p + i * s->count)) st = SAR_NO_MEMORY;
  }
  const int more = st == SAR_OK ? s->trials - before : 0;
  for (int i = 0; i < more; i++) fresh[i] = &s->trial[before + i];
  void* context[2] = {s, fresh};
  if (more > 0) sar_pool_run(s->pool, more, run_trial, context);
  if (st == SAR_OK && cli_interrupted() && more > 0) st = SAR_STOPPED;
  if (st == SAR_OK) s->runs += more;
  for (int i = 0; i < n && st == SAR_OK; i++) {
    SearchTrial* t = &s->trial[index[i]];
    if (t->counted) continue;
    t->counted = true;
    s->used += index[i] < s->resumed;
    s->failed += !t->value;
  }
  for (int i = 0; i < more && st == SAR_OK; i++) {
    if (s->journal) st = keep(s, fresh[i], &err);
  }
  if (st == SAR_OK && s->journal && more > 0) st = sar_journal_sync(s->journal, &err);
  for (int i = 0; i < n && st == SAR_OK; i++) out[i] = &s->trial[index[i]];
  sar_free(index);
  sar_free(fresh);
  cli_print_messages(&err);
  return st;
}

// ---- the journal --------------------------------------------------------------------------------

static const char* const METHOD[] = {"formulation", "integrator", "step",       "end",
                                     "output-step", "rtol",       "atol",       "max-step",
                                     "fixed",       "adaptive",   "coordinates"};

int search_open(Search* s, const char* identity) {
  enum { ROOM = 1 << 14 };
  const char* path = cli_value(s->args, "journal");
  SarJournalReport report;
  CliOutput file;
  SarError err;
  size_t n = 0;
  unsigned long long files;
  if (!path) return EXIT_DONE;
  char* text = sar_alloc(ROOM);
  if (!text) return EXIT_INTERNAL;
  sar_error_init(&err);
  cli_inputs_hash(&files);
  n += (size_t)sar_snprintf(text, ROOM, "program=%s\ncommand=%s\ncontents of the files=%016llx\n%s",
                            sar_version(), s->args->command->name, files, identity);
  for (size_t i = 0; i < sizeof METHOD / sizeof *METHOD && n < ROOM; i++) {
    const char* value = cli_value(s->args, METHOD[i]);
    n += (size_t)sar_snprintf(text + n, ROOM - n, "--%s=%s\n", METHOD[i],
                              value ? value : "(not given)");
  }
  for (int i = 0; i < s->args->set_count && n < ROOM; i++)
    n += (size_t)sar_snprintf(text + n, ROOM - n, "--set=%s\n", s->args->set[i]);
  for (int i = 0; i < s->count && n < ROOM; i++)
    n += (size_t)sar_snprintf(text + n, ROOM - n, "--over %s=%.17g %.17g %.17g %d\n",
                              s->axis[i].name, s->axis[i].low, s->axis[i].high, s->axis[i].start,
                              s->axis[i].log);
  SarStatus st = cli_output_begin(s->args, path, &file, &err);
  if (st == SAR_OK && file.temporary[0]) {
    sar_report(&err, (SarLoc){.file = path}, "", "a journal cannot take the place of an input");
    st = SAR_BAD_ARGUMENT;
  }
  if (st == SAR_OK) st = sar_journal_open(path, text, take_over, s, &s->journal, &report, &err);
  s->hint = 0;
  sar_free(text);
  cli_print_messages(&err);
  return cli_exit_status(st);
}
