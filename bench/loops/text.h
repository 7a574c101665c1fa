// A text that grows: models are handed to engines as files.
#pragma once
#include <stddef.h>

typedef struct Text {
  char* start;
  size_t used, room;
} Text;

// Fails the benchmark when there is no room.
void text_put(Text* t, const char* format, ...) __attribute__((format(printf, 2, 3)));
