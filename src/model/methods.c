// Formulations and integrators by the names people give them, with what they may have meant.
#include "model/sim.h"

#include "base/error.h"
#include "base/print.h"
#include "base/text.h"

#include <string.h>

enum { MAX_NAMES = SAR_MOST_METHODS + 1 };

bool sar_is_auto(const char* formulation) { return strcmp(formulation, "auto") == 0; }

// No place: the name comes from the caller.
static void report_unknown(const char* what, const char* name, SarLoc loc, const char* const* names,
                           int count, SarError* err) {
  char hint[sizeof((SarDiag*)0)->hint];
  sar_text_suggest(hint, sizeof hint, name, names, count);
  if (!hint[0]) {
    size_t used = (size_t)sar_snprintf(hint, sizeof hint, "there are");
    for (int i = 0; i < count && used < sizeof hint; i++)
      used +=
          (size_t)sar_snprintf(hint + used, sizeof hint - used, "%s %s", i ? "," : "", names[i]);
  }
  sar_report(err, loc, hint, "%sno %s '%s'", loc.line ? "simulation: " : "", what, name);
}

bool sar_formulation_named(const char* name, SarLoc loc, const SarFormulation** out,
                           SarError* err) {
  const char* names[MAX_NAMES] = {"auto"};
  int count = 1;
  *out = sar_formulation_find(name);
  if (*out || sar_is_auto(name)) return true;
  for (; count < MAX_NAMES && sar_formulation(count - 1); count++)
    names[count] = sar_formulation(count - 1)->name;
  report_unknown("formulation", name, loc, names, count, err);
  return false;
}

bool sar_integrator_named(const char* name, SarLoc loc, const SarIntegrator** out, SarError* err) {
  const char* names[MAX_NAMES];
  int count = 0;
  *out = sar_integrator_find(name);
  if (*out) return true;
  for (; count < MAX_NAMES && sar_integrator(count); count++)
    names[count] = sar_integrator(count)->name;
  report_unknown("integrator", name, loc, names, count, err);
  return false;
}

bool sar_kinematics_named(const char* name, SarLoc loc, const char** out, SarError* err) {
  static const char* const names[] = {"triangular", "block", "newton", "newton-all"};
  enum { COUNT = (int)(sizeof names / sizeof *names) };
  for (int i = 0; i < COUNT; i++)
    if (strcmp(name, names[i]) == 0) {
      *out = names[i];
      return true;
    }
  report_unknown("kinematics", name, loc, names, COUNT, err);
  return false;
}
