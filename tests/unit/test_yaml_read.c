// YAML reader: every key of docs/model-file.md ends up in its place of the spec.
#include "support/test.h"
#include "support/alloc_count.h"

#include "io/reader.h"
#include "sim/outputs/outputs.h"

static SarSpec spec;
static SarError err;

static SarStatus read_text(const char* text) {
  sar_error_init(&err);
  sar_spec_init(&spec);
  return sar_read_yaml(text, strlen(text), "m.yaml", NULL, &spec, &err);
}

static void good(const char* text) {
  EXPECT_OK_OR(read_text(text), &err);
  assert_int_equal(err.count, 0);
}

// Reads a text with one mistake and checks the whole message.
static void bad(const char* text, const char* message) {
  char is[1024];
  EXPECT_STATUS(read_text(text), SAR_BAD_MODEL);
  assert_int_equal(err.count, 1);
  assert_string_equal(sar_error_format(&err, 0, is, sizeof is), message);
  sar_spec_free(&spec);
}

static bool lookup(void* context, const char* name, double* value) {
  (void)context;
  *value = strcmp(name, "L") == 0 ? 3 : 0;
  return strcmp(name, "L") == 0;
}

// Value of a number with L = 3.
static double number(SpecNum n) {
  double x = 0;
  assert_non_null(n.expr);
  assert_true(sar_expr_constant(n.expr, lookup, NULL, NULL, 0, &x, NULL));
  return x;
}

static void check_numbers(const SpecNum* n, int count, const double* wanted) {
  for (int i = 0; i < count; i++) EXPECT_NEAR(number(n[i]), wanted[i], 1e-15);  // one rounding
}
#define CHECK(n, ...)                                            \
  do {                                                           \
    const double wanted_[] = {__VA_ARGS__};                      \
    check_numbers(n, sizeof wanted_ / sizeof *wanted_, wanted_); \
  } while (0)

static void check_name(SpecName name, const char* text, int line, int column) {
  assert_non_null(name.text);
  assert_string_equal(name.text, text);
  assert_int_equal(name.loc.line, line);
  assert_int_equal(name.loc.column, column);
}

static int teardown(void** state) {
  (void)state;
  sar_spec_free(&spec);
  return 0;
}

// ---- what is read ----------------------------------------------------------------------------

static void top_level(void** state) {
  (void)state;
  good(
      "sarrus: 1\n"
      "name: a machine\n"
      "x-notes: {anything: [goes, here]}\n"
      "parameters: {L: 3, m: 2*L}\n"
      "gravity: [0, 0, -1.62]\n"
      "inputs: {motor: 0}\n"
      "variables: {error: 1 - hinge.q, u: \"max(0, error)\"}\n"
      "points: {wall: [1, 2, L], corner: {at: [0, 0, 1], rpy: [0, 0, 90 deg]}}\n"
      "bodies:\n"
      "joints:\n");
  check_name(spec.name, "a machine", 2, 7);
  assert_int_equal(spec.parameters.count, 2);
  check_name(spec.parameters.items[1].name, "m", 4, 20);
  CHECK(&spec.parameters.items[1].value, 6);
  CHECK(spec.gravity.uniform.c, 0, 0, -1.62);
  check_name(spec.inputs.items[0].name, "motor", 6, 10);
  assert_int_equal(spec.variables.count, 2);
  assert_int_equal(spec.ground_frames.count, 2);
  CHECK(spec.ground_frames.items[0].pose.at.c, 1, 2, 3);
  assert_int_equal(spec.ground_frames.items[1].pose.rotation, SPEC_ROT_RPY);
  EXPECT_NEAR(number(spec.ground_frames.items[1].pose.r[2]), 1.5707963267948966, 1e-15);
  assert_int_equal(spec.bodies.count, 0);
}

static void simulation(void** state) {
  (void)state;
  good(
      "sarrus: 1\n"
      "simulation: {end: 10, step: 1e-3, output_step: L/300, formulation: aba, integrator: rk4,\n"
      "  rtol: 1e-9, atol: 1e-11, max_step: 0.1, adaptive: true}\n");
  const SpecSimulation* s = &spec.simulation;
  CHECK(&s->end, 10);
  CHECK(&s->step, 1e-3);
  CHECK(&s->output_step, 0.01);
  CHECK(&s->rtol, 1e-9);
  CHECK(&s->atol, 1e-11);
  CHECK(&s->max_step, 0.1);
  CHECK(&s->adaptive, 1);
  check_name(s->formulation, "aba", 2, 68);
  check_name(s->integrator, "rk4", 2, 85);
}

