// Columns of the analytical derivatives of inverse dynamics over symbols (slopes.h).
//
// Sources: Carpentier and Mansard, RSS 2018; Singh, Russo and Wensing, IEEE RA-L 7, 2022; the
// letters are those of dynamics/tree_derivatives.c.
//
// A free joint on the ground: equations of motion do not know a constant velocity (Galileo), so its
// linear speeds count as zero, and their columns are.
#include "codegen/slopes.h"

#include "base/print.h"
#include "codegen/motion.h"

enum { NV = SAR_JOINT_MAX_NV };

// ---- spatial vectors ----------------------------------------------------------------------------

static SymMotion scrossm(SarGraph* g, SymMotion a, SymMotion b) {
  return (SymMotion){sv3_cross(g, a.w, b.w),
                     sv3_add(g, sv3_cross(g, a.w, b.v), sv3_cross(g, a.v, b.w))};
}

static SymForce scrossf(SarGraph* g, SymMotion a, SymForce F) {
  return (SymForce){sv3_add(g, sv3_cross(g, a.w, F.n), sv3_cross(g, a.v, F.f)),
                    sv3_cross(g, a.w, F.f)};
}

// A motion at the origin of a frame, from what it is in a frame at X in it; and back.
static SymMotion motion_at(SarGraph* g, const SymXform* X, SymMotion a) {
  const SymV3 w = sm3_mul_v(g, X->R, a.w);
  return (SymMotion){w, sv3_add(g, sm3_mul_v(g, X->R, a.v), sv3_cross(g, X->p, w))};
}
static SymMotion motion_back(SarGraph* g, const SymXform* X, SymMotion a) {
  return (SymMotion){sm3_tmul_v(g, X->R, a.w),
                     sm3_tmul_v(g, X->R, sv3_sub(g, a.v, sv3_cross(g, X->p, a.w)))};
}

static SymForce force_at(SarGraph* g, const SymXform* X, SymForce F) {
  const SymV3 f = sm3_mul_v(g, X->R, F.f);
  return (SymForce){sv3_add(g, sm3_mul_v(g, X->R, F.n), sv3_cross(g, X->p, f)), f};
}

static SymInertia inertia_at(SarGraph* g, const SymXform* X, SymInertia I) {
  const SymInertia turned = {I.m, sm3_mul_v(g, X->R, I.h), ss3_rotate(g, X->R, I.I)};
  return sinertia_shift(g, X->p, turned);
}

// ---- homes --------------------------------------------------------------------------------------

static SymMotion motion_in_home(const SymSlopes* w, int b, SymMotion a_B) {
  return sar_slopes_is_home(w, b) ? a_B : motion_at(w->s->g, &w->X[b], a_B);
}

SymForce sar_slopes_force(const SymSlopes* w, int b, SymForce F_B) {
  return sar_slopes_is_home(w, b) ? F_B : force_at(w->s->g, &w->X[b], F_B);
}

SymForce sar_slopes_force_inwards(const SymSlopes* w, int b, SymForce F) {
  return sar_slopes_is_home(w, b) ? force_at(w->s->g, &w->X[b], F) : F;
}

static SymInertia inertia_inwards(const SymSlopes* w, int b, SymInertia I) {
  return sar_slopes_is_home(w, b) ? inertia_at(w->s->g, &w->X[b], I) : I;
}

// Motion of the parent, in the home of b.
static SymMotion from_parent(const SymSlopes* w, int b, SymMotion a) {
  return sar_slopes_is_home(w, b) ? motion_back(w->s->g, &w->X[b], a) : a;
}

// ---- motion -------------------------------------------------------------------------------------

static bool floats(const SymSlopes* w, int b) {
  return w->s->m->body_parent[b] < 0 && sar_symbols_is_free(w->s, b);
}

static SarNode speed(const SymSlopes* w, int b, int k) {
  return floats(w, b) && k < 3 ? s_num(w->s->g, 0) : w->s->v[w->s->m->joint_vadr[b] + k];
}

