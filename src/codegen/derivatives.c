// Generated derivatives of forward dynamics: NAME_acceleration_derivatives (generate.h).
//
//   da/dx = -M^-1 d(tau - Q)/dx,   tau: inverse dynamics at the accelerations, Q: what acts
//
// Straight-line code for the columns of the tree, then loops (slopes_text.h).
#include "codegen/derivatives.h"

#include <stdio.h>
#include <string.h>

// ---- straight-line code -------------------------------------------------------------------------

typedef SarDerivativeOutputs Outputs;

static void put(Outputs* o, SarNode node, const char* to) {
  o->assign[o->n++] = (SarAssign){node, to};
}

static void put_vector(Outputs* o, const char* array, int from, int i, SymV3 x) {
  const SarNode node[3] = {x.x, x.y, x.z};
  for (int k = 0; k < 3; k++)
    put(o, node[k], sar_arena_printf(o->g->arena, "out->%s[%d][%d]", array, from + k, i));
}

static void put_pose(Outputs* o, int home, SymXform X) {
  const SarNode node[12] = {X.R.xx, X.R.xy, X.R.xz, X.R.yx, X.R.yy, X.R.yz,
                            X.R.zx, X.R.zy, X.R.zz, X.p.x,  X.p.y,  X.p.z};
  for (int k = 0; k < 12; k++)
    put(o, node[k], sar_arena_printf(o->g->arena, "out->X[%d][%d]", home, k));
}

static void put_entries(Outputs* o, const SymEntries* e) {
  for (int i = 0; i < e->count; i++)
    put(o, e->items[i].value, sar_arena_printf(o->g->arena, "out->more[%d]", o->more++));
}

static void put_motion(Outputs* o, const char* array, int i, SymMotion a) {
  put_vector(o, array, 0, i, a.w);
  put_vector(o, array, 3, i, a.v);
}

static void put_symmetric(Outputs* o, const char* array, int i, SymS3 a) {
  put_vector(o, array, 0, i, (SymV3){a.xx, a.xy, a.xz});
  put_vector(o, array, 3, i, (SymV3){a.yy, a.yz, a.zz});
}

// In the order in which recursions make them, outwards and then inwards: values wait for less long.
void sar_derivatives_tree_first(Outputs* o, const SymSlopes* w) {
  const SarModel* m = w->s->m;
  for (int b = 0, home = 0; b < m->nbody; b++)
    if (sar_slopes_is_home(w, b) && m->body_parent[b] >= 0) put_pose(o, home++, w->X[b]);
  for (int i = 0; i < m->nv; i++) put_motion(o, "S", i, w->S[i]);
  for (int i = m->nv - 1; i >= 0; i--) {
    const SymInertia I = w->subtree[m->dof_body[i]].I;
    put_symmetric(o, "I", i, I.I);
    put_vector(o, "h", 0, i, I.h);
    put(o, I.m, sar_arena_printf(o->g->arena, "out->m[%d]", i));
    put(o, w->rest[i], sar_arena_printf(o->g->arena, "out->rest[%d]", i));
  }
}

void sar_derivatives_tree_second(Outputs* o, const SymSlopes* w) {
  const SarModel* m = w->s->m;
  for (int i = 0; i < m->nv; i++) {
    const int b = m->dof_body[i];
    if (sar_slopes_has_one_axis(m, b)) {
      put_motion(o, "V", i, w->V[b]);
      put_motion(o, "A", i, w->A[b]);
    } else {
      put_vector(o, "P", 0, i, w->P[i].w);
      put_motion(o, "PP", i, w->PP[i]);
      put_motion(o, "PV", i, w->PV[i]);
    }
  }
  for (int i = m->nv - 1; i >= 0; i--) {
    const int b = m->dof_body[i];
    const SymSubtree* body = &w->subtree[b];
    put_vector(o, "N", 0, i, w->N[b].n);
    put_vector(o, "N", 3, i, w->N[b].f);
    put_vector(o, "p", 0, i, body->rate.h);
    put_vector(o, "l", 0, i, body->l);
    put_symmetric(o, "D", i, body->rate.I);
  }
}

static void put_more(Outputs* o, const SymSlopes* w) {
  put_entries(o, &w->own);
  for (int k = 0; k < SYM_ALONGS; k++) put_entries(o, &w->force[k]);
  for (int k = 0; k < SYM_ALONGS; k++) put_entries(o, &w->rate[k]);
}

int sar_derivatives_homes(const SymSlopes* w) {
  int n = 0;
  for (int b = 0; b < w->s->m->nbody; b++) n += sar_slopes_home_number(w, b) >= 0;
  return n;
}

