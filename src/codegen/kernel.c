// Accelerations as one function (kernel.h).
#include "codegen/kernel.h"

#include "base/alloc.h"
#include "base/print.h"
#include "codegen/compiled.h"
#include "codegen/gates.h"
#include "codegen/runtime.h"
#include "codegen/slots.h"
#include "codegen/symbols.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BODIES = 2000, MOST_COORDINATES = 150 };  // the second: with constraints

typedef void Function(const double* s, double* out);

struct SarKernel {
  const SarModel* m;
  SarArena arena;
  SarTape tape;
  SarCompiled compiled;
  Function* function;  // NULL: the tape
  int results;
  double *slot, *scratch, *result;
};

// Slots: those of the state, then the weights of the rows.
static int slot_of(void* context, const char* name) {
  const SarModel* m = context;
  int i;
  if (sscanf(name, "weight[%d]", &i) == 1 && i < m->nrow) return sar_symbols_slots(m) + i;
  return sar_symbols_slot(m, name);
}

// ---- equations ----------------------------------------------------------------------------------

// Bodies without inertia make positions singular that no formula sees.
static bool has_inertia(SarSymbols* s) {
  for (int b = 0; b < s->m->nbody; b++)
    if (!(s->m->body_inertia[b].m > 0))
      sar_symbols_refuse(s, "body '%s' has no mass", sar_text(s->m, s->m->body_name[b]));
  return !s->refused;
}

static bool is_small(const SarModel* m, char* note, size_t size) {
  if (m->nbody > MOST_BODIES)
    sar_snprintf(note, size, "the model has %d bodies, more than %d", m->nbody, MOST_BODIES);
  else if (m->nrow > 0 && m->nv > MOST_COORDINATES)
    sar_snprintf(note, size, "the model has constraints and %d coordinates, more than %d", m->nv,
                 MOST_COORDINATES);
  else
    return true;
  return false;
}

// What there is to put: in the order in which eval takes it.
static SarNode* list_results(const SarSymbols* s, SarNode* to) {
  const SarModel* m = s->m;
  for (int i = 0; i < m->nv; i++) *to++ = s->a[i];
  for (int i = 0; i < m->nz; i++) *to++ = s->z_rate[i];
  for (int i = 0; i < m->nwork; i++) *to++ = s->work_rate[i];
  return to;
}

static SarNode* list_rows(SarSymbols* s, const SarNode* weight, SarNode* to) {
  const SarModel* m = s->m;
  for (int i = 0; i < m->nrow; i++) *to++ = s->lambda[i];
  for (int i = 0; i < m->nrow; i++) *to++ = s->Phi[i];
  for (int i = 0; i < m->nrow; i++) *to++ = s->Phi_dot[i];
  for (int i = 0; i < m->nrow_dof; i++) *to++ = s->Psi[i];
  sar_symbols_project(s, weight, to, to + m->nv);
  to += 2 * m->nv;
  *to++ = s->open;
  return to;
}

static SarNode* weight_symbols(SarSymbols* s) {
  SarNode* weight = SAR_ARENA_ARRAY(s->arena, SarNode, s->m->nrow + 1);
  char name[32];
  for (int i = 0; weight && i < s->m->nrow; i++) {
    sar_snprintf(name, sizeof name, "weight[%d]", i);
    weight[i] = sar_sym_symbol(s->g, name);
  }
  return weight;
}

// a and the rest of a model with constraints; false: no memory.
static bool put_loops(SarSymbols* s, const SarNode* weight) {
  if (!weight) return false;
  sar_symbols_bias(s);
  sar_symbols_rest(s);
  sar_symbols_mass(s);
  sar_symbols_constraints(s);
  sar_symbols_constraint_rates(s);
  if (!s->refused) sar_symbols_lagrange(s, weight);
  return true;
}

static SarStatus put_into_symbols(SarKernel* k, SarSymbols* s, SarNode** out, char* note,
                                  size_t size) {
  const SarModel* m = k->m;
  SarNode* weight = NULL;
  SarError err;
  sar_error_init(&err);
  if (!is_small(m, note, size)) return SAR_NOT_OFFERED;
  if (!sar_symbols_init(s, m, &k->arena, &err)) return SAR_NO_MEMORY;
  sar_symbols_refuse_gates(s);
  if (sar_symbols_accept(s) && has_inertia(s)) sar_symbols_forces(s);
  if (!s->refused && m->nrow > 0 && !put_loops(s, weight = weight_symbols(s))) return SAR_NO_MEMORY;
  if (s->refused) {
    sar_snprintf(note, size, "%s", err.items[0].text);
    return SAR_NOT_OFFERED;
  }
  if (m->nrow == 0) sar_symbols_aba(s);
  const int more = m->nrow > 0 ? 3 * m->nrow + m->nrow_dof + 2 * m->nv + 1 : 0;
  k->results = m->nv + m->nz + m->nwork + more;
  *out = SAR_ARENA_ARRAY(&k->arena, SarNode, k->results + 1);
  if (!*out || k->arena.failed) return SAR_NO_MEMORY;
  SarNode* to = list_results(s, *out);
  if (m->nrow > 0) list_rows(s, weight, to);
  return k->arena.failed ? SAR_NO_MEMORY : SAR_OK;
}

// ---- compiled -----------------------------------------------------------------------------------

static const char* place_of(void* context, const char* name) {
  SarKernel* k = context;
  const int i = slot_of((void*)(uintptr_t)k->m, name);
  return i < 0 ? NULL : sar_arena_printf(&k->arena, "s[%d]", i);
}

