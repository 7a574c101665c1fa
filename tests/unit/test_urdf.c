// URDF reader: what goes into the spec, with places; what is wrong is said where and how.
#include "support/test.h"
#include "support/alloc_count.h"

#include "io/reader.h"
#include "model/model.h"

#include <dirent.h>
#include <stdlib.h>

static SarSpec spec;
static SarError err;

static SarStatus read_text(const char* text, const SarLoadOptions* o) {
  sar_error_init(&err);
  sar_spec_init(&spec);
  return sar_read_urdf(text, strlen(text), "robot.urdf", o, &spec, &err);
}

// Reads a text that must be good and leave no message.
static void read_good(const char* text) {
  EXPECT_OK_OR(read_text(text, NULL), &err);
  assert_int_equal(err.count, 0);
}

static double number(SpecNum n) {
  double x = 0;
  assert_non_null(n.expr);
  assert_true(sar_expr_is_number(n.expr, &x));
  return x;
}

static void check_vector(const SpecNum* v, double x, double y, double z) {
  double is[3] = {number(v[0]), number(v[1]), number(v[2])}, wanted[3] = {x, y, z};
  EXPECT_ARRAY_NEAR(is, wanted, 3, 0);  // numbers are read to the nearest double
}

static const SpecJoint* joint(const char* name) {
  for (int j = 0; j < spec.joints.count; j++)
    if (strcmp(spec.joints.items[j].name.text, name) == 0) return &spec.joints.items[j];
  fail_msg("no joint '%s'", name);
  return NULL;
}

// What the i-th message says, without its place.
static bool message_has(int i, const char* part) {
  char text[1024];
  return i < err.count && strstr(sar_error_format(&err, i, text, sizeof text), part);
}

static int teardown(void** state) {
  (void)state;
  sar_spec_free(&spec);
  return 0;
}

// ---- what is read ----------------------------------------------------------------------------

#define INERTIA "<inertia ixx='10' ixy='2' ixz='3' iyy='11' iyz='1' izz='12'/>"
#define LINK(name) "<link name='" name "'><inertial><mass value='1'/>" INERTIA "</inertial></link>"
#define ENDS(parent, child) "<parent link='" parent "'/><child link='" child "'/>"

static void link_gives_a_body(void** state) {
  (void)state;
  read_good(
      "<?xml version='1.0'?>\n"
      "<robot name='arm robot'>\n"
      "  <link name='upper arm/1'>\n"
      "    <inertial>\n"
      "      <origin xyz='0.1 -2e-3\t3' rpy='0 1.5 0'/>\n"
      "      <mass value='2.5'/>" INERTIA "</inertial></link></robot>");
  assert_string_equal(spec.name.text, "arm robot");
  assert_int_equal(spec.bodies.count, 1);
  const SpecBody* body = &spec.bodies.items[0];
  assert_string_equal(body->name.text, "upper arm/1");  // any characters
  assert_int_equal(body->name.loc.line, 3);
  assert_int_equal(body->name.loc.column, 15);
  assert_string_equal(body->name.loc.file, "robot.urdf");
  assert_true(number(body->mass) == 2.5);
  assert_int_equal(body->mass.loc.line, 6);
  assert_int_equal(body->mass.loc.column, 20);
  check_vector(body->com.c, 0.1, -2e-3, 3);
  assert_int_equal(body->com.c[2].loc.column, 30);
  assert_true(body->inertia_set);
  check_vector(body->inertia, 10, 11, 12);   // xx yy zz
  check_vector(body->inertia + 3, 2, 3, 1);  // xy xz yz
  assert_int_equal(body->inertia_pose->rotation, SPEC_ROT_RPY);
  check_vector(body->inertia_pose->r, 0, 1.5, 0);
  assert_null(body->inertia_pose->at.c[0].expr);  // the place is com's
}

static void root_is_welded_to_the_ground(void** state) {
  (void)state;
  read_good("<robot name='r'>" LINK("base") "</robot>");
  assert_int_equal(spec.bodies.count, 1);
  assert_int_equal(spec.joints.count, 1);
  assert_string_equal(joint("base")->kind->name, "fixed");
  assert_string_equal(joint("base")->parent.text, "ground");
  assert_string_equal(joint("base")->child.text, "base");
}

