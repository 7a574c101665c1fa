// Attached to a run through shared memory (attach.h, docs/real-time-protocol.md).
#include "sarrus/shm_client.h"

#include "view/attach.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/print.h"
#include "model/data.h"
#include "sim/watch.h"

struct SarAttachment {
  const SarModel* m;
  char name[200];
  SarShm shm;
  bool there;
  int* input;      // of the model -> of the object; -1: another port of the run drives it
  double* send;    // inputs as they were sent last
  double* values;  // of a sample
  double* state;   // in it
};

// Outputs of the model in their order, then the state: nothing else is this run.
static bool is_of_model(const SarModel* m, const SarShm* s) {
  const int n = sar_model_count(m, SAR_ITEM_OUTPUT), more = sar_watch_count(m);
  char name[SAR_WATCH_NAME];
  if (s->outputs != n + more) return false;
  for (int i = 0; i < n; i++)
    if (strncmp(sar_shm_name(s, i, 0), sar_model_name(m, SAR_ITEM_OUTPUT, i), SAR_RT_NAME) != 0)
      return false;
  for (int i = 0; i < more; i++)
    if (strcmp(sar_shm_name(s, n + i, 0), sar_watch_name(m, i, name)) != 0) return false;
  return true;
}

// As the one who drives where nobody does, else as one who looks.
static int attach(SarAttachment* a) {
  int found = sar_shm_attach(&a->shm, a->name, 1);
  if (found == SAR_SHM_TAKEN) found = sar_shm_attach(&a->shm, a->name, 0);
  a->there = found == SAR_SHM_OK;
  if (a->there && !is_of_model(a->m, &a->shm)) {
    sar_shm_detach(&a->shm);
    a->there = false;
    return SAR_SHM_WRONG;
  }
  for (int i = 0; a->there && i < a->m->ninput; i++)
    a->input[i] = sar_shm_find(&a->shm, sar_model_name(a->m, SAR_ITEM_INPUT, i), 1);
  return found;
}

static SarStatus say(const SarAttachment* a, int found, SarError* err) {
  const bool absent = found == SAR_SHM_ABSENT;
  sar_report(err, (SarLoc){0},
             absent ? "start it with 'sarrus rt MODEL --watch NAME'"
                    : "give the model of the run, with the same --set; the run needs --watch",
             absent ? "there is no run '%.100s'" : "the run '%.100s' is not one of this model",
             a->name);
  return absent ? SAR_NO_FILE : SAR_BAD_MODEL;
}

SarStatus sar_attach(const SarModel* m, const char* name, SarAttachment** out, SarError* err) {
  const int outputs = sar_model_count(m, SAR_ITEM_OUTPUT);
  SarAttachment* a = *out = sar_alloc(sizeof *a);
  if (!a) return SAR_NO_MEMORY;
  a->m = m;
  sar_snprintf(a->name, sizeof a->name, "%s", name);
  a->input = sar_alloc(sizeof *a->input * (size_t)(m->ninput + 1));
  a->send = sar_alloc(sizeof *a->send * (size_t)(m->ninput + 1));
  a->values = sar_alloc(sizeof *a->values * (size_t)(outputs + sar_watch_count(m)));
  a->state = a->values ? a->values + outputs : NULL;
  SarStatus st = a->input && a->send && a->values ? SAR_OK : SAR_NO_MEMORY;
  const int found = st == SAR_OK ? attach(a) : 0;
  if (st == SAR_OK && found != SAR_SHM_OK) st = say(a, found, err);
  if (st == SAR_OK) return st;
  sar_detach(a);
  *out = NULL;
  return st;
}

void sar_detach(SarAttachment* a) {
  if (!a) return;
  if (a->there) sar_shm_detach(&a->shm);
  sar_free(a->input);
  sar_free(a->send);
  sar_free(a->values);
  sar_free(a);
}

SarAttached sar_attach_look(SarAttachment* a, SarData* d, double* outputs) {
  if (!a->there && attach(a) != SAR_SHM_OK) return SAR_ATTACH_OVER;
  if (sar_shm_latest(&a->shm, a->values) != SAR_SHM_OK) {
    if (sar_shm_alive(&a->shm)) return SAR_ATTACH_SAME;
    sar_shm_detach(&a->shm);
    a->there = false;
    return SAR_ATTACH_OVER;
  }
  sar_watch_set(d, a->shm.last.time, a->state);
  memcpy(outputs, a->values, sizeof *outputs * (size_t)(a->state - a->values));
  return SAR_ATTACH_NEW;
}

static double more(const SarAttachment* a, int k) {
  return a->state[sar_watch_count(a->m) - SAR_WATCH_MORE + k];
}
double sar_attach_cpu(const SarAttachment* a) { return more(a, 0); }
long long sar_attach_overruns(const SarAttachment* a) { return (long long)more(a, 1); }
long long sar_attach_frame(const SarAttachment* a) { return (long long)a->shm.last.sequence; }
SarEnergy sar_attach_energy(const SarAttachment* a) {
  SarEnergy e = {.kinetic = more(a, 2), .potential = more(a, 3), .work = more(a, 4)};
  e.total = e.kinetic + e.potential;
  e.error = more(a, 5);
  return e;
}
double sar_attach_period(const SarAttachment* a) {
  return a->there ? 1e-9 * (double)a->shm.header.period_ns : 0;
}

void sar_attach_become(SarAttachment* a, const SarModel* m) { a->m = m; }

bool sar_attach_is_driven(const SarAttachment* a, int input) {
  return a->there && a->input[input] < 0;
}

const char* sar_attach_refusal(const SarAttachment* a, int input) {
  if (!a->there) return "the run has ended";
  if (!a->shm.drives) return "another process drives the inputs of the run";
  return a->input[input] < 0 ? "another port of the run drives it" : NULL;
}

// Those that were not set here are sent as they are in the run.
void sar_attach_set(SarAttachment* a, int input, double value) {
  if (sar_attach_refusal(a, input)) return;
  const double* now = a->state + a->m->nq_all + a->m->nv_all;
  for (int i = 0; i < a->m->ninput; i++)
    if (a->input[i] >= 0) a->send[a->input[i]] = i == input ? value : now[i];
  sar_shm_send(&a->shm, a->send);
}
