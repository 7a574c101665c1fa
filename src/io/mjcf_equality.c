// Equality constraints of MJCF as ideal ones: connect is a spherical joint that closes a loop, weld
// a fixed one, and joint couples two coordinates, y - y0 = a0 + a1 (x - x0), with y0 and x0 where
// the file has the bodies.
#include "io/mjcf.h"

#include <math.h>
#include <string.h>

static bool is_off(Mjcf* m, const XmlTag* tag) { return !sar_mjcf_flag(m, tag, "active", true); }

// Two frames that a constraint holds together, each in a body.
typedef struct Ends {
  const MjcfBody *a, *b;
  Xform X_a, X_b;
} Ends;

static const MjcfBody* body_of(Mjcf* m, SpecName name) {
  const MjcfBody* body = sar_mjcf_body(m, name.text);
  if (!body) sar_report(m->err, name.loc, "", "there is no body '%.60s'", name.text);
  return body;
}

static bool find_site(Mjcf* m, const XmlTag* tag, const char* key, const MjcfBody** body,
                      Xform* X) {
  const SpecName name = sar_mjcf_reference(m, tag, key);
  const MjcfSite* site = name.text ? sar_mjcf_site(m, name.text) : NULL;
  *body = site ? sar_mjcf_body(m, site->body) : NULL;
  if (!*body)
    sar_report(m->err, name.loc, "", "<%s> %s: there is no site '%.60s'", tag->name, key,
               name.text ? name.text : "");
  else
    *X = site->X;
  return *body != NULL;
}

// The anchor is a point of the first body where the file has both; sites are where they should
// meet.
static bool find_ends(Mjcf* m, const XmlTag* tag, Ends* e) {
  double anchor[3] = {0};
  SpecName a = sar_mjcf_reference(m, tag, "body1"), b = sar_mjcf_reference(m, tag, "body2");
  if (sar_mjcf_attribute(m, tag, "site1") || sar_mjcf_attribute(m, tag, "site2")) {
    const bool first = find_site(m, tag, "site1", &e->a, &e->X_a);
    return find_site(m, tag, "site2", &e->b, &e->X_b) && first;
  }
  if (!a.text) {
    sar_report(m->err, tag->loc, "body1 and body2, or site1 and site2",
               "<%s> does not say what it holds", tag->name);
    return false;
  }
  if (!b.text) b.text = "ground";
  sar_mjcf_numbers(m, tag, "anchor", 3, 3, anchor);
  e->a = body_of(m, a), e->b = body_of(m, b);
  if (!e->a || !e->b) return false;
  e->X_a = (Xform){m3_identity(), v3(anchor[0], anchor[1], anchor[2])};
  e->X_b = x_mul(x_inv(e->b->start), x_mul(e->a->start, e->X_a));
  return true;
}

static bool is_same(Xform A, Xform B) {
  const M3 R = m3_mul(m3_transpose(A.R), B.R);
  return v3_norm(v3_sub(A.p, B.p)) < 1e-12 && fabs(R.xx + R.yy + R.zz - 3) < 1e-12;
}

// Where the ends do not meet with all coordinates at zero, a joint cannot be given by one place.
static void close_loop(Mjcf* m, const XmlTag* tag, const char* kind) {
  Ends e;
  if (!find_ends(m, tag, &e)) return;
  const SpecName name = sar_mjcf_name(m, tag, tag->name), a = e.a->name, b = e.b->name;
  const Xform first = x_mul(e.a->zero, e.X_a), second = x_mul(e.b->zero, e.X_b);
  SpecJoint out = {
      .name = name, .kind = sar_joint_kind_find(kind), .parent = b, .child = a, .in = a};
  if (is_same(first, second) && is_same((Xform){e.X_a.R, v3_zero()}, x_identity())) {
    out.at = sar_mjcf_vec(m, e.X_a.p, tag->loc);
  } else {
    out.in = (SpecName){0};
    out.ends = SAR_ARENA_ARRAY(&m->spec->arena, SpecPose, 2);
    if (!out.ends) return;
    out.ends[0] = sar_mjcf_spec_pose(m, e.X_b, tag->loc);
    out.ends[1] = sar_mjcf_spec_pose(m, e.X_a, tag->loc);
  }
  SpecJoint* to = SAR_LIST_ADD(&m->spec->arena, &m->spec->joints);
  if (to) *to = out;
}

static SpecJoint* joint_of(Mjcf* m, const XmlTag* tag, const char* key) {
  const SpecName name = sar_mjcf_reference(m, tag, key);
  SpecJoint* j = name.text ? sar_mjcf_joint(m, name.text) : NULL;
  if (name.text && !j)
    sar_report(m->err, name.loc, "", "<joint> %s: there is no joint '%.60s'", key, name.text);
  return j;
}

static double start_of(const SpecJoint* j) {
  double x = 0;
  if (j->position.count) sar_expr_is_number(j->position.c[0].expr, &x);
  return x;
}

static void couple(Mjcf* m, const XmlTag* tag) {
  double poly[5] = {0, 1, 0, 0, 0};
  SpecJoint *y = joint_of(m, tag, "joint1"), *x = joint_of(m, tag, "joint2");
  sar_mjcf_numbers(m, tag, "polycoef", 1, 5, poly);
  if (!y || !x || poly[2] != 0 || poly[3] != 0 || poly[4] != 0 || y->mimic.text) {
    sar_warn(m->err, tag->loc, "",
             "<joint> of <equality>: only one linear law between two joints is taken: this one is "
             "left out");
    return;
  }
  y->mimic = x->name;
  y->multiplier = sar_mjcf_num(m, poly[1], tag->loc);
  y->offset = sar_mjcf_num(m, start_of(y) + poly[0] - poly[1] * start_of(x), tag->loc);
}

void sar_mjcf_equality(Mjcf* m, const XmlTag* section) {
  for (const XmlTag* tag = section->first; tag && !m->off.equality; tag = tag->next) {
    if (is_off(m, tag)) continue;
    if (sar_mjcf_is(tag, "connect")) close_loop(m, tag, "spherical");
    if (sar_mjcf_is(tag, "weld")) close_loop(m, tag, "fixed");
    if (sar_mjcf_is(tag, "joint")) couple(m, tag);
  }
}
