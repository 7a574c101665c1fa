// Parts of a scene as JSON: shapes on bodies, the ground, links between bodies, beams.
#pragma once
#include "view/scene_json.h"

void sar_view_json_pose(SarJson* j, const char* key, Xform X);
// The body that a part is a shape of; -1: ground; -2: it is a link.
int sar_view_shape_holder(const SarScene* scene, const SarPart* p);
void sar_view_json_shape(SarJson* j, const SarScene* scene, int part, int holder);
// "ground": [...]; false: no memory.
bool sar_view_json_ground(SarJson* j, const SarViewScene* v, const Xform* poses);
void sar_view_json_links(SarJson* j, const SarScene* scene);  // "links": [...]
void sar_view_json_beams(SarJson* j, const SarModel* m);      // "beams": [...]
