// Roots of polynomials over symbols (polynomial.h): loops/solve.c with nodes for numbers.
//
// Coefficients are evaluated in Horner's form: the variable that most terms have is factored out of
// them, again and again.
#include "codegen/polynomial.h"

#include "dynamics/tree.h"

#include <math.h>
#include <string.h>

enum { STEPS = 12, MOST_DEGREE = 40, MOST_TERMS = 2000 };
static const double FAR = 0.5, LEAST = 1e-6;

// ---- the choice ---------------------------------------------------------------------------------

static double part_of(double q, char part) {
  return part == 's' ? sin(q) : part == 'c' ? cos(q) : q;
}

void sar_polynomial_start(const SarModel* m, const SarLoopBlock* k, const double* q,
                          const SarLoopFlow* f, double* x) {
  for (int v = 0; v < k->variables; v++) x[v] = part_of(q[k->variable[v].q], k->variable[v].part);
  sar_poses_at(m, q, f->pose);
  for (int i = 0; i < k->symbols; i++) {
    const SarLoopSymbol* s = &k->symbol[i];
    const Xform of = s->of < 0 ? x_identity() : f->pose[s->of];
    const Xform in = sar_loop_symbol_frame(m, s, f->pose);
    const V3 v =
        s->direction ? m3_tmul_v(in.R, m3_mul_v(of.R, s->at)) : x_point_inv(in, x_point(of, s->at));
    x[k->variables + i] = s->part             ? part_of(q[s->q], s->part)
                          : s->component == 0 ? v.x
                          : s->component == 1 ? v.y
                                              : v.z;
  }
}

// ---- order --------------------------------------------------------------------------------------

static int difference_of(const SarLoopSymbol* a, const SarLoopSymbol* b) {
  const int x[] = {a->part, a->q, a->direction, a->of, a->in, a->component},
            y[] = {b->part, b->q, b->direction, b->of, b->in, b->component};
  for (size_t i = 0; i < sizeof x / sizeof *x; i++)
    if (x[i] != y[i]) return x[i] - y[i];
  return 0;
}

// By insertion: symbol[i] was number from[i].
static void sort_symbols(SarLoopBlock* k, int* from) {
  for (int i = 0; i < k->symbols; i++) {
    const SarLoopSymbol symbol = k->symbol[i];
    int at = i;
    for (; at > 0 && difference_of(&k->symbol[at - 1], &symbol) > 0; at--)
      k->symbol[at] = k->symbol[at - 1], from[at] = from[at - 1];
    k->symbol[at] = symbol, from[at] = i;
  }
}

// Terms by falling exponents.
static bool sort_terms(SarArena* arena, const SarLoopBlock* k, const int* from, SarLoopElement* e) {
  const SarLoopElement old = *e;
  e->c = SAR_ARENA_ARRAY(arena, double, e->terms + 1);
  e->e = sar_arena_push(arena, (size_t)(e->terms + 1) * sizeof *e->e);
  if (!e->c || !e->e) return false;
  for (int i = 0; i < e->terms; i++) {
    unsigned char power[SAR_LOOP_MAX_VARIABLES];
    int at = i;
    memcpy(power, old.e[i], sizeof power);
    for (int s = 0; s < k->symbols; s++) power[k->variables + s] = old.e[i][k->variables + from[s]];
    for (; at > 0 && memcmp(e->e[at - 1], power, sizeof power) < 0; at--) {
      memcpy(e->e[at], e->e[at - 1], sizeof power);
      e->c[at] = e->c[at - 1];
    }
    memcpy(e->e[at], power, sizeof power);
    e->c[at] = old.c[i];
  }
  return true;
}

bool sar_polynomials_sort(SarArena* arena, SarLoopBlock* k) {
  int from[SAR_LOOP_MAX_VARIABLES] = {0};
  SarLoopSymbol* symbol = SAR_ARENA_ARRAY(arena, SarLoopSymbol, k->symbols + 1);
  SarLoopElement* element = SAR_ARENA_ARRAY(arena, SarLoopElement, k->elements + 1);
  if (!symbol || !element) return false;
  if (k->symbols > 0) memcpy(symbol, k->symbol, (size_t)k->symbols * sizeof *symbol);
  if (k->elements > 0) memcpy(element, k->element, (size_t)k->elements * sizeof *element);
  k->symbol = symbol, k->element = element;
  sort_symbols(k, from);
  for (int i = 0; i < k->elements; i++)
    if (!sort_terms(arena, k, from, &k->element[i])) return false;
  return true;
}

