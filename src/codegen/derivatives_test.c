// Declarations and test of generated derivatives (derivatives.h).
#include "codegen/derivatives.h"

#include <string.h>

const char* const SAR_ALONG[SYM_WAYS] = {"q", "v", "input", "state", "time", "parameter"};

int sar_derivatives_columns(const SarGeneration* g, int way) {
  return way == SYM_ALONG_PARAMETER ? g->o.keeps : sar_slopes_columns(g->m, (SymAlong)way);
}

// ---- header -------------------------------------------------------------------------------------

void sar_derivatives_header(const SarGeneration* g, SarWriter* w) {
  const SarModel* m = g->m;
  const char* n = g->o.name;
  if (!g->o.derivatives) return;
  sar_write(w,
            "\n// First derivatives of accelerations (rows) by displacements of the coordinates, "
            "speeds,\n"
            "// forces on the coordinates%s%s and time. Displacements are along the speeds: of a\n"
            "// quaternion, small turns about the axes of the body.\n"
            "typedef struct %s_derivatives {\n"
            "  double a[%d];  // accelerations\n"
            "  double a_q[%d][%d], a_v[%d][%d], a_tau[%d][%d], a_time[%d];\n",
            m->ninput > 0 ? ", inputs" : "", m->nz > 0 ? ", states" : "", n, m->nv, m->nv, m->nv,
            m->nv, m->nv, m->nv, m->nv, m->nv);
  if (m->ninput > 0) sar_write(w, "  double a_input[%d][%d];\n", m->nv, m->ninput);
  if (g->o.keeps > 0)
    sar_write(w, "  double a_parameter[%d][%d];  // in the order of %s_parameters\n", m->nv,
              g->o.keeps, n);
  if (m->nz > 0) {
    sar_write(w, "  double a_state[%d][%d];\n", m->nv, m->nz);
    sar_write(w, "  // of the rates of states\n  double rate_q[%d][%d], rate_v[%d][%d], ", m->nz,
              m->nv, m->nz, m->nv);
    if (m->ninput > 0) sar_write(w, "rate_input[%d][%d], ", m->nz, m->ninput);
    if (g->o.keeps > 0) sar_write(w, "rate_parameter[%d][%d], ", m->nz, g->o.keeps);
    sar_write(w, "rate_state[%d][%d], rate_time[%d];\n", m->nz, m->nz, m->nz);
  }
  sar_write(w,
            "} %s_derivatives;\n"
            "// 0: done; 1: singular, or not finite, and what is in out is not to be used.\n"
            "int %s_acceleration_derivatives(const %s_state* s, const %s_inputs* u,\n"
            "    %s_derivatives* out);\n",
            n, n, n, n, n);
}

// ---- its test -----------------------------------------------------------------------------------

int sar_derivatives_slopes(const SarModel* m) { return m->nv + m->nz; }

double sar_derivatives_direction(int i) { return ((37 * i + 11) % 101 - 50.5) / 50.0; }

double sar_derivatives_kept_direction(const SarGeneration* g, int i) {
  return (g->kept[i] != 0 ? g->kept[i] : 1) * sar_derivatives_direction(i);
}

double sar_derivatives_bound(const SarGeneration* g) {
  return g->o.single ? 1e-3 : sar_derivatives_deep(g->m) || g->o.keeps > 0 ? 1e-9 : 1e-10;
}

static void write_sum(SarWriter* w, const char* what, const char* by, int rows, int columns, int at,
                      int to) {
  if (rows == 0 || columns == 0) return;
  sar_write(
      w,
      "  for (int i = 0; i < %d; i++)\n"
      "    for (int k = 0; k < %d; k++) slope[%d + i] += (double)d.%s_%s[i]%s * direction(%d + "
      "k);\n",
      rows, columns, to, what, by, strcmp(by, "time") == 0 ? "" : "[k]", at);
}

// Along parameters: numbers are extrapolated differences between models.
static void write_kept(const SarGeneration* g, SarWriter* w) {
  const SarModel* m = g->m;
  const int all = sar_derivatives_slopes(m);
  sar_write(w, "  static const double along[%d] = {", g->o.keeps);
  for (int i = 0; i < g->o.keeps; i++)
    sar_write(w, "%s%.17g", i ? ", " : "", sar_derivatives_kept_direction(g, i));
  sar_write(w,
            "};\n  double kept[%d] = {0};\n  if (!(x->kept_size > 0)) return;\n"
            "  for (int k = 0; k < %d; k++) {\n"
            "    for (int i = 0; i < %d; i++) kept[i] += d.a_parameter[i][k] * along[k];\n",
            all, g->o.keeps, m->nv);
  if (m->nz > 0)
    sar_write(
        w, "    for (int i = 0; i < %d; i++) kept[%d + i] += d.rate_parameter[i][k] * along[k];\n",
        m->nz, m->nv);
  sar_write(w, "  }\n  for (int i = 0; i < %d; i++) note(c, kept[i], x->kept[i], x->kept_size);\n",
            all);
}

void sar_derivatives_test(const SarGeneration* g, SarWriter* w) {
  const SarModel* m = g->m;
  const char* n = g->o.name;
  const int all = sar_derivatives_slopes(m);
  if (!g->o.derivatives) return;
  sar_write(
      w,
      "// Along one direction, which has a part of everything.\n"
      "static double direction(int i) { return ((37 * i + 11) %% 101 - 50.5) / 50.0; }\n\n"
      "static void test_slopes(const Sample* x, const %s_state* s, const %s_inputs* u, Check* "
      "c) {\n  %s_derivatives d;\n  double slope[%d] = {0};\n"
      "  if (%s_acceleration_derivatives(s, u, &d) != 0) c->worst = INFINITY;\n",
      n, n, n, all, n);
  int at = 0;
  for (int k = 0; k < SYM_ALONGS; k++) {
    const int columns = sar_slopes_columns(m, (SymAlong)k);
    write_sum(w, "a", SAR_ALONG[k], m->nv, columns, at, 0);
    write_sum(w, "rate", SAR_ALONG[k], m->nz, columns, at, m->nv);
    at += columns;
  }
  write_sum(w, "a", "tau", m->nv, m->nv, at, 0);
  sar_write(w,
            "  const double size = largest(x->slope, %d, 1);\n"
            "  for (int i = 0; i < %d; i++) note(c, slope[i], x->slope[i], size);\n",
            all, all);
  if (g->o.keeps > 0) write_kept(g, w);
  sar_write(w, "}\n\n");
}
