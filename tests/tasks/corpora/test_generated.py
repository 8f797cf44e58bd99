"""The made-up language."""

from positions.tasks.corpora import generated, load, missing


def test_it_is_always_the_same_and_always_there() -> None:
    assert missing(generated.NAME) is None
    one = load(generated.NAME)
    generated.load.cache_clear()
    again = load(generated.NAME)
    assert one == again and one is not again


def test_its_parts_are_drawn_apart() -> None:
    corpus = load(generated.NAME)
    assert {part: len(getattr(corpus, part)) for part in generated.DOCUMENTS} == generated.DOCUMENTS
    assert not set(corpus.train) & set(corpus.test)
    sentences = {text.strip() for text in corpus.train[0].split(" . ")}
    assert len(sentences) > 20 and all(len(text.split()) >= 6 for text in sentences)
