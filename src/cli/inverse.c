// sarrus inverse: forces and power of the drives for the motion that they prescribe.
#include "cli/range.h"

#include <math.h>
#include <string.h>

enum { PER_DRIVE = 4, NAME = 128 };

static int drives_of(const SarTable* t) { return (sar_table_columns(t) - 1) / PER_DRIVE; }

// Of drive k, from the name of its first column, "crank.value".
static const char* name_of(const SarTable* t, int k, char name[NAME]) {
  snprintf(name, NAME, "%s", sar_table_name(t, 1 + PER_DRIVE * k));
  char* dot = strrchr(name, '.');
  if (dot) *dot = 0;
  return name;
}

static double mean(const SarTable* t, int column) {
  const size_t last = sar_table_rows(t) - 1;
  double sum = 0;
  for (size_t i = 1; i <= last; i++)
    sum += 0.5 * (range_value(t, i - 1, column) + range_value(t, i, column)) *
           (range_value(t, i, 0) - range_value(t, i - 1, 0));
  const double time = range_value(t, last, 0) - range_value(t, 0, 0);
  return time != 0 ? sum / time : 0;
}

static void print_text(const Range* r, const SarTable* t) {
  const size_t rows = sar_table_rows(t);
  printf("%s: %g to %g s, %zu points\n", cli_shown(r->path), range_value(t, 0, 0),
         range_value(t, rows - 1, 0), rows);
  printf("%-16s %25s %37s %14s\n", "drive", "value [rad or m]", "force [N m or N]", "power [W]");
  printf("%-16s %12s %12s %12s %12s %12s %12s %12s\n", "", "from", "to", "least", "largest",
         "largest at t", "peak", "mean");
  for (int k = 0; k < drives_of(t); k++) {
    char name[NAME];
    const int c = 1 + PER_DRIVE * k;
    const Extremes value = range_extremes(t, c), force = range_extremes(t, c + 2),
                   power = range_extremes(t, c + 3);
    const bool low = fabs(force.low) > fabs(force.high);
    printf("%-16s %12.6g %12.6g %12.6g %12.6g %12.6g %12.6g %12.6g\n", name_of(t, k, name),
           value.low, value.high, force.low, force.high, low ? force.low_time : force.high_time,
           fabs(power.low) > fabs(power.high) ? power.low : power.high, mean(t, c + 3));
  }
}

static void json_column(SarJson* j, const char* key, const SarTable* t, int column) {
  sar_json_open(j, key, '[');
  for (size_t p = 0; p < sar_table_rows(t); p++)
    sar_json_number(j, NULL, range_value(t, p, column));
  sar_json_close(j, ']');
}

static void print_json(const Range* r, const SarTable* t) {
  static const char* const key[PER_DRIVE] = {"value", "speed", "force", "power"};
  SarJson j;
  cli_json_begin(&j);
  sar_json_open(&j, NULL, '{');
  sar_json_text(&j, "model", r->path);
  sar_json_integer(&j, "points", (long)sar_table_rows(t));
  sar_json_open(&j, "drives", '[');
  for (int k = 0; k < drives_of(t); k++) {
    char name[NAME];
    sar_json_open(&j, NULL, '{');
    sar_json_text(&j, "name", name_of(t, k, name));
    for (int i = 0; i < PER_DRIVE; i++) json_column(&j, key[i], t, 1 + PER_DRIVE * k + i);
    sar_json_close(&j, '}');
  }
  sar_json_close(&j, ']');
  json_column(&j, "time", t, 0);
  sar_json_close(&j, '}');
  sar_json_end(&j);
}

static const SarTable* table_of(const Range* r) { return *(SarTable* const*)r->result; }

static int analyse(const CliArgs* args, Range* r) {
  SarTable* t = NULL;
  SarError err;
  sar_error_init(&err);
  r->table = table_of;
  r->result = &t;
  SarStatus st = sar_inverse(r->m, &r->o, &t, &err);
  range_report(r, st, &err);
  int status = cli_exit_status(st);
  const int written = range_close(r, st);
  if (status == EXIT_DONE) status = written;
  if (sar_table_rows(t) > 0) {
    if (args->json)
      print_json(r, t);
    else
      print_text(r, t);
  }
  sar_table_free(t);
  return status;
}

static int run_inverse(const CliArgs* args) { return range_run(args, analyse); }

static const CliOption options[] = {
    RANGE_OPTIONS,
    {"out", 'o', "FILE", "Write value, speed, force and power of every drive to FILE.csv or .h5.",
     "file"},
    {"digits", 0, "N", "Significant digits in a CSV file (default 12).", NULL},
    {"formulation", 'f', "NAME", "Equations of motion to use.", "formulations"},
    CLI_SET,
    CLI_COORDINATES,
    CLI_PATH,
    {0}};

const CliCommand cli_command_inverse = {
    .name = "inverse",
    .operands = "MODEL",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "Find the forces of the drives for a prescribed motion.",
    .text =
        "The drives of MODEL ('motion' and 'coordinate' in its 'constraints') prescribe its whole "
        "motion; this finds the force and the power that each of them needs, over a range of time. "
        "Positions, speeds and accelerations come from the constraints: nothing is integrated, no "
        "error adds up. When part of the motion is free, 'sarrus run' finds both.",
    .examples =
        "sarrus inverse press.yaml\tpeak force and power of its drives\n"
        "sarrus inverse robot.yaml --to 2 --points 2001 --out torques.csv\tas functions of time",
    .options = options,
    .run = run_inverse,
};
