// Linear (Stokes) drag on a point of a body:  f = -c v,  P = -c v^2, all of it in the work account.
//
// A force as one file and one line, see tools/check-plugins.
#include "elements/forces/tangent.h"
#include "elements/forces/varied.h"

enum { POINT, COEFFICIENT };

static void apply(const SarModel* m, SarData* d, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const V3 p_B = v3_load(&m->attr_data[a[POINT].adr]);
  const V3 v = point_velocity(d, a[POINT].index, p_B);
  const V3 f = v3_scale(-m->attr_data[a[COEFFICIENT].adr], v);
  add_force_at(d, a[POINT].index, p_B, f);
  d->force_power[force] = v3_dot(f, v);
  set_outputs(m, d, force, (double[]){f.x, f.y, f.z});
}

// the same in dual numbers
static void vary(const SarModel* m, SarData* d, SarVariation* x, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const VariedBody b = varied_body(d, x, a[POINT].index);
  const D3 p = varied_point(&b, v3_load(&m->attr_data[a[POINT].adr]));
  const D3 f = d3_scale(dual_of(-m->attr_data[a[COEFFICIENT].adr]), varied_velocity(&b, p));
  vary_force_at(x, a[POINT].index, &b, p, f);
  vary_outputs(m, x, force, (Dual[]){d3_x(f), d3_y(f), d3_z(f)});
}

// C = c 1 on the motion of the point
static void tangent(const SarModel* m, SarData* d, int force, SarBodyTangent* out) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  out->p = x_point(body_pose(d, a[POINT].index), v3_load(&m->attr_data[a[POINT].adr]));
  for (int i = 0; i < 3; i++)
    tangent_add(out->C, m->attr_data[a[COEFFICIENT].adr], v3_zero(), v3(i == 0, i == 1, i == 2));
}

const SarForceKind sar_force_stokes = {
    .name = "stokes",
    .doc = "linear drag on a point of a body",
    .ref = "",
    .targets = 1,
    .attr = {{"point", SAR_ATTR_POINT, NULL, "where it acts", NULL},
             {"coefficient", SAR_ATTR_NUMBER, NULL, "[N s/m]", NULL}},
    .nattr = 2,
    .example = "{stokes: [a, [0.1, 0.2, 0]], coefficient: 0.3}",
    .output = {"fx", "fy", "fz"},  // [N], ground axes
    .noutput = 3,
    .apply = apply,
    .vary = vary,
    .tangent = tangent,
};
