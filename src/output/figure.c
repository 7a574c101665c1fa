// Figures through gnuplot (gnuplot.h).
#include "output/figure.h"

#include "output/gnuplot.h"

#include <math.h>
#include <string.h>

enum { MOST_POINTS = 4000, PANEL_HEIGHT = 215, MARGIN_HEIGHT = 110, WIDTH = 1000 };

// Colours that stay apart for colour-blind readers and in grey (Okabe and Ito 2008, yellow
// darkened).
static const unsigned palette[] = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7,
                                   0xe69f00, 0x56b4e9, 0x8c6d31, 0x444444};
enum { PALETTE = (int)(sizeof palette / sizeof *palette) };

// Filled and open marks of gnuplot that stay apart at this size.
static const int marks[] = {7, 5, 9, 11, 13, 6, 4, 8, 10, 12};
enum { MARKS = (int)(sizeof marks / sizeof *marks) };

static void write_point(FILE* f, const SarFigure* figure, double x, double y) {
  bool drawn =
      isfinite(x) && isfinite(y) && !(figure->log_x && x <= 0) && !(figure->log_y && y <= 0);
  if (drawn)
    fprintf(f, "%.9g %.9g\n", x, y);
  else
    fputc('\n', f);
}

// Long curves over time are thinned to the smallest and largest value of each bucket, so that no
// peak is lost; a path in the plane has no such order.
static void write_curve_data(FILE* f, const SarFigure* figure, const SarCurve* c) {
  size_t bucket = figure->equal ? 1 : c->n / (MOST_POINTS / 2) + 1;
  for (size_t i = 0; i < c->n; i += bucket) {
    size_t end = i + bucket < c->n ? i + bucket : c->n, low = i, high = i;
    for (size_t k = i; k < end && bucket > 2; k++) {
      if (c->y[k * c->y_stride] < c->y[low * c->y_stride]) low = k;
      if (c->y[k * c->y_stride] > c->y[high * c->y_stride]) high = k;
    }
    if (bucket <= 2) {
      for (size_t k = i; k < end; k++)
        write_point(f, figure, c->x[k * c->x_stride], c->y[k * c->y_stride]);
      continue;
    }
    size_t first = low < high ? low : high, second = low < high ? high : low;
    write_point(f, figure, c->x[first * c->x_stride], c->y[first * c->y_stride]);
    if (second != first)
      write_point(f, figure, c->x[second * c->x_stride], c->y[second * c->y_stride]);
  }
}

static void write_data(FILE* f, const SarFigure* figure) {
  for (int p = 0; p < figure->count; p++)
    for (int i = 0; i < figure->panels[p].count; i++) {
      fprintf(f, "$d%d_%d << END_OF_DATA\n", p, i);
      write_curve_data(f, figure, &figure->panels[p].curves[i]);
      fprintf(f, "END_OF_DATA\n");
    }
}

static void write_terminal(FILE* f, const SarFigure* figure, const char* path, bool svg) {
  int width = figure->width ? figure->width : WIDTH;
  int height = figure->height ? figure->height
               : figure->equal
                   ? 800
                   : MARGIN_HEIGHT + PANEL_HEIGHT * (figure->count > 1 ? figure->count : 2);
  fprintf(f, "set terminal %s size %d,%d font 'DejaVu Sans,%d' noenhanced %s\n",
          svg ? "svg" : "pngcairo", width, height, svg ? 13 : 11, "background '#ffffff' rounded");
  fprintf(f, "set output ");
  sar_gnuplot_quoted(f, path);
  fprintf(f,
          "\nset encoding utf8\nset border 3 lc rgb '#888888'\nset tics nomirror textcolor rgb "
          "'#333333'\n"
          "set grid lc rgb '#dddddd' lw 0.6\nset key %s samplen 2 spacing 1.15 textcolor rgb "
          "'#222222'\n",
          figure->equal ? "outside below center horizontal Left reverse"
                        : "at graph 1.03,1 left top Left reverse");
  if (figure->bare) fprintf(f, "unset border\nunset tics\nunset grid\n");
}

