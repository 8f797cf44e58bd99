"""Position tables that others trained, cut out of their models' weights as raw float32."""

from positions.data.resources import Resource

GPT2 = Resource(
    path="position-tables/gpt2/wpe.f32",
    description="GPT-2's position table (1024 x 768)",
    licence="modified MIT",
    sha256="29c69587e2af826b7c159c38620a32e549a925e6d9a0dc37cb563f377f5be772",
    how="it is the tensor wpe.weight of the weights of openai-community/gpt2, as raw float32.",
)

FINE_TUNES = {
    "a": (
        "ddey117/ABSA_Project_4",
        "315c40a7790247a7b2b61e42e91f8411ea03881c6da920045be1540d005d1537",
    ),
    "b": (
        "BWH-CEBI/CTPE_BERT",
        "49ddd38505a0911137eb68b3f0a5c369a15c0dc1a775e065fc2d4e89fb73de48",
    ),
    "c": (
        "Isabel-SIM/BERT-NLP-SENTIMENT-ANALYSIS",
        "c7f16ebc93ad62c20eba2fce04ccce580a7d190941730edb47a20064595d510c",
    ),
}

FINETUNED = {
    letter: Resource(
        path=f"position-tables/bert-base-uncased-finetuned/{letter}.f32",
        description=f"The position table of fine-tune {letter} of bert-base-uncased (512 x 768)",
        licence="Apache-2.0 (upstream)",
        sha256=sha256,
        how=(
            f"take the weights that the GitHub repository {repository} publishes and save their "
            "tensor bert.embeddings.position_embeddings.weight as raw little-endian float32."
        ),
    )
    for letter, (repository, sha256) in FINE_TUNES.items()
}

RESOURCES = [GPT2, *FINETUNED.values()]
