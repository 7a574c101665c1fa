// C text to a function of this process: compiled by the system's compiler, kept in a cache, loaded.
//
// The cache is a folder of the user alone ($SARRUS_CACHE, else sarrus in $XDG_CACHE_HOME or
// ~/.cache; mode 0700, checked: not a link, ours, nobody else may write). A file is named by the
// hash of the text, the compiler and its options; beside it stands the text, which must be the
// same. New ones are made in a folder of their own and renamed, so that two processes may do so at
// once. What is there and is not ours is neither loaded nor replaced. No shell is called.
#pragma once
#include "base/error.h"

typedef struct SarCompiled {
  void* library;
  void* function;
} SarCompiled;

// The function `name` of the text; `more`: options for the compiler, ended by NULL; Nullable.
// False: `why` says why not.
bool sar_compiled_open(SarCompiled* c, const char* text, size_t length, const char* name,
                       const char* const* more, char* why, size_t size);
void sar_compiled_close(SarCompiled* c);
