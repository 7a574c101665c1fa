// Modal bodies against another code (tests/reference/flexible/modal_pendulum.csv), against an
// integration of their equations in the textbook form, and against the beams they are reduced from,
// standing and turning.
#include "analysis/reduce.h"
#include "model/data.h"
#include "output/modal_file.h"
#include "support/reference_file.h"
#include "support/run.h"

// ---- the pendulum -------------------------------------------------------------------------------

enum { MODES = 3, NODES = 11, STATE = 2 * (MODES + 1) };

// Invariants of the plane motion (Shabana 2013, ch. 5), from the numbers of the example:
//   T = (I0 + eta'A eta) phi'^2 / 2 - phi' c.eta' + eta'M eta' / 2
// order 1: the invariants to first order in eta, as the other code has them: A = 0.
typedef struct Invariants {
  double I0, mx, c[MODES], Ct[MODES], M[MODES][MODES], A[MODES][MODES], K[MODES];
  double tip[MODES];
} Invariants;

static Invariants invariants_of(const SarModel* m) {
  Invariants v = {0};
  for (int k = 0; k < m->nnode; k++) {
    const SarModalNode* n = &m->node[k];
    const Inertia* I = &m->body_inertia[n->body];
    const double x = m->body_X_PF[n->body].p.x, J = I->I.yy;
    v.I0 += I->m * x * x + J;
    v.mx += I->m * x;
    for (int i = 0; i < MODES; i++) {
      const Motion a = m->node_mode[n->mode + i];
      v.c[i] += I->m * x * a.v.z - J * a.w.y;
      v.Ct[i] += I->m * a.v.z;
      v.tip[i] = a.v.z;  // the last one stays: node 10 is not last by name
      for (int j = 0; j < MODES; j++) {
        const Motion b = m->node_mode[n->mode + j];
        v.A[i][j] += I->m * a.v.z * b.v.z;
        v.M[i][j] += I->m * a.v.z * b.v.z + J * a.w.y * b.w.y;
      }
    }
  }
  for (int i = 0; i < MODES; i++) v.K[i] = m->dof_stiffness[m->modal[0].dof + i];
  for (int i = 0; i < MODES; i++) v.tip[i] = 1;  // modes are scaled so
  return v;
}

static void solve4(double A[4][4], double b[4]) {
  for (int k = 0; k < 4; k++)
    for (int i = k + 1; i < 4; i++) {
      const double f = A[i][k] / A[k][k];
      for (int j = k; j < 4; j++) A[i][j] -= f * A[k][j];
      b[i] -= f * b[k];
    }
  for (int i = 3; i >= 0; i--) {
    for (int j = i + 1; j < 4; j++) b[i] -= A[i][j] * b[j];
    b[i] /= A[i][i];
  }
}

static void rates(const Invariants* v, int order, const double* y, double* dy) {
  const double phi = y[0], *e = y + 1, w = y[4], *de = y + 5, g = 9.81;
  double M[4][4], Q[4], Ae[MODES] = {0}, sum = 0, fast = 0, Ce = 0;
  for (int i = 0; i < MODES; i++) {
    for (int j = 0; order > 1 && j < MODES; j++) Ae[i] += v->A[i][j] * e[j];
    sum += Ae[i] * e[i], fast += Ae[i] * de[i], Ce += v->Ct[i] * e[i];
  }
  M[0][0] = v->I0 + sum;
  Q[0] = -2 * fast * w + g * (v->mx * cos(phi) + Ce * sin(phi));
  for (int i = 0; i < MODES; i++) {
    M[0][i + 1] = M[i + 1][0] = -v->c[i];
    for (int j = 0; j < MODES; j++) M[i + 1][j + 1] = v->M[i][j];
    Q[i + 1] = Ae[i] * w * w - g * v->Ct[i] * cos(phi) - v->K[i] * e[i];
  }
  solve4(M, Q);
  for (int i = 0; i < 4; i++) dy[i] = y[4 + i], dy[4 + i] = Q[i];
}

