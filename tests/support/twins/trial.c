#include "support/twins/trial.h"

#include "sim/outputs/outputs.h"
#include "support/test.h"
#include "support/twins/laws.h"

#include <math.h>

const char* const GROUP_NAME[GROUPS] = {
    [GROUP_POSITION] = "position",
    [GROUP_ROTATION] = "orientation",
    [GROUP_VELOCITY] = "velocity",
    [GROUP_OMEGA] = "angular velocity",
    [GROUP_ACCELERATION] = "acceleration",
    [GROUP_JOINT_Q] = "joint coordinates",
    [GROUP_JOINT_V] = "joint speeds",
    [GROUP_JOINT_A] = "joint accelerations",
    [GROUP_REACTION_FORCE] = "reactions, forces",
    [GROUP_REACTION_TORQUE] = "reactions, torques",
    [GROUP_ENERGY] = "energy",
    [GROUP_WORK] = "work",
    [GROUP_ELEMENT] = "force elements",
    [GROUP_CONSTRAINT] = "constraints",
    [GROUP_CONTACT] = "contact forces",
    [GROUP_EXPRESSION] = "expressions",
};

TrialGroup trial_group(const SarChannel* c) {
  static const struct {
    const SarOutputKind* of;
    TrialGroup group;
  } GROUP[] = {
      {&sar_output_energy, GROUP_ENERGY},
      {&sar_output_momentum, GROUP_ENERGY},
      {&sar_output_work, GROUP_WORK},
      {&sar_output_joint_position, GROUP_JOINT_Q},
      {&sar_output_joint_velocity, GROUP_JOINT_V},
      {&sar_output_joint_acceleration, GROUP_JOINT_A},
      {&sar_output_body_position, GROUP_POSITION},
      {&sar_output_body_velocity, GROUP_VELOCITY},
      {&sar_output_body_acceleration, GROUP_ACCELERATION},
      {&sar_output_body_orientation, GROUP_ROTATION},
      {&sar_output_body_omega, GROUP_OMEGA},
      {&sar_output_gyro, GROUP_OMEGA},
      {&sar_output_velocimeter, GROUP_VELOCITY},
      {&sar_output_accelerometer, GROUP_ACCELERATION},
      {&sar_output_force, GROUP_ELEMENT},
      {&sar_output_constraint, GROUP_CONSTRAINT},
      {&sar_output_contact, GROUP_CONTACT},
  };
  if (c->kind == &sar_output_reaction || c->kind == &sar_output_load)
    return c->component < 3 ? GROUP_REACTION_FORCE : GROUP_REACTION_TORQUE;
  for (size_t i = 0; i < sizeof GROUP / sizeof *GROUP; i++)
    if (GROUP[i].of == c->kind) return GROUP[i].group;
  return GROUP_EXPRESSION;
}

// ---- running -----------------------------------------------------------------------------------

static void perturb(const SarModel* m, SarData* d, double by) {
  Rng r = rng_seed(7);
  for (int i = 0; i < m->nv; i++) d->v[i] += by * (1 + fabs(d->v[i])) * rng_uniform(&r, -1, 1);
  for (int b = 0; b < m->nbody; b++)
    for (int i = 0; !m->joint_kind[b]->retract && i < m->joint_kind[b]->nq; i++) {
      double* q = &d->q[m->joint_qadr[b] + i];
      *q += by * (1 + fabs(*q)) * rng_uniform(&r, -1, 1);
    }
}

// States start where the mechanism is assembled: after that.
static void perturb_states(const SarModel* m, SarData* d, double by) {
  Rng r = rng_seed(8);
  for (int i = 0; i < m->nz; i++) d->z[i] += by * (1 + fabs(d->z[i])) * rng_uniform(&r, -1, 1);
}

static void add_row(TrialRun* out, const TwinColumns* c, SarSim* s) {
  double* values = malloc((size_t)(c->twin->nchannel + 1) * sizeof *values);
  out->status = sar_outputs(s, values);
  if (out->status == SAR_OK) columns_take_back(c, values, &out->value[out->rows++ * c->count]);
  if (out->status == SAR_OK && out->rows == TRIAL_ROWS + 1) out->balance = law_balance(s, values);
  free(values);
}

