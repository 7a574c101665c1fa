#include "cases.h"

#include <math.h>

const Case CASES[] = {
    {"double four-bar, 0.1 J", 2, ENERGY, 0.1, 10, 0.025, 2},
    {"double four-bar, 1 mm", 2, POSITION, 1e-3, 10, 0.025, 0},
    {"10 four-bars, 0.1 J", 10, ENERGY, 0.1, 10, 0.025, 2},
    {"40 four-bars, 0.1 J", 40, ENERGY, 0.1, 10, 0.025, 2},
    {"Andrews, 1e-2 rad", ANDREWS, ANGLE, 1e-2, 0.03, 1e-4, 1},
    {"Andrews, 1e-3 rad", ANDREWS, ANGLE, 1e-3, 0.03, 1e-4, 0},
    {"Bricard, 1e-3 J", BRICARD, ENERGY, 1e-3, 10, 0.025, 1},
    {"Bricard, 1e-6 J", BRICARD, ENERGY, 1e-6, 10, 0.025, 0},
    {"Peaucellier driven, 1 mm", PEAUCELLIER, LINE, 1e-3, 4, 0.025, 0},
};
const int CASE_COUNT = sizeof CASES / sizeof *CASES;

void case_linkage(const Case* c, Linkage* l) {
  if (c->linkage > 0) linkage_four_bars(l, c->linkage);
  if (c->linkage == ANDREWS) linkage_andrews(l);
  if (c->linkage == BRICARD) linkage_bricard(l);
  if (c->linkage == PEAUCELLIER) linkage_peaucellier(l);
}

// n parallelograms are one pendulum: J phi'' = m g l sin(phi), phi from the upright position. By
// RK4 with steps so small that nothing but rounding is left.
static void pendulum(int n, int samples, double interval, Sample* out) {
  enum { STEPS = 1000 };
  const double J = (n + 1) / 3. + n, load = 9.81 * ((n + 1) * 0.5 + n), h = interval / STEPS;
  double x = 0, w = -1;
  for (int i = 0; i < samples; i++) {
    for (int k = 0; k < STEPS; k++) {
      const double a1 = load / J * sin(x), w2 = w + h / 2 * a1, a2 = load / J * sin(x + h / 2 * w);
      const double w3 = w + h / 2 * a2, a3 = load / J * sin(x + h / 2 * w2), w4 = w + h * a3;
      const double a4 = load / J * sin(x + h * w3);
      x += h / 6 * (w + 2 * w2 + 2 * w3 + w4);
      w += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    const double at[3] = {0, n, n / 2};
    out[i].t = (i + 1) * interval;
    out[i].angle = x;
    for (int p = 0; p < 3; p++) {
      out[i].point[p][0] = at[p] - sin(x);
      out[i].point[p][1] = cos(x);
      out[i].point[p][2] = 0;
    }
  }
}

static const double LINE_AT = 1.19;  // 1.2^2 - 0.5^2: long rods, short ones

void case_expected(const Case* c, const Linkage* l, Sample* out) {
  const int samples = case_samples(c);
  if (c->linkage > 0) {
    pendulum(c->linkage, samples, c->interval, out);
  } else if (c->linkage == PEAUCELLIER) {
    for (int i = 0; i < samples; i++) {
      const double psi = drive_angle((i + 1) * c->interval) + drive_angle_at_start();
      out[i].point[0][0] = LINE_AT;
      out[i].point[0][1] = LINE_AT * tan(psi / 2);
      out[i].point[0][2] = 0;
    }
  } else {
    reference_run(l, samples, c->interval, out);
  }
}

static double distance(const double* a, const double* b) {
  return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

// Energy of the start: of four-bars and Bricard's, the only ones judged by it
static double energy_at_start(const Case* c) {
  const int n = c->linkage;
  if (n > 0) return 0.5 * ((n + 1) / 3. + n) + 9.81 * ((n + 1) * 0.5 + n);
  return 9.81 * (0 + 0.5 + 1 + 1 + 0.5);
}

static double error_of(const Case* c, const Linkage* l, const Sample* is, const Sample* should) {
  double error = 0;
  switch (c->measure) {
    case ENERGY: return fabs(is->energy - energy_at_start(c));
    case ANGLE: return fabs(is->angle - should->angle);
    case LINE: return fabs(is->point[0][0] - LINE_AT);
    case POSITION:
      for (int p = 0; p < l->points; p++)
        error = fmax(error, distance(is->point[p], should->point[p]));
  }
  return error;
}

// How far it is from the right branch. Parallelograms stay such: their tips keep their distances,
// whatever the phase of the swing. The others are where they should be.
static double stray_of(const Case* c, const Linkage* l, const Sample* is, const Sample* should) {
  double stray = 0;
  for (int p = 0; p < l->points; p++) {
    if (c->linkage < 0) stray = fmax(stray, distance(is->point[p], should->point[p]));
    for (int k = 0; k < 2 && c->linkage > 0; k++) {
      const double apart = is->point[p][k] - is->point[0][k];
      const double right = should->point[p][k] - should->point[0][k];
      stray = fmax(stray, fabs(apart - right));
    }
  }
  return stray;
}

// On the branch: within a few per cent of the size of the mechanism. Bricard's rods are 1 m,
// Andrews' 0.03 m.
void case_judge(const Case* c, const Linkage* l, int i, int stride, const Sample* is,
                const Sample* should, Verdict* v) {
  const double allowed = c->linkage == ANDREWS ? 2e-3 : 0.05;
  const Sample* right = &should[(i + 1) * stride - 1];
  const double error = error_of(c, l, is, right);
  // written so that NaN counts
  if (!(error <= v->error)) v->error = error;
  if (!(stray_of(c, l, is, right) <= allowed)) v->branch = false;
}
