// Legs of a block (loops.h): what elimination of a leg's own unknowns leaves of its rows.
//
// The basis of a leg is that of its rows with everything else known: elements that have unknowns
// give these, and those that have none are the leg's surfaces: x^2 + y^2 + z^2 = L^2 for a link
// between a universal and a ball joint, z = h and x^2 + y^2 = r^2 for one that turns about an axis.
// A link between ball joints has its sphere without a basis.
#include "loops/exact/carry.h"

#include "loops/plan.h"

#include <math.h>
#include <string.h>

#define NEW(arena, type, n) SAR_ARENA_ARRAY(arena, type, (n) + 1)

// ---- the end of a leg ---------------------------------------------------------------------------

static bool is_above(const SarModel* m, int e, int body) {
  for (; body >= 0; body = m->body_parent[body])
    if (body == e) return true;
  return e < 0;
}

static bool is_in_core(const SarLoopBlock* k, int dof) {
  for (int i = 0; i < k->size; i++)
    if (k->dof[i] == dof) return sar_loop_leg_of(k, dof) < 0;
  return false;
}

// Has a joint on the way from `body` to one that is above both unknowns of the core?
static bool way_moves(const SarModel* m, const SarLoopBlock* k, int body, int other) {
  for (; body >= 0 && !is_above(m, body, other); body = m->body_parent[body])
    for (int i = 0; i < m->joint_nv[body]; i++)
      if (is_in_core(k, m->joint_vadr[body] + i)) return true;
  return false;
}

static bool moves(const SarModel* m, const SarLoopBlock* k, const SarLoopSymbol* s) {
  if (!s->part) return way_moves(m, k, s->of, s->in) || way_moves(m, k, s->in, s->of);
  for (int i = 0; i < k->size; i++) {
    const int b = m->dof_body[k->dof[i]];
    if (m->joint_qadr[b] + k->dof[i] - m->joint_vadr[b] == s->q) return is_in_core(k, k->dof[i]);
  }
  return false;
}

// Symbols that change with the core: components of one point and no others.
static bool find_end(const SarModel* m, const SarLoopBlock* k, SarLoopBlock* leg) {
  const SarLoopSymbol* end = NULL;
  for (int i = 0; i < leg->symbols; i++) {
    const SarLoopSymbol* s = &leg->symbol[i];
    if (!moves(m, k, s)) continue;
    if (s->part || s->direction) return false;
    if (end && (s->of != end->of || s->in != end->in || v3_norm(v3_sub(s->at, end->at)) != 0 ||
                s->joint != end->joint))
      return false;
    end = s;
    leg->end[s->component] = i;
  }
  return end != NULL;
}

// ---- bases --------------------------------------------------------------------------------------

static bool plan_leg(SarLoopFlow* f, const SarLoopBuilder* of, SarLoopBlock* leg,
                     const SarLoopOptions* o, SarGroebner* g) {
  const SarModel* m = of->m;
  int* known = NEW(&f->arena, int, m->nv);
  if (f->arena.failed) return false;
  memcpy(known, of->known_at, (size_t)m->nv * sizeof *known);
  for (int i = 0; i < of->block->size; i++) known[of->block->dof[i]] = 1;
  for (int i = 0; i < leg->size; i++) known[leg->dof[i]] = 0;
  SarLoopBuilder b = {.m = m,
                      .q = of->q,
                      .X_GB = of->X_GB,
                      .known_at = known,
                      .block = leg,
                      .numbers = of->numbers};
  if (!sar_loop_basis(&b, o, g)) return false;
  const bool good = find_end(m, of->block, leg) && sar_loop_take_elements(f, leg, g) &&
                    sar_loop_take_surfaces(f, leg, g) && leg->surfaces == leg->rows - leg->size;
  if (!good) sar_groebner_free(g);
  return good;
}

// |x - c|^2 = |a|^2, x the target in the body that carries the link
static bool plan_aim(SarLoopFlow* f, const SarModel* m, SarLoopBlock* leg) {
  const SarLoopAim* a = &leg->aim;
  const V3 c = m->body_X_PF[a->link].p;
  const double at[3] = {c.x, c.y, c.z};
  SarLoopElement* e = leg->surface = NEW(&f->arena, SarLoopElement, 1);
  if (f->arena.failed) return false;
  *e = (SarLoopElement){.main = 0, .degree = 2, .terms = 7, .c = NEW(&f->arena, double, 7)};
  e->e = sar_arena_push(&f->arena, 8 * sizeof *e->e);
  if (f->arena.failed) return false;
  memset(e->e, 0, 8 * sizeof *e->e);
  leg->surfaces = 1, leg->symbols = 3;
  e->c[6] = v3_dot(c, c) - v3_dot(a->arm, a->arm);
  for (int i = 0; i < 3; i++) {
    leg->symbol[i] = (SarLoopSymbol){
        .of = a->target, .in = m->body_parent[a->link], .component = i, .at = a->at, .joint = -1};
    leg->end[i] = i;
    e->c[i] = 1, e->e[i][i] = 2;
    e->c[3 + i] = -2 * at[i], e->e[3 + i][i] = 1;
  }
  return true;
}

