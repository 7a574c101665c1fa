// A model as MJCF: bodies in each other, several joints in a body, loops as equality constraints.
// Bodies stand where they are at the start, with `ref` for the coordinates there, since MuJoCo
// takes the anchors of its constraints from that.
#include "convert/mjcf_parts.h"

#include "expr/print.h"
#include "sarrus/analyses.h"

#include <math.h>
#include <string.h>

enum { DEEPEST = 40 };  // levels that are indented

static void indent(Convert* c, int level) {
  for (int i = 0; i < level && i < DEEPEST; i++) sar_text_add(&c->out, "  ");
}

// ---- poses and inertia -----------------------------------------------------------------------

void sar_mjcf_put_pose(Convert* c, Xform X) {
  const Quat Q = quat_from_m3(X.R);
  const double q[4] = {Q.w, Q.x, Q.y, Q.z};
  if (!v3_is_zero(X.p)) sar_xml_put_vec(c, "pos", X.p);
  if (Q.x != 0 || Q.y != 0 || Q.z != 0) sar_xml_put_numbers(c, "quat", q, 4);
}

static void put_inertial(Convert* c, const Link* l, int level) {
  const S3 I = l->inertia;
  double moment[3] = {I.xx, I.yy, I.zz};
  M3 R = m3_identity();
  const bool moves = l->ndof > 0;
  if (l->mass == 0 && I.xx == 0 && I.yy == 0 && I.zz == 0) {
    if (moves)
      sar_lose(c, sar_body_place(c, l->name),
               "that body '%s' has no mass: MuJoCo wants mass of all that moves", l->name);
    return;
  }
  if (!sar_is_diagonal(I)) R = sar_principal_axes(I, moment);
  if (moves && fmin(moment[0], fmin(moment[1], moment[2])) < 1e-15)
    sar_lose(c, sar_body_place(c, l->name),
             "that body '%s' has no moment of inertia about some axis: MuJoCo wants one of all "
             "that moves",
             l->name);
  indent(c, level);
  sar_text_add(&c->out, "<inertial");
  sar_xml_put_vec(c, "pos", l->com);
  sar_mjcf_put_pose(c, (Xform){R, v3_zero()});
  sar_xml_put_number(c, "mass", l->mass);
  sar_xml_put_numbers(c, "diaginertia", moment, 3);
  sar_text_add(&c->out, "/>\n");
}

// ---- joints ----------------------------------------------------------------------------------

// One value for all coordinates of a ball; false: they differ.
static bool value_of(const double* x, const LinkDof* d, double* value) {
  *value = x[d->dof];
  return d->kind != DOF_BALL || (x[d->dof + 1] == *value && x[d->dof + 2] == *value);
}

static void put_law(Convert* c, const LinkDof* d, const char* key, const double* x) {
  double value;
  if (!value_of(x, d, &value) || value < 0)
    sar_lose(c, sar_joint_place(c, d->name),
             "joint '%s': %s, which MJCF has one of and not below 0", d->name, key);
  else if (value > 0)
    sar_xml_put_number(c, key, value);
}

static void put_range(Convert* c, const LinkDof* d) {
  const double range[2] = {c->model->dof_lower[d->dof], c->model->dof_upper[d->dof]};
  if (isfinite(range[0]) && isfinite(range[1]) && range[0] < range[1]) {
    sar_xml_put(c, "limited", "true");
    sar_xml_put_numbers(c, "range", range, 2);
  } else if (isfinite(range[0]) || isfinite(range[1])) {
    sar_lose(c, sar_joint_place(c, d->name), "joint '%s': its limit, which is on one side only",
             d->name);
  }
}

static void put_laws(Convert* c, const LinkDof* d) {
  const SarModel* m = c->model;
  put_law(c, d, "stiffness", m->dof_stiffness);
  if (d->kind != DOF_BALL && m->dof_stiffness[d->dof] > 0)
    sar_xml_put_number(c, "springref", m->dof_rest[d->dof]);
  put_law(c, d, "damping", m->dof_damping);
  put_law(c, d, "frictionloss", m->dof_friction);
  put_law(c, d, "armature", m->dof_armature);
  if (d->kind != DOF_BALL) put_range(c, d);
}

