// A formulation with an integrator: what a simulation calls of them, and whom the tables name.
#pragma once
#include "model/sim.h"

// Fills s->call from s->formulation and s->integrator.
void sar_method_fill(SarSim* s);

// Does the integrator make the steps, with memory of its own? Formulations of the other shapes step
// themselves and take of it no more than the numbers of its scheme.
bool sar_integrator_steps(const SarFormulation* f);

// The first integrator that the engine takes for something (SAR_USE_*); NULL: none.
const SarIntegrator* sar_integrator_for(unsigned use);

// Names for hints, with `before` in front of them: "there are rk4 dopri5", of the integrators of
// this build that fit; "'lagrange', 'qr' or 'impulse'", of the recommended formulations that fit.
// Return buf.
typedef bool SarIntegratorFits(const SarIntegrator* i, const void* with);
typedef bool SarFormulationFits(const SarFormulation* f);
const char* sar_integrator_names(char* buf, size_t size, const char* before,
                                 SarIntegratorFits* fits, const void* with);
const char* sar_formulation_names(char* buf, size_t size, const char* before,
                                  SarFormulationFits* fits);
bool sar_passes_singular(const SarFormulation* f);  // positions where constraints lose their grip
