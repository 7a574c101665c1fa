// The port over UDP on the loopback: packets as documented, in both forms; what is damaged,
// foreign, late or doubled is counted and not used; the driver may die and come back.
#include "realtime/io/packet_names.h"
#include "support/ports.h"
#include "support/alloc_count.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

// A driver of the test: a socket that is connected to the port.
typedef struct Driver {
  int socket;
  uint64_t session, sequence;
  unsigned char buffer[65536];
} Driver;

static void driver_open(Driver* d, const SarPort* p) {
  int port = 0;
  assert_int_equal(sscanf(sar_port_address(p), "127.0.0.1:%d", &port), 1);
  const struct sockaddr_in to = {.sin_family = AF_INET,
                                 .sin_port = htons((uint16_t)port),
                                 .sin_addr = {htonl(INADDR_LOOPBACK)}};
  memset(d, 0, sizeof *d);
  d->socket = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
  assert_int_equal(connect(d->socket, (const struct sockaddr*)&to, sizeof to), 0);
  d->session = 77;
}

static size_t pack(Driver* d, unsigned char* to, uint64_t sequence, const double* u, int count,
                   uint32_t layout) {
  const SarPacketHead h = {.type = SAR_PACKET_INPUTS,
                           .count = (uint32_t)count,
                           .layout = layout,
                           .session = d->session,
                           .sequence = sequence,
                           .clock_ns = 5};
  for (int i = 0; i < count; i++) sar_packet_put_double(to + SAR_PACKET_HEAD + 8 * i, u[i]);
  return sar_packet_seal(to, &h);
}

static void send_bytes(Driver* d, const void* data, size_t size) {
  assert_int_equal(send(d->socket, data, size, 0), (ssize_t)size);
}

static void send_inputs(Driver* d, const double* u, int count) {
  unsigned char packet[1024];
  send_bytes(d, packet, pack(d, packet, ++d->sequence, u, count, 0));
}

static long receive(Driver* d) {
  for (int i = 0; i < 1000; i++) {
    const ssize_t n = recv(d->socket, d->buffer, sizeof d->buffer - 1, 0);
    if (n >= 0) {
      d->buffer[n] = '\0';
      return (long)n;
    }
    port_pause(1e-4);
  }
  return -1;
}

// On the loopback a datagram is there when it has been sent.
static void binary_passes_both_ways(void** state) {
  (void)state;
  Rng rng = rng_seed(test_seed(31));
  PortWorld w;
  Driver d;
  double u[5];
  port_world(&w, 5, 7);
  SarPort* p = port_opened(&w, "udp", "0");
  driver_open(&d, p);
  port_frame(&w, p);
  assert_int_equal(sar_port_stats(p)->unsent, 1);  // nobody is there yet
  for (int k = 0; k < 100; k++) {
    for (int i = 0; i < 5; i++) u[i] = rng_normal(&rng);
    for (int i = 0; i < 7; i++) w.outputs[i] = rng_normal(&rng);
    send_inputs(&d, u, 5);
    port_frame(&w, p);
    assert_memory_equal(w.inputs, u, sizeof u);
    if (k == 0) continue;  // outputs go out before inputs are looked at
    SarPacketHead h;
    const long n = receive(&d);
    assert_true(sar_packet_open(d.buffer, (size_t)n, &h));
    assert_int_equal(h.type, SAR_PACKET_OUTPUTS);
    assert_int_equal(h.sequence, w.frame.sequence);
    assert_int_equal(h.clock_ns, w.frame.clock_ns);
    for (int i = 0; i < 7; i++)
      EXPECT_NEAR(sar_packet_get_double(d.buffer + SAR_PACKET_HEAD + 8 * i), w.outputs[i], 0);
  }
  const SarPortStats* s = sar_port_stats(p);
  assert_int_equal(s->received, 100);
  assert_int_equal(s->lost + s->garbage + s->duplicated + s->reordered + s->foreign, 0);
  close(d.socket);
  sar_port_close(p);
}

