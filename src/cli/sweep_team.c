// A sweep with a journal, by worker processes, or in an MPI job: what the journal has is taken
// over, the rest is computed (sweep_master.c), and the result is written from the journal in the
// order of the instances.
#include "cli/sweep_master.h"

#include "base/clock.h"
#include "cli/interrupt.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

bool sweep_has_team(const Sweep* s) {
  return s->team.journal || s->team.processes > 0 || s->team.mpi;
}

// ---- what the journal has -----------------------------------------------------------------------

static void take_over(void* context, uint64_t key, const void* bytes, size_t size, uint64_t place) {
  SweepMaster* w = context;
  SweepRecord record;
  if (key >= (uint64_t)w->queue.instances || !sweep_record_read(w->s, bytes, size, &record)) return;
  if (!sweep_queue_done(&w->queue, (int)key)) return;
  w->place[key] = place;
  w->s->team.resumed++;
}

// The journal is no place for results, and no file that is read.
static SarStatus open_journal(SweepMaster* w) {
  const char* path = w->s->team.journal;
  CliOutput file = {0};
  SarJournalReport report;
  if (path) SAR_TRY(cli_output_begin(w->s->args, path, &file, w->err));
  if (path && file.temporary[0]) {
    sar_report(w->err, (SarLoc){.file = path}, "", "a journal cannot take the place of an input");
    return SAR_BAD_ARGUMENT;
  }
  const SarStatus st =
      sar_journal_open(path, w->peers.identity, take_over, w, &w->journal, &report, w->err);
  w->s->team.file = w->journal;
  return st;
}

// ---- the result ---------------------------------------------------------------------------------

static SarStatus write_record(SweepMaster* w, SweepSink* k, int instance, double* values) {
  const Sweep* s = w->s;
  const size_t row = (size_t)(1 + s->columns) * sizeof *values;
  void* bytes = NULL;
  size_t size = 0;
  SweepRecord r;
  char trouble[400] = "";
  SAR_TRY(sar_journal_read(w->journal, w->place[instance], &bytes, &size, w->err));
  SarStatus st = sweep_record_read(s, bytes, size, &r) ? SAR_OK : SAR_NO_FILE;
  if (st == SAR_OK && r.rows == 0) st = sweep_sink_row(k, instance, r.status, NULL);
  for (int i = 0; i < r.rows && st == SAR_OK; i++) {
    memcpy(values, r.values + (size_t)i * row, row);
    st = sweep_sink_row(k, instance, r.status, values);
  }
  snprintf(trouble, sizeof trouble, "%.*s", (int)r.trouble_length, r.trouble);
  if (st == SAR_OK)
    sweep_sink_count(k, instance, r.status, trouble,
                     r.status == EXIT_DONE && r.rows > 0 ? values : NULL);
  sar_free(bytes);
  return st;
}

// Of all instances that are done: after a signal some are not.
static SarStatus write_result(SweepMaster* w) {
  Sweep* s = w->s;
  SweepSink sink;
  double* values = sar_alloc((size_t)(1 + s->columns) * sizeof *values);
  SarStatus st = values ? sweep_sink_open(s, &sink, w->err) : SAR_NO_MEMORY;
  if (!values) return st;
  for (int i = 0; i < s->plan.instances && st == SAR_OK; i++)
    if (w->place[i] > 0) st = write_record(w, &sink, i, values);
  st = sweep_sink_close(&sink, st, w->err);
  sar_free(values);
  return st;
}

// ---- the whole ----------------------------------------------------------------------------------

static SarStatus begin(SweepMaster* w) {
  Sweep* s = w->s;
  w->peers.s = s;
  if (s->team.mpi) {
    w->peers.link = sweep_mpi_load(w->err);
    if (!w->peers.link) return SAR_NOT_OFFERED;
  }
  if (s->generated) sweep_generated_begin(s);
  w->peers.identity = sweep_identity(s);
  w->place = sar_alloc((size_t)s->plan.instances * sizeof *w->place);
  if (!w->peers.identity || !w->place || !sweep_queue_begin(&w->queue, s->plan.instances))
    return SAR_NO_MEMORY;
  SAR_TRY(open_journal(w));
  if (s->team.mpi && !w->peers.link->begin(&s->team.rank, &s->team.ranks)) {
    sar_report(w->err, (SarLoc){0}, "", "MPI could not be started");
    return SAR_NO_MEMORY;
  }
  return w->queue.done < s->plan.instances || s->team.mpi ? sweep_peers_begin(&w->peers, w->err)
                                                          : SAR_OK;
}

static SarStatus run(SweepMaster* w) {
  SweepTeam* team = &w->s->team;
  const double began = sar_clock_wall(), cpu = sar_clock_cpu();
  SAR_TRY(begin(w));
  team->workers = w->peers.count;
  const SarStatus st = sweep_master_run(w);
  w->s->stopped = st == SAR_STOPPED;
  sweep_peers_end(&w->peers, st == SAR_OK);
  w->s->wall_s = sar_clock_wall() - began;
  team->master_cpu_s = sar_clock_cpu() - cpu;
  return st == SAR_OK || st == SAR_STOPPED ? write_result(w) : st;
}

// A failure of rank 0 is the end of the job: nobody else can tell.
static void end_mpi(const SweepMaster* w, SarStatus st) {
  const SarMpiLink* link = w->peers.link;
  if (!link || w->s->team.ranks == 0 || cli_interrupted()) return;
  fflush(NULL);
  if (st == SAR_OK)
    link->end();
  else
    link->abort(cli_exit_status(st));
}

int sweep_run_team(Sweep* s) {
  SarError err;
  SweepMaster w = {.s = s, .err = &err};
  sar_error_init(&err);
  signal(SIGXFSZ, SIG_IGN);  // a file at its limit is an error of write, as a full disk is
  s->bar = !s->job.quiet && isatty(STDERR_FILENO);
  const SarStatus st = run(&w);
  cli_print_messages(&err);
  if (st != SAR_OK && err.errors == 0) cli_say_status("sarrus sweep", s->job.path, st);
  end_mpi(&w, st);
  sweep_generated_end(s);
  sar_journal_close(w.journal);
  sweep_queue_end(&w.queue);
  sar_free(w.place);
  sar_free(w.peers.identity);
  if (st != SAR_OK) return cli_exit_status(st);
  return s->failed ? EXIT_NUMERICS : EXIT_DONE;
}
