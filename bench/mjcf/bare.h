// A model of MuJoCo without what does not concern its equations of motion, as text that both
// engines read.
#pragma once
#include <stdbool.h>
#include <stddef.h>

typedef struct Bare {
  char left[4000];    // tendons that are not taken, " 'name' 'name' ": they are taken out too
  char dropped[400];  // what MuJoCo here does not know, by name; "": nothing
  bool loops;         // equality constraints are left in it
  bool geoms;         // so is mass from geoms
  char why[200];      // what cannot be compared at all; "": nothing
} Bare;

// Writes it to `to`. with_loops: equality constraints hold, else no constraint does. False: it
// cannot be made, see why.
bool bare_write(const char* path, const char* to, bool with_loops, Bare* out);
// Reads which tags and attributes the library knows from its own schema.
void bare_learn(void);
