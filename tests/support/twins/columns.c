#include "support/twins/columns.h"

#include "sim/outputs/outputs.h"
#include "support/twins/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- which column is which ---------------------------------------------------------------------

typedef struct Key {
  char text[320];
  int index;
} Key;

static const char* owner_of(const SarModel* m, const SarChannel* c) {
  switch (c->kind->of) {
    case SAR_OF_JOINT: return sar_text(m, m->joint_name[c->index]);
    case SAR_OF_BODY: return sar_text(m, m->body_name[c->index]);
    case SAR_OF_CONTACT: return c->index < 0 ? "ground" : sar_text(m, m->body_name[c->index]);
    case SAR_OF_FORCE: return sar_text(m, m->force_name[c->index]);
    case SAR_OF_CONSTRAINT: return sar_text(m, m->constraint[c->index].name);
    case SAR_OF_STATE: return sar_text(m, m->z_name[c->index]);
    case SAR_OF_SIGNAL: return sar_text(m, c->name);  // its column is called as it is
    default: break;
  }
  if (c->kind != &sar_output_work) return "";
  const SarWorkSource* w = &m->work[c->component];
  switch (w->kind) {
    case SAR_WORK_FORCE: return sar_text(m, m->force_name[w->index]);
    case SAR_WORK_CONSTRAINT: return sar_text(m, m->constraint[w->index].name);
    case SAR_WORK_DISSIPATION:
    case SAR_WORK_DRIVE: return sar_text(m, m->joint_name[w->index]);
    default: return "";
  }
}

// `t` NULL: names are the twin's already.
static void make_key(const SarModel* m, const SarChannel* c, const Twin* t, Key* out) {
  char buf[256];
  const char* owner = owner_of(m, c);
  // accounts are told apart by what they are of: their order is that of the model
  const bool work = c->kind == &sar_output_work;
  const int which = work ? (int)m->work[c->component].kind : c->component;
  const char* column = c->kind == &sar_output_value ? sar_text(m, c->name) : "";
  if (t && owner[0]) owner = twin_name(t, owner, buf, sizeof buf);
  snprintf(out->text, sizeof out->text, "%s %d %s %s", c->kind->name, which, owner, column);
}

static int compare_keys(const void* a, const void* b) {
  return strcmp(((const Key*)a)->text, ((const Key*)b)->text);
}

static bool is_joint(const SarChannel* c) {
  return c->kind == &sar_output_joint_position || c->kind == &sar_output_joint_velocity ||
         c->kind == &sar_output_joint_acceleration;
}

static bool is_similar(const Twin* t) {
  return t->kind == TWIN_MIRRORED || t->kind == TWIN_TURNED || t->kind == TWIN_UNITS;
}

// The joint point is the child's: where a joint slides, that of the other body is elsewhere.
static bool has_two_points(const SarJointKind* k) {
  for (int i = 0; i < k->nv; i++)
    if (k->coordinate[i] == SAR_LENGTH) return true;
  return strcmp(k->name, "screw") == 0;
}

// Quantities that this file knows how to bring back from a twin that is moved, mirrored or in other
// units, or whose joints are reversed.
static bool is_known(const SarOutputKind* k) {
  static const SarOutputKind* const KNOWN[] = {
      &sar_output_energy,         &sar_output_work,
      &sar_output_joint_position, &sar_output_joint_velocity,
      &sar_output_body_position,  &sar_output_joint_acceleration,
      &sar_output_body_velocity,  &sar_output_body_orientation,
      &sar_output_body_omega,     &sar_output_body_acceleration,
      &sar_output_reaction,       &sar_output_force,
      &sar_output_constraint,     &sar_output_contact,
      &sar_output_state,          &sar_output_value,
  };
  for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++)
    if (KNOWN[i] == k) return true;
  return false;
}

// States of elements have units, those of the user are in the model's own. The first one of a rotor
// is a speed whatever the axes; others are along them.
static bool is_inflow(const SarModel* m, int state) {
  for (int i = 0; i < m->ncache_force; i++)
    if (m->force_state[i] == state) return true;
  return false;
}

