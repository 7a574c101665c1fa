// The recursions over symbols against those over numbers: random trees with every kind of joint and
// of force, random loops, the robots of the references. Both compute the same in another order;
// bounds are rounding times the size and the conditioning of these models, an order above what was
// seen.
#include "support/random_loops.h"
#include "support/random_model.h"
#include "support/model_file.h"

#include "codegen/generate.h"
#include "codegen/slots.h"
#include "codegen/tangents.h"
#include "dynamics/constraints.h"
#include "dynamics/tangents.h"
#include "dynamics/tree.h"
#include "math/sequence.h"
#include "model/sim.h"

typedef struct Bench {
  SarModel* m;
  SarData* d;
  SarArena arena;
  SarError err;
  SarSymbols s;
} Bench;

static int slot_of(void* context, const char* name) {
  const Bench* b = context;
  return sar_symbols_slot(b->m, name);
}

// Values of nodes at the present state.
static double* values(Bench* b, int n, const SarNode* node) {
  SarTape tape;
  assert_true(sar_tape_build(&b->arena, b->s.g, n, node, slot_of, b, &tape));
  double* slot = SAR_ARENA_ARRAY(&b->arena, double, sar_symbols_slots(b->m) + 1);
  double* scratch = SAR_ARENA_ARRAY(&b->arena, double, tape.registers + 1);
  double* out = SAR_ARENA_ARRAY(&b->arena, double, n + 1);
  sar_symbols_load(b->m, b->d, slot);
  sar_tape_eval(&tape, slot, scratch, out);
  return out;
}

static double largest(const double* x, int n, double least) {
  for (int i = 0; i < n; i++) least = fmax(least, fabs(x[i]));
  return least;
}

static void expect_same(Bench* b, const char* what, int n, const SarNode* node,
                        const double* wanted, double bound) {
  const double* found = values(b, n, node);
  const double size = largest(wanted, n, 1);
  for (int i = 0; i < n; i++)
    if (!(fabs(found[i] - wanted[i]) <= bound * size)) {
      print_error("%s[%d] is %.17g, by numbers %.17g\n", what, i, found[i], wanted[i]);
      fail();
    }
}

static void begin(Bench* b, SarModel* m) {
  *b = (Bench){.m = m};
  EXPECT_OK(sar_data_new(m, &b->d, NULL));
  sar_arena_init(&b->arena);
  sar_error_init(&b->err);
  assert_true(sar_symbols_init(&b->s, m, &b->arena, &b->err));
}

static void end(Bench* b) {
  sar_arena_free(&b->arena);
  sar_data_free(b->d);
  sar_model_free(b->m);
}

static void disturb(Bench* b, Rng* r) {
  const SarModel* m = b->m;
  for (int k = 0; k < m->nbody; k++) {
    double xi[SAR_JOINT_MAX_NV], q[SAR_JOINT_MAX_NQ], *at = &b->d->q[m->joint_qadr[k]];
    for (int i = 0; i < SAR_JOINT_MAX_NV; i++) xi[i] = rng_uniform(r, -0.4, 0.4);
    sar_joint_retract(m->joint_kind[k], &m->joint_param[k * SAR_JOINT_MAX_PARAM], at, xi, q);
    for (int i = 0; i < m->joint_nq[k]; i++) at[i] = q[i];
  }
  for (int i = 0; i < m->nv; i++) {
    b->d->v[i] = rng_uniform(r, -1, 1);
    b->d->tau_host[i] = rng_uniform(r, -1, 1);
  }
  b->d->t = rng_uniform(r, 0, 2);
}

static void update(Bench* b) {
  sar_update_kinematics(b->m, b->d);
  sar_update_world(b->m, b->d);
  sar_update_forces(b->m, b->d);
}

