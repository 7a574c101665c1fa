// Every quantity of the table of outputs, whoever added it: each word of it in a file makes its
// columns, all its values are numbers, and expressions that hold it see the column of its name.
#include "support/run.h"

#include "sim/outputs/outputs.h"

static const char SCENE[] =
    "gravity: [0, -9.81, 0]\n"
    "ground: {contact: [{plane: y}]}\n"
    "states: {lag: {rate: elbow.q - lag, start: 0.1}}\n"
    "signals: {held: {sample: elbow.q, period: 0.01}}\n"
    "bodies:\n"
    "  arm: {at: [1, 3, 0], mass: 1, inertia: [0.01, 0.02, 0.03], points: {tip: [0.4, 0.1, 0]}}\n"
    "  leg: {at: [1, 3, 1], mass: 1, inertia: [0.01, 0.01, 0.01]}\n"
    "  box: {at: [5, 0.6, 0], box: [1, 1, 1], mass: 2, contact: true}\n"
    "joints:\n"
    "  elbow: {revolute: [ground, arm], at: [0, 3, 0], axis: z, friction: 0.2,\n"
    "          motor: {speed: 1, effort: 9}}\n"
    "  knee: {revolute: [leg, ground], at: [0, 3, 1], axis: z, upper: 0.1, lower: -0.1, speed: 1}\n"
    "constraints: {equal: {gear: [elbow, knee], ratio: 2}}\n"
    "forces:\n"
    "  damper: {spring_damper: [arm, box], damping: 2, stiffness: 3, length: 1}\n"
    "  disc: {rotor: arm, axis: z, radius: 0.4, inflow: none}\n"
    "  blade: {strips: arm, root: 0.1, tip: 0.4, chord: 0.05, inflow: disc}\n";

static const char* name_of(SarOwner of) {
  static const char* const NAME[SAR_OWNERS] = {
      [SAR_OF_JOINT] = "elbow",           [SAR_OF_BODY] = "arm",
      [SAR_OF_POINT] = "arm.tip",         [SAR_OF_FORCE] = "damper",
      [SAR_OF_CONTACT] = "box",           [SAR_OF_STATE] = "lag",
      [SAR_OF_SIGNAL] = "held",           [SAR_OF_CONSTRAINT] = "equal",
      [SAR_OF_VALUE] = "2*t, name: twice"};
  return NAME[of];
}

// Of a force that has it.
static const char* owner_of(const SarOutputKind* k) {
  return k->with && strcmp(k->with, "harmonics") == 0 ? "disc" : name_of(k->of);
}

enum { MOST = 256, ROOM = 12000 };

static Run open_run(const char* outputs) {
  static char text[ROOM];
  SarSimOptions o = sar_sim_options();
  o.formulation = "impulse";
  o.step = 2e-3;
  snprintf(text, sizeof text, "%soutputs:\n%s", SCENE, outputs);
  Run x = run_open(model_text(text), &o);
  assert_in_range(x.m->nchannel, 1, MOST);
  return x;
}

// How many columns of this quantity an item makes, after some steps with numbers in all of them.
static int columns_of(const SarOutputKind* kind, const char* item) {
  double values[MOST];
  int count = 0;
  Run x = open_run(item);
  for (int i = 0; i < 3; i++) EXPECT_OK(sar_step(x.s));
  EXPECT_OK(sar_outputs(x.s, values));
  for (int i = 0; i < x.m->nchannel; i++) {
    assert_true(isfinite(values[i]));
    count += x.m->channel[i].kind == kind;
  }
  run_close(&x);
  return count;
}

