// The journal's file (journal.h): what is there, and its repairs.
#include "output/journal_parts.h"

#include "base/error.h"
#include "base/print.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// "a=1\nb=2" against "a=1\nb=3": the names of the lines that differ
static SarStatus refuse_identity(const SarJournal* j, const char* mine, const char* its, size_t n,
                                 SarError* err) {
  char names[200] = "";
  size_t used = 0;
  const char* end = its + n;
  for (const char* line = mine; *line;) {
    const size_t length = strcspn(line, "\n");
    const char* at = its;
    bool same = false;
    while (at < end && !same) {
      const char* stop = memchr(at, '\n', (size_t)(end - at));
      const size_t other = (size_t)((stop ? stop : end) - at);
      same = other == length && memcmp(at, line, length) == 0;
      at += other + 1;
    }
    const size_t name = strcspn(line, "=\n");
    if (!same && used < sizeof names)
      used += (size_t)sar_snprintf(names + used, sizeof names - used, "%s%.*s", used ? ", " : "",
                                   (int)name, line);
    line += length + (line[length] == '\n');
  }
  sar_report(err, (SarLoc){.file = j->path},
             "name another journal, or remove this one to begin anew",
             "this is the journal of another job: different %s", used ? names : "entries");
  return SAR_BAD_ARGUMENT;
}

// ---- what is there ------------------------------------------------------------------------------

typedef struct Scan {
  SarJournal* j;
  const unsigned char* map;
  uint64_t size, at, good;  // good: end of the last whole record
  const char* identity;
  SarJournalVisitor* visit;
  void* context;
  SarJournalReport* report;
} Scan;

// Size of the whole record at s->at, with its head; 0: there is none.
static uint64_t record_at(const Scan* s, uint64_t at) {
  if (s->size - at < JOURNAL_HEAD) return 0;
  const unsigned char* head = s->map + at;
  const uint64_t size = journal_get(head + 4, 4);
  if (journal_get(head, 4) != JOURNAL_MARK || size > SAR_JOURNAL_MOST ||
      size > s->size - at - JOURNAL_HEAD)
    return 0;
  if (journal_get(head + 16, 4) != journal_checksum(head, head + JOURNAL_HEAD, (size_t)size))
    return 0;
  return JOURNAL_HEAD + size;
}

// From damage to the next whole record; the end of the file: there is none.
static uint64_t skip_damage(const Scan* s, uint64_t at) {
  for (; at < s->size; at++) {
    const unsigned char* next =
        memchr(s->map + at, (int)(JOURNAL_MARK & 0xff), (size_t)(s->size - at));
    if (!next) return s->size;
    at = (uint64_t)(next - s->map);
    if (record_at(s, at) > 0) return at;
  }
  return s->size;
}

static SarStatus refuse_stranger(const SarJournal* j, SarError* err) {
  sar_report(err, (SarLoc){.file = j->path}, "name another file",
             "this is no journal, and is not written over");
  return SAR_BAD_ARGUMENT;
}

static SarStatus check_first(Scan* s, SarError* err) {
  const uint64_t n = record_at(s, JOURNAL_MAGIC);
  const unsigned char* bytes = s->map + JOURNAL_MAGIC + JOURNAL_HEAD;
  if (memcmp(s->map, JOURNAL_WORD, JOURNAL_MAGIC) != 0) return refuse_stranger(s->j, err);
  if (n == 0 && skip_damage(s, JOURNAL_MAGIC) == s->size) {  // killed while it was being made
    s->at = s->size;
    s->good = 0;
    return SAR_OK;
  }
  if (n == 0 || journal_get(s->map + JOURNAL_MAGIC + 8, 8) != JOURNAL_IDENTITY) {
    sar_report(err, (SarLoc){.file = s->j->path}, "remove it to begin anew",
               "the beginning of this journal is damaged: whose it is cannot be told");
    return SAR_BAD_ARGUMENT;
  }
  if (n - JOURNAL_HEAD != strlen(s->identity) ||
      memcmp(bytes, s->identity, (size_t)(n - JOURNAL_HEAD)) != 0)
    return refuse_identity(s->j, s->identity, (const char*)bytes, (size_t)(n - JOURNAL_HEAD), err);
  s->at = s->good = JOURNAL_MAGIC + n;
  return SAR_OK;
}

static SarStatus scan(Scan* s, SarError* err) {
  SAR_TRY(check_first(s, err));
  while (s->at < s->size) {
    const uint64_t n = record_at(s, s->at);
    if (n == 0) {
      s->at = skip_damage(s, s->at + 1);
      if (s->at < s->size) s->report->damaged += s->at - s->good;
      continue;
    }
    const unsigned char* head = s->map + s->at;
    if (s->visit)
      s->visit(s->context, journal_get(head + 8, 8), head + JOURNAL_HEAD,
               (size_t)(n - JOURNAL_HEAD), s->at);
    s->report->records++;
    s->good = s->at += n;
  }
  s->report->torn = s->size - s->good;
  return SAR_OK;
}

static void tell_repairs(const SarJournal* j, const SarJournalReport* r, SarError* err) {
  const SarLoc loc = {.file = j->path};
  if (r->torn > 0)
    sar_warn(err, loc, "what it was about is done again",
             "the last record was cut off: %llu bytes are removed", (unsigned long long)r->torn);
  if (r->damaged > 0)
    sar_warn(err, loc, "what stood there is done again", "%llu bytes are damaged and left out",
             (unsigned long long)r->damaged);
}

// Too short for a record: killed while it was being made.
static SarStatus read_young(const SarJournal* j, uint64_t size, SarJournalReport* report,
                            SarError* err) {
  char begun[JOURNAL_MAGIC + JOURNAL_HEAD] = "";
  const ssize_t n = pread(j->fd, begun, sizeof begun, 0);
  if (n < 0) return journal_complain(j, "cannot be read", "", errno, err);
  report->torn = size;
  const size_t same = n < JOURNAL_MAGIC ? (size_t)n : JOURNAL_MAGIC;
  return memcmp(begun, JOURNAL_WORD, same) == 0 ? SAR_OK : refuse_stranger(j, err);
}

SarStatus journal_read_file(SarJournal* j, uint64_t size, const char* identity,
                            SarJournalVisitor* visit, void* context, SarJournalReport* report,
                            SarError* err) {
  Scan s = {.j = j,
            .size = size,
            .identity = identity,
            .visit = visit,
            .context = context,
            .report = report};
  report->found = true;
  if (size < JOURNAL_MAGIC + JOURNAL_HEAD) {
    SAR_TRY(read_young(j, size, report, err));
  } else {
    void* map = mmap(NULL, (size_t)size, PROT_READ, MAP_SHARED, j->fd, 0);
    if (map == MAP_FAILED) return journal_complain(j, "cannot be read", "", errno, err);
    s.map = map;
    const SarStatus st = scan(&s, err);
    munmap(map, (size_t)size);
    SAR_TRY(st);
  }
  if (report->torn > 0 && ftruncate(j->fd, (off_t)s.good) != 0)
    return journal_complain(j, "the torn end cannot be cut off", "", errno, err);
  j->end = s.good;
  tell_repairs(j, report, err);
  return SAR_OK;
}
