"""Analyses, against closed forms; the declarations against the headers."""
import ctypes
import math
import re
import shutil
import subprocess

import numpy as np
import pytest

import sarrus
from conftest import TOP

from test_models import PENDULUM


def test_modes_and_linearization():
    m = sarrus.Model(dict(PENDULUM, joints={"hinge": dict(PENDULUM["joints"]["hinge"], position=0)}))
    d = sarrus.Data(m)
    omega = math.sqrt(1.5 * 9.81)
    modes = sarrus.modes(d)
    assert modes.frequency[0] == pytest.approx(omega / (2 * math.pi), rel=1e-3)
    linear = sarrus.linearize(d, inputs=["hinge.tau"])
    assert linear.A.shape == (2, 2) and linear.inputs == ("hinge.tau",)
    assert linear.B[1, 0] == pytest.approx(6)  # 3 / (m L^2)
    assert np.allclose(sorted(linear.poles.imag), [-abs(modes.eigenvalues[0]), abs(modes.eigenvalues[0])])
    with pytest.raises(sarrus.ArgumentError):
        sarrus.linearize(d, inputs=["nobody"])


def test_statics():
    d = sarrus.Data(sarrus.Model(PENDULUM))
    rest = sarrus.statics(d)
    assert abs(d.q[0]) < 1e-9 and rest.unstable == 0 and rest.omega2[0] > 0
    assert rest.reactions["hinge"].force[2] == pytest.approx(0.5 * 9.81, rel=1e-3)


def test_assembly_kinematics_inverse(example):
    d = sarrus.Data(sarrus.Model(example("double_fourbar.yaml")))
    assert d.assemble().freedoms == 1
    m = sarrus.Model(example("landing_gear.yaml"))
    assert m.info.equations > 0
    driven = sarrus.Model(dict(PENDULUM, joints={"hinge": {"revolute": ["ground", "rod"], "at": [0, 0, 0], "axis": "y"}},
                               constraints={"swing": {"motion": "hinge", "value": "0.3*sin(t)"}}))
    table = sarrus.kinematics(driven, 0, 1, points=5)
    assert np.allclose(table["hinge.q"], 0.3 * np.sin(table["time"]))
    forces = sarrus.inverse(driven, 0, 1, points=5)
    assert any(name.endswith(".force") for name in forces.columns)


def test_choose_and_lists():
    choice = sarrus.choose(sarrus.Model(PENDULUM), step=1e-3)
    assert choice.formulation in sarrus.available("formulations") and choice.trials
    assert "revolute" in sarrus.available("joints")
    with pytest.raises(sarrus.ArgumentError):
        sarrus.available("wishes")


def test_everything_of_the_headers():
    """Every function is declared, and every struct has C's size and places."""
    text = "".join(p.read_text() for p in sorted((TOP / "include" / "sarrus").glob("*.h")))
    declared = set(re.findall(r"SAR_API [^;{]*?(sar_\w+)\(", text))
    here = {h for h in sarrus.api.FUNCTIONS}
    parts = {"status", "model", "data", "dynamics", "sim", "run", "analyses", "trim", "batch", "list", "realtime", "couple", "convert"}
    read = "".join((TOP / "include" / "sarrus" / f"{p}.h").read_text() for p in parts)
    assert set(re.findall(r"SAR_API [^;{]*?(sar_\w+)\(", read)) == here <= declared


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
def test_structs_are_those_of_c(tmp_path):
    structs = {n: s for n, s in vars(sarrus.api).items() if isinstance(s, type) and issubclass(s, ctypes.Structure)}
    lines = ["#include <sarrus/sarrus.h>", "#include <stdio.h>", "int main(void) {"]
    for name, struct in structs.items():
        lines.append(f'  printf("{name} %zu\\n", sizeof({name}));')
        for field, *_ in struct._fields_:
            lines.append(f'  printf("{name}.{field} %zu\\n", offsetof({name}, {field}));')
    (tmp_path / "sizes.c").write_text("\n".join([*lines, "}"]))
    subprocess.run(["cc", f"-I{TOP}/include", "-o", tmp_path / "sizes", tmp_path / "sizes.c"], check=True)
    said = subprocess.run([tmp_path / "sizes"], check=True, capture_output=True, text=True).stdout
    for line in said.splitlines():
        what, number = line.split()
        name, _, field = what.partition(".")
        ours = getattr(structs[name], field).offset if field else ctypes.sizeof(structs[name])
        assert ours == int(number), what


def test_declarations_are_up_to_date():
    subprocess.run([TOP / "tools" / "python-api", "--check"], check=True)
