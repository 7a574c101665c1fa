// Points and directions carried along the joints (carry.h).
//
//   p_P = p_PF + R_PF (R_FB(q) p_B + p_FB(q))        from a body to its parent
//
// What is known all the way from E is one symbol for each component. A known joint between unknown
// ones is a pose whose entries are symbols. The last frame is that of an unknown joint
// (sar_loop_frame_in).
#include "loops/exact/carry.h"

#include "math/hypot.h"

#include <math.h>
#include <string.h>

void sar_loop_vector_init(SarLoopBuilder* b, SarLoopVector* v) {
  for (int i = 0; i < 3; i++) fmpq_mpoly_init(&v->x[i], b->ctx);
}
void sar_loop_vector_clear(SarLoopBuilder* b, SarLoopVector* v) {
  for (int i = 0; i < 3; i++) fmpq_mpoly_clear(&v->x[i], b->ctx);
}
void sar_loop_set_number(SarLoopBuilder* b, fmpq_mpoly_struct* f, double x) {
  fmpq_t r;
  fmpq_init(r);
  sar_rational(b->numbers, x, r);
  fmpq_mpoly_set_fmpq(f, r, b->ctx);
  fmpq_clear(r);
}
void sar_loop_set_numbers(SarLoopBuilder* b, SarLoopVector* v, V3 x) {
  sar_loop_set_number(b, &v->x[0], x.x), sar_loop_set_number(b, &v->x[1], x.y),
      sar_loop_set_number(b, &v->x[2], x.z);
}
static void add_numbers(SarLoopBuilder* b, SarLoopVector* v, V3 x) {
  SarLoopVector add;
  sar_loop_vector_init(b, &add);
  sar_loop_set_numbers(b, &add, x);
  for (int i = 0; i < 3; i++) fmpq_mpoly_add(&v->x[i], &v->x[i], &add.x[i], b->ctx);
  sar_loop_vector_clear(b, &add);
}
// f += sign g h
void sar_loop_add_product(SarLoopBuilder* b, fmpq_mpoly_struct* f, int sign,
                          const fmpq_mpoly_struct* g, const fmpq_mpoly_struct* h) {
  fmpq_mpoly_t t;
  fmpq_mpoly_init(t, b->ctx);
  fmpq_mpoly_mul(t, g, h, b->ctx);
  if (sign < 0)
    fmpq_mpoly_sub(f, f, t, b->ctx);
  else
    fmpq_mpoly_add(f, f, t, b->ctx);
  fmpq_mpoly_clear(t, b->ctx);
}

// ---- variables and symbols ----------------------------------------------------------------------

static int find_variable(const SarLoopBuilder* b, int dof, char part) {
  for (int i = 0; i < b->block->variables; i++)
    if (b->block->variable[i].dof == dof && b->block->variable[i].part == part) return i;
  return -1;
}

void sar_loop_set_symbol(SarLoopBuilder* b, fmpq_mpoly_struct* f, SarLoopSymbol s) {
  SarLoopBlock* k = b->block;
  int i = 0;
  for (; i < k->symbols; i++) {
    const SarLoopSymbol* o = &k->symbol[i];
    if (o->of == s.of && o->in == s.in && o->component == s.component &&
        o->direction == s.direction && o->part == s.part && o->q == s.q &&
        v3_norm(v3_sub(o->at, s.at)) == 0 && o->joint == s.joint)
      break;
  }
  if (i == k->symbols) {
    if (k->variables + i >= SAR_LOOP_MAX_VARIABLES) {
      b->problem = "more known quantities than a basis can have";
      return;
    }
    k->symbol[k->symbols++] = s;
  }
  fmpq_mpoly_gen(f, k->variables + i, b->ctx);
}

