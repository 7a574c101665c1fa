// The Newmark family: numbers for formulations that are implicit in positions (SarScheme).
//
// rho is the spectral radius at infinite frequency: how much of a vibration far beyond the step is
// left after each step, 1: all of it (no damping), 0: nothing.
//
//   newmark            gamma = (3 - rho) / (2 (1 + rho)): order 1 unless rho = 1
//   hht                alpha_f = (1 - rho) / (1 + rho) <= 1/3: order 2, least rho is 1/2
//   generalized-alpha  alpha_m = (2 rho - 1) / (rho + 1), alpha_f = rho / (rho + 1): order 2, and
//                      of all such methods the one that damps low frequencies least
//
// gamma = 1/2 - alpha_m + alpha_f makes it order 2; beta = (gamma + 1/2)^2 / 4 joins the two roots
// at infinite frequency.
// Sources: Newmark 1959; Hilber, Hughes and Taylor 1977; Chung and Hulbert 1993; Arnold and Bruls,
// Convergence of the generalized-alpha scheme for constrained mechanical systems, Multibody System
// Dynamics 18 (2007), for the form with constraints.
#include "model/sim.h"

static SarScheme joined(double alpha_m, double alpha_f, double gamma) {
  return (SarScheme){alpha_m, alpha_f, 0.25 * (gamma + 0.5) * (gamma + 0.5), gamma};
}

static SarScheme newmark(const SarSimOptions* o) {
  const double rho = o->spectral_radius;
  return joined(0, 0, (3 - rho) / (2 * (1 + rho)));
}

static SarScheme hht(const SarSimOptions* o) {
  const double rho = o->spectral_radius, alpha = (1 - rho) / (1 + rho);
  return joined(0, alpha, 0.5 + alpha);
}

static SarScheme generalized_alpha(const SarSimOptions* o) {
  const double rho = o->spectral_radius;
  const double alpha_m = (2 * rho - 1) / (rho + 1), alpha_f = rho / (rho + 1);
  return joined(alpha_m, alpha_f, 0.5 - alpha_m + alpha_f);
}

const SarIntegrator sar_integrator_newmark = {
    .name = "newmark",
    .doc = "Newmark's method: fixed steps, for implicit formulations; damps by its spectral radius",
    .ref = "Newmark 1959",
    .order = 1,
    .serves = SAR_FOR_STEP,
    .can_fix = true,
    .implicit = true,
    .newmark = {newmark, 0.9, 0},
};

const SarIntegrator sar_integrator_hht = {
    .name = "hht",
    .doc =
        "Hilber, Hughes and Taylor: fixed steps, for implicit formulations; damps vibrations "
        "faster than the step",
    .ref = "Hilber, Hughes and Taylor 1977",
    .order = 2,
    .serves = SAR_FOR_STEP,
    .can_fix = true,
    .implicit = true,
    .newmark = {hht, 0.8, 0.5},
};

const SarIntegrator sar_integrator_generalized_alpha = {
    .name = "generalized-alpha",
    .doc =
        "generalized-alpha method: fixed steps, for implicit formulations; damps vibrations "
        "faster than the step, and slower ones least",
    .ref = "Chung and Hulbert 1993; Arnold and Bruls 2007",
    .order = 2,
    .serves = SAR_FOR_STEP,
    .can_fix = true,
    .implicit = true,
    .use = SAR_USE_DAMPED,
    .newmark = {generalized_alpha, 0.8, 0},
};
