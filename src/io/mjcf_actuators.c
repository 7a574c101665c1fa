// Actuators of MJCF, as expressions of their control u (an input of the model), the length l = gear
// L of what they work on (mjcf_drives.c) and its rate:
//
//   force = (g0 + g1 l + g2 l') a + b0 + b1 l + b2 l',
//     a = u, or a state of u (filter, integral);  tau = gear force dL/dq
//
// motor, position, velocity, intvelocity, damper, cylinder and general are cases of it. u and the
// force are clamped to ctrlrange and forcerange.
#include "io/mjcf.h"

#include <stdio.h>
#include <string.h>

typedef struct Law {
  double gain[3], bias[3];
  enum { DIRECT, INTEGRAL, FILTER } activation;
  double time;  // of the filter [s]
} Law;

typedef struct Range {
  bool on;
  double low, high;
} Range;

static Range range_of(Mjcf* m, const XmlTag* tag, const char* range, const char* limited) {
  double r[2];
  if (m->off.clamping && strcmp(range, "ctrlrange") == 0) return (Range){false, 0, 0};
  const bool given = sar_mjcf_numbers(m, tag, range, 2, 2, r) == 2;
  const bool on = sar_mjcf_flag(m, tag, limited, given && m->compiler.autolimits);
  return given && on ? (Range){true, r[0], r[1]} : (Range){false, 0, 0};
}

static bool is_one_of(const char* word, const char* const* words, int n) {
  for (int i = 0; i < n; i++)
    if (strcmp(word, words[i]) == 0) return true;
  return false;
}

// A word that is not taken is told at its place.
static bool taken(Mjcf* m, const XmlTag* tag, const char* name, const char* otherwise,
                  const char* const* words, int n) {
  const char* word = sar_mjcf_word(m, tag, name, otherwise);
  if (is_one_of(word, words, n)) return true;
  sar_warn(m->err, tag->loc, "", "<%s>: %s '%.30s' is not taken: there is no such actuator here",
           tag->name, name, word);
  return false;
}

static bool read_general(Mjcf* m, const XmlTag* tag, Law* law) {
  static const char* const dynamics[] = {"none", "integrator", "filter", "filterexact"};
  static const char* const gains[] = {"fixed", "affine"};
  static const char* const biases[] = {"none", "affine"};
  double gain[10] = {1}, bias[10] = {0}, dyn[10] = {1};
  if (!taken(m, tag, "dyntype", "none", dynamics, 4) ||
      !taken(m, tag, "gaintype", "fixed", gains, 2) ||
      !taken(m, tag, "biastype", "none", biases, 2))
    return false;
  sar_mjcf_numbers(m, tag, "gainprm", 1, 10, gain);
  sar_mjcf_numbers(m, tag, "biasprm", 1, 10, bias);
  sar_mjcf_numbers(m, tag, "dynprm", 1, 10, dyn);
  const bool affine = strcmp(sar_mjcf_word(m, tag, "gaintype", "fixed"), "affine") == 0;
  const bool biased = strcmp(sar_mjcf_word(m, tag, "biastype", "none"), "affine") == 0;
  for (int i = 0; i < 3; i++) {
    law->gain[i] = i == 0 || affine ? gain[i] : 0;
    law->bias[i] = biased ? bias[i] : 0;
  }
  const char* dynamic = sar_mjcf_word(m, tag, "dyntype", "none");
  law->activation = dynamic[0] == 'n' ? DIRECT : dynamic[0] == 'i' ? INTEGRAL : FILTER;
  law->time = dyn[0];
  return true;
}

