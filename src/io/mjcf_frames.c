// Sensors of frames of MJCF, as expressions of measured quantities. The object is a site, or a
// point that is put where it is; against a reference frame r, in its axes R:
//
//   position          R' (p - p_r)
//   velocity          R' (v - v_r - w_r x (p - p_r))
//   angular velocity  R' (w - w_r)
//   orientation       conj(q_r) q
#include "io/mjcf_sensors.h"

#include <string.h>

// ---- frames ----------------------------------------------------------------------------------

// A point of a body for a sensor: named as the sensor is.
bool sar_mjcf_put_point(Mjcf* m, const char* name, SpecName body, Xform X, MjcfSite* out) {
  *out = (MjcfSite){name, body.text, X};
  if (strcmp(body.text, "ground") == 0) return true;
  for (int i = 0; i < m->spec->bodies.count; i++) {
    SpecBody* b = &m->spec->bodies.items[i];
    if (!b->name.text || strcmp(b->name.text, body.text) != 0) continue;
    SpecFrame* f = SAR_LIST_ADD(&m->spec->arena, &b->frames);
    if (f) *f = (SpecFrame){{name, body.loc}, sar_mjcf_spec_pose(m, X, body.loc)};
    return f != NULL;
  }
  return false;
}

const SpecBody* sar_mjcf_spec_body(const Mjcf* m, const char* name) {
  for (int i = 0; i < m->spec->bodies.count; i++)
    if (m->spec->bodies.items[i].name.text && strcmp(m->spec->bodies.items[i].name.text, name) == 0)
      return &m->spec->bodies.items[i];
  return NULL;
}

static double number(SpecNum n) {
  double x = 0;
  if (n.expr) sar_expr_is_number(n.expr, &x);
  return x;
}

// Mass centre and mass of a body, where the file gives them as numbers.
bool sar_mjcf_mass_of(const SpecBody* b, double* mass, V3* com) {
  *mass = number(b->mass);
  *com = v3(number(b->com.c[0]), number(b->com.c[1]), number(b->com.c[2]));
  return b->shapes.count == 0;
}

static bool place_of_body(Mjcf* m, const MjcfSensor* s, SpecName name, bool centre, MjcfSite* out) {
  const MjcfBody* body = sar_mjcf_body(m, name.text);
  const SpecBody* spec = body ? sar_mjcf_spec_body(m, name.text) : NULL;
  Xform X = x_identity();
  double mass;
  if (!body) sar_mjcf_sensor_lacks(m, s, "body", name);
  if (!body) return false;
  if (centre && spec && !sar_mjcf_mass_of(spec, &mass, &X.p)) {
    sar_mjcf_sensor_left(
        m, s, "the inertial frame of a body whose mass comes from its geoms is not known here");
    return false;
  }
  const char* point = sar_arena_printf(&m->spec->arena, "%s%s", s->name.text,
                                       name.loc.column == s->tag->loc.column ? "" : "_at");
  return point && sar_mjcf_put_point(m, point, name, X, out);
}

static bool find_frame(Mjcf* m, const MjcfSensor* s, const char* type_key, const char* name_key,
                       MjcfSite* out) {
  const XmlAttribute* type = sar_xml_attribute(s->tag, type_key);
  const SpecName name = sar_mjcf_sensor_needs(m, s, name_key);
  if (!type || !name.text) return false;
  if (strcmp(type->value, "site") == 0) {
    const MjcfSite* site = sar_mjcf_site(m, name.text);
    if (!site) sar_mjcf_sensor_lacks(m, s, "site", name);
    if (site) *out = *site;
    return site != NULL;
  }
  const bool xbody = strcmp(type->value, "xbody") == 0;
  if (xbody || strcmp(type->value, "body") == 0) return place_of_body(m, s, name, !xbody, out);
  sar_mjcf_sensor_left(m, s, "frames of sites and bodies alone are taken");
  return false;
}

// Its axis k in ground axes, as three expressions.
static void axis_texts(Mjcf* m, const MjcfSite* f, int k, const char* out[3]) {
  const V3 a = m3_mul_v(f->X.R, v3(k == 0, k == 1, k == 2));
  for (int i = 0; i < 3; i++) out[i] = sar_mjcf_turned(m, f->body, a, i);
}

static const char* omega_text(Mjcf* m, const MjcfSite* f, int i) {
  const char* b = strcmp(f->body, "ground") == 0 ? NULL : sar_mjcf_quoted(m, f->body);
  return b ? sar_arena_printf(&m->arena, "%s.w%c", b, "xyz"[i]) : "0";
}

static void minus(Mjcf* m, const char* const a[3], const char* const b[3], const char* out[3]) {
  for (int i = 0; i < 3; i++)
    out[i] = a[i] && b[i] ? sar_arena_printf(&m->arena, "(%s - %s)", a[i], b[i]) : NULL;
}

// Components along the axes of the reference frame.
static void in_axes(Mjcf* m, const MjcfSite* ref, const char* const a[3], const char* out[3]) {
  for (int k = 0; k < 3; k++) {
    const char* e[3];
    axis_texts(m, ref, k, e);
    out[k] = sar_arena_printf(&m->arena, "%s*%s + %s*%s + %s*%s", e[0] ? e[0] : "", a[0], e[1],
                              a[1], e[2], a[2]);
  }
}

static void parts(Mjcf* m, const MjcfSite* f, const char* which, const char* out[3]) {
  for (int i = 0; i < 3; i++)
    out[i] = which[0] == 'w' ? omega_text(m, f, i) : sar_mjcf_part(m, f, which, i);
}

