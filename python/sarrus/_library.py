"""Finds and loads the shared library, and declares its functions."""

from __future__ import annotations

import ctypes
import ctypes.util
import os
from pathlib import Path

from . import _api


def _candidates() -> list[str]:
    """Where the library may be, the most particular place first."""
    here = Path(__file__).resolve().parent
    places = []
    if "SARRUS_LIBRARY" in os.environ:
        return [os.environ["SARRUS_LIBRARY"]]
    places.append(here / "libsarrus.so")  # inside the package, as pip installs it
    note = here / "_installed"  # `make install` writes where the library is, seen from here
    named = []
    if note.exists():
        name = note.read_text().strip()
        if "/" in name:
            places.append(here / name)
        else:
            named.append(name)  # a package of the system: by its SONAME, where the linker looks
    places.append(here.parent.parent / "build" / "libsarrus.so")  # a checkout
    found = [str(p) for p in places if p.exists()]
    system = ctypes.util.find_library("sarrus")
    return found + named + ([system] if system else [])


def _load() -> ctypes.CDLL:
    tried = []
    for path in _candidates():
        try:
            library = ctypes.CDLL(path)
        except OSError as error:
            tried.append(f"{path}: {error}")
            continue
        _declare(library, path)
        return library
    raise ImportError(
        "the library of Sarrus cannot be loaded: build it with `make`, install it with `make install`, "
        "or name it in the environment variable SARRUS_LIBRARY" + "".join(f"\n  {t}" for t in tried)
    )


def _declare(library: ctypes.CDLL, path: str) -> None:
    for name, (result, arguments, doc) in _api.FUNCTIONS.items():
        try:
            function = getattr(library, name)
        except AttributeError:
            raise ImportError(f"{path} is older than this package: it has no {name}") from None
        function.restype = result
        function.argtypes = arguments
        function.__doc__ = doc


lib = _load()