static bool read_law(Mjcf* m, const XmlTag* tag, Law* law) {
  *law = (Law){.gain = {1, 0, 0}};
  const bool through = sar_mjcf_is(tag, "intvelocity");
  if (sar_mjcf_is(tag, "general")) return read_general(m, tag, law);
  if (sar_mjcf_is(tag, "position") || through) {
    const double kp = sar_mjcf_number(m, tag, "kp", 1), kv = sar_mjcf_number(m, tag, "kv", 0);
    *law = (Law){.gain = {kp, 0, 0}, .bias = {0, -kp, -kv}};
    law->time = sar_mjcf_number(m, tag, "timeconst", 0);
    law->activation = through ? INTEGRAL : law->time > 0 ? FILTER : DIRECT;
  }
  if (sar_mjcf_is(tag, "velocity")) {
    const double kv = sar_mjcf_number(m, tag, "kv", 1);
    *law = (Law){.gain = {kv, 0, 0}, .bias = {0, 0, -kv}};
  }
  if (sar_mjcf_is(tag, "damper")) *law = (Law){.gain = {0, 0, -sar_mjcf_number(m, tag, "kv", 1)}};
  if (sar_mjcf_is(tag, "cylinder")) {
    double bias[3] = {0};
    sar_mjcf_numbers(m, tag, "bias", 3, 3, bias);
    const double diameter = sar_mjcf_number(m, tag, "diameter", -1);
    const double area = 3.14159265358979323846 / 4 * diameter * diameter;
    *law = (Law){.gain = {diameter >= 0 ? area : sar_mjcf_number(m, tag, "area", 1), 0, 0},
                 .bias = {bias[0], bias[1], bias[2]},
                 .activation = FILTER,
                 .time = sar_mjcf_number(m, tag, "timeconst", 1)};
  }
  return true;
}

// " + (x)*text" where x is not 0.
static const char* plus(Mjcf* m, const char* sum, double x, const char* text) {
  if (x == 0 || !sum) return sum;
  return sar_arena_printf(&m->arena, "%s%s(%.17g)%s%s", sum, sum[0] ? " + " : "", x,
                          text[0] ? "*" : "", text);
}

static const char* clamped(Mjcf* m, const char* text, Range r) {
  return r.on && text ? sar_arena_printf(&m->arena, "clamp(%s, %.17g, %.17g)", text, r.low, r.high)
                      : text;
}

// The control itself, or a state that follows it: its integral, or behind a filter of first order.
static const char* activation(Mjcf* m, const Law* law, MjcfActuator* to, const char* u) {
  const SarLoc loc = to->tag->loc;
  if (law->activation == DIRECT || !u) return u;
  SpecState* state = SAR_LIST_ADD(&m->spec->arena, &m->spec->states);
  if (!state) return NULL;
  state->rate.name = (SpecName){sar_arena_printf(&m->spec->arena, "%s_act", to->input), loc};
  to->state = state->rate.name.text;
  const char* a = to->state ? sar_mjcf_quoted(m, to->state) : NULL;
  const char* rate = law->activation == INTEGRAL || !a
                         ? u
                         : sar_arena_printf(&m->arena, "(%s - %s)/(%.17g)", u, a, law->time);
  if (rate)
    state->rate.value =
        (SpecNum){sar_expr_parse(&m->spec->arena, rate, strlen(rate), loc, m->err), loc};
  return a;
}

// The range of a control that is a position: that of the joint, `inheritrange` times as wide.
static Range inherited(Mjcf* m, const XmlTag* tag, const SpecJoint* joint, double gear) {
  double low, high;
  const double wide = sar_mjcf_number(m, tag, "inheritrange", 0);
  if (!(wide > 0) || !joint || !joint->lower.count || gear == 0) return (Range){false, 0, 0};
  sar_expr_is_number(joint->lower.c[0].expr, &low);
  sar_expr_is_number(joint->upper.c[0].expr, &high);
  const double middle = (low + high) / 2, half = wide * (high - low) / 2;
  return (Range){true, middle - half, middle + half};
}

