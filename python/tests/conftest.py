"""Models of the checkout, whatever folder the tests run in."""
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def example():
    return lambda name: str(TOP / "examples" / name)
