// repeat: what is repeated is the model that is written out, number by number and name by name.
#include "support/test.h"

#include "model/fingerprint.h"
#include "support/random.h"

#include <stdarg.h>
#include <stdlib.h>

#define FOLDER SARRUS_SOURCE_DIR "/tests/models/repeat/"

static SarError err;

// ---- texts ---------------------------------------------------------------------------------

typedef struct Page {
  char text[1 << 18];
  size_t used;
} Page;

static void say(Page* p, const char* format, ...) {
  va_list args;
  va_start(args, format);
  p->used += (size_t)vsnprintf(p->text + p->used, sizeof p->text - p->used, format, args);
  va_end(args);
  assert_true(p->used < sizeof p->text);
}

static SarModel* parsed(const char* text, const SarLoadOptions* o) {
  char line[1200];
  SarModel* m = NULL;
  sar_error_init(&err);
  if (sar_model_parse(text, strlen(text), "yaml", "m.yaml", o, &m, &err) != SAR_OK)
    print_message("%s\n", sar_error_format(&err, 0, line, sizeof line));
  return m;
}

static SarModel* loaded(const char* path, const SarLoadOptions* o) {
  char line[1200];
  SarModel* m = NULL;
  sar_error_init(&err);
  if (sar_model_load(path, o, &m, &err) != SAR_OK)
    fail_msg("%s", sar_error_format(&err, 0, line, sizeof line));
  return m;
}

// Same motion, and the same columns.
static void expect_same(SarModel* a, SarModel* b) {
  assert_non_null(a);
  assert_non_null(b);
  assert_int_equal(a->nbody, b->nbody);
  assert_true(sar_model_fingerprint(a) == sar_model_fingerprint(b));
  assert_int_equal(sar_model_count(a, SAR_ITEM_OUTPUT), sar_model_count(b, SAR_ITEM_OUTPUT));
  for (int i = 0; i < sar_model_count(a, SAR_ITEM_OUTPUT); i++)
    assert_string_equal(sar_model_name(a, SAR_ITEM_OUTPUT, i),
                        sar_model_name(b, SAR_ITEM_OUTPUT, i));
  sar_model_free(a);
  sar_model_free(b);
}

static void expect_equal(const char* repeated, const char* written) {
  SarModel* a = parsed(repeated, NULL);
  expect_same(a, parsed(written, NULL));
}

// ---- examples ------------------------------------------------------------------------------

static void examples_are_what_they_were_written_out(void** state) {
  (void)state;
  static const char* const names[] = {"chain",   "stack",       "dominoes",
                                      "pyramid", "fourbar_row", "arch"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char path[512];
    snprintf(path, sizeof path, SARRUS_SOURCE_DIR "/examples/%s.yaml", names[i]);
    SarModel* a = loaded(path, NULL);
    snprintf(path, sizeof path, FOLDER "%s.yaml", names[i]);
    expect_same(a, loaded(path, NULL));
  }
}

static int lines_of(const char* path) {
  FILE* f = fopen(path, "r");
  int lines = 0;
  assert_non_null(f);
  for (int c; (c = getc(f)) != EOF;) lines += c == '\n';
  fclose(f);
  return lines;
}

static void long_chain(Page* p) {
  say(p, "sarrus: 1\nparameters: {L: 0.1}\nbodies:\n");
  for (int i = 1; i <= 100; i++)
    say(p,
        "  link%d: {at: [%g*L, 0, 0], box: [L, L/4, L/4], mass: 0.5, points: {tip: [L/2, 0, 0]}}\n",
        i, i - 0.5);
  say(p, "joints:\n  hinge1: {revolute: [ground, link1], at: [0, 0, 0], axis: y, damping: 0.01}\n");
  for (int i = 2; i <= 100; i++)
    say(p, "  hinge%d: {revolute: [link%d, link%d], at: [%d*L, 0, 0], axis: y, damping: 0.01}\n", i,
        i - 1, i, i - 1);
  say(p, "outputs: [energy, {point: link100.tip}]\n");
}

