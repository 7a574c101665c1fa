// Port over UDP: outputs go to the driver once a frame, inputs come whenever it sends them. The
// driver is whoever first sends a packet of the protocol, and stays it until it has been silent for
// the time-out; it is answered in the form in which it speaks, binary or JSON.
#include "realtime/io/packet_names.h"
#include "realtime/io/sequence.h"
#include "realtime/io/udp_socket.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"

#include <string.h>
#include <unistd.h>

enum { MOST_PACKETS = 64 };  // looked at in one frame: more are a flood, and wait for the next

typedef struct Udp {
  int socket;
  SarUdpAddress here, driver;
  bool fixed;     // the driver's address was given
  bool json;      // how it speaks
  bool answered;  // a question in this frame
  int64_t heard;  // when it spoke last [ns]
  int64_t timeout;
  uint64_t session;
  uint32_t overflowed;
  SarSequence sequence;
  SarArrivals arrivals;
  SarPacketNames names;
  SarPacketIn in;
  unsigned char* buffer;  // SAR_DATAGRAM
} Udp;

// ---- out ----

static void tell(SarPort* p, Udp* u, const SarPortFrame* f) {
  const size_t n =
      !u->driver.size ? 0
      : u->json ? sar_packet_outputs_json(u->buffer, &u->names, u->session, f, p->output_place)
                : sar_packet_outputs(u->buffer, &u->names, u->session, f, p->output_place);
  if (n && sar_udp_send(u->socket, u->buffer, n, &u->driver))
    p->stats.sent++;
  else
    p->stats.unsent++;
}

// Whoever asks is told what there is, once a frame.
static void answer(Udp* u, const SarUdpAddress* to) {
  if (u->answered) return;
  u->answered = true;
  const size_t n = u->in.json
                       ? sar_packet_description_json(u->buffer, &u->names)
                       : sar_packet_description(u->buffer, &u->names, u->session, u->in.sequence);
  if (n) (void)sar_udp_send(u->socket, u->buffer, n, to);
}

// ---- in ----

static bool is_driver(Udp* u, const SarUdpAddress* from, const SarPortFrame* f) {
  if (u->driver.size && sar_udp_same(from, &u->driver)) return true;
  if (u->fixed) return false;
  if (u->driver.size && f->clock_ns - u->heard <= u->timeout) return false;
  u->driver = *from;
  return true;
}

static bool use_inputs(SarPort* p, Udp* u, const SarPortFrame* f) {
  // without a number it is as good as the next one
  const uint64_t number = u->in.numbered ? u->in.sequence : u->sequence.newest + 1;
  if (!sar_sequence_note(&u->sequence, u->in.session, number, &p->stats)) return false;
  for (int i = 0; i < p->inputs; i++)
    if (u->in.given[i]) sar_arrivals_set(&u->arrivals, i, u->in.value[i], f->clock_ns);
  if (u->in.echo_clock_ns)
    sar_arrivals_answer(&u->arrivals, &p->stats, f, u->in.echo_sequence, u->in.echo_clock_ns,
                        u->in.clock_ns);
  return true;
}

// True: new inputs are in force.
static bool take(SarPort* p, Udp* u, const SarPortFrame* f, const SarUdpAddress* from) {
  if (u->in.what == SAR_PACKET_IS_GARBAGE) {
    p->stats.garbage++;
    return false;
  }
  const bool known = is_driver(u, from, f);
  if (known) {
    u->heard = f->clock_ns;
    u->json = u->in.json;
  }
  if (u->in.what == SAR_PACKET_IS_QUESTION) {
    answer(u, from);
    return false;
  }
  if (!known) p->stats.foreign++;
  return known && use_inputs(p, u, f);
}

