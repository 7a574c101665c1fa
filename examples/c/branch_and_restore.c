/* Branching: one run is copied at t = 1 s, several futures are tried from there, the best one is
 * taken, and going back gives the same bits again.
 *
 * A SarData holds everything that changes, so copying it copies the run; the SarModel is shared.
 */
#include <sarrus/sarrus.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char model[] =
    "sarrus: 1\n"
    "name: crane\n"
    "inputs: {push: 0}\n"
    "bodies:\n"
    "  trolley: {box: [0.5, 0.5, 0.2], mass: 20}\n"
    "  load:    {sphere: 0.2, mass: 10, at: [0, 0, -3]}\n"
    "joints:\n"
    "  rail:  {prismatic: [ground, trolley], axis: x, damping: 30, speed: 1}\n"
    "  cable: {spherical: [trolley, load], at: [0, 0, 0]}\n"
    "forces:\n"
    "  motor: {joint_force: rail, value: push}\n";

static int give_up(const SarError* err) {
  char line[1024];
  for (int i = 0; i < err->count; i++)
    fprintf(stderr, "%s\n", sar_error_format(err, i, line, sizeof line));
  return 1;
}

/* Swing of the load after two more seconds with a constant push; d is left there. */
static double future(SarData* d, SarSim* s, double push) {
  sar_inputs(d)[0] = push;
  if (sar_advance(s, sar_time(d) + 2) != SAR_OK) return HUGE_VAL;
  double q[4], w[3];
  sar_joint_get(d, sar_model_find(sar_data_model(d), SAR_ITEM_JOINT, "cable"), q, w);
  return sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
}

int main(void) {
  SarError err;
  SarModel* m = NULL;
  SarData *d = NULL, *saved = NULL;
  SarSim* s = NULL;
  sar_error_init(&err);
  if (sar_model_parse(model, strlen(model), "yaml", "crane", NULL, &m, &err) != SAR_OK ||
      sar_data_new(m, &d, &err) != SAR_OK || sar_data_new(m, &saved, &err) != SAR_OK ||
      sar_sim_new(m, d, NULL, &s, &err) != SAR_OK)
    return give_up(&err);

  if (sar_advance(s, 1) != SAR_OK || sar_data_copy(saved, d) != SAR_OK) return 1;
  unsigned long long hash = sar_state_hash(d), best_hash = 0;
  double best = HUGE_VAL, best_push = 0;
  for (double push = -20; push <= 20; push += 10) {
    sar_data_copy(d, saved);
    double swing = future(d, s, push);
    printf("push %5.0f N: the load swings with %.4f rad/s\n", push, swing);
    if (swing < best) {
      best = swing;
      best_push = push;
      best_hash = sar_state_hash(d);
    }
  }

  sar_data_copy(d, saved);
  int same_start = sar_state_hash(d) == hash;
  future(d, s, best_push);
  int same_end = sar_state_hash(d) == best_hash;
  printf("best: %.0f N; restored %s, repeated %s\n", best_push, same_start ? "exactly" : "WRONG",
         same_end ? "exactly" : "WRONG");

  sar_sim_free(s);
  sar_data_free(saved);
  sar_data_free(d);
  sar_model_free(m);
  return same_start && same_end ? 0 : 1;
}
