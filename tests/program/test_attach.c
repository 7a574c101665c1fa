// The window on a run of another process: sarrus rt --watch, and a session that is attached to it.
#include "support/frame_read.h"
#include "support/model_file.h"
#include "support/program.h"

#include "base/clock.h"
#include "view/session.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#define ARM SARRUS_SOURCE_DIR "/examples/realtime/arm.yaml"

static void nap(double seconds) {
  const struct timespec t = {.tv_nsec = (long)(1e9 * seconds)};
  nanosleep(&t, NULL);
}

static const char* run_name(char name[40]) {
  snprintf(name, 40, "attach%d", (int)getpid());
  return name;
}

// The run in a process of its own.
static pid_t launch(const char* model, const char* name) {
  const pid_t child = fork();
  if (child != 0) return child;
  char out[200];
  snprintf(out, sizeof out, "%s/run.out", program_folder);
  if (!freopen(out, "w", stdout)) _exit(9);
  execl(SARRUS_BINARY_DIR "/sarrus", "sarrus", "rt", model, "--rate", "500", "--forever",
        "--scheduler", "none", "--no-lock", "--policy", "skip", "--watch", name, "--json",
        (char*)NULL);
  _exit(9);
}

static void finish(pid_t child) {
  int status;
  kill(child, SIGTERM);
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 0);
}

// Attached as soon as the run is there.
static SarSession* attach(const char* model, const char* name) {
  const SarSessionOptions o = {.path = model, .speed = 1, .attach = name};
  SarSession* s = NULL;
  SarStatus st = SAR_NO_FILE;
  for (double until = sar_clock_wall() + 60; st == SAR_NO_FILE && sar_clock_wall() < until;
       nap(0.02)) {
    SarError err;
    sar_error_init(&err);
    st = sar_session_new(&o, &s, &err);
    if (st != SAR_OK && st != SAR_NO_FILE) fail_msg("%s", err.items[0].text);
  }
  EXPECT_OK(st);
  assert_true(sar_session_start(s));
  return s;
}

// The next frame of the session.
static Frame next(SarSession* s) {
  size_t size;
  for (double until = sar_clock_wall() + 60; sar_clock_wall() < until; nap(0.002)) {
    const unsigned char* bytes = sar_session_frame(s, &size);
    if (bytes) return frame_read(bytes, size);
  }
  fail_msg("no frame came");
  return (Frame){0};
}

static bool command(SarSession* s, const char* text, char error[200]) {
  SarCommand c;
  error[0] = 0;
  assert_true(sar_command_parse(text, strlen(text), &c, error, 200));
  return sar_session_command(s, &c, error, 200);
}

// Frames are those of the other process: time goes on, positions fit the outputs; inputs reach it;
// nothing else does.
static void frames_are_those_of_the_run(void** state) {
  (void)state;
  char name[40], error[200];
  const pid_t child = launch(ARM, run_name(name));
  assert_true(child > 0);
  SarSession* s = attach(ARM, name);
  const SarModel* m = sar_data_model(sar_session_data(s));
  const int angle = sar_model_find(m, SAR_ITEM_OUTPUT, "shoulder.q");
  assert_true(angle >= 0);
  double before = -1;
  for (int i = 0; i < 5; i++) {
    const Frame f = next(s);
    assert_true(f.time > before);
    assert_true(isfinite(frame_f64(f.values + 8 * angle)));
    before = f.time;
  }
  assert_false(command(s, "{\"type\":\"pause\"}", error));
  expect_has(error, "keeps its own clock");
  assert_false(command(s, "{\"type\":\"reset\"}", error));
  const char* input = sar_model_name(m, SAR_ITEM_INPUT, 0);
  char text[200];
  snprintf(text, sizeof text, "{\"type\":\"input\",\"name\":\"%s\",\"value\":3.5}", input);
  assert_true(command(s, text, error));
  double got = 0;
  for (int i = 0; i < 600 && got != 3.5; i++) {
    next(s);
    got = sar_get_inputs(sar_session_data(s))[0];
  }
  assert_true(got == 3.5);
  // a second one may look and not operate
  SarSession* other = attach(ARM, name);
  (void)next(other);
  sar_session_free(s);
  finish(child);
  // the end is told
  SarNote note;
  bool told = false;
  for (double until = sar_clock_wall() + 30; !told && sar_clock_wall() < until; nap(0.01))
    while (sar_session_note(other, &note)) told = told || strstr(note.text, "has ended") != NULL;
  assert_true(told);
  sar_session_free(other);
}

static void what_is_not_there_is_told(void** state) {
  (void)state;
  char name[40], line[300], page[200];
  snprintf(page, sizeof page, "%s/page.html", program_folder);
  FILE* f = fopen(page, "w");
  assert_non_null(f);
  fputs("<!doctype html><html><head></head><body></body></html>\n", f);
  fclose(f);
  const Result* r = expect_status_of(
      sarrus("view " SARRUS_SOURCE_DIR
             "/examples/pendulum.yaml --attach nobody --no-open --page @page.html"),
      2);
  expect_has(r->err, "there is no run 'nobody'");
  expect_has(r->err, "--watch NAME");
  // a run of another model
  const pid_t child = launch(ARM, run_name(name));
  SarSession* s = attach(ARM, name);
  snprintf(line, sizeof line,
           "view " SARRUS_SOURCE_DIR
           "/examples/pendulum.yaml --attach %s --no-open --page @page.html",
           name);
  r = expect_status_of(sarrus(line), 3);
  expect_has(r->err, "is not one of this model");
  sar_session_free(s);
  finish(child);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(frames_are_those_of_the_run),
      cmocka_unit_test(what_is_not_there_is_told),
  };
  return cmocka_run_group_tests(tests, program_begin, program_end);
}
