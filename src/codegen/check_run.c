// Of the test program of generated code: a run beside that of the interpreter (generate.h).
//
// At some points of the run the code may differ by 1e-12 of the largest coordinate, and where the
// motion is sensitive by ten times what a change of 1e-13 of the first speeds has grown to in the
// interpreter.
#include "codegen/generate.h"

#include "symbolic/print.h"

#include <math.h>

static const double SAME = 1e-12, ROOM = 10;

static int room(int n) { return n > 0 ? n : 1; }

static void write_array(SarWriter* w, const double* x, int n) {
  char text[SAR_NUMBER_TEXT];
  sar_write(w, "{");
  for (int i = 0; i < n; i++)
    sar_write(w, "%s%s", i ? ", " : "", sar_print_number(text, sizeof text, x[i]));
  sar_write(w, "%s}", n == 0 ? "0" : "");
}

static void write_points(const SarGeneration* g, const SarCheck* check, SarWriter* w) {
  const SarModel* m = g->m;
  sar_write(w,
            "// of the run from the start, and by what it may differ\n"
            "typedef struct Point {\n  int steps;\n"
            "  double allowed, q[%d], v[%d], z[%d], w[%d];\n} Point;\n\n"
            "static const Point points[] = {\n",
            room(m->nq), room(m->nv), room(m->nz), room(m->ndiscrete));
  for (int i = 0; i < check->points; i++) {
    const SarCheckPoint* p = &check->point[i];
    sar_write(w, "    {%d, %.2g,\n     ", p->steps,
              fmax(SAME, ROOM * fmax(p->grown, p->corrected)));
    write_array(w, p->at.q, m->nq);
    sar_write(w, ",\n     ");
    write_array(w, p->at.v, m->nv);
    sar_write(w, ",\n     ");
    write_array(w, p->at.z, m->nz);
    sar_write(w, ",\n     ");
    write_array(w, p->at.w, m->ndiscrete);
    sar_write(w, "},\n");
  }
  sar_write(w, "};\n\n");
}

static void write_notes(SarWriter* w, const char* name, int n) {
  if (n <= 0) return;
  sar_write(w,
            "    const double %s_size = largest(p->%s, %d, 1);\n"
            "    for (int i = 0; i < %d; i++) note(&here, s.%s[i], p->%s[i], %s_size);\n",
            name, name, n, n, name, name, name);
}

void sar_generation_test_of_run(const SarGeneration* g, const SarCheck* check, SarWriter* w) {
  const SarModel* m = g->m;
  const char *n = g->o.name, *type = g->o.single ? "float" : "double";
  write_points(g, check, w);
  sar_write(w,
            "static void test_run(Check* c, Check* allowed) {\n  %s_state s;\n  %s_inputs u;\n"
            "  %s_start(&s);\n  %s_default_inputs(&u);\n"
            "  for (int k = 0, done = 0; k < %d; k++) {\n    const Point* p = &points[k];\n"
            "    Check here = {0};\n"
            "    for (; done < p->steps; done++)\n"
            "      if (%s_step(&s, &u, (%s)%.17g) != 0) here.worst = INFINITY;\n",
            n, n, n, n, check->points, n, type, check->step);
  write_notes(w, "q", m->nq);
  write_notes(w, "v", m->nv);
  write_notes(w, "z", m->nz);
  write_notes(w, "w", m->ndiscrete);
  sar_write(w,
            "    if (!(here.worst <= c->worst)) c->worst = here.worst;\n"
            "    note(allowed, here.worst, 0, p->allowed);\n  }\n}\n\n");
}

void sar_generation_print_run(const SarGeneration* g, const SarCheck* check, SarWriter* w) {
  const SarCheckPoint* last = &check->point[check->points - 1];
  sar_write(
      w,
      "  test_run(&run, &allowed);\n"
      "  printf(\"%s: over %g s%s%s%s, %d steps: difference %%.1e, %%.2g of what is allowed\", "
      "run.worst, allowed.worst);\n"
      "  printf(\"; a change of 1e-13 grows to %.1e",
      g->o.name, check->steps * check->step, check->ended ? " (then " : "",
      check->ended ? check->ended : "", check->ended ? ")" : "", check->steps, last->grown);
  if (last->corrected > 0) sar_write(w, ", corrections lead %.1e away", last->corrected);
  sar_write(w, "\\n\");\n");
}
