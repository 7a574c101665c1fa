// sarrus generate --keep: parameters that stay parameters of the code. For random values of them it
// finds the accelerations of the interpreter with these values (--set), at random states; and where
// that cannot be it says so and writes nothing. Bound: the same equations, with numbers of the
// model found again to rounding.
#include "support/program.h"
#include "support/random.h"

#include "model/sim.h"

#include <unistd.h>

static bool has_compiler(void) { return system("cc --version >/dev/null 2>&1") == 0; }

// A program that reads parameters and a state, and prints accelerations.
static const char driver[] =
    "#include \"@.h\"\n#include <stdio.h>\n"
    "static void take(double* x, int n) {\n"
    "  for (int i = 0; i < n; i++) if (scanf(\"%%lf\", &x[i]) != 1) x[i] = 0;\n}\n"
    "int main(void) {\n  @_state s;\n  @_inputs u;\n  @_rates k;\n"
    "  @_start(&s);\n  @_default_inputs(&u);\n"
    "  take(u.parameters.parameter, sizeof u.parameters / sizeof(double));\n"
    "  take(&s.t, 1);\n  take((double*)&s.t + 1, @_NQ + @_NV + @_NZ);\n"
    "  if (@_accelerations(&s, &u, &k)) return 1;\n"
    "  for (int i = 0; i < @_NV; i++) printf(\"%%.17g\\n\", k.a[i]);\n"
    "  return 0;\n}\n";

static void write_driver(const char* folder, const char* name) {
  char path[400];
  snprintf(path, sizeof path, "%s/%s/driver.c", program_folder, folder);
  FILE* f = fopen(path, "w");
  assert_non_null(f);
  for (const char* c = driver; *c; c++) {
    if (c[0] == '%' && c[1] == '%') c++;
    if (*c == '@')
      fputs(name, f);
    else
      fputc(*c, f);
  }
  fclose(f);
}

typedef struct Case {
  const char *file, *name, *arguments;
  int count;
  const char* parameter[4];
  double value[4];
} Case;

// A state of the model with other values, and its accelerations; false: there is no such mechanism.
static bool interpret(const Case* c, const double* value, Rng* r, FILE* to, double* a, int* nv) {
  SarParameter set[4];
  for (int i = 0; i < c->count; i++) set[i] = (SarParameter){c->parameter[i], value[i]};
  const SarLoadOptions load = {.parameters = set, .parameter_count = c->count};
  SarSimOptions o = sar_sim_options();
  o.rtol = o.atol = 1e-12;  // steps leave the constraints by less than rounding
  SarModel* m = NULL;
  SarData* d = NULL;
  SarSim* s = NULL;
  char path[400];
  // examples, or files of the test
  const bool own = strchr(c->file, '/') == NULL;
  snprintf(path, sizeof path, "%s/%s", own ? program_folder : SARRUS_SOURCE_DIR, c->file);
  bool done = sar_model_load(path, &load, &m, NULL) == SAR_OK &&
              sar_data_new(m, &d, NULL) == SAR_OK && sar_sim_new(m, d, &o, &s, NULL) == SAR_OK;
  for (int i = 0; done && m->nrow == 0 && i < m->nq && m->nq == m->nv; i++) {
    d->q[i] += rng_uniform(r, -0.5, 0.5);
    d->v[i] += rng_uniform(r, -1, 1);
  }
  for (int i = 0; done && m->nrow > 0 && i < 20; i++) done = sar_step(s) == SAR_OK;
  done = done && sar_accelerations(s) == SAR_OK;
  for (int i = 0; done && i < c->count; i++) fprintf(to, "%.17g\n", value[i]);
  if (done) fprintf(to, "%.17g\n", d->t);
  for (int i = 0; done && i < m->nq; i++) fprintf(to, "%.17g\n", d->q[i]);
  for (int i = 0; done && i < m->nv; i++) fprintf(to, "%.17g\n", a[i] = d->v[i]);
  for (int i = 0; done && i < m->nz; i++) fprintf(to, "%.17g\n", d->z[i]);
  *nv = done ? m->nv : 0;
  for (int i = 0; i < *nv; i++) a[i] = d->a[i];
  sar_sim_free(s);
  sar_data_free(d);
  sar_model_free(m);
  return done;
}

