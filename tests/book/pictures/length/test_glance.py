from positions.book.pictures.length import glance


def cells(picture):
    (rows,) = picture.chart.to_dict()["datasets"].values()
    return {(row["whose"], row["task"], row["variant"]): row for row in rows}


def test_who_has_not_learned_a_task_is_not_its_best(look, run):
    records = [
        run("parity", "nope", beyond=0.8),
        run("parity", "t5", within=0.5, beyond=0.9),
        run("parity", "alibi", beyond=0.6),
    ]
    found = cells(glance.beyond(look(records, names=["parity"])))
    assert found["ours", "parity", "nope"]["best"]
    assert not found["ours", "parity", "t5"]["best"]
    assert not found["ours", "parity", "t5"]["learned"]
    assert found["ours", "parity", "t5"]["percent"] == 90
    assert found["published", "parity", "nope"]["percent"] == 74.9


def test_one_encoding_alone_is_not_framed(look, run):
    picture = glance.beyond(look([run("parity", "t5", beyond=0.9)], ["t5"], ["parity"]))
    assert not any(row["best"] for row in cells(picture).values())
    assert "framed" not in picture.description


def test_words_count_and_name_what_falls_short(look, run):
    records = [
        run("parity", "nope", seed=0),
        run("parity", "nope", seed=1, within=0.2),
        run("lego", "nope", seed=0, within=0.1),
        run("lego", "nope", seed=1, within=None, beyond=None),
    ]
    said = glance.learned(look(records))
    assert said.startswith("Of 4 runs, 1 solve")
    assert "1 diverged" in said
    assert "`parity` (all encodings, some of the seeds) and `lego` (all encodings)" in said
    assert "Short of that" not in glance.learned(look(records[:1]))
