// Strips: the air on a blade, a wing or a fin that a rigid body carries (blade element theory).
//
// Stations r along `span` from the point on; at each the section has axes 1 towards the leading edge, 2 up, 3 = 1 x 2,
// turned nose-up by the twist: 1 towards 2. The loads per unit of span (aero/section.h) act at the aerodynamic centre
// and are summed at Gauss points, `points` on each of `panels` equal pieces. Velocity of the section against the air:
//
//   v = velocity of the body there - wind + v_i n          v_i: induced velocity, against the thrust axis n of the rotor
//
// taken half a chord behind the aerodynamic centre (3/4-chord rule: what a thin airfoil in slow rotation feels), or
// with `lift: steady` at it. `lift: unsteady` has Wagner's delay of the lift behind it (aero/wake.h): two states of each
// Gauss point. Beyond tip_loss times the rotor's radius there is no lift.
//
// Energy: all that the air does is work. Tangent: dF1/dv1 and dF2/dv2 at each point; left out are couplings between
// them, which are not symmetric, what turns the section, and the inflow.
#include "elements/aero/section.h"
#include "elements/aero/wake.h"
#include "elements/forces/rotorcraft.h"
#include "elements/forces/tangent.h"

#include <string.h>

enum {
  BODY,
  SPAN,
  LEAD,
  UP,
  ROOT,
  TIP,
  CHORD,
  TWIST,
  CENTRE,
  AIRFOIL,
  ROTOR,
  POINTS,
  PANELS,
  LIFT,
  YAW,
  TIP_LOSS,
  SHARE
};
enum { QUASI_STEADY, STEADY, UNSTEADY };
enum { MOST_POINTS = 16, MOST_PANELS = 50, MOST_UNSTEADY = 32 };

// Constants: one Station for each Gauss point, in B of the body.
typedef struct Station {
  V3 p;                        // aerodynamic centre
  V3 flow;                     // where the velocity counts
  V3 e[3];                     // axes of the section
  double chord, weight, lift;  // weight: length of span
  double r;
} Station;
_Static_assert(sizeof(Station) % sizeof(double) == 0, "stations are numbers");
enum { STATION = sizeof(Station) / sizeof(double) };

static double number(const SarModel* m, int force, int attr) {
  return m->attr_data[sar_force_attr(m, force, attr)->adr];
}

// Where shares have a table, the pieces between its rows are integrated one by one.
static int pieces_of(const SarModel* m, int force) {
  const int rows = sar_force_attr(m, force, SHARE)->index;
  return rows < 2 ? 1 : rows - 1;
}

static int count_of(const SarModel* m, int force) {
  return (int)number(m, force, POINTS) * (int)number(m, force, PANELS) * pieces_of(m, force);
}

static const Station* stations_of(const SarModel* m, int force) {
  return (const Station*)(const void*)sar_force_constants(m, force);
}

int sar_strips_rotor(const SarModel* m, int strips) {
  const SarAttrValue* a = sar_force_attr(m, strips, ROTOR);
  return a->given ? a->index : -1;
}

int sar_strips_body(const SarModel* m, int strips) {
  return sar_force_attr(m, strips, BODY)->index;
}

// ---- constants -----------------------------------------------------------------------------------

// Linear between the rows, constant beyond them.
static double span_at(const SarModel* m, int force, int attr, double r) {
  const SarAttrValue* a = sar_force_attr(m, force, attr);
  const double* t = &m->attr_data[a->adr];
  const int rows = a->index;
  if (rows < 1) return 0;
  if (rows == 1 || r <= t[0]) return t[1];
  for (int i = 0; i + 1 < rows; i++) {
    const double *low = &t[2 * i], *high = low + 2;
    if (r < high[0]) return low[1] + (high[1] - low[1]) * (r - low[0]) / (high[0] - low[0]);
  }
  return t[2 * rows - 1];
}

