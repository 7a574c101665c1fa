// The memory that the methods of the index-1 family share.
#include "formulations/index1/index1.h"

enum { ALIGN = 64 };
static size_t padded(size_t bytes) { return (bytes + ALIGN - 1) / ALIGN * ALIGN; }

size_t sar_index1_work_size(int rows_n, int rows_m) {
  size_t n = (size_t)rows_n, m = (size_t)rows_m, bytes = 0;
  SarDenseWork dense;
  sar_dense_query(rows_n, rows_m, &dense);
#define X(type, name, entries, doc) bytes += padded((entries) * sizeof(type));
  SAR_INDEX1_ARRAYS(X)
#undef X
  return bytes + padded((size_t)dense.lwork * sizeof(double)) +
         padded((size_t)dense.liwork * sizeof(int));
}

void sar_index1_init(SarIndex1* p, int rows_n, int rows_m, void* work) {
  size_t n = (size_t)rows_n, m = (size_t)rows_m;
  unsigned char* next = work;
  *p = (SarIndex1){.n = rows_n, .m = rows_m, .tol = SAR_INDEX1_TOL, .max_iterations = 20};
#define X(type, name, entries, doc) \
  p->name = (type*)(void*)next, next += padded((entries) * sizeof(type));
  SAR_INDEX1_ARRAYS(X)
#undef X
  sar_dense_query(rows_n, rows_m, &p->dense);
  p->dense.work = (double*)(void*)next, next += padded((size_t)p->dense.lwork * sizeof(double));
  p->dense.iwork = (int*)(void*)next;
  sar_rows_init(&p->rows, rows_n, rows_m, p->rows_data, p->rows_ints);
  sar_rows_init(&p->outer, rows_n, rows_n, p->outer_data, p->outer_ints);
}
