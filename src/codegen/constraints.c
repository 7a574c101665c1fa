// Bilateral constraints over symbols: Phi, Psi, Phi_t, Phi_dot and gamma. Letters and table of
// terms as in dynamics/constraints.c; ground axes.
//
// gamma takes the bias accelerations of the bodies from the equations of motion (sar_symbols_bias).
// Gravity is in both bodies of a pair alike, ground included, and cancels.
#include "codegen/gates.h"
#include "codegen/motion.h"
#include "codegen/rolling.h"

#include <string.h>

// ---- drives -------------------------------------------------------------------------------------

static SarNode drive(const SarSymbols* s, const SarRow* row, int order) {
  if (row->slot >= 0) return s->slot[row->slot + order];
  return s_num(s->g, order == 0 ? row->constant : 0);
}

// ---- positions ----------------------------------------------------------------------------------

typedef struct Pair {
  const SarPair* p;
  SymXform X_GA, X_GB;
  SymV3 p_a, p_b, gap;
  int axes;  // pinned: ground axes (bits); 0: it is not
} Pair;

typedef struct Measure {
  SarNode value;
  SymForce W;
  SymV3 x, y, w;        // directions of the term, ground axes
  SarNode c, sine, r;   // ANGLE
  SarNode slope, bend;  // CURVE
  SarNode length;       // DISTANCE
  SymRoll roll;         // ROLL
} Measure;

static Pair read_pair(const SarSymbols* s, int i) {
  const SarPair* p = &s->m->pair[i];
  Pair out = {
      .p = p, .X_GA = sar_symbols_pose(s, p->body[0]), .X_GB = sar_symbols_pose(s, p->body[1])};
  out.p_a = sx_point(s->g, out.X_GA, sar_symbols_pair_point(s, i, 0));
  out.p_b = sx_point(s->g, out.X_GB, sar_symbols_pair_point(s, i, 1));
  out.gap = sv3_sub(s->g, out.p_b, out.p_a);
  out.axes = s->pinned ? s->pinned[i] : 0;
  return out;
}

static V3 ground_axis(int i) { return v3(i == 0, i == 1, i == 2); }

// The ground axis that a row of a pinned pair has; -1: the term is none of the pinned rows.
static int axis_of(const SarModel* m, const Pair* p, const SarTerm* t) {
  int left = p->axes;
  if (!left || t->kind != SAR_TERM_ALONG) return -1;
  for (const SarTerm* other = &m->term[p->p->term]; other < t; other++)
    if (other->kind == SAR_TERM_ALONG) left &= left - 1;
  return left & 1 ? 0 : left & 2 ? 1 : 2;
}

// height, slope and bend of a curve at x
static void read_track(SarSymbols* s, const SarTrack* t, SarNode x, SarNode out[3]) {
  if (t->law >= 0) {
    s->slot[s->m->slot_local] = x;
    for (int i = 0; i < 3; i++) out[i] = sar_symbols_program(s, &s->m->expr[t->law + i]);
    return;
  }
  double* points = SAR_ARENA_ARRAY(s->arena, double, 2 * t->num + 1);
  double* bends = SAR_ARENA_ARRAY(s->arena, double, 2 * t->num + 1);
  if (!points || !bends) return;
  for (int i = 0; i < t->num; i++) {
    const double* knot = &s->m->attr_data[t->adr + 3 * i];
    points[2 * i] = bends[2 * i] = knot[0];
    points[2 * i + 1] = knot[1];
    bends[2 * i + 1] = knot[2];
  }
  out[0] = sar_sym_table(s->g, SAR_OP_SPLINE, x, t->num, points);
  out[1] = sar_sym_table(s->g, SAR_OP_SPLINE_SLOPE, x, t->num, points);
  out[2] = sar_sym_table(s->g, SAR_OP_TABLE, x, t->num, bends);
}