static bool has_laws(const SarModel* m, const LinkDof* d) {
  for (int i = d->dof; i < d->dof + 6; i++)
    if (m->dof_stiffness[i] != 0 || m->dof_damping[i] != 0 || m->dof_friction[i] != 0 ||
        m->dof_armature[i] != 0)
      return true;
  return false;
}

static void put_joint(Convert* c, const LinkDof* d, int level) {
  static const char* const types[] = {"hinge", "slide", "ball", "free"};
  const SarModel* m = c->model;
  indent(c, level);
  sar_text_add(&c->out, d->kind == DOF_FREE ? "<freejoint" : "<joint");
  sar_xml_put(c, "name", d->name);
  if (d->kind == DOF_FREE) {
    if (has_laws(m, d))
      sar_lose(c, sar_joint_place(c, d->name), "joint '%s': springs and dampers of a free body",
               d->name);
    sar_text_add(&c->out, "/>\n");
    return;
  }
  sar_xml_put(c, "type", types[d->kind]);
  if (!v3_is_zero(d->anchor)) sar_xml_put_vec(c, "pos", d->anchor);
  if (d->kind != DOF_BALL) sar_xml_put_vec(c, "axis", d->axis);
  if (d->ref != 0) sar_xml_put_number(c, "ref", d->ref);
  const bool flipped = sar_joint_is_flipped(m, d->joint) && m->joint_nv[d->joint] > 1;
  if (flipped && m->joint_passive[d->joint])
    sar_lose(c, sar_joint_place(c, sar_text(m, m->joint_name[d->joint])),
             "joint '%s': springs, dampers and limits, whose coordinates run the other way here",
             d->name);
  else if (d->dof >= 0)
    put_laws(c, d);
  sar_text_add(&c->out, "/>\n");
}

// ---- shapes and points -----------------------------------------------------------------------

static void put_shape(Convert* c, const Link* l, const SarBodyShape* s, int level) {
  static const char* const types[] = {[SAR_BODY_BOX] = "box",
                                      [SAR_BODY_ELLIPSOID] = "ellipsoid",
                                      [SAR_BODY_CYLINDER] = "cylinder",
                                      [SAR_BODY_CAPSULE] = "capsule"};
  const int sizes = s->kind == SAR_BODY_BOX || s->kind == SAR_BODY_ELLIPSOID ? 3 : 2;
  indent(c, level);
  sar_text_add(&c->out, "<geom");
  sar_xml_put(c, "type", types[s->kind]);
  sar_xml_put_numbers(c, "size", s->size, sizes);
  sar_mjcf_put_pose(c, x_mul(x_inv(l->X_BL), s->X_BS));
  sar_text_add(&c->out, " contype=\"0\" conaffinity=\"0\" group=\"1\"/>\n");
}

static void put_shapes(Convert* c, const Link* l, int level) {
  const SarModel* m = c->model;
  int left = 0;
  for (int i = 0; i < m->nshape; i++) {
    const SarBodyShape* s = &m->shape[i];
    if (s->holder != l->body) continue;
    const bool drawn = s->kind != SAR_BODY_ROD && s->kind != SAR_BODY_MESH &&
                       (s->kind != SAR_BODY_CYLINDER || s->size[2] == 0);
    left += !drawn;
    if (drawn) put_shape(c, l, s, level);
  }
  if (left)
    sar_lose(c, sar_body_place(c, l->name), "the look of body '%s': %d shape%s, not the mass",
             l->name, left, left == 1 ? "" : "s");
}

// "arm.tip": tip, where no other point has that name
static const char* point_name(const SarModel* m, int point) {
  const char* name = sar_text(m, m->point[point].name);
  const char* dot = strrchr(name, '.');
  for (int i = 0; dot && i < m->npoint; i++) {
    const char* other = strrchr(sar_text(m, m->point[i].name), '.');
    if (i != point && other && strcmp(other, dot) == 0) return name;
  }
  return dot ? dot + 1 : name;
}

