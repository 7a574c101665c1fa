// Pictures by gnuplot (gnuplot.h).
#include "output/gnuplot.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

void sar_gnuplot_quoted(FILE* f, const char* text) {
  fputc('\'', f);
  for (; text && *text; text++) {
    if (*text == '\'') fputc('\'', f);
    fputc(*text == '\n' || *text == '\r' ? ' ' : *text, f);
  }
  fputc('\'', f);
}

static bool find_program(const char* name) {
  const char* path = getenv("PATH");
  char file[1024];
  while (path && *path) {
    size_t n = strcspn(path, ":");
    int written = snprintf(file, sizeof file, "%.*s/%s", (int)n, path, name);
    if (written > 0 && (size_t)written < sizeof file && access(file, X_OK) == 0) return true;
    path += n + (path[n] == ':');
  }
  return false;
}

SarStatus sar_gnuplot_draw(SarGnuplotScript* script, const void* context, const char* path,
                           SarError* err) {
  SarLoc place = {.file = path};
  const char* dot = strrchr(path, '.');
  bool svg = dot && strcasecmp(dot, ".svg") == 0;
  if (!svg && !(dot && strcasecmp(dot, ".png") == 0)) {
    sar_report(err, place, "name it FILE.png or FILE.svg",
               "the ending does not name a picture format");
    return SAR_BAD_ARGUMENT;
  }
  if (!find_program("gnuplot")) {
    sar_report(err, place, "install the package gnuplot-nox",
               "pictures are drawn by gnuplot, which is not installed");
    return SAR_NOT_OFFERED;
  }
  FILE* touched =
      fopen(path, "wb");  // gnuplot's own message about an unwritable file is hard to read
  if (!touched) {
    sar_report(err, place, "", "the picture cannot be written");
    return SAR_NO_FILE;
  }
  fclose(touched);
  FILE* pipe = popen("gnuplot 2>/dev/null", "w");
  if (!pipe) return SAR_NO_MEMORY;
  script(pipe, context, path, svg);
  if (pclose(pipe) != 0) {
    sar_report(err, place, "", "gnuplot failed to draw the picture");
    return SAR_NO_FILE;
  }
  return SAR_OK;
}
