// Paper 000's global formulation: index-3 augmented Lagrangian with projections of velocities and
// accelerations, in natural coordinates z, implicit in positions.
//
// Unknown: the displacement of the items in the step. Newton on the equations of motion at its end,
//
//   f = M a + Phi_z' (alpha Phi + lambda*) - Q = 0,     lambda* += alpha Phi after every iteration
//   T dz = -f / a_x,      T = M + (v_x C + K + Phi_z' alpha Phi_z) / a_x        (natural/system.h)
//
// with a_x = da/dx and v_x = dv/dx of the integrator. M is constant, and so is gravity: all that an
// iteration of a model without other forces evaluates are scalar products. Then velocities and
// accelerations are projected with the same factor,
//
//   T dv = -Phi_z' w Phi',    T da = -Phi_z' w Phi'',    w = alpha / a_x
//
// pass after pass until they are clean: the paper takes one.
//
// State: q, v, a of the tree, as for every formulation; z, z', z'' follow from them where a run
// begins, and are kept as long as nobody touches the state. The natural multipliers belong to rigid
// bodies and to rows that other coordinates do not have, while joints that are fulfilled by sharing
// have none. So the multipliers of the model are found at the end of the step in its own
// coordinates, by the index-1 equations at q and v; accelerations are those of the step.
//
// Source: Cuadrado, Dopico, Gonzalez and Naya 2003, sec. 2; Bayo and Ledesma 1996 for the
// projections.
#include "base/block.h"
#include "dynamics/rotors.h"
#include "dynamics/projection.h"
#include "formulations/implicit/relative.h"
#include "formulations/natural/system.h"

#include <math.h>
#include <string.h>

enum { PROJECTIONS = 12 };
static const double SHARE = 1e-5;      // of the accelerations: what an iteration may leave
static const double ROUNDING = 1e-11;  // of positions: it grows with the root of the penalty
static const double SLOW = 0.3;        // shrinking of increments that calls for longer strides
static const double CLEAN = 1e-11;     // velocities; accelerations times h
static const double CLOSED = 1e-12;    // positions

// Points are measured by the size of the mechanism, vectors by their length, which is 1, and rows
// by what they change by when their items move as far: no tolerance knows the unit of length.

typedef struct Global {
  SarRelative tree;  // index 1 at the ends of steps
  SarNatural* z;
  SarNatSystem system;
  V3 *x0, *v0, *a0, *A0;  // items at the start
  double *lag, *length;   // state: of A (scheme.h), NULL: none; of the step before
  V3 *x, *v, *a, *A;      // at the end: state
  V3 *moved, *f;          // displacement; residual, then increment
  double* multiplier;     // nrow of the natural coordinates: state
  double* row_unit;       // nrow, likewise, as found where the run began: state
  double* unit;           // 3 nitem: of the components
  double* e;
  double* near;  // nq: where the joints are expected
  double* acc;   // nv
  bool forces;   // others than gravity act
} Global;

static size_t state_size(const SarModel* m, const SarSimOptions* o) {
  (void)o;
  Global p;
  SarBlock b = sar_block(NULL, sizeof p);
  sar_relative_layout(&p.tree, m, NULL, false, &b);
  return b.used;
}

static SarStatus take_memory(Global* p, const SarModel* m) {
  SarArena* arena = &p->z->arena;
  V3** items[] = {&p->x0, &p->v0, &p->a0, &p->A0, &p->moved, &p->f};
  for (size_t k = 0; k < sizeof items / sizeof *items; k++)
    *items[k] = SAR_ARENA_ARRAY(arena, V3, p->z->nitem + 1);
  p->e = SAR_ARENA_ARRAY(arena, double, p->z->nrow + 1);
  p->unit = SAR_ARENA_ARRAY(arena, double, 3 * p->z->nitem + 1);
  p->near = SAR_ARENA_ARRAY(arena, double, m->nq + 1);
  p->acc = SAR_ARENA_ARRAY(arena, double, m->nv + 1);
  return arena->failed ? SAR_NO_MEMORY : sar_natural_system_init(&p->system, p->z);
}

static void declare(Global* p, SarSim* s) {
  const struct {
    const char* name;
    V3** at;
  } items[] = {{"items.x", &p->x}, {"items.v", &p->v}, {"items.a", &p->a}, {"items.A", &p->A}};
  for (size_t k = 0; k < sizeof items / sizeof *items; k++)
    sar_state_doubles(s, items[k].name, (double**)(void*)items[k].at, 3 * p->z->nitem);
  sar_state_doubles(s, "items.multiplier", &p->multiplier, p->z->nrow);
  sar_state_doubles(s, "items.row_unit", &p->row_unit, p->z->nrow);
  p->lag = NULL;
  if (!sar_scheme_lags(&s->scheme)) return;
  sar_state_doubles(s, "items.length", &p->length, 1);
  sar_state_doubles(s, "items.lag", &p->lag, 3 * p->z->nitem);
}

