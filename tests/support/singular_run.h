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
  double fastest;                     // singular_fastest until `end` [1/s]
  double newton;                      // tolerance of Newton's method; 0: the usual one
  double lost;  // from the branch [m or rad], where comparing ends; 0: the usual one
} SingularRun;

typedef enum SingularVerdict {
  SINGULAR_NOT_TAKEN,  // the formulation does not run this model, and says so before
  SINGULAR_PASSED,
  SINGULAR_REFUSED,  // a step failed, with the time and a joint named
  SINGULAR_WRONG,
  SINGULAR_VERDICTS
} SingularVerdict;

typedef struct SingularOutcome {
  SingularVerdict verdict;
  SarStatus status;
  double energy;                          // largest error, as a share of the largest kinetic energy
  double joules;                          // the same [J]
  double bound;                           // and up to where it needs no explanation
  double apart;                           // from the branch [m or rad]
  double late;                            // of s at the end, from its motion in closed form [rad]
  double late_bound;                      // the same of it
  double energy_expected, late_expected;  // by runs with smaller steps, if there were any
  double t;                               // when it went wrong
  int iterations;                         // most in a step
  bool warned;                            // that sweeps were cut short by what matters
  char said[400];
} SingularOutcome;

// The most that s' and the angular velocities reach with the member's energy: sets the scale of the
// steps.
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

// Accelerations that are led past a singular position let none be of more than the fourth.
static inline int singular_order(const SingularRun* run) {
  const int order = run->integrator->order;
  return order < 1 ? 1 : order < 4 ? order : 4;
}

// A suitable integrator, step or tolerance, distance of rows and coordinates, at random.
static inline bool singular_draw_run(Rng* r, const SingularMember* p, const SarFormulation* f,
                                     SingularRun* run) {
  const SarIntegrator* fit[16];
  int n = 0;
  for (int i = 0; sar_integrator(i); i++) {
    const SarIntegrator* one = sar_integrator(i);
    const bool there = !one->missing;
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
  run->fastest = singular_fastest(p, run->end);
  const double quickest = 1 / run->fastest;
  const double low = run->integrator->order > 2 ? 5e-3 : 1e-3;
  run->step = quickest * low * pow(16, rng_uniform(r, 0, 1));
  run->tolerance = pow(
      10, -rng_uniform(r, run->integrator->order > 2 ? 6 : 5, run->integrator->order > 2 ? 11 : 7));
  const double row = 5e-4 * pow(100, rng_uniform(r, 0, 1));
  run->rows = run->adaptive || rng_int(r, 2) ? row : fmax(row, 3 * run->step);
  return true;
}

// The natural size of an error, as a share: of fixed steps of order k it is (h w)^k, w the fastest
// rate of the motion; with error control each of the steps may be off by the tolerance. Where
// violations of h^(k+1) are not projected but return at a rate ~ 1 / h, accelerations are off by
// h^(k-1).
static inline double singular_natural(const SingularRun* run) {
  static const double steps = 100, rounding = 1e-10;
  if (run->adaptive) return steps * run->tolerance + rounding;
  const int order = singular_order(run), lost = run->formulation->stabilised && order > 1;
  return pow(run->step * run->fastest, order - lost) + rounding;
}

// From the branch [m or rad]: what projects its steps is on it, the others are off by their order.
static inline double singular_apart_at_most(const SingularRun* run) {
  return 1e-3 + (run->formulation->stabilised ? singular_natural(run) : 0);
}

static inline void singular_compare(const SingularMember* p, const SingularRun* run, SarSim* sim,
                                    SarData* d, SingularOutcome* out) {
  const double e0 = singular_energy(&p->motion, p->s, p->speed);
  double s = p->s, most = 0, off = 0;
  SarEnergy e;
  for (double row = 0; sar_time(d) < run->end; row += run->rows) {
    out->status = sar_advance(sim, fmin(row + run->rows, run->end));
    if (out->status != SAR_OK) return;
    EXPECT_OK(sar_energy(d, &e));
    most = fmax(most, e.kinetic);
    off = fmax(off, fabs(e.kinetic + e.potential - e0));
    out->energy = most > 0 ? off / most : 0;
    out->joules = off;
    out->apart = fmax(out->apart, singular_apart(p, d, &s));
    out->t = sar_time(d);
    if (!(out->apart <= (run->lost > 0 ? run->lost : 1e-2))) return;  // no way to be late on
  }
  double s1 = p->s, speed = p->speed;
  singular_advance(&p->motion, run->end, &s1, &speed);
  out->late = fabs(s - s1);
}

static inline SingularOutcome singular_measure(const SingularMember* p, const SingularRun* run) {
  const SarLoadOptions load = {.coordinates = run->absolute ? "absolute" : "relative"};
  SingularOutcome out = {.status = SAR_OK};
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
  if (run->newton > 0) o.newton_tolerance = run->newton;
  sar_error_init(&err);
  EXPECT_OK_OR(
      sar_model_parse(p->text.text, p->text.used, "yaml", "singular.yaml", &load, &m, &err), &err);
  EXPECT_OK_OR(sar_data_new(m, &d, &err), &err);
  out.status = sar_sim_new(m, d, &o, &sim, &err);
  if (out.status == SAR_OK) {
    singular_compare(p, run, sim, d, &out);
    snprintf(out.said, sizeof out.said, "%s", sar_sim_trouble(sim));
    out.iterations = sar_stats(sim).iterations_max;
    out.warned = sar_stats(sim).unsettled_steps > 0;
  } else {
    snprintf(out.said, sizeof out.said, "%s", err.count > 0 ? err.items[0].text : "");
  }
  sar_sim_free(sim);
  sar_data_free(d);
  sar_model_free(m);
  return out;
}

// An error of order k of a step h says that one of e(f h) / f^k is to be expected. Where a step
// ends near a singular position is chance, and so is a good deal of the error: of the runs with
// smaller steps that are not refused the second largest such number must explain it, up to a
// factor, and the second smallest error must be smaller.
enum { SINGULAR_PARTS = 4 };
static const double SINGULAR_PART[SINGULAR_PARTS] = {0.5, 0.6, 0.4, 0.7};

static inline int singular_ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return x < y ? -1 : x > y;
}

