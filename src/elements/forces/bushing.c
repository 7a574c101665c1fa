// Bushing: a 6x6 spring and damper between frames on two bodies that coincide at the design
// position.
//
// A is the frame on the first body, C the one on the second. In axes of A:
//
//   x = (p, theta):  p = p_AC,  theta = rotation vector of R_AC
//   dx/dt = (V.v, Jl(theta)^-1 V.w),   V = velocity of C relative to A, at C's origin
//   y = preload - K x - D dx/dt        the force (3) and the dual of theta (3)
//   on the second body at C's origin: force y_f and moment Jl(theta)^-T y_m;
//   on the first: the opposite, at the same place, so that momentum is kept.
//
// The power of the two is y . dx/dt, whatever the size of theta (below half a turn): with a
// symmetric K the elastic part is exactly -d/dt (x'Kx/2), because the moment is taken with Jl^-T;
// applying K theta itself as a moment would only agree to second order. energy() holds x'Kx/2 -
// preload'x, the work account the damper and what an unsymmetric K does.
#include "elements/forces/varied.h"
#include "math/dual_rotvec.h"
#include "elements/forces/tangent.h"
#include "math/rotvec.h"

enum { FIRST, SECOND, FRAME, STIFFNESS, DAMPING, PRELOAD };
// Constants: the frames A on the first body and C on the second, then for the tangent the positive
// semidefinite parts of stiffness and damping.
enum { FRAME_A, FRAME_C = 12, TANGENT_K = 24, TANGENT_D = 60, CONSTANTS = 96 };

typedef struct Deflection {
  Xform X_GA;
  V3 origin_G;  // of C
  V3 theta;
  double x[6], rate[6];
} Deflection;

static void prepare(const SarModel* m, int force, double* constants) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  Xform X_GF = xform_load(&m->attr_data[a[FRAME].adr]);
  xform_store(constants + FRAME_A, x_mul(x_inv(sar_design_pose(m, a[FIRST].index)), X_GF));
  xform_store(constants + FRAME_C, x_mul(x_inv(sar_design_pose(m, a[SECOND].index)), X_GF));
  for (int i = 0; i < 2; i++) {
    double* part = constants + (i == 0 ? TANGENT_K : TANGENT_D);
    const SarAttrValue* matrix = &a[i == 0 ? STIFFNESS : DAMPING];
    memset(part, 0, 36 * sizeof *part);
    if (!matrix->given) continue;
    memcpy(part, &m->attr_data[matrix->adr], 36 * sizeof *part);
    sar_semidefinite_part(6, part);
  }
}

static Deflection calc_deflection(const SarModel* m, const SarData* d, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  int first = a[FIRST].index, second = a[SECOND].index;
  Xform X_GA = x_mul(body_pose(d, first), xform_load(sar_force_constants(m, force) + FRAME_A));
  Xform X_2C = xform_load(sar_force_constants(m, force) + FRAME_C);
  Xform X_GC = x_mul(body_pose(d, second), X_2C);
  // the point of the first body that lies at C's origin now
  V3 p_1C = x_point_inv(body_pose(d, first), X_GC.p);
  V3 v = v3_sub(point_velocity(d, second, X_2C.p), point_velocity(d, first, p_1C));
  V3 w = v3_sub(body_omega(d, second), body_omega(d, first));

  Deflection s = {.X_GA = X_GA, .origin_G = X_GC.p};
  s.theta = quat_log(quat_from_m3(m3_tmul(X_GA.R, X_GC.R)));
  v3_store(s.x, x_point_inv(X_GA, X_GC.p));
  v3_store(s.x + 3, s.theta);
  v3_store(s.rate, m3_tmul_v(X_GA.R, v));
  // Jl(theta)^-1 = Jr(-theta)^-1
  v3_store(s.rate + 3, rotvec_rate(v3_neg(s.theta), m3_tmul_v(X_GA.R, w)));
  return s;
}

static void mul6(const double* A, const double* x, double* y) {
  for (int i = 0; i < 6; i++) {
    y[i] = 0;
    for (int j = 0; j < 6; j++) y[i] += A[6 * i + j] * x[j];
  }
}

static double dot6(const double* a, const double* b) {
  double sum = 0;
  for (int i = 0; i < 6; i++) sum += a[i] * b[i];
  return sum;
}

static SarStatus check(const SarModel* m, int force, SarLoc loc, SarError* err) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const char* name = sar_text(m, m->force_name[force]);
  if (!a[STIFFNESS].given && !a[DAMPING].given && !a[PRELOAD].given) {
    sar_report(err, loc, "give stiffness, damping or preload",
               "force '%s': nothing says how strong it is", name);
    return SAR_BAD_MODEL;
  }
  const double* K = &m->attr_data[a[STIFFNESS].adr];
  for (int i = 0; a[STIFFNESS].given && i < 6; i++)
    for (int j = 0; j < i; j++)
      if (fabs(K[6 * i + j] - K[6 * j + i]) > 1e-9 * (fabs(K[6 * i + j]) + fabs(K[6 * j + i]))) {
        sar_warn(
            err, loc, "an elastic bushing has equal entries across the diagonal",
            "force '%s': stiffness is not symmetric (row %d, column %d), so it can make energy",
            name, i + 1, j + 1);
        return SAR_OK;
      }
  return SAR_OK;
}

