// Modal bodies in natural coordinates (model/modal.h). Each node is a part of its own: all mass is
// on nodes, so that mass matrices stay constant. The frame E is a part without mass, and each mode
// a coordinate without: the first component of an item. Rows tie the nodes to both,
//
//   (x_N - x_E) . e_k = r_k(eta)                            r = G (p0 + sum phi_i eta_i + ...)
//   e_a . n_b = Q_ab(eta),  (a, b) = (3, 2), (1, 3), (2, 1)  Q = G exp(theta~) H
//
// e, n: axes of the parts of E and of the node, which lie alike at the design position; G and H
// turn from E to the first, and from the second to E at rest. The left sides are products of forms,
// the right ones a kind of term of their own, with
//
//   d exp(theta~) = exp(theta~) w~,   w = Jr(theta) d theta,   Q'' = G exp(theta~) (w'~ + w~^2) H
#include "formulations/natural/build.h"

static const int ROW[3] = {2, 0, 1}, COLUMN[3] = {1, 2, 0};  // a and b of the products

static double component(V3 v, int k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; }
static V3 unit_axis(int k) { return v3(k == 0, k == 1, k == 2); }

// The body of the last mode, whose frame is E: modes move nothing by themselves.
static int frame_body(const SarModel* m, const SarModalNode* n) { return m->body_parent[n->body]; }

// ---- set-up -------------------------------------------------------------------------------------

void sar_natural_mode_items(Build* b) {
  SarNatural* p = b->p;
  const SarModel* m = b->m;
  p->mode_item = SAR_ARENA_ARRAY(&p->arena, int, m->nv + 1);
  p->mode_q = SAR_ARENA_ARRAY(&p->arena, double, m->nq + 1);
  p->mode_v = SAR_ARENA_ARRAY(&p->arena, double, m->nv + 1);
  p->node = SAR_ARENA_ARRAY(&p->arena, SarNatNode, m->nnode + 1);
  p->node_motion = SAR_ARENA_ARRAY(&p->arena, Motion, m->nnode_mode + 1);
  if (p->arena.failed) return;
  for (int k = 0; k < m->nbody; k++) {
    if (m->joint_class[k] != SAR_CLASS_MODE) continue;
    p->mode_item[m->joint_vadr[k]] = p->nitem;
    p->item[p->nitem++] = (SarNatItem){.part = p->body_part[k], .body = k, .mode = true};
  }
}

// The right side of a row, which has its left side.
static void add_deformation(Build* b, int node, int which) {
  const SarModalNode* n = &b->m->node[node];
  SarNatTerm* t = sar_row_term(b, SAR_NAT_DEFORMATION, -1);
  if (!t) return;
  t->node = node;
  t->component = which;
  for (int i = 0; i < n->num; i++) {
    const int place = sar_row_place(b, b->p->mode_item[n->dof + i]);
    if (i == 0) t->place = place;  // the others follow: no form has them
  }
}

static void add_row(Build* b, int node, int which, const SarNatForm* f, const SarNatForm* g) {
  if (!sar_row_begin(b, 0, b->m->node[node].body) || !sar_row_term(b, SAR_NAT_PRODUCT, 1)) return;
  sar_term_product(b, 0, f, g);
  add_deformation(b, node, which);
  sar_row_end(b);
}

void sar_natural_node_rows(Build* b) {
  SarNatural* p = b->p;
  const SarModel* m = b->m;
  for (int k = 0; k < m->nnode && !b->arena->failed; k++) {
    const SarModalNode* n = &m->node[k];
    const int frame = frame_body(m, n), part = part_of(p, frame), own = part_of(p, n->body);
    const Xform X_CE = frame_of(p, frame), X_CN = frame_of(p, n->body);
    p->node[k].G = X_CE.R;
    p->node[k].H = m3_mul(m->body_X_PF[n->body].R, m3_transpose(X_CN.R));
    const SarNatForm at = sar_form_point(p, own, X_CN.p), from = sar_form_point(p, part, X_CE.p);
    const SarNatForm gap = sar_form_difference(&at, &from);
    for (int i = 0; i < 3; i++) {
      const SarNatForm e = sar_form_direction(p, part, unit_axis(i));
      add_row(b, k, i, &gap, &e);
    }
    for (int i = 0; i < 3; i++) {
      const SarNatForm e = sar_form_direction(p, part, unit_axis(ROW[i]));
      const SarNatForm w = sar_form_direction(p, own, unit_axis(COLUMN[i]));
      add_row(b, k, 3 + i, &e, &w);
    }
  }
}

// What nodes have on the frame, for its items, and on the modes: they have none of their own.
Inertia sar_natural_nodes_inertia(const Build* b, int part) {
  const SarModel* m = b->m;
  Inertia sum = inertia_zero();
  for (int k = 0; k < m->nnode; k++) {
    const SarModalNode* n = &m->node[k];
    const int frame = frame_body(m, n);
    if (part_of(b->p, frame) != part) continue;
    const Xform X = x_mul(frame_of(b->p, frame), m->body_X_PF[n->body]);
    sum = inertia_add(sum, inertia_transform(X, m->body_inertia[n->body]));
  }
  return sum;
}

