// sarrus equations: what a reader of textbooks expects, in all styles, and what
// is refused.
#include "support/program.h"

#include <ctype.h>

static void a_pendulum_is_that_of_a_textbook(void** state) {
  (void)state;
  const Result* r = expect_status_of(sarrus("equations examples/pendulum.yaml"), 0);
  expect_has(r->out, "M[hinge, hinge] = L^2*m/3\n");
  expect_has(r->out, "h[hinge] = L*m*g*sin(hinge.q)/2\n");
  r = expect_status_of(sarrus("equations examples/pendulum.yaml --set L=2 --what M"), 0);
  expect_has(r->out, "M[hinge, hinge] = 4*m/3\n");
  expect_lacks(r->out, "h[");
  r = expect_status_of(sarrus("equations examples/pendulum.yaml --latex"), 0);
  expect_has(r->out, "M_{1,1} &= \\tfrac{1}{3} L^{2} m \\\\\n");
  expect_has(r->out, "\\sin q_{\\mathrm{hinge}}");
  r = expect_status_of(sarrus("equations examples/pendulum.yaml --c"), 0);
  expect_has(r->out, "M[0][0] = (1.0 / 3.0) * ");
  expect_has(r->out, "sin(hinge_q)");
  r = expect_status_of(sarrus("equations examples/pendulum.yaml --json"), 0);
  expect_has(r->out, "\"L^2*m/3\"");
}

static void angles_are_added_up(void** state) {
  (void)state;
  const Result* r = expect_status_of(sarrus("equations examples/double_pendulum.yaml"), 0);
  expect_has(r->out, "L2*g*sin(elbow.q + shoulder.q)/4");
  expect_has(r->out, "M[elbow, elbow] = L2^2/6\n");
}

static void loops_have_constraints(void** state) {
  (void)state;
  const Result* r = expect_status_of(sarrus("equations examples/dc_motor.yaml"), 0);
  expect_has(r->out, "phi[winding] = rope.q - r*shaft.q\n");
  expect_has(r->out, "J[winding, shaft] = -r\n");
  expect_has(r->out, "gamma[winding] = 0\n");
}

// The embedding: v = B vi + C, v' = B vi' + Bdot, and the positions, each line from those above it.
static void loops_are_embedded(void** state) {
  (void)state;
  const Result* r =
      expect_status_of(sarrus("equations examples/double_fourbar.yaml --what B,Bdot,solution"), 0);
  expect_has(r->out, "vi: A1.q\n");
  expect_has(r->out, "B[A0, A1] = (cos(B0.q) + sin(A0.q + B0.q))/cos(B0.q)\n");
  expect_has(r->out, "\nBdot[B2] = (");
#ifdef SARRUS_HAVE_FLINT
  expect_has(r->out, "\np1_2 = sin(A1.q) - 1\ncos(A0.q) = (sqrt(");
#endif
  expect_lacks(r->out, "J[");
  r = expect_status_of(sarrus("equations examples/crank_rocker.yaml --what B"), 0);
  expect_has(r->out, "C[motor] = 6.28");
  r = expect_status_of(sarrus("equations papers/003/five_link.yaml --what B"), 2);
  expect_has(r->err, "15 unknowns");
}

// Statements of C use what is above them.
static void statements_are_in_order(void** state) {
  (void)state;
  const Result* r = expect_status_of(
      sarrus("equations examples/double_fourbar.yaml --what B,Bdot,solution --c"), 0);
  for (const char* at = strstr(r->out, "const double "); at; at = strstr(at + 1, "const double ")) {
    char name[40];
    assert_int_equal(sscanf(at, "const double %39[A-Za-z0-9_]", name), 1);
    const size_t n = strlen(name);
    for (const char* use = strstr(r->out, name); use && use < at; use = strstr(use + 1, name)) {
      const bool whole = !isalnum((unsigned char)use[n]) && use[n] != '_' && use[-1] != '_' &&
                         !isalnum((unsigned char)use[-1]);
      if (whole) fail_msg("%s is used before its line", name);
    }
  }
}

