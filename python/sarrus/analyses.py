"""Analyses of a state and of a prescribed motion: statics, modes, linearisation, kinematics, inverse dynamics, trim."""

from __future__ import annotations

import ctypes
import os
from typing import Any, Callable, Mapping, Sequence

import numpy as np

from . import _api
from ._call import Guard, Messages, Record, check, doubles, edited, failure, pointer_of, record, taken, text
from ._library import lib
from .data import Data
from .model import Model
from .sim import sim_options
from .table import Table


class _Owned:
    """A result of the library, freed with its last user."""

    def __init__(self, pointer: Any, free: Callable[[Any], None], *needs: Any) -> None:
        self.pointer, self._free, self._needs = pointer, free, needs

    def __del__(self) -> None:
        if self.pointer:
            self._free(self.pointer)
            self.pointer = None


def _options(kind: Any, make: Any, wanted: dict[str, Any], what: str) -> Any:
    options = kind()
    make(ctypes.byref(options), ctypes.sizeof(options))
    return edited(options, wanted, what)


def _array(pointer: Any, *shape: int) -> np.ndarray:
    """A copy of numbers of a report."""
    if not pointer or 0 in shape:
        return np.empty(shape)
    return np.ctypeslib.as_array(pointer, shape).copy()


def statics(data: Data, *, settle: bool = False, max_iterations: int = 0) -> Record:
    """Moves data to an equilibrium near their state: freedoms, force that is left, potential, unstable directions,
    squares of the natural frequencies `omega2`, reactions by joint."""
    wanted = dict(settle=settle, max_iterations=max_iterations)
    o = _options(_api.SarStaticsOptions, lib.sar_statics_options_sized, wanted, "statics")
    pointer, messages = ctypes.c_void_p(), Messages()
    status = lib.sar_statics(pointer_of(data, Data), ctypes.byref(o), ctypes.byref(pointer), messages)
    owned = _Owned(pointer, lib.sar_statics_free, data)
    messages.check(status)
    report = lib.sar_statics_report(pointer).contents
    reactions = {}
    for i, name in enumerate(data.model.joints):
        force, torque, unique = np.empty(3), np.empty(3), (ctypes.c_bool * 6)()
        if lib.sar_statics_reaction(owned.pointer, i, doubles(force), doubles(torque), unique) == _api.SAR_OK:
            reactions[name] = Record(force=force, torque=torque, unique=np.array(unique))
    return Record(record(report), omega2=_array(report.omega2, report.freedoms), reactions=reactions)


def modes(data: Data, *, multiblade: str | None = None) -> Record:
    """Eigenvalues of small motions about the state: `eigenvalues` (complex), `frequency` [Hz], `damping` (share of
    critical), `shapes` (modes x coordinates, complex), `coordinates`, `share` of the kinetic energy by body."""
    o = _options(_api.SarModesOptions, lib.sar_modes_options_sized, dict(multiblade=multiblade), "modes")
    pointer, messages = ctypes.c_void_p(), Messages()
    messages.check(lib.sar_modes(pointer_of(data, Data), ctypes.byref(o), ctypes.byref(pointer), messages))
    owned = _Owned(pointer, lib.sar_modes_free)
    r = lib.sar_modes_report(owned.pointer).contents
    n = r.count
    eigenvalues = _array(r.re, n) + 1j * _array(r.im, n)
    size = np.abs(eigenvalues)
    patterns = [lib.sar_modes_pattern(owned.pointer, i) for i in range(n)]
    return Record(
        record(r),
        eigenvalues=eigenvalues,
        frequency=size / (2 * np.pi),
        damping=np.divide(-eigenvalues.real, size, out=np.zeros(n), where=size > 0),
        shapes=_array(r.shape_re, n, r.shape_size) + 1j * _array(r.shape_im, n, r.shape_size),
        coordinates=tuple(text(lib.sar_modes_coordinate(owned.pointer, i)) for i in range(r.shape_size)),
        share=_array(r.share, n, r.body_count),
        patterns=None if multiblade is None else tuple(text(p) for p in patterns),
    )


def floquet(data: Data, period: float, **sim: Any) -> Record:
    """Multipliers of the motion that begins at the state of data and repeats itself after a period."""
    s = sim_options(sim)
    o = _options(_api.SarFloquetOptions, lib.sar_floquet_options_sized, {}, "floquet")
    o.sim = ctypes.pointer(s)
    pointer, messages = ctypes.c_void_p(), Messages()
    messages.check(lib.sar_floquet(pointer_of(data, Data), period, ctypes.byref(o), ctypes.byref(pointer), messages))
    owned = _Owned(pointer, lib.sar_floquet_free)
    r = lib.sar_floquet_report(owned.pointer).contents
    return Record(period=r.period, off=r.off, multipliers=_array(r.re, r.count) + 1j * _array(r.im, r.count))


