"""The public headers of Sarrus for ctypes. Written by tools/python-api: change the headers instead."""
import ctypes as c

SAR_MAX_DIAGS = 32
SAR_MAX_TRIALS = 24
SAR_KEPT_EVENTS = 64
SAR_RUN_EVENTS = 24
SAR_TRIM_MOST = 16
SAR_RT_KEPT_OVERRUNS = 32
SAR_RT_MAX_RUNGS = 8

# SarStatus
SAR_OK = 0
SAR_BAD_MODEL = 1
SAR_BAD_ARGUMENT = 2
SAR_NO_FILE = 3
SAR_NO_MEMORY = 4
SAR_NOT_OFFERED = 5
SAR_NO_SCRATCH = 6
SAR_NOT_CONVERGED = 7
SAR_SINGULAR = 8
SAR_NOT_FINITE = 9
SAR_STEP_TOO_SMALL = 10
SAR_NOT_CLOSED = 11
SAR_STOPPED = 12
SAR_OVER_LIMIT = 13
SAR_NOT_EXPLAINED = 14

# SarSeverity
SAR_ERROR = 0
SAR_WARNING = 1

# SarItem
SAR_ITEM_BODY = 0
SAR_ITEM_JOINT = 1
SAR_ITEM_FORCE = 2
SAR_ITEM_INPUT = 3
SAR_ITEM_OUTPUT = 4
SAR_ITEM_POINT = 5
SAR_ITEM_CONSTRAINT = 6
SAR_ITEM_STATE = 7
SAR_ITEM_KEY = 8

# SarJointRole
SAR_JOINT_TREE = 0
SAR_JOINT_FIXED = 1
SAR_JOINT_LOOP = 2

# SarStepControl
SAR_STEPS_AS_METHOD = -1
SAR_STEPS_FIXED = 0
SAR_STEPS_ADAPTIVE = 1

# SarRtPolicy
SAR_RT_SKIP = 0
SAR_RT_SLIP = 1
SAR_RT_STOP = 2
SAR_RT_DEGRADE = 3
SAR_RT_CATCH_UP = 4

# SarRtCause
SAR_RT_COMPUTATION = 0
SAR_RT_WAKE = 1
SAR_RT_FAULT = 2
SAR_RT_IO = 3
SAR_RT_PREEMPTED = 4
SAR_RT_BACKLOG = 5
SAR_RT_STOLEN = 6
SAR_RT_CAUSES = 7

# SarRtScheduling
SAR_RT_AS_IS = 0
SAR_RT_FIFO = 1
SAR_RT_DEADLINE = 2

# SarRtTimes
SAR_RT_STEP_CPU = 0
SAR_RT_STEP_WALL = 1
SAR_RT_LATENCY = 2
SAR_RT_EXCHANGE = 3
SAR_RT_TIMES = 4


class SarDiag(c.Structure):
    """One message about the input: where (line 0 = no place), what, and what to do about it."""

    _fields_ = [
        ("severity", c.c_int),
        ("line", c.c_int),
        ("column", c.c_int),
        ("file", c.c_char * 256),
        ("text", c.c_char * 384),
        ("hint", c.c_char * 256),
    ]


class SarError(c.Structure):
    """All messages of one call.  Owned by the caller, no allocation; sar_error_init empties it."""

    _fields_ = [
        ("count", c.c_int),
        ("errors", c.c_int),
        ("dropped", c.c_int),
        ("items", SarDiag * 32),
    ]


class SarParameter(c.Structure):
    """One override of a parameter of the model file, as --set does on the command line."""

    _fields_ = [
        ("name", c.c_char_p),
        ("value", c.c_double),
    ]


class SarTextFile(c.Structure):
    """A text that stands for a file: what an include: of this name means in a model from memory."""

    _fields_ = [
        ("name", c.c_char_p),
        ("text", c.c_char_p),
        ("size", c.c_size_t),
    ]


class SarExpression(c.Structure):
    """A column in addition to those of the file: an expression as in `outputs: [{value: ..., name:
    ...}]`."""

    _fields_ = [
        ("name", c.c_char_p),
        ("text", c.c_char_p),
    ]


class SarUserFunction(c.Structure):
    """A function of the program's own that a model calls at the instants of a sampled block,
    `signals: {u: {call: [target - arm.q, arm.v], function: pd, period: 1e-3}}` (docs/controls.md).
    `states` are numbers that it keeps from call to call: they are part of the state of the run,
    copied and saved with it, so it must keep nothing elsewhere.  It may be called again for an
    instant that is repeated, and by several runs at a time.  What is not 0 ends the run.  Counts are
    those of the model file, or -1: whatever it says."""

    _fields_ = [
        ("name", c.c_char_p),
        ("inputs", c.c_int),
        ("states", c.c_int),
        ("outputs", c.c_int),
        ("call", c.CFUNCTYPE(c.c_int, c.c_void_p, c.c_double, c.POINTER(c.c_double), c.POINTER(c.c_double), c.POINTER(c.c_double))),
        ("context", c.c_void_p),
    ]


class SarLoadOptions(c.Structure):
    """How to read a model.  Zeros and NULLs are the defaults: SarLoadOptions o = {0}, then edit."""

    _fields_ = [
        ("parameters", c.POINTER(SarParameter)),
        ("parameter_count", c.c_int),
        ("search_paths", c.POINTER(c.c_char_p)),
        ("search_path_count", c.c_int),
        ("coordinates", c.c_char_p),
        ("files", c.POINTER(SarTextFile)),
        ("file_count", c.c_int),
        ("keep_fixed", c.c_bool),
        ("on_file", c.CFUNCTYPE(None, c.c_void_p, c.c_char_p)),
        ("on_file_context", c.c_void_p),
        ("memory_limit", c.c_size_t),
        ("columns", c.POINTER(SarExpression)),
        ("column_count", c.c_int),
        ("functions", c.POINTER(SarUserFunction)),
        ("function_count", c.c_int),
        ("key", c.c_char_p),
    ]


class SarModelInfo(c.Structure):
    """The model as a whole, and what its `simulation` block says."""

    _fields_ = [
        ("name", c.c_char_p),
        ("absolute", c.c_bool),
        ("plane", c.c_char_p),
        ("contact", c.c_bool),
        ("equations", c.c_int),
        ("mass", c.c_double),
        ("bytes", c.c_size_t),
        ("memory_limit", c.c_size_t),
        ("end", c.c_double),
        ("step", c.c_double),
        ("output_step", c.c_double),
        ("formulation", c.c_char_p),
        ("integrator", c.c_char_p),
        ("platforms", c.c_int),
    ]


class SarConstraintInfo(c.Structure):
    """kg; with the bodies that are fixed to it and of one piece with it."""

    _fields_ = [
        ("name", c.c_char_p),
        ("kind", c.c_char_p),
        ("equations", c.c_int),
        ("identical", c.c_int),
        ("drive", c.c_bool),
    ]


class SarJointInfo(c.Structure):
    """Where a joint's coordinates live: q[qadr .. qadr+nq), v[vadr .. vadr+nv).  Those of
    SAR_JOINT_LOOP stand behind those of the tree; a force written there in sar_tau acts on the
    joint's two bodies."""

    _fields_ = [
        ("name", c.c_char_p),
        ("kind", c.c_char_p),
        ("body", c.c_int),
        ("parent", c.c_int),
        ("qadr", c.c_int),
        ("nq", c.c_int),
        ("vadr", c.c_int),
        ("nv", c.c_int),
        ("turned", c.c_bool),
        ("role", c.c_int),
    ]


class SarEnergy(c.Structure):
    """Velocity of a body point: angular[3] and linear[3], ground axes."""

    _fields_ = [
        ("kinetic", c.c_double),
        ("potential", c.c_double),
        ("total", c.c_double),
        ("work", c.c_double),
        ("error", c.c_double),
    ]


class SarForwardDerivatives(c.Structure):
    """What is asked for: each array Nullable. nv coordinates, nu inputs, nz states of the file."""

    _fields_ = [
        ("a_q", c.POINTER(c.c_double)),
        ("a_v", c.POINTER(c.c_double)),
        ("a_tau", c.POINTER(c.c_double)),
        ("a_input", c.POINTER(c.c_double)),
        ("a_state", c.POINTER(c.c_double)),
        ("a_time", c.POINTER(c.c_double)),
        ("rate_q", c.POINTER(c.c_double)),
        ("rate_v", c.POINTER(c.c_double)),
        ("rate_input", c.POINTER(c.c_double)),
        ("rate_state", c.POINTER(c.c_double)),
        ("rate_time", c.POINTER(c.c_double)),
    ]


class SarInverseDerivatives(c.Structure):
    """Of the accelerations; sar_a is filled too. Allocates nothing. SAR_SINGULAR at a singular position
    of the constraints."""

    _fields_ = [
        ("tau_q", c.POINTER(c.c_double)),
        ("tau_v", c.POINTER(c.c_double)),
        ("tau_a", c.POINTER(c.c_double)),
        ("tau_input", c.POINTER(c.c_double)),
        ("tau_state", c.POINTER(c.c_double)),
        ("tau_time", c.POINTER(c.c_double)),
    ]


class SarContactPoint(c.Structure):
    """Where solids of the model touch, or were so near in the last step that they could have."""

    _fields_ = [
        ("body", c.c_int * 2),
        ("solid", c.c_char_p * 2),
        ("point", c.c_double * 3),
        ("normal", c.c_double * 3),
        ("gap", c.c_double),
        ("impulse", c.c_double * 3),
        ("moment", c.c_double * 3),
        ("force", c.c_double * 3),
    ]


