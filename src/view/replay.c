// Runs to be replayed (replay.h).
#include "view/replay.h"

#include "base/alloc.h"
#include "view/bodies.h"

#include <math.h>

void sar_replay_free(SarReplay* r) {
  sar_memory_free(&r->scene);
  for (int i = 0; i < SAR_REPLAY_RUNS; i++) sar_memory_free(&r->frames[i]);
}

bool sar_recorder_begin(SarRecorder* r, const SarScene* scene, size_t limit) {
  *r = (SarRecorder){
      .limit = limit,
      .seen = {v3(HUGE_VAL, HUGE_VAL, HUGE_VAL), v3(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL)}};
  const bool framer = sar_framer_begin(&r->framer, scene);
  r->room = framer ? sar_alloc(r->framer.most) : NULL;
  return r->room && sar_memory_open(&r->file);
}

static void look_around(SarRecorder* r) {
  const SarModel* m = r->framer.scene->m;
  for (int b = 0; b < m->nbody; b++) {
    const V3 p = r->framer.poses[b].p;
    if (!isfinite(p.x + p.y + p.z)) continue;
    r->seen.low = v3(fmin(r->seen.low.x, p.x), fmin(r->seen.low.y, p.y), fmin(r->seen.low.z, p.z));
    r->seen.high =
        v3(fmax(r->seen.high.x, p.x), fmax(r->seen.high.y, p.y), fmax(r->seen.high.z, p.z));
  }
}

SarStatus sar_recorder_add(SarRecorder* r, SarData* d, const double* outputs) {
  SarFrameInfo info = {.sequence = r->sequence, .outputs = outputs, .speed = 1};
  info.wall = d->t;
  if (sar_energy(d, &info.energy) != SAR_OK) info.energy = (SarEnergy){0};
  const size_t n = sar_frame_pack(&r->framer, d, &info, r->room);
  if ((r->sequence + 1) * n > r->limit) {
    r->full = true;
    return SAR_OVER_LIMIT;
  }
  r->sequence++;
  look_around(r);
  return fwrite(r->room, 1, n, r->file.out) == n ? SAR_OK : SAR_NO_MEMORY;
}

bool sar_recorder_finish(SarRecorder* r, SarMemoryFile* out) {
  const bool done = sar_memory_close(&r->file);
  *out = r->file;
  r->file = (SarMemoryFile){0};
  return done;
}

void sar_recorder_end(SarRecorder* r) {
  sar_framer_end(&r->framer);
  sar_memory_free(&r->file);
  sar_free(r->room);
}