static bool write_source(SarKernel* k, SarSymbols* s, const SarNode* output, SarWriter* w) {
  SarWriter body = {.arena = &k->arena};
  SarRuntime uses = {0};
  SarEmitted done;
  SarEmit e = {.g = s->g,
               .arena = &k->arena,
               .out = &body,
               .prefix = "kernel_eval",
               .arguments = "const real* restrict s, real* restrict out",
               .unused = "(void)s, (void)out",
               .passed = "s, out",
               .model = "kernel",
               .symbol = place_of,
               .context = k,
               .uses = &uses};
  SarAssign* assign = SAR_ARENA_ARRAY(&k->arena, SarAssign, k->results + 1);
  if (!assign) return false;
  for (int i = 0; i < k->results; i++)
    assign[i] = (SarAssign){output[i], sar_arena_printf(&k->arena, "out[%d]", i)};
  if (!sar_emit_functions(&e, k->results, assign, &done)) return false;
  sar_write(w,
            "#include <math.h>\n#include <stdint.h>\n#include <string.h>\ntypedef double real;\n");
  sar_runtime_write(w, "kernel", &uses, NULL);
  sar_write(w, "%.*s", body.text.count, body.text.items);
  sar_write(w,
            "void sarrus_kernel(const double* s, double* out);\n"
            "void sarrus_kernel(const double* s, double* out) { kernel_eval(s, out); }\n");
  return !k->arena.failed;
}

static SarStatus compile(SarKernel* k, SarSymbols* s, const SarNode* output, char* note,
                         size_t size) {
  const char* wish = getenv("SARRUS_GENERATED");
  if (wish && strcmp(wish, "tape") == 0) return SAR_OK;
  SarWriter source = {.arena = &k->arena};
  if (!write_source(k, s, output, &source)) return SAR_NO_MEMORY;
  if (sar_compiled_open(&k->compiled, source.text.items, (size_t)source.text.count, "sarrus_kernel",
                        NULL, note, size)) {
    // a pointer to an object that is one to a function: POSIX says so of dlsym
    memcpy(&k->function, &k->compiled.function, sizeof k->function);
  }
  return SAR_OK;
}

// ---- life ---------------------------------------------------------------------------------------

static SarStatus make(SarKernel* k, char* note, size_t size) {
  SarSymbols s;
  SarNode* output = NULL;
  SAR_TRY(put_into_symbols(k, &s, &output, note, size));
  SAR_TRY(compile(k, &s, output, note, size));
  if (!k->function && !sar_tape_build(&k->arena, s.g, k->results, output, slot_of,
                                      (void*)(uintptr_t)k->m, &k->tape)) {
    if (k->arena.failed) return SAR_NO_MEMORY;
    sar_snprintf(note, size, "the model is too large for a tape");
    return SAR_NOT_OFFERED;
  }
  k->slot = SAR_ARENA_ARRAY(&k->arena, double, sar_symbols_slots(k->m) + k->m->nrow + 1);
  k->scratch = SAR_ARENA_ARRAY(&k->arena, double, k->tape.registers + 1);
  k->result = SAR_ARENA_ARRAY(&k->arena, double, k->results + 1);
  return k->slot && k->scratch && k->result ? SAR_OK : SAR_NO_MEMORY;
}

SarStatus sar_kernel_new(const SarModel* m, SarKernel** out, char* note, size_t size) {
  SarKernel* k = *out = sar_alloc(sizeof *k);
  note[0] = '\0';
  if (!k) return SAR_NO_MEMORY;
  *k = (SarKernel){.m = m};
  sar_arena_init(&k->arena);
  const SarStatus st = make(k, note, size);
  if (st == SAR_OK) return SAR_OK;
  sar_kernel_free(k);
  *out = NULL;
  return st;
}

void sar_kernel_free(SarKernel* k) {
  if (!k) return;
  sar_compiled_close(&k->compiled);
  sar_arena_free(&k->arena);
  sar_free(k);
}

static const double* take(double* to, const double* from, int n) {
  if (n > 0) memcpy(to, from, (size_t)n * sizeof *to);
  return from + n;
}

static void take_rows(const SarModel* m, SarData* d, const SarKernelRows* rows,
                      const double* from) {
  from = take(d->lambda, from, m->nrow);
  from = take(d->Phi, from, m->nrow);
  from = take(d->Phi_dot, from, m->nrow);
  from = take(d->Psi, from, m->nrow_dof);
  from = take(rows->back_q, from, m->nv);
  take(rows->back_v, from, m->nv);
}

bool sar_kernel_eval(SarKernel* k, SarData* d, const SarKernelRows* rows) {
  const SarModel* m = k->m;
  sar_symbols_load(m, d, k->slot);
  if (rows) take(k->slot + sar_symbols_slots(m), rows->weight, m->nrow);
  if (k->function)
    k->function(k->slot, k->result);
  else
    sar_tape_eval(&k->tape, k->slot, k->scratch, k->result);
  const double* from = k->result;
  double sum = 0;
  for (int i = 0; i < k->results; i++) sum += 0 * from[i];  // NaN where one is not finite
  if (!(sum == 0)) return false;
  if (rows && !(from[k->results - 1] <= SAR_SYMBOLS_OPEN)) return false;
  from = take(d->a, from, m->nv);
  from = take(d->z_rate, from, m->nz);
  from = take(d->work_rate, from, m->nwork);
  if (rows) take_rows(m, d, rows, from);
  return true;
}
