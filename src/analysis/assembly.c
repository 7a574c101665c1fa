// Assembly as one call (sarrus.h): consistent initial conditions, and what motion is left.
#include "base/alloc.h"
#include "base/error.h"
#include "base/sized.h"
#include "model/data.h"
#include "model/room.h"
#include "sim/assemble.h"

SAR_API SarStatus sar_assemble_sized(SarData* d, SarAssembly* out, size_t size, SarError* err) {
  SAR_GIVEN(d && out);
  const SarModel* m = d->m;
  const size_t rows = (size_t)m->nrow;
  SarFreedom freedom = {0};
  SarAssembly found = {0};
  SarStatus st;
  double* row_size = sar_take_for(m, rows * (sizeof *row_size + sizeof(int)) + 1,
                                  "counting the degrees of freedom", &st, err);
  if (!row_size) return st;
  int* row_order = (int*)(void*)(row_size + rows);
  st = sar_assemble_rows(m, d, &freedom, row_order, row_size, err);
  if (st == SAR_OK) {
    sar_redundant_text(m, row_order, &freedom, found.redundant, sizeof found.redundant);
    found.freedoms = m->nv - freedom.rank;
    found.equations = freedom.rows;
    found.independent = freedom.rank;
    found.singular = freedom.rank_here < freedom.rank;
    sar_give(out, size, &found, sizeof found);
  }
  sar_free(row_size);
  return st;
}
