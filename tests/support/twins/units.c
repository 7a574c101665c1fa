#include "support/twins/units.h"

#include <string.h>

typedef struct Unit {
  const char* name;
  Dimension d;
} Unit;

static const Unit UNIT[] = {
    {"N", {1, 1, -2}}, {"m", {1, 0, 0}}, {"s", {0, 0, 1}}, {"kg", {0, 1, 0}}, {"rad", {0, 0, 0}},
};

// One product of units with at most one stroke, "N m s/rad"; false: it is something else.
static bool parse(const char* text, size_t n, Dimension* out) {
  int power = 1;
  bool any = false;
  *out = NO_DIMENSION;
  for (size_t i = 0; i < n;) {
    size_t k = i;
    if (text[i] == ' ' || text[i] == '/') {
      if (text[i] == '/') power = -1;
      i++;
      continue;
    }
    while (k < n && text[k] != ' ' && text[k] != '/') k++;
    const Unit* u = NULL;
    for (size_t j = 0; j < sizeof UNIT / sizeof *UNIT; j++)
      if (strlen(UNIT[j].name) == k - i && memcmp(UNIT[j].name, text + i, k - i) == 0) u = &UNIT[j];
    if (!u) return false;
    out->length += power * u->d.length;
    out->mass += power * u->d.mass;
    out->time += power * u->d.time;
    any = true;
    i = k;
  }
  return any;
}

static int parse_list(const char* text, size_t n, Dimension* out, int most) {
  int count = 0;
  for (size_t i = 0; i <= n && count < most;) {
    size_t k = i;
    while (k < n && text[k] != ',') k++;
    if (!parse(text + i, k - i, &out[count++])) return 0;
    i = k + 1;
  }
  return count;
}

int units_of(const char* doc, Dimension* out, int most) {
  int found = 0;
  for (const char* open = strchr(doc, '['); open; open = strchr(open + 1, '[')) {
    const size_t n = strcspn(open + 1, "[]");
    Dimension d[8];
    const int count = open[1 + n] == ']' ? parse_list(open + 1, n, d, most < 8 ? most : 8) : 0;
    if (count == 0) continue;
    memcpy(out, d, (size_t)count * sizeof *d);
    found = count;
  }
  return found;
}
