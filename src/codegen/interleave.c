// Lines in turn (interleave.h).
#include "codegen/interleave.h"

enum { MOST = 8 };

static int line_end(const SarWriter* w, int at) {
  while (at < w->text.count && w->text.items[at] != '\n') at++;
  return at < w->text.count ? at + 1 : at;
}

static int count_lines(const SarWriter* w) {
  int lines = 0;
  for (int at = 0; at < w->text.count; at = line_end(w, at)) lines++;
  return lines;
}

// The next line is of the text of which the least part is written.
void sar_interleave(SarWriter* out, int n, const SarWriter* text) {
  int at[MOST] = {0}, done[MOST] = {0}, lines[MOST];
  for (int i = 0; i < n; i++) lines[i] = count_lines(&text[i]);
  for (;;) {
    int next = -1;
    for (int i = 0; i < n; i++)
      if (done[i] < lines[i] &&
          (next < 0 || (long)done[i] * lines[next] < (long)done[next] * lines[i]))
        next = i;
    if (next < 0) return;
    const int end = line_end(&text[next], at[next]);
    sar_write(out, "%.*s", end - at[next], text[next].text.items + at[next]);
    at[next] = end;
    done[next]++;
  }
}
