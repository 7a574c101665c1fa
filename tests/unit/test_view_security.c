// Who may look: tokens, hosts, origins, rates.
#include "support/test.h"

#include "view/security.h"

static void tokens_differ_and_are_known(void** state) {
  (void)state;
  char a[SAR_TOKEN_TEXT], b[SAR_TOKEN_TEXT];
  for (int i = 0; i < 200; i++) {
    assert_true(sar_token_make(a));
    assert_true(sar_token_make(b));
    assert_int_equal(strlen(a), SAR_TOKEN_TEXT - 1);
    assert_int_equal(strspn(a, "0123456789abcdef"), SAR_TOKEN_TEXT - 1);
    assert_string_not_equal(a, b);
    assert_true(sar_token_is(a, a));
    assert_false(sar_token_is(b, a));
  }
  assert_false(sar_token_is(NULL, a));
  assert_false(sar_token_is("", a));
  for (int i = 0; i < SAR_TOKEN_TEXT - 1; i++) {
    strcpy(b, a);
    b[i] = b[i] == '0' ? '1' : '0';
    assert_false(sar_token_is(b, a));
    b[i] = '\0';
    assert_false(sar_token_is(b, a));
  }
}

static void only_our_hosts(void** state) {
  (void)state;
  const SarHosts local = {.bind = "127.0.0.1", .name = "box", .port = 8080};
  const SarHosts any = {.bind = "0.0.0.0", .name = "box", .port = 8080};
  const SarHosts one = {.bind = "192.168.1.5", .name = "box", .port = 8080};
  const SarHosts six = {.bind = "fe80::1", .name = "box", .port = 8080};
  static const char* const OURS[] = {"127.0.0.1:8080", "localhost:8080", "LocalHost:8080",
                                     "[::1]:8080"};
  static const char* const NOT[] = {"127.0.0.1",
                                    "127.0.0.1:80",
                                    "127.0.0.1:80800",
                                    "evil.example:8080",
                                    "localhost.evil.example:8080",
                                    "127.0.0.1.evil.example:8080",
                                    "",
                                    ":8080",
                                    "[::1",
                                    "[::1]",
                                    "localhost:8080:8080",
                                    "localhost@evil:8080",
                                    "127.0.0.1:8080 ",
                                    "127.0.0.1:8080/",
                                    "1.2.3.4:8080",
                                    "box:8080"};
  for (size_t i = 0; i < sizeof OURS / sizeof *OURS; i++) {
    assert_true(sar_host_is_ours(&local, OURS[i]));
    assert_true(sar_host_is_ours(&any, OURS[i]));
  }
  for (size_t i = 0; i < sizeof NOT / sizeof *NOT; i++)
    if (sar_host_is_ours(&local, NOT[i])) fail_msg("taken: %s", NOT[i]);
  assert_false(sar_host_is_ours(&local, NULL));
  assert_true(sar_host_is_ours(&any, "1.2.3.4:8080"));
  assert_true(sar_host_is_ours(&any, "[2001:db8::7]:8080"));
  assert_true(sar_host_is_ours(&any, "box:8080"));
  assert_false(sar_host_is_ours(&any, "evil.example:8080"));
  assert_true(sar_host_is_ours(&one, "192.168.1.5:8080"));
  assert_false(sar_host_is_ours(&one, "192.168.1.6:8080"));
  assert_true(sar_host_is_ours(&six, "[fe80::1]:8080"));
}

static void only_our_origins(void** state) {
  (void)state;
  const char* host = "127.0.0.1:8080";
  assert_true(sar_origin_is_ours(NULL, host));
  assert_true(sar_origin_is_ours("http://127.0.0.1:8080", host));
  static const char* const NOT[] = {"null",
                                    "",
                                    "http://evil.example",
                                    "https://127.0.0.1:8080",
                                    "http://127.0.0.1:8081",
                                    "http://127.0.0.1:8080.evil.example",
                                    "file://",
                                    "http://localhost:8080"};
  for (size_t i = 0; i < sizeof NOT / sizeof *NOT; i++)
    if (sar_origin_is_ours(NOT[i], host)) fail_msg("taken: %s", NOT[i]);
  assert_false(sar_origin_is_ours("http://127.0.0.1:8080", NULL));
}

static void local_addresses(void** state) {
  (void)state;
  assert_true(sar_is_local("127.0.0.1") && sar_is_local("::1") && sar_is_local("::ffff:127.0.0.1"));
  assert_false(sar_is_local("192.168.1.5") || sar_is_local("1127.0.0.1") ||
               sar_is_local("fe80::1"));
}

static void rates_are_kept(void** state) {
  (void)state;
  SarBucket b = sar_bucket(10, 5, 0);
  int taken = 0;
  for (int i = 0; i < 1000; i++) taken += sar_bucket_take(&b, i * 1e-2);
  assert_in_range(taken, 5 + 99, 5 + 101);
  assert_true(sar_bucket_take(&b, 100));
  // a clock that goes back gives nothing
  for (int i = 0; i < 10; i++) sar_bucket_take(&b, 50);
  assert_false(sar_bucket_take(&b, 50));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tokens_differ_and_are_known), cmocka_unit_test(only_our_hosts),
      cmocka_unit_test(only_our_origins), cmocka_unit_test(local_addresses),
      cmocka_unit_test(rates_are_kept)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
