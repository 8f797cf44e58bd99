"""The theorems of Kazemnejad et al. (2023) on decoders without position encoding, run.

Explicit weights are put into the book's own decoder (`positions.model`), and what comes out is
measured.
"""
