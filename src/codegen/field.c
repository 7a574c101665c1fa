// Gravity that is not the same everywhere, over symbols: dynamics/gravity_field.c.
#include "codegen/symbols.h"

enum { UX = 1, UT = 4 };  // laws of a potential

static SarNode law(SarSymbols* s, int which) {
  return sar_symbols_program(s, &s->m->expr[s->m->field.law + which]);
}

static void set_place(SarSymbols* s, SymV3 p) {
  SarNode* local = &s->slot[s->m->slot_local];
  local[0] = p.x, local[1] = p.y, local[2] = p.z;
}

static SymV3 field_at(SarSymbols* s, SymV3 p) {
  const SarGravityField* f = &s->m->field;
  SarGraph* g = s->g;
  if (f->kind == SAR_GRAVITY_POINT) {
    const SymV3 r = sv3_sub(g, p, sv3_of(g, f->centre));
    const SarNode square = sv3_dot(g, r, r), cube = s_mul(g, square, sar_sym_sqrt(g, square));
    return sv3_scale(g, s_div(g, s_num(g, -f->mu), cube), r);
  }
  set_place(s, p);
  const bool potential = f->kind == SAR_GRAVITY_POTENTIAL;
  const int first = potential ? UX : 0;
  const SymV3 field = {law(s, first), law(s, first + 1), law(s, first + 2)};
  return potential ? sv3_neg(g, field) : field;
}

void sar_symbols_field(SarSymbols* s) {
  const SarModel* m = s->m;
  SarGraph* g = s->g;
  SarNode power = s_num(g, 0);
  for (int b = 0; b < m->nbody; b++) {
    const Inertia* I = &m->body_inertia[b];
    if (!(I->m > 0)) continue;
    const SymV3 c = sv3_of(g, v3_scale(1 / I->m, I->h));
    const SymV3 p = sx_point(g, s->X_GB[b], c), field = field_at(s, p);
    const SymV3 f = sm3_tmul_v(g, s->X_GB[b].R, field);
    s->F[b].f = sv3_axpy(g, s_num(g, I->m), f, s->F[b].f);
    s->F[b].n = sv3_add(g, s->F[b].n, sv3_cross(g, sv3_of(g, I->h), f));
    if (!m->field.works) continue;
    set_place(s, p);
    const SarNode own = m->field.kind == SAR_GRAVITY_VECTOR
                            ? sv3_dot(g, field, sar_symbols_point_velocity(s, b, c))
                            : law(s, UT);
    power = s_mac(g, power, s_num(g, I->m), own);
  }
  for (int i = 0; i < m->nwork; i++)
    if (m->work[i].kind == SAR_WORK_GRAVITY) s->work_rate[i] = power;
}