static SarStatus start(SarSim* s, SarError* err) {
  Global* p = s->formulation_state;
  SarBlock b = sar_block(p, sizeof *p);
  sar_relative_layout(&p->tree, s->m, s->row_order, false, &b);
  SAR_TRY(sar_natural_new(s->m, &p->z, err));
  declare(p, s);
  sar_ahead_declare(&p->tree.ahead, s);
  SAR_TRY(sar_budget_verdict(&p->z->budget, take_memory(p, s->m), err));
  const double length = sar_mechanism_size(s->m);
  for (int k = 0; k < 3 * p->z->nitem; k++) {
    const SarNatItem* item = &p->z->item[k / 3];
    p->unit[k] = item->mode     ? length * sar_natural_mode_unit(p->z, k / 3)
                 : item->w != 0 ? length
                                : 1;
  }
  return SAR_OK;
}

static void adopt(SarSim* s) {
  Global* p = s->formulation_state;
  sar_natural_regroup(p->z, s->d);
  sar_relative_adopt(s);
}

static void regroup(SarSim* s) {
  Global* p = s->formulation_state;
  sar_natural_regroup(p->z, s->d);
  sar_relative_regroup(s);
}

static void finish(SarSim* s) {
  Global* p = s->formulation_state;
  sar_natural_free(p->z);
}

static SarStatus accel(SarSim* s) {
  Global* p = s->formulation_state;
  return sar_relative_accel(&p->tree, s);
}

// ---- the start of a step ------------------------------------------------------------------------

// Does anything but uniform gravity act on the bodies? Motors' inertia counts as a force here.
static bool forces_act(const SarModel* m, const SarData* d) {
  if (m->nforce > 0 || m->has_passive || m->nz > 0 || m->field.kind != SAR_GRAVITY_UNIFORM)
    return true;
  for (int i = 0; i < m->nv_all; i++)
    if (d->tau_host[i] != 0) return true;
  for (int i = 0; i < m->nv; i++)
    if (m->dof_armature[i] != 0) return true;
  return m->nrotor > 0;
}

// Where the joints will be, for the turns of their angles.
static void expect_joints(Global* p, const SarSim* s) {
  const SarModel* m = s->m;
  memcpy(p->near, s->start.q, (size_t)m->nq * sizeof *p->near);
  for (int b = 0; b < m->nbody; b++) {
    if (m->joint_kind[b]->retract) continue;
    for (int i = 0; i < m->joint_nv[b]; i++)
      p->near[m->joint_qadr[b] + i] += p->tree.rates.h * s->start.v[m->joint_vadr[b] + i];
  }
}

static void find_row_units(Global* p, SarSim* s) {
  const SarNatural* z = p->z;
  sar_natural_constraints(p->z, s->d, p->x);
  for (int k = 0; k < z->nrow; k++) {
    const SarNatRow* r = &z->row[k];
    double sum = 0;
    for (int i = r->entry; i < r->entry + r->entries; i++)
      sum += v3_norm(z->entry[i]) * p->unit[3 * z->entry_item[i]];
    p->row_unit[k] = sum > 0 ? sum : 1;  // rows that are off
  }
}

static void begin(Global* p, SarSim* s) {
  const size_t items = (size_t)p->z->nitem * sizeof(V3);
  p->tree.rates = sar_scheme_rates(&s->scheme, s->stop - s->start.t);
  if (s->restart) {
    sar_natural_read(p->z, s->d, s->start.a, p->acc, p->x, p->v, p->a);
    memcpy(p->A, p->a, items);
    memset(p->multiplier, 0, (size_t)p->z->nrow * sizeof *p->multiplier);
    find_row_units(p, s);
  }
  memcpy(p->x0, p->x, items);
  memcpy(p->v0, p->v, items);
  memcpy(p->a0, p->a, items);
  memcpy(p->A0, p->A, items);
  const double h = p->tree.rates.h;
  if (p->lag && !s->restart && !sar_same_length(h, *p->length))
    sar_scheme_follow(h, 3 * p->z->nitem, &p->a0->x, p->lag, &p->A0->x);
  p->forces = forces_act(s->m, s->d);
  sar_scheme_predict(&s->scheme, p->tree.rates.h, 3 * p->z->nitem, &p->v0->x, &p->a0->x, &p->a0->x,
                     &p->moved->x);
  expect_joints(p, s);
  if (s->restart) sar_stiction_keep(&p->tree.stiction, s->d);
  sar_relative_expect(&p->tree, s);
  sar_stiction_begin(&p->tree.stiction, s->m, s->d, p->tree.rates.a / p->tree.rates.v,
                     s->m->nrow > 0 ? SAR_GRASP_LOOPS : SAR_GRASP_CURVED);
  s->d->t = fmin(s->stop, s->t_high);
}

