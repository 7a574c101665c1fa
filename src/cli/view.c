// sarrus view: a window in the browser, live or as a replay; or one html file, a picture, a film.
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/simulate.h"
#include "cli/view_page.h"
#include "cli/view_picture.h"
#include "cli/view_replay.h"

#include "base/clock.h"
#include "sarrus/couple.h"
#include "view/html.h"
#include "view/security.h"
#include "view/server.h"

#include <math.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

extern char** environ;

typedef struct ViewJob {
  const CliArgs* args;
  SarServerOptions server;
  double seconds;  // to serve; 0: until it is stopped
} ViewJob;

// ---- serving ------------------------------------------------------------------------------------

// A viewer may claim that a message of two gigabytes is on its way, and the web server believes it.
// What all of them claim together is bounded by what the process may have: 512 MB beyond what it
// has now.
static void bound_memory(void) {
  enum { ROOM = 512 << 20 };
  unsigned long pages[6] = {0};
  struct rlimit limit;
  FILE* f = fopen("/proc/self/statm", "r");
  if (!f) return;
  const int n = fscanf(f, "%lu %lu %lu %lu %lu %lu", &pages[0], &pages[1], &pages[2], &pages[3],
                       &pages[4], &pages[5]);
  fclose(f);
  if (n != 6 || getrlimit(RLIMIT_DATA, &limit) != 0) return;
  const rlim_t wanted = (rlim_t)pages[5] * (rlim_t)sysconf(_SC_PAGESIZE) + ROOM;
  if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > wanted) limit.rlim_cur = wanted;
  setrlimit(RLIMIT_DATA, &limit);
}

static void open_browser(const char* url) {
  char* const argv[] = {(char*)"xdg-open", (char*)url, NULL};
  pid_t child;
  if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY")) return;
  posix_spawnp(&child, "xdg-open", NULL, NULL, argv, environ);
}

static void say_where(const ViewJob* job, const SarServer* s) {
  const char* bind = job->server.bind;
  if (job->args->json) {
    SarJson j;
    cli_json_begin(&j);
    sar_json_open(&j, NULL, '{');
    sar_json_text(&j, "url", sar_server_url(s));
    sar_json_text(&j, "mode", job->server.session ? "live" : "replay");
    sar_json_bool(&j, "local", sar_is_local(bind));
    sar_json_close(&j, '}');
    sar_json_end(&j);
  } else {
    printf("%s\n", sar_server_url(s));
    if (!sar_is_local(bind))
      printf("Listening on %s: whoever has this address may look%s.\n", bind,
             job->server.remote_control ? " and operate" : "");
    printf("Ctrl-C ends it.\n");
  }
  fflush(stdout);
}

static void serve_until_stopped(const ViewJob* job, SarServer* s) {
  const struct timespec nap = {.tv_nsec = 4000000};
  const double until = sar_clock_wall() + job->seconds;
  while (!cli_interrupted() && !(job->seconds > 0 && sar_clock_wall() > until)) {
    sar_server_pump(s);
    nanosleep(&nap, NULL);
  }
}

static int serve(ViewJob* job) {
  SarServer* s = NULL;
  SarError err;
  sar_error_init(&err);
  const SarStatus st = sar_server_new(&job->server, &s, &err);
  if (st != SAR_OK) {
    cli_report(job->args, job->args->operand[0], st, &err);
    return cli_exit_status(st);
  }
  if (job->server.session && !sar_session_start(job->server.session)) {
    sar_server_free(s);
    return EXIT_INTERNAL;
  }
  bound_memory();
  cli_watch_signals();
  say_where(job, s);
  if (!cli_value(job->args, "no-open")) open_browser(sar_server_url(s));
  serve_until_stopped(job, s);
  sar_server_free(s);
  return EXIT_DONE;
}

static int live(ViewJob* job, const SimulateJob* run, double speed) {
  CliLoading load;
  SarError err;
  SarSession* session = NULL;
  sar_error_init(&err);
  const CliArgs* args = job->args;
  const CliLoad how = {.coordinates = cli_value(args, "coordinates")};
  if (!cli_load_options(args, &how, &load)) return EXIT_USAGE;
  const SarSessionOptions o = {.path = args->operand[0],
                               .load = &load.o,
                               .sim = &run->sim,
                               .end = run->run.end,
                               .speed = speed,
                               .paused = cli_value(args, "paused") != NULL,
                               .waits = true,
                               .attach = cli_value(args, "attach")};
  const SarStatus st = sar_session_new(&o, &session, &err);
  cli_report(args, args->operand[0], st, &err);
  if (st != SAR_OK) return cli_exit_status(st);
  job->server.session = session;
  const int status = serve(job);
  sar_session_free(session);
  return status;
}

