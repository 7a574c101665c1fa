/* A client of `sarrus rt --shm NAME`: reads its outputs and drives its inputs through shared
 * memory, without a lock or, once attached, a system call of its own.  Header-only; C11 or C++11,
 * gcc or clang on Linux; needs neither libsarrus nor its other headers than rt_protocol.h.  Include
 * it first, or define _POSIX_C_SOURCE as 200809L.
 *
 *   SarShm rig;
 *   if (sar_shm_attach(&rig, "arm", 1) != SAR_SHM_OK) ...
 *   const int angle = sar_shm_find(&rig, "shoulder.q", 0), torque = sar_shm_find(&rig, "torque",
 * 1); double y[64], u[1] = {0}; while (sar_shm_wait(&rig, y, 100000000) == SAR_SHM_OK) { u[torque]
 * = -100 * y[angle]; sar_shm_send(&rig, u);
 *   }
 *   sar_shm_detach(&rig); */
#pragma once
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include <sarrus/rt_protocol.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a call came to. */
enum {
  SAR_SHM_OK = 0,
  SAR_SHM_NOTHING = 1, /* no sample that was not read before */
  SAR_SHM_ABSENT = -1, /* there is no such run */
  SAR_SHM_WRONG = -2, /* the object is not of this protocol, version or byte order, or is damaged */
  SAR_SHM_TAKEN = -3, /* another process drives the inputs */
  SAR_SHM_OVER = -4,  /* the run has ended, or its process is gone */
  SAR_SHM_TIMED_OUT = -5 /* no sample within the time */
};

typedef struct SarShm {
  int file;
  unsigned char* base;
  SarShmHeader* live;  /* what changes is read and written there */
  SarShmHeader header; /* a copy, as it was checked: nothing that others write is used as a size */
  const SarShmSignal* signal; /* inputs, then outputs */
  int inputs, outputs, drives;
  uint64_t read;     /* number of the last sample that was read */
  uint64_t lost;     /* samples that sar_shm_next came too late for */
  uint64_t sent;     /* samples of inputs */
  uint64_t session;  /* of this client */
  SarShmSample last; /* head of the last sample that was read */
} SarShm;

