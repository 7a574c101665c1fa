// base: arena, list, text, messages, and the allocation counter that other tests rely on.
#include "support/test.h"
#include "support/alloc_count.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"

static void arena_gives_zeroed_aligned_memory(void** state) {
  (void)state;
  static const unsigned char zeros[3000];
  SarArena a;
  sar_arena_init(&a);
  for (size_t size = 1; size < sizeof zeros; size += 97) {
    unsigned char* p = sar_arena_push(&a, size);
    assert_non_null(p);
    assert_int_equal((uintptr_t)p % 16, 0);
    assert_memory_equal(p, zeros, size);
    memset(p, 0xAB, size);  // a later block that overlapped this one would not be zero
  }
  sar_arena_free(&a);
}

static void arena_takes_few_blocks(void** state) {
  (void)state;
  SarArena a;
  sar_arena_init(&a);
  alloc_count_reset();
  for (int i = 0; i < 100000; i++) assert_non_null(sar_arena_push(&a, 32));
  // 3.2 MB in blocks that double from 8 KiB to 1 MiB: 7 to reach 1 MiB in sum, 3 more of 1 MiB
  assert_in_range(alloc_count(), 1, 12);
  sar_arena_free(&a);
  assert_int_equal(alloc_count_live(), 0);
}

static void arena_stays_failed_after_a_failure(void** state) {
  (void)state;
  SarArena a;
  sar_arena_init(&a);
  alloc_count_reset();
  alloc_fail_at(2);
  assert_non_null(sar_arena_push(&a, 16));
  assert_null(sar_arena_push(&a, 1 << 20));
  assert_true(alloc_has_failed());
  assert_null(sar_arena_push(&a, 16));  // one check at the end of a parse is enough
  assert_true(a.failed);
  sar_arena_free(&a);
  assert_int_equal(alloc_count_live(), 0);
  assert_false(a.failed);
}

static void arena_refuses_absurd_sizes(void** state) {
  (void)state;
  SarArena a;
  sar_arena_init(&a);
  assert_null(sar_arena_push(&a, SIZE_MAX - 8));
  sar_arena_free(&a);
  assert_null(sar_alloc(SIZE_MAX - 8));
}

static void arena_copies_text(void** state) {
  (void)state;
  SarArena a;
  sar_arena_init(&a);
  assert_string_equal(sar_arena_strdup(&a, "elbow"), "elbow");
  assert_string_equal(sar_arena_strndup(&a, "elbow", 3), "elb");
  assert_string_equal(sar_arena_printf(&a, "%s.%c%d", "elbow", 'q', 12), "elbow.q12");
  sar_arena_free(&a);
}

static void list_grows_and_keeps_its_items(void** state) {
  (void)state;
  SarArena a;
  sar_arena_init(&a);
  SAR_LIST(int) list = {0};
  for (int i = 0; i < 1000; i++) {
    int* slot = SAR_LIST_ADD(&a, &list);
    assert_non_null(slot);
    assert_int_equal(*slot, 0);
    *slot = i;
  }
  assert_int_equal(list.count, 1000);
  for (int i = 0; i < 1000; i++) assert_int_equal(list.items[i], i);
  sar_arena_free(&a);
}

static void nearest_name_is_found(void** state) {
  (void)state;
  const char* names[] = {"revolute", "prismatic", "spherical", NULL, "fixed"};
  assert_string_equal(sar_text_nearest("revolut", names, 5), "revolute");
  assert_string_equal(sar_text_nearest("rveolute", names, 5), "revolute");  // neighbours swapped
  assert_string_equal(sar_text_nearest("sperical", names, 5), "spherical");
  assert_null(sar_text_nearest("quaternion", names, 5));
  assert_null(sar_text_nearest("", names, 5));
  char hint[64];
  assert_string_equal(sar_text_suggest(hint, sizeof hint, "fixd", names, 5),
                      "did you mean 'fixed'?");
  assert_string_equal(sar_text_suggest(hint, sizeof hint, "nothing", names, 5), "");
  assert_string_equal(sar_text_offer(hint, sizeof hint, "fixd", names, 3),
                      "expected revolute, prismatic, spherical");
  assert_string_equal(sar_text_offer(hint, 30, "x", names, 3), "expected revolute, ...");
  assert_string_equal(sar_text_offer(hint, sizeof hint, "revolut", names, 3),
                      "did you mean 'revolute'?");
  assert_string_equal(sar_text_offer(hint, sizeof hint, "x", names, 0), "");
}

