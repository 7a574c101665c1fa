// sarrus kinematics: positions, speeds and accelerations of a driven mechanism, on every branch if asked.
#include "cli/interrupt.h"
#include "cli/range.h"
#include "cli/sweep_columns.h"

#include "base/alloc.h"
#include "base/error.h"
#include "model/model.h"
#include "output/json.h"
#include "sim/branches.h"

#include <math.h>
#include <string.h>

enum { TRIALS = 200 };

static const double LOOSE = 0.1;      // grip below which the least one is looked for
static const double SINGULAR = 1e-3;  // and below which a position counts as singular

// ---- one branch over the range -------------------------------------------------------------------

typedef struct Branch {
  size_t row, rows;  // in the table
  double reached;    // s
  double least_grip, least_time;
  int found;  // trials that led there
} Branch;

typedef struct Sweep {
  Range* r;
  SweepColumns columns;
  SarTable table;
  Branch branch[SAR_MAX_BRANCHES];
  int branches, trials, open;
  double* row;
} Sweep;

static SarStatus add_row(Sweep* k, int number) {
  Range* r = k->r;
  k->row[0] = r->d->t;
  if (k->columns.first == 2) k->row[1] = number;
  SAR_TRY(sar_outputs_of(r->s, k->columns.channel, k->columns.count, k->row + k->columns.first));
  return range_add(r, &k->table, k->row);
}

static void warn_singular(const Sweep* k, int number, double t, double grip) {
  char branch[32] = "";
  if (k->columns.first == 2) snprintf(branch, sizeof branch, " of branch %d", number);
  fprintf(stderr,
          "warning: %s: near a singular position%s at t = %.6g (grip %.1e): branches meet there\n",
          cli_shown(k->r->path), branch, t, grip);
}

// Looks between three points for the least grip when the middle one has the least of them.
static SarStatus look_closer(Sweep* k, Branch* b, int number, const double grip[3], int point) {
  const Range* r = k->r;
  double t, least;
  if (point < 2 || grip[1] > LOOSE || grip[1] > grip[0] || grip[1] > grip[2]) return SAR_OK;
  const double low = range_time(r, point - 2), high = range_time(r, point);
  SAR_TRY(sar_follow_least_grip(&k->r->follow, fmin(low, high), fmax(low, high), &t, &least));
  if (least < b->least_grip) b->least_grip = least, b->least_time = t;
  if (least < SINGULAR) warn_singular(k, number, t, least);
  return SAR_OK;
}

static SarStatus follow_branch(Sweep* k, int number, SarError* err) {
  Range* r = k->r;
  Branch* b = &k->branch[number - 1];
  double grip[3] = {1, 1, 1};
  SarStatus st = SAR_OK;
  b->row = k->table.rows;
  b->least_grip = HUGE_VAL;
  for (int i = 0; i < r->points && st == SAR_OK; i++) {
    st = sar_follow_to(&r->follow, range_time(r, i), err);
    b->reached = r->d->t;
    if (st != SAR_OK) break;
    st = add_row(k, number);
    grip[0] = grip[1], grip[1] = grip[2], grip[2] = r->follow.grip;
    if (grip[2] < b->least_grip) b->least_grip = grip[2], b->least_time = r->d->t;
    if (st == SAR_OK) st = look_closer(k, b, number, grip, i);
    if (st == SAR_OK && range_interrupted(r)) st = SAR_STOPPED;
  }
  b->rows = k->table.rows - b->row;
  return st;
}

