// Constraints: rows of the joints that close loops, of followers and of the file's constraints.
#include "model/compile/parts.h"

#include <math.h>

// ---- adding ---------------------------------------------------------------------------------

bool sar_add_constraint(Compile* c, Item item, SarConstraintSource source, int index) {
  SarConstraint* owner = SAR_LIST_ADD(&c->arena, &c->constraints);
  Item* place = SAR_LIST_ADD(&c->arena, &c->constraint_items);
  if (!owner || !place) return false;
  *owner = (SarConstraint){.name = sar_intern(c, item.name), .source = source, .index = index};
  owner->row = c->rows.count;
  *place = item;
  c->first_pair = c->pairs.count;
  return true;
}

bool sar_add_row(Compile* c, double constant) {
  SarRow* row = SAR_LIST_ADD(&c->arena, &c->rows);
  if (!row) return false;
  *row = (SarRow){
      .constraint = c->constraints.count - 1, .constant = constant, .slot = -1, .roller = -1};
  return true;
}

static bool same_point(V3 a, V3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

int sar_add_pair(Compile* c, int body_a, V3 point_a, int body_b, V3 point_b) {
  for (int i = c->first_pair; i < c->pairs.count; i++) {
    const SarPair* p = &c->pairs.items[i];
    if (p->body[0] == body_a && p->body[1] == body_b && same_point(p->point[0], point_a) &&
        same_point(p->point[1], point_b))
      return i;
  }
  SarPair* p = SAR_LIST_ADD(&c->arena, &c->pairs);
  if (!p) return -1;
  *p = (SarPair){.body = {body_a, body_b}, .point = {point_a, point_b}, .adr = c->pair_dofs.count};
  p->a_first = body_a < body_b;
  if (!sar_add_between(c, &c->pair_dofs, body_a, body_b, &p->num_first)) return -1;
  p->num = c->pair_dofs.count - p->adr;
  return c->pairs.count - 1;
}

SarTerm* sar_add_term(Compile* c, SarTermKind kind, int pair, double coefficient) {
  SarTerm* t = SAR_LIST_ADD(&c->arena, &c->terms);
  if (!t) return NULL;
  *t = (SarTerm){.kind = kind, .row = c->rows.count - 1, .coefficient = coefficient, .pair = pair};
  t->place = t->track = t->roller = t->q = t->dof = t->joint = -1;
  return t;
}

// ---- coordinates of joints ------------------------------------------------------------------

static int tree_of(const Compile* c, int body) { return body < 0 ? GROUND : c->body[body].tree; }

static V3 axis_of(M3 R, char axis) {
  return axis == 'x' ? m3_col_x(R) : axis == 'y' ? m3_col_y(R) : m3_col_z(R);
}

// A coordinate of a joint by the pose of its child seen from its parent.
static bool add_measure(Compile* c, const JointPart* p, int component, double coefficient) {
  const SarCoordinatePattern* how = &p->kind->measure[component];
  const Xform* X_BF = &c->m.joint_X_BF[2 * p->number];
  int a = how->swapped ? 1 : 0, b = 1 - a;
  int pair = sar_add_pair(c, tree_of(c, p->body[a]), X_BF[a].p, tree_of(c, p->body[b]), X_BF[b].p);
  SarTerm* t = pair >= 0 ? sar_add_term(c, how->kind, pair, coefficient) : NULL;
  if (!t) return false;
  t->joint = p->number;
  t->x = axis_of(X_BF[a].R, how->x);
  if (how->kind == SAR_TERM_ALONG) return true;
  t->y = axis_of(X_BF[a].R, how->y);
  t->w = axis_of(X_BF[b].R, how->w);
  t->q = c->m.joint_qadr[p->number] + component;
  return true;
}

// Which coordinate of the tree is coordinate `component` of the file, and with which sign: column
// and entry of d v_file / d v_tree, if that row is a signed unit vector at two positions. -1: it is
// a mixture (a planar joint that is turned round).
static int same_coordinate(const JointPart* p, int component, double* sign) {
  int nv = p->kind->nv, found = -1;
  if (p->kind->nq != nv) return -1;
  *sign = 1;
  if (!p->turned || !p->kind->flip) return component;
  for (int i = 0; i < nv; i++) {
    double q[SAR_JOINT_MAX_NQ] = {0}, v[SAR_JOINT_MAX_NV] = {0};
    double q_file[SAR_JOINT_MAX_NQ], v_0[SAR_JOINT_MAX_NV], v_1[SAR_JOINT_MAX_NV];
    v[i] = 1;
    p->kind->flip(p->param, q, v, q_file, v_0);
    for (int k = 0; k < nv; k++) q[k] = 0.7 + 0.3 * k;
    p->kind->flip(p->param, q, v, q_file, v_1);
    double x = v_0[component];
    if (x != v_1[component] || (x != 0 && x != 1 && x != -1)) return -1;
    if (x != 0 && found >= 0) return -1;
    if (x != 0) found = i, *sign = x;
  }
  return found;
}

bool sar_add_coordinate(Compile* c, int joint, int component, double coefficient) {
  const SarModel* m = &c->m;
  const JointPart* p = &c->joint[joint];
  double sign;
  int own = p->tree >= 0 ? same_coordinate(p, component, &sign) : -1;
  if (own >= 0) {
    SarTerm* t = sar_add_term(c, SAR_TERM_COORDINATE, -1, sign * coefficient);
    if (!t) return false;
    t->q = m->joint_qadr[p->tree] + own;
    t->dof = m->joint_vadr[p->tree] + own;
    return true;
  }
  if (p->kind->measure[component].kind != SAR_TERM_COORDINATE)
    return add_measure(c, p, component, coefficient);
  Item item = c->constraint_items.items[c->constraints.count - 1];
  sar_complain(c, item, item.loc, "rotations in space are not counted by angles",
               "coordinate %d of joint '%s' (%s) cannot be prescribed", component + 1, p->item.name,
               p->kind->name);
  return true;
}

// ---- joints that close loops, followers -----------------------------------------------------

// Axes in the joint frames for the rows. Kinds leave some of them open: all of them without an
// axis, the directions about z with one. If the bodies move in a plane its normal is chosen, so
// that the rows along it are seen to hold by themselves.
static M3 row_axes(const Compile* c, const SarCut* cut) {
  V3 n;
  if (!sar_common_axis(c, cut->body[0], cut->body[1], &n)) return m3_identity();
  n = m3_tmul_v(cut->X_BF[0].R, n);
  if (cut->kind->axes == SAR_AXES_NONE) return m3_frame_z(n);
  if (cut->kind->axes == SAR_AXES_TWO || fabs(n.z) > 1e-10) return m3_identity();
  return m3_from_cols(n, v3(-n.y, n.x, 0), v3(0, 0, 1));
}

static bool add_pattern(Compile* c, const JointPart* p, int pair, M3 axes,
                        const SarRowPattern* how) {
  const SarCut* cut = &c->m.cut[p->cut];
  SarTerm* t = sar_add_row(c, 0) ? sar_add_term(c, how->kind, pair, 1) : NULL;
  if (!t) return false;
  t->x = axis_of(m3_mul(cut->X_BF[0].R, axes), how->axis_a);
  if (how->kind == SAR_TERM_PERPENDICULAR)
    t->w = axis_of(m3_mul(cut->X_BF[1].R, axes), how->axis_b);
  if (how->less_other) {
    SarTerm* other = sar_add_term(c, how->kind, pair, -1);
    if (!other) return false;
    other->x = axis_of(m3_mul(cut->X_BF[0].R, axes), how->axis_b);
    other->w = axis_of(m3_mul(cut->X_BF[1].R, axes), how->axis_a);
  }
  if (!how->less_turn || cut->param[0] == 0) return true;
  return add_measure(c, p, 0, -cut->param[0]);
}

static bool add_cut(Compile* c, const JointPart* p) {
  const SarCut* cut = &c->m.cut[p->cut];
  if (!sar_add_constraint(c, p->item, SAR_FROM_CUT, p->cut)) return false;
  c->constraints.items[c->constraints.count - 1].held = sar_holds_current(&p->spec->gate);
  int pair = sar_add_pair(c, cut->body[0], cut->X_BF[0].p, cut->body[1], cut->X_BF[1].p);
  if (pair < 0) return false;
  const M3 axes = row_axes(c, cut);
  for (int i = 0; i < cut->kind->nrow; i++)
    if (!add_pattern(c, p, pair, axes, &cut->kind->row[i])) return false;
  return true;
}

// q - multiplier q_other - offset
static bool add_follower(Compile* c, int coupling, int joint) {
  const JointPart* p = &c->joint[joint];
  return sar_add_constraint(c, p->item, SAR_FROM_COUPLING, coupling) && sar_add_row(c, p->offset) &&
         sar_add_coordinate(c, joint, 0, 1) && sar_add_coordinate(c, p->mimic, 0, -p->multiplier);
}

bool sar_compile_constraints(Compile* c) {
  SarModel* m = &c->m;
  if (!c->tree_known) return sar_compile_elements(c);
  if (m->ncut == 0 && m->ncoupling == 0 && c->spec->constraints.count == 0) return true;
  if (!sar_compile_samples(c)) return false;
  int* joint = c->joint_by_number = SAR_ARENA_ARRAY(&c->arena, int, m->njoint + 1);
  if (!joint) return false;
  for (int j = 0; j < c->njoint; j++)
    if (c->joint[j].number >= 0) joint[c->joint[j].number] = j;
  for (int k = 0; k < m->ncut; k++)
    if (!add_cut(c, &c->joint[joint[sar_cut_joint(m, k)]])) return false;
  for (int k = 0; k < m->ncoupling; k++)
    if (!add_follower(c, k, joint[m->coupling[k].joint])) return false;
  return sar_compile_elements(c) && sar_compile_rows(c);
}
