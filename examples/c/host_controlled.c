/* Host program in the loop: a controller in C balances an inverted pendulum on a cart at 1 kHz.
 *
 * Before each step the host reads the state and writes the model's input; the input is held during
 * the step, as a real controller's output would be.
 */
#include <sarrus/sarrus.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char model[] =
    "sarrus: 1\n"
    "name: inverted pendulum\n"
    "inputs: {push: 0}\n"
    "bodies:\n"
    "  cart: {box: [0.4, 0.2, 0.1], mass: 1}\n"
    "  pole: {rod: [[0, 0, 0], [0, 0, 1]], mass: 0.2}\n"
    "joints:\n"
    "  rail:  {prismatic: [ground, cart], axis: x, damping: 0.1}\n"
    "  pivot: {revolute: [cart, pole], at: [0, 0, 0], axis: y, position: 10 deg}\n"
    "forces:\n"
    "  motor: {joint_force: rail, value: push}\n";

static int give_up(const SarError* err) {
  char line[1024];
  for (int i = 0; i < err->count; i++)
    fprintf(stderr, "%s\n", sar_error_format(err, i, line, sizeof line));
  return 1;
}

int main(void) {
  SarError err;
  SarModel* m = NULL;
  SarData* d = NULL;
  SarSim* s = NULL;
  SarSimOptions o = sar_sim_options();
  o.integrator = "rk4";
  o.step = 1e-3;
  sar_error_init(&err);
  if (sar_model_parse(model, strlen(model), "yaml", "inverted pendulum", NULL, &m, &err) !=
          SAR_OK ||
      sar_data_new(m, &d, &err) != SAR_OK || sar_sim_new(m, d, &o, &s, &err) != SAR_OK)
    return give_up(&err);

  int rail = sar_model_find(m, SAR_ITEM_JOINT, "rail");
  int pivot = sar_model_find(m, SAR_ITEM_JOINT, "pivot");
  int push = sar_model_find(m, SAR_ITEM_INPUT, "push");
  double x = 0, dx = 0, angle = 0, rate = 0;
  printf("   t [s]     cart [m]   pole [deg]    push [N]\n");
  for (int k = 0; k <= 8000; k++) {
    sar_joint_get(d, rail, &x, &dx);
    sar_joint_get(d, pivot, &angle, &rate);
    sar_inputs(d)[push] = 3 * x + 5 * dx + 45 * angle + 12 * rate;
    if (k % 1000 == 0)
      printf("%8.1f  %11.5f  %11.5f  %10.4f\n", sar_time(d), x, angle * 57.29577951308232,
             sar_inputs(d)[push]);
    if (sar_step(s) != SAR_OK) {
      fprintf(stderr, "%s\n", sar_sim_trouble(s));
      return 1;
    }
  }
  int balanced = fabs(angle) < 1e-3 && fabs(x) < 1e-2;
  printf(balanced ? "balanced\n" : "fell\n");

  sar_sim_free(s);
  sar_data_free(d);
  sar_model_free(m);
  return balanced ? 0 : 1;
}
