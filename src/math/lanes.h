// 3-vectors in four lanes: x, y, z and one that is never looked at. What the hot loops compute
// with.
//
// One 256-bit register where there is AVX, else two 128-bit ones; no other form of the code, and
// the same bits. Vectors are loaded straight from V3, rows of M3 and the like: the fourth lane is
// then whatever follows in memory, which every block of a model or its data has.
#pragma once
#include "math/vec.h"

#include <string.h>

// Always inlined: passed to a function, a few vectors by value are a copy through memory.
#define LANES_INLINE static inline __attribute__((always_inline))

// lanes i, j, ... of a (0 ..) and then of b
#if defined(__clang__) || __GNUC__ >= 12
#define LANES_SHUFFLE(type, index, a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define LANES_SHUFFLE(type, index, a, b, ...) __builtin_shuffle(a, b, (index){__VA_ARGS__})
#endif

#ifdef __AVX__

typedef double L4 __attribute__((vector_size(32)));
typedef long long L4Index __attribute__((vector_size(32)));
#define L4_PICK(a, ...) LANES_SHUFFLE(L4, L4Index, a, a, __VA_ARGS__)

LANES_INLINE L4 l4(double x, double y, double z) { return (L4){x, y, z, 0}; }
LANES_INLINE L4 l4_all(double s) { return (L4){s, s, s, s}; }
LANES_INLINE double l4_x(L4 a) { return a[0]; }
LANES_INLINE double l4_y(L4 a) { return a[1]; }
LANES_INLINE double l4_z(L4 a) { return a[2]; }
LANES_INLINE L4 l4_add(L4 a, L4 b) { return a + b; }
LANES_INLINE L4 l4_sub(L4 a, L4 b) { return a - b; }
LANES_INLINE L4 l4_mul(L4 a, L4 b) { return a * b; }
LANES_INLINE L4 l4_mul_add(L4 a, L4 b, L4 c) { return a * b + c; }  // a b + c, by lanes
LANES_INLINE L4 l4_mul_sub(L4 a, L4 b, L4 c) { return c - a * b; }  // c - a b
// the same components in another order
LANES_INLINE L4 l4_yzx(L4 a) { return L4_PICK(a, 1, 2, 0, 3); }
LANES_INLINE L4 l4_zxy(L4 a) { return L4_PICK(a, 2, 0, 1, 3); }
LANES_INLINE L4 l4_yxz(L4 a) { return L4_PICK(a, 1, 0, 2, 3); }
LANES_INLINE L4 l4_xzy(L4 a) { return L4_PICK(a, 0, 2, 1, 3); }
LANES_INLINE L4 l4_zyx(L4 a) { return L4_PICK(a, 2, 1, 0, 3); }
// lanes 0, 2, 3 of four
LANES_INLINE L4 l4_023(L4 a) { return L4_PICK(a, 0, 2, 3, 3); }
// a[0] + a[1], b[0] + b[1], then a[2] + a[3]
LANES_INLINE L4 l4_sum_pairs(L4 a, L4 b) {
  return LANES_SHUFFLE(L4, L4Index, a, b, 0, 4, 2, 6) +
         LANES_SHUFFLE(L4, L4Index, a, b, 1, 5, 3, 7);
}
LANES_INLINE L4 l4_load(const double* p) {
  L4 a;
  memcpy(&a, p, sizeof a);
  return a;
}
// three numbers, and none beyond them: what follows may be another thread's
LANES_INLINE L4 l4_load3(const double* p) { return (L4){p[0], p[1], p[2], 0}; }
LANES_INLINE void l4_store(double* p, L4 a) { memcpy(p, &a, sizeof a); }  // four numbers
LANES_INLINE void l4_store3(double* p, L4 a) { p[0] = a[0], p[1] = a[1], p[2] = a[2]; }