static Measure measure(SarSymbols* s, const Pair* p, const SarTerm* t) {
  SarGraph* g = s->g;
  Measure m = {.value = s_num(g, 0), .W = sforce_zero(g)};
  m.x = sm3_mul_v(g, p->X_GA.R, sar_symbols_direction(s, t, 'x'));
  m.y = sm3_mul_v(g, p->X_GA.R, sar_symbols_direction(s, t, 'y'));
  m.w = sm3_mul_v(g, p->X_GB.R, sar_symbols_direction(s, t, 'w'));
  const int axis = axis_of(s->m, p, t);
  if (axis >= 0) m.x = sv3_of(g, ground_axis(axis));
  switch (t->kind) {
    case SAR_TERM_ALONG:
      m.W.f = m.x;
      m.value = sv3_dot(g, m.x, p->gap);
      break;
    case SAR_TERM_PERPENDICULAR:
      m.W.n = sv3_cross(g, m.w, m.x);
      m.value = sv3_dot(g, m.x, m.w);
      break;
    case SAR_TERM_DISTANCE:
      m.value = m.length = sv3_norm(g, p->gap);
      m.W.f = sv3_scale(g, s_div(g, s_num(g, 1), m.length), p->gap);
      break;
    case SAR_TERM_ANGLE: {
      m.c = sv3_dot(g, m.x, m.w);
      m.sine = sv3_dot(g, m.y, m.w);
      m.r = s_mac(g, s_mul(g, m.c, m.c), m.sine, m.sine);
      const SarNode inverse = s_div(g, s_num(g, 1), m.r);
      const SymV3 across = sv3_sub(g, sv3_scale(g, s_mul(g, m.c, inverse), m.y),
                                   sv3_scale(g, s_mul(g, m.sine, inverse), m.x));
      m.W.n = sv3_cross(g, m.w, across);
      m.value = sar_sym_call(g, SAR_OP_ATAN2, m.sine, m.c);
      break;
    }
    case SAR_TERM_CURVE: {
      SarNode at[3] = {s_num(g, 0), s_num(g, 0), s_num(g, 0)};
      read_track(s, &s->m->track[t->track], sv3_dot(g, m.x, p->gap), at);
      m.slope = at[1], m.bend = at[2];
      m.W.f = sv3_sub(g, m.y, sv3_scale(g, m.slope, m.x));
      m.value = s_sub(g, sv3_dot(g, m.y, p->gap), at[0]);
      break;
    }
    case SAR_TERM_ROLL:
      m.roll = sar_symbols_roll(g, &s->m->roller[t->roller], m.x, m.y, m.w);
      m.W.f = sar_symbols_roll_way(&m.roll, t->way);
      m.W.n = sv3_cross(g, m.roll.rho, m.W.f);
      if (t->way == SAR_ROLL_GAP) m.value = sv3_dot(g, m.x, sv3_add(g, p->gap, m.roll.rho));
      break;
    default: break;
  }
  return m;
}

// An axis of F that coordinate i of joint b turns about or moves along, 'x', 'y' or 'z'; 0: it has
// none. Products of rotations would hide it.
static char own_axis(const SarSymbols* s, int b, int i, bool* turns) {
  const char* name = s->m->joint_kind[b]->name;
  *turns = strcmp(name, "universal") == 0;
  if (sar_symbols_is_free(s, b) && i < 3) return "xyz"[i];
  if (strcmp(name, "planar") == 0 && i < 2) return "xy"[i];
  return *turns && i == 0 ? 'x' : 0;
}

// Axes of rotation and translation of a coordinate, in ground axes at the origin of its body.
static SymMotion own_motion(const SarSymbols* s, int dof) {
  SarGraph* g = s->g;
  const int b = s->m->dof_body[dof], i = dof - s->m->joint_vadr[b];
  const SymMotion* S = &s->joint[b].S[i];
  SymV3 w = sm3_mul_v(g, s->X_GB[b].R, S->w), v = sm3_mul_v(g, s->X_GB[b].R, S->v);
  bool turns;
  const char fixed = own_axis(s, b, i, &turns);
  if (fixed) {
    const SymM3 R_PF = s->joint[b].X_PF.R;
    const SymV3 axis = fixed == 'x'   ? sm3_col_x(R_PF)
                       : fixed == 'y' ? sm3_col_y(R_PF)
                                      : sm3_col_z(R_PF);
    *(turns ? &w : &v) = sm3_mul_v(g, sar_symbols_pose(s, s->m->body_parent[b]).R, axis);
  }
  return (SymMotion){w, v};
}

