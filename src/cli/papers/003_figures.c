// Figs. 4 and 5 of paper 003: what the five-link suspension does to its wheel carrier over the
// vertical displacement, and that displacement over time, driven (a) and pushed by the paper's
// force (b).
//
// (a) is our file with a drive of the carrier's height; toe, camber and caster are the turns about
// z, the turned x (forward) and the wheel's axis y.
#include "cli/papers/003.h"
#include "cli/papers/pictures.h"

#include "base/arena.h"

#include <math.h>
#include <string.h>

static const char MODEL[] = "papers/003/five_link.yaml";
static const char DRIVE[] =
    "\nconstraints: {lift: {motion: pose, component: 3, value: \"0.1*sin(pi*t/3)\"}}\n";
static const double END = 6, HEIGHT = 0.1;
enum { POINTS = 241, QUARTER = (POINTS - 1) / 4 };

static const SarExpression ANGLES[] = {{"toe", "carrier.zxy1*180/pi"},
                                       {"camber", "carrier.zxy2*180/pi"},
                                       {"caster", "carrier.zxy3*180/pi"}};

// Columns of Fig. 4, and what one of theirs is in ours.
static const struct {
  const char *column, *shown;
  double scale;
} SHOWN[] = {{"carrier.x", "x [mm]", 1e3},
             {"carrier.y", "y [mm]", 1e3},
             {"toe", "toe [deg]", 1},
             {"camber", "camber [deg]", 1},
             {"caster", "caster [deg]", 1}};
enum { SHOWS = sizeof SHOWN / sizeof *SHOWN };

static SarStatus driven_model(SarModel** out, SarError* err) {
  SarArena arena;
  const SarLoadOptions o = {.columns = ANGLES, .column_count = 3};
  SarStatus st = SAR_NO_FILE;
  *out = NULL;
  sar_arena_init(&arena);
  for (const SarTextFile* f = paper_files; f->name; f++) {
    if (strcmp(f->name, MODEL) != 0) continue;
    const char* text = sar_arena_printf(&arena, "%.*s%s", (int)f->size, f->text, DRIVE);
    st = text ? sar_model_parse(text, strlen(text), "yaml", MODEL, &o, out, err) : SAR_NO_MEMORY;
  }
  sar_arena_free(&arena);
  return st;
}

// ---- pictures -----------------------------------------------------------------------------------

static SarStatus draw_response(PaperReport* r, const SarTable* t, SarError* err) {
  const SarCurve way[] = {paper_curve(t, "carrier.z", "carrier.x", "longitudinal x"),
                          paper_curve(t, "carrier.z", "carrier.y", "lateral y")};
  const SarCurve angle[] = {paper_curve(t, "carrier.z", "toe", "toe"),
                            paper_curve(t, "carrier.z", "camber", "camber"),
                            paper_curve(t, "carrier.z", "caster", "caster")};
  const SarPanel panel[] = {{"displacement [m]", way, 2}, {"angle [deg]", angle, 3}};
  const SarFigure figure = {.title = "Fig. 4: five-link suspension",
                            .x_label = "vertical displacement z [m]",
                            .panels = panel,
                            .count = 2};
  return paper_picture(r, "003_figure_4.png", &figure, err);
}

static SarStatus draw_displacement(PaperReport* r, const SarTable* driven, const SarTable* pushed,
                                   SarError* err) {
  const SarCurve a = paper_curve(driven, "time", "carrier.z", NULL),
                 b = paper_curve(pushed, "time", "carrier.z", NULL);
  const SarPanel panel[] = {{"(a) driven: z [m]", &a, 1}, {"(b) pushed: z [m]", &b, 1}};
  const SarFigure figure = {.title = "Fig. 5: height of the wheel carrier",
                            .x_label = "time [s]",
                            .panels = panel,
                            .count = 2};
  return paper_picture(r, "003_figure_5.png", &figure, err);
}

// ---- figures ------------------------------------------------------------------------------------

// Rows of the table: the ends of the stroke and halfway there, where the drive is at 1/2.
static void add_figures(PaperReport* r, const SarTable* t) {
  static const int at[] = {QUARTER, QUARTER / 3, 0, 2 * QUARTER + QUARTER / 3, 3 * QUARTER};
  for (int i = 0; i < 5; i++) {
    const double* row = sar_table_values(t) + (size_t)at[i] * (size_t)sar_table_columns(t);
    char name[32];
    const double z = row[sar_table_find(t, "carrier.z")];
    snprintf(name, sizeof name, "z = %.0f mm", fabs(z) < 1e-9 ? 0.0 : 1e3 * z);
    for (int k = 0; k < SHOWS; k++)
      paper_add(r, "Fig. 4", name, SHOWN[k].shown, (double)NAN,
                SHOWN[k].scale * row[sar_table_find(t, SHOWN[k].column)], NULL);
  }
}

static SarStatus add_run(PaperReport* r, const SarTable* driven, SarError* err) {
  SarModel* m = NULL;
  SarRun* run = NULL;
  SarRunOptions o = sar_run_options();
  o.end = END;
  o.output_step = END / (POINTS - 1);
  o.keep_rows = true;
  SarStatus st = paper_model(MODEL, &m, err);
  if (st == SAR_OK) st = sar_run(m, &o, &run, err);
  if (st == SAR_OK) {
    const SarTable* t = sar_run_table(run);
    const int z = sar_table_find(t, "carrier.z"), wide = sar_table_columns(t);
    double low = 0, high = 0;
    for (size_t i = 0; i < sar_table_rows(t); i++) {
      const double here = sar_table_values(t)[i * (size_t)wide + (size_t)z];
      low = fmin(low, here);
      high = fmax(high, here);
    }
    const double NONE = (double)NAN;
    paper_add(r, "Fig. 5", "(a) driven", "lowest z [mm]", NONE, -1e3 * HEIGHT, NULL);
    paper_add(r, "Fig. 5", "(a) driven", "highest z [mm]", NONE, 1e3 * HEIGHT, NULL);
    paper_add(r, "Fig. 5", "(b) pushed", "lowest z [mm]", NONE, 1e3 * low, NULL);
    paper_add(r, "Fig. 5", "(b) pushed", "highest z [mm]", NONE, 1e3 * high,
              "nothing but the links holds it: with other hardpoints than the paper's it sinks");
    if (r->pictures) st = draw_displacement(r, driven, t, err);
  }
  sar_run_free(run);
  sar_model_free(m);
  return st;
}

SarStatus paper_003_figures(PaperReport* r, SarError* err) {
  SarModel* m = NULL;
  SarKinematics* k = NULL;
  SarSweepOptions o = sar_sweep_options();
  o.to = END;
  o.points = POINTS;
  SarStatus st = driven_model(&m, err);
  if (st == SAR_OK) st = sar_kinematics(m, &o, &k, err);
  if (st == SAR_OK) {
    const SarTable* t = sar_kinematics_table(k);
    add_figures(r, t);
    if (r->pictures) st = draw_response(r, t, err);
    if (st == SAR_OK) st = add_run(r, t, err);
  }
  sar_kinematics_free(k);
  sar_model_free(m);
  return st;
}
