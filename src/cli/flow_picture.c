// A chart of the solution flow: independent coordinates, loop after loop, then velocities,
// accelerations and the integration back to the independent ones (Figs. 2 and 6 of Uchida and
// McPhee 2012).
//
// Loops stand in rows; those of one level do not need each other. Lines run between the boxes: down
// the channel to the left of the box they lead to.
#include "cli/flow.h"

#include "cli/surface.h"

#ifdef SARRUS_HAVE_CAIRO
#include "cli/canvas_parts.h"

#include <math.h>
#include <string.h>

enum {
  BOX = 300,   // wide
  GAP = 46,    // between boxes
  EDGE = 26,   // around everything
  LINE = 18,   // of letters
  PAD = 10,    // around letters
  ACROSS = 4,  // boxes in a row
  MOST_LINES = 14,
  TEXT = 600
};

static const unsigned PAPER = 0xffffff, INK = 0x222222, DATA = 0xdce8f6, STEP = 0xf2f2f2;

typedef struct Box {
  double x, y, wide, high;
} Box;

typedef struct Chart {
  const SarFlowReport* r;
  const char* title;
  cairo_t* cr;
  int columns, rows;
  int *row, *column;  // of each loop
  double* top;        // of each row, and the end of the last
  Box *loop, given, frame, step[3];
  double width, height;
} Chart;

// ---- letters in boxes ---------------------------------------------------------------------------

typedef struct Lines {
  int count;
  char text[MOST_LINES][TEXT];
  bool bold[MOST_LINES];
} Lines;

static double width_of(cairo_t* cr, const char* text) {
  cairo_text_extents_t e;
  cairo_text_extents(cr, text, &e);
  return e.x_advance;
}

// Words into lines no wider than `wide`; the last one ends in dots where there is no room.
static void put_words(cairo_t* cr, Lines* l, const char* text, double wide, bool bold) {
  char line[TEXT] = "";
  canvas_font(cr, CANVAS_SMALL, bold);
  while (*text && l->count < MOST_LINES) {
    const size_t n = strcspn(text, " ") + strspn(text + strcspn(text, " "), " ");
    char tried[2 * TEXT];
    snprintf(tried, sizeof tried, "%s%.*s", line, (int)(n < TEXT ? n : TEXT - 1), text);
    if (line[0] && width_of(cr, tried) > wide) {
      l->bold[l->count] = bold;
      snprintf(l->text[l->count++], TEXT, "%s", line);
      snprintf(line, sizeof line, "   %.*s", (int)(n < TEXT - 8 ? n : TEXT - 8), text);
    } else {
      snprintf(line, sizeof line, "%.*s", TEXT - 1, tried);
    }
    text += n;
  }
  if (l->count == MOST_LINES)
    snprintf(l->text[MOST_LINES - 1], TEXT, "   ...");
  else if (line[0])
    l->bold[l->count] = bold, snprintf(l->text[l->count++], TEXT, "%s", line);
}

static void join(char* out, size_t size, const char* head, const char* const* name, int count) {
  snprintf(out, size, "%s", head);
  for (int i = 0; i < count; i++) {
    const size_t used = strlen(out);
    snprintf(out + used, size - used, "%s%s", i ? ", " : "", name[i]);
  }
}

// "triangular: degrees 2, 1, 1, 1; 86 terms, up to 2 digits" or why it is not
static void tell_how(const SarFlowLoop* k, char* out, size_t size) {
  if (k->polynomials == 0) {
    snprintf(out, size, "%s: %s", k->kind, k->reason);
    return;
  }
  snprintf(out, size, "triangular: degrees");
  for (int i = 0; i < k->polynomials; i++) {
    const size_t used = strlen(out);
    snprintf(out + used, size - used, "%s %d", i ? "," : "", k->polynomial[i].degree);
  }
  int terms = 0, digits = 0;
  for (int i = 0; i < k->polynomials; i++) {
    terms += k->polynomial[i].terms;
    if (k->polynomial[i].digits > digits) digits = k->polynomial[i].digits;
  }
  const size_t used = strlen(out);
  snprintf(out + used, size - used, "; %d terms, up to %d digits", terms, digits);
}

static void tell_loop(Chart* c, int which, Lines* l) {
  const SarFlowLoop* k = &c->r->loop[which];
  char head[32], text[4 * TEXT];
  const double wide = BOX - 2 * PAD;
  l->count = 0;
  snprintf(head, sizeof head, "%d. ", which + 1);
  join(text, sizeof text, head, k->constraint, k->constraints);
  put_words(c->cr, l, text, wide, true);
  join(text, sizeof text, "known: ", k->known, k->knowns);
  if (k->knowns > 0) put_words(c->cr, l, text, wide, false);
  join(text, sizeof text, "found: ", k->unknown, k->unknowns);
  put_words(c->cr, l, text, wide, false);
  tell_how(k, text, sizeof text);
  put_words(c->cr, l, text, wide, false);
}

