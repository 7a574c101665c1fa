// Names of the columns, and the list of named points.
//
// Two outputs may ask for columns of one name: the same quantity twice counts once; a joint's
// column makes way for another one (NAME.joint.wx: a free body has a joint of its own name); any
// other clash is an error.
#include "model/compile/parts.h"

#include <string.h>

static bool same_quantity(const SarChannel* a, const SarChannel* b) {
  return a->kind == b->kind && a->index == b->index && a->component == b->component &&
         a->other == b->other && a->point.x == b->point.x && a->point.y == b->point.y &&
         a->point.z == b->point.z;
}

static const char* column_name(Compile* c, const ChannelPart* p, const char* between) {
  if (!p->suffix[0]) return p->label;
  return sar_arena_printf(&c->arena, "%s%s.%s", p->label, between, p->suffix);
}

// Names those columns that have none yet and are (or are not) of coordinates of joints.
static bool name_columns(Compile* c, NameMap* taken, bool joints) {
  for (int i = 0; i < c->channels.count; i++) {
    ChannelPart* p = &c->channels.items[i];
    if (p->channel.kind->of_coordinates != joints) continue;
    for (int attempt = 0; attempt < 2 && !p->name && !p->again; attempt++) {
      const char* name = column_name(c, p, attempt ? ".joint" : "");
      if (!name) return false;
      int other = sar_names_find(taken, name);
      if (strcmp(name, "time") == 0) {  // the first column of every file
        sar_complain(c, (Item){"output", name, p->loc}, p->loc, "give it another 'name'",
                     "the column of the time has this name");
        p->again = true;
      } else if (other < 0) {
        p->name = name;
        if (!sar_names_add(&c->arena, taken, name, i)) return false;
      } else if (same_quantity(&c->channels.items[other].channel, &p->channel)) {
        p->again = true;
      } else if (attempt || !joints) {
        Item item = {"output", name, p->loc};
        sar_complain(c, item, p->loc, "give one of them another 'name'",
                     "two different columns have this name");
        p->again = true;
      }
    }
  }
  return true;
}

// Points of the ground, then those of the bodies in the order of the tree; by name within a body.
static bool list_points(Compile* c) {
  SarModel* m = &c->m;
  Named* named = SAR_ARENA_ARRAY(&c->arena, Named, c->npoint + 1);
  int* start = SAR_ARENA_ARRAY(&c->arena, int, c->nbody + 2);  // of group body + 1
  int* number = SAR_ARENA_ARRAY(&c->arena, int, c->npoint + 1);
  m->point = SAR_ARENA_ARRAY(&c->arena, SarPoint, c->npoint);
  if (c->arena.failed) return false;
  m->npoint = c->npoint;
  for (int i = 0; i < c->npoint; i++) {
    int body = c->point[i].body;
    named[i] = (Named){c->point[i].name, i};
    start[(body < 0 ? GROUND : c->body[body].tree) + 2]++;
  }
  for (int g = 0; g <= c->nbody; g++) start[g + 1] += start[g];
  sar_sort_named(named, c->npoint);
  for (int k = 0; k < c->npoint; k++) {
    const PointPart* p = &c->point[named[k].index];
    int body = p->body < 0 ? GROUND : c->body[p->body].tree;
    Xform X = p->body < 0 ? p->X_UP : x_mul(c->body[p->body].X_BU, p->X_UP);
    number[named[k].index] = start[body + 1];
    m->point[start[body + 1]++] = (SarPoint){body, X, sar_intern(c, p->name)};
  }
  for (int i = 0; i < m->nchannel; i++) {
    SarChannel* channel = &m->channel[i];
    if (channel->kind->at_frame && channel->frame >= 0) channel->frame = number[channel->frame];
  }
  return true;
}

bool sar_compile_columns(Compile* c) {
  SarModel* m = &c->m;
  NameMap taken = {0};
  m->channel = SAR_ARENA_ARRAY(&c->arena, SarChannel, c->channels.count);
  if (c->arena.failed || !name_columns(c, &taken, false) || !name_columns(c, &taken, true))
    return false;
  for (int i = 0; i < c->channels.count; i++) {
    const ChannelPart* p = &c->channels.items[i];
    if (!p->name) continue;
    m->channel[m->nchannel] = p->channel;
    m->channel[m->nchannel++].name = sar_intern(c, p->name);
  }
  return list_points(c);
}
