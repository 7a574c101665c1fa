// The skeleton of a mechanism at several instants, light to dark, with the paths of its tips.
//
// A body is drawn as straight lines from its joint to the joints it carries, to those that close loops, and to its named points;
// a body at the end of a chain without named points from its joint through its mass centre to twice that distance (where a rod
// ends).
#include "cli/picture.h"

#include "base/alloc.h"
#include "cli/simulate.h"
#include "dynamics/tree.h"
#include "output/figure.h"

#include <math.h>
#include <string.h>

enum { POSES = 14, PATH_POINTS = 600, MOST_TIPS = 6 };

typedef struct Line {
  V3 from, to;
} Line;

static bool has_child(const SarModel* m, int b) { return m->body_subtree[b] > 1; }

// where the body ends: its last named point, or twice the way to the mass centre
static V3 tip_of(const SarModel* m, const SarData* d, int b) {
  V3 p = m->body_inertia[b].m > 0 ? v3_scale(2 / m->body_inertia[b].m, m->body_inertia[b].h)
                                  : v3_zero();
  for (int i = 0; i < m->npoint; i++)
    if (m->point[i].body == b) p = m->point[i].X_BP.p;
  return x_point(d->body_X_GB[b], p);
}

static int draw_body(const SarModel* m, const SarData* d, int b, Line* lines) {
  int n = 0;
  Xform X = d->body_X_GB[b];
  for (int c = b + 1; c < b + m->body_subtree[b]; c++)
    if (m->body_parent[c] == b) lines[n++] = (Line){X.p, x_point(X, m->body_X_PF[c].p)};
  for (int i = 0; i < m->npoint; i++)
    if (m->point[i].body == b) lines[n++] = (Line){X.p, x_point(X, m->point[i].X_BP.p)};
  for (int k = 0; k < m->ncut; k++)
    for (int end = 0; end < 2; end++)
      if (m->cut[k].body[end] == b) lines[n++] = (Line){X.p, x_point(X, m->cut[k].X_BF[end].p)};
  if (n == 0) lines[n++] = (Line){X.p, tip_of(m, d, b)};
  return n;
}

static int draw_skeleton(const SarModel* m, SarData* d, Line* lines) {
  sar_update_kinematics(m, d);
  sar_update_world(m, d);
  int n = 0;
  for (int b = 0; b < m->nbody; b++) n += draw_body(m, d, b, lines + n);
  return n;
}

// ---- projection ------------------------------------------------------------------------------------------------

typedef struct View {
  int right, up;  // 0 x, 1 y, 2 z
} View;

static double component(V3 p, int k) { return k == 0 ? p.x : k == 1 ? p.y : p.z; }

static bool parse_view(const char* text, View* view) {
  const char* axes = "xyz";
  const char* right = text && text[0] ? strchr(axes, text[0]) : NULL;
  const char* up = right && text[1] ? strchr(axes, text[1]) : NULL;
  if (!up || text[2] || right == up) return false;
  *view = (View){(int)(right - axes), (int)(up - axes)};
  return true;
}

// from a light blue-grey to a dark blue
static unsigned shade(double s) {
  unsigned r = (unsigned)(205 - s * 195), g = (unsigned)(219 - s * 175),
           b = (unsigned)(232 - s * 122);
  return r << 16 | g << 8 | b;
}

// ---- drawing -----------------------------------------------------------------------------------------------------

typedef struct Film {
  Line* lines;  // POSES times per_pose
  int per_pose, count[POSES];
  double* path;  // MOST_TIPS paths of PATH_POINTS points, 3 numbers each
  int tips[MOST_TIPS], tip_count, path_points;
  double* xy;  // work space of the curves
} Film;

static bool film_new(const SarModel* m, Film* film) {
  *film = (Film){.per_pose = 2 * m->nbody + m->npoint + 2 * m->ncut + 1};
  for (int b = 0; b < m->nbody && film->tip_count < MOST_TIPS; b++)
    if (!has_child(m, b)) film->tips[film->tip_count++] = b;
  size_t lines = (size_t)POSES * (size_t)film->per_pose;
  film->lines = sar_alloc(sizeof(Line) * lines);
  film->path = sar_alloc(sizeof(double) * 3 * MOST_TIPS * PATH_POINTS);
  film->xy = sar_alloc(sizeof(double) * 2 * (3 * lines + MOST_TIPS * PATH_POINTS));
  return film->lines && film->path && film->xy;
}

static void film_free(Film* film) {
  sar_free(film->lines);
  sar_free(film->path);
  sar_free(film->xy);
}

// Runs to `end`, keeping the skeleton at POSES instants and the tips at PATH_POINTS.
static SarStatus shoot(const SarModel* m, SarData* d, SarSim* sim, double end, Film* film) {
  int pose = 0;
  for (int i = 0; i < PATH_POINTS; i++) {
    SarStatus st = sar_advance(sim, end * i / (PATH_POINTS - 1));
    if (st != SAR_OK) return st;
    sar_update_kinematics(m, d);
    sar_update_world(m, d);
    for (int k = 0; k < film->tip_count; k++)
      v3_store(film->path + 3 * (k * PATH_POINTS + i), tip_of(m, d, film->tips[k]));
    film->path_points = i + 1;
    if (i * (POSES - 1) >= pose * (PATH_POINTS - 1) && pose < POSES) {
      film->count[pose] = draw_skeleton(m, d, film->lines + pose * film->per_pose);
      pose++;
    }
  }
  return SAR_OK;
}

