// Sums of products (terms.h).
#include "symbolic/terms.h"

#include <string.h>

const SarSum sar_sum_bad = {-1, NULL};

bool sar_product_times(SarProduct* t, SarNode atom, int power) {
  int k = 0;
  while (k < t->num && t->factor[k].atom < atom) k++;
  if (k < t->num && t->factor[k].atom == atom) {
    t->factor[k].power += power;
    if (t->factor[k].power != 0) return true;
    t->num--;
    memmove(&t->factor[k], &t->factor[k + 1], sizeof t->factor[0] * (size_t)(t->num - k));
    return true;
  }
  if (t->num == SAR_TERM_FACTORS) return false;
  memmove(&t->factor[k + 1], &t->factor[k], sizeof t->factor[0] * (size_t)(t->num - k));
  t->factor[k] = (SarFactor){atom, power};
  t->num++;
  return true;
}

int sar_product_power(const SarProduct* t, SarNode atom) {
  for (int k = 0; k < t->num; k++)
    if (t->factor[k].atom == atom) return t->factor[k].power;
  return 0;
}

bool sar_product_same(const SarProduct* s, const SarProduct* t) {
  if (s->num != t->num) return false;
  for (int k = 0; k < s->num; k++)
    if (s->factor[k].atom != t->factor[k].atom || s->factor[k].power != t->factor[k].power)
      return false;
  return true;
}

void sar_sum_put(SarGraph* g, SarSum* p, const SarProduct* t) {
  if (is_value(g, t->number, 0)) return;
  for (int i = 0; i < p->count; i++) {
    if (!sar_product_same(&p->term[i], t)) continue;
    p->term[i].number = sar_sym_add(g, p->term[i].number, t->number);
    if (p->term[i].number >= 0 && !is_value(g, p->term[i].number, 0)) return;
    p->count--;
    memmove(&p->term[i], &p->term[i + 1], sizeof *t * (size_t)(p->count - i));
    return;
  }
  p->term[p->count++] = *t;
}

static SarSum room(SarArena* a, int terms) {
  return (SarSum){0, SAR_ARENA_ARRAY(a, SarProduct, terms + 1)};
}

SarSum sar_sum_number(SarArena* a, SarGraph* g, SarNode number) {
  SarSum p = room(a, 1);
  if (!p.term || number < 0) return sar_sum_bad;
  sar_sum_put(g, &p, &(SarProduct){.number = number});
  return p;
}

SarSum sar_sum_atom(SarArena* a, SarGraph* g, SarNode atom, int power) {
  SarSum p = room(a, 1);
  const SarNode one = sar_sym_number(g, 1);
  if (!p.term || atom < 0 || one < 0) return sar_sum_bad;
  if (is_number(g, atom) && power == 1) return sar_sum_number(a, g, atom);
  sar_sum_put(g, &p, &(SarProduct){.number = one, .num = 1, .factor = {{atom, power}}});
  return p;
}

SarSum sar_sum_add(SarArena* a, SarGraph* g, SarSum x, SarSum y, double sign) {
  if (!sar_sum_is_good(x) || !sar_sum_is_good(y)) return sar_sum_bad;
  SarSum p = room(a, x.count + y.count);
  if (!p.term) return sar_sum_bad;
  if (x.count > 0) memcpy(p.term, x.term, sizeof *p.term * (size_t)x.count);
  p.count = x.count;
  for (int i = 0; i < y.count; i++) {
    SarProduct t = y.term[i];
    if (sign < 0) t.number = sar_sym_neg(g, t.number);
    if (t.number < 0) return sar_sum_bad;
    sar_sum_put(g, &p, &t);
  }
  return p;
}

SarSum sar_sum_mul(SarArena* a, SarGraph* g, SarSum x, SarSum y, int most) {
  if (!sar_sum_is_good(x) || !sar_sum_is_good(y)) return sar_sum_bad;
  if ((long)x.count * y.count > most) return sar_sum_bad;
  SarSum p = room(a, x.count * y.count);
  if (!p.term) return sar_sum_bad;
  for (int i = 0; i < x.count; i++)
    for (int k = 0; k < y.count; k++) {
      SarProduct t = x.term[i];
      t.number = sar_sym_mul(g, t.number, y.term[k].number);
      bool fits = t.number >= 0;
      for (int f = 0; f < y.term[k].num && fits; f++)
        fits = sar_product_times(&t, y.term[k].factor[f].atom, y.term[k].factor[f].power);
      if (!fits) return sar_sum_bad;
      sar_sum_put(g, &p, &t);
    }
  return p;
}

bool sar_sum_invert(SarGraph* g, SarSum* x) {
  if (x->count != 1) return false;
  SarProduct* t = &x->term[0];
  t->number = sar_sym_div(g, sar_sym_number(g, 1), t->number);
  for (int k = 0; k < t->num; k++) t->factor[k].power = -t->factor[k].power;
  return t->number >= 0;
}

// ---- as a node ----------------------------------------------------------------------------------

static SarNode power_of(SarGraph* g, SarNode atom, int power) {
  if (power == 1) return atom;
  return sar_sym_pow(g, atom, sar_sym_number(g, power));
}

// The product of the factors whose powers have a sign.
static SarNode product(SarGraph* g, const SarProduct* t, int sign) {
  SarNode p = sar_sym_number(g, 1);
  for (int k = 0; k < t->num; k++)
    if (sign * t->factor[k].power > 0)
      p = sar_sym_mul(g, p, power_of(g, t->factor[k].atom, sign * t->factor[k].power));
  return p;
}

static SarNode term_node(SarGraph* g, const SarProduct* t) {
  const SarNode over = product(g, t, 1), under = product(g, t, -1);
  return sar_sym_mul(g, t->number, sar_sym_div(g, over, under));
}

// Terms with a plus first, so that a sum does not begin with a sign.
SarNode sar_sum_node(SarGraph* g, SarSum p) {
  SarNode sum = sar_sym_number(g, 0);
  if (!sar_sum_is_good(p)) return SAR_NONE;
  for (int minus = 0; minus < 2; minus++)
    for (int i = 0; i < p.count; i++)
      if ((value_of(g, p.term[i].number) < 0) == (minus == 1))
        sum = sar_sym_add(g, sum, term_node(g, &p.term[i]));
  return sum;
}
