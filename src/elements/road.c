// Roads (road.h).
#include "elements/road.h"

#include "base/spline.h"
#include "base/spline_field.h"
#include "elements/forces/varied.h"

#include <math.h>

#define PI 3.14159265358979323846

enum { SHAPE, SIDE, FROM, TO, HEIGHT };

static void add_feature(const double* f, double x, double y, SarRoadPoint* p) {
  const SarRoadSide side = (SarRoadSide)f[SIDE];
  if ((side == SAR_SIDE_LEFT && !(y > 0)) || (side == SAR_SIDE_RIGHT && y > 0)) return;
  const double h = f[HEIGHT], length = f[TO] - f[FROM], s = (x - f[FROM]) / length;
  const bool bump = f[SHAPE] == SAR_FEATURE_BUMP;
  if (!(s > 0)) return;
  if (s >= 1) {
    p->z += bump ? 0 : h;
    return;
  }
  if (bump) {
    const double k = 2 * PI / length, phase = 2 * PI * s;
    p->z += 0.5 * h * (1 - cos(phase));
    p->zx += 0.5 * h * k * sin(phase);
    p->zxx += 0.5 * h * k * k * cos(phase);
  } else if (f[SHAPE] == SAR_FEATURE_SMOOTH) {
    p->z += h * s * s * (3 - 2 * s);
    p->zx += h / length * 6 * s * (1 - s);
    p->zxx += h / (length * length) * (6 - 12 * s);
  } else {
    p->z += h * s;
    p->zx += h / length;
  }
}

// straight between the rows, level beyond them
static void add_straight(const double* knot, int rows, double x, SarRoadPoint* p) {
  int low = 0, high = rows - 1;
  if (x <= knot[SPLINE_X] || x >= knot[SPLINE_KNOT * high + SPLINE_X]) {
    p->z += knot[SPLINE_KNOT * (x <= knot[SPLINE_X] ? 0 : high) + SPLINE_Y];
    return;
  }
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (x < knot[SPLINE_KNOT * middle + SPLINE_X])
      high = middle;
    else
      low = middle;
  }
  const double *a = &knot[SPLINE_KNOT * low], *b = &knot[SPLINE_KNOT * high];
  const double slope = (b[SPLINE_Y] - a[SPLINE_Y]) / (b[SPLINE_X] - a[SPLINE_X]);
  p->z += a[SPLINE_Y] + slope * (x - a[SPLINE_X]);
  p->zx += slope;
}

static void add_table(const SarModel* m, const SarRoad* road, double x, SarRoadPoint* p) {
  const double* knot = &m->attr_data[road->table];
  if (!road->smooth) {
    add_straight(knot, road->rows, x, p);
    return;
  }
  const SarSplinePoint s = sar_spline_at(knot, road->rows, x);
  p->z += s.y;
  p->zx += s.slope;
  p->zxx += s.bend;
}

static void add_field(const SarModel* m, const SarRoad* road, double x, double y, SarRoadPoint* p) {
  const SarFieldPoint f = sar_field_at(&m->attr_data[road->field], road->nx, road->ny, x, y);
  p->z += f.d[0][0];
  p->zx += f.d[1][0];
  p->zy += f.d[0][1];
  p->zxx += f.d[2][0];
  p->zxy += f.d[1][1];
  p->zyy += f.d[0][2];
}

static double law(const SarModel* m, const SarData* d, int index) {
  const SarExprEntry* e = &m->expr[index];
  return sar_program_eval(&e->program, &m->instr[e->instr], d->slot, d->reg);
}

static void add_laws(const SarModel* m, const SarData* d, int first, double x, double y, bool bend,
                     SarRoadPoint* p) {
  d->slot[m->slot_local] = x;
  d->slot[m->slot_local + 1] = y;
  p->z += law(m, d, first);
  p->zx += law(m, d, first + 1);
  p->zy += law(m, d, first + 2);
  p->zt += law(m, d, first + 3);
  if (!bend) return;
  p->zxx += law(m, d, first + 4);
  p->zxy += law(m, d, first + 5);
  p->zyy += law(m, d, first + 6);
}

// (-1)^i (x - x_i)(x_i+1 - x) between the stations, a straight line beyond them
static double side_of(const double* station, int n, double x) {
  int low = 0, high = n - 1;
  if (x <= station[0]) return x - station[0];
  if (x >= station[high]) return (high % 2 ? -1 : 1) * (x - station[high]);
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (x < station[middle])
      high = middle;
    else
      low = middle;
  }
  return (low % 2 ? -1 : 1) * (x - station[low]) * (station[high] - x);
}

