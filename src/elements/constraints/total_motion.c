// Prescribed total motion of a body: position of a point and orientation as functions of time, in
// the frame of another body.
//
//   e_k . d = x, y, z                             d from the origin of that frame, e its axes
//   R = Rz(yaw) Ry(pitch) Rx(roll):   b the axes of the body
//   atan2(b_y . e_z, b_z . e_z) = roll,   -b_x . e_z = sin(pitch),
//     atan2(e_y . b_x, e_x . b_x) = yaw
//
// The angles are those of roll, pitch and yaw everywhere else in a file (intrinsic z, y', x'').
// Full turns of roll and yaw do not matter; at a pitch of 90 degrees the other two are not defined.
#include "model/constraint_kind.h"

enum { POINT, IN, X, Y, Z, ROLL, PITCH, YAW };

static void prescribe_place(SarRowBuilder* r, SarEnd from, SarEnd to, const V3 axis[3]) {
  for (int k = 0; k < 3; k++) {
    sar_builder_begin_motion(r, X + k);
    sar_builder_term(r, SAR_TERM_ALONG, from, to, 1)->x = axis[k];
  }
}

static void prescribe_angles(SarRowBuilder* r, SarEnd from, SarEnd to, const V3 e[3],
                             const V3 b[3]) {
  sar_builder_begin_motion(r, ROLL);
  SarTerm* roll = sar_builder_term(r, SAR_TERM_ANGLE, to, from, 1);
  roll->x = b[2], roll->y = b[1], roll->w = e[2];
  sar_builder_begin_motion(r, PITCH);
  SarTerm* pitch = sar_builder_term(r, SAR_TERM_PERPENDICULAR, from, to, -1);
  pitch->x = e[2], pitch->w = b[0];
  sar_builder_begin_motion(r, YAW);
  SarTerm* yaw = sar_builder_term(r, SAR_TERM_ANGLE, from, to, 1);
  yaw->x = e[0], yaw->y = e[1], yaw->w = b[0];
}

static void build(SarRowBuilder* r) {
  const SarEnd to = sar_builder_end(r, POINT);
  const Xform E = sar_builder_frame(r, IN), B = sar_builder_frame(r, POINT);
  const SarEnd from = {sar_builder_attr(r, IN)->index, E.p};
  const V3 e[3] = {m3_col_x(E.R), m3_col_y(E.R), m3_col_z(E.R)};
  const V3 b[3] = {m3_col_x(B.R), m3_col_y(B.R), m3_col_z(B.R)};
  if (sar_builder_attr(r, POINT)->index == from.body) {
    sar_builder_complain(r, IN, "name another body, or ground",
                         "a body cannot be moved against itself or what it is fixed to");
    return;
  }
  prescribe_place(r, from, to, e);
  prescribe_angles(r, from, to, e, b);
}

const SarConstraintKind sar_constraint_total_motion = {
    .name = "total_motion",
    .doc = "prescribes position and orientation of a body as functions of time",
    .targets = 1,
    .attr = {{"point", SAR_ATTR_POINT, NULL, "body, or a point of it, that is moved", NULL},
             {"in", SAR_ATTR_BODY, "ground", "body in whose frame", NULL},
             {"x", SAR_ATTR_MOTION, NULL, "coordinates of the point, of t and states [m]", NULL},
             {"y", SAR_ATTR_MOTION, NULL, "[m]", NULL},
             {"z", SAR_ATTR_MOTION, NULL, "[m]", NULL},
             {"roll", SAR_ATTR_MOTION, "0", "of the body about its own x, last [rad]", NULL},
             {"pitch", SAR_ATTR_MOTION, "0", "about y after yaw, below 90 deg [rad]", "sin"},
             {"yaw", SAR_ATTR_MOTION, "0", "about z, first [rad]", NULL}},
    .nattr = 8,
    .example =
        "{total_motion: [a, [0.1, 0, 0.2]], x: 0.3*sin(2*t), y: 0.1, z: t^2, roll: 0.2*t, "
        "pitch: 0.3*sin(t), yaw: 2*t}",
    // on the body: forces at the point along axes of `in` [N]; moments dual to roll, sin(pitch) and
    // yaw [N m]
    .row_force = {"fx", "fy", "fz", "roll", "pitch", "yaw"},
    .build = build,
};
