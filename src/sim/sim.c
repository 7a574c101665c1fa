// Life of a simulation: one block of memory that holds everything a step needs.
#include "base/block.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/pool.h"
#include "base/print.h"
#include "base/sized.h"
#include "dynamics/knots.h"
#include "dynamics/projection.h"
#include "dynamics/sharing.h"
#include "formulations/implicit/states.h"
#include "integrators/stage.h"
#include "model/room.h"
#include "sim/events.h"
#include "sim/judge.h"
#include "sim/method.h"
#include "sim/outputs.h"
#include "sim/setup.h"
#include "sim/state.h"

#include <stdio.h>
#include <string.h>

// Constraints that hold some motion with less than this share of their grip are not believed by
// projections, where rounding grows as its inverse square (accelerations:
// formulations/index1/singular.c); and Newton's method takes differences of it.
enum { ITERATIONS = 20 };  // of implicit integrators
static const double FAINT = 1e-6, FAINT_IMPLICIT = 1e-4;

// Runs of coordinates that are integrated alike; returns their number. out Nullable: only counts.
static int find_spans(const SarModel* m, SarSpan* out) {
  int count = 0;
  bool open = false;  // the last span is plain and may grow
  for (int b = 0; b < m->nbody; b++) {
    if (m->joint_nv[b] == 0) continue;
    bool plain = !m->joint_kind[b]->retract;
    if (plain && open) {
      if (out) out[count - 1].nv += m->joint_nv[b];
      continue;
    }
    if (out)
      out[count] = (SarSpan){.joint = plain ? -1 : b,
                             .qadr = m->joint_qadr[b],
                             .vadr = m->joint_vadr[b],
                             .nv = m->joint_nv[b]};
    count++;
    open = plain;
  }
  return count;
}

static void lay_out_instant(SarInstant* out, const SarModel* m, SarBlock* b) {
  SAR_PIECE(b, out->q, m->nq_all);
  SAR_PIECE(b, out->v, m->nv_all);
  SAR_PIECE(b, out->z, m->nz);
  SAR_PIECE(b, out->work, m->nwork);
  SAR_PIECE(b, out->a, m->nv);
  SAR_PIECE(b, out->z_rate, m->nz);
  SAR_PIECE(b, out->power, m->nwork);
}

// Do columns show what redundant constraints leave undecided, or do expressions use it?
static bool must_share(const SarModel* m, const SarLoops* loops) {
  if (!sar_sharing_needed(m, loops ? loops->freedom.rank : m->nrow)) return false;
  return sar_columns_need(m->channel, m->nchannel, SAR_NEEDS_REACTIONS) ||
         sar_columns_need(m->held, m->nheld, SAR_NEEDS_REACTIONS);
}

// What is in the block beside the simulation itself.
typedef struct Parts {
  size_t formulation, integrator, events, stack;  // bytes
  bool projects, shares;
} Parts;

static Parts parts_of(const SarModel* m, const SarSimOptions* o, const SarFormulation* f,
                      const SarIntegrator* i, const SarLoops* loops) {
  Parts z = {.events = sar_events_size(m),
             .projects = loops && (o->project || f->closes) && m->nrow > 0 && !f->stabilised,
             .shares = must_share(m, loops)};
  if (f->state_size) z.formulation = f->state_size(m, o);
  if (f->stack_size) z.stack += sar_rounded(f->stack_size(m));
  const bool steps = sar_integrator_steps(f);
  if (steps && i->state_size) z.integrator = i->state_size(m, o);
  if (steps && i->stack_size) z.stack += sar_rounded(i->stack_size(m));
  z.stack += sar_doubles((size_t)sar_stage_size(m));  // locating kinks
  return z;
}

// Those parts that are structs with pieces of their own: only counted where there is no memory yet.
static void lay_out_projection(SarSim* s, SarBlock* b) {
  SarProjection counted;
  SAR_PIECE(b, s->projection, 1);
  sar_projection_init(b->memory ? s->projection : &counted, s->m, s->row_size, s->faint, b);
}

static void lay_out_sharing(SarSim* s, SarBlock* b) {
  SarSharing counted;
  SAR_PIECE(b, s->sharing, 1);
  sar_sharing_init(b->memory ? s->sharing : &counted, s->m, b);
}

static void lay_out(SarSim* s, const Parts* z, SarBlock* b) {
  const SarModel* m = s->m;
  s->formulation_state = SAR_BYTES(b, z->formulation);
  s->integrator_state = SAR_BYTES(b, z->integrator);
  SAR_PIECE(b, s->row_unit, m->nrow);
  SAR_PIECE(b, s->dof_unit, m->nrow > 0 ? m->nv : 0);
  if (z->projects) lay_out_projection(s, b);
  void* events = SAR_BYTES(b, z->events);
  if (z->shares) lay_out_sharing(s, b);
  lay_out_instant(&s->start, m, b);
  SAR_PIECE(b, s->start_switch, m->nswitch);
  SAR_PIECE(b, s->end_switch, m->nswitch);
  SAR_PIECE(b, s->span, find_spans(m, NULL));
  s->stack = SAR_BYTES(b, z->stack);
  s->stack_size = z->stack;
  if (!b->memory) return;
  if (z->events > 0) sar_events_init(s, events);
  s->size = m->nrow > 0 ? sar_row_units(m, s->row_unit) : 1;
  if (m->nrow > 0) sar_dof_units(m, s->dof_unit);
  s->nspan = find_spans(m, s->span);
}

