// All ways in which a mechanism can be put together (assembly modes; branches.h), by random
// restarts (multistart).
//
// Every assembly has a neighbourhood from which the closing of the loops leads to it, so trials
// find those with large ones first and miss what is found by chance less than once in as many.
// Assemblies are told apart by the poses of all bodies: coordinates count turns, poses do not.
#include "sim/branches.h"

#include "base/alloc.h"
#include "dynamics/projection.h"
#include "dynamics/tree.h"
#include "sim/assemble.h"

#include <math.h>
#include <string.h>

static const double SAME = 1e-5;  // difference of rotations, or of positions over the size
static const double PI = 3.14159265358979324;

typedef struct Hunt {
  const SarModel* m;
  SarData* d;
  unsigned long long seed;
  double size;   // of the mechanism [m]
  Xform* pose;   // SAR_MAX_BRANCHES times nbody
  double* home;  // nq_all: the first assembly
  double* xi;    // nv
  int* row_order;
  double* row_size;
} Hunt;

// xorshift64*: -1 .. 1
static double random_share(Hunt* h) {
  h->seed ^= h->seed >> 12;
  h->seed ^= h->seed << 25;
  h->seed ^= h->seed >> 27;
  return (double)((h->seed * 2685821657736338717ull) >> 11) / 4503599627370496.0 - 1;
}

static void update_poses(Hunt* h) {
  sar_update_positions(h->m, h->d);
  sar_update_world(h->m, h->d);
}

static double size_of(const Hunt* h) {
  double size = 0;
  for (int b = 0; b < h->m->nbody; b++) size = fmax(size, v3_norm(h->d->body_X_GB[b].p));
  for (int i = 0; i < h->m->npair; i++) size = fmax(size, v3_norm(h->d->pair_p[i]));
  return size > 0 ? size : 1;
}

static double farthest(V3 a) { return fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z))); }

static bool same_pose(const Hunt* h, Xform a, Xform b) {
  const M3 A = a.R, B = b.R;
  return farthest(v3_sub(a.p, b.p)) <= SAME * h->size &&
         farthest(v3(A.xx - B.xx, A.xy - B.xy, A.xz - B.xz)) <= SAME &&
         farthest(v3(A.yx - B.yx, A.yy - B.yy, A.yz - B.yz)) <= SAME &&
         farthest(v3(A.zx - B.zx, A.zy - B.zy, A.zz - B.zz)) <= SAME;
}

// The assembly that d shows; -1: a new one.
static int find_known(const Hunt* h, const SarBranches* out) {
  const int n = h->m->nbody;
  for (int k = 0; k < out->count; k++) {
    bool same = true;
    for (int b = 0; b < n && same; b++) same = same_pose(h, h->pose[k * n + b], h->d->body_X_GB[b]);
    if (same) return k;
  }
  return -1;
}

static void note(Hunt* h, SarBranches* out) {
  update_poses(h);
  const int known = find_known(h, out);
  if (known >= 0) {
    out->found[known]++;
    return;
  }
  if (out->count == SAR_MAX_BRANCHES) return;
  const size_t nq = (size_t)h->m->nq_all, n = (size_t)h->m->nbody, k = (size_t)out->count++;
  memcpy(&out->q[k * nq], h->d->q, nq * sizeof *out->q);
  memcpy(&h->pose[k * n], h->d->body_X_GB, n * sizeof *h->pose);
  out->found[k] = 1;
}

// Angles anywhere, lengths within the size of the mechanism around the first assembly.
static void scatter(Hunt* h) {
  const SarModel* m = h->m;
  memcpy(h->d->q, h->home, (size_t)m->nq_all * sizeof *h->home);
  for (int i = 0; i < m->nv; i++) {
    const int j = m->dof_body[i];
    const bool length = m->joint_kind[j]->coordinate[i - m->joint_vadr[j]] == SAR_LENGTH;
    h->xi[i] = random_share(h) * (length ? h->size : PI);
  }
  sar_projection_move(m, h->xi, h->d->q);
}

static SarStatus hunt(Hunt* h, int trials, SarBranches* out) {
  const size_t nv = (size_t)h->m->nv_all;
  note(h, out);
  for (; out->trials < trials; out->trials++) {
    SarFreedom freedom;
    SarError ignored;
    sar_error_init(&ignored);
    scatter(h);
    memset(h->d->v, 0, nv * sizeof *h->d->v);
    SarStatus st = sar_assemble_rows(h->m, h->d, &freedom, h->row_order, h->row_size, &ignored);
    if (st == SAR_NO_MEMORY) return st;
    if (st == SAR_OK)
      note(h, out);
    else
      out->open++;
  }
  return SAR_OK;
}

SarStatus sar_branches_find(const SarModel* m, SarData* d, int trials, unsigned long long seed,
                            SarBranches* out, SarError* err) {
  const size_t nq = (size_t)m->nq_all, rows = (size_t)m->nrow + 1;
  Hunt h = {.m = m, .d = d, .seed = seed ? seed : 1};
  *out = (SarBranches){0};
  out->q = sar_alloc(SAR_MAX_BRANCHES * nq * sizeof *out->q);
  out->found = sar_alloc(SAR_MAX_BRANCHES * sizeof *out->found);
  h.pose = sar_alloc(SAR_MAX_BRANCHES * (size_t)m->nbody * sizeof *h.pose);
  h.home = sar_alloc(nq * sizeof *h.home);
  h.xi = sar_alloc((size_t)m->nv * sizeof *h.xi);
  h.row_order = sar_alloc(rows * sizeof *h.row_order);
  h.row_size = sar_alloc(rows * sizeof *h.row_size);
  SarStatus st = SAR_NO_MEMORY;
  if (out->q && out->found && h.pose && h.home && h.xi && h.row_order && h.row_size) {
    memcpy(h.home, d->q, nq * sizeof *h.home);
    update_poses(&h);
    sar_update_constraints(m, d);
    h.size = size_of(&h);
    st = hunt(&h, trials, out);
  }
  if (st == SAR_NO_MEMORY)
    sar_report(err, (SarLoc){0}, "", "out of memory while looking for assemblies");
  sar_free(h.pose);
  sar_free(h.home);
  sar_free(h.xi);
  sar_free(h.row_order);
  sar_free(h.row_size);
  if (st != SAR_OK) sar_branches_free(out);
  return st;
}

void sar_branches_free(SarBranches* b) {
  sar_free(b->q);
  sar_free(b->found);
  *b = (SarBranches){0};
}
