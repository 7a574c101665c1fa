// Quantities of the last step in expressions: accelerations, laws and reactions of joints, what forces and constraints
// report, contacts, energies and momenta.
//
// They follow from forces and accelerations, so an expression of the present ones would ask for itself (an algebraic loop).
// Their values where the last step ended are held over the next one, as a sampled controller would: state of the
// run, 0 before the first step. Each is the column of the same name (compile/outputs.c).
#include "base/print.h"
#include "model/compile/parts.h"

#include <stdio.h>
#include <string.h>

static const char* const LAW[SAR_LAW_COLUMNS] = {"motor", "limit", "friction"};
static const char* const CONTACT[SAR_CONTACT_QUANTITIES] = {
    "points", "normal", "fx", "fy", "fz", "friction", "depth", "x", "y", "z", "gap"};
static const char* const REACTION[] = {"fx", "fy", "fz", "tx", "ty", "tz"};
static const char* const CONSTRAINT[] = {"value", "speed", "force", "power"};
static const char* const ENERGY[] = {"kinetic", "potential", "total", "work", "error"};
static const char* const MOMENTUM[] = {"px", "py", "pz", "lx", "ly", "lz"};
static const char* const FORCE[] = {"power", "energy", "work"};

const char* const* sar_contact_suffixes(void) { return CONTACT; }

// v -> a, vx -> ax, wx -> alx
bool sar_acceleration_suffix(const SarJointKind* kind, int i, char* buf, size_t size) {
  const char* v = kind->v_suffix[i];
  return sar_snprintf(buf, size, "%s%s", v[0] == 'w' ? "al" : "a", v + 1) < (int)size;
}

// motor; of several coordinates motor_v1, motor_wx
bool sar_law_suffix(const SarJointKind* kind, int i, SarLawColumn law, char* buf, size_t size) {
  if (kind->nv == 1) return sar_snprintf(buf, size, "%s", LAW[law]) < (int)size;
  return sar_snprintf(buf, size, "%s_%s", LAW[law], kind->v_suffix[i]) < (int)size;
}

static int index_of(const char* const* words, int n, const char* word) {
  for (int i = 0; i < n; i++)
    if (strcmp(words[i], word) == 0) return i;
  return -1;
}

static bool find_of_joint(const Compile* c, int joint, const char* suffix, SarChannel* out) {
  const JointPart* p = &c->joint[joint];
  char name[32];
  *out = (SarChannel){.kind = SAR_CHANNEL_A, .index = p->number};
  for (int i = 0; i < p->kind->nv; i++) {
    out->component = i;
    if (sar_acceleration_suffix(p->kind, i, name, sizeof name) && strcmp(name, suffix) == 0)
      return true;
  }
  out->kind = SAR_CHANNEL_LAW;
  for (int i = 0; i < p->kind->nv; i++)
    for (int k = 0; k < SAR_LAW_COLUMNS; k++) {
      out->component = i * SAR_LAW_COLUMNS + k;
      if (sar_law_suffix(p->kind, i, (SarLawColumn)k, name, sizeof name) &&
          strcmp(name, suffix) == 0)
        return true;
    }
  return false;
}

// Forces are numbered later: the index is that of the file.
static bool find_of_force(const Compile* c, int force, const char* suffix, SarChannel* out) {
  const SarForceKind* kind = c->spec->forces.items[force].kind;
  int at = index_of(FORCE, 3, suffix);
  if (at < 0 && kind) {
    at = index_of(kind->output, kind->noutput, suffix);
    if (at >= 0) at += 3;
  }
  *out = (SarChannel){.kind = SAR_CHANNEL_FORCE, .index = force, .component = at};
  return at >= 0;
}

static int body_of(const Compile* c, const char* name) {
  return strcmp(name, "ground") == 0 ? GROUND : sar_names_find(&c->body_names, name);
}

static bool is_body(const char* name, int body) { return body >= 0 || strcmp(name, "ground") == 0; }

static bool can_touch(const Compile* c, int body) {
  return sar_touches(body < 0 ? &c->spec->ground_touch : &c->body[body].spec->touch);
}

// The two bodies of A.B: names may have dots themselves.
static bool find_pair(Compile* c, char* text, int body[2]) {
  for (char* dot = strchr(text, '.'); dot; dot = strchr(dot + 1, '.')) {
    *dot = '\0';
    body[0] = body_of(c, text), body[1] = body_of(c, dot + 1);
    const bool found = is_body(text, body[0]) && is_body(dot + 1, body[1]);
    *dot = '.';
    if (found) return true;
  }
  return false;
}