static void numbers_of_the_core_schema(void** state) {
  (void)state;
  good(
      "sarrus: 1\n"
      "parameters: {a: 0x1F, b: 0o17, c: -.inf, d: .5, e1: 1e3, f: \"2*3\", g: +4, h: 0x1, k: "
      "'7'}\n");
  const double wanted[] = {31, 15, -(double)INFINITY, 0.5, 1000, 6, 4, 1, 7};
  assert_int_equal(spec.parameters.count, 9);
  for (int i = 0; i < 9; i++)
    assert_true(number(spec.parameters.items[i].value) == wanted[i]);  // exact numbers
}

static void bodies(void** state) {
  (void)state;
  good(
      "sarrus: 1\n"
      "bodies:\n"
      "  arm:\n"
      "    at: [1, 2, L]\n"
      "    quat: [1, 0, 0, 0]\n"
      "    in: base\n"
      "    mass: 2\n"
      "    com: [0, 0, 0.5]\n"
      "    inertia: [1, 2, 3]\n"
      "    points: {tip: [0, 0, 1], tool: {at: [0, 0, 2], axes: {x: y, z: [0, 0, 1]}}}\n"
      "    velocity: [1, 0, 0]\n"
      "    angular_velocity: [0, 0, 4]\n"
      "  base: {inertia: [1, 2, 3, 4, 5, 6]}\n"
      "  full: {inertia: [[1, 4, L], [4, 2, 6], [L, 6, 3]], density: 7850}\n"
      "  empty:\n");
  assert_int_equal(spec.bodies.count, 4);
  const SpecBody* arm = &spec.bodies.items[0];
  check_name(arm->name, "arm", 3, 3);
  CHECK(arm->pose.at.c, 1, 2, 3);
  assert_int_equal(arm->pose.rotation, SPEC_ROT_QUAT);
  check_name(arm->in, "base", 6, 9);
  CHECK(&arm->mass, 2);
  CHECK(arm->com.c, 0, 0, 0.5);
  assert_true(arm->inertia_set);
  CHECK(arm->inertia, 1, 2, 3, 0, 0, 0);
  CHECK(arm->velocity->c, 1, 0, 0);
  CHECK(arm->angular_velocity->c, 0, 0, 4);
  assert_int_equal(arm->frames.count, 2);
  const SpecPose* tool = &arm->frames.items[1].pose;
  assert_int_equal(tool->rotation, SPEC_ROT_AXES);
  assert_int_equal(tool->axis_name[0], 0);
  CHECK(tool->axis_dir[0].c, 0, 1, 0);
  assert_int_equal(tool->axis_name[1], 2);
  CHECK(spec.bodies.items[1].inertia, 1, 2, 3, 4, 5, 6);
  CHECK(spec.bodies.items[2].inertia, 1, 2, 3, 4, 3, 6);
  CHECK(&spec.bodies.items[2].density, 7850);
  assert_false(spec.bodies.items[3].inertia_set);
}

