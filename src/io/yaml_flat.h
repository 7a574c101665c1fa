// A YAML model file as a tree in which repeated parts are there as often as they are meant.
#pragma once
#include "io/source.h"
#include "io/yaml_tree.h"

// Of a file that has been read before without an error; everything lives in the spec's arena, of
// which nothing else is used. *root NULL: it includes other files, which only a reader puts
// together.
SarStatus sar_yaml_flat(const char* path, const SarLoadOptions* o, SarSpec* spec,
                        const YamlNode** root, SarError* err);
// Text of a value, with its indices put in.
const char* sar_yaml_flat_text(SarArena* a, const YamlNode* n);
