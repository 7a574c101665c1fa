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
      to->u[1] -= row->slip[0];
      to->u[2] -= row->slip[1];
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

// ---- matrix -------------------------------------------------------------------------------------
//
// In ground axes about the mass centres: a body's velocities move the origin of a face, at rho, by
// u = v + w x rho = v + X w.

typedef double Block3[3][3];

// A X and X' A, X w = w x r
static void times_lever(Block3 A, const double* r, Block3 out) {
  for (int i = 0; i < 3; i++) {
    out[i][0] = A[i][2] * r[1] - A[i][1] * r[2];
    out[i][1] = A[i][0] * r[2] - A[i][2] * r[0];
    out[i][2] = A[i][1] * r[0] - A[i][0] * r[1];
  }
}
static void lever_times(const double* r, Block3 A, Block3 out) {
  for (int j = 0; j < 3; j++) {
    out[0][j] = A[2][j] * r[1] - A[1][j] * r[2];
    out[1][j] = A[0][j] * r[2] - A[2][j] * r[0];
    out[2][j] = A[1][j] * r[0] - A[0][j] * r[1];
  }
}

static void add_to(Block3 A, Block3 to) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) to[i][j] += A[i][j];
}

// Stiffness of a face against its twist: uu, uw, ww.
typedef struct Stiffness {
  Block3 uu, uw, ww;
} Stiffness;

static void add_point(const double* G, const double* r, Stiffness* F) {
  Block3 S = {{G[0], G[1], G[2]}, {G[1], G[3], G[4]}, {G[2], G[4], G[5]}}, SX, XSX;
  times_lever(S, r, SX);
  lever_times(r, SX, XSX);
  add_to(S, F->uu);
  add_to(SX, F->uw);
  add_to(XSX, F->ww);
}

// A <- E A E', E by columns
static void rotate(const SarColumns* E, Block3 A) {
  const double* axis[3] = {E->x, E->y, E->z};
  Block3 T = {{0}};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      for (int j = 0; j < 3; j++) T[i][j] += A[i][k] * axis[k][j];
  memset(A, 0, sizeof T);
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) A[i][j] += axis[k][i] * T[k][j];
}

static Stiffness stiffness_of(const SarDirect* p, const SarImpulses* rows, const SarFace* x) {
  Stiffness F = {0};
  for (int i = x->first; i < x->first + x->count; i++)
    if (p->point[i].G[0] != 0) add_point(p->point[i].G, rows->points.point[i].r, &F);
  rotate(&x->axis, F.uu);
  rotate(&x->axis, F.uw);
  rotate(&x->axis, F.ww);
  return F;
}

// The same seen from a body: D = uw + uu X
static void lever_of(const Stiffness* F, const SarFace* x, const SarFaceSide* side, double* rho,
                     Block3 D) {
  const double* r = side->r;
  for (int k = 0; k < 3; k++)
    rho[k] = x->axis.x[k] * r[0] + x->axis.y[k] * r[1] + x->axis.z[k] * r[2];
  Block3 uu;
  memcpy(uu, F->uu, sizeof uu);
  times_lever(uu, rho, D);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) D[i][j] += F->uw[i][j];
}

// K += sign [uu, Db; Da', ww + uw' Xb + Xa' Db]
static void add_block(double sign, const Stiffness* F, const double* rho_a, Block3 Da,
                      const double* rho_b, Block3 Db, double* K) {
  Block3 turned, right, left;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) turned[i][j] = F->uw[j][i];
  times_lever(turned, rho_b, right);
  lever_times(rho_a, Db, left);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      K[N * i + j] += sign * F->uu[i][j];
      K[N * i + 3 + j] += sign * Db[i][j];
      K[N * (3 + i) + j] += sign * Da[j][i];
      K[N * (3 + i) + 3 + j] += sign * (F->ww[i][j] + right[i][j] + left[i][j]);
    }
}

