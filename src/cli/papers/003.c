// Paper 003: Uchida and McPhee, Using Groebner bases to generate efficient kinematic solutions for
// the dynamic simulation of multi-loop mechanisms, 2012. Tables 1 and 3: runs by embedding,
// Baumgarte's stabilisation and penalties. Tables 2 and 4: what the bases look like (003_bases.c).
// Figs. 4 and 5 (003_figures.c).
#include "cli/papers/003.h"

#include "base/clock.h"

#include <math.h>

enum { REPEAT = 3 };

typedef struct Method {
  const char* name;
  const char *formulation, *kinematics;
  double tolerance;         // of Newton's method
  double alpha, beta;       // baumgarte
  double rho, omega, zeta;  // penalty
  double theirs;            // ms for a second, "MS" compiler
  double violation;         // theirs, peak
} Method;

static const double NONE = (double)NAN;

static const Method STEWART[] = {
    {"Groebner basis", "embedding", "block", 1e-6, 0, 0, 0, 0, 0, 10.3, (double)NAN},
    {"separate Newton, 1e-3", "embedding", "newton", 1e-3, 0, 0, 0, 0, 0, 13.3, (double)NAN},
    {"separate Newton, 1e-6", "embedding", "newton", 1e-6, 0, 0, 0, 0, 0, 16.6, (double)NAN},
    {"single Newton, 1e-3", "embedding", "newton-all", 1e-3, 0, 0, 0, 0, 0, 45.3, (double)NAN},
    {"single Newton, 1e-6", "embedding", "newton-all", 1e-6, 0, 0, 0, 0, 0, 80.6, (double)NAN},
    {"Baumgarte", "baumgarte", NULL, 0, 1, 18, 0, 0, 0, 43.3, 9.5e-6},
    {"penalty", "penalty", NULL, 0, 0, 0, 1e3, 18, 1, 85.7, 1.3e-5},
};

static const Method FIVE_LINK[] = {
    {"block (Groebner)", "embedding", "block", 1e-6, 0, 0, 0, 0, 0, 15.5, (double)NAN},
    {"separate Newton", "embedding", "newton", 1e-6, 0, 0, 0, 0, 0, 18.3, (double)NAN},
    {"single Newton", "embedding", "newton-all", 1e-6, 0, 0, 0, 0, 0, 55.7, (double)NAN},
    {"Baumgarte", "baumgarte", NULL, 0, 7, 17, 0, 0, 0, 28.5, 3.1e-6},
    {"penalty", "penalty", NULL, 0, 0, 0, 1e3, 17, 7, 29.9, 8.0e-5},
};

static const Paper003Code STEWART_CODE[] = {
    {"Groebner basis", "embedding", "block", 10.3, 2.7},
    {"separate Newton", "embedding", "newton", 16.6, 9.2},
    {"single Newton", "embedding", "newton-all", 80.6, 73.8},
    {"augmented Lagrangian", "lagrange", NULL, (double)NAN, 0},
};

static const Paper003Code FIVE_LINK_CODE[] = {
    {"block (Groebner)", "embedding", "block", 15.5, 5.5},
    {"separate Newton", "embedding", "newton", 18.3, 9.9},
    {"single Newton", "embedding", "newton-all", 55.7, 47.8},
    {"augmented Lagrangian", "lagrange", NULL, (double)NAN, 0},
};

static SarSimOptions options_of(const Method* m) {
  SarSimOptions o = sar_sim_options();
  o.formulation = m->formulation;
  o.kinematics = m->kinematics;
  o.integrator = "euler";
  o.step = 1e-3;
  o.adaptive = SAR_STEPS_FIXED;
  o.newton_tolerance = m->tolerance;
  o.alpha = m->alpha, o.beta = m->beta;
  o.rho = m->rho, o.omega = m->omega, o.zeta = m->zeta;
  if (m->rho > 0) o.max_iterations = 1;
  return o;
}