static void textbook_step(const Invariants* v, int order, double h, double* y) {
  double k[4][STATE], x[STATE];
  static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
  for (int s = 0; s < 4; s++) {
    for (int i = 0; i < STATE; i++) x[i] = y[i] + (s ? at[s] * h * k[s - 1][i] : 0);
    rates(v, order, x, k[s]);
  }
  for (int i = 0; i < STATE; i++)
    for (int s = 0; s < 4; s++) y[i] += h / 6 * weight[s] * k[s][i];
}

// Ours is the textbook's with invariants to second order, which the nodes have by themselves; the
// other code's is that to first order. Its table was extrapolated in the step, from differences of
// 2e-4 m.
static void falling_pendulum(void** state) {
  (void)state;
  static Reference ref;
  reference_read("flexible/modal_pendulum", &ref);
  SarSimOptions o = run_options("aba", 0);
  Run r = run_open(model_file("modal_pendulum.yaml", NULL), &o);
  const Invariants v = invariants_of(r.m);
  const double h = 1e-4;
  double y[2][STATE] = {{0}}, exact = 0, other = 0, ours = 0;
  for (int row = 0; row < ref.rows && ref.value[row][0] <= 2.0001; row++) {
    double tip[2][2];
    run_advance(&r, ref.value[row][0]);
    for (int k = 0; k < 2; k++) {
      for (int n = 0; row > 0 && n < 200; n++) textbook_step(&v, k + 1, h, y[k]);
      double w = 0;
      for (int i = 0; i < MODES; i++) w += v.tip[i] * y[k][1 + i];
      tip[k][0] = 2 * cos(y[k][0]) + w * sin(y[k][0]);
      tip[k][1] = -2 * sin(y[k][0]) + w * cos(y[k][0]);
    }
    const double x = run_output(&r, "bar_n10.x"), z = run_output(&r, "bar_n10.z");
    exact = fmax(exact, hypot(x - tip[1][0], z - tip[1][1]));
    other = fmax(other, hypot(ref.value[row][1] - tip[0][0], ref.value[row][2] - tip[0][1]));
    ours = fmax(ours, hypot(x - ref.value[row][1], z - ref.value[row][2]));
  }
  print_message(
      "textbook, second order: %.1e m; other code against first order: %.1e m; against ours: %.1e "
      "m\n",
      exact, other, ours);
  EXPECT_AT_MOST(exact, 1e-8);
  EXPECT_AT_MOST(other, 2e-4);
  EXPECT_AT_MOST(ours, 3e-4);
  run_close(&r);
}

// The same by implicit steps in absolute coordinates, the pin a constraint.
static void falling_pendulum_redundant(void** state) {
  (void)state;
  static Reference ref;
  reference_read("flexible/modal_pendulum", &ref);
  const SarLoadOptions absolute = {.coordinates = "absolute"};
  SarSimOptions o = run_options("redundant", 1e-4);
  o.integrator = "two-step";
  Run r = run_open(model_file("modal_pendulum.yaml", &absolute), &o);
  double off = 0;
  for (int row = 0; row < ref.rows && ref.value[row][0] <= 2.0001; row++) {
    run_advance(&r, ref.value[row][0]);
    const double x = run_output(&r, "bar_n10.x"), z = run_output(&r, "bar_n10.z");
    off = fmax(off, hypot(x - ref.value[row][1], z - ref.value[row][2]));
  }
  print_message("redundant against the other code: %.1e m\n", off);
  EXPECT_AT_MOST(off, 3e-4);  // as above
  run_close(&r);
}

// ---- beams --------------------------------------------------------------------------------------

static const char BLADE[] =
    "section: {stiffness: [1e6, 1e6, 1e6, 1, 1, 100], mass: 1, inertia: [2e-6, 1e-6, 1e-6]}";

