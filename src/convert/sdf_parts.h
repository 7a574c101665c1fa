// What the writers of SDF share: sdf.c, sdf_joints.c.
#pragma once
#include "convert/links.h"

typedef struct SdfNames {
  const Links* links;
  const char* world;
  double little;  // mass of links that have none
} SdfNames;

void sar_sdf_put_numbers(Convert* c, const char* tag, const double* x, int count);
void sar_sdf_put_number(Convert* c, const char* tag, double x);
void sar_sdf_put_vec(Convert* c, const char* tag, V3 v);
void sar_sdf_put_pose(Convert* c, Xform X, const char* relative_to, const char* indent);
void sar_sdf_put_link(Convert* c, const SdfNames* n, const char* name, Xform X, const char* parent,
                      const Link* l);
// A link with the joints that hold it; a joint that closes a loop.
void sar_sdf_put_body(Convert* c, const SdfNames* n, const Link* l);
void sar_sdf_put_loop(Convert* c, const SdfNames* n, int cut);
