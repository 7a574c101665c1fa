// Drag of a body in the air: fuselages, struts, wheels, loads.
//
//   F_k = -1/2 rho |v| S_k v_k       v: velocity of the point against the air, k along the axes of
//                                    the body frame
//
// S_k are drag areas (drag coefficient times area) for flow along each axis. The force is smooth,
// and acts at the point. Tangent: -dF/dv = 1/2 rho |v| (S + S v v'/v^2), of which the symmetric
// part in each axis is taken: 1/2 rho (|v| S_k + S_k v_k^2/|v|) along axis k; left out are
// couplings between axes.
#include "elements/aero/air.h"
#include "elements/forces/tangent.h"

enum { POINT, AREA };

// Axes of the file's body frame in B.
static M3 axes_of(const SarModel* m, int force) {
  return sar_holder_X_BU(m, sar_force_attr(m, force, POINT)->holder).R;
}

static V3 point_of(const SarModel* m, int force) {
  return v3_load(&m->attr_data[sar_force_attr(m, force, POINT)->adr]);
}

static void areas_of(const SarModel* m, int force, double S[3]) {
  const double* at = &m->attr_data[sar_force_attr(m, force, AREA)->adr];
  for (int k = 0; k < 3; k++) S[k] = at[k];
}

static SarStatus check(const SarModel* m, int force, SarLoc loc, SarError* err) {
  const SarAttrValue* a = sar_force_attr(m, force, AREA);
  const int errors = err->errors;
  if (a->index >= 0) {
    sar_report(err, loc, "", "force '%s': area must be three constants",
               sar_text(m, m->force_name[force]));
    return SAR_BAD_MODEL;
  }
  for (int k = 0; k < 3; k++)
    if (!(m->attr_data[a->adr + k] >= 0))
      sar_report(err, loc, "", "force '%s': area %g is negative", sar_text(m, m->force_name[force]),
                 m->attr_data[a->adr + k]);
  return err->errors > errors ? SAR_BAD_MODEL : SAR_OK;
}

// in dual numbers: value and change; x Nullable
static D3 drag_of(const SarModel* m, const SarData* d, const SarVariation* x, int force,
                  const VariedBody* b, D3 p) {
  const D3 v = d3_sub(varied_velocity(b, p), sar_wind(m, d, x));
  const Dual density = sar_air_at(m, d, x, d3_z(p)).density, speed = d3_norm(v);
  const M3 R_BU = axes_of(m, force);
  const V3 axis[3] = {m3_col_x(R_BU), m3_col_y(R_BU), m3_col_z(R_BU)};
  double S[3];
  D3 f = d3_of(v3_zero());
  areas_of(m, force, S);
  for (int k = 0; k < 3; k++) {
    const D3 e = varied_axis(b, axis[k]);
    const Dual push = dual_scale(-0.5 * S[k], dual_mul(dual_mul(density, speed), d3_dot(v, e)));
    f = d3_axpy(push, e, f);
  }
  return f;
}

static VariedBody body_of(const SarData* d, int body) {
  VariedBody b = {.R = m3_identity()};
  if (body < 0) return b;
  b.R = d->body_X_GB[body].R;
  b.o = d3_of(d->body_X_GB[body].p);
  b.v = d3_of(m3_mul_v(b.R, d->body_V[body].v));
  b.w = d3_of(m3_mul_v(b.R, d->body_V[body].w));
  return b;
}

static void apply(const SarModel* m, SarData* d, int force) {
  const int body = sar_force_attr(m, force, POINT)->index;
  const V3 p_B = point_of(m, force);
  const VariedBody b = body_of(d, body);
  const V3 f = drag_of(m, d, NULL, force, &b, varied_point(&b, p_B)).x;
  add_force_at(d, body, p_B, f);
  d->force_power[force] = v3_dot(f, point_velocity(d, body, p_B));
  set_outputs(m, d, force, (double[]){f.x, f.y, f.z});
}

static void vary(const SarModel* m, SarData* d, SarVariation* x, int force) {
  const int body = sar_force_attr(m, force, POINT)->index;
  const VariedBody b = varied_body(d, x, body);
  const D3 p = varied_point(&b, point_of(m, force)), f = drag_of(m, d, x, force, &b, p);
  vary_force_at(x, body, &b, p, f);
  vary_outputs(m, x, force, (Dual[]){d3_x(f), d3_y(f), d3_z(f)});
}

static void tangent(const SarModel* m, SarData* d, int force, SarBodyTangent* out) {
  const int body = sar_force_attr(m, force, POINT)->index;
  const VariedBody b = body_of(d, body);
  const D3 p = varied_point(&b, point_of(m, force));
  const V3 v = v3_sub(varied_velocity(&b, p).x, sar_wind(m, d, NULL).x);
  const double density = sar_air_at(m, d, NULL, d3_z(p)).density.x, speed = v3_norm(v);
  const M3 R = m3_mul(b.R, axes_of(m, force));
  const V3 axis[3] = {m3_col_x(R), m3_col_y(R), m3_col_z(R)};
  double S[3];
  areas_of(m, force, S);
  out->p = p.x;
  for (int k = 0; k < 3 && speed > 0; k++) {
    const double along = v3_dot(v, axis[k]);
    tangent_add(out->C, 0.5 * density * S[k] * (speed + along * along / speed), v3_zero(), axis[k]);
  }
}

static void look(const SarModel* m, int force, SarForceLook* out) {
  out->body[0] = sar_force_attr(m, force, POINT)->index;
  out->point[0] = point_of(m, force);
  out->arrow = 0;
}

const SarForceKind sar_force_drag = {
    .name = "drag",
    .doc = "drag of a body in the air, by drag areas along the axes of its frame",
    .ref = "Hoerner 1965",
    .targets = 1,
    .attr = {{"point", SAR_ATTR_POINT, NULL, "where it acts", NULL},
             {"area", SAR_ATTR_VECTOR, NULL,
              "drag coefficient times area for flow along x, y and z of the body frame [m m]",
              NULL}},
    .nattr = 2,
    .example = "{drag: a, area: [0.1, 0.2, 0.3]}",
    .output = {"fx", "fy", "fz"},  // on the body, ground axes [N]
    .noutput = 3,
    .check = check,
    .apply = apply,
    .vary = vary,
    .tangent = tangent,
    .look = look,
};
