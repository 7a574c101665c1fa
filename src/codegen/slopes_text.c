// Rows of the mass matrix and of the derivatives of inverse dynamics as loops of C (slopes_text.h).
//
// Loops run over columns that are next to each other, a whole number of vectors at a time: their
// bounds are constants, so that compilers vectorise them without a rest.
#include "codegen/slopes_text.h"

#include "dynamics/tree.h"

#include <string.h>

enum { VECTOR = SAR_SLOPES_VECTOR, LINES = 120, UNROLLED = 9 };

int sar_slopes_wide(const SarModel* m) { return (m->nv + VECTOR - 1) / VECTOR * VECTOR; }

int sar_slopes_home_number(const SymSlopes* w, int b) {
  int n = 0;
  if (!sar_slopes_is_home(w, b) || w->s->m->body_parent[b] < 0) return -1;
  for (int k = 0; k < b; k++) n += sar_slopes_is_home(w, k) && w->s->m->body_parent[k] >= 0;
  return n;
}

void sar_slopes_type(const SarSlopesText* x, int more) {
  const int n = x->w->s->m->nv, wide = x->wide;
  sar_write(x->out,
            "#if defined(__GNUC__) && !defined(__clang__) && defined(__AVX__)\n"
            "#define PRAGMA(text) _Pragma(#text)\n#define UNROLL(n) PRAGMA(GCC unroll n)\n"
            "// keeps rows that are done from being carried along in registers, and spilt\n"
            "#define ROW_IS_STORED __asm__ volatile(\"\" ::: \"memory\");\n"
            "#else\n#define UNROLL(n)\n#define ROW_IS_STORED\n#endif\n\n");
  sar_write(
      x->out,
      "// Columns by coordinate: axis S; inertia I, h, m of the subtree, its rate D, p, momentum\n"
      "// l, the force N of the joint, motion V, A of the body; force F of the composite body\n"
      "// along S; what displacements and speeds change beyond: P, PP, PV, and the forces for it:\n"
      "// U, W, G. The mass matrix.\n"
      "typedef struct %s_tree {\n"
      "  real S[6][%d], I[6][%d], h[3][%d], m[%d], D[6][%d], p[3][%d], l[3][%d], N[6][%d];\n"
      "  real V[6][%d], A[6][%d], F[6][%d], P[3][%d], PP[6][%d], PV[6][%d], U[6][%d], "
      "W[6][%d], G[3][%d];\n"
      "  real M[%d][%d], pivot[%d], rest[%d], a[%d], more[%d];\n",
      x->name, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide,
      wide, wide, wide, n, wide, n, n, n, more > 0 ? more : 1);
  if (x->homes > 0) sar_write(x->out, "  real C[6][%d], X[%d][12];\n", wide, x->homes);
  if (x->bordered) sar_write(x->out, "%s", x->bordered);
  sar_write(x->out, "} %s_tree;\n\n", x->name);
}

// ---- the tree -----------------------------------------------------------------------------------

int sar_slopes_end(const SarModel* m, int b) {
  const int after = b + m->body_subtree[b];
  return after < m->nbody ? m->joint_vadr[after] : m->nv;
}

int sar_slopes_dof_end(const SarModel* m, int dof) { return sar_slopes_end(m, m->dof_body[dof]); }

// ---- functions ----------------------------------------------------------------------------------

static void close_piece(const SarPieces* p) {
  if (p->functions > 0) sar_write(p->x->out, "}\n\n");
}

void sar_pieces_room(SarPieces* p, int lines) {
  if (p->functions > 0 && p->used + lines <= LINES) {
    p->used += lines;
    return;
  }
  close_piece(p);
  sar_write(p->x->out, "static void %s_%s_%d(%s) {\n  %s;\n", p->x->name, p->what, p->functions++,
            p->arguments, p->unused);
  p->used = lines;
}

void sar_pieces_end(SarPieces* p) {
  close_piece(p);
  sar_write(p->x->out, "static void %s_%s(%s) {\n", p->x->name, p->what, p->arguments);
  for (int i = 0; i < p->functions; i++)
    sar_write(p->x->out, "  %s_%s_%d(%s);\n", p->x->name, p->what, i, p->passed);
  sar_write(p->x->out, "}\n\n");
}

// ---- runs of columns ----------------------------------------------------------------------------

int sar_runs(const bool* marked, int n, SarRun* run) {
  int count = 0;
  for (int i = 0; i < n; i++) {
    if (!marked[i]) continue;
    if (count > 0 && run[count - 1].to == i)
      run[count - 1].to++;
    else
      run[count++] = (SarRun){i, i + 1};
  }
  return count;
}

