"""Sarrus: real-time multibody dynamics.

    import sarrus
    model = sarrus.Model("examples/pd_arm.yaml")
    result = sarrus.run(model, end=5)
    print(result["elbow.q"][-1], result.report.energy_error_max)

    sim = sarrus.Sim(model, step=1e-3)      # or step by step
    sim.data.inputs[:] = 1                  # the engine's own arrays: no copies
    sim.advance(0.5)

Model is constant and shared by runs and threads, Data is all that changes, Sim is a method on data. Everything of the
C interface is in sarrus.api and sarrus.lib as it stands there.
"""

from __future__ import annotations

import ctypes as _ctypes

from . import _api as api
from ._call import (
    ArgumentError,
    Error,
    FileError,
    MemoryLimitError,
    Message,
    ModelError,
    NotOfferedError,
    NumericsError,
    Record,
    SarrusWarning,
    Stopped,
    text as _text,
)
from ._library import lib
from .analyses import Derivatives, floquet, inverse, kinematics, linearize, modes, reduce, statics, trim
from .batch import Batch, rollout
from .data import Data
from .model import Model, function
from .running import Result, run
from .sim import Sim, choose
from .table import Table
from .view import html, view

__version__: str = _text(lib.sar_version()).split(" ")[0]


def available(what: str) -> dict[str, str]:
    """What there is to choose from: "formulations", "integrators", "joints", "forces", "constraints", "shapes" or
    "functions", each with a line about it."""
    out: dict[str, str] = {}
    entry = api.SarListEntry()
    while lib.sar_list_sized(what.encode(), len(out), _ctypes.byref(entry), _ctypes.sizeof(entry)) == api.SAR_OK:
        out[_text(entry.name)] = _text(entry.doc)
    if not out:
        raise ArgumentError(api.SAR_BAD_ARGUMENT, f"there is no list '{what}'")
    return out


for _name in ("Error", "ModelError", "ArgumentError", "FileError", "MemoryLimitError", "NotOfferedError", "NumericsError",
              "Stopped", "SarrusWarning", "Message", "Model", "Data", "Sim", "Result", "Table", "Batch", "Derivatives"):
    globals()[_name].__module__ = "sarrus"  # where users find them

__all__ = [
    "ArgumentError", "Batch", "Data", "Derivatives", "Error", "FileError", "MemoryLimitError", "Message", "Model",
    "ModelError", "NotOfferedError", "NumericsError", "Record", "Result", "SarrusWarning", "Sim", "Stopped", "Table",
    "api", "available", "choose", "floquet", "function", "html", "inverse", "kinematics", "lib", "linearize", "modes",
    "reduce", "rollout", "run", "statics", "trim", "view",
]
