// MuJoCo's side: the leanest sequence of its calls that gives each quantity.
#include "bench.h"

#ifndef SARRUS_HAVE_MUJOCO
#include <stddef.h>

Theirs* theirs_load(const char* path, const char* urdf, const Ours* o) {
  (void)path, (void)urdf, (void)o;
  return NULL;
}
Theirs* theirs_parse(const char* text, const Ours* o, char* why, size_t size) {
  (void)text, (void)o;
  if (size > 0) why[0] = '\0';
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
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct Theirs {
  mjModel* m;
  mjData* d;
  int *qadr, *vadr;  // where our coordinates are in theirs
  double *rhs, *M;
};

// Takes the model; NULL: it has not the joints of ours.
static Theirs* match(mjModel* m, const Ours* o, char* why, size_t size) {
  Theirs* t = calloc(1, sizeof *t);
  t->m = m;
  t->d = mj_makeData(m);
  const size_t nv = (size_t)o->nv;
  t->qadr = calloc((size_t)o->nq + 1, sizeof *t->qadr);
  t->vadr = calloc(nv + 1, sizeof *t->vadr);
  t->rhs = calloc(nv + 1, sizeof *t->rhs);
  t->M = calloc(nv * nv + 1, sizeof *t->M);
  bool same = m->nq == o->nq && m->nv == o->nv;
  if (!same) snprintf(why, size, "MuJoCo has %d coordinates, not %d", m->nv, o->nv);
  // constraints, contacts, sensors, actuators and passive forces are off: there are none
  m->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_CONTACT | mjDSBL_PASSIVE | mjDSBL_SENSOR |
                         mjDSBL_ACTUATION | mjDSBL_WARMSTART;
  m->opt.timestep = 1e-3;
  // the same joints have the same names
  for (int j = 0; same && j < sar_model_count(o->m, SAR_ITEM_JOINT); j++) {
    SarJointInfo info;
    sar_joint_info(o->m, j, &info);
    if (info.nv == 0) continue;
    int other = mj_name2id(m, mjOBJ_JOINT, info.name);
    if (other < 0) snprintf(why, size, "MuJoCo has no joint '%s'", info.name);
    same = other >= 0;
    for (int i = 0; same && i < info.nq; i++) t->qadr[info.qadr + i] = m->jnt_qposadr[other] + i;
    for (int i = 0; same && i < info.nv; i++) t->vadr[info.vadr + i] = m->jnt_dofadr[other] + i;
  }
  if (same) return t;
  theirs_free(t);
  return NULL;
}

// MuJoCo 2.2.2 reads XML up to 100 elements deep, and the bodies of an MJCF chain are nested: where
// that fails it gets the URDF, in which they stand side by side.
Theirs* theirs_load(const char* path, const char* urdf, const Ours* o) {
  char message[1000] = "";
  mjModel* m = mj_loadXML(path, NULL, message, sizeof message);
  if (!m) m = mj_loadXML(urdf, NULL, message, sizeof message);
  Theirs* t = m ? match(m, o, message, sizeof message) : NULL;
  if (!t) fail("%s: %s", path, message);
  return t;
}

// MuJoCo reads files: the text goes into one for a moment.
Theirs* theirs_parse(const char* text, const Ours* o, char* why, size_t size) {
  char path[] = "/tmp/sarrus_bench_XXXXXX.urdf";
  const int file = mkstemps(path, 5);
  if (file < 0) fail("%s: cannot be written", path);
  const ssize_t n = (ssize_t)strlen(text);
  const bool written = write(file, text, (size_t)n) == n;
  close(file);
  if (!written) fail("%s: cannot be written", path);
  mjModel* m = mj_loadXML(path, NULL, why, (int)size);
  unlink(path);
  return m ? match(m, o, why, size) : NULL;
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
