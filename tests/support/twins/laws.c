#include "support/twins/laws.h"

#include "dynamics/gravity_field.h"
#include "sim/outputs/outputs.h"

#include <math.h>
#include <string.h>

// ---- forces and accelerations ------------------------------------------------------------------

// A constraint of the file with a force on bodies; a prescribed motion acts through its joint.
static bool has_loose_forces(const SarModel* m) {
  if (m->nidle > 0) return true;
  for (int i = 0; i < m->nconstraint; i++) {
    const SarConstraint* c = &m->constraint[i];
    if (c->source != SAR_FROM_ELEMENT || c->rows == 0) continue;
    for (int k = 0; k < m->nterm; k++)
      if (m->row[m->term[k].row].constraint == i && m->term[k].joint < 0 && m->term[k].pair >= 0)
        return true;
  }
  return false;
}

// m (a - g) of the mass centre, ground axes
static V3 inertial_force(const SarModel* m, const SarData* d, int b) {
  const Inertia* I = &m->body_inertia[b];
  const Motion A = d->body_A[b], V = d->body_V[b];
  V3 f = v3_add(v3_scale(I->m, A.v), v3_cross(A.w, I->h));
  f = v3_add(f, v3_cross(V.w, v3_add(v3_scale(I->m, V.v), v3_cross(V.w, I->h))));
  return m3_mul_v(d->body_X_GB[b].R, f);
}

static void add(V3* sum, int body, V3 f, double* largest) {
  *largest = fmax(*largest, v3_norm(f));
  if (body >= 0) sum[body] = v3_add(sum[body], f);
}

// Child and parent of a joint in the file.
static void ends_of(const SarModel* m, int joint, int* child, int* parent) {
  SarJointInfo info;
  sar_joint_info(m, sar_joint_item(m, joint), &info);
  *child = info.turned ? info.parent : info.body;
  *parent = info.turned ? info.body : info.parent;
}

double law_balance(const SarSim* s, const double* values) {
  enum { MOST = 256 };
  const SarModel* m = s->m;
  SarData* d = s->d;
  V3 sum[MOST];
  double largest = 0, missing = 0;
  if (m->nbody > MOST || has_loose_forces(m)) return (double)NAN;
  memset(d->body_F, 0, (size_t)m->nbody * sizeof *d->body_F);
  for (int i = 0; i < m->nforce; i++)
    if (d->force_on[i]) m->force_kind[i]->apply(m, d, i);
  if (m->field.kind != SAR_GRAVITY_UNIFORM) sar_add_field(m, d);
  for (int b = 0; b < m->nbody; b++) {
    sum[b] = v3_zero();
    largest = fmax(
        largest, m->body_inertia[b].m * sar_gravity_size(m));  // in free fall nothing else is there
    add(sum, b, m3_mul_v(d->body_X_GB[b].R, d->body_F[b].f), &largest);
    add(sum, b, v3_neg(inertial_force(m, d, b)), &largest);
  }
  for (int i = 0; i < m->nchannel; i++) {
    const SarChannel* c = &m->channel[i];
    int child = c->index, parent = -1;
    if (c->kind == &sar_output_reaction && c->component == 0)
      ends_of(m, c->index, &child, &parent);
    else if (c->kind != &sar_output_contact || c->component != SAR_CONTACT_FX ||
             c->other != SAR_ANY_BODY)
      continue;
    add(sum, child, v3_load(&values[i]), &largest);
    add(sum, parent, v3_neg(v3_load(&values[i])), &largest);
  }
  for (int b = 0; b < m->nbody; b++) missing = fmax(missing, v3_norm(sum[b]));
  return missing / fmax(largest, 1e-300);
}

// ---- energy and numbers ------------------------------------------------------------------------

static bool is_passive(const SarModel* m, const SarChannel* c) {
  if (c->kind != &sar_output_work) return false;
  switch (m->work[c->component].kind) {
    case SAR_WORK_DISSIPATION:
    case SAR_WORK_CONTACT_NORMAL:
    case SAR_WORK_CONTACT_FRICTION:
    case SAR_WORK_LIMITS: return true;
    default: return false;
  }
}

double law_dissipation(const SarModel* m, const TrialRun* r, const double* scale, int* column) {
  double most = 0;
  for (int row = 0; row < r->rows; row++)
    for (int i = 0; i < m->nchannel; i++) {
      const double share = r->value[row * m->nchannel + i] / scale[GROUP_ENERGY];
      if (is_passive(m, &m->channel[i]) && share > most) most = share, *column = i;
    }
  return most;
}

int law_not_finite(const SarModel* m, const TrialRun* r, int* column) {
  int count = 0;
  for (int i = 0; i < r->rows * m->nchannel; i++)
    if (!isfinite(r->value[i])) {
      *column = i % m->nchannel;
      count++;
    }
  return count;
}
