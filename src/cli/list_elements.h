// Attributes and examples of forces and constraints, for `sarrus list`.
#pragma once
#include "cli/cli.h"

// Lines below entry `index` of a list; nothing for lists that have no attributes.
void cli_print_element(const char* list, int index);
// The same as members of the entry's object.
void cli_json_element(SarJson* j, const char* list, int index);
