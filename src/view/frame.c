// Frames as bytes (frame.h). Little endian whatever the machine is.
#include "view/frame.h"

#include "base/alloc.h"
#include "view/bodies.h"

#include <math.h>
#include <string.h>

static void put_u32(unsigned char* p, uint32_t v) {
  for (int i = 0; i < 4; i++) p[i] = (unsigned char)(v >> (8 * i));
}

static void put_u64(unsigned char* p, uint64_t v) {
  for (int i = 0; i < 8; i++) p[i] = (unsigned char)(v >> (8 * i));
}

static void put_f32(unsigned char* p, double x) {
  const float f = (float)x;
  uint32_t v;
  memcpy(&v, &f, sizeof v);
  put_u32(p, v);
}

static void put_f64(unsigned char* p, double x) {
  uint64_t v;
  memcpy(&v, &x, sizeof v);
  put_u64(p, v);
}

static size_t padded(size_t n) { return (n + 7) & ~(size_t)7; }

bool sar_framer_begin(SarFramer* f, const SarScene* scene) {
  const SarModel* m = scene->m;
  *f = (SarFramer){.scene = scene};
  f->poses = sar_alloc(sizeof(Xform) * (size_t)(m->nbody_all + 1));
  f->arrow = sar_alloc(sizeof(SarArrow) * (size_t)(scene->most_arrows + 1));
  f->most = SAR_FRAME_HEADER + padded(28 * (size_t)sar_view_bodies(m)) + 8 * (size_t)m->nchannel +
            32 * (size_t)(scene->most_arrows + 1) + padded(4 * (size_t)((m->ngate + 31) / 32));
  return f->poses && f->arrow;
}

void sar_framer_end(SarFramer* f) {
  sar_free(f->poses);
  sar_free(f->arrow);
  *f = (SarFramer){0};
}

// ---- the parts ----------------------------------------------------------------------------------

static unsigned char* put_poses(unsigned char* p, const SarFramer* f) {
  const SarModel* m = f->scene->m;
  const int n = sar_view_bodies(m);
  for (int h = 0; h < n; h++) {
    const Xform X = sar_view_pose(m, f->poses, h);
    const Quat q = quat_from_m3(X.R);
    const double v[7] = {X.p.x, X.p.y, X.p.z, q.w, q.x, q.y, q.z};
    for (int k = 0; k < 7; k++) put_f32(p + 28 * h + 4 * k, v[k]);
  }
  if (n % 2) put_u32(p + 28 * n, 0);
  return p + padded(28 * (size_t)n);
}

static unsigned char* put_arrow(unsigned char* p, int kind, int body, V3 at, V3 force) {
  const double v[8] = {kind, body, at.x, at.y, at.z, force.x, force.y, force.z};
  for (int k = 0; k < 8; k++) put_f32(p + 4 * k, v[k]);
  return p + 32;
}

// Contacts that bear nothing are no arrows.
static unsigned char* put_arrows(unsigned char* p, SarFramer* f, const SarData* d,
                                 const SarFramePull* pull, uint32_t* count) {
  static const int kind[] = {
      [SAR_ARROW_CONTACT] = 0, [SAR_ARROW_APPLIED] = 1, [SAR_ARROW_TORQUE] = 3};
  const int n = sar_scene_arrows(f->scene, d, f->poses, f->arrow);
  *count = 0;
  for (int i = 0; i < n; i++) {
    const SarArrow* a = &f->arrow[i];
    if (!(v3_dot(a->force, a->force) > 0) || !isfinite(v3_dot(a->force, a->force))) continue;
    p = put_arrow(p, kind[a->kind], -1, a->at, a->force);
    ++*count;
  }
  if (!pull) return p;
  ++*count;
  return put_arrow(p, 2, pull->body, pull->at, pull->force);
}

static unsigned char* put_switches(unsigned char* p, const SarModel* m, const SarData* d) {
  const size_t bytes = padded(4 * (size_t)((m->ngate + 31) / 32));
  memset(p, 0, bytes);
  for (int i = 0; i < m->ngate; i++)
    if (d->gate_state[i] & SAR_GATE_ON) p[i / 8] |= (unsigned char)(1 << (i % 8));
  return p + bytes;
}

size_t sar_frame_pack(SarFramer* f, const SarData* d, const SarFrameInfo* info, void* out) {
  const SarModel* m = f->scene->m;
  unsigned char *head = out, *p = head + SAR_FRAME_HEADER;
  uint32_t arrows = 0;
  sar_scene_poses(f->scene, d, f->poses);
  p = put_poses(p, f);
  for (int i = 0; i < m->nchannel; i++, p += 8)
    put_f64(p, info->outputs ? info->outputs[i] : (double)NAN);
  p = put_arrows(p, f, d, info->pull, &arrows);
  p = put_switches(p, m, d);
  memcpy(head, "SARF", 4);
  put_u32(head + 4, SAR_FRAME_VERSION);
  put_u64(head + 8, info->sequence);
  put_f64(head + 16, d->t);
  put_f64(head + 24, info->wall);
  put_u32(head + 32, info->flags);
  put_u32(head + 36, (uint32_t)sar_view_bodies(m));
  put_u32(head + 40, (uint32_t)m->nchannel);
  put_u32(head + 44, arrows);
  put_u32(head + 48, (uint32_t)m->ngate);
  put_u32(head + 52, (uint32_t)(p - head));
  put_f64(head + 56, info->energy.kinetic);
  put_f64(head + 64, info->energy.potential);
  put_f64(head + 72, info->energy.work);
  put_f64(head + 80, info->energy.error);
  put_f64(head + 88, info->step_cpu);
  put_f64(head + 96, info->step);
  put_u64(head + 104, info->steps);
  put_u64(head + 112, info->overruns);
  put_f64(head + 120, info->speed);
  return (size_t)(p - head);
}
