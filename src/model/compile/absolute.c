// Joints of bodies' own: of those that no joint carries, of all in absolute coordinates, and of
// platforms in mixed ones.
//
// Absolute coordinates hang every body on ground and make all joints of the file constraints. Frame
// B then has its origin at the mass centre (and the axes of U, or of the plane), so that the mass
// matrix is block diagonal: m 1 for the positions, the constant inertia about the mass centre for
// the rotation. A body that no joint carries keeps its frame U there: its coordinates mean what the
// file says.
//
// The spanning tree of relative coordinates comes first all the same. It numbers the bodies, and
// the initial positions and speeds of its joints are carried outwards along it:
//   X_GB = X_GP X_PF X_FB(q0),   V_B = X_BP V_P + S v0
// The speeds once more where assembly has moved the bodies (sim/assemble_carry.c): the model keeps
// the order of that tree and the cuts that were its joints.
//
// Mixed coordinates do the same with platforms and wheel carriers alone, which the graph shows:
// bodies that three or more ball or universal joints hold, two of which close loops. Each leg is a
// loop of its own then, and none has more than its own unknowns and the platform's (Geike and
// McPhee 2003; Uchida and McPhee 2012).
#include "model/compile/parts.h"

#include <string.h>

// Axes of the plane: x y, x z or y z, and the normal that completes them to the right.
static M3 plane_axes(SarPlane plane) {
  const V3 x = v3(1, 0, 0), y = v3(0, 1, 0), z = v3(0, 0, 1);
  switch (plane) {
    case SAR_PLANE_XZ: return m3_from_cols(x, z, v3_neg(y));
    case SAR_PLANE_YZ: return m3_from_cols(y, z, x);
    default: return m3_identity();
  }
}

// A body with mass and nothing that could turn: no inertia, no extent, no joint that would turn it.
static bool is_point(const Compile* c, int body) {
  const BodyPart* b = &c->body[body];
  const SpecBody* s = b->spec;
  if (!(b->inertia.m > 0) || s->inertia_set || s->shapes.count || s->frames.count) return false;
  if (sar_given(&s->com) || sar_given(s->angular_velocity)) return false;
  for (int j = 0; j < c->njoint_spec; j++)
    if (c->joint[j].body[0] == body || c->joint[j].body[1] == body) return false;
  return true;
}

static const char* own_kind(const Compile* c, int body) {
  if (c->m.planar != SAR_SPATIAL) return "planar";
  return is_point(c, body) ? "cartesian" : "free";
}

JointPart sar_own_joint(const Compile* c, int body, V3 at) {
  const BodyPart* b = &c->body[body];
  JointPart p = {.item = {"joint", b->item.name, b->item.loc},
                 .body = {GROUND, body},
                 .sound = true,
                 .X_UF = {x_identity(), {m3_identity(), at}},
                 .mimic = -1,
                 .cut = -1};
  p.kind = sar_joint_kind_find(own_kind(c, body));
  if (c->m.planar != SAR_SPATIAL) {
    // F has its origin above that of ground, where the point is in its plane; B lies like F at
    // design
    M3 R = plane_axes(c->m.planar);
    V3 p_G = x_point(b->X_GU, at), n = m3_col_z(R);
    p.X_UF[0] = (Xform){R, v3_scale(v3_dot(n, p_G), n)};
    p.X_UF[1] = x_mul(x_inv(b->X_GU), (Xform){R, p_G});
  }
  // what does not turn has its axes along those of ground, however its frame is drawn
  if (strcmp(p.kind->name, "cartesian") == 0) p.X_UF[1].R = m3_transpose(b->X_GU.R);
  p.law = c->own_laws[p.kind->nv];
  sar_start_own_joint(&p, b->X_GU, motion_zero());
  memcpy(p.zero, p.value.q, sizeof p.zero);
  return p;
}

void sar_start_own_joint(JointPart* p, Xform X_GU, Motion V_U) {
  Xform X_FB = x_mul(x_inv(p->X_UF[0]), x_mul(X_GU, p->X_UF[1]));
  double near[SAR_JOINT_MAX_NQ];
  SarJointCalc calc;
  sar_joint_zero(p->kind, near);
  p->kind->coordinates(p->param, X_FB, near, p->value.q);
  p->kind->calc(p->param, p->value.q, NULL, &calc);
  // F stands still, and the axes of all these kinds are orthonormal
  Motion V = x_motion_inv(p->X_UF[1], V_U);
  for (int i = 0; i < p->kind->nv; i++)
    p->value.v[i] = v3_dot(calc.S[i].w, V.w) + v3_dot(calc.S[i].v, V.v);
}

