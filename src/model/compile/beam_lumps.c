// Inertias of the nodes of a beam: its mass lumped by product integration.
//
// What inertia does in a beam are integrals over the span of its inertia per length times a product
// f of smooth functions (velocities, influence functions). f is replaced by its cubic Hermite
// interpolation between nodes,
//
//   integral of m f ds  ~  sum m_i f(s_i) + S_i f'(s_i),    m_i = integral of m H_i ds,
//                       S_i = integral of m G_i ds
//
// and S_i f' is what a body with its mass centre at S_i/m_i along x does, since v' = w x e_x where
// a beam hardly shears. For uniform sections this is the trapezoidal rule with the end correction
// of Euler and Maclaurin, S = -+ m h^2/12 at the ends and 0 within, so that frequencies and
// deflections under weight converge with the fourth power of h, where half an element's mass at
// each end gives the second.
//
// A body with S needs a moment of inertia J >= S^2/m, which the integral does not have. J f_1' f_2'
// is half of J f'' (at a free end f_1'' = f_2'' = 0), so that much is taken out again as a second
// difference of the masses:
//
//   J = S^2/m,    m_(i-1), m_i, m_(i+1)  +=  -J/(2 h^2) (1, -2, 1)
//
// Mass, centre of mass and inertia of a straight beam as a rigid body come out exactly, also where
// mass varies or jumps along the span. Where some node's share is not that of a body, the beam
// takes linear functions in place of cubic ones.
#include "model/beam.h"
#include "model/compile/parts.h"

#include <math.h>

typedef struct Lumps {
  const BeamPart* b;
  int element;
  bool linear;
  Inertia* node;
} Lumps;

// Per length at s: mass, centre of mass (y, z), moments of inertia about it.
static Inertia inertia_at(const BeamPart* b, double s, double beside) {
  double m, c[2] = {0, 0}, j[3], K[36];
  sar_span_at(&b->mass, s, beside, &m);
  if (b->com.columns) sar_span_at(&b->com, s, beside, c);
  if (b->inertia.columns) {
    sar_span_at(&b->inertia, s, beside, j);
  } else {  // homogeneous sections: radii of gyration sqrt(EI/EA)
    sar_beam_section(b, s, beside, K);
    j[1] = m * K[7] / K[21];
    j[2] = m * K[14] / K[21];
    j[0] = j[1] + j[2];
  }
  return inertia_of(m, v3(0, c[0], c[1]), (S3){j[0], 0, 0, j[1], 0, j[2]});
}

// Adds w times I where f counts with H, and f' with G.
static void add_share(Inertia* node, Inertia I, double H, double G) {
  *node = inertia_add(*node, (Inertia){H * I.m, v3_scale(H, I.h), s3_scale(H, I.I)});
  node->h.x += G * I.m;
  node->I.xy -= G * I.h.y;
  node->I.xz -= G * I.h.z;
}

static void add_piece(void* context, double from, double to) {
  const Lumps* l = context;
  const double a = l->b->s[l->element], h = l->b->s[l->element + 1] - a;
  for (int g = 0; g < SAR_BEAM_GAUSS; g++) {
    const double middle = 0.5 * (from + to), s = middle + (to - from) * sar_beam_gauss[g][0];
    const double ds = (to - from) * sar_beam_gauss[g][1], t = (s - a) / h, u = 1 - t;
    const Inertia I = inertia_at(l->b, s, middle);
    const double H = l->linear ? u : u * u * (1 + 2 * t);
    add_share(&l->node[l->element], I, ds * H, l->linear ? 0 : ds * h * t * u * u);
    add_share(&l->node[l->element + 1], I, ds * (1 - H), l->linear ? 0 : -ds * h * t * t * u);
  }
}

static void lump(const BeamPart* b, bool linear, Inertia* node) {
  const BeamSpan* const spans[] = {&b->mass, &b->com, &b->inertia, &b->stiffness};
  Lumps l = {.b = b, .linear = linear, .node = node};
  for (int i = 0; i <= b->spec->elements; i++) node[i] = inertia_zero();
  for (l.element = 0; l.element < b->spec->elements; l.element++)
    sar_beam_pieces(spans, 4, b->s[l.element], b->s[l.element + 1], add_piece, &l);
}

// J of all nodes, and what makes up for it; the second differences of the ends are taken at the
// nodes beside them. The masses change by a few hundredths, and J with them. m, J: room for as many
// as there are nodes.
static void make_bodies(const BeamPart* b, double* m, double* J, Inertia* node) {
  enum { ROUNDS = 8 };
  const int n = b->spec->elements;
  const double h = b->length / n;
  for (int i = 0; i <= n; i++) m[i] = node[i].m;
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i <= n; i++) J[i] = node[i].h.x * node[i].h.x / node[i].m;
    for (int i = 0; i <= n; i++) node[i].m = m[i];
    for (int i = 0; i <= n && n >= 2; i++) {
      const int k = i == 0 ? 1 : i == n ? n - 1 : i;
      const double c = -J[i] / (2 * h * h);
      node[k - 1].m += c, node[k].m -= 2 * c, node[k + 1].m += c;
    }
  }
  for (int i = 0; i <= n; i++) {
    const double spread = node[i].h.x * node[i].h.x / node[i].m;
    node[i].I.yy += spread;
    node[i].I.zz += spread;
  }
}

// Mass and moments of inertia about the mass centre that a body can have.
static bool is_body(Inertia I) {
  if (!(I.m > 0)) return false;
  const S3 at = s3_scale(I.m, s3_of_point(v3_scale(1 / I.m, I.h)));
  const double x = I.I.xx - at.xx, y = I.I.yy - at.yy, z = I.I.zz - at.zz;
  const double slack = 1e-9 * (I.I.xx + I.I.yy + I.I.zz);
  return x >= -slack && y >= -slack && z >= -slack && x + y - z >= -slack && y + z - x >= -slack &&
         z + x - y >= -slack;
}

bool sar_beam_lumps(Compile* c, const BeamPart* b, Inertia* node) {
  const int n = b->spec->elements;
  double* work = SAR_ARENA_ARRAY(&c->arena, double, 2 * (n + 1));
  if (!work) return false;
  lump(b, false, node);
  make_bodies(b, work, work + n + 1, node);
  for (int i = 0; i <= n; i++)
    if (!is_body(node[i])) {
      lump(b, true, node);
      break;
    }
  return true;
}