static void weld_takes_a_free_name(void** state) {
  (void)state;
  read_good("<robot name='r'>" LINK("a")
                LINK("b") "<joint name='a' type='fixed'>" ENDS("a", "b") "</joint></robot>");
  assert_string_equal(joint("a_weld")->parent.text, "ground");
}

static void massless_world_is_the_ground(void** state) {
  (void)state;
  read_good("<robot name='r'>" LINK("base") "<link name='world'/>" LINK(
      "arm") "<joint name='j' type='floating'>" ENDS("world",
                                                     "base") "</joint>"
                                                             "<joint name='k' type='fixed'>" ENDS(
                                                                 "base", "arm") "</joint></robot>");
  assert_int_equal(spec.bodies.count, 2);
  assert_string_equal(spec.bodies.items[0].name.text, "base");
  assert_string_equal(spec.bodies.items[1].name.text, "arm");
  assert_int_equal(spec.joints.count, 2);
  assert_string_equal(joint("j")->kind->name, "free");
  assert_string_equal(joint("j")->parent.text, "ground");
  assert_string_equal(joint("k")->parent.text, "base");
}

static void world_with_mass_is_a_body(void** state) {
  (void)state;
  read_good("<robot name='r'>" LINK("world") "</robot>");
  assert_int_equal(spec.bodies.count, 1);
  assert_string_equal(joint("world")->kind->name, "fixed");
}

static void every_type_has_its_kind(void** state) {
  (void)state;
  const char* types[][2] = {{"revolute", "revolute"},   {"continuous", "revolute"},
                            {"prismatic", "prismatic"}, {"fixed", "fixed"},
                            {"floating", "free"},       {"planar", "planar"}};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    char text[512];
    snprintf(text, sizeof text,
             "<robot name='r'><link name='world'/><link name='a'/><joint name='j' type='%s'>" ENDS(
                 "world", "a") "</joint></robot>",
             types[i][0]);
    read_good(text);
    assert_string_equal(joint("j")->kind->name, types[i][1]);
    sar_spec_free(&spec);
  }
  sar_spec_init(&spec);
}

static void joint_is_relative_to_its_parent(void** state) {
  (void)state;
  read_good(
      "<robot name='r'><link name='world'/><link name='a'/>\n"
      "<joint name='j' type='prismatic'>" ENDS("world", "a") "<origin xyz='1 2 3' rpy='4 5 6'/>"
      "<axis xyz='0 3 4'/><dynamics damping='0.5' friction='0.25'/>"
      "<limit lower='-1' upper='inf' effort='20' velocity='3'/></joint></robot>");
  const SpecJoint* j = joint("j");
  assert_true(j->relative);
  assert_int_equal(j->name.loc.line, 2);
  assert_int_equal(j->name.loc.column, 14);
  check_vector(j->origin.at.c, 1, 2, 3);
  assert_int_equal(j->origin.rotation, SPEC_ROT_RPY);
  check_vector(j->origin.r, 4, 5, 6);
  check_vector(j->axis.c, 0, 3, 4);
  const SpecDofs* dofs[] = {&j->damping, &j->friction,    &j->lower,
                            &j->effort,  &j->speed_limit, &j->upper};
  const double values[] = {0.5, 0.25, -1, 20, 3, (double)INFINITY};
  for (int i = 0; i < 6; i++) {
    assert_int_equal(dofs[i]->count, 1);
    assert_true(number(dofs[i]->c[0]) == values[i]);
  }
}

