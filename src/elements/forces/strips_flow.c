// Strips: loads at the Gauss points, and the wakes behind them (strips.h).
#include "elements/forces/strips.h"

SarStripsFlow strips_flow_of(const SarModel* m, const SarData* d, int force,
                             const SarInflowField* field) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const int body = a[BODY].index;
  const Xform X = body_pose(d, body);
  const SarAirHere air = sar_air_at(m, d, NULL, dual_of(X.p.z));
  SarStripsFlow f = {.airfoil = a[AIRFOIL].given ? a[AIRFOIL].index : -1,
                     .yaw = a[YAW].index == SAR_YAW_CORRECTED ? SAR_YAW_CORRECTED : SAR_YAW_CROSS,
                     .density = air.density.x,
                     .sound = air.sound.x,
                     .V = body < 0 ? motion_zero() : d->body_V[body],
                     .wind = m3_tmul_v(X.R, sar_wind(m, d, NULL).x),
                     .induced = field != NULL};
  if (m->force_state[force] >= 0) f.wake = &d->z[m->force_state[force]];
  if (!field) return f;
  f.hub = m3_tmul_v(X.R, v3_sub(field->hub.x, X.p));
  f.axis = m3_tmul_v(X.R, field->axis.x);
  f.slope = m3_tmul_v(X.R, field->slope.x);
  f.mean = field->mean.x;
  return f;
}

SarStripsFlow strips_flow(const SarModel* m, const SarData* d, int force) {
  const int rotor = sar_strips_rotor(m, force);
  if (rotor < 0) return strips_flow_of(m, d, force, NULL);
  const SarInflowField field = sar_rotor_field(m, d, NULL, rotor);
  return strips_flow_of(m, d, force, &field);
}

// Velocity against the air along the axes of the section.
void strips_velocity(const SarStripsFlow* f, const SarStation* s, double v123[3]) {
  V3 v = v3_sub(v3_add_cross(f->V.v, f->V.w, s->flow), f->wind);
  if (f->induced) {
    const double u = f->mean + v3_dot(f->slope, v3_sub(s->p, f->hub));
    v = v3_axpy(u, f->axis, v);
  }
  for (int k = 0; k < 3; k++) v123[k] = v3_dot(v, s->e[k]);
}

// i: which of the stations; slopes are by the velocity, wakes held.
void strips_station_load(const SarModel* m, const SarStripsFlow* f, const SarStation* s, int i,
                         bool slopes, SarSectionLoad* out) {
  const SarSection section = {f->airfoil, f->yaw, s->chord, s->lift};
  double v123[3];
  strips_velocity(f, s, v123);
  if (f->wake) v123[1] = sar_wake_effective(v123[1], &f->wake[SAR_WAKE_STATES * i]);
  sar_section_load(m, &section, v123, f->density, f->sound, slopes, out);
  for (int k = 0; f->wake && slopes && k < 4; k++) out->F_v[k][1] *= SAR_WAKE_AT_ONCE;
}

static V3 in_axes(const SarStation* s, double a, double b, double c) {
  return v3_axpy(a, s->e[0], v3_axpy(b, s->e[1], v3_scale(c, s->e[2])));
}

// f += force, n += moment about the origin of B, of the loads by axes
void strips_add_load(const SarStation* s, const double F[4], double weight, V3* f, V3* n) {
  const V3 force = v3_scale(weight, in_axes(s, F[0], F[1], F[2]));
  *f = v3_add(*f, force);
  *n = v3_axpy(weight * F[3], s->e[2], v3_add_cross(*n, s->p, force));
}

// how they follow each state of the inflow: the velocity by mean_z + slope_z . (p - hub), along the
// axis
static void add_by_states(const SarStripsFlow* f, const SarStation* s, const SarInflowField* field,
                          M3 R, const SarSectionLoad* load, SarStripsLoad* out) {
  const double n[3] = {v3_dot(f->axis, s->e[0]), v3_dot(f->axis, s->e[1]),
                       v3_dot(f->axis, s->e[2])};
  double by[4];
  for (int k = 0; k < 4; k++)
    by[k] = load->F_v[k][0] * n[0] + load->F_v[k][1] * n[1] + load->F_v[k][2] * n[2];
  const V3 arm = v3_sub(s->p, f->hub);
  for (int i = 0; i < field->states; i++) {
    const double u = field->mean_z[i] + v3_dot(m3_tmul_v(R, field->slope_z[i]), arm);
    strips_add_load(s, by, s->weight * u, &out->f_z[i], &out->n_z[i]);
  }
}

