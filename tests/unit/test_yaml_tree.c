// YAML tree: scalars stay text, places are right, aliases are shared, and no text is too strange.
#include "support/alloc_count.h"
#include "support/arena_fixture.h"

#include "io/yaml_tree.h"

#include <stdlib.h>

enum { PLENTY = 100000 };

static SarError err;

static SarStatus tree_of(const char* text, size_t n, int max_nodes, const YamlNode** root) {
  sar_error_init(&err);
  return sar_yaml_tree(&arena, &arena, text, n, "m.yaml", max_nodes, root, &err);
}

static const YamlNode* good(const char* text) {
  const YamlNode* root = NULL;
  EXPECT_OK_OR(tree_of(text, strlen(text), PLENTY, &root), &err);
  assert_int_equal(err.count, 0);
  return root;
}

// Reads a text with one mistake and checks the whole message.
static void bad(const char* text, const char* message) {
  const YamlNode* root = NULL;
  char is[1024];
  tree_of(text, strlen(text), PLENTY, &root);
  assert_int_equal(err.count, 1);
  assert_string_equal(sar_error_format(&err, 0, is, sizeof is), message);
}

static const YamlNode* get(const YamlNode* map, const char* key) {
  assert_int_equal(map->kind, YAML_MAP);
  for (int i = 0; i < map->count; i++)
    if (strcmp(map->pairs[i].key->text, key) == 0) return map->pairs[i].value;
  fail_msg("no key '%s'", key);
  return NULL;
}

static void check_text(const YamlNode* n, const char* text, int line, int column) {
  assert_int_equal(n->kind, YAML_TEXT);
  assert_string_equal(n->text, text);
  assert_int_equal(n->loc.line, line);
  assert_int_equal(n->loc.column, column);
  assert_string_equal(n->loc.file, "m.yaml");
}

static void places_are_those_of_the_text(void** state) {
  (void)state;
  const YamlNode* root = good("a: 1\nb:\n  - x\n  - {c: 'two', d: [3, \"4\"]}\n");
  check_text(get(root, "a"), "1", 1, 4);
  const YamlNode* b = get(root, "b");
  assert_int_equal(b->kind, YAML_LIST);
  check_text(b->items[0], "x", 3, 5);
  check_text(get(b->items[1], "c"), "two", 4, 10);  // after the quote
  check_text(get(b->items[1], "d")->items[1], "4", 4, 24);
  assert_true(get(b->items[1], "c")->quoted);
}

static void words_of_old_yaml_are_text(void** state) {
  (void)state;
  const char* words[] = {"no", "yes", "on", "off", "y", "1:30", "0777", "1_000", "2001-01-01"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    char text[64];
    snprintf(text, sizeof text, "k: %s", words[i]);
    check_text(get(good(text), "k"), words[i], 1, 4);
    assert_false(sar_yaml_is_null(get(good(text), "k")));
  }
}

static void nothing_is_null(void** state) {
  (void)state;
  const YamlNode* root = good("a:\nb: ~\nc: null\nd: ''\ne: 'null'\nf: nul\n");
  assert_true(sar_yaml_is_null(get(root, "a")));
  assert_true(sar_yaml_is_null(get(root, "b")));
  assert_true(sar_yaml_is_null(get(root, "c")));
  assert_false(sar_yaml_is_null(get(root, "d")));
  assert_false(sar_yaml_is_null(get(root, "e")));
  assert_false(sar_yaml_is_null(get(root, "f")));
}

static void json_is_yaml(void** state) {
  (void)state;
  const YamlNode* root = good("{\n\t\"a\":[1,2.5e-3,true],\n\t\"b\\u0041\":\"x\\/y\"\n}\n");
  check_text(get(root, "a")->items[1], "2.5e-3", 2, 9);
  assert_string_equal(get(root, "bA")->text, "x/y");
}

static void empty_text_has_no_root(void** state) {
  (void)state;
  assert_null(good(""));
  assert_null(good("# only a comment\n"));
  assert_true(sar_yaml_is_null(good("---\n...\n")));
}

static void aliases_share_their_node(void** state) {
  (void)state;
  const YamlNode* root = good("a: &steel {density: 7850}\nb: *steel\nc: [*steel, *steel]\n");
  assert_ptr_equal(get(root, "a"), get(root, "b"));
  assert_ptr_equal(get(root, "c")->items[1], get(root, "a"));
  // root, 3 keys, 3 times a mapping of 3 nodes and once more, and a list
  assert_int_equal(root->size, 1 + 3 + 4 * 3 + 1);
}

static void merge_keys_give_way(void** state) {
  (void)state;
  const YamlNode* root = good(
      "x: &x {a: 1, b: 2}\ny: &y {b: 3, c: 4}\n"
      "m: {b: 0, <<: *x}\nn: {<<: [*x, *y]}\n'<<': plain\n");
  assert_string_equal(get(get(root, "m"), "b")->text, "0");
  assert_string_equal(get(get(root, "m"), "a")->text, "1");
  assert_int_equal(get(root, "m")->count, 2);
  assert_string_equal(get(get(root, "n"), "b")->text, "2");  // the first of several wins
  assert_int_equal(get(root, "n")->count, 3);
  assert_string_equal(get(root, "<<")->text, "plain");
}

