#include "support/test.h"
#include "support/json_numbers.h"

#include <stdlib.h>

char* json_read_file(const char* path) {
  FILE* file = fopen(path, "rb");
  if (!file) fail_msg("cannot read %s", path);
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  char* text = malloc((size_t)size + 1);
  assert_non_null(text);
  assert_int_equal(fread(text, 1, (size_t)size, file), size);
  fclose(file);
  text[size] = 0;
  return text;
}

const char* json_find(const char* at, const char* key) {
  char quoted[64];
  snprintf(quoted, sizeof quoted, "\"%s\":", key);
  const char* found = strstr(at, quoted);
  return found ? found + strlen(quoted) : NULL;
}

int json_numbers(const char** at, double* out, int max) {
  int depth = 0, count = 0;
  const char* p = *at;
  do {
    if (*p == '[')
      depth++, p++;
    else if (*p == ']')
      depth--, p++;
    else if (*p == ',' || *p == ' ' || *p == '\n')
      p++;
    else {
      char* end;
      double x = strtod(p, &end);
      if (end == p) break;  // not an array of numbers
      if (count < max) out[count] = x;
      count++;
      p = end;
    }
  } while (depth > 0);
  *at = p;
  return count;
}

int json_string(const char** at, char* out, int size) {
  const char* p = *at;
  while (*p && *p != '"' && *p != ']') p++;
  if (*p != '"') return 0;
  const char* end = strchr(p + 1, '"');
  if (!end) return 0;
  snprintf(out, (size_t)size, "%.*s", (int)(end - p - 1), p + 1);
  *at = end + 1;
  return 1;
}
