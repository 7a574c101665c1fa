// Gravity: one acceleration for all, or a field with its laws of the place x, y, z.
#include "model/compile/parts.h"

#include <math.h>

enum { U, UX, UY, UZ, UT, POTENTIAL_LAWS };

static const char* const PLACE[SAR_LAW_LOCALS] = {"x", "y", "z"};
static const Locals LOCALS = {PLACE, 3};

// Laws one after the other; their first number goes to the field. False: no memory.
static bool add_laws(Compile* c, const SarNode* e, int count) {
  for (int i = 0; i < count; i++) {
    const int law = sar_law_of(c, e[i], &LOCALS);
    if (law < 0) return !c->arena.failed;
    if (i == 0) c->m.field.law = law;
  }
  return true;
}

// U and its gradient, and how fast it changes where it is: that energy comes from outside.
static bool take_potential(Compile* c, Item item, SpecNum n) {
  SarNode e[POTENTIAL_LAWS] = {sar_bound(c, n, item, "potential", &LOCALS)};
  const char* unknown = NULL;
  if (e[U] < 0) return !c->arena.failed;
  for (int i = 0; i < 3; i++)
    e[UX + i] = sar_sym_diff(c->graph, e[U], sar_sym_symbol(c->graph, PLACE[i]));
  e[UT] = sar_rate_of(c, e[U], &unknown);
  if (unknown)
    sar_complain(c, item, sar_place_of_name(c, n, unknown),
                 "give the acceleration by 'field' instead",
                 "potential must have a rate, but nobody knows how fast '%s' changes", unknown);
  for (int i = 0; i < POTENTIAL_LAWS; i++) {
    if (e[i] >= 0) continue;
    if (!c->arena.failed && !unknown)
      sar_complain(c, item, n.loc, "write it in a simpler way",
                   "potential is too long to be differentiated");
    return !c->arena.failed;
  }
  c->m.field.kind = SAR_GRAVITY_POTENTIAL;
  c->m.field.works = !sar_node_is(c->graph, e[UT], 0);
  return add_laws(c, e, POTENTIAL_LAWS);
}

static bool take_vector(Compile* c, Item item, const SpecVec3* field) {
  SarNode e[3];
  for (int i = 0; i < 3; i++) {
    e[i] = sar_bound(c, field->c[i], item, "field", &LOCALS);
    if (e[i] < 0) return !c->arena.failed;
  }
  c->m.field.kind = SAR_GRAVITY_VECTOR;
  c->m.field.works = true;
  return add_laws(c, e, 3);
}

// The scale of the field: as large as it is at the bodies' frames, at the design position. Of a
// law, which cannot be evaluated yet, that of the Earth's surface.
static double size_of(const Compile* c) {
  static const double USUAL = 9.81;
  const SarGravityField* f = &c->m.field;
  double most = 0;
  if (f->kind != SAR_GRAVITY_POINT) return USUAL;
  for (int i = 0; i < c->nbody; i++) {
    const double r = v3_norm(v3_sub(c->body[i].X_GU.p, f->centre));
    if (r > 0) most = fmax(most, fabs(f->mu) / (r * r));
  }
  return most;
}

bool sar_compile_gravity(Compile* c) {
  const SpecGravity* g = &c->spec->gravity;
  const Item item = {"block", "gravity", g->loc.line > 0 ? g->loc : (SarLoc){c->spec->file, 0, 0}};
  SarModel* m = &c->m;
  const bool uniform = !g->mu.expr && !g->potential.expr && !g->field.c[0].expr;
  m->gravity = uniform ? sar_vector(c, &g->uniform, item, "value", v3(0, 0, -9.81)) : v3_zero();
  if (uniform) return true;
  m->needs_world = true;
  if (g->mu.expr) {
    m->field.kind = SAR_GRAVITY_POINT;
    m->field.mu = sar_number(c, g->mu, item, "mu", ANY_FINITE, 0);
    m->field.centre = sar_vector(c, &g->centre, item, "centre", v3_zero());
  } else if (!(g->potential.expr ? take_potential(c, item, g->potential)
                                 : take_vector(c, item, &g->field))) {
    return false;
  }
  m->field.size = size_of(c);
  return true;
}
