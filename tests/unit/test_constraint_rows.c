// Rows of constraints: those that always hold are left out, coordinates of joints mean the same
// wherever the joint is in the tree, turns are counted, drives warn, curves pass through their
// points.
#include "support/constraint_check.h"
#include "support/random_model.h"

static SarModel* model_in(const char* yaml, const char* coordinates) {
  const SarLoadOptions o = {.coordinates = coordinates};
  return model_text_with(yaml, &o);
}

static int find_constraint(const SarModel* m, const char* name) {
  for (int i = 0; i < m->nconstraint; i++)
    if (strcmp(sar_text(m, m->constraint[i].name), name) == 0) return i;
  fail_msg("no constraint '%s'", name);
  return -1;
}

// ---- rows that always hold ----------------------------------------------------------------------

// Three bars and a closing joint, in the plane of two perpendicular directions.
static SarModel* planar_mechanism(V3 x, V3 y, const char* closing) {
  static const double at[][2] = {{0, 0}, {0.3, 1}, {1.2, 1.4}, {1.5, 0}};
  static const char* const pair[] = {"ground, a", "a, b", "b, c", "c, ground"};
  ModelText t = {.used = 0};
  model_add(&t, "bodies:\n");
  for (int i = 0; i < 3; i++) model_add(&t, "  %c: {sphere: 0.1, mass: 1}\n", 'a' + i);
  model_add(&t, "joints:\n");
  for (int i = 0; i < 4; i++) {
    const char* kind = i < 3 ? "revolute" : closing;
    const V3 p = v3_axpy(at[i][0], x, v3_scale(at[i][1], y));
    const V3 axis = strcmp(kind, "prismatic") == 0 ? x : v3_cross(x, y);
    model_add(&t, "  j%d: {%s: [%s], at: [%.17g, %.17g, %.17g]", i, kind, pair[i], p.x, p.y, p.z);
    if (sar_joint_kind_find(kind)->axes == SAR_AXES_ONE)
      model_add(&t, ", axis: [%.17g, %.17g, %.17g]", axis.x, axis.y, axis.z);
    model_add(&t, "%s}\n", i < 3 ? ", damping: 1" : "");
  }
  return model_text(t.text);
}

// Whatever closes the loop, and however the plane lies: three equations of six are those of the
// plane.
static void planar_loops_keep_their_plane_rows(void** state) {
  (void)state;
  static const struct {
    const char* closing;
    int rows;
  } all[] = {{"revolute", 2}, {"prismatic", 2}, {"spherical", 2}, {"cylindrical", 2}, {"fixed", 3}};
  const V3 ex = {1, 0, 0}, ey = {0, 1, 0}, ez = {0, 0, 1};
  const V3 tilted = v3_unit(v3(1, 2, 3)), across = v3_perp(tilted);
  const V3 plane[][2] = {{ex, ey}, {ex, ez}, {ey, ez}, {tilted, across}};
  for (int i = 0; i < 4; i++)
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
      SarModel* m = planar_mechanism(plane[i][0], plane[i][1], all[k].closing);
      assert_int_equal(m->ncut, 1);
      assert_string_equal(m->cut[0].kind->name, all[k].closing);
      assert_int_equal(m->nrow, all[k].rows);
      assert_int_equal(m->nrow + m->constraint[0].identical, m->cut[0].kind->nrow);
      check_constraints(m, k);
      sar_model_free(m);
    }
}

static void spatial_loops_keep_all_rows(void** state) {
  (void)state;
  // the same bars with one axis out of line: nothing holds by itself any more
  SarModel* m = model_text(
      "bodies: {a: {sphere: 0.1, mass: 1}, b: {sphere: 0.1, mass: 1}, c: {sphere: 0.1, mass: 1}}\n"
      "joints:\n"
      "  A: {revolute: [ground, a], at: [0, 0, 0], axis: z, damping: 1}\n"
      "  B: {revolute: [a, b], at: [0.3, 1, 0], axis: [0, 0.1, 1], damping: 1}\n"
      "  C: {revolute: [b, c], at: [1.2, 1.4, 0], axis: z, damping: 1}\n"
      "  D: {revolute: [c, ground], at: [1.5, 0, 0], axis: z}\n");
  assert_int_equal(m->nrow, 5);
  assert_int_equal(m->constraint[0].identical, 0);
  sar_model_free(m);
}

// A weld beside another one demands nothing: no rows, and the model is an open tree again.
static void doubled_welds_vanish(void** state) {
  (void)state;
  SarModel* m = model_text(
      "bodies: {a: {sphere: 0.1, mass: 1}, b: {sphere: 0.1, mass: 1, at: [1, 0, 0]}}\n"
      "joints: {A: {revolute: [ground, a]}, W1: {fixed: [a, b]}, W2: {fixed: [b, a]}}\n");
  assert_int_equal(m->nrow, 0);
  assert_int_equal(m->constraint[0].identical, 6);
  sar_model_free(m);
}

// ---- coordinates of joints ----------------------------------------------------------------------

