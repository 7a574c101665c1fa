// YAML text -> a tree of nodes that know their place. Scalars stay text: what is a number, a name
// or an expression is for the reader of that key to say, so `no`, `on` and `1:30` mean themselves.
#pragma once
#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>

typedef enum YamlKind { YAML_TEXT, YAML_LIST, YAML_MAP } YamlKind;

typedef struct YamlNode YamlNode;
struct YamlIndex;

typedef struct YamlPair {
  const YamlNode* key;  // always text
  const YamlNode* value;
} YamlPair;

// A file of a hundred thousand bodies has some millions of them: 56 bytes each.
struct YamlNode {
  SarLoc loc;             // first character; of quoted text: the one after the quote
  int last_line;          // where it ends
  unsigned kind : 8;      // YamlKind
  unsigned reported : 1;  // there is already a message about it: to be passed over in silence
  unsigned quoted : 1;
  int size;  // nodes in it, itself included; a shared one counts wherever it is used
  int count;
  union {                          // by kind
    const char* text;              // TEXT: count characters, then 0; none of them is 0
    const YamlNode* const* items;  // LIST
    const YamlPair* pairs;         // MAP: no key twice, merge keys (<<) carried out
  };
  // In a copy of a repeated part (yaml_repeat.c):
  const struct YamlIndex* index;  // what its indices stand for; NULL: no copy
  const char*
      spaced;  // TEXT with `$`: as `text`, each name filled up to its length in the file. Nullable
};

enum { YAML_MAX_DEPTH = 64, YAML_MAX_ANCHORS = 4096 };

// Reads one document of at most max_nodes nodes (aliases counted as if copied, so that walking the
// tree takes bounded time). *root is NULL for an empty document. Broken syntax is reported and ends
// the reading; duplicate keys and the like are reported and passed over. `file` must outlive the
// tree. Texts are put into an arena of their own, for names in them outlive the tree.
SarStatus sar_yaml_tree(SarArena* arena, SarArena* texts, const char* text, size_t n,
                        const char* file, int max_nodes, const YamlNode** root, SarError* err);

bool sar_yaml_is_null(const YamlNode* n);           // nothing, `null` or `~`
const char* sar_yaml_kind_text(const YamlNode* n);  // "a mapping", "the text 'abc'": for messages;
