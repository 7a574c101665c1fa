// Timing: blocks of calls of both engines in turn, so that both see the same weather; of the blocks
// the fastest (what the code costs) and the median (what one gets).
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 41 };
static const double BLOCK = 1.5e-3;  // [s]

typedef struct Timing {
  double min, median;  // [s] per call
} Timing;

static int by_value(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static Timing timing_of(double* times) {
  qsort(times, ROUNDS, sizeof *times, by_value);
  return (Timing){times[0], times[ROUNDS / 2]};
}

static double block_of_ours(Ours* o, Task task, int calls) {
  double start = clock_now();
  for (int i = 0; i < calls; i++) ours_call(o, task);
  return (clock_now() - start) / calls;
}

static double block_of_theirs(Theirs* t, Task task, int calls) {
  double start = clock_now();
  for (int i = 0; i < calls; i++) theirs_call(t, task);
  return (clock_now() - start) / calls;
}

// A block of steps is at most a fifth of a second of falling from rest: a motion that the step of 1
// ms follows, from the same start every time.
static int calls_for(Task task, double seconds_per_call) {
  int calls = (int)(BLOCK / seconds_per_call);
  if (task == STEP && calls > 200) calls = 200;
  return calls < 1 ? 1 : calls;
}

static void set_state(Ours* o, Theirs* t, Task task) {
  if (task == STEP)
    ours_set_at_rest(o, 1);
  else
    ours_set_random(o, 1);
  if (t) theirs_set(t, o);
}

static void measure(Ours* o, Theirs* t, Task task, Timing* ours, Timing* theirs) {
  double our_times[ROUNDS], their_times[ROUNDS];
  set_state(o, t, task);
  int our_calls = calls_for(task, block_of_ours(o, task, 100)), their_calls = 1;
  if (t) their_calls = calls_for(task, block_of_theirs(t, task, 100));
  for (int i = 0; i < ROUNDS; i++) {
    set_state(o, t, task);
    our_times[i] = block_of_ours(o, task, our_calls);
    their_times[i] = t ? block_of_theirs(t, task, their_calls) : 0;
  }
  *ours = timing_of(our_times);
  *theirs = timing_of(their_times);
}

static void model_path(char* path, size_t size, const char* name, const char* extension) {
  snprintf(path, size, "%s/tests/reference/tree/%s.%s", SARRUS_SOURCE_DIR, name, extension);
}

// The largest of 20 random states.
static double disagreement(Ours* o, Theirs* t) {
  double worst = 0;
  for (unsigned seed = 1; seed <= 20; seed++) {
    ours_set_random(o, seed);
    double difference = theirs_difference(t, o);
    if (!(difference <= worst)) worst = difference;
  }
  return worst;
}

static void check_agreement(Ours* o, Theirs* t, const char* name) {
  const double worst = t ? disagreement(o, t) : 0;
  // MuJoCo's own digits: it works in the world frame and loses some on the long chain
  if (!(worst <= 1e-6)) fail("%s: accelerations differ by %g, nothing to compare", name, worst);
  if (t) printf("%s %.0e  ", name, worst);
}

void table_against_mujoco(void) {
  enum { MODELS = 5 };
  Ours ours[MODELS];
  Theirs* theirs[MODELS];
  char path[4096], urdf[4096];
  printf("Sarrus %s, MuJoCo %s\nlargest relative difference of accelerations: ", sar_version(),
         theirs_version());
  for (int k = 0; k < MODELS; k++) {
    model_path(urdf, sizeof urdf, MODEL_NAME[k], "urdf");
    model_path(path, sizeof path, MODEL_NAME[k], "xml");
    ours[k] = ours_load(urdf);
    theirs[k] = theirs_load(path, urdf, &ours[k]);
    check_agreement(&ours[k], theirs[k], MODEL_NAME[k]);
  }
  printf("\n\n%-20s %-12s %22s %22s %8s\n", "us per call", "", "Sarrus min  median",
         "MuJoCo min  median", "ratio");
  for (Task task = FORWARD; task < TASKS; task++)
    for (int k = 0; k < MODELS; k++) {
      Timing our, their;
      measure(&ours[k], theirs[k], task, &our, &their);
      printf("%-20s %-12s %12.3f %9.3f %12.3f %9.3f %8.2f\n", k ? "" : TASK_NAME[task],
             MODEL_NAME[k], 1e6 * our.min, 1e6 * our.median, 1e6 * their.min, 1e6 * their.median,
             their.min / our.min);
    }
  for (int k = 0; k < MODELS; k++) {
    theirs_free(theirs[k]);
    ours_free(&ours[k]);
  }
}

static void robot_row(char* text, const char* path) {
  const char* slash = strrchr(path, '/');
  char why[1000] = "";
  Ours o;
  printf("%-32.32s ", slash ? slash + 1 : path);
  if (!ours_parse(text, path, &o, why, sizeof why)) {
    printf("not loaded: %s\n", why);
    return;
  }
  int fixed = 0;
  for (int j = 0; j < sar_model_count(o.m, SAR_ITEM_JOINT); j++) {
    SarJointInfo info;
    sar_joint_info(o.m, j, &info);
    fixed += info.nv == 0;
  }
  printf("%5d %6d ", o.nv, fixed);
  Theirs* t = theirs_parse(text, &o, why, sizeof why);
  if (t && o.nv > 0) {
    const double apart = disagreement(&o, t);
    Timing our, their;
    measure(&o, t, FORWARD, &our, &their);
    printf("%10.0e %10.3f %9.3f %8.2f\n", apart, 1e6 * our.min, 1e6 * their.min,
           their.min / our.min);
  } else {
    printf("%s\n", o.nv ? why : "nothing moves");
  }
  theirs_free(t);
  ours_free(&o);
}

void table_of_robots(int count, char** paths) {
  printf(
      "\nforward dynamics of robots, us per call, the fastest of blocks in turn\n"
      "%-32s %5s %6s %10s %10s %9s %8s\n",
      "", "nv", "fixed", "apart", "Sarrus", "MuJoCo", "ratio");
  for (int i = 0; i < count || (count == 0 && i == 0); i++) {
    char* text = count ? robot_text(paths[i]) : robot_with_fixed_links();
    robot_row(text, count ? paths[i] : "with fixed links");
    free(text);
  }
}

void table_of_chains(void) {
  static const int BODIES[] = {30, 100, 300, 1000};
  double least = 0, most = 0;
  printf("\nforward dynamics of chains    bodies  us per call  ns per body\n");
  for (int k = 0; k < 4; k++) {
    Ours o = ours_chain(BODIES[k]);
    Timing our, none;
    measure(&o, NULL, FORWARD, &our, &none);
    double per_body = our.min / BODIES[k];
    printf("%36d %12.2f %12.1f\n", BODIES[k], 1e6 * our.min, 1e9 * per_body);
    if (k == 0 || per_body < least) least = per_body;
    if (k == 0 || per_body > most) most = per_body;
    ours_free(&o);
  }
  printf("largest / least cost per body: %.2f\n", most / least);
}
