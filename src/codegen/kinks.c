// Kinks of the model in time (sim/kinks.h) in generated code: steps end there and begin anew, with
// everything evaluated on the side where they lie. Times are numbers of the model, so loops are
// bounded by how many fit into a step. Single precision has too few digits for sides, and lanes are
// at different times: both pass over kinks.
#include "codegen/generate.h"
#include "symbolic/print.h"

bool sar_generation_lands(const SarGeneration* g) {
  return (g->m->nkink > 0 || g->m->ndiscrete > 0) && !g->o.single && g->o.lanes == 0;
}

void sar_generation_times(const SarGeneration* g, SarWriter* w, const char* what, int n,
                          const double* x) {
  char text[SAR_NUMBER_TEXT];
  sar_write(w, "static const double %s_%s[%d] = {", g->o.name, what, n > 0 ? n : 1);
  for (int i = 0; i < n; i++)
    sar_write(w, "%s%s", i ? ", " : "", sar_print_number(text, sizeof text, x[i]));
  sar_write(w, "%s};\n", n > 0 ? "" : "0");
}

static const char kinks_text[] =
    "// The first kink after t.\n"
    "static double @_kink_after(double t) {\n"
    "  double first = INFINITY;\n"
    "  for (int i = 0; i < @_KINKS; i++) {\n"
    "    const double period = @_kink_period[i];\n"
    "    double next = @_kink_time[i];\n"
    "    if (period > 0) next += (floor((t - next) / period) + 1) * period;\n"
    "    if (period > 0 && next <= t) next += period;\n"
    "    if (next > t && next < first) first = next;\n"
    "  }\n"
    "  return first;\n"
    "}\n\n"
    "// As little beside a kink as makes a difference.\n"
    "static double @_beside(double t) { return 8 * 0x1p-52 * fabs(t) + 0x1p-1022; }\n\n";

static const char step_text[] =
    "int @_step(@_state* s, const @_inputs* u, double h) {\n"
    "  @_state x, *at = s;  // without a kink there is nothing to go back to\n"
    "  const double end = s->t + h, near = 1e-6 * fabs(h);  // sums of many steps are rounded\n"
    "  for (int i = 0; i < 1000; i++) {\n"
    "    const double here = @_kink_after(at->t - near);\n"
    "    const double kink = here > at->t + near ? here : @_kink_after(at->t + near);\n"
    "    const double low = here <= at->t + near ? here + @_beside(here) : -INFINITY;\n"
    "    const double high = kink <= end + near ? kink - @_beside(kink) : INFINITY;\n"
    "    const int last = !(kink < end - near);\n"
    "    const double stop = kink <= end + near ? kink : end;\n"
    "    if (";

// What may fail after a part of the step leaves the state as it was.
static const char copy_text[] =
    "at == s) x = *s, at = &x;\n"
    "    if (@_stretch(at, u, stop - at->t, low, high)) return 1;\n"
    "    at->t = stop;\n";

static const char step_end_text[] =
    "    if (last) {\n"
    "      if (at != s) *s = x;\n"
    "      return 0;\n"
    "    }\n"
    "  }\n"
    "  return 1;  // more kinks than steps have room for\n"
    "}\n\n";

void sar_generation_kinks(const SarGeneration* g, SarWriter* w) {
  const char* n = g->o.name;
  sar_write(w, "// Kinks in time: when, and how often (0: once).\nenum { %s_KINKS = %d };\n", n,
            g->m->nkink);
  sar_generation_times(g, w, "kink_time", g->m->nkink, g->m->kink_time);
  sar_generation_times(g, w, "kink_period", g->m->nkink, g->m->kink_period);
  sar_write(w, "\n");
  sar_runtime_text(w, n, kinks_text);
}

void sar_generation_landing(const SarGeneration* g, SarWriter* w) {
  const char* n = g->o.name;
  const bool hybrid = g->o.method == SAR_GENERATE_HYBRID;
  sar_runtime_text(w, n, step_text);
  const bool switches = sar_generation_switches(g);
  if (g->m->ndiscrete == 0 && !switches) sar_write(w, "!last && ");
  sar_runtime_text(w, n, copy_text);
  if (hybrid)  // rates of before the kink do not hold after it
    sar_write(w, "    at->memory.t = stop;\n    if (high < INFINITY) at->memory.known = 0;\n");
  if (switches) sar_write(w, "    if (high < INFINITY && %s_switch(at, u)) return 1;\n", n);
  if (g->m->ndiscrete > 0) {
    sar_write(w, "    const int held = %s_discrete(at, u);\n    if (held == 2) return 1;\n", n);
    if (hybrid) sar_write(w, "    if (held) at->memory.known = 0;\n");
  }
  sar_runtime_text(w, n, step_end_text);
}
