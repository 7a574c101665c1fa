// Joints of SDF: those of the tree, and those that close loops, since links of SDF may hang in
// rings. A joint with several coordinates is a row of joints with light links between them, but for
// a universal one; a link that no joint holds is free.
#include "convert/sdf_parts.h"

#include <math.h>
#include <string.h>

static void put_text(Convert* c, const char* tag, const char* value) {
  sar_text_addf(&c->out, "<%s>", tag);
  sar_xml_put_text(c, value);
  sar_text_addf(&c->out, "</%s>\n", tag);
}

static bool is_link(const Links* all, const char* name) {
  for (int i = 0; i < all->count; i++)
    if (strcmp(all->items[i].name, name) == 0) return true;
  return false;
}

// Links and joints of SDF have different names.
static const char* joint_name(Convert* c, const Links* all, const char* name) {
  if (!is_link(all, name)) return name;
  const char* other = sar_arena_printf(&c->arena, "%s_joint", name);
  if (other)
    sar_lose(c, sar_joint_place(c, name),
             "the name of joint '%s', which a body has too: it is '%s'", name, other);
  return other ? other : name;
}

static void put_laws(Convert* c, const LinkDof* d) {
  const SarModel* m = c->model;
  const SarLoc loc = sar_joint_place(c, sar_text(m, m->joint_name[d->joint]));
  const double low = m->dof_lower[d->dof], high = m->dof_upper[d->dof];
  const double effort = m->dof_effort[d->dof], speed = m->dof_speed_limit[d->dof];
  sar_text_add(&c->out, "<dynamics>");
  sar_sdf_put_number(c, "damping", m->dof_damping[d->dof]);
  sar_sdf_put_number(c, "friction", m->dof_friction[d->dof]);
  if (m->dof_stiffness[d->dof] != 0) {
    sar_sdf_put_number(c, "spring_stiffness", m->dof_stiffness[d->dof]);
    sar_sdf_put_number(c, "spring_reference", m->dof_rest[d->dof]);
  }
  sar_text_add(&c->out, "</dynamics>");
  sar_text_add(&c->out, "<limit>");
  if (isfinite(low)) sar_sdf_put_number(c, "lower", low);
  if (isfinite(high)) sar_sdf_put_number(c, "upper", high);
  if (isfinite(effort)) sar_sdf_put_number(c, "effort", effort);
  if (isfinite(speed)) sar_sdf_put_number(c, "velocity", speed);
  sar_text_add(&c->out, "</limit>");
  if (m->dof_armature[d->dof] != 0) sar_lose(c, loc, "joint '%s': its armature", d->name);
  if (m->dof_force_slot[d->dof] >= 0) sar_lose(c, loc, "joint '%s': its force", d->name);
}

static void put_mimic(Convert* c, const Link* l, const LinkDof* d) {
  const LinkMimic f = sar_link_mimic(c, l, d);
  if (!f.other) return;
  sar_text_add(&c->out, "<mimic");
  sar_xml_put(c, "joint", f.other);
  sar_text_add(&c->out, ">");
  sar_sdf_put_number(c, "multiplier", f.ratio);
  sar_sdf_put_number(c, "offset", f.offset);
  sar_sdf_put_number(c, "reference", 0);
  sar_text_add(&c->out, "</mimic>");
}

static void put_axis(Convert* c, const char* tag, V3 axis, const Link* l, const LinkDof* d) {
  sar_text_addf(&c->out, "        <%s>", tag);
  sar_sdf_put_vec(c, "xyz", axis);
  if (d && d->dof >= 0) put_laws(c, d);
  if (d) put_mimic(c, l, d);
  sar_text_addf(&c->out, "</%s>\n", tag);
}

static void open_joint(Convert* c, const char* name, const char* type, const char* parent,
                       const char* child) {
  sar_text_add(&c->out, "      <joint");
  sar_xml_put(c, "name", name);
  sar_xml_put(c, "type", type);
  sar_text_add(&c->out, ">\n        ");
  put_text(c, "parent", parent);
  sar_text_add(&c->out, "        ");
  put_text(c, "child", child);
}

static void close_joint(Convert* c) { sar_text_add(&c->out, "      </joint>\n"); }

static const char* type_of(const LinkDof* d) {
  return !d                     ? "fixed"
         : d->kind == DOF_BALL  ? "ball"
         : d->kind == DOF_SLIDE ? "prismatic"
                                : "revolute";
}

static void lose_ball(Convert* c, const LinkDof* d) {
  const SarModel* m = c->model;
  for (int i = d->dof; d->dof >= 0 && i < d->dof + 3; i++)
    if (m->dof_damping[i] != 0 || m->dof_stiffness[i] != 0 || m->dof_friction[i] != 0) {
      sar_lose(c, sar_joint_place(c, d->name),
               "joint '%s': springs, dampers and friction of a ball", d->name);
      return;
    }
}

