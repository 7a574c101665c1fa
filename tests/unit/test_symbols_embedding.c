// The embedding technique over symbols against numbers, on random mechanisms with loops of every
// family: accelerations and multipliers against the formulation `embedding`; loops that were opened
// and are closed again, by polynomials and by Newton's method, against the closed position.
//
// Both evaluate the same formulas in another order, with other pivots: bounds are rounding times
// what the least pivot of the choice adds, which `flat` and the grip of the start keep from
// growing; states where the interpreter ends a step (singular positions) are not compared.
#include "support/random_loops.h"

#include "codegen/generate.h"
#include "codegen/slots.h"
#include "dynamics/constraints.h"
#include "dynamics/projection.h"
#include "formulations/embedding/plan.h"
#include "model/sim.h"

typedef struct Bench {
  SarModel* m;
  SarData* d;
  SarSim* sim;
  SarArena arena;
  SarGeneration g;
} Bench;

typedef struct Tally {
  int mechanisms, refused, states, closed, doubted, singular;
  double worst;
} Tally;

static int slot_of(void* context, const char* name) {
  const Bench* b = context;
  return sar_symbols_slot(b->m, name);
}

// Values of nodes of a graph at the present state, with numbers for the symbols of twins.
static double* values(Bench* b, SarGraph* from, int n, const SarNode* nodes) {
  SarTape tape;
  SarGraph* g = sar_graph_new(&b->arena);
  SarNode* node = SAR_ARENA_ARRAY(&b->arena, SarNode, n + 1);
  assert_non_null(g);
  assert_non_null(node);
  assert_true(sar_twins_put_numbers(b->g.twins, from, n, nodes, g, node));
  assert_true(sar_tape_build(&b->arena, g, n, node, slot_of, b, &tape));
  double* slot = SAR_ARENA_ARRAY(&b->arena, double, sar_symbols_slots(b->m) + 1);
  double* scratch = SAR_ARENA_ARRAY(&b->arena, double, tape.registers + 1);
  double* out = SAR_ARENA_ARRAY(&b->arena, double, n + 1);
  sar_symbols_load(b->m, b->d, slot);
  sar_tape_eval(&tape, slot, scratch, out);
  return out;
}

static double value(Bench* b, SarGraph* g, SarNode node) { return values(b, g, 1, &node)[0]; }

static void expect_close(Tally* t, int trial, const char* what, int n, const double* found,
                         const double* wanted, double bound) {
  double size = 1;
  for (int i = 0; i < n; i++) size = fmax(size, fabs(wanted[i]));
  for (int i = 0; i < n; i++) {
    const double off = fabs(found[i] - wanted[i]) / size;
    if (!(off <= bound)) {
      print_error("mechanism %d: %s[%d] is %.17g, by numbers %.17g\n", trial, what, i, found[i],
                  wanted[i]);
      fail();
    }
    t->worst = fmax(t->worst, off / bound);
  }
}

// ---- one state ----------------------------------------------------------------------------------

// Speeds of dependent coordinates are not looked at: they may be anything.
static void check_rates(Bench* b, Tally* t, int trial, Rng* r) {
  const SarModel* m = b->m;
  SarSymbols* s = &b->g.symbols;
  SarData* d = b->d;
  if (b->sim->formulation->accel(b->sim) != SAR_OK) return;
  const double flat = value(b, s->g, s->flat);
  // the interpreter chooses again where a pivot is weak; code has one choice, and says so
  if (!(flat > SYM_BLOCK_FLAT)) {
    t->singular++;
    return;
  }
  double v[64];
  memcpy(v, d->v, (size_t)m->nv * sizeof *v);
  for (int i = 0; i < m->nv; i++)
    if (b->g.partition->place[i] < 0) d->v[i] += rng_uniform(r, -1, 1);
  const double* a = values(b, s->g, m->nv, s->a);
  const double* lambda = values(b, s->g, m->nrow, s->lambda);
  memcpy(d->v, v, (size_t)m->nv * sizeof *v);
  expect_close(t, trial, "a", m->nv, a, d->a, 1e-10 / fmin(1, flat));
  if (b->sim->freedom.rank == m->nrow)
    expect_close(t, trial, "lambda", m->nrow, lambda, d->lambda, 1e-9 / fmin(1, flat));
  t->states++;
}

