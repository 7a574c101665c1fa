// Marks of joints: a pin along the axis of a revolute joint, a ball for two or three angles, a
// sleeve around the line of a sliding one; and what holds a joint on the ground.
#include "output/scene.h"

#include <math.h>

static double thickness_of(const SceneMaker* k, int body) {
  return fmax(k->s->unit, body < 0 ? 0 : k->s->thickness[body]);
}

// The kinds, by what their coordinates measure.
static void count(const SarJointKind* kind, int* angles, int* lengths) {
  *angles = *lengths = 0;
  for (int i = 0; i < kind->nv; i++) {
    *angles += kind->coordinate[i] == SAR_ANGLE;
    *lengths += kind->coordinate[i] == SAR_LENGTH;
  }
}

static SarPart* mark(SceneMaker* k, SarPartKind kind, int joint, int body, Xform X, double a,
                     double b, double c) {
  const SarModel* m = k->s->m;
  SarPart* p = sar_scene_part(k, kind, SAR_ROLE_JOINT, sar_text(m, m->joint_name[joint]));
  p->body[0] = body;
  p->X_BS = X;
  p->size[0] = a, p->size[1] = b, p->size[2] = c;
  if (joint >= m->nbody) p->constraint = joint - m->nbody;
  return p;
}

// On `body`, in its frame, between `thick` bars.
static void add_mark(SceneMaker* k, int joint, int body, Xform X, double thick) {
  int angles, lengths;
  count(k->s->m->joint_kind[joint], &angles, &lengths);
  if (lengths == 1)
    mark(k, SAR_PART_BOX, joint, body, X, 1.25 * thick, 1.25 * thick, 2 * thick);
  else if (angles == 1)
    mark(k, SAR_PART_CYLINDER, joint, body, X, 0.62 * thick, 1.35 * thick, 0);
  else if (angles > 1)
    mark(k, SAR_PART_ELLIPSOID, joint, body, X, 1.2 * thick, 1.2 * thick, 1.2 * thick);
}

// A foot on the ground below a pin or ball, against the pull of gravity.
static void add_support(SceneMaker* k, int joint, V3 at) {
  const SarModel* m = k->s->m;
  int angles, lengths;
  count(m->joint_kind[joint], &angles, &lengths);
  if (lengths > 0 || angles == 0) return;
  const double g = v3_norm(m->gravity), size = 2.6 * k->s->unit;
  const V3 down = g > 0                       ? v3_scale(1 / g, m->gravity)
                  : m->planar == SAR_PLANE_XY ? v3(0, -1, 0)
                                              : v3(0, 0, -1);
  SarPart* p = sar_scene_part(k, SAR_PART_MESH, SAR_ROLE_SUPPORT, "ground");
  V3* v = SAR_ARENA_ARRAY(&k->s->arena, V3, 8);
  static const int faces[] = {0, 1, 2, 0, 2, 3, 4, 6, 5, 4, 7, 6, 0, 4, 5, 0, 5, 1,
                              1, 5, 6, 1, 6, 2, 2, 6, 7, 2, 7, 3, 3, 7, 4, 3, 4, 0};
  if (!v) return;
  for (int i = 0; i < 8; i++) {  // a frustum: the wide side below
    const double w = size * (i < 4 ? 0.85 : 0.3), z = i < 4 ? -size : 0;
    v[i] = v3(i % 4 == 0 || i % 4 == 3 ? -w : w, i % 4 < 2 ? -w : w, z);
  }
  p->X_BS = (Xform){m3_frame_z(v3_neg(down)), at};
  p->vertex = v, p->nvertex = 8;
  p->triangle = faces, p->ntriangle = 12;
  if (joint >= m->nbody) p->constraint = joint - m->nbody;
}

static void add_joint(SceneMaker* k, int joint, int parent, int child, Xform X_PF, Xform X_BF) {
  const SarModel* m = k->s->m;
  if (!sar_joint_has_place(m->joint_kind[joint]) || m->joint_nv[joint] == 0) return;
  const double thick = fmax(thickness_of(k, parent), thickness_of(k, child));
  add_mark(k, joint, child, X_BF, thick);
  if (parent < 0) add_support(k, joint, X_PF.p);
}

void sar_scene_add_joints(SceneMaker* k) {
  const SarModel* m = k->s->m;
  for (int b = 0; b < m->nbody; b++)
    add_joint(k, b, m->body_parent[b], b, m->body_X_PF[b], x_identity());
  for (int i = 0; i < m->ncut; i++) {
    const SarCut* c = &m->cut[i];
    // the ground is always the parent here
    const int p = c->body[1] < 0 ? 1 : 0;
    add_joint(k, sar_cut_joint(m, i), c->body[p], c->body[1 - p], c->X_BF[p], c->X_BF[1 - p]);
  }
}
