// Forward dynamics by articulated bodies (ABA) over symbols: dynamics/aba.c with conventional
// accelerations (symbols.h).
//
// Source: Featherstone, Rigid Body Dynamics Algorithms (2008), table 7.1.
//
//   IA, pA  articulated inertia and bias force      c  acceleration from velocities alone
//   U = IA S,  D = S'U + armature = L E L',  u = tau - S'pA
//   Ia = IA - U D^-1 U',  pa = pA + Ia c + U D^-1 u          handed to the parent
//   a' = X A_P + c,  qdd = D^-1 (u - U'a'),  A = a' + S qdd
#include "codegen/factor.h"
#include "codegen/motion.h"

typedef struct Joint {
  SymArticulated IA;
  SymForce pA;
  SymBias c;
  SymForce U[SAR_JOINT_MAX_NV];  // one axis: U / D
  SarNode u[SAR_JOINT_MAX_NV];   // one axis: u / D; general: u
  SymFactor D;
} Joint;

// One axis: columns z of the blocks.
static SymForce column(const SarSymbols* s, int b, const SymArticulated* I) {
  if (s->m->joint_class[b] == SAR_CLASS_REVOLUTE)
    return (SymForce){{I->A.xz, I->A.yz, I->A.zz}, {I->H.zx, I->H.zy, I->H.zz}};
  return (SymForce){{I->H.xz, I->H.yz, I->H.zz}, {I->M.xz, I->M.yz, I->M.zz}};
}

static SarNode along_axis(const SarSymbols* s, int b, SymForce F) {
  return s->m->joint_class[b] == SAR_CLASS_REVOLUTE ? F.n.z : F.f.z;
}

// What U D^-1 U' takes off entirely when the axis has no inertia of its own.
static void clear_axis(const SarSymbols* s, int b, SymArticulated* I) {
  const SarNode o = s_num(s->g, 0);
  if (s->m->joint_class[b] == SAR_CLASS_REVOLUTE)
    I->A.xz = I->A.yz = I->A.zz = I->H.zx = I->H.zy = I->H.zz = o;
  else
    I->M.xz = I->M.yz = I->M.zz = I->H.xz = I->H.yz = I->H.zz = o;
}

static void pass_axis(const SarSymbols* s, int b, Joint* j, SymArticulated* Ia, SymForce* pa) {
  SarGraph* g = s->g;
  const int i = s->m->joint_vadr[b];
  const double armature = s->m->dof_armature[i];
  const SymForce U = column(s, b, &j->IA);
  const SarNode D = s_add(g, along_axis(s, b, U), s_num(g, armature));
  const SarNode inverse = s_div(g, s_num(g, 1), D);
  const SarNode u = s_sub(g, s->tau[i], along_axis(s, b, j->pA));
  const SymForce UD = {sv3_scale(g, inverse, U.n), sv3_scale(g, inverse, U.f)};
  *Ia = sarticulated_sub_outer(g, j->IA, UD, U);
  if (armature == 0) clear_axis(s, b, Ia);
  j->U[0] = UD;
  j->u[0] = s_mul(g, inverse, u);
  const SymForce turned = sarticulated_mul(g, *Ia, sar_symbols_motion(j->c));
  *pa = sforce_axpy(g, u, UD, sforce_add(g, j->pA, turned));
}

// S of nv columns: Ia = IA - W D^-1 W', by the rows of U L^-T and E^-1.
static void pass_general(const SarSymbols* s, int b, Joint* j, SymArticulated* Ia, SymForce* pa) {
  SarGraph* g = s->g;
  const int i0 = s->m->joint_vadr[b], nv = s->m->joint_nv[b];
  const SymMotion* S = s->joint[b].S;
  j->D.n = nv;
  for (int i = 0; i < nv; i++) {
    j->U[i] = sarticulated_mul(g, j->IA, S[i]);
    for (int k = 0; k <= i; k++) j->D.L[i][k] = spower(g, S[k], j->U[i]);
    j->D.L[i][i] = s_add(g, j->D.L[i][i], s_num(g, s->m->dof_armature[i0 + i]));
    j->u[i] = s_sub(g, s->tau[i0 + i], spower(g, S[i], j->pA));
  }
  sar_factor(g, &j->D);
  *Ia = j->IA;
  SymForce Wu = sforce_zero(g), W[SAR_JOINT_MAX_NV];
  SarNode y[SAR_JOINT_MAX_NV];
  for (int i = 0; i < nv; i++) {
    W[i] = j->U[i];
    y[i] = j->u[i];
    for (int k = 0; k < i; k++) {
      W[i] = sforce_axpy(g, s_neg(g, j->D.L[i][k]), W[k], W[i]);
      y[i] = s_msc(g, y[i], j->D.L[i][k], y[k]);
    }
    const SymForce scaled = {sv3_scale(g, j->D.inverse[i], W[i].n),
                             sv3_scale(g, j->D.inverse[i], W[i].f)};
    *Ia = sarticulated_sub_outer(g, *Ia, scaled, W[i]);
    Wu = sforce_axpy(g, y[i], scaled, Wu);
  }
  const SymForce turned = sarticulated_mul(g, *Ia, sar_symbols_motion(j->c));
  *pa = sforce_add(g, sforce_add(g, j->pA, turned), Wu);
}

// A' = L^-T E^-1 L^-1 (u - U'a')
static void solve_general(SarSymbols* s, int b, const Joint* j, SymMotion* A) {
  SarGraph* g = s->g;
  const int i0 = s->m->joint_vadr[b], nv = s->m->joint_nv[b];
  SarNode x[SAR_JOINT_MAX_NV];
  for (int i = 0; i < nv; i++) x[i] = s_sub(g, j->u[i], spower(g, *A, j->U[i]));
  sar_factor_solve(g, &j->D, x);
  for (int i = 0; i < nv; i++) {
    s->a[i0 + i] = x[i];
    *A = smotion_axpy(g, x[i], s->joint[b].S[i], *A);
  }
}