// Moved by a little, then closed: by Newton's method, and by polynomials where they say they can.
static void check_closing(Bench* b, Tally* t, int trial, Rng* r) {
  const SarModel* m = b->m;
  SarData* d = b->d;
  double q[80], v[64], move[64] = {0};
  memcpy(q, d->q, (size_t)m->nq * sizeof *q);
  memcpy(v, d->v, (size_t)m->nv * sizeof *v);
  for (int i = 0; i < m->nv; i++)
    if (b->g.partition->place[i] < 0)
      move[i] = rng_uniform(r, -1e-4, 1e-4) * b->g.partition->unit[i];
  sar_projection_move(m, move, d->q);
  if (b->g.closing.g) {
    const double doubt = value(b, b->g.closing.g, b->g.closing.doubt);
    const double* found = values(b, b->g.closing.g, m->nq, b->g.closing.q);
    const double* speeds = values(b, b->g.closing.g, m->nv, b->g.closing.v);
    // links that are aimed have the rest of their turn by Newton's method
    const SarLoopFlow* f = b->g.partition->flow;
    if (doubt <= sar_closing_doubt(false) && f->iterated + f->aimed == 0) {
      expect_close(t, trial, "q by polynomials", m->nq, found, q, 1e-10);
      expect_close(t, trial, "v by polynomials", m->nv, speeds, v, 1e-8);
      t->closed++;
    } else {
      t->doubted++;
    }
  }
  const SymNewton* n = &b->g.newton;
  SarGraph* g = b->g.loops.g;
  // the last step is made too, and speeds are those where it leads
  double speed[64];
  bool done = false;
  for (int i = 0; i < 20 && !done; i++) {
    const double flat = fmin(value(b, g, n->flat), 1);
    done = value(b, g, n->size) <= sar_newton_done(false) * flat * flat;
    memcpy(speed, values(b, g, m->nv, n->v), (size_t)m->nv * sizeof *speed);
    sar_projection_move(m, values(b, g, m->nv, n->move), d->q);
  }
  expect_close(t, trial, "q by Newton's method", m->nq, d->q, q, 1e-10);
  expect_close(t, trial, "v", m->nv, speed, v, 1e-8);
  memcpy(d->q, q, (size_t)m->nq * sizeof *q);
}

// ---- mechanisms ---------------------------------------------------------------------------------

static bool begin(Bench* b) {
  SarSimOptions o = sar_sim_options();
  SarGenerateOptions how = {.name = "m", .model = "m", .method = SAR_GENERATE_EMBEDDING};
  o.formulation = "embedding";
  o.kinematics = "block";
  o.integrator = "rk4";
  o.adaptive = SAR_STEPS_FIXED;
  o.step = 1e-4;
  if (sar_sim_new(b->m, b->d, &o, &b->sim, NULL) != SAR_OK) return false;
  how.flow = sar_embedding_flow(b->sim);
  if (!how.flow || b->m->nv > 60) return false;
  return sar_generation_begin(&b->g, b->m, b->d, &how, &b->arena, NULL) == SAR_OK;
}

static void check_mechanism(LoopFamily family, int trial, Tally* t) {
  static ModelText text;
  Rng r = rng_seed(test_seed(7000 + (uint64_t)trial + 1000 * (uint64_t)family));
  Bench b = {0};
  loops_random(&text, &r, family, 2 + rng_int(&r, 4));
  if (sar_model_parse(text.text, strlen(text.text), "yaml", "loops.yaml", NULL, &b.m, NULL) !=
      SAR_OK)
    return;
  sar_arena_init(&b.arena);
  EXPECT_OK(sar_data_new(b.m, &b.d, NULL));
  t->mechanisms++;
  if (b.m->nrow == 0 || !begin(&b)) {
    t->refused++;
  } else {
    for (int i = 0; i < 3 && sar_step(b.sim) == SAR_OK && !b.sim->near_singular; i++) {
      check_rates(&b, t, trial, &r);
      if (value(&b, b.g.symbols.g, b.g.symbols.flat) > 0.1) check_closing(&b, t, trial, &r);
    }
  }
  sar_sim_free(b.sim);
  sar_data_free(b.d);
  sar_model_free(b.m);
  sar_arena_free(&b.arena);
}

static void random_loops(void** state) {
  (void)state;
  Tally t = {0};
  for (int family = 0; family < LOOPS_FAMILIES; family++)
    for (int trial = 0; trial < test_effort(60); trial++)
      check_mechanism((LoopFamily)family, trial, &t);
  print_message(
      "%d mechanisms, %d without equations; %d states compared, %d beside the choice; closed by "
      "polynomials %d, left to Newton's method %d; worst error %.1e of its bound\n",
      t.mechanisms, t.refused, t.states, t.singular, t.closed, t.doubted, t.worst);
  assert_true(t.states > t.mechanisms / 3);
  assert_true(t.closed > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_loops)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
