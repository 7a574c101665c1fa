// Knots: bodies without mass that forces alone hold (dynamics/knots.h).
//
// A body is one if it has no mass, inertia, shape or point, no joint carries it or hangs on it, and
// some force names it. It is in no tree: it has a number behind the bodies of the tree, so that
// force elements find its pose and velocity where they find those of bodies, and its name behind
// the fixed bodies.
//
// A knot on which no force follows velocities is elastic: its place follows from the balance of
// forces at once. On any other one dampers act: its coordinates are states, and their rates follow
// from the balance.
#include "base/print.h"
#include "model/compile/parts.h"
#include "symbolic/op.h"

#include <string.h>

enum { MOST_KNOTS = 256 };  // their equations are dense

// ---- which bodies -------------------------------------------------------------------------------

static bool is_bare(const Compile* c, int body) {
  const SpecBody* s = c->body[body].spec;
  if (c->body[body].inertia.m != 0 || s->inertia_set || s->shapes.count || s->frames.count)
    return false;
  if (sar_given(&s->com) || sar_touches(&s->touch)) return false;
  for (int j = 0; j < c->njoint_spec; j++)
    if (c->joint[j].body[0] == body || c->joint[j].body[1] == body) return false;
  return true;
}

static bool names_body(SarForm form, const SpecValue* values, const char* body) {
  for (int k = 0; k < form.nattr; k++) {
    const SarAttrType type = form.attr[k].type;
    const char* name = values[k].given ? values[k].name.text : NULL;
    if ((type == SAR_ATTR_BODY || type == SAR_ATTR_POINT) && name && strcmp(name, body) == 0)
      return true;
  }
  return false;
}

static bool is_held(const Compile* c, const char* body) {
  const SarSpec* s = c->spec;
  for (int i = 0; i < s->forces.count; i++) {
    const SpecForce* f = &s->forces.items[i];
    if (f->kind && names_body(sar_force_form(f->kind), f->values, body)) return true;
  }
  return false;
}

static void refuse_keys(Compile* c, const BodyPart* b) {
  const SpecBody* s = b->spec;
  const bool judged = c->mass_known && sar_compile_sound(c) && !c->spec->wrong;
  if (s->along && !b->knot && judged)
    sar_complain(c, b->item, s->along->c[0].loc,
                 "leave out mass and shapes and attach springs, or give it a prismatic joint",
                 "'along' guides a knot: a body without mass that forces alone hold");
  if (!b->knot) return;
  const SpecVec3* v = sar_given(s->velocity) ? s->velocity : s->angular_velocity;
  if (sar_given(v))
    sar_complain(c, b->item, v->c[0].loc, "leave it out",
                 "a knot has no velocity of its own: it has no mass, and follows the forces on it");
}

void sar_find_knots(Compile* c) {
  for (int i = 0; i < c->nbody; i++) {
    BodyPart* b = &c->body[i];
    b->knot = c->mass_known && is_bare(c, i) && is_held(c, b->item.name);
    refuse_keys(c, b);
  }
}

// ---- numbers ------------------------------------------------------------------------------------

// Directions in which it may go.
static int ways_of(Compile* c, const BodyPart* b, V3 way[3]) {
  const V3 x = v3(1, 0, 0), y = v3(0, 1, 0), z = v3(0, 0, 1);
  if (b->spec->along) {
    way[0] = sar_direction(c, b->spec->along, b->item, "along", x);
    return 1;
  }
  way[0] = c->m.planar == SAR_PLANE_YZ ? y : x;
  way[1] = c->m.planar == SAR_SPATIAL || c->m.planar == SAR_PLANE_XY ? y : z;
  way[2] = z;
  return c->m.planar == SAR_SPATIAL ? 3 : 2;
}

void sar_fill_knot(Compile* c, int body, int fixed) {
  SarModel* m = &c->m;
  BodyPart* b = &c->body[body];
  SarKnot* k = &m->knot[m->nknot];
  *k = (SarKnot){.R = b->X_GU.R, .base = b->X_GU.p, .adr = m->nknot_dof, .state = -1};
  k->num = ways_of(c, b, k->way);
  k->holder = m->nbody + fixed;
  for (int i = 0; i < k->num; i++) {
    const double s = v3_dot(b->X_GU.p, k->way[i]);
    k->base = v3_sub(k->base, v3_scale(s, k->way[i]));
    m->knot0[m->nknot_dof++] = s;
  }
  b->tree = m->nbody + m->nknot++;
  b->number = k->holder;
  b->X_BU = x_identity();
  m->fixed_body[fixed] = b->tree;
  m->fixed_holder[fixed] = GROUND;
  m->fixed_X_BU[fixed] = b->X_BU;
  m->fixed_name[fixed] = m->fixed_joint_name[fixed] = sar_intern(c, b->item.name);
}

// ---- what acts on them --------------------------------------------------------------------------

// Reads the program of a law anything but the locals?
static bool reads_more(const Compile* c, const ExprPart* e) {
  for (int i = 0; i < e->program.count; i++) {
    const SarInstr* in = &e->instr[i];
    const int local = in->index - c->m.slot_local;
    switch ((SarOp)in->op) {
      case SAR_OP_SYMBOL:
        if (local < 0 || local >= SAR_LAW_LOCALS) return true;
        break;
      case SAR_OP_TABLE:
      case SAR_OP_SLOPE: i += 2 * in->index; break;
      case SAR_OP_SPLINE:
      case SAR_OP_SPLINE_SLOPE: i += 3 * in->index; break;
      default: break;
    }
  }
  return false;
}

typedef struct Law {
  bool damps;   // follows velocities
  bool varies;  // follows time, inputs, states or other bodies by an expression
} Law;

