// Running Fourier coefficients over a revolution (revolution.h).
#include "elements/aero/revolution.h"

#include "math/sincos.h"

#include <string.h>

static const double PI = 3.14159265358979323846;

// What is kept: the end of the last step, then a ring of records, one for each azimuth of the grid.
typedef struct Kept {
  double begun;  // 1: where the first step begins is known, 2: and the end of one
  double way;    // of turning then
  double t, psi;
  double last;         // psi = last 2 pi / azimuths was the last one that was taken
  double count, next;  // records that there are, place of the next one
  double now[SAR_ROTOR_MEANS], rate[SAR_BLADE_MEANS];
} Kept;
_Static_assert(sizeof(Kept) % sizeof(double) == 0, "it is kept as numbers");
enum { HEAD = sizeof(Kept) / sizeof(double) };

int sar_revolution_size(int azimuths) { return HEAD + azimuths * SAR_ROTOR_MEANS; }

// Of numbers that a file may have given.
static int below(double x, int most) { return x >= 0 && x < most ? (int)x : 0; }

// ---- one instant --------------------------------------------------------------------------------

static D3 square_to(D3 v, D3 axis) { return d3_axpy(dual_neg(d3_dot(v, axis)), axis, v); }

// Angle from a to b about n, both square to n.
static Dual angle_about(D3 a, D3 b, D3 n) {
  return dual_atan2(d3_dot(n, d3_cross(a, b)), d3_dot(a, b));
}

// As the hub sees it: rates are of the motion against it.
static void angles_of(const SarData* d, const SarTurning* at, const SarBlade* b,
                      Dual angle[SAR_BLADE_ANGLES]) {
  const int body = (int)b->body;
  const M3 R = body < 0 ? m3_identity() : d->body_X_GB[body].R;
  const V3 w = body < 0 ? v3_zero() : m3_mul_v(R, d->body_V[body].w);
  const V3 turn = v3_sub(w, at->w_hub);
  const D3 s = d3_turn(R, turn, d3_of(b->span)), lead = d3_turn(R, turn, d3_of(b->lead));
  const D3 up = d3_turn(R, turn, d3_of(b->up)), n = d3_of(at->axis);
  const D3 home = d3_of(m3_mul_v(at->R_hub, b->home));
  const D3 flat = square_to(s, n), rise = square_to(n, s);
  angle[0] = dual_atan2(d3_dot(s, n), d3_norm(flat));
  angle[1] = dual_scale(-at->way, angle_about(home, flat, n));
  angle[2] = dual_atan2(d3_dot(lead, rise), d3_dot(up, rise));
}

static double azimuth_of(const SarTurning* at, const SarBlade* b) {
  const V3 u = m3_mul_v(at->R_hub, b->home);
  const double y = v3_dot(at->axis, v3_cross(at->aft, u));
  return atan2(at->way * y, v3_dot(at->aft, u));
}

// Multiblade coordinates: (1/N) sum x_i, (2/N) sum x_i cos k psi_i, (2/N) sum x_i sin k psi_i.
static void multiblade(const SarData* d, const SarTurning* at, const SarBlade* blade, int blades,
                       Dual out[SAR_BLADE_MEANS]) {
  memset(out, 0, SAR_BLADE_MEANS * sizeof *out);
  for (int i = 0; i < blades; i++) {
    Dual angle[SAR_BLADE_ANGLES], wave[SAR_HARMONICS];
    angles_of(d, at, &blade[i], angle);
    const double psi = azimuth_of(at, &blade[i]), share = 1.0 / blades;
    wave[0] = dual_of(share);
    for (int k = 1; k <= 2; k++) {
      double s, c;
      sar_sincos(k * psi, &s, &c);
      wave[2 * k - 1] = dual(2 * share * c, -2 * share * k * at->rate * s);
      wave[2 * k] = dual(2 * share * s, 2 * share * k * at->rate * c);
    }
    for (int a = 0; a < SAR_BLADE_ANGLES; a++)
      for (int k = 0; k < SAR_HARMONICS; k++) {
        Dual* x = &out[a * SAR_HARMONICS + k];
        *x = dual_add(*x, dual_mul(angle[a], wave[k]));
      }
  }
}

