"""Count the contents of markup languages from their source, by syntax."""
