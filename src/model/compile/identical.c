// Rows that hold by themselves.
//
// A row that measures the same at several random positions of the tree, loops open, measures the
// same at all of them: the out-of-plane rows of a planar mechanism, say. If it measures zero it
// demands nothing and is left out; if not, the mechanism cannot be put together. What is left out
// of constraints that are no joints is kept aside for its share of the forces (SarIdleTerm); joints
// are known there as a whole.
#include "model/compile/parts.h"

#include <math.h>

// Lengths are compared with the size of the model. What is constant varies by rounding only; what
// is zero may also be off by the digits that people write.
static const double CONSTANT = 1e-10, ZERO = 1e-8;

static bool is_sampled(const SarTerm* t) {
  return t->kind == SAR_TERM_ALONG || t->kind == SAR_TERM_PERPENDICULAR ||
         t->kind == SAR_TERM_DISTANCE;
}

static double value_at(const SarPair* p, const SarTerm* t, const Xform* X_GB) {
  Xform a = p->body[0] < 0 ? x_identity() : X_GB[p->body[0]];
  Xform b = p->body[1] < 0 ? x_identity() : X_GB[p->body[1]];
  V3 d = v3_sub(x_point(b, p->point[1]), x_point(a, p->point[0])), x = m3_mul_v(a.R, t->x);
  if (t->kind == SAR_TERM_DISTANCE) return v3_norm(d);
  return v3_dot(x, t->kind == SAR_TERM_ALONG ? d : m3_mul_v(b.R, t->w));
}

typedef struct RowRange {
  double low, high;
  bool varies;  // has a drive, or terms that are not sampled
  SarTermKind kind;
} RowRange;

static RowRange* sample_rows(Compile* c) {
  RowRange* range = SAR_ARENA_ARRAY(&c->arena, RowRange, c->rows.count + 1);
  double* value = SAR_ARENA_ARRAY(&c->arena, double, c->rows.count + 1);
  if (c->arena.failed) return NULL;
  for (int i = 0; i < c->rows.count; i++) range[i].varies = c->rows.items[i].slot >= 0;
  for (int s = 0; s < SAMPLES; s++) {
    const Xform* X_GB = &c->sample[s * c->m.nbody];
    for (int i = 0; i < c->rows.count; i++) value[i] = -c->rows.items[i].constant;
    for (int k = 0; k < c->terms.count; k++) {
      const SarTerm* t = &c->terms.items[k];
      range[t->row].kind = t->kind;
      if (is_sampled(t))
        value[t->row] += t->coefficient * value_at(&c->pairs.items[t->pair], t, X_GB);
      else
        range[t->row].varies = true;
    }
    for (int i = 0; i < c->rows.count; i++) {
      range[i].low = s ? fmin(range[i].low, value[i]) : value[i];
      range[i].high = s ? fmax(range[i].high, value[i]) : value[i];
    }
  }
  return range;
}

static void report_gap(Compile* c, const SarRow* row, const RowRange* r) {
  Item item = c->constraint_items.items[row->constraint];
  if (c->constraints.items[row->constraint].source == SAR_FROM_ELEMENT)
    sar_complain(c, item, item.loc, "see where its points are at the design position",
                 "can never hold: it misses by %.4g m at every position of the mechanism",
                 fabs(r->low));
  else if (r->kind == SAR_TERM_PERPENDICULAR)
    sar_complain(
        c, item, item.loc, "turn one of its bodies, or choose another kind of joint",
        "can never close: its two sides are turned against each other by %.4g deg at every "
        "position of the mechanism",
        asin(fmin(1, fabs(r->low))) * (180 / 3.14159265358979323846));
  else
    sar_complain(c, item, item.loc, "move one of its bodies, or choose another kind of joint",
                 "can never close: its two sides miss each other by %.4g m at every position of "
                 "the mechanism",
                 fabs(r->low));
}

// Terms of the row, the first of which is number k.
static bool keep_aside(Compile* c, int row, int k) {
  for (; k < c->terms.count && c->terms.items[k].row == row; k++) {
    const SarTerm* t = &c->terms.items[k];
    const SarPair* p = &c->pairs.items[t->pair];
    SarIdleTerm* out = SAR_LIST_ADD(&c->arena, &c->idle);
    if (!out) return false;
    *out = (SarIdleTerm){.kind = t->kind,
                         .row = c->idle_rows,
                         .constraint = c->rows.items[row].constraint,
                         .joint = t->joint,
                         .coefficient = t->coefficient,
                         .constant = c->rows.items[row].constant,
                         .body = {p->body[0], p->body[1]},
                         .point = {p->point[0], p->point[1]},
                         .x = t->x,
                         .w = t->w};
  }
  c->idle_rows++;
  return true;
}

bool sar_drop_rows(Compile* c) {
  const double size = c->sample_size;
  RowRange* range = sample_rows(c);
  int* number = SAR_ARENA_ARRAY(&c->arena, int, c->rows.count + 1);
  int kept = 0, kept_terms = 0, term = 0;  // terms stand in the order of their rows
  if (!range || !number) return false;
  for (int i = 0; i < c->rows.count; i++) {
    const RowRange* r = &range[i];
    SarConstraint* owner = &c->constraints.items[c->rows.items[i].constraint];
    double unit = r->kind == SAR_TERM_PERPENDICULAR ? 1 : size;
    bool constant = !r->varies && r->high - r->low <= CONSTANT * unit;
    bool zero = fmax(fabs(r->low), fabs(r->high)) <= ZERO * unit;
    if (constant && !zero && !owner->held) report_gap(c, &c->rows.items[i], r);
    number[i] = constant ? -1 : kept;
    if (constant) {
      owner->identical++;
      while (term < c->terms.count && c->terms.items[term].row < i) term++;
      if (owner->source != SAR_FROM_CUT && !keep_aside(c, i, term)) return false;
    } else {
      if (owner->rows++ == 0) owner->row = kept;
      c->rows.items[kept++] = c->rows.items[i];
    }
  }
  c->rows.count = kept;
  for (int k = 0; k < c->terms.count; k++) {
    SarTerm t = c->terms.items[k];
    if (number[t.row] < 0) continue;
    t.row = number[t.row];
    c->terms.items[kept_terms++] = t;
  }
  c->terms.count = kept_terms;
  return true;
}
