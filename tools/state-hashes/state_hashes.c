// Golden state hashes: the hash of the state (FNV-1a over the bits of all that a run goes on from) after the first steps of
// each model by each formulation, one line each. Two builds, or two machines, whose lines are equal compute the same bits.
//
//   state_hashes [--steps N] [--end SECONDS] [--values] MODEL...
//
// A line is: model, coordinates, formulation, steps made, status, hash. What a formulation does not take has no line.
// A run has at most N steps (40) and ends at the given time (0.5 s) at the latest: the files' own methods and tolerances, or
// the formulations' defaults. --values prints positions and speeds below each line, to the last bit.
#include <sarrus/sarrus.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Asked {
  long steps;
  double end;
  bool values;
} Asked;

static const char* const COORDINATES[] = {"relative", "absolute"};

static void print_values(const SarModel* m, SarData* d) {
  const int nq = sar_model_nq(m), nv = sar_model_nv(m);
  for (int i = 0; i < nq; i++) printf("  q %d %a\n", i, sar_q(d)[i]);
  for (int i = 0; i < nv; i++) printf("  v %d %a\n", i, sar_v(d)[i]);
}

static void run(const SarModel* m, const char* path, const char* coordinates,
                const char* formulation, const Asked* asked) {
  SarError err;
  sar_error_init(&err);
  SarData* d = NULL;
  SarSim* s = NULL;
  SarSimOptions o = sar_sim_options();
  o.formulation = formulation;
  o.max_steps = asked->steps;
  if (sar_data_new(m, &d, &err) == SAR_OK && sar_sim_new(m, d, &o, &s, &err) == SAR_OK) {
    const SarStatus st = sar_advance(s, asked->end);
    printf("%s %s %s %ld %d %016llx\n", path, coordinates, formulation, sar_stats(s).steps, (int)st,
           sar_state_hash(d));
    if (asked->values) print_values(m, d);
    fflush(stdout);
  }
  sar_sim_free(s);
  sar_data_free(d);
}

static bool model(const char* path, const Asked* asked) {
  bool any = false;
  for (int c = 0; c < 2; c++) {
    SarError err;
    sar_error_init(&err);
    SarModel* m = NULL;
    const SarLoadOptions load = {.coordinates = COORDINATES[c]};
    if (sar_model_load(path, &load, &m, &err) != SAR_OK) continue;
    any = true;
    SarListEntry f;
    for (int i = 0; sar_list("formulations", i, &f) == SAR_OK; i++)
      run(m, path, COORDINATES[c], f.name, asked);
    sar_model_free(m);
  }
  if (!any) fprintf(stderr, "state_hashes: %s cannot be loaded\n", path);
  return any;
}

int main(int argc, char** argv) {
  Asked asked = {.steps = 40, .end = 0.5};
  bool good = true;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--steps") == 0 && i + 1 < argc)
      asked.steps = strtol(argv[++i], NULL, 10);
    else if (strcmp(argv[i], "--end") == 0 && i + 1 < argc)
      asked.end = strtod(argv[++i], NULL);
    else if (strcmp(argv[i], "--values") == 0)
      asked.values = true;
    else if (!model(argv[i], &asked))
      good = false;
  }
  return good ? 0 : 1;
}
