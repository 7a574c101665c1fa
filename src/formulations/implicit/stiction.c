// Active set (semismooth Newton method, complementarity of Coulomb friction) of dry friction in
// joints (stiction.h).
#include "formulations/implicit/stiction.h"

#include "base/block.h"
#include "formulations/implicit/stiction_path.h"

#include <math.h>

static const double GRIP = 1e8, GRIP_LOOPS = 1e4;
// of F: changes of f in an iteration after which it can be judged
static const double SETTLED = 0.05;
static const double HOPELESS = 1e3;  // times F: it cannot be held, whatever an iteration is worth
static const double STILL = 1e-6;    // of friction_speed: speeds that are none
static const double LOOSE = 10;      // projections leave a little more
// of F: rounding of what sticks; ten times more in every round after PATIENCE,
static const double SLACK = 1e-9;
static const double MOST_SLACK = 1e-4;  // up to this
static const double LEAST = 1e-4;       // of all inertia: at least so much is moved
enum { MANY = 12, MOST_ROUNDS = 100 };

static bool has_friction(const SarModel* m, int dof) { return m->dof_friction[dof] > 0; }

static int count_of(const SarModel* m) {
  int count = 0;
  for (int i = 0; i < m->nv_all; i++) count += has_friction(m, i);
  return count;
}

static double of_body(const SarModel* m, int body, bool length) {
  if (body < 0) return 0;
  const Inertia* I = &m->body_inertia[body];
  return length ? I->m : I->I.xx + I->I.yy + I->I.zz;
}

// About what a coordinate moves: all bodies that hang on its joint; of a joint that closes a loop,
// its two. It only has to be of the right size.
static double moved_by(const SarModel* m, int dof) {
  const int j = m->dof_body[dof];
  const bool length = m->joint_kind[j]->coordinate[dof - m->joint_vadr[j]] == SAR_LENGTH;
  double sum = 0, all = 0;
  for (int b = 0; b < m->nbody; b++) all += of_body(m, b, length);
  if (j >= m->nbody) {
    const SarCut* cut = &m->cut[j - m->nbody];
    sum = of_body(m, cut->body[0], length) + of_body(m, cut->body[1], length);
  } else {
    sum = m->dof_armature[dof];
    for (int b = j; b < j + m->body_subtree[j]; b++) sum += of_body(m, b, length);
  }
  return fmax(sum, LEAST * all);
}

void sar_stiction_layout(SarStiction* p, const SarModel* m, SarBlock* b) {
  const int n = count_of(m);
  SAR_PIECE(b, p->dof, n);
  SAR_PIECE(b, p->slides, n);
  SAR_PIECE(b, p->stops, n);
  SAR_PIECE(b, p->left, n);
  SAR_PIECE(b, p->returns, n);
  SAR_PIECE(b, p->speed, n);
  SAR_PIECE(b, p->last, n);
  SAR_PIECE(b, p->back, n);
  SAR_PIECE(b, p->inertia, n);
  SAR_PIECE(b, p->bias, n);
  SAR_PIECE(b, p->taken, n);
  SAR_PIECE(b, p->found, n);
  SAR_PIECE(b, p->taken_before, n);
  SAR_PIECE(b, p->held, n);
  SAR_PIECE(b, p->along, n);
  sar_central_path_layout(&p->path, n, b);
  if (!b->memory) return;
  p->count = 0;
  for (int i = 0; i < m->nv_all; i++) {
    if (!has_friction(m, i)) continue;
    p->dof[p->count] = i;
    p->inertia[p->count] = moved_by(m, i);
    p->bias[p->count] = p->speed[p->count] = p->back[p->count] = 0;
    p->taken[p->count] = p->found[p->count] = p->taken_before[p->count] = 0;
    p->stops[p->count] = p->left[p->count] = p->returns[p->count] = 0;
    p->slides[p->count++] = 0;
  }
}

// The component of x (d->v or d->a) that the file calls coordinate `dof`. (Accelerations of joints
// with several coordinates that the tree turns round miss a term of v: it vanishes where they
// rest.)
double sar_stiction_component(const SarModel* m, const SarData* d, const double* x, int dof) {
  const int joint = m->dof_body[dof], adr = m->joint_vadr[joint];
  if (!sar_joint_is_flipped(m, joint)) return x[dof];
  double q_file[SAR_JOINT_MAX_NQ], v_file[SAR_JOINT_MAX_NV];
  sar_joint_flip(m, joint, &d->q[m->joint_qadr[joint]], &x[adr], q_file, v_file);
  return v_file[dof - adr];
}

