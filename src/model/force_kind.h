// A kind of force element. One const SarForceKind per file in elements/forces, one line in
// forces.def: reader, compiler, lists, docs and tests work from the attribute table.
#pragma once
#include "model/attribute.h"
#include "model/variation.h"

enum { SAR_FORCE_MAX_ATTR = SAR_MAX_ATTR, SAR_FORCE_MAX_OUTPUT = 12 };

// How the force of an element follows the motion of its bodies. On body[1] at the ground point p
// (of that body, ground axes) acts a wrench W, on body[0] at the same place the opposite one. To a
// motion dx of body[1] against body[0] at p, and a change dv of its velocity, belongs
//
//   dW = -K dx - C dv                      as seen from body[0], rotation part first, 6 x 6 by rows
//
// Both are symmetric and positive semidefinite: what is not is left out or clipped, and each kind
// says what that is, so that M + gain_C C + gain_K K stays positive definite. Newton's iteration
// needs a tangent, not the derivative: without a part of it, it converges to the same solution, in
// more steps.
typedef struct SarBodyTangent {
  int body[2];  // the first two bodies among the element's attributes; one only: ground and it
  V3 p;
  bool whole;  // asked for: what is not positive stays in K, so that it is exact for shifts
  double K[36], C[36];
} SarBodyTangent;

// The same for a force on the coordinates of two joints of the tree with one coordinate each, which
// follows x = g . (q_0, q_1) alone: K = k g g', C = c g g'.
typedef struct SarCoupledTangent {
  double g[2];
  double k, c;  // not negative
} SarCoupledTangent;

// How a picture shows an element: something between two points, or a wheel about one.
typedef struct SarForceLook {
  bool coil, damper, stop;  // what there is between the points
  double wheel;             // radius of a wheel about the first point; 0: none
  double bar;               // radius of a bar between the points; 0: none
  int road;                 // that the wheel runs on; -1: flat at z = 0
  int body[2];              // -1: ground
  V3 point[2];              // in B of each
  V3 axis;       // in B of the first body: the line is parallel to it (or zero), the spin axis
  int arrow;     // the force on body[0] at point[0]: fx, fy, fz start at this output; -1: none
  int sections;  // a blade or wing on body[0]: so many sections in `section`; 0: none
} SarForceLook;

