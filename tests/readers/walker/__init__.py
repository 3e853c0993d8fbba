"""The file walker: reads a Parquet file byte by byte and recomputes what its footer and page headers say."""
