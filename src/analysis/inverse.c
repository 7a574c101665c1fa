// Inverse dynamics as one call (sarrus.h): forces and power of the drives for the motion that they
// prescribe.
#include "analysis/sweep.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/print.h"

enum { PER_DRIVE = 4, NAME = 128 };

static const char* const SUFFIX[PER_DRIVE] = {"value", "speed", "force", "power"};

typedef struct Drives {
  int count;
  int* row;  // of each drive's equations
} Drives;

static SarStatus find_drives(const SarModel* m, Drives* out) {
  out->row = sar_alloc((size_t)(m->nrow + 1) * sizeof *out->row);
  if (!out->row) return SAR_NO_MEMORY;
  for (int c = 0; c < m->nconstraint; c++)
    for (int k = 0; m->constraint[c].drive && k < m->constraint[c].rows; k++)
      out->row[out->count++] = m->constraint[c].row + k;
  return SAR_OK;
}

static SarStatus name_columns(const SarModel* m, const Drives* drives, SarTable* t) {
  const int columns = 1 + PER_DRIVE * drives->count;
  char(*text)[NAME] = sar_alloc((size_t)columns * sizeof *text);
  const char** names = sar_alloc((size_t)columns * sizeof *names);
  SarStatus st = SAR_NO_MEMORY;
  if (text && names) {
    names[0] = "time";
    for (int i = 0; i + 1 < columns; i++) {
      const int constraint = m->row[drives->row[i / PER_DRIVE]].constraint;
      sar_snprintf(text[i], NAME, "%s.%s", sar_text(m, m->constraint[constraint].name),
                   SUFFIX[i % PER_DRIVE]);
      names[i + 1] = text[i];
    }
    st = sar_table_init(t, names, columns);
    t->limit = m->memory_limit;
  }
  sar_free((void*)names);
  sar_free(text);
  return st;
}

static SarStatus fill_rows(SarSweep* w, const Drives* drives, SarTable* t, double* row,
                           SarError* err) {
  for (int i = 0; i < w->o.points; i++) {
    SAR_TRY(sar_follow_to(&w->follow, sar_sweep_time(w, i), err));
    row[0] = w->d->t;
    for (int k = 0; k < drives->count; k++) {
      const SarDriveState s = sar_drive_state(w->m, w->d, drives->row[k]);
      const double values[PER_DRIVE] = {s.value, s.speed, s.force, s.power};
      for (int j = 0; j < PER_DRIVE; j++) row[1 + PER_DRIVE * k + j] = values[j];
    }
    SAR_TRY(sar_sweep_row(w, t, row, err));
  }
  return SAR_OK;
}

static SarStatus make(SarSweep* w, Drives* drives, SarTable* t, SarTable** out, SarError* err) {
  SAR_TRY(find_drives(w->m, drives));
  SAR_TRY(name_columns(w->m, drives, t));
  double* row = sar_alloc((size_t)t->columns * sizeof *row);
  if (!row) return SAR_NO_MEMORY;
  *out = t;
  const SarStatus st = fill_rows(w, drives, t, row, err);
  sar_free(row);
  return st;
}

SAR_API SarStatus sar_inverse(const SarModel* m, const SarSweepOptions* o, SarTable** out,
                              SarError* err) {
  SAR_GIVEN(out);
  *out = NULL;
  SAR_GIVEN(m);
  SarTable* t = sar_alloc(sizeof *t);
  if (!t) return SAR_NO_MEMORY;
  SarSweep w;
  Drives drives = {0};
  SarStatus st = sar_sweep_begin(&w, m, o, err);
  if (st == SAR_OK) st = make(&w, &drives, t, out, err);
  if (!*out) sar_table_free(t);
  sar_free(drives.row);
  sar_sweep_end(&w);
  return st;
}
