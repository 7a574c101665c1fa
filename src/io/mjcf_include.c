// Tags of MJCF that give way to what they hold: <include file="..."/> anywhere in a file to the
// contents of another one's outermost tag, <frame> to what stands in it.
#include "io/find_file.h"
#include "io/mjcf.h"

#include <string.h>

// The tag's place is taken by the children of `from`, whose text stays theirs.
static XmlTag* splice(XmlTag* before, XmlTag* tag, XmlTag* from) {
  XmlTag* const first = from->first ? from->first : tag->next;
  if (from->last) from->last->next = tag->next;
  if (before)
    before->next = first;
  else
    tag->parent->first = first;
  if (tag->parent->last == tag) tag->parent->last = from->last ? from->last : before;
  return first;
}

// Beside the file that names it, or beside the model.
static SarFileFound find(Mjcf* m, const char* name, const char* from) {
  const SarFileRequest request = {.name = name,
                                  .what = "included file",
                                  .from = m->source->from_file ? from : NULL,
                                  .within = m->source,
                                  .options = m->options};
  return sar_find_file(&request, &m->spec->arena);
}

static SarStatus read_file(Mjcf* m, const char* name, SarLoc loc, XmlTag** root) {
  SarFileFound found = find(m, name, loc.file);
  if (!found.path) found = find(m, name, m->file);
  if (!found.path) {
    sar_report(m->err, loc, found.hint, "%s", found.text);
    return SAR_BAD_MODEL;
  }
  SarFileText file = {0};
  SarStatus st =
      sar_file_open_in(m->spec->arena.budget, found.path, SAR_MAX_FILE, true, loc, &file, m->err);
  if (st == SAR_OK && file.size > m->source->reading->bytes_left) {
    sar_report(m->err, loc, "", "included files are larger than %d MiB", SAR_MAX_INCLUDED >> 20);
    st = SAR_BAD_MODEL;
  }
  if (st == SAR_OK) {
    m->source->reading->bytes_left -= file.size;
    sar_note_file(m->options, found.path);
    st = sar_xml_read(&m->arena, file.text, file.size, found.path, root, m->err);
  }
  sar_file_close(&file);
  return st;
}

static SarStatus expand(Mjcf* m, XmlTag* within, int depth) {
  XmlTag* before = NULL;
  for (XmlTag* tag = within->first; tag;) {
    if (!sar_mjcf_is(tag, "include")) {
      SAR_TRY(expand(m, tag, depth));
      before = tag;
      tag = tag->next;
      continue;
    }
    const XmlAttribute* name = sar_xml_attribute(tag, "file");
    XmlTag* root = NULL;
    if (!name || depth >= SAR_MAX_INCLUDE_DEPTH) {
      sar_report(m->err, tag->loc, "",
                 name ? "files include each other" : "<include> needs file=\"...\"");
      return SAR_BAD_MODEL;
    }
    SAR_TRY(read_file(m, name->value, name->loc, &root));
    SAR_TRY(expand(m, root, depth + 1));
    for (XmlTag* t = root->first; t; t = t->next) t->parent = within;
    XmlTag* const last = root->last;
    tag = splice(before, tag, root);
    if (last) before = last, tag = last->next;
  }
  return SAR_OK;
}

void sar_mjcf_flatten(XmlTag* within) {
  XmlTag* before = NULL;
  for (XmlTag* tag = within->first; tag;) {
    XmlTag* const last = tag->last;
    sar_mjcf_flatten(tag);
    if (sar_mjcf_is(tag, "frame")) {
      tag = splice(before, tag, tag);
      if (last) before = last, tag = last->next;
      continue;
    }
    before = tag;
    tag = tag->next;
  }
}

SarStatus sar_mjcf_include(Mjcf* m) { return expand(m, m->root, 0); }
