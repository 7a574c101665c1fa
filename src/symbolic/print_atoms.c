// Numbers and names in the three styles of print.h.
#include "base/print.h"
#include "base/text.h"
#include "symbolic/printing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char* sar_print_number(char* buf, size_t size, double value) {
  double back;
  for (int digits = 6; digits <= 17; digits++) {
    sar_snprintf(buf, size, "%.*g", digits, value);
    if (sar_text_to_double(buf, strlen(buf), &back) && back == value) break;
  }
  return buf;
}

// Halves, quarters, thirds, ... are read as fractions, hundredths as decimals.
bool sar_is_decimal(int64_t den) {
  const bool tenths = den % 5 == 0;
  while (den % 2 == 0) den /= 2;
  while (den % 5 == 0) den /= 5;
  return den == 1 && tenths;
}

void sar_put_fraction(Print* p, int64_t num, int64_t den) {
  char text[64];
  if (sar_is_decimal(den)) {
    sar_put_number(p, (double)num / (double)den);
    return;
  }
  const char* form = is_style(p, SAR_PRINT_LATEX) ? "%s\\tfrac{%lld}{%lld}"
                     : is_style(p, SAR_PRINT_C)   ? "%s%lld.0 / %lld.0"
                                                  : "%s%lld/%lld";
  sar_snprintf(text, sizeof text, form, num < 0 ? "-" : "",
               num < 0 ? -(long long)num : (long long)num, (long long)den);
  sar_put(p, text);
}

// 1.5e-05 as 1.5 \cdot 10^{-5}
static void put_latex_number(Print* p, char* text) {
  char* e = strchr(text, 'e');
  if (e) *e = '\0';
  sar_put(p, text);
  if (!e) return;
  char power[32];
  sar_snprintf(power, sizeof power, " \\cdot 10^{%d}", atoi(e + 1));
  sar_put(p, power);
}

void sar_put_number(Print* p, double value) {
  char text[SAR_NUMBER_TEXT];
  const bool c = is_style(p, SAR_PRINT_C), latex = is_style(p, SAR_PRINT_LATEX);
  if (isnan(value)) {
    sar_put(p, c ? "(double)NAN" : latex ? "\\mathrm{NaN}" : "(inf - inf)");
  } else if (isinf(value)) {
    if (value < 0) sar_put(p, "-");
    sar_put(p, c ? "(double)INFINITY" : latex ? "\\infty" : "inf");
  } else {
    sar_print_number(text, sizeof text, value);
    if (latex) {
      put_latex_number(p, text);
      return;
    }
    sar_put(p, text);
    if (c && !strpbrk(text, ".e")) sar_put(p, ".0");
  }
}

bool sar_is_plain_name(const char* name) {
  for (const char* c = name; *c; c++)
    if (!(*c == '_' || (*c >= '0' && *c <= '9') || (*c >= 'a' && *c <= 'z') ||
          (*c >= 'A' && *c <= 'Z')))
      return false;
  return name[0] != '\0' && !(name[0] >= '0' && name[0] <= '9');
}

// a C identifier; \mathrm{} of what is no single letter; as it is
void sar_put_symbol(Print* p, const char* name) {
  if (is_style(p, SAR_PRINT_TEXT) || (is_style(p, SAR_PRINT_C) && sar_is_plain_name(name)) ||
      (is_style(p, SAR_PRINT_LATEX) && strlen(name) == 1 && sar_is_plain_name(name))) {
    sar_put(p, name);
    return;
  }
  if (is_style(p, SAR_PRINT_LATEX)) sar_put(p, "\\mathrm{");
  for (const char* c = name; *c; c++) {
    const char letter[2] = {*c, '\0'};
    const bool plain = sar_is_plain_name(letter) || (*c >= '0' && *c <= '9');
    if (is_style(p, SAR_PRINT_LATEX))
      sar_put(p, *c == '_' ? "\\_" : plain || *c == '.' ? letter : "\\,");
    else
      sar_put(p, plain ? letter : "_");
  }
  if (is_style(p, SAR_PRINT_LATEX)) sar_put(p, "}");
}
