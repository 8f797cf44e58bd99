"""Encoded examples: prompt, target, end."""

import pytest

from positions import tasks
from positions.errors import InvalidValueError


@pytest.mark.parametrize("name", tasks.names())
def test_the_boundary_lies_between_prompt_and_target(name):
    task = tasks.build(name)
    tokenizer = task.tokenizer()
    examples = task.examples("train", 1, 50)
    for each, encoded in zip(examples, tasks.encode(examples, tokenizer), strict=True):
        prompt, asked = encoded.ids[: encoded.prompt_length], encoded.ids[encoded.prompt_length :]
        assert tokenizer.decode(prompt) + " " == each.source
        assert tokenizer.decode(asked) == each.target
        assert asked[-1] == tokenizer.end_id
        assert tokenizer.end_id not in encoded.ids[:-1]
        assert tokenizer.pad_id not in encoded.ids
        assert encoded.chosen == tuple(i >= len(prompt) for i in range(len(encoded.ids)))


def test_another_tasks_tokenizer_is_refused():
    examples = tasks.build("lego").examples("train", 1, 5)
    with pytest.raises(InvalidValueError, match="Unknown symbol 'If'"):
        tasks.encode(examples, tasks.build("parity").tokenizer())
