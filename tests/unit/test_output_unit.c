// Units of columns: of joints by what their coordinates are, of vectors by their kind.
#include "sim/outputs.h"
#include "support/test.h"

static const char text[] =
    "sarrus: 1\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: [1, 1, 1]}\n"
    "  b: {mass: 1, inertia: [1, 1, 1]}\n"
    "  c: {mass: 1, inertia: [1, 1, 1]}\n"
    "  d: {mass: 1, inertia: [1, 1, 1]}\n"
    "joints:\n"
    "  turn: {revolute: [ground, a], axis: z}\n"
    "  slide: {prismatic: [a, b], axis: x}\n"
    "  screw: {cylindrical: [b, c], axis: y}\n"
    "  float: {free: [ground, d]}\n"
    "outputs:\n"
    "- joints\n"
    "- bodies\n"
    "- energy\n"
    "- momentum\n"
    "- {reaction: turn}\n"
    "- {value: 2*turn.q, name: twice}\n";

static const struct {
  const char *name, *unit;
} expected[] = {{"turn.q", "rad"},
                {"turn.v", "rad/s"},
                {"slide.q", "m"},
                {"slide.v", "m/s"},
                {"screw.q1", "rad"},
                {"screw.q2", "m"},
                {"screw.v1", "rad/s"},
                {"screw.v2", "m/s"},
                {"float.px", "m"},
                {"float.qw", ""},
                {"float.qz", ""},
                {"float.wx", "rad/s"},
                {"float.vx", "m/s"},
                {"a.x", "m"},
                {"a.qw", ""},
                {"a.vx", "m/s"},
                {"a.wx", "rad/s"},
                {"energy.total", "J"},
                {"momentum.px", "kg m/s"},
                {"momentum.lz", "kg m^2/s"},
                {"turn.fx", "N"},
                {"turn.tz", "N m"},
                {"twice", ""}};

static void columns_have_units(void** state) {
  (void)state;
  SarModel* m;
  SarError err;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_model_parse(text, sizeof text - 1, "yaml", "m.yaml", NULL, &m, &err), &err);
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    const int column = sar_model_find(m, SAR_ITEM_OUTPUT, expected[i].name);
    if (column < 0) fail_msg("no column %s", expected[i].name);
    if (strcmp(sar_output_unit(m, column), expected[i].unit) != 0)
      fail_msg("%s: '%s'", expected[i].name, sar_output_unit(m, column));
  }
  assert_string_equal(sar_output_unit(m, -1), "");
  assert_string_equal(sar_output_unit(m, 100000), "");
  sar_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(columns_have_units)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
