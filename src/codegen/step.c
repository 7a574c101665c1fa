// Integrators in generated code: explicit Euler, semi-implicit Euler, the classical Runge-Kutta
// method, each followed by one projection onto the constraints, where there are any, or by closing
// the loops.
//
// Positions move in local coordinates xi about the start of the step, q = q0 (+) xi, so that unit
// quaternions stay unit: as integrators/stage.c.
#include "codegen/gates.h"
#include "codegen/generate.h"

// ---- positions ----------------------------------------------------------------------------------

// The first coordinate of a joint's quaternion, in q and in v; false: it has none.
static bool quaternion(const SarModel* m, int b, int* q, int* v) {
  const int nq = m->joint_nq[b], nv = m->joint_nv[b];
  *q = m->joint_qadr[b] + nq - 4;
  *v = m->joint_vadr[b] + nv - 3;
  return nq > nv;
}

// Compilers make vectors of loops that are known to be whole ones: first those, then what is left.
enum { VECTOR = 4 };
static int whole(int n) { return n > VECTOR ? n / VECTOR * VECTOR : n; }

// Runs of plain coordinates in one loop each.
static void write_plain(const SarModel* m, SarWriter* w) {
  int q = 0, v = 0, num = 0;
  for (int b = 0; b <= m->nbody; b++) {
    int at_q = 0, at_v = 0;
    const bool turns = b < m->nbody && quaternion(m, b, &at_q, &at_v);
    if (b < m->nbody && !turns) {
      num += m->joint_nv[b];
      continue;
    }
    if (turns) num += m->joint_nv[b] - 3;
    for (int at = 0, n = whole(num); at < num; at += n, n = num - at)
      sar_write(w, "  for (int i = 0; i < %d; i++) to->q[%d + i] = from->q[%d + i] + xi[%d + i];\n",
                n, q + at, q + at, v + at);
    q = at_q + 4, v = at_v + 3, num = 0;
  }
}

void sar_generation_move(const SarGeneration* g, SarWriter* w) {
  const SarModel* m = g->m;
  const char* n = g->o.name;
  int q, v;
  sar_write(w,
            "// q = q0 (+) xi\n"
            "static void %s_move(const %s_state* from, const real* xi, %s_state* to) {\n",
            n, n, n);
  write_plain(m, w);
  for (int b = 0; b < m->nbody; b++)
    if (quaternion(m, b, &q, &v))
      sar_write(w, "  %s_turn(&from->q[%d], &xi[%d], &to->q[%d]);\n", n, q, v, q);
  sar_write(w, "}\n\n");
}

static void write_rate(const SarGeneration* g, SarWriter* w) {
  const SarModel* m = g->m;
  int q, v;
  sar_write(w,
            "// the rate of xi\n"
            "static void %s_position_rate(const real* xi, const real* v, real* rate) {\n"
            "  for (int i = 0; i < %d; i++) rate[i] = v[i];\n",
            g->o.name, m->nv);
  if (m->nq == m->nv) sar_write(w, "  (void)xi;\n");
  for (int b = 0; b < m->nbody; b++)
    if (quaternion(m, b, &q, &v))
      sar_write(w, "  %s_turn_rate(&xi[%d], &v[%d], &rate[%d]);\n", g->o.name, v, v, v);
  sar_write(w, "}\n\n");
}

// Accelerations at state `at`: what fails ends the step; of lanes, it is noted which did.
static void write_evaluate(const SarGeneration* g, SarWriter* w, const char* indent,
                           const char* at) {
  const char* form =
      g->lanes ? "%sfailed |= %s_%s(%s, u, &k);\n" : "%sif (%s_%s(%s, u, &k)) return 1;\n";
  sar_write(w, form, indent, g->o.name, g->partition ? "push" : "accelerations", at);
}

// At the start of a stretch, on its side of the kink.
static void write_beside(const SarGeneration* g, SarWriter* w) {
  sar_write(w,
            "  const double began = s->t;\n  s->t = low > began ? low : began;\n"
            "  const int failed = %s_%s(s, u, &k);\n  s->t = began;\n  if (failed) return 1;\n",
            g->o.name, g->partition ? "push" : "accelerations");
}

static void write_close(const SarGeneration* g, SarWriter* w, const char* indent) {
  const char* form =
      g->lanes ? "%sfailed |= %s_close(&x, u);\n" : "%sif (%s_close(&x, u)) return 1;\n";
  sar_write(w, form, indent, g->o.name);
}

// ---- the step -----------------------------------------------------------------------------------

static void write_loop(SarWriter* w, int n, const char* indent, const char* what) {
  for (int at = 0, end = whole(n); at < n; at = end, end = n)
    sar_write(w, "%sfor (int i = %d; i < %d; i++) %s;\n", indent, at, end, what);
}

bool sar_generation_pushes_alone(const SarGeneration* g) {
  return g->partition && g->lanes == 0 && g->o.integrator == SAR_GENERATE_EULER;
}

// New speeds, without those that closing gives.
static void write_speeds(const SarGeneration* g, SarWriter* w) {
  const int nv = g->m->nv;
  for (int from = 0, end; from < nv; from = end) {
    const bool pushed = sar_generation_is_pushed(g, from);
    for (end = from; end < nv && sar_generation_is_pushed(g, end) == pushed;) end++;
    if (pushed)
      sar_write(w, "  for (int i = %d; i < %d; i++) x.v[i] = s->v[i] + h * k.a[i];\n", from, end);
  }
}

