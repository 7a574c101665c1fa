// The sparse factor M = L'D L of a tree and its solutions as loops of C (slopes_text.h).
//
// Source: Featherstone 2008, tables 6.3 to 6.5; the factor row by row: row i has what the rows of
// its subtree take off it. Rows that a row needs are named, so that it is loaded and stored once.
#include "codegen/slopes_text.h"

#include <string.h>

enum { TERMS = 8 };  // of a sum, with a vector each in registers

// Coordinates inside of i, and i itself.
static int mark_runs(const SarSlopesText* x, int i, bool* marked, SarRun* run) {
  const SarModel* m = x->w->s->m;
  memset(marked, 0, (size_t)m->nv * sizeof *marked);
  for (int k = i; k >= 0; k = m->dof_parent[k]) marked[k] = true;
  return sar_runs_of_vectors(marked, m->nv, run);
}

// Terms of one sum: rows and the entries they are multiplied by.
typedef struct Sum {
  int row[TERMS];
  int n;
} Sum;

// The k-th of `count` in parts of about the same length.
static int part_end(int from, int count) {
  const int parts = (count + TERMS - 1) / TERMS;
  return from + (count + parts - 1) / parts;
}

static void write_sum(const SarSlopesText* x, const Sum* s, const SarRun* run, int runs,
                      const char* target, const char* first, const char* source) {
  SarWriter body = {.arena = x->arena};
  sar_write(&body, "%s = %s", target, first);
  for (int k = 0; k < s->n; k++) {
    sar_write(&body, " - l%d * ", k);
    sar_write(&body, source, s->row[k]);
  }
  for (int r = 0; r < runs; r++) {
    sar_slopes_unroll(x, run[r]);
    sar_write(x->out, "    for (int c = %d; c < %d; c++)\n      %.*s;\n", run[r].from, run[r].to,
              body.text.count, body.text.items);
  }
}

typedef struct Room {
  bool* marked;
  SarRun* run;
  int* row;
} Room;

static bool make_room(const SarSlopesText* x, Room* r) {
  const int n = x->w->s->m->nv + 1;
  r->marked = SAR_ARENA_ARRAY(x->arena, bool, 2 * n);
  r->run = SAR_ARENA_ARRAY(x->arena, SarRun, n);
  r->row = SAR_ARENA_ARRAY(x->arena, int, n);
  return r->marked && r->run && r->row;
}

// M_i <- M_i - sum M_ki / D_k M_k, then the rows of L.
static void write_factor(const SarSlopesText* x, Room* r) {
  const SarModel* m = x->w->s->m;
  SarPieces p = {.x = x,
                 .what = "factor",
                 .arguments = sar_arena_printf(x->arena, "%s_tree* restrict t", x->name),
                 .passed = "t",
                 .unused = "(void)t"};
  for (int i = m->nv - 1; i >= 0; i--) {
    const int runs = mark_runs(x, i, r->marked, r->run), end = sar_slopes_dof_end(m, i);
    const char* target = sar_arena_printf(x->arena, "t->M[%d][c]", i);
    for (int k = i + 1; k < end;) {
      Sum s = {.n = 0};
      const int to = part_end(k, end - k);
      sar_pieces_room(&p, 2 + (to - k) + 2 * runs);
      sar_write(x->out, "  {\n");
      for (; k < to; k++) {
        sar_write(x->out, "    const real l%d = t->M[%d][%d] * t->pivot[%d];\n", s.n, k, i, k);
        s.row[s.n++] = k;
      }
      write_sum(x, &s, r->run, runs, target, target, "t->M[%d][c]");
      sar_write(x->out, "    ROW_IS_STORED\n  }\n");
    }
    sar_pieces_room(&p, 1);
    sar_write(x->out, "  t->pivot[%d] = 1 / t->M[%d][%d];\n", i, i, i);
  }
  for (int i = 0; i < m->nv; i++) {
    if (m->dof_parent[i] < 0) continue;
    const int runs = mark_runs(x, m->dof_parent[i], r->marked, r->run);
    sar_pieces_room(&p, runs);
    for (int k = 0; k < runs; k++) {
      sar_slopes_unroll(x, r->run[k]);
      sar_write(x->out, "  for (int c = %d; c < %d; c++) t->M[%d][c] *= t->pivot[%d];\n",
                r->run[k].from, r->run[k].to, i, i);
    }
  }
  sar_pieces_end(&p);
}