// A joint of every kind, written from the child to the parent: the tree runs through it against the
// file. A prescribed coordinate is the file's all the same.
static void turned_joints_move_as_the_file_says(void** state) {
  (void)state;
  static const struct {
    const char* joint;
    int component, q;  // place among the joint's q
  } all[] = {
      {"revolute: [b, ground], axis: [1, 1, 0]", 1, 0},
      {"prismatic: [b, ground], axis: [1, 1, 0]", 1, 0},
      {"screw: [b, ground], axis: [1, 1, 0], pitch: 0.1", 1, 0},
      {"cylindrical: [b, ground], axis: [1, 1, 0]", 2, 1},
      {"universal: [b, ground], axis: x, axis2: y", 1, 0},
      {"universal: [b, ground], axis: x, axis2: y", 2, 1},
      {"planar: [b, ground], axis: z", 1, 0},
      {"planar: [b, ground], axis: z", 2, 1},
      {"planar: [b, ground], axis: z", 3, 2},
      {"free: [b, ground]", 2, 1},
  };
  Rng r = rng_seed(5);
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    char text[512];
    double xi[6], q[7];
    SarData* d;
    snprintf(text, sizeof text,
             "bodies: {b: {sphere: 0.1, mass: 1}}\njoints: {j: {%s, at: [0.1, 0.2, 0.3]}}\n"
             "constraints: {c: {motion: j, value: 0.25, component: %d}}\n",
             all[i].joint, all[i].component);
    SarModel* m = model_text(text);
    assert_int_equal(m->joint_turned[0], 1);
    check_constraints(m, i);
    EXPECT_OK(sar_data_new(m, &d, NULL));
    for (int k = 0; k < m->nv; k++) xi[k] = rng_uniform(&r, -1, 1);
    move_all(m, m->q_zero, xi, d->q);
    evaluate_constraints(m, d);
    EXPECT_OK(sar_joint_get(d, 0, q, xi));
    EXPECT_NEAR(d->Phi[0], q[all[i].q] - 0.25, 1e-14);  // rounding
    sar_data_free(d);
    sar_model_free(m);
  }
}

// The same for joints that close a loop, here one that the tree joint next to it follows exactly:
// the bodies hang on a joint of the same kind at the same place.
static void cut_joints_move_as_the_file_says(void** state) {
  (void)state;
  static const struct {
    const char* joint;
    int component;
  } all[] = {
      {"revolute: [ground, b], axis: [1, 1, 0]", 1},
      {"prismatic: [ground, b], axis: [1, 1, 0]", 1},
      {"screw: [ground, b], axis: [1, 1, 0], pitch: 0.1", 1},
      {"cylindrical: [ground, b], axis: [1, 1, 0]", 1},
      {"cylindrical: [ground, b], axis: [1, 1, 0]", 2},
      {"universal: [ground, b], axis: x, axis2: y", 1},
      {"universal: [ground, b], axis: x, axis2: y", 2},
      {"planar: [ground, b], axis: z", 1},
      {"planar: [ground, b], axis: z", 3},
  };
  Rng r = rng_seed(6);
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    char text[512];
    double xi[6];
    SarData* d;
    snprintf(text, sizeof text,
             "bodies: {b: {sphere: 0.1, mass: 1}}\njoints:\n"
             "  tree: {%s, at: [0.1, 0.2, 0.3], armature: 1}\n  cut: {%s, at: [0.1, 0.2, 0.3]}\n"
             "constraints: {c: {motion: cut, value: 0.25*t, component: %d}}\n",
             all[i].joint, all[i].joint, all[i].component);
    SarModel* m = model_text(text);
    assert_int_equal(m->ncut, 1);
    const int c = find_constraint(m, "c"), row = m->constraint[c].row;
    assert_true(m->constraint[c].drive);
    check_constraints(m, i);
    EXPECT_OK(sar_data_new(m, &d, NULL));
    d->t = 1;
    for (int k = 0; k < m->nv; k++) xi[k] = rng_uniform(&r, -1, 1);
    move_all(m, m->q_zero, xi, d->q);
    evaluate_constraints(m, d);
    EXPECT_NEAR(d->Phi[row], d->q[all[i].component - 1] - 0.25, 1e-14);
    EXPECT_NEAR(d->Phi_t[row], -0.25, 0);
    sar_data_free(d);
    sar_model_free(m);
  }
}

// ---- turns --------------------------------------------------------------------------------------

// A drive on a joint that closes a loop goes on for many turns, although the angle is measured
// within one: Phi is the deviation from the drive, whatever the turn.
static void drives_of_cut_joints_go_round(void** state) {
  (void)state;
  SarData* d;
  SarModel* m = model_text(
      "bodies: {b: {sphere: 0.1, mass: 1}}\njoints:\n  tree: {revolute: [ground, b], armature: 1}\n"
      "  cut: {revolute: [ground, b]}\nconstraints: {c: {motion: cut, value: 10*t}}\n");
  assert_int_equal(m->ncut, 1);
  assert_int_equal(m->nrow, 1);
  EXPECT_OK(sar_data_new(m, &d, NULL));
  for (int i = 0; i < 200; i++) {
    d->t = 0.1 * i;
    d->q[0] = 10 * d->t + 0.01;
    evaluate_constraints(m, d);
    EXPECT_NEAR(d->Phi[0], 0.01, 1e-13);  // rounding of 200 rad
  }
  sar_data_free(d);
  sar_model_free(m);
}

