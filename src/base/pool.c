// A pool of threads that share a loop (pool.h). Who is free takes the next index; between loops the
// threads sleep.
#include "base/pool.h"

#include "base/alloc.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { MOST_THREADS = 1024 };

struct SarPool {
  pthread_mutex_t lock;
  pthread_cond_t begin, done;
  int threads;  // besides the calling one
  pthread_t* thread;
  // of the loop that is running; changed under the lock while all sleep
  SarPoolTask* task;
  void* context;
  int n;
  atomic_int next;
  unsigned long loop;  // its number
  int working;         // threads that have not finished it
  bool over;
};

int sar_processors(void) {
  const long n = sysconf(_SC_NPROCESSORS_ONLN);
  return n < 1 ? 1 : n > MOST_THREADS ? MOST_THREADS : (int)n;
}

static void take_indices(SarPool* p) {
  for (;;) {
    const int i = atomic_fetch_add(&p->next, 1);
    if (i >= p->n) return;
    p->task(p->context, i);
  }
}

static void* work(void* context) {
  SarPool* p = context;
  unsigned long seen = 0;
  for (;;) {
    pthread_mutex_lock(&p->lock);
    while (p->loop == seen && !p->over) pthread_cond_wait(&p->begin, &p->lock);
    const bool over = p->over;
    seen = p->loop;
    pthread_mutex_unlock(&p->lock);
    if (over) return NULL;
    take_indices(p);
    pthread_mutex_lock(&p->lock);
    if (--p->working == 0) pthread_cond_signal(&p->done);
    pthread_mutex_unlock(&p->lock);
  }
}

SarStatus sar_pool_new(int threads, SarPool** out) {
  const int wanted = threads > 0 ? threads : sar_processors();
  const int more = (wanted > MOST_THREADS ? MOST_THREADS : wanted) - 1;
  SarPool* p = *out = sar_alloc(sizeof *p);
  if (!p) return SAR_NO_MEMORY;
  p->thread = sar_alloc((size_t)(more + 1) * sizeof *p->thread);
  if (!p->thread) {
    sar_free(p);
    *out = NULL;
    return SAR_NO_MEMORY;
  }
  pthread_mutex_init(&p->lock, NULL);
  pthread_cond_init(&p->begin, NULL);
  pthread_cond_init(&p->done, NULL);
  while (p->threads < more && pthread_create(&p->thread[p->threads], NULL, work, p) == 0)
    p->threads++;
  return SAR_OK;
}

void sar_pool_free(SarPool* p) {
  if (!p) return;
  pthread_mutex_lock(&p->lock);
  p->over = true;
  pthread_cond_broadcast(&p->begin);
  pthread_mutex_unlock(&p->lock);
  for (int i = 0; i < p->threads; i++) pthread_join(p->thread[i], NULL);
  pthread_cond_destroy(&p->done);
  pthread_cond_destroy(&p->begin);
  pthread_mutex_destroy(&p->lock);
  sar_free(p->thread);
  sar_free(p);
}

int sar_pool_threads(const SarPool* p) { return p->threads + 1; }

void sar_pool_run(SarPool* p, int n, SarPoolTask* task, void* context) {
  pthread_mutex_lock(&p->lock);
  p->task = task;
  p->context = context;
  p->n = n;
  atomic_store(&p->next, 0);
  p->working = p->threads;
  p->loop++;
  pthread_cond_broadcast(&p->begin);
  pthread_mutex_unlock(&p->lock);
  take_indices(p);
  pthread_mutex_lock(&p->lock);
  while (p->working > 0) pthread_cond_wait(&p->done, &p->lock);
  pthread_mutex_unlock(&p->lock);
}