static void apply(const SarModel* m, SarData* d, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  int first = a[FIRST].index, second = a[SECOND].index;
  Deflection s = calc_deflection(m, d, force);
  double elastic[6] = {0}, damper[6] = {0}, skew = 0, y[6];
  const double* preload = &m->attr_data[a[PRELOAD].adr];
  if (a[STIFFNESS].given) {
    const double* K = &m->attr_data[a[STIFFNESS].adr];
    mul6(K, s.x, elastic);
    // (K - K')/2 is not in x'Kx/2:  power - ((K - K') x / 2) . dx/dt
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < 6; j++) skew += 0.5 * (K[6 * i + j] - K[6 * j + i]) * s.x[j] * s.rate[i];
  }
  if (a[DAMPING].given) mul6(&m->attr_data[a[DAMPING].adr], s.rate, damper);
  for (int i = 0; i < 6; i++) y[i] = (a[PRELOAD].given ? preload[i] : 0) - elastic[i] - damper[i];

  // Jl^-T = Jr^-1 at the same theta
  V3 f = v3_load(y), n = rotvec_rate(s.theta, v3_load(y + 3));
  V3 f_G = m3_mul_v(s.X_GA.R, f), n_G = m3_mul_v(s.X_GA.R, n);
  add_force_at(d, second, x_point_inv(body_pose(d, second), s.origin_G), f_G);
  add_torque(d, second, n_G);
  add_force_at(d, first, x_point_inv(body_pose(d, first), s.origin_G), v3_neg(f_G));
  add_torque(d, first, v3_neg(n_G));
  d->force_power[force] = -dot6(damper, s.rate) - skew;
  set_outputs(
      m, d, force,
      (double[]){s.x[0], s.x[1], s.x[2], s.x[3], s.x[4], s.x[5], f.x, f.y, f.z, n.x, n.y, n.z});
}

static void varied_mul6(const double* A, const D3 x[2], Dual y[6]) {
  const Dual in[6] = {d3_x(x[0]), d3_y(x[0]), d3_z(x[0]), d3_x(x[1]), d3_y(x[1]), d3_z(x[1])};
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) y[i] = dual_sub(y[i], dual_scale(A[6 * i + j], in[j]));
}

// theta changes as it does for the angular velocity of C against A
static void vary(const SarModel* m, SarData* d, SarVariation* x, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const int first = a[FIRST].index, second = a[SECOND].index;
  const Deflection s = calc_deflection(m, d, force);
  const VariedBody A = varied_body(d, x, first), C = varied_body(d, x, second);
  const double* frames = sar_force_constants(m, force);
  const D3 origin = varied_point(&C, xform_load(frames + FRAME_C).p);
  const D3 from = d3_sub(origin, varied_point(&A, xform_load(frames + FRAME_A).p));
  const D3 v = d3_sub(varied_velocity(&C, origin), varied_velocity(&A, origin));
  const D3 w = d3_sub(C.w, A.w);
  const M3 R = s.X_GA.R;
  const V3 turn = m3_tmul_v(R, v3_sub(C.turn, A.turn));
  const D3 theta = d3(s.theta, rotvec_rate(v3_neg(s.theta), turn));
  const D3 p[2] = {d3_turn_back(R, A.turn, from), theta};
  const D3 rate[2] = {d3_turn_back(R, A.turn, v),
                      d3_rotvec_rate(d3_neg(theta), d3_turn_back(R, A.turn, w))};
  Dual y[6];
  for (int i = 0; i < 6; i++)
    y[i] = dual_of(a[PRELOAD].given ? m->attr_data[a[PRELOAD].adr + i] : 0);
  if (a[STIFFNESS].given) varied_mul6(&m->attr_data[a[STIFFNESS].adr], p, y);
  if (a[DAMPING].given) varied_mul6(&m->attr_data[a[DAMPING].adr], rate, y);
  const D3 f = d3_from(y[0], y[1], y[2]);
  const D3 n = d3_rotvec_rate(theta, d3_from(y[3], y[4], y[5]));
  const D3 f_G = d3_turn(R, A.turn, f), n_G = d3_turn(R, A.turn, n);
  vary_force_at(x, second, &C, origin, f_G);
  vary_torque(x, second, &C, n_G);
  vary_force_at(x, first, &A, origin, d3_neg(f_G));
  vary_torque(x, first, &A, d3_neg(n_G));
  vary_outputs(m, x, force,
               (Dual[]){d3_x(p[0]), d3_y(p[0]), d3_z(p[0]), d3_x(theta), d3_y(theta), d3_z(theta),
                        d3_x(f), d3_y(f), d3_z(f), d3_x(n), d3_y(n), d3_z(n)});
}

