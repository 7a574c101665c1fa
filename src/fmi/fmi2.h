// The binary interface of FMI 2.0 (Functional Mock-up Interface, Modelica Association, 2014), as
// far as names, values and signatures go: the same for FMUs that we write (runtime/) and for those
// that we load (import.h).
//
// Functions are declared by types, `Fmi2DoStep fmi2DoStep;`, so that an importer has pointers of
// the same types.
#pragma once
#include <stddef.h>

typedef void* Fmi2Component;
typedef void* Fmi2State;
typedef unsigned int Fmi2Reference;
typedef int Fmi2Boolean;

typedef enum Fmi2Status {
  FMI2_OK,
  FMI2_WARNING,
  FMI2_DISCARD,
  FMI2_ERROR,
  FMI2_FATAL,
  FMI2_PENDING
} Fmi2Status;

typedef enum Fmi2Type { FMI2_MODEL_EXCHANGE, FMI2_CO_SIMULATION } Fmi2Type;

typedef enum Fmi2StatusKind {
  FMI2_DO_STEP_STATUS,
  FMI2_PENDING_STATUS,
  FMI2_LAST_SUCCESSFUL_TIME,
  FMI2_TERMINATED
} Fmi2StatusKind;

typedef void Fmi2Logger(void* environment, const char* instance, Fmi2Status status,
                        const char* category, const char* format, ...);

typedef struct Fmi2Callbacks {
  Fmi2Logger* logger;
  void* (*allocate)(size_t count, size_t size);
  void (*release)(void* block);
  void (*step_finished)(void* environment, Fmi2Status status);
  void* environment;
} Fmi2Callbacks;

typedef struct Fmi2EventInfo {
  Fmi2Boolean again, terminate, nominals_changed, values_changed, next_time_defined;
  double next_time;
} Fmi2EventInfo;

// ---- both kinds ---------------------------------------------------------------------------------
typedef const char* Fmi2GetTypesPlatform(void);
typedef const char* Fmi2GetVersion(void);
typedef Fmi2Status Fmi2SetDebugLogging(Fmi2Component c, Fmi2Boolean on, size_t count,
                                       const char* const categories[]);
typedef Fmi2Component Fmi2Instantiate(const char* name, Fmi2Type type, const char* guid,
                                      const char* resources, const Fmi2Callbacks* callbacks,
                                      Fmi2Boolean visible, Fmi2Boolean logging);
typedef void Fmi2FreeInstance(Fmi2Component c);
typedef Fmi2Status Fmi2SetupExperiment(Fmi2Component c, Fmi2Boolean tolerance_defined,
                                       double tolerance, double start, Fmi2Boolean stop_defined,
                                       double stop);
typedef Fmi2Status Fmi2Plain(Fmi2Component c);  // of several functions that take nothing else
typedef Fmi2Status Fmi2GetReal(Fmi2Component c, const Fmi2Reference vr[], size_t n, double value[]);
typedef Fmi2Status Fmi2GetInteger(Fmi2Component c, const Fmi2Reference vr[], size_t n, int value[]);
typedef Fmi2Status Fmi2GetString(Fmi2Component c, const Fmi2Reference vr[], size_t n,
                                 const char* value[]);
typedef Fmi2Status Fmi2SetReal(Fmi2Component c, const Fmi2Reference vr[], size_t n,
                               const double value[]);
typedef Fmi2Status Fmi2SetInteger(Fmi2Component c, const Fmi2Reference vr[], size_t n,
                                  const int value[]);
typedef Fmi2Status Fmi2SetString(Fmi2Component c, const Fmi2Reference vr[], size_t n,
                                 const char* const value[]);
typedef Fmi2Status Fmi2GetState(Fmi2Component c, Fmi2State* state);
typedef Fmi2Status Fmi2SetState(Fmi2Component c, Fmi2State state);
typedef Fmi2Status Fmi2StateSize(Fmi2Component c, Fmi2State state, size_t* size);
typedef Fmi2Status Fmi2Serialize(Fmi2Component c, Fmi2State state, char bytes[], size_t size);
typedef Fmi2Status Fmi2Deserialize(Fmi2Component c, const char bytes[], size_t size,
                                   Fmi2State* state);
typedef Fmi2Status Fmi2GetDirectionalDerivative(Fmi2Component c, const Fmi2Reference unknown[],
                                                size_t unknowns, const Fmi2Reference known[],
                                                size_t knowns, const double seed[],
                                                double sensitivity[]);

// ---- model exchange -----------------------------------------------------------------------------
typedef Fmi2Status Fmi2NewDiscreteStates(Fmi2Component c, Fmi2EventInfo* info);
typedef Fmi2Status Fmi2CompletedIntegratorStep(Fmi2Component c, Fmi2Boolean no_way_back,
                                               Fmi2Boolean* enter_event_mode,
                                               Fmi2Boolean* terminate);
typedef Fmi2Status Fmi2SetTime(Fmi2Component c, double t);
typedef Fmi2Status Fmi2SetStates(Fmi2Component c, const double x[], size_t n);
typedef Fmi2Status Fmi2GetNumbers(Fmi2Component c, double x[], size_t n);

// ---- co-simulation ------------------------------------------------------------------------------
typedef Fmi2Status Fmi2SetInputDerivatives(Fmi2Component c, const Fmi2Reference vr[], size_t n,
                                           const int order[], const double value[]);
typedef Fmi2Status Fmi2GetOutputDerivatives(Fmi2Component c, const Fmi2Reference vr[], size_t n,
                                            const int order[], double value[]);
typedef Fmi2Status Fmi2DoStep(Fmi2Component c, double t, double h, Fmi2Boolean no_way_back);
typedef Fmi2Status Fmi2GetStatus(Fmi2Component c, Fmi2StatusKind kind, Fmi2Status* value);
typedef Fmi2Status Fmi2GetRealStatus(Fmi2Component c, Fmi2StatusKind kind, double* value);
typedef Fmi2Status Fmi2GetIntegerStatus(Fmi2Component c, Fmi2StatusKind kind, int* value);
typedef Fmi2Status Fmi2GetStringStatus(Fmi2Component c, Fmi2StatusKind kind, const char** value);
