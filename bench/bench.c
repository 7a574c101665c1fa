// sarrus_bench                       the tables
// sarrus_bench MODEL TASK CALLS      nothing but that many calls, for counting instructions;
//                                    TASK: 0 forward, 1 inverse, 2 mass matrix, 3 step, 4
//                                    derivatives of 0
// sarrus_bench robots FILE.urdf...   forward dynamics of these robots beside MuJoCo's
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (argc > 1 && strcmp(argv[1], "robots") == 0) {
    clock_pin();
    table_of_robots(argc - 2, argv + 2);
    return 0;
  }
  if (argc == 4) {
    Ours o = ours_load(argv[1]);
    int task = atoi(argv[2]);
    if (task < 0 || task > DERIVATIVES) fail("no task %s", argv[2]);
    if (task == STEP)
      ours_set_at_rest(&o, 1);
    else
      ours_set_random(&o, 1);
    for (int i = atoi(argv[3]); i > 0; i--) ours_call(&o, (Task)task);
    ours_free(&o);
    return 0;
  }
  if (argc != 1) fail("usage: %s [MODEL TASK CALLS | robots FILE...]", argv[0]);
  clock_pin();
  table_against_mujoco();
  table_of_robots(0, NULL);
  table_of_chains();
  return 0;
}
