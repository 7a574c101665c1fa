// Static rolling resistance: what has nearly come to rest comes to rest.
//
// Sticking friction does no work on what rolls, so a ball on a level floor rolls on for ever, and
// in a heap some always do. Real solids press into each other a little, so their load acts some way
// ahead of the middle (a lever): the resistance to rolling that `rolling` of a material has at any
// speed. Without it, bodies with friction that stick to what they touch, roll or bear what rolls,
// and are slower than c, are slowed down as by a force of the share f of their weights (Coulomb's
// law),
//
//   w_b = sqrt(2 T_b / m_b) <= c_b = F sqrt(g r_b),    r_b: the smallest radius in contact
//   T (1 - s^2) = h f g sum m_b w_b (1 + s) / 2,       s = max(0, 1 - h f g sum m_b w_b / (2 T))
//   v <- s v
//
// for all that are slow and touch each other by one factor s: what sticks goes on sticking, and no
// gap closes, for both are linear in v. What stops within the step, w_b <= h f g, is ground to the
// others. So a sphere of the speed v stops after sqrt(7 / 5) v / (f g), and what gravity moves by
// less than the share f of its weight stays where it is, to rounding. What slides, flies, hits, is
// faster than c, or touches what is or what belongs to a mechanism is left alone, so is what has no
// round solid among it (a box that begins to fall over its edge), and a ball's spin about the
// normal of its only contact, which moves it nowhere.
//
// Forces Q have given v their work along half of the way h v, which now is s of it. So the energy
// falls by (1 - s) ((1 + s) T - h Q . v / 2), and s is never so small that this would be a gain.
#include "formulations/impulse/impulse.h"

#include <math.h>
#include <string.h>

static const double SHARE = 5e-4;  // f
static const double SLOW = 1e-2;   // F: Froude number of what is nearly at rest
// of the kinetic energy: a gain that is none, while it moves and where it stops
static const double ROUNDING = 1e-9, STOPPED = 1e-6;
static const double ALIGNED = 1e-9;  // sine of angles that are none

void sar_rest_init(SarRest* p, const SarModel* m, SarBlock* b) {
  SAR_PIECE(b, p->body, m->ncontact > 0 ? m->nbody : 0);
  SAR_PIECE(b, p->taken, m->nbody);
  SAR_PIECE(b, p->v, m->nv + SAR_GROUND);
}

void sar_rest_clear(SarRest* p, const SarModel* m) {
  p->work = 0;
  memset(p->taken, 0, (size_t)m->nbody * sizeof *p->taken);
}

typedef struct Look {
  SarImpulseState* p;
  const SarModel* m;
  const SarData* d;
  const SarIsland* z;
  double fall;       // speed that gravity gives in the step
  const double* v0;  // velocities before forces
} Look;

static int body_at(const Look* s, int first) {
  return first == s->p->rows.points.ground ? -1 : s->m->dof_body[first];
}

static double mass_at(const Look* s, int first) {
  const int body = body_at(s, first);
  return body < 0 ? HUGE_VAL : s->m->body_inertia[body].m;
}

static int root_of(SarRestBody* body, int b) {
  while (body[b].root != b) b = body[b].root = body[body[b].root].root;
  return b;
}

// ---- what holds a body --------------------------------------------------------------------------

static bool is_round(const SarModel* m, int collider) {
  const SarSolidKind kind = m->collider[collider].solid.kind;
  return kind == SAR_SOLID_SPHERE || kind == SAR_SOLID_CAPSULE || kind == SAR_SOLID_CYLINDER;
}

static void note(const Look* s, SarRestBody* x, const SarFaceSide* side, const SarPointRows* point,
                 bool sticks) {
  const SarContact* c = &s->d->contact[point->owner];
  x->radius = fmin(x->radius, sar_contact_radius(s->m, c));
  x->rolls = x->rolls || is_round(s->m, c->a) || is_round(s->m, c->b);
  x->sticks = x->sticks && sticks;
  x->points++;
  x->side = side;
  for (int k = 0; k < 3; k++) x->arm[k] = side->r[k] + point->r[k];
}

