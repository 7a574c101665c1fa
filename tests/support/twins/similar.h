// Parts of a similar twin, private to similar*.c: everything given in ground goes by Q, length and
// shift, everything given in the frame of a body by M and length.
#pragma once
#include "support/twins/twin.h"
#include "support/twins/units.h"

typedef struct SimilarJob {
  SarSpec* spec;
  TwinJob* job;
  const Similarity* x;
  M3 M;           // of body frames
  double handed;  // -1: mirrored
  const char*
      reference;  // a body whose frame lies on the ground's at the design position, of the twin's
} SimilarJob;

double similar_scale(const SimilarJob* s, Dimension d);
void similar_scale_num(SimilarJob* s, SpecNum* n, double k);  // n <- k n
// v <- A v + b, whatever of it varies
void similar_nums(SimilarJob* s, SpecNum* v, M3 A, V3 b);
void similar_pose(SimilarJob* s, SpecPose* p, bool in_ground);
// Scale of coordinate i of a joint, with its sign.
double similar_coordinate(const SimilarJob* s, const SpecJoint* p, int i);
int similar_joint_index(const SimilarJob* s, const SpecJoint* p);

void similar_signs(SimilarJob* s);  // similar_joints.c: of the joints' coordinates
void similar_joints(SimilarJob* s);
void similar_elements(SimilarJob* s);     // similar_elements.c
void similar_expressions(SimilarJob* s);  // similar_expressions.c: everything that varies
void similar_local(SimilarJob* s, SpecNum* n, const char* name, double k);  // name <- name / k
