// The header of generated code: structs with the model's names, and the functions.
#include "codegen/gates.h"
#include "codegen/generate.h"

// Members by name, and as an array of the same doubles.
static void write_members(SarWriter* w, const char* array, int n, const char* const* name,
                          const char* doc) {
  if (n == 0) return;
  sar_write(w, "  union {  // %s\n    double %s[%d];\n    struct {\n", doc, array, n);
  for (int i = 0; i < n; i++) sar_write(w, "      double %s;\n", name[i]);
  sar_write(w, "    };\n  };\n");
}

void sar_generation_structs(const SarGeneration* g, SarWriter* w) {
  const SarModel* m = g->m;
  const char* n = g->o.name;
  const bool hybrid = g->o.method == SAR_GENERATE_HYBRID;
  if (hybrid) sar_generation_memory_type(g, w);
  sar_write(w, "typedef struct %s_state {\n  double t;  // time [s]\n", n);
  write_members(w, "q", m->nq, g->names.q, "positions [rad or m; quaternions w x y z]");
  write_members(w, "v", m->nv, g->names.v, "speeds [rad/s or m/s]");
  write_members(w, "z", m->nz, g->names.z, "states of the model's own");
  write_members(w, "w", m->ndiscrete, g->names.w, "held from one instant to the next, or switched");
  if (m->ndiscrete > 0)
    sar_write(w, "  double w_kept[%d];  // what delays among them give next\n", m->ndiscrete);
  if (sar_held_count(m) > 0)
    sar_write(w, "  double held[%d];  // where what took hold was found\n", sar_held_count(m));
  if (hybrid) sar_write(w, "  %s_memory memory;\n", n);
  sar_write(w, "} %s_state;\n\n", n);
  if (g->o.keeps > 0) {
    sar_write(w, "typedef struct %s_parameters {\n", n);
    write_members(w, "parameter", g->o.keeps, g->names.parameter,
                  "of the model; all others are numbers in the code");
    sar_write(w, "} %s_parameters;\n\n", n);
  }
  sar_write(w, "typedef struct %s_inputs {\n", n);
  write_members(w, "tau", m->nv, g->names.tau,
                "forces on the coordinates, added to the model's own [N m or N]");
  write_members(w, "input", m->ninput, g->names.input, "inputs of the model");
  if (m->nv + m->ninput == 0) sar_write(w, "  double unused;\n");
  if (g->o.keeps > 0) sar_write(w, "  %s_parameters parameters;\n", n);
  sar_write(w, "} %s_inputs;\n\ntypedef struct %s_rates {\n", n, n);
  write_members(w, "a", m->nv, g->names.v, "accelerations: rates of the speeds of these names");
  write_members(w, "z_rate", m->nz, g->names.z, "rates of the states of these names");
  if (m->nrow > 0)
    sar_write(w, "  double lambda[%d];  // multipliers of the constraint equations\n", m->nrow);
  if (m->nv + m->nz == 0) sar_write(w, "  double unused;\n");
  sar_write(w, "} %s_rates;\n\n", n);
  if (g->names.outputs > 0) {
    sar_write(w, "typedef struct %s_outputs {\n", n);
    for (int i = 0; i < m->nchannel; i++)
      if (g->names.output[i])
        sar_write(w, "  double %s;  // %s\n", g->names.output[i], sar_text(m, m->channel[i].name));
    sar_write(w, "} %s_outputs;\n\n", n);
  }
}

static void write_close(const SarGeneration* g, SarWriter* w) {
  const char* n = g->o.name;
  sar_write(w,
            "// Moves dependent coordinates and speeds to where the independent ones want them, on "
            "the\n// side where they are. Steps do so by themselves; call it after a change by "
            "hand.\n// Independent are:");
  for (int k = 0; k < g->partition->free; k++)
    sar_write(w, "%s%s", k % 6 ? " " : "\n//   ", g->names.v[g->partition->dof[k]]);
  sar_write(w,
            "\n// 0: done; 1: singular, or no such position.\n"
            "int %s_close(%s_state* s, const %s_inputs* u);\n",
            n, n, n);
}

static void write_functions(const SarGeneration* g, SarWriter* w) {
  const char* n = g->o.name;
  if (g->o.keeps > 0)
    sar_write(
        w,
        "// The model's values of its parameters. What %s_start sets is the initial state for "
        "these.\nvoid %s_default_parameters(%s_parameters* p);\n",
        n, n, n);
  sar_write(w,
            "// The model's initial state, its loops closed.\n"
            "void %s_start(%s_state* s);\n"
            "// The model's values of the inputs%s; no forces.\n"
            "void %s_default_inputs(%s_inputs* u);\n"
            "// Accelerations at a state. 0: done; 1: singular, or not finite, and what is in out "
            "is not\n"
            "// to be used.\n"
            "int %s_accelerations(const %s_state* s, const %s_inputs* u, %s_rates* out);\n"
            "// One step of h seconds. 0: done; else s is as it was before.\n"
            "int %s_step(%s_state* s, const %s_inputs* u, double h);\n",
            n, n, g->o.keeps > 0 ? " and of the parameters" : "", n, n, n, n, n, n, n, n, n);
  if (g->partition) write_close(g, w);
  if (g->names.outputs > 0)
    sar_write(w,
              "// The model's output columns at a state.\n"
              "void %s_output_values(const %s_state* s, const %s_inputs* u, %s_outputs* out);\n",
              n, n, n, n);
  sar_derivatives_header(g, w);
}

void sar_generation_header(const SarGeneration* g, SarWriter* w) {
  const SarModel* m = g->m;
  const char* n = g->o.name;
  sar_write(
      w,
      "// Equations of motion of '%s' as C, made by Sarrus (method %s, integrator %s).\n"
      "//\n"
      "// SI units and radians. Members have the names of the model; each group is an array as\n"
      "// well. Functions keep nothing, allocate nothing, call libm only, and may run in several\n"
      "// threads at once.\n"
      "#pragma once\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n",
      g->o.model, sar_generate_method_name((int)g->o.method),
      sar_generate_integrator_name((int)g->o.integrator));
  sar_write(w, "enum { %s_NQ = %d, %s_NV = %d, %s_NZ = %d, %s_NINPUT = %d, %s_NOUTPUT = %d };\n\n",
            n, m->nq, n, m->nv, n, m->nz, n, m->ninput, n, g->names.outputs);
  sar_generation_structs(g, w);
  write_functions(g, w);
  for (int i = 0, first = 1; i < m->nchannel; i++) {
    if (g->names.output[i]) continue;
    sar_write(w, "%s// Not generated: %s.\n", first ? "\n" : "", sar_text(m, m->channel[i].name));
    first = 0;
  }
  sar_write(w, "\n#ifdef __cplusplus\n}\n#endif\n");
}
