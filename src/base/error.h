// Collecting messages in the caller's SarError, and passing statuses up.
#pragma once
#include "sarrus/sarrus.h"

// A place in an input file. line 0: no place known. Strings are owned by the spec's arena. What
// stands in a part that is repeated is told from its copies behind the name of the file, and a
// separator (ASCII's own): "chain.yaml", SAR_COPY_MARK, "i = 7". A place has few bytes to spare:
// every number has one.
typedef struct SarLoc {
  const char* file;
  int line, column;
} SarLoc;

#define SAR_COPY_MARK '\x1f'
const char* sar_loc_copy(SarLoc loc);        // "i = 7"; NULL: not repeated
bool sar_loc_same_file(SarLoc a, SarLoc b);  // both known, and the same

// Adds an error / a warning; err may be NULL (the message is dropped). hint may be "". A message
// about a copy ends with "(copy i = 7)"; further copies with the same mistake only count, "and 3
// others".
void sar_report(SarError* err, SarLoc loc, const char* hint, const char* format, ...)
    __attribute__((format(printf, 4, 5)));
void sar_warn(SarError* err, SarLoc loc, const char* hint, const char* format, ...)
    __attribute__((format(printf, 4, 5)));

// Puts the messages from number `from` on in the order of their places: people read from top to
// bottom.
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
