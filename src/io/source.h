// Where the text of a model comes from: its file, the files that one includes, and bounds on all of
// them together.
#pragma once
#include "base/arena.h"
#include "base/error.h"
#include "model/spec.h"

#include <stdbool.h>

enum {
  SAR_MAX_FILE = 64 << 20,       // bytes of one file
  SAR_MAX_INCLUDED = 256 << 20,  // bytes of all included files, each as often as it is included
  SAR_MAX_NODES = 4000000,       // values in all files
  SAR_MAX_COPIES = 50000,        // of repeated parts
  SAR_MAX_COPIED = 2000000,      // values in them
  SAR_MAX_INCLUDE_DEPTH = 8
};

typedef struct SarFileId {  // the same for every path to one file
  unsigned long long device, inode;
} SarFileId;

typedef struct SarRange {  // a piece of a file, both ends included
  const char* file;
  int first_line, first_column, last_line, last_column;
} SarRange;

// What all files of one model share.
typedef struct SarReading {
  const SarLoadOptions* options;  // Nullable
  size_t bytes_left;
  int nodes_left;
  int copies_left, copied_left;  // of repeated parts: copies, values in them
  SAR_LIST(SarFileId) broken;    // included files whose errors are reported already
  // Items with errors stay in the spec, so that others can refer to them: `wrong` is where their
  // errors are, and the places of the items themselves. What the compiler says about anything else
  // holds.
  SAR_LIST(SarRange) wrong;
} SarReading;

// One text, and the chain of files that include it.
typedef struct SarSource {
  const char* name;  // stands for the text in messages; of a file: its path
  bool from_file;    // false: the text has no folder, and its includes only the search paths
  SarFileId id;
  int depth;
  const struct SarSource* parent;  // NULL: the model itself
  const struct YamlGiven* given;   // what the including file says about its parameters; Nullable
  SarReading* reading;
} SarSource;

SarReading sar_reading(const SarLoadOptions* o);
// Tells who asked for it that a file is read. o: Nullable.
void sar_note_file(const SarLoadOptions* o, const char* path);

// Reads with the reader that the name's extension (or, without one, the text) asks for.
SarStatus sar_read_source(const char* text, size_t n, const SarSource* source, SarSpec* spec,
                          SarError* err);
SarStatus sar_read_yaml_source(const char* text, size_t n, const SarSource* source, SarSpec* spec,
                               SarError* err);
SarStatus sar_read_mjcf_source(const char* text, size_t n, const SarSource* source, SarSpec* spec,
                               SarError* err);

SarStatus sar_read_sdf_source(const char* text, size_t n, const SarSource* source, SarSpec* spec,
                              SarError* err);

typedef struct SarFileText {
  char* text;  // of sar_alloc
  size_t size;
  SarFileId id;
  SarBudget* budget;  // what `room` bytes count against; Nullable
  size_t room;
} SarFileText;

// Reads a whole file of at most `max` bytes; *out is to be given to sar_file_close, also after a
// failure. Reports at `loc` (no place: at the file's own name). `regular`: pipes and devices are
// refused.
SarStatus sar_file_open(const char* path, size_t max, bool regular, SarLoc loc, SarFileText* out,
                        SarError* err);
// The same with the text counted against a budget.
SarStatus sar_file_open_in(SarBudget* budget, const char* path, size_t max, bool regular,
                           SarLoc loc, SarFileText* out, SarError* err);
void sar_file_close(SarFileText* file);
bool sar_file_exists(const char* path);

// True if the name ends so, in small or capital letters.
bool sar_path_has_extension(const char* path, const char* extension);
bool sar_path_is_absolute(const char* path);
// `name` in the folder that `file` is in.
char* sar_path_beside(SarArena* a, const char* file, const char* name);