class SarSimOptions(c.Structure):
    """Begin with sar_sim_options(), then edit: 0 is not the default of all of them, and options that it
    did not make are refused."""

    _fields_ = [
        ("size", c.c_size_t),
        ("formulation", c.c_char_p),
        ("integrator", c.c_char_p),
        ("step", c.c_double),
        ("rtol", c.c_double),
        ("atol", c.c_double),
        ("max_step", c.c_double),
        ("max_iterations", c.c_int),
        ("newton_tolerance", c.c_double),
        ("penalty", c.c_double),
        ("reselect", c.c_bool),
        ("spectral_radius", c.c_double),
        ("adaptive", c.c_int),
        ("project", c.c_bool),
        ("impulse_tolerance", c.c_double),
        ("budget", c.c_double),
        ("max_steps", c.c_long),
        ("cancel", c.POINTER(c.c_int)),
        ("alpha", c.c_double),
        ("beta", c.c_double),
        ("rho", c.c_double),
        ("omega", c.c_double),
        ("zeta", c.c_double),
        ("kinematics", c.c_char_p),
        ("threads", c.c_int),
    ]


class SarTrial(c.Structure):
    """What a trial found about one formulation with one integrator."""

    _fields_ = [
        ("formulation", c.c_char_p),
        ("integrator", c.c_char_p),
        ("status", c.c_int),
        ("error", c.c_double),
        ("median", c.c_double),
        ("worst", c.c_double),
    ]


class SarChoice(c.Structure):
    _fields_ = [
        ("step", c.c_double),
        ("steps", c.c_int),
        ("count", c.c_int),
        ("chosen", c.c_int),
        ("trial", SarTrial * 24),
        ("reason", c.c_char * 384),
    ]


class SarStats(c.Structure):
    """Counters since sar_sim_new."""

    _fields_ = [
        ("steps", c.c_long),
        ("rejected", c.c_long),
        ("calls", c.c_long),
        ("iterations", c.c_long),
        ("iterations_max", c.c_int),
        ("chattering", c.c_long),
        ("step_min", c.c_double),
        ("step_max", c.c_double),
        ("step_last", c.c_double),
        ("contacts_max", c.c_int),
        ("contacts_missed", c.c_long),
        ("position_violation", c.c_double),
        ("velocity_violation", c.c_double),
        ("position_drift", c.c_double),
        ("velocity_drift", c.c_double),
        ("scratch_bytes", c.c_size_t),
        ("scratch_peak", c.c_size_t),
        ("unsettled_steps", c.c_long),
        ("unsettled_first", c.c_double),
        ("unsettled_speed", c.c_double),
        ("unsettled", c.c_char_p * 2),
        ("kinematics_solved", c.c_long),
        ("kinematics_fallbacks", c.c_long),
    ]


class SarEvent(c.Structure):
    """Something was switched on or off during the run (docs/events.md)."""

    _fields_ = [
        ("time", c.c_double),
        ("name", c.c_char_p),
        ("on", c.c_bool),
        ("energy", c.c_double),
        ("impulse", c.c_double),
        ("moment", c.c_double),
        ("freedoms", c.c_int),
    ]


class SarRunOptions(c.Structure):
    """Begin with sar_run_options()."""

    _fields_ = [
        ("size", c.c_size_t),
        ("sim", c.POINTER(SarSimOptions)),
        ("start", c.c_void_p),
        ("end", c.c_double),
        ("output_step", c.c_double),
        ("times", c.POINTER(c.c_double)),
        ("time_count", c.c_size_t),
        ("keep_rows", c.c_bool),
        ("audit_steps", c.c_bool),
        ("time_steps", c.c_bool),
        ("deadline", c.c_double),
        ("choose", c.c_bool),
        ("accuracy", c.c_double),
        ("resume", c.c_char_p),
        ("save", c.c_char_p),
        ("context", c.c_void_p),
        ("on_row", c.CFUNCTYPE(c.c_int, c.c_void_p, c.POINTER(c.c_double), c.c_int)),
        ("on_state", c.CFUNCTYPE(c.c_int, c.c_void_p, c.c_void_p)),
        ("on_progress", c.CFUNCTYPE(None, c.c_void_p, c.c_double)),
        ("should_stop", c.CFUNCTYPE(c.c_bool, c.c_void_p)),
        ("on_stepping", c.CFUNCTYPE(None, c.c_void_p, c.c_bool)),
    ]


class SarRunReport(c.Structure):
    """How it went."""

    _fields_ = [
        ("status", c.c_int),
        ("trouble", c.c_char_p),
        ("formulation", c.c_char_p),
        ("integrator", c.c_char_p),
        ("reason", c.c_char_p),
        ("step", c.c_double),
        ("adaptive", c.c_bool),
        ("freedoms", c.c_int),
        ("start_time", c.c_double),
        ("end_time", c.c_double),
        ("end_wanted", c.c_double),
        ("stats", c.POINTER(SarStats)),
        ("choice", c.POINTER(SarChoice)),
        ("cpu_s", c.c_double),
        ("realtime_factor", c.c_double),
        ("step_median", c.c_double),
        ("step_worst", c.c_double),
        ("step_worst_at", c.c_double),
        ("deadline", c.c_double),
        ("steps_timed", c.c_long),
        ("steps_late", c.c_long),
        ("energy_start", c.c_double),
        ("energy_end", c.c_double),
        ("energy_error_max", c.c_double),
        ("work", c.c_double),
        ("energy_scale", c.c_double),
        ("constrained", c.c_bool),
        ("projected", c.c_bool),
        ("position_violation_max", c.c_double),
        ("velocity_violation_max", c.c_double),
        ("limit_joint", c.c_char_p),
        ("limit_time", c.c_double),
        ("event_count", c.c_long),
        ("ambiguous", c.c_char_p),
        ("energy_gain_max", c.c_double),
        ("unexplained", c.c_char_p),
    ]


class SarAssembly(c.Structure):
    """Assembly: what the constraints leave free."""

    _fields_ = [
        ("freedoms", c.c_int),
        ("equations", c.c_int),
        ("independent", c.c_int),
        ("singular", c.c_bool),
        ("redundant", c.c_char * 600),
    ]


class SarStaticsOptions(c.Structure):
    _fields_ = [
        ("size", c.c_size_t),
        ("settle", c.c_bool),
        ("max_iterations", c.c_int),
    ]


class SarStaticsReport(c.Structure):
    _fields_ = [
        ("freedoms", c.c_int),
        ("redundant", c.c_int),
        ("iterations", c.c_int),
        ("force", c.c_double),
        ("potential", c.c_double),
        ("unstable", c.c_int),
        ("indifferent", c.c_int),
        ("omega2", c.POINTER(c.c_double)),
        ("floor", c.c_double),
        ("settled", c.c_bool),
        ("contacts", c.c_int),
    ]


class SarModesOptions(c.Structure):
    _fields_ = [
        ("size", c.c_size_t),
        ("multiblade", c.c_char_p),
    ]


class SarModesReport(c.Structure):
    _fields_ = [
        ("freedoms", c.c_int),
        ("count", c.c_int),
        ("re", c.POINTER(c.c_double)),
        ("im", c.POINTER(c.c_double)),
        ("shape_size", c.c_int),
        ("shape_re", c.POINTER(c.c_double)),
        ("shape_im", c.POINTER(c.c_double)),
        ("body_count", c.c_int),
        ("share", c.POINTER(c.c_double)),
        ("acceleration", c.c_double),
        ("floor", c.c_double),
        ("contacts", c.c_int),
    ]


class SarFloquetOptions(c.Structure):
    _fields_ = [
        ("size", c.c_size_t),
        ("sim", c.POINTER(SarSimOptions)),
    ]


class SarFloquetReport(c.Structure):
    _fields_ = [
        ("period", c.c_double),
        ("count", c.c_int),
        ("re", c.POINTER(c.c_double)),
        ("im", c.POINTER(c.c_double)),
        ("off", c.c_double),
    ]


class SarReduceOptions(c.Structure):
    _fields_ = [
        ("size", c.c_size_t),
        ("beam", c.c_char_p),
        ("modes", c.c_int),
        ("attach", c.POINTER(c.c_char_p)),
        ("attach_count", c.c_int),
        ("keep", c.c_int),
        ("linear", c.c_bool),
    ]


class SarReductionReport(c.Structure):
    _fields_ = [
        ("beam", c.c_char_p),
        ("nodes", c.c_int),
        ("modes", c.c_int),
        ("frequency", c.POINTER(c.c_double)),
        ("damping", c.POINTER(c.c_double)),
    ]


class SarLinearizeOptions(c.Structure):
    _fields_ = [
        ("size", c.c_size_t),
        ("inputs", c.c_char_p),
        ("outputs", c.c_char_p),
        ("rest", c.c_bool),
    ]


class SarLinearizationReport(c.Structure):
    _fields_ = [
        ("nq", c.c_int),
        ("nv", c.c_int),
        ("nz", c.c_int),
        ("nx", c.c_int),
        ("nu", c.c_int),
        ("ny", c.c_int),
        ("A", c.POINTER(c.c_double)),
        ("B", c.POINTER(c.c_double)),
        ("C", c.POINTER(c.c_double)),
        ("D", c.POINTER(c.c_double)),
        ("x0", c.POINTER(c.c_double)),
        ("f", c.POINTER(c.c_double)),
        ("u0", c.POINTER(c.c_double)),
        ("y0", c.POINTER(c.c_double)),
        ("pole_re", c.POINTER(c.c_double)),
        ("pole_im", c.POINTER(c.c_double)),
        ("zeros", c.c_int),
        ("zero_re", c.POINTER(c.c_double)),
        ("zero_im", c.POINTER(c.c_double)),
        ("acceleration", c.c_double),
        ("coordinates", c.c_int),
        ("left_out", c.c_int),
    ]