// The modal body of the only beam of a model, as text behind `before`.
static SarModel* reduced(const char* text, const char* before, int modes, bool attach,
                         bool linear) {
  SarLoadOptions options = {.keep_fixed = 1};
  SarModel* m = model_text_with(text, &options);
  SarArena arena;
  SarError err;
  sar_error_init(&err);
  sar_arena_init(&arena);
  SarBeamCut o = {.beam = sar_reduce_beam(&arena, m, NULL, &err), .modes = modes, .linear = linear};
  assert_non_null(o.beam);
  const int end = sar_reduce_node(m, o.beam, "end");
  o.attached = &end;
  o.attached_count = attach;
  SarReducedBeam r;
  EXPECT_OK_OR(sar_reduce_to(&arena, m, &o, &r, &err), &err);
  char* out = NULL;
  size_t size = 0;
  FILE* f = open_memstream(&out, &size);
  assert_non_null(f);
  const SarModalFile file = {"reduced", o.beam,  r.holder, r.X_HE,
                             r.node,    r.shape, 0,        r.shape->modes};
  sar_modal_write(f, &file);
  fputs(before, f);
  fclose(f);
  SarModel* modal = model_parse(out, NULL);
  free(out);
  sar_arena_free(&arena);
  sar_model_free(m);
  return modal;
}

static SarData* data_of(const SarModel* m) {
  SarData* d = NULL;
  SarError err;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_data_new(m, &d, &err), &err);
  return d;
}

static int rest_frequencies(SarData* d, double* omega, int most) {
  SarStatics* s = NULL;
  SarError err;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_statics(d, NULL, &s, &err), &err);
  const SarStaticsReport* report = sar_statics_report(s);
  const int n = report->freedoms < most ? report->freedoms : most;
  for (int i = 0; i < n; i++) omega[i] = sqrt(report->omega2[i]);
  sar_statics_free(s);
  return n;
}

static double nearest(const double* omega, int count, double near) {
  double best = HUGE_VAL;
  for (int i = 0; i < count; i++)
    if (fabs(omega[i] - near) < fabs(best - near)) best = omega[i];
  return best;
}

// Frequencies of a cantilever with and without a weight at its tip: those of the beam, up to what
// static and a few normal modes leave out.
static void standing_as_the_beam(void** state) {
  (void)state;
  static const char BEAM[] =
      "gravity: [0, 0, 0]\n"
      "beams:\n  blade: {from: ground, to: [1, 0, 0], elements: 8, twist: [[0, 0], [1, 0.4]],\n"
      "    section: {stiffness: [1e6, 1e6, 1e6, 1, 1, 100], mass: 1, inertia: [2e-4, 1e-4, "
      "1e-4]}}\n";
  static const char LOAD[] =
      "bodies: {load: {mass: 0.7, at: [1, 0, 0], inertia: [0.01, 0.02, 0.02], com: [0.05, 0.02, "
      "0]}}\n";
  char text[2048], rest[1024];
  for (int loaded = 0; loaded < 2; loaded++) {
    snprintf(text, sizeof text, "%s%s%s", BEAM, loaded ? LOAD : "",
             loaded ? "joints: {grip: {fixed: [blade_end, load]}}\n" : "");
    snprintf(rest, sizeof rest,
             "gravity: [0, 0, 0]\n%sjoints:\n  root: {fixed: [ground, blade]}\n%s",
             loaded ? LOAD : "", loaded ? "  grip: {fixed: [blade_end, load]}\n" : "");
    SarModel *beam = model_text(text), *modal = reduced(BEAM, rest, 6, true, false);
    SarData *d0 = data_of(beam), *d = data_of(modal);
    double omega0[12], omega[12];
    assert_int_equal(rest_frequencies(d0, omega0, 12), 12);
    assert_int_equal(rest_frequencies(d, omega, 12), 12);
    for (int i = 0; i < 6; i++) {
      print_message("mode %d: %.6f, of the beam %.6f: %.1e\n", i + 1, omega[i], omega0[i],
                    omega[i] / omega0[i] - 1);
      EXPECT_NEAR(omega[i] / omega0[i], 1, i < 4 ? 1e-3 : 2e-2);
      assert_true(omega[i] > omega0[i] * (1 - 1e-7));  // Rayleigh: a reduced basis is stiffer
    }
    sar_data_free(d);
    sar_data_free(d0);
    sar_model_free(modal);
    sar_model_free(beam);
  }
}

