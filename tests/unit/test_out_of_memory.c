// Loading, setting up and stepping with the n-th allocation refused, for every n: a status comes
// back, nothing leaks, nothing crashes, and *out is NULL.
#include "support/test.h"

#include "support/alloc_count.h"

#include <stdlib.h>

static const char yaml_model[] =
    "sarrus: 1\nname: everything\nparameters: {L: 1, k: 'L*10'}\ninputs: {u: 1}\nvariables: {w: "
    "'sin(t) + u'}\n"
    "points: {wall: [0, 0, 1]}\nbodies:\n  arm: {rod: [[0,0,0],[L,0,0]], mass: 1, points: {tip: "
    "[L,0,0]}}\n"
    "  ball: {sphere: 0.1, density: 1000, at: [L, 0, 0]}\n  loose: {box: [1, 2, 3], mass: 2, at: "
    "[5, 0, 0]}\njoints:\n"
    "  hinge: {revolute: [ground, arm], axis: y, damping: 0.1, force: 'w'}\n  wrist: {spherical: "
    "[arm, ball], at: arm.tip}\n"
    "forces:\n  spring: {spring_damper: [arm.tip, ground.wall], stiffness: k}\n"
    "  push: {force: loose, value: ['piecewise(t < 1, u, 2)', 0, 'abs(hinge.q)']}\n"
    "adjust: {'h*': {friction: L}, wrist: {position: [0, L, 0]}}\n"
    "outputs: [energy, work, joints, {reaction: hinge}, {value: 'hinge.q*2', name: twice}]\n";

static const char loop_model[] =
    "sarrus: 1\nbodies: {a: {sphere: 0.1, mass: 1}, b: {sphere: 0.1, mass: 1}, c: {sphere: 0.1, "
    "mass: 1}}\njoints:\n  A: {revolute: [ground, a]}\n  B: {revolute: [a, b], at: [1, 0, 0]}\n"
    "  C: {revolute: [b, c], at: [1, 1, 0]}\n  D: {screw: [c, ground], at: [0, 1, 0], pitch: 0.1}\n"
    "constraints:\n  drive: {motion: A, value: 'smoothstep(t, 0, 0, 1, 2)'}\n  g: {gear: [B, C], "
    "ratio: 2}\n  k: {on_curve: [b, ground], axis: x, axis2: z, table: [[0, 0], [1, 1], [2, 3]]}\n"
    "  l: {on_curve: [b, ground], axis: x, axis2: y, curve: 'x^2'}\n";

// a driven four-bar, one hinge twice
static const char four_bar[] =
    "sarrus: 1\nplanar: xy\nbodies:\n  a: {rod: [[0, 0, 0], [0, 1, 0]], mass: 1}\n"
    "  b: {rod: [[0, 1, 0], [2, 1, 0]], mass: 1}\n  c: {rod: [[2, 1, 0], [2, 0, 0]], mass: 1}\n"
    "joints:\n  A: {revolute: [ground, a], at: [0, 0, 0]}\n  B: {revolute: [a, b], at: [0, 1, 0]}\n"
    "  C: {revolute: [b, c], at: [2, 1, 0]}\n  D: {revolute: [ground, c], at: [2, 0, 0]}\n"
    "  E: {revolute: [ground, c], at: [2, 0, 0]}\n"
    "constraints:\n  drive: {motion: A, value: 'sin(t)'}\noutputs: [joints, reactions]\n";

static const char urdf_model[] =
    "<robot name='two'><link name='world'/><link name='a'><inertial><mass value='1'/><inertia "
    "ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link><joint name='j' "
    "type='revolute'><parent link='world'/><child link='a'/><axis xyz='0 0 1'/><limit lower='-1' "
    "upper='1' effort='10' velocity='2'/><dynamics damping='0.1'/></joint></robot>";

typedef struct Life {
  const char *text, *format, *coordinates;
  const char *formulation, *integrator;  // integrator NULL: only up to the data
} Life;

// One whole life of a run; whatever fails, everything is given back.
static SarStatus live(const Life* life) {
  SarError err;
  sar_error_init(&err);
  SarModel* m = NULL;
  SarData* d = NULL;
  SarSim* s = NULL;
  const SarLoadOptions load = {.coordinates = life->coordinates};
  SarStatus st =
      sar_model_parse(life->text, strlen(life->text), life->format, "memory", &load, &m, &err);
  if (st != SAR_OK) assert_null(m);
  if (st == SAR_OK) st = sar_data_new(m, &d, &err);
  SarSimOptions o = sar_sim_options();
  o.formulation = life->formulation;
  o.integrator = life->integrator;
  if (st == SAR_OK && life->integrator) st = sar_sim_new(m, d, &o, &s, &err);
  for (int i = 0; s && i < 3 && st == SAR_OK; i++) st = sar_step(s);
  sar_sim_free(s);
  sar_data_free(d);
  sar_model_free(m);
  return st;
}

