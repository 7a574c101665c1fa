// Generated code: is there a compiler, and does what was written compile without a warning and pass
// its own test?
#pragma once
#include "support/program.h"

static inline bool has_compiler(void) { return system("cc --version >/dev/null 2>&1") == 0; }

// Compiles the code in a folder of the scratch folder and runs its test.
static inline void build_and_test(const char* folder, const char* name) {
  char command[1024];
  snprintf(command, sizeof command,
           "cd %s/%s && cc -std=c11 -O1 -Wall -Wextra -Wconversion -pedantic -Werror -o test %s.c "
           "%s_test.c -lm && ./test >log 2>&1",
           program_folder, folder, name, name);
  const int status = system(command);
  if (status == 0) return;
  print_error("%s: status %d\n", command, status);
  fail();
}
