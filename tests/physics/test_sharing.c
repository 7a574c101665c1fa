// Reactions where constraints are redundant: one answer for all formulations and both kinds of
// coordinates, the one with the least sum of squares, and columns that are not unique are named.
#include "support/loop_twin.h"

#include "sim/outputs.h"

enum { MECHANISMS = 1000, FIRST = 30000 };

// A door of mass m and width w, its mass centre half way between hinges 2 h apart, at rest: hinge
// forces are mg/2 each upwards, -X and X across, with the moment m g w/2 = 2 h X + 2 T; the least 2
// X^2 + 2 T^2 has X = h T' with T = M / (2 (1 + h^2)), X = h M / (2 (1 + h^2)).
static const char DOOR[] =
    "sarrus: 1\nbodies: {door: {box: [0.8, 0.04, 2], mass: 20, at: [0.4, 0, 1]}}\njoints:\n"
    "  lower: {revolute: [ground, door], at: [0, 0, 0.2], axis: z}\n"
    "  upper: {revolute: [ground, door], at: [0, 0, 1.8], axis: z}\noutputs: [reactions]\n";

// A four-bar of hinges in space: only what acts in its plane is determined.
static const char FOUR_BAR[] =
    "sarrus: 1\ngravity: [0, -9.81, 0]\nbodies:\n  a: {rod: [[0, 0, 0], [0, 1, 0]], mass: 1}\n"
    "  b: {rod: [[0, 1, 0], [2, 1.5, 0]], mass: 2}\n  c: {rod: [[2, 1.5, 0], [2, 0, 0]], mass: 1}\n"
    "joints:\n  A: {revolute: [ground, a], at: [0, 0, 0]}\n  B: {revolute: [a, b], at: [0, 1, 0]}\n"
    "  C: {revolute: [b, c], at: [2, 1.5, 0]}\n  D: {revolute: [ground, c], at: [2, 0, 0]}\n"
    "constraints: {drive: {motion: A, value: \"sin(t)\"}}\noutputs: [reactions, constraints]\n";

// ---- one model, all ways ------------------------------------------------------------------------

enum { MAX_COLUMNS = 200 };

typedef struct Columns {
  double value[MAX_COLUMNS];
  char ambiguous[2000];
} Columns;

// SAR_NOT_OFFERED: the formulation does not take the model.
static SarStatus columns_of(const TwinSide* side, const char* formulation, Columns* out) {
  SarSimOptions o = sar_sim_options();
  SarData* d;
  SarSim* s;
  o.formulation = formulation;
  assert_in_range(side->m->nchannel, 1, MAX_COLUMNS);
  EXPECT_OK(sar_data_new(side->m, &d, NULL));
  EXPECT_OK(sar_data_copy(d, side->d));
  SarStatus st = sar_sim_new(side->m, d, &o, &s, NULL);
  if (st == SAR_OK) {
    EXPECT_OK(sar_outputs(s, out->value));
    sar_ambiguous_text(s, out->ambiguous, sizeof out->ambiguous);
  }
  sar_sim_free(s);
  sar_data_free(d);
  return st;
}

static double column(const SarModel* m, const Columns* c, const char* name) {
  const int i = sar_model_find(m, SAR_ITEM_OUTPUT, name);
  assert_true(i >= 0);
  return c->value[i];
}

static void a_door_hangs_on_both_hinges(void** state) {
  (void)state;
  const double g = 9.81, half = 0.8, moment = 20 * g * 0.4;
  const double torque = moment / (2 * (1 + half * half)), across = half * torque;
  int ways = 0;
  for (int c = 0; c < 2; c++) {
    static TwinSide side;
    static Columns now;
    twin_load(&side, DOOR, TWIN_COORDINATES[c]);
    EXPECT_OK_OR(side.status, &side.err);
    for (int i = 0; sar_formulation(i); i++) {
      if (columns_of(&side, sar_formulation(i)->name, &now) == SAR_NOT_OFFERED) continue;
      EXPECT_NEAR(column(side.m, &now, "lower.fz"), 10 * g, 1e-9);
      EXPECT_NEAR(column(side.m, &now, "upper.fz"), 10 * g, 1e-9);
      EXPECT_NEAR(column(side.m, &now, "lower.fx"), across, 1e-9);
      EXPECT_NEAR(column(side.m, &now, "upper.fx"), -across, 1e-9);
      EXPECT_NEAR(fabs(column(side.m, &now, "lower.ty")), torque, 1e-9);
      EXPECT_NEAR(column(side.m, &now, "upper.ty"), column(side.m, &now, "lower.ty"), 1e-9);
      EXPECT_NEAR(column(side.m, &now, "upper.tz"), 0, 1e-9);
      assert_string_equal(now.ambiguous,
                          "lower.fx, lower.fy, lower.fz, lower.tx, lower.ty, upper.fx, upper.fy, "
                          "upper.fz, upper.tx, upper.ty");
      ways++;
    }
    twin_free(&side);
  }
  assert_true(ways > 25);
}

