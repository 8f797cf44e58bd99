"""All claims and their verdicts: the table, the chart, and what stands out."""

from positions.book.pictures.judged import answers, chart, headlines, table, words

__all__ = ["answers", "chart", "headlines", "table", "words"]
