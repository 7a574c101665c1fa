// Closed loops against other engines: the same linkage in each, the cheapest setting of each that
// meets a bound on the error.
#pragma once
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { MAX_BODIES = 90, MAX_JOINTS = 130, MAX_POINTS = 3, MAX_SAMPLES = 400 };

// ---- linkage.c: bodies and revolute joints at the design position, ground axes; body -1 is ground
typedef struct Body {
  char name[24];
  double com[3], quat[4], mass, inertia[3];  // inertia: principal, in the axes of quat (w x y z)
} Body;

typedef struct Joint {
  char name[24];
  int a, b;  // parent, child
  double at[3];
  char axis;
  double speed, torque;  // initial, of b against a; on b
} Joint;

typedef struct Point {
  int body;
  double local[3];  // in the axes of quat, from the center of mass
} Point;

typedef struct Linkage {
  double gravity[3];
  int bodies, joints, points;
  Body body[MAX_BODIES];
  Joint joint[MAX_JOINTS];
  Point point[MAX_POINTS];  // points that are watched
  struct {
    bool on;
    double ground[3];
    Point end;
    double stiffness, length;
  } spring;
  bool driven;  // joint 0 turns by drive_angle(t) from its design position
} Linkage;

void linkage_four_bars(Linkage* l, int n);  // n parallelograms side by side (double four-bar: 2)
void linkage_andrews(Linkage* l);
void linkage_bricard(Linkage* l);
void linkage_peaucellier(Linkage* l);
// The joint that carries each body in the spanning tree; all others close loops.
void linkage_span(const Linkage* l, int* carrier);
bool linkage_is_planar(const Linkage* l);
double drive_angle(double t);  // from the design position
double drive_angle_at_start(void);

// ---- engines
typedef struct Sample {
  double t, energy;  // kinetic + potential [J], without the work of torques
  double angle;      // of joint 0 [rad], turns counted
  double point[MAX_POINTS][3];
} Sample;

// One setting of an engine: `method` counts its integrators and solvers, `fineness` steps in an
// interval between samples, or digits of tolerance.
typedef struct Setting {
  int method;
  double fineness;
} Setting;

typedef struct Engine {
  const char* name;
  int methods;
  bool lands;  // its steps end at every sample also when it chooses them: the fewer samples, the
               // better
  // Is `fineness` the number of steps between samples? Else digits.
  bool (*counts_steps)(int method);
  void (*describe)(Setting s, double interval, char* text, int size);
  // NULL: the engine cannot run it so.
  void* (*make)(const Linkage* l, Setting s, double interval);
  // Over interval i. False: it broke down.
  bool (*advance)(void* run, int i, double interval);
  void (*look)(void* run, Sample* out);
  void (*drop)(void* run);
} Engine;

// engine_hybrid: Sarrus too, implicit steps.
extern const Engine engine_ours, engine_hybrid, engine_mujoco, engine_ode, engine_simbody;

// Our own run at tight tolerance, by another formulation.
void reference_run(const Linkage* l, int samples, double interval, Sample* out);

#ifdef __cplusplus
}
#endif
