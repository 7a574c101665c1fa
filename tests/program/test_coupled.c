// Files that couple models, as scripts see them: results of `run` and `rt`, messages, texts changed
// at random.
#include "support/program.h"
#include "support/random.h"

#define FOLDER SARRUS_SOURCE_DIR "/examples/coupled/"
#define QUIET " --scheduler none --policy catch-up --behind 1e6 "

// A file for each simulator, with the same numbers from one thread and from several.
static void run_and_rt_write_the_same(void** state) {
  (void)state;
  static const struct {
    const char *file, *end, *parts[2];
    double frames[2];
  } cases[] = {{"cart_and_swing.yaml", "0.3", {"cart", "swing"}, {300, 600}},
               {"helicopter.yaml", "0.1", {"airframe", "tail"}, {50, 200}}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char line[400];
    snprintf(line, sizeof line, "run " FOLDER "%s --end %s --digits 17 -o @one.csv --json",
             cases[i].file, cases[i].end);
    const Result* r = expect_status_of(sarrus(line), 0);
    const double energy = json_value(r->out, "coupling_energy", 0);
    snprintf(line, sizeof line, "rt " FOLDER "%s --end %s -o @many.csv --json" QUIET, cases[i].file,
             cases[i].end);
    r = expect_status_of(sarrus(line), 0);
    assert_true(json_value(r->out, "coupling_energy", 0) == energy);
    for (int k = 0; k < 2; k++) {
      char one[60], many[60];
      assert_true(json_value(r->out, "frames", k) == cases[i].frames[k]);
      assert_true(json_value(r->out, "allocations", k) == 0);
      assert_true(json_value(r->out, "record_dropped", k) == 0);
      snprintf(one, sizeof one, "one.%s.csv", cases[i].parts[k]);
      snprintf(many, sizeof many, "many.%s.csv", cases[i].parts[k]);
      SarTable a = read_table(one), b = read_table(many);
      assert_int_equal(a.rows, cases[i].frames[k] + 1);
      assert_int_equal(a.rows, b.rows);
      assert_int_equal(a.columns, b.columns);
      assert_memory_equal(a.values, b.values, a.rows * (size_t)a.columns * sizeof(double));
      sar_table_clear(&a);
      sar_table_clear(&b);
    }
  }
}

// ---- what is wrong ------------------------------------------------------------------------------

static void put_file(const char* name, const char* text, size_t size) {
  char path[200];
  snprintf(path, sizeof path, "%s/%s", program_folder, name);
  FILE* f = fopen(path, "wb");
  assert_non_null(f);
  assert_int_equal(fwrite(text, 1, size, f), size);
  fclose(f);
}

