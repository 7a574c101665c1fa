// Joints that carry no inertia along their motion: the accelerations would be undetermined.
//
// Articulated inertias from the leaves inwards (Featherstone 2008, section 7.2), with 6x6 matrices
// since speed does not matter here:
//   D = S' IA S + armature,   IA(parent) += X (IA - IA S D^-1 S' IA) X'
// D must be positive definite. The position is a general one, so that only what is wrong at every
// position is reported. A subtree that loop joints hold from outside may be massless: the loop
// carries it. A joint whose motion is prescribed is as good as locked: what lies beyond it needs no
// inertia along it.
#include "base/print.h"
#include "model/compile/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NV = SAR_JOINT_MAX_NV };

typedef struct Mat6 {
  double a[6][6];
} Mat6;

static Mat6 mat6_of(Inertia B) {
  Mat6 M = {{{0}}};
  for (int k = 0; k < 6; k++) {
    double e[6] = {0};
    e[k] = 1;
    Force f = inertia_mul(B, (Motion){v3_load(e), v3_load(e + 3)});
    double column[6];
    v3_store(column, f.n);
    v3_store(column + 3, f.f);
    for (int i = 0; i < 6; i++) M.a[i][k] = column[i];
  }
  return M;
}

// M += X A X' for X = X_PB: forces go out to the parent's frame, motions come back
static void add_moved(Mat6* M, Xform X_PB, const Mat6* A) {
  for (int k = 0; k < 6; k++) {
    double e[6] = {0}, v[6], f[6], column[6];
    e[k] = 1;
    Motion V = x_motion_inv(X_PB, (Motion){v3_load(e), v3_load(e + 3)});
    v3_store(v, V.w);
    v3_store(v + 3, V.v);
    for (int i = 0; i < 6; i++) {
      f[i] = 0;
      for (int n = 0; n < 6; n++) f[i] += A->a[i][n] * v[n];
    }
    Force F = x_force(X_PB, (Force){v3_load(f), v3_load(f + 3)});
    v3_store(column, F.n);
    v3_store(column + 3, F.f);
    for (int i = 0; i < 6; i++) M->a[i][k] += column[i];
  }
}

// Cholesky D = L L' in place. False when a pivot is no more than rounding of what it came from.
static bool factor(int n, double D[NV][NV], const double scale[NV]) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k <= i; k++) {
      double sum = D[i][k];
      for (int m = 0; m < k; m++) sum -= D[i][m] * D[k][m];
      if (i != k)
        D[i][k] = sum / D[k][k];
      else if (sum > 1e-12 * scale[i])
        D[i][i] = sqrt(sum);
      else
        return false;
    }
  return true;
}

// IA - U D^-1 U' with U = IA S; false: D is not positive definite.
static bool eliminate(Mat6* IA, int nv, double S[NV][6], const double* armature) {
  double U[NV][6], D[NV][NV], scale[NV], angular = 0, linear = 0;
  for (int i = 0; i < 3; i++) {
    angular += IA->a[i][i];
    linear += IA->a[i + 3][i + 3];
  }
  for (int k = 0; k < nv; k++)
    for (int i = 0; i < 6; i++) {
      U[k][i] = 0;
      for (int n = 0; n < 6; n++) U[k][i] += IA->a[i][n] * S[k][n];
    }
  for (int k = 0; k < nv; k++) {
    double turn = 0, slide = 0;
    for (int i = 0; i < 3; i++) {
      turn += S[k][i] * S[k][i];
      slide += S[k][i + 3] * S[k][i + 3];
    }
    scale[k] = turn * angular + slide * linear;
    for (int j = 0; j < nv; j++) {
      D[k][j] = k == j ? armature[k] : 0;
      for (int i = 0; i < 6; i++) D[k][j] += S[k][i] * U[j][i];
    }
  }
  if (!factor(nv, D, scale)) return false;
  // L y = U', then IA - y' y
  for (int k = 0; k < nv; k++)
    for (int i = 0; i < 6; i++) {
      for (int m = 0; m < k; m++) U[k][i] -= D[k][m] * U[m][i];
      U[k][i] /= D[k][k];
    }
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      for (int k = 0; k < nv; k++) IA->a[i][j] -= U[k][i] * U[k][j];
  return true;
}

static void joint_at(const SarModel* m, int b, SarJointCalc* calc, double S[NV][6]) {
  // offsets without a pattern, between 0.2 and 0.9
  double xi[NV], q[SAR_JOINT_MAX_NQ];
  for (int k = 0; k < NV; k++) xi[k] = 0.2 + 0.7 * fmod(0.618033988749895 * (b * NV + k + 1), 1);
  const double* param = &m->joint_param[b * SAR_JOINT_MAX_PARAM];
  const SarJointKind* kind = m->joint_kind[b];
  sar_joint_retract(kind, param, &m->q0[m->joint_qadr[b]], xi, q);
  kind->calc(param, q, NULL, calc);
  for (int k = 0; k < m->joint_nv[b]; k++) {
    v3_store(S[k], calc->S[k].w);
    v3_store(S[k] + 3, calc->S[k].v);
  }
}

