// A picture of a film (canvas.h), drawn by cairo around layers of pixels (stage.h).
//
// From below: grid, ground, paths, poses from pale to full, arrows; around them axes or a scale,
// title, names. In SVG and PDF the layers are images of twice the resolution, lines and letters are
// lines and letters.
#include "cli/canvas.h"

#include "cli/surface.h"

#include <math.h>

#ifdef SARRUS_HAVE_CAIRO
#include "cli/canvas_parts.h"

enum { WIDTH = 1000, MOST_HEIGHT = 900, LEAST = 260, TITLE = 40 };

// ---- where everything goes ---------------------------------------------------------------------

static void lay_out(Canvas* c) {
  const SarExtent e = stage_extent(&c->stage);
  const double left = canvas_has_axes(c) ? 72 : 18, right = 20,
               bottom = canvas_has_axes(c) ? 50 : 34;
  const double wide = fmax(e.right - e.left, 1e-9), high = fmax(e.top - e.bottom, 1e-9);
  c->left = left, c->top = TITLE;
  c->width = c->o->width ? c->o->width : WIDTH;
  c->key = canvas_key(c, 0, false);
  if (c->o->width) {
    c->height = c->o->height;
  } else {
    double field = (c->width - left - right) * high / wide;
    if (field > MOST_HEIGHT) {  // a tall one is narrower
      field = MOST_HEIGHT;
      c->width = (int)fmax(420, left + right + field * wide / high);
      c->key = canvas_key(c, 0, false);
    }
    c->height = (int)(TITLE + fmax(LEAST, field) + bottom + c->key);
  }
  c->wide = fmax(20, c->width - left - right);
  c->high = fmax(20, c->height - TITLE - bottom - c->key);
  const double rim = canvas_has_axes(c) ? 0.03 * fmin(c->wide, c->high) : 2;
  sar_camera_fit(&c->stage.camera, e, left + rim, c->top + rim, c->wide - 2 * rim,
                 c->high - 2 * rim);
}

// ---- the field ----------------------------------------------------------------------------------

static void put_paths(Canvas* c) {
  const Film* film = c->film;
  const double to = film->pose[film->poses - 1].t;
  cairo_set_line_width(c->cr, 1.6);
  cairo_set_line_join(c->cr, CAIRO_LINE_JOIN_ROUND);
  for (int i = 0; i < film->traces; i++) {
    canvas_color(c->cr, canvas_path_color(i), 0.9);
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
  canvas_color(cr, 0xffffff, 1);
  cairo_paint(cr);
  canvas_font(cr, CANVAS_LARGE, true);
  canvas_color(cr, 0x222222, 1);
  canvas_text(cr, 0.5 * c->width, 26, 0.5, c->o->title);
  canvas_grid(c);
  SAR_TRY(put_field(c));
  canvas_frame(c);
  canvas_key(c, c->height - c->key, true);
  return SAR_OK;
}

// ---- files --------------------------------------------------------------------------------------

SarStatus canvas_write(const Film* film, const CanvasOptions* o, const char* path,
                       CanvasReport* report, SarError* err) {
  SAR_TRY(surface_check(path, err));
  Canvas c = {.film = film, .o = o, .dense = surface_is_pixels(path) ? 1 : 2};
  Surface on;
  stage_set(&c.stage, film, &o->camera, o->across);
  c.stage.forces = o->forces;
  surface_measure(&on);
  c.cr = on.cr;
  lay_out(&c);
  surface_drop(&on);
  surface_begin(&on, path, c.width, c.height);
  c.cr = on.cr;
  const SarStatus st = surface_end(&on, draw(&c), err);
  *report = (CanvasReport){c.width, c.height, c.stage.camera};
  return st;
}

#else

SarStatus canvas_write(const Film* film, const CanvasOptions* o, const char* path,
                       CanvasReport* report, SarError* err) {
  (void)film, (void)o, (void)report;
  return surface_check(path, err);
}

#endif
