// The workers of a sweep as its master sees them: threads and forked processes behind sockets,
// ranks behind MPI.
#pragma once
#include "cli/sweep_record.h"
#include "mpi/link.h"
#include "output/journal.h"

#include <pthread.h>
#include <sys/types.h>

enum { SWEEP_AHEAD = 2 };  // batches that a worker has at a time: it need not wait for the next

typedef struct SweepPeer {
  int fd, its_fd;  // -1: a rank
  pid_t pid;       // 0: a thread, or a rank
  pthread_t thread;
  int rank;
  bool alive, greeted, finished, alone;
  SweepBatch given[SWEEP_AHEAD];  // what it has not sent yet
  int givens;
  SweepBytes in;
  double cpu, wait;
  struct SweepPeers* all;
} SweepPeer;

typedef struct SweepPeers {
  Sweep* s;
  char* identity;
  const SarMpiLink* link;  // Nullable
  atomic_bool halt;
  SweepPeer* peer;
  int count;
} SweepPeers;

// Threads, processes or ranks, as the team says.
SarStatus sweep_peers_begin(SweepPeers* p, SarError* err);
// Ends what is still alive; `whole`: their work is done.
void sweep_peers_end(SweepPeers* p, bool whole);
// Another process in the place of one that is gone.
bool sweep_peer_replace(SweepPeer* p);
// Why a process ended, in words.
void sweep_peer_obituary(SweepPeer* p, char* text, size_t size);
bool sweep_peer_give(SweepPeer* p, const SweepBatch* b);
// Waits for messages, at most so long, and appends them to peer->in. Those whose stream ended are
// alive no more.
bool sweep_peers_listen(SweepPeers* p, int milliseconds);

// sweep_mpi.c
const SarMpiLink* sweep_mpi_load(SarError* err);  // NULL after a report
