// A rotor: the strips of its blades, what the air exerts on all of them, and the inflow that this
// causes (aero/inflow.h). It puts no force on anything: the strips do.
//
// States: `inflow`, mean induced velocity [m/s], positive against the thrust axis; Pitt and Peters'
// model also has `inflow_x` and `inflow_y`, its slopes times the radius, along x of the airframe
// (made perpendicular to the axis) and along axis x that. They start at the momentum value of the
// thrust without inflow.
//
// Ground effect (Cheeseman and Bennett): v_i (1 - (R/4h)^2), h the hub's height above the plane z =
// `ground`, taken as R/2 where it is less.
#include "elements/aero/revolution.h"
#include "elements/forces/rotorcraft.h"

#include <string.h>

enum { HUB, AXIS, RADIUS, INFLOW, MEMORY, AIRFRAME, GROUND_Z, AFT, AZIMUTHS };
static const double PI = 3.14159265358979323846;

static double number(const SarModel* m, int force, int attr) {
  return m->attr_data[sar_force_attr(m, force, attr)->adr];
}

double sar_rotor_radius(const SarModel* m, int rotor) { return number(m, rotor, RADIUS); }

static SarInflowModel model_of(const SarModel* m, int force) {
  return (SarInflowModel)sar_force_attr(m, force, INFLOW)->index;
}

// ---- constants: axis in B, then how many elements of strips belong to it, and which; its blades -

enum { MINE = 3, BLADE = sizeof(SarBlade) / sizeof(double) };

static int strips_of(const SarModel* m, int force, double* list) {
  int count = 0;
  for (int i = 0; i < m->nforce; i++)
    if (sar_is_strips(m, i) && sar_strips_rotor(m, i) == force) {
      if (list) list[count] = i;
      count++;
    }
  return count;
}

// Room for as many blades as there are elements of strips.
static int constants(const SarModel* m, int force) {
  return MINE + 2 + (1 + BLADE) * strips_of(m, force, NULL);
}

static const double* blades_of(const SarModel* m, int force) {
  const double* mine = sar_force_constants(m, force) + MINE;
  return mine + 1 + (int)mine[0];
}

// Strips that point the same way from the hub are one blade: the innermost of them tells where it
// is. to: how many, then the blades.
static void find_blades(const SarModel* m, int force, const double* mine, V3 axis, double* to) {
  const M3 R_hub = sar_design_pose(m, sar_force_attr(m, force, HUB)->index).R;
  SarBlade* blade = (SarBlade*)(void*)(to + 1);
  double innermost[64];
  int count = 0;
  for (int i = 0; i < (int)mine[0]; i++) {
    const int strips = (int)mine[1 + i];
    SarBlade b = {.body = sar_strips_body(m, strips)};
    double root;
    if (!sar_strips_axes(m, strips, &b.lead, &b.up, &b.span, &root)) continue;
    const V3 span = m3_mul_v(sar_design_pose(m, (int)b.body).R, b.span);
    const V3 home = m3_tmul_v(R_hub, span), flat = v3_axpy(-v3_dot(home, axis), axis, home);
    if (!(v3_norm(flat) > 0.1)) continue;
    b.home = v3_unit(flat);
    int same = 0;
    while (same < count && v3_dot(blade[same].home, b.home) < 1 - 1e-6) same++;
    if (same == 64 || (same < count && root >= innermost[same])) continue;
    blade[same] = b;
    innermost[same] = root;
    if (same == count) count++;
  }
  to[0] = count;
}

static void prepare(const SarModel* m, int force, double* to) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const M3 R_BU = sar_holder_X_BU(m, a[HUB].holder).R;
  const V3 axis = m3_mul_v(R_BU, v3_load(&m->attr_data[a[AXIS].adr]));
  v3_store(to, axis);
  to[MINE] = strips_of(m, force, to + MINE + 1);
  find_blades(m, force, to + MINE, axis, to + MINE + 1 + (int)to[MINE]);
}

