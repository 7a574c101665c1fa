// The columns of the result at the present state.
//
// Everything is evaluated once for all columns; accelerations only if a column asks for them. The
// quantities themselves are in sim/outputs/.
#include "base/error.h"
#include "base/print.h"
#include "dynamics/constraints.h"
#include "dynamics/cut_joints.h"
#include "dynamics/sharing.h"
#include "dynamics/tree.h"
#include "sim/events.h"
#include "sim/follow.h"
#include "sim/judge.h"
#include "sim/outputs.h"
#include "sim/state.h"

#include <string.h>

bool sar_columns_need(const SarChannel* channel, int count, unsigned needs) {
  for (int i = 0; i < count; i++)
    if (channel[i].kind->needs & needs) return true;
  return false;
}

// What acts by impulses is known of a step, not of an instant: its means are shown as long as the
// state is where the step has left it.
static bool shows_step(SarSim* s) { return sar_state_is_untouched(s->d) && s->call.show(s); }

static SarStatus evaluate(SarSim* s, bool accelerations) {
  sar_update_kinematics(s->m, s->d);
  sar_update_world(s->m, s->d);
  sar_update_forces(s->m, s->d);
  sar_update_cut_joints(s->m, s->d);
  if (!accelerations) return SAR_OK;
  sar_a_becomes(s->d, shows_step(s));
  if (s->d->a_of_step)
    sar_update_constraints(s->m, s->d);
  else
    SAR_TRY(s->call.accel(s));
  sar_update_accelerations(s->m, s->d);
  sar_update_cut_accelerations(s->m, s->d);
  if (s->sharing) sar_share(s->sharing, s->m, s->d);
  return SAR_OK;
}

SarStatus sar_outputs_of(SarSim* s, const SarChannel* channel, int count, double* values) {
  s->d->friction = s->formulation->friction;
  sar_state_adopt(s);
  SarStatus st = s->events ? sar_events_catch_up(s, false) : SAR_OK;  // after a reset, say
  if (st == SAR_OK) st = evaluate(s, sar_columns_need(channel, count, SAR_NEEDS_ACCELERATIONS));
  s->d->friction = SAR_FRICTION_SMOOTH;
  SAR_TRY(st);
  const SarOutputRow row = {s, sar_energy_account(s->m, s->d), sar_total_momentum(s->m, s->d)};
  for (int i = 0; i < count; i++) values[i] = channel[i].kind->value(&row, &channel[i]);
  return sar_judge_row(s, channel, count, values);
}

SarStatus sar_hold_outputs(SarSim* s) {
  return s->m->nheld > 0 ? sar_outputs_of(s, s->m->held, s->m->nheld, s->d->held) : SAR_OK;
}

SAR_API SarStatus sar_outputs(SarSim* s, double* values) {
  SAR_GIVEN(s && values);
  return sar_outputs_of(s, s->m->channel, s->m->nchannel, values);
}

const char* sar_ambiguous_text(SarSim* s, char* buf, size_t size) {
  size_t used = 0;
  buf[0] = 0;
  if (!s->sharing || s->sharing->reactions == 0) return buf;
  for (int i = 0; i < s->m->nchannel; i++) {
    const SarChannel* c = &s->m->channel[i];
    if (!c->kind->undecided || !c->kind->undecided(s, c)) continue;
    const char* name = sar_text(s->m, c->name);
    if (used + strlen(name) + 7 > size) {
      sar_snprintf(buf + used, size - used, ", ...");
      break;
    }
    used += (size_t)sar_snprintf(buf + used, size - used, "%s%s", used ? ", " : "", name);
  }
  return buf;
}