static bool is_universal(const SarModel* m, const Link* l) {
  return l->ndof == 2 && l->dof[0].joint == l->dof[1].joint &&
         strcmp(m->joint_kind[l->dof[0].joint]->name, "universal") == 0;
}

static void put_universal(Convert* c, const SdfNames* n, const Link* l, const char* parent) {
  const SarModel* m = c->model;
  const char* name = joint_name(c, n->links, sar_text(m, m->joint_name[l->dof[0].joint]));
  sar_sdf_put_link(c, n, l->name, l->X_PL, strcmp(parent, n->world) == 0 ? NULL : parent, l);
  open_joint(c, name, "universal", parent, l->name);
  put_axis(c, "axis", l->dof[0].axis, l, &l->dof[0]);
  put_axis(c, "axis2", l->dof[1].axis, l, &l->dof[1]);
  close_joint(c);
}

static void put_joint(Convert* c, const SdfNames* n, const Link* l, const LinkDof* d,
                      const char* parent, const char* child) {
  const char* name = d ? d->name : sar_text(c->model, c->model->joint_name[l->body]);
  if (d && d->kind == DOF_FREE) return;  // no joint holds it
  open_joint(c, joint_name(c, n->links, name), type_of(d), parent, child);
  if (d && d->kind != DOF_BALL) put_axis(c, "axis", d->axis, l, d);
  if (d && d->kind == DOF_BALL) lose_ball(c, d);
  close_joint(c);
}

void sar_sdf_put_body(Convert* c, const SdfNames* n, const Link* l) {
  const char* parent = l->parent < 0 ? n->world : n->links->items[l->parent].name;
  if (is_universal(c->model, l)) {
    put_universal(c, n, l, parent);
    return;
  }
  Xform X = l->X_PL;
  for (int i = 0; i < l->ndof || i == 0; i++) {
    const bool last = i >= l->ndof - 1;
    const LinkDof* d = l->ndof ? &l->dof[i] : NULL;
    const char* child = last ? l->name : sar_arena_printf(&c->arena, "%s_%s", l->name, d->name);
    if (!child) return;
    sar_sdf_put_link(c, n, child, X, strcmp(parent, n->world) == 0 ? NULL : parent,
                     last ? l : NULL);
    put_joint(c, n, l, d, parent, child);
    parent = child;
    X = x_identity();
  }
}

// ---- loops -----------------------------------------------------------------------------------

static bool is_same(Xform A, Xform B) {
  const M3 R = m3_mul(m3_transpose(A.R), B.R);
  return v3_norm(v3_sub(A.p, B.p)) < 1e-9 && fabs(R.xx + R.yy + R.zz - 3) < 1e-9;
}

// Where links are with all coordinates at 0.
static Xform place_of(const Links* all, const Link* l) {
  Xform X = l->X_PL;
  while (l->parent >= 0) {
    l = &all->items[l->parent];
    X = x_mul(l->X_PL, X);
  }
  return X;
}

void sar_sdf_put_loop(Convert* c, const SdfNames* n, int k) {
  static const char* const kinds[][2] = {{"revolute", "revolute"},
                                         {"prismatic", "prismatic"},
                                         {"spherical", "ball"},
                                         {"fixed", "fixed"},
                                         {"universal", "universal"}};
  const SarModel* m = c->model;
  const SarCut* cut = &m->cut[k];
  const char *name = sar_text(m, cut->name), *type = NULL, *end[2];
  Xform X_L[2], X_G[2];
  for (int i = 0; i < 5; i++)
    if (strcmp(kinds[i][0], cut->kind->name) == 0) type = kinds[i][1];
  for (int i = 0; i < 2; i++) {
    const Link* l = cut->body[i] < 0 ? NULL : &n->links->items[n->links->of_body[cut->body[i]]];
    end[i] = l ? l->name : n->world;
    X_L[i] = l ? x_mul(x_inv(l->X_BL), cut->X_BF[i]) : cut->X_BF[i];
    X_G[i] = l ? x_mul(place_of(n->links, l), X_L[i]) : X_L[i];
  }
  if (!type || !is_same(X_G[0], X_G[1])) {
    sar_lose(c, sar_joint_place(c, name), "joint '%s' (%s), which closes a loop%s", name,
             cut->kind->name, type ? ": its ends do not meet where all coordinates are 0" : "");
    return;
  }
  open_joint(c, joint_name(c, n->links, name), type, end[0], end[1]);
  sar_sdf_put_pose(c, X_L[1], end[1], "        ");
  if (strcmp(type, "universal") == 0) {
    put_axis(c, "axis", v3(1, 0, 0), NULL, NULL);
    put_axis(c, "axis2", v3(0, 1, 0), NULL, NULL);
  } else if (type[0] == 'r' || type[0] == 'p') {
    put_axis(c, "axis", v3(0, 0, 1), NULL, NULL);
  }
  close_joint(c);
  const int joint = sar_cut_joint(m, k);
  if (m->joint_passive[joint])
    sar_lose(c, sar_joint_place(c, name), "joint '%s': springs, dampers and limits of a loop",
             name);
}
