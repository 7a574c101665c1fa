// The skeleton of a mechanism at several instants, light to dark, with the paths of its tips.
//
// A body is drawn as straight lines from its joint to the joints it carries, to those that close loops, and to its named points;
// a body at the end of a chain without named points from its joint through its mass centre to twice that distance (where a rod
// ends). Solids that touch are outlined.
#include "cli/picture.h"
#include "cli/files.h"

#include "base/error.h"
#include "base/alloc.h"
#include "cli/outline.h"
#include "cli/simulate.h"
#include "dynamics/tree.h"
#include "output/figure.h"

#include <math.h>
#include <string.h>

enum { POSES = 14, MOST_POSES = 60, PATH_POINTS = 2000, MOST_TIPS = 6 };

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
  for (int i = 0; i < m->nfixed; i++)
    if (m->fixed_body[i] == b) lines[n++] = (Line){X.p, x_point(X, m->fixed_X_BU[i].p)};
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

// What points to the right and up in the picture, in ground axes.
typedef struct View {
  V3 right, up;
  const char *right_label, *up_label;  // NULL: no axis of the ground
} View;

static View plane(int right, int up) {
  static const char* const label[] = {"x [m]", "y [m]", "z [m]"};
  double e[2][3] = {{0}};
  e[0][right] = e[1][up] = 1;
  return (View){v3_load(e[0]), v3_load(e[1]), label[right], label[up]};
}

// from the side of -y, turned 35 degrees towards x and 20 degrees from above
static View oblique(void) {
  const double turn = 35 * M_PI / 180, above = 20 * M_PI / 180;
  V3 right = v3(cos(turn), sin(turn), 0);
  V3 into = v3(-sin(turn) * cos(above), cos(turn) * cos(above), -sin(above));
  return (View){.right = right, .up = v3_cross(right, into)};
}

static bool parse_view(const char* text, View* view) {
  const char* axes = "xyz";
  if (strcmp(text, "iso") == 0) {
    *view = oblique();
    return true;
  }
  const char* right = text[0] ? strchr(axes, text[0]) : NULL;
  const char* up = right && text[1] ? strchr(axes, text[1]) : NULL;
  if (!up || text[2] || right == up) return false;
  *view = plane((int)(right - axes), (int)(up - axes));
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
  Line* lines;  // poses times per_pose: the skeleton, then outlines up to `total`
  int poses, per_pose, count[MOST_POSES], total[MOST_POSES];
  double* path;  // MOST_TIPS paths of PATH_POINTS points, 3 numbers each
  int tips[MOST_TIPS], tip_count, path_points;
  double* xy;  // work space of the curves
} Film;

static bool film_new(const SarModel* m, int poses, Film* film) {
  *film =
      (Film){.poses = poses,
             .per_pose = 2 * m->nbody + m->nfixed + m->npoint + 2 * m->ncut + 1 + outline_count(m)};
  for (int b = 0; b < m->nbody && film->tip_count < MOST_TIPS; b++)
    if (!has_child(m, b)) film->tips[film->tip_count++] = b;
  size_t lines = (size_t)poses * (size_t)film->per_pose;
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

// Runs to `end`, keeping the skeleton at so many instants and the tips at PATH_POINTS.
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
    if (i * (film->poses - 1) >= pose * (PATH_POINTS - 1) && pose < film->poses) {
      Line* lines = film->lines + pose * film->per_pose;
      film->count[pose] = draw_skeleton(m, d, lines);
      film->total[pose] = film->count[pose] + outline_draw(m, d, lines + film->count[pose]);
      pose++;
    }
  }
  return SAR_OK;
}

static double* put(double* at, View view, V3 p) {
  at[0] = v3_dot(p, view.right);
  at[1] = v3_dot(p, view.up);
  return at + 2;
}

static SarCurve curve(const double* from, const double* to, unsigned color, double width) {
  return (SarCurve){.x = from,
                    .y = from + 1,
                    .n = (size_t)(to - from) / 2,
                    .x_stride = 2,
                    .y_stride = 2,
                    .color = color,
                    .width = width};
}

static double* put_lines(double* at, View view, const Line* line, int count) {
  for (int i = 0; i < count; i++) {
    at = put(at, view, line[i].from);
    at = put(at, view, line[i].to);
    at[0] = at[1] = (double)NAN;
    at += 2;
  }
  return at;
}

// Paths below, then the poses in the order of time, each with a white rim that sets it off from those before.
static int make_curves(const Film* film, View view, SarCurve* curves,
                       const char* const* tip_names) {
  static const unsigned tip_colors[MOST_TIPS] = {0xd55e00, 0x009e73, 0xcc79a7,
                                                 0xe69f00, 0x56b4e9, 0x8c6d31};
  int n = 0;
  double* at = film->xy;
  for (int k = 0; k < film->tip_count; k++) {
    double* start = at;
    for (int i = 0; i < film->path_points; i++)
      at = put(at, view, v3_load(film->path + 3 * (k * PATH_POINTS + i)));
    curves[n] = curve(start, at, tip_colors[k], 1.2);
    curves[n++].label = tip_names[k];
  }
  for (int p = 0; p < film->poses; p++) {
    double* start = at;
    const Line* line = film->lines + p * film->per_pose;
    const unsigned color = shade((double)p / (film->poses - 1));
    at = put_lines(at, view, line, film->count[p]);
    curves[n++] = curve(start, at, 0xffffff, 6.5);
    curves[n++] = curve(start, at, color, 4);
    start = at;
    at = put_lines(at, view, line + film->count[p], film->total[p] - film->count[p]);
    if (at > start) curves[n++] = curve(start, at, color, 1.5);
  }
  return n;
}

