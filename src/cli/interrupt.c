// Signals (interrupt.h).
#include "cli/interrupt.h"

#include <signal.h>
#include <stdio.h>
#include <sys/time.h>

enum { PATIENCE_US = 20000, AGAIN_US = 5000 };

static volatile sig_atomic_t caught;  // the signal, 0: none
static volatile sig_atomic_t may_leave;
static bool watching;
static sigjmp_buf leave_point;

// The timer goes on until it finds a moment at which the step may be left, or the command ends.
static void on_alarm(int signal) {
  (void)signal;
  if (!may_leave) return;
  may_leave = 0;
  siglongjmp(leave_point, 1);
}

static void on_signal(int signal) {
  const struct itimerval soon = {.it_value = {.tv_usec = PATIENCE_US},
                                 .it_interval = {.tv_usec = AGAIN_US}};
  caught = signal;
  setitimer(ITIMER_REAL, &soon, NULL);
}

void cli_watch_signals(void) {
  if (watching) return;
  watching = true;
  struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaction(SIGALRM, &action, NULL);
  action.sa_handler = on_signal;
  action.sa_flags = (int)(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

bool cli_interrupted(void) { return caught != 0; }

sigjmp_buf* cli_leave_point(void) { return &leave_point; }

void cli_may_leave(bool may) { may_leave = may; }

void cli_pass_on_signal(void) {
  if (!caught) return;
  fflush(stdout);
  signal(caught, SIG_DFL);
  raise(caught);
}
