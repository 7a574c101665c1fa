// Entries of the Jacobian of `redundant` (system.h).
#include "formulations/redundant/system.h"

#include "dynamics/constraints.h"
#include "dynamics/inertia_floor.h"
#include "dynamics/mass.h"
#include "dynamics/tangents.h"
#include "formulations/redundant/modal_bodies.h"
#include "linalg/lanes.h"

#include <math.h>
#include <string.h>

// More than augmented.c has: E is no penalty, but the last digits of a saddle point matrix that may
// be singular. Where none of its rows is weak or redundant it could be left out, and is less: light
// bodies between heavy ones (a cuff of some grams between hub and blade) make it large beside what
// such a chain gives way by, and a solution would leave a share open.
static const double GRIP = 1e11, FIRM = 1e14;

// ---- entries, once ------------------------------------------------------------------------------

typedef struct Entries {
  int* row;
  int* col;
  int count;
} Entries;

static void add(Entries* e, int row, int col) {
  if (e->row) e->row[e->count] = row, e->col[e->count] = col;
  e->count++;
}

static void add_block(Entries* e, const int* dof, int num) {
  for (int a = 0; a < num; a++)
    for (int b = 0; b < num; b++) add(e, dof[a], dof[b]);
}

static int row_num(const SarModel* m, int row) { return m->row_adr[row + 1] - m->row_adr[row]; }

// Has a held row the coordinates of the one before, as the rows of a joint do? Then both are in one
// block.
static bool shares_block(const SarAbsoluteSystem* p, int k) {
  const SarModel* m = p->m;
  if (k == 0) return false;
  const int i = p->held_row[k], before = p->held_row[k - 1], num = row_num(m, i);
  return num == row_num(m, before) &&
         memcmp(&m->row_dof[m->row_adr[i]], &m->row_dof[m->row_adr[before]],
                (size_t)num * sizeof *m->row_dof) == 0;
}

// All entries in the order of lu.a; counts only if there is no memory in e.
static void list_entries(SarAbsoluteSystem* p, Entries* e) {
  const SarModel* m = p->m;
  p->mass = e->count;
  for (int b = 0; b < m->nbody; b++)
    for (int i = 0; i < m->joint_nv[b]; i++)
      for (int k = 0; k < m->joint_nv[b]; k++) add(e, m->joint_vadr[b] + i, m->joint_vadr[b] + k);
  p->gyro = e->count;
  for (int b = 0; b < m->nbody; b++) {
    const bool turns = p->momenta->body[b].kind == SAR_OWN_FREE;
    p->turning[b] = turns ? e->count : -1;
    for (int k = 0; turns && k < 9; k++)
      add(e, m->joint_vadr[b] + 3 + k / 3, m->joint_vadr[b] + 3 + k % 3);
  }
  p->tangent = e->count;
  for (int k = 0; k < m->ntangent; k++)
    add_block(e, &m->tangent_dof[m->tangent[k].adr], m->tangent[k].num);
  p->rows = e->count;
  for (int i = 0; i < m->nrow; i++)
    for (int k = m->row_adr[i]; k < m->row_adr[i + 1]; k++) add(e, m->nv + i, m->row_dof[k]);
  p->columns = e->count;
  for (int i = 0; i < m->nrow; i++)
    for (int k = m->row_adr[i]; k < m->row_adr[i + 1]; k++) add(e, m->row_dof[k], m->nv + i);
  p->compliance = e->count;
  for (int i = 0; i < m->nrow; i++) add(e, m->nv + i, m->nv + i);
  p->held = e->count;
  for (int k = 0; k < p->nheld; k++) {
    const int i = p->held_row[k];
    if (!shares_block(p, k)) add_block(e, &m->row_dof[m->row_adr[i]], row_num(m, i));
  }
  p->modal = e->count;
  for (int b = 0; b < m->nbody; b += m->body_subtree[b])
    for (int i = m->joint_vadr[b]; sar_is_modal_root(m, b) && i < sar_group_end(m, b); i++)
      for (int k = m->joint_vadr[b]; k < sar_group_end(m, b); k++) add(e, i, k);
}

// Has the body no inertia of its own against some motion, nor a ghost of it?
static bool is_light(const SarAbsoluteSystem* p, int b) {
  const SarOwnBody* o = &p->momenta->body[b];
  if (o->modal) return false;
  if (!(o->mass > 0)) return true;
  return o->kind != SAR_OWN_POINT && !o->turns && !(p->ghost[b] > 0);
}

