// heaps_bench [N ...]: heaps of boxes, spheres and capsules fall into a room, then lie there. CPU
// time of a step while they fall and at rest, how deep the spheres lie in the floor, and how far
// the solid that goes farthest goes in the last seconds.
#include "../bench.h"
#include "heaps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const double FALL = 3, SETTLE = 12, REST = 10;  // [s]

static double cpu_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double uniform(unsigned* seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / 16777216.0;
}

static void shape(Solid* x, unsigned* seed) {
  static const double DENSITY = 1000;
  const double pi = 3.14159265358979323846, s = 0.08 + 0.04 * uniform(seed);
  double* I = x->inertia;
  if (x->kind == BOX) {
    for (int k = 0; k < 3; k++) x->size[k] = s * (0.7 + 0.6 * uniform(seed));
    x->mass = DENSITY * x->size[0] * x->size[1] * x->size[2];
    for (int k = 0; k < 3; k++)
      I[k] = x->mass / 12 * (pow(x->size[(k + 1) % 3], 2) + pow(x->size[(k + 2) % 3], 2));
  } else if (x->kind == SPHERE) {
    const double r = x->size[0] = 0.5 * s;
    x->mass = DENSITY * 4 / 3 * pi * r * r * r;
    for (int k = 0; k < 3; k++) I[k] = 0.4 * x->mass * r * r;
  } else {  // as a cylinder of its whole length
    const double r = x->size[0] = 0.35 * s, l = x->size[1] = 0.8 * s;
    x->mass = DENSITY * pi * r * r * (l + 4 * r / 3);
    I[2] = 0.5 * x->mass * r * r;
    I[0] = I[1] = x->mass / 12 * (3 * r * r + (l + 2 * r) * (l + 2 * r));
  }
}

// About five layers, whatever the number: as wide as it takes.
static void make_heap(int n, Heap* s) {
  static const double PITCH = 0.17;
  const int side = (int)ceil(sqrt(n / 5.0));
  unsigned seed = 12345u + (unsigned)n;
  s->solids = n;
  s->room = PITCH * side;
  s->step = 5e-3;
  s->friction = 0.6;
  for (int i = 0; i < n; i++) {
    Solid* x = &s->solid[i];
    x->kind = (Kind)(i % 3);
    shape(x, &seed);
    const int layer = i / (side * side), cell = i % (side * side);
    x->at[0] = PITCH * (cell % side - 0.5 * (side - 1)) + 0.01 * (uniform(&seed) - 0.5);
    x->at[1] = PITCH * (cell / side - 0.5 * (side - 1)) + 0.01 * (uniform(&seed) - 0.5);
    x->at[2] = 0.12 + PITCH * layer;
    double q[4], sum = 0;
    for (int k = 0; k < 4; k++) q[k] = uniform(&seed) - 0.5, sum += q[k] * q[k];
    for (int k = 0; k < 4; k++) x->quat[k] = q[k] / sqrt(sum);
  }
}

typedef struct Phase {
  double mean, worst;  // [us]
} Phase;

static Phase run_for(const HeapEngine* e, void* run, double time, double step) {
  Phase out = {0};
  const int steps = (int)(time / step + 0.5);
  for (int i = 0; i < steps; i++) {
    const double before = cpu_now();
    e->step(run);
    const double us = 1e6 * (cpu_now() - before);
    out.mean += us / steps;
    out.worst = fmax(out.worst, us);
  }
  return out;
}

static void measure(const HeapEngine* e, const Heap* s) {
  static double from[MAX_SOLIDS][3], to[MAX_SOLIDS][3];
  void* run = e->make(s);
  const Phase fall = run_for(e, run, FALL, s->step);
  run_for(e, run, SETTLE - FALL, s->step);
  e->look(run, from);
  const Phase rest = run_for(e, run, REST, s->step);
  e->look(run, to);
  double drift = 0, deep = 0;
  int beyond[] = {0, 0, 0};
  for (int i = 0; i < s->solids; i++) {
    double sum = 0;
    for (int k = 0; k < 3; k++) sum += pow(to[i][k] - from[i][k], 2);
    drift = fmax(drift, sqrt(sum));
    beyond[s->solid[i].kind] += sqrt(sum) > 1e-4;
    if (s->solid[i].kind == SPHERE) deep = fmax(deep, s->solid[i].size[0] - to[i][2]);
  }
  printf("  %-7s %5d %8.0f %8.0f %8.0f %8.0f  %9.2e %4d %4d %4d %9.2e\n", e->name, s->solids,
         fall.mean, fall.worst, rest.mean, rest.worst, drift, beyond[BOX], beyond[SPHERE],
         beyond[CAPSULE], deep);
  e->drop(run);
}

int main(int argc, char** argv) {
  static Heap s;
  static const int SIZES[] = {125, 500, 1000, 2000};
  setvbuf(stdout, NULL, _IOLBF, 0);
  clock_pin();
  printf(
      "Heaps, 5 ms: CPU us of the mean and the worst step while they fall (%g s) and at rest (from "
      "%g s\n"
      "on, %g s); drift in that time [m]; boxes, spheres, capsules beyond 0.1 mm; deepest sphere "
      "in the floor [m]\n",
      FALL, SETTLE, REST);
  printf("  %-7s %5s %8s %8s %8s %8s  %9s %4s %4s %4s %9s\n", "", "n", "fall", "worst", "rest",
         "worst", "drift", "box", "ball", "caps", "deep");
  for (int i = 0; i < (argc > 1 ? argc - 1 : 4); i++) {
    make_heap(argc > 1 ? atoi(argv[i + 1]) : SIZES[i], &s);
    measure(&heap_sarrus, &s);
#ifdef SARRUS_HAVE_BULLET
    if (!getenv("SARRUS_ALONE")) measure(&heap_bullet, &s);
#endif
  }
  return 0;
}
