// Frames and points.
#include "io/yaml_read.h"

#include <stddef.h>
#include <string.h>

static void placed(SpecPose* pose, SarLoc loc) {
  if (pose->loc.line == 0) pose->loc = loc;
}

void sar_yaml_pose_at(YamlReader* r, const YamlNode* n, void* into) {
  SpecPose* pose = into;
  placed(pose, n->loc);
  sar_yaml_vec3(r, n, &pose->at);
}

// False if the orientation has been given in another way.
static bool turned(YamlReader* r, SpecPose* pose, SpecRotation rotation, SarLoc loc) {
  placed(pose, loc);
  if (pose->rotation != SPEC_ROT_NONE) {
    sar_yaml_report(r, loc, "keep one of them",
                    "the orientation is given twice: expected one of rpy, quat, axes and euler");
    return false;
  }
  if (rotation == SPEC_ROT_AXES)
    pose->axis_dir = SAR_ARENA_ARRAY(r->arena, SpecVec3, 2);
  else
    pose->r = SAR_ARENA_ARRAY(r->arena, SpecNum, 4);
  if (r->arena->failed) return false;
  pose->rotation = rotation;
  return true;
}

void sar_yaml_rpy(YamlReader* r, const YamlNode* n, void* into) {
  SpecPose* pose = into;
  if (turned(r, pose, SPEC_ROT_RPY, n->loc)) sar_yaml_numbers(r, n, 3, pose->r);
}

void sar_yaml_quat(YamlReader* r, const YamlNode* n, void* into) {
  SpecPose* pose = into;
  if (turned(r, pose, SPEC_ROT_QUAT, n->loc)) sar_yaml_numbers(r, n, 4, pose->r);
}

void sar_yaml_axes(YamlReader* r, const YamlNode* n, void* into) {
  SpecPose* pose = into;
  if (!turned(r, pose, SPEC_ROT_AXES, n->loc)) return;
  if (n->kind != YAML_MAP || n->count != 2) {
    pose->rotation = SPEC_ROT_NONE;
    sar_yaml_expected(r, n, "two of x, y and z, as in {x: [1, 0, 0], z: [0, 0, 1]}", "");
    return;
  }
  for (int i = 0; i < 2; i++) {
    const YamlNode* key = n->pairs[i].key;
    if (key->text[0] < 'x' || key->text[0] > 'z' || key->text[1]) {
      pose->rotation = SPEC_ROT_NONE;
      sar_yaml_report(r, key->loc, "expected x, y, z", "no key '%.60s'", key->text);
      return;
    }
    pose->axis_name[i] = key->text[0] - 'x';
    sar_yaml_axis(r, n->pairs[i].value, &pose->axis_dir[i]);
  }
}

// Three letters of x, y and z; equal neighbours would be one turn.
static void read_sequence(YamlReader* r, const YamlNode* n, void* into) {
  SpecPose* pose = into;
  bool good = n->kind == YAML_TEXT && n->count == 3;
  for (int i = 0; good && i < 3; i++) {
    good = n->text[i] >= 'x' && n->text[i] <= 'z' && (i == 0 || n->text[i] != n->text[i - 1]);
    pose->axis_name[i] = n->text[i] - 'x';
  }
  if (good) return;
  pose->rotation = SPEC_ROT_NONE;
  sar_yaml_expected(r, n, "three axes, as in xyz or zxz, none twice in a row", "");
}

static void read_angles(YamlReader* r, const YamlNode* n, void* into) {
  SpecPose* pose = into;
  sar_yaml_numbers(r, n, 3, pose->r);
}

static void read_extrinsic(YamlReader* r, const YamlNode* n, void* into) {
  SpecPose* pose = into;
  SpecNum answer = {0};
  double value = 0;
  sar_yaml_bool(r, n, &answer);
  if (answer.expr) sar_expr_is_number(answer.expr, &value);
  pose->extrinsic = value != 0;
}

void sar_yaml_euler(YamlReader* r, const YamlNode* n, void* into) {
  static const YamlField fields[] = {
      {"sequence", 0, read_sequence}, {"angles", 0, read_angles}, {"extrinsic", 0, read_extrinsic}};
  SpecPose* pose = into;
  const int errors = sar_yaml_errors(r);
  if (!turned(r, pose, SPEC_ROT_EULER, n->loc)) return;
  pose->axis_name[0] = -1;
  YAML_INNER_FIELDS(r, n, fields, pose);
  if (sar_yaml_errors(r) == errors && (pose->axis_name[0] < 0 || !pose->r[0].expr))
    sar_yaml_report(r, n->loc, "as in {sequence: xyz, angles: [10 deg, 0, 0]}", "'%s' is missing",
                    pose->axis_name[0] < 0 ? "sequence" : "angles");
  if (sar_yaml_errors(r) > errors) pose->rotation = SPEC_ROT_NONE;
}

void sar_yaml_pose(YamlReader* r, const YamlNode* n, void* into) {
  static const YamlField fields[] = {
      {"at", 0, sar_yaml_pose_at}, {"rpy", 0, sar_yaml_rpy},     {"quat", 0, sar_yaml_quat},
      {"axes", 0, sar_yaml_axes},  {"euler", 0, sar_yaml_euler},
  };
  placed(into, n->loc);
  YAML_INNER_FIELDS(r, n, fields, into);
}

SpecFrame* sar_yaml_frames(YamlReader* r, const YamlNode* n, int* count) {
  *count = 0;
  if (sar_yaml_is_null(n)) return NULL;
  if (n->kind != YAML_MAP) {
    sar_yaml_expected(r, n, "named points, as in {tip: [0, 0, 1]}", "");
    return NULL;
  }
  SpecFrame* frames = SAR_ARENA_ARRAY(r->arena, SpecFrame, n->count);
  if (!frames) return NULL;
  YamlScope outer = sar_yaml_enter(r);
  for (int i = 0; i < n->count; i++) {
    const YamlPair* pair = &n->pairs[i];
    sar_yaml_check_name(r, pair->key, "point");
    SpecFrame* frame = &frames[(*count)++];
    frame->name = (SpecName){pair->key->text, pair->key->loc};
    r->key = pair->key->text;
    if (pair->value->kind == YAML_MAP)
      sar_yaml_pose(r, pair->value, &frame->pose);
    else
      sar_yaml_pose_at(r, pair->value, &frame->pose);
  }
  sar_yaml_leave(r, outer);
  return frames;
}

bool sar_yaml_point(YamlReader* r, const YamlNode* n, SpecName* name, SpecNum c[3]) {
  if (n->kind == YAML_TEXT && !sar_yaml_is_null(n)) {
    sar_yaml_name(r, n, name);
    return true;
  }
  if (n->kind != YAML_LIST || n->count != 2) {
    sar_yaml_expected(r, n, "a point: body, body.point or [body, [x, y, z]]", "");
    return false;
  }
  sar_yaml_name(r, n->items[0], name);
  return sar_yaml_numbers(r, n->items[1], 3, c) && name->text;
}
