// libFuzzer target: any bytes as a model file with what it includes, through reader and compiler,
// and what compiles through a life of its own (life.h). Checks: no failure without a message, no
// message without a place in the text.
//
// An input is one or several files: a line "%%file NAME" begins the next one, which `include` and
// tables of the first find by that name. A text from memory has no folder and there are no search
// paths: nothing else is opened. The method is chosen by a hash of all bytes.
#include "fuzz/life.h"

#include <stdio.h>

enum { MAX_FILES = 6, NAME_SIZE = 40 };

typedef struct Files {
  int count;  // the first one is the model
  char name[MAX_FILES][NAME_SIZE];
  SarTextFile file[MAX_FILES];
} Files;

static const char MARK[] = "\n%%file ";

static const char* find_mark(const char* from, const char* end) {
  const size_t length = sizeof MARK - 1;
  for (; from + length <= end; from++)
    if (memcmp(from, MARK, length) == 0) return from;
  return end;
}

// The name that a mark gives, up to the end of its line; returns where the text begins.
static const char* read_name(const char* from, const char* end, char name[NAME_SIZE]) {
  size_t n = 0;
  for (; from < end && *from != '\n'; from++)
    if (n + 1 < NAME_SIZE && *from > ' ') name[n++] = *from;
  name[n] = 0;
  return from < end ? from + 1 : end;
}

static void split(const char* text, size_t size, Files* out) {
  const char *at = text, *end = text + size;
  out->count = 0;
  snprintf(out->name[0], NAME_SIZE, "fuzz.yaml");
  while (out->count < MAX_FILES) {
    const char* stop = find_mark(at, end);
    const int k = out->count++;
    out->file[k] = (SarTextFile){out->name[k], at, (size_t)(stop - at)};
    if (stop == end || out->count == MAX_FILES) return;
    at = read_name(stop + sizeof MARK - 1, end, out->name[out->count]);
  }
}

static int count_lines(const char* text, size_t size) {
  int lines = 2;  // and the place after the last line
  for (size_t i = 0; i < size; i++)
    lines += text[i] == '\n' || text[i] == '\r' || (unsigned char)text[i] >= 0x80;
  return lines;
}

static void check_messages(const SarError* err, const Files* files, int lines) {
  for (int i = 0; i < err->count; i++) {
    char text[1024];
    sar_error_format(err, i, text, sizeof text);
    if (files->count == 1) require(strncmp(text, "fuzz.yaml", 9) == 0);
    require(err->items[i].text[0] != '\0');
    require(err->items[i].line >= 0 && err->items[i].line <= lines);
    require(err->items[i].column >= 0);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  SarModel* m = NULL;
  SarError err;
  Files files;
  sar_error_init(&err);
  split((const char*)data, size, &files);
  const SarLoadOptions o = {.files = files.file + 1, .file_count = files.count - 1};
  SarStatus st =
      sar_model_parse(files.file[0].text, files.file[0].size, "yaml", "fuzz.yaml", &o, &m, &err);
  require((st == SAR_OK) == (m != NULL));
  require((st == SAR_OK) == (err.errors == 0));
  check_messages(&err, &files, count_lines((const char*)data, size));
  life_show((const char*)data, size, &err);
  if (m) life_of_model(m, life_hash(data, size));
  sar_model_free(m);
  return 0;
}
