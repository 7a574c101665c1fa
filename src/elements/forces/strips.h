// What the parts of strips (strips.c) share: attributes, Gauss points with the sections there, the
// flow about them. Included by these files alone.
#pragma once
#include "elements/aero/section.h"
#include "elements/aero/wake.h"
#include "elements/forces/rotorcraft.h"
#include "elements/forces/tangent.h"

#include <string.h>

enum {
  BODY,
  SPAN,
  LEAD,
  UP,
  ROOT,
  TIP,
  CHORD,
  TWIST,
  CENTRE,
  AIRFOIL,
  ROTOR,
  POINTS,
  PANELS,
  LIFT,
  YAW,
  TIP_LOSS,
  SHARE
};
enum { QUASI_STEADY, STEADY, UNSTEADY };
enum { MOST_POINTS = 16, MOST_PANELS = 50, MOST_UNSTEADY = 32 };

// Constants: one SarStation for each Gauss point, in B of the body.
typedef struct SarStation {
  V3 p;                        // aerodynamic centre
  V3 flow;                     // where the velocity counts
  V3 e[3];                     // axes of the section
  double chord, weight, lift;  // weight: length of span
  double r;
} SarStation;
_Static_assert(sizeof(SarStation) % sizeof(double) == 0, "stations are numbers");
enum { STATION = sizeof(SarStation) / sizeof(double) };

// What all stations of an element share, in B.
typedef struct SarStripsFlow {
  int airfoil;
  SarYaw yaw;
  double density, sound;
  Motion V;
  V3 wind;
  bool induced;
  V3 hub, axis, slope;  // of the inflow
  double mean;
  const double* wake;  // states of all stations; NULL: lift is not delayed
} SarStripsFlow;

static inline double strips_number(const SarModel* m, int force, int attr) {
  return m->attr_data[sar_force_attr(m, force, attr)->adr];
}

// Where shares have a table, the pieces between its rows are integrated one by one.
static inline int strips_pieces(const SarModel* m, int force) {
  const int rows = sar_force_attr(m, force, SHARE)->index;
  return rows < 2 ? 1 : rows - 1;
}

static inline int strips_count(const SarModel* m, int force) {
  return (int)strips_number(m, force, POINTS) * (int)strips_number(m, force, PANELS) *
         strips_pieces(m, force);
}

// What an element leaves in force_cache: the loads, then those of its stations with their slopes,
// where the last evaluation asked for them.
typedef struct SarStripsCache {
  SarStripsLoad load;
  double sloped;  // 1: it did
} SarStripsCache;
_Static_assert(sizeof(SarStripsCache) % sizeof(double) == 0, "caches are numbers");

static inline SarStripsCache* strips_cache(const SarModel* m, SarData* d, int force) {
  return (SarStripsCache*)(void*)&d->force_cache[m->force_cache_adr[force]];
}
static inline SarSectionLoad* strips_kept_loads(SarStripsCache* c) {
  return (SarSectionLoad*)(void*)(c + 1);
}

static inline const SarStation* strips_stations(const SarModel* m, int force) {
  return (const SarStation*)(const void*)sar_force_constants(m, force);
}

// Where the span axis begins, in B.
static inline V3 strips_root(const SarModel* m, int strips) {
  return v3_load(&m->attr_data[sar_force_attr(m, strips, BODY)->adr]);
}

// ---- sections along the span (strips_stations.c) ------------------------------------------------

// False: the directions of the file are in line.
bool strips_axes_of(const SarModel* m, int force, V3 axes[3], V3* span);
int strips_constants(const SarModel* m, int force);
void strips_prepare(const SarModel* m, int force, double* to);
void strips_look(const SarModel* m, int force, SarForceLook* out);
void strips_section(const SarModel* m, int force, int i, V3 edge[2], V3* half);

// ---- loads (strips_flow.c) ----------------------------------------------------------------------

// In the inflow of its rotor, if it has one.
SarStripsFlow strips_flow(const SarModel* m, const SarData* d, int force);
// field: of the rotor; NULL: none.
SarStripsFlow strips_flow_of(const SarModel* m, const SarData* d, int force,
                             const SarInflowField* field);
// Velocity against the air along the axes of the section.
void strips_velocity(const SarStripsFlow* f, const SarStation* s, double v123[3]);
// i: which of the stations; slopes are by the velocity, wakes held.
void strips_station_load(const SarModel* m, const SarStripsFlow* f, const SarStation* s, int i,
                         bool slopes, SarSectionLoad* out);
int strips_cache_size(const SarModel* m, int force);
// f += force, n += moment about the origin of B, of the loads by axes
void strips_add_load(const SarStation* s, const double F[4], double weight, V3* f, V3* n);

// ---- wakes (strips_flow.c), derivatives (strips_slopes.c): contracts of SarForceKind ------------

int strips_states(const SarModel* m, int force);
const char* strips_state_name(const SarModel* m, int force, int state);
void strips_start(const SarModel* m, SarData* d, int force);
void strips_rates(const SarModel* m, SarData* d, int force, double* partial);
void strips_vary(const SarModel* m, SarData* d, SarVariation* x, int force);
void strips_tangent(const SarModel* m, SarData* d, int force, SarBodyTangent* out);
void strips_loaded_tangent(const SarModel* m, SarData* d, int force, SarBodyTangent* out, Force* W);
