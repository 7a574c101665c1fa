"""Builds a wheel from a checkout (PEP 517): the package and the shared library, which CMake makes.

`pip install .` calls this, and needs no network: a compiler, CMake and the libraries of `tools/install-deps build`.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import subprocess
import sysconfig
import tempfile
import zipfile
from pathlib import Path
from typing import Any

TOP = Path(__file__).resolve().parent.parent
PACKAGE = TOP / "python" / "sarrus"


def _version() -> str:
    """Of the project, as CMakeLists.txt has it."""
    found = re.search(r"project\(sarrus VERSION ([\d.]+)", (TOP / "CMakeLists.txt").read_text())
    assert found, "CMakeLists.txt names no version"
    return found.group(1)


def _library(folder: Path) -> Path:
    """Builds the shared library."""
    jobs = str(os.cpu_count() or 2)
    subprocess.run(["cmake", "-S", TOP, "-B", folder, "-DCMAKE_BUILD_TYPE=Release", "--log-level=WARNING"], check=True)
    subprocess.run(["cmake", "--build", folder, "--parallel", jobs, "--target", "sarrus"], check=True)
    return (folder / "libsarrus.so").resolve()


def _metadata() -> str:
    summary = "Real-time multibody dynamics: mechanisms, robots, vehicles, rotors"
    lines = ["Metadata-Version: 2.1", "Name: sarrus", f"Version: {_version()}", f"Summary: {summary}"]
    lines += ["Requires-Python: >=3.9", "Requires-Dist: numpy", "Description-Content-Type: text/markdown", ""]
    return "\n".join([*lines, (TOP / "README.md").read_text()])


class _Wheel:
    """A zip that lists what it holds with hashes, as wheels do."""

    def __init__(self, path: Path, tag: str) -> None:
        self.zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self.info = f"sarrus-{_version()}.dist-info"
        self.rows: list[str] = []
        self.add(f"{self.info}/METADATA", _metadata().encode())
        pure = "false" if "linux" in tag else "true"
        wheel = f"Wheel-Version: 1.0\nGenerator: sarrus\nRoot-Is-Purelib: {pure}\nTag: {tag}\n"
        self.add(f"{self.info}/WHEEL", wheel.encode())
        self.add(f"{self.info}/LICENSE", (TOP / "LICENSE").read_bytes())

    def add(self, name: str, content: bytes) -> None:
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        self.rows.append(f"{name},sha256={digest},{len(content)}")
        self.zip.writestr(name, content)

    def close(self) -> None:
        record = f"{self.info}/RECORD"
        self.zip.writestr(record, "\n".join([*self.rows, f"{record},,", ""]))
        self.zip.close()


def _build(directory: str, content: dict[str, bytes]) -> str:
    tag = "py3-none-" + re.sub(r"[-.]", "_", sysconfig.get_platform())
    name = f"sarrus-{_version()}-{tag}.whl"
    wheel = _Wheel(Path(directory) / name, tag)
    for path, data in content.items():
        wheel.add(path, data)
    wheel.close()
    return name


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: Any = None) -> str:
    files = {f"sarrus/{p.name}": p.read_bytes() for p in sorted(PACKAGE.iterdir()) if p.suffix == ".py" or p.name == "py.typed"}
    with tempfile.TemporaryDirectory() as folder:
        files["sarrus/libsarrus.so"] = _library(Path(folder)).read_bytes()
    return _build(wheel_directory, files)


def build_editable(wheel_directory: str, config_settings: Any = None, metadata_directory: Any = None) -> str:
    """`pip install -e .`: the package of the checkout, with the library of its build folder."""
    return _build(wheel_directory, {"sarrus.pth": f"{PACKAGE.parent}\n".encode()})


def build_sdist(sdist_directory: str, config_settings: Any = None) -> str:
    name = f"sarrus-{_version()}"
    path = Path(sdist_directory) / f"{name}.tar.gz"
    subprocess.run(["git", "archive", "--format=tar.gz", f"--prefix={name}/", "-o", path, "HEAD"], cwd=TOP, check=True)
    return path.name