static void json_passes_both_ways(void** state) {
  (void)state;
  PortWorld w;
  Driver d;
  port_world(&w, 3, 3);
  SarPort* p = port_opened(&w, "udp", "127.0.0.1:0");
  driver_open(&d, p);
  const char* first = "{\"sequence\": 1, \"inputs\": {\"u2\": -1.5e2, \"u0\": 0.25}}\n";
  send_bytes(&d, first, strlen(first));
  w.inputs[1] = 4;
  port_frame(&w, p);
  EXPECT_NEAR(w.inputs[0], 0.25, 0);
  EXPECT_NEAR(w.inputs[1], 4, 0);  // not told: as it was
  EXPECT_NEAR(w.inputs[2], -150, 0);
  w.outputs[0] = 0.1;
  w.outputs[1] = (double)NAN;
  w.outputs[2] = -1e300;
  port_frame(&w, p);
  receive(&d);
  char expected[512];
  snprintf(expected, sizeof expected,
           "\"sequence\": 2, \"clock_ns\": 1002000000, \"time\": 0.002, \"outputs\": {\"y0\": "
           "0.10000000000000001, \"y1\": null, \"y2\": -1.0000000000000001e+300}}\n");
  if (!strstr((char*)d.buffer, expected)) fail_msg("%s", (char*)d.buffer);
  // without numbers, as typed by hand
  const char* plain = "{\"inputs\":{\"u0\":7}}";
  send_bytes(&d, plain, strlen(plain));
  port_frame(&w, p);
  EXPECT_NEAR(w.inputs[0], 7, 0);
  assert_int_equal(sar_port_stats(p)->received, 2);
  close(d.socket);
  sar_port_close(p);
}

// What it exchanges it can be asked for, in pieces or at once.
static void description_is_told(void** state) {
  (void)state;
  PortWorld w;
  Driver d;
  port_world(&w, 30, 40);
  SarPort* p = port_opened(&w, "udp", "0,safe=u3:0.5");
  driver_open(&d, p);
  char text[65536];
  size_t used = 0, total = 1;
  uint32_t layout = 0;
  while (used < total) {
    unsigned char packet[128];
    const SarPacketHead ask = {.type = SAR_PACKET_DESCRIBE, .sequence = used};
    send_bytes(&d, packet, sar_packet_seal(packet, &ask));
    port_frame(&w, p);
    SarPacketHead h;
    do assert_true(sar_packet_open(d.buffer, (size_t)receive(&d), &h));
    while (h.type != SAR_PACKET_DESCRIPTION);
    assert_int_equal(h.sequence, used);
    assert_true(h.count > 0);
    memcpy(text + used, d.buffer + SAR_PACKET_HEAD, h.count);
    used += h.count;
    total = (size_t)h.echo_sequence;
    layout = h.layout;
  }
  text[used] = '\0';
  assert_int_equal(sar_rt_crc(0, text, used), layout);
  assert_non_null(strstr(text, "{\"name\": \"u3\", \"unit\": \"N\", \"safe\": 0.5}"));
  assert_non_null(strstr(text, "{\"name\": \"y39\", \"unit\": \"m\"}"));
  const char* ask = "{\"describe\": true}";
  while (recv(d.socket, d.buffer, sizeof d.buffer, 0) >= 0) {
  }
  send_bytes(&d, ask, strlen(ask));
  port_frame(&w, p);
  do receive(&d);
  while (d.buffer[0] != '{');
  assert_string_equal((char*)d.buffer, text);
  close(d.socket);
  sar_port_close(p);
}

