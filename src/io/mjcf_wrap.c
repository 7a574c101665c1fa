// What tendons of MJCF wrap around: a sphere, or a cylinder without ends, between two sites a and b
// outside. The path is the string that MuJoCo pulls taut, in the plane through a, b and the centre,
// or projected along the axis:
//
//   straight, where the line does not meet the circle, else tangent, arc, tangent on the shorter
//   way round;
//   with a side site, round the circle too where the line passes on the other side than that site,
//   and on the way whose two tangent points lie nearer to its direction.
//
// A site within the circle, which no tangent leaves, is a straight line. Along the axis of a
// cylinder the path goes in proportion to the planar one: L = sqrt(planar^2 + axial^2).
//
//   a, b   from the centre, in the plane       t = sqrt(a^2 - r^2), length of a tangent
//   turn   angle between a and b, 0 to pi      lean = sum of atan(t / r), angles of the tangents
#include "io/mjcf.h"

#include "io/mjcf_sensors.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

// ---- its length ------------------------------------------------------------------------------

typedef struct Circle {
  double aa, bb, ab, cross, distance;  // squares and products of a and b
  double ta, tb, lean_a, lean_b, lean, turn;
} Circle;

static Circle circle_of(V3 a, V3 b, double r) {
  Circle c = {.aa = v3_dot(a, a), .bb = v3_dot(b, b), .ab = v3_dot(a, b)};
  c.cross = v3_norm(v3_cross(a, b));
  c.distance = v3_norm(v3_sub(b, a));
  c.ta = sqrt(fmax(c.aa - r * r, 0)), c.tb = sqrt(fmax(c.bb - r * r, 0));
  c.lean_a = atan2(c.ta, r), c.lean_b = atan2(c.tb, r);
  c.lean = c.lean_a + c.lean_b;
  c.turn = atan2(c.cross, c.ab);
  return c;
}

// Is the shorter way that of the side site? Each way has the sum of its two tangent points, and
// the nearer one is where the unit vector along that sum has more of the site's direction.
static bool is_short_way(const Circle* c, double r, double sa, double sb) {
  const double arc = c->turn - c->lean;
  if (arc < 0 && -arc <= 2 * fmin(c->lean_a, c->lean_b)) return false;  // its tangents cross
  const double mean = r * (sa / c->aa + sb / c->bb);
  const double skew =
      (c->tb * sa + c->ta * sb - c->ab * (c->ta * sa / c->aa + c->tb * sb / c->bb)) / c->cross;
  return (mean + skew) * fabs(cos((c->turn + c->lean) / 2)) >=
         (mean - skew) * fabs(cos((c->turn - c->lean) / 2));
}

static double planar_length(V3 a, V3 b, double r, const V3* side) {
  const Circle c = circle_of(a, b, r);
  const double arc = c.turn - c.lean, tangents = c.ta + c.tb;
  if (c.aa < r * r || c.bb < r * r) return c.distance;
  if (!side) return arc > 0 ? tangents + r * arc : c.distance;
  const double sa = v3_dot(*side, a), sb = v3_dot(*side, b);
  const double at = fmin(fmax((c.aa - c.ab) / (c.distance * c.distance), 0), 1);
  if (arc < 0 && (1 - at) * sa + at * sb >= 0) return c.distance;
  if (!is_short_way(&c, r, sa, sb)) return tangents + r * (2 * PI - c.turn - c.lean);
  return tangents + r * (arc >= 0 ? arc : arc + 2 * PI);
}

double sar_mjcf_wrap_length(const MjcfWrap* w, V3 a, V3 b, Xform centre, V3 side) {
  V3 p = x_point_inv(centre, a), q = x_point_inv(centre, b), s = x_point_inv(centre, side);
  const double axial = w->cylinder ? q.z - p.z : 0;
  if (w->cylinder) p.z = q.z = s.z = 0;
  return hypot(planar_length(p, q, w->radius, w->side ? &s : NULL), axial);
}

// ---- reading ---------------------------------------------------------------------------------

static MjcfGeom* find_geom(const Mjcf* m, const char* name) {
  for (int i = 0; i < m->geoms.count; i++)
    if (strcmp(m->geoms.items[i].name, name) == 0) return &m->geoms.items[i];
  return NULL;
}

// Its centre as a point of the body, GEOM_centre, of which all tendons speak.
static bool put_centre(Mjcf* m, MjcfGeom* g, Xform X, MjcfWrap* out) {
  const char* name = g->centre;
  out->centre = (MjcfSite){name, g->body, X};
  if (name) return true;
  name = sar_arena_printf(&m->spec->arena, "%s_centre", g->name);
  while (name && sar_mjcf_site(m, name)) name = sar_arena_printf(&m->spec->arena, "%s_", name);
  if (!name || !sar_mjcf_put_point(m, name, (SpecName){g->body, g->tag->loc}, X, &out->centre))
    return false;
  g->centre = name;
  return true;
}

static bool read_shape(Mjcf* m, const XmlTag* tag, MjcfGeom* g, MjcfWrap* out) {
  const char* type = sar_mjcf_word(m, g->tag, "type", "sphere");
  Xform X = sar_mjcf_pose(m, g->tag);
  double size[3] = {0}, half;
  out->cylinder = strcmp(type, "cylinder") == 0;
  if (!out->cylinder && strcmp(type, "sphere") != 0) {
    sar_report(m->err, tag->loc, "",
               "<spatial>: geom '%.60s' is a %.20s: only spheres and cylinders can be wrapped",
               g->name, type);
    return false;
  }
  if (out->cylinder) sar_mjcf_ends(m, g->tag, &half, &X);
  sar_mjcf_numbers(m, g->tag, "size", 1, 3, size);
  out->radius = size[0];
  if (!(out->radius > 0))
    sar_report(m->err, g->tag->loc, "", "<geom> needs a radius greater than 0 to be wrapped");
  return out->radius > 0 && put_centre(m, g, X, out);
}

static bool leave_out(Mjcf* m, const MjcfTendon* t, const XmlTag* tag, const char* why) {
  sar_warn(m->err, tag->loc, "", "tendon '%.60s' %s, which is not taken: it is left out",
           t->name.text, why);
  return false;
}

// Within the sphere, or the cylinder without ends, it asks for a path inside.
static bool read_side(Mjcf* m, const MjcfTendon* t, const XmlTag* tag, MjcfWrap* out) {
  const SpecName name = sar_mjcf_reference(m, tag, "sidesite");
  if (!name.text) return true;
  out->side = sar_mjcf_site(m, name.text);
  if (!out->side) {
    sar_report(m->err, name.loc, "", "<spatial>: there is no site '%.60s'", name.text);
    return false;
  }
  if (strcmp(out->side->body, out->centre.body) != 0)
    return leave_out(m, t, tag, "has a sidesite on another body than the geom");
  V3 s = x_point_inv(out->centre.X, out->side->X.p);
  if (out->cylinder) s.z = 0;
  if (v3_norm(s) < out->radius)
    return leave_out(m, t, tag, "passes inside a geom (its sidesite is within the geom)");
  return true;
}

bool sar_mjcf_wrap_find(Mjcf* m, const MjcfTendon* t, const XmlTag* tag, MjcfWrap* out) {
  const SpecName name = sar_mjcf_reference(m, tag, "geom");
  MjcfGeom* g = name.text ? find_geom(m, name.text) : NULL;
  if (!g)
    sar_report(m->err, tag->loc, "", "<spatial>: there is no geom '%.60s'",
               name.text ? name.text : "");
  return g && read_shape(m, tag, g, out) && read_side(m, t, tag, out);
}
