// The parts of the YAML reader: one file a section, each driven by tables of keys.
#pragma once
#include "io/source.h"
#include "io/yaml_tree.h"
#include "model/spec.h"

// A table that expressions of the file may use by its name.
typedef struct YamlTable {
  const char* name;
  SarExpr** points;  // x y x y ...
  int count;
} YamlTable;

// An index of a repeated part within one copy, and those around it.
typedef struct YamlIndex {
  const char* name;
  double value;
  const struct YamlIndex* outer;  // NULL: none
  const char* place;              // the file, SAR_COPY_MARK, "r = 3, k = 2"
  const YamlNode* ends;           // {link0: ground}: other names; Nullable
} YamlIndex;

typedef struct YamlReader {
  SarSpec* spec;
  SarArena* arena;  // the spec's
  SarError* err;
  const SarSource* source;
  const char* item;          // what messages begin with, "joint 'elbow'"; "" outside of any item
  const char* key;           // the key being read; NULL before the first
  int passed_over;           // nodes with errors that the tree has reported
  const YamlNode* kind_key;  // a key that is reported as no kind of an item; Nullable
  const char* kind;          // what it is read as; NULL: nothing
  SAR_LIST(YamlTable) tables;
  const SarExpr* digit[10];          // the numbers 0 to 9: most components of vectors, kept once
  SAR_LIST(const YamlNode*) adjust;  // sections `adjust`, until all joints are there
  const YamlNode* parameters;        // the section, for what must be known while reading; Nullable
  struct YamlOutputWords* output_words;  // of the section `outputs`, once it is read
} YamlReader;

// What an `include` says about the parameters of a file, for what must be known while reading it.
typedef struct YamlGiven {
  YamlReader* reader;          // of the including file
  const YamlNode* parameters;  // Nullable
  const char* prefix;          // ""
} YamlGiven;

// Errors so far, for telling whether there are new ones.
static inline int sar_yaml_errors(const YamlReader* r) { return r->err->errors + r->passed_over; }

// ---- keys (yaml_fields.c) ------------------------------------------------------------------

// Reads one value into the field it belongs to.
typedef void YamlRead(YamlReader* r, const YamlNode* n, void* into);

typedef struct YamlField {
  const char* name;
  size_t offset;  // of what `read` fills, in the item
  YamlRead* read;
} YamlField;

// Reads the keys of a mapping into an item by the table; a key that is not there is an error with a
// suggestion, and is read as what is suggested. Nothing (null) stands for an empty mapping.
void sar_yaml_fields(YamlReader* r, const YamlNode* n, const YamlField* fields, int count,
                     void* item);
#define YAML_FIELDS(r, n, fields, item) \
  sar_yaml_fields((r), (n), (fields), (int)(sizeof(fields) / sizeof *(fields)), (item))
// The same for a mapping that is itself the value of a key: messages name both.
void sar_yaml_inner_fields(YamlReader* r, const YamlNode* n, const YamlField* fields, int count,
                           void* item);
#define YAML_INNER_FIELDS(r, n, fields, item) \
  sar_yaml_inner_fields((r), (n), (fields), (int)(sizeof(fields) / sizeof *(fields)), (item))

// One pair of a mapping; false: nothing is known of such a key.
bool sar_yaml_field(YamlReader* r, const YamlNode* map, const YamlPair* pair,
                    const YamlField* fields, int count, void* item);

// Messages until sar_yaml_leave begin with the present item and key.
typedef struct YamlScope {
  const char *item, *key;
} YamlScope;
YamlScope sar_yaml_enter(YamlReader* r);
void sar_yaml_leave(YamlReader* r, YamlScope outer);

// A section {name: value}: calls read for each pair, messages beginning with "what 'name'". Names
// that are no names are reported.
typedef void YamlReadItem(YamlReader* r, SpecName name, const YamlNode* value);
void sar_yaml_section(YamlReader* r, const YamlNode* n, const char* what, YamlReadItem* read);
// Notes that a value has an error: the compiler's opinion of it is not asked.
void sar_yaml_wrong(YamlReader* r, const YamlNode* n);
// Of what holds values, an item or one key of it: how many errors there are before it is read; and
// once it has been, whether the places where the compiler would say that something is missing are
// to be passed over, or all of it, if no value in it was found wrong.
typedef struct YamlTrial {
  int errors, wrong;
} YamlTrial;
YamlTrial sar_yaml_try(const YamlReader* r);
bool sar_yaml_tried(YamlReader* r, YamlTrial trial, const YamlNode* key, const YamlNode* value);
// An error keeps names from others that may refer to them: SPEC_LOST_...
static inline void sar_yaml_lose(YamlReader* r, unsigned names) { r->spec->lost |= names; }

// Letters, digits and '_'; reports "'NAME' cannot be the name of a WHAT" and returns false if not.
bool sar_yaml_check_name(YamlReader* r, const YamlNode* key, const char* what);

