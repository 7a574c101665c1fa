// Newton's matrix of an island and what goes with it (direct.h).
#include "formulations/impulse/cone.h"
#include "formulations/impulse/direct.h"

#include <string.h>

enum { N = 6 };

// Faces of an island in turn.
#define FOR_FACES(islands, z, rows, x)                        \
  for (int f_ = (z)->face; f_ < (z)->face + (z)->faces; f_++) \
    for (const SarFace* x = &(rows)->points.face[(islands)->face[f_]]; x; x = NULL)

void sar_direct_read(SarDirect* p, const SarIslands* islands, const SarIsland* z,
                     const SarImpulses* rows) {
  FOR_FACES(islands, z, rows, x) {
    const SarTwist twist = sar_face_twist(x, rows->v);
    for (int i = x->first; i < x->first + x->count; i++) {
      const SarPointRows* row = &rows->points.point[i];
      SarDirectPoint* to = &p->point[i];
      to->a = (row->A[0] + row->A[3] + row->A[5]) / 3;
      sar_point_speeds(row, &twist, to->u);
      to->u[0] -= row->speed;
      memcpy(to->p, rows->points.p[i], sizeof to->p);
    }
  }
}

double sar_direct_residual(const SarDirect* p, const SarIslands* islands, const SarIsland* z,
                           const SarImpulses* rows) {
  double sum = 0;
  FOR_FACES(islands, z, rows, x) {
    for (int i = x->first; i < x->first + x->count; i++) {
      const SarDirectPoint* at = &p->point[i];
      const double mu = rows->points.point[i].friction, *u = at->u;
      const double shift = mu * sqrt(u[1] * u[1] + u[2] * u[2]);
      const double want[3] = {at->p[0] - (u[0] + shift) / at->a, at->p[1] - u[1] / at->a,
                              at->p[2] - u[2] / at->a};
      double near[3];
      sar_cone_project(mu, want, near);
      for (int k = 0; k < 3; k++) sum += at->a * (near[k] - at->p[k]) * (near[k] - at->p[k]);
    }
  }
  return sum;
}

// ---- matrix --------------------------------------------------------------------------------------

// What velocities of one body do to the twist of a face: u = E v + (axes w) x r, w likewise.
static void side_map(const SarFace* face, const SarFaceSide* side, double* T) {
  const double* into[3] = {face->into.x, face->into.y, face->into.z};
  const double* axes[3] = {side->axes.x, side->axes.y, side->axes.z};
  const double* r = side->r;
  for (int j = 0; j < 3; j++) {
    const double* w = axes[j];
    const double u[3] = {w[1] * r[2] - w[2] * r[1], w[2] * r[0] - w[0] * r[2],
                         w[0] * r[1] - w[1] * r[0]};
    for (int i = 0; i < 3; i++) {
      T[N * i + j] = into[j][i];
      T[N * i + 3 + j] = u[i];
      T[N * (3 + i) + j] = 0;
      T[N * (3 + i) + 3 + j] = w[i];
    }
  }
}

// F += [1 X]' G [1 X],  X w = w x r
static void add_point(const double* G, const double* r, double* F) {
  const double S[3][3] = {{G[0], G[1], G[2]}, {G[1], G[3], G[4]}, {G[2], G[4], G[5]}};
  const double X[3][3] = {{0, r[2], -r[1]}, {-r[2], 0, r[0]}, {r[1], -r[0], 0}};
  double SX[3][3] = {{0}};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      for (int j = 0; j < 3; j++) SX[i][j] += S[i][k] * X[k][j];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      double sum = 0;
      for (int k = 0; k < 3; k++) sum += X[k][i] * SX[k][j];
      F[N * i + j] += S[i][j];
      F[N * i + 3 + j] += SX[i][j];
      F[N * (3 + j) + i] += SX[i][j];
      F[N * (3 + i) + 3 + j] += sum;
    }
}

static void multiply(const double* A, const double* B, double* restrict C) {
  memset(C, 0, SAR_BODY_BLOCK * sizeof *C);
  for (int i = 0; i < N; i++)
    for (int k = 0; k < N; k++)
      for (int j = 0; j < N; j++) C[N * i + j] += A[N * i + k] * B[N * k + j];
}

// C += sign A' B
static void add_product(double sign, const double* A, const double* B, double* restrict C) {
  for (int k = 0; k < N; k++)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) C[N * i + j] += sign * A[N * k + i] * B[N * k + j];
}

