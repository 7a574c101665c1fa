// The window's server on loopback, with a client of plain sockets: what is served to whom, commands
// and frames, and clients that behave badly; and the program with its files.
#include "support/frame_read.h"
#include "support/json_check.h"
#include "support/model_file.h"
#include "support/program.h"
#include "support/random.h"
#include "support/web_client.h"

#include "base/clock.h"
#include "view/server.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static const char PAGE[] =
    "<!doctype html><html><head><title>t</title><script>let a = 1 < "
    "2;</script></head><body><script type=\"module\">1</script></body></html>\n";

typedef struct World {
  SarSession* session;
  SarServer* server;
  WebAddress at;
  pthread_t pump;
  atomic_bool stop;
} World;

static void nap(double seconds) {
  const struct timespec t = {.tv_sec = (time_t)seconds,
                             .tv_nsec = (long)(1e9 * (seconds - (double)(time_t)seconds))};
  nanosleep(&t, NULL);
}

static void* pump(void* context) {
  World* w = context;
  while (!atomic_load(&w->stop)) {
    sar_server_pump(w->server);
    nap(0.003);
  }
  return NULL;
}

static void begin(World* w, const char* model, bool paused) {
  char path[512];
  SarError err;
  *w = (World){0};
  sar_error_init(&err);
  const SarSessionOptions o = {
      .path = model_path(path, sizeof path, model), .speed = 1, .end = -1, .paused = paused};
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
}

static int join(const World* w) {
  int status;
  const int s = web_upgrade(&w->at, w->at.token, "", &status);
  assert_int_equal(status, 101);
  return s;
}

// The next text that has these words in it; for free.
static char* wait_for(int s, const char* words) {
  int opcode;
  size_t size;
  unsigned char* data;
  for (double until = sar_clock_wall() + 60; sar_clock_wall() < until; free(data)) {
    data = web_read(s, &opcode, &size);
    if (!data) break;
    if (opcode == 1 && !json_is_valid((char*)data)) fail_msg("no JSON: %s", (char*)data);
    if (opcode == 1 && strstr((char*)data, words)) return (char*)data;
  }
  fail_msg("no text with '%s'", words);
  return NULL;
}

static void expect_text(int s, const char* words) { free(wait_for(s, words)); }

// ---- what is served to whom ---------------------------------------------------------------------

static void pages_are_served_to_who_knows_the_token(void** state) {
  (void)state;
  World w;
  char path[200], headers[300];
  size_t size;
  begin(&w, "pendulum.yaml", true);
  char* page = web_body(&w.at, "/", &size);
  // scripts carry the nonce, what is in them is as it was
  assert_non_null(strstr(page, "<script nonce=\""));
  assert_non_null(strstr(page, ">let a = 1 < 2;</script></head>"));
  assert_non_null(strstr(page, "type=\"module\">1</script>"));
  free(page);
  char* scene = web_body(&w.at, "/scene.json", &size);
  assert_true(json_is_valid(scene));
  free(scene);
  static const char* const CLOSED[] = {
      "/",         "/?token=", "/?token=0123456789abcdef0123456789abcdef", "/scene.json", "/live",
      "/?TOKEN=x", "/nothing"};
  for (size_t i = 0; i < sizeof CLOSED / sizeof *CLOSED; i++)
    assert_int_equal(web_status(w.at.port, CLOSED[i], NULL), 403);
  static const char* const ABSENT[] = {
      "/../etc/passwd", "/..%2f..%2fetc/passwd",     "//",          "/index.html", "/scene.json/",
      "/frames.bin",    "/%2e%2e/%2e%2e/etc/passwd", "/SCENE.JSON", "/\\..\\x"};
  for (size_t i = 0; i < sizeof ABSENT / sizeof *ABSENT; i++) {
    snprintf(path, sizeof path, "%s?token=%s", ABSENT[i], w.at.token);
    const int status = web_status(w.at.port, path, NULL);
    // "/../etc/passwd" is "/etc/passwd" to the web server, "//" is "/": the page itself
    if (strcmp(ABSENT[i], "//") == 0 && status == 200) continue;
    if (status != 404 && status != 400 && status != 403) fail_msg("%s: %d", path, status);
  }
  snprintf(path, sizeof path, "/?token=%s", w.at.token);
  static const char* const HOSTS[] = {"Host: evil.example\r\n", "Host: evil.example:80\r\n", "",
                                      "Host: 127.0.0.1\r\n"};
  for (size_t i = 0; i < sizeof HOSTS / sizeof *HOSTS; i++) {
    const int status = web_status(w.at.port, path, HOSTS[i]);
    if (status != 403 && status != 400) fail_msg("%s: %d", HOSTS[i], status);
  }
  snprintf(headers, sizeof headers, "Host: 127.0.0.1:%d\r\nOrigin: http://evil.example\r\n",
           w.at.port);
  assert_int_equal(web_status(w.at.port, path, headers), 403);
  snprintf(headers, sizeof headers, "Host: 127.0.0.1:%d\r\nOrigin: http://127.0.0.1:%d\r\n",
           w.at.port, w.at.port);
  assert_int_equal(web_status(w.at.port, path, headers), 200);
  end(&w);
}

