// Deformable hinge: angular springs and dampers between two bodies about three axes, with laws of
// their own; a bushing that leaves shifts free. For elastomeric bearings, flexures and lag dampers
// of rotors.
//
// A is the frame on the first body, C the one on the second, parallel at the design position. In
// axes of A:
//
//   theta = rotation vector of R_AC,   dtheta/dt = Jl(theta)^-1 w_AC
//   y_i = preload_i - stiffness_i theta_i - damping_i dtheta_i/dt - law_i(theta, dtheta/dt)
//   moment on the second body: Jl(theta)^-T y;   on the first: the opposite
//
// The power of the two is y . dtheta/dt at any angle below half a turn, so that springs conserve
// energy (as in bushing.c). energy() has stiffness and preload where they are constants; dampers,
// laws and what varies are in the work account.
#include "elements/forces/varied.h"
#include "elements/forces/tangent.h"
#include "math/dual_rotvec.h"
#include "math/rotvec.h"

enum { FIRST, SECOND, FRAME, STIFFNESS, DAMPING, PRELOAD, LAW };  // and two more laws
enum { FRAME_A, FRAME_C = 9, CONSTANTS = 18 };

typedef struct Deflection {
  M3 R_GA;
  double angle[3], rate[3];
} Deflection;

static M3 m3_read(const double* p) {
  return (M3){p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8]};
}
static void m3_write(double* p, M3 R) {
  const double x[9] = {R.xx, R.xy, R.xz, R.yx, R.yy, R.yz, R.zx, R.zy, R.zz};
  memcpy(p, x, sizeof x);
}

static void prepare(const SarModel* m, int force, double* constants) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const M3 R_GF = xform_load(&m->attr_data[a[FRAME].adr]).R;
  m3_write(constants + FRAME_A, m3_tmul(sar_design_pose(m, a[FIRST].index).R, R_GF));
  m3_write(constants + FRAME_C, m3_tmul(sar_design_pose(m, a[SECOND].index).R, R_GF));
}

static Deflection calc_deflection(const SarModel* m, const SarData* d, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const double* frames = sar_force_constants(m, force);
  const int first = a[FIRST].index, second = a[SECOND].index;
  Deflection s = {.R_GA = m3_mul(body_pose(d, first).R, m3_read(frames + FRAME_A))};
  const M3 R_GC = m3_mul(body_pose(d, second).R, m3_read(frames + FRAME_C));
  const V3 theta = quat_log(quat_from_m3(m3_tmul(s.R_GA, R_GC)));
  const V3 w = m3_tmul_v(s.R_GA, v3_sub(body_omega(d, second), body_omega(d, first)));
  v3_store(s.angle, theta);
  v3_store(s.rate, rotvec_rate(v3_neg(theta), w));  // Jl(theta)^-1 = Jr(-theta)^-1
  return s;
}

static void set_locals(const SarModel* m, SarData* d, const Deflection* s) {
  memcpy(&d->slot[m->slot_local], s->angle, sizeof s->angle);
  memcpy(&d->slot[m->slot_local + 3], s->rate, sizeof s->rate);
}

// Of a law, or of its slope with respect to local i - 1.
static double law_at(const SarModel* m, SarData* d, const SarAttrValue* law, int i) {
  const SarExprEntry* e = &m->expr[law->index + i];
  return sar_program_eval(&e->program, &m->instr[e->instr], d->slot, d->reg);
}

static void set_switches(const SarModel* m, SarData* d, int force) {
  const int first = m->force_law_kink[2 * force], count = m->force_law_kink[2 * force + 1];
  for (int i = first; i < first + count; i++) {
    const SarExprEntry* e = &m->law_kink[i];
    d->slot[e->slot] = sar_program_eval(&e->program, &m->instr[e->instr], d->slot, d->reg);
  }
}

static double component(const SarModel* m, const SarData* d, const SarAttrValue* a, int i) {
  return a->index >= 0 ? d->slot[a->index + i] : m->attr_data[a->adr + i];
}

