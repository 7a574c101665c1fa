// Torque on a body.   P = n . w, all of it in the work account.
#include "elements/forces/varied.h"
#include "elements/forces/tangent.h"

enum { BODY, VALUE, FRAME };
enum { FRAME_GROUND, FRAME_BODY };

static void apply(const SarModel* m, SarData* d, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  int body = a[BODY].index;
  V3 n = attr_vector(m, d, &a[VALUE]);
  // `body` means the axes of the file's body frame U, which turn with the body
  if (a[FRAME].index == FRAME_BODY) n = from_file_axes(m, d, &a[BODY], n);
  add_torque(d, body, n);
  d->force_power[force] = v3_dot(n, body_omega(d, body));
  set_outputs(m, d, force, (double[]){n.x, n.y, n.z});
}

static void vary(const SarModel* m, SarData* d, SarVariation* x, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const VariedBody b = varied_body(d, x, a[BODY].index);
  D3 n = varied_vector(m, d, x, &a[VALUE]);
  if (a[FRAME].index == FRAME_BODY)
    n = d3_turn(m3_mul(b.R, sar_holder_X_BU(m, a[BODY].holder).R), b.turn, n);
  vary_torque(x, a[BODY].index, &b, n);
  vary_outputs(m, x, force, (Dual[]){d3_x(n), d3_y(n), d3_z(n)});
}

// What the value makes of the motion of its own body. Left out: that a value in body axes turns
// with it.
static void tangent(const SarModel* m, SarData* d, int force, SarBodyTangent* out) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const int body = a[BODY].index;
  out->p = body_pose(d, body).p;
  for (int i = 0; i < 3; i++) {
    V3 axis = v3(i == 0, i == 1, i == 2);
    if (a[FRAME].index == FRAME_BODY) axis = from_file_axes(m, d, &a[BODY], axis);
    tangent_add_partials(m, d, a[VALUE].index + i, body, axis, v3_zero(), out);
  }
  tangent_make_semidefinite(out);
}

// An arrow that turns, at the origin of the body's frame: outputs that begin with tx are a moment.
static void look(const SarModel* m, int force, SarForceLook* out) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  out->body[0] = a[BODY].index;
  out->point[0] = sar_holder_X_BU(m, a[BODY].holder).p;
  out->arrow = 0;
}

const SarForceKind sar_force_torque = {
    .name = "torque",
    .doc = "torque on a body",
    .ref = "",
    .targets = 1,
    .attr = {{"body", SAR_ATTR_BODY, NULL, "what it turns", NULL},
             {"value", SAR_ATTR_VECTOR, NULL, "torque [N m], may vary in time", NULL},
             {"frame", SAR_ATTR_CHOICE, "ground", "axes of value", "ground body"}},
    .nattr = 3,
    .example = "{torque: a, value: [0.5, 0.3*sin(2*t), -0.2]}",
    .output = {"tx", "ty", "tz"},  // [N m], ground axes
    .noutput = 3,
    .apply = apply,
    .vary = vary,
    .tangent = tangent,
    .look = look,
    .controlled = true,
};
