// Elements on coordinates of joints over symbols (elements/forces/coordinate.h).
#include "codegen/elements.h"

void sar_symbols_joint_element(SarSymbols* s, int force) {
  const int joint = attr(s, force, "joint")->index;
  const int i = (int)*numbers(s, attr(s, force, "component")) - 1;
  SarNode tau[SAR_JOINT_MAX_NV], q[SAR_JOINT_MAX_NQ], v[SAR_JOINT_MAX_NV];
  for (int k = 0; k < SAR_JOINT_MAX_NV; k++) tau[k] = s_num(s->g, 0);
  tau[i] = scalar(s, attr(s, force, "value"));
  sar_symbols_flip(s, joint, &s->q[s->m->joint_qadr[joint]], &s->v[s->m->joint_vadr[joint]], q, v);
  sar_symbols_add_joint_force(s, joint, tau);
  if (s->tangents && attr(s, force, "value")->index >= 0) {
    SymCoordinateTangent t = {{joint, -1}, {i, 0}, {s_num(s->g, 1), 0}, 0, 0};
    sar_symbols_follow_joint(s, attr(s, force, "value")->index, joint, i, &t.k, &t.c);
    sar_symbols_resist_joint(s, t);
  }
  s->force_power[force] = s_mul(s->g, tau[i], v[i]);
  set_outputs(s, force, &tau[i]);
}

// A coordinate of a joint, in the direction of the file (elements/forces/coordinate.h).
typedef struct Coordinate {
  int joint, i;
  SarNode q, v;
} Coordinate;

static Coordinate read_coordinate(SarSymbols* s, int joint, int i) {
  SarNode q[SAR_JOINT_MAX_NQ], v[SAR_JOINT_MAX_NV];
  sar_symbols_flip(s, joint, &s->q[s->m->joint_qadr[joint]], &s->v[s->m->joint_vadr[joint]], q, v);
  return (Coordinate){joint, i, q[i], v[i]};
}

// What resists coordinate c of a joint; what is negative is taken for 0.
static void resist_coordinate(SarSymbols* s, const Coordinate* c, SarNode k, SarNode damping) {
  SarGraph* g = s->g;
  const SarNode zero = s_num(g, 0);
  k = sar_sym_call(g, SAR_OP_MAX, k, zero);
  damping = sar_sym_call(g, SAR_OP_MAX, damping, zero);
  sar_symbols_resist_joint(
      s, (SymCoordinateTangent){{c->joint, -1}, {c->i, 0}, {s_num(g, 1), zero}, k, damping});
}

static void push_coordinate(SarSymbols* s, const Coordinate* c, SarNode f) {
  SarNode tau[SAR_JOINT_MAX_NV];
  for (int k = 0; k < SAR_JOINT_MAX_NV; k++) tau[k] = k == c->i ? f : s_num(s->g, 0);
  sar_symbols_add_joint_force(s, c->joint, tau);
}

// f = S(q) + D(v), or law(q, v); -f acts
void sar_symbols_joint_spring(SarSymbols* s, int force) {
  SarGraph* g = s->g;
  const Coordinate c = read_coordinate(s, attr(s, force, "joint")->index,
                                       (int)*numbers(s, attr(s, force, "component")) - 1);
  const SarAttrValue *rows = attr(s, force, "table"), *damper = attr(s, force, "damper_table"),
                     *whole = attr(s, force, "law");
  const SarNode x = s_sub(g, c.q, s_num(g, *numbers(s, attr(s, force, "rest"))));
  const SarNode elastic = rows->given ? table(s, rows, x) : s_num(g, 0);
  const SarNode other = whole->given    ? law(s, whole, c.q, c.v)
                        : damper->given ? table(s, damper, c.v)
                                        : s_num(g, 0);
  const SarNode resists = s_add(g, elastic, other);
  push_coordinate(s, &c, s_neg(g, resists));
  if (s->tangents)
    resist_coordinate(s, &c,
                      whole->given  ? law_slope(s, whole, 0, c.q, c.v)
                      : rows->given ? table_slope(s, rows, x)
                                    : s_num(g, 0),
                      whole->given    ? law_slope(s, whole, 1, c.q, c.v)
                      : damper->given ? table_slope(s, damper, c.v)
                                      : s_num(g, 0));
  s->force_power[force] = s_neg(g, s_mul(g, other, c.v));
  set_outputs(s, force, (SarNode[]){c.q, c.v, resists});
}

// P = max(0, k |e| + c d|e|/dt) of the flank that touches; see elements/forces/backlash.c
void sar_symbols_backlash(SarSymbols* s, int force) {
  SarGraph* g = s->g;
  const SarAttrValue* drive = attr(s, force, "drive");
  const Coordinate load = read_coordinate(s, attr(s, force, "joint")->index,
                                          (int)*numbers(s, attr(s, force, "component")) - 1);
  const SarNode zero = s_num(g, 0);
  SarNode x = s_sub(g, load.q, s_num(g, *numbers(s, attr(s, force, "offset")))), rate = load.v;
  SarNode ratio = zero;
  Coordinate driver = {0};
  if (drive->given) {
    const SarAttrValue* given = attr(s, force, "ratio");
    ratio = s_num(g, given->given ? *numbers(s, given) : 1);
    driver = read_coordinate(s, drive->index, 0);
    x = s_msc(g, x, ratio, driver.q);
    rate = s_msc(g, rate, ratio, driver.v);
  }
  const double half = 0.5 * *numbers(s, attr(s, force, "gap"));
  const SarNode beyond = greater(s, x, half), before = greater(s, s_neg(g, x), half);
  const SarNode side =
      sar_sym_select(g, beyond, s_num(g, 1), sar_sym_select(g, before, s_num(g, -1), zero));
  const SarNode touches = sar_sym_call(g, SAR_OP_OR, beyond, before);
  const SarNode depth = s_sub(g, s_mul(g, side, x), s_num(g, half)), out = s_mul(g, side, rate);
  const SarNode k = s_num(g, *numbers(s, attr(s, force, "stiffness")));
  const SarNode raw =
      s_mac(g, s_mul(g, k, depth), s_num(g, *numbers(s, attr(s, force, "damping"))), out);
  const SarNode pushes = sar_sym_call(g, SAR_OP_AND, touches, greater(s, raw, 0));
  const SarNode value = sar_sym_select(g, pushes, s_neg(g, s_mul(g, side, raw)), zero);
  push_coordinate(s, &load, value);
  if (drive->given) push_coordinate(s, &driver, s_neg(g, s_mul(g, ratio, value)));
  const SarNode c = s_num(g, *numbers(s, attr(s, force, "damping")));
  sar_symbols_resist_joint(s, (SymCoordinateTangent){{load.joint, drive->given ? driver.joint : -1},
                                                     {load.i, driver.i},
                                                     {s_num(g, 1), s_neg(g, ratio)},
                                                     sar_sym_select(g, pushes, k, zero),
                                                     sar_sym_select(g, pushes, c, zero)});
  const SarNode taken = sar_sym_select(g, touches, s_mul(g, s_mul(g, k, depth), out), zero);
  s->force_power[force] = s_mac(g, taken, value, rate);
  set_outputs(s, force, (SarNode[]){x, rate, value});
}
