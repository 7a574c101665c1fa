// Prescribed motions f(t) and curves g(x): functions of one name alone, with two derivatives taken
// symbolically.
//
// A motion that jumps would need an infinite force for no time at all, so it is refused. Where only
// its speed jumps the mechanism gets an impulse: allowed, with a warning.
#include "model/compile_parts.h"

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

static void check_only(void* context, const char* name, SarLoc loc) {
  OnlyName* o = context;
  (void)loc;
  if (o->wrong || strcmp(name, o->name) == 0) return;
  o->wrong = true;
  sar_complain(o->c, o->item, sar_place_of_name(o->c, o->num, name), o->hint,
               "%s must be a function of %s alone, but it uses '%s'", o->key, o->name, name);
}

// The expression with nothing but `name` in it, and its two derivatives; false after a report.
static bool function_of(Compile* c, SpecNum n, Item item, const char* key, const char* name,
                        const Locals* locals, const SarExpr* f[3]) {
  const char* hint = locals ? "" : "what is prescribed must be known before the run";
  OnlyName only = {c, item, key, name, hint, n, false};
  const SarExpr* bound = sar_bound(c, n, item, key, locals);
  f[0] = bound ? sar_written_out(c, bound, item, n.loc, key) : NULL;
  if (!f[0]) return false;
  sar_expr_visit_graph(&c->graph, f[0], check_only, &only);
  if (only.wrong) return false;
  for (int k = 1; k < 3; k++) {
    f[k] = sar_expr_derivative(&c->graph, f[k - 1], name, NULL, NULL);
    if (f[k]) continue;
    if (!c->arena.failed)
      sar_complain(c, item, n.loc, "write it in a simpler way",
                   "%s is too long to be differentiated twice", key);
    return false;
  }
  return true;
}

int sar_curve_of(Compile* c, SpecNum n, Item item, const char* key, const Locals* locals) {
  const SarExpr* g[3];
  if (!function_of(c, n, item, key, locals->name[0], locals, g)) return -1;
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

int sar_motion_of(Compile* c, SpecNum n, Item item, const char* key, double* value) {
  const SarExpr* e[3];
  SarKink* kinks;
  if (!function_of(c, n, item, key, "t", NULL, e) || sar_expr_is_number(e[0], value)) return -1;
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
  int count = sar_expr_kinks(&c->graph, e[0], "t", &kinks);
  Motion3 f = {c, &c->drives.items[first], SAR_ARENA_ARRAY(&c->arena, double, registers)};
  if (!f.scratch) return -1;
  check_jumps(&f, item, key, n.loc, kinks, count);
  return slot;
}
