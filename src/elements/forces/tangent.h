// What force elements need for their tangents (SarBodyTangent).
#pragma once
#include "elements/forces/element.h"
#include "linalg/semidefinite.h"
#include "model/partial.h"

#include <string.h>

// Slope of a law with respect to local number `which`, at the locals.
static inline double law_slope(const SarModel* m, SarData* d, const SarAttrValue* a, int which,
                               double local0, double local1) {
  const SarAttrValue slope = {.index = a->index + 1 + which};
  return law_value(m, d, &slope, local0, local1);
}

// A += k s s', with s = (w; v) as a wrench.  k < 0 is left out: a force that grows with the motion
// it causes would make the tangent indefinite.
static inline void tangent_add(double A[36], double k, V3 w, V3 v) {
  const double s[6] = {w.x, w.y, w.z, v.x, v.y, v.z};
  if (!(k > 0)) return;
  for (int i = 0; i < 6; i++) {
    if (s[i] == 0) continue;  // half of them, mostly
    for (int j = 0; j < 6; j++) A[6 * i + j] += k * s[i] * s[j];
  }
}

// A += k n n' on the motion of the point; k < 0 as above, unless all of it is asked for.
static inline void tangent_add_along(const SarBodyTangent* out, double A[36], double k, V3 n) {
  if (!(k > 0) && !out->whole) return;
  const double s[3] = {n.x, n.y, n.z};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) A[6 * (3 + i) + 3 + j] += k * s[i] * s[j];
}

// A += k (1 - n n') likewise: a stretched line that is pushed aside. k < 0: a line under pressure
// buckles.
static inline void tangent_add_aside(const SarBodyTangent* out, double A[36], double k, V3 n) {
  if (!(k > 0) && !out->whole) return;
  const double s[3] = {n.x, n.y, n.z};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) A[6 * (3 + i) + 3 + j] += k * ((i == j) - s[i] * s[j]);
}

// The wrench value * (w; v), at out->p, follows the motion of its own body through what its value
// (in `slot`) measures:  dW = -(w; v) g' dx,  g' dx = -sum d value/d measure * change of the
// measure.
//   coordinate k of a point r:  e_k . (dv + dw x (r - p)) = e_k . dv + ((r - p) x e_k) . dw
//   its speed, likewise with velocities;  angular velocity:  e_k . dw
static inline void tangent_add_partials(const SarModel* m, SarData* d, int slot, int body, V3 w,
                                        V3 v, SarBodyTangent* out) {
  const double W[6] = {w.x, w.y, w.z, v.x, v.y, v.z};
  for (int p = sar_first_partial(m, slot); sar_is_partial(m, p, slot); p++) {
    const SarMeasure* of = sar_partial_measure(m, p);
    const double slope = sar_partial_value(m, d, p);
    const V3 e = v3(of->component == 0, of->component == 1, of->component == 2);
    const V3 arm = v3_sub(x_point(body_pose(d, body), of->point), out->p);
    double g[6] = {0}, *A = of->kind == SAR_MEASURE_POINT ? out->K : out->C;
    v3_store(g, of->kind == SAR_MEASURE_OMEGA ? e : v3_cross(arm, e));
    if (of->kind != SAR_MEASURE_OMEGA) v3_store(g + 3, e);
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < 6; j++) A[6 * i + j] -= W[i] * slope * g[j];
  }
}

// A controller may do anything: of its tangent the symmetric, positive semidefinite part is used.
static inline void tangent_make_semidefinite(SarBodyTangent* out) {
  sar_semidefinite_part(6, out->K);
  sar_semidefinite_part(6, out->C);
}
