// Links between two ball joints (RSSR, tie rods): the loop through one says no more of the rest of
// the mechanism than the distance of its ends, and the link then points from one to the other.
//
//   |p_T - c|^2 = |a|^2        constant-distance equation: the link's unknowns are gone
//   R r a = p_T - c            r: how far the link has to turn, about axes that are unknown
//
// Of the three coordinates of the ball joint two follow and one, the spin, is known: r has no part
// about the body axis k of that one. With r_0 the shortest turn, r = r_0 (cos + a^ sin), and r_k =
// 0 gives
//
//   tan = -v_k / (w a^_k + (v x a^)_k)          r_0 = (w, v) as a quaternion
//
// Source: Uchida and McPhee 2012, eq. 15; Simionescu and Beale 2002.
#include "loops/plan.h"

#include <math.h>
#include <string.h>

// of the denominator: turning about the known axis alone would aim the link
static const double WEAK = 0.05;

// ---- the plan -----------------------------------------------------------------------------------

const SarTerm* sar_loop_term(const SarModel* m, int row) {
  const SarTerm* found = NULL;
  for (int i = 0; i < m->nterm; i++)
    if (m->term[i].row == row) {
      if (found) return NULL;
      found = &m->term[i];
    }
  return found;
}

static bool is_beyond(const SarModel* m, int body, int link) {
  for (; body >= 0; body = m->body_parent[body])
    if (body == link) return true;
  return false;
}

// Rows of the block that move with the link: three of one point and no others. Their pair; -1: not
// so.
static int pair_of(const SarModel* m, const SarLoopBlock* k, int link) {
  int pair = -1, rows = 0;
  for (int i = 0; i < k->size; i++) {
    bool moves = false;
    for (int e = m->row_adr[k->row[i]]; e < m->row_adr[k->row[i] + 1]; e++)
      moves = moves || m->dof_body[m->row_dof[e]] == link;
    if (!moves) continue;
    const SarTerm* t = sar_loop_term(m, k->row[i]);
    const SarRow* r = &m->row[k->row[i]];
    if (!t || t->kind != SAR_TERM_ALONG || r->constant != 0 || r->slot >= 0) return -1;
    if (rows++ > 0 && t->pair != pair) return -1;
    pair = t->pair;
  }
  return rows == 3 ? pair : -1;
}

bool sar_loop_find_aim(const SarModel* m, const SarLoopBlock* k, int link, SarLoopAim* out) {
  const int first = m->joint_vadr[link];
  int unknown[3] = {0, 0, 0}, count = 0;
  if (strcmp(m->joint_kind[link]->name, "spherical") != 0) return false;
  for (int j = 0; j < k->size; j++)
    if (m->dof_body[k->dof[j]] == link) unknown[k->dof[j] - first] = 1, count++;
  const int pair = count == 2 ? pair_of(m, k, link) : -1;
  if (pair < 0) return false;
  const SarPair* p = &m->pair[pair];
  const int side = p->body[0] == link ? 0 : 1;
  if (p->body[side] != link || is_beyond(m, p->body[1 - side], link)) return false;
  *out = (SarLoopAim){.link = link,
                      .pair = pair,
                      .target = p->body[1 - side],
                      .arm = p->point[side],
                      .at = p->point[1 - side],
                      .held = !unknown[0]   ? 0
                              : !unknown[1] ? 1
                                            : 2};
  return v3_norm(out->arm) > 0;
}

// ---- the solution -------------------------------------------------------------------------------

static double component(V3 v, int k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; }

// The turn of a onto d, both of unit length, without a part about axis k; as a rotation vector.
static bool find_turn(V3 a, V3 d, int k, double* xi) {
  double w = sqrt(fmax(0, 0.5 * (1 + v3_dot(a, d))));
  if (w < 0.5) return false;  // by more than two thirds of a half turn: another branch
  V3 v = v3_scale(0.5 / w, v3_cross(a, d));
  const double below = w * component(a, k) + component(v3_cross(v, a), k);
  if (fabs(below) < WEAK) return false;
  const double angle = atan(-component(v, k) / below), c = cos(angle), s = sin(angle);
  // (w, v)(c, s a)
  const double scalar = w * c - s * v3_dot(v, a);
  v = v3_add(v3_add(v3_scale(w * s, a), v3_scale(c, v)), v3_scale(s, v3_cross(v, a)));
  const double size = v3_norm(v), turn = 2 * atan2(size, scalar);
  v = size > 0 ? v3_scale(turn / size, v) : v;
  xi[0] = v.x, xi[1] = v.y, xi[2] = v.z;
  return turn < 2;
}

bool sar_loop_aim(const SarModel* m, const SarLoopAim* aim, const Xform* pose, double* q) {
  const Xform X_GL = pose[aim->link];  // its origin is the centre of the ball joint
  const V3 p = aim->target < 0 ? aim->at : x_point(pose[aim->target], aim->at);
  const V3 d = x_point_inv(X_GL, p);
  double xi[SAR_JOINT_MAX_NV] = {0}, turned[SAR_JOINT_MAX_NQ];
  double* at = &q[m->joint_qadr[aim->link]];
  if (!(v3_norm(d) > 0) || !find_turn(v3_unit(aim->arm), v3_unit(d), aim->held, xi)) return false;
  sar_joint_retract(m->joint_kind[aim->link], &m->joint_param[aim->link * SAR_JOINT_MAX_PARAM], at,
                    xi, turned);
  memcpy(at, turned, (size_t)m->joint_nq[aim->link] * sizeof *at);
  return true;
}
