// The state of a run in a file.
//
//   "sarrus state\n\0\0\0"   16 bytes
//   version                  u32, then u32 0
//   fingerprint              u64, of the model (model/fingerprint.h)
//   length                   u64, bytes of what follows up to the checksum
//   the method               formulation and integrator (32 bytes each), spectral radius, project,
//                            and the table of its fields: name (32 bytes), count, most
//   the state                as model/state.h visits it
//   checksum                 u64, FNV-1a of all bytes before it
//
// Everything lowest byte first: f64 as its 64 bits, i32 in two's complement. A file is written
// beside its place and renamed, so there is an old one or a new one, never half of one; and it is
// read into data of its own first, so that a file that is refused changes nothing.
#include "io/state_file.h"

#include "base/alloc.h"
#include "base/print.h"
#include "io/source.h"
#include "model/fingerprint.h"
#include "model/state.h"

#include <errno.h>
#include <stdio.h>
#include <math.h>
#include <string.h>

enum { VERSION = 2, HEAD = 40, TAIL = 8, LARGEST = 1 << 30 };
static const char MAGIC[16] = "sarrus state\n";
static const unsigned EVERYTHING = SAR_STATE_ARRAYS | SAR_STATE_CUTS | SAR_STATE_START;

// ---- bytes --------------------------------------------------------------------------------------

typedef struct Bytes {
  unsigned char* at;  // NULL: only counts
  size_t used, room;
  bool bad;  // reading: there are too few, or one is out of its range
} Bytes;

static void put(Bytes* b, uint64_t bits, size_t size) {
  for (size_t k = 0; b->at && k < size; k++) b->at[b->used + k] = (unsigned char)(bits >> 8 * k);
  b->used += size;
}

static uint64_t get(Bytes* b, size_t size) {
  uint64_t bits = 0;
  if (b->bad || size > b->room - b->used) {
    b->bad = true;
    return 0;
  }
  for (size_t k = 0; k < size; k++) bits |= (uint64_t)b->at[b->used + k] << 8 * k;
  b->used += size;
  return bits;
}

static uint64_t checksum(const unsigned char* at, size_t n) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < n; i++) hash = (hash ^ at[i]) * 0x100000001b3u;
  return hash;
}

static void put_numbers(void* context, const char* name, double* x, size_t n) {
  (void)name;
  for (size_t i = 0; i < n; i++) {
    uint64_t bits;
    memcpy(&bits, &x[i], sizeof bits);
    put(context, bits, 8);
  }
}

static void put_whole(void* context, const char* name, int* x, size_t n, int most) {
  (void)name, (void)most;
  for (size_t i = 0; i < n; i++) put(context, (uint32_t)x[i], 4);
}

static void get_numbers(void* context, const char* name, double* x, size_t n) {
  (void)name;
  for (size_t i = 0; i < n; i++) {
    const uint64_t bits = get(context, 8);
    memcpy(&x[i], &bits, sizeof bits);
  }
}

static void get_whole(void* context, const char* name, int* x, size_t n, int most) {
  Bytes* b = context;
  (void)name;
  for (size_t i = 0; i < n; i++) {
    const int value = (int)(int32_t)(uint32_t)get(b, 4);
    x[i] = most < 0 || (value >= 0 && value <= most) ? value : 0;
    if (x[i] != value) b->bad = true;
  }
}

// ---- the method ---------------------------------------------------------------------------------

static void put_text(Bytes* b, const char* text) {
  for (int i = 0; i < SAR_METHOD_NAME; i++) put(b, (unsigned char)text[i], 1);
}

static void get_text(Bytes* b, char* text) {
  for (int i = 0; i < SAR_METHOD_NAME; i++) text[i] = (char)get(b, 1);
  if (memchr(text, 0, SAR_METHOD_NAME)) return;
  text[0] = 0;
  b->bad = true;
}

static void put_method(Bytes* b, const SarMethod* p) {
  double radius = p->spectral_radius;
  put_text(b, p->formulation);
  put_text(b, p->integrator);
  put_numbers(b, "", &radius, 1);
  put(b, (uint32_t)p->project, 4);
  put(b, (uint32_t)p->nfield, 4);
  for (int i = 0; i < p->nfield; i++) {
    put_text(b, p->field[i].name);
    put(b, (uint32_t)p->field[i].count, 4);
    put(b, (uint32_t)p->field[i].most, 4);
  }
}

