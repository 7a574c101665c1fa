// Sines and cosines in sums of products, drawn together where that leaves fewer
// terms:
//
//   k cos² = k - k sin²   for all of an angle, or the other way round
//   k sin a cos b ± k cos a sin b = k sin(a ± b),   k cos a cos b ∓ k sin a sin
//   b = k cos(a ± b)
#include "symbolic/terms.h"

enum {
  MOST_TERMS = 60
};  // of a sum that is looked at: pairs of terms, each for all pairs of factors

static bool is_trig(const SarGraph* g, SarNode n) {
  return op_of(g, n) == SAR_OP_SIN || op_of(g, n) == SAR_OP_COS;
}

// sin u of cos u, cos u of sin u
static SarNode other(SarGraph* g, SarNode trig) {
  const SarNode u = node_of(g, trig)->arg[0];
  return sar_sym_call(g, op_of(g, trig) == SAR_OP_SIN ? SAR_OP_COS : SAR_OP_SIN, u, SAR_NONE);
}

// ---- angles -------------------------------------------------------------------------------------

enum { ANGLE_TERMS = 16 };

typedef struct Angle {
  int count;
  SarNode atom[ANGLE_TERMS];
  double factor[ANGLE_TERMS];
} Angle;

static bool add_term(Angle* a, SarNode atom, double factor) {
  int i = 0;
  while (i < a->count && a->atom[i] < atom) i++;
  if (i < a->count && a->atom[i] == atom) {
    a->factor[i] += factor;
    return true;
  }
  if (a->count == ANGLE_TERMS) return false;
  for (int k = a->count++; k > i; k--) a->atom[k] = a->atom[k - 1], a->factor[k] = a->factor[k - 1];
  a->atom[i] = atom, a->factor[i] = factor;
  return true;
}

// Sums, differences and multiples taken apart.
static bool take_apart(const SarGraph* g, SarNode u, Angle* out) {
  SarNode stack[2 * ANGLE_TERMS];
  double factor[2 * ANGLE_TERMS];
  int depth = 1;
  stack[0] = u, factor[0] = 1;
  while (depth > 0) {
    const SarNode n = stack[--depth];
    const double f = factor[depth];
    const SarNodeData* d = node_of(g, n);
    const SarOp op = op_of(g, n);
    if (depth + 2 > 2 * ANGLE_TERMS) return false;
    if (op == SAR_OP_ADD || op == SAR_OP_SUB) {
      stack[depth] = d->arg[0], factor[depth++] = f;
      stack[depth] = d->arg[1], factor[depth++] = op == SAR_OP_ADD ? f : -f;
    } else if (op == SAR_OP_NEG) {
      stack[depth] = d->arg[0], factor[depth++] = -f;
    } else if (op == SAR_OP_MUL && is_number(g, d->arg[0])) {
      stack[depth] = d->arg[1], factor[depth++] = f * value_of(g, d->arg[0]);
    } else if (is_number(g, n) || !add_term(out, n, f)) {
      return false;
    }
  }
  return true;
}

SarNode sar_sym_circular(SarGraph* g, SarOp op, SarNode angle) {
  Angle a = {0};
  SarNode sum = SAR_NONE;
  double sign = 0;
  if (angle < 0 || !take_apart(g, angle, &a)) return sar_sym_call(g, op, angle, SAR_NONE);
  for (int i = 0; i < a.count; i++) {
    if (a.factor[i] == 0) continue;
    if (sign == 0) sign = a.factor[i] < 0 ? -1 : 1;
    const double f = sign * a.factor[i];
    const SarNode size = sar_sym_mul(g, sar_sym_number(g, f < 0 ? -f : f), a.atom[i]);
    sum = sum < 0 ? size : f < 0 ? sar_sym_sub(g, sum, size) : sar_sym_add(g, sum, size);
    if (sum < 0) return SAR_NONE;
  }
  const SarNode y = sar_sym_call(g, op, sum < 0 ? sar_sym_number(g, 0) : sum, SAR_NONE);
  return sign < 0 && op == SAR_OP_SIN ? sar_sym_neg(g, y) : y;
}

// ---- squares ------------------------------------------------------------------------------------

// atom² replaced by 1 - other²
static SarSum without_square(SarArena* a, SarGraph* g, SarSum p, SarNode atom) {
  SarSum out = {0, SAR_ARENA_ARRAY(a, SarProduct, 2 * p.count + 1)};
  const SarNode counterpart = other(g, atom);
  if (!out.term || counterpart < 0) return sar_sum_bad;
  for (int i = 0; i < p.count; i++) {
    SarProduct t = p.term[i];
    if (sar_product_power(&t, atom) < 2) {
      sar_sum_put(g, &out, &t);
      continue;
    }
    sar_product_times(&t, atom, -2);
    sar_sum_put(g, &out, &t);
    t.number = sar_sym_neg(g, t.number);
    if (t.number < 0 || !sar_product_times(&t, counterpart, 2)) return sar_sum_bad;
    sar_sum_put(g, &out, &t);
  }
  return out;
}

static bool shorten_squares(SarArena* a, SarGraph* g, SarSum* p) {
  for (int i = 0; i < p->count; i++)
    for (int k = 0; k < p->term[i].num; k++) {
      const SarFactor f = p->term[i].factor[k];
      if (f.power < 2 || !is_trig(g, f.atom)) continue;
      const SarSum q = without_square(a, g, *p, f.atom);
      if (!sar_sum_is_good(q) || q.count >= p->count) continue;
      *p = q;
      return true;
    }
  return false;
}

