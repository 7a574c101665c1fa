// The net: models of examples/ and tests/ by all formulations that take them, each held against
// laws that every run obeys and against its own twins, the same mechanism written down in another
// way (support/twins/twin.h). Which of all these a run looks at is chosen at random;
// SARRUS_TEST_EFFORT and SARRUS_TEST_SEED take more and others. What fails prints how to repeat it:
//
//   SARRUS_TWIN="MODEL FORMULATION COORDINATES SEED TWIN" build/tests/matrix_test_twins
//
// with TWIN the number of one kind of twin, or -1 for all.
#include "support/test.h"
#include "support/twins/agree.h"
#include "support/twins/laws.h"

#include <glob.h>
#include <math.h>
#include <time.h>

// ---- the table ---------------------------------------------------------------------------------

enum { LAW_FINITE, LAW_CLOSED, LAW_SPEEDS, LAW_ENERGY, LAW_SIGNS, LAW_BALANCE, LAWS };

typedef struct Line {
  const char* name;
  const char* bound;
  int count, not_made;
  double worst;  // over the bound
  double size;   // what that is: a share of what moves
  char where[120];
} Line;

static Line law[LAWS] = {
    {.name = "every column is finite", .bound = "0"},
    {.name = "constraints are closed",
     .bound = "1e-8 of the size; by sweeps: 1e-5; lagrange, sweeps: and 3 times its change with "
              "half the step"},
    {.name = "speeds keep them closed",
     .bound =
         "1e-8 of the speed; by sweeps: 1e-5; impulses, lagrange: and 3 times its change with half "
         "the step"},
    {.name = "energy is explained",
     .bound =
         "4 times its change with half the step, and 1e-8; implicit 1e-6, impulses 1e-7, drifting "
         "formulations 1e-4"},
    {.name = "dampers, friction, limits and contact only take",
     .bound = "3 times its change with half the step, and 1e-12; impulses 1e-10"},
    {.name = "forces on each body = mass times acceleration",
     .bound =
         "1e-9; impulses: and 3 times its change with half the step; drifting formulations: and "
         "what constraints are open by"},
};
static Line twin[TWIN_KINDS];
static int cases, not_taken, unresolved, failures, known_failures;

static void enter(Line* line, double ratio, double size, const char* where) {
  line->count++;
  if (!(ratio > line->worst)) return;
  line->worst = ratio;
  line->size = size;
  snprintf(line->where, sizeof line->where, "%.110s", where);
}

static void print_line(const Line* l) {
  printf("| %s | %s | %d | %.1e | %.1e | %s |\n", l->name, l->bound, l->count, l->worst, l->size,
         l->where);
}

static void print_table(void) {
  int twins = 0;
  for (int i = 1; i < TWIN_KINDS; i++) twins += twin[i].count;
  printf(
      "\n%d cases (a model by a formulation) with %d twins, %d more where a formulation says why "
      "it does not take the model, %d not resolved by any step tried; %d failures, %d of them "
      "known\n\n",
      cases, twins, not_taken, unresolved, failures, known_failures);
  printf(
      "| property | bound | checked | worst over bound | worst | where "
      "|\n|---|---|---|---|---|---|\n");
  for (int i = 0; i < LAWS; i++) print_line(&law[i]);
  for (int i = 1; i < TWIN_KINDS; i++) print_line(&twin[i]);
  printf("\n| twin | not made |\n|---|---|\n");
  for (int i = 1; i < TWIN_KINDS; i++) printf("| %s | %d |\n", TWIN_NAME[i], twin[i].not_made);
}

// ---- what is known -----------------------------------------------------------------------------

typedef struct Known {
  const char *model, *formulation;  // part of the path; "": any
  int kind;                         // of twin, or ~law
  const char* why;
} Known;

static const Known KNOWN[] = {
    {"hexapod", "impulse", TWIN_SHUFFLED,
     "motors pull feet that stick against each other: 60 sweeps do not settle that, and with 50000 "
     "Coulomb's law has several solutions"},
    {"hexapod", "impulse", TWIN_SPLIT, "the same"},
    {"", "penalty", TWIN_UNITS, "one factor for all rows, which has units"},
    {"helicopter", "baumgarte", TWIN_COORDINATES,
     "Euler's steps, explicit or semi-implicit, open joints that turn at w by h w^2 r t / 2 faster "
     "than Baumgarte's terms close them: ends with status 4, later with smaller steps"},
    {NULL, NULL, 0, NULL},
};

