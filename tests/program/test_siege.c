// The window's program under siege: wrong tokens, wrong origins, paths that lead out, frames that
// are too long, connections that are begun and left, and as many connects as go. All of it is
// refused, the memory of the program (RSS) stays where it was, and who knows the token is served
// all the while.
//   tools/run-siege 600        ten minutes of it; the test makes a few seconds
#include "support/program.h"
#include "support/web_client.h"

#include "base/clock.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>

enum { HALF = 40, SAMPLES = 20, STORMS = 2 };
static const double STORM = 6000;  // connects a second of each

// ---- the program --------------------------------------------------------------------------------

typedef struct Besieged {
  pid_t child;
  FILE* out;
  WebAddress at;
} Besieged;

static Besieged start(void) {
  int out[2];
  char page[300], line[300], model[300];
  snprintf(page, sizeof page, "%s/page.html", program_folder);
  snprintf(model, sizeof model, "%s/examples/pendulum.yaml", SARRUS_SOURCE_DIR);
  write_file("page.html", "<!doctype html><html><head></head><body></body></html>\n");
  assert_int_equal(pipe(out), 0);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    dup2(out[1], STDOUT_FILENO);
    close(out[0]);
    execl(SARRUS_BINARY_DIR "/sarrus", "sarrus", "view", model, "--page", page, "--no-open",
          "--end", "1e9", (char*)NULL);
    _exit(9);
  }
  close(out[1]);
  FILE* f = fdopen(out[0], "r");
  assert_non_null(fgets(line, sizeof line, f));
  return (Besieged){child, f, web_address(line)};
}

static void stop(Besieged* b) {
  int status;
  kill(b->child, SIGINT);
  while (waitpid(b->child, &status, 0) < 0 && errno == EINTR) continue;
  fclose(b->out);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 0);
}

