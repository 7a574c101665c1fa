// `include`: reads other model files, of any format, as parts of this one. What could be abused is
// bounded: depth, bytes and values in all, plain files only, no addresses.
#include "base/print.h"
#include "io/find_file.h"
#include "io/reader.h"
#include "io/spec_prefix.h"
#include "io/yaml_read.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct Include {
  SpecName file, prefix;
  const YamlNode* parameters;  // Nullable
  SpecTouch touch;             // of the links of a URDF
  YamlMount mount;             // where its root is
} Include;

// ---- which file ----------------------------------------------------------------------------

// Texts from memory have a device of their own; no file has an inode 0.
static const unsigned long long MEMORY = ~0ULL;

const SarTextFile* sar_yaml_find_text(YamlReader* r, const SpecName* name) {
  const SarSource* source = r->source;
  const SarLoadOptions* o = source->reading->options;
  if (source->from_file || !o) return NULL;
  const char* path = sar_path_beside(r->arena, source->name, name->text);
  for (int i = 0; path && i < o->file_count; i++)
    if (strcmp(o->files[i].name, path) == 0) return &o->files[i];
  return NULL;
}

// Tells a text from others, and from all files.
static SarFileId id_of_text(const YamlReader* r, const SarTextFile* text) {
  return (SarFileId){MEMORY, (unsigned long long)(text - r->source->reading->options->files) + 1};
}

const char* sar_yaml_find_file(YamlReader* r, const SpecName* name, bool included) {
  const SarSource* source = r->source;
  const SarFileFound found =
      sar_find_file(&(SarFileRequest){.name = name->text,
                                      .what = "file",
                                      .from = source->from_file ? source->name : NULL,
                                      .within = source,
                                      .options = source->reading->options,
                                      .anywhere = included && source->from_file && !source->parent},
                    r->arena);
  if (!found.path) sar_yaml_report(r, name->loc, found.hint, "%s", found.text);
  return found.path;
}

// "a.yaml includes b.yaml includes a.yaml"
static void report_cycle(YamlReader* r, SarLoc loc, const char* path, SarFileId id) {
  char chain[300] = "";
  size_t used = 0;
  const SarSource* way[SAR_MAX_INCLUDE_DEPTH + 1];
  int count = 0;
  for (const SarSource* s = r->source; s && count <= SAR_MAX_INCLUDE_DEPTH; s = s->parent) {
    way[count++] = s;
    if (s->id.device == id.device && s->id.inode == id.inode) break;
  }
  while (count-- > 0 && used < sizeof chain)
    used +=
        (size_t)sar_snprintf(chain + used, sizeof chain - used, "%s includes ", way[count]->name);
  sar_yaml_report(r, loc, "a part cannot contain itself", "%s%s", chain, path);
}

static bool is_cycle(const SarSource* s, SarFileId id) {
  for (; s; s = s->parent)
    if (s->id.device == id.device && s->id.inode == id.inode) return true;
  return false;
}

static bool is_broken(const SarReading* reading, SarFileId id) {
  for (int i = 0; i < reading->broken.count; i++)
    if (reading->broken.items[i].device == id.device && reading->broken.items[i].inode == id.inode)
      return true;
  return false;
}

// ---- what is in it -------------------------------------------------------------------------

// Values in the including file's names, for parameters of the part (which has its prefix already).
static void override(YamlReader* r, const Include* include, SarSpec* part) {
  const YamlNode* n = include->parameters;
  size_t skip = include->prefix.text ? strlen(include->prefix.text) : 0;
  int known = part->parameters.count;
  if (!n || sar_yaml_is_null(n)) return;
  if (n->kind != YAML_MAP) {
    sar_yaml_expected(r, n, "a mapping {parameter: value, ...}", "");
    return;
  }
  const char** names = SAR_ARENA_ARRAY(r->arena, const char*, known);
  for (int k = 0; names && k < known; k++) names[k] = part->parameters.items[k].name.text + skip;
  for (int i = 0; names && i < n->count; i++) {
    const YamlNode* key = n->pairs[i].key;
    int k = 0;
    while (k < known && strcmp(names[k], key->text) != 0) k++;
    if (k < known) {
      part->parameters.items[k].value = (SpecNum){0};
      r->key = key->text;
      sar_yaml_num(r, n->pairs[i].value, &part->parameters.items[k].value);
      r->key = NULL;
    } else {
      char hint[128];
      sar_yaml_report(r, key->loc, sar_yaml_hint(hint, sizeof hint, key->text, names, known),
                      "'%.120s' has no parameter '%.60s'", include->file.text, key->text);
    }
  }
}

