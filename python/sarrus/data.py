"""Data: everything that changes in a run. A copy of it is a copy of the run, bit for bit."""

from __future__ import annotations

import ctypes
import os
import tempfile
from typing import Any, Sequence

import numpy as np

from . import _api
from ._call import Messages, Record, check, doubles, failure, pointer_of, record, taken, text, view
from ._library import lib
from .model import Model

Vector = np.ndarray | Sequence[float]


class Data:
    """The state of a model: t, q, v, inputs, states, and what a method remembers. New ones are at the initial state.

    q, v, a, tau, inputs and states are the engine's own arrays: writing to one is setting the engine's value, and no
    number is copied. After writing q or v by hand call restart_energy(), or what was put in counts as an error of the
    energy. Belongs to one thread at a time.
    """

    def __init__(self, model: Model) -> None:
        self._pointer = None
        self._owner: Any = None  # of data that belong to something else
        self.model = model
        pointer, messages = ctypes.c_void_p(), Messages()
        messages.check(lib.sar_data_new(pointer_of(model, Model), ctypes.byref(pointer), messages))
        self._take(pointer)

    @classmethod
    def _borrowed(cls, model: Model, pointer: int, owner: Any) -> Data:
        data = cls.__new__(cls)
        data.model, data._owner = model, owner
        data._take(ctypes.c_void_p(pointer))
        return data

    def _take(self, pointer: ctypes.c_void_p) -> None:
        self._pointer = pointer
        m = self.model
        nq, nv = lib.sar_model_nq_all(m._pointer), lib.sar_model_nv_all(m._pointer)
        keeper = _Keeper(pointer, m, self._owner)
        self._keeper = keeper
        self._arrays = {
            "q": view(lib.sar_q(pointer), nq, keeper, True),
            "v": view(lib.sar_v(pointer), nv, keeper, True),
            "a": view(lib.sar_a(pointer), nv, keeper, True),
            "tau": view(lib.sar_tau(pointer), nv, keeper, True),
            "inputs": view(lib.sar_inputs(pointer), len(m.inputs), keeper, True),
            "states": view(lib.sar_states(pointer), len(m.states), keeper, True),
        }

    def __repr__(self) -> str:
        return f"<sarrus.Data of '{self.model.name}' at t = {self.time:g} s>"

    # ---- the state ----

    @property
    def time(self) -> float:
        """s. Setting it restarts the energy account."""
        return float(lib.sar_time(self._pointer))

    @time.setter
    def time(self, t: float) -> None:
        lib.sar_set_time(self._pointer, t)

    @property
    def q(self) -> np.ndarray:
        """Positions: nq of the tree, behind them those of joints that close loops."""
        return self._arrays["q"]

    @q.setter
    def q(self, values: Vector) -> None:
        self._arrays["q"][: self.model.nq] = values

    @property
    def v(self) -> np.ndarray:
        """Velocities: nv of the tree, behind them those of joints that close loops."""
        return self._arrays["v"]

    @v.setter
    def v(self, values: Vector) -> None:
        self._arrays["v"][: self.model.nv] = values

    @property
    def a(self) -> np.ndarray:
        """Accelerations of the last evaluation; after a step by impulses the mean over it."""
        return self._arrays["a"]

    @property
    def tau(self) -> np.ndarray:
        """Joint forces of the host program, held until changed."""
        return self._arrays["tau"]

    @tau.setter
    def tau(self, values: Vector) -> None:
        self._arrays["tau"][: self.model.nv] = values

    @property
    def inputs(self) -> np.ndarray:
        """One value for each of Model.inputs, held until changed."""
        return self._arrays["inputs"]

    @inputs.setter
    def inputs(self, values: Vector) -> None:
        self._arrays["inputs"][:] = values

    @property
    def states(self) -> np.ndarray:
        """One value for each of Model.states."""
        return self._arrays["states"]

    @states.setter
    def states(self, values: Vector) -> None:
        self._arrays["states"][:] = values

    def set_input(self, name: str | int, value: float) -> None:
        self.inputs[self.model._index("inputs", name)] = value

    def joint(self, joint: str | int) -> tuple[np.ndarray, np.ndarray]:
        """(q, v) of a joint in the direction of the file."""
        info = self.model.joint(joint)
        q, v = np.empty(info.nq), np.empty(info.nv)
        check(lib.sar_joint_get(self._pointer, self.model._index("joints", joint), doubles(q), doubles(v)))
        return q, v

    def set_joint(self, joint: str | int, q: Vector | float | None = None, v: Vector | float | None = None) -> None:
        """Sets position or velocity or both, in the direction of the file; restarts the energy account."""
        info = self.model.joint(joint)
        if info.role == "loop":
            raise failure(_api.SAR_NOT_OFFERED, f"joint '{info.name}' closes a loop: set the joints of the tree")
        old_q, old_v = self.joint(joint)
        new_q = old_q if q is None else taken(q, info.nq, f"q of joint '{info.name}'")
        new_v = old_v if v is None else taken(v, info.nv, f"v of joint '{info.name}'")
        check(lib.sar_joint_set(self._pointer, self.model._index("joints", joint), doubles(new_q), doubles(new_v)))

    def reset(self) -> None:
        """Back to the initial state."""
        lib.sar_data_reset(self._pointer)

    def copy(self) -> Data:
        """Another Data that goes on bit for bit like this one."""
        out = Data(self.model)
        out.copy_from(self)
        return out

    __copy__ = copy

    def __deepcopy__(self, _: Any) -> Data:
        return self.copy()

    def copy_from(self, other: Data) -> None:
        """Becomes a copy of the other, which is of the same model."""
        check(lib.sar_data_copy(self._pointer, pointer_of(other, Data)))

    def save(self, path: str | os.PathLike[str]) -> None:
        """To a file from which a run goes on bit for bit, also elsewhere."""
        messages = Messages()
        messages.check(lib.sar_data_save(self._pointer, os.fsencode(path), messages))

    def load(self, path: str | os.PathLike[str]) -> None:
        """From such a file; that of another model, a damaged or a cut one is refused."""
        messages = Messages()
        messages.check(lib.sar_data_load(self._pointer, os.fsencode(path), messages))

    def __hash__(self) -> int:
        return id(self)

    def state_hash(self) -> int:
        """Equal for equal runs: 64 bits over all that determines how a run goes on."""
        return int(lib.sar_state_hash(self._pointer))

    def __reduce__(self) -> Any:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "state")
            self.save(path)
            with open(path, "rb") as file:
                return _restored, (self.model, file.read())

    # ---- dynamics at this instant ----

    def forward_dynamics(self) -> np.ndarray:
        """Accelerations by articulated bodies (a view: Data.a). NotOfferedError where constraints are on:
        Sim.accelerations() has them."""
        check(lib.sar_forward_dynamics(self._pointer))
        return self.a[: self.model.nv]

    def inverse_dynamics(self, a: Vector) -> np.ndarray:
        """Joint forces that give accelerations a."""
        nv = self.model.nv
        out = np.empty(nv)
        check(lib.sar_inverse_dynamics(self._pointer, doubles(taken(a, nv, "a")), doubles(out)))
        return out

    def mass_matrix(self, tree: bool = False) -> np.ndarray:
        """M, nv x nv. `tree`: that of the tree, where constraints are on."""
        nv = self.model.nv
        out = np.empty((nv, nv))
        check((lib.sar_tree_mass_matrix if tree else lib.sar_mass_matrix)(self._pointer, doubles(out)))
        return out

    def jacobian(self, body: str | int, point: Vector = (0, 0, 0)) -> np.ndarray:
        """6 x nv of a point in body axes: angular x y z, linear x y z; ground axes."""
        out = np.empty((6, self.model.nv))
        p = taken(point, 3, "point")
        check(lib.sar_jacobian(self._pointer, self.model._index("bodies", body), doubles(p), doubles(out)))
        return out

    def pose(self, body: str | int) -> tuple[np.ndarray, np.ndarray]:
        """(position, rotation matrix body to ground) of a body's frame as the file defines it."""
        position, rotation = np.empty(3), np.empty((3, 3))
        check(lib.sar_body_pose(self._pointer, self.model._index("bodies", body), doubles(position), doubles(rotation)))
        return position, rotation

    def velocity(self, body: str | int, point: Vector = (0, 0, 0)) -> tuple[np.ndarray, np.ndarray]:
        """(angular, linear) of a body point, ground axes."""
        angular, linear, p = np.empty(3), np.empty(3), taken(point, 3, "point")
        number = self.model._index("bodies", body)
        check(lib.sar_body_velocity(self._pointer, number, doubles(p), doubles(angular), doubles(linear)))
        return angular, linear

    def energy(self) -> Record:
        """kinetic, potential, total, work and error [J]."""
        out = _api.SarEnergy()
        check(lib.sar_energy_sized(self._pointer, ctypes.byref(out), ctypes.sizeof(out)))
        return Record(record(out))

    def restart_energy(self) -> None:
        """The energy account begins anew with the present state."""
        lib.sar_energy_restart(self._pointer)

    def momentum(self) -> tuple[np.ndarray, np.ndarray]:
        """Linear, and angular about the ground origin; ground axes."""
        p, L = np.empty(3), np.empty(3)
        check(lib.sar_momentum(self._pointer, doubles(p), doubles(L)))
        return p, L

    def reaction(self, joint: str | int) -> tuple[np.ndarray, np.ndarray]:
        """(force, torque) that a joint exerts on its child at the joint point; ground axes."""
        force, torque = np.empty(3), np.empty(3)
        check(lib.sar_reaction(self._pointer, self.model._index("joints", joint), doubles(force), doubles(torque)))
        return force, torque

    def contacts(self) -> list[Record]:
        """Where solids touch: bodies and solids by name, point, normal, gap, impulse, moment, force."""
        out = []
        for i in range(lib.sar_contact_count(self._pointer)):
            c = _api.SarContactPoint()
            check(lib.sar_contact_sized(self._pointer, i, ctypes.byref(c), ctypes.sizeof(c)))
            names = tuple("ground" if b < 0 else self.model.bodies[b] for b in c.body)
            vectors = {n: np.array(getattr(c, n)) for n in ("point", "normal", "impulse", "moment", "force")}
            out.append(Record(bodies=names, solids=tuple(text(s) for s in c.solid), gap=c.gap, **vectors))
        return out

    def assemble(self) -> Record:
        """Closes the loops at this time: freedoms, equations, independent, singular, redundant."""
        out, messages = _api.SarAssembly(), Messages()
        messages.check(lib.sar_assemble_sized(self._pointer, ctypes.byref(out), ctypes.sizeof(out), messages))
        return Record(record(out))


class _Keeper:
    """Frees data when neither they nor a view of one of their arrays is used any more."""

    def __init__(self, pointer: ctypes.c_void_p, model: Model, owner: Any) -> None:
        self.pointer, self.model, self.owner = pointer, model, owner

    def __del__(self) -> None:
        if self.owner is None and self.pointer:
            lib.sar_data_free(self.pointer)
            self.pointer = None


def _restored(model: Model, content: bytes) -> Data:
    data = Data(model)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "state")
        with open(path, "wb") as file:
            file.write(content)
        data.load(path)
    return data
