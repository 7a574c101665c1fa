// Whole runs against trajectories computed by an independent code in maximal coordinates (15
// digits, accurate to a few 1e-11; closed-form Taylor series for the tumbling body). Every column
// counts: points, accelerations, angles, rates, angular velocities, reactions, energies.
#include "support/reference_file.h"

// Runs the model to each time of the reference; worst[k]: largest difference in column k.
static void run(const char* model_path, const Reference* r, double* worst, SarStats* stats) {
  SarError err;
  SarModel* m = NULL;
  SarData* d = NULL;
  SarSim* s = NULL;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_model_load(model_path, NULL, &m, &err), &err);
  EXPECT_OK_OR(sar_data_new(m, &d, &err), &err);
  EXPECT_OK_OR(sar_sim_new(m, d, NULL, &s, &err), &err);  // dopri5, 1e-12: in the model file
  int column[REFERENCE_COLUMNS], n = sar_model_count(m, SAR_ITEM_OUTPUT);
  for (int k = 1; k < r->columns; k++) {
    column[k] = reference_column(m, r->name[k]);
    if (column[k] < 0) fail_msg("%s has no column %s", model_path, r->name[k]);
    worst[k] = 0;
  }
  double* values = calloc((size_t)n, sizeof *values);
  for (int i = 0; i < r->rows; i++) {
    SarStatus status = sar_advance(s, r->value[i][0]);
    if (status != SAR_OK) fail_msg("%s: %s", model_path, sar_sim_trouble(s));
    EXPECT_OK(sar_outputs(s, values));
    for (int k = 1; k < r->columns; k++) {
      double difference = fabs(values[column[k]] - r->value[i][k]);
      worst[k] = difference <= worst[k] ? worst[k] : difference;  // keeps NaN
    }
  }
  *stats = sar_stats(s);
  free(values);
  sar_sim_free(s);
  sar_data_free(d);
  sar_model_free(m);
}

static void compare(const char* name, double bound) {
  static Reference r;
  char path[256];
  double worst[REFERENCE_COLUMNS];
  SarStats stats;
  reference_read(name, &r);
  snprintf(path, sizeof path, "tests/models/reference/%s.yaml", name);
  run(path, &r, worst, &stats);
  double largest = 0;
  int where = 1;
  for (int k = 1; k < r.columns; k++) {
    double relative = worst[k] / reference_scale(&r, k);
    if (!(relative <= bound))
      fail_msg("%s: column %s is off by %.3g of its scale, at most %.3g", name, r.name[k], relative,
               bound);
    if (relative > largest) where = k;
    largest = fmax(largest, relative);
  }
  print_message("%-28s %.1e of scale in %s, %ld steps\n", name, largest, r.name[where],
                stats.steps);
}

#define CASE(function, name, bound)    \
  static void function(void** state) { \
    (void)state;                       \
    compare(name, bound);              \
  }

CASE(spatial_double_pendulum, "C_spatial_double_pendulum", 1e-8)
CASE(puma_in_free_fall, "D_puma_freefall", 1e-8)
CASE(puma_with_torques, "D_puma_torques", 1e-8)
CASE(tumbling_body, "E_dzhanibekov", 1e-6)  // each flip multiplies errors; 1e5 to 1e6 in 20 s
CASE(floating_chain, "E_floating_chain4", 1e-8)
CASE(heavy_top, "N_heavy_top", 1e-8)
CASE(damped_planar_chain, "Q_planar_chain3", 1e-8)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(spatial_double_pendulum), cmocka_unit_test(puma_in_free_fall),
      cmocka_unit_test(puma_with_torques),       cmocka_unit_test(tumbling_body),
      cmocka_unit_test(floating_chain),          cmocka_unit_test(heavy_top),
      cmocka_unit_test(damped_planar_chain),
  };
  return cmocka_run_group_tests_name("reference", tests, NULL, NULL);
}
