// Lines of the description: text with columns, cut off at the width. Private to describe*.c.
#pragma once
#include "output/describe.h"

enum { PAGE_WIDEST = 200 };

typedef struct Page {
  const SarModel* m;
  SarDescribeOptions o;
  SarDescribeLine* emit;
  void* context;
  char text[4 * PAGE_WIDEST + 8];  // the line in progress, UTF-8
  int bytes, column;
} Page;

// Adds text; what does not fit is dropped and marked by an ellipsis.
void sar_page_add(Page* p, const char* text);
void sar_page_addf(Page* p, const char* format, ...) __attribute__((format(printf, 2, 3)));
// Adds text shortened to `most` characters.
void sar_page_clip(Page* p, const char* text, int most);
// Spaces up to a column; at least one if something stands there already.
void sar_page_tab(Page* p, int column);
void sar_page_end(Page* p);  // hands the line over and begins the next
// Words of a sentence that runs over several lines, each indented by `indent`.
void sar_page_word(Page* p, const char* word, int indent);
int sar_page_columns(const char* text);  // characters of UTF-8

static inline const char* sar_page_glyph(const Page* p, const char* box, const char* ascii) {
  return p->o.ascii ? ascii : box;
}

// Rows of a list under a title: all of a few, the first and the last of many.
void sar_page_rows(Page* p, const char* title, int n, void (*row)(Page*, int));
// Room for the longest of n names, within reason.
int sar_page_width_of(const Page* p, int n, const char* (*name)(const SarModel*, int));

void sar_describe_tree(Page* p);
void sar_describe_contact(Page* p);
