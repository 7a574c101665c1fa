// Planning the flow: blocks, their polynomials and bases (loops.h).
#include "loops/plan.h"

#include "base/alloc.h"
#include "base/print.h"
#ifdef SARRUS_HAVE_FLINT
#include "loops/exact/build.h"
#endif

#include <math.h>
#include <string.h>

// The landing gear of paper 003 takes a fifth of it; what takes more has coefficients that no double holds.
static const long WORK = 30000;
static const size_t BYTES = 500u << 20;

SarLoopOptions sar_loop_options(void) { return (SarLoopOptions){.work = WORK, .bytes = BYTES}; }

#define NEW(arena, type, n) SAR_ARENA_ARRAY(arena, type, (n) + 1)

// ---- blocks --------------------------------------------------------------------------------------

static void fill_block(SarLoopFlow* f, SarLoopBlock* k, const SarLoopOrder* o, int which,
                       const int* row, const int* dof) {
  k->size = 0;
  for (int i = 0; i < o->n; i++) k->size += o->block[i] == which;
  k->row = NEW(&f->arena, int, k->size);
  k->dof = NEW(&f->arena, int, k->size);
  k->variable = NEW(&f->arena, SarLoopVariable, 2 * k->size);
  k->symbol = NEW(&f->arena, SarLoopSymbol, SAR_LOOP_MAX_VARIABLES);
  if (f->arena.failed) return;
  int rows = 0, dofs = 0;
  for (int i = 0; i < o->n; i++)
    if (o->block[i] == which) k->row[rows++] = row[i];
  for (int c = 0; c < o->n; c++)
    if (o->block[o->row_of[c]] == which) k->dof[dofs++] = dof[c];
  for (int i = 1; i < dofs; i++)  // from the ground outwards
    for (int j = i; j > 0 && k->dof[j] < k->dof[j - 1]; j--) {
      const int swap = k->dof[j];
      k->dof[j] = k->dof[j - 1], k->dof[j - 1] = swap;
    }
}

static bool make_blocks(SarLoopFlow* f, const SarModel* m, int rank, const int* row,
                        const int* dof) {
  SarArena* a = &f->arena;
  SarLoopOrder o = {.n = rank};
  bool* entry = NEW(a, bool, rank* rank);
  int* place = NEW(a, int, m->nv);
  o.row_of = NEW(a, int, rank), o.block = NEW(a, int, rank), o.index = NEW(a, int, rank);
  o.low = NEW(a, int, rank), o.stack = NEW(a, int, rank);
  o.seen = NEW(a, bool, rank), o.on_stack = NEW(a, bool, rank);
  f->dof_block = NEW(a, int, m->nv);
  if (a->failed) return false;
  memset(entry, 0, (size_t)rank * (size_t)rank * sizeof *entry);
  for (int i = 0; i < m->nv; i++) place[i] = f->dof_block[i] = -1;
  for (int k = 0; k < rank; k++) place[dof[k]] = k;
  for (int i = 0; i < rank; i++)
    for (int e = m->row_adr[row[i]]; e < m->row_adr[row[i] + 1]; e++)
      if (place[m->row_dof[e]] >= 0) entry[i * rank + place[m->row_dof[e]]] = true;
  o.entry = entry;
  if (!sar_loop_order(&o)) {  // one block of all
    for (int i = 0; i < rank; i++) o.row_of[i] = i, o.block[i] = 0;
    o.blocks = rank > 0;
  }
  f->block = NEW(a, SarLoopBlock, o.blocks);
  if (a->failed) return false;
  memset(f->block, 0, (size_t)(o.blocks + 1) * sizeof *f->block);
  f->blocks = o.blocks;
  for (int b = 0; b < o.blocks; b++) {
    fill_block(f, &f->block[b], &o, b, row, dof);
    if (a->failed) return false;
    for (int i = 0; i < f->block[b].size; i++) f->dof_block[f->block[b].dof[i]] = b;
  }
  return true;
}

