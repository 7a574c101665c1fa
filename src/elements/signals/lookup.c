// Lookup in two dimensions: bilinear interpolation over a grid, constant beyond its ends.
//
//   f(x, y) = sum over rows i of hat_i(y) r_i(x)
//
// r_i interpolates row i along x, hat_i is 1 at y_i and 0 at its neighbours; both are tables of the
// expression language, with their kinks.
#include "elements/signals/build.h"

enum { INPUTS, X, Y, VALUES };

static bool sizes_are_right(SarSignalBuild* b) {
  const int nx = signal_count(b, X), ny = signal_count(b, Y);
  if (signal_count(b, INPUTS) != 2) {
    signal_wrong(b, INPUTS, "as in lookup2: [alpha, mach]", "needs two inputs, found %d",
                 signal_count(b, INPUTS));
    return false;
  }
  if (nx < 2 || ny < 2) {
    signal_wrong(b, nx < 2 ? X : Y, "", "a grid has at least two points each way");
    return false;
  }
  const int columns = b->s->value[VALUES].columns;
  if (columns == nx && signal_count(b, VALUES) == nx * ny) return true;
  signal_wrong(b, VALUES, "a row for each y, with a number for each x",
               "values has %d rows of %d numbers, expected %d of %d",
               signal_count(b, VALUES) / columns, columns, ny, nx);
  return false;
}

static void add_hat(SignalRule* r, int i, int ny) {
  rule_add(r, "table(lookup2_2");
  for (int k = i - 1; k <= i + 1; k++)
    if (k >= 0 && k < ny) rule_add(r, ", y_%d, %d", k + 1, k == i);
  rule_add(r, ")");
}

static void build_lookup2(SarSignalBuild* b) {
  for (int key = INPUTS; key <= VALUES; key++)
    if (!signal_given(b, key)) return;
  if (!sizes_are_right(b)) return;
  const int nx = signal_count(b, X), ny = signal_count(b, Y);
  SignalRule f = {.b = b};
  for (int i = 0; i < ny; i++) {
    if (i > 0) rule_add(&f, " + ");
    add_hat(&f, i, ny);
    rule_add(&f, "*table(lookup2_1");
    for (int j = 0; j < nx; j++) rule_add(&f, ", x_%d, values_%d", j + 1, i * nx + j + 1);
    rule_add(&f, ")");
  }
  signal_value(b, rule_text(&f));
}

const SarSignalKind sar_signal_lookup2 = {
    .name = "lookup2",
    .doc = "table of two inputs, bilinear between its points, constant beyond",
    .key = {{"lookup2", SAR_SIGNAL_LIST, NULL, false, "the two inputs [x, y]"},
            {"x", SAR_SIGNAL_LIST, NULL, false, "grid of the first, rising"},
            {"y", SAR_SIGNAL_LIST, NULL, false, "grid of the second, rising"},
            {"values", SAR_SIGNAL_ROWS, NULL, false, "a row for each y, with a number for each x"}},
    .nkey = 4,
    .example = "{lookup2: [sin(3*t), t], x: [-1, 0, 1], y: [0, 1], values: [[1, 0, 2], [3, 1, 0]]}",
    .build = build_lookup2,
};
