// Prescribed motions f(t) and curves g(x): functions of one name alone, with two derivatives taken
// symbolically. A motion may follow states of the user's own too, f(t, z):
//
//   f' = df/dt + df/dz rate,   f'' = d/dt of that, along the motion
//
// f' must not know velocities, or f'' would ask for the accelerations that it decides; nor may f
// and f' know inputs, which the host program sets in steps: position and speed would jump. So
// whatever is measured or set from outside reaches a motion through two states, filter(filter(x,
// T), T) say.
//
// A motion that jumps would need an infinite force for no time at all, so it is refused. Where only
// its speed jumps the mechanism gets an impulse: allowed, with a warning.
#include "model/compile/parts.h"

#include <math.h>
#include <string.h>

// ---- functions of one name --------------------------------------------------------------------

typedef struct OnlyName {
  Compile* c;
  Item item;
  const char *key, *name;  // the one that is allowed
  const char* hint;
  SpecNum num;
  bool wrong;
} OnlyName;

static void check_only(void* context, const char* name) {
  OnlyName* o = context;
  if (o->wrong || strcmp(name, o->name) == 0) return;
  o->wrong = true;
  sar_complain(o->c, o->item, sar_place_of_name(o->c, o->num, name), o->hint,
               "%s must be a function of %s alone, but it uses '%s'", o->key, o->name, name);
}

// The expression with nothing but `name` in it, and its two derivatives; false after a report.
// sine: of the sine of it.
static bool function_of(Compile* c, SpecNum n, Item item, const char* key, const char* name,
                        const Locals* locals, bool sine, SarNode f[3]) {
  const char* hint = locals ? ""
                            : "it must be known before the run; or let states follow it: "
                              "filter(filter(x, T), T), say";
  OnlyName only = {c, item, key, name, hint, n, false};
  const SarNode bound = sar_bound(c, n, item, key, locals);
  f[0] = bound >= 0 ? sar_written_out(c, bound, item, n.loc, key) : SAR_NONE;
  if (f[0] < 0) return false;
  sar_sym_visit(c->graph, f[0], check_only, &only);
  if (only.wrong) return false;
  if (sine) f[0] = sar_sym_sin(c->graph, f[0]);
  for (int k = 1; k < 3; k++) {
    f[k] = sar_sym_diff(c->graph, f[k - 1], sar_sym_symbol(c->graph, name));
    if (f[k] >= 0) continue;
    if (!c->arena.failed)
      sar_complain(c, item, n.loc, "write it in a simpler way",
                   "%s is too long to be differentiated twice", key);
    return false;
  }
  return true;
}

int sar_curve_of(Compile* c, SpecNum n, Item item, const char* key, const Locals* locals) {
  SarNode g[3];
  if (!function_of(c, n, item, key, locals->name[0], locals, false, g)) return -1;
  int first = sar_law_of(c, g[0], locals);
  for (int k = 1; k < 3; k++)
    if (sar_law_of(c, g[k], locals) < 0) return -1;
  return first;
}

// ---- motions ----------------------------------------------------------------------------------

typedef struct Motion3 {
  Compile* c;
  const ExprPart* part;  // f, f', f''
  double* scratch;
} Motion3;

static double value_at(const Motion3* f, int order, double t) {
  const ExprPart* e = &f->part[order];
  return sar_program_eval(&e->program, e->instr, &t, f->scratch);
}

// Limit of f or f' on one side of t, to second order in the distance from it.
static double limit(const Motion3* f, int order, double t, double side) {
  double h = side * 1e-6 * fmax(1, fabs(t));
  return value_at(f, order, t + h) - h * value_at(f, order + 1, t + h);
}

static bool jumps(const Motion3* f, int order, double t, double* before, double* after) {
  *before = limit(f, order, t, -1);
  *after = limit(f, order, t, 1);
  double scale = 1 + fabs(*before) + fabs(*after);
  if (fabs(*before) < 1e-9 * scale) *before = 0;  // rounding of the limit
  if (fabs(*after) < 1e-9 * scale) *after = 0;
  return fabs(*after - *before) > 1e-7 * scale;
}

// Reports the first jump; a jump of f hides those of f'.
static void check_jumps(const Motion3* f, Item item, const char* key, SarLoc loc,
                        const SarKink* kinks, int n) {
  for (int order = 0; order < 2; order++)
    for (int i = 0; i < n; i++) {
      double t, before, after;
      if (!sar_kink_next(&kinks[i], 0, &t) || !jumps(f, order, t, &before, &after)) continue;
      if (order == 0)
        sar_complain(f->c, item, loc, "let it run from one value to the other, with smoothstep say",
                     "%s jumps from %.6g to %.6g at t = %.6g: no force can do that", key, before,
                     after, t);
      else
        sar_remark(f->c, item, loc, "round the corner, with smoothstep say",
                   "the speed of %s jumps from %.6g to %.6g at t = %.6g: the mechanism gets an "
                   "impulse there",
                   key, before, after, t);
      return;
    }
}

// ---- motions that follow states -----------------------------------------------------------------

typedef struct Follow {
  Compile* c;
  Item item;
  SpecNum num;
  const char* key;
  int order;        // of the derivative that is looked at
  bool uses_state;  // it has a state in it
  bool wrong;
} Follow;

