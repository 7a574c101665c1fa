// What viewers cost the loop: fifty that read and one that never does, beside nobody, in turns.
// Asked is the CPU time of the thread that steps, a step, at 1 kHz; for a session that steps by
// itself and for a run that the window is attached to.
//   SARRUS_TEST_EFFORT=10 build/tests/program_test_viewers    forty windows of each instead of four
#include "support/model_file.h"
#include "support/ports.h"
#include "support/web_client.h"

#include "base/clock.h"
#include "realtime/realtime.h"
#include "view/server.h"
#include "view/session_parts.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>

enum { READERS = 50, MOST_WINDOWS = 400 };
static const double WINDOW = 0.5;  // s
// Of the CPU time of a step alone: 1.05 is what it should be at most; a test on a machine that does
// other things as well can ask for no more than this.
static const double FAILURE = 2;
static const char PAGE[] = "<!doctype html><html><head></head><body></body></html>\n";

// ---- viewers, in a process of their own ---------------------------------------------------------

typedef struct Audience {
  pid_t child;
  int order, answer;  // pipes
} Audience;

// Reads and drops what comes to the first `n` until there is an order.
static void look_on(const int* socket, int n, int order) {
  static char buffer[1 << 16];
  struct pollfd p[READERS + 1];
  for (int i = 0; i < n; i++) p[i] = (struct pollfd){socket[i], POLLIN, 0};
  p[n] = (struct pollfd){order, POLLIN, 0};
  for (;;) {
    if (poll(p, (nfds_t)n + 1, -1) < 0 && errno != EINTR) _exit(1);
    if (p[n].revents) return;
    for (int i = 0; i < n; i++)
      if (p[i].revents && recv(p[i].fd, buffer, sizeof buffer, MSG_DONTWAIT) == 0) p[i].fd = -1;
  }
}

static void audience(int order, int answer) {
  WebAddress at;
  int socket[READERS + 1], status;
  while (read(order, &at, sizeof at) == (ssize_t)sizeof at) {
    int n = 0;
    for (; n <= READERS; n++)
      if ((socket[n] = web_upgrade(&at, at.token, "", &status)) < 0) break;
    if (write(answer, &n, sizeof n) != (ssize_t)sizeof n) _exit(1);
    look_on(socket, n > READERS ? READERS : n, order);  // the last of them never reads
    char end;
    if (read(order, &end, 1) != 1) _exit(0);
    for (int i = 0; i < n; i++) close(socket[i]);
    if (write(answer, &n, sizeof n) != (ssize_t)sizeof n) _exit(1);
  }
  _exit(0);
}

static Audience gather(void) {
  int to[2], from[2];
  assert_true(pipe(to) == 0 && pipe(from) == 0);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    close(to[1]);
    close(from[0]);
    audience(to[0], from[1]);
  }
  close(to[0]);
  close(from[1]);
  return (Audience){child, to[1], from[0]};
}

static void come(const Audience* a, const WebAddress* at) {
  int n = 0;
  assert_int_equal(write(a->order, at, sizeof *at), sizeof *at);
  assert_int_equal(read(a->answer, &n, sizeof n), sizeof n);
  assert_int_equal(n, READERS + 1);
}

static void leave(const Audience* a, const SarServer* server) {
  int n;
  assert_int_equal(write(a->order, "x", 1), 1);
  assert_int_equal(read(a->answer, &n, sizeof n), sizeof n);
  for (double until = sar_clock_wall() + 60; sar_server_clients(server) > 0;) {
    assert_true(sar_clock_wall() < until);
    port_pause(0.01);
  }
}

static void dismiss(const Audience* a) {
  close(a->order);
  close(a->answer);
  while (waitpid(a->child, NULL, 0) < 0 && errno == EINTR) continue;
}

// ---- the loop that is looked at -----------------------------------------------------------------

typedef struct World {
  SarModel* m;
  SarRealtime* rt;  // NULL: the session steps by itself
  SarSession* session;
  SarServer* server;
  WebAddress at;
  pthread_t pump;
  atomic_bool stop;
} World;

static void* pump(void* context) {
  World* w = context;
  while (!atomic_load(&w->stop)) {
    sar_server_pump(w->server);
    port_pause(0.004);  // as the program does
  }
  return NULL;
}

