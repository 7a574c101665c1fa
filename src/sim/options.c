// Options of a simulation: from what the caller, the model file and the integrator say to one
// complete and valid set, or messages that say what does not fit.
#include "base/text.h"
#include "sim/setup.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_NAMES = 64, MAX_ITERATIONS = 20 };

SarSimOptions sar_sim_options(void) {
  return (SarSimOptions){.max_iterations = MAX_ITERATIONS, .adaptive = -1};
}

// Dormand and Prince: explicit, of high order, and with a projection onto the constraints after each
// step its error control sees all there is. Adaptive multistep methods are cheaper at this tolerance but
// lose an order wherever a step is cut.
SarSimOptions sar_reference_options(void) {
  SarSimOptions o = sar_sim_options();
  o.formulation = "auto";
  o.integrator = "dopri5";
  o.rtol = o.atol = 1e-12;
  o.adaptive = 1;
  return o;
}

static const SarLoc nowhere = {0};

static double first_of(double option, double file, double otherwise) {
  return option > 0 ? option : file > 0 ? file : otherwise;
}

// A name and where it comes from: an option of the caller, the model file, or the default.
typedef struct Choice {
  const char* name;
  bool of_file;
  SarLoc loc;
} Choice;

static SarStatus unknown_status(Choice choice) {
  return choice.of_file ? SAR_BAD_MODEL : SAR_BAD_ARGUMENT;
}

static Choice choice_of(const SarModel* m, const char* option, int file, SarPlace at,
                        const char* otherwise) {
  if (option) return (Choice){.name = option};
  if (file <= 0) return (Choice){.name = otherwise};
  return (Choice){sar_text(m, file), true, {sar_text(m, at.file), at.line, at.column}};
}

static Choice formulation_choice(const SarModel* m, const char* option) {
  return choice_of(m, option, m->sim.formulation, m->sim.formulation_at, "auto");
}

static Choice integrator_choice(const SarModel* m, const char* option) {
  return choice_of(m, option, m->sim.integrator, m->sim.integrator_at, "dopri5");
}

// Reports a number that is negative or not finite; 0 stands for the default.
static bool is_valid(const char* name, double value, SarError* err) {
  if (value >= 0 && isfinite(value)) return true;
  sar_report(err, nowhere, "", "%s is %g: expected a positive number", name, value);
  return false;
}

static SarStatus fill_numbers(const SarModel* m, SarSimOptions* o, SarError* err) {
  bool good = is_valid("step", o->step, err);
  good = is_valid("rtol", o->rtol, err) && good;
  good = is_valid("atol", o->atol, err) && good;
  good = is_valid("max_step", o->max_step, err) && good;
  if (o->max_iterations < 1) {
    sar_report(err, nowhere, "", "max_iterations is %d: expected at least 1", o->max_iterations);
    good = false;
  }
  o->step = first_of(o->step, m->sim.step, 1e-3);
  o->rtol = first_of(o->rtol, m->sim.rtol, 1e-8);
  o->atol = first_of(o->atol, m->sim.atol, 1e-10);
  o->max_step = first_of(o->max_step, m->sim.max_step, 0);
  return good ? SAR_OK : SAR_BAD_ARGUMENT;
}

static void report_unknown(const char* what, Choice choice, const char* const* names, int count,
                           SarError* err) {
  char hint[256];
  sar_text_suggest(hint, sizeof hint, choice.name, names, count);
  if (!hint[0]) {
    size_t used = (size_t)snprintf(hint, sizeof hint, "there are");
    for (int i = 0; i < count && used < sizeof hint; i++)
      used += (size_t)snprintf(hint + used, sizeof hint - used, "%s %s", i ? "," : "", names[i]);
  }
  sar_report(err, choice.loc, hint, "%sno %s '%s'", choice.of_file ? "simulation: " : "", what,
             choice.name);
}

// ---- formulation ---------------------------------------------------------------------------------

// Why an open-tree formulation cannot run a model, naming what closes its loops.
static SarStatus accepts_open_tree(const SarModel* m, const SarFormulation* f, SarError* err) {
  if (m->nrow == 0) return SAR_OK;
  char names[200] = "";
  size_t used = 0;
  for (int i = 0; i < m->nconstraint && used + 1 < sizeof names; i++)
    used += (size_t)snprintf(names + used, sizeof names - used, "%s'%s'", i ? ", " : "",
                             sar_text(m, m->constraint[i].name));
  if (used >= sizeof names) memcpy(names + sizeof names - 4, "...", 4);
  sar_report(err, nowhere, "'sarrus info' shows the tree and the cuts",
             "formulation '%s' runs open trees only; closed loops are compiled and described but "
             "not run by this version: %d cut joint%s, %d coupling%s, %d constraint%s (%s)",
             f->name, m->ncut, m->ncut == 1 ? "" : "s", m->ncoupling, m->ncoupling == 1 ? "" : "s",
             m->nconstraint - m->ncut - m->ncoupling,
             m->nconstraint - m->ncut - m->ncoupling == 1 ? "" : "s", names);
  return SAR_NOT_OFFERED;
}

