// A socket for datagrams that never waits. Private to io/.
#pragma once
#include "sarrus/status.h"

#include <stdint.h>
#include <sys/socket.h>

typedef struct SarUdpAddress {
  struct sockaddr_storage at;
  socklen_t size;  // 0: none
} SarUdpAddress;

// "[HOST:]PORT", with 127.0.0.1 for a host that is not named; IPv6 as "[::1]:7000".
SarStatus sar_udp_resolve(const char* text, int length, SarUdpAddress* out, SarError* err);
// Bound to an address, which is then as the system chose it (port 0: a free one); -1: *err says
// why.
int sar_udp_bind(SarUdpAddress* a, SarError* err);
void sar_udp_print(const SarUdpAddress* a, char* buf, size_t size);  // "127.0.0.1:7000"
bool sar_udp_same(const SarUdpAddress* a, const SarUdpAddress* b);

// Bytes, -1: nothing there; *whole: it fits the buffer. *overflowed: datagrams that the system had
// no room for.
long sar_udp_receive(int socket, unsigned char* to, size_t size, SarUdpAddress* from, bool* whole,
                     uint32_t* overflowed);
bool sar_udp_send(int socket, const unsigned char* data, size_t size, const SarUdpAddress* to);
