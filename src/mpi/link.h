// Messages between the ranks of an MPI job, as the program sees them: it loads what is behind it
// (sarrus_mpi.so) only where it finds itself in such a job, so that it starts without MPI, and as
// fast.
#pragma once
#include <stdbool.h>
#include <stddef.h>

typedef struct SarMpiLink {
  bool (*begin)(int* rank, int* size);
  // Is there a message? From whom, and how long. Never waits.
  bool (*probe)(int* from, size_t* bytes);
  bool (*receive)(int from, void* to, size_t bytes);
  bool (*send)(int to, const void* bytes, size_t size);
  void (*end)(void);
  void (*abort)(int status);  // of the whole job
} SarMpiLink;

#define SAR_MPI_LINK "sarrus_mpi_link"  // the function that returns it
