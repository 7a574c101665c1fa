"""Models: what they are made of, mistakes with their places, texts and dictionaries, pickles."""
import math
import pickle
import warnings

import numpy as np
import pytest

import sarrus

PENDULUM = {
    "sarrus": 1,
    "name": "pendulum",
    "parameters": {"L": 1},
    "bodies": {"rod": {"rod": [[0, 0, 0], [0, 0, "-L"]], "mass": 0.5}},
    "joints": {"hinge": {"revolute": ["ground", "rod"], "at": [0, 0, 0], "axis": "y", "position": "30 deg"}},
    "outputs": ["energy", "joints"],
}


def test_names_and_sizes(example):
    m = sarrus.Model(example("pd_arm.yaml"))
    assert m.name == "pd_arm" and m.nq == m.nv == 2
    assert m.joints == ("shoulder", "elbow") and m.inputs == ("reach",)
    assert m.joint("elbow").kind == "revolute" and m.joint("elbow").role == "tree"
    assert m.mass() == pytest.approx(sum(m.mass(b) for b in m.bodies))
    assert m.limits("elbow").upper.shape == (1,)
    with pytest.raises(KeyError, match="did you mean 'elbow'"):
        m.joint("elbwo")
    with pytest.raises(IndexError):
        m.joint(7)


def test_dictionary_text_and_parameters():
    for m in (sarrus.Model(PENDULUM, parameters={"L": 2}),
              sarrus.Model.parse(str(PENDULUM).replace("'", '"'), parameters={"L": 2})):
        d = sarrus.Data(m)
        assert d.joint("hinge")[0][0] == pytest.approx(math.pi / 6)
        # a rod about its end: m L^2 / 3
        assert d.mass_matrix()[0, 0] == pytest.approx(0.5 * 4 / 3)


def test_columns_and_files():
    m = sarrus.Model({"sarrus": 1, "include": ["rod.yaml"]}, files={"rod.yaml": str(PENDULUM).replace("'", '"')},
                     columns={"twice": "2*hinge.q"})
    y = dict(zip(m.outputs, sarrus.Sim(m).outputs()))
    assert y["twice"] == 2 * y["hinge.q"]


def test_all_mistakes_with_places():
    with pytest.raises(sarrus.ModelError) as caught:
        sarrus.Model.parse("sarrus: 1\nbodies: {a: {mas: 1}}\njoints: {j: {revolut: [ground, a]}}\n", name="wrong.yaml")
    messages = caught.value.messages
    assert [(m.file, m.line, m.column) for m in messages] == [("wrong.yaml", 2, 14), ("wrong.yaml", 3, 14)]
    assert messages[0].hint == "did you mean 'mass'?" and "wrong.yaml:2:14" in str(caught.value)
    assert caught.value.status == "bad_model"
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value) and again.messages == messages


def test_missing_file():
    with pytest.raises(sarrus.Error, match="nowhere.yaml"):
        sarrus.Model("nowhere.yaml")


def test_pickles(example):
    m = pickle.loads(pickle.dumps(sarrus.Model(example("pendulum.yaml"), parameters={"L": 0.7})))
    d = sarrus.Data(m)
    sarrus.Sim(m, d, step=1e-3, adaptive=False).advance(0.3)
    again = pickle.loads(pickle.dumps(d))
    assert again.state_hash() == d.state_hash() and again.time == d.time
    sims = [sarrus.Sim(x.model, x, step=1e-3, adaptive=False) for x in (d, again)]
    for s in sims:
        s.advance(0.6)
    assert np.array_equal(d.q, again.q)


def test_warnings_are_python_warnings(example):
    m = sarrus.Model(example("pd_arm.yaml"))
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        sarrus.linearize(sarrus.Data(m))
    assert any(issubclass(w.category, sarrus.SarrusWarning) for w in seen)


def test_wrong_option():
    with pytest.raises(TypeError, match="takes no 'stp'"):
        sarrus.Sim(sarrus.Model(PENDULUM), stp=1)
