// Forces on a section, and how they follow the velocity (section.h).
#include "elements/aero/section.h"

#include <string.h>

static const double MOST_MACH = 0.99, LEAST_COSINE = 0.5;

// A number and its slopes by v1, v2, v3 and by the speed of sound.
typedef struct Sloped {
  double x, by[4];
} Sloped;

// What the coefficients depend on.
typedef struct SectionFlow {
  double w, alpha;
  double cosine;  // of the yaw angle
  double speed;   // whose Mach number counts, cosine aside
  double mach;
} SectionFlow;

static SectionFlow flow_of(const SarSection* s, const double v[3], double sound) {
  const double w2 = v[0] * v[0] + v[1] * v[1];
  SectionFlow f = {sqrt(w2), atan2(-v[1], v[0]), 1, 0, 0};
  f.speed = f.w;
  f.mach = f.w / sound;
  if (s->yaw == SAR_YAW_CROSS) return f;
  const double h = sqrt(v[0] * v[0] + v[2] * v[2]);
  f.cosine = h > 0 ? fmax(fabs(v[0]) / h, LEAST_COSINE) : 1;
  f.speed = sqrt(w2 + v[2] * v[2]);
  f.mach = fmin(f.speed * sqrt(f.cosine) / sound, MOST_MACH);
  return f;
}

// slopes are zero where it is cut off
static Sloped cosine_slopes(const SectionFlow* f, const double v[3]) {
  const double along = v[0] * v[0] + v[2] * v[2], h = sqrt(along);
  Sloped c = {f->cosine, {0}};
  if (!(h > 0) || !(f->cosine > LEAST_COSINE)) return c;
  const double sign = v[0] < 0 ? -1 : 1;
  c.by[0] = sign * v[2] * v[2] / (along * h);
  c.by[2] = -fabs(v[0]) * v[2] / (along * h);
  return c;
}

static Sloped mach_slopes(const SarSection* s, const SectionFlow* f, const double v[3],
                          double sound, const Sloped* cosine) {
  const bool cross = s->yaw == SAR_YAW_CROSS;
  const double root = sqrt(f->cosine);
  Sloped mach = {f->mach, {0}};
  if (!cross && f->mach >= MOST_MACH) return mach;
  for (int i = 0; i < (cross ? 2 : 3); i++) {
    mach.by[i] = root * v[i] / (f->speed * sound);
    if (!cross) mach.by[i] += 0.5 * f->speed * cosine->by[i] / (root * sound);
  }
  mach.by[3] = -mach.x / sound;
  return mach;
}

static Sloped coefficient(SarCoefficient c, const double alpha_v[2], const Sloped* mach) {
  Sloped out = {c.c, {0}};
  for (int i = 0; i < 4; i++)
    out.by[i] = (i < 2 ? c.c_alpha * alpha_v[i] : 0) + c.c_mach * mach->by[i];
  return out;
}

// In reverse flow lift is divided by the cosine.
static bool is_reverse(const SarSection* s, const SectionFlow* f, double cl) {
  return s->yaw == SAR_YAW_CORRECTED && f->alpha * cl < 0;
}

static void add_slopes(const SarSection* s, const SectionFlow* f, const SarPolar* p,
                       const double v[3], double density, double sound, SarSectionLoad* out) {
  const double w = f->w, alpha_v[2] = {v[1] / (w * w), -v[0] / (w * w)};
  const double q = 0.5 * density * s->chord, S = q * w;
  const Sloped cosine = cosine_slopes(f, v), mach = mach_slopes(s, f, v, sound, &cosine);
  const Sloped cd = coefficient(p->drag, alpha_v, &mach),
               cm = coefficient(p->moment, alpha_v, &mach);
  const double friction = s->yaw == SAR_YAW_CORRECTED ? p->friction.c : 0;
  const double friction_mach = s->yaw == SAR_YAW_CORRECTED ? p->friction.c_mach : 0;
  Sloped cl = coefficient(p->lift, alpha_v, &mach);
  if (is_reverse(s, f, cl.x)) {
    cl.x /= f->cosine;
    for (int i = 0; i < 4; i++) cl.by[i] = (cl.by[i] - cl.x * cosine.by[i]) / f->cosine;
  }
  cl.x *= s->lift;
  const double along = cl.x * v[1] + cd.x * v[0], across = cl.x * v[0] - cd.x * v[1];
  for (int i = 0; i < 4; i++) {
    const double S_i = i < 2 ? q * v[i] / w : 0, cl_i = s->lift * cl.by[i];
    double by[4];
    by[0] = -S_i * along - S * (cl_i * v[1] + cd.by[i] * v[0]);
    by[1] = S_i * across + S * (cl_i * v[0] - cd.by[i] * v[1]);
    if (i == 0) by[0] -= S * cd.x, by[1] += S * cl.x;
    if (i == 1) by[0] -= S * cl.x, by[1] -= S * cd.x;
    by[2] = -(S_i * friction + S * friction_mach * mach.by[i]) * v[2];
    if (i == 2) by[2] -= S * friction;
    by[3] = s->chord * ((S_i * w + (i < 2 ? S * v[i] / w : 0)) * cm.x + S * w * cm.by[i]);
    for (int k = 0; k < 4; k++) *(i < 3 ? &out->F_v[k][i] : &out->F_sound[k]) = by[k];
  }
}

void sar_section_load(const SarModel* m, const SarSection* s, const double v[3], double density,
                      double sound, bool slopes, SarSectionLoad* out) {
  const SectionFlow f = flow_of(s, v, sound);
  if (!(f.w > 0)) {
    memset(out, 0, sizeof *out);
    return;
  }
  const SarPolar p = sar_airfoil_at(m, s->airfoil, f.alpha, f.mach);
  const double lift = is_reverse(s, &f, p.lift.c) ? p.lift.c / f.cosine : p.lift.c;
  const double cl = s->lift * lift, cd = p.drag.c, S = 0.5 * density * s->chord * f.w;
  out->F[0] = -S * (cl * v[1] + cd * v[0]);
  out->F[1] = S * (cl * v[0] - cd * v[1]);
  out->F[2] = s->yaw == SAR_YAW_CORRECTED ? -S * p.friction.c * v[2] : 0;
  out->F[3] = S * f.w * s->chord * p.moment.c;
  if (slopes) add_slopes(s, &f, &p, v, density, sound, out);
}