static double speed_of(const SarModel* m, const SarData* d, int dof) {
  return sar_stiction_component(m, d, d->v, dof);
}

static double still(const SarModel* m, int dof) { return STILL * m->dof_friction_speed[dof]; }

// Speeds that are none where a step begins.
static double at_rest(const SarStiction* p, const SarModel* m, int k) {
  return fmax(LOOSE * still(m, p->dof[k]), p->loose * m->dof_breakaway[p->dof[k]] / p->inertia[k]);
}

void sar_stiction_expect(SarStiction* p, const SarModel* m, double rate) {
  static const double LEFT = 4;  // of F / g
  p->loose = m->nrow > 0 ? LEFT / (GRIP_LOOPS * rate) : 0;
}

static bool is_on(const SarModel* m, const SarData* d, int dof) {
  return sar_joint_is_on(m, d, m->dof_body[dof]);
}

static double clamped(double x, double most) { return fmin(fmax(x, -most), most); }

// Most force in the direction `side`, which a coordinate that came to rest in this step may exceed.
double sar_stiction_most(const SarStiction* p, const SarModel* m, int k, int side, double v) {
  const double F = sar_friction_limit(m, p->dof[k], v);
  return p->stops[k] == side ? F * p->back[k] : F;
}

void sar_stiction_slide(SarStiction* p, const SarModel* m, SarData* d, int k, int direction,
                        double v) {
  const int dof = p->dof[k];
  p->slides[k] = direction;
  d->dof_stick[dof] = 0;
  d->dof_friction_force[dof] = -direction * sar_stiction_most(p, m, k, -direction, v);
  p->taken[k] = p->taken_before[k] = p->found[k] = v;
}

// It slides on at speed v, found with F(w): w by a secant. True: F is still on its way.
static bool slide_on(SarStiction* p, const SarModel* m, SarData* d, int k, double v) {
  static const double STEEP = 0.95, SETTLED_SLIDING = 1e-7;
  const int dof = p->dof[k], s = p->slides[k];
  const double before = d->dof_friction_force[dof];
  const double dw = p->taken[k] - p->taken_before[k], dv = v - p->found[k];
  const double slope = dw != 0 ? fmin(fmax(dv / dw, 0), STEEP) : 0;
  const double w = p->taken[k] + (v - p->taken[k]) / (1 - slope);
  p->taken_before[k] = p->taken[k];
  p->found[k] = v;
  p->taken[k] = w * s > 0 ? w : v;
  d->dof_friction_force[dof] = -s * sar_stiction_most(p, m, k, -s, p->taken[k]);
  return fabs(d->dof_friction_force[dof] - before) > SETTLED_SLIDING * m->dof_breakaway[dof];
}

void sar_stiction_stick(SarStiction* p, SarData* d, int k, double f) {
  p->slides[k] = 0;
  d->dof_stick[p->dof[k]] = p->inertia[k] * p->gain;
  d->dof_friction_force[p->dof[k]] = p->last[k] = f;
}

void sar_stiction_begin(SarStiction* p, const SarModel* m, SarData* d, double rate,
                        SarGrasp grasp) {
  p->rounds = p->singles = 0;
  p->patience = SAR_PATIENCE;
  p->fewest = p->count + 1;
  p->grasp = grasp;
  p->walk = SAR_PATH_AHEAD;
  p->gain = rate * (grasp == SAR_GRASP_LINEAR ? GRIP : GRIP_LOOPS);
  for (int k = 0; k < p->count; k++) {
    const int dof = p->dof[k];
    const double v = speed_of(m, d, dof);
    const bool rests = fabs(v) <= at_rest(p, m, k);
    p->speed[k] = rests ? 0 : v;
    p->stops[k] = p->left[k] = p->returns[k] = 0;
    const double before = d->dof_impulse[dof * SAR_DOF_IMPULSES + SAR_IMPULSE_FRICTION];
    const double F = sar_friction_limit(m, dof, 0);
    if (!is_on(m, d, dof) || !rests)
      sar_stiction_slide(p, m, d, k, v < 0 ? -1 : 1, v);
    else if (fabs(before) >= (1 - SLACK) * F)
      sar_stiction_slide(p, m, d, k, before > 0 ? -1 : 1, v);  // it is about to
    else
      sar_stiction_stick(p, d, k, before);
  }
}

// Where several joints share a load at their limits, rounding may switch them for ever.
static double slack_of(const SarStiction* p, double F) {
  const int beyond = p->singles;
  return F * fmin(SLACK * pow(10, beyond), MOST_SLACK);
}

