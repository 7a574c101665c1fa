// Ports and recording of a real-time run (outside.h).
#include "realtime/outside.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/print.h"
#include "realtime/port.h"
#include "sim/watch.h"
#include "sim/outputs.h"

#include <math.h>
#include <string.h>

enum { MOST_PORTS = 16 };

typedef struct SarOutside {
  SarPort* port[MOST_PORTS];
  int ports;
  bool watched;
  SarRecorder* recorder;
  int every;              // frames for a row
  long long next;         // number from which on the next row is due
  double recorded_to;     // s
  SarRecorderStats last;  // when it was closed
} SarOutside;

// What there is to exchange, while ports are opened.
typedef struct Signals {
  SarPortInput* in;
  SarPortOutput* out;
  char (*name)[SAR_WATCH_NAME];      // of what a watch sees beside the outputs
  char (*whole)[2 * SAR_PORT_NAME];  // SIMULATOR.INPUT
  int nin, nout, more;
} Signals;

static void free_signals(Signals* s) {
  sar_free(s->in);
  sar_free(s->out);
  sar_free(s->name);
  sar_free(s->whole);
}

static SarStatus list_signals(const SarModel* m, const SarRtPlace* place, Signals* s) {
  s->nin = sar_model_count(m, SAR_ITEM_INPUT);
  s->nout = sar_model_count(m, SAR_ITEM_OUTPUT);
  s->more = sar_watch_count(m);
  s->in = sar_alloc(sizeof *s->in * (size_t)(s->nin + 1));
  s->out = sar_alloc(sizeof *s->out * (size_t)(s->nout + s->more));
  s->name = sar_alloc(sizeof *s->name * (size_t)s->more);
  s->whole = sar_alloc(sizeof *s->whole * (size_t)(s->nin + 1));
  if (!s->in || !s->out || !s->name || !s->whole) return SAR_NO_MEMORY;
  for (int i = 0; i < s->nin; i++) {
    s->in[i] = (SarPortInput){.unit = sar_model_unit(m, SAR_ITEM_INPUT, i),
                              .taken = place && place->given[i]};
    sar_snprintf(s->whole[i], sizeof s->whole[i], "%s.%s", place ? place->name : "",
                 sar_model_name(m, SAR_ITEM_INPUT, i));
  }
  for (int i = 0; i < s->nout; i++)
    s->out[i] = (SarPortOutput){sar_model_name(m, SAR_ITEM_OUTPUT, i), sar_output_unit(m, i)};
  for (int i = 0; i < s->more; i++)
    s->out[s->nout + i] = (SarPortOutput){.name = sar_watch_name(m, i, s->name[i])};
  return SAR_OK;
}

static SarStatus open_port(SarOutside* x, const SarModel* m, const SarRtPort* port, bool whole,
                           const Signals* s, SarPortLayout* layout, SarError* err) {
  const bool watch = port->kind && strcmp(port->kind, "watch") == 0;
  layout->outputs = watch ? s->nout + s->more : s->nout;
  x->watched = x->watched || watch;
  for (int i = 0; i < s->nin; i++)
    s->in[i].name = whole ? s->whole[i] : sar_model_name(m, SAR_ITEM_INPUT, i);
  SAR_TRY(sar_port_open(port->kind, port->address, layout, &x->port[x->ports], err));
  x->ports++;
  return SAR_OK;
}

static SarStatus open_ports(SarOutside* x, const SarModel* m, const SarRtOptions* o, double period,
                            const SarRtPlace* place, SarError* err) {
  Signals s = {0};
  SarStatus st = list_signals(m, place, &s);
  SarPortLayout layout = {s.in, s.nin, s.out, s.nout, period, o->model};
  for (int k = 0; k < o->port_count && st == SAR_OK; k++)
    st = open_port(x, m, &o->ports[k], place && place->whole[k], &s, &layout, err);
  free_signals(&s);
  return st;
}

