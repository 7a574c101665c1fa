// A beam reduced to a modal body: Craig-Bampton basis of its linear model about the design position.
//
// Source: Craig and Bampton, Coupling of substructures for dynamic analyses, AIAA Journal 6, 1968.
//
// The beam is clamped at its first node, whose frame is that of the modal body. Boundary nodes B are those that others
// are attached to, I all others:
//
//   static modes    x_B = unit,  x_I = -K_II^-1 K_IB          six for each boundary node
//   normal modes    K_II x_I = w^2 M_II x_I,  x_B = 0          the lowest
//
// K_II = L L' and L^-1 M_II L^-T have the same modes as the pair, with 1/w^2: nodes may be without rotary inertia. The
// basis is made orthogonal with respect to K and M of the whole in the end (model/modal_basis.c).
#include "analysis/reduce.h"

#include "analysis/reduce_parts.h"
#include "base/print.h"
#include "dynamics/tangents.h"
#include "dynamics/tree.h"
#include "linalg/dense.h"
#include "linalg/spd.h"
#include "model/modal_basis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const SarLoc nowhere = {0};

// ---- names ------------------------------------------------------------------------------------------

static int find(const SarModel* m, SarItem kind, const char* beam, const char* rest) {
  char name[256];
  sar_snprintf(name, sizeof name, "%s_%s", beam, rest);
  return sar_model_find(m, kind, name);
}

static bool is_beam(const SarModel* m, int force) {
  return strcmp(m->force_kind[force]->name, "beam") == 0;
}

static int count_elements(const SarModel* m, const char* beam) {
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
    sar_report(err, nowhere, "'sarrus info' lists what there is: elements of a beam are NAME_e1 ...",
               "the model has no beam '%.60s'", name);
  else
    sar_report(err, nowhere, beams ? "name one of them with --beam" : "see section 'beams' of a model",
               beams ? "the model has %d beams" : "the model has no beam", beams);
  return NULL;
}

int sar_reduce_node(const SarModel* m, const char* beam, const char* node) {
  const int elements = count_elements(m, beam);
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

// ---- the structure ----------------------------------------------------------------------------------

static bool find_parts(SarArena* arena, ReduceBeam* b, const char* beam, SarReduction* out) {
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
static void place(ReduceBeam* b, SarReduction* out) {
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

// K and M (n x n, n = 6 elements) of the nodes behind the first.
static bool assemble(const ReduceBeam* b, const SarModalShape* s, double* K, double* M) {
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

// ---- the basis --------------------------------------------------------------------------------------

typedef struct Basis {
  int n, interior, boundary, modes;  // unknowns; of them inside and on the boundary; modes in all
  int *in, *on;
  double *K, *M;       // n x n
  double *U, *A;       // of the interior: factor of K; L^-1 M L^-T
  double *value, *Phi;  // n x modes
} Basis;

static bool take_room(SarArena* arena, Basis* s) {
  const size_t n = (size_t)s->n, i = (size_t)s->interior;
  s->in = SAR_ARENA_ARRAY(arena, int, n);
  s->on = SAR_ARENA_ARRAY(arena, int, n);
  s->K = SAR_ARENA_ARRAY(arena, double, n * n);
  s->M = SAR_ARENA_ARRAY(arena, double, n * n);
  s->U = SAR_ARENA_ARRAY(arena, double, i * i);
  s->A = SAR_ARENA_ARRAY(arena, double, i * i);
  s->value = SAR_ARENA_ARRAY(arena, double, n);
  s->Phi = SAR_ARENA_ARRAY(arena, double, n * (size_t)s->modes);
  return !arena->failed;
}

static void split(const SarReduceOptions* o, Basis* s) {
  int in = 0, on = 0;
  for (int i = 0; i < s->n; i++) {
    bool boundary = false;
    for (int k = 0; k < o->attached_count; k++) boundary |= o->attached[k] - 1 == i / 6;
    *(boundary ? &s->on[on++] : &s->in[in++]) = i;
  }
}

static bool static_modes(Basis* s, double* x) {
  const int n = s->n, in = s->interior;
  for (int i = 0; i < in; i++)
    for (int j = 0; j < in; j++) s->U[i * in + j] = s->K[s->in[i] * n + s->in[j]];
  if (in > 0 && !sar_spd_factor(in, s->U, 1e-14)) return false;
  for (int b = 0; b < s->boundary; b++) {
    for (int i = 0; i < in; i++) x[i] = -s->K[s->in[i] * n + s->on[b]];
    if (in > 0) sar_spd_solve(in, s->U, x);
    for (int i = 0; i < in; i++) s->Phi[s->in[i] * s->modes + b] = x[i];
    s->Phi[s->on[b] * s->modes + b] = 1;
  }
  return true;
}

// x <- U^-T x, and U^-1 x
static void forward(int n, const double* U, double* x, int stride) {
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i; k++) x[i * stride] -= U[k * n + i] * x[k * stride];
    x[i * stride] /= U[i * n + i];
  }
}
static void backward(int n, const double* U, double* x) {
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++) x[i] -= U[i * n + k] * x[k];
    x[i] /= U[i * n + i];
  }
}

