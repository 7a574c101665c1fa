// CPU time, for figures about a run. Nothing that is computed depends on it.
#pragma once

// Of this thread, in seconds; 0 where the system keeps no such account.
double sar_clock_cpu(void);
