// Gates by known times over symbols (gates.h): sim/events.c and model/gate.c.
#include "codegen/gates.h"

#include "base/print.h"
#include "dynamics/tree.h"

#include <math.h>

// ---- what is held -------------------------------------------------------------------------------

static bool takes_hold(const SarGate* gate) {
  return gate->target == SAR_GATE_CONSTRAINT && gate->hold;
}

int sar_held_of(const SarModel* m, int g) {
  const SarGate* gate = &m->gate[g];
  if (!takes_hold(gate)) return 0;
  const SarConstraint* c = &m->constraint[gate->index];
  return c->source == SAR_FROM_CUT ? SAR_HELD_FRAME : c->rows;
}

int sar_held_count(const SarModel* m) {
  int n = 0;
  for (int g = 0; g < m->ngate; g++) n += sar_held_of(m, g);
  return n;
}

void sar_held_read(const SarModel* m, const SarData* d, double* out) {
  for (int g = 0; g < m->ngate; g++) {
    const int n = sar_held_of(m, g);
    if (n == 0) continue;
    const SarConstraint* c = &m->constraint[m->gate[g].index];
    if (c->source == SAR_FROM_CUT) {
      const Xform X = d->cut_X_B[m->gate[g].index];
      const double x[SAR_HELD_FRAME] = {X.p.x,  X.p.y,  X.p.z,  X.R.xx, X.R.xy, X.R.xz,
                                        X.R.yx, X.R.yy, X.R.yz, X.R.zx, X.R.zy, X.R.zz};
      for (int i = 0; i < n; i++) out[i] = x[i];
    } else {
      for (int i = 0; i < n; i++) out[i] = d->row_hold[c->row + i];
    }
    out += n;
  }
}

int sar_gates_of_constraints(const SarModel* m) {
  for (int g = 0; g < m->ngate; g++)
    if (m->gate[g].target == SAR_GATE_CONSTRAINT) return g;
  return -1;
}

void sar_gates_meet(const SarModel* m, SarData* d) {
  sar_gates_open(m, d);
  sar_update_kinematics(m, d);
  sar_update_world(m, d);
  for (int g = 0; g < m->ngate; g++) {
    const int i = m->gate[g].index;
    if (m->gate[g].target != SAR_GATE_CONSTRAINT || m->constraint[i].source != SAR_FROM_CUT)
      continue;
    const SarCut* c = &m->cut[i];
    const Xform X_GP = c->body[0] < 0 ? x_identity() : d->body_X_GB[c->body[0]];
    const Xform X_GC = c->body[1] < 0 ? x_identity() : d->body_X_GB[c->body[1]];
    d->cut_X_B[i] = x_mul(x_inv(X_GC), x_mul(X_GP, c->X_BF[0]));
    sar_gates_place(m, d, i);
  }
}

// First of what a gate holds; -1: nothing.
static int held_at(const SarModel* m, int gate) {
  int at = 0;
  for (int g = 0; g < gate; g++) at += sar_held_of(m, g);
  return sar_held_of(m, gate) > 0 ? at : -1;
}

// ---- refusals -----------------------------------------------------------------------------------

void sar_symbols_refuse_gates(SarSymbols* s) {
  for (int g = 0; g < s->m->ngate; g++)
    sar_symbols_refuse(s, "'%s' is switched on and off during the run",
                       sar_text(s->m, s->m->gate[g].name));
}

void sar_symbols_refuse_conditions(SarSymbols* s) {
  const SarModel* m = s->m;
  for (int g = 0; g < m->ngate; g++)
    if (m->gate[g].from.slot >= 0 || m->gate[g].until.slot >= 0)
      sar_symbols_refuse(s, "'%s' is switched by a condition, and not at known times",
                         sar_text(m, m->gate[g].name));
}

// ---- on or off ----------------------------------------------------------------------------------

// Triggers at -inf are true, at inf never.
static SarNode is_past(const SarSymbols* s, double time) {
  if (isinf(time)) return s_num(s->g, time < 0);
  return sar_sym_call(s->g, SAR_OP_GE, s->t, s_num(s->g, time));
}

static SarNode is_on(const SarSymbols* s, const SarGate* gate) {
  const SarNode ended = sar_sym_call(s->g, SAR_OP_NOT, is_past(s, gate->until.time), SAR_NONE);
  return sar_sym_call(s->g, SAR_OP_AND, is_past(s, gate->from.time), ended);
}

static SarNode* nodes(SarSymbols* s, int n) {
  SarNode* node = SAR_ARENA_ARRAY(s->arena, SarNode, n + 1);
  for (int i = 0; node && i < n; i++) node[i] = SAR_NONE;
  return node;
}

