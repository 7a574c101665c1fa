// What a simulation calls, filled in once; and questions to the tables of formulations and
// integrators, so that no method is known by its name here.
#include "sim/method.h"

#include "base/print.h"
#include "integrators/control.h"
#include "sim/controlled.h"

#include <math.h>
#include <string.h>

// ---- who makes the steps ------------------------------------------------------------------------

// Impulses make their steps as long as they are told to: error control tells.
static SarStatus step_adaptively(SarSim* s) {
  const SarAttempt a = sar_attempt_first(s);
  if (a.t_end < s->stop) s->t_high = (double)INFINITY;  // before the kink that comes next
  s->stop = a.t_end;
  SAR_TRY(s->formulation->impulses.step(s));
  return sar_attempt_learn(s, &a);
}

static SarStatus (*step_of(const SarSim* s))(SarSim*) {
  const SarFormulation* f = s->formulation;
  switch (f->shape) {
    case SAR_SHAPE_STEP:
    case SAR_SHAPE_MULTISTEP:
      if (s->adaptive) return sar_step_controlled;
      return s->m->nz > 0 ? sar_step_with_states : f->implicit.step;
    case SAR_SHAPE_IMPULSE: return s->adaptive ? step_adaptively : f->impulses.step;
    default: return s->integrator->step;
  }
}

bool sar_integrator_steps(const SarFormulation* f) { return f->shape == SAR_SHAPE_ACCEL; }

static void do_nothing(SarSim* s) { (void)s; }
static bool show_nothing(SarSim* s) { return (void)s, false; }

void sar_method_fill(SarSim* s) {
  const SarFormulation* f = s->formulation;
  const SarIntegrator* i = s->integrator;
  const bool steps = sar_integrator_steps(f);
  s->call = (SarCalls){
      .accel = f->accel,
      .step = step_of(s),
      .init = f->init ? f->init : do_nothing,
      .adopt = f->adopt ? f->adopt : do_nothing,
      .adopt_integrator = steps && i->adopt ? i->adopt : do_nothing,
      .regroup = f->regroup ? f->regroup : do_nothing,
      .look = f->look ? f->look : do_nothing,
      .show = f->impulses.show ? f->impulses.show : show_nothing,
      .finish = f->finish ? f->finish : do_nothing,
      .finish_integrator = steps && i->finish ? i->finish : do_nothing,
  };
}

// ---- the tables ---------------------------------------------------------------------------------

bool sar_goes_with(const SarFormulation* f, const SarIntegrator* i) {
  return i->serves >> f->shape & 1;
}

const SarIntegrator* sar_usual_integrator(SarShape shape) {
  for (int k = 0; sar_integrator(k); k++)
    if (sar_integrator(k)->usual >> shape & 1) return sar_integrator(k);
  return NULL;
}

bool sar_integrator_radius(const SarIntegrator* i, double* usual, double* least) {
  const bool newmark = i->newmark.scheme, any = newmark || i->multistep.rule;
  *usual = newmark ? i->newmark.spectral_radius : i->multistep.spectral_radius;
  *least = newmark ? i->newmark.least : i->multistep.least;
  return any;
}

const SarIntegrator* sar_integrator_for(unsigned use) {
  for (int k = 0; sar_integrator(k); k++)
    if (sar_integrator(k)->use & use) return sar_integrator(k);
  return NULL;
}

const char* sar_integrator_names(char* buf, size_t size, const char* before,
                                 SarIntegratorFits* fits, const void* with) {
  size_t used = (size_t)sar_snprintf(buf, size, "%s", before);
  for (int k = 0; sar_integrator(k) && used < size; k++) {
    const SarIntegrator* i = sar_integrator(k);
    if (!i->missing && fits(i, with))
      used += (size_t)sar_snprintf(buf + used, size - used, " %s", i->name);
  }
  return buf;
}

const char* sar_formulation_names(char* buf, size_t size, const char* before,
                                  SarFormulationFits* fits) {
  int left = 0, first = 1;
  size_t used = (size_t)sar_snprintf(buf, size, "%s", before);
  for (int k = 0; sar_formulation(k); k++)
    left += sar_formulation(k)->recommended && fits(sar_formulation(k));
  for (int k = 0; sar_formulation(k) && used < size; k++) {
    const SarFormulation* f = sar_formulation(k);
    if (!f->recommended || !fits(f)) continue;
    const char* between = first ? "" : left == 1 ? " or " : ", ";
    used += (size_t)sar_snprintf(buf + used, size - used, "%s'%s'", between, f->name);
    first = 0;
    left--;
  }
  return buf;
}

bool sar_passes_singular(const SarFormulation* f) {
  return f->can & SAR_CAN_RANK_CHANGE && !f->stabilised;
}
