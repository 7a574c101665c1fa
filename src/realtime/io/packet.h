// Datagrams of the protocol (docs/real-time-protocol.md): what came in, and what goes out. Nothing
// is believed of what came in; nothing is allocated. Private to io/.
#pragma once
#include "realtime/port.h"
#include "sarrus/rt_protocol.h"

enum { SAR_DATAGRAM = 65536 };       // what a buffer holds
enum { SAR_DATAGRAM_MOST = 65000 };  // what is sent at most

// Names of the port's inputs and outputs, and how they are described.
typedef struct SarPacketNames {
  int inputs, outputs;
  char (*input)[SAR_RT_NAME];
  char** output;     // as JSON keys: "\"shoulder.q\": "
  const char* text;  // the description
  size_t text_size;
  uint32_t layout;  // its CRC-32
  char* memory;     // of the texts
} SarPacketNames;

typedef enum SarPacketWhat {
  SAR_PACKET_IS_GARBAGE,
  SAR_PACKET_IS_INPUTS,
  SAR_PACKET_IS_QUESTION  // for the description from byte `sequence` on
} SarPacketWhat;

typedef struct SarPacketIn {
  SarPacketWhat what;
  bool json;
  bool numbered;  // it has a sequence number
  uint64_t session, sequence, echo_sequence;
  int64_t clock_ns, echo_clock_ns;
  double* value;  // inputs
  bool* given;    // which of them it has; of a binary packet all
} SarPacketIn;

// What came in: fills *in, whose arrays are the caller's. Values are finite.
void sar_packet_parse(const unsigned char* data, size_t size, const SarPacketNames* names,
                      SarPacketIn* in);
// packet_json.c: the same for text that begins with {.
void sar_packet_parse_json(const char* data, size_t size, const SarPacketNames* names,
                           SarPacketIn* in);

// Outputs of a frame; returns bytes, 0: they do not fit.
size_t sar_packet_outputs(unsigned char* to, const SarPacketNames* names, uint64_t session,
                          const SarPortFrame* frame, const int* place);
size_t sar_packet_outputs_json(unsigned char* to, const SarPacketNames* names, uint64_t session,
                               const SarPortFrame* frame, const int* place);
// The description from a byte on, in a packet; as JSON all of it.
size_t sar_packet_description(unsigned char* to, const SarPacketNames* names, uint64_t session,
                              uint64_t from);
size_t sar_packet_description_json(unsigned char* to, const SarPacketNames* names);
