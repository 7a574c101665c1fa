// sarrus static: where a mechanism rests, what its joints carry there, and whether it stays.
#include "cli/cli.h"
#include "cli/static_solve.h"

#include "base/alloc.h"
#include "base/error.h"
#include "dynamics/sharing.h"
#include "model/model.h"
#include "output/json.h"
#include "sim/equilibrium.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS = 200, MOST_FREQUENCIES = 12 };

typedef struct Rest {
  const char* path;
  const SarModel* m;
  SarData* d;
  SarSim* s;
  SarEquilibrium e;
  SarSharing share;   // where constraints are redundant
  void* share_block;  // its memory; NULL: none is
  CliSolved solved;
  double potential;
} Rest;

static const char* verdict(const SarEquilibrium* e) {
  return e->unstable > 0 ? "unstable" : e->indifferent > 0 ? "indifferent" : "stable";
}

// ---- joints: those of the file, in the tree or not --------------------------------------------------

static bool is_of_file(const SarModel* m, int joint) { return joint >= m->nbody || !m->absolute; }

// Coordinates as the file counts them; returns how many.
static int position_of(const Rest* r, int joint, double* q) {
  double v[SAR_JOINT_MAX_NV];
  sar_joint_get(r->d, sar_joint_item(r->m, joint), q, v);
  return r->m->joint_nq[joint];
}

static void reaction_of(const Rest* r, int joint, double F[6]) {
  if (r->share_block) {
    const Force shared = r->share.reaction[joint];
    v3_store(F, shared.f);
    v3_store(F + 3, shared.n);
  } else
    sar_reaction(r->d, sar_joint_item(r->m, joint), F, F + 3);
}

static bool is_unique(Rest* r, int joint, int component) {
  return !r->share_block || sar_reaction_is_unique(&r->share, r->m, r->d, joint, component);
}

static SarStatus share_reactions(Rest* r) {
  double F[6];
  if (!sar_sharing_needed(r->m, r->m->nrow - r->e.redundant)) return SAR_OK;
  void* block = sar_alloc(sar_sharing_size(r->m));
  if (!block) return SAR_NO_MEMORY;
  sar_sharing_init(&r->share, r->m, block);
  reaction_of(r, 0, F);  // evaluates
  sar_share(&r->share, r->m, r->d);
  r->share_block = block;
  return SAR_OK;
}

// ---- printing ------------------------------------------------------------------------------------

static void print_frequencies(const SarEquilibrium* e) {
  if (e->freedom == 0) return;
  printf("  frequencies  ");
  for (int k = 0; k < e->freedom && k < MOST_FREQUENCIES; k++)
    if (fabs(e->omega2[k]) <= e->floor)
      printf("%s0", k ? ", " : "");
    else if (e->omega2[k] < 0)
      printf("%sleaves with %.4g 1/s", k ? ", " : "", sqrt(-e->omega2[k]));
    else
      printf("%s%.4g Hz", k ? ", " : "", sqrt(e->omega2[k]) / (2 * 3.14159265358979324));
  printf("%s\n", e->freedom > MOST_FREQUENCIES ? ", ..." : "");
}

// One line; returns whether something of it is not unique.
static bool print_reaction(Rest* r, int joint, double most) {
  double F[6];
  bool marked = false;
  reaction_of(r, joint, F);
  printf("%-16s", sar_text(r->m, r->m->joint_name[joint]));
  for (int i = 0; i < 6; i++) {
    const bool unique = is_unique(r, joint, i);
    printf(" %10.5g%s", fabs(F[i]) < 1e-12 * most ? 0 : F[i], unique ? " " : "*");
    marked |= !unique;
  }
  printf("\n");
  return marked;
}

static void print_solved(const CliSolved* s) {
  for (int i = 0; i < s->count; i++)
    printf("  %-12s %s = %.12g (was %.6g)%s\n", i ? "" : "solved", s->parameter[i].name,
           s->parameter[i].value, s->before[i], s->idle[i] ? ": has no influence" : "");
  if (s->shared)
    printf("               only combinations of them matter: the nearest to what they were\n");
  for (int i = 0; i < s->conditions; i++)
    printf("  %-12s %s (off by %.2g)\n", i ? "" : "so that", s->condition[i], fabs(s->left[i]));
  if (s->count > 0 && s->conditions == 0)
    printf("  so that      the position of the file is an equilibrium\n");
}

