// What assembly (assemble.c) shares with its positions and velocities (assemble_place.c), closing
// the loops (close.c), counting rows (rank.c) and its messages (assemble_words.c).
#pragma once
#include "dynamics/projection.h"
#include "base/error.h"
#include "model/sim.h"

// Room for counting rows.
typedef struct RankWork {
  double* rows;                 // nrow x nv
  double *tau, *work;           // of a decomposition: nrow, nv
  int *order, *pivot, *length;  // nrow
} RankWork;

typedef struct Assembly {
  const SarModel* m;
  SarData* d;
  SarProjection p;          // for its units
  int given;                // coordinates of cuts whose values are given: equations of their own
  int* given_dof;           // given: which, from nv on
  int wishes;               // equations of `initial` that count now
  int* wish;                // wishes: which
  bool speeds;              // they are about speeds
  double *residual, *open;  // nrow + given + wishes: now, before a correction
  double* given_row;        // (given + wishes) x nv: their Jacobian
  double* lag;              // given + wishes: how far off the values are wanted for now,
  double* start;            // and at the start of a path
  double* row_size;         // nrow: the caller's
  bool* held;               // nv: coordinates that stay
  double* q;                // nq: where an iteration started
  double *from, *kept;      // nq: of a path, of a trial
  double *x, *scale;        // nv
  double *more, *sum;       // nv: of corrections
  double* inertia;          // nv: diagonal of the mass matrix
  double* v_from;           // nv_all: what speeds are closed from
  bool carries;             // moves along the tree of relative coordinates
  double* rate;             // nv_all: of the joints there
  Motion* V;                // nbody: of B in B
  Xform* X_GB;              // nbody
  double* G;                // nv x nv
  RankWork rank;
  void* block;
} Assembly;

#define SAR_CLOSED 1e-10  // as good as it gets: what a run starts from

// Brings positions or velocities of d onto the constraints. initial: d is as the file begins, and
// what the file gives is held. SAR_BAD_MODEL after a message.
SarStatus sar_assemble_positions(Assembly* a, bool initial, SarError* err);
SarStatus sar_assemble_velocities(Assembly* a, bool initial, SarError* err);
// Bodies with coordinates of their own, carried by their joints in the tree of relative coordinates
// (assemble_carry.c). By a->x, joints that are closed stay so; speeds as the file gives them, at
// the present position: those of coordinates in other models.
void sar_assembly_move(Assembly* a);
double sar_assembly_longest(
    Assembly* a);  // of the joints' ways by a->x: rad, sizes of the mechanism
void sar_assembly_carry_speeds(Assembly* a);
// Coordinates that are given stay (Nullable: none); those of cuts become equations. False: none is
// given.
bool sar_assembly_hold(Assembly* a, const int* given);
double sar_assembly_fastest(const Assembly* a);  // of all coordinates and drives

// Closes positions as far as they go with a->held staying where they are; returns what is left: the
// largest residual, lengths over the size of the mechanism. The second: velocities.
double sar_residual_unit(const Assembly* a, int i);  // what residual i is measured by
double sar_close_positions(Assembly* a);
double sar_close_nearby(Assembly* a);  // for positions that are nearly closed: stays near them
double sar_close_velocities(Assembly* a);
// Residuals of the present positions or velocities: the largest, as above.
double sar_open_positions(Assembly* a);
double sar_open_velocities(Assembly* a);

// Equations of `initial` (initial.c): which of them count, positions or speeds; what they miss;
// their Jacobian by differences.
void sar_take_wishes(Assembly* a, bool speeds);
void sar_open_wishes(Assembly* a, double* residual);
void sar_update_wish_rows(Assembly* a, double* rows);
// Says which are not met, with the joints of `given` held (Nullable).
void sar_report_wishes(const Assembly* a, const char* given, SarError* err);

// Moves coordinates that are not held at random by up to `size`: rad, sizes of the mechanism.
void sar_disturb(Assembly* a, double size, unsigned* seed);
// Fills row_size; a->given is 0.
void sar_size_rows(Assembly* a);
// Independent ones of the rows that are on, at the present position: first in w->order; then the
// others that are on, then those that are off. Drives count last. d is evaluated. Nothing is
// allocated. least: distance from the others, of a row's usual length, that a row must have (1e-6,
// if that is more).
int sar_count_rows(const SarModel* m, const SarData* d, const double* row_size, double least,
                   const RankWork* w);
// What motion is left, at the position and nearby; row_order: independent rows first, as above.
void sar_find_rows(Assembly* a, SarFreedom* out, int* row_order);
// Of the rows that are on, `rank` that are farthest apart: keep[row] = 1. Those that come first in
// the file may hardly be independent.
void sar_strong_rows(const SarModel* m, const SarData* d, const double* row_size, int rank,
                     const RankWork* w, int* keep);

// ---- words --------------------------------------------------------------------------------------

enum { SAR_NAMES = 160 };

typedef struct SarGap {  // the widest opening
  int constraint;
  double size;
  const char* unit;
  char owner[SAR_NAMES];  // "joint 'R6'"
  SarLoc loc;             // where it stands in the file
} SarGap;

SarGap sar_widest_gap(const Assembly* a, bool speed);
// Names of the joints whose values are given, of those that move constraint c; of all if none does,
// or c is -1.
void sar_given_text(const Assembly* a, int c, const int* given, char* buf, size_t size);
void sar_report_open(const SarGap* gap, bool speed, SarError* err);
// If drives are too many, says so instead; rows as counted last. false: they are not.
bool sar_report_overdriven(const Assembly* a, int rank, const SarGap* gap, SarError* err);
// Warnings about a mechanism that is over-driven, locked, or starts in a singular position.
void sar_remark_freedom(const Assembly* a, const SarFreedom* f, const int* row_order,
                        SarError* err);
