// Header, source and test program of generated code over lanes (lanes.h): the functions of
// generate.c once more, for vectors. Where a compiler has no vector types, lanes are a loop over
// the code of one instance.
#include "codegen/lanes.h"

#include "base/print.h"
#include "codegen/generate.h"

// ---- header -------------------------------------------------------------------------------------

static void write_type(const SarGeneration* g, const SarGeneration* v, SarWriter* w) {
  const char* n = g->o.name;
  sar_write(
      w,
      "enum { %s_LANES = %d };\n\n"
      "// One value of each instance: x[lane]. (On the heap, structs of them need aligned_alloc.)\n"
      "#if defined __GNUC__ && !defined SARRUS_PLAIN_LANES\n"
      "typedef double %s_lane __attribute__((vector_size(%d), may_alias));\n"
      "#else\ntypedef double %s_lane[%d];\n#endif\n\n",
      n, v->lanes, n, 8 * v->lanes, n, v->lanes);
}

static void write_structs(const SarGeneration* g, const SarGeneration* v, SarWriter* w) {
  SarWriter structs = {.arena = w->arena};
  sar_generation_structs(v, &structs);
  sar_lanes_replace(w, &structs, "double", sar_arena_printf(w->arena, "%s_lane", g->o.name));
}

static void write_header(const SarGeneration* g, const SarGeneration* v, SarWriter* w) {
  const char *n = g->o.name, *l = v->o.name;
  sar_write(
      w,
      "// Equations of motion of '%s' as C, made by Sarrus: %d instances at a time.\n"
      "//\n"
      "// Structs as in %s.h, with one value of each instance in every member: s.q[i][lane].\n"
      "// What a lane computes is, bit for bit, what %s.c computes (without -ffp-contract).\n"
      "#pragma once\n#include \"%s.h\"\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n",
      g->o.model, v->lanes, n, n, n);
  write_type(g, v, w);
  write_structs(g, v, w);
  sar_write(w,
            "// One instance in and out.\n"
            "void %s_set(%s_state* s, int lane, const %s_state* from);\n"
            "void %s_get(const %s_state* s, int lane, %s_state* to);\n"
            "void %s_set_inputs(%s_inputs* u, int lane, const %s_inputs* from);\n"
            "// As %s_accelerations and %s_step. 0: done; else the bits of the lanes that are\n"
            "// singular or not finite: 1 << lane. Those stay as they were, the others go on.\n"
            "int %s_accelerations(const %s_state* s, const %s_inputs* u, %s_rates* out);\n"
            "int %s_step(%s_state* s, const %s_inputs* u, double h);\n",
            l, l, n, l, l, n, l, l, n, n, n, l, l, l, l, l, l, l);
  if (g->partition)
    sar_write(w,
              "// As %s_close: lanes whose bit is set could not be closed, and are left anywhere.\n"
              "int %s_close(%s_state* s, const %s_inputs* u);\n",
              n, l, l, l);
  if (g->names.outputs > 0)
    sar_write(w, "void %s_output_values(const %s_state* s, const %s_inputs* u, %s_outputs* out);\n",
              l, l, l, l);
  sar_write(w, "\n#ifdef __cplusplus\n}\n#endif\n");
}

// ---- vectors ------------------------------------------------------------------------------------

static void write_accelerations(const SarGeneration* v, SarWriter* w) {
  const SarModel* m = v->m;
  const char* l = v->o.name;
  sar_write(w,
            "int %s_accelerations(const %s_state* s, const %s_inputs* u, %s_rates* out) {\n"
            "  %s_work work;\n  int failed = 0;\n  real sum = {0};\n",
            l, l, l, l, l);
  if (v->partition)
    sar_lanes_evaluation(v, w, "rates_of");
  else
    sar_write(w, "  %s_rates_of(s, u, &work);\n", l);
  sar_write(w, "  *out = work.rates;\n");
  if (m->nv > 0) sar_write(w, "  for (int i = 0; i < %d; i++) sum += out->a[i] * 0.0;\n", m->nv);
  if (m->nz > 0)
    sar_write(w, "  for (int i = 0; i < %d; i++) sum += out->z_rate[i] * 0.0;\n", m->nz);
  if (m->nrow > 0 && !v->partition)
    sar_write(w, "  failed |= %s_which(~(%s_bits)(work.open <= %.1e));\n", l, l, SAR_SYMBOLS_OPEN);
  sar_write(w, "  return failed | %s_which(~(%s_bits)(sum == 0.0));\n}\n\n", l, l);
}

