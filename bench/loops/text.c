#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void text_put(Text* t, const char* format, ...) {
  va_list args;
  va_start(args, format);
  const int n = vsnprintf(t->start + t->used, t->room - t->used, format, args);
  va_end(args);
  if (n < 0 || (size_t)n >= t->room - t->used) {
    fprintf(stderr, "bench: no room for the model's text\n");
    exit(1);
  }
  t->used += (size_t)n;
}
