// The report of sarrus rt.
#include "cli/rt.h"

#include <math.h>
#include <unistd.h>

static const char* const times_name[SAR_RT_TIMES] = {"step_cpu", "step_wall", "latency",
                                                     "exchange"};
enum { MOST_BINS = 1280 };

// The eighth number behind "cpu" in /proc/stat, in ticks of the system's clock (proc(5)).
double rt_stolen(void) {
  unsigned long long ticks = 0;
  FILE* f = fopen("/proc/stat", "r");
  const int found = f ? fscanf(f, "cpu %*u %*u %*u %*u %*u %*u %*u %llu", &ticks) : 0;
  if (f) fclose(f);
  return found == 1 ? (double)ticks / (double)sysconf(_SC_CLK_TCK) : (double)NAN;
}

// ---- JSON ---------------------------------------------------------------------------------------

static void json_spread(SarJson* j, SarRealtime* rt, const SarRtReport* r, SarRtTimes which) {
  static double from[MOST_BINS];
  static long count[MOST_BINS];
  const SarRtSpread* s = &r->times[which];
  sar_json_open(j, times_name[which], '{');
  sar_json_integer(j, "count", s->count);
  sar_json_number(j, "median", s->median);
  sar_json_number(j, "p90", s->p90);
  sar_json_number(j, "p99", s->p99);
  sar_json_number(j, "p999", s->p999);
  sar_json_number(j, "p9999", s->p9999);
  sar_json_number(j, "worst", s->worst);
  sar_json_number(j, "worst_time", s->worst_time);
  sar_json_integer(j, "worst_frame", (long)s->worst_frame);
  sar_json_open(j, "histogram", '[');
  const int n = sar_rt_histogram(rt, which, from, count, MOST_BINS);
  for (int k = 0; k < n && k < MOST_BINS; k++) {
    sar_json_open(j, NULL, '[');
    sar_json_number(j, NULL, from[k]);
    sar_json_integer(j, NULL, count[k]);
    sar_json_close(j, ']');
  }
  sar_json_close(j, ']');
  sar_json_close(j, '}');
}

static void json_overruns(SarJson* j, const SarRtReport* r) {
  sar_json_integer(j, "overruns", r->overruns);
  sar_json_open(j, "overruns_by_cause", '{');
  for (int k = 0; k < SAR_RT_CAUSES; k++)
    sar_json_integer(j, sar_rt_cause_name((SarRtCause)k), r->overruns_by[k]);
  sar_json_close(j, '}');
  sar_json_open(j, "first_overruns", '[');
  for (int k = 0; k < r->kept; k++) {
    const SarRtOverrun* x = &r->overrun[k];
    sar_json_open(j, NULL, '{');
    sar_json_integer(j, "frame", (long)x->frame);
    sar_json_number(j, "time", x->time);
    sar_json_text(j, "cause", sar_rt_cause_name(x->cause));
    sar_json_number(j, "late", x->late);
    sar_json_number(j, "step_cpu", x->step_cpu);
    sar_json_number(j, "step_wall", x->step_wall);
    sar_json_number(j, "latency", x->latency);
    sar_json_number(j, "exchange", x->exchange);
    sar_json_number(j, "backlog", x->backlog);
    sar_json_number(j, "again", x->again);
    sar_json_integer(j, "rung", x->rung);
    sar_json_close(j, '}');
  }
  sar_json_close(j, ']');
}

static void json_ladder(SarJson* j, const SarRtReport* r) {
  sar_json_integer(j, "rung", r->rung);
  sar_json_integer(j, "rungs_down", r->rungs_down);
  sar_json_integer(j, "rungs_up", r->rungs_up);
  sar_json_open(j, "ladder", '[');
  for (int k = 0; k < r->rungs; k++) {
    const SarRtRung* g = &r->ladder[k];
    sar_json_open(j, NULL, '{');
    sar_json_text(j, "formulation", g->formulation);
    sar_json_text(j, "integrator", g->integrator);
    sar_json_number(j, "step", g->step);
    sar_json_integer(j, "max_iterations", g->max_iterations);
    sar_json_number(j, "tried_median", r->rungs > 1 ? g->tried_median : (double)NAN);
    sar_json_number(j, "tried_error", r->rungs > 1 ? g->tried_error : (double)NAN);
    sar_json_integer(j, "frames", g->frames);
    sar_json_close(j, '}');
  }
  sar_json_close(j, ']');
}

