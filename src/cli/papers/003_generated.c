// Tables 1 and 3 of paper 003 by generated C, as the paper has them: time of a second of the motion
// (explicit Euler, 1 ms), of closing the loops alone (kinematic simulation), and what is left of
// the constraints.
#include "cli/papers/003.h"

#include "base/clock.h"
#include "codegen/compiled.h"
#include "codegen/generate.h"
#include "dynamics/constraints.h"
#include "dynamics/tree.h"
#include "formulations/embedding/plan.h"
#include "model/sim.h"

#include <math.h>
#include <string.h>

enum { STEPS = 3000, EVERY = 100, REPEAT = 3 };

// state: t, q, v, z as in m_state
typedef int Function(int closing, int steps, double* state);

typedef struct Code {
  const SarModel* m;
  SarData* d;
  SarSim* sim;
  SarArena arena;
  SarCompiled compiled;
  Function* function;
  double* state;
} Code;

// ---- making it ----------------------------------------------------------------------------------

static const char DRIVER[] =
    "int sarrus_paper(int closing, int steps, double* state);\n"
    "int sarrus_paper(int closing, int steps, double* state) {\n"
    "  m_state s;\n  m_inputs u;\n  m_default_inputs(&u);\n"
    "  if (steps == 0) m_start((m_state*)state);\n"
    "  memcpy(&s, state, sizeof s);\n"
    "  for (int i = 0; i < steps; i++)\n"
    "    if (closing ? CLOSE : m_step(&s, &u, 1e-3)) return 1;\n"
    "  memcpy(state, &s, sizeof s);\n"
    "  return 0;\n}\n";

// A step of the kinematic simulation: the first independent coordinate moves a little, to and fro.
static void write_drive(const SarGeneration* g, SarWriter* w) {
  const SarModel* m = g->m;
  if (!g->partition) {
    sar_write(w, "#define CLOSE 0\n");
    return;
  }
  const int dof = g->partition->dof[0], joint = m->dof_body[dof];
  sar_write(w, "#define CLOSE (s.q[%d] += 1e-5 * cos(2e-3 * i), m_close(&s, &u))\n",
            m->joint_qadr[joint] + dof - m->joint_vadr[joint]);
}

// Header and source in one text.
static SarStatus write_text(SarGeneration* g, SarWriter* w) {
  SAR_TRY(sar_generation_write(g));
  const char* once = "#pragma once";
  const char* include = "#include \"m.h\"";
  sar_write(w, "%.*s", g->header.text.count, g->header.text.items);
  sar_write(w, "%.*s", g->source.text.count, g->source.text.items);
  if (g->arena->failed) return SAR_NO_MEMORY;
  for (int i = 0; i < 2; i++) {  // these lines are blanked
    char* at = w->text.items;
    const char* word = i ? include : once;
    for (; at < w->text.items + w->text.count - strlen(word); at++)
      if (memcmp(at, word, strlen(word)) == 0) {
        memset(at, ' ', strlen(word));
        break;
      }
  }
  write_drive(g, w);
  sar_write(w, "%s", DRIVER);
  return g->arena->failed ? SAR_NO_MEMORY : SAR_OK;
}

// All unknowns and rows of a flow in one block, for Newton's method.
static const SarLoopFlow* one_block(SarArena* arena, const SarModel* m, const SarLoopFlow* from) {
  SarLoopFlow* f = SAR_ARENA_NEW(arena, SarLoopFlow);
  SarLoopBlock* b = SAR_ARENA_NEW(arena, SarLoopBlock);
  int* place = SAR_ARENA_ARRAY(arena, int, m->nv + 1);
  if (!from || !f || !b || !place) return NULL;
  *f = (SarLoopFlow){.blocks = 1, .block = b, .dependent = from->dependent, .iterated = 1};
  *b = (SarLoopBlock){.kind = SAR_LOOP_NEWTON};
  b->row = SAR_ARENA_ARRAY(arena, int, from->dependent + 1);
  b->dof = SAR_ARENA_ARRAY(arena, int, from->dependent + 1);
  if (!b->row || !b->dof) return NULL;
  for (int k = 0; k < from->blocks; k++)
    for (int i = 0; i < from->block[k].size; i++, b->size++) {
      b->row[b->size] = from->block[k].row[i];
      b->dof[b->size] = from->block[k].dof[i];
    }
  b->rows = b->size;
  for (int i = 0; i < m->nv; i++) place[i] = from->dof_block[i] < 0 ? -1 : 0;
  f->dof_block = place;
  return f;
}