static SarStatus check(const SarModel* m, int force, SarLoc loc, SarError* err) {
  const char* name = sar_text(m, m->force_name[force]);
  const SarInflowModel model = model_of(m, force);
  const double radius = number(m, force, RADIUS), memory = number(m, force, MEMORY);
  const int errors = err->errors;
  if (!(radius > 0))
    sar_report(err, loc, "", "force '%s': radius is %g, but must be greater than 0", name, radius);
  const bool lags = model != SAR_INFLOW_NONE && model != SAR_INFLOW_PITT_PETERS;
  if (lags && !(memory > 0))
    sar_report(err, loc,
               "time constant with which the inflow follows the thrust, as in memory: 0.1",
               "force '%s': this inflow needs a memory greater than 0 s", name);
  if (!lags && sar_force_attr(m, force, MEMORY)->given)
    sar_report(err, loc, "leave it out", "force '%s': this inflow has no use for 'memory'", name);
  const double azimuths = number(m, force, AZIMUTHS);
  if (!(azimuths >= 1 && azimuths <= SAR_MOST_AZIMUTHS && azimuths == floor(azimuths)))
    sar_report(err, loc, "", "force '%s': azimuths is %g, but must be a whole number from 1 to %d",
               name, azimuths, SAR_MOST_AZIMUTHS);
  return err->errors > errors ? SAR_BAD_MODEL : SAR_OK;
}

// ---- the disc -----------------------------------------------------------------------------------

// A body without changes where x is NULL.
static VariedBody body_of(const SarData* d, const SarVariation* x, int body) {
  if (x) return varied_body(d, x, body);
  VariedBody b = {.R = m3_identity()};
  if (body < 0) return b;
  b.R = d->body_X_GB[body].R;
  b.o = d3_of(d->body_X_GB[body].p);
  b.v = d3_of(m3_mul_v(b.R, d->body_V[body].v));
  b.w = d3_of(m3_mul_v(b.R, d->body_V[body].w));
  return b;
}

static D3 across_of(D3 v, D3 axis) { return d3_axpy(dual_neg(d3_dot(v, axis)), axis, v); }

static SarDisc disc_of(const SarModel* m, const SarData* d, const SarVariation* x, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const VariedBody hub = body_of(d, x, a[HUB].index);
  SarDisc disc = {.model = model_of(m, force), .radius = number(m, force, RADIUS)};
  disc.area = PI * disc.radius * disc.radius;
  disc.hub = varied_point(&hub, v3_load(&m->attr_data[a[HUB].adr]));
  disc.axis = varied_axis(&hub, v3_load(sar_force_constants(m, force)));
  disc.density = sar_air_at(m, d, x, d3_z(disc.hub)).density;
  const D3 air = d3_sub(sar_wind(m, d, x), varied_velocity(&hub, disc.hub));
  disc.across = across_of(air, disc.axis);
  disc.V = d3_norm(disc.across);
  disc.down = dual_neg(d3_dot(air, disc.axis));
  const Dual omega = d3_dot(hub.w, disc.axis);
  disc.turning = omega.x < 0 ? -1 : 1;
  disc.tip_speed = dual_scale(disc.turning * disc.radius, omega);
  disc.image = dual_of(1);
  if (a[GROUND_Z].given) {
    const Dual h = dual_sub(d3_z(disc.hub), dual_of(number(m, force, GROUND_Z)));
    const Dual ratio =
        h.x > 0.5 * disc.radius ? dual_div(dual_of(0.25 * disc.radius), h) : dual_of(0.5);
    disc.image = dual_sub(dual_of(1), dual_mul(ratio, ratio));
  }
  if (disc.model != SAR_INFLOW_PITT_PETERS) return disc;
  const VariedBody frame = body_of(d, x, a[AIRFRAME].index);
  const M3 R_BU = sar_holder_X_BU(m, a[AIRFRAME].holder).R;
  D3 e = across_of(varied_axis(&frame, m3_col_x(R_BU)), disc.axis);
  if (v3_norm(e.x) < 0.1) e = across_of(varied_axis(&frame, m3_col_y(R_BU)), disc.axis);
  disc.e[0] = d3_unit(e);
  disc.e[1] = d3_cross(disc.axis, disc.e[0]);
  return disc;
}

static void states_of(const SarModel* m, const SarData* d, const SarVariation* x, int force,
                      Dual z[SAR_INFLOW_STATES]) {
  const int first = m->force_state[force], n = sar_inflow_states(model_of(m, force));
  for (int i = 0; i < SAR_INFLOW_STATES; i++)
    z[i] = i < n ? dual(d->z[first + i], x ? x->dz[first + i] : 0) : dual_of(0);
}

SarInflowField sar_rotor_field(const SarModel* m, const SarData* d, const SarVariation* x,
                               int rotor) {
  Dual z[SAR_INFLOW_STATES];
  const SarDisc disc = disc_of(m, d, x, rotor);
  states_of(m, d, x, rotor, z);
  return sar_inflow_field(&disc, z);
}