static void find_held(SarAbsoluteSystem* p) {
  const SarModel* m = p->m;
  for (int i = 0; i < m->nrow; i++) {
    bool light = false;
    for (int k = m->row_adr[i]; k < m->row_adr[i + 1]; k++)
      light = light || is_light(p, m->dof_body[m->row_dof[k]]);
    if (light) p->held_row[p->nheld++] = i;
  }
}

// Of a body whose frame is at its mass centre: m 1 and I, constant. From the model alone: what S
// gives for them would carry the rounding of the position where a run began, which a copy of it
// does not know.
static void fill_constant_mass(SarAbsoluteSystem* p) {
  const SarModel* m = p->m;
  double* a = p->lu.a + p->mass;
  for (int b = 0; b < m->nbody; b++) {
    const SarOwnBody* o = &p->momenta->body[b];
    const int nv = o->nv;
    const int shifts = o->kind == SAR_OWN_PLANAR ? 2 : 3;
    const S3 J = o->inertia;
    const double I[9] = {J.xx, J.xy, J.xz, J.xy, J.yy, J.yz, J.xz, J.yz, J.zz};
    for (int i = 0; i < shifts && i < nv; i++) a[i * nv + i] = o->mass;
    if (o->kind == SAR_OWN_PLANAR) a[2 * nv + 2] = o->inertia.zz;
    if (o->kind == SAR_OWN_FREE)
      for (int k = 0; k < 9; k++) a[(3 + k / 3) * nv + 3 + k % 3] = I[k];
    a += nv * nv;
  }
}

// [m 1, -m R c~; m c~ R', I_B] of the others
static void fill_mass(SarAbsoluteSystem* p, const SarData* d) {
  const SarModel* m = p->m;
  double* a = p->lu.a + p->mass;
  for (int b = 0; b < m->nbody; b++) {
    const int nv = m->joint_nv[b];
    if (!sar_own_is_central(&p->momenta->body[b])) {
      const Motion* S = &d->dof_S[m->joint_vadr[b]];
      for (int i = 0; i < nv; i++) {
        const Force F = inertia_mul(m->body_inertia[b], S[i]);
        for (int k = 0; k < nv; k++) a[i * nv + k] = power_of(S[k], F);
      }
    }
    a += nv * nv;
  }
}

static size_t largest_block(const SarModel* m) {
  size_t largest = 1;
  for (int k = 0; k < m->ntangent; k++) {
    const size_t n = (size_t)m->tangent[k].num;
    largest = n * (n + 1) / 2 > largest ? n * (n + 1) / 2 : largest;
  }
  return largest;
}

static bool order(SarAbsoluteSystem* p, SarArena* arena, int n) {
  SarArena scratch;
  sar_arena_beside(&scratch, arena);
  int* at = SAR_ARENA_ARRAY(&scratch, int, n + 1);
  bool* held = SAR_ARENA_ARRAY(&scratch, bool, p->m->nrow + 1);
  for (int k = 0; held && k < p->nheld; k++) held[p->held_row[k]] = true;
  const bool good = at && held && sar_absolute_order(p->m, held, &scratch, at) &&
                    sar_static_lu_order(&p->lu, at, NULL);
  sar_arena_end(&scratch, arena);
  return good;
}

bool sar_absolute_system_new(SarAbsoluteSystem* p, const SarModel* m, const SarMomenta* momenta,
                             SarArena* arena) {
  *p = (SarAbsoluteSystem){.m = m, .momenta = momenta};
  const int n = m->nv + m->nrow;
  p->held_row = SAR_ARENA_ARRAY(arena, int, m->nrow + 1);
  p->held_shares = SAR_ARENA_ARRAY(arena, bool, m->nrow + 1);
  double** rows[] = {&p->weight, &p->held_weight, &p->c, &p->e};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
    *rows[k] = SAR_ARENA_ARRAY(arena, double, m->nrow + 1);
  p->inertia = SAR_ARENA_ARRAY(arena, double, m->nv + 1);
  p->r = SAR_ARENA_ARRAY(arena, double, m->nv + 1);
  p->b = SAR_ARENA_ARRAY(arena, double, n + 1);
  p->block = SAR_ARENA_ARRAY(arena, double, largest_block(m));
  p->held_Psi = SAR_ARENA_ARRAY(arena, double, m->nrow_dof + 1);
  p->ghost = SAR_ARENA_ARRAY(arena, double, m->nbody + 1);
  p->turning = SAR_ARENA_ARRAY(arena, int, m->nbody + 1);
  if (m->nmodal > 0) p->modal_mass = SAR_ARENA_ARRAY(arena, double, sar_mass_entries(m) + 1);
  if (arena->failed) return false;
  sar_absolute_find_ghosts(p);
  find_held(p);
  for (int k = 0; k < p->nheld; k++) p->held_shares[k] = shares_block(p, k);
  Entries e = {0};
  list_entries(p, &e);
  e.row = SAR_ARENA_ARRAY(arena, int, e.count + 1);
  e.col = SAR_ARENA_ARRAY(arena, int, e.count + 1);
  if (arena->failed) return false;
  const int count = e.count;
  e.count = 0;
  list_entries(p, &e);
  if (!sar_static_lu_new(&p->lu, arena, n, count, e.row, e.col)) return false;
  fill_constant_mass(p);
  return order(p, arena, n);
}

