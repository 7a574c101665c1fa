// sarrus modes --period: Floquet multipliers of a periodic motion.
#include "cli/modes.h"

#include <math.h>

static const double TWO_PI = 6.28318530717958647693;
static const double NOTHING = 1e-7;  // multipliers of deviations that constraints do not allow

static bool is_shown(const SarFloquetReport* f, int k) {
  return f->im[k] >= 0 && hypot(f->re[k], f->im[k]) > NOTHING;
}

static void print_text(const CliArgs* args, const SarFloquetReport* f, double time) {
  const double largest = f->count > 0 ? hypot(f->re[0], f->im[0]) : 0;
  printf("%s: Floquet multipliers over %.6g s from t = %.6g s: %s\n", cli_shown(args->operand[0]),
         f->period, time,
         largest < 1 - 1e-6   ? "stable"
         : largest > 1 + 1e-6 ? "unstable"
                              : "neither damped nor growing");
  if (f->off > 1e-3)
    printf("  the motion does not repeat itself: speeds or states change by %.3g over the period\n",
           f->off);
  printf("\n%4s %12s %12s %12s %12s %12s\n", "", "size", "re", "im", "growth 1/s", "frequency Hz");
  for (int k = 0, n = 0; k < f->count; k++)
    if (is_shown(f, k))
      printf("%4d %12.6g %12.6g %12.6g %12.6g %12.6g\n", ++n, hypot(f->re[k], f->im[k]), f->re[k],
             f->im[k], log(hypot(f->re[k], f->im[k])) / f->period,
             atan2(f->im[k], f->re[k]) / TWO_PI / f->period);
}

static void print_json(const CliArgs* args, const SarFloquetReport* f, double time) {
  SarJson j;
  cli_json_begin(&j);
  sar_json_open(&j, NULL, '{');
  sar_json_text(&j, "model", args->operand[0]);
  sar_json_text(&j, "status", "ok");
  sar_json_number(&j, "time", time);
  sar_json_number(&j, "period", f->period);
  sar_json_number(&j, "off", f->off);
  sar_json_open(&j, "multipliers", '[');
  for (int k = 0; k < f->count; k++) {
    if (!is_shown(f, k)) continue;
    sar_json_open(&j, NULL, '{');
    sar_json_number(&j, "re", f->re[k]);
    sar_json_number(&j, "im", f->im[k]);
    sar_json_number(&j, "size", hypot(f->re[k], f->im[k]));
    sar_json_close(&j, '}');
  }
  sar_json_close(&j, ']');
  sar_json_close(&j, '}');
  sar_json_end(&j);
}

// The length of the period: a column of the model's.
static SarStatus period_of(const SarModel* m, SarSim* s, const char* column, double* period) {
  const int count = sar_model_count(m, SAR_ITEM_OUTPUT);
  double* values = sar_alloc((size_t)(count + 1) * sizeof *values);
  const SarStatus st = values ? sar_outputs(s, values) : SAR_NO_MEMORY;
  if (st == SAR_OK) *period = values[sar_model_find(m, SAR_ITEM_OUTPUT, column)];
  sar_free(values);
  return st;
}

int modes_floquet(const CliArgs* args, double time) {
  const SarExpression period = {"--period", cli_value(args, "period")};
  const CliLoad how = {
      .coordinates = cli_value(args, "coordinates"), .columns = &period, .column_count = 1};
  int status = EXIT_DONE;
  SarModel* m = cli_load_as(args, args->operand[0], &how, &status);
  if (!m) return status;
  SarFloquet* f = NULL;
  SarData* d = NULL;
  SarSim* s = NULL;
  SarError err;
  double length = 0;
  sar_error_init(&err);
  SarStatus st = sar_data_new(m, &d, &err);
  if (st == SAR_OK) st = sar_sim_new(m, d, NULL, &s, &err);
  if (st == SAR_OK && time > 0) st = sar_advance(s, time);
  if (st != SAR_OK && s) fprintf(stderr, "sarrus modes: %s\n", sar_sim_trouble(s));
  if (st == SAR_OK) st = period_of(m, s, period.name, &length);
  if (st == SAR_OK) st = sar_floquet(d, length, NULL, &f, &err);
  cli_print_messages(&err);
  if (st != SAR_OK && err.errors == 0) cli_say_status("sarrus modes", args->operand[0], st);
  if (st == SAR_OK && args->json)
    print_json(args, sar_floquet_report(f), time);
  else if (st == SAR_OK)
    print_text(args, sar_floquet_report(f), time);
  sar_floquet_free(f);
  sar_sim_free(s);
  sar_data_free(d);
  sar_model_free(m);
  return cli_exit_status(st);
}
