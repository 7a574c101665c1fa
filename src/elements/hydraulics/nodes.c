// Nodes of a circuit: a given pressure (supply, tank), a volume of fluid, an accumulator on one.
//
//   accumulator   gas V_g = V_0 (p_0/p)^(1/n) above the precharge p_0: K = -dV_g/dp = V_g/(n p)
#include "elements/hydraulics/circuit.h"

static void build_pressure(SarSignalBuild* b) {
  signal_value(b, "x");
  circuit_node(b, NULL);
}

const SarSignalKind sar_hydraulic_pressure = {
    .name = "pressure",
    .doc = "node whose pressure is given: a supply, a tank",
    .key = {{"pressure", SAR_SIGNAL_NUMBER, NULL, false, "absolute pressure [Pa], may vary"}},
    .nkey = 1,
    .example = "{pressure: 2e7}",
    .build = build_pressure,
};

static void build_volume(SarSignalBuild* b) {
  SpecFlow* f = SAR_LIST_ADD(&b->spec->arena, &b->spec->flows);
  circuit_node(b, "start");
  if (!f) return;
  *f = (SpecFlow){.node = b->s->name, .volume = signal_number(b, "x")};
}

const SarSignalKind sar_hydraulic_volume = {
    .name = "volume",
    .doc = "node with a volume of fluid, whose pressure is a state",
    .key = {{"volume", SAR_SIGNAL_NUMBER, NULL, false,
             "of fluid, beside chambers of cylinders [m^3]"},
            {"start", SAR_SIGNAL_NUMBER, "fluid_pressure", false,
             "pressure where a run begins [Pa]; default: the fluid's reference pressure"}},
    .nkey = 2,
    .example = "{volume: 1e-4, start: 1e6}",
    .build = build_volume,
};

static void build_accumulator(SarSignalBuild* b) {
  if (!circuit_ports(b, 1, "accumulator: [node]")) return;
  static const char fluid[] = "gas*(1 - (precharge/max(accumulator_1, precharge))^(1/index))";
  circuit_holds(b, 0, fluid, NULL,
                "(accumulator_1 > precharge)*gas/(index*max(accumulator_1, precharge))*"
                "(precharge/max(accumulator_1, precharge))^(1/index)");
  signal_output(b, "fluid", fluid);
}

const SarSignalKind sar_hydraulic_accumulator = {
    .name = "accumulator",
    .doc = "gas under pressure at a node",
    .key = {{"accumulator", SAR_SIGNAL_LIST, NULL, false, "[node]"},
            {"gas", SAR_SIGNAL_NUMBER, NULL, true, "its volume when empty of fluid [m^3]"},
            {"precharge", SAR_SIGNAL_NUMBER, NULL, true, "pressure of the gas then [Pa]"},
            {"index", SAR_SIGNAL_NUMBER, "1.4", true, "polytropic index; 1: slow changes"}},
    .nkey = 4,
    .example = "{accumulator: [a], gas: 1e-3, precharge: 5e6}",
    .build = build_accumulator,
};
