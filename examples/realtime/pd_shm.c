// Fake hardware: a PD controller in a process of its own, over shared memory.
//   cc -O2 -I ../../include -o pd_shm pd_shm.c
//   sarrus rt arm.yaml --rate 1000 --shm arm &
//   ./pd_shm arm 0.5
// It waits for the runner, answers every frame, and when the runner ends waits for the next one;
// with a third argument it ends after so many seconds.
#include <sarrus/shm_client.h>

#include <stdlib.h>

static const double stiffness = 120, damping = 14;  // N m/rad, N m s/rad

typedef struct Tally {
  long answers, timeouts;
  int64_t worst, sum;  // ns from the frame's outputs to our answer
} Tally;

static void control(SarShm* rig, double target, int64_t until, Tally* t) {
  const int angle = sar_shm_find(rig, "shoulder.q", 0), speed = sar_shm_find(rig, "shoulder.v", 0);
  const int torque = sar_shm_find(rig, "torque", 1);
  double y[1024], u[64] = {0};
  if (angle < 0 || speed < 0 || torque < 0 || rig->outputs > 1024 || rig->inputs > 64) {
    fprintf(stderr, "pd_shm: the run has no shoulder.q, shoulder.v or torque\n");
    exit(2);
  }
  while (sar_shm_clock() < until) {
    const int came = sar_shm_wait(rig, y, 100000000);
    if (came == SAR_SHM_OVER) return;
    t->timeouts += came == SAR_SHM_TIMED_OUT;
    if (came != SAR_SHM_OK) continue;
    u[torque] = stiffness * (target - y[angle]) - damping * y[speed];
    sar_shm_send(rig, u);
    const int64_t took = sar_shm_clock() - rig->last.clock_ns;
    t->answers++;
    t->sum += took;
    if (took > t->worst) t->worst = took;
  }
}

int main(int count, char** arg) {
  const char* name = count > 1 ? arg[1] : "arm";
  const double target = count > 2 ? atof(arg[2]) : 0.5, seconds = count > 3 ? atof(arg[3]) : 1e9;
  const int64_t until = sar_shm_clock() + (int64_t)(1e9 * seconds);
  const struct timespec pause = {0, 5000000};
  Tally t = {0, 0, 0, 0};
  while (sar_shm_clock() < until) {
    SarShm rig;
    const int found = sar_shm_attach(&rig, name, 1);
    if (found == SAR_SHM_OK) {
      control(&rig, target, until, &t);
      sar_shm_detach(&rig);
      printf("%ld answers, mean %.1f us, worst %.1f us, %ld time-outs\n", t.answers,
             t.answers ? 1e-3 * (double)t.sum / (double)t.answers : 0, 1e-3 * (double)t.worst,
             t.timeouts);
      fflush(stdout);
      if (count <= 3) return 0;
    } else if (found != SAR_SHM_ABSENT) {
      fprintf(stderr, "pd_shm: %s\n",
              found == SAR_SHM_TAKEN ? "another process drives it" : "not of this protocol");
      return 2;
    }
    nanosleep(&pause, NULL);
  }
  return 0;
}