static void mistakes_are_told_with_their_place(void** state) {
  (void)state;
  static const struct {
    const char *wrong, *words;
  } cases[] = {
      {"  rate: 100\n  rats: 2\n", "no key 'rats' (did you mean 'rate'?)"},
      {"  rate: 0\n", "expected a number > 0"},
      {"  rate: 100\n  simulators: {a: {model: " FOLDER "cart.yaml}}\n", "two simulators or more"},
      {"  rate: 100\n  simulators: {a: {model: " FOLDER "cart.yaml}, b: {model: nothing.yaml}}\n",
       "nothing.yaml"},
      {"  rate: 100\n  simulators: {a: {model: " FOLDER "cart.yaml}, b: {model: " FOLDER
       "swing.yaml, rate: 150}}\n",
       "not a whole multiple of 100 Hz"},
      {"  rate: 100\n  simulators: {a: {model: " FOLDER "cart.yaml}, b: {model: " FOLDER
       "swing.yaml}}\n  exchange: {a.pul: b.mount.fx}\n",
       "simulator 'a' has no input 'pul' (did you mean 'pull'?)"},
      {"  rate: 100\n  simulators: {a: {model: " FOLDER "cart.yaml}, b: {model: " FOLDER
       "swing.yaml}}\n  exchange: {a.pull: b.mount.f}\n",
       "simulator 'b' has no output 'mount.f'"},
      {"  rate: 100\n  simulators: {a: {model: " FOLDER "cart.yaml}, b: {model: " FOLDER
       "swing.yaml}}\n  exchange: {a.pull: {from: b.mount.fx, extrapolate: cubic}}\n",
       "expected hold or linear"},
      {"  rate: 100\n  simulators: {a: {model: " FOLDER "cart.yaml}, b: {model: " FOLDER
       "swing.yaml}}\n  exchange: {b.cart_*: a.slide.*, b.cart_q: a.slide.q}\n",
       "is given twice"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[1000];
    const int n = snprintf(text, sizeof text, "sarrus: 1\ncouple:\n%s", cases[i].wrong);
    put_file("wrong.yaml", text, (size_t)n);
    const Result* r = expect_status_of(sarrus("run @wrong.yaml"), 3);
    expect_has(r->err, cases[i].words);
    expect_has(r->err, "wrong.yaml:");
  }
}

// A library's user may give any file.
static void other_files_couple_nothing(void** state) {
  (void)state;
  static const char* const texts[] = {"sarrus: 1\nx-couple: {rate: 1}\n", "sarrus: 1\n", "{}\n"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    char path[200], text[600];
    SarError err;
    SarCouple* c = NULL;
    sar_error_init(&err);
    put_file("other.yaml", texts[i], strlen(texts[i]));
    snprintf(path, sizeof path, "%s/other.yaml", program_folder);
    assert_int_equal(sar_couple_load(path, NULL, &c, &err), SAR_BAD_MODEL);
    assert_null(c);
    expect_has(sar_error_format(&err, err.count - 1, text, sizeof text), "couples nothing");
  }
}

static void options_of_one_model_are_refused(void** state) {
  (void)state;
  const Result* r = expect_status_of(sarrus("run " FOLDER "cart_and_swing.yaml --step 1e-3"), 2);
  expect_has(r->err, "--step is not for coupled models");
  expect_status_of(sarrus("rt " FOLDER "cart_and_swing.yaml --rehearse"), 2);
  expect_status_of(sarrus("rt " FOLDER "cart_and_swing.yaml --policy degrade --scheduler none"), 2);
  r = expect_status_of(sarrus("info " FOLDER "cart_and_swing.yaml"), 3);
  expect_has(r->err, "couples several models");
}

// A simulator that fails ends the others, with its name and exit status 4.
static void failures_name_the_simulator(void** state) {
  (void)state;
  const char text[] =
      "sarrus: 1\ncouple:\n  rate: 100\n  end: 5\n  simulators:\n    cart: {model: " FOLDER
      "cart.yaml, set: {M: 0.05}}\n    swing: {model: " FOLDER
      "swing.yaml}\n  exchange: {swing.cart_*: cart.slide.*, swing.sent: cart.time, cart.pull: "
      "swing.mount.fx}\n";
  put_file("unstable.yaml", text, sizeof text - 1);
  const Result* r = expect_status_of(sarrus("run @unstable.yaml"), 4);
  expect_has(r->err, "simulator '");
  r = expect_status_of(sarrus("rt @unstable.yaml" QUIET), 4);
  expect_has(r->err, "simulator '");
}

// Whatever becomes of the text, it is read or refused.
static void changed_texts_do_no_harm(void** state) {
  (void)state;
  static char first[4096];
  Rng r = rng_seed(test_seed(141));
  char path[200];
  read_all(FOLDER "cart_and_swing.yaml", first, sizeof first);
  // models by their whole path, for the text is elsewhere now
  char text[8192] = "";
  for (char* line = strtok(first, "\n"); line; line = strtok(NULL, "\n")) {
    char* model = strstr(line, "{model: ");
    if (model) {
      strncat(text, line, (size_t)(model - line) + 8);
      strcat(text, FOLDER);
      strcat(text, model + 8);
    } else {
      strcat(text, line);
    }
    strcat(text, "\n");
  }
  const size_t size = strlen(text);
  snprintf(path, sizeof path, "%s/changed.yaml", program_folder);
  int read = 0;
  for (int i = 0; i < test_effort(300); i++) {
    static char copy[8192];
    memcpy(copy, text, size);
    for (int k = i == 0 ? 0 : 1 + rng_int(&r, 3); k > 0; k--)
      copy[rng_int(&r, (int)size)] = "\n {}[]:,*.-0159aexz\"'#"[rng_int(&r, 22)];
    put_file("changed.yaml", copy, size);
    SarError err;
    SarCouple* c = NULL;
    SarCoupleOptions o = sar_couple_options();
    sar_error_init(&err);
    o.end = 0.002;
    SarStatus st = sar_couple_load(path, NULL, &c, &err);
    if (st != SAR_OK) assert_true(c == NULL && err.errors > 0);
    if (st == SAR_OK && sar_couple_open(c, &o, &err) == SAR_OK) sar_couple_run(c, &err);
    read += st == SAR_OK;
    sar_couple_free(c);
  }
  print_message("%d of them were read\n", read);
  assert_true(read > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(run_and_rt_write_the_same),
      cmocka_unit_test(mistakes_are_told_with_their_place),
      cmocka_unit_test(other_files_couple_nothing),
      cmocka_unit_test(options_of_one_model_are_refused),
      cmocka_unit_test(failures_name_the_simulator),
      cmocka_unit_test(changed_texts_do_no_harm),
  };
  return cmocka_run_group_tests(tests, program_begin, program_end);
}