static bool normal_modes(SarArena* arena, Basis* s, double* x) {
  const int n = s->n, in = s->interior, own = s->modes - s->boundary;
  SarDenseWork w = {0};
  if (own == 0) return true;
  for (int i = 0; i < in; i++)
    for (int j = 0; j < in; j++) s->A[i * in + j] = s->M[s->in[i] * n + s->in[j]];
  for (int j = 0; j < in; j++) forward(in, s->U, s->A + j, in);
  for (int i = 0; i < in; i++) forward(in, s->U, s->A + i * in, 1);
  sar_dense_query(in, in, &w);
  w.work = SAR_ARENA_ARRAY(arena, double, w.lwork);
  w.iwork = SAR_ARENA_ARRAY(arena, int, w.liwork);
  if (arena->failed || sar_eigen(in, s->A, s->value, &w) != SAR_OK) return false;
  for (int k = 0; k < own; k++) {
    double most = 0;
    memcpy(x, s->A + (in - 1 - k) * in, (size_t)in * sizeof *x);
    backward(in, s->U, x);
    for (int i = 0; i < in; i++) most = fmax(most, fabs(x[i]));
    for (int i = 0; i < in; i++) s->Phi[s->in[i] * s->modes + s->boundary + k] = x[i] / most;
  }
  return true;
}

// Phi' K Phi, and the modes of all nodes
static void fill_shape(const Basis* s, double* x, SarModalShape* shape) {
  const int n = s->n, modes = s->modes;
  for (int j = 0; j < modes; j++) {
    for (int i = 0; i < n; i++) {
      x[i] = 0;
      for (int k = 0; k < n; k++) x[i] += s->K[i * n + k] * s->Phi[k * modes + j];
    }
    for (int i = 0; i < modes; i++) {
      double sum = 0;
      for (int k = 0; k < n; k++) sum += s->Phi[k * modes + i] * x[k];
      shape->stiffness[i * modes + j] = sum;
    }
  }
  for (int i = 0; i < modes; i++)
    for (int j = 0; j < i; j++)
      shape->stiffness[i * modes + j] = shape->stiffness[j * modes + i] =
          0.5 * (shape->stiffness[i * modes + j] + shape->stiffness[j * modes + i]);
  for (int k = 1; k < shape->nodes; k++)
    for (int i = 0; i < modes; i++) {
      double c[6];
      for (int l = 0; l < 6; l++) c[l] = s->Phi[(6 * (k - 1) + l) * modes + i];
      shape->mode[k * modes + i] = (Motion){v3_load(c), v3_load(c + 3)};
    }
}

// Modal masses 1.
static void normalise(SarModalShape* s, double* M) {
  const int n = s->modes;
  sar_modal_mass(s, M);
  for (int i = 0; i < n; i++) {
    const double scale = 1 / sqrt(M[i * n + i]);
    s->stiffness[i * n + i] *= scale * scale;
    for (int k = 0; k < s->nodes; k++)
      s->mode[k * n + i] = motion_scale(scale, s->mode[k * n + i]);
  }
}

