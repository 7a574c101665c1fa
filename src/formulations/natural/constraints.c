// Phi, its Jacobian and its rates in natural coordinates. A term is F(s0, s1) of scalar products
// s = A . B of forms, so with F_i, F_ij its derivatives
//
//   s' = A' . B + A . B',            s'' = (linear in z'') + 2 A' . B'
//   term'' = F_i s_i'' + F_ij s_i' s_j'
//
//   kind       F              F_0            F_1         quadratic part F_ij s_i' s_j'
//   PRODUCT    s0             1                          0
//   ROOT       sqrt(s0)       1 / 2 F                    -s0'^2 / 4 F^3
//   ANGLE      atan2(s1, s0)  -s1 / r        s0 / r      -2 F' (s0 s0' + s1 s1') / r,
//              r = s0^2 + s1^2
//   CURVE      s1 - g(s0)     -g'            1           -g'' s0'^2
#include "formulations/natural/natural.h"

#include "dynamics/constraints.h"
#include "dynamics/track.h"

#include <string.h>

static const double TURN = 6.283185307179586477;

typedef struct Law {
  double F, slope[2];
} Law;

static double counted(const SarModel* m, SarData* d, int q, double angle) {
  if (q < 0) return angle;
  const double near = angle + TURN * rint((d->q[q] - angle) / TURN);
  if (q >= m->nq) d->q[q] = near;  // a cut joint remembers its turn here
  return near;
}

static inline Law law_of(const SarNatural* p, SarData* d, const SarNatTerm* t, double s0,
                         double s1) {
  switch (t->kind) {
    case SAR_NAT_ROOT: {
      const double root = sqrt(s0 > 0 ? s0 : 0);
      return (Law){root, {root > 0 ? 0.5 / root : 0, 0}};
    }
    case SAR_NAT_ANGLE: {
      const double r = s0 * s0 + s1 * s1, over = r > 0 ? 1 / r : 0;
      return (Law){counted(p->m, d, t->q, atan2(s1, s0)), {-s1 * over, s0 * over}};
    }
    case SAR_NAT_CURVE: {
      const SarTrackPoint g = sar_track_calc(p->m, d, t->track, s0);
      return (Law){s1 - g.y, {-g.slope, 1}};
    }
    default: return (Law){s0, {1, 0}};
  }
}

// adds W . (form at z') to the row's entries:  W . (n x x) = (W x n) . x
static inline void add_gradient(const SarNatForm* f, V3 W, V3* entry) {
  for (int k = 0; k < f->num; k++) {
    V3* to = &entry[f->place[k]];
    *to = v3_axpy(f->re[k], W, *to);
    if (f->im[k] != 0) *to = v3_axpy(-f->im[k], sar_nat_turned(W), *to);
  }
}

static inline V3 in_plane(const SarNatural* p, V3 W) {
  if (p->dim == 2) W.z = 0;
  return W;
}

static inline double add_term(SarNatural* p, SarData* d, const SarNatTerm* t, const V3* x,
                              V3* entry) {
  V3 value[4];
  double s[2] = {0, 0};
  if (t->kind == SAR_NAT_DEFORMATION) return sar_natural_deformation(p, t, entry);
  const int products = t->form[2] < 0 ? 1 : 2;
  for (int k = 0; k < products; k++) {
    value[2 * k] = sar_nat_value(&p->form[t->form[2 * k]], x);
    value[2 * k + 1] = sar_nat_value(&p->form[t->form[2 * k + 1]], x);
    s[k] = v3_dot(value[2 * k], value[2 * k + 1]);
  }
  const Law law = law_of(p, d, t, s[0], s[1]);
  for (int k = 0; k < products; k++) {
    const double c = t->coefficient * law.slope[k];
    add_gradient(&p->form[t->form[2 * k]], in_plane(p, v3_scale(c, value[2 * k + 1])), entry);
    add_gradient(&p->form[t->form[2 * k + 1]], in_plane(p, v3_scale(c, value[2 * k])), entry);
  }
  return t->coefficient * law.F;
}

// Rows that are off have no value, no entries and no rates.
static bool is_off(const SarData* d, const SarNatRow* r) {
  return r->row >= 0 && !d->row_on[r->row];
}

void sar_natural_constraints(SarNatural* p, SarData* d, const V3* x) {
  if (p->m->ndrive > 0) sar_update_drives(p->m, d);
  memset(p->entry, 0, (size_t)p->nentry * sizeof *p->entry);
  if (p->m->nnode > 0) sar_natural_deform(p, x);
  for (int i = 0; i < p->nrow; i++) {
    const SarNatRow* r = &p->row[i];
    p->Phi[i] = 0;
    if (is_off(d, r)) continue;
    double Phi = r->slot < 0 ? -r->constant : -d->slot[r->slot];
    if (r->row >= 0) Phi -= d->row_hold[r->row];
    for (int k = r->term; k < r->term + r->terms; k++)
      Phi += add_term(p, d, &p->term[k], x, &p->entry[r->entry]);
    if (r->turn > 0) Phi -= r->turn * rint(Phi / r->turn);
    p->Phi[i] = Phi;
  }
}

