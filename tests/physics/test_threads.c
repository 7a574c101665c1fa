// One model, shared by threads: each with its own data and simulation, all formulations that take
// it at once. A model is constant, so what a thread computes is, bit for bit, what it computes
// alone.
#include "support/model_file.h"

#include "model/sim.h"

#include <pthread.h>

enum { STEPS = 60, MOST = 64 };

static const char* const MODELS[] = {"double_fourbar.yaml", "pd_arm.yaml", "gripper.yaml",
                                     "acrobat.yaml"};

typedef struct Job {
  const SarModel* m;
  const SarFormulation* formulation;
  bool offered;
  SarStatus status;
  unsigned long long hash;
} Job;

static void* run(void* context) {
  Job* job = context;
  SarSimOptions o = sar_sim_options();
  SarData* d = NULL;
  SarSim* s = NULL;
  o.formulation = job->formulation->name;
  double* columns = malloc(((size_t)job->m->nchannel + 1) * sizeof *columns);
  job->status = sar_data_new(job->m, &d, NULL);
  job->offered = job->status == SAR_OK && sar_sim_new(job->m, d, &o, &s, NULL) == SAR_OK;
  for (int k = 0; k < STEPS && job->offered && job->status == SAR_OK; k++) {
    job->status = sar_step(s);
    if (job->status == SAR_OK) sar_outputs(s, columns);
  }
  if (job->offered) job->hash = sar_state_hash(d);
  sar_sim_free(s);
  sar_data_free(d);
  free(columns);
  return NULL;
}

static int jobs_of(const SarModel* m, Job* jobs) {
  int n = 0;
  for (; n < MOST && sar_formulation(n); n++) jobs[n] = (Job){m, sar_formulation(n), 0, 0, 0};
  return n;
}

static void a_model_is_shared_by_threads(void** state) {
  (void)state;
  int offered = 0;
  for (size_t k = 0; k < sizeof MODELS / sizeof *MODELS; k++) {
    SarModel* m = model_file(MODELS[k], NULL);
    Job alone[MOST], together[MOST];
    pthread_t thread[MOST];
    const int n = jobs_of(m, alone);
    jobs_of(m, together);
    for (int i = 0; i < n; i++) run(&alone[i]);
    for (int i = 0; i < n; i++)
      assert_int_equal(pthread_create(&thread[i], NULL, run, &together[i]), 0);
    for (int i = 0; i < n; i++) pthread_join(thread[i], NULL);
    for (int i = 0; i < n; i++) {
      offered += alone[i].offered;
      if (alone[i].offered != together[i].offered || alone[i].status != together[i].status ||
          alone[i].hash != together[i].hash)
        fail_msg("%s, %s: beside others it goes another way", MODELS[k],
                 alone[i].formulation->name);
    }
    sar_model_free(m);
  }
  print_message("%d runs, each alone and beside the others\n", offered);
  assert_true(offered > 40);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_model_is_shared_by_threads)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
