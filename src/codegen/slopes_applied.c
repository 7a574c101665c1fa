// How applied forces and the rates of states change with positions, speeds, inputs, states and
// time: forward mode through what acts, and nothing else (slopes.h). What a joint carries moves
// with it already; here is the change of forces in the axes of their bodies.
#include "codegen/direction.h"
#include "codegen/slopes.h"

void sar_slopes_add(const SymSlopes* w, SymEntries* to, int i, int j, SarNode value) {
  if (s_is_zero(w->s->g, value)) return;
  SymEntry* entry = SAR_LIST_ADD(w->s->arena, to);
  if (entry) *entry = (SymEntry){i, j, value};
}

int sar_slopes_columns(const SarModel* m, SymAlong along) {
  switch (along) {
    case SYM_ALONG_Q:
    case SYM_ALONG_V: return m->nv;
    case SYM_ALONG_INPUT: return m->ninput;
    case SYM_ALONG_STATE: return m->nz;
    default: return 1;
  }
}

// ---- what changes -------------------------------------------------------------------------------

typedef struct Applied {
  SymSlopes* w;
  int n;
  SarNode *y, *dy;
  SymForce* F;  // nbody: sums on the way inwards
} Applied;

enum { FORCE = 6 };

// Forces of bodies, forces on coordinates, rates of states.
static void list_values(Applied* a) {
  const SarSymbols* s = a->w->s;
  const SarModel* m = s->m;
  for (int b = 0; b < m->nbody; b++) {
    const SymForce F = s->F[b];
    const SarNode node[FORCE] = {F.n.x, F.n.y, F.n.z, F.f.x, F.f.y, F.f.z};
    for (int k = 0; k < FORCE; k++) a->y[a->n++] = node[k];
  }
  for (int i = 0; i < m->nv; i++) a->y[a->n++] = s->tau[i];
  for (int i = 0; i < m->nz; i++) a->y[a->n++] = s->z_rate[i];
}

static bool nothing_acts(const Applied* a) {
  const SarSymbols* s = a->w->s;
  const SarModel* m = s->m;
  if (m->nz > 0) return false;
  for (int i = 0; i < FORCE * m->nbody; i++)
    if (!s_is_zero(s->g, a->y[i])) return false;
  for (int i = 0; i < m->nv; i++)
    if (s->tau[i] != s->tau_host[i]) return false;
  return true;
}

// Generalised forces of the changes.
static void project(Applied* a, SymAlong along, int column) {
  SymSlopes* w = a->w;
  const SarModel* m = w->s->m;
  SarGraph* g = w->s->g;
  const SarNode* dtau = &a->dy[FORCE * m->nbody];
  for (int b = 0; b < m->nbody; b++) {
    const SarNode* d = &a->dy[FORCE * b];
    const SymForce F_B = {{d[0], d[1], d[2]}, {d[3], d[4], d[5]}};
    a->F[b] = sar_slopes_force(w, b, F_B);
  }
  for (int b = m->nbody - 1; b >= 0; b--) {
    const int p = m->body_parent[b];
    for (int i = m->joint_vadr[b]; i < m->joint_vadr[b] + m->joint_nv[b]; i++)
      sar_slopes_add(w, &w->force[along], i, column,
                     s_add(g, dtau[i], spower(g, w->S[i], a->F[b])));
    if (p >= 0) a->F[p] = sforce_add(g, a->F[p], sar_slopes_force_inwards(w, b, a->F[b]));
  }
  for (int i = 0; i < m->nz; i++) sar_slopes_add(w, &w->rate[along], i, column, dtau[m->nv + i]);
}

static bool differentiate(Applied* a, SymAlong along, int column, SymDirection d) {
  if (!sar_sym_forward(a->w->s->g, a->n, a->y, sar_direction_rate, &d, a->dy)) return false;
  project(a, along, column);
  return true;
}

bool sar_symbols_applied_slopes(SymSlopes* w) {
  const SarSymbols* s = w->s;
  const SarModel* m = s->m;
  const int most = FORCE * m->nbody + m->nv + m->nz + 1;
  Applied a = {.w = w,
               .y = SAR_ARENA_ARRAY(s->arena, SarNode, most),
               .dy = SAR_ARENA_ARRAY(s->arena, SarNode, most),
               .F = SAR_ARENA_ARRAY(s->arena, SymForce, m->nbody + 1)};
  if (!a.y || !a.dy || !a.F) return false;
  list_values(&a);
  if (nothing_acts(&a)) return true;
  bool fine = true;
  for (int b = 0; b < m->nbody; b++)
    for (int k = 0; fine && k < m->joint_nv[b]; k++) {
      const int i = m->joint_vadr[b] + k;
      fine = differentiate(&a, SYM_ALONG_Q, i,
                           sar_direction_q(s->g, m, &s->q[m->joint_qadr[b]], b, k)) &&
             differentiate(&a, SYM_ALONG_V, i, sar_direction_symbol(s->g, s->v[i]));
    }
  for (int i = 0; fine && i < m->ninput; i++)
    fine = differentiate(&a, SYM_ALONG_INPUT, i, sar_direction_symbol(s->g, s->input[i]));
  for (int i = 0; fine && i < m->nz; i++)
    fine = differentiate(&a, SYM_ALONG_STATE, i, sar_direction_symbol(s->g, s->z[i]));
  return fine && differentiate(&a, SYM_ALONG_TIME, 0, sar_direction_symbol(s->g, s->t)) &&
         !s->arena->failed;
}
