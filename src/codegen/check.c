// What goes with generated code: a test program with numbers of the interpreter, a CMake file, a
// README (generate.h).
#include "codegen/gates.h"
#include "codegen/generate.h"

#include "symbolic/print.h"

static void write_array(SarWriter* w, const double* x, int n) {
  char text[SAR_NUMBER_TEXT];
  sar_write(w, "{");
  for (int i = 0; i < n; i++)
    sar_write(w, "%s%s", i ? ", " : "", sar_print_number(text, sizeof text, x[i]));
  sar_write(w, "%s}", n == 0 ? "0" : "");
}

// The columns that are generated.
static void write_columns(const SarGeneration* g, SarWriter* w, const SarSample* s) {
  char text[SAR_NUMBER_TEXT];
  int n = 0;
  sar_write(w, "{");
  for (int i = 0; i < g->m->nchannel && s->output; i++)
    if (g->names.output[i])
      sar_write(w, "%s%s", n++ ? ", " : "", sar_print_number(text, sizeof text, s->output[i]));
  sar_write(w, "%s}", n == 0 ? "0" : "");
}

static void write_sample(const SarGeneration* g, SarWriter* w, const SarSample* s) {
  const SarModel* m = g->m;
  char text[SAR_NUMBER_TEXT];
  sar_write(w, "    {%s,\n     ", sar_print_number(text, sizeof text, s->t));
  write_array(w, s->q, m->nq);
  sar_write(w, ",\n     ");
  write_array(w, s->v, m->nv);
  sar_write(w, ",\n     ");
  write_array(w, s->z, m->nz);
  sar_write(w, ",\n     ");
  if (m->ndiscrete > 0) {
    write_array(w, s->w, m->ndiscrete);
    sar_write(w, ",\n     ");
  }
  if (sar_held_count(m) > 0) {
    write_array(w, s->held, sar_held_count(m));
    sar_write(w, ",\n     ");
  }
  write_array(w, s->input, m->ninput);
  sar_write(w, ",\n     ");
  write_array(w, s->tau, m->nv);
  sar_write(w, ",\n     ");
  write_array(w, s->a, m->nv);
  sar_write(w, ",\n     ");
  write_array(w, s->z_rate, m->nz);
  sar_write(w, ",\n     ");
  write_columns(g, w, s);
  sar_write(w, ",\n     %.3g", s->size);
  if (g->o.derivatives) {
    sar_write(w, ",\n     ");
    write_array(w, s->slope, s->slope ? sar_derivatives_slopes(m) : 0);
  }
  if (g->o.derivatives && g->o.keeps > 0) {
    sar_write(w, ",\n     %.3g, ", s->kept ? s->kept_size : 0);
    write_array(w, s->kept, s->kept ? sar_derivatives_slopes(m) : 0);
  }
  sar_write(w, "},\n");
}

static int room(int n) { return n > 0 ? n : 1; }

static void write_copy(SarWriter* w, const char* type, int n, const char* to, const char* from) {
  if (n > 0) sar_write(w, "  for (int i = 0; i < %d; i++) %s[i] = (%s)%s[i];\n", n, to, type, from);
}

static void write_tools(const SarGeneration* g, SarWriter* w) {
  const SarModel* m = g->m;
  const char* n = g->o.name;
  sar_write(w,
            "// Compares with numbers that Sarrus computed by its own interpreter.\n"
            "#include \"%s.h\"\n\n#include <math.h>\n#include <stdio.h>\n\n"
            "typedef struct Sample {\n  double t, q[%d], v[%d], z[%d], ",
            n, room(m->nq), room(m->nv), room(m->nz));
  if (m->ndiscrete > 0) sar_write(w, "w[%d], ", m->ndiscrete);
  if (sar_held_count(m) > 0) sar_write(w, "held[%d], ", sar_held_count(m));
  sar_write(w,
            "input[%d], tau[%d], a[%d], z_rate[%d],\n      output[%d];\n"
            "  double size;  // of a, and of what a rounding of the positions does to a\n",
            room(m->ninput), room(m->nv), room(m->nv), room(m->nz), room(g->names.outputs));
  if (g->o.derivatives) sar_write(w, "  double slope[%d];\n", room(sar_derivatives_slopes(m)));
  if (g->o.derivatives && g->o.keeps > 0)
    sar_write(w, "  double kept_size, kept[%d];  // size 0: no numbers\n",
              room(sar_derivatives_slopes(m)));
  sar_write(w, "} Sample;\n\n");
  sar_write(
      w,
      "typedef struct Check {\n  double worst;  // as a share of the largest number\n} Check;\n\n"
      "static void note(Check* c, double found, double wanted, double size) {\n"
      "  const double e = fabs(found - wanted) / size;\n"
      "  if (!(e <= c->worst)) c->worst = e;\n}\n\n"
      "static double largest(const double* x, int n, double least) {\n"
      "  for (int i = 0; i < n; i++)\n    if (fabs(x[i]) > least) least = fabs(x[i]);\n"
      "  return least;\n}\n\n");
}