// In absolute coordinates both wheels of a gear are measured by angles; their turns are counted.
static void gears_count_turns(void** state) {
  (void)state;
  SarData* d;
  SarModel* m = model_in(
      "planar: xy\nbodies: {a: {sphere: 0.1, mass: 1}, b: {sphere: 0.1, mass: 1, at: [1, 0, 0]}}\n"
      "joints: {A: {revolute: [ground, a]}, B: {revolute: [ground, b], at: [1, 0, 0]}}\n"
      "constraints: {g: {gear: [A, B], ratio: -1.7}}\n",
      "absolute");
  assert_int_equal(m->nv, 6);
  const int row = m->constraint[find_constraint(m, "g")].row;
  EXPECT_OK(sar_data_new(m, &d, NULL));
  for (int i = 0; i <= 100; i++) {  // 100 steps of half a radian
    const double angle = 0.5 * i;
    d->q[2] = angle;
    d->q[5] = -1.7 * angle + 0.02;
    evaluate_constraints(m, d);
    EXPECT_NEAR(d->Phi[row], 0.02, 1e-12);  // rounding of 85 rad
  }
  sar_data_free(d);
  sar_model_free(m);
}

// ---- motions and curves -------------------------------------------------------------------------

static void a_jump_of_speed_is_a_warning(void** state) {
  (void)state;
  static const char text[] =
      "sarrus: 1\nbodies: {b: {sphere: 0.1, mass: 1}}\njoints: {j: {prismatic: [ground, b]}}\n"
      "constraints: {c: {motion: j, value: 'table(t, 0, 0, 1, 2, 3, 2)'}}\n";
  SarError err;
  SarModel* m = NULL;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_model_parse(text, sizeof text - 1, "yaml", "t.yaml", NULL, &m, &err), &err);
  assert_int_equal(err.count, 1);
  assert_int_equal(err.items[0].severity, SAR_WARNING);
  assert_non_null(strstr(err.items[0].text, "speed of value jumps from 2 to 0 at t = 1"));
  sar_model_free(m);
}

// variables stand for what they are: their derivatives count too
static void motions_see_through_variables(void** state) {
  (void)state;
  SarData* d;
  SarModel* m = model_text(
      "parameters: {w: 3}\nvariables: {phase: w*t, wave: sin(phase)}\n"
      "bodies: {b: {sphere: 0.1, mass: 1}}\njoints: {j: {prismatic: [ground, b]}}\n"
      "constraints: {c: {motion: j, value: 2*wave}}\n");
  EXPECT_OK(sar_data_new(m, &d, NULL));
  d->t = 0.4;
  evaluate_constraints(m, d);
  EXPECT_NEAR(d->Phi[0], -2 * sin(1.2), 1e-15);
  EXPECT_NEAR(d->Phi_t[0], -6 * cos(1.2), 1e-14);
  EXPECT_NEAR(d->gamma[0], -18 * sin(1.2), 1e-14);
  sar_data_free(d);
  sar_model_free(m);
}

// The spline passes through the rows, is straight beyond them, and its slope and bend are those of
// its values (check_constraints).
static void tables_become_splines(void** state) {
  (void)state;
  static const double table[][2] = {{-1, 0.5}, {0, 0}, {0.5, 0.3}, {2, 0.1}};
  SarData* d;
  SarModel* m = model_text(
      "bodies: {b: {sphere: 0.1, mass: 1}}\n"
      "constraints: {c: {on_curve: [b, ground], axis: x, axis2: z,"
      " table: [[-1, 0.5], [0, 0], [0.5, 0.3], [2, 0.1]]}}\n");
  assert_int_equal(m->nrow, 1);
  check_constraints(m, 3);
  EXPECT_OK(sar_data_new(m, &d, NULL));
  for (int i = 0; i < 4; i++) {
    d->q[0] = table[i][0];
    d->q[2] = table[i][1];
    evaluate_constraints(m, d);
    EXPECT_NEAR(d->Phi[0], 0, 1e-15);
  }
  double height[3];
  for (int i = 0; i < 3; i++) {
    d->q[0] = 2 + i;
    evaluate_constraints(m, d);
    height[i] = d->Phi[0];
  }
  EXPECT_NEAR(height[0] - 2 * height[1] + height[2], 0, 1e-14);
  sar_data_free(d);
  sar_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(planar_loops_keep_their_plane_rows),
      cmocka_unit_test(spatial_loops_keep_all_rows),
      cmocka_unit_test(doubled_welds_vanish),
      cmocka_unit_test(turned_joints_move_as_the_file_says),
      cmocka_unit_test(cut_joints_move_as_the_file_says),
      cmocka_unit_test(drives_of_cut_joints_go_round),
      cmocka_unit_test(gears_count_turns),
      cmocka_unit_test(a_jump_of_speed_is_a_warning),
      cmocka_unit_test(motions_see_through_variables),
      cmocka_unit_test(tables_become_splines),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