void rt_json_inputs(SarJson* j, const SarRealtime* rt, const SarModel* m) {
  const SarData* d = sar_rt_data(rt);
  sar_json_open(j, "inputs", '[');
  for (int i = 0; i < sar_model_count(m, SAR_ITEM_INPUT); i++) {
    sar_json_open(j, NULL, '{');
    sar_json_text(j, "name", sar_model_name(m, SAR_ITEM_INPUT, i));
    sar_json_text(j, "unit", sar_model_unit(m, SAR_ITEM_INPUT, i));
    sar_json_number(j, "value", d ? sar_get_inputs(d)[i] : (double)NAN);
    sar_json_close(j, '}');
  }
  sar_json_close(j, ']');
}

void rt_json_ports(SarJson* j, SarRealtime* rt) {
  char text[400];
  sar_json_open(j, "ports", '[');
  for (int k = 0; sar_rt_port_words(rt, k, text, sizeof text); k++) sar_json_text(j, NULL, text);
  sar_json_close(j, ']');
}

static void json_system(SarJson* j, const SarRtReport* r) {
  sar_json_integer(j, "page_faults", r->page_faults);
  sar_json_integer(j, "allocations", r->allocations);
  sar_json_integer(j, "context_switches_waiting", r->switches_waiting);
  sar_json_integer(j, "context_switches_forced", r->switches_forced);
  sar_json_bool(j, "memory_locked", r->locked);
  sar_json_bool(j, "real_time_priority", r->scheduled);
  sar_json_bool(j, "pinned", r->pinned);
}

static const char* status_word(const SarRtReport* r) {
  if (r->status != SAR_OK) return sar_status_text(r->status);
  return r->time < r->end_wanted ? "stopped" : "ok";
}

void rt_print_json(const char* path, SarRealtime* rt, const SarModel* m, const SarRtReport* r,
                   double stolen, const SarError* err) {
  SarJson j;
  cli_json_begin(&j);
  sar_json_open(&j, NULL, '{');
  sar_json_text(&j, "model", path);
  sar_json_number(&j, "period", r->period);
  sar_json_number(&j, "start_time", r->start_time);
  sar_json_number(&j, "end_time", r->time);
  sar_json_number(&j, "elapsed", r->elapsed);
  sar_json_integer(&j, "frames", (long)r->frames);
  sar_json_integer(&j, "steps", r->steps);
  json_overruns(&j, r);
  sar_json_integer(&j, "skipped", (long)r->skipped);
  sar_json_number(&j, "slipped", r->slipped);
  sar_json_number(&j, "behind", r->behind);
  sar_json_number(&j, "behind_most", r->behind_most);
  sar_json_number(&j, "step_cpu_median", r->times[SAR_RT_STEP_CPU].median);
  sar_json_number(&j, "step_cpu_worst", r->times[SAR_RT_STEP_CPU].worst);
  sar_json_number(&j, "latency_worst", r->times[SAR_RT_LATENCY].worst);
  json_system(&j, r);
  sar_json_number(&j, "stolen", stolen);
  for (int k = 0; k < SAR_RT_TIMES; k++) json_spread(&j, rt, r, (SarRtTimes)k);
  json_ladder(&j, r);
  sar_json_integer(&j, "iterations_max", r->iterations_max);
  sar_json_integer(&j, "unsettled_steps", r->unsettled_steps);
  sar_json_number(&j, "unsettled_speed", r->unsettled_speed);
  sar_json_integer(&j, "recorded", (long)r->recorded);
  sar_json_integer(&j, "record_dropped", (long)r->record_dropped);
  rt_json_inputs(&j, rt, m);
  rt_json_ports(&j, rt);
  cli_json_messages(&j, err);
  sar_json_text(&j, "status", status_word(r));
  sar_json_integer(&j, "exit_status", cli_exit_status(r->status));
  sar_json_text(&j, "trouble", r->trouble[0] ? r->trouble : NULL);
  sar_json_close(&j, '}');
  sar_json_end(&j);
}