bool sar_symbols_gates_init(SarSymbols* s) {
  const SarModel* m = s->m;
  const int held = sar_held_count(m);
  if (m->ngate == 0) return true;
  s->force_on = nodes(s, m->nforce);
  s->row_on = nodes(s, m->nrow);
  s->measured = nodes(s, m->nrow);
  s->held = nodes(s, held);
  if (!s->force_on || !s->row_on || !s->measured || !s->held) return false;
  for (int i = 0; i < held; i++) {
    char name[24];
    sar_snprintf(name, sizeof name, "held[%d]", i);
    s->held[i] = sar_sym_symbol(s->g, name);
  }
  for (int g = 0; g < m->ngate; g++) {
    const SarGate* gate = &m->gate[g];
    const SarNode on = is_on(s, gate);
    if (gate->target == SAR_GATE_FORCE) {
      s->force_on[gate->index] = on;
      continue;
    }
    const SarConstraint* c = &m->constraint[gate->index];
    for (int i = c->row; i < c->row + c->rows; i++) s->row_on[i] = on;
  }
  return true;
}

SarNode sar_symbols_if_on(const SarSymbols* s, SarNode on, SarNode then, SarNode otherwise) {
  return then == otherwise ? then : sar_sym_select(s->g, on, then, otherwise);
}

// ---- frames -------------------------------------------------------------------------------------

// The gate of the joint that a pair belongs to, if that takes hold; -1: none.
static int holding_gate(const SarModel* m, int pair) {
  const int c = m->row[m->term[m->pair[pair].term].row].constraint;
  for (int g = 0; g < m->ngate; g++)
    if (takes_hold(&m->gate[g]) && m->gate[g].index == c && m->constraint[c].source == SAR_FROM_CUT)
      return g;
  return -1;
}

static bool held_frame(const SarSymbols* s, int pair, const SarNode** held) {
  const int gate = s->held ? holding_gate(s->m, pair) : -1;
  if (gate < 0) return false;
  *held = &s->held[held_at(s->m, gate)];
  return true;
}

bool sar_symbols_held_point(const SarSymbols* s, int pair, SymV3* p) {
  const SarNode* x;
  if (!held_frame(s, pair, &x)) return false;
  *p = (SymV3){x[0], x[1], x[2]};
  return true;
}

// w' = R_bB' R_bB^-1 w
bool sar_symbols_held_direction(const SarSymbols* s, int pair, V3 w, SymV3* out) {
  const SarNode* x;
  if (!held_frame(s, pair, &x)) return false;
  const int cut = s->m->row[s->m->term[s->m->pair[pair].term].row].constraint;
  const V3 own = m3_tmul_v(s->m->cut[cut].X_BF[1].R, w);
  const SymM3 R = {x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10], x[11]};
  *out = sm3_mul_v(s->g, R, sv3_of(s->g, own));
  return true;
}

SarNode sar_symbols_row_held(const SarSymbols* s, int row) {
  const SarModel* m = s->m;
  const int c = m->row[row].constraint;
  for (int g = 0; s->held && g < m->ngate; g++)
    if (takes_hold(&m->gate[g]) && m->gate[g].index == c && m->constraint[c].source != SAR_FROM_CUT)
      return s->held[held_at(m, g) + row - m->constraint[c].row];
  return SAR_NONE;
}

// X_CF = X_GC^-1 X_GP X_PF
static void hold_frame(const SarSymbols* s, const SarCut* c, SarNode* out) {
  SarGraph* g = s->g;
  const SymXform X_GC = sar_symbols_pose(s, c->body[1]);
  const SymXform X_GF = sx_mul(g, sar_symbols_pose(s, c->body[0]), sx_of(g, c->X_BF[0]));
  const SymV3 p = sm3_tmul_v(g, X_GC.R, sv3_sub(g, X_GF.p, X_GC.p));
  const SymM3 R = sm3_mul(g, sm3_transpose(X_GC.R), X_GF.R);
  const SarNode x[SAR_HELD_FRAME] = {p.x,  p.y,  p.z,  R.xx, R.xy, R.xz,
                                     R.yx, R.yy, R.yz, R.zx, R.zy, R.zz};
  for (int i = 0; i < SAR_HELD_FRAME; i++) out[i] = x[i];
}

void sar_symbols_hold(const SarSymbols* s, SarNode* out) {
  const SarModel* m = s->m;
  for (int g = 0; g < m->ngate; g++) {
    const int n = sar_held_of(m, g);
    if (n == 0) continue;
    const SarConstraint* c = &m->constraint[m->gate[g].index];
    if (c->source == SAR_FROM_CUT)
      hold_frame(s, &m->cut[m->gate[g].index], out);
    else
      for (int i = 0; i < n; i++) out[i] = s->measured[c->row + i];
    out += n;
  }
}
