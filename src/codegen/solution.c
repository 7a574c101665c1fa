// Positions of the loops as formulas: known quantities, then one unknown after the other from the
// polynomials of the loop's basis (loops/loops.h).
//
//   a_1 x + a_0 = 0              x = -a_0 / a_1
//   a_2 x^2 + a_1 x + a_0 = 0    x = (-a_1 + sign sqrt(a_1^2 - 4 a_0 a_2)) / (2 a_2)
//
// The sign is that of the branch on which the model starts. Of several polynomials for an unknown,
// the one whose leading coefficient is largest there is written; a run chooses at every position.
// Numbers are those of the basis: rationals within SAR_LOOP_BOUND of the model's.
//
// Source: Uchida and McPhee 2012, sec. 4.1.
#include "codegen/equations_loops.h"

#include "codegen/slots.h"
#include "codegen/symbols.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { MOST_TERMS = 400 };  // of the shortest polynomials of a loop

typedef struct Solver {
  SarEquations* e;
  const SarCollecting* c;
  SarGraph* g;
  SarSymbols s;  // kinematics of the model, in a graph of its own
  // variables, then knowns of the loop at hand: nodes and values at the start
  SarNode x[SAR_LOOP_MAX_VARIABLES];
  double at[SAR_LOOP_MAX_VARIABLES];
} Solver;

// ---- what is known ------------------------------------------------------------------------------

static bool is_above(const SarModel* m, int e, int body) {
  for (; body >= 0; body = m->body_parent[body])
    if (body == e) return true;
  return e < 0;
}

// A point or direction of body `of` in the frame of `in`: up to the body that both stand on, and
// down again.
static SymV3 carried(const SarSymbols* s, const SarLoopSymbol* y) {
  const SarModel* m = s->m;
  int path[256], n = 0, top = y->in;
  SymV3 v = sv3_of(s->g, y->at);
  for (; !is_above(m, top, y->of) && n < 256; top = m->body_parent[top]) path[n++] = top;
  for (int b = y->of; b != top && b >= 0; b = m->body_parent[b]) {
    v = sar_symbols_to_parent(s, b, v);
    if (!y->direction) v = sv3_add(s->g, v, sar_symbols_offset(s, b));
  }
  while (n-- > 0) {
    if (!y->direction) v = sv3_sub(s->g, v, sar_symbols_offset(s, path[n]));
    v = sar_symbols_to_child(s, path[n], v);
  }
  return sar_symbols_in_frame(s, y->joint, v, y->direction);
}

static SarNode node_of(const SarSymbols* s, const SarLoopSymbol* y) {
  if (y->part)
    return y->part == 's'   ? sar_sym_sin(s->g, s->q[y->q])
           : y->part == 'c' ? sar_sym_cos(s->g, s->q[y->q])
                            : s->q[y->q];
  const SymV3 v = carried(s, y);
  return y->component == 0 ? v.x : y->component == 1 ? v.y : v.z;
}

static int slot_of(void* context, const char* name) { return sar_symbols_slot(context, name); }

static bool value_of(const Solver* k, SarNode node, double* value) {
  const SarModel* m = k->e->m;
  SarArena scratch;
  SarTape tape;
  sar_arena_beside(&scratch, k->c->arena);
  double* slot = SAR_ARENA_ARRAY(&scratch, double, sar_symbols_slots(m) + 1);
  bool done = slot && sar_tape_build(&scratch, k->g, 1, &node, slot_of, (void*)(uintptr_t)m, &tape);
  double* registers = done ? SAR_ARENA_ARRAY(&scratch, double, tape.registers + 1) : NULL;
  if (registers) {
    sar_symbols_load(m, k->c->o->start, slot);
    sar_tape_eval(&tape, slot, registers, value);
  }
  sar_arena_end(&scratch, k->c->arena);
  return registers != NULL;
}

static bool put_knowns(Solver* k, const SarLoopBlock* b, int which) {
  for (int i = 0; i < b->symbols; i++) {
    const int to = b->variables + i;
    SarNode in = node_of(&k->s, &b->symbol[i]), node;
    if (in < 0 || !sar_sym_copy(k->s.g, 1, &in, k->g, &node)) return false;
    node = sar_equations_collect(k->c, node);
    if (node < 0 || !value_of(k, node, &k->at[to])) return false;
    k->x[to] = node;
    // what is long has a line and a name
    SarOpCount count;
    if (!sar_sym_count(k->g, 1, &node, &count)) return false;
    if (count.add + count.mul + count.div == 0) continue;
    if (!sar_equations_add_line(k->e, k->c, SAR_LINE_KNOWN, which, i + 1, node)) return false;
    k->x[to] = k->e->line[k->e->lines - 1].symbol;
  }
  return true;
}

// ---- polynomials --------------------------------------------------------------------------------

// Coefficients are whole numbers over a power of two: that of the least of them that is not whole.
static double whole(const SarLoopElement* e) {
  double scale = 1;
  for (int i = 0; i < e->terms; i++)
    while (e->digits <= 9 && scale < 1e300 && e->c[i] * scale != rint(e->c[i] * scale)) scale *= 2;
  return scale;
}

static SarNode term(const Solver* k, const SarLoopElement* e, int i, int count, double scale) {
  SarNode t = sar_sym_number(k->g, e->c[i] * scale);
  for (int v = 0; v < count; v++)
    for (int n = 0; v != e->main && n < e->e[i][v]; n++) t = sar_sym_mul(k->g, t, k->x[v]);
  return t;
}

