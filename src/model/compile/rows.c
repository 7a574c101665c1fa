// Rows of all constraints into the draft: order of the terms, and the coordinates that move each
// row.
#include "model/compile/parts.h"

#include <math.h>

static const double TURN = 6.283185307179586477;

// ---- order ----------------------------------------------------------------------------------

// Terms without a pair first, then pair by pair; pairs without terms go.
static bool sort_terms(Compile* c) {
  SarModel* m = &c->m;
  const int n = c->terms.count, npair = c->pairs.count;
  int* next = SAR_ARENA_ARRAY(&c->arena, int, npair + 1);  // place of the next term of pair - 1
  m->term = SAR_ARENA_ARRAY(&c->arena, SarTerm, n);
  m->pair = SAR_ARENA_ARRAY(&c->arena, SarPair, npair);
  if (c->arena.failed) return false;
  for (int k = 0; k < n; k++) next[c->terms.items[k].pair + 1]++;
  m->ncoordinate_term = next[0];
  m->nterm = 0;
  for (int g = 0; g <= npair; g++) {
    int terms = next[g];
    next[g] = m->nterm;
    if (g > 0 && terms > 0) {
      SarPair* p = &m->pair[m->npair++];
      *p = c->pairs.items[g - 1];
      p->term = m->nterm;
      p->terms = terms;
    }
    m->nterm += terms;
  }
  for (int k = 0; k < n; k++) {
    const SarTerm* t = &c->terms.items[k];
    m->term[next[t->pair + 1]++] = *t;
  }
  for (int i = 0; i < m->npair; i++)
    for (int k = m->pair[i].term; k < m->pair[i].term + m->pair[i].terms; k++) m->term[k].pair = i;
  return true;
}

// An angle is measured up to full turns. Where it is the only one of its row, so is the row; turns
// of several have to be remembered.
static bool count_turns(Compile* c) {
  SarModel* m = &c->m;
  int* angles = SAR_ARENA_ARRAY(&c->arena, int, m->nrow + 1);
  if (!angles) return false;
  for (int k = 0; k < m->nterm; k++) angles[m->term[k].row] += m->term[k].kind == SAR_TERM_ANGLE;
  for (int k = 0; k < m->nterm; k++) {
    SarTerm* t = &m->term[k];
    if (t->kind != SAR_TERM_ANGLE) continue;
    if (angles[t->row] > 1) continue;
    m->row[t->row].turn = TURN * fabs(t->coefficient);
    t->q = -1;
  }
  return true;
}

// ---- patterns -------------------------------------------------------------------------------

typedef struct Pattern {
  Compile* c;
  SAR_LIST(int) dofs, places;
  int* term;   // terms by row
  int* first;  // first of a row in `term`
} Pattern;

static bool terms_by_row(Pattern* p) {
  const SarModel* m = &p->c->m;
  p->first = SAR_ARENA_ARRAY(&p->c->arena, int, m->nrow + 2);
  p->term = SAR_ARENA_ARRAY(&p->c->arena, int, m->nterm + 1);
  if (!p->first || !p->term) return false;
  for (int k = 0; k < m->nterm; k++) p->first[m->term[k].row + 2]++;
  for (int i = 0; i < m->nrow; i++) p->first[i + 2] += p->first[i + 1];
  for (int k = 0; k < m->nterm; k++) p->term[p->first[m->term[k].row + 1]++] = k;
  return true;
}

// The coordinates of a term.
static const int* dofs_of(const SarModel* m, const SarTerm* t, int* num) {
  const SarPair* pair = t->pair >= 0 ? &m->pair[t->pair] : NULL;
  *num = pair ? pair->num : 1;
  if (*num == 0) return NULL;
  return pair ? &m->pair_dof[pair->adr] : &t->dof;
}

