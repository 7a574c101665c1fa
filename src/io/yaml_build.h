// What the files that build the tree of a YAML text share (yaml_tree.c).
#pragma once
#include "io/yaml_tree.h"

#include <yaml.h>

typedef struct YamlAnchor {
  const char* name;
  YamlNode* node;  // NULL while its own content is being read
} YamlAnchor;

typedef SAR_LIST(const YamlNode*) YamlNodes;
typedef SAR_LIST(YamlPair) YamlPairs;

typedef struct YamlBuilder {
  yaml_parser_t parser;
  SarArena *arena, *texts;
  SarError* err;
  const char* file;
  const char* text;
  size_t length;
  int max_nodes;
  SarStatus status;  // first failure that ends the reading
  SAR_LIST(YamlAnchor) anchors;
  // of the lists and mappings that are being read: each takes its own off the end
  YamlNodes open_items;
  YamlPairs open_pairs;
} YamlBuilder;

// Counts `part` into n. False: that is more than a file may hold, and it is said.
bool sar_yaml_grow(YamlBuilder* b, YamlNode* n, const YamlNode* part);

// Takes the merge keys out of the pairs of n and puts the pairs they stand for at their end; drops
// all but the first of equal keys, with a message where the file itself repeats one. False: no
// memory, or b->status says why.
bool sar_yaml_merge(YamlBuilder* b, YamlNode* n, YamlPairs* list);

// An expression that commas have cut into pieces.
typedef struct YamlCut {
  int open;         // parentheses that are open yet
  YamlNode* piece;  // the first piece of the expression
} YamlCut;

// Takes the next piece; true if it belongs to an expression begun before.
bool sar_yaml_is_rest(SarError* err, YamlCut* cut, YamlNode* n);
void sar_yaml_end_cut(SarError* err, const YamlCut* cut);
