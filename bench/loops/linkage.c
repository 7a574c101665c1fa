// The linkages of the benchmark: data of tests/models/reference, where their sources are named.
#include "loops.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

void linkage_span(const Linkage* l, int* carrier) {
  for (int i = 0; i < l->bodies; i++) carrier[i] = -1;
  for (bool more = true; more;) {
    more = false;
    for (int i = 0; i < l->joints; i++) {
      const Joint* j = &l->joint[i];
      if (j->b < 0 || carrier[j->b] >= 0 || (j->a >= 0 && carrier[j->a] < 0)) continue;
      carrier[j->b] = i;
      more = true;
    }
  }
}

bool linkage_is_planar(const Linkage* l) {
  for (int i = 0; i < l->joints; i++)
    if (l->joint[i].axis != 'z') return false;
  return true;
}

static int add_body(Linkage* l, const char* name, double x, double y, double angle, double mass,
                    double across, double along) {
  Body* b = &l->body[l->bodies];
  *b = (Body){.com = {x, y, 0}, .quat = {cos(angle / 2), 0, 0, sin(angle / 2)}, .mass = mass};
  b->inertia[0] = along;
  b->inertia[1] = b->inertia[2] = across;
  snprintf(b->name, sizeof b->name, "%s", name);
  return l->bodies++;
}

static Joint* add_joint(Linkage* l, const char* name, int a, int b, double x, double y) {
  Joint* j = &l->joint[l->joints++];
  *j = (Joint){.a = a, .b = b, .at = {x, y, 0}, .axis = 'z'};
  snprintf(j->name, sizeof j->name, "%s", name);
  return j;
}

static void watch(Linkage* l, int body, double x, double y, double z) {
  l->point[l->points++] = (Point){body, {x, y, z}};
}

// a uniform rod from (x0, y0) to (x1, y1)
static int add_rod(Linkage* l, const char* name, double x0, double y0, double x1, double y1,
                   double mass, double radius) {
  double dx = x1 - x0, dy = y1 - y0, square = dx * dx + dy * dy;
  return add_body(l, name, (x0 + x1) / 2, (y0 + y1) / 2, atan2(dy, dx), mass,
                  mass * (square / 12 + radius * radius / 4), mass * radius * radius / 2);
}

void linkage_four_bars(Linkage* l, int n) {
  char name[24];
  *l = (Linkage){.gravity = {0, -9.81, 0}};
  for (int i = 0; i <= n; i++) {
    snprintf(name, sizeof name, "crank%d", i);
    add_body(l, name, i, 0.5, PI / 2, 1, 1. / 12, 1. / 120);
  }
  for (int i = 1; i <= n; i++) {
    snprintf(name, sizeof name, "coupler%d", i);
    add_body(l, name, i - 0.5, 1, 0, 1, 1. / 12, 1. / 120);
  }
  for (int i = 0; i <= n; i++) {
    snprintf(name, sizeof name, "G%d", i);
    add_joint(l, name, -1, i, i, 0)->speed = -1;
  }
  for (int i = 1; i <= n; i++) {
    snprintf(name, sizeof name, "L%d", i);
    add_joint(l, name, i - 1, n + i, i - 1, 1)->speed = 1;
    snprintf(name, sizeof name, "R%d", i);
    add_joint(l, name, i, n + i, i, 1)->speed = 1;
  }
  watch(l, 0, 0.5, 0, 0);
  watch(l, n, 0.5, 0, 0);
  watch(l, n / 2, 0.5, 0, 0);
}

// Andrews' squeezing mechanism (Hairer and Wanner 1996, sec. VII.7)
void linkage_andrews(Linkage* l) {
  // clang-format off
  static const struct { double x, y, c, s, mass, inertia; } body[7] = {
      {0.0009182485980307614, -5.674074562905483e-05, 0.9995239622458657, -0.03085204849479702, 0.04325, 2.194e-06},
      {-0.0044914333599330725, 0.0002775362557942899, 0.9995239622458657, -0.03085204849479702, 0.00365, 4.41e-07},
      {-0.018742186670315457, 0.020485106789073934, 0.9742017304021154, 0.22567895001865834, 0.02373, 5.255e-06},
      {-0.030222939830158887, 0.012071182356663938, 0.9376406891940403, 0.34760600968298166, 0.00706, 5.667e-07},
      {-0.05323682815570414, 0.016631847966616306, 0.9704560533208088, 0.24127794879142972, 0.0705, 1.169e-05},
      {-0.028543268536783597, -0.010722254707252287, 0.8756870468531347, 0.48287906971998273, 0.00706, 5.667e-07},
      {-0.059262402801791715, -0.010600698332712844, 0.8166154899056267, 0.5771820697545907, 0.05498, 1.912e-05}};
  static const struct { int a, b; double x, y; } joint[10] = {
      {-1, 0, 0, 0}, {0, 1, 0.006986674115451445, -0.0004317230645688955},
      {1, 2, -0.020960022346354336, 0.0012951691937066864}, {-1, 2, -0.03635, 0.03273},
      {1, 3, -0.020960022346354336, 0.0012951691937066864}, {3, 4, -0.03399720388583998, 0.01646197167499768},
      {-1, 4, -0.06934, -0.00227}, {1, 5, -0.020960022346354336, 0.0012951691937066864},
      {5, 6, -0.03163313450740889, -0.015618868668304536}, {-1, 6, -0.06934, -0.00227}};
  // clang-format on
  char name[16];
  *l = (Linkage){0};
  for (int i = 0; i < 7; i++) {
    snprintf(name, sizeof name, "K%d", i + 1);
    add_body(l, name, body[i].x, body[i].y, 2 * atan2(body[i].s, body[i].c), body[i].mass,
             body[i].inertia, body[i].inertia);
  }
  for (int i = 0; i < 10; i++) {
    snprintf(name, sizeof name, "J%d", i);
    add_joint(l, name, joint[i].a, joint[i].b, joint[i].x, joint[i].y);
  }
  l->joint[0].torque = 0.033;
  l->spring.on = true;
  l->spring.ground[0] = 0.014;
  l->spring.ground[1] = 0.072;
  l->spring.end = (Point){2, {0.00957, 0.00074, 0}};
  l->spring.stiffness = 4530;
  l->spring.length = 0.07785;
  watch(l, 2, 0.00957, 0.00074, 0);
}