static void what_is_absent_has_the_default_of_the_format(void** state) {
  (void)state;
  read_good("<robot name='r'><link name='world'/><link name='a'/><link name='b'/>"
            "<joint name='j' type='revolute'>" ENDS("world", "a") "<limit effort='1' velocity='1'/></joint>"
            "<joint name='k' type='continuous'>" ENDS("a", "b") "<limit effort='1' velocity='1'/></joint>"
            "</robot>");
  check_vector(joint("j")->axis.c, 1, 0, 0);
  assert_null(joint("j")->origin.at.c[0].expr);
  assert_int_equal(joint("j")->origin.rotation, SPEC_ROT_NONE);
  assert_true(number(joint("j")->lower.c[0]) == 0);
  assert_int_equal(joint("k")->lower.count, 0);  // continuous: no limit of position
  assert_int_equal(joint("k")->effort.count, 1);
  assert_null(spec.bodies.items[0].mass.expr);
  assert_int_equal(joint("j")->damping.count, 0);
}

static void mimic_is_kept(void** state) {
  (void)state;
  read_good("<robot name='r'><link name='world'/><link name='a'/><link name='b'/>"
            "<joint name='left' type='prismatic'>" ENDS("world", "a") "</joint>"
            "<joint name='right' type='prismatic'>" ENDS("world", "b")
            "<mimic joint='left' multiplier='-1' offset='0.1'/></joint></robot>");
  assert_string_equal(joint("right")->mimic.text, "left");
  assert_true(number(joint("right")->multiplier) == -1);
  assert_true(number(joint("right")->offset) == 0.1);
}

static void decoration_is_left_out_without_a_word(void** state) {
  (void)state;
  read_good(
      "<robot name='r'><material name='red'><color rgba='1 0 0 1'/></material>"
      "<link name='a'><visual name='v'><origin xyz='0 0 0'/><geometry><box size='1 1 "
      "1'/></geometry>"
      "<material name='red'/></visual><collision><geometry><sphere radius='1'/></geometry>"
      "</collision></link><gazebo reference='a'><mu1>0.2</mu1></gazebo>"
      "<transmission name='t'><type>x</type></transmission><sensor name='s'/></robot>");
}

static void places_count_characters_of_utf8(void** state) {
  (void)state;
  EXPECT_STATUS(
      read_text("\xEF\xBB\xBF<robot name='\xC3\xA9\xC3\xA9'><link name=''/></robot>", NULL),
      SAR_BAD_MODEL);
  assert_int_equal(err.items[0].line, 1);
  assert_int_equal(err.items[0].column, 30);
}

static void other_encodings_are_read(void** state) {
  (void)state;
  read_good(
      "<?xml version='1.0' encoding='ISO-8859-1'?>\n<robot name='r'>\n<link name='\xE9'/></robot>");
  assert_string_equal(spec.bodies.items[0].name.text, "\xC3\xA9");
  assert_int_equal(spec.bodies.items[0].name.loc.line, 3);
}

// ---- into the model --------------------------------------------------------------------------

static SarModel* compile_with_warnings(const char* text) {
  SarModel* m = NULL;
  sar_error_init(&err);
  sar_spec_init(&spec);
  EXPECT_OK_OR(sar_model_parse(text, strlen(text), "urdf", "robot.urdf", NULL, &m, &err), &err);
  return m;
}

static SarModel* compile(const char* text) {
  SarModel* m = compile_with_warnings(text);
  assert_int_equal(err.count, 0);
  return m;
}

// A link on one revolute joint with inertia diag(3, 4, 5), mass 2 at (0, 1, 0) and the inertial
// frame turned by +90 degrees about z: along the link's x axis lies the frame's -y axis.
static void inertial_frame_turns_the_inertia(void** state) {
  (void)state;
  const struct {
    const char* axis;
    double M;
  } cases[] = {{"1 0 0", 4 + 2 * 1}, {"0 1 0", 3}, {"0 0 2", 5 + 2 * 1}};
  for (int i = 0; i < 3; i++) {
    char text[1024];
    snprintf(
        text, sizeof text,
        "<robot name='r'><link name='world'/><link name='a'><inertial>"
        "<origin xyz='0 1 0' rpy='0 0 1.5707963267948966'/><mass value='2'/>"
        "<inertia ixx='3' iyy='4' izz='5' ixy='0' ixz='0' iyz='0'/></inertial></link>"
        "<joint name='j' type='continuous'><axis xyz='%s'/>" ENDS("world", "a") "</joint></robot>",
        cases[i].axis);
    SarModel* m = compile(text);
    SarData* d = NULL;
    double M = 0;
    EXPECT_OK(sar_data_new(m, &d, &err));
    EXPECT_OK(sar_mass_matrix(d, &M));
    EXPECT_NEAR(M, cases[i].M, 1e-14);
    sar_data_free(d);
    sar_model_free(m);
  }
}

