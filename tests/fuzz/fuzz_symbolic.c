// libFuzzer target: any bytes as a straight-line program over symbols. Built exactly, the tape has
// the bits of the program; built by algebra, nothing crashes, derivatives of both modes exist,
// copies and text too.
//
// The same bytes as a program of ring operations over the rationals go through FLINT's polynomials
// beside: what is collected, and its derivative, is the same polynomial; values and quotients at
// rational points are those that FLINT finds without rounding, to rounding.
#include "symbolic/collect.h"
#include "symbolic/print.h"
#include "symbolic/symbolic.h"

#ifdef SARRUS_HAVE_FLINT
#include <flint/fmpq_mpoly.h>
#endif
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { SYMBOLS = 3, MOST = 200 };

static const char* const names[SYMBOLS] = {"x", "y", "z"};

static void require(bool condition) {
  if (!condition) __builtin_trap();
}

static int slot_of(void* context, const char* name) {
  (void)context;
  return name[0] - 'x';
}

typedef struct Program {
  SarNode node[MOST];
  double value[MOST];
  int count;
} Program;

static const double numbers[] = {
    0, 1, -1, 2, 3, 0.5, -0.0, 1e300, 0.1, -1e-300, (double)INFINITY, (double)NAN};

// One line from four bytes: operation and places of operands.
static void add_line(SarGraph* g, Program* p, const uint8_t* b) {
  const int x = b[1] % p->count, y = b[2] % p->count, z = b[3] % p->count;
  const SarOp op = (SarOp)(b[0] % SAR_OP_COUNT);
  SarNode* n = &p->node[p->count];
  double* v = &p->value[p->count];
  if (sar_op_arity(op)) {
    *n = sar_sym_call(g, op, p->node[x], p->node[y]);
    *v = sar_op_apply(op, p->value[x], p->value[y]);
  } else if (op == SAR_OP_SELECT) {
    *n = sar_sym_select(g, p->node[x], p->node[y], p->node[z]);
    *v = p->value[x] != 0 ? p->value[y] : p->value[z];
  } else if (op == SAR_OP_FILTER) {
    *n = sar_sym_rational(g, b[1] - 128, b[2]);
    *v = (double)(b[1] - 128) / b[2];
  } else {
    const double number = numbers[b[1] % (sizeof numbers / sizeof *numbers)];
    *n = sar_sym_number(g, number);
    *v = number;
  }
  p->count++;
}

static void build(SarGraph* g, Program* p, const double* slots, const uint8_t* data, size_t size) {
  p->count = SYMBOLS;
  for (int i = 0; i < SYMBOLS; i++) {
    p->node[i] = sar_sym_symbol(g, names[i]);
    p->value[i] = slots[i];
  }
  for (; size >= 4 && p->count < MOST; data += 4, size -= 4) add_line(g, p, data);
}

static double value_of(SarArena* a, SarGraph* g, SarNode n, const double* slots) {
  SarTape tape;
  double result = 0;
  require(sar_tape_build(a, g, 1, &n, slot_of, NULL, &tape));
  double* scratch = SAR_ARENA_ARRAY(a, double, tape.registers + 1);
  sar_tape_eval(&tape, slots, scratch, &result);
  return result;
}

static void use(SarArena* a, SarGraph* g, SarNode y) {
  SarNode symbol[SYMBOLS], gradient[SYMBOLS], copy;
  SarArena other;
  for (int i = 0; i < SYMBOLS; i++) symbol[i] = sar_sym_symbol(g, names[i]);
  require(sar_sym_diff(g, y, symbol[0]) >= 0);
  require(sar_sym_reverse(g, 1, &y, NULL, SYMBOLS, symbol, gradient));
  for (int style = 0; style < 3; style++)
    sar_sym_print(a, g, y, &(SarPrinter){.style = (SarPrintStyle)style});
  sar_arena_init(&other);
  SarGraph* to = sar_graph_new(&other);
  require(sar_sym_copy(g, 1, &y, to, &copy));
  sar_arena_free(&other);
}

// ---- polynomials against FLINT's ----------------------------------------------------------------

#ifdef SARRUS_HAVE_FLINT
enum { LINES = 40, DEGREE = 6, TERMS = 40, BITS = 16 };  // so that 64 bits hold every number

typedef struct Twin {
  SarNode node;
  fmpq_mpoly_struct f;
  double size;  // of the value, with all signs positive
} Twin;

