// What the files of the server share: server.c (life, what all are told), server_http.c (pages),
// server_client.c (viewers).
#pragma once
#include "base/memory_file.h"
#include "view/security.h"
#include "view/server.h"

#include <civetweb.h>
#include <pthread.h>

enum { SERVER_TEXTS = 256, SERVER_LOG = 200 };

// A viewer at the WebSocket. Slots are taken and left under the hub's lock.
typedef struct ServerClient {
  SarServer* server;
  struct mg_connection* conn;
  pthread_t writer;
  bool used, writing, closing, readonly;
  SarBucket rate;
  unsigned char* frame;  // its copy of the newest
  unsigned long frame_seen, text_seen;
} ServerClient;

struct SarServer {
  SarServerOptions o;
  struct mg_context* web;
  char token[SAR_TOKEN_TEXT], nonce[SAR_TOKEN_TEXT];
  char url[160];
  SarHosts hosts;
  SarMemoryFile page;  // with the nonce in it
  // the hub: what all viewers are told
  pthread_mutex_t hub;
  pthread_cond_t news;
  unsigned char* frame;
  size_t frame_size, frame_room;
  unsigned long frame_number;
  char* text[SERVER_TEXTS];  // messages, the last of them; number n at n % SERVER_TEXTS
  unsigned long text_number;
  SarNote log[SERVER_LOG];
  unsigned long log_number;
  bool closing;
  ServerClient client[SAR_SERVER_CLIENTS];
  int clients;
};

// server_http.c: civetweb's begin_request. 0: go on (the WebSocket), else it was answered.
int sar_server_request(struct mg_connection* conn);
// server_client.c: the four of a WebSocket.
int sar_server_connect(const struct mg_connection* conn, void* server);
void sar_server_ready(struct mg_connection* conn, void* server);
int sar_server_data(struct mg_connection* conn, int bits, char* text, size_t size, void* server);
void sar_server_close(const struct mg_connection* conn, void* server);
