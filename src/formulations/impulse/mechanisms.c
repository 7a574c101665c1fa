// Mechanisms of a step by impulses: the connected components of groups under the impulses that act
// in it, and what is known of each for its balance of energy (balance.h).
#include "formulations/impulse/balance.h"

#include "formulations/impulse/flight.h"

#include <math.h>

static const double NOTHING = 1e-9;  // of a Jacobian: rounding

// ---- groups -------------------------------------------------------------------------------------

int sar_group_of_body(const SarModel* m, const SarHeld* held, int body) {
  while (body >= 0 && m->joint_nv[body] == 0) body = m->body_parent[body];
  return body < 0 ? -1 : held->group_of[m->joint_vadr[body]];
}

// Is the energy of a force element a function of positions alone, its constants being constant?
// What it has beside that, its power, is a damper's.
static bool is_elastic(const SarModel* m, int force) {
  const SarForceKind* kind = m->force_kind[force];
  const SarAttrValue* value = sar_force_attr(m, force, 0);
  if (!kind->energy || !kind->regular || kind->states || kind->late) return false;
  for (int k = 0; k < kind->nattr; k++) switch (kind->attr[k].type) {
      case SAR_ATTR_SCALAR:
      case SAR_ATTR_VECTOR:
      case SAR_ATTR_MOTION:
        if (value[k].index >= 0) return false;
        break;
      case SAR_ATTR_LAW:
      case SAR_ATTR_CURVE:
        if (value[k].given) return false;
        break;
      case SAR_ATTR_ROAD: return false;
      default: break;
    }
  return true;
}

// The group that a force element acts within, by its tangent; -1: none, or more than one.
static int group_of_force(const SarModel* m, const SarHeld* held, int force) {
  int g = -1;
  for (int k = 0; k < m->ntangent; k++) {
    const SarTangentBlock* t = &m->tangent[k];
    const bool its = t->source == SAR_TANGENT_FORCE || t->source == SAR_TANGENT_COUPLED;
    if (!its || t->index != force) continue;
    for (int i = 0; i < t->num; i++) {
      const int at = held->group_of[m->tangent_dof[t->adr + i]];
      if (g >= 0 && at != g) return -1;
      g = at;
    }
  }
  return g;
}

// False: some force element is none that sar_balance counts.
static bool place_forces(SarBalance* x, const SarModel* m, const SarHeld* held) {
  for (int i = 0; i < m->nforce; i++) {
    x->force_group[i] = is_elastic(m, i) ? group_of_force(m, held, i) : -1;
    if (x->force_group[i] < 0) return false;
    x->tree[x->force_group[i]] = true;
  }
  return true;
}

// Nothing acts but what sar_balance counts, force elements aside.
static bool is_plain(const SarModel* m) {
  bool switched = false;
  for (int i = 0; i < m->nv_all; i++) switched = switched || (i >= m->nv && m->dof_damping[i] != 0);
  for (int j = m->nbody; j < m->njoint; j++) switched = switched || m->joint_passive[j];
  return !switched && m->nrotor == 0 && m->nmodal == 0 && m->nz == 0 && m->nknot == 0 &&
         m->field.kind == SAR_GRAVITY_UNIFORM;
}

static bool is_floating(const SarModel* m, int b) {
  if (m->body_parent[b] >= 0) return true;
  const int first = m->joint_vadr[b];
  if (m->joint_nv[b] != 6 || m->joint_nq[b] != 7 || m->joint_passive[b]) return false;
  for (int i = first; i < first + 6; i++)
    if (m->dof_armature[i] != 0) return false;
  return true;
}

static void look_at_joint(SarBalance* x, const SarModel* m, int b, int g) {
  const int first = m->joint_vadr[b], end = first + m->joint_nv[b];
  if (!sar_is_single_body(m, b)) x->tree[g] = true;
  if (!is_floating(m, b)) {
    const SarJointKind* kind = m->joint_kind[b];
    const bool plane =
        kind->nv == 3 && kind->coordinate[1] == SAR_LENGTH && kind->coordinate[2] == SAR_ANGLE;
    const bool planar = plane && !m->joint_passive[b];
    *(planar ? &x->planar[g] : &x->fixed[g]) = true;
  }
  for (int i = first; i < end; i++)
    if (m->dof_force_slot[i] >= 0 || (m->dof_damping[i] != 0 && m->joint_nv[b] != 1))
      x->known[g] = false;
}

static void forget_driven(SarBalance* x, const SarModel* m, const SarHeld* held) {
  for (int i = 0; i < m->nmotor; i++) {
    const int j = m->motor[i].joint;
    if (j < m->nbody) {
      const int g = sar_group_of_body(m, held, j);
      if (g >= 0) x->known[g] = false;
      continue;
    }
    for (int end = 0; end < 2; end++) {
      const int g = sar_group_of_body(m, held, m->cut[j - m->nbody].body[end]);
      if (g >= 0) x->known[g] = false;
    }
  }
  for (int r = 0; r < m->nrow; r++) {
    const int g = held->group_of_row[r];
    if (g >= 0 && m->constraint[m->row[r].constraint].drive) x->known[g] = false;
  }
}

