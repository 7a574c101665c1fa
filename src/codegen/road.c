// Roads over symbols (elements/road.c): features, tables and laws; heights over a grid are refused.
#include "codegen/elements.h"

#define PI 3.14159265358979323846

enum { SHAPE, SIDE, FROM, TO, HEIGHT };

typedef struct Place {
  SarNode z, zx;
} Place;

static Place flat(SarGraph* g, double z) { return (Place){s_num(g, z), s_num(g, 0)}; }

static Place choose(SarGraph* g, SarNode condition, Place yes, Place no) {
  return (Place){sar_sym_select(g, condition, yes.z, no.z),
                 sar_sym_select(g, condition, yes.zx, no.zx)};
}

// Between its ends, with s = (x - from) / length.
static Place inside(SarGraph* g, SarFeatureShape shape, double h, double length, SarNode s) {
  const SarNode one = s_num(g, 1);
  if (shape == SAR_FEATURE_BUMP) {
    const SarNode phase = s_mul(g, s_num(g, 2 * PI), s);
    return (Place){s_mul(g, s_num(g, 0.5 * h), s_sub(g, one, sar_sym_cos(g, phase))),
                   s_mul(g, s_num(g, PI * h / length), sar_sym_sin(g, phase))};
  }
  if (shape == SAR_FEATURE_SMOOTH) {
    const SarNode rise = s_msc(g, s_num(g, 3), s_num(g, 2), s);
    return (Place){s_mul(g, s_num(g, h), s_mul(g, s_mul(g, s, s), rise)),
                   s_mul(g, s_num(g, 6 * h / length), s_mul(g, s, s_sub(g, one, s)))};
  }
  return (Place){s_mul(g, s_num(g, h), s), s_num(g, h / length)};
}

static Place feature(const SarSymbols* s, const double* f, SarNode x, SarNode y) {
  SarGraph* g = s->g;
  const SarFeatureShape shape = (SarFeatureShape)f[SHAPE];
  const SarRoadSide side = (SarRoadSide)f[SIDE];
  const double length = f[TO] - f[FROM];
  const SarNode share = s_div(g, s_sub(g, x, s_num(g, f[FROM])), s_num(g, length));
  const SarNode beyond = sar_sym_call(g, SAR_OP_GE, share, s_num(g, 1));
  const Place before = flat(g, 0), after = flat(g, shape == SAR_FEATURE_BUMP ? 0 : f[HEIGHT]);
  const Place here = choose(g, beyond, after, inside(g, shape, f[HEIGHT], length, share));
  const Place both = choose(g, greater(s, share, 0), here, before);
  if (side == SAR_SIDE_BOTH) return both;
  const SarNode left = greater(s, y, 0);
  return side == SAR_SIDE_LEFT ? choose(g, left, both, before) : choose(g, left, before, both);
}

// Rows x, z, z'': the symbols' spline finds z'' itself, it is the natural one too.
static Place table_of(SarSymbols* s, const SarRoad* road, SarNode x) {
  SarGraph* g = s->g;
  const double* rows = &s->m->attr_data[road->table];
  double* points = SAR_ARENA_ARRAY(s->arena, double, 2 * road->rows + 1);
  if (!points) return flat(g, 0);
  for (int i = 0; i < road->rows; i++)
    points[2 * i] = rows[3 * i], points[2 * i + 1] = rows[3 * i + 1];
  if (road->smooth)
    return (Place){sar_sym_table(g, SAR_OP_SPLINE, x, road->rows, points),
                   sar_sym_table(g, SAR_OP_SPLINE_SLOPE, x, road->rows, points)};
  const SarNode slope = sar_sym_table(g, SAR_OP_SLOPE, x, road->rows, points);
  return (Place){sar_sym_table(g, SAR_OP_TABLE, x, road->rows, points),
                 sar_sym_select(g, greater(s, x, points[0]), slope, s_num(g, 0))};
}

static void add_laws(SarSymbols* s, int first, SarNode x, SarNode y, SymRoad* out) {
  SarNode* const law_of[] = {&out->z, &out->zx, &out->zy, &out->zt};
  s->slot[s->m->slot_local] = x;
  s->slot[s->m->slot_local + 1] = y;
  for (int i = 0; i < 4; i++)
    *law_of[i] = s_add(s->g, *law_of[i], sar_symbols_program(s, &s->m->expr[first + i]));
}

SymRoad sar_symbols_road(SarSymbols* s, int index, SarNode x, SarNode y) {
  SarGraph* g = s->g;
  const SarNode zero = s_num(g, 0);
  SymRoad out = {zero, zero, zero, zero};
  if (index < 0) return out;
  const SarRoad* road = &s->m->road[index];
  for (int i = 0; i < road->num + (road->rows > 0); i++) {
    const double* f = &s->m->attr_data[road->feature + SAR_FEATURE * i];
    const Place p = i < road->num ? feature(s, f, x, y) : table_of(s, road, x);
    out.z = s_add(g, out.z, p.z);
    out.zx = s_add(g, out.zx, p.zx);
  }
  if (road->nx > 0)
    sar_symbols_refuse(s, "road '%s': heights over a grid have no equations in symbols",
                       sar_text(s->m, road->name));
  if (road->law >= 0) add_laws(s, road->law, x, y, &out);
  return out;
}
