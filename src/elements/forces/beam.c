// Element of a geometrically exact beam (Reissner, Simo): two frames, a constant strain on SE(3)
// between them (Sonneville, Cardona and Bruls 2014).
//
// A is the frame of the first body, C that of the second; x runs from A to C.
//
//   d = log(X_AC) = (theta, rho),   d0 = d at the design position,   L = |rho0|
//   strain = (d - d0)/L             constant, unchanged by rigid motions of both
//   F(d) y = d - d0                 y: wrench of the middle section; energy U = (d - d0) . y/2
//   F(d) = F0 + L/12 (ad_d C ad_d' - ad_d0 C ad_d0')
//   dU/dd = y + L/12 ad_u' y,       u = C ad_d' y
//   on the second body at C's origin: minus the wrench whose power is (dU/dd + D d') . d'
//   (x_log_wrench); on the first the opposite at the same place
//
// F0 is the flexibility at the design position (model/beam.h), C that of the section. The wrench
// turns along the element as its curvature has it, which bends and twists it: F0 knows of the
// curvature at the design position, the difference of that which came with the load (fourth-order
// Magnus expansion of the pose). U is the largest value of y . (d - d0) - y' F(d) y/2 over y, so
// its derivative is that at fixed y. Since the strain is that of a screw, an element under end
// moments is a circular arc exactly, and nothing locks. Rotations of C against A stay below half a
// turn.
#include "elements/forces/tangent.h"
#include "elements/forces/varied.h"
#include "linalg/lanes.h"
#include "linalg/spd.h"
#include "math/se3.h"
#include "model/beam.h"

enum { FIRST, SECOND, STIFFNESS, ELEMENT, DAMPING, RADIUS };
// Constants, on (theta, rho): d0, length, F0 - L/12 ad_d0 C ad_d0', D, and L/12 C.
enum { REST, LENGTH = 6, FLEXIBILITY, VISCOUS = FLEXIBILITY + 36, SECTION = VISCOUS + 36 };
enum { CONSTANTS = SECTION + 36 };
// The file has forces (shifts) before moments (rotations).
static const int PLACE[6] = {3, 4, 5, 0, 1, 2};

// A symmetric
static void mul6(const double* A, const double* x, double* y) {
  SarLanes sum[3] = {{0}};
  for (int j = 0; j < 6; j++)
    for (int k = 0; k < 3; k++) sum[k] += (SarLanes){x[j], x[j]} * sar_lanes(A + 6 * j + 2 * k);
  for (int k = 0; k < 3; k++) sar_lanes_store(y + 2 * k, sum[k]);
}

static double dot6(const double* a, const double* b) {
  const SarLanes sum = sar_lanes(a) * sar_lanes(b) + sar_lanes(a + 2) * sar_lanes(b + 2) +
                       sar_lanes(a + 4) * sar_lanes(b + 4);
  return sum[0] + sum[1];
}

// ---- constants ----------------------------------------------------------------------------------

static Xform frame_of(const SarModel* m, const SarAttrValue* a) {
  return sar_holder_X_BU(m, a->holder);
}

static Motion rest_of(const SarModel* m, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const Xform X_GA = x_mul(sar_design_pose(m, a[FIRST].index), frame_of(m, &a[FIRST]));
  const Xform X_GC = x_mul(sar_design_pose(m, a[SECOND].index), frame_of(m, &a[SECOND]));
  return x_log(x_mul(x_inv(X_GA), X_GC));
}

static void permuted(const double* A, double out[36]) {
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) out[6 * PLACE[i] + PLACE[j]] = A[6 * i + j];
}

// false: not positive definite
static bool stiffness_of(const SarModel* m, int force, Motion d0, double K[36]) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  double A[36];
  if (a[ELEMENT].given) {
    permuted(&m->attr_data[a[ELEMENT].adr], K);
    return sar_inverse6(K, A);
  }
  permuted(&m->attr_data[a[STIFFNESS].adr], A);
  return sar_beam_uniform_stiffness(d0, v3_norm(d0.v), A, K);
}

