// libFuzzer target: any bytes as a datagram to a real-time port. The first byte chooses what is
// sealed with the right checksum, so that what lies behind it is reached too. Checks: no crash,
// values that are used are finite, what is garbage gives nothing, and what is good is good again
// when it is written anew.
#include "realtime/io/packet.h"
#include "realtime/io/sequence.h"

#include <math.h>
#include <stdlib.h>

enum { INPUTS = 3 };

static void require(bool condition) {
  if (!condition) __builtin_trap();
}

static char names[INPUTS][SAR_RT_NAME] = {"torque", "shoulder.q \"x\"", "\xcf\x89"};
static const SarPacketNames all = {.inputs = INPUTS, .input = names, .layout = 0x12345678};

// The same inputs as a binary packet come back as they are.
static void require_again(const SarPacketIn* in) {
  unsigned char packet[256];
  double value[INPUTS];
  bool given[INPUTS];
  SarPacketIn again = {.value = value, .given = given};
  const SarPacketHead h = {.type = SAR_PACKET_INPUTS,
                           .count = INPUTS,
                           .session = in->session,
                           .sequence = in->sequence,
                           .clock_ns = in->clock_ns,
                           .echo_sequence = in->echo_sequence,
                           .echo_clock_ns = in->echo_clock_ns};
  for (int i = 0; i < INPUTS; i++)
    sar_packet_put_double(packet + SAR_PACKET_HEAD + 8 * i, in->given[i] ? in->value[i] : 0);
  sar_packet_parse(packet, sar_packet_seal(packet, &h), &all, &again);
  require(again.what == SAR_PACKET_IS_INPUTS && again.sequence == in->sequence &&
          again.session == in->session && again.echo_clock_ns == in->echo_clock_ns);
  for (int i = 0; i < INPUTS; i++) require(!in->given[i] || value[i] == in->value[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  double value[INPUTS];
  bool given[INPUTS];
  SarPacketIn in = {.value = value, .given = given};
  if (size == 0) return 0;
  // memory of exactly this size: who reads behind it is seen
  size--;
  uint8_t* copy = malloc(size ? size : 1);
  const bool seal = data[0] & 1 && size >= SAR_PACKET_TAIL;
  memcpy(copy, data + 1, size);
  if (seal)
    sar_packet_put32(copy + size - SAR_PACKET_TAIL, sar_rt_crc(0, copy, size - SAR_PACKET_TAIL));
  sar_packet_parse(copy, size, &all, &in);
  for (int i = 0; i < INPUTS && in.what == SAR_PACKET_IS_INPUTS; i++)
    require(!given[i] || isfinite(value[i]));
  if (in.what == SAR_PACKET_IS_INPUTS) require_again(&in);
  SarSequence q = {.begun = true, .newest = 5, .first = 5, .seen = 1};
  SarPortStats s = {0};
  const bool used = sar_sequence_note(&q, in.session, in.sequence, &s);
  require(s.received == (uint64_t)used && s.lost < (uint64_t)1 << 32);
  free(copy);
  return 0;
}
