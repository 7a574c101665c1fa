// Height fields as solids that touch: numbers, or an expression of x and y at the points of a grid.
#include "collide/heights.h"
#include "collide/store.h"
#include "model/compile/parts.h"

#include <math.h>

enum { MOST_HEIGHTS = 4000000 };

// What is being made, for messages and the result.
typedef struct Job {
  Compile* c;
  const SpecSolid* spec;
  Item item;
  SarLoc loc;
  bool moving;
  SarSolid* out;
} Job;

typedef struct Grid {
  double from, to;
  int n;
} Grid;

// Points along an axis; `known`: how many rows or columns there are, 0: the file says. False after
// a report.
static bool read_grid(const Job* j, const SpecNum num[3], const char* key, int known, Grid* out) {
  out->from = sar_number(j->c, num[0], j->item, key, ANY_FINITE, 0);
  out->to = sar_number(j->c, num[1], j->item, key, ANY_FINITE, 1);
  const double n = sar_number(j->c, num[2], j->item, key, ANY_FINITE, known);
  if (isnan(out->from + out->to + n)) return false;
  if (out->to <= out->from)
    sar_complain(j->c, j->item, num[1].loc, "give it as [from, to]",
                 "contact: '%s' must rise, but goes from %g to %g", key, out->from, out->to);
  else if (n < 2 || n > MOST_HEIGHTS || n != floor(n))
    sar_complain(j->c, j->item, num[2].loc, "at least 2",
                 "contact: %g is no number of points along '%s'", n, key);
  else
    out->n = (int)n;
  return out->n > 0;
}

static int slot_of_local(void* context, const char* name) {
  (void)context;
  return name[1] ? -1 : name[0] == 'x' ? 0 : name[0] == 'y' ? 1 : -1;
}

typedef struct OnlyXY {
  const Job* job;
  bool wrong;
} OnlyXY;

static void check_xy(void* context, const char* name) {
  OnlyXY* o = context;
  if (o->wrong || slot_of_local(NULL, name) >= 0) return;
  o->wrong = true;
  sar_complain(o->job->c, o->job->item,
               sar_place_of_name(o->job->c, o->job->spec->heights.height, name),
               "the surface is made once, before the run",
               "contact: heights must be a function of x and y alone, but they use '%s'", name);
}

// z = f(x, y) at all points of the grid. False after a report, or without memory.
static bool sample(const Job* j, Grid x, Grid y, double* z) {
  static const char* const names[] = {"x", "y"};
  const Locals locals = {names, 2};
  Compile* c = j->c;
  OnlyXY only = {j, false};
  SarProgram program;
  SarInstr* instrs;
  const SarNode bound = sar_bound(c, j->spec->heights.height, j->item, "heights", &locals);
  const SarNode f = bound >= 0
                        ? sar_written_out(c, bound, j->item, j->spec->heights.height.loc, "heights")
                        : SAR_NONE;
  if (f < 0) return false;
  sar_sym_visit(c->graph, f, check_xy, &only);
  if (only.wrong || !sar_expr_program(&c->arena, c->graph, f, slot_of_local, NULL, j->loc, &program,
                                      &instrs, c->err))
    return false;
  double* scratch = SAR_ARENA_ARRAY(&c->arena, double, program.registers + 1);
  if (!scratch) return false;
  for (int iy = 0; iy < y.n; iy++)
    for (int ix = 0; ix < x.n; ix++) {
      const double at[2] = {x.from + (x.to - x.from) * ix / (x.n - 1),
                            y.from + (y.to - y.from) * iy / (y.n - 1)};
      z[ix + (size_t)x.n * (size_t)iy] = sar_program_eval(&program, instrs, at, scratch);
    }
  return true;
}

// The grid and its heights; NULL after a report, or without memory.
static double* take_heights(const Job* j, HeightGrid* out) {
  const SpecHeights* h = &j->spec->heights;
  Compile* c = j->c;
  Grid x = {0}, y = {0};
  const bool known = read_grid(j, h->x, "x", h->columns, &x);
  if (!read_grid(j, h->y, "y", h->rows, &y) || !known) return NULL;
  if ((double)x.n * y.n > MOST_HEIGHTS) {
    sar_complain(c, j->item, j->loc, "", "contact: more than %d heights", MOST_HEIGHTS);
    return NULL;
  }
  const size_t n = (size_t)x.n * (size_t)y.n;
  double* z = SAR_ARENA_ARRAY(&c->arena, double, n);
  if (!z || (h->height.expr && !sample(j, x, y, z))) return NULL;
  for (size_t i = 0; i < n && h->numbers; i++) {
    z[i] = sar_number(c, h->numbers[i], j->item, "heights", ANY_FINITE, 0);
    if (isnan(z[i])) return NULL;
  }
  *out = (HeightGrid){
      {x.from, y.from}, {(x.to - x.from) / (x.n - 1), (y.to - y.from) / (y.n - 1)}, {x.n, y.n}};
  return z;
}

const double* sar_take_heights(Compile* c, const SpecSolid* s, Item item, HeightGrid* out) {
  return take_heights(&(Job){c, s, item, s->loc, false, NULL}, out);
}

static bool build_heights(const Job* j) {
  Compile* c = j->c;
  HeightGrid g;
  if (j->moving)
    sar_complain(c, j->item, j->loc, "give them to the ground, or use a mesh",
                 "contact: heights cannot be part of a body that moves");
  double* z = take_heights(j, &g);
  if (!z) return !c->arena.failed;
  SarHeights heights;
  if (!sar_heights_build(g.n[0], g.n[1], g.from[0], g.from[1], g.step[0], g.step[1], z, &heights)) {
    sar_complain(c, j->item, j->loc, "look for divisions by 0",
                 "contact: heights are not finite everywhere on the grid");
    return true;
  }
  *j->out = sar_solid_of_heights(&heights);
  return true;
}

bool sar_build_heights(Compile* c, const SpecSolid* s, Item item, bool moving, SarSolid* out) {
  return build_heights(&(Job){c, s, item, s->loc, moving, out});
}