// gain_K K + gain_C C as a full matrix, by the blocks of the interpreter; friction that is found
// has no slope.
static void dense_tangents(Bench* b, double gain_K, double gain_C, double* T) {
  const SarModel* m = b->m;
  double* block = SAR_ARENA_ARRAY(&b->arena, double, m->nv*(m->nv + 1) / 2 + 1);
  b->d->friction = SAR_FRICTION_FOUND;
  for (int i = 0; i < m->nv * m->nv; i++) T[i] = 0;
  for (int k = 0; k < m->ntangent; k++) {
    const int* dof = &m->tangent_dof[m->tangent[k].adr];
    const double* at = block;
    sar_tangent_block(m, b->d, k, gain_K, gain_C, block);
    for (int i = 0; i < m->tangent[k].num; i++)
      for (int j = 0; j <= i; j++, at++) {
        T[dof[i] * m->nv + dof[j]] += *at;
        if (i != j) T[dof[j] * m->nv + dof[i]] += *at;
      }
  }
  b->d->friction = SAR_FRICTION_SMOOTH;
}

static void check_tree(Bench* b, Rng* r) {
  const SarModel* m = b->m;
  SarSymbols* s = &b->s;
  SymTangents noted = {0};
  s->tangents = &noted;
  sar_symbols_forces(s);
  if (s->refused) print_error("%s\n", b->err.items[0].text);
  assert_false(s->refused);
  const double gain_K = rng_uniform(r, 0, 1), gain_C = rng_uniform(r, 0, 1);
  SarNode* T = SAR_ARENA_ARRAY(&b->arena, SarNode, m->nv * m->nv + 1);
  for (int i = 0; i < m->nv * m->nv; i++) T[i] = s_num(s->g, 0);
  sar_symbols_add_tangents(s, s_num(s->g, gain_K), s_num(s->g, gain_C), T);
  sar_symbols_aba(s);
  SarNode* by_aba = SAR_ARENA_ARRAY(&b->arena, SarNode, m->nv + 1);
  for (int i = 0; i < m->nv; i++) by_aba[i] = s->a[i];
  sar_symbols_bias(s);
  sar_symbols_rest(s);
  sar_symbols_mass(s);
  sar_symbols_crba(s);
  double* M = SAR_ARENA_ARRAY(&b->arena, double, m->nv * m->nv + 1);
  double* rest = SAR_ARENA_ARRAY(&b->arena, double, m->nv + 1);
  double* tangents = SAR_ARENA_ARRAY(&b->arena, double, m->nv * m->nv + 1);
  for (int trial = 0; trial < 3; trial++) {
    disturb(b, r);
    update(b);
    sar_rnea(m, b->d, NULL, rest);
    for (int i = 0; i < m->nv; i++) rest[i] = b->d->tau[i] - rest[i];
    sar_crba_dense(m, b->d, M);
    expect_same(b, "rest", m->nv, s->rest, rest, 1e-12);
    expect_same(b, "M", m->nv * m->nv, s->mass, M, 1e-13);
    dense_tangents(b, gain_K, gain_C, tangents);
    expect_same(b, "tangents", m->nv * m->nv, T, tangents, 1e-11);
    expect_same(b, "work rate", m->nwork, s->work_rate, b->d->work_rate, 1e-11);
    expect_same(b, "output", m->nforce_output, s->force_output, b->d->force_output, 1e-11);
    EXPECT_OK(sar_aba(m, b->d));
    expect_same(b, "a by aba", m->nv, by_aba, b->d->a, 1e-10);
    // M of a long chain is ill-conditioned: solving M a = f by numbers is off by up to 6e-11 there
    expect_same(b, "a by crba", m->nv, s->a, b->d->a, m->nv < 50 ? 1e-10 : 1e-9);
  }
}

// Forces of kinds without equations in symbols go; a joint of such a kind carries others and
// cannot.
static void drop_line(ModelText* t, const char* word) {
  char* at = strstr(t->text, word);
  if (!at) return;
  char* after = strchr(at, '\n') + 1;
  while (at > t->text && at[-1] != '\n') at--;
  memmove(at, after, strlen(after) + 1);
}

