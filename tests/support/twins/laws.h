// Laws that every run obeys, whatever the model: each as a number that a bound of 1 judges.
#pragma once
#include "support/twins/trial.h"

// sum of all forces on each body = mass times acceleration: what is missing, over the largest force
// or weight. At the present state, with the columns `values`; NaN: not asked, because the model has
// constraints whose forces no column gives as vectors. Leaves applied forces evaluated without
// those of cut joints.
double law_balance(const SarSim* s, const double* values);
// The largest work that something passive put in (dampers, friction, impacts, limits), over the
// energy that moves; *column: which.
double law_dissipation(const SarModel* m, const TrialRun* r, const double* scale, int* column);
// Columns that are not finite.
int law_not_finite(const SarModel* m, const TrialRun* r, int* column);