static void shapes(void** state) {
  (void)state;
  good(
      "sarrus: 1\n"
      "bodies:\n"
      "  a: {rod: [[0, 0, 0], [0, 0, L]]}\n"
      "  b: {box: [1, 2, 3]}\n"
      "  c: {cylinder: {radius: 1, length: 2}}\n"
      "  d: {sphere: L}\n"
      "  e: {capsule: {radius: 1, from: [0, 0, 0], to: [1, 1, 1]}}\n"
      "  f: {ellipsoid: [1, 2, 3]}\n"
      "  g: {tube: {radius: 2, inner: 1, length: 5}}\n"
      "  h: {shapes: [{box: [1, 1, 1], at: [0, 0, 1], rpy: [1, 2, 3], mass: 4},\n"
      "    {sphere: 2, density: 8}]}\n");
  static const SpecShapeKind kinds[] = {SPEC_ROD,     SPEC_BOX,       SPEC_CYLINDER, SPEC_SPHERE,
                                        SPEC_CAPSULE, SPEC_ELLIPSOID, SPEC_TUBE};
  assert_int_equal(spec.bodies.count, 8);
  for (int i = 0; i < 7; i++) {
    assert_int_equal(spec.bodies.items[i].shapes.count, 1);
    assert_int_equal(spec.bodies.items[i].shapes.items[0].kind, kinds[i]);
  }
#define SHAPE(i) spec.bodies.items[i].shapes.items[0]
  CHECK(SHAPE(0).to.c, 0, 0, 3);
  CHECK(SHAPE(1).size, 1, 2, 3);
  CHECK(SHAPE(2).size, 1, 2);
  CHECK(SHAPE(3).size, 3);
  CHECK(SHAPE(4).size, 1);
  CHECK(SHAPE(4).to.c, 1, 1, 1);
  CHECK(SHAPE(5).size, 1, 2, 3);
  CHECK(SHAPE(6).size, 2, 5, 1);
  const SpecBody* h = &spec.bodies.items[7];
  assert_int_equal(h->shapes.count, 2);
  CHECK(&h->shapes.items[0].mass, 4);
  CHECK(h->shapes.items[0].pose.at.c, 0, 0, 1);
  CHECK(h->shapes.items[0].pose.r, 1, 2, 3);
  CHECK(&h->shapes.items[1].density, 8);
}

static void joints(void** state) {
  (void)state;
  good(
      "sarrus: 1\n"
      "joints:\n"
      "  hinge: {revolute: [ground, arm], at: arm.tip, axis: -y, position: 30 deg, speed: 1,\n"
      "    stiffness: 1, rest: 2, damping: 3, friction: 4, friction_speed: 5, armature: 6,\n"
      "    lower: -1, upper: 1, effort: 10, speed_limit: 11, force: 20*(1 - hinge.q), in: arm}\n"
      "  ball: {spherical: [arm, hand], at: [1, 2, 3], position: [0, 0, 1], damping: [1, 2, 3]}\n"
      "  cross: {universal: [hand, tool], axis: [1, 0, 0], axis2: z}\n"
      "  bolt: {screw: [tool, nut], pitch: 0.002}\n"
      "  slide: {prismatic: [nut, cap], origin: {at: [0, 0, 1], rpy: [0, 0, 0]},\n"
      "    mimic: {joint: bolt, multiplier: 2, offset: 0.1}}\n");
  assert_int_equal(spec.joints.count, 5);
  const SpecJoint* j = &spec.joints.items[0];
  check_name(j->name, "hinge", 3, 3);
  assert_ptr_equal(j->kind, sar_joint_kind_find("revolute"));
  check_name(j->parent, "ground", 3, 22);
  check_name(j->child, "arm", 3, 30);
  check_name(j->at_point, "arm.tip", 3, 40);
  check_name(j->in, "arm", 5, 84);
  CHECK(j->axis.c, 0, -1, 0);
  const SpecDofs* dofs[] = {&j->speed, &j->rest,  &j->damping, &j->friction,   &j->armature,
                            &j->lower, &j->upper, &j->effort,  &j->speed_limit};
  const double wanted[] = {1, 2, 3, 4, 6, -1, 1, 10, 11};
  for (int i = 0; i < 9; i++) {
    assert_int_equal(dofs[i]->count, 1);
    CHECK(dofs[i]->c, wanted[i]);
  }
  CHECK(&j->friction_speed, 5);
  assert_int_equal(j->force.count, 1);
  const SpecJoint* ball = &spec.joints.items[1];
  CHECK(ball->at.c, 1, 2, 3);
  assert_int_equal(ball->damping.count, 3);
  CHECK(ball->damping.c, 1, 2, 3);
  CHECK(spec.joints.items[2].axis2.c, 0, 0, 1);
  CHECK(&spec.joints.items[3].param[0], 0.002);
  const SpecJoint* slide = &spec.joints.items[4];
  assert_true(slide->relative);
  CHECK(slide->origin.at.c, 0, 0, 1);
  check_name(slide->mimic, "bolt", 10, 20);
  CHECK(&slide->multiplier, 2);
  CHECK(&slide->offset, 0.1);
}

// The value of an attribute, by its name.
static const SpecValue* value(int force, const char* attr) {
  const SpecForce* f = &spec.forces.items[force];
  for (int i = 0; i < f->kind->nattr; i++)
    if (strcmp(f->kind->attr[i].name, attr) == 0) return &f->values[i];
  fail_msg("'%s' has no attribute '%s'", f->kind->name, attr);
  return NULL;
}

