// Why a step failed, in words: at what time, which joint, state or constraint is the worst, what to
// try.
#include "sim/step_words.h"

#include "base/error.h"
#include "base/print.h"
#include "dynamics/knots.h"
#include "sim/events.h"
#include "sim/judge.h"
#include "sim/method.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

static bool is_signal(const SarModel* m, int which) {
  return which >= m->nv + m->nz && which < m->nv + m->nz + m->ndiscrete;
}

// What unknown `which` belongs to: a joint, or behind the coordinates a state, then a signal.
static const char* owner_of(const SarModel* m, int which) {
  if (is_signal(m, which)) return sar_text(m, m->discrete_name[which - m->nv - m->nz]);
  if (which >= m->nv && which < m->nv + m->nz) return sar_text(m, m->z_name[which - m->nv]);
  return which >= 0 && which < m->nv ? sar_text(m, m->joint_name[m->dof_body[which]]) : "?";
}

static const char* kind_of(const SarModel* m, int which) {
  return which >= m->nv && which < m->nv + m->nz ? "state" : "joint";
}

static int largest_of(int n, const double* x) {
  int best = n > 0 ? 0 : -1;
  for (int i = 1; i < n; i++)
    if (fabs(x[i]) > fabs(x[best])) best = i;
  return best;
}

void sar_step_say(SarSim* s, const char* format, ...) {
  size_t used = strlen(s->trouble);
  va_list args;
  va_start(args, format);
  sar_vsnprintf(s->trouble + used, sizeof s->trouble - used, format, args);
  va_end(args);
}

static const char* constraint_of(const SarModel* m, int row) {
  return row < 0 ? "?" : sar_text(m, m->constraint[m->row[row].constraint].name);
}

static bool steps_itself(const SarFormulation* f) { return sar_shape_is_implicit(f->shape); }

// What else may get through where an implicit one did not.
static const char* other_formulation(const SarSim* s, char* buf, size_t size) {
  if (!steps_itself(s->formulation)) return "";
  if (s->formulation->recommended) return " or an explicit formulation with error control";
  return sar_formulation_names(buf, size, " or formulation ", steps_itself);
}

void sar_step_explain(SarSim* s, SarStatus status) {
  const SarModel* m = s->m;
  int fastest = largest_of(m->nv, s->start.a);
  const bool of_row = status == SAR_NOT_CLOSED;  // s->worst is a row of the constraints
  const char* worst =
      of_row ? constraint_of(m, s->worst) : owner_of(m, s->worst >= 0 ? s->worst : fastest);
  const char* kind = kind_of(m, s->worst);
  char other[120];
  s->trouble[0] = 0;
  const char* event = sar_events_trouble(s);
  if (event[0]) {  // where something was to be switched
    sar_step_say(s, "%s", event);
    return;
  }
  sar_step_say(s, "at t = %.9g: ", s->start.t);
  if (status != SAR_NOT_CLOSED && s->m->nknot > 0) {
    char knot[320];
    sar_step_say(s, "%s", sar_knot_words(m, s->d, knot, sizeof knot));
    if (knot[0]) return;
  }
  switch (status) {
    case SAR_NOT_FINITE:
      if (is_signal(m, s->worst)) {
        sar_step_say(s, "the value that signal '%s' takes at t = %.9g is not finite", worst,
                     s->start.t + s->tried);
        break;
      }
      if (s->tried > 0)
        sar_step_say(s, "%s '%s' gets a motion that is not finite in a step of %.3g s", kind, worst,
                     s->tried);
      else
        sar_step_say(s, "the %s of %s '%s' is not finite: look for a division by zero",
                     kind[0] == 's' ? "rate" : "acceleration", kind, worst);
      break;
    case SAR_NOT_CONVERGED:
      if (!s->integrator->implicit) {
        const char* owner = constraint_of(m, sar_worst_row(s));
        sar_step_say(
            s, "after a step of %.3g s the constraints cannot be closed again, '%s' is the worst",
            s->tried, owner);
        break;
      }
      sar_step_say(s,
                   "%d iterations did not converge in a step of %.3g s, %s '%s' has the largest "
                   "residual; try a smaller step, more iterations (max_iterations)%s",
                   s->options.max_iterations, s->tried, kind, worst,
                   other_formulation(s, other, sizeof other));
      break;
    case SAR_STEP_TOO_SMALL:
      sar_step_say(s,
                   "a step of %.3g s is not small enough for the tolerances, %s '%s' is the worst",
                   s->tried, kind, worst);
      break;
    case SAR_SINGULAR:
      if (s->lost > 0) {
        sar_step_say(
            s,
            "singular position in the step of %.3g s, which loses or gains %.2g of the kinetic "
            "energy: joint '%s' changes its speed most; take smaller steps%s",
            s->tried, s->lost, worst, s->adaptive ? " (max_step) or other tolerances" : "");
        break;
      }
      if (s->let_go > 0 && s->worst >= 0) {
        sar_step_say(
            s,
            "singular position ahead: constraints let go joint '%s', and '%s' would not bring it "
            "back; %s",
            worst, s->formulation->name,
            sar_formulation_names(other, sizeof other, "try ", sar_passes_singular));
        break;
      }
      if (!(s->formulation->can & SAR_CAN_RANK_CHANGE) && s->worst >= 0) {
        sar_step_say(
            s,
            "singular position in the step of %.3g s: joint '%s' no longer follows from the "
            "independent coordinates; %s, or --reselect",
            s->tried, worst,
            sar_formulation_names(other, sizeof other, "try ", sar_passes_singular));
        break;
      }
      sar_step_say(s, s->m->nrow == 0
                          ? "the mass matrix is singular: a joint moves no mass"
                          : "the equations of motion are singular: constraints became redundant or "
                            "some motion has no inertia");
      break;
    case SAR_NOT_CLOSED:
      sar_step_say(
          s,
          "a step of %.3g s leaves '%s' open by %.3g (m or rad), more than %g of the mechanism's "
          "size; take smaller steps%s",
          s->tried, worst, s->worst < 0 ? 0 : fabs(s->d->Phi[s->worst]), SAR_OPEN,
          s->options.project ? "" : " or let them be projected");
      break;
    default: sar_step_say(s, "%s", sar_status_text(status));
  }
  if (fastest >= 0 && isfinite(s->start.a[fastest]))
    sar_step_say(s, "; largest acceleration before: %.3g at joint '%s'", s->start.a[fastest],
                 owner_of(m, fastest));
}
