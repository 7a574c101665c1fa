// The columns of a kinematic analysis (sweep_columns.h).
#include "analysis/sweep_columns.h"

#include "base/alloc.h"
#include "base/print.h"
#include "model/model.h"
#include "sim/outputs/outputs.h"

#include <string.h>

// NULL: its rate is no column.
static const SarOutputKind* rate_of(const SarOutputKind* kind) {
  if (kind == &sar_output_joint_velocity) return &sar_output_joint_acceleration;
  return kind == &sar_output_body_velocity ? &sar_output_body_acceleration : NULL;
}

static bool has_channel(const SarModel* m, const SarChannel* c) {
  for (int i = 0; i < m->nchannel; i++) {
    const SarChannel* other = &m->channel[i];
    if (other->kind == c->kind && other->index == c->index && other->component == c->component &&
        memcmp(&other->point, &c->point, sizeof c->point) == 0)
      return true;
  }
  return false;
}

// "arm.v1" -> "arm.a1", "top.wx" -> "top.alx"
static void name_rate(const char* speed, char* out) {
  const char* dot = strrchr(speed, '.');
  const int before = dot ? (int)(dot - speed) + 1 : 0;
  const char* suffix = speed + before;
  if (suffix[0] == 'v' || suffix[0] == 'w')
    sar_snprintf(out, SAR_SWEEP_NAME, "%.*s%s%s", before, speed, suffix[0] == 'v' ? "a" : "al",
                 suffix + 1);
  else
    sar_snprintf(out, SAR_SWEEP_NAME, "%s.a", speed);
}

// Nothing is integrated, so there is no account of the energy.
static bool is_account(const SarChannel* c) {
  return c->kind == &sar_output_energy && c->component >= 3;
}

SarStatus sar_sweep_columns(const SarModel* m, bool branches, SarSweepColumns* out) {
  const size_t most = 2 * (size_t)m->nchannel + 2;
  *out = (SarSweepColumns){.first = branches ? 2 : 1};
  out->channel = sar_alloc(most * sizeof *out->channel);
  out->name = sar_alloc(most * sizeof *out->name);
  out->text = sar_alloc(most * sizeof *out->text);
  if (!out->channel || !out->name || !out->text) return SAR_NO_MEMORY;
  out->name[0] = "time";
  if (branches) out->name[1] = "branch";
  for (int i = 0; i < m->nchannel; i++) {
    if (is_account(&m->channel[i])) continue;
    out->name[out->first + out->count] = sar_text(m, m->channel[i].name);
    out->channel[out->count++] = m->channel[i];
  }
  for (int i = 0; i < m->nchannel; i++) {
    SarChannel c = m->channel[i];
    c.kind = rate_of(c.kind);
    if (!c.kind || has_channel(m, &c)) continue;
    char* text = out->text[out->count];
    name_rate(sar_text(m, c.name), text);
    out->name[out->first + out->count] = text;
    out->channel[out->count++] = c;
  }
  return SAR_OK;
}

void sar_sweep_columns_free(SarSweepColumns* c) {
  sar_free(c->channel);
  sar_free((void*)c->name);
  sar_free(c->text);
}
