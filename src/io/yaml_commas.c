// Expressions with commas. In [ ] and { } a comma ends a plain text, so {law: max(0, x)} falls
// apart into `law: max(0` and a key `x)`. The pieces are taken together again, for one message that
// says what to do.
#include "io/yaml_build.h"

static int open_parentheses(const YamlNode* n) {
  int open = 0;
  if (n->kind != YAML_TEXT || n->quoted) return 0;
  for (const char* c = n->text; *c; c++) open += (*c == '(') - (*c == ')');
  return open;
}

bool sar_yaml_is_rest(SarError* err, YamlCut* cut, YamlNode* n) {
  bool rest = cut->open > 0;
  cut->open += open_parentheses(n);
  if (!rest && cut->open > 0) {
    cut->piece = n;
    n->reported = true;
  }
  if (rest && cut->open <= 0)
    sar_report(err, cut->piece->loc, "as in {law: \"max(0, x)\"}",
               "an expression with a comma must be in quotes here, '%.60s,' is cut off",
               cut->piece->text);
  if (cut->open < 0) cut->open = 0;
  return rest;
}

void sar_yaml_end_cut(SarError* err, const YamlCut* cut) {
  if (cut->open > 0)
    sar_report(err, cut->piece->loc, "close it, or put the expression in quotes",
               "'%.60s' opens a parenthesis that is never closed", cut->piece->text);
}
