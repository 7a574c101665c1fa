// A beam reduced to a modal body: Craig-Bampton basis of its linear model about the design
// position.
//
// Source: Craig and Bampton, Coupling of substructures for dynamic analyses, AIAA Journal 6, 1968.
//
// The beam is clamped at its first node, whose frame is that of the modal body. Boundary nodes B
// are those that others are attached to, I all others:
//
//   static modes    x_B = unit,  x_I = -K_II^-1 K_IB          six for each boundary node
//   normal modes    K_II x_I = w^2 M_II x_I,  x_B = 0          the lowest
//
// K_II = L L' and L^-1 M_II L^-T have the same modes as the pair, with 1/w^2: nodes may be without
// rotary inertia. The basis is made orthogonal with respect to K and M of the whole in the end
// (model/modal_basis.c).
#include "analysis/reduce.h"

#include "analysis/reduce_parts.h"
#include "linalg/dense.h"
#include "linalg/spd.h"
#include "model/modal_basis.h"

#include <math.h>
#include <string.h>

static const SarLoc nowhere = {0};

// ---- the basis ----------------------------------------------------------------------------------

typedef struct Basis {
  int n, interior, boundary, modes;  // unknowns; of them inside and on the boundary; modes in all
  int *in, *on;
  double *K, *M;        // n x n
  double *U, *A;        // of the interior: factor of K; L^-1 M L^-T
  double *value, *Phi;  // n x modes
} Basis;

static bool take_room(SarArena* arena, Basis* s) {
  const size_t n = (size_t)s->n, i = (size_t)s->interior;
  s->in = SAR_ARENA_ARRAY(arena, int, n);
  s->on = SAR_ARENA_ARRAY(arena, int, n);
  s->K = SAR_ARENA_ARRAY(arena, double, n* n);
  s->M = SAR_ARENA_ARRAY(arena, double, n* n);
  s->U = SAR_ARENA_ARRAY(arena, double, i* i);
  s->A = SAR_ARENA_ARRAY(arena, double, i* i);
  s->value = SAR_ARENA_ARRAY(arena, double, n);
  s->Phi = SAR_ARENA_ARRAY(arena, double, n*(size_t)s->modes);
  return !arena->failed;
}

static void split(const SarBeamCut* o, Basis* s) {
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
    for (int k = 0; k < s->nodes; k++) s->mode[k * n + i] = motion_scale(scale, s->mode[k * n + i]);
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

static SarStatus reduce(SarArena* arena, ReduceBeam* b, const SarBeamCut* o, SarReducedBeam* out,
                        SarError* err) {
  Basis s = {.n = 6 * b->elements, .boundary = 6 * o->attached_count};
  s.interior = s.n - s.boundary;
  s.modes = s.boundary + o->modes;
  if (o->modes > s.interior || s.modes < 1 || s.modes > SAR_REDUCE_MOST_MODES) {
    sar_report(err, nowhere, "take fewer, or a beam of more elements",
               "%d modes: the beam has 1 to %d of them", o->modes,
               s.interior < SAR_REDUCE_MOST_MODES - s.boundary
                   ? s.interior
                   : SAR_REDUCE_MOST_MODES - s.boundary);
    return SAR_BAD_ARGUMENT;
  }
  sar_reduce_place(b, out);
  SarModalShape* shape = sar_modal_shape_new(arena, b->elements + 1, s.modes, !o->linear);
  double* x = SAR_ARENA_ARRAY(arena, double, s.n + s.modes * s.modes);
  if (!shape || !x || !take_room(arena, &s)) return SAR_NO_MEMORY;
  for (int k = 0; k < shape->nodes; k++) {
    const int body = b->body[k];
    shape->X[k] = b->X[k];
    shape->inertia[k] = inertia_transform(x_inv(b->m->body_X_BU[body]), b->m->body_inertia[body]);
  }
  split(o, &s);
  if (!sar_reduce_assemble(b, shape, s.K, s.M) || !static_modes(&s, x) ||
      !normal_modes(arena, &s, x)) {
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

SarStatus sar_reduce_to(SarArena* arena, const SarModel* m, const SarBeamCut* o,
                        SarReducedBeam* out, SarError* err) {
  enum { RADIUS = 5 };  // of the attributes of the force kind `beam`
  *out = (SarReducedBeam){0};
  ReduceBeam b = {.m = m, .elements = sar_reduce_elements(m, o->beam)};
  if (b.elements < 1 || b.elements > SAR_REDUCE_MOST_ELEMENTS) {
    sar_report(err, nowhere, "", "beam '%.60s' has %d elements: expected 1 to %d", o->beam,
               b.elements, SAR_REDUCE_MOST_ELEMENTS);
    return SAR_BAD_ARGUMENT;
  }
  if (!sar_reduce_find(arena, &b, o->beam, out)) return SAR_NO_MEMORY;
  const SarAttrValue* radius = sar_force_attr(m, b.force[0], RADIUS);
  if (radius->given && radius->index < 0 && radius->adr >= 0)
    out->radius = m->attr_data[radius->adr];
  SAR_TRY(sar_data_new(m, &b.d, err));
  const SarStatus st = reduce(arena, &b, o, out, err);
  sar_data_free(b.d);
  return st;
}
