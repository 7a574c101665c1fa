// The beam of a model as a linear structure, clamped at its first node (reduce_parts.h): its nodes
// and elements by their names, poses at the design position, stiffness from the tangents of the
// elements, mass from the nodes.
#include "analysis/reduce_parts.h"
#include "base/print.h"
#include "dynamics/tangents.h"
#include "dynamics/tree.h"

#include <stdio.h>
#include <string.h>

static const SarLoc nowhere = {0};

// ---- names --------------------------------------------------------------------------------------

static int find(const SarModel* m, SarItem kind, const char* beam, const char* rest) {
  char name[256];
  sar_snprintf(name, sizeof name, "%s_%s", beam, rest);
  return sar_model_find(m, kind, name);
}

static bool is_beam(const SarModel* m, int force) {
  return strcmp(m->force_kind[force]->name, "beam") == 0;
}

int sar_reduce_elements(const SarModel* m, const char* beam) {
  char rest[32];
  for (int e = 0;; e++) {
    sar_snprintf(rest, sizeof rest, "e%d", e + 1);
    const int force = find(m, SAR_ITEM_FORCE, beam, rest);
    if (force < 0 || !is_beam(m, force)) return e;
  }
}

const char* sar_reduce_beam(SarArena* arena, const SarModel* m, const char* name, SarError* err) {
  const char* found = NULL;
  int beams = 0;
  for (int i = 0; i < m->nforce; i++) {
    const char* text = sar_text(m, m->force_name[i]);
    const size_t n = strlen(text);
    if (!is_beam(m, i) || n < 4 || strcmp(text + n - 3, "_e1") != 0) continue;
    char* beam = sar_arena_strndup(arena, text, n - 3);
    if (!beam) return NULL;
    if (name ? strcmp(beam, name) == 0 : true) found = beam;
    beams++;
  }
  if (found && (name || beams == 1)) return found;
  if (name)
    sar_report(err, nowhere,
               "'sarrus info' lists what there is: elements of a beam are NAME_e1 ...",
               "the model has no beam '%.60s'", name);
  else
    sar_report(err, nowhere,
               beams ? "name one of them with --beam" : "see section 'beams' of a model",
               beams ? "the model has %d beams" : "the model has no beam", beams);
  return NULL;
}

int sar_reduce_node(const SarModel* m, const char* beam, const char* node) {
  const int elements = sar_reduce_elements(m, beam);
  char text[32];
  if (strcmp(node, "end") == 0) return elements;
  for (int k = 1; k < elements; k++) {
    sar_snprintf(text, sizeof text, "%d", k);
    if (strcmp(node, text) == 0) return k;
  }
  return -1;
}

static const char* node_name(SarArena* arena, int k, int elements) {
  if (k == 0) return "start";
  return k == elements ? "end" : sar_arena_printf(arena, "%d", k);
}

// ---- the structure ------------------------------------------------------------------------------

bool sar_reduce_find(SarArena* arena, ReduceBeam* b, const char* beam, SarReducedBeam* out) {
  char rest[32];
  const int n = b->elements;
  b->body = SAR_ARENA_ARRAY(arena, int, n + 1);
  b->force = SAR_ARENA_ARRAY(arena, int, n);
  b->X = SAR_ARENA_ARRAY(arena, Xform, n + 1);
  out->node = SAR_ARENA_ARRAY(arena, const char*, n + 1);
  if (arena->failed) return false;
  for (int k = 0; k <= n; k++) {
    out->node[k] = node_name(arena, k, n);
    if (!out->node[k]) return false;
    b->body[k] = find(b->m, SAR_ITEM_BODY, beam, out->node[k]);
    if (b->body[k] < 0 || b->body[k] >= b->m->nbody) return false;
  }
  for (int e = 0; e < n; e++) {
    sar_snprintf(rest, sizeof rest, "e%d", e + 1);
    b->force[e] = find(b->m, SAR_ITEM_FORCE, beam, rest);
  }
  return true;
}

static Xform pose_of(const ReduceBeam* b, int k) {
  return x_mul(b->d->body_X_GB[b->body[k]], b->m->body_X_BU[b->body[k]]);
}