// ---- values -------------------------------------------------------------------------------------

static void add_ghost(double ghost, S3 idle, double* a) {
  const S3 J = s3_scale(ghost, idle);
  const double I[9] = {J.xx, J.xy, J.xz, J.xy, J.yy, J.yz, J.xz, J.yz, J.zz};
  for (int k = 0; k < 9; k++) a[k] += I[k];
}

// gain (I w~ - (I w)~), from dL = R (I dw + dg x I w) with dw = w x dg + dg / gain
static void fill_gyro(SarAbsoluteSystem* p, const SarData* d, double gain) {
  double* a = p->lu.a + p->gyro;
  for (int b = 0; b < p->m->nbody; b++) {
    const SarOwnBody* o = &p->momenta->body[b];
    if (o->kind != SAR_OWN_FREE) continue;
    const V3 w = v3_scale(gain, v3_load(d->v + o->vadr + 3));
    const S3 I = o->inertia;
    const V3 L = s3_mul_v(I, w);
    // columns of w~: (0, z, -y), (-z, 0, x), (y, -x, 0)
    const V3 x = s3_mul_v(I, v3(0, w.z, -w.y)), y = s3_mul_v(I, v3(-w.z, 0, w.x)),
             z = s3_mul_v(I, v3(w.y, -w.x, 0));
    a[0] = x.x, a[1] = y.x + L.z, a[2] = z.x - L.y;
    a[3] = x.y - L.z, a[4] = y.y, a[5] = z.y + L.x;
    a[6] = x.z + L.y, a[7] = y.z - L.x, a[8] = z.z;
    if (p->ghost[b] > 0) add_ghost(p->ghost[b], o->idle, a);
    a += 9;
  }
}

// Adds a block in both triangles; first: sets it.
static void put_block(double* a, const double* block, int num, bool first) {
  for (int i = 0; i < num; i++)
    for (int k = 0; k <= i; k++, block++) {
      const double x = first ? *block : *block + a[i * num + k];
      a[i * num + k] = a[k * num + i] = x;
    }
}

static void fill_tangents(SarAbsoluteSystem* p, SarData* d, double gain) {
  const SarModel* m = p->m;
  double* a = p->lu.a + p->tangent;
  for (int k = 0; k < m->ntangent; k++) {
    const int num = m->tangent[k].num;
    if (!sar_absolute_load_block(p, d, k, gain, a)) {
      sar_tangent_block(m, d, k, gain * gain, gain, p->block);
      put_block(a, p->block, num, true);
    }
    if (sar_stick_block(m, d, k, gain, p->block)) put_block(a, p->block, num, false);
    a += num * num;
  }
}

// The diagonal of T.
static void read_inertia(SarAbsoluteSystem* p) {
  const SarModel* m = p->m;
  const double* a = p->lu.a + p->mass;
  for (int b = 0; b < m->nbody; b++) {
    const int nv = m->joint_nv[b];
    for (int i = 0; i < nv; i++) p->inertia[m->joint_vadr[b] + i] = a[i * nv + i];
    a += nv * nv;
  }
  a = p->lu.a + p->tangent;
  for (int k = 0; k < m->ntangent; k++) {
    const int num = m->tangent[k].num, *dof = &m->tangent_dof[m->tangent[k].adr];
    for (int i = 0; i < num; i++) p->inertia[dof[i]] += a[i * num + i] > 0 ? a[i * num + i] : 0;
    a += num * num;
  }
  sar_modal_add_diagonal(m, p->lu.a + p->modal, p->inertia);
  sar_inertia_floor(m, p->inertia);
}

