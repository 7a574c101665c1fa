// Assembly: closing loops, completing speeds, counting what motion is left, and what is said where
// that cannot be done.
#include "support/test.h"
#include "support/model_file.h"

#include "dynamics/projection.h"
#include "sim/assemble.h"

#define LINK "{box: [1, 1, 1], mass: 1}"

typedef struct Assembled {
  SarModel* m;
  SarData* d;
  SarFreedom freedom;
  SarStatus status;
  SarError err;
  char redundant[400];
} Assembled;

static Assembled assemble(const char* text) {
  static int row_order[256];
  static double row_size[256];
  Assembled a = {.m = model_text(text)};
  sar_error_init(&a.err);
  EXPECT_OK(sar_data_new(a.m, &a.d, &a.err));
  assert_in_range(a.m->nrow, 0, 256);
  a.status = sar_assemble_rows(a.m, a.d, &a.freedom, row_order, row_size, &a.err);
  if (a.status == SAR_OK)
    sar_redundant_text(a.m, row_order, &a.freedom, a.redundant, sizeof a.redundant);
  return a;
}

static void dispose(Assembled* a) {
  sar_data_free(a->d);
  sar_model_free(a->m);
}

static void expect_closed(const Assembled* a) {
  EXPECT_STATUS(a->status, SAR_OK);
  SarViolation v = sar_violation(a->m, a->d);
  EXPECT_AT_MOST(v.position, 1e-14);
  EXPECT_AT_MOST(v.velocity, 1e-14);
}

// some message has all of these words
static void expect_said(const Assembled* a, const char* const* words, int count) {
  for (int i = 0; i < a->err.count; i++) {
    int found = 0;
    for (int k = 0; k < count; k++) found += strstr(a->err.items[i].text, words[k]) != NULL;
    if (found == count) return;
  }
  for (int i = 0; i < a->err.count; i++) print_error("said: %s\n", a->err.items[i].text);
  fail_msg("nothing said about '%s'", words[0]);
}
#define EXPECT_SAID(a, ...)                            \
  expect_said((a), (const char* const[]){__VA_ARGS__}, \
              (int)(sizeof((const char* const[]){__VA_ARGS__}) / sizeof(const char*)))

static double joint_q(const Assembled* a, const char* name) {
  double q, v;
  EXPECT_OK(sar_joint_get(a->d, sar_model_find(a->m, SAR_ITEM_JOINT, name), &q, &v));
  return q;
}

static double joint_v(const Assembled* a, const char* name) {
  double q, v;
  EXPECT_OK(sar_joint_get(a->d, sar_model_find(a->m, SAR_ITEM_JOINT, name), &q, &v));
  return v;
}

// ---- degrees of freedom ---------------------------------------------------------------------

static void planar_four_bar_has_one(void** state) {
  (void)state;
  Assembled a = assemble("bodies: {a: " LINK ", b: " LINK ", c: " LINK
                         "}\n"
                         "joints:\n"
                         "  A: {revolute: [ground, a], at: [0, 0, 0]}\n"
                         "  B: {revolute: [a, b], at: [0.3, 1, 0]}\n"
                         "  C: {revolute: [b, c], at: [1.5, 1.2, 0]}\n"
                         "  D: {revolute: [c, ground], at: [2, 0, 0]}\n");
  expect_closed(&a);
  assert_int_equal(a.m->nv - a.freedom.rank, 1);
  assert_int_equal(a.m->nrow - a.freedom.rank, 0);  // those that keep it in its plane are left out
  dispose(&a);
}

