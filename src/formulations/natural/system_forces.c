// Forces in the tangent of natural coordinates (system.h): their K and C, element by element, joint
// by joint and network of knots by network.
#include "dynamics/applied.h"
#include "dynamics/knots.h"
#include "dynamics/tangents.h"
#include "dynamics/tree.h"
#include "formulations/natural/system_parts.h"

void sar_natural_add_square(SarNatSystem* s, int dim, double w, int num, const int* item,
                            const V3* f) {
  for (int a = 0; a < num; a++) {
    const int i = s->place[item[a]];
    const double fa[3] = {w * f[a].x, w * f[a].y, w * f[a].z};
    for (int b = 0; b <= a; b++) {
      const int j = s->place[item[b]];
      const double fb[3] = {f[b].x, f[b].y, f[b].z};
      // one triangle of the matrix: all of an off-diagonal block, half of a diagonal one
      for (int r = 0; r < dim; r++) {
        const int last = a == b ? r + 1 : dim;
        for (int c = 0; c < last; c++) *sar_natural_entry(s, i + r, j + c) += fa[r] * fb[c];
      }
    }
  }
}

// What a wrench F at the ground point `at` on body b, and its opposite on body a, do to the items.
static int pair_row(const SarNatural* p, const int body[2], V3 at, Force F, int* item, V3* f) {
  int n = 0;
  for (int end = 0; end < 2; end++) {
    if (body[end] < 0) continue;
    const V3 lever = v3_sub(at, sar_natural_pose(p, body[end]).p);
    Force G = {v3_add_cross(F.n, lever, F.f), F.f};
    if (end == 0) G = force_neg(G);
    int own[SAR_NAT_ITEMS];
    V3 g[SAR_NAT_ITEMS];
    const int num = sar_natural_wrench(p, body[end], G, own, g);
    for (int k = 0; k < num; k++) {
      int to = 0;
      while (to < n && item[to] != own[k]) to++;
      if (to == n) item[n] = own[k], f[n++] = v3_zero();
      f[to] = v3_add(f[to], g[k]);
    }
  }
  return n;
}

// What a force or moment does to the items of bodies.
typedef struct Row {
  int num, item[SAR_NAT_ITEMS];
  V3 f[SAR_NAT_ITEMS];
} Row;

// T += k a b', the part in the lower triangle
static void add_product(SarNatSystem* s, const SarNatural* p, double k, const Row* a,
                        const Row* b) {
  for (int i = 0; i < a->num; i++)
    for (int j = 0; j < b->num; j++) {
      const int row = s->place[a->item[i]], column = s->place[b->item[j]];
      const double fa[3] = {k * a->f[i].x, k * a->f[i].y, k * a->f[i].z};
      const double fb[3] = {b->f[j].x, b->f[j].y, b->f[j].z};
      for (int r = 0; r < p->dim; r++)
        for (int c = 0; c < p->dim; c++)
          if (row + r >= column + c) *sar_natural_entry(s, row + r, column + c) += fa[r] * fb[c];
    }
}

static V3 ground_axis(const SarNatural* p, int axis) {
  return m3_mul_v(p->R_NG, v3(axis == 0, axis == 1, axis == 2));
}

// T += sum_ij B_i' k_ij B_j for the six motions of a pair, k = gain_K K + gain_C C
static void add_pair_tangent(SarNatSystem* s, const SarNatural* p, const SarBodyTangent* t,
                             const SarNatGains* g) {
  Row row[6];
  const V3 at = m3_mul_v(p->R_NG, t->p), none = v3_zero();
  for (int i = 0; i < 6; i++) {
    const V3 e = ground_axis(p, i % 3);
    const Force F = i < 3 ? (Force){e, none} : (Force){none, e};
    row[i].num = pair_row(p, t->body, at, F, row[i].item, row[i].f);
  }
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      const double k = g->K * t->K[6 * i + j] + g->C * t->C[6 * i + j];
      if (k != 0) add_product(s, p, k, &row[i], &row[j]);
    }
}

// What unit forces along the ground axes do to the body at the end of a force of a network.
static void end_rows(const SarNatural* p, const SarData* d, int force, Row row[3]) {
  const int body[2] = {-1, p->m->network_force[force].body};
  const V3 at = m3_mul_v(p->R_NG, d->network_work[force].p), none = v3_zero();
  for (int i = 0; i < 3; i++) {
    const Force F = {none, ground_axis(p, i)};
    row[i].num = pair_row(p, body, at, F, row[i].item, row[i].f);
  }
}

