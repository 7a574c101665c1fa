// Which inputs a port drives and which outputs it tells.
#include "realtime/io/port_kind.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/text.h"

#include <string.h>

enum { LONGEST = 256 };

// The next name of "a+b+c" as a text of its own; false behind the last.
static bool next_name(const char** at, const char* end, char name[LONGEST]) {
  if (*at >= end) return false;
  const char* plus = memchr(*at, '+', (size_t)(end - *at));
  const char* stop = plus ? plus : end;
  const size_t n = stop - *at < LONGEST ? (size_t)(stop - *at) : LONGEST - 1;
  memcpy(name, *at, n);
  name[n] = '\0';
  *at = plus ? plus + 1 : end;
  return true;
}

bool sar_port_listed(const SarPortOption* o, const char* name) {
  char pattern[LONGEST];
  const char* at = o->value;
  if (o->length < 0) return true;
  while (next_name(&at, o->value + o->length, pattern))
    if (sar_text_matches(name, pattern)) return true;
  return false;
}

static const char* name_of(const SarPortLayout* l, bool input, int i) {
  return input ? l->input[i].name : l->output[i].name;
}

// Every name of a list fits something.
static SarStatus check_list(const char* kind, const SarPortLayout* l, bool input,
                            const SarPortOption* o, SarError* err) {
  char pattern[LONGEST];
  const int count = input ? l->inputs : l->outputs;
  const char* at = o->value;
  while (o->length >= 0 && next_name(&at, o->value + o->length, pattern)) {
    int i = 0;
    while (i < count && !sar_text_matches(name_of(l, input, i), pattern)) i++;
    if (i < count) continue;
    sar_report(err, (SarLoc){0}, input ? "sarrus info lists the inputs" : "",
               "--%s: the model has no %s '%s'", kind, input ? "input" : "output", pattern);
    return SAR_BAD_ARGUMENT;
  }
  return SAR_OK;
}

static SarStatus check_name(const char* kind, const char* name, SarError* err) {
  if (strlen(name) < SAR_PORT_NAME) return SAR_OK;
  sar_report(err, (SarLoc){0}, "choose others with inputs=... or outputs=...",
             "--%s: the name '%.40s...' is longer than %d bytes", kind, name, SAR_PORT_NAME - 1);
  return SAR_BAD_ARGUMENT;
}

static SarStatus check_counts(const SarPort* p, SarError* err) {
  if (p->inputs <= SAR_PORT_MOST && p->outputs <= SAR_PORT_MOST) return SAR_OK;
  sar_report(err, (SarLoc){0}, "choose some with outputs=a+b*",
             "--%s: %d inputs and %d outputs, of either at most %d", p->kind->name, p->inputs,
             p->outputs, SAR_PORT_MOST);
  return SAR_BAD_ARGUMENT;
}

SarStatus sar_port_take(SarPort* p, SarPortLayout* l, const SarPortOption* inputs,
                        const SarPortOption* outputs, SarError* err) {
  SAR_TRY(check_list(p->kind->name, l, true, inputs, err));
  SAR_TRY(check_list(p->kind->name, l, false, outputs, err));
  int* place = sar_alloc(sizeof *place * (size_t)(l->inputs + l->outputs + 1));
  if (!place) return SAR_NO_MEMORY;
  p->signals = place;
  p->input_place = place;
  p->output_place = place + l->inputs;
  for (int i = 0; i < l->inputs; i++) {
    if (l->input[i].port || l->input[i].taken || !sar_port_listed(inputs, l->input[i].name))
      continue;
    SAR_TRY(check_name(p->kind->name, l->input[i].name, err));
    p->input_place[p->inputs++] = i;
  }
  for (int i = 0; i < l->outputs; i++) {
    if (!sar_port_listed(outputs, l->output[i].name)) continue;
    SAR_TRY(check_name(p->kind->name, l->output[i].name, err));
    p->output_place[p->outputs++] = i;
  }
  return check_counts(p, err);
}
