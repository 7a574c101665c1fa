// The journal: what was added comes back; torn tails and damage lose what they hit, and nothing
// else; one job at a time.
#include "support/test.h"

#include "base/alloc.h"
#include "base/crc32.h"
#include "output/journal.h"

#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 200, LONGEST = 3000 };

static char path[200];

static int begin(void** state) {
  (void)state;
  const char* temp = getenv("TMPDIR");
  snprintf(path, sizeof path, "%.150s/sarrus-journal-XXXXXX", temp ? temp : "/tmp");
  const int fd = mkstemp(path);
  return fd >= 0 && close(fd) == 0 && unlink(path) == 0 ? 0 : -1;
}

static int end(void** state) {
  (void)state;
  unlink(path);
  return 0;
}

// Bytes of record `key`: its length and contents follow from the key.
static size_t bytes_of(uint64_t key, unsigned char* to) {
  Rng r = rng_seed(key + 77);
  const size_t n = (size_t)rng_int(&r, rng_int(&r, 4) ? 60 : LONGEST);
  for (size_t i = 0; i < n; i++) to[i] = (unsigned char)rng_next(&r);
  return n;
}

typedef struct Seen {
  bool have[MOST];
  uint64_t place[MOST];
  int count;
} Seen;

static void see(void* context, uint64_t key, const void* bytes, size_t size, uint64_t place) {
  unsigned char expected[LONGEST];
  Seen* s = context;
  assert_true(key < MOST);
  assert_int_equal(size, bytes_of(key, expected));
  assert_memory_equal(bytes, expected, size);
  if (!s->have[key]) s->count++;
  s->have[key] = true;
  s->place[key] = place;
}

static SarJournal* open_as(const char* identity, Seen* s, SarJournalReport* report, SarError* err) {
  SarJournal* j = NULL;
  *s = (Seen){0};
  sar_error_init(err);
  const SarStatus st = sar_journal_open(path, identity, see, s, &j, report, err);
  assert_true((st == SAR_OK) == (j != NULL));
  assert_true((st == SAR_OK) == (err->errors == 0));
  return j;
}

static void add(SarJournal* j, uint64_t key) {
  unsigned char bytes[LONGEST];
  SarError err;
  sar_error_init(&err);
  const size_t n = bytes_of(key, bytes);
  EXPECT_OK_OR(sar_journal_add(j, key, bytes, n, NULL, &err), &err);
}

static void make(int records) {
  Seen s;
  SarError err;
  SarJournalReport report;
  unlink(path);
  SarJournal* j = open_as("model=1\nend=2\n", &s, &report, &err);
  for (int i = 0; i < records; i++) add(j, (uint64_t)i);
  EXPECT_OK_OR(sar_journal_sync(j, &err), &err);
  sar_journal_close(j);
}

static long size_of_file(void) {
  FILE* f = fopen(path, "rb");
  assert_non_null(f);
  fseek(f, 0, SEEK_END);
  const long n = ftell(f);
  fclose(f);
  return n;
}

// Of the ITU's and ZIP's test string.
static void checksum_is_the_one_of_ieee(void** state) {
  (void)state;
  assert_int_equal(sar_crc32(0, "123456789", 9), 0xcbf43926u);
  assert_int_equal(sar_crc32(sar_crc32(0, "1234", 4), "56789", 5), 0xcbf43926u);
  assert_int_equal(sar_crc32(0, "", 0), 0);
}

static void records_come_back(void** state) {
  (void)state;
  Seen s;
  SarError err;
  SarJournalReport report;
  unsigned char expected[LONGEST];
  make(MOST / 2);
  SarJournal* j = open_as("model=1\nend=2\n", &s, &report, &err);
  assert_true(report.found && report.torn == 0 && report.damaged == 0);
  assert_int_equal(s.count, MOST / 2);
  for (int i = MOST / 2; i < MOST; i++) add(j, (uint64_t)i);
  for (int i = 0; i < MOST / 2; i++) {
    void* bytes;
    size_t size;
    EXPECT_OK_OR(sar_journal_read(j, s.place[i], &bytes, &size, &err), &err);
    assert_int_equal(size, bytes_of((uint64_t)i, expected));
    assert_memory_equal(bytes, expected, size);
    sar_free(bytes);
  }
  EXPECT_OK_OR(sar_journal_sync(j, &err), &err);
  sar_journal_close(j);
  j = open_as("model=1\nend=2\n", &s, &report, &err);
  assert_int_equal(s.count, MOST);
  sar_journal_close(j);
}

