// The sparse tangent of natural coordinates, and the order of its unknowns.
#include "dynamics/constraints.h"
#include "formulations/natural/system.h"
#include "linalg/profile.h"
#include "support/model_file.h"
#include "support/random_model.h"

#include <stdlib.h>

enum { MOST = 512 };

typedef struct World {
  SarModel* m;
  SarData* d;
  SarNatural* p;
  SarNatSystem s;
  double acc[MOST], scratch[MOST];
  V3 x[MOST], v[MOST], a[MOST], f[MOST];
} World;

static void open_world(World* w, SarModel* m) {
  SarError err;
  sar_error_init(&err);
  w->m = m;
  EXPECT_OK_OR(sar_data_new(m, &w->d, &err), &err);
  EXPECT_OK_OR(sar_natural_new(m, &w->p, &err), &err);
  EXPECT_OK(sar_natural_system_init(&w->s, w->p));
  assert_in_range(w->p->nitem, 1, MOST - 1);
  assert_in_range(w->p->nrow, 1, MOST - 1);
  memset(w->acc, 0, sizeof w->acc);
  memset(w->f, 0, sizeof w->f);
}

static void close_world(World* w) {
  sar_natural_free(w->p);
  sar_data_free(w->d);
  sar_model_free(w->m);
}

// T x = M x + Phi_z' w Phi_z x, made row by row, comes back as x.
static void solves_what_it_was_made_of(void** state) {
  (void)state;
  static const char* const files[] = {"reference/A_double_fourbar.yaml", "reference/H_bricard.yaml",
                                      "reference/B_fortyfold_fourbar.yaml"};
  for (int i = 0; i < 3; i++) {
    World w;
    Rng r = rng_seed((uint64_t)i);
    double y[MOST];
    open_world(&w, model_file(files[i], NULL));
    sar_natural_read(w.p, w.d, w.acc, w.scratch, w.x, w.v, w.a);
    sar_natural_constraints(w.p, w.d, w.x);
    const SarNatGains gains = {1, 0, 100};
    EXPECT_OK(sar_natural_system_factor(&w.s, w.p, w.d, &gains));
    for (int k = 0; k < w.p->nitem; k++) {
      w.a[k] = rng_v3(&r, -1, 1);
      if (w.p->dim == 2) w.a[k].z = 0;
    }
    sar_natural_multiply(w.p, w.a, y);
    for (int k = 0; k < w.p->nrow; k++) y[k] *= w.s.weight[k];
    sar_natural_add_inertia(w.p, w.a, w.f);
    sar_natural_add_transposed(w.p, y, w.f);
    sar_natural_system_solve(&w.s, w.p, w.f);
    // condition number: weight 100 against masses of 0.1
    for (int k = 0; k < w.p->nitem; k++) {
      EXPECT_NEAR(w.f[k].x, w.a[k].x, 1e-10);
      EXPECT_NEAR(w.f[k].y, w.a[k].y, 1e-10);
      EXPECT_NEAR(w.f[k].z, w.a[k].z, 1e-10);
    }
    close_world(&w);
  }
}

// Motors: v_i = J_i z' for every coordinate of every joint, and T holds armature J_i' J_i.
static void motors_count_as_inertia(void** state) {
  (void)state;
  static ModelText t;
  World w;
  Rng r = rng_seed(3);
  model_random(&t, &r, 20);
  open_world(&w, model_text(strstr(t.text, "name:")));
  for (int i = 0; i < w.m->nv; i++) w.d->v[i] = rng_uniform(&r, -1, 1);
  sar_natural_read(w.p, w.d, w.acc, w.scratch, w.x, w.v, w.a);
  double near[MOST];
  memcpy(near, w.d->q, (size_t)w.m->nq * sizeof *near);
  sar_natural_write(w.p, w.d, near, w.x, w.v);
  sar_update_kinematics(w.m, w.d);
  sar_update_forces(w.m, w.d);
  sar_natural_constraints(w.p, w.d, w.x);
  const SarNatGains gains = {0, 0, 1};  // neither forces nor constraints
  EXPECT_OK(sar_natural_system_factor(&w.s, w.p, w.d, &gains));
  sar_natural_add_inertia(w.p, w.v, w.f);
  for (int i = 0; i < w.m->nv; i++) {
    const int joint = w.m->dof_body[i];
    double tau[SAR_JOINT_MAX_NV] = {0}, rate = 0;
    int item[SAR_NAT_ITEMS];
    V3 f[SAR_NAT_ITEMS];
    tau[i - w.m->joint_vadr[joint]] = 1;
    const int n = sar_natural_joint_row(w.p, w.d, joint, tau, item, f);
    for (int k = 0; k < n; k++) rate += v3_dot(f[k], w.v[item[k]]);
    EXPECT_NEAR(rate, w.d->v[i], 1e-12);
    for (int k = 0; k < n; k++)
      w.f[item[k]] = v3_axpy(w.m->dof_armature[i] * rate, f[k], w.f[item[k]]);
  }
  sar_natural_system_solve(&w.s, w.p, w.f);
  for (int k = 0; k < w.p->nitem; k++)
    EXPECT_NEAR(v3_norm(v3_sub(w.f[k], w.v[k])), 0, 1e-9);  // condition number 1e5
  close_world(&w);
}

// A ring whose unknowns are numbered at random gets rows of three entries, whatever its length.
static void order_finds_the_chain_in_a_ring(void** state) {
  (void)state;
  enum { N = 200 };
  int name[N], adr[N + 1], member[2 * N], place[N], width = 0;
  SarArena scratch;
  Rng r = rng_seed(1);
  for (int i = 0; i < N; i++) name[i] = i;
  for (int i = N - 1; i > 0; i--) {
    const int j = rng_int(&r, i + 1), k = name[i];
    name[i] = name[j], name[j] = k;
  }
  for (int i = 0; i < N; i++) {
    adr[i] = 2 * i;
    member[2 * i] = name[i], member[2 * i + 1] = name[(i + 1) % N];
  }
  adr[N] = 2 * N;
  sar_arena_init(&scratch);
  const SarGroups g = {N, N, adr, member};
  assert_true(sar_profile_order(&g, &scratch, place));
  sar_arena_free(&scratch);
  int seen[N] = {0};
  for (int i = 0; i < N; i++) seen[place[i]]++;
  for (int i = 0; i < N; i++) assert_int_equal(seen[i], 1);
  for (int i = 0; i < N; i++) {
    const int apart = abs(place[member[2 * i]] - place[member[2 * i + 1]]);
    width = apart > width ? apart : width;
  }
  assert_in_range(width, 1, 2);  // both ways round at once: neighbours are two apart
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solves_what_it_was_made_of),
      cmocka_unit_test(motors_count_as_inertia),
      cmocka_unit_test(order_finds_the_chain_in_a_ring),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
