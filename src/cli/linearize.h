// What `sarrus linearize` shares with its printing.
#pragma once
#include "analysis/linearize.h"
#include "cli/cli.h"

typedef struct Linearization {
  const char* path;
  const SarModel* m;
  SarData* d;
  SarSim* s;
  SarLinearization found;
} Linearization;

void linearize_text(const Linearization* a);
void linearize_json(const Linearization* a);
SarStatus linearize_write(const Linearization* a, const CliArgs* args, const char* path,
                          SarError* err);