static void every_word_of_a_quantity_makes_its_columns(void** state) {
  (void)state;
  for (int i = 0; sar_output_kind(i); i++) {
    const SarOutputKind* k = sar_output_kind(i);
    const SarOwnerWords owner = sar_owner_words(k->of);
    char item[200];
    int ways = 0, columns = 0;
    assert_true(k->name && k->doc && k->doc[0] && k->value && (k->column || k->columns));
    assert_ptr_equal(sar_output_kind_find(k->name), k);
#define TRY(condition, ...)                                                                 \
  if (condition) {                                                                          \
    snprintf(item, sizeof item, __VA_ARGS__);                                               \
    const int found = columns_of(k, item);                                                  \
    if (found < 1 || (columns && found < columns)) fail_msg("%s: %d columns", item, found); \
    columns = found, ways++;                                                                \
  }
    TRY(k->by_default, "  - {%s: %s}\n", owner.one, owner_of(k));
    TRY(k->with, "  - {%s: %s, with: %s}\n", owner.one, owner_of(k), k->with);
    TRY(k->key, "  - {%s: %s}\n", k->key, owner_of(k));
    TRY(k->at_point && k->with, "  - {point: arm.tip, with: %s}\n", k->with);
    TRY(k->group, "  - %s\n", k->group);
    TRY(k->by_default && owner.all, "  - %s\n", owner.all);
#undef TRY
    if (ways == 0) fail_msg("'%s': no word of a file asks for it", k->name);
  }
}

// All quantities of all owners that expressions may hold, and one expression for each column of
// them.
static void what_expressions_hold_is_the_column_of_its_name(void** state) {
  (void)state;
  static char all[ROOM], text[ROOM];
  size_t used = 0;
  for (int i = 0; sar_output_kind(i); i++) {
    const SarOutputKind* k = sar_output_kind(i);
    const char* one = sar_owner_words(k->of).one;
    if (!k->held) continue;
    used += (size_t)(k->of == SAR_OF_MODEL
                         ? snprintf(all + used, sizeof all - used, "  - %s\n", k->group)
                         : snprintf(all + used, sizeof all - used, "  - {%s: %s%s%s}\n",
                                    k->key ? k->key : one, owner_of(k),
                                    k->with && !k->key ? ", with: " : "",
                                    k->with && !k->key ? k->with : ""));
  }
  Run x = open_run(all);
  used = (size_t)snprintf(text, sizeof text, "%s", all);
  int held[MOST], count = 0;
  for (int i = 0; i < x.m->nchannel; i++) {
    if (!x.m->channel[i].kind->held) continue;
    held[count] = i;
    used += (size_t)snprintf(text + used, sizeof text - used, "  - {value: %s, name: s%d}\n",
                             sar_text(x.m, x.m->channel[i].name), count);
    count++;
  }
  assert_in_range(used, 1, sizeof text - 1);
  assert_in_range(count, 30, MOST);
  run_close(&x);
  x = open_run(text);
  for (int step = 0; step < 20; step++) {
    double values[MOST];
    EXPECT_OK(sar_step(x.s));
    EXPECT_OK(sar_outputs(x.s, values));
    for (int i = 0; i < count; i++) {
      char name[16];
      snprintf(name, sizeof name, "s%d", i);
      const double column = values[held[i]];
      EXPECT_NEAR(values[sar_model_find(x.m, SAR_ITEM_OUTPUT, name)], column,
                  1e-9 * (1 + fabs(column)));
    }
  }
  run_close(&x);
}

// An output that is not asked for by name is not shown: `measured_only` columns are for
// expressions.
static void columns_for_expressions_only_are_not_shown(void** state) {
  (void)state;
  Run x = open_run("  - contacts\n  - constraints\n");
  assert_true(sar_model_find(x.m, SAR_ITEM_OUTPUT, "box.contact.fx") >= 0);
  assert_true(sar_model_find(x.m, SAR_ITEM_OUTPUT, "box.contact.gap") < 0);
  assert_true(sar_model_find(x.m, SAR_ITEM_OUTPUT, "equal.force") >= 0);
  assert_true(sar_model_find(x.m, SAR_ITEM_OUTPUT, "equal.power") < 0);
  run_close(&x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_word_of_a_quantity_makes_its_columns),
      cmocka_unit_test(what_expressions_hold_is_the_column_of_its_name),
      cmocka_unit_test(columns_for_expressions_only_are_not_shown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