int sar_runs_of_vectors(const bool* marked, int n, SarRun* run) {
  int count = 0;
  for (int i = 0; i < n; i++) {
    if (!marked[i]) continue;
    const int from = i / VECTOR * VECTOR;
    if (count == 0 || run[count - 1].to < from) run[count++] = (SarRun){from, from};
    run[count - 1].to = from + VECTOR;
  }
  return count;
}

// GCC leaves short loops as they are, and counting takes a third of their instructions.
void sar_slopes_unroll(const SarSlopesText* x, SarRun run) {
  const int n = (run.to - run.from) / VECTOR;
  if (n > 1) sar_write(x->out, "UNROLL(%d)\n", n < UNROLLED ? n : UNROLLED);
}

void sar_slopes_loop(const SarSlopesText* x, SarRun run, bool again, const char* indent,
                     const char* body) {
  const int n = run.to - run.from, whole = n / VECTOR * VECTOR;
  if (whole > 0) {
    sar_slopes_unroll(x, (SarRun){run.from, run.from + whole});
    sar_write(x->out, "%sfor (int c = %d; c < %d; c++) %s\n", indent, run.from, run.from + whole,
              body);
  }
  if (whole < n)
    sar_write(x->out, "%sfor (int c = %d; c < %d; c++) %s\n", indent,
              whole > 0 && again ? run.to - VECTOR : run.from + whole, run.to, body);
}

// ---- from home to home --------------------------------------------------------------------------

static const char CARRY_FORCE[] =
    "{\n"
    "      const real n0 = t->@[0][c], n1 = t->@[1][c], n2 = t->@[2][c];\n"
    "      const real f0 = t->@[3][c], f1 = t->@[4][c], f2 = t->@[5][c];\n"
    "      const real g0 = x[0] * f0 + x[1] * f1 + x[2] * f2;\n"
    "      const real g1 = x[3] * f0 + x[4] * f1 + x[5] * f2;\n"
    "      const real g2 = x[6] * f0 + x[7] * f1 + x[8] * f2;\n"
    "      t->@[0][c] = x[0] * n0 + x[1] * n1 + x[2] * n2 + (x[10] * g2 - x[11] * g1);\n"
    "      t->@[1][c] = x[3] * n0 + x[4] * n1 + x[5] * n2 + (x[11] * g0 - x[9] * g2);\n"
    "      t->@[2][c] = x[6] * n0 + x[7] * n1 + x[8] * n2 + (x[9] * g1 - x[10] * g0);\n"
    "      t->@[3][c] = g0;\n      t->@[4][c] = g1;\n      t->@[5][c] = g2;\n    }";

static const char CARRY_VECTOR[] =
    "{\n"
    "      const real n0 = t->@[0][c], n1 = t->@[1][c], n2 = t->@[2][c];\n"
    "      t->@[0][c] = x[0] * n0 + x[1] * n1 + x[2] * n2;\n"
    "      t->@[1][c] = x[3] * n0 + x[4] * n1 + x[5] * n2;\n"
    "      t->@[2][c] = x[6] * n0 + x[7] * n1 + x[8] * n2;\n    }";

static void carry(const SarSlopesText* x, SarPieces* p, int b, const char* columns,
                  const char* text) {
  const SarModel* m = x->w->s->m;
  const int home = sar_slopes_home_number(x->w, b);
  const SarRun run = {m->joint_vadr[b], sar_slopes_end(m, b)};
  SarWriter body = {.arena = x->arena};
  for (const char* c = text; *c; c++)
    sar_write(&body, *c == '@' ? "%s" : "%.1s", *c == '@' ? columns : c);
  sar_pieces_room(p, 16);
  sar_write(x->out, "  {\n    real x[12];\n    memcpy(x, t->X[%d], sizeof x);\n", home);
  sar_slopes_loop(x, run, false, "    ", body.text.items);
  sar_write(x->out, "  }\n");
}

// ---- rows ---------------------------------------------------------------------------------------

// Ancestors of coordinate i whose home is `home`; with `own`, those of its own joint up to i as
// well.
static void mark_inner(const SarSlopesText* x, int i, int home, bool own, bool* marked) {
  const SarModel* m = x->w->s->m;
  const int body = m->dof_body[i];
  memset(marked, 0, (size_t)m->nv * sizeof *marked);
  for (int k = own ? i : m->dof_parent[i]; k >= 0; k = m->dof_parent[k]) {
    const int b = m->dof_body[k];
    if (x->w->home[b] == home && (own || b != body)) marked[k] = true;
  }
}

// A run that is shorter than a vector, made as long where there are columns behind it.
static void fill_vector(const SarSlopesText* x, SarRun* run) {
  if (run->to - run->from < VECTOR && run->from + VECTOR <= x->wide) run->to = run->from + VECTOR;
}

