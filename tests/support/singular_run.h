// One run of a random mechanism through singular positions, judged by its motion in closed form
// (random_singular.h).
#pragma once
#include "support/random_singular.h"

#include "model/sim.h"

typedef struct SingularRun {
  const SarFormulation* formulation;
  const SarIntegrator* integrator;
  bool absolute, adaptive;
  double step, tolerance, rows, end;  // s; tolerance if adaptive; distance of the output rows
} SingularRun;

typedef enum SingularVerdict {
  SINGULAR_NOT_TAKEN,  // the formulation does not run this model, and says so before
  SINGULAR_PASSED,
  SINGULAR_REFUSED,  // a step failed, with the time and a joint named
  SINGULAR_WRONG
} SingularVerdict;

typedef struct SingularOutcome {
  SingularVerdict verdict;
  SarStatus status;
  double energy;   // largest error, as a share of the largest kinetic energy
  double bound;    // and how large it may be
  double apart;    // from the branch [m or rad]
  double late;     // of s at the end, from its motion in closed form [rad]
  double t;        // when it went wrong
  int iterations;  // most in a step
  char said[400];
} SingularOutcome;

// The most that s' and the angular velocities reach with the member's energy: sets the scale of the steps.
static inline double singular_fastest(const SingularMember* p, double end) {
  double s = p->s, speed = p->speed, most = 0;
  for (double t = 0; t <= end; t += 0.02) {
    SingularRates rate;
    singular_rates(&p->motion, s, &rate);
    for (int i = 0; i < p->motion.links; i++) most = fmax(most, v3_norm(rate.w[i]) * fabs(speed));
    most = fmax(most, fabs(speed));
    singular_advance(&p->motion, 0.02, &s, &speed);
  }
  return most;
}

// A suitable integrator, step or tolerance, distance of rows and coordinates, at random.
static inline bool singular_draw_run(Rng* r, const SingularMember* p, const SarFormulation* f,
                                     SingularRun* run) {
  const SarIntegrator* fit[16];
  int n = 0;
  for (int i = 0; sar_integrator(i); i++) {
    const SarIntegrator* one = sar_integrator(i);
    const bool there = one->step || one->scheme || one->impulses;
    if (there && sar_goes_with(f, one) && n < 16) fit[n++] = one;
  }
  *run = (SingularRun){.formulation = f};
  if (n == 0) return false;
  run->integrator = fit[rng_int(r, n)];
  run->absolute = f->absolute || rng_int(r, 3) == 0;
  // dense differences of many coordinates: minutes a run, and nothing that smaller ones do not show
  const bool dense = f->shape == SAR_SHAPE_ACCEL && run->integrator->implicit;
  if (dense && p->motion.links > 8) run->absolute = f->absolute;
  run->end = rng_uniform(r, 0.4, 1.2);
  const bool can = f->shape == SAR_SHAPE_ACCEL && run->integrator->can_adapt;
  run->adaptive = can && (!run->integrator->can_fix || rng_int(r, 3) > 0);
  const double quickest = 1 / singular_fastest(p, run->end);
  const double low = run->integrator->order > 2 ? 5e-3 : 1e-3;
  run->step = quickest * low * pow(16, rng_uniform(r, 0, 1));
  run->tolerance = pow(
      10, -rng_uniform(r, run->integrator->order > 2 ? 6 : 5, run->integrator->order > 2 ? 11 : 7));
  const double row = 5e-4 * pow(100, rng_uniform(r, 0, 1));
  run->rows = run->adaptive || rng_int(r, 2) ? row : fmax(row, 3 * run->step);
  return true;
}

// What the method owes. Fixed steps of order k err by C (h w)^k of the energy, w the fastest rate of the motion;
// symplectic Euler by C h w. Error control keeps each step's error below the tolerance: C times it.
static inline double singular_bound(const SingularMember* p, const SingularRun* run) {
  static const double each = 40, steps = 1e3, rounding = 1e-9;
  if (run->adaptive) return steps * run->tolerance + rounding;
  const double x = run->step * singular_fastest(p, run->end);
  const int order = run->integrator->order > 0 ? run->integrator->order : 1;
  return each * pow(x, order < 4 ? order : 4) + rounding;
}

static inline void singular_compare(const SingularMember* p, const SingularRun* run, SarSim* sim,
                                    SarData* d, SingularOutcome* out) {
  const double e0 = singular_energy(&p->motion, p->s, p->speed);
  double s = p->s, most = 0, off = 0;
  SarEnergy e;
  for (double row = 0; sar_time(d) < run->end; row += run->rows) {
    out->status = sar_advance(sim, fmin(row + run->rows, run->end));
    if (out->status != SAR_OK) break;
    EXPECT_OK(sar_energy(d, &e));
    most = fmax(most, e.kinetic);
    off = fmax(off, fabs(e.kinetic + e.potential - e0));
    out->energy = most > 0 ? off / most : 0;
    out->apart = fmax(out->apart, singular_apart(p, d, &s));
    out->t = sar_time(d);
    if (!(out->energy <= 10 * out->bound) || !(out->apart <= 1e-2)) return;
  }
  double s1 = p->s, speed = p->speed;
  if (out->status != SAR_OK) return;
  singular_advance(&p->motion, run->end, &s1, &speed);
  out->late = fabs(s - s1);
}

static inline SingularOutcome singular_run(const SingularMember* p, const SingularRun* run) {
  const SarLoadOptions load = {.coordinates = run->absolute ? "absolute" : "relative"};
  SingularOutcome out = {.bound = singular_bound(p, run)};
  SarError err;
  SarModel* m = NULL;
  SarData* d = NULL;
  SarSim* sim = NULL;
  SarSimOptions o = sar_sim_options();
  o.formulation = run->formulation->name;
  o.integrator = run->integrator->name;
  o.adaptive = run->adaptive;
  o.step = run->step;
  o.rtol = o.atol = run->tolerance;
  sar_error_init(&err);
  EXPECT_OK_OR(
      sar_model_parse(p->text.text, p->text.used, "yaml", "singular.yaml", &load, &m, &err), &err);
  EXPECT_OK_OR(sar_data_new(m, &d, &err), &err);
  out.status = sar_sim_new(m, d, &o, &sim, &err);
  if (out.status == SAR_OK) {
    singular_compare(p, run, sim, d, &out);
    snprintf(out.said, sizeof out.said, "%s", sar_sim_trouble(sim));
    out.iterations = sar_stats(sim).iterations_max;
  } else {
    snprintf(out.said, sizeof out.said, "%s", err.count > 0 ? err.items[0].text : "");
  }
  // a speed that is off by so much of itself is late by as much of the way
  const double late = fmax(0.05, out.bound);
  const bool right = out.energy <= out.bound && out.apart <= 1e-3 && out.late <= late;
  const bool named = strstr(out.said, "at t = ") && strstr(out.said, "joint '");
  if (out.status == SAR_NOT_OFFERED)
    out.verdict = SINGULAR_NOT_TAKEN;
  else if (out.status == SAR_OK)
    out.verdict = right ? SINGULAR_PASSED : SINGULAR_WRONG;
  else
    out.verdict = named ? SINGULAR_REFUSED : SINGULAR_WRONG;
  sar_sim_free(sim);
  sar_data_free(d);
  sar_model_free(m);
  return out;
}
