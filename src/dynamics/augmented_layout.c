// Where the entries of G = M + Psi' w Psi go (augmented.h), found once.
//
// Order of the coordinates: that of the tree or the reverse, whichever has the smaller envelope.
// The first suits chains of loops side by side, the second legs that meet in a platform. In
// networks of loops both fill in, and the compiler has found an order of small fill (model/fill.h).
// Cost of a factor: O(n b^2), b the width of the envelope: linear for chains.
#include "dynamics/augmented.h"
#include "dynamics/mass.h"
#include "model/fill.h"

static size_t row_products(const SarModel* m) {
  size_t products = 0;
  for (int i = 0; i < m->nrow; i++)
    products += sar_block_entries(m->row_adr[i + 1] - m->row_adr[i]);
  return products;
}

// Entries of all blocks of tangents, and of the largest.
static size_t force_entries(const SarModel* m, size_t* largest) {
  size_t entries = 0;
  *largest = 0;
  for (int k = 0; k < m->ntangent; k++) {
    const size_t n = sar_block_entries(m->tangent[k].num);
    entries += n;
    *largest = n > *largest ? n : *largest;
  }
  return entries;
}

// Of the envelope or the panels.
static void lay_out_matrix(SarAugmented* p, const SarModel* m, SarBlock* b) {
  const bool by_panels = p->panels.npanel > 0;
  const int n = m->nv, rows = by_panels ? 0 : n;
  SAR_PIECE(b, p->value, p->values);
  SAR_PIECE(b, p->inverse, n);
  SAR_PIECE(b, p->G.adr, rows);
  SAR_PIECE(b, p->G.first, rows);
  SAR_PIECE(b, p->work, by_panels ? n : 0);
  p->G.n = n;
  p->G.value = p->value;
  p->G.inverse = p->inverse;
}

static void lay_out(SarAugmented* p, const SarModel* m, bool forces, SarBlock* b) {
  size_t largest;
  const size_t tangents = force_entries(m, &largest);
  p->force_place = NULL;
  p->block = NULL;
  lay_out_matrix(p, m, b);
  SAR_PIECE(b, p->place, m->nv);
  SAR_PIECE(b, p->diagonal, m->nv);
  SAR_PIECE(b, p->mass, sar_mass_entries(m));
  SAR_PIECE(b, p->mass_place, sar_mass_entries(m));
  SAR_PIECE(b, p->row_place, row_products(m));
  if (forces) {
    SAR_PIECE(b, p->force_place, tangents);
    SAR_PIECE(b, p->block, largest);
  }
  SAR_PIECE(b, p->inertia, m->nv);
  SAR_PIECE(b, p->keep, m->nrow);
  SAR_PIECE(b, p->weight, m->nrow);
  SAR_PIECE(b, p->scaled, m->nrow_dof);
  SAR_PIECE(b, p->x, m->nv);
  SAR_PIECE(b, p->r, m->nv);
  SAR_PIECE(b, p->c, m->nrow);
  SAR_PIECE(b, p->e, m->nrow);
}

static int entry(const SarAugmented* p, int i, int j) {
  const int a = p->place[i], b = p->place[j], row = a > b ? a : b, column = a > b ? b : a;
  if (p->panels.npanel > 0) return sar_panels_entry(&p->panels, row, column);
  return (int)p->G.adr[row] + column;
}

static void place_rows(SarAugmented* p, const SarModel* m, bool forces, bool reversed) {
  const int last = m->nv - 1;
  for (int i = 0; i < m->nv; i++) {
    const SarReach* r = &m->reach[2 * i + forces];
    p->place[i] = reversed ? last - i : i;
    p->G.first[p->place[i]] = reversed ? last - r->high : r->low;
  }
  size_t before = 0;
  for (int i = 0; i < m->nv; i++) {
    p->G.adr[i] = before - (size_t)p->G.first[i];
    before += (size_t)(i - p->G.first[i] + 1);
  }
}

static void place_entries(SarAugmented* p, const SarModel* m, bool forces) {
  int* to = p->mass_place;
  for (int i = 0; i < m->nv; i++) {
    p->diagonal[i] = entry(p, i, i);
    for (int k = i; k >= 0; k = m->dof_parent[k]) *to++ = entry(p, i, k);
  }
  to = p->row_place;
  for (int row = 0; row < m->nrow; row++)
    for (int a = m->row_adr[row]; a < m->row_adr[row + 1]; a++)
      for (int b = m->row_adr[row]; b <= a; b++) *to++ = entry(p, m->row_dof[a], m->row_dof[b]);
  to = p->force_place;
  for (int k = 0; forces && k < m->ntangent; k++) {
    const int* dof = &m->tangent_dof[m->tangent[k].adr];
    for (int a = 0; a < m->tangent[k].num; a++)
      for (int b = 0; b <= a; b++) *to++ = entry(p, dof[a], dof[b]);
  }
}

void sar_augmented_init(SarAugmented* p, const SarModel* m, bool forces, const int* row_order,
                        int rank, SarBlock* block) {
  const SarEnvelopeSize e = sar_envelope_size(m, forces);
  p->panels = sar_model_panels(m, forces);
  p->values = p->panels.npanel > 0 ? (size_t)p->panels.entries : e.entries;
  lay_out(p, m, forces, block);
  if (!block->memory) return;
  if (p->panels.npanel > 0)
    for (int i = 0; i < m->nv; i++) p->place[i] = m->fill_place[i];
  else
    place_rows(p, m, forces, e.reversed);
  place_entries(p, m, forces);
  sar_augmented_keep(p, m, row_order, rank);
}

void sar_augmented_keep(SarAugmented* p, const SarModel* m, const int* row_order, int rank) {
  for (int k = 0; k < m->nrow; k++) p->keep[row_order[k]] = k < rank;
}