static void headers_keep_other_pages_out(void** state) {
  (void)state;
  World w;
  char request[300];
  begin(&w, "pendulum.yaml", true);
  snprintf(request, sizeof request, "GET /?token=%s HTTP/1.1\r\nHost: localhost:%d\r\n\r\n",
           w.at.token, w.at.port);
  char* answer = web_exchange(w.at.port, request, NULL);
  static const char* const THERE[] = {
      "Content-Security-Policy: default-src 'none'; script-src 'nonce-",
      "frame-ancestors 'none'",
      "X-Content-Type-Options: nosniff",
      "Referrer-Policy: no-referrer",
      "Cache-Control: no-store",
      "Cross-Origin-Resource-Policy: same-origin"};
  for (size_t i = 0; i < sizeof THERE / sizeof *THERE; i++) expect_has(answer, THERE[i]);
  expect_lacks(answer, "Access-Control-Allow-Origin");
  free(answer);
  static const char* const METHODS[] = {"POST", "PUT", "DELETE", "OPTIONS", "HEAD"};
  for (size_t i = 0; i < sizeof METHODS / sizeof *METHODS; i++) {
    snprintf(request, sizeof request,
             "%s /?token=%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: 0\r\n\r\n",
             METHODS[i], w.at.token, w.at.port);
    answer = web_exchange(w.at.port, request, NULL);
    expect_has(answer, "HTTP/1.1 405");
    free(answer);
  }
  end(&w);
}

static void the_websocket_is_for_our_page_only(void** state) {
  (void)state;
  World w;
  int status;
  char origin[100];
  begin(&w, "pendulum.yaml", true);
  assert_int_equal(web_upgrade(&w.at, "0123456789abcdef0123456789abcdef", "", &status), -1);
  assert_int_equal(status, 403);
  assert_int_equal(web_upgrade(&w.at, w.at.token, "Origin: http://evil.example\r\n", &status), -1);
  assert_int_equal(status, 403);
  assert_int_equal(web_upgrade(&w.at, w.at.token, "Origin: null\r\n", &status), -1);
  assert_int_equal(status, 403);
  snprintf(origin, sizeof origin, "Origin: http://127.0.0.1:%d\r\n", w.at.port);
  const int s = web_upgrade(&w.at, w.at.token, origin, &status);
  assert_int_equal(status, 101);
  expect_text(s, "\"hello\"");
  close(s);
  end(&w);
}

// ---- commands and frames ------------------------------------------------------------------------

static Frame next_frame(int s, unsigned char** bytes) {
  int opcode;
  size_t size;
  for (;;) {
    *bytes = web_read(s, &opcode, &size);
    assert_non_null(*bytes);
    if (opcode == 2) return frame_read(*bytes, size);
    free(*bytes);
  }
}

static void frames_agree_with_the_engine(void** state) {
  (void)state;
  World w;
  begin(&w, "double_pendulum.yaml", true);
  SarModel* m = model_file("double_pendulum.yaml", NULL);
  SarData* d;
  SarSim* sim;
  EXPECT_OK(sar_data_new(m, &d, NULL));
  EXPECT_OK(sar_sim_new(m, d, NULL, &sim, NULL));
  const int s = join(&w);
  expect_text(s, "\"hello\"");
  assert_true(web_say(s, "{\"type\":\"step\",\"count\":50,\"id\":5}"));
  expect_text(s, "\"id\": 5");
  for (int i = 0; i < 50; i++) EXPECT_OK(sar_step(sim));
  for (bool done = false; !done;) {
    unsigned char* bytes;
    const Frame f = next_frame(s, &bytes);
    done = f.steps == 50;
    if (done) {
      assert_true(f.time == d->t);
      for (int b = 0; b < (int)f.bodies; b++) {
        double pose[7], p[3], R[9];
        EXPECT_OK(sar_body_pose(d, b, p, R));
        frame_pose(&f, b, pose);
        EXPECT_ARRAY_NEAR(pose, p, 3, 1e-6);
      }
    }
    free(bytes);
  }
  close(s);
  end(&w);
  sar_sim_free(sim);
  sar_data_free(d);
  sar_model_free(m);
}

