// Index-1 augmented Lagrangian: accelerations, multipliers and corrections through
// G = M + Psi' w Psi (augmented.h).
//
//   G a = F + Psi' w gamma,   lambda = w (Psi a - gamma)            first, right to 1 / GRIP
//   G da = F - M a - Psi' lambda - Psi' w (Psi a - gamma),   lambda += w (Psi a - gamma)
//     then again
//
// The second line is the multiplier iteration of the augmented Lagrangian in the form of a
// correction: what rounding the large w brought in is taken out as well. Each pass gains as many
// digits as GRIP has.
//
// Where entries go: augmented_layout.c.
//
// Sources: Bayo, Garcia de Jalon and Serna, A modified Lagrangian formulation for the dynamic
// analysis of constrained mechanical systems, CMAME 71 (1988); Golub and Greif, On solving
// block-structured indefinite linear systems, SIAM J. Sci. Comput. 24 (2003), for the conditioning.
#include "dynamics/augmented.h"

#include "dynamics/inertia_floor.h"
#include "dynamics/mass.h"
#include "dynamics/tangents.h"

#include <math.h>
#include <string.h>

// fmax of numbers, as one instruction; a NaN counts for nothing
static inline double larger(double x, double most) { return x > most ? x : most; }

static const double GRIP = 1e8;  // eight digits a pass; a grip below 1e-4 is let go
// share of a that the correction to come may have and be left out
static const double SMALL = 1e-10;
// a correction that is more than this part of the last one leads nowhere
static const double SLOW = 0.5;
enum { PASSES = 24 };  // rows that hold with g gain a factor of 1 + GRIP g^2 in each

// ---- factor -------------------------------------------------------------------------------------

static void add_mass(SarAugmented* p, const SarModel* m, const SarData* d) {
  const size_t n = sar_mass_size(m, d);
  for (size_t k = 0; k < n; k++) p->value[p->mass_place[k]] = p->mass[k];
}

static void add_forces(SarAugmented* p, const SarModel* m, SarData* d, const SarStepGains* gains) {
  const int* to = p->force_place;
  if (gains->gain_K == 0 && gains->gain_C == 0) return;
  for (int k = 0; k < m->ntangent; k++) {
    const size_t n = sar_block_entries(m->tangent[k].num);
    sar_tangent_block(m, d, k, gains->gain_K, gains->gain_C, p->block);
    for (size_t e = 0; e < n; e++) p->value[to[e]] += p->block[e];
    to += n;
  }
}

// What holds joints that stick.
static void add_sticks(SarAugmented* p, const SarModel* m, SarData* d, const SarStepGains* gains) {
  const int* to = p->force_place;
  if (!to || gains->gain_stick == 0) return;
  for (int k = 0; k < m->ntangent; k++) {
    const size_t n = sar_block_entries(m->tangent[k].num);
    if (sar_stick_block(m, d, k, gains->gain_stick, p->block))
      for (size_t e = 0; e < n; e++) p->value[to[e]] += p->block[e];
    to += n;
  }
}

// What the rows work against: the diagonal without them.
static void read_inertia(SarAugmented* p, const SarModel* m) {
  for (int i = 0; i < m->nv; i++) p->inertia[i] = p->value[p->diagonal[i]];
  sar_inertia_floor(m, p->inertia);
}