static void long_row(Page* p) {
  say(p, "sarrus: 1\nplanar: xy\ngravity: [0, -9.81, 0]\nbodies:\n");
  for (int i = 0; i <= 40; i++)
    say(p, "  crank%d: {rod: [[%d, 0, 0], [%d, 1, 0]], mass: 1}\n", i, i, i);
  for (int i = 1; i <= 40; i++)
    say(p, "  coupler%d: {rod: [[%d, 1, 0], [%d, 1, 0]], mass: 1}\n", i, i - 1, i);
  say(p, "joints:\n");
  for (int i = 0; i <= 40; i++)
    say(p, "  A%d: {revolute: [ground, crank%d], at: [%d, 0, 0], axis: z, speed: -1}\n", i, i, i);
  for (int i = 1; i <= 40; i++)
    say(p, "  B%d: {revolute: [crank%d, coupler%d], at: [%d, 1, 0], axis: z, speed: 1}\n", i, i - 1,
        i, i - 1);
  for (int i = 1; i <= 40; i++)
    say(p, "  C%d: {revolute: [crank%d, coupler%d], at: [%d, 1, 0], axis: z, speed: 1}\n", i, i, i,
        i);
  say(p, "outputs: [{joint: A0}, {joint: A40}, energy]\n");
}

static void long_pyramid(Page* p) {
  say(p, "sarrus: 1\nparameters: {a: 0.1, gap: 1.1*a}\nbodies:\n");
  for (int r = 1; r <= 20; r++)
    for (int k = 1; k <= 21 - r; k++)
      say(p, "  box%d_%d: {at: [%g*gap, 0, %g*a], box: [a, a, a], mass: 1, contact: true}\n", r, k,
          k - 1 - (20 - r) / 2.0, r - 0.5);
  say(p, "ground: {contact: {plane: z}}\n");
}

static void a_hundred_links_forty_bays_and_210_boxes_take_15_lines(void** state) {
  (void)state;
  static const struct {
    const char* path;
    void (*write)(Page*);
    int bodies;
  } cases[] = {{FOLDER "chain100.yaml", long_chain, 100},
               {FOLDER "row40.yaml", long_row, 81},
               {FOLDER "pyramid210.yaml", long_pyramid, 210}};
  Page* page = malloc(sizeof *page);
  assert_non_null(page);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    page->used = 0;
    cases[i].write(page);
    SarModel* a = loaded(cases[i].path, NULL);
    assert_int_equal(a->nbody, cases[i].bodies);
    assert_in_range(lines_of(cases[i].path), 1, 15);
    expect_same(a, parsed(page->text, NULL));
  }
  free(page);
}

// ---- everything that can be repeated -------------------------------------------------------