// ---- what was passed ----------------------------------------------------------------------------

// Cubic by values and rates for angles, a straight line for loads. x: share of the step that has
// passed.
static void between(const Kept* from, const Kept* to, double x, double* record) {
  const double h = to->t - from->t, y = 1 - x;
  for (int i = 0; i < SAR_ROTOR_MEANS; i++) {
    record[i] = y * from->now[i] + x * to->now[i];
    if (i >= SAR_BLADE_MEANS) continue;
    const double rise = to->now[i] - from->now[i];
    record[i] += x * y * (y * (h * from->rate[i] - rise) - x * (h * to->rate[i] - rise));
  }
}

// The blade whose azimuth counts, whatever the order of the file: that which points farthest along
// a direction which is square to no symmetry of a rotor.
static const SarBlade* reference(const SarBlade* blade, int blades) {
  const V3 skew = v3(1, 0.6180339887, 0.3141592653);
  const SarBlade* first = blade;
  for (int i = 1; i < blades; i++)
    if (v3_dot(skew, blade[i].home) > v3_dot(skew, first->home)) first = &blade[i];
  return first;
}

void sar_revolution_keep(const SarData* d, const SarTurning* at, const SarBlade* blade, int blades,
                         const double* load, int azimuths, double* kept) {
  Kept before, end = {.way = at->way, .t = d->t};
  Dual x[SAR_BLADE_MEANS];
  memcpy(&before, kept, sizeof before);
  if (blades == 0 || (before.begun != 0 && before.t == d->t)) return;
  end.begun = before.begun != 0 ? 2 : 1;
  multiblade(d, at, blade, blades, x);
  for (int i = 0; i < SAR_BLADE_MEANS; i++) end.now[i] = x[i].x, end.rate[i] = x[i].d;
  memcpy(end.now + SAR_BLADE_MEANS, load, SAR_LOAD_MEANS * sizeof *load);
  const double grid = 2 * PI / azimuths, slop = 1e-9;
  end.psi = azimuth_of(at, reference(blade, blades));
  end.last = floor(end.psi / grid + slop);
  if (before.begun != 0 && before.way == end.way && before.t < end.t) {
    int next = below(before.next, azimuths);
    end.count = below(before.count, azimuths + 1);
    end.last = before.last;
    end.psi = before.psi + remainder(end.psi - before.psi, 2 * PI);
    const double passed = end.psi - before.psi;
    // a rotor that goes back takes none until it has come again to where it was
    for (int i = 0; i < azimuths && passed > 0; i++) {
      const double share = ((end.last + 1) * grid - before.psi) / passed;
      if (share > 1 + slop) break;
      between(&before, &end, fmax(share, 0), kept + HEAD + next * SAR_ROTOR_MEANS);
      end.last++;
      next = next + 1 < azimuths ? next + 1 : 0;
      end.count = end.count < azimuths ? end.count + 1 : azimuths;
    }
    end.next = next;
    if (end.psi > 2 * PI) end.psi -= 2 * PI, end.last -= azimuths;
  }
  memcpy(kept, &end, sizeof end);
}

double sar_revolution_mean(const double* kept, int azimuths, int which) {
  Kept at;
  memcpy(&at, kept, sizeof at);
  const int count = below(at.count, azimuths + 1);
  double sum = 0;
  if (at.begun < 2) return 0;
  if (count == 0) return at.now[which];
  // in the order of the ring: the same sum whatever came first
  for (int i = 0; i < count; i++) sum += kept[HEAD + i * SAR_ROTOR_MEANS + which];
  return sum / count;
}
