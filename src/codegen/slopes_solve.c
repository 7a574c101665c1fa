// The sparse factor M = L'D L of a tree and its solutions as loops of C (slopes_text.h).
//
// Source: Featherstone 2008, tables 6.3 to 6.5; the factor row by row: row i has what the rows of its
// subtree take off it. Rows that a row needs are named, so that it is loaded and stored once.
#include "codegen/slopes_text.h"

#include <string.h>

enum { TERMS = 12 };  // of a sum, with a vector each in registers

// Coordinates inside of i, and with `beyond` those outside; i itself in both.
static int mark_runs(const SarSlopesText* x, int i, bool beyond, bool* marked, SarRun* run) {
  const SarModel* m = x->w->s->m;
  memset(marked, 0, (size_t)m->nv * sizeof *marked);
  for (int k = i; k >= 0; k = m->dof_parent[k]) marked[k] = true;
  for (int k = i; beyond && k < sar_slopes_dof_end(m, i); k++) marked[k] = true;
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
  for (int r = 0; r < runs; r++)
    sar_write(x->out, "    for (int c = %d; c < %d; c++)\n      %.*s;\n", run[r].from, run[r].to,
              body.text.count, body.text.items);
}

typedef struct Room {
  bool* marked;
  SarRun* run;
  int* row;
} Room;

static bool make_room(const SarSlopesText* x, Room* r) {
  const int n = x->w->s->m->nv + 1;
  r->marked = SAR_ARENA_ARRAY(x->arena, bool, n);
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
    const int runs = mark_runs(x, i, false, r->marked, r->run), end = sar_slopes_dof_end(m, i);
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
      sar_write(x->out, "  }\n");
    }
    sar_pieces_room(&p, 1);
    sar_write(x->out, "  t->pivot[%d] = 1 / t->M[%d][%d];\n", i, i, i);
  }
  for (int i = 0; i < m->nv; i++) {
    if (m->dof_parent[i] < 0) continue;
    const int runs = mark_runs(x, m->dof_parent[i], false, r->marked, r->run);
    sar_pieces_room(&p, runs);
    for (int k = 0; k < runs; k++)
      sar_write(x->out, "  for (int c = %d; c < %d; c++) t->M[%d][c] *= t->pivot[%d];\n",
                r->run[k].from, r->run[k].to, i, i);
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
  write_factor(x, &r);
  if (!x->deep) write_accelerations(x);
  sar_write(x->out,
            "static void %s_accelerate(%s_tree* t) {\n  %s_mass_rows(t);\n  %s_factor(t);\n",
            x->name, x->name, x->name, x->name);
  if (!x->deep) sar_write(x->out, "  %s_solve_rest(t);\n", x->name);
  sar_write(x->out, "}\n\n");
}

// Inwards, X_i <- X_i - sum L_ki X_k over the subtree.
static void write_inwards(const SarSlopesText* x, SarPieces* p, Room* r, int i) {
  const SarModel* m = x->w->s->m;
  const int runs = mark_runs(x, i, true, r->marked, r->run), end = sar_slopes_dof_end(m, i);
  const char* target = sar_arena_printf(x->arena, "X[%d + c]", i * x->wide);
  for (int k = i + 1; k < end;) {
    Sum s = {.n = 0};
    const int to = part_end(k, end - k);
    sar_pieces_room(p, 2 + (to - k) + 2 * runs);
    sar_write(x->out, "  {\n");
    for (; k < to; k++) {
      sar_write(x->out, "    const real l%d = t->M[%d][%d];\n", s.n, k, i);
      s.row[s.n++] = k * x->wide;
    }
    write_sum(x, &s, r->run, runs, target, target, "X[%d + c]");
    sar_write(x->out, "  }\n");
  }
}

// Outwards, X_i <- X_i / D_i - sum L_ik X_k over the ancestors.
static void write_outwards(const SarSlopesText* x, SarPieces* p, Room* r, int i) {
  const SarModel* m = x->w->s->m;
  const SarRun all = {0, x->wide};
  const char* target = sar_arena_printf(x->arena, "X[%d + c]", i * x->wide);
  int count = 0;
  for (int k = m->dof_parent[i]; k >= 0; k = m->dof_parent[k]) r->row[count++] = k;
  for (int at = 0; at < count || at == 0;) {
    Sum s = {.n = 0};
    const bool first = at == 0;
    const int to = count > 0 ? part_end(at, count - at) : 0;
    sar_pieces_room(p, 5 + to - at);
    sar_write(x->out, "  {\n");
    if (first) sar_write(x->out, "    const real d = sign * t->pivot[%d];\n", i);
    for (; at < to; at++) {
      sar_write(x->out, "    const real l%d = t->M[%d][%d];\n", s.n, i, r->row[at]);
      s.row[s.n++] = r->row[at] * x->wide;
    }
    write_sum(x, &s, &all, 1, target, first ? sar_arena_printf(x->arena, "d * %s", target) : target,
              "X[%d + c]");
    sar_write(x->out, "  }\n");
    if (count == 0) break;
  }
}

void sar_slopes_write_solve(const SarSlopesText* x) {
  const SarModel* m = x->w->s->m;
  Room r;
  SarPieces p = {.x = x,
                 .what = "solve",
                 .arguments = sar_arena_printf(
                     x->arena, "const %s_tree* restrict t, real sign, real* restrict X", x->name),
                 .passed = "t, sign, X",
                 .unused = "(void)t, (void)sign, (void)X"};
  if (!make_room(x, &r)) return;
  for (int i = m->nv - 1; i >= 0; i--) write_inwards(x, &p, &r, i);
  for (int i = 0; i < m->nv; i++) write_outwards(x, &p, &r, i);
  sar_pieces_end(&p);
}
