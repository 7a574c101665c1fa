// What `sarrus linearize` shares with its printing.
#pragma once
#include "cli/cli.h"

typedef struct Linearization {
  const char* path;
  SarData* d;
  SarLinearization* found;
  const SarLinearizationReport* report;
} Linearization;

void linearize_text(const Linearization* a);
void linearize_json(const Linearization* a);
SarStatus linearize_write(const Linearization* a, const CliArgs* args, const char* path,
                          SarError* err);
