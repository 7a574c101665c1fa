// JSON writer: two spaces per depth, one member a line.
#include "output/json.h"

#include "base/print.h"

#include <math.h>

void sar_json_begin(SarJson* j, FILE* out) { *j = (SarJson){.out = out, .first = true}; }
void sar_json_end(SarJson* j) { fputc('\n', j->out); }

static void write_text(SarJson* j, const char* text) {
  fputc('"', j->out);
  for (const unsigned char* c = (const unsigned char*)text; *c;) {
    const int n = sar_utf8_length(c);
    if (*c == '"' || *c == '\\')
      fprintf(j->out, "\\%c", *c);
    else if (n == 1 && (*c < 0x20 || *c == 0x7F))
      fprintf(j->out, "\\u%04x", *c);
    else if (n == 2 && *c == 0xC2 && c[1] < 0xA0)
      fprintf(j->out, "\\u%04x", c[1]);
    else if (n == 0)  // not UTF-8, which JSON must be
      fputs("\\ufffd", j->out);
    else
      fwrite(c, 1, (size_t)n, j->out);
    c += n ? n : 1;
  }
  fputc('"', j->out);
}

static void before_value(SarJson* j, const char* key) {
  if (j->depth > 0) fprintf(j->out, "%s\n%*s", j->first ? "" : ",", 2 * j->depth, "");
  j->first = false;
  if (key) {
    write_text(j, key);
    fputs(": ", j->out);
  }
}

void sar_json_open(SarJson* j, const char* key, char bracket) {
  before_value(j, key);
  fputc(bracket, j->out);
  j->depth++;
  j->first = true;
}

void sar_json_close(SarJson* j, char bracket) {
  j->depth--;
  if (!j->first) fprintf(j->out, "\n%*s", 2 * j->depth, "");
  fputc(bracket, j->out);
  j->first = false;
}

void sar_json_text(SarJson* j, const char* key, const char* value) {
  before_value(j, key);
  if (value)
    write_text(j, value);
  else
    fputs("null", j->out);
}

void sar_json_number(SarJson* j, const char* key, double value) {
  before_value(j, key);
  if (isfinite(value))
    fprintf(j->out, "%.17g", value);
  else
    fputs("null", j->out);
}

void sar_json_integer(SarJson* j, const char* key, long value) {
  before_value(j, key);
  fprintf(j->out, "%ld", value);
}

void sar_json_bool(SarJson* j, const char* key, bool value) {
  before_value(j, key);
  fputs(value ? "true" : "false", j->out);
}

void sar_json_row(SarJson* j, const char* key, const double* values, size_t count, int digits) {
  before_value(j, key);
  fputc('[', j->out);
  for (size_t i = 0; i < count; i++) {
    if (i > 0) fputc(',', j->out);
    if (isfinite(values[i]))
      fprintf(j->out, "%.*g", digits, values[i]);
    else
      fputs("null", j->out);
  }
  fputc(']', j->out);
}