void sar_natural_mode_scales(Build* b) {
  const SarModel* m = b->m;
  for (int k = 0; k < m->nnode; k++) {
    const SarModalNode* n = &m->node[k];
    const Inertia* I = &m->body_inertia[n->body];
    for (int i = 0; i < n->num; i++) {
      const Motion s = m->node_mode[n->mode + i];
      b->p->inertia[b->p->mode_item[n->dof + i]] +=
          I->m * v3_dot(s.v, s.v) + (I->I.xx + I->I.yy + I->I.zz) / 3 * v3_dot(s.w, s.w);
    }
  }
}

double sar_natural_mode_unit(const SarNatural* p, int item) {
  const SarModel* m = p->m;
  double most = 0;
  for (int k = 0; k < m->nnode; k++)
    for (int i = 0; i < m->node[k].num; i++)
      if (p->mode_item[m->node[k].dof + i] == item)
        most = fmax(most, v3_norm(m->node_mode[m->node[k].mode + i].v));
  return most > 0 ? 1 / most : 1;
}

// ---- values -------------------------------------------------------------------------------------

// sum b_ij y_j
static V3 bend_along(const SarModel* m, const SarModalNode* n, int i, const double* y) {
  V3 sum = v3_zero();
  for (int j = 0; n->bend >= 0 && j < n->num; j++)
    sum = v3_axpy(y[j], m->node_bend[n->bend + sar_pair(i, j)], sum);
  return sum;
}

static V3 turn_of(const SarModel* m, const SarModalNode* n, const double* y) {
  V3 sum = v3_zero();
  for (int i = 0; i < n->num; i++) sum = v3_axpy(y[i], m->node_mode[n->mode + i].w, sum);
  return sum;
}

void sar_natural_deform(SarNatural* p, const V3* x) {
  const SarModel* m = p->m;
  for (int i = 0; i < p->nitem; i++)
    if (p->item[i].mode) p->mode_q[m->joint_qadr[p->item[i].body]] = x[i].x;
  for (int k = 0; k < m->nnode; k++) {
    const SarModalNode* n = &m->node[k];
    const double* eta = &p->mode_q[n->q];
    SarNatNode* to = &p->node[k];
    const Xform X = sar_node_pose(m, n, p->mode_q);
    to->E = m3_mul(to->G, m3_mul(X.R, m3_transpose(m->body_X_PF[n->body].R)));
    to->r = m3_mul_v(to->G, X.p);
    to->theta = turn_of(m, n, eta);
    const TurnCoefficients c = turn_coefficients(v3_dot(to->theta, to->theta));
    for (int i = 0; i < n->num; i++) {
      const Motion s = m->node_mode[n->mode + i];
      p->node_motion[n->mode + i] = (Motion){
          turn_rate(&c, to->theta, s.w), m3_mul_v(to->G, v3_add(s.v, bend_along(m, n, i, eta)))};
    }
  }
}

// Row a of E and column b of H.
static void axes_of(const SarNatNode* n, int which, V3* e, V3* h) {
  *e = m3_tmul_v(n->E, unit_axis(ROW[which - 3]));
  *h = m3_mul_v(n->H, unit_axis(COLUMN[which - 3]));
}

double sar_natural_deformation(const SarNatural* p, const SarNatTerm* t, V3* entry) {
  const SarModalNode* n = &p->m->node[t->node];
  const SarNatNode* at = &p->node[t->node];
  const Motion* s = &p->node_motion[n->mode];
  V3* to = &entry[t->place];
  if (t->component < 3) {
    for (int i = 0; i < n->num; i++) to[i].x += t->coefficient * component(s[i].v, t->component);
    return t->coefficient * component(at->r, t->component);
  }
  V3 e, h;
  axes_of(at, t->component, &e, &h);
  for (int i = 0; i < n->num; i++) to[i].x += t->coefficient * v3_dot(e, v3_cross(s[i].w, h));
  return t->coefficient * v3_dot(e, h);
}

double sar_natural_deformation_bias(SarNatural* p, const SarNatTerm* t, const V3* v) {
  const SarModel* m = p->m;
  const SarModalNode* n = &m->node[t->node];
  const SarNatNode* at = &p->node[t->node];
  const Motion* s = &p->node_motion[n->mode];
  double* rate = &p->mode_v[n->dof];
  V3 w = v3_zero(), bent = v3_zero(), e, h;
  for (int i = 0; i < n->num; i++) rate[i] = v[p->mode_item[n->dof + i]].x;
  if (t->component < 3) {
    for (int i = 0; i < n->num; i++) bent = v3_axpy(rate[i], bend_along(m, n, i, rate), bent);
    return component(m3_mul_v(at->G, bent), t->component);
  }
  for (int i = 0; i < n->num; i++) w = v3_axpy(rate[i], s[i].w, w);
  const V3 u = turn_of(m, n, rate);
  const TurnCoefficients c = turn_coefficients(v3_dot(at->theta, at->theta));
  axes_of(at, t->component, &e, &h);
  const V3 slope = v3_cross(turn_slope(&c, at->theta, u, u), h);
  return v3_dot(e, v3_add_cross(slope, w, v3_cross(w, h)));
}