// Texts that are no inputs, and packets with one byte changed, cut, lengthened, of another layout
// or with values that are not finite.
static void garbage_is_counted_and_not_used(void** state) {
  (void)state;
  static const char* const wrong[] = {
      "{",
      "{}",
      "{\"inputs\": 3}",
      "{\"inputs\": {\"u0\": }}",
      "{\"inputs\": {\"u0\": 1}",
      "{\"inputs\": {\"u0\": 1}} x",
      "{\"inputs\": {\"u9\": 1}}",
      "{\"inputs\": {\"u0\": 1e999}}",
      "{\"inputs\": {\"u0\": NaN}}",
      "{\"inputs\": {\"u0\": nan}}",
      "{\"inputs\": {\"u0\": \"1\"}}",
      "{\"inputs\": {\"u0\": 01}}",
      "{\"inputs\": {\"u0\": 0x10}}",
      "{\"inputs\": {\"u0\": 1,}}",
      "{\"sequence\": -1, \"inputs\": {\"u0\": 1}}",
      "{\"sequence\": 1.5, \"inputs\": {\"u0\": 1}}",
      "{\"sequence\": 99999999999999999999, \"inputs\": {\"u0\": 1}}",
      "{\"inputs\": {\"u0\" 1}}",
      "{\"other\": {\"u0\": 1}, \"inputs\": {\"u0\": 1}}",
      "{\"inputs\": {\"u0\": 1e}}",
      "{\"inputs\": {\"u\\q\": 1}}",
      "{\"inputs\": {\"u\\u00zz\": 1}}",
      "[]",
      "",
      "hello"};
  Rng rng = rng_seed(test_seed(32));
  PortWorld w;
  Driver d;
  double u[2] = {3, 4};
  port_world(&w, 2, 1);
  SarPort* p = port_opened(&w, "udp", "0");
  const SarPortStats* s = sar_port_stats(p);
  driver_open(&d, p);
  uint64_t bad = 0;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    send_bytes(&d, wrong[i], strlen(wrong[i]));
    port_frame(&w, p);
    if (s->garbage != ++bad) fail_msg("taken for good: %s", wrong[i]);
  }
  for (int k = 0; k < test_effort(500); k++) {
    unsigned char packet[200];
    size_t n = pack(&d, packet, 1, u, 2, 0);
    const int kind = rng_int(&rng, 5);
    if (kind == 0) packet[rng_int(&rng, (int)n)] ^= (unsigned char)(1 + rng_int(&rng, 255));
    if (kind == 1) n = (size_t)rng_int(&rng, (int)n);
    if (kind == 2) memset(packet + n, 0, 40), n += 1 + (size_t)rng_int(&rng, 40);
    if (kind == 3) n = pack(&d, packet, 1, u, rng_int(&rng, 2), 0);
    if (kind == 4) n = pack(&d, packet, 1, u, 2, 1 + rng_next(&rng) / 2);
    send_bytes(&d, packet, n);
    port_frame(&w, p);
    assert_int_equal(s->garbage, ++bad);
  }
  u[1] = (double)NAN;
  send_inputs(&d, u, 2);
  port_frame(&w, p);
  assert_int_equal(s->garbage, ++bad);
  assert_int_equal(s->received, 0);
  EXPECT_NEAR(w.inputs[0], 0, 0);
  // and it has not spoilt what comes after
  u[1] = 4;
  send_inputs(&d, u, 2);
  port_frame(&w, p);
  EXPECT_NEAR(w.inputs[1], 4, 0);
  close(d.socket);
  sar_port_close(p);
}

static void one_driver_at_a_time(void** state) {
  (void)state;
  PortWorld w;
  Driver a, b;
  const double one[1] = {1}, two[1] = {2};
  port_world(&w, 1, 1);
  SarPort* p = port_opened(&w, "udp", "0,timeout=0.01,safe=u0:-5");
  const SarPortStats* s = sar_port_stats(p);
  driver_open(&a, p);
  driver_open(&b, p);
  b.session = 78;
  send_inputs(&a, one, 1);
  port_frame(&w, p);
  send_inputs(&b, two, 1);
  port_frame(&w, p);
  EXPECT_NEAR(w.inputs[0], 1, 0);
  assert_int_equal(s->foreign, 1);
  // the first one dies: fail-safe, then the other may drive
  close(a.socket);
  for (int k = 0; k < 20; k++) port_frame(&w, p);
  EXPECT_NEAR(w.inputs[0], -5, 0);
  assert_int_equal(s->timeouts, 1);
  send_inputs(&b, two, 1);
  port_frame(&w, p);
  EXPECT_NEAR(w.inputs[0], 2, 0);
  assert_int_equal(s->recoveries, 1);
  assert_int_equal(s->restarts, 1);
  close(b.socket);
  sar_port_close(p);
}

