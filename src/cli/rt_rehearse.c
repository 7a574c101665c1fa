// sarrus rt --rehearse: how long frames take, which rate is safe, which method would be better.
#include "cli/rt.h"

#include <math.h>

// What is recommended for steps of this length within their share of the period.
typedef struct Advice {
  SarStatus status;
  SarChoice choice;
  char words[400];
} Advice;

static void advise(const SarModel* m, const SarRtReport* r, double margin, Advice* a) {
  SarError err;
  SarData* d = NULL;
  SarSimOptions o = sar_sim_options();
  const double steps = round(r->period / r->ladder[0].step);
  sar_error_init(&err);
  o.step = r->ladder[0].step;
  o.formulation = "auto";
  a->choice = (SarChoice){0};
  a->status = sar_data_new(m, &d, &err);
  if (a->status == SAR_OK)
    a->status = sar_choose(m, d, r->period / steps / margin, 0, &o, &a->choice, &err);
  if (a->status == SAR_OK)
    snprintf(a->words, sizeof a->words, "%s with %s: %.300s", o.formulation, o.integrator,
             a->choice.reason);
  else
    snprintf(a->words, sizeof a->words, "%s with %s; %.300s", r->ladder[0].formulation,
             r->ladder[0].integrator, err.count > 0 ? err.items[0].text : "");
  sar_data_free(d);
}

static void print_json(const char* path, const SarRtReport* r, const SarRtRehearsal* p,
                       const Advice* a) {
  SarJson j;
  cli_json_begin(&j);
  sar_json_open(&j, NULL, '{');
  sar_json_text(&j, "model", path);
  sar_json_text(&j, "formulation", r->ladder[0].formulation);
  sar_json_text(&j, "integrator", r->ladder[0].integrator);
  sar_json_number(&j, "step", r->ladder[0].step);
  sar_json_number(&j, "period", p->period);
  sar_json_integer(&j, "frames", (long)p->frames);
  sar_json_integer(&j, "passes", p->passes);
  sar_json_number(&j, "step_cpu_median", p->cpu_median);
  sar_json_number(&j, "step_cpu_worst", p->cpu_worst);
  sar_json_number(&j, "step_cpu_worst_time", p->worst_time);
  sar_json_integer(&j, "step_cpu_worst_frame", (long)p->worst_frame);
  sar_json_number(&j, "instructions_median", p->instructions_median);
  sar_json_number(&j, "instructions_worst", p->instructions_worst);
  sar_json_number(&j, "instructions_worst_time", p->instructions_worst_time);
  sar_json_number(&j, "margin", p->margin);
  sar_json_number(&j, "margin_wanted", p->margin_wanted);
  sar_json_number(&j, "rate_safe", p->rate_safe);
  sar_json_bool(&j, "safe", p->margin >= p->margin_wanted);
  sar_json_text(&j, "recommended", a->words);
  sar_json_text(&j, "status", p->status == SAR_OK ? "ok" : sar_status_text(p->status));
  sar_json_integer(&j, "exit_status", cli_exit_status(p->status));
  sar_json_text(&j, "trouble", p->trouble[0] ? p->trouble : NULL);
  sar_json_close(&j, '}');
  sar_json_end(&j);
}

static void print_text(const char* path, const SarRtReport* r, const SarRtRehearsal* p,
                       const Advice* a) {
  printf("%s: rehearsal of %lld frames of %.4g s, each the least of %d passes\n", cli_shown(path),
         p->frames, p->period, p->passes);
  printf("  method       %s with %s, steps of %.4g s\n", r->ladder[0].formulation,
         r->ladder[0].integrator, r->ladder[0].step);
  printf("  frame        %.3g us of CPU time (median), %.3g us at worst (frame %lld, t = %.6g s)\n",
         1e6 * p->cpu_median, 1e6 * p->cpu_worst, p->worst_frame, p->worst_time);
  if (isfinite(p->instructions_worst))
    printf("  instructions %.4g (median), %.4g at worst (t = %.6g s)\n", p->instructions_median,
           p->instructions_worst, p->instructions_worst_time);
  else
    printf("  instructions cannot be counted here (perf_event_open)\n");
  printf(
      "  margin       %.3g at %.4g Hz: %s; frames like these are safe up to %.4g Hz with a margin "
      "of %.3g\n",
      p->margin, 1 / p->period, p->margin >= p->margin_wanted ? "safe" : "NOT safe", p->rate_safe,
      p->margin_wanted);
  printf("  recommended  %s\n", a->words);
}

int rt_rehearse(const CliArgs* args, const SarModel* m, const SarRtOptions* o) {
  double passes = 3, margin = 2;
  if (!cli_positive(args, "passes", &passes) || !cli_positive(args, "margin", &margin))
    return EXIT_USAGE;
  if (passes > 1000 || passes != floor(passes))
    return cli_usage_error(args->command, "--passes: expected a whole number up to 1000");
  SarError err;
  SarRealtime* rt = NULL;
  SarRtReport r;
  SarRtRehearsal p = {0};
  sar_error_init(&err);
  SarStatus st = sar_rt_new(m, o, &rt, &err);
  if (st == SAR_OK) st = sar_rt_report(rt, &r);
  if (st == SAR_OK) st = sar_rt_rehearse(rt, (int)passes, margin, &p, &err);
  if (!p.trouble) {  // it did not begin
    cli_report(args, args->operand[0], st, &err);
    sar_rt_free(rt);
    return cli_exit_status(st);
  }
  cli_print_messages(&err);
  Advice a;
  advise(m, &r, margin, &a);
  if (args->json)
    print_json(args->operand[0], &r, &p, &a);
  else
    print_text(args->operand[0], &r, &p, &a);
  if (p.trouble[0]) fprintf(stderr, "sarrus: %s: %s\n", cli_shown(args->operand[0]), p.trouble);
  sar_rt_free(rt);
  return cli_exit_status(st);
}
