// Variables of an FMU from a model (description.h).
#include "fmi/description.h"

#include "base/print.h"
#include "expr/tree.h"
#include "io/reader.h"
#include "model/fingerprint.h"
#include "sim/outputs.h"
#include "sim/outputs/outputs.h"

#include <string.h>

// ---- parameters ---------------------------------------------------------------------------------

static const SarParameter* find_given(const SarLoadOptions* o, const char* name) {
  for (int i = 0; o && i < o->parameter_count; i++)
    if (strcmp(o->parameters[i].name, name) == 0) return &o->parameters[i];
  return NULL;
}

SarStatus sar_fmi_parameters(SarArena* arena, const char* path, const SarLoadOptions* o,
                             SarFmiParameters* out, SarError* err) {
  SarSpec spec;
  *out = (SarFmiParameters){0};
  sar_spec_init(&spec);
  const SarStatus st = sar_spec_load(path, o, &spec, err);
  out->items = SAR_ARENA_ARRAY(arena, SarFmiParameter, spec.parameters.count + 1);
  for (int i = 0; st == SAR_OK && out->items && i < spec.parameters.count; i++) {
    const SpecParameter* p = &spec.parameters.items[i];
    if (!p->name.text || !p->value.expr || p->value.expr->op != SAR_OP_NUMBER) continue;
    const SarParameter* given = find_given(o, p->name.text);
    out->items[out->count++] =
        (SarFmiParameter){.name = sar_arena_strdup(arena, p->name.text),
                          .value = given ? given->value : p->value.expr->value};
  }
  sar_spec_free(&spec);
  return st == SAR_OK && arena->failed ? SAR_NO_MEMORY : st;
}

// ---- variables ----------------------------------------------------------------------------------

typedef struct Making {
  SarArena* arena;
  const SarModel* m;
  const SarData* at;
  SarFmiDescription* d;
  bool exchange;
} Making;

static bool is_taken(const SarFmiDescription* d, const char* name) {
  for (int i = 0; i < d->count; i++)
    if (strcmp(d->variable[i].name, name) == 0) return true;
  return false;
}

// Names are one list in an FMU: what is there already gets the name of its role before it.
static SarFmiVariable* add(Making* a, SarFmiRole role, const char* name, const char* unit) {
  static const char* const prefix[SAR_FMI_ROLES] = {"",        "inputs.", "outputs.", "parameters.",
                                                    "states.", ""};
  SarFmiDescription* d = a->d;
  if (role == SAR_FMI_STATE) name = name ? sar_arena_printf(a->arena, "states.%s", name) : NULL;
  while (name && is_taken(d, name))
    name = sar_arena_printf(a->arena, "%s%s", prefix[role][0] ? prefix[role] : "_", name);
  SarFmiVariable* v = &d->variable[d->count++];
  *v = (SarFmiVariable){role, d->num[role]++, name ? name : "", unit, 0, false};
  return v;
}

static void add_inputs(Making* a) {
  for (int i = 0; i < a->m->ninput; i++)
    add(a, SAR_FMI_INPUT, sar_text(a->m, a->m->input_name[i]),
        sar_model_unit(a->m, SAR_ITEM_INPUT, i))
        ->start = a->at->input[i];
}

static void add_outputs(Making* a) {
  SarFmiDescription* d = a->d;
  for (int i = 0; i < a->m->nchannel; i++) {
    const SarChannel* c = &a->m->channel[i];
    if (a->exchange && sar_output_is_past(c)) {
      d->left_out++;
      continue;
    }
    d->column[d->num[SAR_FMI_OUTPUT]] = i;
    add(a, SAR_FMI_OUTPUT, sar_text(a->m, c->name), sar_output_unit(a->m, i));
  }
}

static void add_parameters(Making* a, const SarFmiParameters* p) {
  for (int i = 0; i < p->count; i++) {
    SarFmiVariable* v = add(a, SAR_FMI_PARAMETER, p->items[i].name, "");
    v->start = p->items[i].value;
    v->tunable = p->items[i].tunable;
  }
}

static const char* unit_of(const SarJointKind* kind, int i, bool speed) {
  if (kind->cls == SAR_CLASS_MODE) return "";  // as its shape is scaled
  if (kind->coordinate[i] == SAR_ANGLE) return speed ? "rad/s" : "rad";
  return speed ? "m/s" : "m";
}

static void add_positions(Making* a) {
  const SarModel* m = a->m;
  for (int j = 0; j < m->nbody; j++)
    for (int k = 0; k < m->joint_nq[j]; k++) {
      const SarJointKind* kind = m->joint_kind[j];
      const bool plain = m->joint_nq[j] == m->joint_nv[j] || k < m->joint_nv[j] - 3;
      const char* name =
          sar_arena_printf(a->arena, "%s.%s", sar_text(m, m->joint_name[j]), kind->q_suffix[k]);
      SarFmiVariable* v = add(a, SAR_FMI_STATE, name, plain ? unit_of(kind, k, false) : "");
      v->start = a->at->q[m->joint_qadr[j] + k];
    }
}

