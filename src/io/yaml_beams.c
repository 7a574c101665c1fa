// The section `beams`: {name: {from: hub, to: [5, 0, 0], elements: 8, section: {...}}}.
//
// What varies along the span is given by one value, or by rows [s, value, ...] with rising s.
#include "io/yaml_read.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { MOST_ELEMENTS = 1000 };

// ---- values along the span ----------------------------------------------------------------------

// Rows of `columns` numbers behind s, or of `wide` ones; messages are about the row.
static void read_rows(YamlReader* r, const YamlNode* n, int columns, int wide, SpecSpan* span) {
  const YamlNode* first = n->items[0];
  if (wide && first->kind == YAML_LIST && first->count == 1 + wide) columns = wide;
  span->table = true;
  span->columns = columns;
  span->numbers = SAR_ARENA_ARRAY(r->arena, SpecNum, (size_t)n->count * (size_t)(columns + 1));
  if (!span->numbers) return;
  span->rows = n->count;
  for (int i = 0; i < n->count; i++)
    sar_yaml_numbers(r, n->items[i], columns + 1, &span->numbers[i * (columns + 1)]);
  if (n->count < 2)
    sar_yaml_report(r, n->loc, "a value that does not vary is written without s",
                    "a table along the span has at least two rows [s, ...]");
}

static void read_constant(YamlReader* r, const YamlNode* n, int columns, SpecSpan* span) {
  span->numbers = SAR_ARENA_ARRAY(r->arena, SpecNum, columns);
  if (!span->numbers) return;
  span->rows = 1;
  span->columns = columns;
  if (columns == 1)
    sar_yaml_num(r, n, span->numbers);
  else
    sar_yaml_numbers(r, n, columns, span->numbers);
}

static void read_span(YamlReader* r, const YamlNode* n, int columns, int wide, SpecSpan* span) {
  span->loc = n->loc;
  if (n->kind == YAML_LIST && n->count > 0 && n->items[0]->kind == YAML_LIST)
    read_rows(r, n, columns, wide, span);
  else
    read_constant(r, n, columns, span);
}

static void read_one(YamlReader* r, const YamlNode* n, void* into) { read_span(r, n, 1, 0, into); }
static void read_two(YamlReader* r, const YamlNode* n, void* into) { read_span(r, n, 2, 0, into); }
static void read_three(YamlReader* r, const YamlNode* n, void* into) {
  read_span(r, n, 3, 0, into);
}

// six numbers, a 6 x 6 matrix, or rows of s and 6 or 36 numbers
static void read_stiffness(YamlReader* r, const YamlNode* n, void* into) {
  SpecSpan* span = into;
  const bool matrix = n->kind == YAML_LIST && n->count == 6 && n->items[0]->kind == YAML_LIST &&
                      n->items[0]->count == 6;
  if (!matrix) {
    read_span(r, n, 6, 36, span);
    return;
  }
  span->loc = n->loc;
  span->numbers = SAR_ARENA_ARRAY(r->arena, SpecNum, 36);
  if (!span->numbers) return;
  span->rows = 1;
  span->columns = 36;
  for (int i = 0; i < 6; i++) sar_yaml_numbers(r, n->items[i], 6, &span->numbers[6 * i]);
}

// one number for all strains, or six
static void read_damping(YamlReader* r, const YamlNode* n, void* into) {
  SpecSpan* span = into;
  span->loc = n->loc;
  read_constant(r, n, n->kind == YAML_LIST ? 6 : 1, span);
}

// ---- beams --------------------------------------------------------------------------------------

// body, body.point, [body, [x, y, z]]; [x, y, z]: a free end
static void read_from(YamlReader* r, const YamlNode* n, void* into) {
  SpecBeam* beam = into;
  beam->from_loc = n->loc;
  if (n->kind == YAML_LIST && n->count == 3)
    sar_yaml_numbers(r, n, 3, beam->from_at);
  else
    sar_yaml_point(r, n, &beam->from, beam->from_at);
}

