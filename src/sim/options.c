// Options of a simulation: from what the caller, the model file and the integrator say to one
// complete and valid set, or messages that say what does not fit.
#include "base/error.h"
#include "base/sized.h"
#include "base/alloc.h"
#include "base/print.h"
#include "base/text.h"
#include "model/room.h"
#include "model/times.h"
#include "sim/automatic.h"
#include "sim/assemble.h"
#include "sim/method.h"
#include "sim/setup.h"
#include "sim/state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_STEPS = 1000000000, MOST_THREADS = 64 };

// Of a variable step by impulses: tolerance, and longest step [s] as in paper 004.
static const double IMPULSE_TOLERANCE = 1e-5, IMPULSE_STEP = 0.01;

static SarSimOptions defaults(void) {
  return (SarSimOptions){.size = sizeof(SarSimOptions),
                         .adaptive = SAR_STEPS_AS_METHOD,
                         .project = true,
                         .spectral_radius = -1};
}

SAR_API void sar_sim_options_sized(SarSimOptions* out, size_t size) {
  SarSimOptions o = defaults();
  o.size = size;
  if (out) sar_give(out, size, &o, sizeof o);
}

SarStatus sar_sim_options_take(const SarSimOptions* given, SarSimOptions* out, SarError* err) {
  *out = defaults();
  return given ? sar_take_options(out, sizeof *out, given, "sar_sim_options", err) : SAR_OK;
}

// The usual integrator (Dormand and Prince): explicit, of high order, and with a projection onto
// the constraints after each step its error control sees all there is. Adaptive multistep methods
// are cheaper at this tolerance but lose an order wherever a step is cut.
SAR_API void sar_reference_options_sized(SarSimOptions* out, size_t size) {
  SarSimOptions o = defaults();
  o.size = size;
  o.formulation = "auto";
  o.integrator = sar_usual_integrator(SAR_SHAPE_ACCEL)->name;
  o.rtol = o.atol = 1e-12;
  o.adaptive = SAR_STEPS_ADAPTIVE;
  if (out) sar_give(out, size, &o, sizeof o);
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
  return choice_of(m, option, m->sim.integrator, m->sim.integrator_at,
                   sar_usual_integrator(SAR_SHAPE_ACCEL)->name);
}

// Reports a number that is negative or not finite; 0 stands for the default.
static bool is_valid(const char* name, double value, SarError* err) {
  if (value >= 0 && isfinite(value)) return true;
  sar_report(err, nowhere, "", "%s is %g: expected a positive number", name, value);
  return false;
}

// The same for a length of time.
static bool is_time(const char* name, double value, SarError* err) {
  if (!is_valid(name, value, err)) return false;
  if (value == 0 || sar_time_is_sensible(value)) return true;
  sar_report(err, nowhere, "", "%s is %g s: expected %g to %g s", name, value, SAR_SHORTEST_TIME,
             SAR_LONGEST_TIME);
  return false;
}

static SarStatus fill_numbers(const SarModel* m, SarSimOptions* o, SarError* err) {
  bool good = is_time("step", o->step, err);
  good = is_valid("rtol", o->rtol, err) && good;
  good = is_valid("atol", o->atol, err) && good;
  good = is_time("max_step", o->max_step, err) && good;
  good = is_valid("newton_tolerance", o->newton_tolerance, err) && good;
  good = is_valid("penalty", o->penalty, err) && good;
  good = is_valid("alpha", o->alpha, err) && good;
  good = is_valid("beta", o->beta, err) && good;
  good = is_valid("rho", o->rho, err) && good;
  good = is_valid("omega", o->omega, err) && good;
  good = is_valid("zeta", o->zeta, err) && good;
  if (o->max_steps < 0) {
    sar_report(err, nowhere, "", "max_steps is %ld: expected at least 1, or 0 for the default",
               o->max_steps);
    good = false;
  }
  if (o->max_steps == 0) o->max_steps = MOST_STEPS;
  if (o->max_iterations < 0) {
    sar_report(err, nowhere, "", "max_iterations is %d: expected at least 1, or 0 for the default",
               o->max_iterations);
    good = false;
  }
  if (o->threads < 0 || o->threads > MOST_THREADS) {
    sar_report(err, nowhere, "", "threads is %d: expected 1 to %d, or 0 for the default",
               o->threads, MOST_THREADS);
    good = false;
  }
  if (o->threads == 0) o->threads = 1;
  o->step = first_of(o->step, m->sim.step, 1e-3);
  o->rtol = first_of(o->rtol, m->sim.rtol, 1e-8);
  o->atol = first_of(o->atol, m->sim.atol, 1e-10);
  o->max_step = first_of(o->max_step, m->sim.max_step, 0);
  o->newton_tolerance = first_of(o->newton_tolerance, m->sim.newton_tolerance, 1e-9);
  return good ? SAR_OK : SAR_BAD_ARGUMENT;
}

