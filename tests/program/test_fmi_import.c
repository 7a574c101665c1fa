// FMUs of others as blocks of a model (--fmu): what they give is what they give alone, a run that
// goes back finds the state it belongs to, and archives or descriptions that are broken or lie get
// a message and nothing else.
#include "support/fmu.h"

#include <math.h>
#include <zip.h>

// ---- blocks -------------------------------------------------------------------------------------

// The column of the block is that of a run of its own, bit for bit, in both versions.
static void a_block_is_what_it_is_alone(void** state) {
  (void)state;
  write_file("block.yaml",
             "sarrus: 1\nbodies: {a: {mass: 1, inertia: [0.1, 0.1, 0.1]}}\n"
             "joints: {j: {revolute: [ground, a], axis: y, force: u}}\n"
             "signals:\n  u: {call: [t], function: p, states: 1, period: 0.01, outputs: 2}\n"
             "outputs: [{joint: j}, {value: u, name: u}, {value: u.out2, name: w}]\n"
             "simulation: {end: 1, output_step: 0.01}\n");
  expect_status_of(sarrus("run examples/pendulum.yaml --end 1 --output-step 0.01 --digits 17 -q "
                          "-o @alone.csv"),
                   0);
  SarTable alone = read_table("alone.csv");
  for (int version = 2; version <= 3; version++) {
    char arguments[300];
    snprintf(arguments, sizeof arguments, "export examples/pendulum.yaml --fmi %d -o @p.fmu",
             version);
    expect_status_of(sarrus(arguments), 0);
    expect_status_of(sarrus("run @block.yaml --fmu p=@p.fmu::hinge.q,hinge.v --digits 17 -q "
                            "-o @block.csv"),
                     0);
    SarTable t = read_table("block.csv");
    assert_int_equal(sar_table_rows(&t), sar_table_rows(&alone));
    const int u = sar_table_find(&t, "u"), w = sar_table_find(&t, "w");
    const int q = sar_table_find(&alone, "hinge.q"), v = sar_table_find(&alone, "hinge.v");
    for (size_t k = 0; k < sar_table_rows(&t); k++) {
      const double* row = &sar_table_values(&t)[k * (size_t)sar_table_columns(&t)];
      const double* wanted = &sar_table_values(&alone)[k * (size_t)sar_table_columns(&alone)];
      assert_true(row[u] == wanted[q] && row[w] == wanted[v]);
    }
    sar_table_clear(&t);
  }
  sar_table_clear(&alone);
}

static void print_line(void* context, const char* text) { snprintf(context, 400, "%s", text); }

static SarImported* open_fmu(const char* name, char* said) {
  char path[300];
  SarError err;
  SarImported* fmu;
  sar_error_init(&err);
  snprintf(path, sizeof path, "%s/%s", program_folder, name);
  EXPECT_OK_OR(sar_import_open(path, print_line, said, &fmu, &err), &err);
  return fmu;
}

// A loop of a mass and an FMU that pushes it: copies go on alike from the middle, also after the
// original has gone on, resets begin anew, and two runs by turns do not meet.
static void runs_go_back_and_find_their_state(void** state) {
  (void)state;
  static char said[400];
  expect_status_of(sarrus("export tests/models/fmi_input.yaml -o @m.fmu"), 0);
  SarImported* fmu = open_fmu("m.fmu", said);
  SarError err;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_import_choose(fmu, "push", "slide.q,slide.v", &err), &err);
  assert_int_equal(sar_import_choose(fmu, "pull", "", &err), SAR_BAD_ARGUMENT);
  const SarUserFunction f = sar_import_function(fmu, "plant");
  assert_int_equal(f.inputs, 1);
  assert_int_equal(f.outputs, 2);
  static const char text[] =
      "sarrus: 1\nbodies: {a: {mass: 1, inertia: [0.1, 0.1, 0.1]}}\n"
      "joints: {j: {prismatic: [ground, a], axis: x, stiffness: 30, position: 0.1, force: x}}\n"
      "signals:\n  x: {call: [3*j.q], function: plant, states: 1, period: 0.01, outputs: 2}\n"
      "outputs: [{joint: j}, {value: x, name: x}]\n";
  const SarLoadOptions o = {.functions = &f, .function_count = 1};
  SarModel* m;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_model_parse(text, sizeof text - 1, "yaml", "loop", &o, &m, &err), &err);
  SarData *a, *b, *kept;
  SarSim *s, *r;
  sar_data_new(m, &a, NULL);
  sar_data_new(m, &b, NULL);
  sar_data_new(m, &kept, NULL);
  EXPECT_OK_OR(sar_sim_new(m, a, NULL, &s, &err), &err);
  EXPECT_OK_OR(sar_sim_new(m, b, NULL, &r, &err), &err);
  // two by turns
  for (int k = 1; k <= 20; k++) {
    assert_int_equal(sar_advance(s, k * 0.013), SAR_OK);
    assert_int_equal(sar_advance(r, k * 0.013), SAR_OK);
  }
  assert_true(sar_get_q(a)[0] == sar_get_q(b)[0] && sar_get_v(a)[0] == sar_get_v(b)[0]);
  assert_true(fabs(sar_get_q(a)[0]) > 1e-3);
  // back to the middle, several times
  assert_int_equal(sar_data_copy(kept, a), SAR_OK);
  assert_int_equal(sar_advance(s, 0.4), SAR_OK);
  const double q = sar_get_q(a)[0];
  for (int k = 0; k < 3; k++) {
    assert_int_equal(sar_data_copy(a, kept), SAR_OK);
    assert_int_equal(sar_advance(s, 0.4), SAR_OK);
    assert_true(sar_get_q(a)[0] == q);
  }
  // farther back than states are kept: the run ends, with a reason
  assert_int_equal(sar_advance(s, 2), SAR_OK);
  assert_int_equal(sar_data_copy(a, kept), SAR_OK);
  assert_int_not_equal(sar_advance(s, 0.4), SAR_OK);
  expect_has(said, "farther than the last 64 calls");
  sar_sim_free(s), sar_sim_free(r);
  sar_data_free(a), sar_data_free(b), sar_data_free(kept);
  sar_model_free(m);
  sar_import_close(fmu);
}

