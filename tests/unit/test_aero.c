// Sections, airfoils, the atmosphere and inflow models: slopes against differences, closed forms,
// roots.
#include "support/test.h"

#include "elements/aero/inflow.h"
#include "elements/aero/section.h"

static const double PI = 3.14159265358979323846;

// ---- a model with nothing but airfoils ----------------------------------------------------------

// 0: smooth numbers; 1: tables with the same nodes for all, of angle and Mach number
typedef struct AirWorld {
  SarModel m;
  SarAirfoil airfoil[2];
  double data[3000];
} AirWorld;

static double node(int table, double degrees, double mach) {
  return (table + 1) * (0.3 + 0.02 * degrees - 1e-4 * degrees * degrees) * (1 + 0.5 * mach * mach);
}

static void air_world(AirWorld* w) {
  static const double angle[] = {-180, -90.5, -30, -10, -3, 0, 3.25, 10, 30, 90, 180};
  static const double mach[] = {0, 0.3, 0.5, 0.8};
  enum { ANGLES = sizeof angle / sizeof *angle, MACHS = sizeof mach / sizeof *mach };
  memset(w, 0, sizeof *w);
  w->m.airfoil = w->airfoil, w->m.attr_data = w->data, w->m.nairfoil = 2;
  const double numbers[SAR_AIRFOIL_NUMBERS] = {5.7, 0.03, 0.011, 1.4, -0.02};
  memcpy(w->data, numbers, sizeof numbers);
  w->airfoil[1].numbers = -1;
  int at = SAR_AIRFOIL_NUMBERS;
  for (int k = 0; k < 3; k++) {
    SarAirfoil* a = &w->airfoil[1];
    a->table[k] = at, a->angles[k] = ANGLES, a->machs[k] = MACHS;
    const SarAirfoilTable t = sar_airfoil_table(&w->data[at], ANGLES, MACHS);
    at += sar_airfoil_table_size(ANGLES, MACHS);
    memcpy(t.angle, angle, sizeof angle);
    memcpy(t.mach, mach, sizeof mach);
    for (int i = 0; i < ANGLES; i++)
      for (int j = 0; j < MACHS; j++) t.value[i * MACHS + j] = node(k, angle[i], mach[j]);
    for (int i = 0; i + 1 < ANGLES; i++) t.per_angle[i] = 1 / (angle[i + 1] - angle[i]);
    for (int j = 0; j + 1 < MACHS; j++) t.per_mach[j] = 1 / (mach[j + 1] - mach[j]);
    for (int degree = 0, i = 0; degree < SAR_AIRFOIL_DEGREES; degree++) {
      while (i + 2 < ANGLES && angle[i + 1] <= degree - 180) i++;
      t.first[degree] = i;
    }
    for (int j = 0; j < MACHS; j++) t.zero[j] = node(k, 0, mach[j]);
  }
}

// Bilinear by hand, without an index.
static double by_hand(const AirWorld* w, int k, double degrees, double mach) {
  const SarAirfoil* a = &w->airfoil[1];
  const double *x = &w->data[a->table[k]], *M = x + a->angles[k], *v = M + a->machs[k];
  int i = 0, j = 0;
  degrees = fmax(x[0], fmin(x[a->angles[k] - 1], degrees));
  mach = fmax(M[0], fmin(M[a->machs[k] - 1], mach));
  while (i + 2 < a->angles[k] && x[i + 1] < degrees) i++;
  while (j + 2 < a->machs[k] && M[j + 1] < mach) j++;
  const double s = (degrees - x[i]) / (x[i + 1] - x[i]), u = (mach - M[j]) / (M[j + 1] - M[j]);
  const double* c = &v[i * a->machs[k] + j];
  const double* e = c + a->machs[k];
  return (1 - s) * ((1 - u) * c[0] + u * c[1]) + s * ((1 - u) * e[0] + u * e[1]);
}

