// MuJoCo's side: the leanest sequence of its calls that gives each quantity.
#include "bench.h"

#ifndef SARRUS_HAVE_MUJOCO
#include <stddef.h>

Theirs* theirs_load(const char* path, const char* urdf, const Ours* o) {
  (void)path, (void)urdf, (void)o;
  return NULL;
}
void theirs_free(Theirs* t) { (void)t; }
void theirs_set(Theirs* t, const Ours* o) { (void)t, (void)o; }
void theirs_call(Theirs* t, Task task) { (void)t, (void)task; }
double theirs_difference(Theirs* t, Ours* o) {
  (void)t, (void)o;
  return 0;
}
const char* theirs_version(void) { return "none"; }

#else
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdlib.h>
#include <string.h>

struct Theirs {
  mjModel* m;
  mjData* d;
  int *qadr, *vadr;  // where our coordinates are in theirs
  double *rhs, *M;
};

// MuJoCo 2.2.2 reads XML up to 100 elements deep, and the bodies of an MJCF chain are nested: where that
// fails it gets the URDF, in which they stand side by side.
Theirs* theirs_load(const char* path, const char* urdf, const Ours* o) {
  char message[1000];
  Theirs* t = calloc(1, sizeof *t);
  t->m = mj_loadXML(path, NULL, message, sizeof message);
  if (!t->m) t->m = mj_loadXML(urdf, NULL, message, sizeof message);
  if (!t->m) fail("MuJoCo: %s", message);
  if (t->m->nq != o->nq || t->m->nv != o->nv) fail("%s: other coordinates in MuJoCo", path);
  // constraints, contacts, sensors, actuators and passive forces are off: there are none
  t->m->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_CONTACT | mjDSBL_PASSIVE | mjDSBL_SENSOR |
                            mjDSBL_ACTUATION | mjDSBL_WARMSTART;
  t->m->opt.timestep = 1e-3;
  t->d = mj_makeData(t->m);
  const size_t nv = (size_t)o->nv;
  t->qadr = calloc((size_t)o->nq, sizeof *t->qadr);
  t->vadr = calloc(nv, sizeof *t->vadr);
  t->rhs = calloc(nv, sizeof *t->rhs);
  t->M = calloc(nv * nv, sizeof *t->M);
  // the same joints have the same names
  for (int j = 0; j < sar_model_count(o->m, SAR_ITEM_JOINT); j++) {
    SarJointInfo info;
    sar_joint_info(o->m, j, &info);
    if (info.nv == 0) continue;
    int other = mj_name2id(t->m, mjOBJ_JOINT, info.name);
    if (other < 0) fail("%s: MuJoCo has no joint '%s'", path, info.name);
    for (int i = 0; i < info.nq; i++) t->qadr[info.qadr + i] = t->m->jnt_qposadr[other] + i;
    for (int i = 0; i < info.nv; i++) t->vadr[info.vadr + i] = t->m->jnt_dofadr[other] + i;
  }
  return t;
}

void theirs_free(Theirs* t) {
  if (!t) return;
  mj_deleteData(t->d);
  mj_deleteModel(t->m);
  free(t->qadr);
  free(t->vadr);
  free(t->rhs);
  free(t->M);
  free(t);
}

void theirs_set(Theirs* t, const Ours* o) {
  for (int i = 0; i < o->nq; i++) t->d->qpos[t->qadr[i]] = sar_q(o->d)[i];
  for (int i = 0; i < o->nv; i++) {
    t->d->qvel[t->vadr[i]] = sar_v(o->d)[i];
    t->d->qfrc_applied[t->vadr[i]] = sar_tau(o->d)[i];
    t->d->qacc[t->vadr[i]] = o->a[i];
  }
}

void theirs_call(Theirs* t, Task task) {
  mjModel* m = t->m;
  mjData* d = t->d;
  if (task == STEP) {
    mj_step(m, d);
    return;
  }
  mj_kinematics(m, d);
  mj_comPos(m, d);
  switch (task) {
    case FORWARD:
      mj_crb(m, d);
      mj_factorM(m, d);
      mj_comVel(m, d);
      mj_rne(m, d, 0, d->qfrc_bias);
      for (int i = 0; i < m->nv; i++) t->rhs[i] = d->qfrc_applied[i] - d->qfrc_bias[i];
      mj_solveM(m, d, d->qacc, t->rhs, 1);
      break;
    case INVERSE:
      mj_comVel(m, d);
      mj_rne(m, d, 1, t->rhs);
      break;
    case MASS:
      mj_crb(m, d);
      mj_fullM(m, t->M, d->qM);
      break;
    default: break;
  }
}

double theirs_difference(Theirs* t, Ours* o) {
  theirs_set(t, o);
  theirs_call(t, FORWARD);
  ours_call(o, FORWARD);
  double difference = 0, scale = 1;
  for (int i = 0; i < o->nv; i++) {
    double a = sar_a(o->d)[i], b = t->d->qacc[t->vadr[i]];
    difference = fmax(difference, fabs(a - b));
    scale = fmax(scale, fabs(a));
  }
  return difference / scale;
}

const char* theirs_version(void) { return mj_versionString(); }
#endif
