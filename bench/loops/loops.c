// loops_bench [ENGINE]: one line for each linkage and bound, the cheapest setting of each engine.
#include "../bench.h"
#include "loops.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const Engine* const ENGINE[] = {
    &engine_ours,
#ifdef SARRUS_HAVE_MUJOCO
    &engine_mujoco,
#endif
#ifdef SARRUS_HAVE_ODE
    &engine_ode,
#endif
#ifdef SARRUS_HAVE_SIMBODY
    &engine_simbody,
#endif
};
enum { ENGINES = sizeof ENGINE / sizeof *ENGINE };

typedef enum Measure { ENERGY, POSITION, ANGLE, LINE } Measure;

typedef struct Case {
  const char* name;
  int linkage;  // n of n four-bars; else one of these
  Measure measure;
  double bound, end, interval;
} Case;
enum { ANDREWS = -1, BRICARD = -2, PEAUCELLIER = -3 };

static const Case CASES[] = {
    {"double four-bar, 0.1 J", 2, ENERGY, 0.1, 10, 0.1},
    {"double four-bar, 1 mm", 2, POSITION, 1e-3, 10, 0.1},
    {"10 four-bars, 0.1 J", 10, ENERGY, 0.1, 10, 0.1},
    {"40 four-bars, 0.1 J", 40, ENERGY, 0.1, 10, 0.1},
    {"Andrews, 1e-2 rad", ANDREWS, ANGLE, 1e-2, 0.03, 3e-4},
    {"Andrews, 1e-3 rad", ANDREWS, ANGLE, 1e-3, 0.03, 3e-4},
    {"Bricard, 1e-3 J", BRICARD, ENERGY, 1e-3, 10, 0.1},
    {"Bricard, 1e-6 J", BRICARD, ENERGY, 1e-6, 10, 0.1},
    {"Peaucellier driven, 1 mm", PEAUCELLIER, LINE, 1e-3, 4, 0.1},
};

static void make_linkage(int which, Linkage* l) {
  if (which > 0) linkage_four_bars(l, which);
  if (which == ANDREWS) linkage_andrews(l);
  if (which == BRICARD) linkage_bricard(l);
  if (which == PEAUCELLIER) linkage_peaucellier(l);
}

// ---- what a run should give ---------------------------------------------------------------------------

