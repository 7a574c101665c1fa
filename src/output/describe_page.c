// Lines of the description.
#include "output/describe_page.h"
#include "base/print.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ROWS = 12, SHOWN_FIRST = 5 };

// continuation bytes of UTF-8 do not count
static bool begins_character(char c) { return ((unsigned char)c & 0xC0) != 0x80; }

int sar_page_columns(const char* text) {
  int n = 0;
  for (; *text; text++) n += begins_character(*text);
  return n;
}

// bytes of the first n characters
static int prefix_bytes(const char* text, int n) {
  int i = 0;
  for (; text[i]; i++)
    if (begins_character(text[i]) && n-- == 0) break;
  return i;
}

static void put(Page* p, const char* text, int bytes) {
  if (bytes > (int)sizeof p->text - 1 - p->bytes) bytes = (int)sizeof p->text - 1 - p->bytes;
  memcpy(p->text + p->bytes, text, (size_t)bytes);
  p->bytes += bytes;
  p->text[p->bytes] = '\0';
}

void sar_page_clip(Page* p, const char* text, int most) {
  int n = sar_page_columns(text);
  const char* dots = sar_page_glyph(p, "…", "~");
  if (most > p->o.width - p->column) most = p->o.width - p->column;
  if (most <= 0) return;
  if (n <= most) {
    put(p, text, (int)strlen(text));
    p->column += n;
    return;
  }
  put(p, text, prefix_bytes(text, most - 1));
  put(p, dots, (int)strlen(dots));
  p->column += most;
}

void sar_page_add(Page* p, const char* text) { sar_page_clip(p, text, PAGE_WIDEST); }

void sar_page_addf(Page* p, const char* format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  sar_vsnprintf(text, sizeof text, format, args);
  va_end(args);
  sar_page_add(p, text);
}

void sar_page_tab(Page* p, int column) {
  if (p->column > 0 && p->column >= column) column = p->column + 1;
  while (p->column < column && p->column < p->o.width) {
    put(p, " ", 1);
    p->column++;
  }
}

void sar_page_end(Page* p) {
  while (p->bytes > 0 && p->text[p->bytes - 1] == ' ') p->text[--p->bytes] = '\0';
  p->emit(p->context, p->text);
  p->bytes = p->column = 0;
  p->text[0] = '\0';
}

void sar_page_word(Page* p, const char* word, int indent) {
  int n = sar_page_columns(word);
  if (p->column > indent && p->column + 1 + n > p->o.width) sar_page_end(p);
  if (p->column == 0)
    sar_page_tab(p, indent);
  else if (p->column > indent)
    sar_page_add(p, " ");
  sar_page_add(p, word);
}

void sar_page_rows(Page* p, const char* title, int n, void (*row)(Page*, int)) {
  if (n == 0) return;
  sar_page_end(p);
  sar_page_add(p, title);
  sar_page_end(p);
  for (int i = 0; i < n; i++) {
    if (n > MOST_ROWS && i == SHOWN_FIRST && !p->o.full) {
      sar_page_addf(p, "  %s  %d more", sar_page_glyph(p, "⋮", ":"), n - SHOWN_FIRST - 1);
      sar_page_end(p);
      i = n - 1;
    }
    row(p, i);
    sar_page_end(p);
  }
}

int sar_page_width_of(const Page* p, int n, const char* (*name)(const SarModel*, int)) {
  int width = 8;
  for (int i = 0; i < n; i++) {
    int columns = sar_page_columns(name(p->m, i));
    if (columns > width) width = columns;
  }
  return width > 28 ? 28 : width;
}
