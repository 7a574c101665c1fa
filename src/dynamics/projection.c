// Coordinate projection, mass-orthogonal, by an augmented Lagrangian (projection.h).
//
//   (M + Psi' w Psi) dq = -Psi' w Phi            w >> M
//
// is the displacement of least kinetic energy that closes the constraints, up to a share 1/(1 + w
// s^2) of the violation, s being the grip of the constraints on the motion; that share is taken by
// repeating. No rank is decided: redundant rows only add up, and where rows lose their grip, near a
// singular position, the displacement stays bounded. A motion that the constraints hardly see is
// left alone for the moment instead of being thrown onto another branch. One factor serves all
// iterations and the velocities too.
//
// Coordinates are scaled to unit inertia and rows to unit length in them, so that one number, the
// grip, says how w compares with M whatever the units and the masses.
//
// Where constraints are open by e, rows that are redundant on them are so to about e only, and hold
// the motion that the mechanism has with such a grip. With w e^2 near 1 it would be moved by a
// share of the violation that depends on how w weighs the rows, and so on units and axes: w stays
// below 1 / (CLEAR e)^2. Not near singular positions, where a grip of that size is a real one.
//
// Source: Bayo and Ledesma, Augmented Lagrangian and mass-orthogonal projection methods, Nonlinear
// Dynamics 9 (1996).
#include "dynamics/projection.h"

#include "dynamics/inertia_floor.h"
#include "linalg/spd.h"

#include <math.h>
#include <string.h>

enum { POSITION_ITERATIONS = 8, VELOCITY_ITERATIONS = 6, FILTER_PASSES = 4, REFINEMENTS = 2 };

static const double CLOSED = 1e-14;     // violation that counts as rounding
static const double ROUNDING = 1e-12;   // of a length, over the distance from the origin
static const double NEAR_BY = 1e-9;     // violation from which on no factor ages
static const double ACCEPTABLE = 1e-6;  // and what a projection may leave at worst
static const double CLEAR = 100;        // times the violation: a grip that is none
static const double FULL = 1e8;         // w s^2 that is always there: eight digits an iteration

// ---- violations ---------------------------------------------------------------------------------

static bool is_length_of(const SarModel* m, int dof) {
  const int b = m->dof_body[dof];
  return m->joint_kind[b]->coordinate[dof - m->joint_vadr[b]] == SAR_LENGTH;
}

static bool is_length(const SarModel* m, const SarTerm* t) {
  switch (t->kind) {
    case SAR_TERM_ALONG:
    case SAR_TERM_DISTANCE:
    case SAR_TERM_CURVE:
    case SAR_TERM_ROLL: return true;
    case SAR_TERM_COORDINATE: return is_length_of(m, t->dof);
    default: return false;
  }
}

// The largest lever there is: from a body's joint to its mass (radius of gyration), to the next
// joint, to a point that constraints hold. It depends on the bodies alone, not on where in the
// ground frame the mechanism stands nor on its position, so that violations mean the same wherever
// and whenever a simulation is made. What is rounding of the places of things, point masses at
// their joints say, is no lever.
double sar_mechanism_size(const SarModel* m) {
  double size = 0, far = 0;
  for (int b = 0; b < m->nbody; b++) {
    const Inertia* I = &m->body_inertia[b];
    if (I->m > 0) size = fmax(size, sqrt((I->I.xx + I->I.yy + I->I.zz) / (2 * I->m)));
    double* longest = m->body_parent[b] >= 0 ? &size : &far;
    *longest = fmax(*longest, v3_norm(m->body_X_PF[b].p));
  }
  for (int i = 0; i < m->npair; i++)
    for (int k = 0; k < 2; k++) {
      double* longest = m->pair[i].body[k] >= 0 ? &size : &far;
      *longest = fmax(*longest, v3_norm(m->pair[i].point[k]));
    }
  return size > ROUNDING * far && isfinite(size) ? size : 1;
}

double sar_row_units(const SarModel* m, double* unit) {
  const double length = sar_mechanism_size(m);
  for (int i = 0; i < m->nrow; i++) unit[i] = 1;
  for (int i = 0; i < m->nterm; i++)
    if (is_length(m, &m->term[i])) unit[m->term[i].row] = length;
  return length;
}

