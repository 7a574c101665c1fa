// Blades, wings and fins: the outline of strips from chord and twist, as a lens of four edges.
#include "output/scene.h"

enum { CORNERS = 4 };  // of a section: leading edge, top, trailing edge, bottom

static void place_corners(const SarModel* m, int force, int i, V3* corner) {
  V3 edge[2], half;
  m->force_kind[force]->section(m, force, i, edge, &half);
  const V3 thickest = v3_axpy(0.3, v3_sub(edge[1], edge[0]), edge[0]);
  corner[0] = edge[0];
  corner[1] = v3_add(thickest, half);
  corner[2] = edge[1];
  corner[3] = v3_sub(thickest, half);
}

static int add_triangle(int* to, int a, int b, int c) {
  to[0] = a, to[1] = b, to[2] = c;
  return 3;
}

static void add_blade(SceneMaker* k, int force) {
  const SarModel* m = k->s->m;
  const SarForceLook* look = &k->look[force];
  const int n = look->sections;
  V3* corner = SAR_ARENA_ARRAY(&k->s->arena, V3, CORNERS * (size_t)n);
  int* triangle = SAR_ARENA_ARRAY(&k->s->arena, int, 6 * CORNERS * (size_t)n);
  int used = 0;
  if (!corner || !triangle) return;
  for (int i = 0; i < n; i++) place_corners(m, force, i, &corner[CORNERS * i]);
  for (int i = 0; i + 1 < n; i++)
    for (int c = 0; c < CORNERS; c++) {
      const int a = CORNERS * i + c, b = CORNERS * i + (c + 1) % CORNERS;
      used += add_triangle(triangle + used, a, b, b + CORNERS);
      used += add_triangle(triangle + used, a, b + CORNERS, a + CORNERS);
    }
  for (int end = 0; end < 2; end++) {
    const int a = end ? CORNERS * (n - 1) : 0;
    used += add_triangle(triangle + used, a, a + 1, a + 2);
    used += add_triangle(triangle + used, a, a + 2, a + 3);
  }
  SarPart* p = sar_scene_part(k, SAR_PART_MESH, SAR_ROLE_BODY, sar_text(m, m->force_name[force]));
  p->holder = p->body[0] = look->body[0];
  p->X_BS = x_identity();
  p->vertex = corner, p->nvertex = CORNERS * n;
  p->triangle = triangle, p->ntriangle = used / 3;
  p->force = force;
}

void sar_scene_add_blades(SceneMaker* k, int body) {
  for (int i = 0; i < k->s->m->nforce; i++)
    if (k->look[i].sections > 1 && k->look[i].body[0] == body) add_blade(k, i);
}
