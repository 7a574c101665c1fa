// Fake hardware: a PD controller in a process of its own, over UDP with binary packets.
//   cc -O2 -I ../../include -o pd_udp pd_udp.c
//   sarrus rt arm.yaml --rate 1000 --udp 7000 &
//   ./pd_udp 7000 0.5
// With a third argument it ends after so many seconds, else when nothing has come for two.
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include <sarrus/rt_protocol.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const double stiffness = 120, damping = 14;  // N m/rad, N m s/rad

static int64_t clock_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int connect_to(int port) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const struct timeval patience = {0, 50000};
  const int s = socket(AF_INET, SOCK_DGRAM, 0);
  setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  return connect(s, (struct sockaddr*)&to, sizeof to) == 0 ? s : -1;
}

// Asks for the description until it has all of it: JSON, in pieces of up to 1024 bytes.
static size_t describe(int s, char* text, size_t room) {
  unsigned char packet[2048];
  size_t used = 0, total = room;
  const struct timespec pause = {0, 50000000};
  for (int tries = 0; tries < 400 && used < total; tries++) {
    const SarPacketHead ask = {.type = SAR_PACKET_DESCRIBE, .sequence = used};
    if (send(s, packet, sar_packet_seal(packet, &ask), 0) < 0)
      nanosleep(&pause, NULL);  // nobody there yet
    SarPacketHead h;
    const ssize_t n = recv(s, packet, sizeof packet, 0);
    if (n < 0 || !sar_packet_open(packet, (size_t)n, &h) || h.type != SAR_PACKET_DESCRIPTION ||
        h.sequence != used || used + h.count >= room)
      continue;
    memcpy(text + used, packet + SAR_PACKET_HEAD, h.count);
    used += h.count;
    total = (size_t)h.echo_sequence;
  }
  text[used] = '\0';
  return used;
}

// The place of a name in the list "inputs" or "outputs" of the description: how many names stand
// before it.
static int place_of(const char* text, const char* list, const char* name) {
  char quoted[128];
  const char* from = strstr(text, list);
  snprintf(quoted, sizeof quoted, "{\"name\": \"%s\"", name);
  const char *to = from ? strstr(from, quoted) : NULL, *end = from ? strchr(from, ']') : NULL;
  int place = 0;
  if (!to || to > end) return -1;
  for (; (from = strstr(from, "{\"name\"")) && from < to; from++) place++;
  return place;
}

typedef struct Rig {
  int socket, angle, speed, torque, inputs;
  uint32_t layout;
  uint64_t session, sent;
} Rig;

static void answer(Rig* r, const SarPacketHead* h, const unsigned char* values, double target) {
  unsigned char packet[SAR_PACKET_HEAD + 8 * 64 + SAR_PACKET_TAIL];
  const double q = sar_packet_get_double(values + 8 * r->angle);
  const double v = sar_packet_get_double(values + 8 * r->speed);
  for (int i = 0; i < r->inputs; i++) sar_packet_put_double(packet + SAR_PACKET_HEAD + 8 * i, 0);
  sar_packet_put_double(packet + SAR_PACKET_HEAD + 8 * r->torque,
                        stiffness * (target - q) - damping * v);
  const SarPacketHead out = {.type = SAR_PACKET_INPUTS,
                             .count = (uint32_t)r->inputs,
                             .layout = r->layout,
                             .session = r->session,
                             .sequence = ++r->sent,
                             .time = h->time,
                             .clock_ns = clock_ns(),
                             .echo_sequence = h->sequence,
                             .echo_clock_ns = h->clock_ns};
  (void)!send(r->socket, packet, sar_packet_seal(packet, &out), 0);
}

static int find_signals(Rig* r) {
  static char text[1 << 20];
  const size_t size = describe(r->socket, text, sizeof text);
  r->layout = sar_rt_crc(0, text, size);
  r->angle = place_of(text, "\"outputs\"", "shoulder.q");
  r->speed = place_of(text, "\"outputs\"", "shoulder.v");
  r->torque = place_of(text, "\"inputs\"", "torque");
  const char* outputs = strstr(text, "\"outputs\"");
  for (const char* c = text; outputs && (c = strstr(c, "{\"name\"")) && c < outputs; c++)
    r->inputs++;
  return r->angle >= 0 && r->speed >= 0 && r->torque >= 0 && r->inputs <= 64;
}

int main(int count, char** arg) {
  const int port = count > 1 ? atoi(arg[1]) : 7000;
  const double target = count > 2 ? atof(arg[2]) : 0.5, seconds = count > 3 ? atof(arg[3]) : 1e9;
  const int64_t until = clock_ns() + (int64_t)(1e9 * seconds);
  static unsigned char packet[65536];
  Rig r = {.socket = connect_to(port), .session = (uint64_t)clock_ns()};
  if (r.socket < 0 || !find_signals(&r)) {
    fprintf(stderr, "pd_udp: nobody at port %d, or without shoulder.q, shoulder.v and torque\n",
            port);
    return 2;
  }
  int64_t heard = clock_ns();
  while (clock_ns() < until && clock_ns() - heard < 2000000000) {
    SarPacketHead h;
    const ssize_t n = recv(r.socket, packet, sizeof packet, 0);
    if (n < 0 || !sar_packet_open(packet, (size_t)n, &h) || h.type != SAR_PACKET_OUTPUTS) continue;
    heard = clock_ns();
    answer(&r, &h, packet + SAR_PACKET_HEAD, target);
  }
  printf("%llu answers\n", (unsigned long long)r.sent);
  return 0;
}
