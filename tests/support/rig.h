// An arm, its port, and controllers in other processes that hold it, also behind a way that loses,
// doubles, turns round and makes up packets.
#pragma once
#include "support/ports.h"

#include "realtime/io/packet.h"
#include "sarrus/sarrus.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>

enum { PERIOD_NS = 1000000 };
static const double stiffness = 120, target = 0.5;

// ---- the arm ----

typedef struct Rig {
  SarModel* model;
  SarData* data;
  SarSim* sim;
  SarPortInput input[4];
  SarPortOutput output[16];
  double outputs[16];
  SarPortLayout layout;
  SarPortFrame frame;
  SarPort* port;
  bool wall;  // frames are as long as they are by the wall's clock
  uint64_t received;
  int silent;  // frames since the last answer
} Rig;

static inline int64_t wall_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static inline void rig_open(Rig* r, const char* kind, const char* address) {
  SarError err;
  sar_error_init(&err);
  memset(r, 0, sizeof *r);
  EXPECT_OK_OR(sar_model_load("examples/realtime/arm.yaml", NULL, &r->model, &err), &err);
  EXPECT_OK_OR(sar_data_new(r->model, &r->data, &err), &err);
  SarSimOptions o = sar_sim_options();
  o.step = 1e-9 * PERIOD_NS;
  EXPECT_OK_OR(sar_sim_new(r->model, r->data, &o, &r->sim, &err), &err);
  r->layout = (SarPortLayout){
      r->input, sar_model_count(r->model, SAR_ITEM_INPUT), r->output, 2, o.step, "arm"};
  for (int i = 0; i < r->layout.inputs; i++)
    r->input[i].name = sar_model_name(r->model, SAR_ITEM_INPUT, i);
  for (int i = 0; i < 2; i++) r->output[i].name = sar_model_name(r->model, SAR_ITEM_OUTPUT, i);
  assert_string_equal(r->output[0].name, "shoulder.q");
  assert_string_equal(r->output[1].name, "shoulder.v");
  EXPECT_OK_OR(sar_port_open(kind, address, &r->layout, &r->port, &err), &err);
  r->frame =
      (SarPortFrame){.clock_ns = wall_ns(), .outputs = r->outputs, .inputs = sar_inputs(r->data)};
}

static inline double angle_of(Rig* r) { return sar_get_q(r->data)[0]; }

// One frame. The other process has up to `patience` to answer: real time on a busy machine is not
// what is tested.
static inline void rig_frame(Rig* r, double patience) {
  sar_joint_get(r->data, 0, &r->outputs[0], &r->outputs[1]);
  r->frame.sequence++;
  r->frame.time = sar_time(r->data);
  r->frame.clock_ns = r->wall ? wall_ns() : r->frame.clock_ns + PERIOD_NS;
  sar_port_exchange(r->port, &r->frame);
  EXPECT_OK(sar_step(r->sim));
  const uint64_t received = sar_port_stats(r->port)->received;
  r->silent = received > r->received ? 0 : r->silent + 1;
  r->received = received;
  // a busy machine does not let the other process run: the arm waits for it
  port_pause(r->silent > 5 ? 20 * patience : patience);
}

static inline void rig_close(Rig* r) {
  sar_port_close(r->port);
  sar_sim_free(r->sim);
  sar_data_free(r->data);
  sar_model_free(r->model);
}

// Where the controller's spring holds the arm against its weight: kp (target - q) = m g l/2 cos q.
static inline double rest_angle(void) {
  double q = target;
  for (int i = 0; i < 60; i++) q = target - 4 * 9.80665 * 0.4 * cos(q) / stiffness;
  return q;
}

