// A run, kept for a picture (film.h): the run that `sarrus run` makes, with its frames and its
// verdict.
#include "cli/film.h"

#include "view/traces.h"

#include <math.h>
#include <string.h>

// Enough that paths of points are smooth curves also where a long run swings to and fro.
enum { FRAMES = 2000, MOST_FRAMES = 12000 };

typedef struct Shooting {
  Film* film;
  Xform* poses;  // of the bodies, now
  int taken;     // frames that came
} Shooting;

// ---- times -----------------------------------------------------------------------------------

// The distance of frames: the file's, or every fixed step.
static double frame_step(const SarModel* m, const SimulateJob* job, double end) {
  const double step = job->sim.step > 0 ? job->sim.step : m->sim.step;
  double dt = m->sim.output_step > 0 ? m->sim.output_step : end / FRAMES;
  if (!(m->sim.output_step > 0) && step > 0) dt = step;
  return dt * fmax(1, ceil(end / dt / MOST_FRAMES));
}

// 0, dt, 2 dt, ..., end, and among them the times asked for.
static bool make_times(Film* film, const FilmOptions* o, double dt, double end) {
  const int most = (int)(end / dt) + 3 + o->at_count;
  double* t = film->time = SAR_ARENA_ARRAY(&film->arena, double, most);
  if (!t) return false;
  int n = 0, k = 0;
  for (int i = 0; i * dt < end - 1e-9 * end; i++) {
    for (; k < o->at_count && o->at[k] <= i * dt * (1 + 1e-9); k++)
      if (o->at[k] < i * dt * (1 - 1e-9)) t[n++] = o->at[k];
    t[n++] = i * dt;
  }
  for (; k < o->at_count; k++)
    if (o->at[k] < end * (1 - 1e-9)) t[n++] = o->at[k];
  t[n++] = end;
  film->frames = n;
  return true;
}

static int frame_at(const Film* film, double t) {
  int best = 0;
  for (int i = 1; i < film->frames; i++)
    if (fabs(film->time[i] - t) < fabs(film->time[best] - t)) best = i;
  return best;
}

// The frame of each pose, in `t`, until it is taken.
static void choose_poses(Film* film, const FilmOptions* o) {
  film->poses = o->at_count > 0 ? o->at_count : o->poses;
  if (film->poses > film->frames) film->poses = film->frames;
  for (int i = 0; i < film->poses; i++)
    film->pose[i].t = o->at_count > 0 ? frame_at(film, o->at[i])
                      : film->poses > 1
                          ? floor((double)i * (film->frames - 1) / (film->poses - 1) + 0.5)
                          : film->frames - 1;
}

// ---- points whose paths are drawn ---------------------------------------------------------------

static int add_wanted(Film* film, const CliArgs* args, const char* list, SarTraceList* out) {
  while (*list) {
    const size_t n = strcspn(list, ",");
    const char* name = sar_arena_strndup(&film->arena, list, n);
    if (!name) return EXIT_INTERNAL;
    if (out->count >= FILM_MOST_TRACES)
      return cli_usage_error(args->command, "--trace: at most %d points", FILM_MOST_TRACES);
    if (!sar_trace_named(film->m, &film->arena, name, out))
      return cli_usage_error(args->command, "--trace: no point or body is called '%s'", name);
    list += n + (list[n] == ',');
  }
  return EXIT_DONE;
}

static int choose_traces(Film* film, const CliArgs* args, const FilmOptions* o) {
  SarTraceList list = {0};
  int status = EXIT_DONE;
  if (o->traces && strcmp(o->traces, "none") == 0) return EXIT_DONE;
  if (o->traces)
    status = add_wanted(film, args, o->traces, &list);
  else
    sar_trace_usual(film->m, &film->arena, FILM_MOST_TRACES, &list);
  for (int i = 0; i < list.count; i++) {
    const SarTrace* t = &list.items[i];
    V3* at = SAR_ARENA_ARRAY(&film->arena, V3, film->frames);
    if (at) film->trace[film->traces++] = (FilmTrace){t->name, t->body, t->point, at};
  }
  return status;
}

// ---- the run ------------------------------------------------------------------------------------

