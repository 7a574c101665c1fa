// Generated derivatives where constraints are on or parameters are kept (bordered.h): straight-line
// code for the terms and their changes, loops for the bordered system.
//
// As in dynamics/derivatives.c: of the rows of Psi those are chosen that are farthest apart (QR
// with pivoting, linalg/apart.h), as many as are independent; the saddle point matrix over them,
// rows scaled to the size of M, is factored densely with pivoting.
#include "codegen/derivatives.h"

#include "linalg/apart.h"

bool sar_derivatives_are_bordered(const SarGeneration* g) {
  return g->m->nrow > 0 || g->o.keeps > 0;
}

static int at_least_one(int n) { return n > 0 ? n : 1; }

static int most_columns(const SarGeneration* g) {
  int most = 1;
  for (int way = 0; way < SYM_WAYS; way++) {
    const int n = sar_derivatives_columns(g, way);
    most = n > most ? n : most;
  }
  return most;
}

// ---- the struct ---------------------------------------------------------------------------------

// Members of NAME_tree beside those of the tree.
static void write_members(const SarGeneration* g, SarWriter* w) {
  const SarModel* m = g->m;
  const int nv = m->nv, rows = at_least_one(m->nrow), all = m->nv + m->nrow;
  sar_write(w,
            "  // M a + Psi' lambda = rest, Psi a = gamma, over the rows that were chosen\n"
            "  real Psi[%d][%d], gamma[%d], lambda[%d], scale[%d], K[%d][%d];\n"
            "  int row[%d], order[%d], rank, singular;\n"
            "  // changes of both equations with what may vary, and of rates\n",
            rows, nv, rows, rows, rows, all, all, rows, all);
  for (int way = 0; way < SYM_WAYS; way++) {
    const int columns = sar_derivatives_columns(g, way);
    if (columns == 0) continue;
    sar_write(w, "  real top_%s[%d][%d], bottom_%s[%d][%d], rate_%s[%d][%d];\n", SAR_ALONG[way], nv,
              columns, SAR_ALONG[way], rows, columns, SAR_ALONG[way], at_least_one(m->nz), columns);
  }
}

static void write_plain_type(const SarGeneration* g, SarWriter* w) {
  const int nv = g->m->nv;
  sar_write(w, "typedef struct %s_tree {\n  real M[%d][%d], rest[%d], a[%d];\n", g->o.name, nv, nv,
            nv, nv);
  write_members(g, w);
  sar_write(w, "} %s_tree;\n\n", g->o.name);
}

// ---- loops --------------------------------------------------------------------------------------

static void write_choice(const SarGeneration* g, SarWriter* w) {
  const int nv = g->m->nv, nrow = g->m->nrow, most = nrow < nv ? nrow : nv;
  if (nrow == 0) return;
  sar_write(w,
            "// Rows of length 1 that are farthest apart, as many as are independent.\n"
            "static void %s_choose(%s_tree* t) {\n  real left[%d][%d];\n  int taken[%d] = {0};\n"
            "  t->rank = 0;\n  for (int r = 0; r < %d; r++) {\n    real square = 0;\n"
            "    for (int k = 0; k < %d; k++) square += t->Psi[r][k] * t->Psi[r][k];\n"
            "    t->scale[r] = square > 0 ? 1 / sqrt(square) : 0;\n"
            "    for (int k = 0; k < %d; k++) left[r][k] = t->scale[r] * t->Psi[r][k];\n  }\n",
            g->o.name, g->o.name, nrow, nv, nrow, nrow, nv, nv);
  sar_write(w,
            "  for (int n = 0; n < %d; n++) {\n    int best = -1;\n    real most = %g;\n"
            "    for (int r = 0; r < %d; r++) {\n      real square = 0;\n"
            "      for (int k = 0; k < %d; k++) square += left[r][k] * left[r][k];\n"
            "      if (!taken[r] && square > most * (1 + %g)) most = square, best = r;\n    }\n"
            "    if (best < 0) return;\n    taken[best] = 1;\n    t->row[t->rank++] = best;\n",
            most, SAR_APART_LEAST * SAR_APART_LEAST, nrow, nv, SAR_APART_TIE);
  sar_write(w,
            "    for (int r = 0; r < %d; r++) {\n      real part = 0;\n"
            "      if (taken[r]) continue;\n"
            "      for (int k = 0; k < %d; k++) part += left[r][k] * left[best][k];\n"
            "      for (int k = 0; k < %d; k++) left[r][k] -= part / most * left[best][k];\n"
            "    }\n  }\n}\n\n",
            nrow, nv, nv);
}