static void only_what_is_undecided_is_named(void** state) {
  (void)state;
  for (int c = 0; c < 2; c++) {
    static TwinSide side;
    static Columns now;
    twin_load(&side, FOUR_BAR, TWIN_COORDINATES[c]);
    EXPECT_OK_OR(side.status, &side.err);
    EXPECT_OK(columns_of(&side, "lagrange", &now));
    assert_string_equal(now.ambiguous,
                        "A.fz, A.tx, A.ty, B.fz, B.tx, B.ty, D.fz, D.tx, D.ty, C.fz, C.tx, C.ty");
    twin_free(&side);
  }
}

// A rod beside the link of a pendulum that hangs at rest, from its hinge to a point straight below:
// both carry the weight along one line, so each takes half of it (the least sum of squares),
// whether the tree runs through the link, which makes the rod hold at every position, or not.
static const char ROD[] =
    "sarrus: 1\nbodies:\n  link: {rod: [[0, 0, 0], [0, 0, -2]], mass: 3, points: {low: [0, 0, "
    "-0.5]}}\njoints:\n"
    "  hinge: {revolute: [ground, link], at: [0, 0, 0], axis: y}\n"
    "constraints: {stay: {rod: [ground, link.low]}}\noutputs: [reactions, constraints]\n";

static void a_rod_beside_a_link_carries_its_share(void** state) {
  (void)state;
  int ways = 0;
  for (int c = 0; c < 2; c++) {
    static TwinSide side;
    static Columns now;
    twin_load(&side, ROD, TWIN_COORDINATES[c]);
    EXPECT_OK_OR(side.status, &side.err);
    for (int i = 0; sar_formulation(i); i++) {
      if (columns_of(&side, sar_formulation(i)->name, &now) == SAR_NOT_OFFERED) continue;
      EXPECT_NEAR(column(side.m, &now, "hinge.fz"), 1.5 * 9.81, 1e-9);
      EXPECT_NEAR(column(side.m, &now, "stay.force"), -1.5 * 9.81, 1e-9);
      ways++;
    }
    twin_free(&side);
  }
  assert_true(ways > 25);
}

// ---- random mechanisms --------------------------------------------------------------------------

// The same columns in both kinds of coordinates, whatever was cut and whatever rows were kept.
// Redundancy is known as well as loops are closed, 1e-10; see test_random_loops.c for the rest of
// the bound.
static void reactions_do_not_depend_on_the_way(void** state) {
  (void)state;
  static TwinSide side[2];
  static Columns first, now;
  static double expected[MAX_COLUMNS];
  int ambiguous = 0, compared = 0;
  double worst = 0;
  for (int k = 0; k < test_effort(MECHANISMS); k++) {
    const bool possible = twin_make(FIRST + k, side);
    double grip = possible ? fmin(twin_grip(&side[0]), twin_grip(&side[1])) : 0;
    if (grip > 1e-2) {
      EXPECT_OK(columns_of(&side[0], "auto", &first));
      ambiguous += first.ambiguous[0] != 0;
      for (int way = 0; way < 4; way++) {
        const TwinSide* s = &side[way / 2];
        if (s->m->nrow == 0) continue;
        EXPECT_OK(columns_of(s, way % 2 ? "qr" : "lagrange", &now));
        for (int i = 0; i < s->m->nchannel; i++) {
          const char* name = sar_model_name(s->m, SAR_ITEM_OUTPUT, i);
          expected[i] = column(side[0].m, &first, name);
        }
        const double off = twin_apart(now.value, expected, s->m->nchannel) * grip * grip;
        if (!(off <= 1e-7) || strlen(now.ambiguous) != strlen(first.ambiguous))
          fail_msg("mechanism %d, %s: apart by %.1e, grip %.1e\n%s\n%s", FIRST + k,
                   TWIN_COORDINATES[way / 2], off / grip / grip, grip, first.ambiguous,
                   now.ambiguous);
        worst = fmax(worst, off);
        compared++;
      }
    }
    twin_free(&side[0]);
    twin_free(&side[1]);
  }
  print_message("%d comparisons, %d mechanisms with reactions that are not unique, worst %.1e\n",
                compared, ambiguous, worst);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_door_hangs_on_both_hinges),
      cmocka_unit_test(only_what_is_undecided_is_named),
      cmocka_unit_test(a_rod_beside_a_link_carries_its_share),
      cmocka_unit_test(reactions_do_not_depend_on_the_way),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