// True: it bears a load, more than resistance does.
static bool look_at_face(const Look* s, const SarFace* face) {
  SarRestBody* body = s->p->rest.body;
  const SarTwist twist = sar_face_twist(face, s->p->rows.v);
  const int a = body_at(s, face->a.first), b = body_at(s, face->b.first);
  const double still = SAR_STILL * s->fall;
  const double nothing =
      SHARE * s->fall * fmin(mass_at(s, face->a.first), mass_at(s, face->b.first));
  bool loaded = false;
  for (int i = face->first; i < face->first + face->count; i++) {
    const SarPointRows* x = &s->p->rows.points.point[i];
    double u[3];
    if (s->p->rows.points.p[i][0] <= nothing) continue;
    sar_point_speeds(x, &twist, u);
    const double y = u[1] - x->slip[0], z = u[2] - x->slip[1];
    const bool sticks = x->friction > 0 && x->soft == 0 && y * y + z * z <= still * still;
    if (a >= 0) note(s, &body[a], &face->a, x, sticks);
    if (b >= 0) note(s, &body[b], &face->b, x, sticks);
    loaded = true;
  }
  return loaded;
}

// False: the ground bears nothing of the island.
static bool look_at_contacts(const Look* s) {
  bool ground = false;
  for (int k = s->z->body; k < s->z->body + s->z->bodies; k++) {
    const int b = s->m->dof_body[s->p->islands.first[k]];
    s->p->rest.body[b] = (SarRestBody){.root = b, .radius = HUGE_VAL, .sticks = true};
  }
  for (int k = s->z->face; k < s->z->face + s->z->faces; k++) {
    const SarFace* face = &s->p->rows.points.face[s->p->islands.face[k]];
    const bool on_ground = body_at(s, face->a.first) < 0 || body_at(s, face->b.first) < 0;
    ground = (look_at_face(s, face) && on_ground) || ground;
  }
  return ground;
}

// ---- speeds -------------------------------------------------------------------------------------

// The rotation about the normal of a body's only contact, if that passes through its mass centre
// and is a principal axis: no part of the motion beside it, and none of its energy.
static V3 spin_of(const SarRestBody* x, S3 I, V3 w) {
  const SarColumns* axes = x->points == 1 ? &x->side->axes : NULL;
  if (!axes) return v3_zero();
  const V3 n = v3(axes->x[0], axes->y[0], axes->z[0]), In = s3_mul_v(I, n);
  const double aside = x->arm[1] * x->arm[1] + x->arm[2] * x->arm[2];
  const bool through = aside <= ALIGNED * ALIGNED * x->arm[0] * x->arm[0];
  const bool principal = v3_norm(v3_cross(n, In)) <= ALIGNED * v3_norm(In);
  return through && principal ? v3_scale(v3_dot(n, w), n) : v3_zero();
}

static void find_speeds(const Look* s) {
  for (int k = s->z->body; k < s->z->body + s->z->bodies; k++) {
    const int first = s->p->islands.first[k], b = s->m->dof_body[first];
    const Inertia* I = &s->m->body_inertia[b];
    SarRestBody* x = &s->p->rest.body[b];
    const V3 v = v3_load(&s->p->rows.v[first]), w = v3_load(&s->p->rows.v[first + 3]);
    x->spin = spin_of(x, I->I, w);
    const V3 rolls = v3_sub(w, x->spin);
    const V3 P = v3_scale(I->m, v), L = s3_mul_v(I->I, rolls);
    const double *free = &s->p->direct.free[first], *v0 = &s->v0[first];
    x->twice = v3_dot(P, v) + v3_dot(L, rolls);
    x->speed = sqrt(x->twice / I->m);
    x->forced = v3_dot(P, v3_sub(v3_load(free), v3_load(v0))) +
                v3_dot(L, v3_sub(v3_load(free + 3), v3_load(v0 + 3)));
  }
}