// The new state, but for the lanes that failed.
static void write_take(const SarGeneration* v, SarWriter* w) {
  const char* l = v->o.name;
  sar_write(w,
            "static void %s_take(%s_state* s, const %s_state* x, int failed) {\n"
            "  if (failed == 0) {\n    *s = *x;\n    return;\n  }\n"
            "  const real* from = (const real*)(const void*)x;\n  real* to = (real*)(void*)s;\n"
            "  for (int lane = 0; lane < %d; lane++)\n"
            "    for (int i = 0; !(failed >> lane & 1) && i < %d; i++) to[i][lane] = "
            "from[i][lane];\n}\n\n",
            l, l, l, v->lanes, 1 + v->m->nq + v->m->nv + v->m->nz);
}

// `real` is the vector as it lies in structs.
static void write_vectors(const SarGeneration* g, SarGeneration* v, SarWriter* w) {
  const char *n = g->o.name, *l = v->o.name;
  SarWriter one = {.arena = w->arena};
  const char* scalar = sar_arena_printf(w->arena, "%s_one", l);
  SarRuntime of_one = v->runtime;
  of_one.sincos = of_one.sincos_one = of_one.turns = of_one.turn_rates = false;
  // vectors have these themselves
  of_one.op[SAR_OP_SIGN] = of_one.op[SAR_OP_MIN] = of_one.op[SAR_OP_MAX] = false;
  sar_runtime_write(&one, scalar, &of_one, NULL);
  sar_lanes_replace(w, &one, "real", "double");
  sar_write(w,
            "typedef %s_lane real;\n\n"
            "typedef struct %s_work {\n  %s_rates rates;\n  real open, flat;\n} %s_work;\n\n",
            n, l, l, l);
  if (v->partition) sar_generation_closed_type(v, w);
  sar_lanes_runtime(w, l, scalar, v->lanes, &v->runtime);
  sar_write(w, "%.*s", v->body.text.count, v->body.text.items);
  write_take(v, w);
  if (v->m->nv > 0) sar_generation_move(v, w);
  if (v->partition) sar_lanes_close(v, w);
  write_accelerations(v, w);
  if (v->partition) sar_lanes_push(v, w);
  sar_generation_step(v, w);
  if (g->names.outputs > 0)
    sar_write(w,
              "void %s_output_values(const %s_state* s, const %s_inputs* u, %s_outputs* out) {\n"
              "  %s_outputs_of(s, u, out);\n}\n\n",
              l, l, l, l, l);
}

// ---- one instance in and out --------------------------------------------------------------------

// Structs are rows of doubles, and of lanes.
static void write_copies(const SarGeneration* g, const SarGeneration* v, SarWriter* w) {
  const char *n = g->o.name, *l = v->o.name;
  const char* form =
      "void %s_%s(%s%s_%s* s, int lane, %s%s_%s* %s) {\n"
      "  %sdouble* a = (%sdouble*)%s;\n  %s%s_lane* b = (%s%s_lane*)(%svoid*)s;\n"
      "  for (unsigned i = 0; i < sizeof *%s / sizeof *a; i++) %s;\n}\n\n";
  const char *in = "b[i][lane] = a[i]", *out = "a[i] = b[i][lane]";
  sar_write(w, form, l, "set", "", l, "state", "const ", n, "state", "from", "const ", "const ",
            "from", "", n, "", n, "", "from", in);
  sar_write(w, form, l, "get", "const ", l, "state", "", n, "state", "to", "", "", "to", "const ",
            n, "const ", n, "const ", "to", out);
  sar_write(w, form, l, "set_inputs", "", l, "inputs", "const ", n, "inputs", "from", "const ",
            "const ", "from", "", n, "", n, "", "from", in);
}

