// Momenta of free trees in flight (robots that nothing touches), kept to rounding (flight.h).
//
// The midpoint rule in relative coordinates keeps neither: its error of third order in a step adds
// up. In flight they are known, with g the uniform gravity, c the mass centre and L the angular
// momentum about it:
//
//   p1 = p0 + m g h,    L1 = L0,    c1 = c0 + h p0 / m + h^2 g / 2
//
// The least change of velocities that gives them, in the metric of M, is that of the root: all
// moves on as one rigid body would,   I w = L1 - L,   m v = p1 - p,   I of the whole tree about c;
// the place is a translation of the root. Neither moves a joint, so that loops within the tree stay
// closed.
//
// A tree flies if nothing that acts on it in the step moves its root: no row of contact or joints,
// no held row, and forces on its bodies that come to nothing together.
#include "formulations/impulse/flight.h"
#include "formulations/impulse/impulse.h"

#include <math.h>
#include <string.h>

static const double NOTHING = 1e-9;  // of a Jacobian, or of all forces: rounding

static bool is_free_tree(const SarModel* m, int b) {
  return m->body_parent[b] < 0 && m->body_subtree[b] > 1 && m->joint_nv[b] == 6 &&
         m->joint_nq[b] == 7 && m->dof_armature[m->joint_vadr[b] + 3] == 0;
}

bool sar_has_free_trees(const SarModel* m) {
  if (m->nrotor > 0 || m->nmodal > 0 || m->field.kind != SAR_GRAVITY_UNIFORM) return false;
  for (int b = 0; b < m->nbody; b++)
    if (is_free_tree(m, b)) return true;
  return false;
}

// ---- does it fly? -------------------------------------------------------------------------------

