// Port over POSIX shared memory: latest value and ring in one. Each direction is a ring of samples
// with a sequence lock each; the newest is at the head, and the writer goes on in the next slot, so
// that whoever reads the head is disturbed only if the writer goes round the whole ring meanwhile.
// Nobody waits for anybody; a driver that dies in the middle of a sample has not moved the head. No
// system call, no lock.
#include "realtime/io/arrivals.h"
#include "realtime/io/shm_object.h"

#include "base/alloc.h"
#include "base/error.h"

#include <math.h>
#include <stdio.h>

enum { TRIES = 3 };
static const double NEVER = 1e9;  // s: whoever watches changes an input now and then

typedef struct Shm {
  SarShmObject object;
  SarArrivals arrivals;
  double *outputs, *inputs;  // gathered
  uint64_t told;             // number of the newest sample of outputs
  uint64_t taken;            // of inputs that was looked at
  uint64_t session;          // of the driver
  bool queue;                // one sample of inputs a frame, in order; else the newest
} Shm;

static void tell(SarPort* p, Shm* s, const SarPortFrame* f) {
  for (int i = 0; i < p->outputs; i++) s->outputs[i] = f->outputs[p->output_place[i]];
  const SarShmSample head = {.sequence = f->sequence,
                             .time = f->time,
                             .clock_ns = f->clock_ns,
                             .session = s->object.header->session};
  s->told++;
  sar_shm_put(sar_shm_output_slot(&s->object, s->told), s->told, &head, s->outputs, p->outputs);
  __atomic_store_n(&s->object.header->output_head, s->told, __ATOMIC_RELEASE);
  p->stats.sent++;
}

// The sample that is next in line, of those up to `head`.
static uint64_t choose(SarPort* p, Shm* s, uint64_t head) {
  const uint64_t waiting = head - s->taken, room = s->object.input_slots - 1;
  if (waiting >> 32) return head;  // no driver does so; begin with what it has
  if (!s->queue) {
    p->stats.superseded += waiting - 1;
    p->stats.received += waiting - 1;
    return head;
  }
  if (waiting <= room) return s->taken + 1;
  p->stats.lost += waiting - room;
  return head - room + 1;
}

static bool all_finite(const double* x, int n) {
  for (int i = 0; i < n; i++)
    if (!isfinite(x[i])) return false;
  return true;
}

static void accept(SarPort* p, Shm* s, const SarPortFrame* f, const SarShmSample* sample) {
  if (!all_finite(s->inputs, p->inputs)) {
    p->stats.garbage++;
    return;
  }
  if (s->session && sample->session != s->session) p->stats.restarts++;
  s->session = sample->session;
  p->stats.received++;
  for (int i = 0; i < p->inputs; i++) sar_arrivals_set(&s->arrivals, i, s->inputs[i], f->clock_ns);
  sar_arrivals_answer(&s->arrivals, &p->stats, f, sample->echo_sequence, sample->echo_clock_ns,
                      sample->clock_ns);
}

static void listen_to(SarPort* p, Shm* s, const SarPortFrame* f) {
  SarShmSample sample;
  for (int i = 0; i < TRIES; i++) {
    const uint64_t head = __atomic_load_n(&s->object.header->input_head, __ATOMIC_ACQUIRE);
    if (head == s->taken && i == 0) return;
    if (head == s->taken) break;
    s->taken = choose(p, s, head);
    if (!sar_shm_get(sar_shm_input_slot(&s->object, s->taken), s->taken, &sample, s->inputs,
                     p->inputs))
      continue;
    accept(p, s, f, &sample);
    __atomic_store_n(&s->object.header->used, s->taken, __ATOMIC_RELAXED);
    return;
  }
  p->stats.garbage++;  // a head without a sample
}

// Outputs first: the driver has a whole frame to answer them.
static void exchange(SarPort* p, const SarPortFrame* f) {
  Shm* s = p->own;
  tell(p, s, f);
  listen_to(p, s, f);
  sar_arrivals_apply(&s->arrivals, p, f);
}

static void close_port(SarPort* p) {
  Shm* s = p->own;
  sar_shm_object_end(&s->object);
  sar_arrivals_free(&s->arrivals);
  sar_free(s->outputs);
  sar_free(s->inputs);
  sar_free(s);
}

static SarStatus set_up(SarPort* p, const SarPortLayout* l, const char* address, int head,
                        const SarPortOption* o, double timeout, double slots, SarError* err) {
  Shm* s = p->own;
  s->outputs = sar_alloc(sizeof(double) * (size_t)(p->outputs + 1));
  s->inputs = sar_alloc(sizeof(double) * (size_t)(p->inputs + 1));
  if (!s->outputs || !s->inputs) return SAR_NO_MEMORY;
  SAR_TRY(sar_arrivals_init(&s->arrivals, p, l, timeout, o, err));
  SAR_TRY(sar_shm_object_make(&s->object, address, head, p, l, &s->arrivals, slots, err));
  snprintf(p->address, sizeof p->address, "%s", s->object.name);
  return SAR_OK;
}

extern const SarPortKind sar_port_watch;

static SarStatus open_port(SarPort* p, SarPortLayout* l, const char* address, SarError* err) {
  enum { TIMEOUT, SAFE, INPUTS, OUTPUTS, TAKE, RING, COUNT };
  SarPortOption o[COUNT] = {{.key = "timeout"}, {.key = "safe"}, {.key = "inputs"},
                            {.key = "outputs"}, {.key = "take"}, {.key = "ring"}};
  int head;
  const char* kind = p->kind->name;
  double timeout = p->kind == &sar_port_watch ? NEVER : SAR_PORT_TIMEOUT, slots = 0;
  bool queue;
  SAR_TRY(sar_port_options(kind, address, o, COUNT, &head, err));
  SAR_TRY(sar_port_number(kind, &o[TIMEOUT], &timeout, err));
  SAR_TRY(sar_port_number(kind, &o[RING], &slots, err));
  SAR_TRY(sar_port_word(kind, &o[TAKE], "latest", "queue", &queue, err));
  SAR_TRY(sar_port_take(p, l, &o[INPUTS], &o[OUTPUTS], err));
  Shm* s = p->own = sar_alloc(sizeof(Shm));
  if (!s) return SAR_NO_MEMORY;
  s->object.file = -1;
  s->queue = queue;
  return set_up(p, l, address, head, &o[SAFE], timeout, slots, err);
}

const SarPortKind sar_port_shm = {
    .name = "shm",
    .address =
        "NAME[,timeout=S][,safe=INPUT:VALUE+...][,inputs=A+B*][,outputs=A+B*]"
        "[,take=latest|queue][,ring=N]",
    .doc = "POSIX shared memory /sarrus-NAME, without locks and system calls",
    .open = open_port,
    .exchange = exchange,
    .close = close_port};

// For sarrus view --attach: the same object, in which the state is told too (sim/watch.h).
const SarPortKind sar_port_watch = {.name = "watch",
                                    .address = "NAME[,inputs=A+B*][,outputs=A+B*][,ring=N]",
                                    .doc = "shared memory as of shm, for 'sarrus view --attach'",
                                    .open = open_port,
                                    .exchange = exchange,
                                    .close = close_port};
