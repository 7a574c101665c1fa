// sarrus static: where a mechanism rests, what its joints carry there, and whether it stays.
#include "cli/cli.h"
#include "cli/static_solve.h"

#include <math.h>
#include <string.h>

enum { MOST_FREQUENCIES = 12, MOST_Q = 8, MOST_V = 8 };

typedef struct Rest {
  const char* path;
  const SarModel* m;
  SarData* d;
  SarStatics* statics;
  const SarStaticsReport* e;
  CliSolved solved;
} Rest;

static const char* verdict(const SarStaticsReport* e) {
  return e->unstable > 0 ? "unstable" : e->indifferent > 0 ? "indifferent" : "stable";
}

// ---- joints: those of the file, in the tree or not ----------------------------------------------

// Number `joint` of them; false: it is none of the file's, but one that carries a body in absolute
// coordinates, or one that makes two bodies one.
static bool is_of_file(const Rest* r, int joint, SarJointInfo* info) {
  SarModelInfo model;
  if (sar_model_info(r->m, &model) != SAR_OK || sar_joint_info(r->m, joint, info) != SAR_OK)
    return false;
  return info->role == SAR_JOINT_LOOP || (info->role == SAR_JOINT_TREE && !model.absolute);
}

static void position_of(const Rest* r, int joint, double* q) {
  double v[MOST_V];
  sar_joint_get(r->d, joint, q, v);
}

// ---- printing -----------------------------------------------------------------------------------

static void print_frequencies(const SarStaticsReport* e) {
  if (e->freedoms == 0) return;
  printf("  frequencies  ");
  for (int k = 0; k < e->freedoms && k < MOST_FREQUENCIES; k++)
    if (fabs(e->omega2[k]) <= e->floor)
      printf("%s0", k ? ", " : "");
    else if (e->omega2[k] < 0)
      printf("%sleaves with %.4g 1/s", k ? ", " : "", sqrt(-e->omega2[k]));
    else
      printf("%s%.4g Hz", k ? ", " : "", sqrt(e->omega2[k]) / (2 * 3.14159265358979324));
  printf("%s\n", e->freedoms > MOST_FREQUENCIES ? ", ..." : "");
}

// One line; returns whether something of it is not unique.
static bool print_reaction(Rest* r, int joint, double most) {
  double F[6];
  bool marked = false, unique[6];
  sar_statics_reaction(r->statics, joint, F, F + 3, unique);
  printf("%-16s", sar_model_name(r->m, SAR_ITEM_JOINT, joint));
  for (int i = 0; i < 6; i++) {
    printf(" %10.5g%s", fabs(F[i]) < 1e-12 * most ? 0 : F[i], unique[i] ? " " : "*");
    marked |= !unique[i];
  }
  printf("\n");
  return marked;
}

static void print_contacts(const Rest* r) {
  SarContactPoint c;
  if (r->e->contacts == 0) return;
  printf("\n%-28s %10s  %10s  %10s\n", "contact", "fx [N]", "fy", "fz");
  for (int i = 0; sar_contact(r->d, i, &c) == SAR_OK; i++) {
    if (c.force[0] == 0 && c.force[1] == 0 && c.force[2] == 0) continue;
    char pair[64];
    snprintf(pair, sizeof pair, "%.28s on %.28s", c.solid[1], c.solid[0]);
    printf("%-28s %10.5g  %10.5g  %10.5g\n", pair, c.force[0], c.force[1], c.force[2]);
  }
}

static void print_joints(Rest* r) {
  const SarModel* m = r->m;
  const int joints = sar_model_count(m, SAR_ITEM_JOINT),
            states = sar_model_count(m, SAR_ITEM_STATE);
  SarJointInfo info;
  printf("\n%-16s %s\n", "joint", "position [rad or m]");
  for (int j = 0; j < joints; j++) {
    double q[MOST_Q];
    if (!is_of_file(r, j, &info) || info.nq == 0) continue;
    printf("%-16s", info.name);
    position_of(r, j, q);
    for (int i = 0; i < info.nq; i++) printf(" %.9g", fabs(q[i]) < 1e-12 ? 0 : q[i]);
    printf("\n");
  }
  if (states > 0) printf("\n%-16s %s\n", "state", "value");
  for (int i = 0; i < states; i++)
    printf("%-16s %.9g\n", sar_model_name(m, SAR_ITEM_STATE, i), sar_get_states(r->d)[i]);
}

