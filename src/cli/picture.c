// `sarrus plot MODEL --motion`: options into a film and a canvas.
#include "cli/picture.h"

#include "cli/canvas.h"
#include "cli/files.h"
#include "cli/surface.h"
#include "cli/viewpoint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POSES = 6, LEAST_SIZE = 200, MOST_SIZE = 4000 };

typedef struct Picture {
  FilmOptions film;
  CliNumbers at;
  CanvasOptions canvas;
} Picture;

static int read_poses(const CliArgs* args, Picture* p) {
  double poses = POSES;
  if (!cli_positive(args, "poses", &poses)) return EXIT_USAGE;
  if (poses < 1 || poses > FILM_MOST_POSES || poses != floor(poses))
    return cli_usage_error(args->command, "--poses: expected a whole number from 1 to %d",
                           FILM_MOST_POSES);
  p->film.poses = (int)poses;
  if (!cli_value(args, "at")) return EXIT_DONE;
  if (cli_value(args, "poses"))
    return cli_usage_error(args->command, "--at and --poses exclude each other");
  if (!cli_numbers(args, "at", &p->at)) return EXIT_USAGE;
  if (p->at.count > FILM_MOST_POSES)
    return cli_usage_error(args->command, "--at: at most %d times", FILM_MOST_POSES);
  for (int i = 1; i < p->at.count; i++)
    if (!(p->at.item[i] > p->at.item[i - 1]))
      return cli_usage_error(args->command, "--at: times must rise");
  p->film.at = p->at.item;
  p->film.at_count = p->at.count;
  return EXIT_DONE;
}

static int read_size(const CliArgs* args, CanvasOptions* o) {
  const char* text = cli_value(args, "size");
  if (!text) return EXIT_DONE;
  char* end;
  const long width = strtol(text, &end, 10), height = *end == 'x' ? strtol(end + 1, &end, 10) : 0;
  if (*end || width < LEAST_SIZE || width > MOST_SIZE || height < LEAST_SIZE || height > MOST_SIZE)
    return cli_usage_error(args->command,
                           "--size: expected WIDTHxHEIGHT, %d to %d each, found '%s'", LEAST_SIZE,
                           MOST_SIZE, text);
  o->width = (int)width, o->height = (int)height;
  return EXIT_DONE;
}

static int read_options(const CliArgs* args, Picture* p) {
  *p = (Picture){.film = {.traces = cli_value(args, "trace")},
                 .canvas = {.forces = cli_value(args, "forces") != NULL}};
  const int status = read_poses(args, p);
  return status == EXIT_DONE ? read_size(args, &p->canvas) : status;
}

// ---- what came of it ----------------------------------------------------------------------------

// Where the bodies are in the last pose, in pixels: for whoever wants to write names beside them.
static void report(const CliArgs* args, const char* out, const Film* film, const CanvasReport* r) {
  if (!args->json) {
    printf("%s\n", out);
    return;
  }
  const SarModel* m = film->m;
  const FilmPose* last = &film->pose[film->poses - 1];
  SarJson j;
  cli_json_begin(&j);
  sar_json_open(&j, NULL, '{');
  sar_json_text(&j, "picture", out);
  sar_json_integer(&j, "panels", 1);
  sar_json_integer(&j, "width", r->width);
  sar_json_integer(&j, "height", r->height);
  sar_json_number(&j, "pixels_per_metre", r->camera.scale);
  sar_json_number(&j, "time", last->t);
  sar_json_open(&j, "bodies", '[');
  for (int b = 0; b < m->nbody; b++) {
    const Inertia I = m->body_inertia[b];
    const V3 com = I.m > 0 ? v3_scale(1 / I.m, I.h) : v3_zero();
    const V3 p = sar_camera_project(&r->camera, x_point(last->poses[b], com));
    sar_json_open(&j, NULL, '{');
    sar_json_text(&j, "name", sar_text(m, m->body_name[b]));
    sar_json_number(&j, "x", p.x);
    sar_json_number(&j, "y", p.y);
    sar_json_close(&j, '}');
  }
  sar_json_close(&j, ']');
  sar_json_close(&j, '}');
  sar_json_end(&j);
}

static void make_title(const CliArgs* args, const Film* film, char* text, size_t size) {
  const char* name = sar_text(film->m, film->m->name);
  const double from = film->pose[0].t, to = film->pose[film->poses - 1].t;
  if (cli_value(args, "title"))
    snprintf(text, size, "%s", cli_value(args, "title"));
  else if (film->poses > 1)
    snprintf(text, size, "%.120s, %g to %g s", name, from, to);
  else
    snprintf(text, size, "%.120s at %g s", name, to);
}

static int draw(const CliArgs* args, const Film* film, Picture* p, const char* out) {
  char title[400];
  make_title(args, film, title, sizeof title);
  p->canvas.title = title;
  SarError err;
  sar_error_init(&err);
  CliOutput file;
  CanvasReport made;
  SarStatus st = cli_output_begin(args, out, &file, &err);
  if (st == SAR_OK)
    st = cli_output_end(&file, canvas_write(film, &p->canvas, cli_output_path(&file), &made, &err),
                        &err);
  cli_print_messages(&err);
  if (st == SAR_OK) report(args, out, film, &made);
  return cli_exit_status(st);
}

static int shoot_and_draw(const CliArgs* args, const SarModel* m, const SimulateJob* job,
                          Picture* p, const char* out) {
  Viewpoint view;
  if (!viewpoint_find(m, cli_value(args, "view"), &view))
    return cli_usage_error(
        args->command,
        "--view: expected iso, two of x y z as in xz, or AZIMUTH,ELEVATION as in 35,20, found '%s'",
        cli_value(args, "view"));
  p->canvas.camera = view.camera;
  p->canvas.across = view.across;
  memcpy(p->canvas.axis_label, view.axis_label, sizeof view.axis_label);
  p->film.end = job->run.end;
  Film film;
  int status = film_shoot(m, job, &p->film, &film);
  if (status == EXIT_DONE) status = draw(args, &film, p, out);
  film_free(&film);
  return status;
}

static int check_file(const char* out) {
  SarError err;
  sar_error_init(&err);
  const SarStatus st = surface_check(out, &err);
  cli_print_messages(&err);
  return cli_exit_status(st);
}

static int motion(const CliArgs* args, const char* out, bool still) {
  Picture picture;
  int status = read_options(args, &picture);
  if (still) picture.film.poses = 1;
  if (status == EXIT_DONE) status = check_file(out);
  SimulateJob job = {.path = args->operand[0], .digits = 12};
  if (status == EXIT_DONE) status = simulate_options(args, &job);
  SarModel* m = status == EXIT_DONE ? cli_load(args, job.path, &status) : NULL;
  if (!m) return status;
  status = shoot_and_draw(args, m, &job, &picture, out);
  sar_model_free(m);
  return status;
}

int picture_motion(const CliArgs* args, const char* out) {
  if (args->operand_count != 1) return cli_usage_error(args->command, "--motion draws one MODEL");
  return motion(args, out, false);
}

int picture_still(const CliArgs* args, const char* out) { return motion(args, out, true); }

int picture_size(const CliArgs* args, int* width, int* height) {
  CanvasOptions o = {0};
  const int status = read_size(args, &o);
  if (o.width) *width = o.width, *height = o.height;
  return status;
}
