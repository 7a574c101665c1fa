// What a browser is told of models: the scenes of all examples are JSON, their frames say what the
// engine says of where bodies are, links and shapes are where the pictures have them.
#include "support/folder.h"
#include "support/frame_read.h"
#include "support/json_check.h"
#include "support/model_file.h"

#include "base/memory_file.h"
#include "view/bodies.h"
#include "view/frame.h"
#include "view/record.h"
#include "view/scene_json.h"

#include <stdlib.h>

enum { MOST = 200 };

typedef void EachModel(const char* name, SarModel* m);

static void all_models(const char* folder, EachModel* each) {
  static char names[MOST][FOLDER_NAME];
  char path[400];
  snprintf(path, sizeof path, "%s/%s", SARRUS_SOURCE_DIR, folder);
  const int count = folder_models(path, names, MOST);
  int loaded = 0;
  assert_true(count > 0);
  for (int i = 0; i < count; i++) {
    SarError err;
    SarModel* m = NULL;
    sar_error_init(&err);
    snprintf(path, sizeof path, "%s/%s/%.127s", SARRUS_SOURCE_DIR, folder, names[i]);
    if (sar_model_load(path, NULL, &m, &err) != SAR_OK)
      continue;  // parts that are included, models that are wrong
    each(names[i], m);
    loaded++;
    sar_model_free(m);
  }
  if (2 * loaded < count)
    fail_msg("only %d of %d models of %s could be read", loaded, count, folder);
}

static void expect_pose(const char* name, SarData* d, const Frame* f, int body) {
  double pose[7], p[3], R[9];
  if (sar_body_pose(d, body, p, R) != SAR_OK) return;
  frame_pose(f, body, pose);
  const M3 Q = quat_to_m3((Quat){pose[3], pose[4], pose[5], pose[6]});
  const double q[9] = {Q.xx, Q.xy, Q.xz, Q.yx, Q.yy, Q.yz, Q.zx, Q.zy, Q.zz};
  for (int k = 0; k < 3; k++)
    if (!(fabs(pose[k] - p[k]) <= 1e-6 * (1 + fabs(p[k]))))
      fail_msg("%s: body %d is at %g, the frame has %g", name, body, p[k], pose[k]);
  for (int k = 0; k < 9; k++)
    if (!(fabs(q[k] - R[k]) <= 1e-6)) fail_msg("%s: body %d is turned otherwise", name, body);
}

static char* scene_text(SarModel* m, SarScene* scene, SarData* d) {
  SarMemoryFile f;
  SarJson j;
  const SarViewParameter p = {"a \"name\"</script>", 1};
  const SarViewScene v = {
      .scene = scene, .d = d, .end = 1, .speed = 1, .parameters = &p, .parameter_count = 1};
  (void)m;
  assert_true(sar_memory_open(&f));
  sar_json_begin(&j, f.out);
  assert_true(sar_view_scene(&j, &v));
  sar_json_end(&j);
  assert_true(sar_memory_close(&f));
  return f.text;
}

static int count_of(const char* text, const char* part) {
  int n = 0;
  for (const char* p = text; (p = strstr(p, part)); p += strlen(part)) n++;
  return n;
}

static void check_model(const char* name, SarModel* m) {
  SarScene* scene;
  SarData* d;
  SarSim* s = NULL;
  SarFramer framer;
  EXPECT_OK(sar_data_new(m, &d, NULL));
  if (sar_sim_new(m, d, NULL, &s, NULL) != SAR_OK) {
    sar_data_free(d);
    return;
  }
  EXPECT_OK(sar_scene_new(m, &scene));
  char* text = scene_text(m, scene, d);
  if (!json_is_valid(text)) fail_msg("%s: the scene is no JSON:\n%.2000s", name, text);
  assert_null(strstr(text, "nan"));
  assert_null(strstr(text, "inf,"));
  // every part is there once: on a body, on the ground or as a link
  assert_int_equal(count_of(text, "\"role\": "), scene->count);
  free(text);
  assert_true(sar_framer_begin(&framer, scene));
  unsigned char* bytes = malloc(framer.most);
  double* outputs = calloc((size_t)m->nchannel + 1, sizeof *outputs);
  for (int k = 0; k < 3; k++) {
    EXPECT_OK(sar_outputs(s, outputs));
    SarFrameInfo info = {.sequence = (uint64_t)k, .outputs = outputs};
    const size_t n = sar_frame_pack(&framer, d, &info, bytes);
    assert_true(n <= framer.most);
    const Frame f = frame_read(bytes, n);
    assert_int_equal(f.length, n);
    assert_true(f.time == d->t && f.sequence == (uint64_t)k);
    assert_int_equal(f.bodies, sar_model_count(m, SAR_ITEM_BODY));
    for (int b = 0; b < (int)f.bodies; b++) expect_pose(name, d, &f, b);
    assert_memory_equal(f.values, outputs, sizeof(double) * f.outputs);
    for (int g = 0; g < m->ngate; g++)
      assert_int_equal(f.bits[g / 8] >> (g % 8) & 1, d->gate_state[g] & SAR_GATE_ON ? 1 : 0);
    if (sar_advance(s, d->t + 0.004) != SAR_OK) break;
  }
  free(bytes);
  free(outputs);
  sar_framer_end(&framer);
  sar_scene_free(scene);
  sar_sim_free(s);
  sar_data_free(d);
}

static void scenes_of_all_examples(void** state) {
  (void)state;
  all_models("examples", check_model);
}

