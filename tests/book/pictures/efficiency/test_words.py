from positions.book.pictures.efficiency import tables, words

ALL = ["nope", "sinusoidal", "t5", "alibi", "rotary"]
OURS = "Quick CPU @ 2.00GHz"


def test_the_dearest_and_the_cheapest_are_named_for_each_machine(records) -> None:
    said = words.dearest(tables.together(records, ALL), "forward")
    assert f"On a {tables.PUBLISHED}, at 2,001 tokens, T5's bias takes 1.86 times" in said
    assert f"On {OURS}, at 2,001 tokens, T5's bias takes 1.50 times NoPE's time" in said
    assert "from 1.00 (the sinusoid) to 1.30 (Rotary on whole heads)" in said


def test_the_shortest_input_has_a_sentence_of_its_own() -> None:
    said = words.dearest(tables.together([], ALL), "forward", shortest=True)
    assert said.startswith(f"On a {tables.PUBLISHED}, at 1 token, Rotary takes 2.64 times")


def test_equal_costs_are_called_equal(record) -> None:
    table = tables.ours([record(ratios={"nope": 1.0, "alibi": 1.02, "t5": 0.99})], ALL)
    assert words.dearest(table, "forward").endswith("all take NoPE's time to within 5%.")
    single = tables.ours([record(ratios={"nope": 1.0, "alibi": 1.02})], ALL)
    assert "ALiBi takes NoPE's time" in words.dearest(single, "forward")


def test_two_encodings_are_told_in_one_sentence(record) -> None:
    table = tables.ours([record(ratios={"nope": 1.0, "alibi": 1.2, "t5": 2.0})], ALL)
    assert words.dearest(table, "forward").endswith("2.00 times NoPE's time, ALiBi 1.20.")


def test_memory_has_its_own_word(records) -> None:
    said = words.dearest(tables.ours(records, ALL), "forward", value="mib_times_nope")
    assert "T5's bias takes 1.50 times NoPE's memory" in said


def test_biases_of_one_size_are_compared(records) -> None:
    said = words.biases(tables.together(records, ALL))
    assert "T5's bias takes 1.86 times NoPE's time and ALiBi 1.09 times, in 1.33 and 1.33" in said
    assert f"On {OURS} T5's bias takes 1.50 times" in said


def test_impossible_times_are_named() -> None:
    said = words.below(tables.together([], ALL), "training")
    assert "ALiBi (0.76)" in said
    assert words.below(tables.ours([], ALL), "training") == "No time is below NoPE's."


def test_both_ways_are_compared(records) -> None:
    said = words.ways(tables.ours(records, ALL))
    assert "T5's bias costs 3.00 times NoPE's time, and 1.50 times with attention" in said
    assert "a training step" in said


def test_conditions_tell_a_quiet_machine_from_a_busy_one(record) -> None:
    quiet = words.conditions([record(load=0.2), record(length=1, load=1.1)])
    assert quiet.endswith("1 thread, 2026-01-01; load average 0.2 to 1.1.")
    busy = words.conditions([record(load=7.0, threads=2)])
    assert "2 threads" in busy
    assert "other work" in busy
    assert "load" not in words.conditions([record(load=None)])


def test_conditions_of_several_machines_stand_apart(record) -> None:
    said = words.conditions([record(), record(machine="Another")])
    assert said.count("Measured on") == 2


def test_nope_alone_is_compared_with_nothing(records) -> None:
    table = tables.ours(records, ["nope"])
    said = words.dearest(table, "forward")
    assert said == f"On {OURS}, at 2,001 tokens, NoPE takes 2,001 ms."
    assert words.dearest(table, "forward", value="mib_times_nope").endswith("NoPE takes 2 MiB.")
    assert words.below(table, "training").endswith("NoPE takes 2,001 ms.")
    for sentence in (said, words.ways(table), words.biases(table)):
        assert "1.00" not in sentence and "Nothing is recorded" not in sentence
    assert "with NoPE at 2,001 tokens is 1.0 times as fast" in words.ways(table)


def test_without_records_that_is_said() -> None:
    nothing = tables.ours([], ALL)
    assert words.conditions([]) == "Nothing is recorded yet."
    for said in (words.dearest(nothing, "forward"), words.biases(nothing), words.ways(nothing)):
        assert said.endswith(".")
        assert "nan" not in said
