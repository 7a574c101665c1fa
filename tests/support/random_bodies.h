// Random convex bodies for model files: what they are made of, how large, and where their frame is.
#pragma once
#include "support/random_model.h"

enum { BODY_SPHERE, BODY_BOX, BODY_CAPSULE, BODY_CYLINDER, BODY_HULL, BODY_SHAPES };

// One shape of about the given radius, its middle at `at` in the body frame; sides up to 3 : 1.
static inline void body_add_shape(ModelText* t, Rng* r, int shape, double size, V3 at) {
  const double a = size * rng_uniform(r, 0.5, 1), b = size * rng_uniform(r, 0.5, 1),
               c = size * rng_uniform(r, 0.4, 1.2);
  switch (shape) {
    case BODY_SPHERE: model_add(t, "{sphere: %.6g", a); break;
    case BODY_BOX: model_add(t, "{box: [%.6g, %.6g, %.6g]", 1.5 * a, 1.5 * b, 1.5 * c); break;
    case BODY_CAPSULE: model_add(t, "{capsule: {radius: %.6g, length: %.6g}", 0.6 * a, c); break;
    case BODY_CYLINDER: model_add(t, "{cylinder: {radius: %.6g, length: %.6g}", a, 1.5 * c); break;
    default:
      model_add(t, "{hull: [");
      for (int i = 0, n = 8 + rng_int(r, 9); i < n; i++) {
        const V3 x = v3_scale(rng_uniform(r, 0.8, 1) * size, v3_unit(rng_v3(r, -1, 1)));
        model_add(t, "%s[%.6g, %.6g, %.6g]", i ? ", " : "", x.x, x.y, x.z);
      }
      model_add(t, "]");
  }
  model_add(t, ", at: [%.6g, %.6g, %.6g]}", at.x, at.y, at.z);
}