// ---- leads --------------------------------------------------------------------------------------

// The leading coefficient over the largest term.
static double lead_of(const SarLoopElement* e, int count, const double* x) {
  double lead = 0, size = 0;
  for (int i = 0; i < e->terms; i++) {
    double t = e->c[i];
    for (int v = 0; v < count; v++)
      if (v != e->main) t *= pow(x[v], e->e[i][v]);
    if (e->e[i][e->main] == e->degree) lead += t;
    size = fmax(size, fabs(t));
  }
  return size > 0 ? fabs(lead) / size : 0;
}

const SarLoopElement* sar_polynomial_choose(const SarLoopBlock* k, int v, const double* x) {
  const SarLoopElement* best = NULL;
  const int count = k->variables + k->symbols;
  double most = LEAST;
  for (int i = k->choice[v]; i < k->choice[v + 1]; i++)
    most = fmax(most, lead_of(&k->element[i], count, x));
  for (int i = k->choice[v]; i < k->choice[v + 1]; i++) {
    const SarLoopElement* e = &k->element[i];
    if (e->degree > MOST_DEGREE || e->terms > MOST_TERMS || lead_of(e, count, x) < 0.1 * most)
      continue;
    if (!best || e->terms < best->terms) best = e;
  }
  return best;
}

// ---- coefficients -------------------------------------------------------------------------------

typedef struct Terms {
  SarGraph* g;
  const SarNode* x;
  int count;  // of x
  double* c;
  unsigned char (*e)[SAR_LOOP_MAX_VARIABLES];
  SarTwins* twins;
  int main;
} Terms;

static int most_common(const Terms* t, const int* which, int n) {
  int best = -1, most = 1;
  for (int v = 0; v < t->count; v++) {
    int found = 0;
    for (int i = 0; i < n; i++) found += t->e[which[i]][v] > 0;
    if (found > most) most = found, best = v;
  }
  return best;
}

static SarNode product(const Terms* t, int term) {
  SarNode y = !t->twins ? s_num(t->g, t->c[term])
                        : sar_twins_own_number(t->twins, t->g,
                                               SAR_TWIN_COEFFICIENT + t->main * MOST_TERMS + term,
                                               t->c[term]);
  for (int v = 0; v < t->count; v++)
    for (int k = 0; k < t->e[term][v]; k++) y = s_mul(t->g, y, t->x[v]);
  return y;
}

// Sum of the terms in `which`, which is reordered; each turn takes one power off some of them.
static SarNode horner(const Terms* t, int* which, int n) {
  SarNode sum = s_num(t->g, 0);
  while (n > 0) {
    const int v = most_common(t, which, n);
    if (v < 0) {
      for (int i = 0; i < n; i++) sum = s_add(t->g, sum, product(t, which[i]));
      return sum;
    }
    int with = 0;
    for (int i = 0; i < n; i++)
      if (t->e[which[i]][v] > 0) {
        const int swap = which[with];
        t->e[which[i]][v]--;
        which[with] = which[i], which[i] = swap;
        with++;
      }
    sum = s_mac(t->g, sum, t->x[v], horner(t, which, with));
    which += with, n -= with;
  }
  return sum;
}

static SarNode coefficient(const Terms* t, const SarLoopElement* e, int power, int* which) {
  int n = 0;
  for (int i = 0; i < e->terms; i++)
    if (e->e[i][e->main] == power) {
      memcpy(t->e[i], e->e[i], sizeof t->e[i]);
      t->e[i][e->main] = 0;
      which[n++] = i;
    }
  return horner(t, which, n);
}

// ---- roots --------------------------------------------------------------------------------------

// a_2 x^2 + a_0 = 0: the root that has the sign of `near`
static SarNode pure_quadratic(SarGraph* g, const SarNode* a, SarNode near) {
  const SarNode o = s_num(g, 0), square = s_neg(g, s_mul(g, a[2], a[0]));
  const SarNode root = sar_sym_sqrt(g, sar_sym_call(g, SAR_OP_MAX, square, o));
  const SarNode below = sar_sym_call(g, SAR_OP_LE, s_mul(g, a[2], near), o);
  return s_div(g, sar_sym_select(g, below, s_neg(g, root), root), a[2]);
}

