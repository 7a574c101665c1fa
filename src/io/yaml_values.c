// Numbers, names, vectors. Every number is an expression; the forms of the YAML 1.2 core schema
// that are no expressions (0x1F, 0o17, .inf) are taken as the numbers they are.
#include "base/print.h"
#include "io/yaml_read.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// 0x1F, 0o17, .inf, -.Inf; false: not one of these.
static bool core_number(const YamlNode* n, double* value) {
  static const char* const infinities[] = {".inf", ".Inf", ".INF"};
  const char* c = n->text;
  if (n->quoted) return false;
  double sign = *c == '-' ? -1 : 1;
  if (*c == '-' || *c == '+') c++;
  for (int i = 0; i < 3; i++)
    if (strcmp(c, infinities[i]) == 0) {
      *value = sign * (double)INFINITY;
      return true;
    }
  if (n->text[0] != '0' || (n->text[1] != 'x' && n->text[1] != 'o') || n->count < 3) return false;
  int base = n->text[1] == 'x' ? 16 : 8;
  *value = 0;
  for (c = n->text + 2; *c; c++) {
    static const char digits[] = "0123456789abcdefABCDEF";
    const char* found = strchr(digits, *c);
    if (!found) return false;
    int digit = (int)(found - digits);
    if (digit >= 16) digit -= 6;
    if (digit >= base) return false;
    *value = *value * base + digit;
  }
  return true;
}

// Indices of repeated parts are numbers.
static bool find_index(void* context, const char* name, double* value) {
  for (const YamlIndex* i = context; i; i = i->outer)
    if (strcmp(i->name, name) == 0) {
      *value = i->value;
      return true;
    }
  return false;
}

// Messages about the text itself get what they are about put before them.
static const SarExpr* parse(YamlReader* r, const YamlNode* n) {
  int before = r->err->count;
  const char* text = n->spaced ? n->spaced : n->text;
  const SarExpr* e = sar_expr_parse(r->arena, text, strlen(text), n->loc, r->err);
  for (int i = before; i < r->err->count; i++) {
    SarDiag* d = &r->err->items[i];
    char said[sizeof d->text];
    memcpy(said, d->text, sizeof said);
    sar_snprintf(d->text, sizeof d->text, "%.120s%s%.40s%s%.220s", r->item, r->item[0] ? ": " : "",
                 r->key ? r->key : "", r->key ? ": " : "", said);
  }
  return e && n->index ? sar_expr_put_values(r->arena, e, find_index, (void*)n->index) : e;
}

static const SarExpr* digit(YamlReader* r, int i) {
  if (!r->digit[i]) r->digit[i] = sar_expr_number(r->arena, i);
  return r->digit[i];
}

void sar_yaml_num(YamlReader* r, const YamlNode* n, void* into) {
  SpecNum* num = into;
  double value = 0;
  num->loc = n->loc;
  if (n->reported || n->kind != YAML_TEXT || sar_yaml_is_null(n))
    sar_yaml_expected(r, n, "a number or an expression", "");
  else
    num->expr = core_number(n, &value) ? sar_expr_number(r->arena, value) : parse(r, n);
  const bool parsed = num->expr != NULL;
  if (num->expr) num->expr = sar_yaml_put_tables(r, num->expr);
  if (!parsed && !n->reported) sar_yaml_wrong(r, n);
  if (num->expr && sar_expr_is_number(num->expr, &value) && isnan(value))
    sar_yaml_report(r, n->loc, "", "expected a number, but '%.60s' is not one (NaN)", n->text);
  if (!num->expr) num->expr = sar_expr_number(r->arena, (double)NAN);
}

void sar_yaml_bool(YamlReader* r, const YamlNode* n, void* into) {
  SpecNum* num = into;
  static const char* const words[] = {"false", "true", "False", "True", "FALSE", "TRUE"};
  int i = 0;
  if (n->kind == YAML_TEXT)
    while (i < 6 && strcmp(words[i], n->text) != 0) i++;
  if (n->kind != YAML_TEXT || i == 6) {
    sar_yaml_expected(r, n, "true or false", "");
    return;
  }
  *num = (SpecNum){sar_expr_number(r->arena, i % 2), n->loc};
}