// A drive, a coupling: one coordinate that its row measures.
static bool is_given(const SarModel* m, const SarLoopBlock* k) {
  int terms = 0;
  if (k->size != 1) return false;
  for (int i = 0; i < m->nterm; i++)
    if (m->term[i].row == k->row[0]) {
      terms++;
      if (m->term[i].kind != SAR_TERM_COORDINATE) return false;
    }
  return terms > 0;
}

// ---- bases ---------------------------------------------------------------------------------------

#ifdef SARRUS_HAVE_FLINT
static double number_of(const fmpz_t x, slong exponent) {
  slong e;
  const double mantissa = fmpz_get_d_2exp(&e, x);
  return ldexp(mantissa, (int)(e - exponent));
}

// Coefficients as numbers, the largest between 1/2 and 1.
static bool add_element(SarLoopFlow* f, SarLoopBlock* k, const SarGroebner* g, int which) {
  const fmpz_mpoly_struct* p = &g->g[which];
  const SarPolyFigures figures = sar_poly_figures(p, g->ctx);
  SarLoopElement* e = &k->element[k->elements];
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
      e->e[i][v] = v < k->variables + k->symbols ? (unsigned char)exponent[v] : 0;
  }
  fmpz_clear(x);
  k->elements++;
  return true;
}

enum { CHOICES = 4 };  // elements kept for a variable, to choose the best leading coefficient from

