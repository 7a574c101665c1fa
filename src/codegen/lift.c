// Numbers as functions of parameters (lift.h).
#include "codegen/lift.h"

#include "symbolic/rewrite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Equations for one set of values.
typedef struct Build {
  SarArena arena;
  SarGraph* g;
  SarNode* output;
  SarOrder order;
} Build;

typedef struct Work {
  const SarLift* l;
  SarLifted* out;
  SarArena* arena;  // of the work
  Build base;
  double* at;    // base values of the parameters
  int numbers;   // in the base
  int* place;    // of the numbers in its order
  int* depends;  // numbers x parameters: 1, it varies with it
  int samples;
  double *sample_x, *sample_f;  // samples x parameters, samples x numbers
  uint64_t random;
  double spread;
  bool stopped;
} Work;

// a factor of parameters, the same in every run
static double draw(Work* w) {
  w->random = w->random * 6364136223846793005u + 1442695040888963407u;  // linear congruence
  const double unit = (double)(w->random >> 11) / 9007199254740992.0;
  return 1 + w->spread * (2 * unit - 1);
}

static void draw_values(Work* w, double* value) {
  for (int j = 0; j < w->l->parameters; j++) {
    const double nominal = w->l->value[j], factor = draw(w);
    value[j] = !w->out->kept[j] ? nominal : nominal != 0 ? nominal * factor : 0.5 * factor;
  }
}

static bool build(Work* w, const double* value, Build* b) {
  w->stopped = w->stopped || (w->l->stop && w->l->stop(w->l->context));
  sar_arena_beside(&b->arena, w->arena);
  b->output = SAR_ARENA_ARRAY(&b->arena, SarNode, w->l->outputs + 1);
  w->out->builds++;
  return !w->stopped && b->output &&
         w->l->build(w->l->context, value, &b->arena, &b->g, b->output) &&
         sar_sym_order(&b->arena, b->g, w->l->outputs, b->output, &b->order);
}

static void drop(Work* w, Build* b) {
  sar_arena_end(&b->arena, w->arena);
  *b = (Build){0};
}

// ---- comparing ----------------------------------------------------------------------------------

static bool same_item(const Build* a, const Build* b, int i) {
  const SarOrderItem *x = &a->order.item[i], *y = &b->order.item[i];
  const SarOp op = sar_node_op(a->g, x->node);
  if (op != sar_node_op(b->g, y->node)) return false;
  if (memcmp(x->arg, y->arg, sizeof x->arg) != 0) return false;
  const double *p, *q;
  return op != SAR_OP_SYMBOL
             ? sar_node_points(a->g, x->node, &p) == sar_node_points(b->g, y->node, &q)
             : strcmp(sar_node_name(a->g, x->node), sar_node_name(b->g, y->node)) == 0;
}

static bool same_structure(const Work* w, const Build* b) {
  const SarOrder *x = &w->base.order, *y = &b->order;
  if (x->count != y->count) return false;
  for (int i = 0; i < x->count; i++)
    if (!same_item(&w->base, b, i)) return false;
  return memcmp(x->output, y->output, sizeof(int) * (size_t)x->outputs) == 0;
}

static double number_at(const Build* b, int place) {
  double value = 0;
  sar_node_is_number(b->g, b->order.item[place].node, &value);
  return value;
}

// ---- the base -----------------------------------------------------------------------------------

static bool make_base(Work* w) {
  drop(w, &w->base);
  draw_values(w, w->at);
  if (!build(w, w->at, &w->base)) return false;
  const SarOrder* order = &w->base.order;
  w->numbers = 0;
  w->place = SAR_ARENA_ARRAY(w->arena, int, order->count + 1);
  if (!w->place) return false;
  for (int i = 0; i < order->count; i++)
    if (sar_node_op(w->base.g, order->item[i].node) == SAR_OP_NUMBER) w->place[w->numbers++] = i;
  w->depends = SAR_ARENA_ARRAY(w->arena, int, w->numbers * w->l->parameters + 1);
  return w->depends != NULL;
}