// A text: what is included, from a file or from memory.
typedef struct Text {
  const char* path;
  const char* text;
  size_t size;
  SarFileId id;
} Text;

static SarStatus read_part(YamlReader* r, const Include* include, const Text* file, SarSpec* part) {
  const YamlGiven given = {r, include->parameters,
                           include->prefix.text ? include->prefix.text : ""};
  SarSource source = {.name = file->path,
                      .from_file = file->id.device != MEMORY,
                      .id = file->id,
                      .depth = r->source->depth + 1,
                      .parent = r->source,
                      .given = &given,
                      .reading = r->source->reading};
  // everything in the part outlives it: it is made in the arena of the whole, lent for a while
  sar_spec_init(part);
  part->links_touch = include->touch.shapes;
  part->keep_root = sar_yaml_is_mounted(&include->mount);
  part->arena = *r->arena;
  SarStatus st = sar_read_source(file->text, file->size, &source, part, r->err);
  *r->arena = part->arena;
  return st;
}

static bool is_yaml(const char* name) {
  return sar_path_has_extension(name, ".yaml") || sar_path_has_extension(name, ".yml") ||
         sar_path_has_extension(name, ".json");
}

// Each body has its own: names in it get prefixes.
static SpecNum* own_parts(YamlReader* r, const Include* include) {
  SpecNum* parts = include->touch.parts ? SAR_ARENA_NEW(r->arena, SpecNum) : NULL;
  if (parts) *parts = *include->touch.parts;
  return parts;
}

// Material and groups of the links, in the including file's names.
static void touch_links(YamlReader* r, const Include* include, SarSpec* part) {
  int solids = part->ground_touch.solids.count;
  if (!include->touch.shapes) return;
  part->ground_touch.material = include->touch.material;
  part->ground_touch.groups = include->touch.groups;
  part->ground_touch.parts = own_parts(r, include);
  for (int i = 0; i < part->bodies.count; i++) {
    SpecTouch* touch = &part->bodies.items[i].touch;
    solids += touch->solids.count;
    touch->material = include->touch.material;
    touch->groups = include->touch.groups;
    touch->parts = own_parts(r, include);
  }
  if (solids == 0)
    sar_yaml_report(r, include->touch.loc, "", "'%.120s' has no <collision> that could touch",
                    include->file.text);
}

// Each of these three: false if names of the file may be missing.
static bool add_part(YamlReader* r, const Include* include, const Text* file) {
  SarSpec part;
  SarReading* reading = r->source->reading;
  SarStatus st = read_part(r, include, file, &part);
  if (st == SAR_NO_MEMORY) r->arena->failed = 1;  // also when it was not the arena that ran out
  if (st != SAR_OK) {
    SarFileId* id = SAR_LIST_ADD(r->arena, &reading->broken);
    if (id) *id = file->id;
  }
  if ((st != SAR_OK && st != SAR_BAD_MODEL) || (part.lost & SPEC_UNREAD)) return false;
  if (include->prefix.text && !sar_spec_prefix(&part, r->arena, include->prefix.text)) return false;
  override(r, include, &part);
  touch_links(r, include, &part);
  if (sar_yaml_is_mounted(&include->mount)) sar_yaml_mount(r, &include->mount, &part);
  sar_spec_append(r->spec, r->arena, &part);
  sar_yaml_lose(r, part.lost);
  return true;
}

// Each file counts at least 1 KiB, so that the number of files is bounded too.
static bool take(YamlReader* r, const Include* include, size_t size) {
  size_t cost = size + 1024;
  SarReading* reading = r->source->reading;
  if (cost <= reading->bytes_left) {
    reading->bytes_left -= cost;
    return true;
  }
  sar_yaml_report(r, include->file.loc, "", "the included files are larger than %d MiB in all",
                  SAR_MAX_INCLUDED >> 20);
  reading->bytes_left = 0;
  return false;
}

static bool include_text(YamlReader* r, const Include* include, const Text* file) {
  if (is_cycle(r->source, file->id)) {
    report_cycle(r, include->file.loc, file->path, file->id);
    return false;
  }
  return !is_broken(r->source->reading, file->id) && take(r, include, file->size) &&
         add_part(r, include, file);
}

