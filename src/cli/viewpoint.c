// Where a mechanism is looked at from (viewpoint.h).
#include "cli/viewpoint.h"

#include "output/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEGREE (3.14159265358979323846 / 180)

static V3 up_of(const SarModel* m) {
  return v3_norm(m->gravity) > 0 ? v3_neg(m->gravity) : v3(0, 0, 1);
}

static Viewpoint around(const SarModel* m, double azimuth, double elevation) {
  return (Viewpoint){.camera =
                         sar_camera_around_axis(azimuth * DEGREE, elevation * DEGREE, up_of(m))};
}

static Viewpoint plane(int right, int up) {
  static const char* const label[] = {"x [m]", "y [m]", "z [m]"};
  return (Viewpoint){.camera = sar_camera_plane(right, up),
                     .axis_label = {label[right], label[up]}};
}

// ---- the default --------------------------------------------------------------------------------

// Direction of the axis of a joint in ground at the start.
static V3 axis_of(const SarModel* m, int joint) {
  const int body = joint < m->nbody ? m->body_parent[joint] : m->cut[joint - m->nbody].body[0];
  const Xform F = joint < m->nbody ? m->body_X_PF[joint] : m->cut[joint - m->nbody].X_BF[0];
  return m3_mul_v(m3_mul(sar_design_pose(m, body).R, F.R), v3(0, 0, 1));
}

// The direction that all motion is across, if there is one: parallel pins, sliding joints across
// them.
static bool find_normal(const SarModel* m, V3* normal) {
  bool found = false;
  for (int pass = 0; pass < 2; pass++)
    for (int j = 0; j < m->njoint; j++) {
      const SarJointClass cls = m->joint_kind[j]->cls;
      if (cls == SAR_CLASS_FIXED) continue;
      if (cls == SAR_CLASS_GENERAL) return false;
      const V3 axis = axis_of(m, j);
      if (cls == SAR_CLASS_REVOLUTE && pass == 0) {
        if (found && v3_norm(v3_cross(axis, *normal)) > 1e-6) return false;
        *normal = axis, found = true;
      } else if (cls == SAR_CLASS_PRISMATIC && pass == 1 && found &&
                 fabs(v3_dot(axis, *normal)) > 1e-6) {
        return false;
      }
    }
  if (found) return true;
  // all slide: seen from a side on which none of them ends
  const V3 side[3] = {v3(0, 1, 0), v3(1, 0, 0), v3(0, 0, 1)};
  for (int k = 0; k < 3; k++) {
    bool across = true;
    for (int j = 0; j < m->njoint; j++)
      across = across && fabs(v3_dot(axis_of(m, j), side[k])) < 1e-6;
    if (across) {
      *normal = side[k];
      return true;
    }
  }
  return false;
}

// Zero: there is none.
static V3 normal_of(const SarModel* m) {
  V3 n = v3_zero();
  if (m->planar == SAR_PLANE_XY) return v3(0, 0, 1);
  if (m->planar == SAR_PLANE_XZ) return v3(0, 1, 0);
  if (m->planar == SAR_PLANE_YZ) return v3(1, 0, 0);
  return m->nbody > 0 && find_normal(m, &n) ? n : v3_zero();
}

static Viewpoint default_view(const SarModel* m) {
  const V3 n = normal_of(m);
  if (fabs(n.z) > 0.9999) return plane(0, 1);
  if (fabs(n.y) > 0.9999) return plane(0, 2);
  if (fabs(n.x) > 0.9999) return plane(1, 2);
  return around(m, 35, 20);
}

static bool parse(const SarModel* m, const char* text, Viewpoint* out) {
  if (strcmp(text, "iso") == 0) {
    *out = around(m, 35, 20);
    return true;
  }
  const char* axes = "xyz";
  const char* right = text[0] ? strchr(axes, text[0]) : NULL;
  const char* up = right && text[1] ? strchr(axes, text[1]) : NULL;
  if (up && !text[2] && right != up) {
    *out = plane((int)(right - axes), (int)(up - axes));
    return true;
  }
  char *comma, *end;
  const double azimuth = strtod(text, &comma);
  if (comma == text || *comma != ',') return false;
  const double elevation = strtod(comma + 1, &end);
  if (end == comma + 1 || *end || !isfinite(azimuth) || !(fabs(elevation) <= 90)) return false;
  *out = around(m, azimuth, elevation);
  return true;
}

bool viewpoint_find(const SarModel* m, const char* text, Viewpoint* out) {
  if (text && !parse(m, text, out)) return false;
  if (!text) *out = default_view(m);
  out->across = fabs(v3_dot(normal_of(m), out->camera.toward)) > 0.9999;
  return true;
}
