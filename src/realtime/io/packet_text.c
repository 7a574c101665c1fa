// Outputs as one line of JSON, and the description of a port (packet.h).
#include "realtime/io/packet.h"

#include "base/print.h"

#include <math.h>

typedef struct Line {
  char* to;
  size_t used;
} Line;

static void add_bytes(Line* l, const char* text, size_t n) {
  if (l->used + n <= SAR_DATAGRAM_MOST) memcpy(l->to + l->used, text, n);
  l->used += n;
}

static void add_number(Line* l, double x) {
  char text[32];
  const int n = isfinite(x) ? sar_snprintf(text, sizeof text, "%.17g", x)
                            : sar_snprintf(text, sizeof text, "null");
  add_bytes(l, text, (size_t)n);
}

static void add_integer(Line* l, const char* key, uint64_t x) {
  char text[64];
  const int n = sar_snprintf(text, sizeof text, "\"%s\": %llu, ", key, (unsigned long long)x);
  add_bytes(l, text, (size_t)n);
}

size_t sar_packet_outputs_json(unsigned char* to, const SarPacketNames* names, uint64_t session,
                               const SarPortFrame* frame, const int* place) {
  Line l = {(char*)to, 0};
  add_bytes(&l, "{", 1);
  add_integer(&l, "session", session >> 1);  // as inputs have it: below 2^63
  add_integer(&l, "sequence", frame->sequence);
  add_integer(&l, "clock_ns", (uint64_t)frame->clock_ns);
  add_bytes(&l, "\"time\": ", 8);
  add_number(&l, frame->time);
  add_bytes(&l, ", \"outputs\": {", 14);
  for (int i = 0; i < names->outputs; i++) {
    if (i) add_bytes(&l, ", ", 2);
    add_bytes(&l, names->output[i], strlen(names->output[i]));
    add_number(&l, frame->outputs[place[i]]);
  }
  add_bytes(&l, "}}\n", 3);
  return l.used <= SAR_DATAGRAM_MOST ? l.used : 0;
}

size_t sar_packet_description_json(unsigned char* to, const SarPacketNames* names) {
  Line l = {(char*)to, 0};
  add_bytes(&l, names->text, names->text_size);
  return l.used <= SAR_DATAGRAM_MOST ? l.used : 0;
}
