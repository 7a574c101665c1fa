// The joint-space mass matrix by composite rigid bodies (CRBA).
//
// Source: Featherstone 2008, table 6.2, in body frames.
//
//   IC = I + sum over children of X* IC X^-1        the subtree frozen to one rigid body (10
//                                                   numbers)
//   F_i = IC S_i;  M_ii = S_i'F_i + armature;  F_i is carried inwards, and M_ij = S_j'F_i for every
//   coordinate j on the way to ground
//
// The book carries one F_i at a time all the way to ground, each step waiting for the one before.
// Here all F_i of a subtree, whose coordinates are contiguous, take the step to its parent
// together: X is loaded once, and the steps are independent of each other.
#include "dynamics/mass.h"
#include "dynamics/rotors.h"
#include "linalg/lanes.h"

#include <string.h>

// own inertia and what the children handed up
LANES_INLINE Composite composite_of(const SarModel* m, const SarData* d, int b) {
  const Inertia* own = &m->body_inertia[b];
  const Composite I = {inertia_rows(own), l4_load(&own->h.x), own->m};
  return m->body_subtree[b] == 1 ? I : composite_add(I, composite_load(&d->body_IC[b]));
}

// The last child is the first to arrive: what it hands up is set, what the others do is added.
LANES_INLINE void hand_up(const SarModel* m, SarData* d, int b, int p, Composite I) {
  I = composite_transform(&d->body_X_PB[b], l4x3_load(&d->body_columns[b]), I);
  if (b + m->body_subtree[b] < p + m->body_subtree[p])
    I = composite_add(I, composite_load(&d->body_IC[p]));
  composite_store(&d->body_IC[p], I);
}

// F_i = IC S_i of the joint's own coordinates
LANES_INLINE void own_forces(const SarModel* m, const SarData* d, int b, Composite I, LaneForce* F,
                             const bool rigid) {
  const int i = m->joint_vadr[b];
  switch (m->joint_class[b]) {
    case SAR_CLASS_REVOLUTE:  // [I_z; z x h]
      lane_force_put(&F[i], (LaneForce){I.I.z, l4_mul(l4_yxz(I.h), l4(-1, 1, 0))});
      break;
    case SAR_CLASS_PRISMATIC:  // [h x z; m z]
      lane_force_put(&F[i], (LaneForce){l4_mul(l4_yxz(I.h), l4(1, -1, 0)), l4(0, 0, I.m)});
      break;
    default:
      if (!rigid && m->joint_class[b] == SAR_CLASS_MODE) break;  // gathered from the nodes
      for (int k = i; k < i + m->joint_nv[b]; k++)
        lane_force_put(&F[k], composite_mul(I, lane_motion(&d->dof_S[k])));
  }
}

// Where M_ij goes, j an ancestor of i or i itself: into sparse rows (in row i, j and its ancestors
// are the last entries: as many as row j has), or twice into a full matrix.
typedef struct Target {
  double* M;
  const size_t* row;
  size_t nv;
} Target;

static inline void put(Target to, const bool dense, int i, int j, double value) {
  if (dense) {
    to.M[(size_t)i * to.nv + (size_t)j] = value;
    to.M[(size_t)j * to.nv + (size_t)i] = value;
  } else {
    to.M[to.row[i + 1] - (to.row[j + 1] - to.row[j])] = value;
  }
}

// M_ij for the coordinates i < end of the subtree of body b and j of its joint
LANES_INLINE void put_entries(const SarModel* m, const SarData* d, int b, int end,
                              const LaneForce* F, Target to, const bool dense, const bool rigid) {
  const int first = m->joint_vadr[b];
  for (int j = first; j < first + m->joint_nv[b]; j++) {
    switch (m->joint_class[b]) {
      case SAR_CLASS_REVOLUTE:
        for (int i = j; i < end; i++) put(to, dense, i, j, l4_z(F[i].n));
        break;
      case SAR_CLASS_PRISMATIC:
        for (int i = j; i < end; i++) put(to, dense, i, j, l4_z(F[i].f));
        break;
      default: {
        if (!rigid && m->joint_class[b] == SAR_CLASS_MODE) break;  // added by the nodes
        const LaneMotion S = lane_motion(&d->dof_S[j]);
        for (int i = j; i < end; i++) put(to, dense, i, j, lane_power(S, lane_force_load(&F[i])));
      }
    }
    to.M[dense ? (size_t)j * to.nv + (size_t)j : to.row[j]] += m->dof_armature[j];
  }
}

// What a rotor does to the bodies before its joint: F_i += g. Its diagonal entry is armature.
static void add_rotor(const SarModel* m, const SarData* d, int b, LaneForce* F) {
  const V3 g = sar_rotor_in_body(d, &m->rotor[m->body_rotor[b] - 1]);
  F->n = l4_add(F->n, l4_of(g));
}

