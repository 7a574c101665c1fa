// Ctrl-C and SIGTERM where there are results to keep: the command ends soon, its files are whole,
// its report is printed, and then the signal takes its course. Before that point, and in commands
// that keep nothing half-done, a signal ends the program at once, as it does by itself.
#pragma once
#include "sarrus/sarrus.h"

#include <setjmp.h>
#include <stdbool.h>

// From here on signals are kept for cli_interrupted. A second one ends the program at once.
void cli_watch_signals(void);
bool cli_interrupted(void);
// What the shell will see at the end: 128 and the signal that was kept, else `status`.
int cli_signalled(int status);
// At the end of a command: the signal that was kept, if any, ends the program.
void cli_pass_on_signal(void);

// Steps may be long: one that is still going on 20 ms after the signal is left by a jump to
// *cli_leave_point(), which sigsetjmp must have filled. `may`: nothing is being allocated, written
// or locked.
sigjmp_buf* cli_leave_point(void);
void cli_may_leave(bool may);