static void keep_pose(Shooting* s, FilmPose* pose, const SarData* d) {
  Film* film = s->film;
  SarArena* arena = &film->arena;
  const SarScene* scene = film->scene;
  pose->t = d->t;
  pose->placed = SAR_ARENA_ARRAY(arena, SarPlaced, scene->count + 1);
  pose->arrow = SAR_ARENA_ARRAY(arena, SarArrow, scene->most_arrows + 1);
  pose->poses = SAR_ARENA_ARRAY(arena, Xform, film->m->nbody_all + 1);
  if (arena->failed) return;
  memcpy(pose->poses, s->poses, sizeof(Xform) * (size_t)film->m->nbody);
  for (int i = 0; i < scene->count; i++) pose->placed[i] = sar_scene_place(scene, d, s->poses, i);
  pose->arrows = 0;  // of a picture all are to one scale, of forces
  const int n = sar_scene_arrows(scene, d, s->poses, pose->arrow);
  for (int i = 0; i < n; i++)
    if (pose->arrow[i].kind != SAR_ARROW_TORQUE) pose->arrow[pose->arrows++] = pose->arrow[i];
}

static SarStatus on_state(void* context, const SarData* d) {
  Shooting* s = context;
  Film* film = s->film;
  const int frame = s->taken++;
  if (frame >= film->frames) return SAR_OK;
  sar_scene_poses(film->scene, d, s->poses);
  for (int i = 0; i < film->traces; i++) {
    const FilmTrace* t = &film->trace[i];
    t->at[frame] = t->body < 0 ? t->point : x_point(s->poses[t->body], t->point);
  }
  for (int i = 0; i < film->poses; i++)
    if (!film->pose[i].placed && film->pose[i].t == frame) keep_pose(s, &film->pose[i], d);
  if (film->arena.failed) return SAR_NO_MEMORY;
  return frame + 1 == film->frames ? sar_data_copy(film->last, d) : SAR_OK;
}

static SarStatus prepare(const SarModel* m, const SimulateJob* job, const FilmOptions* o,
                         Film* film, SarError* err) {
  double end = o->end > 0 ? o->end : m->sim.end > 0 ? m->sim.end : 10;
  if (o->at_count > 0) end = fmax(o->at[o->at_count - 1], o->end);
  SAR_TRY(sar_scene_new(m, &film->scene));
  SAR_TRY(sar_data_new(m, &film->last, err));
  return make_times(film, o, frame_step(m, job, end), end) ? SAR_OK : SAR_NO_MEMORY;
}

// A point that hardly moves has no path to be seen.
static void drop_resting_traces(Film* film) {
  int n = 0;
  for (int i = 0; i < film->traces; i++) {
    double far = 0;
    for (int k = 1; k < film->frames; k++)
      far = fmax(far, v3_norm(v3_sub(film->trace[i].at[k], film->trace[i].at[0])));
    if (far > 0.01 * film->scene->reach) film->trace[n++] = film->trace[i];
  }
  film->traces = n;
}

int film_shoot(const SarModel* m, const SimulateJob* job, const FilmOptions* o, Film* film) {
  SarError err;
  sar_error_init(&err);
  *film = (Film){.m = m};
  sar_arena_init(&film->arena);
  SarStatus st = prepare(m, job, o, film, &err);
  if (st == SAR_OK) {
    choose_poses(film, o);
    const int status = choose_traces(film, job->args, o);
    if (status != EXIT_DONE) return status;
  }
  Shooting s = {.film = film, .poses = SAR_ARENA_ARRAY(&film->arena, Xform, m->nbody_all + 1)};
  if (film->arena.failed) st = SAR_NO_MEMORY;
  SarRun* shot = NULL;
  if (st == SAR_OK) {
    SarRunOptions run = job->run;
    run.sim = &job->sim;
    run.end = film->time[film->frames - 1];
    run.times = film->time;
    run.time_count = (size_t)film->frames;
    run.keep_rows = false;
    run.context = &s;
    run.on_state = on_state;
    st = sar_run(m, &run, &shot, &err);
  }
  if (st == SAR_OK) drop_resting_traces(film);
  cli_print_messages(&err);
  const char* trouble = shot ? sar_run_report(shot)->trouble : "";
  if (trouble[0]) fprintf(stderr, "sarrus plot: %s\n", trouble);
  sar_run_free(shot);
  return cli_exit_status(st);
}

void film_free(Film* film) {
  sar_scene_free(film->scene);
  sar_data_free(film->last);
  sar_arena_free(&film->arena);
}
