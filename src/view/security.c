// Who may look, and who may touch (security.h).
#include "view/security.h"

#include "base/print.h"

#include <math.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

bool sar_token_make(char out[SAR_TOKEN_TEXT]) {
  static const char HEX[] = "0123456789abcdef";
  unsigned char bytes[SAR_TOKEN_TEXT / 2];
  if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) return false;
  for (size_t i = 0; i < sizeof bytes; i++) {
    out[2 * i] = HEX[bytes[i] >> 4];
    out[2 * i + 1] = HEX[bytes[i] & 15];
  }
  out[2 * sizeof bytes] = '\0';
  return true;
}

bool sar_token_is(const char* given, const char* token) {
  unsigned different = 0;
  if (!given || strlen(given) != SAR_TOKEN_TEXT - 1) return false;
  for (int i = 0; i < SAR_TOKEN_TEXT - 1; i++) different |= (unsigned)(given[i] ^ token[i]);
  return different == 0;
}

// ---- hosts --------------------------------------------------------------------------------------

bool sar_is_local(const char* address) {
  return strncmp(address, "127.", 4) == 0 || strcmp(address, "::1") == 0 ||
         strncmp(address, "::ffff:127.", 11) == 0;
}

bool sar_is_any_address(const char* address) {
  return strcmp(address, "0.0.0.0") == 0 || strcmp(address, "::") == 0;
}

// Four numbers with dots, or what stands in brackets.
static bool is_numeric(const char* host) {
  const size_t n = strlen(host);
  if (n == 0) return false;
  if (host[0] == '[')
    return host[n - 1] == ']' && strspn(host + 1, "0123456789abcdefABCDEF:.") == n - 2;
  return strspn(host, "0123456789.") == n;
}

// The part before ":port", which must be ours; false: it is another port.
static bool split(const SarHosts* h, const char* host, char* name, size_t size) {
  char port[16];
  const char* colon = strrchr(host, ':');
  if (!colon || (size_t)(colon - host) >= size || strchr(colon, ']')) return false;
  sar_snprintf(port, sizeof port, ":%d", h->port);
  if (strcmp(colon, port) != 0) return false;
  memcpy(name, host, (size_t)(colon - host));
  name[colon - host] = '\0';
  return true;
}

bool sar_host_is_ours(const SarHosts* h, const char* host) {
  char name[128], bound[80];
  if (!host || !split(h, host, name, sizeof name)) return false;
  if (strcasecmp(name, "localhost") == 0 || strcmp(name, "127.0.0.1") == 0 ||
      strcmp(name, "[::1]") == 0)
    return true;
  sar_snprintf(bound, sizeof bound, strchr(h->bind, ':') ? "[%s]" : "%s", h->bind);
  if (strcasecmp(name, bound) == 0) return true;
  return sar_is_any_address(h->bind) &&
         (is_numeric(name) || (h->name[0] && strcasecmp(name, h->name) == 0));
}

bool sar_origin_is_ours(const char* origin, const char* host) {
  static const char SCHEME[] = "http://";
  if (!origin) return true;
  return host && strncmp(origin, SCHEME, sizeof SCHEME - 1) == 0 &&
         strcasecmp(origin + sizeof SCHEME - 1, host) == 0;
}

// ---- rates --------------------------------------------------------------------------------------

SarBucket sar_bucket(double rate, double burst, double now) {
  return (SarBucket){rate, burst, burst, now};
}

bool sar_bucket_take(SarBucket* r, double now) {
  r->left = fmin(r->burst, r->left + r->rate * fmax(now - r->at, 0));
  r->at = now;
  if (r->left < 1) return false;
  r->left -= 1;
  return true;
}