// zeta = C / (2 sqrt(K M)) of each mode, by the dampers of the elements
static void fill_damping(const ReduceBeam* b, SarModalShape* s, double* M) {
  sar_modal_mass(s, M);
  for (int i = 0; i < s->modes; i++) {
    double sum = 0;
    for (int e = 0; e < b->elements; e++) {
      double K[36], C[36], J[72], x[12], r[6];
      sar_reduce_element(b, e, K, C, J);
      for (int end = 0; end < 2; end++) {
        const Motion V = s->mode[(e + end) * s->modes + i];
        v3_store(x + 6 * end, V.w);
        v3_store(x + 6 * end + 3, V.v);
      }
      for (int l = 0; l < 6; l++) {
        r[l] = 0;
        for (int j = 0; j < 12; j++) r[l] += J[12 * l + j] * x[j];
      }
      for (int l = 0; l < 6; l++)
        for (int j = 0; j < 6; j++) sum += r[l] * C[6 * l + j] * r[j];
    }
    const double km = s->stiffness[i * s->modes + i] * M[i * s->modes + i];
    s->damping[i] = km > 0 ? sum / (2 * sqrt(km)) : 0;
  }
}

static SarStatus reduce(SarArena* arena, ReduceBeam* b, const SarReduceOptions* o,
                        SarReduction* out, SarError* err) {
  Basis s = {.n = 6 * b->elements, .boundary = 6 * o->attached_count};
  s.interior = s.n - s.boundary;
  s.modes = s.boundary + o->modes;
  if (o->modes > s.interior || s.modes < 1 || s.modes > SAR_REDUCE_MOST_MODES) {
    sar_report(err, nowhere, "take fewer, or a beam of more elements",
               "%d modes: the beam has 1 to %d of them", o->modes,
               s.interior < SAR_REDUCE_MOST_MODES - s.boundary ? s.interior
                                                               : SAR_REDUCE_MOST_MODES - s.boundary);
    return SAR_BAD_ARGUMENT;
  }
  place(b, out);
  SarModalShape* shape = sar_modal_shape_new(arena, b->elements + 1, s.modes, !o->linear);
  double* x = SAR_ARENA_ARRAY(arena, double, s.n + s.modes * s.modes);
  if (!shape || !x || !take_room(arena, &s)) return SAR_NO_MEMORY;
  for (int k = 0; k < shape->nodes; k++) {
    const int body = b->body[k];
    shape->X[k] = b->X[k];
    shape->inertia[k] = inertia_transform(x_inv(b->m->body_X_BU[body]), b->m->body_inertia[body]);
  }
  split(o, &s);
  if (!assemble(b, shape, s.K, s.M) || !static_modes(&s, x) || !normal_modes(arena, &s, x)) {
    if (arena->failed) return SAR_NO_MEMORY;
    sar_report(err, nowhere, "", "the stiffness of the beam is singular");
    return SAR_SINGULAR;
  }
  fill_shape(&s, x, shape);
  const char* wrong = sar_modal_orthogonal(arena, shape, NULL, s.modes);
  if (wrong) {
    sar_report(err, nowhere, "", "the modes %s", wrong);
    return SAR_SINGULAR;
  }
  normalise(shape, x);
  fill_damping(b, shape, x);
  if (!o->linear) sar_reduce_bend(b, shape, arena);
  out->shape = shape;
  return arena->failed ? SAR_NO_MEMORY : SAR_OK;
}

SarStatus sar_reduce(SarArena* arena, const SarModel* m, const SarReduceOptions* o,
                     SarReduction* out, SarError* err) {
  enum { RADIUS = 5 };  // of the attributes of the force kind `beam`
  *out = (SarReduction){0};
  ReduceBeam b = {.m = m, .elements = count_elements(m, o->beam)};
  if (b.elements < 1 || b.elements > SAR_REDUCE_MOST_ELEMENTS) {
    sar_report(err, nowhere, "", "beam '%.60s' has %d elements: expected 1 to %d", o->beam,
               b.elements, SAR_REDUCE_MOST_ELEMENTS);
    return SAR_BAD_ARGUMENT;
  }
  if (!find_parts(arena, &b, o->beam, out)) return SAR_NO_MEMORY;
  const SarAttrValue* radius = sar_force_attr(m, b.force[0], RADIUS);
  if (radius->given && radius->index < 0 && radius->adr >= 0)
    out->radius = m->attr_data[radius->adr];
  SAR_TRY(sar_data_new(m, &b.d, err));
  const SarStatus st = reduce(arena, &b, o, out, err);
  sar_data_free(b.d);
  return st;
}
