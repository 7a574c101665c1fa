// Random positions of the tree, loops open: what holds at several of them holds at all.
#include "model/compile/parts.h"

#include <math.h>

// Reproducible numbers between -1 and 1 (splitmix64).
static double random_unit(unsigned long long* state) {
  unsigned long long z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return (double)(z >> 11) * 0x1p-52 - 1;
}

// Distance of the joints from each other: what positions of sliding joints are measured by.
static double size_of(const SarModel* m) {
  double size = 0;
  for (int b = 0; b < m->nbody; b++) size = fmax(size, v3_norm(m->body_X_PF[b].p));
  for (int k = 0; k < m->ncut; k++)
    for (int end = 0; end < 2; end++) size = fmax(size, v3_norm(m->cut[k].X_BF[end].p));
  return size > 0 ? size : 1;
}

static void random_position(const SarModel* m, double size, unsigned long long* state, double* q) {
  for (int b = 0; b < m->nbody; b++) {
    const SarJointKind* kind = m->joint_kind[b];
    double xi[SAR_JOINT_MAX_NV] = {0};
    for (int i = 0; i < kind->nv; i++)
      xi[i] = random_unit(state) * (kind->coordinate[i] == SAR_ANGLE ? 3 : size);
    int adr = m->joint_qadr[b];
    sar_joint_retract(kind, &m->joint_param[b * SAR_JOINT_MAX_PARAM], &m->q_zero[adr], xi, &q[adr]);
  }
}

bool sar_compile_samples(Compile* c) {
  const SarModel* m = &c->m;
  double* q = SAR_ARENA_ARRAY(&c->arena, double, m->nq + 1);
  unsigned long long state = 1;
  c->sample = SAR_ARENA_ARRAY(&c->arena, Xform, SAMPLES * m->nbody + 1);
  if (c->arena.failed) return false;
  c->sample_size = size_of(m);
  for (int s = 0; s < SAMPLES; s++) {
    random_position(m, c->sample_size, &state, q);
    sar_poses_at(m, q, &c->sample[s * m->nbody]);
  }
  return true;
}

static M3 rotation_of(const Compile* c, int s, int body) {
  return body < 0 ? m3_identity() : c->sample[s * c->m.nbody + body].R;
}

// The turn from one position to another, D = R_ab(s) R_ab(0)', has its axis along the skew part of
// D.
bool sar_common_axis(const Compile* c, int a, int b, V3* axis) {
  M3 first = m3_tmul(rotation_of(c, 0, a), rotation_of(c, 0, b));
  bool found = false;
  for (int s = 1; s < SAMPLES; s++) {
    M3 R_ab = m3_tmul(rotation_of(c, s, a), rotation_of(c, s, b));
    M3 D = m3_mul(R_ab, m3_transpose(first));
    V3 skew = v3(D.zy - D.yz, D.xz - D.zx, D.yx - D.xy);
    double size = v3_norm(skew);
    if (size < 1e-3) continue;  // no turn to speak of, or half a one
    skew = v3_scale(1 / size, skew);
    if (found && v3_norm(v3_cross(skew, *axis)) > 1e-10) return false;
    *axis = skew;
    found = true;
  }
  return found;
}
