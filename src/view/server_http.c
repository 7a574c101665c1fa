// The pages of the window (server.h): a fixed set of paths, each exactly as it stands here. Nothing
// is looked for in a folder.
#ifdef SARRUS_HAVE_CIVETWEB
#include "view/server_parts.h"

#include "base/print.h"

#include <stdlib.h>
#include <string.h>

// Scripts and styles are in the page; it speaks to where it came from and to nobody else.
static void headers(struct mg_connection* conn, const SarServer* s, int status, const char* words,
                    const char* type, size_t size) {
  const char* host = mg_get_header(conn, "Host");
  if (!sar_host_is_ours(&s->hosts, host)) host = NULL;
  mg_printf(conn,
            "HTTP/1.1 %d %s\r\n"
            "Content-Type: %s\r\n"
            "Content-Length: %lu\r\n"
            "Connection: close\r\n"
            "Cache-Control: no-store\r\n"
            "X-Content-Type-Options: nosniff\r\n"
            "X-Frame-Options: DENY\r\n"
            "Referrer-Policy: no-referrer\r\n"
            "Cross-Origin-Opener-Policy: same-origin\r\n"
            "Cross-Origin-Resource-Policy: same-origin\r\n"
            "Content-Security-Policy: default-src 'none'; script-src 'nonce-%s'; style-src "
            "'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self' ws://%s; base-uri "
            "'none'; form-action 'none'; frame-ancestors 'none'\r\n"
            "\r\n",
            status, words, type, (unsigned long)size, s->nonce, host ? host : "127.0.0.1");
}

static int answer(struct mg_connection* conn, const SarServer* s, int status, const char* words) {
  char text[160];
  const int n = sar_snprintf(text, sizeof text, "%d %s\n", status, words);
  headers(conn, s, status, words, "text/plain; charset=utf-8", (size_t)n);
  mg_write(conn, text, (size_t)n);
  return status;
}

static int give(struct mg_connection* conn, const SarServer* s, const char* type, const void* data,
                size_t size) {
  headers(conn, s, 200, "OK", type, size);
  mg_write(conn, data, size);
  return 200;
}

static int page(struct mg_connection* conn, SarServer* s) {
  return give(conn, s, "text/html; charset=utf-8", s->page.text, s->page.size);
}

// A copy, so that a viewer who reads slowly holds no lock.
static void copy_scene(void* context, const char* text, size_t size) {
  SarMemoryFile* copy = context;
  if (sar_memory_open(copy)) fwrite(text, 1, size, copy->out);
}

static int scene(struct mg_connection* conn, SarServer* s) {
  const char* type = "application/json";
  if (s->o.replay) return give(conn, s, type, s->o.replay->scene.text, s->o.replay->scene.size);
  SarMemoryFile copy = {0};
  sar_session_scene(s->o.session, copy_scene, &copy);
  if (!sar_memory_close(&copy)) return answer(conn, s, 503, "No memory");
  const int status = give(conn, s, type, copy.text, copy.size);
  sar_memory_free(&copy);
  return status;
}

static int frames(struct mg_connection* conn, SarServer* s, const char* query) {
  char text[8];
  int run = 0;
  if (!s->o.replay) return answer(conn, s, 404, "Not found");
  if (mg_get_var(query, strlen(query), "run", text, sizeof text) > 0)
    run = strlen(text) == 1 && text[0] >= '0' && text[0] <= '9' ? text[0] - '0' : -1;
  if (run < 0 || run >= s->o.replay->runs) return answer(conn, s, 404, "Not found");
  return give(conn, s, "application/octet-stream", s->o.replay->frames[run].text,
              s->o.replay->frames[run].size);
}

static bool may_come_in(struct mg_connection* conn, const SarServer* s, const char* query) {
  char token[SAR_TOKEN_TEXT + 8];
  const char* host = mg_get_header(conn, "Host");
  return sar_host_is_ours(&s->hosts, host) &&
         sar_origin_is_ours(mg_get_header(conn, "Origin"), host) &&
         mg_get_var(query, strlen(query), "token", token, sizeof token) > 0 &&
         sar_token_is(token, s->token);
}

static bool is_full(SarServer* s) {
  pthread_mutex_lock(&s->hub);
  const bool full = s->clients >= SAR_SERVER_CLIENTS || s->closing;
  pthread_mutex_unlock(&s->hub);
  return full;
}

int sar_server_request(struct mg_connection* conn) {
  const struct mg_request_info* r = mg_get_request_info(conn);
  SarServer* s = mg_get_user_data(mg_get_context(conn));
  const char *path = r->local_uri ? r->local_uri : "",
             *query = r->query_string ? r->query_string : "";
  if (strcmp(r->request_method, "GET") != 0) return answer(conn, s, 405, "Method not allowed");
  if (!may_come_in(conn, s, query)) return answer(conn, s, 403, "Forbidden");
  if (strcmp(path, "/") == 0) return page(conn, s);
  if (strcmp(path, "/scene.json") == 0) return scene(conn, s);
  if (strcmp(path, "/frames.bin") == 0) return frames(conn, s, query);
  if (strcmp(path, "/live") != 0) return answer(conn, s, 404, "Not found");
  const char* upgrade = mg_get_header(conn, "Upgrade");
  if (!upgrade || mg_strcasecmp(upgrade, "websocket") != 0)
    return answer(conn, s, 400, "Expected a WebSocket");
  return is_full(s) ? answer(conn, s, 503, "Too many viewers") : 0;
}
#else
typedef int sar_server_http_is_absent;  // no file is empty
#endif
