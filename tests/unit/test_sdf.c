// SDF reader: a file means the mechanism that the format's pages say, which is written once more as
// YAML beside it; what is wrong or not taken is said where and how.
#include "support/alloc_count.h"
#include "support/random.h"
#include "support/test.h"

#include "sarrus/sarrus.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

static SarError err;

static SarModel* parse(const char* text, const char* format) {
  SarModel* m = NULL;
  sar_error_init(&err);
  sar_model_parse(text, strlen(text), format, "model.sdf", NULL, &m, &err);
  return m;
}

static SarModel* good(const char* text, const char* format) {
  SarModel* m = parse(text, format);
  char line[1200];
  if (!m) fail_msg("%s", sar_error_format(&err, 0, line, sizeof line));
  return m;
}

static int times_said(const char* part) {
  char line[1200];
  int n = 0;
  for (int i = 0; i < err.count; i++)
    n += strstr(sar_error_format(&err, i, line, sizeof line), part) != NULL;
  return n;
}

// Accelerations of both at random states; coordinates are in the same order.
static void expect_same_motion(const char* sdf, const char* yaml) {
  SarModel *a = good(sdf, "sdf"), *b = good(yaml, "yaml");
  SarData *da, *db;
  Rng rng = rng_seed(7);
  EXPECT_OK(sar_data_new(a, &da, NULL));
  EXPECT_OK(sar_data_new(b, &db, NULL));
  const int nq = sar_model_nq(a), nv = sar_model_nv(a);
  assert_int_equal(nq, sar_model_nq(b));
  assert_int_equal(nv, sar_model_nv(b));
  EXPECT_ARRAY_NEAR(sar_q(da), sar_q(db), (size_t)nq, 1e-15);  // the start
  for (int trial = 0; trial < 20; trial++) {
    for (int i = 0; i < nq; i++) sar_q(da)[i] = sar_q(db)[i] = rng_uniform(&rng, -1, 1);
    for (int i = 0; i < nv; i++) sar_v(da)[i] = sar_v(db)[i] = rng_uniform(&rng, -1, 1);
    EXPECT_OK(sar_forward_dynamics(da));
    EXPECT_OK(sar_forward_dynamics(db));
    for (int i = 0; i < nv; i++)
      EXPECT_NEAR(sar_a(da)[i], sar_a(db)[i], 1e-11 * (1 + fabs(sar_a(db)[i])));
  }
  sar_data_free(da), sar_data_free(db);
  sar_model_free(a), sar_model_free(b);
}

#define INERTIAL                                                                             \
  "<inertial><pose>0.01 0 0.1 0 0 0.3</pose><mass>2</mass><inertia><ixx>0.03</ixx><iyy>0.04" \
  "</iyy><izz>0.02</izz><ixy>0.001</ixy></inertia></inertial>"
// the same turned by 0.3 about z: R I R'
#define BODY                                                                                   \
  "mass: 2, com: [0.01, 0, 0.1], inertia: [0.03 + 0.01*sin(0.3)^2 - 0.002*sin(0.3)*cos(0.3), " \
  "0.04 - 0.01*sin(0.3)^2 + 0.002*sin(0.3)*cos(0.3), 0.02, "                                   \
  "-0.01*sin(0.3)*cos(0.3) + 0.001*(cos(0.3)^2 - sin(0.3)^2), 0, 0]"