static void add_face(SarDirect* p, const SarModel* m, const SarIslands* islands,
                     const SarImpulses* rows, const SarFace* x) {
  const int ground = rows->points.ground;
  const int a = x->a.first == ground ? -1 : islands->node[m->dof_body[x->a.first]];
  const int b = x->b.first == ground ? -1 : islands->node[m->dof_body[x->b.first]];
  const Stiffness F = stiffness_of(p, rows, x);
  double ra[3], rb[3];
  Block3 Da, Db;
  if (a >= 0) {
    lever_of(&F, x, &x->a, ra, Da);
    add_block(1, &F, ra, Da, ra, Da, &p->factor.diagonal[(size_t)a * SAR_BODY_BLOCK]);
  }
  if (b < 0) return;
  lever_of(&F, x, &x->b, rb, Db);
  add_block(1, &F, rb, Db, rb, Db, &p->factor.diagonal[(size_t)b * SAR_BODY_BLOCK]);
  if (a < 0) return;
  bool turned;
  double* block = sar_island_factor_block(&p->factor, a, b, &turned);
  if (turned)
    add_block(-1, &F, rb, Db, ra, Da, block);
  else
    add_block(-1, &F, ra, Da, rb, Db, block);
}

// M v of one body: its mass centre is its origin.
static void times_mass(const SarModel* m, int first, const double* v, double* f) {
  const Inertia* I = &m->body_inertia[m->dof_body[first]];
  for (int k = 0; k < 3; k++) f[k] = I->m * v[k];
  v3_store(f + 3, s3_mul_v(I->I, v3_load(v + 3)));
}

static void set_mass(const SarModel* m, const SarData* d, int first, double* K) {
  const int body = m->dof_body[first];
  const S3 I = s3_rotate(d->body_X_GB[body].R, m->body_inertia[body].I);
  const double rotation[3][3] = {{I.xx, I.xy, I.xz}, {I.xy, I.yy, I.yz}, {I.xz, I.yz, I.zz}};
  for (int k = 0; k < 3; k++) K[N * k + k] = m->body_inertia[body].m;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) K[N * (3 + i) + 3 + j] = rotation[i][j];
}

bool sar_direct_factor(SarDirect* p, const SarModel* m, const SarData* d, const SarIslands* islands,
                       const SarIsland* z, const SarImpulses* rows) {
  sar_island_factor_zero(&p->factor);
  for (int k = 0; k < z->bodies; k++)
    set_mass(m, d, islands->first[z->body + k], &p->factor.diagonal[(size_t)k * SAR_BODY_BLOCK]);
  FOR_FACES(islands, z, rows, x) add_face(p, m, islands, rows, x);
  return sar_island_factor_run(&p->factor);
}

// ---- velocities ---------------------------------------------------------------------------------

void sar_direct_answer(SarDirect* p, const SarIslands* islands, const SarIsland* z,
                       const SarImpulses* rows, SarPointImpulse* dp) {
  for (int k = z->body; k < z->body + z->bodies; k++)
    memset(&p->answer[islands->first[k]], 0, N * sizeof *p->answer);
  FOR_FACES(islands, z, rows, x) sar_face_push(&rows->points, x, dp, p->answer);
}

void sar_direct_way(SarDirect* p, const SarModel* m, const SarData* d, const SarIslands* islands,
                    const SarIsland* z, const double* r) {
  const int* first = &islands->first[z->body];
  for (int k = 0; k < z->bodies; k++) {
    double* f = &p->x[N * k];
    times_mass(m, first[k], &r[first[k]], f);
    v3_store(f + 3, m3_mul_v(d->body_X_GB[m->dof_body[first[k]]].R, v3_load(f + 3)));
  }
  sar_island_factor_solve(&p->factor, p->x);
  for (int k = 0; k < z->bodies; k++) {
    const double* x = &p->x[N * k];
    double* to = &p->way[first[k]];
    memcpy(to, x, 3 * sizeof *x);
    v3_store(to + 3, m3_tmul_v(d->body_X_GB[m->dof_body[first[k]]].R, v3_load(x + 3)));
  }
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