static bool is_of_a(const Pair* p, int k) { return (k < p->p->num_first) == p->p->a_first; }

// Motion of b against a at p_b for a unit velocity of coordinate k of the pair.
static SymMotion column(const SarSymbols* s, const Pair* p, int k) {
  SarGraph* g = s->g;
  const int dof = s->m->pair_dof[p->p->adr + k], b = s->m->dof_body[dof];
  const SymMotion own = own_motion(s, dof);
  const bool of_a = is_of_a(p, k);
  const SymV3 point = of_a && p->axes ? p->p_a : p->p_b;
  const SymV3 at = sv3_add(g, own.v, sv3_cross(g, own.w, sv3_from(g, s->X_GB[b].p, point)));
  return of_a ? (SymMotion){sv3_neg(g, own.w), sv3_neg(g, at)} : (SymMotion){own.w, at};
}

static void add_entries(SarSymbols* s, const Pair* p, const SarTerm* t, SymForce W) {
  const SarModel* m = s->m;
  for (int k = 0; k < p->p->num; k++) {
    const int place = m->row_adr[t->row] + (t->place >= 0 ? m->term_place[t->place + k] : k);
    s->Psi[place] =
        s_mac(s->g, s->Psi[place], s_num(s->g, t->coefficient), spower(s->g, column(s, p, k), W));
  }
}

// modulo full turns
static SarNode nearest(SarGraph* g, SarNode x, double turn) {
  const SarNode turns =
      sar_sym_call(g, SAR_OP_FLOOR, s_add(g, s_div(g, x, s_num(g, turn)), s_num(g, 0.5)), SAR_NONE);
  return s_msc(g, x, s_num(g, turn), turns);
}

// Of rows that may be off.
static SarNode if_on(const SarSymbols* s, int row, SarNode x) {
  if (!s->row_on || s->row_on[row] < 0) return x;
  return sar_symbols_if_on(s, s->row_on[row], x, s_num(s->g, 0));
}

// What a row is held at (dynamics/constraints.c); modulo full turns; nothing of a row that is off.
static void finish_row(SarSymbols* s, int i) {
  const SarModel* m = s->m;
  SarGraph* g = s->g;
  const double turn = m->row[i].turn;
  const SarNode held = sar_symbols_row_held(s, i);
  const SarNode measured = s->Phi[i];
  if (s->measured) s->measured[i] = turn > 0 ? nearest(g, measured, turn) : measured;
  if (held >= 0) s->Phi[i] = s_sub(g, measured, held);
  if (turn > 0) s->Phi[i] = nearest(g, s->Phi[i], turn);
  s->Phi[i] = if_on(s, i, s->Phi[i]);
  for (int k = m->row_adr[i]; k < m->row_adr[i + 1]; k++) s->Psi[k] = if_on(s, i, s->Psi[k]);
}

