// Inflow models (inflow.h), in dual numbers: values and changes at once.
//
// Uniform and Glauert: u follows the momentum value with a time constant. Glauert's first
// harmonics, chi the wake angle, tan chi = V/|down + u|, along x downstream and y towards the
// advancing side:
//
//   v_i = u (1 + kx x/R + ky y/R)
//   Coleman tan(chi/2); Drees 4/3 (1 - cos chi - 1.8 mu^2)/sin chi, ky = -2 mu; White and Blake
//   sqrt(2) sin chi; Howlett sin^2 chi; Payne 4/3 (V/l)/(1.2 + V/l), l = |down + u|; glauert: 4/3
//   (1 - 1.8 mu^2) tan(chi/2)
//
// written with tau = across/(VT + l), whose length is tan(chi/2), so that nothing is singular in
// hover.
//
// Pitt and Peters, with the corrected apparent mass (Peters and HaQuang 1988, dimensional):
//
//   R M z' = c - diag(VT, Vm, Vm) L^-1 z,   M = diag(128/(75 pi), 16/(45 pi), 16/(45 pi))
//   c = (T, first moments of the thrust / R) / (rho A)
//   L = [1/2, -a, 0; a, 4 cos chi/(1 + cos chi), 0; 0, 0, 4/(1 + cos chi)]   in (mean, x, y),
//     a = 15 pi/64 tan(chi/2)
//   VT = sqrt(V^2 + l^2),   Vm = (V^2 + l (l + u))/VT
//
// Sources: Johnson, Helicopter Theory, 1980; Chen, NASA TM 102219, 1989; Pitt and Peters, Vertica
// 5, 1981; Cheeseman and Bennett, ARC R&M 3021, 1955.
#include "elements/aero/inflow.h"

#include "math/hypot.h"

static const double PI = 3.14159265358979323846;

int sar_inflow_states(SarInflowModel model) {
  return model == SAR_INFLOW_NONE ? 0 : model == SAR_INFLOW_PITT_PETERS ? 3 : 1;
}

// ---- momentum theory ----------------------------------------------------------------------------

// g(u) = u sqrt(V^2 + (d + u)^2) rises from g(0) = 0 but between its critical points, 2 u^2 + 3 d u
// + d^2 + V^2 = 0, which are there in descent: bracket of the first root of g = w > 0.
static void bracket(double V, double d, double w, double* low, double* high) {
  const double root = d < 0 ? d * d - 8 * V * V : -1;
  *low = 0;
  *high = fabs(d) + sqrt(w);
  if (!(root > 0)) return;
  const double top = (-3 * d - sqrt(root)) / 4, bottom = (-3 * d + sqrt(root)) / 4;
  if (top * sar_hypot(V, d + top) >= w)
    *high = top;
  else
    *low = bottom;
}

// Newton's method, halving where it leaves the bracket.
static double first_root(double V, double d, double w) {
  enum { ITERATIONS = 100 };
  double low, high;
  bracket(V, d, w, &low, &high);
  double u = fmin(high, fmax(low, w / fmax(sar_hypot(V, d), sqrt(w))));
  for (int i = 0; i < ITERATIONS; i++) {
    const double h = sqrt(V * V + (d + u) * (d + u)), g = u * h - w;
    *(g > 0 ? &high : &low) = u;
    const double slope = h > 0 ? h + u * (d + u) / h : 0;
    double next = slope > 0 ? u - g / slope : low;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    const double step = fabs(next - u);
    u = next;
    if (step <= 2e-16 * fabs(u)) break;
  }
  return u;
}

Dual sar_momentum_inflow(const SarDisc* disc, Dual thrust) {
  if (!(disc->density.x > 0)) return dual_of(0);  // in vacuo
  const Dual w = dual_div(thrust, dual_scale(2 * disc->area, disc->density));
  if (!(fabs(w.x) > 0) || !isfinite(w.x)) return dual(w.x, 0);
  const double sign = w.x > 0 ? 1 : -1, V = disc->V.x, d = disc->down.x;
  const double u = sign * first_root(V, sign * d, fabs(w.x));
  // g_u du = dw - g_V dV - g_d dd
  const double l = d + u, h = sqrt(V * V + l * l), least = 1e-9 * (fabs(d) + V + sqrt(fabs(w.x)));
  if (!(h > least)) return dual_of(u);
  const double slope = fmax(h + u * l / h, least);
  return dual(u, (w.d - u * V / h * disc->V.d - u * l / h * disc->down.d) / slope);
}

// ---- distribution -------------------------------------------------------------------------------

typedef struct Wake {
  Dual l, VT;  // |down + u|, sqrt(V^2 + l^2)
  D3 tau;      // downstream, of length tan(chi/2)
} Wake;

static Wake wake_of(const SarDisc* disc, Dual u) {
  Wake w = {.l = dual_add(disc->down, u)};
  if (w.l.x < 0) w.l = dual_neg(w.l);
  w.VT = dual_sqrt(dual_add(dual_mul(disc->V, disc->V), dual_mul(w.l, w.l)));
  const Dual sum = dual_add(w.VT, w.l);
  w.tau = sum.x > 0 ? d3_scale(dual_div(dual_of(1), sum), disc->across) : d3_of(v3_zero());
  return w;
}