static bool is_small(const fmpq_mpoly_struct* f, const fmpq_mpoly_ctx_t ctx) {
  fmpq_t c;
  bool small = fmpq_mpoly_length(f, ctx) <= TERMS && fmpq_mpoly_total_degree_si(f, ctx) <= DEGREE;
  fmpq_init(c);
  for (slong k = 0; small && k < fmpq_mpoly_length(f, ctx); k++) {
    fmpq_mpoly_get_term_coeff_fmpq(c, f, k, ctx);
    small = fmpz_bits(fmpq_numref(c)) <= BITS && fmpz_bits(fmpq_denref(c)) <= BITS;
  }
  fmpq_clear(c);
  return small;
}

// The polynomial as a node, term by term.
static SarNode node_of_polynomial(SarGraph* g, const fmpq_mpoly_struct* f,
                                  const fmpq_mpoly_ctx_t ctx) {
  SarNode sum = sar_sym_number(g, 0);
  fmpq_t c;
  fmpq_init(c);
  for (slong k = 0; k < fmpq_mpoly_length(f, ctx); k++) {
    ulong e[SYMBOLS];
    fmpq_mpoly_get_term_coeff_fmpq(c, f, k, ctx);
    fmpq_mpoly_get_term_exp_ui(e, f, k, ctx);
    SarNode t = sar_sym_rational(g, fmpz_get_si(fmpq_numref(c)), fmpz_get_si(fmpq_denref(c)));
    for (int v = 0; v < SYMBOLS; v++)
      for (ulong n = 0; n < e[v]; n++) t = sar_sym_mul(g, t, sar_sym_symbol(g, names[v]));
    sum = sar_sym_add(g, sum, t);
  }
  fmpq_clear(c);
  return sum;
}

// Their difference, collected, is the number 0.
static void require_same(SarGraph* g, SarNode n, const fmpq_mpoly_struct* f,
                         const fmpq_mpoly_ctx_t ctx) {
  SarNode difference = sar_sym_sub(g, n, node_of_polynomial(g, f, ctx)), collected;
  require(sar_sym_collect(g, 1, &difference, 0, NULL, NULL, NULL, &collected));
  require(sar_node_is(g, collected, 0));
}

static double exact_value(const fmpq_mpoly_struct* f, const fmpq_mpoly_ctx_t ctx, fmpq* const* at) {
  fmpq_t y;
  fmpq_init(y);
  require(fmpq_mpoly_evaluate_all_fmpq(y, f, at, ctx));
  const double value = fmpq_get_d(y);
  fmpq_clear(y);
  return value;
}

// One line of the ring program; a result that is too large is a symbol again.
static void add_twin(SarGraph* g, Twin* t, int* count, const double* slots, const uint8_t* b,
                     const fmpq_mpoly_ctx_t ctx) {
  const Twin *x = &t[b[1] % *count], *y = &t[b[2] % *count];
  Twin* z = &t[(*count)++];
  const slong num = b[1] - 128, den = 1 + b[2] % 9;
  fmpq_t c;
  fmpq_init(c);
  fmpq_set_si(c, num, (ulong)den);
  switch (b[0] % 6) {
    case 0:
      z->node = sar_sym_add(g, x->node, y->node), z->size = x->size + y->size;
      fmpq_mpoly_add(&z->f, &x->f, &y->f, ctx);
      break;
    case 1:
      z->node = sar_sym_sub(g, x->node, y->node), z->size = x->size + y->size;
      fmpq_mpoly_sub(&z->f, &x->f, &y->f, ctx);
      break;
    case 2:
      z->node = sar_sym_mul(g, x->node, y->node), z->size = x->size * y->size;
      fmpq_mpoly_mul(&z->f, &x->f, &y->f, ctx);
      break;
    case 3:
      z->node = sar_sym_square(g, x->node), z->size = x->size * x->size;
      fmpq_mpoly_mul(&z->f, &x->f, &x->f, ctx);
      break;
    case 4:
      z->node = sar_sym_div(g, x->node, sar_sym_rational(g, den, 7));
      z->size = x->size * 7 / (double)den;
      fmpq_set_si(c, 7, (ulong)den);
      fmpq_mpoly_scalar_mul_fmpq(&z->f, &x->f, c, ctx);
      break;
    default:
      z->node = sar_sym_rational(g, num, den), z->size = fabs((double)num / (double)den);
      fmpq_mpoly_set_fmpq(&z->f, c, ctx);
  }
  if (!is_small(&z->f, ctx)) {
    const int v = b[3] % SYMBOLS;
    z->node = sar_sym_symbol(g, names[v]), z->size = fabs(slots[v]);
    fmpq_mpoly_gen(&z->f, v, ctx);
  }
  fmpq_clear(c);
}