// ---- rates ------------------------------------------------------------------------------------

typedef struct Product {
  double s, rate, bias;  // s, s', s'' for z'' = 0
} Product;

static inline Product product(const SarNatural* p, const SarNatTerm* t, int k, const V3* x,
                              const V3* v) {
  if (t->form[2 * k] < 0) return (Product){0, 0, 0};
  const SarNatForm *f = &p->form[t->form[2 * k]], *g = &p->form[t->form[2 * k + 1]];
  const V3 A = sar_nat_value(f, x), B = sar_nat_value(g, x), Ar = sar_nat_rate(f, v),
           Br = sar_nat_rate(g, v);
  return (Product){v3_dot(A, B), v3_dot(Ar, B) + v3_dot(A, Br), 2 * v3_dot(Ar, Br)};
}

static inline double term_bias(SarNatural* p, SarData* d, const SarNatTerm* t, const V3* x,
                               const V3* v) {
  if (t->kind == SAR_NAT_DEFORMATION) return sar_natural_deformation_bias(p, t, v);
  const Product s0 = product(p, t, 0, x, v), s1 = product(p, t, 1, x, v);
  switch (t->kind) {
    case SAR_NAT_ROOT: {
      const double root = sqrt(s0.s);
      const double speed = 0.5 * s0.rate / root;
      return root > 0 ? (0.5 * s0.bias - speed * speed) / root : 0;
    }
    case SAR_NAT_ANGLE: {
      const double r = s0.s * s0.s + s1.s * s1.s;
      if (!(r > 0)) return 0;
      const double speed = (s0.s * s1.rate - s1.s * s0.rate) / r;
      return (s0.s * s1.bias - s1.s * s0.bias - 2 * speed * (s0.s * s0.rate + s1.s * s1.rate)) / r;
    }
    case SAR_NAT_CURVE: {
      const SarTrackPoint g = sar_track_calc(p->m, d, t->track, s0.s);
      return s1.bias - g.slope * s0.bias - g.bend * s0.rate * s0.rate;
    }
    default: return s0.bias;
  }
}

void sar_natural_constraint_rates(SarNatural* p, SarData* d, const V3* x, const V3* v) {
  sar_natural_multiply(p, v, p->Phi_dot);
  for (int i = 0; i < p->nrow; i++) {
    const SarNatRow* r = &p->row[i];
    p->Phi_t[i] = p->bias[i] = 0;
    if (is_off(d, r)) continue;
    p->Phi_t[i] = r->slot < 0 ? 0 : -d->slot[r->slot + 1];
    p->Phi_dot[i] += p->Phi_t[i];
    double bias = r->slot < 0 ? 0 : -d->slot[r->slot + 2];
    for (int k = r->term; k < r->term + r->terms; k++)
      bias += p->term[k].coefficient * term_bias(p, d, &p->term[k], x, v);
    p->bias[i] = bias;
  }
}

// ---- products with the Jacobian and the mass matrix ---------------------------------------------

void sar_natural_add_transposed(const SarNatural* p, const double* y, V3* f) {
  for (int i = 0; i < p->nrow; i++) {
    const SarNatRow* r = &p->row[i];
    for (int k = r->entry; k < r->entry + r->entries; k++) {
      V3* to = &f[p->entry_item[k]];
      *to = v3_axpy(y[i], p->entry[k], *to);
    }
  }
}

void sar_natural_multiply(const SarNatural* p, const V3* v, double* y) {
  for (int i = 0; i < p->nrow; i++) {
    const SarNatRow* r = &p->row[i];
    double sum = 0;
    for (int k = r->entry; k < r->entry + r->entries; k++)
      sum += v3_dot(p->entry[k], v[p->entry_item[k]]);
    y[i] = sum;
  }
}

void sar_natural_add_inertia(const SarNatural* p, const V3* a, V3* f) {
  for (int k = 0; k < p->nmass; k++) {
    const SarNatMass* M = &p->mass[k];
    f[M->i] = v3_axpy(M->re, a[M->j], f[M->i]);
    if (M->im != 0) f[M->i] = v3_axpy(M->im, sar_nat_turned(a[M->j]), f[M->i]);
    if (M->i == M->j) continue;
    f[M->j] = v3_axpy(M->re, a[M->i], f[M->j]);
    if (M->im != 0) f[M->j] = v3_axpy(-M->im, sar_nat_turned(a[M->i]), f[M->j]);
  }
}