// ---- archives -----------------------------------------------------------------------------------

typedef struct Entry {
  const char *name, *text;
  size_t size;  // 0: of the text
  bool link;
} Entry;

static void write_zip(const char* name, const Entry* entry, int count) {
  char path[300];
  int code;
  snprintf(path, sizeof path, "%s/%s", program_folder, name);
  zip_t* z = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, &code);
  assert_non_null(z);
  for (int i = 0; i < count; i++) {
    const size_t n = entry[i].size ? entry[i].size : strlen(entry[i].text);
    zip_source_t* source = zip_source_buffer(z, entry[i].text, n, 0);
    const zip_int64_t index = zip_file_add(z, entry[i].name, source, 0);
    assert_true(index >= 0);
    if (entry[i].link)
      zip_file_set_external_attributes(z, (zip_uint64_t)index, 0, ZIP_OPSYS_UNIX, 0120777u << 16);
  }
  assert_int_equal(zip_close(z), 0);
}

static void expect_refused(const char* name, const char* reason) {
  char arguments[300], folder[300];
  snprintf(arguments, sizeof arguments, "run @block.yaml --fmu p=@%s -q", name);
  snprintf(folder, sizeof folder, "%s/temporary", program_folder);
  const Result* r = expect_status_of(sarrus(arguments), 2);
  expect_has(r->err, reason);
  expect_has(r->err, "cannot be taken");
}

#define HEAD3                                                                         \
  "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"m\" instantiationToken=\"x\">" \
  "<CoSimulation modelIdentifier=\"m\"/>"
#define VARIABLES                                                                   \
  "<ModelVariables><Float64 name=\"y\" valueReference=\"1\" causality=\"output\"/>" \
  "</ModelVariables></fmiModelDescription>"

static void broken_archives_are_refused(void** state) {
  (void)state;
  static char zeros[8 << 20];
  const Entry xml = {.name = "modelDescription.xml", .text = HEAD3 VARIABLES};
  write_file("text.fmu", "this is no archive");
  expect_refused("text.fmu", "no FMU");
  expect_refused("nowhere.fmu", "no FMU");
  write_zip("none.fmu", &(Entry){.name = "other.txt", .text = "x"}, 1);
  expect_refused("none.fmu", "modelDescription.xml");
  const char* const names[] = {"../evil", "a/../../evil", "/etc/evil", "a\\..\\evil", "C:evil"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    write_zip("slip.fmu", (const Entry[]){xml, {.name = names[i], .text = "x"}}, 2);
    expect_refused("slip.fmu", "a name that leads elsewhere");
  }
  write_zip("link.fmu", (const Entry[]){xml, {.name = "l", .text = "/etc", .link = true}}, 2);
  expect_refused("link.fmu", "is a link");
  write_zip("bomb.fmu", (const Entry[]){xml, {.name = "z", .text = zeros, .size = sizeof zeros}},
            2);
  // deflate makes a thousandth of zeros at the best: not a bomb yet, so the binary is what is
  // missing
  expect_refused("bomb.fmu", "no binary for this platform");
  write_zip("bare.fmu", &xml, 1);
  expect_refused("bare.fmu", "no binary for this platform");
  const char* const binary = "binaries/x86_64-linux/m.so";
  write_zip("junk.fmu", (const Entry[]){xml, {.name = binary, .text = "no library"}}, 2);
  expect_refused("junk.fmu", "cannot be loaded");
}