static Law law_of(const Compile* c, int force) {
  const SarModel* m = &c->m;
  const SarForceKind* kind = m->force_kind[force];
  Law law = {.damps = kind->damps && kind->damps(m, force)};
  for (int k = 0; k < kind->nattr; k++) {
    const SarAttrValue* a = sar_force_attr(m, force, k);
    const SarAttrType type = kind->attr[k].type;
    if (type == SAR_ATTR_SCALAR || type == SAR_ATTR_VECTOR) law.varies |= a->index >= 0;
    if (type != SAR_ATTR_LAW || !a->given) continue;
    const ExprPart* e = &c->exprs.items[a->index];
    law.damps |= e[2].program.count > 0;  // the slope by the second local
    law.varies |= reads_more(c, e);
  }
  return law;
}

static bool acts_at_origin(const SarModel* m, const SarForceKind* kind, int force, int attr) {
  const SarAttrValue* a = sar_force_attr(m, force, attr);
  if (!kind->on_knot || !kind->on_knot(m, force, attr)) return false;
  if (kind->attr[attr].type != SAR_ATTR_POINT) return true;
  return v3_norm(v3_load(&m->attr_data[a->adr])) == 0;
}

static const char* name_of(const Compile* c, int knot) {
  return c->body[c->body_at[c->m.knot[knot].holder]].item.name;
}

static Item force_item(const Compile* c, int force) {
  return (Item){"force", c->text.items + c->m.force_name[force], c->force_loc[force]};
}

// The knots that a force acts on; attr: by which of its attributes.
static int ends_of(const SarModel* m, int force, int knot[2], int attr[2]) {
  const SarForceKind* kind = m->force_kind[force];
  int found = 0;
  for (int k = 0; k < kind->nattr && found < 2; k++) {
    const SarAttrType type = kind->attr[k].type;
    if (type != SAR_ATTR_BODY && type != SAR_ATTR_POINT) continue;
    const int body = sar_force_attr(m, force, k)->index;
    if (!sar_is_knot(m, body)) continue;
    attr[found] = k;
    knot[found++] = body - m->nbody;
  }
  return found;
}

static void refuse_moments(Compile* c, int force, const int* knot, const int* attr, int ends) {
  const SarForceKind* kind = c->m.force_kind[force];
  for (int i = 0; i < ends; i++) {
    if (acts_at_origin(&c->m, kind, force, attr[i])) continue;
    const Item item = force_item(c, force);
    sar_complain(c, item, item.loc,
                 "a knot takes spring_damper, bump_stop and force at its origin (along an axis: as "
                 "the second end), and as the second end a bushing at it that nothing turns",
                 "a %s cannot act on knot '%s' like this: without mass it takes no moment",
                 kind->name, name_of(c, knot[i]));
  }
}

// States of a knot that dampers act on: K.x or, along a guide, K.s.
static bool add_states(Compile* c, SarKnot* k) {
  const BodyPart* b = &c->body[c->body_at[k->holder]];
  for (int i = 0; i < k->num; i++) {
    const char axis = k->way[i].x == 1 ? 'x' : k->way[i].y == 1 ? 'y' : 'z';
    const char* name =
        sar_arena_printf(&c->arena, "%s.%c", b->item.name, b->spec->along ? 's' : axis);
    if (!name) return false;
    const int state = sar_add_own_state(c, name, b->item, c->m.knot0[k->adr + i]);
    if (i == 0) k->state = state;
    if (state < 0) return !c->arena.failed;
  }
  return true;
}

// The rate of an elastic knot follows from that of what it hangs on, not from that of expressions.
static void refuse_varying(Compile* c, int force, const int* knot, int ends) {
  const SarModel* m = &c->m;
  for (int i = 0; i < ends; i++) {
    if (m->knot[knot[i]].state >= 0) continue;
    const Item item = force_item(c, force);
    sar_complain(c, item, item.loc, "give the knot a damper along each of its ways, or mass",
                 "follows an expression, but acts on knot '%s' that no damper holds: how fast that "
                 "moves would not be known",
                 name_of(c, knot[i]));
    return;
  }
}

bool sar_compile_knots(Compile* c) {
  SarModel* m = &c->m;
  int knot[2], attr[2];
  if (m->nknot == 0) return true;
  if (m->nknot > MOST_KNOTS) {
    const Item item = c->body[c->body_at[m->knot[MOST_KNOTS].holder]].item;
    sar_complain(c, item, item.loc, "give some of them mass", "more than %d knots", MOST_KNOTS);
    return true;
  }
  m->nknot_matrix = m->nknot_dof * m->nknot_dof;
  bool* damped = SAR_ARENA_ARRAY(&c->arena, bool, m->nknot + 1);
  m->knot_force = SAR_ARENA_ARRAY(&c->arena, int, m->nforce + 1);
  if (c->arena.failed) return false;
  m->attr_data = c->attr_data.items;
  for (int i = 0; i < m->nforce; i++) {
    if (!c->force_sound[i]) continue;
    const int ends = ends_of(m, i, knot, attr);
    refuse_moments(c, i, knot, attr, ends);
    if (ends > 0) m->knot_force[m->nknot_force++] = i;
    for (int e = 0; e < ends; e++) damped[knot[e]] |= law_of(c, i).damps;
  }
  for (int k = 0; k < m->nknot; k++)
    if (damped[k] && !add_states(c, &m->knot[k])) return false;
  for (int n = 0; n < m->nknot_force; n++) {
    const int i = m->knot_force[n], ends = ends_of(m, i, knot, attr);
    if (law_of(c, i).varies) refuse_varying(c, i, knot, ends);
  }
  return true;
}
