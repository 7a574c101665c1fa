// Quantities of the last step in expressions: accelerations, laws and reactions of joints, what
// forces and constraints report, contacts, energies and momenta; all that are `held` in the table
// of outputs.
//
// They follow from forces and accelerations, so an expression of the present ones would ask for
// itself (an algebraic loop). Their values where the last step ended are held over the next one, as
// a sampled controller would: state of the run, 0 before the first step. Each is the column of the
// same name.
#include "base/print.h"
#include "model/compile/parts.h"

#include <string.h>

static bool find_in(const SarOutputKind* kind, const SarOutputOwner* of, const char* suffix,
                    SarChannel* out) {
  SarColumn column;
  for (int k = 0; sar_output_column(kind, of, k, &column); k++) {
    const size_t n = strlen(column.name);
    if (strncmp(suffix, column.name, n) != 0 || strcmp(suffix + n, column.rest) != 0) continue;
    out->kind = kind;
    out->component = column.component;
    return true;
  }
  return false;
}

// A column of the owner, among those of all quantities that are held. `out` comes with the owner in
// it.
static bool find_column(SarOwner owner, const SarOutputOwner* of, const char* suffix,
                        SarChannel* out) {
  for (int i = 0; sar_output_kind(i); i++) {
    const SarOutputKind* kind = sar_output_kind(i);
    if (kind->held && kind->of == owner && find_in(kind, of, suffix, out)) return true;
  }
  return false;
}

// Those that are numbered later (forces, constraints) have their index of the file.
static bool find_of_joint(const Compile* c, int joint, const char* suffix, SarChannel* out) {
  const JointPart* p = &c->joint[joint];
  *out = (SarChannel){.index = p->number};
  return find_column(SAR_OF_JOINT, &(SarOutputOwner){.m = &c->m, .joint = p->kind}, suffix, out) &&
         p->number >= 0;
}

static bool find_of_force(const Compile* c, int force, const char* suffix, SarChannel* out) {
  const SarForceKind* kind = c->spec->forces.items[force].kind;
  *out = (SarChannel){.index = force};
  return kind &&
         find_column(SAR_OF_FORCE, &(SarOutputOwner){.m = &c->m, .force = kind}, suffix, out);
}

static bool find_of_constraint(const Compile* c, int constraint, const char* suffix,
                               SarChannel* out) {
  const SarConstraintKind* kind = c->spec->constraints.items[constraint].kind;
  *out = (SarChannel){.index = constraint};
  return find_column(SAR_OF_CONSTRAINT, &(SarOutputOwner){.m = &c->m, .constraint = kind}, suffix,
                     out);
}

// energy.kinetic, momentum.px: of the whole model
static bool find_of_model(const Compile* c, const char* owner, const char* suffix,
                          SarChannel* out) {
  const SarOutputKind* kind = sar_output_kind_find(owner);
  *out = (SarChannel){0};
  return kind && kind->held && kind->of == SAR_OF_MODEL &&
         find_in(kind, &(SarOutputOwner){.m = &c->m}, suffix, out);
}

// BODY.ax, BODY.POINT.ax
static bool find_of_body(const Compile* c, const char* owner, const char* suffix, SarChannel* out) {
  const int point = sar_names_find(&c->point_names, owner);
  const int body = point >= 0 ? c->point[point].body : sar_names_find(&c->body_names, owner);
  *out = (SarChannel){0};
  if (body < 0 || c->body[body].knot ||
      !find_column(SAR_OF_BODY, &(SarOutputOwner){.m = &c->m}, suffix, out))
    return false;
  const BodyPart* b = &c->body[body];
  out->index = out->kind->by_holder ? b->number : b->tree;
  if (out->kind->at_point)
    out->point = x_point(b->X_BU, point >= 0 ? c->point[point].X_UP.p : v3_zero());
  return point < 0 || out->kind->at_point;
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
  if (length <= end || strcmp(owner + length - end, END) != 0) return false;
  char* text = sar_arena_strndup(&c->arena, owner, length - end);
  if (!text) return false;
  int body[2] = {body_of(c, text), SAR_ANY_BODY};
  if (!is_body(text, body[0]) && !find_pair(c, text, body)) return false;
  if (!can_touch(c, body[0]) || (body[1] != SAR_ANY_BODY && !can_touch(c, body[1]))) return false;
  *out = (SarChannel){.index = body[0] < 0 ? body[0] : c->body[body[0]].number,
                      .other = body[1] < 0 ? body[1] : c->body[body[1]].number};
  return find_column(SAR_OF_CONTACT, &(SarOutputOwner){.m = &c->m}, suffix, out);
}

bool sar_find_held(Compile* c, const char* owner, const char* suffix, SarChannel* out) {
  const int joint = sar_names_find(&c->joint_names, owner);
  if (joint >= 0 && find_of_joint(c, joint, suffix, out)) return true;
  const int constraint = sar_names_find(&c->constraint_names, owner);
  if (constraint >= 0 && find_of_constraint(c, constraint, suffix, out)) return true;
  if (find_of_model(c, owner, suffix, out)) return true;
  const int force = sar_names_find(&c->force_names, owner);
  if (force >= 0 && find_of_force(c, force, suffix, out)) return true;
  return find_of_body(c, owner, suffix, out) || find_of_contact(c, owner, suffix, out);
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
    if (p->kind->of == SAR_OF_FORCE) p->index = c->force_number[p->index];
    if (p->kind->of == SAR_OF_CONSTRAINT && c->element_constraint)
      p->index = c->element_constraint[p->index];
  }
  return true;
}

// ---- suggestions --------------------------------------------------------------------------------

void sar_offer_force(const Compile* c, int force, char* buf, size_t size) {
  const SarForceKind* kind = c->spec->forces.items[force].kind;
  int n = sar_snprintf(buf, size, "a force has, of the last step, .power .energy .work");
  for (int i = 0; kind && i < kind->noutput && n < (int)size; i++)
    n += sar_snprintf(buf + n, size - (size_t)n, " .%s", kind->output[i]);
}