// F += sign ad_d C ad_d'
static void add_bending(Motion d, double sign, const double* C, double F[36]) {
  double A[6][6];  // A[k] = ad_d' of unit wrench k
  for (int k = 0; k < 6; k++) {
    const V3 e = v3(k % 3 == 0, k % 3 == 1, k % 3 == 2);
    const Force z = crossf(d, k < 3 ? (Force){e, v3_zero()} : (Force){v3_zero(), e});
    v3_store(A[k], v3_neg(z.n));
    v3_store(A[k] + 3, v3_neg(z.f));
  }
  for (int k = 0; k < 6; k++) {
    double u[6];
    mul6(C, A[k], u);
    for (int l = 0; l < 6; l++) F[6 * l + k] += sign * dot6(A[l], u);
  }
}

// D = B K B with B = diag(sqrt(b)): Kelvin-Voigt, symmetric for factors b that differ
static void prepare(const SarModel* m, int force, double* constants) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const Motion d0 = rest_of(m, force);
  const double length = v3_norm(d0.v);
  double K[36], section[36], C[36];
  v3_store(constants + REST, d0.w);
  v3_store(constants + REST + 3, d0.v);
  constants[LENGTH] = length;
  stiffness_of(m, force, d0, K);
  sar_inverse6(K, constants + FLEXIBILITY);
  memset(C, 0, sizeof C);
  if (a[STIFFNESS].given) {
    permuted(&m->attr_data[a[STIFFNESS].adr], section);
    sar_inverse6(section, C);
  }
  // sections that differ so much that an end is a hinge: their element keeps the F of the design
  double F[36], U[36];
  for (int i = 0; i < 36; i++) C[i] *= length / 12, F[i] = constants[FLEXIBILITY + i];
  add_bending(d0, -1, C, F);
  memcpy(U, F, sizeof U);
  const bool bends = sar_spd_factor(6, U, 1e-3);
  for (int i = 0; i < 36; i++) constants[SECTION + i] = bends ? C[i] : 0;
  if (bends) memcpy(constants + FLEXIBILITY, F, sizeof F);
  const double* b = &m->attr_data[a[DAMPING].adr];
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      const int k = 6 * PLACE[i] + PLACE[j];
      constants[VISCOUS + k] = a[DAMPING].given ? sqrt(b[i] * b[j]) * K[k] : 0;
    }
}

static SarStatus check(const SarModel* m, int force, SarLoc loc, SarError* err) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const char* name = sar_text(m, m->force_name[force]);
  const double* b = &m->attr_data[a[DAMPING].adr];
  const Motion d0 = rest_of(m, force);
  double K[36];
  if (!a[STIFFNESS].given && !a[ELEMENT].given) {
    sar_report(err, loc, "'stiffness' is that of a section, 'element' that of the whole",
               "force '%s': a beam needs stiffness or element", name);
    return SAR_BAD_MODEL;
  }
  if (!(v3_norm(d0.v) > 0)) {
    sar_report(err, loc, "the frames of its bodies are its ends",
               "force '%s': both ends are at the same place", name);
    return SAR_BAD_MODEL;
  }
  if (!stiffness_of(m, force, d0, K)) {
    sar_report(err, loc, "all of its eigenvalues are positive, equal entries across the diagonal",
               "force '%s': the stiffness is not positive definite", name);
    return SAR_BAD_MODEL;
  }
  for (int i = 0; a[DAMPING].given && i < 6; i++)
    if (!(b[i] >= 0)) {
      sar_report(err, loc, "", "force '%s': damping must not be negative, but is %g", name, b[i]);
      return SAR_BAD_MODEL;
    }
  return SAR_OK;
}

// ---- motion -------------------------------------------------------------------------------------

typedef struct Strained {
  Xform X_GA;
  V3 origin_G, p;  // of C: in ground, and from A in axes of A
  V3 theta;
  Motion d;
  double x[6], rate[6];  // d - d0 and d'
} Strained;