// Gauss-Legendre points and weights on -1..1: roots of P_n by Newton's method.
static void gauss_point(int n, int i, double* x, double* weight) {
  double z = cos(3.14159265358979323846 * (i + 0.75) / (n + 0.5)), slope = 1;
  for (int k = 0; k < 100; k++) {
    double p = 1, before = 0;
    for (int j = 1; j <= n; j++) {
      const double next = ((2 * j - 1) * z * p - (j - 1) * before) / j;
      before = p, p = next;
    }
    slope = n * (z * p - before) / (z * z - 1);
    const double step = p / slope;
    z -= step;
    if (fabs(step) < 1e-16) break;
  }
  *x = -z;
  *weight = 2 / ((1 - z * z) * slope * slope);
}

static void place_station(const SarModel* m, int force, double r, double weight, const V3 axes[3],
                          V3 span, Station* s) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const M3 R_BU = sar_holder_X_BU(m, a[BODY].holder).R;
  const double twist = span_at(m, force, TWIST, r), c = cos(twist), sn = sin(twist);
  const V3 e1 = v3_axpy(sn, axes[1], v3_scale(c, axes[0]));
  const V3 e2 = v3_axpy(-sn, axes[0], v3_scale(c, axes[1]));
  const int rotor = sar_strips_rotor(m, force);
  const double end = rotor >= 0 ? sar_rotor_radius(m, rotor) : number(m, force, TIP);
  s->r = r;
  s->chord = span_at(m, force, CHORD, r);
  s->weight = weight;
  s->lift = r > number(m, force, TIP_LOSS) * end ? 0 : 1;
  s->e[0] = m3_mul_v(R_BU, e1);
  s->e[1] = m3_mul_v(R_BU, e2);
  s->e[2] = m3_mul_v(R_BU, axes[2]);
  const V3 on_span = v3_axpy(r, m3_mul_v(R_BU, span), v3_load(&m->attr_data[a[BODY].adr]));
  s->p = v3_axpy(span_at(m, force, CENTRE, r), s->e[0], on_span);
  s->flow = a[LIFT].index == STEADY ? s->p : v3_axpy(-0.5 * s->chord, s->e[0], s->p);
}

// Axes of the untwisted section in U: lead made perpendicular to the span, the side of `up`. False: they are in line.
static bool axes_of(const SarModel* m, int force, V3 axes[3], V3* span) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const V3 lead = v3_load(&m->attr_data[a[LEAD].adr]), up = v3_load(&m->attr_data[a[UP].adr]);
  *span = v3_load(&m->attr_data[a[SPAN].adr]);
  const V3 e1 = v3_axpy(-v3_dot(lead, *span), *span, lead);
  if (!(v3_norm(e1) > 1e-3)) return false;
  axes[0] = v3_unit(e1);
  axes[1] = v3_cross(*span, axes[0]);
  const double side = v3_dot(axes[1], up);
  if (!(fabs(side) > 1e-3)) return false;
  if (side < 0) axes[1] = v3_neg(axes[1]);
  axes[2] = v3_cross(axes[0], axes[1]);
  return true;
}

bool sar_strips_axes(const SarModel* m, int strips, V3* lead, V3* up, V3* span, double* root) {
  const M3 R_BU = sar_holder_X_BU(m, sar_force_attr(m, strips, BODY)->holder).R;
  V3 axes[3], along;
  if (!axes_of(m, strips, axes, &along)) return false;
  *lead = m3_mul_v(R_BU, axes[0]);
  *up = m3_mul_v(R_BU, axes[1]);
  *span = m3_mul_v(R_BU, along);
  *root = number(m, strips, ROOT);
  return true;
}

static int constants(const SarModel* m, int force) {
  const double points = number(m, force, POINTS), panels = number(m, force, PANELS);
  const bool sensible =
      points >= 1 && points <= MOST_POINTS && panels >= 1 && panels <= MOST_PANELS;
  return sensible ? count_of(m, force) * STATION : 0;
}

// Ends of piece i; the second is not before the first.
static void ends_of(const SarModel* m, int force, int i, double* root, double* tip) {
  const SarAttrValue* share = sar_force_attr(m, force, SHARE);
  const double* t = &m->attr_data[share->adr];
  *root = number(m, force, ROOT), *tip = number(m, force, TIP);
  if (share->index < 2) return;
  *root = fmin(fmax(*root, t[2 * i]), *tip);
  *tip = fmax(fmin(*tip, t[2 * i + 2]), *root);
}

