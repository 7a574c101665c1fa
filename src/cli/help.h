// What sarrus help prints, all of it from the tables of commands and options.
#pragma once
#include "cli/cli.h"

extern const char* const help_text;  // what the program is for

void help_print_man(void);                      // roff
bool help_print_completion(const char* shell);  // false: none for this shell