static void add_face(SarDirect* p, const SarModel* m, const SarIslands* islands,
                     const SarImpulses* rows, const SarFace* x) {
  const int ground = rows->points.ground;
  const int a = x->a.first == ground ? -1 : islands->node[m->dof_body[x->a.first]];
  const int b = x->b.first == ground ? -1 : islands->node[m->dof_body[x->b.first]];
  double F[SAR_BODY_BLOCK] = {0}, A[SAR_BODY_BLOCK], B[SAR_BODY_BLOCK], FT[SAR_BODY_BLOCK];
  for (int i = x->first; i < x->first + x->count; i++)
    add_point(p->point[i].G, rows->points.point[i].r, F);
  if (a >= 0) {
    side_map(x, &x->a, A);
    multiply(F, A, FT);
    add_product(1, A, FT, &p->factor.diagonal[(size_t)a * SAR_BODY_BLOCK]);
  }
  if (b < 0) return;
  side_map(x, &x->b, B);
  if (a >= 0) {
    bool turned;
    double* block = sar_island_factor_block(&p->factor, a, b, &turned);
    if (turned) {
      add_product(-1, B, FT, block);
    } else {
      multiply(F, B, FT);
      add_product(-1, A, FT, block);
    }
  }
  multiply(F, B, FT);
  add_product(1, B, FT, &p->factor.diagonal[(size_t)b * SAR_BODY_BLOCK]);
}

// M v of one body: its mass centre is its origin.
static void times_mass(const SarModel* m, int first, const double* v, double* f) {
  const Inertia* I = &m->body_inertia[m->dof_body[first]];
  for (int k = 0; k < 3; k++) f[k] = I->m * v[k];
  v3_store(f + 3, s3_mul_v(I->I, v3_load(v + 3)));
}

static void add_mass(const SarModel* m, int first, double* K) {
  const Inertia* I = &m->body_inertia[m->dof_body[first]];
  for (int k = 0; k < 3; k++) K[N * k + k] += I->m;
  const double rotation[3][3] = {
      {I->I.xx, I->I.xy, I->I.xz}, {I->I.xy, I->I.yy, I->I.yz}, {I->I.xz, I->I.yz, I->I.zz}};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) K[N * (3 + i) + 3 + j] += rotation[i][j];
}

bool sar_direct_factor(SarDirect* p, const SarModel* m, const SarIslands* islands,
                       const SarIsland* z, const SarImpulses* rows) {
  sar_island_factor_zero(&p->factor);
  for (int k = 0; k < z->bodies; k++)
    add_mass(m, islands->first[z->body + k], &p->factor.diagonal[(size_t)k * SAR_BODY_BLOCK]);
  FOR_FACES(islands, z, rows, x) add_face(p, m, islands, rows, x);
  return sar_island_factor_run(&p->factor);
}

// ---- velocities ----------------------------------------------------------------------------------

void sar_direct_answer(SarDirect* p, const SarIslands* islands, const SarIsland* z,
                       const SarImpulses* rows, SarPointImpulse* dp) {
  for (int k = z->body; k < z->body + z->bodies; k++)
    memset(&p->answer[islands->first[k]], 0, N * sizeof *p->answer);
  FOR_FACES(islands, z, rows, x) sar_face_push(&rows->points, x, dp, p->answer);
}

void sar_direct_way(SarDirect* p, const SarModel* m, const SarIslands* islands, const SarIsland* z,
                    const double* r) {
  const int* first = &islands->first[z->body];
  for (int k = 0; k < z->bodies; k++) times_mass(m, first[k], &r[first[k]], &p->x[N * k]);
  sar_island_factor_solve(&p->factor, p->x);
  for (int k = 0; k < z->bodies; k++) memcpy(&p->way[first[k]], &p->x[N * k], N * sizeof *p->way);
}

double sar_direct_dot(const SarModel* m, const SarIslands* islands, const SarIsland* z,
                      const double* a, const double* b) {
  double sum = 0;
  for (int k = z->body; k < z->body + z->bodies; k++) {
    const int first = islands->first[k];
    double f[N];
    times_mass(m, first, &a[first], f);
    for (int i = 0; i < N; i++) sum += f[i] * b[first + i];
  }
  return sum;
}

void sar_direct_move(const SarDirect* p, const SarIslands* islands, const SarIsland* z,
                     SarImpulses* rows) {
  for (int k = z->body; k < z->body + z->bodies; k++)
    memcpy(&rows->v[islands->first[k]], &p->free[islands->first[k]], N * sizeof *rows->v);
  FOR_FACES(islands, z, rows, x) sar_face_apply(&rows->points, x, rows->v);
}
