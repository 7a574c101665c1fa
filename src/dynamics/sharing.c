// Minimum-norm reactions of overconstrained mechanisms: sharing forces among redundant constraints
// (sharing.h).
//
// The reactions of a joint are a basis of the wrenches that do no work on its motion, orthonormal
// in the measure of N and N m. With S the joint's axes at the joint point (v, w), as vectors of six
// numbers, they are what Gram and Schmidt's method finds beside S; in a planar model beside the
// motions out of the plane too, which nothing transmits there.
#include "dynamics/sharing.h"

#include "dynamics/reactions.h"
#include "dynamics/tree.h"
#include "linalg/householder.h"

#include <math.h>
#include <string.h>

static const double TOL = 1e-7;     // of the rank, of the largest entry: loops are closed to 1e-10
static const double UNIQUE = 1e-6;  // share of a unit state of stress that counts as none

// ---- joints -------------------------------------------------------------------------------------

typedef struct Ends {  // of a joint of the file
  int parent, child;   // -1: ground
  V3 at;               // joint point: that of the child
} Ends;

static Xform pose(const SarData* d, int body) {
  return body < 0 ? x_identity() : d->body_X_GB[body];
}

static Ends ends_of(const SarModel* m, const SarData* d, int joint) {
  Ends e;
  if (joint >= m->nbody) {
    const SarCut* c = &m->cut[joint - m->nbody];
    e = (Ends){.parent = c->body[0], .child = c->body[1]};
    e.at = x_point(pose(d, e.child), d->cut_X_B[joint - m->nbody].p);
    return e;
  }
  e = (Ends){.parent = m->body_parent[joint], .child = joint};
  if (m->joint_turned[joint]) e = (Ends){.parent = e.child, .child = e.parent};
  e.at = x_point(pose(d, e.child), m->joint_X_BF[2 * joint + 1].p);
  return e;
}

static void six(V3 a, V3 b, double out[6]) {
  const double values[6] = {a.x, a.y, a.z, b.x, b.y, b.z};
  memcpy(out, values, sizeof values);
}

static double dot6(const double* a, const double* b) {
  double sum = 0;
  for (int i = 0; i < 6; i++) sum += a[i] * b[i];
  return sum;
}

// x less its components along the first n of `basis`, twice for the sake of rounding; its length
static double reduce(int n, double basis[][6], double x[6]) {
  for (int pass = 0; pass < 2; pass++)
    for (int k = 0; k < n; k++) {
      const double along = dot6(basis[k], x);
      for (int i = 0; i < 6; i++) x[i] -= along * basis[k][i];
    }
  return sqrt(dot6(x, x));
}

static bool add(int* n, double basis[][6], const double x[6], double least) {
  double y[6];
  memcpy(y, x, sizeof y);
  const double length = reduce(*n, basis, y);
  if (!(length > least)) return false;
  for (int i = 0; i < 6; i++) basis[*n][i] = y[i] / length;
  (*n)++;
  return true;
}

// The joint's motions (v, w) at the joint point, ground axes; returns how many.
static int motions_of(const SarModel* m, const SarData* d, int joint, double out[6][6]) {
  const SarJointKind* kind = m->joint_kind[joint];
  const Ends e = ends_of(m, d, joint);
  SarJointCalc calc;
  if (kind->nv == 0) return 0;
  kind->calc(&m->joint_param[joint * SAR_JOINT_MAX_PARAM], &d->q[m->joint_qadr[joint]], NULL,
             &calc);
  Xform X = d->body_X_GB[joint < m->nbody ? joint : 0];  // frame of S: that of the tree's child
  if (joint >= m->nbody) X = x_mul(pose(d, e.child), d->cut_X_B[joint - m->nbody]);
  for (int i = 0; i < kind->nv; i++) {
    const V3 w = m3_mul_v(X.R, calc.S[i].w), v = m3_mul_v(X.R, calc.S[i].v);
    six(v3_add(v, v3_cross(w, v3_sub(e.at, X.p))), w, out[i]);
  }
  return kind->nv;
}