static Strained calc_strained(const SarModel* m, const SarData* d, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const int first = a[FIRST].index, second = a[SECOND].index;
  const double* d0 = sar_force_constants(m, force) + REST;
  const Xform X_2C = frame_of(m, &a[SECOND]);
  Strained s = {.X_GA = x_mul(body_pose(d, first), frame_of(m, &a[FIRST]))};
  const Xform X_GC = x_mul(body_pose(d, second), X_2C), X_AC = x_mul(x_inv(s.X_GA), X_GC);
  s.origin_G = X_GC.p;
  s.p = X_AC.p;
  const Motion pose = x_log(X_AC);
  s.theta = pose.w;
  s.d = pose;
  v3_store(s.x, v3_sub(pose.w, v3_load(d0)));
  v3_store(s.x + 3, v3_sub(pose.v, v3_load(d0 + 3)));

  const V3 p_1C = x_point_inv(body_pose(d, first), X_GC.p);
  const V3 v = v3_sub(point_velocity(d, second, X_2C.p), point_velocity(d, first, p_1C));
  const V3 w = v3_sub(body_omega(d, second), body_omega(d, first));
  const Motion rate = x_log_rate(s.theta, s.p, m3_tmul_v(s.X_GA.R, w), m3_tmul_v(s.X_GA.R, v));
  v3_store(s.rate, rate.w);
  v3_store(s.rate + 3, rate.v);
  return s;
}

// The stress in the element: factors of F(d), y, u and dU/dd.
typedef struct Stress {
  double U[36];
  double y[6];
  Motion u;  // L/12 C ad_d' y
  Force g;   // dU/dd
} Stress;

static Motion motion_load(const double* x) { return (Motion){v3_load(x), v3_load(x + 3)}; }
static Force force_load(const double* x) { return (Force){v3_load(x), v3_load(x + 3)}; }

static Motion section_mul(const double* C, Force z) {
  const double in[6] = {z.n.x, z.n.y, z.n.z, z.f.x, z.f.y, z.f.z};
  double out[6];
  mul6(C, in, out);
  return motion_load(out);
}

static Stress calc_stress(const double* constants, const Strained* s) {
  const double* C = constants + SECTION;
  Stress t;
  memcpy(t.U, constants + FLEXIBILITY, sizeof t.U);
  add_bending(s->d, 1, C, t.U);
  // A positive definite matrix, and something semidefinite added. Strains of iterations that go
  // astray are so large that the former is lost in the rounding of the latter: there it stands
  // alone.
  if (!sar_spd_factor(6, t.U, 0)) {
    memcpy(t.U, constants + FLEXIBILITY, sizeof t.U);
    sar_spd_factor(6, t.U, 0);
  }
  memcpy(t.y, s->x, sizeof t.y);
  sar_spd_solve(6, t.U, t.y);
  const Force y = force_load(t.y);
  t.u = section_mul(C, force_neg(crossf(s->d, y)));
  t.g = force_sub(y, crossf(t.u, y));
  return t;
}

static void apply(const SarModel* m, SarData* d, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const int first = a[FIRST].index, second = a[SECOND].index;
  const double* constants = sar_force_constants(m, force);
  const Strained s = calc_strained(m, d, force);
  const Stress t = calc_stress(constants, &s);
  double damper[6] = {0};
  if (a[DAMPING].given) mul6(constants + VISCOUS, s.rate, damper);

  const Force W = x_log_wrench(s.theta, s.p, force_add(t.g, force_load(damper)));
  const V3 f_G = m3_mul_v(s.X_GA.R, W.f), n_G = m3_mul_v(s.X_GA.R, W.n);
  add_force_at(d, second, x_point_inv(body_pose(d, second), s.origin_G), v3_neg(f_G));
  add_torque(d, second, v3_neg(n_G));
  add_force_at(d, first, x_point_inv(body_pose(d, first), s.origin_G), f_G);
  add_torque(d, first, n_G);
  d->force_power[force] = -dot6(damper, s.rate);

  const V3 n_A = v3_add_cross(W.n, s.p, W.f);
  const double over = 1 / constants[LENGTH];
  set_outputs(m, d, force,
              (double[]){over * s.x[3], over * s.x[4], over * s.x[5], over * s.x[0], over * s.x[1],
                         over * s.x[2], W.f.x, W.f.y, W.f.z, n_A.x, n_A.y, n_A.z});
}

