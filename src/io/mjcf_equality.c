// Equality constraints of MJCF as ideal ones: connect is a spherical joint that closes a loop, weld a fixed one, and joint
// couples two coordinates, y - y0 = a0 + a1 (x - x0), with y0 and x0 where the file has the bodies.
#include "io/mjcf.h"

#include <string.h>

static bool is_off(Mjcf* m, const XmlTag* tag) { return !sar_mjcf_flag(m, tag, "active", true); }

static void close_loop(Mjcf* m, const XmlTag* tag, const char* kind) {
  double anchor[3] = {0};
  SpecName a = sar_mjcf_reference(m, tag, "body1"), b = sar_mjcf_reference(m, tag, "body2");
  if (!a.text) {
    sar_warn(m->err, tag->loc, "name body1 and body2",
             "<%s>: only constraints between bodies are taken: this one is left out", tag->name);
    return;
  }
  if (!b.text) b.text = "ground";
  sar_mjcf_numbers(m, tag, "anchor", 3, 3, anchor);
  SpecJoint* out = SAR_LIST_ADD(&m->spec->arena, &m->spec->joints);
  if (!out) return;
  *out = (SpecJoint){.name = sar_mjcf_name(m, tag, tag->name),
                     .kind = sar_joint_kind_find(kind),
                     .parent = b,
                     .child = a,
                     .in = a};
  out->at = sar_mjcf_vec(m, v3(anchor[0], anchor[1], anchor[2]), tag->loc);
}

static SpecJoint* joint_named(Mjcf* m, SpecName name) {
  for (int i = 0; name.text && i < m->spec->joints.count; i++) {
    SpecJoint* j = &m->spec->joints.items[i];
    if (j->name.text && strcmp(j->name.text, name.text) == 0) return j;
  }
  return NULL;
}

static double start_of(const SpecJoint* j) {
  double x = 0;
  if (j->position.count) sar_expr_is_number(j->position.c[0].expr, &x);
  return x;
}

static void couple(Mjcf* m, const XmlTag* tag) {
  double poly[5] = {0, 1, 0, 0, 0};
  const SpecName names[2] = {sar_mjcf_reference(m, tag, "joint1"),
                             sar_mjcf_reference(m, tag, "joint2")};
  SpecJoint *y = joint_named(m, names[0]), *x = joint_named(m, names[1]);
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
  for (const XmlTag* tag = section->first; tag; tag = tag->next) {
    if (is_off(m, tag)) continue;
    if (sar_mjcf_is(tag, "connect")) close_loop(m, tag, "spherical");
    if (sar_mjcf_is(tag, "weld")) close_loop(m, tag, "fixed");
    if (sar_mjcf_is(tag, "joint")) couple(m, tag);
  }
}
