// Solving the triangular blocks of a flow, one polynomial after the other, near where the mechanism
// is.
#include "loops/plan.h"

#include "math/angle.h"

#include <math.h>
#include <string.h>

static const double LEAST = 1e-6;  // leading coefficient, over the largest of its polynomial
static const double OFF = 1e-3;    // of s^2 + c^2 from 1
static const double FAR = 0.5;  // of a sine, cosine from where it was; lengths over the mechanism's
enum { MOST_DEGREE = 40 };

// ---- one block ----------------------------------------------------------------------------------

static Xform pose_of(const SarLoopFlow* f, int body) {
  return body < 0 ? x_identity() : f->pose[body];
}

static double part_of(double q, char part) {
  return part == 's' ? sin(q) : part == 'c' ? cos(q) : q;
}

Xform sar_loop_joint_frame(const SarModel* m, int joint) {
  return joint < 0 ? x_identity() : m->body_X_PF[joint];
}

Xform sar_loop_symbol_frame(const SarModel* m, const SarLoopSymbol* s, const Xform* pose) {
  return x_mul(s->in < 0 ? x_identity() : pose[s->in], sar_loop_joint_frame(m, s->joint));
}

void sar_loop_read_symbols(const SarLoopFlow* f, const SarModel* m, const SarLoopBlock* k,
                           const double* q, double* x) {
  for (int i = 0; i < k->symbols; i++) {
    const SarLoopSymbol* s = &k->symbol[i];
    if (s->part) {
      x[k->variables + i] = part_of(q[s->q], s->part);
      continue;
    }
    const Xform of = pose_of(f, s->of), in = sar_loop_symbol_frame(m, s, f->pose);
    const V3 v =
        s->direction ? m3_tmul_v(in.R, m3_mul_v(of.R, s->at)) : x_point_inv(in, x_point(of, s->at));
    x[k->variables + i] = s->component == 0 ? v.x : s->component == 1 ? v.y : v.z;
  }
}

static double power(double x, int n) {
  double y = 1;
  for (; n > 0; n--) y *= x;
  return y;
}

// Coefficients of the main variable; returns the leading one over the largest sum of its terms'
// sizes.
static double collect(const SarLoopElement* e, int count, const double* x, double* a) {
  double size = 0;
  memset(a, 0, (size_t)(e->degree + 1) * sizeof *a);
  for (int i = 0; i < e->terms; i++) {
    double t = e->c[i];
    for (int v = 0; v < count; v++)
      if (v != e->main && e->e[i][v]) t *= power(x[v], e->e[i][v]);
    a[e->e[i][e->main]] += t;
    size = fmax(size, fabs(t));
  }
  return size > 0 ? fabs(a[e->degree]) / size : 0;
}

// The variable from the element whose leading coefficient is largest.
static bool solve_variable(const SarLoopBlock* k, int v, double* x) {
  double best = LEAST, a[MOST_DEGREE + 1], b[MOST_DEGREE + 1];
  int degree = 0;
  for (int i = k->choice[v]; i < k->choice[v + 1]; i++) {
    const SarLoopElement* e = &k->element[i];
    if (e->degree > MOST_DEGREE) continue;
    const double lead = collect(e, k->variables + k->symbols, x, b);
    if (!(lead > best)) continue;
    best = lead, degree = e->degree;
    memcpy(a, b, (size_t)(degree + 1) * sizeof *a);
  }
  return degree > 0 && sar_nearest_root(a, degree, x[v], &x[v]);
}

// Variables begin where the mechanism is, and so do branches.
static bool solve_block(const SarLoopFlow* f, const SarModel* m, const SarLoopBlock* k, double* q) {
  double x[SAR_LOOP_MAX_VARIABLES];
  for (int v = 0; v < k->variables; v++) x[v] = part_of(q[k->variable[v].q], k->variable[v].part);
  sar_loop_read_symbols(f, m, k, q, x);
  for (int v = k->variables - 1; v >= 0; v--) {
    const double before = x[v];
    if (!solve_variable(k, v, x) || !isfinite(x[v])) return false;
    if (k->variable[v].part != 'x' && fabs(x[v] - before) > FAR) return false;
  }
  for (int v = 0; v < k->variables; v++) {
    const SarLoopVariable* var = &k->variable[v];
    if (var->part == 'x') q[var->q] = x[v];
    if (var->part != 's') continue;
    const double s = x[v], c = x[v + 1];
    if (fabs(s * s + c * c - 1) > OFF) return false;
    q[var->q] = angle_near(atan2(s, c), q[var->q]);
  }
  return true;
}

// The legs of a block whose core is found.
static bool solve_legs(const SarLoopFlow* f, const SarModel* m, const SarLoopBlock* k, double* q) {
  if (k->legs > 0) sar_poses_at(m, q, f->pose);
  for (int i = 0; i < k->legs; i++) {
    const SarLoopBlock* leg = &k->leg[i];
    const bool solved = leg->kind == SAR_LOOP_AIMED ? sar_loop_aim(m, &leg->aim, f->pose, q)
                                                    : solve_block(f, m, leg, q);
    if (!solved) return false;
  }
  return true;
}

static bool solve_core(const SarLoopFlow* f, const SarModel* m, const SarLoopBlock* k, double* q) {
  return k->kind == SAR_LOOP_TORN ? sar_loop_solve_core(f, m, k, q) : solve_block(f, m, k, q);
}

int sar_flow_solve(const SarLoopFlow* f, const SarModel* m, double* q) {
  int failed = 0;
  bool posed = false;
  for (int b = 0; b < f->blocks; b++) {
    const SarLoopBlock* k = &f->block[b];
    if (k->kind == SAR_LOOP_GIVEN || k->kind == SAR_LOOP_NEWTON) continue;
    if (failed > 0 && k->fresh) continue;  // from wrong values nothing follows
    if (!posed || k->fresh) sar_poses_at(m, q, f->pose), posed = true;
    memcpy(f->q, q, (size_t)m->nq * sizeof *q);
    if (solve_core(f, m, k, q) && solve_legs(f, m, k, q)) continue;
    memcpy(q, f->q, (size_t)m->nq * sizeof *q);
    failed++;
  }
  return failed;
}
