// Airfoils: numbers of a smooth law, or tables over angle and Mach number with an index by degrees.
#include "model/compile/parts.h"

#include <math.h>
#include <string.h>

// lift slope of a thin airfoil [1/rad], zero lift at 0, no drag but that of separated flow, no
// moment
static const double USUAL[SAR_AIRFOIL_NUMBERS] = {6.283185307179586, 0, 0, 2, 0};
static const char* const KEY[SAR_AIRFOIL_NUMBERS] = {"lift_slope", "zero_lift", "drag", "separated",
                                                     "moment"};

static bool add_numbers(Compile* c, Item item, const SpecAirfoil* spec, SarAirfoil* out) {
  out->numbers = sar_take_data(c, SAR_AIRFOIL_NUMBERS);
  if (c->arena.failed) return false;
  for (int i = 0; i < SAR_AIRFOIL_NUMBERS; i++) {
    const bool drag = i == SAR_AIRFOIL_DRAG || i == SAR_AIRFOIL_SEPARATED;
    c->attr_data.items[out->numbers + i] =
        sar_number(c, spec->number[i], item, KEY[i], drag ? NOT_NEGATIVE : ANY_FINITE, USUAL[i]);
  }
  return true;
}

// Values at zero angle, by the rows around it.
static void fill_zero(const SarAirfoilTable* to, int angles, int machs) {
  int i = 0;
  while (i + 2 < angles && to->angle[i + 1] < 0) i++;
  const double share = fmin(1, fmax(0, -to->angle[i] * to->per_angle[i]));
  for (int k = 0; k < machs; k++) {
    const double low = to->value[i * machs + k], high = to->value[(i + 1) * machs + k];
    to->zero[k] = low + share * (high - low);
  }
}

static bool add_table(Compile* c, const SarC81Table* t, int k, SarAirfoil* out) {
  const int values = t->angles * t->machs;
  out->angles[k] = t->angles, out->machs[k] = t->machs;
  out->table[k] = sar_take_data(c, sar_airfoil_table_size(t->angles, t->machs));
  if (c->arena.failed) return false;
  const SarAirfoilTable to =
      sar_airfoil_table(&c->attr_data.items[out->table[k]], t->angles, t->machs);
  memcpy(to.angle, t->angle, (size_t)t->angles * sizeof(double));
  memcpy(to.mach, t->mach, (size_t)t->machs * sizeof(double));
  memcpy(to.value, t->value, (size_t)values * sizeof(double));
  for (int i = 0; i + 1 < t->angles; i++) to.per_angle[i] = 1 / (t->angle[i + 1] - t->angle[i]);
  for (int i = 0; i + 1 < t->machs; i++) to.per_mach[i] = 1 / (t->mach[i + 1] - t->mach[i]);
  for (int degree = 0, i = 0; degree < SAR_AIRFOIL_DEGREES; degree++) {
    while (i + 2 < t->angles && t->angle[i + 1] <= degree - 180) i++;
    to.first[degree] = i;
  }
  fill_zero(&to, t->angles, t->machs);
  return true;
}

bool sar_compile_airfoils(Compile* c) {
  const int n = c->spec->airfoils.count;
  c->m.airfoil = SAR_ARENA_ARRAY(&c->arena, SarAirfoil, n);
  if (c->arena.failed) return false;
  c->m.nairfoil = n;
  for (int i = 0; i < n; i++) {
    const SpecAirfoil* spec = &c->spec->airfoils.items[i];
    const Item item = {"airfoil", spec->name.text, spec->name.loc};
    SarAirfoil* out = &c->m.airfoil[i];
    *out = (SarAirfoil){.name = sar_intern(c, spec->name.text), .numbers = -1};
    if (!spec->file.text) {
      if (!add_numbers(c, item, spec, out)) return false;
      continue;
    }
    for (int k = 0; k < SAR_C81_TABLES; k++)
      if (spec->tables.table[k].angles > 0 && !add_table(c, &spec->tables.table[k], k, out))
        return false;
  }
  return true;
}
