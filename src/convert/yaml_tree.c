// YAML -> YAML where a file stands alone: what it says, repeated parts carried out, comments and
// anchors gone, one layout.
#include "convert/yaml_item.h"

#include "expr/print.h"
#include "io/yaml_flat.h"

#include <string.h>

enum { WIDTH = 100 };

static const char* key_text(Convert* c, const YamlNode* key) {
  return key->quoted ? sar_yaml_key(c, key->text) : sar_yaml_scalar(c, key->text);
}

// Is the value of this key the name of a file, as in {file: table.csv} and {hull: link.stl}?
static bool names_file(const YamlPair* p) {
  static const char* const keys[] = {"file", "hull", "mesh", "convex"};
  const char* dot = p->value->kind == YAML_TEXT ? strrchr(p->value->text, '.') : NULL;
  for (size_t i = 0; dot && dot[1] && i < sizeof keys / sizeof *keys; i++)
    if (strcmp(p->key->text, keys[i]) == 0) return strspn(dot + 1, "0123456789eE") == 0;
  return false;
}

static const char* file_text(Convert* c, const YamlNode* n) {
  const SpecName name = {sar_yaml_flat_text(&c->arena, n), n->loc};
  return sar_yaml_scalar(c, sar_target_file(c, name));
}

static void put_flow(Convert* c, const YamlNode* n, SarTextOut* out) {
  switch (n->kind) {
    case YAML_TEXT:
      sar_text_add(
          out, sar_yaml_is_null(n) ? "null" : sar_yaml_scalar(c, sar_yaml_flat_text(&c->arena, n)));
      break;
    case YAML_LIST:
      sar_text_add(out, "[");
      for (int i = 0; i < n->count; i++) {
        if (i) sar_text_add(out, ", ");
        put_flow(c, n->items[i], out);
      }
      sar_text_add(out, "]");
      break;
    default:
      sar_text_add(out, "{");
      for (int i = 0; i < n->count; i++) {
        sar_text_addf(out, "%s%s: ", i ? ", " : "", key_text(c, n->pairs[i].key));
        if (names_file(&n->pairs[i]))
          sar_text_add(out, file_text(c, n->pairs[i].value));
        else
          put_flow(c, n->pairs[i].value, out);
      }
      sar_text_add(out, "}");
  }
}

static const char* flow(Convert* c, const YamlNode* n) {
  SarTextOut out = {.arena = &c->arena};
  put_flow(c, n, &out);
  return out.text ? out.text : "";
}

static void put_value(Convert* c, const YamlNode* n, int indent, size_t used);

static void put_pair(Convert* c, const YamlPair* p, int indent) {
  const char* key = key_text(c, p->key);
  sar_text_addf(&c->out, "%s:", key);
  if (names_file(p)) {
    sar_text_addf(&c->out, " %s\n", file_text(c, p->value));
    return;
  }
  put_value(c, p->value, indent, (size_t)indent + strlen(key) + 2);
}

// On the line of its key where it fits, else on lines of its own.
static void put_value(Convert* c, const YamlNode* n, int indent, size_t used) {
  const char* line = flow(c, n);
  const bool fits = used + strlen(line) <= WIDTH;
  if (fits || n->kind == YAML_TEXT || n->count == 0) {
    sar_text_addf(&c->out, " %s\n", line);
    return;
  }
  sar_text_add(&c->out, "\n");
  for (int i = 0; i < n->count; i++) {
    if (n->kind == YAML_MAP) {
      sar_text_addf(&c->out, "%*s", indent + 2, "");
      put_pair(c, &n->pairs[i], indent + 2);
    } else {
      sar_text_addf(&c->out, "%*s-", indent + 2, "");
      put_value(c, n->items[i], indent + 2, (size_t)indent + 4);
    }
  }
}

// Values that were given from outside stand in the new file.
static void put_parameters(Convert* c, const YamlNode* n) {
  char number[SAR_NUMBER_TEXT];
  sar_text_add(&c->out, "\nparameters:\n");
  for (int i = 0; i < n->count; i++) {
    const char* name = n->pairs[i].key->text;
    double value;
    sar_text_addf(&c->out, "  %s: %s\n", key_text(c, n->pairs[i].key),
                  sar_given_parameter(c, name, &value) ? sar_number_text(number, value)
                                                       : flow(c, n->pairs[i].value));
  }
}

// Sections of many entries have a line for each.
static void put_section(Convert* c, const YamlPair* p) {
  const YamlNode* n = p->value;
  const bool entries = n->kind == YAML_MAP && n->count > 0 && n->pairs[0].value->kind == YAML_MAP;
  if (strcmp(p->key->text, "parameters") == 0 && n->kind == YAML_MAP) {
    put_parameters(c, n);
    return;
  }
  if (n->kind != YAML_TEXT) sar_text_add(&c->out, "\n");
  if (!entries) {
    put_pair(c, p, 0);
    return;
  }
  sar_text_addf(&c->out, "%s:\n", key_text(c, p->key));
  for (int i = 0; i < n->count; i++) {
    sar_text_add(&c->out, "  ");
    put_pair(c, &n->pairs[i], 2);
  }
}

void sar_write_yaml_tree(Convert* c, const YamlNode* root) {
  for (int i = 0; i < root->count; i++)
    if (strncmp(root->pairs[i].key->text, "x-", 2) != 0) put_section(c, &root->pairs[i]);
}
