// A strict reader of small JSON texts from outside (RFC 8259): objects, texts, numbers, lists of
// numbers. It allocates nothing, and reads every byte at most twice.
#pragma once
#include <stdbool.h>
#include <stddef.h>

typedef struct SarJsonIn {
  const char *at, *end;
  char* error;  // what went wrong first
  size_t room;
  bool failed;
} SarJsonIn;

// All return false after a failure, and say what it was.
bool sar_json_in_fail(SarJsonIn* in, const char* format, ...) __attribute__((format(printf, 2, 3)));
bool sar_json_in_open(SarJsonIn* in, char bracket);
// Is there another item before the closing bracket? `another`: there was one before. Takes the
// bracket or the comma.
bool sar_json_in_more(SarJsonIn* in, char bracket, bool another);
bool sar_json_in_key(SarJsonIn* in, char* out, size_t size);  // "name" :
// UTF-8, ended by 0; without control characters, and shorter than `size`.
bool sar_json_in_text(SarJsonIn* in, char* out, size_t size);
bool sar_json_in_number(SarJsonIn* in, double* out);  // finite
bool sar_json_in_numbers(SarJsonIn* in, double* out, int count);
bool sar_json_in_end(SarJsonIn* in);  // nothing but space is left
