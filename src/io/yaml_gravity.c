// The key `gravity`: [gx, gy, gz], or a field {centre, mu}, {potential} or {field}.
#include "io/yaml_read.h"

#include <stddef.h>

// One way of saying it, and a point mass with its strength.
static void check(YamlReader* r, const YamlNode* n, const SpecGravity* g) {
  const bool point = g->mu.expr || g->centre.c[0].expr;
  const int ways = point + (g->potential.expr != NULL) + (g->field.c[0].expr != NULL);
  if (ways != 1)
    sar_yaml_report(r, n->loc, "as in {centre: [0, 0, 0], mu: 3.986e14}",
                    "expected one of 'mu' (with 'centre'), 'potential' and 'field'");
  else if (point && !g->mu.expr)
    sar_yaml_report(r, n->loc, "the gravitational parameter G M in m^3/s^2", "'mu' is missing");
}

void sar_yaml_gravity(YamlReader* r, const YamlNode* n, void* into) {
  static const YamlField fields[] = {
      {"centre", offsetof(SpecGravity, centre), sar_yaml_vec3},
      {"mu", offsetof(SpecGravity, mu), sar_yaml_num},
      {"potential", offsetof(SpecGravity, potential), sar_yaml_num},
      {"field", offsetof(SpecGravity, field), sar_yaml_vec3},
  };
  SpecGravity* g = into;
  g->loc = n->loc;
  if (n->kind != YAML_MAP) {
    sar_yaml_vec3(r, n, &g->uniform);
    return;
  }
  const int errors = sar_yaml_errors(r);
  YAML_INNER_FIELDS(r, n, fields, g);
  if (sar_yaml_errors(r) == errors) check(r, n, g);
}
