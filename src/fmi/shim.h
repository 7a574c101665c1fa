// The C of a source FMU around generated equations: lines, ended by NULL, in which @ stands for the
// name of the generated code.
#pragma once

extern const char* const sar_fmi_shim_common[];
extern const char* const sar_fmi_shim2[];
extern const char* const sar_fmi_shim3[];