static void write_loops(const SarGeneration* g, const SarGeneration* v, SarWriter* w) {
  const char *n = g->o.name, *l = v->o.name;
  sar_write(w,
            "static void %s_row(const %s_lane* from, int lane, double* to, unsigned count) {\n"
            "  for (unsigned i = 0; i < count; i++) to[i] = from[i][lane];\n}\n\n"
            "int %s_accelerations(const %s_state* s, const %s_inputs* u, %s_rates* out) {\n"
            "  int failed = 0;\n  for (int lane = 0; lane < %d; lane++) {\n"
            "    %s_state x;\n    %s_inputs y;\n    %s_rates k;\n    %s_get(s, lane, &x);\n"
            "    %s_row((const %s_lane*)u, lane, (double*)&y, sizeof y / sizeof(double));\n"
            "    failed |= %s_accelerations(&x, &y, &k) << lane;\n"
            "    for (unsigned i = 0; i < sizeof k / sizeof(double); i++)\n"
            "      ((%s_lane*)out)[i][lane] = ((double*)&k)[i];\n  }\n  return failed;\n}\n\n",
            l, n, l, l, l, l, v->lanes, n, n, n, l, l, n, n, n);
  sar_write(w,
            "int %s_step(%s_state* s, const %s_inputs* u, double h) {\n"
            "  int failed = 0;\n  for (int lane = 0; lane < %d; lane++) {\n"
            "    %s_state x;\n    %s_inputs y;\n    %s_get(s, lane, &x);\n"
            "    %s_row((const %s_lane*)u, lane, (double*)&y, sizeof y / sizeof(double));\n"
            "    failed |= %s_step(&x, &y, h) << lane;\n    %s_set(s, lane, &x);\n  }\n"
            "  return failed;\n}\n\n",
            l, l, l, v->lanes, n, n, l, l, n, n, l);
  if (g->partition)
    sar_write(w,
              "int %s_close(%s_state* s, const %s_inputs* u) {\n"
              "  int failed = 0;\n  for (int lane = 0; lane < %d; lane++) {\n"
              "    %s_state x;\n    %s_inputs y;\n    %s_get(s, lane, &x);\n"
              "    %s_row((const %s_lane*)u, lane, (double*)&y, sizeof y / sizeof(double));\n"
              "    failed |= %s_close(&x, &y) << lane;\n    %s_set(s, lane, &x);\n  }\n"
              "  return failed;\n}\n\n",
              l, l, l, v->lanes, n, n, l, l, n, n, l);
  if (g->names.outputs > 0)
    sar_write(w,
              "void %s_output_values(const %s_state* s, const %s_inputs* u, %s_outputs* out) {\n"
              "  for (int lane = 0; lane < %d; lane++) {\n"
              "    %s_state x;\n    %s_inputs y;\n    %s_outputs k;\n    %s_get(s, lane, &x);\n"
              "    %s_row((const %s_lane*)u, lane, (double*)&y, sizeof y / sizeof(double));\n"
              "    %s_output_values(&x, &y, &k);\n"
              "    for (unsigned i = 0; i < sizeof k / sizeof(double); i++)\n"
              "      ((%s_lane*)out)[i][lane] = ((double*)&k)[i];\n  }\n}\n\n",
              l, l, l, l, v->lanes, n, n, n, l, l, n, n, n);
}

// ---- test ---------------------------------------------------------------------------------------

