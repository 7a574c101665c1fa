// Strips: where the sections are, and how they look (strips.h).
#include "elements/forces/strips.h"

// Linear between the rows, constant beyond them.
static double span_at(const SarModel* m, int force, int attr, double r) {
  const SarAttrValue* a = sar_force_attr(m, force, attr);
  const double* t = &m->attr_data[a->adr];
  const int rows = a->index;
  if (rows < 1) return 0;
  if (rows == 1 || r <= t[0]) return t[1];
  for (int i = 0; i + 1 < rows; i++) {
    const double *low = &t[2 * i], *high = low + 2;
    if (r < high[0]) return low[1] + (high[1] - low[1]) * (r - low[0]) / (high[0] - low[0]);
  }
  return t[2 * rows - 1];
}

// Gauss-Legendre points and weights on -1..1: roots of P_n by Newton's method.
static void gauss_point(int n, int i, double* x, double* weight) {
  double z = cos(3.14159265358979323846 * (i + 0.75) / (n + 0.5)), slope = 1;
  for (int k = 0; k < 100; k++) {
    double p = 1, before = 0;
    for (int j = 1; j <= n; j++) {
      const double next = ((2 * j - 1) * z * p - (j - 1) * before) / j;
      before = p, p = next;
    }
    slope = n * (z * p - before) / (z * z - 1);
    const double step = p / slope;
    z -= step;
    if (fabs(step) < 1e-16) break;
  }
  *x = -z;
  *weight = 2 / ((1 - z * z) * slope * slope);
}

static void place_station(const SarModel* m, int force, double r, double weight, const V3 axes[3],
                          V3 span, SarStation* s) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const M3 R_BU = sar_holder_X_BU(m, a[BODY].holder).R;
  const double twist = span_at(m, force, TWIST, r), c = cos(twist), sn = sin(twist);
  const V3 e1 = v3_axpy(sn, axes[1], v3_scale(c, axes[0]));
  const V3 e2 = v3_axpy(-sn, axes[0], v3_scale(c, axes[1]));
  const int rotor = sar_strips_rotor(m, force);
  const double end = rotor >= 0 ? sar_rotor_radius(m, rotor) : strips_number(m, force, TIP);
  s->r = r;
  s->chord = span_at(m, force, CHORD, r);
  s->weight = weight;
  s->lift = r > strips_number(m, force, TIP_LOSS) * end ? 0 : 1;
  s->e[0] = m3_mul_v(R_BU, e1);
  s->e[1] = m3_mul_v(R_BU, e2);
  s->e[2] = m3_mul_v(R_BU, axes[2]);
  const V3 on_span = v3_axpy(r, m3_mul_v(R_BU, span), v3_load(&m->attr_data[a[BODY].adr]));
  s->p = v3_axpy(span_at(m, force, CENTRE, r), s->e[0], on_span);
  s->flow = a[LIFT].index == STEADY ? s->p : v3_axpy(-0.5 * s->chord, s->e[0], s->p);
}

// Axes of the untwisted section in U: lead made perpendicular to the span, the side of `up`. False:
// they are in line.
bool strips_axes_of(const SarModel* m, int force, V3 axes[3], V3* span) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const V3 lead = v3_load(&m->attr_data[a[LEAD].adr]), up = v3_load(&m->attr_data[a[UP].adr]);
  *span = v3_load(&m->attr_data[a[SPAN].adr]);
  const V3 e1 = v3_axpy(-v3_dot(lead, *span), *span, lead);
  if (!(v3_norm(e1) > 1e-3)) return false;
  axes[0] = v3_unit(e1);
  axes[1] = v3_cross(*span, axes[0]);
  const double side = v3_dot(axes[1], up);
  if (!(fabs(side) > 1e-3)) return false;
  if (side < 0) axes[1] = v3_neg(axes[1]);
  axes[2] = v3_cross(axes[0], axes[1]);
  return true;
}