// Of a mode: what moves a node by that length, or turns one by a radian. Modes have the scale of
// their basis, with masses in it.
static double mode_unit(const SarModel* m, int dof, double length) {
  double most = 0;
  for (int k = 0; k < m->nnode; k++) {
    const SarModalNode* n = &m->node[k];
    if (dof < n->dof || dof >= n->dof + n->num) continue;
    const Motion mode = m->node_mode[n->mode + dof - n->dof];
    most = fmax(most, fmax(v3_norm(mode.w), v3_norm(mode.v) / length));
  }
  return most > 0 && isfinite(1 / most) ? 1 / most : 1;
}

double sar_dof_unit(const SarModel* m, int dof, double length) {
  if (m->joint_class[m->dof_body[dof]] == SAR_CLASS_MODE) return mode_unit(m, dof, length);
  return is_length_of(m, dof) ? length : 1;
}

void sar_dof_units(const SarModel* m, double* unit) {
  const double length = sar_mechanism_size(m);
  for (int i = 0; i < m->nv; i++) unit[i] = sar_dof_unit(m, i, length);
}

void sar_projection_init(SarProjection* p, const SarModel* m, const double* row_size, double faint,
                         SarBlock* b) {
  *p = (SarProjection){.row_size = row_size, .grip = 1 / (faint * faint)};
  SAR_PIECE(b, p->factor, (size_t)m->nv * (size_t)m->nv);
  SAR_PIECE(b, p->mass, (size_t)m->nv * (size_t)m->nv);
  SAR_PIECE(b, p->more, m->nv);
  SAR_PIECE(b, p->scale, m->nv);
  SAR_PIECE(b, p->row, m->nrow_dof);
  SAR_PIECE(b, p->weight, m->nrow);
  SAR_PIECE(b, p->unit, m->nrow);
  SAR_PIECE(b, p->x, m->nv);
  SAR_PIECE(b, p->r, m->nrow);
  SAR_PIECE(b, p->q, m->nq);
  if (b->memory) p->length = sar_row_units(m, p->unit);
}

// NaN where there is one, told apart from the maximum: that is one instruction then.
static double largest(int n, const double* x, const double* unit) {
  double most = 0;
  bool lost = false;
  for (int i = 0; i < n; i++) {
    const double size = fabs(x[i]) / unit[i];
    most = size > most ? size : most;
    lost = lost || isnan(size);
  }
  return lost ? (double)NAN : most;
}

static double largest_of(int n, const double* x) {
  double most = 0;
  bool lost = false;
  for (int i = 0; i < n; i++) {
    const double size = fabs(x[i]);
    most = size > most ? size : most;
    lost = lost || isnan(size);
  }
  return lost ? (double)NAN : most;
}

SarViolation sar_violation(const SarModel* m, const SarData* d) {
  return (SarViolation){largest_of(m->nrow, d->Phi), largest_of(m->nrow, d->Phi_dot)};
}

double sar_position_violation(const SarModel* m, SarData* d, const SarProjection* p) {
  sar_update_positions(m, d);
  sar_update_world(m, d);
  sar_update_constraints(m, d);
  return largest(m->nrow, d->Phi, p->unit);
}

double sar_velocity_violation(const SarModel* m, SarData* d, const SarProjection* p) {
  sar_update_kinematics(m, d);
  sar_update_constraint_rates(m, d);
  return largest(m->nrow, d->Phi_dot, p->unit);
}

// ---- one correction -----------------------------------------------------------------------------

// coordinates of unit inertia: x_j = scale_j y_j
static void scale_mass(const SarModel* m, SarProjection* p) {
  const size_t nv = (size_t)m->nv;
  double* G = p->factor;
  for (size_t j = 0; j < nv; j++) p->scale[j] = G[j * nv + j];
  sar_inertia_floor(m, p->scale);
  for (size_t j = 0; j < nv; j++) p->scale[j] = 1 / sqrt(p->scale[j]);
  for (size_t i = 0; i < nv; i++)
    for (size_t j = i; j < nv; j++) G[i * nv + j] *= p->scale[i] * p->scale[j];
  memcpy(p->mass, G, nv * nv * sizeof *G);
}