static void frames_go_down_the_chain(void** state) {
  (void)state;
  // a quarter turn about z at the first joint, then 1 m along the new x: that is the ground's y
  SarModel* m = compile("<robot name='r'>" LINK("base") "<link name='frame'/>" LINK("hand")
                        "<joint name='fix' type='fixed'><origin xyz='2 0 0' rpy='0 0 1.5707963267948966'/>"
                        ENDS("base", "frame") "</joint>"
                        "<joint name='slide' type='prismatic'><origin xyz='1 0 0'/><axis xyz='0 0 -1'/>"
                        ENDS("frame", "hand") "</joint></robot>");
  SarData* d = NULL;
  EXPECT_OK(sar_data_new(m, &d, &err));
  int hand = sar_model_find(m, SAR_ITEM_BODY, "hand");
  assert_int_equal(sar_model_nv(m), 1);
  sar_q(d)[0] = 0.25;
  double p[3], R[9];
  const double p_wanted[3] = {2, 1, -0.25}, R_wanted[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1};
  EXPECT_OK(sar_body_pose(d, hand, p, R));
  EXPECT_ARRAY_NEAR(p, p_wanted, 3, 1e-15);
  EXPECT_ARRAY_NEAR(R, R_wanted, 9, 1e-15);
  sar_data_free(d);
  sar_model_free(m);
}

static void limits_and_couplings_reach_the_model(void** state) {
  (void)state;
  SarModel* m = compile("<robot name='r'>" LINK("base") LINK("left") LINK("right")
                        "<joint name='l' type='prismatic'>" ENDS("base", "left")
                        "<limit lower='-1' upper='2' effort='3' velocity='4'/>"
                        "<dynamics damping='5' friction='6'/></joint>"
                        "<joint name='r' type='prismatic'>" ENDS("base", "right")
                        "<mimic joint='l' multiplier='-1' offset='0.5'/></joint></robot>");
  SarJointInfo info;
  EXPECT_OK(sar_joint_info(m, sar_model_find(m, SAR_ITEM_JOINT, "l"), &info));
  double values[] = {0, 0, 0, 0, m->dof_damping[info.vadr], m->dof_friction[info.vadr]};
  EXPECT_OK(sar_joint_limits(m, info.body, &values[0], &values[1], &values[3], &values[2]));
  const double wanted[] = {-1, 2, 3, 4, 5, 6};
  EXPECT_ARRAY_NEAR(values, wanted, 6, 0);
  assert_int_equal(m->ncoupling, 1);
  assert_int_equal(m->coupling[0].joint, sar_model_find(m, SAR_ITEM_JOINT, "r"));
  assert_int_equal(m->coupling[0].other, sar_model_find(m, SAR_ITEM_JOINT, "l"));
  assert_true(m->coupling[0].multiplier == -1 && m->coupling[0].offset == 0.5);
  sar_model_free(m);
}

// ---- what others load too -----------------------------------------------------------------------

static void declaration_may_stand_late_or_name_an_old_version(void** state) {
  (void)state;
  static const char* const heads[] = {"<?xml version='0.0' ?>", "\n\n  <?xml version='1.0'?>",
                                      "\xEF\xBB\xBF\n<?xml version=\"1.0\" encoding='utf-8'?>",
                                      "<?xml version='1.0' encoding='ISO-8859-1'?>\n\n",
                                      "\n<?xml version='0.0' encoding='ISO-8859-1'?>"};
  for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
    char text[512];
    snprintf(text, sizeof text, "%s\n<robot name='r'><link name='a\xE9'/></robot>", heads[i]);
    if (i < 3) memcpy(strstr(text, "a\xE9"), "ab", 2);  // not UTF-8
    EXPECT_OK_OR(read_text(text, NULL), &err);
    assert_int_equal(err.count, 0);
    teardown(state);
  }
  // places are those of the file
  assert_int_equal(read_text("\n\n<?xml version='1.0'?>\n<robot name='r'><joint/></robot>", NULL),
                   SAR_BAD_MODEL);
  assert_true(message_has(0, "robot.urdf:4:17: error: joint: <joint> needs a name"));
}

