// What is switched on and off during the run (gate.h): joints, then constraints, then forces.
//
// A moment is a time, which steps land on, or a condition. The compiler looks for the kinks of a
// condition as it does for those of a force: each is a switching function, which adaptive
// integrators locate, or a time.
#include "model/compile/parts.h"

#include <string.h>

#define ALWAYS ((double)-INFINITY)
#define NEVER ((double)INFINITY)

typedef struct GateJob {
  Compile* c;
  Item item;
  const SpecGate* spec;
  SarGate gate;
  bool wrong;
} GateJob;

static void note_name(void* context, const char* name, SarLoc loc) {
  (void)name, (void)loc;
  *(bool*)context = true;
}

static bool has_names(const SarExpr* e) {
  bool found = false;
  sar_expr_visit_names(e, note_name, &found);
  return found;
}

static bool add_time(Compile* c, double time) {
  if (!(time > 0) || !isfinite(time)) return true;
  KinkPart* k = SAR_LIST_ADD(&c->arena, &c->kinks);
  if (!k) return false;
  *k = (KinkPart){time, 0};
  return true;
}

// which: 0 from, 1 until. False: no memory.
static bool add_condition(GateJob* j, SpecNum n, const char* key, SarNode e, int which,
                          SarTrigger* out) {
  Compile* c = j->c;
  SarKink* kinks;
  const SarNode truth = sar_expr_truth(c->graph, e);
  if (truth < 0) return false;
  if (sar_expr_kinks(c->graph, truth, "t", &kinks) == 0 && !c->arena.failed) {
    sar_complain(c, j->item, n.loc, "compare with < or >, as in t > 1 or hand.z < 0.2",
                 "%s never changes, or holds for single instants only", key);
    j->wrong = true;
    return true;
  }
  c->kink_gate = 2 * c->gates.count + which;
  out->slot = sar_slot_of(c, truth, true);
  c->kink_gate = -1;
  return !c->arena.failed;
}

// False: no memory.
static bool add_trigger(GateJob* j, SpecNum n, const char* key, int which, SarTrigger* out) {
  Compile* c = j->c;
  double value;
  if (!n.expr) return true;
  SarNode e = sar_bound(c, n, j->item, key, NULL);
  if (e >= 0) e = sar_written_out(c, e, j->item, n.loc, key);
  if (e < 0) {
    j->wrong = true;
    return !c->arena.failed;
  }
  if (!sar_node_is_number(c->graph, e, &value)) return add_condition(j, n, key, e, which, out);
  if (isnan(value)) {  // reported where it was read
    j->wrong = true;
    return true;
  }
  if (strcmp(key, "active") != 0) {
    out->time = value;
    return add_time(c, value);
  }
  // a parameter may switch something on or off for the whole run
  if (!has_names(n.expr)) {
    sar_complain(c, j->item, n.loc, "an expression of t or of measured quantities, or leave it out",
                 "active is always %s", value > 0 ? "true" : "false");
    j->wrong = true;
  }
  out->time = value > 0 ? ALWAYS : NEVER;
  return true;
}

static void check_times(GateJob* j) {
  const SarTrigger *from = &j->gate.from, *until = &j->gate.until;
  if (j->wrong || from->slot >= 0 || until->slot >= 0 || !j->spec->until.expr) return;
  if (j->spec->from.expr && from->time >= until->time)
    sar_complain(j->c, j->item, j->spec->until.loc, "until must come after from",
                 "is on from %g s until %g s, which is never", from->time, until->time);
  else if (until->time <= 0)
    sar_complain(j->c, j->item, j->spec->until.loc, "a run begins at t = 0",
                 "is on until %g s, which is never", until->time);
}

