// FMUs as archives (ZIP, by libzip): writing one, and unpacking one of unknown origin.
#pragma once
#include "base/error.h"

#include <stddef.h>

// Without libzip both are SAR_NOT_OFFERED.
bool sar_archive_offered(void);

typedef struct SarArchiveFile {
  const char* name;  // in the archive, with forward strokes
  const char* path;  // a file; NULL:
  const char* text;  // the bytes themselves, which live until it is written
  size_t size;
} SarArchiveFile;

// Writes a new archive, or nothing. Times of files are left out: the same files give the same
// bytes.
SarStatus sar_archive_write(const char* path, const SarArchiveFile* file, int count, SarError* err);

// Bounds on what is unpacked: entries, bytes of all, by how much one may grow.
enum { SAR_ARCHIVE_ENTRIES = 20000, SAR_ARCHIVE_GROWTH = 2000 };
#define SAR_ARCHIVE_BYTES ((size_t)1 << 31)

// Unpacks into a folder that is there and empty. Names that lead out of it (.., absolute, drives,
// backslashes), links and archives beyond the bounds are refused before anything of them is
// written.
SarStatus sar_archive_unpack(const char* path, const char* folder, SarError* err);
// The same of bytes in memory; `name` stands for them in messages.
SarStatus sar_archive_unpack_bytes(const void* bytes, size_t size, const char* name,
                                   const char* folder, SarError* err);
// Removes a folder and what is in it. Links are removed, not followed.
void sar_folder_remove(const char* folder);
// A new folder for an unpacked archive below TMPDIR, its name in `out`.
SarStatus sar_folder_make(char* out, size_t size, SarError* err);