static void link_called_ground_has_another_name(void** state) {
  (void)state;
  SarModel* m = compile_with_warnings("<robot name='r'>" LINK("base") LINK("ground") LINK("ground_link")
                        "<joint name='j' type='revolute'>" ENDS("base", "ground") "</joint>"
                        "<joint name='k' type='revolute'>" ENDS("ground", "ground_link") "</joint></robot>");
  SarJointInfo info;
  EXPECT_OK(sar_joint_info(m, sar_model_find(m, SAR_ITEM_JOINT, "j"), &info));
  assert_string_equal(sar_model_name(m, SAR_ITEM_BODY, info.body), "ground_link_");
  assert_true(message_has(0, "link 'ground' is called 'ground_link_' here"));
  sar_model_free(m);
  // a root of that name with a mass is a link like any other
  m = compile_with_warnings("<robot name='r'>" LINK("ground") LINK(
      "arm") "<joint name='j' type='revolute'>" ENDS("ground", "arm") "</joint></robot>");
  assert_int_equal(sar_model_count(m, SAR_ITEM_BODY), 2);
  assert_true(sar_model_find(m, SAR_ITEM_BODY, "ground_link") >= 0);
  sar_model_free(m);
}

static void limits_the_wrong_way_round_are_none(void** state) {
  (void)state;
  SarModel* m = compile_with_warnings(
      "<robot name='r'>" LINK("base") LINK("a") "<joint name='j' type='prismatic'>" ENDS(
          "base", "a") "<limit lower='1' upper='-1' effort='-1' velocity='-2'/></joint></robot>");
  double limit[4];
  EXPECT_OK(sar_joint_limits(m, sar_model_find(m, SAR_ITEM_JOINT, "j"), &limit[0], &limit[1],
                             &limit[2], &limit[3]));
  assert_true(isinf(limit[0]) && isinf(limit[1]) && isinf(limit[2]) && isinf(limit[3]));
  assert_int_equal(err.count, 3);
  assert_true(message_has(2, "effort -1 is negative: taken as unlimited") ||
              message_has(0, "effort -1 is negative: taken as unlimited") ||
              message_has(1, "effort -1 is negative: taken as unlimited"));
  sar_model_free(m);
}

static void spherical_joints_are_read(void** state) {
  (void)state;
  SarModel* m = compile_with_warnings("<robot name='r'>" LINK("base") LINK(
      "a") "<joint name='j' type='spherical'>" ENDS("base", "a") "</joint></robot>");
  SarJointInfo info;
  EXPECT_OK(sar_joint_info(m, sar_model_find(m, SAR_ITEM_JOINT, "j"), &info));
  assert_string_equal(info.kind, "spherical");
  sar_model_free(m);
}

#define ANTENNA(ixx, mass)                                                    \
  "<link name='antenna'><inertial><mass value='" mass "'/><inertia ixx='" ixx \
  "' ixy='0' ixz='0' "                                                        \
  "iyy='1e-6' iyz='0' izz='1e-6'/></inertial></link>"