static void listen_to(SarPort* p, Udp* u, const SarPortFrame* f) {
  int used = 0;
  u->answered = false;
  for (int i = 0; i < MOST_PACKETS; i++) {
    SarUdpAddress from;
    bool whole;
    const uint32_t before = u->overflowed;
    const long n =
        sar_udp_receive(u->socket, u->buffer, SAR_DATAGRAM, &from, &whole, &u->overflowed);
    if (n < 0) break;
    p->stats.overflowed += u->overflowed - before;
    sar_packet_parse(u->buffer, whole ? (size_t)n : 0, &u->names, &u->in);
    used += take(p, u, f, &from);
  }
  if (used > 1) p->stats.superseded += (uint64_t)used - 1;
}

static void exchange(SarPort* p, const SarPortFrame* f) {
  Udp* u = p->own;
  tell(p, u, f);
  listen_to(p, u, f);
  sar_arrivals_apply(&u->arrivals, p, f);
}

// ---- life ----

static void close_port(SarPort* p) {
  Udp* u = p->own;
  if (u->socket >= 0) close(u->socket);
  sar_arrivals_free(&u->arrivals);
  sar_packet_names_free(&u->names);
  sar_free(u->in.value);
  sar_free(u->in.given);
  sar_free(u->buffer);
  sar_free(u);
}

static SarStatus set_up(SarPort* p, const SarPortLayout* l, double timeout,
                        const SarPortOption* safe, SarError* err) {
  Udp* u = p->own;
  u->timeout = (int64_t)(1e9 * timeout);
  u->buffer = sar_alloc(SAR_DATAGRAM);
  u->in.value = sar_alloc(sizeof *u->in.value * (size_t)(p->inputs + 1));
  u->in.given = sar_alloc(sizeof *u->in.given * (size_t)(p->inputs + 1));
  if (!u->buffer || !u->in.value || !u->in.given) return SAR_NO_MEMORY;
  SAR_TRY(sar_arrivals_init(&u->arrivals, p, l, timeout, safe, err));
  SAR_TRY(sar_packet_names_init(&u->names, p, l, &u->arrivals));
  u->socket = sar_udp_bind(&u->here, err);
  if (u->socket < 0) return SAR_NO_FILE;
  u->session = (uint64_t)(1e9 * sar_clock_wall()) ^ (uint64_t)getpid() << 40;
  sar_udp_print(&u->here, p->address, sizeof p->address);
  return SAR_OK;
}

static SarStatus open_port(SarPort* p, SarPortLayout* l, const char* address, SarError* err) {
  enum { TIMEOUT, SAFE, INPUTS, OUTPUTS, TO, FORMAT, COUNT };
  SarPortOption o[COUNT] = {{.key = "timeout"}, {.key = "safe"}, {.key = "inputs"},
                            {.key = "outputs"}, {.key = "to"},   {.key = "format"}};
  int head;
  double timeout = SAR_PORT_TIMEOUT;
  SAR_TRY(sar_port_options("udp", address, o, COUNT, &head, err));
  SAR_TRY(sar_port_number("udp", &o[TIMEOUT], &timeout, err));
  SAR_TRY(sar_port_take(p, l, &o[INPUTS], &o[OUTPUTS], err));
  Udp* u = p->own = sar_alloc(sizeof(Udp));
  if (!u) return SAR_NO_MEMORY;
  u->socket = -1;
  SAR_TRY(sar_port_word("udp", &o[FORMAT], "binary", "json", &u->json, err));
  SAR_TRY(sar_udp_resolve(address, head, &u->here, err));
  u->fixed = o[TO].length >= 0;
  if (u->fixed) SAR_TRY(sar_udp_resolve(o[TO].value, o[TO].length, &u->driver, err));
  return set_up(p, l, timeout, &o[SAFE], err);
}

const SarPortKind sar_port_udp = {
    .name = "udp",
    .address =
        "[HOST:]PORT[,timeout=S][,safe=INPUT:VALUE+...][,inputs=A+B*][,outputs=A+B*]"
        "[,to=HOST:PORT][,format=binary|json]",
    .doc = "datagrams, binary or JSON, on 127.0.0.1 unless a host is named",
    .open = open_port,
    .exchange = exchange,
    .close = close_port};
