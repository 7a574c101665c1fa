// Strips: how the loads follow motion, air and states: derivatives and tangents (strips.h).
#include "elements/forces/strips.h"

// Rates of the wakes of station i. Returns the change of v2 that counts as much as theirs.
static double vary_wake(const SarModel* m, const SarData* d, SarVariation* x, int force, int i,
                        Dual v1, Dual v2) {
  const int first = m->force_state[force] + SAR_WAKE_STATES * i;
  double change = 0;
  for (int k = 0; k < SAR_WAKE_STATES; k++) {
    const Dual y = dual(d->z[first + k], x->dz[first + k]);
    x->z_rate[first + k] = sar_wake_rate(k, v1, v2, strips_stations(m, force)[i].chord, y).d;
    change += SAR_WAKE_A[k] * y.d / SAR_WAKE_AT_ONCE;
  }
  return change;
}

void strips_vary(const SarModel* m, SarData* d, SarVariation* x, int force) {
  const int body = sar_strips_body(m, force), rotor = sar_strips_rotor(m, force);
  const VariedBody b = varied_body(d, x, body);
  const SarAirHere air = sar_air_at(m, d, x, d3_z(b.o));
  const D3 wind = sar_wind(m, d, x);
  SarInflowField field = {0};
  if (rotor >= 0) field = sar_rotor_field(m, d, x, rotor);
  const SarStripsFlow flow = strips_flow_of(m, d, force, rotor >= 0 ? &field : NULL);
  const SarStation* s = strips_stations(m, force);
  D3 f = d3_of(v3_zero()), n = f;
  for (int i = 0, count = strips_count(m, force); i < count; i++) {
    SarSectionLoad load;
    strips_station_load(m, &flow, &s[i], i, true, &load);
    const D3 p = varied_point(&b, s[i].p);
    D3 v = d3_sub(varied_velocity(&b, varied_point(&b, s[i].flow)), wind);
    if (rotor >= 0) {
      const Dual u = dual_add(field.mean, d3_dot(field.slope, d3_sub(p, field.hub)));
      v = d3_axpy(u, field.axis, v);
    }
    const D3 e[3] = {varied_axis(&b, s[i].e[0]), varied_axis(&b, s[i].e[1]),
                     varied_axis(&b, s[i].e[2])};
    double dv[3];
    for (int k = 0; k < 3; k++) dv[k] = d3_dot(v, e[k]).d;
    if (flow.wake) dv[1] += vary_wake(m, d, x, force, i, d3_dot(v, e[0]), d3_dot(v, e[1]));
    Dual F[4];
    for (int k = 0; k < 4; k++) {
      F[k] = dual_scale(s[i].weight, dual_of(load.F[k]));
      F[k].d = s[i].weight * (load.F_v[k][0] * dv[0] + load.F_v[k][1] * dv[1] +
                              load.F_v[k][2] * dv[2] + load.F_sound[k] * air.sound.d);
      if (air.density.x != 0) F[k].d += F[k].x * air.density.d / air.density.x;
    }
    const D3 one = d3_axpy(F[0], e[0], d3_axpy(F[1], e[1], d3_scale(F[2], e[2])));
    f = d3_add(f, one);
    n = d3_axpy(F[3], e[2], d3_add(n, d3_cross(d3_sub(p, b.o), one)));
  }
  vary_force_at(x, body, &b, b.o, f);
  vary_torque(x, body, &b, n);
  double* cache = &x->force_cache[m->force_cache_adr[force]];
  v3_store(cache, f.d), v3_store(cache + 3, n.d);
  n = d3_sub(n, d3_cross(d3_sub(varied_point(&b, strips_root(m, force)), b.o), f));
  vary_outputs(m, x, force, (Dual[]){d3_x(f), d3_y(f), d3_z(f), d3_x(n), d3_y(n), d3_z(n)});
}

void strips_tangent(const SarModel* m, SarData* d, int force, SarBodyTangent* out) {
  const int rotor = sar_strips_rotor(m, force);
  SarInflowField field = {0};
  if (rotor >= 0) field = sar_rotor_field(m, d, NULL, rotor);
  const SarStripsFlow flow = strips_flow_of(m, d, force, rotor >= 0 ? &field : NULL);
  const Xform X = body_pose(d, sar_strips_body(m, force));
  const SarStation* s = strips_stations(m, force);
  out->p = X.p;
  for (int i = 0, count = strips_count(m, force); i < count; i++) {
    SarSectionLoad load;
    strips_station_load(m, &flow, &s[i], i, true, &load);
    for (int k = 0; k < 2; k++) {
      const V3 e = m3_mul_v(X.R, s[i].e[k]), arm = m3_mul_v(X.R, s[i].p);
      tangent_add(out->C, -s[i].weight * load.F_v[k][k], v3_cross(arm, e), e);
    }
  }
}

// All of C by the slopes of the sections; K: the body turns by phi (in B) under the same velocity of its origin v_o, wind
// and inflow, and its angular velocity is the same but for the frame,  dv = -phi x (v_o - wind + v_i n) + (w x phi) x r.
// Left out: how the inflow follows.
void strips_loaded_tangent(const SarModel* m, SarData* d, int force, SarBodyTangent* out,
                           Force* W) {
  const int count = strips_count(m, force);
  const SarStripsFlow flow = strips_flow(m, d, force);
  const Xform X = body_pose(d, sar_strips_body(m, force));
  const SarStation* s = strips_stations(m, force);
  V3 f[10], n[10];  // of 6 velocities, 3 rotations, and as it is
  for (int k = 0; k < 10; k++) f[k] = n[k] = v3_zero();
  for (int i = 0; i < count; i++) {
    SarSectionLoad load;
    strips_station_load(m, &flow, &s[i], i, true, &load);
    V3 past = v3_sub(flow.V.v, flow.wind);
    if (flow.induced)
      past = v3_axpy(flow.mean + v3_dot(flow.slope, v3_sub(s[i].p, flow.hub)), flow.axis, past);
    for (int k = 0; k < 9; k++) {
      const int c = k % 3;
      const V3 e = m3_tmul_v(X.R, v3(c == 0, c == 1, c == 2));
      V3 dv = k < 3 ? v3_cross(e, s[i].flow) : e;
      if (k >= 6) dv = v3_add_cross(v3_cross(past, e), v3_cross(flow.V.w, e), s[i].flow);
      double F[4], by[3];
      for (int j = 0; j < 3; j++) by[j] = v3_dot(dv, s[i].e[j]);
      for (int j = 0; j < 4; j++)
        F[j] = load.F_v[j][0] * by[0] + load.F_v[j][1] * by[1] + load.F_v[j][2] * by[2];
      strips_add_load(&s[i], F, s[i].weight, &f[k], &n[k]);
    }
    strips_add_load(&s[i], load.F, s[i].weight, &f[9], &n[9]);
  }
  for (int k = 0; k < 10; k++) f[k] = m3_mul_v(X.R, f[k]), n[k] = m3_mul_v(X.R, n[k]);
  out->p = X.p;
  *W = (Force){n[9], f[9]};
  for (int k = 0; k < 9; k++) {
    const int c = k % 3;
    double *A = k < 6 ? out->C : out->K, change[6];
    if (k >= 6) {  // the loads turn with the body, too
      const V3 e = v3(c == 0, c == 1, c == 2);
      f[k] = v3_add_cross(f[k], e, f[9]), n[k] = v3_add_cross(n[k], e, n[9]);
    }
    v3_store(change, n[k]), v3_store(change + 3, f[k]);
    for (int l = 0; l < 6; l++) A[6 * l + (k < 6 ? k : c)] = -change[l];
  }
}
