// Joints as the file gives them: who is joined, where, with which values. Directions of the tree do
// not matter yet.
//
// Joint frame at zero position, in the common frame Q (ground, body `in`, or `origin`):
//   hardpoint   X_GJ = X_GQ {R(axes), at},     X_UF = X_GU^-1 X_GJ for parent and child
//   ends        X_UF of both as given {R(axes), 0}
//   relative    X_UF(parent) = origin {R(axes), 0},   X_UF(child) = {R(axes), 0}
#include "model/compile/parts.h"
#include "model/order.h"

#include <math.h>
#include <string.h>

static bool ends_of(Compile* c, JointPart* p) {
  p->body[0] = sar_find_body(c, p->spec->parent, p->item, "parent");
  p->body[1] = sar_find_body(c, p->spec->child, p->item, "child");
  if (p->body[0] == NOWHERE || p->body[1] == NOWHERE) return false;
  if (p->body[0] != p->body[1]) return true;
  sar_complain(c, p->item, p->spec->child.loc, "parent and child must be two different bodies",
               "joins '%s' to itself", p->spec->child.text);
  return false;
}

bool sar_compile_ends(Compile* c) {
  for (int j = 0; j < c->njoint; j++) c->joint[j].sound = ends_of(c, &c->joint[j]);
  return true;
}

// ---- frames ---------------------------------------------------------------------------------

static Xform pose_of(const Compile* c, int body) {
  return body >= 0 ? c->body[body].X_GU : x_identity();
}

// Axes that the kind does not have are errors. One that has a frame of its own for one axis may be
// given a second, which is perpendicular to the first.
static bool axes_fit(Compile* c, const JointPart* p) {
  const SpecJoint* s = p->spec;
  const SarJointAxes axes = p->kind->axes;
  const char* kind = p->kind->name;
  if (axes == SAR_AXES_NONE && sar_given(&s->axis))
    sar_complain(c, p->item, s->axis.c[0].loc, "leave it out", "a %s joint has no 'axis'", kind);
  if (axes != SAR_AXES_TWO && !p->kind->frame && sar_given(&s->axis2))
    sar_complain(c, p->item, s->axis2.c[0].loc, "leave it out", "a %s joint has no 'axis2'", kind);
  if (axes != SAR_AXES_TWO || sar_given(&s->axis2)) return axes != SAR_AXES_NONE;
  sar_complain(c, p->item, p->item.loc, "give a direction perpendicular to 'axis'",
               "a %s joint needs 'axis2'", kind);
  return false;
}

// Rotation of the joint frame in the common frame.
static M3 axes_of(Compile* c, JointPart* p) {
  const SpecJoint* s = p->spec;
  if (!axes_fit(c, p)) return m3_identity();
  V3 z = v3(0, 0, 1), axis = sar_direction(c, &s->axis, p->item, "axis", z);
  p->bad_axes = isnan(axis.x);
  if (p->bad_axes) return m3_identity();
  if (!p->kind->frame || !sar_given(&s->axis2)) return m3_frame_z(axis);
  V3 axis2 = sar_direction(c, &s->axis2, p->item, "axis2", z);
  double cosine = v3_dot(axis, axis2);
  if (fabs(cosine) > 1e-6) {
    sar_complain(c, p->item, s->axis2.c[0].loc,
                 p->kind->axes == SAR_AXES_TWO ? "the two axes of the cross stand at a right angle"
                                               : "it lies in the plane that 'axis' is normal to",
                 "'axis' and 'axis2' are not perpendicular: the angle between them is %.6g deg",
                 acos(fmin(1, fmax(-1, cosine))) * (180 / 3.14159265358979323846));
    return m3_identity();
  }
  axis2 = v3_unit(v3_axpy(-cosine, axis, axis2));
  p->bad_axes = isnan(axis2.x);
  return p->bad_axes ? m3_identity() : p->kind->frame(axis, axis2);
}

// The axis of the rotor in the joint frame; `axes`: that frame in the common one.
static void rotor_axis_of(Compile* c, JointPart* p, M3 axes) {
  const SpecRotor* rotor = p->spec->rotor;
  p->rotor_axis = v3(0, 0, 1);
  if (!rotor || !sar_given(&rotor->axis)) return;
  const V3 e = sar_direction(c, &rotor->axis, p->item, "axis of the rotor", v3(0, 0, 1));
  if (!isnan(e.x)) p->rotor_axis = m3_tmul_v(axes, e);
}

