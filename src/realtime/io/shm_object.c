// POSIX shared memory of a port: a self-describing object (include/sarrus/rt_protocol.h).
#include "realtime/io/shm_object.h"

#include "base/block.h"
#include "base/clock.h"
#include "base/error.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert(sizeof(SarShmHeader) == 256 && offsetof(SarShmHeader, checksum) == 124 &&
                   offsetof(SarShmHeader, output_head) == 128 &&
                   offsetof(SarShmHeader, input_head) == 192,
               "who writes what stands on cache lines of their own");
_Static_assert(sizeof(SarShmSignal) == 128 && sizeof(SarShmSample) == 64, "as documented");
_Static_assert((int)SAR_PORT_NAME == (int)SAR_RT_NAME && (int)SAR_PORT_UNIT == (int)SAR_RT_UNIT,
               "the limits of ports are those of the protocol");

enum { MOST_BYTES = 16 << 20, FEWEST_SLOTS = 8, MOST_SLOTS = 1 << 16, USUAL_SLOTS = 1024 };
enum { LONGEST_NAME = 64, TRIES = 50 };

static SarStatus trouble(const SarShmObject* o, const char* what, SarError* err) {
  sar_report(err, (SarLoc){0}, "", "--shm: %s: %s: %s", o->name, what, strerror(errno));
  return errno == ENOMEM || errno == ENOSPC ? SAR_NO_MEMORY : SAR_NO_FILE;
}

static SarStatus set_name(SarShmObject* o, const char* name, int length, SarError* err) {
  bool good = length > 0 && length <= LONGEST_NAME;
  for (int i = 0; i < length && good; i++)
    good = isalnum((unsigned char)name[i]) || (i > 0 && strchr("-_.", name[i]));
  if (!good) {
    sar_report(err, (SarLoc){0}, "",
               "--shm: expected a name of up to %d letters, digits, '-', '_' and '.'",
               LONGEST_NAME);
    return SAR_BAD_ARGUMENT;
  }
  snprintf(o->name, sizeof o->name, "/sarrus-%.*s", length, name);
  return SAR_OK;
}

// ---- sizes ----

static uint64_t slots_of(double wanted, size_t bytes) {
  uint64_t slots = FEWEST_SLOTS;
  const double most = wanted > 0 ? (wanted < MOST_SLOTS ? wanted : MOST_SLOTS) : USUAL_SLOTS;
  while ((double)slots < most && (2 * slots * bytes <= MOST_BYTES || wanted > 0)) slots *= 2;
  return slots;
}

static size_t lay_out(SarShmObject* o, const SarPort* p, double slots) {
  SarBlock b = sar_block(NULL, sizeof(SarShmHeader));
  b.used += sar_rounded(sizeof(SarShmSignal) * (size_t)(p->inputs + p->outputs));
  o->output_bytes = sar_rounded(sizeof(SarShmSample) + sizeof(double) * (size_t)p->outputs);
  o->input_bytes = sar_rounded(sizeof(SarShmSample) + sizeof(double) * (size_t)p->inputs);
  o->output_slots = slots_of(slots, o->output_bytes);
  o->input_slots = slots_of(slots, o->input_bytes);
  o->output_ring = b.used;
  b.used += o->output_slots * o->output_bytes;
  o->input_ring = b.used;
  b.used += o->input_slots * o->input_bytes;
  return b.used;
}

// ---- making ----

// The object of the name as it is there: given back if nobody holds it. Clients that look whether
// the runner is alive hold it for an instant.
static SarStatus remove_left(SarShmObject* o, SarError* err) {
  const int left = shm_open(o->name, O_RDWR, 0);
  if (left < 0 && errno == ENOENT) return SAR_OK;
  if (left < 0) return trouble(o, "cannot be opened", err);
  char magic[8] = {0};
  bool held = true;
  for (int i = 0; i < TRIES && held; i++) {
    held = flock(left, LOCK_EX | LOCK_NB) != 0;
    if (held) usleep(1000);
  }
  const ssize_t n = pread(left, magic, sizeof magic, 0);
  const bool ours = n == 0 || memcmp(magic, "SARRUSRT", sizeof magic) == 0;
  if (!held && ours) shm_unlink(o->name);
  close(left);
  if (!held && ours) return SAR_OK;
  sar_report(err, (SarLoc){0}, "choose another name",
             ours ? "--shm: %s: another run has this name" : "--shm: %s is not of Sarrus", o->name);
  return SAR_BAD_ARGUMENT;
}

