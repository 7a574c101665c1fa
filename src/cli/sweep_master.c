// Hands out instances of a sweep and keeps what comes back (sweep_master.h): manager/worker with
// dynamic load balance.
//
// A record is taken once, whoever sends it: instances of a worker that died are handed out again,
// one at a time, and the one that three workers died of is kept as failed.
#include "cli/sweep_master.h"

#include "base/clock.h"
#include "cli/interrupt.h"

#include <string.h>

enum { WAIT_MS = 100, MOST_BARREN = 20 };
static const double SYNC_S = 0.5;  // at most so much is lost when the machine stops
static const double BYE_S = 30;

// ---- records ------------------------------------------------------------------------------------

static SarStatus keep_record(SweepMaster* w, int instance, const void* bytes, size_t size) {
  SweepRecord record;
  if (instance >= w->queue.instances || !sweep_record_read(w->s, bytes, size, &record)) {
    sar_report(w->err, (SarLoc){0}, "", "a worker sent what is no record of this sweep");
    return SAR_BAD_ARGUMENT;
  }
  if (!sweep_queue_done(&w->queue, instance)) return SAR_OK;
  w->barren = 0;
  return sar_journal_add(w->journal, (uint64_t)instance, bytes, size, &w->place[instance], w->err);
}

static void strike_out(SweepPeer* p, int instance) {
  for (int k = 0; k < p->givens; k++) {
    SweepBatch* b = &p->given[k];
    if (instance != b->first || b->count == 0) continue;
    b->first++;
    b->count--;
  }
  while (p->givens > 0 && p->given[0].count == 0) {
    memmove(p->given, p->given + 1, (SWEEP_AHEAD - 1) * sizeof *p->given);
    p->givens--;
  }
  if (p->givens == 0) p->alone = false;
}

static SarStatus greet(SweepMaster* w, SweepPeer* p, const char* text, size_t n) {
  p->greeted = true;
  if (strlen(w->peers.identity) == n && memcmp(text, w->peers.identity, n) == 0) return SAR_OK;
  if (n > 0 && text[0] == '!')
    sar_report(w->err, (SarLoc){0}, "", "rank %d: %.*s", p->rank, (int)n - 1, text + 1);
  else
    sar_report(w->err, (SarLoc){0}, "all ranks need the same files and the same build",
               "rank %d has another program, or other files, than rank 0", p->rank);
  return SAR_BAD_ARGUMENT;
}

static SarStatus take_entry(SweepMaster* w, SweepPeer* p, int whose, const unsigned char* bytes,
                            size_t size) {
  if (whose == SWEEP_HELLO) return greet(w, p, (const char*)bytes, size);
  if (whose >= 0) {
    strike_out(p, whose);
    return keep_record(w, whose, bytes, size);
  }
  if (whose == SWEEP_ACCOUNT && size == 2 * sizeof(double)) {
    memcpy(&p->cpu, bytes, sizeof p->cpu);
    memcpy(&p->wait, bytes + sizeof p->cpu, sizeof p->wait);
    p->finished = true;
  }
  return SAR_OK;
}

static SarStatus take_entries(SweepMaster* w, SweepPeer* p) {
  SarStatus st = SAR_OK;
  size_t at = 0;
  while (st == SAR_OK && p->in.used - at >= SWEEP_ENTRY_HEAD) {
    uint32_t size;
    int32_t whose;
    memcpy(&size, p->in.at + at, sizeof size);
    memcpy(&whose, p->in.at + at + sizeof size, sizeof whose);
    if (p->in.used - at - SWEEP_ENTRY_HEAD < size) break;
    st = take_entry(w, p, whose, p->in.at + at + SWEEP_ENTRY_HEAD, size);
    at += SWEEP_ENTRY_HEAD + size;
  }
  if (at > 0) memmove(p->in.at, p->in.at + at, p->in.used - at);
  p->in.used -= at;
  return st;
}

// ---- workers that end before their time ---------------------------------------------------------

static SarStatus keep_lost(SweepMaster* w, int instance, const char* why) {
  SweepBytes record = {0};
  char text[300];
  snprintf(text, sizeof text, "%s, %d times", why, SWEEP_MOST_DEATHS);
  SarStatus st = SAR_NO_MEMORY;
  if (sweep_record_lost(instance, text, &record))
    st = keep_record(w, instance, record.at + SWEEP_ENTRY_HEAD, record.used - SWEEP_ENTRY_HEAD);
  sar_free(record.at);
  return st;
}