// ---- formulation --------------------------------------------------------------------------------

// How `embedding` finds dependent coordinates; what there is does not depend on the formulation.
static SarStatus choose_kinematics(const SarModel* m, SarSimOptions* o, SarError* err) {
  const Choice choice =
      choice_of(m, o->kinematics, m->sim.kinematics, m->sim.kinematics_at, "newton-all");
  return sar_kinematics_named(choice.name, choice.loc, &o->kinematics, err)
             ? SAR_OK
             : unknown_status(choice);
}

// Has nobody asked for error control, by an integrator or by tolerances?
static bool is_free(const SarModel* m, const SarSimOptions* o, bool given) {
  return !given && !o->integrator && m->sim.integrator <= 0 && o->adaptive != 1 &&
         m->sim.adaptive != 1;
}

static SarStatus choose_formulation(const SarModel* m, Choice choice, const SarLoops* loops,
                                    bool given, SarSimOptions* o, const SarFormulation** out,
                                    const char** reason, SarError* err) {
  *reason = "";
  if (!sar_formulation_named(choice.name, choice.loc, out, err)) return unknown_status(choice);
  if (!*out) *out = sar_automatic(m, loops, is_free(m, o, given), reason);
  o->formulation = (*out)->name;
  return sar_accepts(m, *out, loops, err);
}

// ---- integrator ---------------------------------------------------------------------------------

static bool fits(const SarIntegrator* i, const void* formulation) {
  return sar_goes_with(formulation, i);
}

static bool can_fix(const SarIntegrator* i, const void* unused) {
  (void)unused;
  return i->can_fix && i->serves & SAR_FOR_ACCEL;
}

static bool can_adapt(const SarIntegrator* i, const void* unused) {
  (void)unused;
  return i->can_adapt;
}

static bool has_radius(const SarIntegrator* i, const void* unused) {
  (void)unused;
  double usual, least;
  return sar_integrator_radius(i, &usual, &least) && least < usual;
}

static SarStatus check_pair(const SarFormulation* f, const SarIntegrator* i, SarError* err) {
  const bool steps = f->shape != SAR_SHAPE_ACCEL;
  char hint[160];
  if (sar_goes_with(f, i)) return SAR_OK;
  sar_integrator_names(hint, sizeof hint, "there are", fits, f);
  sar_report(err, nowhere, hint,
             steps
                 ? "formulation '%s' makes its steps itself and cannot use integrator '%s'"
                 : "formulation '%s' gives accelerations, and integrator '%s' is for formulations "
                   "that make their steps themselves",
             f->name, i->name);
  return SAR_NOT_OFFERED;
}

static SarStatus check_spectral_radius(const SarIntegrator* i, SarSimOptions* o, SarError* err) {
  const double rho = o->spectral_radius;
  char hint[160];
  double usual, least;
  const bool has = sar_integrator_radius(i, &usual, &least);
  if (rho < 0) o->spectral_radius = usual;
  if (rho < 0 || (has && rho >= least && rho <= 1)) return SAR_OK;
  if (has)
    sar_report(err, nowhere, "", "spectral radius %g: '%s' can have %g to 1", rho, i->name, least);
  else
    sar_report(err, nowhere,
               sar_integrator_names(hint, sizeof hint, "these have one:", has_radius, NULL),
               "integrator '%s' has no spectral radius", i->name);
  return SAR_BAD_ARGUMENT;
}

static SarStatus check_steps(const SarModel* m, const SarFormulation* f, const SarIntegrator* i,
                             SarSimOptions* o, SarError* err) {
  const bool steps = f->shape != SAR_SHAPE_ACCEL;
  const bool adapts = i->can_adapt && (!sar_shape_is_implicit(f->shape) || f->implicit.error);
  char hint[160];
  if (o->adaptive < 0 && m->sim.adaptive >= 0 && (m->sim.adaptive ? adapts : i->can_fix))
    o->adaptive = m->sim.adaptive;
  o->adaptive = o->adaptive < 0 ? i->adaptive_default && adapts : o->adaptive != 0;
  if (o->adaptive ? adapts : i->can_fix) return SAR_OK;
  sar_integrator_names(hint, sizeof hint, o->adaptive ? "adaptive ones:" : "fixed steps:",
                       o->adaptive ? can_adapt : can_fix, NULL);
  sar_report(err, nowhere, hint, "%s '%s' has no %s", steps ? "formulation" : "integrator",
             steps ? f->name : i->name, o->adaptive ? "error control" : "fixed steps");
  return SAR_NOT_OFFERED;
}