// Which of names[0..count) is a key of the item: its kind. None, or two, is an error. `others` are
// keys that are no kinds. A key that looks like a kind is reported and taken for it; -1: none.
int sar_yaml_kind(YamlReader* r, const YamlNode* map, const char* what, const char* const* names,
                  int count, const YamlField* others, int other_count);

// What to write instead of `word`: "did you mean 'damping'?", else the names there are, as many as
// fit. Returns hint.
const char* sar_yaml_hint(char* hint, size_t size, const char* word, const char* const* names,
                          int count);
// "ITEM: KEY: message", the hint may be "".
void sar_yaml_report(YamlReader* r, SarLoc loc, const char* hint, const char* format, ...)
    __attribute__((format(printf, 4, 5)));
// "expected WHAT, found a list", unless the node is reported already.
void sar_yaml_expected(YamlReader* r, const YamlNode* n, const char* what, const char* hint);

// ---- repeated parts --------------------------------------------------------------------------

// The tree with all repeated parts as often as they are meant, and `$` in names carried out
// (yaml_repeat.c). Reports what is wrong; NULL: memory ran out.
const YamlNode* sar_yaml_repeat(YamlReader* r, const YamlNode* root);
// A text with its indices put in, link$(i-1) -> link6 (yaml_index.c): fills text, count and spaced.
// False after a report.
bool sar_yaml_put_index(YamlReader* r, YamlNode* text);
// Value of an expression of indices and parameters, while reading (yaml_constant.c). False after a
// report.
bool sar_yaml_constant(YamlReader* r, const YamlNode* n, const YamlIndex* scope, double* value);
bool sar_yaml_constant_text(YamlReader* r, const char* text, size_t size, SarLoc loc,
                            const YamlIndex* scope, double* value);
// Index of a name in a mapping; -1: none.
int sar_yaml_find_key(const YamlNode* map, const char* key);
// The same, else one that looks like it: that it is misspelt is told when it is read.
int sar_yaml_find_meant(const YamlNode* map, const char* key);

// ---- values (yaml_values.c): each a YamlRead -----------------------------------------------

// A number that is wrong becomes NaN, which the compiler takes as reported.
void sar_yaml_num(YamlReader* r, const YamlNode* n, void* into);        // SpecNum: an expression
void sar_yaml_bool(YamlReader* r, const YamlNode* n, void* into);       // SpecNum: 0 or 1
void sar_yaml_name(YamlReader* r, const YamlNode* n, void* into);       // SpecName
void sar_yaml_vec3(YamlReader* r, const YamlNode* n, void* into);       // SpecVec3: [x, y, z]
void sar_yaml_rare_vec3(YamlReader* r, const YamlNode* n, void* into);  // SpecVec3*: the same
void sar_yaml_axis(YamlReader* r, const YamlNode* n, void* into);  // SpecVec3: x, -y, ... or list
void sar_yaml_dofs(YamlReader* r, const YamlNode* n, void* into);  // SpecDofs: number or list
// A list of exactly `count` numbers; false after a report.
bool sar_yaml_numbers(YamlReader* r, const YamlNode* n, int count, SpecNum* out);
// [[x, y], [x, y], ...], at least two rows.
void sar_yaml_table(YamlReader* r, const YamlNode* n, SpecValue* v);

// ---- frames (yaml_pose.c) ------------------------------------------------------------------

void sar_yaml_pose(YamlReader* r, const YamlNode* n, void* into);  // SpecPose: {at, rpy}
// {tip: [x, y, z], tool: {at: ..., rpy: ...}}; returns *count of them.
SpecFrame* sar_yaml_frames(YamlReader* r, const YamlNode* n, int* count);
// A point: `body`, `body.point` or [body, [x, y, z]]; false after a report.
bool sar_yaml_point(YamlReader* r, const YamlNode* n, SpecName* name, SpecNum c[3]);

// ---- gates (yaml_gate.c) -------------------------------------------------------------------

// The keys that say when an item is on: active, from, until; the last one, hold, is for what has a
// place.
enum { YAML_GATE_KEYS = 4 };
extern const YamlField sar_yaml_gate_fields[YAML_GATE_KEYS];  // offsets in a SpecGate

// The keys of a pose among those of the item that has it.
#define YAML_POSE_FIELDS(type, pose)                                                           \
  {"at", offsetof(type, pose), sar_yaml_pose_at}, {"rpy", offsetof(type, pose), sar_yaml_rpy}, \
      {"quat", offsetof(type, pose), sar_yaml_quat},                                           \
      {"axes", offsetof(type, pose), sar_yaml_axes}, {                                         \
    "euler", offsetof(type, pose), sar_yaml_euler                                              \
  }
void sar_yaml_pose_at(YamlReader* r, const YamlNode* n, void* into);
void sar_yaml_rpy(YamlReader* r, const YamlNode* n, void* into);
void sar_yaml_quat(YamlReader* r, const YamlNode* n, void* into);
void sar_yaml_axes(YamlReader* r, const YamlNode* n, void* into);
void sar_yaml_euler(YamlReader* r, const YamlNode* n, void* into);