static void print_text(Rest* r) {
  const SarModel* m = r->m;
  const SarEquilibrium* e = &r->e;
  printf("%s: at rest, %s", cli_shown(r->path), verdict(e));
  if (e->unstable > 0)
    printf(" in %d of %d directions", e->unstable, e->freedom);
  else if (e->indifferent > 0)
    printf(" in %d of %d directions", e->indifferent, e->freedom);
  printf(" (%d iterations)\n", e->iterations);
  print_solved(&r->solved);
  printf("  freedom      %d\n", e->freedom);
  print_frequencies(e);
  printf("  energy       %.9g J potential\n", r->potential);
  printf("  audit        largest force left %.2g N or N m\n", e->force);
  if (e->redundant > 0)
    printf("  redundant    %d equation%s\n", e->redundant, e->redundant == 1 ? "" : "s");
  printf("\n%-16s %s\n", "joint", "position [rad or m]");
  for (int j = 0; j < m->njoint; j++) {
    double q[SAR_JOINT_MAX_NQ];
    if (!is_of_file(m, j) || m->joint_nq[j] == 0) continue;
    printf("%-16s", sar_text(m, m->joint_name[j]));
    for (int i = 0, n = position_of(r, j, q); i < n; i++)
      printf(" %.9g", fabs(q[i]) < 1e-12 ? 0 : q[i]);
    printf("\n");
  }
  if (m->nz > 0) printf("\n%-16s %s\n", "state", "value");
  for (int i = 0; i < m->nz; i++) printf("%-16s %.9g\n", sar_text(m, m->z_name[i]), r->d->z[i]);
  printf("\n%-16s %10s  %10s  %10s  %10s  %10s  %10s\n", "reaction", "fx [N]", "fy", "fz",
         "tx [N m]", "ty", "tz");
  double F[6], most = 0;
  bool marked = false;
  for (int j = 0; j < m->njoint; j++) {
    reaction_of(r, j, F);
    for (int i = 0; i < 6; i++) most = fmax(most, fabs(F[i]));
  }
  for (int j = 0; j < m->njoint; j++)
    if (is_of_file(m, j)) marked |= print_reaction(r, j, most);
  if (marked) printf("* not unique: constraints are redundant, the smallest reactions are shown\n");
}

static void json_list(SarJson* j, const char* key, const double* x, int n) {
  sar_json_open(j, key, '[');
  for (int i = 0; i < n; i++) sar_json_number(j, NULL, x[i]);
  sar_json_close(j, ']');
}

static void json_solved(SarJson* j, const CliSolved* s) {
  if (s->count == 0) return;
  sar_json_open(j, "solved", '[');
  for (int i = 0; i < s->count; i++) {
    sar_json_open(j, NULL, '{');
    sar_json_text(j, "parameter", s->parameter[i].name);
    sar_json_number(j, "value", s->parameter[i].value);
    sar_json_number(j, "before", s->before[i]);
    sar_json_bool(j, "no_influence", s->idle[i]);
    sar_json_close(j, '}');
  }
  sar_json_close(j, ']');
  sar_json_bool(j, "solution_unique", !s->shared);
  sar_json_open(j, "conditions", '[');
  for (int i = 0; i < s->conditions; i++) {
    sar_json_open(j, NULL, '{');
    sar_json_text(j, "condition", s->condition[i]);
    sar_json_number(j, "off_by", s->left[i]);
    sar_json_close(j, '}');
  }
  sar_json_close(j, ']');
}

static const char* const COMPONENT[6] = {"fx", "fy", "fz", "tx", "ty", "tz"};

static void print_json(Rest* r, SarStatus st) {
  const SarModel* m = r->m;
  SarJson j;
  cli_json_begin(&j);
  sar_json_open(&j, NULL, '{');
  sar_json_text(&j, "model", r->path);
  sar_json_text(&j, "status", st == SAR_OK ? "ok" : sar_status_text(st));
  sar_json_text(&j, "stability", verdict(&r->e));
  sar_json_integer(&j, "degrees_of_freedom", r->e.freedom);
  sar_json_integer(&j, "redundant", r->e.redundant);
  sar_json_integer(&j, "unstable", r->e.unstable);
  sar_json_integer(&j, "indifferent", r->e.indifferent);
  sar_json_integer(&j, "iterations", r->e.iterations);
  sar_json_number(&j, "force_left", r->e.force);
  sar_json_number(&j, "potential_energy", r->potential);
  json_list(&j, "omega2", r->e.omega2, r->e.freedom);
  json_solved(&j, &r->solved);
  if (m->nz > 0) sar_json_open(&j, "states", '{');
  for (int i = 0; i < m->nz; i++) sar_json_number(&j, sar_text(m, m->z_name[i]), r->d->z[i]);
  if (m->nz > 0) sar_json_close(&j, '}');
  sar_json_open(&j, "joints", '[');
  for (int i = 0; i < m->njoint; i++) {
    double q[SAR_JOINT_MAX_NQ], F[6];
    if (!is_of_file(m, i)) continue;
    const int n = position_of(r, i, q);
    reaction_of(r, i, F);
    sar_json_open(&j, NULL, '{');
    sar_json_text(&j, "name", sar_text(m, m->joint_name[i]));
    json_list(&j, "position", q, n);
    json_list(&j, "force", F, 3);
    json_list(&j, "torque", F + 3, 3);
    sar_json_open(&j, "not_unique", '[');
    for (int k = 0; k < 6; k++)
      if (!is_unique(r, i, k)) sar_json_text(&j, NULL, COMPONENT[k]);
    sar_json_close(&j, ']');
    sar_json_close(&j, '}');
  }
  sar_json_close(&j, ']');
  sar_json_close(&j, '}');
  sar_json_end(&j);
}

