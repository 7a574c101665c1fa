// Shapes of the bodies as the model keeps them (body_shape.h), in frames B of the tree.
#include "model/compile/parts.h"

static SarBodyShape shape_of(const BodyPart* b, const ShapePart* p) {
  const double x = p->size[0], y = p->size[1], z = p->size[2];
  SarBodyShape s = {.body = b->tree, .holder = b->number, .X_BS = x_mul(b->X_BU, p->X_US)};
  switch (p->kind) {
    case SPEC_ROD: s.kind = SAR_BODY_ROD, s.size[1] = 0.5 * y; break;
    case SPEC_BOX:
      s.kind = SAR_BODY_BOX;
      for (int i = 0; i < 3; i++) s.size[i] = 0.5 * p->size[i];
      break;
    case SPEC_SPHERE:
      s.kind = SAR_BODY_ELLIPSOID;
      s.size[0] = s.size[1] = s.size[2] = x;
      break;
    case SPEC_ELLIPSOID:
      s.kind = SAR_BODY_ELLIPSOID;
      s.size[0] = x, s.size[1] = y, s.size[2] = z;
      break;
    case SPEC_CAPSULE: s.kind = SAR_BODY_CAPSULE, s.size[0] = x, s.size[1] = 0.5 * y; break;
    case SPEC_CYLINDER: s.kind = SAR_BODY_CYLINDER, s.size[0] = x, s.size[1] = 0.5 * y; break;
    case SPEC_TUBE:
      s.kind = SAR_BODY_CYLINDER;
      s.size[0] = x, s.size[1] = 0.5 * y, s.size[2] = z;
      break;
    case SPEC_CONVEX:
    case SPEC_HULL:
    case SPEC_MESH:
    case SPEC_SHAPE_KINDS: s.kind = SAR_BODY_MESH; break;
  }
  return s;
}

static void keep_mesh(SarModel* m, const SarMesh* mesh, SarBodyShape* s) {
  s->vertex = m->nshape_point, s->nvertex = mesh->nvertex;
  s->triangle = m->nshape_index, s->ntriangle = mesh->ntriangle;
  for (int i = 0; i < mesh->nvertex; i++) m->shape_point[m->nshape_point++] = mesh->vertex[i];
  for (int i = 0; i < 3 * mesh->ntriangle; i++)
    m->shape_index[m->nshape_index++] = mesh->triangle[i];
}

bool sar_compile_shapes(Compile* c) {
  SarModel* m = &c->m;
  size_t shapes = 0, points = 0, indices = 0;
  for (int i = 0; i < c->nbody; i++)
    for (int k = 0; c->body[i].shape && k < c->body[i].spec->shapes.count; k++) {
      const ShapePart* p = &c->body[i].shape[k];
      shapes++;
      if (p->wrong || !sar_is_mesh(p->kind)) continue;
      points += (size_t)p->of->mesh.nvertex;
      indices += 3 * (size_t)p->of->mesh.ntriangle;
    }
  m->nshape = m->nshape_point = m->nshape_index = 0;
  m->shape = SAR_ARENA_ARRAY(&c->arena, SarBodyShape, shapes);
  m->shape_point = SAR_ARENA_ARRAY(&c->arena, V3, points);
  m->shape_index = SAR_ARENA_ARRAY(&c->arena, int, indices);
  if (c->arena.failed) return false;
  for (int i = 0; i < c->nbody; i++) {
    const BodyPart* b = &c->body[c->body_order[i]];
    for (int k = 0; b->shape && k < b->spec->shapes.count; k++) {
      const ShapePart* p = &b->shape[k];
      if (p->wrong) continue;
      SarBodyShape* s = &m->shape[m->nshape++];
      *s = shape_of(b, p);
      if (s->kind == SAR_BODY_MESH) keep_mesh(m, &p->of->mesh, s);
    }
  }
  for (int i = 0; i < c->nbody; i++) c->body[i].shape = NULL;
  sar_arena_release(&c->arena, c->shape, (c->nshape + 1) * sizeof *c->shape);
  return true;
}
