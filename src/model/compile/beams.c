// Beams of the file as bodies, joints and forces.
//
// A beam of n elements has n + 1 nodes: NAME_start, NAME_1 ... NAME_(n-1), NAME_end. A node is a
// body whose frame is the section's (x along the beam) with its share of the inertia
// (beam_lumps.c). NAME_start is fixed to the body that the beam begins on, unless that end is free,
// and NAME_end to what clamps it. The others move freely, and their coordinates count from the node
// before: they are the element's deformation, so that a beam that turns with a hub stays where it
// is in them, and one that is bent far is not stretched on the way. Elements are forces of kind
// `beam`, NAME_e1 ... NAME_en.
//
// Bodies, joints and forces are added to a copy of the spec before names are looked at; their
// numbers follow when parameters are known.
#include "model/beam.h"
#include "model/compile/parts.h"

#include <math.h>
#include <string.h>

// Of the attributes of the force kind `beam`.
enum { STIFFNESS = 2, ELEMENT, DAMPING, RADIUS };

// ---- names --------------------------------------------------------------------------------------

static const char* node_name(Compile* c, const SpecBeam* b, int i) {
  const char* name = b->name.text;
  if (i == 0) return sar_arena_printf(&c->arena, "%s_start", name);
  if (i == b->elements) return sar_arena_printf(&c->arena, "%s_end", name);
  return sar_arena_printf(&c->arena, "%s_%d", name, i);
}

// The body of "body" or "body.point".
static SpecName body_of(Compile* c, SpecName from) {
  const char* dot = strchr(from.text, '.');
  const size_t n = dot ? (size_t)(dot - from.text) : strlen(from.text);
  return (SpecName){sar_arena_strndup(&c->arena, from.text, n), from.loc};
}

static bool is_ground(SpecName body) { return body.text && strcmp(body.text, "ground") == 0; }

static SpecJoint* add_joint(SarSpec* s, const char* kind, SpecName name, SpecName parent) {
  SpecJoint* joint = &s->joints.items[s->joints.count++];
  *joint =
      (SpecJoint){.name = name, .kind = sar_joint_kind_find(kind), .parent = parent, .child = name};
  return joint;
}

// A node moves freely against the one before, in a planar model within the plane.
static void add_freedom(Compile* c, SarSpec* s, SpecName name, SpecName parent) {
  const char* plane = s->planar.text;
  SpecJoint* joint = add_joint(s, plane ? "planar" : "free", name, parent);
  for (int i = 0; plane && i < 3; i++)
    joint->axis.c[i] =
        (SpecNum){sar_expr_number(&c->arena, strchr(plane, 'x' + i) == NULL), name.loc};
}

static bool expand(Compile* c, SarSpec* s, const SpecBeam* b) {
  BeamPart* part = &c->beam[c->nbeam++];
  *part = (BeamPart){.spec = b,
                     .item = {"beam", b->name.text, b->name.loc},
                     .node = &s->bodies.items[s->bodies.count],
                     .force = &s->forces.items[s->forces.count]};
  const SpecName from = b->from.text ? body_of(c, b->from) : b->from;
  for (int i = 0; i <= b->elements; i++) {
    const SpecName name = {node_name(c, b, i), b->name.loc};
    if (!name.text) return false;
    SpecBody* node = &s->bodies.items[s->bodies.count++];
    *node = (SpecBody){.name = name};
    if (from.text && !is_ground(from)) node->in = from;
    if (i == 0 && from.text)
      add_joint(s, "fixed", name, from);
    else if (i == b->elements && b->clamp.text)
      add_joint(s, "fixed", name, b->clamp);
    else if (i > 0)
      add_freedom(c, s, name, part->node[i - 1].name);
  }
  for (int i = 0; i < b->elements; i++) {
    SpecForce* f = &s->forces.items[s->forces.count++];
    const char* name = sar_arena_printf(&c->arena, "%s_e%d", b->name.text, i + 1);
    if (!name) return false;
    *f = (SpecForce){.name = {name, b->name.loc}, .kind = sar_force_kind_find("beam")};
    for (int end = 0; end < 2; end++)
      f->values[end] =
          (SpecValue){.loc = b->name.loc, .given = true, .name = part->node[i + end].name};
  }
  return true;
}

