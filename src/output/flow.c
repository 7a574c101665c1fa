// The solution flow in words (flow.h), from the plan of formulation `embedding`.
#include "output/flow.h"

#include "base/error.h"
#include "formulations/embedding/plan.h"
#include "model/sim.h"

#include <stdint.h>

static const char* const KINDS[] = {"given", "triangular", "newton", "triangular", "newton"};

#define NEW(r, type, n) SAR_ARENA_ARRAY(&(r)->arena, type, (n) + 1)

static const char* name_of(SarFlowReport* r, const SarModel* m, int dof) {
  char name[SAR_LOOP_NAME];
  sar_embedding_dof_name(m, dof, name, sizeof name);
  return sar_arena_strdup(&r->arena, name);
}

// Elements in the order of their use: the last variable is found first.
static void put_polynomials(SarFlowReport* r, const SarModel* m, const SarLoopBlock* k,
                            SarFlowLoop* out) {
  if (k->elements == 0) return;
  out->polynomial = NEW(r, SarFlowPolynomial, k->variables);
  if (r->arena.failed) return;
  for (int v = k->variables - 1; v >= 0; v--) {
    const SarLoopElement* e = &k->element[k->choice[v]];
    const SarLoopVariable* x = &k->variable[v];
    SarFlowPolynomial* p = &out->polynomial[out->polynomials++];
    char name[SAR_LOOP_NAME];
    sar_embedding_dof_name(m, x->dof, name, sizeof name);
    *p = (SarFlowPolynomial){
        .part = x->part, .degree = e->degree, .terms = e->terms, .digits = e->digits};
    p->of = sar_arena_printf(&r->arena, "%s%s",
                             x->part == 's'   ? "sin "
                             : x->part == 'c' ? "cos "
                                              : "",
                             name);
    while (p->coordinate < out->unknowns - 1 && out->dof[p->coordinate] != x->dof) p->coordinate++;
  }
}

// What the rows of a loop contain beside its own unknowns and those of its legs, in the order of
// the tree.
static void put_knowns(SarFlowReport* r, const SarModel* m, const SarLoopBlock* k,
                       SarFlowLoop* out) {
  const int which = (int)(out - r->loop);
  bool* seen = NEW(r, bool, m->nv);
  out->known = NEW(r, const char*, m->nv);
  out->from = NEW(r, int, m->nv);
  if (r->arena.failed) return;
  for (int i = 0; i < k->rows; i++)
    for (int e = m->row_adr[k->row[i]]; e < m->row_adr[k->row[i] + 1]; e++)
      seen[m->row_dof[e]] = true;
  for (int i = 0; i < m->nv; i++) {
    const int from = r->loop_of[i];
    if (!seen[i] || from >= which) continue;
    out->known[out->knowns] = name_of(r, m, i);
    out->from[out->knowns++] = from;
    if (from >= 0 && r->loop[from].level + 1 > out->level) out->level = r->loop[from].level + 1;
  }
}

static void put_constraints(SarFlowReport* r, const SarModel* m, const SarLoopBlock* k,
                            SarFlowLoop* out) {
  bool* seen = NEW(r, bool, m->nconstraint);
  out->constraint = NEW(r, const char*, k->rows);
  if (r->arena.failed) return;
  for (int i = 0; i < k->rows; i++) {
    const int c = m->row[k->row[i]].constraint;
    if (seen[c]) continue;
    seen[c] = true;
    out->constraint[out->constraints++] =
        sar_arena_strdup(&r->arena, sar_text(m, m->constraint[c].name));
  }
}

// A block without its legs, or a leg.
static void put_loop(SarFlowReport* r, const SarModel* m, const SarLoopBlock* k, int* loop_of) {
  const int which = r->loops++;
  SarFlowLoop* out = &r->loop[which];
  *out = (SarFlowLoop){.kind = KINDS[k->kind],
                       .reason = sar_arena_strdup(&r->arena, k->reason),
                       .unknown = NEW(r, const char*, k->size),
                       .dof = NEW(r, int, k->size),
                       .symbols = k->symbols,
                       .basis = k->basis,
                       .work = k->work,
                       .seconds = k->seconds,
                       .bytes = k->bytes};
  if (r->arena.failed) return;
  for (int i = 0; i < k->size; i++) {
    if (sar_loop_leg_of(k, k->dof[i]) >= 0) continue;
    loop_of[k->dof[i]] = which;
    out->dof[out->unknowns] = k->dof[i];
    out->unknown[out->unknowns++] = name_of(r, m, k->dof[i]);
  }
}

