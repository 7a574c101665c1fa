// Numbers of the model over symbols: frames, inertias, points and directions. Those of twins that
// differ are symbols (twins.h).
#include "codegen/gates.h"
#include "codegen/motion.h"
#include "codegen/twins.h"

#include <math.h>

enum { MOST_MEMBERS = 64, COMPONENTS = 12 };

typedef struct Numbers {
  double x[COMPONENTS];
} Numbers;
typedef Numbers Read(const SarSymbols* s, int item);

// The numbers of an item as nodes; items: those of all members, the own one is number `member`.
static void put(const SarSymbols* s, Read* read, SarTwinField field, int at, int members,
                const int* item, int member, int n, SarNode* to) {
  double value[MOST_MEMBERS];
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < members; k++) value[k] = read(s, item[k]).x[i];
    to[i] = sar_twins_number(s->twins, s->g, (at * SAR_TWIN_FIELDS + (int)field) * COMPONENTS + i,
                             members, value, member);
  }
}

static void put_alone(const SarSymbols* s, Numbers x, int n, SarNode* to) {
  for (int i = 0; i < n; i++) to[i] = s_num(s->g, x.x[i]);
}

static void of_body(const SarSymbols* s, Read* read, SarTwinField field, int b, int n,
                    SarNode* to) {
  int item[MOST_MEMBERS];
  const SarTwinPlace p = s->twins ? s->twins->body[b] : (SarTwinPlace){.group = -1};
  const SarTwinGroup* g = p.group >= 0 ? &s->twins->group.items[p.group] : NULL;
  if (!g || g->members > MOST_MEMBERS) {
    put_alone(s, read(s, b), n, to);
    return;
  }
  for (int k = 0; k < g->members; k++) item[k] = g->body[k] + p.at;
  put(s, read, field, p.at, g->members, item, p.member, n, to);
}

// Of a pair, or of what stands at a distance from its first term.
static void of_pair(const SarSymbols* s, Read* read, SarTwinField field, int pair, int term, int n,
                    SarNode* to) {
  int item[MOST_MEMBERS];
  const SarTwinPlace p = s->twins ? s->twins->pair[pair] : (SarTwinPlace){.group = -1};
  const SarTwinGroup* g = p.group >= 0 ? &s->twins->group.items[p.group] : NULL;
  const int own = term < 0 ? pair : s->m->pair[pair].term + term;
  if (!g || g->members > MOST_MEMBERS) {
    put_alone(s, read(s, own), n, to);
    return;
  }
  for (int k = 0; k < g->members; k++) {
    const int twin = g->pair[k * g->pairs + p.at];
    item[k] = term < 0 ? twin : s->m->pair[twin].term + term;
  }
  put(s, read, field, p.at * 8 + term + 1, g->members, item, p.member, n, to);
}

// ---- frames -------------------------------------------------------------------------------------

// Rotations that are meant to be by quarter turns have entries of 1e-17 where zeros belong.
static double snapped(double x) {
  const double whole = rint(x);
  return fabs(x - whole) < 4e-16 ? whole : x;
}

static Numbers read_rotation(const SarSymbols* s, int b) {
  const M3 R = s->m->body_X_PF[b].R;
  return (Numbers){{snapped(R.xx), snapped(R.xy), snapped(R.xz), snapped(R.yx), snapped(R.yy),
                    snapped(R.yz), snapped(R.zx), snapped(R.zy), snapped(R.zz)}};
}

// Offsets that rounding left where there are none.
static V3 clean_point(const SarSymbols* s, V3 p) {
  const double least = 1e-16 * s->size;
  return (V3){fabs(p.x) < least ? 0 : p.x, fabs(p.y) < least ? 0 : p.y,
              fabs(p.z) < least ? 0 : p.z};
}

static Numbers read_offset(const SarSymbols* s, int b) {
  const V3 p = clean_point(s, s->m->body_X_PF[b].p);
  return (Numbers){{p.x, p.y, p.z}};
}

SymXform sar_symbols_frame(const SarSymbols* s, int b) {
  SarNode R[9], p[3];
  of_body(s, read_rotation, SAR_TWIN_ROTATION, b, 9, R);
  of_body(s, read_offset, SAR_TWIN_OFFSET, b, 3, p);
  return (SymXform){{R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]}, {p[0], p[1], p[2]}};
}

// ---- inertias -----------------------------------------------------------------------------------

// What rounding left where zeros belong: products of inertia of symmetric bodies, centres of mass
// on axes.
static double clean(double x, double size) { return fabs(x) < 1e-15 * size ? 0 : x; }

static Numbers read_inertia(const SarSymbols* s, int b) {
  const Inertia I = s->m->body_inertia[b];
  const double most = fmax(fmax(fabs(I.I.xx), fabs(I.I.yy)), fabs(I.I.zz)), h = sqrt(I.m * most);
  return (Numbers){{clean(I.I.xx, most), clean(I.I.xy, most), clean(I.I.xz, most),
                    clean(I.I.yy, most), clean(I.I.yz, most), clean(I.I.zz, most), clean(I.h.x, h),
                    clean(I.h.y, h), clean(I.h.z, h), I.m}};
}

SymInertia sar_symbols_inertia(const SarSymbols* s, int b) {
  SarNode x[10];
  of_body(s, read_inertia, SAR_TWIN_INERTIA, b, 10, x);
  return (SymInertia){x[9], {x[6], x[7], x[8]}, {x[0], x[1], x[2], x[3], x[4], x[5]}};
}

// ---- pairs of points ----------------------------------------------------------------------------

static Numbers read_points(const SarSymbols* s, int pair) {
  const V3 a = clean_point(s, s->m->pair[pair].point[0]),
           b = clean_point(s, s->m->pair[pair].point[1]);
  return (Numbers){{a.x, a.y, a.z, b.x, b.y, b.z}};
}

SymV3 sar_symbols_pair_point(const SarSymbols* s, int pair, int which) {
  SarNode x[6];
  SymV3 held;
  if (which == 1 && sar_symbols_held_point(s, pair, &held)) return held;
  of_pair(s, read_points, SAR_TWIN_POINT, pair, -1, 6, x);
  return (SymV3){x[3 * which], x[3 * which + 1], x[3 * which + 2]};
}

static Numbers read_directions(const SarSymbols* s, int term) {
  const SarTerm* t = &s->m->term[term];
  return (Numbers){{t->x.x, t->x.y, t->x.z, t->y.x, t->y.y, t->y.z, t->w.x, t->w.y, t->w.z}};
}

SymV3 sar_symbols_direction(const SarSymbols* s, const SarTerm* t, char which) {
  SarNode x[9];
  SymV3 held;
  if (which == 'w' && sar_symbols_held_direction(s, t->pair, t->w, &held)) return held;
  const int i = which == 'x' ? 0 : which == 'y' ? 3 : 6;
  of_pair(s, read_directions, SAR_TWIN_DIRECTION, t->pair,
          (int)(t - s->m->term) - s->m->pair[t->pair].term, 9, x);
  return (SymV3){x[i], x[i + 1], x[i + 2]};
}
