// What is read of a modal body until all of it is there (yaml_modal.c, yaml_modal_shape.c).
#pragma once
#include "io/yaml_read.h"

typedef struct YamlModal {
  SpecModal spec;
  const YamlNode *nodes, *modes, *stiffness, *bend, *damping, *use, *attach;
  SpecName file;
} YamlModal;

// A field that keeps the node itself for later.
void sar_yaml_keep(YamlReader* r, const YamlNode* n, void* into);
// A finite number, known now; false after a report.
bool sar_yaml_finite(YamlReader* r, const YamlNode* n, double* x);
// least ... most numbers; those that are not there are 0. Returns how many there are, -1 after a
// report.
int sar_yaml_some(YamlReader* r, const YamlNode* n, int least, int most, const char* what,
                  double* x);
// Nodes, modes, stiffness and bends into b->spec, whose shape has its size; frequency [Hz] of each
// mode, NaN: none.
void sar_yaml_modal_shape(YamlReader* r, YamlModal* b, double* frequency);
