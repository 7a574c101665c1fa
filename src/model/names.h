// Map from names to numbers, in an arena. Only ever asked by name, never walked, so that nothing
// depends on the order of hashing.
#pragma once
#include "base/arena.h"

#include <stdbool.h>

typedef struct NameEntry {
  const char* name;  // NULL: free
  int value;
} NameEntry;

typedef struct NameMap {
  NameEntry* entries;
  int count, capacity;  // capacity: 0 or a power of two
} NameMap;

// The value of a name, -1 when it is not there (values are >= 0).
int sar_names_find(const NameMap* map, const char* name);
// Adds a name that is not there yet; the text must live as long as the map. False: no memory.
bool sar_names_add(SarArena* a, NameMap* map, const char* name, int value);