static void every_section_and_list_can_be_repeated(void** state) {
  (void)state;
  expect_equal(
      "sarrus: 1\nparameters: {n: 2}\n"
      "inputs: {u$i: {repeat: {n: n}, each: 3*i}}\n"
      "variables: {w$i: {repeat: {n: n}, each: 'u$i + i*t'}}\n"
      "points: {p$i: {repeat: {n: n}, each: [i, 0, 0]}, q$i: {repeat: {n: n}, at: [i, 1, 0]}}\n"
      "tables: {T$i: {repeat: {n: n}, each: [[0, i], [1, 2*i]]}}\n"
      "bodies:\n"
      "  b$i: {repeat: {n: n}, mass: i, contact: rough$i,\n"
      "        shapes: [{repeat: {n: i, as: k}, box: [1, k, i]}],\n"
      "        points: {e$k: {repeat: {n: 2, as: k}, each: [i, k, 0]}}}\n"
      "forces:\n"
      "  f$i: {repeat: {n: n}, spring_damper: [b$(i).e1, ground.p$i], stiffness: 10*i}\n"
      "  g$i: {repeat: {n: n}, force: b$i, value: ['w$i*b$(3-i).x', 0, 'table(t, T$i)']}\n"
      "joints: {h$i: {repeat: {n: n}, revolute: [ground, b$i], at: ground.q$i, from: i}}\n"
      "constraints: {c$i: {repeat: {n: n}, coordinate: b$i, axis: x, value: i*t}}\n"
      "contact: {materials: {rough$i: {repeat: {n: n}, friction: i/10}},\n"
      "          pairs: [{repeat: {n: n}, materials: [rough$i, default], friction: i/5}],\n"
      "          ignore: [{repeat: {n: n}, each: [b$i, ground]}]}\n"
      "outputs: [{repeat: {n: n}, body: b$i}, {repeat: {n: n}, value: '2*b$(i).x', name: d$i}]\n",
      "sarrus: 1\n"
      "inputs: {u1: 3, u2: 6}\nvariables: {w1: u1 + 1*t, w2: u2 + 2*t}\n"
      "points: {p1: [1, 0, 0], p2: [2, 0, 0], q1: [1, 1, 0], q2: [2, 1, 0]}\n"
      "tables: {T1: [[0, 1], [1, 2]], T2: [[0, 2], [1, 4]]}\n"
      "bodies:\n"
      "  b1: {mass: 1, contact: rough1, shapes: [{box: [1, 1, 1]}], points: {e1: [1, 1, 0], e2: "
      "[1, 2, 0]}}\n"
      "  b2: {mass: 2, contact: rough2, shapes: [{box: [1, 1, 2]}, {box: [1, 2, 2]}],\n"
      "       points: {e1: [2, 1, 0], e2: [2, 2, 0]}}\n"
      "forces:\n"
      "  f1: {spring_damper: [b1.e1, ground.p1], stiffness: 10}\n"
      "  f2: {spring_damper: [b2.e1, ground.p2], stiffness: 20}\n"
      "  g1: {force: b1, value: [w1*b2.x, 0, 'table(t, T1)']}\n"
      "  g2: {force: b2, value: [w2*b1.x, 0, 'table(t, T2)']}\n"
      "joints: {h1: {revolute: [ground, b1], at: ground.q1, from: 1},\n"
      "         h2: {revolute: [ground, b2], at: ground.q2, from: 2}}\n"
      "constraints: {c1: {coordinate: b1, axis: x, value: t}, c2: {coordinate: b2, axis: x, value: "
      "2*t}}\n"
      "contact: {materials: {rough1: {friction: 0.1}, rough2: {friction: 0.2}},\n"
      "          pairs: [{materials: [rough1, default], friction: 0.2},\n"
      "                  {materials: [rough2, default], friction: 0.4}],\n"
      "          ignore: [[b1, ground], [b2, ground]]}\n"
      "outputs: [{body: b1}, {body: b2}, {value: 2*b1.x, name: d1}, {value: 2*b2.x, name: d2}]\n");
}

// A branch that no copy takes need not hold: hinge0 is in none.
static void ends_and_choices(void** state) {
  (void)state;
  expect_equal(
      "sarrus: 1\nparts:\n"
      "- repeat: {n: 3, ends: {a0: ground, a4: a1}}\n"
      "  bodies: {a$i: {sphere: 1, mass: 1}}\n"
      "  joints: {h$i: {revolute: [a$(i-1), a$i], force: 'i > 1 ? -h$(i-1).q : 5'}}\n"
      "  forces: {s$i: {spring_damper: [a$i, a$(i+1)], stiffness: 1}}\n",
      "sarrus: 1\n"
      "bodies: {a1: {sphere: 1, mass: 1}, a2: {sphere: 1, mass: 1}, a3: {sphere: 1, mass: 1}}\n"
      "joints: {h1: {revolute: [ground, a1], force: 5}, h2: {revolute: [a1, a2], force: -h1.q},\n"
      "         h3: {revolute: [a2, a3], force: -h2.q}}\n"
      "forces: {s1: {spring_damper: [a1, a2], stiffness: 1}, s2: {spring_damper: [a2, a3], "
      "stiffness: 1},\n"
      "         s3: {spring_damper: [a3, a1], stiffness: 1}}\n");
}