static SarStatus bury(SweepMaster* w, SweepPeer* p) {
  char why[200];
  SarStatus st = SAR_OK;
  sweep_peer_obituary(p, why, sizeof why);
  if (cli_interrupted()) return SAR_STOPPED;
  w->s->team.lost++;
  for (int k = 0; k < p->givens; k++)
    for (int i = 0; i < p->given[k].count && st == SAR_OK; i++)
      if (sweep_queue_return(&w->queue, p->given[k].first + i, p->alone))
        st = keep_lost(w, p->given[k].first + i, why);
  if (st != SAR_OK) return st;
  if (++w->barren > MOST_BARREN || !sweep_peer_replace(p)) {
    sar_report(w->err, (SarLoc){0}, "", "workers end as soon as they begin: %s", why);
    return SAR_NO_MEMORY;
  }
  return SAR_OK;
}

// ---- the loop -----------------------------------------------------------------------------------

static void feed(SweepMaster* w) {
  for (int k = 0; k < SWEEP_AHEAD; k++)  // everybody has one before anybody has two
    for (int i = 0; i < w->peers.count; i++) {
      SweepPeer* p = &w->peers.peer[i];
      SweepBatch b;
      bool alone;
      if (!p->alive || !p->greeted || p->alone || p->givens != k) continue;
      // what is left is for who is idle
      if (k > 0 && w->queue.again_count > 0) continue;
      if (!sweep_queue_take(&w->queue, w->peers.count, &b, &alone)) return;
      p->alone = alone;
      p->given[p->givens++] = b;
      sweep_peer_give(p, &b);  // where that fails, the end of its stream says so
    }
}

static SarStatus listen_once(SweepMaster* w) {
  if (!sweep_peers_listen(&w->peers, WAIT_MS)) return SAR_NO_MEMORY;
  for (int i = 0; i < w->peers.count; i++) {
    SweepPeer* p = &w->peers.peer[i];
    SAR_TRY(take_entries(w, p));
    if (!p->alive && !p->finished) SAR_TRY(bury(w, p));
  }
  return SAR_OK;
}

static SarStatus tick(SweepMaster* w) {
  const double now = sar_clock_wall();
  if (now < w->synced + SYNC_S) return SAR_OK;
  w->synced = now;
  sweep_show_bar(w->s, w->queue.done, now - w->began);
  return sar_journal_sync(w->journal, w->err);
}

// What all workers say at their end: how long they worked and waited.
static SarStatus say_goodbye(SweepMaster* w) {
  const SweepBatch none = {0};
  const double until = sar_clock_wall() + BYE_S;
  for (int i = 0; i < w->peers.count; i++)
    if (w->peers.peer[i].alive) sweep_peer_give(&w->peers.peer[i], &none);
  for (bool all = false; !all && sar_clock_wall() < until;) {
    if (!sweep_peers_listen(&w->peers, WAIT_MS)) return SAR_NO_MEMORY;
    all = true;
    for (int i = 0; i < w->peers.count; i++) {
      SweepPeer* p = &w->peers.peer[i];
      SAR_TRY(take_entries(w, p));
      all = all && (p->finished || !p->alive);
    }
  }
  for (int i = 0; i < w->peers.count; i++) {
    w->s->team.worker_cpu_s += w->peers.peer[i].cpu;
    w->s->team.wait_s += w->peers.peer[i].wait;
  }
  return SAR_OK;
}

SarStatus sweep_master_run(SweepMaster* w) {
  SarStatus st = SAR_OK;
  w->began = w->synced = sar_clock_wall();
  cli_watch_signals();
  while (st == SAR_OK && w->queue.done < w->queue.instances) {
    feed(w);
    st = listen_once(w);
    if (st == SAR_OK) st = tick(w);
    if (cli_interrupted()) st = SAR_STOPPED;
  }
  sweep_clear_bar(w->s);
  if (st == SAR_OK) st = say_goodbye(w);
  if (st == SAR_NO_MEMORY && w->err->errors == 0)
    sar_report(w->err, (SarLoc){0}, "", "out of memory");
  const SarStatus synced =
      st == SAR_OK || st == SAR_STOPPED ? sar_journal_sync(w->journal, w->err) : st;
  return st == SAR_OK ? synced : st;
}
