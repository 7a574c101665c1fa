// Positions and speeds of dependent coordinates over symbols (embedding.h).
//
// Block after block of the flow: the variables of its polynomials one after the other, the root
// nearest to where the coordinate is given (closed form up to degree 2, else a fixed number of root
// steps). Short polynomials leave no more than rounding. Behind long ones there is a step of
// Newton's method on the constraints themselves, and one or two more with the same matrix (chords)
// if they lost much, in sines and cosines:
//
//   (s, c) <- (s - c d - s d^2/2, c + s d - c d^2/2)      turned back by d
//
// so that no angle is needed before the end: q <- q + 2 atan(tan of half the difference), by its
// series. Nothing is believed: residuals, the distance from where the coordinate was, and s^2 + c^2
// - 1 add up to `doubt`.
#include "codegen/embedding.h"
#include "codegen/polynomial.h"
#include "symbolic/rewrite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_SIZE = SAR_LOOP_MAX_VARIABLES };

typedef struct Closing {
  SarSymbols* s;  // Phi, Psi and poses over the symbols
  const SarPartition* p;
  SarGraph* g;
  // by coordinate of q, SAR_NONE: as given
  SarNode *value, *sine, *cosine;
  SarNode doubt;
  const SarFamilies* families;
  SarTwinPlace twin;  // that the block at hand belongs to
  int turns;          // of Newton's method that it gets
  double* solved;     // nq: by the polynomials from the position where the run begins
} Closing;

// ---- from one graph to the other ----------------------------------------------------------------

static int coordinate_of(const SarSymbols* s, SarNode n) {
  int i;
  const char* name = sar_node_name(s->g, n);
  return name && sscanf(name, "q[%d]", &i) == 1 && i < s->m->nq ? i : -1;
}

static SarNode put_known(void* context, SarNode n) {
  const Closing* c = context;
  const SarOp op = sar_node_op(c->s->g, n);
  if (op == SAR_OP_SYMBOL) {
    const int i = coordinate_of(c->s, n);
    return i < 0 ? SAR_NONE : c->value[i];
  }
  if (op != SAR_OP_SIN && op != SAR_OP_COS) return SAR_NONE;
  const SarNode arg = sar_node_arg(c->s->g, n, 0);
  const int i = sar_node_op(c->s->g, arg) == SAR_OP_SYMBOL ? coordinate_of(c->s, arg) : -1;
  return i < 0 ? SAR_NONE : op == SAR_OP_SIN ? c->sine[i] : c->cosine[i];
}

static bool translate(Closing* c, int n, const SarNode* from, SarNode* to) {
  return sar_sym_translate(c->s->g, n, from, c->g, put_known, c, to);
}

// ---- one block ----------------------------------------------------------------------------------

// A point or direction that a polynomial knows, number `which` of its block.
static SymV3 known_point(const Closing* c, V3 at, int which) {
  const double x[3] = {at.x, at.y, at.z};
  SarNode node[3];
  for (int i = 0; i < 3; i++)
    node[i] = c->twin.group < 0 ? s_num(c->s->g, x[i])
                                : sar_twins_own_number(c->s->twins, c->s->g,
                                                       SAR_TWIN_KNOWN + 3 * which + i, x[i]);
  return (SymV3){node[0], node[1], node[2]};
}

static SarNode symbol_of(const Closing* c, const SarLoopSymbol* k, int which) {
  SarGraph* g = c->s->g;
  if (k->part) {
    const SarNode q = c->s->q[k->q];
    return k->part == 's' ? sar_sym_sin(g, q) : k->part == 'c' ? sar_sym_cos(g, q) : q;
  }
  const SymXform of = sar_symbols_pose(c->s, k->of), in = sar_symbols_pose(c->s, k->in);
  SymV3 v = known_point(c, k->at, which);
  v = k->direction ? sm3_mul_v(g, of.R, v) : sv3_sub(g, sx_point(g, of, v), in.p);
  v = sar_symbols_in_frame(c->s, k->joint, sm3_tmul_v(g, in.R, v), k->direction);
  return k->component == 0 ? v.x : k->component == 1 ? v.y : v.z;
}

static SarNode given(const Closing* c, const SarLoopVariable* v) {
  char name[24];
  snprintf(name, sizeof name, "q[%d]", v->q);
  const SarNode q = sar_sym_symbol(c->g, name);
  return v->part == 's' ? sar_sym_sin(c->g, q) : v->part == 'c' ? sar_sym_cos(c->g, q) : q;
}

// Of what is to be rounding alone: more than 1e-13 is above sar_closing_doubt.
static const double SURE = 1e8;
// and of what accelerations are to believe: 5e-12, half of what is open
static const double CLOSED = 2e6;

