"""Models: loaded from a file, a text or a dictionary; constant, shared by any number of runs and threads."""

from __future__ import annotations

import ctypes
import json
import os
from typing import Any, Callable, Iterable, Mapping, Sequence

import numpy as np

from . import _api
from ._call import Guard, Messages, Record, check, encoded, failure, record, text
from ._library import lib

_KINDS = {
    "bodies": _api.SAR_ITEM_BODY,
    "joints": _api.SAR_ITEM_JOINT,
    "forces": _api.SAR_ITEM_FORCE,
    "inputs": _api.SAR_ITEM_INPUT,
    "outputs": _api.SAR_ITEM_OUTPUT,
    "points": _api.SAR_ITEM_POINT,
    "constraints": _api.SAR_ITEM_CONSTRAINT,
    "states": _api.SAR_ITEM_STATE,
}
_ROLES = {_api.SAR_JOINT_TREE: "tree", _api.SAR_JOINT_FIXED: "fixed", _api.SAR_JOINT_LOOP: "loop"}

UserFunction = Callable[[float, np.ndarray, np.ndarray, np.ndarray], Any]


class Model:
    """A mechanism, compiled.

    source      path of a model file (.yaml, .json, .urdf), or a dictionary with what such a file holds
    parameters  values that take the place of the file's, as --set does
    columns     further output columns, {name: expression}
    functions   functions that signals of the file call, {name: f(t, inputs, states, outputs)}; f writes states and
                outputs in place
    coordinates "relative", "absolute", "mixed" or "auto"
    files       texts that includes of a model from memory mean, {name: text}

    Raises ModelError with all messages. Warnings of the model are given by `warnings` as SarrusWarning.
    """

    def __init__(
        self,
        source: str | os.PathLike[str] | Mapping[str, Any],
        *,
        parameters: Mapping[str, float] | None = None,
        coordinates: str | None = None,
        search_paths: Iterable[str | os.PathLike[str]] = (),
        keep_fixed: bool = False,
        memory_limit: int = 0,
        columns: Mapping[str, str] | None = None,
        functions: Mapping[str, UserFunction] | None = None,
        files: Mapping[str, str] | None = None,
        _text: tuple[str, str, str] | None = None,
    ) -> None:
        self._pointer = None
        self._recipe = dict(
            source=source if isinstance(source, Mapping) else os.fspath(source),
            parameters=dict(parameters or {}),
            coordinates=coordinates,
            search_paths=[os.fspath(p) for p in search_paths],
            keep_fixed=keep_fixed,
            memory_limit=memory_limit,
            columns=dict(columns or {}),
            functions=dict(functions or {}),
            files=dict(files or {}),
            _text=_text,
        )
        if isinstance(source, Mapping) and _text is None:
            _text = (json.dumps(source), "yaml", str(source.get("name", "model")))
        self._guard = Guard()
        options = self._options()
        pointer, messages = ctypes.c_void_p(), Messages()
        size = ctypes.sizeof(options)
        if _text is None:
            status = lib.sar_model_load_sized(os.fsencode(source), ctypes.byref(options), size, ctypes.byref(pointer), messages)
        else:
            content, form, name = _text
            data = content.encode()
            status = lib.sar_model_parse_sized(
                data, len(data), form.encode(), name.encode(), ctypes.byref(options), size, ctypes.byref(pointer), messages
            )
        if status != _api.SAR_OK:
            raise failure(status, "", messages.list())
        self._pointer = pointer
        self._names = {kind: self._list(number) for kind, number in _KINDS.items()}
        self._numbers = {kind: {n: i for i, n in enumerate(names)} for kind, names in self._names.items()}
        messages.warn()

    @classmethod
    def parse(cls, content: str, *, format: str = "yaml", name: str = "model", **options: Any) -> Model:
        """The model of a text; `format` is "yaml" (JSON too) or "urdf", `name` stands for the file in messages."""
        return cls(name, _text=(content, format, name), **options)

    def __del__(self) -> None:
        if getattr(self, "_pointer", None):
            lib.sar_model_free(self._pointer)
            self._pointer = None

    def __reduce__(self) -> Any:
        return _made, (self._recipe,)

    def __repr__(self) -> str:
        return f"<sarrus.Model '{self.name}': {len(self.bodies)} bodies, {self.nv} coordinates, {self.info.equations} constraint equations>"

    # ---- options ----

    def _options(self) -> _api.SarLoadOptions:
        r, o = self._recipe, _api.SarLoadOptions()
        keep: list[Any] = []  # what the library copies or reads during the call

        def array(kind: Any, items: Sequence[Any]) -> Any:
            out = (kind * len(items))(*items)
            keep.append(out)
            return ctypes.cast(out, ctypes.POINTER(kind))

        parameters = [_api.SarParameter(k.encode(), float(v)) for k, v in r["parameters"].items()]
        o.parameters, o.parameter_count = array(_api.SarParameter, parameters), len(parameters)
        paths = [os.fsencode(p) for p in r["search_paths"]]
        o.search_paths, o.search_path_count = array(ctypes.c_char_p, paths), len(paths)
        o.coordinates = encoded(r["coordinates"])
        files = [_api.SarTextFile(k.encode(), v.encode(), len(v.encode())) for k, v in r["files"].items()]
        o.files, o.file_count = array(_api.SarTextFile, files), len(files)
        o.keep_fixed, o.memory_limit = r["keep_fixed"], r["memory_limit"]
        columns = [_api.SarExpression(k.encode(), v.encode()) for k, v in r["columns"].items()]
        o.columns, o.column_count = array(_api.SarExpression, columns), len(columns)
        # functions are called for as long as the model lives
        self._functions = [self._function(k, f) for k, f in r["functions"].items()]
        o.functions, o.function_count = array(_api.SarUserFunction, self._functions), len(self._functions)
        o._keep = keep
        return o

    def _function(self, name: str, call: UserFunction) -> _api.SarUserFunction:
        sizes = _function_sizes(call)

        def python(_: Any, t: float, inputs: Any, states: Any, outputs: Any) -> int:
            arrays = [np.ctypeslib.as_array(p, (n,)) if n else np.empty(0) for p, n in zip((inputs, states, outputs), sizes)]
            call(t, *arrays)
            return 0

        kind = dict((n, k) for n, k, *_ in _api.SarUserFunction._fields_)["call"]
        return _api.SarUserFunction(name.encode(), *sizes, kind(self._guard(python, 1)), None)

    # ---- what it is made of ----

    def _list(self, kind: int) -> tuple[str, ...]:
        return tuple(text(lib.sar_model_name(self._pointer, kind, i)) for i in range(lib.sar_model_count(self._pointer, kind)))

    def _index(self, kind: str, item: str | int) -> int:
        """The number of an item given by name or number."""
        if isinstance(item, str):
            if item not in self._numbers[kind]:
                raise KeyError(f"the model has no '{item}' among its {kind} ({_near(item, self._names[kind])})")
            return self._numbers[kind][item]
        if not 0 <= item < len(self._names[kind]):
            raise IndexError(f"{kind}: {item} is not in 0 .. {len(self._names[kind]) - 1}")
        return int(item)

    @property
    def name(self) -> str:
        """Of the model, as its file says."""
        return str(self.info.name)

    @property
    def bodies(self) -> tuple[str, ...]:
        """Names of the bodies, without ground."""
        return self._names["bodies"]

    @property
    def joints(self) -> tuple[str, ...]:
        """Names of the joints; behind those of the tree the ones that close loops."""
        return self._names["joints"]

    @property
    def forces(self) -> tuple[str, ...]:
        """Names of the force elements."""
        return self._names["forces"]

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of the values that the host program sets: Data.inputs."""
        return self._names["inputs"]

    @property
    def outputs(self) -> tuple[str, ...]:
        """Names of the output columns: Sim.outputs()."""
        return self._names["outputs"]

    @property
    def points(self) -> tuple[str, ...]:
        """Names of points and frames on bodies."""
        return self._names["points"]

    @property
    def constraints(self) -> tuple[str, ...]:
        """Names of constraints, joints that close loops among them."""
        return self._names["constraints"]

    @property
    def states(self) -> tuple[str, ...]:
        """Names of the states of the file and of its signals: Data.states."""
        return self._names["states"]

    @property
    def nq(self) -> int:
        """Position coordinates of the tree (quaternions count 4)."""
        return int(lib.sar_model_nq(self._pointer))

    @property
    def nv(self) -> int:
        """Velocity coordinates of the tree."""
        return int(lib.sar_model_nv(self._pointer))

    @property
    def info(self) -> Record:
        """Name, coordinates, plane, contact, equations, mass, end, step, formulation, ... of the model as a whole."""
        out = _api.SarModelInfo()
        check(lib.sar_model_info_sized(self._pointer, ctypes.byref(out), ctypes.sizeof(out)))
        return Record(record(out))

    def joint(self, joint: str | int) -> Record:
        """Kind, body, parent, addresses (qadr, nq, vadr, nv) and role ("tree", "fixed", "loop") of a joint."""
        out = _api.SarJointInfo()
        check(lib.sar_joint_info_sized(self._pointer, self._index("joints", joint), ctypes.byref(out), ctypes.sizeof(out)))
        return Record(record(out), role=_ROLES[out.role])

    def constraint(self, constraint: str | int) -> Record:
        """Kind, number of equations, and whether it is a drive, of a constraint."""
        out = _api.SarConstraintInfo()
        number = self._index("constraints", constraint)
        check(lib.sar_constraint_info_sized(self._pointer, number, ctypes.byref(out), ctypes.sizeof(out)))
        return Record(record(out))

    def limits(self, joint: str | int) -> Record:
        """lower, upper, speed and effort of a joint's coordinates; infinite where there is none."""
        info = self.joint(joint)
        arrays = [np.empty(max(info.nv, 1)) for _ in range(4)]
        pointers = [a.ctypes.data_as(ctypes.POINTER(ctypes.c_double)) for a in arrays]
        check(lib.sar_joint_limits(self._pointer, self._index("joints", joint), *pointers))
        return Record(zip(("lower", "upper", "speed", "effort"), (a[: info.nv] for a in arrays)))

    def mass(self, body: str | int | None = None) -> float:
        """kg; of a body with what is fixed to it, or of all."""
        if body is None:
            return float(self.info.mass)
        return float(lib.sar_body_mass(self._pointer, self._index("bodies", body)))

    def is_like(self, other: Model) -> bool:
        """The same names and equations, and only other numbers?"""
        return bool(lib.sar_model_is_like(self._pointer, other._pointer))

    def check(self) -> None:
        """Raises ModelError where the `simulation` block names what there is not."""
        messages = Messages()
        messages.check(lib.sar_model_check(self._pointer, messages))


def _made(recipe: dict[str, Any]) -> Model:
    return Model(recipe.pop("source"), **recipe)


def _function_sizes(call: UserFunction) -> tuple[int, int, int]:
    """(inputs, states, outputs) of a function: its attribute `sizes`, which `function` sets."""
    sizes = getattr(call, "sizes", None)
    if sizes is None:
        raise TypeError("a function for a model needs its sizes: decorate it with @sarrus.function(inputs, states, outputs)")
    return sizes


def function(inputs: int, states: int, outputs: int) -> Callable[[UserFunction], UserFunction]:
    """Decorates f(t, inputs, states, outputs) for the `call` signals of a model with how many numbers it takes,
    keeps and gives. It writes states and outputs in place and keeps nothing elsewhere."""

    def decorate(call: UserFunction) -> UserFunction:
        call.sizes = (inputs, states, outputs)  # type: ignore[attr-defined]
        return call

    return decorate


def _near(name: str, names: Sequence[str]) -> str:
    import difflib

    near = difflib.get_close_matches(name, names, 1)
    if near:
        return f"did you mean '{near[0]}'?"
    return "it has " + ", ".join(names[:8]) + (", ..." if len(names) > 8 else "") if names else "it has none"