static void tell_given(Chart* c, double wide, Lines* l) {
  char text[4 * TEXT];
  l->count = 0;
  put_words(c->cr, l, "independent coordinates and time", wide - 2 * PAD, true);
  join(text, sizeof text, "", c->r->independent, c->r->independents);
  if (c->r->independents > 0) put_words(c->cr, l, text, wide - 2 * PAD, false);
}

static double height_of(const Lines* l) { return l->count * LINE + 2 * PAD; }

// ---- where everything goes ----------------------------------------------------------------------

// A level begins a new row.
static void place_loops(Chart* c) {
  int row = -1, column = 0;
  for (int level = 0; level < c->r->levels; level++) {
    row++, column = 0;
    for (int i = 0; i < c->r->loops; i++) {
      if (c->r->loop[i].level != level) continue;
      if (column == ACROSS) row++, column = 0;
      c->row[i] = row, c->column[i] = column++;
      if (column > c->columns) c->columns = column;
    }
  }
  c->rows = row + 1;
}

static void lay_out(Chart* c) {
  Lines l = {0};
  place_loops(c);
  if (c->columns < 2) c->columns = 2;  // the steps below need as much
  const double wide = c->columns * BOX + (c->columns + 1) * (double)GAP;
  c->width = wide + 2 * EDGE + 40;
  c->frame.x = EDGE, c->frame.wide = wide;
  tell_given(c, wide, &l);
  c->given = (Box){EDGE, EDGE + 34, wide, height_of(&l)};
  c->frame.y = c->given.y + c->given.high + GAP;
  double y = c->frame.y + LINE + PAD + GAP;
  for (int row = 0; row < c->rows; row++) {
    double high = 0;
    c->top[row] = y;
    for (int i = 0; i < c->r->loops; i++) {
      if (c->row[i] != row) continue;
      tell_loop(c, i, &l);
      c->loop[i] = (Box){EDGE + GAP + c->column[i] * (double)(BOX + GAP), y, BOX, height_of(&l)};
      high = fmax(high, c->loop[i].high);
    }
    y += high + GAP;
  }
  c->frame.high = (c->rows ? y : c->frame.y + LINE + 2 * PAD) - c->frame.y;
  y = c->frame.y + c->frame.high + GAP;
  for (int i = 0; i < 3; i++, y += 2 * PAD + LINE + 0.7 * GAP)
    c->step[i] = (Box){EDGE, y, wide, 2 * PAD + LINE};
  c->height = y;
}

// ---- drawing ------------------------------------------------------------------------------------

static void put_box(Chart* c, const Box* b, unsigned fill, const Lines* l) {
  cairo_rectangle(c->cr, b->x, b->y, b->wide, b->high);
  canvas_color(c->cr, fill, 1);
  cairo_fill_preserve(c->cr);
  canvas_color(c->cr, 0x888888, 1);
  cairo_set_line_width(c->cr, 1);
  cairo_stroke(c->cr);
  canvas_color(c->cr, INK, 1);
  for (int i = 0; i < l->count; i++) {
    canvas_font(c->cr, CANVAS_SMALL, l->bold[i]);
    canvas_text(c->cr, b->x + PAD, b->y + PAD + (i + 1) * LINE - 5, 0, l->text[i]);
  }
}

static void put_point(Chart* c, double x, double y) {  // of an arrow that goes down
  cairo_move_to(c->cr, x, y);
  cairo_line_to(c->cr, x - 4, y - 9);
  cairo_line_to(c->cr, x + 4, y - 9);
  cairo_close_path(c->cr);
  cairo_fill(c->cr);
}

// From a box to the top of another one: through the gap between their rows, or else down the
// channel beside it. Lines from different boxes lie apart.
static void put_arrow(Chart* c, const Box* from, const Box* to, int lane, bool next) {
  const double shift = 5.0 * (lane % 6), channel = to->x - 12 - shift;
  const double in = to->x + 40 + 12.0 * (lane % 18), above = to->y - 14 - 0.5 * shift;
  const double x0 = from->wide > BOX ? channel : from->x + 0.5 * from->wide;
  canvas_color(c->cr, from->wide > BOX ? 0x6a8fbf : 0x555555, 1);
  cairo_set_line_width(c->cr, 1.3);
  cairo_move_to(c->cr, x0, from->y + from->high);
  if (!next) {
    cairo_line_to(c->cr, x0, from->y + from->high + 8 + shift);
    cairo_line_to(c->cr, channel, from->y + from->high + 8 + shift);
    cairo_line_to(c->cr, channel, above);
  } else {
    cairo_line_to(c->cr, x0, above);
  }
  cairo_line_to(c->cr, in, above);
  cairo_line_to(c->cr, in, to->y - 6);
  cairo_stroke(c->cr);
  put_point(c, in, to->y);
}

