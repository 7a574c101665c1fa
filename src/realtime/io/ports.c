// The list of kinds of ports, made from ports.def, and what they have in common.
#include "realtime/io/port_kind.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/text.h"

#include <string.h>

#define SAR_PORT(name) extern const SarPortKind sar_port_##name;
#include "realtime/io/ports.def"
#undef SAR_PORT

static const SarPortKind* const all[] = {
#define SAR_PORT(name) &sar_port_##name,
#include "realtime/io/ports.def"
#undef SAR_PORT
};

enum { COUNT = sizeof all / sizeof *all };

const SarPortKind* sar_port_kind(int index) {
  return index >= 0 && index < COUNT ? all[index] : NULL;
}

const SarPortKind* sar_port_kind_find(const char* name) {
  for (int i = 0; i < COUNT; i++)
    if (strcmp(all[i]->name, name) == 0) return all[i];
  return NULL;
}

static SarStatus unknown_kind(const char* name, SarError* err) {
  const char* names[COUNT];
  char hint[128];
  for (int i = 0; i < COUNT; i++) names[i] = all[i]->name;
  sar_report(err, (SarLoc){0}, sar_text_offer(hint, sizeof hint, name, names, COUNT),
             "there is no kind of port '%s'", name);
  return SAR_BAD_ARGUMENT;
}

// A port that is opened drives what it took; one that is not leaves no trace in the layout.
static void drive(const SarPort* p, SarPortLayout* l) {
  for (int i = 0; i < p->inputs; i++) l->input[p->input_place[i]].port = p;
}

SarStatus sar_port_open(const char* kind, const char* address, SarPortLayout* layout, SarPort** out,
                        SarError* err) {
  *out = NULL;
  const SarPortKind* k = sar_port_kind_find(kind);
  if (!k) return unknown_kind(kind, err);
  SarPort* p = sar_alloc(sizeof *p);
  if (!p) return SAR_NO_MEMORY;
  p->kind = k;
  const SarStatus st = k->open(p, layout, address, err);
  if (st != SAR_OK) {
    sar_port_close(p);
    return st;
  }
  drive(p, layout);
  *out = p;
  return SAR_OK;
}

void sar_port_exchange(SarPort* port, const SarPortFrame* frame) {
  port->stats.frames++;
  port->kind->exchange(port, frame);
}

const SarPortStats* sar_port_stats(const SarPort* port) { return &port->stats; }
const SarPortKind* sar_port_kind_of(const SarPort* port) { return port->kind; }
const char* sar_port_address(const SarPort* port) { return port->address; }
int sar_port_inputs(const SarPort* port) { return port->inputs; }

void sar_port_close(SarPort* port) {
  if (!port) return;
  if (port->own) port->kind->close(port);
  sar_free(port->signals);
  sar_free(port);
}
