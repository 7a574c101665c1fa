// Newton's method for what the legs of a block share (loops.h), from where the mechanism is:
//
//   g(x) = 0        the surfaces of all legs; x: end of a leg in the frame N of the body that
//                   carries it
//   x'   = R_N' (v_T - v_N - w_N x (p_T - p_N))
//
// It is the paper's iteration over the constant-distance equations (Uchida and McPhee 2012, eq.
// 15), with the surface that elimination found in place of the sphere.
#include "loops/plan.h"

#include "linalg/lu.h"

#include <math.h>
#include <string.h>

// Angles, and lengths over the farthest end of a leg:
static const double TOLERANCE = 1e-11;  // of the last step; it squares what is left
static const double FAR = 0.5;          // a longer step leads to another branch
enum { STEPS = 12 };

// ---- surfaces -----------------------------------------------------------------------------------

static double power(double x, int n) {
  double y = 1;
  for (; n > 0; n--) y *= x;
  return y;
}

// Value of a surface, and its slope in each component of the end; both over the size of the terms.
static double value_of(const SarLoopBlock* leg, const SarLoopElement* e, const double* x,
                       V3* slope) {
  const int count = leg->variables + leg->symbols;
  double value = 0, size = 0, d[3] = {0};
  for (int i = 0; i < e->terms; i++) {
    double t = e->c[i];
    for (int v = 0; v < count; v++) t *= power(x[v], e->e[i][v]);
    value += t;
    size = fmax(size, fabs(t));
    for (int n = 0; n < 3; n++) {
      const int at = leg->end[n] < 0 ? -1 : leg->variables + leg->end[n];
      if (at < 0 || e->e[i][at] == 0) continue;
      double s = e->c[i] * e->e[i][at];
      for (int v = 0; v < count; v++) s *= power(x[v], e->e[i][v] - (v == at));
      d[n] += s;
    }
  }
  *slope = v3_scale(1 / size, v3(d[0], d[1], d[2]));
  return value / size;
}

// ---- motion -------------------------------------------------------------------------------------

static bool is_above(const SarModel* m, int e, int body) {
  for (; body >= 0; body = m->body_parent[body])
    if (body == e) return true;
  return false;
}

// Speed of the end of a leg in N for a speed 1 of one coordinate, whose axis is S at the origin of
// its body.
static V3 end_speed(const SarLoopFlow* f, const SarModel* m, const SarLoopSymbol* end, int joint,
                    Motion S_G) {
  const Xform X_N = sar_loop_symbol_frame(m, end, f->pose);
  const Xform X_T = end->of < 0 ? x_identity() : f->pose[end->of];
  const V3 p = x_point(X_T, end->at), o = f->pose[joint].p;
  const bool moves_T = is_above(m, joint, end->of), moves_N = is_above(m, joint, end->in);
  // what moves both moves the one in the other's frame by nothing
  if (moves_T == moves_N) return v3_zero();
  const V3 v = v3_add(S_G.v, v3_cross(S_G.w, v3_sub(p, o)));
  return m3_tmul_v(X_N.R, moves_T ? v : v3_neg(v));
}

static void take_axes(const SarLoopFlow* f, const SarModel* m, const double* q, int n,
                      const int* dof, Motion* S) {
  for (int j = 0; j < n; j++) {
    const int b = m->dof_body[dof[j]];
    SarJointCalc calc;
    m->joint_kind[b]->calc(&m->joint_param[b * SAR_JOINT_MAX_PARAM], &q[m->joint_qadr[b]], NULL,
                           &calc);
    const Motion s = calc.S[dof[j] - m->joint_vadr[b]];
    S[j] = (Motion){m3_mul_v(f->pose[b].R, s.w), m3_mul_v(f->pose[b].R, s.v)};
  }
}

static void move(const SarModel* m, int n, const int* dof, const double* x, double* q) {
  for (int j = 0; j < n; j++) {
    const int b = m->dof_body[dof[j]];
    if (j > 0 && m->dof_body[dof[j - 1]] == b) continue;
    double xi[SAR_JOINT_MAX_NV] = {0}, moved[SAR_JOINT_MAX_NQ];
    for (int i = j; i < n && m->dof_body[dof[i]] == b; i++) xi[dof[i] - m->joint_vadr[b]] = -x[i];
    sar_joint_retract(m->joint_kind[b], &m->joint_param[b * SAR_JOINT_MAX_PARAM],
                      &q[m->joint_qadr[b]], xi, moved);
    memcpy(&q[m->joint_qadr[b]], moved, (size_t)m->joint_nq[b] * sizeof *q);
  }
}

static double unit_of(const SarModel* m, int dof, double reach) {
  const int b = m->dof_body[dof];
  return m->joint_kind[b]->coordinate[dof - m->joint_vadr[b]] == SAR_LENGTH ? reach : 1;
}

// ---- the iteration ------------------------------------------------------------------------------

static double reach_of(const SarLoopBlock* leg, const double* x) {
  double square = 0;
  for (int n = 0; n < 3; n++)
    if (leg->end[n] >= 0) square += power(x[leg->variables + leg->end[n]], 2);
  return sqrt(square);
}

// One row for each surface; returns how many. reach: of the farthest end.
static int fill(const SarLoopFlow* f, const SarModel* m, const SarLoopBlock* k, const double* q,
                int n, const int* dof, double* A, double* g, double* reach) {
  Motion S[SAR_LOOP_MAX_CORE];
  int row = 0;
  *reach = 0;
  take_axes(f, m, q, n, dof, S);
  for (int i = 0; i < k->legs; i++) {
    const SarLoopBlock* leg = &k->leg[i];
    double x[SAR_LOOP_MAX_VARIABLES] = {0};
    sar_loop_read_symbols(f, m, leg, q, x);
    *reach = fmax(*reach, reach_of(leg, x));
    for (int s = 0; s < leg->surfaces && row < n; s++, row++) {
      V3 slope;
      g[row] = value_of(leg, &leg->surface[s], x, &slope);
      const int any = leg->end[0] >= 0 ? leg->end[0] : leg->end[1] >= 0 ? leg->end[1] : leg->end[2];
      for (int j = 0; j < n; j++)
        A[row * n + j] =
            v3_dot(slope, end_speed(f, m, &leg->symbol[any], m->dof_body[dof[j]], S[j]));
    }
  }
  return row;
}

bool sar_loop_solve_core(const SarLoopFlow* f, const SarModel* m, const SarLoopBlock* k,
                         double* q) {
  int dof[SAR_LOOP_MAX_CORE], pivot[SAR_LOOP_MAX_CORE], n = 0;
  double A[SAR_LOOP_MAX_CORE * SAR_LOOP_MAX_CORE], x[SAR_LOOP_MAX_CORE];
  for (int j = 0; j < k->size && n < SAR_LOOP_MAX_CORE; j++)
    if (sar_loop_leg_of(k, k->dof[j]) < 0) dof[n++] = k->dof[j];
  for (int step = 0; step < STEPS; step++) {
    double most = 0, reach;
    sar_poses_at(m, q, f->pose);
    if (fill(f, m, k, q, n, dof, A, x, &reach) != n || !sar_lu_factor(n, A, pivot)) return false;
    sar_lu_solve(n, A, pivot, x);
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]) / unit_of(m, dof[i], reach));
    if (!(most <= FAR)) return false;
    move(m, n, dof, x, q);
    if (most <= TOLERANCE) return true;
  }
  return false;
}