static double compare(const Case* c, const double* value, Rng* r) {
  char path[400], command[1000];
  double a[100], found, worst = 0, size = 1;
  int nv;
  snprintf(path, sizeof path, "%s/%s/state", program_folder, c->name);
  FILE* f = fopen(path, "w");
  assert_non_null(f);
  const bool there = interpret(c, value, r, f, a, &nv);
  fclose(f);
  if (!there) return 0;
  snprintf(command, sizeof command, "%s/%s/driver <%s", program_folder, c->name, path);
  f = popen(command, "r");
  for (int i = 0; i < nv; i++) size = fmax(size, fabs(a[i]));
  for (int i = 0; i < nv; i++) {
    if (fscanf(f, "%lf", &found) != 1) fail_msg("%s: the code has no acceleration", c->name);
    worst = fmax(worst, fabs(found - a[i]) / size);
  }
  pclose(f);
  return worst;
}

// The code's own test, and the driver.
static void compile(const Case* c) {
  char text[1000];
  snprintf(text, sizeof text,
           "cd %s/%s && cc -std=c11 -O1 -Wall -Wextra -Wconversion -pedantic -Werror -o test %s.c "
           "%s_test.c -lm && ./test >log 2>&1 && cc -std=c11 -O1 -o driver %s.c driver.c -lm",
           program_folder, c->name, c->name, c->name, c->name);
  if (system(text) != 0) fail_msg("%s: does not compile, or fails its own test", c->name);
}

