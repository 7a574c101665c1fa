// What there is to see of a model: every body has a part, parts are where the engine says, springs
// end where they are hooked in; coils and solids have the geometry they claim.
#include "support/alloc_count.h"
#include "support/model_file.h"
#include "support/random_model.h"

#include "output/facets.h"
#include "sarrus/sarrus.h"

#include <dirent.h>
#include <unistd.h>

static bool is_finite(V3 p) { return isfinite(p.x + p.y + p.z); }

// ---- geometry -----------------------------------------------------------------------------------

static double from_axis(V3 from, V3 n, V3 p) {
  const V3 d = v3_sub(p, from);
  return v3_norm(v3_axpy(-v3_dot(d, n), n, d));
}

static void coils_keep_their_windings(void** state) {
  (void)state;
  Rng r = rng_seed(test_seed(1));
  for (int i = 0; i < test_effort(200); i++) {
    const V3 from = rng_v3(&r, -2, 2), to = rng_v3(&r, -2, 2), n = v3_unit(v3_sub(to, from));
    const double radius = rng_uniform(&r, 0.01, 0.5);
    V3 p[SAR_COIL_POINTS];
    sar_coil(from, to, radius, p);
    EXPECT_NEAR(v3_norm(v3_sub(p[0], from)), 0, 1e-14);
    EXPECT_NEAR(v3_norm(v3_sub(p[SAR_COIL_POINTS - 1], to)), 0, 1e-14);
    double turned = 0;
    const V3 u = v3_perp(n), v = v3_cross(n, u);
    for (int k = 0; k < SAR_COIL_POINTS; k++) {
      EXPECT_AT_MOST(from_axis(from, n, p[k]), radius * (1 + 1e-12));
      if (k == 0) continue;
      assert_true(v3_dot(n, v3_sub(p[k], p[k - 1])) > 0);
      const V3 a = v3_sub(p[k - 1], from), b = v3_sub(p[k], from);
      const double ax = v3_dot(a, u), ay = v3_dot(a, v), bx = v3_dot(b, u), by = v3_dot(b, v);
      if (hypot(ax, ay) > 1e-9 * radius && hypot(bx, by) > 1e-9 * radius)
        turned += atan2(ax * by - ay * bx, ax * bx + ay * by);
    }
    // the ends on the axis have no angle: half a winding may be missing there
    EXPECT_NEAR(turned / 6.283185307179586, SAR_COIL_TURNS, 0.25);
    EXPECT_NEAR(from_axis(from, n, p[SAR_COIL_POINTS / 2]), radius, 1e-9);
  }
}

static void a_coil_without_length_is_finite(void** state) {
  (void)state;
  V3 p[SAR_COIL_POINTS];
  sar_coil(v3(1, 2, 3), v3(1, 2, 3), 0.1, p);
  for (int k = 0; k < SAR_COIL_POINTS; k++) assert_true(is_finite(p[k]));
}

