// Text helpers. Edit distance counts a transposition of neighbours as one error, as typing does.
#include "base/text.h"
#include "base/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 64 };  // names longer than this are compared by their first 64 characters

static int min3(int a, int b, int c) {
  int m = a < b ? a : b;
  return m < c ? m : c;
}

// optimal string alignment distance
static int edit_distance(const char* a, const char* b) {
  int n = (int)strnlen(a, LONGEST), m = (int)strnlen(b, LONGEST);
  int rows[3][LONGEST + 1];
  int *before = rows[0], *last = rows[1], *now = rows[2];
  for (int j = 0; j <= m; j++) last[j] = j;
  for (int i = 1; i <= n; i++) {
    now[0] = i;
    for (int j = 1; j <= m; j++) {
      int cost = a[i - 1] != b[j - 1];
      now[j] = min3(last[j] + 1, now[j - 1] + 1, last[j - 1] + cost);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
          before[j - 2] + 1 < now[j])
        now[j] = before[j - 2] + 1;
    }
    int* spare = before;
    before = last;
    last = now;
    now = spare;
  }
  return last[m];
}

const char* sar_text_nearest(const char* word, const char* const* candidates, int count) {
  int allowed = 1 + (int)strnlen(word, LONGEST) / 3;
  const char* best = NULL;
  for (int i = 0; i < count; i++) {
    if (!candidates[i]) continue;
    int d = edit_distance(word, candidates[i]);
    if (d <= allowed && d < (int)strlen(candidates[i])) {
      best = candidates[i];
      allowed = d - 1;  // only a nearer one may replace it, so the first of equals wins
    }
  }
  return best;
}

const char* sar_text_meant(const char* word, const char* const* candidates, int count) {
  const char* near = sar_text_nearest(word, candidates, count);
  const int allowed = strnlen(word, LONGEST) < 8 ? 1 : 2;
  return near && edit_distance(word, near) <= allowed ? near : NULL;
}

const char* sar_text_suggest(char* buf, size_t size, const char* word,
                             const char* const* candidates, int count) {
  const char* near = sar_text_nearest(word, candidates, count);
  if (near)
    sar_snprintf(buf, size, "did you mean '%s'?", near);
  else if (size)
    buf[0] = '\0';
  return buf;
}

const char* sar_text_offer(char* buf, size_t size, const char* word, const char* const* candidates,
                           int count) {
  if (sar_text_suggest(buf, size, word, candidates, count)[0] || count == 0) return buf;
  size_t used = (size_t)sar_snprintf(buf, size, "expected ");
  for (int i = 0; i < count && used < size; i++) {
    if (used + strlen(candidates[i]) + 8 > size) {  // room for ", " and the dots
      sar_snprintf(buf + used, size - used, ", ...");
      break;
    }
    used += (size_t)sar_snprintf(buf + used, size - used, "%s%s", i ? ", " : "", candidates[i]);
  }
  return buf;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// One step back to the last * is enough: what an earlier one has matched need never be looked at
// again.
bool sar_text_matches(const char* text, const char* pattern) {
  const char *star = NULL, *resume = NULL;
  while (*text) {
    if (*pattern == '*') {
      star = ++pattern;
      resume = text;
    } else if (*pattern == '?' || *pattern == *text) {
      pattern++;
      text++;
    } else if (star) {
      pattern = star;
      text = ++resume;
    } else {
      return false;
    }
  }
  while (*pattern == '*') pattern++;
  return *pattern == '\0';
}

int sar_text_compare_natural(const char* a, const char* b) {
  const char *p = a, *q = b;
  while (*p && *q) {
    if (is_digit(*p) && is_digit(*q)) {
      while (*p == '0') p++;
      while (*q == '0') q++;
      size_t n = 0, m = 0;
      while (is_digit(p[n])) n++;
      while (is_digit(q[m])) m++;
      if (n != m) return n < m ? -1 : 1;
      int c = memcmp(p, q, n);
      if (c) return c;
      p += n;
      q += m;
    } else {
      if (*p != *q) return (unsigned char)*p < (unsigned char)*q ? -1 : 1;
      p++;
      q++;
    }
  }
  if (*p || *q) return *p ? 1 : -1;
  return strcmp(a, b);  // "a01" and "a1": equal as numbers, still two names
}

bool sar_text_to_double(const char* text, size_t n, double* out) {
  char copy[128];
  if (n == 0 || n >= sizeof copy) return false;
  memcpy(copy, text, n);
  copy[n] = '\0';
  char* end = NULL;
  double x = sar_strtod(copy, &end);
  if (end != copy + n || copy[0] == ' ') return false;
  *out = x;
  return true;
}
