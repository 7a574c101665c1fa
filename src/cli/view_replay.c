// What `sarrus view` replays (view_replay.h).
#include "cli/view_replay.h"

#include "cli/files.h"
#include "cli/interrupt.h"
#include "view/record.h"

#include <math.h>
#include <string.h>
#include <strings.h>

static const double FRAME_RATE = 60;
enum { MOST_FRAMES = 3600 };

bool view_is_result(const char* path) {
  const char* dot = strrchr(path, '.');
  return dot && (strcasecmp(dot, ".csv") == 0 || strcasecmp(dot, ".h5") == 0 ||
                 strcasecmp(dot, ".hdf5") == 0);
}

static const char* base_name(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static bool on_stop(void* context) {
  (void)context;
  return cli_interrupted();
}

// Frames as often as a screen shows them, at whole steps where these are fixed; fewer of a long
// run.
static double frame_step(const SarModel* m, const SimulateJob* job) {
  SarModelInfo info;
  sar_model_info(m, &info);
  if (job->run.output_step > 0) return job->run.output_step;
  const double end = job->run.end > 0 ? job->run.end : info.end > 0 ? info.end : 10;
  const double step = job->sim.step > 0 ? job->sim.step : info.step;
  double dt = fmax(1 / FRAME_RATE, end / MOST_FRAMES);
  // what is over in a moment is worth as many frames
  if (end < 2) dt = end / (2 * FRAME_RATE);
  return step > 0 ? step * fmax(1, floor(dt / step + 0.5)) : dt;
}

static int record_run(const SarModel* m, const SimulateJob* job, SarRecording* r, const char* name,
                      const SarTable* times) {
  SarError err;
  SarRun* run = NULL;
  SarRunOptions o = job->run;
  double* at = NULL;
  sar_error_init(&err);
  o.sim = &job->sim;
  o.should_stop = on_stop;
  o.output_step = frame_step(m, job);
  if (times) {
    const size_t rows = sar_table_rows(times), columns = (size_t)sar_table_columns(times);
    const int time = sar_table_find(times, "time");
    at = sar_alloc(sizeof(double) * (rows + 1));
    for (size_t i = 0; at && i < rows; i++)
      at[i] = sar_table_values(times)[i * columns + (size_t)time];
    o.times = at, o.time_count = rows;
  }
  const SarStatus st = times && !at ? SAR_NO_MEMORY : sar_record_run(r, &o, name, &run, &err);
  cli_print_messages(&err);
  const char* trouble = run ? sar_run_report(run)->trouble : "";
  if (trouble[0]) fprintf(stderr, "sarrus view: %s\n", trouble);
  sar_run_free(run);
  sar_free(at);
  return cli_exit_status(st);
}

// Results have what the model puts out, which need not be all coordinates. Then the motion is
// computed once more.
static int record_result(const SarModel* m, const SimulateJob* job, SarRecording* r,
                         const char* path) {
  SarError err;
  SarTable* t = NULL;
  SarResultUse use;
  sar_error_init(&err);
  cli_input(NULL, path);
  SarStatus st = sar_table_load(path, &t, &err);
  if (st == SAR_OK) st = sar_record_table(r, t, base_name(path), &use, &err);
  cli_print_messages(&err);
  int status = t ? cli_exit_status(st) : EXIT_USAGE;
  if (t && st == SAR_NOT_OFFERED && sar_table_find(t, "time") >= 0 && use.rows > 0) {
    fprintf(stderr,
            "sarrus view: %s: %d of %d coordinates are not among its columns: the motion is "
            "simulated anew at its times\n",
            cli_shown(path), use.missing, use.coordinates);
    status = record_run(m, job, r, base_name(path), t);
  } else if (t && st == SAR_NOT_OFFERED) {
    status = cli_usage_error(job->args->command, "%s: expected a column 'time' and rows",
                             cli_shown(path));
  }
  sar_table_free(t);
  return status;
}

int view_replay_make(const CliArgs* args, SarReplay* out) {
  SimulateJob job = {.path = args->operand[0], .digits = 12};
  SarRecording r = {0};
  SarViewSource source = {0};
  CliLoading load;
  SarError err;
  SarModel* m = NULL;
  *out = (SarReplay){0};
  sar_error_init(&err);
  int status = simulate_options(args, &job);
  if (status != EXIT_DONE) return status;
  const CliLoad how = {.coordinates = cli_value(args, "coordinates")};
  if (!cli_load_options(args, &how, &load)) return EXIT_USAGE;
  SarStatus st = sar_view_source_begin(&source, job.path, NULL, &load.o, &m, &err);
  if (st == SAR_OK) st = sar_recording_begin(&r, m, out, &err);
  cli_report(args, job.path, st, &err);
  status = cli_exit_status(st);
  r.source = &source;
  if (status == EXIT_DONE && args->operand_count == 1)
    status = record_run(m, &job, &r, base_name(job.path), NULL);
  for (int i = 1; i < args->operand_count && status == EXIT_DONE; i++)
    status = record_result(m, &job, &r, args->operand[i]);
  if (out->runs > 0 && sar_recording_finish(&r) != SAR_OK) status = EXIT_INTERNAL;
  sar_recording_end(&r);
  sar_model_free(m);
  sar_view_source_end(&source);
  return status;
}
