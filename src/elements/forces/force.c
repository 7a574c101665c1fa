// Force on a point of a body.   P = f . v_point, all of it in the work account.
#include "elements/forces/varied.h"
#include "elements/forces/tangent.h"

enum { POINT, VALUE, FRAME };
enum { FRAME_GROUND, FRAME_BODY };

static void apply(const SarModel* m, SarData* d, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  int body = a[POINT].index;
  V3 p_B = v3_load(&m->attr_data[a[POINT].adr]), f = attr_vector(m, d, &a[VALUE]);
  // `body` means the axes of the file's body frame U, which turn with the body
  if (a[FRAME].index == FRAME_BODY) f = from_file_axes(m, d, &a[POINT], f);
  add_force_at(d, body, p_B, f);
  d->force_power[force] = v3_dot(f, point_velocity(d, body, p_B));
  set_outputs(m, d, force, (double[]){f.x, f.y, f.z});
}

static void vary(const SarModel* m, SarData* d, SarVariation* x, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const VariedBody b = varied_body(d, x, a[POINT].index);
  D3 f = varied_vector(m, d, x, &a[VALUE]);
  if (a[FRAME].index == FRAME_BODY)
    f = d3_turn(m3_mul(b.R, sar_holder_X_BU(m, a[POINT].holder).R), b.turn, f);
  vary_force_at(x, a[POINT].index, &b, varied_point(&b, v3_load(&m->attr_data[a[POINT].adr])), f);
  vary_outputs(m, x, force, (Dual[]){d3_x(f), d3_y(f), d3_z(f)});
}

// What the value makes of the position and speed of points of its own body, about the point of
// attack. Left out: that a value in body axes turns with the body.
static void tangent(const SarModel* m, SarData* d, int force, SarBodyTangent* out) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const int body = a[POINT].index;
  out->p = x_point(body_pose(d, body), v3_load(&m->attr_data[a[POINT].adr]));
  for (int i = 0; i < 3; i++) {
    V3 axis = v3(i == 0, i == 1, i == 2);
    if (a[FRAME].index == FRAME_BODY) axis = from_file_axes(m, d, &a[POINT], axis);
    tangent_add_partials(m, d, a[VALUE].index + i, body, v3_zero(), axis, out);
  }
  tangent_make_semidefinite(out);
}

// (Values that follow the motion of a knot cannot be written.)
static bool on_knot(const SarModel* m, int force, int attr) {
  (void)m, (void)force;
  return attr == POINT;
}

static void look(const SarModel* m, int force, SarForceLook* out) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  out->body[0] = a[POINT].index;
  out->point[0] = v3_load(&m->attr_data[a[POINT].adr]);
  out->arrow = 0;
}

const SarForceKind sar_force_force = {
    .name = "force",
    .doc = "force on a point of a body",
    .ref = "",
    .targets = 1,
    .attr = {{"point", SAR_ATTR_POINT, NULL, "where it acts", NULL},
             {"value", SAR_ATTR_VECTOR, NULL, "force [N], may vary in time", NULL},
             {"frame", SAR_ATTR_CHOICE, "ground", "axes of value", "ground body"}},
    .nattr = 3,
    .example = "{force: [a, [0.1, 0.2, 0]], value: [2*sin(t), 1, cos(3*t)], frame: body}",
    .output = {"fx", "fy", "fz"},  // [N], ground axes
    .noutput = 3,
    .apply = apply,
    .vary = vary,
    .tangent = tangent,
    .controlled = true,
    .on_knot = on_knot,
    .look = look,
};