// How times are spread, by octaves.
static inline void print_histogram(const char* what, const SarStepTimes* h) {
  printf("  %-34s %6ld answers, median %8.1f us, worst %9.1f us:", what, h->count,
         1e6 * sar_step_times_median(h), 1e6 * h->worst);
  for (int o = 0; o < SAR_TIME_OCTAVES; o++) {
    long n = 0;
    for (int k = 0; k < SAR_TIME_SHARES; k++) n += h->bin[o * SAR_TIME_SHARES + k];
    if (n > 0) printf(" %ld < %.3g us", n, 1e6 * sar_step_times_from((o + 1) * SAR_TIME_SHARES));
  }
  printf("\n");
}

// ---- controllers in other processes ----

static inline pid_t start(const char* program, char* const* arguments) {
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    const int nothing = open("/dev/null", O_WRONLY);
    dup2(nothing, STDOUT_FILENO);
    execvp(program, arguments);
    _exit(127);
  }
  return child;
}

static inline pid_t start_example(const char* name, const char* address) {
  char program[512];
  snprintf(program, sizeof program, "%s/tests/example_%s", SARRUS_BINARY_DIR, name);
  char* const arguments[] = {program, (char*)address, "0.5", "60", NULL};
  return start(program, arguments);
}

static inline pid_t start_python(const char* option, const char* address) {
  char* const arguments[] = {
      "python3", "examples/realtime/pd.py", (char*)option, (char*)address, "--seconds", "60", NULL};
  return start("python3", arguments);
}

static inline int has_python(void) { return system("python3 -c '' 2>/dev/null") == 0; }

static inline void stop(pid_t child) {
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
}

static inline const char* port_number(const Rig* r) {
  return strrchr(sar_port_address(r->port), ':') + 1;
}

// Frames until the controller is there; false: it never came.
static inline bool connected(Rig* r) {
  for (int i = 0; i < 20000 && !sar_port_stats(r->port)->connected; i++) rig_frame(r, 1e-3);
  return sar_port_stats(r->port)->connected;
}

// Two seconds of the arm's time lead it to where the controller holds it.
static inline void expect_held(Rig* r, double patience) {
  for (int i = 0; i < 2000; i++) rig_frame(r, patience);
  EXPECT_NEAR(angle_of(r), rest_angle(), 2e-3);
}

// ---- a bad way ----

typedef struct Way {
  double loss, twice, late, made_up;
  // what it did
  atomic_long delivered, distinct, garbage, first, newest;
  atomic_bool stop, done;
} Way;

typedef struct Late {
  unsigned char bytes[200];
  size_t size;
  long number;
  int due;
} Late;

typedef struct Sender {
  int socket;
  Way* way;
  Late late[32];
  int lates;
  bool seen[200000];
} Sender;

static inline void deliver(Sender* s, const unsigned char* bytes, size_t size, long number) {
  if (send(s->socket, bytes, size, 0) != (ssize_t)size) return;
  atomic_fetch_add(&s->way->delivered, 1);
  if (!s->seen[number]) atomic_fetch_add(&s->way->distinct, 1);
  s->seen[number] = true;
  if (!atomic_load(&s->way->first)) atomic_store(&s->way->first, number);
  if (number > atomic_load(&s->way->newest)) atomic_store(&s->way->newest, number);
}

static inline void send_late_ones(Sender* s, bool all) {
  for (int i = 0; i < s->lates; i++) {
    if (!all && --s->late[i].due > 0) continue;
    deliver(s, s->late[i].bytes, s->late[i].size, s->late[i].number);
    s->late[i--] = s->late[--s->lates];
  }
}