static void place_relative(Compile* c, JointPart* p) {
  Xform X = {axes_of(c, p), v3_zero()};
  rotor_axis_of(c, p, X.R);
  const SpecVec3* at = &p->spec->at;
  if (sar_given(at) || p->spec->at_point.text)
    sar_complain(c, p->item, sar_given(at) ? at->c[0].loc : p->spec->at_point.loc,
                 "write the point into 'origin: {at: ...}'", "has both 'at' and 'origin'");
  if (p->spec->in.text)
    sar_complain(c, p->item, p->spec->in.loc, "'origin' is always in the parent's frame",
                 "has both 'in' and 'origin'");
  p->X_UF[0] = x_mul(p->X_UF[0], X);
  p->X_UF[1] = X;
}

static void place_ends(Compile* c, JointPart* p) {
  const M3 axes = axes_of(c, p);
  rotor_axis_of(c, p, axes);
  for (int k = 0; k < 2; k++)
    p->X_UF[k] = x_mul(sar_pose(c, &p->spec->ends[k], p->item, "frame"), (Xform){axes, v3_zero()});
}

static void place_hardpoint(Compile* c, JointPart* p) {
  const SpecJoint* s = p->spec;
  Xform X_UP, X_GQ = x_identity(), X_GJ;
  if (s->in.text) X_GQ = pose_of(c, sar_find_body(c, s->in, p->item, "in"));
  const M3 axes = axes_of(c, p);
  rotor_axis_of(c, p, axes);
  X_GJ.R = m3_mul(X_GQ.R, axes);
  if (s->at_point.text) {
    int body = sar_find_point(c, s->at_point, p->item, "at", &X_UP);
    X_GJ.p = x_point(pose_of(c, body), X_UP.p);
  } else if (sar_given(&s->at)) {
    X_GJ.p = x_point(X_GQ, sar_vector(c, &s->at, p->item, "at", v3_zero()));
  } else {
    X_GJ.p = pose_of(c, p->body[1]).p;
  }
  for (int k = 0; k < 2; k++) p->X_UF[k] = x_mul(x_inv(pose_of(c, p->body[k])), X_GJ);
}

// ---- values ---------------------------------------------------------------------------------

void sar_joint_numbers(Compile* c, const JointPart* p, const SpecDofs* d, const char* key,
                       Range range, double* out) {
  int nv = p->kind->nv;
  if (d->count == 0) return;
  if (nv == 0) {
    sar_complain(c, p->item, d->loc, "leave it out", "'%s': a %s joint has no coordinates", key,
                 p->kind->name);
    return;
  }
  if (d->count != 1 && d->count != nv) {
    sar_complain(c, p->item, d->loc, "give one number for all coordinates, or one for each",
                 "'%s' has %d values, but a %s joint has %d coordinate%s", key, d->count,
                 p->kind->name, nv, nv > 1 ? "s" : "");
    return;
  }
  for (int i = 0; i < d->count; i++) out[i] = sar_number(c, d->c[i], p->item, key, range, 0);
  for (int i = d->count; i < nv; i++) out[i] = out[0];
}

// q = retract(zero, position), or the coordinates themselves where they are more than the freedoms
// (quaternions, which come last in q and are normalised)
static void position_of(Compile* c, JointPart* p) {
  const SpecDofs* d = &p->spec->position;
  const SarJointKind* kind = p->kind;
  double xi[SAR_JOINT_MAX_NQ] = {0}, *q = p->value.q;
  sar_joint_zero(kind, p->zero);
  sar_joint_zero(kind, q);
  if (kind->nq > kind->nv && d->count == kind->nq) {
    for (int i = 0; i < kind->nq; i++)
      q[i] = sar_number(c, d->c[i], p->item, "position", ANY_FINITE, 0);
    Quat r = quat_load(&q[kind->nq - 4]);
    if (quat_norm2(r) < 1e-24)
      sar_complain(c, p->item, d->loc, "no rotation is [1, 0, 0, 0]",
                   "'position' holds a quaternion of length zero");
    else
      quat_store(&q[kind->nq - 4], quat_unit(r));
    return;
  }
  sar_joint_numbers(c, p, d, "position", ANY_FINITE, xi);
  sar_joint_retract(kind, p->param, p->zero, xi, q);
}

double* sar_laws_new(Compile* c, const SarJointKind* kind, double friction_speed) {
  JointPart p = {.kind = kind,
                 .law = SAR_ARENA_ARRAY(&c->arena, double, JOINT_LAWS * kind->nv + 2)};
  if (!p.law) return NULL;
  for (int i = 0; i < kind->nv; i++) {
    sar_law(&p, LAW_LOWER)[i] = -UNLIMITED;
    sar_law(&p, LAW_UPPER)[i] = UNLIMITED;
    sar_law(&p, LAW_EFFORT)[i] = sar_law(&p, LAW_SPEED_LIMIT)[i] = UNLIMITED;
  }
  *sar_friction_speed(&p) = *sar_stribeck_speed(&p) = friction_speed;
  return p.law;
}

