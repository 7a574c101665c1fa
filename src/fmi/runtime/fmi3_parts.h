// FMI 3.0: the instance, and all functions by their types (fmi/fmi3.h).
#pragma once
#include "fmi/fmi3.h"
#include "fmi/runtime/instance.h"

#define FMU_API __attribute__((visibility("default")))

typedef struct Fmu3 {
  SarFmu* f;
  void* environment;
  Fmi3Log* log;
  Fmi3IntermediateUpdate* intermediate;
  bool event_mode_used, early_return_allowed;
} Fmu3;

#define FMU3(instance) (((Fmu3*)(instance))->f)

FMU_API Fmi3GetVersion fmi3GetVersion;
FMU_API Fmi3SetDebugLogging fmi3SetDebugLogging;
FMU_API Fmi3InstantiateModelExchange fmi3InstantiateModelExchange;
FMU_API Fmi3InstantiateCoSimulation fmi3InstantiateCoSimulation;
FMU_API Fmi3InstantiateScheduledExecution fmi3InstantiateScheduledExecution;
FMU_API Fmi3FreeInstance fmi3FreeInstance;
FMU_API Fmi3EnterInitializationMode fmi3EnterInitializationMode;
FMU_API Fmi3Plain fmi3ExitInitializationMode, fmi3EnterEventMode, fmi3Terminate, fmi3Reset,
    fmi3EnterConfigurationMode, fmi3ExitConfigurationMode, fmi3EvaluateDiscreteStates,
    fmi3EnterContinuousTimeMode, fmi3EnterStepMode;
#define FMI3_DECLARE(Name, type)       \
  FMU_API Fmi3Get##Name fmi3Get##Name; \
  FMU_API Fmi3Set##Name fmi3Set##Name;
FMI3_DECLARE(Float64, double)
FMI3_PLAIN_TYPES(FMI3_DECLARE)
FMU_API Fmi3GetString fmi3GetString;
FMU_API Fmi3SetString fmi3SetString;
FMU_API Fmi3GetBinary fmi3GetBinary;
FMU_API Fmi3SetBinary fmi3SetBinary;
FMU_API Fmi3GetClock fmi3GetClock;
FMU_API Fmi3SetClock fmi3SetClock;
FMU_API Fmi3CountDependencies fmi3GetNumberOfVariableDependencies;
FMU_API Fmi3GetDependencies fmi3GetVariableDependencies;
FMU_API Fmi3GetState fmi3GetFMUState, fmi3FreeFMUState;
FMU_API Fmi3SetState fmi3SetFMUState;
FMU_API Fmi3StateSize fmi3SerializedFMUStateSize;
FMU_API Fmi3Serialize fmi3SerializeFMUState;
FMU_API Fmi3Deserialize fmi3DeserializeFMUState;
FMU_API Fmi3GetDerivative fmi3GetDirectionalDerivative, fmi3GetAdjointDerivative;
FMU_API Fmi3UpdateDiscreteStates fmi3UpdateDiscreteStates;
FMU_API Fmi3GetIntervalDecimal fmi3GetIntervalDecimal;
FMU_API Fmi3GetIntervalFraction fmi3GetIntervalFraction;
FMU_API Fmi3GetShiftDecimal fmi3GetShiftDecimal;
FMU_API Fmi3GetShiftFraction fmi3GetShiftFraction;
FMU_API Fmi3SetDecimal fmi3SetIntervalDecimal, fmi3SetShiftDecimal;
FMU_API Fmi3SetFraction fmi3SetIntervalFraction, fmi3SetShiftFraction;
FMU_API Fmi3ActivateModelPartition fmi3ActivateModelPartition;
FMU_API Fmi3CompletedIntegratorStep fmi3CompletedIntegratorStep;
FMU_API Fmi3SetTime fmi3SetTime;
FMU_API Fmi3SetStates fmi3SetContinuousStates;
FMU_API Fmi3GetNumbers fmi3GetContinuousStateDerivatives, fmi3GetEventIndicators,
    fmi3GetContinuousStates, fmi3GetNominalsOfContinuousStates;
FMU_API Fmi3GetCount fmi3GetNumberOfEventIndicators, fmi3GetNumberOfContinuousStates;
FMU_API Fmi3GetOutputDerivatives fmi3GetOutputDerivatives;
FMU_API Fmi3DoStep fmi3DoStep;