void sar_symbols_constraints(SarSymbols* s) {
  const SarModel* m = s->m;
  SarGraph* g = s->g;
  for (int i = 0; i < m->ndrive; i++)
    s->slot[m->drive[i].slot] = sar_symbols_program(s, &m->drive[i]);
  for (int i = 0; i < m->nrow; i++) s->Phi[i] = s_neg(g, drive(s, &m->row[i], 0));
  for (int k = 0; k < m->ncoordinate_term; k++) {
    const SarTerm* t = &m->term[k];
    const SarNode factor = s_num(g, t->coefficient);
    SarNode* Psi = &s->Psi[m->row_adr[t->row] + t->place];
    s->Phi[t->row] = s_mac(g, s->Phi[t->row], factor, s->q[t->q]);
    *Psi = s_add(g, *Psi, factor);
  }
  for (int i = 0; i < m->npair; i++) {
    const Pair p = read_pair(s, i);
    for (int k = p.p->term; k < p.p->term + p.p->terms; k++) {
      const SarTerm* t = &m->term[k];
      if (t->kind == SAR_TERM_ANGLE && t->q >= 0)
        sar_symbols_refuse(s, "constraint '%s' counts the turns of a joint that closes a loop",
                           sar_text(m, m->constraint[m->row[t->row].constraint].name));
      const Measure value = measure(s, &p, t);
      s->Phi[t->row] = s_mac(g, s->Phi[t->row], s_num(g, t->coefficient), value.value);
      add_entries(s, &p, t, value.W);
    }
  }
  for (int i = 0; i < m->nrow; i++) finish_row(s, i);
}

// Velocity of the point of b against that of a for speeds v, joint by joint: the coordinates of one
// have one lever.
static SymV3 point_speed(const SarSymbols* s, const Pair* p, const SarNode* v) {
  const SarModel* m = s->m;
  SarGraph* g = s->g;
  SymV3 sum = sv3_zero(g);
  for (int k = 0; k < p->p->num;) {
    const int b = m->dof_body[m->pair_dof[p->p->adr + k]];
    const bool of_a = is_of_a(p, k);
    SymV3 w = sv3_zero(g), at = sv3_zero(g);
    for (; k < p->p->num && m->dof_body[m->pair_dof[p->p->adr + k]] == b; k++) {
      const int dof = m->pair_dof[p->p->adr + k];
      const SymMotion own = own_motion(s, dof);
      w = sv3_axpy(g, v[dof], own.w, w);
      at = sv3_axpy(g, v[dof], own.v, at);
    }
    const SymV3 lever = sv3_from(g, s->X_GB[b].p, of_a ? p->p_a : p->p_b);
    at = sv3_add(g, at, sv3_cross(g, w, lever));
    sum = of_a ? sv3_sub(g, sum, at) : sv3_add(g, sum, at);
  }
  return sum;
}

void sar_symbols_row_speeds(const SarSymbols* s, const SarNode* v, SarNode* y) {
  const SarModel* m = s->m;
  for (int i = 0; i < m->nrow; i++) y[i] = SAR_NONE;
  for (int i = 0; s->pinned && i < m->npair; i++) {
    const Pair p = read_pair(s, i);
    if (!p.axes) continue;
    const SymV3 at = point_speed(s, &p, v);
    for (int k = p.p->term; k < p.p->term + p.p->terms; k++) {
      const int axis = axis_of(m, &p, &m->term[k]);
      y[m->term[k].row] = axis == 0 ? at.x : axis == 1 ? at.y : at.z;
    }
  }
  for (int i = 0; i < m->nrow; i++) {
    if (y[i] >= 0) continue;
    y[i] = s_num(s->g, 0);
    for (int k = m->row_adr[i]; k < m->row_adr[i + 1]; k++)
      y[i] = s_mac(s->g, y[i], s->Psi[k], v[m->row_dof[k]]);
  }
}

// ---- rates --------------------------------------------------------------------------------------

typedef struct BodyMotion {  // ground axes, for zero joint accelerations
  SymV3 origin, w, v, alpha, a;
} BodyMotion;

static BodyMotion body_motion(const SarSymbols* s, int b) {
  SarGraph* g = s->g;
  if (b < 0)
    return (BodyMotion){sv3_zero(g), sv3_zero(g), sv3_zero(g), sv3_zero(g),
                        sar_symbols_ground(s).a};
  const SymM3 R = s->X_GB[b].R;
  return (BodyMotion){s->X_GB[b].p, sm3_mul_v(g, R, s->w[b]), sm3_mul_v(g, R, s->vel[b]),
                      sm3_mul_v(g, R, s->bias[b].alpha), sm3_mul_v(g, R, s->bias[b].a)};
}