static void commands_are_answered_and_logged(void** state) {
  (void)state;
  World w;
  begin(&w, "pd_arm.yaml", true);
  const int s = join(&w), other = join(&w);
  expect_text(s, "\"hello\"");
  expect_text(other, "\"hello\"");
  assert_true(web_say(s, "{\"type\":\"input\",\"name\":\"reach\",\"value\":0.5,\"id\":1}"));
  expect_text(s, "\"id\": 1");
  // everybody hears of it
  expect_text(other, "input reach = 0.5");
  expect_text(other, "\"inputs\": [0.5]");
  assert_true(web_say(s, "{\"type\":\"input\",\"name\":\"no such\",\"value\":0.5,\"id\":2}"));
  expect_text(s, "there is no input 'no such'");
  assert_true(web_say(s, "this is no JSON"));
  expect_text(s, "\"error\"");
  assert_true(web_say(s, "{\"type\":\"run\",\"id\":3}"));
  expect_text(s, "\"id\": 3");
  expect_text(other, "\"running\": true");
  // who comes later gets the log
  const int late = join(&w);
  char* hello = wait_for(late, "\"hello\"");
  expect_has(hello, "input reach = 0.5");
  free(hello);
  close(s);
  close(other);
  close(late);
  end(&w);
}

static void frames_go_on_while_it_runs(void** state) {
  (void)state;
  World w;
  begin(&w, "pendulum.yaml", false);
  const int s = join(&w);
  double last = -1;
  uint64_t sequence = 0;
  for (int i = 0; i < 30; i++) {
    unsigned char* bytes;
    const Frame f = next_frame(s, &bytes);
    assert_true(f.time >= last && (i == 0 || f.sequence > sequence));
    last = f.time, sequence = f.sequence;
    free(bytes);
  }
  assert_true(last > 0.3);
  close(s);
  end(&w);
}

// ---- clients that behave badly ------------------------------------------------------------------

static bool is_closed(int s) {
  int opcode;
  size_t size;
  for (double until = sar_clock_wall() + 40; sar_clock_wall() < until;) {
    unsigned char* data = web_read(s, &opcode, &size);
    if (!data || opcode == 8) {
      free(data);
      return true;
    }
    free(data);
  }
  return false;
}

static void long_fragmented_and_binary_messages_end_the_connection(void** state) {
  (void)state;
  World w;
  static char text[70000];
  begin(&w, "pendulum.yaml", true);
  memset(text, ' ', sizeof text);
  int s = join(&w);
  assert_true(web_write(s, 1, text, 5000));
  assert_true(is_closed(s));
  close(s);
  s = join(&w);
  assert_true(web_write(s, 2, "{\"type\":\"run\"}", 14));
  assert_true(is_closed(s));
  close(s);
  s = join(&w);
  const unsigned char part[] = {0x01, 0x81, 0, 0, 0, 0, '{'};  // not the last fragment
  assert_true(web_send(s, part, sizeof part));
  assert_true(is_closed(s));
  close(s);
  // a length that no memory has
  s = join(&w);
  const unsigned char huge[] = {0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff,
                                0xff, 0xff, 0xff, 0,    0,    0,    0};
  assert_true(web_send(s, huge, sizeof huge));
  assert_true(is_closed(s));
  close(s);
  s = join(&w);
  expect_text(s, "\"hello\"");
  close(s);
  end(&w);
}

static void too_many_commands_end_the_connection(void** state) {
  (void)state;
  World w;
  begin(&w, "pendulum.yaml", true);
  const int s = join(&w);
  for (int i = 0; i < 2000; i++)
    if (!web_say(s, "{\"type\":\"ping\"}")) break;
  assert_true(is_closed(s));
  close(s);
  end(&w);
}