static bool is_known(const Case* c, int kind) {
  for (const Known* k = KNOWN; k->model; k++)
    if (k->kind == kind && strstr(c->path, k->model) &&
        strstr(c->trial.formulation->name, k->formulation))
      return true;
  return false;
}

static const char* short_path(const Case* c) {
  return strncmp(c->path, SARRUS_SOURCE_DIR, strlen(SARRUS_SOURCE_DIR)) == 0
             ? c->path + strlen(SARRUS_SOURCE_DIR) + 1
             : c->path;
}

// One more line of the table; what is beyond its bound is a failure.
static void judge(const Case* c, Line* line, int kind, double ratio, double size,
                  const char* what) {
  char where[200];
  snprintf(where, sizeof where, "`%s` %s, %s%s", strrchr(c->path, '/') + 1,
           c->trial.formulation->name, c->trial.integrator->name, c->absolute ? ", absolute" : "");
  const bool failed = !(ratio <= 1), known = failed && is_known(c, kind);
  if (!known) enter(line, failed && isnan(ratio) ? (double)INFINITY : ratio, size, where);
  if (!failed) return;
  failures++;
  known_failures += known;
  if (known) return;
  print_error("%s: %.2e of the bound, %.2e: %s\n   SARRUS_TWIN=\"%s %s %s %llu %d\"\n", line->name,
              ratio, size, what, short_path(c), c->trial.formulation->name,
              c->absolute ? "absolute" : "relative", (unsigned long long)c->seed,
              kind < 0 ? 0 : kind);
}

// ---- laws --------------------------------------------------------------------------------------

// The audit's error is the integrator's: with half the step it is another, and where it does not
// change it must be nothing. (err(h) - err(h/2) is half of err(h) or more from order 1 on; of a h -
// b h^2, as Newmark's rule with damping has it beside states, a quarter or more while b h < a / 2.
// As errors may cross, the largest change up to the row counts.) Implicit steps leave a share of
// the accelerations, sweeps a share of the impulses, whatever the step. What stabilised
// formulations let constraints drift, their forces do work on: no step mends that.
static double energy_bound(const SarModel* m, const SarFormulation* f) {
  switch (f->shape) {
    case SAR_SHAPE_STEP:
    case SAR_SHAPE_MULTISTEP: return 1e-6;
    case SAR_SHAPE_IMPULSE: return 1e-7;
    default: return f->stabilised && m->nrow > 0 ? 1e-4 : 1e-8;
  }
}

static double energy_ratio(const Case* c, double* size) {
  const SarModel* m = c->model.model;
  const double least = energy_bound(m, c->trial.formulation) * c->scale[GROUP_ENERGY];
  const int e = sar_model_find(m, SAR_ITEM_OUTPUT, "energy.error");
  double worst = 0, change = 0;
  for (int row = 0; row < c->run.rows; row++) {
    const double a = c->run.value[row * m->nchannel + e],
                 b = c->halved.value[row * m->nchannel + e];
    change = fmax(change, fabs(a - b));
    const double ratio = fabs(a) / (4 * change + least);
    if (ratio > worst) worst = ratio, *size = fabs(a) / c->scale[GROUP_ENERGY];
  }
  return worst;
}

// Rows that sweeps close end within the tolerance of the sweeps, as share of the size.
static double closed_bound(const SarFormulation* f) {
  return f->shape == SAR_SHAPE_IMPULSE && strcmp(f->name, "impulse") != 0 ? 1e-5 : 1e-8;
}

static double speed_open(const Case* c, const TrialRun* r) {
  return r->stats.velocity_violation /
         fmax(1, fmax(c->scale[GROUP_VELOCITY], c->scale[GROUP_OMEGA]));
}

static double position_open(const Case* c, const TrialRun* r) {
  return r->stats.position_violation / fmax(1, c->scale[GROUP_POSITION]);
}