static void random_trees(void** state) {
  static ModelText t;
  (void)state;
  for (int trial = 0; trial < test_effort(6); trial++) {
    Rng r = rng_seed(test_seed(4100 + (uint64_t)trial));
    Bench b;
    model_random(&t, &r, 20);
    for (int k = 0; sar_force_kind(k); k++) {
      char key[64];
      snprintf(key, sizeof key, "{%s:", sar_force_kind(k)->name);
      if (!sar_symbols_know_force(sar_force_kind(k)->name)) drop_line(&t, key);
    }
    for (int k = 0; sar_joint_kind(k); k++)
      if (!sar_symbols_know_joint(sar_joint_kind(k)->name)) skip();
    begin(&b, model_parse(t.text, NULL));
    check_tree(&b, &r);
    end(&b);
  }
}

static void robots(void** state) {
  (void)state;
  const char* const names[] = {"puma6", "arm7", "humanoid36", "chain100"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char path[200];
    SarModel* m = NULL;
    Bench b;
    Rng r = rng_seed(test_seed(50 + i));
    snprintf(path, sizeof path, "%s/tests/reference/tree/%s.urdf", SARRUS_SOURCE_DIR, names[i]);
    EXPECT_OK(sar_model_load(path, NULL, &m, NULL));
    begin(&b, m);
    check_tree(&b, &r);
    end(&b);
  }
}

// Quaternions and angles of every sequence in expressions.
static void orientations(void** state) {
  (void)state;
  char text[2000] =
      "sarrus: 1\nbodies: {a: {mass: 1, inertia: [1, 2, 3]}, b: {mass: 1, inertia: [1, 1, 2], at: "
      "[1, 0, 0], rpy: [0.3, 0.2, 0.1]}}\njoints: {base: {free: [ground, a]}, ball: {spherical: "
      "[a, b], at: [0.5, 0, 0]}}\nforces:\n  f: {torque: a, value: [2*b.qx + b.qw, b.qy, 0.5*a.qz";
  for (int i = 0; i < SAR_SEQUENCES; i++)
    for (int k = 1; k <= 3; k++)
      snprintf(text + strlen(text), sizeof text - strlen(text), " + %d*b.%s%d", i + k,
               sar_sequence[i], k);
  strcat(text, "]}\n");
  Rng r = rng_seed(test_seed(77));
  Bench b;
  begin(&b, model_parse(text, NULL));
  check_tree(&b, &r);
  end(&b);
}

// Tyres of both laws on roads of every kind, in and out of contact, forwards and backwards.
static void tyres_on_roads(void** state) {
  (void)state;
  const char* text =
      "sarrus: 1\nparameters: {}\n"
      "bodies: {car: {mass: 30, inertia: [2, 3, 4], at: [0, 0, 0.5]}, wheel: {mass: 2, inertia: "
      "[0.1, 0.2, 0.1], at: [0.6, 0, 0.5]}}\n"
      "joints: {base: {free: [ground, car]}, hub: {revolute: [car, wheel], at: [0.6, 0, 0.5], "
      "axis: y}}\n"
      "roads:\n"
      "  pieces: {features: [{ramp: [-0.5, 0.2], height: 0.2}, {smooth: [0, 0.7], height: 0.1, "
      "side: left}, {bump: [-0.2, 0.9], height: 0.3, side: right}]}\n"
      "  straight: {table: [[-0.3, 0], [0, 0.2], [0.5, 0.1]]}\n"
      "  cubic: {table: [[-0.3, 0], [0, 0.2], [0.5, 0.1], [0.8, 0.3]], interpolation: cubic}\n"
      "  rig: {height: 0.1*sin(3*x + y) + 0.05*sin(4*t)}\n"
      "forces:\n"
      "  a: {tyre: wheel, radius: 0.6, stiffness: 2e3, damping: 30, road: pieces, linear: "
      "{cornering: 900, camber: 70, trail: 0.03, aligning: 8, overturning: 5}}\n"
      "  b: {tyre: wheel, radius: 0.6, stiffness: 2e3, road: straight, calspan: {A0: 2625, A1: "
      "14.47, A2: 300, A3: 2.29, A4: 18175, B1: -4.64e-5, B3: 1.216, B4: 2.18e-11, SN: 1.0274, K1: "
      "-1.71e-5, K2: 1.71e-5}}\n"
      "  c: {tyre: car, radius: 0.7, stiffness: 1e3, damping: 10, road: cubic, axis: [0.1, 1, "
      "0.2], calspan: {A0: 25, A1: 14.47, A2: 12930, A3: 2.29, A4: 18175, B1: -4.64e-5, B3: 1.216, "
      "B4: 2.18e-11, SN: 1.0274, K1: -1.71e-5, K2: 1.71e-5}}\n"
      "  d: {tyre: car, radius: 0.55, stiffness: 4e3, damping: 40, road: rig, slow: 0.5}\n"
      "  e: {tyre: car, radius: 0.5, stiffness: 4e3, damping: 40, linear: {cornering: 500}}\n";
  Rng r = rng_seed(test_seed(78));
  for (int trial = 0; trial < test_effort(5); trial++) {
    Bench b;
    begin(&b, model_parse(text, NULL));
    check_tree(&b, &r);
    end(&b);
  }
}