static inline bool singular_falls(int n, double* error, double* expected, double whole,
                                  double floor) {
  static const double factor = 4, less = 0.75;
  if (whole <= floor) return true;
  if (n < 2) return false;
  qsort(error, (size_t)n, sizeof *error, singular_ascending);
  qsort(expected, (size_t)n, sizeof *expected, singular_ascending);
  return whole <= factor * expected[n - 2] + floor && error[1] <= less * whole;
}

// Larger errors must be explained by the order: by the same run with smaller steps.
static inline bool singular_is_explained(const SingularMember* p, const SingularRun* run,
                                         SingularOutcome* out) {
  // of the square root of a tolerance
  const double order = run->adaptive ? 2 : singular_order(run);
  double energy[2][SINGULAR_PARTS], late[2][SINGULAR_PARTS];
  int n = 0;
  for (int i = 0; i < SINGULAR_PARTS; i++) {
    const double f = SINGULAR_PART[i], scale = pow(f, -order);
    SingularRun finer = *run;
    finer.step = f * run->step;
    finer.rows = f * run->rows;  // which cut steps short
    finer.tolerance = f * f * run->tolerance;
    const SingularOutcome o = singular_measure(p, &finer);
    if (o.status != SAR_OK) continue;
    if (!(o.apart <= singular_apart_at_most(run))) return false;
    energy[0][n] = o.energy, energy[1][n] = scale * o.energy;
    late[0][n] = o.late, late[1][n++] = scale * o.late;
  }
  const bool energies = singular_falls(n, energy[0], energy[1], out->energy, out->bound);
  const bool ways = singular_falls(n, late[0], late[1], out->late, out->late_bound);
  if (n > 1) out->energy_expected = energy[1][n - 2], out->late_expected = late[1][n - 2];
  return energies && ways;
}

// How late is what has this much more energy all the time, or less? [rad] Where it moves slowly,
// more than a share of the energy is of its way.
static inline double singular_late_by(const SingularMember* p, double end, double joules) {
  const double rest = singular_energy(&p->motion, p->s, 0);
  const double unit = singular_energy(&p->motion, p->s, 1) - rest;
  double arrives[3];
  for (int i = 0; i < 3; i++) {
    double s = p->s, square = p->speed * p->speed + (i - 1) * joules / unit;
    double speed = copysign(sqrt(fmax(square, 0)), p->speed);
    singular_advance(&p->motion, end, &s, &speed);
    arrives[i] = s;
  }
  return fmax(fabs(arrives[0] - arrives[1]), fabs(arrives[2] - arrives[1]));
}