bool sar_strips_axes(const SarModel* m, int strips, V3* lead, V3* up, V3* span, double* root) {
  const M3 R_BU = sar_holder_X_BU(m, sar_force_attr(m, strips, BODY)->holder).R;
  V3 axes[3], along;
  if (!strips_axes_of(m, strips, axes, &along)) return false;
  *lead = m3_mul_v(R_BU, axes[0]);
  *up = m3_mul_v(R_BU, axes[1]);
  *span = m3_mul_v(R_BU, along);
  *root = strips_number(m, strips, ROOT);
  return true;
}

int strips_constants(const SarModel* m, int force) {
  const double points = strips_number(m, force, POINTS), panels = strips_number(m, force, PANELS);
  const bool sensible =
      points >= 1 && points <= MOST_POINTS && panels >= 1 && panels <= MOST_PANELS;
  return sensible ? strips_count(m, force) * STATION : 0;
}

// Ends of piece i; the second is not before the first.
static void ends_of(const SarModel* m, int force, int i, double* root, double* tip) {
  const SarAttrValue* share = sar_force_attr(m, force, SHARE);
  const double* t = &m->attr_data[share->adr];
  *root = strips_number(m, force, ROOT), *tip = strips_number(m, force, TIP);
  if (share->index < 2) return;
  *root = fmin(fmax(*root, t[2 * i]), *tip);
  *tip = fmax(fmin(*tip, t[2 * i + 2]), *root);
}

void strips_prepare(const SarModel* m, int force, double* to) {
  SarStation* s = (SarStation*)(void*)to;
  const int points = (int)strips_number(m, force, POINTS),
            panels = (int)strips_number(m, force, PANELS);
  V3 axes[3], span;
  if (!strips_axes_of(m, force, axes, &span)) return;
  for (int p = 0; p < strips_pieces(m, force); p++) {
    double root, tip;
    ends_of(m, force, p, &root, &tip);
    const double half = 0.5 * (tip - root) / panels;
    for (int k = 0; k < panels; k++)
      for (int i = 0; i < points; i++) {
        double x, weight;
        gauss_point(points, i, &x, &weight);
        const double r = root + (2 * k + 1 + x) * half;
        place_station(m, force, r, half * weight * span_at(m, force, SHARE, r), axes, span, s++);
      }
  }
}

// ---- pictures -----------------------------------------------------------------------------------

// Of strips that share sections with others, the part where they have most of them.
static void seen(const SarModel* m, int force, double* root, double* tip) {
  const SarAttrValue* share = sar_force_attr(m, force, SHARE);
  const double* t = &m->attr_data[share->adr];
  *root = strips_number(m, force, ROOT), *tip = strips_number(m, force, TIP);
  int top = 0;
  if (share->index < 2) return;
  for (int i = 1; i < share->index; i++)
    if (t[2 * i + 1] > t[2 * top + 1]) top = i;
  if (top > 0) *root = fmax(*root, 0.5 * (t[2 * top] + t[2 * top - 2]));
  if (top + 1 < share->index) *tip = fmin(*tip, 0.5 * (t[2 * top] + t[2 * top + 2]));
}

void strips_look(const SarModel* m, int force, SarForceLook* out) {
  const SarStation* s = strips_stations(m, force);
  out->body[0] = sar_strips_body(m, force);
  out->point[0] = s[strips_count(m, force) / 2].p;
  out->arrow = 0;
  double root, tip;
  seen(m, force, &root, &tip);
  out->sections = tip > root ? 13 : 0;
}

// At equal distances along the span: a quarter of the chord ahead of the aerodynamic centre, 12 %
// thick.
void strips_section(const SarModel* m, int force, int i, V3 edge[2], V3* half) {
  SarForceLook l;
  strips_look(m, force, &l);
  double root, tip;
  V3 axes[3], span;
  SarStation s = {0};
  seen(m, force, &root, &tip);
  if (strips_axes_of(m, force, axes, &span))
    place_station(m, force, root + (tip - root) * i / (l.sections - 1), 0, axes, span, &s);
  edge[0] = v3_axpy(0.25 * s.chord, s.e[0], s.p);
  edge[1] = v3_axpy(-0.75 * s.chord, s.e[0], s.p);
  *half = v3_scale(0.06 * s.chord, s.e[1]);
}
