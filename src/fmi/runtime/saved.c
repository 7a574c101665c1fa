// States of an instance: a copy of the run with the model it is in, the parameters and the mode;
// and the same as bytes.
//
//   "sarrus fmu\n" (16 bytes), mode, me (1 byte each, 6 bytes 0), start, sampled, t_low, t_high
//   (f64) values of parameters, inputs, start values of states (f64), which of these were given (1
//   byte each) the state of the run as in a file (io/state_file.h), if it has begun
#include "fmi/runtime/instance.h"

#include "base/alloc.h"
#include "io/state_file.h"

#include <string.h>

struct SarFmuSaved {
  SarFmuModel* model;
  SarData* d;  // NULL: no run has begun
  SarFmuMode mode;
  bool stale;
  bool read;  // from bytes: nothing that follows from the state has been evaluated in d
  double start, sampled, t_low, t_high;
  double *value, *input, *x;
  bool* x_given;
};

static const char MAGIC[16] = "sarrus fmu\n";
enum { HEAD = 24, HEAD_NUMBERS = 4 };

static size_t num(const SarFmu* f, SarFmiRole role) { return (size_t)f->description.num[role]; }

void sar_fmu_saved_free(SarFmuSaved* state) {
  if (!state) return;
  sar_data_free(state->d);
  sar_fmu_model_drop(state->model);
  sar_free(state->value);
  sar_free(state);
}

// With room for all but the run.
static SarFmuSaved* make(const SarFmu* f) {
  const size_t np = num(f, SAR_FMI_PARAMETER), nu = num(f, SAR_FMI_INPUT);
  const size_t nx = num(f, SAR_FMI_STATE);
  SarFmuSaved* state = sar_alloc(sizeof *state);
  double* block = sar_alloc((np + nu + nx) * sizeof *block + nx + 1);
  if (!state || !block) {
    sar_free(state);
    sar_free(block);
    sar_fmu_say(f, FMU_ERROR, "no memory to keep the state");
    return NULL;
  }
  *state = (SarFmuSaved){.value = block};
  state->input = block + np;
  state->x = state->input + nu;
  state->x_given = (bool*)(void*)(state->x + nx);
  return state;
}

static void copy_settings(const SarFmu* f, const SarFmuSaved* from, SarFmuSaved* to) {
  memcpy(to->value, from->value, num(f, SAR_FMI_PARAMETER) * sizeof(double));
  memcpy(to->input, from->input, num(f, SAR_FMI_INPUT) * sizeof(double));
  memcpy(to->x, from->x, num(f, SAR_FMI_STATE) * sizeof(double));
  memcpy(to->x_given, from->x_given, num(f, SAR_FMI_STATE));
}

SarFmuStatus sar_fmu_save(SarFmu* f, SarFmuSaved** out) {
  *out = NULL;
  if (f->mode != FMU_NEW && !sar_fmu_ready(f)) return FMU_ERROR;
  SarFmuSaved* state = make(f);
  if (!state) return FMU_ERROR;
  SarFmuSaved now = {.value = f->value, .input = f->input, .x = f->x, .x_given = f->x_given};
  copy_settings(f, &now, state);
  state->model = sar_fmu_model_take(f->model);
  state->mode = f->mode, state->stale = f->stale, state->start = f->start;
  state->sampled = f->sampled, state->t_low = f->t_low, state->t_high = f->t_high;
  SarError err;
  sar_error_init(&err);
  SarStatus st = SAR_OK;
  if (f->s && !f->stale) {
    st = sar_data_new(f->model->m, &state->d, &err);
    if (st == SAR_OK) st = sar_data_copy(state->d, f->d);
  }
  if (st == SAR_OK) {
    *out = state;
    return FMU_OK;
  }
  sar_fmu_saved_free(state);
  return sar_fmu_tell(f, st, &err, "keeping the state");
}

SarFmuStatus sar_fmu_restore(SarFmu* f, const SarFmuSaved* state) {
  if (!state) return sar_fmu_say(f, FMU_ERROR, "there is no state to go back to");
  if (state->d && !state->read && f->model == state->model && f->s && !f->stale) {
    if (sar_data_copy(f->d, state->d) != SAR_OK)
      return sar_fmu_say(f, FMU_ERROR, "no memory to restore the state");
  } else if (state->d) {
    if (!sar_fmu_adopt(f, sar_fmu_model_take(state->model), state->d, true)) return FMU_ERROR;
  }
  SarFmuSaved now = {.value = f->value, .input = f->input, .x = f->x, .x_given = f->x_given};
  copy_settings(f, state, &now);
  f->mode = state->mode, f->start = state->start, f->sampled = state->sampled;
  f->t_low = state->t_low, f->t_high = state->t_high;
  f->stale = state->stale || !state->d;
  sar_fmu_touch(f);
  return FMU_OK;
}

