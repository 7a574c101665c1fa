// Port that plays recorded inputs: columns of a CSV or HDF5 file by name, over its column "time"
// [s, simulated]. Between two rows a value is held or goes in a straight line; before the first row
// it is the first, behind the last one the last, or all begins again.
#include "realtime/io/port_kind.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/text.h"
#include "output/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct File {
  SarTable table;
  int time;     // column
  int* column;  // of each input
  bool hold, repeat;
} File;

static double at(const File* f, size_t row, int column) {
  return f->table.values[row * (size_t)f->table.columns + (size_t)column];
}

// ---- playing ----

// The last row at or before t, by bisection; the first if there is none.
static size_t row_before(const File* f, double t) {
  size_t low = 0, high = f->table.rows;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (at(f, middle, f->time) <= t)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static double wrapped(const File* f, double t) {
  const double first = at(f, 0, f->time), last = at(f, f->table.rows - 1, f->time);
  return f->repeat && last > first && t > last ? first + fmod(t - first, last - first) : t;
}

// Where between two rows; 0 at the earlier one.
static double share_of(const File* f, size_t row, double t) {
  if (f->hold || row + 1 == f->table.rows) return 0;
  const double from = at(f, row, f->time), to = at(f, row + 1, f->time);
  return t > from && to > from ? (t - from) / (to - from) : 0;
}

static void count(SarPort* p, bool over) {
  p->stats.received++;
  if (over && p->stats.connected) p->stats.timeouts++;
  if (over) p->stats.frames_stale++;
  p->stats.connected = !over;
}

static void exchange(SarPort* p, const SarPortFrame* frame) {
  const File* f = p->own;
  const double t = wrapped(f, frame->time);
  const size_t row = row_before(f, t);
  const double share = share_of(f, row, t);
  for (int i = 0; i < p->inputs; i++) {
    const double from = at(f, row, f->column[i]);
    const double to = share > 0 ? at(f, row + 1, f->column[i]) : from;
    frame->inputs[p->input_place[i]] = from + share * (to - from);
  }
  count(p, t > at(f, f->table.rows - 1, f->time));
}

// ---- reading ----

static SarStatus check_times(const File* f, const char* path, SarError* err) {
  for (size_t i = 0; i < f->table.rows; i++) {
    const double t = at(f, i, f->time);
    if (isfinite(t) && (i == 0 || t >= at(f, i - 1, f->time))) continue;
    sar_report(err, (SarLoc){.file = path}, "", "row %zu: the time %g does not follow %g", i + 1, t,
               i ? at(f, i - 1, f->time) : 0.0);
    return SAR_BAD_ARGUMENT;
  }
  if (f->table.rows) return SAR_OK;
  sar_report(err, (SarLoc){.file = path}, "", "the file has no rows");
  return SAR_BAD_ARGUMENT;
}

static SarStatus check_column(const File* f, int column, const char* path, SarError* err) {
  for (size_t i = 0; i < f->table.rows; i++) {
    if (isfinite(at(f, i, column))) continue;
    sar_report(err, (SarLoc){.file = path}, "", "column '%s', row %zu: %g is no value of an input",
               f->table.names[column], i + 1, at(f, i, column));
    return SAR_BAD_ARGUMENT;
  }
  return SAR_OK;
}

// Of the inputs that the port could drive, those stay that have a column.
static SarStatus match(SarPort* p, File* f, const SarPortLayout* l, const char* path,
                       SarError* err) {
  int found = 0;
  for (int i = 0; i < p->inputs; i++) {
    const int place = p->input_place[i], column = sar_table_find(&f->table, l->input[place].name);
    if (column < 0) continue;
    SAR_TRY(check_column(f, column, path, err));
    f->column[found] = column;
    p->input_place[found++] = place;
  }
  if (!found) {
    char hint[256];
    sar_text_offer(hint, sizeof hint, p->inputs ? l->input[p->input_place[0]].name : "",
                   (const char* const*)f->table.names, f->table.columns);
    sar_report(err, (SarLoc){.file = path}, hint, "no column is named as an input of the model%s",
               p->inputs ? "" : " that no other port drives");
    return SAR_BAD_ARGUMENT;
  }
  p->inputs = found;
  return SAR_OK;
}

static SarStatus read_file(SarPort* p, const SarPortLayout* l, SarError* err) {
  File* f = p->own;
  SAR_TRY(sar_table_read(p->address, &f->table, err));
  f->time = sar_table_find(&f->table, "time");
  if (f->time < 0) f->time = sar_table_find(&f->table, "t");
  if (f->time < 0) {
    sar_report(err, (SarLoc){.file = p->address}, "", "there is no column 'time'");
    return SAR_BAD_ARGUMENT;
  }
  SAR_TRY(check_times(f, p->address, err));
  f->column = sar_alloc(sizeof *f->column * (size_t)(p->inputs + 1));
  return f->column ? match(p, f, l, p->address, err) : SAR_NO_MEMORY;
}

static void close_port(SarPort* p) {
  File* f = p->own;
  sar_table_clear(&f->table);
  sar_free(f->column);
  sar_free(f);
}

static SarStatus open_port(SarPort* p, SarPortLayout* l, const char* address, SarError* err) {
  enum { INPUTS, BETWEEN, END, COUNT };
  SarPortOption o[COUNT] = {{.key = "inputs"}, {.key = "between"}, {.key = "end"}};
  const SarPortOption no_outputs = {.key = "outputs", .value = "", .length = 0};
  int head;
  SAR_TRY(sar_port_options("inputs", address, o, COUNT, &head, err));
  SAR_TRY(sar_port_take(p, l, &o[INPUTS], &no_outputs, err));
  if (snprintf(p->address, sizeof p->address, "%.*s", head, address) >= (int)sizeof p->address) {
    sar_report(err, (SarLoc){0}, "", "--inputs: the name of the file is too long");
    return SAR_BAD_ARGUMENT;
  }
  File* f = p->own = sar_alloc(sizeof(File));
  if (!f) return SAR_NO_MEMORY;
  SAR_TRY(sar_port_word("inputs", &o[BETWEEN], "linear", "hold", &f->hold, err));
  SAR_TRY(sar_port_word("inputs", &o[END], "hold", "repeat", &f->repeat, err));
  p->stats.connected = true;
  return read_file(p, l, err);
}

const SarPortKind sar_port_file = {
    .name = "file",
    .address = "FILE.csv|.h5[,inputs=A+B*][,between=linear|hold][,end=hold|repeat]",
    .doc = "recorded inputs: columns by name, over the column time",
    .open = open_port,
    .exchange = exchange,
    .close = close_port};