// The force as an expression of the control, the length and its rate.
static const char* force_text(Mjcf* m, const Law* law, MjcfActuator* to, Range inherits) {
  const XmlTag* tag = to->tag;
  const char *u = sar_mjcf_quoted(m, to->input), *l = to->length, *v = to->rate;
  if (!u || !l || !v) return NULL;
  const bool integrates = law->activation == INTEGRAL;  // it is the state that is a position
  const Range control =
      inherits.on && !integrates ? inherits : range_of(m, tag, "ctrlrange", "ctrllimited");
  const Range state =
      inherits.on && integrates ? inherits : range_of(m, tag, "actrange", "actlimited");
  const char* a = activation(m, law, to, clamped(m, u, control));
  if (law->activation != DIRECT) a = clamped(m, a, state);
  const char* gain =
      plus(m, plus(m, plus(m, "", law->gain[0], ""), law->gain[1], l), law->gain[2], v);
  const char* bias =
      plus(m, plus(m, plus(m, "", law->bias[0], ""), law->bias[1], l), law->bias[2], v);
  if (!a || !gain || !bias) return NULL;
  const char* force = sar_arena_printf(&m->arena, "(%s)*(%s)%s%s", gain[0] ? gain : "0", a,
                                       bias[0] ? " + " : "", bias);
  return clamped(m, force, range_of(m, tag, "forcerange", "forcelimited"));
}

static bool is_taken(Mjcf* m, const SpecParameter* but, const char* name) {
  for (int i = 0; i < m->spec->inputs.count; i++) {
    const SpecParameter* other = &m->spec->inputs.items[i];
    if (other != but && other->name.text && strcmp(other->name.text, name) == 0) return true;
  }
  for (int i = 0; i < m->spec->variables.count; i++) {
    const char* other = m->spec->variables.items[i].name.text;
    if (other && strcmp(other, name) == 0) return true;
  }
  return false;
}

// An input must not have the name of a joint or a word (e, t), which expressions know too, nor of
// another input or a variable.
static void make_own(Mjcf* m, SpecParameter* input) {
  const char* name = input->name.text;
  const bool has_meaning = name && (strcmp(name, "t") == 0 || sar_expr_is_reserved(name));
  if (name && (has_meaning || sar_mjcf_joint(m, name)))
    name = sar_arena_printf(&m->spec->arena, "%s_control", name);
  const char* first = name;
  for (int k = 2; name && is_taken(m, input, name); k++)
    name = sar_arena_printf(&m->spec->arena, "%s_%d", first, k);
  input->name.text = name;
}

static const char* new_input(Mjcf* m, const XmlTag* tag, const char* on) {
  SpecParameter* input = SAR_LIST_ADD(&m->spec->arena, &m->spec->inputs);
  if (!input) return NULL;
  input->name = sar_mjcf_name(m, tag, "actuator");
  if (!sar_xml_attribute(tag, "name") && input->name.text)
    input->name.text = sar_arena_printf(&m->spec->arena, "%s_%s", on, tag->name);
  make_own(m, input);
  input->value = sar_mjcf_num(m, 0, tag->loc);
  return input->name.text;
}

static void read_actuator(Mjcf* m, const XmlTag* tag) {
  static const char* const kinds[] = {"motor",  "position", "velocity", "intvelocity",
                                      "damper", "cylinder", "general"};
  MjcfActuator* a = SAR_LIST_ADD(&m->arena, &m->actuators);
  MjcfDrive to;
  Law law;
  if (!a) return;
  *a = (MjcfActuator){.tag = tag};
  if (!is_one_of(tag->name, kinds, 7)) return;  // told by the check
  if (!sar_mjcf_drive_find(m, tag, &to) || !read_law(m, tag, &law)) return;
  const char* input = new_input(m, tag, to.name);
  if (!input) return;
  a->input = input;
  sar_mjcf_drive_motion(m, &to, a);
  a->force =
      sar_mjcf_parsed(m, force_text(m, &law, a, inherited(m, tag, to.joint, to.gear[0])), tag->loc);
  if (a->force && !m->off.actuation) sar_mjcf_drive_act(m, &to, a);
}

void sar_mjcf_actuators(Mjcf* m, const XmlTag* section) {
  for (const XmlTag* tag = section->first; tag; tag = tag->next) read_actuator(m, tag);
}
