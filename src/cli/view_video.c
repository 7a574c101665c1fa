// A film of a run as a file (view_video.h). The run is made twice: once for the piece of space that
// all of it needs, once for the pictures, each of which goes to ffmpeg as soon as it is drawn.
#include "cli/view_video.h"

#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/picture.h"
#include "cli/stage.h"
#include "cli/viewpoint.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

static const double RATE = 30;  // pictures a second

typedef struct Video {
  Film film;  // of the whole run
  Film one;   // the same with one pose, that of the picture
  Stage stage;
  SarRaster* raster;
  uint32_t *pixels, *layer;
  Xform* poses;
  int width, height;
  FILE* pipe;
  pid_t child;
  long pictures;
} Video;

// ---- pictures -----------------------------------------------------------------------------------

// What is there times (1 - alpha of the layer), and the layer; both with colours multiplied by
// alpha.
static void lay_over(Video* v, double alpha, double edges) {
  const size_t n = (size_t)v->width * (size_t)v->height;
  sar_raster_resolve(v->raster, edges, 0.75, v->layer);
  for (size_t i = 0; i < n; i++) {
    const uint32_t on = v->layer[i], below = v->pixels[i];
    const double keep = 1 - alpha * (on >> 24) / 255.0;
    uint32_t sum = 0;
    for (int c = 0; c < 32; c += 8) {
      const double x = alpha * (on >> c & 255) + keep * (below >> c & 255);
      sum |= (uint32_t)fmin(255, x + 0.5) << c;
    }
    v->pixels[i] = sum;
  }
}

static void draw(Video* v) {
  const size_t n = (size_t)v->width * (size_t)v->height;
  SarRaster* r = v->raster;
  for (size_t i = 0; i < n; i++) v->pixels[i] = 0xffffffff;
  for (size_t i = 0; i < n * (size_t)r->over * (size_t)r->over; i++) r->base[i] = -INFINITY;
  sar_raster_clear(r);
  stage_ground(&v->stage, r);
  lay_over(v, 1, 0.55);
  sar_raster_keep_base(r);
  sar_raster_clear(r);
  stage_pose(&v->stage, r, 0, false);
  lay_over(v, 1, 0.9);
  sar_raster_forget(r);
  stage_pose(&v->stage, r, 0, true);
  lay_over(v, 0.45, 0.9);
}

static SarStatus on_state(void* context, const SarData* d) {
  Video* v = context;
  const SarScene* scene = v->one.scene;
  const size_t n = (size_t)v->width * (size_t)v->height;
  sar_scene_poses(scene, d, v->poses);
  for (int i = 0; i < scene->count; i++)
    v->one.pose[0].placed[i] = sar_scene_place(scene, d, v->poses, i);
  draw(v);
  v->pictures++;
  return fwrite(v->pixels, sizeof *v->pixels, n, v->pipe) == n ? SAR_OK : SAR_NO_FILE;
}

static bool on_stop(void* context) {
  (void)context;
  return cli_interrupted();
}

// ---- ffmpeg -------------------------------------------------------------------------------------

static int start_ffmpeg(const CliArgs* args, Video* v, const char* path) {
  char size[32], rate[16];
  int ends[2];
  snprintf(size, sizeof size, "%dx%d", v->width, v->height);
  snprintf(rate, sizeof rate, "%g", RATE);
  const char* argv[] = {
      "ffmpeg",   "-loglevel",   "error", "-y",         "-f", "rawvideo", "-pixel_format",
      "bgra",     "-video_size", size,    "-framerate", rate, "-i",       "-",
      "-pix_fmt", "yuv420p",     path,    NULL};
  posix_spawn_file_actions_t actions;
  if (pipe(ends) != 0) return EXIT_INTERNAL;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], 0);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  const int failed = posix_spawnp(&v->child, "ffmpeg", &actions, NULL, (char**)argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[0]);
  v->pipe = failed ? NULL : fdopen(ends[1], "wb");
  if (v->pipe) return EXIT_DONE;
  close(ends[1]);
  return cli_usage_error(args->command,
                         "--video: ffmpeg cannot be started; install it, or take --html FILE");
}

