// Open addressing with linear probing; FNV-1a; at most half full.
#include "model/names.h"

#include <stdint.h>
#include <string.h>

static uint64_t hash_of(const char* name) {
  uint64_t h = 14695981039346656037u;
  for (const char* p = name; *p; p++) h = (h ^ (unsigned char)*p) * 1099511628211u;
  return h ^ h >> 29;
}

// where the name is, or the free entry where it would go
static NameEntry* place_of(const NameMap* map, const char* name) {
  uint64_t mask = (uint64_t)map->capacity - 1;
  uint64_t k = hash_of(name) & mask;
  while (map->entries[k].name && strcmp(map->entries[k].name, name) != 0) k = (k + 1) & mask;
  return &map->entries[k];
}

int sar_names_find(const NameMap* map, const char* name) {
  if (!map->capacity) return -1;
  const NameEntry* e = place_of(map, name);
  return e->name ? e->value : -1;
}

static bool grow(SarArena* a, NameMap* map) {
  NameMap larger = {.count = map->count, .capacity = map->capacity ? 2 * map->capacity : 16};
  larger.entries = SAR_ARENA_ARRAY(a, NameEntry, larger.capacity);
  if (!larger.entries) return false;
  for (int i = 0; i < map->capacity; i++)
    if (map->entries[i].name) *place_of(&larger, map->entries[i].name) = map->entries[i];
  if (map->capacity)
    sar_arena_release(a, map->entries, (size_t)map->capacity * sizeof *map->entries);
  *map = larger;
  return true;
}

bool sar_names_add(SarArena* a, NameMap* map, const char* name, int value) {
  if (2 * (map->count + 1) > map->capacity && !grow(a, map)) return false;
  *place_of(map, name) = (NameEntry){name, value};
  map->count++;
  return true;
}
