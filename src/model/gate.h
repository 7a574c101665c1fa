// Gates: what switches constraints, joints that close loops, and forces on and off during a run.
//
// A gate has two triggers. The item is on from the moment `from` becomes true until the moment
// `until` becomes true: a latch, so that a joint that has gripped does not let go because the
// condition it gripped by holds no longer. Gates by times alone, and `active: CONDITION`, have no
// memory.
//
// The state of the gates belongs to SarData, and everything that follows from it is set in one
// place, sar_gates_apply. Rows of constraints that are off have left the system: they are not
// evaluated, their Phi, Psi, Phi_t, Phi_dot, gamma and lambda are zero and stay so, and the rows
// that count are listed in d->active_row[0 .. d->nactive), rising. All arrays have room for all
// rows.
#pragma once
#include <stdbool.h>

struct SarModel;
struct SarData;

typedef enum SarGateTarget {
  SAR_GATE_CONSTRAINT,  // index: constraint; that of a joint too
  SAR_GATE_FORCE        // index: force element
} SarGateTarget;

typedef struct SarTrigger {
  int slot;     // true while this is positive; -1:
  double time;  // true from here on [s]
} SarTrigger;

typedef struct SarGate {
  SarGateTarget target;
  int index;
  int name;      // offset in text
  bool latched;  // remembers; else on while `from` is true and `until` is not
  bool hold;     // what switches on is held as it is found; else it must be where it is declared
  SarTrigger from, until;
} SarGate;

// Bits of d->gate_state.
enum { SAR_GATE_ON = 1, SAR_GATE_FROM = 2, SAR_GATE_UNTIL = 4 };

// d->gate_state, cut_X_B -> constraint_on, force_on, row_on, active_row, pair_b, term_w; clears
// what belongs to items that are off.
void sar_gates_apply(const struct SarModel* m, struct SarData* d);
// d->cut_X_B -> pair_b, term_w of a joint that closes a loop: held where it is.
void sar_gates_place(const struct SarModel* m, struct SarData* d, int cut);
// Every row on, whatever the gates say, to look at all of them; sar_gates_apply ends it.
void sar_gates_open(const struct SarModel* m, struct SarData* d);
// Back to where the data started (sar_data_reset).
void sar_gates_reset(const struct SarModel* m, struct SarData* d);