static void tables_are_bilinear_and_constant_beyond_their_ends(void** state) {
  (void)state;
  static AirWorld w;
  air_world(&w);
  Rng r = rng_seed(1);
  for (int trial = 0; trial < test_effort(20000); trial++) {
    const double alpha = rng_uniform(&r, -PI, PI), mach = rng_uniform(&r, 0, 1);
    const SarPolar p = sar_airfoil_at(&w.m, 1, alpha, mach);
    const double got[3] = {p.lift.c, p.drag.c, p.moment.c};
    for (int k = 0; k < 3; k++) EXPECT_NEAR(got[k], by_hand(&w, k, alpha * 180 / PI, mach), 1e-12);
    EXPECT_NEAR(p.friction.c, by_hand(&w, SAR_C81_DRAG, 0, mach), 1e-12);
    if (mach > 0.8) EXPECT_NEAR(p.lift.c_mach, 0, 0);
  }
  // on the nodes themselves, at both ends too
  EXPECT_NEAR(sar_airfoil_at(&w.m, 1, PI, 0.8).lift.c, node(0, 180, 0.8), 1e-12);
  EXPECT_NEAR(sar_airfoil_at(&w.m, 1, -PI, 0).drag.c, node(1, -180, 0), 1e-12);
  EXPECT_NEAR(sar_airfoil_at(&w.m, 1, 3.25 * PI / 180, 0.3).moment.c, node(2, 3.25, 0.3), 1e-12);
}

// ---- sections -----------------------------------------------------------------------------------

// Lift stands across the flow, drag along it, whatever the angle; a plate takes energy.
static void lift_is_across_the_flow(void** state) {
  (void)state;
  static AirWorld w;
  air_world(&w);
  Rng r = rng_seed(2);
  for (int trial = 0; trial < test_effort(2000); trial++) {
    const double v[3] = {rng_uniform(&r, -99, 99), rng_uniform(&r, -99, 99), 0};
    const double speed = hypot(v[0], v[1]), q = 0.5 * 1.2 * 0.4 * speed * speed;
    const SarSection s = {1, SAR_YAW_CROSS, 0.4, 1};
    const SarPolar p = sar_airfoil_at(&w.m, 1, atan2(-v[1], v[0]), speed / 340);
    SarSectionLoad load;
    sar_section_load(&w.m, &s, v, 1.2, 340, false, &load);
    EXPECT_NEAR(-(load.F[0] * v[0] + load.F[1] * v[1]) / speed, q * p.drag.c, 1e-9 * q);
    EXPECT_NEAR((load.F[1] * v[0] - load.F[0] * v[1]) / speed, q * p.lift.c, 1e-9 * q);
    EXPECT_NEAR(load.F[3], q * 0.4 * p.moment.c, 1e-9 * q);
    const SarSection plate = {-1, SAR_YAW_CROSS, 0.4, 1};
    sar_section_load(&w.m, &plate, v, 1.2, 340, false, &load);
    assert_true(load.F[0] * v[0] + load.F[1] * v[1] <= 0);
  }
}

// Slopes by the velocity and by the speed of sound against central differences of 1e-5 of the
// speed: truncation 1e-10, rounding 1e-11; near a kink of tables or of the corrections (1 % of the
// trials) they differ.
static void slopes_are_those_of_the_loads(void** state) {
  (void)state;
  static AirWorld w;
  air_world(&w);
  Rng r = rng_seed(3);
  int wrong = 0, trials = test_effort(4000);
  for (int trial = 0; trial < trials; trial++) {
    const SarSection s = {trial % 3 - 1, trial / 3 % 2 ? SAR_YAW_CORRECTED : SAR_YAW_CROSS, 0.4,
                          trial / 6 % 2 ? 1 : 0};
    double x[4] = {rng_uniform(&r, -200, 200), rng_uniform(&r, -200, 200), rng_uniform(&r, -90, 90),
                   340};
    SarSectionLoad load, plus, minus;
    sar_section_load(&w.m, &s, x, 1.2, x[3], true, &load);
    bool bad = false;
    for (int i = 0; i < 4; i++) {
      const double h = 1e-5 * 200, at = x[i];
      x[i] = at + h, sar_section_load(&w.m, &s, x, 1.2, x[3], false, &plus);
      x[i] = at - h, sar_section_load(&w.m, &s, x, 1.2, x[3], false, &minus);
      x[i] = at;
      for (int k = 0; k < 4; k++) {
        const double slope = i < 3 ? load.F_v[k][i] : load.F_sound[k];
        const double size = 1 + 0.5 * 1.2 * 0.4 * 300 * 100;
        if (!(fabs(slope - (plus.F[k] - minus.F[k]) / (2 * h)) < 1e-6 * size)) bad = true;
      }
    }
    wrong += bad;
  }
  assert_true(wrong <= trials / 100);
}

