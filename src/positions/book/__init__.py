"""The book: its charts, the execution of its chapters, and its site."""