// K, its factors with row exchanges in `order`.
static void write_factor(const SarGeneration* g, SarWriter* w) {
  const SarModel* m = g->m;
  const int nv = m->nv;
  const char* n = g->o.name;
  sar_write(w, "static void %s_border_factor(%s_tree* t) {\n", n, n);
  sar_write(w,
            "  const int n = %d + t->rank;\n  for (int k = 0; k < n; k++) {\n    int best = k;\n"
            "    for (int i = k + 1; i < n; i++)\n"
            "      if (fabs(t->K[i][k]) > fabs(t->K[best][k])) best = i;\n"
            "    t->order[k] = best;\n"
            "    for (int j = 0; best != k && j < n; j++) {\n"
            "      const real x = t->K[k][j];\n      t->K[k][j] = t->K[best][j];\n"
            "      t->K[best][j] = x;\n    }\n"
            "    if (!(fabs(t->K[k][k]) > 0)) {\n      t->singular = 1;\n      return;\n    }\n",
            nv);
  sar_write(
      w,
      "    const real d = 1 / t->K[k][k];\n    for (int i = k + 1; i < n; i++) {\n"
      "      const real l = t->K[i][k] * d;\n      if (l == 0) continue;\n"
      "      t->K[i][k] = l;\n"
      "      for (int j = k + 1; j < n; j++) t->K[i][j] -= l * t->K[k][j];\n    }\n  }\n}\n\n");
}

// Nonzero entries of M are those of a coordinate and its ancestors.
static void write_parents(const SarGeneration* g, SarWriter* w) {
  sar_write(w, "static const int %s_inner[%d] = {", g->o.name, g->m->nv);
  for (int i = 0; i < g->m->nv; i++) sar_write(w, "%s%d", i ? ", " : "", g->m->dof_parent[i]);
  sar_write(w, "};\n\n");
}

static void write_border(const SarGeneration* g, SarWriter* w) {
  const int nv = g->m->nv, all = g->m->nv + g->m->nrow;
  const char* n = g->o.name;
  sar_write(w,
            "// K = [M Psi'; Psi 0], rows of Psi scaled to the size of M; then a and lambda.\n"
            "static void %s_border(%s_tree* t) {\n  real x[%d], size = 0;\n",
            n, n, all);
  if (g->m->nrow > 0) sar_write(w, "  %s_choose(t);\n", n);
  sar_write(w,
            "  for (int i = 0; i < %d; i++) {\n    size += t->M[i][i] / %d;\n"
            "    for (int k = i; k >= 0; k = %s_inner[k]) t->K[i][k] = t->K[k][i] = t->M[i][k];\n"
            "    x[i] = t->rest[i];\n  }\n  if (!(size > 0)) size = 1;\n",
            nv, nv, n);
  if (g->m->nrow > 0)
    sar_write(w,
              "  for (int r = 0; r < t->rank; r++) {\n    const int row = t->row[r];\n"
              "    t->scale[row] *= size;\n    for (int k = 0; k < %d; k++)\n"
              "      t->K[%d + r][k] = t->K[k][%d + r] = t->scale[row] * t->Psi[row][k];\n"
              "    x[%d + r] = t->scale[row] * t->gamma[row];\n  }\n",
              nv, nv, nv, nv);
  sar_write(w,
            "  %s_border_factor(t);\n  if (t->singular) return;\n  %s_border_solve(t, 1, x);\n"
            "  for (int i = 0; i < %d; i++) t->a[i] = x[i];\n",
            n, n, nv);
  if (g->m->nrow > 0)
    sar_write(w,
              "  for (int r = 0; r < t->rank; r++)\n"
              "    t->lambda[t->row[r]] = t->scale[t->row[r]] * x[%d + r];\n",
              nv);
  sar_write(w, "}\n\n");
}

