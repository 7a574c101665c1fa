// FMI 2.0: the component, and all functions by their types (fmi/fmi2.h).
#pragma once
#include "fmi/fmi2.h"
#include "fmi/runtime/instance.h"

#define FMU_API __attribute__((visibility("default")))

typedef struct Fmu2 {
  SarFmu* f;
  Fmi2Callbacks callbacks;
  char name[256];
} Fmu2;

#define FMU2(component) (((Fmu2*)(component))->f)

FMU_API Fmi2GetTypesPlatform fmi2GetTypesPlatform;
FMU_API Fmi2GetVersion fmi2GetVersion;
FMU_API Fmi2SetDebugLogging fmi2SetDebugLogging;
FMU_API Fmi2Instantiate fmi2Instantiate;
FMU_API Fmi2FreeInstance fmi2FreeInstance;
FMU_API Fmi2SetupExperiment fmi2SetupExperiment;
FMU_API Fmi2Plain fmi2EnterInitializationMode, fmi2ExitInitializationMode, fmi2Terminate, fmi2Reset;
FMU_API Fmi2GetReal fmi2GetReal;
FMU_API Fmi2GetInteger fmi2GetInteger, fmi2GetBoolean;
FMU_API Fmi2GetString fmi2GetString;
FMU_API Fmi2SetReal fmi2SetReal;
FMU_API Fmi2SetInteger fmi2SetInteger, fmi2SetBoolean;
FMU_API Fmi2SetString fmi2SetString;
FMU_API Fmi2GetState fmi2GetFMUstate, fmi2FreeFMUstate;
FMU_API Fmi2SetState fmi2SetFMUstate;
FMU_API Fmi2StateSize fmi2SerializedFMUstateSize;
FMU_API Fmi2Serialize fmi2SerializeFMUstate;
FMU_API Fmi2Deserialize fmi2DeSerializeFMUstate;
FMU_API Fmi2GetDirectionalDerivative fmi2GetDirectionalDerivative;
FMU_API Fmi2Plain fmi2EnterEventMode, fmi2EnterContinuousTimeMode;
FMU_API Fmi2NewDiscreteStates fmi2NewDiscreteStates;
FMU_API Fmi2CompletedIntegratorStep fmi2CompletedIntegratorStep;
FMU_API Fmi2SetTime fmi2SetTime;
FMU_API Fmi2SetStates fmi2SetContinuousStates;
FMU_API Fmi2GetNumbers fmi2GetDerivatives, fmi2GetEventIndicators, fmi2GetContinuousStates,
    fmi2GetNominalsOfContinuousStates;
FMU_API Fmi2SetInputDerivatives fmi2SetRealInputDerivatives;
FMU_API Fmi2GetOutputDerivatives fmi2GetRealOutputDerivatives;
FMU_API Fmi2DoStep fmi2DoStep;
FMU_API Fmi2Plain fmi2CancelStep;
FMU_API Fmi2GetStatus fmi2GetStatus;
FMU_API Fmi2GetRealStatus fmi2GetRealStatus;
FMU_API Fmi2GetIntegerStatus fmi2GetIntegerStatus, fmi2GetBooleanStatus;
FMU_API Fmi2GetStringStatus fmi2GetStringStatus;