// ---- files --------------------------------------------------------------------------------------

static int write_html(const CliArgs* args, const char* path, const char* page,
                      const SarReplay* replay) {
  SarError err;
  CliOutput file;
  sar_error_init(&err);
  SarStatus st = cli_output_begin(args, path, &file, &err);
  if (st == SAR_OK) {
    FILE* out = fopen(cli_output_path(&file), "wb");
    const bool whole = out && sar_view_html(out, page, replay);
    const bool closed = out && fclose(out) == 0;
    if (!whole || !closed) {
      sar_report(&err, (SarLoc){.file = path}, "",
                 out ? "could not be written" : "cannot be opened");
      st = SAR_NO_FILE;
    }
    st = cli_output_end(&file, st, &err);
  }
  cli_print_messages(&err);
  return cli_exit_status(st);
}

static void say_file(const CliArgs* args, const char* path, const SarReplay* replay) {
  size_t bytes = 0;
  for (int i = 0; i < replay->runs; i++) bytes += replay->frames[i].size;
  if (!args->json) {
    printf("%s\n", path);
    return;
  }
  SarJson j;
  cli_json_begin(&j);
  sar_json_open(&j, NULL, '{');
  sar_json_text(&j, "html", path);
  sar_json_integer(&j, "runs", replay->runs);
  sar_json_integer(&j, "frame_bytes", (long)bytes);
  sar_json_close(&j, '}');
  sar_json_end(&j);
}

static int replayed(ViewJob* job, const char* html) {
  SarReplay replay;
  int status = view_replay_make(job->args, &replay);
  const bool any = replay.runs > 0 && replay.scene.text;
  if (any && html) {
    const int written = write_html(job->args, html, job->server.page, &replay);
    if (written == EXIT_DONE) say_file(job->args, html, &replay);
    if (status == EXIT_DONE) status = written;
  } else if (any) {
    job->server.replay = &replay;
    const int served = serve(job);
    if (status == EXIT_DONE) status = served;
  }
  sar_replay_free(&replay);
  return status;
}

// ---- the command --------------------------------------------------------------------------------

static int read_options(const CliArgs* args, ViewJob* job, double* speed) {
  double port = 0;
  *job = (ViewJob){.args = args};
  job->server.bind = cli_value(args, "bind") ? cli_value(args, "bind") : "127.0.0.1";
  job->server.remote_control = cli_value(args, "remote-control") != NULL;
  if (!cli_number(args, "port", &port) || !cli_number(args, "speed", speed) ||
      !cli_positive(args, "seconds", &job->seconds))
    return EXIT_USAGE;
  if (port < 0 || port > 65535 || port != floor(port))
    return cli_usage_error(args->command, "--port: expected a number from 0 to 65535");
  if (*speed != 0 && !(*speed >= 1e-3 && *speed <= 1e3))
    return cli_usage_error(args->command,
                           "--speed: expected 0.001 to 1000, or 0: as fast as it goes");
  job->server.port = (int)port;
  for (int i = 0; i < args->operand_count; i++)
    if (view_is_result(args->operand[i]) != (i > 0))
      return cli_usage_error(args->command,
                             "expected a MODEL, and behind it results of it to replay: sarrus "
                             "view MODEL [RESULT.csv ...]");
  if (cli_value(args, "attach") &&
      (args->operand_count > 1 || cli_value(args, "html") || cli_value(args, "replay") ||
       cli_value(args, "png") || cli_value(args, "video")))
    return cli_usage_error(args->command, "--attach shows a run that is under way, nothing else");
  return EXIT_DONE;
}

// Coupled models are shown live, by the methods and steps that their files say.
static int check_coupled(const CliArgs* args) {
  static const char* const one[] = {"html", "png",   "video",       "replay",      "at",
                                    "view", "size",  "output-step", "formulation", "integrator",
                                    "step", "fixed", "adaptive",    "coordinates", NULL};
  if (!sar_couple_is(args->operand[0])) return EXIT_DONE;
  if (args->operand_count > 1)
    return cli_usage_error(args->command, "results of coupled models are shown one by one");
  for (int i = 0; one[i]; i++)
    if (cli_value(args, one[i]))
      return cli_usage_error(args->command,
                             "--%s is not for coupled models, which are shown live by what their "
                             "files say: take one of the models",
                             one[i]);
  return EXIT_DONE;
}

