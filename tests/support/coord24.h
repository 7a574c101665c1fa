// Two stacked three-crank parallelograms in absolute planar coordinates: 8 bodies x 3 coordinates,
// 12 revolute joints x 2 equations, rank 22. A linkage of the size of the one in de Falco et al.
// 2008, whose data are not published.
//
// Stage 1: three cranks (1 m, 1 kg) on ground at x = 0, 1, 2 carry a coupler (2 m, 2 kg); stage 2:
// three cranks (0.8 m, 0.8 kg) on that coupler at x = -0.75, 0, 0.75 carry another (1.5 m, 1.5 kg).
// Uniform bars. a1, a2: angles of the cranks from hanging.
#pragma once
#include <math.h>
#include <string.h>

enum { COORD24_BODIES = 8, COORD24_JOINTS = 12, COORD24 = 24, COORD24_RANK = 22 };

typedef struct Coord24 {
  double M[COORD24 * COORD24], Psi[COORD24 * COORD24], gamma[COORD24], F[COORD24];
} Coord24;

static const double coord24_mass[COORD24_BODIES] = {1, 1, 1, 2, 0.8, 0.8, 0.8, 1.5};
static const double coord24_length[COORD24_BODIES] = {1, 1, 1, 2, 0.8, 0.8, 0.8, 1.5};
static const double coord24_gravity = 9.81;

typedef struct Coord24Joint {
  int a, b;  // bodies, -1 ground
  double ra[2], rb[2];
} Coord24Joint;

static const Coord24Joint coord24_joint[COORD24_JOINTS] = {
    {-1, 0, {0, 0}, {0, 0.5}},    {0, 3, {0, -0.5}, {-1, 0}},    {-1, 1, {1, 0}, {0, 0.5}},
    {1, 3, {0, -0.5}, {0, 0}},    {-1, 2, {2, 0}, {0, 0.5}},     {2, 3, {0, -0.5}, {1, 0}},
    {3, 4, {-0.75, 0}, {0, 0.4}}, {4, 7, {0, -0.4}, {-0.75, 0}}, {3, 5, {0, 0}, {0, 0.4}},
    {5, 7, {0, -0.4}, {0, 0}},    {3, 6, {0.75, 0}, {0, 0.4}},   {6, 7, {0, -0.4}, {0.75, 0}},
};

// Coordinates q and rates v of all bodies (x, y, angle of each) at angles a and rates da of the
// cranks; couplers stay level.
static inline void coord24_pose(const double a[2], const double da[2], double* q, double* v) {
  double base[2] = {0, 0}, speed[2] = {0, 0};  // where the stage stands: the middle of its pivots
  base[0] = 1;
  for (int stage = 0; stage < 2; stage++) {
    double l = stage ? 0.8 : 1, c = cos(a[stage]), d = sin(a[stage]), spread = stage ? 0.75 : 1;
    for (int k = 0; k < 3; k++) {
      double *x = &q[3 * (4 * stage + k)], *u = &v[3 * (4 * stage + k)];
      x[0] = base[0] + (k - 1) * spread + l / 2 * d, x[1] = base[1] - l / 2 * c, x[2] = a[stage];
      u[0] = speed[0] + l / 2 * c * da[stage], u[1] = speed[1] + l / 2 * d * da[stage];
      u[2] = da[stage];
    }
    base[0] += l * d, base[1] -= l * c;
    speed[0] += l * c * da[stage], speed[1] += l * d * da[stage];
    double *x = &q[3 * (4 * stage + 3)], *u = &v[3 * (4 * stage + 3)];
    x[0] = base[0], x[1] = base[1], x[2] = 0;
    u[0] = speed[0], u[1] = speed[1], u[2] = 0;
  }
}

