// libFuzzer target: any bytes as an FMU of others. What begins as an archive is unpacked, and its
// description read; the rest is a description. Checks: a failure has an error to read, and what is
// taken is within the bounds that it is used with.
#include "fmi/archive.h"
#include "fmi/import.h"
#include "fuzz/life.h"
#include "io/source.h"

#include <string.h>

static void describe(const char* text, size_t size) {
  static SarImportDescription d;
  SarArena arena;
  SarError err;
  sar_arena_init(&arena);
  sar_error_init(&err);
  const SarStatus st = sar_import_describe(&arena, text, size, "modelDescription.xml", &d, &err);
  require((st == SAR_OK) == (err.errors == 0));
  if (st == SAR_OK) {
    require(d.version == 2 || d.version == 3);
    require(d.token && d.identifier && !strpbrk(d.identifier, "/\\.:"));
    require(d.inputs >= 0 && d.inputs <= SAR_IMPORT_MOST);
    require(d.outputs > 0 && d.outputs <= SAR_IMPORT_MOST);
    for (int i = 0; i < d.outputs; i++) require(d.output[i].name != NULL);
  }
  sar_arena_free(&arena);
}

static void unpack(const uint8_t* data, size_t size) {
  char folder[200], path[300];
  SarFileText text;
  SarError err;
  sar_error_init(&err);
  if (sar_folder_make(folder, sizeof folder, &err) != SAR_OK) return;
  const SarStatus st = sar_archive_unpack_bytes(data, size, "fuzz.fmu", folder, &err);
  require((st == SAR_OK) == (err.errors == 0));
  snprintf(path, sizeof path, "%s/modelDescription.xml", folder);
  sar_error_init(&err);
  if (st == SAR_OK && sar_file_open(path, 1 << 20, true, (SarLoc){0}, &text, &err) == SAR_OK) {
    describe(text.text, text.size);
    sar_file_close(&text);
  }
  sar_folder_remove(folder);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size > 2 && data[0] == 'P' && data[1] == 'K')
    unpack(data, size);
  else
    describe((const char*)data, size);
  return 0;
}