// ---- Newton -------------------------------------------------------------------------------------

// x, v, a for the present displacement; all that the residual needs there.
static void evaluate(Global* p, SarSim* s) {
  SarNatural* z = p->z;
  for (int k = 0; k < z->nitem; k++) p->x[k] = v3_add(p->x0[k], p->moved[k]);
  sar_scheme_end(&s->scheme, p->tree.rates.h, 3 * z->nitem, &p->moved->x, &p->v0->x, &p->a0->x,
                 &p->A0->x, &p->v->x, &p->a->x, &p->A->x);
  s->stats.calls++;
  if (p->forces || s->m->nrow > 0) sar_natural_write(z, s->d, p->near, p->x, p->v);
  if (p->forces) {
    sar_update_kinematics(s->m, s->d);
    sar_update_forces(s->m, s->d);
  }
  sar_natural_constraints(z, s->d, p->x);
}

// What rotors do to the bodies that carry them, as forces too. The tangent has their armature
// alone: an iteration leaves sqrt(J / I) of what they couple, I the carrier's inertia about their
// axis.
static void add_rotors(Global* p, SarSim* s) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  sar_rnea(m, d, p->acc, p->tree.r);  // body_A
  memset(p->tree.r, 0, (size_t)m->nv * sizeof *p->tree.r);
  sar_add_rotor_torques(m, d, p->acc, p->tree.r);
  for (int i = 0; i < m->nv; i++) d->tau[i] -= p->tree.r[i];
  for (int k = 0; k < m->nrotor; k++) {
    const int c = sar_rotor_carrier(m, &m->rotor[k]);
    d->body_F[c].n = v3_sub(d->body_F[c].n, sar_rotor_couple(m, d, &m->rotor[k], p->acc));
  }
}

// A motor's inertia J resists the acceleration of its joint: tau = -J a.
static void add_motors(Global* p, SarSim* s) {
  const SarModel* m = s->m;
  bool any = m->nrotor > 0;
  for (int i = 0; i < m->nv; i++) any = any || m->dof_armature[i] != 0;
  if (!any) return;
  sar_natural_write_accelerations(p->z, s->d, p->a, p->acc);
  for (int i = 0; i < m->nv; i++) s->d->tau[i] -= m->dof_armature[i] * p->acc[i];
  if (m->nrotor > 0) add_rotors(p, s);
}

// f = Q - M a - Phi_z' (lambda* + alpha Phi)
static void residual(Global* p, SarSim* s) {
  SarNatural* z = p->z;
  const size_t n = (size_t)z->nitem;
  memset(p->f, 0, n * sizeof *p->f);
  sar_natural_add_inertia(z, p->a, p->f);
  for (int k = 0; k < z->nrow; k++)
    p->e[k] = p->multiplier[k] + p->tree.rates.a * p->system.weight[k] * z->Phi[k];
  sar_natural_add_transposed(z, p->e, p->f);
  for (size_t k = 0; k < n; k++) p->f[k] = v3_neg(p->f[k]);
  if (p->forces) {
    add_motors(p, s);
    sar_natural_add_forces(z, s->d, p->f);
  } else {
    for (size_t k = 0; k < n; k++) p->f[k] = v3_add(p->f[k], z->weight[k]);
  }
}

// One iteration: the increment, added to the displacement. s->worst: a joint of the part that moved
// most.
static SarStatus improve(Global* p, SarSim* s, double* moved) {
  const SarNatural* z = p->z;
  const SarStepRates* r = &p->tree.rates;
  const SarNatGains gains = {1 / r->a, r->v / r->a, s->options.penalty};
  SAR_TRY(sar_natural_system_factor(&p->system, z, s->d, &gains));
  residual(p, s);
  for (int k = 0; k < z->nitem; k++) p->f[k] = v3_scale(1 / r->a, p->f[k]);
  sar_natural_system_solve(&p->system, z, p->f);
  for (int k = 0; k < z->nitem; k++) p->moved[k] = v3_add(p->moved[k], p->f[k]);
  int worst = 0;
  *moved = sar_largest(3 * z->nitem, &p->f->x, p->unit, &worst);
  if (z->nitem > 0) s->worst = s->m->joint_vadr[z->item[worst / 3].body];
  return isfinite(*moved) ? SAR_OK : SAR_NOT_FINITE;
}

