// modelDescription.xml of an FMU of others (import.h).
#include "fmi/import.h"

#include "base/error.h"
#include "io/xml.h"

#include <string.h>

typedef struct Reading {
  SarArena* arena;
  const char* file;
  SarImportDescription* out;
  SarError* err;
} Reading;

static SarStatus refuse(Reading* r, SarLoc loc, const char* text) {
  sar_report(r->err, loc, "", "%s", text);
  return SAR_BAD_MODEL;
}

static const char* value_of(const XmlTag* tag, const char* name) {
  const XmlAttribute* a = sar_xml_attribute(tag, name);
  return a ? a->value : NULL;
}

static bool is_true(const XmlTag* tag, const char* name) {
  const char* value = value_of(tag, name);
  return value && (strcmp(value, "true") == 0 || strcmp(value, "1") == 0);
}

// Of C: it becomes the name of a file.
static bool is_identifier(const char* text) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  static const char more[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  const size_t n = strlen(text);
  return n > 0 && n < 200 && strchr(letters, text[0]) && strspn(text, more) == n;
}

static bool take_reference(const char* text, unsigned* out) {
  unsigned long long value = 0;
  if (!text || !text[0]) return false;
  for (; *text; text++) {
    if (*text < '0' || *text > '9') return false;
    value = 10 * value + (unsigned)(*text - '0');
    if (value > 0xffffffffu) return false;
  }
  *out = (unsigned)value;
  return true;
}

static SarStatus take_head(Reading* r, const XmlTag* root) {
  SarImportDescription* d = r->out;
  const char* version = value_of(root, "fmiVersion");
  if (strcmp(root->name, "fmiModelDescription") != 0)
    return refuse(r, root->loc, "expected <fmiModelDescription>");
  if (version && strcmp(version, "2.0") == 0) d->version = 2;
  if (version && strncmp(version, "3.", 2) == 0) d->version = 3;
  if (d->version == 0)
    return refuse(r, root->loc, "FMUs of version 2.0 and 3.0 are read (fmiVersion)");
  d->token = value_of(root, d->version == 2 ? "guid" : "instantiationToken");
  if (!d->token)
    return refuse(r, root->loc, d->version == 2 ? "there is no guid" : "no instantiationToken");
  const XmlTag* cs = sar_xml_child(root, "CoSimulation");
  if (!cs) return refuse(r, root->loc, "it is not for co-simulation, which a block needs");
  d->identifier = value_of(cs, "modelIdentifier");
  if (!d->identifier || !is_identifier(d->identifier))
    return refuse(r, cs->loc, "modelIdentifier must be a name as C has them");
  d->keeps_states = is_true(cs, d->version == 2 ? "canGetAndSetFMUstate" : "canGetAndSetFMUState");
  d->needs_file = is_true(cs, "needsExecutionTool");
  return SAR_OK;
}

// The tag with the type of a variable: in FMI 2 within it, in FMI 3 the variable itself.
static bool is_real(const Reading* r, const XmlTag* tag) {
  if (r->out->version == 2) return sar_xml_child(tag, "Real") != NULL;
  return strcmp(tag->name, "Float64") == 0 && !sar_xml_child(tag, "Dimension");
}

static SarStatus take_variable(Reading* r, const XmlTag* tag) {
  SarImportDescription* d = r->out;
  const char* causality = value_of(tag, "causality");
  const bool input = causality && strcmp(causality, "input") == 0;
  const bool output = causality && strcmp(causality, "output") == 0;
  if (!input && !output) return SAR_OK;
  SarImportVariable* list = input ? d->input : d->output;
  int* count = input ? &d->inputs : &d->outputs;
  const char* name = value_of(tag, "name");
  if (!name) return refuse(r, tag->loc, "a variable without a name");
  if (!is_real(r, tag)) {
    sar_report(r->err, tag->loc, "", "'%.100s' is no single real number: a block has nothing else",
               name);
    return SAR_BAD_MODEL;
  }
  if (*count == SAR_IMPORT_MOST)
    return refuse(r, tag->loc, input ? "too many inputs" : "too many outputs");
  SarImportVariable* v = &list[(*count)++];
  v->name = name;
  if (!take_reference(value_of(tag, "valueReference"), &v->reference)) {
    sar_report(r->err, tag->loc, "", "'%.100s': valueReference must be a whole number from 0 on",
               name);
    return SAR_BAD_MODEL;
  }
  return SAR_OK;
}

SarStatus sar_import_describe(SarArena* arena, const char* text, size_t size, const char* file,
                              SarImportDescription* out, SarError* err) {
  Reading r = {arena, file, out, err};
  XmlTag* root = NULL;
  *out = (SarImportDescription){0};
  SAR_TRY(sar_xml_read(arena, text, size, file, &root, err));
  SAR_TRY(take_head(&r, root));
  const XmlTag* all = sar_xml_child(root, "ModelVariables");
  if (!all) return refuse(&r, root->loc, "there are no <ModelVariables>");
  for (const XmlTag* tag = all->first; tag; tag = tag->next)
    if (out->version == 3 || strcmp(tag->name, "ScalarVariable") == 0)
      SAR_TRY(take_variable(&r, tag));
  if (out->outputs == 0) return refuse(&r, all->loc, "it has no outputs");
  return SAR_OK;
}
