// Equations of motion that were made: as text, LaTeX or C; as JSON.
#pragma once
#include "cli/cli.h"
#include "cli/equation_names.h"
#include "output/flow.h"

typedef struct EquationsJob {
  const CliArgs* args;
  unsigned parts;
  SarFlowReport flow;  // of what concerns the embedding
  SarPrintStyle style;
  EquationNames names;
  SarEquations e;
  double begun, told;  // s
  int looks;
} EquationsJob;

void equations_print_text(const EquationsJob* j);
void equations_print_json(const EquationsJob* j);