static inline void send_badly(Sender* s, Rng* rng, const unsigned char* bytes, size_t size,
                              long number) {
  Way* w = s->way;
  unsigned char rubbish[200];
  if (rng_uniform(rng, 0, 1) < w->made_up) {
    const size_t n = 1 + (size_t)rng_int(rng, 199);
    memcpy(rubbish, bytes, size < n ? size : n);
    for (size_t i = 0; i < n; i += 7) rubbish[i] = (unsigned char)rng_next(rng);
    if (send(s->socket, rubbish, n, 0) == (ssize_t)n) atomic_fetch_add(&w->garbage, 1);
  }
  if (rng_uniform(rng, 0, 1) < w->loss) return;
  if (rng_uniform(rng, 0, 1) < w->late && s->lates < 32) {
    Late* l = &s->late[s->lates++];
    *l = (Late){.size = size, .number = number, .due = 1 + rng_int(rng, 10)};
    memcpy(l->bytes, bytes, size);
    return;
  }
  deliver(s, bytes, size, number);
  if (rng_uniform(rng, 0, 1) < w->twice) deliver(s, bytes, size, number);
}

// A controller behind such a way, both directions of which lose.
static inline void control_badly(int port, Way* w, uint64_t seed) {
  static Sender s;
  Rng rng = rng_seed(seed);
  const struct sockaddr_in to = {.sin_family = AF_INET,
                                 .sin_port = htons((uint16_t)port),
                                 .sin_addr = {htonl(INADDR_LOOPBACK)}};
  unsigned char in[4096], out[200] = {0};
  long sent = 0;
  memset(&s, 0, sizeof s);
  s.way = w;
  s.socket = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
  if (connect(s.socket, (const struct sockaddr*)&to, sizeof to) != 0) _exit(1);
  const SarPacketHead hello = {.type = SAR_PACKET_DESCRIBE};
  (void)!send(s.socket, out, sar_packet_seal(out, &hello), 0);
  while (!atomic_load(&w->stop) && sent < 190000) {
    SarPacketHead h;
    const ssize_t n = recv(s.socket, in, sizeof in, 0);
    if (n < 0) {
      port_pause(2e-5);
      continue;
    }
    if (!sar_packet_open(in, (size_t)n, &h) || h.type != SAR_PACKET_OUTPUTS) continue;
    if (rng_uniform(&rng, 0, 1) < w->loss) continue;
    const double q = sar_packet_get_double(in + SAR_PACKET_HEAD);
    const double v = sar_packet_get_double(in + SAR_PACKET_HEAD + 8);
    sar_packet_put_double(out + SAR_PACKET_HEAD, stiffness * (target - q) - 14 * v);
    const SarPacketHead answer = {.type = SAR_PACKET_INPUTS,
                                  .count = 1,
                                  .session = seed + 1,
                                  .sequence = (uint64_t)++sent,
                                  .clock_ns = wall_ns(),
                                  .echo_sequence = h.sequence,
                                  .echo_clock_ns = h.clock_ns};
    send_late_ones(&s, false);
    send_badly(&s, &rng, out, sar_packet_seal(out, &answer), sent);
  }
  send_late_ones(&s, true);
  atomic_store(&w->done, true);
}

static inline Way* shared_way(void) {
  Way* w = mmap(NULL, sizeof *w, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_true(w != MAP_FAILED);
  return w;
}

static inline pid_t start_badly(const Rig* r, Way* w, uint64_t seed) {
  const int port = atoi(port_number(r));
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child) return child;
  control_badly(port, w, seed);
  _exit(0);
}

static inline void expect_counts(const SarPortStats* s, Way* w) {
  assert_int_equal(s->overflowed, 0);
  assert_int_equal(s->garbage, atomic_load(&w->garbage));
  assert_int_equal(s->received + s->duplicated + s->reordered, atomic_load(&w->delivered));
  assert_int_equal(s->duplicated, atomic_load(&w->delivered) - atomic_load(&w->distinct));
  const long numbers = atomic_load(&w->newest) - atomic_load(&w->first) + 1;
  assert_true(atomic_load(&w->first) < 64);
  // late ones from before the first are not lost
  const long before = (long)(s->received + s->reordered + s->lost) - numbers;
  assert_true(before >= 0 && before < 12);
  if (w->loss * (double)numbers > 20) assert_true(s->lost > 0);
}
