// Columns about the contacts of bodies.
#include "model/compile/outputs.h"

static bool touches(const Compile* c, int body) {
  return sar_touches(body < 0 ? &c->spec->ground_touch : &c->body[body].spec->touch);
}

// What touches body a (of the spec, or GROUND): all of it, or body b alone.
static bool columns_of(OutputJob* o, int a, int b) {
  Compile* c = o->c;
  const SarChannel at = {.index = a < 0 ? a : c->body[a].number,
                         .other = b < 0 ? b : c->body[b].number};
  return sar_add_columns(o, &(SarOutputOwner){.m = &c->m}, at, 0);
}

static const char* body_text(const Compile* c, int body) {
  return body < 0 ? "ground" : c->body[body].item.name;
}

// A body that could touch; NOWHERE after a report.
static int find_touching(OutputJob* o, SpecName name) {
  const int body = sar_find_body(o->c, name, o->item, "contact");
  if (body == NOWHERE || touches(o->c, body)) return body;
  sar_complain(o->c, o->item, name.loc, "give it 'contact: true', or solids of its own",
               "contact: nothing can touch '%s'", name.text);
  return NOWHERE;
}

bool sar_out_contact(OutputJob* o) {
  Compile* c = o->c;
  const int a = find_touching(o, o->spec->target);
  const int b = o->spec->other.text ? find_touching(o, o->spec->other) : SAR_ANY_BODY;
  if (a == NOWHERE || (o->spec->other.text && b == NOWHERE)) return true;
  if (!o->label && o->spec->other.text)
    o->label = sar_arena_printf(&c->arena, "%s.%s.contact", body_text(c, a), body_text(c, b));
  else if (!o->label)
    o->label = sar_arena_printf(&c->arena, "%s.contact", body_text(c, a));
  return o->label && columns_of(o, a, b);
}

bool sar_out_contacts(OutputJob* o) {
  Compile* c = o->c;
  for (int k = 0; k < c->nbody; k++) {
    const int body = c->body_order[k];
    if (!touches(c, body)) continue;
    o->label = sar_arena_printf(&c->arena, "%s.contact", c->body[body].item.name);
    if (!o->label || !columns_of(o, body, SAR_ANY_BODY)) return false;
  }
  return true;
}
