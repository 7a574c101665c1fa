// sarrus list --full: attributes and an example of each kind of force and constraint, from its
// table; keys that every joint may have.
#include "cli/list_elements.h"

#include "io/reader.h"
#include "model/constraint_kind.h"
#include "model/force_kind.h"
#include "model/signal_kind.h"

#include <string.h>

typedef struct Element {
  SarForm form;
  const char* example;
} Element;

static bool find_element(const char* list, int index, Element* out) {
  if (strcmp(list, "forces") == 0) {
    const SarForceKind* k = sar_force_kind(index);
    if (k) *out = (Element){sar_force_form(k), k->example};
    return k != NULL;
  }
  if (strcmp(list, "constraints") != 0) return false;
  const SarConstraintKind* k = sar_constraint_kind(index);
  if (k) *out = (Element){sar_constraint_form(k), k->example};
  return k != NULL;
}

// What a file may leave out.
static bool may_be_absent(const SarAttr* a) { return a->def != NULL; }

// Of the lists whose entries have keys in place of attributes.
static const SarSignalKind* find_block(const char* list, int index) {
  if (strcmp(list, "signals") == 0) return sar_signal_kind(index);
  return strcmp(list, "hydraulics") == 0 ? sar_hydraulic_kind(index) : NULL;
}

static void print_signal(const SarSignalKind* k) {
  for (int i = 0; k && i < k->nkey; i++) {
    const SarSignalKey* key = &k->key[i];
    printf("      %-17s  %s", key->name, key->doc);
    if (i == 0)
      printf(" (input)");
    else if (key->def)
      printf(key->def[0] ? " (default %s)" : " (optional)", key->def);
    printf("\n");
  }
  if (k) printf("      example: %s\n", k->example);
}

void cli_print_element(const char* list, int index) {
  Element e;
  if (find_block(list, index)) print_signal(find_block(list, index));
  if (!find_element(list, index, &e)) return;
  int widest = 0;
  for (int i = 0; i < e.form.nattr; i++)
    if ((int)strlen(e.form.attr[i].name) > widest) widest = (int)strlen(e.form.attr[i].name);
  for (int i = 0; i < e.form.nattr; i++) {
    const SarAttr* a = &e.form.attr[i];
    printf("      %-*s  %s", widest, a->name, a->doc);
    if (i < e.form.targets)
      printf(" (target)");
    else if (may_be_absent(a))
      printf(a->def[0] ? " (default %s)" : " (optional)", a->def);
    if (a->choices) printf(" {%s}", a->choices);
    printf("\n");
  }
  printf("      example: %s\n", e.example);
}

void cli_print_keys(const char* list) {
  const char *name, *doc;
  if (strcmp(list, "joints") != 0) return;
  printf("\n  keys of every joint\n");
  for (int i = 0; (name = sar_joint_key(i, &doc)); i++) printf("      %-14s  %s\n", name, doc);
}

void cli_json_keys(SarJson* j, const char* list) {
  const char *name, *doc;
  if (strcmp(list, "joints") != 0) return;
  sar_json_open(j, "joint_keys", '[');
  for (int i = 0; (name = sar_joint_key(i, &doc)); i++) {
    sar_json_open(j, NULL, '{');
    sar_json_text(j, "name", name);
    sar_json_text(j, "doc", doc);
    sar_json_close(j, '}');
  }
  sar_json_close(j, ']');
}

static void json_signal(SarJson* j, const SarSignalKind* k) {
  sar_json_open(j, "attributes", '[');
  for (int i = 0; i < k->nkey; i++) {
    const SarSignalKey* key = &k->key[i];
    sar_json_open(j, NULL, '{');
    sar_json_text(j, "name", key->name);
    sar_json_text(j, "doc", key->doc);
    sar_json_bool(j, "target", i == 0);
    sar_json_bool(j, "optional", key->def != NULL);
    sar_json_text(j, "default", key->def && key->def[0] ? key->def : NULL);
    sar_json_close(j, '}');
  }
  sar_json_close(j, ']');
  sar_json_text(j, "example", k->example);
}

void cli_json_element(SarJson* j, const char* list, int index) {
  Element e;
  if (find_block(list, index)) json_signal(j, find_block(list, index));
  if (!find_element(list, index, &e)) return;
  sar_json_open(j, "attributes", '[');
  for (int i = 0; i < e.form.nattr; i++) {
    const SarAttr* a = &e.form.attr[i];
    sar_json_open(j, NULL, '{');
    sar_json_text(j, "name", a->name);
    sar_json_text(j, "doc", a->doc);
    sar_json_bool(j, "target", i < e.form.targets);
    sar_json_bool(j, "optional", may_be_absent(a));
    sar_json_text(j, "default", a->def && a->def[0] ? a->def : NULL);
    sar_json_close(j, '}');
  }
  sar_json_close(j, ']');
  sar_json_text(j, "example", e.example);
}
