// What the compiler makes of solids that touch, materials and groups.
#include "support/colliders.h"

#include "io/reader.h"
#include "model/compile.h"
#include "model/model.h"

static int overlaps;  // that the last model was said to have
static SarDiag first_overlap;

static SarModel* compile_text(const char* text) {
  SarSpec spec;
  SarError err;
  SarModel* m = NULL;
  sar_error_init(&err);
  sar_spec_init(&spec);
  EXPECT_OK(sar_read_yaml(text, strlen(text), "m.yaml", NULL, &spec, &err));
  EXPECT_OK(sar_compile(&spec, NULL, &m, &err));
  sar_spec_free(&spec);
  // no warning either, but of solids in one place
  overlaps = 0;
  for (int i = 0; i < err.count; i++) {
    assert_non_null(strstr(err.items[i].text, "at the start"));
    if (overlaps++ == 0) first_overlap = err.items[i];
  }
  return m;
}

static bool touch(const SarModel* m, const char* a, const char* b) {
  const int i = (int)(find_collider(m, a) - m->collider),
            j = (int)(find_collider(m, b) - m->collider);
  assert_true(sar_may_touch(m, i, j) == sar_may_touch(m, j, i));
  return sar_may_touch(m, i, j);
}

static void shapes_become_solids_in_the_frame_of_the_body(void** state) {
  (void)state;
  SarModel* m = compile_text(
      "sarrus: 1\n"
      "bodies:\n"
      "  a: {box: [0.2, 0.4, 0.6], mass: 1, contact: true}\n"
      "  b: {mass: 1, inertia: [1, 1, 1], contact: [\n"
      "    {sphere: 0.1, at: [1, 2, 3], name: ball},\n"
      "    {capsule: {radius: 0.1, from: [0, 0, 0], to: [0, 3, 0]}, name: leg}]}\n"
      "  c: {cylinder: {radius: 3, length: 8}, mass: 1, contact: false}\n"
      "  d: {mass: 1, inertia: [1, 1, 1], contact: {cylinder: {radius: 3, length: 8}}}\n"
      "joints: {j: {revolute: [a, b], at: [1, 0, 0], axis: x}, k: {prismatic: [ground, c]}}\n"
      "ground: {contact: [{plane: [0, 3, 4], at: [0, 0, 1]}]}\n");
  assert_int_equal(m->ncollider, 5);
  assert_int_equal(m->ncontact, 5 * 16);
  const SarCollider *box = find_collider(m, "a"), *ball = find_collider(m, "b.ball"),
                    *leg = find_collider(m, "b.leg");
  EXPECT_ARRAY_NEAR(box->solid.size, ((double[]){0.1, 0.2, 0.3}), 3, 1e-16);
  EXPECT_NEAR(box->solid.radius, sqrt(0.14), 1e-15);
  assert_int_equal(ball->solid.kind, SAR_SOLID_SPHERE);
  // frame B of b is the joint frame, whose z axis is the joint's
  const V3 p = x_point(x_mul(sar_design_pose(m, ball->body), ball->X_BS), v3_zero());
  EXPECT_ARRAY_NEAR(((double[]){p.x, p.y, p.z}), ((double[]){1, 2, 3}), 3, 1e-15);
  const Xform X = x_mul(sar_design_pose(m, leg->body), leg->X_BS);
  EXPECT_ARRAY_NEAR(leg->solid.size, ((double[]){0.1, 1.5}), 2, 1e-15);
  EXPECT_NEAR(X.p.y, 1.5, 1e-15);
  EXPECT_NEAR(fabs(m3_col_z(X.R).y), 1, 1e-15);
  EXPECT_NEAR(find_collider(m, "d")->solid.radius, 5, 1e-15);
  const SarCollider* plane = find_collider(m, "ground");
  assert_int_equal(plane->body, -1);
  const V3 n = m3_col_z(plane->X_BS.R);
  EXPECT_ARRAY_NEAR(((double[]){n.x, n.y, n.z}), ((double[]){0, 0.6, 0.8}), 3, 1e-15);
  EXPECT_NEAR(plane->X_BS.p.z, 1, 0);
  sar_model_free(m);
}