// Sarrus 1853: two legs of three parallel hinges each, across one another, hold a plate that can
// only rise straight. Counting alone (five coordinates, five equations) would hold it still.
static void sarrus_linkage_has_one(void** state) {
  (void)state;
  Assembled a =
      assemble("bodies: {a1: " LINK ", a2: " LINK ", plate: " LINK ", b1: " LINK ", b2: " LINK
               "}\n"
               "joints:\n"
               "  A1: {revolute: [ground, a1], at: [1, 0, 0], axis: y}\n"
               "  A2: {revolute: [a1, a2], at: [1.7, 0, 0.7], axis: y}\n"
               "  A3: {revolute: [a2, plate], at: [1, 0, 1.4], axis: y}\n"
               "  B1: {revolute: [ground, b1], at: [0, 1, 0], axis: x}\n"
               "  B2: {revolute: [b1, b2], at: [0, 1.7, 0.7], axis: x}\n"
               "  B3: {revolute: [b2, plate], at: [0, 1, 1.4], axis: x}\n");
  expect_closed(&a);
  assert_int_equal(a.m->nv - a.freedom.rank, 1);
  assert_int_equal(a.m->nrow - a.freedom.rank, 1);
  char owner[64];
  snprintf(owner, sizeof owner, "joint '%s' (1 of %d)", sar_text(a.m, a.m->cut[0].name), a.m->nrow);
  assert_string_equal(a.redundant, owner);
  dispose(&a);
}

// RSSR: the coupler may spin about its own line, so two
static void spatial_loops_have_what_theory_says(void** state) {
  (void)state;
  Assembled a = assemble("bodies: {crank: " LINK ", coupler: " LINK ", rocker: " LINK
                         "}\n"
                         "joints:\n"
                         "  R1: {revolute: [ground, crank], at: [0, 0, 0], axis: z}\n"
                         "  S1: {spherical: [crank, coupler], at: [0.2, 0.1, 0]}\n"
                         "  S2: {spherical: [coupler, rocker], at: [1, 0.3, 0.8]}\n"
                         "  R2: {revolute: [ground, rocker], at: [1, 0, 0], axis: x}\n");
  expect_closed(&a);
  assert_int_equal(a.m->nv - a.freedom.rank, 2);
  assert_int_equal(a.m->nrow, a.freedom.rank);
  dispose(&a);
}

static void followers_take_freedoms(void** state) {
  (void)state;
  Assembled a = assemble(
      "bodies: {a: " LINK ", b: " LINK
      "}\n"
      "joints: {x: {revolute: [ground, a]}, y: {revolute: [ground, b], mimic: {joint: x}}}\n");
  expect_closed(&a);
  assert_int_equal(a.m->nv - a.freedom.rank, 1);
  assert_int_equal(a.m->nrow, 1);
  dispose(&a);
}

// ---- what the file gives ------------------------------------------------------------------------

#define FOUR_BAR(first, others)                               \
  "bodies:\n"                                                 \
  "  a: {rod: [[0, 0, 0], [0, 1, 0]], mass: 1}\n"             \
  "  b: {rod: [[0, 1, 0], [2, 1.5, 0]], mass: 1}\n"           \
  "  c: {rod: [[2, 0, 0], [2, 1.5, 0]], mass: 1}\n"           \
  "joints:\n"                                                 \
  "  A: {revolute: [ground, a], at: [0, 0, 0], axis: z" first \
  "}\n"                                                       \
  "  B: {revolute: [a, b], at: [0, 1, 0], axis: z}\n"         \
  "  C: {revolute: [b, c], at: [2, 1.5, 0], axis: z}\n"       \
  "  D: {revolute: [ground, c], at: [2, 0, 0], axis: z" others "}\n"

// the crank goes where it is told, with the speed it is told, and the rest follows; Freudenstein's
// equation for the angles of crank and rocker, both measured from the line of the pivots:
//   p^2 + q^2 = 2^2 + 1^2 + 1.5^2 - l^2 ... written as the length of the coupler
static void given_values_are_held_and_the_rest_follows(void** state) {
  (void)state;
  Assembled a = assemble(FOUR_BAR(", position: -0.9, speed: -2", ""));
  expect_closed(&a);
  EXPECT_NEAR(joint_q(&a, "A"), -0.9, 0);
  EXPECT_NEAR(joint_v(&a, "A"), -2, 0);
  // the coupler's end as far from the crank's end as designed
  const double turn = -0.9, rocker = joint_q(&a, "D");
  const double x = 2 - 1.5 * sin(rocker) + sin(turn), y = 1.5 * cos(rocker) - cos(turn);
  EXPECT_NEAR(x * x + y * y, 4.25, 1e-13);
  assert_true(fabs(rocker) < 1);  // on the branch that is drawn
  dispose(&a);
}