static bool add_gate(GateJob* j) {
  Compile* c = j->c;
  const SpecGate* s = j->spec;
  if (!sar_gate_given(s)) {
    if (s->hold.text)
      sar_complain(c, j->item, s->hold.loc, "say when, as in from: 2",
                   "hold is for what is switched on during the run");
    return true;
  }
  if (s->active.expr && (s->from.expr || s->until.expr))
    sar_complain(c, j->item, s->active.loc,
                 "active: on while it is true; from, until: on from one moment until another",
                 "has active beside from or until");
  j->gate.from = (SarTrigger){-1, ALWAYS};
  j->gate.until = (SarTrigger){-1, NEVER};
  if (!add_trigger(j, s->active, "active", 0, &j->gate.from) ||
      !add_trigger(j, s->from, "from", 0, &j->gate.from) ||
      !add_trigger(j, s->until, "until", 1, &j->gate.until))
    return false;
  check_times(j);
  if (!c->tree_known || j->gate.index < 0) return true;
  j->gate.latched = !s->active.expr && (j->gate.from.slot >= 0 || j->gate.until.slot >= 0);
  j->gate.hold = sar_holds_current(s);
  j->gate.name = sar_intern(c, j->item.name);
  SarGate* gate = SAR_LIST_ADD(&c->arena, &c->gates);
  if (!gate) return false;
  *gate = j->gate;
  return true;
}

// What measures a coordinate of the joint goes by its declared frames.
static void check_held(Compile* c, const JointPart* p) {
  for (int k = 0; k < c->m.nterm; k++) {
    if (c->m.term[k].joint != p->number) continue;
    sar_complain(c, p->item, p->spec->gate.hold.loc, "close it where it is declared",
                 "hold: current is not offered for a joint whose coordinate a constraint uses");
    return;
  }
}

static bool add_joint_gate(Compile* c, const JointPart* p) {
  GateJob job = {.c = c, .item = p->item, .spec = &p->spec->gate};
  job.gate.target = SAR_GATE_CONSTRAINT;
  job.gate.index = p->cut;  // constraints begin with those of the cuts
  if (sar_gate_given(job.spec) && p->mimic >= 0)
    sar_complain(c, p->item, p->item.loc, "use a gear constraint, and switch that",
                 "a joint with mimic cannot be switched on and off");
  if (c->tree_known && sar_holds_current(job.spec)) check_held(c, p);
  return add_gate(&job);
}

static bool add_element_gates(Compile* c) {
  const SarSpec* s = c->spec;
  const int n = s->constraints.count;
  Named* named = SAR_ARENA_ARRAY(&c->arena, Named, n + 1);
  if (!named) return false;
  for (int i = 0; i < n; i++) named[i] = (Named){s->constraints.items[i].name.text, i};
  sar_sort_named(named, n);
  for (int k = 0; k < n; k++) {
    const int i = named[k].index;
    const SpecConstraint* f = &s->constraints.items[i];
    GateJob job = {c, {"constraint", f->name.text, f->name.loc}, &f->gate, {0}, false};
    job.gate.target = SAR_GATE_CONSTRAINT;
    job.gate.index = c->element_constraint ? c->element_constraint[i] : -1;
    if (!add_gate(&job)) return false;
  }
  return true;
}

// In the order of names, never in that of the file.
bool sar_compile_gates(Compile* c) {
  const SarSpec* s = c->spec;
  Named* named = SAR_ARENA_ARRAY(&c->arena, Named, c->njoint_spec + 1);
  if (!named) return false;
  for (int j = 0; j < c->njoint_spec; j++) named[j] = (Named){c->joint[j].item.name, j};
  sar_sort_named(named, c->njoint_spec);
  for (int j = 0; j < c->njoint_spec; j++)
    if (!add_joint_gate(c, &c->joint[named[j].index])) return false;
  if (!add_element_gates(c)) return false;
  for (int i = 0; i < c->m.nforce; i++) {
    const SpecForce* f = &s->forces.items[c->force_at[i]];
    GateJob job = {c, {"force", f->name.text, f->name.loc}, &f->gate, {0}, false};
    job.gate.target = SAR_GATE_FORCE;
    job.gate.index = i;
    if (!add_gate(&job)) return false;
  }
  c->m.gate = c->gates.items;
  c->m.ngate = c->gates.count;
  return true;
}