static bool include_file(YamlReader* r, const Include* include) {
  SarFileId id;
  const SarTextFile* memory = sar_yaml_find_text(r, &include->file);
  const char* path = memory ? memory->name : sar_yaml_find_file(r, &include->file, true);
  if (!path) return false;
  if (r->source->depth == SAR_MAX_INCLUDE_DEPTH) {
    sar_yaml_report(r, include->file.loc, "", "files include one another deeper than %d levels",
                    SAR_MAX_INCLUDE_DEPTH);
    return false;
  }
  if (memory) {
    id = id_of_text(r, memory);
    return include_text(r, include, &(Text){path, memory->text, memory->size, id});
  }
  SarFileText file;
  sar_note_file(r->source->reading->options, path);
  SarStatus st = sar_file_open_in(r->arena->budget, path, SAR_MAX_FILE, true, include->file.loc,
                                  &file, r->err);
  if (st == SAR_NO_MEMORY) r->arena->failed = 1;
  const bool added =
      st == SAR_OK && include_text(r, include, &(Text){path, file.text, file.size, file.id});
  sar_file_close(&file);
  return added;
}

// ---- the list ------------------------------------------------------------------------------

static void read_prefix(YamlReader* r, const YamlNode* n, void* into) {
  SpecName* prefix = into;
  if (n->kind == YAML_TEXT && n->count == 0 && n->quoted) return;
  if (n->kind != YAML_TEXT || sar_yaml_is_null(n))
    sar_yaml_expected(r, n, "a text to begin names with, as in front_", "");
  else if (sar_yaml_check_name(r, n, "prefix"))
    *prefix = (SpecName){n->text, n->loc};
}

static void keep_node(YamlReader* r, const YamlNode* n, void* into) {
  (void)r;
  *(const YamlNode**)into = n;
}

// Some keys are for robots only.
static bool fits_format(YamlReader* r, const Include* include) {
  const bool yaml = is_yaml(include->file.text);
  const YamlMount* mount = &include->mount;
  const int errors = sar_yaml_errors(r);
  if (include->touch.loc.line && (include->touch.solids.count || yaml))
    sar_yaml_report(r, include->touch.loc, "as in {file: robot.urdf, contact: steel}",
                    "'contact' makes the <collision> tags of a URDF touch");
  const bool placed = yaml || sar_path_has_extension(include->file.text, ".sdf");
  if (placed && sar_yaml_is_mounted(mount))
    sar_yaml_report(r, include->file.loc,
                    yaml ? "give the part parameters for its place, and the model a joint"
                         : "give the part a <pose>, or the model a joint",
                    "at, rpy, to and base are for the root of a URDF");
  return sar_yaml_errors(r) == errors;
}

void sar_yaml_include(YamlReader* r, const YamlNode* n, void* into) {
  static const YamlField fields[] = {
      {"file", offsetof(Include, file), sar_yaml_name},
      {"prefix", offsetof(Include, prefix), read_prefix},
      {"parameters", offsetof(Include, parameters), keep_node},
      {"contact", offsetof(Include, touch), sar_yaml_touch},
      YAML_POSE_FIELDS(Include, mount.pose),
      {"to", offsetof(Include, mount.to), sar_yaml_name},
      {"base", offsetof(Include, mount.base), sar_yaml_name},
  };
  (void)into;
  if (sar_yaml_is_null(n)) return;
  if (n->kind != YAML_LIST) {
    sar_yaml_expected(r, n, "a list of files [{file: wheel.yaml, prefix: left_}]", "");
    return;
  }
  YamlScope outer = sar_yaml_enter(r);
  for (int i = 0; i < n->count && !r->arena->failed; i++) {
    Include include = {0};
    int errors = sar_yaml_errors(r);
    if (n->items[i]->kind == YAML_TEXT)
      sar_yaml_name(r, n->items[i], &include.file);
    else
      YAML_FIELDS(r, n->items[i], fields, &include);
    if (!include.file.text && sar_yaml_errors(r) == errors)
      sar_yaml_report(r, n->items[i]->loc, "as in {file: wheel.yaml}", "the file is missing");
    if (sar_yaml_errors(r) > errors || !fits_format(r, &include) || !include_file(r, &include))
      sar_yaml_lose(r, SPEC_LOST_NAMES);
  }
  sar_yaml_leave(r, outer);
}