// Bodies that go on moving and bear on each other are slowed down together.
static void connect(const Look* s) {
  SarRestBody* body = s->p->rest.body;
  const double stops = SHARE * s->fall;
  for (int k = s->z->face; k < s->z->face + s->z->faces; k++) {
    const SarFace* face = &s->p->rows.points.face[s->p->islands.face[k]];
    const int a = body_at(s, face->a.first), b = body_at(s, face->b.first);
    if (a < 0 || b < 0 || body[a].speed <= stops || body[b].speed <= stops) continue;
    const double nothing = stops * fmin(mass_at(s, face->a.first), mass_at(s, face->b.first));
    for (int i = face->first; i < face->first + face->count; i++)
      if (s->p->rows.points.p[i][0] > nothing) body[root_of(body, a)].root = root_of(body, b);
  }
}

static void add_up(const Look* s) {
  SarRestBody* body = s->p->rest.body;
  const double g = sar_gravity_size(s->m);
  for (int k = s->z->body; k < s->z->body + s->z->bodies; k++) {
    const int b = s->m->dof_body[s->p->islands.first[k]];
    SarRestBody* all = &body[root_of(body, b)];
    const SarRestBody* x = &body[b];
    const bool slow = x->points > 0 && x->speed <= SLOW * sqrt(g * x->radius);
    all->left_alone = all->left_alone || !slow || !x->sticks;
    all->rolls = all->rolls || x->rolls;
    all->energy += x->twice;
    all->driven += x->forced;
    all->momentum += s->m->body_inertia[b].m * x->speed;
  }
}

// Keeps velocities that impulses have led to: their work is that along those.
static void keep(const Look* s) {
  SarImpulses* rows = &s->p->rows;
  if (rows->v_led != rows->v) return;
  memcpy(s->p->rest.v, rows->v, (size_t)(s->m->nv + SAR_GROUND) * sizeof *rows->v);
  rows->v_led = s->p->rest.v;
}

// The factor of all that is slowed down together; 1: none.
static double share_of(const SarRestBody* all, double fall) {
  const double share = fmax(0, 1 - SHARE * fall * all->momentum / all->energy);
  const double least = all->driven / all->energy - 1;
  const double enough = share > 0 ? ROUNDING : STOPPED;
  return least > share + enough ? fmin(least, 1) : share;
}

static void slow_down(const Look* s) {
  SarRest* rest = &s->p->rest;
  for (int k = s->z->body; k < s->z->body + s->z->bodies; k++) {
    const int first = s->p->islands.first[k], b = s->m->dof_body[first];
    const SarRestBody *x = &rest->body[b], *all = &rest->body[root_of(rest->body, b)];
    if (all->left_alone || !all->rolls || !(all->energy > 0)) continue;
    const double share = share_of(all, s->fall);
    if (share == 1) continue;
    keep(s);
    double *v = &s->p->rows.v[first], spin[3];
    v3_store(spin, x->spin);
    for (int i = 0; i < 3; i++) {
      v[i] *= share;
      v[3 + i] = spin[i] + share * (v[3 + i] - spin[i]);
    }
    rest->taken[b] = 0.5 * (1 - share) * ((1 + share) * x->twice - x->forced);
    rest->work -= rest->taken[b];
  }
}

void sar_rest(SarImpulseState* p, const SarModel* m, const SarData* d, const SarJump* jump) {
  Look s = {p, m, d, NULL, jump->h * sar_gravity_size(m), jump->v0};
  if (p->rest.work != 0) sar_rest_clear(&p->rest, m);
  if (p->rows.impact || !(s.fall > 0)) return;
  for (int i = 0; i < p->islands.count; i++) {
    s.z = &p->islands.island[i];
    if (!look_at_contacts(&s)) continue;
    find_speeds(&s);
    connect(&s);
    add_up(&s);
    slow_down(&s);
  }
}
