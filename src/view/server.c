// The life of the server, and what all viewers are told (server.h).
#ifdef SARRUS_HAVE_CIVETWEB
#include "view/server_parts.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/print.h"

#include <string.h>
#include <unistd.h>

enum { HTTP_THREADS = SAR_SERVER_CLIENTS + 12 };

bool sar_server_is_built(void) { return true; }

// ---- telling all --------------------------------------------------------------------------------

static void tell(SarServer* s, const char* text, size_t size) {
  char* copy = sar_alloc_brief(size + 1);
  if (!copy) return;
  memcpy(copy, text, size);
  copy[size] = '\0';
  char** slot = &s->text[s->text_number++ % SERVER_TEXTS];
  sar_free(*slot);
  *slot = copy;
}

static void tell_note(SarServer* s, const SarNote* note) {
  static const char* const TYPE[] = {
      [SAR_NOTE_LOG] = "log", [SAR_NOTE_STATE] = "state", [SAR_NOTE_SCENE] = "scene"};
  SarMemoryFile f;
  SarJson j;
  if (!sar_memory_open(&f)) return;
  sar_json_begin(&j, f.out);
  sar_json_open(&j, NULL, '{');
  sar_json_text(&j, "type", TYPE[note->kind]);
  if (note->kind == SAR_NOTE_LOG) {
    sar_json_number(&j, "time", note->time);
    sar_json_text(&j, "text", note->text);
  }
  if (note->kind == SAR_NOTE_STATE) sar_session_state(s->o.session, &j);
  sar_json_close(&j, '}');
  sar_json_end(&j);
  const bool whole = sar_memory_close(&f);
  pthread_mutex_lock(&s->hub);
  if (whole) tell(s, f.text, f.size);
  if (note->kind == SAR_NOTE_LOG) s->log[s->log_number++ % SERVER_LOG] = *note;
  pthread_cond_broadcast(&s->news);
  pthread_mutex_unlock(&s->hub);
  sar_memory_free(&f);
}

void sar_server_pump(SarServer* s) {
  SarNote note;
  size_t size;
  if (!s->o.session) return;
  while (sar_session_note(s->o.session, &note)) tell_note(s, &note);
  const unsigned char* frame = sar_session_frame(s->o.session, &size);
  if (!frame) return;
  pthread_mutex_lock(&s->hub);
  memcpy(s->frame, frame, size);
  s->frame_size = size;
  s->frame_number++;
  pthread_cond_broadcast(&s->news);
  pthread_mutex_unlock(&s->hub);
}

// ---- beginning and end --------------------------------------------------------------------------

// Scripts of the page are known by a number that nobody else knows: <script nonce="...">. What
// stands within a script is left alone.
static bool make_page(SarServer* s, const char* html) {
  static const char OPEN[] = "<script", CLOSE[] = "</script>";
  if (!sar_memory_open(&s->page)) return false;
  for (const char* at = html; *at;) {
    const char* tag = strstr(at, OPEN);
    const char* end = tag ? strstr(tag, CLOSE) : NULL;
    if (!end) {
      fputs(at, s->page.out);
      break;
    }
    fwrite(at, 1, (size_t)(tag - at), s->page.out);
    fprintf(s->page.out, "%s nonce=\"%s\"", OPEN, s->nonce);
    fwrite(tag + sizeof OPEN - 1, 1, (size_t)(end - tag) - (sizeof OPEN - 1), s->page.out);
    fputs(CLOSE, s->page.out);
    at = end + sizeof CLOSE - 1;
  }
  return sar_memory_close(&s->page);
}

