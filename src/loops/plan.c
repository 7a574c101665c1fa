// Planning the flow: blocks, their polynomials and bases (loops.h).
#include "loops/plan.h"

#include "base/alloc.h"
#include "base/print.h"
#ifdef SARRUS_HAVE_FLINT
#include "loops/exact/build.h"
#endif

#include <stdarg.h>
#include <string.h>

// The landing gear of paper 003 takes a fifth of it; what takes more has coefficients that no
// double holds.
static const long WORK = 30000;
static const size_t BYTES = 500u << 20;

SarLoopOptions sar_loop_options(void) { return (SarLoopOptions){.work = WORK, .bytes = BYTES}; }

#define NEW(arena, type, n) SAR_ARENA_ARRAY(arena, type, (n) + 1)

// ---- blocks -------------------------------------------------------------------------------------

static void fill_block(SarLoopFlow* f, SarLoopBlock* k, const SarLoopOrder* o, int which,
                       const int* row, const int* dof) {
  k->size = 0;
  for (int i = 0; i < o->n; i++) k->size += o->block[i] == which;
  k->rows = k->size;
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

// ---- polynomials --------------------------------------------------------------------------------

static void say(SarLoopBlock* k, const char* format, ...) {
  const size_t used = strlen(k->reason);
  va_list args;
  va_start(args, format);
  sar_vsnprintf(k->reason + used, sizeof k->reason - used, format, args);
  va_end(args);
}

static int degree_of(const SarLoopBlock* k) {
  int most = 0;
  for (int i = 0; i < k->elements; i++)
    if (k->element[i].degree > most) most = k->element[i].degree;
  return most;
}

// What stands with a loop that has polynomials, or an aim.
static void say_solution(SarLoopBlock* k) {
  const int most = degree_of(k);
  k->reason[0] = 0;
  if (k->variables == 0)
    say(k, "the direction between its ends, closed form");
  else
    say(k, "%d polynomials of degree %d at most, %s", k->variables, most,
        most <= 4 ? "closed form" : "a fixed number of root steps");
}

static SarLoopKind kind_of(const SarLoopBlock* k) {
  for (int i = 0; i < k->legs; i++)
    if (k->leg[i].kind == SAR_LOOP_AIMED) return SAR_LOOP_AIMED;
  return SAR_LOOP_TRIANGULAR;
}

static void plan_block(SarLoopFlow* f, const SarModel* m, const double* q, int which, int* known,
                       const SarLoopOptions* o) {
  SarLoopBlock* k = &f->block[which];
  if (is_given(m, k)) {
    k->kind = SAR_LOOP_GIVEN;
    say(k, "its row gives it");
    return;
  }
  k->kind = SAR_LOOP_NEWTON;
#ifdef SARRUS_HAVE_FLINT
  SarLoopNumbers numbers = {0};
  SarLoopBuilder b = {
      .m = m, .q = q, .X_GB = f->pose, .known_at = known, .block = k, .numbers = &numbers};
  if (o->work == 0) {
    say(k, "as asked for");
  } else if (m->nmodal > 0) {
    say(k, "the model has modal bodies");
  } else if (sar_loop_triangularise(f, &b, o)) {
    k->kind = kind_of(k);
    say_solution(k);
  } else if (sar_loop_has_core(k)) {
    k->kind = SAR_LOOP_TORN;
  } else {
    k->legs = 0;
  }
  for (int i = 0; i < k->legs; i++) say_solution(&k->leg[i]);
#else
  (void)m, (void)q, (void)known, (void)o;
  say(k, "this build has no FLINT");
#endif
}

// Do the symbols of a block follow from coordinates of an earlier one?
static bool is_fresh(const SarLoopFlow* f, const SarModel* m, const SarLoopBlock* k, int which) {
  for (int i = 0; i < k->legs; i++)
    if (is_fresh(f, m, &k->leg[i], which)) return true;
  for (int i = 0; i < k->symbols; i++)
    for (int side = 0; side < 2; side++)
      for (int b = side ? k->symbol[i].of : k->symbol[i].in; b >= 0; b = m->body_parent[b])
        for (int j = 0; j < m->joint_nv[b]; j++) {
          const int found = f->dof_block[m->joint_vadr[b] + j];
          if (found >= 0 && found != which) return true;
        }
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
    k->fresh = is_fresh(f, m, k, b);
    f->polynomials += k->kind == SAR_LOOP_TRIANGULAR;
    f->iterated += k->kind == SAR_LOOP_NEWTON || k->kind == SAR_LOOP_TORN;
    f->torn += k->kind == SAR_LOOP_TORN;
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