// ---- what strips read ---------------------------------------------------------------------------

// The disc as it is in this evaluation, and the inflow through it.
typedef struct Left {
  SarDisc disc;
  SarInflowField field;
} Left;
enum { LEFT = (sizeof(Left) + sizeof(double) - 1) / sizeof(double) };
_Static_assert(_Alignof(Left) <= _Alignof(double), "it is kept among numbers");

static Left* left_of(const SarModel* m, const SarData* d, int rotor) {
  return (Left*)(void*)&d->force_cache[m->force_cache_adr[rotor]];
}

static void ahead(const SarModel* m, SarData* d, int force) {
  Left* left = left_of(m, d, force);
  Dual z[SAR_INFLOW_STATES];
  left->disc = disc_of(m, d, NULL, force);
  states_of(m, d, NULL, force, z);
  left->field = sar_inflow_field(&left->disc, z);
}

SarInflowField sar_rotor_field_left(const SarModel* m, const SarData* d, int rotor) {
  return left_of(m, d, rotor)->field;
}

// ---- loads of all blades ------------------------------------------------------------------------

typedef struct Loads {
  D3 force, moment;  // moment about the hub
} Loads;

static const double* list_of(const SarModel* m, int force) {
  return sar_force_constants(m, force) + MINE;
}

static void add_strips(Loads* l, D3 hub, D3 origin, D3 f, D3 n) {
  l->force = d3_add(l->force, f);
  l->moment = d3_add(l->moment, d3_add(n, d3_cross(d3_sub(origin, hub), f)));
}

// As the strips left them.
static Loads loads_of(const SarModel* m, const SarData* d, const SarVariation* x, int force,
                      D3 hub) {
  const double* list = list_of(m, force);
  Loads l = {0};
  for (int i = 0; i < (int)list[0]; i++) {
    const int strips = (int)list[1 + i], adr = m->force_cache_adr[strips];
    if (!d->force_on[strips]) continue;
    const VariedBody b = body_of(d, x, sar_strips_body(m, strips));
    const SarStripsLoad* c = (const SarStripsLoad*)(const void*)&d->force_cache[adr];
    const V3 df = x ? v3_load(&x->force_cache[adr]) : v3_zero();
    const V3 dn = x ? v3_load(&x->force_cache[adr + 3]) : v3_zero();
    add_strips(&l, hub, b.o, d3(c->f, df), d3(c->n, dn));
  }
  return l;
}

// ---- states -------------------------------------------------------------------------------------

static int states(const SarModel* m, int force) { return sar_inflow_states(model_of(m, force)); }

static const char* state_name(const SarModel* m, int force, int state) {
  static const char* const name[SAR_INFLOW_STATES] = {"inflow", "inflow_x", "inflow_y"};
  (void)m, (void)force;
  return name[state];
}

static void set_rates(const SarModel* m, SarData* d, int force, const SarDisc* disc, Loads l) {
  Dual z[SAR_INFLOW_STATES], rate[SAR_INFLOW_STATES];
  states_of(m, d, NULL, force, z);
  sar_inflow_rates(disc, number(m, force, MEMORY), z, l.force, l.moment, rate);
  for (int i = 0; i < states(m, force); i++) d->z_rate[m->force_state[force] + i] = rate[i].x;
}

// the loads of all strips at the present states, and how they follow each of these
static Loads evaluate(const SarModel* m, SarData* d, int force, const SarDisc* disc,
                      Loads by[SAR_INFLOW_STATES]) {
  const double* list = list_of(m, force);
  Dual z[SAR_INFLOW_STATES];
  states_of(m, d, NULL, force, z);
  const SarInflowField field = sar_inflow_field(disc, z);
  Loads l = {0};
  if (by) memset(by, 0, SAR_INFLOW_STATES * sizeof *by);
  for (int i = 0; i < (int)list[0]; i++) {
    const int strips = (int)list[1 + i];
    if (!d->force_on[strips]) continue;
    const SarStripsLoad* s = sar_strips_load(m, d, strips, &field, by != NULL);
    const D3 o = d3_of(body_pose(d, sar_strips_body(m, strips)).p);
    add_strips(&l, disc->hub, o, d3_of(s->f), d3_of(s->n));
    for (int k = 0; by && k < field.states; k++)
      add_strips(&by[k], disc->hub, o, d3_of(s->f_z[k]), d3_of(s->n_z[k]));
  }
  return l;
}

