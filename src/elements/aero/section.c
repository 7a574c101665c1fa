// Forces on a section, and how they follow the velocity (section.h).
#include "elements/aero/section.h"

#include <string.h>

static const double MOST_MACH = 0.99, LEAST_COSINE = 0.5;

// A number and its slopes by v1, v2, v3 and by the speed of sound.
typedef struct Sloped {
  double x, by[4];
} Sloped;

static Sloped mach_of(const SarSection* s, const double v[3], double sound, const Sloped* cosine) {
  const bool cross = s->yaw == SAR_YAW_CROSS;
  const double squares = v[0] * v[0] + v[1] * v[1] + (cross ? 0 : v[2] * v[2]);
  const double speed = sqrt(squares), root = cross ? 1 : sqrt(cosine->x);
  Sloped mach = {speed * root / sound, {0}};
  if (!cross && mach.x > MOST_MACH) return (Sloped){MOST_MACH, {0}};
  if (!(speed > 0)) return mach;
  for (int i = 0; i < (cross ? 2 : 3); i++) {
    mach.by[i] = root * v[i] / (speed * sound);
    if (!cross) mach.by[i] += 0.5 * speed * cosine->by[i] / (root * sound);
  }
  mach.by[3] = -mach.x / sound;
  return mach;
}

// cos g of the yaw angle; slopes are zero where it is cut off
static Sloped cosine_of(const double v[3]) {
  const double along = v[0] * v[0] + v[2] * v[2], h = sqrt(along);
  Sloped c = {h > 0 ? fabs(v[0]) / h : 1, {0}};
  if (!(h > 0)) return c;
  if (c.x < LEAST_COSINE) return (Sloped){LEAST_COSINE, {0}};
  const double sign = v[0] < 0 ? -1 : 1;
  c.by[0] = sign * v[2] * v[2] / (along * h);
  c.by[2] = -fabs(v[0]) * v[2] / (along * h);
  return c;
}

static Sloped coefficient(SarCoefficient c, const double alpha_v[2], const Sloped* mach) {
  Sloped out = {c.c, {0}};
  for (int i = 0; i < 4; i++)
    out.by[i] = (i < 2 ? c.c_alpha * alpha_v[i] : 0) + c.c_mach * mach->by[i];
  return out;
}

void sar_section_load(const SarModel* m, const SarSection* s, const double v[3], double density,
                      double sound, bool slopes, SarSectionLoad* out) {
  const double w2 = v[0] * v[0] + v[1] * v[1], w = sqrt(w2);
  memset(out, 0, sizeof *out);
  if (!(w2 > 0)) return;
  const bool corrected = s->yaw == SAR_YAW_CORRECTED;
  const double alpha = atan2(-v[1], v[0]), alpha_v[2] = {v[1] / w2, -v[0] / w2};
  const Sloped cosine = corrected ? cosine_of(v) : (Sloped){1, {0}};
  const Sloped mach = mach_of(s, v, sound, &cosine);
  const SarPolar p = sar_airfoil_at(m, s->airfoil, alpha, mach.x);
  Sloped cl = coefficient(p.lift, alpha_v, &mach);
  if (corrected && alpha * cl.x < 0) {
    for (int i = 0; i < 4; i++) cl.by[i] = (cl.by[i] - cl.x / cosine.x * cosine.by[i]) / cosine.x;
    cl.x /= cosine.x;
  }
  cl.x *= s->lift;
  const double q = 0.5 * density * s->chord, S = q * w;
  const double along = cl.x * v[1] + p.drag.c * v[0], across = cl.x * v[0] - p.drag.c * v[1];
  SarCoefficient friction = {0};
  if (corrected) friction = sar_airfoil_friction(m, s->airfoil, mach.x);
  out->F[0] = -S * along;
  out->F[1] = S * across;
  out->F[2] = -S * friction.c * v[2];
  out->F[3] = S * w * s->chord * p.moment.c;
  if (!slopes) return;
  const Sloped cd = coefficient(p.drag, alpha_v, &mach), cm = coefficient(p.moment, alpha_v, &mach);
  for (int i = 0; i < 4; i++) {
    const double S_i = i < 2 ? q * v[i] / w : 0, cl_i = s->lift * cl.by[i];
    double by[4];
    by[0] = -S_i * along - S * (cl_i * v[1] + cd.by[i] * v[0]);
    by[1] = S_i * across + S * (cl_i * v[0] - cd.by[i] * v[1]);
    if (i == 0) by[0] -= S * cd.x, by[1] += S * cl.x;
    if (i == 1) by[0] -= S * cl.x, by[1] -= S * cd.x;
    by[2] = -(S_i * friction.c + S * friction.c_mach * mach.by[i]) * v[2];
    if (i == 2) by[2] -= S * friction.c;
    by[3] = s->chord * ((S_i * w + (i < 2 ? S * v[i] / w : 0)) * p.moment.c + S * w * cm.by[i]);
    for (int k = 0; k < 4; k++) *(i < 3 ? &out->F_v[k][i] : &out->F_sound[k]) = by[k];
  }
}
