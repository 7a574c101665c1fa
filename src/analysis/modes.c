// Modal analysis as one call (sarrus.h): small motions about a state.
#include "analysis/rest_modes.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/print.h"
#include "base/sized.h"

#include <math.h>

enum { NAME = 64, PATTERN = 24 };

struct SarModes {
  SarModesReport report;
  SarModeSet set;
  char (*name)[NAME];        // of the entries of a shape
  char (*pattern)[PATTERN];  // of each mode, in multiblade coordinates
  SarMultiblade blades;
};

SAR_API void sar_modes_options_sized(SarModesOptions* out, size_t size) {
  const SarModesOptions o = {.size = size};
  if (out) sar_give(out, size, &o, sizeof o);
}

// "car.vz" of a velocity coordinate: the coordinate whose displacement a shape gives; behind them
// states
static void name_entry(const SarModel* m, int entry, char* out) {
  if (entry >= m->nv) {
    sar_snprintf(out, NAME, "%.60s", sar_text(m, m->z_name[entry - m->nv]));
    return;
  }
  const int j = m->dof_body[entry];
  sar_snprintf(out, NAME, "%.40s.%s", sar_text(m, m->joint_name[j]),
               m->joint_kind[j]->v_suffix[entry - m->joint_vadr[j]]);
}

// ---- multiblade coordinates ---------------------------------------------------------------------

static SarStatus find_blades(SarModes* r, const SarData* d, const char* name, SarError* err) {
  const SarModel* m = d->m;
  const int body = sar_model_find(m, SAR_ITEM_BODY, name);
  if (body < 0 || body >= m->nbody) {
    sar_report(err, (SarLoc){0}, "name the body that carries the blades",
               body < 0 ? "there is no body '%.60s'" : "body '%.60s' is fixed to another", name);
    return SAR_BAD_ARGUMENT;
  }
  SarData* copy = NULL;
  SarStatus st = sar_data_new(m, &copy, err);
  if (st == SAR_OK) st = sar_data_copy(copy, d);
  if (st == SAR_OK) st = sar_multiblade_find(&r->blades, m, copy, body, err);
  sar_data_free(copy);
  return st;
}

// "flap1.v" of the first blade becomes "flap1.v:1c", where the blade of the pattern's number has
// its place.
static void rename_entries(SarModes* r, const SarModel* m) {
  const SarMultiblade* b = &r->blades;
  for (int g = 0; g < b->groups; g++) {
    char own[NAME];
    name_entry(m, b->dof[g * b->blades], own);
    for (int p = 0; p < b->blades; p++) {
      char which, number[8] = "";
      const int h = sar_multiblade_harmonic(b, p, &which);
      if (h > 0) sar_snprintf(number, sizeof number, "%d", h);
      sar_snprintf(r->name[b->dof[g * b->blades + p]], NAME, "%.50s:%s%c", own, number, which);
    }
  }
}

// The largest part of a mode: collective, differential, and of each pair c, s the waves (c + i
// s)/2, which runs forward with Re(e^(lambda t)), and (c - i s)/2. Less than 0.05 of the longest
// coordinate: the airframe's.
static void name_pattern(const SarModes* r, int mode, int entries, int states, char* out) {
  const SarMultiblade* b = &r->blades;
  const double* re = &r->set.shape_re[(size_t)mode * (size_t)entries];
  const double* im = &r->set.shape_im[(size_t)mode * (size_t)entries];
  const bool swings = r->set.im[mode] > r->set.floor;
  double most = 0;
  out[0] = 0;
  for (int i = 0; i < entries - states; i++) most = fmax(most, 0.05 * hypot(re[i], im[i]));
  for (int i = 0; i < b->groups * b->blades; i++) {
    const int dof = b->dof[i];
    char which;
    const int h = sar_multiblade_harmonic(b, i % b->blades, &which);
    if (h == 0 && hypot(re[dof], im[dof]) > most) {
      most = hypot(re[dof], im[dof]);
      sar_snprintf(out, PATTERN, "%s", which == 'd' ? "differential" : "collective");
    }
    if (which != 'c') continue;
    const int s = b->dof[i + 1];
    const double forward = 0.5 * hypot(re[dof] - im[s], im[dof] + re[s]);
    const double backward = 0.5 * hypot(re[dof] + im[s], im[dof] - re[s]);
    if (fmax(forward, backward) <= most) continue;
    most = fmax(forward, backward);
    sar_snprintf(out, PATTERN, "%s %d",
                 !swings              ? "cyclic"
                 : forward > backward ? "forward"
                                      : "backward",
                 h);
  }
}

static SarStatus name_patterns(SarModes* r, const SarModel* m) {
  if (r->blades.blades == 0) return SAR_OK;
  rename_entries(r, m);
  r->pattern = sar_alloc((size_t)(r->set.count + 1) * sizeof *r->pattern);
  if (!r->pattern) return SAR_NO_MEMORY;
  for (int k = 0; k < r->set.count; k++) name_pattern(r, k, m->nv + m->nz, m->nz, r->pattern[k]);
  return SAR_OK;
}

// ---- the modes ----------------------------------------------------------------------------------

static SarStatus find(SarModes* r, const SarData* d, const SarModesOptions* o, SarError* err) {
  const SarModel* m = d->m;
  const int entries = m->nv + m->nz;
  int contacts;
  if (o->multiblade) SAR_TRY(find_blades(r, d, o->multiblade, err));
  const SarMultiblade* blades = o->multiblade ? &r->blades : NULL;
  SAR_TRY(sar_rest_modes_find(d, true, blades, &r->set, &contacts, err));
  r->name = sar_alloc((size_t)(entries + 1) * sizeof *r->name);
  if (!r->name) return SAR_NO_MEMORY;
  for (int i = 0; i < entries; i++) name_entry(m, i, r->name[i]);
  SAR_TRY(name_patterns(r, m));
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
  const SarStatus st = find(r, d, &full, err);
  if (st == SAR_OK)
    *out = r;
  else
    sar_modes_free(r);
  return st;
}

// ---- what came of it ----------------------------------------------------------------------------

SAR_API const SarModesReport* sar_modes_report(const SarModes* modes) {
  return modes ? &modes->report : NULL;
}

SAR_API const char* sar_modes_coordinate(const SarModes* modes, int entry) {
  return modes && entry >= 0 && entry < modes->report.shape_size ? modes->name[entry] : NULL;
}

SAR_API const char* sar_modes_pattern(const SarModes* modes, int mode) {
  return modes && modes->pattern && mode >= 0 && mode < modes->report.count ? modes->pattern[mode]
                                                                            : NULL;
}

SAR_API void sar_modes_free(SarModes* modes) {
  if (!modes) return;
  sar_multiblade_clear(&modes->blades);
  sar_free(modes->pattern);
  sar_mode_set_free(&modes->set);
  sar_free(modes->name);
  sar_free(modes);
}
