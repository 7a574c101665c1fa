// Formatting that does not depend on where the program runs or what a file holds.
#pragma once
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

// snprintf in the "C" locale, whatever the host program's is: 0.5 is never 0,5.
int sar_snprintf(char* buf, size_t size, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
int sar_vsnprintf(char* buf, size_t size, const char* format, va_list args);
// strtod likewise.
double sar_strtod(const char* text, char** end);

// Copies text with what a terminal would obey made visible: control characters (C0, DEL, C1) and
// bytes that are not UTF-8 become \x1b, \x9b. Cut where a character ends if it does not fit.
// Returns out.
const char* sar_visible(char* out, size_t size, const char* text);
// Bytes of the UTF-8 character at p; 0: it is none.
int sar_utf8_length(const unsigned char* p);
// Does the text hold a control character other than tab and line ends, or a byte that is not UTF-8?
int sar_has_controls(const char* text);