static void scenes_of_all_test_models(void** state) {
  (void)state;
  all_models("tests/models", check_model);
}

// Shapes in U of their body, placed by a frame's pose, are where the pictures place them in B.
static void check_places(const char* name, SarModel* m) {
  SarScene* scene;
  SarData* d;
  EXPECT_OK(sar_data_new(m, &d, NULL));
  EXPECT_OK(sar_scene_new(m, &scene));
  Xform* poses = calloc((size_t)m->nbody_all + 1, sizeof *poses);
  sar_scene_poses(scene, d, poses);
  for (int i = 0; i < scene->count; i++) {
    const SarPart* p = &scene->part[i];
    if (p->kind >= SAR_PART_LINK || p->body[0] < 0) continue;
    const int holder = p->holder >= 0 ? p->holder : sar_view_holder(m, p->body[0]);
    if (sar_holder_body(m, holder) != p->body[0]) continue;
    const Xform X = x_mul(sar_view_pose(m, poses, holder), sar_view_in_U(m, holder, p->X_BS));
    const Xform Y = sar_scene_place(scene, d, poses, i).X_GS;
    const double size = 1 + v3_norm(Y.p);
    if (v3_norm(v3_sub(X.p, Y.p)) > 1e-12 * size) fail_msg("%s: part %d is elsewhere", name, i);
  }
  free(poses);
  sar_scene_free(scene);
  sar_data_free(d);
}

// A torque is an arrow of its own kind, at the body's frame, in ground axes.
static void torques_are_arrows_that_turn(void** state) {
  (void)state;
  SarModel* m = model_text(
      "bodies: {a: {box: [1, 1, 1], mass: 2, at: [1, 2, 3], rpy: [0, 0, 90 deg]}}\n"
      "forces: {turn: {torque: a, value: [3, 0, 4], frame: body}, push: {force: a, value: [0, 0, "
      "5]}}\n");
  SarScene* scene = NULL;
  SarData* d = NULL;
  SarError err;
  SarFramer f;
  static unsigned char bytes[4096];
  sar_error_init(&err);
  EXPECT_OK_OR(sar_data_new(m, &d, &err), &err);
  EXPECT_OK(sar_scene_new(m, &scene));
  assert_true(sar_framer_begin(&f, scene) && f.most <= sizeof bytes);
  EXPECT_OK(sar_forward_dynamics(d));
  const Frame frame = frame_read(bytes, sar_frame_pack(&f, d, &(SarFrameInfo){0}, bytes));
  assert_int_equal(frame.arrows, 2);
  const double turn[8] = {3, -1, 1, 2, 3, 0, 3, 4}, push[8] = {1, -1, 1, 2, 3, 0, 0, 5};
  int turns = 0;
  for (int i = 0; i < 2; i++) {
    const bool torque = frame_f32(frame.arrow + 32 * i) > 2;
    turns += torque;
    for (int k = 0; k < 8; k++)
      EXPECT_NEAR((double)frame_f32(frame.arrow + 32 * i + 4 * k), torque ? turn[k] : push[k],
                  1e-6);
  }
  assert_int_equal(turns, 1);
  sar_framer_end(&f);
  sar_scene_free(scene);
  sar_data_free(d);
  sar_model_free(m);
}

static void shapes_are_where_pictures_have_them(void** state) {
  (void)state;
  all_models("examples", check_places);
}

// A run recorded, and the same run's table replayed: the same poses.
static void tables_replay_what_was_run(void** state) {
  (void)state;
  SarModel* m = model_file("chain.yaml", NULL);
  SarReplay replay = {0};
  SarRecording r;
  SarRun *run, *again;
  SarResultUse use;
  EXPECT_OK(sar_recording_begin(&r, m, &replay, NULL));
  SarRunOptions o = sar_run_options();
  o.end = 0.5;
  o.output_step = 0.05;
  EXPECT_OK(sar_record_run(&r, &o, "run", &run, NULL));
  EXPECT_OK(sar_run(m, &o, &again, NULL));
  EXPECT_OK(sar_record_table(&r, sar_run_table(again), "table", &use, NULL));
  EXPECT_OK(sar_recording_finish(&r));
  assert_int_equal(use.missing, 0);
  assert_int_equal(replay.runs, 2);
  assert_int_equal(replay.frames[0].size, replay.frames[1].size);
  assert_true(json_is_valid(replay.scene.text));
  int frames = 0;
  for (size_t at = 0; at < replay.frames[0].size; frames++) {
    const Frame a =
        frame_read((unsigned char*)replay.frames[0].text + at, replay.frames[0].size - at);
    const Frame b =
        frame_read((unsigned char*)replay.frames[1].text + at, replay.frames[1].size - at);
    assert_true(a.time == b.time);
    for (int k = 0; k < (int)a.bodies; k++) {
      double p[7], q[7];
      frame_pose(&a, k, p);
      frame_pose(&b, k, q);
      EXPECT_ARRAY_NEAR(p, q, 7, 1e-6);
    }
    at += a.length;
  }
  assert_int_equal(frames, 11);
  sar_run_free(run);
  sar_run_free(again);
  sar_recording_end(&r);
  sar_replay_free(&replay);
  sar_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(scenes_of_all_examples),
                                     cmocka_unit_test(scenes_of_all_test_models),
                                     cmocka_unit_test(torques_are_arrows_that_turn),
                                     cmocka_unit_test(shapes_are_where_pictures_have_them),
                                     cmocka_unit_test(tables_replay_what_was_run)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