static bool constant(const SarAttrValue* a) { return a->index < 0; }

static SarStatus check(const SarModel* m, int force, SarLoc loc, SarError* err) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const char* name = sar_text(m, m->force_name[force]);
  bool given = false, negative = false;
  for (int i = STIFFNESS; i < LAW + 3; i++) given = given || a[i].given;
  if (!given) {
    sar_report(err, loc, "give stiffness, damping, preload or a law",
               "force '%s': nothing says how strong it is", name);
    return SAR_BAD_MODEL;
  }
  for (int i = 0; i < 3; i++)
    negative = negative || (constant(&a[DAMPING]) && m->attr_data[a[DAMPING].adr + i] < 0);
  if (negative)
    sar_warn(err, loc, "a damper takes energy when damping is positive",
             "force '%s': negative damping", name);
  return SAR_OK;
}

static void apply(const SarModel* m, SarData* d, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const Deflection s = calc_deflection(m, d, force);
  double y[3], power = 0;
  set_locals(m, d, &s);
  for (int i = 0; i < 3; i++) {
    const double elastic = -component(m, d, &a[STIFFNESS], i) * s.angle[i];
    const double held = component(m, d, &a[PRELOAD], i);
    double other = -component(m, d, &a[DAMPING], i) * s.rate[i];
    if (a[LAW + i].given) other -= law_at(m, d, &a[LAW + i], 0);
    y[i] = elastic + held + other;
    if (!constant(&a[STIFFNESS])) other += elastic;
    if (!constant(&a[PRELOAD])) other += held;
    power += other * s.rate[i];
  }
  set_switches(m, d, force);
  // Jl^-T = Jr^-1 at the same theta
  const V3 n = rotvec_rate(v3_load(s.angle), v3_load(y)), n_G = m3_mul_v(s.R_GA, n);
  add_torque(d, a[SECOND].index, n_G);
  add_torque(d, a[FIRST].index, v3_neg(n_G));
  d->force_power[force] = power;
  set_outputs(m, d, force,
              (double[]){s.angle[0], s.angle[1], s.angle[2], s.rate[0], s.rate[1], s.rate[2], n.x,
                         n.y, n.z});
}

static void vary(const SarModel* m, SarData* d, SarVariation* x, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const int first = a[FIRST].index, second = a[SECOND].index;
  const Deflection s = calc_deflection(m, d, force);
  const VariedBody A = varied_body(d, x, first), C = varied_body(d, x, second);
  const V3 angle = v3_load(s.angle), turn = m3_tmul_v(s.R_GA, v3_sub(C.turn, A.turn));
  const D3 theta = d3(angle, rotvec_rate(v3_neg(angle), turn));
  const D3 rate = d3_rotvec_rate(d3_neg(theta), d3_turn_back(s.R_GA, A.turn, d3_sub(C.w, A.w)));
  const D3 K = varied_vector(m, d, x, &a[STIFFNESS]), D = varied_vector(m, d, x, &a[DAMPING]);
  const D3 held = varied_vector(m, d, x, &a[PRELOAD]);
  const Dual k[3] = {d3_x(K), d3_y(K), d3_z(K)}, c[3] = {d3_x(D), d3_y(D), d3_z(D)};
  const Dual p[3] = {d3_x(held), d3_y(held), d3_z(held)};
  const Dual local[6] = {d3_x(theta), d3_y(theta), d3_z(theta), d3_x(rate), d3_y(rate), d3_z(rate)};
  Dual y[3];
  for (int i = 0; i < 6; i++) varied_local(m, d, x, i, local[i]);
  for (int i = 0; i < 3; i++) {
    y[i] = dual_sub(p[i], dual_add(dual_mul(k[i], local[i]), dual_mul(c[i], local[3 + i])));
    if (a[LAW + i].given)
      y[i] = dual_sub(y[i], varied_program(m, d, x, &m->expr[a[LAW + i].index]));
  }
  const D3 n = d3_rotvec_rate(theta, d3_from(y[0], y[1], y[2]));
  const D3 n_G = d3_turn(s.R_GA, A.turn, n);
  vary_torque(x, second, &C, n_G);
  vary_torque(x, first, &A, d3_neg(n_G));
  vary_outputs(m, x, force,
               (Dual[]){local[0], local[1], local[2], local[3], local[4], local[5], d3_x(n),
                        d3_y(n), d3_z(n)});
}

