// What the host program and the columns learn about contacts.
#include "support/test.h"

#include "dynamics/contact_forces.h"
#include "model/sim.h"
#include "output/contacts.h"
#include "sim/outputs/outputs.h"

static const char MODEL[] =
    "sarrus: 1\n"
    "bodies:\n"
    "  a: {box: [1, 1, 1], mass: 1, at: [0, 0, 2], contact: true}\n"
    "  b: {mass: 1, inertia: [1, 1, 1], contact: {sphere: 0.5, name: tip}}\n"
    "ground: {contact: {plane: z}}\n"
    "outputs: [contacts, {contact: [a, b]}, {contact: ground, name: floor}, work]\n";

typedef struct Case {
  SarModel* m;
  SarData* d;
} Case;

// Two contacts: ground pushes a (collider 1) up with friction along y; b (collider 2) pushes a to
// -x.
static Case make_case(void) {
  Case k;
  SarError err;
  sar_error_init(&err);
  EXPECT_OK(sar_model_parse(MODEL, strlen(MODEL), "yaml", "m.yaml", NULL, &k.m, &err));
  EXPECT_OK(sar_data_new(k.m, &k.d, &err));
  assert_int_equal(sar_contact_count(k.d), 0);
  k.d->ncontact = 3;
  k.d->contact[0] = (SarContact){.a = 0,
                                 .b = 1,
                                 .point = {1, 2, 3},
                                 .normal = {0, 0, 1},
                                 .tangent = {1, 0, 0},
                                 .gap = -1e-3,
                                 .p = {6, 0, 3, 0.5, 0, 0.25},
                                 .step = 0.1};
  k.d->contact[1] = (SarContact){.a = 1,
                                 .b = 2,
                                 .point = {5, 2, 3},
                                 .normal = {1, 0, 0},
                                 .tangent = {0, 1, 0},
                                 .gap = -2e-3,
                                 .p = {2},
                                 .step = 0.1};
  k.d->contact[2] = (SarContact){
      .a = 0, .b = 2, .normal = {0, 0, 1}, .tangent = {1, 0, 0}, .gap = 4e-3, .step = 0.1};
  return k;
}

static void free_case(Case k) {
  sar_data_free(k.d);
  sar_model_free(k.m);
}

static void the_host_sees_points_impulses_and_forces(void** state) {
  (void)state;
  const Case k = make_case();
  SarContactPoint p;
  assert_int_equal(sar_contact_count(k.d), 3);
  EXPECT_OK(sar_contact(k.d, 0, &p));
  assert_int_equal(p.body[0], -1);
  assert_int_equal(p.body[1], sar_model_find(k.m, SAR_ITEM_BODY, "a"));
  assert_string_equal(p.solid[0], "ground");
  // n x t = y: the second tangent
  EXPECT_ARRAY_NEAR(p.impulse, ((double[]){0, 3, 6}), 3, 0);
  EXPECT_ARRAY_NEAR(p.force, ((double[]){0, 30, 60}), 3, 1e-12);
  EXPECT_ARRAY_NEAR(p.moment, ((double[]){0, 0.25, 0.5}), 3, 0);
  EXPECT_ARRAY_NEAR(p.point, ((double[]){1, 2, 3}), 3, 0);
  EXPECT_ARRAY_NEAR(p.normal, ((double[]){0, 0, 1}), 3, 0);
  EXPECT_NEAR(p.gap, -1e-3, 0);
  EXPECT_OK(sar_contact(k.d, 1, &p));
  assert_string_equal(p.solid[1], "b.tip");
  EXPECT_STATUS(sar_contact(k.d, 3, &p), SAR_BAD_ARGUMENT);
  EXPECT_STATUS(sar_contact(k.d, -1, &p), SAR_BAD_ARGUMENT);
  free_case(k);
}

static double column(Case k, const char* name) {
  const int i = sar_model_find(k.m, SAR_ITEM_OUTPUT, name);
  if (i < 0) fail_msg("no column %s", name);
  const SarChannel* c = &k.m->channel[i];
  assert_ptr_equal(c->kind, &sar_output_contact);
  return sar_contact_column(k.m, k.d, c->index, c->other, (SarContactColumn)c->component);
}

static void columns_sum_what_a_body_feels(void** state) {
  (void)state;
  const Case k = make_case();
  EXPECT_NEAR(column(k, "a.contact.points"), 2, 0);
  EXPECT_NEAR(column(k, "a.contact.normal"), 80, 1e-12);
  EXPECT_NEAR(column(k, "a.contact.fx"), -20, 1e-12);  // a is the first body of that contact
  EXPECT_NEAR(column(k, "a.contact.fy"), 30, 1e-12);
  EXPECT_NEAR(column(k, "a.contact.fz"), 60, 1e-12);
  EXPECT_NEAR(column(k, "a.contact.friction"), 30, 1e-12);
  EXPECT_NEAR(column(k, "a.contact.depth"), 2e-3, 0);
  EXPECT_NEAR(column(k, "a.contact.x"), (60 * 1 + 20 * 5) / 80.0, 1e-12);
  EXPECT_NEAR(column(k, "a.b.contact.fx"), -20, 1e-12);
  EXPECT_NEAR(column(k, "a.b.contact.fz"), 0, 0);
  EXPECT_NEAR(column(k, "b.contact.points"), 1, 0);  // the third contact bears nothing
  EXPECT_NEAR(column(k, "b.contact.fx"), 20, 1e-12);
  EXPECT_NEAR(column(k, "floor.fz"), -60, 1e-12);
  assert_true(sar_model_find(k.m, SAR_ITEM_OUTPUT, "work.contact.impact") >= 0);
  assert_true(sar_model_find(k.m, SAR_ITEM_OUTPUT, "work.contact.friction") >= 0);
  free_case(k);
}