static SarStatus create(SarShmObject* o, SarError* err) {
  for (int i = 0; i < 2 && o->file < 0; i++) {
    o->file = shm_open(o->name, O_CREAT | O_EXCL | O_RDWR, 0600);
    if (o->file < 0 && errno != EEXIST) return trouble(o, "cannot be made", err);
    if (o->file < 0) SAR_TRY(remove_left(o, err));
  }
  if (o->file < 0) return trouble(o, "cannot be made", err);
  if (flock(o->file, LOCK_EX | LOCK_NB) != 0) return trouble(o, "cannot be locked", err);
  // posix_fallocate: a full /dev/shm is found out here, not by a signal in the loop
  errno = posix_fallocate(o->file, 0, (off_t)o->bytes);
  if (errno) return trouble(o, "has no room", err);
  void* base = mmap(NULL, o->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, o->file, 0);
  if (base == MAP_FAILED) return trouble(o, "cannot be mapped", err);
  o->base = base;
  o->header = base;
  return SAR_OK;
}

// ---- describing ----

static void copy_text(char* to, size_t size, const char* text) {
  snprintf(to, size, "%s", text ? text : "");
}

static void describe_signals(SarShmSignal* to, const SarPort* p, const SarPortLayout* l,
                             const SarArrivals* a) {
  for (int i = 0; i < p->inputs; i++, to++) {
    copy_text(to->name, sizeof to->name, l->input[p->input_place[i]].name);
    copy_text(to->unit, sizeof to->unit, l->input[p->input_place[i]].unit);
    to->safe = a->safe[i];
    to->flags = a->fail_safe[i] ? SAR_SHM_FAIL_SAFE : 0;
  }
  for (int i = 0; i < p->outputs; i++, to++) {
    copy_text(to->name, sizeof to->name, l->output[p->output_place[i]].name);
    copy_text(to->unit, sizeof to->unit, l->output[p->output_place[i]].unit);
  }
}

static void describe(SarShmObject* o, const SarPort* p, const SarPortLayout* l,
                     const SarArrivals* a) {
  SarShmHeader* h = o->header;
  memcpy(h->magic, "SARRUSRT", sizeof h->magic);
  h->version = SAR_RT_VERSION;
  h->order = SAR_SHM_ORDER;
  h->bytes = o->bytes;
  h->inputs = (uint32_t)p->inputs;
  h->outputs = (uint32_t)p->outputs;
  h->signals = sizeof *h;
  h->signal_bytes = sizeof(SarShmSignal);
  h->output_ring = (uint32_t)o->output_ring;
  h->output_slots = (uint32_t)o->output_slots;
  h->output_bytes = (uint32_t)o->output_bytes;
  h->input_ring = (uint32_t)o->input_ring;
  h->input_slots = (uint32_t)o->input_slots;
  h->input_bytes = (uint32_t)o->input_bytes;
  h->period_ns = (uint64_t)(1e9 * l->period + 0.5);
  h->session = (uint64_t)(1e9 * sar_clock_wall()) ^ (uint64_t)getpid() << 40;
  describe_signals((SarShmSignal*)(void*)(o->base + h->signals), p, l, a);
  h->checksum = sar_rt_crc(0, h, offsetof(SarShmHeader, checksum));
  h->checksum = sar_rt_crc(h->checksum, o->base + h->signals,
                           sizeof(SarShmSignal) * (size_t)(p->inputs + p->outputs));
  __atomic_store_n(&h->state, SAR_SHM_RUNNING, __ATOMIC_RELEASE);
}

SarStatus sar_shm_object_make(SarShmObject* o, const char* name, int length, const SarPort* p,
                              const SarPortLayout* l, const SarArrivals* a, double slots,
                              SarError* err) {
  *o = (SarShmObject){.file = -1};
  SAR_TRY(set_name(o, name, length, err));
  o->bytes = lay_out(o, p, slots);
  if (o->bytes > UINT32_MAX) {
    sar_report(err, (SarLoc){0}, "a smaller ring, or fewer outputs", "--shm: %.0f MB are too many",
               1e-6 * (double)o->bytes);
    return SAR_BAD_ARGUMENT;
  }
  SAR_TRY(create(o, err));
  describe(o, p, l, a);
  return SAR_OK;
}

// Another runner may have taken the name meanwhile; then it is its.
static bool is_still_ours(const SarShmObject* o) {
  struct stat mine, there;
  const int file = shm_open(o->name, O_RDWR, 0);
  const bool same = file >= 0 && fstat(file, &there) == 0 && fstat(o->file, &mine) == 0 &&
                    mine.st_ino == there.st_ino && mine.st_dev == there.st_dev;
  if (file >= 0) close(file);
  return same;
}

void sar_shm_object_end(SarShmObject* o) {
  if (o->header) __atomic_store_n(&o->header->state, SAR_SHM_ENDED, __ATOMIC_RELEASE);
  if (o->file >= 0 && is_still_ours(o)) shm_unlink(o->name);
  if (o->base) munmap(o->base, o->bytes);
  if (o->file >= 0) close(o->file);
  *o = (SarShmObject){.file = -1};
}
