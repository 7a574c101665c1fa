// The effective mass matrix H of a linearly implicit step, and the responses H^-1 x of groups of
// trees to impulses (held.h).
//
// H = L' D L with the sparsity of the tree (mass.h), so H^-1 x takes one pass that carries entries
// from each coordinate to its ancestors and one back to all descendants. Stiff springs and strong
// dampers go into H, which makes the step linearly implicit in them: with h^2 K / 4 the midpoint
// step is stable whatever their frequency (it is then the trapezoidal rule). Dampers act at v0 + w
// dv, w = 1/2 for weak ones and more for those that are strong against h: a force that is linear in
// v then takes energy whatever the step does,
//
//   (M + w h C + h^2 K / 4) dv = h (Q + C (v - v0)),      Q at the velocities v = v0 + theta h a
//                                                         expected halfway,
//
// and for forces that are not linear the step is still of second order. Blocks that couple two
// branches do not fit the pattern; twice their diagonal blocks do (n times those of n), and bound
// them:
//   (x, y)' [A B; B' D] (x, y) <= 2 x'A x + 2 y'D y        for semidefinite blocks.
// With the whole of them answers come by conjugate gradients (coupled.c). Where that would be too
// wide, such dampers act on what the change of velocity differs by from the one expected of it, h
// a: (M + 2 h C)(dv - h a) = h (Q - M a).
// Source: Mikhaylyuk et al. 2017, sec. 3 (seed paper 004); Featherstone 2008, sec. 6.5.
#include "formulations/impulse/held.h"

#include "dynamics/tangents.h"

#include <math.h>

// ---- responses ----------------------------------------------------------------------------------

// Rows of M are stored from the diagonal entry to the root: H_ij, j an ancestor of i or i itself.
static double* entry(const SarHeld* p, const SarData* d, int i, int j) {
  return &p->factor[d->mass_row[i + 1] - (d->mass_row[j + 1] - d->mass_row[j])];
}

static bool is_ancestor(const SarModel* m, int j, int i) {
  while (i > j) i = m->dof_parent[i];
  return i == j;
}

static const double COUPLED = 0.1;
static const double SWIFT = 0.05;  // h^2 k / (4 M), M being less in a chain: swings within a step
static const double STIFF = 0.5;   // change of velocity in a step, over it

// Where between the start of a step and its end a damper acts, z = h C / M: halfway, which is of
// second order; later the stiffer it is, or it would turn velocities round in every step.
static double moment_of(SarHeld* p, double z) {
  if (z > STIFF) p->stiff = true;
  if (p->halfway) return 0.5;
  return 0.5 + 0.5 * z / (4 + z);
}

// The largest z of a block.
static double strength(const SarHeld* p, const SarModel* m, const SarData* d, int k) {
  const SarTangentBlock* t = &m->tangent[k];
  const int* dof = &m->tangent_dof[t->adr];
  const double* value = p->block;
  double z = 0;
  for (int i = 0; i < t->num; i++) {
    value += i;
    const double M = *entry(p, d, dof[i], dof[i]);
    if (M > 0) z = fmax(z, *value / M);
    value++;
  }
  return z;
}

// H += gain times what of a block has a place in it; force += share times that of slope.
static void add_block(SarHeld* p, const SarModel* m, const SarData* d, int k, double gain,
                      double share, const double* slope, double* force) {
  const SarTangentBlock* t = &m->tangent[k];
  const int* dof = &m->tangent_dof[t->adr];
  const double* value = p->block;
  for (int i = 0; i < t->num; i++)
    for (int j = 0; j <= i; j++, value++)
      if (is_ancestor(m, dof[j], dof[i])) {
        *entry(p, d, dof[i], dof[j]) += gain * *value;
        force[dof[i]] += share * *value * slope[dof[j]];
        if (i != j) force[dof[j]] += share * *value * slope[dof[i]];
      }
}

// Beside a stiff spring a damper that acts late would push: w <= 1/2 + 2 M / (h^2 k), M being less
// in a chain.
static double latest_at(const SarHeld* p, int dof) {
  return p->spring[dof] > 0 ? 0.5 + COUPLED * p->mass[dof] / p->spring[dof] : 1;
}