bool sar_slopes_has_one_axis(const SarModel* m, int b) {
  return m->joint_class[b] == SAR_CLASS_REVOLUTE || m->joint_class[b] == SAR_CLASS_PRISMATIC;
}

// S v with the speeds of the joint.
static SymMotion joint_velocity(const SymSlopes* w, int b) {
  SymMotion Sv = smotion_zero(w->s->g);
  for (int k = 0; k < w->s->m->joint_nv[b]; k++)
    Sv = smotion_axpy(w->s->g, speed(w, b, k), w->S[w->s->m->joint_vadr[b] + k], Sv);
  return Sv;
}

static void move(SymSlopes* w) {
  const SarModel* m = w->s->m;
  SarGraph* g = w->s->g;
  for (int b = 0; b < m->nbody; b++) {
    const int p = m->body_parent[b], i0 = m->joint_vadr[b];
    for (int k = 0; k < m->joint_nv[b]; k++)
      w->S[i0 + k] = motion_in_home(w, b, w->s->joint[b].S[k]);
    const SymMotion Sv = joint_velocity(w, b);
    w->V[b] = p < 0 ? Sv : smotion_add(g, from_parent(w, b, w->V[p]), Sv);
    w->drift[b] = smotion_zero(g);
    if (sar_slopes_has_one_axis(m, b)) {
      w->P[i0] = scrossm(g, w->V[b], w->S[i0]);
      w->drift[b] = smotion_axpy(g, w->s->v[i0], w->P[i0], w->drift[b]);
    } else if (m->joint_class[b] == SAR_CLASS_GENERAL && !floats(w, b)) {
      w->drift[b] =
          smotion_add(g, scrossm(g, w->V[b], Sv), motion_in_home(w, b, w->s->joint[b].cJ));
    }
  }
}

// Accelerations, with gravity, for accelerations a of the coordinates; NULL: zero.
static void accelerate(const SymSlopes* w, const SarNode* a) {
  const SarModel* m = w->s->m;
  SarGraph* g = w->s->g;
  SymMotion* A = w->A;
  for (int b = 0; b < m->nbody; b++) {
    const int p = m->body_parent[b];
    const SymV3 up = sv3_of(g, v3_neg(m->gravity));
    const SymMotion carried = p < 0 ? (SymMotion){sv3_zero(g), sar_symbols_to_child(w->s, b, up)}
                                    : from_parent(w, b, A[p]);
    A[b] = smotion_add(g, carried, w->drift[b]);
    for (int k = 0; a && k < m->joint_nv[b]; k++)
      A[b] = smotion_axpy(g, a[m->joint_vadr[b] + k], w->S[m->joint_vadr[b] + k], A[b]);
  }
}

// ---- forces -------------------------------------------------------------------------------------

static SymS3 rate_of_inertia(SarGraph* g, SymInertia I, SymMotion V) {
  const SymV3 x = sv3_cross(g, V.w, (SymV3){I.I.xx, I.I.xy, I.I.xz}),
              y = sv3_cross(g, V.w, (SymV3){I.I.xy, I.I.yy, I.I.yz}),
              z = sv3_cross(g, V.w, (SymV3){I.I.xz, I.I.yz, I.I.zz});  // columns of w~ I
  const SarNode two = s_num(g, 2);
  const SarNode xx = s_mul(g, V.v.x, I.h.x), yy = s_mul(g, V.v.y, I.h.y),
                zz = s_mul(g, V.v.z, I.h.z);
  const SarNode xy = s_mac(g, s_mul(g, V.v.x, I.h.y), V.v.y, I.h.x),
                xz = s_mac(g, s_mul(g, V.v.x, I.h.z), V.v.z, I.h.x),
                yz = s_mac(g, s_mul(g, V.v.y, I.h.z), V.v.z, I.h.y);
  return (SymS3){s_mul(g, two, s_add(g, x.x, s_add(g, yy, zz))),
                 s_sub(g, s_add(g, y.x, x.y), xy),
                 s_sub(g, s_add(g, z.x, x.z), xz),
                 s_mul(g, two, s_add(g, y.y, s_add(g, xx, zz))),
                 s_sub(g, s_add(g, z.y, y.z), yz),
                 s_mul(g, two, s_add(g, z.z, s_add(g, xx, yy)))};
}