// w of rows as long as usual, where they are open by so much
static double grip_of(const SarProjection* p) {
  const double none = CLEAR * p->open;
  if (p->eager || !(none > 0)) return p->grip;
  return fmin(p->grip, fmax(1 / (none * none), FULL));
}

// the factor of M + sum weight row row'
static SarStatus factor(const SarModel* m, SarData* d, SarProjection* p) {
  const size_t nv = (size_t)m->nv;
  const double grip = grip_of(p);
  double* G = p->factor;
  sar_crba_dense(m, d, G);
  scale_mass(m, p);
  for (int k = 0; k < m->nrow; k++) {
    const int adr = m->row_adr[k], end = m->row_adr[k + 1], *dof = m->row_dof;
    double* row = p->row;
    double square = 0, length = 0;
    for (int a = adr; a < end; a++) {
      row[a] = d->Psi[a] * p->scale[dof[a]];
      square += row[a] * row[a];
      length += d->Psi[a] * d->Psi[a];
    }
    // one over the square that the scaled row has where it is as long as usual
    const double usual = fmax(length, p->row_size[k] * p->row_size[k]);
    const double weight = p->weight[k] = square > 0 ? grip * length / (usual * square) : 0;
    for (int a = adr; a < end; a++)
      for (int b = adr; b < end; b++)
        if (dof[b] >= dof[a]) G[(size_t)dof[a] * nv + (size_t)dof[b]] += weight * row[a] * row[b];
  }
  p->factored = sar_spd_factor(m->nv, G, 0);
  return p->factored ? SAR_OK : SAR_SINGULAR;
}

// f = -Psi' w (r + Psi x) - M x
static void unbalanced(const SarModel* m, const SarProjection* p, const double* r, const double* x,
                       double* f) {
  const size_t nv = (size_t)m->nv;
  memset(f, 0, nv * sizeof *f);
  for (size_t i = 0; i < nv; i++) {
    const double* M = &p->mass[i * nv];
    f[i] -= M[i] * x[i];
    for (size_t j = i + 1; j < nv; j++) f[i] -= M[j] * x[j], f[j] -= M[j] * x[i];
  }
  for (int k = 0; k < m->nrow; k++) {
    const int adr = m->row_adr[k], end = m->row_adr[k + 1];
    double left = r[k];
    for (int a = adr; a < end; a++) left += p->row[a] * x[m->row_dof[a]];
    for (int a = adr; a < end; a++) f[m->row_dof[a]] -= p->weight[k] * left * p->row[a];
  }
}

// The displacement x that takes the residuals r back to zero. Rounding of w r would leave eps w r /
// M along motions that are free, where it comes to the eighth digit of the residuals; once it is
// there it is seen beside M alone (iterative refinement).
static void solve(const SarModel* m, SarProjection* p, const double* r, double* x) {
  memset(x, 0, (size_t)m->nv * sizeof *x);
  for (int k = 0; k < m->nrow; k++) {
    const double push = p->weight[k] * r[k];
    for (int a = m->row_adr[k]; a < m->row_adr[k + 1]; a++) x[m->row_dof[a]] -= push * p->row[a];
  }
  sar_spd_solve(m->nv, p->factor, x);
  for (int i = 0; i < REFINEMENTS; i++) {
    unbalanced(m, p, r, x, p->more);
    sar_spd_solve(m->nv, p->factor, p->more);
    for (int j = 0; j < m->nv; j++) x[j] += p->more[j];
  }
  for (int j = 0; j < m->nv; j++) x[j] *= p->scale[j];
}