// Rows <-> columns. The fourth lanes come out zero: where results are handed on from body to body,
// leftovers would shrink to denormal numbers, and those are slow.
LANES_INLINE void l4_transpose(L4 a, L4 b, L4 c, L4* x, L4* y, L4* z) {
  const L4 zero = {0};
  L4 even = LANES_SHUFFLE(L4, L4Index, a, b, 0, 4, 2, 6);
  L4 odd = LANES_SHUFFLE(L4, L4Index, a, b, 1, 5, 3, 7);
  L4 c_even = LANES_SHUFFLE(L4, L4Index, c, zero, 0, 4, 2, 6);
  L4 c_odd = LANES_SHUFFLE(L4, L4Index, c, zero, 1, 5, 3, 7);
  *x = LANES_SHUFFLE(L4, L4Index, even, c_even, 0, 1, 4, 5);
  *y = LANES_SHUFFLE(L4, L4Index, odd, c_odd, 0, 1, 4, 5);
  *z = LANES_SHUFFLE(L4, L4Index, even, c_even, 2, 3, 6, 7);
}
// Four vectors as the columns of four rows, `stride` apart.
LANES_INLINE void l4_store_turned(double* p, size_t stride, L4 a, L4 b, L4 c, L4 d) {
  const L4 even = LANES_SHUFFLE(L4, L4Index, a, b, 0, 4, 2, 6);
  const L4 odd = LANES_SHUFFLE(L4, L4Index, a, b, 1, 5, 3, 7);
  const L4 even2 = LANES_SHUFFLE(L4, L4Index, c, d, 0, 4, 2, 6);
  const L4 odd2 = LANES_SHUFFLE(L4, L4Index, c, d, 1, 5, 3, 7);
  l4_store(p, LANES_SHUFFLE(L4, L4Index, even, even2, 0, 1, 4, 5));
  l4_store(p + stride, LANES_SHUFFLE(L4, L4Index, odd, odd2, 0, 1, 4, 5));
  l4_store(p + 2 * stride, LANES_SHUFFLE(L4, L4Index, even, even2, 2, 3, 6, 7));
  l4_store(p + 3 * stride, LANES_SHUFFLE(L4, L4Index, odd, odd2, 2, 3, 6, 7));
}

#else

typedef double L2 __attribute__((vector_size(16)));
typedef long long L2Index __attribute__((vector_size(16)));
typedef struct L4 {
  L2 xy, z_;
} L4;
#define L2_PICK(a, b, ...) LANES_SHUFFLE(L2, L2Index, a, b, __VA_ARGS__)

LANES_INLINE L4 l4(double x, double y, double z) { return (L4){{x, y}, {z, 0}}; }
LANES_INLINE L4 l4_all(double s) { return (L4){{s, s}, {s, s}}; }
LANES_INLINE double l4_x(L4 a) { return a.xy[0]; }
LANES_INLINE double l4_y(L4 a) { return a.xy[1]; }
LANES_INLINE double l4_z(L4 a) { return a.z_[0]; }
LANES_INLINE L4 l4_add(L4 a, L4 b) { return (L4){a.xy + b.xy, a.z_ + b.z_}; }
LANES_INLINE L4 l4_sub(L4 a, L4 b) { return (L4){a.xy - b.xy, a.z_ - b.z_}; }
LANES_INLINE L4 l4_mul(L4 a, L4 b) { return (L4){a.xy * b.xy, a.z_ * b.z_}; }
LANES_INLINE L4 l4_mul_add(L4 a, L4 b, L4 c) {
  return (L4){a.xy * b.xy + c.xy, a.z_ * b.z_ + c.z_};
}
LANES_INLINE L4 l4_mul_sub(L4 a, L4 b, L4 c) {
  return (L4){c.xy - a.xy * b.xy, c.z_ - a.z_ * b.z_};
}
LANES_INLINE L4 l4_yzx(L4 a) { return (L4){L2_PICK(a.xy, a.z_, 1, 2), a.xy}; }
LANES_INLINE L4 l4_zxy(L4 a) { return (L4){L2_PICK(a.z_, a.xy, 0, 2), L2_PICK(a.xy, a.xy, 1, 1)}; }
LANES_INLINE L4 l4_yxz(L4 a) { return (L4){L2_PICK(a.xy, a.xy, 1, 0), a.z_}; }
LANES_INLINE L4 l4_xzy(L4 a) { return (L4){L2_PICK(a.xy, a.z_, 0, 2), L2_PICK(a.xy, a.xy, 1, 1)}; }
LANES_INLINE L4 l4_zyx(L4 a) { return (L4){L2_PICK(a.z_, a.xy, 0, 3), a.xy}; }
LANES_INLINE L4 l4_023(L4 a) { return (L4){L2_PICK(a.xy, a.z_, 0, 2), L2_PICK(a.z_, a.z_, 1, 1)}; }
LANES_INLINE L4 l4_sum_pairs(L4 a, L4 b) {
  return (L4){L2_PICK(a.xy, b.xy, 0, 2) + L2_PICK(a.xy, b.xy, 1, 3),
              a.z_ + L2_PICK(a.z_, a.z_, 1, 1)};
}
LANES_INLINE L4 l4_load(const double* p) {
  L4 a;
  memcpy(&a.xy, p, sizeof a.xy);
  memcpy(&a.z_, p + 2, sizeof a.z_);
  return a;
}
LANES_INLINE L4 l4_load3(const double* p) {
  L4 a = {{0, 0}, {p[2], 0}};
  memcpy(&a.xy, p, sizeof a.xy);
  return a;
}
LANES_INLINE void l4_store(double* p, L4 a) {
  memcpy(p, &a.xy, sizeof a.xy);
  memcpy(p + 2, &a.z_, sizeof a.z_);
}
LANES_INLINE void l4_store3(double* p, L4 a) {
  memcpy(p, &a.xy, sizeof a.xy);
  p[2] = a.z_[0];
}
LANES_INLINE void l4_transpose(L4 a, L4 b, L4 c, L4* x, L4* y, L4* z) {
  const L2 zero = {0};
  *x = (L4){L2_PICK(a.xy, b.xy, 0, 2), L2_PICK(c.xy, zero, 0, 2)};
  *y = (L4){L2_PICK(a.xy, b.xy, 1, 3), L2_PICK(c.xy, zero, 1, 2)};
  *z = (L4){L2_PICK(a.z_, b.z_, 0, 2), L2_PICK(c.z_, zero, 0, 2)};
}
LANES_INLINE void l4_store_turned(double* p, size_t stride, L4 a, L4 b, L4 c, L4 d) {
  l4_store(p, (L4){L2_PICK(a.xy, b.xy, 0, 2), L2_PICK(c.xy, d.xy, 0, 2)});
  l4_store(p + stride, (L4){L2_PICK(a.xy, b.xy, 1, 3), L2_PICK(c.xy, d.xy, 1, 3)});
  l4_store(p + 2 * stride, (L4){L2_PICK(a.z_, b.z_, 0, 2), L2_PICK(c.z_, d.z_, 0, 2)});
  l4_store(p + 3 * stride, (L4){L2_PICK(a.z_, b.z_, 1, 3), L2_PICK(c.z_, d.z_, 1, 3)});
}