// ---- loops --------------------------------------------------------------------------------------

static void check_constraints(Bench* b) {
  const SarModel* m = b->m;
  SarSymbols* s = &b->s;
  update(b);
  sar_update_constraints(m, b->d);
  sar_update_constraint_rates(m, b->d);
  expect_same(b, "Phi", m->nrow, s->Phi, b->d->Phi, 1e-12);
  expect_same(b, "Psi", m->nrow_dof, s->Psi, b->d->Psi, 1e-12);
  expect_same(b, "Phi_dot", m->nrow, s->Phi_dot, b->d->Phi_dot, 1e-12);
  expect_same(b, "gamma", m->nrow, s->gamma, b->d->gamma, 1e-11);
}

// Accelerations where the position is not next to a singular one, by both: `open` says so.
static bool check_accelerations(Bench* b, SarSim* sim) {
  const SarModel* m = b->m;
  if (values(b, 1, &b->s.open)[0] > SAR_SYMBOLS_OPEN || sim->near_singular) return false;
  if (sim->formulation->accel(sim) != SAR_OK) return false;
  expect_same(b, "a by lagrange", m->nv, b->s.a, b->d->a, 1e-8);
  return true;
}

static void random_loops_of(LoopFamily family, int* refused, int* compared) {
  static ModelText t;
  for (int trial = 0; trial < test_effort(25); trial++) {
    Rng r = rng_seed(test_seed(9000 + (uint64_t)trial + 1000 * (uint64_t)family));
    SarModel* m = NULL;
    SarSim* sim = NULL;
    SarSimOptions o = sar_sim_options();
    Bench b;
    loops_random(&t, &r, family, 3 + rng_int(&r, 4));
    if (sar_model_parse(t.text, strlen(t.text), "yaml", "loops.yaml", NULL, &m, NULL) != SAR_OK)
      continue;
    begin(&b, m);
    o.formulation = "lagrange";
    sar_symbols_accept(&b.s);
    if (!b.s.refused) sar_symbols_forces(&b.s);
    if (!b.s.refused) sar_symbols_constraints(&b.s);
    *refused += b.s.refused;
    if (!b.s.refused && m->nrow > 0 && sar_sim_new(m, b.d, &o, &sim, NULL) == SAR_OK) {
      double* weight = SAR_ARENA_ARRAY(&b.arena, double, m->nrow + 1);
      sar_symbols_bias(&b.s);
      sar_symbols_rest(&b.s);
      sar_symbols_mass(&b.s);
      sar_symbols_constraint_rates(&b.s);
      sar_generation_weights(m, b.d, weight);
      SarNode* node = SAR_ARENA_ARRAY(&b.arena, SarNode, m->nrow + 1);
      for (int i = 0; i < m->nrow; i++) node[i] = s_num(b.s.g, weight[i]);
      sar_symbols_lagrange(&b.s, node);
      for (int i = 0; i < 3 && sar_step(sim) == SAR_OK; i++) {
        check_constraints(&b);
        *compared += check_accelerations(&b, sim);
      }
    }
    sar_sim_free(sim);
    end(&b);
  }
}