// What counts is the body that moves: the sum.
static void unphysical_inertia_may_be_made_up_for(void** state) {
  (void)state;
  static const char* const fixed =
      "<robot name='r'>" LINK("base") LINK("a") ANTENNA("-1e-6", "0.01")
          "<joint name='j' type='revolute'>" ENDS("base", "a") "</joint>"
          "<joint name='k' type='fixed'>" ENDS("a", "antenna") "</joint></robot>";
  static const char* const moving =
      "<robot name='r'>" LINK("base") LINK("a") ANTENNA("-1e-6", "0.01")
          "<joint name='j' type='fixed'>" ENDS("base", "a") "</joint>"
          "<joint name='k' type='revolute'>" ENDS("a", "antenna") "</joint></robot>";
  static const char* const too_much =
      "<robot name='r'>" LINK("base") LINK("a") ANTENNA("-100", "0.01")
          "<joint name='j' type='revolute'>" ENDS("base", "a") "</joint>"
          "<joint name='k' type='fixed'>" ENDS("a", "antenna") "</joint></robot>";
  sar_model_free(compile_with_warnings(fixed));
  assert_true(message_has(0, "warning: body 'antenna': inertia has a negative principal moment"));
  SarModel* m = NULL;
  sar_error_init(&err);
  EXPECT_STATUS(sar_model_parse(moving, strlen(moving), "urdf", "r", NULL, &m, &err),
                SAR_BAD_MODEL);
  assert_true(message_has(0, "error: link 'antenna': ixx must not be negative"));
  sar_error_init(&err);
  EXPECT_STATUS(sar_model_parse(too_much, strlen(too_much), "urdf", "r", NULL, &m, &err),
                SAR_BAD_MODEL);
  assert_true(message_has(0, "error: body 'antenna': inertia has a negative principal moment"));
}

static void tags_given_twice_alike_are_warned_of(void** state) {
  (void)state;
  sar_model_free(compile_with_warnings(
      "<robot name='r'>" LINK("base")
          LINK("a") "<joint name='j' type='revolute'><axis xyz='0 0 1'/><axis xyz='0 0 1'/>" ENDS(
              "base", "a") "</joint></robot>"));
  assert_int_equal(err.errors, 0);
  assert_true(message_has(0, "warning: <axis> stands twice in this <joint>"));
}

// ---- warnings --------------------------------------------------------------------------------

static void unknown_tags_are_reported_once(void** state) {
  (void)state;
  EXPECT_OK_OR(read_text("<robot name='r'>\n"
                         "<link name='a'><inertal/></link><link name='b'><inertal/></link>\n"
                         "<joint name='j' type='fixed'>" ENDS(
                             "a", "b") "<origin xzy='1 2 3'/></joint><plugin:x/></robot>",
                         NULL),
               &err);
  assert_int_equal(err.errors, 0);
  assert_int_equal(err.count, 3);
  assert_true(message_has(0, "robot.urdf:3:"));
  assert_true(message_has(0, "unknown tag <plugin:x> in <robot> left out"));
  assert_true(message_has(1,
                          "robot.urdf:2:16: warning: unknown tag <inertal> in <link> left out "
                          "(2 times) (did you mean 'inertial'?)"));
  assert_true(message_has(2, "unknown attribute 'xzy' in <origin> left out (did you mean 'xyz'?)"));
}

