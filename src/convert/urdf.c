// A model as URDF: the tree. The frame of a link is on its joint and turned as the body; a joint
// with several coordinates is a row of joints with links between them that have no mass.
#include "convert/links.h"

#include "math/rpy.h"

#include <math.h>
#include <string.h>

static void put_origin(Convert* c, Xform X, const char* indent) {
  double rpy[3];
  m3_to_rpy(X.R, rpy);
  const bool turned = rpy[0] != 0 || rpy[1] != 0 || rpy[2] != 0;
  if (!turned && v3_is_zero(X.p)) return;
  sar_text_addf(&c->out, "%s<origin", indent);
  sar_xml_put_vec(c, "xyz", X.p);
  if (turned) sar_xml_put_numbers(c, "rpy", rpy, 3);
  sar_text_add(&c->out, "/>\n");
}

// With full matrices the inertial frame is turned to the principal axes: readers that find these
// themselves (MuJoCo) are less exact.
static void put_inertial(Convert* c, const Link* l) {
  const bool diagonal = sar_is_diagonal(l->inertia);
  double moment[3] = {l->inertia.xx, l->inertia.yy, l->inertia.zz};
  const M3 R = diagonal ? m3_identity() : sar_principal_axes(l->inertia, moment);
  static const char* const keys[] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
  const double x[] = {moment[0], 0, 0, moment[1], 0, moment[2]};
  sar_text_add(&c->out, "    <inertial>\n");
  put_origin(c, (Xform){R, l->com}, "      ");
  sar_text_add(&c->out, "      <mass");
  sar_xml_put_number(c, "value", l->mass);
  sar_text_add(&c->out, "/>\n      <inertia");
  for (int i = 0; i < 6; i++) sar_xml_put_number(c, keys[i], x[i]);
  sar_text_add(&c->out, "/>\n    </inertial>\n");
}

// ---- shapes ----------------------------------------------------------------------------------

static bool put_geometry(Convert* c, const SarBodyShape* s) {
  const double* x = s->size;
  const double whole[3] = {2 * x[0], 2 * x[1], 2 * x[2]};
  sar_text_add(&c->out, "      <geometry><");
  switch (s->kind) {
    case SAR_BODY_BOX:
      sar_text_add(&c->out, "box");
      sar_xml_put_numbers(c, "size", whole, 3);
      break;
    case SAR_BODY_ELLIPSOID:
      sar_text_add(&c->out, "sphere");
      sar_xml_put_number(c, "radius", x[0]);
      break;
    default:
      sar_text_add(&c->out, s->kind == SAR_BODY_CAPSULE ? "capsule" : "cylinder");
      sar_xml_put_number(c, "radius", x[0]);
      sar_xml_put_number(c, "length", whole[1]);
  }
  sar_text_add(&c->out, "/></geometry>\n");
  return true;
}

static bool is_drawn(const SarBodyShape* s) {
  const double* x = s->size;
  switch (s->kind) {
    case SAR_BODY_BOX:
    case SAR_BODY_CAPSULE: return true;
    case SAR_BODY_CYLINDER: return x[2] == 0;
    case SAR_BODY_ELLIPSOID: return x[0] == x[1] && x[1] == x[2];
    default: return false;
  }
}

static void put_shapes(Convert* c, const Link* l) {
  const SarModel* m = c->model;
  int left = 0;
  for (int i = 0; i < m->nshape; i++) {
    const SarBodyShape* s = &m->shape[i];
    if (s->holder != l->body) continue;
    left += !is_drawn(s);
    if (!is_drawn(s)) continue;
    sar_text_add(&c->out, "    <visual>\n");
    put_origin(c, x_mul(x_inv(l->X_BL), s->X_BS), "      ");
    put_geometry(c, s);
    sar_text_add(&c->out, "    </visual>\n");
  }
  if (left)
    sar_lose(c, sar_body_place(c, l->name), "the look of body '%s': %d shape%s, not the mass",
             l->name, left, left == 1 ? "" : "s");
}

static void put_link(Convert* c, const Link* l) {
  const S3 I = l->inertia;
  const bool empty = l->mass == 0 && I.xx == 0 && I.yy == 0 && I.zz == 0;
  sar_text_add(&c->out, "  <link");
  sar_xml_put(c, "name", l->name);
  sar_text_add(&c->out, ">\n");
  if (!empty) put_inertial(c, l);
  put_shapes(c, l);
  sar_text_add(&c->out, "  </link>\n");
}

