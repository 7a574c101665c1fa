// MPI behind the link (link.h). Only the thread that began speaks with it (MPI_THREAD_FUNNELED).
// Waiting is left to the caller, who sleeps between two probes: a rank that waits inside MPI takes
// all of a core.
#include "mpi/link.h"

#include <limits.h>
#include <mpi.h>

enum { TAG = 16 };

static bool begin(int* rank, int* size) {
  int given;
  return MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &given) == MPI_SUCCESS &&
         MPI_Comm_rank(MPI_COMM_WORLD, rank) == MPI_SUCCESS &&
         MPI_Comm_size(MPI_COMM_WORLD, size) == MPI_SUCCESS;
}

static bool probe(int* from, size_t* bytes) {
  MPI_Status status;
  int there = 0, count = 0;
  if (MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &there, &status) != MPI_SUCCESS || !there)
    return false;
  if (MPI_Get_count(&status, MPI_BYTE, &count) != MPI_SUCCESS || count < 0) return false;
  *from = status.MPI_SOURCE;
  *bytes = (size_t)count;
  return true;
}

static bool receive(int from, void* to, size_t bytes) {
  return bytes <= INT_MAX && MPI_Recv(to, (int)bytes, MPI_BYTE, from, TAG, MPI_COMM_WORLD,
                                      MPI_STATUS_IGNORE) == MPI_SUCCESS;
}

static bool send(int to, const void* bytes, size_t size) {
  return size <= INT_MAX &&
         MPI_Send(bytes, (int)size, MPI_BYTE, to, TAG, MPI_COMM_WORLD) == MPI_SUCCESS;
}

static void end(void) { MPI_Finalize(); }
static void stop(int status) { MPI_Abort(MPI_COMM_WORLD, status); }

const SarMpiLink* sarrus_mpi_link(void);
__attribute__((visibility("default"))) const SarMpiLink* sarrus_mpi_link(void) {
  static const SarMpiLink link = {begin, probe, receive, send, end, stop};
  return &link;
}