// nothing given: nothing moves but what the closing needs, here nothing
static void a_closed_file_stays_as_it_is(void** state) {
  (void)state;
  Assembled a = assemble(FOUR_BAR("", ""));
  expect_closed(&a);
  for (int i = 0; i < a.m->nq; i++) EXPECT_NEAR(a.d->q[i], a.m->q0[i], 0);
  for (int i = 0; i < a.m->nv; i++) EXPECT_NEAR(a.d->v[i], 0, 0);
  dispose(&a);
}

static void far_given_values_are_reached_along_closed_positions(void** state) {
  (void)state;
  for (double q = -2.6; q < 2.7; q += 0.4) {
    char text[1024], position[40];
    snprintf(position, sizeof position, ", position: %.17g", q);
    snprintf(text, sizeof text,
             "bodies:\n"
             "  a: {rod: [[0, 0, 0], [0, 0.5, 0]], mass: 1}\n"
             "  b: {rod: [[0, 0.5, 0], [2, 1.5, 0]], mass: 1}\n"
             "  c: {rod: [[2, 0, 0], [2, 1.5, 0]], mass: 1}\n"
             "joints:\n"
             "  A: {revolute: [ground, a], at: [0, 0, 0], axis: z%s}\n"
             "  B: {revolute: [a, b], at: [0, 0.5, 0], axis: z}\n"
             "  C: {revolute: [b, c], at: [2, 1.5, 0], axis: z}\n"
             "  D: {revolute: [ground, c], at: [2, 0, 0], axis: z}\n",
             position);
    Assembled a = assemble(text);
    expect_closed(&a);
    EXPECT_NEAR(joint_q(&a, "A"), q, 0);
    dispose(&a);
  }
}

static void given_values_of_cut_joints_are_held_too(void** state) {
  (void)state;
  Assembled a = assemble(
      "bodies: {a: {rod: [[0,0,0],[0,1,0]], mass: 1}, b: {rod: [[0,1,0],[2,1.5,0]], mass: 1},\n"
      "         c: {rod: [[2,0,0],[2,1.5,0]], mass: 1}}\n"
      "joints:\n"
      "  A: {revolute: [ground, a], at: [0, 0, 0], axis: z}\n"
      "  B: {revolute: [a, b], at: [0, 1, 0], axis: z}\n"
      "  C: {revolute: [b, c], at: [2, 1.5, 0], axis: z, position: 0.2, speed: 3}\n"
      "  D: {revolute: [ground, c], at: [2, 0, 0], axis: z, damping: 1}\n");
  expect_closed(&a);
  // wherever it is, tree or cut, its coordinate is what was asked for
  double angle = 0, rate = 0;
  for (int j = 0; j < a.m->njoint; j++)
    if (strcmp(sar_text(a.m, a.m->joint_name[j]), "C") == 0) {
      double q, v;
      EXPECT_OK(sar_joint_get(a.d, sar_joint_item(a.m, j), &q, &v));
      angle = q, rate = v;
    }
  EXPECT_NEAR(angle, 0.2, 1e-13);
  EXPECT_NEAR(rate, 3, 1e-12);
  dispose(&a);
}

// of all speeds that fit, those of the least kinetic energy: M v = Psi' x + what holds the given
// ones What is closed is judged by the size of the bodies, not by where the joints stand: a hinge
// in the ground's origin has no distance from it.
static void a_mechanism_may_stand_anywhere(void** state) {
  (void)state;
  static const char* const PLACE[] = {"0", "1e-3", "7"};
  for (int i = 0; i < 3; i++) {
    char text[400];
    snprintf(
        text, sizeof text,
        "bodies: {rod: {rod: [[%s, 0, 0], [%s, 0, -1]], mass: 1}}\n"
        "joints: {hinge: {revolute: [ground, rod], at: [%s, 0, 0], axis: y, position: 30 deg}}\n"
        "simulation: {coordinates: absolute}\n",
        PLACE[i], PLACE[i], PLACE[i]);
    Assembled a = assemble(text);
    expect_closed(&a);
    dispose(&a);
  }
}