// a = L^-1 D^-1 L'^-1 rest
static void write_accelerations(const SarSlopesText* x) {
  const SarModel* m = x->w->s->m;
  SarPieces p = {.x = x,
                 .what = "solve_rest",
                 .arguments = sar_arena_printf(x->arena, "%s_tree* restrict t", x->name),
                 .passed = "t",
                 .unused = "(void)t"};
  for (int i = m->nv - 1; i >= 0; i--) {
    const int end = sar_slopes_dof_end(m, i);
    sar_pieces_room(&p, 1 + end - i);
    sar_write(x->out, "  t->a[%d] = t->rest[%d]", i, i);
    for (int k = i + 1; k < end; k++)
      sar_write(x->out, " -%st->M[%d][%d] * t->a[%d]", (k - i) % 4 == 1 ? "\n      " : " ", k, i,
                k);
    sar_write(x->out, ";\n");
  }
  for (int i = 0; i < m->nv; i++) {
    int n = 0;
    sar_pieces_room(&p, 1 + i / 4);
    sar_write(x->out, "  t->a[%d] = t->a[%d] * t->pivot[%d]", i, i, i);
    for (int k = m->dof_parent[i]; k >= 0; k = m->dof_parent[k])
      sar_write(x->out, " -%st->M[%d][%d] * t->a[%d]", n++ % 4 == 0 ? "\n      " : " ", i, k, k);
    sar_write(x->out, ";\n");
  }
  sar_pieces_end(&p);
}

void sar_slopes_write_mass(const SarSlopesText* x) {
  Room r;
  if (!make_room(x, &r)) return;
  sar_slopes_write_mass_rows(x);
  const bool factored = !x->bordered, solved = factored && !x->deep;
  if (factored) write_factor(x, &r);
  if (solved) write_accelerations(x);
  sar_write(x->out,
            "static void %s_accelerate(%s_tree* t) {\n  %s_composites(t);\n  %s_mass_rows(t);\n",
            x->name, x->name, x->name, x->name);
  if (factored) sar_write(x->out, "  %s_factor(t);\n", x->name);
  if (solved) sar_write(x->out, "  %s_solve_rest(t);\n", x->name);
  sar_write(x->out, "}\n\n");
}

// ---- solutions ----------------------------------------------------------------------------------

// Vectors of columns that may not be zero in row k: those of its ancestors and of its subtree; of
// the inverse, of its subtree alone. Eliminating the subtree adds none.
static void mark_support(const SarSlopesText* x, int k, bool inverse, bool* vector) {
  const SarModel* m = x->w->s->m;
  for (int c = k; c < sar_slopes_dof_end(m, k); c++) vector[c / SAR_SLOPES_VECTOR] = true;
  for (int c = k; !inverse && c >= 0; c = m->dof_parent[c]) vector[c / SAR_SLOPES_VECTOR] = true;
}

static int count_marked(const bool* marked, int n) {
  int count = 0;
  for (int i = 0; i < n; i++) count += marked[i];
  return count;
}

// Rows from k on whose supports are alike enough to be one sum: a sum of its own loads and stores
// the target once more, a wider one adds zeros.
static int group_end(const SarSlopesText* x, int k, int end, Room* r) {
  const int n = x->wide / SAR_SLOPES_VECTOR, first = k;
  bool *all = r->marked, *one = r->marked + n;
  memset(all, 0, (size_t)n * sizeof *all);
  mark_support(x, k, false, all);
  for (k++; k < end && k - first < TERMS; k++) {
    memset(one, 0, (size_t)n * sizeof *one);
    mark_support(x, k, false, one);
    const int own = count_marked(one, n), before = count_marked(all, n);
    for (int i = 0; i < n; i++) one[i] = one[i] || all[i];
    const int both = count_marked(one, n);
    if (both - own + (k - first) * (both - before) > own) break;
    memcpy(all, one, (size_t)n * sizeof *all);
  }
  return k;
}

