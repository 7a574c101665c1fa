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

// How moment and force follow one kind of motion, in B.
typedef struct Follow {
  double n[9], f[9];
} Follow;

// A += a b'
static inline void add_outer(double A[9], V3 a, V3 b) {
  A[0] += a.x * b.x, A[1] += a.x * b.y, A[2] += a.x * b.z;
  A[3] += a.y * b.x, A[4] += a.y * b.y, A[5] += a.y * b.z;
  A[6] += a.z * b.x, A[7] += a.z * b.y, A[8] += a.z * b.z;
}

// Loads by axes 0 to 3 of a section (strips_add_load) follow as h[0] to h[3] do.
static inline void add_follow(Follow* to, const V3 a[3], const V3 arm[3], const V3 h[4]) {
  for (int k = 0; k < 3; k++) {
    add_outer(to->f, a[k], h[k]);
    add_outer(to->n, arm[k], h[k]);
  }
  add_outer(to->n, a[2], h[3]);
}

// The body turns by phi (in B) under the same velocity of its origin v_o, wind and inflow, and its angular velocity is the
// same but for the frame:  dv = -phi x past + (w x phi) x r,   past = v_o - wind + v_i n.  With g the slope of a load,
//
//   g . dv = g . v            = phi . (r x g)            = phi . (g x past + (r x g) x w)
//
// for a velocity of the origin, an angular velocity phi, and a turn.
static void add_station(const SarStripsFlow* flow, const SarStation* s, const SarSectionLoad* load,
                        Follow by[3]) {
  V3 past = v3_sub(flow->V.v, flow->wind), a[3], arm[3], g[4], spun[4], turned[4];
  if (flow->induced)
    past = v3_axpy(flow->mean + v3_dot(flow->slope, v3_sub(s->p, flow->hub)), flow->axis, past);
  for (int k = 0; k < 3; k++) {
    a[k] = v3_scale(s->weight, s->e[k]);
    arm[k] = v3_cross(s->p, a[k]);
  }
  for (int k = 0; k < 4; k++) {
    const double* F = load->F_v[k];
    g[k] = v3_axpy(F[0], s->e[0], v3_axpy(F[1], s->e[1], v3_scale(F[2], s->e[2])));
    spun[k] = v3_cross(s->flow, g[k]);
    turned[k] = v3_add_cross(v3_cross(g[k], past), spun[k], flow->V.w);
  }
  add_follow(&by[0], a, arm, g);
  add_follow(&by[1], a, arm, spun);
  add_follow(&by[2], a, arm, turned);
}

// -R A R' into columns from `column` on of three rows from `row` on
static void put_follow(const double A[9], M3 R, int row, int column, double* out) {
  const M3 in_B = {A[0], A[1], A[2], A[3], A[4], A[5], A[6], A[7], A[8]};
  const M3 G = m3_mul(m3_mul(R, in_B), m3_transpose(R));
  const double x[9] = {G.xx, G.xy, G.xz, G.yx, G.yy, G.yz, G.zx, G.zy, G.zz};
  for (int k = 0; k < 9; k++) out[6 * (row + k / 3) + column + k % 3] = -x[k];
}

// What a turn e of the body does to a load that turns with it: e x load
static void turn_load(V3 load, int row, double* K) {
  K[6 * row + 1] -= load.z, K[6 * row + 2] += load.y;
  K[6 * row + 6] += load.z, K[6 * row + 8] -= load.x;
  K[6 * row + 12] -= load.y, K[6 * row + 13] += load.x;
}

// All of C by the slopes of the sections, and K of turns. Left out: how the inflow follows.
void strips_loaded_tangent(const SarModel* m, SarData* d, int force, SarBodyTangent* out,
                           Force* W) {
  const int count = strips_count(m, force);
  const SarStripsFlow flow = strips_flow(m, d, force);
  const Xform X = body_pose(d, sar_strips_body(m, force));
  const SarStation* s = strips_stations(m, force);
  Follow by[3] = {{{0}, {0}}, {{0}, {0}}, {{0}, {0}}};
  V3 f = v3_zero(), n = v3_zero();
  for (int i = 0; i < count; i++) {
    SarSectionLoad load;
    strips_station_load(m, &flow, &s[i], i, true, &load);
    add_station(&flow, &s[i], &load, by);
    strips_add_load(&s[i], load.F, s[i].weight, &f, &n);
  }
  out->p = X.p;
  *W = (Force){m3_mul_v(X.R, n), m3_mul_v(X.R, f)};
  put_follow(by[0].n, X.R, 0, 3, out->C), put_follow(by[0].f, X.R, 3, 3, out->C);
  put_follow(by[1].n, X.R, 0, 0, out->C), put_follow(by[1].f, X.R, 3, 0, out->C);
  put_follow(by[2].n, X.R, 0, 0, out->K), put_follow(by[2].f, X.R, 3, 0, out->K);
  turn_load(W->n, 0, out->K), turn_load(W->f, 3, out->K);
}
