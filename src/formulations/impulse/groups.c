// Trees that bilateral (held) rows and forces between branches couple, as groups: the connected
// components of the constraint graph (islands, without regard to contacts); and the memory for them
// (held.h).
#include "base/block.h"
#include "formulations/impulse/flight.h"
#include "formulations/impulse/held.h"

#include <math.h>

// ---- memory -------------------------------------------------------------------------------------

static size_t block_entries(const SarModel* m) {
  int most = 0;
  for (int k = 0; k < m->ntangent; k++) most = m->tangent[k].num > most ? m->tangent[k].num : most;
  return (size_t)most * (size_t)(most + 1) / 2;
}

// ---- groups -------------------------------------------------------------------------------------

static int root_of(const SarModel* m, int dof) {
  while (m->dof_parent[dof] >= 0) dof = m->dof_parent[dof];
  return dof;
}

// The largest tree, or all between the first and the last tree that rows couple.
int sar_held_widest(const SarModel* m, bool direct) {
  int widest = 0, low = m->nv, high = 0;
  for (int i = 0, first = 0; i < m->nv; i++) {
    if (m->dof_parent[i] < 0) first = i;
    if (i - first + 1 > widest) widest = i - first + 1;
  }
  for (int k = 0; direct && k < m->nrow_dof; k++) {
    const int root = root_of(m, m->row_dof[k]);
    if (root < low) low = root;
    if (root + widest > high) high = root + widest;
  }
  int first, end;
  if (sar_coupled_reach(m, &first, &end)) {
    if (first < low) low = first;
    if (end > high) high = end;
  }
  const int coupled = high < m->nv ? high - low : m->nv - low;
  return coupled > widest ? coupled : widest;
}

static void relabel(SarHeld* p, int nv, int from, int to) {
  for (int i = 0; i < nv; i++)
    if (p->group_of[i] == from) p->group_of[i] = to;
}

// Coordinates that a row or a force couples belong together, and so do those of one tree.
static void join_coupled(SarHeld* p, const SarModel* m) {
  for (int i = 0; i < m->nv; i++) p->group_of[i] = root_of(m, i);
  for (int r = 0; p->direct && r < m->nrow; r++)
    for (int k = m->row_adr[r] + 1; k < m->row_adr[r + 1]; k++)
      relabel(p, m->nv, p->group_of[m->row_dof[k]], p->group_of[m->row_dof[m->row_adr[r]]]);
  for (int i = 0; i < p->coupled.count; i++) {
    const SarTangentBlock* t = &m->tangent[p->coupled.tangent[i]];
    for (int k = 1; k < t->num; k++)
      relabel(p, m->nv, p->group_of[m->tangent_dof[t->adr + k]],
              p->group_of[m->tangent_dof[t->adr]]);
  }
  // what lies between the coordinates of a group belongs to it: a group is a range
  for (int i = 0; i < m->nv; i++) {
    int last = i;
    for (int k = i; k < m->nv; k++)
      if (p->group_of[k] == p->group_of[i]) last = k;
    for (int k = i; k < last; k++)
      if (p->group_of[k] != p->group_of[i]) relabel(p, m->nv, p->group_of[k], p->group_of[i]);
  }
}

// The body of a group that is one free body with its mass centre at its origin and coordinates
// along the ground's axes: H is then diagonal in translation and constant in rotation.
static int single_body(const SarModel* m, int first, int num) {
  const int b = m->dof_body[first];
  const bool free = num == 6 && m->joint_nv[b] == 6 && m->joint_nq[b] == 7 &&
                    m->body_subtree[b] == 1 && m->body_parent[b] < 0;
  const Inertia* I = &m->body_inertia[b];
  const double size = sqrt((I->I.xx + I->I.yy + I->I.zz) * I->m);
  const M3 R = m->body_X_PF[b].R;
  const bool parallel = R.xx == 1 && R.yy == 1 && R.zz == 1;
  if (!free || !parallel || v3_norm(I->h) > 1e-12 * size) return -1;
  for (int i = first; i < first + num; i++)
    if (m->dof_armature[i] != 0) return -1;
  for (int k = 0; k < m->ntangent; k++)  // stiff forces are in H
    for (int i = 0; i < m->tangent[k].num; i++)
      if (m->dof_body[m->tangent_dof[m->tangent[k].adr + i]] == b) return -1;
  return b;
}

