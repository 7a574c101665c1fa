// The data block: layout, reset, copy, hash, and memory that runs out.
#include "support/test.h"
#include "support/alloc_count.h"
#include "support/tree_builder.h"

#include "dynamics/tree.h"

typedef struct Case {
  SarModel* m;
  SarData *a, *b;
} Case;

static Case new_case(void) {
  Rng r = rng_seed(5);
  Case c = {tree_random(&r, 20), NULL, NULL};
  EXPECT_OK(sar_data_new(c.m, &c.a, NULL));
  EXPECT_OK(sar_data_new(c.m, &c.b, NULL));
  tree_random_state(&r, c.m, c.a->q, c.a->v, c.a->tau_host);
  return c;
}

static void free_case(Case c) {
  sar_data_free(c.a);
  sar_data_free(c.b);
  sar_model_free(c.m);
}

static void arrays_lie_in_the_block_on_cache_lines(void** state) {
  (void)state;
  Case c = new_case();
  const unsigned char *start = (unsigned char*)c.a, *end = start + c.a->bytes;
#define X(type, field, n, columns, doc)                                    \
  assert_true((unsigned char*)c.a->field >= start + sizeof *c.a);          \
  assert_true((unsigned char*)(c.a->field + (c.m->n) * (columns)) <= end); \
  assert_int_equal((uintptr_t)c.a->field % 64, 0);
  SAR_DATA_ARRAYS(X)
  SAR_DATA_SCRATCH(X)
#undef X
  free_case(c);
}

// a copy runs on like the original, and stays in its own block
static void copy_is_the_same_state_in_another_block(void** state) {
  (void)state;
  Case c = new_case();
  c.a->t = 3;
  assert_true(sar_state_hash(c.a) != sar_state_hash(c.b));
  double* q = c.b->q;
  EXPECT_OK(sar_data_copy(c.b, c.a));
  assert_ptr_equal(c.b->q, q);
  assert_true(sar_state_hash(c.a) == sar_state_hash(c.b));
  EXPECT_OK(sar_forward_dynamics(c.a));
  EXPECT_OK(sar_forward_dynamics(c.b));
  assert_memory_equal(c.a->a, c.b->a, (size_t)c.m->nv * sizeof(double));
  c.b->v[0] += 1;
  assert_true(sar_state_hash(c.a) != sar_state_hash(c.b));
  free_case(c);
}

static void copy_between_models_is_refused(void** state) {
  (void)state;
  Case c = new_case(), other = new_case();
  EXPECT_STATUS(sar_data_copy(c.a, other.a), SAR_BAD_ARGUMENT);
  free_case(c);
  free_case(other);
}

static void reset_goes_back_to_the_start(void** state) {
  (void)state;
  Case c = new_case();
  unsigned long long start = sar_state_hash(c.b);
  c.a->t = 1;
  EXPECT_OK(sar_forward_dynamics(c.a));
  sar_data_reset(c.a);
  assert_true(sar_state_hash(c.a) == start);
  for (int i = 0; i < c.m->nv; i++) EXPECT_NEAR(sar_tau(c.a)[i], 0, 0);
  free_case(c);
}

static void joints_are_set_and_read(void** state) {
  (void)state;
  Case c = new_case();
  for (int j = 0; j < c.m->nbody; j++) {
    double q[SAR_JOINT_MAX_NQ], v[SAR_JOINT_MAX_NV];
    EXPECT_OK(sar_joint_get(c.a, j, q, v));
    EXPECT_OK(sar_joint_set(c.b, j, q, v));
  }
  memcpy(c.b->tau_host, c.a->tau_host, (size_t)c.m->nv * sizeof(double));
  assert_true(sar_state_hash(c.a) == sar_state_hash(c.b));
  EXPECT_STATUS(sar_joint_get(c.a, c.m->nbody, NULL, NULL), SAR_BAD_ARGUMENT);
  EXPECT_STATUS(sar_joint_set(c.a, -1, NULL, NULL), SAR_BAD_ARGUMENT);
  free_case(c);
}

static void without_memory_there_is_a_message(void** state) {
  (void)state;
  SarModel* m = tree_chain(5);
  SarData* d = NULL;
  SarError err;
  sar_error_init(&err);
  alloc_count_reset();
  alloc_fail_at(1);
  EXPECT_STATUS(sar_data_new(m, &d, &err), SAR_NO_MEMORY);
  alloc_fail_at(0);
  assert_null(d);
  assert_int_equal(err.errors, 1);
  sar_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arrays_lie_in_the_block_on_cache_lines),
      cmocka_unit_test(copy_is_the_same_state_in_another_block),
      cmocka_unit_test(copy_between_models_is_refused),
      cmocka_unit_test(reset_goes_back_to_the_start),
      cmocka_unit_test(joints_are_set_and_read),
      cmocka_unit_test(without_memory_there_is_a_message),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
