/* Trim: controls for wanted averages over a period. */
#pragma once
#include <sarrus/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Values of parameters or inputs for which averages over a period of the periodic (or steady)
 * motion are as wanted: thrust, flapping and moments of a rotor, the speed of a machine.  Each
 * trial runs the model period after period, from where the last one ended, until the averages
 * repeat; Broyden's method brings what is left to 0. */
typedef struct SarTrim SarTrim;

enum { SAR_TRIM_MOST = 16 };

typedef struct SarTrimUnknown {
  const char* name;    /* a parameter or an input of the file */
  double lower, upper; /* limits; both 0: none */
} SarTrimUnknown;

typedef struct SarTrimCondition {
  const char *left,
      *right; /* expressions of measured quantities: their averages over a period shall be equal */
} SarTrimCondition;

/* After each iteration of the search; number 0 is where it starts. */
typedef struct SarTrimProgress {
  int iteration, trials, periods; /* so far */
  int count;
  const double *value, *left, *right; /* count each: of the unknowns, of the conditions */
  double worst; /* largest of what conditions lack, in shares of their tolerance: met below 1 */
} SarTrimProgress;

typedef struct SarTrimOptions {
  size_t size;                       /* of this struct, as the program knows it */
  const SarLoadOptions* load;        /* Nullable */
  const SarSimOptions* sim;          /* NULL: the model file's, else the defaults */
  const SarTrimUnknown* unknown;     /* as many as conditions, at most SAR_TRIM_MOST */
  const SarTrimCondition* condition; /* */
  int count;
  const char* period; /* s; an expression of parameters, "2*pi/Omega" */
  double start;       /* s; averages begin after this time: what is wound up is over.  0 */
  int max_periods;    /* of one trial; 0: 200 */
  int max_iterations; /* 0: 30 */
  double tolerance; /* of the conditions, relative to their sides and to how they follow; 0: 1e-5 */
  void* context;
  void (*on_progress)(void* context, const SarTrimProgress* progress); /* Nullable */
  bool (*should_stop)(void* context); /* asked after every period; Nullable */
} SarTrimOptions;

SAR_API void sar_trim_options_sized(SarTrimOptions* out, size_t size);
static inline SarTrimOptions sar_trim_options(void) {
  SarTrimOptions o;
  sar_trim_options_sized(&o, sizeof o);
  return o;
}

typedef struct SarTrimReport {
  int count;
  const double *value, *before; /* of the unknowns: found, and as the file has them */
  const double *left, *right;   /* averages of the conditions' sides */
  double period;                /* s */
  int iterations, trials, periods;
  double simulated; /* s; in all trials */
} SarTrimReport;

/* SAR_NOT_CONVERGED with a message where there is none, the motion does not become periodic, or an
 * unknown stands at a limit; *out then holds the best that was found.  SAR_BAD_MODEL,
 * SAR_BAD_ARGUMENT: *out is NULL. */
SAR_API SarStatus sar_trim(const char* path, const SarTrimOptions* o, SarTrim** out, SarError* err);
SAR_API const SarTrimReport* sar_trim_report(const SarTrim* trim);
/* The model with the values found, and its state where the last period ended: the trim's. */
SAR_API const SarModel* sar_trim_model(const SarTrim* trim);
SAR_API const SarData* sar_trim_data(const SarTrim* trim);
SAR_API void sar_trim_free(SarTrim* trim); /* NULL is fine */

#ifdef __cplusplus
}
#endif