#endif

LANES_INLINE L4 l4_zero(void) { return l4_all(0); }
LANES_INLINE L4 l4_scale(double s, L4 a) { return l4_mul(l4_all(s), a); }
LANES_INLINE L4 l4_axpy(double s, L4 a, L4 b) { return l4_mul_add(l4_all(s), a, b); }  // b + s a
LANES_INLINE L4 l4_axmy(double s, L4 a, L4 b) { return l4_mul_sub(l4_all(s), a, b); }  // b - s a
LANES_INLINE double l4_sum(L4 a) { return l4_x(a) + l4_y(a) + l4_z(a); }
LANES_INLINE L4 l4_of(V3 a) { return l4(a.x, a.y, a.z); }
LANES_INLINE V3 l4_v3(L4 a) { return (V3){l4_x(a), l4_y(a), l4_z(a)}; }

// a x b,  c + a x b,  c - a x b
LANES_INLINE L4 l4_cross(L4 a, L4 b) {
  return l4_mul_sub(l4_zxy(a), l4_yzx(b), l4_mul(l4_yzx(a), l4_zxy(b)));
}
LANES_INLINE L4 l4_add_cross(L4 c, L4 a, L4 b) {
  return l4_mul_sub(l4_zxy(a), l4_yzx(b), l4_mul_add(l4_yzx(a), l4_zxy(b), c));
}
LANES_INLINE L4 l4_sub_cross(L4 c, L4 a, L4 b) {
  return l4_mul_add(l4_zxy(a), l4_yzx(b), l4_mul_sub(l4_yzx(a), l4_zxy(b), c));
}

LANES_INLINE L4 l4_cross_z(L4 a) { return l4_mul(l4_yxz(a), l4(1, -1, 0)); }  // a x z

// A 3x3 matrix by three vectors: rows or columns, as its user says.
typedef struct L4x3 {
  L4 x, y, z;
} L4x3;

// Vector by vector: compilers copy whole structs of this size through memory, with a loop or a
// call.
LANES_INLINE L4x3 l4x3_load(const L4x3* from) { return (L4x3){from->x, from->y, from->z}; }
LANES_INLINE void l4x3_store(L4x3* to, L4x3 a) { to->x = a.x, to->y = a.y, to->z = a.z; }
LANES_INLINE L4x3 l4x3_add(L4x3 a, L4x3 b) {
  return (L4x3){l4_add(a.x, b.x), l4_add(a.y, b.y), l4_add(a.z, b.z)};
}
LANES_INLINE L4x3 l4x3_transpose(L4x3 a) {
  L4x3 t;
  l4_transpose(a.x, a.y, a.z, &t.x, &t.y, &t.z);
  return t;
}
// x A.x + y A.y + z A.z: A b of columns, A' b of rows; and with c added
LANES_INLINE L4 l4x3_mul(L4x3 A, L4 b) {
  return l4_axpy(l4_z(b), A.z, l4_axpy(l4_y(b), A.y, l4_scale(l4_x(b), A.x)));
}
LANES_INLINE L4 l4x3_mul_add(L4x3 A, L4 b, L4 c) {
  return l4_axpy(l4_z(b), A.z, l4_axpy(l4_y(b), A.y, l4_axpy(l4_x(b), A.x, c)));
}
// the rows of a row-by-row matrix
LANES_INLINE L4x3 l4x3_load_rows(const M3* A) {
  const double* a = &A->xx;
  return (L4x3){l4_load(a), l4_load(a + 3), l4_load(a + 6)};
}
