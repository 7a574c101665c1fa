// Directional valves: openings in proportion to the place s of a spool, -1 to 1 (2/2: 0 to 1),
// which follows its command at once or as a second-order system.
//
//   valve22 [A, B]         A-B: s
//   valve32 [P, T, A]      s > 0: P-A, s < 0: A-T
//   valve43 [P, T, A, B]   s > 0: P-A and B-T, s < 0: P-B and A-T; leak: shares of the area that
//                          stay open
#include "elements/hydraulics/circuit.h"

enum { LEAK = 3, FREQUENCY = 4 };

// The spool is called s in rules that follow.
static void make_spool(SarSignalBuild* b, const char* limited) {
  if (!signal_given(b, FREQUENCY)) {
    signal_output(b, "s", limited);
    signal_name(b, "s");
    return;
  }
  SignalRule rate = {.b = b};
  signal_name(b, "s");
  signal_name(b, "s_speed");
  rule_add(&rate, "frequency^2*(%s - s) - 2*damping*frequency*s_speed", limited);
  signal_state(b, "s", "s_speed", limited);
  signal_state(b, "s_speed", rule_text(&rate), "0");
}

static void path(SarSignalBuild* b, const char* local, int from, int to, const char* opening,
                 int leak) {
  SignalRule area = {.b = b};
  rule_add(&area, "area*(%s", opening);
  if (signal_given(b, LEAK)) rule_add(&area, " + leak_%d", leak);
  rule_add(&area, ")");
  circuit_path(b, local, from, to, circuit_opening(b, rule_text(&area), from, to));
}

#define SPOOL(leaks)                                                           \
  {"spool", SAR_SIGNAL_NUMBER, NULL, false, "where the spool is to be"},       \
      {"area", SAR_SIGNAL_NUMBER, NULL, true, "when fully open [m^2]"},        \
      {"leak", SAR_SIGNAL_LIST, "", false, leaks},                             \
      {"frequency", SAR_SIGNAL_NUMBER, "", true,                               \
       "natural frequency of the spool [rad/s]; default: it follows at once"}, \
      {"damping", SAR_SIGNAL_NUMBER, "0.7", true, "its damping ratio"},        \
      {"cd", SAR_SIGNAL_NUMBER, "0.61", true, "discharge coefficient"}, {      \
    "laminar", SAR_SIGNAL_NUMBER, "1000", true,                                \
        "pressure difference below which flow is laminar [Pa]"                 \
  }

static bool leaks_are_right(SarSignalBuild* b, int count) {
  if (!signal_given(b, LEAK) || signal_count(b, LEAK) == count) return true;
  signal_wrong(b, LEAK, b->s->kind->key[LEAK].doc, "leak has %d numbers, expected %d",
               signal_count(b, LEAK), count);
  return false;
}

static void build_valve22(SarSignalBuild* b) {
  if (!circuit_ports(b, 2, "valve22: [A, B]") || !leaks_are_right(b, 1)) return;
  make_spool(b, "clamp(spool, 0, 1)");
  path(b, "flow", 0, 1, "max(s, 0)", 1);
}

const SarSignalKind sar_hydraulic_valve22 = {
    .name = "valve22",
    .doc = "2/2-way proportional valve",
    .key = {{"valve22", SAR_SIGNAL_LIST, NULL, false, "[A, B]"}, SPOOL("[share of the area]")},
    .nkey = 8,
    .example = "{valve22: [a, b], spool: 0.5, area: 1e-5}",
    .build = build_valve22,
};

static void build_valve32(SarSignalBuild* b) {
  if (!circuit_ports(b, 3, "valve32: [P, T, A]") || !leaks_are_right(b, 2)) return;
  make_spool(b, "clamp(spool, -1, 1)");
  path(b, "pa", 0, 2, "max(s, 0)", 1);
  path(b, "at", 2, 1, "max(-s, 0)", 2);
}

const SarSignalKind sar_hydraulic_valve32 = {
    .name = "valve32",
    .doc = "3/2-way proportional valve",
    .key = {{"valve32", SAR_SIGNAL_LIST, NULL, false, "[P, T, A]"},
            SPOOL("[P-A, A-T]: shares of the area")},
    .nkey = 8,
    .example = "{valve32: [p, r, a], spool: 0.5, area: 1e-5}",
    .build = build_valve32,
};

static void build_valve43(SarSignalBuild* b) {
  if (!circuit_ports(b, 4, "valve43: [P, T, A, B]") || !leaks_are_right(b, 2)) return;
  make_spool(b, "clamp(spool, -1, 1)");
  path(b, "pa", 0, 2, "max(s, 0)", 1);
  path(b, "bt", 3, 1, "max(s, 0)", 1);
  path(b, "pb", 0, 3, "max(-s, 0)", 2);
  path(b, "at", 2, 1, "max(-s, 0)", 2);
}

const SarSignalKind sar_hydraulic_valve43 = {
    .name = "valve43",
    .doc = "4/3-way proportional valve",
    .key = {{"valve43", SAR_SIGNAL_LIST, NULL, false, "[P, T, A, B]"},
            SPOOL("[P-A and B-T, P-B and A-T]: shares of the area")},
    .nkey = 8,
    .example = "{valve43: [p, r, a, b], spool: 0.5, area: 1e-5}",
    .build = build_valve43,
};
