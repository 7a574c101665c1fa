// Keyframes of MJCF: named starts. qpos and qvel are the coordinates of all joints in the order of
// the file, act and ctrl those of actuators; what a key does not give is as at the beginning, and
// at rest.
#include "io/mjcf.h"

#include "math/rotvec.h"

// Numbers of an attribute, as many as there must be: NULL where it is not given, or (told) has
// others.
static const double* all_of(Mjcf* m, const XmlTag* tag, const char* name, int count, bool* wrong) {
  const XmlAttribute* a = sar_xml_attribute(tag, name);
  if (!a) return NULL;
  double* x = SAR_ARENA_ARRAY(&m->arena, double, count + 1);
  if (!x) return NULL;
  // one number more than there should be is read, so that it is noticed
  const int n = sar_mjcf_numbers(m, tag, name, 0, count + 1, x);
  if (n == count) return x;
  sar_warn(m->err, a->loc, "", "<key> %s: %s%d numbers for %d: this key is left out", name,
           n > count ? "more than " : "", n > count ? count : n, count);
  *wrong = true;
  return NULL;
}

static SpecDofs dofs(Mjcf* m, const double* x, int count, SarLoc loc) {
  SpecNum* c = SAR_ARENA_ARRAY(&m->spec->arena, SpecNum, count);
  for (int i = 0; c && i < count; i++) c[i] = sar_mjcf_num(m, x[i], loc);
  return c ? (SpecDofs){c, count, loc} : (SpecDofs){0};
}

static void add(Mjcf* m, SpecKey* key, SpecKeyPart part, SpecName of, const double* x, int count) {
  SpecKeyValue* v = SAR_LIST_ADD(&m->spec->arena, &key->values[part]);
  if (v) *v = (SpecKeyValue){of, dofs(m, x, count, key->name.loc)};
}

// Coordinates of all joints of bodies: loops come later in the list.
static void add_joints(Mjcf* m, SpecKey* key, const double* q, const double* v) {
  static const double rest[SAR_JOINT_MAX_NV];
  for (int i = 0; i < m->joints; i++) {
    const SpecJoint* j = &m->spec->joints.items[i];
    if (!j->kind || j->kind->nv == 0) continue;
    if (q) add(m, key, SPEC_KEY_POSITIONS, j->name, q, j->kind->nq);
    add(m, key, SPEC_KEY_SPEEDS, j->name, v ? v : rest, j->kind->nv);
    if (q) q += j->kind->nq;
    if (v) v += j->kind->nv;
  }
}

static void add_controls(Mjcf* m, SpecKey* key, const double* act, const double* ctrl) {
  static const double none = 0;
  for (int i = 0; i < m->actuators.count; i++) {
    const MjcfActuator* a = &m->actuators.items[i];
    const SpecName input = {a->input, key->name.loc}, state = {a->state, key->name.loc};
    if (a->input) add(m, key, SPEC_KEY_INPUTS, input, ctrl ? &ctrl[i] : &none, 1);
    if (a->state) add(m, key, SPEC_KEY_STATES, state, act ? act++ : &none, 1);
  }
}

static void read_key(Mjcf* m, const XmlTag* tag, int index) {
  int nq = 0, nv = 0, na = 0;
  bool wrong = false;
  for (int i = 0; i < m->joints; i++) {
    const SarJointKind* kind = m->spec->joints.items[i].kind;
    if (kind) nq += kind->nq, nv += kind->nv;
  }
  for (int i = 0; i < m->actuators.count; i++) na += m->actuators.items[i].state != NULL;
  const double* q = all_of(m, tag, "qpos", nq, &wrong);
  const double* v = all_of(m, tag, "qvel", nv, &wrong);
  const double* act = all_of(m, tag, "act", na, &wrong);
  const double* ctrl = all_of(m, tag, "ctrl", m->actuators.count, &wrong);
  SpecKey* key = wrong ? NULL : SAR_LIST_ADD(&m->spec->arena, &m->spec->keys);
  if (!key) return;
  const XmlAttribute* name = sar_xml_attribute(tag, "name");
  key->name = (SpecName){sar_arena_printf(&m->spec->arena, "key_%d", index), tag->loc};
  if (name) key->name = sar_mjcf_reference(m, tag, "name");
  add_joints(m, key, q, v);
  add_controls(m, key, act, ctrl);
}

void sar_mjcf_keys(Mjcf* m, const XmlTag* section) {
  for (const XmlTag* t = section->first; t; t = t->next)
    if (sar_mjcf_is(t, "key")) read_key(m, t, m->spec->keys.count);
}