static double energy(const SarModel* m, const SarData* d, int force) {
  const Strained s = calc_strained(m, d, force);
  const Stress t = calc_stress(sar_force_constants(m, force), &s);
  return 0.5 * dot6(s.x, t.y);
}

// ---- derivatives --------------------------------------------------------------------------------

static void varied_mul6(const double* A, const D3 x[2], Dual y[6]) {
  const Dual in[6] = {d3_x(x[0]), d3_y(x[0]), d3_z(x[0]), d3_x(x[1]), d3_y(x[1]), d3_z(x[1])};
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) y[i] = dual_add(y[i], dual_scale(A[6 * i + j], in[j]));
}

// F dy = dd - dF y,  dF y = L/12 (ad_dd C ad_d' + ad_d C ad_dd') y;  then the change of u and of
// dU/dd
static void vary_stress(const double* constants, const Strained* s, const Stress* t, Motion dd,
                        Dual g[6]) {
  const double* C = constants + SECTION;
  const Force y = force_load(t->y);
  const Motion turned = section_mul(C, force_neg(crossf(dd, y)));
  const Motion dF = motion_add(crossm(dd, t->u), crossm(s->d, turned));
  double dy[6];
  v3_store(dy, v3_sub(dd.w, dF.w));
  v3_store(dy + 3, v3_sub(dd.v, dF.v));
  sar_spd_solve(6, t->U, dy);
  const Force y_change = force_load(dy);
  const Motion u_change = motion_add(turned, section_mul(C, force_neg(crossf(s->d, y_change))));
  const Force change = force_sub(y_change, force_add(crossf(u_change, y), crossf(t->u, y_change)));
  const D3 n = d3(t->g.n, change.n), f = d3(t->g.f, change.f);
  const Dual all[6] = {d3_x(n), d3_y(n), d3_z(n), d3_x(f), d3_y(f), d3_z(f)};
  memcpy(g, all, sizeof all);
}

static void vary(const SarModel* m, SarData* d, SarVariation* x, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const int first = a[FIRST].index, second = a[SECOND].index;
  const double* constants = sar_force_constants(m, force);
  const Strained s = calc_strained(m, d, force);
  const VariedBody A = varied_body(d, x, first), C = varied_body(d, x, second);
  const D3 origin = varied_point(&C, frame_of(m, &a[SECOND]).p);
  const D3 from = d3_sub(origin, varied_point(&A, frame_of(m, &a[FIRST]).p));
  const D3 v = d3_sub(varied_velocity(&C, origin), varied_velocity(&A, origin));
  const D3 w = d3_sub(C.w, A.w);
  const M3 R = s.X_GA.R;
  const D3 p = d3_turn_back(R, A.turn, from);
  const V3 turn = m3_tmul_v(R, v3_sub(C.turn, A.turn));
  // theta changes as it does for the angular velocity of C against A
  const D3 theta = d3(s.theta, x_log_rate(s.theta, s.p, turn, v3_zero()).w);
  const Dual c = dual_log_coefficient(d3_dot(theta, theta)).c;
  const D3 rest[2] = {d3_of(v3_load(constants + REST)), d3_of(v3_load(constants + REST + 3))};
  const D3 strain[2] = {d3_sub(theta, rest[0]), d3_sub(d3_log_turn(c, -1, theta, p), rest[1])};
  D3 rate[2], n, f;
  d3_log_rate(theta, p, d3_turn_back(R, A.turn, w), d3_turn_back(R, A.turn, v), &rate[0], &rate[1]);
  const Stress t = calc_stress(constants, &s);
  Dual y[6];
  vary_stress(constants, &s, &t, (Motion){strain[0].d, strain[1].d}, y);
  if (a[DAMPING].given) varied_mul6(constants + VISCOUS, rate, y);
  d3_log_wrench(theta, p, d3_from(y[0], y[1], y[2]), d3_from(y[3], y[4], y[5]), &n, &f);
  const D3 f_G = d3_turn(R, A.turn, f), n_G = d3_turn(R, A.turn, n);
  vary_force_at(x, second, &C, origin, d3_neg(f_G));
  vary_torque(x, second, &C, d3_neg(n_G));
  vary_force_at(x, first, &A, origin, f_G);
  vary_torque(x, first, &A, n_G);
  const D3 n_A = d3_add(n, d3_cross(p, f));
  const Dual over = dual_of(1 / constants[LENGTH]);
  const D3 e = d3_scale(over, strain[1]), k = d3_scale(over, strain[0]);
  vary_outputs(m, x, force,
               (Dual[]){d3_x(e), d3_y(e), d3_z(e), d3_x(k), d3_y(k), d3_z(k), d3_x(f), d3_y(f),
                        d3_z(f), d3_x(n_A), d3_y(n_A), d3_z(n_A)});
}