static void write_euler(const SarGeneration* g, SarWriter* w, bool semi_implicit) {
  const int nv = g->m->nv, nz = g->m->nz;
  if (nv > 0) sar_write(w, "  real xi[%d];\n", nv);
  if (semi_implicit) {
    write_loop(w, nv, "  ", "x.v[i] = s->v[i] + h * k.a[i]");
    write_loop(w, nv, "  ", "xi[i] = h * x.v[i]");
  } else {
    write_loop(w, nv, "  ", "xi[i] = h * s->v[i]");
    if (sar_generation_pushes_alone(g))
      write_speeds(g, w);
    else
      write_loop(w, nv, "  ", "x.v[i] = s->v[i] + h * k.a[i]");
  }
  write_loop(w, nz, "  ", "x.z[i] = s->z[i] + h * k.z_rate[i]");
}

static void write_rk4(const SarGeneration* g, SarWriter* w) {
  const int nv = g->m->nv, nz = g->m->nz;
  const char* n = g->o.name;
  sar_write(w, "  const double at[3] = {0.5 * h, 0.5 * h, h}, share[3] = {2, 2, 1};\n");
  if (nv > 0) sar_write(w, "  real xi[%d], rate[%d], sum_x[%d], sum_v[%d];\n", nv, nv, nv, nv);
  if (nz > 0) sar_write(w, "  real sum_z[%d];\n", nz);
  write_loop(w, nv, "  ", "sum_x[i] = rate[i] = s->v[i], sum_v[i] = k.a[i]");
  write_loop(w, nz, "  ", "sum_z[i] = k.z_rate[i]");
  sar_write(w, "  for (int stage = 0; stage < 3; stage++) {\n    x.t = %s;\n",
            sar_generation_lands(g) ? "fmin(s->t + at[stage], high)" : "s->t + at[stage]");
  write_loop(w, nv, "    ", "xi[i] = at[stage] * rate[i], x.v[i] = s->v[i] + at[stage] * k.a[i]");
  write_loop(w, nz, "    ", "x.z[i] = s->z[i] + at[stage] * k.z_rate[i]");
  if (nv > 0) sar_write(w, "    %s_move(s, xi, &x);\n    %s_position_rate(xi, x.v, rate);\n", n, n);
  if (g->partition) write_close(g, w, "    ");
  write_evaluate(g, w, "    ", "&x");
  write_loop(w, nv, "    ",
             "sum_x[i] += share[stage] * rate[i], sum_v[i] += share[stage] * k.a[i]");
  write_loop(w, nz, "    ", "sum_z[i] += share[stage] * k.z_rate[i]");
  sar_write(w, "  }\n");
  write_loop(w, nv, "  ", "xi[i] = h / 6 * sum_x[i], x.v[i] = s->v[i] + h / 6 * sum_v[i]");
  write_loop(w, nz, "  ", "x.z[i] = s->z[i] + h / 6 * sum_z[i]");
}

// All members: compilers copy arrays by vectors, long structs by a slow instruction.
static void write_back(const SarGeneration* g, SarWriter* w) {
  sar_write(w, "  s->t = x.t;\n");
  write_loop(w, g->m->nq, "  ", "s->q[i] = x.q[i]");
  write_loop(w, g->m->nv, "  ", "s->v[i] = x.v[i]");
  write_loop(w, g->m->nz, "  ", "s->z[i] = x.z[i]");
  sar_write(w, "  return 0;\n}\n\n");
}

void sar_generation_step(SarGeneration* g, SarWriter* w) {
  const char* n = g->o.name;
  const int nv = g->m->nv;
  if (nv > 0 && g->o.integrator == SAR_GENERATE_RK4) write_rate(g, w);
  const bool lands = sar_generation_lands(g);
  if (lands)
    sar_write(
        w,
        "// A step between two kinks in time, evaluated after the first and before the second.\n"
        "static int %s_stretch(%s_state* s, const %s_inputs* u, double h, double low, double "
        "high) {\n",
        n, n, n);
  else
    sar_write(w, "int %s_step(%s_state* s, const %s_inputs* u, double h) {\n", n, n, n);
  sar_write(w, "  %s_state x;\n  %s_rates k;\n%s", n, n, g->lanes ? "  int failed = 0;\n" : "");
  write_loop(w, g->m->ndiscrete, "  ", "x.w[i] = s->w[i]");  // held throughout
  write_loop(w, sar_held_count(g->m), "  ", "x.held[i] = s->held[i]");
  if (lands)
    write_beside(g, w);
  else
    write_evaluate(g, w, "  ", "s");
  if (g->o.integrator == SAR_GENERATE_RK4)
    write_rk4(g, w);
  else
    write_euler(g, w, g->o.integrator == SAR_GENERATE_SEMI_IMPLICIT);
  sar_write(w, "  x.t = %s;\n", lands ? "high < s->t + h ? high : s->t + h" : "s->t + h");
  if (nv > 0) sar_write(w, "  %s_move(s, xi, &x);\n", n);
  if (g->partition) {
    write_close(g, w, "  ");
  } else if (g->m->nrow > 0) {
    sar_write(w,
              "  // back onto the constraints: positions, then speeds\n"
              "  real move[%d];\n  %s_project_of(&x, u, move);\n  %s_move(&x, move, &x);\n",
              2 * nv, n, n);
    write_loop(w, nv, "  ", sar_arena_printf(g->arena, "x.v[i] += move[%d + i]", nv));
  }
  if (g->lanes)
    sar_write(w, "  %s_take(s, &x, failed);\n  return failed;\n}\n\n", n);
  else
    write_back(g, w);
}
