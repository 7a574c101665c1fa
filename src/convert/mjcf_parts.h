// The parts of the MJCF writer.
#pragma once
#include "convert/links.h"
#include "model/data.h"

void sar_mjcf_put_pose(Convert* c, Xform X);  // pos and quat, where they say something
void sar_mjcf_put_equality(Convert* c, const Links* all, const double* q);
void sar_mjcf_put_actuators(Convert* c, const Links* all);
void sar_mjcf_put_start(Convert* c, const Links* all);  // a keyframe of the speeds
