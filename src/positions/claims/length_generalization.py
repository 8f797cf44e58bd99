"""The 22 claims of Kazemnejad et al. 2023 (NeurIPS), and what would test each."""

from __future__ import annotations

from functools import partial

from positions.claims import length_figures as figures
from positions.claims.attention_tests import closest_to_t5, near_and_far, order_in_each_layer
from positions.claims.base import Claim, Evidence, Figure, Finding
from positions.claims.context_tests import alibi_steadier, alike_within, rotary_breaks_first
from positions.claims.length_costs import forward_over_nope, nope_costs_no_time
from positions.claims.length_ranks import leaders_of_groups, order_of_ranks
from positions.claims.length_settings import settings_matter_little
from positions.claims.length_tests import (
    ill_suited,
    nope_at_least_t5,
    perfect_within,
    rotary_like_absolute,
)
from positions.claims.length_winners import t5_best_in_most, winners_by_task
from positions.claims.scratchpad_tests import (
    best_format_differs,
    format_matters,
    helps_all_in_addition_only,
)
from positions.claims.theorems import absolute_positions, distances

_RANK = "mean reciprocal rank (1 is best)"
_BEYOND = "exact match beyond the training lengths (share)"
_POINTS = "0.05 in exact match, about the noise of three seeds"
_PLACES = "0.03 in rank: first and second change places in 3 of 51 queries"

STEPS = 40_000
"""Table 2: steps of every run."""

_SWEEP = "recorded runs of the length-generalization tasks for the encodings compared"
_ATTENTION = "recorded attention of models trained on the tasks"
_SCRATCHPAD = "recorded runs with and without scratchpad formats"
_LARGE = "recorded language models of each encoding, measured past their training context"
_PROOF = "a recorded check of the construction"

_claim = partial(Claim, "length-generalization")


def _same_steps(claim: Claim, evidence: Evidence) -> Finding:
    """Compare the published runs with what the paper says of them; no run of ours is needed."""
    steps = claim.published()
    same = all(value == STEPS for value in steps.values())
    told = ", ".join(f"{name} {value:,.0f}" for name, value in steps.items())
    return Finding(
        "reproduced" if same else "not reproduced",
        f"By the authors' own logs the PCFG runs took, in the mean over seeds: {told} steps; the "
        f"paper says {STEPS:,} for all.",
        tuple(Figure(name, value) for name, value in steps.items()),
    )


