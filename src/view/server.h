// The window's server: HTTP and WebSocket by civetweb (docs/window-protocol.md).
//
// Each viewer has a thread that writes to it and civetweb's that reads from it; a viewer that does
// not read keeps only its own threads waiting. What all of them are told passes through one place,
// which sar_server_pump fills from the session.
#pragma once
#include "view/replay.h"
#include "view/session.h"

typedef struct SarServer SarServer;

enum { SAR_SERVER_CLIENTS = 56 };

typedef struct SarServerOptions {
  const char* bind;         // address to listen on
  int port;                 // 0: one that is free
  const char* page;         // html
  SarSession* session;      // live; or
  const SarReplay* replay;  // what to replay
  bool remote_control;      // viewers from other machines may send commands too
} SarServerOptions;

// SAR_NOT_OFFERED: built without civetweb.
SarStatus sar_server_new(const SarServerOptions* o, SarServer** out, SarError* err);
void sar_server_free(SarServer* s);  // NULL is fine
// Frames and notes of the session to all viewers; to be called often, by one thread.
void sar_server_pump(SarServer* s);
const char* sar_server_url(const SarServer* s);  // with the token
int sar_server_clients(const SarServer* s);
bool sar_server_is_built(void);
