// The joints of elements/joints over symbols: pose, motion subspace, bias, and the way from the
// tree's coordinates to the file's. Joints of one axis need none of this but the last (symbols.h).
#include "codegen/symbols.h"

#include <string.h>

typedef struct Kind {
  const char* name;
  // X_FB, S, cJ for coordinates q and speeds v
  void (*calc)(SarGraph* g, const double* param, const SarNode* q, const SarNode* v, SymJoint* out);
  void (*flip)(SarGraph* g, const SarNode* q, const SarNode* v, SarNode* q_file, SarNode* v_file);
} Kind;

static SymMotion turning(SarGraph* g, double x, double y, double z) {
  return smotion_of(g, (Motion){v3(x, y, z), v3_zero()});
}

static SymMotion moving(SarGraph* g, double x, double y, double z) {
  return smotion_of(g, (Motion){v3_zero(), v3(x, y, z)});
}

static SymV3 load(const SarNode* p) { return (SymV3){p[0], p[1], p[2]}; }

static void store(SarNode* p, SymV3 a) { p[0] = a.x, p[1] = a.y, p[2] = a.z; }

static SymM3 identity(SarGraph* g) { return sm3_of(g, m3_identity()); }

// ---- the kinds ----------------------------------------------------------------------------------

static void calc_cartesian(SarGraph* g, const double* param, const SarNode* q, const SarNode* v,
                           SymJoint* out) {
  (void)param, (void)v;
  out->X_FB = (SymXform){identity(g), load(q)};
  for (int i = 0; i < 3; i++) out->S[i] = moving(g, i == 0, i == 1, i == 2);
}

static void flip_cartesian(SarGraph* g, const SarNode* q, const SarNode* v, SarNode* q_file,
                           SarNode* v_file) {
  store(q_file, sv3_neg(g, load(q)));
  store(v_file, sv3_neg(g, load(v)));
}

static void calc_cylindrical(SarGraph* g, const double* param, const SarNode* q, const SarNode* v,
                             SymJoint* out) {
  (void)param, (void)v;
  out->X_FB = (SymXform){sm3_rot_z(g, sar_sym_cos(g, q[0]), sar_sym_sin(g, q[0])),
                         {s_num(g, 0), s_num(g, 0), q[1]}};
  out->S[0] = turning(g, 0, 0, 1);
  out->S[1] = moving(g, 0, 0, 1);
}

static void calc_screw(SarGraph* g, const double* param, const SarNode* q, const SarNode* v,
                       SymJoint* out) {
  (void)v;
  out->X_FB = (SymXform){sm3_rot_z(g, sar_sym_cos(g, q[0]), sar_sym_sin(g, q[0])),
                         {s_num(g, 0), s_num(g, 0), s_mul(g, s_num(g, param[0]), q[0])}};
  out->S[0] = smotion_of(g, (Motion){v3(0, 0, 1), v3(0, 0, param[0])});
}

// v in F: S = R'x, R'y and z, cJ = R'(dp/dt) x w
static void calc_planar(SarGraph* g, const double* param, const SarNode* q, const SarNode* v,
                        SymJoint* out) {
  (void)param;
  const SarNode c = sar_sym_cos(g, q[2]), s = sar_sym_sin(g, q[2]), o = s_num(g, 0);
  const SarNode ux = s_mac(g, s_mul(g, c, v[0]), s, v[1]),
                uy = s_msc(g, s_mul(g, c, v[1]), s, v[0]);
  out->X_FB = (SymXform){sm3_rot_z(g, c, s), {q[0], q[1], o}};
  out->S[0] = (SymMotion){sv3_zero(g), {c, s_neg(g, s), o}};
  out->S[1] = (SymMotion){sv3_zero(g), {s, c, o}};
  out->S[2] = turning(g, 0, 0, 1);
  out->cJ.v = (SymV3){s_mul(g, v[2], uy), s_neg(g, s_mul(g, v[2], ux)), o};
}

static void flip_planar(SarGraph* g, const SarNode* q, const SarNode* v, SarNode* q_file,
                        SarNode* v_file) {
  const SarNode c = sar_sym_cos(g, q[2]), s = sar_sym_sin(g, q[2]);
  const SarNode x = s_mac(g, s_mul(g, c, q[0]), s, q[1]), y = s_msc(g, s_mul(g, c, q[1]), s, q[0]);
  const SarNode ux = s_mac(g, s_mul(g, c, v[0]), s, v[1]),
                uy = s_msc(g, s_mul(g, c, v[1]), s, v[0]);
  q_file[0] = s_neg(g, x), q_file[1] = s_neg(g, y), q_file[2] = s_neg(g, q[2]);
  v_file[0] = s_neg(g, s_mac(g, ux, v[2], y));
  v_file[1] = s_sub(g, s_mul(g, v[2], x), uy);
  v_file[2] = s_neg(g, v[2]);
}

