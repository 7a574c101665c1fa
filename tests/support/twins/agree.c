#include "support/twins/agree.h"

#include "dynamics/projection.h"
#include "formulations/impulse/flight.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

const char* const BOUND_NAME[BOUNDS] = {"bits", "rounding", "method"};

// What a perturbation grows to at most, over the scale: beyond it rows have forgotten where they
// began.
static const double FORGOTTEN = 1e-3;
static const double RESOLVED = 1e-4;  // change with half the step at which a step is short enough
static const double ROOM = 10;        // over what a perturbation does, and over the method's error
enum { SHORTER = 6, STEPS = 5 };

// ---- the model ---------------------------------------------------------------------------------

// Twins differ by rounding and by what their iterations leave.
static double tolerance_of(const SarFormulation* f) {
  return f->shape == SAR_SHAPE_IMPULSE ? 1e-9 : 1e-10;
}

static double change(const Case* c, const TrialRun* a, const TrialRun* b) {
  TwinColumns own;
  Apart apart;
  double most = 0;
  columns_match(c->model.model, (Twin*)&c->model, &own);
  for (int row = 0; row < a->rows && row < b->rows; row++) {
    trial_apart(&own, a, b, row, c->scale, &apart);
    most = fmax(most, fmax(apart.most[GROUP_POSITION], apart.most[GROUP_VELOCITY]));
    if (isnan(apart.most[GROUP_VELOCITY])) return (double)INFINITY;
  }
  return most;
}

static Trial half(Trial t) {
  t.step /= 2, t.steps *= 2;
  return t;
}

// True: the step is short enough, and the two runs stay.
static bool try_step(Case* c) {
  const SarModel* m = c->model.model;
  const Trial halved = half(c->trial);
  trial_run(&c->trial, m, &c->model, 0, &c->run);
  if (!c->run.set_up) return false;
  trial_run(&halved, m, &c->model, 0, &c->halved);
  trial_scales(m, &c->trial, &c->halved, c->scale);
  if (c->run.status == SAR_OK && c->halved.status == SAR_OK &&
      change(c, &c->run, &c->halved) < RESOLVED)
    return true;
  trial_free(&c->run);
  trial_free(&c->halved);
  c->run.value = c->halved.value = NULL;
  return false;
}

// One of those that make fixed steps with this formulation. `adams` came after the others: every
// sixth case has it, and the rest keep what they had.
static const SarIntegrator* some_integrator(const SarFormulation* f, uint64_t seed) {
  const SarIntegrator* fit[32];
  int count = 0;
  for (int i = 0; sar_integrator(i) && count < 32; i++) {
    const SarIntegrator* x = sar_integrator(i);
    const bool there = !x->missing && strcmp(x->name, "adams") != 0;
    if (there && sar_goes_with(f, x) && (x->can_fix || (x->serves & SAR_FOR_IMPULSE)))
      fit[count++] = x;
  }
  const SarIntegrator* adams = sar_integrator_find("adams");
  if (sar_goes_with(f, adams) && seed / 1000 % 6 == 0) return adams;
  return fit[seed % (uint64_t)count];
}

void case_open(Case* c, const char* path, const SarFormulation* f, uint64_t seed, bool absolute) {
  *c = (Case){.path = path, .seed = seed, .absolute = absolute, .perturbation = tolerance_of(f)};
  twin_make(path, TWIN_SAME, seed, absolute, &c->model);
  snprintf(c->why, sizeof c->why, "%s", c->model.why);
  if (!c->model.model) return;
  const SarModel* m = c->model.model;
  c->trial = (Trial){f, some_integrator(f, seed), m->sim.step > 0 ? m->sim.step : 1e-3, STEPS};
  if (m->sim.end > 0) c->trial.step = fmin(c->trial.step, m->sim.end / 100);
  bool found = false;
  for (int i = 0; i < SHORTER && !found; i++) {
    if (i > 0) c->trial.step /= 4;
    found = try_step(c);
    snprintf(c->why, sizeof c->why, "%.300s", c->run.said);
    if (!c->run.set_up) break;
  }
  if (!found) return;
  trial_run(&c->trial, m, &c->model, c->perturbation, &c->perturbed);
  c->ready = true;
}

void case_close(Case* c) {
  trial_free(&c->run);
  trial_free(&c->halved);
  trial_free(&c->perturbed);
  twin_free(&c->model);
}

// ---- its twins ---------------------------------------------------------------------------------

static bool closes_loop(const SarModel* m, const char* name) {
  SarJointInfo info;
  const SarStatus st = sar_joint_info(m, sar_model_find(m, SAR_ITEM_JOINT, name), &info);
  return st == SAR_OK && info.role == SAR_JOINT_LOOP;
}

static bool same_cuts(const SarModel* m, const Twin* t) {
  char buf[256];
  if (m->ncut != t->model->ncut) return false;
  for (int k = 0; k < m->ncut; k++)
    if (!closes_loop(t->model, twin_name(t, sar_text(m, m->cut[k].name), buf, sizeof buf)))
      return false;
  return true;
}

