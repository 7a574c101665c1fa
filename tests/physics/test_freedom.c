// How many degrees of freedom a mechanism has does not depend on where it stands and how it is
// turned: random stacks of parallelograms with three cranks or more, whose third equation follows
// from the others wherever they are, in random frames, with cranks anywhere or in line with their
// coupler (singular: fewer rows are independent there, and the neighbours count). And a step of
// what keeps off the constraints has one choice of rows: else accelerations jump, and implicit
// steps end without converging.
#include "sim/assemble.h"
#include "support/model_file.h"
#include "support/random_model.h"
#include "support/twins/trial.h"

#include <math.h>

enum { STACKS = 150, FRAMES = 12 };

typedef struct Frame {
  M3 R;
  V3 p;
} Frame;

static void write_point(ModelText* t, const char* key, const Frame* f, double x, double y) {
  const V3 at = v3_add(f->p, m3_mul_v(f->R, v3(x, y, 0)));
  model_add(t, "%s: [%.17g, %.17g, %.17g]", key, at.x, at.y, at.z);
}

static void write_body(ModelText* t, Rng* r, const Frame* f, const char* name, double x, double y) {
  model_add(t, "  %s: {", name);
  write_point(t, "at", f, x, y);
  model_add(t, ", mass: %.3g, inertia: [%.3g, 0.11, 0.12]}\n", rng_uniform(r, 0.5, 2),
            rng_uniform(r, 0.05, 0.15));
}

static void write_joint(ModelText* t, const Frame* f, const char* a, const char* b, double x,
                        double y) {
  const V3 z = m3_mul_v(f->R, v3(0, 0, 1));
  model_add(t, "  %s_%s: {revolute: [%s, %s], ", a, b, a, b);
  write_point(t, "at", f, x, y);
  model_add(t, ", axis: [%.17g, %.17g, %.17g]}\n", z.x, z.y, z.z);
}

typedef struct Storey {
  int cranks;
  double x, y, angle, length, foot[4];  // where the floor below is; feet along it
} Storey;

static int draw_stack(Rng* r, Storey* storey) {
  const int count = 1 + rng_int(r, 3);
  double x = 0, y = 0;
  for (int i = 0; i < count; i++) {
    Storey* s = &storey[i];
    *s = (Storey){.cranks = 3 + rng_int(r, 2), .x = x, .y = y, .length = rng_uniform(r, 0.3, 1.5)};
    s->angle = rng_int(r, 4) ? rng_uniform(r, -1.4, 1.4) : 0;
    for (int k = 0; k < s->cranks; k++)
      s->foot[k] = (k ? s->foot[k - 1] : 0) + rng_uniform(r, 0.3, 1.2);
    x += s->length * cos(s->angle), y += s->length * sin(s->angle);
  }
  return count;
}

static SarModel* write_stack(Rng* r, const Storey* storey, int count, bool absolute) {
  static ModelText t;
  char floor[32], crank[32], below[32];
  const Frame f = {quat_to_m3(rng_quat(r)), rng_v3(r, -5, 5)};
  SarLoadOptions o = {0};
  t.used = 0;
  if (absolute) o.coordinates = "absolute";
  model_add(&t, "sarrus: 1\nbodies:\n");
  for (int i = 0; i < count; i++) {
    const Storey* s = &storey[i];
    const double up = s->length * sin(s->angle), along = s->length * cos(s->angle);
    snprintf(floor, sizeof floor, "f%d", i);
    write_body(&t, r, &f, floor, s->x + along + 0.3, s->y + up);
    for (int k = 0; k < s->cranks; k++) {
      snprintf(crank, sizeof crank, "c%d%d", i, k);
      write_body(&t, r, &f, crank, s->x + s->foot[k] + along / 2, s->y + up / 2);
    }
  }
  model_add(&t, "joints:\n");
  for (int i = 0; i < count; i++) {
    const Storey* s = &storey[i];
    const double up = s->length * sin(s->angle), along = s->length * cos(s->angle);
    snprintf(floor, sizeof floor, "f%d", i);
    snprintf(below, sizeof below, i ? "f%d" : "ground", i - 1);
    for (int k = 0; k < s->cranks; k++) {
      snprintf(crank, sizeof crank, "c%d%d", i, k);
      write_joint(&t, &f, below, crank, s->x + s->foot[k], s->y);
      write_joint(&t, &f, crank, floor, s->x + s->foot[k] + along, s->y + up);
    }
  }
  return model_parse(t.text, &o);
}

static int freedom_of(const SarModel* m) {
  SarError err;
  SarFreedom freedom;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_find_freedom(m, &freedom, NULL, 0, &err), &err);
  return m->nv - freedom.rank;
}

static void a_stack_has_one_freedom_a_storey_in_any_frame(void** state) {
  (void)state;
  Rng r = rng_seed(test_seed(1));
  Storey storey[3];
  for (int i = 0; i < test_effort(STACKS); i++) {
    const int count = draw_stack(&r, storey);
    SarModel* m = write_stack(&r, storey, count, i % 5 == 0);
    const int freedom = freedom_of(m);
    if (freedom != count) fail_msg("stack %d: %d storeys, %d freedoms", i, count, freedom);
    sar_model_free(m);
  }
}

// The linkage is symmetric: rows tie, and rounding chooses between them.
static void implicit_steps_of_baumgarte_converge_in_any_frame(void** state) {
  (void)state;
  char path[512];
  const Trial trial = {sar_formulation_find("baumgarte"), sar_integrator_find("trapezoidal"), 1e-3,
                       5};
  model_path(path, sizeof path, "iftomm_a04_bricard.yaml");
  for (int i = 0; i < test_effort(FRAMES); i++) {
    Twin twin;
    TrialRun run;
    twin_make(path, TWIN_TURNED, test_seed(1) + (uint64_t)i, true, &twin);
    trial_run(&trial, twin.model, &twin, 0, &run);
    if (run.status != SAR_OK) fail_msg("frame %d: %s", i, run.said);
    trial_free(&run);
    twin_free(&twin);
  }
}

// Point masses at their joints: in a turned frame levers and moments of inertia are rounding, not
// zero.
static void point_masses_run_in_any_frame(void** state) {
  (void)state;
  static const char* const MODEL[] = {"quarter_car.yaml", "iftomm_a01_pendulum.yaml"};
  static const char* const FORMULATION[] = {"hybrid", "qr", "lagrange"};
  char path[512];
  for (int i = 0; i < test_effort(FRAMES); i++) {
    const Trial trial = {sar_formulation_find(FORMULATION[i % 3]),
                         sar_integrator_find(i % 3 ? "rk4" : "trapezoidal"), 1e-3, 2};
    Twin twin;
    TrialRun run;
    model_path(path, sizeof path, MODEL[i / 3 % 2]);
    twin_make(path, TWIN_TURNED, test_seed(7) + (uint64_t)i, true, &twin);
    trial_run(&trial, twin.model, &twin, 0, &run);
    if (run.status != SAR_OK)
      fail_msg("%s, %s, frame %d: %s", path, FORMULATION[i % 3], i, run.said);
    trial_free(&run);
    twin_free(&twin);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_stack_has_one_freedom_a_storey_in_any_frame),
      cmocka_unit_test(implicit_steps_of_baumgarte_converge_in_any_frame),
      cmocka_unit_test(point_masses_run_in_any_frame),
  };
  return cmocka_run_group_tests_name("freedom", tests, NULL, NULL);
}