static int run_view(const CliArgs* args) {
  ViewJob job;
  double speed = 1;
  SarMemoryFile page = {0};
  SimulateJob run = {.path = args->operand[0], .digits = 12};
  const char* html = cli_value(args, "html");
  int status = read_options(args, &job, &speed);
  if (status == EXIT_DONE) status = check_coupled(args);
  if (status == EXIT_DONE) status = simulate_options(args, &run);
  if (status != EXIT_DONE) return status;
  if (cli_value(args, "png") || cli_value(args, "video")) return view_picture(args, &run);
  status = view_page_read(args, &page);
  if (status == EXIT_DONE) {
    job.server.page = page.text;
    const bool replay = html || cli_value(args, "replay") || args->operand_count > 1;
    status = replay ? replayed(&job, html) : live(&job, &run, speed);
  }
  sar_memory_free(&page);
  return status;
}

static const CliOption options[] = {
    {"html", 0, "FILE", "Write one html file that replays the run offline, and end.", "file"},
    {"png", 0, "FILE", "Draw a picture without a display, and end.", "file"},
    {"video", 0, "FILE", "Draw a film without a display (needs ffmpeg), and end.", "file"},
    {"replay", 0, NULL, "Run to the end first, then show it with a time slider.", NULL},
    {"speed", 0, "X", "Simulated seconds per second (default 1); 0: as fast as it goes.", NULL},
    {"paused", 0, NULL, "Begin at rest, until somebody presses run.", NULL},
    {"attach", 0, "NAME",
     "Look at a run of the model that 'sarrus rt --watch NAME' makes; its inputs can be set. Of "
     "coupled models all, or one: NAME.SIMULATOR.",
     NULL},
    {"no-open", 0, NULL, "Only print the address, open no browser.", NULL},
    {"port", 'p', "N", "Port to listen on (default: one that is free).", NULL},
    {"bind", 0, "ADDRESS",
     "Address to listen on (default 127.0.0.1: this machine alone). Viewers from elsewhere may "
     "look, not operate.",
     NULL},
    {"remote-control", 0, NULL, "Viewers from other machines may operate it too.", NULL},
    {"seconds", 0, "N", "End after so long (default: until Ctrl-C).", NULL},
    {"page", 0, "FILE", "Another page than the one that is installed.", "file"},
    {"at", 0, "SECONDS", "When --png shows it (default: at the end).", NULL},
    {"view", 0, "VIEW", "Where --png and --video look from: iso, xz, ... (as of plot --motion).",
     NULL},
    {"size", 0, "WIDTHxHEIGHT", "Pixels of --png and --video.", NULL},
    {"end", 'e', "SECONDS", "Where it pauses, or a replay ends.", NULL},
    {"output-step", 0, "SECONDS", "Distance of the frames of a replay (default: 60 a second).",
     NULL},
    {"formulation", 'f', "NAME", "Equations of motion.", "formulations"},
    {"integrator", 'i', "NAME", "Time stepping.", "integrators"},
    {"step", 's', "SECONDS", "Step.", NULL},
    {"fixed", 0, NULL, "Fixed steps.", NULL},
    {"adaptive", 0, NULL, "Steps under error control.", NULL},
    CLI_SET,
    CLI_COORDINATES,
    CLI_PATH,
    {0}};

const CliCommand cli_command_view = {
    .name = "view",
    .operands = "MODEL [RESULT...]",
    .min_operands = 1,
    .max_operands = 1 + SAR_REPLAY_RUNS,
    .summary = "Watch and operate a model in the browser.",
    .text =
        "Runs the model at the pace of the clock, from the moment somebody looks, and shows it in "
        "a page of the browser: the mechanism in 3D, plots of all outputs, the energy audit, "
        "inputs and parameters to set, run, pause, step, reset, slower and faster; bodies can be "
        "pulled with the mouse. With results (.csv, .h5) of the model it replays them, the first "
        "as it is and the others as ghosts. The page is served to this machine alone and only to "
        "who knows the address with its token.",
    .examples =
        "sarrus view arm.yaml\topen the window\n"
        "sarrus view arm.yaml --html arm.html\tone file that replays offline\n"
        "sarrus view arm.yaml a.csv b.csv\treplay a result, another one as its ghost\n"
        "sarrus view arm.yaml --attach rig\tlook at 'sarrus rt arm.yaml --watch rig'\n"
        "sarrus view arm.yaml --png arm.png --at 2\ta picture at 2 s",
    .options = options,
    .run = run_view,
};
