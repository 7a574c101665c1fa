"""Runs, callbacks, functions of Python in a model, batches and rollouts, threads."""
import threading

import numpy as np
import pytest

import sarrus

from test_models import PENDULUM


def test_run_by_column(example):
    r = sarrus.run(sarrus.Model(example("pendulum.yaml")), end=2)
    assert r.time[0] == 0 and r.time[-1] == 2 and len(r) == len(r["hinge.q"])
    assert r.status == "ok" and r.report.energy_error_max < 1e-8
    assert not r.values.flags.writeable
    assert set(r.to_dict()) == set(r.columns)
    with pytest.raises(KeyError, match="did you mean"):
        r["hinge.qq"]


def test_run_is_the_program(tmp_path, example):
    """The table and its file say the same."""
    r = sarrus.run(example("pendulum.yaml"), times=[0.5, 1.0])
    assert list(r.time) == [0.5, 1.0] or list(r.time) == [0.0, 0.5, 1.0]
    r.save(tmp_path / "r.csv")
    again = sarrus.Table.load(tmp_path / "r.csv")
    assert again.columns == r.columns and np.array_equal(again.values, r.values)


def test_same_bits_step_by_step():
    m = sarrus.Model(PENDULUM)
    r = sarrus.run(m, end=0.5, output_step=0.5, integrator="rk4", step=1e-3, adaptive=False)
    s = sarrus.Sim(m, integrator="rk4", step=1e-3, adaptive=False)
    s.advance(0.5)
    assert r["hinge.q"][-1] == s.data.q[0] and s.stats.steps == 500
    assert r.data.state_hash() == s.data.state_hash()


def test_exceptions_of_callbacks():
    m = sarrus.Model(PENDULUM)

    def row(values):
        if values[0] > 0.1:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        sarrus.run(m, end=1, on_row=row)
    with pytest.raises(KeyboardInterrupt):
        def interrupt(fraction):
            raise KeyboardInterrupt
        sarrus.run(m, end=1, progress=interrupt)


def test_failure_keeps_rows():
    model = {"sarrus": 1, "bodies": {"b": {"sphere": 0.1, "mass": 1}},
             "joints": {"j": {"prismatic": ["ground", "b"], "axis": "x", "force": "1/(0.5 - t)"}},
             "outputs": ["joints"]}
    with pytest.raises(sarrus.Error) as caught:
        sarrus.run(sarrus.Model(model), end=1, integrator="rk4", step=1e-3, adaptive=False)
    assert isinstance(caught.value, sarrus.NumericsError)
    assert 0 < caught.value.result.time[-1] <= 0.5


SAMPLED = {
    "sarrus": 1,
    "bodies": {"arm": {"rod": [[0, 0, 0], [1, 0, 0]], "mass": 1}},
    "joints": {"hinge": {"revolute": ["ground", "arm"], "at": [0, 0, 0], "axis": "z", "force": "u"}},
    "signals": {"u": {"call": ["hinge.q", "hinge.v"], "function": "pd", "states": 1, "period": 1e-2}},
    "outputs": ["joints"],
}


def test_functions_of_python():
    @sarrus.function(2, 1, 1)
    def pd(t, inputs, states, outputs):
        states[0] += 1
        outputs[0] = 5 * (1 - inputs[0]) - 2 * inputs[1]

    s = sarrus.Sim(sarrus.Model(SAMPLED, functions={"pd": pd}))
    s.advance(10)
    assert s.data.q[0] == pytest.approx(1, abs=1e-3)

    @sarrus.function(2, 1, 1)
    def broken(t, inputs, states, outputs):
        if t > 0.5:
            raise ZeroDivisionError("in the controller")

    with pytest.raises(ZeroDivisionError, match="in the controller"):
        sarrus.run(sarrus.Model(SAMPLED, functions={"pd": broken}), end=1)
    with pytest.raises(TypeError, match="sarrus.function"):
        sarrus.Model(SAMPLED, functions={"pd": lambda *a: None})


def test_threads_have_their_own_data():
    m = sarrus.Model(PENDULUM)
    ends = []

    def work():
        s = sarrus.Sim(m)
        s.advance(3)
        ends.append(s.data.state_hash())

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(ends) == 4 and len(set(ends)) == 1


def test_rollout_is_single_runs(example):
    m = sarrus.Model(example("pd_arm.yaml"))
    n, periods = 5, 6
    u = np.linspace(0, 1, n * periods).reshape(n, periods, 1)
    r = sarrus.rollout(m, u, period=0.01, threads=2, step=1e-3, outputs=True)
    assert r.q.shape == (n, periods, 2) and r.status == ["ok"] * n
    for i in range(n):
        s = sarrus.Sim(m, step=1e-3)
        for k in range(periods):
            s.data.inputs[0] = u[i, k, 0]
            s.advance((k + 1) * 0.01)
            assert np.array_equal(r.q[i, k], s.data.q) and np.array_equal(r.outputs[i, k], s.outputs())
    with pytest.raises(sarrus.ArgumentError, match="expected 5 x T x 1"):
        sarrus.Batch(m, 5).rollout(np.zeros((4, 2, 1)), 0.01)


def test_batch_of_parameters():
    models = [sarrus.Model(PENDULUM, parameters={"L": 1 + 0.1 * i}) for i in range(4)]
    b = sarrus.Batch(models, threads=2)
    view = b[2].q
    b.advance(0.5)
    del b
    assert len({d for d in view}) == 1
    with pytest.raises(sarrus.Error, match="not like"):
        sarrus.Batch([models[0], sarrus.Model("examples/pd_arm.yaml")])
