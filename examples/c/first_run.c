/* First run: a double pendulum from a text in memory, ten seconds, a table and the energy audit.
 *
 *   cc first_run.c $(pkg-config --cflags --libs sarrus) -o first_run
 */
#include <sarrus/sarrus.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char model[] =
    "sarrus: 1\n"
    "name: double pendulum\n"
    "parameters: {L: 0.5, m: 1}\n"
    "bodies:\n"
    "  upper: {rod: [[0, 0, 0], [0, 0, -L]], mass: m}\n"
    "  lower: {rod: [[0, 0, -L], [0, 0, -2*L]], mass: m, points: {tip: [0, 0, -2*L]}}\n"
    "joints:\n"
    "  shoulder: {revolute: [ground, upper], axis: y, position: 60 deg}\n"
    "  elbow:    {revolute: [upper, lower], at: [0, 0, -L], axis: y, damping: 0.02}\n"
    "outputs: [{point: lower.tip}, energy]\n";

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
  sar_error_init(&err);
  if (sar_model_parse(model, strlen(model), "yaml", "double pendulum", NULL, &m, &err) != SAR_OK ||
      sar_data_new(m, &d, &err) != SAR_OK || sar_sim_new(m, d, NULL, &s, &err) != SAR_OK)
    return give_up(&err);

  double values[32]; /* one for each output column */
  int columns = sar_model_count(m, SAR_ITEM_OUTPUT);
  int x = sar_model_find(m, SAR_ITEM_OUTPUT, "lower.tip.x");
  int z = sar_model_find(m, SAR_ITEM_OUTPUT, "lower.tip.z");
  if (columns > 32 || x < 0 || z < 0) return 1;

  printf("   t [s]     tip x [m]     tip z [m]    not accounted for [J]\n");
  for (int i = 0; i <= 10; i++) {
    SarEnergy e;
    if (sar_advance(s, i) != SAR_OK) {
      fprintf(stderr, "%s\n", sar_sim_trouble(s));
      return 1;
    }
    if (sar_outputs(s, values) != SAR_OK || sar_energy(d, &e) != SAR_OK) return 1;
    printf("%8.1f  %12.6f  %12.6f  %12.1e\n", sar_time(d), values[x], values[z], e.error);
    if (fabs(e.error) > 1e-6) return 1;
  }
  SarStats stats = sar_stats(s);
  printf("%ld steps, %ld rejected, %ld evaluations\n", stats.steps, stats.rejected, stats.calls);

  sar_sim_free(s);
  sar_data_free(d);
  sar_model_free(m);
  return 0;
}
