"""A whole run, to rows of outputs: sarrus.run(model)."""

from __future__ import annotations

import ctypes
import os
from typing import Any, Callable, Iterable

import numpy as np

from . import _api
from ._call import STATUS, Guard, Messages, Record, doubles, edited, failure, pointer_of, record
from ._library import lib
from .data import Data
from .model import Model
from .sim import sim_options
from .table import Table


class Result(Table):
    """Rows of a run: result["arm.x"], result.time; `report` tells how it went, `data` is where it ended, `events` what
    was switched."""

    def __init__(self, run: Any, model: Model) -> None:
        self.model = model
        keeper = _Keeper(run)
        self._run = keeper
        super().__init__(lib.sar_run_table(run), keeper)
        report = lib.sar_run_report(run).contents
        self.report = Record(record(report), stats=Record(record(report.stats.contents)))
        self.status = STATUS[report.status]
        self.data = Data(model)
        end = lib.sar_run_data(run)
        if end:
            lib.sar_data_copy(self.data._pointer, end)
        self.events = [self._event(run, i) for i in range(min(report.event_count, _api.SAR_RUN_EVENTS))]
        self.messages: list[Any] = []

    @staticmethod
    def _event(run: Any, i: int) -> Record:
        event = _api.SarEvent()
        lib.sar_run_event_sized(run, i, ctypes.byref(event), ctypes.sizeof(event))
        return Record(record(event))

    @property
    def time(self) -> np.ndarray:
        return self["time"]

    def plot(self, *names: str, axes: Any = None) -> Any:
        """Draws columns against time by matplotlib, which must be there; gives the axes."""
        import matplotlib.pyplot as plt

        axes = axes if axes is not None else plt.subplots()[1]
        for name in names or self.columns[1:]:
            axes.plot(self.time, self[name], label=name)
        axes.set_xlabel("time [s]")
        axes.legend()
        return axes

    def __repr__(self) -> str:
        r = self.report
        return f"<sarrus.Result of '{self.model.name}': {self.status}, {len(self)} rows to t = {r.end_time:g} s by {r.formulation} with {r.integrator}>"


class _Keeper:
    def __init__(self, run: Any) -> None:
        self.run = run

    def __del__(self) -> None:
        if self.run:
            lib.sar_run_free(self.run)
            self.run = None


def run(
    model: Model | str | os.PathLike[str],
    end: float | None = None,
    *,
    output_step: float | None = None,
    times: Iterable[float] | None = None,
    start: Data | None = None,
    resume: str | os.PathLike[str] | None = None,
    save: str | os.PathLike[str] | None = None,
    audit_steps: bool = False,
    time_steps: bool = False,
    deadline: float = 0,
    choose: bool = False,
    accuracy: float = 0,
    progress: Callable[[float], Any] | None = None,
    on_row: Callable[[np.ndarray], Any] | None = None,
    **sim: Any,
) -> Result:
    """Simulates from the initial state (or `start`, or a saved one to `resume`) to `end`, with rows of all outputs.

    Further keywords are those of Sim: formulation, integrator, step, ... `progress` is called with the fraction done a
    few hundred times at most, `on_row` with each row. Ctrl-C and exceptions of these end the run and are raised.
    NumericsError where it fails: its attribute `result` holds the rows up to there.
    """
    if not isinstance(model, Model):
        model = Model(model)
    guard, stop = Guard(), ctypes.c_int(0)
    o = _api.SarRunOptions()
    lib.sar_run_options_sized(ctypes.byref(o), ctypes.sizeof(o))
    s = sim_options(sim)
    s.cancel = ctypes.pointer(stop)
    o.sim, o.keep_rows = ctypes.pointer(s), True
    wanted = dict(end=end, output_step=output_step, audit_steps=audit_steps, time_steps=time_steps, deadline=deadline)
    edited(o, dict(wanted, choose=choose, accuracy=accuracy), "a run")
    o.resume = os.fsencode(resume) if resume is not None else None
    o.save = os.fsencode(save) if save is not None else None
    rows = None
    if times is not None:
        rows = np.ascontiguousarray(list(times), dtype=np.float64)
        o.times, o.time_count = doubles(rows), len(rows)
    if start is not None:
        o.start = pointer_of(start, Data)
    kinds = dict((name, kind) for name, kind, *_ in o._fields_)

    def tell(_: Any, fraction: float) -> None:
        if progress is not None:
            progress(fraction)

    def row(_: Any, values: Any, count: int) -> int:
        if on_row is not None:
            on_row(np.ctypeslib.as_array(values, (count,)).copy())
        return _api.SAR_OK

    guarded = guard(tell, None)

    def tell_or_stop(context: Any, fraction: float) -> None:
        guarded(context, fraction)
        if guard.error is not None:
            stop.value = 1

    o.on_progress = kinds["on_progress"](tell_or_stop)
    if on_row is not None:
        o.on_row = kinds["on_row"](guard(row, _api.SAR_STOPPED))
    pointer, messages = ctypes.c_void_p(), Messages()
    status = lib.sar_run(model._pointer, ctypes.byref(o), ctypes.byref(pointer), messages)
    result = Result(pointer, model) if pointer else None
    guard.check()
    model._guard.check()
    if status != _api.SAR_OK:
        error = failure(status, result.report.trouble if result else "", messages.list())
        error.result = result  # type: ignore[attr-defined]
        raise error
    assert result is not None
    result.messages = messages.list()
    messages.warn()
    return result
