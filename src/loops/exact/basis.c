// Bases of blocks and legs (loops.h), and their elements with numbers for coefficients.
#include "loops/exact/build.h"

#include "base/alloc.h"
#include "base/print.h"
#include "loops/plan.h"

#include <math.h>
#include <string.h>

#define NEW(arena, type, n) SAR_ARENA_ARRAY(arena, type, (n) + 1)

// ---- elements -----------------------------------------------------------------------------------

static double number_of(const fmpz_t x, slong exponent) {
  slong e;
  const double mantissa = fmpz_get_d_2exp(&e, x);
  return ldexp(mantissa, (int)(e - exponent));
}

// Coefficients as numbers, the largest between 1/2 and 1.
static bool set_element(SarLoopFlow* f, SarLoopElement* e, const SarGroebner* g, int which) {
  const fmpz_mpoly_struct* p = &g->g[which];
  const SarPolyFigures figures = sar_poly_figures(p, g->ctx);
  const int count = (int)fmpz_mpoly_ctx_nvars(g->ctx);
  *e = (SarLoopElement){figures.main, figures.degree, figures.terms, NULL, NULL, figures.digits};
  e->c = NEW(&f->arena, double, e->terms);
  e->e = sar_arena_push(&f->arena, (size_t)(e->terms + 1) * sizeof *e->e);
  if (f->arena.failed) return false;
  ulong exponent[SAR_ALGEBRA_VARIABLES + 1];
  fmpz_t x;
  slong largest = 0;
  fmpz_init(x);
  for (int i = 0; i < e->terms; i++) {
    fmpz_mpoly_get_term_coeff_fmpz(x, p, i, g->ctx);
    const slong bits = (slong)fmpz_bits(x);
    if (bits > largest) largest = bits;
  }
  for (int i = 0; i < e->terms; i++) {
    fmpz_mpoly_get_term_coeff_fmpz(x, p, i, g->ctx);
    fmpz_mpoly_get_term_exp_ui(exponent, p, i, g->ctx);
    e->c[i] = number_of(x, largest);
    for (int v = 0; v < SAR_LOOP_MAX_VARIABLES; v++)
      e->e[i][v] = v < count ? (unsigned char)exponent[v] : 0;
  }
  fmpz_clear(x);
  return true;
}

static bool add_element(SarLoopFlow* f, SarLoopBlock* k, const SarGroebner* g, int which) {
  return set_element(f, &k->element[k->elements++], g, which);
}

enum { CHOICES = 4 };  // elements kept for a variable, to choose the best leading coefficient from

// For each variable the elements of least degree in it, the shortest first.
bool sar_loop_take_elements(SarLoopFlow* f, SarLoopBlock* k, const SarGroebner* g) {
  k->element = NEW(&f->arena, SarLoopElement, CHOICES * k->variables);
  k->choice = NEW(&f->arena, int, k->variables + 1);
  if (f->arena.failed) return false;
  k->elements = 0;
  for (int v = 0; v < k->variables; v++) {
    k->choice[v] = k->elements;
    const int best = sar_groebner_element(g, v);
    if (best < 0) {
      sar_snprintf(k->reason, sizeof k->reason, "its basis leaves a coordinate open");
      return false;
    }
    const int degree = sar_poly_figures(&g->g[best], g->ctx).degree;
    if (!add_element(f, k, g, best)) return false;
    for (int i = 0; i < g->count && k->elements - k->choice[v] < CHOICES; i++) {
      const SarPolyFigures p = sar_poly_figures(&g->g[i], g->ctx);
      if (i != best && p.main == v && p.degree == degree && !add_element(f, k, g, i)) return false;
    }
  }
  k->choice[k->variables] = k->elements;
  return true;
}

bool sar_loop_take_surfaces(SarLoopFlow* f, SarLoopBlock* k, const SarGroebner* g) {
  k->surface = NEW(&f->arena, SarLoopElement, g->count);
  k->surfaces = 0;
  if (f->arena.failed) return false;
  for (int i = 0; i < g->count; i++)
    if (sar_poly_figures(&g->g[i], g->ctx).main >= k->variables &&
        !set_element(f, &k->surface[k->surfaces++], g, i))
      return false;
  return true;
}

