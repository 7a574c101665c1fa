// Heights over a grid as a smooth road: the natural bicubic spline through the points (tensor
// product of natural cubic splines, twice continuously differentiable; straight on beyond the
// edges).
//
//   z(x, y) = sum_ab w_a(x) w_b(y) F_ab        over the corners of a cell
//   w = (A, B, (A^3 - A) h^2/6, (B^3 - B) h^2/6),   A = 1 - B,  B = (x - x_i) / h
//   F: z, z_xx, z_yy, z_xxyy at the corners
//
// Contact takes the same points with straight triangles between them; a wheel that rolls needs a
// surface without edges, which lies O(h^2) from those.
// Source: de Boor, A Practical Guide to Splines (1978), ch. IV and XVII.
#pragma once
#include <stddef.h>

// In attr_data: x, y of the first point, spacing along both, then four numbers F a point, x first.
enum { SAR_FIELD_X, SAR_FIELD_Y, SAR_FIELD_DX, SAR_FIELD_DY, SAR_FIELD_HEAD };
enum { SAR_FIELD_Z, SAR_FIELD_ZXX, SAR_FIELD_ZYY, SAR_FIELD_ZXXYY, SAR_FIELD_POINT };

// d[i][j]: derivative i times by x, j times by y, i + j <= 3.
typedef struct SarFieldPoint {
  double d[4][4];
} SarFieldPoint;

// field: in attr_data; nx, ny: points. Cost: O(1).
SarFieldPoint sar_field_at(const double* field, int nx, int ny, double x, double y);
// Fills z_xx, z_yy and z_xxyy of a field whose head and z are set; work: 4 doubles for the longer
// side.
void sar_field_bend(double* field, int nx, int ny, double* work);