static double latest(const SarHeld* p, const SarModel* m, int k) {
  const SarTangentBlock* t = &m->tangent[k];
  double w = 1;
  for (int i = t->adr; i < t->adr + t->num; i++) w = fmin(w, latest_at(p, m->tangent_dof[i]));
  return w;
}

// h^2 k / 4 of its coordinates
static void note_springs(SarHeld* p, const SarModel* m, int k) {
  const SarTangentBlock* t = &m->tangent[k];
  const double* value = p->block;
  for (int i = 0; i < t->num; i++, value++) {
    value += i;
    p->spring[m->tangent_dof[t->adr + i]] += *value;
  }
}

// Where there are forces between branches all dampers act at one moment, that of the strongest: a
// damper that acts late beside one that turns velocities round halfway would push. 0: each has its
// own.
static double common_moment(SarHeld* p, const SarModel* m, SarData* d, double h) {
  double z = 0, w = 1;
  if (p->coupled.count == 0) return 0;
  for (int k = 0; k < m->ntangent; k++) {
    sar_tangent_block(m, d, k, 0, h, p->block);
    z = fmax(z, strength(p, m, d, k));
    w = fmin(w, latest(p, m, k));
  }
  return fmin(w, moment_of(p, z));
}

// H += w h C of one element or joint and force += theta h C slope; or H += h^2 K / 4
static void add_tangent(SarHeld* p, const SarModel* m, SarData* d, int k, double gain_K,
                        double gain_C, double theta, const double* slope, double* force) {
  const bool damper = gain_C != 0;
  // share of slope that forces have seen
  const double expected = damper && !p->at_start ? theta : 0;
  sar_tangent_block(m, d, k, gain_K, gain_C, p->block);
  // of several paths only what each has by itself has a place in H: so many times that is not less
  // than all
  const int paths = sar_count_paths(m, k);
  // a network of damped knots goes with its states, which are implicit halfway
  // (dynamics/knot_tangents.c)
  const bool halfway = m->tangent[k].source == SAR_TANGENT_NETWORK && p->at_start;
  const bool whole = paths > 1 && p->coupled.count > 0;
  const double z = damper && (paths == 1 || whole) ? strength(p, m, d, k) : 0;
  double w = damper ? moment_of(p, z) : 1;
  if (damper && halfway) w = 0.5;
  if (damper) w = p->common > 0 && !halfway ? p->common : fmin(w, latest(p, m, k));
  if (!damper) note_springs(p, m, k);
  if (damper) sar_dampers_note(&p->dampers, k, z, w, p->block);
  if (paths == 1) {
    add_block(p, m, d, k, w, expected, slope, force);
  } else if (whole) {
    add_block(p, m, d, k, paths * w, 0, slope, force);
    sar_coupled_add(&p->coupled, m, k, w, p->block);
    sar_block_pull(m, k, expected, p->block, slope, force);
  } else {
    add_block(p, m, d, k, paths, damper ? paths : 0, slope, force);
    if (damper && p->at_start) sar_block_pull(m, k, -theta, p->block, slope, force);
  }
}

// The coordinate of a joint with one axis whose spring and damper are all that moves with it; -1:
// it is another one.
static int plain_coordinate(const SarModel* m, int k) {
  const int j = m->tangent[k].index;
  if (m->tangent[k].source != SAR_TANGENT_JOINT || j >= m->nbody || m->joint_nv[j] != 1) return -1;
  const int dof = m->joint_vadr[j];
  return m->dof_force_slot[dof] < 0 ? dof : -1;
}

// Does its force depend on positions? Of joints it is known.
static bool is_springy(const SarModel* m, int k) {
  const SarTangentBlock* t = &m->tangent[k];
  if (t->source != SAR_TANGENT_JOINT) return true;
  const int first = m->joint_vadr[t->index];
  for (int i = first; i < first + m->joint_nv[t->index]; i++)
    if (m->dof_stiffness[i] != 0 || m->dof_force_slot[i] >= 0) return true;
  return false;
}

void sar_held_respond(const SarHeld* p, const SarModel* m, const SarData* d, const SarHeldGroup* g,
                      double* x) {
  if (p->coupled.count > 0 && g->body < 0)
    sar_coupled_respond(&p->coupled, p, m, d, g, x);
  else
    sar_held_respond_bound(p, m, d, g, x);
}

