// Figs. 5 to 8 of paper 002: the tiltrotor on its modal wing in a wind tunnel, as a windmill whose
// speed a governor keeps by the collective pitch: the start of the wind (5, 6), and a wind of 50 +-
// 10 m/s at 0.2 Hz (7, 8). Wind, rotor speed and pitch in the first of each pair, thrust, torque
// and flapping in the second. The model (examples/tiltrotor.yaml) is ours.
#include "cli/papers/pictures.h"

#include <math.h>

static const char MODEL[] = "examples/tiltrotor.yaml";
static const char TABLE[] = "Figs. 5 to 8: tiltrotor with governor in the wind tunnel";

typedef struct Wind {
  const char* row;
  double gust, end;  // s
  double from;       // where the speed is judged [s]
  double theirs;     // largest error of the speed [%]
  const char *speeds, *loads, *speed_title, *load_title;
} Wind;

static const Wind winds[] = {
    {"wind-up", 0, 14, 13, (double)NAN, "002_figure_5.png", "002_figure_6.png",
     "Fig. 5: tiltrotor, start of the wind tunnel", "Fig. 6: tiltrotor, start of the wind tunnel"},
    {"wind of 50 +- 10 m/s", 1, 12, 7, 1, "002_figure_7.png", "002_figure_8.png",
     "Fig. 7: tiltrotor in a wind that oscillates", "Fig. 8: tiltrotor in a wind that oscillates"}};

// Three columns over time, one below the other.
static SarStatus draw(PaperReport* r, const SarTable* t, const char* name, const char* title,
                      const char* const column[3], const char* const label[3], SarError* err) {
  SarCurve curve[3];
  SarPanel panel[3];
  for (int i = 0; i < 3; i++) {
    curve[i] = paper_curve(t, "time", column[i], NULL);
    panel[i] = (SarPanel){label[i], &curve[i], 1};
  }
  const SarFigure figure = {.title = title, .x_label = "time [s]", .panels = panel, .count = 3};
  return paper_picture(r, name, &figure, err);
}

static SarStatus draw_both(PaperReport* r, const Wind* w, const SarTable* t, SarError* err) {
  static const char *const speeds[] = {"wind", "shaft.wz", "pitch1.q"},
                           *const speed_labels[] = {"wind [m/s]", "rotor speed [rad/s]",
                                                    "pitch [rad]"},
                           *const loads[] = {"rotor.thrust", "rotor.torque", "flap1"},
                           *const load_labels[] = {"thrust [N]", "torque [N m]", "flap [rad]"};
  SAR_TRY(draw(r, t, w->speeds, w->speed_title, speeds, speed_labels, err));
  return draw(r, t, w->loads, w->load_title, loads, load_labels, err);
}

// The largest and the least of a column from a time on.
static void range_of(const SarTable* t, const char* column, double from, double* low,
                     double* high) {
  const int time = sar_table_find(t, "time"), at = sar_table_find(t, column);
  const size_t wide = (size_t)sar_table_columns(t);
  *low = HUGE_VAL, *high = -HUGE_VAL;
  for (size_t i = 0; i < sar_table_rows(t); i++) {
    const double* row = sar_table_values(t) + i * wide;
    if (row[time] < from) continue;
    *low = fmin(*low, row[at]);
    *high = fmax(*high, row[at]);
  }
}

static void add_rows(PaperReport* r, const Wind* w, const SarTable* t) {
  static const double OMEGA = 72.257;  // wanted [rad/s]
  double low, high;
  range_of(t, "shaft.wz", w->from, &low, &high);
  paper_add(r, TABLE, w->row, "speed off [%]", w->theirs,
            100 * fmax(fabs(low - OMEGA), fabs(high - OMEGA)) / OMEGA,
            w->gust > 0 ? "theirs: roughly 1 %, with a gain that is not published" : NULL);
  range_of(t, "rotor.thrust", w->from, &low, &high);
  paper_add(r, TABLE, w->row, "thrust from [N]", (double)NAN, low, NULL);
  paper_add(r, TABLE, w->row, "to [N]", (double)NAN, high, NULL);
}

SarStatus paper_002_figures(PaperReport* r, SarError* err) {
  SarStatus st = SAR_OK;
  for (size_t i = 0; i < sizeof winds / sizeof *winds && st == SAR_OK; i++) {
    const Wind* w = &winds[i];
    const SarParameter gust = {"gust", w->gust};
    SarModel* m = NULL;
    SarRun* run = NULL;
    SarRunOptions o = sar_run_options();
    o.end = w->end;
    o.keep_rows = true;
    st = paper_model_with(MODEL, &gust, 1, &m, err);
    if (st == SAR_OK) st = sar_run(m, &o, &run, err);
    if (st == SAR_OK) {
      const SarTable* t = sar_run_table(run);
      add_rows(r, w, t);
      if (r->pictures) st = draw_both(r, w, t, err);
    }
    sar_run_free(run);
    sar_model_free(m);
  }
  return st;
}