// Inputs and discrete-time states jump.
static bool is_input(const Compile* c, const char* name) {
  const int i = sar_names_find(&c->symbol_names, name);
  return i >= 0 && (c->symbol[i].kind == SYMBOL_INPUT || c->symbol[i].kind == SYMBOL_DISCRETE);
}

static void look_for_state(void* context, const char* name) {
  Follow* f = context;
  if (sar_find_state(f->c, name) >= 0) f->uses_state = true;
}

// What f (order 0: t and states) and f' (also positions) may not use.
static void check_followed(void* context, const char* name) {
  Follow* f = context;
  SarMeasure of;
  if (f->wrong || strcmp(name, "t") == 0 || sar_find_state(f->c, name) >= 0) return;
  const bool input = is_input(f->c, name);
  const bool place =
      !input && sar_find_measure(f->c, name, &of) &&
      (of.kind == SAR_MEASURE_Q || of.kind == SAR_MEASURE_POINT || of.kind == SAR_MEASURE_QUAT);
  if (f->order == 1 && place) return;
  f->wrong = true;
  const SarLoc at = f->order == 0 ? sar_place_of_name(f->c, f->num, name) : f->num.loc;
  if (f->order == 0)
    sar_complain(f->c, f->item, at, "let states follow it: filter(filter(x, T), T), say",
                 "%s must be a function of t and states, but it uses '%s'", f->key, name);
  else
    sar_complain(f->c, f->item, at, "let one more state follow it: filter(filter(x, T), T), say",
                 "the speed of %s depends on '%s': %s", f->key, name,
                 input ? "it would jump with it" : "its acceleration would depend on itself");
}

// A state whose rate could not be read, which has been said there.
static bool is_wrong_state(const Compile* c, const char* name) {
  const int i = name ? sar_find_state(c, name) : -1;
  return i >= 0 && !c->states.items[i].own && c->states.items[i].rate_slot < 0;
}

// f, f' and f'' of a motion with states in it; false after a report.
static bool follow(Compile* c, SpecNum n, Item item, const char* key, SarNode f[3]) {
  Follow look = {.c = c, .item = item, .num = n, .key = key};
  SarKink* kinks;
  const char* unknown = NULL;
  for (int k = 0; k < 3; k++) {
    if (k > 0) f[k] = sar_rate_of(c, f[k - 1], &unknown);
    if (f[k] < 0 || unknown) {
      if (!c->arena.failed && !is_wrong_state(c, unknown))
        sar_complain(c, item, n.loc, "write it in a simpler way",
                     "%s is too long to be differentiated twice", key);
      return false;
    }
    look.order = k;
    if (k < 2) sar_sym_visit(c->graph, f[k], check_followed, &look);
    if (look.wrong) return false;
  }
  if (sar_expr_kinks(c->graph, f[0], "t", &kinks) == 0) return true;
  sar_complain(c, item, n.loc, "put the switch into the rate of a state",
               "%s follows states, but it is not smooth itself", key);
  return false;
}

// A motion with states in it: it is bound a second time below, which costs nothing.
static bool follows_states(Compile* c, SpecNum n, Item item, const char* key, SarNode* f) {
  Follow look = {.c = c};
  const SarNode bound = sar_bound(c, n, item, key, NULL);
  *f = bound >= 0 ? sar_written_out(c, bound, item, n.loc, key) : SAR_NONE;
  if (*f >= 0) sar_sym_visit(c->graph, *f, look_for_state, &look);
  return look.uses_state;
}

int sar_motion_of(Compile* c, SpecNum n, Item item, const char* key, bool sine, double* value) {
  SarNode e[3];
  SarKink* kinks;
  const int errors = c->err->errors;
  const bool follows = follows_states(c, n, item, key, &e[0]);
  if (c->err->errors > errors || e[0] < 0) {
    *value = WRONG;  // said, or it uses what could not be read
    return -1;
  }
  if (sine) e[0] = sar_sym_sin(c->graph, e[0]);
  if (follows && !follow(c, n, item, key, e)) {
    *value = WRONG;
    return -1;
  }
  if (!follows && (!function_of(c, n, item, key, "t", NULL, sine, e) ||
                   sar_node_is_number(c->graph, e[0], value)))
    return -1;
  if (follows) c->m.drives_follow = true;
  int first = c->drives.count, slot = sar_take_slots(c, 3), registers = 1;
  for (int k = 0; k < 3; k++) {
    ExprPart part = {.slot = slot + k};
    if (!sar_program_of(c, e[k], NULL, &part)) return -1;
    ExprPart* place = SAR_LIST_ADD(&c->arena, &c->drives);
    if (!place) return -1;
    *place = part;
    if (part.program.registers > registers) registers = part.program.registers;
  }
  if (!sar_add_kinks(c, e[0], NULL)) return -1;
  if (follows) return slot;
  int count = sar_expr_kinks(c->graph, e[0], "t", &kinks);
  Motion3 f = {c, &c->drives.items[first], SAR_ARENA_ARRAY(&c->arena, double, registers)};
  if (!f.scratch) return -1;
  check_jumps(&f, item, key, n.loc, kinks, count);
  return slot;
}