// A copy of the state goes on with a simulation of its own.
static SarStatus resume(const SarModel* m, const SarSimOptions* o, SarData** d, SarSim** s) {
  SarData* copy;
  SarStatus st = sar_data_new(m, &copy, NULL);
  if (st != SAR_OK) return st;
  st = sar_data_copy(copy, *d);
  sar_sim_free(*s);
  sar_data_free(*d);
  *d = copy;
  *s = NULL;
  return st == SAR_OK ? sar_sim_new(m, copy, o, s, NULL) : st;
}

static SarSimOptions options_of(const Trial* trial, const Twin* t) {
  SarSimOptions o = sar_sim_options();
  o.formulation = trial->formulation->name;
  o.integrator = trial->integrator->name;
  o.step = trial->step * t->similarity.time;
  o.adaptive = 0;
  o.newton_tolerance = TRIAL_NEWTON;
  o.rtol = 1e-11;  // of the trapezoidal rule's iteration; the absolute one is a speed
  o.atol = 1e-12 * fmin(1, t->similarity.length) / t->similarity.time;
  return o;
}

// Rows of the results elsewhere: steps end there, and others follow.
static SarStatus step_elsewhere(SarSim* s, double end, Rng* r) {
  const double begin = sar_time(s->d);
  const SarStatus st = sar_advance(s, begin + rng_uniform(r, 0.2, 0.8) * (end - begin));
  return st == SAR_OK ? sar_advance(s, end) : st;
}

static void make_steps(const Trial* trial, const TwinColumns* c, SarData** d, SarSim** s,
                       const SarSimOptions* o, TrialRun* out) {
  const Twin* t = c->t;
  Rng r = rng_seed(5);
  for (int k = 0; k < TRIAL_ROWS * trial->steps && out->status == SAR_OK; k++) {
    if (t->kind == TWIN_RESUMED && k == TRIAL_ROWS * trial->steps / 2) {
      out->status = resume(t->model, o, d, s);
      if (out->status != SAR_OK) return;
    }
    out->status = t->kind == TWIN_ROWS ? step_elsewhere(*s, (k + 1) * o->step, &r) : sar_step(*s);
    if (out->status == SAR_OK && t->kind == TWIN_LOOKED_AT) {
      const int rows = out->rows;
      add_row(out, c, *s);
      out->rows = rows;
    }
    if (out->status == SAR_OK && (k + 1) % trial->steps == 0) add_row(out, c, *s);
  }
}

// Beside where the run begins: that is found first (loops closed, equations of `initial` solved).
static SarStatus set_up_beside(const SarModel* m, SarData* d, const SarSimOptions* o, double by,
                               SarError* err) {
  SarSim* s = NULL;
  const SarStatus st = sar_sim_new(m, d, o, &s, err);
  sar_sim_free(s);
  if (st == SAR_OK) perturb(m, d, by);
  return st;
}

void trial_run(const Trial* trial, const SarModel* m, Twin* t, double perturbation, TrialRun* out) {
  SarError err;
  SarData* d = NULL;
  SarSim* s = NULL;
  TwinColumns c;
  const SarSimOptions o = options_of(trial, t);
  *out = (TrialRun){
      .value = calloc((size_t)(TRIAL_ROWS + 2) * (size_t)(m->nchannel + 1), sizeof(double))};
  columns_match(m, t, &c);
  sar_error_init(&err);
  out->status = sar_data_new(t->model, &d, &err);
  if (out->status == SAR_OK && perturbation > 0)
    out->status = set_up_beside(t->model, d, &o, perturbation, &err);
  if (out->status == SAR_OK) out->status = sar_sim_new(t->model, d, &o, &s, &err);
  out->set_up = out->status == SAR_OK;
  if (out->set_up) {
    if (perturbation > 0) perturb_states(t->model, d, perturbation);
    out->freedom = s->freedom;
    add_row(out, &c, s);
    make_steps(trial, &c, &d, &s, &o, out);
  }
  snprintf(out->said, sizeof out->said, "%.290s",
           s && sar_sim_trouble(s)[0] ? sar_sim_trouble(s)
           : err.count                ? err.items[0].text
                                      : sar_status_text(out->status));
  if (s) out->stats = sar_stats(s);
  sar_sim_free(s);
  sar_data_free(d);
}

void trial_free(TrialRun* r) { free(r->value); }

// ---- comparing ---------------------------------------------------------------------------------