// Lanes with states and inputs of their own against the code of one instance, bit by bit.
static void write_test(const SarGeneration* g, const SarGeneration* v, SarWriter* w) {
  const char *n = g->o.name, *l = v->o.name;
  sar_write(w,
            "// Compares %s with %s: every bit of every lane.\n"
            "#include \"%s.h\"\n\n#include <stdio.h>\n#include <string.h>\n\n"
            "int main(void) {\n  enum { LANES = %s_LANES, STEPS = 200 };\n"
            "  %s_state one[LANES];\n  %s_inputs input[LANES];\n"
            "  static %s_state s;\n  static %s_inputs u;\n"
            "  int differ = 0, failed = 0;\n"
            "  for (int lane = 0; lane < LANES; lane++) {\n"
            "    %s_start(&one[lane]);\n    %s_default_inputs(&input[lane]);\n",
            l, n, l, n, n, n, l, l, n, n);
  if (g->m->nv > 0)
    sar_write(w, "    for (int i = 0; i < %s_NV; i++) input[lane].tau[i] = 0.01 * (lane + i);\n",
              n);
  if (g->o.keeps > 0)
    sar_write(w,
              "    for (int i = 0; i < %d; i++) input[lane].parameters.parameter[i] *= 1 + 0.01 * "
              "lane;\n",
              g->o.keeps);
  if (g->m->nv > 0 && g->m->nrow == 0)
    sar_write(w, "    for (int i = 0; i < %s_NV; i++) one[lane].v[i] += 0.02 * lane;\n", n);
  if (g->partition)
    sar_write(w,
              "    // loops that are open, a little and so far that they may not close\n"
              "    const double open[3] = {0, 1e-3, 0.5};\n"
              "    for (int i = 0; i < %s_NQ; i++) one[lane].q[i] += open[lane %% 3];\n",
              n);
  sar_write(w,
            "    %s_set(&s, lane, &one[lane]);\n    %s_set_inputs(&u, lane, &input[lane]);\n  }\n"
            "  for (int k = 0; k < STEPS; k++) {\n"
            "    const int bits = %s_step(&s, &u, 1e-3);\n"
            "    for (int lane = 0; lane < LANES; lane++) {\n"
            "      %s_state x;\n      const int bad = %s_step(&one[lane], &input[lane], 1e-3);\n"
            "      %s_get(&s, lane, &x);\n      failed += bad;\n"
            "      differ += (bits >> lane & 1) != bad || memcmp(&x, &one[lane], sizeof x) != 0;\n"
            "    }\n  }\n"
            "  printf(\"%s: %%d lanes, %%d steps: %%d differ (%%d steps failed)\\n\", LANES, "
            "STEPS, differ, failed);\n"
            "  return differ != 0;\n}\n",
            l, l, l, n, n, l, l);
}

// ---- the whole ----------------------------------------------------------------------------------

SarStatus sar_generation_lanes(const SarGeneration* g, bool alone, SarWriter* header,
                               SarWriter* source, SarWriter* test) {
  SarGeneration v = *g;
  const char* n = g->o.name;
  v.o.name = sar_arena_printf(g->arena, "%s_lanes", n);
  v.lanes = g->o.lanes;
  v.body = (SarWriter){.arena = g->arena};
  v.runtime = (SarRuntime){.turns = g->m->nq > g->m->nv};
  v.runtime.turn_rates = v.runtime.turns && g->o.integrator == SAR_GENERATE_RK4;
  if (!v.o.name || !sar_generation_emit(&v)) return SAR_NO_MEMORY;
  // names of the model, not of its lanes
  write_header(g, &v, header);
  write_test(g, &v, test);
  sar_write(source, "// Equations of motion of '%s', made by Sarrus: %d instances at a time.\n",
            g->o.model, v.lanes);
  if (!alone) sar_write(source, "#include \"%s.h\"\n\n", v.o.name);
  sar_write(source, "#include <math.h>\n#include <stdint.h>\n#include <string.h>\n\n");
  if (alone) {
    write_type(g, &v, source);
    write_structs(g, &v, source);
  } else {
    write_copies(g, &v, source);
  }
  sar_write(source,
            "#if defined __GNUC__ && !defined SARRUS_PLAIN_LANES\n#ifndef __clang__\n"
            "#pragma GCC diagnostic ignored \"-Wpsabi\"  // vectors stay within this file\n"
            "#endif\n\n");
  write_vectors(g, &v, source);
  sar_write(source, "#else\n\n");
  if (!alone) write_loops(g, &v, source);
  sar_write(source, "#endif\n");
  return g->arena->failed ? SAR_NO_MEMORY : SAR_OK;
}
