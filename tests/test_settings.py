import pytest
from pydantic import Field, model_validator

from positions.errors import InvalidValueError
from positions.settings import Settings


class Size(Settings):
    width: int = Field(ge=1)
    rate: float = 0.5
    name: str = "a"

    @model_validator(mode="after")
    def _fits(self):
        if self.name == "wide" and self.width < 10:
            raise ValueError("a wide one has width of at least 10")
        return self


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"width": 1, "nmae": "b"},
            "unknown setting 'nmae'. Did you mean 'name'? Valid: name, rate",
        ),
        ({}, "setting 'width' is missing"),
        ({"width": 0}, "width = 0: input should be greater than or equal to 1"),
        ({"width": "3"}, "width = '3': input should be a valid integer"),
        ({"width": 1, "rate": float("nan")}, "rate = nan: input should be a finite number"),
        ({"width": 2, "name": "wide"}, "Size: a wide one has width of at least 10."),
        ({"width": 0, "rate": "x"}, "; rate = 'x'"),
    ],
)
def test_one_message_names_every_wrong_setting(given, message):
    with pytest.raises(InvalidValueError) as caught:
        Size(**given)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_changes_are_checked_and_leave_the_first_as_it_was():
    size = Size(width=3)
    assert size.changed(width=4) == Size(width=4)
    assert size.width == 3
    with pytest.raises(InvalidValueError, match="width = -1"):
        size.changed(width=-1)
    with pytest.raises(InvalidValueError, match="unknown setting 'depth'"):
        size.changed(depth=2)