static void prepare(const SarModel* m, int force, double* to) {
  Station* s = (Station*)(void*)to;
  const int points = (int)number(m, force, POINTS), panels = (int)number(m, force, PANELS);
  V3 axes[3], span;
  if (!axes_of(m, force, axes, &span)) return;
  for (int p = 0; p < pieces_of(m, force); p++) {
    double root, tip;
    ends_of(m, force, p, &root, &tip);
    const double half = 0.5 * (tip - root) / panels;
    for (int k = 0; k < panels; k++)
      for (int i = 0; i < points; i++) {
        double x, weight;
        gauss_point(points, i, &x, &weight);
        const double r = root + (2 * k + 1 + x) * half;
        place_station(m, force, r, half * weight * span_at(m, force, SHARE, r), axes, span, s++);
      }
  }
}

// ---- checks --------------------------------------------------------------------------------------

static bool is_count(double x, int most) { return x >= 1 && x <= most && x == floor(x); }

static SarStatus check(const SarModel* m, int force, SarLoc loc, SarError* err) {
  const char* name = sar_text(m, m->force_name[force]);
  const int errors = err->errors;
  V3 axes[3], span;
  if (!is_count(number(m, force, POINTS), MOST_POINTS))
    sar_report(err, loc, "", "force '%s': points is %g, but must be a whole number from 1 to %d",
               name, number(m, force, POINTS), MOST_POINTS);
  if (!is_count(number(m, force, PANELS), MOST_PANELS))
    sar_report(err, loc, "", "force '%s': panels is %g, but must be a whole number from 1 to %d",
               name, number(m, force, PANELS), MOST_PANELS);
  if (!(number(m, force, TIP) > number(m, force, ROOT)))
    sar_report(err, loc, "", "force '%s': tip (%g) must be further out than root (%g)", name,
               number(m, force, TIP), number(m, force, ROOT));
  if (!(number(m, force, TIP_LOSS) > 0 && number(m, force, TIP_LOSS) <= 1))
    sar_report(err, loc, "", "force '%s': tip_loss is %g, but must be above 0 and at most 1", name,
               number(m, force, TIP_LOSS));
  if (!axes_of(m, force, axes, &span))
    sar_report(err, loc, "as in span: x, lead: y, up: z",
               "force '%s': span, lead and up do not span three directions", name);
  const SarAttrValue* chord = sar_force_attr(m, force, CHORD);
  for (int i = 0; i < chord->index; i++)
    if (!(m->attr_data[chord->adr + 2 * i + 1] > 0)) {
      sar_report(err, loc, "", "force '%s': chord is %g, but must be greater than 0", name,
                 m->attr_data[chord->adr + 2 * i + 1]);
      break;
    }
  if (sar_force_attr(m, force, LIFT)->index == UNSTEADY && count_of(m, force) > MOST_UNSTEADY)
    sar_report(err, loc, "use fewer points or panels, or several elements",
               "force '%s': unsteady lift at %d Gauss points, but %d are the most", name,
               count_of(m, force), MOST_UNSTEADY);
  const int rotor = sar_strips_rotor(m, force);
  if (rotor >= 0 && !sar_is_rotor(m, rotor))
    sar_report(err, loc, "", "force '%s': inflow: '%s' is a %s, not a rotor", name,
               sar_text(m, m->force_name[rotor]), m->force_kind[rotor]->name);
  return err->errors > errors ? SAR_BAD_MODEL : SAR_OK;
}

// ---- loads ---------------------------------------------------------------------------------------

// What all stations of an element share, in B.
typedef struct Flow {
  int airfoil;
  SarYaw yaw;
  double density, sound;
  Motion V;
  V3 wind;
  bool induced;
  V3 hub, axis, slope;  // of the inflow
  double mean;
  const double* wake;  // states of all stations; NULL: lift is not delayed
} Flow;

