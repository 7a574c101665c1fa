// Equations of the embedding as formulas against the interpreter: B, C and Bdot by what they are
// defined by, the rows of the constraints, at random states; accelerations of formulation
// `embedding`; and the solution of the loops along a motion.
#include "support/test.h"

#include "codegen/equations.h"
#include "codegen/slots.h"
#include "dynamics/constraints.h"
#include "dynamics/tree.h"
#include "io/reader.h"
#include "model/compile.h"
#include "model/sim.h"
#include "output/flow.h"

#include <math.h>

enum { PARTS = SAR_EQUATIONS_B | SAR_EQUATIONS_BDOT, MOST = 64, MOST_LINES = 400 };

typedef struct Bench {
  SarSpec spec;
  SarModel* m;
  SarFlowReport flow;
  SarArena arena;
  SarError err;
  SarEquations e;
  double value[MOST_LINES];  // of lines
} Bench;

static void begin(Bench* b, const char* path, unsigned parts) {
  *b = (Bench){0};
  sar_error_init(&b->err);
  sar_arena_init(&b->arena);
  sar_spec_init(&b->spec);
  EXPECT_OK_OR(sar_spec_load(path, NULL, &b->spec, &b->err), &b->err);
  EXPECT_OK_OR(sar_compile(&b->spec, NULL, &b->m, &b->err), &b->err);
  EXPECT_OK_OR(sar_flow_report(b->m, &b->flow, &b->err), &b->err);
  const SarEquationsOptions o = {.parts = parts, .flow = b->flow.flow, .start = b->flow.start};
  EXPECT_OK_OR(sar_equations_make(&b->e, &b->spec, b->m, &o, &b->arena, &b->err), &b->err);
  assert_true(b->e.lines < MOST_LINES);
}

static void end(Bench* b) {
  sar_flow_report_free(&b->flow);
  sar_model_free(b->m);
  sar_arena_free(&b->arena);
  sar_spec_free(&b->spec);
}

// State, parameters, numbers with names, lines.
static int slot_of(void* context, const char* name) {
  const Bench* b = context;
  const int state = sar_symbols_slot(b->m, name), first = sar_symbols_slots(b->m);
  for (int i = 0; i < b->e.parameters; i++)
    if (strcmp(name, b->e.parameter[i]) == 0) return first + i;
  for (int i = 0; i < b->e.lifted.numbers; i++)
    if (strcmp(name, b->e.lifted.number[i].name) == 0) return first + b->e.parameters + i;
  for (int i = 0; i < b->e.lines; i++)
    if (strcmp(name, sar_node_name(b->e.g, b->e.line[i].symbol)) == 0)
      return first + b->e.parameters + b->e.lifted.numbers + i;
  return state;
}

// One line after the other, each from those above it.
static void evaluate(Bench* b, const SarData* d) {
  SarArena a;
  sar_arena_init(&a);
  const int first = sar_symbols_slots(b->m), lines = first + b->e.parameters + b->e.lifted.numbers;
  double* slot = SAR_ARENA_ARRAY(&a, double, lines + b->e.lines + 1);
  sar_symbols_load(b->m, d, slot);
  for (int i = 0; i < b->e.parameters; i++) slot[first + i] = b->e.value[i];
  for (int i = 0; i < b->e.lifted.numbers; i++)
    slot[first + b->e.parameters + i] = b->e.lifted.number[i].value;
  for (int i = 0; i < b->e.lines; i++) {
    SarTape tape;
    assert_true(sar_tape_build(&a, b->e.g, 1, &b->e.line[i].value, slot_of, b, &tape));
    double* scratch = SAR_ARENA_ARRAY(&a, double, tape.registers + 1);
    sar_tape_eval(&tape, slot, scratch, &b->value[i]);
    slot[lines + i] = b->value[i];
  }
  sar_arena_free(&a);
}

static double value_of(const Bench* b, SarLineKind kind, int i, int k) {
  for (int l = 0; l < b->e.lines; l++)
    if (b->e.line[l].kind == kind && b->e.line[l].i == i && b->e.line[l].k == k) return b->value[l];
  return 0;
}

// B (column >= 0), C or Bdot as a vector of all coordinates
static void take(const Bench* b, SarLineKind kind, int column, double* x) {
  for (int i = 0; i < b->m->nv; i++)
    x[i] = b->flow.loop_of[i] < 0 ? i == column : value_of(b, kind, i, column);
}

