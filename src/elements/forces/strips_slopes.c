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
  M3 n, f;
} Follow;

// A b~, b~ x = b x x
static inline M3 times_cross(M3 A, V3 b) {
  return (M3){A.xy * b.z - A.xz * b.y, A.xz * b.x - A.xx * b.z, A.xx * b.y - A.xy * b.x,
              A.yy * b.z - A.yz * b.y, A.yz * b.x - A.yx * b.z, A.yx * b.y - A.yy * b.x,
              A.zy * b.z - A.zz * b.y, A.zz * b.x - A.zx * b.z, A.zx * b.y - A.zy * b.x};
}

// b~ A
static inline M3 cross_times(V3 b, M3 A) {
  return (M3){b.y * A.zx - b.z * A.yx, b.y * A.zy - b.z * A.yy, b.y * A.zz - b.z * A.yz,
              b.z * A.xx - b.x * A.zx, b.z * A.xy - b.x * A.zy, b.z * A.xz - b.x * A.zz,
              b.x * A.yx - b.y * A.xx, b.x * A.yy - b.y * A.xy, b.x * A.yz - b.y * A.xz};
}

// A + s B
static inline M3 add_scaled(M3 A, double s, M3 B) {
  return (M3){A.xx + s * B.xx, A.xy + s * B.xy, A.xz + s * B.xz, A.yx + s * B.yx, A.yy + s * B.yy,
              A.yz + s * B.yz, A.zx + s * B.zx, A.zy + s * B.zy, A.zz + s * B.zz};
}
static inline M3 sum_of(M3 A, M3 B) { return add_scaled(A, 1, B); }
static inline M3 less(M3 A, M3 B) { return add_scaled(A, -1, B); }

static inline M3 outer(V3 a, V3 b) {
  return (M3){a.x * b.x, a.x * b.y, a.x * b.z, a.y * b.x, a.y * b.y,
              a.y * b.z, a.z * b.x, a.z * b.y, a.z * b.z};
}

// The body turns by phi (in B) under the same velocity of its origin v_o, wind and inflow, and its
// angular velocity is the same but for the frame:  dv = -phi x past + (w x phi) x r,  past = v_o -
// wind + v_i n.  The load of a section follows its velocity by F, f = F dv, and its moment by N =
// p~ F + what the section's own moment has. For a velocity of the origin, an angular velocity phi,
// and a turn, dv is v, phi x r = -r~ phi, and (past~ - r~ w~) phi:
//
//   F, N       -F r~, -N r~       F (past~ - r~ w~), N (past~ - r~ w~)
static void add_station(const SarStripsFlow* flow, const SarStation* s, const SarSectionLoad* load,
                        Follow by[3]) {
  V3 past = v3_sub(flow->V.v, flow->wind), g[4];
  if (flow->induced)
    past = v3_axpy(flow->mean + v3_dot(flow->slope, v3_sub(s->p, flow->hub)), flow->axis, past);
  for (int k = 0; k < 4; k++) {
    const double* F = load->F_v[k];
    const V3 slope = v3_axpy(F[0], s->e[0], v3_axpy(F[1], s->e[1], v3_scale(F[2], s->e[2])));
    g[k] = v3_scale(s->weight, slope);
  }
  const M3 F = sum_of(outer(s->e[0], g[0]), sum_of(outer(s->e[1], g[1]), outer(s->e[2], g[2])));
  const M3 N = sum_of(cross_times(s->p, F), outer(s->e[2], g[3]));
  const M3 F_r = times_cross(F, s->flow), N_r = times_cross(N, s->flow);
  by[0] = (Follow){sum_of(by[0].n, N), sum_of(by[0].f, F)};
  by[1] = (Follow){less(by[1].n, N_r), less(by[1].f, F_r)};
  by[2].n = sum_of(by[2].n, less(times_cross(N, past), times_cross(N_r, flow->V.w)));
  by[2].f = sum_of(by[2].f, less(times_cross(F, past), times_cross(F_r, flow->V.w)));
}

// -R A R' into columns from `column` on of three rows from `row` on
static void put_follow(M3 A, M3 R, int row, int column, double* out) {
  const M3 G = m3_mul(m3_mul(R, A), m3_transpose(R));
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
  const int count = strips_count(m, force), rotor = sar_strips_rotor(m, force);
  SarStripsCache* kept = strips_cache(m, d, force);
  // where the evaluation has asked for slopes of the sections they are there, up to what the inflow
  // has moved by since
  const bool sloped = kept->sloped == 1 && rotor >= 0;
  const SarInflowField field = sloped       ? sar_rotor_field_left(m, d, rotor)
                               : rotor >= 0 ? sar_rotor_field(m, d, NULL, rotor)
                                            : (SarInflowField){0};
  const SarStripsFlow flow = strips_flow_of(m, d, force, rotor >= 0 ? &field : NULL);
  const Xform X = body_pose(d, sar_strips_body(m, force));
  const SarStation* s = strips_stations(m, force);
  Follow by[3] = {{.n = {0}}};
  V3 f = v3_zero(), n = v3_zero();
  for (int i = 0; i < count; i++) {
    SarSectionLoad one, *load = sloped ? &strips_kept_loads(kept)[i] : &one;
    if (!sloped) strips_station_load(m, &flow, &s[i], i, true, load);
    add_station(&flow, &s[i], load, by);
    strips_add_load(&s[i], load->F, s[i].weight, &f, &n);
  }
  out->p = X.p;
  *W = (Force){m3_mul_v(X.R, n), m3_mul_v(X.R, f)};
  put_follow(by[0].n, X.R, 0, 3, out->C), put_follow(by[0].f, X.R, 3, 3, out->C);
  put_follow(by[1].n, X.R, 0, 0, out->C), put_follow(by[1].f, X.R, 3, 0, out->C);
  put_follow(by[2].n, X.R, 0, 0, out->K), put_follow(by[2].f, X.R, 3, 0, out->K);
  turn_load(W->n, 0, out->K), turn_load(W->f, 3, out->K);
}