// Basis of what the joint transmits; returns how many.
static int find_units(const SarModel* m, const SarData* d, int joint, Force* out) {
  double motion[6][6], basis[12][6];
  int n = 0, moves = motions_of(m, d, joint, motion), count = 0;
  for (int i = 0; i < moves; i++) add(&n, basis, motion[i], 1e-9);
  const int normal = m->planar == SAR_PLANE_XY ? 2 : m->planar == SAR_PLANE_XZ ? 1 : 0;
  for (int i = 0; i < 6 && m->planar; i++) {
    const double across[6] = {i == 0, i == 1, i == 2, i == 3, i == 4, i == 5};
    if (i == normal || (i >= 3 && i != 3 + normal)) add(&n, basis, across, 1e-6);
  }
  // the axis farthest from what is there comes next, so that no two are nearly the same
  while (n < 6) {
    int best = 0;
    double most = -1;
    for (int i = 0; i < 6; i++) {
      double axis[6] = {i == 0, i == 1, i == 2, i == 3, i == 4, i == 5};
      const double length = reduce(n, basis, axis);
      if (length > most + 1e-6) most = length, best = i;
    }
    const double axis[6] = {best == 0, best == 1, best == 2, best == 3, best == 4, best == 5};
    add(&n, basis, axis, 0);
    const double* x = basis[n - 1];
    out[count++] = (Force){v3(x[3], x[4], x[5]), v3(x[0], x[1], x[2])};
  }
  return count;
}

// ---- the system ---------------------------------------------------------------------------------

static bool of_joint(const SarModel* m, int row) {
  return m->constraint[m->row[row].constraint].source == SAR_FROM_CUT;
}

bool sar_sharing_needed(const SarModel* m, int rank) {
  bool needed = rank < m->nrow || m->ngate > 0 || m->nidle_row > 0;
  for (int c = 0; c < m->nconstraint; c++) needed |= m->constraint[c].identical > 0;
  return needed;
}

// The most reactions there can be.
static int count_reactions(const SarModel* m) {
  int count = 0;
  for (int j = 0; j < m->njoint; j++) count += 6 - m->joint_nv[j];
  for (int i = 0; i < m->nrow; i++) count += !of_joint(m, i);
  return count + m->nidle_row;
}

void sar_sharing_init(SarSharing* p, const SarModel* m, SarBlock* b) {
  const size_t n = (size_t)count_reactions(m), rows = 6 * (size_t)m->nbody;
  sar_dense_query((int)n, (int)rows, &p->dense);
  SAR_PIECE(b, p->first, m->njoint + 1);
  SAR_PIECE(b, p->row, m->nrow + m->nidle_row);
  SAR_PIECE(b, p->unit, n);
  SAR_PIECE(b, p->A, n * rows);
  SAR_PIECE(b, p->tau, rows);
  SAR_PIECE(b, p->r, n);
  SAR_PIECE(b, p->x, n);
  SAR_PIECE(b, p->pivot, rows);
  SAR_PIECE(b, p->dense.work, p->dense.lwork);
  SAR_PIECE(b, p->dense.iwork, p->dense.liwork);
  SAR_PIECE(b, p->idle, m->nidle_row);
  SAR_PIECE(b, p->change, m->njoint);
  SAR_PIECE(b, p->reaction, m->njoint);
  p->equations = 6 * m->nbody;
  p->reactions = p->rank = 0;
}

// A' at (reaction k, body): the force F at the ground point `at` on the body, about its origin
static void put(SarSharing* p, const SarData* d, int k, int body, double sign, V3 at, Force F) {
  double values[6];
  if (body < 0) return;
  six(F.f, v3_add_cross(F.n, v3_sub(at, d->body_X_GB[body].p), F.f), values);
  for (int i = 0; i < 6; i++) p->A[(6 * body + i) * p->reactions + k] += sign * values[i];
}

// What a unit of generalised force on coordinate `dof` of a tree joint is: the wrench along its
// axes that does work on this one only.
static Force dual_of(const SarModel* m, const SarData* d, int dof) {
  const int joint = m->dof_body[dof], which = dof - m->joint_vadr[joint];
  double motion[6][6], others[6][6], x[6];
  int n = 0;
  const int moves = motions_of(m, d, joint, motion);
  for (int i = 0; i < moves; i++)
    if (i != which) add(&n, others, motion[i], 1e-9);
  memcpy(x, motion[which], sizeof x);
  const double length = reduce(n, others, x), scale = length > 0 ? 1 / (length * length) : 0;
  return (Force){v3(scale * x[3], scale * x[4], scale * x[5]),
                 v3(scale * x[0], scale * x[1], scale * x[2])};
}

