// Models in other formats are the same mechanisms: YAML in every bit, URDF and MJCF to rounding; and what is lost is told.
#include "support/folder.h"
#include "support/test.h"

#include "model/fingerprint.h"
#include "model/model.h"
#include "sarrus/sarrus.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

static SarError err;

static const char* said(void) {
  static char line[1200];
  return err.count ? sar_error_format(&err, 0, line, sizeof line) : "";
}

static SarConversion* converted(const char* from, const char* to) {
  SarConversion* c = NULL;
  sar_error_init(&err);
  if (sar_convert(from, to, NULL, &c, &err) != SAR_OK) fail_msg("%s: %s", from, said());
  return c;
}

// The text as a model; files that it names are in `folder`.
static SarModel* model_of(const char* text, const char* format, const char* folder) {
  SarLoadOptions o = {.search_paths = &folder, .search_path_count = folder ? 1 : 0};
  SarModel* m = NULL;
  sar_error_init(&err);
  if (sar_model_parse(text, strlen(text), format, "new", &o, &m, &err) != SAR_OK)
    fail_msg("%s\n%s", said(), text);
  return m;
}

static SarModel* loaded(const char* path) {
  SarModel* m = NULL;
  sar_error_init(&err);
  if (sar_model_load(path, NULL, &m, &err) != SAR_OK) fail_msg("%s: %s", path, said());
  return m;
}

static bool tells(const SarConversion* c, const char* part) {
  for (int i = 0; i < sar_conversion_losses(c); i++)
    if (strstr(sar_conversion_loss(c, i)->text, part)) return true;
  return false;
}

// A file of its own in the folder for temporary ones.
static const char* written(const char* text, const char* name) {
  static char path[128];
  snprintf(path, sizeof path, "/tmp/sarrus-convert-%d-%s", (int)getpid(), name);
  FILE* f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
  return path;
}

// ---- YAML ------------------------------------------------------------------------------------

static void expect_same_model(const char* path, const char* folder) {
  char to[400];
  snprintf(to, sizeof to, "%.*s/new.yaml", (int)(strrchr(path, '/') - path), path);
  SarConversion* c = converted(path, to);
  SarModel* a = loaded(path);
  SarModel* b = model_of(sar_conversion_text(c), "yaml", folder);
  if (sar_model_fingerprint(a) != sar_model_fingerprint(b)) fail_msg("%s is another model", path);
  sar_model_free(a), sar_model_free(b);
  sar_conversion_free(c);
}

static void all_of(const char* folder) {
  static char names[200][FOLDER_NAME];
  const int n = folder_models(folder, names, 200);
  assert_true(n > 0);
  for (int i = 0; i < n; i++) {
    char path[400];
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    SarConversion* c = NULL;
    sar_error_init(&err);
    const SarStatus st = sar_convert(path, "new.yaml", NULL, &c, &err);
    sar_conversion_free(c);
    if (st == SAR_NOT_OFFERED) continue;  // told: parts of included files
    if (st != SAR_OK) fail_msg("%s: %s", path, said());
    if (test_takes((size_t)i, 5)) expect_same_model(path, folder);
  }
}

static void yaml_is_the_same_model_bit_for_bit(void** state) {
  (void)state;
  all_of("examples");
  all_of("tests/models/reference");
}

static void robots_are_the_same_in_yaml_bit_for_bit(void** state) {
  static const char* const names[] = {"examples/parts/humanoid.urdf", "examples/parts/puma.urdf",
                                      "tests/reference/tree/humanoid36.xml",
                                      "tests/reference/tree/arm7.xml",
                                      "tests/fuzz/corpus/mjcf/arm.xml"};
  (void)state;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) expect_same_model(names[i], ".");
}

// ---- random trees ----------------------------------------------------------------------------

typedef struct Text {
  char text[16384];
  size_t used;
} Text;

__attribute__((format(printf, 2, 3))) static void add(Text* t, const char* format, ...) {
  va_list args;
  va_start(args, format);
  t->used += (size_t)vsnprintf(t->text + t->used, sizeof t->text - t->used, format, args);
  va_end(args);
  assert_true(t->used < sizeof t->text);
}

