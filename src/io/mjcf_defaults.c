// Defaults of MJCF: <default class="..."> holds tags whose attributes stand for those that a tag of the same name and
// class does not have itself; classes inherit from those they are nested in. A tag's class is its own attribute
// `class`, else `childclass` of the nearest body around it, else the outermost.
#include "io/mjcf.h"

#include <string.h>

bool sar_mjcf_is(const XmlTag* tag, const char* name) { return strcmp(tag->name, name) == 0; }

// The <default> of that class among `tag` and what is nested in it; NULL: none.
static const XmlTag* find_class(const XmlTag* tag, const char* name) {
  const XmlAttribute* a = sar_xml_attribute(tag, "class");
  if (strcmp(a ? a->value : "main", name) == 0) return tag;
  for (const XmlTag* inner = tag->first; inner; inner = inner->next) {
    const XmlTag* found = sar_mjcf_is(inner, "default") ? find_class(inner, name) : NULL;
    if (found) return found;
  }
  return NULL;
}

static const XmlTag* class_of(const Mjcf* m, const char* name) {
  const XmlTag* outermost = NULL;
  for (const XmlTag* tag = m->root->first; tag; tag = tag->next) {
    if (!sar_mjcf_is(tag, "default")) continue;
    if (!outermost) outermost = tag;
    const XmlTag* found = name ? find_class(tag, name) : NULL;
    if (found) return found;
  }
  return outermost;
}

static const char* class_name(const XmlTag* tag) {
  const XmlAttribute* own = sar_xml_attribute(tag, "class");
  if (own) return own->value;
  for (const XmlTag* up = tag->parent; up; up = up->parent) {
    const XmlAttribute* a = sar_xml_attribute(up, "childclass");
    if (a) return a->value;
  }
  return NULL;
}

const XmlAttribute* sar_mjcf_attribute(const Mjcf* m, const XmlTag* tag, const char* name) {
  const XmlAttribute* own = sar_xml_attribute(tag, name);
  if (own) return own;
  for (const XmlTag* c = class_of(m, class_name(tag)); c && sar_mjcf_is(c, "default");
       c = c->parent)
    for (const XmlTag* of = c->first; of; of = of->next) {
      const XmlAttribute* a = sar_mjcf_is(of, tag->name) ? sar_xml_attribute(of, name) : NULL;
      if (a) return a;
    }
  return NULL;
}

const char* sar_mjcf_word(const Mjcf* m, const XmlTag* tag, const char* name,
                          const char* otherwise) {
  const XmlAttribute* a = sar_mjcf_attribute(m, tag, name);
  return a ? a->value : otherwise;
}