// `spare`: allocations that a library does without when refused (libxml2 has one: its dictionary's
// growth).
static void fail_every_allocation(const Life* life, int spare) {
  EXPECT_OK(live(life));  // once without failures, so that libraries have set themselves up
  alloc_count_reset();
  EXPECT_OK(live(life));
  long total = alloc_count(), kept = alloc_count_live();
  assert_true(total > 5);
  assert_int_equal(kept, 0);
  for (long n = 1; n <= total; n++) {
    alloc_count_reset();
    alloc_fail_at(n);
    SarStatus st = live(life);
    int refused = alloc_has_failed();
    long live_blocks = alloc_count_live();
    alloc_fail_at(0);
    assert_true(refused);
    if (live_blocks != 0)
      print_error("allocation %ld of %ld refused: %ld blocks leaked\n", n, total, live_blocks);
    assert_int_equal(live_blocks, 0);
    if (st == SAR_OK && spare-- > 0) continue;
    if (st != SAR_NO_MEMORY)
      print_error("allocation %ld of %ld refused: %s\n", n, total, sar_status_text(st));
    assert_int_equal(st, SAR_NO_MEMORY);
  }
}

static void yaml_survives(void** state) {
  (void)state;
  const char* const integrators[] = {"dopri5", "rk4", "semi-implicit", "trapezoidal"};
  for (size_t i = 0; i < sizeof integrators / sizeof *integrators; i++)
    fail_every_allocation(
        &(Life){.text = yaml_model, .format = "yaml", .integrator = integrators[i]}, 0);
}

static void urdf_survives(void** state) {
  (void)state;
  fail_every_allocation(&(Life){.text = urdf_model, .format = "urdf", .integrator = "dopri5"}, 2);
}

static void constraints_survive(void** state) {
  (void)state;
  fail_every_allocation(&(Life){.text = loop_model, .format = "yaml"}, 0);
}

static void loops_survive(void** state) {
  (void)state;
  const char *const formulations[] = {"lagrange", "qr"}, *const coordinates[] = {"relative",
                                                                                 "absolute"};
  for (int k = 0; k < 4; k++)
    fail_every_allocation(&(Life){.text = four_bar,
                                  .format = "yaml",
                                  .coordinates = coordinates[k / 2],
                                  .formulation = formulations[k % 2],
                                  .integrator = "dopri5"},
                          0);
}

// From too little to enough: over the limit, or done, never anything else; and once it is enough,
// more is too.
static void limits_are_kept(void** state) {
  (void)state;
  const struct {
    const char *text, *format;
  } model[] = {
      {yaml_model, "yaml"}, {loop_model, "yaml"}, {four_bar, "yaml"}, {urdf_model, "urdf"}};
  for (size_t k = 0; k < sizeof model / sizeof *model; k++) {
    bool enough = false;
    for (size_t limit = 1000; limit < 4000000; limit += limit / 16) {
      SarLoadOptions o = {.memory_limit = limit};
      SarError err;
      SarModel* m = NULL;
      SarData* d = NULL;
      SarSim* s = NULL;
      sar_error_init(&err);
      alloc_count_reset();
      SarStatus st =
          sar_model_parse(model[k].text, strlen(model[k].text), model[k].format, "m", &o, &m, &err);
      if (st == SAR_OK) st = sar_data_new(m, &d, &err);
      if (st == SAR_OK && k != 1) st = sar_sim_new(m, d, NULL, &s, &err);
      if (st != SAR_OK && (st != SAR_OVER_LIMIT || err.errors == 0))
        fail_msg("model %zu, %zu bytes: %s", k, limit, sar_status_text(st));
      if (enough) EXPECT_OK(st);
      enough = st == SAR_OK;
      sar_sim_free(s);
      sar_data_free(d);
      sar_model_free(m);
      if (k < 3) assert_int_equal(alloc_count_live(), 0);
    }
    assert_true(enough);
  }
}

// Two models, their simulations and their exchange.
static SarStatus live_coupled(void) {
  SarError err;
  SarCouple* c = NULL;
  SarCoupleOptions o = sar_couple_options();
  sar_error_init(&err);
  o.end = 0.002;
  SarStatus st =
      sar_couple_load(SARRUS_SOURCE_DIR "/examples/coupled/cart_and_swing.yaml", NULL, &c, &err);
  if (st != SAR_OK) assert_null(c);
  if (st == SAR_OK) st = sar_couple_open(c, &o, &err);
  if (st == SAR_OK) st = sar_couple_run(c, &err);
  // a number that must be known while reading says so by itself
  if (st == SAR_BAD_MODEL && strcmp(err.items[0].text, "out of memory") == 0) st = SAR_NO_MEMORY;
  sar_couple_free(c);
  return st;
}

// Every allocation of them in turn, or as many as there is time for.
static void coupled_models_survive(void** state) {
  (void)state;
  EXPECT_OK(live_coupled());
  alloc_count_reset();
  EXPECT_OK(live_coupled());
  const long total = alloc_count();
  assert_int_equal(alloc_count_live(), 0);
  const long stride = total / test_effort(400) + 1;
  int spare = 3;  // files
  print_message("%ld allocations, one in %ld is refused\n", total, stride);
  for (long n = 1; n <= total; n += stride) {
    alloc_count_reset();
    alloc_fail_at(n);
    const SarStatus st = live_coupled();
    const long left = alloc_count_live();
    alloc_fail_at(0);
    if (left == 0 && st == SAR_OK && spare-- > 0) continue;  // stdio does without its buffer
    if (left != 0 || st != SAR_NO_MEMORY)
      fail_msg("allocation %ld of %ld refused: %s, %ld blocks leaked", n, total,
               sar_status_text(st), left);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(yaml_survives),   cmocka_unit_test(constraints_survive),
      cmocka_unit_test(loops_survive),   cmocka_unit_test(urdf_survives),
      cmocka_unit_test(limits_are_kept), cmocka_unit_test(coupled_models_survive)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