static void pairs_of_materials_follow_from_both(void** state) {
  (void)state;
  SarModel* m = compile_text(
      "sarrus: 1\n"
      "bodies: {a: {sphere: 1, mass: 1, contact: rubber}}\n"
      "contact:\n"
      "  materials:\n"
      "    steel: {friction: 0.4, restitution: 0.6}\n"
      "    rubber: {friction: 0.9, restitution: 0.2, rolling: 1 mm, stiffness: 3e5, damping: 30}\n"
      "    felt: {friction: 0.1, spinning: 2 mm, stiffness: 6e5, damping: 60}\n"
      "  pairs: [{materials: [steel, felt], friction: 0.7}]\n");
  assert_int_equal(m->nmaterial, 4);
  const int k = m->nmaterial, steel = 1, rubber = 2, felt = 3;
  const SarSurface* s = &m->surface[steel * k + rubber];
  EXPECT_NEAR(s->friction, 0.6, 1e-15);
  EXPECT_NEAR(s->restitution, 0.6, 0);
  EXPECT_NEAR(s->rolling, 1e-3, 0);
  EXPECT_NEAR(s->stiffness, 3e5, 0);  // steel is rigid
  EXPECT_NEAR(s->damping, 30, 0);
  s = &m->surface[felt * k + rubber];
  EXPECT_NEAR(s->stiffness, 2e5, 1e-9);
  EXPECT_NEAR(s->damping, 20, 1e-13);
  EXPECT_NEAR(s->spinning, 2e-3, 0);
  for (int side = 0; side < 2; side++) {
    s = &m->surface[side ? steel * k + felt : felt * k + steel];
    EXPECT_NEAR(s->friction, 0.7, 0);
    EXPECT_NEAR(s->stiffness, 6e5, 0);  // what a pair does not say
  }
  EXPECT_NEAR(m->surface[0].friction, 0.5, 0);
  assert_true(isinf(m->surface[0].stiffness));
  sar_model_free(m);
}

static void joined_bodies_do_not_touch(void** state) {
  (void)state;
  SarModel* m = compile_text(
      "sarrus: 1\n"
      "contact: {overlapping: keep}\n"
      "bodies:\n"
      "  base: {sphere: 1, mass: 1, contact: true}\n"
      "  arm: {sphere: 1, mass: 1, contact: true}\n"
      "  hand: {sphere: 1, mass: 1, contact: true}\n"
      "  tool: {sphere: 1, mass: 1, contact: true}\n"
      "  cuff: {sphere: 1, mass: 1, contact: true}\n"
      "  wall: {sphere: 1, mass: 1, contact: true}\n"
      "  ball: {sphere: 1, mass: 1, contact: true}\n"
      "joints:\n"
      "  base: {fixed: [ground, base]}\n"
      "  wall: {fixed: [ground, wall]}\n"
      "  shoulder: {revolute: [base, arm]}\n"
      "  wrist: {revolute: [arm, hand]}\n"
      "  grip: {fixed: [hand, tool]}\n"
      "  slip: {prismatic: [arm, cuff], contact: true}\n"
      "  pick: {fixed: [tool, ball], from: 2, until: 3}\n"
      "ground: {contact: {plane: z}}\n");
  assert_false(touch(m, "base", "ground"));
  assert_false(touch(m, "base", "wall"));  // neither moves
  assert_false(touch(m, "base", "arm"));
  assert_true(touch(m, "wall", "arm"));
  assert_true(touch(m, "arm", "ground"));
  assert_false(touch(m, "arm", "hand"));
  assert_false(touch(m, "arm", "tool"));  // one body with the hand
  assert_false(touch(m, "hand", "tool"));
  assert_true(touch(m, "base", "tool"));
  assert_true(touch(m, "arm", "cuff"));
  assert_true(touch(m, "tool", "ball"));  // the joint is not always there
  sar_model_free(m);
}

static void ignored_groups_and_bodies_do_not_touch(void** state) {
  (void)state;
  SarModel* m = compile_text(
      "sarrus: 1\n"
      "contact: {max_contacts: 7, ignore: [[rod, hook], [dust], [dust, ground], [fine, rod]]}\n"
      "bodies:\n"
      "  rod: {sphere: 1, mass: 1, contact: true}\n"
      "  hook: {sphere: 1, mass: 1, contact: true}\n"
      "  d1: {sphere: 1, mass: 1, contact: {group: dust}}\n"
      "  d2: {mass: 1, inertia: [1, 1, 1], contact: {sphere: 1, group: [dust, fine]}}\n"
      "ground: {contact: {plane: z}}\n");
  assert_int_equal(m->ncontact, 7);
  assert_false(touch(m, "rod", "hook"));
  assert_false(touch(m, "d1", "d2"));
  assert_false(touch(m, "d1", "ground"));
  assert_false(touch(m, "d2", "rod"));
  assert_true(touch(m, "d1", "rod"));
  assert_true(touch(m, "d2", "hook"));
  assert_true(touch(m, "rod", "ground"));
  sar_model_free(m);
}

