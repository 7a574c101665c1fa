// The report of sarrus run.
#include "cli/run_print.h"

#include "cli/interrupt.h"

#include <math.h>
#include <string.h>

static void json_events(SarJson* j, const SarRun* run) {
  const SarRunReport* r = sar_run_report(run);
  SarEvent event, *e = &event;
  if (r->event_count == 0) return;
  sar_json_integer(j, "event_count", r->event_count);
  sar_json_open(j, "events", '[');
  for (int k = 0; sar_run_event(run, k, e) == SAR_OK; k++) {
    sar_json_open(j, NULL, '{');
    sar_json_number(j, "time", e->time);
    sar_json_text(j, "name", e->name);
    sar_json_bool(j, "on", e->on);
    sar_json_number(j, "energy", e->energy);
    sar_json_number(j, "impulse", e->impulse);
    sar_json_number(j, "moment", e->moment);
    sar_json_integer(j, "freedoms", e->freedoms);
    sar_json_close(j, '}');
  }
  sar_json_close(j, ']');
}

// part of the energy that counts as rounding
#define ROUNDING 1e-14

static void print_event(const SarEvent* e, double energy_scale, const char* head) {
  const bool lost = fabs(e->energy) > ROUNDING * energy_scale;
  printf("  %-12s t = %.9g s: %s %s", head, e->time, e->name, e->on ? "on" : "off");
  if (lost) printf(", %.4g J %s", fabs(e->energy), e->energy < 0 ? "lost" : "brought in");
  if (lost && e->impulse > 0) printf(", impulse %.4g N s", e->impulse);
  if (lost && e->moment > 0) printf(", %.4g N m s", e->moment);
  printf("; %d degree%s of freedom\n", e->freedoms, e->freedoms == 1 ? "" : "s");
}

static void print_events(const SarRun* run) {
  const SarRunReport* r = sar_run_report(run);
  SarEvent e;
  for (int k = 0; sar_run_event(run, k, &e) == SAR_OK; k++)
    print_event(&e, r->energy_scale, k ? "" : "events");
  if (r->event_count > SAR_RUN_EVENTS)
    printf("               and %ld more\n", r->event_count - SAR_RUN_EVENTS);
}

static const char* status_word(const SarRunReport* r, const char* done) {
  if (r->status != SAR_OK) return sar_status_text(r->status);
  return r->end_time < r->end_wanted ? "stopped" : done;
}

// Of fixed steps only: what an adaptive one takes says nothing about the next.
static void json_step_times(SarJson* j, const SarRunReport* r) {
  if (r->steps_timed == 0) return;
  sar_json_number(j, "step_time_median", r->step_median);
  sar_json_number(j, "step_time_worst", r->step_worst);
  sar_json_number(j, "step_time_worst_at", r->step_worst_at);
  if (!(r->deadline > 0)) return;
  sar_json_number(j, "deadline", r->deadline);
  sar_json_integer(j, "steps_late", r->steps_late);
}

static void json_trials(SarJson* j, const SarChoice* c) {
  if (c->count == 0) return;
  sar_json_open(j, "trials", '[');
  for (int k = 0; k < c->count; k++) {
    const SarTrial* t = &c->trial[k];
    sar_json_open(j, NULL, '{');
    sar_json_text(j, "formulation", t->formulation);
    sar_json_text(j, "integrator", t->integrator);
    sar_json_text(j, "status", t->status == SAR_OK ? "ok" : sar_status_text(t->status));
    sar_json_number(j, "error", t->error);
    sar_json_number(j, "step_time_median", t->median);
    sar_json_number(j, "step_time_worst", t->worst);
    sar_json_close(j, '}');
  }
  sar_json_close(j, ']');
}

static void print_step_times(const SarRunReport* r) {
  if (r->steps_timed == 0) return;
  printf("  step time    %.3g us (median), %.3g us at worst (t = %.6g s)\n", 1e6 * r->step_median,
         1e6 * r->step_worst, r->step_worst_at);
  if (r->deadline > 0)
    printf("               %ld of %ld steps took longer than %.3g us\n", r->steps_late,
           r->steps_timed, 1e6 * r->deadline);
}

// A step now and then that leaves something to the next one is nothing: one in a thousand.
static bool is_unsettled(const SarStats* z) { return 1000 * z->unsettled_steps > z->steps; }

