// What the server is where there is no civetweb (server.h).
#ifndef SARRUS_HAVE_CIVETWEB
#include "view/server.h"

#include "base/error.h"

bool sar_server_is_built(void) { return false; }

SarStatus sar_server_new(const SarServerOptions* o, SarServer** out, SarError* err) {
  (void)o;
  *out = NULL;
  sar_report(err, (SarLoc){0},
             "install libcivetweb-dev and build again; --html FILE needs no server",
             "built without civetweb: there is no server for a window");
  return SAR_NOT_OFFERED;
}

void sar_server_free(SarServer* s) { (void)s; }
void sar_server_pump(SarServer* s) { (void)s; }
const char* sar_server_url(const SarServer* s) { return s ? "" : ""; }
int sar_server_clients(const SarServer* s) { return s ? 0 : 0; }
#else
typedef int sar_server_is_elsewhere;  // no file is empty
#endif
