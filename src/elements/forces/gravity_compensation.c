// Gravity compensation: a part of a body's weight is held, at its mass centre.
//
//   F = -fraction m g,   E = fraction m g . c          c: mass centre of the file's body, in ground
//
// The body is that of the file alone, without what fixed joints join to it. Nothing of it is work:
// the energy is what gravity's lacks.
#include "elements/forces/varied.h"

enum { BODY, FRACTION };
enum { MASS, CENTRE };  // of a BODY attribute

static V3 centre(const SarModel* m, int force) {
  return v3_load(&m->attr_data[sar_force_attr(m, force, BODY)->adr + CENTRE]);
}

static V3 hold(const SarModel* m, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const double mass = m->attr_data[a[BODY].adr + MASS];
  return v3_scale(-m->attr_data[a[FRACTION].adr] * mass, m->gravity);
}

static SarStatus check(const SarModel* m, int force, SarLoc loc, SarError* err) {
  if (m->field.kind == SAR_GRAVITY_UNIFORM) return SAR_OK;
  sar_report(err, loc, "give the body a force of its own",
             "force '%s': only uniform gravity is held", sar_text(m, m->force_name[force]));
  return SAR_BAD_MODEL;
}

static void apply(const SarModel* m, SarData* d, int force) {
  const V3 f = hold(m, force);
  add_force_at(d, sar_force_attr(m, force, BODY)->index, centre(m, force), f);
  d->force_power[force] = 0;
  set_outputs(m, d, force, (double[]){f.x, f.y, f.z});
}

static void vary(const SarModel* m, SarData* d, SarVariation* x, int force) {
  const int body = sar_force_attr(m, force, BODY)->index;
  const VariedBody b = varied_body(d, x, body);
  const D3 f = d3_of(hold(m, force));
  vary_force_at(x, body, &b, varied_point(&b, centre(m, force)), f);
  vary_outputs(m, x, force, (Dual[]){d3_x(f), d3_y(f), d3_z(f)});
}

static double energy(const SarModel* m, const SarData* d, int force) {
  const int body = sar_force_attr(m, force, BODY)->index;
  return -v3_dot(hold(m, force), x_point(body_pose(d, body), centre(m, force)));
}

static void look(const SarModel* m, int force, SarForceLook* out) {
  out->body[0] = sar_force_attr(m, force, BODY)->index;
  out->point[0] = centre(m, force);
  out->arrow = 0;
}

const SarForceKind sar_force_gravity_compensation = {
    .name = "gravity_compensation",
    .doc = "holds a part of a body's weight at its mass centre",
    .ref = "",
    .targets = 1,
    .attr = {{"body", SAR_ATTR_BODY, NULL, "whose weight", NULL},
             {"fraction", SAR_ATTR_NUMBER, "1", "of the weight; more than 1 lifts", NULL}},
    .nattr = 2,
    .example = "{gravity_compensation: a, fraction: 0.7}",
    .output = {"fx", "fy", "fz"},  // [N], ground axes
    .noutput = 3,
    .conservative = true,
    .check = check,
    .apply = apply,
    .vary = vary,
    .energy = energy,
    .look = look,
};