// Columns with a meaning in every twin of this kind. A new quantity is compared where nothing but
// the file is another.
static bool is_compared(const SarModel* m, const Twin* t, const SarChannel* c, int joint) {
  const bool similar = is_similar(t), reversed = joint >= 0 && t->joint[joint].reversed;
  if (!is_known(c->kind)) return !similar && !reversed && t->kind != TWIN_COORDINATES;
  if (c->kind == &sar_output_constraint) return !similar;
  if (c->kind == &sar_output_state && m->z_rate_slot[c->index] < 0)
    return !similar || is_inflow(m, c->index);
  if (c->kind == &sar_output_force) return !similar || c->component < 3;
  if (c->kind == &sar_output_reaction)
    return c->component < 3 || !has_two_points(m->joint_kind[c->index]) || !reversed;
  if (c->kind == &sar_output_contact)
    return c->component != SAR_CONTACT_POINTS && c->component < SAR_CONTACT_DEPTH;
  if (!is_joint(c)) return true;
  if (joint < 0) return !similar && t->kind != TWIN_COORDINATES;
  const bool flips = reversed && m->joint_kind[c->index]->flip;
  return !(flips && c->kind == &sar_output_joint_acceleration);
}

static int spec_joint(const Twin* t, const char* name) {
  for (int i = 0; i < t->joints; i++)
    if (strcmp(t->joint_name[i], name) == 0) return i;
  return -1;
}

void columns_match(const SarModel* m, Twin* t, TwinColumns* out) {
  const SarModel* w = t->model;
  Key* keys = SAR_ARENA_ARRAY(&t->arena, Key, w->nchannel + 1);
  *out = (TwinColumns){.m = m, .twin = w, .t = t, .count = m->nchannel};
  out->at = SAR_ARENA_ARRAY(&t->arena, int, m->nchannel + 1);
  out->joint = SAR_ARENA_ARRAY(&t->arena, int, m->nchannel + 1);
  for (int i = 0; i < w->nchannel; i++) {
    make_key(w, &w->channel[i], NULL, &keys[i]);
    keys[i].index = i;
  }
  qsort(keys, (size_t)w->nchannel, sizeof *keys, compare_keys);
  for (int i = 0; i < m->nchannel; i++) {
    const SarChannel* c = &m->channel[i];
    Key wanted;
    make_key(m, c, t, &wanted);
    const Key* found = bsearch(&wanted, keys, (size_t)w->nchannel, sizeof *keys, compare_keys);
    out->joint[i] = c->kind->of == SAR_OF_JOINT ? spec_joint(t, owner_of(m, c)) : -1;
    out->at[i] = found && is_compared(m, t, c, out->joint[i]) ? found->index : -1;
  }
}

// ---- what it was in the model ------------------------------------------------------------------

static double part(V3 a, int i) { return i == 0 ? a.x : i == 1 ? a.y : a.z; }

// Component `i` of Q' x / k.
static double vector_back(const TwinColumns* c, const double* x, int i, V3 shift, double k) {
  const V3 v = v3_sub(v3_load(x), shift);
  return part(m3_tmul_v(c->t->similarity.Q, v), i) / k;
}

static double orientation_back(const TwinColumns* c, const double* x, int i) {
  const Similarity* s = &c->t->similarity;
  M3 R = m3_tmul(s->Q, quat_to_m3(quat_load(x)));
  if (s->mirrored) R.xy = -R.xy, R.yy = -R.yy, R.zy = -R.zy;
  double q[4];
  quat_store(q, quat_from_m3(R));
  return q[i];
}

static double coordinate_scale(const TwinColumns* c, const SarJointKind* kind, int joint, int i,
                               int rates) {
  const Similarity* s = &c->t->similarity;
  const double sign = joint < 0 ? 1 : c->t->joint[joint].sign[i];
  const double length = kind->coordinate[i] == SAR_LENGTH ? s->length : 1;
  return sign * length * similarity_scale(s, (Dimension){0, 0, -rates});
}