static double energy(const SarModel* m, const SarData* d, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const Deflection s = calc_deflection(m, d, force);
  double sum = 0;
  for (int i = 0; i < 3; i++) {
    if (constant(&a[STIFFNESS]))
      sum += 0.5 * m->attr_data[a[STIFFNESS].adr + i] * s.angle[i] * s.angle[i];
    if (constant(&a[PRELOAD])) sum -= m->attr_data[a[PRELOAD].adr + i] * s.angle[i];
  }
  return sum;
}

//   K = sum_i k_i b_i b_i',   C likewise,   b_i = R Jl^-T e_i,
//     k_i = stiffness_i + d law_i/d theta_i
//
// Left out: how b turns with the angles, times the moment, and what a law follows of the other
// axes; they have no sign.
static void tangent(const SarModel* m, SarData* d, int force, SarBodyTangent* out) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const Deflection s = calc_deflection(m, d, force);
  out->p = body_pose(d, a[SECOND].index).p;
  set_locals(m, d, &s);
  for (int i = 0; i < 3; i++) {
    const V3 b = m3_mul_v(s.R_GA, rotvec_rate(v3_load(s.angle), v3(i == 0, i == 1, i == 2)));
    double k = component(m, d, &a[STIFFNESS], i), c = component(m, d, &a[DAMPING], i);
    if (a[LAW + i].given) {
      k += law_at(m, d, &a[LAW + i], 1 + i);
      c += law_at(m, d, &a[LAW + i], 4 + i);
    }
    tangent_add(out->K, k, b, v3_zero());
    tangent_add(out->C, c, b, v3_zero());
  }
}

const SarForceKind sar_force_deformable_hinge = {
    .name = "deformable_hinge",
    .doc = "angular springs and dampers between two bodies about three axes, or laws of theirs",
    .ref = "",
    .targets = 2,
    .attr = {{"first", SAR_ATTR_BODY, NULL, "body that carries the axes", NULL},
             {"second", SAR_ATTR_BODY, NULL, "body that turns against it", NULL},
             {"frame", SAR_ATTR_FRAME, NULL, "axes in ground, at design", NULL},
             {"stiffness", SAR_ATTR_VECTOR, "", "about x, y and z of the frame [N m/rad]", NULL},
             {"damping", SAR_ATTR_VECTOR, "", "likewise [N m s/rad]", NULL},
             {"preload", SAR_ATTR_VECTOR, "", "on the second body at design [N m]", NULL},
             {"law_x", SAR_ATTR_LAW, "", "moment that turns back about x [N m]", NULL},
             {"law_y", SAR_ATTR_LAW, "", "about y, of angles rx ry rz and rates wx wy wz", NULL},
             {"law_z", SAR_ATTR_LAW, "", "about z", NULL}},
    .nattr = 9,
    .example =
        "{deformable_hinge: [a, b], frame: {rpy: [0, 0, 0.3]}, stiffness: [3, 2, 1], damping: "
        "[0.1, 0.1, 0.2], law_y: 2*sin(ry) + 0.3*wy}",
    .local = {"rx", "ry", "rz", "wx", "wy", "wz"},
    // rotation vector and its rate, moment on the second body, axes of the frame [rad, rad/s, N m]
    .output = {"rx", "ry", "rz", "wx", "wy", "wz", "tx", "ty", "tz"},
    .noutput = 9,
    .nconstant = CONSTANTS,
    .prepare = prepare,
    .check = check,
    .apply = apply,
    .vary = vary,
    .energy = energy,
    .tangent = tangent,
};
