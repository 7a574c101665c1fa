// Defaults of MJCF: <default class="..."> holds tags whose attributes stand for those that a tag of
// the same name and class does not have itself; classes inherit from those they are nested in. A
// tag's class is its own attribute `class`, else `childclass` of the nearest body around it, else
// the outermost.
#include "io/mjcf.h"
#include "io/mjcf_schema.h"

#include <string.h>

bool sar_mjcf_is(const XmlTag* tag, const char* name) { return strcmp(tag->name, name) == 0; }

// Those that stand in no other are one class, main, whatever else they are called.
static bool is_class(const XmlTag* tag, const char* name) {
  const XmlAttribute* a = sar_xml_attribute(tag, "class");
  const bool outermost = !tag->parent || !sar_mjcf_is(tag->parent, "default");
  return (a && strcmp(a->value, name) == 0) || (outermost && strcmp(name, "main") == 0);
}

// The <default> of that class among these tags and what is nested in them; NULL: none.
static const XmlTag* find_class(const XmlTag* first, const char* name) {
  for (const XmlTag* tag = first; tag; tag = tag->next) {
    if (!sar_mjcf_is(tag, "default")) continue;
    if (is_class(tag, name)) return tag;
    const XmlTag* found = find_class(tag->first, name);
    if (found) return found;
  }
  return NULL;
}

bool sar_mjcf_has_class(const Mjcf* m, const char* name) {
  return find_class(m->root->first, name) != NULL;
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

// Equality constraints and tendons of all kinds share one entry of defaults, and actuators what all
// of them have.
static bool shares(const XmlTag* of, const XmlTag* tag, const char* attribute) {
  const char* section = tag->parent ? tag->parent->name : "";
  if (strcmp(section, "equality") == 0 || strcmp(section, "tendon") == 0)
    return sar_mjcf_is(of, section);
  if (sar_mjcf_is(of, tag->name)) return true;
  if (strcmp(section, "actuator") != 0) return false;
  const MjcfTag* other = sar_mjcf_tag_find("actuator", of->name);
  const MjcfTag* least = sar_mjcf_tag_find("actuator", "motor");
  return other && least && sar_mjcf_fate(least, attribute, "") == MJCF_TAKEN;
}

// What all <default>s of a class say themselves: the last one holds.
static void in_class(const XmlTag* first, const char* class, const XmlTag* tag, const char* name,
                     const XmlAttribute** found) {
  for (const XmlTag* c = first; c; c = c->next) {
    if (!sar_mjcf_is(c, "default")) continue;
    for (const XmlTag* of = is_class(c, class) ? c->first : NULL; of; of = of->next) {
      const XmlAttribute* a = shares(of, tag, name) ? sar_xml_attribute(of, name) : NULL;
      if (a) *found = a;
    }
    in_class(c->first, class, tag, name, found);
  }
}

const XmlAttribute* sar_mjcf_attribute(const Mjcf* m, const XmlTag* tag, const char* name) {
  const XmlAttribute* found = sar_xml_attribute(tag, name);
  const char* class = class_name(tag);
  const XmlTag* c = find_class(m->root->first, class ? class : "main");
  for (; !found && c && sar_mjcf_is(c, "default"); c = c->parent) {
    const XmlAttribute* a = sar_xml_attribute(c, "class");
    const bool outermost = !c->parent || !sar_mjcf_is(c->parent, "default");
    in_class(m->root->first, outermost || !a ? "main" : a->value, tag, name, &found);
  }
  return found;
}

const char* sar_mjcf_word(const Mjcf* m, const XmlTag* tag, const char* name,
                          const char* otherwise) {
  const XmlAttribute* a = sar_mjcf_attribute(m, tag, name);
  return a ? a->value : otherwise;
}