// Impulses: speeds are those that lead to closed positions; what Phi' a step leaves, the next one
// takes away, and it falls with the step. Formulations with a projection of their own (`settle`)
// report what they found before its last correction: the drift of one step, which falls with the
// step too. Sweeps close positions where velocities jump, halfway: what the other half of the step
// opens, (h w)^2, the next step takes.
static void check_closed(const Case* c) {
  const SarFormulation* f = c->trial.formulation;
  const double bound = closed_bound(f), moving = speed_open(c, &c->run);
  const double open = position_open(c, &c->run);
  const bool sweeps = f->shape == SAR_SHAPE_IMPULSE && strcmp(f->name, "impulse") != 0;
  const double opens =
      f->accelerations.settle || sweeps ? 3 * fabs(open - position_open(c, &c->halved)) : 0;
  judge(c, &law[LAW_CLOSED], ~LAW_CLOSED, open / (bound + opens), open, "positions");
  const bool falls = f->shape == SAR_SHAPE_IMPULSE || f->accelerations.settle;
  const double moves = falls ? 3 * fabs(moving - speed_open(c, &c->halved)) : 0;
  judge(c, &law[LAW_SPEEDS], ~LAW_SPEEDS, moving / (bound + moves), moving, "speeds");
}

static void check_laws(const Case* c) {
  const SarModel* m = c->model.model;
  const SarFormulation* f = c->trial.formulation;
  int column = 0;
  double size = 0;
  const int bad = law_not_finite(m, &c->run, &column);
  judge(c, &law[LAW_FINITE], ~LAW_FINITE, 2 * bad, bad, sar_model_name(m, SAR_ITEM_OUTPUT, column));
  if (m->nrow > 0 && !f->stabilised) check_closed(c);
  const double energy = energy_ratio(c, &size);
  judge(c, &law[LAW_ENERGY], ~LAW_ENERGY, energy, size, "energy.error");
  const double gain = law_dissipation(m, &c->run, c->scale, &column);
  // work is integrated by the method; sweeps leave what sticks a little speed
  int other;
  const double gained = fabs(gain - law_dissipation(m, &c->halved, c->scale, &other));
  const double room = 3 * gained + (f->shape == SAR_SHAPE_IMPULSE ? 1e-10 : 1e-12);
  judge(c, &law[LAW_SIGNS], ~LAW_SIGNS, gain / room, gain,
        sar_model_name(m, SAR_ITEM_OUTPUT, column));
  // impulses: means over a step, in which joints turn; stabilised formulations keep off the
  // constraints, and how redundant ones share their load holds on them
  const double change = fabs(c->run.balance - c->halved.balance);
  const double bound = 1e-9 + (f->shape == SAR_SHAPE_IMPULSE ? 3 * change : 0) +
                       (f->stabilised ? position_open(c, &c->run) : 0);
  if (!isnan(c->run.balance))
    judge(c, &law[LAW_BALANCE], ~LAW_BALANCE, c->run.balance / bound, c->run.balance, "");
}

// ---- twins -------------------------------------------------------------------------------------

static void check_twin(Case* c, TwinKind kind) {
  Verdict v;
  case_judge(c, kind, &v);
  if (!v.made) {
    twin[kind].not_made++;
    if (getenv("SARRUS_TWIN")) printf("%s: not made: %s\n", TWIN_NAME[kind], v.why);
    return;
  }
  judge(c, &twin[kind], kind, v.ratio, v.apart, v.where);
  if (getenv("SARRUS_TWIN"))
    printf("%-30s %-8s %.2e of the bound, %.2e %s\n", TWIN_NAME[kind], BOUND_NAME[v.bound], v.ratio,
           v.apart, v.where);
}

