"""Calls into the library: statuses become exceptions that carry every message with its place."""

from __future__ import annotations

import ctypes
import warnings
from dataclasses import dataclass
from typing import Any, Callable, Sequence, TypeVar

import numpy as np

from . import _api
from ._library import lib


@dataclass(frozen=True)
class Message:
    """One message about the input: where (line 0: no place), what, and what to do about it."""

    severity: str  # "error" or "warning"
    file: str
    line: int
    column: int
    text: str
    hint: str

    def __str__(self) -> str:
        place = self.file
        if self.line:
            place += f":{self.line}:{self.column}"
        hint = f" ({self.hint})" if self.hint else ""
        return f"{place}: {self.severity}: {self.text}{hint}" if place else f"{self.severity}: {self.text}{hint}"


class Error(Exception):
    """A call did not succeed. `status` says how ("bad_model", "not_converged", ...), `messages` hold every message
    of the call with file, line and column."""

    def __init__(self, status: int, text: str, messages: Sequence[Message] = ()) -> None:
        self.status = STATUS[status]
        self.messages = list(messages)
        self._parts = (status, text, list(messages))
        super().__init__("\n".join([text, *(f"  {m}" for m in self.messages)]) if self.messages else text)

    def __reduce__(self) -> Any:
        return type(self), self._parts


class ModelError(Error):
    """The model is wrong: `messages` say where and why, all of them at once."""


class ArgumentError(Error, ValueError):
    """An option, name or size does not fit."""


class FileError(Error):
    """A file cannot be read or written."""


class MemoryLimitError(Error, MemoryError):
    """There is no memory, or more would be needed than `memory_limit`."""


class NotOfferedError(Error):
    """This build, or this pairing of a model and a method, does not offer it."""


class NumericsError(Error, ArithmeticError):
    """The numerics failed: the state is that of the last accepted step."""


class Stopped(Error):
    """Stopped from outside or after the most steps: the state is that of the last step."""


class SarrusWarning(UserWarning):
    """Something about a model that it does not fail for."""


STATUS = {
    value: name[4:].lower()
    for name, value in vars(_api).items()
    if name in ("SAR_OK", "SAR_STOPPED", "SAR_OVER_LIMIT", "SAR_SINGULAR", "SAR_STEP_TOO_SMALL")
    or name.startswith(("SAR_BAD_", "SAR_NO_", "SAR_NOT_"))
}
_KINDS: dict[int, type[Error]] = {
    _api.SAR_BAD_MODEL: ModelError,
    _api.SAR_BAD_ARGUMENT: ArgumentError,
    _api.SAR_NO_FILE: FileError,
    _api.SAR_NO_MEMORY: MemoryLimitError,
    _api.SAR_OVER_LIMIT: MemoryLimitError,
    _api.SAR_NOT_OFFERED: NotOfferedError,
    _api.SAR_STOPPED: Stopped,
}


def text(value: bytes | None) -> str:
    return value.decode("utf-8", "replace") if value else ""


def pointer_of(thing: Any, kind: type) -> Any:
    """The C object behind one of this package's. The library takes addresses, and cannot know of what."""
    if isinstance(thing, kind):
        return thing._pointer
    hint = " (sarrus.Data(model) is its initial state)" if kind.__name__ == "Data" and type(thing).__name__ == "Model" else ""
    raise TypeError(f"expected a sarrus.{kind.__name__}, found {type(thing).__name__}{hint}")


def encoded(value: str | None) -> bytes | None:
    return None if value is None else str(value).encode()


def messages_of(err: _api.SarError) -> list[Message]:
    kinds = {_api.SAR_ERROR: "error", _api.SAR_WARNING: "warning"}
    return [
        Message(kinds[i.severity], text(i.file), i.line, i.column, text(i.text), text(i.hint))
        for i in err.items[: err.count]
    ]


