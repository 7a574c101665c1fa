// A small client of HTTP and WebSocket on loopback, of plain sockets, which can also behave badly.
#pragma once
#include "support/test.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

typedef struct WebAddress {
  int port;
  char token[64];
} WebAddress;

// Of http://127.0.0.1:PORT/?token=TOKEN
static inline WebAddress web_address(const char* url) {
  WebAddress a = {0};
  assert_int_equal(sscanf(url, "http://127.0.0.1:%d/?token=%63s", &a.port, a.token), 2);
  return a;
}

// -1: refused.
static inline int web_connect(int port, double patience) {
  const struct sockaddr_in to = {.sin_family = AF_INET,
                                 .sin_port = htons((uint16_t)port),
                                 .sin_addr = {htonl(INADDR_LOOPBACK)}};
  const struct timeval wait = {.tv_sec = (long)patience,
                               .tv_usec = (long)(1e6 * (patience - (double)(long)patience))};
  const int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (s < 0) return -1;
  setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
  setsockopt(s, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof wait);
  if (connect(s, (const struct sockaddr*)&to, sizeof to) == 0) return s;
  close(s);
  return -1;
}

static inline bool web_send(int s, const void* data, size_t size) {
  const char* p = data;
  while (size > 0) {
    const ssize_t n = send(s, p, size, MSG_NOSIGNAL);
    if (n <= 0) return false;
    p += n, size -= (size_t)n;
  }
  return true;
}

static inline bool web_receive(int s, void* data, size_t size) {
  char* p = data;
  while (size > 0) {
    const ssize_t n = recv(s, p, size, 0);
    if (n <= 0) return false;
    p += n, size -= (size_t)n;
  }
  return true;
}

// Everything until the other side closes; for free. NULL: no connection.
static inline char* web_exchange(int port, const char* request, size_t* size) {
  size_t used = 0, room = 65536;
  char* text = malloc(room);
  const int s = web_connect(port, 20);
  if (s < 0 || !web_send(s, request, strlen(request))) {
    free(text);
    if (s >= 0) close(s);
    return NULL;
  }
  for (ssize_t n; (n = recv(s, text + used, room - used - 1, 0)) > 0;) {
    used += (size_t)n;
    if (room - used < 4096) text = realloc(text, room *= 2);
  }
  close(s);
  text[used] = '\0';
  if (size) *size = used;
  return text;
}

// Status of a request; 0: no answer. headers: whole lines; NULL: a right Host.
static inline int web_status(int port, const char* path, const char* headers) {
  char request[2048], host[64];
  snprintf(host, sizeof host, "Host: 127.0.0.1:%d\r\n", port);
  snprintf(request, sizeof request, "GET %s HTTP/1.1\r\n%s\r\n", path, headers ? headers : host);
  char* answer = web_exchange(port, request, NULL);
  int status = 0;
  if (answer) sscanf(answer, "HTTP/1.1 %d", &status);
  free(answer);
  return status;
}

// The body of an answer with status 200; for free.
static inline char* web_body(const WebAddress* a, const char* path, size_t* size) {
  char request[512];
  size_t n;
  snprintf(request, sizeof request, "GET %s%ctoken=%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", path,
           strchr(path, '?') ? '&' : '?', a->token, a->port);
  char* answer = web_exchange(a->port, request, &n);
  assert_non_null(answer);
  assert_true(strncmp(answer, "HTTP/1.1 200", 12) == 0);
  char* body = strstr(answer, "\r\n\r\n");
  assert_non_null(body);
  body += 4;
  *size = n - (size_t)(body - answer);
  memmove(answer, body, *size + 1);
  return answer;
}

// ---- WebSocket ----------------------------------------------------------------------------------

// Status of the handshake in *status, 101: the socket is returned.
static inline int web_upgrade(const WebAddress* a, const char* token, const char* more,
                              int* status) {
  char request[1024], answer[2048];
  size_t n = 0;
  const int s = web_connect(a->port, 20);
  *status = 0;
  if (s < 0) return -1;
  snprintf(request, sizeof request,
           "GET /live?token=%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: "
           "Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: "
           "13\r\n%s\r\n",
           token, a->port, more);
  if (web_send(s, request, strlen(request)))
    while (n + 1 < sizeof answer && recv(s, answer + n, 1, 0) == 1) {
      answer[++n] = '\0';
      if (n > 4 && strcmp(answer + n - 4, "\r\n\r\n") == 0) break;
    }
  if (n > 0) sscanf(answer, "HTTP/1.1 %d", status);
  if (*status == 101) return s;
  close(s);
  return -1;
}

static inline bool web_write(int s, int opcode, const void* data, size_t size) {
  unsigned char head[14] = {(unsigned char)(0x80 | opcode)};
  const unsigned char mask[4] = {1, 2, 3, 4};
  size_t n = 2;
  if (size < 126) {
    head[1] = (unsigned char)(0x80 | size);
  } else {
    head[1] = 0x80 | 126;
    head[2] = (unsigned char)(size >> 8), head[3] = (unsigned char)size;
    n = 4;
  }
  memcpy(head + n, mask, 4);
  unsigned char* masked = malloc(size + 1);
  for (size_t i = 0; i < size; i++) masked[i] = ((const unsigned char*)data)[i] ^ mask[i % 4];
  const bool done = web_send(s, head, n + 4) && web_send(s, masked, size);
  free(masked);
  return done;
}

static inline bool web_say(int s, const char* text) { return web_write(s, 1, text, strlen(text)); }

// The next message, for free, with a 0 behind; NULL: closed, or nothing came.
static inline unsigned char* web_read(int s, int* opcode, size_t* size) {
  unsigned char head[2], more[8] = {0};
  if (!web_receive(s, head, 2)) return NULL;
  *opcode = head[0] & 15;
  *size = head[1] & 127;
  const int wide = *size == 126 ? 2 : *size == 127 ? 8 : 0;
  if (wide && !web_receive(s, more, (size_t)wide)) return NULL;
  if (wide) *size = 0;
  for (int i = 0; i < wide; i++) *size = *size << 8 | more[i];
  assert_true(*size < (size_t)1 << 28);
  unsigned char* data = malloc(*size + 1);
  if (!web_receive(s, data, *size)) {
    free(data);
    return NULL;
  }
  data[*size] = '\0';
  return data;
}
