// Cholesky by panels (panels.h), right-looking: a panel is factored, then taken off those it
// changes.
//
// Panels stand column by column, so four rows and two columns at a time are sums over the panel's
// width, kept in registers, and go where the analysis says.
#include "linalg/panels.h"

#include "linalg/lanes.h"

#include <math.h>

// sum_k B_ik b_k and B_ik c_k of four rows i; columns and the entries of b and c are `lead` apart.
static inline void pair_sums(int width, size_t lead, const double* B, const double* b,
                             const double* c, SarLanes sum[4]) {
  SarLanes s0 = {0, 0}, s1 = s0, t0 = s0, t1 = s0;
  for (int k = 0; k < width; k++) {
    const SarLanes f = {*b, *b}, g = {*c, *c}, x = sar_lanes(B), y = sar_lanes(B + 2);
    s0 += f * x, s1 += f * y;
    t0 += g * x, t1 += g * y;
    B += lead, b += lead, c += lead;
  }
  sum[0] = s0, sum[1] = s1, sum[2] = t0, sum[3] = t1;
}

static inline double row_sum(int width, size_t lead, const double* B, const double* b) {
  double sum = 0;
  for (int k = 0; k < width; k++) sum += B[(size_t)k * lead] * b[(size_t)k * lead];
  return sum;
}

// ---- factor -------------------------------------------------------------------------------------

// Columns `width` and the next one of a panel, from their diagonal on: what those before take off.
static void take_off_own(int rows, int width, size_t lead, const double* B, double* to,
                         double* next) {
  int i = 0;
  for (; i + 3 < rows; i += 4) {
    SarLanes sum[4];
    pair_sums(width, lead, B + i, B, B + 1, sum);
    for (int k = 0; k < 2; k++) {
      sar_lanes_store(to + i + 2 * k, sar_lanes(to + i + 2 * k) - sum[k]);
      sar_lanes_store(next + i + 2 * k, sar_lanes(next + i + 2 * k) - sum[2 + k]);
    }
  }
  for (; i < rows; i++) {
    to[i] -= row_sum(width, lead, B + i, B);
    next[i] -= row_sum(width, lead, B + i, B + 1);
  }
}

static void take_off_last(int rows, int width, size_t lead, const double* B, double* to) {
  for (int i = 0; i < rows; i++) to[i] -= row_sum(width, lead, B + i, B);
}

// 1 / L_ii; 0: no positive pivot
static double divide(int rows, double* column) {
  if (!(*column > 0)) return 0;
  const double inverse = 1 / sqrt(*column);
  for (int i = 0; i < rows; i++) column[i] *= inverse;
  return inverse;
}

static bool factor_panel(const SarPanel* s, double* value, double* inverse) {
  const int height = s->width + s->rows;
  const size_t lead = (size_t)height;
  for (int k = 0; k < s->width; k += 2) {
    double* column = value + (size_t)k * lead + k;
    const double* before = value + k;
    const int rows = height - k;
    if (k + 1 == s->width) {
      take_off_last(rows, k, lead, before, column);
      if ((inverse[k] = divide(rows, column)) == 0) return false;
      return true;
    }
    double* next = column + lead;  // from the row above its diagonal on
    if (k > 0) take_off_own(rows, k, lead, before, column, next);
    if ((inverse[k] = divide(rows, column)) == 0) return false;
    sar_add_scaled(rows - 1, -column[1], column + 1, next + 1);
    if ((inverse[k + 1] = divide(rows - 1, next + 1)) == 0) return false;
  }
  return true;
}

// Two columns of another panel; that of the second row above its diagonal is scratch.
static void scatter_pair(int rows, int width, size_t lead, const double* B, const int* place,
                         double* to, double* next) {
  int i = 0;
  for (; i + 3 < rows; i += 4) {
    SarLanes sum[4];
    pair_sums(width, lead, B + i, B, B + 1, sum);
    for (int k = 0; k < 4; k++) {
      to[place[i + k]] -= sum[k / 2][k % 2];
      next[place[i + k]] -= sum[2 + k / 2][k % 2];
    }
  }
  for (; i < rows; i++) {
    to[place[i]] -= row_sum(width, lead, B + i, B);
    next[place[i]] -= row_sum(width, lead, B + i, B + 1);
  }
}

static void scatter_last(int rows, int width, size_t lead, const double* B, const int* place,
                         double* to) {
  for (int i = 0; i < rows; i++) to[place[i]] -= row_sum(width, lead, B + i, B);
}