// Reach of all that is drawn along a direction.
static double extent_of(const Film* film, V3 direction) {
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (int p = 0; p < film->poses; p++)
    for (int i = 0; i < film->total[p]; i++) {
      Line line = film->lines[p * film->per_pose + i];
      double from = v3_dot(line.from, direction), to = v3_dot(line.to, direction);
      low = fmin(low, fmin(from, to));
      high = fmax(high, fmax(from, to));
    }
  for (int k = 0; k < film->tip_count; k++)
    for (int i = 0; i < film->path_points; i++) {
      double x = v3_dot(v3_load(film->path + 3 * (k * PATH_POINTS + i)), direction);
      low = fmin(low, x);
      high = fmax(high, x);
    }
  return high > low ? high - low : 0;
}

// the two directions in which the motion reaches furthest; z, when it is one of them, points up
static View best_view(const Film* film) {
  double x = extent_of(film, v3(1, 0, 0)), y = extent_of(film, v3(0, 1, 0)),
         z = extent_of(film, v3(0, 0, 1));
  return x <= y && x <= z ? plane(1, 2) : y <= z ? plane(0, 2) : plane(0, 1);
}

// Pixels: the width is fixed, the height follows the shape of what is drawn.
static int height_of(const Film* film, View view) {
  enum { WIDTH = 880, AROUND = 130, LEAST = 320, MOST = 1000 };
  double wide = extent_of(film, view.right), high = extent_of(film, view.up);
  double height = wide > 0 ? AROUND + WIDTH * high / wide : MOST;
  return (int)fmin(MOST, fmax(LEAST, height));
}

static SarStatus draw_film(const CliArgs* args, const SarModel* m, const Film* film, double end,
                           const char* out, SarError* err) {
  View view = best_view(film);
  if (cli_value(args, "view")) parse_view(cli_value(args, "view"), &view);
  const char* tip_names[MOST_TIPS];
  for (int k = 0; k < film->tip_count; k++) tip_names[k] = sar_text(m, m->body_name[film->tips[k]]);
  SarCurve curves[3 * MOST_POSES + MOST_TIPS];
  SarPanel panel = {.y_label = view.up_label, .curves = curves};
  panel.count = make_curves(film, view, curves, tip_names);
  char title[200];
  snprintf(title, sizeof title, "%.120s, 0 to %g s", sar_text(m, m->name), end);
  const char* wanted = cli_value(args, "title");
  SarFigure figure = {.title = wanted ? wanted : title,
                      .x_label = view.right_label,
                      .panels = &panel,
                      .count = 1,
                      .height = height_of(film, view),
                      .equal = true,
                      .bare = !view.up_label};
  CliOutput file;
  SAR_TRY(cli_output_begin(args, out, &file, err));
  return cli_output_end(&file, sar_figure_write(&figure, cli_output_path(&file), err), err);
}

static SarStatus film_and_draw(const CliArgs* args, const SarModel* m, const SimulateJob* job,
                               int poses, const char* out, SarError* err) {
  double end = job->run.end > 0 ? job->run.end : m->sim.end > 0 ? m->sim.end : 10;
  SarData* d = NULL;
  SarSim* sim = NULL;
  Film film = {0};
  SarStatus st = sar_data_new(m, &d, err);
  if (st == SAR_OK) st = sar_sim_new(m, d, &job->run.sim, &sim, err);
  if (st == SAR_OK && !film_new(m, poses, &film)) st = SAR_NO_MEMORY;
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
    return cli_usage_error(args->command,
                           "--view: expected iso or two of x y z, as in xz, found '%s'",
                           cli_value(args, "view"));
  double poses = POSES;
  if (!cli_positive(args, "poses", &poses)) return EXIT_USAGE;
  if (poses < 2 || poses > MOST_POSES || poses != floor(poses))
    return cli_usage_error(args->command, "--poses: expected a whole number from 2 to %d",
                           MOST_POSES);
  if (args->operand_count != 1) return cli_usage_error(args->command, "--motion draws one MODEL");
  SimulateJob job = {.path = args->operand[0], .digits = 12};
  int status = simulate_options(args, &job);
  SarModel* m = status == EXIT_DONE ? cli_load(args, job.path, &status) : NULL;
  if (!m) return status;
  SarError err;
  sar_error_init(&err);
  SarStatus st = film_and_draw(args, m, &job, (int)poses, out, &err);
  cli_print_messages(&err);
  sar_model_free(m);
  return cli_exit_status(st);
}