// screws and gimbals become joints that follow each other: see below
static const char* const KINDS[] = {"fixed",       "revolute",  "prismatic",
                                    "cylindrical", "universal", "spherical",
                                    "planar",      "free",      "cartesian"};
enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS };

static void add_joint(Text* t, Rng* r, int k, bool springs) {
  const char* kind = KINDS[(k + rng_int(r, 2)) % KIND_COUNT];
  const int parent = k == 0 ? -1 : rng_int(r, k + 1) - 1;
  const V3 axis = v3_unit(rng_v3(r, -1, 1)), at = rng_v3(r, -0.5, 0.5), across = v3_perp(axis);
  const SarJointKind* of = sar_joint_kind_find(kind);
  char from[16] = "ground", to[16];
  const bool free = strcmp(kind, "free") == 0, turned = of->nv == 1 && rng_int(r, 4) == 0;
  if (parent >= 0) snprintf(from, sizeof from, "b%d", parent);
  snprintf(to, sizeof to, "b%d", k);
  add(t, "  j%d: {%s: [%s, %s], at: [%.3f, %.3f, %.3f]", k, kind, turned ? to : from,
      turned ? from : to, free ? 0 : at.x, free ? 0 : at.y, free ? 0 : at.z);
  if (of->axes != SAR_AXES_NONE) add(t, ", axis: [%.17g, %.17g, %.17g]", axis.x, axis.y, axis.z);
  if (of->axes == SAR_AXES_TWO)
    add(t, ", axis2: [%.17g, %.17g, %.17g]", across.x, across.y, across.z);
  for (int i = 0; i < of->nparam; i++)
    add(t, ", %s: %.3f", of->param[i].name, rng_uniform(r, 0.1, 0.3));
  if (of->nv > 0 && !free && strcmp(kind, "gimbal") != 0)
    add(t, ", damping: %.2f", rng_uniform(r, 0.1, 0.5));
  if (springs && of->nv == 1)
    add(t, ", stiffness: %.2f, rest: 0.3, armature: 0.1", rng_uniform(r, 5, 20));
  add(t, "}\n");
}

static void random_tree(Text* t, Rng* r, int n, bool springs) {
  t->used = 0;
  add(t, "sarrus: 1\nname: random\nbodies:\n");
  for (int k = 0; k < n; k++) {
    const V3 c = rng_v3(r, -0.2, 0.2);
    add(t,
        "  b%d: {mass: %.2f, com: [%.3f, %.3f, %.3f], inertia: [0.3, 0.4, 0.5, %.3f, %.3f, "
        "%.3f]}\n",
        k, rng_uniform(r, 1, 3), c.x, c.y, c.z, rng_uniform(r, -0.05, 0.05),
        rng_uniform(r, -0.05, 0.05), rng_uniform(r, -0.05, 0.05));
  }
  add(t, "joints:\n");
  for (int k = 0; k < n; k++) add_joint(t, r, k, springs);
}

// Coordinates of a joint of the new model, of the old one: how many, from where, how many times.
typedef struct Part {
  int q, v, nq, nv;
  double times;
} Part;

static Part part_of(const SarModel* a, const SarModel* b, const SarJointInfo* to, int joint) {
  const char* name = sar_model_name(b, SAR_ITEM_JOINT, joint);
  char own[64];
  SarJointInfo info;
  snprintf(own, sizeof own, "%.*s", (int)strcspn(name, "_"), name);
  const int from = sar_model_find(a, SAR_ITEM_JOINT, own);
  if (from < 0 && to->nv == 0) return (Part){0};
  assert_true(from >= 0);
  EXPECT_OK(sar_joint_info(a, from, &info));
  const char* suffix = strchr(name, '_');
  Part p = {info.qadr, info.vadr, to->nq, to->nv, 1};
  if (!suffix) return p;
  const SarJointKind* kind = a->joint_kind[from];
  if (strcmp(suffix, "_turn") == 0) return (Part){info.qadr + 3, info.vadr + 3, 4, 3, 1};
  if (strcmp(suffix, "_advance") == 0) p.times = a->joint_param[(size_t)from * SAR_JOINT_MAX_PARAM];
  for (int i = 0; i < kind->nv; i++)
    if (kind->q_suffix[i] && strcmp(suffix + 1, kind->q_suffix[i]) == 0) p.q += i, p.v += i;
  return p;
}