// gains Nullable: accelerations. Weight of a row: the penalty, or GRIP over what it grips; in steps
// a row that is shorter than usual counts as if it were not, and so loses its grip where it
// vanishes.
static void add_rows(SarAugmented* p, const SarModel* m, const SarData* d,
                     const SarStepGains* gains) {
  const int* to = p->row_place;
  const double weight = gains ? gains->gain_K * gains->penalty : 0;
  const double* usual = gains ? gains->row_size : NULL;
  p->grip = 0;
  for (int row = 0; row < m->nrow; row++) {
    const int adr = m->row_adr[row], num = m->row_adr[row + 1] - adr, *dof = &m->row_dof[adr];
    const double* Psi = &d->Psi[adr];
    double *scaled = &p->scaled[adr], sum = 0, length = 0;
    for (int k = 0; k < num; k++) {
      length += Psi[k] * Psi[k];
      sum += Psi[k] * Psi[k] / p->inertia[dof[k]];
    }
    double grip = weight > 0 ? weight : sum > 0 ? GRIP / sum : 0;  // 0: it is off
    if (!(weight > 0) && usual && length < usual[row] * usual[row])
      grip *= length / (usual[row] * usual[row]);
    const double w = p->weight[row] = p->keep[row] && sum > 0 ? grip : 0;
    p->grip = larger(w * sum, p->grip);
    for (int a = 0; a < num; a++) {
      scaled[a] = w * Psi[a];
      for (int b = 0; b <= a; b++) p->value[*to++] += scaled[a] * Psi[b];
    }
  }
}

// gains Nullable: accelerations
static void collect(SarAugmented* p, const SarModel* m, SarData* d, const SarStepGains* gains) {
  if (m->nv == 0) return;  // nothing moves
  sar_crba(m, d, p->mass);
  memset(p->value, 0, p->values * sizeof *p->value);
  add_mass(p, m, d);
  if (gains && p->force_place) add_forces(p, m, d, gains);
}

static SarStatus factor(SarAugmented* p, const SarModel* m, SarData* d, const SarStepGains* gains) {
  collect(p, m, d, gains);
  read_inertia(p, m);
  if (gains) add_sticks(p, m, d, gains);
  add_rows(p, m, d, gains);
  if (p->panels.npanel > 0 ? sar_panels_factor(&p->panels, p->value, p->inverse)
                           : sar_envelope_factor(&p->G))
    return SAR_OK;
  for (int i = 0; i < m->nv; i++)
    if (!isfinite(p->inertia[i])) return SAR_NOT_FINITE;
  return SAR_SINGULAR;
}

SarStatus sar_augmented_factor(SarAugmented* p, const SarModel* m, SarData* d) {
  return factor(p, m, d, NULL);
}

SarStatus sar_augmented_factor_step(SarAugmented* p, const SarModel* m, SarData* d,
                                    const SarStepGains* gains) {
  return factor(p, m, d, gains);
}

void sar_augmented_collect(SarAugmented* p, const SarModel* m, SarData* d,
                           const SarStepGains* gains) {
  collect(p, m, d, gains);
  add_sticks(p, m, d, gains);
}

// y += G x, in the order of G
static void multiply_envelope(const SarEnvelope* G, const double* x, double* y) {
  for (int i = 0; i < G->n; i++) {
    const double* row = G->value + G->adr[i];
    for (int j = G->first[i]; j < i; j++) {
      y[i] += row[j] * x[j];
      y[j] += row[j] * x[i];
    }
    y[i] += row[i] * x[i];
  }
}

void sar_augmented_multiply(SarAugmented* p, const SarModel* m, const double* x, double* y) {
  for (int i = 0; i < m->nv; i++) p->x[p->place[i]] = x[i];
  memset(p->r, 0, (size_t)m->nv * sizeof *p->r);
  if (p->panels.npanel > 0)
    sar_panels_multiply(&p->panels, p->value, p->x, p->r);
  else
    multiply_envelope(&p->G, p->x, p->r);
  for (int i = 0; i < m->nv; i++) y[i] = p->r[p->place[i]];
}

// ---- solve --------------------------------------------------------------------------------------

// in the order of the tree
void sar_augmented_apply(SarAugmented* p, const SarModel* m, double* x) {
  if (m->nv == 0) return;
  const bool by_panels = p->panels.npanel > 0;
  if (!by_panels && p->place[0] == 0) {
    sar_envelope_solve(&p->G, x);
    return;
  }
  for (int i = 0; i < m->nv; i++) p->x[p->place[i]] = x[i];
  if (by_panels)
    sar_panels_solve(&p->panels, p->value, p->inverse, p->work, p->x);
  else
    sar_envelope_solve(&p->G, p->x);
  for (int i = 0; i < m->nv; i++) x[i] = p->x[p->place[i]];
}

