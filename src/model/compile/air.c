// The air: density, speed of sound and wind, as attributes.
#include "model/compile/parts.h"

#include <math.h>

static double constant(const Compile* c, const SarAttrValue* a) {
  return a->given && a->index < 0 ? c->attr_data.items[a->adr] : 1;
}

bool sar_compile_air(Compile* c) {
  const SarSpec* s = c->spec;
  if (!s->air_at.text) return true;
  const Item item = {"block", "air", s->air_at.loc};
  const SarForm form = sar_air_form();
  bool sound;
  c->m.air = SAR_ARENA_ARRAY(&c->arena, SarAttrValue, SAR_AIR_ATTRS);
  if (c->arena.failed) return false;
  c->m.nair = SAR_AIR_ATTRS;
  if (!sar_compile_attributes(c, item, &form, s->air, c->m.air, &sound)) return false;
  if (!sound) return true;
  const SarAttrValue* a = c->m.air;
  if (a[SAR_AIR_ALTITUDE].given && (a[SAR_AIR_DENSITY].given || a[SAR_AIR_SOUND].given))
    sar_complain(c, item, s->air[SAR_AIR_ALTITUDE].loc, "leave out one of them",
                 "'altitude' stands for 'density' and 'sound'");
  const double altitude =
      a[SAR_AIR_ALTITUDE].given ? c->attr_data.items[a[SAR_AIR_ALTITUDE].adr] : 0;
  if (altitude < -5000 || altitude > 20000)
    sar_complain(c, item, s->air[SAR_AIR_ALTITUDE].loc, "",
                 "altitude is %g m, but the standard atmosphere is for -5000 to 20000 m", altitude);
  if (constant(c, &a[SAR_AIR_DENSITY]) < 0)
    sar_complain(c, item, s->air[SAR_AIR_DENSITY].loc, "",
                 "density is %g, but must not be negative", constant(c, &a[SAR_AIR_DENSITY]));
  if (!(constant(c, &a[SAR_AIR_SOUND]) > 0))
    sar_complain(c, item, s->air[SAR_AIR_SOUND].loc, "", "sound is %g, but must be greater than 0",
                 constant(c, &a[SAR_AIR_SOUND]));
  return true;
}
