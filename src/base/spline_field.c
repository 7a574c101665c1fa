// Smooth roads from heights over a grid (spline_field.h).
#include "base/spline_field.h"

#include "base/spline.h"

#include <math.h>

// Weights of (y0, y1, y0'', y1'') at x, and their first three derivatives.
typedef struct Weights {
  int at;  // the cell
  double w[4][4];
} Weights;

static void inside(double B, double h, double w[4][4]) {
  const double A = 1 - B;
  const double value[4] = {A, B, (A * A * A - A) * h * h / 6, (B * B * B - B) * h * h / 6};
  const double slope[4] = {-1 / h, 1 / h, -(3 * A * A - 1) * h / 6, (3 * B * B - 1) * h / 6};
  const double bend[4] = {0, 0, A, B}, third[4] = {0, 0, -1 / h, 1 / h};
  for (int i = 0; i < 4; i++)
    w[0][i] = value[i], w[1][i] = slope[i], w[2][i] = bend[i], w[3][i] = third[i];
}

static Weights weights_at(double first, double h, int n, double x) {
  const double s = (x - first) / h;
  Weights out = {.at = (int)fmin(fmax(floor(s), 0), n - 2)};
  const double B = s - out.at;
  if (B >= 0 && B <= 1) {
    inside(B, h, out.w);
    return out;
  }
  // straight on beyond an edge, where the spline is straight already
  const double edge = B < 0 ? 0 : 1;
  inside(edge, h, out.w);
  for (int i = 0; i < 4; i++) {
    out.w[0][i] += (B - edge) * h * out.w[1][i];
    out.w[2][i] = out.w[3][i] = 0;
  }
  return out;
}

// sum_ab w_a(x) w_b(y) F_ab for one derivative each; a, b: corner 0, 1, then second derivatives
// there
static double combine(const double* corner[2][2], const double* wx, const double* wy) {
  double sum = 0;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      const double* F = corner[j][i];
      sum += wx[i] * (wy[j] * F[SAR_FIELD_Z] + wy[2 + j] * F[SAR_FIELD_ZYY]) +
             wx[2 + i] * (wy[j] * F[SAR_FIELD_ZXX] + wy[2 + j] * F[SAR_FIELD_ZXXYY]);
    }
  return sum;
}

SarFieldPoint sar_field_at(const double* field, int nx, int ny, double x, double y) {
  const Weights wx = weights_at(field[SAR_FIELD_X], field[SAR_FIELD_DX], nx, x);
  const Weights wy = weights_at(field[SAR_FIELD_Y], field[SAR_FIELD_DY], ny, y);
  const double* point = field + SAR_FIELD_HEAD;
  const double* corner[2][2];
  for (int j = 0; j < 2; j++)
    for (int i = 0; i < 2; i++)
      corner[j][i] =
          &point[SAR_FIELD_POINT * ((size_t)(wy.at + j) * (size_t)nx + (size_t)(wx.at + i))];
  SarFieldPoint out = {{{0}}};
  for (int i = 0; i < 4; i++)
    for (int j = 0; i + j < 4; j++) out.d[i][j] = combine(corner, wx.w[i], wy.w[j]);
  return out;
}

// Second derivatives of the values `of` along a line of n points, into `into`.
static void bend_line(double* first, size_t stride, int n, double h, int of, int into,
                      double* work) {
  double *knot = work, *rest = work + (size_t)SPLINE_KNOT * (size_t)n;
  for (int i = 0; i < n; i++) {
    knot[SPLINE_KNOT * i + SPLINE_X] = h * i;
    knot[SPLINE_KNOT * i + SPLINE_Y] = first[(size_t)i * stride + (size_t)of];
  }
  sar_spline_bend(knot, n, rest);
  for (int i = 0; i < n; i++)
    first[(size_t)i * stride + (size_t)into] = knot[SPLINE_KNOT * i + SPLINE_BEND];
}

void sar_field_bend(double* field, int nx, int ny, double* work) {
  double* point = field + SAR_FIELD_HEAD;
  const size_t along_x = SAR_FIELD_POINT, along_y = along_x * (size_t)nx;
  for (int j = 0; j < ny; j++)
    bend_line(point + (size_t)j * along_y, along_x, nx, field[SAR_FIELD_DX], SAR_FIELD_Z,
              SAR_FIELD_ZXX, work);
  for (int i = 0; i < nx; i++) {
    double* column = point + (size_t)i * along_x;
    bend_line(column, along_y, ny, field[SAR_FIELD_DY], SAR_FIELD_Z, SAR_FIELD_ZYY, work);
    bend_line(column, along_y, ny, field[SAR_FIELD_DY], SAR_FIELD_ZXX, SAR_FIELD_ZXXYY, work);
  }
}
