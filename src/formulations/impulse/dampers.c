// Work of strong dampers in a step by impulses (dampers.h has the equations).
#include "formulations/impulse/dampers.h"

#include <string.h>

// Of h C / M: below it the mean of the powers at both ends is right to half a percent.
static const double STRONG = 0.1;
enum { WIDEST = 300 };  // coordinates of a block that is kept, as in coupled.c

// The work account of a tangent whose power is that of its damper alone; -1: none.
static int account_of(const SarModel* m, const SarTangentBlock* t) {
  if (t->num > WIDEST) return -1;
  if (t->source == SAR_TANGENT_FORCE || t->source == SAR_TANGENT_COUPLED)
    return m->force_work[t->index];
  if (t->source != SAR_TANGENT_JOINT) return -1;
  const int first = m->joint_vadr[t->index];
  for (int i = first; i < first + m->joint_nv[t->index]; i++)
    if (m->dof_force_slot[i] >= 0) return -1;  // an actuator's part has an account of its own
  for (int i = 0; i < m->nwork; i++)
    if (m->work[i].kind == SAR_WORK_DISSIPATION && m->work[i].index == t->index) return i;
  return -1;
}

static int entries(const SarTangentBlock* t) {
  return t->num > WIDEST ? 0 : t->num * (t->num + 1) / 2;
}

void sar_dampers_init(SarDampers* p, const SarModel* m, SarBlock* b) {
  size_t values = 0;
  for (int k = 0; k < m->ntangent; k++) values += (size_t)entries(&m->tangent[k]);
  SAR_PIECE(b, p->adr, m->ntangent + 1);
  SAR_PIECE(b, p->value, values);
  SAR_PIECE(b, p->w, m->ntangent);
  SAR_PIECE(b, p->account, m->ntangent);
  SAR_PIECE(b, p->seen, m->nv);
  SAR_PIECE(b, p->power, m->nwork);
  if (!b->memory) return;
  p->adr[0] = 0;
  for (int k = 0; k < m->ntangent; k++) {
    p->adr[k + 1] = p->adr[k] + entries(&m->tangent[k]);
    p->account[k] = account_of(m, &m->tangent[k]);
    p->w[k] = 0;
  }
}

void sar_dampers_clear(SarDampers* p, const SarModel* m) {
  memset(p->w, 0, (size_t)m->ntangent * sizeof *p->w);
  p->any = false;
}

void sar_dampers_note(SarDampers* p, int k, double z, double w, const double* block) {
  if (!(z > 0) || p->account[k] < 0) return;
  memcpy(p->value + p->adr[k], block, (size_t)(p->adr[k + 1] - p->adr[k]) * sizeof *block);
  p->w[k] = w;
  p->any = p->any || z > STRONG;
}

void sar_dampers_see(SarDampers* p, const SarModel* m, const SarData* d, const double* v) {
  if (!p->any) return;
  memcpy(p->seen, v, (size_t)m->nv * sizeof *v);
  memcpy(p->power, d->work_rate, (size_t)m->nwork * sizeof *p->power);
}

// What the damper does beside h P: -v_s' h C (v_m - v_s) - (v_w - v_s)' h C v_m.
static double beside(const SarDampers* p, const SarTangentBlock* t, const int* dof,
                     const double* value, double w, const double* v0, const double* v1) {
  double W = 0;
  for (int i = 0; i < t->num; i++)
    for (int j = 0; j <= i; j++, value++) {
      const int a = dof[i], b = dof[j];
      const double sa = p->seen[a], sb = p->seen[b], da = v1[a] - v0[a], db = v1[b] - v0[b];
      const double ma = v0[a] + 0.5 * da, mb = v0[b] + 0.5 * db;
      const double wa = v0[a] + w * da - sa, wb = v0[b] + w * db - sb;
      W -= *value * (sa * (mb - sb) + wa * mb);
      if (i != j) W -= *value * (sb * (ma - sa) + wb * ma);
    }
  return W;
}

void sar_dampers_book(const SarDampers* p, const SarModel* m, double h, const double* v0,
                      const double* v1, const double* start, double* work) {
  if (!p->any) return;
  for (int k = 0; k < m->ntangent; k++) {
    const SarTangentBlock* t = &m->tangent[k];
    const int i = p->account[k];
    if (p->w[k] == 0) continue;
    work[i] = start[i] + h * p->power[i] +
              beside(p, t, &m->tangent_dof[t->adr], p->value + p->adr[k], p->w[k], v0, v1);
  }
}
