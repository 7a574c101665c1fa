// Tendons of MJCF. A fixed one is a linear combination of joint coordinates, a spatial one a line
// through sites, in branches that pulleys divide; what pulls along it works on its length:
//
//   L = sum c_i q_i   |   sum |p_k+1 - p_k| / divisor
//   F = k (clamp(L, L0, L1) - L) - d L' + actuators          tau = F dL/dq
//
// so a fixed one is a force c_i F on each joint, and each piece of a spatial one a line between two
// points with the tension -F / divisor, or a path around a geom (mjcf_wrap_texts.c). L, L' and F
// are variables of the model: NAME_length, NAME_rate, NAME_force (of a fixed one that of its
// actuators, and NAME_spring). A spring and damper between two sites is a spring_damper.
#include "io/mjcf.h"

#include <math.h>
#include <string.h>

// ---- variables --------------------------------------------------------------------------------

// NAME_length and the like, as an expression has it.
const char* sar_mjcf_variable(Mjcf* m, const MjcfTendon* t, const char* suffix,
                              const SarExpr* value) {
  SpecParameter* v = value ? SAR_LIST_ADD(&m->spec->arena, &m->spec->variables) : NULL;
  if (!v) return NULL;
  v->name =
      (SpecName){sar_arena_printf(&m->spec->arena, "%s_%s", t->name.text, suffix), t->tag->loc};
  v->value = (SpecNum){value, t->tag->loc};
  return v->name.text ? sar_mjcf_quoted(m, v->name.text) : NULL;
}

// ---- reading ---------------------------------------------------------------------------------

static double springref_of(const Mjcf* m, const char* joint) {
  for (int i = 0; i < m->rests.count; i++)
    if (strcmp(m->rests.items[i].joint.text, joint) == 0) return m->rests.items[i].springref;
  return 0;
}

static bool read_terms(Mjcf* m, MjcfTendon* t) {
  for (const XmlTag* tag = t->tag->first; tag; tag = tag->next) {
    const SpecName name = sar_mjcf_reference(m, tag, "joint");
    const SpecJoint* joint = name.text ? sar_mjcf_joint(m, name.text) : NULL;
    if (!joint)
      sar_report(m->err, name.loc, "", "<fixed>: there is no joint '%.60s'",
                 name.text ? name.text : "");
    if (!joint || !joint->kind) return false;
    if (joint->kind->nv != 1) {
      sar_report(m->err, name.loc, "", "<fixed>: joint '%.60s' is no hinge and no slide",
                 name.text);
      return false;
    }
    MjcfTerm* term = SAR_LIST_ADD(&m->arena, &t->terms);
    if (!term) return false;
    *term = (MjcfTerm){name, sar_mjcf_number(m, tag, "coef", 1), springref_of(m, name.text)};
  }
  return t->terms.count > 0;
}

// Along sites; a geom between two of them is what the piece wraps around.
typedef struct Path {
  const MjcfSite* last;
  const MjcfWrap* around;
  double divisor;
} Path;

static bool read_pulley(Mjcf* m, const XmlTag* tag, Path* path) {
  const double divisor = sar_mjcf_number(m, tag, "divisor", 1);
  if (!(divisor > 0)) sar_report(m->err, tag->loc, "", "<pulley> divisor must be greater than 0");
  *path = (Path){.divisor = divisor};
  return divisor > 0;
}

static bool read_site(Mjcf* m, MjcfTendon* t, const XmlTag* tag, Path* path) {
  const SpecName name = sar_mjcf_reference(m, tag, "site");
  const MjcfSite* site = name.text ? sar_mjcf_site(m, name.text) : NULL;
  if (!site) {
    sar_report(m->err, name.loc, "", "<spatial>: there is no site '%.60s'",
               name.text ? name.text : "");
    return false;
  }
  MjcfLine* line = path->last ? SAR_LIST_ADD(&m->arena, &t->lines) : NULL;
  if (line) *line = (MjcfLine){path->last, site, path->divisor, path->around};
  *path = (Path){.last = site, .divisor = path->divisor};
  return true;
}

static bool read_geom(Mjcf* m, const MjcfTendon* t, const XmlTag* tag, Path* path) {
  if (!path->last || path->around || !tag->next || !sar_mjcf_is(tag->next, "site")) {
    sar_report(m->err, tag->loc, "", "<spatial>: a geom must stand between two sites");
    return false;
  }
  MjcfWrap* around = SAR_ARENA_NEW(&m->arena, MjcfWrap);
  path->around = around;
  return around && sar_mjcf_wrap_find(m, t, tag, around);
}

static bool read_lines(Mjcf* m, MjcfTendon* t) {
  Path path = {.divisor = 1};
  for (const XmlTag* tag = t->tag->first; tag; tag = tag->next) {
    if (sar_mjcf_is(tag, "pulley") && !read_pulley(m, tag, &path)) return false;
    if (sar_mjcf_is(tag, "site") && !read_site(m, t, tag, &path)) return false;
    if (sar_mjcf_is(tag, "geom") && !read_geom(m, t, tag, &path)) return false;
  }
  return t->lines.count > 0;
}