static void add_doubt(Closing* c, SarNode x, double weight) {
  const SarNode y = s_mul(c->g, x, s_num(c->g, weight));
  c->doubt = s_mac(c->g, c->doubt, y, y);
}

// x / sqrt(n) for n next to 1
static SarNode shrink(SarGraph* g, SarNode n) { return s_msc(g, s_num(g, 1.5), s_num(g, 0.5), n); }

static void normalise(Closing* c, int q, bool doubted) {
  SarGraph* g = c->g;
  const SarNode n = s_mac(g, s_mul(g, c->sine[q], c->sine[q]), c->cosine[q], c->cosine[q]);
  const SarNode k = shrink(g, n);
  if (doubted) add_doubt(c, s_sub(g, n, s_num(g, 1)), c->turns > 0 ? 0.1 : SURE);
  if (c->turns == 0) return;
  c->sine[q] = s_mul(g, c->sine[q], k);
  c->cosine[q] = s_mul(g, c->cosine[q], k);
}

enum { SHORT = 30 };  // terms of a polynomial

// Closed forms of few terms, which are as good elsewhere as where the run begins.
static bool is_short(const SarLoopBlock* k) {
  bool good = true;
  for (int i = 0; i < k->elements; i++)
    good = good && k->element[i].degree <= 2 && k->element[i].terms <= SHORT;
  for (int i = 0; i < k->legs; i++) good = good && is_short(&k->leg[i]);
  return good;
}

// The variables, the last first.
static bool find_roots(Closing* c, const SarLoopBlock* k) {
  SarNode x[SAR_LOOP_MAX_VARIABLES], from[SAR_LOOP_MAX_VARIABLES];
  double number[SAR_LOOP_MAX_VARIABLES];
  for (int i = 0; i < k->symbols; i++) from[i] = symbol_of(c, &k->symbol[i], i);
  if (!translate(c, k->symbols, from, x + k->variables)) return false;
  sar_polynomial_start(c->s->m, k, c->p->q, c->p->flow, number);
  for (int v = k->variables - 1; v >= 0; v--) {
    const SarNode near = given(c, &k->variable[v]);
    const SarLoopElement* e = sar_polynomial_choose(k, v, number);
    if (!e) return false;
    x[v] = sar_polynomial_root(c->g, e, k->variables + k->symbols, x, near,
                               c->twin.group < 0 ? NULL : c->s->twins);
  }
  for (int v = 0; v < k->variables; v++) {
    const int q = k->variable[v].q;
    if (k->variable[v].part == 'x') c->value[q] = x[v];
    if (k->variable[v].part == 's') c->sine[q] = x[v];
    if (k->variable[v].part == 'c') c->cosine[q] = x[v];
  }
  // sine and cosine of a leg (more rows than unknowns) are off by what the rationals leave, those
  // of long polynomials by what they lose; one turn squares it
  const int turns = k->rows > k->size || !is_short(k) ? 2 : 1;
  for (int turn = 0; turn < turns && (turn == 0 || c->turns > 0); turn++)
    for (int v = 0; v < k->variables; v++)
      if (k->variable[v].part == 's') normalise(c, k->variable[v].q, turn == 0);
  return true;
}

static int q_of(const SarModel* m, int dof) {
  const int b = m->dof_body[dof];
  return m->joint_qadr[b] + dof - m->joint_vadr[b];
}

// Turned or moved by d.
static void move(Closing* c, int q, SarNode d) {
  SarGraph* g = c->g;
  if (c->sine[q] < 0) {
    c->value[q] = s_sub(g, c->value[q], d);
    return;
  }
  const SarNode s = c->sine[q], k = c->cosine[q];
  const SarNode half = s_mul(g, s_num(g, 0.5), s_mul(g, d, d));
  c->sine[q] = s_msc(g, s_msc(g, s, k, d), s, half);
  c->cosine[q] = s_msc(g, s_mac(g, k, s, d), k, half);
}

// How far the polynomials of a block are off where the run begins, in units: their coefficients are
// rounded, and the more so the longer they are.
static double error_of(const Closing* c, const SarLoopBlock* k) {
  const SarModel* m = c->s->m;
  double worst = 0;
  for (int i = 0; i < k->size; i++) {
    const int q = q_of(m, k->dof[i]);
    worst = fmax(worst, fabs(c->solved[q] - c->p->q[q]) / c->p->unit[k->dof[i]]);
  }
  return worst;
}

// Twins are polished alike.
static double error_of_twins(const Closing* c, const SarLoopBlock* k) {
  double worst = error_of(c, k);
  const SymBlocks blocks = {.m = c->s->m, .p = c->p, .families = c->families};
  for (int b = 0; c->twin.group >= 0 && b < c->p->flow->blocks; b++) {
    const SarLoopBlock* other = &c->p->flow->block[b];
    if (other->kind == SAR_LOOP_TRIANGULAR && other->size == k->size &&
        sar_blocks_twin(&blocks, b).group == c->twin.group)
      worst = fmax(worst, error_of(c, other));
  }
  return worst;
}

