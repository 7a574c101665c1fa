// One step of Newton's method over symbols, for positions and speeds of dependent coordinates at
// once (embedding.h).
//
// Positions and speeds solve one system, Phi(q) = 0 and Psi(q) v + Phi_t = 0, and so does the step:
//
//   Psi_d dq = -Phi                                          positions
//   Psi_d v_d = -Phi_t - Psi_i v_i                           speeds where the state is
//   Psi_d dv = -d(Psi v + Phi_t)/dq dq,   v_d <- v_d + dv    where the step leads
//
// All three have one matrix. What is left of both is of the order of |dq|^2, so that a short step
// ends the iteration without an evaluation where it led. A drive may follow coordinates: Phi_t
// changes.
//
// The rotation R of a unit quaternion changes by R [dq x], which is shorter than the derivative of
// its formula.
#include "codegen/embedding.h"
#include "codegen/motion.h"

#include "base/print.h"
#include "symbolic/rewrite.h"

typedef struct Displacement {
  SarNode* rate;  // by node; SAR_NONE: as its arguments say
  int nodes;
} Displacement;

static SarNode rate_of(void* context, SarNode n) {
  const Displacement* d = context;
  return n < d->nodes ? d->rate[n] : SAR_NONE;
}

static bool is_number(SarGraph* g, SarNode n) {
  double x;
  return sar_node_is_number(g, n, &x);
}

// R [w x], row by row: r x w
static void turn(Displacement* d, SarGraph* g, SymM3 R, SymV3 w) {
  const SymV3 row[3] = {{R.xx, R.xy, R.xz}, {R.yx, R.yy, R.yz}, {R.zx, R.zy, R.zz}};
  for (int i = 0; i < 3; i++) {
    const SymV3 x = sv3_cross(g, row[i], w);
    d->rate[row[i].x] = x.x, d->rate[row[i].y] = x.y, d->rate[row[i].z] = x.z;
  }
}

// q o (0, w / 2), and R where it is there as such
static void turn_quaternion(Displacement* d, SarGraph* g, const SarNode* q, SymV3 w) {
  const SymV3 u = {q[1], q[2], q[3]}, half = sv3_scale(g, s_num(g, 0.5), w);
  const SymV3 x = sv3_axpy(g, q[0], half, sv3_cross(g, u, half));
  d->rate[q[0]] = s_neg(g, sv3_dot(g, u, half));
  d->rate[q[1]] = x.x, d->rate[q[2]] = x.y, d->rate[q[3]] = x.z;
}

// How coordinates and rotations change along `move`. False: no memory.
static bool displace(const SarSymbols* s, const SarNode* move, Displacement* d) {
  const SarModel* m = s->m;
  SarGraph* g = s->g;
  SymM3* R = SAR_ARENA_ARRAY(s->arena, SymM3, m->nbody + 1);
  for (int b = 0; R && b < m->nbody; b++)
    if (m->joint_nq[b] > m->joint_nv[b])
      R[b] = sm3_of_quaternion(g, &s->q[m->joint_qadr[b] + m->joint_nq[b] - 4]);
  d->nodes = sar_graph_count(g);
  d->rate = SAR_ARENA_ARRAY(s->arena, SarNode, d->nodes + 1);
  for (int i = 0; d->rate && i < d->nodes; i++) d->rate[i] = SAR_NONE;
  for (int b = 0; R && d->rate && b < m->nbody; b++) {
    const int nq = m->joint_nq[b], nv = m->joint_nv[b];
    const SarNode *q = &s->q[m->joint_qadr[b]], *by = &move[m->joint_vadr[b]];
    for (int i = 0; i < nv - (nq > nv ? 3 : 0); i++)
      if (!is_number(g, q[i])) d->rate[q[i]] = by[i];
    if (nq == nv) continue;
    const SymV3 w = {by[nv - 3], by[nv - 2], by[nv - 1]};
    turn_quaternion(d, g, q + nq - 4, w);
    turn(d, g, R[b], w);
  }
  return R && d->rate;
}

// Speeds stand as symbols of their own while rows are differentiated: they are quotients by entries
// of these, which would cancel.
typedef struct Held {
  SarNode* symbol;
  const SarNode* v;
  int nv;
} Held;

static bool hold(const SarSymbols* s, const SarNode* v, Held* h) {
  char name[24];
  *h = (Held){SAR_ARENA_ARRAY(s->arena, SarNode, s->m->nv + 1), v, s->m->nv};
  for (int i = 0; h->symbol && i < h->nv; i++) {
    sar_snprintf(name, sizeof name, "held[%d]", i);
    h->symbol[i] = sar_sym_symbol(s->g, name);
  }
  return h->symbol != NULL;
}