// Sliding on would end with speed v, in the other direction.
static void stop(SarStiction* p, const SarModel* m, int k, double v) {
  const int s = p->slides[k];
  if (p->stops[k] != 0 || p->speed[k] * s <= 0 || v * s >= 0) return;
  const double theta = p->speed[k] / (p->speed[k] - v);
  const double falls =
      sar_friction_limit(m, p->dof[k], p->speed[k]) / sar_friction_limit(m, p->dof[k], 0);
  p->stops[k] = s;
  p->back[k] = (1 - 2 * theta) * falls + 2 * (1 - theta);
}

// One coordinate at `speed`, by v, which is its speed or acceleration, of which `small` is none.
// True: it violates its law and, if it may, switches.
static bool obey(SarStiction* p, const SarModel* m, SarData* d, int k, double speed, double v,
                 double small, bool may_switch) {
  const int dof = p->dof[k], s = p->slides[k];
  if (s != 0) {
    if (v * s >= -small) {
      if (sar_friction_falls(m, dof) && slide_on(p, m, d, k, speed)) p->settled = false;
      return false;
    }
    if (!may_switch) return true;
    stop(p, m, k, v);
    if (p->returns[k] > 0) {
      sar_stiction_slide(p, m, d, k, -s, speed);
      p->left[k] = p->returns[k] = 0;
    } else {
      sar_stiction_stick(p, d, k, d->dof_friction_force[dof]);
      p->last[k] = HUGE_VAL;  // the next f is not settled, whatever it is; comparing NaN would trap
      p->left[k] = s;
    }
    return true;
  }
  const double f = d->dof_friction_force[dof] - d->dof_stick[dof] * v;
  if (p->left[k] != 0 && may_switch && fabs(f) > HOPELESS * sar_friction_limit(m, dof, 0)) {
    sar_stiction_slide(p, m, d, k, -p->left[k], 0);
    return true;
  }
  if (p->grasp != SAR_GRASP_LINEAR) {
    const bool settled = fabs(f - p->last[k]) <= SETTLED * sar_friction_limit(m, dof, 0);
    p->last[k] = f;
    p->settled = p->settled && settled;
    if (!settled) {
      if (p->grasp != SAR_GRASP_LOOPS) d->dof_friction_force[dof] = f;
      return false;
    }
  }
  const int side = f > 0 ? 1 : -1;
  const double most = sar_stiction_most(p, m, k, side, 0),
               slack = slack_of(p, sar_friction_limit(m, dof, 0));
  if (f * side <= most + slack && f * side >= -sar_stiction_most(p, m, k, -side, 0) - slack) {
    if (p->grasp != SAR_GRASP_LOOPS) d->dof_friction_force[dof] = f;
    return false;
  }
  if (may_switch) {
    sar_stiction_slide(p, m, d, k, f * side > most ? -side : side, 0);
    p->returns[k] += p->slides[k] == p->left[k];
  } else if (p->grasp != SAR_GRASP_LOOPS) {
    d->dof_friction_force[dof] = f;
  }
  return true;
}

// All switch as long as that makes fewer of them do so.
static void count_round(SarStiction* p, int violated) {
  if (violated == 0) return;
  p->rounds++;
  if (violated < p->fewest)
    p->fewest = violated, p->patience = SAR_PATIENCE;
  else if (p->patience > 0)
    p->patience--;
  else
    p->singles++;
}

int sar_stiction_iterations(const SarStiction* p, int most) {
  return most + (p->rounds < MOST_ROUNDS ? p->rounds : MOST_ROUNDS);
}

// ---- rounds -----------------------------------------------------------------------------------

bool sar_stiction_takes_part(const SarStiction* p, const SarModel* m, const SarData* d,
                             SarJudged of, int k) {
  const int dof = p->dof[k];
  if (!is_on(m, d, dof)) return false;
  return !of.at_rest || fabs(speed_of(m, d, dof)) <= at_rest(p, m, k);
}

static bool is_lost(const SarStiction* p) {
  return p->walk == SAR_PATH_AHEAD && (p->patience == 0 || p->rounds >= MANY);
}

bool sar_stiction_switch(SarStiction* p, const SarModel* m, SarData* d) {
  const SarJudged speeds = {d->v, false};
  int violated = 0;
  p->settled = true;
  if (p->walk == SAR_PATH_ON) {
    sar_stiction_follow_path(p, m, d, speeds);
    return true;
  }
  for (int k = 0; k < p->count; k++) {
    if (!sar_stiction_takes_part(p, m, d, speeds, k)) continue;
    const double v = speed_of(m, d, p->dof[k]);
    if (obey(p, m, d, k, v, v, still(m, p->dof[k]), p->patience > 0 || violated == 0)) violated++;
  }
  count_round(p, violated);
  if (violated == 0 && !p->settled) p->rounds++;
  if (violated > 0 && is_lost(p)) sar_stiction_enter_path(p, m, d, speeds);
  return violated > 0;
}