// Position (""), velocity ("v") or angular velocity ("w"), against `ref` where there is one:
// R' (p - p_r), R' (v - v_r - w_r x (p - p_r)), R' (w - w_r)
static void add_motion(Mjcf* m, const MjcfSensor* s, const MjcfSite* f, const MjcfSite* ref,
                       const char* which) {
  const char *x[3], *r[3], *d[3], *p[3], *pr[3], *w[3], *out[3];
  parts(m, f, which, x);
  if (!ref) {
    sar_mjcf_sensor_vector(m, s, x);
    return;
  }
  parts(m, ref, which, r);
  minus(m, x, r, d);
  if (which[0] == 'v') {
    const char *arm[3], *turn[3], *still[3];
    parts(m, f, "", p), parts(m, ref, "", pr), parts(m, ref, "w", w);
    minus(m, p, pr, arm);
    for (int i = 0; i < 3; i++) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      turn[i] = sar_arena_printf(&m->arena, "(%s*%s - %s*%s)", w[j], arm[k], w[k], arm[j]);
      still[i] = d[i];
    }
    minus(m, still, turn, d);
  }
  in_axes(m, ref, d, out);
  sar_mjcf_sensor_vector(m, s, out);
}

// ---- orientations ----------------------------------------------------------------------------

typedef struct QuatText {
  const char* part[4];
} QuatText;

static QuatText quat_of_body(Mjcf* m, const char* body) {
  QuatText q = {{"1", "0", "0", "0"}};
  const char* b = strcmp(body, "ground") == 0 ? NULL : sar_mjcf_quoted(m, body);
  for (int i = 0; b && i < 4; i++) q.part[i] = sar_arena_printf(&m->arena, "%s.q%c", b, "wxyz"[i]);
  return q;
}

static QuatText product(Mjcf* m, QuatText a, QuatText b) {
  static const int term[4][4][3] = {// {of a, of b, sign}
                                    {{0, 0, 1}, {1, 1, -1}, {2, 2, -1}, {3, 3, -1}},
                                    {{0, 1, 1}, {1, 0, 1}, {2, 3, 1}, {3, 2, -1}},
                                    {{0, 2, 1}, {2, 0, 1}, {3, 1, 1}, {1, 3, -1}},
                                    {{0, 3, 1}, {3, 0, 1}, {1, 2, 1}, {2, 1, -1}}};
  QuatText out;
  for (int i = 0; i < 4; i++) {
    const char* sum = "0";
    for (int k = 0; k < 4 && sum; k++)
      sum = sar_arena_printf(&m->arena, "%s %c %s*%s", sum, term[i][k][2] > 0 ? '+' : '-',
                             a.part[term[i][k][0]], b.part[term[i][k][1]]);
    out.part[i] = sum ? sar_arena_printf(&m->arena, "(%s)", sum) : NULL;
  }
  return out;
}

static QuatText quat_of(Mjcf* m, const MjcfSite* f) {
  const Quat q = quat_from_m3(f->X.R);
  const double x[4] = {q.w, q.x, q.y, q.z};
  QuatText own;
  if (q.x == 0 && q.y == 0 && q.z == 0) return quat_of_body(m, f->body);
  for (int i = 0; i < 4; i++) own.part[i] = sar_arena_printf(&m->arena, "(%.17g)", x[i]);
  return product(m, quat_of_body(m, f->body), own);
}

static void add_quat(Mjcf* m, const MjcfSensor* s, const MjcfSite* f, const MjcfSite* ref) {
  QuatText q = quat_of(m, f);
  if (ref) {
    QuatText r = quat_of(m, ref);
    for (int i = 1; i < 4; i++) r.part[i] = sar_arena_printf(&m->arena, "(-%s)", r.part[i]);
    q = product(m, r, q);
  }
  for (int i = 0; i < 4; i++)
    sar_mjcf_sensor_text(m, s, (const char*[]){"qw", "qx", "qy", "qz"}[i], q.part[i]);
}

static void add_axis(Mjcf* m, const MjcfSensor* s, const MjcfSite* f, const MjcfSite* ref, int k) {
  const char *a[3], *out[3];
  axis_texts(m, f, k, a);
  if (ref) in_axes(m, ref, a, out);
  sar_mjcf_sensor_vector(m, s, ref ? out : a);
}

void sar_mjcf_frame_sensor(Mjcf* m, const MjcfSensor* s) {
  const char* what = s->tag->name + strlen("frame");
  const XmlAttribute* type = sar_xml_attribute(s->tag, "objtype");
  const bool relative = sar_xml_attribute(s->tag, "refname") != NULL;
  MjcfSite f, ref;
  const bool turned = what[0] == 'q' || strcmp(what + 1, "axis") == 0;
  if (turned && type && strcmp(type->value, "body") == 0) {
    sar_mjcf_sensor_left(m, s, "principal axes of a body are not taken");
    return;
  }
  if (!find_frame(m, s, "objtype", "objname", &f)) return;
  if (relative && !find_frame(m, s, "reftype", "refname", &ref)) return;
  const MjcfSite* against = relative ? &ref : NULL;
  if (strcmp(what, "pos") == 0) add_motion(m, s, &f, against, "");
  if (strcmp(what, "linvel") == 0) add_motion(m, s, &f, against, "v");
  if (strcmp(what, "angvel") == 0) add_motion(m, s, &f, against, "w");
  if (strcmp(what, "quat") == 0) add_quat(m, s, &f, against);
  if (strcmp(what + 1, "axis") == 0) add_axis(m, s, &f, against, what[0] - 'x');
}
