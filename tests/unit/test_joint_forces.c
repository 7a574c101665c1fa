// Springs, dampers, friction and actuators of joints: for every kind of joint, either way round,
// their power is what the spring's energy loses plus the two accounts.
#include "support/test.h"

#include "dynamics/applied.h"
#include "dynamics/tree.h"

enum { TRIALS = 300, SLOTS = 8, NV = SAR_JOINT_MAX_NV, NQ = SAR_JOINT_MAX_NQ };

// a model of one joint, on the stack
typedef struct OneJoint {
  SarModel m;
  SarData d;
  const SarJointKind* kind;
  int turned, passive, zero, slot_of[NV];
  double param[SAR_JOINT_MAX_PARAM], q_zero[NQ];
  double stiffness[NV], rest[NV], damping[NV], friction[NV], friction_speed[NV];
  double q[NQ], v[NV], tau[NV], slot[SLOTS];
} OneJoint;

static void joint_retract(const OneJoint* j, const double* q0, const double* xi, double* q) {
  sar_joint_retract(j->kind, j->param, q0, xi, q);
}

static void fill(Rng* r, double* x, double low, double high) {
  for (int i = 0; i < NV; i++) x[i] = rng_uniform(r, low, high);
}

static void one_joint(OneJoint* j, const SarJointKind* kind, Rng* r) {
  *j = (OneJoint){.kind = kind, .turned = rng_int(r, 2), .passive = 1};
  SarModel* m = &j->m;
  m->nbody = m->nbody_all = m->njoint = 1, m->nq = kind->nq, m->nv = kind->nv,
  m->has_passive = true;
  m->joint_kind = &j->kind, m->joint_turned = &j->turned, m->joint_passive = &j->passive;
  m->joint_qadr = &j->zero, m->joint_vadr = &j->zero, m->joint_param = j->param;
  m->q_zero = j->q_zero, m->dof_stiffness = j->stiffness, m->dof_rest = j->rest;
  m->dof_damping = j->damping, m->dof_friction = j->friction;
  m->dof_friction_speed = j->friction_speed, m->dof_force_slot = j->slot_of;
  m->dof_breakaway = j->friction, m->dof_stribeck_speed = j->friction_speed;
  j->d = (SarData){.m = m, .q = j->q, .v = j->v, .tau = j->tau, .slot = j->slot};
  fill(r, j->stiffness, 1, 10);
  fill(r, j->rest, -0.5, 0.5);
  fill(r, j->damping, 0, 2);
  fill(r, j->friction, 0, 2);
  fill(r, j->friction_speed, 0.1, 1);
  fill(r, j->v, -1, 1);
  for (int i = 0; i < SLOTS; i++) j->slot[i] = rng_uniform(r, -3, 3);
  for (int i = 0; i < NV; i++) j->slot_of[i] = rng_int(r, 3) ? i + 1 : -1;
  for (int i = 0; i < SAR_JOINT_MAX_PARAM; i++) j->param[i] = rng_uniform(r, -1, 1);
  // the zero position need not be where the frames coincide (a free body is placed anywhere)
  double xi[NV], coincide[NQ] = {0};
  if (kind->zero) kind->zero(coincide);
  fill(r, xi, -1, 1);
  joint_retract(j, coincide, xi, j->q_zero);
  fill(r, xi, -1.5, 1.5);
  joint_retract(j, j->q_zero, xi, j->q);
}

// spring energy a time h later; the rate of xi at xi = 0 is v
static double energy_after(const OneJoint* j, double h) {
  double xi[NV], q[NQ];
  for (int i = 0; i < j->kind->nv; i++) xi[i] = h * j->v[i];
  joint_retract(j, j->q, xi, q);
  SarData moved = j->d;
  moved.q = q;
  return sar_joint_spring_energy(&j->m, &moved, 0);
}

static void power_is_accounted_for(void** state) {
  (void)state;
  Rng r = rng_seed(1);
  const double h = 1e-5;
  for (int k = 0; sar_joint_kind(k); k++)
    for (int trial = 0; trial < test_effort(TRIALS); trial++) {
      OneJoint j;
      one_joint(&j, sar_joint_kind(k), &r);
      sar_add_joint_forces(&j.m, &j.d);
      double power = 0;
      for (int i = 0; i < j.kind->nv; i++) power += j.tau[i] * j.v[i];
      double lost = (energy_after(&j, -h) - energy_after(&j, h)) / (2 * h);
      double account = sar_joint_dissipation(&j.m, &j.d, 0) + sar_joint_drive_power(&j.m, &j.d, 0);
      // h^2 times third derivatives of order 1e2
      EXPECT_NEAR(power, lost + account, 1e-7);
      assert_true(sar_joint_dissipation(&j.m, &j.d, 0) <= 0);
    }
}

// two hinges described from opposite sides push the same bodies the same way
static void universal_joint_keeps_its_numbers_when_turned(void** state) {
  (void)state;
  Rng r = rng_seed(2);
  OneJoint j;
  one_joint(&j, sar_joint_kind_find("universal"), &r);
  j.turned = 1;
  sar_add_joint_forces(&j.m, &j.d);
  for (int i = 0; i < 2; i++) {
    // file coordinate i is minus the tree's coordinate 1 - i
    double q = -(j.q[1 - i] - j.q_zero[1 - i]), v = -j.v[1 - i];
    double tau = -j.stiffness[i] * (q - j.rest[i]) - j.damping[i] * v -
                 j.friction[i] * tanh(v / j.friction_speed[i]);
    if (j.slot_of[i] >= 0) tau += j.slot[j.slot_of[i]];
    EXPECT_NEAR(j.tau[1 - i], -tau, 1e-14);
  }
}

// far from zero speed dry friction is its full force, and at zero it is zero
static void dry_friction_saturates(void** state) {
  (void)state;
  Rng r = rng_seed(3);
  OneJoint j;
  one_joint(&j, sar_joint_kind_find("revolute"), &r);
  j.turned = 0, j.stiffness[0] = 0, j.damping[0] = 0, j.slot_of[0] = -1;
  j.friction[0] = 4, j.friction_speed[0] = 1e-3;
  const double cases[][2] = {{0, 0}, {1, -4}, {-1, 4}};
  for (int i = 0; i < 3; i++) {
    j.v[0] = cases[i][0], j.tau[0] = 0;
    sar_add_joint_forces(&j.m, &j.d);
    EXPECT_NEAR(j.tau[0], cases[i][1], 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(power_is_accounted_for),
      cmocka_unit_test(universal_joint_keeps_its_numbers_when_turned),
      cmocka_unit_test(dry_friction_saturates),
  };
  return cmocka_run_group_tests_name("joint_forces", tests, NULL, NULL);
}