// ---- sections: each reads the value of a top-level key into the spec ----------------------

void sar_yaml_bodies(YamlReader* r, const YamlNode* n, void* into);
void sar_yaml_joints(YamlReader* r, const YamlNode* n, void* into);
void sar_yaml_forces(YamlReader* r, const YamlNode* n, void* into);
void sar_yaml_constraints(YamlReader* r, const YamlNode* n, void* into);
void sar_yaml_tables(YamlReader* r, const YamlNode* n, void* into);  // before any expression
// The expression with the points of the tables that it names; NULL after a report.
const SarExpr* sar_yaml_put_tables(YamlReader* r, const SarExpr* e);
// Where a file that this one names is (io/find_file.h). NULL after a report.
const char* sar_yaml_find_file(YamlReader* r, const SpecName* name, bool included);
// A text of the options that has this name, as seen from a text that is in memory too. NULL: none.
const SarTextFile* sar_yaml_find_text(YamlReader* r, const SpecName* name);
// An input as {value, unit, min, max}; its name is read already.
void sar_yaml_input(YamlReader* r, const YamlNode* n, SpecParameter* value);
void sar_yaml_signals(YamlReader* r, const YamlNode* n, void* into);
void sar_yaml_hydraulics(YamlReader* r, const YamlNode* n, void* into);
void sar_yaml_roads(YamlReader* r, const YamlNode* n, void* into);
void sar_yaml_air(YamlReader* r, const YamlNode* n, void* into);
void sar_yaml_airfoils(YamlReader* r, const YamlNode* n, void* into);
// The attributes of a form from a mapping that has no other keys.
void sar_yaml_attributes(YamlReader* r, const YamlNode* n, SarForm form, SpecValue* values);
void sar_yaml_beams(YamlReader* r, const YamlNode* n, void* into);
void sar_yaml_modals(YamlReader* r, const YamlNode* n, void* into);
void sar_yaml_gravity(YamlReader* r, const YamlNode* n, void* into);
void sar_yaml_outputs(YamlReader* r, const YamlNode* n, void* into);
void sar_yaml_initial(YamlReader* r, const YamlNode* n, void* into);
void sar_yaml_keys(YamlReader* r, const YamlNode* n, void* into);
void sar_yaml_include(YamlReader* r, const YamlNode* n, void* into);
// Values of a joint (position, damping, ...) without its kind and place.
void sar_yaml_joint_values(YamlReader* r, const YamlNode* n, SpecJoint* joint);
void sar_yaml_adjust(YamlReader* r,
                     const YamlNode* n);  // once all joints are there (yaml_adjust.c)
// Roots of included URDFs that a joint of this file carries are not welded to ground
// (yaml_roots.c).
void sar_yaml_release_roots(YamlReader* r);

// What an `include` says about the place of a robot: {at, rpy, to: BODY, base: free}
// (yaml_mount.c).
typedef struct YamlMount {
  SpecPose pose;  // of its root, in ground or in `to`
  SpecName to, base;
} YamlMount;
bool sar_yaml_is_mounted(const YamlMount* mount);
// Puts the root of a robot, with its prefix, where it is said to be. `part` was read with
// keep_root.
void sar_yaml_mount(YamlReader* r, const YamlMount* mount, SarSpec* part);

// ---- shapes (yaml_shapes.c) ----------------------------------------------------------------

// Keys of the shapes: `box`, `rod`, ...; fills fields (room for SPEC_SHAPE_KINDS) with entries
// whose `into` is a SpecBody, to which the shape is added.
void sar_yaml_shape_fields(YamlField* fields);
void sar_yaml_shapes(YamlReader* r, const YamlNode* n, void* into);  // into: SpecBody
void sar_yaml_shape(YamlReader* r, const YamlNode* n, void* into);   // SpecShape: r->key says which

// Meshes (yaml_mesh.c): the value of a shape whose kind is set, the key `scale`, and whether it is
// one that has it.
void sar_yaml_mesh(YamlReader* r, const YamlNode* n, SpecShape* shape);
void sar_yaml_scale(YamlReader* r, const YamlNode* n, void* into);  // SpecMesh*
void sar_yaml_parts(YamlReader* r, const YamlNode* n, void* into);  // SpecMesh*
void sar_yaml_check_shape(YamlReader* r, const SpecShape* shape);

// ---- contact (yaml_touch.c, yaml_heights.c, yaml_contact.c) ----------------------------------

void sar_yaml_touch(YamlReader* r, const YamlNode* n, void* into);    // SpecTouch: of a body
void sar_yaml_contact(YamlReader* r, const YamlNode* n, void* into);  // SpecContact: the section
void sar_yaml_heights(YamlReader* r, const YamlNode* n, void* into);  // SpecSolid
void sar_yaml_grid(YamlReader* r, const YamlNode* n, void* into);     // SpecNum[3]
// Do the keys that were given go together?
void sar_yaml_check_solid(YamlReader* r, const YamlNode* n, const SpecSolid* solid);