static void point_motion(const SarSymbols* s, const BodyMotion* B, SymV3 p, SymV3* v, SymV3* a) {
  SarGraph* g = s->g;
  const SymV3 r = sv3_sub(g, p, B->origin);
  *v = sv3_add(g, B->v, sv3_cross(g, B->w, r));
  *a = sv3_add(g, sv3_add(g, B->a, sv3_cross(g, B->alpha, r)),
               sar_symbols_centripetal(s, sar_symbols_products(s, B->w), r));
}

// (Omega.x)(Omega.w) - Omega^2 (x.w)
static SarNode centripetal(SarGraph* g, SymV3 Omega, SymV3 x, SymV3 w) {
  const SarNode square = sv3_dot(g, Omega, Omega);
  return s_msc(g, s_mul(g, sv3_dot(g, Omega, x), sv3_dot(g, Omega, w)), square, sv3_dot(g, x, w));
}

static SarNode quadratic_part(const SarSymbols* s, const SarTerm* t, const Measure* m, SymV3 gap,
                              SymMotion rate) {
  SarGraph* g = s->g;
  switch (t->kind) {
    case SAR_TERM_PERPENDICULAR: return centripetal(g, rate.w, m->x, m->w);
    case SAR_TERM_DISTANCE: {
      const SarNode speed = s_div(g, sv3_dot(g, gap, rate.v), m->length);
      return s_div(g, s_msc(g, sv3_dot(g, rate.v, rate.v), speed, speed), m->length);
    }
    case SAR_TERM_CURVE: {
      const SarNode speed = sv3_dot(g, m->x, rate.v);
      return s_neg(g, s_mul(g, m->bend, s_mul(g, speed, speed)));
    }
    case SAR_TERM_ANGLE: {
      const SymV3 w_rate = sv3_cross(g, rate.w, m->w);
      const SarNode c_rate = sv3_dot(g, m->x, w_rate), s_rate = sv3_dot(g, m->y, w_rate);
      const SarNode speed = s_div(g, s_msc(g, s_mul(g, m->c, s_rate), m->sine, c_rate), m->r);
      const SarNode bend = s_msc(g, s_mul(g, m->c, centripetal(g, rate.w, m->y, m->w)), m->sine,
                                 centripetal(g, rate.w, m->x, m->w));
      const SarNode radial = s_mac(g, s_mul(g, m->c, c_rate), m->sine, s_rate);
      return s_div(g, s_msc(g, bend, s_mul(g, s_num(g, 2), speed), radial), m->r);
    }
    case SAR_TERM_ROLL:
      return sar_symbols_roll_quadratic(g, &s->m->roller[t->roller], &m->roll, t->way, rate);
    default: return s_num(g, 0);
  }
}

// Acceleration of a point of a body for zero joint accelerations, in ground axes: products of
// velocities in the body's own, where the point does not move.
static SymV3 own_acceleration(const SarSymbols* s, const Pair* of, int which) {
  SarGraph* g = s->g;
  const int b = of->p->body[which];
  if (b < 0) return sar_symbols_ground(s).a;
  const SymV3 p = sar_symbols_pair_point(s, (int)(of->p - s->m->pair), which);
  const SymV3 turning = sar_symbols_centripetal(s, sar_symbols_products(s, s->w[b]), p);
  const SymV3 a = sv3_add(g, sv3_add(g, s->bias[b].a, sv3_cross(g, s->bias[b].alpha, p)), turning);
  return sm3_mul_v(g, s->X_GB[b].R, a);
}

static void pinned_rates(SarSymbols* s, const Pair* p) {
  const SymV3 a = sv3_sub(s->g, own_acceleration(s, p, 0), own_acceleration(s, p, 1));
  for (int k = p->p->term; k < p->p->term + p->p->terms; k++) {
    const SarTerm* t = &s->m->term[k];
    const int axis = axis_of(s->m, p, t);
    s->gamma[t->row] = axis == 0 ? a.x : axis == 1 ? a.y : a.z;
  }
}