static void floods_are_bounded(void** state) {
  (void)state;
  PortWorld w;
  Driver d;
  double u[1] = {0};
  port_world(&w, 1, 1);
  SarPort* p = port_opened(&w, "udp", "0");
  driver_open(&d, p);
  for (int k = 0; k < 200; k++) {
    u[0] = k;
    send_inputs(&d, u, 1);
  }
  port_frame(&w, p);
  EXPECT_NEAR(w.inputs[0], 63, 0);  // 64 of them are looked at
  port_frame(&w, p);
  port_frame(&w, p);
  port_frame(&w, p);
  EXPECT_NEAR(w.inputs[0], 199, 0);
  const SarPortStats* s = sar_port_stats(p);
  assert_int_equal(s->received, 200);
  assert_int_equal(s->superseded, 200 - 4);
  // more than the system keeps: it tells how many
  for (int k = 0; k < 20000; k++) {
    u[0] = k;
    send_inputs(&d, u, 1);
  }
  for (int k = 0; k < 400; k++) port_frame(&w, p);
  send_inputs(&d, u, 1);
  port_frame(&w, p);
  assert_int_equal(s->received + s->overflowed, 20201);
  assert_int_equal(s->lost, s->overflowed);
  close(d.socket);
  sar_port_close(p);
}

static void wrong_addresses_are_refused(void** state) {
  (void)state;
  const char* const wrong[] = {
      "",      "x",        "70000000",      "127.0.0.1:",   ":::",
      "0,to=", "0,to=abc", "0,format=yaml", "1.2.3.4:7000", "0,timeout=-1"};
  PortWorld w;
  SarPort *p, *other;
  SarError err;
  port_world(&w, 1, 1);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    sar_error_init(&err);
    if (sar_port_open("udp", wrong[i], &w.layout, &p, &err) == SAR_OK) fail_msg("%s", wrong[i]);
    assert_null(p);
    assert_int_equal(err.errors, 1);
  }
  p = port_opened(&w, "udp", "0");
  assert_true(strncmp(sar_port_address(p), "127.0.0.1:", 10) == 0);
  sar_error_init(&err);
  EXPECT_STATUS(sar_port_open("udp", sar_port_address(p), &w.layout, &other, &err), SAR_NO_FILE);
  sar_port_close(p);
}

static void exchange_allocates_nothing(void** state) {
  (void)state;
  PortWorld w;
  Driver d;
  double u[4] = {1, 2, 3, 4};
  port_world(&w, 4, 20);
  for (int i = 0; i < 20; i++) w.outputs[i] = ldexp(1.0 / 3, 100 * i - 1000);
  SarPort* p = port_opened(&w, "udp", "0");
  driver_open(&d, p);
  alloc_count_reset();
  for (int k = 0; k < 300; k++) {
    const char* json = "{\"inputs\": {\"u1\": 1.25e-3}}";
    if (k < 100)
      send_bytes(&d, json, strlen(json));
    else
      send_inputs(&d, u, 4);
    port_frame(&w, p);
  }
  assert_int_equal(alloc_count(), 0);
  assert_int_equal(sar_port_stats(p)->received, 300);
  close(d.socket);
  sar_port_close(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(binary_passes_both_ways),
      cmocka_unit_test(json_passes_both_ways),
      cmocka_unit_test(description_is_told),
      cmocka_unit_test(garbage_is_counted_and_not_used),
      cmocka_unit_test(one_driver_at_a_time),
      cmocka_unit_test(floods_are_bounded),
      cmocka_unit_test(wrong_addresses_are_refused),
      cmocka_unit_test(exchange_allocates_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
