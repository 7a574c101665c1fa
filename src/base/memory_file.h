// A stream into memory that grows as it is written (open_memstream), for what writes to streams.
#pragma once
#include <stdbool.h>
#include <stdio.h>

typedef struct SarMemoryFile {
  FILE* out;  // to write to; NULL: there was no memory
  char* text;
  size_t size;
} SarMemoryFile;

// False: there was no memory.
bool sar_memory_open(SarMemoryFile* f);
// Closes the stream. What was written is in text, with a 0 behind its `size` bytes; false: not all
// of it found room, and there is no text. For sar_memory_free in both cases.
bool sar_memory_close(SarMemoryFile* f);
void sar_memory_free(SarMemoryFile* f);  // closed or not