// Runs of columns from marked vectors.
static int vector_runs(const SarSlopesText* x, Room* r) {
  const int runs = sar_runs(r->marked, x->wide / SAR_SLOPES_VECTOR, r->run);
  for (int i = 0; i < runs; i++) {
    r->run[i].from *= SAR_SLOPES_VECTOR;
    r->run[i].to *= SAR_SLOPES_VECTOR;
  }
  return runs;
}

static int support_runs(const SarSlopesText* x, int from, int to, bool inverse, Room* r) {
  const int n = x->wide / SAR_SLOPES_VECTOR;
  memset(r->marked, 0, (size_t)n * sizeof *r->marked);
  for (int k = from; k < to; k++) mark_support(x, k, inverse, r->marked);
  return vector_runs(x, r);
}

typedef struct Target {
  const char *name, *pivot;
  const bool* begun;  // nv rows of vectors: where rows have values before the way outwards
} Target;

// X_i <- first - sum; first: X_i, pivot X_i, or nothing.
static void write_row(const SarSlopesText* x, const Sum* s, int i, const Target* t,
                      const char* first, const SarRun* run, int runs) {
  const char* target = sar_arena_printf(x->arena, "%s[%d + c]", t->name, i * x->wide);
  write_sum(x, s, run, runs, target, first ? sar_arena_printf(x->arena, "%s%s", first, target) : "",
            sar_arena_printf(x->arena, "%s[%%d + c]", t->name));
}

// Rows of a group are read as far as the largest support among them goes.
bool* sar_slopes_begun(const SarSlopesText* x, bool inverse) {
  const SarModel* m = x->w->s->m;
  const int n = x->wide / SAR_SLOPES_VECTOR;
  Room r;
  bool* begun = SAR_ARENA_ARRAY(x->arena, bool, m->nv* n + 1);
  if (!begun || !make_room(x, &r)) return NULL;
  for (int i = 0; i < m->nv; i++) {
    const int end = sar_slopes_dof_end(m, i);
    mark_support(x, i, inverse, &begun[i * n]);
    for (int from = i + 1, to; from < end; from = to) {
      to = group_end(x, from, end, &r);
      for (int k = from; k < to; k++)
        for (int j = from; j < to; j++) mark_support(x, j, inverse, &begun[k * n]);
    }
  }
  return begun;
}

static int begun_runs(const SarSlopesText* x, Room* r, const bool* row, bool begun) {
  for (int k = 0; k < x->wide / SAR_SLOPES_VECTOR; k++) r->marked[k] = row[k] == begun;
  return vector_runs(x, r);
}

static const bool* row_of(const SarSlopesText* x, const Target* t, int i) {
  return &t->begun[i * (x->wide / SAR_SLOPES_VECTOR)];
}

static void write_zero(const SarSlopesText* x, const char* name, int i, const SarRun* run,
                       int runs) {
  for (int k = 0; k < runs; k++)
    sar_write(x->out, "    for (int c = %d; c < %d; c++) %s[%d + c] = 0;\n", run[k].from, run[k].to,
              name, i * x->wide);
}

// A row of the unit matrix.
static void write_unit(const SarSlopesText* x, SarPieces* p, Room* r, const Target* t, int i) {
  const int runs = begun_runs(x, r, row_of(x, t, i), true);
  sar_pieces_room(p, runs + 1);
  write_zero(x, t->name, i, r->run, runs);
  sar_write(x->out, "  %s[%d] = 1;\n", t->name, i * x->wide + i);
}

