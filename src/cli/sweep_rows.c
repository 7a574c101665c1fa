// Rows of a sweep (sweep.h): the result file, the list of failures, and what the report says of
// them.
#include "cli/sweep.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static SarStatus open_rows(Sweep* s, SweepSink* k, SarError* err) {
  const int count = s->plan.axes + 3 + s->columns;
  const char** names = sar_alloc(sizeof *names * (size_t)count);
  if (!names) return SAR_NO_MEMORY;
  int n = 0;
  names[n++] = "instance";
  for (int i = 0; i < s->plan.axes; i++) names[n++] = s->plan.axis[i].name;
  names[n++] = "status";
  names[n++] = "time";
  for (int i = 0; i < s->columns; i++)
    names[n++] = sar_model_name(s->base, SAR_ITEM_OUTPUT, s->column[i]);
  SarStatus st = cli_output_begin(s->args, s->job.out, &k->file, err);
  if (st == SAR_OK)
    st = sar_writer_open(cli_output_path(&k->file), names, count, s->job.digits, s->job.path,
                         &k->writer, err);
  sar_free((void*)names);
  return st;
}

static SarStatus open_failures(Sweep* s, SweepSink* k, const char* path, SarError* err) {
  SAR_TRY(cli_output_begin(s->args, path, &k->failures_file, err));
  k->failures = fopen(cli_output_path(&k->failures_file), "w");
  if (!k->failures) {
    sar_report(err, (SarLoc){.file = path}, "", "cannot be written: %s", strerror(errno));
    return SAR_NO_FILE;
  }
  fprintf(k->failures, "instance");
  for (int i = 0; i < s->plan.axes; i++) fprintf(k->failures, ",%s", s->plan.axis[i].name);
  fprintf(k->failures, ",status,message\n");
  return SAR_OK;
}

SarStatus sweep_sink_open(Sweep* s, SweepSink* k, SarError* err) {
  const char* failures = cli_value(s->args, "failures");
  *k = (SweepSink){.s = s};
  k->row = sar_alloc((size_t)(s->plan.axes + 3 + s->columns) * sizeof *k->row);
  if (!k->row) return SAR_NO_MEMORY;
  if (s->job.out) SAR_TRY(open_rows(s, k, err));
  return failures ? open_failures(s, k, failures, err) : SAR_OK;
}

SarStatus sweep_sink_row(SweepSink* k, int instance, int status, const double* values) {
  const Sweep* s = k->s;
  int n = 0;
  if (!k->writer) return SAR_OK;
  k->row[n++] = instance;
  for (int i = 0; i < s->plan.axes; i++) k->row[n++] = sweep_value(&s->plan, i, instance);
  k->row[n++] = status;
  for (int i = 0; i <= s->columns; i++) k->row[n++] = values ? values[i] : (double)NAN;
  return sar_writer_row(k->writer, k->row);
}

// ---- what came of an instance -------------------------------------------------------------------

static void widen(SweepRange* r, int instance, double value) {
  if (!isfinite(value)) return;
  if (r->low_at < 0 || value < r->low) r->low = value, r->low_at = instance;
  if (r->high_at < 0 || value > r->high) r->high = value, r->high_at = instance;
}

// "instance 17 (k = 2e4, m = 3)"
static void name_instance(const Sweep* s, int instance, char* text, size_t size) {
  int n = snprintf(text, size, "instance %d (", instance);
  for (int i = 0; i < s->plan.axes && n > 0 && (size_t)n < size; i++)
    n += snprintf(text + n, size - (size_t)n, "%s%s = %.6g", i ? ", " : "", s->plan.axis[i].name,
                  sweep_value(&s->plan, i, instance));
  if (n > 0 && (size_t)n < size) snprintf(text + n, size - (size_t)n, ")");
}

static void list_failure(const SweepSink* k, int instance, int status, const char* trouble) {
  const Sweep* s = k->s;
  fprintf(k->failures, "%d", instance);
  for (int i = 0; i < s->plan.axes; i++)
    fprintf(k->failures, ",%.17g", sweep_value(&s->plan, i, instance));
  fprintf(k->failures, ",%d,\"", status);
  for (; *trouble; trouble++) {
    if (*trouble == '"') fputc('"', k->failures);
    fputc(*trouble == '\n' ? ' ' : *trouble, k->failures);
  }
  fprintf(k->failures, "\"\n");
}

static void note_failure(SweepSink* k, int instance, int status, const char* trouble) {
  Sweep* s = k->s;
  char name[300];
  name_instance(s, instance, name, sizeof name);
  if (s->failed < SWEEP_SHOWN_FAILURES) {
    sweep_clear_bar(s);
    fprintf(stderr, "sarrus: %s: %s: %s\n", cli_shown(s->job.path), name, trouble);
    s->failure[s->failed] = instance;
    snprintf(s->trouble[s->failed], sizeof s->trouble[0], "%s", trouble);
  }
  if (k->failures) list_failure(k, instance, status, trouble);
  s->failed++;
}

void sweep_sink_count(SweepSink* k, int instance, int status, const char* trouble,
                      const double* last) {
  Sweep* s = k->s;
  if (status != EXIT_DONE) note_failure(k, instance, status, trouble);
  for (int i = 0; status == EXIT_DONE && last && i < s->columns; i++)
    widen(&s->range[i], instance, last[1 + i]);
  s->done++;
}

SarStatus sweep_sink_close(SweepSink* k, SarStatus st, SarError* err) {
  const SarStatus closed = sar_writer_close(k->writer, err);
  st = cli_output_end(&k->file, st == SAR_OK ? closed : st, err);
  if (k->failures) {
    const bool bad = ferror(k->failures) != 0;
    if (fclose(k->failures) != 0 || bad) {
      sar_report(err, (SarLoc){.file = k->failures_file.path}, "", "was not written whole: %s",
                 strerror(errno));
      if (st == SAR_OK) st = SAR_NO_FILE;
    }
    st = cli_output_end(&k->failures_file, st, err);
  }
  sar_free(k->row);
  *k = (SweepSink){.s = k->s};
  return st;
}

// ---- how far it is ------------------------------------------------------------------------------

enum { BAR_WIDTH = 40 };

void sweep_show_bar(const Sweep* s, int done, double seconds) {
  const double part = (double)done / s->plan.instances;
  const int length = (int)(part * BAR_WIDTH);
  if (!s->bar) return;
  fprintf(stderr, "\r  [%.*s%*s] %d of %d, %.0f s left  ", length,
          "########################################", BAR_WIDTH - length, "", done,
          s->plan.instances, seconds * (1 - part) / fmax(part, 1e-9));
}

void sweep_clear_bar(const Sweep* s) {
  if (s->bar) fprintf(stderr, "\r%*s\r", BAR_WIDTH + 30, "");
}
