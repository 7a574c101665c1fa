// Tables and splines: nodes of one argument with constant points.
#include "symbolic/graph.h"

#include "base/spline.h"
#include "symbolic/kernels.h"

#include <string.h>

static bool is_spline(SarOp op) { return op == SAR_OP_SPLINE || op == SAR_OP_SPLINE_SLOPE; }

int sar_graph_points(SarGraph* g, int count, int width, const double* at) {
  double* copy = SAR_ARENA_ARRAY(g->arena, double, count* width);
  SarPoints* slot = copy ? SAR_LIST_ADD(g->arena, &g->tables) : NULL;
  if (!slot) return -1;
  memcpy(copy, at, sizeof(double) * (size_t)(count * width));
  *slot = (SarPoints){count, width, copy};
  return g->tables.count - 1;
}

// x, y pairs -> x, y, y'' triples, kept
static int spline_points(SarGraph* g, int n, const double* points) {
  double* knot = SAR_ARENA_ARRAY(g->arena, double, (SPLINE_KNOT + 1) * n);
  if (!knot) return -1;
  for (int i = 0; i < n; i++) {
    knot[SPLINE_KNOT * i + SPLINE_X] = points[2 * i];
    knot[SPLINE_KNOT * i + SPLINE_Y] = points[2 * i + 1];
  }
  sar_spline_bend(knot, n, knot + SPLINE_KNOT * n);
  SarPoints* slot = SAR_LIST_ADD(g->arena, &g->tables);
  if (!slot) return -1;
  *slot = (SarPoints){n, SPLINE_KNOT, knot};
  return g->tables.count - 1;
}

// Which segment x is in, the first or the last beyond the ends.
static int find_segment(const SarPoints* p, double x) {
  int lo = 0, hi = p->count - 1;
  while (hi - lo > 1) {
    const int mid = (lo + hi) / 2;
    if (x >= p->at[p->width * mid])
      lo = mid;
    else
      hi = mid;
  }
  return lo;
}

static double folded(const SarPoints* points, SarOp op, double x) {
  const int n = points->count;
  if (is_spline(op)) {
    const SarSplinePoint p = sar_spline_at(points->at, n, x);
    return op == SAR_OP_SPLINE ? p.y : p.slope;
  }
  const double *first = points->at, *last = points->at + 2 * (n - 1);
  if (op == SAR_OP_SLOPE && (x < first[0] || x >= last[0])) return 0;
  if (op == SAR_OP_SLOPE && isnan(x)) return x;
  if (op == SAR_OP_TABLE && x <= first[0]) return first[1];
  if (op == SAR_OP_TABLE && x >= last[0]) return last[1];
  const double *p = points->at + 2 * find_segment(points, x), *q = p + 2;
  return op == SAR_OP_SLOPE ? (q[1] - p[1]) / (q[0] - p[0]) : segment(x, p[0], p[1], q[0], q[1]);
}

SarNode sar_graph_table(SarGraph* g, SarOp op, SarNode x, int table) {
  if (x < 0 || table < 0) return SAR_NONE;
  if (is_number(g, x))
    return sar_sym_number(g, folded(&g->tables.items[table], op, value_of(g, x)));
  return sar_graph_intern(
      g, (SarNodeData){
             .op = (unsigned short)op, .num = 1, .arg = {x, SAR_NONE, SAR_NONE}, .table = table});
}

SarNode sar_sym_table(SarGraph* g, SarOp op, SarNode x, int n, const double* points) {
  if (x < 0) return SAR_NONE;
  const int table = is_spline(op) ? spline_points(g, n, points) : sar_graph_points(g, n, 2, points);
  return sar_graph_table(g, op, x, table);
}