// Its block is as large as the fields are; no file has larger ones than it has bytes.
static SarStatus get_method(Bytes* b, SarData* d) {
  SarMethod p = {.block = d->method.block, .room = d->method.room};
  get_text(b, p.formulation);
  get_text(b, p.integrator);
  get_numbers(b, "", &p.spectral_radius, 1);
  get_whole(b, "", &p.project, 1, -1);
  get_whole(b, "", &p.nfield, 1, SAR_METHOD_FIELDS);
  for (int i = 0; i < p.nfield; i++) {
    get_text(b, p.field[i].name);
    get_whole(b, "", &p.field[i].count, 1, (int)(b->room / 4));
    get_whole(b, "", &p.field[i].most, 1, -1);
    p.bytes += sar_field_bytes(&p.field[i]);
  }
  if (b->bad) return SAR_OK;
  SAR_TRY(sar_method_reserve(d, p.bytes));
  p.block = d->method.block;
  p.room = d->method.room;
  d->method = p;
  return SAR_OK;
}

// ---- writing ------------------------------------------------------------------------------------

static void write_all(Bytes* b, SarData* d, size_t length) {
  const SarStateVisitor v = {b, put_numbers, put_whole};
  for (size_t i = 0; i < sizeof MAGIC; i++) put(b, (unsigned char)MAGIC[i], 1);
  put(b, VERSION, 4);
  put(b, 0, 4);
  put(b, sar_model_fingerprint(d->m), 8);
  put(b, length, 8);
  put_method(b, &d->method);
  sar_state_visit(d, SAR_STATE_SCALARS, &v);
  sar_state_visit(d, EVERYTHING, &v);
  sar_state_visit(d, SAR_STATE_METHOD, &v);
  put(b, b->at ? checksum(b->at, b->used) : 0, 8);
}

static SarStatus refuse(SarError* err, const char* path, SarStatus status, const char* hint,
                        const char* why) {
  sar_report(err, (SarLoc){path, 0, 0}, hint, "'%s': %s", path, why);
  return status;
}

static SarStatus write_file(const Bytes* b, const char* path, const char* beside, SarError* err) {
  FILE* f = fopen(beside, "wb");
  if (!f) return refuse(err, path, SAR_NO_FILE, "", strerror(errno));
  bool good = fwrite(b->at, 1, b->used, f) == b->used && fflush(f) == 0;
  good = fclose(f) == 0 && good;
  if (good && rename(beside, path) == 0) return SAR_OK;
  const int reason = errno;
  remove(beside);
  return refuse(err, path, SAR_NO_FILE, "the old file, if there was one, is as it was",
                strerror(reason));
}

size_t sar_state_size(const SarData* d) {
  Bytes b = {0};
  write_all(&b, (SarData*)(uintptr_t)d, 0);  // visiting does not change it
  return b.used;
}

void sar_state_encode(const SarData* d, unsigned char* bytes, size_t size) {
  Bytes b = {.at = bytes};
  write_all(&b, (SarData*)(uintptr_t)d, size - HEAD - TAIL);
}

SAR_API SarStatus sar_data_save(const SarData* d, const char* path, SarError* err) {
  if (!d || !path) return SAR_BAD_ARGUMENT;
  const size_t name = strlen(path);
  Bytes b = {.used = sar_state_size(d)};
  b.at = sar_alloc(b.used);
  char* beside = sar_alloc(name + sizeof ".part");
  SarStatus st = SAR_NO_MEMORY;
  if (b.at && beside) {
    sar_snprintf(beside, name + sizeof ".part", "%s.part", path);
    sar_state_encode(d, b.at, b.used);
    st = write_file(&b, path, beside, err);
  } else {
    sar_report(err, (SarLoc){0}, "", "out of memory while saving the state (%zu bytes)", b.used);
  }
  sar_free(b.at);
  sar_free(beside);
  return st;
}

// ---- reading ------------------------------------------------------------------------------------

static bool are_rows(const int* row, int n) {
  for (int i = 0; i < n; i++)
    if (row[i] < 0 || row[i] >= n) return false;
  return true;
}

static bool fits(const SarModel* m, const SarFreedom* f) {
  return f->rows >= 0 && f->rows <= m->nrow && f->rank >= 0 && f->rank <= f->rows &&
         f->rank <= m->nv && f->rank_here >= 0 && f->rank_here <= f->rank;
}

static bool is_unit(V3 x) { return fabs(x.x) < 1.5 && fabs(x.y) < 1.5 && fabs(x.z) < 1.5; }

