// The state, number by number (state.h), and its hash.
#include "model/state.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

// ---- by type ------------------------------------------------------------------------------------

static void visit_double(const SarStateVisitor* v, const char* name, double* x, size_t n) {
  if (n > 0) v->numbers(v->context, name, x, n);
}

static void visit_int(const SarStateVisitor* v, const char* name, int* x, size_t n) {
  if (n > 0) v->whole(v->context, name, x, n, -1);
}

_Static_assert(sizeof(Xform) == 12 * sizeof(double), "a frame is twelve numbers");
static void visit_Xform(const SarStateVisitor* v, const char* name, Xform* x, size_t n) {
  visit_double(v, name, (double*)(void*)x, 12 * n);
}

// Between the names of its solids and its impulses a contact has padding: field by field.
enum { CONTACT_NUMBERS = 3 * 3 + 1 + SAR_CONTACT_ROWS + 1 + 3 + 1 };
_Static_assert(sizeof(SarContact) == 4 * sizeof(int) + CONTACT_NUMBERS * sizeof(double),
               "a new field of a contact belongs to the state: visit it here");
static void visit_SarContact(const SarStateVisitor* v, const char* name, SarContact* x, size_t n) {
  for (size_t i = 0; i < n; i++) {
    SarContact* c = &x[i];
    int feature;
    memcpy(&feature, &c->feature, sizeof feature);
    visit_int(v, name, &c->a, 1);
    visit_int(v, name, &c->b, 1);
    visit_int(v, name, &feature, 1);
    memcpy(&c->feature, &feature, sizeof feature);
    visit_double(v, name, &c->point.x, 3);
    visit_double(v, name, &c->normal.x, 3);
    visit_double(v, name, &c->tangent.x, 3);
    visit_double(v, name, &c->gap, 1);
    visit_double(v, name, c->p, SAR_CONTACT_ROWS);
    visit_double(v, name, &c->step, 1);
    visit_double(v, name, c->u, 3);
    visit_double(v, name, &c->rest, 1);
  }
}

// ---- by part ------------------------------------------------------------------------------------

static void visit_freedom(const SarStateVisitor* v, const char* name, SarFreedom* f) {
  visit_int(v, name, &f->rows, 1);
  visit_int(v, name, &f->rank, 1);
  visit_int(v, name, &f->rank_here, 1);
  v->whole(v->context, name, &f->massless, 1, 1);
}

static void visit_clock(const SarStateVisitor* v, SarClock* c) {
  double* const number[] = {&c->t, &c->mark, &c->step, &c->count, &c->next, &c->error, &c->window};
  for (size_t i = 0; i < sizeof number / sizeof *number; i++)
    visit_double(v, "clock", number[i], 1);
  visit_int(v, "clock", &c->landings, 1);
  visit_int(v, "clock", &c->unchecked, 1);
}

static void visit_scalars(const SarStateVisitor* v, SarData* d) {
  visit_double(v, "time", &d->t, 1);
  visit_double(v, "energy_start", &d->energy_start, 1);
  visit_double(v, "end_t", &d->end_t, 1);
  v->whole(v->context, "ncontact", &d->ncontact, 1, d->m->ncontact);
  v->whole(v->context, "restart", &d->restart, 1, SAR_RESTART_PREPARED);
  v->whole(v->context, "assembled", &d->assembled, 1, 1);
  visit_freedom(v, "freedom", &d->freedom);
  visit_clock(v, &d->clock);
}

// How many of an array's entries are state beyond what is visited elsewhere.
static size_t entries_of(const SarData* d, const char* field, size_t all) {
  const SarModel* m = d->m;
  if (strcmp(field, "q") == 0) return (size_t)m->nq;
  if (strcmp(field, "v") == 0) return (size_t)m->nv;
  if (strcmp(field, "contact") == 0) return (size_t)d->ncontact;
  return all;
}

static void visit_arrays(const SarStateVisitor* v, SarData* d) {
#define X(type, field, n, columns, doc) \
  visit_##type(v, #field, d->field, entries_of(d, #field, (size_t)d->m->n*(size_t)(columns)));
  SAR_DATA_STATE(X)
#undef X
}