static SarNode release(void* context, SarNode n) {
  const Held* h = context;
  for (int i = 0; i < h->nv; i++)
    if (h->symbol[i] == n) return h->v[i];
  return SAR_NONE;
}

// Psi v, from what it was made of where that is there
static void speeds_of_rows(const SarSymbols* s, const SarPartition* p, const SarNode* v,
                           SarNode* y) {
  const SarModel* m = s->m;
  if (!p->kept) sar_symbols_row_speeds(s, v, y);
  for (int i = 0; i < m->nrow && p->kept; i++) {
    y[i] = s_num(s->g, 0);
    for (int k = m->row_adr[i]; k < m->row_adr[i + 1]; k++)
      y[i] = s_mac(s->g, y[i], s->Psi[k], v[m->row_dof[k]]);
  }
}

// e = -d(Psi v + Phi_t)/dq dq, speeds held
static bool row_changes(SarSymbols* s, const SarPartition* p, const SymNewton* n, SarNode* e) {
  const SarModel* m = s->m;
  SarGraph* g = s->g;
  Displacement d;
  Held h;
  SarNode* y = SAR_ARENA_ARRAY(s->arena, SarNode, m->nrow + 1);
  if (!y || !hold(s, n->v, &h)) return false;
  speeds_of_rows(s, p, h.symbol, y);
  for (int i = 0; i < m->nrow; i++) y[i] = s_add(g, y[i], s->Phi_t[i]);
  if (!displace(s, n->move, &d) || !sar_sym_forward_nodes(g, m->nrow, y, rate_of, &d, y) ||
      !sar_sym_substitute(g, m->nrow, y, release, &h, e))
    return false;
  for (int i = 0; i < m->nrow; i++) e[i] = s_neg(g, e[i]);
  return true;
}

// In units.
static SarNode sum_of_squares(SarGraph* g, const SarPartition* p, int n, const SarNode* x) {
  SarNode sum = s_num(g, 0);
  for (int i = 0; i < n; i++) {
    const SarNode y = s_mul(g, x[i], s_num(g, 1 / p->unit[i]));
    sum = s_mac(g, sum, y, y);
  }
  return sum;
}

// Speeds where the step leads.
static bool add_changes(SarSymbols* s, const SymBlocks* blocks, SarNode* e, SymNewton* n) {
  const SarModel* m = s->m;
  SarNode* dv = SAR_ARENA_ARRAY(s->arena, SarNode, m->nv + 1);
  if (!dv || !row_changes(s, blocks->p, n, e)) return false;
  for (int i = 0; i < m->nv; i++) dv[i] = s_num(s->g, 0);
  sar_symbols_note_rows(s, &n->families, e);
  sar_blocks_solve(blocks, e, dv);
  for (int i = 0; i < m->nv; i++) n->v[i] = s_add(s->g, n->v[i], dv[i]);
  return true;
}

bool sar_symbols_newton(SarSymbols* s, const SarPartition* p, SymNewton* out) {
  const SarModel* m = s->m;
  SarGraph* g = s->g;
  if (!sar_families_begin(&out->families, s->arena, g, s->twins)) return false;
  SymBlocks blocks = {.m = m, .p = p, .g = g, .arena = s->arena, .Psi = s->Psi, .few = true};
  blocks.families = &out->families;
  SarNode* e = SAR_ARENA_ARRAY(s->arena, SarNode, m->nrow + 1);
  out->move = SAR_ARENA_ARRAY(s->arena, SarNode, m->nv + 1);
  out->v = SAR_ARENA_ARRAY(s->arena, SarNode, m->nv + 1);
  if (!e || !out->move || !out->v || !sar_blocks_factor(&blocks)) return false;
  sar_symbols_note_twins(s, &out->families);
  for (int i = 0; i < m->nrow; i++) e[i] = s_neg(g, s->Phi[i]);
  for (int i = 0; i < m->nv; i++) out->move[i] = s_num(g, 0), out->v[i] = s->v[i];
  sar_blocks_solve(&blocks, e, out->move);
  for (int i = 0; i < m->nrow; i++) e[i] = s_neg(g, s->Phi_t[i]);
  sar_blocks_solve(&blocks, e, out->v);
  out->size = sum_of_squares(g, p, m->nv, out->move);
  out->flat = blocks.flat;
  return add_changes(s, &blocks, e, out) && sar_families_end(&out->families);
}