static int count_entries(const SymSlopes* w) {
  int n = w->own.count;
  for (int k = 0; k < SYM_ALONGS; k++) n += w->force[k].count + w->rate[k].count;
  return n;
}

const char* sar_derivatives_symbol(void* context, const char* name) {
  const SarGeneration* g = context;
  int i;
  if (sscanf(name, "acc[%d]", &i) == 1) return sar_arena_printf(g->arena, "out->a[%d]", i);
  if (sscanf(name, "lam[%d]", &i) == 1) return sar_arena_printf(g->arena, "out->lambda[%d]", i);
  return sar_generation_symbol(context, name);
}

// Along a path of many coordinates the mass matrix is ill-conditioned, and its factor loses digits
// that articulated bodies do not: 2e-10 of the accelerations of a chain of 100 bodies. Then they
// are asked for; derivatives lose as much, here and in the interpreter.
enum { DEEP = 24 };

bool sar_derivatives_deep(const SarModel* m) {
  int most = 0;
  for (int i = 0; i < m->nv; i++) {
    int n = 1;
    for (int k = m->dof_parent[i]; k >= 0; k = m->dof_parent[k]) n++;
    most = n > most ? n : most;
  }
  return most > DEEP;
}

static void write_articulated(SarGeneration* g) {
  const char* n = g->o.name;
  sar_write(&g->body,
            "static void %s_articulated(const %s_state* s, const %s_inputs* u, real* a) {\n"
            "  %s_work work;\n  %s_rates_of(s, u, &work);\n"
            "  memcpy(a, work.rates.a, sizeof work.rates.a);\n}\n\n",
            n, n, n, n, n);
}

static bool emit_columns(SarGeneration* g, const SymSlopes* w, int homes, bool deep) {
  const int room_for = 56 * g->m->nv + 12 * homes + count_entries(w) + 1;
  Outputs o = {.g = g, .assign = SAR_ARENA_ARRAY(g->arena, SarAssign, room_for)};
  if (!o.assign) return false;
  sar_derivatives_tree_first(&o, w);
  SarEmit e =
      sar_generation_emitter(g, "slopes_of", sar_arena_printf(g->arena, "%s_tree", g->o.name));
  e.symbol = sar_derivatives_symbol;
  e.before = o.n;
  e.pause = deep ? sar_arena_printf(g->arena, "%s_accelerate(out), %s_articulated(s, u, out->a)",
                                    g->o.name, g->o.name)
                 : sar_arena_printf(g->arena, "%s_accelerate(out)", g->o.name);
  sar_derivatives_tree_second(&o, w);
  put_more(&o, w);
  return sar_emit_functions(&e, o.n, o.assign, &g->derivatives);
}

// ---- the function -------------------------------------------------------------------------------

// Entries that are on their own: into Q and V, which hold d(tau - Q).
static int write_single(SarWriter* out, const SymEntries* e, int at, const char* to, int wide,
                        const char* sign) {
  for (int i = 0; i < e->count; i++)
    sar_write(out, "  %s[%d] %s t.more[%d];\n", to, e->items[i].i * wide + e->items[i].j, sign,
              at + i);
  return at + e->count;
}

// a_x = M^-1 dQ/dx, entry by entry
static int write_products(const SarGeneration* g, const SymEntries* e, int at, SymAlong along) {
  const int nv = g->m->nv;
  SarWriter* out = (SarWriter*)&g->body;
  const int columns = sar_slopes_columns(g->m, along);
  if (columns == 0) return at;
  sar_write(out, "  memset(out->a_%s, 0, sizeof out->a_%s);\n", SAR_ALONG[along], SAR_ALONG[along]);
  for (int i = 0; i < e->count; i++)
    sar_write(out,
              "  for (int i = 0; i < %d; i++) out->a_%s[i]%s += out->a_tau[i][%d] * t.more[%d];\n",
              nv, SAR_ALONG[along],
              along == SYM_ALONG_TIME ? "" : sar_arena_printf(g->arena, "[%d]", e->items[i].j),
              e->items[i].i, at + i);
  return at + e->count;
}

static int write_rates(const SarGeneration* g, const SymEntries* e, int at, SymAlong along) {
  SarWriter* out = (SarWriter*)&g->body;
  if (g->m->nz == 0 || sar_slopes_columns(g->m, along) == 0) return at;
  sar_write(out, "  memset(out->rate_%s, 0, sizeof out->rate_%s);\n", SAR_ALONG[along],
            SAR_ALONG[along]);
  for (int i = 0; i < e->count; i++)
    sar_write(out, "  out->rate_%s[%d]%s = t.more[%d];\n", SAR_ALONG[along], e->items[i].i,
              along == SYM_ALONG_TIME ? "" : sar_arena_printf(g->arena, "[%d]", e->items[i].j),
              at + i);
  return at + e->count;
}

