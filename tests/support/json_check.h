// Is a text JSON? A reader of its own for tests (RFC 8259), which shares nothing with what writes
// or reads it elsewhere.
#pragma once
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static const char* json_check_value(const char* p, int depth);

static inline const char* json_check_space(const char* p) {
  while (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t') p++;
  return p;
}

static inline const char* json_check_text(const char* p) {
  if (*p++ != '"') return NULL;
  for (; *p != '"'; p++) {
    if ((unsigned char)*p < 0x20) return NULL;
    if (*p != '\\') continue;
    p++;
    if (*p == 'u') {
      for (int i = 1; i <= 4; i++)
        if (!isxdigit((unsigned char)p[i])) return NULL;
      p += 4;
    } else if (!*p || !strchr("\"\\/bfnrt", *p)) {
      return NULL;
    }
  }
  return p + 1;
}

static inline const char* json_check_number(const char* p) {
  if (*p == '-') p++;
  if (!isdigit((unsigned char)*p)) return NULL;
  if (*p == '0' && isdigit((unsigned char)p[1])) return NULL;
  while (isdigit((unsigned char)*p)) p++;
  if (*p == '.') {
    if (!isdigit((unsigned char)*++p)) return NULL;
    while (isdigit((unsigned char)*p)) p++;
  }
  if (*p == 'e' || *p == 'E') {
    p++;
    if (*p == '+' || *p == '-') p++;
    if (!isdigit((unsigned char)*p)) return NULL;
    while (isdigit((unsigned char)*p)) p++;
  }
  return p;
}

static inline const char* json_check_items(const char* p, char end, int depth) {
  p = json_check_space(p + 1);
  if (*p == end) return p + 1;
  for (;;) {
    if (end == '}') {
      p = json_check_text(json_check_space(p));
      if (!p) return NULL;
      p = json_check_space(p);
      if (*p++ != ':') return NULL;
    }
    p = json_check_value(p, depth + 1);
    if (!p) return NULL;
    p = json_check_space(p);
    if (*p == end) return p + 1;
    if (*p++ != ',') return NULL;
  }
}

static inline const char* json_check_value(const char* p, int depth) {
  static const char* const WORDS[] = {"true", "false", "null"};
  p = json_check_space(p);
  if (depth > 100) return NULL;
  if (*p == '{') return json_check_items(p, '}', depth);
  if (*p == '[') return json_check_items(p, ']', depth);
  if (*p == '"') return json_check_text(p);
  for (int i = 0; i < 3; i++)
    if (strncmp(p, WORDS[i], strlen(WORDS[i])) == 0) return p + strlen(WORDS[i]);
  return json_check_number(p);
}

static inline bool json_is_valid(const char* text) {
  const char* end = json_check_value(text, 0);
  return end && *json_check_space(end) == '\0';
}
