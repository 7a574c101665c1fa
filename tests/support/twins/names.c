// Twins with other names: a few letters before each, which follow from the name and a salt.
#include "support/twins/twin.h"
#include "support/twins/walk.h"

#include <stdio.h>
#include <string.h>

// Two letters from the first part of the name: what is called alike stays so.
static void letters(uint64_t salt, const char* name, char out[3]) {
  uint64_t h = salt * 0x9e3779b97f4a7c15u + 14695981039346656037u;
  for (const char* c = name; *c && *c != '.'; c++) h = (h ^ (unsigned char)*c) * 1099511628211u;
  h ^= h >> 29;
  out[0] = (char)('a' + h % 26), out[1] = (char)('a' + h / 26 % 26), out[2] = '\0';
  if (salt == 1) memcpy(out, "zz", 3);
}

static bool stays(const char* name) {
  return strcmp(name, "ground") == 0 || strncmp(name, "ground.", 7) == 0 || strcmp(name, "t") == 0;
}

const char* twin_name(const Twin* t, const char* name, char* buf, size_t size) {
  char before[3];
  if (!t->names || stays(name)) return name;
  letters(t->names, name, before);
  snprintf(buf, size, "%s_%s", before, name);
  return buf;
}

typedef struct Naming {
  TwinJob* job;
  const char* const* local;
} Naming;

static const char* new_name(TwinJob* j, const char* name) {
  char buf[256];
  return sar_arena_strdup(&j->spec->arena, twin_name(j->twin, name, buf, sizeof buf));
}

static const char* symbol(void* context, const char* name) {
  const Naming* n = context;
  for (int i = 0; n->local && i < SAR_LAW_LOCALS && n->local[i]; i++)
    if (strcmp(n->local[i], name) == 0) return name;
  return new_name(n->job, name);
}

static void number(void* context, SpecNum* n, const char* const* local) {
  TwinJob* j = context;
  Naming naming = {j, local};
  n->expr = sar_expr_rename(&j->spec->arena, n->expr, symbol, &naming);
}

static void name_(void* context, SpecName* n) { n->text = new_name(context, n->text); }

void twin_rename(TwinJob* j) {
  j->twin->names = j->twin->kind == TWIN_RENAMED ? 1 : 2 + rng_next(j->rng);
  spec_walk(j->spec, &(SpecWalk){number, name_, j});
}