// n parallelograms are one pendulum: J phi'' = m g l sin(phi), phi from the upright position
static void pendulum(int n, int samples, double interval, Sample* out) {
  enum { STEPS = 2000 };
  const double J = (n + 1) / 3. + n, load = 9.81 * ((n + 1) * 0.5 + n), h = interval / STEPS;
  double x = 0, w = -1;
  for (int i = 0; i < samples; i++) {
    for (int k = 0; k < STEPS; k++) {
      const double a1 = load / J * sin(x), w2 = w + h / 2 * a1, a2 = load / J * sin(x + h / 2 * w);
      const double w3 = w + h / 2 * a2, a3 = load / J * sin(x + h / 2 * w2), w4 = w + h * a3;
      const double a4 = load / J * sin(x + h * w3);
      x += h / 6 * (w + 2 * w2 + 2 * w3 + w4);
      w += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    const double at[3] = {0, n, n / 2};
    out[i].t = (i + 1) * interval;
    out[i].angle = x;
    for (int p = 0; p < 3; p++) {
      out[i].point[p][0] = at[p] - sin(x);
      out[i].point[p][1] = cos(x);
      out[i].point[p][2] = 0;
    }
  }
}

static void expected(const Case* c, const Linkage* l, int samples, Sample* out) {
  if (c->linkage > 0) {
    pendulum(c->linkage, samples, c->interval, out);
  } else if (c->linkage == PEAUCELLIER) {
    for (int i = 0; i < samples; i++) {
      const double psi = drive_angle((i + 1) * c->interval) - 1.0471975511965977462;
      out[i].point[0][0] = 1.19;
      out[i].point[0][1] = 1.19 * tan(psi / 2);
      out[i].point[0][2] = 0;
    }
  } else {
    reference_run(l, samples, c->interval, out);
  }
}

static double distance(const double* a, const double* b) {
  return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

// Energy of the start: of four-bars and Bricard's, the only ones judged by it
static double energy_at_start(const Case* c) {
  const int n = c->linkage;
  if (n > 0) return 0.5 * ((n + 1) / 3. + n) + 9.81 * ((n + 1) * 0.5 + n);
  return 9.81 * (0 + 0.5 + 1 + 1 + 0.5);
}

typedef struct Verdict {
  double error;
  bool branch;  // on the branch it should be on
} Verdict;

// On the branch: parallelograms stay such; others are where they should be to a few per cent of their
// size (Bricard's rods are 1 m; a mm in energy may be cm in position after 10 s).
static Verdict judge(const Case* c, const Linkage* l, int samples, const Sample* is,
                     const Sample* should) {
  Verdict v = {0, true};
  for (int i = 0; i < samples; i++) {
    double error = 0, stray = 0, allowed = 0.05;
    switch (c->measure) {
      case ENERGY: error = fabs(is[i].energy - energy_at_start(c)); break;
      case ANGLE: error = fabs(is[i].angle - should[i].angle); break;
      case LINE: error = fabs(is[i].point[0][0] - 1.19); break;
      case POSITION:
        for (int p = 0; p < l->points; p++)
          error = fmax(error, distance(is[i].point[p], should[i].point[p]));
        break;
    }
    if (c->linkage > 0) {
      for (int p = 1; p < l->points; p++)
        for (int k = 0; k < 2; k++) {
          const double apart = is[i].point[p][k] - is[i].point[0][k];
          const double right = should[i].point[p][k] - should[i].point[0][k];
          stray = fmax(stray, fabs(apart - right));
        }
    } else {
      for (int p = 0; p < l->points; p++)
        stray = fmax(stray, distance(is[i].point[p], should[i].point[p]));
      if (c->linkage == ANDREWS) allowed = 2e-3;
    }
    if (!(error <= v.error)) v.error = error;
    if (!(stray <= allowed)) v.branch = false;
  }
  return v;
}

// A peer that takes so many times as long as Sarrus is not looked at further.
static const double FAR_BEHIND = 100;

// ---- search -------------------------------------------------------------------------------------------

typedef struct Best {
  double ms;  // CPU per simulated second
  Setting setting;
  Verdict verdict;
} Best;

// CPU time: others may share the machine
static double cpu_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double time_run(const Engine* e, const Linkage* l, Setting s, const Case* c, int samples,
                       double budget) {
  double best = (double)INFINITY;
  const double begin = clock_now();
  for (int i = 0; i < 15 && (i < 2 || clock_now() - begin < budget); i++) {
    void* run = e->make(l, s, c->interval);
    const double t = cpu_now();
    const bool ok = e->run(run, samples, c->interval, NULL);
    best = ok ? fmin(best, cpu_now() - t) : (double)NAN;
    e->drop(run);
  }
  return 1e3 * best / c->end;
}

static Best search(const Engine* e, const Case* c, const Linkage* l, int samples,
                   const Sample* should, double longest, bool verbose) {
  static const double STEPS[] = {1,   2,   3,   4,   5,   6,   8,   10,   12,   16,
                                 20,  25,  32,  40,  50,  64,  80,  100,  128,  160,
                                 200, 256, 320, 400, 512, 640, 800, 1000, 2000, 4000};
  static const double DIGITS[] = {1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6, 6.5, 7, 8, 9, 10};
  static Sample is[MAX_SAMPLES];
  Best best = {.ms = (double)INFINITY};
  for (int method = 0; method < e->methods; method++) {
    const bool steps = e->counts_steps(method);
    const int count = steps ? sizeof STEPS / sizeof *STEPS : sizeof DIGITS / sizeof *DIGITS;
    int good = 0;
    for (int k = 0; k < count && good < 3; k++) {
      const Setting s = {method, steps ? STEPS[k] : DIGITS[k]};
      void* run = e->make(l, s, c->interval);
      if (!run) continue;
      const double t = cpu_now();
      const bool ok = e->run(run, samples, c->interval, is);
      const double spent = 1e3 * (cpu_now() - t) / c->end;
      e->drop(run);
      const Verdict v = judge(c, l, samples, is, should);
      if (verbose) {
        char text[64];
        e->describe(s, c->interval, text, sizeof text);
        printf("    %-28s %9.4g ms/s  error %9.3g %s%s\n", text, spent, v.error,
               v.branch ? "" : "other branch", ok ? "" : " broke down");
      }
      if (spent > 3 * best.ms || spent > longest) break;
      if (!ok || !v.branch || !(v.error <= c->bound)) continue;
      good++;
      const double ms = time_run(e, l, s, c, samples, 0.2);
      if (ms < best.ms) best = (Best){ms, s, v};
    }
  }
  return best;
}

static void print_best(const Engine* e, const Case* c, const Best* b) {
  char text[64];
  if (!isfinite(b->ms)) {
    printf("  %-10s         -          -  no setting within the bound, or far behind\n", e->name);
    return;
  }
  e->describe(b->setting, c->interval, text, sizeof text);
  printf("  %-10s %9.4f  %9.2e  %s\n", e->name, b->ms, b->verdict.error, text);
}

int main(int argc, char** argv) {
  static Linkage l;
  static Sample should[MAX_SAMPLES];
  const bool verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
  const char* only = argc > 2 ? argv[2] : NULL;
  setvbuf(stdout, NULL, _IOLBF, 0);
  clock_pin();
  printf(
      "Closed loops: CPU ms per simulated second at the cheapest setting within the bound, on the "
      "right branch\n");
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    const Case* c = &CASES[i];
    if (only && !strstr(c->name, only)) continue;
    const int samples = (int)lround(c->end / c->interval);
    make_linkage(c->linkage, &l);
    expected(c, &l, samples, should);
    Best best[ENGINES];
    double peer = (double)INFINITY;
    printf("%s\n", c->name);
    for (int e = 0; e < ENGINES; e++) {
      best[e] = search(ENGINE[e], c, &l, samples, should,
                       e ? FAR_BEHIND * best[0].ms : (double)INFINITY, verbose);
      print_best(ENGINE[e], c, &best[e]);
      if (e > 0) peer = fmin(peer, best[e].ms);
    }
    if (isfinite(peer)) printf("  %.2f times faster than the best peer\n", peer / best[0].ms);
  }
  return 0;
}