static inline SingularOutcome singular_run(const SingularMember* p, const SingularRun* run) {
  static const double judged = 10;
  static const double closed_form = 1e-5;  // of s: what its own integration may be off by, and more
  SingularOutcome out = singular_measure(p, run);
  // the energy may be off by as much as the engine lets a step be (sim/judge_energy.c); one that is
  // off by a share of it is late by such a share of its way, or by what the motion in closed form
  // is with that energy. Whatever is larger must be explained
  const double natural = singular_natural(run), way = run->fastest * run->end;
  out.bound = judged * natural;
  out.late_bound = (natural + out.energy) * way + closed_form;
  if (out.status == SAR_OK && out.late > out.late_bound)
    out.late_bound += singular_late_by(p, run->end, out.joules);
  const bool named = strstr(out.said, "at t = ") && strstr(out.said, "joint '");
  if (out.status == SAR_NOT_OFFERED)
    out.verdict = SINGULAR_NOT_TAKEN;
  else if (out.status != SAR_OK)
    out.verdict = named ? SINGULAR_REFUSED : SINGULAR_WRONG;
  else if (!(out.apart <= singular_apart_at_most(run)))
    out.verdict = SINGULAR_WRONG;
  else if (out.energy <= out.bound && out.late <= out.late_bound)
    out.verdict = SINGULAR_PASSED;
  else
    out.verdict = singular_is_explained(p, run, &out) ? SINGULAR_PASSED : SINGULAR_WRONG;
  // sweeps that do not claim to pass, cut short: the program tells, with the bodies
  if (out.verdict == SINGULAR_WRONG && out.warned && !(run->formulation->can & SAR_CAN_RANK_CHANGE))
    out.verdict = SINGULAR_REFUSED;
  return out;
}

static inline void singular_describe(const SingularMember* p, uint64_t seed, const SingularRun* run,
                                     const SingularOutcome* o) {
  print_message(
      "  %s, seed %llu, %s of %d links%s, %s, %s, h = %.3g, tolerance %.3g, rows %.3g, end %.3g: "
      "energy %.3g of %.3g (expected %.3g), apart %.3g, late %.3g of %.3g (expected %.3g), %d "
      "iterations; %s\n",
      run->formulation->name, (unsigned long long)seed, SINGULAR_NAME[p->motion.kind],
      p->motion.links, p->planar ? ", planar" : "", run->integrator->name,
      run->absolute ? "absolute" : "relative", run->step, run->adaptive ? run->tolerance : 0,
      run->rows, run->end, o->energy, o->bound, o->energy_expected, o->apart, o->late,
      o->late_bound, o->late_expected, o->iterations, o->said);
}

// How the members of one formulation went.
typedef struct SingularTally {
  int count[SINGULAR_VERDICTS];
  int iterations;  // most in a step
  int library;     // those of SUNDIALS, which tries a step several times by itself
} SingularTally;

static inline void singular_add(const SingularMember* p, uint64_t seed, const SingularRun* run,
                                SingularTally* tally) {
  const SingularOutcome o = singular_run(p, run);
  if (o.verdict == SINGULAR_WRONG || getenv("SARRUS_TEST_MEMBER"))
    singular_describe(p, seed, run, &o);
  tally->count[o.verdict]++;
  int* most = run->integrator->keeps_history ? &tally->library : &tally->iterations;
  if (o.iterations > *most) *most = o.iterations;
}

// absolute: 0, 1 or -1 for what is drawn
static inline void singular_count(const SarFormulation* f, uint64_t seed, int absolute,
                                  SingularTally* tally) {
  static SingularMember p;
  SingularRun run;
  Rng r = rng_seed(seed * 77 + 5);
  singular_random(seed, &p);
  if (!singular_draw_run(&r, &p, f, &run)) return;
  if (absolute >= 0) run.absolute = absolute;
  singular_add(&p, seed, &run, tally);
}

// The same member, begun up to five steps before it comes to a singular position: all that the run
// has seen of its grips when it comes there is weak, and what is hardly held is led by the
// accelerations of the start alone.
static inline void singular_count_begun(const SarFormulation* f, uint64_t seed,
                                        SingularTally* tally) {
  static SingularMember p;
  SingularRun run;
  Rng r = rng_seed(seed * 77 + 5);
  singular_random(seed, &p);
  if (p.motion.kind == SINGULAR_BRICARD || !singular_draw_run(&r, &p, f, &run)) return;
  singular_random_before(seed, run.step * rng_uniform(&r, 0, 5), &p);
  run.end = fmin(run.end, 30 * run.step + 0.05);
  run.fastest = singular_fastest(&p, run.end);
  singular_add(&p, seed, &run, tally);
}

static inline void singular_print(const char* name, const SingularTally* t) {
  print_message(
      "%-20s %5d passed, %4d with status 4, %3d wrong, %2d iterations at most (SUNDIALS %d)\n",
      name, t->count[SINGULAR_PASSED], t->count[SINGULAR_REFUSED], t->count[SINGULAR_WRONG],
      t->iterations, t->library);
}
