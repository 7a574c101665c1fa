// Inputs with a unit and a range: {value: 3, unit: m/s, min: 0, max: 20}. Both are for whoever sets
// them (hardware, a slider); values are SI, and the engine bounds nothing.
#include "base/units.h"
#include "io/yaml_read.h"

#include <stddef.h>
#include <string.h>

enum { LONGEST = 15 };  // of the protocol of ports

typedef struct Input {
  SpecNum value, least, most;
  SpecName unit;
} Input;

static void read_unit(YamlReader* r, const YamlNode* n, void* into) {
  SpecName* unit = into;
  SarUnit parsed;
  sar_yaml_name(r, n, unit);
  if (!unit->text) return;
  if (strlen(unit->text) <= LONGEST && sar_unit_parse(unit->text, &parsed)) return;
  sar_yaml_report(r, n->loc, "values are SI: N m, rad/s, kg m^2, Pa, 1; in degrees, 'rad'",
                  "expected a unit of up to %d letters, found '%.60s'", LONGEST, unit->text);
  *unit = (SpecName){0};
}

static const YamlField fields[] = {
    {"value", offsetof(Input, value), sar_yaml_num},
    {"unit", offsetof(Input, unit), read_unit},
    {"min", offsetof(Input, least), sar_yaml_num},
    {"max", offsetof(Input, most), sar_yaml_num},
};

void sar_yaml_input(YamlReader* r, const YamlNode* n, SpecParameter* value) {
  Input in = {0};
  const int before = sar_yaml_errors(r);
  YAML_FIELDS(r, n, fields, &in);
  value->value = in.value;
  if (!in.value.expr && sar_yaml_errors(r) == before)
    sar_yaml_report(r, n->loc, "as in {value: 0, unit: N m}", "an input needs a 'value'");
  SpecInputNote* note = SAR_LIST_ADD(r->arena, &r->spec->input_notes);
  if (note) *note = (SpecInputNote){value->name, in.unit, in.least, in.most};
}
