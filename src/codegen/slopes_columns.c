// Columns of coordinates from what their bodies and subtrees have, in loops over coordinates
// (slopes.h).
//
// Sources: Carpentier and Mansard, RSS 2018; Singh, Russo and Wensing, IEEE RA-L 7, 2022; the
// letters are those of dynamics/tree_derivatives.c. With S = (s, u), motions and forces at the
// home's origin:
//
//   F  = I S
//   P  = V x S,   PP = A x S + V x P,   PV = 2 P                    joints with one axis
//   U  = I PP + 2B P.w + S x* N,   W = I PV + 2B s
//   G  = D s + l x s + 2 p x u
//   2B a = (D a + a x l, -2 p x a)                                  a: angular part
#include "codegen/slopes_text.h"

// Component k of a x b, of vectors written a0, a1, ... from index `at` on.
static void cross(SarWriter* w, int k, const char* a, int a_at, const char* b, int b_at) {
  const int i = (k + 1) % 3, j = (k + 2) % 3;
  sar_write(w, "(%s%d * %s%d - %s%d * %s%d)", a, a_at + i, b, b_at + j, a, a_at + j, b, b_at + i);
}

// Row k of the symmetric matrix a0, ..., a5 (xx, xy, xz, yy, yz, zz) times b.
static void row_times(SarWriter* w, int k, const char* a, const char* b) {
  static const int at[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
  sar_write(w, "%s%d * %s0 + %s%d * %s1 + %s%d * %s2", a, at[k][0], b, a, at[k][1], b, a, at[k][2],
            b);
}

// Component k of I x, of a motion x0, ..., x5: (I w + h x v, m v - h x w)
static void inertia_times(SarWriter* w, int k, const char* x) {
  if (k < 3) {
    row_times(w, k, "I", x);
    sar_write(w, " + ");
    cross(w, k, "h", 0, x, 3);
  } else {
    sar_write(w, "m * %s%d - ", x, k);
    cross(w, k - 3, "h", 0, x, 0);
  }
}

// Component k of 2B a.
static void rate_times(SarWriter* w, int k, const char* a) {
  if (k < 3) {
    row_times(w, k, "D", a);
    sar_write(w, " + ");
    cross(w, k, a, 0, "l", 0);
  } else {
    sar_write(w, "2 * ");
    cross(w, k - 3, a, 0, "p", 0);
  }
}

// Component k of the motion a x b; of the force a x* b.
static void cross_motion(SarWriter* w, int k, const char* a, const char* b) {
  if (k < 3) {
    cross(w, k, a, 0, b, 0);
    return;
  }
  cross(w, k - 3, a, 0, b, 3);
  sar_write(w, " + ");
  cross(w, k - 3, a, 3, b, 0);
}
static void cross_force(SarWriter* w, int k, const char* a, const char* b) {
  if (k >= 3) {
    cross(w, k - 3, a, 0, b, 3);
    return;
  }
  cross(w, k, a, 0, b, 0);
  sar_write(w, " + ");
  cross(w, k, a, 3, b, 3);
}

static void load(SarWriter* w, const char* name, const char* array, int n) {
  sar_write(w, "    const real ");
  for (int k = 0; k < n; k++)
    sar_write(w, "%s%s%d = t->%s[%d][c]", k > 0 ? ", " : "", name, k, array, k);
  sar_write(w, ";\n");
}

static void load_inertia(SarWriter* w) {
  load(w, "I", "I", 6);
  load(w, "h", "h", 3);
  sar_write(w, "    const real m = t->m[c];\n");
}

static void put(SarWriter* w, const char* array, int k) {
  sar_write(w, "    t->%s[%d][c] = ", array, k);
}

static const char* composite_body(const SarSlopesText* x) {
  SarWriter w = {.arena = x->arena};
  sar_write(&w, "{\n");
  load(&w, "s", "S", 6);
  load_inertia(&w);
  for (int k = 0; k < 6; k++) {
    put(&w, "F", k);
    inertia_times(&w, k, "s");
    sar_write(&w, ";\n");
  }
  sar_write(&w, "  }");
  return w.text.items;
}

static const char* motion_body(const SarSlopesText* x) {
  SarWriter w = {.arena = x->arena};
  sar_write(&w, "{\n");
  load(&w, "s", "S", 6);
  load(&w, "v", "V", 6);
  load(&w, "a", "A", 6);
  for (int k = 0; k < 6; k++) {
    sar_write(&w, "    const real p%d = ", k);
    cross_motion(&w, k, "v", "s");
    sar_write(&w, ";\n");
  }
  for (int k = 0; k < 6; k++) {
    put(&w, "PP", k);
    cross_motion(&w, k, "a", "s");
    sar_write(&w, " + ");
    cross_motion(&w, k, "v", "p");
    sar_write(&w, ";\n    t->PV[%d][c] = 2 * p%d;\n", k, k);
    if (k < 3) sar_write(&w, "    t->P[%d][c] = p%d;\n", k, k);
  }
  sar_write(&w, "  }");
  return w.text.items;
}

static const char* force_body(const SarSlopesText* x) {
  SarWriter w = {.arena = x->arena};
  sar_write(&w, "{\n");
  load(&w, "s", "S", 6);
  load_inertia(&w);
  load(&w, "D", "D", 6);
  load(&w, "p", "p", 3);
  load(&w, "l", "l", 3);
  load(&w, "N", "N", 6);
  load(&w, "w", "P", 3);
  load(&w, "a", "PP", 6);
  load(&w, "b", "PV", 6);
  for (int k = 0; k < 6; k++) {
    put(&w, "U", k);
    inertia_times(&w, k, "a");
    sar_write(&w, " + ");
    rate_times(&w, k, "w");
    sar_write(&w, " + ");
    cross_force(&w, k, "s", "N");
    sar_write(&w, ";\n");
    put(&w, "W", k);
    inertia_times(&w, k, "b");
    sar_write(&w, " + ");
    rate_times(&w, k, "s");
    sar_write(&w, ";\n");
  }
  for (int k = 0; k < 3; k++) {
    put(&w, "G", k);
    row_times(&w, k, "D", "s");
    sar_write(&w, " + ");
    cross(&w, k, "l", 0, "s", 0);
    sar_write(&w, " + 2 * ");
    cross(&w, k, "p", 0, "s", 3);
    sar_write(&w, ";\n");
  }
  sar_write(&w, "  }");
  return w.text.items;
}

void sar_slopes_write_columns(const SarSlopesText* x) {
  const SarModel* m = x->w->s->m;
  const SarRun all = {0, m->nv};
  bool* marked = SAR_ARENA_ARRAY(x->arena, bool, m->nv + 1);
  SarRun* run = SAR_ARENA_ARRAY(x->arena, SarRun, m->nv + 1);
  if (!marked || !run) return;
  for (int i = 0; i < m->nv; i++) marked[i] = sar_slopes_has_one_axis(m, m->dof_body[i]);
  sar_write(x->out, "static void %s_composites(%s_tree* restrict t) {\n", x->name, x->name);
  sar_slopes_loop(x, all, true, "  ", composite_body(x));
  sar_write(x->out, "}\n\nstatic void %s_directions(%s_tree* restrict t) {\n", x->name, x->name);
  const int runs = sar_runs(marked, m->nv, run);
  for (int r = 0; r < runs; r++) sar_slopes_loop(x, run[r], true, "  ", motion_body(x));
  sar_slopes_loop(x, all, true, "  ", force_body(x));
  sar_write(x->out, "}\n\n");
}
