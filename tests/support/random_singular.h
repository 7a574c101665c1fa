// Random members of the family of mechanisms that pass singular positions (singular_motion.h), as
// model files: bars, masses, mass centres and body frames unequal, any link the ground, anywhere in
// space or in the plane, names and order in the file shuffled, joints in either direction, any
// joints in the tree.
#pragma once
#include "support/random_model.h"
#include "support/singular_motion.h"

typedef struct SingularMember {
  SingularMotion motion;
  ModelText text;
  char name[SINGULAR_MAX_LINKS][16];  // of the bodies; the root has none
  bool planar;
  double s, speed;  // at t = 0
} SingularMember;

static inline void singular_shuffle(Rng* r, int n, int* order) {
  for (int i = 0; i < n; i++) order[i] = i;
  for (int i = n - 1; i > 0; i--) {
    const int k = rng_int(r, i + 1), kept = order[i];
    order[i] = order[k], order[k] = kept;
  }
}

static inline void singular_join(SingularMotion* k, int a, int b, V3 at) {
  k->joint[k->joints++] = (SingularJoint){.link = {a, b}, .at = at, .axis = v3(0, 0, 1)};
}

static inline void singular_join_row(Rng* r, SingularMotion* k, int cells) {
  const V3 tip = v3(k->a, 0, 0);
  k->cells = cells;
  k->links = 2 * cells + 2;
  for (int i = 0; i < cells; i++)
    k->x[i + 1] = k->x[i] + k->a * rng_uniform(r, 0.4, 1.6) * (rng_int(r, 6) ? 1 : -1);
  for (int i = 0; i <= cells; i++) singular_join(k, 0, 1 + i, v3(k->x[i], 0, 0));
  for (int i = 0; i < cells; i++) {
    singular_join(k, 1 + i, 2 + cells + i, tip);
    singular_join(k, 2 + i, 2 + cells + i, tip);
  }
}

static inline void singular_join_others(SingularMotion* k) {
  k->links = k->kind == SINGULAR_BRICARD ? 6 : 4;
  if (k->kind == SINGULAR_BRICARD) {
    // link i + 1 turns against link i; where the links' frames coincide, in the cube
    for (int i = 0; i < 6; i++) {
      singular_join(k, i, (i + 1) % 6, v3_scale(k->a, bricard_corner(i)));
      k->joint[i].axis = bricard_axis(i);
    }
    return;
  }
  const bool slider = k->kind == SINGULAR_SLIDER;
  singular_join(k, 0, 1, v3_zero());
  singular_join(k, 1, 2, v3(k->a, 0, 0));
  singular_join(k, 2, 3, v3(slider ? k->a : k->b, 0, 0));
  singular_join(k, 0, 3, v3(k->kind == SINGULAR_KITE ? k->a : k->b, 0, 0));
  if (!slider) return;
  k->joint[3] =
      (SingularJoint){.link = {0, 3}, .at = v3_zero(), .axis = v3(1, 0, 0), .slides = true};
}

static inline void singular_draw_link(Rng* r, bool flat, double size, SingularLink* out) {
  const V3 at = rng_v3(r, -size, size), com = rng_v3(r, -0.5 * size, 0.5 * size);
  const double turn = rng_uniform(r, -3, 3), mass = rng_uniform(r, 0.5, 3);
  const double radius2 = size * size * rng_uniform(r, 0.02, 0.15);
  const M3 R = quat_to_m3(rng_quat(r));
  out->X_LU = flat ? flat_frame(at.x, at.y, cos(turn), sin(turn)) : (Xform){R, at};
  out->com = flat ? v3(com.x, com.y, 0) : com;
  out->mass = mass;
  for (int i = 0; i < 3; i++) out->moment[i] = mass * radius2 * rng_uniform(r, 0.7, 1);
}

static inline void singular_draw(Rng* r, SingularKind kind, int cells, bool planar,
                                 SingularMotion* k) {
  *k = (SingularMotion){.kind = kind, .a = rng_uniform(r, 0.5, 1.5)};
  k->b = k->a * rng_uniform(r, 1.4, 2.5);
  if (kind == SINGULAR_ROW)
    singular_join_row(r, k, cells);
  else
    singular_join_others(k);
  const bool flat = kind != SINGULAR_BRICARD;
  // mostly the link that stands still in pictures
  k->root = rng_int(r, 3) ? 0 : rng_int(r, k->links);
  for (int i = 0; i < k->links; i++) singular_draw_link(r, planar, 0.5 * k->a, &k->link[i]);
  const double turn = rng_uniform(r, -3, 3), down = rng_uniform(r, -3, 3);
  const V3 at = rng_v3(r, -2, 2), g = v3(9.81 * cos(down), 9.81 * sin(down), flat ? 0 : 3);
  const Xform plane = flat_frame(at.x, at.y, cos(turn), sin(turn));
  k->X_GR = planar ? plane : (Xform){quat_to_m3(rng_quat(r)), at};
  k->gravity = m3_mul_v(k->X_GR.R, g);
}

static inline void singular_add_bodies(Rng* r, SingularMember* p, const Xform* X) {
  const SingularMotion* k = &p->motion;
  int order[SINGULAR_MAX_LINKS];
  singular_shuffle(r, k->links, order);
  model_add(&p->text, "bodies:\n");
  for (int n = 0; n < k->links; n++) {
    const int i = order[n];
    const SingularLink* link = &k->link[i];
    if (i == k->root) continue;
    const Xform U = x_mul(X[i], link->X_LU);
    const Quat q = quat_from_m3(U.R);
    model_add(&p->text,
              "  %s: {mass: %.17g, inertia: [%.17g, %.17g, %.17g], com: [%.17g, %.17g, %.17g], at: "
              "[%.17g, %.17g, %.17g], quat: [%.17g, %.17g, %.17g, %.17g]}\n",
              p->name[i], link->mass, link->moment[0], link->moment[1], link->moment[2],
              link->com.x, link->com.y, link->com.z, U.p.x, U.p.y, U.p.z, q.w, q.x, q.y, q.z);
  }
}