// On the side of the vertex where `near` is; no difference of like numbers.
static SarNode quadratic(SarGraph* g, const SarNode* a, SarNode near) {
  if (s_is_zero(g, a[1])) return pure_quadratic(g, a, near);
  const SarNode o = s_num(g, 0), half = s_mul(g, s_num(g, 0.5), a[1]);
  const SarNode square = s_msc(g, s_mul(g, half, half), a[2], a[0]);
  const SarNode root = sar_sym_sqrt(g, sar_sym_call(g, SAR_OP_MAX, square, o));
  const SarNode up = sar_sym_call(g, SAR_OP_GE, half, o);
  const SarNode big = s_neg(g, sar_sym_select(g, up, s_add(g, half, root), s_sub(g, half, root)));
  const SarNode below = sar_sym_call(g, SAR_OP_LE, s_mac(g, half, a[2], near), o);
  const SarNode first = sar_sym_call(g, SAR_OP_EQ, up, below);
  return s_div(g, sar_sym_select(g, first, big, a[0]), sar_sym_select(g, first, a[2], big));
}

static SarNode by_steps(SarGraph* g, const SarNode* a, int degree, SarNode near) {
  SarNode x = near;
  for (int i = 0; i < STEPS; i++) {
    SarNode f = a[degree], d = s_num(g, 0);
    for (int k = degree - 1; k >= 0; k--) {
      d = s_mac(g, f, d, x);
      f = s_mac(g, a[k], f, x);
    }
    SarNode step = s_div(g, f, d);
    step = sar_sym_call(g, SAR_OP_MAX, step, s_num(g, -FAR));
    x = s_sub(g, x, sar_sym_call(g, SAR_OP_MIN, step, s_num(g, FAR)));
  }
  return x;
}

// The term that is a number times the main variable, where nothing else stands with that; -1: there
// is none.
static int plain_lead(const SarLoopElement* e, int count) {
  int found = -1;
  for (int i = 0; i < e->terms; i++) {
    int others = 0;
    if (e->e[i][e->main] == 0) continue;
    for (int v = 0; v < count; v++) others += v != e->main && e->e[i][v] > 0;
    if (found >= 0 || others > 0) return -1;
    found = i;
  }
  return found;
}

// x + a_0 = 0 in place of a_1 x + a_0 = 0 with a number a_1: no division is left
static bool divide_by_lead(SarArena* scratch, int count, SarLoopElement* e) {
  const int lead = e->degree == 1 ? plain_lead(e, count) : -1;
  const double* from = e->c;
  if (lead < 0) return true;
  e->c = SAR_ARENA_ARRAY(scratch, double, e->terms + 1);
  for (int i = 0; e->c && i < e->terms; i++) e->c[i] = from[i] / from[lead];
  return e->c != NULL;
}

SarNode sar_polynomial_root(SarGraph* g, const SarLoopElement* of, int count, const SarNode* x,
                            SarNode near, SarTwins* twins) {
  SarArena scratch;
  SarLoopElement own = *of, *e = &own;
  SarNode a[MOST_DEGREE + 1], root = SAR_NONE;
  sar_arena_beside(&scratch, sar_graph_arena(g));
  const bool scaled = divide_by_lead(&scratch, count, e);
  Terms t = {.g = g, .x = x, .count = count, .c = e->c, .twins = twins, .main = e->main};
  t.e = sar_arena_push(&scratch, (size_t)(e->terms + 1) * sizeof *t.e);
  int* which = SAR_ARENA_ARRAY(&scratch, int, e->terms + 1);
  if (scaled && t.e && which) {
    for (int k = 0; k <= e->degree; k++) a[k] = coefficient(&t, e, k, which);
    if (e->degree == 1 && plain_lead(e, count) >= 0) a[1] = s_num(g, 1);
    root = e->degree == 1   ? s_neg(g, s_div(g, a[0], a[1]))
           : e->degree == 2 ? quadratic(g, a, near)
                            : by_steps(g, a, e->degree, near);
  }
  sar_arena_end(&scratch, sar_graph_arena(g));
  return root;
}
