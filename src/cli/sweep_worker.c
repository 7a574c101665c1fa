// A worker of a sweep (sweep_record.h): takes batches of instances, sends records. Records of short
// runs are gathered, so that the master has few messages to read.
#include "cli/sweep_record.h"

#include "base/clock.h"
#include "cli/interrupt.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { FULL = 1 << 16 };
static const double PATIENCE = 0.05;  // s until records are sent

typedef struct Worker {
  const Sweep* s;
  const SweepChannel* channel;
  SweepBytes out;
  SweepOutcome* outcome;  // one, or those of a batch
  double sent, cpu, wait;
} Worker;

static bool send_all(Worker* w) {
  const bool good =
      w->out.used == 0 || w->channel->send(w->channel->context, w->out.at, w->out.used);
  w->out.used = 0;
  w->sent = sar_clock_wall();
  return good;
}

static bool keep(Worker* w, int instance, SweepOutcome* o) {
  bool good = !o->stopped;
  if (good && !sweep_record_add(w->s, instance, o, &w->out))
    good = sweep_record_lost(instance, "its rows do not fit into a record", &w->out);
  sar_run_free(o->run);
  sar_model_free(o->model);
  sar_table_clear(&o->table);
  *o = (SweepOutcome){.last = o->last, .halt = o->halt};
  return good;
}

static bool run_batch(Worker* w, const SweepBatch* b) {
  const bool generated = w->s->lanes > 0;
  bool good = true;
  if (generated) sweep_generated_batch(w->s, 1, b->first, b->count, w->outcome);
  for (int i = 0; i < b->count && (good || generated); i++) {
    SweepOutcome* o = &w->outcome[generated ? i : 0];
    if (!generated) sweep_instance(w->s, b->first + i, o);
    good = keep(w, b->first + i, o) && good;
    if (!good) continue;  // the others are given back too
    if ((w->out.used > FULL || sar_clock_wall() > w->sent + PATIENCE) && !send_all(w)) good = false;
  }
  return good;
}

static bool begin(Worker* w, const atomic_bool* halt) {
  const int count = w->s->lanes > 0 ? SWEEP_MOST_BATCH : 1;
  const size_t row = (size_t)sar_model_count(w->s->base, SAR_ITEM_OUTPUT) + 1;
  double* last = sar_alloc((size_t)count * row * sizeof *last);
  w->outcome = last ? sar_alloc((size_t)count * sizeof *w->outcome) : NULL;
  for (int i = 0; w->outcome && i < count; i++)
    w->outcome[i] = (SweepOutcome){.last = last + (size_t)i * row, .halt = halt};
  if (!w->outcome) sar_free(last);
  return w->outcome != NULL;
}

static bool send_account(Worker* w, double cpu_began) {
  const double account[2] = {sar_clock_cpu() - cpu_began, w->wait};
  return sweep_bytes_entry(&w->out, SWEEP_ACCOUNT, account, sizeof account) && send_all(w);
}

void sweep_work(const Sweep* s, const char* identity, const SweepChannel* c,
                const atomic_bool* halt) {
  Worker w = {.s = s, .channel = c, .sent = sar_clock_wall()};
  SweepBatch b;
  const double began = sar_clock_cpu();
  bool good = begin(&w, halt) &&
              sweep_bytes_entry(&w.out, SWEEP_HELLO, identity, strlen(identity)) && send_all(&w);
  while (good) {
    const double asked = sar_clock_wall();
    good = c->receive(c->context, &b);
    w.wait += sar_clock_wall() - asked;
    if (!good || b.count == 0) break;
    good = run_batch(&w, &b) && send_all(&w);
  }
  if (good) send_account(&w, began);
  if (w.outcome) sar_free(w.outcome[0].last);
  sar_free(w.outcome);
  sar_free(w.out.at);
}

// ---- through a socket ---------------------------------------------------------------------------

static bool socket_receive(void* context, SweepBatch* b) {
  const int fd = *(const int*)context;
  char* to = (char*)b;
  for (size_t got = 0; got < sizeof *b;) {
    const ssize_t n = recv(fd, to + got, sizeof *b - got, 0);
    if (n < 0 && errno == EINTR && !cli_interrupted()) continue;
    if (n <= 0) return false;
    got += (size_t)n;
  }
  return true;
}

static bool socket_send(void* context, const void* bytes, size_t size) {
  const int fd = *(const int*)context;
  const char* from = bytes;
  while (size > 0) {
    const ssize_t n = send(fd, from, size, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR && !cli_interrupted()) continue;
    if (n <= 0) return false;
    from += n;
    size -= (size_t)n;
  }
  return true;
}

SweepChannel sweep_socket_channel(int* fd) {
  return (SweepChannel){fd, socket_receive, socket_send};
}