// One parameter changed: which numbers follow? False: it is no parameter of
// these equations.
static bool probe(Work* w, int j) {
  double* value = SAR_ARENA_ARRAY(w->arena, double, w->l->parameters);
  Build b = {0};
  if (!value) return false;
  memcpy(value, w->at, sizeof *value * (size_t)w->l->parameters);
  value[j] *= 1 + 0.37 * w->spread;
  const bool same = build(w, value, &b) && same_structure(w, &b);
  for (int i = 0; i < w->numbers && same; i++) {
    const double x = number_at(&w->base, w->place[i]), y = number_at(&b, w->place[i]);
    w->depends[i * w->l->parameters + j] = fabs(x - y) > 1e-13 * fabs(x);
  }
  drop(w, &b);
  return same;
}

// Parameters that change the structure are left as numbers, one after the
// other.
static bool settle(Work* w) {
  for (int j = 0; j < w->l->parameters && !w->stopped; j++) {
    if (!w->out->kept[j] || probe(w, j)) continue;
    w->out->kept[j] = false;
    if (!make_base(w)) return false;
    j = -1;
  }
  return !w->stopped;
}

// ---- samples ------------------------------------------------------------------------------------

static int dependencies(const Work* w, int i, int* which) {
  int n = 0;
  for (int j = 0; j < w->l->parameters; j++)
    if (w->depends[i * w->l->parameters + j] && n++ < SAR_FIT_PARAMETERS && which) which[n - 1] = j;
  return n;
}

static int samples_wanted(const Work* w) {
  static const int of[] = {0, 20, 60, 190, 190};
  int most = 0;
  for (int i = 0; i < w->numbers; i++) {
    const int n = dependencies(w, i, NULL);
    if (n <= SAR_FIT_PARAMETERS && n > most) most = n;
  }
  return of[most];
}

static bool take_samples(Work* w) {
  const int wanted = samples_wanted(w), n = w->l->parameters;
  w->sample_x = SAR_ARENA_ARRAY(w->arena, double, wanted* n + 1);
  w->sample_f = SAR_ARENA_ARRAY(w->arena, double, wanted * w->numbers + 1);
  if (!w->sample_x || !w->sample_f) return false;
  for (int tries = 0; w->samples < wanted && tries < 2 * wanted; tries++) {
    Build b = {0};
    double *x = &w->sample_x[w->samples * n], *f = &w->sample_f[w->samples * w->numbers];
    draw_values(w, x);
    if (build(w, x, &b) && same_structure(w, &b)) {
      for (int i = 0; i < w->numbers; i++) f[i] = number_at(&b, w->place[i]);
      w->samples++;
    }
    drop(w, &b);
    if (w->stopped) return false;
  }
  return true;
}

// ---- the equations with parameters in them ------------------------------------------------------

static SarNode product_of(const Work* w, SarGraph* to, const SarFitTerm* t, const int* which,
                          int n) {
  SarNode over = sar_lift_coefficient(to, t->coefficient, 1e-12), under = sar_sym_number(to, 1);
  for (int k = 0; k < n; k++) {
    const int e = t->power[k];
    const SarNode p = sar_sym_symbol(to, w->l->name[which[k]]);
    const SarNode power = sar_sym_pow(to, p, sar_sym_number(to, abs(e)));
    if (e > 0) over = sar_sym_mul(to, over, power);
    if (e < 0) under = sar_sym_mul(to, under, power);
  }
  return sar_sym_div(to, over, under);
}

static SarNode named_number(const Work* w, SarGraph* to, double value) {
  SarLifted* out = w->out;
  SarLiftedNumber* n = &out->number[out->numbers];
  *n = (SarLiftedNumber){sar_arena_printf(sar_graph_arena(to), "k%d", out->numbers + 1), value};
  if (!n->name) return SAR_NONE;
  out->numbers++;
  return sar_sym_symbol(to, n->name);
}

