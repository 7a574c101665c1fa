// Backlash (lost motion, dead zone): play in a joint or in the gear that drives it.
//
//   x = q - ratio q_drive - offset                  q_drive: none, if the play is in the joint
//                                                   itself
//   e = x - gap/2  where x > gap/2,   x + gap/2  where x < -gap/2,   none between
//   P = max(0, k |e| + c d|e|/dt)                   the flanks push, they never pull
//   force on q: -P sign e;   on q_drive: ratio P sign e
//
// Energy k e^2 / 2; the rest of the power goes into the work account, also what is left in a flank
// that is left so fast that it lets go early, as with a bump_stop. Contact made and lost are kinks.
// A play that does not yield is what limits of joints are for (lower, upper, restitution), under
// impulses.
#include "elements/forces/coordinate.h"
#include "elements/forces/tangent.h"

enum { JOINT, DRIVE, RATIO, GAP, STIFFNESS, DAMPING, OFFSET, COMPONENT };

typedef struct Flank {
  Coordinate load, drive;
  double ratio;  // 0: no drive
  double x, rate;
  double side;   // of the flank that touches: 1 or -1; 0: none
  double depth;  // |e|
  double push;   // P
  double raw;    // before it is cut off at 0
} Flank;

static double number(const SarModel* m, const SarAttrValue* a) { return m->attr_data[a->adr]; }

static Flank calc_flank(const SarModel* m, const SarData* d, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  Flank f = {.load = read_coordinate(m, d, a[JOINT].index, (int)number(m, &a[COMPONENT]) - 1)};
  f.x = f.load.q - number(m, &a[OFFSET]);
  f.rate = f.load.v;
  if (a[DRIVE].given) {
    f.ratio = a[RATIO].given ? number(m, &a[RATIO]) : 1;
    f.drive = read_coordinate(m, d, a[DRIVE].index, 0);
    f.x -= f.ratio * f.drive.q;
    f.rate -= f.ratio * f.drive.v;
  }
  const double half = 0.5 * number(m, &a[GAP]);
  f.side = f.x > half ? 1 : f.x < -half ? -1 : 0;
  f.depth = f.side * f.x - half;
  f.raw = number(m, &a[STIFFNESS]) * f.depth + number(m, &a[DAMPING]) * f.side * f.rate;
  f.push = f.side != 0 && f.load.on ? fmax(f.raw, 0) : 0;
  return f;
}

static bool complain(const SarModel* m, int force, SarLoc loc, SarError* err, bool wrong,
                     const char* hint, const char* what) {
  if (wrong) sar_report(err, loc, hint, "force '%s': %s", sar_text(m, m->force_name[force]), what);
  return wrong;
}

static bool drive_fits(const SarModel* m, int force, SarLoc loc, SarError* err) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const int load = a[JOINT].index, drive = a[DRIVE].index;
  if (complain(m, force, loc, err, drive < 0 || m->joint_kind[drive]->nv != 1,
               "name the joint of the motor or shaft",
               "the driving joint must have one coordinate") ||
      complain(m, force, loc, err, m->joint_kind[load]->nv != 1, "",
               "a joint that is driven must have one coordinate") ||
      complain(m, force, loc, err, drive == load, "name another joint, or leave 'drive' out",
               "drives a joint by itself") ||
      complain(m, force, loc, err, load >= m->nbody || drive >= m->nbody,
               "it needs relative coordinates, and joints that close no loop: 'sarrus info' tells "
               "which do",
               "play between two joints is for joints of the tree"))
    return false;
  return !complain(m, force, loc, err, a[RATIO].given && number(m, &a[RATIO]) == 0,
                   "turns of this joint per turn of 'drive'", "'ratio' must not be 0");
}

static SarStatus check(const SarModel* m, int force, SarLoc loc, SarError* err) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const int errors = err->errors;
  complain(m, force, loc, err, !(number(m, &a[GAP]) >= 0), "the whole play, from flank to flank",
           "gap must not be negative");
  complain(m, force, loc, err, !(number(m, &a[STIFFNESS]) > 0), "a flank pushes back",
           "stiffness must be greater than 0");
  complain(m, force, loc, err, !(number(m, &a[DAMPING]) >= 0),
           "a damper takes energy when damping is positive", "damping must not be negative");
  if (a[DRIVE].given) drive_fits(m, force, loc, err);
  complain(m, force, loc, err, a[RATIO].given && !a[DRIVE].given, "name it: drive: JOINT",
           "'ratio' is that of a driving joint, and there is none");
  if (err->errors > errors) return SAR_BAD_MODEL;
  return check_coordinate(m, force, a[JOINT].index, number(m, &a[COMPONENT]), loc, err);
}

// one for each flank; with damping also where the push ends
static int switches(const SarModel* m, int force) {
  return number(m, sar_force_attr(m, force, DAMPING)) > 0 ? 3 : 2;
}

