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
  SweepOutcome outcome;
  double sent, cpu, wait;
} Worker;

static bool send_all(Worker* w) {
  const bool good =
      w->out.used == 0 || w->channel->send(w->channel->context, w->out.at, w->out.used);
  w->out.used = 0;
  w->sent = sar_clock_wall();
  return good;
}

static bool compute(Worker* w, int instance) {
  SweepOutcome* o = &w->outcome;
  sweep_instance(w->s, instance, o);
  bool good = !o->stopped;
  if (good && !sweep_record_add(w->s, instance, o, &w->out))
    good = sweep_record_lost(instance, "its rows do not fit into a record", &w->out);
  sar_run_free(o->run);
  *o = (SweepOutcome){.last = o->last, .halt = o->halt};
  return good;
}

static bool run_batch(Worker* w, const SweepBatch* b) {
  for (int i = 0; i < b->count; i++) {
    if (!compute(w, b->first + i)) return false;
    if ((w->out.used > FULL || sar_clock_wall() > w->sent + PATIENCE) && !send_all(w)) return false;
  }
  return true;
}

static bool send_account(Worker* w, double cpu_began) {
  const double account[2] = {sar_clock_cpu() - cpu_began, w->wait};
  return sweep_bytes_entry(&w->out, SWEEP_ACCOUNT, account, sizeof account) && send_all(w);
}

void sweep_work(const Sweep* s, const char* identity, const SweepChannel* c,
                const atomic_bool* halt) {
  Worker w = {.s = s, .channel = c, .sent = sar_clock_wall()};
  SweepBatch b;
  const int outputs = sar_model_count(s->base, SAR_ITEM_OUTPUT);
  const double began = sar_clock_cpu();
  w.outcome.halt = halt;
  w.outcome.last = sar_alloc((size_t)(outputs + 1) * sizeof *w.outcome.last);
  bool good = w.outcome.last &&
              sweep_bytes_entry(&w.out, SWEEP_HELLO, identity, strlen(identity)) && send_all(&w);
  while (good) {
    const double asked = sar_clock_wall();
    good = c->receive(c->context, &b);
    w.wait += sar_clock_wall() - asked;
    if (!good || b.count == 0) break;
    good = run_batch(&w, &b) && send_all(&w);
  }
  if (good) send_account(&w, began);
  sar_free(w.outcome.last);
  sar_free(w.out.at);
}

// ---- through a socket
// ------------------------------------------------------------------------------

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