int strips_cache_size(const SarModel* m, int force) {
  const size_t bytes =
      sizeof(SarStripsCache) + (size_t)strips_count(m, force) * sizeof(SarSectionLoad);
  return (int)(bytes / sizeof(double));
}

const SarStripsLoad* sar_strips_load(const SarModel* m, SarData* d, int strips,
                                     const SarInflowField* field, bool by_states) {
  const SarStripsFlow flow = strips_flow_of(m, d, strips, field);
  const M3 R = body_pose(d, sar_strips_body(m, strips)).R;
  const SarStation* s = strips_stations(m, strips);
  SarStripsCache* cache = strips_cache(m, d, strips);
  SarStripsLoad* out = &cache->load;
  cache->sloped = by_states;
  if (by_states) memset(out, 0, sizeof *out);
  V3 f = v3_zero(), n = v3_zero();
  for (int i = 0, count = strips_count(m, strips); i < count; i++) {
    SarSectionLoad one, *load = by_states ? &strips_kept_loads(cache)[i] : &one;
    strips_station_load(m, &flow, &s[i], i, by_states, load);
    strips_add_load(&s[i], load->F, s[i].weight, &f, &n);
    if (by_states) add_by_states(&flow, &s[i], field, R, load, out);
  }
  out->f = m3_mul_v(R, f), out->n = m3_mul_v(R, n);
  for (int i = 0; by_states && i < field->states; i++)
    out->f_z[i] = m3_mul_v(R, out->f_z[i]), out->n_z[i] = m3_mul_v(R, out->n_z[i]);
  return out;
}

void sar_strips_follow(const SarModel* m, SarData* d, int strips, int states, const double* dz) {
  SarStripsLoad* out = &strips_cache(m, d, strips)->load;
  for (int i = 0; i < states; i++) {
    out->f = v3_axpy(dz[i], out->f_z[i], out->f);
    out->n = v3_axpy(dz[i], out->n_z[i], out->n);
  }
}

// ---- wakes --------------------------------------------------------------------------------------

int strips_states(const SarModel* m, int force) {
  const bool delayed = sar_force_attr(m, force, LIFT)->index == UNSTEADY;
  return delayed && strips_count(m, force) <= MOST_UNSTEADY
             ? SAR_WAKE_STATES * strips_count(m, force)
             : 0;
}

const char* strips_state_name(const SarModel* m, int force, int state) {
#define FOUR(n) "wake" n "1", "wake" n "2", "wake" n "3", "wake" n "4"
#define SIXTEEN(n) FOUR(n "a"), FOUR(n "b"), FOUR(n "c"), FOUR(n "d")
  static const char* const name[] = {SIXTEEN("a"), SIXTEEN("b"), SIXTEEN("c"), SIXTEEN("d")};
  _Static_assert(sizeof name / sizeof *name == SAR_WAKE_STATES * MOST_UNSTEADY, "a name for each");
  (void)m, (void)force;
  return name[state];
}

// As if it had moved like this for long.
void strips_start(const SarModel* m, SarData* d, int force) {
  const SarStripsFlow flow = strips_flow(m, d, force);
  double* z = &d->z[m->force_state[force]];
  for (int i = 0; i < strips_count(m, force); i++) {
    double v[3];
    strips_velocity(&flow, &strips_stations(m, force)[i], v);
    for (int k = 0; k < SAR_WAKE_STATES; k++) z[SAR_WAKE_STATES * i + k] = v[1];
  }
}

void strips_rates(const SarModel* m, SarData* d, int force, double* partial) {
  const SarStripsFlow flow = strips_flow(m, d, force);
  const int first = m->force_state[force];
  for (int i = 0; i < strips_count(m, force); i++) {
    const SarStation* s = &strips_stations(m, force)[i];
    double v[3];
    strips_velocity(&flow, s, v);
    for (int k = 0; k < SAR_WAKE_STATES; k++) {
      const int z = first + SAR_WAKE_STATES * i + k;
      const Dual rate = sar_wake_rate(k, dual_of(v[0]), dual_of(v[1]), s->chord, dual(d->z[z], 1));
      d->z_rate[z] = rate.x;
      if (partial) partial[z * m->nz + z] = rate.d;
    }
  }
}
