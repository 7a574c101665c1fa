// CPU time, for figures about a run. Nothing that is computed depends on it.
#pragma once

// Of this thread, in seconds; 0 where the system keeps no such account.
double sar_clock_cpu(void);
// That passes for everybody, from some moment on, in seconds; 0 where there is no such clock. For
// budgets.
double sar_clock_wall(void);
