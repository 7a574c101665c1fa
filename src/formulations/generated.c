// Articulated bodies as generated code: the model's equations, put into symbols and folded when a
// simulation is made, compiled and loaded (codegen/kernel.h); a tape of them where there is no
// compiler.
//
// What has no equations in symbols (rolling, say) is evaluated by the interpreter, as `aba` does it, and
// the user is told. So it is where an integrator or kinks look at what the interpreter leaves behind:
// then both are evaluated. What is not finite is evaluated again, by the interpreter, which knows what
// is wrong.
// States that are implicit in a step (d->z_from) are the interpreter's too.
#include "codegen/kernel.h"

#include "base/error.h"
#include "dynamics/tree.h"
#include "model/sim.h"

typedef struct Generated {
  SarKernel* kernel;  // NULL: the interpreter alone
  bool both;          // what forces leave behind is looked at
} Generated;

static size_t state_size(const SarModel* m, const SarSimOptions* o) {
  (void)m, (void)o;
  return sizeof(Generated);
}

static SarStatus start(SarSim* s, SarError* err) {
  Generated* p = s->formulation_state;
  char note[300];
  *p = (Generated){.both = s->m->nswitch > 0 || s->integrator->implicit};
  const SarStatus st = sar_kernel_new(s->m, &p->kernel, note, sizeof note);
  if (st == SAR_NO_MEMORY) return st;
  if (st != SAR_OK)
    sar_warn(err, (SarLoc){0}, "", "formulation 'generated' runs as 'aba': %s", note);
  else if (note[0])
    sar_warn(err, (SarLoc){0}, "", "formulation 'generated' evaluates a tape: %s", note);
  return SAR_OK;
}

static void finish(SarSim* s) {
  Generated* p = s->formulation_state;
  sar_kernel_free(p->kernel);
  p->kernel = NULL;
}

static SarStatus accel(SarSim* s) {
  Generated* p = s->formulation_state;
  const bool alone = p->kernel && !p->both && !s->d->z_from;
  if (alone && sar_kernel_eval(p->kernel, s->d)) return SAR_OK;
  sar_update_kinematics(s->m, s->d);
  sar_update_forces(s->m, s->d);
  if (p->kernel && !alone && !s->d->z_from && sar_kernel_eval(p->kernel, s->d)) return SAR_OK;
  return sar_aba(s->m, s->d);
}

const SarFormulation sar_formulation_generated = {
    .name = "generated",
    .doc = "articulated bodies as compiled code of the model, open trees",
    .ref = "Featherstone 2008, ch. 7",
    .why = "",
    .shape = SAR_SHAPE_ACCEL,
    .state_size = state_size,
    .start = start,
    .finish = finish,
    .accel = accel,
};
