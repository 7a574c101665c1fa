// The rate of rotation vectors (rotvec.h) in dual numbers.
#pragma once
#include "math/dual.h"
#include "math/rotvec.h"

// Jr(xi)^-1 w = w + xi x w / 2 + c xi x (xi x w): see rotvec_rate. With t = theta^2, h = theta / 2,
// u = h cot h:
//   dc/dt = -(du/dh / (8 h) + c) / t,   du/dh = cot h - h / sin^2 h;  series below t = 0.01
static inline D3 d3_rotvec_rate(D3 xi, D3 w) {
  const Dual t = d3_dot(xi, xi);
  Dual c;
  if (t.x < 0.01) {
    c.x = 1.0 / 12 + t.x * (1.0 / 720 + t.x * (1.0 / 30240 + t.x / 1209600));
    c.d = 1.0 / 720 + t.x * (2.0 / 30240 + t.x * (3.0 / 1209600 + t.x * (4.0 / 47900160)));
  } else {
    double h = 0.5 * sqrt(t.x), sine, cosine;
    sar_sincos(h, &sine, &cosine);
    c.x = (1 - h * cosine / sine) / t.x;
    c.d = -((cosine / sine - h / (sine * sine)) / (8 * h) + c.x) / t.x;
  }
  c.d *= t.d;
  const D3 a = d3_cross(xi, w);
  return d3_add(w, d3_axpy(dual_of(0.5), a, d3_scale(c, d3_cross(xi, a))));
}