// Values of the node, of what is collected of it and of FLINT's polynomial; returns that one.
static double compare_values(SarArena* a, SarGraph* g, const Twin* t, const double* slots,
                             fmpq* const* at, const fmpq_mpoly_ctx_t ctx) {
  SarNode collected;
  require(sar_sym_collect(g, 1, &t->node, 0, NULL, NULL, NULL, &collected));
  const double exact = exact_value(&t->f, ctx, at), bound = 1e-13 * (t->size + 1e-300);
  require(fabs(value_of(a, g, t->node, slots) - exact) <= bound);
  require(fabs(value_of(a, g, collected, slots) - exact) <= bound);
  return exact;
}

static void check_polynomials(SarArena* a, SarGraph* g, const Twin* t, int count,
                              const double* slots, fmpq* const* at, const fmpq_mpoly_ctx_t ctx) {
  const Twin *y = &t[count - 1], *below = &t[count - 2];
  require_same(g, y->node, &y->f, ctx);
  const double top = compare_values(a, g, y, slots, at, ctx);
  const double under = compare_values(a, g, below, slots, at, ctx);
  if (fabs(under) > 1e-6 * below->size) {
    const double found = value_of(a, g, sar_sym_div(g, y->node, below->node), slots);
    require(fabs(found - top / under) <=
            1e-13 * (y->size / fabs(under) + fabs(top) * below->size / (under * under)));
  }
  fmpq_mpoly_t d;
  fmpq_mpoly_init(d, ctx);
  for (int v = 0; v < SYMBOLS; v++) {
    fmpq_mpoly_derivative(d, &y->f, v, ctx);
    require_same(g, sar_sym_diff(g, y->node, sar_sym_symbol(g, names[v])), d, ctx);
  }
  fmpq_mpoly_clear(d, ctx);
}

static void polynomials(const uint8_t* data, size_t size) {
  static const double slots[SYMBOLS] = {0.5, -1.25, 3};
  static Twin t[LINES + SYMBOLS];
  int count = 0;
  SarArena a;
  fmpq_mpoly_ctx_t ctx;
  fmpq at[SYMBOLS], *point[SYMBOLS];
  sar_arena_init(&a);
  SarGraph* g = sar_graph_new(&a);
  fmpq_mpoly_ctx_init(ctx, SYMBOLS, ORD_LEX);
  for (int i = 0; i < LINES + SYMBOLS; i++) fmpq_mpoly_init(&t[i].f, ctx);
  for (int i = 0; i < SYMBOLS; i++, count++) {
    t[i].node = sar_sym_symbol(g, names[i]), t[i].size = fabs(slots[i]);
    fmpq_mpoly_gen(&t[i].f, i, ctx);
    fmpq_init(&at[i]);
    fmpq_set_si(&at[i], (slong)(4 * slots[i]), 4);
    fmpq_canonicalise(&at[i]);
    point[i] = &at[i];
  }
  for (; size >= 4 && count < LINES + SYMBOLS; data += 4, size -= 4)
    add_twin(g, t, &count, slots, data, ctx);
  check_polynomials(&a, g, t, count, slots, point, ctx);
  for (int i = 0; i < LINES + SYMBOLS; i++) fmpq_mpoly_clear(&t[i].f, ctx);
  for (int i = 0; i < SYMBOLS; i++) fmpq_clear(&at[i]);
  fmpq_mpoly_ctx_clear(ctx);
  sar_arena_free(&a);
}
#endif

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const double choices[] = {0.3, -1.7, 2.5, 0, 1, (double)INFINITY};
  static Program p;
  double slots[SYMBOLS] = {0};
  SarArena a;
  for (int i = 0; i < SYMBOLS && size > 0; i++, data++, size--)
    slots[i] = choices[*data % (sizeof choices / sizeof *choices)];
#ifdef SARRUS_HAVE_FLINT
  polynomials(data, size);
#endif
  for (int algebra = 0; algebra < 3; algebra++) {
    sar_arena_init(&a);
    SarGraph* g = sar_graph_new(&a);
    sar_graph_rules(g, (SarRules)algebra);
    build(g, &p, slots, data, size);
    const SarNode y = p.node[p.count - 1];
    require(y >= 0);
    const double value = value_of(&a, g, y, slots), expected = p.value[p.count - 1];
    if (algebra == SAR_EXACT)
      require(memcmp(&value, &expected, sizeof value) == 0 || (isnan(value) && isnan(expected)));
    use(&a, g, y);
    sar_arena_free(&a);
  }
  return 0;
}
