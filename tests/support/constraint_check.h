// Checks of Phi, Psi and gamma of any model against finite differences, at random states.
#pragma once
#include "dynamics/constraints.h"
#include "support/model_file.h"

enum { MOST_DOFS = 64, MOST_ROWS = 64 };

static inline void evaluate_constraints(const SarModel* m, SarData* d) {
  sar_update_kinematics(m, d);
  sar_update_world(m, d);
  sar_update_constraints(m, d);
  sar_update_constraint_rates(m, d);
}

// q = retract(q0, xi), joint by joint
static inline void move_all(const SarModel* m, const double* q0, const double* xi, double* q) {
  for (int b = 0; b < m->nbody; b++) {
    const SarJointKind* kind = m->joint_kind[b];
    const int qadr = m->joint_qadr[b], vadr = m->joint_vadr[b];
    sar_joint_retract(kind, &m->joint_param[b * SAR_JOINT_MAX_PARAM], &q0[qadr], &xi[vadr],
                      &q[qadr]);
  }
}

// difference of two residuals, which may be known up to full turns
static inline double residual_change(const SarModel* m, int row, double after, double before) {
  const double turn = m->row[row].turn, change = after - before;
  return turn > 0 ? remainder(change, turn) : change;
}

// Psi e_i = d Phi / d xi_i, central differences
static inline void check_jacobian(const SarModel* m, SarData* d, const double* q0, double tol) {
  const double h = 1e-5;
  double Psi[MOST_ROWS * MOST_DOFS], high[MOST_ROWS], xi[MOST_DOFS] = {0};
  sar_constraint_jacobian_dense(m, d, Psi);
  for (int k = 0; k < m->nv; k++) {
    xi[k] = h;
    move_all(m, q0, xi, d->q);
    evaluate_constraints(m, d);
    memcpy(high, d->Phi, (size_t)m->nrow * sizeof *high);
    xi[k] = -h;
    move_all(m, q0, xi, d->q);
    evaluate_constraints(m, d);
    xi[k] = 0;
    for (int i = 0; i < m->nrow; i++) {
      if (m->row[i].nonholonomic) continue;  // of no Phi
      double slope = residual_change(m, i, high[i], d->Phi[i]) / (2 * h);
      EXPECT_NEAR(Psi[i * m->nv + k], slope, tol * (1 + fabs(slope)));
    }
  }
  memcpy(d->q, q0, (size_t)m->nq * sizeof *q0);
}

// state on the path xi = v0 s + a s^2/2, v = v0 + a s, which has velocity v up to terms even in s
static inline void state_at(const SarModel* m, SarData* d, const double* q0, const double* v0,
                            const double* a, double t, double s) {
  double xi[MOST_DOFS];
  for (int i = 0; i < m->nv; i++) {
    xi[i] = s * (v0[i] + 0.5 * s * a[i]);
    d->v[i] = v0[i] + s * a[i];
  }
  move_all(m, q0, xi, d->q);
  d->t = t + s;
  evaluate_constraints(m, d);
}

// Phi_dot = d Phi / dt and Psi a - gamma = d Phi_dot / dt along a random path through (q0, t)
static inline void check_rates(const SarModel* m, SarData* d, const double* q0, double t, Rng* r,
                               double tol) {
  const double h = 1e-5;
  double v0[MOST_DOFS], a[MOST_DOFS], Phi[MOST_ROWS], speed[MOST_ROWS], second[MOST_ROWS];
  for (int i = 0; i < m->nv; i++) {
    v0[i] = rng_uniform(r, -1, 1);
    a[i] = rng_uniform(r, -1, 1);
  }
  state_at(m, d, q0, v0, a, t, h);
  memcpy(Phi, d->Phi, (size_t)m->nrow * sizeof *Phi);
  memcpy(speed, d->Phi_dot, (size_t)m->nrow * sizeof *speed);
  state_at(m, d, q0, v0, a, t, -h);
  for (int i = 0; i < m->nrow; i++) {
    Phi[i] = residual_change(m, i, Phi[i], d->Phi[i]) / (2 * h);
    speed[i] = (speed[i] - d->Phi_dot[i]) / (2 * h);
  }
  state_at(m, d, q0, v0, a, t, 0);
  sar_constraint_multiply(m, d, v0, second);
  for (int i = 0; i < m->nrow; i++) {
    if (!m->row[i].nonholonomic) EXPECT_NEAR(d->Phi_dot[i], Phi[i], tol * (1 + fabs(Phi[i])));
    EXPECT_NEAR(d->Phi_dot[i], second[i] + d->Phi_t[i], 1e-12);  // rounding
  }
  sar_constraint_multiply(m, d, a, second);
  for (int i = 0; i < m->nrow; i++)
    EXPECT_NEAR(second[i] - d->gamma[i], speed[i], tol * (1 + fabs(speed[i])));
}

// A row names exactly the coordinates that move one body of a pair and not the other.
static inline void check_pattern(const SarModel* m) {
  bool expected[MOST_DOFS];
  for (int i = 0; i < m->nrow; i++) {
    memset(expected, 0, sizeof expected);
    for (int k = 0; k < m->nterm; k++) {
      const SarTerm* t = &m->term[k];
      if (t->row != i) continue;
      if (t->pair < 0) expected[t->dof] = true;
      for (int j = 0; t->pair >= 0 && j < m->nv; j++) {
        const int b = m->dof_body[j], end = b + m->body_subtree[b];
        const int* body = m->pair[t->pair].body;
        if ((body[0] >= b && body[0] < end) != (body[1] >= b && body[1] < end)) expected[j] = true;
      }
    }
    int count = 0, before = -1;
    for (int k = m->row_adr[i]; k < m->row_adr[i + 1]; k++) {
      assert_true(m->row_dof[k] > before);  // rising
      assert_true(expected[m->row_dof[k]]);
      before = m->row_dof[k];
    }
    for (int j = 0; j < m->nv; j++) count += expected[j];
    assert_int_equal(count, m->row_adr[i + 1] - m->row_adr[i]);
  }
}

// All of it at a random position, loops open. Central differences with h = 1e-5 are good to h^2 of
// the third derivatives (up to some hundreds for eight joints in a row) and rounding over h.
static inline void check_constraints(const SarModel* m, uint64_t seed) {
  Rng r = rng_seed(seed);
  SarData* d;
  double xi[MOST_DOFS], q0[2 * MOST_DOFS];
  assert_true(m->nv <= MOST_DOFS && m->nrow <= MOST_ROWS);
  EXPECT_OK(sar_data_new(m, &d, NULL));
  check_pattern(m);
  for (int trial = 0; trial < 3; trial++) {
    for (int i = 0; i < m->nv; i++) xi[i] = rng_uniform(&r, -0.8, 0.8);
    move_all(m, m->q_zero, xi, q0);
    memcpy(d->q, q0, (size_t)m->nq * sizeof *q0);
    d->t = rng_uniform(&r, 0, 2);
    evaluate_constraints(m, d);
    check_jacobian(m, d, q0, 1e-7);
    check_rates(m, d, q0, d->t, &r, 1e-7);
  }
  sar_data_free(d);
}
