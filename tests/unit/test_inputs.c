// Inputs with a unit and a range: from the file to whoever sets them.
#include "support/json_check.h"
#include "support/model_file.h"
#include "support/ports.h"
#include "support/random.h"

#include "base/memory_file.h"
#include "output/scene.h"
#include "sarrus/shm_client.h"
#include "view/scene_json.h"

#include <math.h>

#define ARM                                                   \
  "bodies: {arm: {rod: [[0, 0, 0], [0.8, 0, 0]], mass: 4}}\n" \
  "joints: {j: {revolute: [ground, arm], axis: y, force: u}}\n"

static void units_and_ranges_are_read(void** state) {
  (void)state;
  SarModel* m = model_text(
      "parameters: {most: 20}\n"
      "inputs: {u: {value: 3, unit: N m, min: -most, max: 2*most}, plain: 7, w: {value: 1 deg, "
      "unit: "
      "rad/s^2}}\n" ARM);
  const int u = sar_model_find(m, SAR_ITEM_INPUT, "u"),
            p = sar_model_find(m, SAR_ITEM_INPUT, "plain"),
            w = sar_model_find(m, SAR_ITEM_INPUT, "w");
  double least, most;
  assert_string_equal(sar_model_unit(m, SAR_ITEM_INPUT, u), "N m");
  assert_string_equal(sar_model_unit(m, SAR_ITEM_INPUT, p), "");
  assert_string_equal(sar_model_unit(m, SAR_ITEM_INPUT, w), "rad/s^2");
  assert_null(sar_model_unit(m, SAR_ITEM_INPUT, 3));
  assert_string_equal(sar_model_unit(m, SAR_ITEM_OUTPUT, sar_model_find(m, SAR_ITEM_OUTPUT, "j.v")),
                      "rad/s");
  EXPECT_OK(sar_input_range(m, u, &least, &most));
  assert_true(least == -20 && most == 40);
  EXPECT_OK(sar_input_range(m, p, &least, &most));
  assert_true(isinf(least) && isinf(most) && least < most);
  assert_int_equal(sar_input_range(m, 3, &least, &most), SAR_BAD_ARGUMENT);
  SarData* d;
  EXPECT_OK(sar_data_new(m, &d, NULL));
  assert_true(sar_get_inputs(d)[u] == 3 && sar_get_inputs(d)[p] == 7);
  EXPECT_NEAR(sar_get_inputs(d)[w], 0.017453292519943295, 1e-16);
  sar_data_free(d);
  sar_model_free(m);
}

// Units are whatever products of base units there are: what a column has as its unit an input may
// have too.
static void units_of_columns_are_units_of_inputs(void** state) {
  (void)state;
  static const char* const symbols[] = {"kg", "m", "s", "rad", "N", "J", "W", "Pa", "Hz"};
  Rng r = rng_seed(test_seed(1401));
  for (int i = 0; i < test_effort(200); i++) {
    char unit[40], text[400];
    int n = snprintf(unit, sizeof unit, "%s", symbols[rng_int(&r, 9)]);
    if (rng_int(&r, 2))
      n += snprintf(unit + n, sizeof unit - (size_t)n, " %s", symbols[rng_int(&r, 9)]);
    if (rng_int(&r, 2))
      n += snprintf(unit + n, sizeof unit - (size_t)n, "/%s", symbols[rng_int(&r, 9)]);
    if (rng_int(&r, 2)) snprintf(unit + n, sizeof unit - (size_t)n, "^%d", 2 + rng_int(&r, 3));
    snprintf(text, sizeof text, "inputs: {u: {value: 0, unit: '%s'}}\n" ARM, unit);
    SarModel* m = model_text(text);
    assert_string_equal(sar_model_unit(m, SAR_ITEM_INPUT, 0), unit);
    sar_model_free(m);
  }
}