static int turns_of(const Closing* c, const SarLoopBlock* k) {
  const double error = error_of_twins(c, k);
  if (error >= 1e-9 || c->p->single || !is_short(k)) return error < 1e-6 ? 2 : 3;
  return error < 5e-15 ? 0 : 1;
}

static bool doubt_rows(Closing* c, const SarLoopBlock* k, double weight) {
  for (int i = 0; i < k->size; i++) {
    SarNode Phi = SAR_NONE;
    if (!translate(c, 1, &c->s->Phi[k->row[i]], &Phi)) return false;
    add_doubt(c, Phi, weight / c->p->scale[k->row[i]]);
  }
  return true;
}

// Steps of Newton's method with one matrix. The last one times the first is what is left.
static bool polish(Closing* c, const SarLoopBlock* k) {
  const SarModel* m = c->s->m;
  const int n = k->size;
  SarNode from[MOST_SIZE], A[MOST_SIZE * MOST_SIZE], x[MOST_SIZE];
  double value[MOST_SIZE * MOST_SIZE];
  SymBlock B;
  for (int i = 0; i < n * n; i++) A[i] = s_num(c->g, 0), value[i] = 0;
  for (int i = 0; i < n; i++)
    for (int e = m->row_adr[k->row[i]]; e < m->row_adr[k->row[i] + 1]; e++)
      for (int j = 0; j < n; j++)
        if (m->row_dof[e] == k->dof[j]) {
          if (!translate(c, 1, &c->s->Psi[e], &A[i * n + j])) return false;
          value[i * n + j] = c->p->Psi[e];
        }
  if (!sar_block_factor(c->s->arena, c->g, n, A, value, NULL, &B)) return false;
  const int turns = c->turns;
  const double first = turns == 3 ? 0.01 : turns == 2 ? 1 : 1e4, last = c->p->single ? 10 : 1e5;
  for (int turn = 0; turn < turns; turn++) {
    for (int i = 0; i < n; i++) from[i] = c->s->Phi[k->row[i]];
    if (!translate(c, n, from, x)) return false;
    sar_block_solve(c->g, &B, x);
    for (int i = 0; i < n; i++) {
      if (turn == 0) add_doubt(c, x[i], first / c->p->unit[k->dof[i]]);
      if (turn > 0 && turn == turns - 1) add_doubt(c, x[i], last / c->p->unit[k->dof[i]]);
      move(c, q_of(m, k->dof[i]), x[i]);
    }
  }
  return true;
}

// 2 atan(t) for |t| <= 0.05
static SarNode twice_arctangent(SarGraph* g, SarNode t) {
  const SarNode t2 = s_mul(g, t, t);
  SarNode sum = s_num(g, 1.0 / 13);
  for (int k = 11; k >= 1; k -= 2) sum = s_sub(g, s_num(g, 1.0 / k), s_mul(g, t2, sum));
  return s_mul(g, s_mul(g, s_num(g, 2), t), sum);
}

// Angles of the block from where they were given.
static void find_angles(Closing* c, const SarLoopBlock* k) {
  SarGraph* g = c->g;
  for (int v = 0; v < k->variables; v++) {
    const SarLoopVariable* var = &k->variable[v];
    SarLoopVariable angle = *var;
    if (var->part == 'c') continue;
    angle.part = 'x';
    const SarNode q = given(c, &angle);
    if (var->part == 'x') {
      add_doubt(c, s_sub(g, c->value[var->q], q), 3e-5 / c->p->unit[var->dof]);
      continue;
    }
    if (c->turns > 0) normalise(c, var->q, false);
    const SarNode s0 = sar_sym_sin(g, q), c0 = sar_sym_cos(g, q);
    const SarNode s = c->sine[var->q], cosine = c->cosine[var->q];
    const SarNode x = s_msc(g, s_mul(g, s, c0), cosine, s0),
                  y = s_mac(g, s_mul(g, cosine, c0), s, s0);
    add_doubt(c, x, 1e-4);
    add_doubt(c, s_sub(g, s_num(g, 1), y), 3e-5);
    c->value[var->q] = s_add(g, q, twice_arctangent(g, s_div(g, x, s_add(g, s_num(g, 1), y))));
  }
}

