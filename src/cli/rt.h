// Parts of sarrus rt: its report, its picture, its rehearsal.
#pragma once
#include "cli/cli.h"

// `stolen`: rt_stolen over the run; NaN: not known.
void rt_print_text(FILE* out, SarRealtime* rt, const SarRtReport* r, const char* path,
                   double stolen);
void rt_print_json(const char* path, SarRealtime* rt, const SarModel* m, const SarRtReport* r,
                   double stolen, const SarError* err);
// Parts of it: inputs with their units and last values; what ports counted.
void rt_json_inputs(SarJson* j, const SarRealtime* rt, const SarModel* m);
void rt_json_ports(SarJson* j, SarRealtime* rt);
// s of processor time that the host of a virtual machine took from it since it was started, all
// cores together. The CPU times of threads contain what was taken from them.
double rt_stolen(void);
// "--ladder 'max-iterations=20; step=2e-3, formulation=aba'" over the method of the first rung;
// false after a message.
bool rt_ladder(const CliArgs* args, const SarSimOptions* first, SarSimOptions* rung, int most,
               int* count);
// Histograms of step time and latency, .png or .svg.
SarStatus rt_draw(SarRealtime* rt, const SarRtReport* r, const char* title, const char* path,
                  SarError* err);
// As fast as it goes; an exit status.
int rt_rehearse(const CliArgs* args, const SarModel* m, const SarRtOptions* o);