// A free joint holds nothing: IA A = F - pA in the axes of the body, where F = (n, R'f) is the
// force on its coordinates. No inertia is handed on.
static SymMotion solve_free(SarSymbols* s, int b, const Joint* j, SymBias carried) {
  SarGraph* g = s->g;
  const int i0 = s->m->joint_vadr[b];
  const SarNode* tau = &s->tau[i0];
  const SymArticulated* I = &j->IA;
  const SymM3 R = s->joint[b].X_FB.R;
  const SymForce F = {{tau[3], tau[4], tau[5]}, sm3_tmul_v(g, R, (SymV3){tau[0], tau[1], tau[2]})};
  const SymForce rest = sforce_sub(g, F, j->pA);
  const SarNode row[6][6] = {{I->A.xx},
                             {I->A.xy, I->A.yy},
                             {I->A.xz, I->A.yz, I->A.zz},
                             {I->H.xx, I->H.yx, I->H.zx, I->M.xx},
                             {I->H.xy, I->H.yy, I->H.zy, I->M.xy, I->M.yy},
                             {I->H.xz, I->H.yz, I->H.zz, I->M.xz, I->M.yz, I->M.zz}};
  SymFactor D = {.n = 6};
  for (int i = 0; i < 6; i++)
    for (int k = 0; k <= i; k++) D.L[i][k] = row[i][k];
  sar_factor(g, &D);
  SarNode x[6] = {rest.n.x, rest.n.y, rest.n.z, rest.f.x, rest.f.y, rest.f.z};
  sar_factor_solve(g, &D, x);
  const SymMotion A = {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
  // in F: a = R A.v less what the parent brings along
  const SymV3 w = sv3_sub(g, A.w, sv3_add(g, carried.alpha, j->c.alpha));
  const SymV3 more = sv3_sub(g, A.v, sv3_add(g, carried.a, j->c.a));
  const SymV3 v = sm3_mul_v(g, R, more);
  SarNode* a = &s->a[i0];
  a[0] = v.x, a[1] = v.y, a[2] = v.z;
  a[3] = w.x, a[4] = w.y, a[5] = w.z;
  return A;
}

static bool is_loose(const SarSymbols* s, int b) {
  if (!sar_symbols_is_free(s, b) || s->m->body_parent[b] >= 0) return false;
  for (int i = 0; i < 6; i++)
    if (s->m->dof_armature[s->m->joint_vadr[b] + i] != 0) return false;
  return true;
}

static void inwards(SarSymbols* s, Joint* joint) {
  SarGraph* g = s->g;
  for (int b = s->m->nbody - 1; b >= 0; b--) {
    const int p = s->m->body_parent[b];
    Joint* j = &joint[b];
    j->IA = sarticulated_add_inertia(g, j->IA, sar_symbols_inertia(s, b));
    j->pA = sforce_sub(g, sforce_add(g, j->pA, sar_symbols_gyroscopic(s, b)), s->F[b]);
    j->c = sar_symbols_joint_bias(s, b);
    SymArticulated Ia = j->IA;
    SymForce pa;
    switch (s->m->joint_class[b]) {
      case SAR_CLASS_REVOLUTE:
      case SAR_CLASS_PRISMATIC: pass_axis(s, b, j, &Ia, &pa); break;
      default:
        if (is_loose(s, b)) continue;
        pass_general(s, b, j, &Ia, &pa);
    }
    if (p < 0) continue;
    joint[p].IA = sarticulated_add(g, joint[p].IA, sar_symbols_articulated_to_parent(s, b, Ia));
    joint[p].pA = sforce_add(g, joint[p].pA, sar_symbols_force_to_parent(s, b, pa));
  }
}

static void outwards(SarSymbols* s, const Joint* joint, SymBias* A_of) {
  SarGraph* g = s->g;
  for (int b = 0; b < s->m->nbody; b++) {
    const int p = s->m->body_parent[b], i = s->m->joint_vadr[b];
    const Joint* j = &joint[b];
    const SymBias carried = sar_symbols_carried(s, b, p < 0 ? sar_symbols_ground(s) : A_of[p]);
    SymMotion A = smotion_add(g, sar_symbols_motion(carried), sar_symbols_motion(j->c));
    switch (s->m->joint_class[b]) {
      case SAR_CLASS_REVOLUTE:
        s->a[i] = s_sub(g, j->u[0], spower(g, A, j->U[0]));
        A.w.z = s_add(g, A.w.z, s->a[i]);
        break;
      case SAR_CLASS_PRISMATIC:
        s->a[i] = s_sub(g, j->u[0], spower(g, A, j->U[0]));
        A.v.z = s_add(g, A.v.z, s->a[i]);
        break;
      default:
        if (is_loose(s, b))
          A = solve_free(s, b, j, carried);
        else
          solve_general(s, b, j, &A);
    }
    A_of[b] = (SymBias){A.w, A.v};
  }
}

void sar_symbols_aba(SarSymbols* s) {
  Joint* joint = SAR_ARENA_ARRAY(s->arena, Joint, s->m->nbody + 1);
  SymBias* A = SAR_ARENA_ARRAY(s->arena, SymBias, s->m->nbody + 1);
  if (!joint || !A) return;
  for (int b = 0; b < s->m->nbody; b++) {
    joint[b].IA = sarticulated_zero(s->g);
    joint[b].pA = sforce_zero(s->g);
  }
  inwards(s, joint);
  outwards(s, joint, A);
}