// How far the multipliers go along alpha Phi. Near a singular position some combination of rows
// hardly grips: there the error shrinks by the same share r < 1 in every iteration, alpha Phi is (1
// - r) of it, and the whole of it is alpha Phi / (1 - r) (Aitken). r from three increments in a
// row.
static double stride(const double moved[3]) {
  if (isinf(moved[2]) || !(moved[1] > 0)) return 1;  // fewer so far; none left
  const double r = moved[0] / moved[1], before = moved[1] / moved[2];
  return r > SLOW && r < 1 && fabs(r - before) < 0.2 * (1 - r) ? 1 / (1 - r) : 1;
}

// Small steps see little of the accelerations in positions: what an iteration leaves must be a
// small share of that, as far as rounding allows.
static double tolerance_of(const Global* p, const SarSim* s) {
  const int n = 3 * p->z->nitem;
  int unused;
  const double share = SHARE * sar_largest(n, &p->a->x, p->unit, &unused) / p->tree.rates.a;
  const double least = ROUNDING * sar_largest(n, &p->x->x, p->unit, &unused);
  return fmin(s->options.newton_tolerance, fmax(share, least));
}

static double open_rows(const Global* p, const double* residual) {
  int unused;
  return sar_largest(p->z->nrow, residual, p->row_unit, &unused);
}

static SarStatus iterate(Global* p, SarSim* s, int* iterations) {
  const SarNatural* z = p->z;
  double moved[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};  // largest of the last increments, latest first
  bool switched;
  for (*iterations = 0;; ++*iterations) {
    evaluate(p, s);
    const bool more = sar_relative_has_slipped(&p->tree, s, &switched);
    const double far = stride(moved) * p->tree.rates.a;
    if (*iterations > 0)
      for (int k = 0; k < z->nrow; k++) p->multiplier[k] += far * p->system.weight[k] * z->Phi[k];
    const double tolerance = tolerance_of(p, s);
    if (!more && moved[0] <= tolerance && open_rows(p, z->Phi) <= tolerance) return SAR_OK;
    if (*iterations >= sar_stiction_iterations(&p->tree.stiction, s->options.max_iterations))
      return SAR_NOT_CONVERGED;
    moved[2] = moved[1], moved[1] = moved[0];
    SAR_TRY(improve(p, s, &moved[0]));
  }
}

// ---- projections --------------------------------------------------------------------------------

// Newton ends with positions open by less than its tolerance; at high speeds that is still seen in
// the velocities. dz = -T^-1 Phi_z' w Phi
static void project_positions(Global* p, SarSim* s) {
  SarNatural* z = p->z;
  for (int pass = 0; pass < 2; pass++) {
    if (open_rows(p, z->Phi) <= CLOSED) break;
    sar_natural_system_correct(&p->system, z, z->Phi, p->f);
    for (int k = 0; k < z->nitem; k++) p->x[k] = v3_add(p->x[k], p->f[k]);
    sar_natural_constraints(z, s->d, p->x);
  }
}

// The speed of the motion, and where it turns round what it gains in a step.
static double speed_of(const Global* p) {
  const int n = 3 * p->z->nitem;
  int unused;
  return fmax(sar_largest(n, &p->v->x, p->unit, &unused),
              p->tree.rates.h * sar_largest(n, &p->a->x, p->unit, &unused));
}

static void project_velocities(Global* p, SarSim* s) {
  SarNatural* z = p->z;
  const double clean = CLEAN * speed_of(p);
  int unused;
  sar_natural_constraint_rates(z, s->d, p->x, p->v);
  if (s->projection)
    s->projection->drift.velocity = sar_largest(z->nrow, z->Phi_dot, NULL, &unused);
  for (int pass = 0; pass < PROJECTIONS; pass++) {
    if (open_rows(p, z->Phi_dot) <= clean) break;
    sar_natural_system_correct(&p->system, z, z->Phi_dot, p->f);
    for (int k = 0; k < z->nitem; k++) p->v[k] = v3_add(p->v[k], p->f[k]);
    sar_natural_multiply(z, p->v, z->Phi_dot);
    for (int k = 0; k < z->nrow; k++) z->Phi_dot[k] += z->Phi_t[k];
  }
}

