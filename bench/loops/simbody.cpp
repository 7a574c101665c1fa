// Simbody's side: pin mobilizers in a tree, loops closed by constraints; in a plane by two rows
// each, so that none is redundant. Its integrators control their errors and project.
#include "loops.h"

#include <Simbody.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

using namespace SimTK;

namespace {

// Those of first order take minutes where these take seconds, and CPODES leaves the branch.
enum Integrators { MERSON, RK3, VERLET, FELDBERG };
const char* const NAME[] = {"RungeKuttaMerson", "RungeKutta3", "Verlet", "RungeKuttaFeldberg"};

// How a hinge in space closes a loop: a ball and the angles of its axis with both normals, or with
// the second only. Bricard's loop has one row too many; with the first alone it leaves the branch.
enum Closing { BOTH, ONE };
const char* const CLOSING[] = {"", " 4 rows"};

struct Method {
  Integrators integrator;
  bool fixed;     // steps; else accuracy
  double within;  // tolerance of constraints over accuracy
  Closing closing;
};

std::vector<Method> all_methods() {
  std::vector<Method> all;
  for (const Closing c : {ONE, BOTH})
    for (const Integrators i : {MERSON, FELDBERG, RK3, VERLET}) {
      for (const double within : {0.1, 1.0}) all.push_back({i, false, within, c});
      all.push_back({i, true, 0.1, c});
    }
  return all;
}
const std::vector<Method> METHOD = all_methods();

const double FIXED_TOLERANCE = 1e-4;
const int MAX_STEPS = 500;  // in an interval: it got stuck

struct Run {
  const Linkage* l;
  MultibodySystem system;
  SimbodyMatterSubsystem matter;
  GeneralForceSubsystem forces;
  std::vector<MobilizedBody> body;
  std::vector<Vec3> origin;  // of the frame of each body, at the design position
  std::unique_ptr<Integrator> integrator;
  double start;  // q of joint 0 at the design position
  explicit Run(const Linkage* linkage) : l(linkage), matter(system), forces(system), start(0) {}
};

bool counts_steps(int method) { return METHOD[method].fixed; }

void describe(Setting s, double interval, char* text, int size) {
  const Method& m = METHOD[s.method];
  const char* closing = CLOSING[m.closing];
  if (m.fixed)
    std::snprintf(text, size, "%s%s tol=%.0e h=%.3g", NAME[m.integrator], closing,
                  FIXED_TOLERANCE * m.within, interval / s.fineness);
  else
    std::snprintf(text, size, "%s%s acc=%.2g tol=%.2g", NAME[m.integrator], closing,
                  std::pow(10, -s.fineness), m.within * std::pow(10, -s.fineness));
}

Vec3 vec(const double* x) { return Vec3(x[0], x[1], x[2]); }

// z along the axis
Rotation along(char axis) {
  const UnitVec3 a(axis == 'x', axis == 'y', axis == 'z');
  return Rotation(a, ZAxis);
}

Rotation turned(const double* quat) {
  return Rotation(Quaternion(quat[0], quat[1], quat[2], quat[3]));
}

// bodies have axes parallel to ground at the design position and their origin at the joint
void add_body(Run& r, int i, int j) {
  const ::Body& b = r.l->body[i];
  const Joint& joint = r.l->joint[j];
  const Vec3 at = vec(joint.at), com = vec(b.com) - at;
  const Rotation R = turned(b.quat);
  const Inertia central = Inertia(b.inertia[0], b.inertia[1], b.inertia[2]).reexpress(~R);
  const ::SimTK::Body::Rigid rigid(
      MassProperties(b.mass, com, central.shiftFromMassCenter(com, b.mass)));
  const Rotation A = along(joint.axis);
  const bool drive = r.l->driven && j == 0;
  const Rotation M = drive ? Rotation(-Pi / 3, ZAxis) : A;
  MobilizedBody& parent =
      joint.a < 0 ? static_cast<MobilizedBody&>(r.matter.updGround()) : r.body[joint.a];
  const Vec3 from = joint.a < 0 ? Vec3(0) : r.origin[joint.a];
  r.body[i] = MobilizedBody::Pin(parent, Transform(A, at - from), rigid, Transform(M, Vec3(0)));
  r.origin[i] = at;
  if (drive) {
    Motion::Sinusoid(r.body[i], Motion::Position, Pi / 3, Pi, -Pi / 2);
    r.start = -Pi / 3;
  }
}

void close_loop(Run& r, const Joint& j, bool planar, Closing closing) {
  MobilizedBody& ground = r.matter.updGround();
  MobilizedBody& a = j.a < 0 ? ground : r.body[j.a];
  MobilizedBody& b = j.b < 0 ? ground : r.body[j.b];
  const Vec3 in_a = vec(j.at) - (j.a < 0 ? Vec3(0) : r.origin[j.a]);
  const Vec3 in_b = vec(j.at) - (j.b < 0 ? Vec3(0) : r.origin[j.b]);
  if (planar) {
    Constraint::PointInPlane(a, UnitVec3(1, 0, 0), in_a[0], b, in_b);
    Constraint::PointInPlane(a, UnitVec3(0, 1, 0), in_a[1], b, in_b);
    return;
  }
  const UnitVec3 axis(j.axis == 'x', j.axis == 'y', j.axis == 'z');
  const Rotation frame(axis, ZAxis);
  Constraint::Ball(a, in_a, b, in_b);
  if (closing == BOTH) Constraint::ConstantAngle(a, frame.x(), b, axis, Pi / 2);
  Constraint::ConstantAngle(a, frame.y(), b, axis, Pi / 2);
}

void add_forces(Run& r) {
  const Linkage* l = r.l;
  Force::UniformGravity(r.forces, r.matter, vec(l->gravity));
  if (l->joint[0].torque != 0)
    Force::MobilityConstantForce(r.forces, r.body[l->joint[0].b], 0, l->joint[0].torque);
  if (l->spring.on) {
    const Point& p = l->spring.end;
    const Vec3 local = turned(l->body[p.body].quat) * vec(p.local);
    Force::TwoPointLinearSpring(r.forces, r.matter.Ground(), vec(l->spring.ground), r.body[p.body],
                                vec(l->body[p.body].com) - r.origin[p.body] + local,
                                l->spring.stiffness, l->spring.length);
  }
}

void build(Run& r, Closing closing) {
  const Linkage* l = r.l;
  const bool planar = linkage_is_planar(l);
  int carrier[MAX_BODIES];
  linkage_span(l, carrier);
  r.body.resize(l->bodies);
  r.origin.resize(l->bodies);
  std::vector<bool> placed(l->bodies, false);
  const auto ready = [&](int body) { return body < 0 || placed[body]; };
  for (bool more = true; more;) {
    more = false;
    for (int i = 0; i < l->bodies; i++) {
      if (placed[i] || !ready(l->joint[carrier[i]].a)) continue;
      add_body(r, i, carrier[i]);
      placed[i] = more = true;
    }
  }
  for (int i = 0; i < l->joints; i++)
    if (l->joint[i].b < 0 || carrier[l->joint[i].b] != i)
      close_loop(r, l->joint[i], planar, closing);
  add_forces(r);
}

Integrator* integrator_of(Integrators which, const MultibodySystem& system) {
  switch (which) {
    case MERSON: return new RungeKuttaMersonIntegrator(system);
    case RK3: return new RungeKutta3Integrator(system);
    case VERLET: return new VerletIntegrator(system);
    default: return new RungeKuttaFeldbergIntegrator(system);
  }
}

void* make(const Linkage* l, Setting s, double interval) {
  const Method& m = METHOD[s.method];
  if (m.closing != BOTH && linkage_is_planar(l)) return nullptr;
  Run* r = new Run(l);
  build(*r, m.closing);
  State state = r->system.realizeTopology();
  r->system.realizeModel(state);
  for (int i = 0; i < l->joints; i++) {
    const Joint& j = l->joint[i];
    if (j.speed != 0 && j.b >= 0 && r->origin[j.b] == vec(j.at) && !(l->driven && i == 0))
      r->body[j.b].setOneU(state, 0, j.speed);
  }
  if (l->driven) r->body[l->joint[0].b].setOneQ(state, 0, r->start);
  r->integrator.reset(integrator_of(m.integrator, r->system));
  const double accuracy = m.fixed ? FIXED_TOLERANCE : std::pow(10, -s.fineness);
  r->integrator->setInternalStepLimit(MAX_STEPS);
  r->integrator->setAccuracy(accuracy);
  r->integrator->setConstraintTolerance(m.within * accuracy);
  if (m.fixed) r->integrator->setFixedStepSize(interval / s.fineness);
  try {
    r->integrator->initialize(state);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench: Simbody: %s\n", e.what());
    delete r;
    return nullptr;
  }
  return r;
}

void look(void* of, Sample* out) {
  Run& r = *static_cast<Run*>(of);
  const State& state = r.integrator->getState();
  const Linkage* l = r.l;
  r.system.realize(state, Stage::Dynamics);
  out->t = state.getTime();
  out->energy = r.system.calcEnergy(state);
  out->angle = r.body[l->joint[0].b].getOneQ(state, 0) - r.start;
  for (int p = 0; p < l->points; p++) {
    const int b = l->point[p].body;
    const Vec3 local = turned(l->body[b].quat) * vec(l->point[p].local);
    const Vec3 x =
        r.body[b].findStationLocationInGround(state, vec(l->body[b].com) - r.origin[b] + local);
    for (int k = 0; k < 3; k++) out->point[p][k] = x[k];
  }
}

bool advance(void* of, int i, double interval) {
  const Run& r = *static_cast<Run*>(of);
  // beyond the report time, which is interpolated
  try {
    while (r.integrator->stepTo((i + 1) * interval) != Integrator::ReachedReportTime)
      if (r.integrator->getNumStepsTaken() > MAX_STEPS * (i + 1)) return false;
  } catch (const std::exception&) {
    return false;
  }
  return std::isfinite(r.integrator->getState().getY().norm());
}

void drop(void* of) { delete static_cast<Run*>(of); }

}  // namespace

extern "C" const Engine engine_simbody = {
    "Simbody", static_cast<int>(METHOD.size()), false, counts_steps, describe, make, advance, look,
    drop};