class SarSweepOptions(c.Structure):
    _fields_ = [
        ("size", c.c_size_t),
        ("from", c.c_double),
        ("to", c.c_double),
        ("points", c.c_int),
        ("branches", c.c_bool),
        ("trials", c.c_int),
        ("seed", c.c_ulonglong),
        ("formulation", c.c_char_p),
        ("context", c.c_void_p),
        ("on_row", c.CFUNCTYPE(c.c_int, c.c_void_p, c.POINTER(c.c_double), c.c_int)),
        ("should_stop", c.CFUNCTYPE(c.c_bool, c.c_void_p)),
    ]


class SarKinematicsReport(c.Structure):
    _fields_ = [
        ("from", c.c_double),
        ("to", c.c_double),
        ("points", c.c_int),
        ("branches", c.c_int),
        ("trials", c.c_int),
        ("open", c.c_int),
    ]


class SarBranch(c.Structure):
    """One way to put the mechanism together, as far as it could be followed."""

    _fields_ = [
        ("row", c.c_size_t),
        ("rows", c.c_size_t),
        ("found", c.c_int),
        ("reached", c.c_double),
        ("least_grip", c.c_double),
        ("least_time", c.c_double),
    ]


class SarTrimUnknown(c.Structure):
    _fields_ = [
        ("name", c.c_char_p),
        ("lower", c.c_double),
        ("upper", c.c_double),
    ]


class SarTrimCondition(c.Structure):
    _fields_ = [
        ("left", c.c_char_p),
        ("right", c.c_char_p),
    ]


class SarTrimProgress(c.Structure):
    """After each iteration of the search; number 0 is where it starts."""

    _fields_ = [
        ("iteration", c.c_int),
        ("trials", c.c_int),
        ("periods", c.c_int),
        ("count", c.c_int),
        ("value", c.POINTER(c.c_double)),
        ("left", c.POINTER(c.c_double)),
        ("right", c.POINTER(c.c_double)),
        ("worst", c.c_double),
    ]


class SarTrimOptions(c.Structure):
    _fields_ = [
        ("size", c.c_size_t),
        ("load", c.POINTER(SarLoadOptions)),
        ("sim", c.POINTER(SarSimOptions)),
        ("unknown", c.POINTER(SarTrimUnknown)),
        ("condition", c.POINTER(SarTrimCondition)),
        ("count", c.c_int),
        ("period", c.c_char_p),
        ("start", c.c_double),
        ("max_periods", c.c_int),
        ("max_iterations", c.c_int),
        ("tolerance", c.c_double),
        ("context", c.c_void_p),
        ("on_progress", c.CFUNCTYPE(None, c.c_void_p, c.POINTER(SarTrimProgress))),
        ("should_stop", c.CFUNCTYPE(c.c_bool, c.c_void_p)),
    ]


class SarTrimReport(c.Structure):
    _fields_ = [
        ("count", c.c_int),
        ("value", c.POINTER(c.c_double)),
        ("before", c.POINTER(c.c_double)),
        ("left", c.POINTER(c.c_double)),
        ("right", c.POINTER(c.c_double)),
        ("period", c.c_double),
        ("iterations", c.c_int),
        ("trials", c.c_int),
        ("periods", c.c_int),
        ("simulated", c.c_double),
    ]


class SarBatchOptions(c.Structure):
    """Begin with sar_batch_options()."""

    _fields_ = [
        ("size", c.c_size_t),
        ("sim", c.POINTER(SarSimOptions)),
        ("threads", c.c_int),
        ("generated", c.c_bool),
        ("lanes", c.c_int),
        ("file", c.c_char_p),
        ("load", c.POINTER(SarLoadOptions)),
        ("parameters", c.POINTER(c.c_char_p)),
        ("parameter_count", c.c_int),
        ("parameter_values", c.POINTER(c.c_double)),
    ]


class SarRollout(c.Structure):
    """A whole sequence of controls for every instance, held over a period each, and the states that
    they lead to: for sampling-based control and learning.  A thread takes an instance (or those of
    one vector) through all periods. Arrays are n x periods x width, first all of instance 0; each is
    Nullable."""

    _fields_ = [
        ("periods", c.c_int),
        ("period", c.c_double),
        ("inputs", c.POINTER(c.c_double)),
        ("tau", c.POINTER(c.c_double)),
        ("q", c.POINTER(c.c_double)),
        ("v", c.POINTER(c.c_double)),
        ("outputs", c.POINTER(c.c_double)),
    ]


class SarBatchReport(c.Structure):
    """Values of its output columns at its present state."""

    _fields_ = [
        ("failed", c.c_int),
        ("threads", c.c_int),
        ("lanes", c.c_int),
        ("handed", c.c_long),
        ("why", c.c_char_p),
    ]


class SarListEntry(c.Structure):
    """One entry of the lists behind `sarrus list`."""

    _fields_ = [
        ("name", c.c_char_p),
        ("doc", c.c_char_p),
        ("ref", c.c_char_p),
        ("can", c.c_char_p),
        ("absolute", c.c_bool),
    ]


class SarRtClock(c.Structure):
    """The time that a run keeps, ns.  A program may have one of its own: a timer of its hardware, or a
    script in a test. Called by the stepping thread."""

    _fields_ = [
        ("context", c.c_void_p),
        ("now", c.CFUNCTYPE(c.c_longlong, c.c_void_p)),
        ("wait", c.CFUNCTYPE(None, c.c_void_p, c.c_longlong)),
        ("cpu", c.CFUNCTYPE(c.c_longlong, c.c_void_p)),
        ("faults", c.CFUNCTYPE(c.c_long, c.c_void_p)),
    ]


class SarRtFrame(c.Structure):
    """One frame at its beginning: outputs are those of the state at `time`, inputs what the coming
    steps use."""

    _fields_ = [
        ("number", c.c_longlong),
        ("time", c.c_double),
        ("clock", c.c_longlong),
        ("outputs", c.POINTER(c.c_double)),
        ("inputs", c.POINTER(c.c_double)),
    ]


class SarRtPort(c.Structure):
    """What is exchanged by the library itself."""

    _fields_ = [
        ("kind", c.c_char_p),
        ("address", c.c_char_p),
    ]


class SarRtOptions(c.Structure):
    """Begin with sar_rt_options()."""

    _fields_ = [
        ("size", c.c_size_t),
        ("sim", c.POINTER(SarSimOptions)),
        ("start", c.c_void_p),
        ("rate", c.c_double),
        ("end", c.c_double),
        ("policy", c.c_int),
        ("ladder", c.POINTER(SarSimOptions)),
        ("ladder_count", c.c_int),
        ("calm", c.c_double),
        ("behind", c.c_double),
        ("scheduling", c.c_int),
        ("priority", c.c_int),
        ("share", c.c_double),
        ("core", c.c_int),
        ("lock_memory", c.c_bool),
        ("ports", c.POINTER(SarRtPort)),
        ("port_count", c.c_int),
        ("record", c.c_char_p),
        ("digits", c.c_int),
        ("record_every", c.c_int),
        ("model", c.c_char_p),
        ("exchange", c.CFUNCTYPE(c.c_int, c.c_void_p, c.POINTER(SarRtFrame))),
        ("on_loop", c.CFUNCTYPE(None, c.c_void_p, c.c_bool)),
        ("context", c.c_void_p),
        ("clock", c.POINTER(SarRtClock)),
    ]


class SarRtSpread(c.Structure):
    """How some times are spread [s]: percentiles (to 2 %), the worst, and where that was."""

    _fields_ = [
        ("count", c.c_long),
        ("median", c.c_double),
        ("p90", c.c_double),
        ("p99", c.c_double),
        ("p999", c.c_double),
        ("p9999", c.c_double),
        ("worst", c.c_double),
        ("worst_time", c.c_double),
        ("worst_frame", c.c_longlong),
    ]


class SarRtOverrun(c.Structure):
    _fields_ = [
        ("frame", c.c_longlong),
        ("time", c.c_double),
        ("cause", c.c_int),
        ("late", c.c_double),
        ("step_cpu", c.c_double),
        ("step_wall", c.c_double),
        ("latency", c.c_double),
        ("exchange", c.c_double),
        ("backlog", c.c_double),
        ("again", c.c_double),
        ("rung", c.c_int),
    ]


class SarRtRung(c.Structure):
    _fields_ = [
        ("formulation", c.c_char_p),
        ("integrator", c.c_char_p),
        ("step", c.c_double),
        ("max_iterations", c.c_int),
        ("tried_median", c.c_double),
        ("tried_error", c.c_double),
        ("frames", c.c_long),
    ]


class SarRtReport(c.Structure):
    _fields_ = [
        ("running", c.c_bool),
        ("status", c.c_int),
        ("trouble", c.c_char_p),
        ("period", c.c_double),
        ("start_time", c.c_double),
        ("time", c.c_double),
        ("end_wanted", c.c_double),
        ("elapsed", c.c_double),
        ("frames", c.c_longlong),
        ("steps", c.c_long),
        ("overruns", c.c_long),
        ("overruns_by", c.c_long * SAR_RT_CAUSES),
        ("skipped", c.c_longlong),
        ("slipped", c.c_double),
        ("behind", c.c_double),
        ("behind_most", c.c_double),
        ("times", SarRtSpread * SAR_RT_TIMES),
        ("page_faults", c.c_long),
        ("allocations", c.c_long),
        ("switches_waiting", c.c_long),
        ("switches_forced", c.c_long),
        ("rung", c.c_int),
        ("rungs", c.c_int),
        ("rungs_down", c.c_long),
        ("rungs_up", c.c_long),
        ("ladder", SarRtRung * 8),
        ("kept", c.c_int),
        ("overrun", SarRtOverrun * 32),
        ("unsettled_steps", c.c_long),
        ("unsettled_speed", c.c_double),
        ("iterations_max", c.c_int),
        ("locked", c.c_bool),
        ("pinned", c.c_bool),
        ("scheduled", c.c_bool),
        ("core", c.c_int),
        ("recorded", c.c_longlong),
        ("record_dropped", c.c_longlong),
    ]