// A variable, or where the coordinate is known (one of a joint with several) a symbol.
static void set_variable(SarLoopBuilder* b, fmpq_mpoly_struct* f, int dof, char part) {
  const int i = find_variable(b, dof, part), joint = b->m->dof_body[dof];
  if (i >= 0)
    fmpq_mpoly_gen(f, i, b->ctx);
  else
    sar_loop_set_symbol(
        b, f,
        (SarLoopSymbol){.part = part,
                        .q = b->m->joint_qadr[joint] + dof - b->m->joint_vadr[joint]});
}

static Xform pose_of(const SarLoopBuilder* b, int body) {
  return body < 0 ? x_identity() : b->X_GB[body];
}

// Of body `of` in the frame of a joint that stands on body `in`.
static Xform pose_in(const SarLoopBuilder* b, int of, int in, int joint) {
  const Xform X_GF = x_mul(pose_of(b, in), sar_loop_joint_frame(b->m, joint));
  return x_mul(x_inv(X_GF), pose_of(b, of));
}

// Is the row in hand one of a plane, and z of this frame normal to it?
static bool is_upright(const SarLoopBuilder* b, int body, int joint) {
  const V3 z = m3_mul_v(pose_of(b, body).R, m3_col_z(sar_loop_joint_frame(b->m, joint).R));
  return b->flat && fabs(v3_dot(z, b->normal)) > 1 - 1e-9;
}

// A component of a known point or direction: in a plane, what is normal to it is a number.
static void set_known(SarLoopBuilder* b, fmpq_mpoly_struct* f, SarLoopSymbol s) {
  if (!is_upright(b, s.in, s.joint) || s.component < 2) {
    sar_loop_set_symbol(b, f, s);
    return;
  }
  const Xform X = pose_in(b, s.of, s.in, s.joint);
  sar_loop_set_number(b, f, s.direction ? m3_mul_v(X.R, s.at).z : x_point(X, s.at).z);
}

static bool is_known(const SarLoopBuilder* b, int body) {
  for (int i = 0; i < b->m->joint_nv[body]; i++)
    if (!b->known_at[b->m->joint_vadr[body] + i]) return false;
  return true;
}

// Is everything from body down to e (an ancestor, not counted) known?
static bool is_known_from(const SarLoopBuilder* b, int body, int e) {
  for (; body != e && body >= 0; body = b->m->body_parent[body])
    if (!is_known(b, body)) return false;
  return true;
}

static bool is_above(const SarModel* m, int e, int body) {
  for (; body >= 0; body = m->body_parent[body])
    if (body == e) return true;
  return e < 0;
}

// ---- along the joints ---------------------------------------------------------------------------

// (x, y) of v <- (c x - s y, s x + c y), for the axes i and j
static void turn(SarLoopBuilder* b, SarLoopVector* v, int i, int j, int dof) {
  fmpq_mpoly_t s, c, x, y;
  fmpq_mpoly_init(s, b->ctx), fmpq_mpoly_init(c, b->ctx);
  fmpq_mpoly_init(x, b->ctx), fmpq_mpoly_init(y, b->ctx);
  set_variable(b, s, dof, 's'), set_variable(b, c, dof, 'c');
  sar_loop_add_product(b, x, 1, c, &v->x[i]), sar_loop_add_product(b, x, -1, s, &v->x[j]);
  sar_loop_add_product(b, y, 1, s, &v->x[i]), sar_loop_add_product(b, y, 1, c, &v->x[j]);
  fmpq_mpoly_swap(x, &v->x[i], b->ctx), fmpq_mpoly_swap(y, &v->x[j], b->ctx);
  fmpq_mpoly_clear(s, b->ctx), fmpq_mpoly_clear(c, b->ctx);
  fmpq_mpoly_clear(x, b->ctx), fmpq_mpoly_clear(y, b->ctx);
}

static void shift(SarLoopBuilder* b, SarLoopVector* v, int i, int dof) {
  fmpq_mpoly_t x;
  fmpq_mpoly_init(x, b->ctx);
  set_variable(b, x, dof, 'x');
  fmpq_mpoly_add(&v->x[i], &v->x[i], x, b->ctx);
  fmpq_mpoly_clear(x, b->ctx);
}