// A drive or a coupling: one row, linear in its coordinate.
static bool follow_row(Closing* c, const SarLoopBlock* k) {
  const SarModel* m = c->s->m;
  SarNode Phi, Psi = SAR_NONE;
  const int q = q_of(m, k->dof[0]), e = m->row_adr[k->row[0]];
  for (int i = e; i < m->row_adr[k->row[0] + 1]; i++)
    if (m->row_dof[i] == k->dof[0]) Psi = c->s->Psi[i];
  SarLoopVariable x = {.q = q, .part = 'x'};
  if (Psi < 0 || !translate(c, 1, &c->s->Phi[k->row[0]], &Phi) || !translate(c, 1, &Psi, &Psi))
    return false;
  c->value[q] = s_sub(c->g, given(c, &x), s_div(c->g, Phi, Psi));
  c->sine[q] = sar_sym_sin(c->g, c->value[q]);
  c->cosine[q] = sar_sym_cos(c->g, c->value[q]);
  return true;
}

// Its core, then its legs.
static bool close_parts(Closing* c, const SarLoopBlock* k) {
  c->turns = turns_of(c, k);
  if (!find_roots(c, k)) return false;
  for (int i = 0; i < k->legs; i++)
    if (!find_roots(c, &k->leg[i])) return false;
  if (c->turns > 0 && !polish(c, k)) return false;
  if (c->turns == 0 && !doubt_rows(c, k, SURE)) return false;
  // the error of a long one may be so large that Newton's method still goes on
  if (c->turns > 0 && !c->p->single && !is_short(k) && !doubt_rows(c, k, CLOSED)) return false;
  find_angles(c, k);
  for (int i = 0; i < k->legs; i++) find_angles(c, &k->leg[i]);
  return true;
}

// ---- all ----------------------------------------------------------------------------------------

static bool close_speeds(Closing* c, SarNode* v) {
  const SarModel* m = c->s->m;
  SarNode *Psi = SAR_ARENA_ARRAY(c->s->arena, SarNode, m->nrow_dof + 1),
          *e = SAR_ARENA_ARRAY(c->s->arena, SarNode, m->nrow + 1);
  if (!Psi || !e || !translate(c, m->nrow_dof, c->s->Psi, Psi) ||
      !translate(c, m->nrow, c->s->Phi_t, e) || !translate(c, m->nv, c->s->v, v))
    return false;
  for (int i = 0; i < m->nrow; i++) e[i] = s_neg(c->g, e[i]);
  SymBlocks blocks = {.m = m, .p = c->p, .g = c->g, .arena = c->s->arena, .Psi = Psi};
  blocks.families = c->families;
  blocks.few = true;
  if (!sar_blocks_factor(&blocks)) return false;
  sar_blocks_solve(&blocks, e, v);
  return true;
}

static bool close_block(Closing* c, int b) {
  const SarLoopBlock* k = &c->p->flow->block[b];
  const SymBlocks blocks = {.m = c->s->m, .p = c->p, .families = c->families};
  c->doubt = s_num(c->g, 0);
  c->twin = sar_blocks_twin(&blocks, b);
  if (k->kind == SAR_LOOP_GIVEN && !follow_row(c, k)) return false;
  if (k->kind != SAR_LOOP_TRIANGULAR) return true;
  if (!close_parts(c, k)) return false;
  for (int i = 0; i < k->size; i++)
    sar_families_note(c->families, c->twin, c->value[q_of(c->s->m, k->dof[i])]);
  sar_families_note(c->families, c->twin, c->doubt);
  return true;
}

bool sar_symbols_closing(SarSymbols* s, const SarPartition* p, SymClosing* out) {
  const SarModel* m = s->m;
  const int nq = m->nq;
  Closing c = {.s = s, .p = p, .g = sar_graph_new(s->arena)};
  c.value = SAR_ARENA_ARRAY(s->arena, SarNode, nq + 1);
  c.sine = SAR_ARENA_ARRAY(s->arena, SarNode, nq + 1);
  c.cosine = SAR_ARENA_ARRAY(s->arena, SarNode, nq + 1);
  out->q = SAR_ARENA_ARRAY(s->arena, SarNode, nq + 1);
  out->v = SAR_ARENA_ARRAY(s->arena, SarNode, m->nv + 1);
  c.solved = SAR_ARENA_ARRAY(s->arena, double, nq + 1);
  if (!c.g || s->arena->failed) return false;
  memcpy(c.solved, p->q, (size_t)nq * sizeof *c.solved);
  sar_flow_solve(p->flow, m, c.solved);
  if (!sar_families_begin(&out->families, s->arena, c.g, s->twins)) return false;
  c.families = &out->families;
  for (int i = 0; i < nq; i++) c.value[i] = c.sine[i] = c.cosine[i] = SAR_NONE;
  SarNode doubt = s_num(c.g, 0);
  for (int b = 0; b < p->flow->blocks; b++) {
    if (!close_block(&c, b)) return false;
    doubt = s_add(c.g, doubt, c.doubt);
  }
  if (!translate(&c, nq, s->q, out->q) || !close_speeds(&c, out->v)) return false;
  out->g = c.g;
  out->doubt = doubt;
  return sar_families_end(&out->families);
}