static SymSubtree own_subtree(const SymSlopes* w, int b) {
  SarGraph* g = w->s->g;
  const SymInertia I_B = sar_symbols_inertia(w->s, b);
  SymSubtree out = {.I = sar_slopes_is_home(w, b) ? I_B : inertia_at(g, &w->X[b], I_B)};
  out.momentum = sinertia_mul(g, out.I, w->V[b]);
  out.rate = (SymInertia){s_num(g, 0), out.momentum.f, rate_of_inertia(g, out.I, w->V[b])};
  out.l = out.momentum.n;
  return out;
}

// The force that each joint carries for accelerations A: I A + V x* I V, less what acts.
static void carry_forces(const SymSlopes* w) {
  const SarModel* m = w->s->m;
  SarGraph* g = w->s->g;
  for (int b = 0; b < m->nbody; b++) {
    const SymSubtree* body = &w->subtree[b];
    const SymForce inertial = sinertia_mul(g, body->I, w->A[b]);
    w->N[b] = sforce_sub(g, sforce_add(g, inertial, scrossf(g, w->V[b], body->momentum)),
                         sar_slopes_force(w, b, w->s->F[b]));
  }
  for (int b = m->nbody - 1; b >= 0; b--) {
    const int p = m->body_parent[b];
    if (p >= 0) w->N[p] = sforce_add(g, w->N[p], sar_slopes_force_inwards(w, b, w->N[b]));
  }
}

static void add_up(const SymSlopes* w) {
  const SarModel* m = w->s->m;
  SarGraph* g = w->s->g;
  for (int b = m->nbody - 1; b >= 0; b--) {
    const int p = m->body_parent[b];
    if (p < 0) continue;
    const SymSubtree* from = &w->subtree[b];
    SymSubtree* to = &w->subtree[p];
    const SymForce momentum = sar_slopes_force_inwards(w, b, (SymForce){from->l, from->rate.h});
    to->I = sinertia_add(g, to->I, inertia_inwards(w, b, from->I));
    to->rate = sinertia_add(g, to->rate, inertia_inwards(w, b, from->rate));
    to->l = sv3_add(g, to->l, momentum.n);
  }
}

// ---- directions ---------------------------------------------------------------------------------

typedef struct Unit {
  SarGraph* g;
  SarNode symbol;
} Unit;

static SarNode unit_rate(void* context, SarNode symbol) {
  const Unit* u = context;
  return symbol == u->symbol ? s_num(u->g, 1) : SAR_NONE;
}

// Change of the joint's axes and of cJ for coordinate k (of the axes' matrix `n` columns, then cJ),
// in B.
static bool differentiate(const SymSlopes* w, int b, SarNode symbol, SymMotion* dS,
                          SymMotion* dcJ) {
  const SymJoint* j = &w->s->joint[b];
  const int n = w->s->m->joint_nv[b];
  SymMotion all[NV + 1], changed[NV + 1];
  Unit unit = {w->s->g, symbol};
  for (int k = 0; k < n; k++) all[k] = j->S[k];
  all[n] = j->cJ;
  _Static_assert(sizeof *all == 6 * sizeof(SarNode), "a motion is six nodes");
  if (!sar_sym_forward(w->s->g, 6 * (n + 1), &all[0].w.x, unit_rate, &unit, &changed[0].w.x))
    return false;
  for (int k = 0; dS && k < n; k++) dS[k] = changed[k];
  *dcJ = changed[n];
  return true;
}

