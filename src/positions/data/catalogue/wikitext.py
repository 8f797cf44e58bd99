"""WikiText: Wikipedia articles, word by word with rare words replaced (v1) or as written (raw)."""

from positions.data.resources import Resource, Url

LICENCE = "CC BY-SA 3.0"

# The repository holds the files of wikitext-2-v1 byte for byte.
WORDS = (
    "https://raw.githubusercontent.com/pytorch/examples/main/word_language_model/data/wikitext-2"
)
RAW = (
    "https://huggingface.co/datasets/ggml-org/ci/resolve/"
    "927b3642933080f1b0e811e2f916e14c292992f9/wikitext-2-raw-v1.zip"
)

WORD_LEVEL = {
    "train": "9e9fa1ad55b1c2c95b08e37dd8e653f638fac2c6de904b79e813611eefbc985f",
    "valid": "f0737ed31fc1329026e95cb8b98e19c2a182c39c240ab909dc31abf2f8af58e8",
    "test": "d790b833ef8cf03a90db7bf1271b7520b83c45ce07ba3c1a9699df81e239eca0",
}
AS_WRITTEN = {
    "train": "6707892fa3788b5ab9ed78ab5ff37d9fe825f6011a2ad4fcd6a6d467f0e7da57",
    "valid": "4cd0f6876d07a413aa911261ff6d363c72d757d47f0fdd6015702014c89cb9c7",
    "test": "173c87a53759e0201f33e0ccf978e510c2042d7f2cb78229d9a50d79b9e7dd08",
}
WIKITEXT_103 = {
    "valid": "15b7f2ed2b5ef52181783049c59b703cee40b3066dbd8874e6d73522f4a73d9b",
    "test": "05dcada09842c6ea95c637e76e1beec7fb769791225b5d84933c131b620fcf85",
}

RESOURCES = [
    *(
        Resource(
            path=f"wikitext-2/wiki.{part}.tokens",
            description=f"WikiText-2, {part}, word level",
            licence=LICENCE,
            sha256=sha256,
            source=Url(f"{WORDS}/{part}.txt"),
        )
        for part, sha256 in WORD_LEVEL.items()
    ),
    *(
        Resource(
            path=f"wikitext-2/wiki.{part}.raw",
            description=f"WikiText-2, {part}, as written",
            licence=LICENCE,
            sha256=sha256,
            source=Url(RAW, member=f"wikitext-2-raw/wiki.{part}.raw"),
        )
        for part, sha256 in AS_WRITTEN.items()
    ),
    *(
        Resource(
            path=f"wikitext-103/{part}.txt",
            description=f"WikiText-103, {part}, one quoted CSV field a line",
            licence=LICENCE,
            sha256=sha256,
            how=(
                "the Hugging Face data set Salesforce/wikitext, configuration "
                "wikitext-103-raw-v1, holds the text in another form (Parquet)."
            ),
        )
        for part, sha256 in WIKITEXT_103.items()
    ),
]