static void write_test_of_samples(const SarGeneration* g, SarWriter* w) {
  const SarModel* m = g->m;
  const char *n = g->o.name, *type = g->o.single ? "float" : "double";
  sar_write(w,
            "static void test_sample(const Sample* x, Check* c%s) {\n"
            "  %s_state s = {0};\n  %s_inputs u;\n  %s_rates k;\n  %s_default_inputs(&u);\n"
            "  s.t = (%s)x->t;\n",
            g->o.derivatives ? ", Check* slopes" : "", n, n, n, n, type);
  write_copy(w, type, m->nq, "s.q", "x->q");
  write_copy(w, type, m->nv, "s.v", "x->v");
  write_copy(w, type, m->nz, "s.z", "x->z");
  write_copy(w, type, m->ndiscrete, "s.w", "x->w");
  write_copy(w, type, sar_held_count(m), "s.held", "x->held");
  write_copy(w, type, m->ninput, "u.input", "x->input");
  write_copy(w, type, m->nv, "u.tau", "x->tau");
  sar_write(w, "  if (%s_accelerations(&s, &u, &k) != 0) c->worst = INFINITY;\n", n);
  if (m->nv > 0)
    sar_write(w, "  for (int i = 0; i < %d; i++) note(c, k.a[i], x->a[i], x->size);\n", m->nv);
  if (m->nz > 0)
    sar_write(w,
              "  const double z_size = largest(x->z_rate, %d, 1);\n"
              "  for (int i = 0; i < %d; i++) note(c, k.z_rate[i], x->z_rate[i], z_size);\n",
              m->nz, m->nz);
  if (g->names.outputs > 0) {
    sar_write(w, "  %s_outputs y;\n  %s_output_values(&s, &u, &y);\n", n, n);
    sar_write(w, "  const double y_size = largest(x->output, %d, 1);\n", g->names.outputs);
    for (int i = 0, k = 0; i < m->nchannel; i++)
      if (g->names.output[i])
        sar_write(w, "  note(c, y.%s, x->output[%d], y_size);\n", g->names.output[i], k++);
  }
  if (g->o.derivatives) sar_write(w, "  test_slopes(x, &s, &u, slopes);\n");
  sar_write(w, "}\n\n");
}

static void write_main(const SarGeneration* g, const SarCheck* check, double bound, SarWriter* w) {
  const char* n = g->o.name;
  const bool slopes = g->o.derivatives, run = check->steps > 0;
  sar_write(w,
            "int main(void) {\n  Check rates = {0}%s%s;\n"
            "  for (int i = 0; i < %d; i++) test_sample(&samples[i], &rates%s);\n"
            "  printf(\"%s: accelerations at %d states: difference %%.1e, at most %g\\n\", "
            "rates.worst);\n",
            slopes ? ", slopes = {0}" : "", run ? ", run = {0}, allowed = {0}" : "", check->samples,
            slopes ? ", &slopes" : "", n, check->samples, bound);
  if (slopes)
    sar_write(w,
              "  printf(\"%s: derivatives at %d states: difference %%.1e, at most %g\\n\", "
              "slopes.worst);\n",
              n, check->samples, sar_derivatives_bound(g));
  if (run) sar_generation_print_run(g, check, w);
  sar_write(w, "  return !(rates.worst <= %g", bound);
  if (slopes) sar_write(w, " && slopes.worst <= %g", sar_derivatives_bound(g));
  if (run) sar_write(w, " && allowed.worst <= 1");
  sar_write(w, ");\n}\n");
}

void sar_generation_test(SarGeneration* g, const SarCheck* check, SarWriter* w) {
  const double bound = g->o.single ? 1e-4 : 1e-10;
  write_tools(g, w);
  sar_write(w, "static const Sample samples[] = {\n");
  for (int i = 0; i < check->samples; i++) write_sample(g, w, &check->sample[i]);
  if (check->samples == 0) sar_write(w, "    {0},\n");
  sar_write(w, "};\n\n");
  sar_derivatives_test(g, w);
  write_test_of_samples(g, w);
  if (check->steps > 0) sar_generation_test_of_run(g, check, w);
  write_main(g, check, bound, w);
}

// GCC's vectors of straight-line code (SLP) take most of the time that it needs for long code and
// make it no faster: 3 to 6 % more instructions. Short code of loops by `embedding`, which has
// vectors of its own, gains by them.
static bool is_packed(const SarGeneration* g) {
  return g->o.method == SAR_GENERATE_EMBEDDING && !g->o.derivatives;
}

