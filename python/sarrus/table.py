"""Tables of results: named columns, rows of doubles."""

from __future__ import annotations

import ctypes
import os
from typing import Any, Iterator

import numpy as np

from ._call import Messages, text, view
from ._library import lib


class Table:
    """table["arm.x"] is a column, table.columns are their names, table.values all rows (views, read only)."""

    def __init__(self, pointer: Any, owner: Any) -> None:
        """`owner` keeps the memory alive; None: the table itself frees it."""
        self._pointer, self._owner = pointer, owner
        n = lib.sar_table_columns(pointer)
        self.columns = tuple(text(lib.sar_table_name(pointer, i)) for i in range(n))
        shape = (lib.sar_table_rows(pointer), n)
        keeper = owner if owner is not None else _Keeper(pointer)
        self._keeper = keeper
        self.values: np.ndarray = view(lib.sar_table_values(pointer), shape, keeper)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Table:
        """From FILE.csv or FILE.h5."""
        pointer, messages = ctypes.c_void_p(), Messages()
        messages.check(lib.sar_table_load(os.fsencode(path), ctypes.byref(pointer), messages))
        return cls(pointer, None)

    def save(self, path: str | os.PathLike[str], digits: int = 17) -> None:
        """To FILE.csv or FILE.h5."""
        messages = Messages()
        messages.check(lib.sar_table_save(self._pointer, os.fsencode(path), digits, messages))

    def __getitem__(self, name: str) -> np.ndarray:
        i = lib.sar_table_find(self._pointer, name.encode())
        if i < 0:
            from .model import _near

            raise KeyError(f"no column '{name}' ({_near(name, self.columns)})")
        return self.values[:, i]

    def __contains__(self, name: str) -> bool:
        return name in self.columns

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.values)

    def to_dict(self) -> dict[str, np.ndarray]:
        """{name: column}, for pandas.DataFrame and the like."""
        return {name: self.values[:, i] for i, name in enumerate(self.columns)}

    def __repr__(self) -> str:
        return f"<sarrus.Table: {len(self)} rows of {', '.join(self.columns[:6])}{', ...' if len(self.columns) > 6 else ''}>"

    def __reduce__(self) -> Any:
        return PlainTable, (self.columns, np.array(self.values))


class PlainTable(Table):
    """A table whose numbers are Python's: what a table becomes when it is pickled."""

    def __init__(self, columns: tuple[str, ...], values: np.ndarray) -> None:
        self.columns, self.values, self._pointer = columns, values, None

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self.columns:
            raise KeyError(f"no column '{name}'")
        return self.values[:, self.columns.index(name)]

    def save(self, path: str | os.PathLike[str], digits: int = 17) -> None:
        np.savetxt(path, self.values, f"%.{digits}g", ",", header=",".join(self.columns), comments="")


class _Keeper:
    def __init__(self, pointer: Any) -> None:
        self.pointer = pointer

    def __del__(self) -> None:
        if self.pointer:
            lib.sar_table_free(self.pointer)
            self.pointer = None
