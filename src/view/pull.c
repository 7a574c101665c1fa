// Pulling at a body (pull.h).
#include "view/pull.h"

#include "base/alloc.h"

#include <math.h>
#include <string.h>

static const double FREQUENCY = 40;  // rad/s
static const double PHASE = 0.35;    // rad in one step, at most

bool sar_pull_begin(SarPull* p, const SarModel* m) {
  *p = (SarPull){0};
  p->J = sar_alloc(sizeof(double) * 6 * (size_t)(m->nv + 1));
  return p->J != NULL;
}

void sar_pull_end(SarPull* p) {
  sar_free(p->J);
  *p = (SarPull){0};
}

// S x = b, by Cramer's rule; S is positive definite.
static V3 s3_solve(S3 S, V3 b) {
  const V3 x = v3(S.xx, S.xy, S.xz), y = v3(S.xy, S.yy, S.yz), z = v3(S.xz, S.yz, S.zz);
  const double det = v3_dot(x, v3_cross(y, z));
  return v3_scale(
      1 / det, v3(v3_dot(b, v3_cross(y, z)), v3_dot(x, v3_cross(b, z)), v3_dot(x, v3_cross(y, b))));
}

// The largest eigenvalue of A = 1/m + [r]' I^-1 [r], by its bound of Gershgorin: how much a free
// body yields at r, from its mass centre, to a unit force. A rod has no inertia about its line: a
// little is added.
static double yielding(Inertia I, V3 point) {
  const V3 com = v3_scale(1 / I.m, I.h), r = v3_sub(point, com);
  S3 central = s3_add(I.I, s3_scale(-I.m, s3_of_point(com)));
  const double trace = central.xx + central.yy + central.zz;
  const double little = 1e-4 * fmax(trace, I.m * v3_dot(r, r));
  double A[3][3], most = 0;
  central.xx += little, central.yy += little, central.zz += little;
  for (int k = 0; k < 3; k++) {
    const V3 e = v3(k == 0, k == 1, k == 2), turn = v3_cross(r, e);
    V3 w = v3_zero();
    if (little > 0) w = s3_solve(central, turn);
    const V3 column = v3_axpy(1 / I.m, e, v3_cross(w, r));
    A[k][0] = column.x, A[k][1] = column.y, A[k][2] = column.z;
  }
  for (int k = 0; k < 3; k++) most = fmax(most, fabs(A[k][0]) + fabs(A[k][1]) + fabs(A[k][2]));
  return most;
}

bool sar_pull_grasp(SarPull* p, const SarData* d, int body, const double point[3], double step) {
  const SarModel* m = d->m;
  const int b = sar_holder_body(m, body);
  if (b < 0 || b >= m->nbody || !(m->body_inertia[b].m > 0)) return false;
  const V3 at = x_point(sar_holder_X_BU(m, body), v3_load(point));
  const double mass = 1 / yielding(m->body_inertia[b], at);
  const double w = fmin(FREQUENCY, PHASE / step);
  if (!isfinite(mass) || !(mass > 0)) return false;
  p->on = true;
  p->body = body;
  memcpy(p->point, point, sizeof p->point);
  p->k = mass * w * w;
  p->c = 2 * mass * w;
  return true;
}

void sar_pull_apply(SarPull* p, SarData* d) {
  const SarModel* m = d->m;
  double position[3], rotation[9];
  if (!p->on || sar_jacobian(d, p->body, p->point, p->J) != SAR_OK ||
      sar_body_pose(d, p->body, position, rotation) != SAR_OK)
    return;
  const double *R = rotation, *u = p->point;
  double v[3] = {0}, at[3];
  for (int k = 0; k < 3; k++) {
    at[k] = position[k] + R[3 * k] * u[0] + R[3 * k + 1] * u[1] + R[3 * k + 2] * u[2];
    for (int i = 0; i < m->nv; i++) v[k] += p->J[(3 + k) * m->nv + i] * d->v[i];
  }
  p->at = v3_load(at);
  p->force = v3_axpy(-p->c, v3_load(v), v3_scale(p->k, v3_sub(p->to, p->at)));
  const double f[3] = {p->force.x, p->force.y, p->force.z};
  for (int i = 0; i < m->nv; i++) {
    d->tau_host[i] = 0;
    for (int k = 0; k < 3; k++) d->tau_host[i] += p->J[(3 + k) * m->nv + i] * f[k];
  }
}

void sar_pull_release(SarPull* p, SarData* d) {
  p->on = false;
  p->force = v3_zero();
  for (int i = 0; i < d->m->nv; i++) d->tau_host[i] = 0;
}