// Rows of coordinates beyond `home` with the products of their columns and those of inner ones in
// it; rows in sequence that have the same inner coordinates are a loop.
//
// Of rows of the home itself what is behind a run is written afterwards, another run, the row's own
// columns or zeros: a run that is shorter than a vector may go on there. Rows of homes
// beyond have their own columns already, so they are loops of their own.
static void write_inner_rows(const SarSlopesText* x, SarPieces* p, int home, bool own,
                             const char* before, const char* const* body) {
  const SarModel* m = x->w->s->m;
  const int end = sar_slopes_end(m, home);
  bool* marked = SAR_ARENA_ARRAY(x->arena, bool, 2 * m->nv + 1);
  SarRun* run = SAR_ARENA_ARRAY(x->arena, SarRun, m->nv + 1);
  if (!marked || !run) return;
  bool* next = marked + m->nv;
  for (int i = m->joint_vadr[home], to; i < end; i = to) {
    const bool here = x->w->home[m->dof_body[i]] == home;
    mark_inner(x, i, home, own, marked);
    for (to = i + 1; to < end; to++) {
      mark_inner(x, to, home, own, next);
      if (memcmp(marked, next, (size_t)m->nv * sizeof *marked) != 0) break;
      if ((x->w->home[m->dof_body[to]] == home) != here) break;
    }
    const int runs = sar_runs(marked, m->nv, run);
    if (runs == 0) continue;
    if (!own && here)
      for (int r = 0; r < runs; r++) fill_vector(x, &run[r]);
    sar_pieces_room(p, 4 + 6 * runs);
    sar_write(x->out, "  for (int i = %d; i < %d; i++) {\n    %s\n", i, to, before);
    for (int r = 0; r < runs; r++)
      for (int k = 0; body[k]; k++) sar_slopes_loop(x, run[r], true, "    ", body[k]);
    sar_write(x->out, "  }\n");
  }
}

static const char* powers(const SarSlopesText* x, const char* to, const char* with) {
  return sar_arena_printf(x->arena,
                          "%s = f0 * t->%s[0][c] + f1 * t->%s[1][c] + f2 * t->%s[2][c] + f3 * "
                          "t->%s[3][c] + f4 * t->%s[4][c] + f5 * t->%s[5][c]",
                          to, with, with, with, with, with, with);
}

static const char* six(const SarSlopesText* x, const char* of) {
  return sar_arena_printf(x->arena,
                          "const real f0 = t->%s[0][i], f1 = t->%s[1][i], f2 = t->%s[2][i], f3 = "
                          "t->%s[3][i], f4 = t->%s[4][i], f5 = t->%s[5][i];",
                          of, of, of, of, of, of);
}

// Entries beside those of ancestors, as far as vectors with them go.
static void write_mass_zeros(const SarSlopesText* x, SarPieces* p) {
  const SarModel* m = x->w->s->m;
  bool* marked = SAR_ARENA_ARRAY(x->arena, bool, m->nv + 1);
  SarRun* run = SAR_ARENA_ARRAY(x->arena, SarRun, m->nv + 1);
  for (int i = 0; marked && run && i < m->nv; i++) {
    memset(marked, 0, (size_t)m->nv * sizeof *marked);
    for (int k = i; k >= 0; k = m->dof_parent[k]) marked[k] = true;
    const int runs = sar_runs_of_vectors(marked, m->nv, run);
    sar_pieces_room(p, runs);
    for (int r = 0; r < runs; r++)
      sar_write(x->out, "  for (int c = %d; c < %d; c++) t->M[%d][c] = 0;\n", run[r].from,
                run[r].to, i);
  }
}

void sar_slopes_write_mass_rows(const SarSlopesText* x) {
  const SarModel* m = x->w->s->m;
  SarPieces p = {.x = x,
                 .what = "mass_rows",
                 .arguments = sar_arena_printf(x->arena, "%s_tree* restrict t", x->name),
                 .passed = "t",
                 .unused = "(void)t"};
  const char* columns = x->homes > 0 ? "C" : "F";
  const char* product = powers(x, "t->M[i][c]", "S");
  const char* body[] = {sar_arena_printf(x->arena, "%s;", product), NULL};
  write_mass_zeros(x, &p);
  if (x->homes > 0) sar_write(x->out, "  memcpy(t->C, t->F, sizeof t->C);\n");
  for (int b = m->nbody - 1; b >= 0; b--) {
    if (!sar_slopes_is_home(x->w, b)) continue;
    write_inner_rows(x, &p, b, true, six(x, columns), body);
    if (m->body_parent[b] >= 0) carry(x, &p, b, columns, CARRY_FORCE);
  }
  for (int i = 0; i < m->nv; i++) {
    if (m->dof_armature[i] == 0) continue;
    sar_pieces_room(&p, 1);
    sar_write(x->out, "  t->M[%d][%d] += (real)%.17g;\n", i, i, m->dof_armature[i]);
  }
  sar_pieces_end(&p);
}