// Potential energies count from anywhere.
static double value_of(const SarModel* m, const TrialRun* r, int row, int i) {
  const double x = r->value[row * m->nchannel + i];
  const SarChannel* c = &m->channel[i];
  if (c->kind == &sar_output_energy && (c->component == 1 || c->component == 2))
    return x - r->value[i];
  return x;
}

// Where everything is at rest, or no force acts, weight and size give the scale.
static void least_scales(const SarModel* m, const Trial* trial, const double* scale,
                         double* least) {
  double mass = 0;
  for (int b = 0; b < m->nbody; b++) mass += m->body_inertia[b].m;
  const double size = fmax(scale[GROUP_POSITION], 1e-3),
               T = TRIAL_ROWS * trial->steps * trial->step;
  const double g = fmax(sar_gravity_size(m), 1e-3 * size / (T * T));
  least[GROUP_POSITION] = size;
  least[GROUP_ROTATION] = 1;
  least[GROUP_VELOCITY] = g * T;
  least[GROUP_OMEGA] = g * T / size;
  least[GROUP_ACCELERATION] = g;
  least[GROUP_JOINT_Q] = fmax(1, size);
  least[GROUP_JOINT_V] = fmax(g * T, g * T / size);
  least[GROUP_JOINT_A] = fmax(g, g / size);
  // what turns freely turns by w x I w, of the size of its energy, whatever its weight
  least[GROUP_REACTION_FORCE] = least[GROUP_CONTACT] = fmax(mass * g, scale[GROUP_ENERGY] / size);
  least[GROUP_REACTION_TORQUE] = fmax(mass * g * size, scale[GROUP_ENERGY]);
  least[GROUP_ENERGY] = least[GROUP_WORK] = mass * g * fmin(size, g * T * T);
  least[GROUP_ELEMENT] = least[GROUP_ENERGY];
  least[GROUP_CONSTRAINT] = mass * g * fmax(1, size);
  least[GROUP_EXPRESSION] = 1e-3;
}

void trial_scales(const SarModel* m, const Trial* trial, const TrialRun* r, double scale[GROUPS]) {
  double least[GROUPS];
  for (int g = 0; g < GROUPS; g++) scale[g] = 0;
  for (int row = 0; row < r->rows; row++)
    for (int i = 0; i < m->nchannel; i++) {
      const TrialGroup g = trial_group(&m->channel[i]);
      scale[g] = fmax(scale[g], fabs(value_of(m, r, row, i)));
    }
  scale[GROUP_WORK] = scale[GROUP_ENERGY] = fmax(scale[GROUP_WORK], scale[GROUP_ENERGY]);
  least_scales(m, trial, scale, least);
  for (int g = 0; g < GROUPS; g++) scale[g] = fmax(scale[g], least[g]);
}

static bool is_quaternion(const SarModel* m, const SarChannel* c) {
  if (c->kind == &sar_output_body_orientation) return true;
  const SarJointKind* k = c->kind == &sar_output_joint_position ? m->joint_kind[c->index] : NULL;
  return k && k->nq > k->nv && c->component >= k->nq - 4;
}

// Quaternions of either sign are one rotation.
static double quaternions_apart(const double* a, const double* b) {
  double same = 0, other = 0;
  for (int i = 0; i < 4; i++) {
    same = fmax(same, fabs(a[i] - b[i]));
    other = fmax(other, fabs(a[i] + b[i]));
  }
  return fmin(same, other);
}

void trial_apart(const TwinColumns* c, const TrialRun* a, const TrialRun* b, int row,
                 const double* scale, Apart* out) {
  const SarModel* m = c->m;
  *out = (Apart){{0}, {0}};
  for (int i = 0; i < m->nchannel; i++) {
    const SarChannel* ch = &m->channel[i];
    const TrialGroup g = trial_group(ch);
    if (c->at[i] < 0) continue;
    double off;
    if (is_quaternion(m, ch)) {
      const int first = ch->kind == &sar_output_body_orientation
                            ? i - ch->component
                            : i - (ch->component - (m->joint_kind[ch->index]->nq - 4));
      off = quaternions_apart(&a->value[row * m->nchannel + first],
                              &b->value[row * m->nchannel + first]);
    } else {
      off = fabs(value_of(m, a, row, i) - value_of(m, b, row, i)) / scale[g];
    }
    if (!(off <= out->most[g])) out->most[g] = off, out->column[g] = i;
  }
}
