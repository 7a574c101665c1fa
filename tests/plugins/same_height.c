// Two points at the same height:   z . p2 - z . p1,   z of ground.
//
// A constraint as one file and one line, see tools/check-plugins.
#include "model/constraint_kind.h"

enum { FIRST, SECOND };

static void build(SarRowBuilder* r) {
  const SarEnd origin = {-1, v3_zero()};
  sar_builder_begin(r, 0);
  sar_builder_term(r, SAR_TERM_ALONG, origin, sar_builder_end(r, SECOND), 1)->x = v3(0, 0, 1);
  sar_builder_term(r, SAR_TERM_ALONG, origin, sar_builder_end(r, FIRST), -1)->x = v3(0, 0, 1);
}

const SarConstraintKind sar_constraint_same_height = {
    .name = "same_height",
    .doc = "keeps two points at the same height",
    .targets = 2,
    .attr = {{"first", SAR_ATTR_POINT, NULL, "one point", NULL},
             {"second", SAR_ATTR_POINT, NULL, "other point", NULL}},
    .nattr = 2,
    .example = "{same_height: [[a, [0.1, 0, 0]], [b, [0, 0.2, 0]]]}",
    .build = build,
};
