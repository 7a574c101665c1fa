// `initial`: equations that hold at the start, each a text or a mapping:
//   - arm.tip.z == 0.3
//   - {point: hand.tool, value: [0.6, 0, 0.3]}          three equations
//   - {distance: [a.end, b.end], value: 0.5}
// The mappings are short for texts.
#include "io/yaml_read.h"

#include <stddef.h>
#include <string.h>

typedef struct Condition {
  SpecName point, from, to;  // `from` and `to` of a distance
  const YamlNode* value;
} Condition;

static void add_equation(YamlReader* r, const YamlNode* n, const char* text, SpecNum residual) {
  SpecEquation* equation = SAR_LIST_ADD(r->arena, &r->spec->initial);
  if (!equation) return;
  equation->text = (SpecName){text, n->loc};
  equation->residual = residual;
}

static void read_text(YamlReader* r, const YamlNode* n) {
  SpecNum num = {0};
  const int errors = sar_yaml_errors(r);
  sar_yaml_num(r, n, &num);
  if (sar_yaml_errors(r) > errors) return;
  num.expr = sar_expr_residual(r->arena, num.expr);
  if (num.expr)
    add_equation(r, n, n->text, num);
  else
    sar_yaml_expected(r, n, "an equation, as in arm.tip.z == 0.3", "");
}

// 'NAME', quotes in it twice: any name can stand in an expression
static const char* quoted(YamlReader* r, const char* name) {
  char* text = sar_arena_printf(r->arena, "'%s%s'", name, name);  // room for all of it doubled
  if (!text) return NULL;
  char* to = text + 1;
  for (const char* c = name; *c; c++) {
    *to++ = *c;
    if (*c == '\'') *to++ = *c;
  }
  *to++ = '\'';
  *to = '\0';
  return text;
}

// `text` minus the value: = 0
static void add_condition(YamlReader* r, const YamlNode* n, const char* said, const char* text,
                          const YamlNode* value) {
  SpecNum num = {0};
  sar_yaml_num(r, value, &num);
  // names in it have no place of their own: that of the condition stands for it
  const SarExpr* left =
      text ? sar_expr_parse(r->arena, text, strlen(text), (SarLoc){0}, r->err) : NULL;
  if (!left || !num.expr) return;
  num.loc = n->loc;
  num.expr = sar_expr_difference(r->arena, left, num.expr);
  if (num.expr && said) add_equation(r, n, said, num);
}

static void read_point(YamlReader* r, const YamlNode* n, const Condition* c) {
  const char* name = quoted(r, c->point.text);
  if (c->value->kind != YAML_LIST || c->value->count != 3) {
    sar_yaml_expected(r, c->value, "a list of 3 numbers", "");
    return;
  }
  for (int i = 0; name && i < 3; i++)
    add_condition(r, n, sar_arena_printf(r->arena, "%s.%c", c->point.text, 'x' + i),
                  sar_arena_printf(r->arena, "%s.%c", name, 'x' + i), c->value->items[i]);
}

static void read_distance(YamlReader* r, const YamlNode* n, const Condition* c) {
  const char *a = quoted(r, c->from.text), *b = quoted(r, c->to.text);
  if (!a || !b) return;
  add_condition(
      r, n, sar_arena_printf(r->arena, "distance of %s and %s", c->from.text, c->to.text),
      sar_arena_printf(r->arena, "sqrt((%s.x - %s.x)^2 + (%s.y - %s.y)^2 + (%s.z - %s.z)^2)", a, b,
                       a, b, a, b),
      c->value);
}

static void read_two(YamlReader* r, const YamlNode* n, void* into) {
  Condition* c = into;
  if (n->kind != YAML_LIST || n->count != 2) {
    sar_yaml_expected(r, n, "two points [body.point, body.point]", "");
    return;
  }
  sar_yaml_name(r, n->items[0], &c->from);
  sar_yaml_name(r, n->items[1], &c->to);
}

static void keep(YamlReader* r, const YamlNode* n, void* into) {
  (void)r;
  *(const YamlNode**)into = n;
}

static void read_mapping(YamlReader* r, const YamlNode* n) {
  static const YamlField fields[] = {{"point", offsetof(Condition, point), sar_yaml_name},
                                     {"distance", 0, read_two},
                                     {"value", offsetof(Condition, value), keep}};
  Condition c = {0};
  const int errors = sar_yaml_errors(r);
  YAML_FIELDS(r, n, fields, &c);
  if (sar_yaml_errors(r) > errors) return;
  if (!c.point.text == !c.to.text || !c.value)
    sar_yaml_report(r, n->loc, "as in {point: arm.tip, value: [0, 0, 1]}",
                    "expected a point or a distance, and its value");
  else if (c.point.text)
    read_point(r, n, &c);
  else
    read_distance(r, n, &c);
}

void sar_yaml_initial(YamlReader* r, const YamlNode* n, void* into) {
  (void)into;
  if (sar_yaml_is_null(n)) return;
  if (n->kind != YAML_LIST) {
    sar_yaml_expected(r, n, "a list of equations [arm.tip.z == 0.3, ...]", "");
    return;
  }
  YamlScope outer = sar_yaml_enter(r);
  for (int i = 0; i < n->count; i++) {
    const YamlNode* item = n->items[i];
    const YamlTrial trial = sar_yaml_try(r);
    if (item->kind == YAML_MAP)
      read_mapping(r, item);
    else
      read_text(r, item);
    sar_yaml_tried(r, trial, item, item);
  }
  sar_yaml_leave(r, outer);
}
