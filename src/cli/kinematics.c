// sarrus kinematics: positions, speeds and accelerations of a driven mechanism, on every branch if
// asked.
#include "cli/range.h"

typedef struct Sweep {
  const Range* r;
  SarKinematics* found;
  const SarKinematicsReport* report;
  const SarTable* table;
  bool branches;
} Sweep;

static const SarTable* table_of(const Range* r) {
  return sar_kinematics_table(*(SarKinematics* const*)r->result);
}

static bool is_whole(const Sweep* k, const SarBranch* b) {
  return b->rows == (size_t)k->report->points;
}

// ---- printing -----------------------------------------------------------------------------------

static void print_branches(const Sweep* k) {
  const SarKinematicsReport* report = k->report;
  SarBranch b;
  printf("%d assemblies found in %d trials (%d did not close)\n", report->branches, report->trials,
         report->open);
  printf("%6s %8s %14s %14s  %s\n", "branch", "trials", "least grip", "at t", "range");
  for (int i = 0; sar_kinematics_branch(k->found, i, &b) == SAR_OK; i++) {
    printf("%6d %8d %14.3g %14.6g  ", i + 1, b.found, b.least_grip, b.least_time);
    if (is_whole(k, &b))
      printf("whole\n");
    else
      printf("ends at t = %.6g\n", b.reached);
  }
}

static void print_text(const Sweep* k) {
  SarBranch first;
  printf("%s: %g to %g s, %d points\n", cli_shown(k->r->path), k->report->from, k->report->to,
         k->report->points);
  sar_kinematics_branch(k->found, 0, &first);
  if (k->branches)
    print_branches(k);
  else
    printf("least grip of the constraints %.3g at t = %.6g\n", first.least_grip, first.least_time);
  printf("%-20s %14s %12s %14s %12s\n", "column", "least", "at t", "largest", "at t");
  for (int c = k->branches ? 2 : 1; c < sar_table_columns(k->table); c++) {
    const Extremes e = range_extremes(k->table, c);
    printf("%-20s %14.6g %12.6g %14.6g %12.6g\n", sar_table_name(k->table, c), e.low, e.low_time,
           e.high, e.high_time);
  }
}

static void json_branch(SarJson* j, const Sweep* k, const SarBranch* b) {
  sar_json_open(j, NULL, '{');
  sar_json_integer(j, "trials", b->found);
  sar_json_bool(j, "whole", is_whole(k, b));
  sar_json_number(j, "reached", b->reached);
  sar_json_number(j, "least_grip", b->least_grip);
  sar_json_number(j, "least_grip_time", b->least_time);
  sar_json_open(j, "columns", '{');
  for (int c = 0; c < sar_table_columns(k->table); c++) {
    if (c == 1 && k->branches) continue;
    sar_json_open(j, sar_table_name(k->table, c), '[');
    for (size_t i = b->row; i < b->row + b->rows; i++)
      sar_json_number(j, NULL, range_value(k->table, i, c));
    sar_json_close(j, ']');
  }
  sar_json_close(j, '}');
  sar_json_close(j, '}');
}

static void print_json(const Sweep* k) {
  SarBranch b;
  SarJson j;
  cli_json_begin(&j);
  sar_json_open(&j, NULL, '{');
  sar_json_text(&j, "model", k->r->path);
  sar_json_number(&j, "from", k->report->from);
  sar_json_number(&j, "to", k->report->to);
  sar_json_integer(&j, "points", k->report->points);
  sar_json_integer(&j, "trials", k->report->trials);
  sar_json_integer(&j, "trials_open", k->report->open);
  sar_json_open(&j, "branches", '[');
  for (int i = 0; sar_kinematics_branch(k->found, i, &b) == SAR_OK; i++) json_branch(&j, k, &b);
  sar_json_close(&j, ']');
  sar_json_close(&j, '}');
  sar_json_end(&j);
}

// ---- the command --------------------------------------------------------------------------------

static int run(const CliArgs* args, Range* r) {
  double trials = r->o.trials, seed = 1;
  if (!cli_positive(args, "trials", &trials) || !cli_positive(args, "seed", &seed))
    return EXIT_USAGE;
  Sweep k = {.r = r, .branches = cli_value(args, "branches") != NULL};
  SarError err;
  sar_error_init(&err);
  r->table = table_of;
  r->result = &k.found;
  r->o.branches = k.branches;
  r->o.trials = trials > 1e6 ? 1000000 : trials < 1 ? 1 : (int)trials;
  r->o.seed = (unsigned long long)seed;
  SarStatus st = sar_kinematics(r->m, &r->o, &k.found, &err);
  range_report(r, st, &err);
  int status = cli_exit_status(st);
  k.table = sar_kinematics_table(k.found);
  k.report = sar_kinematics_report(k.found);
  const int written = range_close(r, st);
  if (status == EXIT_DONE) status = written;
  if (sar_table_rows(k.table) > 0) {
    if (args->json)
      print_json(&k);
    else
      print_text(&k);
  }
  sar_kinematics_free(k.found);
  return status;
}

static int run_kinematics(const CliArgs* args) { return range_run(args, run); }

static const CliOption options[] = {
    RANGE_OPTIONS,
    {"branches", 'b', NULL, "Every way to put the mechanism together, each over the range.", NULL},
    {"trials", 0, "N", "Random positions to start from in search of branches (default 200).", NULL},
    {"seed", 0, "N", "Of the random positions (default 1).", NULL},
    {"out", 'o', "FILE", "Write all columns to FILE.csv or .h5.", "file"},
    {"digits", 0, "N", "Significant digits in a CSV file (default 12).", NULL},
    CLI_SET,
    CLI_COORDINATES,
    CLI_PATH,
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
