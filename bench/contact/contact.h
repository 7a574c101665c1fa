// Contact, friction and driven mechanisms against other engines: the same scene in each at the same
// step, what a step costs and how well it holds.
#pragma once
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { MAX_BOXES = 210, MAX_HINGES = 12 };

// ---- scenes.c: boxes and hinges at the start, ground axes; body -1 is ground
typedef struct Box {
  char name[16];
  double at[3], quat[4];  // of its center, which is the center of mass (w x y z)
  double size[3], mass;   // inertia: of a homogeneous box
  bool touches;           // other boxes that touch, and ground
} Box;

typedef enum Motor { NO_MOTOR, SPEED, ANGLE } Motor;

// What a motor follows, for engines that are told a number and for those that read a text.
typedef struct Target {
  double (*at)(double t);
  const char* text;
} Target;

typedef struct Hinge {
  char name[16];
  int a, b;     // parent, child; a parent's own hinge comes before those of its children
  bool closes;  // closes a loop: the tree is made of the others
  double at[3], axis[3];
  double friction, damping;  // [N m], [N m s/rad]
  Motor motor;
  Target target;
  double effort;  // the most that the motor gives [N m]; infinite: whatever it takes
} Hinge;

typedef struct Scene {
  const char* name;
  double gravity[3], step, end;  // [s]
  double settled;                // slip counts from here [s]
  double friction;
  bool floor;  // z = 0
  int boxes, hinges;
  Box box[MAX_BOXES];
  Hinge hinge[MAX_HINGES];
  int repeater[2];  // hinges of which the second has the angle of the first; both 0: none
  int held, hand;   // boxes: the one may not move in the other; both 0: none
  struct {
    int box;  // -1: none
    double local[3], x;
  } tracer;  // a point that stays where its x coordinate is
} Scene;

enum { SCENES = 5 };
void scene_make(int which, Scene* out);
static inline int scene_steps(const Scene* s) { return (int)(s->end / s->step + 0.5); }
void box_inertia(const Box* b, double* principal);
// Speed that brings a motor's hinge from `angle` to where it should be after the step.
double motor_speed(const Hinge* j, double t, double step, double angle);

// ---- engines
typedef struct Pose {
  double p[3], R[9];  // of a box's center; row by row, box to ground
} Pose;

// What a setting is set against, and how much faster Sarrus has to be: 0 for information only.
typedef struct Engine {
  const char* name;
  int settings;
  // False: this setting is not for this scene. `text` may be NULL.
  bool (*describe)(const Scene* s, int setting, char* text, int size);
  double (*wanted)(const Scene* s, int setting);
  void* (*make)(const Scene* s, int setting);
  bool (*step)(void* run);  // false: it broke down
  void (*look)(void* run, Pose* out);
  void (*drop)(void* run);
} Engine;

extern const Engine engine_ours, engine_ode, engine_bullet;

// ---- measure.c: what is wrong with a run, from the poses of its boxes alone
typedef struct Quality {
  double depth;  // deepest penetration of two boxes, or of one into the floor [m]
  double slip;   // horizontally since the scene had settled; of what is held: in the hand [m]
  double drift;  // largest gap in a hinge, lag of the repeater's finger, distance from the line [m]
  double tilt;   // of a box's vertical axis [rad]
  bool fell;
} Quality;

typedef struct Measure Measure;
Measure* measure_new(const Scene* s);
void measure_take(Measure* m, double t, const Pose* pose);
Quality measure_result(const Measure* m);
void measure_free(Measure* m);

#ifdef __cplusplus
}
#endif