static void check_limits(Compile* c, const JointPart* p) {
  const SpecJoint* s = p->spec;
  const double* restitution = sar_law(p, LAW_RESTITUTION);
  const double *lower = sar_law(p, LAW_LOWER), *upper = sar_law(p, LAW_UPPER);
  for (int i = 0; i < p->kind->nv; i++)
    if (restitution[i] > 1) {
      sar_complain(c, p->item, s->restitution.loc, "0: it stays at the limit, 1: nothing is lost",
                   "restitution must lie between 0 and 1, but is %g", restitution[i]);
      break;
    }
  for (int i = 0; i < p->kind->nv; i++)
    if (lower[i] > upper[i]) {
      sar_complain(c, p->item, s->lower.loc, "swap them", "'lower' %g lies above 'upper' %g",
                   lower[i], upper[i]);
      break;
    }
}

// Break-away friction: at least the sliding one, which it is where nothing is said. The Stribeck
// speed is by default ten times that at which the smooth law has settled.
static void friction_of(Compile* c, const JointPart* p) {
  const SpecJoint* s = p->spec;
  double *F = sar_law(p, LAW_FRICTION), *most = sar_law(p, LAW_BREAKAWAY);
  const double speed = sar_number(c, s->friction_speed, p->item, "friction_speed", POSITIVE, 1e-3);
  sar_joint_numbers(c, p, &s->friction, "friction", NOT_NEGATIVE, F);
  *sar_friction_speed(p) = speed;
  *sar_stribeck_speed(p) = 10 * speed;
  for (int i = 0; i < p->kind->nv; i++) most[i] = F[i];
  if (!s->stribeck) return;
  const SpecDofs* given = &s->stribeck->breakaway;
  if (given->count == 0)
    sar_complain(c, p->item, s->stribeck->speed.loc, "as in breakaway: 5, stribeck_speed: 0.01",
                 "has a 'stribeck_speed', but no 'breakaway' friction that falls with it");
  else
    sar_joint_numbers(c, p, given, "breakaway", NOT_NEGATIVE, most);
  *sar_stribeck_speed(p) =
      sar_number(c, s->stribeck->speed, p->item, "stribeck_speed", POSITIVE, 10 * speed);
  for (int i = 0; i < p->kind->nv && given->count > 0; i++) {
    if (isnan(most[i] + F[i]) || (most[i] >= F[i] && (F[i] > 0 || most[i] == 0))) continue;
    sar_complain(c, p->item, given->loc,
                 "it is the largest force at rest, 'friction' that of sliding",
                 F[i] > 0 ? "'breakaway' %g is less than 'friction' %g"
                          : "'breakaway' %g needs a 'friction' of sliding, which is %g",
                 most[i], F[i]);
    return;
  }
}

// J n^2 is armature; what it does to its carrier: rotors.c.
static void rotor_of(Compile* c, JointPart* p) {
  const SpecRotor* rotor = p->spec->rotor;
  if (!rotor) return;
  const double J = sar_number(c, rotor->inertia, p->item, "inertia of the rotor", POSITIVE, 0);
  const double n = sar_number(c, rotor->ratio, p->item, "ratio of the rotor", ANY_FINITE, 1);
  if (p->kind->nv != 1) {
    sar_complain(c, p->item, rotor->loc, "give it to a revolute, prismatic or screw joint",
                 "a rotor is driven by one coordinate, and a %s joint has %d", p->kind->name,
                 p->kind->nv);
    return;
  }
  if (n == 0)
    sar_complain(c, p->item, rotor->ratio.loc, "turns of the rotor per turn of the joint",
                 "the ratio of the rotor must not be 0");
  if (rotor->on.text && strcmp(rotor->on.text, "parent") != 0 &&
      strcmp(rotor->on.text, "child") != 0)
    sar_complain(c, p->item, rotor->on.loc, "the body of the joint that houses the motor",
                 "a rotor is on 'parent' or 'child', not on '%s'", rotor->on.text);
  p->rotor_spin = J * n;
  sar_law(p, LAW_ARMATURE)[0] += J * n * n;
}

