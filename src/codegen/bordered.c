// Changes of the equations with constraints or parameters, over symbols (bordered.h).
#include "codegen/bordered.h"

#include "base/print.h"
#include "codegen/direction.h"

int sar_bordered_columns(const SymBordered* b, int way) {
  return way == SYM_ALONG_PARAMETER ? b->parameters : sar_slopes_columns(b->m, (SymAlong)way);
}

static SarNode symbol(const SymBordered* b, const char* name, int i) {
  char text[32];
  sar_snprintf(text, sizeof text, "%s[%d]", name, i);
  return sar_sym_symbol(b->g, text);
}

static SarNode* room(const SymBordered* b, int n) {
  SarNode* x = SAR_ARENA_ARRAY(b->arena, SarNode, n + 1);
  for (int i = 0; x && i < n; i++) x[i] = s_num(b->g, 0);
  return x;
}

// ---- what changes -------------------------------------------------------------------------------

typedef struct Changed {
  SymBordered* b;
  int n;
  SarNode *y, *dy;  // top, bottom, rates of states
} Changed;

static void list_top(Changed* c) {
  SymBordered* b = c->b;
  const SarModel* m = b->m;
  SarNode* top = c->y;
  for (int i = 0; b->mass && i < m->nv; i++) {
    top[i] = b->rest[i];
    for (int k = 0; k < m->nv; k++)
      top[i] = s_msc(b->g, top[i], b->mass[i * m->nv + k], symbol(b, "acc", k));
  }
  for (int r = 0; r < m->nrow; r++)
    for (int k = m->row_adr[r]; k < m->row_adr[r + 1]; k++) {
      SarNode* to = &top[m->row_dof[k]];
      *to = s_msc(b->g, *to, b->Psi[k], symbol(b, "lam", r));
    }
}

static void list_bottom(Changed* c) {
  SymBordered* b = c->b;
  const SarModel* m = b->m;
  SarNode* bottom = c->y + m->nv;
  for (int r = 0; r < m->nrow; r++) {
    bottom[r] = b->gamma[r];
    for (int k = m->row_adr[r]; k < m->row_adr[r + 1]; k++)
      bottom[r] = s_msc(b->g, bottom[r], b->Psi[k], symbol(b, "acc", m->row_dof[k]));
  }
}

static bool differentiate(Changed* c, int way, int column, SymDirection d) {
  SymBordered* b = c->b;
  const SarModel* m = b->m;
  const int columns = sar_bordered_columns(b, way);
  if (!sar_sym_forward(b->g, c->n, c->y, sar_direction_rate, &d, c->dy)) return false;
  for (int i = 0; i < m->nv; i++) b->top[way][i * columns + column] = c->dy[i];
  for (int i = 0; i < m->nrow; i++) b->bottom[way][i * columns + column] = c->dy[m->nv + i];
  for (int i = 0; !b->tree && i < m->nz; i++)
    b->rate[way][i * columns + column] = c->dy[m->nv + m->nrow + i];
  return true;
}

static bool differentiate_all(Changed* c) {
  SymBordered* b = c->b;
  const SarModel* m = b->m;
  SarNode* q = room(b, m->nq);
  bool fine = q != NULL;
  for (int i = 0; fine && i < m->nq; i++) q[i] = symbol(b, "q", i);
  for (int j = 0; j < m->nbody; j++)
    for (int k = 0; fine && k < m->joint_nv[j]; k++) {
      const int i = m->joint_vadr[j] + k;
      fine =
          differentiate(c, SYM_ALONG_Q, i, sar_direction_q(b->g, m, &q[m->joint_qadr[j]], j, k)) &&
          differentiate(c, SYM_ALONG_V, i, sar_direction_symbol(b->g, symbol(b, "v", i)));
    }
  for (int i = 0; fine && i < m->ninput; i++)
    fine = differentiate(c, SYM_ALONG_INPUT, i, sar_direction_symbol(b->g, symbol(b, "input", i)));
  for (int i = 0; fine && i < m->nz; i++)
    fine = differentiate(c, SYM_ALONG_STATE, i, sar_direction_symbol(b->g, symbol(b, "z", i)));
  for (int i = 0; fine && i < b->parameters; i++)
    fine = differentiate(c, SYM_ALONG_PARAMETER, i,
                         sar_direction_symbol(b->g, sar_sym_symbol(b->g, b->parameter[i])));
  return fine &&
         differentiate(c, SYM_ALONG_TIME, 0, sar_direction_symbol(b->g, sar_sym_symbol(b->g, "t")));
}

// ---- the tree's ---------------------------------------------------------------------------------

static void add_entries(const SymBordered* b, const SymEntries* e, bool minus, int columns,
                        SarNode* to) {
  for (int i = 0; i < e->count; i++) {
    SarNode* x = &to[e->items[i].i * columns + e->items[i].j];
    *x = minus ? s_sub(b->g, *x, e->items[i].value) : s_add(b->g, *x, e->items[i].value);
  }
}

// What acts, and entries that loops over the tree leave out.
static void add_tree(const SymBordered* b) {
  const SymSlopes* w = b->tree;
  add_entries(b, &w->own, true, b->m->nv, b->top[SYM_ALONG_Q]);
  for (int k = 0; k < SYM_ALONGS; k++) {
    const int columns = sar_bordered_columns(b, k);
    add_entries(b, &w->force[k], false, columns, b->top[k]);
    add_entries(b, &w->rate[k], false, columns, b->rate[k]);
  }
}

bool sar_bordered_make(SymBordered* b, const SarSymbols* s, const SymSlopes* tree, int parameters,
                       const char* const* parameter) {
  const SarModel* m = s->m;
  *b = (SymBordered){.m = m,
                     .arena = s->arena,
                     .g = s->g,
                     .parameters = parameters,
                     .parameter = parameter,
                     .mass = tree ? NULL : s->mass,
                     .rest = s->rest,
                     .Psi = s->Psi,
                     .gamma = s->gamma,
                     .z_rate = s->z_rate,
                     .tree = tree};
  for (int way = 0; way < SYM_WAYS; way++) {
    const int columns = sar_bordered_columns(b, way);
    b->top[way] = room(b, m->nv * columns);
    b->bottom[way] = room(b, m->nrow * columns);
    b->rate[way] = room(b, m->nz * columns);
  }
  const int most = m->nv + m->nrow + m->nz;
  Changed c = {.b = b, .n = tree ? most - m->nz : most, .y = room(b, most), .dy = room(b, most)};
  if (s->arena->failed) return false;
  list_top(&c);
  list_bottom(&c);
  for (int i = 0; !tree && i < m->nz; i++) c.y[m->nv + m->nrow + i] = b->z_rate[i];
  if (!differentiate_all(&c)) return false;
  if (tree) add_tree(b);
  return !s->arena->failed;
}