// "sweeps at their cap ...": what impulses left undone.
static void unsettled_text(const SarStats* z, char* text, size_t size) {
  char what[200];
  if (z->unsettled[1])
    snprintf(what, sizeof what, "between '%.80s' and '%.80s'", z->unsettled[0], z->unsettled[1]);
  else
    snprintf(what, sizeof what, "at '%.80s'", z->unsettled[0]);
  snprintf(
      text, size,
      "sweeps at their cap in %ld step%s, first at t = %.6g s, leaving up to %.2g m/s or rad/s "
      "%s: more sweeps (max_iterations) or smaller steps",
      z->unsettled_steps, z->unsettled_steps == 1 ? "" : "s", z->unsettled_first,
      z->unsettled_speed, what);
}

// What the text says beside its figures.
static void json_warnings(SarJson* j, const SarRunReport* r) {
  char text[400];
  sar_json_open(j, "warnings", '[');
  if (r->unexplained[0]) sar_json_text(j, NULL, r->unexplained);
  if (r->limit_joint) {
    snprintf(text, sizeof text, "joint '%.80s' is outside of its limits; nothing enforces them",
             r->limit_joint);
    sar_json_text(j, NULL, text);
  }
  if (r->stats->contacts_missed) sar_json_text(j, NULL, "contact points found no room");
  if (is_unsettled(r->stats)) {
    unsettled_text(r->stats, text, sizeof text);
    sar_json_text(j, NULL, text);
  }
  sar_json_close(j, ']');
}

void run_print_json(const SarModel* m, const SimulateJob* job, const SarRun* run) {
  const SarRunReport* r = sar_run_report(run);
  SarJson j;
  cli_json_begin(&j);
  sar_json_open(&j, NULL, '{');
  sar_json_text(&j, "model", job->path);
  sar_json_text(&j, "resumed_from", job->run.resume);
  sar_json_text(&j, "saved_to", job->run.save);
  sar_json_integer(&j, "bodies", sar_model_count(m, SAR_ITEM_BODY));
  sar_json_integer(&j, "nq", sar_model_nq(m));
  sar_json_integer(&j, "nv", sar_model_nv(m));
  sar_json_integer(&j, "degrees_of_freedom", r->freedoms);
  sar_json_text(&j, "formulation", r->formulation);
  sar_json_text(&j, "integrator", r->integrator);
  sar_json_text(&j, "reason", r->reason[0] ? r->reason : NULL);
  json_trials(&j, r->choice);
  sar_json_bool(&j, "adaptive", r->adaptive);
  sar_json_number(&j, "step", r->step);
  sar_json_integer(&j, "steps", r->stats->steps);
  sar_json_integer(&j, "steps_rejected", r->stats->rejected);
  sar_json_integer(&j, "steps_chattering", r->stats->chattering);
  sar_json_integer(&j, "calls", r->stats->calls);
  sar_json_integer(&j, "kinematics_solved", r->stats->kinematics_solved);
  sar_json_integer(&j, "kinematics_fallbacks", r->stats->kinematics_fallbacks);
  sar_json_number(&j, "start_time", r->start_time);
  sar_json_number(&j, "end_time", r->end_time);
  sar_json_number(&j, "cpu_s", r->cpu_s);
  sar_json_number(&j, "realtime_factor", r->realtime_factor);
  json_step_times(&j, r);
  sar_json_number(&j, "energy_start", r->energy_start);
  sar_json_number(&j, "energy_end", r->energy_end);
  sar_json_number(&j, "energy_error_max", r->energy_error_max);
  sar_json_number(&j, "energy_gain_max", r->energy_gain_max);
  sar_json_number(&j, "energy_scale", r->energy_scale);
  sar_json_number(&j, "work", r->work);
  sar_json_number(&j, "position_violation_max", r->position_violation_max);
  sar_json_number(&j, "velocity_violation_max", r->velocity_violation_max);
  sar_json_number(&j, "position_drift_max", r->stats->position_drift);
  sar_json_number(&j, "velocity_drift_max", r->stats->velocity_drift);
  double steps = r->stats->steps > 0 ? (double)r->stats->steps : 1;
  sar_json_number(&j, "iterations_mean", (double)r->stats->iterations / steps);
  sar_json_integer(&j, "iterations_max", r->stats->iterations_max);
  sar_json_integer(&j, "contacts_max", r->stats->contacts_max);
  sar_json_integer(&j, "contacts_missed", r->stats->contacts_missed);
  sar_json_integer(&j, "scratch_bytes", (long)r->stats->scratch_bytes);
  json_events(&j, run);
  sar_json_text(&j, "not_unique", r->ambiguous[0] ? r->ambiguous : NULL);
  sar_json_text(&j, "limit_joint", r->limit_joint);
  sar_json_number(&j, "limit_time", r->limit_joint ? r->limit_time : (double)NAN);
  json_warnings(&j, r);
  sar_json_text(&j, "status", status_word(r, "ok"));
  sar_json_integer(&j, "exit_status", cli_signalled(cli_exit_status(r->status)));
  sar_json_text(&j, "trouble", r->trouble[0] ? r->trouble : NULL);
  sar_json_close(&j, '}');
  sar_json_end(&j);
}

