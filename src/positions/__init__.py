"""How Transformers know the order of their input: the library behind the book."""

__version__ = "0.1.0"
