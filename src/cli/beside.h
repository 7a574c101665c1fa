// Files that belong to the program: beside it where it was built, in lib/sarrus where it is
// installed.
#pragma once
#include <stdbool.h>
#include <stddef.h>

bool cli_find_beside(const char* name, char* path, size_t size);