static void apply(const SarModel* m, SarData* d, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const Flank f = calc_flank(m, d, force);
  const double value = -f.side * f.push, half = 0.5 * number(m, &a[GAP]);
  push_coordinate(m, d, &f.load, value);
  if (f.ratio != 0) push_coordinate(m, d, &f.drive, -f.ratio * value);
  // what both pushes do, and what the flank takes up
  const double taken =
      f.side != 0 && f.load.on ? number(m, &a[STIFFNESS]) * f.depth * f.side * f.rate : 0;
  d->force_power[force] = value * f.rate + taken;
  set_switch(m, d, force, 0, f.x - half);
  set_switch(m, d, force, 1, f.x + half);
  if (switches(m, force) > 2) set_switch(m, d, force, 2, f.side != 0 ? f.raw : 1);
  set_outputs(m, d, force, (double[]){f.x, f.rate, value});
}

static void vary(const SarModel* m, SarData* d, SarVariation* x, int force) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const Flank f = calc_flank(m, d, force);
  const VariedCoordinate load = vary_coordinate(m, d, x, &f.load);
  Dual q = dual(f.x, load.q.d), v = dual(f.rate, load.v.d);
  if (f.ratio != 0) {
    const VariedCoordinate drive = vary_coordinate(m, d, x, &f.drive);
    q.d -= f.ratio * drive.q.d;
    v.d -= f.ratio * drive.v.d;
  }
  // -P sign e: the side falls out of the slopes
  const double slope = number(m, &a[STIFFNESS]) * q.d + number(m, &a[DAMPING]) * v.d;
  const Dual value = f.push > 0 ? dual(-f.side * f.push, -slope) : dual_of(0);
  vary_push(m, d, x, &f.load, value);
  if (f.ratio != 0) vary_push(m, d, x, &f.drive, dual_scale(-f.ratio, value));
  vary_outputs(m, x, force, (Dual[]){q, v, value});
}

static double energy(const SarModel* m, const SarData* d, int force) {
  const Flank f = calc_flank(m, d, force);
  const double k = number(m, sar_force_attr(m, force, STIFFNESS));
  return f.side != 0 && f.load.on ? 0.5 * k * f.depth * f.depth : 0;
}

static void joint_tangent(const SarModel* m, SarData* d, int force, double* K, double* C) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const Flank f = calc_flank(m, d, force);
  const int at = (m->joint_nv[f.load.joint] + 1) * f.load.i;
  if (!(f.push > 0)) return;
  K[at] += number(m, &a[STIFFNESS]);
  C[at] += number(m, &a[DAMPING]);
}

static void coupled_tangent(const SarModel* m, SarData* d, int force, SarCoupledTangent* out) {
  const SarAttrValue* a = sar_force_attr(m, force, 0);
  const Flank f = calc_flank(m, d, force);
  out->g[0] = 1, out->g[1] = -f.ratio;
  if (!(f.push > 0)) return;
  out->k = number(m, &a[STIFFNESS]);
  out->c = number(m, &a[DAMPING]);
}

const SarForceKind sar_force_backlash = {
    .name = "backlash",
    .doc = "play in a joint, or in the gear between it and a joint that drives it",
    .ref = "Nordin and Gutman, Automatica 38 (2002)",
    .targets = 1,
    .attr = {{"joint", SAR_ATTR_JOINT, NULL, "whose coordinate has play", NULL},
             {"drive", SAR_ATTR_JOINT, "",
              "joint that drives it; default: none, the play is its own", NULL},
             {"ratio", SAR_ATTR_NUMBER, "", "turns of the joint per turn of 'drive'; default: 1",
              NULL},
             {"gap", SAR_ATTR_NUMBER, NULL, "play from flank to flank [rad or m]", NULL},
             {"stiffness", SAR_ATTR_NUMBER, NULL, "of a flank [N m/rad or N/m]", NULL},
             {"damping", SAR_ATTR_NUMBER, "0", "of a flank [N m s/rad or N s/m]", NULL},
             {"offset", SAR_ATTR_NUMBER, "0", "middle of the play, where 'drive' is at 0", NULL},
             {"component", SAR_ATTR_NUMBER, "1", "which velocity coordinate, from 1", NULL}},
    .nattr = 8,
    // always on one flank, so that random models are smooth
    .example = "{backlash: turning, gap: 0.02, stiffness: 0.02, damping: 0.1, offset: -200}",
    .output = {"play", "rate", "value"},  // x, its rate, force on the joint
    .noutput = 3,
    .switches = switches,
    .check = check,
    .apply = apply,
    .vary = vary,
    .regular = true,
    .energy = energy,
    .joint_tangent = joint_tangent,
    .coupled = DRIVE,
    .coupled_tangent = coupled_tangent,
};