// The pose of U in ground and the velocity of U in U of every body, at the start.
static void find_start(const SarModel* m, Xform* X_GU, Motion* V_U, Xform* X_GB, Motion* V_B) {
  for (int b = 0; b < m->nbody; b++) {
    int parent = m->body_parent[b];
    const double *q = &m->q0[m->joint_qadr[b]], *v = &m->v0[m->joint_vadr[b]];
    SarJointCalc calc;
    m->joint_kind[b]->calc(&m->joint_param[b * SAR_JOINT_MAX_PARAM], q, NULL, &calc);
    Xform X_PB = x_mul(m->body_X_PF[b], calc.X_FB);
    X_GB[b] = parent < 0 ? X_PB : x_mul(X_GB[parent], X_PB);
    V_B[b] = parent < 0 ? motion_zero() : x_motion_inv(X_PB, V_B[parent]);
    for (int i = 0; i < m->joint_nv[b]; i++)
      V_B[b] = motion_add(V_B[b], motion_scale(v[i], calc.S[i]));
    X_GU[b] = x_mul(X_GB[b], m->body_X_BU[b]);
    V_U[b] = x_motion_inv(m->body_X_BU[b], V_B[b]);
  }
}

// Cuts are in the order of their names.
static bool sort_cuts(Compile* c, SarTree* tree) {
  Named* named = SAR_ARENA_ARRAY(&c->arena, Named, tree->ncut + 1);
  if (!named) return false;
  for (int k = 0; k < tree->ncut; k++)
    named[k] = (Named){c->joint[tree->cut[k]].item.name, tree->cut[k]};
  sar_sort_named(named, tree->ncut);
  for (int k = 0; k < tree->ncut; k++) tree->cut[k] = named[k].index;
  return true;
}

// Modes and nodes stay with their modal body, which has coordinates of its own.
static bool is_inner(const JointPart* p) {
  return p->kind->cls == SAR_CLASS_MODE || p->kind->cls == SAR_CLASS_NODE;
}

static bool cut_all(Compile* c, SarTree* tree) {
  tree->ncut = 0;
  for (int k = 0; k < c->njoint_spec; k++) {
    const JointPart* p = &c->joint[k];
    if (is_inner(p)) continue;
    tree->cut[tree->ncut++] = k;
    if (sar_has_armature(p))
      sar_complain(c, p->item, sar_armature_loc(p), "use relative coordinates",
                   "'%s' is not offered in absolute coordinates",
                   p->spec->armature.count ? "armature" : "rotor");
  }
  return sort_cuts(c, tree);
}

// Gives the bodies of the tree that `own` counts (NULL: all) joints of their own; those of the file
// are cuts.
static bool let_go(Compile* c, SarTree* tree, const bool* own) {
  int n = c->m.nbody;
  Xform* X_GU = SAR_ARENA_ARRAY(&c->arena, Xform, n + 1);
  Xform* X_GB = SAR_ARENA_ARRAY(&c->arena, Xform, n + 1);
  Motion* V_U = SAR_ARENA_ARRAY(&c->arena, Motion, n + 1);
  Motion* V_B = SAR_ARENA_ARRAY(&c->arena, Motion, n + 1);
  c->carried = SAR_ARENA_ARRAY(&c->arena, int, n + 1);
  c->carrier = SAR_ARENA_ARRAY(&c->arena, int, n + 1);
  if (c->arena.failed || !sar_joints_room(c, n)) return false;
  find_start(&c->m, X_GU, V_U, X_GB, V_B);
  for (int i = 0; i < n; i++) {
    c->carried[i] = tree->body[i];
    c->carrier[i] = -1;
    if (own && !own[i]) continue;
    if (is_inner(&c->joint[tree->joint[i]])) continue;
    int body = tree->body[i];
    const BodyPart* b = &c->body[body];
    tree->parent[i] = GROUND;
    tree->turned[i] = false;
    if (!c->joint[tree->joint[i]].spec) continue;
    V3 com = b->inertia.m > 0 ? v3_scale(1 / b->inertia.m, b->inertia.h) : v3_zero();
    c->carrier[i] = tree->joint[i];
    if (own) tree->cut[tree->ncut++] = tree->joint[i];
    JointPart* p = &c->joint[c->njoint];
    *p = sar_own_joint(c, body, com);
    sar_start_own_joint(p, X_GU[i], V_U[i]);
    tree->joint[i] = c->njoint++;
  }
  return true;
}