static void rates(const SarModel* m, SarData* d, int force, double* partial) {
  const SarDisc disc = left_of(m, d, force)->disc = disc_of(m, d, NULL, force);
  const int first = m->force_state[force], n = states(m, force);
  Loads by[SAR_INFLOW_STATES];
  const Loads l = evaluate(m, d, force, &disc, partial ? by : NULL);
  set_rates(m, d, force, &disc, l);
  for (int k = 0; partial && k < n; k++) {
    Dual z[SAR_INFLOW_STATES], rate[SAR_INFLOW_STATES];
    states_of(m, d, NULL, force, z);
    z[k].d = 1;
    const D3 f = d3(l.force.x, by[k].force.x), moment = d3(l.moment.x, by[k].moment.x);
    sar_inflow_rates(&disc, number(m, force, MEMORY), z, f, moment, rate);
    for (int i = 0; i < n; i++) partial[(first + i) * m->nz + first + k] = rate[i].d;
  }
}

static void follow(const SarModel* m, SarData* d, int force, const double* dz) {
  const double* list = list_of(m, force);
  const SarDisc* disc = &left_of(m, d, force)->disc;
  for (int i = 0; i < (int)list[0]; i++) {
    const int strips = (int)list[1 + i];
    if (d->force_on[strips])
      sar_strips_follow(m, d, strips, states(m, force), dz + m->force_state[force]);
  }
  set_rates(m, d, force, disc, loads_of(m, d, NULL, force, disc->hub));
}

static void start(const SarModel* m, SarData* d, int force) {
  const SarDisc disc = disc_of(m, d, NULL, force);
  const int first = m->force_state[force];
  for (int i = 0; i < states(m, force); i++) d->z[first + i] = 0;
  const Loads l = evaluate(m, d, force, &disc, NULL);
  d->z[first] = sar_momentum_inflow(&disc, d3_dot(l.force, disc.axis)).x;
}

// ---- outputs ------------------------------------------------------------------------------------

enum { OUTPUTS = 12 };

static void outputs_of(const SarDisc* disc, Loads l, Dual mean, Dual out[OUTPUTS]) {
  const Dual thrust = d3_dot(l.force, disc->axis), tip = disc->tip_speed;
  const bool turns = tip.x > 0 && disc->density.x > 0;
  const Dual pressure = dual_mul(disc->density, dual_mul(tip, tip));
  const Dual values[OUTPUTS] = {
      thrust,
      d3_dot(l.moment, disc->axis),
      mean,
      turns ? dual_div(thrust, dual_scale(disc->area, pressure)) : dual_of(0),
      turns ? dual_div(disc->V, tip) : dual_of(0),
      turns ? dual_div(dual_add(disc->down, mean), tip) : dual_of(0),
      d3_x(l.force),
      d3_y(l.force),
      d3_z(l.force),
      d3_x(l.moment),
      d3_y(l.moment),
      d3_z(l.moment)};
  memcpy(out, values, sizeof values);
}

static void apply(const SarModel* m, SarData* d, int force) {
  const Left* left = left_of(m, d, force);
  const Loads l = loads_of(m, d, NULL, force, left->disc.hub);
  Dual values[OUTPUTS];
  double out[OUTPUTS];
  if (states(m, force) > 0) set_rates(m, d, force, &left->disc, l);
  outputs_of(&left->disc, l, left->field.mean, values);
  for (int i = 0; i < OUTPUTS; i++) out[i] = values[i].x;
  set_outputs(m, d, force, out);
  d->force_power[force] = 0;
}

static void vary(const SarModel* m, SarData* d, SarVariation* x, int force) {
  const SarDisc disc = disc_of(m, d, x, force);
  const Loads l = loads_of(m, d, x, force, disc.hub);
  Dual z[SAR_INFLOW_STATES], rate[SAR_INFLOW_STATES], values[OUTPUTS];
  states_of(m, d, x, force, z);
  sar_inflow_rates(&disc, number(m, force, MEMORY), z, l.force, l.moment, rate);
  for (int i = 0; i < states(m, force); i++) x->z_rate[m->force_state[force] + i] = rate[i].d;
  outputs_of(&disc, l, sar_inflow_field(&disc, z).mean, values);
  vary_outputs(m, x, force, values);
}

// ---- the last revolution ------------------------------------------------------------------------

static int azimuths_of(const SarModel* m, int force) {
  const double n = number(m, force, AZIMUTHS);
  return n >= 1 && n <= SAR_MOST_AZIMUTHS ? (int)n : 1;
}

