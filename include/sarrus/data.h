/* The data: everything that changes in a run, to read, write, copy and save. */
#pragma once
#include <sarrus/model.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SarData SarData;

/* A new one is at the initial state, and reset goes back there.  Copying between two of the same
 * model saves and restores a run: a simulation on the copy continues bit for bit like the original,
 * and so does the one on data that a copy is put back into.  What the method remembers is copied
 * too, so copying takes memory the first time (SAR_NO_MEMORY: `to` is as it was).  Simulations with
 * SUNDIALS begin their history anew. */
SAR_API SarStatus sar_data_new(const SarModel* m, SarData** out, SarError* err);
SAR_API void sar_data_free(SarData* d); /* NULL is fine */
SAR_API void sar_data_reset(SarData* d);
SAR_API SarStatus sar_data_copy(SarData* to, const SarData* from);
/* The same through a file, also for another process or machine: it continues bit for bit.  Saving
 * writes beside `path` and renames.  Loading refuses the state of another model (masses,
 * parameters, coordinates; columns and the `simulation` block may differ), a file that is cut short
 * or changed, and one of another version, each with a message; d is as it was then. */
SAR_API SarStatus sar_data_save(const SarData* d, const char* path, SarError* err);
SAR_API SarStatus sar_data_load(SarData* d, const char* path, SarError* err);
SAR_API const SarModel* sar_data_model(const SarData* d);

SAR_API double sar_time(const SarData* d);
SAR_API void sar_set_time(SarData* d, double t);

/* The arrays themselves; write q, v, states and inputs between steps as you like.  Quaternions are
 * normalised when used.  After writing q or v call sar_energy_restart, or what you put in counts as
 * an error of the energy; sar_set_time and sar_joint_set do so themselves. */
SAR_API double* sar_q(SarData* d);      /* nq; behind them those of loops, as last evaluated */
SAR_API double* sar_v(SarData* d);      /* nv; likewise */
SAR_API double* sar_a(SarData* d);      /* nv: accelerations of the last evaluation; after a step by
                                           impulses the mean over it: change of v / length */
SAR_API double* sar_states(SarData* d); /* one per SAR_ITEM_STATE */
SAR_API double* sar_inputs(SarData* d); /* one per SAR_ITEM_INPUT; held until changed */
SAR_API double* sar_tau(SarData* d);    /* nv: joint forces of the host program; held likewise */
/* The same arrays to read. */
SAR_API const double* sar_get_q(const SarData* d);
SAR_API const double* sar_get_v(const SarData* d);
SAR_API const double* sar_get_a(const SarData* d);
SAR_API const double* sar_get_states(const SarData* d);
SAR_API const double* sar_get_inputs(const SarData* d);
SAR_API const double* sar_get_tau(const SarData* d);

/* A joint's coordinates in the direction of the file, whichever way the tree runs; nq and nv of the
 * joint.  Those of a joint that closes a loop are evaluated, angles in the turn nearest to the one
 * last seen; they cannot be set (SAR_NOT_OFFERED): set the tree's, and sar_sim_new closes the loop.
 */
SAR_API SarStatus sar_joint_get(SarData* d, int joint, double* q, double* v);
SAR_API SarStatus sar_joint_set(SarData* d, int joint, const double* q, const double* v);

/* FNV-1a hash of everything that determines how a run goes on: t, q, v, work, inputs, what is
 * switched on, what touches, and what the method remembers.  Equal hashes mean bit-equal runs. */
SAR_API unsigned long long sar_state_hash(const SarData* d);

#ifdef __cplusplus
}
#endif
