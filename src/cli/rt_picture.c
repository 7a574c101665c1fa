// A picture of a real-time run: how often a step, a wake-up and an exchange took how long, on
// logarithmic axes.
#include "cli/rt.h"
#include "output/figure.h"

enum { MOST_BINS = 1280, CURVES = 3 };

// Stairs: (from, count), (to, count) of every bin, down to a tenth where there is nothing between
// two.
typedef struct Stairs {
  double x[4 * MOST_BINS], y[4 * MOST_BINS];
  size_t n;
} Stairs;

static const double NOTHING = 0.5,
                    WIDTH = 1.035;  // what stands for no frame; a bin's width, at most

static void add(Stairs* s, double x, double y) {
  s->x[s->n] = 1e6 * x;
  s->y[s->n++] = y;
}

static void fill(SarRealtime* rt, SarRtTimes which, Stairs* s) {
  static double from[MOST_BINS];
  static long count[MOST_BINS];
  const int n = sar_rt_histogram(rt, which, from, count, MOST_BINS);
  s->n = 0;
  for (int k = 0; k < n && k < MOST_BINS; k++) {
    const bool apart = k == 0 || from[k] > WIDTH * from[k - 1];
    if (apart) add(s, from[k], NOTHING);
    add(s, from[k], (double)count[k]);
    const bool gap = k + 1 == n || from[k + 1] > WIDTH * from[k];
    const double to = gap ? WIDTH * from[k] : from[k + 1];
    add(s, to, (double)count[k]);
    if (gap) add(s, to, NOTHING);
  }
}

SarStatus rt_draw(SarRealtime* rt, const SarRtReport* r, const char* title, const char* path,
                  SarError* err) {
  static const struct {
    SarRtTimes which;
    const char* label;
    unsigned color;
  } shown[CURVES] = {{SAR_RT_STEP_CPU, "steps, CPU time", 0x2060b0},
                     {SAR_RT_STEP_WALL, "steps, by the clock", 0x30a060},
                     {SAR_RT_LATENCY, "late wake-up", 0xc04030}};
  Stairs* stairs = sar_alloc(CURVES * sizeof *stairs);
  if (!stairs) return SAR_NO_MEMORY;
  SarCurve curve[CURVES + 1];
  double most = 1;
  int n = 0;
  for (int k = 0; k < CURVES; k++) {
    fill(rt, shown[k].which, &stairs[k]);
    for (size_t i = 0; i < stairs[k].n; i++)
      if (stairs[k].y[i] > most) most = stairs[k].y[i];
    curve[n++] = (SarCurve){.label = shown[k].label,
                            .x = stairs[k].x,
                            .y = stairs[k].y,
                            .n = stairs[k].n,
                            .x_stride = 1,
                            .y_stride = 1,
                            .color = shown[k].color};
  }
  const double period = 1e6 * r->period, px[] = {period, period}, py[] = {NOTHING, most};
  curve[n++] = (SarCurve){.label = "period",
                          .x = px,
                          .y = py,
                          .n = 2,
                          .x_stride = 1,
                          .y_stride = 1,
                          .color = 0x808080,
                          .dash = 2};
  const SarPanel panel = {.y_label = "frames", .curves = curve, .count = n};
  const SarFigure figure = {.title = title,
                            .x_label = "time [us]",
                            .panels = &panel,
                            .count = 1,
                            .log_x = true,
                            .log_y = true};
  const SarStatus st = sar_figure_write(&figure, path, err);
  sar_free(stairs);
  return st;
}