static int kept(const SarModel* m, int force) { return sar_revolution_size(azimuths_of(m, force)); }

static void keep(const SarModel* m, SarData* d, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const VariedBody hub = body_of(d, NULL, a[HUB].index),
                   frame = body_of(d, NULL, a[AIRFRAME].index);
  const M3 R_BU = sar_holder_X_BU(m, a[AIRFRAME].holder).R;
  const D3 n = varied_axis(&hub, v3_load(sar_force_constants(m, force)));
  const V3 aft_B = m3_mul_v(R_BU, v3_load(&m->attr_data[a[AFT].adr]));
  D3 aft = across_of(varied_axis(&frame, aft_B), n);
  if (v3_norm(aft.x) < 0.1) aft = across_of(varied_axis(&frame, m3_col_z(R_BU)), n);
  SarTurning at = {.axis = n.x, .aft = v3_unit(aft.x), .R_hub = hub.R, .w_hub = hub.w.x};
  const double rate = v3_dot(v3_sub(hub.w.x, frame.w.x), n.x);
  at.way = rate < 0 ? -1 : 1;
  at.rate = fabs(rate);
  const double *out = &d->force_output[m->force_output_adr[force]], *blades = blades_of(m, force);
  double load[SAR_LOAD_MEANS] = {out[0], out[1]};
  memcpy(load + 2, out + 6, 6 * sizeof *load);
  sar_revolution_keep(d, &at, (const SarBlade*)(const void*)(blades + 1), (int)blades[0], load,
                      azimuths_of(m, force), &d->force_kept[m->force_kept_adr[force]]);
}

double sar_rotor_mean(const SarModel* m, const SarData* d, int rotor, int which) {
  return sar_revolution_mean(&d->force_kept[m->force_kept_adr[rotor]], azimuths_of(m, rotor),
                             which);
}

static void look(const SarModel* m, int force, SarForceLook* out) {
  enum { FX = 6 };
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  out->body[0] = a[HUB].index;
  out->point[0] = v3_load(&m->attr_data[a[HUB].adr]);
  out->arrow = FX;
}

const SarForceKind sar_force_rotor = {
    .name = "rotor",
    .doc = "groups the strips of a rotor's blades: inflow by momentum theory, thrust, torque",
    .ref = "Johnson 1980; Pitt and Peters 1981",
    .targets = 1,
    .attr = {{"hub", SAR_ATTR_POINT, NULL, "centre of the disc, on the body that turns", NULL},
             {"axis", SAR_ATTR_DIRECTION, "0 0 1", "thrust axis, body frame", NULL},
             {"radius", SAR_ATTR_NUMBER, NULL, "of the disc [m]", NULL},
             {"inflow", SAR_ATTR_CHOICE, "uniform", "model of the induced velocity",
              "none uniform coleman drees white_blake howlett payne glauert pitt_peters"},
             {"memory", SAR_ATTR_NUMBER, "0",
              "time constant of the inflow; not for none and pitt_peters [s]", NULL},
             {"airframe", SAR_ATTR_BODY, "ground",
              "body that azimuths count from; its x axis inflow_x of pitt_peters is along", NULL},
             {"ground", SAR_ATTR_NUMBER, "",
              "height of the ground for its effect [m]; default: none", NULL},
             {"aft", SAR_ATTR_DIRECTION, "-1 0 0",
              "where blades have azimuth 0, frame of the airframe", NULL},
             {"azimuths", SAR_ATTR_NUMBER, "36",
              "of a revolution at which blades are looked at for harmonics [1]", NULL}},
    .nattr = 9,
    .example = "{rotor: a, radius: 1, memory: 0.1}",
    // [N, N m, m/s, 1, 1, 1], force and moment about the hub in ground axes [N, N m]
    .output = {"thrust", "torque", "induced", "ct", "mu", "lambda", "fx", "fy", "fz", "mx", "my",
               "mz"},
    .noutput = OUTPUTS,
    .conservative = true,
    .constants = constants,
    .prepare = prepare,
    .ncache = LEFT,
    .late = true,
    .ahead = ahead,
    .states = states,
    .state_name = state_name,
    .start = start,
    .rates = rates,
    .follow = follow,
    .kept = kept,
    .keep = keep,
    .check = check,
    .apply = apply,
    .vary = vary,
    .look = look,
};

bool sar_force_is_rotor(const SarForceKind* kind) { return kind == &sar_force_rotor; }

bool sar_is_rotor(const SarModel* m, int force) { return sar_force_is_rotor(m->force_kind[force]); }
