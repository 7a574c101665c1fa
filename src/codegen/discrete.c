// Discrete-time states (model/discrete.h) in generated code: sampled controllers, delays and
// relays.
//
// NAME_discrete does where a step ends what sim/discrete.c does there: relays settle, then at an
// instant delays give what they kept, samples are taken, each after those it uses, and delays keep
// what they will give. All of an instant is one function of the state before it, with numbers
// due[i] that say whose instant it is:
//
//   w_i+ = due_i ? f_i(t, q, v, z, w+) : w_i
#include "codegen/generate.h"

// Calls are functions of the host program, which generated code does not know.
SarStatus sar_generation_accept_discrete(const SarGeneration* g, SarError* err) {
  const SarModel* m = g->m;
  if (m->ndiscrete == 0) return SAR_OK;
  const char* name = sar_text(m, m->discrete_name[0]);
  if (m->ncall > 0)
    sar_report(err, (SarLoc){0}, "give its outputs to the model as inputs",
               "signal '%s' calls a function of the host program",
               sar_text(m, m->discrete_name[m->call[0].lead]));
  else if (g->o.single || g->o.lanes > 0)
    sar_report(err, (SarLoc){0}, "leave --single or --lanes out",
               "signal '%s' changes at instants or switches: generated in double precision, for "
               "one instance",
               name);
  else
    return SAR_OK;
  return SAR_NOT_OFFERED;
}

// ---- equations ----------------------------------------------------------------------------------

static SarNode numbered(SarGeneration* g, const char* name, int i) {
  return sar_sym_symbol(g->symbols.g, sar_arena_printf(g->arena, "%s[%d]", name, i));
}

static SarNode if_due(SarGeneration* g, int i, SarNode then, SarNode as_it_was) {
  return sar_sym_select(g->symbols.g, numbered(g, "due", i), then, as_it_was);
}

// After an instant: next and what delays keep; the slots of the states hold their new values then.
static void sample(SarGeneration* g, SarNode* next, SarNode* kept) {
  const SarModel* m = g->m;
  SarSymbols* s = &g->symbols;
  for (int i = 0; i < m->ndiscrete; i++) {
    kept[i] = numbered(g, "kept", i);
    next[i] = s->discrete[i];
    if (m->discrete_kind[i] == SAR_DELAY) next[i] = if_due(g, i, kept[i], next[i]);
    s->slot[m->discrete_slot[i]] = next[i];
  }
  for (int i = 0; i < m->ndiscrete; i++) {
    if (m->discrete_kind[i] != SAR_SAMPLE) continue;
    next[i] = if_due(g, i, sar_symbols_program(s, &m->discrete_next[i]), next[i]);
    s->slot[m->discrete_slot[i]] = next[i];
  }
  for (int i = 0; i < m->ndiscrete; i++)
    if (m->discrete_kind[i] == SAR_DELAY)
      kept[i] = if_due(g, i, sar_symbols_program(s, &m->discrete_next[i]), kept[i]);
}

// w+ = 1 where `rise` holds, 0 where `fall` does
static void settle(SarGeneration* g, SarNode* relay) {
  const SarModel* m = g->m;
  const SarSymbols* s = &g->symbols;
  for (int i = 0; i < m->ndiscrete; i++) {
    relay[i] = s->discrete[i];
    if (m->discrete_kind[i] != SAR_RELAY) continue;
    const SarNode low =
        sar_sym_select(s->g, s->slot[m->discrete_fall[i]], s_num(s->g, 0), s->discrete[i]);
    relay[i] = sar_sym_select(s->g, s->slot[m->discrete_rise[i]], s_num(s->g, 1), low);
  }
}

void sar_generation_instants(SarGeneration* g, SarNode* out) {
  const SarModel* m = g->m;
  SarSymbols* s = &g->symbols;
  const int n = m->ndiscrete;
  settle(g, out);
  sample(g, out + n, out + 2 * n);
  for (int i = 0; i < n; i++) s->slot[m->discrete_slot[i]] = s->discrete[i];
}

static bool emit_samples(SarGeneration* g, const SarNode* next) {
  const int n = g->m->ndiscrete;
  SarAssign* assign = SAR_ARENA_ARRAY(g->arena, SarAssign, 2 * n + 1);
  SarEmitted done;
  if (!assign) return false;
  for (int i = 0; i < n; i++) {
    assign[i] = (SarAssign){next[i], sar_arena_printf(g->arena, "out->w[%d]", i)};
    assign[n + i] = (SarAssign){next[n + i], sar_arena_printf(g->arena, "out->kept[%d]", i)};
  }
  SarEmit e =
      sar_generation_emitter(g, "samples_of", sar_arena_printf(g->arena, "%s_instant", g->o.name));
  return sar_emit_functions(&e, 2 * n, assign, &done);
}