static SarStatus start(SarServer* s, SarError* err) {
  char listening[100], threads[16];
  const bool six = strchr(s->o.bind, ':') != NULL;
  sar_snprintf(listening, sizeof listening, six ? "[%s]:%d" : "%s:%d", s->o.bind, s->o.port);
  sar_snprintf(threads, sizeof threads, "%d", HTTP_THREADS);
  const char* options[] = {"listening_ports",
                           listening,
                           "num_threads",
                           threads,
                           "request_timeout_ms",
                           "10000",
                           "websocket_timeout_ms",
                           "15000",
                           "enable_websocket_ping_pong",
                           "yes",
                           "enable_keep_alive",
                           "no",
                           "tcp_nodelay",
                           "1",
                           "max_request_size",
                           "8192",
                           "enable_directory_listing",
                           "no",
                           NULL};
  const struct mg_callbacks callbacks = {.begin_request = sar_server_request};
  mg_init_library(0);
  s->web = mg_start(&callbacks, s, options);
  struct mg_server_port port;
  if (!s->web || mg_get_server_ports(s->web, 1, &port) < 1) {
    sar_report(err, (SarLoc){0}, "take another by --port, or another address by --bind",
               "cannot listen on %s: it is in use, not ours, or not allowed", listening);
    return SAR_BAD_ARGUMENT;
  }
  s->hosts.port = port.port;
  mg_set_websocket_handler(s->web, "/live", sar_server_connect, sar_server_ready, sar_server_data,
                           sar_server_close, s);
  return SAR_OK;
}

static void make_url(SarServer* s) {
  const char* bind = sar_is_any_address(s->o.bind) ? s->hosts.name : s->o.bind;
  if (!bind[0]) bind = "127.0.0.1";
  sar_snprintf(s->url, sizeof s->url,
               strchr(bind, ':') ? "http://[%s]:%d/?token=%s" : "http://%s:%d/?token=%s", bind,
               s->hosts.port, s->token);
}

static SarStatus set_up(SarServer* s, SarError* err) {
  s->frame_room = s->o.session ? sar_session_frame_room(s->o.session) : 0;
  s->frame = s->frame_room ? sar_alloc(s->frame_room) : NULL;
  if (s->frame_room && !s->frame) return SAR_NO_MEMORY;
  if (!sar_token_make(s->token) || !sar_token_make(s->nonce)) {
    sar_report(err, (SarLoc){0}, "", "the system has no random numbers for a token");
    return SAR_NOT_OFFERED;
  }
  if (strlen(s->o.bind) >= sizeof s->hosts.bind) return SAR_BAD_ARGUMENT;
  strcpy(s->hosts.bind, s->o.bind);
  if (gethostname(s->hosts.name, sizeof s->hosts.name - 1) != 0) s->hosts.name[0] = '\0';
  if (!make_page(s, s->o.page)) return SAR_NO_MEMORY;
  SAR_TRY(start(s, err));
  make_url(s);
  return SAR_OK;
}

SarStatus sar_server_new(const SarServerOptions* o, SarServer** out, SarError* err) {
  SarServer* s = *out = sar_alloc(sizeof *s);
  if (!s) return SAR_NO_MEMORY;
  s->o = *o;
  pthread_mutex_init(&s->hub, NULL);
  pthread_cond_init(&s->news, NULL);
  const SarStatus st = set_up(s, err);
  if (st == SAR_OK) return st;
  sar_server_free(s);
  *out = NULL;
  return st;
}

void sar_server_free(SarServer* s) {
  if (!s) return;
  pthread_mutex_lock(&s->hub);
  s->closing = true;
  pthread_cond_broadcast(&s->news);
  pthread_mutex_unlock(&s->hub);
  if (s->web) {
    mg_stop(s->web);
    mg_exit_library();
  }
  for (int i = 0; i < SERVER_TEXTS; i++) sar_free(s->text[i]);
  sar_memory_free(&s->page);
  sar_free(s->frame);
  pthread_mutex_destroy(&s->hub);
  pthread_cond_destroy(&s->news);
  sar_free(s);
}

const char* sar_server_url(const SarServer* s) { return s->url; }

int sar_server_clients(const SarServer* s) {
  pthread_mutex_lock((pthread_mutex_t*)&s->hub);
  const int n = s->clients;
  pthread_mutex_unlock((pthread_mutex_t*)&s->hub);
  return n;
}
#else
typedef int sar_server_is_absent;  // no file is empty
#endif
