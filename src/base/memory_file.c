// A stream into memory (memory_file.h). Its text is the C library's and goes back to it.
#include "base/memory_file.h"

#include <stdlib.h>

bool sar_memory_open(SarMemoryFile* f) {
  *f = (SarMemoryFile){0};
  f->out = open_memstream(&f->text, &f->size);
  return f->out != NULL;
}

bool sar_memory_close(SarMemoryFile* f) {
  if (!f->out) return false;
  const bool whole = !ferror(f->out);
  const bool closed = fclose(f->out) == 0;
  f->out = NULL;
  if (whole && closed && f->text) return true;
  sar_memory_free(f);
  return false;
}

void sar_memory_free(SarMemoryFile* f) {
  if (f->out) fclose(f->out);
  free(f->text);
  *f = (SarMemoryFile){0};
}