static SarStatus accepts(const SarModel* m, const SarFormulation* f, SarError* err) {
  return f->accepts ? f->accepts(m, err) : accepts_open_tree(m, f, err);
}

// "auto": the first in the list that runs the model. If none does, the first one says why.
static const SarFormulation* find_formulation(const SarModel* m, Choice choice, SarError* err) {
  const char* names[MAX_NAMES] = {"auto"};
  int count = 1;
  bool any = strcmp(choice.name, "auto") == 0;
  const SarFormulation* found = any ? sar_formulation(0) : sar_formulation_find(choice.name);
  if (any)
    for (int i = 0; sar_formulation(i); i++)
      if (accepts(m, sar_formulation(i), NULL) == SAR_OK) return sar_formulation(i);
  for (; sar_formulation(count - 1) && count < MAX_NAMES; count++)
    names[count] = sar_formulation(count - 1)->name;
  if (!found) report_unknown("formulation", choice, names, count, err);
  return found;
}

static SarStatus choose_formulation(const SarModel* m, Choice choice, SarSimOptions* o,
                                    const SarFormulation** out, SarError* err) {
  *out = find_formulation(m, choice, err);
  if (!*out) return unknown_status(choice);
  o->formulation = (*out)->name;
  return accepts(m, *out, err);
}

// ---- integrator ----------------------------------------------------------------------------------

static const SarIntegrator* find_integrator(Choice choice, SarError* err) {
  const char* names[MAX_NAMES];
  int count = 0;
  for (; sar_integrator(count) && count < MAX_NAMES; count++)
    names[count] = sar_integrator(count)->name;
  const SarIntegrator* found = sar_integrator_find(choice.name);
  if (!found) report_unknown("integrator", choice, names, count, err);
  return found;
}

static SarStatus choose_integrator(const SarModel* m, Choice choice, SarSimOptions* o,
                                   const SarIntegrator** out, SarError* err) {
  const SarIntegrator* i = *out = find_integrator(choice, err);
  if (!i) return unknown_status(choice);
  o->integrator = i->name;
  if (!i->step) {
    sar_report(err, nowhere, "install it and build again, or take 'trapezoidal' for stiff models",
               "integrator '%s': %s", i->name, i->doc);
    return SAR_NOT_OFFERED;
  }
  if (o->adaptive < 0 && m->sim.adaptive >= 0 && (m->sim.adaptive ? i->can_adapt : i->can_fix))
    o->adaptive = m->sim.adaptive;
  o->adaptive = o->adaptive < 0 ? i->adaptive_default : o->adaptive != 0;
  if (o->adaptive ? i->can_adapt : i->can_fix) return SAR_OK;
  sar_report(err, nowhere,
             o->adaptive ? "adaptive ones: dopri5, trapezoidal"
                         : "fixed steps: semi-implicit, rk4, dopri5, trapezoidal",
             "integrator '%s' has no %s", i->name, o->adaptive ? "error control" : "fixed steps");
  return SAR_NOT_OFFERED;
}

SarStatus sar_sim_check(const SarModel* m, SarError* err) {
  bool good = find_formulation(m, formulation_choice(m, NULL), err) != NULL;
  good = find_integrator(integrator_choice(m, NULL), err) && good;
  return good ? SAR_OK : SAR_BAD_MODEL;
}

SarStatus sar_sim_new(const SarModel* m, SarData* d, const SarSimOptions* o, SarSim** out,
                      SarError* err) {
  const SarFormulation* formulation;
  const SarIntegrator* integrator;
  SarSimOptions full = o ? *o : sar_sim_options();
  *out = NULL;
  if (d->m != m) {
    sar_report(err, nowhere, "", "the data belong to another model");
    return SAR_BAD_ARGUMENT;
  }
  // all messages at once, the first status wins
  SarStatus st = fill_numbers(m, &full, err);
  Choice choice = formulation_choice(m, full.formulation);
  bool automatic = strcmp(choice.name, "auto") == 0;
  SarStatus other = choose_formulation(m, choice, &full, &formulation, err);
  if (st == SAR_OK) st = other;
  other = choose_integrator(m, integrator_choice(m, full.integrator), &full, &integrator, err);
  if (st == SAR_OK) st = other;
  if (st == SAR_OK) st = sar_sim_setup(m, d, &full, formulation, integrator, out, err);
  if (st == SAR_OK && automatic) (*out)->reason = formulation->why;
  return st;
}