// Calls back for every force that a unit multiplier of the row puts on a body b and, opposite, on
// a.
typedef void (*OnForce)(SarSharing* p, const SarModel* m, const SarData* d, int k, double factor,
                        int joint, int a, int b, V3 at, Force F);

// A row left out is evaluated here: nobody else asks for it. W as in constraints.c.
static Force idle_force(const SarData* d, const SarIdleTerm* t, V3* at) {
  const Xform X_GA = pose(d, t->body[0]), X_GB = pose(d, t->body[1]);
  const V3 x = m3_mul_v(X_GA.R, t->x);
  *at = x_point(X_GB, t->point[1]);
  if (t->kind == SAR_TERM_ALONG) return (Force){v3_zero(), x};
  if (t->kind == SAR_TERM_PERPENDICULAR)
    return (Force){v3_cross(m3_mul_v(X_GB.R, t->w), x), v3_zero()};
  const V3 gap = v3_sub(*at, x_point(X_GA, t->point[0]));
  const double length = v3_norm(gap);
  return (Force){v3_zero(), length > 0 ? v3_scale(1 / length, gap) : v3_zero()};
}

static void each_idle_force(SarSharing* p, const SarModel* m, const SarData* d, int row, int k,
                            double factor, OnForce call) {
  for (int i = 0; i < m->nidle; i++) {
    const SarIdleTerm* t = &m->idle[i];
    V3 at;
    if (t->row != row) continue;
    const Force W = idle_force(d, t, &at);
    call(p, m, d, k, -factor * t->coefficient, t->joint, t->body[0], t->body[1], at, W);
  }
}

static void each_force(SarSharing* p, const SarModel* m, const SarData* d, int row, int k,
                       double factor, OnForce call) {
  if (row >= m->nrow) {
    each_idle_force(p, m, d, row - m->nrow, k, factor, call);
    return;
  }
  for (int i = 0; i < m->nterm; i++) {
    const SarTerm* t = &m->term[i];
    const double s = -t->coefficient;
    if (t->row != row) continue;
    if (t->pair < 0) {
      const int body = m->dof_body[t->dof];
      const Force F = dual_of(m, d, t->dof);
      call(p, m, d, k, factor * s, body, m->body_parent[body], body, ends_of(m, d, body).at, F);
    } else {
      const SarPair* pair = &m->pair[t->pair];
      call(p, m, d, k, factor * s, t->joint, pair->body[0], pair->body[1], d->pair_p[t->pair],
           d->term_W[i]);
    }
  }
}

static void put_pair(SarSharing* p, const SarModel* m, const SarData* d, int k, double factor,
                     int joint, int a, int b, V3 at, Force F) {
  (void)m, (void)joint;
  put(p, d, k, b, factor, at, F);
  put(p, d, k, a, -factor, at, F);
}

static Force scaled(double s, Force F) { return (Force){v3_scale(s, F.n), v3_scale(s, F.f)}; }

// what changes of a joint's reaction when a drive or a coupling of its coordinate does
static void carry(SarSharing* p, const SarModel* m, const SarData* d, int k, double factor,
                  int joint, int a, int b, V3 at, Force F) {
  (void)k, (void)a;
  if (joint < 0) return;
  const Ends e = ends_of(m, d, joint);
  const double s = b == e.child ? factor : -factor;
  F.n = v3_add_cross(F.n, v3_sub(at, e.at), F.f);
  p->change[joint] = force_add(p->change[joint], scaled(s, F));
}