// Inwards, X_i <- X_i - sum L_ki X_k over the subtree.
static void write_inwards(const SarSlopesText* x, SarPieces* p, Room* r, const Target* t, int i) {
  const SarModel* m = x->w->s->m;
  const int end = sar_slopes_dof_end(m, i);
  for (int from = i + 1, to; from < end; from = to) {
    Sum s = {.n = 0};
    to = group_end(x, from, end, r);
    sar_pieces_room(p, 12 + to - from);
    sar_write(x->out, "  {\n");
    for (int k = from; k < to; k++) {
      sar_write(x->out, "    const real l%d = t->M[%d][%d];\n", s.n, k, i);
      s.row[s.n++] = k * x->wide;
    }
    for (int k = 0; k < 3; k++) {
      const int runs = support_runs(x, from, to, k == 2, r);
      write_row(x, &s, i, &t[k], "", r->run, runs);
    }
    sar_write(x->out, "    ROW_IS_STORED\n  }\n");
  }
}

// Where a row has not begun it begins here, without its pivot.
static void write_first(const SarSlopesText* x, const Sum* s, int i, const Target* t, Room* r) {
  int runs = begun_runs(x, r, row_of(x, t, i), true);
  write_row(x, s, i, t, t->pivot, r->run, runs);
  runs = begun_runs(x, r, row_of(x, t, i), false);
  if (s->n > 0)
    write_row(x, s, i, t, NULL, r->run, runs);
  else
    write_zero(x, t->name, i, r->run, runs);
}

// Outwards, X_i <- X_i / D_i - sum L_ik X_k over the ancestors; of Q and V the other sign.
static void write_outwards(const SarSlopesText* x, SarPieces* p, Room* r, const Target* t, int i) {
  const SarModel* m = x->w->s->m;
  const SarRun all = {0, x->wide};
  int count = 0;
  for (int k = m->dof_parent[i]; k >= 0; k = m->dof_parent[k]) r->row[count++] = k;
  for (int at = 0; at < count || at == 0;) {
    Sum s = {.n = 0};
    const bool first = at == 0;
    const int to = count > 0 ? part_end(at, count - at) : 0;
    sar_pieces_room(p, 9 + to - at);
    sar_write(x->out, "  {\n");
    if (first) sar_write(x->out, "    const real d = t->pivot[%d];\n", i);
    for (; at < to; at++) {
      sar_write(x->out, "    const real l%d = t->M[%d][%d];\n", s.n, i, r->row[at]);
      s.row[s.n++] = r->row[at] * x->wide;
    }
    for (int k = 0; k < 3; k++)
      if (first)
        write_first(x, &s, i, &t[k], r);
      else
        write_row(x, &s, i, &t[k], "", &all, 1);
    sar_write(x->out, "    ROW_IS_STORED\n  }\n");
    if (count == 0) break;
  }
}

void sar_slopes_write_solve(const SarSlopesText* x) {
  const SarModel* m = x->w->s->m;
  Room r;
  SarPieces p = {.x = x,
                 .what = "solve",
                 .arguments = sar_arena_printf(x->arena,
                                               "const %s_tree* restrict t, real* restrict Q, real* "
                                               "restrict V, real* restrict I",
                                               x->name),
                 .passed = "t, Q, V, I",
                 .unused = "(void)t, (void)Q, (void)V, (void)I"};
  const bool *of_tree = sar_slopes_begun(x, false), *of_inverse = sar_slopes_begun(x, true);
  const Target t[3] = {{"Q", "-d * ", of_tree}, {"V", "-d * ", of_tree}, {"I", "d * ", of_inverse}};
  if (!make_room(x, &r) || !of_tree || !of_inverse) return;
  for (int i = m->nv - 1; i >= 0; i--) {
    write_unit(x, &p, &r, &t[2], i);
    write_inwards(x, &p, &r, t, i);
  }
  for (int i = 0; i < m->nv; i++) write_outwards(x, &p, &r, t, i);
  sar_pieces_end(&p);
}