def linearize(
    data: Data, *, inputs: Sequence[str] | None = None, outputs: Sequence[str] | None = None, rest: bool = False
) -> Record:
    """A, B, C, D about the state of data, exact: dx/dt = f + A (x - x0) + B (u - u0), y = y0 + C (x - x0) + D (u - u0);
    names of states, inputs and outputs; poles, transmission zeros (None: not as many inputs as outputs)."""
    names = dict(inputs=None if inputs is None else ",".join(inputs), outputs=None if outputs is None else ",".join(outputs))
    o = _options(_api.SarLinearizeOptions, lib.sar_linearize_options_sized, dict(names, rest=rest), "linearize")
    pointer, messages = ctypes.c_void_p(), Messages()
    messages.check(lib.sar_linearize(pointer_of(data, Data), ctypes.byref(o), ctypes.byref(pointer), messages))
    owned = _Owned(pointer, lib.sar_linearization_free)
    p = owned.pointer
    r = lib.sar_linearization_report(p).contents
    nx, nu, ny = r.nx, r.nu, r.ny
    zeros = None if r.zeros < 0 else _array(r.zero_re, r.zeros) + 1j * _array(r.zero_im, r.zeros)
    return Record(
        A=_array(r.A, nx, nx),
        B=_array(r.B, nx, nu),
        C=_array(r.C, ny, nx),
        D=_array(r.D, ny, nu),
        x0=_array(r.x0, nx),
        f=_array(r.f, nx),
        u0=_array(r.u0, nu),
        y0=_array(r.y0, ny),
        poles=_array(r.pole_re, nx) + 1j * _array(r.pole_im, nx),
        zeros=zeros,
        states=tuple(text(lib.sar_linearization_state(p, i)) for i in range(nx)),
        inputs=tuple(text(lib.sar_linearization_input(p, i)) for i in range(nu)),
        outputs=tuple(text(lib.sar_linearization_output(p, i)) for i in range(ny)),
        acceleration=r.acceleration,
        left_out=r.left_out,
    )


class Derivatives:
    """Exact derivatives of forward and inverse dynamics of a model; allocates once. Belongs to one thread at a time."""

    def __init__(self, model: Model) -> None:
        self.model = model
        pointer, messages = ctypes.c_void_p(), Messages()
        messages.check(lib.sar_derivatives_new(pointer_of(model, Model), ctypes.byref(pointer), messages))
        self._owned = _Owned(pointer, lib.sar_derivatives_free, model)

    def _arrays(self, kind: Any, rows: Mapping[str, int]) -> tuple[Any, Record]:
        m = self.model
        columns = {"q": m.nv, "v": m.nv, "a": m.nv, "tau": m.nv, "input": len(m.inputs), "state": len(m.states), "time": 1}
        out, arrays = kind(), Record()
        for name, *_ in kind._fields_:
            row, column = name.split("_")
            shape = (rows[row], columns[column])
            arrays[name] = np.zeros(shape if column != "time" else shape[:1])
            if arrays[name].size:
                setattr(out, name, doubles(arrays[name]))
        return out, arrays

    def forward(self, data: Data) -> Record:
        """a_q, a_v, a_tau, a_input, a_state, a_time, rate_q, ...: accelerations and rates of states by all they
        depend on. Columns of q are the nv local coordinates (rotation vectors for spherical and free joints)."""
        out, arrays = self._arrays(_api.SarForwardDerivatives, {"a": self.model.nv, "rate": len(self.model.states)})
        size = ctypes.sizeof(out)
        check(lib.sar_forward_dynamics_derivatives_sized(self._owned.pointer, pointer_of(data, Data), ctypes.byref(out), size))
        return arrays

    def inverse(self, data: Data, a: Any) -> Record:
        """tau_q, tau_v, tau_a, ...: of the joint forces that give accelerations a."""
        out, arrays = self._arrays(_api.SarInverseDerivatives, {"tau": self.model.nv})
        wanted = doubles(taken(a, self.model.nv, "a"))
        size = ctypes.sizeof(out)
        check(lib.sar_inverse_dynamics_derivatives_sized(self._owned.pointer, pointer_of(data, Data), wanted, ctypes.byref(out), size))
        return arrays


def _sweep(wanted: dict[str, Any], begin: float, end: float | None) -> Any:
    o = _options(_api.SarSweepOptions, lib.sar_sweep_options_sized, wanted, "an analysis over time")
    setattr(o, "from", begin)
    o.to = begin if end is None else end
    return o


