// Motors: what joints are driven to, and how strongly. In the order of the joints of the model.
#include "model/compile/parts.h"

#include <math.h>

static bool is_sound(Compile* c, const JointPart* p, const SpecDofs* target, const char* key) {
  const int nv = p->kind->nv;
  if (nv == 0 || (target->count != 1 && target->count != nv)) {
    sar_complain(c, p->item, target->loc,
                 "give one expression for all coordinates, or one for each",
                 "motor: '%s' has %d values, but a %s joint has %d coordinates", key, target->count,
                 p->kind->name, nv);
    return false;
  }
  if (target == &p->spec->motor->position && p->kind->nq != nv) {
    sar_complain(c, p->item, target->loc, "give it a 'speed' instead",
                 "motor: rotations of a %s joint have no positions one by one", p->kind->name);
    return false;
  }
  return true;
}

// The force and the speed it has at most: the joint's where it says nothing itself.
static void read_limits(Compile* c, const JointPart* p, double* effort, double* speed_limit) {
  const SpecMotor* s = p->spec->motor;
  for (int i = 0; i < p->kind->nv; i++) {
    effort[i] = sar_law(p, LAW_EFFORT)[i];
    speed_limit[i] = sar_law(p, LAW_SPEED_LIMIT)[i];
  }
  sar_joint_numbers(c, p, &s->effort, "motor: effort", EVEN_INFINITE, effort);
  sar_joint_numbers(c, p, &s->speed_limit, "motor: speed_limit", EVEN_INFINITE, speed_limit);
  for (int i = 0; i < p->kind->nv; i++) {
    if (effort[i] < 0 || speed_limit[i] <= 0)
      sar_complain(c, p->item, s->loc, "it drives both ways",
                   "motor: effort and speed_limit are sizes, they must be positive");
    if (effort[i] < 0 || speed_limit[i] <= 0) return;
  }
}

// How fast a wanted position moves; -1 where it does not, or where nobody knows: the motor then
// trails by one step.
static int rate_of(Compile* c, SarNode position) {
  const char* unknown;
  const SarNode e = sar_rate_of(c, position, &unknown);
  return e >= 0 && !sar_node_is(c->graph, e, 0) ? sar_slot_of(c, e, false) : -1;
}

static bool add_motors(Compile* c, const JointPart* p, SarMotor* out) {
  const SpecMotor* s = p->spec->motor;
  const bool speed = s->speed.count > 0;
  const SpecDofs* target = speed ? &s->speed : &s->position;
  double effort[SAR_JOINT_MAX_NV], speed_limit[SAR_JOINT_MAX_NV];
  if (!is_sound(c, p, target, speed ? "speed" : "position")) return true;
  read_limits(c, p, effort, speed_limit);
  int slot = -1, rate = -1;
  for (int i = 0; i < p->kind->nv; i++) {
    if (i < target->count) {
      const SarNode e = sar_bound(c, target->c[i], p->item, speed ? "speed" : "position", NULL);
      slot = e >= 0 ? sar_slot_of(c, e, true) : -1;
      rate = e >= 0 && !speed ? rate_of(c, e) : -1;
    }
    if (slot < 0) return !c->arena.failed;
    out[i] = (SarMotor){.kind = speed ? SAR_MOTOR_SPEED : SAR_MOTOR_POSITION,
                        .joint = p->number,
                        .component = i,
                        .slot = slot,
                        .rate = rate,
                        .effort = effort[i],
                        .speed_limit = speed ? UNLIMITED : speed_limit[i]};
  }
  if (p->cut >= 0) c->m.needs_cuts = true;
  c->m.nmotor += p->kind->nv;
  return true;
}

bool sar_compile_motors(Compile* c) {
  int most = 0;
  int* by_number = SAR_ARENA_ARRAY(&c->arena, int, c->njoint + 1);  // 1 + joint of the spec
  if (!by_number) return false;
  for (int j = 0; j < c->njoint_spec; j++) {
    const JointPart* p = &c->joint[j];
    if (!p->spec->motor) continue;
    most += p->kind->nv;
    by_number[c->tree_known ? p->number : j] = j + 1;
  }
  c->m.motor = SAR_ARENA_ARRAY(&c->arena, SarMotor, most);
  if (c->arena.failed) return false;
  for (int i = 0; i < c->njoint; i++) {
    if (!by_number[i]) continue;
    if (!add_motors(c, &c->joint[by_number[i] - 1], &c->m.motor[c->m.nmotor])) return false;
  }
  return true;
}