// ---- the standard atmosphere --------------------------------------------------------------------

// ISO 2533, table of geometric altitudes: density, speed of sound
static void standard_atmosphere(void** state) {
  (void)state;
  static const double table[][3] = {{0, 1.225, 340.294},       {1000, 1.11166, 336.434},
                                    {5000, 0.736429, 320.545}, {8500, 0.495750, 305.984},
                                    {10000, 0.41351, 299.532}, {15000, 0.194756, 295.069}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    const SarAirHere air = sar_air_standard(dual(table[i][0], 1));
    const double rho = sar_air_standard(dual_of(table[i][0] + 0.1)).density.x;
    EXPECT_NEAR(air.density.x, table[i][1], 2e-5 * table[i][1]);
    EXPECT_NEAR(air.sound.x, table[i][2], 1e-5 * table[i][2]);
    EXPECT_NEAR(air.density.d, (rho - air.density.x) / 0.1, 1e-3 * air.density.x / 7000);
  }
}

// ---- inflow -------------------------------------------------------------------------------------

static SarDisc disc(SarInflowModel model, double V, double down) {
  SarDisc d = {.model = model, .radius = 7, .area = PI * 49, .turning = 1};
  d.axis = d3_of(v3(0, 0, 1)), d.e[0] = d3_of(v3(1, 0, 0)), d.e[1] = d3_of(v3(0, 1, 0));
  d.across = d3_of(v3(V, 0, 0)), d.V = dual_of(V), d.down = dual_of(down);
  d.density = dual_of(1.1), d.tip_speed = dual_of(210), d.image = dual_of(1);
  return d;
}

static double momentum(const SarDisc* d, double u) {
  return 2 * d->density.x * d->area * u * hypot(d->V.x, d->down.x + u);
}

// The root meets Glauert's equation, has the sign of the thrust, and none is nearer to zero.
static void momentum_theory(void** state) {
  (void)state;
  Rng r = rng_seed(4);
  for (int trial = 0; trial < test_effort(5000); trial++) {
    const double V = rng_int(&r, 3) ? rng_uniform(&r, 0, 60) : 0;
    SarDisc d = disc(SAR_INFLOW_UNIFORM, V, rng_int(&r, 4) ? rng_uniform(&r, -40, 40) : 0);
    const double T = pow(10, rng_uniform(&r, -3, 6)) * (rng_int(&r, 2) ? 1 : -1);
    const double u = sar_momentum_inflow(&d, dual_of(T)).x;
    EXPECT_NEAR(momentum(&d, u), T, 1e-9 * fabs(T));
    assert_true(u * T > 0);
    for (int i = 1; i < 40; i++)
      assert_true(fabs(momentum(&d, u * i / 40)) <= fabs(T) * (1 + 1e-9));
    // along a random change of thrust and flow
    const double dT = rng_uniform(&r, -1, 1) * fabs(T), dV = V > 0 ? rng_uniform(&r, -1, 1) : 0;
    const double dd = rng_uniform(&r, -1, 1), h = 1e-6;
    SarDisc e = d;
    e.V.d = dV, e.down.d = dd;
    const double slope = sar_momentum_inflow(&e, dual(T, dT)).d;
    e.V.x = V + h * dV, e.down.x = d.down.x + h * dd;
    const double plus = sar_momentum_inflow(&e, dual_of(T + h * dT)).x;
    e.V.x = V - h * dV, e.down.x = d.down.x - h * dd;
    const double minus = sar_momentum_inflow(&e, dual_of(T - h * dT)).x;
    const double difference = (plus - minus) / (2 * h);
    // where g has a maximum the root leaves with an infinite slope
    if (fabs(slope) < 100 * (1 + fabs(u)) && fabs(difference) < 100 * (1 + fabs(u)))
      EXPECT_NEAR(slope, difference, 1e-4 * (1 + fabs(slope)));
  }
}

