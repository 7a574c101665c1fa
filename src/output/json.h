// A small writer of JSON: objects and lists, commas and escapes in the right places, nothing else.
#pragma once
#include <stdbool.h>
#include <stdio.h>

typedef struct SarJson {
  FILE* out;
  int depth;
  bool first;  // nothing written yet at this depth
} SarJson;

void sar_json_begin(SarJson* j, FILE* out);
void sar_json_end(SarJson* j);  // the line's end
// key is NULL inside a list
void sar_json_open(SarJson* j, const char* key, char bracket);       // '{' or '['
void sar_json_close(SarJson* j, char bracket);                       // '}' or ']'
void sar_json_text(SarJson* j, const char* key, const char* value);  // NULL: null
void sar_json_number(SarJson* j, const char* key, double value);     // 17 digits; not finite: null
void sar_json_integer(SarJson* j, const char* key, long value);
void sar_json_bool(SarJson* j, const char* key, bool value);
// A list of numbers in one line, with so many digits.
void sar_json_row(SarJson* j, const char* key, const double* values, size_t count, int digits);