static void names_are_ordered_as_people_count(void** state) {
  (void)state;
  const char* ordered[] = {"a", "a1", "a01b", "a2", "a10", "a10b", "b", "link2", "link10"};
  const int n = sizeof ordered / sizeof *ordered;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      int c = sar_text_compare_natural(ordered[i], ordered[j]);
      assert_int_equal((c > 0) - (c < 0), (i > j) - (i < j));
    }
}

static void numbers_are_read_whole(void** state) {
  (void)state;
  double x = 0;
  assert_true(sar_text_to_double("-1.5e-3", 7, &x));
  assert_true(x == -1.5e-3);  // the nearest double, exactly
  assert_true(sar_text_to_double("2.5kg", 3, &x));
  assert_true(x == 2.5);
  const char* bad[] = {"", " 1", "1 ", "1.5x", "--1", "1,5"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    if (sar_text_to_double(bad[i], strlen(bad[i]), &x)) fail_msg("'%s' was read as %g", bad[i], x);
}

static void messages_have_place_and_hint(void** state) {
  (void)state;
  SarError err;
  char text[512];
  sar_error_init(&err);
  sar_report(&err, (SarLoc){"arm.yaml", 12, 7}, "did you mean 'forearm'?",
             "joint '%s': no body '%s'", "elbow", "forarm");
  sar_warn(&err, (SarLoc){"arm.yaml", 0, 0}, "", "odd");
  sar_report(&err, (SarLoc){NULL, 0, 0}, NULL, "bare");
  assert_int_equal(err.count, 3);
  assert_int_equal(err.errors, 2);
  assert_string_equal(
      sar_error_format(&err, 0, text, sizeof text),
      "arm.yaml:12:7: error: joint 'elbow': no body 'forarm' (did you mean 'forearm'?)");
  assert_string_equal(sar_error_format(&err, 1, text, sizeof text), "arm.yaml: warning: odd");
  assert_string_equal(sar_error_format(&err, 2, text, sizeof text), "error: bare");
  assert_string_equal(sar_error_format(&err, 3, text, sizeof text), "");
  assert_string_equal(sar_error_format(&err, 2, text, 6), "error");
}

static void messages_beyond_the_last_are_counted(void** state) {
  (void)state;
  SarError err;
  sar_error_init(&err);
  for (int i = 0; i < SAR_MAX_DIAGS + 5; i++)
    sar_report(&err, (SarLoc){"f", i + 1, 1}, "", "number %d", i);
  assert_int_equal(err.count, SAR_MAX_DIAGS);
  assert_int_equal(err.dropped, 5);
  assert_int_equal(err.errors, SAR_MAX_DIAGS + 5);
  sar_report(NULL, (SarLoc){"f", 1, 1}, "", "nobody listens");  // a caller may not care
}

static void every_status_has_its_text(void** state) {
  (void)state;
  for (int i = SAR_OK; i <= SAR_NOT_CLOSED; i++) {
    assert_string_not_equal(sar_status_text((SarStatus)i), "unknown status");
    for (int j = SAR_OK; j < i; j++)
      assert_string_not_equal(sar_status_text((SarStatus)i), sar_status_text((SarStatus)j));
  }
}

static void allocation_counter_counts(void** state) {
  (void)state;
  alloc_count_reset();
  void* p = sar_alloc(100);
  assert_int_equal((uintptr_t)p % 64, 0);
  assert_int_equal(alloc_count(), 1);
  assert_int_equal(alloc_count_live(), 1);
  sar_free(p);
  sar_free(NULL);
  assert_int_equal(alloc_count_live(), 0);
  alloc_fail_at(2);
  p = sar_alloc(1);
  assert_non_null(p);
  assert_null(sar_alloc(1));
  assert_true(alloc_has_failed());
  sar_free(p);
  p = sar_alloc(1);  // only that one failed
  assert_non_null(p);
  sar_free(p);
  assert_int_equal(alloc_count(), 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arena_gives_zeroed_aligned_memory),
      cmocka_unit_test(arena_takes_few_blocks),
      cmocka_unit_test(arena_stays_failed_after_a_failure),
      cmocka_unit_test(arena_refuses_absurd_sizes),
      cmocka_unit_test(arena_copies_text),
      cmocka_unit_test(list_grows_and_keeps_its_items),
      cmocka_unit_test(nearest_name_is_found),
      cmocka_unit_test(names_are_ordered_as_people_count),
      cmocka_unit_test(numbers_are_read_whole),
      cmocka_unit_test(messages_have_place_and_hint),
      cmocka_unit_test(messages_beyond_the_last_are_counted),
      cmocka_unit_test(every_status_has_its_text),
      cmocka_unit_test(allocation_counter_counts),
  };
  return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
