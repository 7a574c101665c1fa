// What is around the picture of a mechanism: axes or a scale, and names.
#include "cli/canvas.h"

#ifdef SARRUS_HAVE_CAIRO
#include "cli/canvas_parts.h"

#include <math.h>

// Colours of paths: those of curves (Okabe and Ito 2008), darker than the bodies.
static const unsigned paths[] = {0xd55e00, 0x0072b2, 0x009e73, 0xcc79a7, 0x8c6d31, 0x444444};
enum { PATHS = (int)(sizeof paths / sizeof *paths) };

unsigned canvas_path_color(int i) { return paths[i % PATHS]; }

void canvas_color(cairo_t* cr, unsigned c, double alpha) {
  cairo_set_source_rgba(cr, (c >> 16 & 0xff) / 255.0, (c >> 8 & 0xff) / 255.0, (c & 0xff) / 255.0,
                        alpha);
}

void canvas_font(cairo_t* cr, double size, bool bold) {
  cairo_select_font_face(cr, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                         bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(cr, size);
}

static double width_of(cairo_t* cr, const char* text) {
  cairo_text_extents_t e;
  cairo_text_extents(cr, text, &e);
  return e.x_advance;
}

void canvas_text(cairo_t* cr, double x, double y, double align, const char* text) {
  cairo_move_to(cr, x - align * width_of(cr, text), y);
  cairo_show_text(cr, text);
}

// ---- names below --------------------------------------------------------------------------------

typedef struct KeyEntry {
  const char* text;
  unsigned color;
  bool arrow;
} KeyEntry;

static int key_entries(const Canvas* c, KeyEntry* entry, char* forces, size_t size) {
  int n = 0;
  for (int i = 0; i < c->film->traces && c->film->poses > 0; i++)
    entry[n++] = (KeyEntry){c->film->trace[i].name, canvas_path_color(i), false};
  if (!c->o->forces) return n;
  const FilmPose* last = &c->film->pose[c->film->poses - 1];
  for (SarArrowKind kind = SAR_ARROW_CONTACT; kind <= SAR_ARROW_APPLIED; kind++) {
    double most = -1;
    for (int i = 0; i < last->arrows; i++)
      if (last->arrow[i].kind == kind) most = fmax(most, v3_norm(last->arrow[i].force));
    if (most < 0) continue;
    char* text = forces + (kind == SAR_ARROW_CONTACT ? 0 : size / 2);
    snprintf(text, size / 2, "%s, up to %.3g N",
             kind == SAR_ARROW_CONTACT ? "contact forces" : "applied forces", most);
    entry[n++] = (KeyEntry){text, kind == SAR_ARROW_CONTACT ? 0xd0342c : 0x1f7a4d, true};
  }
  return n;
}

double canvas_key(Canvas* c, double top, bool draw) {
  enum { SWATCH = 26, GAP = 24, LINE = 22 };
  KeyEntry entry[FILM_MOST_TRACES + 2];
  char forces[160];
  const int n = key_entries(c, entry, forces, sizeof forces);
  if (n == 0) return 0;
  canvas_font(c->cr, CANVAS_SMALL, false);
  const double room = c->width - 2 * GAP;
  double x = 0, y = top + LINE;
  for (int i = 0; i < n; i++) {
    const double wide = SWATCH + width_of(c->cr, entry[i].text) + GAP;
    if (x > 0 && x + wide - GAP > room) x = 0, y += LINE;
    if (draw) {
      canvas_color(c->cr, entry[i].color, 1);
      cairo_set_line_width(c->cr, entry[i].arrow ? 3 : 2);
      cairo_move_to(c->cr, GAP + x, y - 4.5);
      cairo_line_to(c->cr, GAP + x + SWATCH - 7, y - 4.5);
      cairo_stroke(c->cr);
      canvas_color(c->cr, 0x222222, 1);
      canvas_text(c->cr, GAP + x + SWATCH, y, 0, entry[i].text);
    }
    x += wide;
  }
  return y + 10 - top;
}

// ---- axes and scale -----------------------------------------------------------------------------

static void put_number(char* text, size_t size, double x, double step) {
  snprintf(text, size, "%g", fabs(x) < 1e-9 * step ? 0 : x);
}

// The distance of ticks: far enough for their numbers.
static double tick_step(Canvas* c, bool across) {
  const double scale = c->stage.camera.scale;
  double step = sar_round_number((across ? 70 : 45) / scale);
  for (int tries = 0; across && tries < 6; tries++) {
    char text[40];
    double widest = 0;
    const double from = (c->left - c->stage.camera.x0) / scale;
    for (int side = 0; side < 2; side++) {
      put_number(text, sizeof text, step * ceil((from + side * c->wide / scale) / step), step);
      widest = fmax(widest, width_of(c->cr, text));
    }
    put_number(text, sizeof text, step * ceil(from / step) + step, step);
    widest = fmax(widest, width_of(c->cr, text));
    if (widest + 14 < step * scale) break;
    step = sar_round_number(step * 1.5);
  }
  return step;
}

static void put_ticks(Canvas* c, bool across, bool grid) {
  const SarCamera* cam = &c->stage.camera;
  canvas_font(c->cr, CANVAS_SMALL, false);
  const double step = tick_step(c, across);
  const double low =
      across ? (c->left - cam->x0) / cam->scale : (cam->y0 - c->top - c->high) / cam->scale;
  const double length = (across ? c->wide : c->high) / cam->scale;
  for (double k = ceil(low / step - 1e-9); k * step <= low + length * (1 + 1e-9); k++) {
    const double at = across ? cam->x0 + cam->scale * k * step : cam->y0 - cam->scale * k * step;
    char text[40];
    put_number(text, sizeof text, k * step, step);
    if (grid) {
      canvas_color(c->cr, 0xececec, 1);
      cairo_set_line_width(c->cr, 1);
      cairo_move_to(c->cr, across ? at : c->left, across ? c->top : at);
      cairo_line_to(c->cr, across ? at : c->left + c->wide, across ? c->top + c->high : at);
      cairo_stroke(c->cr);
      continue;
    }
    canvas_color(c->cr, 0x444444, 1);
    if (across)
      canvas_text(c->cr, at, c->top + c->high + 18, 0.5, text);
    else
      canvas_text(c->cr, c->left - 8, at + 4.5, 1, text);
  }
}

static void put_axes(Canvas* c) {
  cairo_t* cr = c->cr;
  put_ticks(c, true, false);
  put_ticks(c, false, false);
  canvas_color(cr, 0xaaaaaa, 1);
  cairo_set_line_width(cr, 1);
  cairo_rectangle(cr, c->left, c->top, c->wide, c->high);
  cairo_stroke(cr);
  canvas_color(cr, 0x222222, 1);
  canvas_text(cr, c->left + 0.5 * c->wide, c->top + c->high + 38, 0.5, c->o->axis_label[0]);
  cairo_save(cr);
  cairo_translate(cr, 20, c->top + 0.5 * c->high);
  cairo_rotate(cr, -1.5707963267948966);
  canvas_text(cr, 0, 0, 0.5, c->o->axis_label[1]);
  cairo_restore(cr);
}

// The directions of the ground's axes, and a length.
static void put_scale(Canvas* c) {
  const SarCamera* cam = &c->stage.camera;
  cairo_t* cr = c->cr;
  const double y = c->top + c->high + 22, length = sar_round_number(60 / cam->scale);
  char text[40];
  snprintf(text, sizeof text, "%g m", length);
  canvas_font(cr, CANVAS_SMALL, false);
  canvas_color(cr, 0x333333, 1);
  cairo_set_line_width(cr, 2);
  const double x1 = c->left + c->wide, x0 = x1 - length * cam->scale;
  cairo_move_to(cr, x0, y - 5);
  cairo_line_to(cr, x0, y);
  cairo_line_to(cr, x1, y);
  cairo_line_to(cr, x1, y - 5);
  cairo_stroke(cr);
  canvas_text(cr, x0 - 8, y, 1, text);
  const double ox = c->left + 26, oy = y - 8;
  static const char* const name[] = {"x", "y", "z"};
  static const unsigned color[] = {0xb03a2e, 0x1e8449, 0x2e5fa3};
  for (int k = 0; k < 3; k++) {
    const V3 e = v3(k == 0, k == 1, k == 2);
    const double dx = 24 * v3_dot(e, cam->right), dy = -24 * v3_dot(e, cam->up);
    canvas_color(cr, color[k], 1);
    cairo_move_to(cr, ox, oy);
    cairo_line_to(cr, ox + dx, oy + dy);
    cairo_stroke(cr);
    const double size = hypot(dx, dy);
    if (size > 6)
      canvas_text(cr, ox + dx * (1 + 9 / size), oy + dy * (1 + 9 / size) + 4.5, 0.5, name[k]);
  }
}

bool canvas_has_axes(const Canvas* c) { return c->o->axis_label[0] != NULL; }

void canvas_grid(Canvas* c) {
  if (!canvas_has_axes(c)) return;
  put_ticks(c, true, true);
  put_ticks(c, false, true);
}

void canvas_frame(Canvas* c) {
  if (canvas_has_axes(c))
    put_axes(c);
  else
    put_scale(c);
}

#endif