static void joints_are_those_of_the_format(void** state) {
  (void)state;
  expect_same_motion(
      "<sdf version='1.9'><model name='arm'>"
      "<link name='a'><pose>0 0 1 0 0 0</pose>" INERTIAL
      "</link>"
      "<link name='b'><pose>0.5 0 1 0 0 0</pose>" INERTIAL
      "</link>"
      "<link name='c'><pose>1 0 1 0 0 0</pose>" INERTIAL
      "</link>"
      "<link name='d'><pose>1 0.5 1 0 0 0</pose>" INERTIAL
      "</link>"
      "<link name='e'><pose>1 1 1 0 0 0</pose>" INERTIAL
      "</link>"
      "<joint name='ja' type='revolute'><parent>world</parent><child>a</child>"
      "<axis><xyz>0 1 0</xyz><dynamics><damping>0.3</damping><spring_stiffness>4</spring_stiffness>"
      "<spring_reference>0.2</spring_reference></dynamics></axis></joint>"
      "<joint name='jb' type='prismatic'><parent>a</parent><child>b</child>"
      "<axis><xyz>1 0 1</xyz></axis></joint>"
      "<joint name='jc' type='universal'><parent>b</parent><child>c</child>"
      "<axis><xyz>1 0 0</xyz><dynamics><damping>0.1</damping></dynamics></axis>"
      "<axis2><xyz>0 1 0</xyz><dynamics><damping>0.2</damping></dynamics></axis2></joint>"
      "<joint name='jd' type='screw'><parent>c</parent><child>d</child>"
      "<screw_thread_pitch>0.5</screw_thread_pitch><axis><xyz>0 0 1</xyz></axis></joint>"
      "<joint name='je' type='fixed'><parent>d</parent><child>e</child></joint>"
      "</model></sdf>",
      "sarrus: 1\nbodies:\n"
      "  a: {at: [0, 0, 1], " BODY "}\n  b: {at: [0.5, 0, 1], " BODY
      "}\n"
      "  c: {at: [1, 0, 1], " BODY "}\n  d: {at: [1, 0.5, 1], " BODY
      "}\n"
      "  e: {at: [1, 1, 1], " BODY
      "}\n"
      "joints:\n"
      "  ja: {revolute: [ground, a], at: [0, 0, 1], axis: y, damping: 0.3, stiffness: 4, rest: "
      "0.2}\n"
      "  jb: {prismatic: [a, b], at: [0.5, 0, 1], axis: [1, 0, 1]}\n"
      "  jc: {universal: [b, c], at: [1, 0, 1], axis: x, axis2: y, damping: [0.1, 0.2]}\n"
      "  jd: {screw: [c, d], at: [1, 0.5, 1], axis: z, pitch: 0.5/(2*pi)}\n"
      "  je: {fixed: [d, e], at: [1, 1, 1]}\n");
}

static const char PENDULUM[] =
    "sarrus: 1\ngravity: [0, 0, -9.8]\nbodies:\n"
    "  a: {at: [1, 2, 3], rpy: [0, 0, pi/2], " BODY
    "}\n"
    "  b: {at: [1, 2.5, 3], rpy: [0.4, 0, pi/2], " BODY
    "}\n"
    "joints:\n"
    "  ja: {revolute: [ground, a], at: [1, 2, 3], axis: -x}\n"
    "  jb: {revolute: [a, b], at: [1, 2.5, 3.1], axis: y}\n";

// The model's place, relative_to, attached_to, expressed_in: one mechanism in two ways of saying
// it.
static void frames_say_where_things_are(void** state) {
  (void)state;
  expect_same_motion(
      "<sdf version='1.7'><world name='w'><model name='m'>"
      "<pose>1 2 3 0 0 1.5707963267948966</pose>"
      "<frame name='hook' attached_to='a'><pose>0.5 0 0.1 0 0 0</pose></frame>"
      "<link name='a'>" INERTIAL
      "</link>"
      "<link name='b'><pose relative_to='hook'>0 0 -0.1 0.4 0 0</pose>" INERTIAL
      "</link>"
      "<joint name='ja' type='revolute'><parent>world</parent><child>a</child>"
      "<axis><xyz>0 1 0</xyz></axis></joint>"
      "<joint name='jb' type='revolute'><pose relative_to='hook'/><parent>hook</parent>"
      "<child>b</child><axis><xyz expressed_in='__model__'>1 0 0</xyz></axis></joint>"
      "</model></world></sdf>",
      PENDULUM);
  // before version 1.7: joints count from their child, axes from the joint or the model
  expect_same_motion(
      "<sdf version='1.5'><world name='w'><model name='m'>"
      "<pose>1 2 3 0 0 1.5707963267948966</pose>"
      "<link name='a'>" INERTIAL
      "</link>"
      "<link name='b'><pose>0.5 0 0 0.4 0 0</pose>" INERTIAL
      "</link>"
      "<joint name='ja' type='revolute'><parent>world</parent><child>a</child>"
      "<axis><xyz>0 1 0</xyz></axis></joint>"
      "<joint name='jb' type='revolute'>"
      "<pose>0 0.03894183423086505 0.0921060994002885 0 0 0</pose>"
      "<parent>a</parent><child>b</child><axis><use_parent_model_frame>1</use_parent_model_frame>"
      "<xyz>1 0 0</xyz></axis></joint></model></world></sdf>",
      PENDULUM);
}