void sar_projection_move(const SarModel* m, const double* xi, double* q) {
  for (int b = 0; b < m->nbody; b++) {
    const int iq = m->joint_qadr[b], iv = m->joint_vadr[b];
    if (m->joint_kind[b]->retract) {
      double from[SAR_JOINT_MAX_NQ];
      memcpy(from, &q[iq], (size_t)m->joint_nq[b] * sizeof *q);
      m->joint_kind[b]->retract(&m->joint_param[b * SAR_JOINT_MAX_PARAM], from, &xi[iv], &q[iq]);
    } else {
      for (int i = 0; i < m->joint_nv[b]; i++) q[iq + i] += xi[iv + i];
    }
  }
}

// ---- the whole ----------------------------------------------------------------------------------

static SarStatus verdict(double left) {
  if (isnan(left)) return SAR_NOT_FINITE;
  return left <= ACCEPTABLE ? SAR_OK : SAR_NOT_CONVERGED;
}

// Ends where all rows hold to rounding, or where an iteration does not halve what is left: then the
// rest is rounding, or in motions the constraints have no grip on; the better of the two is kept.
static SarStatus project_positions(const SarModel* m, SarData* d, SarProjection* p, double left) {
  const double enough = p->eager ? 0 : CLOSED;
  p->open = left;
  for (int i = 0; i < POSITION_ITERATIONS && left > enough; i++) {
    if (!p->factored) SAR_TRY(factor(m, d, p));
    memcpy(p->q, d->q, (size_t)m->nq * sizeof *p->q);
    solve(m, p, d->Phi, p->x);
    sar_projection_move(m, p->x, d->q);
    const double now = sar_position_violation(m, d, p);
    if (!(now < left)) {
      memcpy(d->q, p->q, (size_t)m->nq * sizeof *p->q);
      sar_position_violation(m, d, p);
      break;
    }
    const double share = now / left;
    // far away the factor ages; near by it does not: what rounding leaves must not decide which one
    // velocities get
    if (share <= 0.5) p->factored = share < 1e-3 || left < NEAR_BY;
    p->open = left = now;
    if (share > 0.5) break;
  }
  return verdict(left);
}

// Phi_dot is linear in v: nothing but Psi v need be evaluated again.
static SarStatus project_velocities(const SarModel* m, SarData* d, SarProjection* p, double left) {
  double fastest = 1;
  for (int i = 0; i < m->nv; i++) fastest = fmax(fastest, fabs(d->v[i]));
  const double enough = p->eager ? 0 : CLOSED * fastest;
  for (int i = 0; i < VELOCITY_ITERATIONS && left > enough; i++) {
    if (!p->factored) SAR_TRY(factor(m, d, p));
    solve(m, p, d->Phi_dot, p->x);
    for (int k = 0; k < m->nv; k++) d->v[k] += p->x[k];
    sar_constraint_multiply(m, d, d->v, d->Phi_dot);
    for (int k = 0; k < m->nrow; k++) d->Phi_dot[k] += d->Phi_t[k];
    const double now = largest(m->nrow, d->Phi_dot, p->unit);
    const bool slow = !(now < 0.5 * left);
    left = now;
    if (slow) break;
  }
  return isnan(left) ? SAR_NOT_FINITE : SAR_OK;
}

SarStatus sar_projection_filter(const SarModel* m, SarData* d, SarProjection* p, double* x) {
  if (!p->factored) SAR_TRY(factor(m, d, p));
  for (int i = 0; i < FILTER_PASSES; i++) {
    sar_constraint_multiply(m, d, x, p->r);
    solve(m, p, p->r, p->x);
    for (int j = 0; j < m->nv; j++) x[j] += p->x[j];
  }
  return SAR_OK;
}

SarStatus sar_project_positions(const SarModel* m, SarData* d, SarProjection* p) {
  const double left = sar_position_violation(m, d, p);
  p->drift = (SarViolation){largest_of(m->nrow, d->Phi), 0};
  return isfinite(left) ? project_positions(m, d, p, left) : SAR_NOT_FINITE;
}

SarStatus sar_project(const SarModel* m, SarData* d, SarProjection* p) {
  SAR_TRY(sar_project_positions(m, d, p));
  const double left = sar_velocity_violation(m, d, p);
  p->drift.velocity = largest_of(m->nrow, d->Phi_dot);
  return project_velocities(m, d, p, left);
}
