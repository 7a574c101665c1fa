// The scenes: stack and pyramid of boxes, and the three mechanisms of the impulse paper. The paper
// gives no lengths and masses: those of Peaucellier's linkage are in the ratio 15 : 6 : 5, the
// others are ours.
#include "contact.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double G = 9.81;

static int add_box(Scene* s, const char* name, double x, double y, double z, double mass) {
  Box* b = &s->box[s->boxes];
  *b = (Box){.at = {x, y, z}, .quat = {1, 0, 0, 0}, .mass = mass};
  snprintf(b->name, sizeof b->name, "%s", name);
  return s->boxes++;
}

static void set_size(Scene* s, int i, double x, double y, double z) {
  const double size[3] = {x, y, z};
  memcpy(s->box[i].size, size, sizeof size);
}

static void turn(Scene* s, int i, char axis, double angle) {
  double* q = s->box[i].quat;
  q[0] = cos(angle / 2);
  q[1 + axis - 'x'] = sin(angle / 2);
}

static Hinge* add_hinge(Scene* s, const char* name, int a, int b, double x, double y, double z) {
  Hinge* j = &s->hinge[s->hinges++];
  *j = (Hinge){.a = a, .b = b, .at = {x, y, z}};
  snprintf(j->name, sizeof j->name, "%s", name);
  return j;
}

void box_inertia(const Box* b, double* principal) {
  for (int k = 0; k < 3; k++) {
    const double u = b->size[(k + 1) % 3], w = b->size[(k + 2) % 3];
    principal[k] = b->mass * (u * u + w * w) / 12;
  }
}

double motor_speed(const Hinge* j, double t, double step, double angle) {
  return j->motor == SPEED ? j->target.at(t + step) : (j->target.at(t + step) - angle) / step;
}

// ---- boxes of 0.1 m and 1 kg
static const double SIDE = 0.1;

static void add_brick(Scene* s, double x, double z) {
  char name[16];
  snprintf(name, sizeof name, "box%d", s->boxes);
  const int i = add_box(s, name, x, 0, z, 1);
  set_size(s, i, SIDE, SIDE, SIDE);
  s->box[i].touches = true;
}

static void bricks(Scene* s, const char* name, double end) {
  *s = (Scene){.name = name, .gravity = {0, 0, -G}, .step = 5e-3, .end = end, .settled = 2};
  s->friction = 0.6;
  s->floor = true;
  s->tracer.box = -1;
}

static void stack(Scene* s) {
  bricks(s, "stack of 10 boxes", 60);
  for (int i = 0; i < 10; i++) add_brick(s, 0, SIDE * (i + 0.5));
}

// Each box rests on two of the row below; those of a row are apart by a tenth of their size.
static void pyramid(Scene* s) {
  enum { ROWS = 20 };
  bricks(s, "pyramid of 20 rows", 6);
  for (int row = 0; row < ROWS; row++)
    for (int i = 0; i < ROWS - row; i++)
      add_brick(s, 1.1 * SIDE * (i - 0.5 * (ROWS - 1 - row)), SIDE * (row + 0.5));
}

// ---- five links from a column, at first level
static void chain(Scene* s) {
  static const double LENGTH = 0.2, WIDTH = 0.05;
  char name[16];
  *s = (Scene){.name = "five-link chain", .gravity = {0, 0, -G}, .step = 1e-2, .end = 20};
  s->tracer.box = -1;
  for (int i = 0; i < 5; i++) {
    snprintf(name, sizeof name, "link%d", i + 1);
    set_size(s, add_box(s, name, LENGTH * (i + 0.5), 0, 0, 0.5), LENGTH, WIDTH, WIDTH);
    snprintf(name, sizeof name, "hinge%d", i + 1);
    Hinge* j = add_hinge(s, name, i - 1, i, LENGTH * i, 0, 0);
    j->axis[1] = 1;
    j->friction = 0.05;
    j->damping = 0.01;
  }
}

// ---- Peaucellier and Lipkin's linkage, the crank swings by 40 degrees, at most 1 rad/s
static const double SWING = 0.69813170079773183;
static double crank_angle(double t) { return SWING * sin(t / SWING); }

static int add_rod(Scene* s, const char* name, double x0, double y0, double x1, double y1) {
  static const double SECTION = 0.01;
  const double length = hypot(x1 - x0, y1 - y0);
  const int i = add_box(s, name, (x0 + x1) / 2, (y0 + y1) / 2, 0, length);  // 1 kg/m
  set_size(s, i, length, SECTION, SECTION);
  turn(s, i, 'z', atan2(y1 - y0, x1 - x0));
  return i;
}

static void join(Scene* s, const char* name, int a, int b, double x, double y, bool closes) {
  Hinge* j = add_hinge(s, name, a, b, x, y, 0);
  j->axis[2] = 1;
  j->closes = closes;
}