static void print_contacts(const SarRunReport* r) {
  if (r->stats->contacts_max == 0) return;
  printf("  contacts     at most %d point%s at a time", r->stats->contacts_max,
         r->stats->contacts_max == 1 ? "" : "s");
  if (r->stats->contacts_missed)
    printf("; %ld found no room and were left out: give more 'max_contacts'",
           r->stats->contacts_missed);
  printf("\n");
}

static void print_unsettled(const SarRunReport* r) {
  char text[400];
  if (!is_unsettled(r->stats)) return;
  unsettled_text(r->stats, text, sizeof text);
  printf("  warning      %s\n", text);
}

void run_print_text(const char* path, const SarRun* run, const char* out) {
  const SarRunReport* r = sar_run_report(run);
  printf("%s: %s\n", cli_shown(path), status_word(r, "done"));
  printf("  method       %s with %s, ", r->formulation, r->integrator);
  double longest = r->stats->step_max > 0 ? fmin(r->step, r->stats->step_max) : r->step;
  printf("%ld step%s of ", r->stats->steps, r->stats->steps == 1 ? "" : "s");
  if (r->adaptive)
    printf("%.3g to %.3g s (%ld rejected)\n", r->stats->step_min, r->stats->step_max,
           r->stats->rejected);
  else if (r->stats->step_max > 0 && r->stats->step_min < (1 - 1e-6) * longest)
    printf("%.6g s, the shortest %.3g s (output times and kinks)\n", longest, r->stats->step_min);
  else
    printf("%.6g s\n", longest);
  if (r->reason[0]) printf("               %s: %s\n", r->formulation, r->reason);
  if (r->stats->chattering)
    printf(
        "               %ld of them without error control: forces jump to and fro (see "
        "docs/integrators.md)\n",
        r->stats->chattering);
  printf("  simulated    %.6g s in %.3g s of CPU time: %.4g times real time\n",
         r->end_time - r->start_time, r->cpu_s, r->realtime_factor);
  if (r->start_time > 0) printf("               resumed at t = %.9g s\n", r->start_time);
  print_step_times(r);
  printf("  energy       %.6g J at the start, %.6g J at the end, work put in %.6g J\n",
         r->energy_start, r->energy_end, r->work);
  printf("  audit        energy not accounted for: at most %.3g J", r->energy_error_max);
  double part = r->energy_scale > 0 ? r->energy_error_max / r->energy_scale : 0;
  if (part > 0) printf(", %.1e of what moved", part);
  printf("\n");
  if (r->unexplained[0]) printf("  warning      %s\n", r->unexplained);
  if (r->constrained) {
    printf("  constraints  open by at most %.3g (m or rad), moving by %.3g (m/s or rad/s)",
           r->position_violation_max, r->velocity_violation_max);
    if (r->projected) printf("; %.3g before projection", r->stats->position_drift);
    printf("\n");
  }
  print_contacts(r);
  print_unsettled(r);
  print_events(run);
  if (r->ambiguous[0])
    printf("  reactions    not unique, the smallest are given: %s\n", r->ambiguous);
  if (r->limit_joint)
    printf(
        "  limits       joint '%s' is outside of its limits at t = %.6g s; nothing enforces them\n",
        r->limit_joint, r->limit_time);
  if (r->stats->iterations)
    printf("  iterations   %.2f a step, at most %d\n",
           (double)r->stats->iterations / fmax((double)r->stats->steps, 1),
           r->stats->iterations_max);
  if (out) printf("  results      %s\n", cli_shown(out));
}
