#include "output/camera.h"

static V3 axis(int k) { return v3(k == 0, k == 1, k == 2); }

SarCamera sar_camera_plane(int right, int up) {
  return (SarCamera){axis(right), axis(up), v3_cross(axis(right), axis(up)), 1, 0, 0};
}

SarCamera sar_camera_around_axis(double azimuth, double elevation, V3 up) {
  const V3 z = v3_unit(up);
  // x stays to the right where it can
  const V3 flat = v3_axpy(-z.x, z, v3(1, 0, 0));
  const V3 x = v3_norm(flat) > 1e-3 ? v3_unit(flat) : v3_perp(z);
  const V3 y = v3_cross(z, x);
  const V3 right = v3_axpy(cos(azimuth), x, v3_scale(sin(azimuth), y));
  const V3 back = v3_axpy(sin(azimuth), x, v3_scale(-cos(azimuth), y));
  const V3 toward = v3_axpy(cos(elevation), back, v3_scale(sin(elevation), z));
  return (SarCamera){right, v3_cross(toward, right), toward, 1, 0, 0};
}

SarExtent sar_extent_none(void) { return (SarExtent){HUGE_VAL, -HUGE_VAL, HUGE_VAL, -HUGE_VAL}; }

void sar_extent_add(SarExtent* e, const SarCamera* c, V3 p) {
  const double x = v3_dot(p, c->right), y = v3_dot(p, c->up);
  if (!isfinite(x + y)) return;
  e->left = fmin(e->left, x), e->right = fmax(e->right, x);
  e->bottom = fmin(e->bottom, y), e->top = fmax(e->top, y);
}

void sar_camera_fit(SarCamera* c, SarExtent e, double left, double top, double width,
                    double height) {
  const double wide = e.right - e.left, high = e.top - e.bottom;
  const double across = wide > 0 ? width / wide : HUGE_VAL,
               upright = high > 0 ? height / high : HUGE_VAL;
  c->scale = fmin(across, upright);
  if (!isfinite(c->scale)) c->scale = 1;
  c->x0 = left + 0.5 * width - c->scale * 0.5 * (e.left + e.right);
  c->y0 = top + 0.5 * height + c->scale * 0.5 * (e.bottom + e.top);
}

double sar_round_number(double x) {
  const double power = pow(10, floor(log10(x)));
  for (int i = 0; i < 4; i++) {
    const double nice = power * (double[]){1, 2, 5, 10}[i];
    if (nice >= x * (1 - 1e-9)) return nice;
  }
  return 10 * power;
}