// ---- limits and friction ---------------------------------------------------------------------

static double constant_of(const SpecDofs* x, double otherwise) {
  double y = otherwise;
  if (x->count) sar_expr_is_number(x->c[0].expr, &y);
  return y;
}

// Of a tendon of one joint they are the joint's.
static void limit_joint(Mjcf* m, const MjcfTendon* t, const double range[2]) {
  const MjcfTerm* term = &t->terms.items[0];
  SpecJoint* j = sar_mjcf_joint(m, term->joint.text);
  const double a = range[0] / term->coefficient, b = range[1] / term->coefficient;
  const double low = fmax(constant_of(&j->lower, -HUGE_VAL), fmin(a, b));
  const double high = fmin(constant_of(&j->upper, HUGE_VAL), fmax(a, b));
  j->lower = sar_mjcf_dofs(m, low, t->tag->loc);
  j->upper = sar_mjcf_dofs(m, high, t->tag->loc);
}

static void read_bounds(Mjcf* m, const MjcfTendon* t) {
  const bool one = t->terms.count == 1 && t->terms.items[0].coefficient != 0;
  double range[2];
  const bool given = sar_mjcf_numbers(m, t->tag, "range", 2, 2, range) == 2;
  const bool limited = sar_mjcf_flag(m, t->tag, "limited", given && m->compiler.autolimits);
  const double friction = sar_mjcf_number(m, t->tag, "frictionloss", 0);
  if (given && limited && !m->off.limit && one) limit_joint(m, t, range);
  if (given && limited && !m->off.limit && !one)
    sar_warn(m->err, t->tag->loc, "",
             "the range of tendon '%.60s' is not taken: only that of a tendon of one joint is",
             t->name.text);
  if (friction <= 0 || m->off.friction) return;
  if (one) {
    SpecJoint* j = sar_mjcf_joint(m, t->terms.items[0].joint.text);
    const double own = constant_of(&j->friction, 0);
    j->friction =
        sar_mjcf_dofs(m, own + friction * fabs(t->terms.items[0].coefficient), t->tag->loc);
  } else {
    sar_warn(m->err, t->tag->loc, "",
             "frictionloss of tendon '%.60s' is not taken: only that of a tendon of one joint is",
             t->name.text);
  }
}

// ---- what pulls along it ---------------------------------------------------------------------

typedef struct Spring {
  double stiffness, damping, rest[2];
} Spring;

static Spring read_spring(Mjcf* m, const MjcfTendon* t) {
  Spring s = {0};
  if (!m->off.spring) s.stiffness = sar_mjcf_number(m, t->tag, "stiffness", 0);
  if (!m->off.damper) s.damping = sar_mjcf_number(m, t->tag, "damping", 0);
  const int n = sar_mjcf_numbers(m, t->tag, "springlength", 1, 2, s.rest);
  if (n == 0 || s.rest[0] == -1) s.rest[0] = s.rest[1] = sar_mjcf_length_at_springs(m, t);
  if (n == 1 && s.rest[0] != s.rest[1]) s.rest[1] = s.rest[0];
  return s;
}

static const char* spring_text(Mjcf* m, const MjcfTendon* t, const Spring* s) {
  const char* pull = "";
  if (s->stiffness > 0 && s->rest[0] == s->rest[1])
    pull =
        sar_arena_printf(&m->arena, "(%.17g)*((%.17g) - %s)", s->stiffness, s->rest[0], t->length);
  else if (s->stiffness > 0)
    pull = sar_arena_printf(&m->arena, "(%.17g)*(clamp(%s, %.17g, %.17g) - %s)", s->stiffness,
                            t->length, s->rest[0], s->rest[1], t->length);
  if (s->damping > 0 && pull)
    pull = sar_arena_printf(&m->arena, "%s - (%.17g)*%s", pull, s->damping, t->rate);
  return pull;
}

// An end of a line as an attribute.
static SpecValue point_value(Mjcf* m, const MjcfSite* s, SarLoc loc) {
  return sar_mjcf_point_value(m, (SpecName){s->body, loc}, s->X.p);
}

static SpecForce* add_line(Mjcf* m, const MjcfTendon* t, int i) {
  const MjcfLine* l = &t->lines.items[i];
  SpecForce* f = SAR_LIST_ADD(&m->spec->arena, &m->spec->forces);
  if (!f) return NULL;
  *f = (SpecForce){.kind = sar_force_kind_find("spring_damper"), .name = t->name};
  if (t->lines.count > 1)
    f->name.text = sar_arena_printf(&m->spec->arena, "%s_%d", t->name.text, i + 1);
  f->values[0] = point_value(m, l->a, t->tag->loc);
  f->values[1] = point_value(m, l->b, t->tag->loc);
  return f;
}

