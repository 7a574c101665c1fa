// Viewers at the WebSocket (server.h): one thread writes to each, civetweb's reads from it.
#ifdef SARRUS_HAVE_CIVETWEB
#include "view/server_parts.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/print.h"

#include <string.h>
#include <time.h>

static const double COMMANDS_RATE = 120,
                    COMMANDS_BURST = 240;  // a mouse that pulls moves 60 times a second

// ---- coming and going ---------------------------------------------------------------------------

static ServerClient* client_of(SarServer* s, const struct mg_connection* conn) {
  for (int i = 0; i < SAR_SERVER_CLIENTS; i++)
    if (s->client[i].used && s->client[i].conn == conn) return &s->client[i];
  return NULL;
}

static ServerClient* take_slot(SarServer* s, const struct mg_connection* conn) {
  for (int i = 0; i < SAR_SERVER_CLIENTS && !s->closing; i++) {
    ServerClient* c = &s->client[i];
    if (c->used) continue;
    unsigned char* frame = s->frame_room ? sar_alloc(s->frame_room) : NULL;
    if (s->frame_room && !frame) return NULL;
    *c = (ServerClient){.server = s, .used = true, .frame = frame};
    c->conn = (struct mg_connection*)conn;
    c->rate = sar_bucket(COMMANDS_RATE, COMMANDS_BURST, sar_clock_wall());
    c->readonly = !s->o.remote_control && !sar_is_local(mg_get_request_info(conn)->remote_addr);
    s->clients++;
    return c;
  }
  return NULL;
}

int sar_server_connect(const struct mg_connection* conn, void* server) {
  SarServer* s = server;
  pthread_mutex_lock(&s->hub);
  const bool taken = take_slot(s, conn) != NULL;
  pthread_mutex_unlock(&s->hub);
  return taken ? 0 : 1;
}

void sar_server_close(const struct mg_connection* conn, void* server) {
  SarServer* s = server;
  pthread_mutex_lock(&s->hub);
  ServerClient* c = client_of(s, conn);
  if (c) c->closing = true;
  pthread_cond_broadcast(&s->news);
  pthread_mutex_unlock(&s->hub);
  if (!c) return;
  if (c->writing) pthread_join(c->writer, NULL);
  pthread_mutex_lock(&s->hub);
  sar_free(c->frame);
  *c = (ServerClient){0};
  s->clients--;
  pthread_mutex_unlock(&s->hub);
}

// ---- telling ------------------------------------------------------------------------------------

static bool say(struct mg_connection* conn, SarMemoryFile* f) {
  const bool whole = sar_memory_close(f);
  const bool sent =
      whole && mg_websocket_write(conn, MG_WEBSOCKET_OPCODE_TEXT, f->text, f->size) > 0;
  sar_memory_free(f);
  return sent;
}

static bool say_hello(const ServerClient* c) {
  SarServer* s = c->server;
  SarMemoryFile f;
  SarJson j;
  if (!sar_memory_open(&f)) return false;
  sar_json_begin(&j, f.out);
  sar_json_open(&j, NULL, '{');
  sar_json_text(&j, "type", "hello");
  sar_json_bool(&j, "readonly", c->readonly || !s->o.session);
  if (s->o.session) sar_session_state(s->o.session, &j);
  sar_json_open(&j, "log", '[');
  pthread_mutex_lock(&s->hub);
  const unsigned long n = s->log_number;
  for (unsigned long i = n > SERVER_LOG ? n - SERVER_LOG : 0; i < n; i++) {
    const SarNote* note = &s->log[i % SERVER_LOG];
    sar_json_open(&j, NULL, '{');
    sar_json_number(&j, "time", note->time);
    sar_json_text(&j, "text", note->text);
    sar_json_close(&j, '}');
  }
  pthread_mutex_unlock(&s->hub);
  sar_json_close(&j, ']');
  sar_json_close(&j, '}');
  sar_json_end(&j);
  return say(c->conn, &f);
}

// Half a second at most: who closes need not wait for news.
static void wait_for_news(SarServer* s, const ServerClient* c) {
  struct timespec until;
  if (c->closing || c->frame_seen != s->frame_number || c->text_seen != s->text_number) return;
  timespec_get(&until, TIME_UTC);
  until.tv_nsec += 500000000;
  if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
  pthread_cond_timedwait(&s->news, &s->hub, &until);
}

