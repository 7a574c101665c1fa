// Addresses of ports: what comes first is the kind's own, then options "key=value", with commas
// between them.
#include "realtime/io/port_kind.h"

#include "base/error.h"
#include "base/text.h"

#include <string.h>

static SarStatus unknown_key(const char* kind, const char* key, int length,
                             const SarPortOption* options, int count, SarError* err) {
  const char* names[16];
  char hint[256], word[64];
  for (int i = 0; i < count; i++) names[i] = options[i].key;
  const int n = length < (int)sizeof word ? length : (int)sizeof word - 1;
  memcpy(word, key, (size_t)n);
  word[n] = '\0';
  sar_report(err, (SarLoc){0}, sar_text_offer(hint, sizeof hint, word, names, count),
             "--%s: there is no option '%s'", kind, word);
  return SAR_BAD_ARGUMENT;
}

static SarStatus read_option(const char* kind, const char* text, int length, SarPortOption* options,
                             int count, SarError* err) {
  const char* equal = memchr(text, '=', (size_t)length);
  const int key = equal ? (int)(equal - text) : length;
  for (int i = 0; i < count; i++) {
    if ((int)strlen(options[i].key) != key || memcmp(options[i].key, text, (size_t)key) != 0)
      continue;
    if (!equal || key + 1 == length) {
      sar_report(err, (SarLoc){0}, "", "--%s: '%s' needs a value: %s=...", kind, options[i].key,
                 options[i].key);
      return SAR_BAD_ARGUMENT;
    }
    options[i].value = equal + 1;
    options[i].length = length - key - 1;
    return SAR_OK;
  }
  return unknown_key(kind, text, key, options, count, err);
}

SarStatus sar_port_options(const char* kind, const char* address, SarPortOption* options, int count,
                           int* head, SarError* err) {
  for (int i = 0; i < count; i++) options[i].length = -1;
  const char* text = address + strcspn(address, ",");
  *head = (int)(text - address);
  while (*text) {
    const int length = (int)strcspn(text + 1, ",");
    SAR_TRY(read_option(kind, text + 1, length, options, count, err));
    text += 1 + length;
  }
  return SAR_OK;
}

SarStatus sar_port_number(const char* kind, const SarPortOption* o, double* out, SarError* err) {
  double x;
  if (o->length < 0) return SAR_OK;
  if (!sar_text_to_double(o->value, (size_t)o->length, &x) || !(x > 0 && x < 1e9)) {
    sar_report(err, (SarLoc){0}, "", "--%s: %s=%.*s: expected a number larger than 0", kind, o->key,
               o->length, o->value);
    return SAR_BAD_ARGUMENT;
  }
  *out = x;
  return SAR_OK;
}

static bool is_word(const SarPortOption* o, const char* word) {
  return (int)strlen(word) == o->length && memcmp(word, o->value, (size_t)o->length) == 0;
}

SarStatus sar_port_word(const char* kind, const SarPortOption* o, const char* first,
                        const char* second, bool* is_second, SarError* err) {
  *is_second = false;
  if (o->length < 0 || is_word(o, first)) return SAR_OK;
  *is_second = is_word(o, second);
  if (*is_second) return SAR_OK;
  sar_report(err, (SarLoc){0}, "", "--%s: %s=%.*s: expected %s or %s", kind, o->key, o->length,
             o->value, first, second);
  return SAR_BAD_ARGUMENT;
}