// Psi, Psi' and E. A row that is shorter than usual counts as if it were not, and lets go where it
// vanishes.
static void fill_rows(SarAbsoluteSystem* p, const SarData* d, const double* usual, bool firm) {
  const SarModel* m = p->m;
  double* a = p->lu.a;
  memcpy(a + p->rows, d->Psi, (size_t)m->nrow_dof * sizeof *a);
  memcpy(a + p->columns, d->Psi, (size_t)m->nrow_dof * sizeof *a);
  double* over = p->b;  // 1 / inertia
  for (int i = 0; i < m->nv; i++) over[i] = 1 / p->inertia[i];
  p->grip = 0;
  for (int i = 0; i < m->nrow; i++) {
    double sum = 0, length = 0;
    for (int k = m->row_adr[i]; k < m->row_adr[i + 1]; k++) {
      const double square = d->Psi[k] * d->Psi[k];
      length += square;
      sum += square * over[m->row_dof[k]];
    }
    double w = sum > 0 ? (firm ? FIRM : GRIP) / sum : 0;  // 0: it is off
    if (length < usual[i] * usual[i]) w *= length / (usual[i] * usual[i]);
    p->weight[i] = w;
    p->grip = w * sum > p->grip ? w * sum : p->grip;
    a[p->compliance + i] = w > 0 ? -1 / w : -1;
  }
}

// Psi' v Psi of the held rows, as strong as the inertia of what they hold
static void fill_held(SarAbsoluteSystem* p, const SarData* d, bool firm) {
  const SarModel* m = p->m;
  double *next = p->lu.a + p->held, *a = next;
  for (int k = 0; k < p->nheld; k++) {
    const int i = p->held_row[k], num = row_num(m, i);
    const double* Psi = &d->Psi[m->row_adr[i]];
    const double v = p->held_weight[k] = p->weight[i] / (firm ? FIRM : GRIP);
    memcpy(&p->held_Psi[m->row_adr[i]], Psi, (size_t)num * sizeof *Psi);
    if (!p->held_shares[k]) {
      a = next;
      next += num * num;
      memset(a, 0, (size_t)(num * num) * sizeof *a);
    }
    for (int r = 0; r < num; r++)
      if (Psi[r] != 0) sar_add_scaled(num, v * Psi[r], Psi, a + r * num);
  }
}

SarStatus sar_absolute_system_factor(SarAbsoluteSystem* p, SarData* d, double gain,
                                     const double* row_size, bool firm) {
  fill_mass(p, d);
  sar_modal_masses(p->m, d, p->modal_mass, p->lu.a + p->modal);
  fill_gyro(p, d, gain);
  sar_absolute_fill_turning(p, d, gain);
  fill_tangents(p, d, gain);
  read_inertia(p);
  fill_rows(p, d, row_size, firm);
  fill_held(p, d, firm);
  if (sar_static_lu_factor(&p->lu)) return SAR_OK;
  for (int i = 0; i < p->m->nv; i++)
    if (!isfinite(p->inertia[i])) return SAR_NOT_FINITE;
  return SAR_SINGULAR;
}

void sar_absolute_system_shift(const SarAbsoluteSystem* p, const SarData* d, double a_x,
                               double* r) {
  const SarModel* m = p->m;
  for (int k = 0; k < p->nheld; k++) {
    const int i = p->held_row[k];
    const double f = a_x * p->held_weight[k] * d->Phi[i];
    for (int e = m->row_adr[i]; e < m->row_adr[i + 1]; e++) r[m->row_dof[e]] -= f * p->held_Psi[e];
  }
}

// ---- as others see it ---------------------------------------------------------------------------

static void correct(const SarFactored* f, const double* e, double* x, double* y) {
  SarAbsoluteSystem* p = f->self;
  const SarModel* m = p->m;
  double* mu = p->b + m->nv;
  memcpy(p->b, x, (size_t)m->nv * sizeof *x);
  for (int k = 0; k < m->nrow; k++) mu[k] = e ? -e[k] : 0;
  sar_static_lu_solve(&p->lu, p->b);
  memcpy(x, p->b, (size_t)m->nv * sizeof *x);
  // mu = w (Psi x + e)
  for (int k = 0; y && k < m->nrow; k++)
    y[k] = p->weight[k] > 0 ? mu[k] - (e ? p->weight[k] * e[k] : 0) : 0;
}

SarFactored sar_absolute_system_view(SarAbsoluteSystem* p) {
  return (SarFactored){p, p->m, p->weight, p->inertia, &p->grip, correct, p->c, p->e, p->r};
}