// Accelerations of the old model and of the new one, joint by joint, at random states.
static void expect_same_motion(const char* yaml, const char* text, const char* format, Rng* r,
                               double bound) {
  SarModel *a = model_of(yaml, "yaml", NULL), *b = model_of(text, format, NULL);
  SarData *da, *db;
  EXPECT_OK(sar_data_new(a, &da, NULL));
  EXPECT_OK(sar_data_new(b, &db, NULL));
  for (int trial = 0; trial < 3; trial++) {
    for (int i = 0; i < sar_model_nq(a); i++) sar_q(da)[i] = rng_uniform(r, -1, 1);
    for (int j = 0; j < a->nbody; j++)
      if (a->joint_nq[j] > a->joint_nv[j])
        quat_store(sar_q(da) + a->joint_qadr[j] + a->joint_nq[j] - 4,
                   quat_unit(quat_load(sar_q(da) + a->joint_qadr[j] + a->joint_nq[j] - 4)));
    for (int i = 0; i < sar_model_nv(a); i++) sar_v(da)[i] = rng_uniform(r, -1, 1);
    EXPECT_OK(sar_forward_dynamics(da));
    double most = 1;
    for (int i = 0; i < sar_model_nv(a); i++) most = fmax(most, fabs(sar_a(da)[i]));
    for (int pass = 0; pass < 2; pass++) {
      for (int j = 0; j < b->nbody; j++) {
        SarJointInfo to;
        EXPECT_OK(sar_joint_info(b, j, &to));
        const Part p = part_of(a, b, &to, j);
        for (int i = 0; pass == 0 && i < p.nq; i++)
          sar_q(db)[to.qadr + i] = p.times * sar_q(da)[p.q + i];
        for (int i = 0; i < p.nv; i++) {
          if (pass == 0) sar_v(db)[to.vadr + i] = p.times * sar_v(da)[p.v + i];
          const double want = p.times * sar_a(da)[p.v + i], got = sar_a(db)[to.vadr + i];
          if (pass == 1 && !(fabs(got - want) <= bound * most))
            fail_msg("%s: a = %.17g, not %.17g (largest %g)\n%s\n%s",
                     sar_model_name(b, SAR_ITEM_JOINT, j), got, want, most, yaml, text);
        }
      }
      if (pass == 0) EXPECT_OK(sar_forward_dynamics(db));
    }
  }
  sar_data_free(da), sar_data_free(db);
  sar_model_free(a), sar_model_free(b);
}

static void random_trees(const char* format, const char* ending, bool springs, double bound) {
  static Text t;
  char name[32];
  Rng r = rng_seed(test_seed(31));
  snprintf(name, sizeof name, "new%s", ending);
  for (int trial = 0; trial < test_effort(60); trial++) {
    random_tree(&t, &r, 1 + rng_int(&r, 14), springs);
    const char* path = written(t.text, "tree.yaml");
    SarConversion* c = converted(path, name);
    unlink(path);
    if (tells(c, "follows") || tells(c, "held where")) fail_msg("lost\n%s", t.text);
    expect_same_motion(t.text, sar_conversion_text(c), format, &r, bound);
    sar_conversion_free(c);
  }
}

static void random_trees_move_alike_in_urdf(void** state) {
  (void)state;
  random_trees("urdf", ".urdf", false, 1e-9);
}

static void random_trees_move_alike_in_mjcf(void** state) {
  (void)state;
  random_trees("mjcf", ".xml", true, 1e-9);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(yaml_is_the_same_model_bit_for_bit),
      cmocka_unit_test(robots_are_the_same_in_yaml_bit_for_bit),
      cmocka_unit_test(random_trees_move_alike_in_urdf),
      cmocka_unit_test(random_trees_move_alike_in_mjcf),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