// Who never reads gets nothing more, and nobody else notices.
static void who_never_reads_keeps_nobody_waiting(void** state) {
  (void)state;
  World w;
  begin(&w, "pyramid.yaml", false);
  const int silent = join(&w), s = join(&w);
  const double from = sar_clock_wall();
  uint64_t first = 0, last = 0;
  for (int i = 0; i < 40; i++) {
    unsigned char* bytes;
    const Frame f = next_frame(s, &bytes);
    if (i == 0) first = f.sequence;
    last = f.sequence;
    free(bytes);
  }
  assert_true(last - first >= 39);
  assert_true(sar_clock_wall() - from < 30);
  close(silent);
  close(s);
  end(&w);
}

static void half_requests_and_bursts_leave_the_server_alive(void** state) {
  (void)state;
  enum { HALF = 20 };
  World w;
  int half[HALF];
  begin(&w, "pendulum.yaml", true);
  for (int i = 0; i < HALF; i++) {
    half[i] = web_connect(w.at.port, 5);
    if (half[i] >= 0) web_send(half[i], "GET / HT", i % 8);
  }
  const int burst = test_effort(300);
  for (int i = 0; i < burst; i++) {
    const int s = web_connect(w.at.port, 5);
    if (s < 0) continue;
    if (i % 3 == 0) web_send(s, "\0\xff\x01garbage\r\n\r\n", 12);
    close(s);
  }
  const int s = join(&w);
  expect_text(s, "\"hello\"");
  close(s);
  for (int i = 0; i < HALF; i++)
    if (half[i] >= 0) close(half[i]);
  end(&w);
}

// ---- changed at random --------------------------------------------------------------------------

static size_t change(Rng* r, unsigned char* text, size_t n, size_t room) {
  for (int k = 1 + rng_int(r, 6); k > 0; k--) {
    const size_t at = (size_t)rng_int(r, (int)n);
    switch (rng_int(r, 5)) {
      case 0: text[at] = (unsigned char)rng_int(r, 256); break;
      case 1: text[at] ^= (unsigned char)(1 << rng_int(r, 8)); break;
      case 2:  // a piece of it once more, over what follows
        if (at + 8 < n) memmove(text + at + 4, text + at, n - at - 4);
        break;
      case 3:  // a piece of it less
        if (n > 8 && at < n - 4) memmove(text + at, text + at + 3, n - at - 3), n -= 3;
        break;
      default:
        if (n < room) text[n++] = (unsigned char)rng_int(r, 256);
    }
  }
  return n;
}

static size_t request_text(Rng* r, const World* w, char* text, size_t room) {
  static const char* const paths[] = {"/",         "/scene.json", "/live", "/../../etc/passwd",
                                      "/frames/0", "/%2e%2e/x"};
  return (size_t)snprintf(text, room,
                          "GET %s?token=%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\n"
                          "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                          "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
                          paths[rng_int(r, 6)], w->at.token, w->at.port);
}

static size_t frame_bytes(Rng* r, unsigned char* frame) {
  static const char* const texts[] = {"{\"type\":\"ping\",\"id\":1}",
                                      "{\"type\":\"speed\",\"value\":2}",
                                      "{\"type\":\"input\",\"name\":\"x\",\"value\":1e308}"};
  const char* text = texts[rng_int(r, 3)];
  const size_t n = strlen(text);
  frame[0] = 0x81;
  frame[1] = (unsigned char)(0x80 | n);
  for (int k = 0; k < 4; k++) frame[2 + k] = (unsigned char)rng_int(r, 256);
  for (size_t k = 0; k < n; k++) frame[6 + k] = (unsigned char)(text[k] ^ frame[2 + k % 4]);
  return n + 6;
}

