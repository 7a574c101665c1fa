// Ports of coupled simulators: one that is for all of them becomes one for each. Objects of shared
// memory get a name for each (rig.tail), a file of recorded inputs has columns SIMULATOR.INPUT and
// goes to those that it has columns for.
#include "base/arena.h"
#include "base/error.h"
#include "base/print.h"
#include "base/text.h"
#include "output/table.h"
#include "realtime/couple.h"
#include "realtime/port.h"

#include <string.h>

enum { LONGEST = 2 * SAR_PORT_NAME };

static SarStatus add(SarMember* m, SarArena* a, const char* kind, const char* address, bool whole) {
  if (!address || a->failed) return SAR_NO_MEMORY;
  m->port[m->ports] = (SarRtPort){kind, address};
  m->whole[m->ports++] = whole;
  return SAR_OK;
}

static int find_member(const SarCouple* c, const char* name) {
  for (int k = 0; k < c->members; k++)
    if (strcmp(c->member[k].name, name) == 0) return k;
  return -1;
}

static SarStatus unknown_simulator(const SarCouple* c, const SarCouplePort* p, SarError* err) {
  const char* names[SAR_COUPLE_MOST];
  char hint[256];
  for (int k = 0; k < c->members; k++) names[k] = c->member[k].name;
  sar_report(err, (SarLoc){0}, sar_text_offer(hint, sizeof hint, p->simulator, names, c->members),
             "--%s: there is no simulator '%.60s'", p->kind, p->simulator);
  return SAR_BAD_ARGUMENT;
}

// "rig,timeout=0.1" -> "rig.tail,timeout=0.1"
static SarStatus name_for_each(SarCouple* c, const SarCouplePort* p) {
  SarArena* a = &c->spec.spec.arena;
  const int head = (int)strcspn(p->address, ",");
  for (int k = 0; k < c->members; k++)
    SAR_TRY(add(
        &c->member[k], a, p->kind,
        sar_arena_printf(a, "%.*s.%s%s", head, p->address, c->member[k].name, p->address + head),
        false));
  return SAR_OK;
}

static bool is_given(const SarMember* m, int input) {
  for (int i = 0; i < m->inputs; i++)
    if (m->input[i].input == input) return true;
  return false;
}

static bool has_column(const SarTable* t, const SarMember* m) {
  char name[LONGEST];
  for (int i = 0; i < sar_model_count(m->m, SAR_ITEM_INPUT); i++) {
    sar_snprintf(name, sizeof name, "%s.%s", m->name, sar_model_name(m->m, SAR_ITEM_INPUT, i));
    for (int k = 0; k < t->columns && !is_given(m, i); k++)
      if (strcmp(t->names[k], name) == 0) return true;
  }
  return false;
}

static SarStatus share_file(SarCouple* c, const SarCouplePort* p, SarError* err) {
  SarArena* a = &c->spec.spec.arena;
  SarTable table = {0};
  const char* path = sar_arena_printf(a, "%.*s", (int)strcspn(p->address, ","), p->address);
  if (!path) return SAR_NO_MEMORY;
  SarStatus st = sar_table_read(path, &table, err);
  int found = 0;
  for (int k = 0; k < c->members && st == SAR_OK; k++)
    if (has_column(&table, &c->member[k])) {
      st = add(&c->member[k], a, p->kind, sar_arena_strdup(a, p->address), true);
      found++;
    }
  sar_table_clear(&table);
  if (st != SAR_OK || found > 0) return st;
  sar_report(err, (SarLoc){.file = path}, "as in 'tail.rudder'",
             "no column is named SIMULATOR.INPUT with an input that is not exchanged");
  return SAR_BAD_ARGUMENT;
}

static SarStatus take(SarCouple* c, const SarCouplePort* p, SarError* err) {
  SarArena* a = &c->spec.spec.arena;
  SAR_GIVEN(p->kind && p->address);
  if (p->simulator) {
    const int k = find_member(c, p->simulator);
    if (k < 0) return unknown_simulator(c, p, err);
    return add(&c->member[k], a, p->kind, sar_arena_strdup(a, p->address), false);
  }
  if (strcmp(p->kind, "file") == 0) return share_file(c, p, err);
  if (strcmp(p->kind, "udp") != 0) return name_for_each(c, p);
  sar_report(err, (SarLoc){0}, "", "--udp: say which simulator has it, as in '%s:7000; %s:7001'",
             c->member[0].name, c->member[1].name);
  return SAR_BAD_ARGUMENT;
}

SarStatus sar_couple_take_ports(SarCouple* c, const SarCouplePort* ports, int count,
                                SarError* err) {
  SarArena* a = &c->spec.spec.arena;
  SAR_GIVEN(count == 0 || (count > 0 && ports));
  for (int k = 0; k < c->members; k++) {
    c->member[k].port = SAR_ARENA_ARRAY(a, SarRtPort, count + 1);
    c->member[k].whole = SAR_ARENA_ARRAY(a, bool, count + 1);
    if (a->failed) return SAR_NO_MEMORY;
  }
  for (int i = 0; i < count; i++) SAR_TRY(take(c, &ports[i], err));
  return SAR_OK;
}
