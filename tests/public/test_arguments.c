// NULL in every place of every public function, and indices out of range: a status or a neutral
// value, never a crash. The list below is checked against sarrus.h, so that a new function is
// missed at once. Then: structs of older and newer programs, options that were never made, and what
// bounds sar_advance.
#include "support/model_file.h"

#include "sarrus/sarrus.h"

#include <ctype.h>
#include <glob.h>
#include <limits.h>
#include <stddef.h>

static const char pendulum[] =
    "bodies: {a: {mass: 1, inertia: [1, 1, 1], com: [1, 0, 0]}}\n"
    "joints: {j: {revolute: [ground, a], axis: y}}\n";

static SarModel* m;
static SarData* d;
static SarSim* s;
static SarError err;
static double x[64];

#define BAD(call)                                                                 \
  do {                                                                            \
    const SarStatus st_ = (call);                                                 \
    if (st_ != SAR_BAD_ARGUMENT) fail_msg("%s: %s", #call, sar_status_text(st_)); \
  } while (0)
#define IS(call) \
  if (!(call)) fail_msg("%s", #call)

static void texts(void) {
  char buf[8];
  sar_error_init(NULL);
  IS(sar_error_format(NULL, 0, buf, sizeof buf) == buf && buf[0] == 0);
  IS(sar_error_format(&err, 0, NULL, 8) == NULL);
  IS(sar_status_text((SarStatus)999)[0] && sar_version()[0]);
}

static void loading(void) {
  SarModel* out;
  const SarLoadOptions lists[] = {
      {.parameter_count = 1}, {.search_path_count = 1}, {.file_count = 1}};
  BAD(sar_model_load(NULL, NULL, &out, &err));
  BAD(sar_model_load("a.yaml", NULL, NULL, &err));
  BAD(sar_model_parse(NULL, 3, "yaml", "a", NULL, &out, &err));
  BAD(sar_model_parse("a: 1", 4, NULL, "a", NULL, &out, &err));
  BAD(sar_model_parse("a: 1", 4, "yaml", "a", NULL, NULL, &err));
  for (int i = 0; i < 3; i++) BAD(sar_model_parse("a: 1", 4, "yaml", "a", &lists[i], &out, &err));
  IS(sar_model_parse("a: 1", 4, "yaml", NULL, NULL, &out, NULL) == SAR_BAD_MODEL);
  sar_model_free(NULL);
}

static void models(void) {
  SarJointInfo info;
  IS(sar_model_count(NULL, SAR_ITEM_BODY) == 0 && !sar_model_name(NULL, SAR_ITEM_BODY, 0));
  IS(sar_model_find(NULL, SAR_ITEM_BODY, "a") == -1 &&
     sar_model_find(m, SAR_ITEM_BODY, NULL) == -1);
  IS(!sar_model_unit(NULL, SAR_ITEM_INPUT, 0) && !sar_model_unit(m, SAR_ITEM_INPUT, 0));
  BAD(sar_input_range(NULL, 0, x, x + 1));
  BAD(sar_input_range(m, 0, x, x + 1));
  IS(sar_model_nq(NULL) == 0 && sar_model_nv(NULL) == 0);
  IS(sar_model_nq_all(NULL) == 0 && sar_model_nv_all(NULL) == 0);
  BAD(sar_joint_info(NULL, 0, &info));
  BAD(sar_joint_info(m, 0, NULL));
  BAD(sar_joint_limits(NULL, 0, x, x, x, x));
  IS(sar_joint_limits(m, 0, NULL, NULL, NULL, NULL) == SAR_OK);
}

static void data(void) {
  SarData* out;
  BAD(sar_data_new(NULL, &out, &err));
  BAD(sar_data_new(m, NULL, &err));
  sar_data_free(NULL);
  sar_data_reset(NULL);
  BAD(sar_data_copy(NULL, d));
  BAD(sar_data_copy(d, NULL));
  BAD(sar_data_save(NULL, "x", &err));
  BAD(sar_data_save(d, NULL, &err));
  BAD(sar_data_load(NULL, "x", &err));
  BAD(sar_data_load(d, NULL, &err));
  IS(!sar_data_model(NULL) && isnan(sar_time(NULL)) && sar_state_hash(NULL) == 0);
  sar_set_time(NULL, 1);
  sar_energy_restart(NULL);
  IS(!sar_q(NULL) && !sar_v(NULL) && !sar_a(NULL) && !sar_inputs(NULL) && !sar_tau(NULL));
  IS(!sar_states(NULL));
  IS(!sar_get_q(NULL) && !sar_get_v(NULL) && !sar_get_a(NULL) && !sar_get_inputs(NULL));
  IS(!sar_get_states(NULL) && !sar_get_tau(NULL));
  BAD(sar_joint_get(NULL, 0, x, x));
  BAD(sar_joint_get(d, 0, NULL, x));
  BAD(sar_joint_get(d, 0, x, NULL));
  BAD(sar_joint_set(NULL, 0, x, x));
  BAD(sar_joint_set(d, 0, NULL, x));
  BAD(sar_joint_set(d, 0, x, NULL));
}

static void dynamics(void) {
  SarEnergy energy;
  BAD(sar_forward_dynamics(NULL));
  BAD(sar_inverse_dynamics(NULL, x, x));
  BAD(sar_inverse_dynamics(d, NULL, x));
  BAD(sar_inverse_dynamics(d, x, NULL));
  BAD(sar_mass_matrix(NULL, x));
  BAD(sar_mass_matrix(d, NULL));
  BAD(sar_tree_mass_matrix(NULL, x));
  BAD(sar_tree_mass_matrix(d, NULL));
  SarDerivatives* w;
  const SarForwardDerivatives forward = {0};
  const SarInverseDerivatives inverse = {0};
  BAD(sar_derivatives_new(NULL, &w, &err));
  BAD(sar_derivatives_new(m, NULL, &err));
  EXPECT_OK_OR(sar_derivatives_new(m, &w, &err), &err);
  BAD(sar_forward_dynamics_derivatives(NULL, d, &forward));
  BAD(sar_forward_dynamics_derivatives(w, NULL, &forward));
  BAD(sar_forward_dynamics_derivatives(w, d, NULL));
  BAD(sar_inverse_dynamics_derivatives(NULL, d, x, &inverse));
  BAD(sar_inverse_dynamics_derivatives(w, NULL, x, &inverse));
  BAD(sar_inverse_dynamics_derivatives(w, d, NULL, &inverse));
  BAD(sar_inverse_dynamics_derivatives(w, d, x, NULL));
  sar_derivatives_free(w);
  sar_derivatives_free(NULL);
  BAD(sar_jacobian(NULL, 0, x, x));
  BAD(sar_jacobian(d, 0, NULL, x));
  BAD(sar_jacobian(d, 0, x, NULL));
  BAD(sar_body_pose(NULL, 0, x, x));
  BAD(sar_body_pose(d, 0, NULL, x));
  BAD(sar_body_pose(d, 0, x, NULL));
  BAD(sar_body_velocity(NULL, 0, x, x, x));
  BAD(sar_body_velocity(d, 0, NULL, x, x));
  BAD(sar_body_velocity(d, 0, x, NULL, x));
  BAD(sar_body_velocity(d, 0, x, x, NULL));
  BAD(sar_energy(NULL, &energy));
  BAD(sar_energy(d, NULL));
  BAD(sar_momentum(NULL, x, x));
  BAD(sar_momentum(d, NULL, x));
  BAD(sar_momentum(d, x, NULL));
  BAD(sar_reaction(NULL, 0, x, x));
  BAD(sar_reaction(d, 0, NULL, x));
  BAD(sar_reaction(d, 0, x, NULL));
}

static void simulation(void) {
  SarSim* out;
  SarSimOptions o = sar_sim_options(), reference = sar_reference_options();
  SarChoice choice;
  SarContactPoint contact;
  SarEvent event;
  SarListEntry entry;
  IS(reference.rtol > 0);
  sar_sim_options_sized(NULL, sizeof o);
  sar_reference_options_sized(NULL, sizeof o);
  sar_stats_sized(s, NULL, sizeof(SarStats));
  IS(sar_contact_count(NULL) == 0);
  BAD(sar_contact(NULL, 0, &contact));
  BAD(sar_contact(d, 0, NULL));
  BAD(sar_sim_new(NULL, d, &o, &out, &err));
  BAD(sar_sim_new(m, NULL, &o, &out, &err));
  BAD(sar_sim_new(m, d, &o, NULL, &err));
  sar_sim_free(NULL);
  BAD(sar_choose(NULL, d, 0, 0, &o, &choice, &err));
  BAD(sar_choose(m, NULL, 0, 0, &o, &choice, &err));
  BAD(sar_choose(m, d, 0, 0, NULL, &choice, &err));
  BAD(sar_choose(m, d, 0, 0, &o, NULL, &err));
  BAD(sar_step(NULL));
  BAD(sar_advance(NULL, 1));
  IS(sar_stats(NULL).steps == 0 && sar_sim_trouble(NULL)[0] == 0);
  IS(sar_event_count(NULL) == 0);
  BAD(sar_event(NULL, 0, &event));
  BAD(sar_event(s, 0, NULL));
  BAD(sar_outputs(NULL, x));
  BAD(sar_accelerations(NULL));
  BAD(sar_warm_up(NULL));
  BAD(sar_outputs(s, NULL));
  BAD(sar_list(NULL, 0, &entry));
  BAD(sar_list("joints", 0, NULL));
}

static void analyses(void) {
  SarRun* run;
  SarStatics* statics;
  SarTrim* trim;
  SarModes* modes;
  SarKinematics* kinematics;
  SarTable* table;
  SarAssembly assembly;
  SarModelInfo model;
  SarConstraintInfo constraint;
  SarEvent event;
  SarBranch branch;
  const SarRunOptions no_run = {0};
  const SarStaticsOptions no_statics = {0};
  const SarTrimOptions no_trim = {0};
  const SarModesOptions no_modes = {0};
  const SarLinearizeOptions no_linearize = {0};
  SarLinearization* linear;
  const SarSweepOptions no_sweep = {0};
  IS(sar_run_options().keep_rows && sar_statics_options().size && sar_modes_options().size);
  IS(sar_linearize_options().size > 0);
  sar_run_options_sized(NULL, 8);
  sar_statics_options_sized(NULL, 8);
  sar_modes_options_sized(NULL, 8);
  sar_linearize_options_sized(NULL, 8);
  sar_sweep_options_sized(NULL, 8);
  sar_trim_options_sized(NULL, 8);
  BAD(sar_run(NULL, NULL, &run, &err));
  BAD(sar_run(m, NULL, NULL, &err));
  BAD(sar_run(m, &no_run, &run, &err));
  BAD(sar_statics(NULL, NULL, &statics, &err));
  BAD(sar_statics(d, NULL, NULL, &err));
  BAD(sar_statics(d, &no_statics, &statics, &err));
  BAD(sar_trim(NULL, &no_trim, &trim, &err));
  BAD(sar_trim("x.yaml", NULL, &trim, &err));
  BAD(sar_trim("x.yaml", &no_trim, NULL, &err));
  BAD(sar_trim("x.yaml", &no_trim, &trim, &err));
  const SarTrimOptions few = sar_trim_options();
  BAD(sar_trim("x.yaml", &few, &trim, &err));
  IS(sar_trim_report(NULL) == NULL && !sar_trim_model(NULL) && !sar_trim_data(NULL));
  sar_trim_free(NULL);
  BAD(sar_modes(NULL, NULL, &modes, &err));
  BAD(sar_modes(d, NULL, NULL, &err));
  BAD(sar_modes(d, &no_modes, &modes, &err));
  BAD(sar_linearize(NULL, NULL, &linear, &err));
  BAD(sar_linearize(d, NULL, NULL, &err));
  BAD(sar_linearize(d, &no_linearize, &linear, &err));
  BAD(sar_kinematics(NULL, NULL, &kinematics, &err));
  BAD(sar_kinematics(m, NULL, NULL, &err));
  BAD(sar_kinematics(m, &no_sweep, &kinematics, &err));
  BAD(sar_inverse(NULL, NULL, &table, &err));
  BAD(sar_inverse(m, NULL, NULL, &err));
  BAD(sar_inverse(m, &no_sweep, &table, &err));
  IS(sar_sweep_options().points == 101);
  BAD(sar_assemble(NULL, &assembly, &err));
  BAD(sar_assemble(d, NULL, &err));
  BAD(sar_model_info(NULL, &model));
  BAD(sar_model_info(m, NULL));
  BAD(sar_constraint_info(NULL, 0, &constraint));
  BAD(sar_constraint_info(m, 0, &constraint));  // there is none
  BAD(sar_model_check(NULL, &err));
  BAD(sar_parse_number(NULL, x));
  BAD(sar_parse_number("1", NULL));
  BAD(sar_parse_number("one", x));
  IS(sar_parse_number("90 deg", x) == SAR_OK && fabs(x[0] - 1.5707963267948966) < 1e-15);
  IS(sar_body_mass(NULL, 0) == 0 && sar_body_mass(m, -1) == 0 && sar_body_mass(m, 0) == 1);
  IS(!sar_run_report(NULL) && !sar_run_table(NULL) && !sar_run_data(NULL));
  BAD(sar_run_event(NULL, 0, &event));
  sar_run_free(NULL);
  IS(!sar_statics_report(NULL));
  BAD(sar_statics_reaction(NULL, 0, x, x, NULL));
  sar_statics_free(NULL);
  IS(!sar_modes_report(NULL) && !sar_modes_coordinate(NULL, 0) && !sar_modes_pattern(NULL, 0));
  sar_modes_free(NULL);
  SarFloquet* floquet;
  BAD(sar_floquet(NULL, 1, NULL, &floquet, &err));
  BAD(sar_floquet(d, 1, NULL, NULL, &err));
  BAD(sar_floquet(d, 0, NULL, &floquet, &err));
  BAD(sar_floquet(d, (double)NAN, NULL, &floquet, NULL));
  BAD(sar_floquet(d, 1, &(SarFloquetOptions){0}, &floquet, &err));
  IS(!floquet && !sar_floquet_report(NULL) && !sar_floquet_options().sim);
  sar_floquet_free(NULL);
  SarReduction* reduction;
  BAD(sar_reduce(NULL, NULL, &reduction, &err));
  BAD(sar_reduce(m, NULL, NULL, &err));
  BAD(sar_reduce(m, NULL, &reduction, NULL));  // it has no beam
  BAD(sar_reduce(m, &(SarReduceOptions){0}, &reduction, &err));
  BAD(sar_reduction_write(NULL, "a.yaml", NULL, &err));
  IS(!reduction && !sar_reduction_report(NULL) && sar_reduce_options().modes == 4);
  sar_reduction_free(NULL);
  SarConversion* conversion;
  BAD(sar_convert(NULL, "a.yaml", NULL, &conversion, &err));
  BAD(sar_convert("a.yaml", NULL, NULL, &conversion, &err));
  BAD(sar_convert("a.yaml", "b.yaml", NULL, NULL, &err));
  BAD(sar_convert("a.yaml", "b.yaml", &(SarConvertOptions){0}, &conversion, NULL));
  BAD(sar_conversion_write(NULL, "a.yaml", false, &err));
  IS(!conversion && !sar_conversion_text(NULL) && !sar_conversion_format(NULL));
  IS(!sar_conversion_losses(NULL) && !sar_conversion_loss(NULL, 0));
  IS(!sar_convert_options().format);
  sar_conversion_free(NULL);
  IS(!sar_linearization_report(NULL) && !sar_linearization_state(NULL, 0));
  IS(!sar_linearization_input(NULL, 0) && !sar_linearization_output(NULL, 0));
  sar_linearization_free(NULL);
  IS(!sar_kinematics_report(NULL) && !sar_kinematics_table(NULL));
  BAD(sar_kinematics_branch(NULL, 0, &branch));
  sar_kinematics_free(NULL);
  IS(sar_table_rows(NULL) == 0 && sar_table_columns(NULL) == 0 && !sar_table_name(NULL, 0));
  IS(sar_table_find(NULL, "a") == -1 && !sar_table_values(NULL));
  BAD(sar_table_save(NULL, "a.csv", 3, &err));
  BAD(sar_table_load(NULL, &table, &err));
  BAD(sar_table_load("a.csv", NULL, &err));
  sar_table_free(NULL);
}

static void batches(void) {
  SarBatch* b;
  SarBatchReport report;
  const SarBatchOptions nobody = {0};
  const SarModel *models[2] = {m, m}, *none[2] = {m, NULL};
  sar_batch_options_sized(NULL, 8);
  IS(!sar_model_is_like(NULL, m) && !sar_model_is_like(m, NULL) && sar_model_is_like(m, m));
  BAD(sar_batch_new(NULL, 2, NULL, &b, &err));
  BAD(sar_batch_new(models, 0, NULL, &b, &err));
  BAD(sar_batch_new(models, 2, NULL, NULL, &err));
  BAD(sar_batch_new(models, 2, &nobody, &b, &err));
  BAD(sar_batch_new(none, 2, NULL, &b, &err));
  SarBatchOptions odd = sar_batch_options();
  odd.lanes = 3;
  BAD(sar_batch_new(models, 2, &odd, &b, &err));
  IS(sar_batch_options().size == sizeof(SarBatchOptions));
  IS(sar_batch_count(NULL) == 0 && !sar_batch_data(NULL, 0) && !sar_batch_trouble(NULL, 0)[0]);
  BAD(sar_batch_advance(NULL, 1));
  BAD(sar_batch_status(NULL, 0));
  BAD(sar_batch_outputs(NULL, 0, x));
  BAD(sar_batch_report(NULL, &report));
  IS(sar_batch_new(models, 2, NULL, &b, &err) == SAR_OK && sar_batch_count(b) == 2);
  IS(!sar_batch_data(b, 2) && !sar_batch_data(b, -1) && sar_batch_data(b, 1));
  BAD(sar_batch_status(b, 2));
  BAD(sar_batch_outputs(b, 2, x));
  BAD(sar_batch_outputs(b, 0, NULL));
  BAD(sar_batch_report(b, NULL));
  const SarRollout rollout = {.periods = 1, .period = 1e-3}, empty = {.periods = 0, .period = 1e-3};
  BAD(sar_batch_rollout(NULL, &rollout));
  BAD(sar_batch_rollout(b, NULL));
  BAD(sar_batch_rollout(b, &empty));
  sar_batch_free(b);
  sar_batch_free(NULL);
}

static void real_time(void) {
  SarRealtime* rt = NULL;
  SarRtReport report;
  SarRtRehearsal rehearsal;
  char text[8];
  double from[2];
  long count[2];
  IS(sar_rt_options().size == sizeof(SarRtOptions));
  IS(sar_rt_cause_name((SarRtCause)-1) && sar_rt_cause_name((SarRtCause)999));
  BAD(sar_rt_new(NULL, NULL, &rt, &err));
  BAD(sar_rt_new(m, NULL, NULL, &err));
  BAD(sar_rt_start(NULL, &err));
  BAD(sar_rt_run(NULL, &err));
  IS(sar_rt_wait(NULL, 0) || !rt);
  sar_rt_stop(NULL);
  BAD(sar_rt_report(NULL, &report));
  IS(sar_rt_histogram(NULL, (SarRtTimes)0, from, count, 2) == 0 && !sar_rt_data(NULL));
  IS(!sar_rt_port_words(NULL, 0, text, sizeof text));
  BAD(sar_rt_rehearse(NULL, 1, 2, &rehearsal, &err));
  sar_rt_free(NULL);
}

static void indices(void) {
  static const int OUT[] = {-1, 1, INT_MAX, INT_MIN};
  static const SarItem KINDS[] = {SAR_ITEM_BODY,   SAR_ITEM_JOINT, SAR_ITEM_FORCE, SAR_ITEM_INPUT,
                                  SAR_ITEM_OUTPUT, SAR_ITEM_POINT, SAR_ITEM_STATE};
  for (size_t k = 0; k < sizeof OUT / sizeof *OUT; k++) {
    const int i = OUT[k];
    SarJointInfo info = {.nq = 77};
    SarContactPoint contact;
    SarEvent event;
    SarListEntry entry;
    BAD(sar_joint_info(m, i, &info));
    IS(info.nq == 77);
    BAD(sar_joint_limits(m, i, x, x, x, x));
    BAD(sar_joint_get(d, i, x, x));
    BAD(sar_joint_set(d, i, x, x));
    BAD(sar_reaction(d, i, x, x));
    BAD(sar_jacobian(d, i, x, x));
    BAD(sar_body_pose(d, i, x, x));
    BAD(sar_body_velocity(d, i, x, x, x));
    BAD(sar_contact(d, i, &contact));
    BAD(sar_event(s, i, &event));
    if (i != 1) BAD(sar_list("joints", i, &entry));
    BAD(sar_list("no such list", i, &entry));
    for (size_t n = 0; n < sizeof KINDS / sizeof *KINDS; n++)
      IS(i == 1 || !sar_model_name(m, KINDS[n], i));
  }
  IS(sar_model_count(m, (SarItem)99) == 0 && !sar_model_name(m, (SarItem)99, 0));
  IS(sar_model_find(m, SAR_ITEM_JOINT, "nobody") == -1);
}

// ---- structs of other versions ------------------------------------------------------------------

// A program that was compiled with an older header knows less of a struct: nothing behind that is
// written. One that knows more finds zeros there.
static void results_have_the_size_that_the_program_knows(void** state) {
  (void)state;
  struct {
    SarJointInfo info;
    char behind[16];
  } newer;
  SarJointInfo whole, older;
  EXPECT_OK(sar_joint_info(m, 0, &whole));
  memset(&older, 0x55, sizeof older);
  EXPECT_OK(sar_joint_info_sized(m, 0, &older, offsetof(SarJointInfo, qadr)));
  assert_ptr_equal(older.name, whole.name);
  assert_int_equal(older.body, whole.body);
  assert_int_equal(older.qadr, 0x55555555);
  memset(&newer, 0x55, sizeof newer);
  EXPECT_OK(sar_joint_info_sized(m, 0, &newer.info, sizeof newer));
  assert_int_equal(newer.info.nv, whole.nv);
  for (int i = 0; i < 16; i++) assert_int_equal(newer.behind[i], 0);
  SarStats stats = {.calls = -7};
  sar_stats_sized(s, &stats, offsetof(SarStats, calls));
  assert_int_equal(stats.calls, -7);
}

static void options_that_nobody_made_are_refused(void** state) {
  (void)state;
  SarSim* out;
  const SarSimOptions zero = {0};
  SarSimOptions newer = sar_sim_options();
  newer.size += 8;
  SarChoice choice;
  sar_error_init(&err);
  BAD(sar_sim_new(m, d, &zero, &out, &err));
  assert_null(out);
  assert_non_null(strstr(err.items[0].text, "sar_sim_options()"));
  BAD(sar_sim_new(m, d, &newer, &out, &err));
  BAD(sar_choose(m, d, 0, 0, &newer, &choice, &err));
}

static void options_of_an_older_program_have_defaults_behind(void** state) {
  (void)state;
  SarSim* out;
  SarSimOptions o;
  memset(&o, 0x55, sizeof o);  // what lies behind is somebody else's memory
  sar_sim_options_sized(&o, offsetof(SarSimOptions, max_iterations));
  assert_int_equal(o.size, offsetof(SarSimOptions, max_iterations));
  assert_int_equal(o.max_iterations, 0x55555555);
  o.integrator = "rk4";
  EXPECT_OK_OR(sar_sim_new(m, d, &o, &out, &err), &err);
  EXPECT_OK(sar_step(out));
  sar_sim_free(out);
}

static void load_options_of_an_older_program_are_zero_behind(void** state) {
  (void)state;
  SarModel* out;
  SarLoadOptions o = {.coordinates = "absolute"};
  memset((char*)&o + offsetof(SarLoadOptions, files), 0x55,
         sizeof o - offsetof(SarLoadOptions, files));
  char text[512];
  const int n = snprintf(text, sizeof text, "sarrus: 1\n%s", pendulum);
  EXPECT_OK_OR(sar_model_parse_sized(text, (size_t)n, "yaml", "a", &o,
                                     offsetof(SarLoadOptions, files), &out, &err),
               &err);
  assert_int_equal(sar_model_nv(out), 6);
  // one index also here: a tree joint that carries the body, and the file's, which is found by name
  SarJointInfo info;
  assert_int_equal(sar_model_count(out, SAR_ITEM_JOINT), 2);
  EXPECT_OK(sar_joint_info(out, sar_model_find(out, SAR_ITEM_JOINT, "j"), &info));
  assert_int_equal(info.role, SAR_JOINT_LOOP);
  assert_int_equal(info.vadr, 6);
  sar_model_free(out);
}

// ---- all of them --------------------------------------------------------------------------------

// Is the function called in this file?
static bool is_called(const char* source, const char* name) {
  const size_t n = strlen(name);
  for (const char* at = source; (at = strstr(at, name)); at += n)
    if (at[n] == '(' && !isalnum((unsigned char)at[-1]) && at[-1] != '_') return true;
  return false;
}

static char* whole_file(const char* name) {
  char path[512];
  static char text[2][1 << 17];
  char* to = text[strstr(name, ".c") != NULL];
  snprintf(path, sizeof path, "%s/%s", SARRUS_SOURCE_DIR, name);
  FILE* f = fopen(path, "r");
  assert_non_null(f);
  to[fread(to, 1, sizeof text[0] - 1, f)] = 0;
  fclose(f);
  return to;
}

// Functions of a public header; fails on one that is not called in `source`.
static int called_functions(const char* header, const char* source) {
  int count = 0;
  for (const char* at = header; (at = strstr(at, "SAR_API ")); at++) {
    const char* open = strchr(at, '(');
    if (!open || strncmp(at, "SAR_API __", 10) == 0) continue;
    const char* begin = open;
    while (isalnum((unsigned char)begin[-1]) || begin[-1] == '_') begin--;
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(open - begin), begin);
    char* sized = strstr(name, "_sized");  // called through the inline function beside it
    if (sized) *sized = 0;
    if (!is_called(source, name)) fail_msg("%s is not tried with NULL", name);
    count++;
  }
  return count;
}

static void every_function_is_here(void** state) {
  (void)state;
  const char* source = whole_file("tests/public/test_arguments.c");
  const size_t before = strlen(SARRUS_SOURCE_DIR) + 1;
  int count = 0;
  glob_t headers;
  assert_int_equal(glob(SARRUS_SOURCE_DIR "/include/sarrus/*.h", 0, NULL, &headers), 0);
  for (size_t i = 0; i < headers.gl_pathc; i++)
    count += called_functions(whole_file(headers.gl_pathv[i] + before), source);
  globfree(&headers);
  assert_true(count > 50);
}

static void coupled_simulators(void) {
  SarCouple* c = NULL;
  SarCoupleReport report;
  const char *to, *from;
  IS(!sar_couple_is(NULL) && !sar_couple_is("no such file"));
  BAD(sar_couple_load(NULL, NULL, &c, &err));
  BAD(sar_couple_load("a.yaml", NULL, NULL, &err));
  IS(!c && sar_couple_count(NULL) == 0 && !sar_couple_name(NULL, 0) && !sar_couple_model(NULL, 0));
  IS(!sar_couple_signal(NULL, 0, &to, &from) && sar_couple_options().end == 0);
  BAD(sar_couple_open(NULL, NULL, &err));
  BAD(sar_couple_run(NULL, &err));
  BAD(sar_couple_start(NULL, &err));
  IS(sar_couple_wait(NULL, 0));
  sar_couple_stop(NULL);
  BAD(sar_couple_report(NULL, &report));
  IS(!sar_couple_realtime(NULL, 0));
  sar_couple_free(NULL);
}

static void null_is_told(void** state) {
  (void)state;
  texts();
  loading();
  models();
  data();
  dynamics();
  simulation();
  analyses();
  batches();
  real_time();
  coupled_simulators();
  indices();
}

// ---- sar_advance --------------------------------------------------------------------------------

static void steps_are_bounded(void** state) {
  (void)state;
  SarSim* bounded;
  SarSimOptions o = sar_sim_options();
  o.integrator = "rk4";
  o.step = 1e-3;
  o.max_steps = 10;
  EXPECT_OK_OR(sar_sim_new(m, d, &o, &bounded, &err), &err);
  const double start = sar_time(d);
  EXPECT_STATUS(sar_advance(bounded, start + 1), SAR_STOPPED);
  EXPECT_NEAR(sar_time(d) - start, 0.010, 1e-12);
  assert_non_null(strstr(sar_sim_trouble(bounded), "10 steps"));
  EXPECT_STATUS(sar_advance(bounded, start + 0.015), SAR_OK);  // goes on
  sar_sim_free(bounded);
  o.max_steps = -1;
  EXPECT_STATUS(sar_sim_new(m, d, &o, &bounded, &err), SAR_BAD_ARGUMENT);
}

static void a_flag_cancels(void** state) {
  (void)state;
  SarSim* stopped;
  volatile int flag = 0;
  SarSimOptions o = sar_sim_options();
  o.cancel = &flag;
  EXPECT_OK_OR(sar_sim_new(m, d, &o, &stopped, &err), &err);
  const double start = sar_time(d);
  EXPECT_STATUS(sar_advance(stopped, start + 0.01), SAR_OK);
  flag = 1;
  EXPECT_STATUS(sar_advance(stopped, start + 100), SAR_STOPPED);
  assert_true(sar_time(d) < start + 50);
  assert_int_equal(sar_stats(stopped).steps > 0, 1);
  sar_sim_free(stopped);
}

static int begin(void** state) {
  (void)state;
  sar_error_init(&err);
  m = model_text(pendulum);
  return sar_data_new(m, &d, &err) != SAR_OK || sar_sim_new(m, d, NULL, &s, &err) != SAR_OK;
}

static int end(void** state) {
  (void)state;
  sar_sim_free(s);
  sar_data_free(d);
  sar_model_free(m);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_function_is_here),
      cmocka_unit_test(null_is_told),
      cmocka_unit_test(results_have_the_size_that_the_program_knows),
      cmocka_unit_test(options_that_nobody_made_are_refused),
      cmocka_unit_test(options_of_an_older_program_have_defaults_behind),
      cmocka_unit_test(load_options_of_an_older_program_are_zero_behind),
      cmocka_unit_test(steps_are_bounded),
      cmocka_unit_test(a_flag_cancels),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
