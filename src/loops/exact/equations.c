// Loop closure as polynomials (loops.h): the rows of a block, in the body E before the first
// unknown joint (in the frame of a joint there: sar_loop_frame_in).
#include "loops/exact/carry.h"

#include "base/print.h"
#include "loops/plan.h"

#include <math.h>
#include <string.h>

// ---- rows ---------------------------------------------------------------------------------------

// How many rows of the block are ALONG terms of this pair?
int sar_loop_along_rows(const SarLoopBuilder* b, int pair) {
  int count = 0;
  for (int i = 0; i < b->block->rows; i++) {
    const SarTerm* t = sar_loop_term(b->m, b->block->row[i]);
    count += t && t->kind == SAR_TERM_ALONG && t->pair == pair;
  }
  return count;
}

static V3 axis_of(const SarLoopBuilder* b, int body) { return m3_col_z(b->X_GB[body].R); }

// Do all joints between the bodies of the pair move in the plane with this normal (ground)?
static bool is_flat(const SarLoopBuilder* b, const SarPair* p, V3 normal) {
  for (int i = 0; i < p->num; i++) {
    const int j = b->m->dof_body[b->m->pair_dof[p->adr + i]];
    const char* name = b->m->joint_kind[j]->name;
    const double along = fabs(v3_dot(axis_of(b, j), normal));
    if (!strcmp(name, "revolute") || !strcmp(name, "planar") ? along < 1 - 1e-9
        : !strcmp(name, "prismatic")                         ? along > 1e-9
                                                             : true)
      return false;
  }
  return true;
}

void sar_loop_dot(SarLoopBuilder* b, const SarLoopVector* u, const SarLoopVector* v,
                  fmpq_mpoly_struct* out) {
  for (int i = 0; i < 3; i++) sar_loop_add_product(b, out, 1, &u->x[i], &v->x[i]);
}

// d = p_b - p_a in e
void sar_loop_distance(SarLoopBuilder* b, const SarPair* p, int e, SarLoopVector* d) {
  SarLoopVector a;
  sar_loop_vector_init(b, &a);
  sar_loop_carry(b, p->body[0], p->point[0], false, e, &a);
  sar_loop_carry(b, p->body[1], p->point[1], false, e, d);
  for (int i = 0; i < 3; i++) fmpq_mpoly_sub(&d->x[i], &d->x[i], &a.x[i], b->ctx);
  sar_loop_vector_clear(b, &a);
}

int sar_loop_frame(const SarLoopBuilder* b, const SarPair* p) {
  const int first = sar_loop_first_frame(b, p->body[0]),
            second = sar_loop_first_frame(b, p->body[1]);
  return second == -2 ? first : second;
}

// Three rows of a point say that the difference vanishes, two of a plane that it does in the plane:
// then the directions may be those of e. t: which of them this row is.
bool sar_loop_is_vector(SarLoopBuilder* b, const SarTerm* t, int e, V3* along) {
  const SarModel* m = b->m;
  const int rows = sar_loop_along_rows(b, t->pair);
  V3 x[3] = {{0}};
  int count = 0, mine = 0;
  for (int i = 0; i < b->block->rows; i++) {
    const SarTerm* o = sar_loop_term(m, b->block->row[i]);
    if (!o || o->kind != SAR_TERM_ALONG || o->pair != t->pair) continue;
    if (o == t) mine = count;
    if (count < 3) x[count] = o->x;
    count++;
  }
  if (rows == 3) {
    *along = v3(mine == 0, mine == 1, mine == 2);
    return true;
  }
  if (rows != 2) return false;
  const Xform X_GA =
      m->pair[t->pair].body[0] < 0 ? x_identity() : b->X_GB[m->pair[t->pair].body[0]];
  const V3 normal = v3_unit(m3_mul_v(X_GA.R, v3_cross(x[0], x[1])));
  if (!is_flat(b, &m->pair[t->pair], normal)) return false;
  b->normal = normal;
  const M3 R_GE = m3_mul(e < 0 ? m3_identity() : b->X_GB[e].R,
                         sar_loop_joint_frame(m, sar_loop_frame_in(b, e)).R);
  const V3 n = m3_tmul_v(R_GE, normal);
  const V3 first = fabs(n.z) > 1 - 1e-9 ? v3(1, 0, 0) : v3_perp(n);
  const V3 second = fabs(n.z) > 1 - 1e-9 ? v3(0, 1, 0) : v3_cross(n, first);
  *along = mine == 0 ? first : second;
  return true;
}

static void along_row(SarLoopBuilder* b, const SarTerm* t, int row, fmpq_mpoly_struct* out) {
  const SarPair* p = &b->m->pair[t->pair];
  const int e = sar_loop_frame(b, p);
  SarLoopVector d, u;
  V3 along;
  sar_loop_vector_init(b, &d), sar_loop_vector_init(b, &u);
  const bool vector = b->m->row[row].constant == 0 && sar_loop_is_vector(b, t, e, &along);
  b->flat = vector && sar_loop_along_rows(b, t->pair) == 2;
  sar_loop_distance(b, p, e, &d);
  if (vector)
    sar_loop_set_numbers(b, &u, along);
  else
    sar_loop_carry(b, p->body[0], t->x, true, e, &u);
  sar_loop_dot(b, &u, &d, out);
  b->flat = false;
  sar_loop_vector_clear(b, &d), sar_loop_vector_clear(b, &u);
}