bool sar_stiction_switch_at_rest(SarStiction* p, const SarModel* m, SarData* d) {
  static const double NONE = 1e-9;  // of the largest acceleration
  const SarJudged accelerations = {d->a, true};
  double most = 0;
  int violated = 0;
  if (p->walk == SAR_PATH_ON) {
    sar_stiction_follow_path(p, m, d, accelerations);
    return true;
  }
  for (int i = 0; i < m->nv; i++) most = fmax(most, fabs(d->a[i]));
  for (int k = 0; k < p->count; k++) {
    if (!sar_stiction_takes_part(p, m, d, accelerations, k)) continue;
    const bool may_switch = p->patience > 0 || violated == 0;
    if (obey(p, m, d, k, 0, sar_stiction_component(m, d, d->a, p->dof[k]), NONE * most, may_switch))
      violated++;
  }
  count_round(p, violated);
  if (violated > 0 && is_lost(p)) sar_stiction_enter_path(p, m, d, accelerations);
  return violated > 0;
}

bool sar_stiction_is_still(const SarStiction* p, const SarModel* m, const SarData* d) {
  if (!p->settled || p->grasp == SAR_GRASP_LOOPS) return p->settled;
  for (int k = 0; k < p->count; k++)
    if (p->slides[k] == 0 && fabs(speed_of(m, d, p->dof[k])) > still(m, p->dof[k])) return false;
  return true;
}

void sar_stiction_freeze(SarStiction* p, const SarModel* m, SarData* d) {
  for (int k = 0; k < p->count; k++) {
    const int dof = p->dof[k];
    if (p->slides[k] == 0 && p->grasp == SAR_GRASP_LOOPS)
      d->dof_friction_force[dof] -= d->dof_stick[dof] * speed_of(m, d, dof);
    d->dof_friction_force[dof] = clamped(d->dof_friction_force[dof], sar_friction_limit(m, dof, 0));
    d->dof_stick[dof] = 0;
  }
}

void sar_stiction_aim(SarStiction* p, const SarModel* m, const SarData* d) {
  for (int k = 0; k < p->count; k++) p->bias[k] = p->dof[k] < m->nv ? 0 : d->a[p->dof[k]];
}

void sar_stiction_loosen(SarStiction* p, SarData* d) {
  for (int k = 0; k < p->count; k++) {
    const int dof = p->dof[k];
    p->held[k] = d->dof_stick[dof];
    d->dof_friction_force[dof] -= p->held[k] * p->bias[k];
    d->dof_stick[dof] = 0;
  }
}

void sar_stiction_tighten(SarStiction* p, SarData* d) {
  for (int k = 0; k < p->count; k++) {
    const int dof = p->dof[k];
    d->dof_stick[dof] = p->held[k];
    d->dof_friction_force[dof] += p->held[k] * p->bias[k];
  }
}

void sar_stiction_refine_begin(SarStiction* p, SarData* d) {
  for (int k = 0; k < p->count; k++) {
    p->held[k] = d->dof_stick[p->dof[k]];
    d->dof_stick[p->dof[k]] = 0;
  }
}

void sar_stiction_refine_end(SarStiction* p, const SarModel* m, SarData* d, bool found) {
  for (int k = 0; k < p->count; k++) {
    const int dof = p->dof[k];
    d->dof_stick[dof] = p->held[k];
    if (found) d->dof_friction_force[dof] -= p->held[k] * speed_of(m, d, dof);
  }
}

bool sar_stiction_holds(const SarStiction* p) {
  for (int k = 0; k < p->count; k++)
    if (p->slides[k] == 0 || p->stops[k] != 0) return true;
  return false;
}

bool sar_stiction_rests(const SarStiction* p, const SarModel* m, const SarData* d) {
  for (int k = 0; k < p->count; k++)
    if (fabs(speed_of(m, d, p->dof[k])) <= at_rest(p, m, k)) return true;
  return false;
}

void sar_stiction_keep(const SarStiction* p, SarData* d) {
  for (int k = 0; k < p->count; k++)
    d->dof_impulse[p->dof[k] * SAR_DOF_IMPULSES + SAR_IMPULSE_FRICTION] =
        d->dof_friction_force[p->dof[k]];
}
