// A point on a cylinder over a plane curve that is fixed in another body:  y . d = g(x . d),  d
// from the curve's origin. Together with on_plane the point runs on the curve itself.
//
// g is an expression of x, or the natural cubic spline through the rows of a table: in both cases
// Phi'' is continuous. A curve that turns back cannot be written so; cut it where it is steep.
#include "model/constraint_kind.h"

enum { POINT, ORIGIN, AXIS, AXIS2, CURVE, TABLE, IN };

static void build(SarRowBuilder* r) {
  SarEnd point = sar_builder_end(r, POINT), origin = sar_builder_end(r, ORIGIN);
  bool curve = sar_builder_attr(r, CURVE)->given, table = sar_builder_attr(r, TABLE)->given;
  if (curve == table) {
    sar_builder_complain(r, curve ? TABLE : -1, "as in curve: 0.1*x^2",
                         curve ? "give 'curve' or 'table', not both" : "needs 'curve' or 'table'");
    return;
  }
  V3 x = sar_builder_direction(r, AXIS, IN, origin.body);
  V3 y = sar_builder_direction(r, AXIS2, IN, origin.body);
  y = v3_axpy(-v3_dot(x, y), x, y);
  if (v3_norm(y) < 1e-9) {
    sar_builder_complain(r, AXIS2, "give the direction of y", "'axis' and 'axis2' are parallel");
    return;
  }
  sar_builder_begin(r, 0);
  SarTerm* t = sar_builder_term(r, SAR_TERM_CURVE, origin, point, 1);
  t->x = x;
  t->y = v3_unit(y);
  t->track = sar_builder_track(r, curve ? CURVE : TABLE);
}

const SarConstraintKind sar_constraint_on_curve = {
    .name = "on_curve",
    .doc = "keeps a point on a curve y = g(x) fixed in another body",
    .targets = 2,
    .attr = {{"point", SAR_ATTR_POINT, NULL, "point that runs on the curve", NULL},
             {"origin", SAR_ATTR_POINT, NULL, "where x = y = 0, on the body that has the curve",
              NULL},
             {"axis", SAR_ATTR_DIRECTION, NULL, "direction of x at the design position", NULL},
             {"axis2", SAR_ATTR_DIRECTION, NULL, "direction of y, made perpendicular to x", NULL},
             {"curve", SAR_ATTR_CURVE, "", "y [m] as an expression of x [m]", NULL},
             {"table", SAR_ATTR_TABLE, "", "[[x, y], ...] [m, m] with rising x, joined by a spline",
              NULL},
             {"in", SAR_ATTR_BODY, "ground", "body whose frame the axes are given in", NULL}},
    .nattr = 7,
    .example =
        "{on_curve: [[a, [0, 0.1, 0]], [b, [0.2, 0, 0]]], axis: x, axis2: y, curve: 0.3*sin(2*x)}",
    .local = {"x"},
    .build = build,
};
