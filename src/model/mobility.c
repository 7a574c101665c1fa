// Degrees of freedom = coordinates of the tree - rank of the velocity equations of cuts and couplings.
//
// A cut joint with motion axes S (in its frame) lets its two bodies move by S alone:
//   N' X_F^-1 (J_child - J_parent) v = 0,   N: orthonormal, N' S = 0,   6 - nv rows
// where J takes v to the velocity of a body about the ground origin. Lengths are divided by the size
// of the mechanism, so that rows are alike; the rank is found by elimination with complete pivoting.
// Cost O(rows nv^2), only for looking at a model, never in a step.
#include "model/mobility.h"

#include "base/arena.h"

enum { MOST_WORK = 500000000 };

typedef struct Count {
  const SarModel* m;
  double length;  // size of the mechanism [m]
  Xform* X_GB;
  Motion* S_G;  // axis of each coordinate about the ground origin, ground axes
  double* row;
  int rows;
} Count;

static void place(Count* c) {
  const SarModel* m = c->m;
  c->length = 0;
  for (int b = 0; b < m->nbody; b++) {
    SarJointCalc calc;
    m->joint_kind[b]->calc(&m->joint_param[b * SAR_JOINT_MAX_PARAM], &m->q_zero[m->joint_qadr[b]],
                           NULL, &calc);
    Xform X_GP = m->body_parent[b] >= 0 ? c->X_GB[m->body_parent[b]] : x_identity();
    c->X_GB[b] = x_mul(x_mul(X_GP, m->body_X_PF[b]), calc.X_FB);
    c->length = fmax(c->length, v3_norm(m->body_X_PF[b].p));
    for (int k = 0; k < m->joint_nv[b]; k++)
      c->S_G[m->joint_vadr[b] + k] = x_motion(c->X_GB[b], calc.S[k]);
  }
  if (c->length == 0) c->length = 1;
}

// Orthonormal basis of what is perpendicular to the axes S, by Gram-Schmidt on S and the unit
// vectors (twice each, which is enough against rounding).
static int complement(const Motion* S, int nv, double N[6][6]) {
  double basis[12][6];
  int n = 0, found = 0;
  for (int k = 0; k < nv + 6 && n < 6; k++) {
    double* e = basis[n];
    for (int i = 0; i < 6; i++) e[i] = k >= nv && i == k - nv;
    if (k < nv) {
      v3_store(e, S[k].w);
      v3_store(e + 3, S[k].v);
    }
    double norm = 0;
    for (int pass = 0; pass < 2; pass++) {
      for (int j = 0; j < n; j++) {
        double dot = 0;
        for (int i = 0; i < 6; i++) dot += e[i] * basis[j][i];
        for (int i = 0; i < 6; i++) e[i] -= dot * basis[j][i];
      }
      norm = 0;
      for (int i = 0; i < 6; i++) norm += e[i] * e[i];
    }
    if (norm < 1e-12) continue;
    for (int i = 0; i < 6; i++) e[i] /= sqrt(norm);
    if (k >= nv) {
      for (int i = 0; i < 6; i++) N[found][i] = e[i];
      found++;
    }
    n++;
  }
  return found;
}

// adds sign * N' X^-1 J(body) to the rows
static void add_body(Count* c, Xform X_GF, double N[6][6], int n, int body, double sign) {
  const SarModel* m = c->m;
  int d = -1;
  for (int b = body; b >= 0 && d < 0; b = m->body_parent[b])
    if (m->joint_nv[b] > 0) d = m->joint_vadr[b] + m->joint_nv[b] - 1;
  for (; d >= 0; d = m->dof_parent[d]) {
    double s[6];
    Motion S = x_motion_inv(X_GF, c->S_G[d]);
    v3_store(s, S.w);
    v3_store(s + 3, v3_scale(1 / c->length, S.v));
    for (int r = 0; r < n; r++)
      for (int i = 0; i < 6; i++) c->row[(c->rows + r) * m->nv + d] += sign * N[r][i] * s[i];
  }
}

