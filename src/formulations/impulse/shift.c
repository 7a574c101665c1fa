// Position correction by pseudo-velocities (split impulses): momentum of bodies that were pushed
// apart (laws.h).
//
// A violation is taken away by displacements, not by velocities. Two free bodies a, b that are
// moved by -P / m_a and P / m_b keep their velocities, but m x has moved away from under m v: the
// angular momentum changes by
//
//   dL = P x (v_b - v_a)
//
// The pair gives it back as one rigid body would: w += W, v += W x r with J W = -dL, J its inertia
// about its mass centre and r from there. Should this, or the turn of a body under its own angular
// momentum, have added energy, then what the pair moves by within itself, relative to the rigid
// motion that carries all its momentum, is scaled down by as much: that changes no momentum. So
// displacements neither make momentum nor energy, whatever they are. Bodies with others on them, or
// pushed off the ground, have no momentum to keep.
#include "formulations/impulse/flight.h"
#include "formulations/impulse/laws.h"

#include <math.h>
#include <string.h>

// Read where a body is pushed first, and written back where all have been.
static SarLump read_lump(const SarImpulses* p, const SarModel* m, const SarData* d, int b) {
  const Inertia* I = &m->body_inertia[b];
  const double *q = &d->q[m->joint_qadr[b]], *v = &d->v[m->joint_vadr[b]];
  const V3 c = v3_scale(1 / I->m, I->h), w = v3_load(v + 3);
  const V3 w0 = v3_load(&p->v[m->joint_vadr[b] + 3]);
  const M3 R_FB = quat_to_m3(quat_load(q + 3)), R_GF = m->body_X_PF[b].R;
  const S3 centre = s3_add(I->I, s3_scale(-I->m, s3_of_point(c)));
  SarLump l = {.read = true, .m = I->m, .c = c};
  l.R = m3_mul(R_GF, R_FB);
  l.x = v3_add(m3_mul_v(R_GF, v3_load(q)), v3_add(m->body_X_PF[b].p, m3_mul_v(l.R, c)));
  l.v = l.pushed = v3_add(m3_mul_v(R_GF, v3_load(v)), m3_mul_v(l.R, v3_cross(w, c)));
  l.w = m3_mul_v(l.R, w);
  l.I = s3_rotate(l.R, centre);
  l.made = 0.5 * (v3_dot(w, s3_mul_v(centre, w)) - v3_dot(w0, s3_mul_v(centre, w0)));
  return l;
}

static void write_lump(const SarModel* m, SarData* d, int body, const SarLump* l) {
  double* v = &d->v[m->joint_vadr[body]];
  const V3 w = m3_tmul_v(l->R, l->w);
  const V3 speed = v3_sub(l->v, m3_mul_v(l->R, v3_cross(w, l->c)));
  v3_store(v, m3_tmul_v(m->body_X_PF[body].R, speed));
  v3_store(v + 3, w);
}

static V3 solve(S3 J, V3 b) {
  const V3 x = {J.xx, J.xy, J.xz}, y = {J.xy, J.yy, J.yz}, z = {J.xz, J.yz, J.zz};
  const V3 yz = v3_cross(y, z), zx = v3_cross(z, x), xy = v3_cross(x, y);
  return v3_scale(1 / v3_dot(x, yz), v3(v3_dot(yz, b), v3_dot(zx, b), v3_dot(xy, b)));
}

