// Running a reference mechanism with loops and comparing it with its trajectory.
#pragma once
#include "support/model_file.h"
#include "support/reference_file.h"

typedef struct LoopRun {
  const char *name, *coordinates, *formulation,
      *integrator;         // the last two Nullable: the file's, auto
  const char* kinematics;  // Nullable: of `embedding`
  double tolerance;        // of the run; 0: the file's
  double step;             // fixed; 0: error control
  double end;              // last time to compare; 0: all of the reference
  // what came of it
  SarStatus status;
  double worst;       // largest difference over the scale of its column
  const char* where;  // column
  SarStats stats;
  SarEnergy energy;
  char said[600];  // first message or trouble
} LoopRun;

static inline void loop_compare_row(LoopRun* run, const SarModel* m, const double* values,
                                    const Reference* r, int row) {
  for (int k = 1; k < r->columns; k++) {
    int column = reference_column(m, r->name[k]);
    if (column < 0) fail_msg("%s: no column %s", run->name, r->name[k]);
    double off = fabs(values[column] - r->value[row][k]) / reference_scale(r, k);
    if (!(off <= run->worst)) run->worst = off, run->where = r->name[k];
  }
}

static inline void loop_follow(LoopRun* run, SarSim* s, const SarModel* m, const Reference* r) {
  static double values[256];
  assert_in_range(sar_model_count(m, SAR_ITEM_OUTPUT), 1, 256);
  for (int i = 0; i < r->rows && run->status == SAR_OK; i++) {
    if (run->end > 0 && r->value[i][0] > run->end) break;
    run->status = sar_advance(s, r->value[i][0]);
    if (run->status == SAR_OK) run->status = sar_outputs(s, values);
    if (run->status == SAR_OK) loop_compare_row(run, m, values, r, i);
  }
}

// Fills what came of it. The reference is read by the caller.
static inline void loop_run(LoopRun* run, const Reference* r) {
  char file[128];
  SarError err;
  SarData* d;
  SarSim* s;
  SarSimOptions o = sar_sim_options();
  const SarLoadOptions load = {.coordinates = run->coordinates};
  snprintf(file, sizeof file, "reference/%s.yaml", run->name);
  SarModel* m = model_file(file, &load);
  o.formulation = run->formulation;
  o.integrator = run->integrator;
  o.kinematics = run->kinematics;
  o.rtol = o.atol = run->tolerance;
  o.step = run->step;
  if (run->step > 0) o.adaptive = 0;
  run->worst = 0, run->where = "", run->said[0] = '\0';
  sar_error_init(&err);
  EXPECT_OK_OR(sar_data_new(m, &d, &err), &err);
  run->status = sar_sim_new(m, d, &o, &s, &err);
  if (run->status == SAR_OK) {
    loop_follow(run, s, m, r);
    run->stats = sar_stats(s);
    EXPECT_OK(sar_energy(d, &run->energy));
    snprintf(run->said, sizeof run->said, "%s", sar_sim_trouble(s));
  } else if (err.count > 0) {
    snprintf(run->said, sizeof run->said, "%s", err.items[0].text);
  }
  sar_sim_free(s);
  sar_data_free(d);
  sar_model_free(m);
}
