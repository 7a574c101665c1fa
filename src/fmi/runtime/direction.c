// Directional derivatives: what outputs and rates change by along a direction of states and inputs,
// exact (forward mode, dynamics/derivatives.h). Of outputs those that sim/linear.h knows: not
// energies, powers, reactions.
//
//   quaternions: xi = 2 vec(conj(Q) dQ) / |Q|^2,   d(dQ/dt) = (dQ (0, w) + Q (0, dw)) / 2
#include "fmi/runtime/instance.h"

#include "sim/linear_outputs.h"
#include "sim/outputs/outputs.h"

#include <string.h>

static const SarFmiVariable* find(const SarFmu* f, unsigned vr) {
  return vr < (unsigned)f->description.count ? &f->description.variable[vr] : NULL;
}

// ---- the direction ------------------------------------------------------------------------------

// Local coordinates of a change of q.
static void local(const SarModel* m, const SarData* d, const double* dq, double* xi) {
  for (int j = 0; j < m->nbody; j++) {
    const bool turns = m->joint_nq[j] != m->joint_nv[j];
    const int plain = m->joint_nv[j] - (turns ? 3 : 0), q = m->joint_qadr[j], v = m->joint_vadr[j];
    for (int k = 0; k < plain; k++) xi[v + k] = dq[q + k];
    if (!turns) continue;
    const Quat Q = quat_load(&d->q[q + plain]);
    const Quat P = quat_mul(quat_conj(Q), quat_load(&dq[q + plain]));
    const double n2 = Q.w * Q.w + Q.x * Q.x + Q.y * Q.y + Q.z * Q.z;
    v3_store(&xi[v + plain], v3_scale(2 / n2, v3(P.x, P.y, P.z)));
  }
}

static bool take_seed(SarFmu* f, const unsigned* known, size_t n, const double* seed, double* dx) {
  SarVariation* x = &f->w->x;
  memset(dx, 0, (size_t)f->description.num[SAR_FMI_STATE] * sizeof *dx);
  for (size_t i = 0; i < n; i++) {
    const SarFmiVariable* v = find(f, known[i]);
    if (v && v->role == SAR_FMI_STATE) {
      dx[v->index] += seed[i];
    } else if (v && v->role == SAR_FMI_INPUT) {
      x->input[v->index] += seed[i];
    } else {
      sar_fmu_say(f, FMU_ERROR, "there are no derivatives by '%s'", v ? v->name : "?");
      return false;
    }
  }
  const SarModel* m = f->model->m;
  local(m, f->d, dx, x->dq);
  memcpy(x->dv, dx + m->nq, (size_t)m->nv * sizeof *dx);
  if (m->nz > 0) memcpy(x->dz, dx + m->nq + m->nv, (size_t)m->nz * sizeof *dx);
  return true;
}

// a' by M a' + ... = Q' - (inertial part)'
static void solve(SarFmu* f) {
  const SarModel* m = f->model->m;
  SarDerivatives* w = f->w;
  sar_derivatives_vary(w, f->d);
  sar_derivatives_force(w, f->d, w->da);
  for (int i = 0; i < m->nv; i++)
    for (int j = 0; j < m->nv; j++)
      w->da[i] -= w->Tq[i * m->nv + j] * w->x.dq[j] + w->Tv[i * m->nv + j] * w->x.dv[j];
  sar_derivatives_solve(w, f->d, w->da, true);
}

// ---- what it changes ----------------------------------------------------------------------------

static double position_change(const SarModel* m, const SarData* d, const SarVariation* x,
                              const double* dx, int i) {
  int j = 0;
  while (i >= m->joint_qadr[j] + m->joint_nq[j]) j++;
  const bool turns = m->joint_nq[j] != m->joint_nv[j];
  const int plain = m->joint_nv[j] - (turns ? 3 : 0), k = i - m->joint_qadr[j];
  if (k < plain) return x->dv[m->joint_vadr[j] + k];
  const int q = m->joint_qadr[j] + plain, v = m->joint_vadr[j] + plain;
  const Quat w = {0, d->v[v] / 2, d->v[v + 1] / 2, d->v[v + 2] / 2};
  const Quat dw = {0, x->dv[v] / 2, x->dv[v + 1] / 2, x->dv[v + 2] / 2};
  double a[4], b[4];
  quat_store(a, quat_mul(quat_load(&dx[q]), w));
  quat_store(b, quat_mul(quat_load(&d->q[q]), dw));
  return a[k - plain] + b[k - plain];
}

static SarFmuStatus change_of(SarFmu* f, const SarFmiVariable* v, const double* dx, double* out) {
  const SarModel* m = f->model->m;
  const SarDerivatives* w = f->w;
  const int i = v->index;
  if (v->role == SAR_FMI_DERIVATIVE) {
    *out = i < m->nq           ? position_change(m, f->d, &w->x, dx, i)
           : i < m->nq + m->nv ? w->da[i - m->nq]
                               : w->x.z_rate[i - m->nq - m->nv];
    return FMU_OK;
  }
  const int column = v->role == SAR_FMI_OUTPUT ? f->description.column[i] : -1;
  if (column < 0 || !sar_linear_knows(m, column))
    return sar_fmu_say(f, FMU_ERROR, "there are no derivatives of '%s'", v->name);
  const SarChannel* c = &m->channel[column];
  const bool own = c->kind == &sar_output_joint_position && c->index < m->nbody &&
                   !sar_joint_is_flipped(m, c->index);
  // positions are states themselves, quaternions with their length
  *out = own ? dx[m->joint_qadr[c->index] + c->component] : sar_vary_column(w, f->d, c);
  return FMU_OK;
}

static bool begin(SarFmu* f) {
  SarError err;
  if (f->me && f->model->m->nheld > 0) {
    sar_fmu_say(f, FMU_ERROR,
                "there are no derivatives where expressions use quantities of the last step");
    return false;
  }
  sar_error_init(&err);
  SarStatus st = f->w ? SAR_OK : sar_derivatives_new(f->model->m, &f->w, &err);
  if (st == SAR_OK) f->w->has_forces = true;  // bodies are asked for, whatever acts
  if (st == SAR_OK) st = sar_derivatives_at(f->w, f->d, NULL);
  sar_fmu_touch(f);
  return sar_fmu_tell(f, st, &err, "derivatives") == FMU_OK;
}

SarFmuStatus sar_fmu_direction(SarFmu* f, const unsigned* unknown, size_t unknowns,
                               const unsigned* known, size_t knowns, const double* seed,
                               double* sensitivity) {
  if (f->mode == FMU_NEW)
    return sar_fmu_say(f, FMU_ERROR, "there are no derivatives before initialisation");
  if (!sar_fmu_ready(f) || !begin(f)) return FMU_ERROR;
  const SarModel* m = f->model->m;
  SarVariation* x = &f->w->x;
  sar_variation_clear(m, x);
  memset(x->slot, 0, (size_t)m->nslot * sizeof *x->slot);
  if (!take_seed(f, known, knowns, seed, f->dx)) return FMU_ERROR;
  solve(f);
  sar_vary_accelerations(f->w, f->d);
  for (size_t i = 0; i < unknowns; i++) {
    const SarFmiVariable* v = find(f, unknown[i]);
    if (!v) return sar_fmu_say(f, FMU_ERROR, "there is no variable %u", unknown[i]);
    if (change_of(f, v, f->dx, &sensitivity[i]) != FMU_OK) return FMU_ERROR;
  }
  return FMU_OK;
}
