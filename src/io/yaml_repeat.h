// What copies of repeated parts (yaml_repeat.c) need to know of their loops (yaml_loop.c).
#pragma once
#include "io/yaml_read.h"

// One `repeat: {n: 5, as: i, from: 0, ends: ...}`.
typedef struct YamlLoop {
  const YamlNode *count, *from, *ends;
  SpecName as;
  SarLoc loc;
} YamlLoop;

bool sar_yaml_read_loop(YamlReader* r, const YamlNode* n, const YamlIndex* scope, YamlLoop* loop);
// A whole number of `key`, `least` or more.
bool sar_yaml_whole(YamlReader* r, const YamlNode* n, const char* key, const YamlIndex* scope,
                    double least, double* value);
// One copy of a part, if there is room for it.
int sar_yaml_may_copy(const YamlReader* r, int size);
// How many copies of a part there are, if there is room for them.
bool sar_yaml_count_copies(YamlReader* r, const YamlLoop* loop, const YamlIndex* scope, int size,
                           int* n);
