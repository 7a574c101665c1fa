// Constant numbers, vectors, directions and poses of the spec.
//
// A value that is wrong is reported once, where it stands, and becomes NaN; checks further on are
// written so that NaN passes them, which keeps one mistake from causing ten messages.
#include "math/rpy.h"
#include "model/compile/parts.h"

#include <math.h>
#include <string.h>

bool sar_symbol_value(void* compile, const char* name, double* value) {
  const Compile* c = compile;
  int i = sar_names_find(&c->symbol_names, name);
  if (i < 0 || !c->symbol[i].constant) return false;
  *value = c->symbol[i].value;
  return true;
}

// ---- numbers --------------------------------------------------------------------------------

typedef struct Check {
  Compile* c;
  Item item;
  const char* key;
  SarLoc loc;
  bool wrong;
} Check;

static void check_name(void* context, const char* name, SarLoc loc) {
  Check* k = context;
  char hint[128];
  if (loc.line == 0) loc = k->loc;
  int i = sar_names_find(&k->c->symbol_names, name);
  if (i >= 0 && k->c->symbol[i].kind == SYMBOL_PARAMETER) {
    if (isnan(k->c->symbol[i].value)) k->wrong = true;  // reported where it is defined
    return;
  }
  k->wrong = true;
  if (sar_name_varies(k->c, name))
    sar_complain(k->c, k->item, loc, "use numbers and parameters here",
                 "%s must be constant, but '%s' may vary", k->key, name);
  else if (!(k->c->spec->lost & SPEC_LOST_PARAMETERS))
    sar_complain(k->c, k->item, loc,
                 sar_suggest_symbol(k->c, name, SYMBOL_PARAMETER, NULL, hint, sizeof hint),
                 "%s: there is no parameter '%s'", k->key, name);
}

static double value_of(Compile* c, SpecNum n, Item item, const char* key) {
  double value;
  if (sar_expr_is_number(n.expr, &value)) return value;
  Check check = {c, item, key, n.loc, false};
  sar_expr_visit_names(n.expr, check_name, &check);
  if (check.wrong) return WRONG;
  // all names are known: it is a number, or ill-formed in a way that has been reported
  const SarNode bound = sar_expr_enter(c->graph, n.expr, sar_symbol_value, c, c->err);
  if (!sar_node_is_number(c->graph, bound, &value)) return WRONG;
  if (isnan(value)) sar_complain(c, item, n.loc, "", "%s is not a number (NaN)", key);
  return value;
}

double sar_number(Compile* c, SpecNum n, Item item, const char* key, Range range, double fallback) {
  if (!n.expr) return fallback;
  double x = value_of(c, n, item, key);
  if (isnan(x)) return WRONG;
  if (isinf(x) && range != EVEN_INFINITE) {
    sar_complain(c, item, n.loc, "", "%s must be finite", key);
    return WRONG;
  }
  if (range == POSITIVE && !(x > 0)) {
    sar_complain(c, item, n.loc, "", "%s must be positive, but is %g", key, x);
    return WRONG;
  }
  if (range == NOT_NEGATIVE && x < 0) {
    sar_complain(c, item, n.loc, "", "%s must not be negative, but is %g", key, x);
    return WRONG;
  }
  return x;
}

// ---- vectors --------------------------------------------------------------------------------

V3 sar_vector(Compile* c, const SpecVec3* v, Item item, const char* key, V3 fallback) {
  if (!sar_given(v)) return fallback;
  double x = sar_number(c, v->c[0], item, key, ANY_FINITE, 0);
  double y = sar_number(c, v->c[1], item, key, ANY_FINITE, 0);
  double z = sar_number(c, v->c[2], item, key, ANY_FINITE, 0);
  return v3(x, y, z);
}

static V3 no_direction(void) { return v3(WRONG, WRONG, WRONG); }

