// Formulation `generated` on models with constraints: what the code finds within a step is what
// `lagrange` finds, on every example with loops and on random mechanisms in both kinds of
// coordinates; runs end where those of `lagrange` end; next to singular positions it hands over.
//
// Bounds: both solve the same equations through squares of Psi, in another order, so rounding grows
// with the inverse square of the grip of the weakest row; the code is held to five digits fewer
// than that.
#include "support/loop_twin.h"
#include "support/model_file.h"

#include "dynamics/projection.h"

#include <dirent.h>

enum { MECHANISMS = 400, RUN = 300 };
static const double BOUND = 1e-10, APART = 1e-9, LAMBDA_BOUND = 1e-7,
                    FAINT = 2e-4;  // as random_loops has them

// ---- one evaluation -----------------------------------------------------------------------------

static SarSim* simulation(TwinSide* s, SarData* d, const char* name) {
  const SarSimOptions o = {.formulation = name,
                           .integrator = "rk4",
                           .step = 1e-3,
                           .rtol = 1e-8,
                           .atol = 1e-10,
                           .adaptive = 0,
                           .project = 1};
  SarSim* sim = NULL;
  EXPECT_OK(sar_sim_setup(s->m, d, &o, sar_formulation_find(name), sar_integrator_find("rk4"),
                          &s->loops, &sim, NULL));
  return sim;
}

// As within a step: true if it was the code that answered.
static bool evaluate(SarSim* sim) {
  sim->stepping = true;
  EXPECT_OK(sim->formulation->accel(sim));
  sim->stepping = false;
  const bool bare = sim->bare;
  sim->bare = false;
  return bare;
}

static bool code_agrees(TwinSide* s, int seed, double grip, double* worst) {
  double a[TWIN_MAX_NV], lambda[TWIN_MAX_ROWS];
  SarSim* sim = simulation(s, s->d, "lagrange");
  const bool unique = s->loops.freedom.rank == s->m->nrow;
  evaluate(sim);
  memcpy(a, s->d->a, sizeof *a * (size_t)s->m->nv);
  memcpy(lambda, s->d->lambda, sizeof *a * (size_t)s->m->nrow);
  sar_sim_free(sim);
  sim = simulation(s, s->d, "generated");
  const bool bare = evaluate(sim);
  sar_sim_free(sim);
  const double off = twin_apart(s->d->a, a, s->m->nv) * grip * grip,
               forces = unique ? twin_apart(s->d->lambda, lambda, s->m->nrow) * grip * grip : 0;
  if (!(off <= BOUND && forces <= LAMBDA_BOUND))
    fail_msg("mechanism %d: accelerations apart by %.1e / grip^2, multipliers by %.1e", seed, off,
             forces);
  *worst = fmax(*worst, off);
  return bare;
}

static void random_mechanisms(void** state) {
  (void)state;
  static TwinSide side[2];
  int by_code = 0, in_all = 0;
  double worst = 0;
  for (int k = 0; k < test_effort(MECHANISMS); k++) {
    if (twin_make(k, side))
      for (int c = 0; c < 2; c++) {
        const double grip = side[c].m->nrow > 0 ? twin_grip(&side[c]) : 0;
        if (grip < FAINT || twin_refusal(sar_formulation_find("generated"), &side[c])) continue;
        by_code += code_agrees(&side[c], k, grip, &worst);
        in_all++;
      }
    twin_free(&side[0]);
    twin_free(&side[1]);
  }
  print_message("%d of %d evaluated by code, worst %.1e / grip^2\n", by_code, in_all, worst);
  assert_true(2 * by_code > in_all);
}

// ---- runs ---------------------------------------------------------------------------------------

typedef struct Ended {
  SarStatus status;
  double t;
  int n;
  double q[1000];
} Ended;

static Ended run_by(const SarModel* m, const char* formulation) {
  SarError err;
  SarData* d;
  SarSim* s;
  SarSimOptions o = sar_sim_options();
  Ended e = {.n = m->nq + m->nv};
  o.formulation = formulation;
  o.integrator = "rk4";
  o.adaptive = 0;
  o.step = m->sim.end > 0 ? fmin(5e-4, m->sim.end / RUN) : 5e-4;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_data_new(m, &d, &err), &err);
  e.status = sar_sim_new(m, d, &o, &s, &err);
  for (int i = 0; i < RUN && e.status == SAR_OK; i++) e.status = sar_step(s);
  e.t = d->t;
  assert_in_range(e.n, 1, 1000);
  memcpy(e.q, d->q, (size_t)m->nq * sizeof *e.q);
  memcpy(e.q + m->nq, d->v, (size_t)m->nv * sizeof *e.q);
  sar_sim_free(s);
  sar_data_free(d);
  return e;
}

static void compare_run(const char* file, const char* coordinates, int* compared) {
  const SarLoadOptions load = {.coordinates = coordinates};
  SarModel* m = model_file(file, &load);
  if (m->nrow > 0) {
    const Ended a = run_by(m, "lagrange"), b = run_by(m, "generated");
    if (a.status != b.status || a.t != b.t)
      fail_msg("%s %s: ends with %s at %g, by lagrange with %s at %g", file, coordinates,
               sar_status_text(b.status), b.t, sar_status_text(a.status), a.t);
    const double off = a.status == SAR_OK ? twin_apart(b.q, a.q, a.n) : 0;
    if (!(off <= APART)) fail_msg("%s %s: apart by %.1e", file, coordinates, off);
    *compared += a.status == SAR_OK;
  }
  sar_model_free(m);
}

static void compare_folder(const char* folder, const char* prefix, int* compared) {
  char path[600], file[400];
  snprintf(path, sizeof path, "%s/%s", SARRUS_SOURCE_DIR, folder);
  DIR* at = opendir(path);
  size_t number = 0;
  assert_non_null(at);
  for (struct dirent* e; (e = readdir(at));) {
    if (!strstr(e->d_name, ".yaml") || !test_takes(number++, 4)) continue;
    snprintf(file, sizeof file, "%s%s", prefix, e->d_name);
    compare_run(file, "relative", compared);
    if (strstr(file, "fourbar") || strstr(file, "RSSR")) compare_run(file, "absolute", compared);
  }
  closedir(at);
}

static void examples_run_as_by_lagrange(void** state) {
  (void)state;
  int compared = 0;
  compare_folder("examples", "", &compared);
  compare_folder("tests/models/reference", "reference/", &compared);
  print_message("%d runs compared\n", compared);
  assert_true(compared > (test_effort(10) < 10 ? 1 : 15));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_mechanisms),
      cmocka_unit_test(examples_run_as_by_lagrange),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
