// What makes two sweeps the same (sweep_record.h): program, contents of the files, values, columns
// and all options that results depend on. A journal begins with it, and every rank of an MPI job
// has to have the same.
#include "cli/sweep_record.h"

#include <string.h>

enum { ROOM = 1 << 14 };

// Options of which the rows depend.
static const char* const METHOD[] = {"formulation", "integrator", "step",        "end",
                                     "output-step", "rtol",       "atol",        "max-step",
                                     "fixed",       "adaptive",   "coordinates", "rows"};

static unsigned long long mix(unsigned long long hash, const void* bytes, size_t n) {
  const unsigned char* at = bytes;
  for (size_t i = 0; i < n; i++) hash = (hash ^ at[i]) * 0x100000001b3u;
  return hash;
}

static unsigned long long hash_columns(const Sweep* s) {
  unsigned long long hash = 0xcbf29ce484222325u;
  for (int i = 0; i < s->columns; i++) {
    const char* name = sar_model_name(s->base, SAR_ITEM_OUTPUT, s->column[i]);
    hash = mix(hash, name, strlen(name) + 1);
  }
  return hash;
}

static void add_values(const Sweep* s, char* text, size_t* n) {
  for (int i = 0; i < s->plan.axes && *n < ROOM; i++) {
    const SweepAxis* a = &s->plan.axis[i];
    const unsigned long long hash =
        mix(0xcbf29ce484222325u, a->value, (size_t)a->count * sizeof *a->value);
    *n += (size_t)sar_snprintf(text + *n, ROOM - *n, "values of %s=%s %d %016llx\n", a->name,
                               a->option, a->count, hash);
  }
}

static void add_options(const CliArgs* args, char* text, size_t* n) {
  for (size_t i = 0; i < sizeof METHOD / sizeof *METHOD && *n < ROOM; i++) {
    const char* value = cli_value(args, METHOD[i]);
    *n += (size_t)sar_snprintf(text + *n, ROOM - *n, "--%s=%s\n", METHOD[i],
                               !value ? "(not given)" : value);
  }
  for (int i = 0; i < args->set_count && *n < ROOM; i++)
    *n += (size_t)sar_snprintf(text + *n, ROOM - *n, "--set=%s\n", args->set[i]);
  for (int i = 0; i < args->functions_count && *n < ROOM; i++)
    *n += (size_t)sar_snprintf(text + *n, ROOM - *n, "--functions=%s\n", args->functions[i]);
  for (int i = 0; i < args->fmu_count && *n < ROOM; i++)
    *n += (size_t)sar_snprintf(text + *n, ROOM - *n, "--fmu=%s\n", args->fmu[i]);
}

char* sweep_identity(const Sweep* s) {
  char* text = sar_alloc(ROOM);
  size_t n = 0;
  unsigned long long files;
  if (!text) return NULL;
  cli_inputs_hash(&files);
  n += (size_t)sar_snprintf(text, ROOM, "program=%s\ncontents of the model's files=%016llx\n",
                            sar_version(), files);
  n += (size_t)sar_snprintf(text + n, ROOM - n, "number of instances=%d\ncolumns=%d %016llx\n",
                            s->plan.instances, s->columns, hash_columns(s));
  n += (size_t)sar_snprintf(text + n, ROOM - n, "generated code=%s\n",
                            !s->generated  ? "(not given)"
                            : s->lanes > 0 ? "yes"
                                           : "no");
  add_values(s, text, &n);
  if (n < ROOM) add_options(s->args, text, &n);
  return text;
}