// ---- text ---------------------------------------------------------------------------------------

static void print_spread(FILE* out, const char* name, const SarRtSpread* s) {
  if (s->count == 0) return;
  fprintf(out,
          "  %-12s %.3g us (median), 99 %%: %.3g, 99.99 %%: %.3g, worst %.3g us in frame %lld "
          "(t = %.6g s)\n",
          name, 1e6 * s->median, 1e6 * s->p99, 1e6 * s->p9999, 1e6 * s->worst, s->worst_frame,
          s->worst_time);
}

static void print_overruns(FILE* out, const SarRtReport* r) {
  fprintf(out, "  overruns     %ld of %lld frames", r->overruns, r->frames);
  const char* before = ": ";
  for (int k = 0; k < SAR_RT_CAUSES; k++) {
    if (r->overruns_by[k] == 0) continue;
    fprintf(out, "%s%ld %s", before, r->overruns_by[k], sar_rt_cause_name((SarRtCause)k));
    before = ", ";
  }
  fputc('\n', out);
  if (r->skipped) fprintf(out, "               %lld ticks left out\n", r->skipped);
  if (r->slipped > 0) fprintf(out, "               the beat slipped by %.4g s\n", r->slipped);
  if (r->behind_most > 0)
    fprintf(out, "               at most %.4g ms behind the clock, now %.4g ms\n",
            1e3 * r->behind_most, 1e3 * r->behind);
}

static void print_ladder(FILE* out, const SarRtReport* r) {
  for (int k = 0; k < r->rungs; k++) {
    const SarRtRung* g = &r->ladder[k];
    fprintf(out, "  %-12s %s with %s, steps of %.4g s", k ? "" : "method", g->formulation,
            g->integrator, g->step);
    if (r->rungs > 1)
      fprintf(out, ", %d iterations: %.3g us a period, %.1e off; %ld frames", g->max_iterations,
              1e6 * g->tried_median, g->tried_error, g->frames);
    fputc('\n', out);
  }
  if (r->rungs > 1)
    fprintf(out, "               %ld times down, %ld up, now on rung %d of %d\n", r->rungs_down,
            r->rungs_up, r->rung, r->rungs - 1);
}

static void print_recording(FILE* out, const SarRtReport* r) {
  if (r->recorded == 0) return;
  fprintf(out, "  recorded     %lld rows", r->recorded);
  if (r->record_dropped)
    fprintf(out, "; %lld were dropped, for the file was slower", r->record_dropped);
  fputc('\n', out);
}

void rt_print_text(FILE* out, SarRealtime* rt, const SarRtReport* r, const char* path,
                   double stolen) {
  char text[400];
  fprintf(out, "%s: %s at t = %.6g s, %.4g Hz for %.4g s\n", cli_shown(path),
          r->running ? "running" : status_word(r), r->time, 1 / r->period, r->elapsed);
  print_ladder(out, r);
  print_overruns(out, r);
  print_spread(out, "step CPU", &r->times[SAR_RT_STEP_CPU]);
  print_spread(out, "step clock", &r->times[SAR_RT_STEP_WALL]);
  print_spread(out, "wake-up", &r->times[SAR_RT_LATENCY]);
  print_spread(out, "exchange", &r->times[SAR_RT_EXCHANGE]);
  if (r->unsettled_steps)
    fprintf(out, "  sweeps       %ld steps ended at their bound, leaving up to %.2g m/s or rad/s\n",
            r->unsettled_steps, r->unsettled_speed);
  fprintf(out,
          "  system       %ld page faults, %ld allocations, %ld context switches to wait and %ld "
          "forced; memory %slocked, %s priority%s\n",
          r->page_faults, r->allocations, r->switches_waiting, r->switches_forced,
          r->locked ? "" : "not ", r->scheduled ? "real-time" : "ordinary",
          r->pinned ? ", pinned" : "");
  if (stolen > 0)
    fprintf(out,
            "  host         took %.3g s of processor time from this virtual machine; what it took "
            "from the loop is in its CPU times\n",
            stolen);
  print_recording(out, r);
  for (int k = 0; sar_rt_port_words(rt, k, text, sizeof text); k++)
    fprintf(out, "  %-12s %s\n", k ? "" : "ports", cli_shown(text));
}
