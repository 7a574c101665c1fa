// A model as SDF (SDFormat 1.9): one model in a world with its gravity. The frame of a link is on
// its joint and turned as the body; loops are joints like the others, since links of SDF may hang
// in rings (sdf_joints.c).
#include "convert/sdf_parts.h"

#include "expr/print.h"
#include "math/rpy.h"

#include <math.h>
#include <string.h>

// ---- text ------------------------------------------------------------------------------------

void sar_sdf_put_numbers(Convert* c, const char* tag, const double* x, int count) {
  sar_text_addf(&c->out, "<%s>", tag);
  sar_xml_put_list(c, x, count);
  sar_text_addf(&c->out, "</%s>", tag);
}

void sar_sdf_put_vec(Convert* c, const char* tag, V3 v) {
  double x[3];
  v3_store(x, v);
  sar_sdf_put_numbers(c, tag, x, 3);
}

void sar_sdf_put_number(Convert* c, const char* tag, double x) {
  sar_sdf_put_numbers(c, tag, &x, 1);
}

void sar_sdf_put_pose(Convert* c, Xform X, const char* relative_to, const char* indent) {
  double rpy[3];
  m3_to_rpy(X.R, rpy);
  const double x[6] = {X.p.x, X.p.y, X.p.z, rpy[0], rpy[1], rpy[2]};
  sar_text_addf(&c->out, "%s<pose", indent);
  if (relative_to) sar_xml_put(c, "relative_to", relative_to);
  sar_text_add(&c->out, ">");
  sar_xml_put_list(c, x, 6);
  sar_text_add(&c->out, "</pose>\n");
}

// ---- links -----------------------------------------------------------------------------------

static void put_inertial(Convert* c, double mass, V3 com, S3 I) {
  const char* const keys[] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
  const double x[] = {I.xx, I.xy, I.xz, I.yy, I.yz, I.zz};
  sar_text_add(&c->out, "        <inertial>\n");
  sar_sdf_put_pose(c, (Xform){m3_identity(), com}, NULL, "          ");
  sar_text_add(&c->out, "          ");
  sar_sdf_put_number(c, "mass", mass);
  sar_text_add(&c->out, "\n          <inertia>");
  for (int i = 0; i < 6; i++) sar_sdf_put_number(c, keys[i], x[i]);
  sar_text_add(&c->out, "</inertia>\n        </inertial>\n");
}

static bool put_geometry(Convert* c, const SarBodyShape* s) {
  const double* x = s->size;
  const double whole[3] = {2 * x[0], 2 * x[1], 2 * x[2]};
  switch (s->kind) {
    case SAR_BODY_BOX:
      sar_text_add(&c->out, "<box>");
      sar_sdf_put_numbers(c, "size", whole, 3);
      sar_text_add(&c->out, "</box>");
      return true;
    case SAR_BODY_ELLIPSOID:
      sar_text_add(&c->out, "<ellipsoid>");
      sar_sdf_put_numbers(c, "radii", x, 3);
      sar_text_add(&c->out, "</ellipsoid>");
      return true;
    default: {
      const char* name = s->kind == SAR_BODY_CAPSULE ? "capsule" : "cylinder";
      sar_text_addf(&c->out, "<%s>", name);
      sar_sdf_put_number(c, "radius", x[0]);
      sar_sdf_put_number(c, "length", whole[1]);
      sar_text_addf(&c->out, "</%s>", name);
      return true;
    }
  }
}

static bool is_drawn(const SarBodyShape* s) {
  return s->kind == SAR_BODY_BOX || s->kind == SAR_BODY_CAPSULE || s->kind == SAR_BODY_ELLIPSOID ||
         (s->kind == SAR_BODY_CYLINDER && s->size[2] == 0);
}

static void put_shapes(Convert* c, const Link* l) {
  const SarModel* m = c->model;
  int left = 0, count = 0;
  for (int i = 0; i < m->nshape; i++) {
    const SarBodyShape* s = &m->shape[i];
    if (s->holder != l->body) continue;
    left += !is_drawn(s);
    if (!is_drawn(s)) continue;
    sar_text_addf(&c->out, "        <visual name=\"shape_%d\">\n", ++count);
    sar_sdf_put_pose(c, x_mul(x_inv(l->X_BL), s->X_BS), NULL, "          ");
    sar_text_add(&c->out, "          <geometry>");
    put_geometry(c, s);
    sar_text_add(&c->out, "</geometry>\n        </visual>\n");
  }
  if (left)
    sar_lose(c, sar_body_place(c, l->name), "the look of body '%s': %d shape%s, not the mass",
             l->name, left, left == 1 ? "" : "s");
}