static void links_are_free_or_stand_still(void** state) {
  (void)state;
  SarModel* m = good("<sdf version='1.6'><model name='m'><link name='a'/></model></sdf>", "sdf");
  assert_int_equal(sar_model_nv(m), 6);
  sar_model_free(m);
  m = good("<sdf version='1.6'><model name='m'><static>true</static><link name='a'/></model></sdf>",
           "sdf");
  assert_int_equal(sar_model_nv(m), 0);
  sar_model_free(m);
}

// Four bars of a parallelogram: links may hang together in rings.
static void loops_are_closed(void** state) {
  (void)state;
  SarModel* m = good(
      "<sdf version='1.9'><model name='m'>"
      "<link name='a'/><link name='b'><pose>0 0 1 0 0 0</pose></link>"
      "<link name='c'><pose>1 0 0 0 0 0</pose></link>"
      "<joint name='j1' type='revolute'><parent>world</parent><child>a</child><axis><xyz>0 1 0"
      "</xyz></axis></joint>"
      "<joint name='j2' type='revolute'><parent>a</parent><child>b</child><axis><xyz>0 1 0</xyz>"
      "</axis></joint>"
      "<joint name='j3' type='revolute'><parent>world</parent><child>c</child><axis><xyz>0 1 0"
      "</xyz></axis></joint>"
      "<joint name='j4' type='revolute'><pose relative_to='__model__'>1 0 1 0 0 0</pose>"
      "<parent>b</parent><child>c</child><axis><xyz>0 1 0</xyz></axis></joint></model></sdf>",
      "sdf");
  SarData* d;
  SarAssembly a;
  EXPECT_OK(sar_data_new(m, &d, NULL));
  EXPECT_OK(sar_assemble(d, &a, NULL));
  assert_int_equal(a.freedoms, 1);
  sar_data_free(d);
  sar_model_free(m);
}

static void what_is_not_taken_is_told_once(void** state) {
  (void)state;
  SarModel* m = good(
      "<sdf version='1.9'><model name='m'><plugin name='p' filename='x'><rate>1</rate></plugin>\n"
      "<link name='a'><sensor name='s' type='imu'/><sensor name='t' type='imu'/>"
      "<visual name='v'><geometry><box><size>1 1 1</size></box></geometry></visual></link>"
      "<wheel_slip/></model></sdf>",
      "sdf");
  assert_int_equal(times_said("<plugin> is not taken (1 time)"), 1);
  assert_int_equal(times_said("<sensor> is not taken (2 times)"), 1);
  assert_int_equal(times_said("<wheel_slip>"), 1);
  assert_int_equal(err.count, 3);
  assert_int_equal(err.items[1].line, 2);
  sar_model_free(m);
}

