// No example makes a NaN, divides by zero or overflows on its way, whatever its numbers come to in
// the end: with these exceptions of floating-point arithmetic trapped, every one of them runs. What
// a run prints is then never the rest of an accident that something else hid.
#define _GNU_SOURCE
#include "support/model_file.h"

#include "model/sim.h"

#include <dirent.h>
#include <fenv.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static const double LIMIT = 0.2;  // s of the motion

static int is_model(const struct dirent* e) {
  const char* dot = strrchr(e->d_name, '.');
  return dot && strcmp(dot, ".yaml") == 0;
}

// In a process of its own, which a trap ends. 0: through, or refused or failed with a status.
static int run_trapped(const char* file, const char* formulation) {
  SarModel* m = model_file(file, NULL);
  SarData* d;
  SarSim* s;
  SarSimOptions o = sar_sim_options();
  o.formulation = formulation;
  if (sar_data_new(m, &d, NULL) != SAR_OK) return 1;
  feclearexcept(FE_ALL_EXCEPT);
  feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
  if (sar_sim_new(m, d, &o, &s, NULL) != SAR_OK) return 0;
  double* columns = malloc(((size_t)m->nchannel + 1) * sizeof *columns);
  for (int k = 0; k < 100 && sar_time(d) < LIMIT; k++) {
    if (sar_step(s) != SAR_OK) break;
    if (sar_outputs(s, columns) != SAR_OK) break;
  }
  fedisableexcept(FE_ALL_EXCEPT);
  free(columns);
  sar_sim_free(s);
  sar_data_free(d);
  sar_model_free(m);
  return 0;
}

static int dies(const char* file, const char* formulation) {
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGFPE, SIG_DFL);  // cmocka catches it
    _exit(run_trapped(file, formulation));
  }
  int status = -1;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return 0;
  print_error("%s with '%s' dies of signal %d\n", file, formulation ? formulation : "auto",
              WIFSIGNALED(status) ? WTERMSIG(status) : 0);
  return 1;
}

// The method of the file, and then every other one, in turn over the examples.
static void no_example_dies(void** state) {
  (void)state;
#ifdef __clang__
  // -fno-trapping-math allows operations whose results are not used, and clang makes use of that
  // (both sides of a selection are computed): a trap would say nothing about the source.
  skip();
#endif
  struct dirent** entry;
  int formulations = 0, dead = 0, runs = 0;
  while (sar_formulation(formulations)) formulations++;
  const int n = scandir(SARRUS_SOURCE_DIR "/examples", &entry, is_model, alphasort);
  assert_true(n > 20);
  const int others = test_effort(3);
  for (int i = 0; i < n; i++) {
    dead += dies(entry[i]->d_name, NULL);
    for (int k = 0; k < others && k < formulations; k++, runs++)
      dead += dies(entry[i]->d_name, sar_formulation((i + 5 * k) % formulations)->name);
    free(entry[i]);
  }
  free(entry);
  print_message("%d examples, %d more runs with other formulations\n", n, runs);
  assert_int_equal(dead, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(no_example_dies)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
