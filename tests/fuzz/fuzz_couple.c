// libFuzzer target: any bytes as a file that couples models (`couple:`), read, opened and run over
// one exchange. The models are those of examples/coupled, in a folder of the target's own, in which
// the input is written as a file: nothing else is there to be found. Checks: no failure without a
// message, a success is finite and ends where it should.
#include "fuzz/life.h"

#include <limits.h>
#include <unistd.h>

static char folder[PATH_MAX / 2];
static const char* const models[] = {"cart.yaml", "swing.yaml"};
enum { MODELS = sizeof models / sizeof *models, LONGEST = 16384 };

static const char* path_of(const char* name) {
  static char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static void put(const char* name, const void* text, size_t size) {
  FILE* f = fopen(path_of(name), "wb");
  require(f && fwrite(text, 1, size, f) == size);
  fclose(f);
}

static void clear(void) {
  for (int i = 0; i < MODELS; i++) remove(path_of(models[i]));
  remove(path_of("couple.yaml"));
  rmdir(folder);
}

static void begin(void) {
  const char* temporary = getenv("TMPDIR");
  snprintf(folder, sizeof folder, "%s/sarrus-fuzz-XXXXXX", temporary ? temporary : "/tmp");
  require(mkdtemp(folder) != NULL);
  atexit(clear);
  for (int i = 0; i < MODELS; i++) {
    char text[LONGEST], from[100];
    snprintf(from, sizeof from, "examples/coupled/%s", models[i]);
    FILE* f = fopen(from, "rb");  // run from the top of the source tree
    require(f != NULL);
    const size_t size = fread(text, 1, sizeof text, f);
    fclose(f);
    put(models[i], text, size);
  }
}

static void run(SarCouple* c, SarError* err) {
  SarCoupleOptions o = sar_couple_options();
  SarCoupleReport r;
  o.end = 1e-3;
  const int before = err->errors;
  const SarStatus opened = sar_couple_open(c, &o, err);
  require(opened == SAR_OK || err->errors > before);
  if (opened != SAR_OK) return;
  const SarStatus st = sar_couple_run(c, err);
  require(st == SAR_OK || err->errors > before);
  require(sar_couple_report(c, &r) == SAR_OK && r.status == st);
  require(isfinite(r.time) && (st != SAR_OK || r.time == o.end));
  require(!r.audited || st != SAR_OK || (isfinite(r.energy) && isfinite(r.exchanged)));
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  SarCouple* c = NULL;
  SarError err;
  if (!folder[0]) begin();
  sar_error_init(&err);
  put("couple.yaml", data, size);
  const SarStatus st = sar_couple_load(path_of("couple.yaml"), NULL, &c, &err);
  require((st == SAR_OK) == (c != NULL));
  require((st == SAR_OK) == (err.errors == 0));
  for (int i = 0; i < err.count; i++)
    require(err.items[i].text[0] != '\0' && err.items[i].line >= 0 && err.items[i].column >= 0);
  life_show((const char*)data, size, &err);
  if (c) run(c, &err);
  sar_couple_free(c);
  return 0;
}
