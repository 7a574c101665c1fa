// The memory that the methods of the index-1 family share.
#include "formulations/index1/index1.h"

#include "base/block.h"

static void lay_out(SarIndex1* p, size_t n, size_t m, SarBlock* b) {
#define X(type, name, entries, doc) SAR_PIECE(b, p->name, entries);
  SAR_INDEX1_ARRAYS(X)
#undef X
  sar_dense_query((int)n, (int)m, &p->dense);
  SAR_PIECE(b, p->dense.work, p->dense.lwork);
  SAR_PIECE(b, p->dense.iwork, p->dense.liwork);
}

size_t sar_index1_work_size(int n, int m) {
  SarIndex1 p;
  SarBlock b = sar_block(NULL, 0);
  lay_out(&p, (size_t)n, (size_t)m, &b);
  return b.used;
}

void sar_index1_init(SarIndex1* p, int n, int m, void* work) {
  SarBlock b = sar_block(work, 0);
  *p = (SarIndex1){.n = n, .m = m, .tol = SAR_INDEX1_TOL, .max_iterations = 20};
  lay_out(p, (size_t)n, (size_t)m, &b);
  sar_rows_init(&p->rows, n, m, p->rows_data, p->rows_ints);
  sar_rows_init(&p->outer, n, n, p->outer_data, p->outer_ints);
}