static int end_ffmpeg(Video* v) {
  int status = 0;
  const bool closed = fclose(v->pipe) == 0;
  while (waitpid(v->child, &status, 0) < 0 && errno == EINTR) {
  }
  return closed && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? EXIT_DONE : EXIT_USAGE;
}

// ---- the film -----------------------------------------------------------------------------------

static int set_stage(const CliArgs* args, const SarModel* m, const SimulateJob* job, Video* v) {
  Viewpoint view;
  if (!viewpoint_find(m, cli_value(args, "view"), &view))
    return cli_usage_error(args->command, "--view: expected iso, xz, ... or 35,20");
  const FilmOptions o = {.poses = FILM_MOST_POSES, .traces = "none", .end = job->run.end};
  const int status = film_shoot(m, job, &o, &v->film);
  if (status != EXIT_DONE) return status;
  stage_set(&v->stage, &v->film, &view.camera, view.across);
  sar_camera_fit(&v->stage.camera, stage_extent(&v->stage), 12, 12, v->width - 24, v->height - 24);
  v->one = v->film;
  v->one.poses = 1;
  v->stage.film = &v->one;
  return EXIT_DONE;
}

static bool make_room(Video* v) {
  const size_t n = (size_t)v->width * (size_t)v->height;
  v->raster = sar_raster_new(v->width, v->height, 2);
  v->pixels = sar_alloc(sizeof *v->pixels * n);
  v->layer = sar_alloc(sizeof *v->layer * n);
  v->poses = sar_alloc(sizeof *v->poses * (size_t)(v->film.m->nbody_all + 1));
  return v->raster && v->pixels && v->layer && v->poses;
}

static int shoot(const CliArgs* args, const SarModel* m, const SimulateJob* job, Video* v,
                 const char* path) {
  SarError err;
  SarRun* run = NULL;
  SarRunOptions o = job->run;
  sar_error_init(&err);
  if (!make_room(v)) return EXIT_INTERNAL;
  int status = start_ffmpeg(args, v, path);
  if (status != EXIT_DONE) return status;
  o.sim = &job->sim;
  o.keep_rows = false;
  o.output_step = 1 / RATE;
  o.context = v;
  o.on_state = on_state;
  o.should_stop = on_stop;
  const SarStatus st = sar_run(m, &o, &run, &err);
  sar_run_free(run);
  cli_print_messages(&err);
  status = end_ffmpeg(v);
  return st == SAR_OK ? status : cli_exit_status(st);
}

static void report(const CliArgs* args, const Video* v, const char* path) {
  SarJson j;
  if (!args->json) {
    printf("%s\n", path);
    return;
  }
  cli_json_begin(&j);
  sar_json_open(&j, NULL, '{');
  sar_json_text(&j, "video", path);
  sar_json_integer(&j, "pictures", v->pictures);
  sar_json_integer(&j, "width", v->width);
  sar_json_integer(&j, "height", v->height);
  sar_json_close(&j, '}');
  sar_json_end(&j);
}

int view_video(const CliArgs* args, const SimulateJob* job, const char* path) {
  Video v = {.width = 960, .height = 720};
  int status = picture_size(args, &v.width, &v.height);
  v.width &= ~1, v.height &= ~1;  // as yuv420p wants it
  SarModel* m = status == EXIT_DONE ? cli_load(args, job->path, &status) : NULL;
  if (!m) return status;
  signal(SIGPIPE, SIG_IGN);
  status = set_stage(args, m, job, &v);
  if (status == EXIT_DONE) status = shoot(args, m, job, &v, path);
  if (status == EXIT_DONE) report(args, &v, path);
  film_free(&v.film);
  sar_raster_free(v.raster);
  sar_free(v.pixels);
  sar_free(v.layer);
  sar_free(v.poses);
  sar_model_free(m);
  return status;
}
