// Which coordinates, and planar models: every joint must keep to the plane.
//
// A joint does if each of its axes at the design position, [w; v] at the joint point, has w along
// the normal n and v across it; motions in the plane keep that true. Bodies that no joint carries
// must start in the plane.
#include "base/print.h"
#include "model/compile/parts.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char* const COORDINATES[] = {"relative", "absolute", "mixed"};
enum { KINDS = sizeof COORDINATES / sizeof *COORDINATES };
static const char* const PLANES[] = {"xy", "xz", "yz"};

static int find(const char* word, const char* const* words, int n) {
  for (int i = 0; i < n; i++)
    if (strcmp(words[i], word) == 0) return i;
  return -1;
}

// Where nobody says which: loops that are to be solved by polynomials decouple best in mixed
// coordinates.
static const char* suggested(const SpecSimulation* s) {
  const char *f = s->formulation.text, *k = s->kinematics.text;
  const bool polynomials = k && (strcmp(k, "block") == 0 || strcmp(k, "triangular") == 0);
  return f && strcmp(f, "embedding") == 0 && polynomials ? "mixed" : NULL;
}

bool sar_compile_coordinates(Compile* c) {
  const SpecSimulation* s = &c->spec->simulation;
  const bool automatic = c->coordinates && strcmp(c->coordinates, "auto") == 0;
  const char* word = c->coordinates && !automatic ? c->coordinates : s->coordinates.text;
  if (!word) word = automatic ? "mixed" : suggested(s);
  if (!word) return true;
  int at = find(word, COORDINATES, KINDS);
  c->m.absolute = at == 1;
  c->mixed = at == 2;
  if (at >= 0) return true;
  char hint[96];
  sar_text_offer(hint, sizeof hint, word, COORDINATES, KINDS);
  if (c->coordinates) {
    sar_report(c->err, (SarLoc){0}, hint, "no such coordinates: '%.60s'", word);
    return false;
  }
  Item item = {"block", "simulation", s->loc};
  sar_complain(c, item, s->coordinates.loc, hint, "no such coordinates: '%s'", word);
  return true;
}

static V3 normal_of(SarPlane plane) {
  return plane == SAR_PLANE_XY ? v3(0, 0, 1) : plane == SAR_PLANE_XZ ? v3(0, 1, 0) : v3(1, 0, 0);
}

static void check_joint(Compile* c, const JointPart* p, V3 n, const char* plane) {
  M3 R = p->X_UF[0].R;
  if (p->body[0] >= 0) R = m3_mul(c->body[p->body[0]].X_GU.R, R);
  SarJointCalc calc;
  if (p->bad_axes) return;
  p->kind->calc(p->param, p->zero, NULL, &calc);
  for (int i = 0; i < p->kind->nv; i++) {
    V3 w = m3_mul_v(R, calc.S[i].w), v = m3_mul_v(R, calc.S[i].v);
    bool turns_out = v3_norm(v3_cross(w, n)) > 1e-9 * v3_norm(w);
    bool moves_out = fabs(v3_dot(v, n)) > 1e-9 * v3_norm(v);
    if (!turns_out && !moves_out) continue;
    V3 e = turns_out ? w : v;
    char hint[96];
    sar_snprintf(hint, sizeof hint, "the plane %s allows turning about %s and moving across it",
                 plane,
                 n.z != 0   ? "z"
                 : n.y != 0 ? "y"
                            : "x");
    sar_complain(c, p->item, p->item.loc, hint,
                 "the model is planar (%s), but this %s joint %s [%.6g, %.6g, %.6g]", plane,
                 p->kind->name, turns_out ? "turns about" : "moves along", e.x, e.y, e.z);
    return;
  }
}

// Of nodes of modal bodies: what their modes do.
static void check_node(Compile* c, const JointPart* p, V3 n, const char* plane) {
  const SarModalShape* s = p->spec ? p->spec->shape : NULL;
  const M3 R = s && p->body[0] >= 0 ? c->body[p->body[0]].X_GU.R : m3_identity();
  for (int i = 0; s && i < s->modes; i++) {
    const V3 w = m3_mul_v(R, s->mode[i].w), v = m3_mul_v(R, s->mode[i].v);
    if (v3_norm(v3_cross(w, n)) <= 1e-9 * v3_norm(w) && fabs(v3_dot(v, n)) <= 1e-9 * v3_norm(v))
      continue;
    sar_complain(c, p->item, p->item.loc, "leave the mode out, or make the model spatial",
                 "the model is planar (%s), but mode %d leads this node out of the plane", plane,
                 i + 1);
    return;
  }
  for (int i = 0; s && s->bend && i < sar_pairs(s->modes); i++) {
    const V3 b = m3_mul_v(R, s->bend[i]);
    if (fabs(v3_dot(b, n)) <= 1e-9 * v3_norm(b)) continue;
    sar_complain(c, p->item, p->item.loc, "leave it out, or make the model spatial",
                 "the model is planar (%s), but 'bend' leads this node out of the plane", plane);
    return;
  }
}

static void check_body(Compile* c, const BodyPart* b, V3 n, const char* plane) {
  const SpecBody* s = b->spec;
  V3 v = sar_vector(c, s->velocity, b->item, "velocity", v3_zero());
  V3 w = sar_vector(c, s->angular_velocity, b->item, "angular_velocity", v3_zero());
  bool moves_out = fabs(v3_dot(v, n)) > 1e-9 * v3_norm(v);
  if (!moves_out && !(v3_norm(v3_cross(w, n)) > 1e-9 * v3_norm(w))) return;
  const SpecVec3* which = moves_out ? s->velocity : s->angular_velocity;
  sar_complain(c, b->item, which->c[0].loc, "",
               "the model is planar (%s), but '%s' leads out of it", plane,
               moves_out ? "velocity" : "angular_velocity");
}

bool sar_compile_planar(Compile* c) {
  SpecName name = c->spec->planar;
  if (!name.text) return true;
  int at = find(name.text, PLANES, 3);
  if (at < 0) {
    Item item = {"key", "planar", name.loc};
    sar_complain(c, item, name.loc, "one of xy, xz, yz", "there is no plane '%s'", name.text);
    return true;
  }
  c->m.planar = (SarPlane)(SAR_PLANE_XY + at);
  V3 n = normal_of(c->m.planar);
  for (int j = 0; j < c->njoint; j++)
    if (c->joint[j].sound) {
      check_joint(c, &c->joint[j], n, name.text);
      check_node(c, &c->joint[j], n, name.text);
    }
  for (int b = 0; b < c->nbody; b++) check_body(c, &c->body[b], n, name.text);
  return true;
}