static size_t size_of(const SarModel* m, const Parts* z) {
  SarSim s = {.m = m, .faint = 1};
  SarBlock b = sar_block(NULL, sizeof s);
  lay_out(&s, z, &b);
  return b.used;
}

// What is known of the constraints becomes part of the state.
static void know_loops(const SarModel* m, SarData* d, const SarLoops* loops) {
  const size_t rows = (size_t)m->nrow;
  if (loops->row_order == d->row_order) return;
  d->freedom = loops->freedom;
  if (!d->assembled) d->freedom_start = loops->freedom;
  if (rows > 0) {
    memcpy(d->row_order, loops->row_order, rows * sizeof *d->row_order);
    memcpy(d->row_size, loops->row_size, rows * sizeof *d->row_size);
    if (!d->assembled) memcpy(d->row_order_start, loops->row_order, rows * sizeof *d->row_order);
  }
  d->assembled = 1;
  d->version++;
}

static SarStatus start_threads(SarSim* s, SarError* err) {
  const SarStatus st = s->options.threads > 1 && s->formulation->shape == SAR_SHAPE_IMPULSE
                           ? sar_pool_new(s->options.threads, &s->pool)
                           : SAR_OK;
  if (st != SAR_OK) sar_report(err, (SarLoc){0}, "", "starting threads: out of memory");
  return st;
}

SarStatus sar_sim_setup(const SarModel* m, SarData* d, const SarSimOptions* o,
                        const SarFormulation* formulation, const SarIntegrator* integrator,
                        const SarLoops* loops, SarSim** out, SarError* err) {
  *out = NULL;
  const Parts z = parts_of(m, o, formulation, integrator, loops);
  const size_t bytes = size_of(m, &z);
  SarStatus st;
  char doing[96];
  sar_snprintf(doing, sizeof doing, "making a simulation by '%s' with '%s'", formulation->name,
               integrator->name);
  SarSim* s = sar_take_for(m, bytes, doing, &st, err);
  if (!s) return st;
  s->m = m;
  s->d = d;
  s->options = *o;
  s->formulation = formulation;
  s->reason = "";
  s->integrator = integrator;
  s->adaptive = o->adaptive == 1;
  sar_method_fill(s);
  s->worst = -1;
  s->stats.scratch_bytes = bytes;
  s->now = sar_clock_wall;
  if (s->options.max_iterations == 0)
    s->options.max_iterations = formulation->impulses.max_iterations > 0
                                    ? formulation->impulses.max_iterations
                                    : ITERATIONS;
  s->faint = integrator->implicit ? FAINT_IMPLICIT : FAINT;
  if (integrator->newmark.scheme) s->scheme = integrator->newmark.scheme(&s->options);
  if (integrator->multistep.rule) s->rule = integrator->multistep.rule(&s->options);
  if (loops) know_loops(m, d, loops);
  s->freedom = d->freedom;
  s->row_order = d->row_order;
  s->row_size = d->row_size;
  SarBlock b = sar_block(s, sizeof *s);
  lay_out(s, &z, &b);
  sar_a_becomes(d, false);
  sar_events_start(s);
  st = start_threads(s, err);
  d->friction = formulation->friction;
  if (st == SAR_OK && formulation->start) st = formulation->start(s, err);
  if (st == SAR_OK && integrator->start && sar_integrator_steps(formulation))
    st = integrator->start(s, err);
  sar_judge_declare(s);
  if (sar_shape_is_implicit(formulation->shape)) sar_implicit_states_declare(s);
  if (st == SAR_OK) st = sar_state_open(s, err);
  d->friction = SAR_FRICTION_SMOOTH;
  SarEnergy energy;
  if (st == SAR_OK) {
    st = sar_energy(d, &energy);  // opens the account
    char knot[320];
    if (sar_knot_words(m, d, knot, sizeof knot)[0]) {
      sar_report(err, (SarLoc){0}, "", "%s", knot);
      st = SAR_SINGULAR;
    } else if (st != SAR_OK)
      sar_report(err, (SarLoc){0}, "look for numbers out of range, or a division by zero",
                 "the energy at the start is not finite");
  }
  if (st != SAR_OK) {
    sar_sim_free(s);
    return st;
  }
  *out = s;
  return SAR_OK;
}

SAR_API void sar_sim_free(SarSim* s) {
  if (!s) return;
  s->call.finish_integrator(s);
  s->call.finish(s);
  sar_pool_free(s->pool);
  sar_free(s->before);
  sar_free(s);
}

SAR_API void sar_stats_sized(const SarSim* s, SarStats* out, size_t size) {
  const SarStats none = {0};
  if (out) sar_give(out, size, s ? &s->stats : &none, sizeof none);
}

SAR_API const char* sar_sim_trouble(const SarSim* s) { return s ? s->trouble : ""; }

double* sar_push_doubles(SarSim* s, int n) {
  size_t bytes = sar_doubles((size_t)n);
  if (bytes > s->stack_size - s->stack_used) return NULL;
  void* p = s->stack + s->stack_used;
  s->stack_used += bytes;
  if (s->stack_used > s->stats.scratch_peak) s->stats.scratch_peak = s->stack_used;
  return p;
}