// kx e_x + ky e_y
static D3 harmonics(const SarDisc* disc, Dual u) {
  const Wake w = wake_of(disc, u);
  const Dual tip2 = dual_mul(disc->tip_speed, disc->tip_speed), one = dual_of(1);
  if (!(w.VT.x > 0)) return d3_of(v3_zero());
  switch (disc->model) {
    case SAR_INFLOW_COLEMAN: return w.tau;
    case SAR_INFLOW_DREES: {
      if (!(tip2.x > 0)) return d3_scale(dual_of(4.0 / 3), w.tau);
      const Dual less = dual_scale(-2.4, dual_div(w.VT, tip2));
      const D3 x = d3_axpy(less, disc->across, d3_scale(dual_of(4.0 / 3), w.tau));
      const D3 y = d3_cross(disc->axis, disc->across);
      return d3_axpy(dual_scale(-2 * disc->turning, dual_div(one, disc->tip_speed)), y, x);
    }
    case SAR_INFLOW_WHITE_BLAKE: return d3_scale(dual_div(dual_of(sqrt(2)), w.VT), disc->across);
    case SAR_INFLOW_HOWLETT: return d3_scale(dual_div(disc->V, dual_mul(w.VT, w.VT)), disc->across);
    case SAR_INFLOW_PAYNE: {
      const Dual sum = dual_add(dual_scale(1.2, w.l), disc->V);
      return d3_scale(dual_div(dual_of(4.0 / 3), sum), disc->across);
    }
    case SAR_INFLOW_GLAUERT: {
      Dual share = dual_of(4.0 / 3);
      if (tip2.x > 0)
        share = dual_sub(share, dual_scale(2.4, dual_div(dual_mul(disc->V, disc->V), tip2)));
      return d3_scale(share, w.tau);
    }
    default: return d3_of(v3_zero());
  }
}

SarInflowField sar_inflow_field(const SarDisc* disc, const Dual z[SAR_INFLOW_STATES]) {
  SarInflowField f = {
      .hub = disc->hub, .axis = disc->axis, .states = sar_inflow_states(disc->model)};
  const Dual per_radius = dual_scale(1 / disc->radius, disc->image);
  if (f.states == 0) return f;
  f.mean = dual_mul(disc->image, z[0]);
  f.mean_z[0] = disc->image.x;
  if (f.states == 1) {
    const D3 k = d3_scale(per_radius, harmonics(disc, z[0]));
    f.slope = d3_scale(z[0], k);
    f.slope_z[0] = k.x;
    return f;
  }
  for (int i = 0; i < 2; i++) {
    f.slope = d3_axpy(dual_mul(per_radius, z[1 + i]), disc->e[i], f.slope);
    f.slope_z[1 + i] = v3_scale(per_radius.x, disc->e[i].x);
  }
  return f;
}

// ---- rates --------------------------------------------------------------------------------------

static void pitt_peters(const SarDisc* disc, const Dual z[3], Dual thrust, D3 moment,
                        Dual rate[3]) {
  static const double A = 15.0 / 64 * 3.14159265358979323846;
  const Wake w = wake_of(disc, z[0]);
  const Dual cosine = w.VT.x > 0 ? dual_div(w.l, w.VT) : dual_of(1);
  const Dual ring = dual_add(dual_of(1), cosine);
  const Dual b_s = dual_div(dual_of(4), ring), b_d = dual_mul(b_s, cosine);
  const D3 nu = d3_axpy(z[1], disc->e[0], d3_scale(z[2], disc->e[1]));
  const Dual along = d3_dot(w.tau, nu), tau2 = d3_dot(w.tau, w.tau);
  const Dual det = dual_add(dual_scale(0.5, b_d), dual_scale(A * A, tau2));
  // y = L^-1 z
  const Dual y0 = dual_div(dual_add(dual_mul(b_d, z[0]), dual_scale(A, along)), det);
  D3 y = d3_scale(dual_div(dual_of(1), b_s), nu);
  y = d3_axpy(dual_neg(dual_div(dual_scale(A, z[0]), det)), w.tau, y);
  y = d3_axpy(dual_div(dual_scale(2 - A * A, along), dual_mul(det, b_s)), w.tau, y);
  // (V^2 + l (l + u))/VT = VT + l u/VT, with l u as it flows, which may be against the wake
  const Dual l = dual_add(disc->down, z[0]);
  const Dual Vm = w.VT.x > 0 ? dual_add(w.VT, dual_div(dual_mul(l, z[0]), w.VT)) : dual_of(0);
  const Dual per_air = disc->density.x > 0
                           ? dual_div(dual_of(1 / (disc->area * disc->radius)), disc->density)
                           : dual_of(0);
  const double mean = 75 * PI / 128, side = 45 * PI / 16;
  rate[0] = dual_scale(
      mean, dual_sub(dual_mul(per_air, thrust), dual_scale(1 / disc->radius, dual_mul(w.VT, y0))));
  // first moments of the thrust: along e0 it is -moment . e1, along e1 moment . e0
  const Dual first[2] = {dual_neg(d3_dot(moment, disc->e[1])), d3_dot(moment, disc->e[0])};
  for (int i = 0; i < 2; i++) {
    const Dual c = dual_scale(1 / disc->radius, dual_mul(per_air, first[i]));
    const Dual back = dual_scale(1 / disc->radius, dual_mul(Vm, d3_dot(y, disc->e[i])));
    rate[1 + i] = dual_scale(side, dual_sub(c, back));
  }
}

void sar_inflow_rates(const SarDisc* disc, double memory, const Dual z[SAR_INFLOW_STATES], D3 force,
                      D3 moment, Dual rate[SAR_INFLOW_STATES]) {
  const Dual thrust = d3_dot(force, disc->axis);
  if (disc->model == SAR_INFLOW_PITT_PETERS)
    pitt_peters(disc, z, thrust, moment, rate);
  else if (disc->model != SAR_INFLOW_NONE)
    rate[0] = dual_scale(1 / memory, dual_sub(sar_momentum_inflow(disc, thrust), z[0]));
}