// ---- modal bodies -------------------------------------------------------------------------------
//
// A mode moves all nodes of its body: M_ij and F_i of modes are sums over the nodes k, with S of
// each,
//
//   M_ij = sum S_kj . IC_k S_ki,     F_i = sum X_k* IC_k S_ki,
//                                    M_dj = S_kj . F_d for d beyond node k
//
// Out of line: the loop over rigid bodies is as it would be without.

__attribute__((noinline, cold)) static void clear_modes(const SarModel* m, const SarData* d,
                                                        LaneForce* F, Target to, bool dense) {
  (void)d;
  for (int g = 0; g < m->nmodal; g++) {
    const SarModal* b = &m->modal[g];
    for (int i = b->dof; i < b->dof + b->num; i++) {
      F[i] = (LaneForce){l4_zero(), l4_zero()};
      for (int j = b->dof; j <= i; j++) put(to, dense, i, j, 0);
    }
  }
}

static void add(Target to, bool dense, int i, int j, double value) {
  if (dense) {
    to.M[(size_t)i * to.nv + (size_t)j] += value;
    if (i != j) to.M[(size_t)j * to.nv + (size_t)i] += value;
  } else {
    to.M[to.row[i + 1] - (to.row[j + 1] - to.row[j])] += value;
  }
}

// Before what lies beyond the node is carried inwards.
__attribute__((noinline, cold)) static void node_entries(const SarModel* m, SarData* d, int b,
                                                         int end, Composite I, Target to,
                                                         bool dense) {
  const SarModalNode* n = sar_own_node(m, b);
  LaneForce* F = d->dof_U;
  const L4x3 columns = l4x3_load(&d->body_columns[b]);
  const L4 p_PB = l4_load(&d->body_X_PB[b].p.x);
  for (int i = 0; i < n->num; i++) {
    const LaneMotion S = lane_motion(&d->node_S[n->mode + i]);
    const LaneForce own = composite_mul(I, S);
    for (int j = 0; j <= i; j++)
      add(to, dense, n->dof + i, n->dof + j, lane_power(lane_motion(&d->node_S[n->mode + j]), own));
    for (int k = m->joint_vadr[b]; k < end; k++)
      put(to, dense, k, n->dof + i, lane_power(S, lane_force_load(&F[k])));
    LaneForce* sum = &F[n->dof + i];
    lane_force_put(sum, lane_force_add(lane_force_load(sum), lane_x_force(columns, p_PB, own)));
  }
}

// Called with constants, so that the compiler makes one loop of it for each kind of matrix and
// model. rigid: neither rotors nor modal bodies
LANES_INLINE void crba(const SarModel* m, SarData* d, double* M, const bool dense,
                       const bool rigid) {
  const Target to = {M, d->mass_row, (size_t)m->nv};
  LaneForce* F = d->dof_U;
  if (!rigid) clear_modes(m, d, F, to, dense);
  for (int b = m->nbody - 1; b >= 0; b--) {
    const int p = m->body_parent[b], after = b + m->body_subtree[b];
    const int end = after < m->nbody ? m->joint_vadr[after] : m->nv;
    const Composite I = composite_of(m, d, b);
    if (!rigid && m->joint_class[b] == SAR_CLASS_NODE) node_entries(m, d, b, end, I, to, dense);
    own_forces(m, d, b, I, F, rigid);
    put_entries(m, d, b, end, F, to, dense, rigid);
    if (p < 0) continue;
    if (!rigid && m->body_rotor[b]) add_rotor(m, d, b, &F[m->joint_vadr[b]]);
    hand_up(m, d, b, p, I);
    const L4x3 columns = l4x3_load(&d->body_columns[b]);
    const L4 p_PB = l4_load(&d->body_X_PB[b].p.x);
    for (int i = m->joint_vadr[b]; i < end; i++)
      lane_force_put(&F[i], lane_x_force(columns, p_PB, lane_force_load(&F[i])));
  }
}

static bool is_rigid(const SarModel* m) { return m->nmodal == 0 && m->nrotor == 0; }

SAR_WIDE static void sparse_wide(const SarModel* m, SarData* d, double* mass) {
  crba(m, d, mass, false, true);
}

void sar_crba(const SarModel* m, SarData* d, double* mass) {
  if (is_rigid(m) && sar_has_wide())
    sparse_wide(m, d, mass);
  else if (is_rigid(m))
    crba(m, d, mass, false, true);
  else
    crba(m, d, mass, false, false);
}

void sar_crba_dense(const SarModel* m, SarData* d, double* M) {
  const size_t nv = (size_t)m->nv;
  for (size_t i = 0; i < nv; i++) memset(M + i * nv, 0, nv * sizeof *M);
  if (is_rigid(m))
    crba(m, d, M, true, true);
  else
    crba(m, d, M, true, false);
}
