// How forces on knots follow the motion of these, and what is left of it for the bodies around them
// (static condensation, Guyan 1965; Schur complement of the knots' own tangent).
//
// Body ends u of the forces of a network move its knots by y:
//
//   A y = sum B_e u_e,   A = sum of B over the knots' own coordinates,   B = K + C / z_gain
//
// (elastic knots: B = K; damped ones outside implicit steps stay, their place is state). With r = u
// - y, or y - y', what each force sees of it, the bodies feel
//
//   sum_e r_e . (gain_K K_e + gain_C C_e) r_e
//
// which for gain_C = gain_K / z_gain is the Schur complement of A, the exact tangent (the least of
// the energy over y), and positive semidefinite for any gains. What the elements leave out of K for
// that (force_kind.h) is left out of A too: there it makes knots stiffer, which costs iterations
// and not accuracy.
#include "dynamics/knots.h"

#include "elements/forces/element.h"
#include "linalg/spd.h"

// The knots at the two ends, -1: none.
static void ends_of(const SarModel* m, int force, int knot[2]) {
  const SarForceKind* kind = m->force_kind[force];
  int found = 0;
  knot[0] = knot[1] = -1;
  for (int k = 0; k < kind->nattr && found < 2; k++) {
    const SarAttrType type = kind->attr[k].type;
    if (type != SAR_ATTR_BODY && type != SAR_ATTR_POINT) continue;
    const int body = sar_force_attr(m, force, k)->index;
    if (sar_is_knot(m, body)) knot[found] = body - m->nbody;
    found++;
  }
}

// The part of shifts of K or C.
static S3 shifts(const double A[36]) {
  return (S3){A[21], 0.5 * (A[22] + A[27]), 0.5 * (A[23] + A[33]),
              A[28], 0.5 * (A[29] + A[34]), A[35]};
}

static S3 combined(double a, S3 A, double b, S3 B) {
  return (S3){a * A.xx + b * B.xx, a * A.xy + b * B.xy, a * A.xz + b * B.xz,
              a * A.yy + b * B.yy, a * A.yz + b * B.yz, a * A.zz + b * B.zz};
}

static bool counts(const SarKnot* k, bool elastic, bool damped) {
  return k->state < 0 ? elastic : damped;
}

// A += sign of S between the ways of two knots whose coordinates start at row and column; upper
// triangle.
static void add_block(int n, double sign, S3 S, const SarKnot* a, int row, const SarKnot* b,
                      int column, double* A) {
  for (int j = 0; j < b->num; j++) {
    const V3 f = s3_mul_v(S, b->way[j]);
    for (int i = 0; i < a->num; i++)
      if (row + i <= column + j) A[(row + i) * n + column + j] += sign * v3_dot(a->way[i], f);
  }
}

// A += S of a force between two knots, either of them NULL where it does not count.
static void add_force(int n, S3 S, const SarKnot* const knot[2], const int at[2], double* A) {
  for (int e = 0; e < 2; e++)
    if (knot[e]) add_block(n, 1, S, knot[e], at[e], knot[e], at[e], A);
  if (!knot[0] || !knot[1]) return;
  add_block(n, -1, S, knot[0], at[0], knot[1], at[1], A);
  add_block(n, -1, S, knot[1], at[1], knot[0], at[0], A);
}

void sar_knot_matrix(const SarModel* m, SarData* d, double gain_K, double gain_C, bool elastic,
                     bool damped, double* A) {
  const int n = m->nknot_dof;
  for (int i = 0; i < n * n; i++) A[i] = 0;
  for (int i = 0; i < m->nknot; i++) {
    const SarKnot* k = &m->knot[i];
    if (counts(k, elastic, damped)) continue;
    for (int j = k->adr; j < k->adr + k->num; j++) A[j * n + j] = 1;
  }
  for (int i = 0; i < m->nknot_force; i++) {
    const int force = m->knot_force[i];
    SarBodyTangent t = {.whole = true};
    int end[2];
    if (!d->force_on[force] || m->force_kind[force]->controlled) continue;
    m->force_kind[force]->tangent(m, d, force, &t);
    const S3 S = combined(gain_K, shifts(t.K), gain_C, shifts(t.C));
    ends_of(m, force, end);
    const SarKnot* knot[2] = {NULL, NULL};
    int at[2] = {0, 0};
    for (int e = 0; e < 2; e++)
      if (end[e] >= 0 && counts(&m->knot[end[e]], elastic, damped))
        knot[e] = &m->knot[end[e]], at[e] = knot[e]->adr;
    add_force(n, S, knot, at, A);
  }
}

// ---- networks -----------------------------------------------------------------------------------

static const double LOOSE = 1e-12;  // of the diagonal: a pivot that holds nothing