static Flow flow_of(const SarModel* m, const SarData* d, int force, const SarInflowField* field) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const int body = a[BODY].index;
  const Xform X = body_pose(d, body);
  const SarAirHere air = sar_air_at(m, d, NULL, dual_of(X.p.z));
  Flow f = {.airfoil = a[AIRFOIL].given ? a[AIRFOIL].index : -1,
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

// Velocity against the air along the axes of the section.
static void station_velocity(const Flow* f, const Station* s, double v123[3]) {
  V3 v = v3_sub(v3_add_cross(f->V.v, f->V.w, s->flow), f->wind);
  if (f->induced) {
    const double u = f->mean + v3_dot(f->slope, v3_sub(s->p, f->hub));
    v = v3_axpy(u, f->axis, v);
  }
  for (int k = 0; k < 3; k++) v123[k] = v3_dot(v, s->e[k]);
}

// i: which of the stations; slopes are by the velocity, wakes held.
static void station_load(const SarModel* m, const Flow* f, const Station* s, int i, bool slopes,
                         SarSectionLoad* out) {
  const SarSection section = {f->airfoil, f->yaw, s->chord, s->lift};
  double v123[3];
  station_velocity(f, s, v123);
  if (f->wake) v123[1] = sar_wake_effective(v123[1], &f->wake[SAR_WAKE_STATES * i]);
  sar_section_load(m, &section, v123, f->density, f->sound, slopes, out);
  for (int k = 0; f->wake && slopes && k < 4; k++) out->F_v[k][1] *= SAR_WAKE_AT_ONCE;
}

static V3 in_axes(const Station* s, double a, double b, double c) {
  return v3_axpy(a, s->e[0], v3_axpy(b, s->e[1], v3_scale(c, s->e[2])));
}

// f += force, n += moment about the origin of B, of the loads by axes
static void add_load(const Station* s, const double F[4], double weight, V3* f, V3* n) {
  const V3 force = v3_scale(weight, in_axes(s, F[0], F[1], F[2]));
  *f = v3_add(*f, force);
  *n = v3_axpy(weight * F[3], s->e[2], v3_add_cross(*n, s->p, force));
}

// how they follow each state of the inflow: the velocity by mean_z + slope_z . (p - hub), along the axis
static void add_by_states(const Flow* f, const Station* s, const SarInflowField* field, M3 R,
                          const SarSectionLoad* load, SarStripsLoad* out) {
  const double n[3] = {v3_dot(f->axis, s->e[0]), v3_dot(f->axis, s->e[1]),
                       v3_dot(f->axis, s->e[2])};
  double by[4];
  for (int k = 0; k < 4; k++)
    by[k] = load->F_v[k][0] * n[0] + load->F_v[k][1] * n[1] + load->F_v[k][2] * n[2];
  const V3 arm = v3_sub(s->p, f->hub);
  for (int i = 0; i < field->states; i++) {
    const double u = field->mean_z[i] + v3_dot(m3_tmul_v(R, field->slope_z[i]), arm);
    add_load(s, by, s->weight * u, &out->f_z[i], &out->n_z[i]);
  }
}

SarStripsLoad sar_strips_load(const SarModel* m, SarData* d, int strips,
                              const SarInflowField* field, bool by_states) {
  const Flow flow = flow_of(m, d, strips, field);
  const M3 R = body_pose(d, sar_strips_body(m, strips)).R;
  const Station* s = stations_of(m, strips);
  SarStripsLoad out = {0};
  for (int i = 0, n = count_of(m, strips); i < n; i++) {
    SarSectionLoad load;
    station_load(m, &flow, &s[i], i, by_states, &load);
    add_load(&s[i], load.F, s[i].weight, &out.f, &out.n);
    if (by_states) add_by_states(&flow, &s[i], field, R, &load, &out);
  }
  out.f = m3_mul_v(R, out.f), out.n = m3_mul_v(R, out.n);
  for (int i = 0; by_states && i < field->states; i++)
    out.f_z[i] = m3_mul_v(R, out.f_z[i]), out.n_z[i] = m3_mul_v(R, out.n_z[i]);
  double* cache = &d->force_cache[m->force_cache_adr[strips]];
  v3_store(cache, out.f), v3_store(cache + 3, out.n);
  return out;
}

// Where the span axis begins, in B.
static V3 root_of(const SarModel* m, int strips) {
  return v3_load(&m->attr_data[sar_force_attr(m, strips, BODY)->adr]);
}

// ---- wakes ---------------------------------------------------------------------------------------

static int states(const SarModel* m, int force) {
  const bool delayed = sar_force_attr(m, force, LIFT)->index == UNSTEADY;
  return delayed && count_of(m, force) <= MOST_UNSTEADY ? SAR_WAKE_STATES * count_of(m, force) : 0;
}

static const char* state_name(const SarModel* m, int force, int state) {
#define FOUR(n) "wake" n "1", "wake" n "2", "wake" n "3", "wake" n "4"
#define SIXTEEN(n) FOUR(n "a"), FOUR(n "b"), FOUR(n "c"), FOUR(n "d")
  static const char* const name[] = {SIXTEEN("a"), SIXTEEN("b"), SIXTEEN("c"), SIXTEEN("d")};
  _Static_assert(sizeof name / sizeof *name == SAR_WAKE_STATES * MOST_UNSTEADY, "a name for each");
  (void)m, (void)force;
  return name[state];
}

static Flow flow_now(const SarModel* m, const SarData* d, int force) {
  const int rotor = sar_strips_rotor(m, force);
  if (rotor < 0) return flow_of(m, d, force, NULL);
  const SarInflowField field = sar_rotor_field(m, d, NULL, rotor);
  return flow_of(m, d, force, &field);
}

// As if it had moved like this for long.
static void start(const SarModel* m, SarData* d, int force) {
  const Flow flow = flow_now(m, d, force);
  double* z = &d->z[m->force_state[force]];
  for (int i = 0; i < count_of(m, force); i++) {
    double v[3];
    station_velocity(&flow, &stations_of(m, force)[i], v);
    for (int k = 0; k < SAR_WAKE_STATES; k++) z[SAR_WAKE_STATES * i + k] = v[1];
  }
}

static void rates(const SarModel* m, SarData* d, int force, double* partial) {
  const Flow flow = flow_now(m, d, force);
  const int first = m->force_state[force];
  for (int i = 0; i < count_of(m, force); i++) {
    const Station* s = &stations_of(m, force)[i];
    double v[3];
    station_velocity(&flow, s, v);
    for (int k = 0; k < SAR_WAKE_STATES; k++) {
      const int z = first + SAR_WAKE_STATES * i + k;
      const Dual rate = sar_wake_rate(k, dual_of(v[0]), dual_of(v[1]), s->chord, dual(d->z[z], 1));
      d->z_rate[z] = rate.x;
      if (partial) partial[z * m->nz + z] = rate.d;
    }
  }
}

// ---- forces --------------------------------------------------------------------------------------

static void apply(const SarModel* m, SarData* d, int force) {
  const int body = sar_strips_body(m, force), rotor = sar_strips_rotor(m, force);
  if (m->force_state[force] >= 0) rates(m, d, force, NULL);
  const double* cache = &d->force_cache[m->force_cache_adr[force]];
  // where a step is implicit in the states, the rotor has left the loads of their solution
  if (rotor < 0) {
    sar_strips_load(m, d, force, NULL, false);
  } else if (!d->z_from || m->force_state[rotor] < 0 || !d->force_on[rotor]) {
    const SarInflowField field = sar_rotor_field_left(m, d, rotor);
    sar_strips_load(m, d, force, &field, false);
  }
  const V3 f = v3_load(cache), n = v3_load(cache + 3);
  d->force_power[force] =
      v3_dot(f, point_velocity(d, body, v3_zero())) + v3_dot(n, body_omega(d, body));
  add_force_at(d, body, v3_zero(), f);
  add_torque(d, body, n);
  const V3 root = m3_mul_v(body_pose(d, body).R, root_of(m, force));
  const V3 moment =
      v3_sub(n, v3_cross(root, f));  // n is about the origin of B, which files do not know
  set_outputs(m, d, force, (double[]){f.x, f.y, f.z, moment.x, moment.y, moment.z});
}

// ---- derivatives ---------------------------------------------------------------------------------

// Rates of the wakes of station i. Returns the change of v2 that counts as much as theirs.
static double vary_wake(const SarModel* m, const SarData* d, SarVariation* x, int force, int i,
                        Dual v1, Dual v2) {
  const int first = m->force_state[force] + SAR_WAKE_STATES * i;
  double change = 0;
  for (int k = 0; k < SAR_WAKE_STATES; k++) {
    const Dual y = dual(d->z[first + k], x->dz[first + k]);
    x->z_rate[first + k] = sar_wake_rate(k, v1, v2, stations_of(m, force)[i].chord, y).d;
    change += SAR_WAKE_A[k] * y.d / SAR_WAKE_AT_ONCE;
  }
  return change;
}

static void vary(const SarModel* m, SarData* d, SarVariation* x, int force) {
  const int body = sar_strips_body(m, force), rotor = sar_strips_rotor(m, force);
  const VariedBody b = varied_body(d, x, body);
  const SarAirHere air = sar_air_at(m, d, x, d3_z(b.o));
  const D3 wind = sar_wind(m, d, x);
  SarInflowField field = {0};
  if (rotor >= 0) field = sar_rotor_field(m, d, x, rotor);
  const Flow flow = flow_of(m, d, force, rotor >= 0 ? &field : NULL);
  const Station* s = stations_of(m, force);
  D3 f = d3_of(v3_zero()), n = f;
  for (int i = 0, count = count_of(m, force); i < count; i++) {
    SarSectionLoad load;
    station_load(m, &flow, &s[i], i, true, &load);
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
  n = d3_sub(n, d3_cross(d3_sub(varied_point(&b, root_of(m, force)), b.o), f));
  vary_outputs(m, x, force, (Dual[]){d3_x(f), d3_y(f), d3_z(f), d3_x(n), d3_y(n), d3_z(n)});
}

static void tangent(const SarModel* m, SarData* d, int force, SarBodyTangent* out) {
  const int rotor = sar_strips_rotor(m, force);
  SarInflowField field = {0};
  if (rotor >= 0) field = sar_rotor_field(m, d, NULL, rotor);
  const Flow flow = flow_of(m, d, force, rotor >= 0 ? &field : NULL);
  const Xform X = body_pose(d, sar_strips_body(m, force));
  const Station* s = stations_of(m, force);
  out->p = X.p;
  for (int i = 0, count = count_of(m, force); i < count; i++) {
    SarSectionLoad load;
    station_load(m, &flow, &s[i], i, true, &load);
    for (int k = 0; k < 2; k++) {
      const V3 e = m3_mul_v(X.R, s[i].e[k]), arm = m3_mul_v(X.R, s[i].p);
      tangent_add(out->C, -s[i].weight * load.F_v[k][k], v3_cross(arm, e), e);
    }
  }
}

// All of C by the slopes of the sections; K: the body turns by phi (in B) under the same velocity of its origin v_o, wind
// and inflow, and its angular velocity is the same but for the frame,  dv = -phi x (v_o - wind + v_i n) + (w x phi) x r.
// Left out: how the inflow follows.
static void loaded_tangent(const SarModel* m, SarData* d, int force, SarBodyTangent* out,
                           Force* W) {
  const int count = count_of(m, force);
  const Flow flow = flow_now(m, d, force);
  const Xform X = body_pose(d, sar_strips_body(m, force));
  const Station* s = stations_of(m, force);
  V3 f[10], n[10];  // of 6 velocities, 3 rotations, and as it is
  for (int k = 0; k < 10; k++) f[k] = n[k] = v3_zero();
  for (int i = 0; i < count; i++) {
    SarSectionLoad load;
    station_load(m, &flow, &s[i], i, true, &load);
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
      add_load(&s[i], F, s[i].weight, &f[k], &n[k]);
    }
    add_load(&s[i], load.F, s[i].weight, &f[9], &n[9]);
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

// Of strips that share sections with others, the part where they have most of them.
static void seen(const SarModel* m, int force, double* root, double* tip) {
  const SarAttrValue* share = sar_force_attr(m, force, SHARE);
  const double* t = &m->attr_data[share->adr];
  *root = number(m, force, ROOT), *tip = number(m, force, TIP);
  int top = 0;
  if (share->index < 2) return;
  for (int i = 1; i < share->index; i++)
    if (t[2 * i + 1] > t[2 * top + 1]) top = i;
  if (top > 0) *root = fmax(*root, 0.5 * (t[2 * top] + t[2 * top - 2]));
  if (top + 1 < share->index) *tip = fmin(*tip, 0.5 * (t[2 * top] + t[2 * top + 2]));
}

static void look(const SarModel* m, int force, SarForceLook* out) {
  const Station* s = stations_of(m, force);
  out->body[0] = sar_strips_body(m, force);
  out->point[0] = s[count_of(m, force) / 2].p;
  out->arrow = 0;
  double root, tip;
  seen(m, force, &root, &tip);
  out->sections = tip > root ? 13 : 0;
}

// At equal distances along the span: a quarter of the chord ahead of the aerodynamic centre, 12 % thick.
static void section(const SarModel* m, int force, int i, V3 edge[2], V3* half) {
  SarForceLook l;
  look(m, force, &l);
  double root, tip;
  V3 axes[3], span;
  Station s = {0};
  seen(m, force, &root, &tip);
  if (axes_of(m, force, axes, &span))
    place_station(m, force, root + (tip - root) * i / (l.sections - 1), 0, axes, span, &s);
  edge[0] = v3_axpy(0.25 * s.chord, s.e[0], s.p);
  edge[1] = v3_axpy(-0.75 * s.chord, s.e[0], s.p);
  *half = v3_scale(0.06 * s.chord, s.e[1]);
}

const SarForceKind sar_force_strips = {
    .name = "strips",
    .doc = "air on a blade, wing or fin: strips with an airfoil, summed along the span",
    .ref = "Johnson 1980, ch. 2",
    .targets = 1,
    .attr =
        {{"body", SAR_ATTR_POINT, NULL, "where the span axis begins", NULL},
         {"span", SAR_ATTR_DIRECTION, "1 0 0", "direction of the span axis, body frame", NULL},
         {"lead", SAR_ATTR_DIRECTION, "0 1 0", "towards the leading edge, body frame", NULL},
         {"up", SAR_ATTR_DIRECTION, "0 0 1", "towards the suction side, body frame", NULL},
         {"root", SAR_ATTR_NUMBER, "0", "station where the strips begin [m]", NULL},
         {"tip", SAR_ATTR_NUMBER, NULL, "station where they end [m]", NULL},
         {"chord", SAR_ATTR_SPAN, NULL, "number, or table of the station [m]", NULL},
         {"twist", SAR_ATTR_SPAN, "0", "nose-up, number or table of the station [m, rad]", NULL},
         {"centre", SAR_ATTR_SPAN, "0",
          "aerodynamic centre ahead of the span axis, number or table of the station [m]", NULL},
         {"airfoil", SAR_ATTR_AIRFOIL, "", "name of an airfoil; default: a flat plate", NULL},
         {"inflow", SAR_ATTR_FORCE, "", "name of the rotor whose inflow it is in; default: none",
          NULL},
         {"points", SAR_ATTR_NUMBER, "4", "Gauss points of a panel [1]", NULL},
         {"panels", SAR_ATTR_NUMBER, "1", "equal pieces of the span [1]", NULL},
         {"lift", SAR_ATTR_CHOICE, "quasi_steady",
          "velocity at 3/4 of the chord, or at the aerodynamic centre; or delayed by the wake",
          "quasi_steady steady unsteady"},
         {"yaw", SAR_ATTR_CHOICE, "cross",
          "flow along the span: ignored, or corrected for as in the reference rotors",
          "cross corrected"},
         {"tip_loss", SAR_ATTR_NUMBER, "1",
          "share of the rotor's radius (or of the tip) beyond which there is no lift [1]", NULL},
         {"share", SAR_ATTR_SPAN, "1",
          "of the loads that it has, number or table of the station: where others have the rest "
          "[1]",
          NULL}},
    .nattr = 17,
    .example = "{strips: a, tip: 0.5, chord: 0.1}",
    // force on the body, moment about where the span axis begins, ground axes [N, N m]
    .output = {"fx", "fy", "fz", "mx", "my", "mz"},
    .noutput = 6,
    .constants = constants,
    .prepare = prepare,
    .ncache = SAR_STRIPS_CACHE,
    .states = states,
    .state_name = state_name,
    .start = start,
    .rates = rates,
    .check = check,
    .apply = apply,
    .vary = vary,
    .tangent = tangent,
    .loaded_tangent = loaded_tangent,
    .look = look,
    .section = section,
};

bool sar_is_strips(const SarModel* m, int force) {
  return m->force_kind[force] == &sar_force_strips;
}