static void put_arrows(Chart* c) {
  for (int i = 0; i < c->r->loops; i++) {
    const SarFlowLoop* k = &c->r->loop[i];
    bool given = k->knowns == 0;
    for (int b = 0; b < k->knowns; b++) given = given || k->from[b] < 0;
    if (given) put_arrow(c, &c->given, &c->loop[i], 0, false);
    for (int b = 0; b < i; b++) {
      bool needed = false;
      for (int n = 0; n < k->knowns; n++) needed = needed || k->from[n] == b;
      if (needed) put_arrow(c, &c->loop[b], &c->loop[i], 1 + b, c->row[i] == c->row[b] + 1);
    }
  }
}

static void put_down(Chart* c, const Box* from, const Box* to) {
  const double x = from->x + 0.5 * from->wide;
  canvas_color(c->cr, 0x555555, 1);
  cairo_set_line_width(c->cr, 1.6);
  cairo_move_to(c->cr, x, from->y + from->high);
  cairo_line_to(c->cr, x, to->y - 6);
  cairo_stroke(c->cr);
  put_point(c, x, to->y);
}

// The integration's way back, on the right.
static void put_return(Chart* c) {
  const double x = c->given.x + c->given.wide, out = x + 26;
  const double low = c->step[2].y + 0.5 * c->step[2].high, high = c->given.y + 0.5 * c->given.high;
  cairo_move_to(c->cr, x, low);
  cairo_line_to(c->cr, out, low);
  cairo_line_to(c->cr, out, high);
  cairo_line_to(c->cr, x + 6, high);
  cairo_stroke(c->cr);
  cairo_move_to(c->cr, x, high);
  cairo_line_to(c->cr, x + 9, high - 4);
  cairo_line_to(c->cr, x + 9, high + 4);
  cairo_close_path(c->cr);
  cairo_fill(c->cr);
}

static unsigned fill_of(const char* kind) {
  return strcmp(kind, "triangular") == 0 ? 0xddf0dc : strcmp(kind, "newton") == 0 ? 0xfbe3cf : STEP;
}

static void put_frame(Chart* c) {
  char text[80];
  const Lines none = {0};
  snprintf(text, sizeof text, "dependent coordinates: %s", c->r->verdict);
  put_box(c, &c->frame, 0xfafafa, &none);
  canvas_font(c->cr, CANVAS_SMALL, true);
  canvas_text(c->cr, c->frame.x + GAP, c->frame.y + PAD + LINE - 5, 0, text);
}

static void draw(Chart* c) {
  static const char* const steps[] = {
      "velocities:  q' = B qi' + C,   B = [-Φd\u207b\u00b9 Φi; 1],   C = [-Φd\u207b\u00b9 Φt; 0]",
      "accelerations:  qi'' = (B\u1d40 M B)\u207b\u00b9 {B\u1d40 F - B\u1d40 M (B' qi' + C')}",
      "integration of qi'', qi'"};
  Lines l = {0};
  canvas_color(c->cr, PAPER, 1);
  cairo_paint(c->cr);
  canvas_font(c->cr, CANVAS_LARGE, true);
  canvas_color(c->cr, INK, 1);
  canvas_text(c->cr, EDGE, EDGE + 14, 0, c->title);
  tell_given(c, c->given.wide, &l);
  put_box(c, &c->given, DATA, &l);
  put_frame(c);
  put_arrows(c);
  for (int i = 0; i < c->r->loops; i++) {
    tell_loop(c, i, &l);
    put_box(c, &c->loop[i], fill_of(c->r->loop[i].kind), &l);
  }
  for (int i = 0; i < 3; i++) {
    l = (Lines){.count = 1};
    snprintf(l.text[0], TEXT, "%s", steps[i]);
    put_down(c, i ? &c->step[i - 1] : &c->frame, &c->step[i]);
    put_box(c, &c->step[i], STEP, &l);
  }
  canvas_color(c->cr, 0x555555, 1);
  put_return(c);
}

SarStatus flow_draw(const SarFlowReport* r, const char* path, SarError* err) {
  const size_t n = (size_t)r->loops + 1;
  Chart c = {.r = r, .title = r->name};
  c.row = sar_alloc(n * sizeof *c.row), c.column = sar_alloc(n * sizeof *c.column);
  c.top = sar_alloc(n * sizeof *c.top), c.loop = sar_alloc(n * sizeof *c.loop);
  SarStatus st = c.row && c.column && c.top && c.loop ? SAR_OK : SAR_NO_MEMORY;
  if (st == SAR_OK) {
    Surface on;
    surface_measure(&on);
    c.cr = on.cr;
    lay_out(&c);
    surface_drop(&on);
    surface_begin(&on, path, (int)ceil(c.width), (int)ceil(c.height));
    c.cr = on.cr;
    draw(&c);
    st = surface_end(&on, SAR_OK, err);
  }
  sar_free(c.row), sar_free(c.column), sar_free(c.top), sar_free(c.loop);
  return st;
}

#else

SarStatus flow_draw(const SarFlowReport* r, const char* path, SarError* err) {
  (void)r;
  return surface_check(path, err);
}

#endif
