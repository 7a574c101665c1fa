// Where switching does not find what sticks (stiction.h), an interior-point method does
// (central_path.h): all coordinates that the law is about leave their active set, each with f = f*
// - g v of its own, and come back with another.
#pragma once
#include "formulations/implicit/stiction.h"

enum { SAR_PATIENCE = 4 };

// What the law is about: speeds of all, or accelerations of those at rest.
typedef struct SarJudged {
  const double* x;  // d->v or d->a
  bool at_rest;
} SarJudged;

// Leaves the active set: f* and g of the first interior point.
void sar_stiction_enter_path(SarStiction* p, const SarModel* m, SarData* d, SarJudged of);
// Where d was evaluated: those of the next, or the active set at the end.
void sar_stiction_follow_path(SarStiction* p, const SarModel* m, SarData* d, SarJudged of);

// ---- of stiction.c ----------------------------------------------------------------------------

bool sar_stiction_takes_part(const SarStiction* p, const SarModel* m, const SarData* d,
                             SarJudged of, int k);
// The component of x (d->v or d->a) that the file calls coordinate `dof`.
double sar_stiction_component(const SarModel* m, const SarData* d, const double* x, int dof);
// Most force in the direction `side`, at speed v.
double sar_stiction_most(const SarStiction* p, const SarModel* m, int k, int side, double v);
// Coordinate k slides, at speed v; sticks, with the force f.
void sar_stiction_slide(SarStiction* p, const SarModel* m, SarData* d, int k, int direction,
                        double v);
void sar_stiction_stick(SarStiction* p, SarData* d, int k, double f);