static double* put(double* at, double x, double y) {
  at[0] = x;
  at[1] = y;
  return at + 2;
}

static int make_curves(const Film* film, View view, SarCurve* curves,
                       const char* const* tip_names) {
  static const unsigned tip_colors[MOST_TIPS] = {0xd55e00, 0x009e73, 0xcc79a7,
                                                 0xe69f00, 0x56b4e9, 0x8c6d31};
  int n = 0;
  double* at = film->xy;
  for (int p = 0; p < POSES; p++) {
    double* start = at;
    const Line* line = film->lines + p * film->per_pose;
    for (int i = 0; i < film->count[p]; i++) {
      at = put(at, component(line[i].from, view.right), component(line[i].from, view.up));
      at = put(at, component(line[i].to, view.right), component(line[i].to, view.up));
      at = put(at, (double)NAN, (double)NAN);
    }
    curves[n++] = (SarCurve){.x = start,
                             .y = start + 1,
                             .n = (size_t)(at - start) / 2,
                             .x_stride = 2,
                             .y_stride = 2,
                             .color = shade((double)p / (POSES - 1)),
                             .width = p == POSES - 1 ? 3.5 : 2.2};
  }
  for (int k = 0; k < film->tip_count; k++) {
    double* start = at;
    for (int i = 0; i < film->path_points; i++) {
      V3 r = v3_load(film->path + 3 * (k * PATH_POINTS + i));
      at = put(at, component(r, view.right), component(r, view.up));
    }
    curves[n++] = (SarCurve){.label = tip_names[k],
                             .x = start,
                             .y = start + 1,
                             .n = (size_t)film->path_points,
                             .x_stride = 2,
                             .y_stride = 2,
                             .color = tip_colors[k],
                             .width = 1.2};
  }
  return n;
}

// the two directions in which the motion reaches furthest; z, when it is one of them, points up
static View best_view(const Film* film) {
  double extent[3];
  for (int k = 0; k < 3; k++) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int p = 0; p < POSES; p++)
      for (int i = 0; i < film->count[p]; i++) {
        Line line = film->lines[p * film->per_pose + i];
        low = fmin(low, fmin(component(line.from, k), component(line.to, k)));
        high = fmax(high, fmax(component(line.from, k), component(line.to, k)));
      }
    extent[k] = high - low;
  }
  int least = extent[0] <= extent[1] && extent[0] <= extent[2] ? 0 : extent[1] <= extent[2] ? 1 : 2;
  return least == 0 ? (View){1, 2} : least == 1 ? (View){0, 2} : (View){0, 1};
}

static SarStatus draw_film(const CliArgs* args, const SarModel* m, const Film* film, double end,
                           const char* out, SarError* err) {
  static const char* const axis_label[] = {"x [m]", "y [m]", "z [m]"};
  View view = best_view(film);
  if (cli_value(args, "view")) parse_view(cli_value(args, "view"), &view);
  const char* tip_names[MOST_TIPS];
  for (int k = 0; k < film->tip_count; k++) tip_names[k] = sar_text(m, m->body_name[film->tips[k]]);
  SarCurve curves[POSES + MOST_TIPS];
  SarPanel panel = {.y_label = axis_label[view.up], .curves = curves};
  panel.count = make_curves(film, view, curves, tip_names);
  char title[200];
  snprintf(title, sizeof title, "%.120s, 0 to %g s", sar_text(m, m->name), end);
  const char* wanted = cli_value(args, "title");
  SarFigure figure = {.title = wanted ? wanted : title,
                      .x_label = axis_label[view.right],
                      .panels = &panel,
                      .count = 1,
                      .equal = true};
  return sar_figure_write(&figure, out, err);
}

static SarStatus film_and_draw(const CliArgs* args, const SarModel* m, const SimulateJob* job,
                               const char* out, SarError* err) {
  double end = job->run.end > 0 ? job->run.end : m->sim.end > 0 ? m->sim.end : 10;
  SarData* d = NULL;
  SarSim* sim = NULL;
  Film film = {0};
  SarStatus st = sar_data_new(m, &d, err);
  if (st == SAR_OK) st = sar_sim_new(m, d, &job->run.sim, &sim, err);
  if (st == SAR_OK && !film_new(m, &film)) st = SAR_NO_MEMORY;
  if (st == SAR_OK) st = shoot(m, d, sim, end, &film);
  if (st != SAR_OK && sim) fprintf(stderr, "sarrus plot: %s\n", sar_sim_trouble(sim));
  if (st == SAR_OK) st = draw_film(args, m, &film, end, out, err);
  film_free(&film);
  sar_sim_free(sim);
  sar_data_free(d);
  return st;
}

int picture_motion(const CliArgs* args, const char* out) {
  View view;
  if (cli_value(args, "view") && !parse_view(cli_value(args, "view"), &view))
    return cli_usage_error(args->command, "--view: expected two of x y z, as in xz, found '%s'",
                           cli_value(args, "view"));
  if (args->operand_count != 1) return cli_usage_error(args->command, "--motion draws one MODEL");
  SimulateJob job = {.path = args->operand[0], .digits = 12};
  int status = simulate_options(args, &job);
  SarModel* m = status == EXIT_DONE ? cli_load(args, job.path, &status) : NULL;
  if (!m) return status;
  SarError err;
  sar_error_init(&err);
  SarStatus st = film_and_draw(args, m, &job, out, &err);
  cli_print_messages(&err);
  sar_model_free(m);
  return cli_exit_status(st);
}