// Flap and lag of a turning blade by eight normal modes with foreshortening: centrifugal stiffening
// is there, and without it the flap frequency does not rise with the speed.
static void turning_as_the_beam(void** state) {
  (void)state;
  static Reference ref;
  reference_read_table("flexible/rotating_cantilever_freq", &ref);
  const int flap[2] = {reference_find(&ref, "flap1_extrap"), reference_find(&ref, "flap2_extrap")};
  for (int i = 0; i < ref.rows; i += 2) {
    char text[512], rest[512];
    const double Om = ref.value[i][0];
    double omega[12], stiff[12];
    snprintf(text, sizeof text,
             "beams:\n  blade: {from: ground, to: [1, 0, 0], elements: 16, %s}\n", BLADE);
    snprintf(rest, sizeof rest,
             "parameters: {Om: %.17g}\ngravity: {potential: -0.5*Om^2*(x^2 + y^2)}\n"
             "joints: {root: {fixed: [ground, blade]}}\n",
             Om);
    SarModel *m = reduced(text, rest, 8, false, false), *l = reduced(text, rest, 8, false, true);
    SarData *d = data_of(m), *dl = data_of(l);
    const int count = rest_frequencies(d, omega, 12);
    const int linear = rest_frequencies(dl, stiff, 12);
    for (int k = 0; k < 2; k++) {
      const double value = ref.value[i][flap[k]], found = nearest(omega, count, value);
      print_message("Omega %g: flap %d %.5f (%.5f), linear %.5f\n", Om, k + 1, found, value,
                    nearest(stiff, linear, value));
      EXPECT_NEAR(found / value, 1, k ? 2e-3 : 1e-3);
    }
    sar_data_free(d);
    sar_data_free(dl);
    sar_model_free(m);
    sar_model_free(l);
  }
}

// A hub that turns by a small angle with a load at the tip: the motion of the beam, and the
// difference falls with the third power of the angle, since second order is there.
static void swung_as_the_beam(void** state) {
  (void)state;
  static const char BEAM[] =
      "beams:\n  arm: {from: [hub, [0.1, 0, 0]], to: [2, 0, 0], elements: 6, section: {mass: 0.6,\n"
      "    stiffness: [7.85e6, 1.13e6, 1.13e6, 63, 196, 196], damping: 2e-3}}\n";
  double off[2];
  for (int k = 0; k < 2; k++) {
    char rest[1024], text[2048], tail[256];
    double y[2][200];
    snprintf(tail, sizeof tail, "outputs: [{body: load}]\n");
    snprintf(rest, sizeof rest,
             "parameters: {angle: %g}\ngravity: [0, 0, 0]\n"
             "variables: {s: \"min(t, 1)\", turn: angle*(s - sin(2*pi*s)/(2*pi))}\n"
             "bodies: {hub: {mass: 2, inertia: [0.1, 0.1, 0.1]}, load: {mass: 0.5, at: [2, 0, 0],\n"
             "  inertia: [1e-3, 1e-3, 1e-3]}}\n"
             "constraints: {drive: {motion: motor, value: turn}}\n"
             "joints:\n  motor: {revolute: [ground, hub], axis: z}\n"
             "  grip: {fixed: [arm_end, load]}\n",
             k ? 0.05 : 0.1);
    SarSimOptions o = run_options("hybrid", 1e-3);
    off[k] = 0;
    for (int modal = 0; modal < 2; modal++) {
      snprintf(text, sizeof text, "%s%s%s", BEAM, rest, tail);
      SarModel* m = NULL;
      if (modal) {
        char joined[1400];
        snprintf(joined, sizeof joined, "%s  clamp: {fixed: [hub, arm]}\n%s", rest, tail);
        m = reduced(text, joined, 4, true, false);
      } else {
        m = model_text(text);
      }
      Run r = run_open(m, &o);
      for (int i = 0; i < 150; i++) {
        run_advance(&r, 0.01 * (i + 1));
        y[modal][i] = run_output(&r, "load.y");
      }
      run_close(&r);
    }
    for (int i = 0; i < 150; i++) off[k] = fmax(off[k], fabs(y[1][i] - y[0][i]));
    print_message("angle %g: %.2e m\n", k ? 0.05 : 0.1, off[k]);
  }
  EXPECT_AT_MOST(off[0], 5e-5);
  EXPECT_AT_MOST(off[1], off[0] / 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(falling_pendulum),     cmocka_unit_test(falling_pendulum_redundant),
      cmocka_unit_test(standing_as_the_beam), cmocka_unit_test(turning_as_the_beam),
      cmocka_unit_test(swung_as_the_beam),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