// An archive that lies about a size, is cut short or has a changed byte anywhere: a message, or a
// good one.
static void damaged_archives_do_not_crash(void** state) {
  (void)state;
  static char zeros[3000];
  char path[300], folder[200];
  for (size_t i = 0; i < sizeof zeros; i++) zeros[i] = (char)(i * i);
  write_zip("whole.fmu",
            (const Entry[]){{.name = "modelDescription.xml", .text = HEAD3 VARIABLES},
                            {.name = "resources/a.bin", .text = zeros, .size = sizeof zeros},
                            {.name = "resources/b/c.txt", .text = "text"}},
            3);
  static unsigned char bytes[1 << 16], changed[1 << 16];
  snprintf(path, sizeof path, "%s/whole.fmu", program_folder);
  FILE* f = fopen(path, "rb");
  const size_t size = fread(bytes, 1, sizeof bytes, f);
  fclose(f);
  Rng r = rng_seed(test_seed(9));
  int good = 0, bad = 0;
  for (int k = 0; k < test_effort(400); k++) {
    SarError err;
    sar_error_init(&err);
    memcpy(changed, bytes, size);
    size_t n = size;
    if (k % 4 == 0)
      n = (size_t)rng_int(&r, (int)size);
    else
      for (int i = 0; i < 1 + k % 3; i++)
        changed[size - 1 - (size_t)rng_int(&r, k % 2 ? 300 : (int)size)] =
            (unsigned char)rng_next(&r);
    EXPECT_OK_OR(sar_folder_make(folder, sizeof folder, &err), &err);
    const SarStatus st = sar_archive_unpack_bytes(changed, n, "damaged", folder, &err);
    sar_folder_remove(folder);
    if (st == SAR_OK) good++;
    if (st != SAR_OK) bad++, assert_true(err.errors > 0);
  }
  assert_true(bad > good);
}

// ---- descriptions -------------------------------------------------------------------------------

static void expect_wrong(const char* text, const char* reason) {
  static SarImportDescription d;
  SarArena arena;
  SarError err;
  char line[1200];
  sar_arena_init(&arena);
  sar_error_init(&err);
  assert_int_not_equal(sar_import_describe(&arena, text, strlen(text), "md.xml", &d, &err), SAR_OK);
  assert_true(err.errors > 0);
  expect_has(sar_error_format(&err, 0, line, sizeof line), reason);
  sar_arena_free(&arena);
}

static void descriptions_that_lie_are_refused(void** state) {
  (void)state;
  static char many[1 << 17];
  expect_wrong("", "md.xml");
  expect_wrong("<a>", "md.xml");
  expect_wrong("<other/>", "expected <fmiModelDescription>");
  expect_wrong("<fmiModelDescription fmiVersion=\"1.0\"/>", "version 2.0 and 3.0");
  expect_wrong("<fmiModelDescription fmiVersion=\"2.0\"/>", "no guid");
  expect_wrong("<fmiModelDescription fmiVersion=\"3.0\" instantiationToken=\"x\"/>",
               "not for co-simulation");
  expect_wrong(
      "<fmiModelDescription fmiVersion=\"3.0\" instantiationToken=\"x\">"
      "<CoSimulation modelIdentifier=\"../../lib/evil\"/></fmiModelDescription>",
      "a name as C has them");
  expect_wrong(HEAD3 "</fmiModelDescription>", "no <ModelVariables>");
  expect_wrong(HEAD3 "<ModelVariables/></fmiModelDescription>", "no outputs");
  const char* const references[] = {"-1", "1e3", "99999999999999999999", "", "x"};
  for (size_t i = 0; i < sizeof references / sizeof *references; i++) {
    char text[600];
    snprintf(text, sizeof text,
             HEAD3
             "<ModelVariables><Float64 name=\"y\" valueReference=\"%s\" "
             "causality=\"output\"/></ModelVariables></fmiModelDescription>",
             references[i]);
    expect_wrong(text, "a whole number from 0 on");
  }
  expect_wrong(HEAD3
               "<ModelVariables><Float64 name=\"y\" valueReference=\"1\" causality=\"input\">"
               "<Dimension start=\"-5\"/></Float64></ModelVariables></fmiModelDescription>",
               "no single real number");
  expect_wrong(HEAD3
               "<ModelVariables><Int32 name=\"n\" valueReference=\"1\" causality=\"output\"/>"
               "</ModelVariables></fmiModelDescription>",
               "no single real number");
  size_t n = (size_t)snprintf(many, sizeof many, HEAD3 "<ModelVariables>");
  for (int i = 0; i < 300; i++)
    n += (size_t)snprintf(many + n, sizeof many - n,
                          "<Float64 name=\"y%d\" valueReference=\"%d\" causality=\"output\"/>", i,
                          i);
  snprintf(many + n, sizeof many - n, "</ModelVariables></fmiModelDescription>");
  expect_wrong(many, "too many outputs");
  // entities are not expanded, nothing is fetched
  expect_wrong(
      "<!DOCTYPE a [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><fmiModelDescription "
      "fmiVersion=\"&e;\"/>",
      "md.xml");
}

