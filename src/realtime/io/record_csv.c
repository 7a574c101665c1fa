// Recording as CSV. A kill (SIGKILL) may end a write(2) between two pages of the file, and so in
// the middle of a line. So no write crosses a page: a line that would is begun on the next one,
// behind blanks, which readers of numbers pass over. Lines longer than a page cannot be kept whole;
// of them the last may be cut.
#include "realtime/io/record_format.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/print.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

enum { PAGE = 4096, NUMBER = 26, USUAL_DIGITS = 17 };

struct SarRecordFile {
  int file, columns, digits;
  char page[PAGE];  // what of the present page is not written yet
  int used;         // bytes of it
  int at;           // bytes of the present page that are in the file
  char* line;
};

static bool write_all(int file, const char* text, size_t n) {
  while (n > 0) {
    const ssize_t done = write(file, text, n);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    text += done;
    n -= (size_t)done;
  }
  return true;
}

static bool flush(SarRecordFile* f) {
  const bool ok = write_all(f->file, f->page, (size_t)f->used);
  f->at = (f->at + f->used) % PAGE;
  f->used = 0;
  return ok;
}

static bool add_line(SarRecordFile* f, const char* text, size_t n) {
  const size_t room = (size_t)(PAGE - f->at - f->used);
  bool ok = true;
  if (n > room) {  // to the end of the page, in one piece with the lines that end on it
    memset(f->page + f->used, ' ', room);
    f->used += (int)room;
    ok = flush(f);
  }
  if (n > PAGE) {
    ok = write_all(f->file, text, n) && ok;
    f->at = (int)(n % PAGE);
    return ok;
  }
  memcpy(f->page + f->used, text, n);
  f->used += (int)n;
  return (f->at + f->used < PAGE || flush(f)) && ok;
}

static bool add_dropped(SarRecordFile* f, uint64_t count) {
  char text[64];
  const int n = sar_snprintf(text, sizeof text, "# %llu rows dropped\n", (unsigned long long)count);
  return count == 0 || add_line(f, text, (size_t)n);
}

static bool add_row(SarRecordFile* f, const double* row) {
  size_t n = 0;
  for (int i = 0; i < f->columns; i++) {
    if (i) f->line[n++] = ',';
    if (isnan(row[i]))
      n += (size_t)sar_snprintf(f->line + n, NUMBER, "nan");
    else
      n += (size_t)sar_snprintf(f->line + n, NUMBER, "%.*g", f->digits, row[i] + 0.0);
  }
  f->line[n++] = '\n';
  return add_line(f, f->line, n);
}

static bool add_rows(SarRecordFile* f, const double* rows, uint64_t count) {
  bool ok = true;
  for (uint64_t i = 0; i < count && ok; i++, rows += f->columns + 1)
    ok = add_dropped(f, (uint64_t)rows[0]) && add_row(f, rows + 1);
  return ok;
}

// ---- life ----

// As RFC 4180 says: quoted if it has a comma or a quote.
static size_t quoted(char* to, const char* name) {
  size_t n = 0;
  const bool plain = !strpbrk(name, ",\"\n\r");
  if (!plain) to[n++] = '"';
  for (; *name; name++) {
    if (*name == '"') to[n++] = '"';
    to[n++] = *name;
  }
  if (!plain) to[n++] = '"';
  return n;
}

static bool write_header(SarRecordFile* f, const SarRecorderOptions* o) {
  size_t most = 2, n = 0;
  for (int i = 0; i < o->columns; i++) most += 2 * strlen(o->names[i]) + 3;
  char* text = sar_alloc(most);
  if (!text) return errno = ENOMEM, false;
  for (int i = 0; i < o->columns; i++) {
    if (i) text[n++] = ',';
    n += quoted(text + n, o->names[i]);
  }
  text[n++] = '\n';
  const bool ok = write_all(f->file, text, n);
  f->at = (int)(n % PAGE);
  sar_free(text);
  return ok;
}

static void release(SarRecordFile* f) {
  if (f->file >= 0) close(f->file);
  sar_free(f->line);
  sar_free(f);
}

static SarStatus open_file(const SarRecorderOptions* o, SarRecordFile** out, SarError* err) {
  SarRecordFile* f = sar_alloc(sizeof *f);
  if (!f) return SAR_NO_MEMORY;
  *f = (SarRecordFile){
      .file = -1, .columns = o->columns, .digits = o->digits > 0 ? o->digits : USUAL_DIGITS};
  f->line = sar_alloc((size_t)(o->columns + 1) * NUMBER);
  if (!f->line) {
    release(f);
    return SAR_NO_MEMORY;
  }
  f->file = open(o->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (f->file < 0 || !write_header(f, o)) {
    sar_report(err, (SarLoc){.file = o->path}, "", "cannot be written: %s", strerror(errno));
    release(f);
    return SAR_NO_FILE;
  }
  *out = f;
  return SAR_OK;
}

static bool close_file(SarRecordFile* f, uint64_t dropped) {
  bool ok = add_dropped(f, dropped);
  ok = flush(f) && ok;
  ok = close(f->file) == 0 && ok;
  f->file = -1;
  release(f);
  return ok;
}

const SarRecordFormat sar_record_csv = {open_file, add_rows, flush, close_file};