static void write_copy(SarWriter* out, int nv, int wide, const char* to, const char* from) {
  sar_write(out,
            "  for (int i = 0; i < %d; i++)\n"
            "    for (int k = 0; k < %d; k++) out->%s[i][k] = %s[i * %d + k];\n",
            nv, nv, to, from, wide);
}

static void write_function(SarGeneration* g, const SymSlopes* w, int wide) {
  const int nv = g->m->nv;
  const char* n = g->o.name;
  SarWriter* out = &g->body;
  const bool direct = wide == nv;
  sar_write(out,
            "int %s_acceleration_derivatives(const %s_state* s, const %s_inputs* u,\n"
            "    %s_derivatives* out) {\n  %s_tree t;\n",
            n, n, n, n, n);
  if (direct)
    sar_write(out, "  real *Q = &out->a_q[0][0], *V = &out->a_v[0][0], *I = &out->a_tau[0][0];\n");
  else
    sar_write(out, "  real Q[%d], V[%d], I[%d];\n", nv * wide, nv * wide, nv * wide);
  sar_write(out, "  %s_slopes_of(s, u, &t);\n  %s_directions(&t);\n  %s_slope_rows(&t, Q, V);\n", n,
            n, n);
  int at = write_single(out, &w->own, 0, "Q", wide, "+=");
  at = write_single(out, &w->force[SYM_ALONG_Q], at, "Q", wide, "-=");
  at = write_single(out, &w->force[SYM_ALONG_V], at, "V", wide, "-=");
  sar_write(out, "  %s_solve(&t, Q, V, I);\n", n);
  if (!direct) {
    write_copy(out, nv, wide, "a_q", "Q");
    write_copy(out, nv, wide, "a_v", "V");
    write_copy(out, nv, wide, "a_tau", "I");
  }
  for (int k = SYM_ALONG_INPUT; k < SYM_ALONGS; k++)
    at = write_products(g, &w->force[k], at, (SymAlong)k);
  for (int k = 0; k < SYM_ALONGS; k++) at = write_rates(g, &w->rate[k], at, (SymAlong)k);
  // a sum that is not finite where a pivot, an acceleration or what acts is not
  sar_write(
      out,
      "  double sum = 0;\n"
      "  for (int i = 0; i < %d; i++) sum += (t.a[i] + t.pivot[i]) * 0, out->a[i] = t.a[i];\n",
      nv);
  if (at > 0) sar_write(out, "  for (int i = 0; i < %d; i++) sum += t.more[i] * 0;\n", at);
  sar_write(out, "  return !(sum == 0);\n}\n\n");
}

bool sar_derivatives_emit(SarGeneration* g) {
  SymSlopes* w = &g->slopes;
  if (!g->o.derivatives || g->lanes > 0) return true;
  if (sar_derivatives_are_bordered(g)) return sar_derivatives_emit_bordered(g);
  if (!sar_symbols_slopes(&g->symbols, w)) return false;
  const int homes = sar_derivatives_homes(w);
  const SarSlopesText x = {.arena = g->arena,
                           .out = &g->body,
                           .name = g->o.name,
                           .w = w,
                           .wide = sar_slopes_wide(g->m),
                           .homes = homes,
                           .deep = g->o.method == SAR_GENERATE_ABA && sar_derivatives_deep(g->m)};
  sar_slopes_type(&x, count_entries(w));
  sar_slopes_write_columns(&x);
  sar_slopes_write_mass(&x);
  sar_slopes_write_rows(&x);
  sar_slopes_write_solve(&x);
  if (x.deep) write_articulated(g);
  if (!emit_columns(g, w, homes, x.deep)) return false;
  write_function(g, w, x.wide);
  return !g->arena->failed;
}

SarStatus sar_derivatives_accept(const SarGeneration* g, SarError* err) {
  if (!g->o.derivatives) return SAR_OK;
  if (g->o.method == SAR_GENERATE_HYBRID) {
    sar_report(err, (SarLoc){0}, g->m->nrow > 0 ? "take --method lagrange" : "take --method aba",
               "derivatives are not of method 'hybrid'");
    return SAR_NOT_OFFERED;
  }
  if (g->o.single && sar_derivatives_are_bordered(g)) {
    sar_report(err, (SarLoc){0}, "leave --single or --derivatives out",
               "derivatives %s are of double precision",
               g->m->nrow > 0 ? "where there are constraints" : "with parameters that are kept");
    return SAR_NOT_OFFERED;
  }
  if (g->m->nv == 0) {
    sar_report(err, (SarLoc){0}, "leave --derivatives out",
               "the model has no coordinates to take derivatives by");
    return SAR_NOT_OFFERED;
  }
  return SAR_OK;
}
