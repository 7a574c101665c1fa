// Loss, duplicates and order of numbered packets, against a count of what really happened to them;
// and what becomes of inputs between samples.
#include "realtime/io/sequence.h"
#include "support/ports.h"

// A sender numbers packets; the way loses some, doubles some and delays some by a few places.
// Everything is known, so everything can be counted.
static void counts_are_those_of_the_way(void** state) {
  (void)state;
  Rng rng = rng_seed(test_seed(5));
  for (int trial = 0; trial < test_effort(200); trial++) {
    enum { SENT = 2000, DELAY = 20 };
    static int at[SENT][2], bucket[SENT + 2 * DELAY + 2][8], filled[SENT + 2 * DELAY + 2];
    const double loss = rng_uniform(&rng, 0, 0.4), twice = rng_uniform(&rng, 0, 0.2),
                 late = rng_uniform(&rng, 0, 0.3);
    memset(filled, 0, sizeof filled);
    memset(at, 0, sizeof at);
    bool sent[SENT] = {false}, arrived[SENT] = {false};
    for (int i = 0; i < SENT; i++) {
      sent[i] = i == 0 || i == SENT - 1 || rng_uniform(&rng, 0, 1) > loss;
      const int copies = !sent[i] ? 0 : 1 + (rng_uniform(&rng, 0, 1) < twice);
      for (int c = 0; c < copies; c++) {
        const bool delayed = i > 0 && i < SENT - 1 && rng_uniform(&rng, 0, 1) < late;
        const int place = i + (delayed ? 1 + rng_int(&rng, DELAY) : 0);
        const int slot = place < SENT - 1 || i == SENT - 1 ? place : SENT - 2;
        if (filled[slot] < 8) bucket[slot][filled[slot]++] = i;
      }
    }
    SarSequence q = {0};
    SarPortStats s = {0};
    uint64_t used = 0, newest = 0, duplicates = 0, old = 0, lost = 0;
    const uint64_t base = rng_next(&rng);
    bool begun = false;
    for (int slot = 0; slot < SENT; slot++)
      for (int k = 0; k < filled[slot]; k++) {
        const int i = bucket[slot][k];
        const bool fresh = !begun || (uint64_t)i > newest;
        if (arrived[i])
          duplicates++;
        else if (!fresh)
          old++;
        else
          used++, newest = (uint64_t)i;
        assert_int_equal(sar_sequence_note(&q, 9, base + (uint64_t)i, &s), fresh && !arrived[i]);
        arrived[i] = begun = true;
      }
    for (int i = 0; i <= (int)newest; i++) lost += !arrived[i];
    assert_int_equal(s.received, used);
    assert_int_equal(s.duplicated, duplicates);
    assert_int_equal(s.reordered, old);
    assert_int_equal(s.lost, lost);
    assert_int_equal(s.garbage + s.restarts, 0);
  }
}

static void new_session_begins_anew(void** state) {
  (void)state;
  SarSequence q = {0};
  SarPortStats s = {0};
  assert_true(sar_sequence_note(&q, 1, 500, &s));
  assert_true(sar_sequence_note(&q, 1, 501, &s));
  assert_true(sar_sequence_note(&q, 2, 1, &s));
  assert_int_equal(s.restarts, 1);
  assert_int_equal(s.lost, 0);
  assert_false(sar_sequence_note(&q, 1, 502, &s));  // late, of its life before
  assert_int_equal(s.reordered, 1);
  assert_true(sar_sequence_note(&q, 2, 2, &s));
  assert_false(sar_sequence_note(&q, 2, 2 + ((uint64_t)1 << 40), &s));
  assert_int_equal(s.garbage, 1);
  assert_true(sar_sequence_note(&q, 2, 3, &s));  // which has not shut out those after it
  assert_int_equal(s.received, 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts_are_those_of_the_way),
      cmocka_unit_test(new_session_begins_anew),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