// T += sum_ab B_a' k_ab B_b over the ends a, b of forces between bodies and knots, in three
// directions each
static void add_network_tangent(SarNatSystem* s, const SarNatural* p, SarData* d, int network,
                                const SarNatGains* g) {
  const SarModel* m = p->m;
  const SarNetwork* n = &m->network[network];
  V3* r = d->network_motion;
  sar_update_network(m, d, network);
  for (int k = 0; k < n->num; k++) d->network_work[n->adr + k].u = v3_zero();
  for (int k = 0; k < 3 * n->num; k++) {
    SarNetworkWork* w = &d->network_work[n->adr + k / 3];
    if (m->network_force[n->adr + k / 3].body < 0) continue;
    w->u = v3(k % 3 == 0, k % 3 == 1, k % 3 == 2);
    sar_network_motion(m, d, network, r + k * n->num);
    w->u = v3_zero();
  }
  for (int a = 0; a < n->num; a++) {
    Row row_a[3], row_b[3];
    if (m->network_force[n->adr + a].body < 0) continue;
    end_rows(p, d, n->adr + a, row_a);
    for (int b = 0; b < n->num; b++) {
      if (m->network_force[n->adr + b].body < 0) continue;
      end_rows(p, d, n->adr + b, row_b);
      for (int i = 0; i < 9; i++) {
        const V3 *r_a = r + (3 * a + i / 3) * n->num, *r_b = r + (3 * b + i % 3) * n->num;
        add_product(s, p, sar_network_product(m, d, network, g->K, g->C, r_a, r_b), &row_a[i / 3],
                    &row_b[i % 3]);
      }
    }
  }
}

// T += (gain_K k + gain_C c) r r', r the row of g . (q_0, q_1) over the items of both joints
static void add_coupled_tangent(SarNatSystem* s, const SarNatural* p, SarData* d, int force,
                                const SarNatGains* g) {
  SarCoupledTangent c;
  int joint[2], item[2 * SAR_NAT_ITEMS], n = 0;
  V3 f[2 * SAR_NAT_ITEMS];
  if (!sar_force_coupled_tangent(p->m, d, force, joint, &c)) return;
  for (int k = 0; k < 2; k++) {
    int own[SAR_NAT_ITEMS];
    V3 row[SAR_NAT_ITEMS];
    const int num = sar_natural_joint_row(p, d, joint[k], &c.g[k], own, row);
    for (int i = 0; i < num; i++) {
      int to = 0;
      while (to < n && item[to] != own[i]) to++;
      if (to == n) item[n] = own[i], f[n++] = v3_zero();
      f[to] = v3_add(f[to], row[i]);
    }
  }
  sar_natural_add_square(s, p->dim, g->K * c.k + g->C * c.c, n, item, f);
}

static bool is_mode(const SarModel* m, int joint) {
  return joint < m->nbody && m->joint_class[joint] == SAR_CLASS_MODE;
}

// T += gain_K k + gain_C c of the spring and damper of a mode
static void add_mode_tangent(SarNatSystem* s, const SarNatural* p, SarData* d, int joint,
                             const SarNatGains* g) {
  double K[SAR_JOINT_MAX_NV * SAR_JOINT_MAX_NV], C[SAR_JOINT_MAX_NV * SAR_JOINT_MAX_NV];
  const int at = s->place[p->mode_item[p->m->joint_vadr[joint]]];
  sar_joint_tangent(p->m, d, joint, K, C);
  *sar_natural_entry(s, at, at) += g->K * K[0] + g->C * C[0];
}

void sar_natural_add_tangents(SarNatSystem* s, const SarNatural* p, SarData* d,
                              const SarNatGains* g) {
  const SarModel* m = p->m;
  if (m->ntangent > 0) sar_update_world(m, d);
  for (int k = 0; k < m->ntangent; k++) {
    const SarTangentBlock* b = &m->tangent[k];
    SarBodyTangent t;
    if (b->source == SAR_TANGENT_JOINT && is_mode(m, b->index)) {
      add_mode_tangent(s, p, d, b->index, g);
      continue;
    }
    if (b->source == SAR_TANGENT_COUPLED) add_coupled_tangent(s, p, d, b->index, g);
    if (b->source == SAR_TANGENT_NETWORK) {
      add_network_tangent(s, p, d, b->index, g);
      continue;
    }
    if (b->source == SAR_TANGENT_JOINT ? sar_joint_body_tangent(m, d, b->index, &t)
                                       : sar_force_body_tangent(m, d, b->index, &t))
      add_pair_tangent(s, p, &t, g);
  }
  for (int i = 0; i < m->nv; i++) {
    if (m->dof_armature[i] == 0) continue;
    const int joint = m->dof_body[i];
    double tau[SAR_JOINT_MAX_NV] = {0};
    int item[SAR_NAT_ITEMS];
    V3 f[SAR_NAT_ITEMS];
    tau[i - m->joint_vadr[joint]] = 1;
    const int n = sar_natural_joint_row(p, d, joint, tau, item, f);
    sar_natural_add_square(s, p->dim, m->dof_armature[i], n, item, f);
  }
}

void sar_natural_add_holding(SarNatSystem* s, const SarNatural* p, SarData* d,
                             const SarNatGains* g) {
  const SarModel* m = p->m;
  SarBodyTangent t;
  for (int k = 0; k < m->ntangent; k++)
    if (m->tangent[k].source == SAR_TANGENT_JOINT &&
        sar_joint_stick_tangent(m, d, m->tangent[k].index, &t))
      add_pair_tangent(s, p, &t, g);
}