static void describe_loop(SarFlowReport* r, const SarModel* m, const SarLoopBlock* k,
                          SarFlowLoop* out) {
  put_knowns(r, m, k, out);
  put_constraints(r, m, k, out);
  put_polynomials(r, m, k, out);
  if (out->level + 1 > r->levels) r->levels = out->level + 1;
}

static void put_loops(SarFlowReport* r, const SarModel* m, const SarLoopFlow* f) {
  int count = 0, *loop_of = NEW(r, int, m->nv);
  for (int b = 0; b < f->blocks; b++) count += 1 + f->block[b].legs;
  r->loop = NEW(r, SarFlowLoop, count);
  const SarLoopBlock** block = NEW(r, const SarLoopBlock*, count);
  if (r->arena.failed) return;
  for (int i = 0; i < m->nv; i++) loop_of[i] = -1;
  r->loop_of = loop_of;
  for (int b = 0; b < f->blocks; b++) {
    block[r->loops] = &f->block[b];
    put_loop(r, m, &f->block[b], loop_of);
    for (int i = 0; i < f->block[b].legs; i++) {
      block[r->loops] = &f->block[b].leg[i];
      put_loop(r, m, &f->block[b].leg[i], loop_of);
    }
  }
  for (int i = 0; i < r->loops && !r->arena.failed; i++) describe_loop(r, m, block[i], &r->loop[i]);
}

static void fill(SarFlowReport* r, const SarModel* m, const SarLoopFlow* f) {
  r->coordinates = m->nv;
  r->name = sar_arena_strdup(&r->arena, sar_text(m, m->name));
  r->verdict = "no loops";
  r->independent = NEW(r, const char*, m->nv);
  if (r->arena.failed) return;
  for (int i = 0; i < m->nv; i++)
    if (!f || f->dof_block[i] < 0) r->independent[r->independents++] = name_of(r, m, i);
  r->dependent = m->nv - r->independents;
  if (!f) return;
  put_loops(r, m, f);
  r->verdict = f->iterated == 0 ? "triangular" : r->loops > 1 ? "block-triangular" : "newton";
}

// Forces and motors do not matter here: any formulation that takes the model will do.
static SarStatus make_sim(const SarModel* m, SarData** d, SarSim** s, SarError* err) {
  for (int i = 0; i < m->nrow; i++)
    if (m->row[i].nonholonomic) {
      sar_report(err, (SarLoc){0}, "leave it out to see the others",
                 "'%s' rolls without slip: it holds speeds, and no position follows from it",
                 sar_text(m, m->constraint[m->row[i].constraint].name));
      return SAR_NOT_OFFERED;
    }
  SAR_TRY(sar_data_new(m, d, err));
  const SarSimOptions o = sar_sim_options();
  return sar_sim_new(m, *d, &o, s, err);
}

SarStatus sar_flow_report(const SarModel* m, SarFlowReport* out, SarError* err) {
  *out = (SarFlowReport){0};
  sar_arena_init(&out->arena);
  SarData* d = NULL;
  SarSim* s = NULL;
  SarLoopFlow* flow = NULL;
  SarStatus st = make_sim(m, &d, &s, err);
  if (st == SAR_OK) st = sar_embedding_flow_new(s, &flow);
  if (st == SAR_OK) fill(out, m, flow);
  if (st == SAR_OK && out->arena.failed) st = SAR_NO_MEMORY;
  out->flow = flow;
  out->start = d;
  sar_sim_free(s);
  return st;
}

void sar_flow_report_free(SarFlowReport* r) {
  sar_flow_free((SarLoopFlow*)(uintptr_t)r->flow);
  sar_data_free(r->start);
  sar_arena_free(&r->arena);
}
