"""Where each published table comes from."""

_LOGS = "the authors' run logs (McGill-NLP/length-generalization, results), per run, 4 decimals"
_DRAWN = (
    "read from the vector figures in the authors' repository; the same reading of figures whose "
    "logs are published is right to 1e-5"
)

SOURCES = {
    "position-embeddings/tables": (
        "Wang & Chen 2020, Tables 1 and 2, from a secondary copy of both tables; the figures of "
        "their later tables are not at hand."
    ),
    "position-embeddings/classification": (
        "Wang & Chen 2020, Table 3, accuracies of text classification in percent: not at hand, so "
        "that the cells wait to be filled in from the paper. What is not printed there stays empty."
    ),
    "position-embeddings/language-modelling": (
        "Wang & Chen 2020, section 5.2, perplexities of language models: not at hand, so that the "
        "cells wait to be filled in from the paper. They are those of the runs that the authors' "
        "code lists; what is not printed there stays empty."
    ),
    "position-embeddings/translation": (
        "Wang & Chen 2020, section 5.3, BLEU of translations by the tables of encoder and decoder: "
        "not at hand, so that the cells wait to be filled in from the paper. They are those of the "
        "runs that the authors' code lists; what is not printed there stays empty."
    ),
    "length-generalization/1b_perplexity": (
        "Kazemnejad et al. 2023, Appendix F: perplexity of the 1.3-billion-parameter models by "
        "length of the left context and of the document."
    ),
    "length-generalization/accuracy_by_length_math_tasks": (
        "Kazemnejad et al. 2023, mathematical and reasoning tasks, means over three seeds: "
        f"{_DRAWN}."
    ),
    "length-generalization/accuracy_by_length_seed": (
        f"Kazemnejad et al. 2023, primitive and classic tasks by length and seed: {_LOGS}."
    ),
    "length-generalization/addition_full_scratchpad_by_operand_lengths": (
        f"Kazemnejad et al. 2023, addition with the full scratchpad by digits: {_LOGS}."
    ),
    "length-generalization/attention_distance_hist": (
        f"Kazemnejad et al. 2023, Figure 7, attended distance on addition: {_DRAWN}."
    ),
    "length-generalization/attention_divergence_scan": (
        f"Kazemnejad et al. 2023, Figures 4 and F.7, divergence of attention on SCAN: {_DRAWN}."
    ),
    "length-generalization/mrr": (
        "Kazemnejad et al. 2023, mean reciprocal ranks: the authors' notebook, their Figure 2, and "
        "the same recomputed from the published runs; the column `source` says which."
    ),
    "length-generalization/runs": (
        f"Kazemnejad et al. 2023, one row a run: {_LOGS}, with sizes, checkpoints and times."
    ),
    "length-generalization/runtime_efficiency": (
        "Kazemnejad et al. 2023, the authors' repository: time and memory by length on a V100."
    ),
    "length-generalization/scratchpad_ood_accuracy": (
        f"Kazemnejad et al. 2023, accuracy beyond the training lengths by scratchpad: {_DRAWN}."
    ),
    "length-generalization/summary_iid_ood": (
        "Kazemnejad et al. 2023, accuracy within and beyond the training lengths: run logs where "
        "published, else read from the figures; the column `source` says which."
    ),
    "length-generalization/xsmall_models_early": (
        "Kazemnejad et al. 2023, the authors' repository: early runs of 2.2-million-parameter "
        "models on copying."
    ),
}