// The file's or the default integrator gives way to the formulation's own where it does not go with
// it; one that was asked for does not.
static SarStatus choose_integrator(const SarModel* m, const SarFormulation* f, SarSimOptions* o,
                                   const SarIntegrator** out, SarError* err) {
  const Choice choice = integrator_choice(m, o->integrator);
  if (!sar_integrator_named(choice.name, choice.loc, out, err)) return unknown_status(choice);
  const SarIntegrator* i = *out;
  if (i->missing) {
    char hint[120];
    sar_snprintf(hint, sizeof hint, "install it and build again, or take '%s' for stiff models",
                 sar_integrator_for(SAR_USE_STIFF)->name);
    sar_report(err, nowhere, hint, "integrator '%s': %s", i->name, i->doc);
    return SAR_NOT_OFFERED;
  }
  if (!f) return SAR_OK;
  if (!o->integrator && f->shape != SAR_SHAPE_ACCEL && !sar_goes_with(f, i))
    i = *out = sar_usual_integrator(f->shape);
  o->integrator = i->name;
  SAR_TRY(check_pair(f, i, err));
  SAR_TRY(check_spectral_radius(i, o, err));
  return check_steps(m, f, i, o, err);
}

SAR_API SarStatus sar_model_check(const SarModel* m, SarError* err) {
  SAR_GIVEN(m);
  const Choice formulation = formulation_choice(m, NULL), integrator = integrator_choice(m, NULL);
  const SarFormulation* f;
  const SarIntegrator* i;
  bool good = sar_formulation_named(formulation.name, formulation.loc, &f, err);
  good = sar_integrator_named(integrator.name, integrator.loc, &i, err) && good;
  return good ? SAR_OK : SAR_BAD_MODEL;
}

// Steps by impulses are of order two and pass impacts: what is asked of others would be the
// shortest step, always.
static void fill_impulse_steps(bool given, SarSimOptions* o) {
  if (!given) o->rtol = o->atol = IMPULSE_TOLERANCE;
  if (!(o->max_step > 0)) o->max_step = IMPULSE_STEP;
}

// All messages at once, the first status wins. Where a run goes on, what its constraints leave is
// known; for another method than the one it was made with it is found again.
static SarStatus make(const SarModel* m, SarData* d, SarSimOptions* o, SarLoops* loops,
                      int* row_order, double* row_size, SarSim** out, SarError* err) {
  const SarFormulation* formulation = NULL;
  const SarIntegrator* integrator = NULL;
  const bool given = o->rtol > 0 || o->atol > 0 || m->sim.rtol > 0 || m->sim.atol > 0;
  const bool goes_on = d->assembled && sar_state_is_untouched(d);
  const SarLoops known = {d->freedom, d->row_order, d->row_size};
  const bool stepped = o->step > 0 || m->sim.step > 0;
  SarStatus st = fill_numbers(m, o, err);
  SarStatus assembled = SAR_OK;
  if (goes_on)
    loops->freedom = d->freedom;
  else
    assembled = sar_assemble_rows(m, d, &loops->freedom, row_order, row_size, err);
  if (st == SAR_OK) st = assembled;
  const SarStatus named = choose_kinematics(m, o, err);
  if (st == SAR_OK) st = named;
  const Choice choice = formulation_choice(m, o->formulation);
  const char* reason = "";
  if (assembled == SAR_OK) {
    SarStatus chosen = choose_formulation(m, choice, loops, given, o, &formulation, &reason, err);
    if (st == SAR_OK) st = chosen;
  }
  SarStatus other = choose_integrator(m, formulation, o, &integrator, err);
  if (st == SAR_OK) st = other;
  if (st == SAR_OK && o->adaptive && formulation->shape == SAR_SHAPE_IMPULSE)
    fill_impulse_steps(given, o);
  if (st == SAR_OK && reason[0] && !stepped && formulation->shape == SAR_SHAPE_IMPULSE)
    o->step = sar_impulse_step_for(m);
  const bool same = st == SAR_OK && goes_on && sar_state_is_of(d, formulation, integrator, o);
  if (st == SAR_OK && goes_on && !same)
    st = sar_assemble_rows(m, d, &loops->freedom, row_order, row_size, err);
  if (st == SAR_OK)
    st = sar_sim_setup(m, d, o, formulation, integrator, same ? &known : loops, out, err);
  if (st == SAR_OK) (*out)->reason = reason;
  return st;
}

SAR_API SarStatus sar_sim_new(const SarModel* m, SarData* d, const SarSimOptions* o, SarSim** out,
                              SarError* err) {
  SAR_GIVEN(out);
  SarSimOptions full;
  *out = NULL;
  SAR_GIVEN(m && d);
  SAR_TRY(sar_sim_options_take(o, &full, err));
  if (d->m != m) {
    sar_report(err, nowhere, "", "the data belong to another model");
    return SAR_BAD_ARGUMENT;
  }
  double* row_size;
  int* row_order;
  SarStatus st;
  void* block = sar_take_rows(m, "making a simulation", &row_size, &row_order, &st, err);
  if (!block) return st;
  SarLoops loops = {.row_order = row_order, .row_size = row_size};
  st = make(m, d, &full, &loops, row_order, row_size, out, err);
  sar_free(block);
  return st;
}
