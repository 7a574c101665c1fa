// Fingerprint of a model (fingerprint.h): number by number, because structs have padding, pointers
// and offsets into the text, which depend on where the file was.
#include "model/friction.h"
#include "model/fingerprint.h"

#include <string.h>

static void take(uint64_t* hash, uint64_t bits, int size) {
  for (int k = 0; k < size; k += 8) *hash = (*hash ^ (bits >> k & 0xff)) * 0x100000001b3u;
}

static void take_int(uint64_t* h, int x) { take(h, (uint32_t)x, 32); }

static void take_numbers(uint64_t* h, const double* x, size_t n) {
  for (size_t i = 0; i < n; i++) {
    uint64_t bits;
    memcpy(&bits, &x[i], sizeof bits);
    take(h, bits, 64);
  }
}

static void take_number(uint64_t* h, double x) { take_numbers(h, &x, 1); }
static void take_point(uint64_t* h, V3 p) { take_numbers(h, &p.x, 3); }

static void take_word(uint64_t* h, const char* word) {
  for (; *word; word++) take(h, (unsigned char)*word, 8);
  take(h, 0, 8);
}

// ---- one entry of an array, by type -------------------------------------------------------------

// clang-format off
#define TAKER(name, type)                            \
  static void name(uint64_t* h, const void* entry) { \
    const type* x = entry;
#define END }

_Static_assert(sizeof(Inertia) == 10 * sizeof(double), "an inertia is ten numbers");
TAKER(take_int_entry, int) take_int(h, *x); END
TAKER(take_double, double) take_number(h, *x); END
TAKER(take_V3, V3) take_point(h, *x); END
TAKER(take_Xform, Xform) take_numbers(h, &x->R.xx, 12); END
TAKER(take_Inertia, Inertia) take_numbers(h, &x->m, 10); END
TAKER(take_joint_kind, SarJointKind* const) take_word(h, (*x)->name); END
TAKER(take_force_kind, SarForceKind* const) take_word(h, (*x)->name); END
TAKER(take_coupling, SarCoupling)
  take_int(h, x->joint), take_int(h, x->other);
  take_number(h, x->multiplier), take_number(h, x->offset);
END
TAKER(take_cut, SarCut)
  take_word(h, x->kind->name);
  for (int i = 0; i < 2; i++) take_int(h, x->body[i]), take_Xform(h, &x->X_BF[i]);
  take_numbers(h, x->param, SAR_JOINT_MAX_PARAM);
END
TAKER(take_motor, SarMotor)
  take_int(h, x->kind), take_int(h, x->joint), take_int(h, x->component);
  take_int(h, x->slot), take_int(h, x->rate);
  take_number(h, x->effort), take_number(h, x->speed_limit);
END
TAKER(take_constraint, SarConstraint)
  take_int(h, x->source), take_int(h, x->index), take_int(h, x->row), take_int(h, x->rows);
  take_int(h, x->identical), take_int(h, x->drive), take_int(h, x->held);
END
TAKER(take_row, SarRow)
  take_int(h, x->constraint), take_int(h, x->slot);
  take_number(h, x->constant), take_number(h, x->turn);
END
TAKER(take_term, SarTerm)
  take_int(h, x->kind), take_int(h, x->row), take_int(h, x->pair), take_int(h, x->q);
  take_int(h, x->dof), take_int(h, x->joint), take_int(h, x->track), take_int(h, x->place);
  if (x->roller >= 0) take_int(h, x->roller), take_int(h, x->way);
  take_number(h, x->coefficient), take_point(h, x->x), take_point(h, x->y), take_point(h, x->w);
END
TAKER(take_pair, SarPair)
  for (int i = 0; i < 2; i++) take_int(h, x->body[i]), take_point(h, x->point[i]);
END
TAKER(take_idle, SarIdleTerm)
  take_int(h, x->kind), take_int(h, x->constraint), take_number(h, x->coefficient);
  for (int i = 0; i < 2; i++) take_int(h, x->body[i]), take_point(h, x->point[i]);
  take_point(h, x->x), take_point(h, x->w);
END
TAKER(take_roller, SarRoller)
  take_number(h, x->radius), take_int(h, x->ball), take_int(h, x->road), take_int(h, x->index);
END
TAKER(take_rotor, SarRotor) take_int(h, x->joint), take_int(h, x->on_body), take_point(h, x->g); END
TAKER(take_track, SarTrack) take_int(h, x->law), take_int(h, x->adr), take_int(h, x->num); END
TAKER(take_expr, SarExprEntry)
  take_int(h, x->program.count), take_int(h, x->program.result);
  take_int(h, x->instr), take_int(h, x->slot);
END
TAKER(take_instr, SarInstr)
  take_int(h, x->op), take_int(h, x->a), take_int(h, x->b), take_int(h, x->c);
  take_number(h, x->value);
END
TAKER(take_gate, SarGate)
  take_int(h, x->target), take_int(h, x->index), take_int(h, x->latched), take_int(h, x->hold);
  take_int(h, x->from.slot), take_number(h, x->from.time);
  take_int(h, x->until.slot), take_number(h, x->until.time);
END
TAKER(take_initial, SarInitial) take_int(h, x->expr), take_int(h, x->speed); END
TAKER(take_attr, SarAttrValue) take_int(h, x->index), take_int(h, x->adr); END
TAKER(take_tangent, SarTangentBlock) take_int(h, x->source), take_int(h, x->index); END
TAKER(take_road, SarRoad)
  take_int(h, x->feature), take_int(h, x->num), take_int(h, x->table), take_int(h, x->rows);
  take_int(h, x->smooth), take_int(h, x->law), take_int(h, x->station), take_int(h, x->stations);
  if (x->nx > 0) take_int(h, x->nx), take_int(h, x->ny), take_int(h, x->field);
END
TAKER(take_airfoil, SarAirfoil)
  take_int(h, x->numbers);
  for (int i = 0; i < 3; i++) take_int(h, x->table[i]), take_int(h, x->angles[i]), take_int(h, x->machs[i]);
END
TAKER(take_collider, SarCollider)
  take_int(h, x->body), take_Xform(h, &x->X_BS), take_int(h, x->material);
  take_int(h, (int)x->group), take_int(h, (int)x->with), take_int(h, x->solid.kind);
  take_numbers(h, x->solid.size, 3), take_number(h, x->solid.radius);
END
TAKER(take_surface, SarSurface)
  take_number(h, x->friction), take_number(h, x->restitution), take_number(h, x->rolling);
  take_number(h, x->spinning), take_number(h, x->stiffness), take_number(h, x->damping);
END
TAKER(take_apart, SarApart) take_int(h, x->a), take_int(h, x->b); END
TAKER(take_node, SarTreeNode) take_int(h, x->first), take_int(h, x->count); END
TAKER(take_measure, SarMeasure)
  take_int(h, x->kind), take_int(h, x->index), take_int(h, x->component), take_int(h, x->slot);
  take_point(h, x->point);
END
TAKER(take_channel, SarChannel)
  take_word(h, x->kind->name), take_int(h, x->index), take_int(h, x->component), take_int(h, x->other);
  take_point(h, x->point);
END
TAKER(take_knot, SarKnot)
  take_point(h, x->base), take_int(h, x->num), take_int(h, x->adr), take_int(h, x->state);
  for (int i = 0; i < x->num; i++) take_point(h, x->way[i]);
END
TAKER(take_network, SarNetwork) take_int(h, x->num), take_int(h, x->num_dof); END
TAKER(take_network_force, SarNetworkForce) take_int(h, x->force), take_int(h, x->body); END
TAKER(take_call, SarCall)
  take_int(h, x->entry), take_int(h, x->lead);
  for (int i = 0; i < SAR_CALL_ROLES; i++) take_int(h, x->num[i]);
END
TAKER(take_motion, Motion) take_point(h, x->w), take_point(h, x->v); END
TAKER(take_modal, SarModal) take_int(h, x->body), take_int(h, x->num); END
TAKER(take_modal_node, SarModalNode) take_int(h, x->body), take_int(h, x->modal), take_int(h, x->bend); END
TAKER(take_work, SarWorkSource) take_int(h, x->kind), take_int(h, x->index); END

// Names and places: left out.
static void take_nothing(uint64_t* h, const void* entry) { (void)h, (void)entry; }

#define TAKER_OF(array) _Generic((array),                                                            \
    int*: take_int_entry, double*: take_double, V3*: take_V3, Xform*: take_Xform,                     \
    Inertia*: take_Inertia, const SarJointKind**: take_joint_kind, const SarForceKind**: take_force_kind, \
    SarCoupling*: take_coupling, SarCut*: take_cut, SarMotor*: take_motor, SarRotor*: take_rotor,     \
    SarConstraint*: take_constraint, SarRow*: take_row, SarTerm*: take_term, SarPair*: take_pair,     \
    SarIdleTerm*: take_idle,                                                                          \
    SarTrack*: take_track, SarRoller*: take_roller, SarInitial*: take_initial, SarExprEntry*: take_expr, SarInstr*: take_instr, SarGate*: take_gate,      \
    SarAttrValue*: take_attr, SarTangentBlock*: take_tangent, SarRoad*: take_road, SarAirfoil*: take_airfoil, \
    SarCollider*: take_collider, SarSurface*: take_surface, SarApart*: take_apart,                    \
    SarTreeNode*: take_node, SarKnot*: take_knot, SarNetwork*: take_network, SarNetworkForce*: take_network_force, SarMeasure*: take_measure, SarWorkSource*: take_work,                    \
    SarCall*: take_call, SarUserFunction*: take_nothing,                                                  \
    Motion*: take_motion, SarModal*: take_modal, SarModalNode*: take_modal_node,                      \
    SarReach*: take_nothing, SarPanel*: take_nothing, SarPanelUpdate*: take_nothing,                  \
    SarPlace*: take_nothing, SarPoint*: take_nothing, SarBodyShape*: take_nothing, SarChannel*: take_channel, char*: take_nothing)