// Bricard's six-bar on the edges of the unit cube
void linkage_bricard(Linkage* l) {
  static const double h = 0.7071067811865476;
  static const double com[5][3] = {{.5, 0, 0}, {1, .5, 0}, {1, 1, .5}, {.5, 1, 1}, {0, .5, 1}};
  const double quat[5][4] = {
      {1, 0, 0, 0}, {h, 0, 0, h}, {.5, -.5, -.5, -.5}, {0, 0, 0, 1}, {h, 0, 0, -h}};
  static const double at[6][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {1, 1, 1}, {0, 1, 1}, {0, 0, 1}};
  char name[16];
  *l = (Linkage){.gravity = {0, -9.81, 0}};
  for (int i = 0; i < 5; i++) {
    snprintf(name, sizeof name, "L%d", i + 1);
    add_body(l, name, 0, 0, 0, 1, 0.08343333333333333, 0.0002);
    memcpy(l->body[i].com, com[i], sizeof com[i]);
    memcpy(l->body[i].quat, quat[i], sizeof quat[i]);
  }
  for (int i = 0; i < 6; i++) {
    snprintf(name, sizeof name, "R%d", i + 1);
    Joint* j = add_joint(l, name, i - 1, i < 5 ? i : -1, 0, 0);
    memcpy(j->at, at[i], sizeof at[i]);
    j->axis = "yzxyzx"[i];
  }
  watch(l, 1, 0.5, 0, 0);
  watch(l, 2, 0.5, 0, 0);
}

static const double SWING = 1.0471975511965977462;  // pi / 3

double drive_angle(double t) { return SWING * (1 - cos(PI * t)); }
double drive_angle_at_start(void) { return -SWING; }

// Peaucellier and Lipkin's linkage: long rods 1.2 m, short ones 0.5 m, crank 0.5 m about (0.5, 0),
// at the crank angle -pi/3 where its motion begins
void linkage_peaucellier(Linkage* l) {
  const double psi = -SWING, ax = 0.5 + 0.5 * cos(psi), ay = 0.5 * sin(psi);
  const double line = 1.2 * 1.2 - 0.5 * 0.5;  // |OA| |OD|: D moves on x = line
  const double dx = line, dy = line * ay / ax;
  // B and C: on both sides of the middle of A and D
  const double mx = (ax + dx) / 2, my = (ay + dy) / 2, far = hypot(mx, my);
  const double up = sqrt(1.2 * 1.2 - far * far), nx = -my / far * up, ny = mx / far * up;
  const double bx = mx + nx, by = my + ny, cx = mx - nx, cy = my - ny, radius = 0.0115470053837925;
  *l = (Linkage){.gravity = {9.81, 0, 0}, .driven = true};
  int crank = add_rod(l, "crank", 0.5, 0, ax, ay, 0.5, radius);
  int ob = add_rod(l, "OB", 0, 0, bx, by, 1.2, radius),
      oc = add_rod(l, "OC", 0, 0, cx, cy, 1.2, radius);
  int ab = add_rod(l, "AB", ax, ay, bx, by, 0.5, radius);
  int ac = add_rod(l, "AC", ax, ay, cx, cy, 0.5, radius);
  int db = add_rod(l, "DB", dx, dy, bx, by, 0.5, radius);
  int dc = add_rod(l, "DC", dx, dy, cx, cy, 0.5, radius);
  add_joint(l, "Q", -1, crank, 0.5, 0);
  add_joint(l, "O1", -1, ob, 0, 0);
  add_joint(l, "O2", -1, oc, 0, 0);
  add_joint(l, "A1", crank, ab, ax, ay);
  add_joint(l, "A2", crank, ac, ax, ay);
  add_joint(l, "B1", ob, ab, bx, by);
  add_joint(l, "B2", ob, db, bx, by);
  add_joint(l, "C1", oc, ac, cx, cy);
  add_joint(l, "C2", oc, dc, cx, cy);
  add_joint(l, "D", db, dc, dx, dy);
  watch(l, db, -0.25, 0, 0);
}
