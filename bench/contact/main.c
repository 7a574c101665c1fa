// contact_bench [SCENE]: for each scene what a step costs each engine in each of its settings, how
// well it holds, and whether Sarrus is as fast as it has to be where it holds no worse. SCENE picks
// by a part of the name. With SARRUS_ALONE in the environment the others are left out.
#include "../bench.h"
#include "contact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const Engine* const ENGINE[] = {
    &engine_ours,
#ifdef SARRUS_HAVE_ODE
    &engine_ode,
#endif
#ifdef SARRUS_HAVE_BULLET
    &engine_bullet,
#endif
};
enum { ENGINES = sizeof ENGINE / sizeof *ENGINE, MAX_LINES = 80 };

// Differences of this size are no differences [m]: of depth and drift a micrometre, of slip a
// ten-thousandth of a box; what is held may slip so far in a minute.
static const double FINE = 1e-6, FINE_SLIP = 1e-5, FINE_IN_HAND = 1e-4;
// A run that is judged is given up after so much CPU time [s]; a setting whose timed runs have
// taken so long is not run again.
static const double LONGEST = 20, TIMED = 2;
enum { ROUNDS = 30 };

typedef struct Line {
  const Engine* e;
  int setting;
  double us;     // for a step, the fastest run
  double timed;  // CPU time of its timed runs so far [s]
  Quality q;
  bool whole;  // made every step
} Line;

// CPU time: others may share the machine
static double cpu_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// The run that is judged also warms up.
static void judge(const Scene* s, Line* l) {
  static Pose pose[MAX_BOXES];
  void* run = l->e->make(s, l->setting);
  Measure* m = measure_new(s);
  const int steps = scene_steps(s);
  const double start = cpu_now();
  double spent = 0;
  int i = 0;
  for (; i < steps && spent < LONGEST && !measure_result(m).fell; i++) {
    const double before = cpu_now();
    if (!l->e->step(run)) break;
    l->us += 1e6 * (cpu_now() - before);
    l->e->look(run, pose);
    measure_take(m, (i + 1) * s->step, pose);
    spent = cpu_now() - start;
  }
  l->us /= i + 1e-9;
  l->q = measure_result(m);
  l->whole = i == steps;
  measure_free(m);
  l->e->drop(run);
}

// Settings in turn, so that what else the machine does meets all. Runs are whole: heaps cost more
// while they settle.
static void time_all(const Scene* s, Line* line, int lines) {
  for (int round = 0; round < ROUNDS; round++) {
    for (int k = 0; k < lines; k++) {
      Line* l = &line[k];
      if (!l->whole || l->timed > TIMED) continue;
      const int steps = scene_steps(s);
      void* run = l->e->make(s, l->setting);
      const double start = cpu_now();
      for (int i = 0; i < steps; i++) l->e->step(run);
      const double spent = cpu_now() - start;
      l->timed += spent;
      l->us = fmin(l->us, 1e6 * spent / steps);
      l->e->drop(run);
    }
  }
}

static bool any_of_ours(const Line* line, int lines) {
  for (int k = 0; k < lines; k++)
    if (line[k].e == &engine_ours) return true;
  return false;
}

static bool no_worse(const Scene* s, const Quality* a, const Quality* b) {
  return a->depth <= fmax(b->depth, FINE) && a->drift <= fmax(b->drift, FINE) &&
         a->slip <= fmax(b->slip, s->hand ? FINE_IN_HAND : FINE_SLIP);
}

// Our fastest setting that holds no worse than the other's
static const Line* match(const Scene* s, const Line* line, int lines, const Line* other) {
  const Line* best = NULL;
  for (int k = 0; k < lines; k++)
    if (line[k].e == &engine_ours && line[k].whole && no_worse(s, &line[k].q, &other->q) &&
        (!best || line[k].us < best->us))
      best = &line[k];
  return best;
}

// Prints one line; false: it fails.
static bool print_line(const Scene* s, const Line* line, int lines, const Line* l) {
  char text[80];
  const double wanted = l->e->wanted(s, l->setting);
  l->e->describe(s, l->setting, text, sizeof text);
  printf("  %-7s %-44s %9.2f", l->e->name, text, l->us);
  if (s->floor) printf(" %9.2e %9.2e", l->q.depth, l->q.slip);
  if (!s->hinges) printf(" %9.2e", l->q.tilt);
  if (s->hinges) printf(" %9.2e", l->q.drift);
  if (!l->whole) {
    printf("  %s\n", l->q.fell ? "falls" : "given up");
    return l->e != &engine_ours;
  }
  if (l->e == &engine_ours || !any_of_ours(line, lines)) {
    printf("\n");
    return true;
  }
  const Line* ours = match(s, line, lines, l);
  const double times = ours ? l->us / ours->us : 0;
  const bool holds = times >= wanted;
  if (ours)
    printf("  %6.2f", times);
  else
    printf("       -");
  if (wanted > 0) printf(" of %g %s", wanted, holds ? "ok" : "FAILS");
  printf("\n");
  return holds;
}

// How many lines fail
static int run_scene(const Scene* s, bool alone) {
  Line line[MAX_LINES];
  int lines = 0, failed = 0;
  for (int e = 0; e < (alone ? 1 : ENGINES); e++)
    for (int k = 0; k < ENGINE[e]->settings; k++)
      if (ENGINE[e]->describe(s, k, NULL, 0) && lines < MAX_LINES)
        line[lines++] = (Line){.e = ENGINE[e], .setting = k};
  for (int k = 0; k < lines; k++) judge(s, &line[k]);
  time_all(s, line, lines);
  printf("%s, %g ms, %g s\n", s->name, 1e3 * s->step, s->end);
  printf("  %-52s %9s%s%s%s\n", "", "us/step", s->floor ? "     depth      slip" : "",
         s->hinges ? "     drift" : "      tilt", alone ? "" : "   times");
  for (int k = 0; k < lines; k++) failed += !print_line(s, line, lines, &line[k]);
  return failed;
}

int main(int argc, char** argv) {
  static Scene s;
  const char* only = argc > 1 ? argv[1] : "";
  const bool alone = getenv("SARRUS_ALONE") != NULL;
  int failed = 0;
  setvbuf(stdout, NULL, _IOLBF, 0);
  clock_pin();
  printf(
      "Contact: CPU us per step; depth, slip, drift [m], tilt [rad], the largest of the run; "
      "times: how much faster Sarrus is\nin its fastest setting with no larger depth, slip and "
      "drift\n");
  for (int i = 0; i < SCENES; i++) {
    scene_make(i, &s);
    if (strstr(s.name, only)) failed += run_scene(&s, alone);
  }
  if (failed) printf("%d lines fail\n", failed);
  return failed > 0;
}