static double term_value(const Solver* k, const SarLoopElement* e, int i, int count) {
  double t = e->c[i];
  for (int v = 0; v < count; v++)
    for (int n = 0; v != e->main && n < e->e[i][v]; n++) t *= k->at[v];
  return t;
}

// Leading coefficient at the start over the largest term.
static double lead_of(const Solver* k, const SarLoopElement* e, int count) {
  double lead = 0, most = 0;
  for (int i = 0; i < e->terms; i++) {
    const double t = term_value(k, e, i, count);
    if (e->e[i][e->main] == e->degree) lead += t;
    most = fmax(most, fabs(t));
  }
  return fabs(lead) / most;
}

static const SarLoopElement* choose(const Solver* k, const SarLoopBlock* b, int v, int count) {
  const SarLoopElement* best = NULL;
  double most = 0;
  for (int i = b->choice[v]; i < b->choice[v + 1]; i++) {
    const double lead = lead_of(k, &b->element[i], count);
    if (lead > 4 * most) best = &b->element[i], most = lead;  // shorter ones stand first
  }
  return best;
}

static SarNode root_of(const Solver* k, const SarLoopElement* e, int count) {
  SarGraph* g = k->g;
  const double scale = whole(e);
  double value[3] = {0};
  SarNode a[3] = {sar_sym_number(g, 0), sar_sym_number(g, 0), sar_sym_number(g, 0)};
  for (int i = 0; i < e->terms; i++) {
    const int n = e->e[i][e->main];
    a[n] = sar_sym_add(g, a[n], term(k, e, i, count, scale));
    value[n] += term_value(k, e, i, count);
  }
  for (int n = 0; n < 3; n++) a[n] = sar_equations_collect(k->c, a[n]);
  if (e->degree == 1) return sar_sym_neg(g, sar_sym_div(g, a[0], a[1]));
  const double other = value[1] + 2 * value[2] * k->at[e->main];  // sign sqrt(...) at the start
  const SarNode four = sar_sym_mul(g, sar_sym_number(g, 4), sar_sym_mul(g, a[0], a[2]));
  const SarNode root =
      sar_sym_sqrt(g, sar_equations_collect(k->c, sar_sym_sub(g, sar_sym_square(g, a[1]), four)));
  const SarNode top =
      other < 0 ? sar_sym_neg(g, sar_sym_add(g, a[1], root)) : sar_sym_sub(g, root, a[1]);
  return sar_sym_div(g, top, sar_sym_mul(g, sar_sym_number(g, 2), a[2]));
}

// ---- one loop -----------------------------------------------------------------------------------

// Terms of the polynomials that would be written; a square root is the longest formula.
static int terms_of(const SarLoopBlock* b) {
  int terms = 0;
  for (int v = 0; v < b->variables; v++) {
    const SarLoopElement* e = &b->element[b->choice[v]];
    terms += e->degree > 2 ? MOST_TERMS + 1 : e->terms;
  }
  for (int i = 0; i < b->legs; i++) terms += terms_of(&b->leg[i]);
  return terms;
}

static bool is_short(const SarLoopBlock* b) {
  return b->kind == SAR_LOOP_TRIANGULAR && terms_of(b) <= MOST_TERMS;
}

static bool solve_loop(Solver* k, const SarLoopBlock* b, int which) {
  const double* q = k->c->o->start->q;
  const int count = b->variables + b->symbols;
  if (!put_knowns(k, b, which)) return false;
  for (int v = 0; v < b->variables; v++) {
    const SarLoopVariable* x = &b->variable[v];
    k->at[v] = x->part == 's' ? sin(q[x->q]) : x->part == 'c' ? cos(q[x->q]) : q[x->q];
    k->x[v] = SAR_NONE;
  }
  for (int v = b->variables - 1; v >= 0; v--) {
    const SarLoopVariable* x = &b->variable[v];
    const SarLoopElement* e = choose(k, b, v, count);
    if (!e) return true;  // the start is at a branch point
    const SarLineKind kind = x->part == 's'   ? SAR_LINE_SINE
                             : x->part == 'c' ? SAR_LINE_COSINE
                                              : SAR_LINE_VALUE;
    if (!sar_equations_add_line(k->e, k->c, kind, x->dof, 0, root_of(k, e, count))) return false;
    k->x[v] = k->e->line[k->e->lines - 1].symbol;
  }
  return true;
}

bool sar_equations_solve(SarEquations* e, const SarCollecting* c) {
  if (!(c->o->parts & SAR_EQUATIONS_SOLUTION)) return true;
  Solver k = {.e = e, .c = c, .g = e->g};
  SarArena own;
  sar_arena_beside(&own, c->arena);
  bool done = sar_symbols_init(&k.s, e->m, &own, NULL);
  if (done) sar_symbols_kinematics(&k.s);
  int number = 0;  // of loops, legs among them
  for (int i = 0; i < c->o->flow->blocks && done && !own.failed; i++) {
    const SarLoopBlock* b = &c->o->flow->block[i];
    if (is_short(b)) done = solve_loop(&k, b, number);
    for (int l = 0; l < b->legs && done && is_short(b); l++)
      done = solve_loop(&k, &b->leg[l], number + 1 + l);
    number += 1 + b->legs;
  }
  done = done && !own.failed;
  sar_arena_end(&own, c->arena);
  return done;
}