// ---- bytes --------------------------------------------------------------------------------------

static size_t settings_size(const SarFmu* f) {
  const size_t nx = num(f, SAR_FMI_STATE);
  return HEAD + (HEAD_NUMBERS + num(f, SAR_FMI_PARAMETER) + num(f, SAR_FMI_INPUT) + nx) * 8 + nx;
}

SarFmuStatus sar_fmu_saved_size(SarFmu* f, const SarFmuSaved* state, size_t* size) {
  if (!state) return sar_fmu_say(f, FMU_ERROR, "there is no state");
  *size = settings_size(f) + (state->d ? sar_state_size(state->d) : 0);
  return FMU_OK;
}

static unsigned char* put(unsigned char* at, const double* x, size_t n) {
  if (n > 0) memcpy(at, x, n * sizeof *x);
  return at + n * sizeof *x;
}

SarFmuStatus sar_fmu_serialize(SarFmu* f, const SarFmuSaved* state, unsigned char* bytes,
                               size_t size) {
  size_t needed;
  if (sar_fmu_saved_size(f, state, &needed) != FMU_OK) return FMU_ERROR;
  if (size < needed)
    return sar_fmu_say(f, FMU_ERROR, "the state has %zu bytes, there is room for %zu", needed,
                       size);
  const double head[HEAD_NUMBERS] = {state->start, state->sampled, state->t_low, state->t_high};
  memset(bytes, 0, HEAD);
  memcpy(bytes, MAGIC, sizeof MAGIC);
  bytes[16] = (unsigned char)state->mode;
  bytes[17] = f->me;
  unsigned char* at = put(bytes + HEAD, head, HEAD_NUMBERS);
  at = put(at, state->value, num(f, SAR_FMI_PARAMETER));
  at = put(at, state->input, num(f, SAR_FMI_INPUT));
  at = put(at, state->x, num(f, SAR_FMI_STATE));
  for (size_t i = 0; i < num(f, SAR_FMI_STATE); i++) *at++ = state->x_given[i];
  if (state->d) sar_state_encode(state->d, at, needed - settings_size(f));
  return FMU_OK;
}

static const unsigned char* get(const unsigned char* at, double* x, size_t n) {
  if (n > 0) memcpy(x, at, n * sizeof *x);
  return at + n * sizeof *x;
}

static void get_settings(const SarFmu* f, const unsigned char* bytes, SarFmuSaved* state) {
  double head[HEAD_NUMBERS];
  const unsigned char* at = get(bytes + HEAD, head, HEAD_NUMBERS);
  state->mode = (SarFmuMode)bytes[16];
  state->start = head[0], state->sampled = head[1], state->t_low = head[2], state->t_high = head[3];
  at = get(at, state->value, num(f, SAR_FMI_PARAMETER));
  at = get(at, state->input, num(f, SAR_FMI_INPUT));
  at = get(at, state->x, num(f, SAR_FMI_STATE));
  for (size_t i = 0; i < num(f, SAR_FMI_STATE); i++) state->x_given[i] = at[i] != 0;
}

// The model that a state is of: that of the instance, or one with the state's parameters.
static SarFmuModel* model_of(SarFmu* f, const SarFmuSaved* state) {
  const size_t bytes = num(f, SAR_FMI_PARAMETER) * sizeof(double);
  if (bytes == 0 || memcmp(f->model->value, state->value, bytes) == 0)
    return sar_fmu_model_take(f->model);
  SarFmu other = *f;
  other.value = state->value;
  return sar_fmu_model_make(&other);
}

SarFmuStatus sar_fmu_deserialize(SarFmu* f, const unsigned char* bytes, size_t size,
                                 SarFmuSaved** out) {
  const size_t head = settings_size(f);
  *out = NULL;
  if (size < head || memcmp(bytes, MAGIC, sizeof MAGIC) != 0 || bytes[16] > FMU_ENDED ||
      bytes[17] != f->me)
    return sar_fmu_say(f, FMU_ERROR, "these bytes are no state of this FMU");
  SarFmuSaved* state = make(f);
  if (!state) return FMU_ERROR;
  get_settings(f, bytes, state);
  state->model = model_of(f, state);
  state->stale = size == head;
  state->read = true;
  SarError err;
  sar_error_init(&err);
  SarStatus st = state->model ? SAR_OK : SAR_BAD_MODEL;
  if (st == SAR_OK && size > head) {
    st = sar_data_new(state->model->m, &state->d, &err);
    if (st == SAR_OK) st = sar_state_decode(state->d, bytes + head, size - head, "state", &err);
  }
  if (st == SAR_OK) {
    *out = state;
    return FMU_OK;
  }
  sar_fmu_saved_free(state);
  return sar_fmu_tell(f, st, &err, "reading a state");
}
