// Networks of loops: the order of elimination is chosen by its fill. Entries are counted, not time;
// the motion is that of other methods, of copies to the bit and of twins with bodies in another
// order.
#include "support/run.h"

#include "model/data.h"
#include "model/fill.h"

#include <math.h>

static SarModel* net(const char* file, int n, const char* coordinates) {
  const SarParameter parameter = {"n", n};
  const SarLoadOptions o = {
      .parameters = &parameter, .parameter_count = 1, .coordinates = coordinates};
  return model_file(file, &o);
}

static double entries_of(const SarPanels* p) {
  double entries = 0;
  for (int i = 0; i < p->npanel; i++)
    entries += p->panel[i].width * (p->panel[i].rows + (p->panel[i].width + 1) / 2.);
  return entries;
}

// Entries of the factor over those of the best envelope, at most: 1 where the envelope stays.
static void fill_is_small(void** state) {
  (void)state;
  static const struct {
    const char *file, *coordinates;
    int n;
    double share;
  } cases[] = {
      {"nets/points.yaml", NULL, 5, 1},          {"nets/points.yaml", NULL, 10, 0.65},
      {"nets/points.yaml", NULL, 20, 0.47},      {"nets/points.yaml", NULL, 30, 0.38},
      {"nets/hinged.yaml", NULL, 20, 0.67},      {"nets/hinged.yaml", "absolute", 10, 0.46},
      {"nets/hinged.yaml", "absolute", 20, 0.31}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    SarModel* m = net(cases[i].file, cases[i].n, cases[i].coordinates);
    const SarPanels p = sar_model_panels(m, false);
    const SarEnvelopeSize e = sar_envelope_size(m, false);
#ifdef SARRUS_HAVE_AMD
    assert_int_equal(p.npanel > 0, cases[i].share < 1);
    if (!(entries_of(&p) <= cases[i].share * (double)e.entries))
      fail_msg("%s, n = %d: %g entries, the envelope has %zu", cases[i].file, cases[i].n,
               entries_of(&p), e.entries);
#endif
    (void)e, (void)p;
    sar_model_free(m);
  }
}

// Rows of four-bars keep their envelope: 2.5 entries a coordinate whatever their number.
static void chains_keep_their_envelope(void** state) {
  (void)state;
  for (int n = 5; n <= 640; n *= 2) {
    const SarParameter parameter = {"n", n};
    const SarLoadOptions o = {.parameters = &parameter, .parameter_count = 1};
    SarModel* m = model_file("fourbar_row.yaml", &o);
    const SarEnvelopeSize e = sar_envelope_size(m, true);
    assert_int_equal(m->npanel, 0);
    assert_true((double)e.entries <= 2.5 * m->nv);
    sar_model_free(m);
  }
}

static double height(const Run* r, int i, int k) {
  char name[32];
  double p[3], R[9];
  snprintf(name, sizeof name, "p%d_%d", i, k);
  EXPECT_OK(sar_body_pose(r->d, sar_model_find(r->m, SAR_ITEM_BODY, name), p, R));
  return p[2];
}

// Another simulation of the same model.
static Run run_beside(const Run* r, const SarSimOptions* o) {
  Run b = {.m = r->m};
  SarError err;
  sar_error_init(&err);
  EXPECT_OK_OR(sar_data_new(r->m, &b.d, &err), &err);
  EXPECT_OK_OR(sar_sim_new(r->m, b.d, o, &b.s, &err), &err);
  return b;
}

// Accelerations of the dense method, at positions on the way.
static void agrees_with_dense(void** state) {
  (void)state;
  static const char* const files[] = {"nets/points.yaml", "nets/hinged.yaml"};
  for (int k = 0; k < 2; k++) {
    const SarSimOptions o = run_options("lagrange", 1e-3), other = run_options("qr", 1e-3);
    Run a = run_open(net(files[k], 10, NULL), &o), b = run_beside(&a, &other);
    for (int i = 0; i < 3; i++) {
      run_advance(&a, 0.02 * (i + 1));
      EXPECT_OK(sar_data_copy(b.d, a.d));
      EXPECT_OK(sar_accelerations(a.s));
      EXPECT_OK(sar_accelerations(b.s));
      double size = 0;
      for (int j = 0; j < a.m->nv; j++) size = fmax(size, fabs(b.d->a[j]));
      for (int j = 0; j < a.m->nv; j++) EXPECT_NEAR(a.d->a[j], b.d->a[j], 1e-9 * size);
    }
    sar_sim_free(b.s);
    sar_data_free(b.d);
    run_close(&a);
  }
}

static void copies_and_energy(void** state) {
  (void)state;
  static const char* const formulations[] = {"lagrange", "hybrid"};
  for (int k = 0; k < 2; k++) {
    const SarSimOptions o = run_options(formulations[k], 1e-3);
    Run r = run_open(net("nets/points.yaml", 8, NULL), &o);
#ifdef SARRUS_HAVE_AMD
    assert_true(r.m->npanel > 0);
#endif
    run_with_copy(&r, &o, 0.02, 0.06, formulations[k]);
    SarEnergy e;
    EXPECT_OK(sar_energy(r.d, &e));
    // 64 masses of 0.01 kg have fallen by some millimetres; hybrid is of order 2
    EXPECT_NEAR(e.error, 0, k ? 2e-6 : 1e-9);
    run_close(&r);
  }
}

// The same net with its rows for columns: coordinates in another order, another order of
// elimination.
static void twins_agree(void** state) {
  (void)state;
  enum { N = 9 };
  const SarSimOptions o = run_options("lagrange", 1e-3);
  Run a = run_open(net("nets/points.yaml", N, NULL), &o);
  Run b = run_open(net("nets/points_turned.yaml", N, NULL), &o);
  run_advance(&a, 0.05);
  run_advance(&b, 0.05);
  for (int i = 1; i <= N; i++)
    for (int k = 1; k <= N; k++) EXPECT_NEAR(height(&a, i, k), height(&b, i, k), 1e-12);
  assert_true(height(&a, N, N) < 0.025 * sin(3 * N) - 1e-3);  // it has fallen
  run_close(&a);
  run_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fill_is_small),     cmocka_unit_test(chains_keep_their_envelope),
      cmocka_unit_test(agrees_with_dense), cmocka_unit_test(copies_and_energy),
      cmocka_unit_test(twins_agree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
