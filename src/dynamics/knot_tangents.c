// How forces on knots follow the motion of these, and what is left of it for the bodies around them (static
// condensation, Guyan 1965).
//
// An element between a body and knot k, with tangents K_e and C_e, pulls on the body by -(K_e dx + C_e dv) if
// the knot stays; it moves by ds = A^-1 (K_e dx + C_e dv) along its ways, A = K + C / z_gain (elastic knots:
// K; damped ones outside implicit steps stay, their place is state). So
//
//   K_e <- K_e - (K_e + C_e / z_gain) A_kk^-1 K_e,    C_e <- C_e - (K_e + C_e / z_gain) A_kk^-1 C_e
//
// The motion of other bodies that hang on the same knots is left out: that costs iterations, not accuracy.
#include "dynamics/knots.h"

#include "elements/forces/tangent.h"
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

// A += sign of S between the ways of two knots, upper triangle.
static void add_block(const SarModel* m, double sign, S3 S, const SarKnot* a, const SarKnot* b,
                      double* A) {
  for (int j = 0; j < b->num; j++) {
    const V3 column = s3_mul_v(S, b->way[j]);
    for (int i = 0; i < a->num; i++)
      if (a->adr + i <= b->adr + j)
        A[(a->adr + i) * m->nknot_dof + b->adr + j] += sign * v3_dot(a->way[i], column);
  }
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
    for (int e = 0; e < 2; e++)
      if (end[e] >= 0 && counts(&m->knot[end[e]], elastic, damped)) knot[e] = &m->knot[end[e]];
    for (int e = 0; e < 2; e++)
      if (knot[e]) add_block(m, 1, S, knot[e], knot[e], A);
    if (knot[0] && knot[1]) {
      add_block(m, -1, S, knot[0], knot[1], A);
      add_block(m, -1, S, knot[1], knot[0], A);
    }
  }
}

// y = A_kk^-1 x for a force x on knot k, ground axes.
static V3 give_way(const SarModel* m, SarData* d, const SarKnot* k, V3 x) {
  V3 y = v3_zero();
  for (int i = 0; i < m->nknot_dof; i++) d->knot_step[i] = 0;
  for (int i = 0; i < k->num; i++) d->knot_step[k->adr + i] = v3_dot(k->way[i], x);
  sar_spd_solve(m->nknot_dof, d->knot_factor, d->knot_step);
  for (int i = 0; i < k->num; i++) y = v3_add(y, v3_scale(d->knot_step[k->adr + i], k->way[i]));
  return y;
}

// A <- A - B (A_kk^-1 A), of the shifts alone: what an element of a knot has.
static void condense(const SarModel* m, SarData* d, const SarKnot* k, S3 B, double A[36]) {
  double out[3][3];
  for (int j = 0; j < 3; j++) {
    const V3 column = v3(A[21 + j], A[27 + j], A[33 + j]);
    const V3 left = v3_sub(column, s3_mul_v(B, give_way(m, d, k, column)));
    v3_store(out[j], left);
  }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) A[6 * (3 + i) + 3 + j] = 0.5 * (out[i][j] + out[j][i]);
}

void sar_condense_knots(const SarModel* m, SarData* d, int force, SarBodyTangent* out) {
  int end[2];
  ends_of(m, force, end);
  const int at = end[0] >= 0 ? end[0] : end[1];
  if (at < 0 || d->knot_trouble != SAR_KNOT_FOUND) return;
  const SarKnot* k = &m->knot[at];
  const bool implicit = d->z_from && d->z_gain > 0;
  if (k->state >= 0 && !implicit) return;
  const S3 B = combined(1, shifts(out->K), implicit ? 1 / d->z_gain : 0, shifts(out->C));
  condense(m, d, k, B, out->K);
  condense(m, d, k, B, out->C);
  tangent_make_semidefinite(out);  // of a line under pressure K_e has no part that A has
}