// An arm of three links and a free ball; `hand` is %s along x from `base`, and has two solids.
static SarModel* arm(const char* hand, const char* contact) {
  char text[1000];
  snprintf(text, sizeof text,
           "sarrus: 1\n"
           "contact: {%s}\n"
           "bodies:\n"
           "  base: {sphere: 1, mass: 1, contact: true}\n"
           "  link: {sphere: 1, mass: 1, contact: true}\n"
           "  hand: {sphere: 1, mass: 1, contact: [{sphere: 1}, {box: [1, 1, 1]}]}\n"
           "  ball: {sphere: 1, mass: 1, at: [0, 5, 0.5], contact: true}\n"
           "joints:\n"
           "  shoulder: {revolute: [base, link], at: [1, 0, 0], axis: z}\n"
           "  wrist: {prismatic: [link, hand], axis: x, position: %s}\n"
           "ground: {contact: {plane: z, at: [0, 0, -3]}}\n",
           contact, hand);
  return compile_text(text);
}

static void links_that_overlap_at_the_start(void** state) {
  (void)state;
  SarModel* m = arm("1.5", "max_contacts: 50");  // where the joint starts, not where it is designed
  assert_int_equal(overlaps, 1);                 // once for two solids; neighbours do not count
  assert_string_equal(first_overlap.text,
                      "body 'base': contact: at the start it overlaps 'hand' by 0.5 m: the two do "
                      "not touch");
  assert_false(touch(m, "base", "hand"));
  assert_true(touch(m, "hand", "ball"));
  sar_model_free(m);
  m = arm("1.5", "overlapping: keep");
  assert_int_equal(overlaps, 1);
  assert_non_null(strstr(first_overlap.text, "pushed apart"));
  assert_true(touch(m, "base", "hand"));
  sar_model_free(m);
  m = arm("1.9995", "overlapping: ignore");  // less than a thousandth
  assert_int_equal(overlaps, 0);
  assert_true(touch(m, "base", "hand"));
  sar_model_free(m);
}

static void free_bodies_that_overlap_at_the_start(void** state) {
  (void)state;
  SarModel* m = compile_text(
      "sarrus: 1\n"
      "bodies:\n"
      "  a: {sphere: 1, mass: 1, at: [0, 0, 0.9], contact: true}\n"
      "  b: {sphere: 1, mass: 1, at: [1.5, 0, 3], contact: true}\n"
      "ground: {contact: {plane: z}}\n");
  assert_int_equal(overlaps, 1);
  assert_non_null(
      strstr(first_overlap.text, "it overlaps 'ground' by 0.1 m: they are pushed apart"));
  assert_true(touch(m, "a", "ground"));
  sar_model_free(m);
}

static void motors_know_their_coordinate_and_their_limits(void** state) {
  (void)state;
  SarModel* m = compile_text(
      "sarrus: 1\n"
      "bodies:\n"
      "  a: {sphere: 1, mass: 1}\n"
      "  b: {sphere: 1, mass: 1}\n"
      "joints:\n"
      "  roll: {cylindrical: [a, b], axis: x, effort: 3, motor: {speed: [t, 2], effort: [5, "
      "inf]}}\n"
      "  slide: {prismatic: [ground, a], lower: 0, upper: 1, restitution: 0.25, effort: 7,\n"
      "          motor: {position: 0.1 * sin(t), speed_limit: 2}}\n"
      "outputs: [work]\n");
  assert_int_equal(m->nmotor, 3);
  const SarMotor* slide = &m->motor[0];
  assert_string_equal(sar_text(m, m->joint_name[slide->joint]), "slide");
  assert_int_equal(slide->kind, SAR_MOTOR_POSITION);
  EXPECT_NEAR(slide->effort, 7, 0);  // the joint's
  EXPECT_NEAR(slide->speed_limit, 2, 0);
  EXPECT_NEAR(m->dof_restitution[m->joint_vadr[slide->joint]], 0.25, 0);
  assert_int_equal(m->motor[2].kind, SAR_MOTOR_SPEED);
  assert_int_equal(m->motor[2].component, 1);
  EXPECT_NEAR(m->motor[1].effort, 5, 0);
  assert_true(isinf(m->motor[2].effort));
  assert_true(sar_model_find(m, SAR_ITEM_OUTPUT, "work.roll.drive") >= 0);
  assert_true(sar_model_find(m, SAR_ITEM_OUTPUT, "work.limits") >= 0);
  sar_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shapes_become_solids_in_the_frame_of_the_body),
      cmocka_unit_test(pairs_of_materials_follow_from_both),
      cmocka_unit_test(joined_bodies_do_not_touch),
      cmocka_unit_test(ignored_groups_and_bodies_do_not_touch),
      cmocka_unit_test(links_that_overlap_at_the_start),
      cmocka_unit_test(free_bodies_that_overlap_at_the_start),
      cmocka_unit_test(motors_know_their_coordinate_and_their_limits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
