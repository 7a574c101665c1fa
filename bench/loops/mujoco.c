// MuJoCo's side: bodies in a tree of hinges, loops closed by 'connect' equality constraints.
//
// Its constraints are soft: they are made as stiff as the step allows (time constant of two or four steps, impedance
// near 1), and the equality solver is tried both ways. Bodies are placed with axes parallel to ground.
#include "loops.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Run {
  const Linkage* l;
  mjModel* m;
  mjData* d;
  int steps, drive, tip[MAX_POINTS], spring;
} Run;

typedef struct Method {
  const char* name;
  int integrator, solver;
  double time_constant;  // in steps
} Method;

// time constants below two steps need refsafe off; RK4 is stable down to about half a step
static const Method METHOD[] = {
    {"RK4 Newton", mjINT_RK4, mjSOL_NEWTON, 2},     {"RK4 Newton", mjINT_RK4, mjSOL_NEWTON, 1},
    {"RK4 Newton", mjINT_RK4, mjSOL_NEWTON, 0.7},   {"RK4 Newton", mjINT_RK4, mjSOL_NEWTON, 0.5},
    {"RK4 CG", mjINT_RK4, mjSOL_CG, 0.7},           {"RK4 PGS", mjINT_RK4, mjSOL_PGS, 0.7},
    {"Euler Newton", mjINT_EULER, mjSOL_NEWTON, 2}, {"Euler Newton", mjINT_EULER, mjSOL_NEWTON, 1},
};

static bool counts_steps(int method) {
  (void)method;
  return true;
}

static void describe(Setting s, double interval, char* text, int size) {
  snprintf(text, (size_t)size, "%s tc=%.2gh h=%.3g", METHOD[s.method].name,
           METHOD[s.method].time_constant, interval / s.fineness);
}

static char text[1 << 18];
static size_t used;

static void put(const char* format, ...) __attribute__((format(printf, 1, 2)));
static void put(const char* format, ...) {
  va_list args;
  va_start(args, format);
  used += (size_t)vsnprintf(text + used, sizeof text - used, format, args);
  va_end(args);
}

// joint in the tree that carries each body, -1: none yet; a joint whose child is ground is turned
static void span(const Linkage* l, int* carrier) {
  for (int i = 0; i < l->bodies; i++) carrier[i] = -1;
  for (bool more = true; more;) {
    more = false;
    for (int i = 0; i < l->joints; i++) {
      const Joint* j = &l->joint[i];
      if (j->b < 0 || carrier[j->b] >= 0 || (j->a >= 0 && carrier[j->a] < 0)) continue;
      carrier[j->b] = i;
      more = true;
    }
  }
}

static const char* axis_of(char axis) {
  return axis == 'x' ? "1 0 0" : axis == 'y' ? "0 1 0" : "0 0 1";
}

static void put_site(const Body* b, Point p, const char* name, const double* origin) {
  double R[9], x[3];
  mju_quat2Mat(R, b->quat);
  mju_rotVecMat(x, p.local, R);
  put("<site name='%s' pos='%.17g %.17g %.17g'/>\n", name, b->com[0] + x[0] - origin[0],
      b->com[1] + x[1] - origin[1], b->com[2] + x[2] - origin[2]);
}

static void put_body(const Linkage* l, const int* carrier, int i) {
  static const double ZERO[3];
  const Body* b = &l->body[i];
  const Joint* j = &l->joint[carrier[i]];
  const double* from = j->a < 0 ? ZERO : l->joint[carrier[j->a]].at;
  put("<body name='%s' pos='%.17g %.17g %.17g'>\n", b->name, j->at[0] - from[0], j->at[1] - from[1],
      j->at[2] - from[2]);
  put("<joint name='%s' type='hinge' axis='%s'/>\n", j->name, axis_of(j->axis));
  put("<inertial pos='%.17g %.17g %.17g' quat='%.17g %.17g %.17g %.17g' mass='%.17g' "
      "diaginertia='%.17g "
      "%.17g %.17g'/>\n",
      b->com[0] - j->at[0], b->com[1] - j->at[1], b->com[2] - j->at[2], b->quat[0], b->quat[1],
      b->quat[2], b->quat[3], b->mass, b->inertia[0], b->inertia[1], b->inertia[2]);
  for (int p = 0; p < l->points; p++) {
    char name[8];
    snprintf(name, sizeof name, "p%d", p);
    if (l->point[p].body == i) put_site(b, l->point[p], name, j->at);
  }
  if (l->spring.on && l->spring.end.body == i) put_site(b, l->spring.end, "spring", j->at);
  for (int k = 0; k < l->bodies; k++)
    if (carrier[k] >= 0 && l->joint[carrier[k]].a == i) put_body(l, carrier, k);
  put("</body>\n");
}

// a hinge in space is two points of its axis, one in a plane is one point
static void put_connect(const Linkage* l, const int* carrier, const Joint* j, bool planar) {
  const int held = j->b >= 0 ? j->b : j->a, other = j->b >= 0 ? j->a : j->b;
  const double* origin = l->joint[carrier[held]].at;
  for (int k = 0; k < (planar ? 1 : 2); k++)
    put("<connect body1='%s'%s%s%s anchor='%.17g %.17g %.17g'/>\n", l->body[held].name,
        other >= 0 ? " body2='" : "", other >= 0 ? l->body[other].name : "", other >= 0 ? "'" : "",
        j->at[0] - origin[0] + (k && j->axis == 'x'), j->at[1] - origin[1] + (k && j->axis == 'y'),
        j->at[2] - origin[2] + (k && j->axis == 'z'));
}

