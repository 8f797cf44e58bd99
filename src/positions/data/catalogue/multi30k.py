"""Multi30k, task 1: English and German captions, as written and tokenised.

The address names the repository's branch; the digest pins the content.
"""

from positions.data.resources import Resource, Url

BASE = "https://raw.githubusercontent.com/multi30k/dataset/master/data/task1"

AS_WRITTEN = {
    "train.en": "460a15fbd157e34a7a9957ee388c1ca247fe47af3ef25fb50442af6c274e0fc6",
    "train.de": "2c2b73fd2b548fbcde3a875e0a78d6ee94d498bfdee6bd3eae3945779e9ddf72",
    "val.en": "1f2a23d992769b5b3d209b0a10dd0b77c08cceb1f20dfb97ed0aafa49d107227",
    "val.de": "660e09eb7e1da2f856ea13ee5ad3cf6d36b3d5b0b733c857e94c5747a3dfc660",
    "test_2016_flickr.en": "399a4382932c1aadd3ceb9bef1008d388a64c76d4ae4e9d4728c6f4301cac182",
    "test_2016_flickr.de": "4be6b5b3236b79c25475c6bb829800a7ce559e9ba7a1f6c2394fe4d40be46d16",
}
# Lower-cased, normalised, tokenised.
TOKENISED = {
    "train.en": "08925f8e0572bcd5a006702fc5fe20e2d77c6917d4eebd576fc20de6693c2119",
    "train.de": "cb5a23529b65ec2061f1dc446192a9c37382b63cc75f81a0be59d34894b3a505",
    "val.en": "46573ce391ae227f1c72f873392436a20ef18e0a6d518098cfbd70b77c8572ec",
    "val.de": "97232bd273eceb7207f689527386a97e4be2616b18ada47576bdaf96c8ae1f00",
    "test_2016_flickr.en": "5b7f32627cf99eced828311b955dae9800bb52bc8b91cf8b6526829e605b29d2",
    "test_2016_flickr.de": "c6a33d39d48f9f510de147651316cd9d918e09ad0219df734a2f16b6baccacc4",
}


def _captions(file: str, address: str, sha256: str) -> Resource:
    return Resource(
        path=f"multi30k/{file}",
        description=f"The captions of Multi30k, {file}",
        licence="see the repository's README",
        sha256=sha256,
        source=Url(f"{BASE}/{address}"),
    )


def _tokenised(file: str) -> str:
    """Return the name of a file's tokenised form."""
    part, language = file.rsplit(".", 1)
    return f"{part}.lc.norm.tok.{language}"


RESOURCES = [
    *(_captions(file, f"raw/{file}.gz", sha256) for file, sha256 in AS_WRITTEN.items()),
    *(
        _captions(_tokenised(file), f"tok/{_tokenised(file)}", sha256)
        for file, sha256 in TOKENISED.items()
    ),
]