bool sar_expand_beams(Compile* c) {
  int nodes = 0;
  for (int i = 0; i < c->spec->beams.count; i++)
    if (!c->spec->beams.items[i].wrong) nodes += c->spec->beams.items[i].elements + 1;
  if (nodes == 0) return true;
  SarSpec* s = SAR_ARENA_NEW(&c->arena, SarSpec);
  c->beam = SAR_ARENA_ARRAY(&c->arena, BeamPart, c->spec->beams.count);
  if (!s || !c->beam) return false;
  *s = *c->spec;
  if (!SAR_LIST_COPY(&c->arena, &s->bodies, nodes) ||
      !SAR_LIST_COPY(&c->arena, &s->joints, nodes) ||
      !SAR_LIST_COPY(&c->arena, &s->forces, nodes + sar_count_beam_strips(s)))
    return false;
  for (int i = 0; i < s->beams.count; i++)
    if (!s->beams.items[i].wrong && !expand(c, s, &s->beams.items[i])) return false;
  c->spec = s;
  return sar_expand_beam_strips(c, s);
}

// ---- geometry -----------------------------------------------------------------------------------

// Pose of the point that the beam begins at, in the frame of its body.
static bool start_of(Compile* c, const BeamPart* b, V3* at) {
  const SpecBeam* spec = b->spec;
  const char* dot = spec->from.text ? strchr(spec->from.text, '.') : NULL;
  double x[3] = {0, 0, 0};
  for (int i = 0; i < 3 && spec->from_at[i].expr; i++)
    x[i] = sar_number(c, spec->from_at[i], b->item, "from", ANY_FINITE, 0);
  *at = v3_load(x);
  if (isnan(x[0] + x[1] + x[2])) return false;
  if (!dot) return true;
  const SpecName body = body_of(c, spec->from);
  if (!body.text) return false;
  const SpecFrame* frames = NULL;
  int count = 0;
  if (is_ground(body)) frames = c->spec->ground_frames.items, count = c->spec->ground_frames.count;
  for (int i = 0; i < c->nbody && !frames; i++)
    if (strcmp(c->body[i].item.name, body.text) == 0)
      frames = c->body[i].spec->frames.items, count = c->body[i].spec->frames.count;
  for (int i = 0; i < count; i++)
    if (frames[i].name.text && strcmp(frames[i].name.text, dot + 1) == 0) {
      *at = sar_pose(c, &frames[i].pose, b->item, "from").p;
      return !isnan(at->x + at->y + at->z);
    }
  sar_complain(c, b->item, spec->from.loc, "give [body, [x, y, z]], or name the point on the body",
               "from: body '%s' has no point '%s'", body.text, dot + 1);
  return false;
}

// x along the beam, y by axis2; without it z is as near to z of the frame as can be.
static bool axes_of(Compile* c, const BeamPart* b, V3 x, M3* R) {
  V3 y = sar_given(&b->spec->axis2)
             ? sar_direction(c, &b->spec->axis2, b->item, "axis2", v3(0, 1, 0))
             : v3_cross(v3(0, 0, 1), x);
  if (isnan(y.x)) return false;
  if (!sar_given(&b->spec->axis2) && v3_norm(y) < 1e-6) y = v3(0, 1, 0);
  y = v3_axpy(-v3_dot(x, y), x, y);
  if (v3_norm(y) < 1e-9) {
    sar_complain(c, b->item, b->spec->axis2.c[0].loc, "it is y of the sections, across the beam",
                 "'axis2' is along the beam");
    return false;
  }
  y = v3_unit(y);
  *R = m3_from_cols(x, y, v3_cross(x, y));
  return true;
}

static bool place_start(Compile* c, BeamPart* b, Xform* X) {
  const SpecBeam* spec = b->spec;
  V3 x = v3(1, 0, 0);
  if (!start_of(c, b, &X->p)) return false;
  if (sar_given(&spec->to)) {
    const V3 span = v3_sub(sar_vector(c, &spec->to, b->item, "to", v3_zero()), X->p);
    b->length = v3_norm(span);
    if (isnan(b->length)) return false;
    if (!(b->length > 0)) {
      sar_complain(c, b->item, spec->to.c[0].loc, "", "'to' is where the beam begins");
      return false;
    }
    x = v3_scale(1 / b->length, span);
  } else {
    b->length = sar_number(c, spec->length, b->item, "length", POSITIVE, 1);
    x = sar_direction(c, &spec->axis, b->item, "axis", x);
  }
  return !isnan(b->length + x.x) && axes_of(c, b, x, &X->R);
}

typedef struct Walk {
  const BeamPart* b;
  Xform X;
} Walk;

static Motion strain_at(const BeamPart* b, double s, double beside) {
  double k[3] = {0, 0, 0};
  if (b->curvature.columns) sar_span_at(&b->curvature, s, beside, k);
  return (Motion){v3_load(k), v3(1, 0, 0)};
}

