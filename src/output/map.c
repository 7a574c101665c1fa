// Maps through gnuplot (map.h).
#include "output/map.h"

#include "output/gnuplot.h"

#include <math.h>

enum { PANEL_WIDTH = 520, HEIGHT = 470, LEVELS = 9, FINEST = 100 };

// Dark to light with even steps of lightness, so that it reads in grey too (viridis, van der Walt
// and Smith 2015).
static const char palette[] =
    "set palette defined (0 '#440154', 1 '#3b528b', 2 '#21918c', 3 '#5ec962', 4 '#fde725')\n";

static void write_values(FILE* f, const SarMap* map, const SarMapPanel* panel, int p) {
  fprintf(f, "$d%d << END_OF_DATA\n", p);
  for (int i = 0; i < map->nx; i++) {
    for (int k = 0; k < map->ny; k++) {
      const double z = panel->z[i * map->ny + k];
      fprintf(f, "%.9g %.9g ", map->x[i], map->y[k]);
      fprintf(f, isfinite(z) ? "%.9g\n" : "NaN\n", z);
    }
    fprintf(f, "\n");
  }
  fprintf(f, "END_OF_DATA\n");
}

static void write_panel(FILE* f, const SarMap* map, int p) {
  fprintf(f, "set title ");
  sar_gnuplot_quoted(f, map->panels[p].label);
  fprintf(f,
          "\nsplot $d%d using 1:2:3 with pm3d nocontour notitle, $d%d using 1:2:3 with lines "
          "nosurface lc rgb '#ffffff' lw 0.8 notitle\n",
          p, p);
}

// Colours between n values: about FINEST fields in all, as fine as can be seen.
static int finer(int n) {
  const int k = FINEST / n;
  return k < 1 ? 1 : k > 10 ? 10 : k;
}

static void write_script(FILE* f, const void* context, const char* path, bool svg) {
  const SarMap* map = context;
  fprintf(f,
          "set terminal %s size %d,%d font 'DejaVu Sans,%d' noenhanced background '#ffffff'\n"
          "set encoding utf8\nset output ",
          svg ? "svg" : "pngcairo", PANEL_WIDTH * map->count + 40, HEIGHT, svg ? 13 : 11);
  sar_gnuplot_quoted(f, path);
  fprintf(f, "\n%s", palette);
  for (int p = 0; p < map->count; p++) write_values(f, map, &map->panels[p], p);
  fprintf(f,
          "set pm3d map interpolate %d,%d\nset view map\nset contour base\n"
          "set cntrparam levels auto %d\nset cntrlabel onecolor\nunset key\n"
          "set border lc rgb '#888888'\nset tics out nomirror textcolor rgb '#333333'\n"
          "set xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\nset xlabel ",
          finer(map->nx), finer(map->ny), LEVELS, map->x[0], map->x[map->nx - 1], map->y[0],
          map->y[map->ny - 1]);
  sar_gnuplot_quoted(f, map->x_label);
  fprintf(f, "\nset ylabel ");
  sar_gnuplot_quoted(f, map->y_label);
  const double width = PANEL_WIDTH * map->count + 40;
  fprintf(f, "\nset multiplot layout 1,%d margins %.4f,%.4f,0.18,0.84 spacing %.4f title ",
          map->count, 90 / width, 1 - 110 / width, 200 / width);
  sar_gnuplot_quoted(f, map->title);
  fprintf(f, " font ',13'\n");
  for (int p = 0; p < map->count; p++) write_panel(f, map, p);
  fprintf(f, "unset multiplot\nset output\n");
}

SarStatus sar_map_write(const SarMap* map, const char* path, SarError* err) {
  return sar_gnuplot_draw(write_script, map, path, err);
}