typedef struct SarForceKind {
  const char* name;
  const char* doc;
  const char* ref;
  // The first `targets` attributes are the value of the kind's own key: `spring_damper: [a, b]`
  // (one target: without brackets).
  int targets;
  SarAttr attr[SAR_FORCE_MAX_ATTR];
  int nattr;
  const char* example;                       // one element as a file has it, see attribute.h
  const char* local[SAR_LAW_LOCALS];         // names that LAW attributes may use: "length", "rate"
  const char* output[SAR_FORCE_MAX_OUTPUT];  // what apply reports, as columns NAME.length
  int noutput;
  bool conservative;  // all of its work is in energy(): nothing goes into the work account
  // energy() is a smooth function of positions everywhere: no angle of it ends at half a turn
  bool regular;

  // Computes the element's constants from the design position (sar_design_pose), once, when the
  // model is compiled: sar_force_constants reads them. Nullable.
  int nconstant;
  void (*prepare)(const SarModel* m, int force, double* constants);
  // How many constants, where that follows from the attributes (of all elements). Nullable:
  // nconstant.
  int (*constants)(const SarModel* m, int force);

  // Numbers that it leaves in data->force_cache for other elements of the same evaluation; and
  // whether it reads those of others in apply and vary, which then come after all that are not
  // `late`.
  int ncache;
  int (*cache)(const SarModel* m, int force);  // how many, by its attributes. Nullable: ncache
  bool late;
  // Leaves there what others read of it, before any force is applied. Nullable.
  void (*ahead)(const SarModel* m, SarData* d, int force);

  // States of its own (dynamics/element_states.h): how many it has with these attributes (Nullable:
  // none); the name of one, behind the element's own; where they start, written to data->z from
  // force_state on.
  int (*states)(const SarModel* m, int force);
  const char* (*state_name)(const SarModel* m, int force, int state);
  void (*start)(const SarModel* m, SarData* d, int force);
  // Their rates at the present t, q, v, z, to z_rate: asked for before forces are applied where a
  // step is implicit in the states; apply sets them too. partial: nz x nz by rows, entries d rate /
  // d state of its own rows, which come as zeros; an entry that is left out costs iterations.
  // Nullable argument.
  void (*rates)(const SarModel* m, SarData* d, int force, double* partial);
  // Brings what `rates` has left in force_cache, and the rates, to states that have moved by dz
  // (nz) since, to first order, by the slopes of the last call that asked for `partial`. Nullable:
  // `rates` is called again.
  void (*follow)(const SarModel* m, SarData* d, int force, const double* dz);

  // Numbers that it keeps from step to step, in data->force_kept from force_kept_adr on, zeros at
  // the start: how many (Nullable: none); and what the end of a step makes of them, and the
  // beginning of a run, when kinematics are up to date. They are for outputs: no force may depend
  // on them.
  int (*kept)(const SarModel* m, int force);
  void (*keep)(const SarModel* m, SarData* d, int force);

  // How many switching functions it has: quantities whose change of sign is a kink of its force
  // (contact made or lost, the next row of a table). apply sets them (set_switch). Nullable: none.
  int (*switches)(const SarModel* m, int force);

  // Checks what the table cannot (signs, which attributes go together); reports into err. Nullable.
  SarStatus (*check)(const SarModel* m, int force, SarLoc loc, SarError* err);
  // Adds to body_F / tau of d at the present t, q, v (kinematics and expressions are up to date),
  // sets force_power[force] = power of the part that is not in energy(), and its force_output.
  void (*apply)(const SarModel* m, SarData* d, int force);
  // Potential energy [J]; Nullable: none.
  double (*energy)(const SarModel* m, const SarData* d, int force);
  // Tangent at the state that apply saw last: p, and what is not zero of K and C (they come as
  // zeros; body is set). Nullable: the force does not depend on the motion.
  void (*tangent)(const SarModel* m, SarData* d, int force, SarBodyTangent* out);
  // The same with all of K under the present load, symmetric and positive or not, and the wrench W
  // on body[1] itself (ground axes, at p), for formulations that factor any matrix. Nullable.
  void (*loaded_tangent)(const SarModel* m, SarData* d, int force, SarBodyTangent* out, Force* W);
  // The same for a force on the coordinates of the joint that the first attribute names: adds to K
  // and C (nv x nv, direction of the file). Nullable.
  void (*joint_tangent)(const SarModel* m, SarData* d, int force, double* K, double* C);
  // The same where attribute number `coupled` names a second joint (0: there is none such; not
  // given: as above). Nullable.
  int coupled;
  void (*coupled_tangent)(const SarModel* m, SarData* d, int force, SarCoupledTangent* out);
  // Exact change of what apply adds and reports, along the direction of x: adds to body_F and tau
  // of x, sets its force_output (elements/forces/varied.h). All that apply does must have its
  // counterpart here. Nullable: derivatives are refused for models that have one.
  void (*vary)(const SarModel* m, SarData* d, SarVariation* x, int force);
  // Its values alone make it follow the motion (a controller): where they do not depend on measured
  // quantities of the body or joint that the first attribute names (partial.h), it has no tangent.
  bool controlled;
  // May the end that attribute `attr` names be a knot (dynamics/knots.h)? There it must act on the
  // knot's origin, without a moment, and follow shifts of it as `tangent` says with `whole`.
  // Nullable: no.
  bool (*on_knot)(const SarModel* m, int force, int attr);
  // Does its force follow velocities, laws of its second local (a rate) aside? Nullable: no.
  bool (*damps)(const SarModel* m, int force);
  // What a picture shows of it; comes with ground, no axis and no arrow. Nullable: nothing.
  void (*look)(const SarModel* m, int force, SarForceLook* out);
  // Section i of its outline: leading edge, trailing edge and half the thickness there, in B.
  // Nullable: none.
  void (*section)(const SarModel* m, int force, int i, V3 edge[2], V3* half);
} SarForceKind;

const SarForceKind* sar_force_kind(int index);              // NULL past the end
const SarForceKind* sar_force_kind_find(const char* name);  // NULL if there is none
static inline SarForm sar_force_form(const SarForceKind* k) {
  return (SarForm){k->name, k->targets, k->attr, k->nattr, k->local};
}