// Numbers subtrees without gaps again: what hung on nodes has gone, and modes and nodes follow the
// body they are of. A stable sort by that body.
static bool close_ranks(Compile* c, SarTree* tree) {
  const int n = c->m.nbody;
  int* root = SAR_ARENA_ARRAY(&c->arena, int, n + 1);
  int* place = SAR_ARENA_ARRAY(&c->arena, int, n + 2);
  int* number = SAR_ARENA_ARRAY(&c->arena, int, n + 1);
  int* old = SAR_ARENA_ARRAY(&c->arena, int, 5 * (size_t)n + 1);
  if (c->arena.failed) return false;
  for (int i = 0; i < n; i++) {
    root[i] =
        is_inner(&c->joint[tree->joint[i]]) && tree->parent[i] >= 0 ? root[tree->parent[i]] : i;
    place[root[i] + 1]++;
  }
  for (int i = 0; i < n; i++) place[i + 1] += place[i];
  for (int i = 0; i < n; i++) {
    number[i] = place[root[i]]++;
    const int row[5] = {tree->body[i], tree->joint[i], tree->parent[i], c->body_at[i],
                        c->joint_of[i]};
    memcpy(&old[5 * i], row, sizeof row);
  }
  for (int i = 0; i < n; i++) {
    const int* row = &old[5 * i];
    const int k = number[i];
    tree->body[k] = row[0];
    tree->joint[k] = row[1];
    tree->parent[k] = row[2] < 0 ? row[2] : number[row[2]];
    tree->number[row[0]] = k;
    tree->turned[k] = false;
    c->body_at[k] = row[3];
    c->joint_of[k] = row[4];
  }
  return true;
}

// The tree of relative coordinates in the numbers of the model.
static void keep_carriers(Compile* c, const SarTree* tree) {
  for (int i = 0; i < c->m.nbody; i++) {
    const int b = tree->number[c->carried[i]];
    c->m.start_body[i] = b;
    c->m.start_cut[b] = c->carrier[i] < 0 ? -1 : c->joint[c->carrier[i]].cut;
  }
}

bool sar_compile_absolute(Compile* c, SarTree* tree) {
  if (!let_go(c, tree, NULL) || (c->m.nmodal > 0 && !close_ranks(c, tree)) || !cut_all(c, tree) ||
      !sar_compile_arrays(c, tree))
    return false;
  keep_carriers(c, tree);
  return sar_compile_modals(c);
}

// ---- platforms ----------------------------------------------------------------------------------

// A joint that a leg ends with: it holds a point and leaves two or three rotations.
static bool ends_leg(const JointPart* p) {
  return strcmp(p->kind->name, "spherical") == 0 || strcmp(p->kind->name, "universal") == 0;
}

static bool joins(const Compile* c, const JointPart* p, int body) {
  for (int end = 0; end < 2; end++)
    if (p->body[end] >= 0 && c->body[p->body[end]].root == body) return true;
  return false;
}

static bool is_platform(const Compile* c, const SarTree* tree, int i) {
  const JointPart* p = &c->joint[tree->joint[i]];
  int legs = 0;
  if (c->m.planar != SAR_SPATIAL || tree->parent[i] < 0 || !p->spec || !ends_leg(p)) return false;
  // a joint whose coordinates matter to somebody keeps them
  if (p->measured || sar_has_values(p) || sar_has_armature(p)) return false;
  for (int k = 0; k < tree->ncut; k++) {
    const JointPart* cut = &c->joint[tree->cut[k]];
    legs += ends_leg(cut) && joins(c, cut, tree->body[i]);
  }
  return legs >= 2;
}

bool sar_compile_mixed(Compile* c, SarTree* tree) {
  // a platform on a node would leave a gap among the nodes: such models stay relative
  if (c->m.nmodal > 0) return true;
  bool* own = SAR_ARENA_ARRAY(&c->arena, bool, c->m.nbody + 1);
  if (!own) return false;
  for (int i = 0; i < c->m.nbody; i++) {
    own[i] = is_platform(c, tree, i);
    c->m.platforms += own[i];
  }
  if (c->m.platforms == 0) return true;
  if (!let_go(c, tree, own) || !sort_cuts(c, tree) || !sar_compile_arrays(c, tree)) return false;
  keep_carriers(c, tree);
  return true;
}