static void mistakes_have_their_message(void** state) {
  (void)state;
  bad("a: 1\nb: 2\na: 3\n",
      "m.yaml:3:1: error: the key 'a' was already given in line 1 (each key may stand once)");
  bad("a: b: c\n",
      "m.yaml:1:5: error: broken YAML: mapping values are not allowed in this context (a text with "
      "': ' in it must be in quotes)");
  bad("a:\n\tb: 1\n",
      "m.yaml:2:1: error: broken YAML: found character that cannot start any token (indent with "
      "spaces, not with tabs)");
  bad("a: {b: 1\nc: 2\n",
      "m.yaml:2:2: error: broken YAML: did not find expected ',' or '}', while parsing a flow "
      "mapping that begins in line 1 (a ',' or the closing '}' is missing before this)");
  bad("a: [0, - L]\n",
      "m.yaml:1:8: error: broken YAML: did not find expected node content ('- ' begins a list "
      "item: write -L, not - L)");
  bad("a: 'x\n",
      "m.yaml:2:1: error: broken YAML: found unexpected end of stream, while scanning a quoted "
      "scalar that begins in line 1 (a quote that was opened is never closed)");
  bad("a: *k\n",
      "m.yaml:1:4: error: no anchor '&k' for the alias '*k' (a product cannot begin with '*'; an "
      "alias needs '&NAME' before it)");
  bad("a: &k [1, *k]\n", "m.yaml:1:11: error: the alias '*k' stands inside what it stands for");
  bad("a: !foo 1\n",
      "m.yaml:1:4: error: model files have no tags, found '!foo' (put a text that begins with '!' "
      "in quotes)");
  bad("a: 1\n---\nb: 1\n",
      "m.yaml:2:1: error: a second document begins here (one model a file; see 'include')");
  bad("? [a]\n: 1\n", "m.yaml:1:3: error: a key must be a text, found a list");
  bad("a: \"x\\0y\"\n", "m.yaml:1:4: error: a text must not hold the character NUL");
  bad("<<: 3\n",
      "m.yaml:1:5: error: '<<' expects a mapping or a list of mappings, found a text (as in <<: "
      "*defaults)");
  bad("a: 1\nb: \xff\n",
      "m.yaml:2:4: error: broken YAML: invalid leading UTF-8 octet (a model file is text in "
      "UTF-8)");
}

static void commas_in_expressions_get_one_message(void** state) {
  (void)state;
  bad("a: {law: max(0, x - min(1, 2)), b: 3}\n",
      "m.yaml:1:10: error: an expression with a comma must be in quotes here, 'max(0,' is cut off "
      "(as in {law: \"max(0, x)\"})");
  const YamlNode* root = NULL;
  const char* text = "a: [1, max(0, x), 3]\nb: max(0, x)\n";
  tree_of(text, strlen(text), PLENTY, &root);
  assert_int_equal(err.count, 1);
  // the pieces are one item again, and one that nobody complains about twice
  assert_int_equal(get(root, "a")->count, 3);
  assert_true(get(root, "a")->items[1]->reported);
  check_text(get(root, "b"), "max(0, x)", 2, 4);
}

static void depth_is_bounded(void** state) {
  (void)state;
  enum { DEEP = 50000 };
  const YamlNode* root = NULL;
  char* text = malloc(DEEP);
  memset(text, '[', DEEP);
  EXPECT_STATUS(tree_of(text, DEEP, PLENTY, &root), SAR_BAD_MODEL);
  assert_int_equal(err.count, 1);
  assert_non_null(strstr(err.items[0].text, "deeper than 64"));
  free(text);
}

// Nine levels of nine aliases stand for 9^9 nodes: refused before anyone walks them.
static void alias_bombs_are_refused(void** state) {
  (void)state;
  char text[2000] = "a0: &a0 x\n";
  for (int i = 1; i < 10; i++) {
    char line[128];
    snprintf(line, sizeof line, "a%d: &a%d [", i, i);
    strcat(text, line);
    for (int k = 0; k < 9; k++) {
      snprintf(line, sizeof line, "%s*a%d", k ? ", " : "", i - 1);
      strcat(text, line);
    }
    strcat(text, "]\n");
  }
  const YamlNode* root = NULL;
  EXPECT_STATUS(tree_of(text, strlen(text), PLENTY, &root), SAR_BAD_MODEL);
  assert_int_equal(err.count, 1);
  assert_non_null(strstr(err.items[0].text, "more than 100000 values"));
}

static void the_nth_allocation_may_fail(void** state) {
  (void)state;
  const char* text =
      "a: &x {b: [1, 2, 3], c: 'four'}\nd: {<<: *x, e: 5}\nf: [*x, 6]\nlong: \"a text\"\n";
  for (int n = 1;; n++) {
    SarArena a;
    const YamlNode* root = NULL;
    sar_arena_init(&a);
    sar_error_init(&err);
    alloc_count_reset();
    alloc_fail_at(n);
    SarStatus st = sar_yaml_tree(&a, &a, text, strlen(text), "m.yaml", PLENTY, &root, &err);
    bool failed = alloc_has_failed();
    alloc_fail_at(0);
    sar_arena_free(&a);
    assert_int_equal(alloc_count_live(), 0);
    assert_int_equal(st, failed ? SAR_NO_MEMORY : SAR_OK);
    assert_int_equal(err.count, 0);
    if (!failed) break;
  }
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, arena_setup, arena_teardown)
  const struct CMUnitTest tests[] = {
      T(places_are_those_of_the_text),
      T(words_of_old_yaml_are_text),
      T(nothing_is_null),
      T(json_is_yaml),
      T(empty_text_has_no_root),
      T(aliases_share_their_node),
      T(merge_keys_give_way),
      T(mistakes_have_their_message),
      T(commas_in_expressions_get_one_message),
      T(depth_is_bounded),
      T(alias_bombs_are_refused),
      T(the_nth_allocation_may_fail),
  };
  return cmocka_run_group_tests_name("yaml tree", tests, NULL, NULL);
}