// A joint whose values mean something stays in the tree if it can: damping 0 does nothing else.
static inline void singular_add_joints(Rng* r, SingularMember* p, const Xform* X,
                                       const SingularRates* rate) {
  const SingularMotion* k = &p->motion;
  int order[SINGULAR_MAX_JOINTS], label[SINGULAR_MAX_JOINTS];
  singular_shuffle(r, k->joints, order);
  singular_shuffle(r, SINGULAR_MAX_JOINTS, label);
  model_add(&p->text, "joints:\n");
  for (int n = 0; n < k->joints; n++) {
    const SingularJoint* j = &k->joint[order[n]];
    const int a = j->link[0], b = j->link[1], back = rng_int(r, 2);
    const double sign = rng_int(r, 2) ? 1 : -1;
    const V3 at = x_point(X[a], j->at), axis = m3_mul_v(X[a].R, v3_scale(sign, j->axis));
    const V3 slip = v3_sub(v3_add_cross(rate->v[b], rate->w[b], v3_sub(at, X[b].p)),
                           v3_add_cross(rate->v[a], rate->w[a], v3_sub(at, X[a].p)));
    const V3 turn = v3_sub(rate->w[b], rate->w[a]);
    const double speed = p->speed * v3_dot(axis, j->slides ? slip : turn) * (back ? -1 : 1);
    model_add(&p->text,
              "  j%02d: {%s: [%s, %s], at: [%.17g, %.17g, %.17g], axis: [%.17g, %.17g, %.17g], "
              "speed: %.17g%s}\n",
              label[n], j->slides ? "prismatic" : "revolute", p->name[back ? b : a],
              p->name[back ? a : b], at.x, at.y, at.z, axis.x, axis.y, axis.z, speed,
              rng_int(r, 3) ? "" : ", damping: 0");
  }
}

// What is drawn of a member; the rest of r is for its file.
static inline void singular_draw_member(uint64_t seed, Rng* r, SingularMember* p) {
  const bool row = seed % 2 == 0;
  const SingularKind kind =
      row ? SINGULAR_ROW : (SingularKind)(1 + seed / 2 % (SINGULAR_KINDS - 1));
  const int cells = 1 + (int)(seed / 2 % SINGULAR_MAX_ROW);
  int order[SINGULAR_MAX_LINKS];
  p->planar = kind != SINGULAR_BRICARD && rng_int(r, 4) > 0;
  singular_draw(r, kind, cells, p->planar, &p->motion);
  p->s = rng_uniform(r, -3, 3);
  p->speed = rng_uniform(r, 1.5, 5) * (rng_int(r, 2) ? 1 : -1);
  singular_shuffle(r, SINGULAR_MAX_LINKS, order);
  for (int i = 0; i < SINGULAR_MAX_LINKS; i++)
    snprintf(p->name[i], sizeof *p->name, i == p->motion.root ? "ground" : "b%02d", order[i]);
}

static inline void singular_write(uint64_t seed, Rng* r, SingularMember* p) {
  const SingularMotion* k = &p->motion;
  const V3 g = k->gravity;
  SingularRates rate;
  Xform X[SINGULAR_MAX_LINKS];
  singular_place(k, p->s, X);
  singular_rates(k, p->s, &rate);
  p->text.used = 0;
  model_add(&p->text, "sarrus: 1\nname: seed %llu, %s\n%sgravity: [%.17g, %.17g, %.17g]\n",
            (unsigned long long)seed, SINGULAR_NAME[k->kind], p->planar ? "planar: xy\n" : "", g.x,
            g.y, g.z);
  singular_add_bodies(r, p, X);
  singular_add_joints(r, p, X, &rate);
  model_add(&p->text, "outputs: [energy]\n");
}

// The member of a seed: its kind goes round with the seed, every other one is a row of 1 to 10
// cells.
static inline void singular_random(uint64_t seed, SingularMember* p) {
  Rng r = rng_seed(seed * 7919 + 13);
  singular_draw_member(seed, &r, p);
  singular_write(seed, &r, p);
}

// The same one, begun so long before it comes to a singular position [s].
static inline void singular_random_before(uint64_t seed, double time, SingularMember* p) {
  static const double CROSSING[SINGULAR_KINDS] = {[SINGULAR_SLIDER] = 0.5 * 3.14159265358979324};
  Rng r = rng_seed(seed * 7919 + 13);
  singular_draw_member(seed, &r, p);
  double s = CROSSING[p->motion.kind], back = -p->speed;
  singular_advance(&p->motion, time, &s, &back);
  p->s = s, p->speed = -back;
  singular_write(seed, &r, p);
}

// How far a state is from the branch that the member is to follow; s: near where it is.
static inline double singular_apart(const SingularMember* p, SarData* d, double* s) {
  const SarModel* m = sar_data_model(d);
  const SingularMotion* k = &p->motion;
  Xform X[SINGULAR_MAX_LINKS];
  for (int i = 0; i < k->links; i++) {
    double at[3], R[9];
    if (i == k->root) continue;
    EXPECT_OK(sar_body_pose(d, sar_model_find(m, SAR_ITEM_BODY, p->name[i]), at, R));
    const Xform U = {{R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]}, v3_load(at)};
    X[i] = x_mul(U, x_inv(k->link[i].X_LU));
  }
  return singular_nearest(k, X, s);
}
