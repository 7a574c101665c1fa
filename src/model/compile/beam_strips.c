// Strips on a beam: one element of strips on each node, NAME_start, NAME_1 ... NAME_end.
//
// A section at station s between nodes i and i + 1 moves with both, in shares that are linear in s
// (the hat functions of linear interpolation): loads with the velocity and the axes that node i
// gives it count (s_(i+1) - s)/h, those of node i + 1 the rest, each on its own node. The shares
// add up to one, so that a beam that moves as one piece has the loads of strips on a rigid body;
// where it bends and twists the error is of second order in the length of an element.
#include "model/compile/parts.h"

#include <string.h>

static bool is_body(const SarSpec* s, const char* name) {
  for (int i = 0; i < s->bodies.count; i++)
    if (s->bodies.items[i].name.text && strcmp(s->bodies.items[i].name.text, name) == 0)
      return true;
  return false;
}

// The beam that an element of strips is on; NULL: it is on a body.
static const SpecBeam* beam_of(const SarSpec* s, const SpecForce* f) {
  const char* name = f->values[0].name.text;
  if (!f->kind || strcmp(f->kind->name, "strips") != 0 || !name || is_body(s, name)) return NULL;
  for (int i = 0; i < s->beams.count; i++)
    if (!s->beams.items[i].wrong && strcmp(s->beams.items[i].name.text, name) == 0)
      return &s->beams.items[i];
  return NULL;
}

int sar_count_beam_strips(const SarSpec* s) {
  int count = 0;
  for (int i = 0; i < s->forces.count; i++) {
    const SpecBeam* b = beam_of(s, &s->forces.items[i]);
    if (b) count += b->elements;
  }
  return count;
}

static int attr_of(const SarForceKind* kind, const char* name) {
  for (int i = 0; i < kind->nattr; i++)
    if (strcmp(kind->attr[i].name, name) == 0) return i;
  return -1;
}

// ---- elements -----------------------------------------------------------------------------------

static bool expand(Compile* c, SarSpec* s, SpecForce* f, const BeamPart* b) {
  const SpecForce whole = *f;
  const size_t stem = strlen(b->spec->name.text);
  for (int i = 0; i <= b->spec->elements; i++) {
    SpecForce* one = i == 0 ? f : &s->forces.items[s->forces.count++];
    *one = whole;
    // air_3 on blade_3
    one->name.text =
        sar_arena_printf(&c->arena, "%s%s", whole.name.text, b->node[i].name.text + stem);
    one->values[0].name.text = b->node[i].name.text;
    if (!one->name.text) return false;
    c->beam_strips[c->nbeam_strips++] = (BeamStripsPart){b, one, i};
  }
  return true;
}

bool sar_expand_beam_strips(Compile* c, SarSpec* s) {
  const int forces = s->forces.count;
  int most = 0;
  for (int i = 0; i < forces; i++) most += beam_of(s, &s->forces.items[i]) != NULL;
  c->beam_strips =
      SAR_ARENA_ARRAY(&c->arena, BeamStripsPart, (size_t)(sar_count_beam_strips(s) + most + 1));
  if (!c->beam_strips) return false;
  for (int i = 0; i < forces; i++) {
    const SpecBeam* spec = beam_of(s, &s->forces.items[i]);
    for (int k = 0; spec && k < c->nbeam; k++)
      if (c->beam[k].spec == spec && !expand(c, s, &s->forces.items[i], &c->beam[k])) return false;
  }
  return true;
}

// ---- numbers ------------------------------------------------------------------------------------

static bool set(Compile* c, SpecValue* value, SarLoc loc, const double* x, int count) {
  value->loc = loc;
  value->given = true;
  value->numbers = SAR_ARENA_ARRAY(&c->arena, SpecNum, (size_t)count);
  if (!value->numbers) return false;
  value->count = count;
  for (int i = 0; i < count; i++)
    value->numbers[i] = (SpecNum){sar_expr_number(&c->arena, x[i]), loc};
  return true;
}

// Said once, by the first node.
static void refuse(Compile* c, const BeamStripsPart* p, const char* attr, const char* why) {
  const int i = attr_of(p->force->kind, attr);
  if (p->node > 0 || i < 0 || !p->force->values[i].given) return;
  if (i == 0 && p->force->values[i].count == 0) return;
  const Item item = {"force", p->force->name.text, p->force->name.loc};
  sar_complain(c, item, p->force->values[i].loc, "leave it out", "%s: %s", attr, why);
}

// Stations are lengths along the beam: the span axis begins so far behind the node. Shares: 1 at
// the node, 0 at its neighbours.
static bool fill(Compile* c, const BeamStripsPart* p) {
  SpecForce* f = p->force;
  const double* s = p->beam->s;
  const int i = p->node, n = p->beam->spec->elements, share = attr_of(f->kind, "share");
  const SarLoc loc = f->name.loc;
  double rows[6];
  int count = 0;
  refuse(c, p, f->kind->attr[0].name, "strips on a beam begin where the beam does");
  refuse(c, p, "span", "the span of strips on a beam is along it");
  refuse(c, p, "share", "strips on a beam have shares of their own");
  if (!s || share < 0) return true;  // the beam is wrong, which has been said
  for (int k = i - 1; k <= i + 1; k++) {
    if (k < 0 || k > n) continue;
    rows[count++] = s[k];
    rows[count++] = k == i;
  }
  return set(c, &f->values[0], loc, (double[]){-s[i], 0, 0}, 3) &&
         set(c, &f->values[share], loc, rows, count);
}

bool sar_fill_beam_strips(Compile* c) {
  for (int i = 0; i < c->nbeam_strips; i++)
    if (!fill(c, &c->beam_strips[i])) return false;
  return true;
}
