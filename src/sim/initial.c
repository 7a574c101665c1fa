// Equations of `initial` in assembly: g(q) = 0 with the positions, g(q, v) = 0 with the speeds.
// They are expressions of anything measured, so their Jacobian is taken by central differences; it
// steers the iteration, what is met is g itself.
#include "base/print.h"
#include "dynamics/applied.h"
#include "dynamics/tree.h"
#include "sim/assemble_work.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double STEP = 1e-6;   // of a difference: rad, sizes of the mechanism
static const double UNMET = 1e-3;  // an equation that is off by more, of the worst, is named too
enum { TEXT = 300 };

void sar_take_wishes(Assembly* a, bool speeds) {
  const SarModel* m = a->m;
  a->wishes = 0;
  a->speeds = speeds;
  for (int i = 0; i < m->ninitial; i++)
    if ((m->initial[i].speed != 0) == speeds) a->wish[a->wishes++] = i;
  memset(&a->lag[a->given], 0, (size_t)a->wishes * sizeof *a->lag);
}

void sar_open_wishes(Assembly* a, double* residual) {
  const SarModel* m = a->m;
  SarData* d = a->d;
  sar_update_kinematics(m, d);
  sar_update_forces(m, d);  // measured quantities and variables are filled in there
  for (int i = 0; i < a->wishes; i++) {
    const SarExprEntry* e = &m->expr[m->initial[a->wish[i]].expr];
    residual[i] = sar_program_eval(&e->program, &m->instr[e->instr], d->slot, d->reg);
  }
}

// The values with coordinate j moved, or with its speed changed.
static void values_at(Assembly* a, int j, double by, double* values) {
  const SarModel* m = a->m;
  SarData* d = a->d;
  if (a->speeds) {
    const double v = d->v[j];
    d->v[j] += by;
    sar_open_wishes(a, values);
    d->v[j] = v;
    return;
  }
  const size_t bytes = (size_t)m->nq * sizeof *a->q;
  memcpy(a->q, d->q, bytes);
  memset(a->x, 0, (size_t)m->nv * sizeof *a->x);
  a->x[j] = by;
  sar_projection_move(m, a->x, d->q);
  sar_open_wishes(a, values);
  memcpy(d->q, a->q, bytes);
}

static double step_of(const Assembly* a, int dof) {
  const SarModel* m = a->m;
  const int j = m->dof_body[dof];
  const bool length = m->joint_kind[j]->coordinate[dof - m->joint_vadr[j]] == SAR_LENGTH;
  if (a->speeds) return 1;  // as good as any: they are linear in the speeds
  return STEP * (length ? a->p.length : 1);
}

void sar_update_wish_rows(Assembly* a, double* rows) {
  const SarModel* m = a->m;
  const size_t nv = (size_t)m->nv;
  double* values = &a->residual[m->nrow + a->given + a->wishes];  // room for two times as many
  for (int j = 0; j < m->nv; j++) {
    const double h = step_of(a, j);
    for (int i = 0; i < a->wishes; i++) rows[(size_t)i * nv + (size_t)j] = 0;
    if (a->held[j]) continue;
    values_at(a, j, h, values);
    values_at(a, j, -h, values + a->wishes);
    for (int i = 0; i < a->wishes; i++)
      rows[(size_t)i * nv + (size_t)j] = (values[i] - values[a->wishes + i]) / (2 * h);
  }
  sar_update_kinematics(m, a->d);
}

void sar_report_wishes(const Assembly* a, const char* given, SarError* err) {
  const SarModel* m = a->m;
  const double* residual = &a->residual[m->nrow + a->given];
  char others[TEXT] = "";
  int worst = 0, named = 0;
  for (int i = 1; i < a->wishes; i++)
    if (!(fabs(residual[i]) <= fabs(residual[worst]))) worst = i;
  for (int i = 0; i < a->wishes; i++) {
    const size_t used = strlen(others);
    if (i == worst || fabs(residual[i]) <= UNMET * fabs(residual[worst]) || named++ >= 3) continue;
    sar_snprintf(others + used, sizeof others - used, "%s'%.60s'", used ? ", " : "",
                 sar_text(m, m->initial[a->wish[i]].text));
  }
  const SarInitial* first = &m->initial[a->wish[worst]];
  const SarLoc loc = {sar_text(m, first->at.file), first->at.line, first->at.column};
  const char* text = sar_text(m, first->text);
  if (given)
    sar_report(err, loc, "leave one of them out: it follows from the others",
               "initial '%.100s' misses by %.3g with the given %s of %.120s held", text,
               residual[worst], a->speeds ? "speeds" : "positions", given);
  else
    sar_report(err, loc,
               others[0] ? "are they within reach? leave one out, or start nearer to them"
                         : "is it within reach? start nearer to it",
               "initial '%.100s' cannot be met: it misses by %.3g%s%.160s", text, residual[worst],
               others[0] ? ", beside " : "", others);
}