// X' = X e(s): fourth-order Magnus steps; one is exact where the curvature is constant
static void walk_piece(void* context, double from, double to) {
  enum { STEPS = 8 };
  Walk* w = context;
  const double h = (to - from) / STEPS, middle = 0.5 * (from + to), g = 0.5 / sqrt(3);
  for (int i = 0; i < STEPS; i++) {
    const double s = from + (i + 0.5) * h;
    const Motion a = strain_at(w->b, s - g * h, middle), b = strain_at(w->b, s + g * h, middle);
    const Motion sum = motion_scale(0.5 * h, motion_add(a, b));
    const Motion turn = motion_scale(0.5 * g * h * h, crossm(a, b));
    w->X = x_mul(w->X, x_exp(motion_add(sum, turn)));
  }
}

// Poses of all sections at the nodes, the twist in them.
static bool place_nodes(Compile* c, BeamPart* b) {
  const int n = b->spec->elements;
  const BeamSpan* const spans[] = {&b->curvature};
  Walk w = {.b = b};
  b->s = SAR_ARENA_ARRAY(&c->arena, double, n + 1);
  b->X = SAR_ARENA_ARRAY(&c->arena, Xform, n + 1);
  if (!b->s || !b->X) return false;
  if (!place_start(c, b, &w.X) ||
      !sar_beam_span(c, b, &b->spec->curvature, "curvature", &b->curvature) ||
      !sar_beam_span(c, b, &b->spec->twist, "twist", &b->twist))
    return false;
  for (int i = 0; i <= n; i++) {
    double twist = 0;
    b->s[i] = b->length * i / n;
    if (i > 0 && b->curvature.columns)
      sar_beam_pieces(spans, 1, b->s[i - 1], b->s[i], walk_piece, &w);
    else if (i > 0)
      w.X.p = v3_axpy(b->s[i] - b->s[i - 1], m3_col_x(w.X.R), w.X.p);
    if (b->twist.columns) sar_span_at(&b->twist, b->s[i], b->s[i], &twist);
    b->X[i] = (Xform){m3_mul(w.X.R, m3_rot_x(cos(twist), sin(twist))), w.X.p};
  }
  return true;
}

// ---- numbers of bodies and forces ---------------------------------------------------------------

static SpecNum number(Compile* c, const BeamPart* b, double x) {
  return (SpecNum){sar_expr_number(&c->arena, x), b->item.loc};
}

static SpecVec3 vector(Compile* c, const BeamPart* b, V3 v) {
  return (SpecVec3){{number(c, b, v.x), number(c, b, v.y), number(c, b, v.z)}};
}

static bool fill_node(Compile* c, const BeamPart* b, int i, Inertia I) {
  SpecBody* node = &b->node[i];
  const Quat q = quat_from_m3(b->X[i].R);
  node->pose.r = SAR_ARENA_ARRAY(&c->arena, SpecNum, 4);
  if (!node->pose.r) return false;
  node->pose.at = vector(c, b, b->X[i].p);
  node->pose.rotation = SPEC_ROT_QUAT;
  node->pose.loc = b->item.loc;
  const double r[4] = {q.w, q.x, q.y, q.z};
  for (int k = 0; k < 4; k++) node->pose.r[k] = number(c, b, r[k]);
  const V3 com = v3_scale(1 / I.m, I.h);
  const S3 at = s3_scale(I.m, s3_of_point(com));
  const double J[6] = {I.I.xx - at.xx, I.I.yy - at.yy, I.I.zz - at.zz,
                       I.I.xy - at.xy, I.I.xz - at.xz, I.I.yz - at.yz};
  node->mass = number(c, b, I.m);
  node->com = vector(c, b, com);
  node->inertia_set = true;
  for (int k = 0; k < 6; k++) node->inertia[k] = number(c, b, J[k]);
  return true;
}

typedef struct Flexibility {
  const BeamPart* b;
  Motion d0;
  double from, length;  // of the element
  double F[36], C[36];  // of the element; of its sections, mean
  bool wrong;
} Flexibility;

static void add_piece(void* context, double from, double to) {
  Flexibility* f = context;
  double K[36], C[36];
  for (int g = 0; g < SAR_BEAM_GAUSS && !f->wrong; g++) {
    const double middle = 0.5 * (from + to), s = middle + (to - from) * sar_beam_gauss[g][0];
    sar_beam_section(f->b, s, middle, K);
    if (!sar_inverse6(K, C)) f->wrong = true;
    if (f->wrong) return;
    const double ds = (to - from) * sar_beam_gauss[g][1];
    sar_beam_add_flexibility(f->d0, (s - f->from) / f->length - 0.5, ds, C, f->F);
    for (int i = 0; i < 36; i++) f->C[i] += ds / f->length * C[i];
  }
}