static void write_panel(FILE* f, const SarFigure* figure, int p, bool last) {
  const SarPanel* panel = &figure->panels[p];
  fprintf(f, "set ylabel ");
  sar_gnuplot_quoted(f, panel->y_label);
  fprintf(f, "\nset xlabel ");
  sar_gnuplot_quoted(f, last ? figure->x_label : "");
  fprintf(f, "\n%s\nplot ",
          !last           ? "set format x ''"
          : figure->log_x ? "set format x '%.0e'"
                          : "set format x '%g'");
  int next = 0;
  for (int i = 0; i < panel->count; i++) {
    const SarCurve* c = &panel->curves[i];
    unsigned color = c->color == SAR_CURVE_AUTO ? palette[next % PALETTE] : c->color;
    int dash = c->dash + (c->color == SAR_CURVE_AUTO ? next / PALETTE : 0);
    next += c->color == SAR_CURVE_AUTO;
    fprintf(f, "%s$d%d_%d using 1:2 with %s lw %g lc rgb '#%06x' dt %d ", i ? ", " : "", p, i,
            c->points ? "linespoints ps 0.9" : "lines", c->width > 0 ? c->width : 1.8, color,
            dash % 5 + 1);
    if (c->points) fprintf(f, "pt %d ", marks[i % MARKS]);
    if (c->label) {
      fprintf(f, "title ");
      sar_gnuplot_quoted(f, c->label);
    } else {
      fprintf(f, "notitle");
    }
  }
  fprintf(f, "\n");
}

// Names in place of numbers; a line end in one begins another line of it.
static void write_ticks(FILE* f, const SarFigure* figure) {
  fprintf(f, "set xtics (");
  for (int i = 0; i < figure->tick_count; i++) {
    fprintf(f, "%s\"", i ? ", " : "");
    for (const char* c = figure->ticks[i]; *c; c++)
      if (*c == '\n')
        fputs("\\n", f);
      else
        fputc(*c == '"' || *c == '\\' ? '\'' : *c, f);
    fprintf(f, "\" %d", i);
  }
  fprintf(f, ") scale 0\nset bmargin 5\nset xrange [-0.3:%g]\nset yrange [-0.02:1.02]\n",
          figure->tick_count - 0.7);
}

static void write_script(FILE* f, const void* context, const char* path, bool svg) {
  const SarFigure* figure = context;
  write_terminal(f, figure, path, svg);
  write_data(f, figure);
  if (figure->equal) fprintf(f, "set size ratio -1\n");
  if (figure->ticks) write_ticks(f, figure);
  if (figure->log_x) fprintf(f, "set logscale x\n");
  if (figure->log_y) fprintf(f, "set logscale y\nset format y '%%g'\n");
  fprintf(f, "set multiplot layout %d,1 title ", figure->count);
  sar_gnuplot_quoted(f, figure->title);
  // one right margin for all panels, wide enough for the longest label of a key beside them
  size_t longest = 0;
  for (int p = 0; p < figure->count; p++)
    for (int i = 0; i < figure->panels[p].count; i++) {
      const char* label = figure->panels[p].curves[i].label;
      if (label && strlen(label) > longest) longest = strlen(label);
    }
  fprintf(f, " font ',13'\nset lmargin 12\nset rmargin %d\n",
          figure->equal ? 3 : 9 + (int)(longest > 45 ? 45 : longest));
  for (int p = 0; p < figure->count; p++)
    write_panel(f, figure, p, p == figure->count - 1 || figure->equal);
  fprintf(f, "unset multiplot\nset output\n");
}

SarStatus sar_figure_write(const SarFigure* figure, const char* path, SarError* err) {
  return sar_gnuplot_draw(write_script, figure, path, err);
}