// The rows of the flow: Psi x + plus = 0, of what x and Psi weigh.
static double open_by(const Bench* b, const SarData* d, const double* x, const double* plus,
                      double sign) {
  double most = 0, y[MOST], size = 1;
  const SarModel* m = b->m;
  sar_constraint_multiply(m, d, x, y);
  for (int i = 0; i < m->nv; i++) size = fmax(size, fabs(x[i]));
  for (int f = 0; f < b->flow.loops; f++) {
    const SarLoopBlock* k = &b->flow.flow->block[f];
    for (int i = 0; i < k->size; i++) {
      double row = 0;
      for (int e = m->row_adr[k->row[i]]; e < m->row_adr[k->row[i] + 1]; e++)
        row = fmax(row, fabs(d->Psi[e]));
      const double rest = y[k->row[i]] + (plus ? sign * plus[k->row[i]] : 0);
      most = fmax(most, fabs(rest) / (size * fmax(row, plus ? fabs(plus[k->row[i]]) : 0)));
    }
  }
  return most;
}

static void disturb(const SarModel* m, SarData* d, const double* q, Rng* r) {
  for (int k = 0; k < m->nbody; k++) {
    double xi[SAR_JOINT_MAX_NV];
    for (int i = 0; i < SAR_JOINT_MAX_NV; i++) xi[i] = rng_uniform(r, -0.2, 0.2);
    sar_joint_retract(m->joint_kind[k], &m->joint_param[k * SAR_JOINT_MAX_PARAM],
                      &q[m->joint_qadr[k]], xi, &d->q[m->joint_qadr[k]]);
  }
  for (int i = 0; i < m->nv; i++) d->v[i] = rng_uniform(r, -1, 1);
  d->t = rng_uniform(r, 0, 2);
}

static const char* const MODELS[] = {"tests/models/reference/F_slider_crank.yaml",
                                     "tests/models/reference/L_peaucellier.yaml",
                                     "examples/double_fourbar.yaml",
                                     "examples/crank_rocker.yaml",
                                     "examples/dc_motor.yaml",
                                     "examples/iftomm_a03_andrews.yaml"};

static void B_and_Bdot_are_what_they_are(void** state) {
  (void)state;
  for (size_t i = 0; i < sizeof MODELS / sizeof *MODELS; i++) {
    if (!test_takes(i, 2)) continue;
    Rng r = rng_seed(test_seed(700 + i));
    Bench b;
    double q[MOST], x[MOST], worst[3] = {0};
    begin(&b, MODELS[i], PARTS);
    SarData* d = b.flow.start;
    assert_true(b.m->nv < MOST && b.m->nq < MOST && b.m->nrow < MOST);
    memcpy(q, d->q, (size_t)b.m->nq * sizeof *q);
    for (int trial = 0; trial < test_effort(3); trial++) {
      disturb(b.m, d, q, &r);
      sar_update_kinematics(b.m, d);
      sar_update_world(b.m, d);
      sar_update_forces(b.m, d);
      sar_update_constraints(b.m, d);
      sar_update_constraint_speeds(b.m, d);
      sar_update_constraint_rates(b.m, d);
      evaluate(&b, d);
      for (int k = 0; k < b.m->nv; k++)
        if (b.flow.loop_of[k] < 0) {
          take(&b, SAR_LINE_B, k, x);
          worst[0] = fmax(worst[0], open_by(&b, d, x, NULL, 0));
        }
      // Phi_t is Phi' without Psi v
      double Phi_t[MOST];
      sar_constraint_multiply(b.m, d, d->v, Phi_t);
      for (int k = 0; k < b.m->nrow; k++) Phi_t[k] = d->Phi_dot[k] - Phi_t[k];
      take(&b, SAR_LINE_C, -1, x);
      worst[1] = fmax(worst[1], open_by(&b, d, x, Phi_t, 1));
      take(&b, SAR_LINE_BDOT, -1, x);
      worst[2] = fmax(worst[2], open_by(&b, d, x, d->gamma, -1));
    }
    print_message("%s: rows of B %.1e, C %.1e, Bdot %.1e\n", MODELS[i], worst[0], worst[1],
                  worst[2]);
    for (int k = 0; k < 3; k++) EXPECT_NEAR(worst[k], 0, 1e-10);
    end(&b);
  }
}

static SarSim* sim_of(const Bench* b, SarData* d) {
  SarSim* s = NULL;
  SarSimOptions o = sar_sim_options();
  o.formulation = "embedding";
  o.integrator = "rk4";
  o.adaptive = SAR_STEPS_FIXED;
  o.step = 1e-4;
  o.kinematics = "newton-all";
  EXPECT_OK(sar_sim_new(b->m, d, &o, &s, NULL));
  return s;
}