static void other_row(SarLoopBuilder* b, const SarTerm* t, fmpq_mpoly_struct* out) {
  const SarPair* p = &b->m->pair[t->pair];
  const int e = sar_loop_frame(b, p);
  SarLoopVector d, u;
  sar_loop_vector_init(b, &d), sar_loop_vector_init(b, &u);
  if (t->kind == SAR_TERM_PERPENDICULAR) {
    sar_loop_carry(b, p->body[0], t->x, true, e, &u);
    sar_loop_carry(b, p->body[1], t->w, true, e, &d);
    sar_loop_dot(b, &u, &d, out);
  } else {  // the square of a distance
    sar_loop_distance(b, p, e, &d);
    sar_loop_dot(b, &d, &d, out);
  }
  sar_loop_vector_clear(b, &d), sar_loop_vector_clear(b, &u);
}

static void add_row(SarLoopBuilder* b, int row, fmpq_mpoly_struct* f) {
  const SarModel* m = b->m;
  const SarTerm* t = sar_loop_term(m, row);
  const SarRow* r = &m->row[row];
  if (!t || r->slot >= 0 || r->nonholonomic || r->turn != 0) {
    b->problem = "a row of it is a sum, follows time, holds speeds or counts turns";
    return;
  }
  const double value = r->constant / t->coefficient;
  fmpq_mpoly_t number;
  fmpq_mpoly_init(number, b->ctx);
  switch (t->kind) {
    case SAR_TERM_ALONG:
      along_row(b, t, row, f);
      sar_loop_set_number(b, number, value);
      break;
    case SAR_TERM_PERPENDICULAR:
      other_row(b, t, f);
      sar_loop_set_number(b, number, value);
      break;
    case SAR_TERM_DISTANCE:
      other_row(b, t, f);
      sar_loop_set_number(b, number, value * value);
      break;
    default: b->problem = "a row of it measures an angle, a coordinate, a curve or a wheel";
  }
  fmpq_mpoly_sub(f, f, number, b->ctx);
  fmpq_mpoly_clear(number, b->ctx);
}

static bool is_of_leg(const SarLoopBlock* k, int row) {
  for (int i = 0; i < k->legs; i++)
    for (int j = 0; j < k->leg[i].rows; j++)
      if (k->leg[i].row[j] == row) return true;
  return false;
}

// Rows are quadratic in the quaternion of a joint: three of them that fix three rotations and
// nothing else meet in up to 2^3 rotations (Bezout, a quaternion and its negative being one), and
// with other unknowns in more. With knowns as symbols the basis is beyond any bound (the paper,
// sec. 4.2, says the same).
static void say_rotations(SarLoopBuilder* b, int joint) {
  SarLoopBlock* k = b->block;
  const char* name = sar_text(b->m, b->m->joint_name[joint]);
  int rotations = 0, others = 0;
  for (int i = 0; i < k->size; i++) {
    if (sar_loop_leg_of(k, k->dof[i]) >= 0) continue;
    const int j = b->m->dof_body[k->dof[i]], n = k->dof[i] - b->m->joint_vadr[j];
    const bool turns = j == joint && b->m->joint_kind[j]->coordinate[n] == SAR_ANGLE;
    rotations += turns, others += !turns;
  }
  if (others == 0)
    sar_snprintf(k->reason, sizeof k->reason,
                 "%d rotations of joint '%.40s' at once, with up to %d solutions", rotations, name,
                 1 << rotations);
  else
    sar_snprintf(k->reason, sizeof k->reason,
                 "%d rotations of joint '%.40s' and %d other unknown%s at once", rotations, name,
                 others, others == 1 ? "" : "s");
  b->problem = k->reason;
}

// The unknowns, outermost first: in the basis they are found last.
static void make_variables(SarLoopBuilder* b) {
  SarLoopBlock* k = b->block;
  k->variables = k->symbols = 0;
  for (int i = k->size - 1; i >= 0; i--) {
    const int dof = k->dof[i], joint = b->m->dof_body[dof], n = dof - b->m->joint_vadr[joint];
    const SarJointKind* kind = b->m->joint_kind[joint];
    if (sar_loop_leg_of(k, dof) >= 0) continue;
    const bool angle = kind->coordinate[n] == SAR_ANGLE;
    if (kind->nq != kind->nv) say_rotations(b, joint);
    if (k->variables + 1 + angle > SAR_LOOP_MAX_VARIABLES) {
      b->problem = "more unknowns than a basis can have";
      return;
    }
    const int q = b->m->joint_qadr[joint] + n;
    if (angle) k->variable[k->variables++] = (SarLoopVariable){dof, q, 's'};
    k->variable[k->variables++] = (SarLoopVariable){dof, q, angle ? 'c' : 'x'};
  }
}

bool sar_loop_equations(SarLoopBuilder* b, fmpq_mpoly_struct* f, int* count) {
  SarLoopBlock* k = b->block;
  *count = 0;
  make_variables(b);
  for (int i = 0; i < k->legs && !b->problem; i++) sar_loop_surface_rows(b, i, f, count);
  for (int i = 0; i < k->rows && !b->problem; i++)
    if (!is_of_leg(k, k->row[i])) add_row(b, k->row[i], &f[(*count)++]);
  for (int i = 0; i < k->variables && !b->problem; i++) {
    if (k->variable[i].part != 's') continue;
    fmpq_mpoly_t s, c;
    fmpq_mpoly_init(s, b->ctx), fmpq_mpoly_init(c, b->ctx);
    fmpq_mpoly_gen(s, i, b->ctx), fmpq_mpoly_gen(c, i + 1, b->ctx);
    fmpq_mpoly_struct* circle = &f[(*count)++];
    sar_loop_add_product(b, circle, 1, s, s), sar_loop_add_product(b, circle, 1, c, c);
    fmpq_mpoly_sub_si(circle, circle, 1, b->ctx);
    fmpq_mpoly_clear(s, b->ctx), fmpq_mpoly_clear(c, b->ctx);
  }
  return !b->problem;
}
