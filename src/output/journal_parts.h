// What writing a journal (journal.c) shares with reading it (journal_scan.c).
#pragma once
#include "output/journal.h"

#include "base/crc32.h"

enum { JOURNAL_MAGIC = 8, JOURNAL_HEAD = 24 };
#define JOURNAL_WORD "SARJRNL1"
#define JOURNAL_MARK 0x4c524e4au
#define JOURNAL_IDENTITY UINT64_MAX  // the key of the first record

struct SarJournal {
  int fd;
  char* path;             // "" without a name
  uint64_t end;           // of what is in the file
  unsigned char* buffer;  // what is not
  size_t used;
  bool dirty;  // written and not synced
};

static inline void journal_put(unsigned char* at, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; i++) at[i] = (unsigned char)(value >> 8 * i);
}

static inline uint64_t journal_get(const unsigned char* at, int bytes) {
  uint64_t value = 0;
  for (int i = 0; i < bytes; i++) value |= (uint64_t)at[i] << 8 * i;
  return value;
}

static inline uint32_t journal_checksum(const unsigned char* head, const void* bytes, size_t size) {
  return sar_crc32(sar_crc32(0, head + 4, 12), bytes, size);
}

// "FILE: what: reason of the system"; SAR_NO_FILE.
SarStatus journal_complain(const SarJournal* j, const char* what, const char* hint, int why,
                           SarError* err);
// A file of `size` bytes that was there: its records, repairs, and where to go on (j->end).
SarStatus journal_read_file(SarJournal* j, uint64_t size, const char* identity,
                            SarJournalVisitor* visit, void* context, SarJournalReport* report,
                            SarError* err);