static void update(const SarPanels* p, const SarPanel* s, const SarPanelUpdate* u, double* value) {
  const SarPanel* t = &p->panel[u->panel];
  const size_t lead = (size_t)(s->width + s->rows), height = (size_t)(t->width + t->rows);
  const double* B = value + s->adr + s->width + u->from;
  const int *place = p->place + u->place, all = s->rows - u->from;
  for (int j = 0; j < u->count; j += 2) {
    double* to = value + t->adr + (size_t)place[j] * height;
    if (j + 1 == u->count) {
      scatter_last(all - j, s->width, lead, B + j, place + j, to);
      return;
    }
    double* next = value + t->adr + (size_t)place[j + 1] * height;
    scatter_pair(all - j, s->width, lead, B + j, place + j, to, next);
  }
}

bool sar_panels_factor(const SarPanels* p, double* value, double* inverse) {
  for (int i = 0; i < p->npanel; i++) {
    const SarPanel* s = &p->panel[i];
    if (!factor_panel(s, value + s->adr, inverse + s->first)) return false;
    for (int k = s->update; k < s->update + s->updates; k++) update(p, s, &p->update[k], value);
  }
  return true;
}

// ---- solve --------------------------------------------------------------------------------------

// x_row -= B own: four rows at a time are sums over the panel's width.
static void take_off_rows(int rows, int width, size_t lead, const double* B, const int* row,
                          const double* own, double* x) {
  int i = 0;
  for (; i + 3 < rows; i += 4) {
    const double* b = B + i;
    SarLanes s = {0, 0}, t = s;
    for (int k = 0; k < width; k++) {
      const SarLanes f = {own[k], own[k]};
      s += f * sar_lanes(b), t += f * sar_lanes(b + 2);
      b += lead;
    }
    x[row[i]] -= s[0], x[row[i + 1]] -= s[1];
    x[row[i + 2]] -= t[0], x[row[i + 3]] -= t[1];
  }
  for (; i < rows; i++) {
    double sum = 0;
    for (int k = 0; k < width; k++) sum += B[i + (size_t)k * lead] * own[k];
    x[row[i]] -= sum;
  }
}

static void forward(const SarPanels* p, const SarPanel* s, const double* value,
                    const double* inverse, double* x) {
  const size_t lead = (size_t)(s->width + s->rows);
  double* own = x + s->first;
  for (int k = 0; k < s->width; k++) {
    const double* column = value + s->adr + (size_t)k * lead;
    own[k] *= inverse[s->first + k];
    sar_add_scaled(s->width - k - 1, -own[k], column + k + 1, own + k + 1);
  }
  take_off_rows(s->rows, s->width, lead, value + s->adr + s->width, p->row + s->row, own, x);
}

static void backward(const SarPanels* p, const SarPanel* s, const double* value,
                     const double* inverse, double* work, double* x) {
  const size_t lead = (size_t)(s->width + s->rows);
  double* own = x + s->first;
  const int* row = p->row + s->row;
  for (int i = 0; i < s->rows; i++) work[i] = x[row[i]];
  for (int k = s->width - 1; k >= 0; k--) {
    const double* column = value + s->adr + (size_t)k * lead;
    const double below = sar_dot(s->rows, column + s->width, work);
    const double beside = sar_dot(s->width - k - 1, column + k + 1, own + k + 1);
    own[k] = (own[k] - below - beside) * inverse[s->first + k];
  }
}

void sar_panels_solve(const SarPanels* p, const double* value, const double* inverse, double* work,
                      double* x) {
  for (int i = 0; i < p->npanel; i++) forward(p, &p->panel[i], value, inverse, x);
  for (int i = p->npanel - 1; i >= 0; i--) backward(p, &p->panel[i], value, inverse, work, x);
}

void sar_panels_multiply(const SarPanels* p, const double* value, const double* x, double* y) {
  for (int j = 0; j < p->npanel; j++) {
    const SarPanel* s = &p->panel[j];
    const size_t lead = (size_t)(s->width + s->rows);
    for (int k = 0; k < s->width; k++) {
      const double* column = value + s->adr + (size_t)k * lead;
      const int own = s->first + k;
      y[own] += column[k] * x[own];
      for (int i = k + 1; i < s->width + s->rows; i++) {
        const int row = i < s->width ? s->first + i : p->row[s->row + i - s->width];
        y[row] += column[i] * x[own];
        y[own] += column[i] * x[row];
      }
    }
  }
}