static void print_reactions(Rest* r) {
  const int joints = sar_model_count(r->m, SAR_ITEM_JOINT);
  SarJointInfo info;
  double most = 0;
  bool marked = false;
  printf("\n%-16s %10s  %10s  %10s  %10s  %10s  %10s\n", "reaction", "fx [N]", "fy", "fz",
         "tx [N m]", "ty", "tz");
  for (int j = 0; j < joints; j++) {
    double F[6];
    if (sar_statics_reaction(r->statics, j, F, F + 3, NULL) != SAR_OK) continue;
    for (int i = 0; i < 6; i++) most = fmax(most, fabs(F[i]));
  }
  for (int j = 0; j < joints; j++)
    if (is_of_file(r, j, &info)) marked |= print_reaction(r, j, most);
  if (marked) printf("* not unique: constraints are redundant, the smallest reactions are shown\n");
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
  const SarStaticsReport* e = r->e;
  printf("%s: at rest, %s", cli_shown(r->path), verdict(e));
  if (e->unstable > 0)
    printf(" in %d of %d directions", e->unstable, e->freedoms);
  else if (e->indifferent > 0)
    printf(" in %d of %d directions", e->indifferent, e->freedoms);
  printf(" (%d %s)\n", e->iterations, e->settled ? "steps" : "iterations");
  print_solved(&r->solved);
  printf("  freedom      %d%s\n", e->freedoms, e->contacts ? ", contacts held" : "");
  print_frequencies(e);
  printf("  energy       %.9g J potential\n", e->potential);
  printf("  audit        largest force left %.2g N or N m\n", e->force);
  if (e->redundant > 0)
    printf("  redundant    %d equation%s\n", e->redundant, e->redundant == 1 ? "" : "s");
  if (e->contacts > 0)
    printf("  contacts     %d point%s\n", e->contacts, e->contacts == 1 ? "" : "s");
  print_joints(r);
  print_reactions(r);
  print_contacts(r);
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

static void json_joint(SarJson* j, Rest* r, int joint, const SarJointInfo* info) {
  double q[MOST_Q], F[6];
  bool unique[6];
  position_of(r, joint, q);
  sar_statics_reaction(r->statics, joint, F, F + 3, unique);
  sar_json_open(j, NULL, '{');
  sar_json_text(j, "name", info->name);
  json_list(j, "position", q, info->nq);
  json_list(j, "force", F, 3);
  json_list(j, "torque", F + 3, 3);
  sar_json_open(j, "not_unique", '[');
  for (int k = 0; k < 6; k++)
    if (!unique[k]) sar_json_text(j, NULL, COMPONENT[k]);
  sar_json_close(j, ']');
  sar_json_close(j, '}');
}

static void json_contacts(SarJson* j, const Rest* r) {
  SarContactPoint c;
  sar_json_open(j, "contacts", '[');
  for (int i = 0; r->e->contacts > 0 && sar_contact(r->d, i, &c) == SAR_OK; i++) {
    if (c.force[0] == 0 && c.force[1] == 0 && c.force[2] == 0) continue;
    sar_json_open(j, NULL, '{');
    sar_json_text(j, "on", c.solid[1]);
    sar_json_text(j, "by", c.solid[0]);
    json_list(j, "point", c.point, 3);
    json_list(j, "normal", c.normal, 3);
    json_list(j, "force", c.force, 3);
    sar_json_close(j, '}');
  }
  sar_json_close(j, ']');
}

static void print_json(Rest* r, SarStatus st) {
  const SarModel* m = r->m;
  const SarStaticsReport* e = r->e;
  const int states = sar_model_count(m, SAR_ITEM_STATE);
  SarJointInfo info;
  SarJson j;
  cli_json_begin(&j);
  sar_json_open(&j, NULL, '{');
  sar_json_text(&j, "model", r->path);
  sar_json_text(&j, "status", st == SAR_OK ? "ok" : sar_status_text(st));
  sar_json_text(&j, "stability", verdict(e));
  sar_json_integer(&j, "degrees_of_freedom", e->freedoms);
  sar_json_integer(&j, "redundant", e->redundant);
  sar_json_integer(&j, "unstable", e->unstable);
  sar_json_integer(&j, "indifferent", e->indifferent);
  sar_json_integer(&j, "iterations", e->iterations);
  sar_json_number(&j, "force_left", e->force);
  sar_json_number(&j, "potential_energy", e->potential);
  json_list(&j, "omega2", e->omega2, e->freedoms);
  json_solved(&j, &r->solved);
  if (states > 0) sar_json_open(&j, "states", '{');
  for (int i = 0; i < states; i++)
    sar_json_number(&j, sar_model_name(m, SAR_ITEM_STATE, i), sar_get_states(r->d)[i]);
  if (states > 0) sar_json_close(&j, '}');
  sar_json_open(&j, "joints", '[');
  for (int i = 0; i < sar_model_count(m, SAR_ITEM_JOINT); i++)
    if (is_of_file(r, i, &info)) json_joint(&j, r, i, &info);
  sar_json_close(&j, ']');
  json_contacts(&j, r);
  sar_json_close(&j, '}');
  sar_json_end(&j);
}

// ---- the command --------------------------------------------------------------------------------

static SarStatus find(Rest* r, const SarStaticsOptions* o, double time, SarError* err) {
  SarStatus st = sar_data_new(r->m, &r->d, err);
  if (st != SAR_OK) return st;
  sar_set_time(r->d, time);
  st = sar_statics(r->d, o, &r->statics, err);
  r->e = sar_statics_report(r->statics);
  return st;
}

static int run_static(const CliArgs* args) {
  double iterations = 0, time = 0;
  int status = EXIT_DONE;
  if (!cli_positive(args, "max-iterations", &iterations) || !cli_number(args, "time", &time))
    return EXIT_USAGE;
  SarStaticsOptions o = sar_statics_options();
  o.max_iterations = iterations < 1e6 ? (int)iterations : 1000000;
  o.settle = cli_value(args, "settle") != NULL;
  char words[CLI_LIST_TEXT];
  Rest r = {.path = args->operand[0]};
  status = cli_solve(args, &o, time, words, sizeof words, &r.solved);
  if (status != EXIT_DONE) return status;
  const CliLoad how = {.coordinates = cli_value(args, "coordinates"),
                       .parameters = r.solved.parameter,
                       .parameter_count = r.solved.count};
  SarModel* m = cli_load_as(args, args->operand[0], &how, &status);
  if (!m) return status;
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
  sar_statics_free(r.statics);
  sar_data_free(r.d);
  sar_model_free(m);
  return cli_exit_status(st);
}

static const CliOption options[] = {
    {"settle", 0, NULL, "Leave an unstable equilibrium and look for a stable one.", NULL},
    {"time", 't', "SECONDS", "Time at which drives and expressions are taken (default 0).", NULL},
    {"max-iterations", 0, "N",
     "Bound of the iterations (default 200), or of the steps in which contacts settle (20000).",
     NULL},
    {"solve", 0, "NAMES",
     "Parameters to find, separated by commas, from the values they have: such that the position "
     "of the file is an equilibrium, or as --to says.",
     NULL},
    {"to", 0, "EQUATION", "What shall hold where it rests, as in 'hinge.q = 0.1'; may be repeated.",
     NULL},
    CLI_SET,
    CLI_COORDINATES,
    CLI_PATH,
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