// Directions, and impulses whose forces are numbers: p / step.
static bool is_contact(const SarModel* m, const SarContact* c) {
  static const double MOST = 1e200;
  if (c->a < 0 || c->b < 0 || c->a >= m->ncollider || c->b >= m->ncollider) return false;
  for (size_t k = 0; k < sizeof c->p / sizeof *c->p; k++)
    if (!(fabs(c->p[k]) < (c->step > 0 ? MOST * fmin(1, c->step) : MOST))) return false;
  for (int k = 0; k < 3; k++)
    if (!(fabs(c->u[k]) < MOST)) return false;
  return isfinite(c->gap) && c->rest >= 0 && c->rest < MOST && isfinite(v3_norm(c->point)) &&
         is_unit(c->normal) && is_unit(c->tangent);
}

// What a later step uses as an index or believes without another look.
static bool is_possible(const SarData* d) {
  const SarModel* m = d->m;
  if (!fits(m, &d->freedom) || !fits(m, &d->freedom_start)) return false;
  if (!are_rows(d->row_order, m->nrow) || !are_rows(d->row_order_start, m->nrow)) return false;
  for (int i = 0; i < d->ncontact; i++)
    if (!is_contact(m, &d->contact[i])) return false;
  return true;
}

static const char TORN[] = "the file is damaged: it is cut short or was changed";

static SarStatus check_head(Bytes* b, const SarModel* m, const char* path, SarError* err) {
  char magic[sizeof MAGIC];
  for (size_t i = 0; i < sizeof magic; i++) magic[i] = (char)get(b, 1);
  const uint64_t version = get(b, 4), zero = get(b, 4), model = get(b, 8), length = get(b, 8);
  if (memcmp(magic, MAGIC, sizeof magic) != 0)
    return refuse(err, path, SAR_NO_FILE, "sar_data_save and 'run --save' write them",
                  "this is no saved state");
  if (!b->bad && version != VERSION)
    return refuse(err, path, SAR_BAD_ARGUMENT, "save it with this version",
                  "saved by another version, which this one cannot read");
  if (b->bad || zero != 0 || length != b->room - HEAD - TAIL)
    return refuse(err, path, SAR_NO_FILE, "", TORN);
  Bytes end = {b->at, b->room - TAIL, b->room, false};
  if (get(&end, TAIL) != checksum(b->at, b->room - TAIL))
    return refuse(err, path, SAR_NO_FILE, "", TORN);
  if (model != sar_model_fingerprint(m))
    return refuse(err, path, SAR_BAD_ARGUMENT,
                  "load it with the same model file, parameters and coordinates",
                  "this is the state of another model");
  return SAR_OK;
}

static SarStatus read_state(Bytes* b, SarData* d, const char* path, SarError* err) {
  const SarStateVisitor v = {b, get_numbers, get_whole};
  SAR_TRY(check_head(b, d->m, path, err));
  b->room -= TAIL;
  SAR_TRY(get_method(b, d));
  if (!b->bad) sar_state_visit(d, SAR_STATE_SCALARS, &v);
  if (!b->bad) sar_state_visit(d, EVERYTHING, &v);
  if (!b->bad) sar_state_visit(d, SAR_STATE_METHOD, &v);
  if (b->bad || b->used != b->room || !is_possible(d))
    return refuse(err, path, SAR_NO_FILE, "", TORN);
  sar_gates_apply(d->m, d);
  return SAR_OK;
}

SarStatus sar_state_decode(SarData* d, const unsigned char* bytes, size_t size, const char* name,
                           SarError* err) {
  SarData* fresh = NULL;
  SarStatus st = sar_data_new(d->m, &fresh, err);
  if (st == SAR_OK) {
    Bytes b = {(unsigned char*)(uintptr_t)bytes, 0, size, false};  // reading writes nothing
    st = read_state(&b, fresh, name, err);
  }
  if (st == SAR_OK) st = sar_data_copy(d, fresh);
  sar_data_free(fresh);
  return st;
}

SAR_API SarStatus sar_data_load(SarData* d, const char* path, SarError* err) {
  if (!d || !path) return SAR_BAD_ARGUMENT;
  SarFileText text;
  SarStatus st = sar_file_open(path, LARGEST, false, (SarLoc){0}, &text, err);
  if (st == SAR_OK) st = sar_state_decode(d, (const unsigned char*)text.text, text.size, path, err);
  sar_file_close(&text);
  return st;
}