static void visit_start(const SarStateVisitor* v, SarData* d) {
#define X(type, field, n, columns, doc) \
  visit_##type(v, #field, d->field, (size_t)d->m->n*(size_t)(columns));
  SAR_DATA_START(X)
#undef X
  visit_freedom(v, "freedom_start", &d->freedom_start);
}

static void visit_method(const SarStateVisitor* v, SarMethod* p) {
  unsigned char* at = p->block;
  for (int i = 0; i < p->nfield; i++) {
    const SarField* f = &p->field[i];
    const size_t n = (size_t)f->count;
    if (n == 0) continue;  // a block of empty fields has no address
    if (f->most < 0)
      visit_double(v, f->name, (double*)(void*)at, n);
    else
      v->whole(v->context, f->name, (int*)(void*)at, n, f->most);
    at += sar_field_bytes(f);
  }
}

void sar_state_visit(SarData* d, unsigned parts, const SarStateVisitor* v) {
  const SarModel* m = d->m;
  if (parts & SAR_STATE_SCALARS) visit_scalars(v, d);
  if (parts & SAR_STATE_ARRAYS) visit_arrays(v, d);
  if (parts & SAR_STATE_CUTS) {
    visit_double(v, "q", d->q + m->nq, (size_t)(m->nq_all - m->nq));
    visit_double(v, "v", d->v + m->nv, (size_t)(m->nv_all - m->nv));
  }
  if (parts & SAR_STATE_START) visit_start(v, d);
  if (parts & SAR_STATE_METHOD) visit_method(v, &d->method);
}

// ---- hash ---------------------------------------------------------------------------------------

// FNV-1a over bytes, the lowest of a number first whatever the machine's order
static uint64_t hash_bits(uint64_t hash, uint64_t bits, int size) {
  for (int k = 0; k < size; k += 8) hash = (hash ^ (bits >> k & 0xff)) * 0x100000001b3u;
  return hash;
}

static void hash_numbers(void* context, const char* name, double* x, size_t n) {
  uint64_t* hash = context;
  (void)name;
  for (size_t i = 0; i < n; i++) {
    uint64_t bits;
    memcpy(&bits, &x[i], sizeof bits);
    *hash = hash_bits(*hash, bits, 64);
  }
}

static void hash_whole(void* context, const char* name, int* x, size_t n, int most) {
  uint64_t* hash = context;
  (void)name, (void)most;
  for (size_t i = 0; i < n; i++) *hash = hash_bits(*hash, (uint32_t)x[i], 32);
}

static void hash_text(uint64_t* hash, const char* text) {
  for (; *text; text++) *hash = hash_bits(*hash, (unsigned char)*text, 8);
  *hash = hash_bits(*hash, 0, 8);
}

static const double TURN = 6.283185307179586;

// Of the coordinates of cuts only the turn they are in is state; the rest follows from the tree,
// and is as new as whoever looked last.
static void hash_turns(uint64_t* hash, const SarData* d) {
  const SarModel* m = d->m;
  if (!m->counts_turns && !m->needs_cuts) return;
  for (int j = m->nbody; j < m->njoint; j++)
    for (int i = 0; i < m->joint_nv[j] && m->joint_nq[j] == m->joint_nv[j]; i++)
      if (m->joint_kind[j]->coordinate[i] == SAR_ANGLE) {
        // a number that may be beyond all int; + 0 makes -0 the same turn as 0
        double turn = nearbyint(d->q[m->joint_qadr[j] + i] / TURN) + 0.0;
        hash_numbers(hash, "", &turn, 1);
      }
}

SAR_API unsigned long long sar_state_hash(const SarData* d) {
  if (!d) return 0;
  uint64_t hash = 0xcbf29ce484222325u;
  const SarStateVisitor v = {&hash, hash_numbers, hash_whole};
  // the visitor changes nothing
  sar_state_visit((SarData*)(uintptr_t)d, SAR_STATE_SCALARS | SAR_STATE_ARRAYS | SAR_STATE_METHOD,
                  &v);
  hash_turns(&hash, d);
  hash_text(&hash, d->method.formulation);
  hash_text(&hash, d->method.integrator);
  double radius = d->method.spectral_radius;
  int project = d->method.project;
  hash_numbers(&hash, "", &radius, 1);
  hash_whole(&hash, "", &project, 1, 1);
  return hash;
}