// The joint itself, from B to F.
static void pass_joint(SarLoopBuilder* b, int body, SarLoopVector* v, bool direction) {
  const char* name = b->m->joint_kind[body]->name;
  const int dof = b->m->joint_vadr[body];
  if (!strcmp(name, "revolute")) {
    turn(b, v, 0, 1, dof);
  } else if (!strcmp(name, "prismatic")) {
    if (!direction) shift(b, v, 2, dof);
  } else if (!strcmp(name, "cylindrical")) {
    turn(b, v, 0, 1, dof);
    if (!direction) shift(b, v, 2, dof + 1);
  } else if (!strcmp(name, "universal")) {  // Rx(q1) Ry(q2)
    turn(b, v, 2, 0, dof + 1);
    turn(b, v, 1, 2, dof);
  } else if (!strcmp(name, "gimbal")) {  // Ry(q1) Rx(q2) Ry(q1)
    turn(b, v, 2, 0, dof);
    turn(b, v, 1, 2, dof + 1);
    turn(b, v, 2, 0, dof);
  } else if (!strcmp(name, "planar")) {
    turn(b, v, 0, 1, dof + 2);
    if (!direction) shift(b, v, 0, dof), shift(b, v, 1, dof + 1);
  } else if (!strcmp(name, "cartesian")) {
    for (int i = 0; i < 3 && !direction; i++) shift(b, v, i, dof + i);
  } else {
    b->problem = "spherical, free or screw joints are among its unknowns";
  }
}

// Rational cosine and sine of an angle, on the circle exactly: by the tangent of its half.
static void set_circle(SarLoopNumbers* known, double angle, fmpq_t c, fmpq_t s) {
  const bool back = cos(angle) < 0;
  fmpq_t t, square, over;
  fmpq_init(t), fmpq_init(square), fmpq_init(over);
  const double sine = back ? -sin(angle) : sin(angle), cosine = fabs(cos(angle));
  sar_rational(known, sine / (1 + cosine), t);
  fmpq_mul(square, t, t);
  fmpq_add_si(over, square, 1);
  fmpq_sub_si(c, square, 1), fmpq_neg(c, c), fmpq_div(c, c, over);
  fmpq_add(s, t, t), fmpq_div(s, s, over);
  if (back) fmpq_neg(c, c), fmpq_neg(s, s);
  fmpq_clear(t), fmpq_clear(square), fmpq_clear(over);
}

// Rows i and j of R <- (c i - s j, s i + c j)
static void turn_rows(SarLoopNumbers* known, fmpq_t R[3][3], int i, int j, double angle) {
  fmpq_t c, s, x, y;
  fmpq_init(c), fmpq_init(s), fmpq_init(x), fmpq_init(y);
  set_circle(known, angle, c, s);
  for (int k = 0; k < 3; k++) {
    fmpq_mul(x, c, R[i][k]), fmpq_submul(x, s, R[j][k]);
    fmpq_mul(y, s, R[i][k]), fmpq_addmul(y, c, R[j][k]);
    fmpq_swap(x, R[i][k]), fmpq_swap(y, R[j][k]);
  }
  fmpq_clear(c), fmpq_clear(s), fmpq_clear(x), fmpq_clear(y);
}

// Rotations stay rotations, and an axis z that is perpendicular to another stays so: R = Rz Ry Rz
// with rational turns. Otherwise the degree of a basis would rise.
static void set_rotation(SarLoopNumbers* known, const M3* R, fmpq_t out[3][3]) {
  const double tilt = sar_hypot(R->xz, R->yz);
  const bool straight = tilt < 1e-9;
  const double first = straight ? 0 : atan2(R->yz, R->xz), second = atan2(tilt, R->zz);
  const double third = !straight   ? atan2(R->zy, -R->zx)
                       : R->zz > 0 ? atan2(R->yx, R->xx)
                                   : atan2(R->yx, -R->xx);
  for (int i = 0; i < 9; i++) fmpq_set_si(out[i / 3][i % 3], i % 4 == 0, 1);
  turn_rows(known, out, 0, 1, third);
  turn_rows(known, out, 2, 0, straight ? (R->zz > 0 ? 0 : acos(-1.0)) : second);
  turn_rows(known, out, 0, 1, first);
}

