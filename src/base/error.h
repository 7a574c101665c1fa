// Collecting messages in the caller's SarError, and passing statuses up.
#pragma once
#include "sarrus/sarrus.h"

// A place in an input file. line 0: no place known. Strings are owned by the spec's arena.
typedef struct SarLoc {
  const char* file;
  int line, column;
} SarLoc;

// Adds an error / a warning; err may be NULL (the message is dropped). hint may be "".
void sar_report(SarError* err, SarLoc loc, const char* hint, const char* format, ...)
    __attribute__((format(printf, 4, 5)));
void sar_warn(SarError* err, SarLoc loc, const char* hint, const char* format, ...)
    __attribute__((format(printf, 4, 5)));

// Puts the messages from number `from` on in the order of their places: people read from top to bottom.
void sar_error_sort(SarError* err, int from);

// Passes a status that is not SAR_OK up to the caller.
#define SAR_TRY(call)                                      \
  do {                                                     \
    SarStatus sar_try_status_ = (call);                    \
    if (sar_try_status_ != SAR_OK) return sar_try_status_; \
  } while (0)

// What a host program must give, at the head of a public call.
#define SAR_GIVEN(condition)                   \
  do {                                         \
    if (!(condition)) return SAR_BAD_ARGUMENT; \
  } while (0)

// Programmer errors. On in tests and debug builds, gone in release builds: never for user input.
#ifdef SAR_CHECKED
void sar_assert_failed(const char* condition, const char* file, int line);
#define SAR_ASSERT(condition) \
  ((condition) ? (void)0 : sar_assert_failed(#condition, __FILE__, __LINE__))
#else
#define SAR_ASSERT(condition) ((void)sizeof(condition))
#endif