bool sar_loop_plan_legs(SarLoopFlow* f, SarLoopBuilder* b, const SarLoopOptions* o,
                        SarGroebner* out) {
  SarLoopBlock* k = b->block;
  for (int i = 0; i < k->legs;) {
    SarLoopBlock* leg = &k->leg[i];
    const bool good =
        leg->kind == SAR_LOOP_AIMED ? plan_aim(f, b->m, leg) : plan_leg(f, b, leg, o, &out[i]);
    if (good)
      i++;
    else
      sar_loop_drop_leg(k, i);
  }
  return !f->arena.failed;
}

// ---- equations of the core ----------------------------------------------------------------------

// |p_T - c|^2 = |a|^2 of a link between ball joints
static void aim_row(SarLoopBuilder* b, const SarLoopAim* a, fmpq_mpoly_struct* f) {
  const SarPair ends = {.body = {b->m->body_parent[a->link], a->target},
                        .point = {b->m->body_X_PF[a->link].p, a->at}};
  SarLoopVector d;
  fmpq_mpoly_t number;
  sar_loop_vector_init(b, &d);
  fmpq_mpoly_init(number, b->ctx);
  sar_loop_distance(b, &ends, sar_loop_frame(b, &ends), &d);
  sar_loop_dot(b, &d, &d, f);
  sar_loop_set_number(b, number, v3_dot(a->arm, a->arm));
  fmpq_mpoly_sub(f, f, number, b->ctx);
  fmpq_mpoly_clear(number, b->ctx);
  sar_loop_vector_clear(b, &d);
}

// Symbols of a leg as polynomials of the core.
typedef struct Image {
  fmpq_mpoly_struct x[SAR_LOOP_MAX_VARIABLES];
  fmpq_mpoly_t square;  // of the end's components, all together
} Image;

static void image_init(SarLoopBuilder* b, Image* y) {
  for (int i = 0; i < SAR_LOOP_MAX_VARIABLES; i++) fmpq_mpoly_init(&y->x[i], b->ctx);
  fmpq_mpoly_init(y->square, b->ctx);
}

static void image_clear(SarLoopBuilder* b, Image* y) {
  for (int i = 0; i < SAR_LOOP_MAX_VARIABLES; i++) fmpq_mpoly_clear(&y->x[i], b->ctx);
  fmpq_mpoly_clear(y->square, b->ctx);
}

// x_i = u_i . d: d from the origin of the frame in which the leg stands to the end, u_i its axes;
// and the sum of squares without them: |d|^2, less what is not among the components.
static void set_image(SarLoopBuilder* b, const SarLoopBlock* leg, Image* y) {
  const int any = leg->end[0] >= 0 ? leg->end[0] : leg->end[1] >= 0 ? leg->end[1] : leg->end[2];
  const SarLoopSymbol* s = &leg->symbol[any];
  const Xform X_EF = sar_loop_joint_frame(b->m, s->joint);
  const SarPair ends = {.body = {s->in, s->of}, .point = {X_EF.p, s->at}};
  const V3 axis[3] = {m3_col_x(X_EF.R), m3_col_y(X_EF.R), m3_col_z(X_EF.R)};
  const int e = sar_loop_frame(b, &ends);
  const SarTerm* t = sar_loop_term(b->m, leg->row[0]);
  V3 along;
  SarLoopVector d, u;
  fmpq_mpoly_t z;
  b->flat = leg->rows == 2 && sar_loop_is_vector(b, t, e, &along);
  sar_loop_vector_init(b, &d), sar_loop_vector_init(b, &u);
  fmpq_mpoly_init(z, b->ctx);
  sar_loop_distance(b, &ends, e, &d);
  sar_loop_dot(b, &d, &d, y->square);
  for (int i = 0; i < 3; i++) {
    fmpq_mpoly_struct* x = leg->end[i] >= 0 ? &y->x[leg->end[i]] : z;
    sar_loop_carry(b, s->in, axis[i], true, e, &u);
    sar_loop_dot(b, &u, &d, x);
    if (leg->end[i] < 0) sar_loop_add_product(b, y->square, -1, z, z), fmpq_mpoly_zero(z, b->ctx);
  }
  for (int i = 0; i < leg->symbols; i++)
    if (i != leg->end[0] && i != leg->end[1] && i != leg->end[2])
      sar_loop_set_symbol(b, &y->x[i], leg->symbol[i]);
  b->flat = false;
  fmpq_mpoly_clear(z, b->ctx);
  sar_loop_vector_clear(b, &d), sar_loop_vector_clear(b, &u);
}