static void set_value(Mjcf* m, SpecForce* f, const char* name, const SarExpr* e, SarLoc loc) {
  for (int i = 0; f && i < f->kind->nattr; i++)
    if (strcmp(f->kind->attr[i].name, name) == 0) f->values[i] = sar_mjcf_value(m, e, loc);
}

// One spring and damper, with a potential and a tangent.
static void add_spring(Mjcf* m, const MjcfTendon* t, const Spring* s) {
  const SarLoc loc = t->tag->loc;
  const double d = t->lines.items[0].divisor;
  SpecForce* f = add_line(m, t, 0);
  SarArena* a = &m->spec->arena;
  if (s->stiffness > 0) {
    set_value(m, f, "stiffness", sar_expr_number(a, s->stiffness / (d * d)), loc);
    set_value(m, f, "length", sar_expr_number(a, s->rest[0] * d), loc);
  }
  if (s->damping > 0) set_value(m, f, "damping", sar_expr_number(a, s->damping / (d * d)), loc);
}

// tau = F dL/dq, for a force that expressions have by name
static void pull(Mjcf* m, const MjcfTendon* t, const char* force) {
  const SarLoc loc = t->tag->loc;
  for (int i = 0; i < t->terms.count; i++)
    sar_mjcf_act(m, sar_mjcf_joint(m, t->terms.items[i].joint.text), t->terms.items[i].coefficient,
                 sar_mjcf_parsed(m, force, loc), loc);
  for (int i = 0; i < t->lines.count; i++) {
    if (sar_mjcf_is_rigid(&t->lines.items[i])) continue;
    if (t->lines.items[i].around) {
      sar_mjcf_wrap_pull(m, t, i, force);
      continue;
    }
    const char* tension =
        sar_arena_printf(&m->arena, "-%s/(%.17g)", force, t->lines.items[i].divisor);
    set_value(m, add_line(m, t, i), "law", sar_mjcf_parsed(m, tension, loc), loc);
  }
}

static void pull_by(Mjcf* m, const MjcfTendon* t, const char* what, const SarExpr* sum) {
  const char* force = sum ? sar_mjcf_variable(m, t, what, sum) : NULL;
  if (force) pull(m, t, force);
}

static void add_up(Mjcf* m, MjcfTendon* t) {
  const SarLoc loc = t->tag->loc;
  const Spring s = read_spring(m, t);
  const bool acts = s.stiffness > 0 || s.damping > 0, fixed = t->terms.count > 0;
  const bool one = t->lines.count == 1 && !t->lines.items[0].around;
  if (acts && !t->active && one && s.rest[0] == s.rest[1] &&
      !sar_mjcf_is_rigid(&t->lines.items[0])) {
    add_spring(m, t, &s);
    return;
  }
  const SarExpr* passive = acts ? sar_mjcf_parsed(m, spring_text(m, t, &s), loc) : NULL;
  pull_by(m, t, fixed ? "spring" : "force",
          fixed ? passive : sar_mjcf_sum(m, t->active, 1, passive, loc));
}

// ---- sections --------------------------------------------------------------------------------

static void read_tendon(Mjcf* m, const XmlTag* tag) {
  const bool fixed = sar_mjcf_is(tag, "fixed");
  if (!fixed && !sar_mjcf_is(tag, "spatial")) return;
  MjcfTendon t = {.tag = tag, .name = sar_mjcf_name(m, tag, "tendon")};
  if (!t.name.text) return;
  t.taken = fixed ? read_terms(m, &t) : read_lines(m, &t);
  if (t.taken) {
    const MjcfTexts texts = sar_mjcf_tendon_texts(m, &t);
    if (!texts.length || !texts.rate) return;
    t.length = sar_mjcf_variable(m, &t, "length", sar_mjcf_parsed(m, texts.length, tag->loc));
    t.rate = sar_mjcf_variable(m, &t, "rate", sar_mjcf_parsed(m, texts.rate, tag->loc));
    if (!t.length || !t.rate) return;
    read_bounds(m, &t);
  }
  MjcfTendon* to = SAR_LIST_ADD(&m->arena, &m->tendons);
  if (to) *to = t;
}

void sar_mjcf_tendons(Mjcf* m, const XmlTag* section) {
  for (const XmlTag* tag = section->first; tag; tag = tag->next) read_tendon(m, tag);
}

MjcfTendon* sar_mjcf_tendon(const Mjcf* m, const char* name) {
  for (int i = 0; i < m->tendons.count; i++)
    if (strcmp(m->tendons.items[i].name.text, name) == 0) return &m->tendons.items[i];
  return NULL;
}

// Actuators of fixed tendons are among what limits of all actuators of a joint count.
void sar_mjcf_tendons_act(Mjcf* m) {
  for (int i = 0; i < m->tendons.count; i++)
    if (m->tendons.items[i].terms.count)
      pull_by(m, &m->tendons.items[i], "force", m->tendons.items[i].active);
}

void sar_mjcf_tendons_end(Mjcf* m) {
  for (int i = 0; i < m->tendons.count; i++)
    if (m->tendons.items[i].taken) add_up(m, &m->tendons.items[i]);
}
