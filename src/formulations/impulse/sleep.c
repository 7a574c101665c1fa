// Islands that rest (sleeping, exactly).
//
// Bodies that nothing but gravity and contact acts on rest when their island has been settled for
// CALM steps with speeds below what the sweeps leave, STILL of what gravity gives in a step: forces
// out of balance by more than STILL / CALM of the weight, 1e-7, would have shown. Their velocities
// are zero from then on, and what they have is what the next step finds: the same poses, contacts,
// loads. So that step is not made: their pairs are not looked at, their contacts have no rows.
//
// They wake when a contact with what does not rest may close within the step, when a bounce divides
// it, and when the host has touched the state (a restart). Who wakes wakes all that it touches: an
// island rests as a whole. Counters of bodies are state, so a copy goes on with the same bits.
#include "base/block.h"
#include "formulations/impulse/flight.h"
#include "formulations/impulse/impulse.h"

#include <math.h>
#include <string.h>

enum { CALM = SAR_CALM };
static const double STILL = 4e-6;  // of what gravity gives in a step

// ---- who may rest -------------------------------------------------------------------------------

static bool is_fixed(const SarModel* m, int body) {
  for (int b = body; b >= 0; b = m->body_parent[b])
    if (m->joint_nv[b] > 0) return false;
  return true;
}

// Gravity is all that acts on it beside contacts.
static bool may_rest(const SarImpulseState* p, const SarModel* m, int body) {
  if (!p->balance.any || !sar_is_single_body(m, body)) return false;
  const int g = p->held.group_of[m->joint_vadr[body]];
  return g >= 0 && p->held.group[g].rows == 0 && p->balance.known[g] && !p->balance.fixed[g] &&
         !p->balance.tree[g];
}

void sar_sleep_init(SarSleep* x, const SarModel* m, SarBlock* b) {
  const int bodies = m->ncontact > 0 ? m->nbody : 0;
  *x = (SarSleep){0};
  SAR_PIECE(b, x->kind, bodies);
  SAR_PIECE(b, x->able, bodies);
  SAR_PIECE(b, x->seen, bodies);
  SAR_PIECE(b, x->extent, bodies);
}

void sar_sleep_begin(SarImpulseState* p, const SarModel* m) {
  SarSleep* x = &p->sleep;
  if (m->ncontact == 0) return;
  for (int i = 0; i < m->nbody; i++) {
    x->able[i] = may_rest(p, m, i);
    x->kind[i] = is_fixed(m, i) ? SAR_FIXED : SAR_MOVES;
    x->extent[i] = 0;
  }
  for (int i = 0; i < m->ncollider; i++) {
    const SarCollider* c = &m->collider[i];
    if (c->body >= 0)
      x->extent[c->body] = fmax(x->extent[c->body], v3_norm(c->X_BS.p) + c->solid.radius);
  }
  p->search.rest = p->rows.rest = x->kind;
}

// ---- the step -----------------------------------------------------------------------------------

// The counters may be those of another run, which the state is a copy of.
void sar_sleep_read(SarImpulseState* p, const SarSim* s) {
  SarSleep* x = &p->sleep;
  x->count = 0;
  for (int i = 0; i < s->m->nbody && p->search.rest; i++) {
    if (s->restart || s->still) p->calm[i] = 0;
    if (x->kind[i] == SAR_FIXED) continue;
    x->kind[i] = p->calm[i] == CALM ? SAR_RESTS : SAR_MOVES;
    x->count += x->kind[i] == SAR_RESTS;
  }
}

void sar_sleep_hold(const SarImpulseState* p, const SarModel* m, double* v) {
  for (int i = 0; i < m->nbody && p->sleep.count > 0; i++)
    if (p->sleep.kind[i] == SAR_RESTS) memset(&v[m->joint_vadr[i]], 0, 6 * sizeof *v);
}

static void wake(SarImpulseState* p, int body) {
  p->sleep.kind[body] = SAR_MOVES;
  p->calm[body] = 0;
  p->sleep.count--;
}

void sar_sleep_wake_all(SarImpulseState* p, const SarModel* m) {
  for (int i = 0; i < m->nbody && p->sleep.count > 0; i++)
    if (p->sleep.kind[i] == SAR_RESTS) wake(p, i);
}

static int kind_of(const SarImpulseState* p, const SarModel* m, int collider) {
  const int body = m->collider[collider].body;
  return body < 0 ? SAR_FIXED : p->sleep.kind[body];
}