static int by_size(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static void the_box_of_an_inertia_is_the_box_it_came_from(void** state) {
  (void)state;
  Rng r = rng_seed(test_seed(2));
  for (int i = 0; i < test_effort(300); i++) {
    double half[3], found[3];
    for (int k = 0; k < 3; k++) half[k] = rng_uniform(&r, 0.1, 1);
    const double m = rng_uniform(&r, 0.1, 10), c = m / 3;
    const S3 I = {c * (half[1] * half[1] + half[2] * half[2]),
                  0,
                  0,
                  c * (half[0] * half[0] + half[2] * half[2]),
                  0,
                  c * (half[0] * half[0] + half[1] * half[1])};
    const M3 R = quat_to_m3(rng_quat(&r));
    const V3 com = rng_v3(&r, -1, 1);
    Xform X;
    assert_true(sar_inertia_box(inertia_of(m, com, s3_rotate(R, I)), &X, found));
    EXPECT_NEAR(v3_norm(v3_sub(X.p, com)), 0, 1e-12);
    // corners of the one are corners of the other
    for (int k = 0; k < 8; k++) {
      const V3 corner = v3(k & 1 ? found[0] : -found[0], k & 2 ? found[1] : -found[1],
                           k & 4 ? found[2] : -found[2]);
      const V3 q = m3_tmul_v(R, m3_mul_v(X.R, corner));
      double a[3] = {fabs(q.x), fabs(q.y), fabs(q.z)};
      for (int j = 0; j < 3; j++) EXPECT_NEAR(a[j], half[j], 1e-6);
    }
    qsort(half, 3, sizeof *half, by_size), qsort(found, 3, sizeof *found, by_size);
    EXPECT_ARRAY_NEAR(found, half, 3, 1e-9);
  }
  double half[3];
  Xform X;
  assert_false(sar_inertia_box(inertia_of(1, v3(1, 2, 3), s3_zero()), &X, half));
  assert_false(sar_inertia_box(inertia_zero(), &X, half));
}

// ---- models -------------------------------------------------------------------------------------

typedef struct Heap {
  int facets;
  V3 low, high;
} Heap;

static void take(void* context, const SarFacet* f) {
  Heap* h = context;
  h->facets++;
  for (int k = 0; k < 3; k++) {
    assert_true(is_finite(f->p[k]) && is_finite(f->n[k]));
    h->low = v3(fmin(h->low.x, f->p[k].x), fmin(h->low.y, f->p[k].y), fmin(h->low.z, f->p[k].z));
    h->high =
        v3(fmax(h->high.x, f->p[k].x), fmax(h->high.y, f->p[k].y), fmax(h->high.z, f->p[k].z));
  }
}

// Every body with a mass is there, every part has a surface, and all of it is finite.
static void expect_whole_scene(const SarModel* m, const char* name) {
  SarScene* s;
  SarData* d;
  EXPECT_OK(sar_scene_new(m, &s));
  EXPECT_OK(sar_data_new(m, &d, NULL));
  Xform* poses = calloc((size_t)m->nbody + 1, sizeof *poses);
  bool* there = calloc((size_t)m->nbody + 1, sizeof *there);
  SarArrow* arrows = calloc((size_t)s->most_arrows + 1, sizeof *arrows);
  sar_scene_poses(s, d, poses);
  const SarPatch patch = {v3(-1, -1, -1), v3(1, 1, 1)};
  for (int i = 0; i < s->count; i++) {
    const SarPart* p = &s->part[i];
    const SarPlaced at = sar_scene_place(s, d, poses, i);
    Heap heap = {0};
    SarFacetSink sink = {take, &heap, 0};
    sar_facet_part(&sink, s, d, i, &at, &patch);
    if (at.there && p->kind != SAR_PART_HEIGHTS && heap.facets == 0)
      fail_msg("%s: part %d of '%s' has no surface", name, i, p->name);
    if (p->role == SAR_ROLE_BODY && p->body[0] >= 0) there[p->body[0]] = true;
  }
  for (int b = 0; b < m->nbody; b++)
    if (m->body_inertia[b].m > 0 && !there[b])
      fail_msg("%s: body '%s' is not to be seen", name, sar_text(m, m->body_name[b]));
  const int n = sar_scene_arrows(s, d, poses, arrows);
  assert_in_range(n, 0, s->most_arrows);
  free(poses);
  free(there);
  free(arrows);
  sar_data_free(d);
  sar_scene_free(s);
}

static void every_example_is_to_be_seen(void** state) {
  (void)state;
  DIR* folder = opendir(SARRUS_SOURCE_DIR "/examples");
  assert_non_null(folder);
  for (struct dirent* entry; (entry = readdir(folder));) {
    if (!strstr(entry->d_name, ".yaml")) continue;
    for (int absolute = 0; absolute < 2; absolute++) {
      const SarLoadOptions o = {.coordinates = absolute ? "absolute" : NULL};
      SarModel* m = NULL;
      char path[512];
      if (sar_model_load(model_path(path, sizeof path, entry->d_name), &o, &m, NULL) != SAR_OK) {
        assert_true(absolute);  // some cannot be built so
        continue;
      }
      expect_whole_scene(m, entry->d_name);
      sar_model_free(m);
    }
  }
  closedir(folder);
}

static void random_models_are_to_be_seen(void** state) {
  (void)state;
  for (int i = 0; i < test_effort(60); i++) {
    Rng r = rng_seed(test_seed((uint64_t)i));
    static ModelText t;
    t.used = 0;
    model_random(&t, &r, 4 + rng_int(&r, 12));
    SarModel* m = model_parse(t.text, NULL);
    char name[32];
    snprintf(name, sizeof name, "seed %d", i);
    expect_whole_scene(m, name);
    sar_model_free(m);
  }
}

static const SarPart* find_part(const SarScene* s, SarPartKind kind, const char* name, int* index) {
  for (int i = 0; i < s->count; i++)
    if (s->part[i].kind == kind && strcmp(s->part[i].name, name) == 0) {
      if (index) *index = i;
      return &s->part[i];
    }
  fail_msg("no part %d of '%s'", (int)kind, name);
  return NULL;
}

static void shapes_are_kept_with_and_without_contact(void** state) {
  (void)state;
  SarModel* m = model_text(
      "bodies:\n"
      "  a: {at: [1, 0, 0], box: [0.2, 0.4, 0.6], mass: 1}\n"
      "  b: {at: [2, 0, 0], box: [0.2, 0.4, 0.6], mass: 1, contact: true}\n"
      "  c: {at: [3, 0, 0], ellipsoid: [0.1, 0.2, 0.3], mass: 1}\n"
      "  d: {at: [4, 0, 0], tube: {radius: 0.2, inner: 0.1, length: 0.5}, mass: 1}\n"
      "  e: {at: [5, 0, 0], hull: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], mass: 1}\n"
      "  f: {rod: [[6, 0, 0], [6, 0, 2]], mass: 1}\n"
      "  g: {at: [7, 0, 0], box: [1, 1, 1], mass: 1, contact: {sphere: 0.1, at: [0, 0, -0.6]}}\n"
      "joints: {j: {revolute: [ground, f], at: [6, 0, 0], axis: y}}\n");
  SarScene* s;
  EXPECT_OK(sar_scene_new(m, &s));
  const char* const boxes[] = {"a", "b"};
  for (int i = 0; i < 2; i++) {
    const SarPart* p = find_part(s, SAR_PART_BOX, boxes[i], NULL);
    EXPECT_ARRAY_NEAR(p->size, ((double[]){0.1, 0.2, 0.3}), 3, 1e-15);
  }
  EXPECT_NEAR(find_part(s, SAR_PART_ELLIPSOID, "c", NULL)->size[2], 0.3, 1e-15);
  EXPECT_NEAR(find_part(s, SAR_PART_CYLINDER, "d", NULL)->size[2], 0.1, 1e-15);
  assert_int_equal(find_part(s, SAR_PART_MESH, "e", NULL)->ntriangle, 4);
  EXPECT_NEAR(find_part(s, SAR_PART_CAPSULE, "f", NULL)->size[1], 1, 1e-15);
  // a small foot does not stand for the whole body
  find_part(s, SAR_PART_BOX, "g", NULL);
  find_part(s, SAR_PART_ELLIPSOID, "g", NULL);
  int of_bodies = 0;
  for (int i = 0; i < s->count; i++) of_bodies += s->part[i].role == SAR_ROLE_BODY;
  assert_int_equal(of_bodies, 8);
  sar_scene_free(s);
  sar_model_free(m);
}

static void elements_end_where_they_are_hooked_in(void** state) {
  (void)state;
  SarModel* m = model_text(
      "bodies:\n"
      "  a: {at: [1, 0, 0], mass: 1, inertia: [1, 1, 1], points: {tip: [0.5, 0, 0]}}\n"
      "  b: {at: [3, 0, 1], mass: 1, inertia: [1, 1, 1]}\n"
      "joints: {j: {revolute: [ground, a], axis: y, position: 0.7}}\n"
      "constraints:\n"
      "  tie: {rod: [a.tip, b]}\n"
      "  ram: {rod: [[ground, [3, 0, 4]], b], length: 3 + 0.1*sin(t)}\n"
      "forces:\n"
      "  coil: {spring_damper: [[ground, [0, 0, 2]], a.tip], stiffness: 1}\n"
      "  shock: {spring_damper: [a.tip, b], damping: 1}\n"
      "  both: {spring_damper: [a, b], stiffness: 1, damping: 1}\n"
      "  flat: {spring_damper: [[ground, [9, 9, 0]], b], axis: z, stiffness: 1}\n"
      "  late: {spring_damper: [a, b], stiffness: 1, from: 1}\n");
  SarScene* s;
  SarData* d;
  EXPECT_OK(sar_scene_new(m, &s));
  EXPECT_OK(sar_data_new(m, &d, NULL));
  Xform poses[2];
  sar_scene_poses(s, d, poses);
  double tip[3], centre[3], a[3], R[9];
  EXPECT_OK(sar_body_pose(d, sar_model_find(m, SAR_ITEM_BODY, "b"), centre, R));
  EXPECT_OK(sar_body_pose(d, sar_model_find(m, SAR_ITEM_BODY, "a"), a, R));
  for (int k = 0; k < 3; k++) tip[k] = a[k] + 0.5 * R[3 * k];
  int i;
  find_part(s, SAR_PART_SPRING, "coil", &i);
  SarPlaced at = sar_scene_place(s, d, poses, i);
  EXPECT_NEAR(v3_norm(v3_sub(at.from, v3(0, 0, 2))), 0, 1e-12);
  EXPECT_NEAR(v3_norm(v3_sub(at.to, v3_load(tip))), 0, 1e-12);
  find_part(s, SAR_PART_DAMPER, "shock", &i);
  at = sar_scene_place(s, d, poses, i);
  EXPECT_NEAR(v3_norm(v3_sub(at.from, v3_load(tip))), 0, 1e-12);
  EXPECT_NEAR(v3_norm(v3_sub(at.to, v3_load(centre))), 0, 1e-12);
  find_part(s, SAR_PART_SPRING, "both", NULL);
  find_part(s, SAR_PART_DAMPER, "both", NULL);
  find_part(s, SAR_PART_LINK, "tie", &i);
  at = sar_scene_place(s, d, poses, i);
  EXPECT_NEAR(v3_norm(v3_sub(at.from, v3_load(tip))), 0, 1e-12);
  find_part(s, SAR_PART_ACTUATOR, "ram", NULL);
  // along an axis: from below, not from where the plane happens to have its point
  find_part(s, SAR_PART_SPRING, "flat", &i);
  at = sar_scene_place(s, d, poses, i);
  EXPECT_NEAR(v3_norm(v3_sub(at.from, v3(centre[0], centre[1], 0))), 0, 1e-12);
  find_part(s, SAR_PART_SPRING, "late", &i);
  assert_false(sar_scene_place(s, d, poses, i).there);
  sar_data_free(d);
  sar_scene_free(s);
  sar_model_free(m);
}

static int count_parts(const SarScene* s, SarPartKind kind) {
  int n = 0;
  for (int i = 0; i < s->count; i++) n += s->part[i].kind == kind;
  return n;
}

// What wheels and balls roll on is seen: each plane and road once.
static void ground_that_is_rolled_on_is_seen(void** state) {
  (void)state;
  SarModel* m = model_text(
      "roads: {hill: {height: 0.1*sin(x)}}\n"
      "bodies:\n"
      "  a: {at: [0, 0, 0.3], sphere: 0.3, mass: 1}\n"
      "  b: {at: [2, 0, 0.3], sphere: 0.3, mass: 1}\n"
      "  c: {at: [4, 1, 0], sphere: 0.5, mass: 1}\n"
      "  d: {at: [6, 0, 0.4], sphere: 0.4, mass: 1}\n"
      "constraints:\n"
      "  on_a: {rolling: [a, ground], radius: 0.3}\n"
      "  on_b: {rolling: [b, [ground, [5, 5, 0]]], radius: 0.3}\n"
      "  wall: {rolling: [c, [ground, [0, 0.5, 0]]], radius: 0.5, normal: y}\n"
      "  road: {rolling: [d, ground], radius: 0.4, road: hill}\n");
  SarScene* s;
  EXPECT_OK(sar_scene_new(m, &s));
  assert_int_equal(count_parts(s, SAR_PART_PLANE), 2);
  assert_int_equal(count_parts(s, SAR_PART_ROAD), 1);
  find_part(s, SAR_PART_ROAD, "hill", NULL);
  int walls = 0;
  for (int i = 0; i < s->count; i++) {
    const SarPart* p = &s->part[i];
    if (p->kind != SAR_PART_PLANE || m3_col_z(p->X_BS.R).y < 0.5) continue;
    EXPECT_NEAR(p->X_BS.p.y, 0.5, 1e-15);
    walls++;
  }
  assert_int_equal(walls, 1);
  sar_scene_free(s);
  sar_model_free(m);
}

// What bodies look like is not what they do: a saved state of the one serves the other.
static void shapes_do_not_change_the_fingerprint(void** state) {
  (void)state;
  const char* const look[] = {"box: [1, 2, 3]", "rod: [[0, 0, 0], [1, 0, 0]]", ""};
  SarData* first = NULL;
  SarModel* model[3];
  for (int i = 0; i < 3; i++) {
    char text[300];
    snprintf(text, sizeof text,
             "bodies:\n  a:\n    mass: 1\n    inertia: [1, 1, 1]\n    com: [0, 0, 0]\n    %s\n",
             look[i]);
    model[i] = model_text(text);
    SarData* d;
    EXPECT_OK(sar_data_new(model[i], &d, NULL));
    char path[] = "/tmp/sarrus-scene-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    if (i == 0) {
      first = d;
    } else {
      EXPECT_OK(sar_data_save(first, path, NULL));
      EXPECT_OK(sar_data_load(d, path, NULL));
      sar_data_free(d);
    }
    remove(path);
  }
  sar_data_free(first);
  for (int i = 0; i < 3; i++) sar_model_free(model[i]);
}