static void forces(void** state) {
  (void)state;
  good(
      "sarrus: 1\n"
      "forces:\n"
      "  push: {force: arm.tip, value: [1, 2*t, L], frame: body}\n"
      "  twist: {torque: arm, value: [0, 0, 1]}\n"
      "  motor: {joint_force: hinge, value: 5, component: 2}\n"
      "  coil: {spring_damper: [ground.wall, [arm, [0, 0, L]]], stiffness: 10, damping: 1}\n"
      "  rubber: {spring_damper: [a, b], table: [[0, 0], [1, 10], [2, 15]]}\n"
      "  stop: {spring_damper: [a, b], law: \"1e4*max(0, L - length) - rate\"}\n"
      "  bar: {torsion: [a, b], axis: -z, stiffness: 3, rest: 0.1}\n"
      "  mount: {bushing: [a, b], frame: {at: [0, 0, 1]}, stiffness: [1, 2, 3, 4, 5, 6],\n"
      "    damping: [[1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0],\n"
      "      [0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 1]], preload: [1, 0, 0, 0, 0, "
      "2]}\n");
  assert_int_equal(spec.forces.count, 8);
  check_name(value(0, "point")->name, "arm.tip", 3, 17);
  assert_int_equal(value(0, "value")->count, 3);
  CHECK(&value(0, "value")->numbers[2], 3);
  check_name(value(0, "frame")->name, "body", 3, 53);
  check_name(value(1, "body")->name, "arm", 4, 19);
  assert_false(value(1, "frame")->given);
  check_name(value(2, "joint")->name, "hinge", 5, 24);
  CHECK(value(2, "component")->numbers, 2);
  check_name(value(3, "first")->name, "ground.wall", 6, 26);
  check_name(value(3, "second")->name, "arm", 6, 40);
  assert_int_equal(value(3, "second")->count, 3);
  CHECK(value(3, "second")->numbers, 0, 0, 3);
  CHECK(value(3, "stiffness")->numbers, 10);
  assert_int_equal(value(4, "table")->count, 6);
  CHECK(value(4, "table")->numbers, 0, 0, 1, 10, 2, 15);
  assert_int_equal(value(5, "law")->count, 1);
  CHECK(value(6, "axis")->numbers, 0, 0, -1);
  CHECK(value(7, "frame")->pose.at.c, 0, 0, 1);
  CHECK(value(7, "stiffness")->numbers, 1, 2, 3, 4, 5, 6);
  assert_int_equal(value(7, "damping")->count, 36);
  CHECK(value(7, "preload")->numbers, 1, 0, 0, 0, 0, 2);
}

static void outputs(void** state) {
  (void)state;
  good(
      "sarrus: 1\n"
      "outputs: [energy, momentum, joints, bodies, reactions, forces, {joint: hinge, with: "
      "[acceleration]},\n"
      "  {body: arm, with: [position, orientation]}, {point: arm.tip, with: velocity, name: tip},\n"
      "  {point: [arm, [0, 0, L]]}, {omega: arm}, {reaction: hinge}, {force: coil},\n"
      "  {value: hinge.q / deg, name: angle}]\n");
  static const struct {
    SarOwner of;
    const SarOutputKind* only;
  } asked[] = {{SAR_OF_MODEL, &sar_output_energy},
               {SAR_OF_MODEL, &sar_output_momentum},
               {SAR_OF_JOINT, NULL},
               {SAR_OF_BODY, NULL},
               {SAR_OF_JOINT, &sar_output_reaction},
               {SAR_OF_FORCE, NULL},
               {SAR_OF_JOINT, NULL},
               {SAR_OF_BODY, NULL},
               {SAR_OF_POINT, NULL},
               {SAR_OF_POINT, NULL},
               {SAR_OF_BODY, &sar_output_body_omega},
               {SAR_OF_JOINT, &sar_output_reaction},
               {SAR_OF_FORCE, NULL},
               {SAR_OF_VALUE, NULL}};
  assert_int_equal(spec.outputs.count, 14);
  for (int i = 0; i < 14; i++) {
    assert_int_equal(spec.outputs.items[i].of, asked[i].of);
    assert_ptr_equal(spec.outputs.items[i].only, asked[i].only);
  }
  const SpecOutput* o = spec.outputs.items;
  assert_null(o[0].target.text);
  for (int i = 2; i < 6; i++) assert_string_equal(o[i].target.text, "all");
  check_name(o[6].target, "hinge", 2, 72);
  assert_true(o[6].with == sar_outputs_with("acceleration"));
  assert_true(o[7].with == (sar_outputs_with("position") | sar_outputs_with("orientation")));
  check_name(o[8].target, "arm.tip", 3, 55);
  check_name(o[8].label, "tip", 3, 86);
  assert_true(o[8].with == sar_outputs_with("velocity"));
  check_name(o[9].target, "arm", 4, 12);
  CHECK(o[9].point.c, 0, 0, 3);
  assert_true(o[10].with == 0);
  assert_non_null(o[13].expr.expr);
  check_name(o[13].label, "angle", 5, 32);
}