static void project_accelerations(Global* p, SarSim* s) {
  SarNatural* z = p->z;
  const SarStepRates* r = &p->tree.rates;
  const double clean = CLEAN * speed_of(p);
  sar_natural_constraint_rates(z, s->d, p->x, p->v);
  for (int pass = 0; pass < PROJECTIONS; pass++) {
    sar_natural_multiply(z, p->a, z->Phi_dot);
    for (int k = 0; k < z->nrow; k++) z->Phi_dot[k] += z->bias[k];
    if (open_rows(p, z->Phi_dot) * r->h <= clean) break;
    sar_natural_system_correct(&p->system, z, z->Phi_dot, p->f);
    for (int k = 0; k < z->nitem; k++) {
      p->a[k] = v3_add(p->a[k], p->f[k]);
      p->A[k] = v3_axpy(r->a_to_A, p->f[k], p->A[k]);
    }
  }
}

static void keep_lag(Global* p, const SarSim* s) {
  if (!p->lag) return;
  *p->length = p->tree.rates.h;
  if (*p->length < SAR_CUT_SHORT * s->options.step) return;
  sar_scheme_keep_lag(*p->length, 3 * p->z->nitem, &p->a->x, &p->A->x, p->lag);
}

// Accelerations of what sticks are zero, those of the scheme need not be: those of index 1 take
// their place.
static void come_to_rest(Global* p, SarSim* s) {
  memcpy(p->f, p->a, (size_t)p->z->nitem * sizeof *p->f);
  memcpy(p->acc, s->d->a, (size_t)s->m->nv * sizeof *p->acc);
  sar_natural_read(p->z, s->d, s->d->a, p->acc, p->x, p->v, p->a);
  for (int k = 0; k < p->z->nitem; k++)
    p->A[k] = v3_axpy(p->tree.rates.a_to_A, v3_sub(p->a[k], p->f[k]), p->A[k]);
}

// Velocities and accelerations onto the rows, and the state there.
static SarStatus settle(Global* p, SarSim* s) {
  project_velocities(p, s);
  project_accelerations(p, s);
  sar_natural_write(p->z, s->d, p->near, p->x, p->v);
  sar_natural_write_accelerations(p->z, s->d, p->a, p->acc);
  return sar_relative_accel(&p->tree, s);
}

// Rates of states follow velocities, and motions that follow these states have another Phi_t with
// them.
static SarStatus settle_drives(Global* p, SarSim* s) {
  for (int i = 1; s->m->drives_follow && i < PROJECTIONS; i++) {
    sar_natural_constraint_rates(p->z, s->d, p->x, p->v);
    if (open_rows(p, p->z->Phi_dot) <= CLEAN * speed_of(p)) break;
    SAR_TRY(settle(p, s));
  }
  return SAR_OK;
}

static SarStatus step(SarSim* s) {
  Global* p = s->formulation_state;
  SarData* d = s->d;
  int iterations, unused;
  begin(p, s);
  SAR_TRY(iterate(p, s, &iterations));
  sar_stiction_freeze(&p->tree.stiction, s->m, d);
  if (s->projection)
    s->projection->drift.position = sar_largest(p->z->nrow, p->z->Phi, NULL, &unused);
  project_positions(p, s);
  const bool held = sar_stiction_holds(&p->tree.stiction);
  SAR_TRY(settle(p, s));
  SAR_TRY(settle_drives(p, s));
  if (held)
    come_to_rest(p, s);
  else
    memcpy(d->a, p->acc, (size_t)s->m->nv * sizeof *d->a);
  keep_lag(p, s);
  sar_stiction_keep(&p->tree.stiction, d);
  sar_relative_book(&p->tree, s, iterations);
  return SAR_OK;
}

const SarFormulation sar_formulation_global = {
    .name = "global",
    .doc = "implicit, natural coordinates (points and vectors), augmented Lagrangian, sparse",
    .ref = "Cuadrado, Dopico, Gonzalez and Naya 2003",
    .why = "",
    .shape = SAR_SHAPE_STEP,
    .tried = SAR_TRY_LOOPS,
    .friction = SAR_FRICTION_FOUND,
    .can = SAR_CAN_CONSTRAINTS | SAR_CAN_REDUNDANT | SAR_CAN_SINGULAR_MASS | SAR_CAN_RANK_CHANGE,
    .picks_rows = true,
    .state_size = state_size,
    .start = start,
    .finish = finish,
    .init = sar_relative_init,
    .adopt = adopt,
    .regroup = regroup,
    .look = sar_relative_look,
    .accel = accel,
    .implicit = {.step = step},
};