static void a_scene_survives_any_lack_of_memory(void** state) {
  (void)state;
  const char* const names[] = {"iltis.yaml", "iftomm_a03_andrews.yaml", "arch.yaml"};
  for (int i = 0; i < 3; i++) {
    SarModel* m = model_file(names[i], NULL);
    for (long n = 1;; n++) {
      SarScene* s;
      alloc_count_reset();
      alloc_fail_at(n);
      const SarStatus st = sar_scene_new(m, &s);
      const bool failed = alloc_has_failed();
      alloc_fail_at(0);
      if (failed) {
        assert_int_equal(st, SAR_NO_MEMORY);
        assert_null(s);
        assert_int_equal(alloc_count_live(), 0);
        continue;
      }
      EXPECT_OK(st);
      sar_scene_free(s);
      assert_int_equal(alloc_count_live(), 0);
      break;
    }
    sar_model_free(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(coils_keep_their_windings),
      cmocka_unit_test(a_coil_without_length_is_finite),
      cmocka_unit_test(the_box_of_an_inertia_is_the_box_it_came_from),
      cmocka_unit_test(every_example_is_to_be_seen),
      cmocka_unit_test(random_models_are_to_be_seen),
      cmocka_unit_test(shapes_are_kept_with_and_without_contact),
      cmocka_unit_test(elements_end_where_they_are_hooked_in),
      cmocka_unit_test(ground_that_is_rolled_on_is_seen),
      cmocka_unit_test(shapes_do_not_change_the_fingerprint),
      cmocka_unit_test(a_scene_survives_any_lack_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