// Every brace, bracket and environment that LaTeX opens is closed.
static void latex_is_balanced(void** state) {
  (void)state;
  const char* const models[] = {"pendulum",     "double_pendulum",  "cart_pole",   "quarter_car",
                                "crank_rocker", "nonlinear_spring", "fourbar_row", "heavy_top"};
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    char arguments[200];
    snprintf(arguments, sizeof arguments, "equations examples/%s.yaml --latex --what all",
             models[i]);
    const Result* r = expect_status_of(sarrus(arguments), 0);
    int depth = 0, left = 0, begun = 0;
    for (const char* c = r->out; *c; c++) {
      depth += (*c == '{') - (*c == '}');
      if (strncmp(c, "\\left", 5) == 0) left++;
      if (strncmp(c, "\\right", 6) == 0) left--;
      if (strncmp(c, "\\begin{", 7) == 0) begun++;
      if (strncmp(c, "\\end{", 5) == 0) begun--;
      assert_true(depth >= 0 && left >= 0 && begun >= 0);
      if (*c == '\n') assert_true(depth == 0 && left == 0);
    }
    assert_true(depth == 0 && left == 0 && begun == 0);
  }
}

// The flow as the paper's Figs. 2 and 6: loops in their order, what each begins from and which loop
// found it.
static void kinematics_are_a_flow(void** state) {
  (void)state;
  const char* const andrews = "equations examples/iftomm_a03_andrews.yaml --kinematics";
  const Result* r = expect_status_of(sarrus(andrews), 0);
  expect_has(r->out, "independent: O.q\n");
  expect_has(r->out, "v 1. B.q, F.q   by E3\n       known: O.q\n");
  expect_has(r->out, "v 3. A7.q, H.q   by E6\n       known: O.q, F.q (1)\n");
#ifdef SARRUS_HAVE_FLINT
  expect_has(r->out, "3 blocks: triangular\n");
  expect_has(r->out,
             "cos B.q                  degree 2,  74 terms, longest coefficient 177 digits");
  r = expect_status_of(sarrus("equations examples/iftomm_a03_andrews.yaml --kinematics --latex"),
                       0);
  expect_has(r->out, "$g_{1,1}$ & $\\cos q_{\\mathrm{B}}$ & 2 & 74 & 177 \\\\\n");
  expect_has(r->out, "\\end{tabular}\n");
  // a motor is no part of kinematics
  r = expect_status_of(sarrus("loops examples/peaucellier.yaml --json"), 0);
  expect_has(r->out, "\"flow\": \"triangular\"");
#endif
  r = expect_status_of(sarrus("equations examples/pendulum.yaml --kinematics"), 0);
  expect_has(r->out, "0 blocks: no loops");
}

static void refusals(void** state) {
  (void)state;
  expect_has(expect_status_of(sarrus("equations examples/pendulum.yaml --picture x.svg"), 2)->err,
             "--kinematics");
  expect_has(expect_status_of(sarrus("loops examples/crank_rocker.yaml --picture x.doc"), 2)->err,
             "x.doc");
  expect_has(expect_status_of(sarrus("equations examples/stack.yaml"), 2)->err,
             "solids that touch");
  expect_has(expect_status_of(sarrus("equations examples/pendulum.yaml --what mass"), 2)->err,
             "mass");
  expect_has(expect_status_of(sarrus("equations examples/pendulum.yaml --set Lx=2"), 3)->err, "Lx");
  expect_status_of(sarrus("equations examples/none.yaml"), 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_pendulum_is_that_of_a_textbook),
      cmocka_unit_test(angles_are_added_up),
      cmocka_unit_test(loops_have_constraints),
      cmocka_unit_test(loops_are_embedded),
      cmocka_unit_test(statements_are_in_order),
      cmocka_unit_test(latex_is_balanced),
      cmocka_unit_test(kinematics_are_a_flow),
      cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests(tests, program_begin, program_end);
}
