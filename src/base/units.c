// Units as products of powers (units.h). Symbols stand side by side where they are multiplied; all
// behind a stroke up to the next space divides.
#include "base/units.h"

#include <stdlib.h>
#include <string.h>

typedef struct Symbol {
  const char* name;
  int exponent[SAR_UNIT_BASES];  // kg, m, s, rad
} Symbol;

static const Symbol SYMBOL[] = {
    {"kg", {1, 0, 0, 0}},  {"m", {0, 1, 0, 0}},  {"s", {0, 0, 1, 0}},  {"rad", {0, 0, 0, 1}},
    {"N", {1, 1, -2, 0}},  {"J", {1, 2, -2, 0}}, {"W", {1, 2, -3, 0}}, {"Pa", {1, -1, -2, 0}},
    {"Hz", {0, 0, -1, 0}}, {"1", {0, 0, 0, 0}},
};

const char* sar_unit_base(int base) {
  static const char* const name[SAR_UNIT_BASES] = {"kg", "m", "s", "rad"};
  return name[base];
}

static const Symbol* find(const char* text, size_t n) {
  for (size_t i = 0; i < sizeof SYMBOL / sizeof *SYMBOL; i++)
    if (strlen(SYMBOL[i].name) == n && strncmp(SYMBOL[i].name, text, n) == 0) return &SYMBOL[i];
  return NULL;
}

bool sar_unit_parse(const char* text, SarUnit* out) {
  int sign = 1;
  *out = (SarUnit){0};
  while (*text) {
    if (*text == ' ' || *text == '/') {
      sign = *text == '/' ? -1 : sign;
      text++;
      continue;
    }
    const size_t n = strcspn(text, " /^");
    const Symbol* symbol = find(text, n);
    long power = 1;
    if (!symbol) return false;
    text += n;
    if (*text == '^') {
      char* end;
      power = strtol(text + 1, &end, 10);
      if (end == text + 1 || power < -9 || power > 9) return false;
      text = end;
    }
    for (int i = 0; i < SAR_UNIT_BASES; i++)
      out->exponent[i] += sign * (int)power * symbol->exponent[i];
  }
  return true;
}