static void no_copies_and_parts_within_parts(void** state) {
  (void)state;
  expect_equal(
      "sarrus: 1\nbodies: {b: {sphere: 1, mass: 1}, c$i: {repeat: {n: 0}, mass: 1}}\n"
      "parts:\n- repeat: {n: 2, as: r}\n  parts:\n  - repeat: {n: r, as: k, from: -r}\n"
      "    bodies: {d$(r)_$(k + 5): {at: [r, k, 0], sphere: 1, mass: 1}}\n",
      "sarrus: 1\nbodies: {b: {sphere: 1, mass: 1}, d1_4: {at: [1, -1, 0], sphere: 1, mass: 1},\n"
      "  d2_3: {at: [2, -2, 0], sphere: 1, mass: 1}, d2_4: {at: [2, -1, 0], sphere: 1, mass: "
      "1}}\n");
}

// Counts follow parameters: those of the host program before those of the including file before
// one's own.
static void counts_follow_parameters(void** state) {
  (void)state;
  static const char part[] =
      "sarrus: 1\nparameters: {n: 1 + 1, m: n}\n"
      "bodies: {b$i: {repeat: {n: m}, at: [i, 0, 0], sphere: 0.1, mass: 1}}\n";
  const char main[] =
      "sarrus: 1\nparameters: {k: 3}\n"
      "include: [{file: part.yaml, prefix: a_},\n"
      "  {repeat: {n: 2}, file: part.yaml, prefix: c$(i)_, parameters: {n: k + i}}]\n";
  SarTextFile files[] = {{.name = "part.yaml", .text = part, .size = sizeof part - 1}};
  SarParameter set[] = {{.name = "c2_n", .value = 7}, {.name = "k", .value = 10}};
  SarLoadOptions o = {.files = files, .file_count = 1};
  SarModel* m = parsed(main, &o);
  assert_non_null(m);
  assert_int_equal(m->nbody, 2 + 4 + 5);
  sar_model_free(m);
  o.parameters = set, o.parameter_count = 2;
  m = parsed(main, &o);
  assert_non_null(m);
  assert_int_equal(m->nbody, 2 + 11 + 7);
  assert_true(sar_model_find(m, SAR_ITEM_BODY, "c1_b11") >= 0);
  sar_model_free(m);
}

// Random forests: chains of random length that hang on earlier ones, in loops within loops.
static void random_forests(void** state) {
  (void)state;
  Page *a = malloc(sizeof *a), *b = malloc(sizeof *b);
  assert_true(a && b);
  for (int trial = 0; trial < test_effort(200); trial++) {
    Rng g = rng_seed(test_seed(11) + (uint64_t)trial);
    const int n = 1 + rng_int(&g, 6), slope = rng_int(&g, 3), from = rng_int(&g, 5) - 2;
    const int base = 1 + rng_int(&g, 4);
    a->used = b->used = 0;
    say(a,
        "sarrus: 1\nparameters: {n: %d, s: %d, L: 0.3}\nparts:\n"
        "- repeat: [{n: n, as: r, from: %d}, {n: s*(r - %d) + %d, as: k}]\n"
        "  bodies: {b$(r - %d)_$k: {at: [r*L, k/3, r - k^2], box: [1, k, L], mass: 1 + (r - "
        "%d)/7}}\n"
        "  joints: {j$(r - %d)_$k: {revolute: [b$(r - %d)_$(k-1), b$(r - %d)_$k], axis: y}}\n",
        n, slope, from, from, base, from, from, from, from, from);
    say(b, "sarrus: 1\nparameters: {L: 0.3}\nbodies:\n");
    for (int r = 0; r < n; r++) {
      say(b, "  b%d_0: {sphere: 1, mass: 1}\n", r);
      for (int k = 1; k <= slope * r + base; k++)
        say(b, "  b%d_%d: {at: [%d*L, %d/3, %d], box: [1, %d, L], mass: 1 + %d/7}\n", r, k,
            r + from, k, r + from - k * k, k, r);
    }
    say(a, "bodies: {b$(r)_0: {repeat: {n: n, as: r, from: 0}, sphere: 1, mass: 1}}\n");
    say(b, "joints:\n");
    for (int r = 0; r < n; r++)
      for (int k = 1; k <= slope * r + base; k++)
        say(b, "  j%d_%d: {revolute: [b%d_%d, b%d_%d], axis: y}\n", r, k, r, k - 1, r, k);
    expect_equal(a->text, b->text);
  }
  free(a), free(b);
}

// ---- bounds and messages -------------------------------------------------------------------