// ---- angles of sums -----------------------------------------------------------------------------

static int find(const SarSum* p, const SarProduct* like) {
  for (int i = 0; i < p->count; i++)
    if (sar_product_same(&p->term[i], like)) return i;
  return -1;
}

static void drop(SarSum* p, int i) {
  p->count--;
  for (; i < p->count; i++) p->term[i] = p->term[i + 1];
}

// times ±f
static bool times_function(SarGraph* g, SarProduct* t, SarNode f) {
  const bool minus = f >= 0 && op_of(g, f) == SAR_OP_NEG;
  if (minus) f = node_of(g, f)->arg[0];
  if (f < 0 || is_number(g, f) || !sar_product_times(t, f, 1)) return false;
  if (minus) t->number = sar_sym_neg(g, t->number);
  return t->number >= 0;
}

// Term i has factors x(a) and y(b); with the counterparts of both in another
// term, drawn together.
static bool draw_together(SarGraph* g, SarSum* p, int i, SarNode x, SarNode y) {
  SarProduct t = p->term[i], like = t;
  if (!sar_product_times(&like, x, -1) || !sar_product_times(&like, y, -1)) return false;
  SarProduct rest = like;
  const SarNode cx = other(g, x), cy = other(g, y);
  if (cx < 0 || cy < 0 || !sar_product_times(&like, cx, 1) || !sar_product_times(&like, cy, 1))
    return false;
  const int k = find(p, &like);
  if (k < 0 || k == i) return false;
  const double u = value_of(g, t.number), v = value_of(g, p->term[k].number);
  if (u != v && u != -v) return false;
  const SarNode a = node_of(g, x)->arg[0], b = node_of(g, y)->arg[0];
  const bool mixed = op_of(g, x) != op_of(g, y);
  // sin a cos b ± cos a sin b = sin(a ± b);   cos a cos b ± sin a sin b = cos(a
  // ∓ b)
  const bool plus = mixed ? u == v : u != v;
  const SarNode angle = plus ? sar_sym_add(g, a, b) : sar_sym_sub(g, a, b);
  SarProduct joined = rest;
  if (!times_function(g, &joined, sar_sym_circular(g, mixed ? SAR_OP_SIN : SAR_OP_COS, angle)))
    return false;
  drop(p, i < k ? k : i);
  drop(p, i < k ? i : k);
  sar_sum_put(g, p, &joined);
  return true;
}

static bool join_angles(SarGraph* g, SarSum* p) {
  for (int i = 0; i < p->count; i++) {
    const SarProduct t = p->term[i];
    for (int k = 0; k < t.num; k++)
      for (int l = 0; l < t.num; l++) {
        const SarNode x = t.factor[k].atom, y = t.factor[l].atom;
        if (k == l || t.factor[k].power < 1 || t.factor[l].power < 1 || !is_trig(g, x) ||
            !is_trig(g, y) || node_of(g, x)->arg[0] == node_of(g, y)->arg[0])
          continue;
        // sin a cos b, not cos b sin a; cos a cos b, not sin a sin b
        if (op_of(g, y) != SAR_OP_COS) continue;
        if (draw_together(g, p, i, x, y)) return true;
      }
  }
  return false;
}

SarSum sar_sum_trig(SarArena* a, SarGraph* g, SarSum p) {
  if (!sar_sum_is_good(p) || p.count < 2 || p.count > MOST_TERMS) return p;
  SarSum q = {p.count, SAR_ARENA_ARRAY(a, SarProduct, p.count + 2)};
  if (!q.term) return sar_sum_bad;
  for (int i = 0; i < p.count; i++) q.term[i] = p.term[i];
  // each pass leaves fewer terms
  while (shorten_squares(a, g, &q) || join_angles(g, &q)) continue;
  return q;
}

// ---- four squares -------------------------------------------------------------------------------

// Every square of atom[k] replaced by 1 less the other three.
static SarSum without_atom(SarArena* a, SarGraph* g, SarSum p, const SarNode* atom, int k) {
  SarSum out = {0, SAR_ARENA_ARRAY(a, SarProduct, 4 * p.count + 1)};
  if (!out.term) return sar_sum_bad;
  for (int i = 0; i < p.count; i++) {
    SarProduct t = p.term[i];
    const bool square = sar_product_power(&t, atom[k]) >= 2;
    if (square) sar_product_times(&t, atom[k], -2);
    sar_sum_put(g, &out, &t);
    t.number = sar_sym_neg(g, t.number);
    for (int j = 0; j < 4 && square; j++) {
      SarProduct u = t;
      if (j == k) continue;
      if (u.number < 0 || !sar_product_times(&u, atom[j], 2)) return sar_sum_bad;
      sar_sum_put(g, &out, &u);
    }
  }
  return out;
}

SarSum sar_sum_unit(SarArena* a, SarGraph* g, SarSum p, const SarNode* atom) {
  enum { PASSES = 2 };  // up to fourth powers
  if (p.count < 3 || p.count > MOST_TERMS) return p;
  SarSum best = p;
  for (int k = 0; k < 4; k++) {
    SarSum q = p;
    for (int pass = 0; pass < PASSES && sar_sum_is_good(q); pass++)
      q = without_atom(a, g, q, atom, k);
    if (sar_sum_is_good(q) && q.count < best.count) best = q;
  }
  return best;
}
