// Ports: what a run that keeps the clock has of the world outside (hardware in the loop, I/O). The
// loop calls each of its ports once a frame; what is behind one (shared memory, packets, a file) is
// a row of a table.
//
//   SarPortLayout l = {inputs, ninput, outputs, noutput, period};
//   sar_port_open("file", "gusts.csv", &l, &wind, err);     // drives the inputs it has columns for
//   sar_port_open("shm", "rig,timeout=0.01", &l, &rig, err);  // and this one the others
//   every frame: sar_port_exchange(wind, &frame), sar_port_exchange(rig, &frame), step
//   sar_port_stats(rig); sar_port_close(rig);
//
// An input is driven by one port: the first that is opened and wants it. Until its first sample
// arrives it keeps the value it has; when samples stay out for longer than the time-out it is held,
// or put to its fail-safe value, as the layout says.
#pragma once
#include "sarrus/status.h"
#include "sim/step_times.h"

#include <stdint.h>

// Limits of the protocol (docs/real-time-protocol.md): names and units with their final zero,
// values of a direction.
enum { SAR_PORT_NAME = 96, SAR_PORT_UNIT = 16, SAR_PORT_MOST = 4096 };

typedef struct SarPort SarPort;

typedef struct SarPortInput {
  const char* name;
  const char* unit;  // "N", "rad/s", ...; NULL or "": not said
  bool taken;        // by something that is no port: no port drives it
  bool fail_safe;    // on a time-out it gets the value `safe`; else it is held
  double safe;
  const SarPort* port;  // whoever drives it; NULL: nobody yet. Set by sar_port_open
} SarPortInput;

typedef struct SarPortOutput {
  const char* name;
  const char* unit;
} SarPortOutput;

// What there is to exchange: places in the arrays of a frame. Read while a port is opened, which
// copies what it needs (and sets `port` of the inputs it will drive).
typedef struct SarPortLayout {
  SarPortInput* input;
  int inputs;
  const SarPortOutput* output;
  int outputs;
  double period;      // s between two frames
  const char* model;  // its name, for whoever attaches; Nullable
} SarPortLayout;

// One frame, at its beginning: outputs are those of the state at `time`, inputs what the coming
// step will use.
typedef struct SarPortFrame {
  uint64_t sequence;  // rises by 1 from frame to frame, by more where frames are skipped
  double time;        // s, simulated
  int64_t
      clock_ns;  // of the wall (CLOCK_MONOTONIC): time-outs and latencies are measured by it alone
  const double* outputs;  // layout.outputs
  double* inputs;         // layout.inputs; a port writes those it drives and no others
} SarPortFrame;

typedef struct SarPortStats {
  uint64_t frames;  // exchanges so far
  uint64_t sent,
      unsent;  // samples of outputs that went out, and that could not (nobody there, buffer full)
  uint64_t received;               // samples of inputs, good and new
  uint64_t superseded;             // of them never used: a newer one came within the same frame
  uint64_t lost;                   // numbers missing from the sender's sequence
  uint64_t duplicated, reordered;  // seen before; older than one in use (not used, and not lost)
  uint64_t garbage;  // not of the protocol: wrong length, checksum, layout, or a value that is not
                     // finite
  uint64_t foreign;  // from another sender than the one that is connected
  uint64_t overflowed;            // dropped before the port could look at them
  uint64_t restarts;              // the other side began anew
  uint64_t timeouts, recoveries;  // samples stayed out; came again
  uint64_t frames_stale;          // frames on held or fail-safe values
  bool connected;                 // there was a sample, and no time-out since
  SarStepTimes
      age;  // s: from the outputs that an input answers to the frame that uses it (round trip)
  SarStepTimes
      turnaround;  // s: from those outputs to the other side's answer, by its clock (same machine)
} SarPortStats;

// A kind of port, a row of io/ports.def.
typedef struct SarPortKind {
  const char* name;     // "shm": after it the option of `sarrus rt` is named
  const char* address;  // what stands behind the option, "NAME[,timeout=S]..."
  const char* doc;
  SarStatus (*open)(SarPort* port, SarPortLayout* layout, const char* address, SarError* err);
  // Never waits, locks or allocates.
  void (*exchange)(SarPort* port, const SarPortFrame* frame);
  void (*close)(SarPort* port);
} SarPortKind;

const SarPortKind* sar_port_kind(int index);  // NULL behind the last
const SarPortKind* sar_port_kind_find(const char* name);

// `address` is the kind's own, and options behind it: "rig,timeout=0.01". A message says what is
// wrong.
SarStatus sar_port_open(const char* kind, const char* address, SarPortLayout* layout, SarPort** out,
                        SarError* err);
// Never waits, locks or allocates; system calls: none (shm, file), or those that send and receive
// datagrams without waiting (udp).
void sar_port_exchange(SarPort* port, const SarPortFrame* frame);
const SarPortStats* sar_port_stats(const SarPort* port);  // of the thread that exchanges
const SarPortKind* sar_port_kind_of(const SarPort* port);
const char* sar_port_address(const SarPort* port);  // as bound: "127.0.0.1:7000"
int sar_port_inputs(const SarPort* port);           // how many it drives
// What it did, in a sentence: counts that are not zero, round trips. Returns text.
const char* sar_port_words(const SarPort* port, char* text, size_t size);
void sar_port_close(SarPort* port);  // NULL is fine

// ---- recording ----------------------------------------------------------------------------------
// Rows go through a ring (single producer, single consumer) to a thread that writes FILE.csv or
// FILE.h5. The loop does not wait for it: where the ring is full the row is dropped, counted, and
// told in the file.

typedef struct SarRecorder SarRecorder;

typedef struct SarRecorderOptions {
  const char* path;
  const char* const* names;  // of the columns; the first is "time"
  int columns;
  int digits;         // of CSV; 0: 17
  const char* model;  // Nullable
  int rows;           // of the ring; 0: 4096, or fewer where rows are long (64 MB)
  double flush;  // s: what is older than this is in the file, whatever ends the process; 0: 0.1
  int priority;  // of its thread, SCHED_FIFO, where the system permits it; 0: an ordinary one
} SarRecorderOptions;

typedef struct SarRecorderStats {
  uint64_t pushed, dropped;  // rows taken, rows refused
  uint64_t written;          // rows that reached the file (that a kill does not take back)
  uint64_t most_waiting;     // rows in the ring, at the worst
  double longest_write;      // s
  bool failed;               // the file cannot be written any more; all later rows are dropped
} SarRecorderStats;

SarStatus sar_recorder_open(const SarRecorderOptions* o, SarRecorder** out, SarError* err);
// false: dropped. From one thread only; never waits, locks or allocates, makes no system call.
bool sar_recorder_push(SarRecorder* r, const double* row);
// Waits until the ring is half empty at least, so that no row is dropped: for runs that keep no
// clock.
void sar_recorder_make_room(SarRecorder* r);
SarRecorderStats sar_recorder_stats(const SarRecorder* r);
// Writes what is in the ring, and how many rows were dropped. SAR_NO_FILE: not all was written.
// NULL is fine.
SarStatus sar_recorder_close(SarRecorder* r, SarError* err);
