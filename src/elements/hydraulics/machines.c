// Pumps and cylinders: where hydraulics meets mechanics.
//
//   pump       Q, less a leak in proportion to the pressure; one that is pressure controlled
//              delivers less from `range` below its cutoff on, nothing above it
//   cylinder   F = A1 p1 - A2 p2 - friction v, stops at both ends; V1 = A1 x, V2 = A2 (stroke - x),
//              and what is dead in each. On a prismatic joint x = q + offset, between two points x
//              = length + offset.
#include "elements/hydraulics/circuit.h"

#include <string.h>

enum { CUTOFF = 2 };

static void build_pump(SarSignalBuild* b) {
  SignalRule r = {.b = b};
  if (!circuit_ports(b, 2, "pump: [from, to]")) return;
  rule_add(&r, "flow");
  if (signal_given(b, CUTOFF)) rule_add(&r, "*clamp((cutoff - pump_2 + pump_1)/range, 0, 1)");
  rule_add(&r, " - leak*(pump_2 - pump_1)");
  circuit_path(b, "delivery", 0, 1, rule_text(&r));
  signal_output(b, "power", "delivery*(pump_2 - pump_1)");
}

const SarSignalKind sar_hydraulic_pump = {
    .name = "pump",
    .doc = "delivers a flow, constant or as far as the pressure is not reached",
    .key = {{"pump", SAR_SIGNAL_LIST, NULL, false, "[from, to]"},
            {"flow", SAR_SIGNAL_NUMBER, NULL, false, "[m^3/s], may vary"},
            {"cutoff", SAR_SIGNAL_NUMBER, "", true, "difference at which it delivers nothing [Pa]"},
            {"range", SAR_SIGNAL_NUMBER, "0.05*cutoff", true, "from full flow to none [Pa]"},
            {"leak", SAR_SIGNAL_NUMBER, "0", false, "[m^3/s/Pa]"}},
    .nkey = 5,
    .example = "{pump: [r, p], flow: 1e-4}",
    .build = build_pump,
};

// ---- cylinder -----------------------------------------------------------------------------------

enum { JOINT = 1, POINTS, AREA, STROKE, OFFSET, DEAD, FRICTION, CHAMBER_LEAK, STOP };

static const char* name_at(SarSignalBuild* b, int key, int i, const char* what) {
  const SpecNum* n = &b->s->value[key].numbers[i];
  const char* name = sar_expr_name(n->expr);
  if (!name) signal_wrong(b, key, what, "expected a name");
  return name;
}

static bool is_of_ground(const char* point) {
  return strcmp(point, "ground") == 0 || strncmp(point, "ground.", 7) == 0;
}

// Length and rate of the line between two points, as rules of measured quantities.
static void measure_line(SarSignalBuild* b, const char* p, const char* q) {
  static const char axis[] = "xyz";
  SignalRule square = {.b = b}, along = {.b = b};
  for (int i = 0; i < 3; i++) {
    const char c = axis[i];
    rule_add(&square, "%s(%s.%c - %s.%c)^2", i ? " + " : "", q, c, p, c);
    rule_add(&along, "%s(%s.%c - %s.%c)*(", i ? " + " : "", q, c, p, c);
    if (is_of_ground(q))
      rule_add(&along, "0");
    else
      rule_add(&along, "%s.v%c", q, c);
    if (!is_of_ground(p)) rule_add(&along, " - %s.v%c", p, c);
    rule_add(&along, ")");
  }
  SignalRule length = {.b = b}, rate = {.b = b};
  rule_add(&length, "sqrt(%s) + offset", rule_text(&square));
  signal_output(b, "x", rule_text(&length));
  signal_name(b, "x");
  rule_add(&rate, "(%s)/", rule_text(&along));
  rule_add(&rate, "sqrt(%s)", rule_text(&square));
  signal_output(b, "v", rule_text(&rate));
  signal_name(b, "v");
}

static void measure_joint(SarSignalBuild* b, const char* joint) {
  SignalRule x = {.b = b}, v = {.b = b};
  rule_add(&x, "%s.q + offset", joint);
  rule_add(&v, "%s.v", joint);
  signal_output(b, "x", rule_text(&x));
  signal_output(b, "v", rule_text(&v));
  signal_name(b, "x");
  signal_name(b, "v");
}

static SpecForce* add_force(SarSignalBuild* b, const char* kind) {
  SpecForce* f = SAR_LIST_ADD(&b->spec->arena, &b->spec->forces);
  if (!f) {
    b->failed = true;
    return NULL;
  }
  *f = (SpecForce){.name = b->s->name, .kind = sar_force_kind_find(kind)};
  return f;
}

// Attribute of a force element, by its name.
static SpecValue* value_of(SpecForce* f, const char* name, SarLoc loc) {
  for (int i = 0; i < f->kind->nattr; i++)
    if (strcmp(f->kind->attr[i].name, name) == 0) {
      f->values[i].given = true;
      f->values[i].loc = loc;
      return &f->values[i];
    }
  return NULL;
}

