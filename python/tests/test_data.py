"""Data: views of the engine's own arrays, copies, dynamics at an instant, against closed forms."""
import gc
import math
import sys

import numpy as np
import pytest

import sarrus

from test_models import PENDULUM


def test_views_alias():
    d = sarrus.Data(sarrus.Model(PENDULUM))
    d.q[0] = 0.25
    assert d.joint("hinge")[0][0] == 0.25
    d.set_joint("hinge", q=0.5, v=-1)
    assert d.q[0] == 0.5 and d.v[0] == -1
    assert d.q is d.q and d.q.base is not None  # one array, no copy made by reading it


def test_views_outlive_data():
    q = sarrus.Data(sarrus.Model(PENDULUM)).q
    gc.collect()
    filler = [np.full(1000, 7.0) for _ in range(100)]
    assert q[0] == pytest.approx(math.pi / 6)
    q[0] = 1
    del filler


def test_views_follow_steps():
    m = sarrus.Model(PENDULUM)
    s = sarrus.Sim(m)
    q = s.data.q
    before = q.ctypes.data
    s.advance(0.5)
    assert q[0] == s.data.joint("hinge")[0][0] and q.ctypes.data == before


def test_no_copies_in_a_loop():
    """Objects that steps leave behind: none for each, and no array is made by reading one."""
    s = sarrus.Sim(sarrus.Model(PENDULUM), step=1e-3, adaptive=False)
    d, out = s.data, np.empty(len(s.model.outputs))

    def left_behind(steps):
        gc.collect()
        blocks = sys.getallocatedblocks()
        for _ in range(steps):
            d.tau[0] = -d.v[0]
            s.step()
            s.outputs(out)
        gc.collect()
        return sys.getallocatedblocks() - blocks

    left_behind(100)
    assert min(left_behind(2000) for _ in range(3)) < 200  # not one for every step


def test_pendulum_closed_forms():
    m = sarrus.Model(PENDULUM)
    d = sarrus.Data(m)
    inertia, weight = 0.5 / 3, 0.5 * 9.81 * 0.5
    a = d.forward_dynamics()[0]
    assert abs(a) == pytest.approx(weight * math.sin(math.pi / 6) / inertia, rel=1e-3)
    assert d.inverse_dynamics([0])[0] == pytest.approx(-a * inertia)
    assert d.inverse_dynamics([a])[0] == pytest.approx(0, abs=1e-14)
    r = sarrus.Derivatives(m).forward(d)
    assert r.a_q[0, 0] == pytest.approx(a / math.tan(math.pi / 6))
    assert r.a_tau[0, 0] == pytest.approx(1 / inertia)


def test_kinematics_of_bodies(example):
    m = sarrus.Model(example("pd_arm.yaml"))
    d = sarrus.Data(m)
    d.v = [0.3, -0.2]
    body = m.bodies[-1]
    point = [0.1, 0, 0.2]
    angular, linear = d.velocity(body, point)
    assert np.allclose(d.jacobian(body, point) @ d.v, np.r_[angular, linear])
    position, rotation = d.pose(body)
    assert np.allclose(rotation @ rotation.T, np.eye(3)) and position.shape == (3,)


def test_copy_save_load(tmp_path, example):
    m = sarrus.Model(example("stack.yaml"))
    s = sarrus.Sim(m)
    s.advance(0.2)
    copy = s.data.copy()
    s.data.save(tmp_path / "state")
    loaded = sarrus.Data(m)
    loaded.load(tmp_path / "state")
    assert copy.state_hash() == loaded.state_hash() == s.data.state_hash()
    s.advance(0.4)
    for d in (copy, loaded):
        sarrus.Sim(m, d).advance(0.4)
        assert d.state_hash() == s.data.state_hash()
    assert s.data.contacts() and s.data.contacts()[0].normal.shape == (3,)
    with pytest.raises(sarrus.Error):
        sarrus.Data(sarrus.Model(PENDULUM)).load(tmp_path / "state")


def test_sizes_are_checked():
    d = sarrus.Data(sarrus.Model(PENDULUM))
    with pytest.raises(sarrus.ArgumentError, match="expected 1 numbers, found 2"):
        d.inverse_dynamics([1, 2])
    with pytest.raises(ValueError):
        d.q = [1, 2]
    with pytest.raises(sarrus.NotOfferedError):
        sarrus.Data(sarrus.Model("examples/double_fourbar.yaml")).forward_dynamics()


def test_one_object_is_not_taken_for_another():
    m, d = sarrus.Model(PENDULUM), sarrus.Data(sarrus.Model(PENDULUM))
    for call in (sarrus.modes, sarrus.statics, sarrus.linearize, lambda x: sarrus.floquet(x, 1.0), d.copy_from):
        with pytest.raises(TypeError, match=r"expected a sarrus.Data, found Model \(sarrus.Data\(model\)"):
            call(m)
    for call in (sarrus.Data, sarrus.Sim, sarrus.kinematics, sarrus.inverse, sarrus.Derivatives):
        with pytest.raises(TypeError, match="expected a sarrus.Model, found Data"):
            call(d)
    with pytest.raises(TypeError, match="expected a sarrus.Data, found Model"):
        sarrus.Sim(m, m)
    with pytest.raises(TypeError, match="expected a sarrus.Data, found Model"):
        sarrus.run(m, start=m)
    with pytest.raises(TypeError, match="expected a sarrus.Model, found Data"):
        sarrus.Batch([d])
    with pytest.raises(TypeError, match="expected a sarrus.Model, found Data"):
        sarrus.reduce(d, "reduced.yaml")
    with pytest.raises(TypeError, match="expected a sarrus.Data, found Model"):
        sarrus.Derivatives(m).forward(m)
