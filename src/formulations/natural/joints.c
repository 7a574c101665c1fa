// Equations of joints that sharing does not fulfil, and of the constraints of the file, as products
// of forms. A term between bodies a and b (model/constraint.h), x, y fixed in a, w in b, d from a
// to b:
//
//   x . d          x . w          |d| = sqrt(d . d)          atan2(y . w, x . w)   y . d - g(x . d)
#include "formulations/natural/build.h"

static V3 normal(void) { return v3(0, 0, 1); }

// In a planar model, products with a direction along the normal say nothing.
static bool is_idle(const SarNatural* p, V3 local) {
  return p->dim == 2 && v3_norm(v3_cross(local, normal())) < 1e-9;
}

static SarNatForm axis_form(const Build* b, const Link* l, int end, char axis) {
  return sar_form_direction(b->p, l->part[end], axis_of(l->X_CF[end].R, axis));
}

static SarNatForm gap_form(const Build* b, const Link* l) {
  const SarNatForm q = sar_form_point(b->p, l->part[1], l->X_CF[1].p);
  const SarNatForm p = sar_form_point(b->p, l->part[0], l->X_CF[0].p);
  return sar_form_difference(&q, &p);
}

static int body_of(const Link* l) { return l->body[1] >= 0 ? l->body[1] : l->body[0]; }

// coefficient times a coordinate of the joint, as its kind measures it; false: it has no measure
static bool add_coordinate(Build* b, const Link* l, int component, double coefficient, int q) {
  const SarCoordinatePattern* c = &l->kind->measure[component];
  const int a = c->swapped, o = !c->swapped;
  if (c->kind == SAR_TERM_ALONG) {
    const SarNatForm x = axis_form(b, l, a, c->x), d = gap_form(b, l);
    if (sar_row_term(b, SAR_NAT_PRODUCT, coefficient)) sar_term_product(b, 0, &x, &d);
    return true;
  }
  if (c->kind != SAR_TERM_ANGLE) return false;
  const SarNatForm x = axis_form(b, l, a, c->x), y = axis_form(b, l, a, c->y);
  const SarNatForm w = axis_form(b, l, o, c->w);
  SarNatTerm* t = sar_row_term(b, SAR_NAT_ANGLE, coefficient);
  if (!t) return true;
  t->q = q;
  sar_term_product(b, 0, &x, &w);
  sar_term_product(b, 1, &y, &w);
  return true;
}

// coefficient times the product of an axis of each side
static void add_product(Build* b, const Link* l, char axis_a, char axis_b, double coefficient) {
  const SarNatForm x = axis_form(b, l, 0, axis_a), w = axis_form(b, l, 1, axis_b);
  if (sar_row_term(b, SAR_NAT_PRODUCT, coefficient)) sar_term_product(b, 0, &x, &w);
}

static void joint_row(Build* b, const Link* l, const SarRowPattern* r) {
  const bool along = r->kind == SAR_TERM_ALONG;
  if (along ? l->point : l->axis[r->axis_b - 'x']) return;
  const V3 x_local = axis_of(l->X_CF[0].R, r->axis_a);
  if (is_idle(b->p, x_local)) return;
  if (!along && is_idle(b->p, axis_of(l->X_CF[1].R, r->axis_b))) return;
  const SarNatForm x = axis_form(b, l, 0, r->axis_a);
  const SarNatForm other = along ? gap_form(b, l) : axis_form(b, l, 1, r->axis_b);
  if (!sar_row_begin(b, 0, body_of(l)) || !sar_row_term(b, SAR_NAT_PRODUCT, 1)) return;
  sar_term_product(b, 0, &x, &other);
  if (r->less_other) add_product(b, l, r->axis_b, r->axis_a, -1);
  // screw: less its pitch times the angle, which is its only coordinate
  if (r->less_turn) add_coordinate(b, l, 0, -l->param[0], b->m->joint_qadr[l->joint]);
  sar_row_end(b);
}

void sar_natural_joint_rows(Build* b) {
  for (int i = 0; i < b->nlink && !b->arena->failed; i++)
    for (int k = 0; k < b->link[i].kind->nrow; k++)
      joint_row(b, &b->link[i], &b->link[i].kind->row[k]);
}

// ---- constraints of the file --------------------------------------------------------------------

static SarNatForm body_direction(const SarNatural* p, int body, V3 local) {
  return sar_form_direction(p, part_of(p, body), m3_mul_v(frame_of(p, body).R, local));
}

static SarNatForm body_point(const SarNatural* p, int body, V3 local) {
  return sar_form_point(p, part_of(p, body), x_point(frame_of(p, body), local));
}

static const SarNatTermKind KINDS[] = {[SAR_TERM_ALONG] = SAR_NAT_PRODUCT,
                                       [SAR_TERM_PERPENDICULAR] = SAR_NAT_PRODUCT,
                                       [SAR_TERM_DISTANCE] = SAR_NAT_ROOT,
                                       [SAR_TERM_ANGLE] = SAR_NAT_ANGLE,
                                       [SAR_TERM_CURVE] = SAR_NAT_CURVE};