static double energy(const SarModel* m, const SarData* d, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  Deflection s = calc_deflection(m, d, force);
  double Kx[6], sum = 0;
  if (a[STIFFNESS].given) {
    mul6(&m->attr_data[a[STIFFNESS].adr], s.x, Kx);
    sum += 0.5 * dot6(s.x, Kx);
  }
  if (a[PRELOAD].given) sum -= dot6(&m->attr_data[a[PRELOAD].adr], s.x);
  return sum;
}

// With dx = B' (dw; dv), B = [0, R Jl^-T; R, 0] of deflections (p, theta) and motions (w; v):
//
//   K = B K B',   C = B D B'       of the positive semidefinite parts of the two matrices
//
// Left out: how B turns with the deflection, times the load; it has no sign.
static void tangent(const SarModel* m, SarData* d, int force, SarBodyTangent* out) {
  const Deflection s = calc_deflection(m, d, force);
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const double *K = sar_force_constants(m, force) + TANGENT_K, *D = K + TANGENT_D - TANGENT_K;
  if (out->whole && a[STIFFNESS].given) K = &m->attr_data[a[STIFFNESS].adr];
  double B[6][6] = {{0}};  // B[i]: column of deflection i
  out->p = s.origin_G;
  for (int i = 0; i < 3; i++) {
    const V3 e = v3(i == 0, i == 1, i == 2);
    v3_store(&B[i][3], m3_mul_v(s.X_GA.R, e));
    v3_store(&B[3 + i][0], m3_mul_v(s.X_GA.R, rotvec_rate(s.theta, e)));
  }
  for (int k = 0; k < 6; k++)
    for (int l = 0; l < 6; l++) {
      const double k_kl = K[6 * k + l], d_kl = D[6 * k + l];
      if (k_kl == 0 && d_kl == 0) continue;
      for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
          out->K[6 * i + j] += k_kl * B[k][i] * B[l][j];
          out->C[6 * i + j] += d_kl * B[k][i] * B[l][j];
        }
    }
}

static bool has_turns(const double* A) {
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      if ((i > 2 || j > 2) && A[6 * i + j] != 0) return true;
  return false;
}

// The force acts at the origin of C, which must be the knot's, and nothing may turn.
static bool on_knot(const SarModel* m, int force, int attr) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  if (attr != SECOND) return false;
  const V3 at = xform_load(&m->attr_data[a[FRAME].adr]).p;
  const V3 apart = v3_sub(at, sar_design_pose(m, a[SECOND].index).p);
  if (v3_norm(apart) > 1e-12 * (1 + v3_norm(at))) return false;
  if (a[STIFFNESS].given && has_turns(&m->attr_data[a[STIFFNESS].adr])) return false;
  if (a[DAMPING].given && has_turns(&m->attr_data[a[DAMPING].adr])) return false;
  const double* preload = &m->attr_data[a[PRELOAD].adr];
  return !a[PRELOAD].given || (preload[3] == 0 && preload[4] == 0 && preload[5] == 0);
}

static bool damps(const SarModel* m, int force) { return sar_force_attr(m, force, DAMPING)->given; }

const SarForceKind sar_force_bushing = {
    .name = "bushing",
    .doc = "6x6 spring and damper between frames on two bodies",
    .ref = "",
    .targets = 2,
    .attr = {{"first", SAR_ATTR_BODY, NULL, "body that carries the frame of the deflections", NULL},
             {"second", SAR_ATTR_BODY, NULL, "body whose deflection is measured", NULL},
             {"frame", SAR_ATTR_FRAME, NULL, "place and axes in ground, at design", NULL},
             {"stiffness", SAR_ATTR_MATRIX6, "", "x y z, then rotations [N/m, N m/rad]", NULL},
             {"damping", SAR_ATTR_MATRIX6, "", "likewise [N s/m, N m s/rad]", NULL},
             {"preload", SAR_ATTR_VECTOR6, "", "on the second body at design [N, N m]", NULL}},
    .nattr = 6,
    .example =
        "{bushing: [a, b], frame: {at: [0.2, 0, 0]}, stiffness: [9, 8, 7, 3, 2, 2], damping: [0.3, "
        "0.3, 0.2, 0.1, 0.1, 0.1], preload: [1, 0, 0, 0, 0, 0.5]}",
    // deflection [m, rad], force and moment on the second body [N, N m], axes of the frame
    .output = {"x", "y", "z", "rx", "ry", "rz", "fx", "fy", "fz", "tx", "ty", "tz"},
    .noutput = 12,
    .nconstant = CONSTANTS,
    .prepare = prepare,
    .check = check,
    .apply = apply,
    .vary = vary,
    .energy = energy,
    .tangent = tangent,
    .on_knot = on_knot,
    .damps = damps,
};