// Psi and gamma of one end of a joint: sign times the point r of the body.
static inline void coord24_end(Coord24* s, int row, int body, const double r[2], double sign,
                               const double* q, const double* v) {
  if (body < 0) return;
  double c = cos(q[3 * body + 2]), d = sin(q[3 * body + 2]), rate = v[3 * body + 2];
  double x = c * r[0] - d * r[1], y = d * r[0] + c * r[1];  // r in ground axes
  double *top = &s->Psi[row * COORD24 + 3 * body], *bottom = top + COORD24;
  top[0] = sign, top[2] = -sign * y;
  bottom[1] = sign, bottom[2] = sign * x;
  s->gamma[row] += sign * x * rate * rate;
  s->gamma[row + 1] += sign * y * rate * rate;
}

// M, Psi, gamma and F; q need not satisfy the constraints.
static inline void coord24_assemble(Coord24* s, const double* q, const double* v) {
  memset(s, 0, sizeof *s);
  for (int b = 0; b < COORD24_BODIES; b++) {
    double mass = coord24_mass[b], length = coord24_length[b];
    for (int k = 0; k < 3; k++)
      s->M[(3 * b + k) * (COORD24 + 1)] = k < 2 ? mass : mass * length * length / 12;
    s->F[3 * b + 1] = -mass * coord24_gravity;
  }
  for (int j = 0; j < COORD24_JOINTS; j++) {
    const Coord24Joint* joint = &coord24_joint[j];
    coord24_end(s, 2 * j, joint->a, joint->ra, -1, q, v);
    coord24_end(s, 2 * j, joint->b, joint->rb, 1, q, v);
  }
}

static inline void coord24_assemble_at(Coord24* s, const double a[2], const double da[2]) {
  double q[COORD24], v[COORD24];
  coord24_pose(a, da, q, v);
  coord24_assemble(s, q, v);
}

// The same accelerations by the equations of a double pendulum, which the linkage is: the truth.
static inline void coord24_minimal(const double a[2], const double da[2], double dda[2]) {
  const double l1 = 1, l2 = 0.8, crank1 = 3 * 1, crank2 = 3 * 0.8, coupler1 = 2, coupler2 = 1.5;
  double carried = coupler1 + crank2 + coupler2, h = (crank2 / 2 + coupler2) * l2;
  double M11 = crank1 * l1 * l1 / 3 + carried * l1 * l1;
  double M22 = crank2 * l2 * l2 / 3 + coupler2 * l2 * l2, M12 = h * l1 * cos(a[0] - a[1]);
  double s = h * l1 * sin(a[0] - a[1]), g = coord24_gravity;
  double b1 = -g * (crank1 / 2 + carried) * l1 * sin(a[0]) - s * da[1] * da[1];
  double b2 = -g * h * sin(a[1]) + s * da[0] * da[0];
  double det = M11 * M22 - M12 * M12;
  dda[0] = (M22 * b1 - M12 * b2) / det, dda[1] = (M11 * b2 - M12 * b1) / det;
}

// Instants of the motion from rest at 60 and 45 degrees, by an independent integration of those
// equations.
typedef struct Coord24Instant {
  double t, a[2], da[2];
} Coord24Instant;

static const Coord24Instant coord24_motion[] = {
    {0, {1.0471975511965976, 0.7853981633974483}, {0, 0}},
    {0.5, {0.10594895409, 0.684015931521}, {-2.22118600887, -3.19006316717}},
    {1, {-0.625516169795, -1.35982153317}, {-1.54536830787, -1.13659461696}},
    {1.5, {-0.747353542273, -0.892190130924}, {1.30839614755, 2.14106384143}},
    {2, {0.357883494866, 0.38500407816}, {2.23273880184, 2.78713339353}},
    {2.5, {0.851027600007, 1.3820378052}, {-0.484600980271, 0.765073330713}},
    {3, {0.218717810073, 0.339068644087}, {-1.03383769136, -5.63663321505}},
    {3.5, {-0.832538214716, -0.847305657916}, {-2.01861808563, 0.63014419611}},
    {4, {-0.621698200036, -0.990496644591}, {2.4534802611, -0.300532765344}},
    {4.5, {0.276325250971, 0.795773672072}, {1.40975884903, 4.47089463152}},
    {5, {0.901255732891, 1.21024513982}, {0.0815364863219, -1.40961754048}},
};
enum { COORD24_INSTANTS = sizeof coord24_motion / sizeof *coord24_motion };
