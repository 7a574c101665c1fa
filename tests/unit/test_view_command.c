// Commands of viewers: what is right is read as it stands, whatever is not is refused with a word,
// and no bytes do harm.
#include "support/random.h"
#include "support/test.h"

#include "view/command.h"

#include <stdlib.h>

static bool parse(const char* text, SarCommand* c, char* error, size_t size) {
  // a copy of exactly this length: reading beyond its end is seen by the sanitizer
  const size_t n = strlen(text);
  char* copy = malloc(n + 1);
  assert_non_null(copy);
  memcpy(copy, text, n);
  copy = realloc(copy, n ? n : 1);
  const bool good = sar_command_parse(copy, n, c, error, size);
  free(copy);
  return good;
}

static void commands_are_read(void** state) {
  (void)state;
  SarCommand c;
  char error[200];
  assert_true(parse("{\"type\":\"run\"}", &c, error, sizeof error));
  assert_int_equal(c.kind, SAR_DO_RUN);
  assert_int_equal(c.id, -1);
  assert_true(
      parse(" { \"id\" : 7 , \"type\" : \"step\" , \"count\" : 12 } \n", &c, error, sizeof error));
  assert_int_equal(c.kind, SAR_DO_STEP);
  assert_int_equal(c.id, 7);
  assert_int_equal(c.count, 12);
  assert_true(parse("{\"type\":\"input\",\"name\":\"w\\u00e4rme\\/1\",\"value\":-2.5e-3}", &c,
                    error, sizeof error));
  assert_string_equal(c.name, "w\xc3\xa4rme/1");
  assert_true(c.value == -2.5e-3);
  assert_true(parse("{\"type\":\"pull\",\"body\":3,\"point\":[0,1,2],\"to\":[-1,0.5,1e2]}", &c,
                    error, sizeof error));
  assert_int_equal(c.body, 3);
  assert_true(c.point[2] == 2 && c.to[0] == -1 && c.to[2] == 100);
  assert_true(parse("{\"type\":\"parameter\",\"name\":\"\\ud83d\\ude00\",\"value\":1}", &c, error,
                    sizeof error));
  assert_string_equal(c.name, "\xf0\x9f\x98\x80");
}

static const char* const WRONG[] = {
    "",
    "{",
    "}",
    "[]",
    "null",
    "{}",
    "{\"type\":\"fly\"}",
    "{\"type\":1}",
    "{\"type\":\"run\"}x",
    "{\"type\":\"run\",}",
    "{\"type\":\"run\" \"id\":1}",
    "{\"type\":\"run\",\"type\":\"run\"}",
    "{\"type\":\"run\",\"value\":1}",
    "{\"type\":\"speed\"}",
    "{\"type\":\"speed\",\"value\":\"1\"}",
    "{\"type\":\"speed\",\"value\":1e9}",
    "{\"type\":\"speed\",\"value\":-1}",
    "{\"type\":\"speed\",\"value\":1e999}",
    "{\"type\":\"speed\",\"value\":NaN}",
    "{\"type\":\"speed\",\"value\":01}",
    "{\"type\":\"speed\",\"value\":+1}",
    "{\"type\":\"speed\",\"value\":.5}",
    "{\"type\":\"speed\",\"value\":1.}",
    "{\"type\":\"speed\",\"value\":0x10}",
    "{\"type\":\"step\",\"count\":0}",
    "{\"type\":\"step\",\"count\":1.5}",
    "{\"type\":\"step\",\"count\":100000}",
    "{\"type\":\"run\",\"id\":-1}",
    "{\"type\":\"run\",\"id\":1e99}",
    "{\"type\":\"input\",\"name\":\"a\"}",
    "{\"type\":\"input\",\"value\":1}",
    "{\"type\":\"input\",\"name\":\"a\\u0000b\",\"value\":1}",
    "{\"type\":\"input\",\"name\":\"a\\nb\",\"value\":1}",
    "{\"type\":\"input\",\"name\":\"a\nb\",\"value\":1}",
    "{\"type\":\"input\",\"name\":\"\\ud800\",\"value\":1}",
    "{\"type\":\"input\",\"name\":\"\\udc00\\ud800\",\"value\":1}",
    "{\"type\":\"input\",\"name\":\"\xff\",\"value\":1}",
    "{\"type\":\"input\",\"name\":\"\xc3\",\"value\":1}",
    "{\"type\":\"pull\",\"body\":-1,\"point\":[0,0,0],\"to\":[0,0,0]}",
    "{\"type\":\"pull\",\"body\":0,\"point\":[0,0],\"to\":[0,0,0]}",
    "{\"type\":\"pull\",\"body\":0,\"point\":[0,0,0,0],\"to\":[0,0,0]}",
    "{\"type\":\"pull\",\"body\":0,\"point\":[[0],0,0],\"to\":[0,0,0]}",
    "{\"type\":\"pull\",\"body\":0,\"point\":[0,0,0,],\"to\":[0,0,0]}",
    "{\"type\":{\"type\":\"run\"}}",
    "{'type':'run'}",
    "{type:\"run\"}",
    "{\"type\":\"run\"}{\"type\":\"run\"}"};

