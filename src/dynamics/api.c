// The public calls on the dynamics at one instant (forward and inverse dynamics, mass matrix,
// Jacobians, energies): each evaluates what it needs, from t, q, v, inputs and tau of the data
// alone.
#include "base/error.h"
#include "base/sized.h"
#include "dynamics/constraints.h"
#include "dynamics/cut_joints.h"
#include "dynamics/mass.h"
#include "dynamics/reactions.h"

#include <string.h>

// Kinematics and forces. A model without elements, expressions, springs and the like has none but
// the host's, and pays for none.
static void evaluate(const SarModel* m, SarData* d) {
  sar_update_kinematics(m, d);
  if (m->nforce > 0 || m->nexpr > 0 || m->nmeasure > 0 || m->has_passive || m->ncut > 0 ||
      m->field.kind != SAR_GRAVITY_UNIFORM)
    sar_update_forces(m, d);
  else if (m->nv > 0)
    memcpy(d->tau, d->tau_host, (size_t)m->nv * sizeof *d->tau);
}

typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));

// Sum of 0 x: 0 if all x are finite, NaN otherwise. n: a multiple of LANES
enum { LANES = 16 };
__attribute__((noinline)) static double nothing(const double* x, size_t n) {
  Four a = {0, 0, 0, 0}, b = a, c = a, d = a;
  for (size_t i = 0; i < n; i += LANES) {
    a += 0 * *(const Four*)(x + i);
    b += 0 * *(const Four*)(x + i + 4);
    c += 0 * *(const Four*)(x + i + 8);
    d += 0 * *(const Four*)(x + i + 12);
  }
  a += b + (c + d);
  return a[0] + a[1] + (a[2] + a[3]);
}

// Numbers out of range and divisions by zero in expressions are found here at the latest. A look
// at each entry of a mass matrix, one after the other, was a third of computing it for a long
// chain.
static inline SarStatus all_finite(const double* x, size_t n) {
  const size_t most = n - n % LANES;
  double sum = most > 0 ? nothing(x, most) : 0;
  size_t i = most;
  for (; i + 1 < n; i += 2) sum += 0 * x[i] + 0 * x[i + 1];
  if (i < n) sum += 0 * x[i];
  return sum == 0 ? SAR_OK : SAR_NOT_FINITE;
}

// Constraints that are on need a factor of their equations, for which data have no room.
SAR_API SarStatus sar_forward_dynamics(SarData* d) {
  SAR_GIVEN(d);
  if (d->nactive > 0) return SAR_NOT_OFFERED;
  sar_a_becomes(d, false);
  evaluate(d->m, d);
  SAR_TRY(sar_aba(d->m, d));
  return all_finite(d->a, (size_t)d->m->nv);
}

// Psi a = gamma, row by row, to the rounding of its terms and of the closing of loops.
static bool keeps_constraints(const SarModel* m, const SarData* d, const double* a) {
  static const double ROUNDING = 1e-6;
  for (int k = 0; k < d->nactive; k++) {
    const int row = d->active_row[k];
    double sum = -d->gamma[row], size = fabs(sum);
    for (int e = m->row_adr[row]; e < m->row_adr[row + 1]; e++) {
      sum += d->Psi[e] * a[m->row_dof[e]];
      size += fabs(d->Psi[e] * a[m->row_dof[e]]);
    }
    if (!(fabs(sum) <= ROUNDING * fmax(1, size))) return false;
  }
  return true;
}

