// Rates of expressions: d/dt along the motion, with laws' own locals held (the partial derivative
// in t that roads and motors need).
//
//   de/dt = de/dt|explicit + sum over measured quantities m of (de/dm) (dm/dt)
//
// Variables are written out first. The rate of a position is a quantity that can be measured too:
// of a coordinate q its v, of a point's x its vx, of an orientation 1/2 (0, w) q with w in ground
// axes. That of a speed is an acceleration, which forces decide and cannot use. That of a state is
// known. Inputs are held by the host program: they step.
#include "model/compile/parts.h"

#include <stdio.h>
#include <string.h>

typedef struct Rate {
  Compile* c;
  const char* unknown;  // the first name whose rate nobody knows; NULL: none
} Rate;

static SarNode parsed(Compile* c, const char* text) {
  const SarExpr* e = sar_expr_parse(&c->arena, text, strlen(text), (SarLoc){0}, NULL);
  return e ? sar_expr_enter(c->graph, e, NULL, NULL, NULL) : SAR_NONE;
}

// 1/2 (0, w) q, component by component; # stands for the body.
static const char* const TURNING[4] = {
    "-0.5*(#.wx*#.qx + #.wy*#.qy + #.wz*#.qz)", "0.5*(#.wx*#.qw + #.wy*#.qz - #.wz*#.qy)",
    "0.5*(#.wy*#.qw + #.wz*#.qx - #.wx*#.qz)", "0.5*(#.wz*#.qw + #.wx*#.qy - #.wy*#.qx)"};

static SarNode turning_rate(Compile* c, const char* owner, int component) {
  char text[1024];
  size_t n = 0, size = strlen(owner);
  for (const char* p = TURNING[component]; *p; p++) {
    if (n + size + 2 > sizeof text) return SAR_NONE;
    if (*p == '#') {
      memcpy(text + n, owner, size);
      n += size;
    } else {
      text[n++] = *p;
    }
  }
  text[n] = '\0';
  return parsed(c, text);
}

// The rate of a measured quantity, of what can be measured; SAR_NONE: it cannot, or no memory.
static SarNode measure_rate(Compile* c, const char* name, const SarMeasure* of) {
  static const char* const SPEED[3] = {"vx", "vy", "vz"};
  const char* dot = strrchr(name, '.');
  const char* owner = sar_arena_strndup(&c->arena, name, (size_t)(dot - name));
  if (!owner) return SAR_NONE;
  const char* suffix = NULL;
  if (of->kind == SAR_MEASURE_POINT) suffix = SPEED[of->component];
  if (of->kind == SAR_MEASURE_QUAT) return turning_rate(c, owner, of->component);
  if (of->kind == SAR_MEASURE_Q) {
    const SarJointKind* kind = c->joint[sar_names_find(&c->joint_names, owner)].kind;
    if (kind->nq == kind->nv) suffix = kind->v_suffix[of->component];
  }
  const char* rate = suffix ? sar_arena_printf(&c->arena, "%s.%s", owner, suffix) : NULL;
  return rate ? sar_sym_symbol(c->graph, rate) : SAR_NONE;
}

static SarNode rate_of_symbol(void* context, SarNode symbol) {
  Rate* r = context;
  SarMeasure measure;
  const char* name = sar_node_name(r->c->graph, symbol);
  if (strcmp(name, "t") == 0) return sar_sym_number(r->c->graph, 1);
  const int state = sar_find_state(r->c, name);
  if (state >= 0) {
    const SarNode rate = r->c->states.items[state].rate;
    if (rate < 0 && !r->unknown) r->unknown = name;
    return rate;
  }
  if (!sar_find_measure(r->c, name, &measure)) return SAR_NONE;  // a local, an input: held
  if (measure.kind == SAR_MEASURE_HELD) return SAR_NONE;
  const SarNode rate = measure_rate(r->c, name, &measure);
  if (rate < 0 && !r->unknown) r->unknown = name;
  return rate;
}

SarNode sar_rate_of(Compile* c, SarNode bound, const char** unknown) {
  Rate r = {.c = c};
  const SarNode written = sar_expanded(c, bound);
  SarNode e = SAR_NONE;
  if (written >= 0) sar_sym_forward(c->graph, 1, &written, rate_of_symbol, &r, &e);
  *unknown = r.unknown;
  return e;
}