static void random_loops(void** state) {
  (void)state;
  int refused = 0, compared = 0;
  for (int family = 0; family < 2; family++)
    random_loops_of((LoopFamily)family, &refused, &compared);
  print_message("%d mechanisms refused, %d states compared\n", refused, compared);
  assert_true(compared > 0);
}

// ---- rolling ------------------------------------------------------------------------------------

// A disc and a ball on tilted planes, one of a body that moves itself, at random states: rows of
// slip and their second derivatives are the interpreter's wherever they are.
static void rolling_on_planes(void** state) {
  (void)state;
  Rng r = rng_seed(test_seed(79));
  for (int trial = 0; trial < test_effort(20); trial++) {
    const V3 n = v3_unit(rng_v3(&r, -1, 1)), e = v3_unit(rng_v3(&r, -1, 1));
    char text[1500];
    snprintf(text, sizeof text,
             "sarrus: 1\n"
             "bodies: {plate: {box: [1, 1, 0.1], mass: 3, com: [0.1, 0.2, 0]},\n"
             "  disc: {box: [0.3, 0.2, 0.1], mass: 1, at: [0.2, 0.1, 0.4], points: {c: [0.05, "
             "0.02, 0]}},\n"
             "  ball: {sphere: 0.2, mass: 1, at: [-0.3, 0.2, 0.3]}}\n"
             "joints: {P: {universal: [ground, plate], at: [0, 0, -0.1], axis: x, axis2: y}}\n"
             "constraints:\n"
             "  a: {rolling: [disc.c, plate], radius: %.17g, axis: [%.17g, %.17g, %.17g], in: "
             "disc}\n"
             "  b: {rolling: [ball, [plate, [0.1, 0, 0.05]]], radius: 0.2, normal: [%.17g, %.17g, "
             "%.17g]}\n"
             "  c: {rolling: [disc, ground], radius: 0.1, axis: x, in: plate}\n",
             rng_uniform(&r, 0.1, 0.5), e.x, e.y, e.z, n.x, n.y, n.z);
    Bench b;
    begin(&b, model_parse(text, NULL));
    assert_true(sar_symbols_accept(&b.s));
    sar_symbols_forces(&b.s);
    sar_symbols_constraints(&b.s);
    sar_symbols_bias(&b.s);
    sar_symbols_constraint_rates(&b.s);
    for (int i = 0; i < 3; i++) {
      disturb(&b, &r);
      check_constraints(&b);
    }
    end(&b);
  }
}

// ---- what has no equations ----------------------------------------------------------------------

static void refusals_name_what_they_refuse(void** state) {
  (void)state;
  const char* const cases[][2] = {{"stack.yaml", "touch"},
                                  {"engine_mount.yaml", "'knot' is a knot"},
                                  {"peaucellier.yaml", "motor"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Bench b;
    begin(&b, model_file(cases[i][0], NULL));
    sar_symbols_accept(&b.s);
    if (!b.s.refused) sar_symbols_forces(&b.s);
    assert_true(b.s.refused);
    assert_true(b.err.errors > 0);
    assert_non_null(strstr(b.err.items[0].text, cases[i][1]));
    end(&b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_trees),
      cmocka_unit_test(robots),
      cmocka_unit_test(orientations),
      cmocka_unit_test(tyres_on_roads),
      cmocka_unit_test(random_loops),
      cmocka_unit_test(rolling_on_planes),
      cmocka_unit_test(refusals_name_what_they_refuse),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