static void speeds_not_given_take_the_least_energy(void** state) {
  (void)state;
  Assembled a = assemble(
      "bodies: {a: {rod: [[0,0,0],[1,0,0]], mass: 1}, b: {rod: [[0,1,0],[1,1,0]], mass: 3}}\n"
      "joints: {x: {revolute: [ground, a], axis: z, at: [0,0,0], speed: 2},\n"
      "         y: {revolute: [ground, b], axis: z, at: [0,1,0]}}\n"
      "constraints: {rod: {rod: [[a, [1,0,0]], [b, [1,1,0]]]}}\n");
  expect_closed(&a);
  EXPECT_NEAR(joint_v(&a, "x"), 2, 0);
  EXPECT_NEAR(joint_v(&a, "y"), 2, 1e-14);  // the rod stands across both
  dispose(&a);
}

// ---- what is said -------------------------------------------------------------------------------

static void a_coupler_too_short_is_named_with_its_gap(void** state) {
  (void)state;
  Assembled a = assemble(
      "bodies: {a: {rod: [[0,0,0],[1,0,0]], mass: 1}, b: {rod: [[5,0,0],[6,0,0]], mass: 1}}\n"
      "joints: {A: {revolute: [ground, a], axis: z, at: [0,0,0]},\n"
      "         B: {revolute: [ground, b], axis: z, at: [5,0,0]}}\n"
      "constraints: {bar: {rod: [[a, [1,0,0]], [b, [6,0,0]]], length: 2}}\n");
  EXPECT_STATUS(a.status, SAR_BAD_MODEL);
  // pivots 5 apart, two arms of 1: at best 3, so 1 is missing
  EXPECT_SAID(&a, "cannot be assembled", "'bar'", "open by 1 m");
  dispose(&a);
}

static void contradicting_positions_are_named(void** state) {
  (void)state;
  Assembled a = assemble(FOUR_BAR(", position: 0.5", ", position: -0.5"));
  EXPECT_STATUS(a.status, SAR_BAD_MODEL);
  EXPECT_SAID(&a, "given positions contradict", "'A'", "'D'");
  dispose(&a);
}

// four digits of a good value: corrected, and said so
static void rounded_positions_are_corrected_with_a_warning(void** state) {
  (void)state;
  Assembled exact = assemble(FOUR_BAR(", position: 0.5", ""));
  char other[64], text[1024];
  snprintf(other, sizeof other, ", position: %.4f", joint_q(&exact, "D"));
  snprintf(text, sizeof text, "%s", FOUR_BAR(", position: 0.5", "@"));
  char* at = strchr(text, '@');
  char tail[256];
  snprintf(tail, sizeof tail, "%s%s", other, at + 1);
  strcpy(at, tail);
  Assembled a = assemble(text);
  expect_closed(&a);
  EXPECT_SAID(&a, "do not quite fit", "'A'");
  assert_int_equal(a.err.errors, 0);
  EXPECT_NEAR(joint_q(&a, "D"), joint_q(&exact, "D"), 1e-4);
  dispose(&exact);
  dispose(&a);
}

static void contradicting_speeds_are_named(void** state) {
  (void)state;
  Assembled a = assemble(FOUR_BAR(", speed: 1", ", speed: -1"));
  EXPECT_STATUS(a.status, SAR_BAD_MODEL);
  EXPECT_SAID(&a, "given speeds contradict", "'A'", "'D'");
  dispose(&a);
}

