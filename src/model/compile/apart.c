// Which colliders do not touch each other.
//
// Bodies on two sides of a joint overlap at the joint, so they do not touch unless the joint says
// `contact: true`; bodies that fixed joints make one (a weld) count as one here. Ground is no party
// to this: a pendulum hung from it may hit the floor. Joints that are switched during the run do
// not count.
//
// `ignore` names two groups or bodies. Colliders that belong to the same of its names form a class,
// and each class has a bit: one `and` tells whether two of them may touch.
#include "model/compile/parts.h"

#include "base/text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BITS = 32 };

static int by_pair(const void* pa, const void* pb) {
  const SarApart *a = pa, *b = pb;
  if (a->a != b->a) return a->a < b->a ? -1 : 1;
  return (a->b > b->b) - (a->b < b->b);
}

// Sorts a list of pairs and takes out what is there twice; returns how many are left.
static int settle(SarApart* list, int n) {
  int kept = 0;
  for (int i = 0; i < n; i++)
    if (list[i].a > list[i].b) list[i] = (SarApart){list[i].b, list[i].a};
  if (n > 1) qsort(list, (size_t)n, sizeof *list, by_pair);
  for (int i = 0; i < n; i++)
    if (kept == 0 || by_pair(&list[kept - 1], &list[i]) != 0) list[kept++] = list[i];
  return kept;
}

// ---- joints ------------------------------------------------------------------------------------

static int root_of(int* up, int i) {
  while (up[i] != i) i = up[i] = up[up[i]];
  return i;
}

static bool is_fixed(const JointPart* p) {
  return p->spec && p->sound && p->kind->nv == 0 && !sar_gate_given(&p->spec->gate);
}

// up: a forest over the bodies of the file (holders), one tree a weld, its root the first body of
// it.
static void weld(Compile* c, int* up, bool* still) {
  for (int i = 0; i < c->nbody; i++) up[i] = i;
  for (int j = 0; j < c->njoint; j++) {
    const JointPart* p = &c->joint[j];
    if (!is_fixed(p) || p->body[0] < 0 || p->body[1] < 0) continue;
    const int a = root_of(up, c->body[p->body[0]].number),
              b = root_of(up, c->body[p->body[1]].number);
    up[a > b ? a : b] = a > b ? b : a;
  }
  for (int j = 0; j < c->njoint; j++) {
    const JointPart* p = &c->joint[j];
    if (!is_fixed(p)) continue;
    for (int k = 0; k < 2; k++)
      if (p->body[k] >= 0 && p->body[1 - k] < 0)
        still[root_of(up, c->body[p->body[k]].number)] = true;
  }
}

static bool allows_contact(Compile* c, const JointPart* p) {
  const double contact = sar_number(c, p->spec->contact, p->item, "contact", ANY_FINITE, 0);
  if (contact == 1 && is_fixed(p))
    sar_complain(c, p->item, p->spec->contact.loc, "leave it out",
                 "'contact': bodies that are fixed to each other cannot touch");
  return contact == 1;
}

// A free joint holds nothing together.
static bool joins(const JointPart* p) {
  return p->sound && p->body[0] >= 0 && p->body[1] >= 0 && p->kind->nv > 0 && p->kind->nv < 6 &&
         !sar_gate_given(&p->spec->gate);
}

static bool list_joined(Compile* c, int* up) {
  SarModel* m = &c->m;
  m->joined = SAR_ARENA_ARRAY(&c->arena, SarApart, c->njoint_spec + 1);
  if (!m->joined) return false;
  for (int j = 0; j < c->njoint_spec; j++) {
    const JointPart* p = &c->joint[j];
    if (allows_contact(c, p) || !joins(p)) continue;
    m->joined[m->njoined++] = (SarApart){root_of(up, c->body[p->body[0]].number),
                                         root_of(up, c->body[p->body[1]].number)};
  }
  m->njoined = settle(m->joined, m->njoined);
  return true;
}

static bool keep_joints_apart(Compile* c) {
  if (c->colliders.count == 0) return true;
  int* up = SAR_ARENA_ARRAY(&c->arena, int, c->nbody + 1);
  bool* still = SAR_ARENA_ARRAY(&c->arena, bool, c->nbody + 1);
  if (!up || !still) return false;
  weld(c, up, still);
  for (int i = 0; i < c->colliders.count; i++) {
    SarCollider* s = &c->colliders.items[i].collider;
    s->weld = s->holder < 0 ? GROUND : root_of(up, s->holder);
    s->still = s->holder < 0 || still[s->weld];
  }
  return list_joined(c, up);
}

// ---- groups and bodies -------------------------------------------------------------------------

typedef struct Member {  // a name of a rule: a group, or a body where no group has this name
  const char* name;
  int body;  // of the spec, GROUND; NOWHERE: a group
} Member;

typedef struct Rules {
  Member member[BITS];
  int nmember;
  SarApart* rule;  // numbers of members
  int nrule;
} Rules;

