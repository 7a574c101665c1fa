// MuJoCo's side: bodies in a tree of hinges, loops closed by 'connect' equality constraints.
//
// Its constraints are soft: they are made as stiff as the step allows (impedance near 1). Bodies
// are placed with axes parallel to ground.
#include "loops.h"
#include "text.h"

#include <math.h>
#include <mujoco/mujoco.h>
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
  double time_constant, damping;  // in steps; ratio
} Method;

// Time constants below two steps need refsafe off; RK4 is stable down to about half a step. The
// equation of a constraint leaves J' v out, so it trails by J' v / k, k = 1 / (time constant *
// damping)^2, which is of second order in the step also with RK4: the stiffest is the best where
// speeds are high.
static const Method METHOD[] = {
    {"RK4 Newton", mjINT_RK4, mjSOL_NEWTON, 2, 1},
    {"RK4 Newton", mjINT_RK4, mjSOL_NEWTON, 1, 1},
    {"RK4 Newton", mjINT_RK4, mjSOL_NEWTON, 0.7, 1},
    {"RK4 Newton", mjINT_RK4, mjSOL_NEWTON, 0.5, 1},
    {"RK4 Newton", mjINT_RK4, mjSOL_NEWTON, 0.7, 0.7},
    {"RK4 Newton", mjINT_RK4, mjSOL_NEWTON, 1, 0.5},
    {"RK4 Newton", mjINT_RK4, mjSOL_NEWTON, 1.4, 0.35},
    {"RK4 CG", mjINT_RK4, mjSOL_CG, 1, 1},
    {"RK4 CG", mjINT_RK4, mjSOL_CG, 0.7, 1},
    {"RK4 PGS", mjINT_RK4, mjSOL_PGS, 1, 1},
    {"RK4 PGS", mjINT_RK4, mjSOL_PGS, 0.7, 1},
    {"Euler Newton", mjINT_EULER, mjSOL_NEWTON, 2, 1},
    {"Euler Newton", mjINT_EULER, mjSOL_NEWTON, 1, 1},
    {"Euler PGS", mjINT_EULER, mjSOL_PGS, 1, 1},
    {"implicit Newton", mjINT_IMPLICIT, mjSOL_NEWTON, 1, 1},
};
enum { METHODS = sizeof METHOD / sizeof *METHOD };

// Each of them with dense and with sparse matrices.
static const Method* method_of(Setting s) { return &METHOD[s.method / 2]; }
enum { WORTH_SPARSE = 20 };  // bodies
static bool is_sparse(Setting s) { return s.method % 2; }

static bool counts_steps(int method) {
  (void)method;
  return true;
}

static void describe(Setting s, double interval, char* text, int size) {
  const Method* m = method_of(s);
  snprintf(text, (size_t)size, "%s%s tc=%.2gh damping=%.2g h=%.3g", m->name,
           is_sparse(s) ? " sparse" : "", m->time_constant, m->damping, interval / s.fineness);
}

static const char* axis_of(char axis) {
  return axis == 'x' ? "1 0 0" : axis == 'y' ? "0 1 0" : "0 0 1";
}

static void put_site(Text* t, const Body* b, Point p, const char* name, const double* origin) {
  double R[9], x[3];
  mju_quat2Mat(R, b->quat);
  mju_rotVecMat(x, p.local, R);
  text_put(t, "<site name='%s' pos='%.17g %.17g %.17g'/>\n", name, b->com[0] + x[0] - origin[0],
           b->com[1] + x[1] - origin[1], b->com[2] + x[2] - origin[2]);
}

static void put_body(Text* t, const Linkage* l, const int* carrier, int i) {
  static const double ZERO[3];
  const Body* b = &l->body[i];
  const Joint* j = &l->joint[carrier[i]];
  const double* from = j->a < 0 ? ZERO : l->joint[carrier[j->a]].at;
  text_put(t, "<body name='%s' pos='%.17g %.17g %.17g'>\n", b->name, j->at[0] - from[0],
           j->at[1] - from[1], j->at[2] - from[2]);
  text_put(t, "<joint name='%s' type='hinge' axis='%s'/>\n", j->name, axis_of(j->axis));
  text_put(t,
           "<inertial pos='%.17g %.17g %.17g' quat='%.17g %.17g %.17g %.17g' mass='%.17g' "
           "diaginertia='%.17g %.17g %.17g'/>\n",
           b->com[0] - j->at[0], b->com[1] - j->at[1], b->com[2] - j->at[2], b->quat[0], b->quat[1],
           b->quat[2], b->quat[3], b->mass, b->inertia[0], b->inertia[1], b->inertia[2]);
  for (int p = 0; p < l->points; p++) {
    char name[8];
    snprintf(name, sizeof name, "p%d", p);
    if (l->point[p].body == i) put_site(t, b, l->point[p], name, j->at);
  }
  if (l->spring.on && l->spring.end.body == i) put_site(t, b, l->spring.end, "spring", j->at);
  for (int k = 0; k < l->bodies; k++)
    if (carrier[k] >= 0 && l->joint[carrier[k]].a == i) put_body(t, l, carrier, k);
  text_put(t, "</body>\n");
}