static void add_cut(Count* c, const SarCut* cut) {
  double q[SAR_JOINT_MAX_NQ] = {0}, N[6][6];
  SarJointCalc calc;
  if (cut->kind->zero) cut->kind->zero(q);
  cut->kind->calc(cut->param, q, NULL, &calc);
  for (int k = 0; k < cut->kind->nv; k++) calc.S[k].v = v3_scale(1 / c->length, calc.S[k].v);
  int n = complement(calc.S, cut->kind->nv, N);
  Xform X_GB = cut->body[0] >= 0 ? c->X_GB[cut->body[0]] : x_identity();
  Xform X_GF = x_mul(X_GB, cut->X_BF[0]);
  add_body(c, X_GF, N, n, cut->body[1], 1);
  add_body(c, X_GF, N, n, cut->body[0], -1);
  c->rows += n;
}

// adds factor times the row of a joint's coordinate: one of the tree, or the relative motion of a cut's
// bodies along its axis
static void add_coordinate(Count* c, int joint, double factor) {
  const SarModel* m = c->m;
  if (joint < m->nbody) {
    c->row[c->rows * m->nv + m->joint_vadr[joint]] += factor;
    return;
  }
  const SarCut* cut = &m->cut[joint - m->nbody];
  double q[SAR_JOINT_MAX_NQ] = {0}, N[6][6] = {{0}};
  SarJointCalc calc;
  cut->kind->calc(cut->param, q, NULL, &calc);
  if (cut->kind->coordinate[0] == SAR_ANGLE)
    v3_store(N[0], calc.S[0].w);
  else
    v3_store(N[0] + 3, v3_scale(c->length, calc.S[0].v));
  Xform X_GB = cut->body[0] >= 0 ? c->X_GB[cut->body[0]] : x_identity();
  Xform X_GF = x_mul(X_GB, cut->X_BF[0]);
  add_body(c, X_GF, N, 1, cut->body[1], factor);
  add_body(c, X_GF, N, 1, cut->body[0], -factor);
}

static int rank_of(double* A, int rows, int columns) {
  int rank = 0;
  double first = 0;
  for (; rank < rows && rank < columns; rank++) {
    int r = rank, k = rank;
    double largest = 0;
    for (int i = rank; i < rows; i++)
      for (int j = rank; j < columns; j++)
        if (fabs(A[i * columns + j]) > largest) largest = fabs(A[i * columns + j]), r = i, k = j;
    if (rank == 0) first = largest;
    if (!(largest > 1e-9 * first)) break;
    for (int j = 0; j < columns; j++) {
      double swap = A[rank * columns + j];
      A[rank * columns + j] = A[r * columns + j];
      A[r * columns + j] = swap;
    }
    for (int i = 0; i < rows; i++) {
      double swap = A[i * columns + rank];
      A[i * columns + rank] = A[i * columns + k];
      A[i * columns + k] = swap;
    }
    for (int i = rank + 1; i < rows; i++) {
      double f = A[i * columns + rank] / A[rank * columns + rank];
      if (f == 0) continue;
      for (int j = rank; j < columns; j++) A[i * columns + j] -= f * A[rank * columns + j];
    }
  }
  return rank;
}

bool sar_mobility(const SarModel* m, SarMobility* out) {
  Count c = {.m = m};
  SarArena arena;
  *out = (SarMobility){.freedoms = m->nv};
  for (int k = 0; k < m->ncut; k++) out->constraints += 6 - m->cut[k].kind->nv;
  out->constraints += m->ncoupling;
  if (m->nconstraint == 0) return true;
  out->freedoms = -1;
  if (m->nconstraint > m->ncut + m->ncoupling) return false;
  if ((double)out->constraints * m->nv * m->nv > MOST_WORK) return false;
  sar_arena_init(&arena);
  c.X_GB = SAR_ARENA_ARRAY(&arena, Xform, m->nbody);
  c.S_G = SAR_ARENA_ARRAY(&arena, Motion, m->nv + 1);
  c.row = SAR_ARENA_ARRAY(&arena, double, (size_t)out->constraints*(size_t)m->nv + 1);
  if (!arena.failed) {
    place(&c);
    for (int k = 0; k < m->ncut; k++) add_cut(&c, &m->cut[k]);
    for (int k = 0; k < m->ncoupling; k++, c.rows++) {
      const SarCoupling* p = &m->coupling[k];
      add_coordinate(&c, p->joint, 1);
      add_coordinate(&c, p->other, -p->multiplier);
    }
    int rank = rank_of(c.row, c.rows, m->nv);
    out->freedoms = m->nv - rank;
    out->redundant = out->constraints - rank;
  }
  bool done = !arena.failed;
  sar_arena_free(&arena);
  return done;
}