// kx and ky of the forms of Glauert's inflow as the literature has them, with the wake angle.
static void first_harmonics(void** state) {
  (void)state;
  Rng r = rng_seed(5);
  for (int trial = 0; trial < test_effort(200); trial++) {
    const double V = rng_uniform(&r, 0.5, 70), down = rng_uniform(&r, -1, 6),
                 u = rng_uniform(&r, 2, 9);
    const double chi = atan(V / (down + u)), mu = V / 210, lambda = (down + u) / 210;
    const double kx[] = {0,
                         tan(chi / 2),
                         4.0 / 3 * (1 - cos(chi) - 1.8 * mu * mu) / sin(chi),
                         sqrt(2) * sin(chi),
                         sin(chi) * sin(chi),
                         4.0 / 3 * (mu / lambda) / (1.2 + mu / lambda),
                         4.0 / 3 * (1 - 1.8 * mu * mu) * tan(chi / 2)};
    for (int model = SAR_INFLOW_UNIFORM; model <= SAR_INFLOW_GLAUERT; model++) {
      const SarDisc d = disc((SarInflowModel)model, V, down);
      const Dual z[3] = {dual_of(u), {0, 0}, {0, 0}};
      const SarInflowField f = sar_inflow_field(&d, z);
      EXPECT_NEAR(f.mean.x, u, 0);
      EXPECT_NEAR(f.slope.x.x * 7, u * kx[model - SAR_INFLOW_UNIFORM], 1e-11 * u);
      const double ky = model == SAR_INFLOW_DREES ? -2 * mu : 0;  // advancing side: y
      EXPECT_NEAR(f.slope.x.y * 7, u * ky, 1e-11 * u);
      EXPECT_NEAR(f.slope.x.z, 0, 0);
    }
  }
}

// At rest: momentum theory for the mean, and the harmonic of the skewed wake 15 pi/32 tan(chi/2);
// in hover a first moment of the thrust makes twice the inflow slope per pressure that it does on
// the mean.
static void pitt_and_peters_at_rest(void** state) {
  (void)state;
  Rng r = rng_seed(6);
  for (int trial = 0; trial < test_effort(200); trial++) {
    const double V = trial % 4 ? rng_uniform(&r, 0, 70) : 0,
                 down = trial % 3 ? rng_uniform(&r, 0, 6) : 0;
    const SarDisc d = disc(SAR_INFLOW_PITT_PETERS, V, down);
    const double T = rng_uniform(&r, 1e3, 6e4), M = 0;
    const double u = sar_momentum_inflow(&d, dual_of(T)).x, chi = atan2(V, down + u);
    const Dual z[3] = {dual_of(u), dual_of(u * 15 * PI / 32 * tan(chi / 2)), dual_of(0)};
    Dual rate[3];
    sar_inflow_rates(&d, 0, z, d3_of(v3(0, 0, T)), d3_of(v3(M, 0, 0)), rate);
    for (int i = 0; i < 3; i++) EXPECT_NEAR(rate[i].x, 0, 1e-9 * (1 + u * u));
  }
  // hover, a moment M along e0: first moment of the thrust along e1
  const SarDisc d = disc(SAR_INFLOW_PITT_PETERS, 0, 0);
  const double T = 3e4, M = 900, u = sar_momentum_inflow(&d, dual_of(T)).x;
  const double side = 2 * M / (d.density.x * d.area * d.radius) / (2 * u);  // Vm = 2 u, L22 = 2
  const Dual z[3] = {dual_of(u), dual_of(0), dual_of(side)};
  Dual rate[3];
  sar_inflow_rates(&d, 0, z, d3_of(v3(0, 0, T)), d3_of(v3(M, 0, 0)), rate);
  for (int i = 0; i < 3; i++) EXPECT_NEAR(rate[i].x, 0, 1e-9 * u * u);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tables_are_bilinear_and_constant_beyond_their_ends),
      cmocka_unit_test(lift_is_across_the_flow),
      cmocka_unit_test(slopes_are_those_of_the_loads),
      cmocka_unit_test(standard_atmosphere),
      cmocka_unit_test(momentum_theory),
      cmocka_unit_test(first_harmonics),
      cmocka_unit_test(pitt_and_peters_at_rest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
