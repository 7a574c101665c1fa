// Hydraulic circuits: lumped volumes whose pressures are states, and elements through which fluid
// flows between them. A node is called by its name, which stands for its pressure in expressions.
//
//   d/dt (rho V) = rho_0 sum Q      mass balance of a node; Q: flow at the reference density
//   r(p) = rho/rho_0                equation of state, C = dr/dp
//   (V C + r K) p' = sum Q - r V'   V' by motion of pistons, K = dV/dp of accumulators
//
// So mass is conserved whatever the pressure. Elements are made of variables, states and force
// elements of the model (signals/build.h), so everything that handles these takes them: implicit
// integrators, statics, modes, derivatives.
#pragma once
#include "elements/signals/build.h"

// The kind's own key is the list of the nodes that it is connected to: port 0, 1, ...
const char* circuit_port(SarSignalBuild* b, int port);  // name; NULL after a report
// Are so many ports given? False after a report.
bool circuit_ports(SarSignalBuild* b, int count, const char* names);
// Flow NAME.local [m^3/s] from one port to another.
void circuit_path(SarSignalBuild* b, const char* local, int from, int to, const char* rule);
// What else belongs to the balance of a port's node; rules, each Nullable.
void circuit_holds(SarSignalBuild* b, int port, const char* volume, const char* growth,
                   const char* compliance);
// A node of this name; start: rule of the pressure where a run begins, NULL: it is given.
void circuit_node(SarSignalBuild* b, const char* start);
// Turbulent flow through an opening of an area (a rule), laminar below the pressure difference
// `laminar`:
//   Q = cd A sqrt(2/rho) dp/(dp^2 + laminar^2)^(1/4)
const char* circuit_opening(SarSignalBuild* b, const char* area, int from, int to);
