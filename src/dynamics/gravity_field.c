// Gravity as a field (gravity_field.h).
//
//   point mass   U = -mu / r,   g = -mu r / r^3               r from the centre
//   potential    g = -grad U,   power of what changes in time: m dU/dt
//   vector       g as given,    power m g . v, all of it in the work account
#include "dynamics/gravity_field.h"

enum { U, UX, UY, UZ, UT };  // laws of a potential

// mass centre in ground
static V3 centre_of(const SarModel* m, const SarData* d, int b) {
  const Inertia* I = &m->body_inertia[b];
  return x_point(d->body_X_GB[b], v3_scale(1 / I->m, I->h));
}

static void set_place(const SarModel* m, const SarData* d, V3 p) {
  v3_store(&d->slot[m->slot_local], p);
}

static double law(const SarModel* m, const SarData* d, int which) {
  const SarExprEntry* e = &m->expr[m->field.law + which];
  return sar_program_eval(&e->program, &m->instr[e->instr], d->slot, d->reg);
}

V3 sar_gravity_at(const SarModel* m, const SarData* d, V3 p) {
  const SarGravityField* f = &m->field;
  if (f->kind == SAR_GRAVITY_POINT) {
    const V3 r = v3_sub(p, f->centre);
    const double square = v3_dot(r, r);
    return v3_scale(-f->mu / (square * sqrt(square)), r);
  }
  set_place(m, d, p);
  const bool potential = f->kind == SAR_GRAVITY_POTENTIAL;
  const int first = potential ? UX : 0;
  const V3 g = v3(law(m, d, first), law(m, d, first + 1), law(m, d, first + 2));
  return potential ? v3_neg(g) : g;
}

static double potential_at(const SarModel* m, const SarData* d, V3 p) {
  const SarGravityField* f = &m->field;
  if (f->kind == SAR_GRAVITY_POINT) return -f->mu / v3_norm(v3_sub(p, f->centre));
  set_place(m, d, p);
  return law(m, d, U);
}

void sar_add_field(const SarModel* m, SarData* d) {
  for (int b = 0; b < m->nbody; b++) {
    const Inertia* I = &m->body_inertia[b];
    if (!(I->m > 0)) continue;
    const V3 g = m3_tmul_v(d->body_X_GB[b].R, sar_gravity_at(m, d, centre_of(m, d, b)));
    Force* F = &d->body_F[b];
    F->f = v3_axpy(I->m, g, F->f);
    F->n = v3_add(F->n, v3_cross(I->h, g));
  }
}

double sar_field_energy(const SarModel* m, const SarData* d) {
  double sum = 0;
  if (m->field.kind == SAR_GRAVITY_VECTOR) return 0;
  for (int b = 0; b < m->nbody; b++)
    if (m->body_inertia[b].m > 0)
      sum += m->body_inertia[b].m * potential_at(m, d, centre_of(m, d, b));
  return sum;
}

static V3 velocity_of(const SarModel* m, const SarData* d, int b) {
  const Inertia* I = &m->body_inertia[b];
  const Motion* V = &d->body_V[b];
  return m3_mul_v(d->body_X_GB[b].R, v3_add_cross(V->v, V->w, v3_scale(1 / I->m, I->h)));
}

double sar_field_power(const SarModel* m, const SarData* d) {
  double sum = 0;
  for (int b = 0; b < m->nbody; b++) {
    const double mass = m->body_inertia[b].m;
    if (!(mass > 0)) continue;
    const V3 p = centre_of(m, d, b);
    if (m->field.kind == SAR_GRAVITY_VECTOR) {
      sum += mass * v3_dot(sar_gravity_at(m, d, p), velocity_of(m, d, b));
    } else {
      set_place(m, d, p);
      sum += mass * law(m, d, UT);
    }
  }
  return sum;
}
