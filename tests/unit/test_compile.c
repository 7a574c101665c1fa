// The compiler as a whole: parameters, independence of the order in the file, slots and kinks,
// columns, work accounts, and what happens when memory runs out.
#include "support/test.h"
#include "support/alloc_count.h"
#include "support/model_file.h"

#include "io/reader.h"
#include "model/compile.h"
#include "sim/outputs/outputs.h"

#include <stdlib.h>

static SarStatus compile_text(const char* text, const SarParameter* p, int n, SarModel** m,
                              SarError* err) {
  SarSpec spec;
  SarError own;
  sar_error_init(&own);
  sar_spec_init(&spec);
  SarStatus st = sar_read_yaml(text, strlen(text), "m.yaml", NULL, &spec, err ? err : &own);
  *m = NULL;
  SarLoadOptions o = {.parameters = p, .parameter_count = n};
  if (st == SAR_OK) st = sar_compile(&spec, &o, m, err);
  sar_spec_free(&spec);
  return st;
}

// The one message of a text that must fail.
static const char* message_of(const char* text, const SarParameter* p, int n, char* buf,
                              size_t size) {
  SarError err;
  SarModel* m;
  sar_error_init(&err);
  EXPECT_STATUS(compile_text(text, p, n, &m, &err), SAR_BAD_MODEL);
  assert_null(m);
  assert_int_equal(err.errors, 1);
  return sar_error_format(&err, 0, buf, size);
}

static int column(const SarModel* m, const char* name) {
  return sar_model_find(m, SAR_ITEM_OUTPUT, name);
}

// ---- parameters -----------------------------------------------------------------------------

static const char PARAMETERS[] =
    "sarrus: 1\n"
    "parameters: {c: a + b, a: 2*b, b: 3, length: 1}\n"
    "bodies: {p: {sphere: 1, mass: c, at: [a, b, c]}}\n";

static void parameters_come_in_any_order(void** state) {
  (void)state;
  SarModel* m;
  EXPECT_OK(compile_text(PARAMETERS, NULL, 0, &m, NULL));
  EXPECT_NEAR(m->body_inertia[0].m, 9, 0);
  EXPECT_ARRAY_NEAR(m->q0, ((double[]){6, 3, 9}), 3, 0);
  sar_model_free(m);
}

static void overrides_count_before_the_file(void** state) {
  (void)state;
  SarModel* m;
  EXPECT_OK(compile_text(PARAMETERS, (SarParameter[]){{"b", 1}}, 1, &m, NULL));
  EXPECT_NEAR(m->body_inertia[0].m, 3, 0);
  sar_model_free(m);
  // what is overridden need not be sound
  const char* circle = "sarrus: 1\nparameters: {a: b, b: a}\nbodies: {p: {sphere: 1, mass: b}}\n";
  EXPECT_OK(compile_text(circle, (SarParameter[]){{"a", 5}}, 1, &m, NULL));
  EXPECT_NEAR(m->body_inertia[0].m, 5, 0);
  sar_model_free(m);
}

static void wrong_overrides_are_named(void** state) {
  (void)state;
  char buf[512];
  const char* text = message_of(PARAMETERS, (SarParameter[]){{"lenght", 1}}, 1, buf, sizeof buf);
  assert_non_null(strstr(text, "parameter 'lenght'"));
  assert_non_null(strstr(text, "did you mean 'length'?"));
  text = message_of(PARAMETERS, (SarParameter[]){{"a", (double)NAN}}, 1, buf, sizeof buf);
  assert_non_null(strstr(text, "finite"));
}

static void long_chains_of_parameters_are_fine(void** state) {
  (void)state;
  enum { N = 20000, SIZE = 40 * N };
  char* text = malloc(SIZE);
  assert_non_null(text);
  int n = snprintf(text, SIZE, "sarrus: 1\nparameters:\n");
  for (int i = 0; i < N; i++) n += snprintf(text + n, SIZE - (size_t)n, "  p%d: p%d\n", i, i + 1);
  n += snprintf(text + n, SIZE - (size_t)n, "  p%d: 4\nbodies: {b: {sphere: 1, mass: p0}}\n", N);
  SarModel* m;
  EXPECT_OK(compile_text(text, NULL, 0, &m, NULL));
  EXPECT_NEAR(m->body_inertia[0].m, 4, 0);
  sar_model_free(m);
  free(text);
}

