// Heaps of mixed solids in a room, by Sarrus and by Bullet as it comes, in the same run.
#pragma once
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { MAX_SOLIDS = 2000 };
typedef enum Kind { BOX, SPHERE, CAPSULE } Kind;

typedef struct Solid {
  Kind kind;
  double at[3], quat[4];  // w x y z
  double size[3];         // edges; radius; radius and length between the centres, along z
  double mass, inertia[3];
} Solid;

typedef struct Heap {
  int solids;
  double room;  // edge of its square floor, around the origin [m]
  double step, friction;
  Solid solid[MAX_SOLIDS];
} Heap;

typedef struct HeapEngine {
  const char* name;
  void* (*make)(const Heap* s);
  bool (*step)(void* run);
  void (*look)(void* run, double (*at)[3]);
  void (*drop)(void* run);
} HeapEngine;

extern const HeapEngine heap_sarrus, heap_bullet;

#ifdef __cplusplus
}
#endif
