// The binary interface of FMI 3.0 (Functional Mock-up Interface, Modelica Association, 2022), as
// far as names, values and signatures go; see fmi2.h. Scheduled execution and clocks are there as
// far as an FMU must have the symbols.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void* Fmi3Instance;
typedef void* Fmi3State;
typedef uint32_t Fmi3Reference;

typedef enum Fmi3Status { FMI3_OK, FMI3_WARNING, FMI3_DISCARD, FMI3_ERROR, FMI3_FATAL } Fmi3Status;
typedef enum Fmi3DependencyKind { FMI3_INDEPENDENT } Fmi3DependencyKind;  // the others are not used
typedef enum Fmi3IntervalQualifier { FMI3_INTERVAL_UNKNOWN } Fmi3IntervalQualifier;  // likewise

typedef void Fmi3Log(void* environment, Fmi3Status status, const char* category, const char* text);
typedef void Fmi3IntermediateUpdate(void* environment, double t, bool set_requested,
                                    bool get_allowed, bool step_finished, bool can_return_early,
                                    bool* return_early, double* return_time);
typedef void Fmi3ClockUpdate(void* environment);
typedef void Fmi3Preemption(void);

// ---- all kinds ----------------------------------------------------------------------------------
typedef const char* Fmi3GetVersion(void);
typedef Fmi3Status Fmi3SetDebugLogging(Fmi3Instance c, bool on, size_t count,
                                       const char* const categories[]);
typedef Fmi3Instance Fmi3InstantiateModelExchange(const char* name, const char* token,
                                                  const char* resources, bool visible, bool logging,
                                                  void* environment, Fmi3Log* log);
typedef Fmi3Instance Fmi3InstantiateCoSimulation(const char* name, const char* token,
                                                 const char* resources, bool visible, bool logging,
                                                 bool event_mode_used, bool early_return_allowed,
                                                 const Fmi3Reference required[], size_t requireds,
                                                 void* environment, Fmi3Log* log,
                                                 Fmi3IntermediateUpdate* intermediate);
typedef Fmi3Instance Fmi3InstantiateScheduledExecution(const char* name, const char* token,
                                                       const char* resources, bool visible,
                                                       bool logging, void* environment,
                                                       Fmi3Log* log, Fmi3ClockUpdate* clock,
                                                       Fmi3Preemption* lock,
                                                       Fmi3Preemption* unlock);
typedef void Fmi3FreeInstance(Fmi3Instance c);
typedef Fmi3Status Fmi3EnterInitializationMode(Fmi3Instance c, bool tolerance_defined,
                                               double tolerance, double start, bool stop_defined,
                                               double stop);
typedef Fmi3Status Fmi3Plain(Fmi3Instance c);  // of several functions that take nothing else

// Get and set of one type.
#define FMI3_ACCESS(Name, type)                                                        \
  typedef Fmi3Status Fmi3Get##Name(Fmi3Instance c, const Fmi3Reference vr[], size_t n, \
                                   type value[], size_t values);                       \
  typedef Fmi3Status Fmi3Set##Name(Fmi3Instance c, const Fmi3Reference vr[], size_t n, \
                                   const type value[], size_t values);
// Types with plain values: those that we have no variables of among them.
// clang-format off
#define FMI3_PLAIN_TYPES(X)                                                                 \
  X(Float32, float) X(Int8, int8_t) X(UInt8, uint8_t) X(Int16, int16_t) X(UInt16, uint16_t) \
  X(Int32, int32_t) X(UInt32, uint32_t) X(Int64, int64_t) X(UInt64, uint64_t) X(Boolean, bool)
// clang-format on
FMI3_ACCESS(Float64, double)
FMI3_PLAIN_TYPES(FMI3_ACCESS)
typedef Fmi3Status Fmi3GetString(Fmi3Instance c, const Fmi3Reference vr[], size_t n,
                                 const char* value[], size_t values);
typedef Fmi3Status Fmi3SetString(Fmi3Instance c, const Fmi3Reference vr[], size_t n,
                                 const char* const value[], size_t values);
typedef Fmi3Status Fmi3GetBinary(Fmi3Instance c, const Fmi3Reference vr[], size_t n, size_t size[],
                                 const uint8_t* value[], size_t values);