static int zeros(V3 x) {
  const double least = 1e-9 * (1 + v3_norm(x));
  return (fabs(x.x) < least) + (fabs(x.y) < least) + (fabs(x.z) < least);
}

// R_PF and p_PF: numbers. An offset along an axis of F is one in F, before the rotation: as numbers
// in P it would not lie on the axis exactly.
static void pass_frame(SarLoopBuilder* b, const Xform* X, SarLoopVector* v, bool direction) {
  SarLoopVector out;
  fmpq_t R[3][3];
  fmpq_mpoly_t t;
  const V3 inside = m3_tmul_v(X->R, X->p);
  const bool before = !direction && zeros(inside) > zeros(X->p);
  for (int i = 0; i < 9; i++) fmpq_init(R[i / 3][i % 3]);
  set_rotation(b->numbers, &X->R, R);
  sar_loop_vector_init(b, &out);
  fmpq_mpoly_init(t, b->ctx);
  if (before) add_numbers(b, v, inside);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      fmpq_mpoly_scalar_mul_fmpq(t, &v->x[j], R[i][j], b->ctx);
      fmpq_mpoly_add(&out.x[i], &out.x[i], t, b->ctx);
    }
  for (int i = 0; i < 3; i++) fmpq_mpoly_swap(&out.x[i], &v->x[i], b->ctx);
  if (!before && !direction) add_numbers(b, v, X->p);
  for (int i = 0; i < 9; i++) fmpq_clear(R[i / 3][i % 3]);
  fmpq_mpoly_clear(t, b->ctx);
  sar_loop_vector_clear(b, &out);
}

// Entry (i, j) of the rotation from `of` to `in`. In a plane it is one of
// [c -s 0; s c 0; 0 0 1] and [c s 0; s -c 0; 0 0 -1], c and s symbols.
static void set_entry(SarLoopBuilder* b, fmpq_mpoly_struct* f, int of, int in, int joint, int i,
                      int j) {
  SarLoopSymbol s = {.of = of,
                     .in = in,
                     .component = i,
                     .direction = true,
                     .at = v3(j == 0, j == 1, j == 2),
                     .joint = joint};
  if (!is_upright(b, of, -1) || !is_upright(b, in, joint)) {
    sar_loop_set_symbol(b, f, s);
    return;
  }
  const double same = pose_in(b, of, in, joint).R.zz > 0 ? 1 : -1;
  if (i == 2 || j == 2) {
    sar_loop_set_number(b, f, i == j ? same : 0);
    return;
  }
  s.component = i == j ? 0 : 1, s.at = v3(1, 0, 0);
  sar_loop_set_symbol(b, f, s);
  if ((i == 0 && j == 1 && same > 0) || (i == 1 && j == 1 && same < 0))
    fmpq_mpoly_neg(f, f, b->ctx);
}

// The pose of a body in a frame of another, both known.
static void pass_symbols(SarLoopBuilder* b, int of, int in, int joint, SarLoopVector* v,
                         bool direction) {
  SarLoopVector out;
  fmpq_mpoly_t entry;
  sar_loop_vector_init(b, &out);
  fmpq_mpoly_init(entry, b->ctx);
  for (int i = 0; i < 3; i++) {
    if (!direction)
      set_known(b, &out.x[i], (SarLoopSymbol){.of = of, .in = in, .component = i, .joint = joint});
    for (int j = 0; j < 3; j++) {
      if (fmpq_mpoly_is_zero(&v->x[j], b->ctx)) continue;
      set_entry(b, entry, of, in, joint, i, j);
      sar_loop_add_product(b, &out.x[i], 1, entry, &v->x[j]);
    }
  }
  for (int i = 0; i < 3; i++) fmpq_mpoly_swap(&out.x[i], &v->x[i], b->ctx);
  fmpq_mpoly_clear(entry, b->ctx);
  sar_loop_vector_clear(b, &out);
}

