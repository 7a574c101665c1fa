// Attributes and examples of forces and constraints, for `sarrus list`.
#pragma once
#include "cli/cli.h"

// Lines below entry `index` of a list; nothing for lists that have no attributes.
void cli_print_element(const char* list, int index);
// What all entries of a list may be given; nothing but for joints.
void cli_print_keys(const char* list);
void cli_json_keys(SarJson* j, const char* list);
// The same as members of the entry's object.
void cli_json_element(SarJson* j, const char* list, int index);
