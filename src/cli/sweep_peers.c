// Workers of a sweep (sweep_peers.h): begun, fed, heard and ended.
#include "cli/sweep_peers.h"

#include "cli/interrupt.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { READ_SIZE = 1 << 16 };

// ---- beginning ----------------------------------------------------------------------------------

static bool open_sockets(SweepPeer* p) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return false;
  p->fd = pair[0];
  p->its_fd = pair[1];
  return true;
}

static void* thread_works(void* context) {
  SweepPeer* p = context;
  const SweepChannel channel = sweep_socket_channel(&p->its_fd);
  sweep_work(p->all->s, p->all->identity, &channel, &p->all->halt);
  shutdown(p->its_fd, SHUT_WR);
  return NULL;
}

static bool begin_thread(SweepPeer* p) {
  if (!open_sockets(p)) return false;
  p->alive = pthread_create(&p->thread, NULL, thread_works, p) == 0;
  if (!p->alive) close(p->fd), close(p->its_fd), p->fd = p->its_fd = -1;
  return p->alive;
}

// A child has its own copy of all; it ends with its parent, and leaves the journal alone.
static void process_works(SweepPeer* p, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(EXIT_INTERNAL);
  sar_journal_leave(p->all->s->team.file);
  for (int i = 0; i < p->all->count; i++)
    if (p->all->peer[i].fd >= 0) close(p->all->peer[i].fd);
  const SweepChannel channel = sweep_socket_channel(&p->its_fd);
  sweep_work(p->all->s, p->all->identity, &channel, NULL);
  _exit(EXIT_DONE);
}

static bool begin_process(SweepPeer* p) {
  const pid_t parent = getpid();
  if (!open_sockets(p)) return false;
  fflush(NULL);
  p->pid = fork();
  if (p->pid == 0) process_works(p, parent);
  close(p->its_fd);
  p->its_fd = -1;
  p->alive = p->pid > 0;
  if (!p->alive) close(p->fd), p->fd = -1, p->pid = 0;
  return p->alive;
}

static bool begin_peer(SweepPeers* all, int i) {
  SweepPeer* p = &all->peer[i];
  const SweepTeam* team = &all->s->team;
  *p = (SweepPeer){.fd = -1, .its_fd = -1, .all = all, .in = p->in};
  p->in.used = 0;
  if (team->mpi && i > 0) {
    p->rank = i;
    return p->alive = true;
  }
  return team->processes > 0 ? begin_process(p) : begin_thread(p);
}

SarStatus sweep_peers_begin(SweepPeers* p, SarError* err) {
  const SweepTeam* team = &p->s->team;
  const int count = team->mpi ? team->ranks : team->processes ? team->processes : p->s->threads;
  int begun = 0;
  p->peer = sar_alloc((size_t)count * sizeof *p->peer);
  if (!p->peer) return SAR_NO_MEMORY;
  for (int i = 0; i < count; i++) p->peer[i].fd = p->peer[i].its_fd = -1;
  p->count = count;
  for (int i = 0; i < count; i++) begun += begin_peer(p, i);
  if (begun > 0) return SAR_OK;
  sar_report(err, (SarLoc){0}, "", "no worker could be started: %s", strerror(errno));
  return SAR_NO_MEMORY;
}

// ---- ending -------------------------------------------------------------------------------------

void sweep_peer_obituary(SweepPeer* p, char* text, size_t size) {
  int status = 0;
  snprintf(text, size, "the process that ran it is gone");
  if (p->pid > 0 && waitpid(p->pid, &status, 0) == p->pid) {
    if (WIFSIGNALED(status))
      snprintf(text, size, "the process that ran it was ended by signal %d (%s)", WTERMSIG(status),
               strsignal(WTERMSIG(status)));
    else
      snprintf(text, size, "the process that ran it ended with status %d", WEXITSTATUS(status));
  }
  p->pid = 0;
}

static void close_peer(SweepPeer* p) {
  if (p->fd >= 0) close(p->fd);
  if (p->its_fd >= 0) close(p->its_fd);
  p->fd = p->its_fd = -1;
}

bool sweep_peer_replace(SweepPeer* p) {
  close_peer(p);
  return begin_peer(p->all, (int)(p - p->all->peer));
}

void sweep_peers_end(SweepPeers* p, bool whole) {
  atomic_store(&p->halt, true);
  for (int i = 0; i < p->count; i++) {
    SweepPeer* a = &p->peer[i];
    if (a->fd >= 0) shutdown(a->fd, SHUT_RDWR);
    if (a->pid > 0 && !whole) kill(a->pid, SIGKILL);
    if (a->pid > 0) waitpid(a->pid, NULL, 0);
    if (a->fd >= 0 && a->pid == 0 && a->rank == 0 && a->its_fd >= 0) pthread_join(a->thread, NULL);
    close_peer(a);
    sar_free(a->in.at);
  }
  sar_free(p->peer);
  p->peer = NULL;
  p->count = 0;
}

// ---- messages -----------------------------------------------------------------------------------

bool sweep_peer_give(SweepPeer* p, const SweepBatch* b) {
  if (p->fd < 0) return p->all->link->send(p->rank, b, sizeof *b);
  return send(p->fd, b, sizeof *b, MSG_NOSIGNAL) == (ssize_t)sizeof *b;
}

static bool hear_socket(SweepPeer* p) {
  if (!sweep_bytes_room(&p->in, READ_SIZE)) return false;
  const ssize_t n = recv(p->fd, p->in.at + p->in.used, READ_SIZE, MSG_DONTWAIT);
  if (n > 0) p->in.used += (size_t)n;
  if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN)) p->alive = false;
  return true;
}

static bool hear_ranks(SweepPeers* p, bool* any) {
  int from;
  size_t bytes;
  while (p->link && p->link->probe(&from, &bytes)) {
    SweepPeer* a = &p->peer[from];
    if (!sweep_bytes_room(&a->in, bytes)) return false;
    if (!p->link->receive(from, a->in.at + a->in.used, bytes)) return false;
    a->in.used += bytes;
    *any = true;
  }
  return true;
}

bool sweep_peers_listen(SweepPeers* p, int milliseconds) {
  enum { MOST = 4096 };
  struct pollfd ready[MOST];
  int whose[MOST], n = 0;
  bool any = false;
  if (!hear_ranks(p, &any)) return false;
  for (int i = 0; i < p->count && n < MOST; i++)
    if (p->peer[i].fd >= 0 && p->peer[i].alive) {
      ready[n] = (struct pollfd){.fd = p->peer[i].fd, .events = POLLIN};
      whose[n++] = i;
    }
  // ranks cannot be waited for without taking a core: they are asked every millisecond
  const int wait = any ? 0 : p->link ? 1 : milliseconds;
  if (poll(ready, (nfds_t)n, wait) <= 0) return true;
  for (int i = 0; i < n; i++)
    if (ready[i].revents && !hear_socket(&p->peer[whose[i]])) return false;
  return true;
}