static inline int64_t sar_shm_clock(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Does a ring lie within the object? */
static inline int sar_shm_fits(const SarShmHeader* h, uint32_t at, uint32_t slots, uint32_t bytes,
                               uint32_t count) {
  return slots && (slots & (slots - 1)) == 0 && at % 8 == 0 && bytes % 8 == 0 &&
         bytes >= sizeof(SarShmSample) + 8 * (uint64_t)count &&
         at + (uint64_t)slots * bytes <= h->bytes;
}

/* What the header says of the `size` bytes at base: nothing of it is used unless all of it is in
 * order. */
static inline int sar_shm_check(const SarShmHeader* h, const void* base, uint64_t size) {
  if (size < sizeof *h || memcmp(h->magic, "SARRUSRT", 8) != 0 || h->version != SAR_RT_VERSION ||
      h->order != SAR_SHM_ORDER || h->bytes > size)
    return SAR_SHM_WRONG;
  const uint64_t table = ((uint64_t)h->inputs + h->outputs) * sizeof(SarShmSignal);
  if (h->signal_bytes != sizeof(SarShmSignal) || h->signals % 8 || h->signals + table > h->bytes ||
      !sar_shm_fits(h, h->output_ring, h->output_slots, h->output_bytes, h->outputs) ||
      !sar_shm_fits(h, h->input_ring, h->input_slots, h->input_bytes, h->inputs))
    return SAR_SHM_WRONG;
  uint32_t crc = sar_rt_crc(0, h, offsetof(SarShmHeader, checksum));
  crc = sar_rt_crc(crc, (const unsigned char*)base + h->signals, (size_t)table);
  return crc == h->checksum ? SAR_SHM_OK : SAR_SHM_WRONG;
}

static inline void sar_shm_detach(SarShm* c) {
  if (c->base) munmap(c->base, (size_t)c->header.bytes);
  if (c->file >= 0) close(c->file);
  c->base = NULL;
  c->file = -1;
}

/* Is the runner there?  It holds a lock on the object, which its end gives back whatever way it
 * ends.  A system call: for when samples stay out. */
static inline int sar_shm_alive(const SarShm* c) {
  if (__atomic_load_n(&c->live->state, __ATOMIC_ACQUIRE) != SAR_SHM_RUNNING) return 0;
  if (flock(c->file, LOCK_SH | LOCK_NB) != 0) return 1;
  flock(c->file, LOCK_UN);
  return 0;
}

/* Maps what is checked; `drive`: no other process may drive the inputs while this one does. */
static inline int sar_shm_map(SarShm* c, int drive) {
  struct stat s;
  if (fstat(c->file, &s) != 0 || s.st_size < (off_t)sizeof(SarShmHeader)) return SAR_SHM_ABSENT;
  void* base = mmap(NULL, (size_t)s.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, c->file, 0);
  if (base == MAP_FAILED) return SAR_SHM_WRONG;
  c->live = (SarShmHeader*)base;
  int found = SAR_SHM_ABSENT;
  if (sar_shm_alive(c)) { /* not what a run left that was killed */
    memcpy(&c->header, base, sizeof c->header);
    found = sar_shm_check(&c->header, base, (uint64_t)s.st_size);
  }
  struct flock lock;
  memset(&lock, 0, sizeof lock);
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_len = 1;
  if (found == SAR_SHM_OK && drive && fcntl(c->file, F_SETLK, &lock) != 0) found = SAR_SHM_TAKEN;
  if (found != SAR_SHM_OK) {
    munmap(base, (size_t)s.st_size);
    return found;
  }
  c->base = (unsigned char*)base;
  c->signal = (const SarShmSignal*)(const void*)(c->base + c->header.signals);
  c->inputs = (int)c->header.inputs;
  c->outputs = (int)c->header.outputs;
  c->drives = drive;
  return SAR_SHM_OK;
}

/* `drive` 0: reads outputs only; many may. */
static inline int sar_shm_attach(SarShm* c, const char* name, int drive) {
  char path[256];
  memset(c, 0, sizeof *c);
  c->file = -1;
  if (snprintf(path, sizeof path, "/sarrus-%s", name) >= (int)sizeof path) return SAR_SHM_ABSENT;
  c->file = shm_open(path, O_RDWR, 0);
  if (c->file < 0) return SAR_SHM_ABSENT;
  const int found = sar_shm_map(c, drive);
  if (found != SAR_SHM_OK) sar_shm_detach(c);
  c->session = (uint64_t)sar_shm_clock() ^ (uint64_t)getpid() << 40;
  return found;
}

/* The place of a signal among the inputs, or the outputs; -1: there is none. */
static inline int sar_shm_find(const SarShm* c, const char* name, int input) {
  const int from = input ? 0 : c->inputs, count = input ? c->inputs : c->outputs;
  for (int i = 0; i < count; i++)
    if (strncmp(c->signal[from + i].name, name, SAR_RT_NAME) == 0) return i;
  return -1;
}
static inline const char* sar_shm_name(const SarShm* c, int i, int input) {
  return c->signal[input ? i : c->inputs + i].name;
}

static inline int sar_shm_read(SarShm* c, uint64_t number, double* values) {
  const SarShmHeader* h = &c->header;
  const unsigned char* slot =
      c->base + h->output_ring + (size_t)(number & (h->output_slots - 1)) * h->output_bytes;
  if (!sar_shm_get(slot, number, &c->last, values, c->outputs)) return 0;
  c->read = number;
  return 1;
}

/* The newest outputs: SAR_SHM_OK, or SAR_SHM_NOTHING if they were read before. */
static inline int sar_shm_latest(SarShm* c, double* values) {
  for (;;) { /* ends: it is repeated only when the writer has gone round the whole ring meanwhile */
    const uint64_t head = __atomic_load_n(&c->live->output_head, __ATOMIC_ACQUIRE);
    if (head == c->read) return SAR_SHM_NOTHING;
    if (sar_shm_read(c, head, values)) return SAR_SHM_OK;
  }
}

/* The next outputs in order; those that it comes too late for are counted in `lost`. */
static inline int sar_shm_next(SarShm* c, double* values) {
  for (;;) {
    const uint64_t head = __atomic_load_n(&c->live->output_head, __ATOMIC_ACQUIRE);
    if (head == c->read) return SAR_SHM_NOTHING;
    const uint64_t behind = head - c->read, room = c->header.output_slots - 1;
    if (behind > room) {
      c->lost += behind - room;
      c->read = head - room;
    }
    if (sar_shm_read(c, c->read + 1, values)) return SAR_SHM_OK;
  }
}

/* The newest outputs as soon as there are new ones: looks, and sleeps 20 us in between. */
static inline int sar_shm_wait(SarShm* c, double* values, int64_t timeout_ns) {
  const int64_t until = sar_shm_clock() + timeout_ns;
  const struct timespec pause = {0, 20000};
  for (;;) {
    if (sar_shm_latest(c, values) == SAR_SHM_OK) return SAR_SHM_OK;
    if (__atomic_load_n(&c->live->state, __ATOMIC_ACQUIRE) != SAR_SHM_RUNNING) return SAR_SHM_OVER;
    if (sar_shm_clock() >= until) return sar_shm_alive(c) ? SAR_SHM_TIMED_OUT : SAR_SHM_OVER;
    nanosleep(&pause, NULL);
  }
}

/* Hands over all inputs, as the answer to the outputs that were read last. */
static inline int sar_shm_send(SarShm* c, const double* values) {
  const SarShmHeader* h = &c->header;
  if (!c->drives) return SAR_SHM_TAKEN;
  SarShmSample sample;
  memset(&sample, 0, sizeof sample);
  sample.sequence = ++c->sent;
  sample.time = c->last.time;
  sample.clock_ns = sar_shm_clock();
  sample.echo_sequence = c->last.sequence;
  sample.echo_clock_ns = c->last.clock_ns;
  sample.session = c->session;
  const uint64_t number = __atomic_load_n(&c->live->input_head, __ATOMIC_RELAXED) + 1;
  unsigned char* slot =
      c->base + h->input_ring + (size_t)(number & (h->input_slots - 1)) * h->input_bytes;
  sar_shm_put(slot, number, &sample, values, c->inputs);
  __atomic_store_n(&c->live->input_head, number, __ATOMIC_RELEASE);
  return SAR_SHM_OK;
}

#ifdef __cplusplus
}
#endif
