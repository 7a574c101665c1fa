// Sparse tangent of natural coordinates (system.h). Unknowns are ordered item by item: the components of
// an item always come together.
#include "formulations/natural/system.h"

#include "dynamics/tangents.h"
#include "dynamics/tree.h"
#include "linalg/profile.h"

#include <math.h>
#include <string.h>

static const double GRIP = 1e9;

// ---- analysis, once ------------------------------------------------------------------------------

typedef struct Groups {
  SarArena* arena;
  SAR_LIST(int) adr, member;
} Groups;

static void add_member(Groups* g, int item) {
  for (int k = g->adr.items[g->adr.count - 1]; k < g->member.count; k++)
    if (g->member.items[k] == item) return;
  int* to = SAR_LIST_ADD(g->arena, &g->member);
  if (to) *to = item;
}

static void add_part(Groups* g, const SarNatPart* part) {
  for (int s = 0; s < 4; s++)
    for (int k = 0; k < part->y[s].num; k++) add_member(g, part->y[s].item[k]);
}

// The next group begins.
static bool next_group(Groups* g) {
  int* adr = SAR_LIST_ADD(g->arena, &g->adr);
  if (adr) *adr = g->member.count;
  return adr != NULL;
}

static void add_body(Groups* g, const SarNatural* p, int body) {
  if (body >= 0 && !g->arena->failed) add_part(g, &p->part[p->body_part[body]]);
}

static void add_pair(Groups* g, const SarNatural* p, int a, int b) {
  if (g->arena->failed) return;
  add_body(g, p, a);
  add_body(g, p, b);
  next_group(g);
}

// The bodies that a force moves, two, or those of two joints.
static void add_tangent_group(Groups* g, const SarNatural* p, const SarTangentBlock* t) {
  const SarModel* m = p->m;
  if (g->arena->failed) return;
  for (int k = 0; k < 2; k++) {
    const bool coupled = t->source == SAR_TANGENT_COUPLED;
    const int joint = coupled ? m->dof_body[m->tangent_dof[t->adr + k]] : -1;
    add_body(g, p, coupled ? joint : t->body[k]);
    if (coupled) add_body(g, p, m->body_parent[joint]);
  }
  next_group(g);
}

static bool has_motor(const SarModel* m, int joint) {
  for (int i = 0; i < m->joint_nv[joint]; i++)
    if (m->dof_armature[m->joint_vadr[joint] + i] != 0) return true;
  return false;
}

// What T is full on: parts (masses), rows, pairs of bodies with a force or motor between them.
static void collect(Groups* g, const SarNatural* p) {
  const SarModel* m = p->m;
  if (!next_group(g)) return;
  for (int b = 0; b < m->nbody; b++) add_pair(g, p, b, -1);
  for (int i = 0; i < p->nrow && !g->arena->failed; i++) {
    const SarNatRow* r = &p->row[i];
    for (int k = 0; k < r->entries; k++) add_member(g, p->entry_item[r->entry + k]);
    next_group(g);
  }
  for (int k = 0; k < m->ntangent; k++) add_tangent_group(g, p, &m->tangent[k]);
  for (int b = 0; b < m->nbody; b++)
    if (has_motor(m, b)) add_pair(g, p, b, m->body_parent[b]);
}

static void lay_out(SarNatSystem* s, SarNatural* p, const SarGroups* g, int* first) {
  const int dim = p->dim, n = dim * p->nitem;
  for (int i = 0; i < p->nitem; i++) first[s->place[i]] = s->place[i];
  for (int c = 0; c < g->ngroup; c++) {
    int least = p->nitem;
    for (int k = g->adr[c]; k < g->adr[c + 1]; k++)
      if (s->place[g->member[k]] < least) least = s->place[g->member[k]];
    for (int k = g->adr[c]; k < g->adr[c + 1]; k++)
      if (least < first[s->place[g->member[k]]]) first[s->place[g->member[k]]] = least;
  }
  for (int i = 0; i < p->nitem; i++) s->place[i] *= dim;
  size_t before = 0;
  for (int i = 0; i < n; i++) {
    s->T.first[i] = dim * first[i / dim];
    s->T.adr[i] = before - (size_t)s->T.first[i];
    before += (size_t)(i - s->T.first[i] + 1);
  }
  s->T.n = n;
  s->T.value = SAR_ARENA_ARRAY(&p->arena, double, before + 1);
}