// Rows of inner coordinates with the columns of all beyond, their own joint's included.
static void write_outer_rows(const SarSlopesText* x, SarPieces* p, int home) {
  const SarModel* m = x->w->s->m;
  const int wide = x->wide;
  for (int b = home; b < home + m->body_subtree[home]; b++) {
    if (x->w->home[b] != home) continue;
    const int from = m->joint_vadr[b], to = from + m->joint_nv[b];
    SarRun run = {from, sar_slopes_end(m, b)};
    if (from == to) continue;
    fill_vector(x, &run);  // columns behind become zero afterwards
    sar_pieces_room(p, 8);
    sar_write(x->out, "  for (int i = %d; i < %d; i++) {\n    %s\n", from, to, six(x, "S"));
    const char *q = powers(x, sar_arena_printf(x->arena, "Q[i * %d + c]", wide), "U"),
               *v = powers(x, sar_arena_printf(x->arena, "V[i * %d + c]", wide), "W");
    sar_slopes_loop(x, run, true, "    ", sar_arena_printf(x->arena, "%s;", q));
    sar_slopes_loop(x, run, true, "    ", sar_arena_printf(x->arena, "%s;", v));
    sar_write(x->out, "  }\n");
  }
}

// Entries of coordinates neither of which is inside of the other, as far as they are read.
static void write_zeros(const SarSlopesText* x, SarPieces* p) {
  const SarModel* m = x->w->s->m;
  bool* marked = SAR_ARENA_ARRAY(x->arena, bool, x->wide + 1);
  SarRun* run = SAR_ARENA_ARRAY(x->arena, SarRun, x->wide + 1);
  const bool* begun = sar_slopes_begun(x, false);
  for (int i = 0; marked && run && begun && i < m->nv; i++) {
    const int b = m->dof_body[i];
    for (int k = 0; k < x->wide; k++) marked[k] = begun[(i * x->wide + k) / VECTOR];
    for (int k = i; k >= 0; k = m->dof_parent[k]) marked[k] = false;
    for (int k = m->joint_vadr[b]; k < sar_slopes_end(m, b); k++) marked[k] = false;
    const int runs = sar_runs(marked, x->wide, run);
    sar_pieces_room(p, 2 * runs);
    for (int r = 0; r < runs; r++)
      sar_write(x->out,
                "  for (int c = %d; c < %d; c++) Q[%d + c] = 0;\n"
                "  for (int c = %d; c < %d; c++) V[%d + c] = 0;\n",
                run[r].from, run[r].to, i * x->wide, run[r].from, run[r].to, i * x->wide);
  }
}

void sar_slopes_write_rows(const SarSlopesText* x) {
  const SarModel* m = x->w->s->m;
  const int wide = x->wide;
  SarPieces p = {.x = x,
                 .what = "slope_rows",
                 .arguments = sar_arena_printf(
                     x->arena, "%s_tree* restrict t, real* restrict Q, real* restrict V", x->name),
                 .passed = "t, Q, V",
                 .unused = "(void)t, (void)Q, (void)V"};
  const char* before = sar_arena_printf(
      x->arena, "%s\n    const real g0 = t->G[0][i], g1 = t->G[1][i], g2 = t->G[2][i];",
      six(x, "F"));
  const char* q = powers(x, sar_arena_printf(x->arena, "Q[i * %d + c]", wide), "PP");
  const char* v = powers(x, sar_arena_printf(x->arena, "V[i * %d + c]", wide), "PV");
  const char* body[] = {
      sar_arena_printf(x->arena, "%s + g0 * t->P[0][c] + g1 * t->P[1][c] + g2 * t->P[2][c];", q),
      sar_arena_printf(x->arena, "%s + g0 * t->S[0][c] + g1 * t->S[1][c] + g2 * t->S[2][c];", v),
      NULL};
  for (int b = m->nbody - 1; b >= 0; b--) {
    if (!sar_slopes_is_home(x->w, b)) continue;
    write_inner_rows(x, &p, b, false, before, body);
    write_outer_rows(x, &p, b);
    if (m->body_parent[b] < 0) continue;
    carry(x, &p, b, "F", CARRY_FORCE);
    carry(x, &p, b, "U", CARRY_FORCE);
    carry(x, &p, b, "W", CARRY_FORCE);
    carry(x, &p, b, "G", CARRY_VECTOR);
  }
  write_zeros(x, &p);
  sar_pieces_end(&p);
}