static SarStatus begin(Code* c, const char* method, const char* kinematics, char* why, size_t size,
                       SarError* err) {
  SarSimOptions o = sar_sim_options();
  SarGeneration g;
  SarWriter w = {.arena = &c->arena};
  SarGenerateOptions how = {.name = "m", .model = "paper 003", .integrator = SAR_GENERATE_EULER};
  const bool embedding = strcmp(method, "embedding") == 0;
  how.method = embedding ? SAR_GENERATE_EMBEDDING : SAR_GENERATE_LAGRANGE;
  o.formulation = method;
  const bool all = kinematics && strcmp(kinematics, "newton-all") == 0;
  o.kinematics = all ? "newton" : kinematics;
  SAR_TRY(sar_data_new(c->m, &c->d, err));
  SAR_TRY(sar_sim_new(c->m, c->d, &o, &c->sim, err));
  if (embedding) how.flow = sar_embedding_flow(c->sim);
  if (all) how.flow = one_block(&c->arena, c->m, how.flow);
  SAR_TRY(sar_generation_begin(&g, c->m, c->d, &how, &c->arena, err));
  SAR_TRY(write_text(&g, &w));
  c->state = SAR_ARENA_ARRAY(&c->arena, double, 1 + c->m->nq + c->m->nv + c->m->nz);
  if (!c->state) return SAR_NO_MEMORY;
  if (sar_compiled_open(&c->compiled, w.text.items, (size_t)w.text.count, "sarrus_paper", NULL, why,
                        size))
    memcpy(&c->function, &c->compiled.function, sizeof c->function);
  return SAR_OK;
}

static void end(Code* c) {
  sar_compiled_close(&c->compiled);
  sar_sim_free(c->sim);
  sar_data_free(c->d);
  sar_arena_free(&c->arena);
}

// ---- measuring it -------------------------------------------------------------------------------

static double violation(Code* c) {
  double most = 0;
  memcpy(c->d->q, c->state + 1, (size_t)c->m->nq * sizeof(double));
  c->d->t = c->state[0];
  sar_update_kinematics(c->m, c->d);
  sar_update_world(c->m, c->d);
  sar_update_constraints(c->m, c->d);
  for (int i = 0; i < c->m->nrow; i++) most = fmax(most, fabs(c->d->Phi[i]));
  return most;
}

// ms for a second; NaN: it did not get through
static double time_of(Code* c, int closing, double* peak) {
  double least = HUGE_VAL;
  for (int k = 0; k < paper_rounds(REPEAT); k++) {
    double cpu = 0;
    c->function(0, 0, c->state);
    for (int i = 0; i < STEPS; i += EVERY) {
      const double from = sar_clock_cpu();
      if (c->function(closing, EVERY, c->state) != 0) return (double)NAN;
      cpu += sar_clock_cpu() - from;
      *peak = fmax(*peak, violation(c));
    }
    least = fmin(least, cpu);
  }
  return least / (STEPS * 1e-3) * 1e3;
}

SarStatus paper_003_generated(PaperReport* r, const char* table, const SarModel* m,
                              const Paper003Code* rows, int count, SarError* err) {
  SarStatus st = SAR_OK;
  for (int i = 0; i < count && st == SAR_OK; i++) {
    const Paper003Code* row = &rows[i];
    Code c = {.m = m};
    char why[300] = "", name[48];
    sar_arena_init(&c.arena);
    st = begin(&c, row->method, row->kinematics, why, sizeof why, err);
    snprintf(name, sizeof name, "C: %s", row->name);
    if (st == SAR_OK && !c.function) {
      paper_add(r, table, name, "dynamic [ms/s]", row->dynamic, (double)NAN, why);
    } else if (st == SAR_OK) {
      double peak = 0, ignored = 0;
      paper_add(r, table, name, "dynamic [ms/s]", row->dynamic, time_of(&c, 0, &peak),
                "generated C, -O2");
      paper_add(r, table, name, "peak violation", (double)NAN, peak, NULL);
      if (row->kinematic > 0)
        paper_add(r, table, name, "kinematic [ms/s]", row->kinematic, time_of(&c, 1, &ignored),
                  "closing with speeds");
    }
    end(&c);
  }
  return st;
}
