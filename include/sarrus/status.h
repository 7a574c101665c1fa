/* Status and messages: what a call came to, and what is wrong with the input. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#define SAR_API
#else
#define SAR_API __attribute__((visibility("default")))
#endif

/* What a call came to.  SAR_OK is 0; sar_status_text gives one line for each. */
typedef enum SarStatus {
  SAR_OK = 0,
  SAR_BAD_MODEL,      /* the model is wrong; SarError says where and why */
  SAR_BAD_ARGUMENT,   /* an option, name or size does not fit; SarError says which */
  SAR_NO_FILE,        /* a file cannot be read or written */
  SAR_NO_MEMORY,      /* an allocation failed; nothing is leaked */
  SAR_NOT_OFFERED,    /* this build or this pairing does not offer it; SarError says why */
  SAR_NO_SCRATCH,     /* the step's scratch memory was sized too small (a defect: please report) */
  SAR_NOT_CONVERGED,  /* an iteration reached its bound; state is the last accepted step's */
  SAR_SINGULAR,       /* a matrix that must be positive definite is not */
  SAR_NOT_FINITE,     /* NaN or infinity turned up; state is the last accepted step's */
  SAR_STEP_TOO_SMALL, /* the error control asked for a step below the smallest one */
  SAR_NOT_CLOSED, /* a constraint is switched on far from where it holds, or a step left it open */
  SAR_STOPPED,    /* stopped from outside, or after max_steps; state is the last step's */
  SAR_OVER_LIMIT, /* needs more memory than memory_limit; SarError says for what.  Nothing is leaked
                   */
  SAR_NOT_EXPLAINED /* a whole run gained half of the energy that moved in it from nowhere */
} SarStatus;

SAR_API const char* sar_status_text(SarStatus status);

typedef enum SarSeverity { SAR_ERROR = 0, SAR_WARNING = 1 } SarSeverity;

/* One message about the input: where (line 0 = no place), what, and what to do about it. */
typedef struct SarDiag {
  SarSeverity severity;
  int line, column;
  char file[256];
  char text[384];
  char hint[256];
} SarDiag;

enum { SAR_MAX_DIAGS = 32 };

/* All messages of one call.  Owned by the caller, no allocation; sar_error_init empties it. */
typedef struct SarError {
  int count;   /* messages kept in items */
  int errors;  /* how many of all messages were errors (not warnings), kept or not */
  int dropped; /* messages beyond SAR_MAX_DIAGS */
  SarDiag items[SAR_MAX_DIAGS];
} SarError;

SAR_API void sar_error_init(SarError* err);

/* Writes "file:line:column: error: text (hint)" of message i into buf; returns buf. */
SAR_API const char* sar_error_format(const SarError* err, int i, char* buf, size_t size);

/* "1.0.0 (gcc 12.2, portable)": version, compiler, and whether the build trades bit-reproducibility
 * for speed. */
SAR_API const char* sar_version(void);

#ifdef __cplusplus
}
#endif