static void put_points(Convert* c, int body, Xform X_BL, int level) {
  const SarModel* m = c->model;
  for (int i = 0; i < m->npoint; i++) {
    if (m->point[i].body != body) continue;
    indent(c, level);
    sar_text_add(&c->out, "<site");
    sar_xml_put(c, "name", point_name(m, i));
    sar_mjcf_put_pose(c, x_mul(x_inv(X_BL), m->point[i].X_BP));
    sar_text_add(&c->out, "/>\n");
  }
}

// ---- bodies ----------------------------------------------------------------------------------

static void put_body(Convert* c, const Link* l, int level) {
  indent(c, level);
  sar_text_add(&c->out, "<body");
  sar_xml_put(c, "name", strcmp(l->name, "world") == 0 ? "world_" : l->name);
  sar_mjcf_put_pose(c, l->X_PL);
  sar_text_add(&c->out, ">\n");
  for (int i = 0; i < l->ndof; i++) put_joint(c, &l->dof[i], level + 1);
  put_inertial(c, l, level + 1);
  put_shapes(c, l, level + 1);
  put_points(c, l->body, l->X_BL, level + 1);
}

// In the order of the tree; `open` are the links that are not ended yet.
static void put_bodies(Convert* c, const Links* all) {
  int* open = SAR_ARENA_ARRAY(&c->arena, int, all->count + 1);
  int depth = 0;
  if (!open) return;
  sar_text_add(&c->out, "  <worldbody>\n");
  put_points(c, -1, x_identity(), 2);
  for (int i = 0; i <= all->count; i++) {
    const int parent = i < all->count ? all->items[i].parent : -1;
    while (depth > 0 && open[depth - 1] != parent) {
      indent(c, --depth + 2);
      sar_text_add(&c->out, "</body>\n");
    }
    if (i == all->count) break;
    put_body(c, &all->items[i], depth + 2);
    open[depth++] = i;
  }
  sar_text_add(&c->out, "  </worldbody>\n");
}

// ---- the whole -------------------------------------------------------------------------------

static void put_head(Convert* c) {
  const SarModel* m = c->model;
  const char* name = sar_text(m, m->name);
  sar_text_add(&c->out, "<mujoco");
  sar_xml_put(c, "model", name[0] ? name : "model");
  sar_text_add(&c->out, ">\n  <compiler angle=\"radian\"/>\n  <option");
  sar_xml_put_vec(c, "gravity", m->gravity);
  if (m->sim.step > 0) sar_xml_put_number(c, "timestep", m->sim.step);
  sar_text_add(&c->out, "/>\n");
}

// Where loops are closed; else where the file says.
static const double* start_of(Convert* c) {
  const SarModel* m = c->model;
  SarData* d = NULL;
  SarAssembly closed;
  double* q = SAR_ARENA_ARRAY(&c->arena, double, m->nq + 1);
  if (!q) return NULL;
  for (int i = 0; i < m->nq; i++) q[i] = m->q0[i];
  if ((m->ncut || m->ncoupling) && sar_data_new(m, &d, NULL) == SAR_OK) {
    if (sar_assemble(d, &closed, NULL) == SAR_OK)
      for (int i = 0; i < m->nq; i++) q[i] = d->q[i];
    else
      sar_lose(c, (SarLoc){0}, "closed loops: they cannot be closed at the start");
    sar_data_free(d);
  }
  return q;
}

void sar_write_mjcf(Convert* c) {
  Links all;
  const double* q = start_of(c);
  if (!q || !sar_links_make(c, (LinkStyle){.join = true, .q = q}, &all)) return;
  put_head(c);
  put_bodies(c, &all);
  sar_mjcf_put_equality(c, &all, q);
  sar_mjcf_put_actuators(c, &all);
  sar_mjcf_put_start(c, &all);
  sar_text_add(&c->out, "</mujoco>\n");
  if (c->spec->simulation.loc.line)
    sar_lose(c, c->spec->simulation.loc, "simulation: all but the step");
  sar_lose_rest(c, "MJCF");
}