static void pair_rates(SarSymbols* s, int i) {
  SarGraph* g = s->g;
  const Pair p = read_pair(s, i);
  if (p.axes) {
    pinned_rates(s, &p);
    return;
  }
  const BodyMotion A = body_motion(s, p.p->body[0]), B = body_motion(s, p.p->body[1]);
  SymV3 v_a, a_a, v_b, a_b;
  point_motion(s, &A, p.p_b, &v_a, &a_a);
  point_motion(s, &B, p.p_b, &v_b, &a_b);
  const SymMotion rate = {sv3_sub(g, B.w, A.w), sv3_sub(g, v_b, v_a)};
  const SymV3 twice = sv3_scale(g, s_num(g, 2), A.w);
  const SymMotion bias = {sv3_sub(g, sv3_sub(g, B.alpha, A.alpha), sv3_cross(g, A.w, rate.w)),
                          sv3_sub(g, sv3_sub(g, a_b, a_a), sv3_cross(g, twice, rate.v))};
  for (int k = p.p->term; k < p.p->term + p.p->terms; k++) {
    const SarTerm* t = &s->m->term[k];
    const Measure value = measure(s, &p, t);
    const SarNode all =
        s_add(g, spower(g, bias, value.W), quadratic_part(s, t, &value, p.gap, rate));
    s->gamma[t->row] = s_msc(g, s->gamma[t->row], s_num(g, t->coefficient), all);
  }
}

void sar_symbols_drive_rates(SarSymbols* s) {
  for (int i = 0; i < s->m->nrow; i++)
    s->Phi_t[i] = if_on(s, i, s_neg(s->g, drive(s, &s->m->row[i], 1)));
}

void sar_symbols_constraint_rates(SarSymbols* s) {
  const SarModel* m = s->m;
  SarGraph* g = s->g;
  sar_symbols_drive_rates(s);
  for (int i = 0; i < m->nrow; i++) {
    s->gamma[i] = drive(s, &m->row[i], 2);
    s->Phi_dot[i] = s->Phi_t[i];
    for (int k = m->row_adr[i]; k < m->row_adr[i + 1]; k++)
      s->Phi_dot[i] = s_mac(g, s->Phi_dot[i], s->Psi[k], s->v[m->row_dof[k]]);
  }
  for (int i = 0; i < m->npair; i++) pair_rates(s, i);
}

// f = sum of lambda_i x_i along the directions of the model, or along ground axes
void sar_symbols_unpin(SarSymbols* s) {
  SarGraph* g = s->g;
  for (int i = 0; s->pinned && i < s->m->npair; i++) {
    const Pair p = read_pair(s, i);
    SarNode f[3] = {s_num(g, 0), s_num(g, 0), s_num(g, 0)};
    const SarTerm *first = &s->m->term[p.p->term], *end = first + p.p->terms;
    if (!p.axes) continue;
    for (const SarTerm* t = first; t < end; t++) f[axis_of(s->m, &p, t)] = s->lambda[t->row];
    for (const SarTerm* t = first; t < end; t++) {
      const SymV3 x = sm3_mul_v(g, p.X_GA.R, sar_symbols_direction(s, t, 'x'));
      s->lambda[t->row] = sv3_dot(g, x, (SymV3){f[0], f[1], f[2]});
    }
  }
}

// drives do the power lambda . Phi_t
void sar_symbols_constraint_work(SarSymbols* s) {
  const SarModel* m = s->m;
  for (int i = 0; i < m->nwork; i++) {
    if (m->work[i].kind != SAR_WORK_CONSTRAINT) continue;
    const SarConstraint* of = &m->constraint[m->work[i].index];
    s->work_rate[i] = s_num(s->g, 0);
    for (int k = of->row; k < of->row + of->rows; k++)
      s->work_rate[i] = s_mac(s->g, s->work_rate[i], s->lambda[k], s->Phi_t[k]);
  }
}