// By contact i; the body that wakes, or -1.
static int wakes(const SarImpulseState* p, const SarModel* m, const SarData* d, const SarJump* jump,
                 int i) {
  const SarContact* c = &d->contact[i];
  const int a = kind_of(p, m, c->a), b = kind_of(p, m, c->b);
  if (a + b != SAR_MOVES + SAR_RESTS || a == b) return -1;
  if (sar_contact_is_far(m, d, c, jump)) return -1;
  return m->collider[a == SAR_RESTS ? c->a : c->b].body;
}

// What wakes wakes others: until nobody does, forth and back through the contacts.
bool sar_sleep_wake(SarImpulseState* p, const SarModel* m, const SarData* d, const SarJump* jump,
                    bool falls) {
  bool again = p->sleep.count > 0, any = false;
  for (bool back = false; again; back = !back) {
    again = false;
    for (int k = 0; k < d->ncontact; k++) {
      const int body = wakes(p, m, d, jump, back ? d->ncontact - 1 - k : k);
      if (body < 0) continue;
      wake(p, body);
      again = any = true;
      double* a = &p->slope[m->joint_vadr[body]];
      if (falls) v3_store(a, m3_tmul_v(m->body_X_PF[body].R, m->gravity));
    }
  }
  return any;
}

// ---- where it has ended -------------------------------------------------------------------------

static bool is_still(const SarImpulseState* p, const SarModel* m, const SarData* d, int body,
                     double most) {
  const int first = m->joint_vadr[body];
  const double* v = &d->v[first];
  const double speed = v3_norm(v3_load(v)) + p->sleep.extent[body] * v3_norm(v3_load(v + 3));
  for (int i = first; i < first + 6; i++)
    if (d->tau_host[i] != 0) return false;
  return p->sleep.able[body] && speed <= most;
}

static void fall_asleep(SarImpulseState* p, const SarModel* m, SarData* d, int body) {
  const int first = m->joint_vadr[body];
  p->calm[body] = CALM;
  memset(&d->v[first], 0, 6 * sizeof *d->v);
  memset(&d->a[first], 0, 6 * sizeof *d->a);
  memset(&p->step_a[first], 0, 6 * sizeof *p->step_a);
}

static void look_at_island(SarImpulseState* p, const SarModel* m, SarData* d, int island,
                           double most) {
  const SarIsland* z = &p->islands.island[island];
  bool still = p->crew.end[island].done && z->rigid && !z->shifts;
  int least = CALM;
  for (int k = z->body; k < z->body + z->bodies; k++) {
    const int body = m->dof_body[p->islands.first[k]];
    p->sleep.seen[body] = true;
    still = still && is_still(p, m, d, body, most);
    least = p->calm[body] < least ? p->calm[body] : least;
  }
  for (int k = z->body; k < z->body + z->bodies; k++) {
    const int body = m->dof_body[p->islands.first[k]];
    if (!still)
      p->calm[body] = 0;
    else if (least + 1 >= CALM)
      fall_asleep(p, m, d, body);
    else if (p->calm[body] + 1 < CALM)
      p->calm[body]++;
  }
}

// Contacts between those that rest now have no speed.
static void still_contacts(SarImpulseState* p, const SarModel* m, SarData* d) {
  for (int i = 0; i < m->nbody; i++)
    if (p->calm[i] == CALM) p->sleep.kind[i] = SAR_RESTS;
  for (int i = 0; i < d->ncontact; i++) {
    SarContact* c = &d->contact[i];
    if (sar_pair_rests(m, p->sleep.kind, c->a, c->b)) memset(c->u, 0, sizeof c->u);
  }
}

void sar_sleep_look(SarImpulseState* p, SarSim* s, bool whole) {
  const SarModel* m = s->m;
  const double fall = (s->stop - s->start.t) * sar_gravity_size(m);
  if (!p->search.rest) return;
  for (int i = 0; i < m->nbody; i++) p->sleep.seen[i] = p->sleep.kind[i] == SAR_RESTS;
  for (int i = 0; i < p->islands.count && whole && !p->late; i++)
    look_at_island(p, m, s->d, i, STILL * fall);
  for (int i = 0; i < m->nbody; i++)
    if (!p->sleep.seen[i]) p->calm[i] = 0;
  still_contacts(p, m, s->d);
}
