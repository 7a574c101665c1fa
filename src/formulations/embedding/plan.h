// What `embedding` knows of its loops before a run (loops/loops.h), and Newton's method loop by
// loop.
#pragma once
#include "formulations/partitioning.h"
#include "loops/loops.h"

typedef enum SarEmbeddingKinematics {
  SAR_KINEMATICS_TRIANGULAR,
  SAR_KINEMATICS_BLOCK,
  SAR_KINEMATICS_NEWTON,
  SAR_KINEMATICS_NEWTON_ALL
} SarEmbeddingKinematics;

// Chooses coordinates that let loops decouple, where the file's own initial position is, so that
// the plan does not depend on the state; *flow: NULL if none is needed, else column: nv, the
// coordinates, dependent ones first. SAR_NOT_OFFERED: "triangular" is asked for, and a loop is not.
SarStatus sar_embedding_plan(SarSim* s, const double* unit, SarEmbeddingKinematics* how,
                             SarLoopFlow** flow, int* column, SarError* err);
// The flow that kinematics 'block' would have, for any simulation of a model with holonomic
// constraints; *flow: NULL if there are none. Free it.
SarStatus sar_embedding_flow_new(SarSim* s, SarLoopFlow** flow);
// The flow of a simulation whose formulation is `embedding`; NULL: none was planned.
const SarLoopFlow* sar_embedding_flow(const SarSim* s);
// Are the coordinates of the run still those of its flow? Where those run out, others are chosen.
bool sar_embedding_follows(const SarSim* s);
// Names of coordinates, for messages and lists.
void sar_embedding_dof_name(const SarModel* m, int dof, char* out, size_t size);

// d->q of the dependent coordinates, block after block; A: room for the square of the largest
// block.
void sar_embedding_newton(SarSim* s, const SarLoopFlow* f, double tolerance, double* A, int* pivot,
                          double* x);