static void expect_refused(const char* text, const char* message) {
  SarModel* m = NULL;
  char line[1200];
  sar_error_init(&err);
  EXPECT_STATUS(sar_model_parse(text, strlen(text), "yaml", "m.yaml", NULL, &m, &err),
                SAR_BAD_MODEL);
  assert_null(m);
  sar_error_format(&err, 0, line, sizeof line);
  if (!strstr(line, message)) fail_msg("'%s' does not say '%s'", line, message);
}

static void too_many_copies_are_refused(void** state) {
  (void)state;
  static const char room[] = "a model has room for 50000 copies";
  expect_refused("sarrus: 1\nbodies: {b$i: {repeat: {n: 1e9}, mass: 1}}\n", room);
  expect_refused("sarrus: 1\nbodies: {b$i: {repeat: {n: 1e300}, mass: 1}}\n",
                 "expected a whole number");
  expect_refused("sarrus: 1\nbodies: {b$i: {repeat: {n: inf}, mass: 1}}\n",
                 "expected a whole number");
  expect_refused(
      "sarrus: 1\nbodies: {b$(i)_$(k): {repeat: [{n: 40000}, {n: 40000, as: k}], mass: 1}}\n",
      room);
  expect_refused(
      "sarrus: 1\nparts:\n- repeat: {n: 300}\n  parts:\n  - repeat: {n: 300, as: j}\n"
      "    bodies: {b$(i)_$(j): {mass: 1}}\n",
      room);
}

// Every message about a copy says which, those of the compiler and of the assembly too.
static void messages_name_the_copy(void** state) {
  (void)state;
  char line[1200];
  expect_refused("sarrus: 1\nbodies:\n  b$i: {repeat: {n: 9}, sphere: 1, mas: 1}\n",
                 "m.yaml:3:36: error: body 'b1': no key 'mas' (copy i = 1 and 8 others)");
  assert_int_equal(err.count, 1);
  expect_refused("sarrus: 1\nbodies:\n  b$i: {repeat: {n: 9}, sphere: 1, mass: 7 - i}\n",
                 "m.yaml:3:42: error: body 'b8': mass must not be negative, but is -1 (copy i = 8 "
                 "and 1 other)");
  expect_refused(
      "sarrus: 1\nbodies:\n  b$(i)_$k: {repeat: [{n: 2}, {n: 2, as: k}], at: [i, k, z], mass: 1}\n",
      "(copy i = 1, k = 1 and 3 others)");
  // open by 1 m in the copy 7 only
  SarModel* m = parsed(
      "sarrus: 1\nparts:\n- repeat: {n: 9}\n  bodies: {a$i: {box: [1, 1, 1], mass: 1, at: [i, 0, "
      "0]}}\n"
      "  joints: {h$i: {prismatic: [ground, a$i], axis: x}}\n"
      "  constraints:\n    c$i: {coordinate: a$i, axis: y, value: 'i == 7 ? t : 0'}\n",
      NULL);
  if (m) {
    SarData* d = NULL;
    SarSim* s = NULL;
    EXPECT_OK(sar_data_new(m, &d, &err));
    sar_error_init(&err);
    assert_int_not_equal(sar_sim_new(m, d, NULL, &s, &err), SAR_OK);
    sar_sim_free(s), sar_data_free(d), sar_model_free(m);
  }
  sar_error_format(&err, 0, line, sizeof line);
  if (!strstr(line, "m.yaml:7:") || !strstr(line, "copy i = 7")) fail_msg("%s", line);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(examples_are_what_they_were_written_out),
      cmocka_unit_test(a_hundred_links_forty_bays_and_210_boxes_take_15_lines),
      cmocka_unit_test(every_section_and_list_can_be_repeated),
      cmocka_unit_test(ends_and_choices),
      cmocka_unit_test(no_copies_and_parts_within_parts),
      cmocka_unit_test(counts_follow_parameters),
      cmocka_unit_test(random_forests),
      cmocka_unit_test(too_many_copies_are_refused),
      cmocka_unit_test(messages_name_the_copy),
  };
  return cmocka_run_group_tests_name("yaml_repeat", tests, NULL, NULL);
}
