// Instructions that this thread has retired outside of the kernel (perf_event_open), where the
// machine lets us count them: unlike time they are the same in every run, whatever else the machine
// does.
#pragma once

int sar_instructions_open(void);         // a counter; -1: there is none here
double sar_instructions_read(int file);  // since it was opened; NaN: not known
void sar_instructions_close(int file);
