// Inputs with what is said of them, and named starts (keys).
#include "convert/yaml_parts.h"

#include <string.h>

static const SpecInputNote* note_of(const SarSpec* s, const char* input) {
  for (int i = 0; i < s->input_notes.count; i++)
    if (strcmp(s->input_notes.items[i].input.text, input) == 0) return &s->input_notes.items[i];
  return NULL;
}

static void write_input(Convert* c, const SpecParameter* u) {
  const SpecInputNote* note = note_of(c->spec, u->name.text);
  YamlItem item = {.c = c, .name = u->name.text};
  if (!note) {
    sar_text_addf(&c->out, "  %s: %s\n", sar_yaml_key(c, u->name.text),
                  sar_yaml_number(c, u->value));
    return;
  }
  sar_yaml_put_number(&item, "value", u->value);
  if (note->unit.text) sar_yaml_put(&item, "unit", sar_yaml_scalar(c, note->unit.text));
  sar_yaml_put_number(&item, "min", note->least);
  sar_yaml_put_number(&item, "max", note->most);
  sar_yaml_end(&item);
}

void sar_yaml_write_inputs(Convert* c) {
  if (c->spec->inputs.count) sar_text_add(&c->out, "\ninputs:\n");
  for (int i = 0; i < c->spec->inputs.count; i++) write_input(c, &c->spec->inputs.items[i]);
}

static const char* values_text(Convert* c, const SpecKeyValue* values, int count) {
  YamlItem item = {.c = c};
  for (int i = 0; i < count; i++) {
    const SpecDofs* v = &values[i].value;
    sar_yaml_put(&item, sar_yaml_key(c, values[i].of.text),
                 v->count == 1 ? sar_yaml_number(c, v->c[0]) : sar_yaml_list(c, v->c, v->count));
  }
  return sar_yaml_braces(&item);
}

void sar_yaml_write_keys(Convert* c) {
  static const char* const PART[SPEC_KEY_PARTS] = {"positions", "speeds", "inputs", "states"};
  if (c->spec->keys.count) sar_text_add(&c->out, "\nkeys:\n");
  for (int k = 0; k < c->spec->keys.count; k++) {
    const SpecKey* key = &c->spec->keys.items[k];
    YamlItem item = {.c = c, .name = key->name.text};
    for (int i = 0; i < SPEC_KEY_PARTS; i++)
      if (key->values[i].count)
        sar_yaml_put(&item, PART[i], values_text(c, key->values[i].items, key->values[i].count));
    sar_yaml_end(&item);
  }
}
