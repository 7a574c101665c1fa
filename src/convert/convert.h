// From one model format to another: what the writers share.
#pragma once
#include "base/text_out.h"
#include "model/model.h"
#include "model/spec.h"

typedef struct Loss {
  SarLoc loc;  // in the source; line 0: it has none
  const char* text;
} Loss;

typedef struct Convert {
  SarArena arena;              // of everything here
  const SarSpec* spec;         // the source as written
  const SarModel* model;       // and compiled, fixed joints kept
  const char* from;            // the source
  const char* to;              // the file that is to be; Nullable
  const SarLoadOptions* load;  // Nullable
  SarTextOut out;
  SAR_LIST(Loss) losses;
  bool files_told;
} Convert;

// What the target does not hold: told once for each thing.
void sar_lose(Convert* c, SarLoc loc, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

// The name of a file as the new file has to say it; one that is not below its folder is told, once
// for all of them.
const char* sar_target_file(Convert* c, SpecName name);

// A value that was given for a parameter from outside.
bool sar_given_parameter(const Convert* c, const char* name, double* value);

struct YamlNode;
// The writers: fill c->out and c->losses.
void sar_write_yaml(Convert* c);
void sar_write_yaml_tree(Convert* c, const struct YamlNode* root);
void sar_write_urdf(Convert* c);
void sar_write_mjcf(Convert* c);
void sar_write_sdf(Convert* c);