// x <- K^-1 x for `columns` columns at a time
static void write_solve(const SarGeneration* g, SarWriter* w) {
  const char* n = g->o.name;
  sar_write(w,
            "static void %s_border_solve(const %s_tree* t, int columns, real* x) {\n"
            "  const int n = %d + t->rank;\n  for (int k = 0; k < n; k++) {\n"
            "    real *here = x + k * columns, *other = x + t->order[k] * columns;\n"
            "    for (int c = 0; other != here && c < columns; c++) {\n"
            "      const real y = here[c];\n      here[c] = other[c];\n      other[c] = y;\n    }\n"
            "  }\n",
            n, n, g->m->nv);
  sar_write(
      w,
      "  for (int k = 0; k < n; k++)\n    for (int i = k + 1; i < n; i++) {\n"
      "      const real l = t->K[i][k];\n      if (l == 0) continue;\n"
      "      for (int c = 0; c < columns; c++) x[i * columns + c] -= l * x[k * columns + c];\n"
      "    }\n"
      "  for (int k = n - 1; k >= 0; k--) {\n    const real d = 1 / t->K[k][k];\n"
      "    for (int c = 0; c < columns; c++) x[k * columns + c] *= d;\n"
      "    for (int i = 0; i < k; i++) {\n      const real l = t->K[i][k];\n"
      "      if (l == 0) continue;\n"
      "      for (int c = 0; c < columns; c++) x[i * columns + c] -= l * x[k * columns + c];\n"
      "    }\n  }\n}\n\n");
}

// Accelerations for changes of both equations.
static void write_across(const SarGeneration* g, SarWriter* w) {
  const int nv = g->m->nv, all = g->m->nv + g->m->nrow;
  const char* n = g->o.name;
  sar_write(w,
            "static void %s_across(const %s_tree* t, int columns, const real* top, const real* "
            "bottom,\n    real* out) {\n  real x[%d];\n"
            "  memcpy(x, top, %d * (size_t)columns * sizeof *x);\n",
            n, n, all * most_columns(g), nv);
  if (g->m->nrow > 0)
    sar_write(
        w,
        "  for (int r = 0; r < t->rank; r++)\n    for (int c = 0; c < columns; c++)\n"
        "      x[(%d + r) * columns + c] = t->scale[t->row[r]] * bottom[t->row[r] * columns + "
        "c];\n",
        nv);
  else
    sar_write(w, "  (void)bottom;\n");
  sar_write(w,
            "  %s_border_solve(t, columns, x);\n"
            "  memcpy(out, x, %d * (size_t)columns * sizeof *x);\n}\n\n",
            n, nv);
}

// ---- straight-line code -------------------------------------------------------------------------

static void put(SarDerivativeOutputs* o, SarNode node, const char* to) {
  o->assign[o->n++] = (SarAssign){node, to};
}

static void put_terms(SarDerivativeOutputs* o, const SymBordered* b) {
  const SarModel* m = b->m;
  SarArena* arena = o->g->arena;
  for (int i = 0; b->mass && i < m->nv; i++) {
    for (int k = i; k >= 0; k = m->dof_parent[k])
      put(o, b->mass[i * m->nv + k], sar_arena_printf(arena, "out->M[%d][%d]", i, k));
    put(o, b->rest[i], sar_arena_printf(arena, "out->rest[%d]", i));
  }
  for (int r = 0; r < m->nrow; r++) {
    for (int k = m->row_adr[r]; k < m->row_adr[r + 1]; k++)
      put(o, b->Psi[k], sar_arena_printf(arena, "out->Psi[%d][%d]", r, m->row_dof[k]));
    put(o, b->gamma[r], sar_arena_printf(arena, "out->gamma[%d]", r));
  }
}