// K = T' F(d)^-1 T with d' = T (w; v), C = T' D T: positive definite whatever the load. Left out:
// how the load turns with the deflection (geometric stiffness within the element), which
// loaded_tangent has.
static void tangent(const SarModel* m, SarData* d, int force, SarBodyTangent* out) {
  const Strained s = calc_strained(m, d, force);
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const double* constants = sar_force_constants(m, force);
  const Stress t = calc_stress(constants, &s);
  double T[6][6], y[6];  // T[k]: d' for unit motion k in ground axes
  out->p = s.origin_G;
  for (int k = 0; k < 6; k++) {
    const V3 e = v3(k % 3 == 0, k % 3 == 1, k % 3 == 2), axis = m3_tmul_v(s.X_GA.R, e);
    const Motion rate =
        x_log_rate(s.theta, s.p, k < 3 ? axis : v3_zero(), k < 3 ? v3_zero() : axis);
    v3_store(T[k], rate.w);
    v3_store(T[k] + 3, rate.v);
  }
  for (int k = 0; k < 6; k++) {
    memcpy(y, T[k], sizeof y);
    sar_spd_solve(6, t.U, y);
    for (int l = 0; l < 6; l++) out->K[6 * l + k] = dot6(T[l], y);
    if (!a[DAMPING].given) continue;
    mul6(constants + VISCOUS, T[k], y);
    for (int l = 0; l < 6; l++) out->C[6 * l + k] = dot6(T[l], y);
  }
}

// R A R' of both rows and columns of blocks, A in axes of the first body: ground axes
static void turn_tangent(M3 R, double A[36]) {
  double B[36];
  for (int k = 0; k < 12; k++) {  // columns: k / 2 the number, k % 2 the half
    const int at = 18 * (k % 2) + k / 2;
    const V3 x = m3_mul_v(R, v3(A[at], A[at + 6], A[at + 12]));
    B[at] = x.x, B[at + 6] = x.y, B[at + 12] = x.z;
  }
  for (int k = 0; k < 12; k++) v3_store(A + 3 * k, m3_mul_v(R, v3_load(B + 3 * k)));
}

