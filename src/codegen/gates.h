// Gates by known times over symbols (model/gate.h): when forces and constraint rows are on, and
// where joints and constraints that take hold as they are found (hold: current) are held.
//
//   on = t >= from and t < until
//
// A joint that takes hold has its frame on the child where the parent's is then,
// X_CF = X_GC^-1 X_GP X_PF: 12 numbers; another constraint what its rows measure then, one each.
// They are state: symbols held[0] ... in the order of the gates.
#pragma once
#include "codegen/symbols.h"
#include "model/data.h"

enum { SAR_HELD_FRAME = 12 };  // origin, then the rotation by rows

int sar_held_count(const SarModel* m);
int sar_held_of(const SarModel* m, int gate);  // how many of them are of one gate
// What the interpreter holds.
void sar_held_read(const SarModel* m, const SarData* d, double* out);
// The first gate that switches a constraint; -1: none.
int sar_gates_of_constraints(const SarModel* m);

// All rows on, and joints as if they took hold where they are: for the weights of rows that may be
// far from closed now.
void sar_gates_meet(const SarModel* m, SarData* d);

bool sar_symbols_gates_init(SarSymbols* s);
// Where equations are to be read or evaluated by somebody else's steps.
void sar_symbols_refuse_gates(SarSymbols* s);
// Of a gate by conditions, which a step must look for.
void sar_symbols_refuse_conditions(SarSymbols* s);
SarNode sar_symbols_if_on(const SarSymbols* s, SarNode on, SarNode then, SarNode otherwise);
// The held frame of a pair's second body: its origin, or a direction of the model in it. False: the
// pair is not of a joint that takes hold.
bool sar_symbols_held_point(const SarSymbols* s, int pair, SymV3* p);
bool sar_symbols_held_direction(const SarSymbols* s, int pair, V3 w, SymV3* out);
// What a row is held at; SAR_NONE: at zero.
SarNode sar_symbols_row_held(const SarSymbols* s, int row);
// What would be held from now on, in the order of held[].
void sar_symbols_hold(const SarSymbols* s, SarNode* out);
