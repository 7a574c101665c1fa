// Discrete-time states: numbers that are held between instants and change at them. A sampled
// controller is made of samples (zero-order holds) and delays (z^-1); a relay remembers on which
// side of its hysteresis it is. Steps end on the instants t_k = offset + k period, and there, in
// this order:
//
//   delay    w <- kept                           what f was at the instant before
//   sample   w <- f(t, q, v, z, w)          each after those it uses, which it sees as they are now
//   delay    kept <- f(t, q, v, z, w)
//
//   relay    w <- 1 where `rise` holds, 0 where `fall` does, else as it was: where any step ends;
//            steps with error control end where it switches
//
// All of it is state: copied, hashed and saved with the data.
//
// A call is a function of the program's own (SarUserFunction) behind samples: its inputs are
// sampled first, then it gives its outputs and its next states, all of which are discrete-time
// states.
#pragma once

typedef enum SarDiscreteKind { SAR_SAMPLE, SAR_DELAY, SAR_RELAY } SarDiscreteKind;

typedef enum SarCallRole {
  SAR_CALL_INPUT,
  SAR_CALL_STATE,
  SAR_CALL_OUTPUT,
  SAR_CALL_ROLES
} SarCallRole;

enum { SAR_CALL_MOST = 12 };  // of each role

typedef struct SarCall {
  int function;             // in model->function
  int num[SAR_CALL_ROLES];  // inputs, states, outputs
  int entry;                // in model->call_entry: the discrete-time states of each, in this order
  int lead;                 // the first state or output in the order of updates: there it is called
} SarCall;