// a hinge in space is two points of its axis, one in a plane is one point
static void put_connect(Text* t, const Linkage* l, const int* carrier, const Joint* j,
                        bool planar) {
  const int held = j->b >= 0 ? j->b : j->a, other = j->b >= 0 ? j->a : j->b;
  const double* origin = l->joint[carrier[held]].at;
  for (int k = 0; k < (planar ? 1 : 2); k++)
    text_put(t, "<connect body1='%s'%s%s%s anchor='%.17g %.17g %.17g'/>\n", l->body[held].name,
             other >= 0 ? " body2='" : "", other >= 0 ? l->body[other].name : "",
             other >= 0 ? "'" : "", j->at[0] - origin[0] + (k && j->axis == 'x'),
             j->at[1] - origin[1] + (k && j->axis == 'y'),
             j->at[2] - origin[2] + (k && j->axis == 'z'));
}

static void write_model(Text* t, const Linkage* l, Setting s, double h) {
  const Method* method = method_of(s);
  int carrier[MAX_BODIES];
  const bool planar = linkage_is_planar(l);
  linkage_span(l, carrier);
  text_put(t,
           "<mujoco><compiler angle='radian' balanceinertia='true'/><size njmax='%d' nconmax='1'/>",
           6 * (l->joints - l->bodies) + 8);
  text_put(
      t, "<option timestep='%.17g' gravity='%.17g %.17g %.17g' tolerance='1e-12' iterations='100'>",
      h, l->gravity[0], l->gravity[1], l->gravity[2]);
  text_put(
      t,
      "<flag contact='disable' refsafe='disable'/></option>\n<default><equality solref='%.17g %g' "
      "solimp='0.9999 0.9999 0.001'/></default>\n<worldbody>\n",
      method->time_constant * h, method->damping);
  for (int i = 0; i < l->bodies; i++)
    if (l->joint[carrier[i]].a < 0) put_body(t, l, carrier, i);
  if (l->spring.on)
    text_put(t, "<site name='anchor' pos='%.17g %.17g 0'/>", l->spring.ground[0],
             l->spring.ground[1]);
  text_put(t, "</worldbody>\n<equality>\n");
  for (int i = 0; i < l->joints; i++) {
    const Joint* j = &l->joint[i];
    if (j->b < 0 || carrier[j->b] != i) put_connect(t, l, carrier, j, planar);
  }
  if (l->driven) text_put(t, "<joint joint1='%s' polycoef='0 0 0 0 0'/>\n", l->joint[0].name);
  text_put(t, "</equality>\n");
  if (l->spring.on)
    text_put(t,
             "<tendon><spatial stiffness='%.17g' springlength='%.17g'><site site='anchor'/><site "
             "site='spring'/>"
             "</spatial></tendon>\n",
             l->spring.stiffness, l->spring.length);
  text_put(t, "</mujoco>\n");
}

// instead of a line on the screen and in a log file: the run says by itself that it broke down
static void ignore(const char* message) { (void)message; }

static mjModel* compile(const Text* t) {
  char message[1000];
  mjVFS* files = malloc(sizeof *files);
  mj_defaultVFS(files);
  mj_makeEmptyFileVFS(files, "linkage.xml", (int)t->used);
  memcpy(files->filedata[mj_findFileVFS(files, "linkage.xml")], t->start, t->used);
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
  if (is_sparse(s) && l->bodies < WORTH_SPARSE) return NULL;
  const double h = interval / s.fineness;
  mju_user_warning = ignore;
  static char text[1 << 18];
  Text t = {text, 0, sizeof text};
  write_model(&t, l, s, h);
  Run* r = calloc(1, sizeof *r);
  r->l = l;
  r->m = compile(&t);
  r->m->opt.integrator = method_of(s)->integrator;
  r->m->opt.solver = method_of(s)->solver;
  r->m->opt.jacobian = is_sparse(s) ? mjJAC_SPARSE : mjJAC_DENSE;
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

static void look(void* of, Sample* out) {
  Run* r = of;
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

static bool advance(void* of, int i, double interval) {
  Run* r = of;
  (void)i, (void)interval;
  for (int k = 0; k < r->steps; k++) {
    // where the step leads, so that the angle is not a step late
    if (r->drive >= 0)
      r->m->eq_data[r->drive * mjNEQDATA] = drive_angle(r->d->time + r->m->opt.timestep);
    mj_step(r->m, r->d);
  }
  return isfinite(r->d->qpos[0]) && r->d->warning[mjWARN_BADQACC].number == 0;
}

static void drop(void* of) {
  Run* r = of;
  mj_deleteData(r->d);
  mj_deleteModel(r->m);
  free(r);
}

const Engine engine_mujoco = {"MuJoCo", 2 * METHODS, true, counts_steps, describe,
                              make,     advance,     look, drop};