static double joint_back(const TwinColumns* c, const SarChannel* ch, int joint, const double* x) {
  const SarJointKind* kind = c->m->joint_kind[ch->index];
  const int i = ch->component;
  if (ch->kind != &sar_output_joint_position)
    return x[0] /
           coordinate_scale(c, kind, joint, i, ch->kind == &sar_output_joint_acceleration ? 2 : 1);
  if (kind->nq > kind->nv && i >= kind->nq - 4)
    return i == kind->nq - 4 ? x[0] : x[0] / coordinate_scale(c, kind, joint, i - 1, 0);
  return x[0] / coordinate_scale(c, kind, joint, i, 0);
}

// All of q and v stand in a row, v behind q.
static double flipped(const SarJointKind* kind, const SarChannel* ch, const double* x) {
  double q[SAR_JOINT_MAX_NQ], v[SAR_JOINT_MAX_NV], param[SAR_JOINT_MAX_PARAM] = {0};
  const double* first =
      ch->kind == &sar_output_joint_position ? x - ch->component : x - ch->component - kind->nq;
  kind->flip(param, first, first + kind->nq, q, v);
  return ch->kind == &sar_output_joint_position ? q[ch->component] : v[ch->component];
}

static double column_back(const TwinColumns* c, int i, const double* values) {
  const SarChannel* ch = &c->m->channel[i];
  const Twin* t = c->t;
  const Similarity* s = &t->similarity;
  const double* x = &values[c->at[i]];
  const int k = ch->component;
  const double handed = s->mirrored ? -1 : 1, rate = similarity_scale(s, (Dimension){0, 0, -1});
  const double length = s->length, energy = similarity_scale(s, ENERGY);
  const double force = similarity_scale(s, FORCE);
  const SarOutputKind* of = ch->kind;
  if (of == &sar_output_energy || of == &sar_output_work) return x[0] / energy;
  if (of == &sar_output_force)
    return k == 0 ? x[0] / (energy * rate) : k < 3 ? x[0] / energy : x[0];
  if (of == &sar_output_body_position) return vector_back(c, x - k, k, s->shift, length);
  if (of == &sar_output_body_velocity) return vector_back(c, x - k, k, v3_zero(), length * rate);
  if (of == &sar_output_body_acceleration)
    return vector_back(c, x - k, k, v3_zero(), length * rate * rate);
  if (of == &sar_output_body_omega) return vector_back(c, x - k, k, v3_zero(), handed * rate);
  if (of == &sar_output_body_orientation) return orientation_back(c, x - k, k);
  if (of == &sar_output_reaction) {
    const double sense = c->joint[i] >= 0 && t->joint[c->joint[i]].reversed ? -1 : 1;
    return k < 3 ? vector_back(c, x - k, k, v3_zero(), sense * force)
                 : vector_back(c, x - (k - 3), k - 3, v3_zero(), sense * handed * energy);
  }
  if (of == &sar_output_contact) {
    if (k < SAR_CONTACT_FX || k > SAR_CONTACT_FZ) return x[0] / force;
    return vector_back(c, x - (k - SAR_CONTACT_FX), k - SAR_CONTACT_FX, v3_zero(), force);
  }
  if (of == &sar_output_state && is_inflow(c->m, ch->index)) return x[0] / (length * rate);
  if (!is_joint(ch)) return x[0];
  const SarJointKind* kind = c->m->joint_kind[ch->index];
  if (c->joint[i] >= 0 && t->joint[c->joint[i]].reversed && kind->flip) return flipped(kind, ch, x);
  return joint_back(c, ch, c->joint[i], x);
}

void columns_take_back(const TwinColumns* c, const double* twin_values, double* values) {
  for (int i = 0; i < c->count; i++) values[i] = c->at[i] < 0 ? 0 : column_back(c, i, twin_values);
}
