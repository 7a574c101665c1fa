// Scaling of penalties where the mass matrix is nearly singular: bodies with little or no inertia
// between others (inertia_floor.h).
//
// The augmented matrices G = M + Psi' w Psi weigh a row by what it moves, w = grip / (Psi M^-1
// Psi') with a diagonal M. A row on a coordinate without inertia moves nothing by itself, but it
// passes on what the coordinate is tied to by other rows: a flange without mass between a link and
// a tool, a coupler without mass between two bars. Weighed by its own inertia, such a chain would
// hold by grip I / I_other only, and neither multipliers nor projections would converge.
//
// NONE: what has no inertia at all must not count, and is taken for as heavy as the heaviest; a
// motion that no constraint holds either makes the equations singular anyway.
// LIGHT: the floor f of what is merely light. Chains hold by grip f, at least 1e3: three digits in
// each pass. A free motion of the light body has w = grip f I_other in its neighbourhood and keeps
// its inertia I in the factor to 1e-16 w / I: enough for passes to converge down to I = 1e-11
// I_other.
#include "dynamics/inertia_floor.h"

#include "dynamics/projection.h"

static const double NONE = 1e-12, LIGHT = 1e-5;  // of the largest
static const double ROUNDING = 1e-17;            // of mass times size squared

static SarCoordinate kind_of(const SarModel* m, int dof) {
  const int j = m->dof_body[dof];
  return m->joint_kind[j]->coordinate[dof - m->joint_vadr[j]];
}

// Point masses have no moments of inertia: what forces and turned axes leave of them is rounding,
// which is not the largest of its kind.
static void forget_rounding(const SarModel* m, double of_kind[2]) {
  const double size = sar_mechanism_size(m), turning = of_kind[SAR_ANGLE] / (size * size);
  const double moving = of_kind[SAR_LENGTH];
  if (turning <= ROUNDING * moving) of_kind[SAR_ANGLE] = 0;
  if (moving <= ROUNDING * turning) of_kind[SAR_LENGTH] = 0;
}

void sar_inertia_floor(const SarModel* m, double* inertia) {
  double least = m->nv > 0 ? inertia[0] : 1, most = least;
  for (int i = 1; i < m->nv; i++) {
    least = inertia[i] < least ? inertia[i] : least;
    most = inertia[i] > most ? inertia[i] : most;
  }
  if (least > LIGHT * most) return;  // the usual case
  double of_kind[2] = {0, 0};        // SAR_ANGLE, SAR_LENGTH
  for (int i = 0; i < m->nv; i++) {
    double* largest = &of_kind[kind_of(m, i)];
    *largest = inertia[i] > *largest ? inertia[i] : *largest;
  }
  forget_rounding(m, of_kind);
  for (int i = 0; i < m->nv; i++) {
    const double own = of_kind[kind_of(m, i)], largest = own > 0 ? own : most > 0 ? most : 1;
    if (!(inertia[i] > NONE * largest))
      inertia[i] = largest;
    else if (inertia[i] < LIGHT * largest)
      inertia[i] = LIGHT * largest;
  }
}
