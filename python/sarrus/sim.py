"""Simulations: a formulation, an integrator and scratch memory, step by step."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from . import _api
from ._call import Messages, Record, check, doubles, edited, failure, pointer_of, record, text
from ._library import lib
from .data import Data
from .model import Model

_ADAPTIVE = {None: _api.SAR_STEPS_AS_METHOD, False: _api.SAR_STEPS_FIXED, True: _api.SAR_STEPS_ADAPTIVE}


def sim_options(wanted: dict[str, Any]) -> _api.SarSimOptions:
    """Options of a simulation from keywords; `adaptive` is True, False or None (as the method prefers)."""
    options = _api.SarSimOptions()
    lib.sar_sim_options_sized(ctypes.byref(options), ctypes.sizeof(options))
    wanted = dict(wanted)
    if "adaptive" in wanted:
        options.adaptive = _ADAPTIVE[wanted.pop("adaptive")]
    return edited(options, wanted, "a simulation")


class Sim:
    """A simulation on data: sim.step(), sim.advance(t).

    Keywords are the options of the library: formulation, integrator, step, rtol, atol, max_step, max_iterations,
    adaptive (True, False), project, ... (help(sarrus.api.SarSimOptions)). The interpreter is free for other threads
    while steps are made.
    """

    def __init__(self, model: Model, data: Data | None = None, **options: Any) -> None:
        self._pointer = None
        self.model = model
        self.data = data if data is not None else Data(model)
        o, pointer, messages = sim_options(options), ctypes.c_void_p(), Messages()
        status = lib.sar_sim_new(pointer_of(model, Model), pointer_of(self.data, Data), ctypes.byref(o), ctypes.byref(pointer), messages)
        messages.check(status)
        self._pointer = pointer

    def __del__(self) -> None:
        if getattr(self, "_pointer", None):
            lib.sar_sim_free(self._pointer)
            self._pointer = None

    def __repr__(self) -> str:
        return f"<sarrus.Sim of '{self.model.name}' at t = {self.data.time:g} s>"

    def _check(self, status: int) -> None:
        if status != _api.SAR_OK:
            self.model._guard.check()
            raise failure(status, self.trouble)

    def step(self) -> None:
        """One step of the integrator."""
        self._check(lib.sar_step(self._pointer))

    def advance(self, t_end: float) -> None:
        """As many steps as it takes to land exactly on t_end."""
        self._check(lib.sar_advance(self._pointer, t_end))

    def accelerations(self) -> np.ndarray:
        """At the present state, with the forces of constraints (a view: Data.a)."""
        self._check(lib.sar_accelerations(self._pointer))
        return self.data.a[: self.model.nv]

    def outputs(self, out: np.ndarray | None = None) -> np.ndarray:
        """Values of all output columns at the present state, in the order of Model.outputs."""
        if out is None:
            out = np.empty(len(self.model.outputs))
        elif out.dtype != np.float64 or not out.flags.c_contiguous or out.size != len(self.model.outputs):
            raise TypeError(f"out: expected {len(self.model.outputs)} contiguous float64 numbers")
        self._check(lib.sar_outputs(self._pointer, doubles(out)))
        return out

    @property
    def trouble(self) -> str:
        """After a failed step: what failed, where and when; else empty."""
        return text(lib.sar_sim_trouble(self._pointer))

    @property
    def stats(self) -> Record:
        """Counters since the simulation was made: steps, rejected, iterations, violations, ..."""
        out = _api.SarStats()
        lib.sar_stats_sized(self._pointer, ctypes.byref(out), ctypes.sizeof(out))
        return Record(record(out))

    @property
    def events(self) -> list[Record]:
        """What was switched on or off: the last 64 (time, name, on, energy, impulse, moment, freedoms)."""
        count = lib.sar_event_count(self._pointer)
        out = []
        for i in range(max(0, count - _api.SAR_KEPT_EVENTS), count):
            event = _api.SarEvent()
            check(lib.sar_event_sized(self._pointer, i, ctypes.byref(event), ctypes.sizeof(event)))
            out.append(Record(record(event)))
        return out


def choose(model: Model, data: Data | None = None, *, deadline: float = 0, accuracy: float = 0, **options: Any) -> Record:
    """Formulation and integrator for fixed steps, by short trials: the cheapest that is accurate enough and makes
    every step within `deadline` seconds. Gives formulation, integrator, step, reason and the trials."""
    o, out, messages = sim_options(options), _api.SarChoice(), Messages()
    data = data if data is not None else Data(model)
    status = lib.sar_choose_sized(
        pointer_of(model, Model), pointer_of(data, Data), deadline, accuracy, ctypes.byref(o), ctypes.byref(out), ctypes.sizeof(out), messages
    )
    messages.check(status, text(out.reason))
    trials = [Record(record(t)) for t in out.trial[: out.count]]
    names = dict(formulation=text(o.formulation), integrator=text(o.integrator))
    return Record(step=out.step, reason=text(out.reason), trials=trials, **names)
