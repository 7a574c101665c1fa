// Settings of an FMU of ours (settings.h).
#include "fmi/settings.h"

#include "base/error.h"
#include "base/print.h"
#include "base/text.h"
#include "io/source.h"

#include <limits.h>
#include <string.h>

static const char HEAD[] = "sarrus-fmu 1";
enum { LARGEST = 1 << 20 };

// Options of a simulation that are numbers, each once: written and read by this table.
// clang-format off
#define SIM_NUMBERS(X)                                                                  \
  X(step) X(rtol) X(atol) X(max_step) X(newton_tolerance) X(penalty) X(spectral_radius) \
  X(impulse_tolerance) X(alpha) X(beta) X(rho) X(omega) X(zeta)
#define SIM_WHOLE(X) X(max_iterations) X(reselect) X(adaptive) X(project)
#define SIM_TEXTS(X) X(formulation) X(integrator) X(kinematics)
// clang-format on

static void put_number(FILE* out, const char* key, double value) {
  char text[40];
  sar_snprintf(text, sizeof text, "%.17g", value);
  fprintf(out, "%s %s\n", key, text);
}

void sar_fmi_settings_write(const SarFmiSettings* s, FILE* out) {
  fprintf(out, "%s\nmodel %s\n", HEAD, s->model);
  if (s->coordinates) fprintf(out, "coordinates %s\n", s->coordinates);
  fprintf(out, "keep_fixed %d\nexchange %d\n", s->keep_fixed, s->exchange);
  for (int i = 0; i < s->paths; i++) fprintf(out, "path %s\n", s->path[i]);
#define X(name) \
  if (s->sim.name) fprintf(out, #name " %s\n", s->sim.name);
  SIM_TEXTS(X)
#undef X
#define X(name) put_number(out, #name, s->sim.name);
  SIM_NUMBERS(X)
#undef X
#define X(name) fprintf(out, #name " %d\n", (int)s->sim.name);
  SIM_WHOLE(X)
#undef X
  for (int i = 0; i < s->sets; i++) {
    char text[40];
    sar_snprintf(text, sizeof text, "%.17g", s->set[i].value);
    fprintf(out, "set %s %s\n", s->set[i].name, text);  // names of parameters have no spaces
  }
}

typedef struct Reading {
  SarArena* arena;
  SarFmiSettings* s;
} Reading;

static bool take_number(const char* text, double* out) {
  return sar_text_to_double(text, strlen(text), out);
}

static bool take_whole(const char* text, double least, double most, double* out) {
  return take_number(text, out) && *out >= least && *out <= most && *out == (double)(int)*out;
}

static bool take_set(Reading* r, char* value) {
  SarFmiSettings* s = r->s;
  char* space = strchr(value, ' ');
  if (!space || s->sets == SAR_FMI_MOST_SETS) return false;
  *space = 0;
  s->set[s->sets].name = value;
  return take_number(space + 1, &s->set[s->sets++].value);
}

static bool take_sim(Reading* r, const char* key, const char* value) {
  SarSimOptions* o = &r->s->sim;
  double x;
#define X(name) \
  if (strcmp(key, #name) == 0) return o->name = value, true;
  SIM_TEXTS(X)
#undef X
#define X(name) \
  if (strcmp(key, #name) == 0) return take_number(value, &o->name);
  SIM_NUMBERS(X)
#undef X
  if (strcmp(key, "max_iterations") == 0)
    return take_whole(value, 0, INT_MAX, &x) && (o->max_iterations = (int)x, true);
  if (strcmp(key, "adaptive") == 0)
    return take_whole(value, -1, 1, &x) && (o->adaptive = (SarStepControl)(int)x, true);
  if (strcmp(key, "reselect") == 0)
    return take_whole(value, 0, 1, &x) && (o->reselect = x != 0, true);
  if (strcmp(key, "project") == 0)
    return take_whole(value, 0, 1, &x) && (o->project = x != 0, true);
  return false;
}

static bool take_line(Reading* r, char* line) {
  SarFmiSettings* s = r->s;
  double x;
  char* value = strchr(line, ' ');
  if (!value) return false;
  *value++ = 0;
  if (strcmp(line, "model") == 0) return s->model = value, true;
  if (strcmp(line, "coordinates") == 0) return s->coordinates = value, true;
  if (strcmp(line, "keep_fixed") == 0)
    return take_whole(value, 0, 1, &x) && (s->keep_fixed = x != 0, true);
  if (strcmp(line, "exchange") == 0)
    return take_whole(value, 0, 1, &x) && (s->exchange = x != 0, true);
  if (strcmp(line, "path") == 0) {
    if (s->paths == SAR_FMI_MOST_PATHS) return false;
    return s->path[s->paths++] = value, true;
  }
  if (strcmp(line, "set") == 0) return take_set(r, value);
  return take_sim(r, line, value);
}

SarStatus sar_fmi_settings_read(SarArena* arena, const char* path, SarFmiSettings* out,
                                SarError* err) {
  SarFileText file;
  *out = (SarFmiSettings){.sim = sar_sim_options()};
  SarStatus st = sar_file_open(path, LARGEST, true, (SarLoc){0}, &file, err);
  char* text = st == SAR_OK ? sar_arena_strndup(arena, file.text, file.size) : NULL;
  if (st == SAR_OK && !text) st = SAR_NO_MEMORY;
  sar_file_close(&file);
  Reading r = {arena, out};
  int number = 0;
  for (char* line = text; st == SAR_OK && line && *line;) {
    char* end = strchr(line, '\n');
    if (end) *end = 0;
    const bool good = ++number == 1 ? strcmp(line, HEAD) == 0 : take_line(&r, line);
    if (!good) {
      sar_report(err, (SarLoc){path, number, 1}, "", "this is no line of settings of an FMU");
      st = SAR_BAD_MODEL;
    }
    line = end ? end + 1 : NULL;
  }
  if (st != SAR_OK || out->model) return st;
  sar_report(err, (SarLoc){path, 1, 1}, "", "no model is named");
  return SAR_BAD_MODEL;
}