// clang-format on

// Offsets of names, columns of the result (but not those that expressions hold), what only pictures
// use, and the order of elimination, which depends on the libraries that are there.
static bool is_left_out(const char* field) {
  const size_t n = strlen(field);
  return (n > 5 && strcmp(field + n - 5, "_name") == 0) || strcmp(field, "channel") == 0 ||
         strncmp(field, "shape", 5) == 0 || strncmp(field, "panel", 5) == 0 ||
         strcmp(field, "fill_place") == 0;
}

static void take_field(uint64_t* hash, const SarGravityField* f) {
  take_int(hash, f->kind);
  take_point(hash, f->centre);
  take_number(hash, f->mu);
  take_int(hash, f->law);
}

static bool has_falling_friction(const SarModel* m) {
  for (int i = 0; i < m->nv_all; i++)
    if (sar_friction_falls(m, i)) return true;
  return false;
}

// Arrays of what most models do not have, left out of those: their fingerprint is what it was
// before.
static bool is_absent(const SarModel* m, const char* field) {
  if (strstr(field, "rotor")) return m->nrotor == 0;
  if (strncmp(field, "knot", 4) == 0 || strncmp(field, "network", 7) == 0) return m->nknot == 0;
  if (strncmp(field, "discrete", 8) == 0) return m->ndiscrete == 0;
  if (strncmp(field, "call", 4) == 0) return m->ncall == 0;
  if (strcmp(field, "modal") == 0 || strncmp(field, "node", 4) == 0 ||
      strcmp(field, "body_node") == 0)
    return m->nnode == 0;
  if (strcmp(field, "airfoil") == 0) return m->nairfoil == 0;
  if (strcmp(field, "air") == 0) return m->nair == 0;
  if (strcmp(field, "force_cache_adr") == 0 || strcmp(field, "force_state") == 0 ||
      strcmp(field, "force_order") == 0)
    return m->ncache_force == 0;
  if (strcmp(field, "force_kept_adr") == 0) return m->nforce_kept == 0;
  if (strcmp(field, "dof_breakaway") == 0 || strcmp(field, "dof_stribeck_speed") == 0)
    return !has_falling_friction(m);
  return m->nz == 0 && strncmp(field, "z_", 2) == 0;
}