// ---- order ----------------------------------------------------------------------------------

static const char* const HEAD =
    "sarrus: 1\nsimulation: {end: 2}\noutputs: [joints, bodies, forces]\n";
static const char* const SECTION[6] = {
    "parameters:", "inputs:", "variables:", "bodies:", "joints:", "forces:"};
static const char* const ENTRY[6][8] = {
    {"  L: 2*M", "  M: 0.5", "  k: 10*L"},
    {"  u2: 0", "  u10: 1", "  u1: 2"},
    {"  w2: w1 + hinge.q", "  w1: u1*t", "  w10: abs(arm.tip.vx)"},
    {"  arm: {box: [L, 0.1, 0.1], mass: 1, points: {tip: [L, 0, 0], base: [0, 0, 0]}}",
     "  ball: {sphere: 0.1, mass: 2, at: [1, 1, 1]}",
     "  link2: {rod: [[0, 0, 0], [0, 0, 1]], mass: 1}", "  link10: {box: [1, 1, 1], mass: 1}",
     "  float2: {box: [1, 1, 1], mass: 1}"},
    {"  hinge: {revolute: [ground, arm], axis: y, stiffness: k, damping: 1, force: w2}",
     "  j2: {revolute: [arm, link2], axis: x, at: [L, 0, 0]}",
     "  j10: {spherical: [link10, link2], at: [L, 0, 1]}",
     "  back: {revolute: [ground, link10], axis: y}", "  f: {prismatic: [float2, ball], axis: x}"},
    {"  s2: {spring_damper: [arm.tip, ball], stiffness: k, damping: 1}",
     "  s1: {force: ball, value: [0, w10, 1]}",
     "  s10: {spring_damper: [arm, ball], law: \"max(length - 1, 0)\"}"},
};

static int entries_of(int section) {
  int n = 0;
  while (n < 8 && ENTRY[section][n]) n++;
  return n;
}

