// What `sarrus linearize` shares with its printing.
#pragma once
#include "cli/cli.h"
#include "sim/linear.h"

enum { CLI_NAME = 128, CLI_MOST_NAMES = 512 };

typedef struct Linearization {
  const char* path;
  const SarModel* m;
  SarData* d;
  SarSim* s;
  int nu, ny;
  int left_out;  // columns that are not differentiated
  SarLinearInput input[CLI_MOST_NAMES];
  int column[CLI_MOST_NAMES];
  SarLinear system;
} Linearization;

void linearize_text(const Linearization* a);
void linearize_json(const Linearization* a);
SarStatus linearize_write(const Linearization* a, const CliArgs* args, const char* path,
                          SarError* err);