class SarRtRehearsal(c.Structure):
    """A rehearsal: all frames as fast as they go, several times, without privileges.  A frame's cost is
    the least of its passes, so that what else the machine does hardly counts."""

    _fields_ = [
        ("status", c.c_int),
        ("trouble", c.c_char_p),
        ("passes", c.c_int),
        ("frames", c.c_longlong),
        ("period", c.c_double),
        ("cpu_median", c.c_double),
        ("cpu_worst", c.c_double),
        ("worst_time", c.c_double),
        ("worst_frame", c.c_longlong),
        ("instructions_median", c.c_double),
        ("instructions_worst", c.c_double),
        ("instructions_worst_time", c.c_double),
        ("margin", c.c_double),
        ("rate_safe", c.c_double),
        ("margin_wanted", c.c_double),
    ]


class SarCouplePort(c.Structure):
    """A port of coupled simulators (docs/real-time-protocol.md)."""

    _fields_ = [
        ("simulator", c.c_char_p),
        ("kind", c.c_char_p),
        ("address", c.c_char_p),
    ]


class SarCoupleOptions(c.Structure):
    _fields_ = [
        ("size", c.c_size_t),
        ("end", c.c_double),
        ("rt", c.POINTER(SarRtOptions)),
        ("record", c.POINTER(c.c_char_p)),
        ("ports", c.POINTER(SarCouplePort)),
        ("port_count", c.c_int),
    ]


class SarCoupleReport(c.Structure):
    """true: all have ended"""

    _fields_ = [
        ("status", c.c_int),
        ("trouble", c.c_char_p),
        ("period", c.c_double),
        ("time", c.c_double),
        ("audited", c.c_bool),
        ("energy", c.c_double),
        ("exchanged", c.c_double),
    ]


class SarConvertOptions(c.Structure):
    _fields_ = [
        ("size", c.c_size_t),
        ("format", c.c_char_p),
        ("load", c.POINTER(SarLoadOptions)),
        ("load_size", c.c_size_t),
    ]


class SarLoss(c.Structure):
    """One thing that was not written."""

    _fields_ = [
        ("file", c.c_char_p),
        ("line", c.c_int),
        ("column", c.c_int),
        ("text", c.c_char_p),
    ]