// Every assembly at `from`, each over the range. One that cannot go on ends there.
static SarStatus follow_all(Sweep* k, int trials, unsigned long long seed, SarError* err) {
  Range* r = k->r;
  SarBranches found;
  SarData* d;
  SAR_TRY(sar_data_new(r->m, &d, err));
  sar_data_copy(d, r->d);
  SarStatus st = sar_branches_find(r->m, d, trials, seed, &found, err);
  if (st == SAR_OK) {
    k->branches = found.count;
    k->trials = found.trials;
    k->open = found.open;
  }
  for (int i = 0; i < k->branches && st == SAR_OK; i++) {
    const size_t nq = (size_t)r->m->nq_all;
    SarError ended;
    sar_error_init(&ended);
    sar_data_reset(r->d);
    memcpy(r->d->q, &found.q[(size_t)i * nq], nq * sizeof *found.q);
    sar_set_time(r->d, r->from);
    st = sar_follow_restart(&r->follow);
    k->branch[i].found = found.found[i];
    if (st == SAR_OK) st = follow_branch(k, i + 1, &ended);
    if (st == SAR_NOT_CONVERGED) st = SAR_OK;
  }
  sar_branches_free(&found);
  sar_data_free(d);
  return st;
}

// ---- printing ------------------------------------------------------------------------------------

static void print_branches(const Sweep* k) {
  printf("%d assemblies found in %d trials (%d did not close)\n", k->branches, k->trials, k->open);
  printf("%6s %8s %14s %14s  %s\n", "branch", "trials", "least grip", "at t", "range");
  for (int i = 0; i < k->branches; i++) {
    const Branch* b = &k->branch[i];
    printf("%6d %8d %14.3g %14.6g  ", i + 1, b->found, b->least_grip, b->least_time);
    if (b->rows == (size_t)k->r->points)
      printf("whole\n");
    else
      printf("ends at t = %.6g\n", b->reached);
  }
}

static void print_text(const Sweep* k) {
  const Range* r = k->r;
  printf("%s: %g to %g s, %d points\n", cli_shown(r->path), r->from, r->to, r->points);
  if (k->branches > 0)
    print_branches(k);
  else
    printf("least grip of the constraints %.3g at t = %.6g\n", k->branch[0].least_grip,
           k->branch[0].least_time);
  printf("%-20s %14s %12s %14s %12s\n", "column", "least", "at t", "largest", "at t");
  for (int c = k->columns.first; c < k->table.columns; c++) {
    const Extremes e = range_extremes(&k->table, c);
    printf("%-20s %14.6g %12.6g %14.6g %12.6g\n", k->table.names[c], e.low, e.low_time, e.high,
           e.high_time);
  }
}

static void json_branch(SarJson* j, const Sweep* k, int number) {
  const Branch* b = &k->branch[number];
  const SarTable* t = &k->table;
  sar_json_open(j, NULL, '{');
  sar_json_integer(j, "trials", b->found);
  sar_json_bool(j, "whole", b->rows == (size_t)k->r->points);
  sar_json_number(j, "reached", b->reached);
  sar_json_number(j, "least_grip", b->least_grip);
  sar_json_number(j, "least_grip_time", b->least_time);
  sar_json_open(j, "columns", '{');
  for (int c = 0; c < t->columns; c++) {
    if (c == 1 && k->columns.first == 2) continue;
    sar_json_open(j, t->names[c], '[');
    for (size_t i = b->row; i < b->row + b->rows; i++)
      sar_json_number(j, NULL, t->values[i * (size_t)t->columns + (size_t)c]);
    sar_json_close(j, ']');
  }
  sar_json_close(j, '}');
  sar_json_close(j, '}');
}

static void print_json(const Sweep* k) {
  SarJson j;
  cli_json_begin(&j);
  sar_json_open(&j, NULL, '{');
  sar_json_text(&j, "model", k->r->path);
  sar_json_number(&j, "from", k->r->from);
  sar_json_number(&j, "to", k->r->to);
  sar_json_integer(&j, "points", k->r->points);
  sar_json_integer(&j, "trials", k->trials);
  sar_json_integer(&j, "trials_open", k->open);
  sar_json_open(&j, "branches", '[');
  for (int i = 0; i < (k->branches > 0 ? k->branches : 1); i++) json_branch(&j, k, i);
  sar_json_close(&j, ']');
  sar_json_close(&j, '}');
  sar_json_end(&j);
}

