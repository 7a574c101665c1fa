// The dense Delassus operator of some impulses of trees (row_system.h).
#include "formulations/impulse/row_system.h"

#include <math.h>
#include <string.h>

enum { MOST = 72 };  // impulses: more are left to the sweeps

void sar_row_system_init(SarRowSystem* p, const SarModel* m, int rows, const SarHeld* held,
                         SarBlock* b) {
  const int most = !held->direct || m->ncontact == 0 ? 0 : rows < MOST ? rows : MOST;
  *p = (SarRowSystem){.most = most};
  SAR_PIECE(b, p->item, most);
  SAR_PIECE(b, p->group, most);
  SAR_PIECE(b, p->A, (size_t)most * (size_t)most);
  SAR_PIECE(b, p->L, (size_t)most * (size_t)most);
  SAR_PIECE(b, p->p, most);
  SAR_PIECE(b, p->left, most);
  SAR_PIECE(b, p->part, most);
  SAR_PIECE(b, p->x, most);
  SAR_PIECE(b, p->y, most);
  SAR_PIECE(b, p->miss, most);
  SAR_PIECE(b, p->scale, most);
  SAR_PIECE(b, p->takes, most);
  SAR_PIECE(b, p->unit, most > 0 ? m->ncontact : 0);
  SAR_PIECE(b, p->w, most > 0 ? m->nv + SAR_GROUND : 0);
}

SarRowGroup* sar_row_system_add(SarRowSystem* p, int count, SarRowItem first) {
  if (p->n + count > p->most) return NULL;
  SarRowGroup* group = &p->group[p->groups++];
  *group = (SarRowGroup){.first = p->n, .count = count, .takes = true};
  for (int k = 0; k < count; k++) {
    p->item[p->n] = first;
    if (first.row >= 0)
      p->item[p->n].row += k;
    else
      p->item[p->n].axis = k;
    p->n++;
  }
  return group;
}

// ---- one item -----------------------------------------------------------------------------------

// v += response of one item to an impulse
static void apply(const SarRowSystem* p, const SarImpulses* rows, const SarRowItem* at,
                  double impulse, double* v) {
  if (at->row >= 0) {
    sar_impulse_apply(rows, &rows->row[at->row], impulse, v);
    return;
  }
  const SarFace* face = &rows->points.face[at->face];
  SarPointImpulse* unit = p->unit;
  memset(unit[face->first], 0, (size_t)face->count * sizeof *unit);
  unit[at->point][at->axis] = impulse;
  sar_face_push(&rows->points, face, unit, v);
}

double sar_row_item_speed(const SarImpulses* rows, const SarRowItem* at, const double* v) {
  if (at->row >= 0) return sar_impulse_speed(rows, &rows->row[at->row], v);
  const SarTwist twist = sar_face_twist(&rows->points.face[at->face], v);
  double u[3];
  sar_point_speeds(&rows->points.point[at->point], &twist, u);
  return u[at->axis];
}

static void clear(const SarImpulses* rows, const SarRowItem* at, double* v) {
  if (at->row >= 0) {
    const SarImpulseRow* row = &rows->row[at->row];
    for (int k = 0; k < row->parts; k++)
      memset(&v[row->part[k].first], 0, (size_t)row->part[k].num * sizeof *v);
    return;
  }
  const SarFace* face = &rows->points.face[at->face];
  memset(&v[face->a.first], 0, 6 * sizeof *v);
  memset(&v[face->b.first], 0, 6 * sizeof *v);
}

void sar_row_item_give(const SarRowSystem* p, SarImpulses* rows, const SarRowItem* at, double d) {
  if (d == 0) return;
  apply(p, rows, at, d, rows->v);
  if (at->row >= 0)
    rows->row[at->row].p += d;
  else
    rows->points.p[at->point][at->axis] += d;
}

// ---- the operator -------------------------------------------------------------------------------

void sar_row_system_assemble(SarRowSystem* p, const SarModel* m, const SarImpulses* rows) {
  const int n = p->n;
  memset(p->w, 0, (size_t)(m->nv + SAR_GROUND) * sizeof *p->w);
  for (int j = 0; j < n; j++) {
    const SarRowItem* at = &p->item[j];
    apply(p, rows, at, 1, p->w);
    for (int i = j; i < n; i++)
      p->A[i * n + j] = p->A[j * n + i] = sar_row_item_speed(rows, &p->item[i], p->w);
    clear(rows, at, p->w);
    p->p[j] = at->row >= 0 ? rows->row[at->row].p : rows->points.p[at->point][at->axis];
    p->scale[j] = 1;
  }
}

void sar_row_system_mark(SarRowSystem* p) {
  for (int k = 0; k < p->groups; k++)
    for (int i = 0; i < p->group[k].count; i++)
      p->takes[p->group[k].first + i] = p->group[k].takes ? 1 : 0;
}

bool sar_row_system_factor(SarRowSystem* p, double eps) {
  const int n = p->n;
  const double *s = p->scale, *takes = p->takes;
  double trace = 0;
  for (int i = 0; i < n; i++) trace += s[i] * s[i] * p->A[i * n + i];
  for (int i = 0; i < n; i++) {
    double* Li = &p->L[i * n];
    for (int j = 0; j <= i; j++) {
      const double* Lj = &p->L[j * n];
      double sum = takes[i] * takes[j] * s[i] * s[j] * p->A[i * n + j];
      if (i == j) sum = takes[i] > 0 ? sum + eps * trace / n : 1;
      for (int k = 0; k < j; k++) sum -= Li[k] * Lj[k];
      if (j < i)
        Li[j] = sum / Lj[j];
      else if (sum > 0)
        Li[i] = sqrt(sum);
      else
        return false;
    }
  }
  return true;
}

void sar_row_system_solve(const SarRowSystem* p, double* x) {
  const int n = p->n;
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i; k++) x[i] -= p->L[i * n + k] * x[k];
    x[i] /= p->L[i * n + i];
  }
  for (int i = n - 1; i >= 0; i--) {
    x[i] /= p->L[i * n + i];
    for (int k = 0; k < i; k++) x[k] -= p->L[i * n + k] * x[i];
  }
}