// ---- bases --------------------------------------------------------------------------------------

static bool find_basis(SarLoopBlock* k, const fmpq_mpoly_struct* p, int count,
                       const fmpq_mpoly_ctx_t ctx, const SarLoopOptions* o, SarGroebner* g) {
  const SarAlgebraLimits limits = {o->seconds, o->work, o->bytes, o->cancel};
  char why[SAR_GROEBNER_WHY];
  const bool good = sar_groebner(p, count, ctx, &limits, g, why) == SAR_OK;
  k->seconds = g->seconds;
  k->basis = g->count;
  k->work = g->work;
  k->bytes = g->bytes;
  if (good) return true;
  sar_snprintf(k->reason, sizeof k->reason, "no basis: %s", why);
  sar_groebner_free(g);
  return false;
}

// Once with room for all symbols, to know which there are; then in a ring that has no others.
static bool basis_within(SarLoopBuilder* b, double bound, const SarLoopOptions* o,
                         SarGroebner* out) {
  SarLoopBlock* k = b->block;
  b->numbers->bound = bound;
  const int room = 3 * k->rows;
  int count = 0, variables = SAR_LOOP_MAX_VARIABLES;
  bool good = false;
  for (int pass = 0; pass < 2; pass++) {
    fmpq_mpoly_ctx_init(b->ctx, variables, ORD_LEX);
    fmpq_mpoly_struct* p = sar_alloc((size_t)room * sizeof *p);
    if (!p) return fmpq_mpoly_ctx_clear(b->ctx), false;
    for (int i = 0; i < room; i++) fmpq_mpoly_init(&p[i], b->ctx);
    good = sar_loop_equations(b, p, &count);
    variables = k->variables + k->symbols;
    if (good && pass == 1) good = find_basis(k, p, count, b->ctx, o, out);
    for (int i = 0; i < room; i++) fmpq_mpoly_clear(&p[i], b->ctx);
    fmpq_mpoly_ctx_clear(b->ctx);
    sar_free(p);
    if (!good) break;
  }
  if (b->problem && b->problem != k->reason)
    sar_snprintf(k->reason, sizeof k->reason, "%s", b->problem);
  return good;
}

enum { MOST_PRIMES = 24 };  // of a basis that is found again with long numbers

// With short numbers first: what has a basis then keeps one. With numbers that are right to
// rounding its coefficients have up to three times as many digits.
bool sar_loop_basis(SarLoopBuilder* b, const SarLoopOptions* o, SarGroebner* out) {
  SarLoopBlock* k = b->block;
  SarLoopSymbol symbol[SAR_LOOP_MAX_VARIABLES];
  SarGroebner fine;
  if (!basis_within(b, SAR_LOOP_COARSE, o, out)) return false;
  if (out->primes > MOST_PRIMES) return true;
  const SarLoopBlock coarse = *k;
  memcpy(symbol, k->symbol, sizeof symbol);
  if (basis_within(b, SAR_LOOP_BOUND, o, &fine)) {
    k->seconds += coarse.seconds;
    sar_groebner_free(out);
    *out = fine;
  } else {
    *k = coarse;
    memcpy(k->symbol, symbol, sizeof symbol);
    b->problem = NULL;
  }
  return true;
}

bool sar_loop_triangularise(SarLoopFlow* f, SarLoopBuilder* b, const SarLoopOptions* o) {
  SarLoopBlock* k = b->block;
  SarGroebner *legs = NEW(&f->arena, SarGroebner, k->rows), core;
  if (f->arena.failed || !sar_loop_find_legs(f, b->m, k)) return false;
  bool good = sar_loop_plan_legs(f, b, o, legs);
  b->leg_basis = legs;
  if (good && k->size > SAR_LOOP_MAX_VARIABLES) {
    sar_snprintf(k->reason, sizeof k->reason, "%d unknowns in one block", k->size);
    good = false;
  }
  good = good && sar_loop_basis(b, o, &core);
  if (good) {
    good = sar_loop_take_elements(f, k, &core);
    sar_groebner_free(&core);
  }
  for (int i = 0; i < k->legs; i++)
    if (k->leg[i].kind == SAR_LOOP_TRIANGULAR) sar_groebner_free(&legs[i]);
  return good;
}
