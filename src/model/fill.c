// What a matrix of all coordinates costs (fill.h): instructions, measured by callgrind on nets.
#include "model/fill.h"

// of an envelope's row of w entries: w and w^2 of the factor, w of a solution and its row
static const double ENTRY = 26, PRODUCT = 1.6, SOLVED = 7.5, ROW = 20;

SarEnvelopeSize sar_envelope_size(const SarModel* m, bool forces) {
  size_t entries[2] = {0, 0};
  double squares[2] = {0, 0};
  for (int i = 0; i < m->nv; i++) {
    const SarReach* r = &m->reach[2 * i + forces];
    const size_t width[2] = {(size_t)(i - r->low + 1), (size_t)(r->high - i + 1)};
    for (int k = 0; k < 2; k++) {
      entries[k] += width[k];
      squares[k] += (double)width[k] * (double)width[k];
    }
  }
  const bool reversed = squares[1] < squares[0];
  const double cost = (ENTRY + SAR_SOLUTIONS * SOLVED) * (double)entries[reversed] +
                      PRODUCT * squares[reversed] + SAR_SOLUTIONS * ROW * m->nv;
  return (SarEnvelopeSize){entries[reversed], reversed, cost};
}

SarPanels sar_model_panels(const SarModel* m, bool forces) {
  const SarPanels p = {.n = m->nv,
                       .npanel = m->npanel,
                       .nrow = m->npanel_row,
                       .nupdate = m->npanel_update,
                       .nplace = m->npanel_place,
                       .entries = m->npanel_entry,
                       .panel = m->panel,
                       .row = m->panel_row,
                       .update = m->panel_update,
                       .place = m->panel_place};
  const bool cheaper = m->npanel > 0 && sar_panels_cost(&p) < sar_envelope_size(m, forces).cost;
  return cheaper ? p : (SarPanels){.n = m->nv};
}
