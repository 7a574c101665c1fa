// The mass matrix, constant because all points of a part are linear in its items:
//
//   x(r) = p + r1 e1 + r2 e2 + r3 e3 = sum y_s [1 r]_s,     T = 1/2 sum y_s' . y_t' J_st
//   J = int [1 r][1 r]' dm = [m h'; h S],     S = 1/2 tr(I) 1 - I
//
// and y = Y z, so M = Y' J Y. Planar, with complex numbers: x = p + w e1, J = [m h; h* I_zz], M =
// Y* J Y. Gravity acts at the mass centre of every part, a form: constant forces.
#include "formulations/natural/build.h"

static const double LEAST = 1e-3;  // share of a part's inertia that each of its items is given

static void add_block(Build* b, int i, int j, double re, double im) {
  SarNatural* p = b->p;
  if (i < j) {  // block (j, i) is the transpose
    const int k = i;
    i = j, j = k, im = -im;
  }
  for (int k = 0; k < p->nmass; k++) {
    SarNatMass* at = &p->mass[k];
    if (at->i != i || at->j != j) continue;
    at->re += re, at->im += im;
    return;
  }
  p->mass[p->nmass++] = (SarNatMass){i, j, re, im};
}

static Inertia part_inertia(const Build* b, int part) {
  Inertia sum = inertia_zero();
  for (int k = 0; k < b->m->nbody; k++)
    if (b->p->body_part[k] == part)
      sum = inertia_add(sum, inertia_transform(b->p->body_X_CB[k], b->m->body_inertia[k]));
  return sum;
}

// coefficient of item in a form
static void coefficient(const SarNatForm* f, int item, double* re, double* im) {
  *re = *im = 0;
  for (int k = 0; k < f->num; k++)
    if (f->item[k] == item) *re = f->re[k], *im = f->im[k];
}

static int items_of(const SarNatPart* part, int* item) {
  int n = 0;
  for (int s = 0; s < 4; s++)
    for (int k = 0; k < part->y[s].num; k++) {
      int at = 0;
      while (at < n && item[at] != part->y[s].item[k]) at++;
      if (at == n) item[n++] = part->y[s].item[k];
    }
  return n;
}

static void spatial_mass(Build* b, const SarNatPart* part, const Inertia* I) {
  const double t = (I->I.xx + I->I.yy + I->I.zz) / 2;
  const double J[4][4] = {{I->m, I->h.x, I->h.y, I->h.z},
                          {I->h.x, t - I->I.xx, -I->I.xy, -I->I.xz},
                          {I->h.y, -I->I.xy, t - I->I.yy, -I->I.yz},
                          {I->h.z, -I->I.xz, -I->I.yz, t - I->I.zz}};
  int item[SAR_NAT_ITEMS];
  const int n = items_of(part, item);
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double sum = 0, ci, cj, none;
      for (int s = 0; s < 4; s++)
        for (int r = 0; r < 4; r++) {
          coefficient(&part->y[s], item[i], &ci, &none);
          coefficient(&part->y[r], item[j], &cj, &none);
          sum += ci * J[s][r] * cj;
        }
      add_block(b, item[i], item[j], sum, 0);
    }
}

static void planar_mass(Build* b, const SarNatPart* part, const Inertia* I) {
  const double Jre[2][2] = {{I->m, I->h.x}, {I->h.x, I->I.zz}};
  const double Jim[2][2] = {{0, I->h.y}, {-I->h.y, 0}};
  int item[SAR_NAT_ITEMS];
  const int n = items_of(part, item);
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double re = 0, im = 0, ai, bi, aj, bj;
      for (int s = 0; s < 2; s++)
        for (int r = 0; r < 2; r++) {
          coefficient(&part->y[s], item[i], &ai, &bi);
          coefficient(&part->y[r], item[j], &aj, &bj);
          // conj(c_i) J c_j
          const double x = Jre[s][r] * aj - Jim[s][r] * bj, y = Jre[s][r] * bj + Jim[s][r] * aj;
          re += ai * x + bi * y;
          im += ai * y - bi * x;
        }
      add_block(b, item[i], item[j], re, im);
    }
}

static void add_weight(Build* b, int part, const Inertia* I) {
  if (!(I->m > 0)) return;
  SarNatural* p = b->p;
  const SarNatForm c = sar_form_point(b->p, part, v3_scale(1 / I->m, I->h));
  V3 W = v3_scale(I->m, m3_mul_v(p->R_NG, b->m->gravity));
  if (p->dim == 2) W.z = 0;
  for (int k = 0; k < c.num; k++) {
    V3* f = &p->weight[c.item[k]];
    *f = v3_axpy(c.re[k], W, v3_axpy(-c.im[k], sar_nat_turned(W), *f));  // W x n = -n x W
  }
}

// What a part has for an item of it: of the mass a point, of the moment of inertia a vector; parts
// without mass count as the average one.
static double scale_of(const Build* b, const Inertia* I, const SarNatItem* item, double mass) {
  const double moment = LEAST * mass * b->size * b->size;
  // about the mass centre: 1/2 tr I - |h|^2 / m
  const double whole = (I->I.xx + I->I.yy + I->I.zz) / 2;
  // never over zero
  const double own = whole - v3_dot(I->h, I->h) / fmax(I->m, LEAST * LEAST * mass);
  return item->w > 0 ? fmax(I->m, LEAST * mass) : fmax(own, LEAST * moment);
}

// The diagonal by which constraints are weighed. Items without mass (the vectors across a slender
// rod) must not make the rows that hold them weak, so each gets at least a share of what its part
// has. Items that are in the basis of no part (an axis that two parts share and neither picks) hang
// on linear equations of both, and pass on what one part exerts on the other: all of what their
// part has.
static void find_scales(Build* b) {
  SarNatural* p = b->p;
  double mass = 0;
  for (int k = 1; k < p->npart; k++) mass += part_inertia(b, k).m / (p->npart - 1);
  if (!(mass > 0)) mass = 1;
  for (int k = 0; k < p->nmass; k++)
    if (p->mass[k].i == p->mass[k].j) p->inertia[p->mass[k].i] = fabs(p->mass[k].re);
  sar_natural_mode_scales(b);
  for (int k = 1; k < p->npart; k++) {
    const Inertia I = inertia_add(part_inertia(b, k), sar_natural_nodes_inertia(b, k));
    int item[SAR_NAT_ITEMS];
    const int n = items_of(&p->part[k], item);
    for (int i = 0; i < n; i++) {
      double* own = &p->inertia[item[i]];
      *own = fmax(*own, LEAST * scale_of(b, &I, &p->item[item[i]], mass));
    }
  }
  for (int i = 0; i < p->nitem; i++) {
    if (p->inertia[i] > 0) continue;
    const Inertia I = part_inertia(b, p->item[i].part);
    p->inertia[i] = scale_of(b, &I, &p->item[i], mass);
  }
}

void sar_natural_inertia(Build* b) {
  SarNatural* p = b->p;
  p->mass = SAR_ARENA_ARRAY(&p->arena, SarNatMass, 10 * p->npart + 1);
  p->inertia = SAR_ARENA_ARRAY(&p->arena, double, p->nitem + 1);
  p->weight = SAR_ARENA_ARRAY(&p->arena, V3, p->nitem + 1);
  if (p->arena.failed) return;
  for (int k = 1; k < p->npart; k++) {
    const Inertia I = part_inertia(b, k);
    if (p->dim == 3)
      spatial_mass(b, &p->part[k], &I);
    else
      planar_mass(b, &p->part[k], &I);
    add_weight(b, k, &I);
  }
  find_scales(b);
}