// Two hinges on one line between the same bodies: the speed of one is that of the other. It must
// not be made up for by rounding in the rows of joints that have nothing to do with it, here the
// first, which would turn with 1e15 rad/s.
static void speeds_of_hinges_on_one_line_agree(void** state) {
  (void)state;
  Rng r = rng_seed(test_seed(71));
  for (int trial = 0; trial < test_effort(60); trial++) {
    char text[1000], place[100], axis[66];
    const double speed = rng_uniform(&r, 0.5, 3), miss = trial % 2 ? rng_uniform(&r, 0.1, 1) : 0;
    const bool gated = trial % 3 == 0;
    snprintf(place, sizeof place, "[%.3f, %.3f, %.3f]", rng_uniform(&r, -2, 2),
             rng_uniform(&r, -2, 2), rng_uniform(&r, -2, 2));
    snprintf(axis, sizeof axis, "[%.3f, %.3f, %.3f]", rng_uniform(&r, -1, 1),
             rng_uniform(&r, -1, 1), rng_uniform(&r, 0.2, 1));
    snprintf(text, sizeof text,
             "bodies: {a: " LINK
             ", b: {box: [1, 1, 1], mass: 1, at: [-0.5, 1.5, -1]},\n"
             "  c: {box: [1, 1, 1], mass: 1, at: [0, 1, -2]}}\n"
             "joints: {A: {revolute: [ground, a], at: [0.5, 0, 0], axis: [1, 2, 3]},\n"
             "  B: {revolute: [a, b], at: %s, axis: %s},\n"
             "  C: {revolute: [b, c], at: %s, axis: %s, speed: %.17g},\n"
             "  D: {revolute: [c, b], at: %s, axis: %s, speed: %.17g}}\n%s",
             place, axis, place, axis, -speed, place, axis, speed + miss,
             gated ? "constraints: {r: {rod: [a, [ground, [-1.25, 0.25, 1]]], from: 1}}\n" : "");
    Assembled a = assemble(text);
    if (miss > 0) {
      EXPECT_STATUS(a.status, SAR_BAD_MODEL);
      EXPECT_SAID(&a, "given speeds contradict", "'C'", "'D'");
    } else {
      EXPECT_STATUS(a.status, SAR_OK);
      EXPECT_NEAR(joint_v(&a, "A"), 0, 1e-9);
      EXPECT_NEAR(joint_v(&a, "C"), -speed, 1e-9);
    }
    dispose(&a);
  }
}

static void drives_that_disagree_and_drives_too_many(void** state) {
  (void)state;
  Assembled a = assemble(FOUR_BAR(
      "", "") "constraints:\n"
              "  one: {motion: A, value: 't'}\n"
              "  two: {motion: D, value: '-t'}\n");
  EXPECT_STATUS(a.status, SAR_BAD_MODEL);
  EXPECT_SAID(&a, "over-driven", "2 drives for 1 degree", "'two'", "misses by");
  dispose(&a);
  a = assemble("bodies: {a: " LINK
               "}\n"
               "joints: {A: {revolute: [ground, a], axis: z}}\n"
               "constraints: {one: {motion: A, value: 't'}, two: {motion: A, value: 't'}}\n");
  expect_closed(&a);
  EXPECT_SAID(&a, "over-driven", "2 drives for 1 degree", "'two'");
  dispose(&a);
}

static void a_locked_one_is_said_to_be(void** state) {
  (void)state;
  Assembled a =
      assemble(FOUR_BAR("", "") "constraints: {bar: {rod: [[a, [0,1,0]], [c, [2,0,0]]]}}\n");
  expect_closed(&a);
  assert_int_equal(a.m->nv, a.freedom.rank);
  EXPECT_SAID(&a, "locked");
  assert_int_equal(a.err.errors, 0);
  dispose(&a);
}

