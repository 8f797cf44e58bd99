"""What encodings cost, as pictures, each with the sentences that say what it shows."""
