"""Weights of whole models whose position tables the papers studied.

Revisions and digests were each confirmed in several independent public repositories that pin them.
"""

from positions.data.resources import Hub, Resource


def _weights(title: str, repo: str, revision: str, sha256: str, licence: str) -> Resource:
    return Resource(
        path=f"models/{repo}/model.safetensors",
        description=f"The weights of {title}",
        licence=licence,
        sha256=sha256,
        source=Hub(repo, "model.safetensors", revision),
    )


GPT2 = _weights(
    "GPT-2 (548 MB)",
    "openai-community/gpt2",
    "607a30d783dfa663caf39e06633721c8d4cfcd7e",
    "248dfc3911869ec493c76e65bf2fcf7f615828b0254c12b473182f0f81d3a707",
    "modified MIT",
)
BERT = _weights(
    "BERT base uncased (440 MB)",
    "google-bert/bert-base-uncased",
    "86b5e0934494bd15c9632b12f734a8a67f723594",
    "68d45e234eb4a928074dfd868cead0219ab85354cc53d20e772753c6bb9169d3",
    "Apache-2.0",
)
ROBERTA = _weights(
    "RoBERTa base (499 MB)",
    "FacebookAI/roberta-base",
    "e2da8e2f811d1448a5b465c236feacd80ffbac7b",
    "5bde1d28afb363d0103324efeb5afc8b2b397fe5e04beabb9b1ef355255ade81",
    "MIT",
)

RESOURCES = [GPT2, BERT, ROBERTA]