// What is asked for comes on top of the forces that are there: springs, motors, the host's. Where
// there are constraints, Psi' of any multipliers may be added.
SAR_API SarStatus sar_inverse_dynamics(SarData* d, const double* a, double* tau) {
  SAR_GIVEN(d && a && tau);
  const SarModel* m = d->m;
  evaluate(m, d);
  if (d->nactive > 0) {
    sar_update_world(m, d);
    sar_update_constraints(m, d);
    sar_update_constraint_rates(m, d);
    if (!keeps_constraints(m, d, a)) return SAR_NOT_CLOSED;
  }
  sar_rnea(m, d, a, tau);
  double sum = 0;  // of 0 tau, as in all_finite
  for (int i = 0; i < m->nv; i++) {
    tau[i] -= d->tau[i];
    sum += 0 * tau[i];
  }
  return sum == 0 ? SAR_OK : SAR_NOT_FINITE;
}

SAR_API SarStatus sar_mass_matrix(SarData* d, double* M) {
  SAR_GIVEN(d && M);
  return d->nactive > 0 ? SAR_NOT_OFFERED : sar_tree_mass_matrix(d, M);
}

SAR_API SarStatus sar_tree_mass_matrix(SarData* d, double* M) {
  SAR_GIVEN(d && M);
  const SarModel* m = d->m;
  sar_update_positions(m, d);
  sar_crba_dense(m, d, M);
  return all_finite(M, (size_t)m->nv * (size_t)m->nv);
}

// Bodies of the file come by the numbers that SAR_ITEM_BODY counts: see model.h, holder.
static bool is_body(const SarData* d, int body) {
  return body >= 0 && body < d->m->nbody + d->m->nfixed;
}

static V3 point_in_B(const SarData* d, int body, const double point[3]) {
  return x_point(sar_holder_X_BU(d->m, body), v3_load(point));
}

SAR_API SarStatus sar_jacobian(SarData* d, int body, const double point[3], double* J) {
  SAR_GIVEN(d && point && J);
  if (!is_body(d, body)) return SAR_BAD_ARGUMENT;
  if (sar_is_knot(d->m, sar_holder_body(d->m, body))) return SAR_NOT_OFFERED;
  sar_update_positions(d->m, d);
  sar_update_world(d->m, d);
  sar_point_jacobian(d->m, d, sar_holder_body(d->m, body), point_in_B(d, body, point), J);
  return SAR_OK;
}

SAR_API SarStatus sar_body_pose(SarData* d, int body, double position[3], double rotation[9]) {
  SAR_GIVEN(d && position && rotation);
  if (!is_body(d, body)) return SAR_BAD_ARGUMENT;
  sar_update_positions(d->m, d);
  sar_update_world(d->m, d);
  const int b = sar_holder_body(d->m, body);
  if (sar_is_knot(d->m, b)) evaluate(d->m, d);
  Xform X_GU = sar_holder_X_BU(d->m, body);
  if (b >= 0) X_GU = x_mul(d->body_X_GB[b], X_GU);
  v3_store(position, X_GU.p);
  const M3 R = X_GU.R;
  v3_store(rotation, v3(R.xx, R.xy, R.xz));
  v3_store(rotation + 3, v3(R.yx, R.yy, R.yz));
  v3_store(rotation + 6, v3(R.zx, R.zy, R.zz));
  return SAR_OK;
}

SAR_API SarStatus sar_body_velocity(SarData* d, int body, const double point[3], double angular[3],
                                    double linear[3]) {
  SAR_GIVEN(d && point && angular && linear);
  if (!is_body(d, body)) return SAR_BAD_ARGUMENT;
  sar_update_kinematics(d->m, d);
  sar_update_world(d->m, d);
  const int b = sar_holder_body(d->m, body);
  if (sar_is_knot(d->m, b)) evaluate(d->m, d);
  const M3 R = b < 0 ? m3_identity() : d->body_X_GB[b].R;
  const Motion V = b < 0 ? motion_zero() : d->body_V[b];
  const V3 v = v3_add(V.v, v3_cross(V.w, point_in_B(d, body, point)));
  v3_store(angular, m3_mul_v(R, V.w));
  v3_store(linear, m3_mul_v(R, v));
  return SAR_OK;
}

