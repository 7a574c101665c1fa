// Kinetic energy of one body, V' I V / 2: {body: NAME, with: kinetic}, and NAME.kinetic in
// expressions.
//
// An output variable as one file and one line, see tools/check-plugins.
#include "sim/outputs/outputs.h"

static double kinetic(const SarOutputRow* row, const SarChannel* c) {
  if (c->index < 0) return 0;  // fixed to ground
  const Motion V = row->s->d->body_V[c->index];
  const Force p = inertia_mul(row->s->m->body_inertia[c->index], V);
  return 0.5 * (v3_dot(V.w, p.n) + v3_dot(V.v, p.f));
}

const SarOutputKind sar_output_body_kinetic = {
    .name = "body kinetic",
    .doc = "kinetic energy [J]",
    .of = SAR_OF_BODY,
    .with = "kinetic",
    .held = true,
    .columns = (const char* const[]){"kinetic", NULL},
    .value = kinetic,
};
