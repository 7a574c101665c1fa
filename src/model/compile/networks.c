// Networks: knots that forces tie together, and the coordinates of the bodies around them, which
// feel each other through the knots (dynamics/knot_tangents.c).
#include "model/compile/parts.h"

// A block of a network is full, and its size goes with the squares of these: a larger one has no
// tangent, and implicit steps must be short for it.
enum { MOST_FORCES = 256, MOST_COORDINATES = 512 };

// The ends of a force: knots, and the body at the other end of one on a knot.
static SarNetworkForce ends_of(const SarModel* m, int force) {
  const SarForceKind* kind = m->force_kind[force];
  SarNetworkForce f = {.force = force, .knot = {-1, -1}, .body = GROUND};
  int found = 0;
  for (int k = 0; k < kind->nattr && found < 2; k++) {
    const SarAttrType type = kind->attr[k].type;
    if (type != SAR_ATTR_BODY && type != SAR_ATTR_POINT) continue;
    const int body = sar_force_attr(m, force, k)->index;
    if (sar_is_knot(m, body))
      f.knot[found] = body - m->nbody;
    else
      f.body = body;
    found++;
  }
  return f;
}

// ---- which knots hang together ------------------------------------------------------------------

// The first knot of the network that knot k belongs to, as far as it is known.
static int first_of(const int* before, int k) {
  while (before[k] != k) k = before[k];
  return k;
}

static void tie(int* before, int a, int b) {
  const int x = first_of(before, a), y = first_of(before, b);
  before[x > y ? x : y] = x > y ? y : x;
}

// Numbers of networks by their first knots, and places of coordinates in them.
static void number_networks(SarModel* m, const int* before) {
  for (int k = 0; k < m->nknot; k++) {
    SarKnot* at = &m->knot[k];
    const int first = first_of(before, k);
    at->network = first == k ? m->nnetwork++ : m->knot[first].network;
    SarNetwork* n = &m->network[at->network];
    at->local = n->num_knot_dof;
    n->num_knot_dof += at->num;
  }
}

// ---- coordinates around them --------------------------------------------------------------------

static bool moves(const SarModel* m, int dof, int body) {
  const int b = m->dof_body[dof];
  return body >= b && body < b + m->body_subtree[b];
}

static bool add_int(Compile* c, IntList* list, int value) {
  int* place = SAR_LIST_ADD(&c->arena, list);
  if (place) *place = value;
  return place != NULL;
}

static bool add_coordinates(Compile* c, SarNetwork* n, IntList* dofs) {
  const SarModel* m = &c->m;
  n->dof_adr = dofs->count;
  for (int i = 0; i < m->nv; i++) {
    bool any = false;
    for (int k = n->adr; k < n->adr + n->num && !any; k++)
      any = m->network_force[k].body >= 0 && moves(m, i, m->network_force[k].body);
    if (any && !add_int(c, dofs, i)) return false;
  }
  n->num_dof = dofs->count - n->dof_adr;
  if (n->num <= MOST_FORCES && n->num_dof <= MOST_COORDINATES) return true;
  dofs->count = n->dof_adr;
  n->num_dof = 0;
  return true;
}

static bool add_places(Compile* c, const SarNetwork* n, const IntList* dofs, SarNetworkForce* f,
                       IntList* places) {
  f->adr = places->count;
  for (int i = 0; i < n->num_dof && f->body >= 0; i++)
    if (moves(&c->m, dofs->items[n->dof_adr + i], f->body) && !add_int(c, places, i)) return false;
  f->num = places->count - f->adr;
  return true;
}

// Motions of the forces, of one network at a time: along coordinates, or three ways of each force
// (system.c of natural coordinates).
static int motions_of(const SarNetwork* n) {
  const int most = n->num_dof > 3 * n->num ? n->num_dof : 3 * n->num;
  return n->num_dof > 0 ? n->num * most : 0;
}

bool sar_compile_networks(Compile* c) {
  SarModel* m = &c->m;
  IntList dofs = {0}, places = {0};
  if (m->nknot_force == 0) return true;
  int* before = SAR_ARENA_ARRAY(&c->arena, int, m->nknot);
  m->network = SAR_ARENA_ARRAY(&c->arena, SarNetwork, m->nknot);
  m->network_force = SAR_ARENA_ARRAY(&c->arena, SarNetworkForce, m->nknot_force);
  if (c->arena.failed) return false;
  for (int k = 0; k < m->nknot; k++) before[k] = k;
  for (int i = 0; i < m->nknot_force; i++) {
    const SarNetworkForce f = ends_of(m, m->knot_force[i]);
    if (f.knot[0] >= 0 && f.knot[1] >= 0) tie(before, f.knot[0], f.knot[1]);
  }
  number_networks(m, before);
  for (int k = 0; k < m->nnetwork; k++) {
    SarNetwork* n = &m->network[k];
    n->adr = m->nnetwork_force;
    for (int i = 0; i < m->nknot_force; i++) {
      const SarNetworkForce f = ends_of(m, m->knot_force[i]);
      const int knot = f.knot[0] >= 0 ? f.knot[0] : f.knot[1];
      if (m->knot[knot].network != k || m->force_kind[f.force]->controlled) continue;
      m->network_force[m->nnetwork_force++] = f;
    }
    n->num = m->nnetwork_force - n->adr;
    if (!add_coordinates(c, n, &dofs)) return false;
    for (int i = n->adr; i < m->nnetwork_force; i++)
      if (!add_places(c, n, &dofs, &m->network_force[i], &places)) return false;
    if (motions_of(n) > m->nnetwork_motion) m->nnetwork_motion = motions_of(n);
  }
  m->network_dof = dofs.items;
  m->nnetwork_dof = dofs.count;
  m->network_place = places.items;
  m->nnetwork_place = places.count;
  return true;
}
