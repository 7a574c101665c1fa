// Binary datagrams (packet.h).
#include "realtime/io/packet.h"

#include <math.h>

static bool take_values(const unsigned char* from, const SarPacketNames* names, SarPacketIn* in) {
  for (int i = 0; i < names->inputs; i++) {
    in->value[i] = sar_packet_get_double(from + 8 * (size_t)i);
    in->given[i] = true;
    if (!isfinite(in->value[i])) return false;
  }
  return true;
}

static void parse_binary(const unsigned char* data, size_t size, const SarPacketNames* names,
                         SarPacketIn* in) {
  SarPacketHead h;
  if (!sar_packet_open(data, size, &h) || (h.layout && h.layout != names->layout)) return;
  in->numbered = true;
  in->session = h.session;
  in->sequence = h.sequence;
  in->echo_sequence = h.echo_sequence;
  in->clock_ns = h.clock_ns;
  in->echo_clock_ns = h.echo_clock_ns;
  if (h.type == SAR_PACKET_DESCRIBE && h.count == 0) in->what = SAR_PACKET_IS_QUESTION;
  if (h.type == SAR_PACKET_INPUTS && h.count == (uint32_t)names->inputs &&
      take_values(data + SAR_PACKET_HEAD, names, in))
    in->what = SAR_PACKET_IS_INPUTS;
}

void sar_packet_parse(const unsigned char* data, size_t size, const SarPacketNames* names,
                      SarPacketIn* in) {
  *in = (SarPacketIn){.value = in->value, .given = in->given};
  for (int i = 0; i < names->inputs; i++) in->given[i] = false;
  if (size > 0 && data[0] == '{')
    sar_packet_parse_json((const char*)data, size, names, in);
  else
    parse_binary(data, size, names, in);
}

size_t sar_packet_outputs(unsigned char* to, const SarPacketNames* names, uint64_t session,
                          const SarPortFrame* frame, const int* place) {
  const SarPacketHead h = {.type = SAR_PACKET_OUTPUTS,
                           .count = (uint32_t)names->outputs,
                           .layout = names->layout,
                           .session = session,
                           .sequence = frame->sequence,
                           .time = frame->time,
                           .clock_ns = frame->clock_ns};
  for (int i = 0; i < names->outputs; i++)
    sar_packet_put_double(to + SAR_PACKET_HEAD + 8 * (size_t)i, frame->outputs[place[i]]);
  return sar_packet_seal(to, &h);
}

size_t sar_packet_description(unsigned char* to, const SarPacketNames* names, uint64_t session,
                              uint64_t from) {
  const size_t at = from < names->text_size ? (size_t)from : names->text_size;
  const size_t rest = names->text_size - at;
  const SarPacketHead h = {.type = SAR_PACKET_DESCRIPTION,
                           .count = (uint32_t)(rest < SAR_PACKET_TEXT ? rest : SAR_PACKET_TEXT),
                           .layout = names->layout,
                           .session = session,
                           .sequence = at,
                           .echo_sequence = names->text_size};
  memcpy(to + SAR_PACKET_HEAD, names->text + at, h.count);
  return sar_packet_seal(to, &h);
}
