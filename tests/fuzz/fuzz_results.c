// libFuzzer target: any bytes as files that runs write and others read.
//
//   byte 0   0: a table (CSV: results, measured data, lists of values); 1: a journal; 2: a journal
//            whose identity and records are whole, with edits of 3 bytes (where, where, what) from
//            the rest
//
// Checks: no crash, leak or hang; a refusal says why; a table has as many finite-sized rows as it
// says; a journal that was opened takes another record, and has it, and all it had before, when it
// is opened again. The file is one in TMPDIR, written again and again.
#include "base/alloc.h"
#include "output/journal.h"
#include "output/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = 300, MOST = 1 << 16, MODES = 3 };

static char path[2][PATH_SIZE];

static void require(bool condition) {
  if (!condition) __builtin_trap();
}

static void remove_files(void) {
  unlink(path[0]);
  unlink(path[1]);
}

static void begin(void) {
  const char* folder = getenv("TMPDIR");
  snprintf(path[0], PATH_SIZE, "%.200s/sarrus-fuzz-%ld.csv", folder ? folder : "/tmp",
           (long)getpid());
  snprintf(path[1], PATH_SIZE, "%.200s/sarrus-fuzz-%ld.journal", folder ? folder : "/tmp",
           (long)getpid());
  atexit(remove_files);
}

static void write_file(const char* name, const void* bytes, size_t n) {
  FILE* f = fopen(name, "wb");
  require(f != NULL);
  const bool whole = fwrite(bytes, 1, n, f) == n;
  require(fclose(f) == 0 && whole);
}

static void try_table(const uint8_t* data, size_t size) {
  SarError err;
  SarTable* t = NULL;
  write_file(path[0], data, size);
  sar_error_init(&err);
  const SarStatus st = sar_table_load(path[0], &t, &err);
  require((st == SAR_OK) == (t != NULL));
  require(st == SAR_OK || st == SAR_NO_MEMORY || err.errors > 0);
  double sum = 0;
  for (size_t i = 0; t && i < t->rows * (size_t)t->columns; i++) sum += t->values[i];
  for (int c = 0; t && c < t->columns; c++) sum += (double)strlen(sar_table_name(t, c));
  require(isnan(sum) || !isnan(sum));
  sar_table_free(t);
}

typedef struct Sum {
  uint64_t records, bytes;
} Sum;

static void add_up(void* context, uint64_t key, const void* bytes, size_t size, uint64_t place) {
  Sum* s = context;
  (void)key, (void)place;
  s->records++;
  for (size_t i = 0; i < size; i++) s->bytes = s->bytes * 31 + ((const unsigned char*)bytes)[i];
}

static SarJournal* open_journal(Sum* s) {
  SarError err;
  SarJournal* j = NULL;
  SarJournalReport report;
  sar_error_init(&err);
  *s = (Sum){0};
  const SarStatus st = sar_journal_open(path[1], "a=1\nb=2\n", add_up, s, &j, &report, &err);
  require((st == SAR_OK) == (j != NULL) && (st == SAR_OK) == (err.errors == 0));
  require(!j || (report.torn + report.damaged > 0) == (err.count > 0));
  return j;
}

static void add_record(SarJournal* j, uint64_t key, const char* text) {
  SarError err;
  sar_error_init(&err);
  require(sar_journal_add(j, key, text, strlen(text), NULL, &err) == SAR_OK);
  require(sar_journal_sync(j, &err) == SAR_OK);
}

static void try_journal(void) {
  Sum first, second;
  SarJournal* j = open_journal(&first);
  if (!j) return;
  add_record(j, 5, "one more");
  sar_journal_close(j);
  j = open_journal(&second);
  require(j && second.records == first.records + 1);
  sar_journal_close(j);
}

// A journal with three records, and its bytes.
static size_t whole_journal(unsigned char* to) {
  Sum s;
  unlink(path[1]);
  SarJournal* j = open_journal(&s);
  require(j != NULL);
  add_record(j, 0, "a record");
  add_record(j, 1, "");
  add_record(j, 2, "another record, which is longer than the others are");
  sar_journal_close(j);
  FILE* f = fopen(path[1], "rb");
  require(f != NULL);
  const size_t n = fread(to, 1, MOST, f);
  fclose(f);
  return n;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static unsigned char kept[MOST], file[MOST];
  static size_t length;
  if (size == 0 || size > MOST) return 0;
  if (!path[0][0]) {
    begin();
    length = whole_journal(kept);
  }
  const int mode = data[0] % MODES;
  if (mode == 0) {
    try_table(data + 1, size - 1);
    return 0;
  }
  if (mode == 1) {
    write_file(path[1], data + 1, size - 1);
  } else {
    memcpy(file, kept, length);
    for (size_t i = 1; i + 3 <= size; i += 3)
      file[((size_t)data[i] << 8 | data[i + 1]) % length] = data[i + 2];
    write_file(path[1], file, length);
  }
  try_journal();
  return 0;
}