def failure(status: int, why: str = "", messages: Sequence[Message] = ()) -> Error:
    kind = _KINDS.get(status, NumericsError)
    return kind(status, why or text(lib.sar_status_text(status)), messages)


def check(status: int, why: str = "") -> None:
    if status != _api.SAR_OK:
        raise failure(status, why)


class Messages:
    """The SarError of one call: `check` raises, or passes warnings on."""

    def __init__(self) -> None:
        self.err = _api.SarError()
        lib.sar_error_init(ctypes.byref(self.err))

    @property
    def _as_parameter_(self) -> Any:
        return ctypes.byref(self.err)

    def list(self) -> list[Message]:
        return messages_of(self.err)

    def check(self, status: int, why: str = "") -> None:
        if status != _api.SAR_OK:
            raise failure(status, why, self.list())
        self.warn()

    def warn(self) -> None:
        for message in self.list():
            warnings.warn(str(message), SarrusWarning, stacklevel=4)


class Guard:
    """Calls of Python from the library: the first exception is kept, and raised where the library has returned."""

    def __init__(self) -> None:
        self.error: BaseException | None = None

    def __call__(self, function: Callable[..., Any], failed: Any) -> Callable[..., Any]:
        def guarded(*arguments: Any) -> Any:
            if self.error is not None:
                return failed
            try:
                return function(*arguments)
            except BaseException as error:  # also KeyboardInterrupt: it ends the call
                self.error = error
                return failed

        return guarded

    def check(self) -> None:
        if self.error is not None:
            error, self.error = self.error, None
            raise error


class _Memory:
    """Memory of the library as NumPy's array interface; keeps its owner alive as long as a view of it lives."""

    def __init__(self, address: int, shape: tuple[int, ...], owner: Any, writable: bool) -> None:
        self.owner = owner
        self.__array_interface__ = {
            "shape": shape,
            "typestr": np.dtype(np.float64).str,
            "data": (address, not writable),
            "version": 3,
        }


def view(pointer: Any, shape: int | tuple[int, ...], owner: Any, writable: bool = False) -> np.ndarray:
    """An array that is the library's own memory: no copy."""
    shape = (shape,) if isinstance(shape, int) else shape
    address = ctypes.cast(pointer, ctypes.c_void_p).value
    if not address or 0 in shape:
        return np.empty(shape)
    return np.asarray(_Memory(address, shape, owner, writable))


def taken(values: Any, size: int, what: str) -> np.ndarray:
    """A contiguous array of doubles of this size, from whatever the caller has."""
    array = np.ascontiguousarray(values, dtype=np.float64)
    if array.size != size:
        raise ArgumentError(_api.SAR_BAD_ARGUMENT, f"{what}: expected {size} numbers, found {array.size}")
    return array


def doubles(array: np.ndarray) -> Any:
    return array.ctypes.data_as(ctypes.POINTER(ctypes.c_double))


S = TypeVar("S", bound=ctypes.Structure)


def edited(options: S, wanted: dict[str, Any], what: str) -> S:
    """Options with the caller's wishes. Strings are kept alive by the structure's own references."""
    kinds = dict((name, kind) for name, kind, *_ in options._fields_)
    for name, value in wanted.items():
        if name not in kinds or name == "size":
            near = ", ".join(n for n in kinds if n != "size")
            raise TypeError(f"{what} takes no '{name}' (it takes {near})")
        if value is None:
            continue
        setattr(options, name, value.encode() if isinstance(value, str) else value)
    return options


def record(report: Any, skip: Sequence[str] = ()) -> dict[str, Any]:
    """The scalar members of a structure as a dictionary."""
    out: dict[str, Any] = {}
    for name, *_ in report._fields_:
        value = getattr(report, name)
        if name in skip or (not isinstance(value, (int, float, bool, bytes)) and value is not None):
            continue
        out[name] = text(value) if isinstance(value, bytes) else value
    return out


class Record(dict):
    """A dictionary whose members are attributes too."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self]
