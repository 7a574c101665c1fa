// Points of bodies where something acts: a stand-in for a body without a shape is made of them.
#include "output/scene_points.h"

#include <math.h>

typedef SAR_LIST(V3) PointList;

static void add(SceneMaker* k, PointList* list, V3 p) {
  for (int i = 0; i < list->count; i++)
    if (v3_norm(v3_sub(list->items[i], p)) < 1e-5 * k->s->reach) return;
  V3* at = SAR_LIST_ADD(&k->s->arena, list);
  if (at) *at = p;
}

static void add_joints(SceneMaker* k, PointList* list, int body) {
  const SarModel* m = k->s->m;
  if (sar_joint_has_place(m->joint_kind[body])) add(k, list, v3_zero());
  for (int c = body + 1; c < body + m->body_subtree[body]; c++)
    if (m->body_parent[c] == body && sar_joint_has_place(m->joint_kind[c]))
      add(k, list, m->body_X_PF[c].p);
  for (int i = 0; i < m->ncut; i++)
    for (int e = 0; e < 2; e++)
      if (m->cut[i].body[e] == body && sar_joint_has_place(m->cut[i].kind))
        add(k, list, m->cut[i].X_BF[e].p);
}

ScenePoints scene_points(SceneMaker* k, int body) {
  const SarModel* m = k->s->m;
  PointList list = {0};
  add_joints(k, &list, body);
  for (int i = 0; i < m->npair; i++)
    for (int e = 0; e < 2; e++)
      if (m->pair[i].body[e] == body && m->term[m->pair[i].term].kind == SAR_TERM_DISTANCE)
        add(k, &list, m->pair[i].point[e]);
  for (int i = 0; i < m->nforce; i++)
    for (int e = 0; e < 2; e++)
      if (k->look[i].body[e] == body) add(k, &list, k->look[i].point[e]);
  for (int i = 0; i < m->npoint; i++)
    if (m->point[i].body == body) add(k, &list, m->point[i].X_BP.p);
  for (int i = 0; i < m->nfixed; i++)
    if (m->fixed_body[i] == body && m->fixed_mass[i] > 0) add(k, &list, m->fixed_X_BU[i].p);
  return (ScenePoints){list.items, list.count};
}

static double turn(V3 a, V3 b, V3 c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// Andrew's monotone chain: the points from left to right, then what does not turn left is taken
// out, once along the lower side and once back along the upper one.
int scene_convex(SarArena* arena, V3* p, int count) {
  V3* hull = SAR_ARENA_ARRAY(arena, V3, 2 * count + 1);
  int n = 0;
  if (!hull) return 0;
  for (int i = 1; i < count; i++)
    for (int j = i; j > 0 && (p[j].x < p[j - 1].x || (p[j].x == p[j - 1].x && p[j].y < p[j - 1].y));
         j--) {
      const V3 t = p[j];
      p[j] = p[j - 1], p[j - 1] = t;
    }
  for (int i = 0; i < count; i++) {
    while (n >= 2 && turn(hull[n - 2], hull[n - 1], p[i]) <= 0) n--;
    hull[n++] = p[i];
  }
  const int lower = n + 1;
  for (int i = count - 2; i >= 0; i--) {
    while (n >= lower && turn(hull[n - 2], hull[n - 1], p[i]) <= 0) n--;
    hull[n++] = p[i];
  }
  if (n > 1) n--;
  for (int i = 0; i < n; i++) p[i] = v3(hull[i].x, hull[i].y, 0);
  return n;
}