static bool fill_numbers(Compile* c, const BeamPart* b, SpecValue* value, const double* x,
                         int count) {
  value->loc = b->item.loc;
  value->given = true;
  value->numbers = SAR_ARENA_ARRAY(&c->arena, SpecNum, count);
  if (!value->numbers) return false;
  value->count = count;
  for (int i = 0; i < count; i++) value->numbers[i] = number(c, b, x[i]);
  return true;
}

static bool fill_element(Compile* c, const BeamPart* b, int i) {
  static const int PLACE[6] = {3, 4, 5, 0, 1, 2};
  const BeamSpan* const spans[] = {&b->stiffness};
  Flexibility f = {.b = b, .from = b->s[i], .length = b->s[i + 1] - b->s[i]};
  double K[36], mean[36], element[36], section[36];
  f.d0 = x_log(x_mul(x_inv(b->X[i]), b->X[i + 1]));
  sar_beam_pieces(spans, 1, b->s[i], b->s[i + 1], add_piece, &f);
  if (f.wrong || !sar_beam_stiffness(f.d0, f.F, K) || !sar_inverse6(f.C, mean)) {
    sar_complain(c, b->item, b->spec->stiffness.loc,
                 "all of its eigenvalues are positive, equal entries across the diagonal",
                 "stiffness is not positive definite between s = %g and %g m", b->s[i],
                 b->s[i + 1]);
    return true;
  }
  for (int k = 0; k < 6; k++)
    for (int l = 0; l < 6; l++) {
      element[6 * k + l] = K[6 * PLACE[k] + PLACE[l]];
      section[6 * k + l] = mean[6 * PLACE[k] + PLACE[l]];
    }
  const double radius = sar_number(c, b->spec->radius, b->item, "radius", NOT_NEGATIVE, 0);
  SpecValue* values = b->force[i].values;
  if (!fill_numbers(c, b, &values[STIFFNESS], section, 36) ||
      !fill_numbers(c, b, &values[ELEMENT], element, 36))
    return false;
  if (b->spec->damping.numbers && !fill_numbers(c, b, &values[DAMPING], b->damping, 6))
    return false;
  return radius == 0 || fill_numbers(c, b, &values[RADIUS], &radius, 1);
}

static bool read_section(Compile* c, BeamPart* b) {
  const SpecBeam* s = b->spec;
  BeamSpan damping;
  // all of them are read, so that all errors are told
  bool sound = sar_beam_span(c, b, &s->stiffness, "stiffness", &b->stiffness);
  sound = sar_beam_span(c, b, &s->mass, "mass", &b->mass) && sound;
  sound = sar_beam_span(c, b, &s->com, "com", &b->com) && sound;
  sound = sar_beam_span(c, b, &s->inertia, "inertia", &b->inertia) && sound;
  sound = sar_beam_span(c, b, &s->damping, "damping", &damping) && sound;
  if (!sound) return false;
  for (int i = 0; i < 6 && damping.columns; i++) {
    b->damping[i] = damping.value[damping.columns == 6 ? i : 0];
    if (!(b->damping[i] >= 0)) {
      sar_complain(c, b->item, s->damping.loc, "", "damping must not be negative, but is %g",
                   b->damping[i]);
      return false;
    }
  }
  const int width = b->mass.columns + b->mass.table;
  for (int i = 0; i < b->mass.rows; i++) {
    const double m = b->mass.value[i * width + b->mass.table];
    if (m > 0) continue;
    sar_complain(c, b->item, s->mass.numbers[i * width + b->mass.table].loc, "",
                 "mass per length must be positive, but is %g", m);
    return false;
  }
  return true;
}

// False: memory ran out. What is wrong is reported.
static bool fill(Compile* c, BeamPart* b) {
  const int n = b->spec->elements;
  if (!place_nodes(c, b) || !read_section(c, b)) return !c->arena.failed;
  Inertia* I = SAR_ARENA_ARRAY(&c->arena, Inertia, n + 1);
  if (!I || !sar_beam_lumps(c, b, I)) return false;
  for (int i = 0; i <= n; i++)
    if (!fill_node(c, b, i, I[i])) return false;
  for (int i = 0; i < n; i++)
    if (!fill_element(c, b, i)) return false;
  return true;
}

bool sar_compile_beams(Compile* c) {
  for (int i = 0; i < c->nbeam; i++)
    if (!fill(c, &c->beam[i])) return false;
  return sar_fill_beam_strips(c);
}