static void put_matrix(SarDerivativeOutputs* o, const SymBordered* b, const char* what, int way,
                       int rows, const SarNode* value) {
  const int columns = sar_bordered_columns(b, way);
  for (int i = 0; i < rows * columns; i++)
    if (!s_is_zero(b->g, value[i]))
      put(o, value[i],
          sar_arena_printf(o->g->arena, "out->%s_%s[%d][%d]", what, SAR_ALONG[way], i / columns,
                           i % columns));
}

static void put_changes(SarDerivativeOutputs* o, const SymBordered* b) {
  for (int way = 0; way < SYM_WAYS; way++) {
    put_matrix(o, b, "top", way, b->m->nv, b->top[way]);
    put_matrix(o, b, "bottom", way, b->m->nrow, b->bottom[way]);
    put_matrix(o, b, "rate", way, b->m->nz, b->rate[way]);
  }
}

static int count_outputs(const SymBordered* b) {
  const SarModel* m = b->m;
  int n = 56 * m->nv + 12 * m->nbody + m->nv * m->nv + m->nrow_dof + m->nrow + 1;
  for (int way = 0; way < SYM_WAYS; way++)
    n += (m->nv + m->nrow + m->nz) * sar_bordered_columns(b, way);
  return n;
}

static bool emit_terms(SarGeneration* g, const SymBordered* b) {
  SarDerivativeOutputs o = {.g = g,
                            .assign = SAR_ARENA_ARRAY(g->arena, SarAssign, count_outputs(b))};
  const char* n = g->o.name;
  if (!o.assign) return false;
  if (b->tree) sar_derivatives_tree_first(&o, b->tree);
  put_terms(&o, b);
  SarEmit e = sar_generation_emitter(g, "slopes_of", sar_arena_printf(g->arena, "%s_tree", n));
  e.g = b->g;
  e.symbol = sar_derivatives_symbol;
  e.before = o.n;
  e.pause = b->tree ? sar_arena_printf(g->arena, "%s_accelerate(out), %s_border(out)", n, n)
                    : sar_arena_printf(g->arena, "%s_border(out)", n);
  if (b->tree) sar_derivatives_tree_second(&o, b->tree);
  put_changes(&o, b);
  return sar_emit_functions(&e, o.n, o.assign, &g->derivatives);
}

// ---- the function -------------------------------------------------------------------------------

static void write_tree_part(const SarGeneration* g, SarWriter* w, int wide) {
  const char* n = g->o.name;
  sar_write(w,
            "  %s_directions(&t);\n  %s_slope_rows(&t, Q, V);\n"
            "  for (int i = 0; i < %d; i++)\n    for (int k = i; k >= 0; k = %s_inner[k]) {\n"
            "      t.top_q[i][k] -= Q[i * %d + k], t.top_v[i][k] -= V[i * %d + k];\n"
            "      if (k == i) continue;\n"
            "      t.top_q[k][i] -= Q[k * %d + i], t.top_v[k][i] -= V[k * %d + i];\n    }\n",
            n, n, g->m->nv, n, wide, wide, wide, wide);
}

static void write_way(const SarGeneration* g, SarWriter* w, int way) {
  const char* by = SAR_ALONG[way];
  const int columns = sar_derivatives_columns(g, way);
  const char* first = way == SYM_ALONG_TIME ? "[0]" : "[0][0]";
  if (columns == 0) return;
  sar_write(w, "  %s_across(&t, %d, &t.top_%s[0][0], &t.bottom_%s[0][0], &out->a_%s%s);\n",
            g->o.name, columns, by, by, by, first);
  if (g->m->nz > 0)
    sar_write(w, "  memcpy(out->rate_%s, t.rate_%s, sizeof out->rate_%s);\n", by, by, by);
}