static void write_model(char* text, size_t size, Rng* r) {
  int order[6] = {0, 1, 2, 3, 4, 5}, n = snprintf(text, size, "%s", HEAD);
  for (int i = 5; r && i > 0; i--) {
    int k = rng_int(r, i + 1), swap = order[i];
    order[i] = order[k], order[k] = swap;
  }
  for (int i = 0; i < 6; i++) {
    int s = order[i], count = entries_of(s), entry[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    for (int e = count - 1; r && e > 0; e--) {
      int k = rng_int(r, e + 1), swap = entry[e];
      entry[e] = entry[k], entry[k] = swap;
    }
    n += snprintf(text + n, size - (size_t)n, "%s\n", SECTION[s]);
    for (int e = 0; e < count; e++)
      n += snprintf(text + n, size - (size_t)n, "%s\n", ENTRY[s][entry[e]]);
  }
}

// Arrays of structs with padding, whose bytes say nothing, and places in the file, which do depend
// on the order.
static bool is_left_out(const char* type) {
  static const char* const names[] = {"SarChannel", "SarPoint", "SarCut", "SarAttrValue",
                                      "SarPlace"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp(names[i], type) == 0) return true;
  return false;
}

static void expect_same_model(const SarModel* a, const SarModel* b) {
  assert_int_equal(a->bytes, b->bytes);
#define X(field, doc) assert_int_equal(a->field, b->field);
  SAR_MODEL_SIZES(X)
#undef X
#define X(type, field, n, columns, doc) \
  if (!is_left_out(#type))              \
    assert_memory_equal(a->field, b->field, sizeof(type) * (size_t)a->n * (columns));
  SAR_MODEL_ARRAYS(X)
#undef X
  for (int kind = SAR_ITEM_BODY; kind <= SAR_ITEM_POINT; kind++)
    for (int i = 0; i < sar_model_count(a, (SarItem)kind); i++)
      assert_string_equal(sar_model_name(a, (SarItem)kind, i), sar_model_name(b, (SarItem)kind, i));
  for (int i = 0; i < a->nforce * SAR_FORCE_MAX_ATTR; i++) {
    assert_int_equal(a->force_attr[i].index, b->force_attr[i].index);
    assert_int_equal(a->force_attr[i].adr, b->force_attr[i].adr);
  }
  for (int i = 0; i < a->nchannel; i++) {
    assert_int_equal(a->channel[i].kind, b->channel[i].kind);
    assert_int_equal(a->channel[i].index, b->channel[i].index);
  }
}

static void order_in_the_file_does_not_matter(void** state) {
  (void)state;
  char text[4096];
  Rng r = rng_seed(5);
  SarModel *first, *m;
  SarError err;
  sar_error_init(&err);
  write_model(text, sizeof text, NULL);
  EXPECT_OK_OR(compile_text(text, NULL, 0, &first, &err), &err);
  assert_int_equal(first->ncut, 1);
  for (int trial = 0; trial < test_effort(50); trial++) {
    write_model(text, sizeof text, &r);
    EXPECT_OK_OR(compile_text(text, NULL, 0, &m, &err), &err);
    expect_same_model(first, m);
    sar_model_free(m);
  }
  sar_model_free(first);
}

// ---- free bodies ----------------------------------------------------------------------------

static void free_bodies_start_where_they_are_placed(void** state) {
  (void)state;
  SarModel* m = model_text(
      "bodies:\n"
      "  b: {box: [1, 2, 3], mass: 1, at: [1, 2, 3], rpy: [0, 0, 90 deg], velocity: [4, 5, 6],\n"
      "      angular_velocity: [1, 0, 0]}\n");
  assert_string_equal(sar_model_name(m, SAR_ITEM_JOINT, 0), "b");
  const double h = sqrt(0.5), q[7] = {1, 2, 3, h, 0, 0, h}, v[6] = {4, 5, 6, 0, -1, 0};
  EXPECT_ARRAY_NEAR(m->q0, q, 7, 1e-15);
  EXPECT_ARRAY_NEAR(m->v0, v, 6, 1e-15);  // w about ground x is about -y of the turned body
  Xform X = sar_design_pose(m, 0);
  EXPECT_ARRAY_NEAR(&X.p.x, q, 3, 0);
  sar_model_free(m);
}

// ---- expressions ----------------------------------------------------------------------------

static void only_what_varies_has_slots(void** state) {
  (void)state;
  SarModel* m = model_text(
      "parameters: {k: 3}\n"
      "variables: {two: 2, four: two^2, wave: four*sin(t)}\n"
      "bodies: {a: {box: [1, 1, 1], mass: 1}}\n"
      "joints: {j: {prismatic: [ground, a], force: wave + four + k}}\n"
      "forces: {f: {force: a, value: [k*two, four, 1]}, g: {force: a, value: [k, wave, 1]}}\n");
  // t, the locals of laws, wave, the drive, three components of g
  assert_int_equal(m->nexpr, 5);
  assert_int_equal(m->nslot, 1 + SAR_LAW_LOCALS + 5);
  assert_int_equal(m->nmeasure, 0);
  const SarAttrValue *f = sar_force_attr(m, 0, 1), *g = sar_force_attr(m, 1, 1);
  assert_int_equal(f->index, -1);
  EXPECT_ARRAY_NEAR(&m->attr_data[f->adr], ((double[]){6, 4, 1}), 3, 0);
  assert_true(g->index > 0);
  sar_model_free(m);
}

static void kinks_are_times_or_switches(void** state) {
  (void)state;
  SarModel* m = model_text(
      "variables: {step: \"t < 2 ? 0 : 1\", again: \"t < 2 ? 5 : 6\", saw: t % 0.5}\n"
      "bodies: {a: {box: [1, 1, 1], mass: 1}}\n"
      "joints: {j: {prismatic: [ground, a], force: \"t < 1 ? step + saw : again*abs(j.q)\"}}\n"
      "forces: {s: {spring_damper: [ground, a], law: \"max(length - 1, 0) + abs(j.q) + abs(t - "
      "3)\"}}\n"
      "outputs: [{value: abs(t - 9), name: late}]\n");
  // 1, 2 and 3 once, the saw with its period; what only an output sees is no reason to stop
  double once[3];
  int n = 0;
  for (int i = 0; i < m->nkink; i++) {
    if (i > 0) assert_true(m->kink_time[i] >= m->kink_time[i - 1]);
    if (m->kink_period[i] == 0) {
      assert_in_range(n, 0, 2);
      once[n++] = m->kink_time[i];
    } else {
      EXPECT_NEAR(m->kink_period[i], 0.5, 0);
    }
  }
  EXPECT_ARRAY_NEAR(once, ((double[]){1, 2, 3}), 3, 0);
  assert_int_equal(m->nkink, 4);
  assert_int_equal(m->nswitch, 2);  // j.q = 0, asked for twice, and the length of the law
  sar_model_free(m);
}

// ---- columns --------------------------------------------------------------------------------

static void columns_are_named_as_documented(void** state) {
  (void)state;
  SarModel* m = model_text(
      "bodies: {arm: {box: [1, 1, 1], mass: 1, points: {tip: [1, 0, 0]}}}\n"
      "joints: {elbow: {universal: [ground, arm], axis: x, axis2: y}}\n"
      "forces: {s: {spring_damper: [ground, arm.tip], stiffness: 1}}\n"
      "outputs: [momentum, {joint: elbow, with: [acceleration]}, {point: arm.tip, name: p},\n"
      "          {reaction: elbow}, {omega: arm}, forces, {value: 2*elbow.q1, name: twice}]\n");
  static const char* const names[] = {
      "momentum.px", "momentum.lz", "elbow.q1", "elbow.q2", "elbow.v1",  "elbow.a1",
      "elbow.a2",    "p.x",         "p.vz",     "elbow.fx", "elbow.tz",  "arm.wx",
      "s.power",     "s.energy",    "s.work",   "s.length", "s.tension", "twice"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (column(m, names[i]) < 0) fail_msg("no column %s", names[i]);
  assert_int_equal(column(m, "energy.total"), -1);
  sar_model_free(m);
}

static void joints_and_energy_by_default(void** state) {
  (void)state;
  SarModel* m =
      model_text("bodies: {a: {box: [1, 1, 1], mass: 1}}\njoints: {j: {revolute: [ground, a]}}\n");
  assert_int_equal(m->nchannel, 7);
  assert_int_equal(column(m, "j.q"), 0);
  assert_int_equal(column(m, "j.v"), 1);
  assert_int_equal(column(m, "energy.kinetic"), 2);
  sar_model_free(m);
}

static void columns_of_one_name_are_sorted_out(void** state) {
  (void)state;
  SarModel* m = model_text(
      "bodies: {ball: {sphere: 1, mass: 1}}\n"
      "outputs: [joints, bodies, joints, {body: ball}]\n");
  // 13 of the joint, 13 of the body; nothing twice, and the joint's own make way
  assert_int_equal(m->nchannel, 26);
  assert_ptr_equal(m->channel[column(m, "ball.wx")].kind, &sar_output_body_omega);
  assert_ptr_equal(m->channel[column(m, "ball.joint.wx")].kind, &sar_output_joint_velocity);
  assert_ptr_equal(m->channel[column(m, "ball.px")].kind, &sar_output_joint_position);
  sar_model_free(m);
  char buf[512];
  const char* text = message_of(
      "sarrus: 1\nbodies: {a: {sphere: 1, mass: 1}}\n"
      "outputs: [{point: [a, [1, 0, 0]]}, {point: [a, [2, 0, 0]], with: [position], name: b},\n"
      "          {point: [a, [3, 0, 0]], name: c}, {value: 3, name: b.x}]\n",
      NULL, 0, buf, sizeof buf);
  assert_non_null(strstr(text, "output 'b.x'"));
}

// ---- work accounts --------------------------------------------------------------------------

static void everyone_who_works_has_an_account(void** state) {
  (void)state;
  SarModel* m = model_text(
      "bodies: {a: {box: [1, 1, 1], mass: 1}, b: {box: [1, 1, 1], mass: 1}}\n"
      "joints:\n"
      "  p: {prismatic: [ground, a], stiffness: 3}\n"
      "  q: {prismatic: [a, b], damping: 1, force: t}\n"
      "forces: {g: {force: a, value: [1, 2, 3]}}\n");
  assert_int_equal(m->nwork, 4);
  assert_int_equal(m->work[0].kind, SAR_WORK_HOST);
  assert_int_equal(m->work[1].kind, SAR_WORK_FORCE);
  assert_int_equal(m->force_work[0], 1);
  assert_int_equal(m->work[2].kind, SAR_WORK_DISSIPATION);
  assert_int_equal(m->work[2].index, 1);
  assert_int_equal(m->work[3].kind, SAR_WORK_DRIVE);
  assert_int_equal(m->joint_passive[0], 1);
  sar_model_free(m);
}

// ---- errors ---------------------------------------------------------------------------------

static void errors_of_all_stages_come_at_once(void** state) {
  (void)state;
  SarError err;
  SarModel* m;
  sar_error_init(&err);
  EXPECT_STATUS(compile_text("sarrus: 1\n"
                             "parameters: {a: b1}\n"
                             "bodies:\n"
                             "  p: {mass: -1, in: nobody}\n"
                             "  q: {mass: a, inertia: [1, -1, 1]}\n"
                             "joints:\n"
                             "  j: {revolute: [p, r], axis: [0, 0, 0], force: nothing}\n"
                             "forces:\n"
                             "  f: {force: s, value: [1, 2, j.w]}\n"
                             "simulation: {end: -3}\n"
                             "outputs: [{joint: k}]\n",
                             NULL, 0, &m, &err),
                SAR_BAD_MODEL);
  static const int lines[] = {2, 4, 4, 5, 7, 7, 7, 9, 9, 10, 11};
  assert_int_equal(err.errors, sizeof lines / sizeof lines[0]);
  for (int i = 0; i < err.count; i++) assert_int_equal(err.items[i].line, lines[i]);
}

static void velocities_are_for_free_bodies(void** state) {
  (void)state;
  char buf[512];
  const char* text = message_of(
      "sarrus: 1\nbodies: {a: {sphere: 1, mass: 1, velocity: [1, 0, 0]}}\n"
      "joints: {j: {revolute: [ground, a]}}\n",
      NULL, 0, buf, sizeof buf);
  assert_non_null(strstr(text, "joint 'j' carries this one"));
}

static void massless_ends_are_found_and_carried_ones_are_not(void** state) {
  (void)state;
  char buf[512];
  // a cross without mass between two hinges is fine
  SarModel* m = model_text(
      "bodies: {cross: {}, a: {box: [1, 2, 3], mass: 1}}\n"
      "joints: {j1: {revolute: [ground, cross], axis: x}, j2: {revolute: [cross, a], axis: y}}\n");
  sar_model_free(m);
  // two hinges on one line with nothing between them are not, though all beyond has mass
  const char* text = message_of(
      "sarrus: 1\nbodies: {cross: {}, a: {box: [1, 2, 3], mass: 1}}\n"
      "joints: {j1: {revolute: [ground, cross], axis: x}, j2: {revolute: [cross, a], axis: x}}\n",
      NULL, 0, buf, sizeof buf);
  assert_non_null(strstr(text, "joint 'j1'"));
  // a motor's inertia helps
  m = model_text(
      "bodies: {cross: {}, a: {box: [1, 2, 3], mass: 1}}\n"
      "joints: {j1: {revolute: [ground, cross], axis: x, armature: 0.1},\n"
      "         j2: {revolute: [cross, a], axis: x}}\n");
  sar_model_free(m);
  // a slender rod on a ball
  text = message_of(
      "sarrus: 1\nbodies: {a: {rod: [[0, 0, 0], [1, 1, 0]], mass: 1}}\n"
      "joints: {s: {spherical: [ground, a]}}\n",
      NULL, 0, buf, sizeof buf);
  assert_non_null(strstr(text, "slender rod"));
  // a massless coupler is carried by its loop
  m = model_text(
      "bodies: {a: {box: [1, 1, 1], mass: 1}, b: {}, c: {box: [1, 1, 1], mass: 1}}\n"
      "joints:\n"
      "  A: {revolute: [ground, a], at: [0, 0, 0]}\n"
      "  B: {revolute: [a, b], at: [0, 1, 0]}\n"
      "  C: {revolute: [b, c], at: [1, 1, 0]}\n"
      "  D: {revolute: [ground, c], at: [1, 0, 0]}\n");
  sar_model_free(m);
}

static void one_way_joints_are_explained(void** state) {
  (void)state;
  char buf[512];
  const char* text = message_of(
      "sarrus: 1\nbodies: {a: {box: [1, 1, 1], mass: 1}, b: {box: [1, 1, 1], mass: 1}}\n"
      "joints:\n"
      "  w: {fixed: [ground, b]}\n"
      "  j: {planar: [a, b], armature: [1, 2, 3]}\n",
      NULL, 0, buf, sizeof buf);
  assert_non_null(strstr(text, "m.yaml:5"));
  assert_non_null(strstr(text, "swap parent and child"));
}

// ---- memory ---------------------------------------------------------------------------------

static void every_allocation_may_fail(void** state) {
  (void)state;
  char text[4096];
  SarSpec spec;
  SarModel* m;
  write_model(text, sizeof text, NULL);
  sar_spec_init(&spec);
  SarError err;
  sar_error_init(&err);
  EXPECT_OK(sar_read_yaml(text, strlen(text), "m.yaml", NULL, &spec, &err));
  int n = 1;
  for (;; n++) {
    alloc_count_reset();
    alloc_fail_at(n);
    SarStatus st = sar_compile(&spec, NULL, &m, NULL);
    int refused = alloc_has_failed();
    alloc_fail_at(0);
    if (!refused) {
      EXPECT_OK(st);
      sar_model_free(m);
      break;
    }
    EXPECT_STATUS(st, SAR_NO_MEMORY);
    assert_null(m);
    assert_int_equal(alloc_count_live(), 0);
  }
  assert_in_range(n, 4, 200);  // a few blocks of the arenas and one for the model
  sar_spec_free(&spec);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parameters_come_in_any_order),
      cmocka_unit_test(overrides_count_before_the_file),
      cmocka_unit_test(wrong_overrides_are_named),
      cmocka_unit_test(long_chains_of_parameters_are_fine),
      cmocka_unit_test(order_in_the_file_does_not_matter),
      cmocka_unit_test(free_bodies_start_where_they_are_placed),
      cmocka_unit_test(only_what_varies_has_slots),
      cmocka_unit_test(kinks_are_times_or_switches),
      cmocka_unit_test(columns_are_named_as_documented),
      cmocka_unit_test(joints_and_energy_by_default),
      cmocka_unit_test(columns_of_one_name_are_sorted_out),
      cmocka_unit_test(everyone_who_works_has_an_account),
      cmocka_unit_test(errors_of_all_stages_come_at_once),
      cmocka_unit_test(velocities_are_for_free_bodies),
      cmocka_unit_test(massless_ends_are_found_and_carried_ones_are_not),
      cmocka_unit_test(one_way_joints_are_explained),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