// Requests and WebSocket frames with bytes changed, taken out and doubled: whatever the server
// makes of them, it goes on, and a model that is paused stays where it is.
static void changed_requests_and_frames_do_no_harm(void** state) {
  (void)state;
  Rng r = rng_seed(test_seed(614));
  World w;
  begin(&w, "pendulum.yaml", true);
  for (int i = 0; i < test_effort(120); i++) {
    unsigned char text[1024];
    size_t n = request_text(&r, &w, (char*)text, sizeof text);
    n = change(&r, text, n, sizeof text);
    const int s = web_connect(w.at.port, 5);
    if (s < 0) continue;
    web_send(s, text, n);
    close(s);
  }
  for (int i = 0; i < test_effort(120); i++) {
    unsigned char frame[512];
    const size_t n = frame_bytes(&r, frame);
    const int s = join(&w);
    web_send(s, frame, change(&r, frame, n, sizeof frame));
    close(s);
    for (int k = 0; k < 500 && sar_server_clients(w.server) > 20; k++) nap(0.01);
  }
  const int s = join(&w);
  expect_text(s, "\"hello\"");
  assert_true(sar_time(sar_session_data(w.session)) == 0);
  close(s);
  end(&w);
}

static void viewers_are_bounded_and_leave_their_places(void** state) {
  (void)state;
  World w;
  int s[SAR_SERVER_CLIENTS], status;
  begin(&w, "pendulum.yaml", false);
  for (int i = 0; i < SAR_SERVER_CLIENTS; i++) s[i] = join(&w);
  assert_int_equal(web_upgrade(&w.at, w.at.token, "", &status), -1);
  assert_int_equal(status, 503);
  for (int i = 0; i < SAR_SERVER_CLIENTS; i++) {
    unsigned char* bytes;
    next_frame(s[i], &bytes);
    free(bytes);
    close(s[i]);
  }
  for (double until = sar_clock_wall() + 30;
       sar_clock_wall() < until && sar_server_clients(w.server) > 0;)
    nap(0.05);
  assert_int_equal(sar_server_clients(w.server), 0);
  close(join(&w));
  end(&w);
}

// ---- the program --------------------------------------------------------------------------------

// Demo models as one file each: the page around the data, which are JSON, with frames in base64.
static void html_files_are_whole(void** state) {
  (void)state;
  static const char* const MODELS[] = {"pendulum", "iltis", "gripper", "peaucellier",
                                       "flexible_arm"};
  write_file("page.html", PAGE);
  for (size_t i = 0; i < sizeof MODELS / sizeof *MODELS; i++) {
    char line[300], path[300];
    static char text[1 << 24];
    snprintf(line, sizeof line,
             "view %s/examples/%s.yaml --page @page.html --html @out.html -e 0.2 --force",
             SARRUS_SOURCE_DIR, MODELS[i]);
    expect_status_of(sarrus(line), 0);
    snprintf(path, sizeof path, "%s/out.html", program_folder);
    read_all(path, text, sizeof text);
    char* data = strstr(text, "<script id=\"sarrus-data\" type=\"application/json\">");
    assert_non_null(data);
    data = strchr(data, '>') + 1;
    char* close_tag = strstr(data, "</script>\n</head>");
    assert_non_null(close_tag);
    *close_tag = '\0';
    assert_true(json_is_valid(data));
    assert_null(strchr(data, '<'));
    expect_has(data, "\"runs\": [\"U0FSRgEAAAA");  // SARF, version 1
  }
}

static void the_program_says_what_is_missing(void** state) {
  (void)state;
  expect_has(expect_status_of(sarrus("view --page @none.html x.yaml"), 2)->err, "cannot read");
  expect_has(expect_status_of(sarrus("view x.csv"), 2)->err, "expected a MODEL");
  expect_has(expect_status_of(sarrus("view x.yaml --port 70000"), 2)->err, "--port");
  expect_has(expect_status_of(sarrus("view x.yaml --speed -1"), 2)->err, "--speed");
  write_file("page.html", PAGE);
  expect_status_of(sarrus("view @nothing.yaml --page @page.html --no-open --seconds 1"), 2);
  char line[300];
  snprintf(line, sizeof line,
           "view %s/examples/pendulum.yaml --page @page.html --no-open --seconds 0.3 --json",
           SARRUS_SOURCE_DIR);
  const Result* r = sarrus(line);
  if (!sar_server_is_built()) {
    expect_has(r->err, "civetweb");
    return;
  }
  expect_status_of(r, 0);
  assert_true(json_is_valid(r->out));
  expect_has(r->out, "http://127.0.0.1:");
}