static void expressions_know_their_place(void** state) {
  (void)state;
  EXPECT_STATUS(read_text("sarrus: 1\nparameters: {a: 2 +* 3, b: \"1 + )\"}\n"), SAR_BAD_MODEL);
  assert_int_equal(err.count, 2);
  assert_int_equal(err.items[0].line, 2);
  assert_int_equal(err.items[0].column, 20);  // the '*'
  assert_int_equal(err.items[1].column, 33);  // the ')': quotes shift by one
}

// ---- what is wrong ---------------------------------------------------------------------------

static void structure_errors(void** state) {
  (void)state;
  bad("", "m.yaml:1:1: error: the file is empty (a model file begins with the line 'sarrus: 1')");
  bad("name: x\n",
      "m.yaml:1:1: error: the key 'sarrus' (version of the format) is missing (a model file begins "
      "with the line 'sarrus: 1')");
  bad("sarrus: 2\n",
      "m.yaml:1:9: error: sarrus: expected 1, the version of this format, found '2'");
  bad("sarrus: 1\nbodys: {}\n", "m.yaml:2:1: error: no key 'bodys' (did you mean 'bodies'?)");
  bad("sarrus: 1\nbodies: [a]\n",
      "m.yaml:2:9: error: bodies: expected a mapping {name: ..., name: ...}, found a list of 1");
  bad("sarrus: 1\nbodies: {a: {mass: [1]}}\n",
      "m.yaml:2:20: error: body 'a': mass: expected a number or an expression, found a list of 1");
  bad("sarrus: 1\nbodies: {a: {com: 3}}\n",
      "m.yaml:2:19: error: body 'a': com: expected a list of 3 numbers, found '3'");
  bad("sarrus: 1\nbodies: {a: {mass: }}\n",
      "m.yaml:2:20: error: body 'a': mass: expected a number or an expression, found nothing");
  bad("sarrus: 1\nbodies: {a: {mass:1}}\n",
      "m.yaml:2:14: error: body 'a': no key 'mass:1' (write 'mass: 1', with a space after the "
      "colon)");
  bad("sarrus: 1\nbodies: {a-b: {}}\n",
      "m.yaml:2:10: error: 'a-b' cannot be the name of a body: expected letters, digits and '_', "
      "not beginning with a digit (write 'a_b', or put it in quotes)");
  bad("sarrus: 1\nbodies: {1a: {}}\n",
      "m.yaml:2:10: error: '1a' cannot be the name of a body: expected letters, digits and '_', "
      "not beginning with a digit (write '_1a', or put it in quotes)");
  bad("sarrus: 1\nbodies: {Zähler1: {}}\n",
      "m.yaml:2:10: error: 'Zähler1' cannot be the name of a body: expected letters, digits and "
      "'_', not beginning with a digit (put it in quotes)");
  bad("sarrus: 1\nparameters: {pi: 3}\n",
      "m.yaml:2:14: error: 'pi' has a meaning of its own in expressions (choose another name)");
  bad("sarrus: 1\noutputs: [{joint: j, with: omega}]\n",
      "m.yaml:2:11: error: outputs: 'with' asks for nothing that a joint has (see 'sarrus list "
      "outputs')");
  bad("sarrus: 1\nsimulation: {adaptive: yes}\n",
      "m.yaml:2:24: error: simulation: adaptive: expected true or false, found 'yes'");
  char kinds[512] =
      "m.yaml:2:13: error: joint 'j': no key says what kind of joint this is (expected ";
  for (int k = 0; sar_joint_kind(k); k++) {
    const size_t n = strlen(kinds);
    snprintf(kinds + n, sizeof kinds - n, "%s%s", k ? ", " : "", sar_joint_kind(k)->name);
  }
  strcat(kinds, ")");
  bad("sarrus: 1\njoints: {j: {axis: x}}\n", kinds);
  bad("sarrus: 1\njoints: {j: {revolut: [a, b], axis: x}}\n",
      "m.yaml:2:14: error: joint 'j': 'revolut' is no kind of joint (did you mean 'revolute'?)");
  bad("sarrus: 1\njoints: {j: {revolute: [a, b], origin: {att: [0, 0, 0]}}}\n",
      "m.yaml:2:41: error: joint 'j': origin: no key 'att' (did you mean 'at'?)");
  bad("sarrus: 1\nforces: {f: {force: a, value: [1, 2]}}\n",
      "m.yaml:2:31: error: force 'f': value: expected a list of 3 numbers, found a list of 2");
  bad("sarrus: 1\nforces: {f: {force: a, value: [1, 2, 3], frame: bdy}}\n",
      "m.yaml:2:49: error: force 'f': frame: expected ground or body, found 'bdy'");
  bad("sarrus: 1\nforces: {f: {torsion: a, stiffness: 1}}\n",
      "m.yaml:2:23: error: force 'f': torsion: expected a list [first, second], found 'a'");
  bad("sarrus: 1\noutputs: [energie]\n",
      "m.yaml:2:11: error: outputs: expected energy, momentum, work, joints, bodies, reactions, "
      "forces, harmonics, constraints, contacts, states, signals or {KIND: NAME}, found 'energie' "
      "(did you mean 'energy'?)");
  bad("sarrus: 1\noutputs: [{value: t}]\n",
      "m.yaml:2:11: error: outputs: a value needs a 'name' for its column (as in {value: elbow.q / "
      "deg, name: elbow_deg})");
}