// ---- joints ----------------------------------------------------------------------------------

static void put_limit(Convert* c, const LinkDof* d) {
  const SarModel* m = c->model;
  const double low = m->dof_lower[d->dof], high = m->dof_upper[d->dof];
  const double effort = m->dof_effort[d->dof], speed = m->dof_speed_limit[d->dof];
  const bool limited = isfinite(low) && isfinite(high);
  if (!limited && (isfinite(low) || isfinite(high)))
    sar_lose(c, sar_joint_place(c, d->name), "joint '%s': its limit, which is on one side only",
             d->name);
  if (!limited && !isfinite(effort) && !isfinite(speed)) return;
  sar_text_add(&c->out, "    <limit");
  if (limited) sar_xml_put_number(c, "lower", low);
  if (limited) sar_xml_put_number(c, "upper", high);
  if (isfinite(effort)) sar_xml_put_number(c, "effort", effort);
  if (isfinite(speed)) sar_xml_put_number(c, "velocity", speed);
  sar_text_add(&c->out, "/>\n");
}

static void put_laws(Convert* c, const LinkDof* d) {
  const SarModel* m = c->model;
  const SarLoc loc = sar_joint_place(c, sar_text(m, m->joint_name[d->joint]));
  const double damping = m->dof_damping[d->dof], friction = m->dof_friction[d->dof];
  if (damping > 0 || friction > 0) {
    sar_text_add(&c->out, "    <dynamics");
    if (damping > 0) sar_xml_put_number(c, "damping", damping);
    if (friction > 0) sar_xml_put_number(c, "friction", friction);
    sar_text_add(&c->out, "/>\n");
  }
  if (m->dof_stiffness[d->dof] != 0) sar_lose(c, loc, "joint '%s': its spring", d->name);
  if (m->dof_armature[d->dof] != 0) sar_lose(c, loc, "joint '%s': its armature", d->name);
  if (m->dof_force_slot[d->dof] >= 0) sar_lose(c, loc, "joint '%s': its force", d->name);
  if (d->kind == DOF_HINGE || d->kind == DOF_SLIDE) put_limit(c, d);
}

static void put_mimic(Convert* c, const Link* l, const LinkDof* d) {
  const LinkMimic f = sar_link_mimic(c, l, d);
  if (!f.other) return;
  sar_text_add(&c->out, "    <mimic");
  sar_xml_put(c, "joint", f.other);
  sar_xml_put_number(c, "multiplier", f.ratio);
  sar_xml_put_number(c, "offset", f.offset);
  sar_text_add(&c->out, "/>\n");
}

static const char* type_of(const Convert* c, const LinkDof* d) {
  if (!d) return "fixed";
  if (d->kind == DOF_BALL) return "spherical";
  if (d->kind == DOF_FREE) return "floating";
  if (d->kind == DOF_SLIDE) return "prismatic";
  const bool limited =
      d->dof >= 0 && isfinite(c->model->dof_lower[d->dof]) && isfinite(c->model->dof_upper[d->dof]);
  return limited ? "revolute" : "continuous";
}

static void put_joint(Convert* c, const Link* l, const LinkDof* d, const char* name, Xform X,
                      const char* parent, const char* child) {
  sar_text_add(&c->out, "  <joint");
  sar_xml_put(c, "name", name);
  sar_xml_put(c, "type", type_of(c, d));
  sar_text_add(&c->out, ">\n");
  put_origin(c, X, "    ");
  sar_text_add(&c->out, "    <parent");
  sar_xml_put(c, "link", parent);
  sar_text_add(&c->out, "/>\n    <child");
  sar_xml_put(c, "link", child);
  sar_text_add(&c->out, "/>\n");
  if (d && (d->kind == DOF_HINGE || d->kind == DOF_SLIDE)) {
    sar_text_add(&c->out, "    <axis");
    sar_xml_put_vec(c, "xyz", d->axis);
    sar_text_add(&c->out, "/>\n");
  }
  if (d && d->dof >= 0) put_laws(c, d);
  if (d) put_mimic(c, l, d);
  sar_text_add(&c->out, "  </joint>\n");
}

