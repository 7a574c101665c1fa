// SDF -> SarSpec (http://sdformat.org): one model, alone or in a world. All places are found while
// reading, so bodies and joints are in the frame of the ground: the spec's hardpoint style.
//
//   link       -> body; one that no joint holds is free, those of a static model are fixed to the
//              ground
//   joint      -> joint of the same kind, also where links hang together in loops
//   frame      -> named frame of the link that it moves with
//   collision  -> solids that touch, where the including model asks for it
#include "base/print.h"
#include "base/text.h"
#include "io/find_file.h"
#include "io/reader.h"
#include "io/sdf.h"

#include <string.h>

typedef struct Models {
  const XmlTag *moving, *still, *include;  // first of each kind
  int movings;
} Models;

static bool is_static(Sdf* s, const XmlTag* model) {
  return sar_sdf_flag(s, model, "static", false);
}

static void collect(Sdf* s, const XmlTag* in, Models* all) {
  for (const XmlTag* t = in->first; t; t = t->next) {
    if (strcmp(t->name, "include") == 0 && !all->include) all->include = t;
    if (strcmp(t->name, "model") != 0) continue;
    const bool still = is_static(s, t);
    if (still && !all->still) all->still = t;
    if (!still && all->movings++ == 0) all->moving = t;
    if (!still && all->movings == 2)
      sar_report(s->u.err, t->loc, "make a file of each, and include them in a YAML model",
                 "one model is read from a file, this is a second one");
  }
}

// ---- included models -------------------------------------------------------------------------

// model://NAME/REST is NAME/REST beside the file or in a search path, a folder means its model.sdf.
static SarFileFound find(Sdf* s, const char* uri) {
  const char* slashes = strstr(uri, "://");
  const char* name = slashes ? slashes + 3 : uri;
  const bool whole = sar_path_has_extension(name, ".sdf") || sar_path_has_extension(name, ".xml");
  if (!whole) name = sar_arena_printf(&s->u.spec->arena, "%s/model.sdf", name);
  const SarFileRequest request = {.name = name ? name : "",
                                  .what = "included model",
                                  .from = s->source->from_file ? s->u.file : NULL,
                                  .within = s->source,
                                  .options = s->u.options};
  return sar_find_file(&request, &s->u.spec->arena);
}

static const XmlTag* model_in(Sdf* s, const XmlTag* root) {
  Models all = {0};
  if (strcmp(root->name, "sdf") == 0) collect(s, root, &all);
  return all.moving ? all.moving : all.still;
}

static const XmlTag* read_include(Sdf* s, const XmlTag* tag, SarFileText* file) {
  const XmlTag* uri = sar_xml_child(tag, "uri");
  const char* name = sar_sdf_text(s, uri);
  XmlTag* root = NULL;
  if (!name[0]) {
    sar_report(s->u.err, tag->loc, "", "<include> needs <uri>");
    return NULL;
  }
  const SarFileFound found = find(s, name);
  if (!found.path) {
    sar_report(s->u.err, uri->loc, found.hint, "%s", found.text);
    return NULL;
  }
  if (sar_file_open_in(s->u.spec->arena.budget, found.path, SAR_MAX_FILE, true, uri->loc, file,
                       s->u.err) != SAR_OK)
    return NULL;
  sar_note_file(s->u.options, found.path);
  if (sar_xml_read(&s->u.arena, file->text, file->size, found.path, &root, s->u.err) != SAR_OK)
    return NULL;
  const XmlTag* model = model_in(s, root);
  if (!model) sar_report(s->u.err, uri->loc, "", "'%.200s' has no <model>", found.path);
  s->u.file = found.path;
  return model;
}

// ---- the model -------------------------------------------------------------------------------

static void read_gravity(Sdf* s, const XmlTag* world) {
  SpecNum g[3];
  const bool given = sar_sdf_numbers(s, world, "gravity", "<world>", 3, false, g);
  for (int i = 0; i < 3; i++)
    s->u.spec->gravity.uniform.c[i] = given ? g[i] : sar_sdf_num(s, i == 2 ? -9.8 : 0, world->loc);
  s->u.spec->gravity.loc = world->loc;
}

// Links that gravity leaves alone, and models in models, would be wrong without a word.
static void refuse(Sdf* s) {
  for (const XmlTag* t = s->model->first; t; t = t->next) {
    if (strcmp(t->name, "model") == 0 || strcmp(t->name, "include") == 0)
      sar_report(s->u.err, t->loc, "put its links and joints into the model itself",
                 "a <%s> in a <model> is not read", t->name);
    if (strcmp(t->name, "joint") == 0 && sar_xml_child(t, "gearbox_ratio"))
      sar_report(s->u.err, t->loc, "", "<gearbox_ratio> is not read");
    const bool heavy = strcmp(t->name, "link") != 0 || sar_sdf_flag(s, t, "gravity", true);
    if (!heavy)
      sar_report(s->u.err, t->loc, "give all links gravity, or the world none",
                 "a link without gravity is not read");
  }
}