// The tree's joints as the twin has them are those of the model: equal coordinates.
static bool same_coordinates(const SarModel* m, const Twin* t) {
  char buf[256];
  if (m->absolute != t->model->absolute || !same_cuts(m, t)) return false;
  for (int j = 0; j < m->nbody; j++)
    if (sar_model_find(t->model, SAR_ITEM_JOINT,
                       twin_name(t, sar_model_name(m, SAR_ITEM_JOINT, j), buf, sizeof buf)) < 0)
      return false;
  return true;
}

// Rows of a joint that is reversed are measured the other way round, in axes of the other body; and
// rotations of a reversed joint are other coordinates.
static bool reverses_rows(const SarModel* m, const Twin* t) {
  bool flips = false;
  for (int j = 0; j < m->nbody; j++)
    flips = flips || (m->joint_turned[j] && m->joint_kind[j]->flip);
  for (int j = 0; j < t->model->nbody; j++)
    flips = flips || (t->model->joint_turned[j] && t->model->joint_kind[j]->flip);
  return t->kind == TWIN_REVERSED && (flips || m->nrow > 0);
}

// Does the formulation choose by what it finds: independent coordinates, or the order in which it
// sweeps over contacts and constraints?
static bool chooses(const SarFormulation* f, const SarModel* m) {
  if (strcmp(f->name, "topological") == 0 || strcmp(f->name, "embedding") == 0) return m->nrow > 0;
  if (f->shape != SAR_SHAPE_IMPULSE) return false;
  return m->ncollider > 0 || (m->nrow > 0 && strcmp(f->name, "impulse") != 0);
}

static bool is_redundant(const Case* c) { return c->run.freedom.rank < c->run.freedom.rows; }

// Of redundant rows `lagrange` holds as many as are independent, in their order, and the others are
// open by the error of the steps: accelerations depend on which.
static bool keeps_some(const Case* c) {
  const char* name = c->trial.formulation->name;
  return is_redundant(c) && (strcmp(name, "lagrange") == 0 || strcmp(name, "generated") == 0 ||
                             strcmp(name, "impulse") == 0);
}

// A free body with nothing on it flies by the exponential map (formulations/impulse/flight.c); with
// one welded to it whose reaction is asked for it is a tree, and follows its equations of motion.
static bool flies_otherwise(const Case* c, const Twin* t) {
  const SarModel *m = c->model.model, *w = t->model;
  int singles = 0;
  if (c->trial.formulation->shape != SAR_SHAPE_IMPULSE) return false;
  for (int b = 0; b < m->nbody; b++) singles += sar_is_single_body(m, b);
  for (int b = 0; b < w->nbody; b++) singles -= sar_is_single_body(w, b);
  return singles != 0;
}

// Same numbers in the same order, the same up to rounding, or other equations for the same motion:
// other coordinates, rows or choices; stabilisation by constants that have a unit (baumgarte,
// penalty).
static Bound bound_of(const Case* c, const Twin* t) {
  const SarModel* m = c->model.model;
  const SarFormulation* f = c->trial.formulation;
  if (t->kind <= TWIN_REORDERED) return BOUND_BITS;
  if (t->kind == TWIN_ROWS) return BOUND_METHOD;
  const bool stabilised = f->stabilised && f->shape == SAR_SHAPE_ACCEL && m->nrow > 0;
  return !same_coordinates(m, t) || reverses_rows(m, t) || chooses(f, m) || stabilised ||
                 keeps_some(c) || flies_otherwise(c, t)
             ? BOUND_METHOD
             : BOUND_ROUNDING;
}

// How redundant constraints share their load is a convention that knows the unit of length and
// counts every joint there is (docs/theory/reactions.md); how contact points that stick share it is
// nobody's, and joints carry it from one to the other: two wheels may push each other sideways as
// hard as they like.
static bool counts(const Case* c, const Twin* t, int group) {
  if (group == GROUP_CONTACT) return t->kind <= TWIN_REORDERED;
  const bool load =
      group == GROUP_REACTION_FORCE || group == GROUP_REACTION_TORQUE || group == GROUP_CONSTRAINT;
  if (load && c->model.model->ncollider > 0) return t->kind <= TWIN_REORDERED;
  return !(load && is_redundant(c) && (t->kind == TWIN_UNITS || t->kind == TWIN_SPLIT));
}

typedef struct Judging {
  Case* c;
  const Twin* t;
  const TwinColumns* columns;
  const TrialRun *run, *halved;  // of the twin; the latter Nullable
  Verdict* out;
  Apart perturbed;  // the most that the change of the start has come to
} Judging;

