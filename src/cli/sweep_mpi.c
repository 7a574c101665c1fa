// A sweep in an MPI job (mpirun -n N sarrus sweep ...): rank 0 hands out work and does some, the
// others work.
//
// MPI is loaded when the environment says that this is such a job: linked, it would cost every
// start of the program 1.3 ms of CPU time, and the program would not start where there is no MPI.
#include "cli/beside.h"
#include "cli/interrupt.h"
#include "cli/sweep_peers.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

const SarMpiLink* sweep_mpi_load(SarError* err) {
  char path[PATH_MAX];
  const SarMpiLink* (*get)(void) = NULL;
  void *library = NULL, *found = NULL;
  const bool there = cli_find_beside("sarrus_mpi.so", path, sizeof path);
  // MPI's own plugins look for its symbols
  if (there) library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  if (library) found = dlsym(library, SAR_MPI_LINK);
  memcpy((void*)&get, (void*)&found, sizeof get);  // C has no conversion from data to functions
  if (get) return get();
  sar_report(
      err, (SarLoc){0},
      there ? "" : "install libopenmpi-dev and build again, or use --processes on one machine",
      "this is an MPI job, and %s", there ? dlerror() : "this build of sarrus has no MPI");
  return NULL;
}

// ---- which rank ---------------------------------------------------------------------------------

static int number_of(const char* const* names) {
  for (; *names; names++) {
    const char* text = getenv(*names);
    if (text && *text) return atoi(text);
  }
  return -1;
}

// Ranks but the first keep their messages to themselves: all read the same files, and would say the
// same.
static void be_silent(void) {
  FILE* kept = tmpfile();
  if (kept) dup2(fileno(kept), STDERR_FILENO);
  if (!freopen("/dev/null", "w", stdout)) fclose(stdout);
}

int cli_mpi_ranks(void) {
  static const char* const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", NULL};
  static const char* const ranks[] = {"PMIX_RANK", NULL};
  const int size = number_of(sizes);
  return size >= 1 ? size : number_of(ranks) >= 0 ? 2 : 0;
}

int sweep_find_ranks(Sweep* s) {
  static const char* const names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", NULL};
  s->team.mpi = cli_mpi_ranks() > 0;
  s->team.rank = s->team.mpi ? number_of(names) : 0;
  if (s->team.rank > 0) be_silent();
  return s->team.rank;
}

// ---- a rank that works --------------------------------------------------------------------------

static bool rank_receive(void* context, SweepBatch* b) {
  const SarMpiLink* link = context;
  const struct timespec pause = {.tv_nsec = 200000};
  int from;
  size_t bytes;
  while (!link->probe(&from, &bytes)) {
    if (cli_interrupted()) return false;
    nanosleep(&pause, NULL);
  }
  return bytes == sizeof *b && link->receive(from, b, bytes);
}

static bool rank_send(void* context, const void* bytes, size_t size) {
  return ((const SarMpiLink*)context)->send(0, bytes, size);
}

// What was said so far, for the first rank to print: "!" and the text.
static void send_trouble(const SarMpiLink* link, const char* trouble) {
  char text[2000] = "!";
  SweepBytes out = {0};
  fflush(stderr);
  const ssize_t n = pread(STDERR_FILENO, text + 1, sizeof text - 2, 0);
  text[n > 0 ? n + 1 : 1] = 0;
  if (n <= 0) snprintf(text, sizeof text, "!%s", trouble);
  text[strcspn(text, "\n")] = 0;  // the first line of it
  if (sweep_bytes_entry(&out, SWEEP_HELLO, text, strlen(text))) link->send(0, out.at, out.used);
  sar_free(out.at);
}

int sweep_serve(Sweep* s, int status) {
  SarError err;
  sar_error_init(&err);
  const SarMpiLink* link = sweep_mpi_load(&err);
  if (!link) {
    cli_print_messages(&err);
    return EXIT_USAGE;
  }
  if (!link->begin(&s->team.rank, &s->team.ranks)) return EXIT_INTERNAL;
  if (status == EXIT_DONE && s->generated) sweep_generated_begin(s);
  char* identity = status == EXIT_DONE ? sweep_identity(s) : NULL;
  const SweepChannel channel = {(void*)(uintptr_t)link, rank_receive, rank_send};
  cli_watch_signals();
  if (identity)
    sweep_work(s, identity, &channel, NULL);
  else
    send_trouble(link, "no message");
  sar_free(identity);
  sweep_generated_end(s);
  if (!cli_interrupted()) link->end();
  cli_pass_on_signal();
  return EXIT_DONE;
}
