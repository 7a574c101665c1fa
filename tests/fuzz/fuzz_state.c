// libFuzzer target: any bytes as the file of a saved state (sar_data_load), and what is loaded
// lives on.
//
//   byte 0   the model it is loaded into, and the mode
//   byte 1-3 the method that goes on with it (life_options)
//   mode 0   the rest is the file, byte for byte
//   mode 1   the rest is the file; model, length and checksum are mended, or no input would get
//            beyond them
//   mode 2   a file that sar_data_save wrote, its bytes changed by edits of 3 (where, where, what);
//            mended
//   mode 3   likewise, its numbers changed by edits of 3 (where, where, which of the far ends)
//
// Checks: a refusal says why and changes nothing; what is accepted is saved again as the same
// bytes, has the same hash, and its steps give finite numbers or a status. The file is one in
// TMPDIR, written again and again.
#include "fuzz/life.h"
#include "model/fingerprint.h"

#include <unistd.h>

enum { MODELS = 4, HEAD = 40, TAIL = 8, MAX_FILE = 1 << 16, PATH_SIZE = 256 };

// a tree, a loop with events, contact by impulses, an implicit method with a memory of its own
static const struct {
  const char *text, *formulation, *integrator;
} kinds[MODELS] = {
    {"sarrus: 1\nbodies: {a: {rod: [[0, 0, 0], [1, 0, 0]], mass: 1}, b: {sphere: 0.1, mass: 2, at: "
     "[2, 0, 0]}}\n"
     "joints: {h: {revolute: [ground, a], axis: y, damping: 0.1}, s: {spherical: [a, b], at: [1, "
     "0, 0]}}\n",
     "aba", "dopri5"},
    {"sarrus: 1\nbodies: {a: {rod: [[0, 0, 0], [0, 0, 1]], mass: 1}, b: {rod: [[0, 0, 1], [2, 0, "
     "1.5]], mass: 1},\n"
     "  c: {rod: [[2, 0, 0], [2, 0, 1.5]], mass: 1}}\n"
     "joints: {i: {revolute: [ground, a], axis: y, speed: 2}, j: {revolute: [a, b], at: [0, 0, 1], "
     "axis: y},\n"
     "  k: {revolute: [b, c], at: [2, 0, 1.5], axis: y}, l: {revolute: [ground, c], at: [2, 0, 0], "
     "axis: y}}\n"
     "forces: {f: {force: b, value: [5, 0, 0], from: 0.004}}\n",
     "lagrange", "dopri5"},
    {"sarrus: 1\nbodies: {a: {box: [1, 1, 1], mass: 1, at: [0, 0, 0.5], contact: true},\n"
     "  b: {box: [1, 1, 1], mass: 1, at: [0.1, 0, 1.5], contact: true}}\n"
     "joints: {p: {free: [ground, a]}, q: {free: [ground, b]}}\nground: {contact: {plane: z}}\n",
     "impulse", NULL},
    {"sarrus: 1\nbodies: {a: {rod: [[0, 0, 0], [1, 0, 0]], mass: 1}, b: {rod: [[1, 0, 0], [2, 0, "
     "0]], mass: 1}}\n"
     "joints: {h: {revolute: [ground, a], axis: y}, i: {revolute: [a, b], at: [1, 0, 0], axis: "
     "y}}\n"
     "constraints: {r: {rod: [b, [ground, [2, 0, 1]]]}}\n",
     "hybrid", "newmark"}};

typedef struct World {
  SarModel* m;
  SarData *d, *again;
  size_t size;  // of the file that belongs to it
  unsigned char file[MAX_FILE];
} World;

static World worlds[MODELS];
static char path[PATH_SIZE];

static void remove_file(void) { unlink(path); }

static void begin_file(void) {
  const char* folder = getenv("TMPDIR");
  snprintf(path, sizeof path, "%.200s/sarrus-fuzz-XXXXXX", folder ? folder : "/tmp");
  const int fd = mkstemp(path);
  require(fd >= 0 && close(fd) == 0);
  atexit(remove_file);
}

static void write_file(const unsigned char* from, size_t size) {
  FILE* f = fopen(path, "wb");
  require(f != NULL);
  const bool whole = fwrite(from, 1, size, f) == size;
  require(fclose(f) == 0 && whole);
}