SarStatus sar_natural_system_init(SarNatSystem* s, SarNatural* p) {
  SarArena scratch;
  sar_arena_beside(&scratch, &p->arena);
  Groups g = {.arena = &scratch};
  const size_t n = (size_t)(p->dim * p->nitem);
  s->place = SAR_ARENA_ARRAY(&p->arena, int, p->nitem + 1);
  s->weight = SAR_ARENA_ARRAY(&p->arena, double, p->nrow + 1);
  s->resistance = SAR_ARENA_ARRAY(&p->arena, double, p->nitem + 1);
  s->scaled = SAR_ARENA_ARRAY(&p->arena, V3, p->nentry + 1);
  s->x = SAR_ARENA_ARRAY(&p->arena, double, n + 1);
  s->T.first = SAR_ARENA_ARRAY(&p->arena, int, n + 1);
  s->T.adr = SAR_ARENA_ARRAY(&p->arena, size_t, n + 1);
  s->T.inverse = SAR_ARENA_ARRAY(&p->arena, double, n + 1);
  int* first = SAR_ARENA_ARRAY(&scratch, int, p->nitem + 1);
  if (!p->arena.failed && !scratch.failed) collect(&g, p);
  if (!p->arena.failed && !scratch.failed) {
    const SarGroups groups = {p->nitem, g.adr.count - 1, g.adr.items, g.member.items};
    if (sar_profile_order(&groups, &scratch, s->place)) lay_out(s, p, &groups, first);
  }
  const bool failed = p->arena.failed || scratch.failed;
  sar_arena_free(&scratch);
  return failed ? SAR_NO_MEMORY : SAR_OK;
}

// ---- factor --------------------------------------------------------------------------------------

static inline double* entry(SarNatSystem* s, int i, int j) {  // i, j: rows of T
  return &s->T.value[i > j ? s->T.adr[i] + (size_t)j : s->T.adr[j] + (size_t)i];
}

static void add_mass(SarNatSystem* s, const SarNatural* p) {
  for (int k = 0; k < p->nmass; k++) {
    const SarNatMass* M = &p->mass[k];
    const int i = s->place[M->i], j = s->place[M->j];
    for (int c = 0; c < p->dim; c++) *entry(s, i + c, j + c) += M->re;
    if (M->im == 0) continue;
    *entry(s, i, j + 1) -= M->im;
    *entry(s, i + 1, j) += M->im;
  }
}

// T += w sum f_a f_b' over the items of one row
static void add_square(SarNatSystem* s, int dim, double w, int num, const int* item, const V3* f) {
  for (int a = 0; a < num; a++) {
    const int i = s->place[item[a]];
    const double fa[3] = {w * f[a].x, w * f[a].y, w * f[a].z};
    for (int b = 0; b <= a; b++) {
      const int j = s->place[item[b]];
      const double fb[3] = {f[b].x, f[b].y, f[b].z};
      // one triangle of the matrix: all of an off-diagonal block, half of a diagonal one
      for (int r = 0; r < dim; r++) {
        const int last = a == b ? r + 1 : dim;
        for (int c = 0; c < last; c++) *entry(s, i + r, j + c) += fa[r] * fb[c];
      }
    }
  }
}

// What resists a row in each item: the diagonal of T so far, which has motors and stiff springs too.
static void find_resistance(SarNatSystem* s, const SarNatural* p) {
  for (int k = 0; k < p->nitem; k++) {
    double most = p->inertia[k];
    for (int c = 0; c < p->dim; c++) most = fmax(most, *entry(s, s->place[k] + c, s->place[k] + c));
    s->resistance[k] = most;
  }
}

