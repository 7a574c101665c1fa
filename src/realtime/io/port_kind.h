// What kinds of ports have in common: the port itself, its address with options, and which signals
// it has. Private to io/.
#pragma once
#include "realtime/port.h"

#define SAR_PORT_TIMEOUT 0.1  // s, unless said otherwise

struct SarPort {
  const SarPortKind* kind;
  SarPortStats stats;
  char address[1024];
  int inputs, outputs;              // that it drives, that it tells
  int *input_place, *output_place;  // in the arrays of a frame
  void* own;                        // of the kind
  void* signals;                    // memory of the places
};

// ---- addresses: "HEAD,key=value,key=value" ----

typedef struct SarPortOption {
  const char* key;
  const char* value;  // into the text of the address
  int length;         // of the value; -1: not given
} SarPortOption;

// Finds the options of an address, and the length of what stands before them. Keys that are none of
// `options` are a mistake, and so is one without a value.
SarStatus sar_port_options(const char* kind, const char* address, SarPortOption* options, int count,
                           int* head, SarError* err);
// The number behind an option, larger than zero; as it was if it is not given.
SarStatus sar_port_number(const char* kind, const SarPortOption* o, double* out, SarError* err);
// Is it given, and one of two words? *second tells which.
SarStatus sar_port_word(const char* kind, const SarPortOption* o, const char* first,
                        const char* second, bool* is_second, SarError* err);
// Does the list "a+b*+c" of an option name it? A list that is not given names all.
bool sar_port_listed(const SarPortOption* o, const char* name);

// ---- signals ----

// Takes the inputs that nobody drives and that the option lists, and the outputs that the other
// lists. A name of a list that fits nothing is a mistake.
SarStatus sar_port_take(SarPort* p, SarPortLayout* l, const SarPortOption* inputs,
                        const SarPortOption* outputs, SarError* err);
