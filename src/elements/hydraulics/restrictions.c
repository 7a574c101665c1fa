// What fluid flows through: orifices, pipes, valves that open by themselves.
//
//   orifice       Q = cd A sqrt(2/rho) dp/(dp^2 + laminar^2)^(1/4)
//   pipe          dp = a Q + b |Q| Q: Hagen and Poiseuille's law a = 128 mu L/(pi d^4),
//                 and turbulent losses b = (friction L/d + loss) rho/(2 A^2);
//                 Q = 2 dp/(a + sqrt(a^2 + 4 b |dp|))
//   check valve   an orifice that opens from `opening` on, fully `range` above it
#include "elements/hydraulics/circuit.h"

static void build_orifice(SarSignalBuild* b) {
  if (circuit_ports(b, 2, "orifice: [from, to]"))
    circuit_path(b, "flow", 0, 1, circuit_opening(b, "area", 0, 1));
}

#define DISCHARGE                                                     \
  {"cd", SAR_SIGNAL_NUMBER, "0.61", true, "discharge coefficient"}, { \
    "laminar", SAR_SIGNAL_NUMBER, "1000", true,                       \
        "pressure difference below which flow is laminar [Pa]"        \
  }

const SarSignalKind sar_hydraulic_orifice = {
    .name = "orifice",
    .doc = "opening of a given area, which may vary",
    .key = {{"orifice", SAR_SIGNAL_LIST, NULL, false, "[from, to]"},
            {"area", SAR_SIGNAL_NUMBER, NULL, false, "[m^2]"},
            DISCHARGE},
    .nkey = 4,
    .example = "{orifice: [a, b], area: 1e-6}",
    .build = build_orifice,
};

static void build_pipe(SarSignalBuild* b) {
  static const char a[] = "(128*fluid_viscosity*length/(pi*diameter^4))";
  static const char k[] = "((friction*length/diameter + loss)*fluid_density*8/(pi^2*diameter^4))";
  SignalRule r = {.b = b};
  if (!circuit_ports(b, 2, "pipe: [from, to]")) return;
  rule_add(&r, "2*(pipe_1 - pipe_2)/(%s + ", a);
  rule_add(&r, "sqrt(%s^2 + 4*%s*abs(pipe_1 - pipe_2)))", a, k);
  circuit_path(b, "flow", 0, 1, rule_text(&r));
}

const SarSignalKind sar_hydraulic_pipe = {
    .name = "pipe",
    .doc = "resistance of a pipe, laminar and turbulent",
    .key = {{"pipe", SAR_SIGNAL_LIST, NULL, false, "[from, to]"},
            {"length", SAR_SIGNAL_NUMBER, NULL, true, "[m]"},
            {"diameter", SAR_SIGNAL_NUMBER, NULL, true, "[m]"},
            {"friction", SAR_SIGNAL_NUMBER, "0.03", false, "Darcy's factor of turbulent flow"},
            {"loss", SAR_SIGNAL_NUMBER, "0", false, "loss coefficient of bends and ends"}},
    .nkey = 5,
    .example = "{pipe: [a, b], length: 2, diameter: 0.01}",
    .build = build_pipe,
};

static void build_check_valve(SarSignalBuild* b) {
  if (!circuit_ports(b, 2, "check_valve: [from, to]")) return;
  circuit_path(b, "flow", 0, 1,
               circuit_opening(
                   b, "area*clamp((check_valve_1 - check_valve_2 - opening)/range, 0, 1)", 0, 1));
}

const SarSignalKind sar_hydraulic_check_valve = {
    .name = "check_valve",
    .doc = "lets fluid through one way",
    .key = {{"check_valve", SAR_SIGNAL_LIST, NULL, false, "[from, to]"},
            {"area", SAR_SIGNAL_NUMBER, NULL, true, "when open [m^2]"},
            {"opening", SAR_SIGNAL_NUMBER, "0", false,
             "pressure difference at which it opens [Pa]"},
            {"range", SAR_SIGNAL_NUMBER, "1e5", true, "from there to fully open [Pa]"},
            DISCHARGE},
    .nkey = 6,
    .example = "{check_valve: [a, b], area: 1e-5}",
    .build = build_check_valve,
};

static void build_relief_valve(SarSignalBuild* b) {
  if (!circuit_ports(b, 2, "relief_valve: [from, tank]")) return;
  circuit_path(b, "flow", 0, 1,
               circuit_opening(
                   b, "area*clamp((relief_valve_1 - relief_valve_2 - opening)/range, 0, 1)", 0, 1));
}

const SarSignalKind sar_hydraulic_relief_valve = {
    .name = "relief_valve",
    .doc = "opens above a pressure",
    .key = {{"relief_valve", SAR_SIGNAL_LIST, NULL, false, "[from, tank]"},
            {"opening", SAR_SIGNAL_NUMBER, NULL, true,
             "pressure difference at which it opens [Pa]"},
            {"area", SAR_SIGNAL_NUMBER, NULL, true, "when open [m^2]"},
            {"range", SAR_SIGNAL_NUMBER, "0.05*opening", true, "from there to fully open [Pa]"},
            DISCHARGE},
    .nkey = 6,
    .example = "{relief_valve: [a, b], opening: 1.8e7, area: 1e-5}",
    .build = build_relief_valve,
};