static bool emit_relays(SarGeneration* g, const SarNode* next) {
  const SarModel* m = g->m;
  SarAssign* assign = SAR_ARENA_ARRAY(g->arena, SarAssign, m->ndiscrete + 1);
  SarEmitted done;
  int n = 0;
  if (!assign) return false;
  for (int i = 0; i < m->ndiscrete; i++)
    if (m->discrete_kind[i] == SAR_RELAY)
      assign[n++] = (SarAssign){next[i], sar_arena_printf(g->arena, "out->w[%d]", i)};
  SarEmit e =
      sar_generation_emitter(g, "relays_of", sar_arena_printf(g->arena, "%s_instant", g->o.name));
  return n == 0 || sar_emit_functions(&e, n, assign, &done);
}

bool sar_generation_emit_discrete(SarGeneration* g) {
  const int n = g->m->ndiscrete;
  if (n == 0) return true;
  if (!g->instant) {
    g->instant = SAR_ARENA_ARRAY(g->arena, SarNode, 3 * n);
    if (g->instant) sar_generation_instants(g, g->instant);
  }
  return g->instant && emit_relays(g, g->instant) && emit_samples(g, g->instant + n);
}

// ---- text ---------------------------------------------------------------------------------------

void sar_generation_instant_type(const SarGeneration* g, SarWriter* w) {
  const char* n = g->o.name;
  const int count = g->m->ndiscrete;
  if (count == 0) return;
  sar_write(w,
            "// Whose instant it is (0 or 1), and what held values become.\n"
            "typedef struct %s_instant {\n  double due[%d], w[%d], kept[%d];\n} %s_instant;\n\n",
            n, count, count, count, n);
}

static bool has_relays(const SarModel* m) {
  return m->discrete_kind[m->ndiscrete - 1] == SAR_RELAY;
}

static const char due_text[] =
    "// Instants are landed on to rounding.\n"
    "static int @_is_due(int i, double t) {\n"
    "  const double period = @_period[i], first = @_offset[i];\n"
    "  if (!(period > 0)) return 0;\n"
    "  const double k = nearbyint((t - first) / period);\n"
    "  return k >= 0 && fabs(first + k * period - t) <= 4 * @_beside(fmax(t, first));\n"
    "}\n\n";

// One relay may switch another: as often as there are any.
static const char relays_text[] =
    "static void @_settle(@_state* s, const @_inputs* u) {\n"
    "  for (int k = 0, changed = 1; changed && k <= @_HELD; k++) {\n"
    "    @_instant x;\n"
    "    changed = 0;\n"
    "    for (int i = 0; i < @_HELD; i++) x.w[i] = s->w[i];\n"
    "    @_relays_of(s, u, &x);\n"
    "    for (int i = 0; i < @_HELD; i++) {\n"
    "      changed = changed || x.w[i] != s->w[i];\n"
    "      s->w[i] = x.w[i];\n"
    "    }\n"
    "  }\n"
    "}\n\n";

static const char update_text[] =
    "// Where a step ends: what is sampled, delayed or switched there. 0: all as before; 1: "
    "changed; 2: not finite.\n"
    "static int @_discrete(@_state* s, const @_inputs* u) {\n"
    "  const double t = s->t, beside = @_beside(t);\n"
    "  const @_state before = *s;\n"
    "  @_instant x;\n"
    "  int due = 0, changed = 0;\n"
    "  for (int i = 0; i < @_HELD; i++) {\n"
    "    const int now = @_is_due(i, t);\n"
    "    x.due[i] = now;\n"
    "    due |= now;\n"
    "  }\n"
    "  // a step function sampled where it steps has stepped\n"
    "  if (@_kink_after(t - 3 * beside) <= t + beside) s->t = t + beside;\n";

static const char sample_text[] =
    "  if (due) {\n"
    "    @_samples_of(s, u, &x);\n"
    "    for (int i = 0; i < @_HELD; i++) s->w[i] = x.w[i], s->w_kept[i] = x.kept[i];\n";

static const char end_text[] =
    "  }\n"
    "  s->t = t;\n"
    "  double sum = 0;\n"
    "  for (int i = 0; i < @_HELD; i++) {\n"
    "    changed = changed || s->w[i] != before.w[i];\n"
    "    sum += s->w[i] * 0 + s->w_kept[i] * 0;\n"
    "  }\n"
    "  return sum == 0 ? changed : 2;\n"
    "}\n\n";

void sar_generation_discrete(const SarGeneration* g, SarWriter* w) {
  const char* n = g->o.name;
  const bool relays = has_relays(g->m);
  sar_write(
      w, "// Held values: period [s] (0: no instants) and first instant.\nenum { %s_HELD = %d };\n",
      n, g->m->ndiscrete);
  sar_generation_times(g, w, "period", g->m->ndiscrete, g->m->discrete_period);
  sar_generation_times(g, w, "offset", g->m->ndiscrete, g->m->discrete_offset);
  sar_write(w, "\n");
  sar_runtime_text(w, n, due_text);
  if (relays) sar_runtime_text(w, n, relays_text);
  sar_runtime_text(w, n, update_text);
  if (relays) sar_write(w, "  %s_settle(s, u);\n", n);
  sar_runtime_text(w, n, sample_text);
  if (relays) sar_write(w, "    %s_settle(s, u);\n", n);
  sar_runtime_text(w, n, end_text);
}
