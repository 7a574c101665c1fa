// Islands of contact by union-find over faces (islands.h).
#include "formulations/impulse/islands.h"

#include <string.h>

enum { ALONE = -1, WITH_ROWS = -2 };  // of `of`

void sar_islands_init(SarIslands* p, const SarModel* m, SarBlock* b) {
  *p = (SarIslands){0};
  SAR_PIECE(b, p->island, m->nbody);
  SAR_PIECE(b, p->face, m->ncontact);
  SAR_PIECE(b, p->first, m->nbody);
  SAR_PIECE(b, p->node, m->nbody);
  SAR_PIECE(b, p->root, m->nbody);
  SAR_PIECE(b, p->of, m->nbody);
}

static int root_of(int* root, int body) {
  while (root[body] != body) body = root[body] = root[root[body]];
  return body;
}

// The smaller number stands for both: the result does not depend on the order.
static void unite(int* root, int a, int b) {
  const int x = root_of(root, a), y = root_of(root, b);
  if (x < y)
    root[y] = x;
  else
    root[x] = y;
}

static int body_at(const SarModel* m, const SarImpulses* rows, int first) {
  return first == rows->points.ground ? -1 : m->dof_body[first];
}

// Some body of the face that is not the ground
static int body_of_face(const SarModel* m, const SarImpulses* rows, const SarFace* x) {
  const int b = body_at(m, rows, x->b.first);
  return b >= 0 ? b : body_at(m, rows, x->a.first);
}

static void join_faces(SarIslands* p, const SarModel* m, const SarImpulses* rows) {
  for (int i = 0; i < m->nbody; i++) p->root[i] = i, p->of[i] = ALONE;
  for (int i = 0; i < rows->points.faces; i++) {
    const SarFace* x = &rows->points.face[i];
    const int a = body_at(m, rows, x->a.first), b = body_at(m, rows, x->b.first);
    if (a >= 0 && b >= 0) unite(p->root, a, b);
  }
}

static void give_to_rows(SarIslands* p, const SarModel* m, const SarImpulses* rows) {
  for (int i = 0; i < rows->count; i++)
    for (int k = 0; k < rows->row[i].parts; k++)
      p->of[root_of(p->root, m->dof_body[rows->row[i].part[k].first])] = WITH_ROWS;
}

static int island_of(SarIslands* p, const SarModel* m, const SarImpulses* rows, int face) {
  const int body = body_of_face(m, rows, &rows->points.face[face]);
  return body < 0 ? WITH_ROWS : p->of[root_of(p->root, body)];
}

// Islands in the order of their first faces, with how many faces each has.
static void number(SarIslands* p, const SarModel* m, const SarImpulses* rows) {
  for (int i = 0; i < rows->points.faces; i++) {
    int at = island_of(p, m, rows, i);
    if (at == ALONE) {
      const int body = body_of_face(m, rows, &rows->points.face[i]);
      at = p->of[root_of(p->root, body)] = p->count;
      p->island[p->count++] = (SarIsland){.rigid = true};
    }
    if (at >= 0) p->island[at].faces++;
  }
}

static void add_body(SarIslands* p, const SarModel* m, const SarImpulses* rows, SarIsland* z,
                     int first) {
  const int body = body_at(m, rows, first);
  if (body < 0 || p->node[body] >= 0) return;
  p->node[body] = z->bodies;
  p->first[z->body + z->bodies++] = first;
}

static void look_at_points(const SarImpulses* rows, const SarFace* x, SarIsland* z) {
  for (int i = x->first; i < x->first + x->count; i++) {
    const SarPointRows* point = &rows->points.point[i];
    if (point->soft > 0) z->rigid = false;
    if (point->shift > 0) z->shifts = true;
  }
}

static void fill(SarIslands* p, const SarModel* m, const SarImpulses* rows) {
  int face = 0, body = 0;
  for (int i = 0; i < p->count; i++) {
    p->island[i].face = face;
    face += p->island[i].faces;
    p->island[i].faces = 0;
  }
  p->left = face;
  for (int i = 0; i < m->nbody; i++) p->node[i] = -1;
  for (int i = 0; i < rows->points.faces; i++) {
    const int at = island_of(p, m, rows, i);
    if (at < 0)
      p->face[p->left + p->lefts++] = i;
    else
      p->face[p->island[at].face + p->island[at].faces++] = i;
  }
  for (int i = 0; i < p->count; i++) {
    SarIsland* z = &p->island[i];
    z->body = body;
    for (int k = z->face; k < z->face + z->faces; k++) {
      const SarFace* x = &rows->points.face[p->face[k]];
      add_body(p, m, rows, z, x->a.first);
      add_body(p, m, rows, z, x->b.first);
      look_at_points(rows, x, z);
    }
    body += z->bodies;
  }
}

void sar_islands_find(SarIslands* p, const SarModel* m, SarImpulses* rows) {
  p->count = p->left = p->lefts = rows->lefts = 0;
  if (rows->points.faces == 0) return;
  join_faces(p, m, rows);
  if (rows->held->direct) {
    give_to_rows(p, m, rows);
    number(p, m, rows);
  }
  fill(p, m, rows);
  rows->left = &p->face[p->left];
  rows->lefts = p->lefts;
}