static void add_rows(SarNatSystem* s, const SarNatural* p, const SarNatGains* g) {
  for (int k = 0; k < p->nrow; k++) {
    const SarNatRow* r = &p->row[k];
    const int* item = &p->entry_item[r->entry];
    const V3* f = &p->entry[r->entry];
    double sum = 0;
    for (int i = 0; i < r->entries; i++) sum += v3_dot(f[i], f[i]) / s->resistance[item[i]];
    s->weight[k] = g->penalty > 0 ? g->penalty * g->K : sum > 0 ? GRIP / sum : 0;
    for (int i = 0; i < r->entries; i++) s->scaled[r->entry + i] = v3_scale(s->weight[k], f[i]);
    add_square(s, p->dim, s->weight[k], r->entries, item, f);
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

// T += sum_ij B_i' k_ij B_j for the six motions of a pair, k = gain_K K + gain_C C
static void add_pair_tangent(SarNatSystem* s, const SarNatural* p, const SarBodyTangent* t,
                             const SarNatGains* g) {
  int item[6][SAR_NAT_ITEMS], num[6];
  V3 f[6][SAR_NAT_ITEMS];
  const V3 at = m3_mul_v(p->R_NG, t->p), none = v3_zero();
  for (int i = 0; i < 6; i++) {
    const int axis = i % 3;
    const V3 e = m3_mul_v(p->R_NG, v3(axis == 0, axis == 1, axis == 2));
    num[i] = pair_row(p, t->body, at, i < 3 ? (Force){e, none} : (Force){none, e}, item[i], f[i]);
  }
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      const double k = g->K * t->K[6 * i + j] + g->C * t->C[6 * i + j];
      if (k == 0) continue;
      for (int a = 0; a < num[i]; a++)
        for (int b = 0; b < num[j]; b++) {
          const int row = s->place[item[i][a]], column = s->place[item[j][b]];
          const double fa[3] = {k * f[i][a].x, k * f[i][a].y, k * f[i][a].z};
          const double fb[3] = {f[j][b].x, f[j][b].y, f[j][b].z};
          for (int r = 0; r < p->dim; r++)
            for (int c = 0; c < p->dim; c++)
              if (row + r >= column + c) *entry(s, row + r, column + c) += fa[r] * fb[c];
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
  add_square(s, p->dim, g->K * c.k + g->C * c.c, n, item, f);
}

static void add_forces(SarNatSystem* s, const SarNatural* p, SarData* d, const SarNatGains* g) {
  const SarModel* m = p->m;
  if (m->ntangent > 0) sar_update_world(m, d);
  for (int k = 0; k < m->ntangent; k++) {
    const SarTangentBlock* b = &m->tangent[k];
    SarBodyTangent t;
    if (b->source == SAR_TANGENT_COUPLED) add_coupled_tangent(s, p, d, b->index, g);
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
    add_square(s, p->dim, m->dof_armature[i], n, item, f);
  }
}

// Friction that holds joints. No row works against it: rows as much stronger than it as they are than inertia would
// leave nothing of the masses in double precision, and T would not be definite.
static void add_holding(SarNatSystem* s, const SarNatural* p, SarData* d, const SarNatGains* g) {
  const SarModel* m = p->m;
  SarBodyTangent t;
  for (int k = 0; k < m->ntangent; k++)
    if (m->tangent[k].source == SAR_TANGENT_JOINT &&
        sar_joint_stick_tangent(m, d, m->tangent[k].index, &t))
      add_pair_tangent(s, p, &t, g);
}

SarStatus sar_natural_system_factor(SarNatSystem* s, const SarNatural* p, SarData* d,
                                    const SarNatGains* g) {
  const int n = s->T.n;
  if (n == 0) return SAR_OK;
  memset(s->T.value, 0, (s->T.adr[n - 1] + (size_t)n) * sizeof *s->T.value);
  add_mass(s, p);
  add_forces(s, p, d, g);
  find_resistance(s, p);
  add_holding(s, p, d, g);
  add_rows(s, p, g);
  if (sar_envelope_factor(&s->T)) return SAR_OK;
  for (int k = 0; k < p->nrow; k++)
    if (!isfinite(s->weight[k])) return SAR_NOT_FINITE;
  return SAR_SINGULAR;
}

void sar_natural_system_solve(SarNatSystem* s, const SarNatural* p, V3* f) {
  for (int k = 0; k < p->nitem; k++) {
    double* x = &s->x[s->place[k]];
    x[0] = f[k].x, x[1] = f[k].y;
    if (p->dim == 3) x[2] = f[k].z;
  }
  sar_envelope_solve(&s->T, s->x);
  for (int k = 0; k < p->nitem; k++) {
    const double* x = &s->x[s->place[k]];
    f[k] = v3(x[0], x[1], p->dim == 3 ? x[2] : 0);
  }
}

void sar_natural_system_correct(SarNatSystem* s, const SarNatural* p, const double* e, V3* f) {
  memset(f, 0, (size_t)p->nitem * sizeof *f);
  for (int k = 0; k < p->nrow; k++) {
    const SarNatRow* r = &p->row[k];
    for (int i = r->entry; i < r->entry + r->entries; i++) {
      V3* to = &f[p->entry_item[i]];
      *to = v3_axpy(-e[k], s->scaled[i], *to);
    }
  }
  sar_natural_system_solve(s, p, f);
}