static void what_is_wrong_is_refused_with_a_word(void** state) {
  (void)state;
  for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
    SarCommand c;
    char error[200] = "";
    if (parse(WRONG[i], &c, error, sizeof error)) fail_msg("taken: %s", WRONG[i]);
    if (!error[0]) fail_msg("no word about: %s", WRONG[i]);
  }
}

static void long_texts_are_refused(void** state) {
  (void)state;
  SarCommand c;
  char error[200], text[2 * SAR_COMMAND_BYTES];
  snprintf(text, sizeof text, "{\"type\":\"input\",\"value\":1,\"name\":\"%0200d\"}", 0);
  assert_false(parse(text, &c, error, sizeof error));
  memset(text, ' ', sizeof text - 1);
  memcpy(text, "{\"type\":\"run\"}", 14);
  text[SAR_COMMAND_BYTES] = '\0';
  assert_true(parse(text, &c, error, sizeof error));
  text[SAR_COMMAND_BYTES] = ' ';
  text[SAR_COMMAND_BYTES + 1] = '\0';
  assert_false(parse(text, &c, error, sizeof error));
}

// Random changes of right texts: whatever is taken is within its bounds.
static void changed_texts_do_no_harm(void** state) {
  (void)state;
  static const char* const RIGHT[] = {
      "{\"type\":\"pull\",\"id\":3,\"body\":1,\"point\":[0,0.5,1],\"to\":[1e1,-2,3]}",
      "{\"type\":\"input\",\"name\":\"\\u00e4\\\"x\",\"value\":-1.25e+2}",
      "{\"type\":\"step\",\"count\":10}"};
  Rng r = rng_seed(test_seed(11));
  int taken = 0;
  for (int i = 0; i < test_effort(20000); i++) {
    char text[200], error[64];
    SarCommand c;
    snprintf(text, sizeof text, "%s", RIGHT[i % 3]);
    const int n = (int)strlen(text), changes = 1 + (int)(3 * rng_uniform(&r, 0, 1));
    for (int k = 0; k < changes; k++)
      text[(int)(n * rng_uniform(&r, 0, 0.999))] =
          (char)(unsigned char)(1 + 254 * rng_uniform(&r, 0, 1));
    if (!parse(text, &c, error, sizeof error)) continue;
    taken++;
    assert_true(c.kind >= 0 && c.kind < SAR_DO_KINDS);
    assert_true(c.count >= 1 && c.count <= SAR_COMMAND_STEPS && c.body >= 0 && c.id >= -1);
    assert_true(
        isfinite(c.value + c.point[0] + c.point[1] + c.point[2] + c.to[0] + c.to[1] + c.to[2]));
    assert_true(strlen(c.name) < sizeof c.name);
  }
  assert_true(taken > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(commands_are_read), cmocka_unit_test(what_is_wrong_is_refused_with_a_word),
      cmocka_unit_test(long_texts_are_refused), cmocka_unit_test(changed_texts_do_no_harm)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
