// Sparse tangent of natural coordinates (system.h). Unknowns are ordered item by item: the
// components of an item always come together.
#include "formulations/natural/system.h"

#include "formulations/natural/system_parts.h"
#include "linalg/profile.h"

#include <math.h>
#include <string.h>

static const double GRIP = 1e9;

// ---- analysis, once -----------------------------------------------------------------------------

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

// The bodies that a force moves, two, those of two joints, or those around a network of knots.
static void add_tangent_group(Groups* g, const SarNatural* p, const SarTangentBlock* t) {
  const SarModel* m = p->m;
  if (g->arena->failed) return;
  if (t->source == SAR_TANGENT_NETWORK) {
    const SarNetwork* n = &m->network[t->index];
    for (int k = n->adr; k < n->adr + n->num; k++) add_body(g, p, m->network_force[k].body);
    next_group(g);
    return;
  }
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

// ---- factor -------------------------------------------------------------------------------------

static void add_mass(SarNatSystem* s, const SarNatural* p) {
  for (int k = 0; k < p->nmass; k++) {
    const SarNatMass* M = &p->mass[k];
    const int i = s->place[M->i], j = s->place[M->j];
    for (int c = 0; c < p->dim; c++) *sar_natural_entry(s, i + c, j + c) += M->re;
    if (M->im == 0) continue;
    *sar_natural_entry(s, i, j + 1) -= M->im;
    *sar_natural_entry(s, i + 1, j) += M->im;
  }
}

// What resists a row in each item: the diagonal of T so far, which has motors and stiff springs
// too.
static void find_resistance(SarNatSystem* s, const SarNatural* p) {
  for (int k = 0; k < p->nitem; k++) {
    double most = p->inertia[k];
    for (int c = 0; c < p->dim; c++)
      most = fmax(most, *sar_natural_entry(s, s->place[k] + c, s->place[k] + c));
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
    sar_natural_add_square(s, p->dim, s->weight[k], r->entries, item, f);
  }
}

SarStatus sar_natural_system_factor(SarNatSystem* s, const SarNatural* p, SarData* d,
                                    const SarNatGains* g) {
  const int n = s->T.n;
  if (n == 0) return SAR_OK;
  memset(s->T.value, 0, (s->T.adr[n - 1] + (size_t)n) * sizeof *s->T.value);
  add_mass(s, p);
  sar_natural_add_tangents(s, p, d, g);
  find_resistance(s, p);
  sar_natural_add_holding(s, p, d, g);
  for (int k = 0; k < p->nitem; k++)
    for (int c = 1; c < 3 && p->item[k].mode; c++)  // what no mode has
      *sar_natural_entry(s, s->place[k] + c, s->place[k] + c) = 1;
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