// ---- the command ---------------------------------------------------------------------------------

static SarStatus analyse(Sweep* k, bool branches, int trials, double seed, SarError* err) {
  SAR_TRY(sweep_columns(k->r->m, branches, &k->columns));
  SAR_TRY(sar_table_init(&k->table, k->columns.name, k->columns.first + k->columns.count));
  k->table.limit = k->r->m->memory_limit;
  k->row = sar_alloc((size_t)k->table.columns * sizeof *k->row);
  if (!k->row) return SAR_NO_MEMORY;
  if (branches) return follow_all(k, trials, (unsigned long long)seed, err);
  return follow_branch(k, 1, err);
}

static int run(const CliArgs* args, Range* r) {
  double trials = TRIALS, seed = 1;
  if (!cli_positive(args, "trials", &trials) || !cli_positive(args, "seed", &seed))
    return EXIT_USAGE;
  Sweep* k = sar_alloc(sizeof *k);
  if (!k) return EXIT_INTERNAL;
  SarError err;
  sar_error_init(&err);
  k->r = r;
  SarStatus st = analyse(k, cli_value(args, "branches") != NULL,
                         trials > 1e6 ? 1000000 : (int)trials, seed, &err);
  range_report(r, st, &err);
  int status = cli_exit_status(st);
  if (k->table.rows > 0) {
    const int written = range_close(r, st);
    if (status == EXIT_DONE) status = written;
    if (args->json)
      print_json(k);
    else
      print_text(k);
  }
  sweep_columns_free(&k->columns);
  sar_table_free(&k->table);
  sar_free(k->row);
  sar_free(k);
  return status;
}

static int run_kinematics(const CliArgs* args) {
  Range r;
  int status = range_begin(args, &r);
  if (status == EXIT_DONE) status = run(args, &r);
  range_end(&r);
  cli_pass_on_signal();
  return status;
}

static const CliOption options[] = {
    {"from", 0, "SECONDS", "First time (default 0).", NULL},
    {"to", 0, "SECONDS", "Last time (default: the model's end).", NULL},
    {"points", 'n', "N", "How many times, both included (default 101).", NULL},
    {"branches", 'b', NULL, "Every way to put the mechanism together, each over the range.", NULL},
    {"trials", 0, "N", "Random positions to start from in search of branches (default 200).", NULL},
    {"seed", 0, "N", "Of the random positions (default 1).", NULL},
    {"out", 'o', "FILE", "Write all columns to FILE.csv or .h5.", "file"},
    {"digits", 0, "N", "Significant digits in a CSV file (default 12).", NULL},
    {"set", 0, "NAME=VALUE", "Set a parameter of the model; may be repeated.", NULL},
    {"coordinates", 0, "KIND", "relative (a tree and its loops) or absolute (each body its own).",
     NULL},
    {"path", 'I', "FOLDER", "Where to look for included files and package:// resources.", "file"},
    {0}};

const CliCommand cli_command_kinematics = {
    .name = "kinematics",
    .operands = "MODEL",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "Find positions, speeds and accelerations of a driven mechanism.",
    .text =
        "The drives of MODEL ('motion' and 'coordinate' in its 'constraints') prescribe its whole "
        "motion. Over a range of time, positions are found from the constraints, each from the "
        "one before, on the branch that the model starts on; speeds and accelerations follow. The "
        "columns are the model's outputs, with accelerations added. Where the constraints lose "
        "their grip, at singular positions, there is a warning; where the mechanism cannot follow, "
        "the range ends.\n\nA drive with 'value: t' makes the time of the range its coordinate.",
    .examples =
        "sarrus kinematics press.yaml --to 2 --out press.csv\tall columns over two seconds\n"
        "sarrus kinematics fourbar.yaml --branches\tboth ways to assemble it",
    .options = options,
    .run = run_kinematics,
};