static void calc_universal(SarGraph* g, const double* param, const SarNode* q, const SarNode* v,
                           SymJoint* out) {
  (void)param;
  const SarNode c1 = sar_sym_cos(g, q[0]), s1 = sar_sym_sin(g, q[0]), o = s_num(g, 0);
  const SarNode c2 = sar_sym_cos(g, q[1]), s2 = sar_sym_sin(g, q[1]);
  out->X_FB.R = (SymM3){c2,
                        o,
                        s2,
                        s_mul(g, s1, s2),
                        c1,
                        s_neg(g, s_mul(g, s1, c2)),
                        s_neg(g, s_mul(g, c1, s2)),
                        s1,
                        s_mul(g, c1, c2)};
  out->X_FB.p = sv3_zero(g);
  out->S[0] = (SymMotion){{c2, o, s2}, sv3_zero(g)};
  out->S[1] = turning(g, 0, 1, 0);
  const SarNode both = s_mul(g, v[0], v[1]);
  out->cJ.w = (SymV3){s_neg(g, s_mul(g, both, s2)), o, s_mul(g, both, c2)};
}

static void flip_universal(SarGraph* g, const SarNode* q, const SarNode* v, SarNode* q_file,
                           SarNode* v_file) {
  const SarNode q1 = q[0], v1 = v[0];
  q_file[0] = s_neg(g, q[1]), q_file[1] = s_neg(g, q1);
  v_file[0] = s_neg(g, v[1]), v_file[1] = s_neg(g, v1);
}

// R = Ry Rx Ry and the axes of gimbal.c
static void calc_gimbal(SarGraph* g, const double* param, const SarNode* q, const SarNode* v,
                        SymJoint* out) {
  (void)param;
  const SarNode c1 = sar_sym_cos(g, q[0]), s1 = sar_sym_sin(g, q[0]), o = s_num(g, 0);
  const SarNode c2 = sar_sym_cos(g, q[1]), s2 = sar_sym_sin(g, q[1]);
  const SarNode l = s_num(g, 1), cs = s_mul(g, c1, s2), ss = s_mul(g, s1, s2);
  const SarNode cc = s_mul(g, c1, c2), sc = s_mul(g, s1, c2), both = s_mul(g, v[0], v[1]);
  const SarNode turn = s_mul(g, v[0], v[0]);
  const SymM3 Ry = {c1, o, s1, o, l, o, s_neg(g, s1), o, c1};
  // Rx Ry
  const SymM3 XY = {c1, o, s1, ss, c2, s_neg(g, cs), s_neg(g, sc), s2, cc};
  out->X_FB = (SymXform){sm3_mul(g, Ry, XY), sv3_zero(g)};
  out->S[0] = (SymMotion){{ss, s_add(g, l, c2), s_neg(g, cs)}, sv3_zero(g)};
  out->S[1] = (SymMotion){{c1, o, s1}, sv3_zero(g)};
  out->cJ.w =
      (SymV3){s_mac(g, s_mul(g, turn, cs), both, s_sub(g, sc, s1)), s_neg(g, s_mul(g, both, s2)),
              s_msc(g, s_mul(g, turn, ss), both, s_sub(g, cc, c1))};
}

static void flip_gimbal(SarGraph* g, const SarNode* q, const SarNode* v, SarNode* q_file,
                        SarNode* v_file) {
  for (int i = 0; i < 2; i++) q_file[i] = s_neg(g, q[i]), v_file[i] = s_neg(g, v[i]);
}

static void calc_spherical(SarGraph* g, const double* param, const SarNode* q, const SarNode* v,
                           SymJoint* out) {
  (void)param, (void)v;
  out->X_FB = (SymXform){sm3_of_quaternion(g, q), sv3_zero(g)};
  for (int i = 0; i < 3; i++) out->S[i] = turning(g, i == 0, i == 1, i == 2);
}

static void conjugate(SarGraph* g, const SarNode* q, SarNode* out) {
  out[0] = q[0];
  store(out + 1, sv3_neg(g, load(q + 1)));
}

static void flip_spherical(SarGraph* g, const SarNode* q, const SarNode* v, SarNode* q_file,
                           SarNode* v_file) {
  const SymV3 w = sv3_neg(g, sm3_mul_v(g, sm3_of_quaternion(g, q), load(v)));
  conjugate(g, q, q_file);
  store(v_file, w);
}

