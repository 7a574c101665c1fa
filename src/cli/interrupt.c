// Signals (interrupt.h).
//
// Why a step may be left by siglongjmp out of a signal handler. After such a jump only functions
// may be called whose work was not interrupted half-way, and the frame of the jump's target must
// still be there.
// - may_leave is true only between the hooks of sar_run, where steps and rows are computed. A step
//   allocates nothing (`make test` counts the calls of the heap), writes nothing and takes no lock:
//   malloc and stdio are whole. SUNDIALS takes the last of its memory in a first step when the
//   simulation is made, and its messages are dropped.
// - Hooks, which do write and allocate, run with may_leave false. The fence keeps the compiler from
//   moving their work across the flag.
// - The jump is taken by the thread that steps, and by no other: a library with threads of its own
//   may get the signal there, and passes it on.
// - What the step was working on (state, simulation, matrices) is half-done. Nothing reads or frees
//   it any more: the command closes its files, prints what it had collected, and ends by the signal
//   itself, without destructors.
#include "cli/interrupt.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/time.h>

enum { PATIENCE_US = 20000, AGAIN_US = 5000 };

static volatile sig_atomic_t caught;  // the signal, 0: none
static volatile sig_atomic_t may_leave;
static bool watching;
static pthread_t stepping_thread;
static sigjmp_buf leave_point;

// The timer goes on until it finds a moment at which the step may be left, or the command ends.
static void on_alarm(int signal) {
  if (!pthread_equal(pthread_self(), stepping_thread)) {
    pthread_kill(stepping_thread, signal);
    return;
  }
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
  stepping_thread = pthread_self();
  struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaction(SIGALRM, &action, NULL);
  action.sa_handler = on_signal;
  action.sa_flags = (int)(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

bool cli_interrupted(void) { return caught != 0; }

int cli_signalled(int status) { return caught ? 128 + (int)caught : status; }

sigjmp_buf* cli_leave_point(void) { return &leave_point; }

void cli_may_leave(bool may) {
  atomic_signal_fence(memory_order_seq_cst);
  may_leave = may;
  atomic_signal_fence(memory_order_seq_cst);
}

void cli_pass_on_signal(void) {
  if (!caught) return;
  fflush(stdout);
  signal(caught, SIG_DFL);
  raise(caught);
}