// where dof is, or belongs, between low and high
static int place_of(const int* dofs, int low, int high, int dof) {
  while (low < high) {
    int middle = (low + high) / 2;
    if (dofs[middle] < dof)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool add_dof(Pattern* p, int first, int dof) {
  int n = p->dofs.count, at = place_of(p->dofs.items, first, n, dof);
  if (at < n && p->dofs.items[at] == dof) return true;
  int* last = SAR_LIST_ADD(&p->c->arena, &p->dofs);
  if (!last) return false;
  int* dofs = p->dofs.items;
  for (int k = n; k > at; k--) dofs[k] = dofs[k - 1];
  dofs[at] = dof;
  return true;
}

// All coordinates of the row's terms, rising, and where those of each term are among them.
static bool fill_row(Pattern* p, int row) {
  SarModel* m = &p->c->m;
  int first = p->dofs.count, from = p->first[row], to = p->first[row + 1], num;
  m->row_adr[row] = first;
  for (int k = from; k < to; k++) {
    const int* dof = dofs_of(m, &m->term[p->term[k]], &num);
    for (int i = 0; i < num; i++)
      if (!add_dof(p, first, dof[i])) return false;
  }
  int n = p->dofs.count;
  for (int k = from; k < to; k++) {
    SarTerm* t = &m->term[p->term[k]];
    const int* dof = dofs_of(m, t, &num);
    if (t->pair < 0) t->place = place_of(p->dofs.items, first, n, t->dof) - first;
    if (t->pair < 0 || to - from == 1) continue;
    t->place = p->places.count;
    for (int i = 0; i < num; i++) {
      int* place = SAR_LIST_ADD(&p->c->arena, &p->places);
      if (!place) return false;
      *place = place_of(p->dofs.items, first, n, dof[i]) - first;
    }
  }
  return true;
}

static bool fill_patterns(Compile* c) {
  SarModel* m = &c->m;
  Pattern p = {.c = c};
  m->row_adr = SAR_ARENA_ARRAY(&c->arena, int, m->nrow + 1);
  if (!m->row_adr || !terms_by_row(&p)) return false;
  for (int i = 0; i < m->nrow; i++)
    if (!fill_row(&p, i)) return false;
  m->row_adr[m->nrow] = p.dofs.count;
  m->nrow_dof = p.dofs.count;
  m->row_dof = p.dofs.items;
  m->nterm_place = p.places.count;
  m->term_place = p.places.items;
  return true;
}

// Bodies whose motion the pairs' motions need.
static bool find_paths(Compile* c) {
  SarModel* m = &c->m;
  bool* needed = SAR_ARENA_ARRAY(&c->arena, bool, m->nbody + 1);
  m->path_body = SAR_ARENA_ARRAY(&c->arena, int, m->nbody);
  if (c->arena.failed) return false;
  for (int i = 0; i < m->npair; i++)
    for (int end = 0; end < 2; end++)
      for (int b = m->pair[i].body[end]; b >= 0 && !needed[b]; b = m->body_parent[b])
        needed[b] = true;
  for (int b = 0; b < m->nbody; b++)
    if (needed[b]) m->path_body[m->npath_body++] = b;
  if (m->npair > 0) m->needs_world = true;
  return true;
}

static void note_gaps(SarModel* m) {
  for (int k = 0; k < m->nterm; k++) {
    const SarTerm* t = &m->term[k];
    if (t->kind == SAR_TERM_ROLL && t->way == SAR_ROLL_GAP) m->row[t->row].roller = t->roller;
  }
}

static bool note_places(Compile* c) {
  SarModel* m = &c->m;
  m->constraint_at = SAR_ARENA_ARRAY(&c->arena, SarPlace, m->nconstraint);
  if (c->arena.failed) return false;
  for (int i = 0; i < m->nconstraint; i++) {
    const SarLoc loc = c->constraint_items.items[i].loc;
    m->constraint_at[i] = (SarPlace){sar_intern(c, loc.file ? loc.file : ""), loc.line, loc.column};
  }
  return true;
}

bool sar_compile_rows(Compile* c) {
  SarModel* m = &c->m;
  if (!sar_drop_rows(c) || !sort_terms(c)) return false;
  m->nconstraint = c->constraints.count;
  m->constraint = c->constraints.items;
  m->nrow = c->rows.count;
  m->row = c->rows.items;
  m->npair_dof = c->pair_dofs.count;
  m->pair_dof = c->pair_dofs.items;
  m->nidle = c->idle.count;
  m->idle = c->idle.items;
  m->nidle_row = c->idle_rows;
  m->ntrack = c->tracks.count;
  m->track = c->tracks.items;
  m->nroller = c->rollers.count;
  m->roller = c->rollers.items;
  note_gaps(m);
  return note_places(c) && count_turns(c) && fill_patterns(c) && find_paths(c);
}