static SarRoadPoint road_at(const SarModel* m, const SarData* d, int index, double x, double y,
                            bool bend) {
  SarRoadPoint p = {.side = 1};
  if (index < 0) return p;
  const SarRoad* road = &m->road[index];
  for (int i = 0; i < road->num; i++)
    add_feature(&m->attr_data[road->feature + SAR_FEATURE * i], x, y, &p);
  if (road->rows > 0) add_table(m, road, x, &p);
  if (road->nx > 0) add_field(m, road, x, y, &p);
  if (road->law >= 0) add_laws(m, d, road->law, x, y, bend, &p);
  if (road->stations > 0) p.side = side_of(&m->attr_data[road->station], road->stations, x);
  return p;
}

SarRoadPoint sar_road_at(const SarModel* m, const SarData* d, int road, double x, double y) {
  return road_at(m, d, road, x, y, false);
}

SarRoadPoint sar_road_bend(const SarModel* m, const SarData* d, int road, double x, double y) {
  return road_at(m, d, road, x, y, true);
}

// ---- how it changes along a direction -----------------------------------------------------------

// d zxx / dx
static double third_of_feature(const double* f, double x, double y) {
  const SarRoadSide side = (SarRoadSide)f[SIDE];
  if ((side == SAR_SIDE_LEFT && !(y > 0)) || (side == SAR_SIDE_RIGHT && y > 0)) return 0;
  const double h = f[HEIGHT], length = f[TO] - f[FROM], s = (x - f[FROM]) / length;
  if (!(s > 0) || s >= 1) return 0;
  if (f[SHAPE] == SAR_FEATURE_SMOOTH) return -12 * h / (length * length * length);
  if (f[SHAPE] != SAR_FEATURE_BUMP) return 0;
  const double k = 2 * PI / length;
  return -0.5 * h * k * k * k * sin(2 * PI * s);
}

static Dual along(const SarFieldPoint* f, int i, int j, Dual x, Dual y) {
  return dual(f->d[i][j], f->d[i + 1][j] * x.d + f->d[i][j + 1] * y.d);
}

static void vary_field(const SarModel* m, const SarRoad* road, Dual x, Dual y, SarVariedRoad* out) {
  const SarFieldPoint f = sar_field_at(&m->attr_data[road->field], road->nx, road->ny, x.x, y.x);
  out->z = dual_add(out->z, along(&f, 0, 0, x, y));
  out->zx = dual_add(out->zx, along(&f, 1, 0, x, y));
  out->zy = dual_add(out->zy, along(&f, 0, 1, x, y));
  out->zxx = dual_add(out->zxx, along(&f, 2, 0, x, y));
  out->zxy = dual_add(out->zxy, along(&f, 1, 1, x, y));
  out->zyy = dual_add(out->zyy, along(&f, 0, 2, x, y));
}

SarVariedRoad sar_road_vary(const SarModel* m, SarData* d, SarVariation* v, int index, Dual x,
                            Dual y) {
  SarVariedRoad out = {0};
  SarRoadPoint p = {0};  // of features and table: they vary with x alone
  double third = 0;
  if (index < 0) return out;
  const SarRoad* road = &m->road[index];
  for (int i = 0; i < road->num; i++) {
    const double* f = &m->attr_data[road->feature + SAR_FEATURE * i];
    add_feature(f, x.x, y.x, &p);
    third += third_of_feature(f, x.x, y.x);
  }
  if (road->rows > 0) {
    add_table(m, road, x.x, &p);
    if (road->smooth) third += sar_spline_third(&m->attr_data[road->table], road->rows, x.x);
  }
  out.z = dual(p.z, p.zx * x.d);
  out.zx = dual(p.zx, p.zxx * x.d);
  out.zxx = dual(p.zxx, third * x.d);
  if (road->nx > 0) vary_field(m, road, x, y, &out);
  if (road->law < 0) return out;
  Dual* law_of[] = {&out.z, &out.zx, &out.zy, &out.zt, &out.zxx, &out.zxy, &out.zyy};
  varied_local(m, d, v, 0, x);
  varied_local(m, d, v, 1, y);
  for (int i = 0; i < 7; i++)
    *law_of[i] = dual_add(*law_of[i], varied_program(m, d, v, &m->expr[road->law + i]));
  return out;
}
