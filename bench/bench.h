// What the parts of the benchmark share.
#pragma once
#include "sarrus/sarrus.h"

// ---- the quantities measured: one call of each is timed on both engines; the derivatives of
// forward dynamics by q, v and tau only on ours (instructions)
typedef enum Task { FORWARD, INVERSE, MASS, STEP, TASKS, DERIVATIVES = TASKS } Task;
extern const char* const TASK_NAME[TASKS];

// ---- models.c: Sarrus' side
typedef struct Ours {
  SarModel* m;
  SarData* d;
  SarSim* sim;
  int nq, nv;
  SarDerivatives* derivatives;
  double *a, *tau, *M;  // results
  double* slopes;       // a by q, v, tau
} Ours;

extern const char* const MODEL_NAME[];  // of tests/reference/tree, ended by NULL

// Both exit with a message when something fails.
Ours ours_load(const char* path);
Ours ours_chain(int bodies);
// False: it cannot be loaded, and `why` says so.
bool ours_parse(const char* text, const char* name, Ours* o, char* why, size_t size);
void ours_free(Ours* o);
void ours_set_random(Ours* o, unsigned seed);   // a state and joint forces of order 1
void ours_set_at_rest(Ours* o, unsigned seed);  // the same positions, no forces
void ours_call(Ours* o, Task task);

// ---- mujoco.c: the other side; theirs_load gives NULL when there is no MuJoCo
typedef struct Theirs Theirs;
Theirs* theirs_load(const char* path, const char* urdf, const Ours* o);
// The same from the text of a URDF; NULL: it cannot be loaded, or has other coordinates, and `why`
// says so.
Theirs* theirs_parse(const char* text, const Ours* o, char* why, size_t size);
void theirs_free(Theirs* t);
void theirs_set(Theirs* t, const Ours* o);  // the state and joint forces of o
void theirs_call(Theirs* t, Task task);
double theirs_difference(Theirs* t, Ours* o);  // of the accelerations, relative to the largest
const char* theirs_version(void);

// ---- clock.c
double clock_now(void);  // [s]
void clock_pin(void);    // to one core, the last this process may use

// ---- robots.c: texts of URDFs, for both engines; the caller frees them
char* robot_text(const char* path);
char* robot_with_fixed_links(void);

// ---- tables.c
void table_against_mujoco(void);
// Forward dynamics of the URDF files; none: of one with many fixed links.
void table_of_robots(int count, char** paths);
void table_of_chains(void);

void fail(const char* format, ...) __attribute__((format(printf, 1, 2), noreturn));