CLAIMS = (
    _claim(
        "C1",
        "abstract, Figure 1",
        "Ranked over all tasks, a decoder without any position encoding goes furthest beyond its "
        "training lengths; T5's bias comes second, then ALiBi, Rotary and absolute embeddings.",
        _RANK,
        _PLACES,
        _SWEEP,
        figures.rank,
        order_of_ranks,
        chapter="length-generalization",
    ),
    _claim(
        "C2",
        "abstract",
        "ALiBi, Rotary and absolute embeddings suit longer inputs badly: on average all three stay "
        "below NoPE and T5's bias.",
        _BEYOND,
        _POINTS,
        _SWEEP,
        figures.accuracy_beyond,
        ill_suited,
        chapter="length-generalization",
    ),
    _claim(
        "C3",
        "introduction, section 4",
        "Of the encodings that say anything about position, T5's bias is the best in most tasks.",
        "tasks of 17 in which each encoding is best",
        "a majority of the tasks",
        _SWEEP,
        figures.best_explicit,
        t5_best_in_most,
        chapter="length-generalization",
    ),
    _claim(
        "C4",
        "section 4",
        "Within the training lengths every encoding solves the tasks almost perfectly.",
        "exact match within the training lengths (share)",
        "0.03 below 1",
        _SWEEP,
        figures.accuracy_within,
        perfect_within,
        chapter="length-generalization",
    ),
    _claim(
        "C5",
        "sections 4 and 7",
        "Beyond the training lengths Rotary does as absolute embeddings do, not as relative ones.",
        "distance in exact match beyond the training lengths (share)",
        _POINTS,
        _SWEEP,
        figures.gaps_of_rotary,
        rotary_like_absolute,
        chapter="length-generalization",
    ),
    _claim(
        "C6",
        "section 4, Figure 2",
        "NoPE and T5's bias lead in each of the three groups of tasks.",
        _RANK,
        _PLACES,
        _SWEEP,
        figures.rank_by_group,
        leaders_of_groups,
        chapter="length-generalization",
    ),
    _claim(
        "C7",
        "section 4",
        "NoPE does at least as well as T5's bias.",
        "lead in exact match beyond the training lengths, and share of pairs won",
        _POINTS,
        _SWEEP,
        figures.nope_above_t5,
        nope_at_least_t5,
        chapter="length-generalization",
    ),
    _claim(
        "C8",
        "section 4",
        "NoPE costs no time; T5's bias can double the time of a forward pass.",
        "time of a forward pass at 2001 tokens, in multiples of NoPE's",
        "a tenth of NoPE's time",
        "recorded times of forward passes by length",
        forward_over_nope,
        nope_costs_no_time,
        chapter="efficiency",
    ),
    _claim(
        "C9",
        "Figure F.5, not in the text",
        "Which encoding wins depends on the task: ALiBi on polynomials and LEGO, Rotary on sorting "
        "numbers of several digits.",
        _BEYOND,
        _POINTS,
        _SWEEP,
        figures.task_winners,
        winners_by_task,
        chapter="length-generalization",
    ),
    _claim(
        "C10",
        "Theorem 1",
        "The first layer of a decoder without position encoding can write each token's absolute "
        "position into its hidden state.",
        "greatest distance of the constructed state from the position",
        "an error of 1e-9 in float64, of 1e-4 under RMS norm",
        _PROOF,
        test=absolute_positions,
        chapter="theory",
    ),
    _claim(
        "C11",
        "Theorem 2",
        "Its later layers can then make attention depend on content plus a function of distance.",
        "greatest distance of the constructed logits from content plus distance",
        "an error of 1e-9 in float64",
        _PROOF,
        test=distances,
        chapter="theory",
    ),
    _claim(
        "C12",
        "section 5.2, Figure 4",
        "Trained without encoding, attention comes closest to that of T5's bias, and is furthest "
        "from that of absolute embeddings and Rotary.",
        "divergence from NoPE's attention on SCAN as coded, mean over layers and lengths",
        "0.02 nats of the true divergence",
        _ATTENTION,
        figures.divergence_from_nope,
        closest_to_t5,
        chapter="attention",
    ),
    _claim(
        "C13",
        "section 5.2",
        "That order holds layer by layer.",
        "share of layers in which the order holds",
        "any gap, in the layer where it is least",
        _ATTENTION,
        figures.divergence_by_layer,
        order_in_each_layer,
        chapter="attention",
    ),
    _claim(
        "C14",
        "abstract, section 6, Figure 6",
        "A scratchpad does not always help with longer inputs; it helps all encodings in addition "
        "only.",
        "encodings of 5 that the best scratchpad helps",
        _POINTS,
        _SCRATCHPAD,
        figures.helped_by_scratchpad,
        helps_all_in_addition_only,
        chapter="scratchpad",
    ),
    _claim(
        "C15",
        "section 6",
        "How a scratchpad is written matters greatly.",
        "best minus worst format, mean over encodings (share)",
        _POINTS,
        _SCRATCHPAD,
        figures.spread_over_formats,
        format_matters,
        chapter="scratchpad",
    ),
    _claim(
        "C16",
        "section 6, Figure F.8",
        "The best way to write a scratchpad differs from encoding to encoding.",
        _RANK,
        "0.05 in rank",
        _SCRATCHPAD,
        figures.best_format,
        best_format_differs,
        chapter="scratchpad",
    ),
    _claim(
        "C17",
        "section 6.1, Figure 7",
        "NoPE and T5's bias attend both near and far, ALiBi near only, Rotary and absolute "
        "embeddings anywhere.",
        "share of answer tokens and heads whose most attended key is near, or far",
        "0.05 in share",
        _ATTENTION,
        figures.near_and_far,
        near_and_far,
        chapter="attention",
    ),
    _claim(
        "C18",
        "section 7, Appendix F",
        "Large language models reach the same perplexity within their context, whatever the "
        "encoding.",
        "perplexity",
        "0.05 nats a token, a twentieth of the perplexity",
        _LARGE,
        figures.perplexity_within,
        alike_within,
        chapter="context",
    ),
    _claim(
        "C19",
        "Appendix F",
        "Beyond their context of 1024 tokens Rotary breaks down at once, NoPE and ALiBi hold to "
        "about 1800.",
        "perplexity",
        "twice the perplexity within the context",
        _LARGE,
        figures.perplexity_beyond,
        rotary_breaks_first,
        chapter="context",
    ),
    _claim(
        "C20",
        "Appendix F",
        "Beyond 1800 tokens ALiBi is steadier than NoPE.",
        "perplexity",
        "a tenth of the perplexity",
        _LARGE,
        figures.perplexity_far_beyond,
        alibi_steadier,
        chapter="context",
    ),
    _claim(
        "C21",
        "Appendix D.2",
        "In a small grid, learning rate and weight decay make no difference that matters.",
        _BEYOND,
        "0.05 in exact match, beyond what another seed changes",
        "recorded runs over a grid of learning rates and weight decays",
        test=settings_matter_little,
        chapter="length-generalization",
    ),
    _claim(
        "C22",
        "Table 2",
        "All models were trained for 40,000 steps with the same settings.",
        "steps of the published PCFG runs",
        "any difference",
        "the published settings of the authors' runs",
        figures.steps_of_pcfg,
        _same_steps,
        chapter="length-generalization",
    ),
)