// Reactions as the formulation left them, and A'.
static void assemble(SarSharing* p, const SarModel* m, const SarData* d) {
  int n = 0;
  for (int j = 0; j < m->njoint; j++) {
    p->first[j] = n;
    if (sar_joint_is_on(m, d, j)) n += find_units(m, d, j, &p->unit[n]);
  }
  p->first[m->njoint] = n;
  for (int i = 0; i < m->nrow; i++)
    if (!of_joint(m, i) && d->row_on[i]) p->row[n++ - p->first[m->njoint]] = i;
  for (int i = 0; i < m->nidle; i++) {
    const SarIdleTerm* t = &m->idle[i];
    const bool first = i == 0 || m->idle[i - 1].row != t->row;
    if (first) p->idle[t->row] = 0;
    if (first && d->constraint_on[t->constraint])
      p->row[n++ - p->first[m->njoint]] = m->nrow + t->row;
  }
  p->reactions = n;
  memset(p->A, 0, (size_t)n * (size_t)p->equations * sizeof(double));
  for (int j = 0; j < m->njoint; j++) {
    const Ends e = ends_of(m, d, j);
    const Force W = p->reaction[j] =
        j < m->nbody ? sar_joint_reaction(m, d, j) : sar_cut_joint_reaction(m, d, j - m->nbody);
    for (int k = p->first[j]; k < p->first[j + 1]; k++) {
      p->r[k] = v3_dot(p->unit[k].f, W.f) + v3_dot(p->unit[k].n, W.n);
      put(p, d, k, e.child, 1, e.at, p->unit[k]);
      put(p, d, k, e.parent, -1, e.at, p->unit[k]);
    }
  }
  for (int k = p->first[m->njoint]; k < n; k++) {
    const int row = p->row[k - p->first[m->njoint]];
    p->r[k] = row < m->nrow ? d->lambda[row] : 0;  // no formulation knows of those left out
    each_force(p, m, d, row, k, 1, put_pair);
  }
}

void sar_share(SarSharing* p, const SarModel* m, SarData* d) {
  for (int j = 0; j < m->njoint; j++) p->change[j] = force_zero();
  assemble(p, m, d);
  const int n = p->reactions, most = n < p->equations ? n : p->equations;
  sar_qr_pivoted(n, p->equations, p->A, p->pivot, p->tau, &p->dense);
  for (p->rank = 0; p->rank < most; p->rank++)
    if (!(fabs(p->A[p->rank * n + p->rank]) > TOL * fabs(p->A[0]))) break;
  if (p->rank == n) return;

  // x = -N N' r: of Q' r what lies behind the rank
  memcpy(p->x, p->r, (size_t)n * sizeof *p->x);
  sar_q_mul_t(n, 1, p->rank, p->A, p->tau, p->x);
  for (int k = 0; k < n; k++) p->x[k] = k < p->rank ? 0 : -p->x[k];
  sar_q_mul(n, 1, p->rank, p->A, p->tau, p->x);
  for (int j = 0; j < m->njoint; j++)
    for (int k = p->first[j]; k < p->first[j + 1]; k++)
      p->change[j] = force_add(p->change[j], scaled(p->x[k], p->unit[k]));
  for (int k = p->first[m->njoint]; k < n; k++) {
    const int row = p->row[k - p->first[m->njoint]];
    *(row < m->nrow ? &d->lambda[row] : &p->idle[row - m->nrow]) += p->x[k];
    each_force(p, m, d, row, k, p->x[k], carry);
  }
  for (int j = 0; j < m->njoint; j++) p->reaction[j] = force_add(p->reaction[j], p->change[j]);
}

static double component_of(Force F, int component) {
  const double values[6] = {F.f.x, F.f.y, F.f.z, F.n.x, F.n.y, F.n.z};
  return values[component];
}

bool sar_reaction_is_unique(SarSharing* p, const SarModel* m, const SarData* d, int joint,
                            int component) {
  const int n = p->reactions, others = p->first[m->njoint];
  if (p->rank == n) return true;
  // the component as a sum over the reactions; Q' of its factors, behind the rank, is what N has of
  // it
  memset(p->x, 0, (size_t)n * sizeof *p->x);
  for (int k = p->first[joint]; k < p->first[joint + 1]; k++)
    p->x[k] = component_of(p->unit[k], component);
  for (int k = others; k < n; k++) {
    p->change[joint] = force_zero();
    each_force(p, m, d, p->row[k - others], k, 1, carry);
    p->x[k] = component_of(p->change[joint], component);
  }
  sar_q_mul_t(n, 1, p->rank, p->A, p->tau, p->x);
  double square = 0;
  for (int k = p->rank; k < n; k++) square += p->x[k] * p->x[k];
  return sqrt(square) <= UNIQUE;
}
