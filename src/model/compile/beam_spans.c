// What varies along the span of a beam: constants and tables, linear between their rows. Two rows
// with the same s are a jump.
#include "model/compile/parts.h"

#include <math.h>

static bool rises(Compile* c, const BeamPart* b, const SpecSpan* span, const char* key,
                  const double* value) {
  const int width = span->columns + 1;
  for (int i = 1; i < span->rows; i++) {
    const double before = value[(i - 1) * width], s = value[i * width];
    const bool twice = i > 1 && s == before && before == value[(i - 2) * width];
    if (s >= before && !twice) continue;
    sar_complain(c, b->item, span->numbers[i * width].loc,
                 "order the rows by s; two with the same s are a jump",
                 "%s: s must rise from row to row, but %g follows %g", key, s, before);
    return false;
  }
  return true;
}

static bool reaches(Compile* c, const BeamPart* b, const SpecSpan* span, const char* key,
                    const double* value) {
  const int width = span->columns + 1;
  const double first = value[0], last = value[(span->rows - 1) * width];
  const double slack = 1e-9 * b->length;
  if (first <= slack && last >= b->length - slack) return true;
  sar_complain(c, b->item, span->loc, "the first row has s = 0, the last the length",
               "%s: the table reaches from %g to %g, the beam from 0 to %g m", key, first, last,
               b->length);
  return false;
}

bool sar_beam_span(Compile* c, const BeamPart* b, const SpecSpan* span, const char* key,
                   BeamSpan* out) {
  *out = (BeamSpan){0};
  if (!span->numbers) return true;
  const int width = span->columns + span->table;
  double* value = SAR_ARENA_ARRAY(&c->arena, double, span->rows* width);
  if (!value) return false;
  bool wrong = false;
  for (int i = 0; i < span->rows * width; i++) {
    value[i] = sar_number(c, span->numbers[i], b->item, key, ANY_FINITE, WRONG);
    if (isnan(value[i])) wrong = true;
  }
  if (wrong) return false;
  if (span->table && (!rises(c, b, span, key, value) || !reaches(c, b, span, key, value)))
    return false;
  *out = (BeamSpan){span->rows, span->columns, span->table, value};
  return true;
}

void sar_span_at(const BeamSpan* span, double s, double beside, double* out) {
  const int n = span->columns, width = n + 1;
  if (!span->table) {
    for (int k = 0; k < n; k++) out[k] = span->value[k];
    return;
  }
  int i = 0;  // the interval that holds `beside`
  while (i < span->rows - 2 && span->value[(i + 1) * width] <= beside) i++;
  const double *a = &span->value[i * width], *b = a + width;
  const double u = b[0] > a[0] ? (s - a[0]) / (b[0] - a[0]) : 0;
  for (int k = 0; k < n; k++) out[k] = a[1 + k] + u * (b[1 + k] - a[1 + k]);
}

void sar_beam_pieces(const BeamSpan* const* spans, int count, double a, double b, BeamPiece* visit,
                     void* context) {
  const double shortest = 1e-9 * (b - a);
  double from = a;
  while (from < b) {
    double to = b;
    for (int k = 0; k < count; k++)
      for (int i = 0; spans[k]->table && i < spans[k]->rows; i++) {
        const double s = spans[k]->value[i * (spans[k]->columns + 1)];
        if (s > from + shortest && s < to) to = s;
      }
    if (b - to < shortest) to = b;
    visit(context, from, to);
    from = to;
  }
}

void sar_beam_section(const BeamPart* b, double s, double beside, double K[36]) {
  static const int PLACE[6] = {3, 4, 5, 0, 1, 2};  // the file has forces before moments
  double value[36];
  sar_span_at(&b->stiffness, s, beside, value);
  for (int i = 0; i < 36; i++) K[i] = 0;
  for (int i = 0; i < 6; i++) {
    if (b->stiffness.columns == 6) K[7 * PLACE[i]] = value[i];
    for (int j = 0; b->stiffness.columns == 36 && j < 6; j++)
      K[6 * PLACE[i] + PLACE[j]] = value[6 * i + j];
  }
}