static SarNode function_of(Work* w, SarGraph* to, int i) {
  int which[SAR_FIT_PARAMETERS];
  const int n = dependencies(w, i, which);
  if (n == 0) return sar_lift_coefficient(to, number_at(&w->base, w->place[i]), 4e-15);
  SarArena scratch;
  SarNode sum = SAR_NONE;
  sar_arena_beside(&scratch, w->arena);
  double* x = SAR_ARENA_ARRAY(&scratch, double, w->samples* n + 1);
  double* f = SAR_ARENA_ARRAY(&scratch, double, w->samples + 1);
  SarFit* fit = SAR_ARENA_NEW(&scratch, SarFit);
  for (int k = 0; n <= SAR_FIT_PARAMETERS && x && f && k < w->samples; k++) {
    for (int j = 0; j < n; j++) x[k * n + j] = w->sample_x[k * w->l->parameters + which[j]];
    f[k] = w->sample_f[k * w->numbers + i];
  }
  if (x && f && fit && sar_fit_products(&scratch, w->samples, n, x, f, fit)) {
    sum = sar_sym_number(to, 0);
    for (int k = 0; k < fit->count; k++)
      sum = sar_sym_add(to, sum, product_of(w, to, &fit->term[k], which, n));
  }
  sar_arena_end(&scratch, w->arena);
  return sum;
}

typedef struct Translation {
  const SarGraph* from;
  SarNode* made;  // by node of the base: what a number becomes
} Translation;

static SarNode leaf(void* context, SarNode n) {
  const Translation* t = context;
  return sar_node_op(t->from, n) == SAR_OP_NUMBER ? t->made[n] : SAR_NONE;
}

static bool translate(Work* w, SarGraph* to, SarNode* output) {
  Translation t = {w->base.g, SAR_ARENA_ARRAY(w->arena, SarNode, sar_graph_count(w->base.g) + 1)};
  Build as_it_is = {0};
  w->out->number = SAR_ARENA_ARRAY(sar_graph_arena(to), SarLiftedNumber, w->numbers + 1);
  if (!t.made || !w->out->number) return false;
  // values of numbers that keep a name; the structure may be a special case of
  // the base's
  const bool known = build(w, w->l->value, &as_it_is) && same_structure(w, &as_it_is);
  bool done = !w->stopped;
  for (int j = 0; j < w->l->parameters; j++)  // first: products begin with them
    if (w->out->kept[j]) sar_sym_symbol(to, w->l->name[j]);
  for (int i = 0; i < w->numbers && done; i++) {
    const SarNode n = w->base.order.item[w->place[i]].node;
    t.made[n] = function_of(w, to, i);
    if (t.made[n] < 0 && !w->arena->failed && known)
      t.made[n] = named_number(w, to, number_at(&as_it_is, w->place[i]));
    done = t.made[n] >= 0;
  }
  drop(w, &as_it_is);
  return done && sar_sym_translate(w->base.g, w->l->outputs, w->base.output, to, leaf, &t, output);
}

static bool lift(Work* w, SarGraph* to, SarNode* output) {
  // values far apart determine a fit best, but not every mechanism bears them
  static const double SPREAD[] = {0.5, 0.05};
  w->at = SAR_ARENA_ARRAY(w->arena, double, w->l->parameters + 1);
  if (!w->at) return false;
  for (int k = 0; k < 2; k++) {
    w->spread = SPREAD[k];
    for (int j = 0; j < w->l->parameters; j++) w->out->kept[j] = true;
    if (make_base(w) && settle(w) && take_samples(w) && translate(w, to, output)) return true;
    if (w->stopped || w->arena->failed || sar_graph_refused(to)) return false;
    w->samples = w->out->numbers = 0;
  }
  for (int j = 0; j < w->l->parameters; j++) w->out->kept[j] = false;  // numbers, then
  return make_base(w) && translate(w, to, output);
}

bool sar_lift(const SarLift* l, SarGraph* to, SarNode* output, SarLifted* out) {
  SarArena arena;
  sar_arena_beside(&arena, sar_graph_arena(to));
  *out = (SarLifted){.kept = SAR_ARENA_ARRAY(sar_graph_arena(to), bool, l->parameters + 1)};
  Work w = {.l = l, .out = out, .arena = &arena, .random = 20120301};
  const bool done = out->kept && lift(&w, to, output);
  drop(&w, &w.base);
  sar_arena_end(&arena, sar_graph_arena(to));
  return done;
}