static bool is_in_group(const ColliderPart* p, const char* group) {
  for (int i = 0; p->groups && i < p->groups->count; i++)
    if (p->groups->items[i].text && strcmp(p->groups->items[i].text, group) == 0) return true;
  return false;
}

static bool is_group(const Compile* c, const char* name) {
  for (int i = 0; i < c->colliders.count; i++)
    if (is_in_group(&c->colliders.items[i], name)) return true;
  return false;
}

// False after a report.
static bool read_member(Compile* c, SpecName name, Member* out) {
  const Item item = {"block", "contact", name.loc};
  *out = (Member){name.text, NOWHERE};
  if (!name.text) return false;
  if (is_group(c, name.text)) return true;
  const int body = sar_names_find(&c->body_names, name.text);
  if (strcmp(name.text, "ground") == 0)
    out->body = GROUND;
  else if (body >= 0)
    out->body = body;
  else if (!(c->spec->lost & SPEC_LOST_BODIES))
    sar_complain(c, item, name.loc, "give a solid 'group: NAME', or name a body",
                 "ignore: there is no group or body '%s'", name.text);
  return out->body != NOWHERE;
}

// Number of the member among those of the rules; -1: too many.
static int add_member(Rules* rules, Member m) {
  for (int i = 0; i < rules->nmember; i++)
    if (strcmp(rules->member[i].name, m.name) == 0) return i;
  if (rules->nmember == BITS) return -1;
  rules->member[rules->nmember] = m;
  return rules->nmember++;
}

static int number_of(const Compile* c, int body) { return body < 0 ? body : c->body[body].number; }

static void read_rule(Compile* c, const SpecIgnore* ignore, Rules* rules) {
  SarModel* m = &c->m;
  Member a, b;
  const bool known = read_member(c, ignore->of[0], &a);
  if (!read_member(c, ignore->of[1], &b) || !known) return;
  if (a.body != NOWHERE && b.body != NOWHERE) {
    m->ignored[m->nignored++] = (SarApart){number_of(c, a.body), number_of(c, b.body)};
    return;
  }
  const int i = add_member(rules, a), j = add_member(rules, b);
  if (i >= 0 && j >= 0) {
    rules->rule[rules->nrule++] = (SarApart){i, j};
    return;
  }
  const Item item = {"block", "contact", ignore->of[0].loc};
  sar_complain(c, item, item.loc, "put bodies that are alike into one group",
               "ignore: more than %d groups", BITS);
}

// The members that a collider belongs to, one bit each.
static uint32_t members_of(const Rules* rules, const ColliderPart* p) {
  uint32_t bits = 0;
  for (int i = 0; i < rules->nmember; i++) {
    const Member* m = &rules->member[i];
    if (m->body == NOWHERE ? is_in_group(p, m->name) : m->body == p->body) bits |= 1U << i;
  }
  return bits;
}

static bool do_touch(const Rules* rules, uint32_t a, uint32_t b) {
  for (int r = 0; r < rules->nrule; r++) {
    const int i = rules->rule[r].a, j = rules->rule[r].b;
    if ((a >> i & 1 && b >> j & 1) || (a >> j & 1 && b >> i & 1)) return false;
  }
  return true;
}

static void give_bits(Compile* c, const Rules* rules) {
  uint32_t members[BITS];
  int classes = 0;
  for (int i = 0; i < c->colliders.count; i++) {
    ColliderPart* p = &c->colliders.items[i];
    const uint32_t own = members_of(rules, p);
    int k = 0;
    while (k < classes && members[k] != own) k++;
    if (k == BITS) {
      const Item item = {"block", "contact", c->spec->contact.ignore.items[0].of[0].loc};
      sar_complain(c, item, item.loc, "put solids that are alike into one group",
                   "ignore: its groups overlap in more than %d ways", BITS);
      return;
    }
    if (k == classes) members[classes++] = own;
    p->collider.group = 1U << k;
  }
  for (int i = 0; i < c->colliders.count; i++) {
    ColliderPart* p = &c->colliders.items[i];
    const uint32_t own = members_of(rules, p);
    p->collider.with = ~0U;
    for (int k = 0; k < classes; k++)
      if (!do_touch(rules, own, members[k])) p->collider.with &= ~(1U << k);
  }
}

static bool keep_ignored_apart(Compile* c) {
  const SpecContact* contact = &c->spec->contact;
  SarModel* m = &c->m;
  Rules rules = {0};
  m->ignored = SAR_ARENA_ARRAY(&c->arena, SarApart, contact->ignore.count + 1);
  rules.rule = SAR_ARENA_ARRAY(&c->arena, SarApart, contact->ignore.count + 1);
  if (c->arena.failed) return false;
  for (int i = 0; i < contact->ignore.count; i++) read_rule(c, &contact->ignore.items[i], &rules);
  m->nignored = settle(m->ignored, m->nignored);
  give_bits(c, &rules);
  return true;
}

bool sar_compile_apart(Compile* c) { return keep_joints_apart(c) && keep_ignored_apart(c); }
