// The schema of MJCF as a table: for each tag, where it may stand, and what becomes of its
// attributes here.
#pragma once
#include "io/xml.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum MjcfFate {
  MJCF_TAKEN,
  MJCF_IDLE,    // has no meaning here: pictures, MuJoCo's solver, notes of the author
  MJCF_LEFT,    // matters and is not taken: told
  MJCF_UNKNOWN  // in no table: told
} MjcfFate;

// Lists of words, with blanks between them. A word of `left` may be NAME=VALUE: that value is as
// good as none.
typedef struct MjcfTag {
  const char *within, *name;  // `within`: the section, see sar_mjcf_section
  MjcfFate fate;              // LEFT: nothing in it is looked at
  const char *taken, *idle, *left;
} MjcfTag;

const MjcfTag* sar_mjcf_tag(int index);  // NULL past the end
// The entry of a tag that stands in `within`; NULL: there is none.
const MjcfTag* sar_mjcf_tag_find(const char* within, const char* name);
// The section that what stands in a tag belongs to: bodies of all kinds are "body".
const char* sar_mjcf_section(const XmlTag* tag);
MjcfFate sar_mjcf_fate(const MjcfTag* of, const char* attribute, const char* value);
// Word `index` of a list, without its value; false past the end. Room for 64 characters.
bool sar_mjcf_word_of(const char* list, int index, char* out, size_t size);