void sar_yaml_name(YamlReader* r, const YamlNode* n, void* into) {
  if (n->reported || n->kind != YAML_TEXT || sar_yaml_is_null(n) || n->count == 0) {
    sar_yaml_expected(r, n, "a name", "");
    return;
  }
  *(SpecName*)into = (SpecName){n->text, n->loc};
}

// One component of a vector: a digit does not know its place, which only points of tables need to.
static void read_component(YamlReader* r, const YamlNode* n, SpecNum* out) {
  const bool is_digit = n->kind == YAML_TEXT && !n->reported && !n->quoted && n->count == 1 &&
                        n->text[0] >= '0' && n->text[0] <= '9';
  if (is_digit)
    *out = (SpecNum){digit(r, n->text[0] - '0'), n->loc};
  else
    sar_yaml_num(r, n, out);
}

bool sar_yaml_numbers(YamlReader* r, const YamlNode* n, int count, SpecNum* out) {
  char what[32];
  sar_snprintf(what, sizeof what, "a list of %d numbers", count);
  if (n->kind != YAML_LIST || n->count != count) {
    sar_yaml_expected(r, n, what, "");
    for (int i = 0; i < count; i++)
      out[i] = (SpecNum){sar_expr_number(r->arena, (double)NAN), n->loc};
    return false;
  }
  for (int i = 0; i < count; i++)
    if (count == 3)
      read_component(r, n->items[i], &out[i]);
    else
      sar_yaml_num(r, n->items[i], &out[i]);
  return true;
}

void sar_yaml_vec3(YamlReader* r, const YamlNode* n, void* into) {
  SpecVec3* v = into;
  sar_yaml_numbers(r, n, 3, v->c);
}

void sar_yaml_rare_vec3(YamlReader* r, const YamlNode* n, void* into) {
  SpecVec3** v = into;
  *v = SAR_ARENA_NEW(r->arena, SpecVec3);
  if (*v) sar_yaml_vec3(r, n, *v);
}

void sar_yaml_axis(YamlReader* r, const YamlNode* n, void* into) {
  SpecVec3* v = into;
  if (n->kind == YAML_LIST) {
    sar_yaml_vec3(r, n, into);
    return;
  }
  const char* word = n->kind == YAML_TEXT ? n->text : "";
  double sign = word[0] == '-' ? -1 : 1;
  if (word[0] == '-' || word[0] == '+') word++;
  if (word[0] < 'x' || word[0] > 'z' || word[1]) {
    sar_yaml_expected(r, n, "x, y, z, -x, -y, -z or a list [x, y, z]", "");
    return;
  }
  for (int i = 0; i < 3; i++)
    v->c[i] = (SpecNum){i == word[0] - 'x' && sign < 0 ? sar_expr_number(r->arena, -1)
                                                       : digit(r, i == word[0] - 'x'),
                        n->loc};
}

void sar_yaml_dofs(YamlReader* r, const YamlNode* n, void* into) {
  SpecDofs* dofs = into;
  dofs->loc = n->loc;
  const bool one = n->kind == YAML_TEXT;
  if (!one && (n->kind != YAML_LIST || n->count == 0 || n->count > SAR_JOINT_MAX_NQ)) {
    sar_yaml_expected(r, n, "a number, or a list of one for each coordinate", "");
    return;
  }
  SpecNum* numbers = SAR_ARENA_ARRAY(r->arena, SpecNum, one ? 1 : n->count);
  if (!numbers) return;
  dofs->c = numbers;
  dofs->count = one ? 1 : n->count;
  for (int i = 0; i < dofs->count; i++) sar_yaml_num(r, one ? n : n->items[i], &dofs->c[i]);
}