static void values_of(Compile* c, JointPart* p) {
  const SpecJoint* s = p->spec;
  position_of(c, p);
  sar_joint_numbers(c, p, &s->speed, "speed", ANY_FINITE, p->value.v);
  p->q_given = s->position.count > 0;
  for (int i = 0; i < p->kind->nv; i++) p->v_given[i] = s->speed.count > 0;
  sar_joint_numbers(c, p, &s->stiffness, "stiffness", ANY_FINITE, sar_law(p, LAW_STIFFNESS));
  sar_joint_numbers(c, p, &s->rest, "rest", ANY_FINITE, sar_law(p, LAW_REST));
  sar_joint_numbers(c, p, &s->damping, "damping", ANY_FINITE, sar_law(p, LAW_DAMPING));
  friction_of(c, p);
  sar_joint_numbers(c, p, &s->armature, "armature", NOT_NEGATIVE, sar_law(p, LAW_ARMATURE));
  rotor_of(c, p);
  sar_joint_numbers(c, p, &s->lower, "lower", EVEN_INFINITE, sar_law(p, LAW_LOWER));
  sar_joint_numbers(c, p, &s->upper, "upper", EVEN_INFINITE, sar_law(p, LAW_UPPER));
  sar_joint_numbers(c, p, &s->restitution, "restitution", NOT_NEGATIVE,
                    sar_law(p, LAW_RESTITUTION));
  sar_joint_numbers(c, p, &s->effort, "effort", EVEN_INFINITE, sar_law(p, LAW_EFFORT));
  sar_joint_numbers(c, p, &s->speed_limit, "speed_limit", EVEN_INFINITE,
                    sar_law(p, LAW_SPEED_LIMIT));
  check_limits(c, p);
}

static bool params_of(Compile* c, JointPart* p) {
  for (int i = 0; i < p->kind->nparam; i++) {
    const SarJointParam* par = &p->kind->param[i];
    SpecNum n = p->spec->param[i];
    if (!n.expr && par->def) {
      n.loc = p->item.loc;
      n.expr = sar_expr_parse(&c->arena, par->def, strlen(par->def), n.loc, c->err);
      if (c->arena.failed) return false;
    }
    if (n.expr)
      p->param[i] = sar_number(c, n, p->item, par->name, ANY_FINITE, 0);
    else
      sar_complain(c, p->item, p->item.loc, par->doc, "a %s joint needs '%s'", p->kind->name,
                   par->name);
  }
  return true;
}

// ---- followers ------------------------------------------------------------------------------

static void mimic_of(Compile* c, JointPart* p) {
  const SpecJoint* s = p->spec;
  if (!s->mimic.text) return;
  int other = sar_find_joint(c, s->mimic, p->item, "mimic");
  p->multiplier = sar_number(c, s->multiplier, p->item, "multiplier", ANY_FINITE, 1);
  p->offset = sar_number(c, s->offset, p->item, "offset", ANY_FINITE, 0);
  if (other == NOWHERE) return;
  if (p->kind->nv == 1 && c->joint[other].kind->nv == 1)
    p->mimic = other;
  else
    sar_complain(c, p->item, s->mimic.loc, "", "'mimic' is between joints of one coordinate each");
}

static void report_circle(void* context, const int* nodes, int count) {
  Compile* c = context;
  const JointPart* p = &c->joint[nodes[0]];
  const JointPart* other = &c->joint[nodes[count - 1]];
  if (count == 1)
    sar_complain(c, p->item, p->spec->mimic.loc, "name another joint", "follows itself");
  else
    sar_complain(c, p->item, p->spec->mimic.loc, "let one of them lead",
                 "follows joint '%s', which in the end follows it", other->item.name);
}

// A follower starts where its leader puts it, unless the file says otherwise.
static bool start_followers(Compile* c) {
  int* first = SAR_ARENA_ARRAY(&c->arena, int, c->njoint + 1);
  int* to = SAR_ARENA_ARRAY(&c->arena, int, c->njoint + 1);
  int* order = SAR_ARENA_ARRAY(&c->arena, int, c->njoint + 1);
  if (!first || !to || !order) return false;
  int count = 0;
  for (int j = 0; j < c->njoint; j++) {
    first[j] = count;
    if (c->joint[j].mimic >= 0) to[count++] = c->joint[j].mimic;
  }
  first[c->njoint] = count;
  SarNeeds needs = {c->njoint, first, to};
  if (!sar_order(&c->arena, &needs, report_circle, c, order)) return false;
  for (int k = 0; k < c->njoint; k++) {
    JointPart* p = &c->joint[order[k]];
    if (p->mimic < 0) continue;
    const JointValues* leader = &c->joint[p->mimic].value;
    if (!p->spec->position.count) p->value.q[0] = p->multiplier * leader->q[0] + p->offset;
    if (!p->spec->speed.count) p->value.v[0] = p->multiplier * leader->v[0];
  }
  return true;
}

bool sar_compile_joints(Compile* c) {
  for (int j = 0; j < c->njoint; j++) {
    JointPart* p = &c->joint[j];
    p->law = sar_laws_new(c, p->kind, 0);
    if (!p->law || !params_of(c, p)) return false;
    if (p->spec->ends)
      place_ends(c, p);
    else if (p->spec->relative)
      place_relative(c, p);
    else
      place_hardpoint(c, p);
    values_of(c, p);
    mimic_of(c, p);
  }
  return start_followers(c);
}
