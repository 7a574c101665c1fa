// Sockets (udp_socket.h).
#define _GNU_SOURCE  // SO_RXQ_OVFL
#include "realtime/io/udp_socket.h"

#include "base/error.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST_HOST = 256, LONGEST_PORT = 16, BUFFER = 1 << 20 };

static SarStatus wrong(const char* text, int length, const char* why, SarError* err) {
  sar_report(err, (SarLoc){0}, "PORT, HOST:PORT or [IPV6]:PORT", "--udp: '%.*s': %s", length, text,
             why);
  return SAR_BAD_ARGUMENT;
}

SarStatus sar_udp_resolve(const char* text, int length, SarUdpAddress* out, SarError* err) {
  char host[LONGEST_HOST] = "127.0.0.1", port[LONGEST_PORT];
  int colon = length - 1;
  while (colon >= 0 && text[colon] != ':') colon--;
  const int digits = length - colon - 1;
  if (digits <= 0 || digits >= LONGEST_PORT || colon >= LONGEST_HOST)
    return wrong(text, length, "expected a port", err);
  snprintf(port, sizeof port, "%.*s", digits, text + colon + 1);
  if ((int)strspn(port, "0123456789") != digits || atol(port) > 65535)
    return wrong(text, length, "expected a port up to 65535", err);
  const bool brackets = colon >= 2 && text[0] == '[' && text[colon - 1] == ']';
  if (colon > 0) snprintf(host, sizeof host, "%.*s", colon - 2 * brackets, text + brackets);
  const struct addrinfo wanted = {.ai_socktype = SOCK_DGRAM, .ai_flags = AI_NUMERICSERV};
  struct addrinfo* found = NULL;
  const int failed = getaddrinfo(host, port, &wanted, &found);
  if (failed) return wrong(text, length, gai_strerror(failed), err);
  *out = (SarUdpAddress){.size = found->ai_addrlen};
  memcpy(&out->at, found->ai_addr, found->ai_addrlen);
  freeaddrinfo(found);
  return SAR_OK;
}

void sar_udp_print(const SarUdpAddress* a, char* buf, size_t size) {
  char host[LONGEST_HOST] = "?", port[LONGEST_PORT] = "?";
  getnameinfo((const struct sockaddr*)&a->at, a->size, host, sizeof host, port, sizeof port,
              NI_NUMERICHOST | NI_NUMERICSERV | NI_DGRAM);
  snprintf(buf, size, strchr(host, ':') ? "[%s]:%s" : "%s:%s", host, port);
}

bool sar_udp_same(const SarUdpAddress* a, const SarUdpAddress* b) {
  if (a->at.ss_family != b->at.ss_family) return false;
  if (a->at.ss_family == AF_INET) {
    const struct sockaddr_in *x = (const void*)&a->at, *y = (const void*)&b->at;
    return x->sin_port == y->sin_port && x->sin_addr.s_addr == y->sin_addr.s_addr;
  }
  const struct sockaddr_in6 *x = (const void*)&a->at, *y = (const void*)&b->at;
  return x->sin6_port == y->sin6_port &&
         memcmp(&x->sin6_addr, &y->sin6_addr, sizeof x->sin6_addr) == 0;
}

int sar_udp_bind(SarUdpAddress* a, SarError* err) {
  char text[LONGEST_HOST + LONGEST_PORT];
  const int on = 1, room = BUFFER;
  const int s = socket(a->at.ss_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (s >= 0 && bind(s, (const struct sockaddr*)&a->at, a->size) == 0) {
    setsockopt(s, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
    setsockopt(s, SOL_SOCKET, SO_RXQ_OVFL, &on, sizeof on);
    a->size = sizeof a->at;
    getsockname(s, (struct sockaddr*)&a->at, &a->size);
    return s;
  }
  sar_udp_print(a, text, sizeof text);
  sar_report(err, (SarLoc){0}, errno == EADDRINUSE ? "choose another port" : "", "--udp: %s: %s",
             text, strerror(errno));
  if (s >= 0) close(s);
  return -1;
}

static uint32_t overflow_of(struct msghdr* m, uint32_t before) {
  for (struct cmsghdr* c = CMSG_FIRSTHDR(m); c; c = CMSG_NXTHDR(m, c))
    if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SO_RXQ_OVFL)
      memcpy(&before, CMSG_DATA(c), sizeof before);
  return before;
}

long sar_udp_receive(int socket, unsigned char* to, size_t size, SarUdpAddress* from, bool* whole,
                     uint32_t* overflowed) {
  union {
    struct cmsghdr align;
    char bytes[CMSG_SPACE(sizeof(uint32_t)) + 64];
  } control;
  struct iovec piece = {to, size};
  struct msghdr m = {.msg_name = &from->at,
                     .msg_namelen = sizeof from->at,
                     .msg_iov = &piece,
                     .msg_iovlen = 1,
                     .msg_control = control.bytes,
                     .msg_controllen = sizeof control.bytes};
  const ssize_t n = recvmsg(socket, &m, MSG_DONTWAIT);
  if (n < 0) return -1;
  from->size = m.msg_namelen;
  *whole = !(m.msg_flags & MSG_TRUNC);
  *overflowed = overflow_of(&m, *overflowed);
  return (long)n;
}

bool sar_udp_send(int socket, const unsigned char* data, size_t size, const SarUdpAddress* to) {
  return sendto(socket, data, size, MSG_DONTWAIT | MSG_NOSIGNAL, (const struct sockaddr*)&to->at,
                to->size) == (ssize_t)size;
}