void sar_balance_init(SarBalance* x, const SarModel* m, const SarHeld* held, SarBlock* b) {
  *x = (SarBalance){.any = false};
  SAR_PIECE(b, x->known, m->nv);
  SAR_PIECE(b, x->fixed, m->nv);
  SAR_PIECE(b, x->planar, m->nv);
  SAR_PIECE(b, x->tree, m->nv);
  SAR_PIECE(b, x->root, m->nv);
  SAR_PIECE(b, x->all, m->nv);
  SAR_PIECE(b, x->before, m->nv);
  SAR_PIECE(b, x->after, m->nv);
  SAR_PIECE(b, x->size, m->nv);
  SAR_PIECE(b, x->lift, m->nv);
  SAR_PIECE(b, x->kinetic, m->nv);
  SAR_PIECE(b, x->force_group, m->nforce);
  SAR_PIECE(b, x->work, m->nwork);
  SAR_PIECE(b, x->none, m->nwork);
  SAR_PIECE(b, x->q, m->nq_all);
  SAR_PIECE(b, x->v, m->nv);
  if (!b->memory) return;
  x->any = m->ncollider > 0 && held->direct;
  for (int g = 0; g < held->ngroup; g++) x->fixed[g] = x->planar[g] = x->tree[g] = false;
  for (int i = 0; i < m->nwork; i++) x->none[i] = 0;
  x->plain = is_plain(m) && place_forces(x, m, held);
  for (int g = 0; g < held->ngroup; g++) x->known[g] = x->plain;
  for (int i = 0; i < m->nbody; i++) {
    const int g = sar_group_of_body(m, held, i);
    if (g >= 0 && m->joint_nv[i] > 0) look_at_joint(x, m, i, g);
  }
  forget_driven(x, m, held);
}

// ---- components ---------------------------------------------------------------------------------

static int root_of(int* root, int g) {
  while (root[g] != g) g = root[g] = root[root[g]];
  return g;
}

static void unite(int* root, int a, int b) {
  const int x = root_of(root, a), y = root_of(root, b);
  if (x < y)
    root[y] = x;
  else
    root[x] = y;
}

SarMechanism* sar_mechanism_of(SarBalance* x, int g) { return &x->all[root_of(x->root, g)]; }

static bool acts(const SarImpulseRow* row) { return row->p != 0 || row->pseudo != 0; }

static int side_of(const SarHeld* held, const SarPoints* points, const SarFaceSide* side) {
  return side->first == points->ground ? -1 : held->group_of[side->first];
}

static bool face_acts(const SarPoints* points, const SarFace* f, bool* pushed) {
  bool any = false;
  for (int i = f->first; i < f->first + f->count; i++) {
    *pushed = *pushed || points->point[i].pseudo != 0;
    any = any || points->p[i][0] != 0 || points->point[i].pseudo != 0;
  }
  return any;
}

static void connect(SarBalance* x, const SarImpulses* rows) {
  const SarHeld* held = rows->held;
  for (int g = 0; g < held->ngroup; g++) x->root[g] = g;
  for (int i = 0; i < rows->count; i++) {
    const SarImpulseRow* row = &rows->row[i];
    for (int k = 1; k < row->parts && acts(row); k++)
      unite(x->root, held->group_of[row->part[0].first], held->group_of[row->part[k].first]);
  }
  for (int i = 0; i < rows->points.faces; i++) {
    const SarFace* f = &rows->points.face[i];
    const int a = side_of(held, &rows->points, &f->a), b = side_of(held, &rows->points, &f->b);
    bool pushed = false;
    if (a >= 0 && b >= 0 && face_acts(&rows->points, f, &pushed)) unite(x->root, a, b);
  }
}

static bool held_by_rows(const SarModel* m, const SarData* d, const SarHeld* held, int g) {
  const SarHeldGroup* group = &held->group[g];
  for (int k = 0; k < m->nrow_dof && group->rows > 0; k++) {
    const int dof = m->row_dof[k];
    if (dof < group->first || dof >= group->first + group->num) continue;
    if (m->dof_parent[m->joint_vadr[m->dof_body[dof]]] < 0 && fabs(d->Psi[k]) > NOTHING)
      return true;
  }
  return false;
}

