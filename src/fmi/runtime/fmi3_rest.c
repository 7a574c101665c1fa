// FMI 3.0: functions for what our FMUs have not (other types, clocks, dependencies, adjoint
// derivatives). The standard wants all of them to be there.
#include "fmi/runtime/fmi3_parts.h"

static Fmi3Status refuse(Fmi3Instance c, const char* what) {
  if (c) sar_fmu_say(FMU3(c), FMU_ERROR, "%s", what);
  return FMI3_ERROR;
}

static Fmi3Status no_such(Fmi3Instance c, size_t n, const char* type) {
  if (n == 0 && c) return FMI3_OK;
  if (c) sar_fmu_say(FMU3(c), FMU_ERROR, "there are no variables of type %s", type);
  return FMI3_ERROR;
}

#define FMI3_DEFINE(Name, type)                                                        \
  FMU_API Fmi3Status fmi3Get##Name(Fmi3Instance c, const Fmi3Reference vr[], size_t n, \
                                   type value[], size_t values) {                      \
    (void)vr, (void)value, (void)values;                                               \
    return no_such(c, n, #Name);                                                       \
  }                                                                                    \
  FMU_API Fmi3Status fmi3Set##Name(Fmi3Instance c, const Fmi3Reference vr[], size_t n, \
                                   const type value[], size_t values) {                \
    (void)vr, (void)value, (void)values;                                               \
    return no_such(c, n, #Name);                                                       \
  }
FMI3_PLAIN_TYPES(FMI3_DEFINE)

FMU_API Fmi3Status fmi3GetString(Fmi3Instance c, const Fmi3Reference vr[], size_t n,
                                 const char* value[], size_t values) {
  (void)vr, (void)value, (void)values;
  return no_such(c, n, "String");
}

FMU_API Fmi3Status fmi3SetString(Fmi3Instance c, const Fmi3Reference vr[], size_t n,
                                 const char* const value[], size_t values) {
  (void)vr, (void)value, (void)values;
  return no_such(c, n, "String");
}

FMU_API Fmi3Status fmi3GetBinary(Fmi3Instance c, const Fmi3Reference vr[], size_t n, size_t size[],
                                 const uint8_t* value[], size_t values) {
  (void)vr, (void)size, (void)value, (void)values;
  return no_such(c, n, "Binary");
}

FMU_API Fmi3Status fmi3SetBinary(Fmi3Instance c, const Fmi3Reference vr[], size_t n,
                                 const size_t size[], const uint8_t* const value[], size_t values) {
  (void)vr, (void)size, (void)value, (void)values;
  return no_such(c, n, "Binary");
}

FMU_API Fmi3Status fmi3GetClock(Fmi3Instance c, const Fmi3Reference vr[], size_t n, bool value[]) {
  (void)vr, (void)value;
  return no_such(c, n, "Clock");
}

FMU_API Fmi3Status fmi3SetClock(Fmi3Instance c, const Fmi3Reference vr[], size_t n,
                                const bool value[]) {
  (void)vr, (void)value;
  return no_such(c, n, "Clock");
}

FMU_API Fmi3Status fmi3GetIntervalDecimal(Fmi3Instance c, const Fmi3Reference vr[], size_t n,
                                          double interval[], Fmi3IntervalQualifier qualifier[]) {
  (void)vr, (void)interval, (void)qualifier;
  return no_such(c, n, "Clock");
}

FMU_API Fmi3Status fmi3GetIntervalFraction(Fmi3Instance c, const Fmi3Reference vr[], size_t n,
                                           uint64_t counter[], uint64_t resolution[],
                                           Fmi3IntervalQualifier qualifier[]) {
  (void)vr, (void)counter, (void)resolution, (void)qualifier;
  return no_such(c, n, "Clock");
}

FMU_API Fmi3Status fmi3GetShiftDecimal(Fmi3Instance c, const Fmi3Reference vr[], size_t n,
                                       double shift[]) {
  (void)vr, (void)shift;
  return no_such(c, n, "Clock");
}

FMU_API Fmi3Status fmi3GetShiftFraction(Fmi3Instance c, const Fmi3Reference vr[], size_t n,
                                        uint64_t counter[], uint64_t resolution[]) {
  (void)vr, (void)counter, (void)resolution;
  return no_such(c, n, "Clock");
}

FMU_API Fmi3Status fmi3SetIntervalDecimal(Fmi3Instance c, const Fmi3Reference vr[], size_t n,
                                          const double value[]) {
  (void)vr, (void)value;
  return no_such(c, n, "Clock");
}

FMU_API Fmi3Status fmi3SetShiftDecimal(Fmi3Instance c, const Fmi3Reference vr[], size_t n,
                                       const double value[]) {
  (void)vr, (void)value;
  return no_such(c, n, "Clock");
}

FMU_API Fmi3Status fmi3SetIntervalFraction(Fmi3Instance c, const Fmi3Reference vr[], size_t n,
                                           const uint64_t counter[], const uint64_t resolution[]) {
  (void)vr, (void)counter, (void)resolution;
  return no_such(c, n, "Clock");
}

FMU_API Fmi3Status fmi3SetShiftFraction(Fmi3Instance c, const Fmi3Reference vr[], size_t n,
                                        const uint64_t counter[], const uint64_t resolution[]) {
  (void)vr, (void)counter, (void)resolution;
  return no_such(c, n, "Clock");
}

FMU_API Fmi3Status fmi3ActivateModelPartition(Fmi3Instance c, Fmi3Reference clock, double t) {
  (void)clock, (void)t;
  return refuse(c, "scheduled execution is not offered");
}

FMU_API Fmi3Status fmi3GetNumberOfVariableDependencies(Fmi3Instance c, Fmi3Reference vr,
                                                       size_t* n) {
  (void)vr, (void)n;
  return refuse(c, "dependencies are not told: all may depend on all");
}

FMU_API Fmi3Status fmi3GetVariableDependencies(Fmi3Instance c, Fmi3Reference dependent,
                                               size_t of_dependent[], Fmi3Reference independent[],
                                               size_t of_independent[], Fmi3DependencyKind kind[],
                                               size_t n) {
  (void)dependent, (void)of_dependent, (void)independent, (void)of_independent, (void)kind, (void)n;
  return refuse(c, "dependencies are not told: all may depend on all");
}

FMU_API Fmi3Status fmi3GetAdjointDerivative(Fmi3Instance c, const Fmi3Reference unknown[],
                                            size_t unknowns, const Fmi3Reference known[],
                                            size_t knowns, const double seed[], size_t seeds,
                                            double sensitivity[], size_t sensitivities) {
  (void)unknown, (void)unknowns, (void)known, (void)knowns, (void)seed, (void)seeds,
      (void)sensitivity, (void)sensitivities;
  return refuse(c, "adjoint derivatives are not offered: directional ones are");
}