static void calc_free(SarGraph* g, const double* param, const SarNode* q, const SarNode* v,
                      SymJoint* out) {
  (void)param;
  const SymM3 R = sm3_of_quaternion(g, q + 3);
  out->X_FB = (SymXform){R, load(q)};
  out->S[0] = (SymMotion){sv3_zero(g), {R.xx, R.xy, R.xz}};
  out->S[1] = (SymMotion){sv3_zero(g), {R.yx, R.yy, R.yz}};
  out->S[2] = (SymMotion){sv3_zero(g), {R.zx, R.zy, R.zz}};
  for (int i = 0; i < 3; i++) out->S[3 + i] = turning(g, i == 0, i == 1, i == 2);
  out->cJ.v = sv3_cross(g, sm3_tmul_v(g, R, load(v)), load(v + 3));
}

static void flip_free(SarGraph* g, const SarNode* q, const SarNode* v, SarNode* q_file,
                      SarNode* v_file) {
  const SymM3 R = sm3_of_quaternion(g, q + 3);
  const SymV3 p = sm3_tmul_v(g, R, load(q)), w = load(v + 3), u = sm3_tmul_v(g, R, load(v));
  store(v_file, sv3_sub(g, sv3_cross(g, w, p), u));
  store(v_file + 3, sv3_neg(g, sm3_mul_v(g, R, w)));
  store(q_file, sv3_neg(g, p));
  conjugate(g, q + 3, q_file + 3);
}

static const Kind kinds[] = {
    {"fixed", NULL, NULL},
    {"revolute", NULL, NULL},
    {"prismatic", NULL, NULL},
    {"cartesian", calc_cartesian, flip_cartesian},
    {"cylindrical", calc_cylindrical, NULL},
    {"screw", calc_screw, NULL},
    {"planar", calc_planar, flip_planar},
    {"universal", calc_universal, flip_universal},
    {"gimbal", calc_gimbal, flip_gimbal},
    {"spherical", calc_spherical, flip_spherical},
    {"free", calc_free, flip_free},
};

static const Kind* kind_of(SarSymbols* s, int joint) {
  const char* name = s->m->joint_kind[joint]->name;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(kinds[i].name, name) == 0) return &kinds[i];
  sar_symbols_refuse(s, "joint '%s': a joint of kind '%s' has no equations in symbols",
                     sar_text(s->m, s->m->joint_name[joint]), name);
  return NULL;
}

bool sar_symbols_know_joint(const char* kind) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(kinds[i].name, kind) == 0) return true;
  return false;
}

// ---- using them ---------------------------------------------------------------------------------

bool sar_symbols_joint(SarSymbols* s, int joint, SymJoint* out) {
  const SarModel* m = s->m;
  const Kind* kind = kind_of(s, joint);
  const SarNode* v = &s->v[m->joint_vadr[joint]];
  out->X_FB = sx_of(s->g, x_identity());
  out->Sv = out->cJ = smotion_zero(s->g);
  if (!kind || !kind->calc) return kind != NULL;
  kind->calc(s->g, &m->joint_param[joint * SAR_JOINT_MAX_PARAM], &s->q[m->joint_qadr[joint]], v,
             out);
  for (int i = 0; i < m->joint_nv[joint]; i++)
    out->Sv = smotion_axpy(s->g, v[i], out->S[i], out->Sv);
  return true;
}

bool sar_symbols_flip(SarSymbols* s, int joint, const SarNode* q, const SarNode* v, SarNode* q_file,
                      SarNode* v_file) {
  const SarJointKind* kind = s->m->joint_kind[joint];
  const Kind* here = sar_joint_is_flipped(s->m, joint) ? kind_of(s, joint) : NULL;
  if (here && here->flip) {
    here->flip(s->g, q, v, q_file, v_file);
    return true;
  }
  for (int i = 0; i < kind->nq; i++) q_file[i] = q[i];
  for (int i = 0; i < kind->nv; i++) v_file[i] = v[i];
  return !sar_joint_is_flipped(s->m, joint);
}

// tau_tree = J' tau_file; column i of J is the flip of the i-th unit velocity
void sar_symbols_add_joint_force(SarSymbols* s, int joint, const SarNode* tau_file) {
  const SarModel* m = s->m;
  const int adr = m->joint_vadr[joint], nv = m->joint_nv[joint];
  const bool flipped = sar_joint_is_flipped(m, joint);
  for (int i = 0; i < nv; i++) {
    if (!flipped) {
      s->tau[adr + i] = s_add(s->g, s->tau[adr + i], tau_file[i]);
      continue;
    }
    SarNode unit[SAR_JOINT_MAX_NV], q[SAR_JOINT_MAX_NQ], column[SAR_JOINT_MAX_NV];
    for (int k = 0; k < nv; k++) unit[k] = s_num(s->g, k == i);
    sar_symbols_flip(s, joint, &s->q[m->joint_qadr[joint]], unit, q, column);
    for (int k = 0; k < nv; k++)
      s->tau[adr + i] = s_mac(s->g, s->tau[adr + i], column[k], tau_file[k]);
  }
}
