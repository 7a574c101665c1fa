// When an item is on: {active: CONDITION}, or {from: 1, until: hand.z > 0.5}.
#include "io/yaml_read.h"

#include <stddef.h>
#include <string.h>

static void read_hold(YamlReader* r, const YamlNode* n, void* into) {
  SpecName* hold = into;
  sar_yaml_name(r, n, hold);
  if (!hold->text || strcmp(hold->text, "current") == 0 || strcmp(hold->text, "declared") == 0)
    return;
  sar_yaml_report(r, hold->loc, "current: as it is found; declared: as the file says",
                  "expected current or declared, found '%.60s'", hold->text);
}

const YamlField sar_yaml_gate_fields[YAML_GATE_KEYS] = {
    {"active", offsetof(SpecGate, active), sar_yaml_num},
    {"from", offsetof(SpecGate, from), sar_yaml_num},
    {"until", offsetof(SpecGate, until), sar_yaml_num},
    {"hold", offsetof(SpecGate, hold), read_hold},
};