static void write_model(const Linkage* l, Setting s, double h) {
  const Method* method = &METHOD[s.method];
  int carrier[MAX_BODIES];
  bool planar = true;
  for (int i = 0; i < l->joints; i++) planar = planar && l->joint[i].axis == 'z';
  span(l, carrier);
  used = 0;
  put("<mujoco><compiler angle='radian' balanceinertia='true'/><size njmax='2000' nconmax='10'/>");
  put("<option timestep='%.17g' gravity='%.17g %.17g %.17g' tolerance='1e-12' iterations='100'>", h,
      l->gravity[0], l->gravity[1], l->gravity[2]);
  put("<flag contact='disable' refsafe='disable'/></option>\n<default><equality solref='%.17g 1' "
      "solimp='0.9999 0.9999 "
      "0.001'/></default>\n<worldbody>\n",
      method->time_constant * h);
  for (int i = 0; i < l->bodies; i++)
    if (l->joint[carrier[i]].a < 0) put_body(l, carrier, i);
  if (l->spring.on)
    put("<site name='anchor' pos='%.17g %.17g 0'/>", l->spring.ground[0], l->spring.ground[1]);
  put("</worldbody>\n<equality>\n");
  for (int i = 0; i < l->joints; i++) {
    const Joint* j = &l->joint[i];
    if (j->b < 0 || carrier[j->b] != i) put_connect(l, carrier, j, planar);
  }
  if (l->driven) put("<joint joint1='%s' polycoef='0 0 0 0 0'/>\n", l->joint[0].name);
  put("</equality>\n");
  if (l->spring.on)
    put("<tendon><spatial stiffness='%.17g' springlength='%.17g'><site site='anchor'/><site "
        "site='spring'/>"
        "</spatial></tendon>\n",
        l->spring.stiffness, l->spring.length);
  put("</mujoco>\n");
}

// instead of a line on the screen and in a log file: the run says by itself that it broke down
static void ignore(const char* message) { (void)message; }

static mjModel* compile(void) {
  char message[1000];
  mjVFS* files = malloc(sizeof *files);
  mj_defaultVFS(files);
  mj_makeEmptyFileVFS(files, "linkage.xml", (int)used);
  memcpy(files->filedata[mj_findFileVFS(files, "linkage.xml")], text, used);
  mjModel* m = mj_loadXML("linkage.xml", files, message, sizeof message);
  mj_deleteVFS(files);
  free(files);
  if (!m) {
    fprintf(stderr, "bench: MuJoCo: %s\n", message);
    exit(1);
  }
  return m;
}

static void* make(const Linkage* l, Setting s, double interval) {
  const double h = interval / s.fineness;
  mju_user_warning = ignore;
  write_model(l, s, h);
  Run* r = calloc(1, sizeof *r);
  r->l = l;
  r->m = compile();
  r->m->opt.integrator = METHOD[s.method].integrator;
  r->m->opt.solver = METHOD[s.method].solver;
  r->m->opt.jacobian = r->m->nv > 60 ? mjJAC_SPARSE : mjJAC_DENSE;
  r->d = mj_makeData(r->m);
  r->steps = (int)s.fineness;
  r->drive = l->driven ? r->m->neq - 1 : -1;
  for (int i = 0; i < l->joints; i++) {
    const int id = mj_name2id(r->m, mjOBJ_JOINT, l->joint[i].name);
    if (id < 0) continue;
    r->d->qvel[r->m->jnt_dofadr[id]] = l->joint[i].speed;
    r->d->qfrc_applied[r->m->jnt_dofadr[id]] = l->joint[i].torque;
  }
  for (int p = 0; p < l->points; p++) {
    char name[8];
    snprintf(name, sizeof name, "p%d", p);
    r->tip[p] = mj_name2id(r->m, mjOBJ_SITE, name);
  }
  return r;
}

static void look(Run* r, Sample* out) {
  const int id = mj_name2id(r->m, mjOBJ_JOINT, r->l->joint[0].name);
  r->m->opt.enableflags |= mjENBL_ENERGY;
  mj_forward(r->m, r->d);
  r->m->opt.enableflags &= ~mjENBL_ENERGY;
  out->t = r->d->time;
  out->energy = r->d->energy[0] + r->d->energy[1];
  out->angle = r->d->qpos[r->m->jnt_qposadr[id]];
  for (int p = 0; p < r->l->points; p++)
    memcpy(out->point[p], &r->d->site_xpos[3 * r->tip[p]], 3 * sizeof(double));
}

static bool run(void* of, int samples, double interval, Sample* out) {
  Run* r = of;
  (void)interval;
  for (int i = 0; i < samples; i++) {
    for (int k = 0; k < r->steps; k++) {
      // where the step leads, so that the angle is not a step late
      if (r->drive >= 0)
        r->m->eq_data[r->drive * mjNEQDATA] = drive_angle(r->d->time + r->m->opt.timestep);
      mj_step(r->m, r->d);
    }
    if (!isfinite(r->d->qpos[0]) || r->d->warning[mjWARN_BADQACC].number > 0) return false;
    if (out) look(r, &out[i]);
  }
  return true;
}

static void drop(void* of) {
  Run* r = of;
  mj_deleteData(r->d);
  mj_deleteModel(r->m);
  free(r);
}

const Engine engine_mujoco = {
    "MuJoCo", sizeof METHOD / sizeof *METHOD, counts_steps, describe, make, run, drop};