void sar_held_respond_bound(const SarHeld* p, const SarModel* m, const SarData* d,
                            const SarHeldGroup* g, double* x) {
  if (g->body >= 0) {
    const double w = 1 / m->body_inertia[g->body].m;
    const V3* I = &p->inverse[3 * g->body];
    const V3 n = v3_load(x + 3);
    for (int i = 0; i < 3; i++) x[i] *= w;
    v3_store(x + 3, v3(v3_dot(I[0], n), v3_dot(I[1], n), v3_dot(I[2], n)));
    return;
  }
  const size_t* row = d->mass_row;
  const int *parent = m->dof_parent, first = g->first, end = first + g->num;
  x -= first;
  for (int k = end - 1; k >= first; k--) {
    if (x[k] == 0) continue;
    const double* L = p->factor + row[k];
    for (int i = parent[k]; i >= 0; i = parent[i]) x[i] -= *++L * x[k];
  }
  for (int k = first; k < end; k++) {
    const double* L = p->factor + row[k];
    double sum = x[k] * p->inverse_D[k];
    for (int i = parent[k]; i >= 0; i = parent[i]) sum -= *++L * x[i];
    x[k] = sum;
  }
}

void sar_held_respond_all(const SarHeld* p, const SarModel* m, const SarData* d, double* x) {
  if (!p->singles && p->coupled.count == 0) {
    sar_mass_solve(m, d, p->factor, x);
    return;
  }
  for (int i = 0; i < p->ngroup; i++)
    sar_held_respond(p, m, d, &p->group[i], x + p->group[i].first);
}

// Spring and damper of a plain coordinate.
static void add_plain(SarHeld* p, const SarModel* m, const SarData* d, int dof, double h,
                      double theta, const double* slope, double* force) {
  const double c = h * fmax(m->dof_damping[dof], 0);
  const double spring = 0.25 * h * h * fmax(m->dof_stiffness[dof], 0);
  double* H = &p->factor[d->mass_row[dof]];
  *H += spring;
  if (spring > SWIFT * p->mass[dof]) p->swift = true;
  const double own = *H > 0 ? fmin(moment_of(p, c / *H), latest_at(p, dof)) : 1;
  const double w = p->common > 0 ? p->common : own;
  *H += w * c;
  p->moment[dof] = m->dof_damping[dof] > 0 ? w : 0;
  if (!p->at_start) force[dof] += theta * c * slope[dof];
}

SarStatus sar_held_factor(SarHeld* p, const SarSim* s, double h, double theta, const double* slope,
                          double* force) {
  const SarModel* m = s->m;
  SarData* d = s->d;
  if (p->singles) return SAR_OK;
  sar_crba(m, d, p->factor);
  p->stiff = p->swift = false;
  sar_coupled_clear(&p->coupled, m);
  sar_dampers_clear(&p->dampers, m);
  for (int i = 0; i < m->nv; i++) {
    p->mass[i] = p->factor[d->mass_row[i]];
    p->spring[i] = 0.25 * h * h * fmax(m->dof_stiffness[i], 0);
  }
  for (int k = 0; k < m->ntangent; k++)
    if (plain_coordinate(m, k) < 0 && is_springy(m, k))
      add_tangent(p, m, d, k, 0.25 * h * h, 0, theta, slope, force);
  p->common = common_moment(p, m, d, h);
  for (int k = 0; k < m->ntangent; k++) {
    const int dof = plain_coordinate(m, k);
    if (dof >= 0)
      add_plain(p, m, d, dof, h, theta, slope, force);
    else
      add_tangent(p, m, d, k, 0, h, theta, slope, force);
  }
  for (int i = 0; i < m->nv && !p->dampers.any; i++)
    p->dampers.any = p->spring[i] > SWIFT * p->mass[i];
  SAR_TRY(sar_mass_factor(m, d, p->factor));
  for (int i = 0; i < m->nv; i++) p->inverse_D[i] = 1 / p->factor[d->mass_row[i]];
  if (p->direct && m->nrow > 0) sar_held_factor_rows(p, s, theta);
  return SAR_OK;
}
