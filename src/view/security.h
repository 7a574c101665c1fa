// Who may look, and who may touch: tokens, names of hosts, origins, rates. Nothing here knows of a
// web server.
//
// The page is a program that other pages in the same browser would like to speak for. They do not
// know the token; they cannot read it from another origin; and a name of theirs that suddenly leads
// to 127.0.0.1 (DNS rebinding) is not among the hosts we answer to.
#pragma once
#include <stdbool.h>
#include <stddef.h>

enum { SAR_TOKEN_TEXT = 33 };  // 128 bits in hex, and a 0

// False: the system has no random numbers to give.
bool sar_token_make(char out[SAR_TOKEN_TEXT]);
// In a time that does not depend on where they differ.
bool sar_token_is(const char* given, const char* token);

typedef struct SarHosts {
  char bind[64];  // the address that is listened on: "127.0.0.1", "::1", "0.0.0.0", "192.168.1.5"
  char name[64];  // of this machine; "": not known
  int port;
} SarHosts;

// Is the address one of this machine alone?
bool sar_is_local(const char* address);
// Does it stand for every address of the machine?
bool sar_is_any_address(const char* address);
// Host header: "127.0.0.1:8080", "localhost:8080", "[::1]:8080", what is listened on. Where every
// address is: any address written in numbers, and the machine's name. NULL: there was none, and
// that is refused.
bool sar_host_is_ours(const SarHosts* h, const char* host);
// Origin header: NULL is fine (no browser sends none across origins), else "http://" and the Host
// of the same request.
bool sar_origin_is_ours(const char* origin, const char* host);

// A bucket of tokens: `rate` a second, `burst` at once.
typedef struct SarBucket {
  double rate, burst, left, at;
} SarBucket;
SarBucket sar_bucket(double rate, double burst, double now);
bool sar_bucket_take(SarBucket* r, double now);  // false: too many