// The next text this viewer has not had, as a copy; NULL: none.
static char* next_text(SarServer* s, ServerClient* c) {
  if (c->text_seen == s->text_number) return NULL;
  if (s->text_number - c->text_seen > SERVER_TEXTS) c->text_seen = s->text_number - SERVER_TEXTS;
  const char* text = s->text[c->text_seen++ % SERVER_TEXTS];
  char* copy = text ? sar_alloc_brief(strlen(text) + 1) : NULL;
  if (copy) strcpy(copy, text);
  return copy;
}

static size_t next_frame(const SarServer* s, ServerClient* c) {
  if (c->frame_seen == s->frame_number) return 0;
  c->frame_seen = s->frame_number;
  memcpy(c->frame, s->frame, s->frame_size);
  return s->frame_size;
}

static void* write_to(void* client) {
  ServerClient* c = client;
  SarServer* s = c->server;
  bool open = say_hello(c);
  while (open) {
    pthread_mutex_lock(&s->hub);
    wait_for_news(s, c);
    open = !c->closing && !s->closing;
    char* text = next_text(s, c);
    const size_t size = text ? 0 : next_frame(s, c);
    pthread_mutex_unlock(&s->hub);
    if (open && text)
      open = mg_websocket_write(c->conn, MG_WEBSOCKET_OPCODE_TEXT, text, strlen(text)) > 0;
    if (open && size > 0)
      open =
          mg_websocket_write(c->conn, MG_WEBSOCKET_OPCODE_BINARY, (const char*)c->frame, size) > 0;
    sar_free(text);
  }
  return NULL;
}

void sar_server_ready(struct mg_connection* conn, void* server) {
  SarServer* s = server;
  pthread_attr_t attr;
  pthread_mutex_lock(&s->hub);
  ServerClient* c = client_of(s, conn);
  if (c) c->text_seen = s->text_number;
  pthread_mutex_unlock(&s->hub);
  if (!c) return;
  if (s->o.session) sar_session_wake(s->o.session);
  pthread_attr_init(&attr);
  pthread_attr_setstacksize(&attr, 256 * 1024);
  c->writing = pthread_create(&c->writer, &attr, write_to, c) == 0;
  pthread_attr_destroy(&attr);
}

// ---- listening ----------------------------------------------------------------------------------

static bool reply(ServerClient* c, long id, const char* error) {
  SarMemoryFile f;
  SarJson j;
  if (!sar_memory_open(&f)) return false;
  sar_json_begin(&j, f.out);
  sar_json_open(&j, NULL, '{');
  sar_json_text(&j, "type", error ? "error" : "done");
  if (id >= 0) sar_json_integer(&j, "id", id);
  if (error) sar_json_text(&j, "message", error);
  sar_json_close(&j, '}');
  sar_json_end(&j);
  return say(c->conn, &f);
}

static bool obey(ServerClient* c, const char* text, size_t size) {
  SarServer* s = c->server;
  SarCommand command;
  char error[256];
  if (!sar_command_parse(text, size, &command, error, sizeof error))
    return reply(c, command.id, error);
  if (command.kind == SAR_DO_PING) return reply(c, command.id, NULL);
  if (!s->o.session) return reply(c, command.id, "this is a replay: the page plays it by itself");
  if (c->readonly) return reply(c, command.id, "this viewer may look only");
  const bool taken = sar_session_command(s->o.session, &command, error, sizeof error);
  return reply(c, command.id, taken ? NULL : error);
}

// 1: the connection stays.
int sar_server_data(struct mg_connection* conn, int bits, char* text, size_t size, void* server) {
  SarServer* s = server;
  const int opcode = bits & 15;
  pthread_mutex_lock(&s->hub);
  ServerClient* c = client_of(s, conn);
  const bool fair = c && sar_bucket_take(&c->rate, sar_clock_wall());
  pthread_mutex_unlock(&s->hub);
  if (!c || opcode == MG_WEBSOCKET_OPCODE_CONNECTION_CLOSE) return 0;
  if (opcode == MG_WEBSOCKET_OPCODE_PING || opcode == MG_WEBSOCKET_OPCODE_PONG) return fair;
  if (!fair) {
    reply(c, -1, "too many commands: good-bye");
    return 0;
  }
  // one whole text each: no continuation, no bytes
  if (opcode != MG_WEBSOCKET_OPCODE_TEXT || !(bits & 0x80) || size > SAR_COMMAND_BYTES) return 0;
  return obey(c, text, size);
}
#else
typedef int sar_server_client_is_absent;  // no file is empty
#endif
