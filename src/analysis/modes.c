// Modal analysis as one call (sarrus.h): small motions about a state.
#include "analysis/rest_modes.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/print.h"
#include "base/sized.h"

enum { NAME = 64 };

struct SarModes {
  SarModesReport report;
  SarModeSet set;
  char (*name)[NAME];  // of the entries of a shape
};

SAR_API void sar_modes_options_sized(SarModesOptions* out, size_t size) {
  const SarModesOptions o = {.size = size};
  if (out) sar_give(out, size, &o, sizeof o);
}

// "car.vz" of a velocity coordinate: the coordinate whose displacement a shape gives; behind them states
static void name_entry(const SarModel* m, int entry, char* out) {
  if (entry >= m->nv) {
    sar_snprintf(out, NAME, "%.60s", sar_text(m, m->z_name[entry - m->nv]));
    return;
  }
  const int j = m->dof_body[entry];
  sar_snprintf(out, NAME, "%.40s.%s", sar_text(m, m->joint_name[j]),
               m->joint_kind[j]->v_suffix[entry - m->joint_vadr[j]]);
}

static SarStatus find(SarModes* r, const SarData* d, SarError* err) {
  const SarModel* m = d->m;
  const int entries = m->nv + m->nz;
  int contacts;
  SAR_TRY(sar_rest_modes_find(d, true, &r->set, &contacts, err));
  r->name = sar_alloc((size_t)(entries + 1) * sizeof *r->name);
  if (!r->name) return SAR_NO_MEMORY;
  for (int i = 0; i < entries; i++) name_entry(m, i, r->name[i]);
  const SarModeSet* x = &r->set;
  r->report = (SarModesReport){.freedoms = x->freedom,
                               .count = x->count,
                               .re = x->re,
                               .im = x->im,
                               .shape_size = entries,
                               .shape_re = x->shape_re,
                               .shape_im = x->shape_im,
                               .body_count = m->nbody,
                               .share = x->share,
                               .acceleration = x->acceleration,
                               .floor = x->floor,
                               .contacts = contacts};
  return SAR_OK;
}

SAR_API SarStatus sar_modes(const SarData* d, const SarModesOptions* o, SarModes** out,
                            SarError* err) {
  SAR_GIVEN(out);
  *out = NULL;
  SAR_GIVEN(d);
  SarModesOptions full = sar_modes_options();
  if (o) SAR_TRY(sar_take_options(&full, sizeof full, o, "sar_modes_options", err));
  SarModes* r = sar_alloc(sizeof *r);
  if (!r) return SAR_NO_MEMORY;
  const SarStatus st = find(r, d, err);
  if (st == SAR_OK)
    *out = r;
  else
    sar_modes_free(r);
  return st;
}

// ---- what came of it -------------------------------------------------------------------------------

SAR_API const SarModesReport* sar_modes_report(const SarModes* modes) {
  return modes ? &modes->report : NULL;
}

SAR_API const char* sar_modes_coordinate(const SarModes* modes, int entry) {
  return modes && entry >= 0 && entry < modes->report.shape_size ? modes->name[entry] : NULL;
}

SAR_API void sar_modes_free(SarModes* modes) {
  if (!modes) return;
  sar_mode_set_free(&modes->set);
  sar_free(modes->name);
  sar_free(modes);
}