// Along a motion: v = B v_i + C, v' = B v_i' + Bdot of formulation `embedding`; positions of the
// formulas.
static void motions_follow(void** state) {
  (void)state;
  static const struct {
    const char* path;
    int positions;  // loops with formulas
    double apart;   // of sines, cosines and lengths
  } at[] = {{"tests/models/reference/F_slider_crank.yaml", 1, 1e-10},
            {"tests/models/reference/L_peaucellier.yaml", 3, 1e-10},
            {"examples/double_fourbar.yaml", 2, 1e-10},
            {"examples/crank_rocker.yaml", 1, 1e-10},
            {"examples/iftomm_a03_andrews.yaml", 3, 1e-10},
            {"papers/003/stewart.yaml", 6, 1e-10}};
  for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
    if (!test_takes(i, 2)) continue;
    Bench b;
    double worst[3] = {0};
    int sines = 0;
    begin(&b, at[i].path, PARTS | SAR_EQUATIONS_SOLUTION);
    const SarModel* m = b.m;
    SarData* d;
    EXPECT_OK(sar_data_new(m, &d, NULL));
    SarSim* s = sim_of(&b, d);
    for (int k = 0; k <= 5; k++) {
      EXPECT_OK(sar_advance(s, 0.002 * k));
      EXPECT_OK(s->formulation->accel(s));
      evaluate(&b, d);
      for (int l = 0; l < b.e.lines; l++) {
        const SarEquationLine* line = &b.e.line[l];
        if (line->kind <= SAR_LINE_KNOWN) continue;
        const int j = m->dof_body[line->i], q = m->joint_qadr[j] + line->i - m->joint_vadr[j];
        const double wanted = line->kind == SAR_LINE_SINE     ? sin(d->q[q])
                              : line->kind == SAR_LINE_COSINE ? cos(d->q[q])
                                                              : d->q[q];
        worst[0] = fmax(worst[0], fabs(b.value[l] - wanted));
        sines += k == 0 && line->kind != SAR_LINE_COSINE;
      }
      for (int n = 0; n < m->nv; n++) {
        if (b.flow.loop_of[n] < 0) continue;
        double v = value_of(&b, SAR_LINE_C, n, -1), a = value_of(&b, SAR_LINE_BDOT, n, -1);
        for (int y = 0; y < m->nv; y++)
          if (b.flow.loop_of[y] < 0) {
            v += value_of(&b, SAR_LINE_B, n, y) * d->v[y];
            a += value_of(&b, SAR_LINE_B, n, y) * d->a[y];
          }
        worst[1] = fmax(worst[1], fabs(v - d->v[n]) / (1 + fabs(d->v[n])));
        worst[2] = fmax(worst[2], fabs(a - d->a[n]) / (1 + fabs(d->a[n])));
      }
    }
    print_message("%s: positions %.1e, speeds %.1e, accelerations %.1e apart\n", at[i].path,
                  worst[0], worst[1], worst[2]);
#ifdef SARRUS_HAVE_FLINT
    int unknowns = 0;
    for (int k = 0; k < b.flow.loops; k++)
      if (b.flow.flow->block[k].kind == SAR_LOOP_TRIANGULAR) unknowns += b.flow.loop[k].unknowns;
    assert_int_equal(sines, unknowns);
#endif
    EXPECT_NEAR(worst[0], 0, at[i].apart);
    EXPECT_NEAR(worst[1], 0, 1e-9);
    EXPECT_NEAR(worst[2], 0, 1e-9);
    sar_sim_free(s);
    sar_data_free(d);
    end(&b);
  }
}

// Fifteen unknowns have no inverse to be read.
static void large_loops_are_refused(void** state) {
  (void)state;
  Bench b = {0};
  sar_error_init(&b.err);
  sar_arena_init(&b.arena);
  sar_spec_init(&b.spec);
  EXPECT_OK(sar_spec_load("papers/003/five_link.yaml", NULL, &b.spec, &b.err));
  EXPECT_OK(sar_compile(&b.spec, NULL, &b.m, &b.err));
  EXPECT_OK(sar_flow_report(b.m, &b.flow, &b.err));
  const SarEquationsOptions o = {.parts = PARTS, .flow = b.flow.flow, .start = b.flow.start};
  assert_int_equal(sar_equations_make(&b.e, &b.spec, b.m, &o, &b.arena, &b.err), SAR_NOT_OFFERED);
  assert_non_null(strstr(b.err.items[0].text, "15 unknowns"));
  end(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(B_and_Bdot_are_what_they_are),
      cmocka_unit_test(motions_follow),
      cmocka_unit_test(large_loops_are_refused),
  };
  return cmocka_run_group_tests_name("equations of loops", tests, NULL, NULL);
}