static size_t saved(SarData* d, unsigned char* to) {
  SarError err;
  sar_error_init(&err);
  require(sar_data_save(d, path, &err) == SAR_OK);
  FILE* f = fopen(path, "rb");
  require(f != NULL);
  const size_t n = fread(to, 1, MAX_FILE, f);
  fclose(f);
  require(n < MAX_FILE);
  return n;
}

static void begin_world(int k) {
  World* w = &worlds[k];
  SarError err;
  SarSim* s = NULL;
  SarSimOptions o = sar_sim_options();
  sar_error_init(&err);
  require(sar_model_parse(kinds[k].text, strlen(kinds[k].text), "yaml", "state.yaml", NULL, &w->m,
                          &err) == SAR_OK);
  require(sar_data_new(w->m, &w->d, &err) == SAR_OK &&
          sar_data_new(w->m, &w->again, &err) == SAR_OK);
  o.formulation = kinds[k].formulation;
  o.integrator = kinds[k].integrator;
  require(sar_sim_new(w->m, w->d, &o, &s, &err) == SAR_OK);
  for (int i = 0; i < 3; i++) require(sar_step(s) == SAR_OK);
  sar_sim_free(s);
  w->size = saved(w->d, w->file);
}

static void put(unsigned char* at, uint64_t bits) {
  for (int i = 0; i < 8; i++) at[i] = (unsigned char)(bits >> 8 * i);
}

// Model, length and checksum as a file of this size must have them.
static void mend(const SarModel* m, unsigned char* file, size_t size) {
  uint64_t hash = 0xcbf29ce484222325u;
  if (size < HEAD + TAIL) return;
  put(file + 24, sar_model_fingerprint(m));
  put(file + 32, size - HEAD - TAIL);
  for (size_t i = 0; i < size - TAIL; i++) hash = (hash ^ file[i]) * 0x100000001b3u;
  put(file + size - TAIL, hash);
}

// Three bytes each: where (two), and what.
static void edit(unsigned char* file, size_t size, bool numbers, const uint8_t* data, size_t left) {
  static const double far[] = {0, -1, 1e-300, 1e300, -1e300, (double)INFINITY, (double)NAN, 1e9};
  for (; left >= 3; data += 3, left -= 3) {
    const size_t where = ((size_t)data[0] << 8 | data[1]) % (size - 8);
    if (numbers)
      memcpy(file + where, &far[data[2] % 8], sizeof far[0]);
    else
      file[where] = data[2];
  }
}

static size_t make_file(const World* w, int mode, unsigned char* file, const uint8_t* data,
                        size_t left) {
  size_t size = left < MAX_FILE ? left : MAX_FILE;
  if (mode < 2) {
    memcpy(file, data, size);
  } else {
    size = w->size;
    memcpy(file, w->file, size);
    edit(file, size, mode == 3, data, left);
  }
  if (mode > 0) mend(w->m, file, size);
  return size;
}

static void go_on(World* w, uint32_t choice) {
  const SarSimOptions o = life_options(choice);
  SarSim* s = life_begin(w->m, w->d, &o);
  if (s) life_run(w->m, w->d, s, w->again);
  sar_sim_free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static unsigned char file[MAX_FILE], second[MAX_FILE];
  if (size < 4) return 0;
  if (!path[0]) {
    begin_file();
    for (int k = 0; k < MODELS; k++) begin_world(k);
  }
  World* w = &worlds[data[0] % MODELS];
  const uint32_t choice = (uint32_t)data[1] | (uint32_t)data[2] << 8 | (uint32_t)data[3] << 16;
  const size_t n = make_file(w, data[0] / MODELS % 4, file, data + 4, size - 4);
  SarError err;
  sar_error_init(&err);
  sar_data_reset(w->d);
  const unsigned long long before = sar_state_hash(w->d);
  write_file(file, n);
  const SarStatus st = sar_data_load(w->d, path, &err);
  require((st == SAR_OK) == (err.errors == 0));
  life_show("", 0, &err);
  if (st != SAR_OK) {
    require(sar_state_hash(w->d) == before);
  } else {
    require(saved(w->d, second) == n && memcmp(file, second, n) == 0);
    go_on(w, choice);
  }
  return 0;
}
