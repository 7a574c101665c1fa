// Ports for tests: a layout of named signals, frames with a clock of their own, and a plant to
// control.
#pragma once
#include "support/test.h"

#include "realtime/port.h"

#include <time.h>
#include <unistd.h>

enum { PORT_MOST = 64 };

typedef struct PortWorld {
  SarPortInput input[PORT_MOST];
  SarPortOutput output[PORT_MOST];
  char names[2 * PORT_MOST][16];
  SarPortLayout layout;
  double inputs[PORT_MOST], outputs[PORT_MOST];
  SarPortFrame frame;
} PortWorld;

// Inputs u0, u1, ... and outputs y0, y1, ...; period 1 ms.
static inline void port_world(PortWorld* w, int inputs, int outputs) {
  memset(w, 0, sizeof *w);
  for (int i = 0; i < inputs; i++) {
    snprintf(w->names[i], sizeof w->names[i], "u%d", i);
    w->input[i] = (SarPortInput){.name = w->names[i], .unit = "N"};
  }
  for (int i = 0; i < outputs; i++) {
    snprintf(w->names[PORT_MOST + i], sizeof w->names[i], "y%d", i);
    w->output[i] = (SarPortOutput){.name = w->names[PORT_MOST + i], .unit = i % 2 ? "m" : ""};
  }
  w->layout = (SarPortLayout){w->input, inputs, w->output, outputs, 1e-3, "test"};
  w->frame = (SarPortFrame){.clock_ns = 1000000000, .outputs = w->outputs, .inputs = w->inputs};
}

static inline SarPort* port_opened(PortWorld* w, const char* kind, const char* address) {
  SarPort* p;
  SarError err;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_port_open(kind, address, &w->layout, &p, &err), &err);
  return p;
}

// The next frame, a period later by all clocks.
static inline void port_frame(PortWorld* w, SarPort* p) {
  w->frame.sequence++;
  w->frame.time += w->layout.period;
  w->frame.clock_ns += (int64_t)(1e9 * w->layout.period);
  sar_port_exchange(p, &w->frame);
}

// A name that no other test has.
static inline const char* port_name(char text[64], const char* what) {
  snprintf(text, 64, "test-%ld-%s", (long)getpid(), what);
  return text;
}

static inline void port_pause(double seconds) {
  const struct timespec t = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
  nanosleep(&t, NULL);
}
