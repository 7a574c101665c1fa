// Scalars, lists and entries of YAML.
#include "convert/yaml_item.h"

#include "expr/print.h"

#include <string.h>

enum { WIDTH = 100 };

// ---- scalars ---------------------------------------------------------------------------------

// Characters that are plain anywhere, in the flow style too.
static bool is_plain(const char* text) {
  static const char more[] = "_./+-*()<=%^";
  const char first = text[0];
  if (!first || strcmp(text, "null") == 0 || strcmp(text, "~") == 0) return false;
  if (strcmp(text, "<<") == 0 || strcmp(text, "---") == 0 || strcmp(text, "...") == 0) return false;
  if (strchr("+*%=<", first)) return false;
  if (first == '-' && (!text[1] || text[1] == ' ')) return false;
  for (const char* p = text; *p; p++) {
    const bool word =
        (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9');
    const bool blank = *p == ' ' && p != text && p[1] && p[1] != ' ';
    if (!word && !blank && !strchr(more, *p)) return false;
  }
  return true;
}

static const char* quoted(Convert* c, const char* text) {
  SarTextOut t = {.arena = &c->arena};
  const char quote[2] = {strchr(text, '\'') ? '"' : '\'', '\0'};
  sar_text_add(&t, quote);
  for (const char* p = text; *p; p++) {
    const char one[2] = {*p, '\0'};
    if (quote[0] == '"' && (*p == '"' || *p == '\\')) sar_text_add(&t, "\\");
    sar_text_add(&t, one);
  }
  sar_text_add(&t, quote);
  return t.text ? t.text : "";
}

const char* sar_yaml_scalar(Convert* c, const char* text) {
  return is_plain(text) ? text : quoted(c, text);
}

const char* sar_yaml_key(Convert* c, const char* name) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
  const bool plain = is_plain(name) && !name[strspn(name, letters)] && strcspn(name, "0123456789");
  return plain ? name : quoted(c, name);
}

const char* sar_yaml_number(Convert* c, SpecNum n) {
  const char* text = n.expr ? sar_expr_text(&c->arena, n.expr) : NULL;
  return text ? sar_yaml_scalar(c, text) : "";
}

const char* sar_yaml_list(Convert* c, const SpecNum* n, int count) {
  SarTextOut t = {.arena = &c->arena};
  sar_text_add(&t, "[");
  for (int i = 0; i < count; i++)
    sar_text_addf(&t, "%s%s", i ? ", " : "", sar_yaml_number(c, n[i]));
  sar_text_add(&t, "]");
  return t.text ? t.text : "";
}

const char* sar_yaml_direction(Convert* c, SpecVec3 v) {
  static const char* const words[6] = {"x", "y", "z", "-x", "-y", "-z"};
  for (int w = 0; w < 6; w++) {
    bool same = true;
    for (int i = 0; i < 3; i++) {
      double x;
      same =
          same && sar_expr_is_number(v.c[i].expr, &x) && x == (i == w % 3 ? (w < 3 ? 1 : -1) : 0);
    }
    if (same) return words[w];
  }
  return sar_yaml_list(c, v.c, 3);
}

const char* sar_yaml_names(Convert* c, const SpecName* names, int count) {
  SarTextOut t = {.arena = &c->arena};
  sar_text_add(&t, "[");
  for (int i = 0; i < count; i++)
    sar_text_addf(&t, "%s%s", i ? ", " : "", sar_yaml_scalar(c, names[i].text));
  sar_text_add(&t, "]");
  return t.text ? t.text : "";
}

// ---- entries ---------------------------------------------------------------------------------

void sar_yaml_put(YamlItem* item, const char* key, const char* value) {
  if (!value || !value[0]) return;
  const char* text = sar_arena_printf(&item->c->arena, "%s: %s", key, value);
  const char** slot = text ? SAR_LIST_ADD(&item->c->arena, &item->parts) : NULL;
  if (slot) *slot = text;
}

void sar_yaml_put_number(YamlItem* item, const char* key, SpecNum n) {
  if (n.expr) sar_yaml_put(item, key, sar_yaml_number(item->c, n));
}

void sar_yaml_put_name(YamlItem* item, const char* key, SpecName n) {
  if (n.text) sar_yaml_put(item, key, sar_yaml_scalar(item->c, n.text));
}

