// Induced velocity of a rotor: momentum theory over its disc (actuator disc).
//
// n is the thrust axis; the air goes through the disc with v_i(p) against n, linear over the disc:
//
//   v_i(p) = mean + slope . (p - hub)
//
// Flow past the disc: `across` is the part in the disc of the air's velocity against the hub, V its
// length, `down` the part through the disc, against n. Glauert: T = 2 rho A u sqrt(V^2 + (down +
// u)^2).
#pragma once
#include "elements/aero/air.h"

typedef enum SarInflowModel {
  SAR_INFLOW_NONE,
  SAR_INFLOW_UNIFORM,
  SAR_INFLOW_COLEMAN,
  SAR_INFLOW_DREES,
  SAR_INFLOW_WHITE_BLAKE,
  SAR_INFLOW_HOWLETT,
  SAR_INFLOW_PAYNE,
  SAR_INFLOW_GLAUERT,
  SAR_INFLOW_PITT_PETERS
} SarInflowModel;

enum { SAR_INFLOW_STATES = 3 };

// Where the rotor is and what flows past it.
typedef struct SarDisc {
  SarInflowModel model;
  D3 hub, axis;  // centre, thrust axis n; ground axes
  D3 e[2];       // directions in the disc that do not turn: along x of the airframe, and n x that
  D3 across;     // of the air against the hub, in the disc
  Dual V, down;  // V = |across|
  Dual density;
  Dual tip_speed;  // of the blades [m/s], not negative
  double turning;  // 1: about n, -1: against it
  double radius, area;
  Dual image;  // share of the induced velocity that the ground leaves (ground effect)
} SarDisc;

// The field of induced velocity, and how it follows each state.
typedef struct SarInflowField {
  D3 hub, axis, slope;
  Dual mean;
  int states;
  double mean_z[SAR_INFLOW_STATES];
  V3 slope_z[SAR_INFLOW_STATES];
} SarInflowField;

// u of momentum theory for the thrust. Of several roots (in descent) the one nearest to zero: the
// windmill brake state where there is one.
Dual sar_momentum_inflow(const SarDisc* disc, Dual thrust);
// How many states the model has.
int sar_inflow_states(SarInflowModel model);
SarInflowField sar_inflow_field(const SarDisc* disc, const Dual z[SAR_INFLOW_STATES]);
// Rates of the states for the force of the air on the rotor, and its moment about the hub. memory:
// time constant of all models but Pitt and Peters' [s].
void sar_inflow_rates(const SarDisc* disc, double memory, const Dual z[SAR_INFLOW_STATES], D3 force,
                      D3 moment, Dual rate[SAR_INFLOW_STATES]);
