// The tests' own tools: random numbers that are what they claim, the counter preloaded into a
// program.
#include "support/test.h"

#include <stdlib.h>
#include <sys/wait.h>

// mean and variance of n uniform numbers: 1/2 +- 1/sqrt(12 n), 1/12; bounds of five standard
// deviations
static void uniform_numbers_fill_their_interval(void** state) {
  (void)state;
  enum { N = 100000 };
  Rng r = rng_seed(1);
  double sum = 0, squares = 0;
  for (int i = 0; i < N; i++) {
    double u = rng_uniform(&r, 0, 1);
    assert_true(u >= 0 && u < 1);
    sum += u;
    squares += (u - 0.5) * (u - 0.5);
  }
  EXPECT_NEAR(sum / N, 0.5, 5 / sqrt(12.0 * N));
  EXPECT_NEAR(squares / N, 1 / 12.0, 5 * sqrt(1 / 180.0 / N));
}

static void normal_numbers_have_mean_0_and_variance_1(void** state) {
  (void)state;
  enum { N = 100000 };
  Rng r = rng_seed(2);
  double sum = 0, squares = 0;
  for (int i = 0; i < N; i++) {
    double x = rng_normal(&r);
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / N, 0, 5 / sqrt((double)N));
  EXPECT_NEAR(squares / N, 1, 5 * sqrt(2.0 / N));
}

static void integers_hit_every_value_evenly(void** state) {
  (void)state;
  enum { N = 70000, SIDES = 7 };
  Rng r = rng_seed(3);
  int hits[SIDES] = {0};
  for (int i = 0; i < N; i++) hits[rng_int(&r, SIDES)]++;
  for (int k = 0; k < SIDES; k++) EXPECT_NEAR(hits[k], N / SIDES, 5 * sqrt((double)N / SIDES));
}

static void equal_seeds_give_equal_numbers(void** state) {
  (void)state;
  Rng a = rng_seed(4), b = rng_seed(4), c = rng_seed(5);
  int differ = 0;
  for (int i = 0; i < 100; i++) {
    uint32_t x = rng_next(&a);
    assert_int_equal(x, rng_next(&b));
    differ += x != rng_next(&c);
  }
  assert_true(differ > 90);
}

#ifndef SARRUS_TEST_SANITIZED
// "COUNT REFUSED" of a shell command run under the preloaded counter
static void run_preloaded(const char* command, int fail_at, long* count, int* refused) {
  const char* report = SARRUS_BINARY_DIR "/alloc-report";
  char line[1024];
  remove(report);
  snprintf(
      line, sizeof line,
      "LD_PRELOAD=" SARRUS_BINARY_DIR
      "/tests/libsarrus_alloc.so SARRUS_ALLOC_FAIL=%d SARRUS_ALLOC_REPORT=%s %s >/dev/null 2>&1",
      fail_at, report, command);
  int status = system(line);
  assert_true(WIFEXITED(status));
  FILE* file = fopen(report, "r");
  assert_non_null(file);
  assert_int_equal(fscanf(file, "%ld %d", count, refused), 2);
  fclose(file);
}

static void preloaded_counter_sees_the_whole_program(void** state) {
  (void)state;
  long count = 0;
  int refused = 1;
  run_preloaded("/bin/ls /", 0, &count, &refused);
  assert_true(count > 5);  // ls keeps its directory entries and names on the heap
  assert_int_equal(refused, 0);
  run_preloaded("/bin/ls /", 3, &count, &refused);
  assert_int_equal(refused, 1);
}
#endif

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(uniform_numbers_fill_their_interval),
      cmocka_unit_test(normal_numbers_have_mean_0_and_variance_1),
      cmocka_unit_test(integers_hit_every_value_evenly),
      cmocka_unit_test(equal_seeds_give_equal_numbers),
#ifndef SARRUS_TEST_SANITIZED
      cmocka_unit_test(preloaded_counter_sees_the_whole_program),
#endif
  };
  return cmocka_run_group_tests_name("support", tests, NULL, NULL);
}
