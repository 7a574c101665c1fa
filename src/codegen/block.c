// The matrix of one block of the flow over symbols: factors and solutions (dependent.h).
//
// Of a block with rows and coordinates of twins (the links between a carrier and the ground, which
// Newton's method closes at once) the first steps of the elimination stay within one twin; what
// they make is told to the families. Behind them each pivot waits for the quotient of the one
// before: they are eliminated in pairs P of rows and columns, with one quotient 1/det P for both,
// which the products of the adjugate need not wait for:
//
//   A_ij <- A_ij - (1/det P) (A_iP adj(P) A_Pj)
#include "codegen/dependent.h"

#include <math.h>
#include <string.h>

static const double SMALL = 0.1;  // an entry that is no pivot, over the largest of its column

// ---- twins --------------------------------------------------------------------------------------

static const SarTwinPlace NO_TWIN = {.group = -1};

static bool is_same_twin(SarTwinPlace a, SarTwinPlace b) {
  return a.group >= 0 && a.group == b.group && a.member == b.member;
}

static void note(const SymBlockTwins* t, SarTwinPlace of, SarNode node) {
  if (t) sar_families_note(t->families, of, node);
}

static SarTwinPlace twin_of_pivot(const SymBlockTwins* t, int row, int column) {
  return t && is_same_twin(t->row[row], t->column[column]) ? t->row[row] : NO_TWIN;
}

// A determinant or pivot over its value at the start; what numbers it is times is no matter of
// structure.
static SarNode share_of(SarGraph* g, const SymBlockTwins* t, SarTwinPlace of, SarNode x,
                        double at_start) {
  if (!t || of.group < 0) return s_mul(g, x, s_num(g, 1 / at_start));
  return s_mul(g, x, sar_twins_own_number(t->families->twins, g, SAR_TWIN_SHARE, 1 / at_start));
}

// ---- small ones ---------------------------------------------------------------------------------

static SarNode minor2(SarGraph* g, SarNode a, SarNode b, SarNode c, SarNode d) {  // a d - b c
  return s_msc(g, s_mul(g, a, d), b, c);
}

static double number2(double a, double b, double c, double d) { return a * d - b * c; }

