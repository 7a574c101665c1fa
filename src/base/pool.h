// A pool of threads that share a loop (parallel for): task(context, i) for i = 0 ... n - 1, each
// once, in no order that anything may depend on. The calling thread takes part. Running one
// allocates nothing.
#pragma once
#include "sarrus/sarrus.h"

typedef struct SarPool SarPool;
typedef void SarPoolTask(void* context, int index);

// Processors that the process may use, at least 1.
int sar_processors(void);
// threads: with the calling one; 0: as many as processors. Fewer where the system gives no more.
SarStatus sar_pool_new(int threads, SarPool** out);
void sar_pool_free(SarPool* pool);  // NULL is fine
int sar_pool_threads(const SarPool* pool);
// Back when all are done.
void sar_pool_run(SarPool* pool, int n, SarPoolTask* task, void* context);