typedef Fmi3Status Fmi3SetBinary(Fmi3Instance c, const Fmi3Reference vr[], size_t n,
                                 const size_t size[], const uint8_t* const value[], size_t values);
typedef Fmi3Status Fmi3GetClock(Fmi3Instance c, const Fmi3Reference vr[], size_t n, bool value[]);
typedef Fmi3Status Fmi3SetClock(Fmi3Instance c, const Fmi3Reference vr[], size_t n,
                                const bool value[]);
typedef Fmi3Status Fmi3CountDependencies(Fmi3Instance c, Fmi3Reference vr, size_t* n);
typedef Fmi3Status Fmi3GetDependencies(Fmi3Instance c, Fmi3Reference dependent,
                                       size_t of_dependent[], Fmi3Reference independent[],
                                       size_t of_independent[], Fmi3DependencyKind kind[],
                                       size_t n);
typedef Fmi3Status Fmi3GetState(Fmi3Instance c, Fmi3State* state);
typedef Fmi3Status Fmi3SetState(Fmi3Instance c, Fmi3State state);
typedef Fmi3Status Fmi3StateSize(Fmi3Instance c, Fmi3State state, size_t* size);
typedef Fmi3Status Fmi3Serialize(Fmi3Instance c, Fmi3State state, uint8_t bytes[], size_t size);
typedef Fmi3Status Fmi3Deserialize(Fmi3Instance c, const uint8_t bytes[], size_t size,
                                   Fmi3State* state);
typedef Fmi3Status Fmi3GetDerivative(Fmi3Instance c, const Fmi3Reference unknown[], size_t unknowns,
                                     const Fmi3Reference known[], size_t knowns,
                                     const double seed[], size_t seeds, double sensitivity[],
                                     size_t sensitivities);
typedef Fmi3Status Fmi3UpdateDiscreteStates(Fmi3Instance c, bool* again, bool* terminate,
                                            bool* nominals_changed, bool* values_changed,
                                            bool* next_time_defined, double* next_time);

// ---- clocks -------------------------------------------------------------------------------------
typedef Fmi3Status Fmi3GetIntervalDecimal(Fmi3Instance c, const Fmi3Reference vr[], size_t n,
                                          double interval[], Fmi3IntervalQualifier qualifier[]);
typedef Fmi3Status Fmi3GetIntervalFraction(Fmi3Instance c, const Fmi3Reference vr[], size_t n,
                                           uint64_t counter[], uint64_t resolution[],
                                           Fmi3IntervalQualifier qualifier[]);
typedef Fmi3Status Fmi3GetShiftDecimal(Fmi3Instance c, const Fmi3Reference vr[], size_t n,
                                       double shift[]);
typedef Fmi3Status Fmi3GetShiftFraction(Fmi3Instance c, const Fmi3Reference vr[], size_t n,
                                        uint64_t counter[], uint64_t resolution[]);
typedef Fmi3Status Fmi3SetDecimal(Fmi3Instance c, const Fmi3Reference vr[], size_t n,
                                  const double value[]);
typedef Fmi3Status Fmi3SetFraction(Fmi3Instance c, const Fmi3Reference vr[], size_t n,
                                   const uint64_t counter[], const uint64_t resolution[]);
typedef Fmi3Status Fmi3ActivateModelPartition(Fmi3Instance c, Fmi3Reference clock, double t);

// ---- model exchange -----------------------------------------------------------------------------
typedef Fmi3Status Fmi3CompletedIntegratorStep(Fmi3Instance c, bool no_way_back,
                                               bool* enter_event_mode, bool* terminate);
typedef Fmi3Status Fmi3SetTime(Fmi3Instance c, double t);
typedef Fmi3Status Fmi3SetStates(Fmi3Instance c, const double x[], size_t n);
typedef Fmi3Status Fmi3GetNumbers(Fmi3Instance c, double x[], size_t n);
typedef Fmi3Status Fmi3GetCount(Fmi3Instance c, size_t* n);

// ---- co-simulation ------------------------------------------------------------------------------
typedef Fmi3Status Fmi3GetOutputDerivatives(Fmi3Instance c, const Fmi3Reference vr[], size_t n,
                                            const int32_t order[], double value[], size_t values);
typedef Fmi3Status Fmi3DoStep(Fmi3Instance c, double t, double h, bool no_way_back, bool* event,
                              bool* terminate, bool* early, double* reached);