static void gather_groups(SarBalance* x, const SarHeld* held, const SarModel* m, const SarData* d) {
  bool hosted = false;
  for (int i = 0; i < m->nv_all; i++) hosted = hosted || d->tau_host[i] != 0;
  for (int g = 0; g < held->ngroup; g++) x->all[g] = (SarMechanism){.known = true, .I = s3_zero()};
  for (int g = 0; g < held->ngroup; g++) {
    SarMechanism* z = sar_mechanism_of(x, g);
    z->known = z->known && x->known[g] && !hosted;
    z->tree = z->tree || x->tree[g];
    z->held = z->held || x->fixed[g] || held_by_rows(m, d, held, g);
    z->looped = z->looped || held->group[g].rows > 0;
    z->planar = z->planar || x->planar[g];
  }
}

static void gather_rows(SarBalance* x, const SarImpulses* rows, const SarModel* m, const SarData* d,
                        const SarJump* jump, int contacts) {
  const SarHeld* held = rows->held;
  for (int i = 0; i < rows->count; i++) {
    const SarImpulseRow* row = &rows->row[i];
    if (!acts(row)) continue;
    SarMechanism* z = sar_mechanism_of(x, held->group_of[row->part[0].first]);
    z->touched = true;
    z->known = z->known && row->soft == 0;  // a spring of its own
    z->pushed = z->pushed || row->pseudo != 0;
    if (z->known) {
      z->work += sar_row_work(rows, row, jump);
      z->effort += fabs(row->p) * (fabs(row->start) + fabs(row->before - row->start));
    }
    if (i < contacts) continue;
    const SarContact* c = &d->contact[row->owner / SAR_CONTACT_ROWS];
    z->held = z->held || sar_group_of_body(m, held, m->collider[c->a].body) < 0 ||
              sar_group_of_body(m, held, m->collider[c->b].body) < 0;
  }
}

static void gather_faces(SarBalance* x, const SarImpulses* rows, const SarJump* jump) {
  const SarPoints* points = &rows->points;
  for (int i = 0; i < points->faces; i++) {
    const SarFace* f = &points->face[i];
    const int a = side_of(rows->held, points, &f->a), b = side_of(rows->held, points, &f->b);
    SarMechanism* z = sar_mechanism_of(x, a >= 0 ? a : b);
    if (!face_acts(points, f, &z->pushed)) continue;
    z->touched = true;
    z->held = z->held || a < 0 || b < 0;
    if (!z->known) continue;
    const SarTwist end = sar_face_twist(f, rows->v_led);
    for (int k = f->first; k < f->first + f->count; k++) {
      double W[3];
      z->known = z->known && points->point[k].soft == 0;
      sar_point_work(&points->point[k], points->p[k], &end, jump, W);
      z->work += W[0] + W[1] + W[2];
      const SarPointRows* row = &points->point[k];
      z->effort += points->p[k][0] * (fabs(row->start[0]) + fabs(row->before[0] - row->start[0]));
    }
  }
}

// Of joints with one axis, as settle.c books it.
static void gather_dampers(SarBalance* x, const SarImpulses* rows, const SarModel* m,
                           const SarJump* jump) {
  for (int i = 0; i < m->nv; i++) {
    if (m->dof_damping[i] == 0) continue;
    const double v0 = jump->v0[i], dv = rows->v[i] - v0, w = rows->held->moment[i];
    const double f = -m->dof_damping[i] * (v0 + w * dv);
    sar_mechanism_of(x, rows->held->group_of[i])->lost += jump->h * f * (v0 + 0.5 * dv);
  }
}

// Of dampers in force elements: by the power at the jump, and what strong ones do beside that.
static void gather_forces(SarBalance* x, const SarImpulses* rows, const SarModel* m,
                          const SarData* d, const SarJump* jump) {
  const SarHeld* held = rows->held;
  if (m->nforce == 0 || !x->plain || jump->h == 0) return;
  for (int i = 0; i < m->nwork; i++) x->work[i] = jump->h * d->work_rate[i];
  sar_dampers_book(&held->dampers, m, jump->h, jump->v0, rows->v, x->none, x->work);
  for (int i = 0; i < m->nforce; i++)
    if (m->force_work[i] >= 0)
      sar_mechanism_of(x, x->force_group[i])->lost += x->work[m->force_work[i]];
}

static void gather_rest(SarBalance* x, const SarHeld* held, const SarModel* m,
                        const double* taken) {
  for (int b = 0; b < m->nbody; b++)
    if (taken[b] != 0) sar_mechanism_of(x, sar_group_of_body(m, held, b))->lost -= taken[b];
}

void sar_mechanisms_find(SarBalance* x, const SarImpulses* rows, const SarModel* m,
                         const SarData* d, const SarJump* jump, const double* taken, int contacts) {
  connect(x, rows);
  gather_groups(x, rows->held, m, d);
  gather_rows(x, rows, m, d, jump, contacts);
  gather_faces(x, rows, jump);
  gather_dampers(x, rows, m, jump);
  gather_forces(x, rows, m, d, jump);
  gather_rest(x, rows->held, m, taken);
}