// One that closes a loop: its coordinates follow from the poses of its bodies.
static void get_loop_joint(const SarModel* m, SarData* d, int j, double* q, double* v) {
  sar_update_kinematics(m, d);
  sar_update_world(m, d);
  sar_update_cut_joints(m, d);
  for (int i = 0; i < m->joint_nq[j]; i++) q[i] = d->q[m->joint_qadr[j] + i];
  for (int i = 0; i < m->joint_nv[j]; i++) v[i] = d->v[m->joint_vadr[j] + i];
}

SAR_API SarStatus sar_joint_get(SarData* d, int joint, double* q, double* v) {
  SAR_GIVEN(d && q && v && sar_is_joint_item(d->m, joint));
  const SarModel* m = d->m;
  const int j = sar_item_joint(m, joint);
  if (j >= m->nbody)
    get_loop_joint(m, d, j, q, v);
  else if (j != SAR_NO_JOINT)
    sar_joint_flip(m, j, &d->q[m->joint_qadr[j]], &d->v[m->joint_vadr[j]], q, v);
  return SAR_OK;
}

SAR_API SarStatus sar_energy_sized(SarData* d, SarEnergy* out, size_t size) {
  SAR_GIVEN(d && out);
  const SarModel* m = d->m;
  evaluate(m, d);
  sar_update_world(m, d);
  const SarEnergy account = sar_energy_account(m, d);
  sar_give(out, size, &account, sizeof account);
  return all_finite(&account.error, 1);  // it is made of all the others
}

SAR_API SarStatus sar_momentum(SarData* d, double p[3], double L[3]) {
  SAR_GIVEN(d && p && L);
  sar_update_kinematics(d->m, d);
  const Force momentum = sar_total_momentum(d->m, d);
  v3_store(p, momentum.f);
  v3_store(L, momentum.n);
  const SarStatus st = all_finite(p, 3);
  return st == SAR_OK ? all_finite(L, 3) : st;
}

// When the tree runs against the file, the file's child is the tree's parent and feels the
// opposite.
Force sar_joint_reaction(const SarModel* m, const SarData* d, int joint) {
  Force F = d->body_joint_F[joint];
  int child = joint;
  if (m->joint_turned[joint]) {
    F = force_neg(x_force(d->body_X_PB[joint], F));
    child = m->body_parent[joint];
  }
  const V3 at = m->joint_X_BF[2 * joint + 1].p;
  const M3 R = child < 0 ? m3_identity() : d->body_X_GB[child].R;
  return (Force){m3_mul_v(R, v3_sub(F.n, v3_cross(at, F.f))), m3_mul_v(R, F.f)};
}

// What the joints carry, from the accelerations and multipliers of the last evaluation.
static void evaluate_reactions(const SarModel* m, SarData* d) {
  d->friction = d->a_friction;
  evaluate(m, d);
  d->friction = SAR_FRICTION_SMOOTH;
  sar_update_world(m, d);
  sar_update_cut_positions(m, d);
  sar_update_constraints(m, d);
  sar_update_accelerations(m, d);
}

static SarStatus store_force(Force F, double force[3], double torque[3]) {
  v3_store(force, F.f);
  v3_store(torque, F.n);
  const SarStatus st = all_finite(force, 3);
  return st == SAR_OK ? all_finite(torque, 3) : st;
}

SAR_API SarStatus sar_reaction(SarData* d, int joint, double force[3], double torque[3]) {
  SAR_GIVEN(d && force && torque && sar_is_joint_item(d->m, joint));
  const SarModel* m = d->m;
  const int j = sar_item_joint(m, joint);
  if (j == SAR_NO_JOINT) return SAR_NOT_OFFERED;  // see SarLoadOptions.keep_fixed
  evaluate_reactions(m, d);
  const Force F =
      j < m->nbody ? sar_joint_reaction(m, d, j) : sar_cut_joint_reaction(m, d, j - m->nbody);
  return store_force(F, force, torque);
}
