// Frames of the window, read by their description in docs/window-protocol.md and by nothing else.
#pragma once
#include "support/test.h"

#include <stdint.h>

typedef struct Frame {
  uint64_t sequence, steps, overruns;
  double time, wall, energy[4], step_cpu, step, speed;
  uint32_t flags, bodies, outputs, arrows, switches, length;
  const unsigned char *poses, *values, *arrow, *bits;
} Frame;

static inline uint32_t frame_u32(const unsigned char* p) {
  uint32_t v;
  memcpy(&v, p, 4);
  return v;
}
static inline uint64_t frame_u64(const unsigned char* p) {
  uint64_t v;
  memcpy(&v, p, 8);
  return v;
}
static inline double frame_f64(const unsigned char* p) {
  double v;
  memcpy(&v, p, 8);
  return v;
}
static inline float frame_f32(const unsigned char* p) {
  float v;
  memcpy(&v, p, 4);
  return v;
}

static inline Frame frame_read(const unsigned char* p, size_t size) {
  Frame f;
  assert_true(size >= 128);
  assert_memory_equal(p, "SARF", 4);
  assert_int_equal(frame_u32(p + 4), 1);
  f.sequence = frame_u64(p + 8);
  f.time = frame_f64(p + 16), f.wall = frame_f64(p + 24);
  f.flags = frame_u32(p + 32), f.bodies = frame_u32(p + 36), f.outputs = frame_u32(p + 40);
  f.arrows = frame_u32(p + 44), f.switches = frame_u32(p + 48), f.length = frame_u32(p + 52);
  for (int i = 0; i < 4; i++) f.energy[i] = frame_f64(p + 56 + 8 * i);
  f.step_cpu = frame_f64(p + 88), f.step = frame_f64(p + 96);
  f.steps = frame_u64(p + 104), f.overruns = frame_u64(p + 112);
  f.speed = frame_f64(p + 120);
  f.poses = p + 128;
  f.values = f.poses + (((size_t)28 * f.bodies + 7) & ~(size_t)7);
  f.arrow = f.values + (size_t)8 * f.outputs;
  f.bits = f.arrow + (size_t)32 * f.arrows;
  const size_t end =
      (size_t)(f.bits - p) + (((size_t)4 * ((f.switches + 31) / 32) + 7) & ~(size_t)7);
  assert_int_equal(end, f.length);
  assert_true(f.length <= size);
  return f;
}

static inline void frame_pose(const Frame* f, int body, double out[7]) {
  for (int k = 0; k < 7; k++) out[k] = (double)frame_f32(f->poses + 28 * body + 4 * k);
}