static void included_models_are_beside(void** state) {
  char path[128], part[128], text[256];
  SarModel* m = NULL;
  (void)state;
  snprintf(part, sizeof part, "/tmp/sarrus-sdf-%d-part.sdf", (int)getpid());
  snprintf(path, sizeof path, "/tmp/sarrus-sdf-%d.sdf", (int)getpid());
  FILE* f = fopen(part, "w");
  fputs("<sdf version='1.9'><model name='m'><link name='a'/></model></sdf>", f);
  fclose(f);
  const char* const uris[] = {strrchr(part, '/') + 1, "/etc/passwd.sdf", "../etc/hostname.sdf"};
  for (int i = 0; i < 3; i++) {
    snprintf(text, sizeof text,
             "<sdf version='1.9'><world name='w'><include><uri>%s</uri><pose>0 0 2 0 0 0</pose>"
             "</include></world></sdf>",
             uris[i]);
    f = fopen(path, "w");
    fputs(text, f);
    fclose(f);
    sar_error_init(&err);
    const SarStatus st = sar_model_load(path, NULL, &m, &err);
    assert_int_equal(st, i == 0 ? SAR_OK : SAR_BAD_MODEL);
    if (i > 0) assert_int_equal(times_said("outside the folder"), 1);
    sar_model_free(m);
  }
  unlink(part), unlink(path);
}

// Every error the file expects ("expect LINE:COLUMN: text (hint)" in a comment) and no other one.
static void check_broken(const char* path) {
  char text[8192], line[1024], wanted[1024];
  SarModel* m = NULL;
  int expected = 0;
  FILE* f = fopen(path, "rb");
  assert_non_null(f);
  text[fread(text, 1, sizeof text - 1, f)] = '\0';
  fclose(f);
  sar_error_init(&err);
  if (sar_model_load(path, NULL, &m, &err) != SAR_BAD_MODEL) fail_msg("%s is read", path);
  for (const char* p = text; (p = strstr(p, "<!-- expect ")); expected++) {
    p += strlen("<!-- expect ");
    const char *end = strstr(p, " -->"), *message = strstr(p, ": ");
    snprintf(wanted, sizeof wanted, "%s:%.*s: error: %.*s", path, (int)(message - p), p,
             (int)(end - message - 2), message + 2);
    sar_error_format(&err, expected, line, sizeof line);
    if (strcmp(line, wanted) != 0) fail_msg("\n  is       %s\n  expected %s", line, wanted);
  }
  if (err.errors != expected) fail_msg("%s: %d errors, expected %d", path, err.errors, expected);
}

static void broken_files_are_explained(void** state) {
  (void)state;
  const char* folder = SARRUS_SOURCE_DIR "/tests/models/broken_sdf";
  DIR* d = opendir(folder);
  assert_non_null(d);
  int count = 0;
  for (struct dirent* e; (e = readdir(d));) {
    char path[512];
    if (!strstr(e->d_name, ".sdf")) continue;
    snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    check_broken(path);
    count++;
  }
  closedir(d);
  assert_in_range(count, 6, 1000);
}

static void memory_may_run_out(void** state) {
  (void)state;
  static const char text[] =
      "<sdf version='1.9'><model name='m'><frame name='f' attached_to='a'/><link name='a'/>"
      "<joint name='j' type='universal'><parent>world</parent><child>a</child><axis><xyz>1 0 0"
      "</xyz></axis><axis2><xyz>0 1 0</xyz></axis2></joint></model></sdf>";
  for (long n = 1;; n++) {
    SarModel* m = NULL;
    alloc_count_reset();
    alloc_fail_at(n);
    const SarStatus st = sar_model_parse(text, strlen(text), "sdf", "m.sdf", NULL, &m, NULL);
    const bool failed = alloc_has_failed();
    alloc_fail_at(0);
    sar_model_free(m);
    if (!failed) break;
    assert_true(st == SAR_NO_MEMORY || st == SAR_OK);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(joints_are_those_of_the_format),
      cmocka_unit_test(frames_say_where_things_are),
      cmocka_unit_test(links_are_free_or_stand_still),
      cmocka_unit_test(loops_are_closed),
      cmocka_unit_test(what_is_not_taken_is_told_once),
      cmocka_unit_test(included_models_are_beside),
      cmocka_unit_test(broken_files_are_explained),
      cmocka_unit_test(memory_may_run_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