def kinematics(model: Model, begin: float = 0, end: float | None = None, *, points: int = 0, branches: bool = False,
               trials: int = 0, seed: int = 0, formulation: str | None = None) -> Table:
    """Positions, speeds and accelerations of a mechanism whose drives prescribe its motion; nothing is integrated.
    The table's attribute `branches` lists the ways to put it together that were followed."""
    o = _sweep(dict(points=points, branches=branches, trials=trials, seed=seed, formulation=formulation), begin, end)
    pointer, messages = ctypes.c_void_p(), Messages()
    messages.check(lib.sar_kinematics(pointer_of(model, Model), ctypes.byref(o), ctypes.byref(pointer), messages))
    owned = _Owned(pointer, lib.sar_kinematics_free)
    table = Table(lib.sar_kinematics_table(owned.pointer), owned)
    report = lib.sar_kinematics_report(owned.pointer).contents
    table.branches = []  # type: ignore[attr-defined]
    for i in range(report.branches):
        branch = _api.SarBranch()
        if lib.sar_kinematics_branch_sized(owned.pointer, i, ctypes.byref(branch), ctypes.sizeof(branch)) == _api.SAR_OK:
            table.branches.append(Record(record(branch)))  # type: ignore[attr-defined]
    return table


def inverse(model: Model, begin: float = 0, end: float | None = None, *, points: int = 0,
            formulation: str | None = None) -> Table:
    """Forces and power of the drives for the motion that they prescribe."""
    o = _sweep(dict(points=points, formulation=formulation), begin, end)
    pointer, messages = ctypes.c_void_p(), Messages()
    messages.check(lib.sar_inverse(pointer_of(model, Model), ctypes.byref(o), ctypes.byref(pointer), messages))
    return Table(pointer, None)


def trim(
    path: str | os.PathLike[str],
    unknowns: Sequence[str] | Mapping[str, tuple[float, float]],
    conditions: Sequence[tuple[str, str]],
    period: str | float,
    *,
    start: float = 0,
    max_periods: int = 0,
    max_iterations: int = 0,
    tolerance: float = 0,
    progress: Callable[[Record], Any] | None = None,
    **sim: Any,
) -> Record:
    """Values of parameters or inputs for which averages over a period are as wanted: conditions are pairs of
    expressions whose averages shall be equal. Gives `values`, `left`, `right`, iterations, trials, periods."""
    limits = dict(unknowns) if isinstance(unknowns, Mapping) else {name: (0.0, 0.0) for name in unknowns}
    if len(limits) != len(conditions):
        raise failure(_api.SAR_BAD_ARGUMENT, f"trim: {len(limits)} unknowns and {len(conditions)} conditions")
    wanted = dict(start=start, max_periods=max_periods, max_iterations=max_iterations, tolerance=tolerance)
    o = _options(_api.SarTrimOptions, lib.sar_trim_options_sized, dict(wanted, period=str(period)), "trim")
    unknown = (_api.SarTrimUnknown * len(limits))(*((n.encode(), lo, hi) for n, (lo, hi) in limits.items()))
    condition = (_api.SarTrimCondition * len(conditions))(*((a.encode(), b.encode()) for a, b in conditions))
    s, guard = sim_options(sim), Guard()
    o.sim, o.unknown, o.condition, o.count = ctypes.pointer(s), unknown, condition, len(limits)
    kinds = dict((name, kind) for name, kind, *_ in o._fields_)

    def tell(_: Any, p: Any) -> None:
        if progress is not None:
            p = p.contents
            progress(Record(record(p), value=_array(p.value, p.count), left=_array(p.left, p.count), right=_array(p.right, p.count)))

    o.on_progress = kinds["on_progress"](guard(tell, None))
    o.should_stop = kinds["should_stop"](lambda _: guard.error is not None)
    pointer, messages = ctypes.c_void_p(), Messages()
    status = lib.sar_trim(os.fsencode(path), ctypes.byref(o), ctypes.byref(pointer), messages)
    owned = _Owned(pointer, lib.sar_trim_free)
    guard.check()
    messages.check(status)
    r = lib.sar_trim_report(owned.pointer).contents
    values = dict(zip(limits, _array(r.value, r.count)))
    return Record(record(r), values=values, left=_array(r.left, r.count), right=_array(r.right, r.count))


def reduce(model: Model, path: str | os.PathLike[str], *, beam: str | None = None, modes: int = 4,
           attach: Sequence[str] | None = None, keep: int = 0, linear: bool = False) -> Record:
    """Writes a beam of a model (loaded with keep_fixed=True) as a modal body (Craig and Bampton): frequency, damping."""
    o = _options(_api.SarReduceOptions, lib.sar_reduce_options_sized, dict(beam=beam, modes=modes, keep=keep, linear=linear), "reduce")
    if attach is not None:
        names = (ctypes.c_char_p * len(attach))(*(a.encode() for a in attach))
        o.attach, o.attach_count = names, len(attach)
    pointer, messages = ctypes.c_void_p(), Messages()
    messages.check(lib.sar_reduce(pointer_of(model, Model), ctypes.byref(o), ctypes.byref(pointer), messages))
    owned = _Owned(pointer, lib.sar_reduction_free, model)
    messages = Messages()
    messages.check(lib.sar_reduction_write(owned.pointer, os.fsencode(path), None, messages))
    r = lib.sar_reduction_report(owned.pointer).contents
    return Record(beam=text(r.beam), nodes=r.nodes, frequency=_array(r.frequency, r.modes), damping=_array(r.damping, r.modes))