static void add_speeds(Making* a) {
  const SarModel* m = a->m;
  for (int j = 0; j < m->nbody; j++)
    for (int k = 0; k < m->joint_nv[j]; k++) {
      const SarJointKind* kind = m->joint_kind[j];
      const char* name =
          sar_arena_printf(a->arena, "%s.%s", sar_text(m, m->joint_name[j]), kind->v_suffix[k]);
      SarFmiVariable* v = add(a, SAR_FMI_STATE, name, unit_of(kind, k, true));
      v->start = a->at->v[m->joint_vadr[j] + k];
    }
}

static void add_rest(Making* a) {
  const SarModel* m = a->m;
  for (int i = 0; i < m->nz; i++)
    add(a, SAR_FMI_STATE, sar_text(m, m->z_name[i]), "")->start = a->at->z[i];
}

// d/dt of a unit: of those that states have.
static const char* rate_unit(const char* unit) {
  static const char* const pair[][2] = {
      {"m", "m/s"}, {"rad", "rad/s"}, {"m/s", "m/s^2"}, {"rad/s", "rad/s^2"}};
  for (size_t i = 0; i < sizeof pair / sizeof *pair; i++)
    if (strcmp(pair[i][0], unit) == 0) return pair[i][1];
  return "";
}

static void add_derivatives(Making* a) {
  SarFmiDescription* d = a->d;
  const int first = d->first[SAR_FMI_STATE], n = d->num[SAR_FMI_STATE];
  for (int i = 0; i < n; i++) {
    const SarFmiVariable* x = &d->variable[first + i];
    add(a, SAR_FMI_DERIVATIVE, sar_arena_printf(a->arena, "der(%s)", x->name), rate_unit(x->unit));
  }
}

// ---- token --------------------------------------------------------------------------------------

static uint64_t mixed(uint64_t hash, const void* bytes, size_t n) {
  const unsigned char* at = bytes;
  for (size_t i = 0; i < n; i++) hash = (hash ^ at[i]) * 0x100000001b3u;
  return hash;
}

// FNV-1a of the model's fingerprint and of all names with their roles, as a GUID is written.
static void make_token(SarFmiDescription* d, const SarModel* m) {
  const uint64_t print = sar_model_fingerprint(m);
  uint64_t hash = mixed(0xcbf29ce484222325u, &print, sizeof print), other;
  for (int i = 0; i < d->count; i++) {
    const unsigned char role = (unsigned char)d->variable[i].role;
    if (role == SAR_FMI_DERIVATIVE) break;  // they follow
    hash = mixed(hash, &role, 1);
    hash = mixed(hash, d->variable[i].name, strlen(d->variable[i].name) + 1);
  }
  other = mixed(hash, "sarrus", 6);
  sar_snprintf(d->token, sizeof d->token, "{%08x-%04x-%04x-%04x-%012llx}", (unsigned)(hash >> 32),
               (unsigned)(hash >> 16 & 0xffff), (unsigned)(hash & 0xffff), (unsigned)(other >> 48),
               (unsigned long long)(other & 0xffffffffffffu));
}

SarStatus sar_fmi_describe(SarArena* arena, const SarData* d, const SarFmiParameters* parameters,
                           bool exchange, SarFmiDescription* out) {
  static void (*const part[])(Making*) = {add_positions, add_speeds, add_rest};
  const SarModel* m = d->m;
  *out = (SarFmiDescription){.nq = m->nq, .nv = m->nv, .nz = m->nz};
  const int states = out->nq + out->nv + out->nz;
  const size_t most =
      1 + (size_t)m->ninput + (size_t)m->nchannel + (size_t)parameters->count + 2 * (size_t)states;
  out->variable = SAR_ARENA_ARRAY(arena, SarFmiVariable, most);
  out->column = SAR_ARENA_ARRAY(arena, int, m->nchannel + 1);
  if (!out->variable || !out->column) return SAR_NO_MEMORY;
  Making a = {arena, m, d, out, exchange};
  add(&a, SAR_FMI_TIME, "time", "s");
  out->first[SAR_FMI_INPUT] = out->count;
  add_inputs(&a);
  out->first[SAR_FMI_OUTPUT] = out->count;
  add_outputs(&a);
  out->first[SAR_FMI_PARAMETER] = out->count;
  add_parameters(&a, parameters);
  out->first[SAR_FMI_STATE] = out->count;
  for (size_t i = 0; i < sizeof part / sizeof *part; i++) part[i](&a);
  out->first[SAR_FMI_DERIVATIVE] = out->count;
  if (exchange) add_derivatives(&a);
  out->first[SAR_FMI_ROLES] = out->count;
  make_token(out, m);
  return arena->failed ? SAR_NO_MEMORY : SAR_OK;
}
