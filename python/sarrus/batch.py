"""Batches: many instances of one model, advanced together by threads; rollouts of controls."""

from __future__ import annotations

import ctypes
from typing import Any, Sequence

import numpy as np

from . import _api
from ._call import STATUS, Messages, Record, check, doubles, edited, failure, pointer_of, record, text
from ._library import lib
from .data import Data
from .model import Model
from .sim import sim_options


class Batch:
    """n instances of a model, or one of each of several models that differ in parameters only.

    What an instance computes is, bit for bit, what it computes alone, whatever the number of threads. `generated`:
    fixed steps by code that is generated and compiled, several instances in the lanes of the processor's vectors.
    Further keywords are those of Sim. batch[i] are the Data of an instance.
    """

    def __init__(self, models: Model | Sequence[Model], n: int | None = None, *, threads: int = 0,
                 generated: bool = False, lanes: int = 0, **sim: Any) -> None:
        self._pointer = None
        self.models = [models] * (1 if n is None else n) if isinstance(models, Model) else list(models)
        if not self.models:
            raise failure(_api.SAR_BAD_ARGUMENT, "a batch of no model")
        o = _api.SarBatchOptions()
        lib.sar_batch_options_sized(ctypes.byref(o), ctypes.sizeof(o))
        edited(o, dict(threads=threads, generated=generated, lanes=lanes), "a batch")
        s = sim_options(sim)
        o.sim = ctypes.pointer(s)
        pointers = (ctypes.c_void_p * len(self.models))(*(pointer_of(m, Model) for m in self.models))
        kind = ctypes.POINTER(ctypes.c_void_p)
        pointer, messages = ctypes.c_void_p(), Messages()
        status = lib.sar_batch_new(ctypes.cast(pointers, kind), len(self.models), ctypes.byref(o), ctypes.byref(pointer), messages)
        if status != _api.SAR_OK:
            if pointer:
                lib.sar_batch_free(pointer)
            raise failure(status, "", messages.list())
        self._pointer = pointer
        self._keeper = _Keeper(pointer, self.models)
        self._data = [Data._borrowed(m, lib.sar_batch_data(pointer, i), self._keeper) for i, m in enumerate(self.models)]

    def __len__(self) -> int:
        return len(self.models)

    def __getitem__(self, i: int) -> Data:
        return self._data[i]

    def advance(self, t_end: float, *, check: bool = True) -> None:
        """All instances to t_end. One that fails stays at its last good step; the others go on, and then NumericsError
        is raised unless `check` is false."""
        status = lib.sar_batch_advance(self._pointer, t_end)
        self.models[0]._guard.check()
        if status != _api.SAR_OK and check:
            bad = [i for i in range(len(self)) if self.status(i) != "ok"]
            raise failure(status, f"{len(bad)} of {len(self)} instances failed, the first is {bad[0]}: {self.trouble(bad[0])}")

    def status(self, i: int) -> str:
        """What became of an instance: "ok", "not_converged", ..."""
        return STATUS[lib.sar_batch_status(self._pointer, i)]

    def trouble(self, i: int) -> str:
        """When, where and why an instance failed."""
        return text(lib.sar_batch_trouble(self._pointer, i))

    def outputs(self) -> np.ndarray:
        """Values of all output columns: instances x columns; NaN for instances that have none."""
        out = np.full((len(self), len(self.models[0].outputs)), np.nan)
        for i, row in enumerate(out):
            lib.sar_batch_outputs(self._pointer, i, doubles(row))
        return out

    def rollout(self, controls: np.ndarray, period: float, *, outputs: bool = False) -> Record:
        """Takes every instance along its controls, n x T x inputs (or x nv joint forces, for a model without inputs), each
        held for `period` seconds: time (T), q (n x T x nq), v (n x T x nv), with `outputs` their columns too, at the end of
        each period; NaN behind a failure; status by instance."""
        model = self.models[0]
        width = len(model.inputs) or model.nv
        controls = np.ascontiguousarray(controls, dtype=np.float64)
        if controls.ndim != 3 or controls.shape[::2] != (len(self), width) or not controls.shape[1]:
            raise failure(_api.SAR_BAD_ARGUMENT, f"controls: expected {len(self)} x T x {width}, found shape {controls.shape}")
        n, steps, _ = controls.shape
        start = self[0].time
        out = Record(time=start + np.arange(1, steps + 1) * period, q=np.empty((n, steps, model.nq)), v=np.empty((n, steps, model.nv)))
        r = _api.SarRollout(periods=steps, period=period, q=doubles(out.q), v=doubles(out.v))
        if model.inputs:
            r.inputs = doubles(controls)
        else:
            r.tau = doubles(controls)
        if outputs:
            out["outputs"] = np.empty((n, steps, len(model.outputs)))
            r.outputs = doubles(out.outputs)
        status = lib.sar_batch_rollout_sized(self._pointer, ctypes.byref(r), ctypes.sizeof(r))
        model._guard.check()
        if status == _api.SAR_BAD_ARGUMENT:
            raise failure(status, f"rollout: a period of {period} s")
        out["status"] = [self.status(i) for i in range(n)]
        return out

    @property
    def report(self) -> Record:
        """failed, threads, lanes, handed, why (generated code is not there)."""
        out = _api.SarBatchReport()
        check(lib.sar_batch_report_sized(self._pointer, ctypes.byref(out), ctypes.sizeof(out)))
        return Record(record(out))


class _Keeper:
    def __init__(self, pointer: Any, models: Sequence[Model]) -> None:
        self.pointer, self.models = pointer, models

    def __del__(self) -> None:
        if self.pointer:
            lib.sar_batch_free(self.pointer)
            self.pointer = None


def rollout(model: Model, controls: np.ndarray, *, q: np.ndarray | None = None, v: np.ndarray | None = None,
            period: float | None = None, outputs: bool = False, threads: int = 0, generated: bool = False,
            **sim: Any) -> Record:
    """Runs n instances along sequences of controls.

    controls  n x T x inputs (or nv joint forces, for a model without inputs): held over a period each
    q, v      n x nq, n x nv: where instances begin; None: the initial state
    period    s between two controls; None: the step

    Gives what Batch.rollout gives, which goes on with the same instances.
    """
    n = len(controls)
    period = period if period is not None else sim.get("step") or model.info.step
    if not period:
        raise failure(_api.SAR_BAD_ARGUMENT, "rollout: neither `period` nor `step` is given, and the model has none")
    batch = Batch(model, n, threads=threads, generated=generated, **sim)
    for i, d in enumerate(batch):
        if q is not None:
            d.q = q[i]
        if v is not None:
            d.v = v[i]
        if q is not None or v is not None:
            d.restart_energy()
    return batch.rollout(controls, period, outputs=outputs)