static void mistakes_are_told(void** state) {
  (void)state;
  static const struct {
    const char *wrong, *words;
  } cases[] = {
      {"{value: 1, unit: deg}", "expected a unit of up to 15 letters, found 'deg'"},
      {"{value: 1, unit: bananas}", "values are SI"},
      {"{value: 1, unit: kg m m m m m m m}", "up to 15 letters"},
      {"{unit: N}", "an input needs a 'value'"},
      {"{}", "an input needs a 'value'"},
      {"{value: 1, mim: 0}", "no key 'mim' (did you mean 'min'?)"},
      {"{value: 1, min: 2}", "the value 1 is not between 2 and inf"},
      {"{value: 1, max: 0.5}", "the value 1 is not between -inf and 0.5"},
      {"{value: 1, min: 3, max: -3}", "is not between 3 and -3"},
      {"{value: 1, max: nobody}", "nobody"},
      {"[1, 2]", "a list of 2"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[400], all[2000] = "";
    SarModel* m = NULL;
    SarError err;
    sar_error_init(&err);
    snprintf(text, sizeof text, "sarrus: 1\ninputs: {u: %s}\n" ARM, cases[i].wrong);
    assert_int_equal(sar_model_parse(text, strlen(text), "yaml", "x.yaml", NULL, &m, &err),
                     SAR_BAD_MODEL);
    assert_null(m);
    for (int k = 0; k < err.count; k++) {
      char line[900];
      strncat(all, sar_error_format(&err, k, line, sizeof line), sizeof all - strlen(all) - 1);
    }
    if (!strstr(all, cases[i].words)) fail_msg("%s: '%s' is not in\n%s", text, cases[i].words, all);
    if (!strstr(all, "x.yaml:2:")) fail_msg("no place in %s", all);
  }
}

static void the_window_gets_them(void** state) {
  (void)state;
  SarModel* m = model_text("inputs: {u: {value: 3, unit: N m, max: 20}, plain: 0}\n" ARM);
  SarData* d;
  SarScene* scene;
  SarMemoryFile f;
  SarJson j;
  EXPECT_OK(sar_data_new(m, &d, NULL));
  EXPECT_OK(sar_scene_new(m, &scene));
  assert_true(sar_memory_open(&f));
  sar_json_begin(&j, f.out);
  const SarViewScene v = {.scene = scene, .d = d, .speed = 1};
  assert_true(sar_view_scene(&j, &v));
  sar_json_end(&j);
  assert_true(sar_memory_close(&f));
  assert_true(json_is_valid(f.text));
  const char* inputs = strstr(f.text, "\"inputs\": [");
  assert_non_null(inputs);
  const char* plain = strstr(inputs, "\"plain\"");
  const char* u = strstr(inputs, "\"u\"");
  assert_true(plain && u && plain < u);
  assert_non_null(strstr(u, "\"unit\": \"N m\""));
  assert_non_null(strstr(u, "\"max\": 20"));
  const char* max = strstr(inputs, "\"max\"");
  assert_true(max > u);  // nothing of a range where the file says nothing
  assert_null(strstr(inputs, "\"min\""));
  sar_memory_free(&f);
  sar_scene_free(scene);
  sar_data_free(d);
  sar_model_free(m);
}

// A client of shared memory reads them in the table of signals.
static void ports_tell_them(void** state) {
  (void)state;
  char name[64];
  SarModel* m = model_text("inputs: {u: {value: 3, unit: N m}, plain: 0}\n" ARM);
  const SarRtPort port = {"shm", port_name(name, "units")};
  SarRtOptions o = sar_rt_options();
  SarRealtime* rt;
  SarError err;
  SarShm s;
  sar_error_init(&err);
  o.ports = &port;
  o.port_count = 1;
  EXPECT_OK_OR(sar_rt_new(m, &o, &rt, &err), &err);
  assert_int_equal(sar_shm_attach(&s, name, 0), SAR_SHM_OK);
  for (int i = 0; i < s.inputs; i++) {
    const char* unit = s.signal[i].unit;
    assert_string_equal(unit, strcmp(sar_shm_name(&s, i, 1), "u") == 0 ? "N m" : "");
  }
  sar_shm_detach(&s);
  sar_rt_free(rt);
  sar_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(units_and_ranges_are_read),
      cmocka_unit_test(units_of_columns_are_units_of_inputs),
      cmocka_unit_test(mistakes_are_told),
      cmocka_unit_test(the_window_gets_them),
      cmocka_unit_test(ports_tell_them),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