static void peaucellier(Scene* s) {
  static const double ARM = 0.15, SIDE_OF_RHOMBUS = 0.06, CRANK = 0.05;
  *s = (Scene){.name = "Peaucellier linkage", .gravity = {0, -G, 0}, .step = 1e-2, .end = 20};
  // the crank lies on the x axis: |OP| = p; A and B are at +-y; |OP| |OR| = arm^2 - side^2
  const double p = 2 * CRANK, power = ARM * ARM - SIDE_OF_RHOMBUS * SIDE_OF_RHOMBUS, r = power / p;
  const double x = (p + r) / 2, y = sqrt(ARM * ARM - x * x);
  const int crank = add_rod(s, "crank", CRANK, 0, p, 0);
  const int oa = add_rod(s, "OA", 0, 0, x, y), ob = add_rod(s, "OB", 0, 0, x, -y);
  const int ap = add_rod(s, "AP", x, y, p, 0), ar = add_rod(s, "AR", x, y, r, 0);
  const int bp = add_rod(s, "BP", x, -y, p, 0), br = add_rod(s, "BR", x, -y, r, 0);
  join(s, "Q", -1, crank, CRANK, 0, false);
  join(s, "O1", -1, oa, 0, 0, false);
  join(s, "O2", -1, ob, 0, 0, false);
  join(s, "A1", oa, ap, x, y, false);
  join(s, "A2", oa, ar, x, y, false);
  join(s, "B1", ob, bp, x, -y, false);
  join(s, "B2", ob, br, x, -y, false);
  join(s, "P1", crank, ap, p, 0, true);
  join(s, "P2", crank, bp, p, 0, true);
  join(s, "R", ar, br, r, 0, true);
  s->hinge[0].motor = ANGLE;
  s->hinge[0].target = (Target){crank_angle, "40 deg * sin(t / (40 deg))"};
  s->hinge[0].effort = HUGE_VAL;
  s->tracer.box = ar;
  s->tracer.local[0] = SIDE_OF_RHOMBUS / 2;
  s->tracer.x = r;
}

// ---- gripper: an arm of three hinges takes a cube from the floor, lifts it and swings it
static double cubic(double t, double t0, double t1) {
  const double x = fmin(fmax((t - t0) / (t1 - t0), 0), 1);
  return x * x * (3 - 2 * x);
}
static double shoulder_angle(double t) { return -0.3 * cubic(t, 1, 2); }
static double elbow_angle(double t) { return 0.2 * cubic(t, 1, 2) * sin(3 * t); }
static double wrist_angle(double t) { return -shoulder_angle(t) - elbow_angle(t); }
static double closing_speed(double t) {
  (void)t;
  return 1;
}
#define LIFT "0.3 * smoothstep(t, 1, 0, 2, 1)"
#define WAVE "0.2 * smoothstep(t, 1, 0, 2, 1) * sin(3 * t)"

static void drive(Hinge* j, double axis, Motor motor, Target target, double effort) {
  j->axis[1] = axis;
  j->motor = motor;
  j->target = target;
  j->effort = effort;
}

// The hand weighs 0.4 kg with its fingers, the cube half of that.
static void gripper(Scene* s) {
  static const double WRIST[3] = {0.4, 0, 0.13}, REACH = 0.3, FINGER = 0.08, OPEN = 0.15;
  const double up = sqrt(REACH * REACH - WRIST[0] * WRIST[0] / 4), slope = atan2(up, WRIST[0] / 2);
  const double knuckle = WRIST[2] - 0.04;
  *s = (Scene){.name = "gripper", .gravity = {0, 0, -G}, .step = 1e-2, .end = 10, .settled = 2.5};
  s->friction = 0.6;
  s->floor = true;
  s->tracer.box = -1;
  const int upper = add_box(s, "upper", WRIST[0] / 4, 0, WRIST[2] + up / 2, 1);
  const int lower = add_box(s, "lower", WRIST[0] * 3 / 4, 0, WRIST[2] + up / 2, 0.8);
  const int palm = add_box(s, "palm", WRIST[0], 0, WRIST[2] - 0.02, 0.2);
  set_size(s, upper, REACH, 0.03, 0.03);
  set_size(s, lower, REACH, 0.03, 0.03);
  set_size(s, palm, 0.08, 0.04, 0.04);
  turn(s, upper, 'y', -slope);
  turn(s, lower, 'y', slope);
  const double limit = 100;
  drive(add_hinge(s, "shoulder", -1, upper, 0, 0, WRIST[2]), 1, ANGLE,
        (Target){shoulder_angle, "-(" LIFT ")"}, limit);
  drive(add_hinge(s, "elbow", upper, lower, WRIST[0] / 2, 0, WRIST[2] + up), 1, ANGLE,
        (Target){elbow_angle, WAVE}, limit);
  drive(add_hinge(s, "wrist", lower, palm, WRIST[0], 0, WRIST[2]), 1, ANGLE,
        (Target){wrist_angle, LIFT " - " WAVE}, limit);
  // fingers turn about mirrored axes, and lie flat on the cube when they hang down
  for (int side = -1; side <= 1; side += 2) {
    const double x = WRIST[0] + side * 0.03, c = FINGER / 2;
    const int i = add_box(s, side < 0 ? "left" : "right", x + side * c * sin(OPEN), 0,
                          knuckle - c * cos(OPEN), 0.1);
    set_size(s, i, 0.01, 0.03, FINGER);
    turn(s, i, 'y', -side * OPEN);
    s->box[i].touches = true;
    s->repeater[side > 0] = s->hinges;
    add_hinge(s, side < 0 ? "knuckle1" : "knuckle2", palm, i, x, 0, knuckle)->axis[1] = side;
  }
  drive(&s->hinge[s->repeater[0]], -1, SPEED, (Target){closing_speed, "1"}, 1);
  const int cube = add_box(s, "cube", WRIST[0], 0, 0.025, 0.2);
  set_size(s, cube, 0.05, 0.05, 0.05);
  s->box[cube].touches = true;
  s->held = cube;
  s->hand = palm;
}

void scene_make(int which, Scene* out) {
  static void (*const MAKE[SCENES])(Scene*) = {stack, pyramid, chain, peaucellier, gripper};
  MAKE[which](out);
}