// Which term is x_i^2 alone? -1: none.
static slong square_term(const SarLoopBlock* leg, const fmpz_mpoly_struct* p,
                         const fmpz_mpoly_ctx_t ctx, int end) {
  ulong e[SAR_ALGEBRA_VARIABLES + 1];
  for (slong k = 0; k < fmpz_mpoly_length(p, ctx); k++) {
    ulong total = 0;
    fmpz_mpoly_get_term_exp_ui(e, p, k, ctx);
    for (int v = 0; v < (int)fmpz_mpoly_ctx_nvars(ctx); v++) total += e[v];
    if (total == 2 && e[leg->variables + end] == 2) return k;
  }
  return -1;
}

// Is x^2 + y^2 + .. of the end in it, with one coefficient? Then the terms, and the coefficient.
static bool has_squares(const SarLoopBlock* leg, const fmpz_mpoly_struct* p,
                        const fmpz_mpoly_ctx_t ctx, slong* term, fmpz_t c) {
  fmpz_t x;
  bool same = true, first = true;
  fmpz_init(x);
  for (int i = 0; i < 3; i++) {
    term[i] = leg->end[i] < 0 ? -1 : square_term(leg, p, ctx, leg->end[i]);
    if (leg->end[i] < 0) continue;
    if (term[i] < 0) same = false;
    if (!same) break;
    fmpz_mpoly_get_term_coeff_fmpz(x, p, term[i], ctx);
    if (first) fmpz_set(c, x);
    same = fmpz_equal(c, x);
    first = false;
  }
  fmpz_clear(x);
  return same && !first;
}

static void add_term(SarLoopBuilder* b, const SarLoopBlock* leg, const Image* y,
                     const fmpz_mpoly_struct* p, const fmpz_mpoly_ctx_t ctx, slong k,
                     fmpq_mpoly_struct* f) {
  ulong e[SAR_ALGEBRA_VARIABLES + 1];
  fmpz_t c;
  fmpq_mpoly_t t;
  fmpz_init(c);
  fmpq_mpoly_init(t, b->ctx);
  fmpz_mpoly_get_term_coeff_fmpz(c, p, k, ctx);
  fmpz_mpoly_get_term_exp_ui(e, p, k, ctx);
  fmpq_mpoly_set_fmpz(t, c, b->ctx);
  for (int i = 0; i < leg->symbols; i++)
    for (ulong n = 0; n < e[leg->variables + i]; n++) fmpq_mpoly_mul(t, t, &y->x[i], b->ctx);
  fmpq_mpoly_add(f, f, t, b->ctx);
  fmpz_clear(c);
  fmpq_mpoly_clear(t, b->ctx);
}

static void surface_row(SarLoopBuilder* b, const SarLoopBlock* leg, const Image* y,
                        const fmpz_mpoly_struct* p, const fmpz_mpoly_ctx_t ctx,
                        fmpq_mpoly_struct* f) {
  slong square[3] = {-1, -1, -1};
  fmpz_t c;
  fmpz_init(c);
  const bool squares = has_squares(leg, p, ctx, square, c);
  if (squares) fmpq_mpoly_scalar_mul_fmpz(f, y->square, c, b->ctx);
  for (slong k = 0; k < fmpz_mpoly_length(p, ctx); k++)
    if (!squares || (k != square[0] && k != square[1] && k != square[2]))
      add_term(b, leg, y, p, ctx, k, f);
  fmpz_clear(c);
}

void sar_loop_surface_rows(SarLoopBuilder* b, int which, fmpq_mpoly_struct* f, int* count) {
  const SarLoopBlock* leg = &b->block->leg[which];
  if (leg->kind == SAR_LOOP_AIMED) {
    aim_row(b, &leg->aim, &f[(*count)++]);
    return;
  }
  const SarGroebner* g = &b->leg_basis[which];
  Image y;
  image_init(b, &y);
  set_image(b, leg, &y);
  for (int i = 0; i < g->count && !b->problem; i++)
    if (sar_poly_figures(&g->g[i], g->ctx).main >= leg->variables)
      surface_row(b, leg, &y, &g->g[i], g->ctx, &f[(*count)++]);
  image_clear(b, &y);
}