static SarNode determinant(SarGraph* g, int n, const SarNode* A, SarNode* adjugate) {
  if (n == 1) {
    adjugate[0] = s_num(g, 1);
    return A[0];
  }
  if (n == 2) {
    adjugate[0] = A[3], adjugate[1] = s_neg(g, A[1]);
    adjugate[2] = s_neg(g, A[2]), adjugate[3] = A[0];
    return minor2(g, A[0], A[1], A[2], A[3]);
  }
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {  // cofactor of entry k, i
      const int r = (k + 1) % 3, s = (k + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
      adjugate[3 * i + k] = minor2(g, A[3 * r + c], A[3 * r + d], A[3 * s + c], A[3 * s + d]);
    }
  SarNode sum = s_num(g, 0);
  for (int k = 0; k < 3; k++) sum = s_mac(g, sum, A[k], adjugate[3 * k]);
  return sum;
}

static double number_determinant(int n, const double* A) {
  if (n == 1) return A[0];
  if (n == 2) return number2(A[0], A[1], A[2], A[3]);
  return A[0] * number2(A[4], A[5], A[7], A[8]) - A[1] * number2(A[3], A[5], A[6], A[8]) +
         A[2] * number2(A[3], A[4], A[6], A[7]);
}

static bool invert(SarGraph* g, const SarNode* A, const double* value, const SymBlockTwins* twins,
                   SymBlock* out) {
  const int n = out->n;
  const double at_start = number_determinant(n, value);
  if (!(fabs(at_start) > 0)) return false;
  const SarNode det = determinant(g, n, A, out->adjugate);
  out->one = s_div(g, s_num(g, 1), det);
  for (int i = 0; i < n * n; i++) out->inverse[i] = s_mul(g, out->adjugate[i], out->one);
  out->flat = share_of(g, twins, twins ? twins->row[0] : NO_TWIN, det, at_start);
  return true;
}

// ---- others -------------------------------------------------------------------------------------

typedef struct Elimination {
  SarGraph* g;
  int n;
  const SymBlockTwins* twins;
  SarNode* A;   // n n, in the order of rows and columns so far
  double* W;    // the same in numbers
  bool* entry;  // and where there is anything
  int *row, *column;
} Elimination;

static int count_entries(const Elimination* e, int from, int i, bool of_row) {
  int count = 0;
  for (int k = from; k < e->n; k++) count += e->entry[of_row ? i * e->n + k : k * e->n + i];
  return count;
}

// Of the entries that are not small the one that fills in least.
static bool find_pivot(const Elimination* e, int from, int* row, int* column) {
  const int n = e->n;
  long least = -1;
  double best = 0;
  for (int k = from; k < n; k++) {
    double most = 0;
    for (int i = from; i < n; i++) most = fmax(most, fabs(e->W[i * n + k]));
    for (int i = from; i < n; i++) {
      const double size = fabs(e->W[i * n + k]);
      if (!(size > 0) || size < SMALL * most || !e->entry[i * n + k]) continue;
      const long fill =
          (long)(count_entries(e, from, i, true) - 1) * (count_entries(e, from, k, false) - 1);
      if (least >= 0 && (fill > least || (fill == least && size <= best))) continue;
      least = fill, best = size, *row = i, *column = k;
    }
  }
  return least >= 0;
}

static void exchange(Elimination* e, int k, int row, int column) {
  const int n = e->n;
  for (int j = 0; j < n; j++) {
    const SarNode node = e->A[k * n + j];
    const double number = e->W[k * n + j];
    e->A[k * n + j] = e->A[row * n + j], e->A[row * n + j] = node;
    const bool entry = e->entry[k * n + j];
    e->W[k * n + j] = e->W[row * n + j], e->W[row * n + j] = number;
    e->entry[k * n + j] = e->entry[row * n + j], e->entry[row * n + j] = entry;
  }
  for (int i = 0; i < n; i++) {
    const SarNode node = e->A[i * n + k];
    const double number = e->W[i * n + k];
    e->A[i * n + k] = e->A[i * n + column], e->A[i * n + column] = node;
    const bool entry = e->entry[i * n + k];
    e->W[i * n + k] = e->W[i * n + column], e->W[i * n + column] = number;
    e->entry[i * n + k] = e->entry[i * n + column], e->entry[i * n + column] = entry;
  }
  const int r = e->row[k], c = e->column[k];
  e->row[k] = e->row[row], e->row[row] = r;
  e->column[k] = e->column[column], e->column[column] = c;
}

// In numbers, and where that makes entries.
static void eliminate_numbers(Elimination* e, int k) {
  const int n = e->n;
  for (int i = k + 1; i < n; i++) {
    if (!e->entry[i * n + k]) continue;
    e->W[i * n + k] /= e->W[k * n + k];
    for (int j = k + 1; j < n; j++) {
      e->W[i * n + j] -= e->W[i * n + k] * e->W[k * n + j];
      e->entry[i * n + j] = e->entry[i * n + j] || e->entry[k * n + j];
    }
  }
}

static void eliminate(Elimination* e, int k, SarNode reciprocal) {
  const int n = e->n;
  for (int i = k + 1; i < n; i++) {
    SarNode* row = &e->A[i * n];
    if (s_is_zero(e->g, row[k])) continue;
    row[k] = s_mul(e->g, row[k], reciprocal);
    for (int j = k + 1; j < n; j++) row[j] = s_msc(e->g, row[j], row[k], e->A[k * n + j]);
  }
}

// Rows and columns k and k + 1 at once; their own rows become P^-1 A_Pj.
static SarNode eliminate_pair(Elimination* e, int k, SarNode* det) {
  SarGraph* g = e->g;
  const int n = e->n;
  SarNode *first = &e->A[k * n], *second = &e->A[(k + 1) * n];
  const SarNode a = first[k], b = first[k + 1], c = second[k], d = second[k + 1];
  *det = minor2(g, a, b, c, d);
  const SarNode one = s_div(g, s_num(g, 1), *det);
  for (int j = k + 2; j < n; j++) {
    if (!e->entry[k * n + j] && !e->entry[(k + 1) * n + j]) continue;
    const SarNode x = minor2(g, first[j], b, second[j], d),
                  y = minor2(g, a, first[j], c, second[j]);
    for (int i = k + 2; i < n; i++) {
      const SarNode sum = s_mac(g, s_mul(g, e->A[i * n + k], x), e->A[i * n + k + 1], y);
      e->A[i * n + j] = s_msc(g, e->A[i * n + j], one, sum);
    }
    first[j] = s_mul(g, one, x), second[j] = s_mul(g, one, y);
  }
  return one;
}

// Pivot k is of one twin: the rows of that twin after it, in the order of the file, whatever the
// exchanges were.
static void note_rows(const Elimination* e, int k, SarTwinPlace of) {
  const int n = e->n;
  for (int r = 0; r < n; r++)
    for (int c = 0; is_same_twin(e->twins->row[r], of) && c < n; c++) {
      int i = 0, j = 0;
      while (e->row[i] != r) i++;
      while (e->column[j] != c) j++;
      if (i > k && j >= k && !s_is_zero(e->g, e->A[i * n + j])) note(e->twins, of, e->A[i * n + j]);
    }
}

// By places of the elimination: twins of rows, and of rows and columns that are of the same.
static bool find_twins(SarArena* arena, const SymBlockTwins* twins, SymBlock* out) {
  out->twins = twins;
  if (!twins) return true;
  out->of_row = SAR_ARENA_ARRAY(arena, SarTwinPlace, out->n + 1);
  out->of_pivot = SAR_ARENA_ARRAY(arena, SarTwinPlace, out->n + 1);
  for (int k = 0; !arena->failed && k < out->n; k++) {
    out->of_row[k] = twins->row[out->row[k]];
    out->of_pivot[k] = twin_of_pivot(twins, out->row[k], out->column[k]);
  }
  return !arena->failed;
}

// The least of the shares: first of those of each twin.
static SarNode least_of(SarGraph* g, const SymBlock* B, SarNode* share) {
  SarNode least = SAR_NONE;
  for (int k = 0; k < B->n; k++) {
    const SarTwinPlace of = B->twins ? B->of_pivot[k] : NO_TWIN;
    for (int l = k + 1; share[k] >= 0 && l < B->n && of.group >= 0; l++)
      if (share[l] >= 0 && is_same_twin(of, B->of_pivot[l])) {
        share[k] = sar_sym_call(g, SAR_OP_MIN, share[k], share[l]);
        share[l] = SAR_NONE;
      }
    if (share[k] < 0) continue;
    if (B->twins) note(B->twins, of, share[k]);
    least = least < 0 ? share[k] : sar_sym_call(g, SAR_OP_MIN, least, share[k]);
  }
  return least;
}

static bool place_pivot(Elimination* e, int k) {
  int row = k, column = k;
  if (!find_pivot(e, k, &row, &column)) return false;
  exchange(e, k, row, column);
  return true;
}

// A pivot that is no number and of no twin.
static bool may_pair(const Elimination* e, int k) {
  double x;
  return k < e->n && twin_of_pivot(e->twins, e->row[k], e->column[k]).group < 0 &&
         !sar_node_is_number(e->g, e->A[k * e->n + k], &x);
}

// Pivots k and k + 1 of which the second waits for the first.
static bool is_pair(const Elimination* e, int k) {
  const int n = e->n;
  return k + 1 < n && may_pair(e, k) && may_pair(e, k + 1) && e->entry[k * n + k + 1] &&
         e->entry[(k + 1) * n + k];
}

static void find_entries(Elimination* e) {
  for (int i = 0; i < e->n * e->n; i++) e->entry[i] = !s_is_zero(e->g, e->A[i]);
}

// The pivots k and, if they are a pair, k + 1. share: at_start is their product.
static int take_pivots(Elimination* e, int k, SymBlock* out, SarNode* share) {
  const int n = e->n;
  const SarTwinPlace of = twin_of_pivot(e->twins, e->row[k], e->column[k]);
  if (out->paired[k]) {
    SarNode det;
    out->reciprocal[k] = out->reciprocal[k + 1] = eliminate_pair(e, k, &det);
    share[k] = share_of(e->g, e->twins, NO_TWIN, det, e->W[k * n + k] * e->W[(k + 1) * n + k + 1]);
    share[k + 1] = SAR_NONE;
    return 2;
  }
  const SarNode pivot = e->A[k * n + k];
  share[k] = share_of(e->g, e->twins, of, pivot, e->W[k * n + k]);
  out->reciprocal[k] = s_div(e->g, s_num(e->g, 1), pivot);
  eliminate(e, k, out->reciprocal[k]);
  if (of.group >= 0) note(e->twins, of, out->reciprocal[k]), note_rows(e, k, of);
  return 1;
}

static bool factor(SarArena* arena, SarGraph* g, const double* value, const SymBlockTwins* twins,
                   SymBlock* out) {
  const int n = out->n;
  Elimination e = {
      .g = g, .n = n, .twins = twins, .A = out->LU, .row = out->row, .column = out->column};
  e.W = SAR_ARENA_ARRAY(arena, double, n* n);
  e.entry = SAR_ARENA_ARRAY(arena, bool, n* n);
  out->paired = SAR_ARENA_ARRAY(arena, bool, n + 1);
  SarNode* share = SAR_ARENA_ARRAY(arena, SarNode, n + 1);
  if (!e.W || !e.entry || !out->paired || !share) return false;
  memcpy(e.W, value, (size_t)(n * n) * sizeof *e.W);
  for (int i = 0; i < n; i++) e.row[i] = e.column[i] = i;
  find_entries(&e);
  for (int k = 0; k < n;) {
    if (!place_pivot(&e, k)) return false;
    const bool first = may_pair(&e, k);
    eliminate_numbers(&e, k);
    if (first && k + 1 < n) {
      if (!place_pivot(&e, k + 1)) return false;
      out->paired[k] = is_pair(&e, k);
    }
    if (out->paired[k]) eliminate_numbers(&e, k + 1);
    k += take_pivots(&e, k, out, share);
    find_entries(&e);
  }
  if (!find_twins(arena, twins, out)) return false;
  out->flat = least_of(g, out, share);
  return true;
}

bool sar_block_factor(SarArena* arena, SarGraph* g, int n, const SarNode* A, const double* value,
                      const SymBlockTwins* twins, SymBlock* out) {
  *out = (SymBlock){.n = n};
  SarNode* room = SAR_ARENA_ARRAY(arena, SarNode, n * n + 1);
  out->reciprocal = SAR_ARENA_ARRAY(arena, SarNode, n + 1);
  out->row = SAR_ARENA_ARRAY(arena, int, n + 1);
  out->column = SAR_ARENA_ARRAY(arena, int, n + 1);
  if (!room || !out->reciprocal || !out->row || !out->column) return false;
  if (n <= SYM_BLOCK_ADJUGATE) {
    out->inverse = room;
    out->adjugate = SAR_ARENA_ARRAY(arena, SarNode, n * n + 1);
    if (!out->adjugate) return false;
    return invert(g, A, value, twins, out);
  }
  out->LU = room;
  memcpy(room, A, (size_t)(n * n) * sizeof *room);
  return factor(arena, g, value, twins, out);
}

// ---- solving ------------------------------------------------------------------------------------

static void multiply(SarGraph* g, const SymBlock* B, SarNode* x, bool transposed) {
  const int n = B->n;
  SarNode y[SYM_BLOCK_ADJUGATE];
  const SarNode* A = B->few ? B->adjugate : B->inverse;
  for (int i = 0; i < n; i++) {
    y[i] = s_num(g, 0);
    for (int k = 0; k < n; k++) y[i] = s_mac(g, y[i], A[transposed ? k * n + i : i * n + k], x[k]);
    if (B->few) y[i] = s_mul(g, y[i], B->one);
  }
  memcpy(x, y, (size_t)n * sizeof *x);
}

// Columns i and k of one pair?
static bool is_partner(const SymBlock* B, int i, int k) {
  return (k == i - 1 && B->paired[k]) || (k == i + 1 && B->paired[i]);
}

static bool in_pair(const SymBlock* B, int i) {
  return B->paired[i] || (i > 0 && B->paired[i - 1]);
}

// P^-1 or P'^-1 of rows k and k + 1
static void solve_pair(SarGraph* g, const SymBlock* B, int k, SarNode* y, bool transposed) {
  const SarNode *first = &B->LU[k * B->n], *second = first + B->n;
  const SarNode b = transposed ? second[k] : first[k + 1],
                c = transposed ? first[k + 1] : second[k];
  const SarNode x = minor2(g, y[k], b, y[k + 1], second[k + 1]);
  y[k + 1] = s_mul(g, B->reciprocal[k], minor2(g, first[k], y[k], c, y[k + 1]));
  y[k] = s_mul(g, B->reciprocal[k], x);
}

// x_i - sum over k < i of L_ik y_k; the first terms are those of the row's own twin.
static SarNode substitute(SarGraph* g, const SymBlock* B, int i, SarNode x, const SarNode* y) {
  const int n = B->n;
  bool own = B->twins != NULL;
  for (int k = 0; k < i; k++) {
    if (is_partner(B, i, k) || s_is_zero(g, B->LU[i * n + k])) continue;
    if (own && !is_same_twin(B->of_row[i], B->of_pivot[k])) {
      note(B->twins, B->of_row[i], x);
      own = false;
    }
    x = s_msc(g, x, B->LU[i * n + k], y[k]);
  }
  if (own) note(B->twins, B->of_row[i], x);
  return x;
}

void sar_block_solve(SarGraph* g, const SymBlock* B, SarNode* x) {
  const int n = B->n;
  SarNode y[SYM_BLOCK_MOST];
  if (B->inverse) {
    multiply(g, B, x, false);
    return;
  }
  for (int i = 0; i < n; i++) {
    y[i] = substitute(g, B, i, x[B->row[i]], y);
    if (i > 0 && B->paired[i - 1]) solve_pair(g, B, i - 1, y, false);
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++)
      if (!is_partner(B, i, k)) y[i] = s_msc(g, y[i], B->LU[i * n + k], y[k]);
    if (!in_pair(B, i)) y[i] = s_mul(g, y[i], B->reciprocal[i]);
    if (B->twins) note(B->twins, B->of_pivot[i], y[i]);
  }
  for (int i = 0; i < n; i++) x[B->column[i]] = y[i];
}

