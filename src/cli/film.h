// A run, kept for a picture: where all parts are at several instants, and the paths of points.
#pragma once
#include "cli/simulate.h"
#include "output/scene.h"

enum { FILM_MOST_POSES = 60, FILM_MOST_TRACES = 12 };

typedef struct FilmPose {
  double t;
  SarPlaced* placed;  // one for each part
  SarArrow* arrow;
  int arrows;
  Xform* poses;  // of the bodies
} FilmPose;

typedef struct FilmTrace {
  const char* name;
  int body;  // of the tree; -1: ground
  V3 point;  // in B
  V3* at;    // frames of them
} FilmTrace;

typedef struct FilmOptions {
  int poses;           // at equal distances of time
  const double* at;    // or at these times, rising
  int at_count;        // 0: not given
  const char* traces;  // names of points or bodies, comma-separated; NULL: the default; "none"
  double end;          // of the run; 0: the model file's, or the last of the times
} FilmOptions;

typedef struct Film {
  SarArena arena;
  const SarModel* m;
  SarScene* scene;
  SarData* last;  // a copy of the state at the end
  FilmPose pose[FILM_MOST_POSES];
  int poses;
  FilmTrace trace[FILM_MOST_TRACES];
  int traces;
  double* time;  // of the frames
  int frames;
} Film;

// Runs the model; messages go to stderr. An exit status; film_free in any case.
int film_shoot(const SarModel* m, const SimulateJob* job, const FilmOptions* o, Film* film);
void film_free(Film* film);
