/* Batches: many instances of one model. */
#pragma once
#include <sarrus/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

/* n instances of one model, each with its own state, inputs and parameters, advanced together by
 * threads.  They do not know of each other: what one computes is, bit for bit, what it computes
 * alone, whatever the number of threads. */

typedef struct SarBatch SarBatch;

/* Begin with sar_batch_options(). */
typedef struct SarBatchOptions {
  size_t size;              /* of this struct, as the program knows it */
  const SarSimOptions* sim; /* of every instance; NULL: the model file's, else the defaults */
  int threads;              /* with the calling one; 0: as many as there are processors */
  /* Fixed steps by code that is generated from the model and compiled, several instances in the
   * lanes of the processor's vectors: for integrators euler, semi-implicit and rk4, and what
   * `sarrus generate` takes; for one model shared by all, or models that differ in parameters which
   * are named below.  What it does not take runs as without; the report says why.  Agrees with the
   * interpreter to rounding; where it meets singular positions the interpreter steps in.  Work
   * accounts begin anew with every advance. */
  bool generated;
  int lanes; /* of generated code: 1, 4 or 8; 0: as the processor has */
  /* Of generated code for models of their own: the file that they were loaded from and how (`load`
   * Nullable), the names of the parameters in which they differ, and their values, first all of
   * instance 0.  Read by sar_batch_new alone, which compares accelerations of every
   * instance, where it begins, with those of its model. */
  const char* file;
  const SarLoadOptions* load;
  const char* const* parameters;
  int parameter_count;
  const double* parameter_values;
} SarBatchOptions;

SAR_API void sar_batch_options_sized(SarBatchOptions* out, size_t size);
static inline SarBatchOptions sar_batch_options(void) {
  SarBatchOptions o;
  sar_batch_options_sized(&o, sizeof o);
  return o;
}

/* Instance i is of models[i]: n times the same one, or alike ones that differ in parameters
 * (sar_model_is_like).  They must live as long as the batch.  Each begins with its model's initial
 * state. Takes all memory that advancing needs.  Where instances cannot be set up the others can
 * still be advanced: then *out is not NULL, the status is that of the first of them, and err says
 * why.  `o` Nullable. */
SAR_API SarStatus sar_batch_new(const SarModel* const* models, int n, const SarBatchOptions* o,
                                SarBatch** out, SarError* err);
SAR_API void sar_batch_free(SarBatch* b); /* NULL is fine */
SAR_API int sar_batch_count(const SarBatch* b);
/* State and inputs of an instance: to read, and to change between two calls of sar_batch_advance.
 * NULL: it was not set up. */
SAR_API SarData* sar_batch_data(SarBatch* b, int instance);
/* All instances to t_end, as sar_advance does.  One that fails stays at its last good step and is
 * not advanced any more; the others are.  Allocates nothing.  The status of the first that failed,
 * else SAR_OK. */
SAR_API SarStatus sar_batch_advance(SarBatch* b, double t_end);
/* A whole sequence of controls for every instance, held over a period each, and the states that
 * they lead to: for sampling-based control and learning.  A thread takes an instance (or those of
 * one vector) through all periods. Arrays are n x periods x width, first all of instance 0; each is
 * Nullable. */
typedef struct SarRollout {
  int periods;
  double period;        /* s; period k ends at (k + 1) period after the instance's present time */
  const double* inputs; /* width: inputs of the model */
  const double* tau;    /* width: nv joint forces */
  double *q, *v;        /* widths nq and nv: at the end of each period; NaN behind a failure */
  double* outputs;      /* width: output columns, likewise */
} SarRollout;

/* Instances that are to be in lanes together must be at the same time.  Allocates nothing.  The
 * status of the first instance that failed, else SAR_OK. */
SAR_API SarStatus sar_batch_rollout_sized(SarBatch* b, const SarRollout* r, size_t size);
static inline SarStatus sar_batch_rollout(SarBatch* b, const SarRollout* r) {
  return sar_batch_rollout_sized(b, r, sizeof *r);
}
/* Of one instance: what became of it, and when, where and why it failed ("": it did not). */
SAR_API SarStatus sar_batch_status(const SarBatch* b, int instance);
SAR_API const char* sar_batch_trouble(const SarBatch* b, int instance);
/* Values of its output columns at its present state. */
SAR_API SarStatus sar_batch_outputs(SarBatch* b, int instance, double* values);

typedef struct SarBatchReport {
  int failed;      /* instances so far */
  int threads;     /* that work, with the calling one */
  int lanes;       /* of generated code; 0: the interpreter */
  long handed;     /* advances that generated code began and the interpreter ended */
  const char* why; /* generated code was asked for and is not there, because; else "" */
} SarBatchReport;

SAR_API SarStatus sar_batch_report_sized(const SarBatch* b, SarBatchReport* out, size_t size);
static inline SarStatus sar_batch_report(const SarBatch* b, SarBatchReport* out) {
  return sar_batch_report_sized(b, out, sizeof *out);
}

#ifdef __cplusplus
}
#endif