// A free joint: d(R'x) = R'x x turn,  cJ = R'u x w
static void turn_free(const SymSlopes* w, int b, int k, SymMotion* dS, SymMotion* dcJ) {
  SarGraph* g = w->s->g;
  const SymJoint* j = &w->s->joint[b];
  SymV3 u = sv3_zero(g);
  for (int l = 0; l < 6; l++) dS[l] = smotion_zero(g);
  for (int l = 0; l < 3; l++) {
    if (k >= 3) dS[l].v = sv3_cross(g, j->S[l].v, j->S[k].w);
    u = sv3_axpy(g, speed(w, b, l), dS[l].v, u);
  }
  const SarNode* v = &w->s->v[w->s->m->joint_vadr[b]];
  *dcJ = (SymMotion){sv3_zero(g), sv3_cross(g, u, (SymV3){v[3], v[4], v[5]})};
}

static SymMotion speed_free(const SymSlopes* w, int b, int k) {
  SarGraph* g = w->s->g;
  const SymJoint* j = &w->s->joint[b];
  const SarNode* v = &w->s->v[w->s->m->joint_vadr[b]];
  SymV3 u = sv3_zero(g);
  if (k < 3) return (SymMotion){u, sv3_cross(g, j->S[k].v, (SymV3){v[3], v[4], v[5]})};
  for (int l = 0; l < 3; l++) u = sv3_axpy(g, speed(w, b, l), j->S[l].v, u);
  return (SymMotion){sv3_zero(g), sv3_cross(g, u, j->S[k].w)};
}

typedef struct Turned {
  SymMotion S[NV], cJ;  // by the displacement of a coordinate, in B
  SymMotion cJ_v;       // by its speed
} Turned;

static bool turn(const SymSlopes* w, int b, int k, Turned* out) {
  const SarModel* m = w->s->m;
  SarGraph* g = w->s->g;
  for (int l = 0; l < NV; l++) out->S[l] = smotion_zero(g);
  out->cJ = out->cJ_v = smotion_zero(g);
  if (!m->joint_kind[b]->slope) return true;
  if (sar_symbols_is_free(w->s, b)) {
    turn_free(w, b, k, out->S, &out->cJ);
    out->cJ_v = speed_free(w, b, k);
    return true;
  }
  return differentiate(w, b, w->s->q[m->joint_qadr[b] + k], out->S, &out->cJ) &&
         differentiate(w, b, w->s->v[m->joint_vadr[b] + k], NULL, &out->cJ_v);
}

// dtau_i/dq_j has, beside S_i . U_j with the transported U, the change of S_i and what U was moved
// by: (S_j x S_i + S_i') . F
static void add_own(SymSlopes* w, int b, int j, const Turned* t) {
  const SarModel* m = w->s->m;
  SarGraph* g = w->s->g;
  const int i0 = m->joint_vadr[b];
  const SymMotion* S = w->s->joint[b].S;
  for (int k = 0; k < m->joint_nv[b]; k++) {
    const SymMotion more = smotion_add(g, scrossm(g, S[j], S[k]), t->S[k]);
    const SarNode value = spower(g, motion_in_home(w, b, more), w->N[b]);
    sar_slopes_add(w, &w->own, i0 + k, i0 + j, value);
  }
}

