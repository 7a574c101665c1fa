// What the parts of coupled simulators share (include/sarrus/couple.h says what they are).
//
// Every simulator has a ring of four messages: what it put out at exchange k lies in slot k mod 4,
// and `published` is the newest. All publish k + 1 before any publishes k + 2, so a message is not
// overwritten while somebody may read it.
#pragma once
#include "io/yaml_couple.h"
#include "realtime/realtime.h"
#include "sarrus/couple.h"

enum { SAR_COUPLE_SLOTS = 4, SAR_COUPLE_MOST = 64 };

typedef struct SarCoupleInput {
  int input;         // of the simulator that has it
  int from, column;  // simulator, output
  double gain;
  bool linear;
  double now, before;  // at the present exchange and at the one before it
  const char *to_name, *from_name;
} SarCoupleInput;

typedef struct SarMember {
  SarCouple* c;
  const char* name;
  SarModel* m;
  SarRealtime* rt;
  int outputs;  // column `outputs` of a message is the time
  int frames;   // of its own in one of the exchange
  int core;
  SarCoupleInput* input;
  int inputs;
  SarRtPort* port;  // of its own
  bool* whole;      // ... that know inputs as NAME.INPUT
  int ports;
  double* slot[SAR_COUPLE_SLOTS];  // outputs
  bool alone;                      // it ended because another one did
  _Atomic long long published;     // exchange; -1: none
  _Atomic int left;                // its loop has ended
  // Whoever operates it, before each of its frames and in its own thread; Nullable.
  void (*operate)(void* hand, struct SarMember* me, long long number);
  void* hand;
} SarMember;

typedef struct SarCoupleWork {
  int member, column;
} SarCoupleWork;

struct SarCouple {
  SarCoupleSpec spec;
  SarMember* member;
  int members;
  SarCoupleWork* work;
  int works;
  double rate, end;
  SarBeat beat;
  char trouble[500];
  bool opened, begun;
};

// couple_names.c: inputs, outputs and columns of work by their names, into the members.
SarStatus sar_couple_resolve(SarCouple* c, SarError* err);
// couple_ports.c: ports into the members.
SarStatus sar_couple_take_ports(SarCouple* c, const SarCouplePort* ports, int count, SarError* err);
// change.c: another model, like its own: before sar_couple_open, or by `operate`. Takes it where
// that succeeds; otherwise all stays as it was.
SarStatus sar_couple_change(SarMember* me, SarModel* m, SarError* err);
// couple_exchange.c: hooks of a member's loop; the context is the member.
SarStatus sar_couple_exchange(void* member, const SarRtFrame* frame);
void sar_couple_made(void* member, long long number, const double* outputs);
void sar_couple_on_loop(void* member, bool begins);
