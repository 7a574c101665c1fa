// XML text -> a small tree in an arena, in which every tag and every value knows its line and
// column. Comments and document types are left out; of the text between tags there is what follows
// a start tag.
#pragma once
#include "base/arena.h"
#include "base/error.h"

typedef struct XmlAttribute {
  const char* name;  // with its prefix, if any: "xacro:property"
  const char* value;
  SarLoc loc;  // of the value's first character
} XmlAttribute;

typedef struct XmlTag {
  const char* name;  // with its prefix, if any
  SarLoc loc;        // of its "<"
  XmlAttribute* attributes;
  int attribute_count;
  // What stands between the tag and the next one, as it is in the file; valid as long as the text
  // that was read. NULL: nothing, or the file has another encoding than UTF-8.
  const char* text;
  size_t text_size;
  struct XmlTag *parent, *first, *last, *next;  // first and last child, next sibling
} XmlTag;

// Reads text[0..n); everything lives in the arena but `file`, which the places point to. Nothing is
// fetched and no entity is expanded; depth is at most 256. *root is NULL after a failure.
SarStatus sar_xml_read(SarArena* a, const char* text, size_t n, const char* file, XmlTag** root,
                       SarError* err);
// The attribute / the first child of that name; NULL if there is none.
const XmlAttribute* sar_xml_attribute(const XmlTag* tag, const char* name);
const XmlTag* sar_xml_child(const XmlTag* tag, const char* name);
