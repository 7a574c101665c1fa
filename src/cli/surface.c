// Picture files by cairo (surface.h).
#include "cli/surface.h"

#include "base/error.h"

#include <string.h>
#include <strings.h>

#ifdef SARRUS_HAVE_CAIRO
#include <cairo-pdf.h>
#include <cairo-svg.h>

typedef enum Format { NO_FORMAT, PNG, SVG, PDF } Format;

static Format format_of(const char* path) {
  const char* dot = strrchr(path, '.');
  static const char* const ending[] = {"", ".png", ".svg", ".pdf"};
  for (int i = PNG; dot && i <= PDF; i++)
    if (strcasecmp(dot, ending[i]) == 0) return (Format)i;
  return NO_FORMAT;
}

SarStatus surface_check(const char* path, SarError* err) {
  if (format_of(path) != NO_FORMAT) return SAR_OK;
  sar_report(err, (SarLoc){.file = path}, "name it FILE.png, FILE.svg or FILE.pdf",
             "the ending does not name a picture format");
  return SAR_BAD_ARGUMENT;
}

bool surface_is_pixels(const char* path) { return format_of(path) == PNG; }

void surface_begin(Surface* s, const char* path, int width, int height) {
  const Format format = format_of(path);
  s->path = path;
  s->pixels = format == PNG;
  s->on = format == SVG   ? cairo_svg_surface_create(path, width, height)
          : format == PDF ? cairo_pdf_surface_create(path, width, height)
                          : cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
  s->cr = cairo_create(s->on);
}

void surface_measure(Surface* s) {
  s->on = cairo_recording_surface_create(CAIRO_CONTENT_COLOR, NULL);
  s->cr = cairo_create(s->on);
}

void surface_drop(Surface* s) {
  cairo_destroy(s->cr);
  cairo_surface_destroy(s->on);
}

SarStatus surface_end(Surface* s, SarStatus st, SarError* err) {
  cairo_status_t status = cairo_status(s->cr);
  cairo_destroy(s->cr);
  if (status == CAIRO_STATUS_SUCCESS && s->pixels)
    status = cairo_surface_write_to_png(s->on, s->path);
  cairo_surface_finish(s->on);
  if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(s->on);
  cairo_surface_destroy(s->on);
  if (st != SAR_OK || status == CAIRO_STATUS_SUCCESS) return st;
  if (status == CAIRO_STATUS_NO_MEMORY) return SAR_NO_MEMORY;
  sar_report(err, (SarLoc){.file = s->path}, "", "the picture cannot be written");
  return SAR_NO_FILE;
}

#else

SarStatus surface_check(const char* path, SarError* err) {
  sar_report(err, (SarLoc){.file = path}, "install libcairo2-dev and build again",
             "pictures are drawn by cairo, and this program was built without it");
  return SAR_NOT_OFFERED;
}

#endif