static void mesh_files_are_looked_for(void** state) {
  (void)state;
  const char* format =
      "<robot name='r'><link name='a'><visual><geometry><mesh filename='%s'/>"
      "</geometry></visual></link></robot>";
  const char* paths[] = {"tests/models"};
  const SarLoadOptions o = {.search_paths = paths, .search_path_count = 1};
  const struct {
    const char* name;
    bool found;
  } cases[] = {{"package://urdf/meshes/wedge.stl", true},
               {"package://models/urdf/meshes/wedge.stl", true},  // the path is the package itself
               {"package:///urdf/meshes/wedge.stl", true},  // one slash too many, as many have it
               {"package:///models/urdf/meshes/wedge.stl", true},
               {"package:///urdf/meshes/none.stl", false},
               {"package://urdf/meshes/none.stl", false},
               {"package://", false},
               {"tests/models/urdf/meshes/wedge.stl", true},
               {"file:///no/such/file.stl", false},
               {"/dev/zero", false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[512];
    snprintf(text, sizeof text, format, cases[i].name);
    EXPECT_OK_OR(read_text(text, &o), &err);
    if (err.count != !cases[i].found) fail_msg("%s: %d warnings", cases[i].name, err.count);
    if (err.count) assert_true(message_has(0, "1 of 1 mesh files not found"));
    sar_spec_free(&spec);
  }
  sar_spec_init(&spec);
}

// ---- broken files ----------------------------------------------------------------------------

static char* read_whole(const char* path, size_t* size) {
  FILE* f = fopen(path, "rb");
  if (!f) fail_msg("no file %s", path);
  char* text = malloc(1 << 16);
  *size = fread(text, 1, (1 << 16) - 1, f);
  text[*size] = '\0';
  fclose(f);
  return text;
}

// Every error the file expects ("expect LINE:COLUMN: text (hint)" in a comment) and no other one.
static void check_broken(const char* path) {
  size_t size = 0;
  char* text = read_whole(path, &size);
  sar_error_init(&err);
  sar_spec_init(&spec);
  SarStatus status = sar_read_urdf(text, size, path, NULL, &spec, &err);
  if (status != SAR_BAD_MODEL) fail_msg("%s: %s", path, sar_status_text(status));
  int expected = 0;
  for (const char* p = text; (p = strstr(p, "<!-- expect ")); expected++) {
    p += strlen("<!-- expect ");
    const char* end = strstr(p, " -->");
    const char* message = strstr(p, ": ");
    char line[1024], wanted[1024];
    snprintf(wanted, sizeof wanted, "%s:%.*s: error: %.*s", path, (int)(message - p), p,
             (int)(end - message - 2), message + 2);
    sar_error_format(&err, expected, line, sizeof line);
    if (strcmp(line, wanted) != 0) fail_msg("\n  is       %s\n  expected %s", line, wanted);
  }
  assert_true(expected > 0);
  if (err.errors != expected) fail_msg("%s: %d errors, expected %d", path, err.errors, expected);
  sar_spec_free(&spec);
  free(text);
}

static void broken_files_are_explained(void** state) {
  (void)state;
  const char* folder = SARRUS_SOURCE_DIR "/tests/models/broken_urdf";
  DIR* d = opendir(folder);
  assert_non_null(d);
  int count = 0;
  for (struct dirent* e; (e = readdir(d));) {
    if (!strstr(e->d_name, ".urdf")) continue;
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    check_broken(path);
    count++;
  }
  closedir(d);
  assert_in_range(count, 20, 1000);
  sar_spec_init(&spec);
}

static void nobody_listens(void** state) {
  (void)state;
  sar_spec_init(&spec);
  EXPECT_STATUS(sar_read_urdf("<robot>", 7, NULL, NULL, &spec, NULL), SAR_BAD_MODEL);
  EXPECT_STATUS(sar_read_urdf("", 0, NULL, NULL, &spec, NULL), SAR_BAD_MODEL);
  EXPECT_STATUS(sar_read_urdf("<robot name='r'><link/></robot>", 31, NULL, NULL, &spec, NULL),
                SAR_BAD_MODEL);
}

// ---- bounds ----------------------------------------------------------------------------------

static void deep_nesting_is_refused(void** state) {
  (void)state;
  char* text = malloc(100000);
  size_t n = 0;
  for (int i = 0; i < 10000; i++) n += (size_t)sprintf(text + n, "<robot>");
  sar_error_init(&err);
  sar_spec_init(&spec);
  EXPECT_STATUS(sar_read_urdf(text, n, "deep.urdf", NULL, &spec, &err), SAR_BAD_MODEL);
  free(text);
}

static void thousands_of_links_take_no_time(void** state) {
  (void)state;
  enum { LINKS = 20000 };  // a search through all names for each joint would take many seconds
  char* text = malloc(LINKS * 160);
  size_t n = (size_t)sprintf(text, "<robot name='chain'><link name='world'/>");
  for (int i = 0; i < LINKS; i++) {
    n += (size_t)sprintf(text + n, "<link name='l%d'/><joint name='j%d' type='continuous'>", i, i);
    n += i ? (size_t)sprintf(text + n, "<parent link='l%d'/>", i - 1)
           : (size_t)sprintf(text + n, "<parent link='world'/>");
    n += (size_t)sprintf(text + n, "<child link='l%d'/></joint>", i);
  }
  n += (size_t)sprintf(text + n, "</robot>");
  sar_error_init(&err);
  sar_spec_init(&spec);
  EXPECT_OK_OR(sar_read_urdf(text, n, "chain.urdf", NULL, &spec, &err), &err);
  assert_int_equal(spec.joints.count, LINKS);
  free(text);
}

static void every_failing_allocation_is_survived(void** state) {
  (void)state;
  const char* text =
      "<robot name='r'>" LINK("base") LINK("arm") "<joint name='j' type='revolute'>" ENDS(
          "base", "arm") "<axis xyz='0 0 1'/></joint></robot>";
  read_good(text);  // libxml2 sets itself up once
  sar_spec_free(&spec);
  for (long n = 1;; n++) {
    alloc_count_reset();
    alloc_fail_at(n);
    SarStatus status = read_text(text, NULL);
    bool failed = alloc_has_failed();
    // libxml2 can do without some of what it asks for: then nothing may be missing from the result
    bool complete = status == SAR_OK && spec.bodies.count == 2 && spec.joints.count == 2 &&
                    joint("j")->axis.c[2].expr && spec.bodies.items[1].inertia[5].expr;
    if (!complete && status != SAR_NO_MEMORY)
      fail_msg("allocation %ld: %s", n, sar_status_text(status));
    sar_spec_free(&spec);
    assert_int_equal(alloc_count_live(), 0);
    if (!failed) break;
  }
  alloc_fail_at(0);
  sar_spec_init(&spec);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_teardown(link_gives_a_body, teardown),
      cmocka_unit_test_teardown(declaration_may_stand_late_or_name_an_old_version, teardown),
      cmocka_unit_test_teardown(link_called_ground_has_another_name, teardown),
      cmocka_unit_test_teardown(limits_the_wrong_way_round_are_none, teardown),
      cmocka_unit_test_teardown(spherical_joints_are_read, teardown),
      cmocka_unit_test_teardown(unphysical_inertia_may_be_made_up_for, teardown),
      cmocka_unit_test_teardown(tags_given_twice_alike_are_warned_of, teardown),
      cmocka_unit_test_teardown(root_is_welded_to_the_ground, teardown),
      cmocka_unit_test_teardown(weld_takes_a_free_name, teardown),
      cmocka_unit_test_teardown(massless_world_is_the_ground, teardown),
      cmocka_unit_test_teardown(world_with_mass_is_a_body, teardown),
      cmocka_unit_test_teardown(every_type_has_its_kind, teardown),
      cmocka_unit_test_teardown(joint_is_relative_to_its_parent, teardown),
      cmocka_unit_test_teardown(what_is_absent_has_the_default_of_the_format, teardown),
      cmocka_unit_test_teardown(mimic_is_kept, teardown),
      cmocka_unit_test_teardown(decoration_is_left_out_without_a_word, teardown),
      cmocka_unit_test_teardown(places_count_characters_of_utf8, teardown),
      cmocka_unit_test_teardown(other_encodings_are_read, teardown),
      cmocka_unit_test_teardown(inertial_frame_turns_the_inertia, teardown),
      cmocka_unit_test_teardown(frames_go_down_the_chain, teardown),
      cmocka_unit_test_teardown(limits_and_couplings_reach_the_model, teardown),
      cmocka_unit_test_teardown(unknown_tags_are_reported_once, teardown),
      cmocka_unit_test_teardown(mesh_files_are_looked_for, teardown),
      cmocka_unit_test_teardown(broken_files_are_explained, teardown),
      cmocka_unit_test_teardown(nobody_listens, teardown),
      cmocka_unit_test_teardown(deep_nesting_is_refused, teardown),
      cmocka_unit_test_teardown(thousands_of_links_take_no_time, teardown),
      cmocka_unit_test_teardown(every_failing_allocation_is_survived, teardown),
  };
  return cmocka_run_group_tests_name("urdf", tests, NULL, NULL);
}
