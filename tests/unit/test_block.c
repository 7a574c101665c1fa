// Blocks of memory: counting and pointing agree, pieces are on cache lines and do not overlap.
#include "support/test.h"

#include "base/alloc.h"
#include "base/block.h"

typedef struct Things {
  double* x;
  int* order;
  char* text;
  struct Pair {
    double a;
    int b;
  } * pair;
  void* other;
} Things;

static void lay_out(Things* p, const int n[4], size_t bytes, SarBlock* b) {
  SAR_PIECE(b, p->x, n[0]);
  SAR_PIECE(b, p->order, n[1]);
  SAR_PIECE(b, p->text, n[2]);
  SAR_PIECE(b, p->pair, n[3]);
  p->other = SAR_BYTES(b, bytes);
}

static void counting_and_pointing_agree(void** state) {
  (void)state;
  Rng r = rng_seed(11);
  for (int trial = 0; trial < 200; trial++) {
    const int n[4] = {rng_int(&r, 40), rng_int(&r, 40), rng_int(&r, 200), rng_int(&r, 9)};
    const size_t bytes = (size_t)rng_int(&r, 300);
    Things counted;
    SarBlock b = sar_block(NULL, sizeof counted);
    lay_out(&counted, n, bytes, &b);
    const size_t total = b.used;
    assert_null(counted.x);
    assert_null(counted.other);
    Things* p = sar_alloc(total);
    assert_non_null(p);
    b = sar_block(p, sizeof *p);
    lay_out(p, n, bytes, &b);
    assert_int_equal(b.used, total);
    const size_t size[] = {(size_t)n[0] * sizeof *p->x, (size_t)n[1] * sizeof *p->order,
                           (size_t)n[2], (size_t)n[3] * sizeof *p->pair, bytes};
    const void* piece[] = {p->x, p->order, p->text, p->pair, p->other};
    const unsigned char* end = (const unsigned char*)p + sizeof *p;
    for (int i = 0; i < 5; i++) {
      const unsigned char* at = piece[i];
      assert_int_equal((size_t)at % SAR_CACHE_LINE, 0);
      assert_true(at >= end);
      end = at + size[i];
    }
    assert_true(end <= (const unsigned char*)p + total);
    sar_free(p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(counting_and_pointing_agree)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