// A library that is no FMU, one that lacks a function, one of another version, one that refuses its
// token.
static void binaries_that_lie_are_refused(void** state) {
  (void)state;
  char command[900];
  const Entry xml = {.name = "modelDescription.xml", .text = HEAD3 VARIABLES};
  static const char* const code[] = {
      "int nothing(void) { return 0; }\n", "const char* fmi3GetVersion(void) { return \"3.0\"; }\n",
      "#define F(f) int f(void) { return 3; }\n"
      "const char* fmi3GetVersion(void) { return \"2.0\"; }\nF(fmi3InstantiateCoSimulation)\n"
      "F(fmi3FreeInstance) F(fmi3Reset) F(fmi3EnterInitializationMode)\n"
      "F(fmi3ExitInitializationMode) F(fmi3SetFloat64) F(fmi3GetFloat64) F(fmi3DoStep)\n",
      "#define F(f) int f(void) { return 3; }\nvoid* fmi3InstantiateCoSimulation(void) {return "
      "0;}\n"
      "const char* fmi3GetVersion(void) { return \"3.0\"; }\n"
      "F(fmi3FreeInstance) F(fmi3Reset) F(fmi3EnterInitializationMode)\n"
      "F(fmi3ExitInitializationMode) F(fmi3SetFloat64) F(fmi3GetFloat64) F(fmi3DoStep)\n"};
  static const char* const reason[] = {"no function 'fmi3GetVersion'",
                                       "no function 'fmi3InstantiateCoSimulation'",
                                       "another version of FMI", "refuses to make an instance"};
  for (int i = 0; i < 4; i++) {
    static char library[1 << 18];
    char path[300];
    write_file("lie.c", code[i]);
    snprintf(command, sizeof command, "cc -shared -fPIC -o %s/lie.so %s/lie.c 2>/dev/null",
             program_folder, program_folder);
    if (system(command) != 0) skip();
    snprintf(path, sizeof path, "%s/lie.so", program_folder);
    FILE* f = fopen(path, "rb");
    const size_t n = fread(library, 1, sizeof library, f);
    fclose(f);
    const char* const place = "binaries/x86_64-linux/m.so";
    write_zip("lie.fmu", (const Entry[]){xml, {.name = place, .text = library, .size = n}}, 2);
    expect_refused("lie.fmu", reason[i]);
  }
}

static void the_command_line_is_checked(void** state) {
  (void)state;
  expect_has(expect_status_of(sarrus("run @block.yaml --fmu p"), 2)->err, "NAME=FILE");
  expect_status_of(sarrus("export examples/pendulum.yaml -o @p.fmu"), 0);
  expect_has(expect_status_of(sarrus("run @block.yaml --fmu p=@p.fmu::nothing"), 2)->err,
             "no output 'nothing'");
  expect_has(expect_status_of(sarrus("run @block.yaml --fmu p=@p.fmu::hinge.q"), 3)->err,
             "has 1 outputs, here are 2");
  expect_has(
      expect_status_of(sarrus("export @block.yaml --fmu p=@p.fmu::hinge.q,hinge.v -o @n.fmu"), 2)
          ->err,
      "calls the function 'p'");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_block_is_what_it_is_alone),
      cmocka_unit_test(runs_go_back_and_find_their_state),
      cmocka_unit_test(broken_archives_are_refused),
      cmocka_unit_test(damaged_archives_do_not_crash),
      cmocka_unit_test(descriptions_that_lie_are_refused),
      cmocka_unit_test(binaries_that_lie_are_refused),
      cmocka_unit_test(the_command_line_is_checked),
  };
  return cmocka_run_group_tests(tests, program_begin, program_end);
}