// For each variable the elements of least degree in it, the shortest first.
static bool take_elements(SarLoopFlow* f, SarLoopBlock* k, const SarGroebner* g) {
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

static bool find_basis(SarLoopFlow* f, SarLoopBlock* k, const fmpq_mpoly_struct* p, int count,
                       const fmpq_mpoly_ctx_t ctx, const SarLoopOptions* o) {
  const SarAlgebraLimits limits = {o->seconds, o->work, o->bytes, o->cancel};
  char why[SAR_GROEBNER_WHY];
  SarGroebner g;
  bool good = sar_groebner(p, count, ctx, &limits, &g, why) == SAR_OK;
  k->seconds = g.seconds;
  k->basis = g.count;
  k->work = g.work;
  if (!good)
    sar_snprintf(k->reason, sizeof k->reason, "no basis: %s", why);
  else
    good = take_elements(f, k, &g);
  sar_groebner_free(&g);
  return good;
}

// Once with room for all symbols, to know which there are; then in a ring that has no others.
static bool triangularise(SarLoopFlow* f, SarLoopBuilder* b, const SarLoopOptions* o) {
  SarLoopBlock* k = b->block;
  const int room = 3 * k->size;
  int count = 0, variables = SAR_LOOP_MAX_VARIABLES;
  bool good = false;
  for (int pass = 0; pass < 2; pass++) {
    fmpq_mpoly_ctx_init(b->ctx, variables, ORD_LEX);
    fmpq_mpoly_struct* p = sar_alloc((size_t)room * sizeof *p);
    if (!p) return fmpq_mpoly_ctx_clear(b->ctx), false;
    for (int i = 0; i < room; i++) fmpq_mpoly_init(&p[i], b->ctx);
    good = sar_loop_equations(b, p, &count);
    variables = k->variables + k->symbols;
    if (good && pass == 1) good = find_basis(f, k, p, count, b->ctx, o);
    for (int i = 0; i < room; i++) fmpq_mpoly_clear(&p[i], b->ctx);
    fmpq_mpoly_ctx_clear(b->ctx);
    sar_free(p);
    if (!good) break;
  }
  if (b->problem) sar_snprintf(k->reason, sizeof k->reason, "%s", b->problem);
  return good;
}
#endif

static void say_triangular(SarLoopBlock* k) {
  int most = 0;
  for (int i = 0; i < k->elements; i++)
    if (k->element[i].degree > most) most = k->element[i].degree;
  sar_snprintf(k->reason, sizeof k->reason, "%d polynomials of degree %d at most, %s", k->variables,
               most, most <= 4 ? "closed form" : "a fixed number of root steps");
}

static void say_aimed(const SarModel* m, SarLoopBlock* k) {
  const size_t used = strlen(k->reason);
  sar_snprintf(k->reason + used, sizeof k->reason - used,
               ", by the distance of its ends; then joint '%.40s' aims the link",
               sar_text(m, m->joint_name[k->aim.link]));
}

static void plan_block(SarLoopFlow* f, const SarModel* m, const double* q, int which, int* known,
                       const SarLoopOptions* o) {
  SarLoopBlock* k = &f->block[which];
  if (is_given(m, k)) {
    k->kind = SAR_LOOP_GIVEN;
    sar_snprintf(k->reason, sizeof k->reason, "its row gives it");
    return;
  }
  k->kind = SAR_LOOP_NEWTON;
#ifdef SARRUS_HAVE_FLINT
  SarLoopBuilder b = {.m = m, .q = q, .X_GB = f->pose, .known_at = known, .block = k};
  const bool aimed = sar_loop_find_aim(m, k, &k->aim);
  if (aimed) b.aim = &k->aim;
  if (o->work == 0)
    sar_snprintf(k->reason, sizeof k->reason, "as asked for");
  else if (k->size > SAR_LOOP_MAX_VARIABLES)
    sar_snprintf(k->reason, sizeof k->reason, "%d unknowns in one block", k->size);
  else if (triangularise(f, &b, o))
    k->kind = aimed ? SAR_LOOP_AIMED : SAR_LOOP_TRIANGULAR;
  if (k->kind != SAR_LOOP_NEWTON) say_triangular(k);
  if (k->kind == SAR_LOOP_AIMED) say_aimed(m, k);
#else
  (void)m, (void)q, (void)known, (void)o;
  sar_snprintf(k->reason, sizeof k->reason, "this build has no FLINT");
#endif
}

// Do the symbols of a block follow from coordinates of an earlier one?
static bool is_fresh(const SarLoopFlow* f, const SarModel* m, const SarLoopBlock* k) {
  for (int i = 0; i < k->symbols; i++)
    for (int side = 0; side < 2; side++)
      for (int b = side ? k->symbol[i].of : k->symbol[i].in; b >= 0; b = m->body_parent[b])
        for (int j = 0; j < m->joint_nv[b]; j++)
          if (f->dof_block[m->joint_vadr[b] + j] >= 0) return true;
  return false;
}

SarLoopFlow* sar_flow_new(const SarModel* m, const double* q, int rank, const int* row,
                          const int* dof, const SarLoopOptions* o) {
  SarLoopFlow* f = sar_alloc(sizeof *f);
  if (!f) return NULL;
  *f = (SarLoopFlow){.dependent = rank};
  sar_arena_init(&f->arena);
  int* known = NEW(&f->arena, int, m->nv);
  f->pose = NEW(&f->arena, Xform, m->nbody);
  f->q = NEW(&f->arena, double, m->nq);
  if (f->arena.failed || !make_blocks(f, m, rank, row, dof)) return sar_flow_free(f), NULL;
  sar_poses_at(m, q, f->pose);
  for (int i = 0; i < m->nv; i++) known[i] = f->dof_block[i] < 0;
  for (int b = 0; b < f->blocks; b++) {
    SarLoopBlock* k = &f->block[b];
    plan_block(f, m, q, b, known, o);
    for (int i = 0; i < k->size; i++) known[k->dof[i]] = 1;
    k->fresh = is_fresh(f, m, k);
    f->polynomials += k->kind == SAR_LOOP_TRIANGULAR;
    f->iterated += k->kind == SAR_LOOP_NEWTON;
    f->aimed += k->kind == SAR_LOOP_AIMED;
  }
  if (f->arena.failed) return sar_flow_free(f), NULL;
  return f;
}

void sar_flow_free(SarLoopFlow* f) {
  if (!f) return;
  sar_arena_free(&f->arena);
  sar_free(f);
}