static void put_joints(Convert* c, const Links* all, const Link* l, const char* ground) {
  const SarModel* m = c->model;
  const char* parent = l->parent < 0 ? ground : all->items[l->parent].name;
  if (l->ndof == 0) {
    put_joint(c, l, NULL, sar_text(m, m->joint_name[l->body]), l->X_PL, parent, l->name);
    return;
  }
  for (int i = 0; i < l->ndof; i++) {
    const bool last = i == l->ndof - 1;
    const char* child =
        last ? l->name : sar_arena_printf(&c->arena, "%s_%s", l->name, l->dof[i].name);
    if (!child) return;
    if (!last) {
      sar_text_add(&c->out, "  <link");
      sar_xml_put(c, "name", child);
      sar_text_add(&c->out, "/>\n");
    }
    put_joint(c, l, &l->dof[i], l->dof[i].name, i == 0 ? l->X_PL : x_identity(), parent, child);
    parent = child;
  }
}

// ---- the whole -------------------------------------------------------------------------------

// The only link on ground, fixed where the ground's frame is: the root of the file.
static bool is_root(const Links* all, const Link* l) {
  const M3 R = l->X_PL.R;
  int roots = 0;
  for (int i = 0; i < all->count; i++) roots += all->items[i].parent < 0;
  return roots == 1 && l->parent < 0 && l->ndof == 0 && v3_is_zero(l->X_PL.p) && R.xx == 1 &&
         R.yy == 1 && R.zz == 1;
}

static void lose_loops(Convert* c) {
  const SarModel* m = c->model;
  for (int k = 0; k < m->ncut; k++)
    sar_lose(c, sar_joint_place(c, sar_text(m, m->cut[k].name)),
             "joint '%s', which closes a loop: URDF has trees only", sar_text(m, m->cut[k].name));
  for (int i = 0; i < m->ncoupling; i++)
    if (m->coupling[i].joint >= m->nbody || m->coupling[i].other >= m->nbody)
      sar_lose(c, (SarLoc){0}, "a joint that closes a loop follows another");
}

static void lose_more(Convert* c) {
  const SarModel* m = c->model;
  const V3 usual = v3(0, 0, -9.81);
  sar_lose_start(c, NULL);
  lose_loops(c);
  for (int i = 0; i < c->spec->inputs.count; i++)
    sar_lose(c, c->spec->inputs.items[i].name.loc, "input '%s'",
             c->spec->inputs.items[i].name.text);
  for (int i = 0; i < m->npoint; i++)
    sar_lose(c, sar_body_place(c, sar_holder_name(m, m->point[i].body)), "point '%s'",
             sar_text(m, m->point[i].name));
  if (!v3_is_zero(v3_sub(m->gravity, usual)))
    sar_lose(c, c->spec->gravity.loc, "gravity: readers of URDF take (0, 0, -9.81)");
  if (c->spec->simulation.loc.line || c->spec->simulation.step.expr)
    sar_lose(c, c->spec->simulation.loc, "simulation: steps and methods");
  sar_lose_rest(c, "URDF");
}

void sar_write_urdf(Convert* c) {
  const SarModel* m = c->model;
  Links all;
  if (!sar_links_make(c, (LinkStyle){.at_joint = true}, &all)) return;
  const char* name = sar_text(m, m->name);
  const char* ground = "world";
  for (int i = 0; i < all.count; i++)
    if (strcmp(all.items[i].name, ground) == 0) ground = "ground";
  sar_text_add(&c->out, "<?xml version=\"1.0\"?>\n<robot");
  sar_xml_put(c, "name", name[0] ? name : "model");
  sar_text_add(&c->out, ">\n");
  bool rooted = false;
  for (int i = 0; i < all.count; i++) rooted = rooted || is_root(&all, &all.items[i]);
  if (!rooted) sar_text_addf(&c->out, "  <link name=\"%s\"/>\n", ground);
  for (int i = 0; i < all.count; i++) {
    put_link(c, &all.items[i]);
    if (!is_root(&all, &all.items[i])) put_joints(c, &all, &all.items[i], ground);
  }
  sar_text_add(&c->out, "</robot>\n");
  lose_more(c);
}
