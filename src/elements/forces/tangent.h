// What force elements need for their tangents (SarBodyTangent).
#pragma once
#include "elements/forces/element.h"

// Slope of a law with respect to local number `which`, at the locals.
static inline double law_slope(const SarModel* m, SarData* d, const SarAttrValue* a, int which,
                               double local0, double local1) {
  const SarAttrValue slope = {.index = a->index + 1 + which};
  return law_value(m, d, &slope, local0, local1);
}

// A += k s s', with s = (w; v) as a wrench.  k < 0 is left out: a force that grows with the motion it
// causes would make the tangent indefinite.
static inline void tangent_add(double A[36], double k, V3 w, V3 v) {
  const double s[6] = {w.x, w.y, w.z, v.x, v.y, v.z};
  if (!(k > 0)) return;
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) A[6 * i + j] += k * s[i] * s[j];
}

// A += k (1 - n n') on the motion of the point: a stretched line that is pushed aside. k < 0 is left
// out, as above: a line under pressure buckles.
static inline void tangent_add_aside(double A[36], double k, V3 n) {
  if (!(k > 0)) return;
  const double s[3] = {n.x, n.y, n.z};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) A[6 * (3 + i) + 3 + j] += k * ((i == j) - s[i] * s[j]);
}
