// A picture of a film (canvas.h), drawn by cairo around layers of pixels (stage.h).
//
// From below: grid, ground, paths, poses from pale to full, arrows; around them axes or a scale, title, names.
// In SVG and PDF the layers are images of twice the resolution, lines and letters are lines and letters.
#include "cli/canvas.h"

#include "base/alloc.h"
#include "base/error.h"
#include "cli/stage.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#ifdef SARRUS_HAVE_CAIRO
#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>

enum {
  WIDTH = 1000,
  MOST_HEIGHT = 900,
  LEAST = 260,
  LINE = 22,
  TITLE = 40,
  SMALL = 13,
  LARGE = 16
};

// Colours of paths: those of curves (Okabe and Ito 2008), darker than the bodies.
static const unsigned paths[] = {0xd55e00, 0x0072b2, 0x009e73, 0xcc79a7, 0x8c6d31, 0x444444};
enum { PATHS = (int)(sizeof paths / sizeof *paths) };

typedef enum Format { NO_FORMAT, PNG, SVG, PDF } Format;

typedef struct Canvas {
  const Film* film;
  const CanvasOptions* o;
  Stage stage;
  cairo_t* cr;
  int width, height;
  double left, top, wide, high;  // of the field in which the mechanism is
  double key;                    // height of the lines of names below
  int dense;                     // pixels of layers for one of the canvas
} Canvas;

static Format format_of(const char* path) {
  const char* dot = strrchr(path, '.');
  static const char* const ending[] = {"", ".png", ".svg", ".pdf"};
  for (int i = PNG; dot && i <= PDF; i++)
    if (strcasecmp(dot, ending[i]) == 0) return (Format)i;
  return NO_FORMAT;
}

static void set_color(cairo_t* cr, unsigned c, double alpha) {
  cairo_set_source_rgba(cr, (c >> 16 & 0xff) / 255.0, (c >> 8 & 0xff) / 255.0, (c & 0xff) / 255.0,
                        alpha);
}