static void write_function(const SarGeneration* g, SarWriter* w, bool tree, int wide) {
  const int nv = g->m->nv;
  const char* n = g->o.name;
  sar_write(w,
            "int %s_acceleration_derivatives(const %s_state* s, const %s_inputs* u,\n"
            "    %s_derivatives* out) {\n  %s_tree t;\n",
            n, n, n, n, n);
  if (tree) sar_write(w, "  real Q[%d], V[%d];\n", nv * wide, nv * wide);
  sar_write(
      w, "  memset(&t, 0, sizeof t);\n  %s_slopes_of(s, u, &t);\n  if (t.singular) return 1;\n", n);
  if (tree) write_tree_part(g, w, wide);
  for (int way = 0; way < SYM_WAYS; way++) write_way(g, w, way);
  sar_write(w,
            "  memset(t.top_q, 0, sizeof t.top_q);\n  memset(t.bottom_q, 0, sizeof t.bottom_q);\n"
            "  for (int i = 0; i < %d; i++) t.top_q[i][i] = 1, out->a[i] = t.a[i];\n"
            "  %s_across(&t, %d, &t.top_q[0][0], &t.bottom_q[0][0], &out->a_tau[0][0]);\n"
            "  // a sum that is not finite where one of them is not\n"
            "  double sum = 0, one;\n"
            "  for (size_t i = 0; i < sizeof *out; i += sizeof one) {\n"
            "    memcpy(&one, (const char*)out + i, sizeof one);\n    sum += one * 0;\n  }\n"
            "  return !(sum == 0);\n}\n\n",
            nv, n, nv);
}

// ---- all ----------------------------------------------------------------------------------------

// The model anew, without twins and with speeds as they are: of closed loops none is taken for
// known.
static bool make_terms(SarGeneration* g, SarSymbols* s, SymSlopes* w) {
  if (!sar_symbols_init(s, g->m, g->arena, NULL)) return false;
  sar_symbols_forces(s);
  sar_symbols_bias(s);  // for gamma
  sar_symbols_constraints(s);
  sar_symbols_constraint_rates(s);
  return !s->refused && sar_symbols_slopes(s, w);
}

static void write_tree(SarGeneration* g, const SymSlopes* w) {
  SarWriter members = {.arena = g->arena};
  write_members(g, &members);
  const SarSlopesText x = {.arena = g->arena,
                           .out = &g->body,
                           .name = g->o.name,
                           .w = w,
                           .wide = sar_slopes_wide(g->m),
                           .homes = sar_derivatives_homes(w),
                           .bordered = members.text.items};
  sar_slopes_type(&x, 0);
  sar_slopes_write_columns(&x);
  sar_slopes_write_mass(&x);
  sar_slopes_write_rows(&x);
}

bool sar_derivatives_emit_bordered(SarGeneration* g) {
  SymBordered b;
  SarSymbols s;
  SarWriter* w = &g->body;
  const bool tree = g->o.keeps == 0;
  if (tree && !make_terms(g, &s, &g->slopes)) return false;
  const SarSymbols* kept = g->partition ? &g->terms : &g->symbols;
  if (!sar_bordered_make(&b, tree ? &s : kept, tree ? &g->slopes : NULL, g->o.keeps, g->o.keep))
    return false;
  if (tree)
    write_tree(g, &g->slopes);
  else
    write_plain_type(g, w);
  write_parents(g, w);
  write_choice(g, w);
  write_solve(g, w);
  write_factor(g, w);
  write_border(g, w);
  if (!emit_terms(g, &b)) return false;
  write_across(g, w);
  write_function(g, w, tree, sar_slopes_wide(g->m));
  return !g->arena->failed;
}