static void all_errors_at_once(void** state) {
  (void)state;
  EXPECT_STATUS(read_text("sarrus: 1\n"
                          "gravty: [0, 0, 0]\n"
                          "bodies: {a: {mas: 1, com: [1], inertia: 3}}\n"
                          "joints: {j: {revolut: [a, b], dampng: 1}}\n"),
                SAR_BAD_MODEL);
  static const int places[][2] = {{2, 1}, {3, 14}, {3, 27}, {3, 41}, {4, 14}, {4, 31}};
  assert_int_equal(err.count, 6);
  for (int i = 0; i < 6; i++) {
    assert_int_equal(err.items[i].line, places[i][0]);
    assert_int_equal(err.items[i].column, places[i][1]);
  }
}

static void the_nth_allocation_may_fail(void** state) {
  (void)state;
  const char* text =
      "sarrus: 1\nparameters: {L: 3}\n"
      "bodies: {a: {box: [1, 1, 1], mass: L, points: {p: [0, 0, L]}}}\n"
      "joints: {j: {revolute: [ground, a], damping: 2*L}}\n"
      "forces: {f: {force: a.p, value: [0, 0, sin(t)]}}\n"
      "outputs: [energy, {point: a.p}]\n";
  for (int n = 1;; n++) {
    alloc_count_reset();
    alloc_fail_at(n);
    SarStatus st = read_text(text);
    bool failed = alloc_has_failed();
    alloc_fail_at(0);
    sar_spec_free(&spec);
    assert_int_equal(alloc_count_live(), 0);
    assert_int_equal(st, failed ? SAR_NO_MEMORY : SAR_OK);
    if (!failed) break;
  }
}

int main(void) {
#define T(f) cmocka_unit_test_teardown(f, teardown)
  const struct CMUnitTest tests[] = {
      T(top_level),
      T(simulation),
      T(numbers_of_the_core_schema),
      T(bodies),
      T(shapes),
      T(joints),
      T(forces),
      T(outputs),
      T(expressions_know_their_place),
      T(structure_errors),
      T(all_errors_at_once),
      T(the_nth_allocation_may_fail),
  };
  return cmocka_run_group_tests_name("yaml reader", tests, NULL, NULL);
}