void sar_yaml_put_vec3(YamlItem* item, const char* key, SpecVec3 v) {
  if (v.c[0].expr) sar_yaml_put(item, key, sar_yaml_list(item->c, v.c, 3));
}

void sar_yaml_put_dofs(YamlItem* item, const char* key, SpecDofs d) {
  if (d.count == 1) sar_yaml_put_number(item, key, d.c[0]);
  if (d.count > 1) sar_yaml_put(item, key, sar_yaml_list(item->c, d.c, d.count));
}

static bool is_all(const SpecNum* n, const double* value, int count) {
  for (int i = 0; i < count; i++) {
    double x;
    if (!n[i].expr || !sar_expr_is_number(n[i].expr, &x) || x != value[i]) return false;
  }
  return true;
}

bool sar_yaml_is_zero(SpecVec3 v) {
  static const double none[3] = {0};
  return is_all(v.c, none, 3);
}

static void put_axes(YamlItem* item, const SpecPose* p) {
  YamlItem axes = {.c = item->c};
  for (int i = 0; p->axis_dir && i < 2; i++)
    sar_yaml_put(&axes, (const char*[]){"x", "y", "z"}[p->axis_name[i]],
                 sar_yaml_direction(item->c, p->axis_dir[i]));
  sar_yaml_put(item, "axes", sar_yaml_braces(&axes));
}

static void put_euler(YamlItem* item, const SpecPose* p) {
  char sequence[4] = "";
  for (int i = 0; i < 3; i++) sequence[i] = (char)('x' + p->axis_name[i]);
  YamlItem euler = {.c = item->c};
  sar_yaml_put(&euler, "sequence", sar_arena_strdup(&item->c->arena, sequence));
  sar_yaml_put(&euler, "angles", sar_yaml_list(item->c, p->r, 3));
  if (p->extrinsic) sar_yaml_put(&euler, "extrinsic", "true");
  sar_yaml_put(item, "euler", sar_yaml_braces(&euler));
}

// What says nothing is left out, so that files stay short.
void sar_yaml_put_pose(YamlItem* item, SpecPose p) {
  static const double none[4] = {0}, unturned[4] = {1, 0, 0, 0};
  if (!is_all(p.at.c, none, 3)) sar_yaml_put_vec3(item, "at", p.at);
  switch (p.rotation) {
    case SPEC_ROT_NONE: break;
    case SPEC_ROT_RPY:
      if (!is_all(p.r, none, 3)) sar_yaml_put(item, "rpy", sar_yaml_list(item->c, p.r, 3));
      break;
    case SPEC_ROT_QUAT:
      if (!is_all(p.r, unturned, 4)) sar_yaml_put(item, "quat", sar_yaml_list(item->c, p.r, 4));
      break;
    case SPEC_ROT_AXES: put_axes(item, &p); break;
    case SPEC_ROT_EULER: put_euler(item, &p); break;
  }
}

void sar_yaml_put_gate(YamlItem* item, const SpecGate* g) {
  sar_yaml_put_number(item, "active", g->active);
  sar_yaml_put_number(item, "from", g->from);
  sar_yaml_put_number(item, "until", g->until);
  sar_yaml_put_name(item, "hold", g->hold);
}

const char* sar_yaml_braces(const YamlItem* item) {
  SarTextOut t = {.arena = &item->c->arena};
  sar_text_add(&t, "{");
  for (int i = 0; i < item->parts.count; i++)
    sar_text_addf(&t, "%s%s", i ? ", " : "", item->parts.items[i]);
  sar_text_add(&t, "}");
  return t.text ? t.text : "";
}

void sar_yaml_end(const YamlItem* item) {
  SarTextOut* out = &item->c->out;
  const char* name = item->name ? sar_yaml_key(item->c, item->name) : NULL;
  const char* braces = sar_yaml_braces(item);
  if ((name ? strlen(name) + 4 : 4) + strlen(braces) <= WIDTH || item->parts.count < 2) {
    sar_text_addf(out, name ? "  %s: %s\n" : "  - %s%s\n", name ? name : "", braces);
    return;
  }
  if (name) sar_text_addf(out, "  %s:\n", name);
  for (int i = 0; i < item->parts.count; i++)
    sar_text_addf(out, "%s%s\n", name ? "    " : i ? "    " : "  - ", item->parts.items[i]);
}