static void a_singular_start_is_said_to_be(void** state) {
  (void)state;
  Assembled a = assemble(
      "bodies: {a: {rod: [[0,0,0],[1,0,0]], mass: 1}, b: {rod: [[1,0,0],[3,0,0]], mass: 1},\n"
      "         c: {rod: [[2,0,0],[3,0,0]], mass: 1}}\n"
      "joints:\n"
      "  A: {revolute: [ground, a], at: [0, 0, 0], axis: z, speed: 1}\n"
      "  B: {revolute: [a, b], at: [1, 0, 0], axis: z}\n"
      "  C: {revolute: [b, c], at: [3, 0, 0], axis: z}\n"
      "  D: {revolute: [ground, c], at: [2, 0, 0], axis: z}\n");
  expect_closed(&a);
  assert_int_equal(a.m->nv - a.freedom.rank, 1);
  assert_int_equal(a.m->nv - a.freedom.rank_here, 2);
  EXPECT_SAID(&a, "singular position", "2 degrees of freedom there, 1 around");
  dispose(&a);
}

// ---- where a run begins and begins again --------------------------------------------------------

// what the host sets is corrected as a whole, without what the file gives
static void a_state_of_the_host_is_corrected(void** state) {
  (void)state;
  Assembled a = assemble(FOUR_BAR(", position: 0.5", ""));
  a.d->q[0] += 0.3;
  SarFreedom freedom;
  int order[16];
  double size[16];
  sar_error_init(&a.err);
  EXPECT_OK_OR(sar_assemble_rows(a.m, a.d, &freedom, order, size, &a.err), &a.err);
  expect_closed(&a);
  assert_true(fabs(joint_q(&a, "A") - 0.5) > 0.01);
  dispose(&a);
}

// Two rods to points that far apart say nearly the same. Rows are told apart by their Gram matrix
// where that is sure, by a decomposition where it is not: the same rows count whichever of them
// said so.
static void rows_nearly_alike_count_by_their_distance(void** state) {
  (void)state;
  const struct {
    double apart;
    int rank;
  } cases[] = {{0.1, 2}, {1e-2, 2}, {1e-3, 2}, {1e-4, 2}, {1e-5, 2}, {1e-8, 1}, {0, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[600];
    snprintf(text, sizeof text,
             "bodies: {a: " LINK
             "}\njoints: {f: {free: [ground, a]}}\nconstraints:\n"
             "  r1: {rod: [[ground, [0, 0, 0]], [a, [1, 0, 0]]]}\n"
             "  r2: {rod: [[ground, [0, 0, 0]], [a, [1, %g, 0]]]}\n",
             cases[i].apart);
    Assembled a = assemble(text);
    assert_int_equal(a.m->nrow, 2);
    assert_int_equal(a.freedom.rank, cases[i].rank);
    dispose(&a);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_nearly_alike_count_by_their_distance),
      cmocka_unit_test(planar_four_bar_has_one),
      cmocka_unit_test(sarrus_linkage_has_one),
      cmocka_unit_test(spatial_loops_have_what_theory_says),
      cmocka_unit_test(followers_take_freedoms),
      cmocka_unit_test(given_values_are_held_and_the_rest_follows),
      cmocka_unit_test(a_closed_file_stays_as_it_is),
      cmocka_unit_test(far_given_values_are_reached_along_closed_positions),
      cmocka_unit_test(given_values_of_cut_joints_are_held_too),
      cmocka_unit_test(a_mechanism_may_stand_anywhere),
      cmocka_unit_test(speeds_not_given_take_the_least_energy),
      cmocka_unit_test(a_coupler_too_short_is_named_with_its_gap),
      cmocka_unit_test(contradicting_positions_are_named),
      cmocka_unit_test(rounded_positions_are_corrected_with_a_warning),
      cmocka_unit_test(contradicting_speeds_are_named),
      cmocka_unit_test(speeds_of_hinges_on_one_line_agree),
      cmocka_unit_test(drives_that_disagree_and_drives_too_many),
      cmocka_unit_test(a_locked_one_is_said_to_be),
      cmocka_unit_test(a_singular_start_is_said_to_be),
      cmocka_unit_test(a_state_of_the_host_is_corrected),
  };
  return cmocka_run_group_tests_name("assembly", tests, NULL, NULL);
}