// ---- the command ---------------------------------------------------------------------------------

static SarStatus find(Rest* r, const SarEquilibriumOptions* o, double time, SarError* err) {
  SarEnergy energy;
  SAR_TRY(sar_data_new(r->m, &r->d, err));
  sar_set_time(r->d, time);
  SAR_TRY(sar_sim_new(r->m, r->d, NULL, &r->s, err));
  r->e.omega2 = sar_alloc((size_t)(r->m->nv + 1) * sizeof(double));
  if (!r->e.omega2) return SAR_NO_MEMORY;
  SAR_TRY(sar_equilibrium_find(r->s, o, &r->e, err));
  SAR_TRY(sar_energy(r->d, &energy));
  r->potential = energy.potential + 0.0;  // not -0
  return share_reactions(r);
}

static int run_static(const CliArgs* args) {
  double iterations = ITERATIONS, time = 0;
  int status = EXIT_DONE;
  if (!cli_positive(args, "max-iterations", &iterations) || !cli_positive(args, "time", &time))
    return EXIT_USAGE;
  const SarEquilibriumOptions o = {.max_iterations = iterations < 1e6 ? (int)iterations : 1000000,
                                   .settle = cli_value(args, "settle") != NULL};
  char words[CLI_LIST_TEXT];
  Rest r = {.path = args->operand[0]};
  status = cli_solve(args, &o, time, words, sizeof words, &r.solved);
  if (status != EXIT_DONE) return status;
  const CliLoad how = {.coordinates = cli_value(args, "coordinates"),
                       .parameters = r.solved.parameter,
                       .parameter_count = r.solved.count};
  SarModel* m = cli_load_as(args, args->operand[0], &how, &status);
  if (!m) return status;
  cli_warn_of_contact(m, args->operand[0], "sarrus static");
  r.m = m;
  SarError err;
  sar_error_init(&err);
  SarStatus st = find(&r, &o, time, &err);
  cli_print_messages(&err);
  if (st != SAR_OK && err.errors == 0) cli_say_status("sarrus static", r.path, st);
  if (st == SAR_OK && args->json)
    print_json(&r, st);
  else if (st == SAR_OK)
    print_text(&r);
  sar_free(r.share_block);
  sar_free(r.e.omega2);
  sar_sim_free(r.s);
  sar_data_free(r.d);
  sar_model_free(m);
  return cli_exit_status(st);
}

static const CliOption options[] = {
    {"settle", 0, NULL, "Leave an unstable equilibrium and look for a stable one.", NULL},
    {"time", 't', "SECONDS", "Time at which drives and expressions are taken (default 0).", NULL},
    {"max-iterations", 0, "N", "Bound of the iterations (default 200).", NULL},
    {"solve", 0, "NAMES",
     "Parameters to find, separated by commas, from the values they have: such that the position "
     "of "
     "the file is an equilibrium, or as --to says.",
     NULL},
    {"to", 0, "EQUATION", "What shall hold where it rests, as in 'hinge.q = 0.1'; may be repeated.",
     NULL},
    {"set", 0, "NAME=VALUE", "Set a parameter of the model; may be repeated.", NULL},
    {"coordinates", 0, "KIND", "relative (a tree and its loops) or absolute (each body its own).",
     NULL},
    {"path", 'I', "FOLDER", "Where to look for included files and package:// resources.", "file"},
    {0}};

const CliCommand cli_command_static = {
    .name = "static",
    .operands = "MODEL",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "Find where a mechanism rests.",
    .text =
        "Looks for positions at which all forces are in balance, from the initial position "
        "downhill, with drives standing still. Reports the positions and reactions of all joints, "
        "and how the rest is: stable, unstable or indifferent, with the natural frequencies about "
        "it.",
    .examples =
        "sarrus static car.yaml\twhere the car settles on its springs\n"
        "sarrus static crane.yaml --set load=500 --json\tfor a script\n"
        "sarrus static car.yaml --solve preload\tthe preload that carries the car as designed\n"
        "sarrus static arm.yaml --solve k,rest --to 'hinge.q = 0.1' --to 'spring.tension = "
        "40'\tspring and rest for a position and a force",
    .options = options,
    .run = run_static,
    .keep_fixed = true,
};