static void number_groups(SarHeld* p, const SarModel* m) {
  p->ngroup = 0;
  p->singles = p->bodies = true;
  for (int i = 0; i < m->nv; i++) {
    const bool begins = i == 0 || p->group_of[i] != p->group_of[i - 1];
    if (begins) p->group[p->ngroup++] = (SarHeldGroup){.first = i};
    p->group[p->ngroup - 1].num++;
  }
  for (int g = 0; g < p->ngroup; g++) {
    SarHeldGroup* group = &p->group[g];
    for (int i = group->first; i < group->first + group->num; i++) p->group_of[i] = g;
    group->body = single_body(m, group->first, group->num);
    p->singles = p->singles && group->body >= 0;
    p->bodies = p->bodies && group->num == 6 && sar_is_single_body(m, m->dof_body[group->first]);
  }
}

// Rows stand group by group.
static void give_rows(SarHeld* p, const SarModel* m) {
  int place = 0, A = 0, reply = 0;
  for (int g = 0; g < p->ngroup; g++) {
    SarHeldGroup* group = &p->group[g];
    group->row = place, group->A = A, group->reply = reply;
    int rows = 0;
    for (int r = 0; p->direct && r < m->nrow; r++)
      if (m->row_adr[r + 1] > m->row_adr[r] && p->group_of[m->row_dof[m->row_adr[r]]] == g) rows++;
    if (rows > 0) group->body = -1, p->singles = false;  // held, so not free
    place += rows, A += rows * rows, reply += rows * group->num;
  }
  for (int r = 0; r < m->nrow; r++)
    p->group_of_row[r] =
        m->row_adr[r + 1] > m->row_adr[r] ? p->group_of[m->row_dof[m->row_adr[r]]] : -1;
}

static void invert_inertias(SarHeld* p, const SarModel* m) {
  for (int g = 0; g < p->ngroup; g++) {
    const int b = p->group[g].body;
    if (b < 0) continue;
    const S3 I = m->body_inertia[b].I;
    const V3 x = {I.xx, I.xy, I.xz}, y = {I.xy, I.yy, I.yz}, z = {I.xz, I.yz, I.zz};
    const double volume = v3_dot(x, v3_cross(y, z));
    p->inverse[3 * b] = v3_scale(1 / volume, v3_cross(y, z));
    p->inverse[3 * b + 1] = v3_scale(1 / volume, v3_cross(z, x));
    p->inverse[3 * b + 2] = v3_scale(1 / volume, v3_cross(x, y));
  }
}

void sar_held_init(SarHeld* p, const SarModel* m, bool direct, SarBlock* b) {
  const size_t nv = (size_t)m->nv, rows = (size_t)m->nrow;
  // as if all rows were in one group with all coordinates: an upper bound
  *p = (SarHeld){.direct = direct};
  SAR_PIECE(b, p->group, nv);
  SAR_PIECE(b, p->group_of, nv);
  SAR_PIECE(b, p->order, rows);
  SAR_PIECE(b, p->group_of_row, rows);
  SAR_PIECE(b, p->A, rows * rows);
  SAR_PIECE(b, p->reply, rows * nv);
  SAR_PIECE(b, p->p, rows);
  SAR_PIECE(b, p->z, rows);
  SAR_PIECE(b, p->weight, rows);
  SAR_PIECE(b, p->size, rows);
  SAR_PIECE(b, p->motion, nv);
  SAR_PIECE(b, p->factor, sar_mass_entries(m));
  SAR_PIECE(b, p->inverse_D, nv);
  SAR_PIECE(b, p->moment, nv);
  SAR_PIECE(b, p->mass, nv);
  SAR_PIECE(b, p->spring, nv);
  SAR_PIECE(b, p->block, block_entries(m));
  SAR_PIECE(b, p->inverse, 3 * (size_t)m->nbody);
  sar_coupled_init(&p->coupled, m, b);
  sar_dampers_init(&p->dampers, m, b);
  if (!b->memory) return;
  for (int i = 0; i < m->nv; i++) p->moment[i] = 0;
  for (int k = 0; k < m->nknot; k++) p->at_start = p->at_start || m->knot[k].state >= 0;
  join_coupled(p, m);
  number_groups(p, m);
  give_rows(p, m);
  invert_inertias(p, m);
}