static void kept_parameters_act_as_those_of_the_file(void** state) {
  (void)state;
  if (!has_compiler()) skip();
  const Case cases[] = {
      {"examples/pendulum.yaml", "pendulum", "--keep L,m", 2, {"L", "m"}, {1, 1}},
      {"examples/cart_pole.yaml", "cart_pole", "--keep L,m,M", 3, {"L", "m", "M"}, {1, 0.2, 1}},
      {"examples/double_pendulum.yaml",
       "double_pendulum",
       "--keep L2,L1",
       2,
       {"L2", "L1"},
       {0.8, 1}},
      {"examples/quarter_car.yaml",
       "quarter_car",
       "--keep k,body_mass,compression",
       3,
       {"k", "body_mass", "compression"},
       {22000, 400, 900}},
      {"examples/dc_motor.yaml", "dc_motor", "--keep R,k,r", 3, {"R", "k", "r"}, {0.8, 0.12, 0.02}},
      {"examples/rover.yaml", "rover", "--keep mass", 1, {"mass"}, {600}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const Case* c = &cases[i];
    char text[1000];
    Rng r = rng_seed(test_seed(4200 + i));
    snprintf(text, sizeof text, "generate %s %s -o @%s", c->file, c->arguments, c->name);
    expect_status_of(sarrus(text), 0);
    write_driver(c->name, c->name);
    compile(c);
    double worst = 0;
    for (int trial = 0; trial < 8; trial++) {
      double value[4];
      for (int k = 0; k < c->count; k++) value[k] = c->value[k] * exp(rng_uniform(&r, -1.2, 1.2));
      worst = fmax(worst, compare(c, value, &r));
    }
    print_message("%s: %.1e\n", c->name, worst);
    EXPECT_AT_MOST(worst, 1e-12);
  }
}

// ---- closed loops by embedding ------------------------------------------------------------------

// Masses, inertias, a spring, a damper and the place of a pivot stay parameters, in random
// mechanisms of one loop or two, planar or in space, driven or not.
static void write_loops(Rng* r, bool spatial, bool two, bool driven, char* text, size_t size) {
  const double crank = rng_uniform(r, 0.2, 0.3), y = rng_uniform(r, 0.5, 0.8);
  size_t n = (size_t)snprintf(
      text, size,
      "sarrus: 1\nparameters: {m: 1.5, k: 30, c: 0.4, d: 1.1, w: 2}\nbodies:\n"
      "  crank: {mass: 0.5, com: [%.17g, 0, 0], inertia: [0.01, 0.02, m/50], at: [0, 0, 0], "
      "points: {tip: [%.17g, 0, 0.1]}}\n"
      "  rocker: {mass: m, com: [0, %.17g, 0.05], inertia: [0.06*m, 0.02, 0.06*m], at: [d, 0, 0], "
      "points: {tip: [0, %.17g, 0]}}\n",
      crank / 2, crank, y / 2, y);
  if (!spatial)
    n += (size_t)snprintf(text + n, size - n,
                          "  rod: {mass: m/2, com: [0.4, 0.1, 0], inertia: [0.01, 0.1, 0.1], at: "
                          "[%.17g, 0, 0]}\n",
                          crank);
  if (two)
    n += (size_t)snprintf(text + n, size - n,
                          "  arm: {mass: 0.4, com: [0.2, 0, 0], inertia: [0.01, 0.02, 0.02], at: "
                          "[d, %.17g, 0]}\n"
                          "  slider: {mass: m, inertia: [0.1, 0.1, 0.1], at: ['d + 0.7', %.17g, "
                          "0]}\n",
                          y / 2, y / 2);
  n += (size_t)snprintf(
      text + n, size - n,
      "joints:\n  A: {revolute: [ground, crank], at: [0, 0, 0], axis: [%.3f, 0, 1], damping: c",
      spatial ? 0.3 : 0);
  if (!driven) n += (size_t)snprintf(text + n, size - n, ", speed: %.3f", rng_uniform(r, 1, 4));
  n += (size_t)snprintf(
      text + n, size - n,
      "}\n  D: {revolute: [ground, rocker], at: [d, 0, 0], axis: [0, %.3f, 1], stiffness: k}\n",
      spatial && !two ? 0.4 : 0);
  if (!spatial)
    n += (size_t)snprintf(text + n, size - n,
                          "  B: {revolute: [crank, rod], at: [%.17g, 0, 0], axis: z}\n"
                          "  C: {revolute: [rod, rocker], at: ['d', %.17g, 0], axis: z}\n",
                          crank, y);
  if (two)
    n +=
        (size_t)snprintf(text + n, size - n,
                         "  E: {revolute: [rocker, arm], at: [d, %.17g, 0], axis: z}\n"
                         "  F: {revolute: [arm, slider], at: ['d + 0.7', %.17g, 0], axis: z}\n"
                         "  G: {prismatic: [ground, slider], at: ['d + 0.7', %.17g, 0], axis: x}\n",
                         y / 2, y / 2, y / 2);
  if (spatial || driven) n += (size_t)snprintf(text + n, size - n, "constraints:\n");
  if (spatial) n += (size_t)snprintf(text + n, size - n, "  s: {rod: [crank.tip, rocker.tip]}\n");
  if (driven) n += (size_t)snprintf(text + n, size - n, "  m: {motion: A, value: 'w*t'}\n");
  snprintf(text + n, size - n, "gravity: [0, -9.81, 0]\noutputs: [joints]\n");
}

static void loops_by_embedding_keep_parameters(void** state) {
  (void)state;
  if (!has_compiler()) skip();
  int compared = 0;
  double worst = 0;
  for (int i = 0; i < test_effort(8); i++) {
    char text[3000], name[20], file[40];
    Rng r = rng_seed(test_seed(9300) + (uint64_t)i);
    const bool spatial = i % 3 == 2, two = i % 2 == 1, driven = i % 4 == 1;
    write_loops(&r, spatial, two, driven, text, sizeof text);
    snprintf(name, sizeof name, "loops%d", i);
    snprintf(file, sizeof file, "loops%d.yaml", i);
    write_file(file, text);
    // the length of a rod that is not given is a root
    const int kept = spatial ? 3 : 4;
    const Case c = {file, name, "", kept, {"m", "k", "c", "d"}, {1.5, 30, 0.4, 1.1}};
    snprintf(text, sizeof text, "generate @%s --method embedding --keep m,k,c%s%s -o @%s", file,
             spatial ? "" : ",d", i % 4 == 2 ? " --derivatives" : "", name);
    expect_status_of(sarrus(text), 0);
    write_driver(name, name);
    compile(&c);
    for (int trial = 0; trial < 8; trial++) {
      double value[4];
      for (int k = 0; k < 4; k++)
        value[k] =
            c.value[k] * exp(k == 3 ? rng_uniform(&r, -0.1, 0.1) : rng_uniform(&r, -1.2, 1.2));
      const double off = compare(&c, value, &r);
      compared += off > 0;
      worst = fmax(worst, off);
    }
  }
  print_message("%d states of mechanisms with loops: %.1e\n", compared, worst);
  assert_true(compared > 6 * test_effort(8));
  EXPECT_AT_MOST(worst, 1e-12);
}

// ---- sampled controllers ------------------------------------------------------------------------

// Reads parameters and a whole state, takes steps of 1 ms, and prints where they end.
static const char runner[] =
    "#include \"servo.h\"\n#include <stdio.h>\n"
    "static void take(double* x, int n) {\n"
    "  for (int i = 0; i < n; i++) if (scanf(\"%lf\", &x[i]) != 1) x[i] = 0;\n}\n"
    "int main(void) {\n  servo_state s;\n  servo_inputs u;\n"
    "  servo_start(&s);\n  servo_default_inputs(&u);\n"
    "  take(u.parameters.parameter, sizeof u.parameters / sizeof(double));\n"
    "  take((double*)&s, sizeof s / sizeof(double));\n"
    "  for (int i = 0; i < 300; i++) if (servo_step(&s, &u, 1e-3)) return 1;\n"
    "  for (int i = 0; i < servo_NQ; i++) printf(\"%.17g\\n\", s.q[i]);\n"
    "  return 0;\n}\n";

static const char servo[] =
    "sarrus: 1\nparameters: {kp: 4, ki: 8, late: 0.2, k: 40, size: 0.05, on: 0.05}\n"
    "bodies: {rotor: {mass: 0.5, inertia: [8e-3, 8e-3, 8e-3]},\n"
    "  arm: {rod: [[0, 0, 0], [0.4, 0, 0]], mass: 0.6}}\n"
    "joints:\n"
    "  motor: {revolute: [ground, rotor], at: [0, 0, 0], axis: y, damping: 0.1, force: drive}\n"
    "  shaft: {revolute: [rotor, arm], at: [0, 0, 0], axis: y, stiffness: k, damping: 0.05}\n"
    "signals:\n"
    "  target: {sample: 't < 0.1 ? 0 : 0.4', period: 0.004}\n"
    "  wanted: {sampled_pid: target - motor.q, period: 0.004, offset: 0.001, kp: kp, ki: ki, kd: "
    "0.05, lower: -6, upper: 6}\n"
    "  before: {unit_delay: wanted, period: 0.008, offset: 0.001}\n"
    "  rough: {noise: size, period: 0.004, seed: 3}\n"
    "  far: {relay: motor.q, on: on, off: 0.02}\n"
    "  drive: {saturation: wanted + late*before + rough - 0.5*far, lower: -5, upper: 5}\n"
    "gravity: [0, 0, -1]\nsimulation: {end: 0.3}\n";

enum { GAINS = 6 };
static const char* const gain[GAINS] = {"kp", "ki", "late", "k", "size", "on"};
static const double usual[GAINS] = {4, 8, 0.2, 40, 0.05, 0.05};

static void run_servo(const double* value, FILE* to, double* q) {
  char path[400];
  SarParameter set[GAINS];
  for (int i = 0; i < GAINS; i++) set[i] = (SarParameter){gain[i], value[i]};
  const SarLoadOptions load = {.parameters = set, .parameter_count = GAINS};
  SarSimOptions o = sar_sim_options();
  SarModel* m;
  SarData* d;
  SarSim* s;
  snprintf(path, sizeof path, "%s/servo.yaml", program_folder);
  o.formulation = "crba", o.integrator = "rk4", o.step = 1e-3, o.adaptive = 0;
  if (sar_model_load(path, &load, &m, NULL) != SAR_OK || sar_data_new(m, &d, NULL) != SAR_OK ||
      sar_sim_new(m, d, &o, &s, NULL) != SAR_OK)
    fail_msg("no servo");
  for (int i = 0; i < GAINS; i++) fprintf(to, "%.17g\n", value[i]);
  fprintf(to, "%.17g\n", d->t);
  for (int i = 0; i < m->nq; i++) fprintf(to, "%.17g\n", d->q[i]);
  for (int i = 0; i < m->nv; i++) fprintf(to, "%.17g\n", d->v[i]);
  for (int i = 0; i < m->nz; i++) fprintf(to, "%.17g\n", d->z[i]);
  for (int i = 0; i < m->ndiscrete; i++) fprintf(to, "%.17g\n", d->discrete[i]);
  for (int i = 0; i < m->ndiscrete; i++) fprintf(to, "%.17g\n", d->discrete_kept[i]);
  if (sar_advance(s, 0.3) != SAR_OK) fail_msg("%s", sar_sim_trouble(s));
  for (int i = 0; i < m->nq; i++) q[i] = d->q[i];
  sar_sim_free(s);
  sar_data_free(d);
  sar_model_free(m);
}

static void gains_of_sampled_controllers_are_kept(void** state) {
  (void)state;
  char text[600], path[400];
  Rng r = rng_seed(test_seed(81));
  if (!has_compiler()) skip();
  write_file("servo.yaml", servo);
  expect_status_of(sarrus("generate @servo.yaml --keep kp,ki,late,k,size,on -o @servo"), 0);
  write_file("servo/driver.c", runner);
  snprintf(text, sizeof text,
           "cd %s/servo && cc -std=c11 -O1 -Wall -Wextra -Wconversion -pedantic -Werror -o test "
           "servo.c servo_test.c -lm && ./test >log 2>&1 && cc -std=c11 -O1 -o driver servo.c "
           "driver.c -lm",
           program_folder);
  assert_int_equal(system(text), 0);
  for (int trial = 0; trial < 6; trial++) {
    double value[GAINS], q[2] = {0}, found, worst = 0;
    for (int i = 0; i < GAINS; i++) value[i] = usual[i] * exp(rng_uniform(&r, -0.8, 0.8));
    snprintf(path, sizeof path, "%s/servo/state", program_folder);
    FILE* f = fopen(path, "w");
    assert_non_null(f);
    run_servo(value, f, q);
    fclose(f);
    snprintf(text, sizeof text, "%s/servo/driver <%s", program_folder, path);
    f = popen(text, "r");
    for (int i = 0; i < 2; i++) {
      if (fscanf(f, "%lf", &found) != 1) fail_msg("the code does not run");
      worst = fmax(worst, fabs(found - q[i]));
    }
    pclose(f);
    print_message("sampled, turned by %.2g rad: %.1e\n", q[0], worst);
    // a controller at the edge of its stability would make more of rounding
    EXPECT_AT_MOST(worst, 1e-10);
  }
}

static void what_cannot_be_kept_is_refused(void** state) {
  (void)state;
  write_file("tilted.yaml",
             "sarrus: 1\nparameters: {w: 0.3}\n"
             "bodies: {a: {mass: 1, inertia: [1, 2, 3], at: [0.5, 0, 0]}}\n"
             "joints: {hinge: {revolute: [ground, a], axis: [sin(w), 0.2, cos(w)]}}\n");
  write_file("kink.yaml",
             "sarrus: 1\nparameters: {k: 100}\n"
             "bodies: {a: {mass: 1, inertia: [1, 2, 3]}}\n"
             "joints: {slide: {prismatic: [ground, a], axis: x, stiffness: 'min(k, 300)'}}\n");
  const char* const cases[][2] = {
      {"examples/pendulum.yaml --keep nope", "no parameter 'nope'"},
      {"examples/pendulum.yaml --keep L,L", "'L' is there twice"},
      {"examples/pendulum.yaml --keep L --method aba", "--method crba"},
      {"examples/chain.yaml --keep n", "'n' changes which equations there are"},
      {"@tilted.yaml --keep w", "no sums of products of 'w'"},
      {"@kink.yaml --keep k", "in another way from 'k'"},
      // instants are numbers of the code
      {"examples/sampled_servo.yaml --keep period", "'period' changes which equations there are"},
      {"examples/pendulum.yaml --keep ,", "names with commas"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[300], path[300];
    snprintf(text, sizeof text, "generate %s -o @refused", cases[i][0]);
    expect_has(expect_status_of(sarrus(text), 2)->err, cases[i][1]);
    snprintf(path, sizeof path, "%s/refused", program_folder);
    assert_true(access(path, F_OK) != 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kept_parameters_act_as_those_of_the_file),
      cmocka_unit_test(loops_by_embedding_keep_parameters),
      cmocka_unit_test(gains_of_sampled_controllers_are_kept),
      cmocka_unit_test(what_cannot_be_kept_is_refused),
  };
  return cmocka_run_group_tests(tests, program_begin, program_end);
}
