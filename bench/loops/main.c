// loops_bench [-v] [LINE]: for each linkage and bound the cheapest setting of each engine, and how
// much faster Sarrus is than the best of the others. -v shows every setting tried; LINE picks lines
// by a part of their names. With SARRUS_ALONE in the environment the others are left out.
#include "../bench.h"
#include "search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const Engine* const ENGINE[] = {
    &engine_ours,
#ifdef SARRUS_HAVE_MUJOCO
    &engine_mujoco,
#endif
#ifdef SARRUS_HAVE_SIMBODY
    &engine_simbody,
#endif
#ifdef SARRUS_HAVE_ODE
    &engine_ode,
#endif
    &engine_hybrid,
};
enum { ENGINES = sizeof ENGINE / sizeof *ENGINE, HYBRID = ENGINES - 1 };  // others: 1 to HYBRID - 1

// How much faster Sarrus has to be.
static const double WANTED = 2;
// A run that takes so many times as long as Sarrus, or as the best of the others so far, is given
// up, unless it is short.
static const double FAR_BEHIND = 80, BEHIND = 4, SHORT = 50;  // [ms]

static void print_best(const Engine* e, const Case* c, const Best* b) {
  char text[96];
  if (!isfinite(b->ms)) {
    printf("  %-10s         -          -  no setting within the bound, or far behind\n", e->name);
    return;
  }
  e->describe(b->setting, b->stride * c->interval, text, sizeof text);
  printf("  %-10s %9.4f  %9.2e  %s\n", e->name, b->ms, b->verdict.error, text);
}

// Does `hybrid` keep up with MuJoCo? One that was given up took at least `given_up` [ms/s].
static bool hybrid_holds(const Case* c, const Best* best, double given_up) {
  double theirs = (double)INFINITY;
  for (int e = 1; e < HYBRID; e++)
    if (strcmp(ENGINE[e]->name, "MuJoCo") == 0) theirs = best[e].ms;
  const bool known = isfinite(theirs);
  const double share = best[HYBRID].ms / (known ? theirs : given_up);
  const bool holds = share <= c->implicit;
  printf("  %s: implicit steps take %s%.2f of MuJoCo's time, at most %g wanted\n",
         holds ? "ok" : "FAILS", known ? "" : "less than ", share, c->implicit);
  return holds;
}

// Does the line hold?
static bool run_case(const Case* c, bool alone, bool verbose) {
  static Linkage l;
  static Sample should[MAX_SAMPLES];
  Best best[ENGINES];
  double peer = (double)INFINITY;
  case_linkage(c, &l);
  case_expected(c, &l, should);
  printf("%s\n", c->name);
  for (int e = 0; e < ENGINES; e++) {
    const bool other = e > 0 && e < HYBRID;
    best[e] = (Best){.ms = (double)INFINITY};
    if ((other && alone) || (e == HYBRID && c->implicit == 0)) continue;
    const double behind = e ? fmin(FAR_BEHIND * best[0].ms, BEHIND * peer) : (double)INFINITY;
    const double longest = fmax(behind, SHORT / c->end);
    best[e] = search_best(ENGINE[e], c, &l, should, longest, verbose);
    if (other) peer = fmin(peer, best[e].ms);
  }
  search_duel(ENGINE, ENGINES, c, &l, best);
  peer = (double)INFINITY;
  for (int e = 0; e < ENGINES; e++) {
    const bool other = e > 0 && e < HYBRID;
    if ((other && alone) || (e == HYBRID && c->implicit == 0)) continue;
    print_best(ENGINE[e], c, &best[e]);
    if (other) peer = fmin(peer, best[e].ms);
  }
  const bool keeps_up = alone || c->implicit == 0 || hybrid_holds(c, best, FAR_BEHIND * best[0].ms);
  if (!isfinite(best[0].ms)) {
    printf("  FAILS: Sarrus has no setting within the bound\n");
    return false;
  }
  if (!isfinite(peer)) {
    if (!alone) printf("  ok: no other engine within %.0f times Sarrus' time\n", FAR_BEHIND);
    return keeps_up;
  }
  const bool holds = peer / best[0].ms >= WANTED;
  printf("  %s: %.2f times faster than the best of the others%s\n", holds ? "ok" : "FAILS",
         peer / best[0].ms, holds ? "" : ", 2 wanted");
  return holds && keeps_up;
}

// OpenBLAS, which Simbody uses, starts threads that only wait for each other: one is fastest for
// matrices of this size. It reads the environment before main, so the program starts itself again.
static void use_one_thread(char** argv) {
  if (getenv("OPENBLAS_NUM_THREADS")) return;
  setenv("OPENBLAS_NUM_THREADS", "1", 1);
  execv("/proc/self/exe", argv);
}

int main(int argc, char** argv) {
  use_one_thread(argv);
  const bool verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
  const char* only = argc > 1 + verbose ? argv[1 + verbose] : "";
  const bool alone = getenv("SARRUS_ALONE") != NULL || ENGINES == 2;
  int failed = 0;
  setvbuf(stdout, NULL, _IOLBF, 0);
  clock_pin();
  printf(
      "Closed loops: CPU ms per simulated second and error at the cheapest setting within the "
      "bound and on the right branch\n");
  for (int i = 0; i < CASE_COUNT; i++)
    if (strstr(CASES[i].name, only)) failed += !run_case(&CASES[i], alone, verbose);
  if (failed) printf("%d lines fail\n", failed);
  return failed > 0;
}