// CPU time of one run, and what it left of the constraints.
static SarStatus run(const SarModel* m, const Method* method, double end, double* cpu,
                     SarStats* stats, SarError* err) {
  const SarSimOptions o = options_of(method);
  SarData* d = NULL;
  SarSim* s = NULL;
  SarStatus st = sar_data_new(m, &d, err);
  if (st == SAR_OK) st = sar_sim_new(m, d, &o, &s, err);
  if (st == SAR_OK) {
    *cpu = sar_clock_cpu();
    st = sar_advance(s, end);
    *cpu = sar_clock_cpu() - *cpu;
    *stats = sar_stats(s);
  }
  sar_sim_free(s);
  sar_data_free(d);
  return st;
}

static SarStatus make_runs(PaperReport* r, const char* table, const char* model, double end,
                           const Method* method, int count, const Paper003Code* code, int codes,
                           SarError* err) {
  SarModel* m;
  SAR_TRY(paper_model(model, &m, err));
  SarStatus st = SAR_OK;
  for (int i = 0; i < count && st == SAR_OK; i++) {
    double least = HUGE_VAL, cpu;
    SarStats stats = {0};
    for (int k = 0; k < paper_rounds(REPEAT) && st == SAR_OK; k++) {
      st = run(m, &method[i], end, &cpu, &stats, err);
      if (st == SAR_OK && cpu < least) least = cpu;
    }
    if (st != SAR_OK) break;
    paper_add(r, table, method[i].name, "dynamic [ms/s]", method[i].theirs, 1e3 * least / end,
              "interpreted");
    paper_add(r, table, method[i].name, "peak violation", method[i].violation,
              stats.position_violation, NULL);
    if (stats.kinematics_solved > 0)
      paper_add(r, table, method[i].name, "left to Newton", NONE,
                (double)stats.kinematics_fallbacks, "of its evaluations by polynomials");
  }
  if (st == SAR_OK) st = paper_003_generated(r, table, m, code, codes, err);
  sar_model_free(m);
  return st;
}

SarStatus paper_003_stewart(PaperReport* r, SarError* err) {
  return make_runs(r, "Table 1", "papers/003/stewart.yaml", 3, STEWART,
                   (int)(sizeof STEWART / sizeof *STEWART), STEWART_CODE,
                   (int)(sizeof STEWART_CODE / sizeof *STEWART_CODE), err);
}

SarStatus paper_003_five_link(PaperReport* r, SarError* err) {
  return make_runs(r, "Table 3", "papers/003/five_link.yaml", 3, FIVE_LINK,
                   (int)(sizeof FIVE_LINK / sizeof *FIVE_LINK), FIVE_LINK_CODE,
                   (int)(sizeof FIVE_LINK_CODE / sizeof *FIVE_LINK_CODE), err);
}

static SarStatus make(PaperReport* r, SarError* err) {
  if (r->only == 0 || r->only == 1) SAR_TRY(paper_003_stewart(r, err));
  if (r->only == 0 || r->only == 2 || r->only == 4) SAR_TRY(paper_003_bases(r, err));
  if (r->only == 0 || r->only == 3) SAR_TRY(paper_003_five_link(r, err));
  if (r->only == 0 || r->pictures) SAR_TRY(paper_003_figures(r, err));
  return SAR_OK;
}

const Paper paper_003 = {
    .number = "003",
    .title = "Uchida and McPhee 2012: Groebner bases for multi-loop mechanisms",
    .remarks =
        "Theirs: 3 GHz Pentium 4, generated C (MS compiler); ours: the interpreter, which "
        "evaluates the whole mechanism whichever\nway its coordinates are found, so the columns "
        "lie closer together than in straight-line code; rows 'C: ...' are generated\nC, compiled "
        "here (-O2), 'kinematic' moves an independent coordinate, closes loops and finds speeds, "
        "without dynamics. Explicit\nEuler, 1 ms. Elimination in generated C is sparse, so that "
        "one block of all unknowns costs hardly more than its loops one\nby one; a carrier that is "
        "left to Newton's method takes its links along there, where the interpreter has "
        "polynomials.\nStewart platform: Tsai's data, zero gravity, started at legs of 2 m. "
        "Five-link suspension: hardpoints of another axle, the\npaper prints none; its carrier is "
        "left to Newton's method, its links to polynomials. Bases: the paper needed 2 h (leg),\n"
        "45 min (loop). Fig. 4: the carrier over its height, driven by 0.1 sin(pi t/3) m; Fig. 5: "
        "that height, and under the force.",
    .tables = 4,
    .make = make,
};