static void give_number(SarSignalBuild* b, SpecForce* f, const char* name, const char* rule) {
  SpecValue* v = value_of(f, name, b->s->name.loc);
  v->numbers = SAR_ARENA_NEW(&b->spec->arena, SpecNum);
  if (!v->numbers) return;
  v->count = 1;
  v->numbers[0] = signal_number(b, rule);
}

static void give_name(SpecForce* f, const char* attribute, const char* name, SarLoc loc) {
  value_of(f, attribute, loc)->name = (SpecName){name, loc};
}

static void act(SarSignalBuild* b, const char* joint, const char* const* point) {
  SpecForce* f = add_force(b, joint ? "joint_force" : "spring_damper");
  if (!f) return;
  if (joint) {
    give_name(f, "joint", joint, b->s->value[JOINT].loc);
    give_number(b, f, "value", "force");
    return;
  }
  give_name(f, "first", point[0], b->s->value[POINTS].numbers[0].loc);
  give_name(f, "second", point[1], b->s->value[POINTS].numbers[1].loc);
  give_number(b, f, "law", "-force");  // tension
}

static bool keys_are_right(SarSignalBuild* b) {
  if (!circuit_ports(b, 2, "cylinder: [A, B]")) return false;
  if (signal_given(b, JOINT) == signal_given(b, POINTS)) {
    signal_wrong(b, signal_given(b, JOINT) ? JOINT : 0,
                 "joint: a prismatic one, or points: [body.point, body.point]",
                 "acts on a joint or between two points: give one of them");
    return false;
  }
  if (signal_given(b, POINTS) && signal_count(b, POINTS) != 2) {
    signal_wrong(b, POINTS, "", "points has %d names, expected 2", signal_count(b, POINTS));
    return false;
  }
  for (int key = AREA; key <= DEAD; key += DEAD - AREA)
    if (signal_given(b, key) && signal_count(b, key) != 2) {
      signal_wrong(b, key, "one for each chamber", "%s has %d numbers, expected 2",
                   b->s->kind->key[key].name, signal_count(b, key));
      return false;
    }
  return true;
}

static void build_cylinder(SarSignalBuild* b) {
  const char *joint = NULL, *point[2] = {NULL, NULL};
  if (!keys_are_right(b)) return;
  if (signal_given(b, JOINT)) {
    joint = name_at(b, JOINT, 0, "the name of a prismatic joint");
    if (!joint) return;
    measure_joint(b, joint);
  } else {
    for (int i = 0; i < 2; i++)
      if (!(point[i] = name_at(b, POINTS, i, "points: [body.point, body.point]"))) return;
    measure_line(b, point[0], point[1]);
  }
  const bool dead = signal_given(b, DEAD);
  circuit_holds(b, 0, dead ? "dead_1 + area_1*x" : "1e-5 + area_1*x", "area_1*v", NULL);
  circuit_holds(b, 1, dead ? "dead_2 + area_2*(stroke - x)" : "1e-5 + area_2*(stroke - x)",
                "-area_2*v", NULL);
  if (signal_given(b, CHAMBER_LEAK))
    circuit_path(b, "flow", 0, 1, "leak*(cylinder_1 - cylinder_2)");
  signal_output(b, "force",
                "area_1*cylinder_1 - area_2*cylinder_2 - friction*v - stop*(min(x, 0) + max(x - "
                "stroke, 0))");
  signal_name(b, "force");
  act(b, joint, point);
}

const SarSignalKind sar_hydraulic_cylinder = {
    .name = "cylinder",
    .doc = "double-acting cylinder on a prismatic joint or between two points",
    .key = {{"cylinder", SAR_SIGNAL_LIST, NULL, false,
             "[A, B]: the chamber that extends it, the other"},
            {"joint", SAR_SIGNAL_NUMBER, "", false, "prismatic joint"},
            {"points", SAR_SIGNAL_LIST, "", false, "[body.point, body.point]"},
            {"area", SAR_SIGNAL_LIST, NULL, false, "[A1, A2] of the piston [m^2]"},
            {"stroke", SAR_SIGNAL_NUMBER, NULL, true, "[m]"},
            {"offset", SAR_SIGNAL_NUMBER, "0", false, "place of the piston at q or length 0 [m]"},
            {"dead", SAR_SIGNAL_LIST, "", false, "volumes beside the strokes [m^3]; default 1e-5"},
            {"friction", SAR_SIGNAL_NUMBER, "0", false, "viscous [N s/m]"},
            {"leak", SAR_SIGNAL_NUMBER, "", false, "between the chambers [m^3/s/Pa]"},
            {"stop", SAR_SIGNAL_NUMBER, "1e7", false, "stiffness of the stops at both ends [N/m]"}},
    .nkey = 10,
    .example = "{cylinder: [a, b], joint: sliding, area: [1e-3, 8e-4], stroke: 0.5, offset: 0.2}",
    .build = build_cylinder,
};