// Attributes that a kind has, and zeros as far as all kinds had them once.
static void take_attributes(uint64_t* h, const SarModel* m) {
  enum { BEFORE = 12 };
  take_int(h, m->nforce * BEFORE);
  for (int i = 0; i < m->nforce; i++)
    for (int k = 0; k < SAR_FORCE_MAX_ATTR; k++)
      if (k < BEFORE || k < m->force_kind[i]->nattr) take_attr(h, sar_force_attr(m, i, k));
}

uint64_t sar_model_fingerprint(const SarModel* m) {
  uint64_t hash = 0xcbf29ce484222325u;
  take_point(&hash, m->gravity);
  if (m->field.kind != SAR_GRAVITY_UNIFORM) take_field(&hash, &m->field);
  take_int(&hash, m->absolute);
  if (m->platforms > 0) take_int(&hash, m->platforms);
  for (int b = 0; b < m->nbody; b++) take_word(&hash, sar_text(m, m->body_name[b]));
  for (int j = 0; j < m->njoint; j++) take_word(&hash, sar_text(m, m->joint_name[j]));
#define X(type, field, n, columns, doc)                                                      \
  if (!is_left_out(#field) && !is_absent(m, #field) && TAKER_OF(m->field) != take_nothing) { \
    take_word(&hash, #field);                                                                \
    if (strcmp(#field, "force_attr") == 0) {                                                 \
      take_attributes(&hash, m);                                                             \
    } else {                                                                                 \
      take_int(&hash, (m->n) * (columns));                                                   \
      for (int i = 0; i < (m->n) * (columns); i++) TAKER_OF(m->field)(&hash, &m->field[i]);  \
    }                                                                                        \
  }
  SAR_MODEL_ARRAYS(X)
#undef X
  return hash;
}