static void read_model(Sdf* s, const XmlTag* include) {
  const XmlAttribute* name = sar_xml_attribute(s->model, "name");
  const char* own = include ? sar_sdf_text(s, sar_xml_child(include, "name")) : "";
  const XmlTag* pose = include ? sar_xml_child(include, "pose") : NULL;
  SarSpec* spec = s->u.spec;
  if (name && sar_has_controls(name->value))
    sar_report(s->u.err, name->loc, "leave it out",
               "<model> name must not hold control characters");
  else if (name || own[0])
    spec->name =
        (SpecName){own[0] ? own : sar_arena_strdup(&spec->arena, name->value), s->model->loc};
  s->still = is_static(s, s->model) || (include && sar_sdf_flag(s, include, "static", false));
  s->X_GM = sar_sdf_pose(s, pose ? pose : sar_xml_child(s->model, "pose"), "<model>");
  refuse(s);
  sar_sdf_collect(s);
  sar_sdf_links(s);
  sar_sdf_joints(s);
  if (spec->bodies.count == 0) sar_report(s->u.err, s->model->loc, "", "<model> has no <link>");
}

// 1.4 to 1.6 have other rules for frames than 1.7 and later.
static void read_version(Sdf* s, const XmlTag* root) {
  const XmlAttribute* a = sar_xml_attribute(root, "version");
  double version = 1.7;
  if (a && !sar_text_to_double(a->value, strlen(a->value), &version))
    sar_report(s->u.err, a->loc, "as in version=\"1.9\"", "<sdf> version: '%.20s'", a->value);
  const char* dot = a ? strchr(a->value, '.') : NULL;
  const bool early = dot && dot[1] >= '0' && dot[1] <= '6' && dot[2] == '\0';
  s->old = version < 2 && early;
}

static SarStatus read_document(Sdf* s, const char* text, size_t n, SarFileText* included) {
  XmlTag* root = NULL;
  Models all = {0};
  SAR_TRY(sar_xml_read(&s->u.arena, text, n, s->u.file, &root, s->u.err));
  if (strcmp(root->name, "sdf") != 0) {
    sar_report(s->u.err, root->loc, "", "expected <sdf> as the outermost tag, found <%s>",
               root->name);
    return SAR_BAD_MODEL;
  }
  const XmlTag* world = sar_xml_child(root, "world");
  read_version(s, root);
  collect(s, world ? world : root, &all);
  if (world) read_gravity(s, world);
  const bool here = all.moving || (all.still && !all.include);
  s->model = here ? (all.moving ? all.moving : all.still) : NULL;
  if (!here && all.include) s->model = read_include(s, all.include, included);
  if (!s->model && !all.include)
    sar_report(s->u.err, root->loc, "", "there is no <model> in this file");
  if (!s->model) return SAR_BAD_MODEL;
  read_model(s, here ? NULL : all.include);
  if (all.moving && all.still)
    sar_warn(s->u.err, all.still->loc, "", "the static model beside is not taken");
  sar_sdf_check(s, s->model);
  if (here && all.include)
    sar_warn(s->u.err, all.include->loc, "", "<include> beside the model is not taken");
  return SAR_OK;
}

SarStatus sar_read_sdf_source(const char* text, size_t n, const SarSource* source, SarSpec* spec,
                              SarError* err) {
  SarError unheard;  // errors are counted even when nobody wants to read them
  SarFileText included = {0};
  if (!err) sar_error_init(err = &unheard);
  Sdf s = {.u = {.spec = spec, .err = err, .options = source->reading->options},
           .source = source,
           .X_GM = x_identity()};
  s.u.file = spec->file = sar_arena_strdup(&spec->arena, source->name ? source->name : "");
  if (!s.u.file) return SAR_NO_MEMORY;
  const int errors = err->errors;
  sar_arena_beside(&s.u.arena, &spec->arena);
  SarStatus st = read_document(&s, text, n, &included);
  if (s.u.arena.failed || spec->arena.failed)
    st = SAR_NO_MEMORY;
  else if (st == SAR_OK && err->errors > errors)
    st = SAR_BAD_MODEL;
  sar_arena_free(&s.u.arena);
  sar_file_close(&included);
  return st;
}