V3 sar_direction(Compile* c, const SpecVec3* v, Item item, const char* key, V3 fallback) {
  V3 d = sar_vector(c, v, item, key, fallback);
  double largest = fmax(fabs(d.x), fmax(fabs(d.y), fabs(d.z)));
  if (isnan(d.x + d.y + d.z)) return no_direction();
  if (largest == 0) {
    sar_complain(c, item, v->c[0].loc, "for example: z, or [0, 0, 1]",
                 "%s has length zero, so it points nowhere", key);
    return no_direction();
  }
  return v3_unit(v3_scale(1 / largest, d));  // first by the largest: no overflow, no underflow
}

// ---- poses ----------------------------------------------------------------------------------

bool sar_pose_given(const SpecPose* pose) {
  return sar_given(&pose->at) || pose->rotation != SPEC_ROT_NONE;
}

// Intrinsic: R = R1(r1) R2(r2) R3(r3), each turn about an axis that the turns before have turned;
// extrinsic, about axes that stay: R = R3(r3) R2(r2) R1(r1).
static M3 from_euler(const SpecPose* pose, const double r[3]) {
  M3 R = m3_identity();
  for (int i = 0; i < 3; i++) {
    const double c = cos(r[i]), s = sin(r[i]);
    const int axis = pose->axis_name[i];
    const M3 turn = axis == 0 ? m3_rot_x(c, s) : axis == 1 ? m3_rot_y(c, s) : m3_rot_z(c, s);
    R = pose->extrinsic ? m3_mul(turn, R) : m3_mul(R, turn);
  }
  return R;
}

static M3 from_quat(Compile* c, const SpecPose* pose, Item item, const char* key,
                    const double r[4]) {
  Quat q = quat_load(r);
  double n = quat_norm2(q);
  if (n > 1e-24) return quat_to_m3(q);
  if (!isnan(n))
    sar_complain(c, item, pose->r[0].loc, "no rotation is [1, 0, 0, 0]",
                 "%s: a quaternion of length zero is no rotation", key);
  return m3_identity();
}

// The first direction exactly, the second made perpendicular to it, the third to both.
static M3 from_axes(Compile* c, const SpecPose* pose, Item item, const char* key) {
  int a = pose->axis_name[0], b = pose->axis_name[1], last = 3 - a - b;
  V3 e[3], z = v3(0, 0, 1);
  e[a] = sar_direction(c, &pose->axis_dir[0], item, key, z);
  V3 d = sar_direction(c, &pose->axis_dir[1], item, key, z);
  V3 across = v3_axpy(-v3_dot(d, e[a]), e[a], d);
  if (isnan(across.x)) return m3_identity();
  if (v3_norm(across) < 1e-9) {
    sar_complain(c, item, pose->axis_dir[1].c[0].loc, "give two axes that are not parallel",
                 "%s: the two axes are parallel", key);
    return m3_identity();
  }
  e[b] = v3_unit(across);
  e[last] = v3_cross(e[(last + 1) % 3], e[(last + 2) % 3]);
  return m3_from_cols(e[0], e[1], e[2]);
}

Xform sar_pose(Compile* c, const SpecPose* pose, Item item, const char* key) {
  Xform X = x_identity();
  double r[4] = {0};
  X.p = sar_vector(c, &pose->at, item, key, v3_zero());
  static const int NUMBERS[] = {[SPEC_ROT_RPY] = 3, [SPEC_ROT_QUAT] = 4, [SPEC_ROT_EULER] = 3};
  const int n = pose->rotation == SPEC_ROT_AXES ? 0 : NUMBERS[pose->rotation];
  for (int i = 0; i < n; i++) r[i] = sar_number(c, pose->r[i], item, key, ANY_FINITE, 0);
  if (pose->rotation == SPEC_ROT_RPY) X.R = m3_from_rpy(r);
  if (pose->rotation == SPEC_ROT_QUAT) X.R = from_quat(c, pose, item, key, r);
  if (pose->rotation == SPEC_ROT_EULER) X.R = from_euler(pose, r);
  if (pose->rotation == SPEC_ROT_AXES) X.R = from_axes(c, pose, item, key);
  return X;
}
