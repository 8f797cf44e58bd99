"""What attention maps look like and how far two of them are apart (Kazemnejad et al. 2023, 6)."""