// K = d(wrench)/d(motion), by the change of d, of the stress and of the map from stress to wrench;
// C as above, and of the damper's wrench that it turns with the map.
static void loaded_tangent(const SarModel* m, SarData* d, int force, SarBodyTangent* out,
                           Force* W) {
  const Strained s = calc_strained(m, d, force);
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const double* constants = sar_force_constants(m, force);
  const Stress t = calc_stress(constants, &s);
  double T[6][6], damper[6] = {0}, y[6];
  if (a[DAMPING].given) mul6(constants + VISCOUS, s.rate, damper);
  out->p = s.origin_G;
  const Force on_first = x_log_wrench(s.theta, s.p, force_add(t.g, force_load(damper)));
  *W = (Force){v3_neg(m3_mul_v(s.X_GA.R, on_first.n)), v3_neg(m3_mul_v(s.X_GA.R, on_first.f))};
  for (int k = 0; k < 6; k++) {
    const V3 e = v3(k % 3 == 0, k % 3 == 1, k % 3 == 2), v = k < 3 ? v3_zero() : e;
    const Motion dd = x_log_rate(s.theta, s.p, k < 3 ? e : v3_zero(), v);
    Dual g[6];
    D3 n, f;
    v3_store(T[k], dd.w);
    v3_store(T[k] + 3, dd.v);
    vary_stress(constants, &s, &t, dd, g);
    for (int i = 0; i < 6; i++) g[i].x += damper[i];
    d3_log_wrench(d3(s.theta, dd.w), d3(s.p, v), d3_from(g[0], g[1], g[2]),
                  d3_from(g[3], g[4], g[5]), &n, &f);
    const double change[6] = {n.d.x, n.d.y, n.d.z, f.d.x, f.d.y, f.d.z};
    for (int l = 0; l < 6; l++) out->K[6 * l + k] = change[l];
  }
  for (int k = 0; a[DAMPING].given && k < 6; k++) {
    mul6(constants + VISCOUS, T[k], y);
    for (int l = 0; l < 6; l++) out->C[6 * l + k] = dot6(T[l], y);
  }
  turn_tangent(s.X_GA.R, out->K);
  turn_tangent(s.X_GA.R, out->C);
}

static void look(const SarModel* m, int force, SarForceLook* out) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  for (int e = 0; e < 2; e++) {
    out->body[e] = a[e].index;
    out->point[e] = frame_of(m, &a[e]).p;
  }
  out->bar = m->attr_data[a[RADIUS].adr];
}

static bool damps(const SarModel* m, int force) { return sar_force_attr(m, force, DAMPING)->given; }

const SarForceKind sar_force_beam = {
    .name = "beam",
    .doc = "element of a geometrically exact beam between the frames of two bodies",
    .ref = "Sonneville, Cardona and Bruls 2014; MacNeal 1978",
    .targets = 2,
    .attr = {{"first", SAR_ATTR_BODY, NULL, "body whose frame is its first end", NULL},
             {"second", SAR_ATTR_BODY, NULL, "body whose frame is its second end", NULL},
             {"stiffness", SAR_ATTR_MATRIX6, "",
              "of a section: EA GAy GAz [N], GJ EIy EIz [N m^2], or 6 x 6", NULL},
             {"element", SAR_ATTR_MATRIX6, "",
              "of the whole where sections differ, at design [N/m, N m/rad]", NULL},
             {"damping", SAR_ATTR_VECTOR6, "",
              "stress by strain rates, over that by strains, for each strain [s]", NULL},
             {"radius", SAR_ATTR_NUMBER, "0", "of the bar that a picture shows [m]", NULL}},
    .nattr = 6,
    .example =
        "{beam: [a, b], element: [40, 20, 20, 3, 2, 2], damping: [0.02, 0.03, 0.03, 0.01, "
        "0.02, 0.02]}",
    // strains, curvatures and twist [1/m]; force and moment of the second part on the first, in A
    .output = {"ex", "gy", "gz", "kx", "ky", "kz", "fx", "fy", "fz", "tx", "ty", "tz"},
    .noutput = 12,
    .nconstant = CONSTANTS,
    .prepare = prepare,
    .check = check,
    .apply = apply,
    .vary = vary,
    .energy = energy,
    .tangent = tangent,
    .loaded_tangent = loaded_tangent,
    .damps = damps,
    .look = look,
};
