// The solution flow of the kinematics as `sarrus loops` and `sarrus equations --kinematics` show
// it.
#pragma once
#include "cli/cli.h"
#include "output/flow.h"

// Coordinates in which loops decouple, unless --coordinates or the file says otherwise; also of the
// equations, whose `B` is that of the flow.
const char* flow_coordinates(const CliArgs* args);
// The whole of it: loads, plans, prints as text, as LaTeX (--latex) or JSON, draws (--picture
// FILE). An exit status.
int flow_show(const CliArgs* args);

// A chart of the flow. SAR_NOT_OFFERED after a report: built without cairo.
SarStatus flow_draw(const SarFlowReport* r, const char* path, SarError* err);