// The factors of the products of a term, its point and direction on b given; returns how many
// products.
static int term_factors(const SarNatural* p, const SarTerm* t, V3 point_b, V3 w_b,
                        SarNatForm out[4]) {
  const SarPair* pair = &p->m->pair[t->pair];
  const SarNatForm x = body_direction(p, pair->body[0], t->x);
  const SarNatForm y = body_direction(p, pair->body[0], t->y);
  const SarNatForm w = body_direction(p, pair->body[1], w_b);
  const SarNatForm end = body_point(p, pair->body[1], point_b);
  const SarNatForm start = body_point(p, pair->body[0], pair->point[0]);
  const SarNatForm d = sar_form_difference(&end, &start);
  const bool turns = t->kind == SAR_TERM_PERPENDICULAR || t->kind == SAR_TERM_ANGLE;
  out[0] = t->kind == SAR_TERM_DISTANCE ? d : x;
  out[1] = out[3] = turns ? w : d;
  out[2] = y;
  return t->kind == SAR_TERM_ANGLE || t->kind == SAR_TERM_CURVE ? 2 : 1;
}

// Joints that grip where they are found have a frame on b that is known only then.
static bool grips(const SarModel* m, const SarTerm* t) {
  const SarConstraint* c = &m->constraint[m->row[t->row].constraint];
  return c->held && c->source == SAR_FROM_CUT;
}

static void pair_term(Build* b, int source) {
  const SarTerm* t = &b->m->term[source];
  if (t->kind == SAR_TERM_ROLL) {  // no polynomial of points and directions
    const SarConstraint* c = &b->m->constraint[b->m->row[t->row].constraint];
    sar_report(b->err, (SarLoc){0}, "choose another formulation",
               "constraint '%s': natural coordinates do not take rolling", sar_text(b->m, c->name));
    return;
  }
  const SarPair* pair = &b->m->pair[t->pair];
  SarNatForm f[4];
  const int products = term_factors(b->p, t, pair->point[1], t->w, f);
  SarNatTerm* n = sar_row_term(b, KINDS[t->kind], t->coefficient);
  if (!n) return;
  n->q = t->q;
  n->track = t->track;
  if (grips(b->m, t)) {
    n->source = source;
    for (int end = 0; end < 2; end++) sar_row_reserve(b, part_of(b->p, pair->body[end]));
  }
  for (int k = 0; k < products; k++) sar_term_product(b, k, &f[2 * k], &f[2 * k + 1]);
}

// The form anew, for the row that has it.
static void replace_form(SarNatural* p, const SarNatRow* r, int form, const SarNatForm* f) {
  p->form[form] = *f;
  for (int k = 0; k < f->num; k++)
    for (int i = 0; i < r->entries; i++)
      if (p->entry_item[r->entry + i] == f->item[k]) p->form[form].place[k] = i;
}

void sar_natural_regroup(SarNatural* p, const SarData* d) {
  for (int i = 0; i < p->nrow; i++) {
    const SarNatRow* r = &p->row[i];
    for (int k = r->term; k < r->term + r->terms; k++) {
      const SarNatTerm* n = &p->term[k];
      if (n->source < 0) continue;
      const SarTerm* t = &p->m->term[n->source];
      SarNatForm f[4];
      const int products = term_factors(p, t, d->pair_b[t->pair], d->term_w[n->source], f);
      for (int j = 0; j < 2 * products; j++) replace_form(p, r, n->form[j], &f[j]);
    }
  }
}

static const Link* link_of(const Build* b, int joint) {
  for (int i = 0; i < b->nlink; i++)
    if (b->link[i].joint == joint) return &b->link[i];
  return NULL;
}

// A coordinate of a tree joint.
static void coordinate_term(Build* b, const SarTerm* t) {
  const int joint = b->m->dof_body[t->dof];
  const Link* l = link_of(b, joint);
  const int component = t->dof - b->m->joint_vadr[joint];
  if (l && add_coordinate(b, l, component, t->coefficient, t->q)) return;
  sar_report(
      b->err, (SarLoc){0}, "choose another formulation",
      "joint '%s': a constraint acts on a coordinate that natural coordinates cannot measure",
      sar_text(b->m, b->m->joint_name[joint]));
}

static void file_row(Build* b, int row) {
  const SarModel* m = b->m;
  const SarRow* r = &m->row[row];
  int body = -1;
  for (int k = m->row_adr[row]; k < m->row_adr[row + 1]; k++) body = m->dof_body[m->row_dof[k]];
  SarNatRow* n = sar_row_begin(b, r->constant, body);
  if (!n) return;
  n->slot = r->slot;
  n->row = row;
  n->turn = r->turn;
  for (int k = 0; k < m->nterm; k++) {
    if (m->term[k].row != row) continue;
    if (m->term[k].kind == SAR_TERM_COORDINATE)
      coordinate_term(b, &m->term[k]);
    else
      pair_term(b, k);
  }
  sar_row_end(b);
}

void sar_natural_file_rows(Build* b) {
  for (int i = 0; i < b->m->nconstraint && !b->arena->failed; i++) {
    const SarConstraint* c = &b->m->constraint[i];
    // other joints are met above, cut or not
    if (c->source == SAR_FROM_CUT && !sar_natural_is_gated(b->m, c->index)) continue;
    for (int k = c->row; k < c->row + c->rows; k++) file_row(b, k);
  }
}
