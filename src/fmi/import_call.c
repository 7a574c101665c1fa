// A loaded FMU as a function of the program's own, with tickets for its states (import.h).
#include "fmi/import_parts.h"

#include "base/alloc.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

enum { KEPT = 64 };

typedef struct Kept {
  double ticket, t;  // ticket 0: nothing
  void* state;
} Kept;

typedef struct Calls {
  pthread_mutex_t lock;  // several runs may have one FMU between them
  double live, t;        // ticket and time that the instance is at; 0: not begun
  double last;           // ticket that was given last
  bool used;             // the instance has begun once: it is reset before it does again
  Kept kept[KEPT];
  unsigned input[SAR_IMPORT_MOST], output[SAR_IMPORT_MOST];
} Calls;

void sar_import_forget(SarImported* fmu) {
  Calls* c = fmu->calls;
  if (!c) return;
  for (int i = 0; i < KEPT; i++)
    if (c->kept[i].state) fmu->ops->drop(fmu, &c->kept[i].state);
  pthread_mutex_destroy(&c->lock);
  sar_free(c);
  fmu->calls = NULL;
}

// The state that a ticket stands for.
static bool go_to(SarImported* fmu, Calls* c, double ticket) {
  if (c->live == ticket) return true;
  const Kept* k = &c->kept[(long)fmod(ticket, KEPT)];
  if (!k->state || k->ticket != ticket) {
    sar_import_say(fmu,
                   fmu->description.keeps_states
                       ? "the run goes back farther than the last %d calls of the FMU are kept"
                       : "the run goes back, and the FMU cannot: it keeps no states",
                   KEPT);
    return false;
  }
  c->live = 0;
  if (!fmu->ops->restore(fmu, k->state)) return false;
  c->live = ticket;
  c->t = k->t;
  return true;
}

static bool begin(SarImported* fmu, Calls* c, double t, const double* in, double* out) {
  const SarImportDescription* d = &fmu->description;
  c->live = 0;
  if (c->used && !fmu->ops->reset(fmu)) return false;
  c->used = true;
  c->t = t;
  return fmu->ops->enter(fmu, t) && fmu->ops->set(fmu, c->input, d->inputs, in) &&
         fmu->ops->leave(fmu) && fmu->ops->get(fmu, c->output, d->outputs, out);
}

static bool go_on(SarImported* fmu, Calls* c, double t, const double* in, double* out) {
  const SarImportDescription* d = &fmu->description;
  if (t < c->t) {
    sar_import_say(fmu, "the run goes from t = %.9g back to t = %.9g", c->t, t);
    return false;
  }
  if (t > c->t && !fmu->ops->step(fmu, c->t, t - c->t)) return false;
  c->t = t;
  return fmu->ops->set(fmu, c->input, d->inputs, in) &&
         fmu->ops->get(fmu, c->output, d->outputs, out);
}

static bool keep(SarImported* fmu, Calls* c, double* ticket) {
  *ticket = c->live = ++c->last;
  if (!fmu->description.keeps_states) return true;
  Kept* k = &c->kept[(long)fmod(c->last, KEPT)];
  k->ticket = 0;
  if (!fmu->ops->save(fmu, &k->state)) return false;
  k->ticket = c->last;
  k->t = c->t;
  return true;
}

static int call(void* context, double t, const double* inputs, double* states, double* outputs) {
  SarImported* fmu = context;
  Calls* c = fmu->calls;
  const double ticket = states[0];
  pthread_mutex_lock(&c->lock);
  bool good = ticket >= 0 && ticket <= c->last && ticket == floor(ticket);
  if (!good)
    sar_import_say(fmu, "the state of the run is not of this process: its FMU is elsewhere");
  else if (ticket == 0)
    good = begin(fmu, c, t, inputs, outputs);
  else
    good = go_to(fmu, c, ticket) && go_on(fmu, c, t, inputs, outputs);
  if (good) good = keep(fmu, c, &states[0]);
  if (!good) c->live = 0;
  pthread_mutex_unlock(&c->lock);
  return good ? 0 : 1;
}

SarUserFunction sar_import_function(SarImported* fmu, const char* name) {
  const SarImportDescription* d = &fmu->description;
  Calls* c = fmu->calls;
  if (!c && (c = fmu->calls = sar_alloc(sizeof *c))) {
    pthread_mutex_init(&c->lock, NULL);
    for (int i = 0; i < d->inputs; i++) c->input[i] = d->input[i].reference;
    for (int i = 0; i < d->outputs; i++) c->output[i] = d->output[i].reference;
  }
  const int inputs = d->inputs > 0 ? d->inputs : -1;  // a list cannot be empty
  return (SarUserFunction){name, inputs, 1, d->outputs, c ? call : NULL, fmu};
}