// Poses at the design position.
void sar_reduce_place(ReduceBeam* b, SarReducedBeam* out) {
  const SarModel* m = b->m;
  SarData* d = b->d;
  if (m->nq > 0) memcpy(d->q, m->q_zero, (size_t)m->nq * sizeof *d->q);
  for (int i = 0; i < m->nv; i++) d->v[i] = 0;
  sar_update_kinematics(m, d);
  sar_update_world(m, d);
  sar_update_forces(m, d);
  b->X_GE = pose_of(b, 0);
  b->R_EG = m3_transpose(b->X_GE.R);
  for (int k = 0; k <= b->elements; k++) b->X[k] = x_mul(x_inv(b->X_GE), pose_of(b, k));
  const int holder = m->body_holder[b->body[0]];
  out->X_HE = b->X_GE;
  if (holder < 0) return;
  const Xform X_GH = x_mul(d->body_X_GB[sar_holder_body(m, holder)], sar_holder_X_BU(m, holder));
  out->holder = sar_holder_name(m, holder);
  out->X_HE = x_mul(x_inv(X_GH), b->X_GE);
}

// A 6 x 6 matrix on (rotation; displacement) from axes of ground to those of E.
static void turn_matrix(M3 R, const double* A, double* out) {
  const double* r = &R.xx;
  memset(out, 0, 36 * sizeof *out);
  for (int bi = 0; bi < 2; bi++)
    for (int bj = 0; bj < 2; bj++)
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
          for (int k = 0; k < 3; k++)
            for (int l = 0; l < 3; l++)
              out[(3 * bi + i) * 6 + 3 * bj + j] +=
                  r[3 * i + k] * A[(3 * bi + k) * 6 + 3 * bj + l] * r[3 * j + l];
}

// sign times the motion at p of a node at x: w, v + w x (p - x)
static void lever(V3 arm, double sign, int at, double J[72]) {
  for (int i = 0; i < 6; i++) J[12 * i + at + i] = sign;
  J[12 * 3 + at + 1] = sign * arm.z, J[12 * 3 + at + 2] = -sign * arm.y;
  J[12 * 4 + at + 2] = sign * arm.x, J[12 * 4 + at + 0] = -sign * arm.z;
  J[12 * 5 + at + 0] = sign * arm.y, J[12 * 5 + at + 1] = -sign * arm.x;
}

bool sar_reduce_element(const ReduceBeam* b, int e, double K[36], double C[36], double J[72]) {
  SarBodyTangent t;
  if (!sar_force_body_tangent(b->m, b->d, b->force[e], &t)) return false;
  const V3 p = x_point_inv(b->X_GE, t.p);
  turn_matrix(b->R_EG, t.K, K);
  turn_matrix(b->R_EG, t.C, C);
  memset(J, 0, 72 * sizeof *J);
  const double sign = t.body[1] == b->body[e + 1] ? 1 : -1;
  lever(v3_sub(p, b->X[e].p), -sign, 0, J);
  lever(v3_sub(p, b->X[e + 1].p), sign, 6, J);
  return true;
}

bool sar_reduce_assemble(const ReduceBeam* b, const SarModalShape* s, double* K, double* M) {
  const int n = 6 * b->elements;
  for (int e = 0; e < b->elements; e++) {
    double k[36], c[36], J[72], KJ[72] = {0};
    if (!sar_reduce_element(b, e, k, c, J)) return false;
    for (int i = 0; i < 6; i++)
      for (int l = 0; l < 6; l++)
        for (int j = 0; j < 12; j++) KJ[12 * i + j] += k[6 * i + l] * J[12 * l + j];
    for (int i = 0; i < 12; i++)
      for (int j = 0; j < 12; j++) {
        const int row = 6 * (e - 1) + i, column = 6 * (e - 1) + j;
        if (row < 0 || column < 0) continue;
        for (int l = 0; l < 6; l++) K[row * n + column] += J[12 * l + i] * KJ[12 * l + j];
      }
  }
  for (int k = 1; k <= b->elements; k++) {
    const M3 R = b->X[k].R;
    const Inertia I = inertia_transform((Xform){R, v3_zero()}, s->inertia[k]);
    for (int j = 0; j < 6; j++) {
      double unit[6] = {0}, column[6];
      unit[j] = 1;
      const Force F = inertia_mul(I, (Motion){v3_load(unit), v3_load(unit + 3)});
      v3_store(column, F.n);
      v3_store(column + 3, F.f);
      for (int i = 0; i < 6; i++) M[(6 * (k - 1) + i) * n + 6 * (k - 1) + j] = column[i];
    }
  }
  return true;
}