// Gives the pair the angular momentum -dL, and no more energy than it had.
static void give_back(SarLump* const l[2], V3 dL) {
  const double all = l[0]->m + l[1]->m;
  const V3 x = v3_scale(1 / all, v3_add(v3_scale(l[0]->m, l[0]->x), v3_scale(l[1]->m, l[1]->x)));
  const V3 v = v3_scale(1 / all, v3_add(v3_scale(l[0]->m, l[0]->v), v3_scale(l[1]->m, l[1]->v)));
  S3 J = s3_zero();
  V3 L = v3_zero(), r[2];
  for (int i = 0; i < 2; i++) {
    r[i] = v3_sub(l[i]->x, x);
    J = s3_add(J, s3_add(l[i]->I, s3_scale(l[i]->m, s3_of_point(r[i]))));
    L = v3_add(L, v3_add(s3_mul_v(l[i]->I, l[i]->w),
                         v3_scale(l[i]->m, v3_cross(r[i], v3_sub(l[i]->v, v)))));
  }
  const V3 W = solve(J, v3_neg(dL)), carried = v3_add(solve(J, L), W);  // rigid motion from now on
  const double made = v3_dot(W, v3_axpy(-0.5, dL, L)) + l[0]->made + l[1]->made;
  double within = 0;  // energy of the motion relative to it
  for (int i = 0; i < 2; i++) {
    l[i]->w = v3_add(l[i]->w, W);
    l[i]->v = v3_add(l[i]->v, v3_cross(W, r[i]));
    const V3 turn = v3_sub(l[i]->w, carried),
             go = v3_sub(v3_sub(l[i]->v, v), v3_cross(carried, r[i]));
    within += 0.5 * (v3_dot(turn, s3_mul_v(l[i]->I, turn)) + l[i]->m * v3_dot(go, go));
  }
  if (!(made > 0)) return;
  const double share = made < within ? sqrt(1 - made / within) : 0;
  for (int i = 0; i < 2; i++) {
    const V3 rigid = v3_add(v, v3_cross(carried, r[i]));
    l[i]->w = v3_axpy(share, v3_sub(l[i]->w, carried), carried);
    l[i]->v = v3_axpy(share, v3_sub(l[i]->v, rigid), rigid);
  }
}

// push[k]: on each, ground axes; the speeds are those that they had when they were pushed.
static void give_back_of(const SarImpulses* p, const SarModel* m, const SarData* d,
                         const int body[2], const V3 push[2], double size) {
  SarLump* l[2];
  V3 dL = v3_zero();
  for (int k = 0; k < 2; k++) {
    l[k] = &p->lump[body[k]];
    if (!l[k]->read) *l[k] = read_lump(p, m, d, body[k]);
    dL = v3_add(dL, v3_cross(push[k], l[k]->pushed));
  }
  give_back(l, v3_scale(size, dL));
  for (int k = 0; k < 2; k++) l[k]->made = 0;  // it is paid for
}

// Both bodies of a row, if they are free. The linear part of J is the direction of the push, in F.
static bool pair_of_row(const SarImpulses* p, const SarImpulseRow* row, const SarModel* m,
                        int body[2], V3 push[2]) {
  if (row->pseudo == 0 || row->parts != 2) return false;
  for (int k = 0; k < 2; k++) {
    body[k] = m->dof_body[row->part[k].first];
    if (row->part[k].num != 6 || !sar_is_single_body(m, body[k])) return false;
    push[k] = m3_mul_v(m->body_X_PF[body[k]].R, v3_load(&p->pool[row->part[k].adr]));
  }
  return true;
}

static void give_back_of_face(const SarImpulses* p, const SarFace* x, const SarModel* m,
                              const SarData* d, const SarJump* jump) {
  const int ground = p->points.ground;
  if (x->a.first == ground || x->b.first == ground) return;
  const int body[2] = {m->dof_body[x->a.first], m->dof_body[x->b.first]};
  const V3 normal = v3_load(x->axis.x), push[2] = {v3_neg(normal), normal};
  double size = 0;
  for (int i = x->first; i < x->first + x->count; i++) size += p->points.point[i].pseudo;
  if (size != 0) give_back_of(p, m, d, body, push, jump->rest * size);
}

void sar_keep_momentum(const SarImpulses* p, const SarModel* m, SarData* d, const SarJump* jump) {
  int body[2];
  V3 push[2];
  if (m->ncontact == 0) return;
  for (int i = 0; i < m->nbody; i++) p->lump[i].read = false;
  for (int i = 0; i < p->count; i++)
    if (pair_of_row(p, &p->row[i], m, body, push))
      give_back_of(p, m, d, body, push, jump->rest * p->row[i].pseudo);
  for (int i = 0; i < p->points.faces; i++) give_back_of_face(p, &p->points.face[i], m, d, jump);
  for (int i = 0; i < m->nbody; i++)
    if (p->lump[i].read) write_lump(m, d, i, &p->lump[i]);
}