// BODY.contact or A.B.contact
static bool find_of_contact(Compile* c, const char* owner, const char* suffix, SarChannel* out) {
  static const char END[] = ".contact";
  const size_t length = strlen(owner), end = sizeof END - 1;
  const int at = index_of(CONTACT, SAR_CONTACT_QUANTITIES, suffix);
  if (at < 0 || length <= end || strcmp(owner + length - end, END) != 0) return false;
  char* text = sar_arena_strndup(&c->arena, owner, length - end);
  if (!text) return false;
  int body[2] = {body_of(c, text), SAR_ANY_BODY};
  if (!is_body(text, body[0]) && !find_pair(c, text, body)) return false;
  if (!can_touch(c, body[0]) || (body[1] != SAR_ANY_BODY && !can_touch(c, body[1]))) return false;
  *out = (SarChannel){.kind = SAR_CHANNEL_CONTACT,
                      .index = body[0] < 0 ? body[0] : c->body[body[0]].number,
                      .component = at,
                      .other = body[1] < 0 ? body[1] : c->body[body[1]].number};
  return true;
}

static bool find_reaction(const Compile* c, int joint, const char* suffix, SarChannel* out) {
  const int at = index_of(REACTION, 6, suffix), number = c->joint[joint].number;
  *out = (SarChannel){.kind = SAR_CHANNEL_REACTION, .index = number, .component = at};
  return at >= 0 && number >= 0;
}

// Constraints are numbered later: the index is that of the file. Only drives have more than a force.
static bool find_of_constraint(const Compile* c, int constraint, const char* suffix,
                               SarChannel* out) {
  const int at = index_of(CONSTRAINT, 4, suffix);
  (void)c;
  *out = (SarChannel){.kind = SAR_CHANNEL_CONSTRAINT, .index = constraint, .component = at};
  return at >= 0;
}

// energy.kinetic, momentum.px: of the whole model
static bool find_total(const char* owner, const char* suffix, SarChannel* out) {
  const bool energy = strcmp(owner, "energy") == 0;
  if (!energy && strcmp(owner, "momentum") != 0) return false;
  *out = (SarChannel){.kind = energy ? SAR_CHANNEL_ENERGY : SAR_CHANNEL_MOMENTUM};
  out->component = energy ? index_of(ENERGY, 5, suffix) : index_of(MOMENTUM, 6, suffix);
  return out->component >= 0;
}

bool sar_find_held(Compile* c, const char* owner, const char* suffix, SarChannel* out) {
  const int joint = sar_names_find(&c->joint_names, owner);
  if (joint >= 0 && (find_of_joint(c, joint, suffix, out) || find_reaction(c, joint, suffix, out)))
    return true;
  const int constraint = sar_names_find(&c->constraint_names, owner);
  if (constraint >= 0 && find_of_constraint(c, constraint, suffix, out)) return true;
  if (find_total(owner, suffix, out)) return true;
  const int force = sar_names_find(&c->force_names, owner);
  if (force >= 0 && find_of_force(c, force, suffix, out)) return true;
  return find_of_contact(c, owner, suffix, out);
}

int sar_hold(Compile* c, SarChannel channel) {
  SarChannel* p = SAR_LIST_ADD(&c->arena, &c->held);
  if (!p) return -1;
  *p = channel;
  return c->held.count - 1;
}

bool sar_seal_held(Compile* c) {
  c->m.nheld = c->held.count;
  c->m.held = c->held.items;
  for (int i = 0; i < c->held.count; i++) {
    SarChannel* p = &c->held.items[i];
    if (p->kind == SAR_CHANNEL_FORCE) p->index = c->force_number[p->index];
    if (p->kind == SAR_CHANNEL_CONSTRAINT && c->element_constraint)
      p->index = c->element_constraint[p->index];
  }
  return true;
}

// ---- suggestions ----------------------------------------------------------------------------------

void sar_offer_force(const Compile* c, int force, char* buf, size_t size) {
  const SarForceKind* kind = c->spec->forces.items[force].kind;
  int n = sar_snprintf(buf, size, "a force has, of the last step, .power .energy .work");
  for (int i = 0; kind && i < kind->noutput && n < (int)size; i++)
    n += sar_snprintf(buf + n, size - (size_t)n, " .%s", kind->output[i]);
}
