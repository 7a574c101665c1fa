// An append-only journal (write-ahead log) of results: whoever is killed goes on where the last
// whole record ends.
//
//   file     "SARJRNL1", then records
//   record   mark, size, key (64 bit), CRC-32 of size, key and bytes, 0; then the bytes; numbers
//            are little-endian
//
// The first record says whose journal it is (its identity, lines "name=value"). A torn tail is cut
// off when the file is opened; damage before it is skipped, records behind it are found by their
// marks and checksums. One process has it at a time (a POSIX record lock, which ends with the
// process).
#pragma once
#include "sarrus/sarrus.h"

#include <stdint.h>

typedef struct SarJournal SarJournal;

// One record while a file is opened: bytes live as long as the call.
typedef void SarJournalVisitor(void* context, uint64_t key, const void* bytes, size_t size,
                               uint64_t place);

typedef struct SarJournalReport {
  bool found;              // the file was there
  uint64_t records;        // that are whole
  uint64_t torn, damaged;  // bytes cut off at the end; skipped before it
} SarJournalReport;

enum { SAR_JOURNAL_MOST = 1 << 30 };  // bytes of a record

// Opens or makes the file. Its identity must be this one: SAR_BAD_ARGUMENT names the lines that
// differ. NULL: a file without a name, which ends with the process. visit: Nullable.
SarStatus sar_journal_open(const char* path, const char* identity, SarJournalVisitor* visit,
                           void* context, SarJournal** out, SarJournalReport* report,
                           SarError* err);
// One more record; *place (Nullable) is where sar_journal_read finds it. What was added is on the
// disk after the next sar_journal_sync, or when the buffer has to be emptied.
SarStatus sar_journal_add(SarJournal* j, uint64_t key, const void* bytes, size_t size,
                          uint64_t* place, SarError* err);
SarStatus sar_journal_sync(SarJournal* j, SarError* err);
// A record of this file, checked again; *bytes for sar_free.
SarStatus sar_journal_read(SarJournal* j, uint64_t place, void** bytes, size_t* size,
                           SarError* err);
void sar_journal_close(SarJournal* j);  // NULL is fine
// After fork: the child has no business with it.
void sar_journal_leave(SarJournal* j);