// Cut anywhere: whole records before the cut are there, the rest is cut off and said, and can be
// added again.
static void torn_tails_are_cut_off(void** state) {
  (void)state;
  Rng r = rng_seed(test_seed(1));
  for (int k = 0; k < test_effort(200); k++) {
    Seen s;
    SarError err;
    SarJournalReport report;
    const int records = 1 + rng_int(&r, 12);
    make(records);
    const long size = size_of_file(), cut = rng_int(&r, (int)size + 1);
    assert_int_equal(truncate(path, cut), 0);
    SarJournal* j = open_as("model=1\nend=2\n", &s, &report, &err);
    assert_non_null(j);
    assert_true((report.torn > 0) == (err.count > 0));
    for (int i = 0; i < s.count; i++) assert_true(s.have[i]);  // the first ones, without a gap
    if (cut == size) assert_int_equal(s.count, records);
    for (int i = s.count; i < records; i++) add(j, (uint64_t)i);
    EXPECT_OK_OR(sar_journal_sync(j, &err), &err);
    sar_journal_close(j);
    j = open_as("model=1\nend=2\n", &s, &report, &err);
    assert_int_equal(s.count, records);
    assert_true(report.torn == 0 && report.damaged == 0);
    sar_journal_close(j);
  }
}

// Bytes changed behind the first record: no wrong record, at most those lost that were hit, and all
// is told.
static void damage_is_skipped(void** state) {
  (void)state;
  Rng r = rng_seed(test_seed(2));
  for (int k = 0; k < test_effort(200); k++) {
    Seen s;
    SarError err;
    SarJournalReport report;
    const int records = 2 + rng_int(&r, 12), hits = 1 + rng_int(&r, 3);
    make(records);
    const long size = size_of_file(), first = 8 + 24 + 14;
    FILE* f = fopen(path, "r+b");
    assert_non_null(f);
    for (int i = 0; i < hits; i++) {
      const long at = first + rng_int(&r, (int)(size - first));
      fseek(f, at, SEEK_SET);
      const int old = fgetc(f);
      fseek(f, at, SEEK_SET);
      fputc(old ^ (1 + rng_int(&r, 255)), f);
    }
    fclose(f);
    SarJournal* j = open_as("model=1\nend=2\n", &s, &report, &err);
    assert_non_null(j);
    assert_true(s.count >= records - hits);
    assert_true((s.count < records) <= (report.torn + report.damaged > 0));
    assert_true((report.torn + report.damaged > 0) == (err.count > 0));
    for (int i = 0; i < records; i++)
      if (!s.have[i]) add(j, (uint64_t)i);
    EXPECT_OK_OR(sar_journal_sync(j, &err), &err);
    sar_journal_close(j);
    j = open_as("model=1\nend=2\n", &s, &report, &err);
    assert_int_equal(s.count, records);
    sar_journal_close(j);
  }
}

static void strangers_are_refused(void** state) {
  (void)state;
  Seen s;
  SarError err;
  SarJournalReport report;
  make(3);
  assert_null(open_as("model=1\nend=3\n", &s, &report, &err));
  assert_non_null(strstr(err.items[0].text, "different end"));
  assert_null(open_as("model=2\nend=2\n", &s, &report, &err));
  assert_non_null(strstr(err.items[0].text, "different model"));
  FILE* f = fopen(path, "w");
  fputs("time,x\n0,1\n1,2\n2,3\n3,4\n4,5\n5,6\n", f);
  fclose(f);
  assert_null(open_as("model=1\nend=2\n", &s, &report, &err));
  assert_non_null(strstr(err.items[0].text, "no journal"));
  f = fopen(path, "w");
  fputs("short\n", f);
  fclose(f);
  assert_null(open_as("model=1\nend=2\n", &s, &report, &err));
  assert_int_equal(size_of_file(), 6);
  unlink(path);
}

static void one_job_has_it(void** state) {
  (void)state;
  Seen s;
  SarError err;
  SarJournalReport report;
  make(2);
  SarJournal* j = open_as("model=1\nend=2\n", &s, &report, &err);
  assert_non_null(j);
  fflush(NULL);
  const pid_t other = fork();
  if (other == 0) {
    SarJournal* mine = NULL;
    sar_error_init(&err);
    const SarStatus st =
        sar_journal_open(path, "model=1\nend=2\n", NULL, NULL, &mine, &report, &err);
    _exit(st == SAR_BAD_ARGUMENT && strstr(err.items[0].text, "another job") ? 7 : 1);
  }
  int status;
  assert_int_equal(waitpid(other, &status, 0), other);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
  sar_journal_close(j);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(checksum_is_the_one_of_ieee), cmocka_unit_test(records_come_back),
      cmocka_unit_test(torn_tails_are_cut_off),      cmocka_unit_test(damage_is_skipped),
      cmocka_unit_test(strangers_are_refused),       cmocka_unit_test(one_job_has_it),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
