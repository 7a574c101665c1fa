// The model's equations as generated code, put into symbols and folded when a simulation is made,
// compiled and loaded (codegen/kernel.h); a tape of them where there is no compiler. Open trees by
// articulated bodies, models with constraints by the equations of `lagrange`.
//
// What has no equations in symbols (knots, say) is evaluated by the interpreter, as `aba` or
// `lagrange` does it, and the user is told. So it is where an integrator or kinks look at what the
// interpreter leaves behind: then both are evaluated. What is not finite is evaluated again, by the
// interpreter, which knows what is wrong. States that are implicit in a step (d->z_from) are the
// interpreter's too.
//
// With constraints it is `lagrange` that runs, with another way to evaluate (lagrange.h): the code
// gives accelerations, multipliers and corrections at once. It has a fixed number of passes, so it
// hands over to the interpreter next to singular positions, and it takes the weights of the rows
// from where the weakest grip was last looked at: they are state.
#include "codegen/kernel.h"

#include "base/error.h"
#include "dynamics/tree.h"
#include "formulations/lagrange.h"
#include "model/sim.h"

typedef struct Generated {
  SarLagrange lagrange;  // models with constraints
  SarKernel* kernel;     // NULL: the interpreter alone
  bool both;             // what forces leave behind is looked at
} Generated;

static size_t state_size(const SarModel* m, const SarSimOptions* o) {
  (void)o;
  Generated p;
  SarBlock b = sar_block(NULL, sizeof p);
  if (m->nrow > 0) sar_lagrange_layout(&p.lagrange, m, NULL, 0, true, &b);
  return b.used;
}

// ---- constraints --------------------------------------------------------------------------------

// Outside of steps callers expect more of an evaluation: values of drives, say.
static bool quick(SarSim* s) {
  Generated* p = s->formulation_state;
  if (!s->stepping || s->d->z_from) return false;
  s->bare = !p->both;
  if (p->both) {
    sar_update_kinematics(s->m, s->d);
    sar_update_forces(s->m, s->d);
  }
  const SarKernelRows rows = {p->lagrange.weight, p->lagrange.back_q, p->lagrange.back_v};
  return sar_kernel_eval(p->kernel, s->d, &rows);
}

static void init(SarSim* s) {
  if (s->m->nrow > 0) sar_lagrange_init(s);
}

static void adopt(SarSim* s) {
  if (s->m->nrow > 0) sar_lagrange_adopt(s);
}

static void regroup(SarSim* s) {
  if (s->m->nrow > 0) sar_lagrange_regroup(s);
}

static void look(SarSim* s) {
  if (s->m->nrow > 0) sar_lagrange_look(s);
}

// ---- life ---------------------------------------------------------------------------------------

static SarStatus make_kernel(SarSim* s, SarError* err) {
  Generated* p = s->formulation_state;
  char note[300];
  const SarStatus st = sar_kernel_new(s->m, &p->kernel, note, sizeof note);
  if (st == SAR_NO_MEMORY) return st;
  if (st != SAR_OK)
    sar_warn(err, (SarLoc){0}, "", "formulation 'generated' runs as '%s': %s",
             s->m->nrow > 0 ? "lagrange" : "aba", note);
  else if (note[0])
    sar_warn(err, (SarLoc){0}, "", "formulation 'generated' evaluates a tape: %s", note);
  return SAR_OK;
}

static SarStatus start(SarSim* s, SarError* err) {
  Generated* p = s->formulation_state;
  *p = (Generated){.both = s->m->nswitch > 0 || s->integrator->implicit};
  SarBlock b = sar_block(p, sizeof *p);
  if (s->m->nrow > 0) {
    sar_lagrange_layout(&p->lagrange, s->m, s->row_order, s->freedom.rank, true, &b);
    sar_lagrange_declare(&p->lagrange, s, true);
  }
  SAR_TRY(make_kernel(s, err));
  if (s->m->nrow > 0 && p->kernel) p->lagrange.quick = quick;
  return SAR_OK;
}

static void finish(SarSim* s) {
  Generated* p = s->formulation_state;
  sar_kernel_free(p->kernel);
  p->kernel = NULL;
}

static SarStatus accel(SarSim* s) {
  Generated* p = s->formulation_state;
  if (s->m->nrow > 0) return sar_lagrange_accel(s);
  const bool alone = p->kernel && !p->both && !s->d->z_from;
  if (alone && sar_kernel_eval(p->kernel, s->d, NULL)) return SAR_OK;
  sar_update_kinematics(s->m, s->d);
  sar_update_forces(s->m, s->d);
  if (p->kernel && !alone && !s->d->z_from && sar_kernel_eval(p->kernel, s->d, NULL)) return SAR_OK;
  return sar_aba(s->m, s->d);
}

const SarFormulation sar_formulation_generated = {
    .name = "generated",
    .doc = "compiled code of the model: articulated bodies, or 'lagrange' with constraints",
    .ref = "Featherstone 2008, ch. 7; Bayo, Garcia de Jalon and Serna 1988",
    .why = "",
    .shape = SAR_SHAPE_ACCEL,
    .can = SAR_CAN_CONSTRAINTS | SAR_CAN_REDUNDANT | SAR_CAN_SINGULAR_MASS | SAR_CAN_RANK_CHANGE,
    .picks_rows = true,
    .state_size = state_size,
    .start = start,
    .finish = finish,
    .init = init,
    .adopt = adopt,
    .regroup = regroup,
    .look = look,
    .accel = accel,
    .accelerations = {.filter = sar_lagrange_filter, .settle = sar_lagrange_settle},
};