void sar_generation_cmake(SarGeneration* g, SarWriter* w) {
  const char* n = g->o.name;
  sar_write(
      w,
      "cmake_minimum_required(VERSION 3.10)\nproject(%s LANGUAGES C)\n"
      "option(NATIVE \"fused operations and vectors of this machine; results are no longer "
      "bit-equal elsewhere\" OFF)\n"
      "if(NOT CMAKE_BUILD_TYPE)\n  set(CMAKE_BUILD_TYPE Release)\nendif()\n"
      "set(CMAKE_C_STANDARD 11)\nset(CMAKE_C_STANDARD_REQUIRED ON)\nset(CMAKE_C_EXTENSIONS OFF)\n"
      "add_library(%s STATIC %s.c)\n"
      "target_include_directories(%s PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})\n"
      "if(CMAKE_C_COMPILER_ID MATCHES \"GNU|Clang\")\n"
      "  target_compile_options(%s PRIVATE -Wall -Wextra -Wconversion -pedantic -Werror)\n"
      "  if(NATIVE)  # long functions begin where a line of the cache does\n"
      "    target_compile_options(%s PRIVATE -march=native -ffp-contract=fast "
      "-falign-functions=64)\n"
      "  else()\n    target_compile_options(%s PRIVATE -ffp-contract=off)\n  endif()\n"
      "endif()\n"
      "target_link_libraries(%s PUBLIC m)\n"
      "enable_testing()\nadd_executable(%s_test %s_test.c)\n"
      "target_link_libraries(%s_test %s)\nadd_test(NAME %s COMMAND %s_test)\n",
      n, n, n, n, n, n, n, n, n, n, n, n, n, n);
  if (!is_packed(g))
    sar_write(w,
              "if(CMAKE_C_COMPILER_ID STREQUAL \"GNU\")  # compiles long code faster, and it is no "
              "slower\n  target_compile_options(%s PRIVATE -fno-tree-slp-vectorize)\nendif()\n",
              n);
  if (!g->o.single)
    sar_write(w,
              "if(CMAKE_C_COMPILER_ID STREQUAL \"GNU\")  # no notes about calls of old ABIs\n"
              "  target_compile_options(%s PRIVATE -Wno-psabi)\nendif()\n",
              n);
  if (g->o.lanes > 0)
    sar_write(w,
              "\n# %d instances at a time; WIDE: by the widest vectors of this machine, with the "
              "same bits\n"
              "option(WIDE \"vectors of this machine\" OFF)\n"
              "target_sources(%s PRIVATE %s_lanes.c)\n"
              "if(WIDE)  # GCC 12 fuses operations in vectors of its own, whatever is asked for\n"
              "  set_source_files_properties(%s_lanes.c PROPERTIES COMPILE_OPTIONS "
              "\"-march=native;-fno-tree-vectorize\")\nendif()\n"
              "if(NOT NATIVE)\n  add_executable(%s_lanes_test %s_lanes_test.c)\n"
              "  target_link_libraries(%s_lanes_test %s)\n"
              "  add_test(NAME %s_lanes COMMAND %s_lanes_test)\nendif()\n",
              g->o.lanes, n, n, n, n, n, n, n, n, n);
}

void sar_generation_readme(SarGeneration* g, SarWriter* w) {
  const SarModel* m = g->m;
  const char *n = g->o.name, *flags = is_packed(g) ? "" : " -fno-tree-slp-vectorize";
  sar_write(
      w,
      "# %s\n\nEquations of motion of `%s` as C11, made by Sarrus. They need libm and nothing "
      "else: no heap, no globals, no\nrecursion.\n\n"
      "| | |\n|---|---|\n| method | %s |\n| integrator | %s |\n| coordinates | %d positions, %d "
      "speeds, %d states, %d constraint equations |\n| accelerations | %d statements in %d "
      "functions |\n\n",
      n, g->o.model, sar_generate_method_name((int)g->o.method),
      sar_generate_integrator_name((int)g->o.integrator), m->nq, m->nv, m->nz, m->nrow,
      g->accelerations.statements, g->accelerations.functions);
  for (int i = 0; i < g->o.keeps; i++)
    sar_write(w, "%s`u.parameters.%s`%s",
              i ? ", " : "Parameters, set by `default_inputs`: ", g->names.parameter[i],
              i + 1 < g->o.keeps ? "" : ".\n\n");
  sar_write(
      w,
      "```c\n#include \"%s.h\"\n\n%s_state s;\n%s_inputs u;\n%s_start(&s);\n"
      "%s_default_inputs(&u);\nwhile (s.t < 1)\n  if (%s_step(&s, &u, 1e-3)) break;  // singular, "
      "or not finite\n```\n\n"
      "```sh\ncmake -S . -B build && cmake --build build && ctest --test-dir build\n"
      "cc -std=c11 -O2%s -c %s.c      # that is all there is\n"
      "cc -std=c11 -O3%s -march=native -ffp-contract=fast -falign-functions=64 -c %s.c   # faster, "
      "no longer bit-equal elsewhere\n```\n",
      n, n, n, n, n, n, flags, n, flags, n);
}