static bool is_implicit(const SarData* d) { return d->z_from && d->z_gain > 0; }

// Knot e of a force, if the network moves it.
static const SarKnot* moved(const SarModel* m, const SarData* d, const SarNetworkForce* f, int e) {
  const SarKnot* k = f->knot[e] >= 0 ? &m->knot[f->knot[e]] : NULL;
  return k && counts(k, true, is_implicit(d)) ? k : NULL;
}

static void read_tangent(const SarModel* m, SarData* d, int force, SarNetworkWork* w) {
  SarBodyTangent t = {.p = v3_zero()};
  *w = (SarNetworkWork){.p = v3_zero()};
  if (!d->force_on[force] || d->knot_trouble != SAR_KNOT_FOUND) return;
  m->force_kind[force]->tangent(m, d, force, &t);
  w->p = t.p;
  w->K = shifts(t.K);
  w->C = shifts(t.C);
  w->B = combined(1, w->K, is_implicit(d) ? 1 / d->z_gain : 0, w->C);
}

// Knots that do not move, and those that nothing holds, have a unit row.
static void set_unit_rows(const SarModel* m, const SarData* d, int network, bool all, double* A) {
  const int n = m->network[network].num_knot_dof;
  for (int k = 0; k < m->nknot; k++) {
    const SarKnot* at = &m->knot[k];
    if (at->network != network || (!all && counts(at, true, is_implicit(d)))) continue;
    for (int i = at->local; i < at->local + at->num; i++) {
      for (int j = i; j < n; j++) A[i * n + j] = 0;
      A[i * n + i] = 1;
    }
  }
}

void sar_update_network(const SarModel* m, SarData* d, int network) {
  const SarNetwork* net = &m->network[network];
  const int n = net->num_knot_dof;
  double* A = d->knot_schur;
  for (int i = 0; i < n * n; i++) A[i] = 0;
  for (int k = net->adr; k < net->adr + net->num; k++) {
    const SarNetworkForce* f = &m->network_force[k];
    SarNetworkWork* w = &d->network_work[k];
    read_tangent(m, d, f->force, w);
    const SarKnot* knot[2] = {moved(m, d, f, 0), moved(m, d, f, 1)};
    const int at[2] = {knot[0] ? knot[0]->local : 0, knot[1] ? knot[1]->local : 0};
    add_force(n, w->B, knot, at, A);
  }
  set_unit_rows(m, d, network, false, A);
  if (sar_spd_factor(n, A, LOOSE)) return;
  // knots that nothing holds: what an evaluation makes of them is told there
  set_unit_rows(m, d, network, true, A);
  for (int k = net->adr; k < net->adr + net->num; k++)
    d->network_work[k].B = combined(0, d->network_work[k].K, 0, d->network_work[k].K);
}

static V3 motion_of(const SarKnot* k, const double* y) {
  V3 x = v3_zero();
  for (int i = 0; k && i < k->num; i++) x = v3_add(x, v3_scale(y[k->local + i], k->way[i]));
  return x;
}

void sar_network_motion(const SarModel* m, SarData* d, int network, V3* r) {
  const SarNetwork* net = &m->network[network];
  double* y = d->knot_step;
  for (int i = 0; i < net->num_knot_dof; i++) y[i] = 0;
  for (int k = net->adr; k < net->adr + net->num; k++) {
    const V3 pull = s3_mul_v(d->network_work[k].B, d->network_work[k].u);
    for (int e = 0; e < 2; e++) {
      const SarKnot* at = moved(m, d, &m->network_force[k], e);
      for (int i = 0; at && i < at->num; i++) y[at->local + i] += v3_dot(at->way[i], pull);
    }
  }
  sar_spd_solve(net->num_knot_dof, d->knot_schur, y);
  for (int k = net->adr; k < net->adr + net->num; k++) {
    const SarNetworkForce* f = &m->network_force[k];
    const V3 ends = v3_sub(motion_of(moved(m, d, f, 0), y), motion_of(moved(m, d, f, 1), y));
    // u is that of the end that is no knot
    r[k - net->adr] =
        f->knot[0] >= 0 ? v3_sub(ends, d->network_work[k].u) : v3_add(ends, d->network_work[k].u);
  }
}

double sar_network_product(const SarModel* m, const SarData* d, int network, double gain_K,
                           double gain_C, const V3* r_a, const V3* r_b) {
  const SarNetwork* net = &m->network[network];
  double sum = 0;
  for (int k = 0; k < net->num; k++) {
    const SarNetworkWork* w = &d->network_work[net->adr + k];
    sum += v3_dot(r_a[k], s3_mul_v(combined(gain_K, w->K, gain_C, w->C), r_b[k]));
  }
  return sum;
}