// Newton's method leaves positions open by its tolerance, a share of the mechanism's size or an
// angle; speeds by that over the step, forces and accelerations by it over the square of the step.
static double left_by_newton(const Case* c, int group) {
  const double h = c->trial.step, angle = TRIAL_NEWTON;
  const double way = angle * sar_mechanism_size(c->model.model);
  if (!sar_shape_is_implicit(c->trial.formulation->shape)) return 0;
  switch (group) {
    case GROUP_VELOCITY: return way / (c->scale[group] * h);
    case GROUP_OMEGA: return angle / (c->scale[group] * h);
    case GROUP_EXPRESSION:  // a speed, perhaps
    case GROUP_JOINT_V: return fmax(way, angle) / (c->scale[group] * h);
    case GROUP_ACCELERATION: return way / (c->scale[group] * h * h);
    case GROUP_JOINT_A: return fmax(way, angle) / (c->scale[group] * h * h);
    case GROUP_REACTION_FORCE:
    case GROUP_REACTION_TORQUE:
    case GROUP_CONSTRAINT: return way / (c->scale[GROUP_ACCELERATION] * h * h);
    case GROUP_ENERGY:
    case GROUP_WORK:
    case GROUP_ELEMENT: return way / (c->scale[GROUP_VELOCITY] * h);
    default: return 0;
  }
}

// What one row of one group may be off.
static double allowed(const Judging* j, int group, const Apart* perturbed, const Apart* error,
                      const Apart* twin_error) {
  // matrices of radians beside metres get worse with the unit of length
  const double least = (j->t->kind == TWIN_UNITS ? 30 : 1) * j->c->perturbation;
  double bound = least + ROOM * perturbed->most[group];
  if (j->out->bound == BOUND_BITS) return 0;
  bound += ROOM * left_by_newton(j->c, group);
  // sweeps end within their own tolerance, which a shorter step does not show
  const double room = j->c->trial.formulation->shape == SAR_SHAPE_IMPULSE ? 3 * ROOM : ROOM;
  if (j->halved) bound += room * (error->most[group] + twin_error->most[group]);
  return bound;
}

// What swings passes zero, and does so in some row: the largest change up to the row counts.
static void grow(const Judging* j, int row, Apart* most) {
  Apart now;
  trial_apart(j->columns, &j->c->run, &j->c->perturbed, row, j->c->scale, &now);
  for (int g = 0; g < GROUPS; g++)
    if (isnan(now.most[g]) || now.most[g] > most->most[g]) most->most[g] = now.most[g];
}

static void judge_row(Judging* j, int row) {
  const Case* c = j->c;
  Apart apart, error = {{0}, {0}}, twin_error = {{0}, {0}};
  trial_apart(j->columns, &c->run, j->run, row, c->scale, &apart);
  grow(j, row, &j->perturbed);
  if (j->halved) {
    trial_apart(j->columns, &c->run, &c->halved, row, c->scale, &error);
    trial_apart(j->columns, j->run, j->halved, row, c->scale, &twin_error);
  }
  for (int g = 0; g < GROUPS; g++)
    if (j->out->bound != BOUND_BITS && !(j->perturbed.most[g] <= FORGOTTEN)) return;
  j->out->rows++;
  for (int g = 0; g < GROUPS; g++) {
    const double bound = allowed(j, g, &j->perturbed, &error, &twin_error);
    if (!counts(c, j->t, g) || apart.most[g] == 0) continue;
    const double ratio = apart.most[g] / bound;
    if (ratio <= j->out->ratio) continue;
    j->out->ratio = ratio;
    j->out->apart = apart.most[g];
    snprintf(j->out->where, sizeof j->out->where, "%s: %s in row %d (%.17g, %.17g)", GROUP_NAME[g],
             sar_model_name(c->model.model, SAR_ITEM_OUTPUT, apart.column[g]), row,
             c->run.value[row * c->model.model->nchannel + apart.column[g]],
             j->run->value[row * c->model.model->nchannel + apart.column[g]]);
  }
}

void case_judge(Case* c, TwinKind kind, Verdict* out) {
  Twin t;
  TrialRun run, halved = {0};
  TwinColumns columns;
  const SarModel* m = c->model.model;
  *out = (Verdict){0};
  twin_make(c->path, kind, c->seed, c->absolute, &t);
  snprintf(out->why, sizeof out->why, "%s", t.why);
  if (t.model) {
    trial_run(&c->trial, m, &t, 0, &run);
    out->made = run.status != SAR_NOT_OFFERED;
    snprintf(out->why, sizeof out->why, "%.300s", run.said);
    out->bound = bound_of(c, &t);
    const Trial shorter = half(c->trial);
    if (out->made && out->bound == BOUND_METHOD) trial_run(&shorter, m, &t, 0, &halved);
    columns_match(m, &t, &columns);
    Judging j = {c, &t, &columns, &run, halved.value ? &halved : NULL, out, {{0}, {0}}};
    for (int row = 0; out->made && row < run.rows && row < c->perturbed.rows; row++)
      judge_row(&j, row);
    if (out->made && out->rows == 0 && run.status == c->run.status) {
      out->made = false;
      snprintf(out->why, sizeof out->why, "no row remembers where the run began");
    }
    if (out->made && run.status != c->run.status) {
      out->ratio = (double)INFINITY;
      snprintf(out->where, sizeof out->where, "%.190s", run.said);
    }
    trial_free(&run);
    trial_free(&halved);
  }
  twin_free(&t);
}