static double largest(int n, const double* x) {
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

static bool row_moves_root(const SarImpulses* p, const SarImpulseRow* row, int root) {
  if (row->p == 0 && row->pseudo == 0) return false;
  for (int i = 0; i < row->parts; i++) {
    const SarImpulsePart* x = &row->part[i];
    if (root < x->first || root >= x->first + x->num) continue;
    const double* J = &p->pool[x->adr];
    return largest(6, &J[root - x->first]) > NOTHING * largest(x->num, J);
  }
  return false;
}

static bool held_rows_move_root(const SarModel* m, const SarData* d, int root) {
  for (int k = 0; k < m->nrow_dof; k++)
    if (m->row_dof[k] >= root && m->row_dof[k] < root + 6 && fabs(d->Psi[k]) > NOTHING) return true;
  return false;
}

// Of the step's forces, where it jumped; needs world poses there.
static bool forces_move_root(const SarModel* m, const SarData* d, int b) {
  V3 f = v3_zero(), n = v3_zero();
  double forces = 0, torques = 0;
  const V3 at = d->body_X_GB[b].p;
  for (int i = b; i < b + m->body_subtree[b]; i++) {
    const Xform* X = &d->body_X_GB[i];
    const V3 F = m3_mul_v(X->R, d->body_F[i].f), N = m3_mul_v(X->R, d->body_F[i].n),
             arm = v3_sub(X->p, at);
    f = v3_add(f, F);
    n = v3_add(n, v3_add(N, v3_cross(arm, F)));
    forces += v3_norm(F);
    torques += v3_norm(N) + v3_norm(arm) * v3_norm(F);
  }
  return largest(6, &d->tau[m->joint_vadr[b]]) > 0 || v3_norm(f) > NOTHING * forces ||
         v3_norm(n) > NOTHING * torques;
}

static bool flies(const SarImpulses* p, const SarModel* m, const SarData* d, int b) {
  const int root = m->joint_vadr[b];
  for (int i = p->count - 1; i >= 0; i--)
    if (row_moves_root(p, &p->row[i], root)) return false;
  return !held_rows_move_root(m, d, root) && !forces_move_root(m, d, b);
}

void sar_find_flying(SarImpulseState* p, SarSim* s) {
  const SarModel* m = s->m;
  p->flying = false;
  if (!p->trees) return;
  sar_update_world(m, s->d);
  for (int b = 0; b < m->nbody; b++) {
    p->flies[b] = is_free_tree(m, b) && flies(&p->rows, m, s->d, b);
    p->flying = p->flying || p->flies[b];
  }
}

// ---- momenta ------------------------------------------------------------------------------------

typedef struct Whole {
  double m;
  V3 c, p, L;  // mass centre, momenta: ground axes, L about c
  S3 I;        // about c, ground axes
} Whole;

// Needs velocities and world poses.
static Whole whole_of(const SarModel* m, const SarData* d, int b) {
  Whole w = {.I = s3_zero()};
  V3 first = v3_zero(), L = v3_zero();
  for (int i = b; i < b + m->body_subtree[b]; i++) {
    const Xform* X = &d->body_X_GB[i];
    const Inertia* I = &m->body_inertia[i];
    const Force h = inertia_mul(*I, d->body_V[i]);
    const V3 f = m3_mul_v(X->R, h.f);
    w.m += I->m;
    first = v3_add(first, v3_add(v3_scale(I->m, X->p), m3_mul_v(X->R, I->h)));
    w.p = v3_add(w.p, f);
    L = v3_add(L, v3_add(m3_mul_v(X->R, h.n), v3_cross(X->p, f)));
  }
  w.c = v3_scale(1 / w.m, first);
  w.L = v3_sub(L, v3_cross(w.c, w.p));
  for (int i = b; i < b + m->body_subtree[b]; i++) {
    const Xform* X = &d->body_X_GB[i];
    const Inertia* I = &m->body_inertia[i];
    const V3 c = I->m > 0 ? v3_scale(1 / I->m, I->h) : v3_zero();
    const V3 r = v3_sub(v3_add(X->p, m3_mul_v(X->R, c)), w.c);
    const S3 own = s3_rotate(X->R, s3_add(I->I, s3_scale(-I->m, s3_of_point(c))));
    w.I = s3_add(w.I, s3_add(own, s3_scale(I->m, s3_of_point(r))));
  }
  return w;
}

static V3 solve(S3 J, V3 b) {
  const V3 x = {J.xx, J.xy, J.xz}, y = {J.xy, J.yy, J.yz}, z = {J.xz, J.yz, J.zz};
  const V3 yz = v3_cross(y, z), zx = v3_cross(z, x), xy = v3_cross(x, y);
  return v3_scale(1 / v3_dot(x, yz), v3(v3_dot(yz, b), v3_dot(zx, b), v3_dot(xy, b)));
}

static void look(const SarModel* m, SarData* d) {
  sar_update_kinematics(m, d);
  sar_update_world(m, d);
}

static void move_root(const SarModel* m, SarData* d, int b, const Whole* from, double h) {
  const Whole now = whole_of(m, d, b);
  const M3 R_GF = m->body_X_PF[b].R;
  const Xform* X = &d->body_X_GB[b];
  double *q = &d->q[m->joint_qadr[b]], *v = &d->v[m->joint_vadr[b]];
  const V3 p = v3_axpy(h * from->m, m->gravity, from->p);
  const V3 way = v3_axpy(0.5 * h * h, m->gravity, v3_scale(h / from->m, from->p));
  const V3 w = solve(now.I, v3_sub(from->L, now.L));
  const V3 go = v3_add(v3_scale(1 / now.m, v3_sub(p, now.p)), v3_cross(w, v3_sub(X->p, now.c)));
  const V3 shift = m3_tmul_v(R_GF, v3_sub(v3_add(from->c, way), now.c));
  v3_store(v, v3_add(v3_load(v), m3_tmul_v(R_GF, go)));
  v3_store(v + 3, v3_add(v3_load(v + 3), m3_tmul_v(X->R, w)));
  v3_store(q, v3_add(v3_load(q), shift));
}

// d stands where the step ends. Scratch: what the jump has done with.
void sar_keep_flying(SarImpulseState* p, SarSim* s, double h) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  const size_t positions = (size_t)m->nq_all * sizeof(double),
               speeds = (size_t)m->nv * sizeof(double);
  if (!p->flying) return;
  for (int b = 0; b < m->nbody; b++) {
    if (!p->flies[b]) continue;
    memcpy(p->q, d->q, positions);
    memcpy(p->x, d->v, speeds);
    memcpy(d->q, s->start.q, positions);
    memcpy(d->v, s->start.v, speeds);
    look(m, d);
    const Whole from = whole_of(m, d, b);
    memcpy(d->q, p->q, positions);
    memcpy(d->v, p->x, speeds);
    look(m, d);
    move_root(m, d, b, &from, h);
  }
}
