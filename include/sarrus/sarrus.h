/* Sarrus: real-time multibody dynamics.  The whole public interface.
 *
 *   SarError err;                          // collects every message: file, line, column, hint
 *   sar_error_init(&err);
 *   SarModel* m;                           // constant, shared by any number of runs and threads
 *   if (sar_model_load("arm.yaml", NULL, &m, &err) != SAR_OK) { ... print err.items[0..count) ... }
 *   SarData* d;                            // all that changes: t q v ...; copy it to copy the run
 *   sar_data_new(m, &d, &err);
 *   SarSimOptions o = sar_sim_options();
 *   o.step = 1e-3;
 *   SarSim* s;                             // formulation + integrator + scratch memory
 *   sar_sim_new(m, d, &o, &s, &err);
 *   while (sar_time(d) < 10) sar_step(s);  // allocates nothing, prints nothing, never exits
 *   sar_sim_free(s);  sar_data_free(d);  sar_model_free(m);
 *
 * Conventions: SI units, radians, right-handed frames, quaternions w x y z (body to parent),
 * spatial vectors angular part first.  "Ground frame" is the fixed frame of the model file. Every
 * function returns a status or a value; none exits, aborts, prints or keeps hidden state. One rule
 * for arguments: a NULL that is not called Nullable, and an index out of range, give
 * SAR_BAD_ARGUMENT and fill nothing in; where no status is returned, nothing happens, and the value
 * is 0, NULL, false, "" or (sar_time) NaN; an index of something that is not there is -1.  SarError
 * pointers are all Nullable.
 * One number for each joint, body, ...: the index that sar_model_find gives and all functions take.
 * A newer library serves programs that were compiled with an older header: structs only grow at
 * their ends, and the library always knows how much of one the program has.  Options begin with
 * their size, which the function that makes them sets.  Results are asked for with their size:
 * sar_stats(s) is sar_stats_sized(s, &out, sizeof out) in the program's own code, and so is every
 * function that has one named _sized beside it.  (Call those from languages that load the library
 * at run time; the others are no symbols of it.)  Structs that stand in arrays do not change:
 * SarError, SarDiag, SarParameter, SarTextFile, SarUserFunction, SarTrial,
 * SarTrimUnknown, SarTrimCondition.
 * Threads: one SarModel may be shared freely; a SarData and the SarSim on it belong to one thread
 * at a time.
 *
 * The parts stand in files of their own, in the order one uses them:
 *   status.h    what a call came to, messages
 *   model.h     load a model and look at it
 *   data.h      the state: read, write, copy, save
 *   dynamics.h  accelerations, forces, mass matrix, Jacobians at one instant; exact derivatives
 *   sim.h       step by step; contact, events
 *   run.h       tables of results, a whole run
 *   analyses.h  assembly, statics, modes, linearisation, kinematics, inverse dynamics
 *   trim.h      controls for wanted averages over a period
 *   batch.h     many instances of one model
 *   realtime.h  a run that keeps the clock
 *   couple.h    several simulators side by side
 *   convert.h   model files from one format to another
 *   list.h      what there is to choose from
 */
#pragma once
#include <sarrus/analyses.h>
#include <sarrus/batch.h>
#include <sarrus/convert.h>
#include <sarrus/data.h>
#include <sarrus/dynamics.h>
#include <sarrus/list.h>
#include <sarrus/model.h>
#include <sarrus/realtime.h>
#include <sarrus/couple.h>
#include <sarrus/run.h>
#include <sarrus/sim.h>
#include <sarrus/status.h>
#include <sarrus/trim.h>