void sar_augmented_add_transposed(const SarAugmented* p, const SarModel* m, double factor,
                                  const double* e, double* x) {
  for (int row = 0; row < m->nrow; row++) {
    const double s = factor * e[row];
    for (int k = m->row_adr[row]; k < m->row_adr[row + 1]; k++)
      x[m->row_dof[k]] += s * p->scaled[k];
  }
}

void sar_augmented_multiply_rows(const SarAugmented* p, const SarModel* m, const double* x,
                                 double* y) {
  for (int row = 0; row < m->nrow; row++) {
    double sum = 0;
    for (int k = m->row_adr[row]; k < m->row_adr[row + 1]; k++)
      sum += p->scaled[k] * x[m->row_dof[k]];
    y[row] = sum;
  }
}

// c = Psi a - gamma
static void residuals(SarAugmented* p, const SarModel* m, const SarData* d) {
  sar_constraint_multiply(m, d, d->a, p->c);
  for (int i = 0; i < m->nrow; i++) p->c[i] -= d->gamma[i];
}

// r -= M a
static void take_off_inertia(const SarAugmented* p, const SarModel* m, const double* a, double* r) {
  const double* M = p->mass;
  for (int i = 0; i < m->nv; i++) {
    double sum = *M++ * a[i];
    for (int k = m->dof_parent[i]; k >= 0; k = m->dof_parent[k]) {
      sum += *M * a[k];
      r[k] -= *M++ * a[i];
    }
    r[i] -= sum;
  }
}

SarStatus sar_augmented_solve(SarAugmented* p, const SarModel* m, SarData* d, const double* F) {
  const size_t bytes = (size_t)m->nv * sizeof(double);
  double *a = d->a, *lambda = d->lambda, *r = p->r;
  memcpy(a, F, bytes);
  sar_augmented_add_transposed(p, m, 1, d->gamma, a);
  sar_augmented_apply(p, m, a);
  residuals(p, m, d);
  for (int i = 0; i < m->nrow; i++) lambda[i] = p->weight[i] * p->c[i];
  double last = 0;  // change of the pass before; that of the first was all of a
  for (int pass = 1; pass < PASSES; pass++) {
    memcpy(r, F, bytes);
    take_off_inertia(p, m, a, r);
    sar_constraint_add_transposed(m, d, -1, lambda, r);
    sar_augmented_add_transposed(p, m, -1, p->c, r);
    sar_augmented_apply(p, m, r);
    double size = 0, change = 0;
    for (int i = 0; i < m->nv; i++) {
      a[i] += r[i];
      size = larger(fabs(a[i]), size);
      change = larger(fabs(r[i]), change);
    }
    // by its change: a fresh Psi a - gamma would bring its rounding, times w, into lambda
    sar_constraint_multiply(m, d, r, p->e);
    for (int i = 0; i < m->nrow; i++) {
      p->c[i] += p->e[i];
      lambda[i] += p->weight[i] * p->c[i];
    }
    // corrections fall by one factor: the next one would be change^2 / last. Slow: rows that hold
    // with less than 1e-4 of their grip, at a singular position, are let go
    if (pass == 1) last = size;
    if (!(change * change > SMALL * size * last) || (pass > 1 && !(change < SLOW * last))) break;
    last = change;
  }
  return SAR_OK;
}

void sar_augmented_correct(SarAugmented* p, const SarModel* m, const double* e, double* x) {
  memset(x, 0, (size_t)m->nv * sizeof *x);
  sar_augmented_add_transposed(p, m, -1, e, x);
  sar_augmented_apply(p, m, x);
}

static void correct(const SarFactored* f, const double* e, double* x, double* y) {
  SarAugmented* p = f->self;
  if (e) sar_augmented_add_transposed(p, f->m, -1, e, x);
  sar_augmented_apply(p, f->m, x);
  if (y) sar_augmented_multiply_rows(p, f->m, x, y);
}

SarFactored sar_augmented_view(SarAugmented* p, const SarModel* m) {
  return (SarFactored){p, m, p->weight, p->inertia, &p->grip, correct, p->c, p->e, p->r};
}
