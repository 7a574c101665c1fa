"""The window: a mechanism in the browser, or in a notebook."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from .model import Model


def _program() -> str:
    """The program `sarrus`, which has the window."""
    named = os.environ.get("SARRUS_PROGRAM")
    built = Path(__file__).resolve().parent.parent.parent / "build" / "sarrus"
    found = named or (str(built) if built.exists() else shutil.which("sarrus"))
    if not found:
        raise FileNotFoundError("the program 'sarrus' is not on the PATH: `make install` puts it there")
    return found


def html(model: Model | str | os.PathLike[str], path: str | os.PathLike[str], end: float | None = None) -> None:
    """Writes one self-contained file that replays a run of the model, without a network."""
    source = _source(model)
    command = [_program(), "view", source, "--html", os.fspath(path), "--force"]
    if end is not None:
        command += ["--end", repr(float(end))]
    if isinstance(model, Model):
        for name, value in model._recipe["parameters"].items():
            command += ["--set", f"{name}={value!r}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.strip() or f"sarrus view ended with status {done.returncode}")


def view(model: Model | str | os.PathLike[str], *, end: float | None = None, inline: bool | None = None) -> Any:
    """Shows a model: in a notebook as a replay within the page, else in a window of the browser, live.

    Gives the inline element, or the process that serves the window (its terminate() closes it)."""
    if inline is None:
        inline = _in_notebook()
    if not inline:
        return subprocess.Popen([_program(), "view", _source(model)])
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "view.html")
        html(model, path, end)
        return Inline(Path(path).read_text())


class Inline:
    """A page that notebooks show in place."""

    def __init__(self, page: str, height: int = 480) -> None:
        self.page, self.height = page, height

    def _repr_html_(self) -> str:
        from html import escape

        return f'<iframe srcdoc="{escape(self.page, quote=True)}" width="100%" height="{self.height}" style="border:0"></iframe>'


def _source(model: Model | str | os.PathLike[str]) -> str:
    if not isinstance(model, Model):
        return os.fspath(model)
    if model._recipe["_text"] is not None or not isinstance(model._recipe["source"], str):
        raise ValueError("the window shows models of files: save this one first")
    return str(model._recipe["source"])


def _in_notebook() -> bool:
    try:
        shell = get_ipython()  # type: ignore[name-defined]
    except NameError:
        return False
    return type(shell).__name__ == "ZMQInteractiveShell"
