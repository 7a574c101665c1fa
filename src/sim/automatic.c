// `auto` (automatic.h): right, then quick, and in finite time.
//
// Explicit steps with error control are the most accurate, and fit smooth models. They do not know
// limits; dry friction is -F tanh(v / v0) to them, a damper of F / v0 near rest, so that their
// steps are about 3 v0 I / F: microseconds for the joints of robots. Steps by impulses have limits
// and dry friction as they are, and take stiff dampers of joints implicitly, at a fixed step.
#include "sim/automatic.h"

#include <math.h>

// Rates above these [1/s] make explicit steps shorter than a millisecond or so.
static const double SHARP = 1e3, STIFF = 1e4;
// Fixed steps [s]; and angle that a spring of a joint may go through in one, because an impact sets
// it swinging.
static const double USUAL_STEP = 1e-3, LEAST_STEP = 1e-5, SWING = 0.1;

static bool has_limits(const SarModel* m) {
  for (int i = 0; i < m->nv_all; i++)
    if (isfinite(m->dof_lower[i]) || isfinite(m->dof_upper[i])) return true;
  return false;
}

// About what a coordinate moves: all bodies that hang on its joint, turned about their own origins.
// That of a joint that closes a loop is not known: 1.
static double moved_by(const SarModel* m, int dof) {
  const int j = m->dof_body[dof];
  if (j >= m->nbody) return 1;
  const bool length = m->joint_kind[j]->coordinate[dof - m->joint_vadr[j]] == SAR_LENGTH;
  double sum = m->dof_armature[dof];
  for (int b = j; b < j + m->body_subtree[j]; b++) {
    const Inertia* I = &m->body_inertia[b];
    sum += length ? I->m : (I->I.xx + I->I.yy + I->I.zz) / 3;
  }
  return sum;
}

static bool has_sharp_friction(const SarModel* m) {
  for (int i = 0; i < m->nv_all; i++)
    if (m->dof_breakaway[i] > SHARP * m->dof_friction_speed[i] * moved_by(m, i)) return true;
  return false;
}

static bool is_stiff(const SarModel* m) {
  for (int i = 0; i < m->nv_all; i++) {
    if (m->dof_damping[i] > 0 && m->dof_damping[i] > STIFF * moved_by(m, i)) return true;
  }
  return false;
}

double sar_impulse_step_for(const SarModel* m) {
  double fastest = 0;  // square of an angular frequency
  for (int i = 0; i < m->nv_all; i++)
    if (m->dof_stiffness[i] > 0) fastest = fmax(fastest, m->dof_stiffness[i] / moved_by(m, i));
  if (fastest == 0) return USUAL_STEP;
  return fmax(LEAST_STEP, fmin(USUAL_STEP, SWING / sqrt(fastest)));
}

const char* sar_impulse_reason(const SarModel* m) {
  if (m->ncollider > 0) return "the model has contact, which acts by impulses";
  if (m->nmotor > 0) return "the model has motors of limited force, which act by impulses";
  if (has_limits(m)) return "the model has joint limits, which act by impulses";
  if (has_sharp_friction(m)) return "the model has dry friction, which holds by impulses";
  if (is_stiff(m)) return "the model has stiff dampers, which these steps take implicitly";
  return NULL;
}

// The first in the list that runs the model and shares the reactions of redundant constraints
// evenly.
static const SarFormulation* first_of(const SarModel* m, const SarLoops* loops, bool impulses) {
  const bool redundant = loops && loops->freedom.rank < loops->freedom.rows;
  for (int i = 0; sar_formulation(i); i++) {
    const SarFormulation* f = sar_formulation(i);
    const bool fits = impulses ? f->shape == SAR_SHAPE_IMPULSE
                               : f->shape == SAR_SHAPE_ACCEL && !(redundant && f->picks_rows);
    if (fits && sar_accepts(m, f, loops, NULL) == SAR_OK) return f;
  }
  return NULL;
}

// The first that takes the kinds of things the model has: what it cannot take is the reason.
static const SarFormulation* nearest(const SarModel* m) {
  const unsigned needs = (sar_has_contact(m) ? (unsigned)SAR_CAN_CONTACT : 0) |
                         (m->nrow > 0 ? (unsigned)SAR_CAN_CONSTRAINTS : 0);
  for (int i = 0; sar_formulation(i); i++)
    if ((sar_formulation(i)->can & needs) == needs) return sar_formulation(i);
  return sar_formulation(0);
}

const SarFormulation* sar_automatic(const SarModel* m, const SarLoops* loops, bool free,
                                    const char** reason) {
  const bool must = sar_has_contact(m);
  const char* why = must || free ? sar_impulse_reason(m) : NULL;
  const SarFormulation* f = why ? first_of(m, loops, true) : NULL;
  *reason = f ? why : "";
  if (f) return f;
  if (!must) f = first_of(m, loops, false);
  if (f && f->why) *reason = f->why;
  return f ? f : nearest(m);
}
