// Work and energy accounting of impulses (the books), in lumps: one that changes the speed of its
// row from a to b at the moment theta of a step does the work p (a + b) / 2, with
//
//   a = start + theta gained,   b = end - (1 - theta) gained
//
// gained being what forces do to the speed in the whole step. So no work of gravity is taken for
// that of the ground.
//
// What one impulse does depends on the others and on the way that all take together, which nobody
// knows of an impact; their sum does not. Along the straight way friction may seem to push where
// the normal impulse moves its point sideways, and a normal impulse where friction jams: each only
// hands on what the other gives, and neither is booked as a gain.
#include "base/block.h"
#include "formulations/impulse/laws.h"

#include <math.h>

static double work_of(const SarJump* jump, double p, double start, double before, double end) {
  return 0.5 * p * (start + end + (2 * jump->theta - 1) * (before - start));
}

double sar_row_work(const SarImpulses* p, const SarImpulseRow* row, const SarJump* jump) {
  return work_of(jump, row->p, row->start, row->before, sar_impulse_speed(p, row, p->v));
}

void sar_point_work(const SarPointRows* x, const double* impulse, const SarTwist* end,
                    const SarJump* jump, double work[3]) {
  double speed[3];
  sar_point_speeds(x, end, speed);
  for (int k = 0; k < 3; k++)
    work[k] = work_of(jump, impulse[k], x->start[k], x->before[k], speed[k]);
}

void sar_books_init(SarBooks* p, const SarModel* m, SarBlock* b) {
  *p = (SarBooks){.normal = -1, .friction = -1, .limits = -1, .overlap = -1};
  SAR_PIECE(b, p->losses, m->njoint);
  SAR_PIECE(b, p->drive, m->njoint);
  if (!b->memory) return;
  for (int j = 0; j < m->njoint; j++) p->losses[j] = p->drive[j] = -1;
  for (int i = 0; i < m->nwork; i++) {
    const SarWorkSource* w = &m->work[i];
    switch (w->kind) {
      case SAR_WORK_CONTACT_NORMAL: p->normal = i; break;
      case SAR_WORK_CONTACT_FRICTION: p->friction = i; break;
      case SAR_WORK_LIMITS: p->limits = i; break;
      case SAR_WORK_CONTACT_OVERLAP: p->overlap = i; break;
      case SAR_WORK_DISSIPATION: p->losses[w->index] = i; break;
      case SAR_WORK_DRIVE: p->drive[w->index] = i; break;
      default: break;
    }
  }
}

static int joint_account(const SarBooks* books, const SarModel* m, int owner) {
  const int joint = m->dof_body[owner / SAR_DOF_IMPULSES];
  switch (owner % SAR_DOF_IMPULSES) {
    case SAR_IMPULSE_FRICTION: return books->losses[joint];
    case SAR_IMPULSE_MOTOR: return books->drive[joint];
    default: return books->limits;
  }
}

static void book_face(const SarImpulses* p, const SarFace* face, const SarJump* jump,
                      double* normal, double* friction) {
  const SarTwist end = sar_face_twist(face, p->v_led);
  for (int i = face->first; i < face->first + face->count; i++) {
    double done[3];
    if (p->points.p[i][0] == 0) continue;
    sar_point_work(&p->points.point[i], p->points.p[i], &end, jump, done);
    *normal += done[0];
    *friction += done[1] + done[2];
  }
}

void sar_book_impulses(const SarBooks* books, const SarImpulses* p, const SarModel* m,
                       const SarJump* jump, int joints, int contacts, double jammed, double* work) {
  double normal = 0, friction = 0;  // of contacts
  for (int i = joints; i < contacts; i++) {
    const SarImpulseRow* row = &p->row[i];
    const int account = joint_account(books, m, row->owner);
    if (row->p != 0 && account >= 0) work[account] += sar_row_work(p, row, jump);
  }
  for (int i = contacts; i < p->count; i++) {
    const SarImpulseRow* row = &p->row[i];
    if (row->p != 0) *(row->limiter >= 0 ? &friction : &normal) += sar_row_work(p, row, jump);
  }
  for (int i = 0; i < p->points.faces; i++)
    book_face(p, &p->points.face[i], jump, &normal, &friction);
  if (p->impact && friction > 0) normal += friction, friction = 0;
  if (normal > 0 && friction < 0) {
    const double handed = fmin(normal, -friction);
    normal -= handed, friction += handed;
  }
  const double pushed = fmin(fmax(friction, 0), jammed);
  friction -= pushed;
  normal -= fmin(fmax(normal, 0), jammed - pushed);
  // an early jump: forces have taken m D^2 (1/2 - theta) from what rests, which gets it back
  // (contact_rows.c)
  if (jump->h > 0 && jump->theta < 0.5) normal = fmin(normal, 0), friction = fmin(friction, 0);
  if (books->normal >= 0) work[books->normal] += normal;
  if (books->friction >= 0) work[books->friction] += friction;
}