static void read_elements(YamlReader* r, const YamlNode* n, void* into) {
  double value = 0;
  if (n->kind != YAML_TEXT) {
    sar_yaml_expected(r, n, "how many elements", "");
    return;
  }
  if (!sar_yaml_constant(r, n, n->index, &value)) return;
  if (!(value >= 1 && value <= MOST_ELEMENTS && value == floor(value)))
    sar_yaml_report(r, n->loc, "", "expected a whole number from 1 to %d, found %g", MOST_ELEMENTS,
                    value);
  else
    *(int*)into = (int)value;
}

static void read_section(YamlReader* r, const YamlNode* n, void* into) {
  static const YamlField fields[] = {
      {"stiffness", offsetof(SpecBeam, stiffness), read_stiffness},
      {"mass", offsetof(SpecBeam, mass), read_one},
      {"com", offsetof(SpecBeam, com), read_two},
      {"inertia", offsetof(SpecBeam, inertia), read_three},
      {"damping", offsetof(SpecBeam, damping), read_damping},
  };
  YAML_INNER_FIELDS(r, n, fields, into);
}

static void check_beam(YamlReader* r, const YamlNode* n, const SpecBeam* beam) {
  const struct {
    const char *name, *hint;
    bool missing;
  } needed[] = {
      {"from", "where it begins: a body, [body, [x, y, z]] or [x, y, z]", !beam->from_loc.line},
      {"elements", "how many", beam->elements == 0},
      {"section", "{stiffness: [EA, GAy, GAz, GJ, EIy, EIz], mass: kg/m}",
       !beam->stiffness.numbers || !beam->mass.numbers},
  };
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
    if (needed[i].missing)
      sar_yaml_report(r, n->loc, needed[i].hint, "a beam needs '%s'%s", needed[i].name,
                      i == 2 ? " with stiffness and mass" : "");
  const bool to = beam->to.c[0].expr != NULL, length = beam->length.expr != NULL;
  if (to == length)
    sar_yaml_report(r, n->loc, "'to' is the other end, 'length' goes along 'axis' and 'curvature'",
                    "a beam has one of 'to' and 'length'");
  if (to && (beam->axis.c[0].expr || beam->curvature.numbers))
    sar_yaml_report(r, n->loc, "give 'length' instead of 'to'",
                    "a beam with 'to' is straight: it has no axis or curvature of its own");
}

static void read_beam(YamlReader* r, SpecName name, const YamlNode* n) {
  static const YamlField fields[] = {
      {"from", 0, read_from},
      {"to", offsetof(SpecBeam, to), sar_yaml_vec3},
      {"length", offsetof(SpecBeam, length), sar_yaml_num},
      {"axis", offsetof(SpecBeam, axis), sar_yaml_axis},
      {"axis2", offsetof(SpecBeam, axis2), sar_yaml_axis},
      {"curvature", offsetof(SpecBeam, curvature), read_three},
      {"twist", offsetof(SpecBeam, twist), read_one},
      {"clamp", offsetof(SpecBeam, clamp), sar_yaml_name},
      {"elements", offsetof(SpecBeam, elements), read_elements},
      {"section", 0, read_section},
      {"radius", offsetof(SpecBeam, radius), sar_yaml_num},
  };
  SpecBeam* beam = SAR_LIST_ADD(r->arena, &r->spec->beams);
  if (!beam) return;
  beam->name = name;
  const int errors = sar_yaml_errors(r);
  YAML_FIELDS(r, n, fields, beam);
  if (sar_yaml_errors(r) == errors) check_beam(r, n, beam);
  // bodies that others may refer to are not there
  if (sar_yaml_errors(r) != errors) {
    beam->wrong = true;
    sar_yaml_lose(r, SPEC_LOST_BODIES | SPEC_LOST_FORCES | SPEC_LOST_JOINTS);
  }
}

void sar_yaml_beams(YamlReader* r, const YamlNode* n, void* into) {
  (void)into;
  sar_yaml_section(r, n, "beam", read_beam);
}