static double resident(pid_t pid) {
  char path[64];
  unsigned long pages = 0;
  snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
  FILE* f = fopen(path, "r");
  assert_non_null(f);
  assert_int_equal(fscanf(f, "%*u %lu", &pages), 1);
  fclose(f);
  return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

// Who knows the token gets the page and frames.
static void expect_served(const WebAddress* at) {
  int status, opcode;
  size_t size;
  char path[200];
  snprintf(path, sizeof path, "/?token=%s", at->token);
  for (double until = sar_clock_wall() + 60; (status = web_status(at->port, path, NULL)) != 200;)
    if (sar_clock_wall() > until) fail_msg("the page is not served: %d", status);
  int s = -1;
  for (double until = sar_clock_wall() + 60; s < 0 && sar_clock_wall() < until;)
    s = web_upgrade(at, at->token, "", &status);
  assert_true(s >= 0);
  for (int frames = 0; frames < 3;) {
    unsigned char* data = web_read(s, &opcode, &size);
    assert_non_null(data);
    frames += opcode == 2;
    free(data);
  }
  close(s);
}

static void nap(double seconds) {
  const struct timespec t = {.tv_sec = (time_t)seconds,
                             .tv_nsec = (long)(1e9 * (seconds - (double)(time_t)seconds))};
  nanosleep(&t, NULL);
}

// ---- attacks ------------------------------------------------------------------------------------

typedef struct Siege {
  WebAddress at;
  atomic_bool stop;
  atomic_long connects, refused, wrong;
} Siege;

// The end of a connection by a reset: the port is free at once, so that there are always enough of
// them.
static void drop(int s) {
  const struct linger now = {1, 0};
  setsockopt(s, SOL_SOCKET, SO_LINGER, &now, sizeof now);
  close(s);
}

// Waits for nothing: where the queue of those who wait is full, the connect is one more that is
// refused.
static void* storm(void* context) {
  Siege* x = context;
  const struct sockaddr_in to = {.sin_family = AF_INET,
                                 .sin_port = htons((uint16_t)x->at.port),
                                 .sin_addr = {htonl(INADDR_LOOPBACK)}};
  const double begin = sar_clock_wall();
  for (long i = 0; !atomic_load(&x->stop); i++) {
    if (i % 50 == 0 && i > STORM * (sar_clock_wall() - begin)) nap(0.004);
    const int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (s < 0) continue;
    const bool there =
        connect(s, (const struct sockaddr*)&to, sizeof to) == 0 || errno == EINPROGRESS;
    atomic_fetch_add(&x->connects, there);
    if (there && i % 16 == 0) web_send(s, "GET / HTTP/1.1\r\nHost: ", (size_t)(i / 16 % 22));
    drop(s);
  }
  return NULL;
}

static void ask(Siege* x, const char* path, const char* headers) {
  const int status = web_status(x->at.port, path, headers);
  if (status == 200 || status == 101)
    atomic_fetch_add(&x->wrong, 1);
  else
    atomic_fetch_add(&x->refused, 1);
}

// A true viewer that turns bad: 1 MB where 4096 bytes are allowed, or a length that no memory has.
static void overdo(Siege* x, bool huge) {
  static const unsigned char end[] = {0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff,
                                      0xff, 0xff, 0xff, 0,    0,    0,    0};
  static const unsigned char large[] = {0x81, 0xff, 0, 0, 0, 0, 0, 0x10, 0, 0, 1, 2, 3, 4};
  char text[4096];
  int status;
  const int s = web_upgrade(&x->at, x->at.token, "", &status);
  if (s < 0) return;
  memset(text, 'x', sizeof text);
  web_send(s, huge ? end : large, sizeof end);
  for (int i = 0; i < 8 && web_send(s, text, sizeof text); i++) continue;
  atomic_fetch_add(&x->refused, 1);
  drop(s);
}

static void* assault(void* context) {
  static const char* const outside[] = {"/../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd",
                                        "/..%5c..%5cx", "/page.html", "/frames.bin"};
  Siege* x = context;
  int half[HALF];
  char path[300], headers[300];
  for (int i = 0; i < HALF; i++) half[i] = -1;
  for (long i = 0; !atomic_load(&x->stop); i++) {
    ask(x, "/?token=0123456789abcdef0123456789abcdef", NULL);
    snprintf(path, sizeof path, "%s?token=%s", outside[i % 5], x->at.token);
    ask(x, path, NULL);
    snprintf(path, sizeof path, "/scene.json?token=%s", x->at.token);
    snprintf(headers, sizeof headers, "Host: 127.0.0.1:%d\r\nOrigin: http://evil.example\r\n",
             x->at.port);
    ask(x, path, headers);
    ask(x, path, "Host: evil.example\r\n");
    overdo(x, i % 2);
    int* s = &half[i % HALF];  // the oldest of those that were begun and left
    if (*s >= 0) drop(*s);
    *s = web_connect(x->at.port, 1);
    if (*s >= 0) web_send(*s, "GET /live?tok", (size_t)(i % 13));
  }
  for (int i = 0; i < HALF; i++)
    if (half[i] >= 0) close(half[i]);
  return NULL;
}

static void memory_stays_where_it_was(void** state) {
  (void)state;
  skip_if_sanitized();  // whose allocator keeps what is given back
  const char* given = getenv("SARRUS_SIEGE_SECONDS");
  const double seconds = given ? atof(given) : 0.02 * test_effort(200);
  Besieged b = start();
  Siege x = {.at = b.at};
  pthread_t thread[1 + STORMS];
  expect_served(&b.at);
  assert_int_equal(pthread_create(&thread[0], NULL, assault, &x), 0);
  for (int i = 1; i <= STORMS; i++)
    assert_int_equal(pthread_create(&thread[i], NULL, storm, &x), 0);
  double early = 0, late = 0;
  for (int i = 0; i < SAMPLES; i++) {
    nap(seconds / SAMPLES);
    const double now = resident(b.child);
    // the most of the second quarter, when all threads and pools are there, and of the last
    if (i >= SAMPLES / 4 && i < SAMPLES / 2 && now > early) early = now;
    if (i >= 3 * SAMPLES / 4 && now > late) late = now;
    if (given) print_message("%6.0f s: RSS %.2f MB\n", seconds * (i + 1) / SAMPLES, 1e-6 * now);
    if (i % 5 == 4) expect_served(&b.at);
  }
  atomic_store(&x.stop, true);
  for (int i = 0; i <= STORMS; i++) pthread_join(thread[i], NULL);
  expect_served(&b.at);
  print_message(
      "%.3g s: %ld connects (%.0f a second), %ld requests and frames refused, %ld not; RSS at most "
      "%.2f MB in the second quarter, %.2f MB in the last\n",
      seconds, atomic_load(&x.connects), (double)atomic_load(&x.connects) / seconds,
      atomic_load(&x.refused), atomic_load(&x.wrong), 1e-6 * early, 1e-6 * late);
  assert_int_equal(atomic_load(&x.wrong), 0);
  assert_true(atomic_load(&x.connects) > 0 && atomic_load(&x.refused) > 0);
  // in a few seconds threads are still new, and their stacks
  assert_true(late < early + (seconds >= 60 ? 2e6 : 6e6));
  stop(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(memory_stays_where_it_was)};
  signal(SIGPIPE, SIG_IGN);
  return cmocka_run_group_tests(tests, program_begin, program_end);
}