// Every link of SDF has mass: those without get so little that it does not matter (1e-9 of the
// lightest link), which is told.
void sar_sdf_put_link(Convert* c, const SdfNames* n, const char* name, Xform X, const char* parent,
                      const Link* l) {
  const bool empty = !l || !(l->mass > 0);
  sar_text_add(&c->out, "      <link");
  sar_xml_put(c, "name", name);
  sar_text_add(&c->out, ">\n");
  sar_sdf_put_pose(c, X, parent, "        ");
  if (empty) {
    const double I = 0.01 * n->little;
    sar_lose(c, l ? sar_body_place(c, l->name) : (SarLoc){0},
             "that link '%s' has no mass: SDF wants one of all links, it is %g kg", name,
             n->little);
    put_inertial(c, n->little, v3_zero(), (S3){.xx = I, .yy = I, .zz = I});
  } else {
    put_inertial(c, l->mass, l->com, l->inertia);
  }
  if (l) put_shapes(c, l);
  sar_text_add(&c->out, "      </link>\n");
}

// ---- the whole -------------------------------------------------------------------------------

static void put_points(Convert* c, const SdfNames* n) {
  const SarModel* m = c->model;
  for (int i = 0; i < m->npoint; i++) {
    const int body = m->point[i].body;
    const Link* l = body < 0 ? NULL : &n->links->items[n->links->of_body[body]];
    const Xform X = l ? x_mul(x_inv(l->X_BL), m->point[i].X_BP) : m->point[i].X_BP;
    const char* name = sar_text(m, m->point[i].name);
    sar_text_add(&c->out, "      <frame");
    sar_xml_put(c, "name", name);
    sar_xml_put(c, "attached_to", l ? l->name : n->world);
    sar_text_add(&c->out, ">\n");
    sar_sdf_put_pose(c, X, l ? l->name : n->world, "        ");
    sar_text_add(&c->out, "      </frame>\n");
  }
}

static void lose_more(Convert* c, const double* q) {
  for (int i = 0; i < c->spec->inputs.count; i++)
    sar_lose(c, c->spec->inputs.items[i].name.loc, "input '%s'",
             c->spec->inputs.items[i].name.text);
  if (c->spec->simulation.loc.line || c->spec->simulation.step.expr)
    sar_lose(c, c->spec->simulation.loc, "simulation: steps and methods");
  sar_lose_start(c, q);
  sar_lose_rest(c, "SDF");
}

static double little_mass(const Links* all) {
  double least = 0;
  for (int i = 0; i < all->count; i++)
    if (all->items[i].mass > 0 && (least == 0 || all->items[i].mass < least))
      least = all->items[i].mass;
  return 1e-9 * (least > 0 ? least : 1);
}

// All coordinates at 0, but free bodies where they begin: no joint holds them.
static const double* place_free(Convert* c) {
  const SarModel* m = c->model;
  double* q = SAR_ARENA_ARRAY(&c->arena, double, m->nq + 1);
  for (int b = 0; q && b < m->nbody; b++) {
    const int adr = m->joint_qadr[b];
    sar_joint_zero(m->joint_kind[b], &q[adr]);
    for (int i = 0; m->joint_kind[b]->nv == 6 && i < m->joint_nq[b]; i++)
      q[adr + i] = m->q0[adr + i];
  }
  return q;
}

void sar_write_sdf(Convert* c) {
  const SarModel* m = c->model;
  Links all;
  const double* q = place_free(c);
  if (!q || !sar_links_make(c, (LinkStyle){.at_joint = true, .q = q}, &all)) return;
  const SdfNames n = {&all, "world", little_mass(&all)};
  const char* name = sar_text(m, m->name);
  sar_text_add(&c->out,
               "<?xml version=\"1.0\"?>\n<sdf version=\"1.11\">\n  <world name=\"world\">\n    ");
  sar_sdf_put_vec(c, "gravity", m->gravity);
  sar_text_add(&c->out, "\n    <model");
  sar_xml_put(c, "name", name[0] ? name : "model");
  sar_text_add(&c->out, ">\n");
  for (int i = 0; i < all.count; i++) sar_sdf_put_body(c, &n, &all.items[i]);
  for (int k = 0; k < m->ncut; k++) sar_sdf_put_loop(c, &n, k);
  put_points(c, &n);
  sar_text_add(&c->out, "    </model>\n  </world>\n</sdf>\n");
  lose_more(c, q);
}