//   q:  P = V_P x S + S' v,   PP = A_P x S + S' a + cJ' + P x S v + V x (S' v + P)
//   v:  PV = S x S v + cJ by v_k + 2 V x S
static bool directions_of_joint(SymSlopes* w, int b) {
  const SarModel* m = w->s->m;
  SarGraph* g = w->s->g;
  const int i0 = m->joint_vadr[b], nv = m->joint_nv[b];
  const SymMotion Sv = joint_velocity(w, b), zero = smotion_zero(g);
  const SarNode minus = s_num(g, -1);
  const SymMotion V_P = smotion_axpy(g, minus, Sv, w->V[b]);
  SymMotion A_P = smotion_axpy(g, minus, w->drift[b], w->A[b]);
  for (int k = 0; k < nv; k++) A_P = smotion_axpy(g, s_neg(g, w->a[i0 + k]), w->S[i0 + k], A_P);
  for (int k = 0; k < nv; k++) {
    const int i = i0 + k;
    Turned t;
    if (!turn(w, b, k, &t)) return false;
    SymMotion by_v = zero, by_a = t.cJ;
    for (int l = 0; l < nv; l++) {
      by_v = smotion_axpy(g, speed(w, b, l), t.S[l], by_v);
      by_a = smotion_axpy(g, w->a[i0 + l], t.S[l], by_a);
    }
    by_v = motion_in_home(w, b, by_v);
    by_a = motion_in_home(w, b, by_a);
    w->P[i] = smotion_add(g, scrossm(g, V_P, w->S[i]), by_v);
    w->PP[i] = smotion_add(g, smotion_add(g, scrossm(g, A_P, w->S[i]), by_a),
                           smotion_add(g, scrossm(g, w->P[i], Sv),
                                       scrossm(g, w->V[b], smotion_add(g, by_v, w->P[i]))));
    w->PV[i] = smotion_axpy(g, s_num(g, 2), scrossm(g, w->V[b], w->S[i]),
                            smotion_add(g, scrossm(g, w->S[i], Sv), motion_in_home(w, b, t.cJ_v)));
    if (floats(w, b) && k < 3) w->PV[i] = zero;
    add_own(w, b, k, &t);
  }
  return true;
}

// ---- both stages --------------------------------------------------------------------------------

static bool make_room(SymSlopes* w) {
  const SarModel* m = w->s->m;
  SarArena* arena = w->s->arena;
  const int n = m->nbody + 1, nv = m->nv + 1;
  w->home = SAR_ARENA_ARRAY(arena, int, n);
  w->X = SAR_ARENA_ARRAY(arena, SymXform, n);
  w->V = SAR_ARENA_ARRAY(arena, SymMotion, n);
  w->drift = SAR_ARENA_ARRAY(arena, SymMotion, n);
  w->A = SAR_ARENA_ARRAY(arena, SymMotion, n);
  w->N = SAR_ARENA_ARRAY(arena, SymForce, n);
  w->subtree = SAR_ARENA_ARRAY(arena, SymSubtree, n);
  w->a = SAR_ARENA_ARRAY(arena, SarNode, nv);
  w->rest = SAR_ARENA_ARRAY(arena, SarNode, nv);
  w->S = SAR_ARENA_ARRAY(arena, SymMotion, nv);
  w->P = SAR_ARENA_ARRAY(arena, SymMotion, nv);
  w->PP = SAR_ARENA_ARRAY(arena, SymMotion, nv);
  w->PV = SAR_ARENA_ARRAY(arena, SymMotion, nv);
  return !arena->failed;
}

static bool first_stage(SymSlopes* w) {
  const SarModel* m = w->s->m;
  SarGraph* g = w->s->g;
  move(w);
  for (int b = 0; b < m->nbody; b++) w->subtree[b] = own_subtree(w, b);
  accelerate(w, NULL);
  carry_forces(w);
  for (int b = 0; b < m->nbody; b++)
    for (int i = m->joint_vadr[b]; i < m->joint_vadr[b] + m->joint_nv[b]; i++)
      w->rest[i] = s_sub(g, w->s->tau[i], spower(g, w->S[i], w->N[b]));
  return !w->s->arena->failed;
}

static bool second_stage(SymSlopes* w) {
  const SarModel* m = w->s->m;
  for (int i = 0; i < m->nv; i++) {
    char name[24];
    sar_snprintf(name, sizeof name, "acc[%d]", i);
    w->a[i] = sar_sym_symbol(w->s->g, name);
  }
  accelerate(w, w->a);
  carry_forces(w);
  add_up(w);
  for (int b = 0; b < m->nbody; b++)
    if (!sar_slopes_has_one_axis(m, b) && !directions_of_joint(w, b)) return false;
  return !w->s->arena->failed;
}

bool sar_symbols_slopes(SarSymbols* s, SymSlopes* w) {
  *w = (SymSlopes){.s = s};
  return make_room(w) && sar_slopes_choose_homes(w) && first_stage(w) && second_stage(w) &&
         sar_symbols_applied_slopes(w);
}
