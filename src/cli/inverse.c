// sarrus inverse: forces and power of the drives for the motion that they prescribe.
#include "cli/interrupt.h"
#include "cli/range.h"

#include "base/alloc.h"
#include "base/error.h"
#include "model/model.h"
#include "output/json.h"

#include <math.h>

enum { PER_DRIVE = 4, NAME = 128 };

typedef struct Drives {
  int count;
  int* row;  // of each drive's equations
} Drives;

static int find_drives(const SarModel* m, int* row) {
  int count = 0;
  for (int c = 0; c < m->nconstraint; c++)
    for (int k = 0; m->constraint[c].drive && k < m->constraint[c].rows; k++)
      row[count++] = m->constraint[c].row + k;
  return count;
}

static const char* name_of(const SarModel* m, int row) {
  return sar_text(m, m->constraint[m->row[row].constraint].name);
}

static SarStatus make_table(const SarModel* m, const Drives* drives, SarTable* t) {
  static const char* const suffix[PER_DRIVE] = {"value", "speed", "force", "power"};
  const int columns = 1 + PER_DRIVE * drives->count;
  char(*text)[NAME] = sar_alloc((size_t)columns * sizeof *text);
  const char** names = sar_alloc((size_t)columns * sizeof *names);
  SarStatus st = SAR_NO_MEMORY;
  if (text && names) {
    names[0] = "time";
    for (int i = 0; i + 1 < columns; i++) {
      snprintf(text[i], NAME, "%s.%s", name_of(m, drives->row[i / PER_DRIVE]),
               suffix[i % PER_DRIVE]);
      names[i + 1] = text[i];
    }
    st = sar_table_init(t, names, columns);
  }
  sar_free((void*)names);
  sar_free(text);
  return st;
}

static SarStatus fill_table(Range* r, const Drives* drives, SarTable* t, SarError* err) {
  double* row = sar_alloc((size_t)t->columns * sizeof *row);
  SarStatus st = row ? SAR_OK : SAR_NO_MEMORY;
  for (int i = 0; i < r->points && st == SAR_OK; i++) {
    st = sar_follow_to(&r->follow, range_time(r, i), err);
    if (st != SAR_OK) break;
    row[0] = r->d->t;
    for (int k = 0; k < drives->count; k++) {
      const SarDriveState s = sar_drive_state(r->m, r->d, drives->row[k]);
      const double values[PER_DRIVE] = {s.value, s.speed, s.force, s.power};
      for (int j = 0; j < PER_DRIVE; j++) row[1 + PER_DRIVE * k + j] = values[j];
    }
    st = range_add(r, t, row);
    if (st == SAR_OK && range_interrupted(r)) st = SAR_STOPPED;
  }
  sar_free(row);
  return st;
}

static double mean(const SarTable* t, int column) {
  double sum = 0;
  for (size_t i = 1; i < t->rows; i++) {
    const double *a = &t->values[(i - 1) * (size_t)t->columns], *b = a + t->columns;
    sum += 0.5 * (a[column] + b[column]) * (b[0] - a[0]);
  }
  const double time = t->values[(t->rows - 1) * (size_t)t->columns] - t->values[0];
  return time != 0 ? sum / time : 0;
}

static void print_text(const Range* r, const Drives* drives, const SarTable* t) {
  printf("%s: %g to %g s, %zu points\n", cli_shown(r->path), r->from,
         t->values[(t->rows - 1) * (size_t)t->columns], t->rows);
  printf("%-16s %25s %37s %14s\n", "drive", "value [rad or m]", "force [N m or N]", "power [W]");
  printf("%-16s %12s %12s %12s %12s %12s %12s %12s\n", "", "from", "to", "least", "largest",
         "largest at t", "peak", "mean");
  for (int k = 0; k < drives->count; k++) {
    const int c = 1 + PER_DRIVE * k;
    const Extremes value = range_extremes(t, c), force = range_extremes(t, c + 2),
                   power = range_extremes(t, c + 3);
    const bool low = fabs(force.low) > fabs(force.high);
    printf("%-16s %12.6g %12.6g %12.6g %12.6g %12.6g %12.6g %12.6g\n",
           name_of(r->m, drives->row[k]), value.low, value.high, force.low, force.high,
           low ? force.low_time : force.high_time,
           fabs(power.low) > fabs(power.high) ? power.low : power.high, mean(t, c + 3));
  }
}