static void set_font(cairo_t* cr, double size, bool bold) {
  cairo_select_font_face(cr, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                         bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(cr, size);
}

static double width_of(cairo_t* cr, const char* text) {
  cairo_text_extents_t e;
  cairo_text_extents(cr, text, &e);
  return e.x_advance;
}

// At x, y: 0 from there to the right, 0.5 centred, 1 to the left of it.
static void put_text(cairo_t* cr, double x, double y, double align, const char* text) {
  cairo_move_to(cr, x - align * width_of(cr, text), y);
  cairo_show_text(cr, text);
}

// ---- names below ---------------------------------------------------------------------------------

typedef struct KeyEntry {
  const char* text;
  unsigned color;
  bool arrow;
} KeyEntry;

static int key_entries(const Canvas* c, KeyEntry* entry, char* forces, size_t size) {
  int n = 0;
  for (int i = 0; i < c->film->traces && c->film->poses > 0; i++)
    entry[n++] = (KeyEntry){c->film->trace[i].name, paths[i % PATHS], false};
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

// Entries one after the other, in lines, each as wide as fits. Returns the height; draws if asked to.
static double put_key(Canvas* c, double top, bool draw) {
  enum { SWATCH = 26, GAP = 24 };
  KeyEntry entry[FILM_MOST_TRACES + 2];
  char forces[160];
  const int n = key_entries(c, entry, forces, sizeof forces);
  if (n == 0) return 0;
  set_font(c->cr, SMALL, false);
  const double room = c->width - 2 * GAP;
  double x = 0, y = top + LINE;
  for (int i = 0; i < n; i++) {
    const double wide = SWATCH + width_of(c->cr, entry[i].text) + GAP;
    if (x > 0 && x + wide - GAP > room) x = 0, y += LINE;
    if (draw) {
      set_color(c->cr, entry[i].color, 1);
      cairo_set_line_width(c->cr, entry[i].arrow ? 3 : 2);
      cairo_move_to(c->cr, GAP + x, y - 4.5);
      cairo_line_to(c->cr, GAP + x + SWATCH - 7, y - 4.5);
      cairo_stroke(c->cr);
      set_color(c->cr, 0x222222, 1);
      put_text(c->cr, GAP + x + SWATCH, y, 0, entry[i].text);
    }
    x += wide;
  }
  return y + 10 - top;
}

// ---- where everything goes ---------------------------------------------------------------------

static bool has_axes(const Canvas* c) { return c->o->axis_label[0] != NULL; }

static void lay_out(Canvas* c) {
  const SarExtent e = stage_extent(&c->stage);
  const double left = has_axes(c) ? 72 : 18, right = 20, bottom = has_axes(c) ? 50 : 34;
  const double wide = fmax(e.right - e.left, 1e-9), high = fmax(e.top - e.bottom, 1e-9);
  c->left = left, c->top = TITLE;
  c->width = c->o->width ? c->o->width : WIDTH;
  c->key = put_key(c, 0, false);
  if (c->o->width) {
    c->height = c->o->height;
  } else {
    double field = (c->width - left - right) * high / wide;
    if (field > MOST_HEIGHT) {  // a tall one is narrower
      field = MOST_HEIGHT;
      c->width = (int)fmax(420, left + right + field * wide / high);
      c->key = put_key(c, 0, false);
    }
    c->height = (int)(TITLE + fmax(LEAST, field) + bottom + c->key);
  }
  c->wide = fmax(20, c->width - left - right);
  c->high = fmax(20, c->height - TITLE - bottom - c->key);
  const double rim = has_axes(c) ? 0.03 * fmin(c->wide, c->high) : 2;
  sar_camera_fit(&c->stage.camera, e, left + rim, c->top + rim, c->wide - 2 * rim,
                 c->high - 2 * rim);
}

// ---- axes and scale -------------------------------------------------------------------------------

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
  set_font(c->cr, SMALL, false);
  const double step = tick_step(c, across);
  const double low =
      across ? (c->left - cam->x0) / cam->scale : (cam->y0 - c->top - c->high) / cam->scale;
  const double length = (across ? c->wide : c->high) / cam->scale;
  for (double k = ceil(low / step - 1e-9); k * step <= low + length * (1 + 1e-9); k++) {
    const double at = across ? cam->x0 + cam->scale * k * step : cam->y0 - cam->scale * k * step;
    char text[40];
    put_number(text, sizeof text, k * step, step);
    if (grid) {
      set_color(c->cr, 0xececec, 1);
      cairo_set_line_width(c->cr, 1);
      cairo_move_to(c->cr, across ? at : c->left, across ? c->top : at);
      cairo_line_to(c->cr, across ? at : c->left + c->wide, across ? c->top + c->high : at);
      cairo_stroke(c->cr);
      continue;
    }
    set_color(c->cr, 0x444444, 1);
    if (across)
      put_text(c->cr, at, c->top + c->high + 18, 0.5, text);
    else
      put_text(c->cr, c->left - 8, at + 4.5, 1, text);
  }
}

static void put_axes(Canvas* c) {
  cairo_t* cr = c->cr;
  put_ticks(c, true, false);
  put_ticks(c, false, false);
  set_color(cr, 0xaaaaaa, 1);
  cairo_set_line_width(cr, 1);
  cairo_rectangle(cr, c->left, c->top, c->wide, c->high);
  cairo_stroke(cr);
  set_color(cr, 0x222222, 1);
  put_text(cr, c->left + 0.5 * c->wide, c->top + c->high + 38, 0.5, c->o->axis_label[0]);
  cairo_save(cr);
  cairo_translate(cr, 20, c->top + 0.5 * c->high);
  cairo_rotate(cr, -1.5707963267948966);
  put_text(cr, 0, 0, 0.5, c->o->axis_label[1]);
  cairo_restore(cr);
}

// The directions of the ground's axes, and a length.
static void put_scale(Canvas* c) {
  const SarCamera* cam = &c->stage.camera;
  cairo_t* cr = c->cr;
  const double y = c->top + c->high + 22, length = sar_round_number(60 / cam->scale);
  char text[40];
  snprintf(text, sizeof text, "%g m", length);
  set_font(cr, SMALL, false);
  set_color(cr, 0x333333, 1);
  cairo_set_line_width(cr, 2);
  const double x1 = c->left + c->wide, x0 = x1 - length * cam->scale;
  cairo_move_to(cr, x0, y - 5);
  cairo_line_to(cr, x0, y);
  cairo_line_to(cr, x1, y);
  cairo_line_to(cr, x1, y - 5);
  cairo_stroke(cr);
  put_text(cr, x0 - 8, y, 1, text);
  const double ox = c->left + 26, oy = y - 8;
  static const char* const name[] = {"x", "y", "z"};
  static const unsigned color[] = {0xb03a2e, 0x1e8449, 0x2e5fa3};
  for (int k = 0; k < 3; k++) {
    const V3 e = v3(k == 0, k == 1, k == 2);
    const double dx = 24 * v3_dot(e, cam->right), dy = -24 * v3_dot(e, cam->up);
    set_color(cr, color[k], 1);
    cairo_move_to(cr, ox, oy);
    cairo_line_to(cr, ox + dx, oy + dy);
    cairo_stroke(cr);
    const double size = hypot(dx, dy);
    if (size > 6)
      put_text(cr, ox + dx * (1 + 9 / size), oy + dy * (1 + 9 / size) + 4.5, 0.5, name[k]);
  }
}

// ---- the field --------------------------------------------------------------------------------------

static void put_paths(Canvas* c) {
  const Film* film = c->film;
  const double to = film->pose[film->poses - 1].t;
  cairo_set_line_width(c->cr, 1.6);
  cairo_set_line_join(c->cr, CAIRO_LINE_JOIN_ROUND);
  for (int i = 0; i < film->traces; i++) {
    set_color(c->cr, paths[i % PATHS], 0.9);
    for (int k = 0; k < film->frames && film->time[k] <= to + 1e-9; k++) {
      const V3 p = sar_camera_project(&c->stage.camera, film->trace[i].at[k]);
      if (isfinite(p.x + p.y)) cairo_line_to(c->cr, p.x, p.y);
    }
    cairo_stroke(c->cr);
  }
}

static SarStatus put_layer(Canvas* c, const SarRaster* r, uint32_t* pixels, double alpha,
                           double edges) {
  sar_raster_resolve(r, edges, 0.75 * c->dense, pixels);
  cairo_surface_t* image = cairo_image_surface_create_for_data(
      (unsigned char*)pixels, CAIRO_FORMAT_ARGB32, r->width, r->height, 4 * r->width);
  cairo_save(c->cr);
  cairo_translate(c->cr, c->left, c->top);
  cairo_scale(c->cr, 1.0 / c->dense, 1.0 / c->dense);
  cairo_set_source_surface(c->cr, image, 0, 0);
  cairo_paint_with_alpha(c->cr, alpha);
  cairo_restore(c->cr);
  cairo_surface_finish(image);  // a copy stays with a file of vectors
  cairo_surface_destroy(image);
  return cairo_status(c->cr) == CAIRO_STATUS_SUCCESS ? SAR_OK : SAR_NO_MEMORY;
}

// The earliest pose is to be made out, the last one is as it is.
static double strength(int pose, int poses) {
  if (pose + 1 >= poses) return 1;
  const double s = poses > 1 ? (double)pose / (poses - 1) : 1;
  return 0.2 + 0.32 * s;
}

static SarStatus put_field(Canvas* c) {
  enum { SAMPLES = 24000000 };
  const int wide = (int)(c->wide * c->dense), high = (int)(c->high * c->dense);
  int over = c->dense > 1 ? 2 : 3;
  while (over > 1 && (double)wide * high * over * over > SAMPLES) over--;
  SarRaster* r = sar_raster_new(wide, high, over);
  uint32_t* pixels = sar_alloc(sizeof *pixels * (size_t)wide * (size_t)high);
  SarStatus st = r && pixels ? SAR_OK : SAR_NO_MEMORY;
  Stage stage = c->stage;
  stage.camera.scale *= c->dense;
  stage.camera.x0 = (stage.camera.x0 - c->left) * c->dense;
  stage.camera.y0 = (stage.camera.y0 - c->top) * c->dense;
  cairo_save(c->cr);
  cairo_rectangle(c->cr, c->left, c->top, c->wide, c->high);
  cairo_clip(c->cr);
  if (st == SAR_OK) {
    stage_ground(&stage, r);
    st = put_layer(c, r, pixels, 1, 0.55);
    sar_raster_keep_base(r);
    put_paths(c);
  }
  for (int i = 0; i < c->film->poses && st == SAR_OK; i++) {
    const double full = strength(i, c->film->poses);
    sar_raster_clear(r);
    stage_pose(&stage, r, i, false);
    st = put_layer(c, r, pixels, full, 0.9);
    sar_raster_forget(r);
    stage_pose(&stage, r, i, true);
    if (st == SAR_OK) st = put_layer(c, r, pixels, 0.45 * full, 0.9);
  }
  if (st == SAR_OK && c->o->forces && stage.longest > 0) {
    for (size_t i = 0; i < (size_t)wide * (size_t)over * (size_t)high * (size_t)over; i++)
      r->base[i] = -INFINITY;
    sar_raster_clear(r);
    stage_arrows(&stage, r, c->film->poses - 1);
    st = put_layer(c, r, pixels, 0.95, 0.8);
  }
  cairo_restore(c->cr);
  sar_free(pixels);
  sar_raster_free(r);
  return st;
}

static SarStatus draw(Canvas* c) {
  cairo_t* cr = c->cr;
  set_color(cr, 0xffffff, 1);
  cairo_paint(cr);
  set_font(cr, LARGE, true);
  set_color(cr, 0x222222, 1);
  put_text(cr, 0.5 * c->width, 26, 0.5, c->o->title);
  if (has_axes(c)) {
    put_ticks(c, true, true);
    put_ticks(c, false, true);
  }
  SAR_TRY(put_field(c));
  if (has_axes(c))
    put_axes(c);
  else
    put_scale(c);
  put_key(c, c->height - c->key, true);
  return SAR_OK;
}

// ---- files ------------------------------------------------------------------------------------------

static cairo_surface_t* new_surface(Format format, const char* path, int width, int height) {
  return format == SVG   ? cairo_svg_surface_create(path, width, height)
         : format == PDF ? cairo_pdf_surface_create(path, width, height)
                         : cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
}

static SarStatus draw_into(Canvas* c, Format format, const char* path) {
  cairo_surface_t* surface = new_surface(format, path, c->width, c->height);
  c->cr = cairo_create(surface);
  SarStatus st = draw(c);
  cairo_status_t status = cairo_status(c->cr);
  cairo_destroy(c->cr);
  if (status == CAIRO_STATUS_SUCCESS && format == PNG)
    status = cairo_surface_write_to_png(surface, path);
  cairo_surface_finish(surface);
  if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(surface);
  cairo_surface_destroy(surface);
  if (st == SAR_OK && status == CAIRO_STATUS_NO_MEMORY) st = SAR_NO_MEMORY;
  return st != SAR_OK ? st : status == CAIRO_STATUS_SUCCESS ? SAR_OK : SAR_NO_FILE;
}

SarStatus canvas_check(const char* path, SarError* err) {
  if (format_of(path) != NO_FORMAT) return SAR_OK;
  sar_report(err, (SarLoc){.file = path}, "name it FILE.png, FILE.svg or FILE.pdf",
             "the ending does not name a picture format");
  return SAR_BAD_ARGUMENT;
}

SarStatus canvas_write(const Film* film, const CanvasOptions* o, const char* path,
                       CanvasReport* report, SarError* err) {
  SAR_TRY(canvas_check(path, err));
  const Format format = format_of(path);
  Canvas c = {.film = film, .o = o, .dense = format == PNG ? 1 : 2};
  stage_set(&c.stage, film, &o->camera, o->across);
  c.stage.forces = o->forces;
  cairo_surface_t* nothing = cairo_recording_surface_create(CAIRO_CONTENT_COLOR, NULL);
  c.cr = cairo_create(nothing);  // to measure letters on
  lay_out(&c);
  cairo_destroy(c.cr);
  cairo_surface_destroy(nothing);
  const SarStatus st = draw_into(&c, format, path);
  if (st == SAR_NO_FILE)
    sar_report(err, (SarLoc){.file = path}, "", "the picture cannot be written");
  *report = (CanvasReport){c.width, c.height, c.stage.camera};
  return st;
}

#else

SarStatus canvas_check(const char* path, SarError* err) {
  sar_report(err, (SarLoc){.file = path}, "install libcairo2-dev and build again",
             "pictures of mechanisms are drawn by cairo, and this program was built without it");
  return SAR_NOT_OFFERED;
}

SarStatus canvas_write(const Film* film, const CanvasOptions* o, const char* path,
                       CanvasReport* report, SarError* err) {
  (void)film, (void)o, (void)report;
  return canvas_check(path, err);
}

#endif