// ffmpeg gets whole pictures; here it is a program that keeps what it gets. Something is drawn in
// them, and it moves.
static void films_go_to_ffmpeg(void** state) {
  (void)state;
  enum { WIDE = 320, HIGH = 240, BYTES = 4 * WIDE * HIGH, MOST = 16 };
  char line[400], path[1000];
  static unsigned char film[MOST * BYTES];
  const char* before = getenv("PATH");
  char* old = strdup(before ? before : "");
  write_file("ffmpeg", "#!/bin/sh\nfor out; do :; done\ncat >\"$out\"\n");
  snprintf(line, sizeof line, "chmod +x %s/ffmpeg", program_folder);
  assert_int_equal(system(line), 0);
  snprintf(path, sizeof path, "%s:%.200s", program_folder, old);
  setenv("PATH", path, 1);
  snprintf(line, sizeof line,
           "view %s/examples/pendulum.yaml --video @film.raw -e 0.4 --size 320x240 --json",
           SARRUS_SOURCE_DIR);
  const Result* r = expect_status_of(sarrus(line), 0);
  const int pictures = (int)json_value(r->out, "pictures", 0);
  assert_in_range(pictures, 12, 14);
  snprintf(path, sizeof path, "%s/film.raw", program_folder);
  FILE* f = fopen(path, "rb");
  assert_non_null(f);
  assert_int_equal(fread(film, 1, sizeof film, f), (size_t)pictures * BYTES);
  fclose(f);
  int drawn = 0, moved = 0;
  for (int i = 0; i < BYTES; i += 4) {
    drawn += memcmp(film + i, "\xff\xff\xff\xff", 4) != 0;
    moved += memcmp(film + i, film + (size_t)(pictures - 1) * BYTES + i, 4) != 0;
  }
  assert_true(drawn > 200 && moved > 200);
  // without it: a word
  setenv("PATH", "/nonexistent", 1);
  expect_has(expect_status_of(sarrus(line), 2)->err, "ffmpeg");
  setenv("PATH", old, 1);
  free(old);
}

static void results_are_replayed(void** state) {
  (void)state;
  char line[400];
  write_file("page.html", PAGE);
  snprintf(line, sizeof line, "run %s/examples/chain.yaml -e 0.3 --out @a.csv --force",
           SARRUS_SOURCE_DIR);
  expect_status_of(sarrus(line), 0);
  snprintf(line, sizeof line,
           "view %s/examples/chain.yaml @a.csv @a.csv --page @page.html --html @r.html --json",
           SARRUS_SOURCE_DIR);
  const Result* r = expect_status_of(sarrus(line), 0);
  assert_true(json_value(r->out, "runs", 0) == 2);
  assert_true(r->err[0] == '\0');
  // all coordinates are not there: it says so and computes them
  snprintf(line, sizeof line, "run %s/examples/peaucellier.yaml -e 0.3 --out @b.csv --force",
           SARRUS_SOURCE_DIR);
  expect_status_of(sarrus(line), 0);
  snprintf(line, sizeof line,
           "view %s/examples/peaucellier.yaml @b.csv --page @page.html --html @r.html --force",
           SARRUS_SOURCE_DIR);
  expect_has(expect_status_of(sarrus(line), 0)->err, "simulated anew");
}

int main(void) {
  const struct CMUnitTest server[] = {
      cmocka_unit_test(pages_are_served_to_who_knows_the_token),
      cmocka_unit_test(headers_keep_other_pages_out),
      cmocka_unit_test(the_websocket_is_for_our_page_only),
      cmocka_unit_test(frames_agree_with_the_engine),
      cmocka_unit_test(commands_are_answered_and_logged),
      cmocka_unit_test(frames_go_on_while_it_runs),
      cmocka_unit_test(long_fragmented_and_binary_messages_end_the_connection),
      cmocka_unit_test(too_many_commands_end_the_connection),
      cmocka_unit_test(who_never_reads_keeps_nobody_waiting),
      cmocka_unit_test(half_requests_and_bursts_leave_the_server_alive),
      cmocka_unit_test(changed_requests_and_frames_do_no_harm),
      cmocka_unit_test(viewers_are_bounded_and_leave_their_places)};
  const struct CMUnitTest program[] = {
      cmocka_unit_test(html_files_are_whole), cmocka_unit_test(the_program_says_what_is_missing),
      cmocka_unit_test(films_go_to_ffmpeg), cmocka_unit_test(results_are_replayed)};
  int failed = sar_server_is_built() ? cmocka_run_group_tests(server, NULL, NULL) : 0;
  failed += cmocka_run_group_tests(program, program_begin, program_end);
  return failed;
}