# name: (result, arguments, documentation)
FUNCTIONS = {
    "sar_status_text": (
        c.c_char_p,
        (c.c_int,),
        """""",
    ),
    "sar_error_init": (
        None,
        (c.POINTER(SarError),),
        """""",
    ),
    "sar_error_format": (
        c.c_char_p,
        (c.POINTER(SarError), c.c_int, c.c_char_p, c.c_size_t),
        """Writes "file:line:column: error: text (hint)" of message i into buf; returns buf.""",
    ),
    "sar_version": (
        c.c_char_p,
        (),
        """"1.0.0 (gcc 12.2, portable)": version, compiler, and whether the build trades bit-reproducibility
        for speed.""",
    ),
    "sar_model_load_sized": (
        c.c_int,
        (c.c_char_p, c.POINTER(SarLoadOptions), c.c_size_t, c.POINTER(c.c_void_p), c.POINTER(SarError)),
        """Reads FILE.yaml, .yml, .json, .urdf, .sdf or .xml (MJCF) and compiles it.  `o` Nullable.  On
        failure *out is NULL and err holds every message found.  Warnings (unknown URDF tags, say) are
        left in err on success too.""",
    ),
    "sar_model_parse_sized": (
        c.c_int,
        (c.c_char_p, c.c_size_t, c.c_char_p, c.c_char_p, c.POINTER(SarLoadOptions), c.c_size_t, c.POINTER(c.c_void_p), c.POINTER(SarError)),
        """The same from memory.  `format` is "yaml", "urdf", "mjcf" or "sdf"; `name` stands for the file in
        messages.  What the text includes is looked for in the options' files and in the search paths.""",
    ),
    "sar_model_free": (
        None,
        (c.c_void_p,),
        """The same from memory.  `format` is "yaml", "urdf", "mjcf" or "sdf"; `name` stands for the file in
        messages.  What the text includes is looked for in the options' files and in the search paths.""",
    ),
    "sar_model_count": (
        c.c_int,
        (c.c_void_p, c.c_int),
        """How many there are; the name of one; the index of a name.""",
    ),
    "sar_model_name": (
        c.c_char_p,
        (c.c_void_p, c.c_int, c.c_int),
        """How many there are; the name of one; the index of a name.""",
    ),
    "sar_model_find": (
        c.c_int,
        (c.c_void_p, c.c_int, c.c_char_p),
        """How many there are; the name of one; the index of a name.""",
    ),
    "sar_model_unit": (
        c.c_char_p,
        (c.c_void_p, c.c_int, c.c_int),
        """Unit of an input, as the file says it, or of an output: "N m", "rad/s"; "": not known; NULL:
        there is no such item.""",
    ),
    "sar_input_range": (
        c.c_int,
        (c.c_void_p, c.c_int, c.POINTER(c.c_double), c.POINTER(c.c_double)),
        """What the file says an input should stay between; infinite where it says nothing. The engine does
        not bound it.""",
    ),
    "sar_model_is_like": (
        c.c_bool,
        (c.c_void_p, c.c_void_p),
        """Are two models alike: the same names of all these kinds in the same order, as many coordinates
        and equations, and only other numbers?  Those of one file with other parameters are, unless a
        parameter changes the topology.""",
    ),
    "sar_model_nq": (
        c.c_int,
        (c.c_void_p,),
        """Coordinates of the tree: nq of position (quaternions count 4), nv of velocity.""",
    ),
    "sar_model_nv": (
        c.c_int,
        (c.c_void_p,),
        """Coordinates of the tree: nq of position (quaternions count 4), nv of velocity.""",
    ),
    "sar_model_nq_all": (
        c.c_int,
        (c.c_void_p,),
        """The same with those of the joints that close loops: the lengths of sar_q, sar_v, sar_a, sar_tau.""",
    ),
    "sar_model_nv_all": (
        c.c_int,
        (c.c_void_p,),
        """The same with those of the joints that close loops: the lengths of sar_q, sar_v, sar_a, sar_tau.""",
    ),
    "sar_model_info_sized": (
        c.c_int,
        (c.c_void_p, c.POINTER(SarModelInfo), c.c_size_t),
        """""",
    ),
    "sar_body_mass": (
        c.c_double,
        (c.c_void_p, c.c_int),
        """kg; with the bodies that are fixed to it and of one piece with it.""",
    ),
    "sar_constraint_info_sized": (
        c.c_int,
        (c.c_void_p, c.c_int, c.POINTER(SarConstraintInfo), c.c_size_t),
        """""",
    ),
    "sar_model_check": (
        c.c_int,
        (c.c_void_p, c.POINTER(SarError)),
        """SAR_BAD_MODEL, with places in err: the `simulation` block names what there is not.""",
    ),
    "sar_parse_number": (
        c.c_int,
        (c.c_char_p, c.POINTER(c.c_double)),
        """A number as model files have them: "2.5", "30 deg", "2*pi".  SAR_BAD_ARGUMENT: it is none.""",
    ),
    "sar_joint_info_sized": (
        c.c_int,
        (c.c_void_p, c.c_int, c.POINTER(SarJointInfo), c.c_size_t),
        """""",
    ),
    "sar_joint_limits": (
        c.c_int,
        (c.c_void_p, c.c_int, c.POINTER(c.c_double), c.POINTER(c.c_double), c.POINTER(c.c_double), c.POINTER(c.c_double)),
        """Limits of a joint's coordinates as the file gives them, nv values each, infinite where there is
        none; each array Nullable.  Formulations by impulses enforce lower and upper; the rest is for the
        host program.""",
    ),
    "sar_data_new": (
        c.c_int,
        (c.c_void_p, c.POINTER(c.c_void_p), c.POINTER(SarError)),
        """A new one is at the initial state, and reset goes back there.  Copying between two of the same
        model saves and restores a run: a simulation on the copy continues bit for bit like the original,
        and so does the one on data that a copy is put back into.  What the method remembers is copied
        too, so copying takes memory the first time (SAR_NO_MEMORY: `to` is as it was).  Simulations with
        SUNDIALS begin their history anew.""",
    ),
    "sar_data_free": (
        None,
        (c.c_void_p,),
        """A new one is at the initial state, and reset goes back there.  Copying between two of the same
        model saves and restores a run: a simulation on the copy continues bit for bit like the original,
        and so does the one on data that a copy is put back into.  What the method remembers is copied
        too, so copying takes memory the first time (SAR_NO_MEMORY: `to` is as it was).  Simulations with
        SUNDIALS begin their history anew.""",
    ),
    "sar_data_reset": (
        None,
        (c.c_void_p,),
        """NULL is fine""",
    ),
    "sar_data_copy": (
        c.c_int,
        (c.c_void_p, c.c_void_p),
        """NULL is fine""",
    ),
    "sar_data_save": (
        c.c_int,
        (c.c_void_p, c.c_char_p, c.POINTER(SarError)),
        """The same through a file, also for another process or machine: it continues bit for bit.  Saving
        writes beside `path` and renames.  Loading refuses the state of another model (masses,
        parameters, coordinates; columns and the `simulation` block may differ), a file that is cut short
        or changed, and one of another version, each with a message; d is as it was then.""",
    ),
    "sar_data_load": (
        c.c_int,
        (c.c_void_p, c.c_char_p, c.POINTER(SarError)),
        """The same through a file, also for another process or machine: it continues bit for bit.  Saving
        writes beside `path` and renames.  Loading refuses the state of another model (masses,
        parameters, coordinates; columns and the `simulation` block may differ), a file that is cut short
        or changed, and one of another version, each with a message; d is as it was then.""",
    ),
    "sar_data_model": (
        c.c_void_p,
        (c.c_void_p,),
        """The same through a file, also for another process or machine: it continues bit for bit.  Saving
        writes beside `path` and renames.  Loading refuses the state of another model (masses,
        parameters, coordinates; columns and the `simulation` block may differ), a file that is cut short
        or changed, and one of another version, each with a message; d is as it was then.""",
    ),
    "sar_time": (
        c.c_double,
        (c.c_void_p,),
        """The same through a file, also for another process or machine: it continues bit for bit.  Saving
        writes beside `path` and renames.  Loading refuses the state of another model (masses,
        parameters, coordinates; columns and the `simulation` block may differ), a file that is cut short
        or changed, and one of another version, each with a message; d is as it was then.""",
    ),
    "sar_set_time": (
        None,
        (c.c_void_p, c.c_double),
        """The same through a file, also for another process or machine: it continues bit for bit.  Saving
        writes beside `path` and renames.  Loading refuses the state of another model (masses,
        parameters, coordinates; columns and the `simulation` block may differ), a file that is cut short
        or changed, and one of another version, each with a message; d is as it was then.""",
    ),
    "sar_q": (
        c.POINTER(c.c_double),
        (c.c_void_p,),
        """The arrays themselves; write q, v, states and inputs between steps as you like.  Quaternions are
        normalised when used.  After writing q or v call sar_energy_restart, or what you put in counts as
        an error of the energy; sar_set_time and sar_joint_set do so themselves.""",
    ),
    "sar_v": (
        c.POINTER(c.c_double),
        (c.c_void_p,),
        """nq; behind them those of loops, as last evaluated""",
    ),
    "sar_a": (
        c.POINTER(c.c_double),
        (c.c_void_p,),
        """nv; likewise""",
    ),
    "sar_states": (
        c.POINTER(c.c_double),
        (c.c_void_p,),
        """nv: accelerations of the last evaluation; after a step by
        impulses the mean over it: change of v / length""",
    ),
    "sar_inputs": (
        c.POINTER(c.c_double),
        (c.c_void_p,),
        """one per SAR_ITEM_STATE""",
    ),
    "sar_tau": (
        c.POINTER(c.c_double),
        (c.c_void_p,),
        """one per SAR_ITEM_INPUT; held until changed""",
    ),
    "sar_get_q": (
        c.POINTER(c.c_double),
        (c.c_void_p,),
        """The same arrays to read.""",
    ),
    "sar_get_v": (
        c.POINTER(c.c_double),
        (c.c_void_p,),
        """The same arrays to read.""",
    ),
    "sar_get_a": (
        c.POINTER(c.c_double),
        (c.c_void_p,),
        """The same arrays to read.""",
    ),
    "sar_get_states": (
        c.POINTER(c.c_double),
        (c.c_void_p,),
        """The same arrays to read.""",
    ),
    "sar_get_inputs": (
        c.POINTER(c.c_double),
        (c.c_void_p,),
        """The same arrays to read.""",
    ),
    "sar_get_tau": (
        c.POINTER(c.c_double),
        (c.c_void_p,),
        """The same arrays to read.""",
    ),
    "sar_joint_get": (
        c.c_int,
        (c.c_void_p, c.c_int, c.POINTER(c.c_double), c.POINTER(c.c_double)),
        """A joint's coordinates in the direction of the file, whichever way the tree runs; nq and nv of the
        joint.  Those of a joint that closes a loop are evaluated, angles in the turn nearest to the one
        last seen; they cannot be set (SAR_NOT_OFFERED): set the tree's, and sar_sim_new closes the loop.""",
    ),
    "sar_joint_set": (
        c.c_int,
        (c.c_void_p, c.c_int, c.POINTER(c.c_double), c.POINTER(c.c_double)),
        """A joint's coordinates in the direction of the file, whichever way the tree runs; nq and nv of the
        joint.  Those of a joint that closes a loop are evaluated, angles in the turn nearest to the one
        last seen; they cannot be set (SAR_NOT_OFFERED): set the tree's, and sar_sim_new closes the loop.""",
    ),
    "sar_state_hash": (
        c.c_ulonglong,
        (c.c_void_p,),
        """FNV-1a hash of everything that determines how a run goes on: t, q, v, work, inputs, what is
        switched on, what touches, and what the method remembers.  Equal hashes mean bit-equal runs.""",
    ),
    "sar_forward_dynamics": (
        c.c_int,
        (c.c_void_p,),
        """Evaluates kinematics, measured quantities, expressions and forces, then the accelerations a
        (articulated bodies).  SAR_NOT_OFFERED where constraints are on: sar_accelerations has them.""",
    ),
    "sar_inverse_dynamics": (
        c.c_int,
        (c.c_void_p, c.POINTER(c.c_double), c.POINTER(c.c_double)),
        """tau[nv] that gives accelerations a[nv], all forces of the model taken into account.  Where
        constraints are on, a must keep them (else SAR_NOT_CLOSED), and of the many answers this is the
        one in which they carry nothing: Psi' lambda may be added, with Psi their Jacobian and any
        lambda.""",
    ),
    "sar_mass_matrix": (
        c.c_int,
        (c.c_void_p, c.POINTER(c.c_double)),
        """M[nv*nv], row by row, full symmetric.  SAR_NOT_OFFERED where constraints are on: inertia is not M
        alone then.  sar_tree_mass_matrix gives M of the tree also there: M a + Psi' lambda = Q.""",
    ),
    "sar_tree_mass_matrix": (
        c.c_int,
        (c.c_void_p, c.POINTER(c.c_double)),
        """M[nv*nv], row by row, full symmetric.  SAR_NOT_OFFERED where constraints are on: inertia is not M
        alone then.  sar_tree_mass_matrix gives M of the tree also there: M a + Psi' lambda = Q.""",
    ),
    "sar_jacobian": (
        c.c_int,
        (c.c_void_p, c.c_int, c.POINTER(c.c_double), c.POINTER(c.c_double)),
        """J[6*nv], row by row: v_point = J v.  Rows: angular x y z, linear x y z; ground axes; point in
        body axes.""",
    ),
    "sar_body_pose": (
        c.c_int,
        (c.c_void_p, c.c_int, c.POINTER(c.c_double), c.POINTER(c.c_double)),
        """Pose of a body's frame as the file defines it: position[3], rotation[9] (row by row, body to
        ground).""",
    ),
    "sar_body_velocity": (
        c.c_int,
        (c.c_void_p, c.c_int, c.POINTER(c.c_double), c.POINTER(c.c_double), c.POINTER(c.c_double)),
        """Velocity of a body point: angular[3] and linear[3], ground axes.""",
    ),
    "sar_energy_sized": (
        c.c_int,
        (c.c_void_p, c.POINTER(SarEnergy), c.c_size_t),
        """""",
    ),
    "sar_energy_restart": (
        None,
        (c.c_void_p,),
        """The energy account begins anew with the present state, all work 0: after q or v were written by
        hand.""",
    ),
    "sar_momentum": (
        c.c_int,
        (c.c_void_p, c.POINTER(c.c_double), c.POINTER(c.c_double)),
        """Linear p and angular momentum about the ground origin L, ground axes.""",
    ),
    "sar_reaction": (
        c.c_int,
        (c.c_void_p, c.c_int, c.POINTER(c.c_double), c.POINTER(c.c_double)),
        """Force and torque that a joint exerts on its child body (in the direction of the file) at the
        joint point: force[3], torque[3], ground axes, all six components including the joint's own
        springs and motors. SAR_NOT_OFFERED for a fixed joint that is not of the tree
        (SarLoadOptions.keep_fixed). Needs accelerations: call sar_forward_dynamics or sar_step before.
        After a step by impulses it is the mean over the step, with contacts, limits, motors and dry
        friction, in balance with sar_a. Where constraints are redundant this is one of many answers; the
        columns of sar_outputs have the smallest.""",
    ),
    "sar_derivatives_new": (
        c.c_int,
        (c.c_void_p, c.POINTER(c.c_void_p), c.POINTER(SarError)),
        """Memory for a model's derivatives; belongs to one thread at a time. SAR_NOT_OFFERED, with the name
        of the element, where a force of the model has no derivative.""",
    ),
    "sar_derivatives_free": (
        None,
        (c.c_void_p,),
        """Memory for a model's derivatives; belongs to one thread at a time. SAR_NOT_OFFERED, with the name
        of the element, where a force of the model has no derivative.""",
    ),
    "sar_forward_dynamics_derivatives_sized": (
        c.c_int,
        (c.c_void_p, c.c_void_p, c.POINTER(SarForwardDerivatives), c.c_size_t),
        """Of the accelerations; sar_a is filled too. Allocates nothing. SAR_SINGULAR at a singular position
        of the constraints.""",
    ),
    "sar_inverse_dynamics_derivatives_sized": (
        c.c_int,
        (c.c_void_p, c.c_void_p, c.POINTER(c.c_double), c.POINTER(SarInverseDerivatives), c.c_size_t),
        """Of the joint forces that give accelerations a[nv], constraints carrying nothing. Allocates
        nothing.""",
    ),
    "sar_contact_count": (
        c.c_int,
        (c.c_void_p,),
        """""",
    ),
    "sar_contact_sized": (
        c.c_int,
        (c.c_void_p, c.c_int, c.POINTER(SarContactPoint), c.c_size_t),
        """""",
    ),
    "sar_sim_options_sized": (
        None,
        (c.POINTER(SarSimOptions), c.c_size_t),
        """""",
    ),
    "sar_reference_options_sized": (
        None,
        (c.POINTER(SarSimOptions), c.c_size_t),
        """Those of a run that others are judged by: error control at 1e-12, near what double precision
        gives.""",
    ),
    "sar_sim_new": (
        c.c_int,
        (c.c_void_p, c.c_void_p, c.POINTER(SarSimOptions), c.POINTER(c.c_void_p), c.POINTER(SarError)),
        """`o` Nullable. All memory a step needs is taken here.  Loops that are open by more than 1e-9 (of
        the mechanism's size, of the fastest speed) are closed; otherwise no bit of the state changes.
        Where a run goes on with the method it was made with, it goes on as if there had been no other
        simulation.""",
    ),
    "sar_sim_free": (
        None,
        (c.c_void_p,),
        """`o` Nullable. All memory a step needs is taken here.  Loops that are open by more than 1e-9 (of
        the mechanism's size, of the fastest speed) are closed; otherwise no bit of the state changes.
        Where a run goes on with the method it was made with, it goes on as if there had been no other
        simulation.""",
    ),
    "sar_choose_sized": (
        c.c_int,
        (c.c_void_p, c.c_void_p, c.c_double, c.c_double, c.POINTER(SarSimOptions), c.POINTER(SarChoice), c.c_size_t, c.POINTER(SarError)),
        """Chooses formulation and integrator for fixed steps by short trials from the state d, on copies of
        it: the cheapest that is accurate enough and makes every step within `deadline` seconds of CPU
        time (0: no matter how long).  `accuracy` is the largest error as a share of the motion (0:
        1e-3); where none is so good, three times the least error is good enough.  A formulation or
        integrator that *o names stays. On success *o has names, step and fixed steps.  What is chosen
        depends on the time measured: for runs that must be equal bit for bit, choose once and keep *o.
        SAR_NOT_OFFERED: nothing meets the deadline, and err says what the fastest needs; or the model
        has contact or motors, which one formulation runs. Takes tenths of a second at most for models of
        usual size.""",
    ),
    "sar_step": (
        c.c_int,
        (c.c_void_p,),
        """One step of the integrator: t -> t + step (fixed) or as far as the error control allows.""",
    ),
    "sar_advance": (
        c.c_int,
        (c.c_void_p, c.c_double),
        """As many steps as it takes to land exactly on t_end (also on the kinks of expressions in between),
        but max_steps at most; SAR_STOPPED: t_end is not reached, and calling again goes on.""",
    ),
    "sar_warm_up": (
        c.c_int,
        (c.c_void_p,),
        """For real-time programs, before the first step: makes one and takes it back, so that code and data
        are in the caches, and evaluates where the first step begins, so that it takes hardly longer than
        others of its kind.  The steps that follow are the same to the bit, and to rounding where a state
        or a time is set in between.  Takes memory for a copy of the data while it works; does nothing
        where the model calls functions of the host program, or has more than 2 MB of data, which
        caches near the processor do not keep.""",
    ),
    "sar_accelerations": (
        c.c_int,
        (c.c_void_p,),
        """Accelerations at the present state, with the forces of constraints: redundant ones and singular
        positions as the formulation takes them.  Fills sar_a; reactions follow from it.  Allocates
        nothing.""",
    ),
    "sar_stats_sized": (
        None,
        (c.c_void_p, c.POINTER(SarStats), c.c_size_t),
        """""",
    ),
    "sar_sim_trouble": (
        c.c_char_p,
        (c.c_void_p,),
        """After a failed step: what failed, where and when, in one line ("at t = 0.31: ..."). Empty if
        nothing failed.""",
    ),
    "sar_event_count": (
        c.c_long,
        (c.c_void_p,),
        """""",
    ),
    "sar_event_sized": (
        c.c_int,
        (c.c_void_p, c.c_long, c.POINTER(SarEvent), c.c_size_t),
        """""",
    ),
    "sar_outputs": (
        c.c_int,
        (c.c_void_p, c.POINTER(c.c_double)),
        """Values of all output columns (SAR_ITEM_OUTPUT) at the present state.  Accelerations, reactions
        and forces of constraints are those of a formulation at this instant; of formulations by impulses
        the means over the last step, as long as q, v and t are where it left them, else without
        impulses.""",
    ),
    "sar_table_rows": (
        c.c_size_t,
        (c.c_void_p,),
        """""",
    ),
    "sar_table_columns": (
        c.c_int,
        (c.c_void_p,),
        """""",
    ),
    "sar_table_name": (
        c.c_char_p,
        (c.c_void_p, c.c_int),
        """""",
    ),
    "sar_table_find": (
        c.c_int,
        (c.c_void_p, c.c_char_p),
        """"time", "arm.x", ...""",
    ),
    "sar_table_values": (
        c.POINTER(c.c_double),
        (c.c_void_p,),
        """the column of a name""",
    ),
    "sar_table_save": (
        c.c_int,
        (c.c_void_p, c.c_char_p, c.c_int, c.POINTER(SarError)),
        """FILE.csv (one header line, `digits` significant ones) or FILE.h5, where HDF5 is built in.""",
    ),
    "sar_table_load": (
        c.c_int,
        (c.c_char_p, c.POINTER(c.c_void_p), c.POINTER(SarError)),
        """FILE.csv (one header line, `digits` significant ones) or FILE.h5, where HDF5 is built in.""",
    ),
    "sar_table_free": (
        None,
        (c.c_void_p,),
        """FILE.csv (one header line, `digits` significant ones) or FILE.h5, where HDF5 is built in.""",
    ),
    "sar_run_options_sized": (
        None,
        (c.POINTER(SarRunOptions), c.c_size_t),
        """""",
    ),
    "sar_run": (
        c.c_int,
        (c.c_void_p, c.POINTER(SarRunOptions), c.POINTER(c.c_void_p), c.POINTER(SarError)),
        """From the initial state (or `start`) to the end, rows of all outputs at the output times.  *out is
        set before the first step: a program that leaves a run by a jump from on_stepping's time finds it
        there. `o` Nullable.""",
    ),
    "sar_run_report": (
        c.POINTER(SarRunReport),
        (c.c_void_p,),
        """From the initial state (or `start`) to the end, rows of all outputs at the output times.  *out is
        set before the first step: a program that leaves a run by a jump from on_stepping's time finds it
        there. `o` Nullable.""",
    ),
    "sar_run_table": (
        c.c_void_p,
        (c.c_void_p,),
        """"time" and all output columns; without rows if they were not kept.""",
    ),
    "sar_run_data": (
        c.c_void_p,
        (c.c_void_p,),
        """"time" and all output columns; without rows if they were not kept.""",
    ),
    "sar_run_event_sized": (
        c.c_int,
        (c.c_void_p, c.c_long, c.POINTER(SarEvent), c.c_size_t),
        """""",
    ),
    "sar_run_free": (
        None,
        (c.c_void_p,),
        """""",
    ),
    "sar_assemble_sized": (
        c.c_int,
        (c.c_void_p, c.POINTER(SarAssembly), c.c_size_t, c.POINTER(SarError)),
        """Closes the loops of d at its time, moving as little mass as possible; at the initial state what
        the file gives is held.  SAR_BAD_MODEL: cannot be closed, and err says what is open and by how
        much.""",
    ),
    "sar_statics_options_sized": (
        None,
        (c.POINTER(SarStaticsOptions), c.c_size_t),
        """""",
    ),
    "sar_statics": (
        c.c_int,
        (c.c_void_p, c.POINTER(SarStaticsOptions), c.POINTER(c.c_void_p), c.POINTER(SarError)),
        """Moves d there: v and a become zero, and what depends on them is as at rest.  SAR_NOT_CONVERGED
        with a message when there is none nearby.  `o` Nullable. Where solids may touch, the mechanism is
        let settle by steps of impulses whose kinetic energy is taken out at every peak (kinetic
        damping): contacts are unilateral and bear by Coulomb's law, joints stop at their limits.""",
    ),
    "sar_statics_report": (
        c.POINTER(SarStaticsReport),
        (c.c_void_p,),
        """Moves d there: v and a become zero, and what depends on them is as at rest.  SAR_NOT_CONVERGED
        with a message when there is none nearby.  `o` Nullable. Where solids may touch, the mechanism is
        let settle by steps of impulses whose kinetic energy is taken out at every peak (kinetic
        damping): contacts are unilateral and bear by Coulomb's law, joints stop at their limits.""",
    ),
    "sar_statics_reaction": (
        c.c_int,
        (c.c_void_p, c.c_int, c.POINTER(c.c_double), c.POINTER(c.c_double), c.POINTER(c.c_bool)),
        """As sar_reaction; where constraints are redundant the smallest.  unique[6] (Nullable): which of
        force x y z, torque x y z are decided.""",
    ),
    "sar_statics_free": (
        None,
        (c.c_void_p,),
        """As sar_reaction; where constraints are redundant the smallest.  unique[6] (Nullable): which of
        force x y z, torque x y z are decided.""",
    ),
    "sar_modes_options_sized": (
        None,
        (c.POINTER(SarModesOptions), c.c_size_t),
        """""",
    ),
    "sar_modes": (
        c.c_int,
        (c.c_void_p, c.POINTER(SarModesOptions), c.POINTER(c.c_void_p), c.POINTER(SarError)),
        """What was assumed is in err as warnings.  Contacts that bear a force at a state of rest are held
        (those with friction stick; compliant ones are springs along the normal), and where they do d
        must be at rest: SAR_NOT_OFFERED. Dry friction of joints at rest is left out.  `o` Nullable.""",
    ),
    "sar_modes_report": (
        c.POINTER(SarModesReport),
        (c.c_void_p,),
        """What was assumed is in err as warnings.  Contacts that bear a force at a state of rest are held
        (those with friction stick; compliant ones are springs along the normal), and where they do d
        must be at rest: SAR_NOT_OFFERED. Dry friction of joints at rest is left out.  `o` Nullable.""",
    ),
    "sar_modes_coordinate": (
        c.c_char_p,
        (c.c_void_p, c.c_int),
        """What was assumed is in err as warnings.  Contacts that bear a force at a state of rest are held
        (those with friction stick; compliant ones are springs along the normal), and where they do d
        must be at rest: SAR_NOT_OFFERED. Dry friction of joints at rest is left out.  `o` Nullable.""",
    ),
    "sar_modes_pattern": (
        c.c_char_p,
        (c.c_void_p, c.c_int),
        """In multiblade coordinates: how the blades move in a mode, "collective", "differential",
        "forward 1", "backward 1" (a wave of that harmonic that runs with the rotor or against it),
        "cyclic 1" where nothing oscillates, or "" for the airframe's; NULL without such coordinates.""",
    ),
    "sar_modes_free": (
        None,
        (c.c_void_p,),
        """In multiblade coordinates: how the blades move in a mode, "collective", "differential",
        "forward 1", "backward 1" (a wave of that harmonic that runs with the rotor or against it),
        "cyclic 1" where nothing oscillates, or "" for the airframe's; NULL without such coordinates.""",
    ),
    "sar_floquet_options_sized": (
        None,
        (c.POINTER(SarFloquetOptions), c.c_size_t),
        """""",
    ),
    "sar_floquet": (
        c.c_int,
        (c.c_void_p, c.c_double, c.POINTER(SarFloquetOptions), c.POINTER(c.c_void_p), c.POINTER(SarError)),
        """""",
    ),
    "sar_floquet_report": (
        c.POINTER(SarFloquetReport),
        (c.c_void_p,),
        """""",
    ),
    "sar_floquet_free": (
        None,
        (c.c_void_p,),
        """""",
    ),
    "sar_reduce_options_sized": (
        None,
        (c.POINTER(SarReduceOptions), c.c_size_t),
        """""",
    ),
    "sar_reduce": (
        c.c_int,
        (c.c_void_p, c.POINTER(SarReduceOptions), c.POINTER(c.c_void_p), c.POINTER(SarError)),
        """""",
    ),
    "sar_reduction_report": (
        c.POINTER(SarReductionReport),
        (c.c_void_p,),
        """""",
    ),
    "sar_reduction_write": (
        c.c_int,
        (c.c_void_p, c.c_char_p, c.c_char_p, c.POINTER(SarError)),
        """As a file with a section `modal_bodies`, for models to include; a path that ends in .h5: nodes
        and modes alone, for `file` of a modal body. comment: its first line; Nullable.""",
    ),
    "sar_reduction_free": (
        None,
        (c.c_void_p,),
        """As a file with a section `modal_bodies`, for models to include; a path that ends in .h5: nodes
        and modes alone, for `file` of a modal body. comment: its first line; Nullable.""",
    ),
    "sar_linearize_options_sized": (
        None,
        (c.POINTER(SarLinearizeOptions), c.c_size_t),
        """""",
    ),
    "sar_linearize": (
        c.c_int,
        (c.c_void_p, c.POINTER(SarLinearizeOptions), c.POINTER(c.c_void_p), c.POINTER(SarError)),
        """What was assumed is in err as warnings: nothing touches, dry friction is its smooth law of the
        speed, motors with a largest force and limits of joints are left out.  SAR_BAD_ARGUMENT: an
        unknown name.  SAR_NOT_OFFERED: a force without derivatives.  SAR_SINGULAR: a singular position.
        `o` Nullable.""",
    ),
    "sar_linearization_report": (
        c.POINTER(SarLinearizationReport),
        (c.c_void_p,),
        """What was assumed is in err as warnings: nothing touches, dry friction is its smooth law of the
        speed, motors with a largest force and limits of joints are left out.  SAR_BAD_ARGUMENT: an
        unknown name.  SAR_NOT_OFFERED: a force without derivatives.  SAR_SINGULAR: a singular position.
        `o` Nullable.""",
    ),
    "sar_linearization_state": (
        c.c_char_p,
        (c.c_void_p, c.c_int),
        """"elbow.q", "car.rx" (a rotation vector), "elbow.tau"; NULL: out of range""",
    ),
    "sar_linearization_input": (
        c.c_char_p,
        (c.c_void_p, c.c_int),
        """"elbow.q", "car.rx" (a rotation vector), "elbow.tau"; NULL: out of range""",
    ),
    "sar_linearization_output": (
        c.c_char_p,
        (c.c_void_p, c.c_int),
        """"elbow.q", "car.rx" (a rotation vector), "elbow.tau"; NULL: out of range""",
    ),
    "sar_linearization_free": (
        None,
        (c.c_void_p,),
        """"elbow.q", "car.rx" (a rotation vector), "elbow.tau"; NULL: out of range""",
    ),
    "sar_sweep_options_sized": (
        None,
        (c.POINTER(SarSweepOptions), c.c_size_t),
        """""",
    ),
    "sar_kinematics": (
        c.c_int,
        (c.c_void_p, c.POINTER(SarSweepOptions), c.POINTER(c.c_void_p), c.POINTER(SarError)),
        """Columns: "time", with branches "branch", the model's outputs, accelerations of all whose speeds
        are among them.  Singular positions on the way are warnings in err.  `o` Nullable.""",
    ),
    "sar_kinematics_report": (
        c.POINTER(SarKinematicsReport),
        (c.c_void_p,),
        """Columns: "time", with branches "branch", the model's outputs, accelerations of all whose speeds
        are among them.  Singular positions on the way are warnings in err.  `o` Nullable.""",
    ),
    "sar_kinematics_table": (
        c.c_void_p,
        (c.c_void_p,),
        """Columns: "time", with branches "branch", the model's outputs, accelerations of all whose speeds
        are among them.  Singular positions on the way are warnings in err.  `o` Nullable.""",
    ),
    "sar_kinematics_branch_sized": (
        c.c_int,
        (c.c_void_p, c.c_int, c.POINTER(SarBranch), c.c_size_t),
        """Columns: "time", with branches "branch", the model's outputs, accelerations of all whose speeds
        are among them.  Singular positions on the way are warnings in err.  `o` Nullable.""",
    ),
    "sar_kinematics_free": (
        None,
        (c.c_void_p,),
        """Columns: "time", with branches "branch", the model's outputs, accelerations of all whose speeds
        are among them.  Singular positions on the way are warnings in err.  `o` Nullable.""",
    ),
    "sar_inverse": (
        c.c_int,
        (c.c_void_p, c.POINTER(SarSweepOptions), c.POINTER(c.c_void_p), c.POINTER(SarError)),
        """Forces and power of the drives for the motion that they prescribe: "time", then for each equation
        of a drive "NAME.value", ".speed", ".force", ".power".  The table is the caller's
        (sar_table_free).""",
    ),
    "sar_trim_options_sized": (
        None,
        (c.POINTER(SarTrimOptions), c.c_size_t),
        """""",
    ),
    "sar_trim": (
        c.c_int,
        (c.c_char_p, c.POINTER(SarTrimOptions), c.POINTER(c.c_void_p), c.POINTER(SarError)),
        """SAR_NOT_CONVERGED with a message where there is none, the motion does not become periodic, or an
        unknown stands at a limit; *out then holds the best that was found.  SAR_BAD_MODEL,
        SAR_BAD_ARGUMENT: *out is NULL.""",
    ),
    "sar_trim_report": (
        c.POINTER(SarTrimReport),
        (c.c_void_p,),
        """SAR_NOT_CONVERGED with a message where there is none, the motion does not become periodic, or an
        unknown stands at a limit; *out then holds the best that was found.  SAR_BAD_MODEL,
        SAR_BAD_ARGUMENT: *out is NULL.""",
    ),
    "sar_trim_model": (
        c.c_void_p,
        (c.c_void_p,),
        """The model with the values found, and its state where the last period ended: the trim's.""",
    ),
    "sar_trim_data": (
        c.c_void_p,
        (c.c_void_p,),
        """The model with the values found, and its state where the last period ended: the trim's.""",
    ),
    "sar_trim_free": (
        None,
        (c.c_void_p,),
        """The model with the values found, and its state where the last period ended: the trim's.""",
    ),
    "sar_batch_options_sized": (
        None,
        (c.POINTER(SarBatchOptions), c.c_size_t),
        """""",
    ),
    "sar_batch_new": (
        c.c_int,
        (c.POINTER(c.c_void_p), c.c_int, c.POINTER(SarBatchOptions), c.POINTER(c.c_void_p), c.POINTER(SarError)),
        """Instance i is of models[i]: n times the same one, or alike ones that differ in parameters
        (sar_model_is_like).  They must live as long as the batch.  Each begins with its model's initial
        state. Takes all memory that advancing needs.  Where instances cannot be set up the others can
        still be advanced: then *out is not NULL, the status is that of the first of them, and err says
        why.  `o` Nullable.""",
    ),
    "sar_batch_free": (
        None,
        (c.c_void_p,),
        """Instance i is of models[i]: n times the same one, or alike ones that differ in parameters
        (sar_model_is_like).  They must live as long as the batch.  Each begins with its model's initial
        state. Takes all memory that advancing needs.  Where instances cannot be set up the others can
        still be advanced: then *out is not NULL, the status is that of the first of them, and err says
        why.  `o` Nullable.""",
    ),
    "sar_batch_count": (
        c.c_int,
        (c.c_void_p,),
        """NULL is fine""",
    ),
    "sar_batch_data": (
        c.c_void_p,
        (c.c_void_p, c.c_int),
        """State and inputs of an instance: to read, and to change between two calls of sar_batch_advance.
        NULL: it was not set up.""",
    ),
    "sar_batch_advance": (
        c.c_int,
        (c.c_void_p, c.c_double),
        """All instances to t_end, as sar_advance does.  One that fails stays at its last good step and is
        not advanced any more; the others are.  Allocates nothing.  The status of the first that failed,
        else SAR_OK.""",
    ),
    "sar_batch_rollout_sized": (
        c.c_int,
        (c.c_void_p, c.POINTER(SarRollout), c.c_size_t),
        """Instances that are to be in lanes together must be at the same time.  Allocates nothing.  The
        status of the first instance that failed, else SAR_OK.""",
    ),
    "sar_batch_status": (
        c.c_int,
        (c.c_void_p, c.c_int),
        """Of one instance: what became of it, and when, where and why it failed ("": it did not).""",
    ),
    "sar_batch_trouble": (
        c.c_char_p,
        (c.c_void_p, c.c_int),
        """Of one instance: what became of it, and when, where and why it failed ("": it did not).""",
    ),
    "sar_batch_outputs": (
        c.c_int,
        (c.c_void_p, c.c_int, c.POINTER(c.c_double)),
        """Values of its output columns at its present state.""",
    ),
    "sar_batch_report_sized": (
        c.c_int,
        (c.c_void_p, c.POINTER(SarBatchReport), c.c_size_t),
        """""",
    ),
    "sar_list_sized": (
        c.c_int,
        (c.c_char_p, c.c_int, c.POINTER(SarListEntry), c.c_size_t),
        """Number `index` of a list: "formulations", "integrators", "joints", "forces", "constraints",
        "shapes" or "functions".  SAR_BAD_ARGUMENT past its end, or where there is no such list.""",
    ),
    "sar_rt_cause_name": (
        c.c_char_p,
        (c.c_int,),
        """""",
    ),
    "sar_rt_options_sized": (
        None,
        (c.POINTER(SarRtOptions), c.c_size_t),
        """""",
    ),
    "sar_rt_new": (
        c.c_int,
        (c.c_void_p, c.POINTER(SarRtOptions), c.POINTER(c.c_void_p), c.POINTER(SarError)),
        """Everything that takes memory or files: simulations of all rungs, ports, the recording.  Methods
        of a ladder are tried here, on copies: one that fails or is not cheaper is left out, with a
        warning in err.""",
    ),
    "sar_rt_start": (
        c.c_int,
        (c.c_void_p, c.POINTER(SarError)),
        """Makes the thread.  What it could not get of the system (locked memory, a real-time priority, a
        core) is a warning in err with what to do, and the run goes on without it.  A run is started
        once.""",
    ),
    "sar_rt_wait": (
        c.c_bool,
        (c.c_void_p, c.c_double),
        """true: it has ended. Waits up to so many seconds; negative: as long as it takes.""",
    ),
    "sar_rt_stop": (
        None,
        (c.c_void_p,),
        """Ends it behind the present frame.  May be called from a signal handler or another thread.""",
    ),
    "sar_rt_run": (
        c.c_int,
        (c.c_void_p, c.POINTER(SarError)),
        """The three of them: start, wait; the status of the run.""",
    ),
    "sar_rt_free": (
        None,
        (c.c_void_p,),
        """The three of them: start, wait; the status of the run.""",
    ),
    "sar_rt_report_sized": (
        c.c_int,
        (c.c_void_p, c.POINTER(SarRtReport), c.c_size_t),
        """How it goes or went; may be called from another thread at any time: the loop hands out a copy at
        the end of a frame.  Texts live as long as rt.""",
    ),
    "sar_rt_histogram": (
        c.c_int,
        (c.c_void_p, c.c_int, c.POINTER(c.c_double), c.POINTER(c.c_long), c.c_int),
        """The histogram behind a spread as it was at the last report: from[i] <= times < from[i + 1],
        count[i] of them, where there are any.  Returns how many bins there are; fills in up to `most`.""",
    ),
    "sar_rt_data": (
        c.c_void_p,
        (c.c_void_p,),
        """The state where it ended, or that it will begin with; not while it runs.""",
    ),
    "sar_rt_port_words": (
        c.c_char_p,
        (c.c_void_p, c.c_int, c.c_char_p, c.c_size_t),
        """What is known of a port, in words: "shm rig: 60000 sent, 59990 received, ..."; NULL: there are no
        more.""",
    ),
    "sar_rt_rehearse_sized": (
        c.c_int,
        (c.c_void_p, c.c_int, c.c_double, c.POINTER(SarRtRehearsal), c.c_size_t, c.POINTER(SarError)),
        """Instead of sar_rt_start, as often as one likes; goes back to the beginning at the end.
        `margin_wanted` 0: 2.""",
    ),
    "sar_couple_is": (
        c.c_bool,
        (c.c_char_p,),
        """Does the file have the key `couple`?  Then it is not a model.""",
    ),
    "sar_couple_load_sized": (
        c.c_int,
        (c.c_char_p, c.POINTER(SarLoadOptions), c.c_size_t, c.POINTER(c.c_void_p), c.POINTER(SarError)),
        """Reads it and all its models.  `o`: its parameters are those of this file, which says what the
        models get; all else is for the models as well.  Nullable.""",
    ),
    "sar_couple_free": (
        None,
        (c.c_void_p,),
        """Reads it and all its models.  `o`: its parameters are those of this file, which says what the
        models get; all else is for the models as well.  Nullable.""",
    ),
    "sar_couple_count": (
        c.c_int,
        (c.c_void_p,),
        """ends it first; NULL is fine""",
    ),
    "sar_couple_name": (
        c.c_char_p,
        (c.c_void_p, c.c_int),
        """simulators""",
    ),
    "sar_couple_model": (
        c.c_void_p,
        (c.c_void_p, c.c_int),
        """simulators""",
    ),
    "sar_couple_signal": (
        c.c_bool,
        (c.c_void_p, c.c_int, c.POINTER(c.c_char_p), c.POINTER(c.c_char_p)),
        """What is exchanged: "SIMULATOR.INPUT", "SIMULATOR.OUTPUT".  False: there are no more.""",
    ),
    "sar_couple_options_sized": (
        None,
        (c.POINTER(SarCoupleOptions), c.c_size_t),
        """""",
    ),
    "sar_couple_open": (
        c.c_int,
        (c.c_void_p, c.POINTER(SarCoupleOptions), c.POINTER(SarError)),
        """Everything that takes memory or files.  Once for a SarCouple, before one of the next two.""",
    ),
    "sar_couple_run": (
        c.c_int,
        (c.c_void_p, c.POINTER(SarError)),
        """All frames in this thread, without a clock to keep.  Recordings lose no row.""",
    ),
    "sar_couple_start": (
        c.c_int,
        (c.c_void_p, c.POINTER(SarError)),
        """A thread for each simulator, all on one beat.  One that waits for another at the beginning of a
        frame sleeps by the clock: where one is late all are, and simulated times stay together.  What
        the system refused is in err.""",
    ),
    "sar_couple_wait": (
        c.c_bool,
        (c.c_void_p, c.c_double),
        """A thread for each simulator, all on one beat.  One that waits for another at the beginning of a
        frame sleeps by the clock: where one is late all are, and simulated times stay together.  What
        the system refused is in err.""",
    ),
    "sar_couple_stop": (
        None,
        (c.c_void_p,),
        """true: all have ended""",
    ),
    "sar_couple_report_sized": (
        c.c_int,
        (c.c_void_p, c.POINTER(SarCoupleReport), c.c_size_t),
        """Once it has ended.""",
    ),
    "sar_couple_realtime": (
        c.c_void_p,
        (c.c_void_p, c.c_int),
        """One simulator, for sar_rt_report and sar_rt_data; NULL before sar_couple_open.""",
    ),
    "sar_convert_options_sized": (
        None,
        (c.POINTER(SarConvertOptions), c.c_size_t),
        """""",
    ),
    "sar_convert": (
        c.c_int,
        (c.c_char_p, c.c_char_p, c.POINTER(SarConvertOptions), c.POINTER(c.c_void_p), c.POINTER(SarError)),
        """Reads `from` and makes the text of `to`, which is not written yet: its name says which format is
        wanted, and where names of meshes start from.  Nullable, with a format.  On failure *out is NULL.""",
    ),
    "sar_conversion_write": (
        c.c_int,
        (c.c_void_p, c.c_char_p, c.c_bool, c.POINTER(SarError)),
        """Writes the text.  A file that is there is left alone, unless it is to be replaced:
        SAR_BAD_ARGUMENT.""",
    ),
    "sar_conversion_text": (
        c.c_char_p,
        (c.c_void_p,),
        """Writes the text.  A file that is there is left alone, unless it is to be replaced:
        SAR_BAD_ARGUMENT.""",
    ),
    "sar_conversion_format": (
        c.c_char_p,
        (c.c_void_p,),
        """of the new file""",
    ),
    "sar_conversion_losses": (
        c.c_int,
        (c.c_void_p,),
        """of the new file""",
    ),
    "sar_conversion_loss": (
        c.POINTER(SarLoss),
        (c.c_void_p, c.c_int),
        """of the new file""",
    ),
    "sar_conversion_free": (
        None,
        (c.c_void_p,),
        """NULL past the last""",
    ),
}