static SarStatus open_recorder(SarOutside* x, const SarModel* m, const SarRtOptions* o,
                               SarError* err) {
  const int n = sar_model_count(m, SAR_ITEM_OUTPUT);
  const char** names = sar_alloc(sizeof *names * (size_t)(n + 1));
  if (!names) return SAR_NO_MEMORY;
  names[0] = "time";
  for (int i = 0; i < n; i++) names[i + 1] = sar_model_name(m, SAR_ITEM_OUTPUT, i);
  const SarRecorderOptions r = {.path = o->record,
                                .names = names,
                                .columns = n + 1,
                                .digits = o->digits,
                                .model = o->model,
                                .priority = o->scheduling == SAR_RT_AS_IS  ? 0
                                            : o->scheduling == SAR_RT_FIFO ? o->priority - 1
                                                                           : 1};
  const SarStatus st = sar_recorder_open(&r, &x->recorder, err);
  sar_free((void*)names);
  x->every = o->record_every;
  x->recorded_to = -(double)INFINITY;
  return st;
}

SarStatus sar_outside_open(const SarModel* m, const SarRtOptions* o, double period,
                           const SarRtPlace* place, SarOutside** out, SarError* err) {
  *out = NULL;
  if (o->port_count < 0 || o->port_count > MOST_PORTS || (o->port_count > 0 && !o->ports)) {
    sar_report(err, (SarLoc){0}, "", "%d ports: expected 0 to %d", o->port_count, MOST_PORTS);
    return SAR_BAD_ARGUMENT;
  }
  if (o->port_count == 0 && !o->record) return SAR_OK;
  SarOutside* x = sar_alloc(sizeof *x);
  if (!x) return SAR_NO_MEMORY;
  SarStatus st = open_ports(x, m, o, period, place, err);
  if (st == SAR_OK && o->record) st = open_recorder(x, m, o, err);
  if (st == SAR_OK)
    *out = x;
  else
    sar_outside_close(x);
  return st;
}

void sar_outside_exchange(SarOutside* x, const SarRtFrame* frame, const double* row) {
  const SarPortFrame f = {.sequence = (uint64_t)frame->number,
                          .time = frame->time,
                          .clock_ns = frame->clock,
                          .outputs = frame->outputs,
                          .inputs = frame->inputs};
  for (int k = 0; k < x->ports; k++) sar_port_exchange(x->port[k], &f);
  if (!x->recorder || frame->number < x->next) return;
  x->next = frame->number - frame->number % x->every + x->every;
  sar_outside_record(x, row);
}

void sar_outside_record(SarOutside* x, const double* row) {
  if (!x->recorder || !(row[0] > x->recorded_to)) return;
  x->recorded_to = row[0];
  sar_recorder_push(x->recorder, row);
}

bool sar_outside_watched(const SarOutside* x) { return x->watched; }

void sar_outside_make_room(SarOutside* x) {
  if (x->recorder) sar_recorder_make_room(x->recorder);
}

void sar_outside_counts(const SarOutside* x, long long* recorded, long long* dropped) {
  const SarRecorderStats s = x->recorder ? sar_recorder_stats(x->recorder) : x->last;
  *recorded = (long long)s.pushed;
  *dropped = (long long)s.dropped;
}

const char* sar_outside_words(const SarOutside* x, int port, char* text, size_t size) {
  if (port < 0 || port >= x->ports) return NULL;
  return sar_port_words(x->port[port], text, size);
}

SarStatus sar_outside_end_recording(SarOutside* x, SarError* err) {
  if (!x || !x->recorder) return SAR_OK;
  x->last = sar_recorder_stats(x->recorder);
  const SarStatus st = sar_recorder_close(x->recorder, err);
  x->recorder = NULL;
  return st;
}

void sar_outside_close(SarOutside* x) {
  if (!x) return;
  sar_outside_end_recording(x, NULL);
  for (int k = 0; k < x->ports; k++) sar_port_close(x->port[k]);
  sar_free(x);
}