static void print_json(const Range* r, const Drives* drives, const SarTable* t) {
  SarJson j;
  cli_json_begin(&j);
  sar_json_open(&j, NULL, '{');
  sar_json_text(&j, "model", r->path);
  sar_json_integer(&j, "points", (long)t->rows);
  sar_json_open(&j, "drives", '[');
  for (int k = 0; k < drives->count; k++) {
    static const char* const key[PER_DRIVE] = {"value", "speed", "force", "power"};
    sar_json_open(&j, NULL, '{');
    sar_json_text(&j, "name", name_of(r->m, drives->row[k]));
    for (int i = 0; i < PER_DRIVE; i++) {
      sar_json_open(&j, key[i], '[');
      for (size_t p = 0; p < t->rows; p++)
        sar_json_number(&j, NULL,
                        t->values[p * (size_t)t->columns + (size_t)(1 + PER_DRIVE * k + i)]);
      sar_json_close(&j, ']');
    }
    sar_json_close(&j, '}');
  }
  sar_json_close(&j, ']');
  sar_json_open(&j, "time", '[');
  for (size_t p = 0; p < t->rows; p++) sar_json_number(&j, NULL, t->values[p * (size_t)t->columns]);
  sar_json_close(&j, ']');
  sar_json_close(&j, '}');
  sar_json_end(&j);
}

static int analyse(const CliArgs* args, Range* r, const Drives* drives) {
  SarTable t = {0};
  SarError err;
  sar_error_init(&err);
  SarStatus st = make_table(r->m, drives, &t);
  t.limit = r->m->memory_limit;
  if (st == SAR_OK) st = fill_table(r, drives, &t, &err);
  range_report(r, st, &err);
  int status = cli_exit_status(st);
  if (t.rows > 0) {
    const int written = range_close(r, st);
    if (status == EXIT_DONE) status = written;
    if (args->json)
      print_json(r, drives, &t);
    else
      print_text(r, drives, &t);
  }
  sar_table_free(&t);
  return status;
}

static int run_inverse(const CliArgs* args) {
  Range r;
  int status = range_begin(args, &r);
  if (status == EXIT_DONE) {
    Drives drives = {.row = sar_alloc((size_t)(r.m->nrow + 1) * sizeof(int))};
    status = EXIT_INTERNAL;
    if (drives.row) {
      drives.count = find_drives(r.m, drives.row);
      status = analyse(args, &r, &drives);
    }
    sar_free(drives.row);
  }
  range_end(&r);
  cli_pass_on_signal();
  return status;
}

static const CliOption options[] = {
    {"from", 0, "SECONDS", "First time (default 0).", NULL},
    {"to", 0, "SECONDS", "Last time (default: the model's end).", NULL},
    {"points", 'n', "N", "How many times, both included (default 101).", NULL},
    {"out", 'o', "FILE", "Write value, speed, force and power of every drive to FILE.csv or .h5.",
     "file"},
    {"digits", 0, "N", "Significant digits in a CSV file (default 12).", NULL},
    {"formulation", 'f', "NAME", "Equations of motion to use.", "formulations"},
    {"set", 0, "NAME=VALUE", "Set a parameter of the model; may be repeated.", NULL},
    {"coordinates", 0, "KIND", "relative (a tree and its loops) or absolute (each body its own).",
     NULL},
    {"path", 'I', "FOLDER", "Where to look for included files and package:// resources.", "file"},
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