static void begin(World* w, const char* model, bool attached) {
  static char name[64], path[512];
  SarError err;
  sar_error_init(&err);
  *w = (World){0};
  model_path(path, sizeof path, model);
  if (attached) {
    const SarRtPort port = {"watch", port_name(name, "viewers")};
    SarRtOptions o = sar_rt_options();
    o.end = (double)INFINITY;
    o.ports = &port;
    o.port_count = 1;
    o.scheduling = SAR_RT_AS_IS;
    o.lock_memory = false;
    w->m = model_file(model, NULL);
    EXPECT_OK_OR(sar_rt_new(w->m, &o, &w->rt, &err), &err);
    EXPECT_OK_OR(sar_rt_start(w->rt, &err), &err);
  }
  SarSimOptions sim = sar_sim_options();
  sim.step = 1e-3;
  sim.adaptive = SAR_STEPS_FIXED;
  const SarSessionOptions o = {
      .path = path, .speed = 1, .end = -1, .sim = &sim, .attach = attached ? name : NULL};
  EXPECT_OK_OR(sar_session_new(&o, &w->session, &err), &err);
  const SarServerOptions so = {.bind = "127.0.0.1", .page = PAGE, .session = w->session};
  EXPECT_OK_OR(sar_server_new(&so, &w->server, &err), &err);
  w->at = web_address(sar_server_url(w->server));
  assert_true(sar_session_start(w->session));
  assert_int_equal(pthread_create(&w->pump, NULL, pump, w), 0);
}

static void end(World* w) {
  atomic_store(&w->stop, true);
  pthread_join(w->pump, NULL);
  sar_server_free(w->server);
  sar_session_free(w->session);
  sar_rt_free(w->rt);
  sar_model_free(w->m);
}

// Of the thread that steps: CPU time and steps so far.
typedef struct Used {
  double cpu, steps;
} Used;

static Used used(const World* w) {
  struct timespec t;
  clockid_t clock;
  SarRtReport r = {0};
  assert_int_equal(pthread_getcpuclockid(w->rt ? w->rt->thread : w->session->thread, &clock), 0);
  if (w->rt) EXPECT_OK(sar_rt_report(w->rt, &r));
  clock_gettime(clock, &t);
  const double steps = w->rt ? (double)r.frames : (double)*(volatile uint64_t*)&w->session->steps;
  return (Used){(double)t.tv_sec + 1e-9 * (double)t.tv_nsec, steps};
}

static double window(const World* w) {
  port_pause(0.1);  // connections settle
  const Used before = used(w);
  port_pause(WINDOW);
  const Used after = used(w);
  assert_true(after.steps > before.steps);
  return (after.cpu - before.cpu) / (after.steps - before.steps);
}

static int rising(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static void compare(const char* model, bool attached) {
  double cost[2][MOST_WINDOWS], ratio[MOST_WINDOWS];
  World w;
  const Audience a = gather();  // before there is any thread
  const int n = (int)fmin(test_effort(4), MOST_WINDOWS);
  begin(&w, model, attached);
  for (int i = 0; i < n; i++) {
    // who is first changes, so that a load that grows is in both
    for (int k = 0; k < 2; k++) {
      const bool watched = (i + k) % 2;
      if (watched) come(&a, &w.at);
      cost[watched][i] = window(&w);
      if (watched) leave(&a, w.server);
    }
    ratio[i] = cost[1][i] / cost[0][i];
  }
  end(&w);
  dismiss(&a);
  qsort(ratio, (size_t)n, sizeof *ratio, rising);
  for (int k = 0; k < 2; k++) qsort(cost[k], (size_t)n, sizeof **cost, rising);
  print_message(
      "%s, %s: %.4g us of CPU time a step alone, %.4g with %d viewers and one that never reads "
      "(least of %d windows): %.3f; medians %.4g and %.4g, of pairs %.3f\n",
      model, attached ? "attached to a run" : "stepped by the window", 1e6 * cost[0][0],
      1e6 * cost[1][0], READERS, n, cost[1][0] / cost[0][0], 1e6 * cost[0][n / 2],
      1e6 * cost[1][n / 2], ratio[n / 2]);
  assert_true(cost[1][0] < FAILURE * cost[0][0]);
}

static void viewers_cost_the_run_nothing(void** state) {
  (void)state;
  skip_if_sanitized();
  if (!sar_server_is_built()) skip();
  compare("iltis.yaml", true);
}

static void viewers_cost_the_session_nothing(void** state) {
  (void)state;
  skip_if_sanitized();
  if (!sar_server_is_built()) skip();
  compare("iltis.yaml", false);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(viewers_cost_the_run_nothing),
      cmocka_unit_test(viewers_cost_the_session_nothing),
  };
  signal(SIGPIPE, SIG_IGN);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