static void report(Compile* c, int b) {
  const JointPart* p = &c->joint[c->joint_of[b]];
  const BodyPart* body = &c->body[c->body_at[b]];
  const char* reason = "";
  char hint[256];
  for (int i = 0; i < body->spec->shapes.count; i++)
    if (body->spec->shapes.items[i].kind == SPEC_ROD)
      reason = "a slender rod does not resist turning about itself: ";
  if (body->inertia.m == 0 && !p->spec)
    reason = "without mass forces must hold it (a knot of springs), and nothing else: ";
  sar_snprintf(hint, sizeof hint, "%sgive body '%s' mass and inertia%s", reason, body->item.name,
               p->spec ? ", or the joint 'armature'" : "; a mass alone makes a point of it");
  if (p->spec)
    sar_complain(c, p->item, p->item.loc, hint,
                 "a %s joint to body '%s', but nothing beyond it has inertia along its motion",
                 p->kind->name, body->item.name);
  else
    sar_complain(c, body->item, body->item.loc, hint,
                 "is free, but has no inertia along some of its motions");
}

// Bodies whose only coordinate a constraint prescribes, always.
static void mark_driven(const Compile* c, bool* driven) {
  for (int i = 0; i < c->spec->constraints.count; i++) {
    const SpecConstraint* s = &c->spec->constraints.items[i];
    const bool drives = s->kind && strcmp(s->kind->name, "motion") == 0;
    if (!drives || sar_gate_given(&s->gate) || !s->values[0].name.text) continue;
    const int j = sar_names_find(&c->joint_names, s->values[0].name.text);
    if (j >= 0 && c->joint[j].tree >= 0 && c->joint[j].kind->nv == 1)
      driven[c->joint[j].tree] = true;
  }
}

// Articulated inertias of the bodies between the first of their children and themselves: in a long
// chain, two.
typedef struct Pending {
  SarArena arena;
  Mat6** of;  // by body; NULL: no child yet
  SAR_LIST(Mat6*) spare;
} Pending;

// The one of a body, begun with its own inertia. NULL: no memory.
static Mat6* begin(Pending* p, const SarModel* m, int b) {
  if (p->of[b]) return p->of[b];
  p->of[b] = p->spare.count ? p->spare.items[--p->spare.count] : SAR_ARENA_NEW(&p->arena, Mat6);
  if (p->of[b]) *p->of[b] = mat6_of(m->body_inertia[b]);
  return p->of[b];
}

static bool end(Pending* p, int b) {
  Mat6** slot = SAR_LIST_ADD(&p->arena, &p->spare);
  if (slot) *slot = p->of[b];
  return slot != NULL;
}

// Eliminates the joint of body b and adds what is left to its parent. False: no memory.
static bool pass_on(Compile* c, Pending* pending, bool* held, const bool* driven, int b) {
  const SarModel* m = &c->m;
  const int nv = m->joint_nv[b], parent = m->body_parent[b];
  SarJointCalc calc;
  double S[NV][6];
  Mat6* IA = begin(pending, m, b);
  if (!IA) return false;
  joint_at(m, b, &calc, S);
  // after a report the joint counts as locked, so that those further in are judged fairly
  // a mode without node is refused where modal bodies are made
  const bool locked = driven[b] || m->joint_class[b] == SAR_CLASS_MODE;
  if (!locked && !eliminate(IA, nv, S, &m->dof_armature[m->joint_vadr[b]]) && !held[b])
    report(c, b);
  if (parent >= 0) {
    Mat6* sum = begin(pending, m, parent);
    if (!sum) return false;
    add_moved(sum, x_mul(m->body_X_PF[b], calc.X_FB), IA);
    held[parent] = held[parent] || held[b];
  }
  return end(pending, b);
}

bool sar_compile_massless(Compile* c) {
  const SarModel* m = &c->m;
  Pending pending = {0};
  sar_arena_beside(&pending.arena, &c->arena);
  pending.of = SAR_ARENA_ARRAY(&pending.arena, Mat6*, m->nbody + 1);
  bool* held = SAR_ARENA_ARRAY(&pending.arena, bool, m->nbody + 1);  // a loop reaches its subtree
  bool* driven = SAR_ARENA_ARRAY(&pending.arena, bool, m->nbody + 1);
  bool done = pending.of && held && driven;
  if (done) mark_driven(c, driven);
  for (int k = 0; done && k < m->ncut; k++)
    for (int side = 0; side < 2; side++)
      if (m->cut[k].body[side] >= 0) held[m->cut[k].body[side]] = true;
  for (int b = m->nbody - 1; done && b >= 0; b--) done = pass_on(c, &pending, held, driven, b);
  sar_arena_free(&pending.arena);
  return done;
}