// The body before the first unknown joint on the way to `body`; -2: none is unknown.
int sar_loop_first_frame(const SarLoopBuilder* b, int body) {
  int found = -2;
  for (; body >= 0; body = b->m->body_parent[body])
    if (!is_known(b, body)) found = b->m->body_parent[body];
  return found;
}

int sar_loop_frame_in(const SarLoopBuilder* b, int e) {
  const SarModel* m = b->m;
  const SarLoopBlock* k = b->block;
  int first = -1;
  for (int i = 0; i < k->size; i++) {
    const int j = m->dof_body[k->dof[i]];
    if (m->body_parent[j] == e && sar_loop_leg_of(k, k->dof[i]) < 0 && (first < 0 || j < first))
      first = j;
  }
  return first;
}

// From the frame of a joint to its body's parent, or where that is e to the frame in which rows are
// written.
static void leave_frame(SarLoopBuilder* b, int body, int e, int joint, SarLoopVector* v,
                        bool direction) {
  Xform X = b->m->body_X_PF[body];
  if (b->m->body_parent[body] == e) X = x_mul(x_inv(sar_loop_joint_frame(b->m, joint)), X);
  if (body != joint) pass_frame(b, &X, v, direction);
}

// A point or direction of a body, in the frame of e.
void sar_loop_carry(SarLoopBuilder* b, int body, V3 at, bool direction, int e, SarLoopVector* v) {
  const SarModel* m = b->m;
  const int joint = sar_loop_frame_in(b, e);
  const bool above = is_above(m, e, body);
  const int first = sar_loop_first_frame(b, body), stop = above ? e : first;
  bool numbers = true;  // nothing but those yet
  const bool slides = above && body >= 0 && m->body_parent[body] == e &&
                      !strcmp(m->joint_kind[body]->name, "prismatic");
  if (body != e && !slides && (first == -2 || (above && is_known_from(b, body, e)))) {
    for (int i = 0; i < 3; i++)
      set_known(b, &v->x[i],
                (SarLoopSymbol){.of = body,
                                .in = e,
                                .component = i,
                                .direction = direction,
                                .at = at,
                                .joint = joint});
    return;
  }
  if (body == e) {
    const Xform X = sar_loop_joint_frame(m, joint);
    at = direction ? m3_tmul_v(X.R, at) : x_point_inv(X, at);
  }
  sar_loop_set_numbers(b, v, at);
  for (int k = body; k != stop && k >= 0 && !b->problem; numbers = false) {
    int up = k, passed = 0;  // as far as it is known
    for (; up != stop && up >= 0 && is_known(b, up); up = m->body_parent[up]) passed++;
    // one that slides has one symbol, its pose three
    if (passed == 1 && !strcmp(m->joint_kind[k]->name, "prismatic")) up = k;
    const int in = up == e ? joint : -1;
    if (up != k && numbers) {
      for (int i = 0; i < 3; i++)
        set_known(
            b, &v->x[i],
            (SarLoopSymbol){
                .of = k, .in = up, .component = i, .direction = direction, .at = at, .joint = in});
    } else if (up != k) {
      pass_symbols(b, k, up, in, v, direction);
    } else {
      pass_joint(b, k, v, direction);
      leave_frame(b, k, e, joint, v, direction);
      up = m->body_parent[k];
    }
    k = up;
  }
  if (stop != e && !b->problem) pass_symbols(b, stop, e, joint, v, direction);
}
