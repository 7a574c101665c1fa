// The self-contained file (html.h).
#include "view/html.h"

#include <string.h>

// RFC 4648, with padding.
static void base64(FILE* out, const unsigned char* p, size_t n) {
  static const char DIGIT[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < n; i += 3) {
    const unsigned b = i + 1 < n ? p[i + 1] : 0, c = i + 2 < n ? p[i + 2] : 0;
    const unsigned v = (unsigned)p[i] << 16 | b << 8 | c;
    const char four[4] = {DIGIT[v >> 18], DIGIT[v >> 12 & 63], i + 1 < n ? DIGIT[v >> 6 & 63] : '=',
                          i + 2 < n ? DIGIT[v & 63] : '='};
    fwrite(four, 1, 4, out);
  }
}

// No name can end the script: every < of the JSON is within a text.
static void escaped(FILE* out, const char* text, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (text[i] == '<')
      fputs("\\u003c", out);
    else
      fputc(text[i], out);
}

bool sar_view_html(FILE* out, const char* page, const SarReplay* r) {
  const char* head = strstr(page, "</head>");
  if (!head) return false;
  fwrite(page, 1, (size_t)(head - page), out);
  fputs("<script id=\"sarrus-data\" type=\"application/json\">{\"scene\": ", out);
  escaped(out, r->scene.text, r->scene.size);
  fputs(", \"runs\": [", out);
  for (int i = 0; i < r->runs; i++) {
    fputs(i ? ",\"" : "\"", out);
    base64(out, (const unsigned char*)r->frames[i].text, r->frames[i].size);
    fputc('"', out);
  }
  fputs("]}</script>\n", out);
  fputs(head, out);
  return !ferror(out);
}