// One model by one formulation: all laws and some twins, or the one that is wanted; -1: all of
// them.
static void check_case(const char* path, const SarFormulation* f, bool absolute, uint64_t seed,
                       int wanted, int some) {
  Case c;
  Rng r = rng_seed(seed);
  case_open(&c, path, f, seed, absolute);
  if (c.ready) {
    cases++;
    check_laws(&c);
    for (int kind = 1; kind < TWIN_KINDS; kind++)
      if (wanted == kind || wanted < 0) check_twin(&c, kind);
    for (int i = 0; i < some; i++) check_twin(&c, (TwinKind)(1 + rng_int(&r, TWIN_KINDS - 1)));
  } else if (c.run.status == SAR_NOT_OFFERED || !c.model.model) {
    not_taken++;
  } else {
    unresolved++;
    if (getenv("SARRUS_TWIN")) printf("%s, %s: %s\n", path, f->name, c.why);
  }
  case_close(&c);
}

// ---- which -------------------------------------------------------------------------------------

static void find_models(glob_t* found) {
  static const char* const WHERE[] = {"examples/*.yaml", "tests/models/*.yaml",
                                      "tests/models/reference/*.yaml", "tests/models/tables/*.yaml",
                                      "tests/reference/tree/*.urdf"};
  char pattern[512];
  for (size_t i = 0; i < sizeof WHERE / sizeof *WHERE; i++) {
    snprintf(pattern, sizeof pattern, "%s/%s", SARRUS_SOURCE_DIR, WHERE[i]);
    assert_int_equal(glob(pattern, i ? GLOB_APPEND : 0, NULL, found), 0);
  }
}

// Some models cost a thousand times as much as others: those wait for a longer run.
static bool is_large(const char* path) {
  static const char* const LARGE[] = {"forty",       "pyramid",     "arch",       "dominoes",
                                      "fourbar_row", "chain100",    "humanoid36", "stewart",
                                      "hexapod",     "flexible_arm"};
  for (size_t i = 0; i < sizeof LARGE / sizeof *LARGE; i++)
    if (strstr(path, LARGE[i])) return true;
  return false;
}

static int formulation_count(void) {
  int n = 0;
  while (sar_formulation(n)) n++;
  return n;
}

static void repeat_one(const char* text) {
  char path[400], full[600], name[64], coordinates[16];
  unsigned long long seed;
  int kind;
  if (sscanf(text, "%399s %63s %15s %llu %d", path, name, coordinates, &seed, &kind) != 5)
    fail_msg("SARRUS_TWIN is MODEL FORMULATION COORDINATES SEED TWIN");
  snprintf(full, sizeof full, "%s%s%s", path[0] == '/' ? "" : SARRUS_SOURCE_DIR,
           path[0] == '/' ? "" : "/", path);
  assert_non_null(sar_formulation_find(name));
  check_case(full, sar_formulation_find(name), coordinates[0] == 'a', seed, kind, 0);
}

static void every_twin_agrees_and_every_law_holds(void** state) {
  (void)state;
  glob_t models = {0};
  const char* one = getenv("SARRUS_TWIN");
  const uint64_t seed = test_seed(1);
  const int wanted = one ? 0 : test_effort(110), formulations = formulation_count();
  Rng r = rng_seed(seed);
  find_models(&models);
  for (int i = 0; i < TWIN_KINDS; i++)
    twin[i] =
        (Line){.name = TWIN_NAME[i], .bound = i <= TWIN_REORDERED ? "bit for bit" : "rounding"};
  twin[TWIN_CUT].bound = twin[TWIN_SHUFFLED].bound = twin[TWIN_COORDINATES].bound =
      twin[TWIN_REVERSED].bound = "rounding; other coordinates: the method's error";
  twin[TWIN_ROWS].bound = "the method's error";
  if (one) repeat_one(one);
  for (int i = 0; i < wanted && cases < wanted;) {
    const char* path = models.gl_pathv[rng_int(&r, (int)models.gl_pathc)];
    const SarFormulation* f = sar_formulation(rng_int(&r, formulations));
    const bool absolute = f->absolute || rng_int(&r, 5) == 0;
    const uint64_t own = rng_next(&r);
    if (is_large(path) && wanted <= 200) continue;
    i++;
    check_case(path, f, absolute, own, 0, 3);
  }
  globfree(&models);
  print_table();
  assert_int_equal(failures, known_failures);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_twin_agrees_and_every_law_holds)};
  return cmocka_run_group_tests_name("twins", tests, NULL, NULL);
}