static void the_file_of_contacts_has_a_line_for_each(void** state) {
  (void)state;
  static const char path[] = SARRUS_BINARY_DIR "/test_contacts.csv";
  const Case k = make_case();
  SarContactWriter* w;
  SarError err;
  char text[2000];
  sar_error_init(&err);
  EXPECT_OK(sar_contacts_open(path, 6, &w, &err));
  EXPECT_OK(sar_contacts_write(w, k.d));
  EXPECT_OK(sar_contacts_close(w, &err));
  FILE* f = fopen(path, "r");
  assert_non_null(f);
  text[fread(text, 1, sizeof text - 1, f)] = '\0';
  fclose(f);
  remove(path);
  assert_string_equal(text,
                      "time,a,b,solid_a,solid_b,x,y,z,nx,ny,nz,gap,fx,fy,fz,normal\n"
                      "0,ground,a,ground,a,1,2,3,0,0,1,-0.001,0,30,60,60\n"
                      "0,a,b,a,b.tip,5,2,3,1,0,0,-0.002,20,0,0,20\n"
                      "0,ground,b,ground,b.tip,0,0,0,0,0,1,0.004,0,0,0,0\n");
  EXPECT_STATUS(sar_contacts_open(SARRUS_BINARY_DIR "/no/such/folder.csv", 6, &w, &err),
                SAR_NO_FILE);
  assert_null(w);
  EXPECT_OK(sar_contacts_close(w, &err));
  free_case(k);
}

// auto takes a formulation that knows contact; others say why they cannot.
static void only_some_formulations_take_contact(void** state) {
  (void)state;
  static const char motor[] =
      "sarrus: 1\n"
      "bodies: {a: {sphere: 1, mass: 1}}\n"
      "joints: {drum: {revolute: [ground, a], motor: {speed: 1}}}\n";
  const struct {
    const char *text, *words;
  } cases[] = {{MODEL, "3 solids that touch"}, {motor, "joint 'drum'"}};
  for (int k = 0; k < 2; k++) {
    SarModel* m;
    SarData* d;
    SarSim* s;
    SarError err;
    sar_error_init(&err);
    EXPECT_OK(sar_model_parse(cases[k].text, strlen(cases[k].text), "yaml", "m", NULL, &m, &err));
    EXPECT_OK(sar_data_new(m, &d, &err));
    EXPECT_OK(sar_sim_new(m, d, NULL, &s, &err));
    assert_true(s->formulation->can & SAR_CAN_CONTACT);
    sar_sim_free(s);
    SarSimOptions o = sar_sim_options();
    o.formulation = "aba";
    sar_error_init(&err);  // solids that overlap at the start were named
    EXPECT_STATUS(sar_sim_new(m, d, &o, &s, &err), SAR_NOT_OFFERED);
    assert_non_null(strstr(err.items[0].text, cases[k].words));
    assert_non_null(strstr(err.items[0].hint, "impulse"));
    sar_data_free(d);
    sar_model_free(m);
  }
}

// A box on four corners with room for three: the fourth is counted, and the run goes on.
static void contacts_without_room_are_counted(void** state) {
  (void)state;
  static const char text[] =
      "sarrus: 1\n"
      "bodies: {a: {box: [1, 1, 1], mass: 1, at: [0, 0, 0.5], contact: true}}\n"
      "ground: {contact: {plane: z}}\n"
      "contact: {max_contacts: 3}\n";
  SarModel* m;
  SarData* d;
  SarSim* s;
  SarError err;
  sar_error_init(&err);
  EXPECT_OK(sar_model_parse(text, strlen(text), "yaml", "m", NULL, &m, &err));
  EXPECT_OK(sar_data_new(m, &d, &err));
  EXPECT_OK(sar_sim_new(m, d, NULL, &s, &err));
  for (int i = 0; i < 10; i++) EXPECT_OK(sar_step(s));
  const SarStats stats = sar_stats(s);
  assert_int_equal(stats.contacts_max, 3);
  assert_in_range(stats.contacts_missed, 10, 20);  // the search is made once or twice a step
  assert_int_equal(sar_contact_count(d), 3);
  sar_sim_free(s);
  sar_data_free(d);
  sar_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_host_sees_points_impulses_and_forces),
      cmocka_unit_test(columns_sum_what_a_body_feels),
      cmocka_unit_test(only_some_formulations_take_contact),
      cmocka_unit_test(contacts_without_room_are_counted),
      cmocka_unit_test(the_file_of_contacts_has_a_line_for_each),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
