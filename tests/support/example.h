// The examples of the tables of forces and constraints (.example, see model/attribute.h), with the
// names of a model in place of the agreed ones.
#pragma once
#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { EXAMPLE_NAMES = 5, EXAMPLE_SIZE = 512 };

static const char* const EXAMPLE_WORD[EXAMPLE_NAMES] = {"a", "b", "turning", "turning2", "sliding"};

typedef struct ExampleNames {
  char name[EXAMPLE_NAMES][16];  // in the order of EXAMPLE_WORD
} ExampleNames;

static inline bool example_letter(char c) { return isalnum((unsigned char)c) || c == '_'; }

// `example` with other names, into out; false: no room. Words are replaced whole: not the a of
// axis.
static inline bool example_write(char* out, size_t size, const char* example,
                                 const ExampleNames* names) {
  size_t used = 0;
  for (const char* c = example; *c;) {
    size_t n = 0;
    while (example_letter(c[n])) n++;
    if (n == 0) n = 1;
    const char* word = c;
    size_t length = n;
    for (int i = 0; i < EXAMPLE_NAMES; i++)
      if (strlen(EXAMPLE_WORD[i]) == n && memcmp(EXAMPLE_WORD[i], c, n) == 0)
        word = names->name[i], length = strlen(word);
    if (used + length >= size) return false;
    memcpy(out + used, word, length);
    used += length;
    c += n;
  }
  out[used] = 0;
  return true;
}