// x_i - sum over k < i of U_ki y_k, what each twin gives to another's column in one sum.
static SarNode substitute_transposed(SarGraph* g, const SymBlock* B, int i, SarNode x,
                                     const SarNode* y) {
  const int n = B->n;
  bool done[SYM_BLOCK_MOST] = {false};
  for (int k = 0; k < i; k++) {
    if (done[k] || is_partner(B, i, k) || s_is_zero(g, B->LU[k * n + i])) continue;
    const SarTwinPlace of = B->twins ? B->of_pivot[k] : NO_TWIN;
    if (of.group < 0 || is_same_twin(of, B->of_pivot[i])) {
      x = s_msc(g, x, B->LU[k * n + i], y[k]);
      continue;
    }
    SarNode sum = s_num(g, 0);
    for (int l = k; l < i; l++)
      if (is_same_twin(of, B->of_pivot[l])) {
        sum = s_mac(g, sum, B->LU[l * n + i], y[l]);
        done[l] = true;
      }
    note(B->twins, of, sum);
    x = s_sub(g, x, sum);
  }
  return x;
}

void sar_block_solve_transposed(SarGraph* g, const SymBlock* B, SarNode* x) {
  const int n = B->n;
  SarNode y[SYM_BLOCK_MOST];
  if (B->inverse) {
    multiply(g, B, x, true);
    return;
  }
  for (int i = 0; i < n; i++) {
    y[i] = substitute_transposed(g, B, i, x[B->column[i]], y);
    if (!in_pair(B, i)) y[i] = s_mul(g, y[i], B->reciprocal[i]);
    if (B->twins) note(B->twins, B->of_pivot[i], y[i]);
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++)
      if (!is_partner(B, i, k)) y[i] = s_msc(g, y[i], B->LU[k * n + i], y[k]);
    if (B->paired[i]) solve_pair(g, B, i, y, true);
    if (B->twins) note(B->twins, B->of_pivot[i], y[i]);
  }
  for (int i = 0; i < n; i++) x[B->row[i]] = y[i];
}
